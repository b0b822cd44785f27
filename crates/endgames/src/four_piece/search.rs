//! Searches a table by α, β and gap. A search reads the whole file once (some tens of megabytes).

use dashu_ratio::RBig;

use super::{
    ONE,
    answer::{FourShares, gap},
    bound_table::StateSpace,
    files::FourFile,
    index::NormalizedPosition,
    move_generation::MoveGenerator,
};
use crate::{
    board::{Position, Size},
    move_graph::rules,
};

/// A closed range in multiples of 2⁻⁶³.
type Scaled = [Option<i128>; 2];

/// Search criteria; `None` means any. If only bounds of a number are known, the position matches if the number may lie in the range.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FourSought {
    /// Smallest and largest α.
    pub alpha: [Option<RBig>; 2],
    /// Smallest and largest β.
    pub beta: [Option<RBig>; 2],
    /// Smallest and largest β − α.
    pub gap: [Option<RBig>; 2],
    /// Index after which the search starts.
    pub after: Option<u32>,
}

/// A position found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FourFinding {
    /// The position, with its en passant right if it has one.
    pub position: Position,
    /// Its bounds.
    pub shares: FourShares,
}

/// One page of search results.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FourFindings {
    /// Number of results on all pages, as places of the table.
    pub total: usize,
    /// Results on this page, in index order.
    pub found: Vec<FourFinding>,
    /// Index after which the next page starts.
    pub next: Option<u32>,
}

/// Ends of a range, rounded inward.
fn ends([least, greatest]: &[Option<RBig>; 2]) -> Scaled {
    let times = |end: &RBig| end * RBig::from(ONE);
    // Ends too large for `i128` are beyond all bounds.
    let whole = |end: dashu_int::IBig, beyond: i128| i128::try_from(end).unwrap_or(beyond);
    [
        least.as_ref().map(|end| whole(times(end).ceil(), if *end < RBig::ZERO { i128::MIN } else { i128::MAX })),
        greatest.as_ref().map(|end| whole(times(end).floor(), if *end < RBig::ZERO { i128::MIN } else { i128::MAX })),
    ]
}

/// Returns whether a number between bounds may lie in a range.
fn may_lie_in([low, high]: [i128; 2], [least, greatest]: Scaled) -> bool {
    least.is_none_or(|least| high >= least) && greatest.is_none_or(|greatest| low <= greatest)
}

impl FourFile {
    /// Searches all positions and returns the first `most` matches after `sought.after`.
    pub fn search(&self, sought: &FourSought, most: usize) -> FourFindings {
        let ranges = [&sought.alpha, &sought.beta, &sought.gap].map(ends);
        let (walk, mut findings, mut last) = (MoveGenerator::new(self.pair), FourFindings::default(), None);
        for place in 0..walk.len() {
            let bounds = self.at(place).map(|bounds| bounds.map(i128::from));
            let numbers = [bounds[0], bounds[1], gap(bounds)];
            let spot = walk.numbering.spot(place);
            if !numbers.into_iter().zip(ranges).all(|(number, range)| may_lie_in(number, range))
                || !walk.is_position(spot)
            {
                continue;
            }
            findings.total += 1;
            let framed = NormalizedPosition { pair: self.pair, quad: walk.numbering.quad(place), reversed: false };
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
