//! Search and statistics over the classes of a table. The search filters by material, value, denominator, bid and proof length. The statistics show
//! the spread of values, bids, proofs and denominators, and the zugzwangs. A class is a set of positions equal up to the symmetries of the board,
//! with the extra piece on White's side.

use std::{cmp::Ordering, collections::HashMap};

use dashu_base::BitTest;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;
use serde::Serialize;

use super::{
    position_classes::{Classes, Finding},
    position_index::{Id, Material, Setup},
    value_pool::{Limit, ValueId},
};
use crate::board::Color;

/// Search criteria for classes; a missing criterion matches every class. Both ends of a range are inclusive.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SearchCriteria {
    /// Material.
    pub material: Option<Material>,
    /// Minimum and maximum value.
    pub value: [Option<RBig>; 2],
    /// Denominator of the value in lowest terms.
    pub denominator: Option<UBig>,
    /// Whether the class is a zugzwang.
    pub zugzwang: Option<bool>,
    /// Whether the class is quiescent.
    pub quiescent: Option<bool>,
    /// Minimum and maximum bid.
    pub bid: [Option<RBig>; 2],
    /// Minimum and maximum number of moves of the proof.
    pub certificate: [Option<u16>; 2],
    /// Number of the class after which to start.
    pub after: Option<Id>,
}

/// One page of search results.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = PositionClasses))]
pub struct Findings {
    /// Number of matching classes on all pages.
    pub total: usize,
    /// Matching classes on this page, in the order of the table.
    pub classes: Vec<Finding>,
    /// Number of the class after which the next page starts.
    #[serde(skip)]
    pub next: Option<Id>,
}

/// Returns whether something lies within a range; `compare` compares it with an end of the range.
fn within<T>(range: &[Option<T>; 2], compare: impl Fn(&T) -> Ordering) -> bool {
    let [least, greatest] = range;
    least.as_ref().is_none_or(|least| compare(least).is_ge())
        && greatest.as_ref().is_none_or(|greatest| compare(greatest).is_le())
}

impl SearchCriteria {
    /// Returns the first `most` matching classes. Visits every class once, which takes some tens of milliseconds on the 8×8 board.
    pub fn search(&self, classes: &Classes, most: usize) -> Findings {
        let values = classes.table().values();
        let fits = |value: &RBig| {
            within(&self.value, |end| value.cmp(end))
                && self.denominator.as_ref().is_none_or(|denominator| denominator == value.denominator())
        };
        // Many classes share a value, so each value is compared once.
        let fitting: Vec<bool> = values.iter().map(fits).collect();
        let bid = self.bid.clone().map(|end| end.map(|end| Limit::new(end * RBig::from(2))));
        let mut found = Findings { total: 0, classes: Vec::new(), next: None };
        let mut last = None;
        for (id, setup) in classes.all() {
            let mood = || classes.bid_sign(id);
            let sought = self.material.is_none_or(|material| material == setup.material)
                && fitting[classes.table().value_id(id) as usize]
                && self.zugzwang.is_none_or(|wanted| wanted == mood().is_lt())
                && self.quiescent.is_none_or(|wanted| wanted == mood().is_eq())
                && within(&self.certificate, |end| classes.certificate(id).cmp(end))
                && within(&bid, |end| classes.compare_bid(id, end));
            if !sought {
                continue;
            }
            found.total += 1;
            if self.after.is_some_and(|after| id <= after) {
                continue;
            }
            if found.classes.len() < most {
                found.classes.push(classes.finding(id, setup));
                last = Some(id);
            } else {
                found.next = last;
            }
        }
        found
    }
}

/// Number of equal parts into which the histogram divides the values from 0 to 1.
pub const PARTS: usize = 20;
/// Number of most frequent values to report.
const FREQUENT: usize = 5;

/// Statistics of the classes of one material.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spread {
    /// Material, with the extra piece on White's side.
    pub material: Material,
    /// Number of classes.
    pub classes: usize,
    /// Number of placements in these classes.
    pub positions: usize,
    /// Number of classes in which neither side wants to move.
    pub zugzwangs: usize,
    /// Number of quiescent classes: the best move of either side keeps the value.
    pub quiescent: usize,
    /// Number of distinct values.
    pub distinct: usize,
    /// Sum of the values of all placements in units of 2^−63, each rounded down.
    total: u128,
    /// Number of classes with a value in each of the [`PARTS`] parts. A boundary belongs to the part above it.
    pub values: [usize; PARTS],
    /// Number of classes by bit length of the denominator. A denominator of 1 has one bit.
    pub bits: Vec<usize>,
    /// Most frequent values, most frequent first: the first class with the value, and the number of such classes.
    pub frequent: Vec<(Setup, usize)>,
    /// First classes with the least and the greatest value.
    pub range: [Setup; 2],
    /// First classes with the least and the greatest bid.
    pub bids: [(Id, Setup); 2],
    /// First classes with the greatest label of White and of Black.
    pub longest: [Setup; 2],
    /// First class whose value has the largest denominator.
    pub largest: Setup,
}

/// Statistics of a whole table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Survey {
    /// Statistics by material, in solving order.
    pub spreads: Vec<Spread>,
    /// Every class in which neither side wants to move.
    pub zugzwangs: Vec<Setup>,
}

/// Statistics of a material under construction.
struct Counting {
    spread: Spread,
    /// For each value, the first class that has it and the number of such classes.
    values: HashMap<ValueId, (Setup, usize)>,
    /// Twice the least and the greatest bid.
    bids: [Limit; 2],
}

impl Survey {
    /// Collects the statistics of a table. Visits every class once.
    pub fn of(classes: &Classes) -> Survey {
        let mut survey = Survey { spreads: Vec::new(), zugzwangs: Vec::new() };
        let mut tally: Option<Counting> = None;
        for (id, setup) in classes.all() {
            if classes.bid_sign(id).is_lt() {
                survey.zugzwangs.push(setup);
            }
            match &mut tally {
                Some(tally) if tally.spread.material == setup.material => tally.count(classes, id, setup),
                other => {
                    let mut fresh = Counting::new(classes, id, setup);
                    fresh.count(classes, id, setup);
                    survey.spreads.extend(other.replace(fresh).map(Counting::finish));
                }
            }
        }
        survey.spreads.extend(tally.map(Counting::finish));
        survey
    }
}

impl Spread {
    /// Mean value of all placements.
    pub fn mean(&self) -> RBig {
        RBig::from_parts(IBig::from(self.total), (dashu_int::UBig::from(self.positions.max(1))) << 63)
    }
}

impl Counting {
    fn new(classes: &Classes, id: Id, first: Setup) -> Counting {
        let spread = Spread {
            material: first.material,
            classes: 0,
            positions: 0,
            zugzwangs: 0,
            quiescent: 0,
            distinct: 0,
            total: 0,
            values: [0; PARTS],
            bits: Vec::new(),
            frequent: Vec::new(),
            range: [first; 2],
            bids: [(id, first); 2],
            longest: [first; 2],
            largest: first,
        };
        let twice = || Limit::new(classes.bid(id) * RBig::from(2));
        Counting { spread, values: HashMap::new(), bids: [twice(), twice()] }
    }

    fn count(&mut self, classes: &Classes, id: Id, setup: Setup) {
        let (table, spread) = (classes.table(), &mut self.spread);
        let (number, images, mood) = (table.value_id(id), table.index().images(setup), classes.bid_sign(id));
        let value = table.values().get(number);
        spread.classes += 1;
        spread.positions += images;
        spread.zugzwangs += usize::from(mood.is_lt());
        spread.quiescent += usize::from(mood.is_eq());
        spread.total += u128::from(table.values().rough(number)) * images as u128;
        spread.values[part(value)] += 1;
        let length = value.denominator().bit_len();
        if spread.bits.len() <= length {
            spread.bits.resize(length + 1, 0);
        }
        spread.bits[length] += 1;
        self.values.entry(number).or_insert((setup, 0)).1 += 1;
        let [least, greatest] = spread.range.map(|setup| table.value(setup));
        let beyond = [value < least, value > greatest];
        let longer =
            Color::BOTH.map(|player| table.label_of(id, player) > table.label(spread.longest[player.index()], player));
        let [less, more] = [0, 1].map(|end| classes.compare_bid(id, &self.bids[end]));
        let bids = [less.is_lt(), more.is_gt()];
        for end in [0, 1] {
            if beyond[end] {
                spread.range[end] = setup;
            }
            if longer[end] {
                spread.longest[end] = setup;
            }
            if bids[end] {
                spread.bids[end] = (id, setup);
                self.bids[end] = Limit::new(classes.bid(id) * RBig::from(2));
            }
        }
        if value.denominator() > table.value(spread.largest).denominator() {
            spread.largest = setup;
        }
    }

    fn finish(self) -> Spread {
        let mut frequent: Vec<(ValueId, (Setup, usize))> = self.values.into_iter().collect();
        // Equally frequent values stay in the order of the table.
        frequent.sort_by_key(|(number, (_, count))| (std::cmp::Reverse(*count), *number));
        let distinct = frequent.len();
        Spread {
            distinct,
            frequent: frequent.into_iter().take(FREQUENT).map(|(_, counted)| counted).collect(),
            ..self.spread
        }
    }
}

/// Histogram part of a value.
fn part(value: &RBig) -> usize {
    let scaled = value.numerator() * IBig::from(PARTS) / IBig::from(value.denominator().clone());
    usize::try_from(scaled).map_or(PARTS - 1, |part| part.min(PARTS - 1))
}
