//! Reserves of captured pieces that can be dropped, as in crazyhouse: legal drops, captures, and FEN.

use super::{
    board::Board,
    moves::{Move, Special},
    position::{HELD, Piece, Position},
    square::{Color, Square, Squares},
};

impl Position {
    /// Number of pieces of this type in a side's reserve.
    pub fn held(&self, color: Color, kind: u8) -> u8 {
        self.held[color.index()].get(usize::from(kind)).copied().unwrap_or(0)
    }

    /// Piece types in a side's reserve with their counts, highest index first.
    pub fn holdings(&self, color: Color) -> impl Iterator<Item = (u8, u8)> + '_ {
        (0..HELD as u8).rev().map(move |kind| (kind, self.held(color, kind))).filter(|(_, count)| *count > 0)
    }
}

impl Board {
    /// Calls `sink` with every piece type that a side may drop and its target squares, ignoring the safety of royal
    /// pieces. Pawns cannot be dropped on the first or last rank.
    pub(super) fn drops(&self, position: &Position, us: Color, mut sink: impl FnMut(u8, Squares)) {
        let empty = self.size().squares() & !position.occupied();
        let ends = self.size().last_rank(Color::White) | self.size().last_rank(Color::Black);
        for (kind, _) in position.holdings(us) {
            sink(kind, if self.is_pawn(kind) { empty & !ends } else { empty });
        }
    }

    /// Updates reserves and promoted pawns after the move `mv` in position `before`.
    pub(super) fn hold(&self, before: &Position, mv: Move, after: &mut Position) {
        let own = &mut after.held[before.turn.index()];
        if let Special::Drop(kind) = mv.special {
            own[usize::from(kind)] -= 1;
        }
        if let Some((square, victim)) = self.captured(before, mv) {
            let was_pawn = self.pawns.as_ref().filter(|_| before.promoted.has(square));
            let kind = was_pawn.map_or(victim.kind, |pawns| pawns.kind);
            if let Some(count) = own.get_mut(usize::from(kind)) {
                *count = count.saturating_add(1);
            }
        }
        if mv.promotion.is_some() {
            after.promoted |= mv.to.set();
        }
    }

    /// Parses both sides' reserves. An error gives the offset of the letter.
    pub(super) fn read_holdings(&self, letters: &str, position: &mut Position) -> Result<(), (usize, String)> {
        for (at, letter) in letters.char_indices() {
            let kind = self.kind_of(letter).filter(|kind| usize::from(*kind) < HELD);
            let Some(kind) = kind else {
                let known: String = self.kinds().iter().take(HELD).map(|kind| kind.letter).collect();
                return Err((
                    at,
                    format!("“{letter}” cannot be dropped; the pieces are {known}, in lower case for Black"),
                ));
            };
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let count = &mut position.held[color.index()][usize::from(kind)];
            *count = count.saturating_add(1);
        }
        Ok(())
    }

    /// Writes both sides' reserves in brackets.
    pub fn holdings_fen(&self, position: &Position) -> String {
        let letters = |color: Color| {
            let letter = move |kind: u8| {
                let letter = self.kind(kind).letter;
                if color == Color::White { letter } else { letter.to_ascii_lowercase() }
            };
            position.holdings(color).flat_map(move |(kind, count)| (0..count).map(move |_| letter(kind)))
        };
        format!("[{}]", Color::BOTH.into_iter().flat_map(letters).collect::<String>())
    }

    /// True if the piece may be a promoted pawn.
    pub(super) fn may_be_promoted(&self, piece: Piece) -> bool {
        self.pawns.as_ref().is_some_and(|pawns| pawns.promotions.contains(&piece.kind))
    }

    /// Finds the legal drop for a text such as `N@f3`, or `@f3` for a pawn. An error gives its offset.
    pub fn parse_drop(&self, position: &Position, text: &str) -> Result<Move, (usize, String)> {
        let (piece, square) = text.split_once('@').unwrap_or((text, ""));
        if !self.holdings {
            return Err((0, "this game has no drops".to_owned()));
        }
        let mut letters = piece.chars();
        let kind = match (letters.next(), letters.next()) {
            (None, _) => self.pawns.as_ref().map(|pawns| pawns.kind),
            (Some(letter), None) if letter.is_ascii_uppercase() => self.kind_of(letter),
            (Some(_), _) => None,
        };
        let Some(kind) = kind else {
            return Err((0, "a drop begins with the letter of a piece, as in N@f3".to_owned()));
        };
        let on_board = |square: &Square| square.step(0, 0, self.size()).is_some();
        let Some(to) = square.parse::<Square>().ok().filter(on_board) else {
            return Err((piece.len() + 1, "write the square of the drop after the @, as in N@f3".to_owned()));
        };
        let mv = Move { from: to, to, promotion: None, special: Special::Drop(kind) };
        if self.moves(position).contains(&mv) { Ok(mv) } else { Err(self.no_drop(position, kind, to)) }
    }

    /// Explains why a piece cannot be dropped on a square, with the offset of the error.
    fn no_drop(&self, position: &Position, kind: u8, to: Square) -> (usize, String) {
        let (name, us) = (&self.kind(kind).name, position.turn);
        if position.held(us, kind) == 0 {
            return (0, format!("{} has no {name} to drop", us.name()));
        }
        let mut there = false;
        self.drops(position, us, |held, targets| there |= held == kind && targets.has(to));
        let why = if position.piece(to).is_some() {
            format!("{to} is not empty")
        } else if there {
            format!("with a {name} on {to} the king would still be in check")
        } else {
            format!("a {name} cannot be dropped on the first or last rank")
        };
        (2, why)
    }
}
