//! Bidding mechanisms: who receives a bid, and what happens to a move that neither side wants. In Richman's mechanism the opponent receives the
//! whole bid, positive or negative.
//!
//! Let x be the share of the players' money below which Black must be for White to win. Let A be the greatest x after a move of White, and B the
//! least x after a move of Black. Each mechanism has an operator Φ that gives x from A and B. Every Φ here is monotone. So α, the least solution, is
//! what White can force: starting from 0 everywhere, n rounds give the bound for a win within n moves. β, the greatest solution, is what Black
//! cannot overcome. Exchanging the colours turns Φ into 1 − Φ.
//!
//! # A share for the bank
//!
//! The bank takes a share τ of every payment. τ = 0 is Richman bidding, τ = 1 is poorman bidding, and values between are taxman bidding (Lazarus,
//! Loeb, Propp, Stromquist and Ullman, “Combinatorial games under auction play”, Games and Economic Behavior 27, 1999; Avni, Henzinger and Žikelić,
//! “Bidding mechanisms in graph games”).
//!
//! Let Black hold s and let White bid b, both as shares of the players' money.
//!
//! - If White moves, White pays b: τb to the bank and the rest to Black. Black then has (s + (1 − τ)b) / (1 − τb). This is below A if s < A − b(τA +
//!   1 − τ).
//! - If Black moves, Black pays at least b and keeps at most (s − b) / (1 − τb). This is below B if s < B + b(1 − τB).
//!
//! The bid that makes both bounds equal is
//!
//! b = (A − B) / (2 − τ + τ(A − B)), and x = (A + (1 − τ)B) / (2 − τ + τ(A − B)).
//!
//! If A < B, neither side wants the move. Then the opponent pays the mover, and the bank takes its share of that payment too: the opponent pays c
//! and the mover receives (1 − τ)c. This is the same auction with A and B exchanged, as if the players bid for the right to choose the mover. A
//! player who cannot pay what the opponent demands has to move. With H the greater of A and B, L the lesser, and d = H − L:
//!
//! Φ = (H + (1 − τ)L) / (2 − τ + τd) = L + d(1 − τL) / (2 − τ(1 − d)).
//!
//! Φ is monotone: with D its denominator, D²·∂Φ/∂H = (2 − τ)(1 − τL) and D²·∂Φ/∂L = (2 − τ)(1 − τ + τH), and neither is negative. At τ = 0 it is the
//! mean of A and B, whatever their order.
//!
//! # No negative bids
//!
//! A player cannot be paid for moving. If A ≥ B, nothing changes. If A < B, both bid zero and the tie rule names the mover: Φ is A if that is White,
//! and B if it is Black. The tie rule matters nowhere else. If A > B, the bid that makes both bounds equal is as good whichever side moves on equal
//! bids. If A < B, a positive bid only pays for a loss. Φ is monotone in A: up to A = B it is A or B, at A = B it is both, and beyond it continues
//! as above. The same holds for B.
//!
//! With the rule `choice`, the holder of the marker keeps it by letting the opponent move. The holder does so whenever neither side wants the move,
//! and has no better use for the marker elsewhere. So the opponent is always the mover there. A marker that changes hands, or a coin, names either
//! side in turn. Then Φ is at least A and at most B, and both bounds enclose x.

use std::{
    cmp::Ordering,
    collections::VecDeque,
    sync::{Arc, Mutex, PoisonError},
};

use super::{
    Stop,
    move_graph::{Graph, Graphs},
    position_index::{Id, LOST, WON},
};
use crate::{
    board::Color,
    endgame::{Bank, Endgame, Settlement, Tie},
};

/// The number 1 in the fixed-point format of the bounds.
pub(super) const ONE: u64 = 1 << 63;

/// Share τ of every payment that goes to the bank: a fraction in lowest terms from 0 to 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BankShare {
    num: u32,
    den: u32,
}

/// Rule for a move that neither side wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclinedMoveRule {
    /// Bids may be negative: the opponent pays the mover.
    Paid,
    /// Bids may not be negative. This side must move; `None` if it can be either.
    Forced(Option<Color>),
}

/// Recipient of a bid, and the rule for a move that neither side wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mechanism {
    /// Share of every payment that goes to the bank. The opponent receives the rest.
    pub tax: BankShare,
    /// Rule for a move that neither side wants.
    pub declined_move_rule: DeclinedMoveRule,
}

impl BankShare {
    /// Maximum denominator of a share.
    pub const FINEST: u32 = 1000;
    /// Richman bidding: the opponent receives everything (τ = 0).
    pub const RICHMAN: BankShare = BankShare { num: 0, den: 1 };
    /// Half goes to the bank and half to the opponent (τ = 1/2).
    pub const HALF: BankShare = BankShare { num: 1, den: 2 };
    /// Poorman bidding: the bank receives everything (τ = 1).
    pub const POORMAN: BankShare = BankShare { num: 1, den: 1 };

    /// The share `num` / `den`. Returns `None` if it exceeds 1, or if the denominator is 0 or above [`BankShare::FINEST`].
    pub fn new(num: u32, den: u32) -> Option<BankShare> {
        if num > den || !(1..=BankShare::FINEST).contains(&den) {
            return None;
        }
        let divides = |by: &u32| num.is_multiple_of(*by) && den.is_multiple_of(*by);
        let common = (1..=den).rev().find(divides)?;
        Some(BankShare { num: num / common, den: den / common })
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

    /// Φ for bids that may be negative, rounded down and up.
    fn balance(self, a: u64, b: u64) -> [u64; 2] {
        let (low, high) = (a.min(b), a.max(b));
        let d = high - low;
        let ([taxed_down, taxed_up], [divisor_down, divisor_up]) = (self.of(low), self.divisor(d));
        let (one, wide) = (u128::from(ONE), u128::from(d));
        let down = wide * (one - taxed_up) / divisor_up;
        let up = (wide * (one - taxed_down)).div_ceil(divisor_down);
        [low + down as u64, (low + up as u64).min(high)]
    }

    /// Bid for the difference A − B, d / (2 − τ(1 − d)), rounded down and up. Negating the difference negates the bid.
    fn bid(self, difference: i128) -> [i128; 2] {
        let d = difference.unsigned_abs().min(u128::from(ONE));
        let [divisor_down, divisor_up] = self.divisor(d as u64);
        let scaled = d * u128::from(ONE);
        let [down, up] = [scaled / divisor_up, scaled.div_ceil(divisor_down)].map(|bid| bid as i128);
        if difference < 0 { [-up, -down] } else { [down, up] }
    }

    /// Compares a number with Φ exactly.
    fn compare(self, number: u64, a: u64, b: u64) -> Ordering {
        let (low, high) = (a.min(b), a.max(b));
        let Some(above) = number.checked_sub(low) else { return Ordering::Less };
        let (num, den, one) = (u128::from(self.num), u128::from(self.den), u128::from(ONE));
        let d = high - low;
        let divisor = 2 * den * one - num * u128::from(ONE - d);
        product(above, divisor).cmp(&product(d, den * one - num * u128::from(low)))
    }
}

/// Product as a multiple of 2^32 and a remainder. The second factor is below 2^90.
fn product(a: u64, b: u128) -> (u128, u128) {
    const REST: u128 = (1 << 32) - 1;
    let rest = u128::from(a) * (b & REST);
    (u128::from(a) * (b >> 32) + (rest >> 32), rest & REST)
}

impl Mechanism {
    /// Richman bidding: negative bids are allowed, and the opponent receives everything.
    pub const RICHMAN: Mechanism = Mechanism { tax: BankShare::RICHMAN, declined_move_rule: DeclinedMoveRule::Paid };

    /// Mechanism of a game.
    pub(super) fn of(moment: &Endgame) -> Mechanism {
        let tax = match moment.bank {
            Bank::Nothing => BankShare::RICHMAN,
            Bank::Half => BankShare::HALF,
            Bank::All => BankShare::POORMAN,
        };
        let unwanted = match (moment.negative, moment.sealed) {
            (true, _) => DeclinedMoveRule::Paid,
            (false, Some(settlement)) => DeclinedMoveRule::from_settlement(settlement),
            (false, None) => DeclinedMoveRule::Forced(None),
        };
        Mechanism { tax, declined_move_rule: unwanted }
    }

    /// The mechanism with the colours exchanged.
    pub(super) fn reversed(self) -> Mechanism {
        let unwanted = match self.declined_move_rule {
            DeclinedMoveRule::Paid => DeclinedMoveRule::Paid,
            DeclinedMoveRule::Forced(mover) => DeclinedMoveRule::Forced(mover.map(|color| !color)),
        };
        Mechanism { declined_move_rule: unwanted, ..self }
    }

    /// Least and greatest Φ where neither side wants the move and bids may not be negative; `None` elsewhere.
    fn declined_value(self, a: u64, b: u64) -> Option<[u64; 2]> {
        match self.declined_move_rule {
            DeclinedMoveRule::Forced(mover) if a < b => Some(match mover {
                Some(Color::White) => [a, a],
                Some(Color::Black) => [b, b],
                None => [a, b],
            }),
            DeclinedMoveRule::Forced(_) | DeclinedMoveRule::Paid => None,
        }
    }

    /// Least Φ rounded down and greatest Φ rounded up, from the values after the best moves of both sides.
    fn balance(self, a: u64, b: u64) -> [u64; 2] {
        self.declined_value(a, b).unwrap_or_else(|| self.tax.balance(a, b))
    }

    /// Compares a lower bound with the least Φ, and an upper bound with the greatest Φ, exactly.
    pub(super) fn compare(self, [low, high]: [u64; 2], [lows, highs]: [[u64; 2]; 2]) -> [Ordering; 2] {
        let exact = |number: u64, [a, b]: [u64; 2], end: usize| match self.declined_value(a, b) {
            Some(fallen) => number.cmp(&fallen[end]),
            None => self.tax.compare(number, a, b),
        };
        [exact(low, lows, 0), exact(high, highs, 1)]
    }

    /// Bid for the difference A − B, rounded down and up.
    pub(super) fn bid(self, difference: i128) -> [i128; 2] {
        match self.declined_move_rule {
            DeclinedMoveRule::Forced(_) if difference < 0 => [0, 0],
            DeclinedMoveRule::Forced(_) | DeclinedMoveRule::Paid => self.tax.bid(difference),
        }
    }
}

impl DeclinedMoveRule {
    /// Rule for a game without negative bids, from its rule on equal sealed bids.
    pub fn from_settlement(Settlement { tie, holder, .. }: Settlement) -> DeclinedMoveRule {
        DeclinedMoveRule::Forced(match tie {
            Tie::Choice => Some(!holder),
            Tie::Side => Some(holder),
            Tie::Marker | Tie::Coin | Tie::Rebid | Tie::Loser => None,
        })
    }
}

/// Number of cached enclosures.
const KEPT: usize = 12;
/// Number of sweeps after which a layer is left as it is. Its bounds are valid after any number of sweeps.
const SWEEPS: usize = 4000;

/// Bounds of the values under a mechanism, by position number, as multiples of 2^−63.
pub(super) struct Intervals {
    mechanism: Mechanism,
    /// Number of solved layers, in the sense of [`Graphs::needed`].
    layers: usize,
    /// Lower bounds: `low` ≤ α and `low` ≤ Φ(`low`).
    low: Vec<u64>,
    /// Upper bounds: `high` ≥ β and `high` ≥ Φ(`high`).
    high: Vec<u64>,
}

impl Intervals {
    /// Encloses α and β: from 0 upwards and from 1 downwards, in place and in alternating direction, rounding outward. Φ is monotone, so the bounds
    /// are valid in any order of the positions.
    fn solve(graphs: &Graphs, mechanism: Mechanism, layers: usize, stop: Stop) -> Option<Intervals> {
        let (mut low, mut high) = (vec![0; graphs.ids()], vec![ONE; graphs.ids()]);
        low[WON as usize] = ONE;
        high[LOST as usize] = 0;
        for graph in graphs.needed(layers) {
            sweep_until_stable(graph, &mut low, stop, |own, a, b| mechanism.balance(a, b)[0].max(own))?;
            sweep_until_stable(graph, &mut high, stop, |own, a, b| mechanism.balance(a, b)[1].min(own))?;
        }
        Some(Intervals { mechanism, layers, low, high })
    }

    /// Lower and upper bound of a position.
    pub(super) fn of(&self, id: Id) -> [u64; 2] {
        [self.low[id as usize], self.high[id as usize]]
    }

    /// Checks in whole numbers that no lower bound exceeds Φ of the lower bounds, and no upper bound is below Φ of the upper bounds. The lower
    /// bounds are then at most β, and the upper bounds at least α.
    pub(super) fn certified(&self, graphs: &Graphs) -> bool {
        graphs.needed(self.layers).all(|graph| {
            (0..graph.len()).all(|at| {
                let around = [&self.low, &self.high].map(|values| bests(graph, values, at));
                let [low, high] = self.mechanism.compare(self.of(graph.id(at)), around);
                low.is_le() && high.is_ge()
            })
        })
    }
}

/// Values after the best moves of White and of Black.
fn bests(graph: &Graph, values: &[u64], at: usize) -> [u64; 2] {
    let of = |mover| graph.options(mover, at).iter().map(|id| values[*id as usize]);
    [of(Color::White).max().unwrap_or(0), of(Color::Black).min().unwrap_or(ONE)]
}

/// Sweeps over a layer until nothing changes. Returns `None` if stopped.
fn sweep_until_stable(
    graph: &Graph,
    values: &mut [u64],
    stop: Stop,
    next: impl Fn(u64, u64, u64) -> u64,
) -> Option<()> {
    for sweep in 0..SWEEPS {
        if stop() {
            return None;
        }
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
            break;
        }
    }
    Some(())
}

/// Cache of enclosures, the most recently used last.
#[derive(Default)]
pub(super) struct EnclosureCache(Mutex<VecDeque<Arc<Intervals>>>);

impl EnclosureCache {
    /// Enclosures under a mechanism that cover the position `id`. Returns `None` if the game is over or `stop` fires.
    pub(super) fn of(&self, graphs: &Graphs, mechanism: Mechanism, id: Id, stop: Stop) -> Option<Arc<Intervals>> {
        let layers = graphs.up_to(id)?;
        let found = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            let at = all.iter().position(|known| (known.mechanism, known.layers) == (mechanism, layers));
            at.and_then(|at| all.remove(at)).inspect(|found| all.push_back(found.clone()))
        };
        if found.is_some() {
            return found;
        }
        let made = Arc::new(Intervals::solve(graphs, mechanism, layers, stop)?);
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.push_back(made.clone());
        while all.len() > KEPT {
            all.pop_front();
        }
        Some(made)
    }
}
