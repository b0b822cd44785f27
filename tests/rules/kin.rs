//! Chess with a twist: three-check and King of the Hill by their own rules, and random games of both against Fairy-Stockfish.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use rand::{SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Map, Value, json};
use zorkmid::{
    game::{Clocks, Game},
    rules::{Actor, Refusal, Seat, Turn},
    variants,
};

/// A game from a position; from the usual one if the text is empty.
fn begin(variant: &str, fen: &str) -> Result<Box<dyn Game>, Refusal> {
    let options = Map::from_iter([("fen".to_owned(), json!(fen))]);
    variants::find(variant).unwrap().begin(&options, Clocks::new([None; 2]))
}

/// Plays moves, as players write them.
fn play(game: &mut dyn Game, moves: &str) {
    for text in moves.split_whitespace() {
        let seat = game.awaits()[0];
        game.act(Actor::Seat(seat), text, 0).unwrap_or_else(|why| panic!("{text}: {why}"));
    }
}

fn ended(game: &dyn Game) -> Option<(Option<Seat>, &'static str)> {
    game.outcome().map(|outcome| (outcome.winner(), outcome.reason()))
}

fn fen(game: &dyn Game) -> String {
    game.json(None)["view"]["diagram"]["fen"].as_str().unwrap().to_owned()
}

#[test]
fn the_third_check_wins() {
    let mut game = begin("three-check", "").unwrap();
    play(&mut *game, "e4 e5 Bc4 Nc6 Bxf7+ Kxf7 Qh5+");
    assert_eq!(ended(&*game), None);
    assert_eq!(game.json(None)["view"]["checks"], json!([2, 0]));
    assert!(fen(&*game).ends_with(" 1+3 1 4"), "{}", fen(&*game));
    play(&mut *game, "g6 Qxg6+");
    assert_eq!(ended(&*game), Some((Some(Seat::One), "third check")));
    assert!(fen(&*game).contains(" 0+3 "), "{}", fen(&*game));
}

#[test]
fn a_double_check_counts_once_and_checks_are_given_by_both() {
    let mut game = begin("three-check", "3rk3/8/8/8/8/8/3N4/3RK3 w - - 1+1 0 1").unwrap();
    assert_eq!(game.json(None)["view"]["checks"], json!([2, 2]));
    let mut double = begin("three-check", "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1").unwrap();
    play(&mut *double, "Nf6+");
    assert_eq!(double.json(None)["view"]["checks"], json!([1, 0]));
    play(&mut *game, "Kf2 Rxd2+");
    assert_eq!(ended(&*game), Some((Some(Seat::Two), "third check")));
}

#[test]
fn a_position_stands_again_only_with_the_same_checks() {
    let mut game = begin("three-check", "7k/8/8/8/8/8/8/R6K w - - 0 1").unwrap();
    play(&mut *game, "Ra2 Kg8 Ra1 Kh8 Ra2 Kg8 Ra1 Kh8");
    assert!(game.json(None)["view"]["claimable"].as_bool().unwrap(), "three times without a check");
    let mut game = begin("three-check", "7k/8/8/8/8/8/8/R6K w - - 0 1").unwrap();
    play(&mut *game, "Ra2 Kg8 Ra1 Kh8 Ra8+ Kg7 Ra1 Kh8");
    assert!(!game.json(None)["view"]["claimable"].as_bool().unwrap(), "a check lies between");
}

#[test]
fn a_count_of_checks_that_cannot_be_is_refused() {
    for wrong in ["0+3", "4+1", "3+", "+", "3+3+3", "-1+2", "x+y"] {
        let refusal = begin("three-check", &format!("4k3/8/8/8/8/8/8/4KQ2 w - - {wrong} 0 1")).err().unwrap();
        assert!(refusal.why.contains("write it as in 3+2"), "{wrong}: {refusal:?}");
    }
}

#[test]
fn a_king_on_the_hill_has_won() {
    let mut game = begin("king-of-the-hill", "4k3/8/8/8/8/3K4/8/8 w - - 0 1").unwrap();
    assert_eq!(ended(&*game), None, "a bare king can win: nothing is dead");
    play(&mut *game, "Kd4");
    assert_eq!(ended(&*game), Some((Some(Seat::One), "king on the hill")));
    let mut guarded = begin("king-of-the-hill", "4k3/8/4p3/8/2K5/8/8/8 w - - 0 1").unwrap();
    let refusal = guarded.act(Actor::Seat(Seat::One), "c4d5", 0).unwrap_err();
    assert!(refusal.why.contains("the king would be in check"), "{refusal:?}");
    play(&mut *guarded, "Kd4");
    assert_eq!(ended(&*guarded), Some((Some(Seat::One), "king on the hill")));
}

#[test]
fn bare_kings_lose_on_time_only_where_they_matter() {
    for (variant, bare, expected) in [
        ("chess", "4k3/8/8/8/8/8/7R/4K3 w - - 0 1", None),
        ("three-check", "4k3/8/8/8/8/8/7R/4K3 w - - 0 1", None),
        ("king-of-the-hill", "4k3/8/8/8/8/8/7R/4K3 w - - 0 1", Some(Seat::Two)),
    ] {
        let mut game = begin(variant, bare).unwrap();
        game.act(Actor::Server, "flag one", 0).unwrap();
        assert_eq!(game.outcome().unwrap().winner(), expected, "{variant}");
    }
    // One knight cannot mate, but it can give check.
    assert!(begin("chess", "4k3/8/8/8/8/8/7N/4K3 w - - 0 1").unwrap().outcome().is_some());
    assert!(begin("three-check", "4k3/8/8/8/8/8/7N/4K3 w - - 0 1").unwrap().outcome().is_none());
}

/// A moment of a game: its FEN, the moves we find, and whether a twist has ended it.
struct Moment {
    theirs: &'static str,
    fen: String,
    moves: Vec<String>,
    over: bool,
}

/// Random games, moment by moment.
fn moments(variant: &str, theirs: &'static str, rng: &mut StdRng) -> Vec<Moment> {
    let mut moments = Vec::new();
    for _ in 0..60 {
        let mut game = begin(variant, "").unwrap();
        for _ in 0..150 {
            let seat = if let Turn::One(seat) = game.turn() { Some(seat) } else { None };
            let mut moves: Vec<String> = match game.json(seat).get("actions") {
                Some(Value::Array(actions)) => {
                    actions.iter().map(|action| action.as_str().unwrap().to_owned()).collect()
                }
                Some(_) | None => Vec::new(),
            };
            moves.sort();
            let over =
                game.outcome().is_some_and(|outcome| ["third check", "king on the hill"].contains(&outcome.reason()));
            moments.push(Moment { theirs, fen: fen(&*game), moves: moves.clone(), over });
            let (Some(seat), Some(next)) = (seat, moves.choose(rng)) else { break };
            game.act(Actor::Seat(seat), next, 0).unwrap();
        }
    }
    moments
}

#[test]
fn random_games_go_as_fairy_stockfish_says() {
    let Ok(python) = std::env::var("ZORKMID_PYFFISH") else {
        eprintln!("not compared with Fairy-Stockfish: ZORKMID_PYFFISH is not set; tests/run sets it");
        return;
    };
    let mut rng = StdRng::seed_from_u64(11);
    let mut all = moments("three-check", "3check", &mut rng);
    all.extend(moments("king-of-the-hill", "kingofthehill", &mut rng));
    let question: Vec<(&str, &str)> = all.iter().map(|moment| (moment.theirs, moment.fen.as_str())).collect();
    let mut child = Command::new(&python)
        .args(["-c", include_str!("kin/pyffish.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{python}: {error}"));
    child.stdin.take().unwrap().write_all(json!(question).to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{python} has no pyffish, or it failed");
    let answers: Vec<(bool, Vec<String>)> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answers.len(), all.len());
    for (moment, (over, moves)) in all.iter().zip(answers) {
        assert_eq!(moment.over, over, "{} {}", moment.theirs, moment.fen);
        assert!(moment.over || moment.moves == moves || moment.moves.is_empty(), "{} {}", moment.theirs, moment.fen);
    }
    let twists = all.iter().filter(|moment| moment.over).count();
    assert!(all.len() > 5_000 && twists >= 20, "{} moments, {twists} ends by a twist", all.len());
}
