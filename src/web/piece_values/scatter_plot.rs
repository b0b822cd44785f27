//! A scatter plot of prices and measured values: a point for each piece, its confidence interval as a vertical line, and the line where price
//! and value agree.

use crate::bots::ValueEstimate;

/// Width of the drawing in its own units.
const WIDTH: f64 = 400.0;
/// Height of the drawing.
const HEIGHT: f64 = 300.0;
/// Space for the axes on the left and below.
const AXIS: f64 = 32.0;
/// Margin on the right and above.
const EDGE: f64 = 20.0;
/// Width of a letter.
const LETTER: f64 = 7.0;
/// Height of a row of names.
const ROW: f64 = 12.0;

/// A piece with its price and its value, both in knights.
pub(super) struct Point {
    pub(super) name: String,
    pub(super) price: f64,
    pub(super) gauge: ValueEstimate,
}

/// A point of the drawing; numbers as SVG attributes.
pub(super) struct Dot {
    pub(super) name: String,
    pub(super) x: String,
    pub(super) y: String,
    /// The ends of the confidence interval.
    pub(super) ends: [String; 2],
    /// Position of the name: its left end and its vertical middle.
    pub(super) label: [String; 2],
    /// The end of the name nearer to the point.
    pub(super) near: String,
}

/// A number on an axis, and its position.
pub(super) struct Tick {
    pub(super) text: String,
    pub(super) at: String,
}

pub(super) struct Plot {
    pub(super) dots: Vec<Dot>,
    /// Numbers on the horizontal axis, from left to right.
    pub(super) below: Vec<Tick>,
    /// Numbers on the vertical axis, from bottom to top.
    pub(super) left: Vec<Tick>,
    /// The line where price and value agree: x and y of both ends.
    pub(super) agreed: [String; 4],
}

impl Plot {
    /// Draws the pieces. The axes extend to the largest price and value, at least to 2 and at most to 6.
    pub(super) fn new(points: Vec<Point>) -> Plot {
        let reach = |values: &mut dyn Iterator<Item = f64>| values.fold(2.0, f64::max).min(6.0).ceil();
        let right = reach(&mut points.iter().map(|point| point.price));
        let top = reach(&mut points.iter().map(|point| point.gauge.worth));
        let x = |value: f64| AXIS + value.clamp(0.0, right) / right * (WIDTH - AXIS - EDGE);
        let y = |value: f64| HEIGHT - AXIS - value.clamp(0.0, top) / top * (HEIGHT - AXIS - EDGE);
        let written = |number: f64| format!("{number:.1}");
        let agreed = right.min(top);
        let ticks = |most: f64| (0..=(2.0 * most) as u32).map(|half| f64::from(half) / 2.0);
        // A name goes next to its point or, if that place is taken, above or below it with a thin line to the point.
        let mut taken: Vec<[f64; 3]> =
            points.iter().map(|point| [x(point.price) - 5.0, y(point.gauge.worth), 10.0]).collect();
        let mut dots = Vec::new();
        for Point { name, price, gauge: ValueEstimate { low, worth, high } } in points {
            let (dot_x, dot_y) = (x(price), y(worth));
            let wide = LETTER * name.chars().count() as f64;
            let rows = (0..8).flat_map(|row| [f64::from(row), -f64::from(row)]);
            let mut places = rows.flat_map(|row| [8.0, -8.0 - wide].map(|dx| [dot_x + dx, dot_y + ROW * row, wide]));
            let free = |[left, middle, wide]: &[f64; 3]| {
                let inside = *left >= AXIS && left + wide <= WIDTH && (EDGE..=HEIGHT - AXIS).contains(middle);
                inside
                    && taken.iter().all(|known| {
                        (known[1] - middle).abs() >= ROW - 1.0 || known[0] + known[2] < *left || left + wide < known[0]
                    })
            };
            let place = places.find(free).unwrap_or([dot_x + 8.0, dot_y, wide]);
            taken.push(place);
            let near = if place[0] > dot_x { place[0] } else { place[0] + wide };
            dots.push(Dot {
                name,
                x: written(dot_x),
                y: written(dot_y),
                ends: [written(y(low)), written(y(high))],
                label: [written(place[0]), written(place[1])],
                near: written(near),
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
