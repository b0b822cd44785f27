#![doc = include_str!("../README.md")]

mod besides;
mod betza;
mod castling;
mod counting;
pub mod fairy;
mod fen;
mod generation;
mod holdings;
mod kind;
mod laws;
mod layers;
mod moves;
pub mod pgn;
mod piece;
mod position;
mod san;
pub mod space;
mod locus;
mod making;
mod square;
mod step;
mod powers;
mod text_enum;
mod uci;

pub use betza::{
    Atom, Bends, Betza, BetzaError, Class, Definition, Invention, LONGEST as LONGEST_PIECE, Mode, Name, Term, Vectors,
};
pub use fen::{FenError, LONGEST as LONGEST_FEN, shape};
pub use kind::{Kind, orthodox};
pub use laws::Board;
pub use layers::{Castling, Duty, Pawns, Royalty};
pub use locus::Locus;
pub use moves::{Move, Special};
pub use piece::Design;
pub use position::{Piece, Position};
pub use powers::Powers;
pub use san::SanError;
pub use square::{BadSquare, Color, Size, Square, Squares};
pub use step::{Hurdle, Step};
pub use uci::{BadUci, Uci};

/// The position from which ordinary chess begins.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
