//! The prime factors of a denominator, as far as trial division finds them. Larsson and Wästlund write denominators so (§10).

use std::sync::LazyLock;

use dashu_int::UBig;

use super::worth::Fraction;

/// Primes from here on are not looked for: the paper's own list ends below it, but for two that no trial finds.
const BOUND: usize = 1 << 21;

/// The primes below [`BOUND`] in runs, each with its product, so that a long number is divided once for several of them.
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

/// A whole number as a product.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Factors {
    /// The primes that divide it, least first, and how often.
    pub primes: Vec<(u64, u32)>,
    /// The cofactor in decimal, if it is not one: it has no prime factor below two million, and may be a prime itself.
    pub rest: Option<String>,
}

impl Factors {
    /// Divides a number by every small prime.
    pub fn of(number: &UBig) -> Factors {
        let mut primes: Vec<(u64, u32)> = Vec::new();
        let mut rest = number.clone();
        for (product, run) in RUNS.iter() {
            // What has no factor up to its root is a prime.
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
            Ok(0 | 1) => Factors { primes, rest: None },
            Ok(small) if small < (BOUND as u64) * (BOUND as u64) => {
                primes.push((small, 1));
                Factors { primes, rest: None }
            }
            Ok(_) | Err(_) => Factors { primes, rest: Some(rest.to_string()) },
        }
    }
}

impl Fraction {
    /// The factors of the denominator.
    pub fn factors(&self) -> Factors {
        self.den
            .parse::<UBig>()
            .map_or_else(|_| Factors { primes: Vec::new(), rest: Some(self.den.to_string()) }, |den| Factors::of(&den))
    }
}
