//! Games of Clairvoyant Chess in portable notation, read for the position in which they end. What was retracted is a remark there, so
//! every turn that is read stood.

use super::{
    action::Turn,
    options::{self, Clairvoyant, PostDrop},
    trial::Trial,
};
use crate::{
    board::{Board, START, SanError, pgn::Pgn},
    rules::{Refusal, start_position},
};

/// The last position as FEN. Turns may hold whatever some options allow, and nobody asks what they cost; moves of orthodox chess are
/// read too.
pub(super) fn last_position(game: &Pgn) -> Result<String, Refusal> {
    let board = Board::orthodox();
    let widest = Clairvoyant { post_drop: PostDrop::Any, bought_after_free: 2, ..Clairvoyant::default() };
    let terms = widest.agreed()?;
    let start = start_position::start_position(START, game)?;
    let homes = options::homes(&start);
    let last = start_position::replay(
        start,
        game,
        |position| position.turn,
        |position, text| match text.parse::<Turn>() {
            Ok(turn) => match Trial::new(&terms, &position, homes, i64::MAX).play(&turn) {
                Ok(played) => Ok(played.after),
                Err((part, fault)) => Err(SanError { at: turn.offset(part), why: fault.words() }),
            },
            Err(Refusal { why, at }) if text.contains('@') => Err(SanError { at: at.unwrap_or(0), why }),
            Err(_) => Ok(board.after(&position, board.parse_san(&position, text)?)),
        },
    )?;
    Ok(options::fen(&last, homes))
}
