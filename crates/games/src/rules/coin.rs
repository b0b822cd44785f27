//! What a coin says that names a colour.

use super::refusal::Refusal;
use crate::board::Color;

/// The word before the colour.
pub const WORD: &str = "coin";

/// Reads the colour, which begins at a byte of what was said.
///
/// # Errors
/// If it is none.
pub fn color(at: usize, text: &str) -> Result<Color, Refusal> {
    text.parse().map_err(|_| Refusal::at(at, "the coin says white or black"))
}
