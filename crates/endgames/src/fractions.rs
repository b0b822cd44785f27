//! Exact values as fractions: comparing and writing the values of a table, and the prime factors of a denominator by trial division. Larsson and
//! Wästlund write denominators as products too (§10).

use std::{
    cmp::Ordering,
    fmt,
    ops::Deref,
    sync::{Arc, LazyLock, OnceLock},
};

use dashu_int::UBig;
use dashu_ratio::RBig;
use serde::{Serialize, Serializer};

use super::value_pool::{ONE, ValueId, Values, ZERO};
use crate::board::Color;

/// Exact fraction in lowest terms, with the nearest floating-point number. Copies share their digits.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Fraction {
    /// Numerator in decimal, with `-` if the fraction is negative.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub num: Digits,
    /// Denominator in decimal.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub den: Digits,
    /// Nearest floating-point number.
    pub approx: f64,
}

/// Whole number in decimal. Copies share the text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Digits(Arc<str>);

impl Deref for Digits {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self)
    }
}

impl PartialEq<&str> for Digits {
    fn eq(&self, other: &&str) -> bool {
        **self == **other
    }
}

impl Serialize for Digits {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self)
    }
}

impl From<&RBig> for Fraction {
    fn from(value: &RBig) -> Fraction {
        Fraction {
            num: Digits(value.numerator().to_string().into()),
            den: Digits(value.denominator().to_string().into()),
            approx: value.to_f64().value(),
        }
    }
}

/// Value of a table, or 1 minus it if the table holds the position with colours exchanged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Worth {
    pub(super) id: ValueId,
    pub(super) reversed: bool,
}

impl Worth {
    /// Value of a game that `winner` has won.
    pub(super) fn won(winner: Color) -> Worth {
        let id = match winner {
            Color::White => ONE,
            Color::Black => ZERO,
        };
        Worth { id, reversed: false }
    }

    /// White's chance to win.
    pub(super) fn exact(self, values: &Values) -> RBig {
        let value = values.get(self.id);
        if self.reversed { RBig::ONE - value } else { value.clone() }
    }

    /// Compares two values exactly.
    pub(super) fn compare(self, other: Worth, values: &Values) -> Ordering {
        match (self.reversed, other.reversed) {
            (false, false) => values.cmp(self.id, other.id),
            (true, true) => values.cmp(other.id, self.id),
            (true, false) | (false, true) => self.exact(values).cmp(&other.exact(values)),
        }
    }
}

/// Cache of formatted values, filled on first use.
#[derive(Default)]
pub(super) struct FormattedValues {
    own: Box<[OnceLock<Box<Fraction>>]>,
    reversed: Box<[OnceLock<Box<Fraction>>]>,
}

impl FormattedValues {
    /// Empty cache for `count` values.
    pub(super) fn new(count: usize) -> FormattedValues {
        let room = || (0..count).map(|_| OnceLock::new()).collect();
        FormattedValues { own: room(), reversed: room() }
    }

    /// Formatted value.
    pub(super) fn get(&self, worth: Worth, values: &Values) -> &Fraction {
        let side = if worth.reversed { &self.reversed } else { &self.own };
        side[worth.id as usize].get_or_init(|| Box::new(Fraction::from(&worth.exact(values))))
    }
}

/// Bound of the trial division. The paper's list of primes ends below it, except for two that trial division cannot reach.
const BOUND: usize = 1 << 21;

/// Primes below [`BOUND`] in runs with their product, so that one division of a long number tests several primes.
static RUNS: LazyLock<Vec<(u64, Vec<u32>)>> = LazyLock::new(|| {
    let mut composite = vec![false; BOUND];
    let mut runs: Vec<(u64, Vec<u32>)> = Vec::new();
    for number in 2..BOUND {
        if composite[number] {
            continue;
        }
        for multiple in (number * number..BOUND).step_by(number) {
            composite[multiple] = true;
        }
        match runs.last_mut().and_then(|(product, run)| Some((product.checked_mul(number as u64)?, product, run))) {
            Some((more, product, run)) => {
                *product = more;
                run.push(number as u32);
            }
            None => runs.push((number as u64, vec![number as u32])),
        }
    }
    runs
});

/// Whole number as a product of primes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Factorization {
    /// Prime factors in ascending order, with their exponents.
    pub primes: Vec<(u64, u32)>,
    /// Remaining cofactor in decimal, if it is not 1. It has no prime factor below two million and may be prime.
    pub rest: Option<String>,
}

impl Factorization {
    /// Factors a number by trial division.
    pub fn of(number: &UBig) -> Factorization {
        let mut primes: Vec<(u64, u32)> = Vec::new();
        let mut rest = number.clone();
        for (product, run) in RUNS.iter() {
            // A number without a factor up to its square root is prime.
            if run.first().is_some_and(|least| rest < UBig::from(*least) * *least) {
                break;
            }
            let remainder = &rest % *product;
            for prime in run.iter().filter(|prime| remainder.is_multiple_of(u64::from(**prime))) {
                let mut times = 0;
                while &rest % *prime == 0 {
                    rest /= *prime;
                    times += 1;
                }
                if times > 0 {
                    primes.push((u64::from(*prime), times));
                }
            }
        }
        match u64::try_from(&rest) {
            Ok(0 | 1) => Factorization { primes, rest: None },
            Ok(small) if small < (BOUND as u64) * (BOUND as u64) => {
                primes.push((small, 1));
                Factorization { primes, rest: None }
            }
            Ok(_) | Err(_) => Factorization { primes, rest: Some(rest.to_string()) },
        }
    }
}

impl Fraction {
    /// Factors of the denominator.
    pub fn factors(&self) -> Factorization {
        self.den.parse::<UBig>().map_or_else(
            |_| Factorization { primes: Vec::new(), rest: Some(self.den.to_string()) },
            |den| Factorization::of(&den),
        )
    }
}
