//! Words in pictures, in the fonts of `fonts/`.

use std::sync::LazyLock;

use askama::filters;
use resvg::usvg;

use crate::play::give_way;

/// The typeface of all words, for browsers with what comes next to it.
const TYPEFACE: &str = "font-family=\"DejaVu Serif Condensed, DejaVu Serif, Georgia, serif\" font-weight";

/// Settings for making pixels: with our own fonts and with none of the system's, so that a picture is the same everywhere.
static OPTIONS: LazyLock<usvg::Options<'static>> = LazyLock::new(|| {
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_font_data(include_bytes!("../../../fonts/DejaVuSerifCondensed.ttf").to_vec());
    fonts.load_font_data(include_bytes!("../../../fonts/DejaVuSerifCondensed-Bold.ttf").to_vec());
    options
});

/// Words as they are set: their height, their weight and their colour.
#[derive(Clone, Copy)]
pub(super) struct Type {
    pub(super) size: f32,
    pub(super) weight: u16,
    pub(super) color: &'static str,
}

/// A line of text that begins at its left end, or has its middle, at a point of its foot.
pub(super) fn text(words: &str, (x, y): (f32, f32), anchor: &str, Type { size, weight, color }: Type) -> String {
    let words = filters::escape(words, filters::Html).map(|words| words.to_string()).unwrap_or_default();
    format!(
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\" {TYPEFACE}=\"{weight}\" font-size=\"{size}\" fill=\"{color}\">{words}</text>"
    )
}

/// The settings with which words become pixels.
pub(in crate::web) fn options() -> &'static usvg::Options<'static> {
    &OPTIONS
}

/// Measures how wide a line is when it is set.
fn width(words: &str, kind: Type) -> f32 {
    give_way();
    let line = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{}</svg>", text(words, (0.0, 0.0), "start", kind));
    usvg::Tree::from_str(&line, &OPTIONS).map_or(0.0, |tree| tree.root().abs_bounding_box().width())
}

/// A line of text in letters that are as small as it takes for all of them to have room.
pub(super) fn fitted(words: &str, at: (f32, f32), room: f32, kind: Type) -> String {
    let size = kind.size * (room / width(words, kind)).min(1.0);
    text(words, at, "start", Type { size, ..kind })
}
