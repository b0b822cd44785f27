//! What the options agree on, worked out once: the bounds of armies, and the designs that both begin with.

use std::sync::Arc;

use super::{
    army_limits::ArmyLimits,
    options::{Army, Csipgs},
    piece_type::{self, PieceType, STANDARD_TYPES},
    price::Catalogue,
};
use crate::rules::Refusal;

/// What the options agree on.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms {
    /// The limits on pieces of an army, if armies are set up.
    pub(super) limits: Option<Arc<ArmyLimits>>,
    /// The designs that both begin with, in the order of their slots.
    pub(super) designs: [Arc<PieceType>; 6],
}

impl Terms {
    /// Works out the options; refused if no army can keep to them, or if the designs are not six pieces of which one is royal.
    pub(super) fn of(options: &Csipgs) -> Result<Terms, Refusal> {
        options.sensible()?;
        let limits = match options.army {
            Army::None => None,
            Army::Secret | Army::Alternate => Some(Arc::new(ArmyLimits::of(options)?)),
        };
        Ok(Terms { limits, designs: designs(options)? })
    }
}

fn designs(options: &Csipgs) -> Result<[Arc<PieceType>; 6], Refusal> {
    if options.designs.is_empty() {
        return Ok(STANDARD_TYPES.clone());
    }
    let (mut found, mut at) = (Vec::new(), 0);
    for text in options.designs.split(' ') {
        if !text.is_empty() {
            let (piece, exact) = piece_type::read(text, at, &Catalogue::default(), options.prefixes(1))?;
            found.push(Arc::new(PieceType::new(piece, exact)));
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
