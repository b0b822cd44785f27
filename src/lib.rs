//! Zorkmid: chess for stakes. The modules stand bottom-first, and each may use only those listed before it.

/// What stands where and how it moves. No game rules.
pub mod board;

/// The rules of the games: what may be done, and what comes of it.
pub mod rules;
