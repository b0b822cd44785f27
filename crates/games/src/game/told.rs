//! The end of a deal in words.

use crate::{
    rules::{DealEnd, Seat},
    variants::bookie::amount,
};

/// Tells who won a deal, why, and what that brings either seat. `names` are the names of the seats.
pub fn told(end: &DealEnd, names: &[String; 2]) -> String {
    let reason = end.reason;
    if end.void {
        return format!("No stakes, no points: {reason}");
    }
    let result = match end.winner {
        Some(seat) => format!("{} wins: {reason}", names[seat.index()]),
        None => format!("A draw: {reason}"),
    };
    let gain = |seat: Seat| format!("{} gets {}", names[seat.index()], amount(&end.points.of(seat).0));
    // Whoever won is told first.
    let first = end.winner.unwrap_or(Seat::One);
    format!("{result}. {}, {}", gain(first), gain(!first))
}
