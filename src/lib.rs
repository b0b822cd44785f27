//! Zorkmid: chess for stakes. The modules stand bottom-first, and each may use only those listed before it.

/// Pieces, their squares and their moves. No game rules.
pub mod board;

/// The trait every variant answers, and one file or folder per variant.
pub mod rules;

/// Exact values of chess endgames in which a coin or an auction decides who moves. Knows the board and no server.
pub mod richman;

/// Puzzles with their solutions: about endgames at auction, and about moments of games. Knows the tables and the rules.
pub mod puzzles;

/// Bots: who plays when nobody does.
pub mod bots;

/// One game in progress, its variant forgotten.
pub mod game;

/// The list of variants, one line each.
pub mod variants;

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
