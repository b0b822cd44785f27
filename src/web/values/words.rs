//! Materials in words.

use crate::richman::Material;

/// The material as a heading.
pub(in crate::web) fn title(material: Material) -> &'static str {
    match material {
        Material::Bare => "Bare kings",
        Material::Knight => "Knight",
        Material::Bishop => "Bishop",
        Material::Rook => "Rook",
        Material::Queen => "Queen",
        Material::Pawn => "Pawn",
    }
}

/// The extra piece within a sentence.
pub(in crate::web) fn name(material: Material) -> &'static str {
    match material {
        Material::Bare => "bare kings",
        Material::Knight => "a knight",
        Material::Bishop => "a bishop",
        Material::Rook => "a rook",
        Material::Queen => "a queen",
        Material::Pawn => "a pawn",
    }
}
