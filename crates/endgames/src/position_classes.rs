//! The classes of a table, positions that are the same up to a symmetry of the board, each with the worth of the move beside its value, and the short
//! answer about a position: all but its moves. Classes are counted in [`super::Survey`] and found by [`super::Sought`].

use std::{cmp::Ordering, sync::Arc};

use dashu_ratio::RBig;
use serde::Serialize;

use super::{
    answer::Category,
    fractions::Fraction,
    move_graph::rules,
    position_index::{Id, Setup},
    position_query::{Question, TableCoverage},
    table::Table,
    value_pool::{Limit, ValueId},
};
use crate::board::{Color, Size};

/// A table with the values of the best options of both sides.
pub struct Classes {
    table: Arc<Table>,
    /// By the numbers of the positions, White's and Black's.
    bests: [Vec<ValueId>; 2],
}

/// What is known of a class of positions without its moves.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Finding {
    /// The placement of one of its positions.
    pub fen: String,
    /// The pieces of both sides, as `KNvK`.
    pub material: &'static str,
    /// White's chance to win.
    pub value: Fraction,
    /// (max over White's moves − min over Black's moves) / 2, as a share of all the money.
    pub bid: Fraction,
    /// True if the bid is negative.
    pub zugzwang: bool,
    /// True if the bid is zero.
    pub quiescent: bool,
    /// The least n for which the position is in White's set T_n.
    pub white_label: u16,
    /// The same for Black, T′_n.
    pub black_label: u16,
}

impl Classes {
    /// Generates all moves of a table once: a quarter of a second, and eight bytes for each class that are kept.
    pub fn new(table: Arc<Table>) -> Classes {
        let bests = table.bests();
        Classes { table, bests }
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Every class with its number, material by material in the order in which they were solved.
    pub fn all(&self) -> impl Iterator<Item = (Id, Setup)> {
        let index = self.table.index();
        index.layers().iter().flat_map(move |layer| layer.ids.clone().map(move |id| (id, index.setup(layer, id))))
    }

    fn sides(&self, id: Id) -> [ValueId; 2] {
        [0, 1].map(|side| self.bests[side][id as usize])
    }

    /// The worth of the move: more than nothing, nothing (a quiescent position), or less (a zugzwang).
    pub fn mood(&self, id: Id) -> Ordering {
        let [white, black] = self.sides(id);
        self.table.values().cmp(white, black)
    }

    /// The bid.
    pub fn bid(&self, id: Id) -> RBig {
        let [white, black] = self.sides(id).map(|best| self.table.values().get(best));
        (white - black) / RBig::from(2)
    }

    /// Compares the bid with a limit on what it is twice, exactly.
    pub(super) fn compare_bid(&self, id: Id, twice: &Limit) -> Ordering {
        let [white, black] = self.sides(id);
        self.table.values().compare_gain(white, black, twice)
    }

    /// The greater of the two labels: how many moves the proof that α = β may take from here.
    pub fn certificate(&self, id: Id) -> u16 {
        Color::BOTH.map(|player| self.table.label_of(id, player)).into_iter().max().unwrap_or_default()
    }

    /// The placement of a class.
    pub fn fen(&self, setup: Setup) -> String {
        let board = rules(self.table.size());
        board.placement_fen(&setup.position(board, Color::White))
    }

    /// All that is known of a class.
    pub fn finding(&self, id: Id, setup: Setup) -> Finding {
        let mood = self.mood(id);
        Finding {
            fen: self.fen(setup),
            material: setup.material.name(),
            value: self.table.written(self.table.worth_of(id)).clone(),
            bid: Fraction::from(&self.bid(id)),
            zugzwang: mood.is_lt(),
            quiescent: mood.is_eq(),
            white_label: self.table.label_of(id, Color::White),
            black_label: self.table.label_of(id, Color::Black),
        }
    }
}

/// What is known of a position, without its moves. A value that is `exact` is also α and β.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AnswerSummary {
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
        matches!(self.standing, TableCoverage::Covered { .. }).then_some(self.size)
    }

    /// The short answer, from the classes of this board among those at hand; nothing if they are needed and missing.
    pub fn brief(&self, at_hand: &[Arc<Classes>]) -> Option<AnswerSummary> {
        if let Some(answer) = self.without_table() {
            return Some(AnswerSummary {
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
        let TableCoverage::Covered { setup, reversed } = self.standing else { return None };
        let classes = at_hand.iter().find(|classes| classes.table().size() == self.size)?;
        let table = classes.table();
        let id = table.index().id(setup);
        let mood = classes.mood(id);
        let label = |player: Color| Some(table.label_of(id, if reversed { !player } else { player }));
        Some(AnswerSummary {
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
