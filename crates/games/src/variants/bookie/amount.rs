//! Amounts as players write them.

use num_rational::Ratio;

/// The decimal notation of a fraction, as `43.5` for 87/2, if it ends; the fraction itself is written by its `Display`.
pub fn decimal(fraction: &Ratio<i64>) -> Option<String> {
    let mut primes = fraction.denom().unsigned_abs();
    for prime in [2, 5] {
        while primes.is_multiple_of(prime) {
            primes /= prime;
        }
    }
    if primes != 1 {
        return None;
    }
    let denominator = u128::from(fraction.denom().unsigned_abs());
    let numerator = u128::from(fraction.numer().unsigned_abs());
    let sign = if *fraction < Ratio::ZERO { "-" } else { "" };
    let mut text = format!("{sign}{}", numerator / denominator);
    let mut rest = numerator % denominator;
    if rest > 0 {
        text.push('.');
    }
    while rest > 0 {
        rest *= 10;
        text.push((b'0' + (rest / denominator) as u8) as char);
        rest %= denominator;
    }
    Some(text)
}

/// An amount as players write it: `35`, `17.5`, or a fraction where the decimals would not end.
pub fn amount(exact: &Ratio<i64>) -> String {
    decimal(exact).unwrap_or_else(|| exact.to_string())
}
