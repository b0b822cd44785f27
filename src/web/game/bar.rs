//! The strips above and below the board: who sits there, with clock, purse, reserve and what was captured.

use crate::{
    rules::{
        Seat, Side,
        diagram::{Amount, Held},
    },
    web::{
        board::Unit,
        frame::Frame,
        token,
        words::{self, Face},
    },
};
use std::sync::Arc;

/// A strip above or below the board: who sits there.
pub(super) struct Bar {
    pub(super) seat: Seat,
    pub(super) name: String,
    pub(super) points: String,
    pub(super) side: &'static str,
    pub(super) color: Option<Side>,
    pub(super) awaited: bool,
    pub(super) you: bool,
    pub(super) face: Option<Face>,
    pub(super) purse: Option<Purse>,
    pub(super) reserve: Vec<Held>,
    /// The pieces of the other side that this one has captured, and by how many pawns it is ahead.
    pub(super) captured: Vec<Captive>,
    pub(super) ahead: Option<u32>,
}

/// A piece that was captured, with its drawing where the sprite has no picture of it.
#[derive(Clone)]
pub(super) struct Captive {
    pub(super) unit: Unit,
    pub(super) token: Option<Arc<str>>,
}

/// The purse of a seat, as far as the viewer may know.
pub(super) struct Purse {
    /// The exact amount; empty where it is hidden.
    pub(super) amount: String,
    /// The holes, true where a peg stands, for whole amounts that fit.
    pub(super) pegs: Option<Vec<bool>>,
}

/// The most pegs that the strip of a seat has room for.
const PEGS: usize = 60;

/// The strip of a seat at `now`.
pub(super) fn bar(frame: &Frame, seat: Seat, now: i64) -> Bar {
    let whole = |amount: &Amount| amount.0.is_integer().then(|| usize::try_from(amount.0.to_integer()).ok()).flatten();
    let fits = |amount: &Amount| whole(amount).is_some_and(|pegs| pegs <= PEGS);
    let purse = frame.diagram.purses.as_ref().map(|purses| {
        // Both have pegs or neither has: a short row beside a bare number would look like less.
        let pegged = Seat::BOTH.iter().all(|seat| purses.of(*seat).as_ref().is_none_or(fits));
        match purses.of(seat) {
            None => Purse { amount: String::new(), pegs: None },
            Some(amount) => {
                let pegs = whole(amount).filter(|_| pegged);
                // Holes in groups of five, and never a full board.
                let pegs = pegs.map(|pegs| (0..(pegs / 5 + 1) * 5).map(|hole| hole < pegs).collect());
                Purse { amount: amount.to_string(), pegs }
            }
        }
    });
    Bar {
        seat,
        name: frame.names[seat.index()].clone(),
        points: words::points(&frame.score[seat.index()]),
        // Before there are colours a name says enough.
        side: match frame.named[seat.index()] && frame.diagram.colors.is_none() {
            true => "",
            false => words::side(&frame.diagram, seat),
        },
        color: frame.diagram.colors.as_ref().map(|colors| *colors.of(seat)),
        awaited: frame.awaits.contains(&seat) && !frame.between,
        you: frame.viewer == Some(seat) && !frame.both_seats,
        face: frame.clocks[seat.index()].map(|clock| words::face(clock, now)),
        purse,
        reserve: frame.diagram.reserves.of(seat).clone(),
        captured: captured(frame, seat),
        // Nobody knows what designed pieces are worth in pawns, or pieces in a cube.
        ahead: worth(frame, seat)
            .checked_sub(worth(frame, !seat))
            .filter(|pawns| *pawns > 0 && frame.diagram.designs.is_empty() && frame.diagram.levels == 1),
    }
}

/// The pieces that a seat has captured, as they are drawn.
fn captured(frame: &Frame, seat: Seat) -> Vec<Captive> {
    let color = frame.diagram.colors.as_ref().map_or(Side::Black, |colors| *colors.of(!seat));
    let drawn = |held: &Held| {
        let token = frame.diagram.design(&held.betza).map(|design| {
            let [drawing, _] = token::drawn(design, color.into());
            drawing
        });
        let unit = Unit { color: color.into(), name: held.name.clone() };
        vec![Captive { unit, token }; held.count as usize]
    };
    frame.diagram.captured.of(seat).iter().flat_map(drawn).collect()
}

/// The worth of what a seat has captured, in pawns as beginners count them.
fn worth(frame: &Frame, seat: Seat) -> u32 {
    let pawns = |name: &str| match name {
        "queen" => 9,
        "rook" => 5,
        "bishop" | "knight" => 3,
        _ => 1,
    };
    frame.diagram.captured.of(seat).iter().map(|held| pawns(&held.name) * held.count).sum()
}
