//! What the options agree on, worked out once: the board, the bounds of armies, and the designs that both begin with.

use std::sync::Arc;

use super::{
    army_limits::ArmyLimits,
    options::{Army, Csipgs},
    piece_type::{self, PieceType},
    price::Catalogue,
};
use crate::{
    board::Size,
    rules::{Refusal, settings::board_size},
};

/// What the options agree on.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms {
    /// The size of the board.
    pub(super) size: Size,
    /// The king with which both begin.
    pub(super) king: Arc<PieceType>,
    /// The limits on pieces of an army, if armies are set up.
    pub(super) limits: Option<Arc<ArmyLimits>>,
    /// The designs that both begin with, in the order of their slots.
    pub(super) designs: [Arc<PieceType>; 6],
}

impl Terms {
    /// Works out the options; refused if there is no such board, if no army can keep to them, or if the designs are not six pieces of which one is royal.
    pub(super) fn of(options: &Csipgs) -> Result<Terms, Refusal> {
        let size = board_size(options.files, options.ranks)?;
        options.sensible()?;
        let limits = match options.army {
            Army::None => None,
            Army::Secret | Army::Alternate => Some(Arc::new(ArmyLimits::of(options)?)),
        };
        let standard = piece_type::standard(size);
        let king = standard[5].clone();
        let designs = if options.designs.is_empty() { standard } else { designs(options, size)? };
        Ok(Terms { size, king, limits, designs })
    }
}

/// The designs that the options name.
fn designs(options: &Csipgs, size: Size) -> Result<[Arc<PieceType>; 6], Refusal> {
    let (mut found, mut at) = (Vec::new(), 0);
    for text in options.designs.split(' ') {
        if !text.is_empty() {
            let (piece, exact) = piece_type::read(text, at, &Catalogue::default(), options.prefixes(1))?;
            found.push(Arc::new(PieceType::new(piece, exact, size)));
        }
        at += text.len() + 1;
    }
    let designs: [Arc<PieceType>; 6] = found.try_into().map_err(|found: Vec<_>| {
        Refusal::new(format!("designs are six pieces with spaces between, and these are {}", found.len()))
    })?;
    match designs.iter().any(|design| design.piece.royal) {
        true => Ok(designs),
        false => Err(Refusal::new("one of the designs has to be royal, as royal-WF is: nobody could buy another king")),
    }
}
