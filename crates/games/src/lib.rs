//! The games of Zorkmid, chess for stakes. Knows no server. The modules stand bottom-first, and each may use only those listed before it.

/// Pieces, their squares and their moves. No game rules.
pub use zorkmid_board as board;
use zorkmid_board::text_enum;

/// Exact values of chess endgames in which a coin or an auction decides who moves.
pub use zorkmid_endgames as richman;

/// The traits that every variant implements, and what variants share.
pub mod rules;

/// The variants: one file or folder each.
pub mod variants;

/// Puzzles with their solutions: about endgames at auction, and about moments of games. Knows the tables and the rules.
pub mod puzzles;

/// Bots: who plays when nobody does.
pub mod bots;

/// One game in progress, its variant forgotten.
pub mod game;

/// The list of variants, one line each.
pub mod registry;
