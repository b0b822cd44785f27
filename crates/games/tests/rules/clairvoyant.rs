//! Clairvoyant Chess: payments for guesses, prices of turns, legal turns, and hidden information.

mod advised;
mod blind;
mod ends;
pub(crate) mod enumerated;
mod guesses;
mod mates;
mod money;
mod notation;
mod prices;
mod retraction;
mod turns;
mod vectors;
mod words;

use crate::clairvoyant_games::{act, answering, from, game, json, mover, open, purse, purses, refused, turn};
