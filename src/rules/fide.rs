//! The ends that the FIDE Laws of Chess give a game: mate, stalemate, the automatic draws, the claims, the flag. Shared by every game
//! that ordinary chess is played out in; which seat plays which colour, and what an end is worth, each game knows itself.

use super::{
    Outcome, Refusal, Seat,
    course::{self, Course},
};
use crate::board::{Board, Color};

/// How the play on a board ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Who won; nobody for a draw.
    pub winner: Option<Color>,
    /// Why, in words.
    pub reason: &'static str,
}

impl Ending {
    const fn draw(reason: &'static str) -> Self {
        Ending { winner: None, reason }
    }

    /// The same for the seats; `seat` tells who plays a colour.
    pub fn outcome(self, seat: impl Fn(Color) -> Seat) -> Outcome {
        match self.winner {
            Some(color) => Outcome::Win(seat(color), self.reason),
            None => Outcome::Draw(self.reason),
        }
    }
}

/// The end that a position brings of itself: mate, stalemate, dead position, fivefold repetition, 75 moves (articles 5 and 9.6; a
/// mate on the last of the 75 moves wins). Dead positions are those that the count of the material shows.
pub fn ending(board: &Board, course: &Course) -> Option<Ending> {
    let position = &course.position;
    if !board.has_move(position) {
        let mate = board.in_check(position, position.turn);
        let winner = mate.then_some(!position.turn);
        return Some(Ending { winner, reason: if mate { "checkmate" } else { "stalemate" } });
    }
    if course::dead(position) {
        Some(Ending::draw("dead position"))
    } else if course.occurrences() >= 5 {
        Some(Ending::draw("fivefold repetition"))
    } else if position.halfmove >= 150 {
        Some(Ending::draw("75 moves without a capture or a pawn move"))
    } else {
        None
    }
}

/// The draw that the side to move may claim (articles 9.2 and 9.3), or why there is none.
pub fn claim(course: &Course) -> Result<Ending, Refusal> {
    if course.occurrences() >= 3 {
        Ok(Ending::draw("threefold repetition"))
    } else if course.position.halfmove >= 100 {
        Ok(Ending::draw("50 moves without a capture or a pawn move"))
    } else {
        Err(Refusal::new(
            "no draw can be claimed: that takes the same position for the third time, or 50 moves without a capture or a pawn move",
        ))
    }
}

/// What it means that a colour’s time is over: a loss, or a draw if the other side has nothing but its king (article 6.9, with the
/// bare king as the only material that cannot mate).
pub fn flag(board: &Board, course: &Course, late: Color) -> Ending {
    if course::bare(board, &course.position, !late) {
        Ending::draw(BARE)
    } else {
        Ending { winner: Some(!late), reason: TIME }
    }
}

/// The reason of a loss on time.
pub const TIME: &str = "time";
/// The reason of a draw on time.
pub const BARE: &str = "time ran out against a bare king";
