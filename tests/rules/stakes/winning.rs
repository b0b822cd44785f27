//! Whoever follows the panel wins: whole games from positions with at most three pieces, played by the rules of bidding chess
//! against opponents of every temper.

use std::sync::LazyLock;

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::json;
use zorkmid::{
    board::{Color, Size},
    game::Game,
    richman::{self, Advice, rules},
    rules::{Actor, Endgame, Seat, endgame::Asked},
};

use super::{LEVELS, begin, consult};

/// All chips in play.
const CHIPS: i64 = 1_000_000;

/// How the other side bids, answers and moves.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Temper {
    /// Anything that is allowed.
    Random,
    /// A third of its stack, all of it where a king hangs; captures and promotes where it can.
    Greedy,
    /// All it has, always; the best moves.
    AllIn,
    /// Knows what the panel tells its opponent, and chooses what is best against that.
    BestResponse,
}

fn seat(color: Color) -> Seat {
    if color == Color::White { Seat::One } else { Seat::Two }
}

/// A placement of both kings and at most one more piece, of either side.
fn placement(rng: &mut StdRng) -> String {
    let mut board = [[' '; 8]; 8];
    let piece = *['N', 'B', 'R', 'Q', 'P', 'n', 'b', 'r', 'q', 'p', ' '].choose(rng).unwrap();
    for unit in ['K', 'k', piece] {
        loop {
            let (rank, file) = (rng.random_range(0..8usize), rng.random_range(0..8usize));
            if board[rank][file] == ' ' && (!"Pp".contains(unit) || (1..7).contains(&rank)) {
                board[rank][file] = unit;
                break;
            }
        }
    }
    let row = |row: &[char; 8]| row.iter().map(|c| if *c == ' ' { "1".to_owned() } else { c.to_string() }).collect();
    board.iter().map(row).collect::<Vec<String>>().join("/")
}

/// A game in which `hero` has at least a hundredth of all chips more than it takes.
fn game(hero: Color, rng: &mut StdRng) -> Box<dyn Game> {
    loop {
        let fen = placement(rng);
        let scheme = ["open", "secret"].choose(rng).unwrap();
        let tie = ["marker", "choice", "coin", "side"].choose(rng).unwrap();
        let options =
            |white: i64| json!({"fen": fen, "white": white, "black": CHIPS - white, "scheme": scheme, "tie": tie});
        let moment = begin("bidding", options(CHIPS / 2)).endgame().unwrap();
        let value = consult(&moment).value.approx;
        // White needs more than 1 − x of the chips.
        let needed = if hero == Color::White { 1.0 - value } else { value };
        let share = needed + 0.010_001 + [0.0, 0.0, 0.01, 0.05].choose(rng).unwrap();
        if !(0.02..0.98).contains(&share) {
            continue;
        }
        let own = (share * CHIPS as f64).ceil() as i64;
        let game = begin("bidding", options(if hero == Color::White { own } else { CHIPS - own }));
        let lead = consult(&game.endgame().unwrap()).lead.unwrap().approx;
        assert!(if hero == Color::White { lead } else { -lead } >= 0.01 * CHIPS as f64, "{lead}");
        return game;
    }
}

/// What the other side says.
fn reply(temper: Temper, moment: &Endgame, own: Color, advice: &dyn Fn() -> Advice, rng: &mut StdRng) -> String {
    let chips = moment.chips.unwrap();
    let [mine, theirs] = [chips[own.index()], chips[(!own).index()]];
    let board = rules(Size::ORTHODOX);
    let hangs = Color::BOTH.into_iter().any(|color| {
        let king = board.royals(&moment.position, color).only().unwrap();
        board.attacked(&moment.position, !color, king)
    });
    let bid = |amount: i64| format!("bid {}", amount.clamp(-mine, mine));
    match moment.asked {
        Asked::Toss | Asked::Coin(_) => unreachable!("nobody is asked"),
        Asked::Sealed | Asked::Offer(_) => match temper {
            Temper::Random => bid(rng.random_range(-mine..=mine)),
            Temper::Greedy => bid(if hangs { mine } else { mine / 3 }),
            Temper::AllIn => bid(mine),
            Temper::BestResponse => {
                let advice = advice();
                let hero = advice.hint(!own).bid.unwrap();
                let value = |color: Color| {
                    let best = advice.hint(color).moves.first().map_or(advice.value.approx, |mv| mv.value.approx);
                    if own == Color::White { best } else { 1.0 - best }
                };
                // What is left beyond the need if this side moves for a price, or lets the other move for one.
                let total = (mine + theirs) as f64;
                let buy = |price: i64| value(own) * total - (theirs + price) as f64;
                let sell = |price: i64| value(!own) * total - (theirs - price) as f64;
                let sealed = moment.asked == Asked::Sealed;
                let outcome = |amount: i64| match sealed {
                    true if amount > hero => buy(amount),
                    true if amount < hero => sell(hero),
                    true => buy(hero).min(sell(hero)),
                    false if amount >= hero => buy(amount),
                    false => sell(amount),
                };
                let ways = [hero - 1, hero, hero + 1, -mine, mine, advice.hint(own).bid.unwrap(), 0];
                let ways = ways.map(|amount| amount.clamp(-mine, mine));
                bid(ways.into_iter().max_by(|a, b| outcome(*a).total_cmp(&outcome(*b))).unwrap())
            }
        },
        Asked::Answer { bid, .. } => {
            let may = [("accept", bid >= -mine), ("reject", bid <= mine)];
            let may: Vec<&str> = may.into_iter().filter(|(_, may)| *may).map(|(word, _)| word).collect();
            match temper {
                Temper::Random => (*may.choose(rng).unwrap()).to_owned(),
                Temper::Greedy if hangs => (*may.last().unwrap()).to_owned(),
                Temper::Greedy => may[0].to_owned(),
                Temper::AllIn => (*may.last().unwrap()).to_owned(),
                Temper::BestResponse => advice().hint(own).action.clone().unwrap(),
            }
        }
        Asked::Tie { .. } => match temper {
            Temper::Random => (*["take", "give"].choose(rng).unwrap()).to_owned(),
            Temper::Greedy | Temper::AllIn => "take".to_owned(),
            Temper::BestResponse => advice().hint(own).action.clone().unwrap(),
        },
        Asked::Move(_) => {
            let mut from = moment.position;
            from.turn = own;
            let moves = board.moves(&from);
            match temper {
                Temper::Random => board.uci(*moves.choose(rng).unwrap()).to_string(),
                Temper::Greedy => {
                    let king = board.royals(&from, !own).only();
                    let worth = |mv: &&zorkmid::board::Move| {
                        (Some(mv.to) == king, board.captured(&from, **mv).is_some(), mv.promotion.is_some())
                    };
                    board.uci(*moves.iter().max_by_key(worth).unwrap()).to_string()
                }
                Temper::AllIn | Temper::BestResponse => advice().hint(own).moves.choose(rng).unwrap().uci.clone(),
            }
        }
    }
}

/// Plays to the end; returns how many moves it took, or how the hero failed.
fn play(mut game: Box<dyn Game>, hero: Color, temper: Temper, rng: &mut StdRng) -> Result<usize, String> {
    let start = game.diagram(None).fen.unwrap();
    let mut promised = richman::LEVELS + 1;
    let mut said = Vec::new();
    let mut turns = 0;
    while game.outcome().is_none() {
        if let Some(word) = game.chance(rng) {
            game.act(Actor::Chance, &word, 0).unwrap();
            continue;
        }
        let moment = game.endgame().unwrap();
        let asked = game.awaits();
        let mut words = Vec::new();
        for seat in &asked {
            let own = if *seat == Seat::One { Color::White } else { Color::Black };
            let advice = || consult(&moment);
            words.push(if own == hero {
                let hint = advice().hint(hero).clone();
                let Some(within) = hint.within else {
                    return Err(format!("{start} {said:?}: the win is no longer proved"));
                };
                if within > promised {
                    return Err(format!("{start} {said:?}: {within} moves after {promised}"));
                }
                promised = within;
                hint.action.unwrap()
            } else {
                reply(temper, &moment, own, &advice, rng)
            });
        }
        for (seat, word) in asked.iter().zip(words) {
            if let Err(refusal) = game.act(Actor::Seat(*seat), &word, 0) {
                return Err(format!("{start} {said:?}: {seat} says {word}: {refusal}"));
            }
            said.push(word);
        }
        turns += usize::from(matches!(moment.asked, Asked::Move(_)));
    }
    match game.outcome().unwrap().winner() {
        Some(winner) if winner == seat(hero) => Ok(turns),
        other => Err(format!("{start} {said:?}: the panel's follower did not win: {other:?}")),
    }
}

#[test]
fn whoever_follows_the_panel_wins_every_game() {
    LazyLock::force(&LEVELS);
    let tempers = [Temper::Random, Temper::Greedy, Temper::AllIn, Temper::BestResponse];
    let games = |temper: Temper, half: u64| {
        let mut rng = StdRng::seed_from_u64(11 + 2 * temper as u64 + half);
        let mut longest = 0;
        for number in 0..500 {
            let hero = Color::BOTH[number % 2];
            let game = game(hero, &mut rng);
            longest = longest.max(play(game, hero, temper, &mut rng).unwrap_or_else(|why| panic!("{temper:?}: {why}")));
        }
        longest
    };
    for temper in tempers {
        let longest = std::thread::scope(|scope| {
            let halves = [0, 1].map(|half| scope.spawn(move || games(temper, half)));
            halves.map(|half| half.join().unwrap())
        });
        assert!(longest.iter().all(|moves| *moves <= richman::LEVELS));
    }
}
