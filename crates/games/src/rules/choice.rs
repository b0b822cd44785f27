//! Things that a viewer may do now, as data: a page draws them and a hand makes them without reading a word that is meant for people.

use std::fmt::Display;

use serde::{Serialize, Serializer};

use super::Side;
use crate::board::{Board, BoardLocation, Color, Move, PieceType, Position, Special};

/// One thing a viewer may do now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Choice {
    /// The action's text.
    pub action: String,
    /// The text that a player would write or say: `Nf3`. For people only.
    pub label: String,
    /// The gesture that makes it.
    #[serde(flatten)]
    pub kind: ChoiceKind,
    /// The amount that it costs, or would earn, where the board is to show that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<i64>,
    /// It is the whole of an action where others are parts of one, so that nothing can be added.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub whole: bool,
}

/// The gesture that makes a choice.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum ChoiceKind {
    /// A unit of the board goes somewhere; where both squares are one, it is meant without going anywhere.
    Move {
        /// Where it stands.
        #[serde(serialize_with = "square")]
        from: BoardLocation,
        /// Where it goes.
        #[serde(serialize_with = "square")]
        to: BoardLocation,
        /// Another square that means the same: castling, the king may be put onto his rook, or to where he ends.
        #[serde(serialize_with = "maybe_square", skip_serializing_if = "Option::is_none")]
        also: Option<BoardLocation>,
        /// The name of the piece that it becomes there.
        #[serde(skip_serializing_if = "Option::is_none")]
        promotion: Option<String>,
    },
    /// A piece from elsewhere comes to a square.
    Drop {
        /// The piece.
        piece: Dropped,
        /// Where it comes.
        #[serde(serialize_with = "square")]
        to: BoardLocation,
    },
    /// A word that has no place on the board.
    Word {
        /// The word, without what may follow it: `pass`, `buy`.
        word: String,
    },
}

/// A piece from elsewhere, the same for all the squares to which it may come.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Dropped {
    /// The part of the action that is said before the square: `N@`, `transfer WF`.
    pub said: String,
    /// Words for a button that takes it in hand: `Drop a knight`. For people only.
    #[serde(skip)]
    pub words: String,
    /// The beginning of those words, where a picture of the piece can tell the rest: `Drop a`. For people only.
    #[serde(skip)]
    pub lead: Option<&'static str>,
    /// Its name.
    pub name: String,
    /// Its moves, in Betza notation.
    #[serde(skip)]
    pub betza: String,
    /// Whose it is.
    pub color: Side,
    /// The action that means the piece wherever it comes, if there is one: `$N`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alone: Option<String>,
    /// The amount that it costs, or would earn wherever it comes. For people only.
    #[serde(skip)]
    pub amount: Option<i64>,
}

impl Dropped {
    /// A piece of a kind that has no amount, with `said` before its square; `lead` begins the words for its button.
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
    /// A choice that has no amount.
    pub fn new(action: impl Into<String>, label: impl Into<String>, kind: ChoiceKind) -> Choice {
        Choice { action: action.into(), label: label.into(), kind, amount: None, whole: false }
    }

    /// A word that moves nothing on the board and is its own text.
    pub fn word(word: impl Into<String>) -> Choice {
        let word = word.into();
        Choice::new(word.clone(), word.clone(), ChoiceKind::Word { word })
    }

    /// A legal move of a position, written as score sheets write it.
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
    /// A unit that goes from square to square and stays what it is.
    pub fn plain(from: impl Into<BoardLocation>, to: impl Into<BoardLocation>) -> ChoiceKind {
        ChoiceKind::Move { from: from.into(), to: to.into(), also: None, promotion: None }
    }

    /// The square on which it ends, if it has a place on the board.
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
