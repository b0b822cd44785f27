//! Actions that a viewer may take now, as data: pages draw them and map gestures to them without parsing text meant for people.

use std::fmt::Display;

use serde::{Serialize, Serializer};

use super::Side;
use crate::board::{Board, BoardLocation, Color, Move, PieceType, Position, Special};

/// One action that the viewer may take now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Choice {
    /// Text of the action.
    pub action: String,
    /// The action in player notation, such as `Nf3`. For people only.
    pub label: String,
    /// Gesture that makes the choice.
    #[serde(flatten)]
    pub kind: ChoiceKind,
    /// Price or payment to show on the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<i64>,
    /// Complete action in a list of parts: nothing can be added to it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub whole: bool,
}

/// Gesture that makes a choice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ChoiceKind {
    /// Moves a piece. If both squares are equal, the choice is the piece itself.
    Move {
        /// Start square.
        #[serde(serialize_with = "square")]
        from: BoardLocation,
        /// Target square.
        #[serde(serialize_with = "square")]
        to: BoardLocation,
        /// Alternative target with the same meaning. To castle, move the king onto the rook or to the king's final square.
        #[serde(serialize_with = "maybe_square", skip_serializing_if = "Option::is_none")]
        also: Option<BoardLocation>,
        /// Name of the piece that a pawn promotes to.
        #[serde(skip_serializing_if = "Option::is_none")]
        promotion: Option<String>,
    },
    /// Puts a piece from off the board onto a square.
    Drop {
        /// The piece.
        piece: Dropped,
        /// Target square.
        #[serde(serialize_with = "square")]
        to: BoardLocation,
    },
    /// A command without a place on the board.
    Word {
        /// First word of the command, without arguments: `pass`, `buy`.
        word: String,
    },
}

/// A piece from off the board. Equal for all squares on which it may be put.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Dropped {
    /// Text of the action before the square: `N@`, `transfer WF`.
    pub said: String,
    /// Label of the button that picks it up: `Drop a knight`. For people only.
    #[serde(skip)]
    pub words: String,
    /// Start of that label, for use with a picture of the piece: `Drop a`. For people only.
    #[serde(skip)]
    pub lead: Option<&'static str>,
    /// Name of the piece.
    pub name: String,
    /// Moves of the piece, in Betza notation.
    #[serde(skip)]
    pub betza: String,
    /// Side that owns the piece.
    pub color: Side,
    /// Action that selects the piece without a square, if there is one: `$N`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alone: Option<String>,
    /// Price or payment, the same on every square. For people only.
    #[serde(skip)]
    pub amount: Option<i64>,
}

impl Dropped {
    /// A piece without an amount. `said` is the action's text before the square; `lead` begins the button's label.
    pub fn new(kind: &PieceType, color: Color, said: String, lead: &'static str) -> Dropped {
        Dropped {
            said,
            words: format!("{lead} {}", kind.name),
            lead: Some(lead),
            name: kind.name.clone(),
            betza: kind.betza.clone(),
            color: color.into(),
            alone: None,
            amount: None,
        }
    }
}

impl Choice {
    /// A choice without an amount.
    pub fn new(action: impl Into<String>, label: impl Into<String>, kind: ChoiceKind) -> Choice {
        Choice { action: action.into(), label: label.into(), kind, amount: None, whole: false }
    }

    /// A command whose text is also its label.
    pub fn word(word: impl Into<String>) -> Choice {
        let word = word.into();
        Choice::new(word.clone(), word.clone(), ChoiceKind::Word { word })
    }

    /// A legal move of a position, labelled in SAN.
    pub fn of_move(board: &Board, position: &Position, mv: Move) -> Choice {
        let kind = match mv.special {
            Special::Drop(kind) => {
                let kind = board.kind(kind);
                let piece = Dropped::new(kind, position.turn, format!("{}@", kind.letter), "Drop a");
                ChoiceKind::Drop { piece, to: mv.to.into() }
            }
            Special::Plain | Special::Double | Special::EnPassant | Special::Castle => ChoiceKind::Move {
                from: mv.from.into(),
                to: board.target(mv).into(),
                also: [Some(mv.to), board.castled_far(mv)]
                    .into_iter()
                    .flatten()
                    .find(|to| *to != board.target(mv))
                    .map(BoardLocation::from),
                promotion: mv.promotion.map(|kind| board.kind(kind).name.clone()),
            },
        };
        Choice::new(board.uci(mv).to_string(), board.san(position, mv), kind)
    }
}

impl ChoiceKind {
    /// A move without promotion or alternative target.
    pub fn plain(from: impl Into<BoardLocation>, to: impl Into<BoardLocation>) -> ChoiceKind {
        ChoiceKind::Move { from: from.into(), to: to.into(), also: None, promotion: None }
    }

    /// Target square, if the choice has a place on the board.
    pub fn to(&self) -> Option<BoardLocation> {
        match self {
            ChoiceKind::Move { to, .. } | ChoiceKind::Drop { to, .. } => Some(*to),
            ChoiceKind::Word { .. } => None,
        }
    }
}

pub(super) fn maybe_square<T: Display, S: Serializer>(square: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&square.as_ref().map_or_else(String::new, T::to_string))
}

pub(super) fn square<S: Serializer>(square: &BoardLocation, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(square)
}
