//! Drawings of positions: SVG, and PNG for link previews. Pieces come from the sprite `static/pieces.svg`. Text in PNG uses the fonts in
//! `fonts/`; missing glyphs appear as boxes.

use super::{piece_token, png};
use crate::{
    board::{BoardLocation, Size, Square, Squares},
    rules::{Diagram, diagram::PieceView},
};
use askama::filters;
use std::fmt::Write as _;

/// Sprite with one symbol for each piece.
const SPRITE: &str = include_str!("../../static/pieces.svg");
/// Side of a square.
const SIDE: usize = 45;
/// Width of the frame, which holds the coordinates.
const EDGE: usize = 16;
/// Width and height of a link preview in pixels, in the aspect ratio that social media sites recommend.
pub const CARD: (u32, u32) = (1200, 630);

const PAPER: &str = "#fbf5e6";
const INK: &str = "#241a12";
const ASIDE: &str = "#59493a";
const LIGHT: &str = "#f0e2c0";
const DARK: &str = "#93a88d";
const MARK: &str = "#0c4a33";
const FOG: &str = "#1d1611";
const FRAME: &str = "#3a2a1b";
const ON_FRAME: &str = "#f3e6c8";

/// Empty sets of destinations, for a diagram without move marks.
pub const NOWHERE: [Squares; 2] = [Squares::EMPTY; 2];

/// Font of all text, with fallbacks for browsers.
const TYPEFACE: &str = "font-family=\"DejaVu Serif Condensed, DejaVu Serif, Georgia, serif\" font-weight";

/// Disables clipping of a symbol. The drawings stay inside their boxes anyway, and the renderer saves a mask for each piece.
fn unmasked(symbol: &str) -> String {
    symbol.replacen("<symbol ", "<symbol overflow=\"visible\" ", 1)
}

/// Source of a symbol in the sprite.
fn symbol(id: &str) -> Option<&'static str> {
    let start = SPRITE.find(&format!("<symbol id=\"{id}\""))?;
    let end = SPRITE[start..].find("</symbol>")? + "</symbol>".len();
    Some(&SPRITE[start..start + end])
}

/// Drawing in layers, lowest first: squares with pieces and marks, file names, rank names. PNG rendering draws each layer separately, so
/// that no single step takes long.
type Layers = [String; 3];

/// Draws the board. Returns its width, height and layers. The squares in `reach` (moves, captures) are marked: a dot for both, a ring for
/// moves only, a cross for captures only. Several levels are placed in a row.
fn board(diagram: &Diagram, reach: &[Squares; 2]) -> (usize, usize, Layers) {
    let size = Size::new(diagram.width, diagram.height).unwrap_or(Size::ORTHODOX);
    let (width, height) = (usize::from(size.width()) * SIDE + 2 * EDGE, usize::from(size.height()) * SIDE + 2 * EDGE);
    let mut svg = "<defs>".to_owned();
    let mut drawn: Vec<String> = Vec::new();
    for unit in &diagram.pieces {
        let id = format!("{}-{}", unit.color.name(), unit.name);
        if let Some(symbol) = symbol(&id).filter(|_| !drawn.contains(&id)) {
            svg.push_str(&unmasked(symbol));
            drawn.push(id);
        }
    }
    if diagram.duck.is_some() {
        svg.extend(symbol("duck").map(unmasked));
    }
    svg.push_str("</defs>");
    let mut layers = [svg, String::new(), String::new()];
    let levels = usize::from(diagram.levels);
    if levels == 1 {
        level(&mut layers, diagram, size, None, reach);
        return (width, height, layers);
    }
    for number in 0..diagram.levels {
        for layer in &mut layers {
            let _ = write!(layer, "<g transform=\"translate({} 0)\">", usize::from(number) * (width + EDGE / 2));
        }
        level(&mut layers, diagram, size, Some(number), reach);
        for layer in &mut layers {
            layer.push_str("</g>");
        }
    }
    (levels * width + (levels - 1) * EDGE / 2, height, layers)
}

/// Draws a flat board, or one level of a board.
fn level(
    [svg, files, ranks]: &mut Layers,
    diagram: &Diagram,
    size: Size,
    level: Option<u8>,
    [moves, captures]: &[Squares; 2],
) {
    let (columns, rows) = (usize::from(size.width()), usize::from(size.height()));
    let (width, height) = (columns * SIDE + 2 * EDGE, rows * SIDE + 2 * EDGE);
    let corner = |square: Square| {
        (EDGE + usize::from(square.file()) * SIDE, EDGE + (rows - 1 - usize::from(square.rank())) * SIDE)
    };
    let _ = write!(svg, "<rect width=\"{width}\" height=\"{height}\" rx=\"3\" fill=\"{FRAME}\"/>");
    for rank in 0..size.height() {
        for file in 0..size.width() {
            let square = Square::new(file, rank);
            let (x, y) = corner(square);
            let spot = BoardLocation { level, square };
            let color = if spot.dark() { DARK } else { LIGHT };
            let _ = write!(svg, "<path fill=\"{color}\" d=\"M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z\"/>");
            if diagram.fog.contains(&square) {
                let _ = write!(
                    svg,
                    "<path fill=\"{FOG}\" fill-opacity=\".6\" d=\"M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z\"/>\
                     <path stroke=\"{FOG}\" stroke-width=\"3\" d=\"M{x} {far}L{right} {y}M{x} {mid}L{center} {y}M{center} {far}L{right} {mid}\"/>",
                    far = y + SIDE,
                    right = x + SIDE,
                    mid = y + SIDE / 2,
                    center = x + SIDE / 2,
                );
            }
            if diagram.last.contains(&spot) {
                let (near, far) = (2, SIDE - 2);
                let _ = write!(
                    svg,
                    "<path transform=\"translate({x} {y})\" fill=\"none\" stroke=\"{MARK}\" stroke-width=\"4\" \
                     d=\"M{near} 12V{near}H12M33 {near}H{far}V12M{far} 33V{far}H33M12 {far}H{near}V33\"/>"
                );
            }
            if diagram.check.contains(&spot) {
                let _ = write!(
                    svg,
                    "<rect x=\"{}\" y=\"{}\" width=\"41\" height=\"41\" fill=\"none\" stroke=\"#9c1c1a\" stroke-width=\"4\"/>",
                    x + 2,
                    y + 2
                );
            }
            if diagram.duck == Some(square) {
                let _ = write!(svg, "<use href=\"#duck\" x=\"{}\" y=\"{}\" width=\"42\" height=\"42\"/>", x + 1, y + 1);
            }
            if let Some(unit) = diagram.unit(spot) {
                let drawings = diagram.design(&unit.betza).map(|piece| piece_token::drawn(piece, unit.color.into()));
                piece(svg, unit, drawings.as_ref().map(|[drawing, _]| &**drawing), (x, y));
            }
        }
    }
    let (side, edge) = (SIDE as f32, EDGE as f32);
    for square in *moves | *captures {
        let (x, y) = corner(square);
        let (x, y) = (x as f32 + 22.5, y as f32 + 22.5);
        let sign = match (moves.has(square), captures.has(square)) {
            (true, true) => format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"7.5\" fill=\"{MARK}\"/>"),
            (true, false) => {
                format!("<circle cx=\"{x}\" cy=\"{y}\" r=\"6\" fill=\"none\" stroke=\"{MARK}\" stroke-width=\"3\"/>")
            }
            (false, _) => {
                format!(
                    "<path d=\"M{} {}l13 13m0 -13l-13 13\" stroke=\"{MARK}\" stroke-width=\"4\"/>",
                    x - 6.5,
                    y - 6.5
                )
            }
        };
        svg.push_str(&sign);
    }
    let small = Type { size: 11.0, weight: 400, color: ON_FRAME };
    for file in 0..size.width() {
        let name = char::from(b'a' + file).to_string();
        let at = (edge + (f32::from(file) + 0.5) * side, height as f32 - 4.5);
        files.push_str(&text(&name, at, "middle", small));
    }
    for rank in 0..size.height() {
        let at = (edge / 2.0, edge + (f32::from(size.height() - 1 - rank) + 0.5) * side + 4.0);
        ranks.push_str(&text(&(rank + 1).to_string(), at, "middle", small));
    }
    if let Some(level) = level {
        files.push_str(&text(
            &BoardLocation::letter(level).to_string(),
            (width as f32 / 2.0, 12.0),
            "middle",
            Type { weight: 700, ..small },
        ));
    }
}

/// Draws a piece on its square: its symbol in the sprite, its generated token, or a disc with its name.
fn piece(svg: &mut String, unit: &PieceView, token: Option<&str>, (x, y): (usize, usize)) {
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
    let room = if unit.name.len() > 4 { " textLength=\"33\" lengthAdjust=\"spacingAndGlyphs\"" } else { "" };
    let line =
        text(&unit.name, (x as f32 + 22.5, y as f32 + 26.5), "middle", Type { size: 12.0, weight: 700, color: ink });
    svg.push_str(&line.replacen("<text", &format!("<text{room}"), 1));
}

/// Wraps SVG elements into a complete document.
fn sheet((width, height): (usize, usize), inside: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">{inside}</svg>"
    )
}

/// Draws a position as SVG, and marks the squares of `reach` (moves, captures).
pub fn svg(diagram: &Diagram, reach: &[Squares; 2]) -> String {
    let (width, height, board) = board(diagram, reach);
    sheet((width, height), &board.concat())
}

/// Draws a link preview: a position with text, whose first line is the title. Returns several SVG documents to overlay in order, so that
/// no single rendering step takes long.
pub fn card(diagram: &Diagram, reach: &[Squares; 2], lines: &[String]) -> Vec<String> {
    let (width, height, board) = board(diagram, reach);
    // A row of levels goes above the text; a flat board goes to its left.
    let (scale, x, top, left, room) = if diagram.levels > 1 {
        (1160.0 / width as f32, 20.0, 312.0, 20.0, 1160.0)
    } else {
        let scale = 590.0 / width.max(height) as f32;
        (scale, 20.0 + (590.0 - width as f32 * scale) / 2.0, 150.0, 660.0, 490.0)
    };
    let above = if diagram.levels > 1 { 30.0 } else { 20.0 + (590.0 - height as f32 * scale) / 2.0 };
    let (wide, high) = (CARD.0 as usize, CARD.1 as usize);
    let card = |inside: &str| sheet((wide, high), inside);
    let paper = format!(
        "<rect width=\"{wide}\" height=\"{high}\" fill=\"{PAPER}\"/>\
         <path stroke=\"{MARK}\" stroke-width=\"3\" d=\"M660 556H1150M660 563H1150\"/>{}",
        text("Zorkmid", (660.0, 606.0), "start", Type { size: 30.0, weight: 700, color: INK })
    );
    let placed = |layer: String| format!("<g transform=\"translate({x} {above}) scale({scale})\">{layer}</g>");
    let mut sheets = vec![card(&paper)];
    sheets.extend(board.map(|layer| card(&placed(layer))));
    let mut y = top;
    for (index, line) in lines.iter().enumerate() {
        let (size, weight, color, below) = if index == 0 { (54.0, 700, INK, 74.0) } else { (34.0, 400, ASIDE, 54.0) };
        // The lower right corner holds the name of the site.
        let room = if y > 540.0 { f32::min(room, 620.0) } else { room };
        sheets.push(card(&fitted(line, (left, y), room, Type { size, weight, color })));
        y += below;
    }
    sheets
}

/// Type style: size, weight and colour.
#[derive(Clone, Copy)]
pub(super) struct Type {
    pub(super) size: f32,
    pub(super) weight: u16,
    pub(super) color: &'static str,
}

/// SVG line of text at a point of its baseline. `anchor` is the value of `text-anchor`: the start or the middle of the line.
pub(super) fn text(words: &str, (x, y): (f32, f32), anchor: &str, Type { size, weight, color }: Type) -> String {
    let words = filters::escape(words, filters::Html).map(|words| words.to_string()).unwrap_or_default();
    format!(
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" {TYPEFACE}=\"{weight}\" font-size=\"{size}\" fill=\"{color}\">{words}</text>"
    )
}

/// Line of text, scaled down if it is wider than `room`.
fn fitted(words: &str, at: (f32, f32), room: f32, kind: Type) -> String {
    let size = kind.size * (room / png::width(words, kind)).min(1.0);
    text(words, at, "start", Type { size, ..kind })
}
