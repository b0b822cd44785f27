//! Chess variants played for stakes: rules, puzzles and bots, without any server code.
//!
//! The modules are listed bottom-up. Each may use only the modules above it.

/// Pieces, squares and moves, without game rules.
pub use zorkmid_board as board;
use zorkmid_board::text_enum;

/// Exact values of chess endgames in which a coin or an auction decides who moves.
pub use zorkmid_endgames as richman;

/// Traits that every variant implements, and code that variants share.
pub mod rules;

/// The variants, one file or folder each.
pub mod variants;

/// Puzzles with solutions, from endgames at auction and from game positions. Uses the endgame tables and the rules.
pub mod puzzles;

/// Computer players.
pub mod bots;

/// A game in progress, independent of its variant.
pub mod game;

/// List of all variants.
pub mod registry;
