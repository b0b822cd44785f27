//! Turns and guesses in algebraic notation, as the move list shows them.

use super::{
    Action, Guess, Part, Sheet, State, Turn,
    action::{LONGEST, words},
};
use crate::board::{Board, Piece};

/// Reads a turn such as `e4` or `N@f5 Nxe7+`, or a sheet such as `guess Nf3 $N`. `None` if the text is empty or a move is illegal or ambiguous.
pub(super) fn read(state: &State, text: &str) -> Option<Action> {
    if text.len() > LONGEST {
        return None;
    }
    match text.strip_prefix("guess ") {
        Some(guesses) => sheet(state, guesses).map(Action::Guess),
        None => turn(state, text).map(|turn| Action::Turn { disclose: false, locks: 0, turn }),
    }
}

fn sheet(state: &State, text: &str) -> Option<Sheet> {
    let board = Board::orthodox();
    // A square alone is a guess about the piece on it.
    let guess = |(_, word): (usize, &str)| match word.parse() {
        Ok(guess) => Some(guess),
        Err(_) => {
            let uci = board.uci(board.parse_san(&state.position, word).ok()?);
            Some(Guess::UnitTo(uci.from, uci.to))
        }
    };
    words(text).map(guess).collect::<Option<_>>().map(|guesses| Sheet { guesses })
}

/// Reads the parts of a turn, each in the position after the parts before it.
fn turn(state: &State, text: &str) -> Option<Turn> {
    let board = Board::orthodox();
    let mut position = state.position;
    let mut turn = Turn::default();
    for (_, word) in words(text) {
        let part = match word.contains('@') {
            true => word.parse().ok()?,
            false => Part::Move(board.uci(board.parse_san(&position, word).ok()?)),
        };
        match part {
            Part::Drop(kind, square) if position.piece(square).is_none() => {
                position.put(board, square, Piece { color: state.position.turn, kind });
            }
            Part::Drop(..) => return None,
            Part::Move(uci) => {
                position = board.after(&position, board.find(&position, uci)?);
                position.turn = state.position.turn;
            }
        }
        turn.parts.push(part);
    }
    (!turn.parts.is_empty()).then_some(turn)
}
