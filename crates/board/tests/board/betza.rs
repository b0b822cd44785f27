//! Betza notation: worked examples, malformed texts and properties of the canonical text.

mod pyffish;

use proptest::prelude::*;
use zorkmid_board::{Atom, Betza, Color, Size, Square, Squares};

fn piece(text: &str) -> Betza {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn squares(text: &str) -> Squares {
    text.split_whitespace().map(|square| square.parse::<Square>().unwrap()).collect()
}

/// Quiet targets and attacked squares of a piece on d4 of an empty board.
fn on_d4(piece: &Betza, color: Color) -> (Squares, Squares) {
    let d4 = Square::new(3, 3);
    let design = piece.design(Size::ORTHODOX);
    (design.quiet(color, d4, d4.set()), design.attacks(color, d4, d4.set()))
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.starts_with('#') && !line.is_empty())
}

#[test]
fn worked_examples_have_the_listed_moves_and_attacks() {
    for line in lines(include_str!("betza/examples.txt")) {
        let [text, moves, attacks] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else { panic!("{line}") };
        let expected = |list: &str| squares(list.replace('-', "").as_str());
        let wanted = (expected(moves), expected(if attacks == "=" { moves } else { attacks }));
        assert_eq!(on_d4(&piece(text), Color::White), wanted, "{text}");
    }
}

#[test]
fn black_pieces_use_opposite_directions() {
    assert_eq!(on_d4(&piece("fcFfmW"), Color::Black), (squares("d3"), squares("c3 e3")));
    assert_eq!(on_d4(&piece("lW"), Color::Black), (squares("e4"), squares("e4")));
    assert_eq!(on_d4(&piece("lfN"), Color::Black), (squares("e2"), squares("e2")));
}

#[test]
fn rejects_malformed_texts_at_the_wrong_character() {
    for line in lines(include_str!("betza/refused.txt")) {
        let (quoted, at) = line.rsplit_once(' ').unwrap();
        let text = quoted.trim_matches('"');
        let error = text.parse::<Betza>().expect_err(text);
        assert_eq!(error.at, at.parse::<usize>().unwrap(), "{text}: {error}");
        assert!(text.is_char_boundary(error.at), "{text}");
        assert!(error.to_string().len() > 25, "{text}: {error}");
    }
    assert!("WF".repeat(128).parse::<Betza>().is_ok());
    assert!(format!("{}W", "WF".repeat(128)).parse::<Betza>().is_err());
    // The canonical text RmcRmcR… is longer than its input.
    assert!("W".repeat(172).parse::<Betza>().is_ok());
    assert!("W".repeat(173).parse::<Betza>().unwrap_err().to_string().contains("written in full"));
}

#[test]
fn writes_canonical_texts() {
    for (text, canonical) in [
        ("fcFfmW", "cfFmfW"),
        ("K", "WF"),
        ("Q", "RB"),
        ("mQ", "mRmB"),
        ("royal-K", "royal-WF"),
        ("doublemove-royal-N", "royal-doublemove-N"),
        ("WWFF", "RB"),
        ("CNN", "LNN"),
        ("fN", "fhN"),
        ("vsN", "N"),
        ("fbF", "F"),
        ("flfrF", "fF"),
        ("lrfbR", "R"),
        ("mcW", "W"),
        ("sfR", "fsR"),
        ("bfW", "vW"),
        ("fhllN", "fhblN"),
        ("ffW", "fW"),
        ("NNN", "NNN"),
        ("WK", "WmcWF"),
        ("DmcD", "DmcD"),
        ("NmcNN", "NmcNN"),
        ("rfF", "frF"),
        ("Nr", "NN"),
        ("WcNr", "WcNN"),
        ("fhNrK", "fhNNWF"),
        ("NrF", "NrF"),
        ("NrrN", "NrrN"),
        ("fhbN", "N"),
    ] {
        assert_eq!(piece(text).to_string(), canonical, "{text}");
    }
}

#[test]
fn errors_suggest_valid_corrections() {
    for (text, at, offers) in [
        ("fbN", 1, &["N", "vN"][..]),
        ("fbNF", 1, &["N", "vN"]),
        ("bfNN", 1, &["NN", "vNN"]),
        ("cfbL", 2, &["L", "vL"]),
        ("fK", 0, &["fWfF"]),
        ("mfK", 1, &["mfWmfF"]),
        ("sK", 0, &["sW"]),
        ("cvQ", 1, &["cvR"]),
        ("flQ", 0, &["flRflB"]),
        ("KK", 1, &["Q"]),
    ] {
        let refusal = text.parse::<Betza>().unwrap_err();
        assert_eq!(refusal.at, at, "{text}: {refusal}");
        for offer in offers {
            assert!(refusal.why.split([' ', ';', ',']).any(|word| word == *offer), "{text}: {refusal}");
            piece(offer);
        }
    }
    // Modifiers of other dialects are not mistaken for lower-case atoms.
    for text in ["nN", "gQ", "qN", "jD", "zB", "iN", "pR"] {
        let refusal = text.parse::<Betza>().unwrap_err();
        assert!(refusal.at == 0 && refusal.why.ends_with("leave it out"), "{text}: {refusal}");
    }
    assert!("Wn".parse::<Betza>().unwrap_err().why.ends_with("write N"));
    assert!("RR".parse::<Betza>().unwrap_err().why.contains("write it once"));
}

#[test]
fn notes_different_meanings_elsewhere() {
    let notes = |text: &str| Betza::read_noted(text, &[]).unwrap().1;
    assert_eq!(notes("fN").len(), 1);
    assert!(notes("fN")[0].contains("fhN") && notes("fN")[0].ends_with("ffN"), "{:?}", notes("fN"));
    assert!(notes("WcbL")[0].ends_with("bbL"));
    for text in ["fhN", "ffN", "fF", "fW", "N", "vN", "flN"] {
        assert!(notes(text).is_empty(), "{text}");
    }
}

#[test]
fn detects_colourbound_pieces() {
    for text in ["B", "F", "A", "D", "G", "L", "FD", "AF", "mFcB", "royal-F", "C", "cLmG"] {
        assert!(piece(text).colourbound(), "{text}");
    }
    for text in ["W", "H", "R", "N", "NN", "mFcW", "WF", "BfW", "Q", "K"] {
        assert!(!piece(text).colourbound(), "{text}");
    }
}

#[test]
fn describes_pieces_in_words() {
    for (text, words) in [
        (
            "fmWfcF",
            "Moves one square forward, without capturing; it captures one square diagonally forward, and may go there only to capture.",
        ),
        (
            "royal-WF",
            "Moves or captures one square along a rank or file; it moves or captures one square diagonally. It is royal.",
        ),
        ("B", "Moves or captures any number of empty squares diagonally. It never leaves the colour of its square."),
        (
            "fhN",
            "Moves or captures by a knight’s leap, two squares and then one sideways, forward. Its leaps jump over other pieces.",
        ),
    ] {
        assert_eq!(piece(text).in_words(), words);
    }
}

/// The steps of a piece, for comparing two spellings.
fn moves(piece: &Betza) -> Vec<zorkmid_board::ElementaryStep> {
    piece.steps()
}

fn a_term() -> impl Strategy<Value = String> {
    let straight = ["", "f", "b", "l", "r", "s", "v", "fs", "fb", "lb", "vr", "sf", "flr"];
    let diagonal = ["", "f", "b", "l", "r", "fl", "lf", "br", "flbr", "frbl", "fbl", "bfr", "lr", "rlf"];
    let knightly = [
        "", "v", "s", "ff", "fs", "bb", "bs", "ll", "lv", "rr", "rv", "fh", "bh", "lh", "rh", "fl", "fr", "bl", "br",
        "lf", "rf", "lb", "rb",
    ];
    let of = |directions: Vec<&'static str>, atoms: Vec<&'static str>, most: usize| {
        (proptest::collection::vec(proptest::sample::select(directions), 0..=most), proptest::sample::select(atoms))
            .prop_map(|(directions, atom)| (directions.concat(), atom))
    };
    let bare = prop_oneof![
        of(straight.to_vec(), vec!["W", "D", "H", "R", "WW"], 2),
        of(diagonal.to_vec(), vec!["F", "A", "G", "B", "FF"], 1),
        of(knightly.to_vec(), vec!["N", "L", "C", "NN"], 3),
        proptest::sample::select(vec!["K", "Q"]).prop_map(|short| (String::new(), short)),
    ];
    (bare, proptest::sample::select(vec!["", "m", "c", "mc"]), any::<bool>()).prop_map(
        |((directions, atom), mode, first)| {
            if first { format!("{mode}{directions}{atom}") } else { format!("{directions}{mode}{atom}") }
        },
    )
}

fn a_piece() -> impl Strategy<Value = String> {
    let prefix = proptest::sample::select(vec!["", "royal-", "relay-", "doublemove-royal-"]);
    (prefix, proptest::collection::vec(a_term(), 1..8))
        .prop_map(|(prefix, terms)| format!("{prefix}{}", terms.concat()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn canonical_text_is_a_fixed_point(text in a_piece()) {
        // The parser may reject terms that end and begin with the same letter, or join them into a rider. Both are
        // valid.
        if let Ok(read) = text.parse::<Betza>() {
            let canonical = read.to_string();
            let again = canonical.parse::<Betza>();
            prop_assert_eq!(again.as_ref(), Ok(&read), "{} printed as {}", text, canonical);
            prop_assert_eq!(again.unwrap().to_string(), canonical);
        }
    }

    #[test]
    fn parses_every_single_term(term in a_term()) {
        let read = term.parse::<Betza>();
        prop_assert!(read.is_ok(), "{}: {:?}", term, read);
        let read = read.unwrap();
        prop_assert!(!moves(&read).is_empty());
        prop_assert!(!read.in_words().is_empty());
    }

    #[test]
    fn parser_survives_texts_of_its_alphabet(text in "(royal-|relay-|doublemove-)?[WFDAHGNLCKQRBfblrsvhmcZ2é-]{0,40}") {
        match text.parse::<Betza>() {
            Ok(read) => {
                // Games accept designs of 64 characters, and canonical texts of three times that length.
                let written = read.to_string();
                prop_assert!(written.len() <= 3 * text.len(), "{} is {}", text, written);
                prop_assert_eq!(written.parse::<Betza>(), Ok(read));
            }
            Err(error) => prop_assert!(error.at <= text.len() && text.is_char_boundary(error.at)),
        }
    }

    #[test]
    fn parser_survives_any_text(text in any::<String>()) {
        if let Err(error) = text.parse::<Betza>() {
            prop_assert!(error.at <= text.len());
        }
    }
}

#[test]
fn every_atom_round_trips_with_four_or_eight_steps() {
    for atom in Atom::ALL {
        let read = piece(atom.text());
        assert_eq!(read.terms.len(), 1);
        assert_eq!(read.terms[0].atom, atom);
        assert!(matches!(read.terms[0].vectors.len(), 4 | 8));
    }
}

#[test]
fn every_set_of_knight_steps_has_a_unique_text() {
    let singles = ["lf", "rf", "fl", "fr", "bl", "br", "lb", "rb"];
    let mut texts = std::collections::BTreeSet::new();
    for set in 1u32..256 {
        let text: String = (0..8).filter(|i| set >> i & 1 == 1).map(|i| singles[i]).collect();
        let read = piece(&format!("{text}N"));
        assert_eq!(read.terms[0].vectors.len(), set.count_ones() as usize);
        let canonical = read.to_string();
        assert_eq!(piece(&canonical), read, "{canonical}");
        texts.insert(canonical);
    }
    assert_eq!(texts.len(), 255);
}

/// A piece in the notation of other programs.
fn free(text: &str) -> Betza {
    Betza::read_free(text, &[]).unwrap_or_else(|error| panic!("{text}: {error}")).0
}

#[test]
fn free_notation_has_the_moves_of_other_programs() {
    for (text, moves) in [
        ("R2", "d2 d3 d5 d6 b4 c4 e4 f4"),
        ("W2", "d2 d3 d5 d6 b4 c4 e4 f4"),
        ("W1", "d3 d5 c4 e4"),
        ("fB2", "c5 b6 e5 f6"),
        ("Q2", "d2 d3 d5 d6 b4 c4 e4 f4 c5 b6 e5 f6 c3 b2 e3 f2"),
        ("DD", "d2 d6 d8 b4 f4 h4"),
        ("fD2", "d6 d8"),
        ("fN2", "c6 b8 e6 f8 b5 f5 h6"),
        ("Z", "b1 f1 b7 f7 a2 a6 g2 g6"),
        ("f[F?R]", "c5 c6 c7 c8 b5 a5 e5 e6 e7 e8 f5 g5 h5"),
        ("f[F?fsR]", "c5 c6 c7 c8 b5 a5 e5 e6 e7 e8 f5 g5 h5"),
        ("gQ", ""),
        ("pR", ""),
    ] {
        assert_eq!(on_d4(&free(text), Color::White), (squares(moves), squares(moves)), "{text}");
    }
    let (d4, near) = (Square::new(3, 3), squares("d4 d6"));
    let attacks = |text: &str| free(text).design(Size::ORTHODOX).attacks(Color::White, d4, near);
    assert_eq!(attacks("gQ"), squares("d7"));
    assert_eq!(attacks("pR"), squares("d7 d8"));
    assert_eq!(attacks("R4"), squares("d1 d2 d3 d5 d6 a4 b4 c4 e4 f4 g4 h4"));
    assert_eq!(attacks("nD"), squares("d2 d6 b4 f4"));
}

#[test]
fn free_notation_round_trips_and_has_no_price() {
    for (text, canonical) in [
        ("R4", "R4"),
        ("W4", "R4"),
        ("R0", "R"),
        ("F0", "B"),
        ("N0", "NN"),
        ("Q3", "R3B3"),
        ("mgQcpR", "mgRmgBcpR"),
        ("nNnA", "nNnA"),
        ("DmcDD", "DmcDD"),
        ("D3", "D3"),
        ("CC", "LL"),
        ("ZZ", "ZZ"),
        ("ZmcZ", "ZmcZ"),
        ("RmcR4", "RmcR4"),
        ("royal-f[W?fsB]cF", "royal-f[W?B]cF"),
        ("[F?R]3", "[F?R]3"),
    ] {
        let read = free(text);
        assert_eq!(read.to_string(), canonical, "{text}");
        assert_eq!(free(canonical), read, "{canonical}");
        assert_eq!(read.is_free(), canonical.parse::<Betza>().is_err(), "{text}");
        assert!(!read.in_words().contains("’s step") || !read.is_free(), "{}", read.in_words());
    }
    assert_eq!(free("R4").in_words(), "Moves or captures up to 4 squares along a rank or file.");
    for (text, at) in [
        ("pW", 1),
        ("ppR", 1),
        ("pnR", 2),
        ("nW", 1),
        ("[F-R]", 0),
        ("[F?R", 0),
        ("[W?R]", 0),
        ("[?]", 0),
        ("R44", 2),
        ("RR", 1),
        ("qN", 0),
    ] {
        assert_eq!(Betza::read_free(text, &[]).unwrap_err().at, at, "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn canonical_free_text_is_a_fixed_point(text in "[WFDAHGNLCZRBQmcfbnpg0-9]{1,12}|[fmc]{0,2}\\[[WFDANL]\\?(fs)?(R|B|NN)\\][0-9]?[WNDZ]{0,3}") {
        if let Ok((read, _)) = Betza::read_free(&text, &[]) {
            let canonical = read.to_string();
            prop_assert_eq!(Betza::read_free(&canonical, &[]).map(|(piece, _)| piece), Ok(read), "{} printed as {}", text, canonical);
        }
    }
}
