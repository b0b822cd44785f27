//! Bookie Chess (sharkfeeder's page): how a board is dealt, the code that carries it, and what a game on it pays.
//! Knows nothing of turns at the table, of sealing, or of who is asked for what.

mod code;
mod deal;
mod options;
mod score;
mod sets;

pub use code::{Code, CodeError};
pub use deal::{ATTEMPTS, DealError, deal_officers, deal_rest, generate, officers};
pub use options::{Handicap, Handicapped, OptionError, Options};
pub use score::{BadWord, Bid, Bids, Decided, Decision, Stakes, Verdict, Wager, WagerError, decimal};
pub use sets::{BadBoard, OFFICERS, PieceSet, SETS, check, check_officers};

use std::sync::LazyLock;

use crate::board::Board;

static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let mut board = Board::orthodox().clone();
    board.castling = None;
    board
});

/// The board of Bookie Chess: ordinary chess without castling, even if a king and a rook happen to stand at home. A pawn steps
/// twice from its usual rank only, wherever it was dealt (both are our reading of a gap: the source says “play out the game”).
pub fn board() -> &'static Board {
    &BOARD
}
