//! Which pieces stand beside the two kings. White owns the extra piece; a position in which Black owns it is looked up with the
//! colours changed.

use std::fmt;

use crate::board::orthodox::{BISHOP, KNIGHT, PAWN, QUEEN, ROOK};

/// The material of an endgame with at most three pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Material {
    /// Two bare kings.
    Bare,
    /// King and knight against king.
    Knight,
    /// King and bishop against king.
    Bishop,
    /// King and rook against king.
    Rook,
    /// King and queen against king.
    Queen,
    /// King and pawn against king.
    Pawn,
}

impl Material {
    /// Every material, each after all those that it can turn into.
    pub const ALL: [Material; 6] =
        [Material::Bare, Material::Knight, Material::Bishop, Material::Rook, Material::Queen, Material::Pawn];

    /// The kind of the extra piece, as an index into the orthodox kinds.
    pub const fn kind(self) -> Option<u8> {
        match self {
            Material::Bare => None,
            Material::Knight => Some(KNIGHT),
            Material::Bishop => Some(BISHOP),
            Material::Rook => Some(ROOK),
            Material::Queen => Some(QUEEN),
            Material::Pawn => Some(PAWN),
        }
    }

    /// The material with an extra piece of an orthodox kind; nothing if that piece is a second king.
    pub fn with(kind: Option<u8>) -> Option<Material> {
        Material::ALL.into_iter().find(|material| material.kind() == kind)
    }

    /// As `KNvK`.
    pub const fn name(self) -> &'static str {
        match self {
            Material::Bare => "KvK",
            Material::Knight => "KNvK",
            Material::Bishop => "KBvK",
            Material::Rook => "KRvK",
            Material::Queen => "KQvK",
            Material::Pawn => "KPvK",
        }
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
