//! Moves in words, for speech: `knight takes pawn on f6, check`.

use super::{
    board::{Board, RoyalRule},
    cube::{CubeKind, CubeMove, CubePosition},
    moves::Move,
    position::Position,
};

impl Board {
    /// A legal move in words, from its standard algebraic notation: `Nbd7+` is `knight from b to d7, check`.
    pub fn spoken(&self, position: &Position, mv: Move, san: &str) -> String {
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
                let victim = self.captured(position, mv).map(|(square, piece)| {
                    let en_passant = if square == mv.to { "" } else { " en passant" };
                    format!("{}{en_passant}", self.kind(piece.kind).name)
                });
                let name = name(&body[..body.len() - squares.len()]);
                moved(name, from.trim_end_matches('x'), to, victim.as_deref(), promotion)
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
    /// A legal move in words, from its algebraic notation: `unicorn from Bb4 takes pawn on Cc5, check`.
    pub fn spoken(&self, mv: CubeMove, san: &str) -> String {
        let Some(piece) = self.piece(mv.from) else { return san.to_owned() };
        let victim = self.piece(mv.to).map(|piece| piece.kind.name());
        let (from, to) = (mv.from.to_string(), mv.to.to_string());
        let words = moved(piece.kind.name(), &from, &to, victim, mv.promotion.map(CubeKind::name));
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

/// A move of a piece; `from` is its origin as far as it is written, and `victim` the captured piece.
fn moved(name: &str, from: &str, to: &str, victim: Option<&str>, promotion: Option<&str>) -> String {
    let becomes = promotion.map_or(String::new(), |name| format!(", promotes to {name}"));
    match (victim, from) {
        (Some(victim), "") => format!("{name} takes {victim} on {to}{becomes}"),
        (Some(victim), from) => format!("{name} from {from} takes {victim} on {to}{becomes}"),
        (None, "") => format!("{name} {to}{becomes}"),
        (None, from) => format!("{name} from {from} to {to}{becomes}"),
    }
}
