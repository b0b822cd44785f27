//! Bars drawn by the server: how the values of a material are spread, and how long its denominators are.

use crate::richman::{PARTS, Spread};

/// The drawing's height in its own units; its width is [`WIDTH`].
const HEIGHT: f64 = 60.0;
/// The drawing's width in its own units.
const WIDTH: f64 = 200.0;
/// At most so many bars for lengths of denominators.
const BARS: usize = 24;

/// A chart of bars with its text.
#[derive(Clone, Debug)]
pub(super) struct Chart {
    /// The title: what it shows, in a few words.
    pub(super) title: String,
    /// The same for those who cannot see it.
    pub(super) said: String,
    /// The bars from the left.
    pub(super) bars: Vec<Bar>,
    /// The labels below its left end, its middle and its right end.
    pub(super) axis: [String; 3],
}

/// One bar.
#[derive(Clone, Debug)]
pub(super) struct Bar {
    /// Left edge, upper edge, width and height as SVG writes them.
    pub(super) frame: [String; 4],
    /// The values it counts, as `0.50 to 0.55`.
    pub(super) name: String,
    /// The number of positions.
    pub(super) count: usize,
}

fn bars(counts: &[(String, usize)], height: impl Fn(usize) -> f64) -> Vec<Bar> {
    let width = WIDTH / counts.len() as f64;
    let highest = counts.iter().map(|(_, count)| height(*count)).fold(f64::MIN_POSITIVE, f64::max);
    let bar = |(at, (name, count)): (usize, &(String, usize))| {
        // What is there at all must be seen.
        let high = if *count == 0 { 0.0 } else { (height(*count) / highest * HEIGHT).max(0.8) };
        let frame = [at as f64 * width + 0.4, HEIGHT - high, width - 0.8, high].map(|length| format!("{length:.2}"));
        Bar { frame, name: name.clone(), count: *count }
    };
    counts.iter().enumerate().map(bar).collect()
}

/// Draws how the values of a material are spread over 0 to 1.
pub(super) fn values(title: &str, name: &str, spread: &Spread) -> Chart {
    let part = |at: usize| at as f64 / PARTS as f64;
    let counted = spread.values.iter().enumerate();
    let counts: Vec<(String, usize)> =
        counted.map(|(at, count)| (format!("{:.2} to {:.2}", part(at), part(at + 1)), *count)).collect();
    let most = counts.iter().max_by_key(|(_, count)| *count).map_or("", |(name, _)| name);
    let below = spread.values[..PARTS / 2].iter().sum::<usize>();
    Chart {
        title: format!("{title}: the values"),
        said: format!(
            "Values of the {} positions with {name}: most lie from {most}, and {below} are below one half.",
            spread.positions
        ),
        bars: bars(&counts, |count| count as f64),
        axis: ["0", "½", "1"].map(str::to_owned),
    }
}

/// Draws how many bits the denominators of a material have; the heights are logarithms.
pub(super) fn bits(title: &str, name: &str, spread: &Spread) -> Chart {
    let longest = spread.bits.len().saturating_sub(1);
    let width = longest.div_ceil(BARS).max(1);
    let counts: Vec<(String, usize)> = spread.bits[1.min(spread.bits.len())..]
        .chunks(width)
        .enumerate()
        .map(|(at, chunk)| {
            let (first, last) = (at * width + 1, (at * width + chunk.len()).min(longest));
            let name = if first == last { format!("{first}") } else { format!("{first} to {last}") };
            (format!("{name} bits"), chunk.iter().sum())
        })
        .collect();
    Chart {
        title: format!("{title}: the denominators"),
        said: format!(
            "Lengths of the denominators of the {} positions with {name}: from {} to {longest} bits. The heights are logarithmic.",
            spread.positions,
            spread.bits.iter().position(|count| *count > 0).unwrap_or_default()
        ),
        bars: bars(&counts, |count| (1.0 + count as f64).ln()),
        axis: ["1 bit".to_owned(), String::new(), format!("{longest} bits")],
    }
}
