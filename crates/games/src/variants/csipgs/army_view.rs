//! Views of armies during set-up: their limits, and the viewer's draft.

use num_rational::Ratio;
use serde::Serialize;
use std::sync::Arc;

use super::{
    army::{KnownArmy, ordinary, pairs},
    options::{Army, Csipgs, SecondRank, Total},
    state::State,
};
use crate::{
    board::{Betza, Color},
    rules::{
        Seat,
        diagram::{Amount, Pair},
    },
};

/// Limits on an army.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = ArmyBounds)]
pub struct Bounds {
    /// Whether both players set up in secret; otherwise they place pieces alternately.
    pub secret: bool,
    /// Budget of each army, in zorkmids.
    pub budget: Amount,
    /// Whether an army may cost the whole budget; otherwise it must cost less.
    pub at_most: bool,
    /// Exact cost of the pieces that each seat has placed.
    #[schema(inline)]
    pub spent: Pair<String>,
    /// Whether pieces on the second rank may only move and capture forwards; otherwise they cost at most 2.
    pub forwards: bool,
    /// Minimum cost of a piece, if there is one.
    pub least: Option<Amount>,
    /// Maximum cost of a piece, if there is one.
    pub most: Option<Amount>,
    /// The chess pieces as an example army for each seat, as in an `army` action after its first word.
    #[schema(inline)]
    pub example: Pair<String>,
    /// Squares that the player to move still has to fill.
    pub empty: Vec<String>,
}

/// A piece that the player can pick up and put on several squares.
#[derive(PartialEq, Debug)]
pub struct PalettePiece {
    /// Text of the piece.
    pub betza: String,
    /// Name of the piece.
    pub name: String,
    /// Cost before rounding.
    pub cost: String,
    /// Parsed notation.
    pub piece: Arc<Betza>,
    /// Squares on which the limits do not allow it, each list separated by spaces and with the reason.
    pub refused: Vec<(String, String)>,
}

/// An unfinished army of the viewer.
#[derive(PartialEq, Debug)]
pub struct ArmyDraft {
    /// Pieces with their squares, as in an `army` action after its first word.
    pub pairs: String,
    /// Texts of the pieces laid next to the board.
    pub beside: Vec<String>,
    /// The whole draft as it was before a wing was mirrored, if that was the last change.
    pub unmirrored: Option<String>,
    /// Pieces that the player can pick up.
    pub palette: Vec<PalettePiece>,
    /// Exact cost so far.
    pub total: String,
    /// Rest of the budget.
    pub left: String,
    /// Cost above the budget, if the pieces cost too much.
    pub excess: Option<String>,
    /// Number of empty squares.
    pub missing: usize,
    /// One message for each piece that its square or the limits do not allow.
    pub wrong: Vec<String>,
    /// Whether the budget covers it, with the cheapest pieces on the empty squares.
    pub affordable: bool,
    /// Whether it has a royal piece.
    pub royal: bool,
    /// Why a word of the draft was left out, if one was.
    pub refused: Option<String>,
    /// Known armies to start from.
    pub known: Vec<KnownArmy>,
}

impl ArmyDraft {
    /// The whole draft as a text: the pieces on their squares, then those next to the board.
    pub fn all(&self) -> String {
        let pairs = Some(&self.pairs).filter(|pairs| !pairs.is_empty());
        pairs.into_iter().chain(&self.beside).cloned().collect::<Vec<_>>().join(" ")
    }

    /// Whether the player can pick up a piece with this text.
    pub fn has(&self, betza: &str) -> bool {
        self.palette.iter().any(|piece| piece.betza == betza)
    }

    /// Whether the army can be sealed.
    pub fn whole(&self) -> bool {
        self.missing == 0 && self.wrong.is_empty() && self.affordable
    }
}

impl Bounds {
    /// Exact cost of the pieces that a seat has placed.
    pub fn spent(&self, seat: &Seat) -> &str {
        self.spent.of(*seat)
    }
}

impl State {
    pub(super) fn army_bounds(&self, options: &Csipgs) -> Bounds {
        Bounds {
            secret: options.army == Army::Secret,
            budget: tenths(options.army_budget_tenths),
            at_most: options.army_total == Total::AtMost,
            spent: Seat::BOTH.map(|seat| self.sides[seat.index()].spent.to_string()).into(),
            forwards: options.army_second_rank == SecondRank::Forward,
            least: (options.army_least_tenths > 0).then(|| tenths(options.army_least_tenths)),
            most: (options.army_most_tenths > 0).then(|| tenths(options.army_most_tenths)),
            example: Color::BOTH.map(|color| pairs(&ordinary(self.board.size(), color))).into(),
            empty: (super::army::home_ranks(self.board.size(), self.mover) & !self.position.occupied())
                .map(|square| square.to_string())
                .collect(),
        }
    }
}

/// Converts tenths of a zorkmid into an amount.
pub(super) fn tenths(tenths: i64) -> Amount {
    Amount(Ratio::new(tenths, 10))
}
