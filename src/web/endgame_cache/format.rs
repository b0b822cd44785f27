//! Text formats of exact values, materials and addresses of positions. Also the position with pawn walls in which α < β (Larsson and Wästlund,
//! “Endgames in bidding chess”, §13, Figure 10).

use crate::richman::{Fraction, Interval, Material};

/// Numbers with more digits than this are split into groups.
const SHORT: usize = 12;

/// Pawn walls as described in §13 for Figure 10: no pawn can move. The white king can break through only by a square that a pawn attacks
/// (such as d4), onto a guarded pawn (e5, guarded by d6). Our source lacks the drawing, so the board is ours.
pub(in crate::web) const WALLS: &str = "6k1/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/1K6";

/// A fraction prepared for display.
#[derive(Clone, Debug)]
pub(in crate::web) struct Amount {
    /// Digits of the numerator in groups of three, with a minus sign if it is negative.
    pub(in crate::web) num: Vec<String>,
    /// Digits of the denominator in groups of three.
    pub(in crate::web) den: Vec<String>,
    /// Number of digits of the denominator.
    pub(in crate::web) digits: usize,
    /// Whether the fraction takes several lines.
    pub(in crate::web) long: bool,
    /// Whether the denominator is 1.
    pub(in crate::web) whole: bool,
    /// The value as a decimal with ten places.
    pub(in crate::web) decimal: String,
}

impl Amount {
    /// The numerator without groups.
    pub(in crate::web) fn above(&self) -> String {
        self.num.concat()
    }

    /// The denominator without groups.
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

/// Formats an enclosed number: once if both bounds look equal at this precision, else both bounds.
pub(in crate::web) fn between(enclosure: &Interval, places: usize) -> String {
    let [low, high] = [&enclosure.lo, &enclosure.hi].map(|bound| decimal(bound.parse().unwrap_or_default(), places));
    if low == high { low } else { format!("between {low} and {high}") }
}

/// Splits digits into groups of three, counted from the right.
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

/// A decimal with a typographic minus sign.
pub(in crate::web) fn decimal(value: f64, places: usize) -> String {
    format!("{value:.places$}").replace('-', "−")
}

/// A share in percent with two decimals.
pub(in crate::web) fn percent(value: f64) -> String {
    format!("{}\u{a0}%", decimal(value * 100.0, 2))
}

/// An integer with a typographic minus sign.
pub(in crate::web) fn signed(number: i64) -> String {
    number.to_string().replace('-', "−")
}

/// A material as a heading.
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

/// The extra piece as a noun with its article.
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

/// Address of a position's page with the parameters that are not empty. A placement needs no escape.
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

/// Upper bound of α and lower bound of β in a position where they are known to differ. A white king on an attacked square loses if Black gets
/// the next move. After it has taken a pawn of the wall, it also loses if Black gets the next move. So α ≤ (1/2 + 0)/2 = 1/4, and no other move
/// is better. The same holds for Black.
pub(in crate::web) fn wall_bounds(fen: &str) -> Option<(&'static str, &'static str)> {
    (fen == WALLS).then_some(("1/4", "3/4"))
}
