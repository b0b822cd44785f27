//! Bar charts as SVG: the distribution of a material's values, and the lengths of its denominators.

use serde::Serialize;
use utoipa::ToSchema;

use super::format::percent;
use crate::richman::{PARTS, Spread};

/// Height of the drawing in its own units; its width is [`WIDTH`].
const HEIGHT: f64 = 60.0;
/// Width of the drawing in its own units.
const WIDTH: f64 = 200.0;
/// Most bars for lengths of denominators.
const BARS: usize = 24;

/// A bar chart with its texts.
#[derive(Clone, Debug)]
pub(in crate::web) struct Chart {
    /// The title.
    pub(in crate::web) title: String,
    /// Description for screen readers.
    pub(in crate::web) said: String,
    /// The bars, from left to right.
    pub(in crate::web) bars: Vec<Bar>,
    /// Headings of the bars' names and numbers, above the list of bars.
    pub(in crate::web) heads: [&'static str; 2],
    /// Labels below the left end, the middle and the right end.
    pub(in crate::web) axis: [String; 3],
}

#[derive(Clone, Debug)]
pub(in crate::web) struct Bar {
    /// Left edge, top edge, width and height, as SVG attributes.
    pub(in crate::web) frame: [String; 4],
    /// The range that the bar counts, such as `0.50 to 0.55`.
    pub(in crate::web) name: String,
    /// The number as text.
    pub(in crate::web) shown: String,
}

/// The number behind one bar.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = ChartBar)]
pub(in crate::web) struct Column {
    /// Start of the range, inclusive: a value, or a length in bits.
    pub(in crate::web) from: f64,
    /// End of the range: the start of the next bar, or the last length counted.
    pub(in crate::web) to: f64,
    /// The number of classes.
    pub(in crate::web) classes: usize,
}

/// Distribution of a material's values over 0 to 1.
pub(in crate::web) fn parts(spread: &Spread) -> Vec<Column> {
    let part = |at: usize| at as f64 / PARTS as f64;
    let counted = spread.values.iter().enumerate();
    counted.map(|(at, count)| Column { from: part(at), to: part(at + 1), classes: *count }).collect()
}

/// Distribution of a material's denominators by bits.
pub(in crate::web) fn lengths(spread: &Spread) -> Vec<Column> {
    let longest = spread.bits.len().saturating_sub(1);
    let width = longest.div_ceil(BARS).max(1);
    let chunks = spread.bits[1.min(spread.bits.len())..].chunks(width).enumerate();
    let column = |(at, chunk): (usize, &[usize])| Column {
        from: (at * width + 1) as f64,
        to: (at * width + chunk.len()) as f64,
        classes: chunk.iter().sum(),
    };
    chunks.map(column).collect()
}

/// Draws bars with a name, a number and a height. The full height of the drawing is `top`, or the highest bar.
fn bars(counts: Vec<(String, String, f64)>, top: Option<f64>) -> Vec<Bar> {
    let width = WIDTH / counts.len().max(1) as f64;
    let highest = counts.iter().map(|(.., height)| *height).fold(f64::MIN_POSITIVE, f64::max);
    let top = top.unwrap_or(highest);
    let bar = |(at, (name, shown, height)): (usize, (String, String, f64))| {
        // A nonzero bar must be visible.
        let high = if height == 0.0 { 0.0 } else { (height / top * HEIGHT).max(0.8) };
        let frame = [at as f64 * width + 0.4, HEIGHT - high, width - 0.8, high];
        Bar { frame: frame.map(|length| format!("{length:.2}")), name, shown }
    };
    counts.into_iter().enumerate().map(bar).collect()
}

/// Draws the chance to have won by the number of moves. The first share is for zero moves.
pub(in crate::web) fn growth(name: &str, shares: &[f64]) -> Chart {
    let last = shares.len().saturating_sub(1);
    let bar = |(n, share): (usize, &f64)| (n.to_string(), percent(*share), *share);
    let reached = percent(shares.last().copied().unwrap_or_default());
    Chart {
        title: format!("{name}: chance to win within n moves"),
        said: format!("{name}'s guaranteed chance to win grows to {reached} within {last} moves."),
        bars: bars(shares.iter().enumerate().skip(1).map(bar).collect(), Some(1.0)),
        heads: ["Moves", "Chance"],
        axis: ["1".to_owned(), String::new(), last.to_string()],
    }
}

/// Draws the distribution of a material's values over 0 to 1.
pub(in crate::web) fn values(title: &str, name: &str, spread: &Spread) -> Chart {
    let parts = parts(spread);
    let words = |part: &Column| format!("{:.2} to {:.2}", part.from, part.to);
    let most = parts.iter().max_by_key(|part| part.classes).map_or(String::new(), words);
    let bar = |part: &Column| (words(part), part.classes.to_string(), part.classes as f64);
    let below = spread.values[..PARTS / 2].iter().sum::<usize>();
    Chart {
        title: format!("{title}: values"),
        said: format!(
            "Values of the {} classes of positions with {name}: most lie from {most}, and {below} are below one half.",
            spread.classes
        ),
        bars: bars(parts.iter().map(bar).collect(), None),
        heads: ["Range", "Classes"],
        axis: ["0", "½", "1"].map(str::to_owned),
    }
}

/// Draws the distribution of a material's denominators by bits, with logarithmic heights.
pub(in crate::web) fn bits(title: &str, name: &str, spread: &Spread) -> Chart {
    let longest = spread.bits.len().saturating_sub(1);
    let bar = |Column { from, to, classes }: Column| {
        let words = if from == to { format!("{from} bits") } else { format!("{from} to {to} bits") };
        (words, classes.to_string(), (1.0 + classes as f64).ln())
    };
    Chart {
        title: format!("{title}: denominators"),
        said: format!(
            "Lengths of the denominators of the {} classes of positions with {name}: from {} to {longest} bits. The heights are logarithmic.",
            spread.classes,
            spread.bits.iter().position(|count| *count > 0).unwrap_or_default()
        ),
        bars: bars(lengths(spread).into_iter().map(bar).collect(), None),
        heads: ["Range", "Classes"],
        axis: ["1 bit".to_owned(), String::new(), format!("{longest} bits")],
    }
}
