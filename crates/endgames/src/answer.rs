//! The answer about a position: its exact value, the bid, every move of both sides, and the certificate.

use dashu_ratio::RBig;
use serde::Serialize;

use super::{
    bidding_mechanism::ONE,
    bounded_answer::{Interval, MORE_DECIMALS, enclosure_to},
    endgame::Side,
    fractions::{Digits, Fraction, Worth},
    move_graph::rules,
    position_query::{self, Question, TableCoverage},
    table::Table,
};
use crate::board::{Board, Color, Position, orthodox};

/// Version of the form of an answer.
pub const CONTRACT: u8 = 2;

/// Kind of answer: how much is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Category {
    /// The value is a rational, proved equal to α and β.
    Exact,
    /// Proved bounds of α and β.
    Interval,
    /// Not covered; `reason` says why.
    Unknown,
    /// A king has been captured.
    Terminal,
}

/// A number with proved bounds, and as a fraction where it is known exactly.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Enclosure {
    /// Numerator in decimal, with `-` if the number is negative; null if only bounds are known.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, required))]
    pub num: Option<Digits>,
    /// Denominator in decimal; null if only bounds are known.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>, required))]
    pub den: Option<Digits>,
    /// Nearest floating-point number; null if only bounds are known.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub approx: Option<f64>,
    /// Lower bound in decimal, rounded down.
    pub lo: String,
    /// Upper bound in decimal, rounded up.
    pub hi: String,
}

/// A move of one side.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Choice {
    /// Move in UCI.
    pub uci: String,
    /// Move in SAN. A king capture ends with `#`.
    pub san: String,
    /// Kind of answer about the position after the move.
    pub category: Category,
    /// Value of the position after the move; null if only bounds are known.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub value: Option<Fraction>,
    /// Bounds of α after the move.
    pub alpha: Interval,
    /// Bounds of β after the move.
    pub beta: Interval,
    /// True if the move captures.
    pub capture: bool,
    /// True if the move captures or moves a pawn.
    pub zeroing: bool,
    /// Label of the position after the move for the mover: the number of best moves that end the game with a lucky coin. Null with four or five
    /// pieces left: their tables have no labels.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub label: Option<u16>,
    /// True if no other move is better for White in α, or for Black in β. False if another move is proved better. Null if the bounds do not decide.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub best: Option<bool>,
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
    /// Version of the form of this answer.
    #[cfg_attr(feature = "openapi", schema(example = 2))]
    pub contract: u8,
    /// Piece placement of the request.
    pub fen: String,
    /// Side to move in the FEN; null if it has none. It does not change the answer.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub turn: Option<Side>,
    /// Pieces of both sides, such as `KNvK`.
    pub material: String,
    /// Kind of answer: how much is known.
    pub category: Category,
    /// Reason why the position is not covered.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub reason: Option<String>,
    /// Value x of the position.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub value: Option<Fraction>,
    /// Lower value α: the most that White can be sure to win.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub alpha: Option<Enclosure>,
    /// Upper value β: the most that White can be sure not to lose.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub beta: Option<Enclosure>,
    /// True if α = β, false if α < β, null if the question is open.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub sharp: Option<bool>,
    /// (max over White's moves − min over Black's moves) / 2: the worth of the move, as a share of all the money.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub bid: Option<Enclosure>,
    /// True if the bid is negative, so that neither side wants to move.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub zugzwang: Option<bool>,
    /// True if the bid is zero: the best move of either side keeps the value (Larsson and Wästlund, §8).
    #[cfg_attr(feature = "openapi", schema(required))]
    pub quiescent: Option<bool>,
    /// Winner, if the opponent's king has been captured.
    #[cfg_attr(feature = "openapi", schema(required, value_type = Option<Side>))]
    pub terminal: Option<&'static str>,
    /// All moves of White, best first. Ties go to the least label, then to the first by UCI text.
    pub white: Vec<Choice>,
    /// All moves of Black, best first. Ties go to the least label, then to the first by UCI text.
    pub black: Vec<Choice>,
    /// Certificate, for positions in a table of up to three pieces.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub certificate: Option<Certificate>,
}

impl Enclosure {
    /// A number that is known exactly.
    pub(super) fn exact(value: &RBig) -> Enclosure {
        let Fraction { num, den, approx } = Fraction::from(value);
        let Interval { lo, hi } = enclosure_to(scaled(value), MORE_DECIMALS);
        Enclosure { num: Some(num), den: Some(den), approx: Some(approx), lo, hi }
    }

    /// A number between bounds, given as multiples of 2^−63. Equal bounds give the number itself.
    pub(super) fn between([low, high]: [i128; 2]) -> Enclosure {
        if low == high {
            return Enclosure::exact(&unscaled(low));
        }
        let Interval { lo, hi } = enclosure_to([low, high], MORE_DECIMALS);
        Enclosure { num: None, den: None, approx: None, lo, hi }
    }

    /// The number as a fraction, if it is known exactly.
    pub fn fraction(&self) -> Option<Fraction> {
        Some(Fraction { num: self.num.clone()?, den: self.den.clone()?, approx: self.approx? })
    }

    /// The bounds.
    pub fn interval(&self) -> Interval {
        Interval { lo: self.lo.clone(), hi: self.hi.clone() }
    }
}

/// Bounds of a number between −1 and 1, as multiples of 2^−63.
pub(super) fn scaled(value: &RBig) -> [i128; 2] {
    let scaled = value * RBig::from(ONE);
    [scaled.floor(), scaled.ceil()].map(|end| i128::try_from(end).unwrap_or_default())
}

/// A multiple of 2^−63.
pub(super) fn unscaled(number: i128) -> RBig {
    RBig::from(number) / RBig::from(ONE)
}

/// Move with the position after it.
#[derive(Clone, Debug)]
pub(super) struct MoveOutcome {
    pub(super) san: String,
    pub(super) uci: String,
    pub(super) worth: Worth,
    /// Number of best moves that the mover then needs to end the game with a lucky coin; 0 if the game is over.
    pub(super) label: u16,
    /// Whether the move captures a king.
    pub(super) over: bool,
    pub(super) capture: bool,
    /// Whether the move captures or moves a pawn.
    pub(super) zeroing: bool,
    pub(super) next: Position,
}

impl MoveOutcome {
    /// Publishes the move. `best` says that no other move of its side is better.
    pub(super) fn publish(&self, table: &Table, best: bool) -> Choice {
        let bounds = enclosure_to(scaled(&table.exact(self.worth)), MORE_DECIMALS);
        Choice {
            uci: self.uci.clone(),
            san: self.san.clone(),
            category: if self.over { Category::Terminal } else { Category::Exact },
            value: Some(table.formatted(self.worth).clone()),
            alpha: bounds.clone(),
            beta: bounds,
            capture: self.capture,
            zeroing: self.zeroing,
            label: Some(self.label),
            best: Some(best),
        }
    }
}

/// Returns whether the move between two positions captures, and whether it captures or moves a pawn.
pub(super) fn effects(from: &Position, next: &Position) -> (bool, bool) {
    let capture = next.occupied().len() < from.occupied().len();
    let pawns = |position: &Position| Color::BOTH.map(|color| position.of_kind(color, orthodox::PAWN));
    (capture, capture || pawns(from) != pawns(next))
}

/// Value of a position that a table covers or in which the game is over; `None` for any other.
pub(super) fn worth(table: &Table, position: &Position) -> Option<Worth> {
    match position_query::coverage(table.size(), position) {
        TableCoverage::Over { winner } => Some(Worth::won(winner)),
        TableCoverage::Covered { setup, reversed } => Some(table.worth(setup, reversed)),
        TableCoverage::Uncovered(_) => None,
    }
}

/// Label of a position for a player; 0 if the game is over.
pub(super) fn label(table: &Table, position: &Position, player: Color) -> u16 {
    match position_query::coverage(table.size(), position) {
        TableCoverage::Covered { setup, reversed } => table.label(setup, if reversed { !player } else { player }),
        TableCoverage::Over { .. } | TableCoverage::Uncovered(_) => 0,
    }
}

/// Returns whether a king has been captured.
pub(super) fn is_over(position: &Position) -> bool {
    Color::BOTH.into_iter().any(|color| position.of_kind(color, orthodox::KING).is_empty())
}

/// All moves of a side with their values, best first. Ties go to the least label, then to the first by UCI text.
pub(super) fn move_outcomes(table: &Table, position: &Position, mover: Color) -> Vec<MoveOutcome> {
    let board: &Board = rules(table.size());
    let mut from = *position;
    from.turn = mover;
    let moves = board.moves(&from);
    let mut outlooks: Vec<MoveOutcome> = moves
        .iter()
        .filter_map(|mv| {
            let mv = *mv;
            let next = board.after(&from, mv);
            let (capture, zeroing) = effects(&from, &next);
            Some(MoveOutcome {
                san: board.san_among(&from, mv, &moves),
                uci: board.uci(mv).to_string(),
                worth: worth(table, &next)?,
                label: label(table, &next, mover),
                over: is_over(&next),
                capture,
                zeroing,
                next,
            })
        })
        .collect();
    outlooks.sort_by(|a, b| {
        let better = match mover {
            Color::White => table.compare(b.worth, a.worth),
            Color::Black => table.compare(a.worth, b.worth),
        };
        better.then_with(|| a.label.cmp(&b.label)).then_with(|| a.uci.cmp(&b.uci))
    });
    outlooks
}

/// Turns the move outcomes of a side into published moves.
fn choices(table: &Table, outlooks: &[MoveOutcome]) -> Vec<Choice> {
    let Some(best) = outlooks.first().map(|outlook| outlook.worth) else { return Vec::new() };
    outlooks.iter().map(|outlook| outlook.publish(table, table.compare(outlook.worth, best).is_eq())).collect()
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
        let Some(worth) = worth(table, &self.position) else {
            return self.blank(Category::Unknown, None);
        };
        let [white, black] = Color::BOTH.map(|mover| move_outcomes(table, &self.position, mover));
        let best = |side: &[MoveOutcome]| table.exact(side.first().map_or(worth, |outlook| outlook.worth));
        let bid = (best(&white) - best(&black)) / RBig::from(2);
        let exact = Enclosure::exact(&table.exact(worth));
        let label = |player| label(table, &self.position, player);
        Answer {
            value: Some(table.formatted(worth).clone()),
            alpha: Some(exact.clone()),
            beta: Some(exact),
            sharp: Some(true),
            zugzwang: Some(bid < RBig::ZERO),
            quiescent: Some(bid.is_zero()),
            bid: Some(Enclosure::exact(&bid)),
            white: choices(table, &white),
            black: choices(table, &black),
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
        worth(table, &self.position).map(|worth| table.formatted(worth).clone())
    }

    fn over(&self, winner: Color) -> Answer {
        let value = match winner {
            Color::White => RBig::ONE,
            Color::Black => RBig::ZERO,
        };
        let exact = Enclosure::exact(&value);
        Answer {
            value: Some(Fraction::from(&value)),
            alpha: Some(exact.clone()),
            beta: Some(exact),
            sharp: Some(true),
            bid: Some(Enclosure::exact(&RBig::ZERO)),
            zugzwang: Some(false),
            quiescent: Some(false),
            terminal: Some(winner.name()),
            ..self.blank(Category::Terminal, None)
        }
    }

    pub(super) fn blank(&self, category: Category, reason: Option<String>) -> Answer {
        let board = rules(self.size);
        Answer {
            contract: CONTRACT,
            fen: board.placement_fen(&self.position),
            turn: self.turn.map(Side::from),
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
