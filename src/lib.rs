//! Zorkmid: chess for stakes. The modules stand bottom-first, and each may use only those listed before it.

/// What stands where and how it moves. No game rules.
pub mod board;
/// The record: rows in, rows out; knows ids, numbers and text, no chess.
pub mod store;
