//! Sealed bids of whole chips compared with full play: a solver without thresholds tries every bid against every other on small boards, under every
//! tie rule.

use super::{
    chips::{Node, Web, bids},
    often::often,
};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use zorkmid_endgames::{
    Auction, NEVER_STOP, Side,
    board::{Color, Size},
    endgame::{NextStep, Price, Settlement, Tie},
    read, solve,
};

/// Moves within which one side wins by force, by position, own chips and whether it holds the marker.
type Wins = Vec<Vec<[Option<usize>; 2]>>;

/// Rules of an auction.
#[derive(Clone, Copy, Debug)]
struct Terms {
    tie: Tie,
    price: Price,
    negative: bool,
    total: i64,
}

/// Results for a side after the next move, from the wins so far.
struct After<'a> {
    wins: &'a Wins,
    moves: &'a [Vec<usize>; 2],
    player: Color,
    terms: Terms,
}

impl After<'_> {
    /// Returns whether the side wins after a move of `mover`, with `own` chips and with or without the marker.
    fn won(&self, mover: Color, own: i64, holds: bool) -> bool {
        let won = |to: &usize| self.wins[*to][own as usize][usize::from(!holds)].is_some();
        let all = &self.moves[mover.index()];
        if mover == self.player { all.iter().any(won) } else { all.iter().all(won) }
    }

    /// Returns whether the side wins if `mover` gets the move for a price. With `Tie::Loser` this moves the marker.
    fn moved(&self, mover: Color, price: i64, own: i64, holds: bool) -> bool {
        let holds = if self.terms.tie == Tie::Loser { mover != self.player } else { holds };
        self.won(mover, if mover == self.player { own - price } else { own + price }, holds)
    }

    fn tied(&self, own: i64, bid: i64, holds: bool) -> bool {
        let (player, other) = (self.player, !self.player);
        let moved = |mover: Color, holds: bool| self.moved(mover, bid, own, holds);
        match (self.terms.tie, holds) {
            (Tie::Marker, true) => moved(player, false),
            (Tie::Marker, false) => moved(other, true),
            (Tie::Choice, true) => moved(player, false) || moved(other, true),
            (Tie::Choice, false) => moved(other, true) && moved(player, false),
            (Tie::Coin | Tie::Rebid, _) => moved(player, holds) && moved(other, holds),
            (Tie::Side | Tie::Loser, true) => moved(player, true),
            (Tie::Side | Tie::Loser, false) => moved(other, false),
        }
    }

    fn bid(&self, own: i64, bid: i64, other: i64, holds: bool) -> bool {
        let price = match self.terms.price {
            Price::First => bid.max(other),
            Price::Second => bid.min(other),
        };
        match bid.cmp(&other) {
            std::cmp::Ordering::Greater => self.moved(self.player, price, own, holds),
            std::cmp::Ordering::Less => self.moved(!self.player, price, own, holds),
            std::cmp::Ordering::Equal => self.tied(own, bid, holds),
        }
    }
}

fn wins(web: &Web, player: Color, terms: Terms) -> Wins {
    let Terms { negative, total, .. } = terms;
    let stacks = total as usize + 1;
    let begun = |node: &Node| vec![[matches!(node, Node::Over(winner) if *winner == player).then_some(0); 2]; stacks];
    let mut wins: Wins = web.nodes.iter().map(begun).collect();
    for within in 1.. {
        let mut next = wins.clone();
        let mut more = false;
        for (at, node) in web.nodes.iter().enumerate() {
            let Node::Moves(moves) = node else { continue };
            let after = After { wins: &wins, moves, player, terms };
            for own in 0..=total {
                for (role, holds) in [true, false].into_iter().enumerate() {
                    let sure = |bid: i64| bids(total - own, negative).all(|other| after.bid(own, bid, other, holds));
                    let entry = &mut next[at][own as usize][role];
                    if entry.is_none() && bids(own, negative).any(sure) {
                        *entry = Some(within);
                        more = true;
                    }
                }
            }
        }
        wins = next;
        if !more {
            break;
        }
    }
    wins
}

fn agrees(size: Size, starts: &[&str], totals: &[i64], tries: usize) {
    let web = Web::of(size, starts);
    let table = solve(size, &mut |_| {}).unwrap();
    let mut rng = StdRng::seed_from_u64(9);
    let mut seen = [0; 3];
    let prices = [Price::First, Price::Second];
    let rules = Tie::ALL.into_iter().flat_map(|tie| prices.map(|price| (tie, price)));
    for (tie, price, negative) in rules.flat_map(|(tie, price)| [true, false].map(|negative| (tie, price, negative))) {
        for total in totals {
            let terms = Terms { tie, price, negative, total: *total };
            let all = Color::BOTH.map(|player| wins(&web, player, terms));
            // More chips of one's own never harm.
            for wins in all.iter().flatten() {
                assert!(
                    wins.windows(2).all(|pair| (0..2).all(|role| pair[0][role].is_none() || pair[1][role].is_some()))
                );
            }
            for _ in 0..tries {
                let at = rng.random_range(0..web.nodes.len());
                let Node::Moves(moves) = &web.nodes[at] else { continue };
                let white = rng.random_range(0..=*total);
                let chips = [white, total - white];
                let holder = if rng.random() { Color::White } else { Color::Black };
                let question = read(&web.fens[at]).unwrap();
                let sealed = Some(Settlement { tie, price, holder });
                let verdict = |asked| {
                    question
                        .verdict(&table, &Auction { chips, next_step: asked, negative, sealed }, NEVER_STOP)
                        .unwrap()
                };
                let within = |player: Color| {
                    all[player.index()][at][chips[player.index()] as usize][usize::from(holder != player)]
                };
                let best = Color::BOTH.map(within);
                assert!(best[0].is_none() || best[1].is_none(), "only one side wins");
                let told = verdict(NextStep::Sealed);
                let place = format!("{} {chips:?}, {terms:?}, {holder:?}: {told:?}", web.fens[at]);
                let winner = Color::BOTH.into_iter().find(|player| best[player.index()].is_some());
                assert_eq!(told.winner, winner.map(Side::from), "{place}");
                assert_eq!(told.within, winner.and_then(within), "{place}");
                seen[winner.map_or(2, Color::index)] += 1;
                for player in Color::BOTH {
                    let (own, theirs) = (chips[player.index()], chips[(!player).index()]);
                    let after = After { wins: &all[player.index()], moves, player, terms };
                    let holds = holder == player;
                    // Steps after both bids: check the winner, but not the number of moves.
                    let common: Vec<i64> =
                        bids(own, negative).filter(|bid| bids(theirs, negative).any(|other| other == *bid)).collect();
                    let bid = common[rng.random_range(0..common.len())];
                    let asked = match tie {
                        Tie::Choice => NextStep::Tie { holder, bid },
                        Tie::Coin | Tie::Rebid => NextStep::Coin(bid),
                        Tie::Marker | Tie::Side | Tie::Loser => NextStep::Move(holder),
                    };
                    let sure = match tie {
                        Tie::Choice | Tie::Coin | Tie::Rebid => after.tied(own, bid, holds),
                        Tie::Marker | Tie::Side | Tie::Loser => after.won(holder, own, holds),
                    };
                    assert_eq!(verdict(asked).winner == Some(Side::from(player)), sure, "{place} {asked:?}");
                }
                let Some(winner) = winner else { continue };
                let (own, theirs) = (chips[winner.index()], chips[(!winner).index()]);
                let holds = holder == winner;
                // Wins that are one move shorter.
                let soon: Wins = all[winner.index()]
                    .iter()
                    .map(|stacks| {
                        stacks.iter().map(|roles| roles.map(|n| n.filter(|n| *n < told.within.unwrap()))).collect()
                    })
                    .collect();
                let after = After { wins: &soon, moves, player: winner, terms };
                let good = |bid: &i64| bids(theirs, negative).all(|other| after.bid(own, *bid, other, holds));
                let good: Vec<i64> = bids(own, negative).filter(good).collect();
                let range = told.bid.unwrap();
                assert_eq!(range.from, good[0], "{place} {good:?}");
                assert!(
                    (range.from..=range.to).all(|bid| good.contains(&bid)) && !good.contains(&(range.to + 1)),
                    "{place} {good:?}"
                );
            }
        }
    }
    println!("{starts:?}: White wins {}, Black wins {}, neither is sure {}", seen[0], seen[1], seen[2]);
    assert!(seen.iter().all(|count| *count > 0), "{starts:?} {seen:?}");
}

#[test]
fn sealed_full_play_agrees_on_three_by_three() {
    let tries = often(25);
    agrees(Size::new(3, 3).unwrap(), &["k2/3/K1R", "k2/3/K1N"], &[1, 2, 5], tries);
    agrees(Size::new(3, 3).unwrap(), &["k1r/3/2K"], &[4], tries);
}

#[test]
fn sealed_full_play_agrees_on_three_by_four() {
    agrees(Size::new(3, 4).unwrap(), &["k2/3/P2/2K"], &[4], often(25));
}
