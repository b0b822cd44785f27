//! What an engine is asked: a position with what led to it, and how long it may think.

use std::time::Duration;

use crate::{
    play::LiveGame,
    rules::{Actor, Seat},
};

/// A clock is spent over so many moves.
const MOVES: i64 = 30;
/// Nobody thinks less than this.
const LEAST: Duration = Duration::from_millis(10);

/// What an engine is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Question {
    /// The key of the variant.
    pub(super) variant: &'static str,
    /// What stands behind the word `position`.
    pub(super) position: String,
    /// Set if castling is written as the king's move onto his rook.
    pub(super) onto_rook: bool,
    /// The time for the move.
    pub(super) time: Duration,
}

impl Question {
    /// The question of a seat that is asked, with `time` for a move at most; nothing if there is no position that an engine could read.
    pub(super) fn of(table: &LiveGame, seat: Seat, time: Duration, now: i64) -> Option<Question> {
        let game = &table.game;
        let left =
            game.clocks().view(seat).map(|clock| clock.deadline.map_or(clock.remaining, |deadline| deadline - now));
        let share = left.map(|left| Duration::from_millis((left / MOVES).max(0).unsigned_abs()));
        let time = share.map_or(time, |share| time.min(share)).max(LEAST);
        let usual = game.options().get("fen").and_then(|fen| fen.as_str()).is_none_or(str::is_empty);
        let (position, onto_rook) = match usual {
            // With the moves an engine knows what has been repeated.
            true => {
                let made = game.lines(Some(seat)).into_iter();
                let made = made.filter(|line| line.step.is_some() && matches!(line.actor, Actor::Seat(_)));
                let moves: Option<Vec<String>> = made.map(|line| line.text).collect();
                let moves = moves?;
                (
                    if moves.is_empty() {
                        "startpos".to_owned()
                    } else {
                        format!("startpos moves {}", moves.join(" "))
                    },
                    false,
                )
            }
            // Rooks may stand anywhere.
            false => (format!("fen {}", game.diagram(Some(seat)).fen?), true),
        };
        Some(Question { variant: game.key(), position, onto_rook, time })
    }
}
