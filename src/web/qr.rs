//! Links as QR codes: one path over a square of modules, dark on light in every scheme, as cameras want it.

use qrcode::{Color, QrCode};
use std::fmt::Write;

/// The light modules around a code, as its standard asks for.
const MARGIN: usize = 4;

/// A code to be drawn.
pub struct Qr {
    /// The modules of a side, with the margin.
    side: usize,
    /// The dark modules, as the data of a path.
    path: String,
}

/// The code of a link; none for a text that is too long for one.
pub fn qr(link: &str) -> Option<Qr> {
    let code = QrCode::new(link).ok()?;
    let width = code.width();
    let mut path = String::new();
    for (y, row) in code.to_colors().chunks(width).enumerate() {
        let mut x = 0;
        for run in row.chunk_by(|one, other| one == other) {
            if run[0] == Color::Dark {
                // Writing to a string does not fail.
                let _ = write!(path, "M{} {}h{}v1h-{}z", x + MARGIN, y + MARGIN, run.len(), run.len());
            }
            x += run.len();
        }
    }
    Some(Qr { side: width + 2 * MARGIN, path })
}

impl Qr {
    /// The drawing.
    pub fn svg(&self) -> String {
        let Qr { side, path } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" role=\"img\" \
             aria-label=\"The link as a QR code\"><path fill=\"#fff\" d=\"M0 0h{side}v{side}H0z\"/><path d=\"{path}\"/></svg>"
        )
    }
}
