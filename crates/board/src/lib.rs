#![doc = include_str!("../README.md")]

mod betza;
mod board;
mod conditional_moves;
pub mod cube;
mod equivalence;
pub mod fairy_stockfish;
mod fen;
mod holdings;
mod make_move;
mod move_generation;
mod movement;
mod moves;
pub mod pgn;
mod piece_type;
mod position;
mod san;
mod spoken;
mod square;
mod text_enum;

pub use betza::{
    Atom, Betza, BetzaError, Class, Definition, Invention, LONGEST as LONGEST_PIECE, Mode, ModifiedAtom, Modifiers,
    Name, Vectors,
};
pub use board::{Board, Castling, MoveObligation, Pawns, RoyalRule};
pub use cube::BoardLocation;
pub use equivalence::MovementSummary;
pub use fen::{CheckCount, FenError, ReadFen, shape, words as fen_words};
pub use movement::{ElementaryStep, HopCondition, Movement};
pub use moves::{BadUci, Move, Special, Uci};
pub use piece_type::{PieceType, orthodox};
pub use position::{Piece, Position};
pub use san::SanError;
pub use square::{BadSquare, Color, Size, Square, Squares};

/// Starting position of orthodox chess, as FEN.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
