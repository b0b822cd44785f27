//! Zorkmid: chess for stakes. The modules stand bottom-first, and each may use only those listed before it.

/// What stands where and how it moves. No game rules.
pub mod board;

/// The trait every variant answers, and one file or folder per variant.
pub mod rules;

/// Who plays when nobody does.
pub mod bots;

/// One game in progress, its variant forgotten.
pub mod game;

/// The list of variants, one line each.
pub mod variants;

/// Rows in, rows out: the record of every game. Knows ids, numbers and text, no chess.
pub mod store;

/// What can happen to a game; the only place that draws chance.
pub mod play;

/// The router and its pages; the only module that knows HTTP.
pub mod web;
