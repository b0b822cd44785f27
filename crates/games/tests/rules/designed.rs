//! Chess with designed pieces: the legend, the rules of chess, and random games on many board sizes against Fairy-Stockfish.

use rand::{SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Map, Value, json};
use zorkmid_games::{
    board::pgn::Pgn,
    game::{Clocks, Live},
    registry,
    rules::{Actor, Refusal},
};

use crate::{often::often, pyffish};

/// A game from a position; from the usual one if the text is empty.
fn begin(fen: &str) -> Result<Box<Live>, Refusal> {
    let options = Map::from_iter([("fen".to_owned(), json!(fen))]);
    registry::find("designed-chess").unwrap().begin(&options, Clocks::new([None; 2]))
}

fn play(game: &mut Live, moves: &str) {
    for text in moves.split_whitespace() {
        let seat = game.awaits()[0];
        game.act(Actor::Seat(seat), text, 0).unwrap_or_else(|why| panic!("{text}: {why}"));
    }
}

fn fen(game: &Live) -> String {
    game.json(None)["view"]["diagram"]["fen"].as_str().unwrap().to_owned()
}

#[test]
fn designs_are_placed_moved_and_promoted_to() {
    let mut game = begin("").unwrap();
    assert_eq!(fen(&game), "rabqkbar/pppppppp/8/8/8/8/PPPPPPPP/RABQKBAR w KQkq - 0 1 A=FvN");
    // A fibnif has half of the knight's leaps and steps diagonally.
    play(&mut game, "Ac3 e5 Ad5 c6");
    let refused = game.act(Actor::Seat(game.awaits()[0]), "d5f6", 0);
    assert!(refused.is_err_and(|refusal| refusal.why.contains("the fibnif on d5 cannot go to f6")));
    play(&mut game, "Ae6");
    let unit = game.json(None)["view"]["diagram"]["pieces"]
        .as_array()
        .unwrap()
        .iter()
        .find(|unit| unit["square"] == "e6")
        .cloned();
    assert_eq!(unit.unwrap()["name"], "fibnif");
    let mut last = begin("4k3/P7/8/8/8/8/8/4K2R w K - 0 1 A=DA H=WF").unwrap();
    let ends: Vec<String> =
        last.diagram(last.awaits().first().copied()).choices.unwrap().into_iter().map(|choice| choice.action).collect();
    let becomes: Vec<&String> = ends.iter().filter(|action| action.starts_with("a7a8")).collect();
    assert_eq!(becomes, ["a7a8r", "a7a8a", "a7a8h"], "the placement and the legend");
    assert!(ends.contains(&"e1g1".to_owned()), "a king still castles with a rook");
    play(&mut last, "a8=H");
    assert!(fen(&last).starts_with("H3k3/") && fen(&last).ends_with(" A=DA H=WF"));
}

#[test]
fn designed_chess_keeps_the_rules_of_chess() {
    // A designed piece can mate, and a royal design can be mated.
    let mut mate = begin("7k/5K2/8/8/8/8/8/6A1 w - - 0 1 A=NR").unwrap();
    play(&mut mate, "Ah1");
    assert_eq!(mate.outcome().unwrap().reason(), "checkmate");
    let mut royal = begin("a7/8/1K6/8/8/8/8/7R w - - 0 1 A=royal-W").unwrap();
    play(&mut royal, "Rh8");
    assert_eq!(royal.outcome().unwrap().reason(), "checkmate");
    let two = begin("4k3/8/8/8/8/8/8/4K2A w - - 0 1 A=royal-W").err().unwrap();
    assert!(two.why.contains("2 kings instead of one"), "{two:?}");
    // Bare kings are a draw; a king and a designed piece are not.
    assert!(begin("4k3/8/8/8/8/8/8/4K3 w - - 0 1 A=W").unwrap().outcome().is_some());
    assert!(begin("4k3/8/8/8/8/8/8/4K2A w - - 0 1 A=W").unwrap().outcome().is_none());
    let mut late = begin("4k3/8/8/8/8/8/8/4K2A w - - 0 1 A=W").unwrap();
    late.act(Actor::Server, "flag one", 0).unwrap();
    assert_eq!(late.outcome().unwrap().winner(), None, "White's time is over, and Black has a bare king");
}

#[test]
fn small_boards_have_no_double_step_or_castling() {
    let game = begin("rabqk/ppppp/5/PPPPP/RABQK w - - 0 1 A=FD").unwrap();
    let actions: Vec<String> =
        game.diagram(game.awaits().first().copied()).choices.unwrap().into_iter().map(|choice| choice.action).collect();
    assert!(actions.contains(&"a2a3".to_owned()) && !actions.contains(&"a2a4".to_owned()), "{actions:?}");
    let stale = begin("rabqk/ppppp/5/PPPPP/RABQK w Q - 0 1 A=FD").unwrap();
    assert_eq!(stale.diagram(None).fen, game.diagram(None).fen);
    assert!(begin("3k/4/4/K3 w - - 0 1").is_ok() && begin("2k/3/3/K2 w - - 0 1").is_err());
}

#[test]
fn invalid_legends_are_refused_at_the_fault() {
    let placement = "4k3/8/8/8/8/8/8/4K2A w - - 0 1";
    let at = placement.len() + 1;
    for (legend, offset, why) in [
        ("", 15, "is not a piece"),
        ("A=", at + 2, "there is no piece here"),
        ("A=Wx", at + 3, "means nothing here"),
        ("N=W", at, "one of the letters"),
        ("AB=W", at, "one of the letters"),
        ("a=W", at, "one of the letters"),
        ("A=W A=F", at + 4, "the letter A is used twice"),
        ("A=RB", at + 2, "moves like the queen"),
        ("A=doublemove-W", at + 2, "relay- and doublemove- are not allowed"),
        ("A=W C=F D=D E=A F=H G=G H=L I=NN J=WF", at + 4 * 8 + 1, "at most 8"),
    ] {
        let refusal = begin(&format!("{placement} {legend}")).err().unwrap_or_else(|| panic!("{legend}"));
        assert!(refusal.why.contains(why), "{legend}: {refusal:?}");
        if !legend.is_empty() {
            assert_eq!(refusal.at, Some(offset), "{legend}: {refusal:?}");
        }
    }
}

#[test]
fn games_continue_from_their_record() {
    let variant = registry::find("designed-chess").unwrap();
    for (text, end) in [
        ("[FEN \"rabqk/ppppp/5/PPPPP/RABQK w - - 0 1 A=FD\"]\n\n1. Ab3 axb3 *", "w - - 0 2 A=FD"),
        ("1. Ac3 e5 2. Ad5 *", "b KQkq - 1 2 A=FvN"),
    ] {
        let last = (variant.last_position)(&Pgn::read(text).unwrap()[0]).unwrap();
        assert!(last.ends_with(end), "{last}");
        assert!(begin(&last).is_ok(), "{last}");
    }
}

/// A board, its designed piece in both programs' notation, the promotions, and the board size.
const GAMES: [(&str, &str, &str, usize, usize); 6] = [
    ("rabqkbar/pppppppp/8/8/8/8/PPPPPPPP/RABQKBAR w KQkq - 0 1", "FvN", "qrba", 8, 8),
    ("anbqkbna/pppppppp/8/8/8/8/PPPPPPPP/ANBQKBNA w - - 0 1", "mRcN", "qbna", 8, 8),
    ("rnbakbnr/pppppppp/8/8/PPPPPPPP/RNBAKBNR w KQkq - 0 1", "NN", "rbna", 6, 8),
    ("rnakanr/ppppppp/7/7/7/PPPPPPP/RNAKANR w - - 0 1", "LfR", "rna", 7, 7),
    ("raqkar/pppppp/6/6/PPPPPP/RAQKAR w - - 0 1", "HFD", "qra", 6, 6),
    ("rabqk/ppppp/5/PPPPP/RABQK w - - 0 1", "FD", "qrba", 5, 5),
];

#[test]
fn random_games_match_fairy_stockfish() {
    let mut rng = StdRng::seed_from_u64(31);
    let (mut question, mut ours) = (Vec::new(), Vec::new());
    for (start, piece, promotions, ranks, files) in GAMES {
        let (mut fens, mut moves) = (Vec::new(), Vec::new());
        for _ in 0..often(8) {
            let mut game = begin(&format!("{start} A={piece}")).unwrap();
            for _ in 0..120 {
                let Some(seat) = game.awaits().first().copied() else { break };
                let diagram = game.diagram(Some(seat));
                let mut actions: Vec<String> =
                    diagram.choices.unwrap_or_default().into_iter().map(|choice| choice.action).collect();
                actions.sort();
                let fen = diagram.fen.unwrap();
                fens.push(fen.rsplit_once(" A=").unwrap().0.to_owned());
                let next = actions.choose(&mut rng).unwrap().clone();
                moves.push(actions);
                game.act(Actor::Seat(seat), &next, 0).unwrap();
            }
        }
        question.push(json!({"piece": piece, "promotions": promotions, "ranks": ranks, "files": files, "fens": fens}));
        ours.push(moves);
    }
    let Some(theirs) = pyffish::answer(include_str!("designed/positions.py"), &Value::from(question.clone())) else {
        return;
    };
    let theirs: Vec<Vec<Vec<String>>> = serde_json::from_value(theirs).unwrap();
    for ((question, ours), theirs) in question.iter().zip(&ours).zip(&theirs) {
        for ((fen, ours), theirs) in question["fens"].as_array().unwrap().iter().zip(ours).zip(theirs) {
            assert_eq!(ours, theirs, "{fen} {}", question["piece"]);
        }
        assert_eq!(ours.len(), theirs.len());
    }
    assert!(ours.iter().map(Vec::len).sum::<usize>() >= often(1_500));
}
