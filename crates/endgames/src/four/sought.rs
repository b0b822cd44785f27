//! Positions of a table by their thresholds. The whole file is read once, some tens of megabytes.

use dashu_ratio::RBig;

use super::{
    ONE,
    file::FourFile,
    framed::Framed,
    ground::Ground,
    told::{FourShares, gap},
    walk::Walk,
};
use crate::{
    board::{Position, Size},
    graph::rules,
};

/// A range in multiples of 2⁻⁶³, of which both ends count.
type Scaled = [Option<i128>; 2];

/// What a position must be; what is left out may be anything. Where only bounds are known, a number that may lie in the range is taken for one that does.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FourSought {
    /// The least α and the greatest.
    pub alpha: [Option<RBig>; 2],
    /// The least β and the greatest.
    pub beta: [Option<RBig>; 2],
    /// The least β − α and the greatest.
    pub gap: [Option<RBig>; 2],
    /// The place after which to begin.
    pub after: Option<u32>,
}

/// A position that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FourFinding {
    /// It, with the right to capture in passing if that is a part of it.
    pub position: Position,
    /// What is known of it.
    pub shares: FourShares,
}

/// Some of the positions that were found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FourFindings {
    /// How many there are in all, on this page and on others, up to the symmetries of the board.
    pub total: usize,
    /// Those of this page, in the order of their places.
    pub found: Vec<FourFinding>,
    /// The place after which the next page begins.
    pub next: Option<u32>,
}

/// The ends of a range, rounded inward.
fn scaled([least, greatest]: &[Option<RBig>; 2]) -> Scaled {
    let times = |end: &RBig| end * RBig::from(ONE);
    // What is beyond all bounds is beyond them in either direction.
    let whole = |end: dashu_int::IBig, beyond: i128| i128::try_from(end).unwrap_or(beyond);
    [
        least.as_ref().map(|end| whole(times(end).ceil(), if *end < RBig::ZERO { i128::MIN } else { i128::MAX })),
        greatest.as_ref().map(|end| whole(times(end).floor(), if *end < RBig::ZERO { i128::MIN } else { i128::MAX })),
    ]
}

/// Tells whether a number between bounds may lie in a range.
fn may([low, high]: [i128; 2], [least, greatest]: Scaled) -> bool {
    least.is_none_or(|least| high >= least) && greatest.is_none_or(|greatest| low <= greatest)
}

impl FourFile {
    /// Looks at every position once, and tells the first `most` of those that are sought.
    pub fn among(&self, sought: &FourSought, most: usize) -> FourFindings {
        let ranges = [&sought.alpha, &sought.beta, &sought.gap].map(scaled);
        let (walk, mut findings, mut last) = (Walk::new(self.pair), FourFindings::default(), None);
        for place in 0..walk.len() {
            let bounds = self.at(place).map(|bounds| bounds.map(i128::from));
            let numbers = [bounds[0], bounds[1], gap(bounds)];
            let spot = walk.numbering.spot(place);
            if !numbers.into_iter().zip(ranges).all(|(number, range)| may(number, range)) || !walk.stands(spot) {
                continue;
            }
            findings.total += 1;
            let framed = Framed { pair: self.pair, quad: walk.numbering.quad(place), reversed: false };
            let place = place as u32;
            if sought.after.is_some_and(|after| place <= after) {
                continue;
            }
            if findings.found.len() == most {
                findings.next = last;
                continue;
            }
            last = Some(place);
            let (position, shares) = (framed.position(rules(Size::ORTHODOX)), FourShares::new(bounds));
            findings.found.push(FourFinding { position, shares });
        }
        findings
    }
}
