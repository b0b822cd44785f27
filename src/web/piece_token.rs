//! The drawn token of a piece: a small map of its moves, made from its text alone. It uses presentation attributes only, so it also works
//! without inline styles, in an image and as a separate file.

use crate::board::{Betza, Color, ElementaryStep, HopCondition, ModifiedAtom};
use quick_cache::{Weighter, sync::Cache};
use std::{
    fmt::Write,
    sync::{Arc, LazyLock},
};

/// Bytes of cached drawings: several thousand ordinary pieces.
const KEPT: u64 = 16 << 20;
/// Approximate size of an ordinary piece's drawings, in bytes.
const USUAL: u64 = 8 << 10;

/// A side's piece as drawn with White at the bottom, and with Black at the bottom.
pub type Drawings = [Arc<str>; 2];

/// The drawings of recent pieces, White's and Black's.
static DRAWN: LazyLock<Cache<Betza, [Drawings; 2], Bytes>> =
    LazyLock::new(|| Cache::with_weighter((KEPT / USUAL) as usize, KEPT, Bytes));

/// Weighs a piece's drawings by their bytes.
#[derive(Clone)]
struct Bytes;

impl Weighter<Betza, [Drawings; 2]> for Bytes {
    fn weight(&self, piece: &Betza, sides: &[Drawings; 2]) -> u64 {
        let drawn: usize = sides.iter().flatten().map(|drawing| drawing.len()).sum();
        (drawn + piece.terms.len() * size_of::<ModifiedAtom>()) as u64
    }
}

/// The drawings of a side's piece, from the cache or newly drawn.
pub fn drawn(piece: &Betza, color: Color) -> Drawings {
    let draw = || Color::BOTH.map(|color| Color::BOTH.map(|up| svg(piece, color, up).into()));
    let sides = DRAWN.get(piece).unwrap_or_else(|| {
        let sides: [Drawings; 2] = draw();
        DRAWN.insert(piece.clone(), sides.clone());
        sides
    });
    let [white, black] = sides;
    match color {
        Color::White => white,
        Color::Black => black,
    }
}

/// Side length of the drawing; all pieces have the same.
const SIDE: f64 = 45.0;
/// Margin around the map.
const MARGIN: f64 = 3.0;
/// Fewest squares of a ride that are shown.
const RIDE: i8 = 2;

/// The colours of a side's tokens: background and ink.
const fn paint(color: Color) -> (&'static str, &'static str) {
    match color {
        Color::White => ("#fbf2dc", "#1d1611"),
        Color::Black => ("#1d1611", "#fbf2dc"),
    }
}

/// One `<svg>` element of 45 × 45 units for a piece of `color`, on a board on which `up` moves up the page. The piece is in the middle of a map
/// as wide as its longest leap, so the signs are as large as possible. A filled dot means moves and captures, a ring moves only, a cross
/// captures only; a small sign applies to the first move only. A line is a ride: it reaches the edge if the ride goes on, is dashed if the ride
/// cannot jump, and dotted if it has to. A royal piece has a crown. A piece that stays on one colour of squares has a border in the form of a
/// lozenge.
fn svg(piece: &Betza, color: Color, up: Color) -> String {
    let steps = piece.steps();
    let reach = steps.iter().map(shown).fold(1, i8::max);
    let cell = (SIDE - 2.0 * MARGIN) / f64::from(2 * reach + 1);
    let (ground, ink) = paint(color);
    let sign = if color == up { 1 } else { -1 };
    let place = |x: i8, y: i8| (SIDE / 2.0 + f64::from(x * sign) * cell, SIDE / 2.0 - f64::from(y * sign) * cell);

    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"piece design\" viewBox=\"0 0 45 45\" aria-hidden=\"true\">",
    );
    let mut draw = |element: std::fmt::Arguments<'_>| svg.write_fmt(element).expect("writing to a string cannot fail");
    border(&mut draw, piece.colourbound(), ground, ink);
    grid(&mut draw, reach, cell, ink);
    for step in steps.iter().filter(|step| step.reach > 1 || step.lame) {
        let landings = landings(step, reach);
        let ((x1, y1), (x2, y2)) = (place(0, 0), place(step.dx, step.dy));
        let (x3, y3) = match landings.last() {
            // A ride that goes on has a line to the edge of the map.
            Some((x, y)) if landings.len() < usize::from(step.reach.min(7)) => {
                let (x3, y3) = place(*x, *y);
                let room = |at: i8, by: i8| (f64::from(reach) + 0.5 - f64::from(at.abs())) / f64::from(by.abs());
                let on = room(*x, step.then.0).min(room(*y, step.then.1)) * cell * f64::from(sign);
                (x3 + f64::from(step.then.0) * on, y3 - f64::from(step.then.1) * on)
            }
            Some((x, y)) => place(*x, *y),
            None => (x2, y2),
        };
        let dashes = match (step.lame, step.hurdle) {
            (true, _) => " stroke-dasharray=\"1.6 1\"",
            (false, HopCondition::One | HopCondition::Last) => " stroke-dasharray=\".6 1.2\"",
            (false, HopCondition::None) => "",
        };
        draw(format_args!(
            "<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}L{x3:.1} {y3:.1}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.4\"{dashes}/>"
        ));
    }
    for Mark { at: (x, y), moves, captures, first } in marks(&steps, reach) {
        let (x, y) = place(x, y);
        let r = cell * if first { 0.22 } else { 0.36 };
        match (moves, captures) {
            (true, true) => draw(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"{ink}\"/>")),
            (true, false) => draw(format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r:.1}\" fill=\"{ground}\" stroke=\"{ink}\" stroke-width=\"1.5\"/>"
            )),
            (false, _) => draw(format_args!(
                "<path d=\"M{:.1} {:.1}l{d:.1} {d:.1}m0 -{d:.1}l-{d:.1} {d:.1}\" stroke=\"{ink}\" stroke-width=\"1.9\"/>",
                x - r,
                y - r,
                d = 2.0 * r
            )),
        }
    }
    middle(&mut draw, piece.royal, cell, ground, ink);
    svg.push_str("</svg>");
    svg
}

fn border(draw: &mut impl FnMut(std::fmt::Arguments<'_>), colourbound: bool, ground: &str, ink: &str) {
    draw(format_args!(
        "<rect x=\"1.5\" y=\"1.5\" width=\"42\" height=\"42\" rx=\"5\" fill=\"{ground}\" stroke=\"#1d1611\" stroke-width=\"1.2\"/>"
    ));
    if colourbound {
        draw(format_args!(
            "<path d=\"M22.5 2.6L42.4 22.5L22.5 42.4L2.6 22.5z\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.6\"/>"
        ));
    }
}

fn grid(draw: &mut impl FnMut(std::fmt::Arguments<'_>), reach: i8, cell: f64, ink: &str) {
    draw(format_args!("<path d=\""));
    let end = SIDE - MARGIN;
    for line in 0..=2 * reach + 1 {
        let at = MARGIN + f64::from(line) * cell;
        draw(format_args!("M{at:.1} {MARGIN}V{end}M{MARGIN} {at:.1}H{end}"));
    }
    draw(format_args!("\" fill=\"none\" stroke=\"{ink}\" stroke-width=\".4\" stroke-opacity=\".35\"/>"));
}

/// A square of the map on which the piece can land.
struct Mark {
    at: (i8, i8),
    /// Whether it can move there.
    moves: bool,
    /// Whether it can capture there.
    captures: bool,
    /// Whether this applies to its first move only.
    first: bool,
}

/// Radius of a map that shows a step: its leap, and the next leaps of a ride.
fn shown(step: &ElementaryStep) -> i8 {
    let leap = step.dx.abs().max(step.dy.abs());
    if step.reach > 1 { leap.max(RIDE) } else { leap }
}

/// The squares of the map on which a step can land, one leap after another.
fn landings(step: &ElementaryStep, reach: i8) -> Vec<(i8, i8)> {
    let on = |(x, y): &(i8, i8)| Some((x + step.then.0, y + step.then.1));
    let all = std::iter::successors(Some((step.dx, step.dy)), on).take(usize::from(step.reach.min(7)));
    all.take_while(|(x, y)| x.abs().max(y.abs()) <= reach).collect()
}

fn marks(steps: &[ElementaryStep], reach: i8) -> Vec<Mark> {
    let mut marks: Vec<Mark> = Vec::new();
    for step in steps {
        let over = usize::from(step.hurdle != HopCondition::None);
        for at in landings(step, reach).into_iter().skip(over) {
            match marks.iter_mut().find(|mark| mark.at == at) {
                Some(mark) => {
                    mark.moves |= step.moves;
                    mark.captures |= step.captures;
                    mark.first &= step.first;
                }
                None => marks.push(Mark { at, moves: step.moves, captures: step.captures, first: step.first }),
            }
        }
    }
    marks
}

/// Draws the middle of the map: a crown or a plain square.
fn middle(draw: &mut impl FnMut(std::fmt::Arguments<'_>), royal: bool, cell: f64, ground: &str, ink: &str) {
    let (low, high) = (SIDE / 2.0 - cell / 2.0, SIDE / 2.0 + cell / 2.0);
    if royal {
        let (left, width, top) = (low - 0.9, cell + 1.8, low - 0.9);
        draw(format_args!(
            "<path d=\"M{left:.1} {high:.1}V{top:.1}l{q:.1} {q:.1}l{q:.1} -{q:.1}l{q:.1} {q:.1}l{q:.1} -{q:.1}V{high:.1}z\" fill=\"{ink}\" stroke=\"{ground}\" stroke-width=\".7\" stroke-linejoin=\"round\"/>",
            q = width / 4.0
        ));
    } else {
        let side = cell * 0.8;
        let at = SIDE / 2.0 - side / 2.0;
        draw(format_args!(
            "<rect x=\"{at:.1}\" y=\"{at:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" fill=\"{ground}\" stroke=\"{ink}\" stroke-width=\"1.1\"/>"
        ));
    }
}
