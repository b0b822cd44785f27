//! A player who follows the panel wins: complete games of bidding chess from positions with at most four pieces, against
//! opponents of every style.

use std::{convert::Infallible, fs, sync::LazyLock};

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::json;
use zorkmid_games::{
    board::{Color, Size},
    game::Live,
    richman::{
        self, Advice, FourAdvice, FourFiles, FourHint, FourPieceMaterial, FourTable, Hint, advise_of_four, file_of,
        rules, solve_four,
    },
    rules::{Actor, Endgame, Seat, endgame::NextStep},
};

use super::{LEVELS, TABLE, begin, consult};

/// All chips in play.
const CHIPS: i64 = 1_000_000;

/// Tables of rook and bishop against bare king, where α < β in some positions, and of queen against rook.
static FOUR: LazyLock<FourFiles> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let files = FourFiles::new(folder.path().to_owned());
    for pair in ["KRBvK", "KQvKR"] {
        let none = |pair: FourPieceMaterial| -> Result<FourTable, Infallible> { panic!("{pair} is not needed") };
        let Ok(table) = solve_four(pair.parse().unwrap(), &TABLE, &mut { none }, &mut |_| ());
        table.write(&mut fs::File::create(file_of(folder.path(), table.pair)).unwrap()).unwrap();
        // An open file stays readable after the folder is deleted.
        assert!(files.open(table.pair).unwrap().is_some());
    }
    files
});

/// Style of the opponent's bids, answers and moves.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Temper {
    /// Random legal actions.
    Random,
    /// Bids a third of its stack, or all of it if a king can be captured. Captures and promotes when possible.
    Greedy,
    /// Always bids everything, and plays the best moves.
    AllIn,
    /// Buys every move at the lowest price and plays waiting moves that keep the most.
    Patient,
    /// Knows the panel's advice to the opponent and plays the best response.
    BestResponse,
}

/// Panel's advice to one side.
#[derive(Clone)]
struct Told {
    bid: Option<i64>,
    action: Option<String>,
    within: Option<usize>,
    /// Moves in UCI with the values that they lead to.
    moves: Vec<(String, f64)>,
}

/// Panel's advice to both sides, White first.
#[derive(Clone)]
struct Word {
    /// Share of all chips that each side needs for a sure win.
    needs: [f64; 2],
    lead: f64,
    sides: [Told; 2],
}

impl From<Advice> for Word {
    fn from(advice: Advice) -> Word {
        let sides = [advice.white, advice.black].map(|Hint { bid, action, within, moves, .. }| Told {
            bid,
            action,
            within,
            moves: moves.into_iter().map(|mv| (mv.uci, mv.value.unwrap().approx)).collect(),
        });
        let value = advice.value.approx;
        Word { needs: [1.0 - value, value], lead: advice.lead.map_or(0.0, |lead| lead.approx), sides }
    }
}

impl From<FourAdvice> for Word {
    fn from(advice: FourAdvice) -> Word {
        let middle = |lo: &str, hi: &str| (lo.parse::<f64>().unwrap() + hi.parse::<f64>().unwrap()) / 2.0;
        let sides = [advice.white, advice.black].map(|FourHint { bid, action, moves }| Told {
            bid,
            action,
            within: None,
            moves: moves.into_iter().map(|mv| (mv.uci, middle(&mv.value.lo, &mv.value.hi))).collect(),
        });
        let needs = [1.0 - advice.alpha.lo.parse::<f64>().unwrap(), advice.beta.hi.parse().unwrap()];
        Word { needs, lead: advice.lead.map_or(0.0, |lead| lead.approx), sides }
    }
}

impl Word {
    fn to(&self, color: Color) -> &Told {
        &self.sides[color.index()]
    }
}

/// Panel's advice for a state: exact for three pieces, from the four-piece tables otherwise.
fn panel(moment: &Endgame) -> Word {
    match moment.position.occupied().len() {
        4 => advise_of_four(&TABLE, &FOUR, moment).unwrap().expect("the position is covered").into(),
        _ => consult(moment).into(),
    }
}

fn seat(color: Color) -> Seat {
    if color == Color::White { Seat::One } else { Seat::Two }
}

/// A random placement of both kings and other pieces.
fn placement(pieces: &[char], rng: &mut StdRng) -> String {
    let mut board = [[' '; 8]; 8];
    for unit in ['K', 'k'].iter().chain(pieces).copied() {
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

/// Draws a starting placement.
type Start<'a> = &'a (dyn Fn(&mut StdRng) -> String + Sync);

/// A game in which `hero` has at least one percent of all chips more than it needs.
fn game(hero: Color, start: Start<'_>, rng: &mut StdRng) -> Box<Live> {
    loop {
        let fen = start(rng);
        let scheme = ["open", "secret"].choose(rng).unwrap();
        let tie = ["marker", "choice", "coin", "side"].choose(rng).unwrap();
        let options =
            |white: i64| json!({"fen": fen, "white": white, "black": CHIPS - white, "scheme": scheme, "tie": tie});
        let moment = begin("bidding", options(CHIPS / 2)).endgame().unwrap();
        // White needs more than 1 − x of the chips.
        let share = panel(&moment).needs[hero.index()] + 0.010_001 + [0.0, 0.0, 0.01, 0.05].choose(rng).unwrap();
        if !(0.02..0.98).contains(&share) {
            continue;
        }
        let own = (share * CHIPS as f64).ceil() as i64;
        let game = begin("bidding", options(if hero == Color::White { own } else { CHIPS - own }));
        let lead = panel(&game.endgame().unwrap()).lead;
        assert!(if hero == Color::White { lead } else { -lead } >= 0.01 * CHIPS as f64, "{lead}");
        return game;
    }
}

/// Chooses the opponent's action.
fn reply(temper: Temper, moment: &Endgame, own: Color, advice: &dyn Fn() -> Word, rng: &mut StdRng) -> String {
    let chips = moment.chips.unwrap();
    let [mine, theirs] = [chips[own.index()], chips[(!own).index()]];
    let board = rules(Size::ORTHODOX);
    let hangs = Color::BOTH.into_iter().any(|color| {
        let king = board.royals(&moment.position, color).only().unwrap();
        board.attacked(&moment.position, !color, king)
    });
    let bid = |amount: i64| format!("bid {}", amount.clamp(-mine, mine));
    match moment.next_step {
        NextStep::Toss | NextStep::Coin(_) => unreachable!("no side is pending"),
        NextStep::Sealed | NextStep::Offer(_) => match temper {
            Temper::Random => bid(rng.random_range(-mine..=mine)),
            Temper::Greedy => bid(if hangs { mine } else { mine / 3 }),
            Temper::AllIn => bid(mine),
            // Waits with the lowest bid that can win an open auction.
            Temper::Patient => bid(advice().to(!own).bid.unwrap() + i64::from(moment.next_step == NextStep::Sealed)),
            Temper::BestResponse => {
                let advice = advice();
                let hero = advice.to(!own).bid.unwrap();
                let value = |color: Color| {
                    let best = advice.to(color).moves.first().map_or(advice.needs[1], |(_, value)| *value);
                    if own == Color::White { best } else { 1.0 - best }
                };
                // Chips left beyond the requirement if this side buys the move, or sells it.
                let total = (mine + theirs) as f64;
                let buy = |price: i64| value(own) * total - (theirs + price) as f64;
                let sell = |price: i64| value(!own) * total - (theirs - price) as f64;
                let sealed = moment.next_step == NextStep::Sealed;
                let outcome = |amount: i64| match sealed {
                    true if amount > hero => buy(amount),
                    true if amount < hero => sell(hero),
                    true => buy(hero).min(sell(hero)),
                    false if amount >= hero => buy(amount),
                    false => sell(amount),
                };
                let ways = [hero - 1, hero, hero + 1, -mine, mine, advice.to(own).bid.unwrap(), 0];
                let ways = ways.map(|amount| amount.clamp(-mine, mine));
                bid(ways.into_iter().max_by(|a, b| outcome(*a).total_cmp(&outcome(*b))).unwrap())
            }
        },
        NextStep::Answer { bid, .. } => {
            let may = [("accept", bid >= -mine), ("reject", bid <= mine)];
            let may: Vec<&str> = may.into_iter().filter(|(_, may)| *may).map(|(word, _)| word).collect();
            match temper {
                Temper::Random => (*may.choose(rng).unwrap()).to_owned(),
                Temper::Greedy if hangs => (*may.last().unwrap()).to_owned(),
                Temper::Greedy => may[0].to_owned(),
                Temper::AllIn | Temper::Patient => (*may.last().unwrap()).to_owned(),
                Temper::BestResponse => advice().to(own).action.clone().unwrap(),
            }
        }
        NextStep::Tie { .. } => match temper {
            Temper::Random => (*["take", "give"].choose(rng).unwrap()).to_owned(),
            Temper::Greedy | Temper::AllIn | Temper::Patient => "take".to_owned(),
            Temper::BestResponse => advice().to(own).action.clone().unwrap(),
        },
        NextStep::Move(_) => {
            let mut from = moment.position;
            from.turn = own;
            let moves = board.moves(&from);
            match temper {
                Temper::Random => board.uci(*moves.choose(rng).unwrap()).to_string(),
                Temper::Greedy => {
                    let king = board.royals(&from, !own).only();
                    let worth = |mv: &&zorkmid_games::board::Move| {
                        (Some(mv.to) == king, board.captured(&from, **mv).is_some(), mv.promotion.is_some())
                    };
                    board.uci(*moves.iter().max_by_key(worth).unwrap()).to_string()
                }
                Temper::AllIn | Temper::Patient | Temper::BestResponse => {
                    advice().to(own).moves.choose(rng).unwrap().0.clone()
                }
            }
        }
    }
}

/// Plays to the end. Returns the number of moves, or how the hero failed.
fn play(mut game: Box<Live>, hero: Color, temper: Temper, rng: &mut StdRng) -> Result<usize, String> {
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
            let advice = || panel(&moment);
            words.push(if own == hero {
                let told = advice().to(hero).clone();
                match told.within {
                    Some(within) if within > promised => {
                        return Err(format!("{start} {said:?}: {within} moves after {promised}"));
                    }
                    Some(within) => promised = within,
                    None if promised <= richman::LEVELS || moment.position.occupied().len() < 4 => {
                        return Err(format!("{start} {said:?}: the win is no longer proved"));
                    }
                    None => {}
                }
                told.action.unwrap()
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
        turns += usize::from(matches!(moment.next_step, NextStep::Move(_)));
    }
    match game.outcome().unwrap().winner() {
        Some(winner) if winner == seat(hero) => Ok(turns),
        other => Err(format!("{start} {said:?}: the hero did not win: {other:?}")),
    }
}

/// Plays games against every style. Returns the number of moves of the longest.
fn longest(games: usize, seed: u64, start: Start<'_>) -> usize {
    let tempers = [Temper::Random, Temper::Greedy, Temper::AllIn, Temper::Patient, Temper::BestResponse];
    let played = |temper: Temper, half: u64| {
        let mut rng = StdRng::seed_from_u64(seed + 2 * temper as u64 + half);
        let mut longest = 0;
        for number in 0..games / 2 {
            let hero = Color::BOTH[number % 2];
            let game = game(hero, start, &mut rng);
            longest = longest.max(play(game, hero, temper, &mut rng).unwrap_or_else(|why| panic!("{temper:?}: {why}")));
        }
        longest
    };
    let both = tempers.map(|temper| {
        std::thread::scope(|scope| {
            let halves = [0, 1].map(|half| scope.spawn(move || played(temper, half)));
            halves.map(|half| half.join().unwrap())
        })
    });
    *both.as_flattened().iter().max().unwrap()
}

#[test]
fn following_the_panel_wins_every_game() {
    LazyLock::force(&LEVELS);
    let start = |rng: &mut StdRng| {
        let piece = *['N', 'B', 'R', 'Q', 'P', 'n', 'b', 'r', 'q', 'p', ' '].choose(rng).unwrap();
        placement(&[piece], rng)
    };
    assert!(longest(1000, 11, &start) <= richman::LEVELS);
}

#[test]
#[ignore = "tests/long: solves two tables of four pieces"]
fn following_the_panel_wins_with_four_pieces() {
    LazyLock::force(&LEVELS);
    // In the first two positions both sides would rather wait, and α < β.
    let start = |rng: &mut StdRng| match rng.random_range(0..6) {
        0 => "8/6B1/8/8/4k3/2R5/8/K7".to_owned(),
        1 => "k7/8/2r5/4K3/8/8/6b1/8".to_owned(),
        2 => placement(&['R', 'B'], rng),
        3 => placement(&['r', 'b'], rng),
        4 => placement(&['Q', 'r'], rng),
        _ => placement(&['R', 'q'], rng),
    };
    // As documented in docs/research.md.
    assert!(longest(200, 31, &start) <= 24);
}
