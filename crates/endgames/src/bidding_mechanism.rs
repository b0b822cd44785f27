//! Bidding mechanisms: to whom a bid is paid, and what becomes of a move that nobody wants. Richman's is one of them, in which the other
//! player is paid all, be the bid above zero or below.
//!
//! Let x be the share of the players' money below which Black must be for White to win, A the greatest x after a move of White and B the
//! least after a move of Black. Each mechanism has an operator Φ that gives x from A and B. All of them are monotone, so that α, the least
//! solution, is what White can force: from 0 everywhere, n rounds give the bound of a win within n moves. β, the greatest, is what Black
//! cannot overcome. With the colours changed Φ is 1 − Φ.
//!
//! # A share for the bank
//!
//! The bank takes a share τ of every payment: τ = 0 is Richman's bidding, τ = 1 poorman's, and what lies between is the taxman's (Lazarus,
//! Loeb, Propp, Stromquist and Ullman, “Combinatorial games under auction play”, Games and Economic Behavior 27, 1999; Avni, Henzinger and
//! Žikelić, “Bidding mechanisms in graph games”).
//!
//! Let Black hold s, and White bid b, both as shares of what the two of them hold. If White moves, he pays b, of which τb goes to the bank
//! and the rest to Black, who then has (s + (1 − τ)b) / (1 − τb); that is below A where s < A − b(τA + 1 − τ). If Black moves he pays b at
//! least, is left with (s − b) / (1 − τb) at most, and that is below B where s < B + b(1 − τB). The bid that makes both bounds equal is
//!
//! b = (A − B) / (2 − τ + τ(A − B)), and x = (A + (1 − τ)B) / (2 − τ + τ(A − B)).
//!
//! Where A < B nobody wants the move. Then the other side pays the mover, and the bank takes its share of that payment too: whoever does not
//! move pays c, and the mover receives (1 − τ)c. It is the same with A and B exchanged, as if the auction were for the right to say who
//! moves; who cannot pay what the other asks moves himself. With H the greater of A and B, L the less, and d = H − L:
//!
//! Φ = (H + (1 − τ)L) / (2 − τ + τd) = L + d(1 − τL) / (2 − τ(1 − d)).
//!
//! Φ is monotone: with D its denominator, D²·∂Φ/∂H = (2 − τ)(1 − τL) and D²·∂Φ/∂L = (2 − τ)(1 − τ + τH), and neither is negative. At τ = 0
//! it is the mean of A and B, whatever their order.
//!
//! # No bids below zero
//!
//! Nobody can be paid for moving. Where A ≥ B nothing changes. Where A < B both bid nothing, and the rule about equal bids names the mover: Φ
//! is A where that is White, and B where it is Black. More is not needed of the rule: where A > B the bid that makes both bounds equal is as
//! good whoever moves when the bids are equal, and where A < B a bid above nothing only pays for harm. Φ is monotone: as A grows up to B it
//! is A, or B, and at A = B it is both and goes on from there as above; and the same for B.
//!
//! Whoever holds the marker, and may keep it by letting the other move, does so where nobody wants the move, and has no better use for it
//! elsewhere: so the other side is the mover there, for ever. A marker that must be handed over, and a coin, name now one side and now the
//! other. Then A is the least that Φ can be, and B the greatest, and x is enclosed by both.

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

/// 1 in the fixed-point numbers of the bounds.
pub(super) const ONE: u64 = 1 << 63;

/// The share τ of every payment that goes to the bank: a fraction in lowest terms from 0 to 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BankShare {
    num: u32,
    den: u32,
}

/// What becomes of a move that nobody wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeclinedMoveRule {
    /// Bids may be below zero: whoever does not move pays the mover.
    Sold,
    /// They may not, and this side has to make it; none where now the one and now the other has to.
    Falls(Option<Color>),
}

/// To whom a bid is paid, and what becomes of a move that nobody wants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mechanism {
    /// The part of every payment that goes to the bank; the other player is paid the rest.
    pub tax: BankShare,
    /// What becomes of a move that nobody wants.
    pub unwanted: DeclinedMoveRule,
}

impl BankShare {
    /// The greatest denominator of a share.
    pub const FINEST: u32 = 1000;
    /// The other player is paid all: τ = 0.
    pub const RICHMAN: BankShare = BankShare { num: 0, den: 1 };
    /// Half goes to the bank, and half to the other player: τ = 1/2.
    pub const HALF: BankShare = BankShare { num: 1, den: 2 };
    /// The bank is paid all: τ = 1.
    pub const POORMAN: BankShare = BankShare { num: 1, den: 1 };

    /// The share num / den; nothing if it is more than 1, or its denominator is 0 or above [`Tax::FINEST`].
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

    /// Φ rounded down and up.
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
    fn bid(self, difference: i128) -> [i128; 2] {
        let d = difference.unsigned_abs().min(u128::from(ONE));
        let [divisor_down, divisor_up] = self.divisor(d as u64);
        let scaled = d * u128::from(ONE);
        let [down, up] = [scaled / divisor_up, scaled.div_ceil(divisor_down)].map(|bid| bid as i128);
        if difference < 0 { [-up, -down] } else { [down, up] }
    }

    /// Tells exactly how a number compares with Φ.
    fn compare(self, number: u64, a: u64, b: u64) -> Ordering {
        let (low, high) = (a.min(b), a.max(b));
        let Some(above) = number.checked_sub(low) else { return Ordering::Less };
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

impl Mechanism {
    /// Bids below zero are allowed and all is paid to the other player.
    pub const RICHMAN: Mechanism = Mechanism { tax: BankShare::RICHMAN, unwanted: DeclinedMoveRule::Sold };

    /// The mechanism of a game at a moment.
    pub(super) fn of(moment: &Endgame) -> Mechanism {
        let tax = match moment.bank {
            Bank::Nothing => BankShare::RICHMAN,
            Bank::Half => BankShare::HALF,
            Bank::All => BankShare::POORMAN,
        };
        let unwanted = match (moment.negative, moment.sealed) {
            (true, _) => DeclinedMoveRule::Sold,
            (false, Some(settlement)) => DeclinedMoveRule::settled(settlement),
            (false, None) => DeclinedMoveRule::Falls(None),
        };
        Mechanism { tax, unwanted }
    }

    /// The same with the colours changed.
    pub(super) fn reversed(self) -> Mechanism {
        let unwanted = match self.unwanted {
            DeclinedMoveRule::Sold => DeclinedMoveRule::Sold,
            DeclinedMoveRule::Falls(mover) => DeclinedMoveRule::Falls(mover.map(|color| !color)),
        };
        Mechanism { unwanted, ..self }
    }

    /// Φ where nobody wants the move and nobody can be paid for it, if that is so: the least that it can be, and the greatest.
    fn fallen(self, a: u64, b: u64) -> Option<[u64; 2]> {
        match self.unwanted {
            DeclinedMoveRule::Falls(mover) if a < b => Some(match mover {
                Some(Color::White) => [a, a],
                Some(Color::Black) => [b, b],
                None => [a, b],
            }),
            DeclinedMoveRule::Falls(_) | DeclinedMoveRule::Sold => None,
        }
    }

    /// Φ of the values after the best moves of both sides: the least that it can be, rounded down, and the greatest, rounded up.
    fn balance(self, a: u64, b: u64) -> [u64; 2] {
        self.fallen(a, b).unwrap_or_else(|| self.tax.balance(a, b))
    }

    /// Tells exactly how a lower bound compares with the least that Φ can be, and an upper one with the greatest.
    pub(super) fn compare(self, [low, high]: [u64; 2], [lows, highs]: [[u64; 2]; 2]) -> [Ordering; 2] {
        let exact = |number: u64, [a, b]: [u64; 2], end: usize| match self.fallen(a, b) {
            Some(fallen) => number.cmp(&fallen[end]),
            None => self.tax.compare(number, a, b),
        };
        [exact(low, lows, 0), exact(high, highs, 1)]
    }

    /// The bid for a difference A − B of so much, rounded down and up.
    pub(super) fn bid(self, difference: i128) -> [i128; 2] {
        match self.unwanted {
            DeclinedMoveRule::Falls(_) if difference < 0 => [0, 0],
            DeclinedMoveRule::Falls(_) | DeclinedMoveRule::Sold => self.tax.bid(difference),
        }
    }
}

impl DeclinedMoveRule {
    /// What becomes of it without bids below zero under a rule about equal bids.
    pub fn settled(Settlement { tie, holder, .. }: Settlement) -> DeclinedMoveRule {
        DeclinedMoveRule::Falls(match tie {
            Tie::Choice => Some(!holder),
            Tie::Side => Some(holder),
            Tie::Marker | Tie::Coin | Tie::Rebid | Tie::Loser => None,
        })
    }
}

/// The number of enclosures that are kept.
const KEPT: usize = 12;
/// The number of sweeps after which a layer is left as it is; its bounds hold at every time.
const SWEEPS: usize = 4000;

/// Bounds of the values under a mechanism, by number of position, as multiples of 2^−63.
pub(super) struct Intervals {
    mechanism: Mechanism,
    /// The layers that are solved, as [`Graphs::needed`] counts them.
    layers: usize,
    /// Not above α, and not above Φ of itself.
    low: Vec<u64>,
    /// Not below β, and not below Φ of itself.
    high: Vec<u64>,
}

impl Intervals {
    /// Encloses α and β: from 0 upwards and from 1 downwards, in place and in alternating direction, rounding outward. Whatever order
    /// the positions are taken in, what comes of a lower bound is one, because Φ is monotone.
    fn solve(graphs: &Graphs, mechanism: Mechanism, layers: usize, stop: Stop) -> Option<Intervals> {
        let (mut low, mut high) = (vec![0; graphs.ids()], vec![ONE; graphs.ids()]);
        low[WON as usize] = ONE;
        high[LOST as usize] = 0;
        for graph in graphs.needed(layers) {
            settle(graph, &mut low, stop, |own, a, b| mechanism.balance(a, b)[0].max(own))?;
            settle(graph, &mut high, stop, |own, a, b| mechanism.balance(a, b)[1].min(own))?;
        }
        Some(Intervals { mechanism, layers, low, high })
    }

    /// The bounds of a position.
    pub(super) fn of(&self, id: Id) -> [u64; 2] {
        [self.low[id as usize], self.high[id as usize]]
    }

    /// Tells exactly, in whole numbers, whether the lower bounds are nowhere above Φ of themselves and the upper ones nowhere below it:
    /// then β is at least the one, and α at most the other.
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

/// The values after the best moves of White and of Black.
fn bests(graph: &Graph, values: &[u64], at: usize) -> [u64; 2] {
    let of = |mover| graph.options(mover, at).iter().map(|id| values[*id as usize]);
    [of(Color::White).max().unwrap_or(0), of(Color::Black).min().unwrap_or(ONE)]
}

/// Sweeps over a layer until nothing changes; none when stopped.
fn settle(graph: &Graph, values: &mut [u64], stop: Stop, next: impl Fn(u64, u64, u64) -> u64) -> Option<()> {
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

/// The enclosures that are kept, those that were asked about last at the end.
#[derive(Default)]
pub(super) struct Solved(Mutex<VecDeque<Arc<Intervals>>>);

impl Solved {
    /// The enclosures under a mechanism, as they bear on a position; none for a game that is over, and none when stopped.
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
