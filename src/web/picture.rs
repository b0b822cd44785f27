//! Positions as pictures: vectors, and pixels for the previews of links. Pieces come from our own sprite; letters are strokes of
//! our own, so that no font is needed anywhere.

use crate::{
    board::{Size, Square},
    rules::{Diagram, diagram::Unit},
};
use resvg::{tiny_skia, usvg};
use std::fmt::Write;

/// The drawings of the pieces, one symbol each.
const SPRITE: &str = include_str!("../../static/pieces.svg");
/// The side of a square.
const SIDE: usize = 45;
/// The width of the frame, where the coordinates stand.
const EDGE: usize = 16;
/// Width and height of a preview in pixels, as the sites that show previews want them.
pub const CARD: (u32, u32) = (1200, 630);

const PAPER: &str = "#fbf5e6";
const INK: &str = "#241a12";
const ASIDE: &str = "#59493a";
const LIGHT: &str = "#f0e2c0";
const DARK: &str = "#93a88d";
const MARK: &str = "#0c4a33";
const FRAME: &str = "#3a2a1b";
const ON_FRAME: &str = "#f3e6c8";

/// The strokes of a character in a box 4 wide and 6 high; none for one that has no drawing.
fn strokes(letter: char) -> Option<&'static str> {
    Some(match letter.to_ascii_uppercase() {
        'A' => "M0 6L2 0L4 6M.7 4H3.3",
        'B' => "M0 0V6H2.5A1.5 1.6 0 0 0 2.5 2.8H0M2.3 2.8A1.4 1.4 0 0 0 2.3 0H0",
        'C' => "M4 1.1A2.2 2.9 0 1 0 4 4.9",
        'D' => "M0 0V6H1.4A2.6 3 0 0 0 1.4 0Z",
        'E' => "M3.6 0H0V6H3.6M0 3H2.8",
        'F' => "M3.6 0H0V6M0 3H2.8",
        'G' => "M4 1.1A2.2 2.9 0 1 0 4 4.9V3.2H2.4",
        'H' => "M0 0V6M4 0V6M0 3H4",
        'I' => "M2 0V6",
        'J' => "M3.4 0V4.3A1.7 1.7 0 0 1 0 4.4",
        'K' => "M0 0V6M4 0L0 3.6M1.4 2.4L4 6",
        'L' => "M0 0V6H3.6",
        'M' => "M0 6V0L2 3.6L4 0V6",
        'N' => "M0 6V0L4 6V0",
        'O' => "M2 0A2 3 0 0 0 2 6A2 3 0 0 0 2 0Z",
        'P' => "M0 6V0H2.4A1.6 1.7 0 0 1 2.4 3.4H0",
        'Q' => "M2 0A2 3 0 0 0 2 6A2 3 0 0 0 2 0ZM2.4 4.2L4 6.2",
        'R' => "M0 6V0H2.4A1.6 1.6 0 0 1 2.4 3.2H0M2 3.2L4 6",
        'S' => "M3.7 1A1.9 1.6 0 1 0 2 3A1.8 1.5 0 1 1 .2 5",
        'T' => "M0 0H4M2 0V6",
        'U' => "M0 0V4A2 2 0 0 0 4 4V0",
        'V' => "M0 0L2 6L4 0",
        'W' => "M0 0L1 6L2 2.4L3 6L4 0",
        'X' => "M0 0L4 6M4 0L0 6",
        'Y' => "M0 0L2 3L4 0M2 3V6",
        'Z' => "M0 0H4L0 6H4",
        '0' => "M2 0A1.8 3 0 0 0 2 6A1.8 3 0 0 0 2 0Z",
        '1' => "M.8 1.2L2.2 0V6",
        '2' => "M.3 1.5A1.75 1.6 0 1 1 3.2 2.7L.2 6H3.9",
        '3' => "M.4 0H3.6L1.8 2.4A1.8 1.8 0 1 1 .2 5",
        '4' => "M3 6V0L.1 4.2H4",
        '5' => "M3.6 0H.7L.4 2.7A1.9 1.75 0 1 1 .2 5.2",
        '6' => "M3.4 .6A2.4 3 0 0 0 .2 4A1.8 1.9 0 1 0 .4 3.3",
        '7' => "M.2 0H3.8L1.4 6",
        '8' => "M2 2.8A1.5 1.4 0 1 1 2 0A1.5 1.4 0 1 1 2 2.8A1.8 1.6 0 1 1 2 6A1.8 1.6 0 1 1 2 2.8",
        '9' => "M.6 5.4A2.4 3 0 0 0 3.8 2A1.8 1.9 0 1 0 3.6 2.7",
        '-' | '–' => "M.8 3.2H3.2",
        '.' => "M2 5.9V6",
        ',' => "M2 5.6L1.5 6.8",
        ':' => "M2 2V2.1M2 5.4V5.5",
        '’' | '\'' => "M2.2 0L1.9 1.2",
        '/' => "M.4 6.4L3.6 -.4",
        '½' => "M.2 .4L.8 0V2.6M0 5.4L4 .6M2.6 3.8A.7 .7 0 1 1 3.8 4.4L2.6 6H4",
        ' ' => "",
        _ => return None,
    })
}

/// Whether every character of a text can be drawn.
fn drawable(text: &str) -> bool {
    text.chars().all(|letter| strokes(letter).is_some())
}

/// A line of text as strokes: its left end and the foot of its letters, their height, and where the line is told to end.
fn text(svg: &mut String, words: &str, (x, y): (f32, f32), height: f32, color: &str, widest: f32) {
    let count = words.chars().count() as f32;
    let unit = (height / 6.0).min(widest / (count * 5.4).max(1.0));
    let _ = write!(
        svg,
        "<g transform=\"translate({x} {}) scale({unit})\" fill=\"none\" stroke=\"{color}\" stroke-width=\".75\" \
         stroke-linecap=\"round\" stroke-linejoin=\"round\">",
        y - 6.0 * unit
    );
    for (index, letter) in words.chars().enumerate() {
        if let Some(path) = strokes(letter).filter(|path| !path.is_empty()) {
            let _ = write!(svg, "<path transform=\"translate({} 0)\" d=\"{path}\"/>", index as f32 * 5.4);
        }
    }
    svg.push_str("</g>");
}

/// A symbol of the sprite.
fn symbol(id: &str) -> Option<&'static str> {
    let start = SPRITE.find(&format!("<symbol id=\"{id}\""))?;
    let end = SPRITE[start..].find("</symbol>")? + "</symbol>".len();
    Some(&SPRITE[start..start + end])
}

/// The board alone: its width and height, and the drawing.
fn board(diagram: &Diagram) -> (usize, usize, String) {
    let size = Size::new(diagram.width, diagram.height).unwrap_or(Size::ORTHODOX);
    let (columns, rows) = (usize::from(size.width()), usize::from(size.height()));
    let (width, height) = (columns * SIDE + 2 * EDGE, rows * SIDE + 2 * EDGE);
    let corner = |square: Square| {
        (EDGE + usize::from(square.file()) * SIDE, EDGE + (rows - 1 - usize::from(square.rank())) * SIDE)
    };
    let mut svg = format!("<rect width=\"{width}\" height=\"{height}\" rx=\"3\" fill=\"{FRAME}\"/><defs>");
    let mut drawn: Vec<String> = Vec::new();
    for unit in &diagram.pieces {
        let id = format!("{}-{}", unit.color.name(), unit.name);
        if let Some(symbol) = symbol(&id).filter(|_| !drawn.contains(&id)) {
            svg.push_str(symbol);
            drawn.push(id);
        }
    }
    svg.push_str("</defs>");
    for rank in 0..size.height() {
        for file in 0..size.width() {
            let square = Square::new(file, rank);
            let (x, y) = corner(square);
            let color = if square.dark() { DARK } else { LIGHT };
            let _ = write!(svg, "<path fill=\"{color}\" d=\"M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z\"/>");
            if diagram.last.contains(&square) {
                let (near, far) = (2, SIDE - 2);
                let _ = write!(
                    svg,
                    "<path transform=\"translate({x} {y})\" fill=\"none\" stroke=\"{MARK}\" stroke-width=\"4\" \
                     d=\"M{near} 12V{near}H12M33 {near}H{far}V12M{far} 33V{far}H33M12 {far}H{near}V33\"/>"
                );
            }
            if diagram.check.contains(&square) {
                let _ = write!(
                    svg,
                    "<rect x=\"{}\" y=\"{}\" width=\"41\" height=\"41\" fill=\"none\" stroke=\"#9c1c1a\" stroke-width=\"4\"/>",
                    x + 2,
                    y + 2
                );
            }
            if let Some(unit) = diagram.unit(square) {
                piece(&mut svg, unit, diagram.token(&unit.betza, unit.color).map(|token| &*token[0]), (x, y));
            }
        }
    }
    let (side, edge) = (SIDE as f32, EDGE as f32);
    for file in 0..size.width() {
        let name = char::from(b'a' + file).to_string();
        let at = (edge + (f32::from(file) + 0.5) * side - 2.7, height as f32 - 4.0);
        text(&mut svg, &name, at, 8.0, ON_FRAME, side);
    }
    for rank in 0..size.height() {
        let at = (5.0, edge + (f32::from(size.height() - 1 - rank) + 0.5) * side + 4.0);
        text(&mut svg, &(rank + 1).to_string(), at, 8.0, ON_FRAME, side);
    }
    (width, height, svg)
}

/// A unit on its square: its drawing in the sprite, its own, or a token with its name.
fn piece(svg: &mut String, unit: &Unit, token: Option<&str>, (x, y): (usize, usize)) {
    let id = format!("{}-{}", unit.color.name(), unit.name);
    if symbol(&id).is_some() {
        let _ = write!(svg, "<use href=\"#{id}\" x=\"{}\" y=\"{}\" width=\"42\" height=\"42\"/>", x + 1, y + 1);
        return;
    }
    if let Some(inside) = token.and_then(|token| token.strip_prefix("<svg ")) {
        let _ = write!(svg, "<svg x=\"{}\" y=\"{}\" width=\"42\" height=\"42\" {inside}", x + 1, y + 1);
        return;
    }
    let (fill, ink) = match unit.color {
        crate::rules::Side::White => ("#fbf2dc", "#1d1611"),
        crate::rules::Side::Black => ("#1d1611", "#e2cf9f"),
    };
    let _ = write!(
        svg,
        "<circle cx=\"{}\" cy=\"{}\" r=\"19\" fill=\"{fill}\" stroke=\"{ink}\" stroke-width=\"1.6\"/>",
        x as f32 + 22.5,
        y as f32 + 22.5
    );
    let name: String = unit.name.chars().filter(|letter| strokes(*letter).is_some()).collect();
    let wide = (name.chars().count() as f32 * 5.4 * 1.5).min(32.0);
    text(svg, &name, (x as f32 + 22.5 - wide / 2.0, y as f32 + 27.0), 9.0, ink, 32.0);
}

/// A position as vectors.
pub fn svg(diagram: &Diagram) -> String {
    let (width, height, board) = board(diagram);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">{board}</svg>"
    )
}

/// A position with some words beside it, as vectors in the shape of a preview: the first line is the title.
pub fn card(diagram: &Diagram, lines: &[String]) -> String {
    let (width, height, board) = board(diagram);
    let scale = 590.0 / width.max(height) as f32;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\
         <rect width=\"{0}\" height=\"{1}\" fill=\"{PAPER}\"/><g transform=\"translate({2} {3}) scale({scale})\">{board}</g>",
        CARD.0,
        CARD.1,
        20.0 + (590.0 - width as f32 * scale) / 2.0,
        20.0 + (590.0 - height as f32 * scale) / 2.0,
    );
    let mut y = 150.0;
    for (index, line) in lines.iter().filter(|line| drawable(line)).enumerate() {
        let (high, color) = if index == 0 { (46.0, INK) } else { (26.0, ASIDE) };
        text(&mut svg, line, (660.0, y), high, color, 490.0);
        y += if index == 0 { 80.0 } else { 56.0 };
    }
    let _ = write!(svg, "<path stroke=\"{MARK}\" stroke-width=\"3\" d=\"M660 556H1150M660 563H1150\"/>");
    text(&mut svg, "Zorkmid", (660.0, 604.0), 24.0, INK, 490.0);
    svg.push_str("</svg>");
    svg
}

/// Vectors as pixels in the format PNG. It takes some milliseconds of a processor.
///
/// # Errors
/// In words, if the drawing is none: a fault of ours.
pub fn png(svg: &str) -> Result<Vec<u8>, String> {
    let tree = usvg::Tree::from_str(svg, &usvg::Options::default()).map_err(|wrong| wrong.to_string())?;
    let size = tree.size().to_int_size();
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height()).ok_or("a picture without a size")?;
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixels.as_mut());
    pixels.encode_png().map_err(|wrong| wrong.to_string())
}
