//! The two colours as views and options write them.

use crate::{board::Color, words};

words! {
    /// A colour as it is written in views and options.
    pub enum Side {
        White = "white": "White",
        Black = "black": "Black",
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Self {
        match color {
            Color::White => Side::White,
            Color::Black => Side::Black,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}
