//! The course of moves on a board: what was played, where it led, and how often a position has stood. Shared by every variant in
//! which orthodox pieces move; what ends a game is each variant's own affair.

use std::sync::Arc;

use super::{
    choice::Choice,
    diagram::{Diagram, Entry, HeldPiece, Place},
    protocol::{Refusal, Seat},
};
use crate::board::{Board, BoardLocation, Color, Move, Position, RoyalRule, Square, Uci, orthodox};

/// Moves played from a starting position.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveHistory {
    /// Where it began.
    pub start: Position,
    /// Where it stands.
    pub position: Position,
    /// The moves played, in order.
    pub played: Vec<PlayedMove>,
    /// The positions so far, each with the number of what is counted beside the board.
    keys: Vec<(Position, usize)>,
}

/// A move that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    /// The ply of the whole game after which it stood.
    pub ply: usize,
    /// The colour that moved.
    pub color: Color,
    /// The move as it is said.
    pub uci: Uci,
    /// The move as players write it.
    pub san: String,
    /// The notes beside it on the score sheet.
    pub notes: String,
}

impl PlayedMove {
    /// The line of the score sheet; `seat` plays the colour.
    pub fn entry(&self, seat: Seat) -> Entry {
        Entry {
            ply: self.ply,
            seat: Some(seat),
            text: self.san.clone(),
            action: Some(self.uci.to_string()),
            notes: self.notes.clone(),
            told: None,
            deal: None,
            place: Place::Move(self.color),
            about: None,
        }
    }
}

impl MoveHistory {
    /// A course that begins at `start`.
    pub fn new(board: &Board, start: Position) -> Self {
        MoveHistory { start, position: start, played: Vec::new(), keys: vec![(key(board, &start), 0)] }
    }

    /// The legal move that a text means here.
    pub fn find(&self, board: &Board, uci: Uci) -> Result<Move, Refusal> {
        let moves = board.moves(&self.position);
        board.meant(&moves, uci).ok_or_else(|| self.why_not(board, &moves, uci))
    }

    /// The move that score sheets write so here.
    pub fn read(&self, board: &Board, text: &str) -> Option<Uci> {
        board.parse_san(&self.position, text).ok().map(|mv| board.uci(mv))
    }

    /// Why a move is refused, in words.
    fn why_not(&self, board: &Board, moves: &[Move], uci: Uci) -> Refusal {
        if uci.dropped.is_some() {
            let why = board.said_drop(&self.position, &uci.to_string()).err();
            return why.map_or_else(|| Refusal::new("that is no drop"), |(at, why)| Refusal::at(at, why));
        }
        let (mover, from, to) = (self.position.turn, uci.from, uci.to);
        let Some(piece) = self.position.piece(from) else {
            return Refusal::at(0, format!("there is no piece on {from}"));
        };
        let name = &board.kind(piece.kind).name;
        if piece.color != mover {
            return Refusal::at(
                0,
                format!("the {name} on {from} is {}’s, and {} is to move", piece.color.name(), mover.name()),
            );
        }
        let there: Vec<String> = moves
            .iter()
            .map(|mv| board.uci(*mv))
            .filter(|other| other.from == from && other.to == to)
            .map(|other| other.to_string())
            .collect();
        if !there.is_empty() {
            let why = match uci.promotion {
                Some(letter) => format!(
                    "“{letter}” is not what a move from {from} to {to} can end with; write {}",
                    there.join(", ")
                ),
                None => format!("the pawn must become something; write {}", there.join(", ")),
            };
            return Refusal::at(4, why);
        }
        if let Some(mv) = board.pseudo_moves(&self.position).into_iter().find(|mv| board.uci(*mv) == uci) {
            let why = board.neglected(&self.position, mv).unwrap_or("the king would be in check");
            return Refusal::at(2, format!("the {name} cannot go from {from} to {to}: {why}"));
        }
        Refusal::at(2, format!("the {name} on {from} cannot go to {to}"))
    }

    /// Plays a legal move that brings the whole game to `ply`.
    pub fn play(&mut self, board: &Board, mv: Move, ply: usize) {
        let san = board.san(&self.position, mv);
        let color = self.position.turn;
        self.played.push(PlayedMove { ply, color, uci: board.uci(mv), san, notes: String::new() });
        self.position = board.after(&self.position, mv);
        self.keys.push((key(board, &self.position), 0));
    }

    /// Puts the duck on another square as the second part of the turn that was played last.
    pub fn put_duck(&mut self, board: &Board, to: Square) {
        self.position.duck = to.set();
        if let Some((now, _)) = self.keys.last_mut() {
            *now = key(board, &self.position);
        }
        if let Some(played) = self.played.last_mut() {
            played.san.push_str(&format!("@{to}"));
        }
    }

    /// Numbers what is counted beside the board as it stands now: positions are the same only with the same number.
    pub fn beside(&mut self, number: usize) {
        if let Some((_, beside)) = self.keys.last_mut() {
            *beside = number;
        }
    }

    /// The number of times that the position that stands now has stood, this time included.
    pub fn occurrences(&self) -> usize {
        let now = self.keys.last();
        self.keys.iter().filter(|key| Some(*key) == now).count()
    }

    /// The positions since the last capture or pawn move, the one that stands now left out: those that could come again.
    pub fn recent(&self) -> Vec<Position> {
        let stood = self.keys.len() - 1;
        let quiet = usize::from(self.position.halfmove).min(stood);
        self.keys[stood - quiet..stood].iter().map(|(position, _)| *position).collect()
    }

    /// All moves of the side to move as choices, in a fixed order.
    pub fn choices(&self, board: &Board) -> Vec<Choice> {
        board.moves(&self.position).into_iter().map(|mv| Choice::of_move(board, &self.position, mv)).collect()
    }

    /// The diagram of the position that stands now, with the last move and the sheet; `seat` tells who plays a colour.
    pub fn diagram(&self, board: &Board, seat: impl Fn(Color) -> Seat) -> Diagram {
        let mut diagram = Diagram::of(board, &self.position);
        diagram.last =
            self.played.last().map_or_else(Vec::new, |last| BoardLocation::each([last.uci.from, last.uci.to]));
        diagram.last.dedup();
        // Where captured pieces are dropped, none of them is lost.
        let [reserves, captured] = if board.holdings {
            [Color::BOTH.map(|color| self.held(board, color)), Default::default()]
        } else {
            [Default::default(), Color::BOTH.map(|color| self.lost(board, !color))]
        };
        let turned = seat(Color::White) == Seat::Two;
        let seated =
            |[white, black]: [Vec<HeldPiece>; 2]| if turned { [black, white].into() } else { [white, black].into() };
        (diagram.reserves, diagram.captured) = (seated(reserves), seated(captured));
        diagram.sheet = Arc::new(self.played.iter().map(|played| played.entry(seat(played.color))).collect());
        diagram
    }

    /// The pieces that a side has to drop, the most valuable first.
    fn held(&self, board: &Board, color: Color) -> Vec<HeldPiece> {
        self.position.holdings(color).map(|(kind, count)| HeldPiece::new(board.kind(kind), u32::from(count))).collect()
    }

    /// The pieces that a side has lost since the beginning, the most valuable first. A pawn that became something is not lost.
    fn lost(&self, board: &Board, color: Color) -> Vec<HeldPiece> {
        let count = |position: &Position, kind: u8| {
            position.pieces().filter(|(_, piece)| piece.color == color && piece.kind == kind).count()
        };
        // Those that are not orthodox stand behind them.
        let own = (Board::orthodox().kinds().len()..board.kinds().len()).map(|kind| kind as u8);
        let own = own.filter(|kind| !board.kind(*kind).design.royal);
        let usual = [orthodox::QUEEN, orthodox::ROOK, orthodox::BISHOP, orthodox::KNIGHT];
        let king = (board.royalty == RoyalRule::Ordinary).then_some(orthodox::KING);
        let kinds: Vec<u8> = usual.into_iter().chain(king).chain(own).collect();
        let change = |kind| count(&self.start, kind) as i64 - count(&self.position, kind) as i64;
        let became: i64 = kinds.iter().map(|kind| change(*kind).min(0)).sum();
        let lost = kinds
            .into_iter()
            .map(|kind| (kind, change(kind)))
            .chain([(orthodox::PAWN, change(orthodox::PAWN) + became)]);
        let held = |(kind, lost): (u8, i64)| {
            let lost = u32::try_from(lost).ok().filter(|lost| *lost > 0)?;
            Some(HeldPiece::new(board.kind(kind), lost))
        };
        lost.filter_map(held).collect()
    }
}

/// The part of a position that must be equal for two positions to count as the same: placement, side, castling rights, and the
/// en-passant square only where a capture there is legal (FIDE Laws, article 9.2).
pub(crate) fn key(board: &Board, position: &Position) -> Position {
    let mut key = *position;
    key.halfmove = 0;
    key.fullmove = 1;
    if !key.en_passant.is_empty() {
        let legal = board.moves(position).into_iter().filter(|mv| mv.special == crate::board::Special::EnPassant);
        key.en_passant = legal.map(|mv| mv.to).collect();
    }
    key
}
