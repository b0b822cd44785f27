//! Games as JSON, for programs: begin, sit down, look, act. It never looks at a variant.

pub mod create_game;
pub mod game;
pub mod lobby;
pub mod player_keys;
pub mod streams;
pub mod variants;
