//! What is seen of armies while they are set up: their bounds, and the one that somebody puts together.

use num_rational::Ratio;
use serde::Serialize;

use super::{
    army::{KnownArmy, ordinary, pairs},
    options::{Army, Csipgs, SecondRank, Total},
    state::State,
};
use crate::{
    board::Color,
    rules::{
        Seat,
        diagram::{Amount, Pair},
    },
};

/// The bounds of an army.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = ArmyBounds)]
pub struct Bounds {
    /// The armies are set up in secret.
    pub secret: bool,
    /// The budget of an army.
    pub budget: Amount,
    /// An army may cost all of that.
    pub at_most: bool,
    /// The money that each seat has spent, exactly.
    #[schema(inline)]
    pub spent: Pair<String>,
    /// The second rank is for pieces that only go forwards; else for those that cost at most two.
    pub forwards: bool,
    /// The least that a piece may cost.
    pub least: Option<Amount>,
    /// The most that a piece may cost.
    pub most: Option<Amount>,
    /// An ordinary army for each seat, as an example.
    #[schema(inline)]
    pub example: Pair<String>,
    /// The squares that the mover has still to fill.
    pub empty: Vec<String>,
}

/// An army while it is put together.
#[derive(PartialEq, Debug)]
pub struct ArmyDraft {
    /// The pieces with their squares, as the action has them after its first word.
    pub pairs: String,
    /// The texts of pieces that were laid beside the board.
    pub beside: Vec<String>,
    /// The cost so far, before rounding.
    pub total: String,
    /// The rest of the budget.
    pub left: String,
    /// The number of squares that are still empty.
    pub missing: usize,
    /// Words for each piece that may not stand where it stands.
    pub wrong: Vec<String>,
    /// The budget pays for it with the cheapest pieces on the squares still empty.
    pub affordable: bool,
    /// It has a royal piece.
    pub royal: bool,
    /// Why a word was left out, if one was.
    pub refused: Option<String>,
    /// Armies that people know, to begin from.
    pub known: Vec<KnownArmy>,
}

impl ArmyDraft {
    /// All of it as a text that can be gone on with: the pieces on their squares, and those beside the board.
    pub fn all(&self) -> String {
        let pairs = Some(&self.pairs).filter(|pairs| !pairs.is_empty());
        pairs.into_iter().chain(&self.beside).cloned().collect::<Vec<_>>().join(" ")
    }

    /// Tells whether it can be sealed.
    pub fn whole(&self) -> bool {
        self.missing == 0 && self.wrong.is_empty() && self.affordable
    }
}

impl Bounds {
    /// The money that a seat has spent, exactly.
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
            empty: (super::army::home(self.board.size(), self.mover) & !self.position.occupied())
                .map(|square| square.to_string())
                .collect(),
        }
    }
}

/// Money that is kept in tenths of a zorkmid.
pub(super) fn tenths(tenths: i64) -> Amount {
    Amount(Ratio::new(tenths, 10))
}
