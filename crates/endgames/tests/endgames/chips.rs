//! Whole chips compared with full play: a solver without thresholds tries every bid, answer and move on small boards.

use super::often::often;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use std::collections::HashMap;
use zorkmid_endgames::{
    Auction, BidAnswer, NEVER_STOP, Side, Verdict,
    board::{Board, Color, Position, Size},
    endgame::NextStep,
    read, rules, solve,
};

/// Auction in which a bid is due, or an answer to `bid`.
fn auction(chips: [i64; 2], bidder: Color, bid: Option<i64>, negative: bool) -> Auction {
    let asked = bid.map_or(NextStep::Offer(bidder), |bid| NextStep::Answer { bidder, bid });
    Auction { chips, next_step: asked, negative, sealed: None }
}

/// Position in the game: the positions after both sides' moves, or the winner.
pub(super) enum Node {
    Over(Color),
    Moves([Vec<usize>; 2]),
}

/// All positions that follow from some starting positions.
pub(super) struct Web {
    pub(super) nodes: Vec<Node>,
    numbers: HashMap<String, usize>,
    pub(super) fens: Vec<String>,
}

fn king(position: &Position, color: Color, board: &Board) -> bool {
    let letter = if color == Color::White { 'K' } else { 'k' };
    board.placement_fen(position).contains(letter)
}

impl Web {
    pub(super) fn of(size: Size, starts: &[&str]) -> Web {
        let board = rules(size);
        let mut web = Web { nodes: Vec::new(), numbers: HashMap::new(), fens: Vec::new() };
        for start in starts {
            web.visit(board, board.parse_fen(&format!("{start} w - - 0 1")).unwrap());
        }
        web
    }

    fn visit(&mut self, board: &Board, position: Position) -> usize {
        let mut waiting = vec![position];
        let number = |web: &mut Web, waiting: &mut Vec<Position>, position: Position| -> usize {
            let fen = board.placement_fen(&position);
            if let Some(number) = web.numbers.get(&fen) {
                return *number;
            }
            let number = web.nodes.len();
            web.numbers.insert(fen.clone(), number);
            web.fens.push(fen);
            web.nodes.push(Node::Moves([Vec::new(), Vec::new()]));
            waiting.push(position);
            number
        };
        waiting.clear();
        let first = number(self, &mut waiting, position);
        while let Some(position) = waiting.pop() {
            let own = self.numbers[&board.placement_fen(&position)];
            if let Some(loser) = Color::BOTH.into_iter().find(|color| !king(&position, *color, board)) {
                self.nodes[own] = Node::Over(!loser);
                continue;
            }
            let moves = Color::BOTH.map(|mover| {
                let mut from = position;
                from.turn = mover;
                let all = board.moves(&from);
                let mut next: Vec<usize> = all
                    .iter()
                    .map(|mv| {
                        let mut after = board.after(&from, *mv);
                        after.turn = Color::White;
                        number(self, &mut waiting, after)
                    })
                    .collect();
                if next.is_empty() {
                    next.push(own);
                }
                next
            });
            self.nodes[own] = Node::Moves(moves);
        }
        first
    }

    /// For one side and one total: moves within which it wins by force, by position, own chips and whether it is to bid.
    fn wins(&self, player: Color, total: i64, negative: bool) -> Vec<Vec<[Option<usize>; 2]>> {
        let stacks = total as usize + 1;
        let mut wins = vec![vec![[None; 2]; stacks]; self.nodes.len()];
        for (at, node) in self.nodes.iter().enumerate() {
            if matches!(node, Node::Over(winner) if *winner == player) {
                wins[at] = vec![[Some(0); 2]; stacks];
            }
        }
        for within in 1.. {
            let mut next = wins.clone();
            let mut more = false;
            for (at, node) in self.nodes.iter().enumerate() {
                let Node::Moves(moves) = node else { continue };
                // Whether the player wins after a move of `mover`, with `own` chips. The side that has moved bids next.
                let kept = |mover: Color, own: i64| {
                    let bids = usize::from(mover != player);
                    let won = |to: &usize| wins[*to][own as usize][bids].is_some();
                    let all = &moves[mover.index()];
                    if mover == player { all.iter().any(won) } else { all.iter().all(won) }
                };
                for own in 0..=total {
                    let theirs = total - own;
                    if next[at][own as usize].iter().all(Option::is_some) {
                        continue;
                    }
                    // The player bids: some bid keeps the win whatever the answer.
                    let bids = bids(own, negative).any(|bid| {
                        let accepted = bid < -theirs || kept(player, own - bid);
                        let rejected = bid > theirs || kept(!player, own + bid);
                        accepted && rejected
                    });
                    let answers = self::bids(theirs, negative).all(|bid| {
                        let accept = bid >= -own && kept(!player, own + bid);
                        let reject = bid <= own && kept(player, own - bid);
                        accept || reject
                    });
                    for (role, won) in [bids, answers].into_iter().enumerate() {
                        let entry = &mut next[at][own as usize][role];
                        if won && entry.is_none() {
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
}

/// Legal bids of a side with `own` chips.
pub(super) fn bids(own: i64, negative: bool) -> impl Iterator<Item = i64> {
    if negative { -own..=own } else { 0..=own }
}

/// Compares verdicts with full play in `tries` evenly chosen states of each total. Long runs try all totals up to twelve.
fn agrees(size: Size, starts: &[&str], few: &[i64], tries: usize, negative: bool) {
    let web = Web::of(size, starts);
    let table = solve(size, &mut |_| {}).unwrap();
    let mut rng = StdRng::seed_from_u64(9);
    let mut seen = [0; 3];
    for total in if often(1) > 1 { (1..=12).collect() } else { few.to_vec() } {
        let wins = Color::BOTH.map(|player| web.wins(player, total, negative));
        let stacks = total as usize + 1;
        let states = web.nodes.len() * stacks * 2;
        let step = (states / tries).max(1);
        for state in (rng.random_range(0..step)..states).step_by(step) {
            let at = state / (2 * stacks);
            let Node::Moves(moves) = &web.nodes[at] else { continue };
            let white = (state / 2 % stacks) as i64;
            let bidder = Color::BOTH[state % 2];
            let chips = [white, total - white];
            let question = read(&web.fens[at]).unwrap();
            let verdict = |bid| question.verdict(&table, &auction(chips, bidder, bid, negative), NEVER_STOP).unwrap();
            let within = |player: Color, node: usize, own: i64, bids: bool| {
                wins[player.index()][node][own as usize][usize::from(!bids)]
            };
            let best = Color::BOTH.map(|player| within(player, at, chips[player.index()], player == bidder));
            assert!(best[0].is_none() || best[1].is_none(), "only one side wins");
            let told = verdict(None);
            let place = format!("{} {chips:?}, {bidder:?} bids: {told:?}", web.fens[at]);
            let winner = Color::BOTH.into_iter().find(|player| best[player.index()].is_some());
            assert_eq!(told.winner, winner.map(Side::from), "{place}");
            assert_eq!(told.within, winner.and_then(|player| best[player.index()]), "{place}");
            seen[winner.map_or(2, Color::index)] += 1;
            let Some(winner) = winner else { continue };
            let (own, theirs) = (chips[winner.index()], chips[(!winner).index()]);
            let after = |mover: Color, own: i64| {
                let of = |to: &usize| within(winner, *to, own, mover == winner);
                let all = moves[mover.index()].iter().map(of);
                if mover == winner {
                    all.flatten().min()
                } else {
                    all.map(|n| n.ok_or(())).collect::<Result<Vec<_>, ()>>().ok()?.into_iter().max()
                }
            };
            let soon = |n: Option<usize>| n.is_some_and(|n| n < told.within.unwrap());
            if winner == bidder {
                let ever = |n: Option<usize>| n.is_some();
                let wins: [(&dyn Fn(Option<usize>) -> bool, _); 2] =
                    [(&soon, told.fastest_bids), (&ever, told.winning_bids)];
                for (wins, range) in wins {
                    let good: Vec<i64> = bids(own, negative)
                        .filter(|bid| {
                            (*bid < -theirs || wins(after(winner, own - bid)))
                                && (*bid > theirs || wins(after(!winner, own + bid)))
                        })
                        .collect();
                    let range = range.unwrap();
                    // Puzzles ask for the least of these bids.
                    if let Some(holding) = question.holding(&table, winner, total as u32).filter(|_| negative) {
                        assert_eq!(holding.reach.bids(theirs), told.winning_bids, "{place}");
                    }
                    assert_eq!((range.from, range.to), (good[0], good[good.len() - 1]), "{place}");
                    assert_eq!(good.len() as i64, range.to - range.from + 1, "{place}");
                }
            } else {
                assert_eq!((told.bid, told.answer), (None, None), "{place}");
                let from = told.accepts.unwrap();
                let good = |bid: i64| match bid >= from {
                    true => bid >= -own && soon(after(!winner, own + bid)),
                    false => bid <= own && soon(after(winner, own - bid)),
                };
                assert!(bids(theirs, negative).all(good), "{place}");
                let bid = bids(theirs, negative).nth(rng.random_range(0..bids(theirs, negative).count())).unwrap();
                let answered = verdict(Some(bid));
                let kept = match answered.answer.unwrap() {
                    BidAnswer::Accept => after(!winner, own + bid),
                    _ => after(winner, own - bid),
                };
                assert_eq!(answered.winner, Some(Side::from(winner)), "{place}");
                assert_eq!(kept.map(|n| n + 1), answered.within, "{place} {bid} {answered:?}");
            }
        }
    }
    println!("{starts:?}: White wins {}, Black wins {}, neither wins {}", seen[0], seen[1], seen[2]);
    assert!(seen[0] > 0 && seen[1] > 0, "{starts:?} {seen:?}");
}

#[test]
fn full_play_agrees_on_three_by_three() {
    let starts = ["k2/P2/2K", "k2/1P1/2K", "k2/2P/2K", "2K/p2/2k", "2K/1p1/2k", "2K/2p/2k"];
    for negative in [true, false] {
        agrees(Size::new(3, 3).unwrap(), &starts, &[1, 2, 7, 12], often(400), negative);
    }
}

#[test]
fn full_play_agrees_on_three_by_four() {
    let starts = ["k2/3/P2/2K", "k2/3/1P1/2K", "k2/3/2P/2K", "k2/p2/3/2K", "k2/1p1/3/2K", "k2/2p/3/2K"];
    for negative in [true, false] {
        agrees(Size::new(3, 4).unwrap(), &starts, &[4, 9], often(200), negative);
    }
}

#[test]
fn whole_chips_differ_from_shares_of_money() {
    let table = solve(Size::ORTHODOX, &mut |_| {}).unwrap();
    let of = |fen: &str, chips, bidder| {
        read(fen).unwrap().verdict(&table, &auction(chips, bidder, None, true), NEVER_STOP).unwrap()
    };
    // White holds less than the value 7463/8192 requires, and still wins.
    let won: Verdict = of("k7/8/8/8/8/8/8/K6R", [17, 183], Color::Black);
    assert_eq!((won.winner, won.total), (Some(Side::White), 200));
    assert!(won.bid.is_none() && won.within.is_some());
    // The same position with colours and ranks exchanged.
    let turned = of("k6r/8/8/8/8/8/8/K7", [183, 17], Color::White);
    assert_eq!((turned.winner, turned.within), (Some(Side::Black), won.within));
    assert_eq!(of("8/8/8/8/8/8/8/K6R", [1, 1], Color::White).winner, Some(Side::White));
    assert_eq!(of("k7/8/8/8/8/8/8/K7", [50, 50], Color::White).winner, None);
}

#[test]
fn thresholds_of_one_total_stay_small() {
    let table = solve(Size::ORTHODOX, &mut |_| {}).unwrap();
    // A pawn on its second rank depends on every other layer.
    let question = read("8/8/8/3k4/8/8/P7/7K").unwrap();
    for total in [12, 200] {
        let before = table.chip_bytes();
        for player in Color::BOTH {
            question.holding(&table, player, total).unwrap();
        }
        let bytes = table.chip_bytes() - before;
        assert!((1..=4 << 20).contains(&bytes), "{total}: {bytes}");
    }
}

#[test]
fn pawn_thresholds_cover_promotions() {
    let [table, other] = [(); 2].map(|()| solve(Size::ORTHODOX, &mut |_| {}).unwrap());
    let pawn = read("8/4P3/8/3k4/8/8/8/7K").unwrap();
    pawn.holding(&table, Color::White, 30).unwrap();
    pawn.holding(&table, Color::Black, 30).unwrap();
    let before = table.chip_bytes();
    for fen in ["4Q3/8/8/3k4/8/8/8/7K", "8/8/4N3/8/2k5/8/8/7K", "8/8/3k4/8/8/8/8/7K"] {
        let became = read(fen).unwrap();
        for white in 0..30 {
            let asked = auction([white, 30 - white], Color::White, None, true);
            let told = became.verdict(&table, &asked, NEVER_STOP).unwrap();
            assert_eq!(told, became.verdict(&other, &asked, NEVER_STOP).unwrap(), "{fen} {white}");
        }
        assert_eq!(table.chip_bytes(), before, "{fen}");
    }
}
