//! Bidding chess from the start position: a level against bidders who follow a simple rule and move as the level would, so that the bids
//! alone tell them apart. Games come in pairs with the same chance and the seats changed.
//!
//! `cargo bench -- bidders [BOT] [GAMES] [PRESET]`; without a preset all of those in which ordinary chess is on the board.

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
/// Proportional bids are one part of so many of what a bidder has; and a greedy one bids as many of them as what it could take is worth in pawns.
const PARTS: i64 = 10;

/// A rule for bids.
#[derive(Clone, Copy)]
enum Bidder {
    /// Anything up to all that it has.
    Random,
    /// As much as the best capture is worth, which it makes if it moves; nothing where there is none.
    Greedy,
    /// All that it has.
    AllIn,
    /// The same part of what it has, each time.
    Proportional,
    /// One more than the other side's last bid.
    OneMore,
}

const BIDDERS: [(&str, Bidder); 5] = [
    ("random", Bidder::Random),
    ("greedy", Bidder::Greedy),
    ("all-in", Bidder::AllIn),
    ("proportional", Bidder::Proportional),
    ("last bid plus one", Bidder::OneMore),
];

/// The best capture of a side, with what it is worth in pawns.
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
    /// What the rule has to say; nothing where the level moves for it. `last` is what the other side bid last.
    fn word(self, moment: &Endgame, color: Color, last: i64, rng: &mut StdRng) -> Option<String> {
        let own = moment.chips?[color.index()];
        if let NextStep::Move(_) = moment.asked {
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
        Some(match moment.asked {
            // After a bid below zero one more may be below zero too.
            NextStep::Offer(_) | NextStep::Sealed => format!("bid {}", worth.max(0)),
            NextStep::Answer { bid, .. } => if bid <= own && worth > bid { "reject" } else { "accept" }.to_owned(),
            NextStep::Tie { .. } => "take".to_owned(),
            NextStep::Toss | NextStep::Coin(_) | NextStep::Move(_) => return None,
        })
    }
}

/// Plays a game of the level in a seat against a bidder.
fn play(rules: &Bidding, bot: Bot, seat: Seat, bidder: Bidder, seed: u64) -> Option<Outcome> {
    let mut game = TypedGame::new(rules.clone()).expect("a preset is sound");
    let [mut chance, mut own, mut other] = [0, 1, 2].map(|source| StdRng::seed_from_u64(seed << 2 | source));
    let mut last = 0;
    for _ in 0..LONGEST {
        let mut said = |asked: Seat| {
            if asked == seat {
                return choose(&game, asked, bot, &mut own, &mut || false).expect("a bot has an answer");
            }
            let Some(SearchProblem::Auction(_, moment)) = game.prospect(asked) else { panic!("it is an auction") };
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
