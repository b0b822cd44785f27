//! Positions written as FEN.

use std::iter::repeat_n;

use super::{DRESS, DUCK, PROMOTED};
use crate::{Board, Color, Position, Square, Squares};

impl Board {
    /// The six fields of a position.
    pub fn fen(&self, position: &Position) -> String {
        let turn = if position.turn == Color::White { 'w' } else { 'b' };
        let passant = position.en_passant.last().map_or("-".to_owned(), |square| square.to_string());
        let (mut placement, rights) = (self.placement_fen(position), self.rights_fen(position));
        if self.holdings {
            placement += &self.holdings_fen(position);
        }
        format!("{placement} {turn} {rights} {passant} {} {}", position.halfmove, position.fullmove)
    }

    /// The first field of a FEN: the ranks from the top.
    pub fn placement_fen(&self, position: &Position) -> String {
        let mut text = String::with_capacity(72);
        let run = |text: &mut String, empty: u8| {
            if empty > 0 {
                text.push((b'0' + empty) as char);
            }
        };
        for rank in (0..self.size().height()).rev() {
            let mut next = 0;
            for square in position.occupied() & Squares::rank(rank) {
                run(&mut text, square.file() - next);
                next = square.file() + 1;
                let Some(piece) = position.piece(square) else {
                    text.push(DUCK);
                    continue;
                };
                let kind = self.kind(piece.kind);
                text.push(if piece.color == Color::White { kind.letter } else { kind.letter.to_ascii_lowercase() });
                text.extend(repeat_n(DRESS, kind.dress));
                text.extend(position.promoted.has(square).then_some(PROMOTED));
            }
            run(&mut text, self.size().width() - next);
            if rank > 0 {
                text.push('/');
            }
        }
        text
    }

    /// Castling rights as X-FEN: a letter of `KQkq` where the rook is the outermost one, else its file.
    fn rights_fen(&self, position: &Position) -> String {
        let mut text = String::new();
        let Some(castling) = self.castling_layer() else { return "-".to_owned() };
        for color in Color::BOTH {
            let back = Squares::rank(self.size().rank_of(color, 0));
            let Some(king) = self.home(position, color) else { continue };
            let own = position.of_kind(color, castling.rook) & back;
            let mut rooks: Vec<Square> = (position.rights & own).collect();
            rooks.sort_by_key(|rook| std::cmp::Reverse(rook.file()));
            for rook in rooks {
                let right = rook.file() > king.file();
                let outer = if right { own.last() } else { own.first() };
                let letter = match (outer == Some(rook), right) {
                    (true, true) => 'k',
                    (true, false) => 'q',
                    (false, _) => (b'a' + rook.file()) as char,
                };
                text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
            }
        }
        if text.is_empty() { "-".to_owned() } else { text }
    }
}
