//! The short answer about a position, for whoever asks about very many: all that is known but the moves.

use std::sync::Arc;

use serde::Serialize;

use super::{
    answer::Category,
    classes::Classes,
    question::{Question, Standing},
    worth::Fraction,
};
use crate::board::{Color, Size};

/// What is known of a position, without its moves. A value that is `exact` is also α and β.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Brief {
    /// The placement that was asked.
    pub fen: String,
    /// The kind of answer: how much is known.
    pub category: Category,
    /// Why nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// White's chance to win.
    pub value: Option<Fraction>,
    /// What the move is worth, as a share of all the money.
    pub bid: Option<Fraction>,
    /// True if the bid is negative.
    pub zugzwang: Option<bool>,
    /// True if the bid is zero.
    pub quiescent: Option<bool>,
    /// Whose king still stands, once the other one has been captured.
    pub terminal: Option<&'static str>,
    /// The least n for which the position is in T_n.
    pub white_label: Option<u16>,
    /// The same for Black, T′_n.
    pub black_label: Option<u16>,
}

impl Question {
    /// The size of the board whose classes the short answer needs; nothing if it needs none.
    pub fn needs(&self) -> Option<Size> {
        matches!(self.standing, Standing::Covered { .. }).then_some(self.size)
    }

    /// The short answer, from the classes of this board among those at hand; nothing if they are needed and missing.
    pub fn brief(&self, at_hand: &[Arc<Classes>]) -> Option<Brief> {
        if let Some(answer) = self.without_table() {
            return Some(Brief {
                fen: answer.fen,
                category: answer.category,
                reason: answer.reason,
                value: answer.value,
                bid: answer.bid,
                zugzwang: answer.zugzwang,
                quiescent: answer.quiescent,
                terminal: answer.terminal,
                white_label: None,
                black_label: None,
            });
        }
        let Standing::Covered { setup, reversed } = self.standing else { return None };
        let classes = at_hand.iter().find(|classes| classes.table().size() == self.size)?;
        let table = classes.table();
        let id = table.index().id(setup);
        let mood = classes.mood(id);
        let label = |player: Color| Some(table.label_of(id, if reversed { !player } else { player }));
        Some(Brief {
            fen: self.fen(),
            category: Category::Exact,
            reason: None,
            value: Some(table.written(table.worth(setup, reversed)).clone()),
            // Exchanging the sides changes the signs of both best values and their places: the bid stays.
            bid: Some(Fraction::from(&classes.bid(id))),
            zugzwang: Some(mood.is_lt()),
            quiescent: Some(mood.is_eq()),
            terminal: None,
            white_label: label(Color::White),
            black_label: label(Color::Black),
        })
    }
}
