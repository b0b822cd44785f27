//! Drawings as pixels in the format PNG. It takes some milliseconds of a processor, in steps of a fraction of one: between them whoever
//! waits for a page goes first.

use super::picture;
use crate::play::give_way;
use png::{BitDepth, ColorType, Encoder, EncodingError};
use resvg::{
    tiny_skia::{Pixmap, PixmapMut, Transform},
    usvg::{Group, Node, Tree},
};
use std::io::Write;

/// The rows of a picture that are packed in one step.
const ROWS: usize = 16;

/// Turns drawings of one size, laid one over the other, into pixels.
///
/// # Errors
/// In words, if one of them is no drawing, or there is none: a fault of ours.
pub fn png(sheets: &[String]) -> Result<Vec<u8>, String> {
    let mut pixels: Option<Pixmap> = None;
    for sheet in sheets {
        let tree = Tree::from_str(sheet, picture::options()).map_err(|wrong| wrong.to_string())?;
        give_way();
        let size = tree.size().to_int_size();
        let pixels = match &mut pixels {
            Some(pixels) => pixels,
            none => none.insert(Pixmap::new(size.width(), size.height()).ok_or("a picture without a size")?),
        };
        draw(tree.root(), Transform::identity(), &mut pixels.as_mut());
    }
    packed(&pixels.ok_or("a picture of nothing")?).map_err(|wrong| wrong.to_string())
}

/// Draws what a group consists of, one part after the other.
fn draw(group: &Group, transform: Transform, pixels: &mut PixmapMut<'_>) {
    for node in group.children() {
        match node {
            Node::Group(inner) if !inner.should_isolate() => {
                draw(inner, transform.pre_concat(inner.transform()), pixels);
            }
            node => {
                if let Some(bounds) = node.abs_layer_bounding_box() {
                    // A part alone would be drawn into the corner.
                    resvg::render_node(node, transform.pre_translate(bounds.x(), bounds.y()), pixels);
                }
                give_way();
            }
        }
    }
}

/// Packs a picture, some rows at a time.
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
