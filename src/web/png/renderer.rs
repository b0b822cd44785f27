//! PNG images, rendered from SVG. Rendering runs in short steps and yields between them, so that page requests go first.

use crate::{
    play::give_way,
    web::{
        error::Error,
        position_picture::{Type, text},
    },
};
use png::{BitDepth, ColorType, Encoder, EncodingError};
use resvg::{
    tiny_skia::{Pixmap, PixmapMut, Transform},
    usvg::{self, Group, Node, Tree},
};
use std::{io::Write as _, sync::LazyLock};

/// Rendering options. They load only the bundled fonts, so that an image is the same on every system.
static OPTIONS: LazyLock<usvg::Options<'static>> = LazyLock::new(|| {
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_font_data(include_bytes!("../../../fonts/DejaVuSerifCondensed.ttf").to_vec());
    fonts.load_font_data(include_bytes!("../../../fonts/DejaVuSerifCondensed-Bold.ttf").to_vec());
    options
});

/// Number of image rows compressed in one step.
const ROWS: usize = 16;

/// Width of a line of text.
pub(in crate::web) fn width(words: &str, kind: Type) -> f32 {
    give_way();
    let line = format!("<svg xmlns=\"http://www.w3.org/2000/svg\">{}</svg>", text(words, (0.0, 0.0), "start", kind));
    usvg::Tree::from_str(&line, &OPTIONS).map_or(0.0, |tree| tree.root().abs_bounding_box().width())
}

/// Renders SVG documents of one size over each other, as PNG.
///
/// # Errors
/// 500 if a document is invalid, or if there is none. Both are bugs of the caller.
pub fn render(sheets: &[String]) -> Result<Vec<u8>, Error> {
    let mut pixels: Option<Pixmap> = None;
    for sheet in sheets {
        let tree = Tree::from_str(sheet, &OPTIONS).map_err(Error::broken)?;
        give_way();
        let size = tree.size().to_int_size();
        let pixels = match &mut pixels {
            Some(pixels) => pixels,
            none => none.insert(
                Pixmap::new(size.width(), size.height()).ok_or_else(|| Error::broken("a picture without a size"))?,
            ),
        };
        draw(tree.root(), Transform::identity(), &mut pixels.as_mut());
    }
    packed(&pixels.ok_or_else(|| Error::broken("a picture of nothing"))?).map_err(Error::broken)
}

/// Draws the nodes of a group, yielding after each.
fn draw(group: &Group, transform: Transform, pixels: &mut PixmapMut<'_>) {
    for node in group.children() {
        match node {
            Node::Group(inner) if !inner.should_isolate() => {
                draw(inner, transform.pre_concat(inner.transform()), pixels);
            }
            node => {
                if let Some(bounds) = node.abs_layer_bounding_box() {
                    // `render_node` moves a node to the origin; this moves it back.
                    resvg::render_node(node, transform.pre_translate(bounds.x(), bounds.y()), pixels);
                }
                give_way();
            }
        }
    }
}

/// Encodes an image as PNG, some rows at a time.
fn packed(pixels: &Pixmap) -> Result<Vec<u8>, EncodingError> {
    let mut packed = Vec::new();
    let mut encoder = Encoder::new(&mut packed, pixels.width(), pixels.height());
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    let mut rows = writer.stream_writer()?;
    for some in pixels.pixels().chunks(ROWS * pixels.width() as usize) {
        let plain = some.iter().map(|pixel| pixel.demultiply());
        let bytes: Vec<u8> =
            plain.flat_map(|color| [color.red(), color.green(), color.blue(), color.alpha()]).collect();
        rows.write_all(&bytes)?;
        give_way();
    }
    rows.finish()?;
    writer.finish()?;
    Ok(packed)
}
