//! The classes of a table, and answers about positions without their moves. A class is a set of positions equal up to a symmetry of the board.
//! [`super::Survey`] counts classes and [`super::SearchCriteria`] searches them.

use std::{cmp::Ordering, sync::Arc};

use dashu_ratio::RBig;
use serde::Serialize;

use super::{
    answer::{Answer, Category, Enclosure},
    endgame::Side,
    fractions::Fraction,
    move_graph::rules,
    position_index::{Id, Setup},
    position_query::{Question, TableCoverage},
    table::Table,
    value_pool::{Limit, ValueId},
};
use crate::board::{Color, Size};

/// A table with the values of both sides' best moves.
pub struct Classes {
    table: Arc<Table>,
    /// Values of the best moves of White and of Black, by position number.
    bests: [Vec<ValueId>; 2],
}

/// Everything known about a class of positions, without its moves.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = PositionClass))]
pub struct Finding {
    /// Piece placement of one of its positions, as FEN.
    pub fen: String,
    /// Pieces of both sides, such as `KNvK`.
    pub material: &'static str,
    /// White's chance to win.
    pub value: Fraction,
    /// (max over White's moves − min over Black's moves) / 2, as a share of all the money.
    pub bid: Fraction,
    /// True if the bid is negative.
    pub zugzwang: bool,
    /// True if the bid is zero.
    pub quiescent: bool,
    /// Least n for which the position is in White's set T_n.
    pub white_label: u16,
    /// Least n for which the position is in Black's set T′_n.
    pub black_label: u16,
}

impl Classes {
    /// Generates all moves of a table once. Takes a quarter of a second, and eight bytes per class.
    pub fn new(table: Arc<Table>) -> Classes {
        let bests = table.bests();
        Classes { table, bests }
    }

    /// Table of these classes.
    pub fn table(&self) -> &Arc<Table> {
        &self.table
    }

    /// Every class with its number, by material in solving order.
    pub fn all(&self) -> impl Iterator<Item = (Id, Setup)> {
        let index = self.table.index();
        index.layers().iter().flat_map(move |layer| layer.ids.clone().map(move |id| (id, index.setup(layer, id))))
    }

    fn sides(&self, id: Id) -> [ValueId; 2] {
        [0, 1].map(|side| self.bests[side][id as usize])
    }

    /// Sign of the bid: positive, zero (a quiescent position) or negative (a zugzwang).
    pub fn bid_sign(&self, id: Id) -> Ordering {
        let [white, black] = self.sides(id);
        self.table.values().cmp(white, black)
    }

    /// Worth of the move, as a share of all the money.
    pub fn bid(&self, id: Id) -> RBig {
        let [white, black] = self.sides(id).map(|best| self.table.values().get(best));
        (white - black) / RBig::from(2)
    }

    /// Compares twice the bid with a limit, exactly.
    pub(super) fn compare_bid(&self, id: Id, twice: &Limit) -> Ordering {
        let [white, black] = self.sides(id);
        self.table.values().compare_gain(white, black, twice)
    }

    /// Greater of the two labels: the number of moves that the proof of α = β takes from here.
    pub fn certificate(&self, id: Id) -> u16 {
        Color::BOTH.map(|player| self.table.label_of(id, player)).into_iter().max().unwrap_or_default()
    }

    /// Piece placement of a class, as FEN.
    pub fn fen(&self, setup: Setup) -> String {
        let board = rules(self.table.size());
        board.placement_fen(&setup.position(board, Color::White))
    }

    /// Everything known about a class.
    pub fn finding(&self, id: Id, setup: Setup) -> Finding {
        let mood = self.bid_sign(id);
        Finding {
            fen: self.fen(setup),
            material: setup.material.name(),
            value: self.table.formatted(self.table.worth_of(id)).clone(),
            bid: Fraction::from(&self.bid(id)),
            zugzwang: mood.is_lt(),
            quiescent: mood.is_eq(),
            white_label: self.table.label_of(id, Color::White),
            black_label: self.table.label_of(id, Color::Black),
        }
    }
}

/// Everything known about a position, without its moves. The fields are those of [`Answer`].
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct AnswerSummary {
    /// Version of the form of an answer.
    pub contract: u8,
    /// Piece placement of the request.
    pub fen: String,
    /// Side to move in the FEN.
    pub turn: Option<Side>,
    /// Pieces of both sides, such as `KNvK`.
    pub material: String,
    /// Kind of answer: how much is known.
    pub category: Category,
    /// Reason why the position is not covered.
    pub reason: Option<String>,
    /// White's chance to win.
    pub value: Option<Fraction>,
    /// Lower value α.
    pub alpha: Option<Enclosure>,
    /// Upper value β.
    pub beta: Option<Enclosure>,
    /// True if α = β, false if α < β, null if the question is open.
    pub sharp: Option<bool>,
    /// Worth of the move, as a share of all the money.
    pub bid: Option<Enclosure>,
    /// True if the bid is negative.
    pub zugzwang: Option<bool>,
    /// True if the bid is zero.
    pub quiescent: Option<bool>,
    /// Winner, if the opponent's king has been captured.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Side>))]
    pub terminal: Option<&'static str>,
    /// Least n for which the position is in White's set T_n.
    pub white_label: Option<u16>,
    /// Least n for which the position is in Black's set T′_n.
    pub black_label: Option<u16>,
}

impl From<Answer> for AnswerSummary {
    fn from(answer: Answer) -> AnswerSummary {
        let labels = answer.certificate.as_ref().map(|proof| [proof.white_label, proof.black_label]);
        AnswerSummary {
            contract: answer.contract,
            fen: answer.fen,
            turn: answer.turn,
            material: answer.material,
            category: answer.category,
            reason: answer.reason,
            value: answer.value,
            alpha: answer.alpha,
            beta: answer.beta,
            sharp: answer.sharp,
            bid: answer.bid,
            zugzwang: answer.zugzwang,
            quiescent: answer.quiescent,
            terminal: answer.terminal,
            white_label: labels.map(|[white, _]| white),
            black_label: labels.map(|[_, black]| black),
        }
    }
}

impl Question {
    /// Size of the board whose classes [`Question::answer_summary`] needs; `None` if it needs none.
    pub fn required_size(&self) -> Option<Size> {
        let covered = matches!(self.coverage, TableCoverage::Covered { .. });
        (covered || self.is_of_small_board()).then_some(self.size)
    }

    /// Answer without moves, from the classes of this board among `at_hand`. Returns `None` if they are needed and missing.
    pub fn answer_summary(&self, at_hand: &[Arc<Classes>]) -> Option<AnswerSummary> {
        let classes = at_hand.iter().find(|classes| classes.table().size() == self.size);
        if self.is_of_small_board() {
            return Some(self.of_small_board(classes?.table())?.0.into());
        }
        if let Some(answer) = self.without_table() {
            return Some(answer.into());
        }
        let TableCoverage::Covered { setup, reversed } = self.coverage else { return None };
        let classes = classes?;
        let table = classes.table();
        let id = table.index().id(setup);
        let mood = classes.bid_sign(id);
        let label = |player: Color| Some(table.label_of(id, if reversed { !player } else { player }));
        let exact = Enclosure::exact(&table.exact(table.worth(setup, reversed)));
        Some(AnswerSummary {
            value: exact.fraction(),
            alpha: Some(exact.clone()),
            beta: Some(exact),
            sharp: Some(true),
            // Exchanging the colours swaps the two best values and their signs, so the bid stays the same.
            bid: Some(Enclosure::exact(&classes.bid(id))),
            zugzwang: Some(mood.is_lt()),
            quiescent: Some(mood.is_eq()),
            white_label: label(Color::White),
            black_label: label(Color::Black),
            ..self.blank(Category::Exact, None).into()
        })
    }
}
