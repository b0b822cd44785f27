//! A drawing of price against measured worth: a point for each piece, its interval as an upright line, and the line on which a price
//! says what was measured.

use crate::bots::ValueEstimate;

/// The drawing's width in its own units.
const WIDTH: f64 = 400.0;
/// Its height.
const HEIGHT: f64 = 300.0;
/// Left free on the left and below for the axes.
const AXIS: f64 = 32.0;
/// Left free on the right and above.
const EDGE: f64 = 20.0;
/// The width of a letter.
const LETTER: f64 = 7.0;
/// The height of a row of names.
const ROW: f64 = 12.0;

/// A piece in the drawing: its price and its worth, both in knights.
pub(super) struct Point {
    pub(super) name: String,
    pub(super) price: f64,
    pub(super) gauge: ValueEstimate,
}

/// A piece as it is drawn; numbers as SVG writes them.
pub(super) struct Dot {
    pub(super) name: String,
    pub(super) x: String,
    pub(super) y: String,
    /// The ends of the interval.
    pub(super) ends: [String; 2],
    /// Where the name stands: its left end and its middle.
    pub(super) label: [String; 2],
    /// The end of the name that is nearer to the point.
    pub(super) near: String,
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
        // A name stands beside its point, or where nothing stands yet above or below that, with a thin line from one to the other.
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
