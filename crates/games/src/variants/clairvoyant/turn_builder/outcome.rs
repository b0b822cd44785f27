//! The result of building a turn: the turn with its moves, or the fault and its remedy.

use crate::{
    board::{Board, Move, Piece, Position, Special, Square, Squares},
    variants::clairvoyant::{
        action::{Part, Turn},
        prices::NAMES,
    },
};

/// Reason why a turn is illegal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A drop comes after a move.
    LateDrop,
    /// A drop on an occupied square.
    Occupied(Square),
    /// A pawn drop on the first or last rank.
    PawnRank(Square),
    /// A drop that would give check.
    DropChecks(u8, Square),
    /// The part is too expensive.
    Money {
        /// Price of the part.
        price: i64,
        /// Money left.
        left: i64,
    },
    /// The turn already has the most moves allowed.
    Full {
        /// The turn has drops.
        dropped: bool,
        /// The number of moves allowed.
        most: usize,
    },
    /// After drops only dropped pieces can move.
    NotDropped(Square),
    /// The piece gave check by an earlier move of the turn.
    Checker(Square),
    /// The move would capture the last king.
    LastKing(Square),
    /// The own king would be in check after the turn.
    OwnCheck,
    /// The turn is empty.
    Empty,
    /// There is no piece on the square.
    NoUnit(Square),
    /// The piece on the square is the opponent's.
    OpponentPiece(Square),
    /// The promotion letter is missing or wrong.
    Promotion(Square),
    /// The move is not a promotion.
    NoPromotion {
        /// Type of the piece.
        kind: u8,
        /// Destination of the move.
        to: Square,
    },
    /// The piece cannot move there.
    Unreachable {
        /// Type of the piece.
        kind: u8,
        /// Square of the piece.
        from: Square,
        /// Destination of the move.
        to: Square,
    },
}

impl Fault {
    /// Describes the fault and its remedy.
    pub fn message(self) -> String {
        let name = |kind: u8| NAMES[usize::from(kind)];
        match self {
            Fault::LateDrop => "drops come before moves: write the drops first".to_owned(),
            Fault::Occupied(square) => format!("{square} is occupied: drop the piece on an empty square"),
            Fault::PawnRank(square) => format!("a pawn cannot be dropped on {square}, on the first or last rank"),
            Fault::DropChecks(kind, square) => {
                format!("a drop cannot give check, as the {} on {square} would", name(kind))
            }
            Fault::Money { price, left } => format!("this costs {price}Z, and you have {left}Z left"),
            Fault::Full { dropped: true, most } => format!("you can buy at most {most} moves after a drop"),
            Fault::Full { dropped: false, most } => format!("a turn has at most {most} moves, including the free one"),
            Fault::NotDropped(square) => {
                format!(
                    "after a drop you can buy moves only for pieces dropped this turn, and the piece on {square} was not"
                )
            }
            Fault::Checker(square) => {
                format!(
                    "the piece on {square} has just given check and cannot move again this turn; move another piece"
                )
            }
            Fault::LastKing(square) => format!("the king on {square} is the last one and cannot be captured"),
            Fault::OwnCheck => "your king would be in check at the end of the turn".to_owned(),
            Fault::Empty => "the turn is empty: add a move or drop".to_owned(),
            Fault::NoUnit(square) => format!("there is no piece on {square}"),
            Fault::OpponentPiece(square) => format!("the piece on {square} is your opponent’s"),
            Fault::Promotion(square) => {
                format!("the pawn promotes on {square}; add one of the letters q r b n, as in e7e8q")
            }
            Fault::NoPromotion { kind, to } => {
                format!("the {} does not promote on {to}; leave the last letter out", name(kind))
            }
            Fault::Unreachable { kind, from, to } => format!("the {} on {from} cannot go to {to}", name(kind)),
        }
    }
}

/// Most moves of any turn: a free one and two bought ones, if the options allow them.
pub(super) const MOVES: usize = 3;

/// A move of a turn that was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayedMovePart {
    /// The piece, identified by its square before the turn or by its drop square.
    pub unit: Square,
    /// The move.
    pub mv: Move,
    /// Destination of the piece; for castling, of the king.
    pub landing: Square,
    /// The move was bought.
    pub bought: bool,
    /// Type of the piece.
    pub(super) kind: u8,
    /// Type of the captured piece.
    pub(super) captured: Option<u8>,
    /// The opponent's only king was in check after it.
    pub(super) checks: bool,
    /// The square that a pawn skipped.
    pub(super) skipped: Squares,
}

/// A turn that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedTurn {
    /// The turn as it was submitted.
    pub turn: Turn,
    /// The moves in it, in order.
    pub moves: [Option<PlayedMovePart>; MOVES],
    /// Total price.
    pub price: i64,
    /// The position after it.
    pub after: Position,
}

impl PlayedMovePart {
    /// The move in words: `knight from g1 takes pawn on f3`.
    fn spoken(&self) -> String {
        let (name, from, to) = (NAMES[usize::from(self.kind)], self.mv.from, self.landing);
        let promotion = self.mv.promotion.map(|kind| format!(", promotes to {}", NAMES[usize::from(kind)]));
        let check = if self.checks { ", check" } else { "" };
        let en_passant = if self.mv.special == Special::EnPassant { " en passant" } else { "" };
        let verb = match self.captured {
            Some(kind) => format!("takes {}{en_passant} on", NAMES[usize::from(kind)]),
            None => "to".to_owned(),
        };
        match self.mv.special {
            Special::Castle => format!("castles to {to}{check}"),
            Special::Plain | Special::Double | Special::EnPassant | Special::Drop(_) => {
                format!("{name} from {from} {verb} {to}{}{check}", promotion.unwrap_or_default())
            }
        }
    }
}

impl PlayedTurn {
    /// The turn in standard algebraic notation, part by part: `N@f5 Nxe7+`.
    pub fn san(&self, before: &Position) -> String {
        let board = Board::orthodox();
        let mut position = *before;
        let mut texts: Vec<String> = Vec::with_capacity(self.turn.parts.len());
        for part in &self.turn.parts {
            if let Part::Drop(kind, square) = part {
                position.put(board, *square, Piece { color: before.turn, kind: *kind });
                texts.push(part.to_string());
            }
        }
        // The first move is legal by itself, unless another one ends its check.
        let legal = self.turn.parts.len() == 1;
        for done in self.moves.iter().flatten() {
            let moves = if legal { board.moves(&position) } else { board.pseudo_moves(&position) };
            let text = board.san_among(&position, done.mv, &moves);
            texts.push(text.trim_end_matches(['+', '#']).to_owned());
            position = board.after(&position, done.mv);
            position.turn = before.turn;
        }
        let check = if board.in_check(&self.after, self.after.turn) { "+" } else { "" };
        texts.join(" ") + check
    }

    /// The turn in words, for speech.
    pub fn spoken(&self) -> String {
        let drops = self.turn.parts.iter().filter_map(|part| match part {
            Part::Drop(kind, square) => Some(format!("{} drops on {square}", NAMES[usize::from(*kind)])),
            Part::Move(_) => None,
        });
        let moves = self.moves.iter().flatten().map(PlayedMovePart::spoken);
        drops.chain(moves).collect::<Vec<_>>().join(", then ")
    }

    /// Squares to highlight on a board.
    pub fn touched(&self) -> Vec<Square> {
        let mut squares = Vec::new();
        for part in &self.turn.parts {
            match part {
                Part::Drop(_, square) => squares.push(*square),
                Part::Move(uci) => squares.extend([uci.from, uci.to]),
            }
        }
        squares
    }
}
