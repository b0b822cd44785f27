//! Answers about positions of every kind.

use serde_json::json;
use zorkmid_endgames::{Answer, Category, Side, alternation, read, turns};

use super::{after, ask, best, orthodox, parse, value};

#[test]
fn answer_json_has_all_fields() {
    let answer = serde_json::to_value(ask("8/8/8/8/3k4/8/8/K2N4_w_-_-_0_1")).unwrap();
    let keys: Vec<&str> = answer.as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(
        keys,
        [
            "alpha",
            "beta",
            "bid",
            "black",
            "category",
            "certificate",
            "contract",
            "fen",
            "material",
            "quiescent",
            "reason",
            "sharp",
            "terminal",
            "turn",
            "value",
            "white",
            "zugzwang"
        ]
    );
    assert_eq!(answer["fen"], "8/8/8/8/3k4/8/8/K2N4");
    assert_eq!(answer["material"], "KNvK");
    assert_eq!(answer["category"], "exact");
    assert_eq!(answer["value"], json!({"num": "21073", "den": "32256", "approx": 0.6533048115079365}));
    let exact = json!({"num": "21073", "den": "32256", "approx": 0.6533048115079365,
        "lo": "0.653304811507936507", "hi": "0.653304811507936508"});
    assert_eq!((&answer["alpha"], &answer["beta"]), (&exact, &exact));
    let bid = json!({"num": "-95", "den": "32256", "approx": -0.002945188492063492,
        "lo": "-0.002945188492063493", "hi": "-0.002945188492063492"});
    assert_eq!((&answer["bid"], &answer["contract"], &answer["reason"]), (&bid, &json!(2), &json!(null)));
    assert_eq!(answer["turn"], "white");
    assert_eq!(
        (&answer["sharp"], &answer["zugzwang"], &answer["quiescent"]),
        (&json!(true), &json!(true), &json!(false))
    );
    assert_eq!(answer["terminal"], json!(null));
    let knight = json!({"num": "10489", "den": "16128", "approx": 0.650359623015873});
    let bounds = json!({"lo": "0.650359623015873015", "hi": "0.650359623015873016"});
    let label = &answer["white"][0]["label"];
    let expected = json!({"uci": "d1c3", "san": "Nc3", "category": "exact", "value": knight, "alpha": bounds, "beta": bounds,
        "capture": false, "zeroing": false, "label": label, "best": true});
    assert_eq!((&answer["white"][0], label.is_u64()), (&expected, true));
    let king = &answer["black"][0];
    assert_eq!((&king["uci"], &king["value"]), (&json!("d4c4"), &json!({"num": "21", "den": "32", "approx": 0.65625})));
    assert_eq!(answer["white"].as_array().unwrap().len(), 7);
    assert_eq!(answer["black"].as_array().unwrap().len(), 8);
    let certificate = &answer["certificate"];
    assert_eq!(certificate["equations"], "exact");
    assert!(certificate["white_label"].as_u64().unwrap() > 0 && certificate["black_label"].as_u64().unwrap() > 0);
    assert_eq!(certificate["table"], orthodox().digest());
}

#[test]
fn sorts_moves_by_value_then_label_then_uci() {
    let answer = ask("3k3R/8/3K4/8/8/8/8/8");
    assert_eq!(answer.white[0].uci, "h8d8");
    assert_eq!(answer.white[0].san, "Rxd8#");
    let first = &answer.white[0];
    assert_eq!((first.value.clone(), first.label), (Some(super::Fraction::from(&parse("1"))), Some(0)));
    assert_eq!((first.capture, first.zeroing, first.category), (true, true, Category::Terminal));
    assert_eq!(best(&answer.black), ["d8c7", "d8d7", "d8e7"]);
    for (side, sign) in [(&answer.white, 1), (&answer.black, -1)] {
        for pair in side.windows(2) {
            let (a, b) = (after(&pair[0]), after(&pair[1]));
            let ordered = if sign == 1 { a > b } else { a < b };
            let [one, two] = [0, 1].map(|at: usize| (pair[at].label, &pair[at].uci));
            assert!(ordered || (a == b && one < two), "{pair:?}");
        }
    }
    let pawn = ask("8/3P4/4k3/8/8/8/2K5/8");
    let promotions: Vec<&str> =
        pawn.white.iter().filter(|choice| choice.uci.starts_with("d7")).map(|choice| choice.san.as_str()).collect();
    assert_eq!(promotions.len(), 4);
    assert_eq!(promotions[0], "d8=N");
    let takes = ask("3k4/2P5/8/8/8/8/8/K7");
    assert!(takes.white.iter().filter(|choice| after(choice) == parse("1") && choice.best == Some(true)).count() == 4);
    assert_eq!(takes.white[0].san, "cxd8=B#");
}

#[test]
fn ignores_side_to_move_and_separators() {
    let plain = ask("8/8/8/8/3k4/8/8/K2N4");
    for fen in [
        "8/8/8/8/3k4/8/8/K2N4 b",
        "8/8/8/8/3k4/8/8/K2N4_b_-_-",
        "8/8/8/8/3k4/8/8/K2N4+w+-+-+17+63",
        "8/8/8/8/3k4/8/8/K2N4 w - e3 0 1",
        "8/8/8/8/3k4/8/8/K2N4 w - a6 0 1",
    ] {
        let answer = ask(fen);
        let turn = fen.split([' ', '_', '+']).nth(1).map(|turn| if turn == "b" { Side::Black } else { Side::White });
        assert_eq!(answer.turn, turn, "{fen}");
        assert_eq!(Answer { turn: None, ..answer }, plain, "{fen}");
    }
}

#[test]
fn a_captured_king_ends_the_game() {
    for (fen, num, winner) in
        [("8/8/8/8/8/8/8/K7", "1", "white"), ("k6r/8/8/8/8/8/8/q1B5", "0", "black"), ("K1", "1", "white")]
    {
        let answer = ask(fen);
        assert_eq!((answer.category, answer.terminal), (Category::Terminal, Some(winner)), "{fen}");
        assert_eq!(answer.value.unwrap().num, num);
        assert!(answer.white.is_empty() && answer.black.is_empty() && answer.certificate.is_none());
    }
}

#[test]
fn uncovered_positions_have_a_reason() {
    for (fen, reason) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "32 pieces"),
        ("k7/8/8/8/8/8/8/KRR5", "4 pieces"),
        ("8/8/8/8/8/8/8/8", "There is no king"),
        ("8/8/8/8/8/8/8/N7", "no king"),
        ("kK6/8/8/8/8/8/8/K7", "White has more than one king"),
        ("kk6/8/8/8/8/8/8/K7", "Black has more than one king"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "castling"),
        ("8/8/8/8/3k4/8/8/K2N4 w KQkq - 0 1", "castling"),
        ("k1/2/2/K1", "3×3 to 8×8"),
        ("kK", "3×3 to 8×8"),
    ] {
        let answer = ask(fen);
        assert_eq!(answer.category, Category::Unknown, "{fen}");
        assert!(answer.reason.as_ref().is_some_and(|text| text.contains(reason)), "{fen}: {:?}", answer.reason);
        assert!(answer.value.is_none() && answer.white.is_empty());
    }
}

#[test]
fn fen_errors_name_the_character() {
    for (fen, at) in [
        ("", 0),
        ("8/8/8/8/3k4/8/8/K2X4", 18),
        ("8/8/8/8/3k4/8/8/K2N5", 19),
        ("8/8/8/8/3k4/8/8/K2N4 x", 21),
        ("8/8/8/8/3k4/8/8/K2N4 w xyz", 23),
        ("8/8/8/8/3k4/8/8/K2N4 w - z9", 25),
        ("8/8/8/8/3k4/8/8/K2N4 w - - minus", 27),
        ("2P5/8/8/8/3k4/8/8/K7", 1),
        ("8/8/8/8/3k4/8/8/K2p4", 18),
        ("3k/4/4//4", 7),
        ("é/8", 0),
    ] {
        let error = read(fen).expect_err(fen);
        assert_eq!(error.at, at, "{fen}: {error}");
    }
}

#[test]
fn a_line_of_best_play_ends_with_the_capture() {
    let table = orthodox();
    let question = read("k7/8/8/8/8/8/8/K6R").unwrap();
    let line = question.mainline(&table, &turns("ww").unwrap()).moves;
    assert_eq!(line.iter().map(|played| played.san.as_str()).collect::<Vec<_>>(), ["Rh8", "Rxa8#"]);
    assert_eq!(line[1].value.num, "1");
    for fen in ["4N3/8/8/8/8/8/8/k2K4", "8/8/8/8/8/8/8/K6k", "2k5/8/8/8/8/8/1P6/K7"] {
        let question = read(fen).unwrap();
        for (letter, king) in [("w", "1"), ("b", "0")] {
            let line = question.mainline(&table, &turns(&letter.repeat(30)).unwrap()).moves;
            assert_eq!(line.last().unwrap().value.num, king, "{fen} {letter}");
            assert!(line.last().unwrap().san.ends_with('#'));
        }
        let both = question.mainline(&table, &alternation()).moves;
        assert_eq!((both[0].mover, both[1].mover), ("white", "black"));
    }
    // Any promotion captures the king; the line prefers the queen.
    let taken = read("1k6/P7/8/8/8/8/8/4K3").unwrap().mainline(&table, &turns("w").unwrap()).moves;
    assert_eq!(taken[0].san, "axb8=Q#");
    assert!(read("8/8/8/8/8/8/8/K7").unwrap().mainline(&table, &alternation()).moves.is_empty());
    assert_eq!(turns("wbxw").unwrap_err().at, 2);
    assert_eq!(turns(&"w".repeat(201)).unwrap_err().at, 200);
}

#[test]
fn move_values_match_the_next_position() {
    for fen in ["8/3P4/4k3/8/8/8/2K5/8", "4N3/8/8/8/8/8/8/k2K4", "8/8/2k5/4r3/8/8/8/3K4", "8/1p6/8/3K4/8/8/8/k7"] {
        let question = read(fen).unwrap();
        let board = zorkmid_endgames::rules(question.size);
        let answer = ask(fen);
        for (choices, color) in [
            (&answer.white, zorkmid_endgames::board::Color::White),
            (&answer.black, zorkmid_endgames::board::Color::Black),
        ] {
            let mut position = question.position;
            position.turn = color;
            assert_eq!(board.moves(&position).len(), choices.len());
            for choice in choices {
                let mv = board.find(&position, choice.uci.parse().unwrap()).unwrap();
                let next = board.placement_fen(&board.after(&position, mv));
                assert_eq!(value(&ask(&next)), after(choice), "{fen} {}", choice.uci);
            }
        }
    }
}

proptest::proptest! {
    #[test]
    fn arbitrary_text_never_panics(text in "[KkQqRrBbNnPp1-9/ _+wa-h-]{0,60}|\\PC{0,40}") {
        match read(&text) {
            Ok(question) => {
                let covered = question.without_table().is_none();
                if covered && question.size == zorkmid_endgames::board::Size::ORTHODOX {
                    question.answer(&orthodox());
                }
            }
            Err(error) => assert!(error.at <= text.len() && text.is_char_boundary(error.at)),
        }
    }

    #[test]
    fn small_boards_are_answered(rows in proptest::collection::vec("[Kk1-4Nn]{1,3}", 3..8)) {
        if let Ok(question) = read(&rows.join("/")) {
            let small = question.size.width() <= 4 && question.size.height() <= 4;
            if question.without_table().is_none() && small {
                question.answer(&super::table(question.size));
            }
        }
    }
}
