//! The variants, one file or folder each.

pub mod antichess;
pub mod atomic;
pub mod bidding;
pub mod bookie;
pub mod chess;
pub mod chess960;
pub mod clairvoyant;
pub mod crazyhouse;
pub mod csipgs;
pub mod designed_chess;
pub mod duck;
pub mod fog_of_war;
pub mod handicap;
pub mod horde;
pub mod king_capture;
pub mod king_of_the_hill;
pub mod lrs;
pub mod minichess;
pub mod nested_game;
pub mod old_chess;
pub mod racing_kings;
pub mod random_turn;
pub mod random_variant;
pub mod raumschach;
pub mod shatranj;
pub mod three_check;
