//! Portable Game Notation: parsing, skipped parts, the position of errors, and round trips.

use proptest::prelude::*;
use zorkmid_board::{
    Board, START,
    pgn::{Pgn, PgnMove, Termination},
};

const GAME: &str = r#"
[Event "A \"friendly\" game"]
[Site "C:\\chess"]   [Result "0-1"]
% an escaped line [with brackets
1. f3 $6 {weakens; the king (badly)} e5! 2.g4?? (2. e4 {better} (2. d3 d5) Nf6 $1) 2...Qh4# ; over
0-1

[Event "?"]
1. e4 e5 2. Nf3 *
1. d4 d5 1/2-1/2
"#;

fn texts(game: &Pgn) -> Vec<&str> {
    game.moves.iter().map(|written| written.text.as_str()).collect()
}

#[test]
fn parses_comments_glyphs_and_variations() {
    let games = Pgn::read(GAME).unwrap();
    assert_eq!(games.len(), 3);
    assert_eq!(games[0].tag("Event"), Some("A \"friendly\" game"));
    assert_eq!(games[0].tag("Site"), Some("C:\\chess"));
    assert_eq!(texts(&games[0]), ["f3", "e5", "g4", "Qh4#"]);
    assert_eq!(games[0].moves[0].comment, "weakens; the king (badly)");
    assert_eq!(games[0].moves[3].comment, "over");
    assert!(games.iter().flat_map(|game| &game.moves).all(|word| GAME[word.at..].starts_with(&word.text)));
    assert_eq!(
        games.iter().map(|game| game.result).collect::<Vec<_>>(),
        [Termination::Black, Termination::Open, Termination::Draw]
    );
    assert_eq!(texts(&games[2]), ["d4", "d5"]);
    assert_eq!(Pgn::read(" \n"), Ok(vec![]));

    let board = Board::orthodox();
    let mut position = board.parse_fen(START).unwrap();
    for word in &games[0].moves {
        position = board.after(&position, board.parse_san(&position, &word.text).unwrap());
    }
    assert!(!board.has_move(&position));
}

#[test]
fn parses_the_styles_of_other_programs() {
    for (text, moves, result) in [
        ("1… e5 2.…Nc6 3. … d6", "e5 Nc6 d6", "*"),
        ("1 e4 e5 2 Nf3 1/2", "e4 e5 Nf3", "1/2-1/2"),
        ("1. ♘f3 ♞f6 2. ♙e4 ♟︎d5 3. e×d5 1–0", "Nf3 Nf6 e4 d5 exd5", "1-0"),
        ("exd6e.p. exd6 e.p. exd6ep", "exd6 exd6 exd6", "*"),
        ("Nf3+= Nc6 ∞ d4± d5!? N e4N Nf3N Qh5+- Kd8 -+ Rd1=", "Nf3 Nc6 d4 d5 e4N Nf3 Qh5 Kd8 Rd1", "*"),
        ("0-0 o-o-o 0-0-0+ OO O–O", "O-O O-O-O O-O-O+ O-O O-O", "*"),
        ("-- Z0 @@@@ 0000 3...null", "-- -- -- -- --", "*"),
        ("e8(Q) e8=(R)+ e8/N e8Q", "e8=Q e8=R e8=N e8Q", "*"),
        ("e4 ½-½ White offers a draw\n", "e4", "1/2-1/2"),
        ("\u{feff}e4 (d4 (c4 {x}) (b4)) e5 0:1", "e4 e5", "0-1"),
    ] {
        let games = Pgn::read(text).unwrap();
        let [game] = &games[..] else { panic!("{text}: {} games", games.len()) };
        assert_eq!((texts(game).join(" ").as_str(), game.result.text()), (moves, result), "{text}");
    }
    let games = Pgn::read("1. e4 1-0 {Black resigns}\n; too late\n\n[fen \"x\"]\n1. d4 *\n\n{The end}").unwrap();
    assert_eq!(games.len(), 2, "{games:?}");
    assert_eq!((games[0].moves[0].comment.as_str(), games[1].tag("FEN")), ("Black resigns too late", Some("x")));
    let quoted = &Pgn::read("[White \"Miles \"Tony\" Jr\"] [Black \"x\"]\ne4 *").unwrap()[0];
    assert_eq!((quoted.tag("White"), quoted.tag("Black")), (Some("Miles \"Tony\" Jr"), Some("x")));
}

#[test]
fn errors_name_the_line() {
    for (text, line, at) in [
        ("[White]", 1, 6),
        ("[White \"A\nB\"]", 1, 0),
        ("[White \"A\"", 1, 10),
        ("1. e4\n{open", 2, 6),
        ("1. e4\n\n(1. d4 {x} (d5)", 3, 7),
        ("1. e4 )", 1, 6),
        ("1. e4 e5 }", 1, 9),
    ] {
        let error = Pgn::read(text).expect_err(text);
        assert_eq!((error.line, error.at), (line, at), "{text}: {error}");
    }
}

#[test]
fn writes_the_export_format() {
    let word = |text: &str, comment: &str| PgnMove { text: text.into(), at: 0, comment: comment.into() };
    let game = Pgn {
        tags: vec![("White".into(), "a \"b\" \\".into()), ("FEN".into(), "4k3/8/8/8/8/8/8/4K3 b - - 0 7".into())],
        before: "White is to lose".into(),
        moves: vec![word("Kd7", ""), word("Kd1", "bid 40"), word("Kd8", ""), word("Kc1", "")],
        result: Termination::Draw,
    };
    let printed = "[White \"a \\\"b\\\" \\\\\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 7\"]\n\n\
                   {White is to lose} 7... Kd7 8. Kd1 {bid 40} 8... Kd8 9. Kc1 1/2-1/2\n";
    assert_eq!(game.to_string(), printed);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_games_round_trip(
        tags in proptest::collection::vec(("[A-Z][a-zA-Z]{0,9}", "[ -~é]{0,30}"), 0..5),
        before in "([a-z(;]{1,9}( [a-z0-9%]{1,30}){0,6})?",
        moves in proptest::collection::vec(("[NBRQK]?[a-h][1-8]|O-O|N@f3|\\$[a-zA-Z<>-]{1,9}", "([a-z(;]{1,9}( [a-z0-9%]{1,30}){0,6})?"), 0..120),
        result in proptest::sample::select(vec![Termination::White, Termination::Black, Termination::Draw, Termination::Open]),
    ) {
        let moves = moves.into_iter().map(|(text, comment)| PgnMove { text, at: 0, comment }).collect();
        let game = Pgn { tags, before, moves, result };
        let printed = game.to_string();
        prop_assert!(printed.lines().filter(|line| !line.starts_with('[')).all(|line| line.chars().count() < 80));
        let mut read = Pgn::read(&printed).unwrap();
        prop_assert_eq!(read.len(), 1);
        for word in &mut read[0].moves {
            word.at = 0;
        }
        prop_assert_eq!(&read[0], &game, "{}", printed);
    }

    #[test]
    fn parser_survives_any_text(text in any::<String>(), nearly in "[\\[\\]\"\\\\{}();%$.! \n1-3a-fN*é-]{0,60}") {
        for text in [text, nearly] {
            match Pgn::read(&text) {
                Ok(games) => {
                    for game in games {
                        game.to_string();
                    }
                }
                Err(error) => prop_assert!(error.at <= text.len() && error.line > 0),
            }
        }
    }
}
