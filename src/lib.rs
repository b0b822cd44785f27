//! Zorkmid, a site on which people play chess for stakes. The games are in packages of their own, in `crates`. The modules here stand
//! bottom-first: each may use the games and the modules listed before it.

pub use zorkmid_games::{board, bots, game, puzzles, registry, richman, rules, variants};

use board::text_enum;

/// Rows in, rows out: the record of every game. Knows ids, numbers and text, no chess.
pub mod store;

/// All that can happen to a game; the only place that draws chance.
pub mod play;

/// An engine that speaks UCI, as an opponent. Knows what a program of somebody else may do, and no more.
pub mod engine;

/// The router and its pages; the only module that knows HTTP.
pub mod web;

/// Sub-commands that need no server, as text to print.
pub mod command;
