//! Endgames at auction of which the bank takes a share τ of every payment: τ = 0 is Richman's bidding, τ = 1 poorman's, and what lies between
//! is the taxman's (Lazarus, Loeb, Propp, Stromquist and Ullman, “Combinatorial games under auction play”, Games and Economic Behavior 27,
//! 1999; Avni, Henzinger and Žikelić, “Bidding mechanisms in graph games”).
//!
//! Let x be the share of the players' money below which Black must be for White to win, A the greatest x after a move of White and B the
//! least after a move of Black. Let Black hold s, and White bid b, both as shares of what the two of them hold. If White moves, he pays b,
//! of which τb goes to the bank and the rest to Black, who then has (s + (1 − τ)b) / (1 − τb); that is below A where
//! s < A − b(τA + 1 − τ). If Black moves he pays b at least, is left with (s − b) / (1 − τb) at most, and that is below B where
//! s < B + b(1 − τB). The bid that makes both bounds equal is
//!
//! b = (A − B) / (2 − τ + τ(A − B)), and x = (A + (1 − τ)B) / (2 − τ + τ(A − B)).
//!
//! Where A < B nobody wants the move. Then the other side pays the mover, and the bank takes its share of that payment too: whoever does not
//! move pays c, and the mover receives (1 − τ)c. It is the same with A and B exchanged, as if the auction were for the right to say who
//! moves; who cannot pay what the other asks moves himself. With H the greater of A and B, L the less, and d = H − L:
//!
//! Φ(x) = (H + (1 − τ)L) / (2 − τ + τd) = L + d(1 − τL) / (2 − τ(1 − d)).
//!
//! Φ is monotone: with D its denominator, D²·∂Φ/∂H = (2 − τ)(1 − τL) and D²·∂Φ/∂L = (2 − τ)(1 − τ + τH), and neither is negative. With the
//! colours changed it is 1 − Φ. At τ = 0 it is the mean of A and B, whatever their order. α, the least solution, is what White can force:
//! from 0 everywhere, n rounds give the bound of a win within n moves. β, the greatest, is what Black cannot overcome.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    graph::{Graph, Graphs},
    index::{Id, LOST, WON},
};
use crate::board::Color;

/// 1 in the fixed-point numbers of the bounds.
pub(super) const ONE: u64 = 1 << 63;
/// The number of shares of the bank for which the bounds of a board are kept.
const KEPT: usize = 6;
/// The number of sweeps after which a layer is left as it is; its bounds hold at every time.
const SWEEPS: usize = 4000;

/// The share τ of every payment that goes to the bank: a fraction in lowest terms from 0 to 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tax {
    num: u32,
    den: u32,
}

impl Tax {
    /// The greatest denominator of a share.
    pub const FINEST: u32 = 1000;
    /// The other player is paid all: τ = 0.
    pub const RICHMAN: Tax = Tax { num: 0, den: 1 };
    /// The bank is paid all: τ = 1.
    pub const POORMAN: Tax = Tax { num: 1, den: 1 };

    /// The share num / den; nothing if it is more than 1, or its denominator is 0 or above [`Tax::FINEST`].
    pub fn new(num: u32, den: u32) -> Option<Tax> {
        if num > den || !(1..=Tax::FINEST).contains(&den) {
            return None;
        }
        let divides = |by: &u32| num % by == 0 && den % by == 0;
        let common = (1..=den).rev().find(divides)?;
        Some(Tax { num: num / common, den: den / common })
    }

    /// τ times a fixed-point number, rounded down and up.
    fn of(self, number: u64) -> [u128; 2] {
        let (product, den) = (u128::from(number) * u128::from(self.num), u128::from(self.den));
        [product / den, product.div_ceil(den)]
    }

    /// 2 − τ(1 − d), rounded down and up.
    fn divisor(self, d: u64) -> [u128; 2] {
        let [down, up] = self.of(ONE - d);
        let two = 2 * u128::from(ONE);
        [two - up, two - down]
    }

    /// Φ of the values after the best moves of both sides, in any order, rounded down and up.
    fn balance(self, a: u64, b: u64) -> [u64; 2] {
        let (low, high) = (a.min(b), a.max(b));
        let d = high - low;
        let ([taxed_down, taxed_up], [divisor_down, divisor_up]) = (self.of(low), self.divisor(d));
        let (one, wide) = (u128::from(ONE), u128::from(d));
        let down = wide * (one - taxed_up) / divisor_up;
        let up = (wide * (one - taxed_down)).div_ceil(divisor_down);
        [low + down as u64, (low + up as u64).min(high)]
    }

    /// The bid for a difference A − B of so much, d / (2 − τ(1 − d)), rounded down and up; that of the opposite difference is the opposite.
    pub(super) fn bid(self, difference: i128) -> [i128; 2] {
        let d = difference.unsigned_abs().min(u128::from(ONE));
        let [divisor_down, divisor_up] = self.divisor(d as u64);
        let scaled = d * u128::from(ONE);
        let [down, up] = [scaled / divisor_up, scaled.div_ceil(divisor_down)].map(|bid| bid as i128);
        if difference < 0 { [-up, -down] } else { [down, up] }
    }

    /// Tells exactly how a number compares with Φ.
    fn compare(self, number: u64, a: u64, b: u64) -> std::cmp::Ordering {
        let (low, high) = (a.min(b), a.max(b));
        let Some(above) = number.checked_sub(low) else { return std::cmp::Ordering::Less };
        let (num, den, one) = (u128::from(self.num), u128::from(self.den), u128::from(ONE));
        let d = high - low;
        let divisor = 2 * den * one - num * u128::from(ONE - d);
        product(above, divisor).cmp(&product(d, den * one - num * u128::from(low)))
    }
}

/// A product, as the multiple of 2^32 in it and the rest. The second factor is below 2^90.
fn product(a: u64, b: u128) -> (u128, u128) {
    const REST: u128 = (1 << 32) - 1;
    let rest = u128::from(a) * (b & REST);
    (u128::from(a) * (b >> 32) + (rest >> 32), rest & REST)
}

/// Bounds of the values of all positions of a board for one share of the bank, by their numbers, as multiples of 2^−63.
pub(super) struct Bounds {
    tax: Tax,
    /// Not above α, and not above Φ of itself.
    low: Vec<u64>,
    /// Not below β, and not below Φ of itself.
    high: Vec<u64>,
}

impl Bounds {
    /// Encloses α and β: from 0 upwards and from 1 downwards, in place and in alternating direction, rounding outward. Whatever order
    /// the positions are taken in, what comes of a lower bound is one, because Φ is monotone.
    fn solve(graphs: &Graphs, tax: Tax) -> Bounds {
        let (mut low, mut high) = (vec![0; graphs.ids()], vec![ONE; graphs.ids()]);
        low[WON as usize] = ONE;
        high[LOST as usize] = 0;
        for graph in graphs.needed(graphs.len()) {
            settle(graph, &mut low, |own, a, b| tax.balance(a, b)[0].max(own));
            settle(graph, &mut high, |own, a, b| tax.balance(a, b)[1].min(own));
        }
        Bounds { tax, low, high }
    }

    /// The bounds of a position.
    pub(super) fn of(&self, id: Id) -> [u64; 2] {
        [self.low[id as usize], self.high[id as usize]]
    }

    /// Tells exactly, in whole numbers, whether the lower bounds are nowhere above Φ of themselves and the upper ones nowhere below it:
    /// then β is at least the one, and α at most the other.
    pub(super) fn certified(&self, graphs: &Graphs) -> bool {
        graphs.needed(graphs.len()).all(|graph| {
            (0..graph.len()).all(|at| {
                let compare = |values: &[u64]| {
                    let [a, b] = bests(graph, values, at);
                    self.tax.compare(values[graph.id(at) as usize], a, b)
                };
                compare(&self.low).is_le() && compare(&self.high).is_ge()
            })
        })
    }
}

/// The values after the best moves of White and of Black.
fn bests(graph: &Graph, values: &[u64], at: usize) -> [u64; 2] {
    let of = |mover| graph.options(mover, at).iter().map(|id| values[*id as usize]);
    [of(Color::White).max().unwrap_or(0), of(Color::Black).min().unwrap_or(ONE)]
}

/// Sweeps over a layer until nothing changes.
fn settle(graph: &Graph, values: &mut [u64], next: impl Fn(u64, u64, u64) -> u64) {
    for sweep in 0..SWEEPS {
        let mut changed = false;
        for step in 0..graph.len() {
            let at = if sweep % 2 == 0 { step } else { graph.len() - 1 - step };
            let [a, b] = bests(graph, values, at);
            let own = &mut values[graph.id(at) as usize];
            let value = next(*own, a, b);
            changed |= *own != value;
            *own = value;
        }
        if !changed {
            return;
        }
    }
}

/// The bounds that are kept, those that were asked about last at the end.
#[derive(Default)]
pub(super) struct Banks(Mutex<VecDeque<Arc<Bounds>>>);

impl Banks {
    /// The bounds for a share of the bank.
    pub(super) fn of(&self, graphs: &Graphs, tax: Tax) -> Arc<Bounds> {
        let found = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let at = all.iter().position(|bounds| bounds.tax == tax);
            at.and_then(|at| all.remove(at)).inspect(|found| all.push_back(found.clone()))
        };
        found.unwrap_or_else(|| {
            let made = Arc::new(Bounds::solve(graphs, tax));
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            all.push_back(made.clone());
            while all.len() > KEPT {
                all.pop_front();
            }
            made
        })
    }
}
