//! The distinct exact values of a table, each stored once. All comparisons are exact, in whole numbers.

use std::{cmp::Ordering, collections::HashMap};

use dashu_base::DivEuclid;
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// Number of a distinct value.
pub(super) type ValueId = u32;

/// Value 0: the white king has been captured.
pub(super) const ZERO: ValueId = 0;
/// Value 1: the black king has been captured.
pub(super) const ONE: ValueId = 1;

/// Distinct rationals from 0 to 1, by number.
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

/// Limit for differences of values.
pub(super) struct Limit {
    exact: RBig,
    /// ⌊2^63 · exact⌋, which decides most comparisons.
    coarse: i128,
}

impl Limit {
    /// Limit from −2 to 2. A limit beyond this range has the same effect as the nearer end.
    pub(super) fn new(exact: RBig) -> Limit {
        let two = RBig::from(2);
        let exact = exact.clamp(-two.clone(), two);
        let scaled = exact.numerator() << 63;
        let coarse = i128::try_from(scaled.div_euclid(IBig::from(exact.denominator().clone())));
        Limit { exact, coarse: coarse.unwrap_or_default() }
    }
}

impl Values {
    /// Compares a − b with a limit exactly.
    pub(super) fn compare_gain(&self, a: ValueId, b: ValueId, limit: &Limit) -> Ordering {
        let coarse = |id: ValueId| i128::from(self.coarse[id as usize]);
        // Rounding down has taken less than one from each of the three numbers.
        match coarse(a) - coarse(b) - limit.coarse {
            apart if apart > 2 => Ordering::Greater,
            apart if apart < -2 => Ordering::Less,
            _ => (self.get(a) - self.get(b)).cmp(&limit.exact),
        }
    }

    /// ⌊2^63 · value⌋.
    pub(super) fn rough(&self, id: ValueId) -> u64 {
        self.coarse[id as usize]
    }

    /// Value with this number.
    pub(super) fn get(&self, id: ValueId) -> &RBig {
        &self.exact[id as usize]
    }

    /// Number of distinct values.
    pub(super) fn len(&self) -> usize {
        self.exact.len()
    }

    /// All values, by number.
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

    /// Returns whether `value` is exactly the mean of `a` and `b`.
    pub(super) fn is_mean(&self, value: ValueId, a: ValueId, b: ValueId) -> bool {
        if a == b {
            return value == a;
        }
        mean(self.get(a), self.get(b)) == *self.get(value)
    }

    /// Frees spare capacity.
    pub(super) fn shrink(&mut self) {
        self.exact.shrink_to_fit();
        self.coarse.shrink_to_fit();
    }

    /// Adds a value that is not present yet.
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

/// Values under construction. Finds equal values and remembers means.
pub(super) struct Pool {
    pub(super) values: Values,
    /// Last value with a given coarse value.
    last: HashMap<u64, ValueId>,
    /// Previous value with the same coarse value, or the value itself.
    before: Vec<ValueId>,
    means: HashMap<(ValueId, ValueId), ValueId>,
}

impl Pool {
    /// Pool with [`ZERO`] and [`ONE`].
    pub(super) fn new() -> Pool {
        let mut pool =
            Pool { values: Values::default(), last: HashMap::new(), before: Vec::new(), means: HashMap::new() };
        pool.intern(RBig::ZERO);
        pool.intern(RBig::ONE);
        pool
    }

    /// Number of a value, which is added if it is new.
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

    /// Number of the mean of two values.
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

/// Fraction in lowest terms from decimal numerator and denominator. Returns `None` if a text is not a number or the denominator is 0.
pub fn fraction(num: &str, den: &str) -> Option<RBig> {
    let (num, den) = (num.parse::<IBig>().ok()?, den.parse::<UBig>().ok()?);
    (!den.is_zero()).then(|| RBig::from_parts(num, den))
}
