//! Moves on a board: what was played, the resulting position, and how often each position has occurred. Shared by all variants
//! with orthodox pieces. Each variant decides what ends its games.

use std::sync::Arc;

use super::{
    choice::Choice,
    diagram::{Diagram, Entry, HeldPiece, Place},
    protocol::{Refusal, Seat},
};
use crate::board::{Board, BoardLocation, Color, Move, Position, RoyalRule, Special, Square, Uci, orthodox};

/// Moves played from a starting position.
#[derive(Clone, PartialEq, Debug)]
pub struct MoveHistory {
    /// Starting position.
    pub start: Position,
    /// Current position.
    pub position: Position,
    /// Moves played, in order. A game keeps some of its earlier states, which share their moves and positions.
    pub played: Vec<Arc<PlayedMove>>,
    /// Positions so far, each with the number of its tally (see [`MoveHistory::set_tally_number`]).
    keys: Vec<Arc<(Position, usize)>>,
}

/// A move that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    /// Ply of the whole game after this move.
    pub ply: usize,
    /// Colour that moved.
    pub color: Color,
    /// The move in UCI notation.
    pub uci: Uci,
    /// The move in SAN.
    pub san: String,
    /// The move in words, for speech.
    pub spoken: Arc<str>,
    /// Notes for the score sheet.
    pub notes: String,
    /// Whether the move captured a king.
    pub king_captured: bool,
}

impl PlayedMove {
    /// The score-sheet line of the move. `seat` plays the colour.
    pub fn entry(&self, seat: Seat) -> Entry {
        Entry {
            action: Some(self.uci.to_string()),
            notes: self.notes.clone(),
            told: self.king_captured.then(|| format!("{}, king captured", self.san.replace('#', ""))),
            spoken: Some(self.spoken.clone()),
            place: Place::Move(self.color),
            ..Entry::new(self.ply, Some(seat), self.san.clone())
        }
    }
}

impl MoveHistory {
    /// A history that starts at `start`.
    pub fn new(board: &Board, start: Position) -> Self {
        MoveHistory { start, position: start, played: Vec::new(), keys: vec![Arc::new((key(board, &start), 0))] }
    }

    /// The legal move for a UCI text.
    pub fn find(&self, board: &Board, uci: Uci) -> Result<Move, Refusal> {
        let moves = board.moves(&self.position);
        board.find_among(&moves, uci).ok_or_else(|| self.why_not(board, &moves, uci))
    }

    /// The move for a SAN text.
    pub fn read(&self, board: &Board, text: &str) -> Option<Uci> {
        board.parse_san(&self.position, text).ok().map(|mv| board.uci(mv))
    }

    /// Explains why a move is refused.
    fn why_not(&self, board: &Board, moves: &[Move], uci: Uci) -> Refusal {
        if uci.dropped.is_some() {
            let why = board.parse_drop(&self.position, &uci.to_string()).err();
            return why.map_or_else(|| Refusal::new("this drop is not legal"), |(at, why)| Refusal::at(at, why));
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
                Some(letter) => {
                    format!("a move from {from} to {to} cannot promote to “{letter}”: enter {}", there.join(", "))
                }
                None => format!("the pawn must promote: enter {}", there.join(", ")),
            };
            return Refusal::at(4, why);
        }
        if let Some(mv) = board.pseudo_moves(&self.position).into_iter().find(|mv| board.uci(*mv) == uci) {
            let why = board.illegality_reason(&self.position, mv).unwrap_or("the king would be in check");
            return Refusal::at(2, format!("the {name} cannot go from {from} to {to}: {why}"));
        }
        Refusal::at(2, format!("the {name} on {from} cannot go to {to}"))
    }

    /// Plays a legal move, which brings the whole game to `ply`.
    pub fn play(&mut self, board: &Board, mv: Move, ply: usize) {
        let san = board.san(&self.position, mv);
        let color = self.position.turn;
        let king_captured = board.royals(&self.position, !color).has(mv.to);
        let (uci, spoken) = (board.uci(mv), board.spoken(&self.position, mv, &san).into());
        self.played.push(Arc::new(PlayedMove { ply, color, uci, san, spoken, notes: String::new(), king_captured }));
        self.position = board.after(&self.position, mv);
        self.keys.push(Arc::new((key(board, &self.position), 0)));
    }

    /// Moves the duck, as the second part of the last turn.
    pub fn put_duck(&mut self, board: &Board, to: Square) {
        self.position.duck = to.set();
        if let Some((now, _)) = self.keys.last_mut().map(Arc::make_mut) {
            *now = key(board, &self.position);
        }
        if let Some(played) = self.played.last_mut().map(Arc::make_mut) {
            played.san.push_str(&format!("@{to}"));
            played.spoken = format!("{}, duck to {to}", played.spoken).into();
        }
    }

    /// Sets the number of the current tally. Positions are equal only if their numbers are equal too.
    pub fn set_tally_number(&mut self, number: usize) {
        if let Some((_, beside)) = self.keys.last_mut().map(Arc::make_mut) {
            *beside = number;
        }
    }

    /// Number of times that the current position has occurred, including now.
    pub fn occurrences(&self) -> usize {
        let now = self.keys.last();
        self.keys.iter().filter(|key| Some(*key) == now).count()
    }

    /// Positions since the last capture or pawn move, except the current one: those that could be repeated.
    pub fn recent(&self) -> Vec<Position> {
        let stood = self.keys.len() - 1;
        let quiet = usize::from(self.position.halfmove).min(stood);
        self.keys[stood - quiet..stood].iter().map(|key| key.0).collect()
    }

    /// All moves of the side to move as choices, in a fixed order.
    pub fn choices(&self, board: &Board) -> Vec<Choice> {
        board.moves(&self.position).into_iter().map(|mv| Choice::of_move(board, &self.position, mv)).collect()
    }

    /// Diagram of the current position with the last move and the score sheet. `seat` maps a colour to its player.
    pub fn diagram(&self, board: &Board, seat: impl Fn(Color) -> Seat) -> Diagram {
        let mut diagram = Diagram::of(board, &self.position);
        diagram.last =
            self.played.last().map_or_else(Vec::new, |last| BoardLocation::each([last.uci.from, last.uci.to]));
        diagram.last.dedup();
        // With drops, captured pieces are not lost.
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

    /// Pieces that a side can drop, the most valuable first.
    fn held(&self, board: &Board, color: Color) -> Vec<HeldPiece> {
        self.position.holdings(color).map(|(kind, count)| HeldPiece::new(board.kind(kind), u32::from(count))).collect()
    }

    /// Pieces that a side has lost since the start, the most valuable first. A promoted pawn is not lost.
    fn lost(&self, board: &Board, color: Color) -> Vec<HeldPiece> {
        let count = |position: &Position, kind: u8| {
            position.pieces().filter(|(_, piece)| piece.color == color && piece.kind == kind).count()
        };
        // Other piece types follow the orthodox ones.
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

/// The part of a position that decides whether two positions are equal: placement, side to move, castling rights, and the en
/// passant square only if a capture there is legal (FIDE Laws, article 9.2).
pub(crate) fn key(board: &Board, position: &Position) -> Position {
    let mut key = *position;
    key.halfmove = 0;
    key.fullmove = 1;
    if !key.en_passant.is_empty() {
        let legal = board.moves(position).into_iter().filter(|mv| mv.special == Special::EnPassant);
        key.en_passant = legal.map(|mv| mv.to).collect();
    }
    key
}
