//! Zorkmid, a web server on which people play chess for stakes. The games live in their own packages under `crates`. The modules below are
//! listed from the bottom layer up: each may use the games and the modules listed before it.

pub use zorkmid_games::{board, bots, game, puzzles, registry, richman, rules, variants};

use board::text_enum;

/// Storage of games and accounts as rows of ids, numbers and text. Contains no chess.
pub mod store;

/// Everything that can happen to a game. The only module that draws random numbers.
pub mod play;

/// A UCI engine as an opponent. Treats the engine as untrusted: it depends on nothing but the protocol.
pub mod engine;

/// The router and its pages. The only module that uses HTTP.
pub mod web;

/// Subcommands that need no server. Each returns the text to print.
pub mod command;
