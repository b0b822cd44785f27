//! The distinct exact values of a table, each kept once. Everything here is decided in whole numbers.

use std::{cmp::Ordering, collections::HashMap};

use dashu_base::DivEuclid;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// The number of a distinct value.
pub(super) type ValueId = u32;

/// Value 0: the white king is gone.
pub(super) const ZERO: ValueId = 0;
/// Value 1: the black king is gone.
pub(super) const ONE: ValueId = 1;

/// Distinct rationals from 0 to 1 in the order of their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Values {
    exact: Vec<RBig>,
    /// ⌊2^63 · value⌋, which decides most comparisons.
    coarse: Vec<u64>,
}

/// ⌊2^63 · value⌋ of a value from 0 to 1.
fn coarse(value: &RBig) -> u64 {
    let scaled = value.numerator() << 63;
    u64::try_from(scaled.div_euclid(IBig::from(value.denominator().clone()))).unwrap_or(u64::MAX)
}

impl Values {
    /// The value of a number.
    pub(super) fn get(&self, id: ValueId) -> &RBig {
        &self.exact[id as usize]
    }

    /// The number of distinct values.
    pub(super) fn len(&self) -> usize {
        self.exact.len()
    }

    /// All values in the order of their numbers.
    pub(super) fn iter(&self) -> impl Iterator<Item = &RBig> {
        self.exact.iter()
    }

    /// Compares two values exactly.
    #[inline]
    pub(super) fn cmp(&self, a: ValueId, b: ValueId) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        match self.coarse[a as usize].cmp(&self.coarse[b as usize]) {
            Ordering::Equal => self.get(a).cmp(self.get(b)),
            decided => decided,
        }
    }

    /// Tells whether `value` is exactly the mean of `a` and `b`.
    pub(super) fn is_mean(&self, value: ValueId, a: ValueId, b: ValueId) -> bool {
        if a == b {
            return value == a;
        }
        mean(self.get(a), self.get(b)) == *self.get(value)
    }

    /// Gives back the room that was kept for more values.
    pub(super) fn shrink(&mut self) {
        self.exact.shrink_to_fit();
        self.coarse.shrink_to_fit();
    }

    /// Adds a value that is not there yet.
    pub(super) fn push(&mut self, value: RBig) -> ValueId {
        self.coarse.push(coarse(&value));
        self.exact.push(value);
        self.exact.len() as ValueId - 1
    }
}

/// The mean of two values.
fn mean(a: &RBig, b: &RBig) -> RBig {
    (a + b) / RBig::from(2)
}

/// Values under construction: finds equal values again and remembers means.
pub(super) struct Pool {
    pub(super) values: Values,
    /// The last value with a given coarse value.
    last: HashMap<u64, ValueId>,
    /// The value before it with the same coarse value, or itself.
    before: Vec<ValueId>,
    means: HashMap<(ValueId, ValueId), ValueId>,
}

impl Pool {
    /// A pool that holds [`ZERO`] and [`ONE`].
    pub(super) fn new() -> Pool {
        let mut pool =
            Pool { values: Values::default(), last: HashMap::new(), before: Vec::new(), means: HashMap::new() };
        pool.intern(RBig::ZERO);
        pool.intern(RBig::ONE);
        pool
    }

    /// The number of a value.
    pub(super) fn intern(&mut self, value: RBig) -> ValueId {
        let coarse = coarse(&value);
        let last = self.last.get(&coarse).copied();
        let mut found = last;
        while let Some(id) = found {
            if *self.values.get(id) == value {
                return id;
            }
            let before = self.before[id as usize];
            found = (before != id).then_some(before);
        }
        let id = self.values.exact.len() as ValueId;
        self.values.exact.push(value);
        self.values.coarse.push(coarse);
        self.before.push(last.unwrap_or(id));
        self.last.insert(coarse, id);
        id
    }

    /// The number of the mean of two values.
    pub(super) fn mean(&mut self, a: ValueId, b: ValueId) -> ValueId {
        if a == b {
            return a;
        }
        let pair = (a.min(b), a.max(b));
        if let Some(id) = self.means.get(&pair) {
            return *id;
        }
        let id = self.intern(mean(self.values.get(a), self.values.get(b)));
        self.means.insert(pair, id);
        id
    }
}

/// A fraction in lowest terms from its decimal numerator and denominator; nothing if a text is no number or the denominator is 0.
pub fn fraction(num: &str, den: &str) -> Option<RBig> {
    let (num, den) = (num.parse::<IBig>().ok()?, den.parse::<UBig>().ok()?);
    (!den.is_zero()).then(|| RBig::from_parts(num, den))
}
