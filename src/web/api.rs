//! Games as JSON, for programs: begin, sit down, look, act. It never looks at a variant.

pub mod begin;
pub mod bots;
pub mod events;
pub mod game;
pub mod keys;
pub mod lobby;
pub mod renew;
pub mod review;
pub mod seek;
pub mod stream;
pub mod variants;
