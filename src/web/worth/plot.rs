//! A drawing of price against measured worth: a point for each piece, its interval as an upright line, and the line on which a price
//! says what was measured.

use crate::bots::Gauge;

/// The drawing's width in its own units.
const WIDTH: f64 = 600.0;
/// Its height.
const HEIGHT: f64 = 420.0;
/// Left free on the left and below for the axes.
const AXIS: f64 = 44.0;
/// Left free on the right and above.
const EDGE: f64 = 20.0;

/// A piece in the drawing: its price and its worth, both in knights.
pub(super) struct Point {
    pub(super) name: String,
    pub(super) price: f64,
    pub(super) gauge: Gauge,
}

/// A piece as it is drawn; numbers as SVG writes them.
pub(super) struct Dot {
    pub(super) name: String,
    pub(super) x: String,
    pub(super) y: String,
    /// The ends of the interval.
    pub(super) ends: [String; 2],
    /// Where the name stands.
    pub(super) label: [String; 2],
}

/// A number at an axis, and where it stands.
pub(super) struct Tick {
    pub(super) text: String,
    pub(super) at: String,
}

/// The drawing.
pub(super) struct Plot {
    pub(super) dots: Vec<Dot>,
    /// Numbers below, from left to right.
    pub(super) below: Vec<Tick>,
    /// Numbers on the left, from below.
    pub(super) left: Vec<Tick>,
    /// The line on which price and worth agree: x and y of both its ends.
    pub(super) agreed: [String; 4],
}

impl Plot {
    /// Draws the pieces; the axes reach as far as they do.
    pub(super) fn new(points: Vec<Point>) -> Plot {
        let reach = |values: &mut dyn Iterator<Item = f64>| values.fold(2.0, f64::max).min(6.0).ceil();
        let right = reach(&mut points.iter().map(|point| point.price));
        let top = reach(&mut points.iter().map(|point| point.gauge.worth));
        let x = |value: f64| AXIS + value.clamp(0.0, right) / right * (WIDTH - AXIS - EDGE);
        let y = |value: f64| HEIGHT - AXIS - value.clamp(0.0, top) / top * (HEIGHT - AXIS - EDGE);
        let written = |number: f64| format!("{number:.1}");
        let agreed = right.min(top);
        let ticks = |most: f64| (0..=(2.0 * most) as u32).map(|half| f64::from(half) / 2.0);
        // Names that would lie upon each other stand on either side of their points, and further off.
        let mut placed: Vec<(f64, f64)> = Vec::new();
        let mut dots = Vec::new();
        for Point { name, price, gauge: Gauge { low, worth, high } } in points {
            let (dot_x, dot_y) = (x(price), y(worth));
            let near = |(at_x, at_y): &(f64, f64), place: (f64, f64)| {
                (at_x - place.0).abs() < 26.0 && (at_y - place.1).abs() < 14.0
            };
            let places =
                [(8.0, 4.0), (-22.0, 4.0), (8.0, -12.0), (-22.0, -12.0), (8.0, 20.0), (-22.0, 20.0), (8.0, -28.0)];
            let candidates = places.map(|(dx, dy)| (dot_x + dx, dot_y + dy));
            let free = candidates.into_iter().find(|place| placed.iter().all(|known| !near(known, *place)));
            let label = free.unwrap_or(candidates[0]);
            placed.push(label);
            dots.push(Dot {
                name,
                x: written(dot_x),
                y: written(dot_y),
                ends: [written(y(low)), written(y(high))],
                label: [written(label.0), written(label.1)],
            });
        }
        Plot {
            dots,
            below: ticks(right).map(|value| Tick { text: format!("{value}"), at: written(x(value)) }).collect(),
            left: ticks(top).map(|value| Tick { text: format!("{value}"), at: written(y(value)) }).collect(),
            agreed: [written(x(0.0)), written(y(0.0)), written(x(agreed)), written(y(agreed))],
        }
    }
}
