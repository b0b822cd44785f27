//! The optional rules as written in a link.

use num_rational::Ratio;
use zorkmid_games::{
    board::Color,
    rules::Seat,
    variants::bookie::{Handicapped, OptionError, Options},
};

fn parse(query: &str) -> Result<Options, OptionError> {
    Options::parse(query.split('&').filter(|pair| !pair.is_empty()).map(|pair| pair.split_once('=').unwrap()))
}

#[test]
fn reads_all_options() {
    let options = parse("first=black&double=5/2&black_wins_draws=1&handicap=20&handicapped=white").unwrap();
    assert_eq!(options.first, Color::Black);
    assert_eq!(options.double, Some(Ratio::new(5, 2)));
    assert!(options.black_wins_draws);
    let handicap = options.handicap.unwrap();
    assert_eq!((handicap.percent, handicap.whose), (Ratio::from_integer(20), Handicapped::Color(Color::White)));
}

#[test]
fn reads_missing_and_empty_fields() {
    assert_eq!(parse(""), Ok(Options::default()));
    assert_eq!(parse("first=&double=&black_wins_draws=&handicap=&handicapped="), Ok(Options::default()));
    assert_eq!(parse("first=white&black_wins_draws=0&handicapped=two"), Ok(Options::default()));
    assert_eq!(Options::default().pairs(), []);
}

#[test]
fn reads_numbers_in_three_notations() {
    for (text, numer, denom) in [
        ("2", 2, 1),
        ("5/2", 5, 2),
        ("2.5", 5, 2),
        ("2.50", 5, 2),
        ("10/4", 5, 2),
        ("1.001", 1001, 1000),
        ("1000", 1000, 1),
        ("1000/999", 1000, 999),
        ("000000002", 2, 1),
        ("4.000000000", 4, 1),
    ] {
        let parsed = parse(&format!("double={text}"));
        match parsed {
            Ok(options) if text != "1.001" => assert_eq!(options.double, Some(Ratio::new(numer, denom)), "{text}"),
            Ok(_) => panic!("1001 is over 1000"),
            Err(error) => assert_eq!((text, error.at), ("1.001", 0), "{error}"),
        }
    }
    assert_eq!(parse("handicap=0&handicapped=one").unwrap().handicap.unwrap().percent, Ratio::ZERO);
}

#[test]
fn options_survive_a_round_trip() {
    for query in [
        "first=black",
        "double=1000/999",
        "black_wins_draws=1",
        "handicap=25/2&handicapped=white",
        "handicap=0&handicapped=black",
        "handicap=20&handicapped=one",
        "first=black&double=2&black_wins_draws=1&handicap=1/1000&handicapped=two",
    ] {
        let shown: Vec<String> =
            parse(query).unwrap().pairs().into_iter().map(|(name, text)| format!("{name}={text}")).collect();
        assert_eq!(shown.join("&"), query);
    }
    let whose = parse("handicap=20&handicapped=two").unwrap().handicap.unwrap().whose;
    assert_eq!(whose, Handicapped::Seat(Seat::Two));
}

#[test]
fn errors_name_the_field_and_the_character() {
    for (query, message) in [
        ("first=White", "first, character 1: write the side that moves first: white or black"),
        ("double=x", "double, character 1: a digit is missing here; write a number as in 2, 5/2 or 2.5"),
        ("double=2x", "double, character 2: write a number as in 2, 5/2 or 2.5, with nothing after it"),
        ("double=2,5", "double, character 2: write a number as in 2, 5/2 or 2.5, with nothing after it"),
        ("double=2.", "double, character 3: a digit is missing here; write a number as in 2, 5/2 or 2.5"),
        ("double=5/", "double, character 3: a digit is missing here; write a number as in 2, 5/2 or 2.5"),
        ("double=5/2/1", "double, character 4: the number ends here: leave out the rest"),
        ("double=5/2.5", "double, character 4: the number ends here: leave out the rest"),
        ("double=2.5é", "double, character 4: the number ends here: leave out the rest"),
        ("double=5/0", "double, character 3: the denominator cannot be 0"),
        ("double=-2", "double, character 1: a digit is missing here; write a number as in 2, 5/2 or 2.5"),
        ("double=1", "double, character 1: the multiplier must be over 1, as in 2, 5/2 or 2.5"),
        ("double=0.5", "double, character 1: the multiplier must be over 1, as in 2, 5/2 or 2.5"),
        (
            "double=1001",
            "double, character 1: 1001 is too large or too precise: numerator and denominator can be at most 1000",
        ),
        (
            "double=1.0001",
            "double, character 1: 10001/10000 is too large or too precise: numerator and denominator can be at most 1000",
        ),
        ("double=1234567890", "double, character 10: this number is too long; write at most nine digits"),
        ("double=99999999999999999999999", "double, character 10: this number is too long; write at most nine digits"),
        ("double=1.1234567890", "double, character 12: this number is too long; write at most nine digits"),
        ("black_wins_draws=yes", "black_wins_draws, character 1: write 1 if Black wins draws, or leave the option out"),
        ("handicap=20", "handicapped, character 1: name the player whose gains increase: white, black, one or two"),
        (
            "handicap=20%&handicapped=one",
            "handicap, character 3: write a number as in 2, 5/2 or 2.5, with nothing after it",
        ),
        (
            "handicap=20&handicapped=carl",
            "handicapped, character 1: name the player whose gains increase: white, black, one or two",
        ),
        (
            "handicapped=three",
            "handicapped, character 1: name the player whose gains increase: white, black, one or two",
        ),
        ("double=2&double=3", "double, character 1: this option is repeated; give it once"),
        (
            "triple=3",
            "triple, character 1: there is no such option; use one of first, double, black_wins_draws, handicap, handicapped",
        ),
    ] {
        assert_eq!(parse(query).unwrap_err().to_string(), message, "{query}");
    }
}
