//! Silhouettes of designed pieces, from the sprite `static/silhouettes.svg`. Under the pointer or the focus, the map of the moves replaces
//! the silhouette.

use super::{
    asset,
    piece_token::{self, Drawings},
};
use crate::{
    board::{Betza, Color},
    rules::{Diagram, diagram::Designed},
};

/// Symbols of the sprite.
pub const NAMES: [&str; 40] = [
    "anchor",
    "archer",
    "bell",
    "boar",
    "bridge",
    "camel",
    "cannon",
    "cloud",
    "crown",
    "dragon",
    "drum",
    "eagle",
    "elephant",
    "fish",
    "flame",
    "gate",
    "griffin",
    "guard",
    "hammer",
    "hourglass",
    "key",
    "lance",
    "lion",
    "mask",
    "moon",
    "mountain",
    "owl",
    "scroll",
    "shield",
    "ship",
    "snake",
    "star",
    "sun",
    "tower",
    "tree",
    "wagon",
    "wave",
    "wheel",
    "wizard",
    "wolf",
];

/// Silhouettes that a browser has chosen: the piece's notation and a name of [`NAMES`], newest first.
pub type ChosenIcons = Vec<(String, &'static str)>;

/// The name of [`NAMES`] that a text is.
pub fn known(text: &str) -> Option<&'static str> {
    NAMES.into_iter().find(|name| *name == text)
}

/// Longest notation for which a browser can remember a silhouette.
const LONGEST: usize = 64;

/// Whether a browser can remember a silhouette for a notation.
pub fn has_choice(betza: &str) -> bool {
    (1..=LONGEST).contains(&betza.len())
        && betza.bytes().all(|letter| letter.is_ascii_graphic() && !matches!(letter, b'.' | b'='))
}

/// The notation by which a silhouette is kept: the same for every order of the terms.
pub fn key(piece: &Betza) -> String {
    let mut piece = piece.clone();
    piece.terms.sort_by_cached_key(ToString::to_string);
    piece.to_string()
}

/// Gives the designs of a game the silhouettes that the viewer's browser has chosen.
pub fn choose(designs: &mut [Designed], chosen: &ChosenIcons) {
    for design in designs {
        let key = key(&design.piece);
        design.icon = chosen.iter().find(|(betza, _)| *betza == key).map(|(_, name)| *name);
    }
}

/// The silhouette of a piece among the designs of a game. Designs without a chosen silhouette have different ones while there are enough,
/// and a later design changes none of the earlier ones.
pub fn name(designs: &[Designed], piece: &Betza) -> &'static str {
    let wanted = key(piece);
    let mut taken = NAMES.map(|name| designs.iter().any(|design| design.icon == Some(name)));
    let mut free = |betza: &str| {
        let first = betza.bytes().fold(7, |hash, byte| (31 * hash + usize::from(byte)) % 10_007) % NAMES.len();
        let all = (first..NAMES.len()).chain(0..first);
        let found = all.into_iter().find(|place| !taken[*place]).unwrap_or(first);
        taken[found] = true;
        NAMES[found]
    };
    for design in designs {
        let key = key(&design.piece);
        let name = design.icon.unwrap_or_else(|| free(&key));
        if key == wanted {
            return name;
        }
    }
    free(&wanted)
}

/// The pictures of a designed piece of a game; `None` for a well-known piece.
pub fn of(diagram: &Diagram, betza: &str, color: Color) -> Option<Drawings> {
    diagram.design(betza).map(|piece| drawn(&diagram.designs, piece, color))
}

/// The silhouette with a name of [`NAMES`], in White's colours.
pub fn icon(name: &str) -> String {
    format!("<svg class=\"piece\" viewBox=\"0 0 45 45\" aria-hidden=\"true\">{}</svg>", symbol(name, Color::White))
}

fn symbol(name: &str, color: Color) -> String {
    let sprite = asset("silhouettes.svg");
    let (body, line) = match color {
        Color::White => ("--ivory, #fbf2dc", "--ink-wood, #1d1611"),
        Color::Black => ("--ink-wood, #1d1611", "--lining, #e2cf9f"),
    };
    format!(
        "<use href=\"{sprite}#{name}\" fill=\"var({body})\" stroke=\"var(--ink-wood, #1d1611)\" color=\"var({line})\"/>"
    )
}

/// The pictures of a side's piece among the designs of a game.
pub fn drawn(designs: &[Designed], piece: &Betza, color: Color) -> Drawings {
    let symbol = symbol(name(designs, piece), color);
    piece_token::drawn(piece, color).map(|map| {
        let map = map.replacen(" class=\"piece design\"", "", 1);
        format!("<svg class=\"piece silhouette\" viewBox=\"0 0 45 45\" aria-hidden=\"true\">{symbol}{map}</svg>").into()
    })
}
