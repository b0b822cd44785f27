//! Three-check and King of the Hill: their own rules, and random games against Fairy-Stockfish.

use std::{
    collections::BTreeSet,
    io::Write,
    process::{Command, Stdio},
};

use rand::{SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Map, json};
use zorkmid_games::{
    game::{Clocks, Live},
    registry,
    rules::{Actor, Refusal, Seat},
};

/// A game from a position; from the usual one if the text is empty.
pub(crate) fn begin(variant: &str, fen: &str) -> Result<Box<Live>, Refusal> {
    let options = Map::from_iter([("fen".to_owned(), json!(fen))]);
    registry::find(variant).unwrap().begin(&options, Clocks::new([None; 2]))
}

/// Plays moves in player notation.
pub(crate) fn play(game: &mut Live, moves: &str) {
    for text in moves.split_whitespace() {
        let seat = game.awaits()[0];
        game.act(Actor::Seat(seat), text, 0).unwrap_or_else(|why| panic!("{text}: {why}"));
    }
}

pub(crate) fn ended(game: &Live) -> Option<(Option<Seat>, &'static str)> {
    game.outcome().map(|outcome| (outcome.winner(), outcome.reason()))
}

pub(crate) fn fen(game: &Live) -> String {
    game.json(None)["view"]["diagram"]["fen"].as_str().unwrap().to_owned()
}

#[test]
fn the_third_check_wins() {
    let mut game = begin("three-check", "").unwrap();
    play(&mut game, "e4 e5 Bc4 Nc6 Bxf7+ Kxf7 Qh5+");
    assert_eq!(ended(&game), None);
    assert_eq!(game.json(None)["view"]["checks"], json!([2, 0]));
    assert!(fen(&game).ends_with(" 1+3 1 4"), "{}", fen(&game));
    play(&mut game, "g6 Qxg6+");
    assert_eq!(ended(&game), Some((Some(Seat::One), "third check")));
    assert!(fen(&game).contains(" 0+3 "), "{}", fen(&game));
}

#[test]
fn a_double_check_counts_once() {
    let mut game = begin("three-check", "3rk3/8/8/8/8/8/3N4/3RK3 w - - 1+1 0 1").unwrap();
    assert_eq!(game.json(None)["view"]["checks"], json!([2, 2]));
    let mut double = begin("three-check", "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1").unwrap();
    play(&mut double, "Nf6+");
    assert_eq!(double.json(None)["view"]["checks"], json!([1, 0]));
    play(&mut game, "Kf2 Rxd2+");
    assert_eq!(ended(&game), Some((Some(Seat::Two), "third check")));
}

#[test]
fn repetition_needs_equal_check_counts() {
    let mut game = begin("three-check", "7k/8/8/8/8/8/8/R6K w - - 0 1").unwrap();
    play(&mut game, "Ra2 Kg8 Ra1 Kh8 Ra2 Kg8 Ra1 Kh8");
    assert!(game.json(None)["view"]["claimable"].as_bool().unwrap(), "three occurrences with equal check counts");
    let mut game = begin("three-check", "7k/8/8/8/8/8/8/R6K w - - 0 1").unwrap();
    play(&mut game, "Ra2 Kg8 Ra1 Kh8 Ra8+ Kg7 Ra1 Kh8");
    assert!(!game.json(None)["view"]["claimable"].as_bool().unwrap(), "the check counts differ");
}

#[test]
fn impossible_check_counts_are_refused() {
    for (wrong, why) in [
        ("0+3", "white is to move although it has given its last check"),
        ("4+1", "write the checks left as in 3+2"),
        ("3+", "“3+” does not count checks"),
        ("+", "“+” does not count checks"),
        ("3+3+3", "“3+3+3” does not count checks"),
        ("-1+2", "“-1+2” does not count checks"),
        ("x+y", "“x+y” does not count checks"),
    ] {
        let refusal = begin("three-check", &format!("4k3/8/8/8/8/8/8/4KQ2 w - - {wrong} 0 1")).err().unwrap();
        assert!(refusal.why.contains(why), "{wrong}: {refusal:?}");
    }
}

#[test]
fn a_king_on_the_hill_wins() {
    let mut game = begin("king-of-the-hill", "4k3/8/8/8/8/3K4/8/8 w - - 0 1").unwrap();
    assert_eq!(ended(&game), None, "a bare king can win, so no position is dead");
    play(&mut game, "Kd4");
    assert_eq!(ended(&game), Some((Some(Seat::One), "king on the hill")));
    let mut guarded = begin("king-of-the-hill", "4k3/8/4p3/8/2K5/8/8/8 w - - 0 1").unwrap();
    let refusal = guarded.act(Actor::Seat(Seat::One), "c4d5", 0).unwrap_err();
    assert!(refusal.why.contains("the king would be in check"), "{refusal:?}");
    play(&mut guarded, "Kd4");
    assert_eq!(ended(&guarded), Some((Some(Seat::One), "king on the hill")));
}

#[test]
fn bare_kings_matter_on_time_only_where_mate_is_needed() {
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

/// A position of a game: its FEN and its legal moves, of which there are none after the end.
struct Moment {
    fen: String,
    moves: BTreeSet<String>,
    twist: bool,
}

/// The positions of random games.
fn moments(variant: &str, rng: &mut StdRng) -> Vec<Moment> {
    let mut moments = Vec::new();
    for _ in 0..60 {
        let mut game = begin(variant, "").unwrap();
        for _ in 0..150 {
            let reason = ended(&game).map(|(_, reason)| reason);
            // Draws by move count or claim do not follow from the position.
            if matches!(reason, Some(reason) if !["checkmate", "stalemate", "third check", "king on the hill"].contains(&reason))
            {
                break;
            }
            let seat = game.awaits().first().copied();
            let diagram = game.diagram(seat);
            let moves: Vec<String> =
                diagram.choices.unwrap_or_default().into_iter().map(|choice| choice.action).collect();
            moments.push(Moment {
                fen: diagram.fen.unwrap(),
                moves: moves.iter().cloned().collect(),
                twist: matches!(reason, Some("third check" | "king on the hill")),
            });
            let (Some(seat), Some(next)) = (seat, moves.choose(rng)) else { break };
            game.act(Actor::Seat(seat), next, 0).unwrap();
        }
    }
    moments
}

/// Fairy-Stockfish's moves in each position; none after the end of the game.
fn theirs(variant: &str, moments: &[Moment]) -> Vec<BTreeSet<String>> {
    let mut words = format!("setoption name UCI_Variant value {variant}\n");
    for moment in moments {
        words.push_str(&format!("position fen {}\ngo perft 1\n", moment.fen));
    }
    words.push_str("quit\n");
    // Debian installs the engine in a folder that may not be on the path.
    let engine = ["fairy-stockfish", "/usr/games/fairy-stockfish"]
        .into_iter()
        .find_map(|name| Command::new(name).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().ok());
    let mut engine = engine.expect("Fairy-Stockfish is installed; tests/run does that");
    let mut ears = engine.stdin.take().unwrap();
    let speaker = std::thread::spawn(move || ears.write_all(words.as_bytes()).unwrap());
    let output = engine.wait_with_output().unwrap();
    speaker.join().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut answers = vec![BTreeSet::new()];
    for line in text.lines().filter(|line| !line.starts_with("info") && !line.starts_with("id ")) {
        if line.starts_with("Nodes searched: ") {
            answers.push(BTreeSet::new());
        } else if let Some((uci, "1")) = line.split_once(": ") {
            answers.last_mut().unwrap().insert(uci.to_owned());
        }
    }
    answers.pop();
    answers
}

#[test]
fn random_games_match_fairy_stockfish() {
    let mut rng = StdRng::seed_from_u64(11);
    for (variant, name) in [("three-check", "3check"), ("king-of-the-hill", "kingofthehill")] {
        let moments = moments(variant, &mut rng);
        let theirs = theirs(name, &moments);
        assert_eq!(theirs.len(), moments.len());
        for (moment, theirs) in moments.iter().zip(theirs) {
            assert_eq!(moment.moves, theirs, "{variant} {}", moment.fen);
        }
        let twists = moments.iter().filter(|moment| moment.twist).count();
        assert!(moments.len() > 5_000 && twists >= 10, "{} moments, {twists} ends by a twist", moments.len());
    }
}

#[test]
fn unreachable_positions_are_refused() {
    let crowded = [
        ("QQQQQQQQ/QQQQQQQQ/8/8/8/8/k7/7K w - - 0 1", "white has 17 pieces, and no side has more than 16"),
        ("4k3/8/2p5/8/8/8/pppppppp/4K3 w - - 0 1", "black has 9 pawns, and no side has more than 8"),
    ];
    for variant in ["chess", "lrs", "three-check", "king-of-the-hill", "designed-chess", "bidding", "random-turn"] {
        for (fen, why) in crowded {
            let refused = begin(variant, fen).err().unwrap_or_else(|| panic!("{variant} takes {fen}"));
            assert!(refused.why.contains(why), "{variant}: {refused}");
        }
        // Every pawn may have promoted to a queen.
        assert!(begin(variant, "rnbqkbnr/qqqqqqqq/8/8/8/8/QQQQQQQQ/RNBQKBNR w - - 0 1").is_ok(), "{variant}");
    }
    // In Clairvoyant Chess players can buy pieces.
    assert!(begin("clairvoyant", "4k3/8/8/8/8/P7/PPPPPPPP/RNBQKBNR w - - 0 1").is_ok());
}
