//! Bookie Chess (sharkfeeder's page): how a board is dealt, the code that carries it, what a game on it pays, and the match in which
//! all that is played for.

mod account;
mod action;
mod amount;
mod code;
mod deal;
mod options;
mod round;
mod score;
mod sets;
mod table;
mod terms;
mod view;

pub use account::State;
pub use action::Action;
pub use amount::{amount, decimal};
pub use code::{Code, CodeError};
pub use deal::{ATTEMPTS, DealError, deal_officers, deal_rest, generate, officers};
pub use options::{Handicap, Handicapped, OptionError, Options};
pub use score::{BadWord, Bid, Bids, Decided, Decision, Stakes, Verdict, Wager, WagerError};
pub use sets::{BadBoard, OFFICERS, PieceSet, SETS, check, check_officers};
pub use terms::{Bookie, Favoured, TIES, Terms, Tie};
pub use view::{SettledDeal, View};

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
