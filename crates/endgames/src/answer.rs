//! The answer about a position: its exact value, the bid, every move of both sides, and the certificate.

use dashu_ratio::RBig;
use serde::Serialize;

use super::{
    fractions::{Fraction, Worth},
    move_graph::rules,
    position_query::{self, Question, TableCoverage},
    table::Table,
};
use crate::board::{Color, Position, Size};

/// Kind of answer: how much is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// The value is a rational, proved equal to α and β.
    Exact,
    /// Proved bounds of α and β, in `enclosed`.
    Interval,
    /// Not covered; `reason` says why.
    Unknown,
    /// A king has been captured.
    Terminal,
}

/// A move of one side.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Choice {
    /// Move in UCI.
    pub uci: String,
    /// Move in SAN. A king capture ends with `#`.
    pub san: String,
    /// Value of the position after the move.
    pub value: Fraction,
    /// True if no other move of this side is better.
    pub best: bool,
}

/// Proof that the value is right.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Certificate {
    /// `exact`: every equation of the table holds in exact arithmetic.
    pub equations: &'static str,
    /// Least n for which the position is in White's set T_n: with best moves alone and a lucky coin, White can end the game within n moves.
    pub white_label: u16,
    /// Least n for which the position is in Black's set T′_n.
    pub black_label: u16,
    /// SHA-256 of the table, in hexadecimal.
    pub table: String,
}

/// Everything known about a position. Values are White's chance to win.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Answer {
    /// Piece placement of the request.
    pub fen: String,
    /// Pieces of both sides, such as `KNvK`.
    pub material: String,
    /// Kind of answer: how much is known.
    pub category: Category,
    /// Reason why the position is not covered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Value x of the position.
    pub value: Option<Fraction>,
    /// Lower value α: the most that White can be sure to win.
    pub alpha: Option<Fraction>,
    /// Upper value β: the most that White can be sure not to lose.
    pub beta: Option<Fraction>,
    /// True if α = β.
    pub sharp: Option<bool>,
    /// (max over White's moves − min over Black's moves) / 2: the worth of the move, as a share of all the money.
    pub bid: Option<Fraction>,
    /// True if the bid is negative, so that neither side wants to move.
    pub zugzwang: Option<bool>,
    /// True if the bid is zero: the best move of either side keeps the value (Larsson and Wästlund, §8).
    pub quiescent: Option<bool>,
    /// Winner, `white` or `black`, if the opponent's king has been captured.
    pub terminal: Option<&'static str>,
    /// All moves of White, best first, then by UCI text.
    pub white: Vec<Choice>,
    /// All moves of Black, best first, then by UCI text.
    pub black: Vec<Choice>,
    /// Certificate, for positions in a table.
    pub certificate: Option<Certificate>,
}

/// Move with the position after it.
#[derive(Clone, Debug)]
pub(super) struct MoveOutcome {
    pub(super) san: String,
    pub(super) uci: String,
    pub(super) worth: Worth,
    /// Number of best moves that the mover then needs to end the game with a lucky coin; 0 if the game is over.
    pub(super) label: u16,
    pub(super) next: Position,
}

/// Value of a position that a table covers or in which the game is over; `None` for any other.
pub(super) fn worth(table: &Table, size: Size, position: &Position) -> Option<Worth> {
    match position_query::coverage(size, position) {
        TableCoverage::Over { winner } => Some(Worth::won(winner)),
        TableCoverage::Covered { setup, reversed } => Some(table.worth(setup, reversed)),
        TableCoverage::Uncovered(_) => None,
    }
}

/// Label of a position for a player; 0 if the game is over.
fn label(table: &Table, size: Size, position: &Position, player: Color) -> u16 {
    match position_query::coverage(size, position) {
        TableCoverage::Covered { setup, reversed } => table.label(setup, if reversed { !player } else { player }),
        TableCoverage::Over { .. } | TableCoverage::Uncovered(_) => 0,
    }
}

/// All moves of a side with their values, best first, then by UCI text.
pub(super) fn move_outcomes(table: &Table, position: &Position, mover: Color) -> Vec<MoveOutcome> {
    let (size, board) = (table.size(), rules(table.size()));
    let mut from = *position;
    from.turn = mover;
    let moves = board.moves(&from);
    let mut outlooks: Vec<MoveOutcome> = moves
        .iter()
        .filter_map(|mv| {
            let mv = *mv;
            let next = board.after(&from, mv);
            let worth = worth(table, size, &next)?;
            Some(MoveOutcome {
                san: board.san_among(&from, mv, &moves),
                uci: board.uci(mv).to_string(),
                worth,
                label: label(table, size, &next, mover),
                next,
            })
        })
        .collect();
    outlooks.sort_by(|a, b| {
        let better = match mover {
            Color::White => table.compare(b.worth, a.worth),
            Color::Black => table.compare(a.worth, b.worth),
        };
        better.then_with(|| a.uci.cmp(&b.uci))
    });
    outlooks
}

/// Turns the move outcomes of a side into published moves.
fn choices(table: &Table, outlooks: Vec<MoveOutcome>) -> Vec<Choice> {
    let Some(best) = outlooks.first().map(|outlook| outlook.worth) else { return Vec::new() };
    let choice = |outlook: MoveOutcome| Choice {
        uci: outlook.uci,
        san: outlook.san,
        value: table.formatted(outlook.worth).clone(),
        best: table.compare(outlook.worth, best).is_eq(),
    };
    outlooks.into_iter().map(choice).collect()
}

impl Question {
    /// Answer that needs no table: the game is over, or no table covers the position.
    pub fn without_table(&self) -> Option<Answer> {
        match &self.coverage {
            TableCoverage::Covered { .. } => None,
            TableCoverage::Over { winner } => Some(self.over(*winner)),
            TableCoverage::Uncovered(reason) => Some(self.blank(Category::Unknown, Some(reason.clone()))),
        }
    }

    /// Answer from the table of this board.
    ///
    /// Panics if `table` belongs to another board.
    pub fn answer(&self, table: &Table) -> Answer {
        assert_eq!(self.size, table.size(), "the table belongs to another board");
        if let Some(answer) = self.without_table() {
            return answer;
        }
        let Some(worth) = worth(table, self.size, &self.position) else {
            return self.blank(Category::Unknown, None);
        };
        let [white, black] = Color::BOTH.map(|mover| move_outcomes(table, &self.position, mover));
        let best = |side: &[MoveOutcome]| table.exact(side.first().map_or(worth, |outlook| outlook.worth));
        let bid = (best(&white) - best(&black)) / RBig::from(2);
        let exact = table.formatted(worth).clone();
        let label = |player| label(table, self.size, &self.position, player);
        Answer {
            value: Some(exact.clone()),
            alpha: Some(exact.clone()),
            beta: Some(exact),
            sharp: Some(true),
            zugzwang: Some(bid < RBig::ZERO),
            quiescent: Some(bid.is_zero()),
            bid: Some(Fraction::from(&bid)),
            white: choices(table, white),
            black: choices(table, black),
            certificate: Some(Certificate {
                equations: "exact",
                white_label: label(Color::White),
                black_label: label(Color::Black),
                table: table.digest().to_owned(),
            }),
            ..self.blank(Category::Exact, None)
        }
    }

    /// Answer for a position that is not covered, with the reason.
    pub fn unknown(&self, reason: &str) -> Answer {
        self.blank(Category::Unknown, Some(reason.to_owned()))
    }

    /// Value alone, if the table covers the position or the game is over.
    pub fn value(&self, table: &Table) -> Option<Fraction> {
        worth(table, self.size, &self.position).map(|worth| table.formatted(worth).clone())
    }

    fn over(&self, winner: Color) -> Answer {
        let value = Fraction::from(&match winner {
            Color::White => RBig::ONE,
            Color::Black => RBig::ZERO,
        });
        Answer {
            value: Some(value.clone()),
            alpha: Some(value.clone()),
            beta: Some(value),
            sharp: Some(true),
            bid: Some(Fraction::from(&RBig::ZERO)),
            zugzwang: Some(false),
            quiescent: Some(false),
            terminal: Some(winner.name()),
            ..self.blank(Category::Terminal, None)
        }
    }

    pub(super) fn blank(&self, category: Category, reason: Option<String>) -> Answer {
        let board = rules(self.size);
        Answer {
            fen: board.placement_fen(&self.position),
            material: position_query::material(board, &self.position),
            category,
            reason,
            value: None,
            alpha: None,
            beta: None,
            sharp: None,
            bid: None,
            zugzwang: None,
            quiescent: None,
            terminal: None,
            white: Vec::new(),
            black: Vec::new(),
            certificate: None,
        }
    }
}
