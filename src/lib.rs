//! Zorkmid: chess for stakes. The modules stand bottom-first, and each may use only those listed before it.

/// What stands where and how it moves. No game rules.
pub mod board;

/// Exact values of chess endgames in which a coin or an auction decides who moves. Knows the board and no server.
pub mod richman;
