//! The course of a game in which both sides play their best.

use serde::Serialize;

use super::{
    answer::outlooks,
    question::{Question, Standing},
    table::Table,
    worth::Fraction,
};
use crate::board::Color;

/// The greatest number of moves in a line.
const LONGEST: usize = 200;

/// The number of moves in a line whose movers were not named.
const ALTERNATING: usize = 40;

/// One move of a line.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Played {
    /// The move in UCI.
    pub uci: String,
    /// The move in SAN.
    pub san: String,
    /// `white` or `black`.
    pub mover: &'static str,
    /// The value of the position after the move.
    pub value: Fraction,
}

/// A line of best play.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Mainline {
    /// The moves, up to the capture of a king or the end of the turns.
    pub moves: Vec<Played>,
}

/// A text that does not name movers.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("turns, character {}: {why}", at + 1)]
pub struct BadTurns {
    /// Offset of the wrong byte.
    pub at: usize,
    /// The fault, and what to write instead.
    pub why: String,
}

/// Reads who moves, as `wbbw`.
pub fn turns(text: &str) -> Result<Vec<Color>, BadTurns> {
    let mut turns = Vec::with_capacity(text.len().min(LONGEST));
    for (at, letter) in text.char_indices() {
        if turns.len() == LONGEST {
            return Err(BadTurns { at, why: format!("a line has at most {LONGEST} moves") });
        }
        turns.push(match letter {
            'w' => Color::White,
            'b' => Color::Black,
            other => return Err(BadTurns { at, why: format!("“{other}” is no side; write w or b for each move") }),
        });
    }
    Ok(turns)
}

/// White and Black in turn, White first.
pub fn alternation() -> Vec<Color> {
    Color::BOTH.into_iter().cycle().take(ALTERNATING).collect()
}

/// Tells whether a pawn becomes less than a queen.
fn lesser(uci: &str) -> bool {
    uci.len() > "a7a8".len() && !uci.ends_with('q')
}

impl Question {
    /// The line that arises when the movers play a best move each; among best moves one that brings the end nearest, of those
    /// a promotion to a queen or none before others, and then the first by UCI text. Empty unless the table covers the position.
    pub fn mainline(&self, table: &Table, turns: &[Color]) -> Mainline {
        let mut moves = Vec::new();
        let mut position = self.position;
        if !matches!(self.standing, Standing::Covered { .. }) {
            return Mainline { moves };
        }
        for mover in turns {
            let outlooks = outlooks(table, &position, *mover);
            let Some(first) = outlooks.first() else { continue };
            let equal = outlooks.iter().take_while(|outlook| table.compare(outlook.worth, first.worth).is_eq());
            let Some(best) = equal.min_by_key(|outlook| (outlook.label, lesser(&outlook.uci))) else { continue };
            moves.push(Played {
                uci: best.uci.clone(),
                san: best.san.clone(),
                mover: mover.name(),
                value: table.written(best.worth).clone(),
            });
            position = best.next;
            if !matches!(super::question::standing(self.size, &position), Standing::Covered { .. }) {
                break;
            }
        }
        Mainline { moves }
    }
}
