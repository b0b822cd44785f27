//! Classes of a table by what is known of them: material, value, denominator, bid, and the length of their proof.

use std::cmp::Ordering;

use dashu_int::UBig;
use dashu_ratio::RBig;
use serde::Serialize;

use super::{
    classes::{Classes, Finding},
    index::Id,
    material::Material,
    values::Limit,
};

/// What a class must be; what is left out may be anything. Both ends of a range count.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sought {
    /// The material.
    pub material: Option<Material>,
    /// The least value and the greatest.
    pub value: [Option<RBig>; 2],
    /// The denominator of the value in lowest terms.
    pub denominator: Option<UBig>,
    /// Whether it is a zugzwang.
    pub zugzwang: Option<bool>,
    /// Whether it is quiescent.
    pub quiescent: Option<bool>,
    /// The least bid and the greatest.
    pub bid: [Option<RBig>; 2],
    /// The least number of moves of its proof and the greatest.
    pub certificate: [Option<u16>; 2],
    /// The number of the class after which to begin.
    pub after: Option<Id>,
}

/// Some of the classes that were found.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Findings {
    /// How many there are in all, on this page and on others.
    pub total: usize,
    /// Those of this page, in the order in which the table holds them.
    pub classes: Vec<Finding>,
    /// The number after which the next page begins.
    #[serde(skip)]
    pub next: Option<Id>,
}

/// Tells whether something lies within a range, given how it compares with each end.
fn within<T>(range: &[Option<T>; 2], compare: impl Fn(&T) -> Ordering) -> bool {
    let [least, greatest] = range;
    least.as_ref().is_none_or(|least| compare(least).is_ge())
        && greatest.as_ref().is_none_or(|greatest| compare(greatest).is_le())
}

impl Sought {
    /// Looks at every class once, some tens of milliseconds for the ordinary board, and tells the first `most` of those that are sought.
    pub fn among(&self, classes: &Classes, most: usize) -> Findings {
        let values = classes.table().values();
        let fits = |value: &RBig| {
            within(&self.value, |end| value.cmp(end))
                && self.denominator.as_ref().is_none_or(|denominator| denominator == value.denominator())
        };
        // Many classes share a value: each is compared once.
        let fitting: Vec<bool> = values.iter().map(fits).collect();
        let bid = self.bid.clone().map(|end| end.map(|end| Limit::new(end * RBig::from(2))));
        let mut found = Findings { total: 0, classes: Vec::new(), next: None };
        let mut last = None;
        for (id, setup) in classes.all() {
            let mood = || classes.mood(id);
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
