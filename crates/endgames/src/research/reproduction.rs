//! The computation of Larsson and Wästlund, §7: the thresholds α_n and β_n of all positions for growing n, and the n from which the simplest
//! fraction between them is the value.
//!
//! α_{n+1}(P) = (max over White's moves of α_n + min over Black's moves of α_n) / 2, and the same for β. All thresholds are whole multiples of 2⁻ⁿ.
//! They are kept as fixed-point numbers whose bits suffice for n, so that every step is exact.
//!
//! The intervals shrink, so once the value is the simplest fraction in one, it stays so. The fractions next to a value in the Stern–Brocot tree decide
//! when: the value is the simplest fraction in an interval that contains neither of them.

use std::{io, sync::Arc, thread};

use dashu_base::{BitTest, ExtendedGcd};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

use crate::{
    board::Color,
    move_graph::Graphs,
    position_index::{LOST, Material, WON},
    table::Table,
};

/// Bits of a word.
const BITS: usize = u64::BITS as usize;
/// Words added when the bits no longer suffice.
const MORE: usize = 4;
/// First bytes of a saved state.
const MAGIC: &[u8; 8] = b"ZORKREPR";

/// Exact numbers from 0 to 1 by position, as multiples of 2^(1 − 64 w) in w words each, the highest word first.
struct Numbers {
    words: usize,
    all: Vec<u64>,
}

impl Numbers {
    fn of(&self, id: usize) -> &[u64] {
        &self.all[id * self.words..(id + 1) * self.words]
    }

    /// Appends words to every number.
    fn grow(&mut self, words: usize) {
        let mut all = vec![0; self.all.len() / self.words * words];
        for (new, old) in all.chunks_mut(words).zip(self.all.chunks(self.words)) {
            new[..old.len()].copy_from_slice(old);
        }
        *self = Numbers { words, all };
    }
}

/// Writes the mean of two numbers. They are multiples of twice the last bit, or equal.
fn mean(a: &[u64], b: &[u64], out: &mut [u64]) {
    let mut carry = false;
    for at in (0..out.len()).rev() {
        let (sum, one) = a[at].overflowing_add(b[at]);
        let (sum, two) = sum.overflowing_add(u64::from(carry));
        carry = one || two;
        out[at] = sum;
    }
    let mut above = u64::from(carry);
    for word in out {
        (above, *word) = (*word & 1, *word >> 1 | above << (BITS - 1));
    }
}

/// A fraction from 0 to 1 in words, rounded down.
fn words_of(num: &UBig, den: &UBig, words: usize) -> Vec<u64> {
    let scaled = (num << (BITS * words - 1)) / den;
    let bytes = scaled.to_be_bytes();
    let mut padded = vec![0; 8 * words - bytes.len()];
    padded.extend_from_slice(&bytes);
    padded.chunks(8).map(|word| word.iter().fold(0, |all, byte| all << 8 | u64::from(*byte))).collect()
}

/// The greatest fraction below p/q and the least one above it whose denominators are at most q.
fn neighbours(value: &RBig) -> [(UBig, UBig); 2] {
    let (p, q) = (value.numerator().clone().into_parts().1, value.denominator().clone());
    if q == UBig::ONE {
        return [(UBig::ZERO, UBig::ONE), (UBig::ONE, UBig::ONE)];
    }
    // p b − q a = 1 with 0 < b < q.
    let (_, b, _) = (&p).gcd_ext(&q);
    let whole = IBig::from(q.clone());
    let b = ((b % &whole) + &whole) % &whole;
    let b = b.into_parts().1;
    let a = (&p * &b - UBig::ONE) / &q;
    [(a.clone(), b.clone()), (p - a, q - b)]
}

/// Counts about one material after n steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reproduced {
    /// The material.
    pub material: Material,
    /// Number of steps n.
    pub n: usize,
    /// Number of classes of positions.
    pub positions: usize,
    /// Number of classes whose value is the simplest fraction in the interval.
    pub stable: usize,
    /// Number of bits of the largest denominator among their values.
    pub bits: usize,
    /// Greatest k for which every interval is shorter than 10^−k.
    pub digits: usize,
}

/// The thresholds of all positions of a board after n steps.
pub struct Reproduction<'t> {
    table: &'t Table,
    graphs: Arc<Graphs>,
    n: usize,
    /// α_n and β_n by position number.
    bounds: [Numbers; 2],
    /// By number of a value, the largest numbers below its neighbours, or the lower neighbour itself.
    between: [Numbers; 2],
    /// Numbers of the positions whose guess is still wrong, by layer.
    open: Vec<Vec<u32>>,
}

impl<'t> Reproduction<'t> {
    /// Thresholds for n = 0, with room for `to` steps.
    pub fn new(table: &'t Table, to: usize) -> Reproduction<'t> {
        let graphs = table.graphs();
        let words = to / BITS + 1 + MORE;
        let mut between = [Vec::new(), Vec::new()];
        for value in table.values().iter() {
            let [(a, b), (c, d)] = neighbours(value);
            between[0].extend(words_of(&a, &b, words));
            // The largest number below c/d.
            let below = ((c << (BITS * words - 1)) - UBig::ONE) / d;
            between[1].extend(words_of(&below, &(UBig::ONE << (BITS * words - 1)), words));
        }
        let mut bounds = [0, 1_u64 << (BITS - 1)].map(|start| Numbers { words: 1, all: vec![start; graphs.ids()] });
        for numbers in &mut bounds {
            numbers.all[WON as usize] = 1 << (BITS - 1);
            numbers.all[LOST as usize] = 0;
        }
        let between = between.map(|all| Numbers { words, all });
        let open = (0..graphs.len()).map(|at| graphs.layer(at).layer.ids.clone().collect()).collect();
        Reproduction { table, graphs, n: 0, bounds, between, open }
    }

    /// Number of steps so far.
    pub fn n(&self) -> usize {
        self.n
    }

    /// Advances from n to n + 1 with this number of threads.
    pub fn step(&mut self, threads: usize) {
        self.n += 1;
        for numbers in &mut self.bounds {
            if self.n > BITS * numbers.words - 1 {
                numbers.grow(numbers.words + MORE);
            }
            *numbers = next(numbers, &self.graphs, threads);
        }
        self.settle();
    }

    /// Drops the positions whose guess has become right.
    fn settle(&mut self) {
        let [lower, upper] = &self.bounds;
        let words = lower.words;
        for open in &mut self.open {
            open.retain(|id| {
                let value = self.table.value_id(*id) as usize;
                let [below, above] = [0, 1].map(|end| &self.between[end].of(value)[..words]);
                !(lower.of(*id as usize) > below && upper.of(*id as usize) <= above)
            });
        }
    }

    /// By material, whether all guesses are right.
    pub fn complete(&self) -> Vec<bool> {
        let right = |material| self.layers(material).all(|at| self.open[at].is_empty());
        Material::ALL.map(right).to_vec()
    }

    /// The counts of every material.
    pub fn counts(&self) -> Vec<Reproduced> {
        Material::ALL.map(|material| self.count(material)).to_vec()
    }

    /// Numbers of the layers of a material: pawns have one for each rank.
    fn layers(&self, material: Material) -> impl Iterator<Item = usize> {
        (0..self.graphs.len()).filter(move |at| self.graphs.layer(*at).layer.material == material)
    }

    fn count(&self, material: Material) -> Reproduced {
        let ids_of = move |at| self.graphs.layer(at).layer.ids.clone().map(move |id| (at, id));
        let ids = || self.layers(material).flat_map(ids_of);
        let stable = ids().filter(|(at, id)| self.open[*at].binary_search(id).is_err());
        let bits = stable.map(|(_, id)| self.table.value_of(id).denominator().bit_len());
        let (stable, bits) = bits.fold((0, 0), |(count, most), bits| (count + 1, most.max(bits)));
        let [lower, upper] = &self.bounds;
        let number = |numbers: &Numbers, id: u32| {
            let bytes: Vec<u8> = numbers.of(id as usize).iter().flat_map(|word| word.to_be_bytes()).collect();
            UBig::from_be_bytes(&bytes)
        };
        let widest = ids().map(|(_, id)| number(upper, id) - number(lower, id)).max().unwrap_or_default();
        let one = UBig::ONE << (BITS * lower.words - 1);
        let mut digits = 0;
        let mut scaled = widest * UBig::from(10_u8);
        while scaled != UBig::ZERO && scaled < one {
            scaled *= UBig::from(10_u8);
            digits += 1;
        }
        Reproduced { material, n: self.n, positions: ids().count(), stable, bits, digits }
    }

    /// Writes the state, from which [`Reproduction::resume`] continues.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        out.write_all(MAGIC)?;
        for number in [self.n, self.bounds[0].words] {
            out.write_all(&(number as u64).to_le_bytes())?;
        }
        out.write_all(self.table.digest().as_bytes())?;
        for numbers in &self.bounds {
            for part in numbers.all.chunks(1 << 16) {
                out.write_all(&part.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())?;
            }
        }
        Ok(())
    }

    /// Continues from a state that was written for the same table.
    ///
    /// # Errors
    /// If the state cannot be read, or belongs to another table.
    pub fn resume(&mut self, from: &mut dyn io::Read) -> io::Result<()> {
        let foreign = || io::Error::new(io::ErrorKind::InvalidData, "the state belongs to another table or is damaged");
        let mut start = [0; 24 + 64];
        from.read_exact(&mut start)?;
        let number = |at: usize| start[at..at + 8].iter().rev().fold(0, |all, byte| all << 8 | usize::from(*byte));
        let (n, words) = (number(8), number(16));
        if &start[..8] != MAGIC
            || start[24..] != *self.table.digest().as_bytes()
            || !(1..=n / BITS + 1 + MORE).contains(&words)
        {
            return Err(foreign());
        }
        if words > self.between[0].words {
            return Err(io::Error::new(io::ErrorKind::InvalidData, format!("the state has {n} steps already")));
        }
        let mut bounds = [0, 1].map(|_| Numbers { words, all: vec![0; self.graphs.ids() * words] });
        for word in bounds.iter_mut().flat_map(|numbers| &mut numbers.all) {
            let mut bytes = [0; 8];
            from.read_exact(&mut bytes)?;
            *word = u64::from_le_bytes(bytes);
        }
        (self.n, self.bounds) = (n, bounds);
        self.settle();
        Ok(())
    }
}

/// The numbers after one step.
fn next(now: &Numbers, graphs: &Graphs, threads: usize) -> Numbers {
    let words = now.words;
    // Most comparisons are decided by the highest word.
    let highest: Vec<u64> = now.all.iter().step_by(words).copied().collect();
    let key = |id: u32| (highest[id as usize], now.of(id as usize));
    let mut all = now.all.clone();
    for at in 0..graphs.len() {
        let graph = graphs.layer(at);
        let ids = &graph.layer.ids;
        let part = &mut all[ids.start as usize * words..ids.end as usize * words];
        let block = ids.len().div_ceil(threads).max(1);
        thread::scope(|scope| {
            for (number, part) in part.chunks_mut(block * words).enumerate() {
                let key = &key;
                scope.spawn(move || {
                    for (at, out) in part.chunks_mut(words).enumerate() {
                        let at = number * block + at;
                        let most = graph.options(Color::White, at).iter().max_by_key(|id| key(**id));
                        let least = graph.options(Color::Black, at).iter().min_by_key(|id| key(**id));
                        if let (Some(most), Some(least)) = (most, least) {
                            mean(now.of(*most as usize), now.of(*least as usize), out);
                        }
                    }
                });
            }
        });
    }
    Numbers { words, all }
}
