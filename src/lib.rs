//! Zorkmid: chess for stakes. The modules stand bottom-first, and each may use only those listed before it.

/// What stands where and how it moves. No game rules.
pub mod board;

/// The rules of the games: what may be done, and what comes of it.
pub mod rules;

/// What can happen to a game; the only place that draws chance.
pub mod play;

/// The router and its pages; the only module that knows HTTP.
pub mod web;
