//! A moment of a game in which pieces are bought.

use crate::board::{Color, Position};

/// The most pieces in reserve that are told apart.
pub(super) const RESERVE: usize = 16;

/// A moment of it; whose turn it is the position says.
#[derive(Clone, Copy)]
pub(super) struct Stand {
    pub(super) position: Position,
    pub(super) treasury: [i64; 2],
    pub(super) reserve: [[u8; RESERVE]; 2],
    pub(super) held: [u8; 2],
    /// Turns since the search began.
    pub(super) turn: u8,
    pub(super) acted: bool,
}

impl Stand {
    /// The side that is to act.
    pub(super) fn mover(&self) -> Color {
        self.position.turn
    }

    /// The kinds that a side has in reserve.
    pub(super) fn reserve(&self, color: Color) -> &[u8] {
        &self.reserve[color.index()][..usize::from(self.held[color.index()])]
    }

    /// A piece comes to the reserve, if there is room.
    pub(super) fn receive(&mut self, color: Color, kind: u8) {
        let held = &mut self.held[color.index()];
        if usize::from(*held) < RESERVE {
            self.reserve[color.index()][usize::from(*held)] = kind;
            *held += 1;
        }
    }

    /// A piece leaves the reserve.
    pub(super) fn take(&mut self, color: Color, kind: u8) {
        let (us, held) = (color.index(), usize::from(self.held[color.index()]));
        if let Some(place) = self.reserve(color).iter().position(|known| *known == kind) {
            self.reserve[us].copy_within(place + 1..held, place);
            self.held[us] -= 1;
        }
    }

    /// All pieces of a side.
    pub(super) fn pieces(&self, color: Color) -> usize {
        self.position.of(color).len() as usize + usize::from(self.held[color.index()])
    }
}
