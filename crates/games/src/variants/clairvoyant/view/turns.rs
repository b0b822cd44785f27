//! The pending turn and the turn that was settled last, as far as a viewer may know them.

use serde::Serialize;

use crate::{
    rules::Seat,
    variants::clairvoyant::{
        guess_sheet::{Guess, Sheet},
        state::{Retraction, State},
        turn_history::{Reading, Record, TurnStatus},
    },
};

/// A turn that is waiting for its answer.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = ProposedTurn)]
pub struct ProposedTurn {
    /// The turn.
    pub turn: String,
    /// Its price, in zorkmids.
    pub paid: i64,
    /// Price of a retraction; null if it is not allowed.
    pub retraction: Option<i64>,
    /// Whether the viewer can pay that price; null for everyone but the seat that has to answer.
    pub affordable: Option<bool>,
    /// The viewer's earnings if the turn is accepted, in zorkmids; null for everyone but the seat that has to answer.
    pub earns: Option<i64>,
    /// The part with which no turn can start if this one is forced back.
    pub forbids: String,
}

/// A settled turn, with the sheet that was opened.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = SettledTurn)]
pub struct SettledTurn {
    /// The seat that played it.
    pub mover: Seat,
    /// The seat that guessed it.
    pub guesser: Seat,
    /// The turn.
    pub turn: String,
    /// Its price.
    pub paid: i64,
    /// One move was forced, so there were no guesses.
    pub forced: bool,
    /// Every guess with its earnings; null where the sheet is hidden from the viewer.
    pub sheet: Option<Vec<Hit>>,
    /// Total earnings of the guesser; null where they are hidden from the viewer.
    pub income: Option<i64>,
    /// Number of the mover's retraction guesses that were lost; null where it is hidden from the viewer.
    pub locks_lost: Option<u8>,
}

/// A guess with its earnings.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct Hit {
    /// The guess.
    pub guess: String,
    /// Zorkmids earned; 0 for a wrong guess.
    pub earned: i64,
}

/// The pending turn; `asked` if the viewer has to answer it.
pub(super) fn proposed(state: &State, record: &Record, asked: bool) -> ProposedTurn {
    let retraction = match state.retraction(&record.played) {
        Retraction::For(price) => Some(price),
        Retraction::OnlyMove => None,
    };
    let purse = state.purses[state.guesser().index()];
    let payoffs = &state.terms.payoffs;
    let earned = |sheet: &Sheet| payoffs.hits(sheet, &record.before, &record.played).iter().sum();
    ProposedTurn {
        turn: record.played.turn.to_string(),
        paid: record.played.price,
        retraction,
        affordable: asked.then(|| retraction.is_some_and(|price| price <= purse)),
        earns: asked.then(|| state.sheet.as_ref().map_or(payoffs.forced, earned)),
        forbids: record.played.turn.parts.first().map(ToString::to_string).unwrap_or_default(),
    }
}

/// The turn that was settled last.
pub(super) fn settled(state: &State, reading: &Reading) -> Option<SettledTurn> {
    state.records.iter().enumerate().rev().find_map(|(index, record)| match &record.fate {
        TurnStatus::Open | TurnStatus::Retracted { .. } => None,
        TurnStatus::Settled { sheet, income, .. } => {
            let knows = reading.knows(!record.mover, index);
            let hit = |(guess, earned): (&Guess, &i64)| Hit { guess: guess.to_string(), earned: *earned };
            let hits = |(sheet, hits): &(Sheet, Vec<i64>)| sheet.guesses.iter().zip(hits).map(hit).collect();
            Some(SettledTurn {
                mover: record.mover,
                guesser: !record.mover,
                turn: record.played.turn.to_string(),
                paid: record.played.price,
                forced: sheet.is_none(),
                sheet: sheet.as_ref().filter(|_| knows).map(hits),
                income: (knows || sheet.is_none()).then_some(*income),
                locks_lost: reading.knows(record.mover, index).then_some(record.locks),
            })
        }
    })
}
