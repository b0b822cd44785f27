//! Moves in words, for speech: `knight takes f6, check`.

use super::{
    board::{Board, RoyalRule},
    cube::{CubeKind, CubeMove, CubePosition},
};

impl Board {
    /// A move of this board in words, from its standard algebraic notation: `Nbd7+` is `knight from b to d7, check`.
    pub fn spoken(&self, san: &str) -> String {
        let body = san.trim_end_matches(['+', '#']);
        let name = |letter: &str| {
            let kind = letter.chars().next().and_then(|letter| self.kind_of(letter));
            kind.map_or("pawn", |kind| self.kind(kind).name.as_str())
        };
        let mut words = match (body, body.split_once('@')) {
            ("O-O", _) => "castles kingside".to_owned(),
            ("O-O-O", _) => "castles queenside".to_owned(),
            (_, Some((letter, square))) => format!("{} drops on {square}", name(letter)),
            (_, None) => {
                let (body, promotion) = match body.split_once('=') {
                    Some((body, letter)) => (body, Some(name(letter))),
                    None => (body, None),
                };
                let squares = body.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
                let (from, to) = squares.split_at_checked(squares.len().saturating_sub(2)).unwrap_or(("", squares));
                moved(name(&body[..body.len() - squares.len()]), from, to, promotion)
            }
        };
        words.push_str(match (&san[body.len()..], self.royalty) {
            ("+", _) => ", check",
            // An explosion of the king has the same sign.
            ("#", RoyalRule::Check) if !self.explosions => ", checkmate",
            (_, _) => "",
        });
        words
    }
}

impl CubePosition {
    /// A legal move in words, from its algebraic notation: `unicorn from Bb4 takes Cc5, check`.
    pub fn spoken(&self, mv: CubeMove, san: &str) -> String {
        let Some(piece) = self.piece(mv.from) else { return san.to_owned() };
        let takes = if self.piece(mv.to).is_some() { "x" } else { "" };
        let (from, to) = (format!("{}{takes}", mv.from), mv.to.to_string());
        let words = moved(piece.kind.name(), &from, &to, mv.promotion.map(CubeKind::name));
        let sign = if san.ends_with('+') {
            ", check"
        } else if san.ends_with('#') {
            ", checkmate"
        } else {
            ""
        };
        format!("{words}{sign}")
    }
}

/// A move of a piece; `from` is its origin as far as it is written, and `x` for a capture.
fn moved(name: &str, from: &str, to: &str, promotion: Option<&str>) -> String {
    let becomes = promotion.map_or(String::new(), |name| format!(", promotes to {name}"));
    match (from.strip_suffix('x'), from) {
        (Some(""), _) => format!("{name} takes {to}{becomes}"),
        (Some(from), _) => format!("{name} from {from} takes {to}{becomes}"),
        (None, "") => format!("{name} {to}{becomes}"),
        (None, from) => format!("{name} from {from} to {to}{becomes}"),
    }
}
