//! The source’s “rule alterations” as options, and their form in a link: `first=black&double=5/2&black_wins_draws=1&handicap=20&handicapped=two`.
//! Their effect on points is in `score`. Also formats amounts for display.

use num_rational::Ratio;

use crate::{board::Color, rules::Seat};

/// Largest numerator and denominator of a multiplier or handicap. It keeps exact scores small.
const LIMIT: i64 = 1000;

/// The options on which two players may agree before they bid.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The colour that moves first: White, unless the options or a coin say otherwise.
    pub first: Color,
    /// Multiplier of the stakes if neither player concedes after the reveal: over 1, numerator and denominator at most 1000.
    pub double: Option<Ratio<i64>>,
    /// A drawn game counts as a win for Black.
    pub black_wins_draws: bool,
    /// Handicap in favour of the weaker player.
    pub handicap: Option<Handicap>,
}

/// Increase of every gain of one player by a percentage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Handicap {
    /// Percentage of the increase: 20 turns 60 points into 72. At least 0, numerator and denominator at most 1000.
    pub percent: Ratio<i64>,
    /// The player whose gains increase.
    pub whose: Handicapped,
}

/// The player with the handicap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Handicapped {
    /// The player of this colour.
    Color(Color),
    /// The player in this seat, with either colour.
    Seat(Seat),
}

impl Handicapped {
    /// Describes the player.
    pub const fn words(self) -> &'static str {
        match self {
            Handicapped::Color(Color::White) => "the player with White",
            Handicapped::Color(Color::Black) => "the player with Black",
            Handicapped::Seat(Seat::One) => "the first player",
            Handicapped::Seat(Seat::Two) => "the second player",
        }
    }
}

/// Error in an option: its name, the position, and what to write instead.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{field}, character {}: {why}", at + 1)]
pub struct OptionError {
    /// Name of the option as it was written.
    pub field: String,
    /// Offset of the first wrong byte in the option’s value.
    pub at: usize,
    /// The fault and the correct form.
    pub why: String,
}

fn error<T>(field: &str, at: usize, why: impl Into<String>) -> Result<T, OptionError> {
    Err(OptionError { field: field.chars().take(40).collect(), at, why: why.into() })
}

impl Default for Options {
    fn default() -> Self {
        Options { first: Color::White, double: None, black_wins_draws: false, handicap: None }
    }
}

impl Options {
    /// Names of the options in a link.
    pub const FIELDS: [&str; 5] = ["first", "double", "black_wins_draws", "handicap", "handicapped"];

    /// Parses options from a link or a form. Each may occur once. An empty value counts as missing, because forms send empty fields. Names that are
    /// not in [`Self::FIELDS`] are refused.
    pub fn parse<'t>(pairs: impl IntoIterator<Item = (&'t str, &'t str)>) -> Result<Options, OptionError> {
        let mut texts: [Option<&str>; 5] = [None; 5];
        for (name, text) in pairs {
            let Some(index) = Self::FIELDS.iter().position(|field| *field == name) else {
                return error(name, 0, format!("there is no such option; use one of {}", Self::FIELDS.join(", ")));
            };
            if texts[index].is_some() {
                return error(name, 0, "this option is repeated; give it once");
            }
            texts[index] = Some(text);
        }
        let [first, double, black_wins_draws, handicap, handicapped] = texts.map(|text| text.filter(|t| !t.is_empty()));
        let whose = handicapped.map(whose).transpose()?;
        let handicap = match (handicap, whose) {
            (None, _) => None,
            (Some(text), Some(whose)) => Some(Handicap { percent: rational("handicap", text)?, whose }),
            (Some(text), None) => {
                rational("handicap", text)?;
                return error("handicapped", 0, "name the player whose gains increase: white, black, one or two");
            }
        };
        Ok(Options {
            first: first.map_or(Ok(Color::White), mover)?,
            double: double.map(multiplier).transpose()?,
            black_wins_draws: black_wins_draws.map_or(Ok(false), yes)?,
            handicap,
        })
    }

    /// Describes the options that differ from the default, one sentence each.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        match self.first {
            Color::White => {}
            Color::Black => words.push("Black moves first.".to_owned()),
        }
        if let Some(double) = &self.double {
            let times = amount(double);
            words.push(format!("If neither player concedes after the reveal, the stakes are multiplied by {times}."));
        }
        if self.black_wins_draws {
            words.push("A drawn game counts as a win for Black.".to_owned());
        }
        if let Some(Handicap { percent, whose }) = &self.handicap {
            words.push(format!("Every gain of {} increases by {} percent.", whose.words(), amount(percent)));
        }
        words
    }

    /// The options that differ from the default, in the form that [`Self::parse`] reads.
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = Vec::new();
        match self.first {
            Color::White => {}
            Color::Black => pairs.push(("first", Color::Black.name().to_owned())),
        }
        pairs.extend(self.double.map(|double| ("double", double.to_string())));
        if self.black_wins_draws {
            pairs.push(("black_wins_draws", "1".to_owned()));
        }
        if let Some(handicap) = &self.handicap {
            let whose = match handicap.whose {
                Handicapped::Color(color) => color.name(),
                Handicapped::Seat(Seat::One) => "one",
                Handicapped::Seat(Seat::Two) => "two",
            };
            pairs.extend([("handicap", handicap.percent.to_string()), ("handicapped", whose.to_owned())]);
        }
        pairs
    }
}

fn mover(text: &str) -> Result<Color, OptionError> {
    text.parse().or_else(|_| error("first", 0, "write the side that moves first: white or black"))
}

fn whose(text: &str) -> Result<Handicapped, OptionError> {
    match text {
        "white" => Ok(Handicapped::Color(Color::White)),
        "black" => Ok(Handicapped::Color(Color::Black)),
        "one" => Ok(Handicapped::Seat(Seat::One)),
        "two" => Ok(Handicapped::Seat(Seat::Two)),
        _ => error("handicapped", 0, "name the player whose gains increase: white, black, one or two"),
    }
}

fn yes(text: &str) -> Result<bool, OptionError> {
    match text {
        "1" => Ok(true),
        "0" => Ok(false),
        _ => error("black_wins_draws", 0, "write 1 if Black wins draws, or leave the option out"),
    }
}

fn multiplier(text: &str) -> Result<Ratio<i64>, OptionError> {
    let multiplier = rational("double", text)?;
    if multiplier <= Ratio::ONE {
        return error("double", 0, "the multiplier must be over 1, as in 2, 5/2 or 2.5");
    }
    Ok(multiplier)
}

/// Parses a number of at least 0, written `20`, `5/2` or `2.5`, with numerator and denominator of at most [`LIMIT`] in lowest terms.
fn rational(field: &str, text: &str) -> Result<Ratio<i64>, OptionError> {
    let (whole, end) = digits(field, text, 0)?;
    let ratio = match text.as_bytes().get(end) {
        None => Ratio::from_integer(whole),
        Some(b'/') => match digits(field, text, end + 1)? {
            (_, after) if after < text.len() => return error(field, after, "the number ends here: leave out the rest"),
            (0, _) => return error(field, end + 1, "the denominator cannot be 0"),
            (below, _) => Ratio::new(whole, below),
        },
        Some(b'.') => match digits(field, text, end + 1)? {
            (_, after) if after < text.len() => return error(field, after, "the number ends here: leave out the rest"),
            // Both parts have at most nine digits, so nothing overflows.
            (part, after) => Ratio::from_integer(whole) + Ratio::new(part, 10i64.pow((after - end - 1) as u32)),
        },
        Some(_) => return error(field, end, "write a number as in 2, 5/2 or 2.5, with nothing after it"),
    };
    if *ratio.numer() > LIMIT || *ratio.denom() > LIMIT {
        return error(
            field,
            0,
            format!("{ratio} is too large or too precise: numerator and denominator can be at most {LIMIT}"),
        );
    }
    Ok(ratio)
}

/// Parses one to nine digits from `at` on; returns the number and the index after it.
fn digits(field: &str, text: &str, at: usize) -> Result<(i64, usize), OptionError> {
    let length = text.as_bytes()[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    match (length, text[at..at + length].parse()) {
        (1..=9, Ok(number)) => Ok((number, at + length)),
        (0, _) => error(field, at, "a digit is missing here; write a number as in 2, 5/2 or 2.5"),
        (_, Ok(_) | Err(_)) => error(field, at + 9, "this number is too long; write at most nine digits"),
    }
}

/// Decimal notation of a fraction, such as `43.5` for 87/2; `None` if it does not terminate.
pub fn decimal(fraction: &Ratio<i64>) -> Option<String> {
    let mut primes = fraction.denom().unsigned_abs();
    for prime in [2, 5] {
        while primes.is_multiple_of(prime) {
            primes /= prime;
        }
    }
    if primes != 1 {
        return None;
    }
    let denominator = u128::from(fraction.denom().unsigned_abs());
    let numerator = u128::from(fraction.numer().unsigned_abs());
    let sign = if *fraction < Ratio::ZERO { "-" } else { "" };
    let mut text = format!("{sign}{}", numerator / denominator);
    let mut rest = numerator % denominator;
    if rest > 0 {
        text.push('.');
    }
    while rest > 0 {
        rest *= 10;
        text.push((b'0' + (rest / denominator) as u8) as char);
        rest %= denominator;
    }
    Some(text)
}

/// An amount for display: `35`, `17.5`, or a fraction where the decimals do not terminate.
pub fn amount(exact: &Ratio<i64>) -> String {
    decimal(exact).unwrap_or_else(|| exact.to_string())
}
