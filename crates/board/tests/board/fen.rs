//! FEN and UCI texts: accepted forms, the position of errors, and robustness against any input.

use proptest::prelude::*;
use zorkmid_board::{Betza, Board, CheckCount, Color, PieceType, Position, START, Size, Special, Uci, shape};

fn at(fen: &str) -> (&'static str, usize) {
    let error = Board::orthodox().parse_fen(fen).expect_err(fen);
    (error.field, error.at)
}

#[test]
fn accepts_missing_fields_and_replaced_spaces() {
    let board = Board::orthodox();
    let start = board.parse_fen(START).unwrap();
    assert_eq!(board.parse_fen(&START.replace(' ', "_")), Ok(start));
    assert_eq!(board.parse_fen(&START.replace(' ', "+")), Ok(start));
    assert_eq!(board.fen(&start), START);
    for fields in 1..6 {
        let text: Vec<&str> = "8/8/8/8/8/8/8/8 w - - 0 1".split(' ').take(fields).collect();
        assert_eq!(board.parse_fen(&text.join(" ")), Ok(Position::EMPTY));
    }
}

#[test]
fn errors_name_field_and_character() {
    for (fen, field, offset) in [
        ("", "piece placement", 0),
        ("   ", "piece placement", 0),
        ("8/8/8/8/8/8/8", "piece placement", 13),
        ("8/8/8/8/8/8/8/8/8", "piece placement", 16),
        ("9/8/8/8/8/8/8/8", "piece placement", 0),
        ("8/8/7/8/8/8/8/8", "piece placement", 5),
        ("8/8/8/4x3/8/8/8/8", "piece placement", 7),
        ("8/8/8/4é3/8/8/8/8", "piece placement", 7),
        ("8/8/8/8p/8/8/8/8", "piece placement", 7),
        ("8/8/8/8/8/8/8/0", "piece placement", 14),
        ("8/8/8/8/8/8/8/8 x", "side to move", 16),
        ("8/8/8/8/8/8/8/8 w X", "castling rights", 18),
        ("8/8/8/8/8/8/8/8[Q] w - -", "piece placement", 16),
        ("8/8/8/8/8/8/8/8[ w - -", "piece placement", 16),
        ("8/8/8/8/8/8/8/8 w - - 3+3 0 1", "checks", 22),
        ("8/8/8/8/8/8/8/8 w - - hmvc x;", "half-move clock", 27),
        ("4k3/8/8/8/8/8/8/R3K2R w KQX", "castling rights", 26),
        ("4k3/8/8/8/8/8/8/R3K2R w KK", "castling rights", 25),
        ("4k3/8/8/8/8/8/8/4KR1R w KF", "castling rights", 25),
        ("8/8/8/8/8/8/8/8 w - e9", "en passant square", 20),
        ("8/8/8/8/8/8/8/8 w - e6", "en passant square", 20),
        ("8/8/8/8/8/8/8/8 w - é", "en passant square", 20),
        ("8/8/8/8/8/8/8/8 w - - -1", "half-move clock", 22),
        ("8/8/8/8/8/8/8/8 w - - 0 65536", "move number", 24),
        ("8/8/8/8/8/8/8/8 w - - 0 1 2", "move number", 26),
    ] {
        assert_eq!(at(fen), (field, offset), "{fen}");
    }
}

#[test]
fn changes_are_listed() {
    let board = Board::orthodox();
    let kings = board.parse_fen("4k3/8/8/8/8/8/8/R3K3 w Q - 3 9").unwrap();
    for (fen, changes) in [
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 3 9", &[][..]),
        ("\u{feff} \"4k3/8/8/8/8/8/8/R3K3\tw  Q –\r\n3 9\"\r\n", &[]),
        ("'4k3/8/8/8/8/8/8/R3K3 W Q - 3 9'", &[]),
        ("4k3/8/8/8/8/8/8/R3K3/ w Q - 3 9", &["the empty reserve was left out"]),
        ("4k3/8/8/8/8/8/8/R3K3[-] w Q - 3 9", &["the empty reserve was left out"]),
        ("4k3/8/8/8/8/8/8/R~3K3 w Q - 3 9", &["the mark of a promoted piece on a1 was left out"]),
        (
            "4k3/8/8/8/8/8/8/R3K3 w KQq - 3 9",
            &[
                "the castling right K was left out, because there is no rook for it",
                "the castling right q was left out, because there is no rook for it",
            ],
        ),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8; id \"a; b\"; hmvc 3; fmvn 9;", &["the operations bm, id were left out"]),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 3 9 ;D1 15 ;D2 60", &["the operations D1, D2 were left out"]),
    ] {
        let read = board.read_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(
            (read.position, read.changes),
            (kings, changes.iter().map(|&change| change.to_owned()).collect()),
            "{fen}"
        );
    }
    let start = board.read_fen("4k3/8/8/8/8/8/8/4K3 b - - - 0").unwrap();
    assert_eq!(start.changes, ["the half-move clock became 0", "the move number 0 became 1"]);
    let mut chess = board.clone();
    chess.castling = None;
    let read = chess.read_fen("4k3/8/8/8/8/8/8/R3K3 w Q - 3 9").unwrap();
    assert_eq!(read.changes, ["the castling rights Q were left out, because this game has no castling"]);
    for (text, checks) in [("3+1 0 1", CheckCount::Left([3, 1])), ("0 1 +0+2", CheckCount::Given([0, 2]))] {
        let read = board.read_fen(&format!("4k3/8/8/8/8/8/8/4K3 w - - {text}")).unwrap();
        assert_eq!((read.checks, read.changes), (Some(checks), vec![]), "{text}");
    }
}

/// On a board of one rank both sides share the first rank, and castling rights of both may lie on the same wing.
/// side.
#[test]
fn castling_rights_of_the_sides_are_independent() {
    let board = Board::orthodox_of(Size::new(7, 1).unwrap());
    let [kept, other] = ["rknbrKR w Kk", "rknbrKR w kK"].map(|fen| board.parse_fen(fen));
    assert_eq!(kept, other);
    assert_eq!(board.parse_fen(&board.fen(&kept.unwrap())), other);
    assert!(board.parse_fen("rknbrKR w KkK").unwrap_err().why.contains("second right"));
}

#[test]
fn narrow_boards_have_no_castling() {
    for width in 1..=8 {
        for height in 1..=8 {
            let size = Size::new(width, height).unwrap();
            let board = Board::orthodox_of(size);
            let mut rows = vec![width.to_string(); usize::from(height)];
            let row: String = "RKRRRRRR".chars().take(usize::from(width)).collect();
            *rows.last_mut().unwrap() = row;
            let fen = rows.join("/");
            let position = board.parse_fen(&fen).unwrap();
            assert_eq!(shape(&fen), Ok(size));
            board.perft(&position, 2);
            let castles = !board.parse_fen(&format!("{fen} w Q")).unwrap().rights.is_empty();
            assert_eq!(castles, width >= 4, "{fen}");
            // Castling rights that no FEN could produce.
            let mut odd = position;
            odd.rights = size.squares();
            board.moves(&odd);
            board.fen(&odd);
        }
    }
}

#[test]
fn rejects_en_passant_of_own_pawn() {
    let board = Board::orthodox();
    let mut position = board.parse_fen("4k3/8/8/8/4P3/8/3P4/4K3 b - e3 0 1").unwrap();
    position.turn = Color::White;
    assert!(board.moves(&position).iter().all(|mv| mv.special != Special::EnPassant));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parsers_survive_any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
        let text = String::from_utf8_lossy(&bytes);
        if let Err(error) = Board::orthodox().parse_fen(&text) {
            prop_assert!(error.at <= text.len());
        }
        let _ = shape(&text);
        if let Err(error) = text.parse::<Uci>() {
            prop_assert!(error.at <= text.len().max(4));
        }
    }

    #[test]
    fn parsed_fens_round_trip_and_can_be_played(
        text in "([KQRBNPkqrbnp1-8]{1,8}/){7}[KQRBNPkqrbnp1-8]{1,8}[ _+][wb][ _+](-|[KQkqA-Ha-h]{1,4})[ _+](-|[a-h][1-8])([ _+][0-9]{1,6}){0,3}",
        width in 1u8..=8,
        height in 1u8..=8,
    ) {
        for board in [Board::orthodox().clone(), Board::orthodox_of(Size::new(width, height).unwrap())] {
            if let Ok(position) = board.parse_fen(&text) {
                let _ = board.validate(&position);
                for mv in board.pseudo_moves(&position) {
                    board.after(&position, mv);
                    board.captured(&position, mv);
                }
                board.perft(&position, 2);
                prop_assert_eq!(board.parse_fen(&board.fen(&position)), Ok(position));
            }
        }
    }

    #[test]
    fn crowded_boards_round_trip(rows in proptest::collection::vec("[KQRBNPkqrbnp]{8}", 8), turn in "[wb]", rights in "(-|[KQ]{1,2}|[A-H])") {
        let board = Board::orthodox();
        let text = format!("{} {turn} {rights}", rows.join("/"));
        if let Ok(position) = board.parse_fen(&text) {
            board.perft(&position, 2);
            prop_assert_eq!(board.parse_fen(&board.fen(&position)), Ok(position));
        }
    }

    #[test]
    fn uci_moves_round_trip(text in "[a-h][1-8][a-h][1-8][a-z]?") {
        prop_assert_eq!(text.parse::<Uci>().unwrap().to_string(), text);
    }

    #[test]
    fn san_parser_survives_any_text(text in any::<String>(), nearly in "[KQRBNPO0-9a-hx:=+#@é-]{0,9}") {
        let board = Board::orthodox();
        let bare = Board::new(Size::ORTHODOX, vec![PieceType::new('X', "piece", &"WF".parse::<Betza>().unwrap(), Size::ORTHODOX)]);
        for text in [text, nearly] {
            for board in [board, &bare] {
                let start = board.parse_fen(if board.pawns.is_some() { START } else { "8/8/8/3Xx3/8/8/8/8" }).unwrap();
                if let Err(error) = board.parse_san(&start, &text) {
                    prop_assert!(error.at <= text.len(), "{}: {}", text, error);
                }
            }
        }
    }
}
