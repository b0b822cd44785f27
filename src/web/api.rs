//! JSON API for creating, joining, viewing and playing games. It is independent of the variant.

pub mod challenges;
pub mod conditional_moves;
pub mod create_game;
pub mod finished_games;
pub mod game;
pub mod lobby;
pub mod player_keys;
pub mod streams;
pub mod variants;
