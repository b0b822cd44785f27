//! Exact values, materials and addresses of positions as text. Also the position with walls of pawns, in which α < β (Larsson and Wästlund,
//! “Endgames in bidding chess”, §13, Figure 10).

use crate::richman::{Fraction, Interval, Material};

/// Numbers with more digits than this are laid out in groups.
const SHORT: usize = 12;

/// Walls of pawns as §13 tells of those in Figure 10: no pawn can move, and the white king can only come through by way of a square that a
/// pawn attacks (as d4), onto a pawn that is guarded (e5, by d6). The drawing of the figure is in no text that we have: the board is ours.
pub(in crate::web) const WALLS: &str = "6k1/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/1K6";

/// A fraction as it is set.
#[derive(Clone, Debug)]
pub(in crate::web) struct Amount {
    /// The digits of the numerator in groups of three, with a minus sign if it is negative.
    pub(in crate::web) num: Vec<String>,
    /// The same of the denominator.
    pub(in crate::web) den: Vec<String>,
    /// The number of digits of the denominator.
    pub(in crate::web) digits: usize,
    /// Set if it has to be laid out over several lines.
    pub(in crate::web) long: bool,
    /// Set if there is nothing below the line.
    pub(in crate::web) whole: bool,
    /// The decimal with ten places.
    pub(in crate::web) decimal: String,
}

impl Amount {
    /// The numerator in one piece.
    pub(in crate::web) fn above(&self) -> String {
        self.num.concat()
    }

    /// The denominator in one piece.
    pub(in crate::web) fn below(&self) -> String {
        self.den.concat()
    }
}

impl From<&Fraction> for Amount {
    fn from(fraction: &Fraction) -> Amount {
        Amount {
            num: groups(&fraction.num),
            den: groups(&fraction.den),
            digits: fraction.den.len(),
            long: fraction.den.len() > SHORT,
            whole: fraction.den == "1",
            decimal: decimal(fraction.approx, 10),
        }
    }
}

/// A number that is enclosed, with so many places: once where both bounds look alike, else both.
pub(in crate::web) fn between(enclosure: &Interval, places: usize) -> String {
    let [low, high] = [&enclosure.lo, &enclosure.hi].map(|bound| decimal(bound.parse().unwrap_or_default(), places));
    if low == high { low } else { format!("between {low} and {high}") }
}

/// Digits in groups of three, counted from the right.
fn groups(number: &str) -> Vec<String> {
    let digits = number.trim_start_matches('-');
    let first = digits.len() % 3;
    let mut groups: Vec<String> = Vec::with_capacity(digits.len() / 3 + 1);
    if first > 0 {
        groups.push(digits[..first].to_owned());
    }
    groups.extend((first..digits.len()).step_by(3).map(|at| digits[at..at + 3].to_owned()));
    if number.starts_with('-')
        && let Some(first) = groups.first_mut()
    {
        first.insert(0, '−');
    }
    groups
}

/// A decimal with a true minus sign.
pub(in crate::web) fn decimal(value: f64, places: usize) -> String {
    format!("{value:.places$}").replace('-', "−")
}

/// A share in percent with two places.
pub(in crate::web) fn percent(value: f64) -> String {
    format!("{}\u{a0}%", decimal(value * 100.0, 2))
}

/// A whole number with a true minus sign.
pub(in crate::web) fn signed(number: i64) -> String {
    number.to_string().replace('-', "−")
}

/// The material as a heading.
pub(in crate::web) fn title(material: Material) -> &'static str {
    match material {
        Material::Bare => "Bare kings",
        Material::Knight => "Knight",
        Material::Bishop => "Bishop",
        Material::Rook => "Rook",
        Material::Queen => "Queen",
        Material::Pawn => "Pawn",
    }
}

/// The extra piece within a sentence.
pub(in crate::web) fn name(material: Material) -> &'static str {
    match material {
        Material::Bare => "bare kings",
        Material::Knight => "a knight",
        Material::Bishop => "a bishop",
        Material::Rook => "a rook",
        Material::Queen => "a queen",
        Material::Pawn => "a pawn",
    }
}

/// The address of a position's page, with further parameters that are not empty. A placement needs no escape.
pub(in crate::web) fn path(fen: &str, more: &[(&str, &str)]) -> String {
    let mut path = format!("/endgames?fen={fen}");
    for (name, value) in more.iter().filter(|(_, value)| !value.is_empty()) {
        path.push('&');
        path.push_str(name);
        path.push('=');
        path.push_str(value);
    }
    path
}

/// The greatest that α and the least that β can be in a position where they are known to differ. White, on an attacked square, is lost if
/// Black moves next, and even with a pawn of the wall he is if Black moves then: (1/2 + 0) / 2 = 1/4, and elsewhere he has no better. The same
/// for Black.
pub(in crate::web) fn wall_bounds(fen: &str) -> Option<(&'static str, &'static str)> {
    (fen == WALLS).then_some(("1/4", "3/4"))
}
