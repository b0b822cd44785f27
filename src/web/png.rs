//! PNG images of positions and pieces. Without the feature `pictures` the server has only SVG images.

#[cfg(feature = "pictures")]
mod renderer;

#[cfg(feature = "pictures")]
pub use renderer::render;
#[cfg(feature = "pictures")]
pub(super) use renderer::width;

/// Refuses: this server has no PNG images.
///
/// # Errors
/// 501, always.
#[cfg(not(feature = "pictures"))]
pub fn render(_: &[String]) -> Result<Vec<u8>, super::error::Error> {
    Err(super::error::Error::new(
        super::error::Kind::Format,
        "This server was built without PNG images. Use the SVG image.",
    ))
}

/// Always 0: without fonts, no line is scaled down.
#[cfg(not(feature = "pictures"))]
pub(super) fn width(_: &str, _: super::position_picture::Type) -> f32 {
    0.0
}
