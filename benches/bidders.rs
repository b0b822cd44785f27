//! Bidding chess from the start position: a bot level against bidders that follow a simple rule and choose moves like the level, so that only
//! the bids differ. Games come in pairs with the same random seed and exchanged seats.
//!
//! `cargo bench -- bidders [BOT] [GAMES] [PRESET]`; without a preset, all presets with ordinary chess on the board.

use rand::{RngExt, SeedableRng, rngs::StdRng};
use zorkmid::{
    board::{Color, Move, orthodox},
    bots::{Bot, MatchScore, choose},
    rules::{
        Actor, Describe, Endgame, Outcome, SearchProblem, Seat, Step, Turn,
        any_game::{AnyAction, AnyGame, TypedGame},
        auction_game::Base,
        endgame::NextStep,
    },
    variants::bidding::Bidding,
};

/// Games that take more steps than this count as drawn.
const LONGEST: usize = 1_000;
/// A proportional bidder bids one such part of its money. A greedy one bids one part for each pawn that its best capture is worth.
const PARTS: i64 = 10;

/// A rule for bids.
#[derive(Clone, Copy)]
enum Bidder {
    /// A random amount up to all its money.
    Random,
    /// In proportion to the best capture, which it makes if it moves; 0 if there is none.
    Greedy,
    /// All its money.
    AllIn,
    /// A fixed share of its money.
    Proportional,
    /// One more than the opponent's last bid.
    OneMore,
}

const BIDDERS: [(&str, Bidder); 5] = [
    ("random", Bidder::Random),
    ("greedy", Bidder::Greedy),
    ("all-in", Bidder::AllIn),
    ("proportional", Bidder::Proportional),
    ("last bid plus one", Bidder::OneMore),
];

/// The best capture of a side, with its value in pawns.
fn capture(moment: &Endgame, color: Color) -> Option<(Move, i64)> {
    let board = Base::chess().board();
    let mut position = moment.position;
    position.turn = color;
    let worth = |mv: &Move| match board.captured(&position, *mv).map(|(_, piece)| piece.kind) {
        Some(orthodox::KING) => PARTS,
        Some(orthodox::QUEEN) => 9,
        Some(orthodox::ROOK) => 5,
        Some(orthodox::BISHOP | orthodox::KNIGHT) => 3,
        Some(_) => 1,
        None => 0,
    };
    board
        .moves(&position)
        .into_iter()
        .map(|mv| (mv, worth(&mv)))
        .filter(|(_, worth)| *worth > 0)
        .max_by_key(|(_, worth)| *worth)
}

impl Bidder {
    /// The rule's action; `None` where the level moves for it. `last` is the opponent's last bid.
    fn word(self, moment: &Endgame, color: Color, last: i64, rng: &mut StdRng) -> Option<String> {
        let own = moment.chips?[color.index()];
        if let NextStep::Move(_) = moment.next_step {
            let (mv, _) = capture(moment, color).filter(|_| matches!(self, Bidder::Greedy))?;
            return Some(Base::chess().board().uci(mv).to_string());
        }
        let worth = match self {
            Bidder::Random => rng.random_range(0..=own),
            Bidder::Greedy => own * capture(moment, color).map_or(0, |(_, worth)| worth) / PARTS,
            Bidder::AllIn => own,
            Bidder::Proportional => own / PARTS,
            Bidder::OneMore => own.min(last + 1),
        };
        Some(match moment.next_step {
            // One more than a negative bid may be negative too.
            NextStep::Offer(_) | NextStep::Sealed => format!("bid {}", worth.max(0)),
            NextStep::Answer { bid, .. } => if bid <= own && worth > bid { "reject" } else { "accept" }.to_owned(),
            NextStep::Tie { .. } => "take".to_owned(),
            NextStep::Toss | NextStep::Coin(_) | NextStep::Move(_) => return None,
        })
    }
}

/// Plays a game between the level, in a given seat, and a bidder.
fn play(rules: &Bidding, bot: Bot, seat: Seat, bidder: Bidder, seed: u64) -> Option<Outcome> {
    let mut game = TypedGame::new(rules.clone()).expect("a valid preset");
    let [mut chance, mut own, mut other] = [0, 1, 2].map(|source| StdRng::seed_from_u64(seed << 2 | source));
    let mut last = 0;
    for _ in 0..LONGEST {
        let mut said = |asked: Seat| {
            if asked == seat {
                return choose(&game, asked, bot, &mut own, &mut || false).expect("a bot has an answer");
            }
            let Some(SearchProblem::Auction(_, moment)) = game.search_problem(asked) else {
                panic!("expected an auction")
            };
            let ruled = bidder.word(&moment, asked.color(), last, &mut other);
            match ruled {
                Some(word) => game.parse(&word).expect("a word"),
                None => choose(&game, asked, bot, &mut other, &mut || false).expect("a bot has an answer"),
            }
        };
        let step = match game.turn() {
            Turn::Over(outcome) => return Some(outcome),
            Turn::Chance => Step::Chance(game.draw(&mut chance)),
            Turn::One(asked) => Step::One(asked, said(asked)),
            Turn::Both => Step::Both(Seat::BOTH.map(said)),
        };
        let spoken: Vec<(Seat, &AnyAction)> = match &step {
            Step::One(asked, action) => vec![(*asked, action)],
            Step::Both(actions) => Seat::BOTH.into_iter().zip(actions).collect(),
            Step::Chance(_) | Step::End(..) => Vec::new(),
        };
        for (asked, action) in spoken {
            game.check(Actor::Seat(asked), action).unwrap_or_else(|refusal| panic!("{action}: {refusal}"));
            if let Some(bid) = action.text().strip_prefix("bid ")
                && asked == seat
            {
                last = bid.parse().expect("a number");
            }
        }
        game.apply(step);
    }
    None
}

pub(crate) fn run(asked: &[String]) {
    let bot: Bot = asked.first().map_or(Bot::Steady, |name| name.parse().expect("a bot"));
    let games: u64 = asked.get(1).map_or(40, |text| text.parse().expect("a number"));
    let wanted = |name: &str| asked.get(2).is_none_or(|wanted| wanted == name);
    for (preset, rules) in
        Bidding::presets().into_iter().filter(|(name, rules)| rules.base == Base::chess() && wanted(name))
    {
        for (name, bidder) in BIDDERS {
            let mut tally = MatchScore::default();
            for number in 0..games {
                let seat = Seat::BOTH[number as usize % 2];
                tally.count(play(&rules, bot, seat, bidder, number / 2), seat);
            }
            let [share, low, high] =
                [tally.share(), tally.interval()[0], tally.interval()[1]].map(|share| 100.0 * share);
            let MatchScore { won, drawn, lost } = tally;
            println!(
                "{preset:<14} {} against {name:<18} {won:>3} won, {drawn:>3} drawn, {lost:>3} lost: {share:.0} % ({low:.0} to {high:.0})",
                bot.name()
            );
        }
    }
}
