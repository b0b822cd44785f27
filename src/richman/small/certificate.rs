//! Why α < β in one position, in numbers so small that they can be checked by hand.
//!
//! A list of positions with whole numbers z over one denominator proves α ≤ z if in each the greatest z after a move of White's and the least after
//! one of Black's are together not more than 2 z: then the list, with 1 for what is not on it, does not grow under Φ. For 1 − y ≥ 1 − β the same holds
//! with colours changed. Positions of three pieces have their exact values, rounded up.

use std::{
    collections::{HashMap, HashSet},
    io::{self, Write},
};

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::{
    bounds::apart,
    forces::Forces,
    placement::{Placement, Symmetry, symmetries},
    steps::after,
    tables::SmallTables,
};
use crate::{
    board::Color,
    richman::{
        graph::rules,
        mechanism::ONE,
        question::{Standing, standing},
        table::Table,
    },
};

/// Lists that prove α < β in one position.
pub struct SmallProof {
    /// The position, as it stands first on both lists.
    root: Placement,
    /// All numbers are multiples of one over this.
    denominator: u64,
    /// α is at most so much.
    above: Vec<(Placement, u64)>,
    /// β is at least so much.
    below: Vec<(Placement, u64)>,
}

/// The columns of the file of a proof.
pub const PROOF_COLUMNS: &str = "fen,alpha_at_most,beta_at_least";
/// The denominators that are tried.
const DENOMINATORS: [u64; 11] = [4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256];
/// A list that is so many times as long as a whole proof may yet become a shorter one.
const WORTH_A_TRY: usize = 20;
/// So many positions of the same forces are tried, those with the widest gap first.
const TRIED: usize = 4;

/// A position, with where the moves lead by the numbers of positions.
struct Node {
    placement: Placement,
    /// Set where nothing is to be proved: the end of the game, and three pieces.
    plain: bool,
    /// At most so much, over the denominator.
    bound: u64,
    /// The moves of the player who is held, and those of the other one, once they are asked for.
    moves: Option<[Vec<usize>; 2]>,
}

/// Positions and where their moves lead.
struct Search<'t> {
    tables: &'t SmallTables,
    three: &'t Table,
    /// Who is held to as little as can be proved.
    player: Color,
    denominator: u64,
    symmetries: [Vec<Symmetry>; 2],
    nodes: Vec<Node>,
    numbers: HashMap<Placement, usize>,
}

impl Search<'_> {
    /// The number of a position, the same for all its images.
    fn number(&mut self, placement: &Placement) -> usize {
        let all = &self.symmetries[usize::from(placement.forces().pawns() > 0)];
        let canonical = all.iter().map(|symmetry| placement.turned(symmetry)).min().unwrap_or(*placement);
        if let Some(number) = self.numbers.get(&canonical) {
            return *number;
        }
        let over = [self.player, !self.player].map(|color| canonical.king(color).is_none());
        let (plain, bound) = match over {
            [true, _] => (true, 0),
            [_, true] => (true, self.denominator),
            [false, false] => match self.exact(&canonical) {
                Some(value) => (true, up(&value, self.denominator)),
                None => {
                    let [_, alpha, beta, _] = self.tables.bounds(&canonical);
                    let share = if self.player == Color::White { alpha } else { ONE - beta };
                    (false, up(&RBig::from_parts(share.into(), ONE.into()), self.denominator))
                }
            },
        };
        self.nodes.push(Node { placement: canonical, plain, bound, moves: None });
        self.numbers.insert(canonical, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// What a position of three pieces is worth to the player who is held.
    fn exact(&self, placement: &Placement) -> Option<RBig> {
        let size = self.tables.size();
        let Standing::Covered { setup, reversed } = standing(size, &placement.position(rules(size), Color::White))
        else {
            return None;
        };
        let value = self.three.value(setup).clone();
        Some(if reversed == (self.player == Color::White) { RBig::ONE - value } else { value })
    }

    /// The moves of the player who is held, or of the other one.
    fn moves(&self, at: usize, side: usize) -> &[usize] {
        self.nodes[at].moves.as_ref().map_or(&[], |sides| &sides[side])
    }

    fn explore(&mut self, at: usize) {
        if self.nodes[at].moves.is_none() {
            let board = rules(self.tables.size());
            let placement = self.nodes[at].placement;
            let sides = [self.player, !self.player].map(|mover| {
                let mut all: Vec<usize> =
                    after(board, &placement, mover).iter().map(|next| self.number(next)).collect();
                all.sort_unstable();
                all.dedup();
                all
            });
            self.nodes[at].moves = Some(sides);
        }
    }

    /// The answer of the other player that asks for least: among those that are good enough one that is on the list already.
    fn answer(&self, at: usize, listed: impl Fn(usize) -> bool) -> Option<usize> {
        let most = self.moves(at, 0).iter().map(|next| self.nodes[*next].bound).max().unwrap_or_default();
        let allowed = (2 * self.nodes[at].bound).checked_sub(most)?;
        let fit = self.moves(at, 1).iter().copied().filter(|next| self.nodes[*next].bound <= allowed);
        fit.min_by_key(|next| (!self.nodes[*next].plain && !listed(*next), self.nodes[*next].bound))
    }

    /// Tells whether something is to be proved of a position.
    fn asks(&self, at: usize) -> bool {
        !self.nodes[at].plain && self.nodes[at].bound < self.denominator
    }

    /// The positions that are needed for a root, nearest first; bounds are raised where they do not hold. Nothing if there are more than so many.
    fn closure(&mut self, root: usize, most: usize) -> Option<Vec<usize>> {
        loop {
            let mut list = vec![root];
            let mut listed = HashSet::from([root]);
            let (mut next, mut raised) = (0, false);
            while let Some(at) = list.get(next).copied() {
                if list.len() > most {
                    return None;
                }
                next += 1;
                self.explore(at);
                let mut answer = self.answer(at, |other| listed.contains(&other));
                while answer.is_none() {
                    self.nodes[at].bound += 1;
                    raised = true;
                    answer = self.answer(at, |other| listed.contains(&other));
                }
                for needed in self.moves(at, 0).iter().copied().chain(answer) {
                    if self.asks(needed) && listed.insert(needed) {
                        list.push(needed);
                    }
                }
            }
            if !raised {
                return Some(list);
            }
        }
    }

    /// Lets a position have the greatest bound with which all on the list that lead to it still hold.
    fn relax(&mut self, at: usize, before: &[usize], listed: &HashSet<usize>) {
        let (mut good, mut bad) = (self.nodes[at].bound, self.denominator + 1);
        while bad - good > 1 {
            // The greatest one first: with it the position is no longer needed.
            let tried = if bad > self.denominator { self.denominator } else { good.midpoint(bad) };
            self.nodes[at].bound = tried;
            let holds = |other: &usize| {
                let answer = self.answer(*other, |next| listed.contains(&next));
                answer.is_some_and(|next| listed.contains(&next) || !self.asks(next))
            };
            if before.iter().all(holds) {
                good = tried;
            } else {
                bad = tried;
            }
        }
        self.nodes[at].bound = good;
    }

    /// A list that holds the player to `least` in a position, or to what the tables say of it if that is more; short, but not the shortest.
    fn hold(mut self, root: &Placement, least: u64, most: usize) -> Option<Vec<(Placement, u64)>> {
        let root = self.number(root);
        let mut list = self.closure(root, most)?;
        self.nodes[root].bound = self.nodes[root].bound.max(least);
        loop {
            let listed: HashSet<usize> = list.iter().copied().collect();
            let mut before: HashMap<usize, Vec<usize>> = HashMap::new();
            for at in &list {
                for next in self.moves(*at, 0).iter().chain(self.moves(*at, 1)) {
                    before.entry(*next).or_default().push(*at);
                }
            }
            for at in list.iter().skip(1) {
                self.relax(*at, before.get(at).map_or(&[], Vec::as_slice), &listed);
            }
            let shorter = self.closure(root, most)?;
            if shorter.len() >= list.len() {
                break;
            }
            list = shorter;
        }
        Some(list.into_iter().map(|at| (self.nodes[at].placement, self.nodes[at].bound)).collect())
    }
}

/// A number as a multiple of one over a denominator, rounded up.
fn up(number: &RBig, denominator: u64) -> u64 {
    let scaled = number * RBig::from(UBig::from(denominator));
    u64::try_from(scaled.ceil()).unwrap_or(denominator)
}

impl SmallTables {
    /// The shortest proof that is found for a position of some forces: those with the widest gaps are tried with small denominators.
    fn proof_of(&self, three: &Table, forces: Forces, shortest: &mut Option<SmallProof>) {
        let mut all = Vec::new();
        self.each(forces, &mut |placement, bounds| {
            if apart(bounds) {
                all.push((bounds[2] - bounds[1], *placement, *bounds));
            }
        });
        all.sort_by_key(|(gap, ..)| std::cmp::Reverse(*gap));
        for (_, root, [_, alpha, beta, _]) in all.into_iter().take(TRIED) {
            for denominator in DENOMINATORS {
                let most = shortest.as_ref().map_or(usize::MAX, SmallProof::len);
                let held = |player: Color, least: u64| {
                    let symmetries = [false, true].map(|pawns| symmetries(self.size(), pawns));
                    let (nodes, numbers) = (Vec::new(), HashMap::new());
                    let search = Search { tables: self, three, player, denominator, symmetries, nodes, numbers };
                    let list = search.hold(&root, least, most.saturating_mul(WORTH_A_TRY))?;
                    (list.len() < most && list[0].1 == least).then_some(list)
                };
                // What White is held to lies in the middle of the gap, and so does what Black is held to.
                let middle = u128::from(alpha.midpoint(beta)) * u128::from(denominator) / u128::from(ONE);
                let middle = u64::try_from(middle).unwrap_or_default();
                let Some(above) = held(Color::White, middle) else { continue };
                let Some(below) = held(Color::Black, denominator - middle - 1) else { continue };
                if above.len() + below.len() < most {
                    let below = below.into_iter().map(|(placement, bound)| (placement, denominator - bound)).collect();
                    *shortest = Some(SmallProof { root, denominator, above, below });
                }
            }
        }
    }

    /// The shortest proof that is found for any position of so many pieces; nothing if there is none with α < β.
    pub fn proof(&self, pieces: usize, three: &Table) -> Option<SmallProof> {
        let mut shortest = None;
        Forces::all(pieces).into_iter().rev().for_each(|forces| self.proof_of(three, forces, &mut shortest));
        shortest
    }

    /// Writes a proof as comma-separated values: positions with what α is at most and β at least, the one that is proved first.
    pub fn write_proof(&self, proof: &SmallProof, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{PROOF_COLUMNS}")?;
        let mut placements: Vec<&Placement> = proof.above.iter().map(|(placement, _)| placement).collect();
        placements.extend(proof.below.iter().map(|(placement, _)| placement));
        let mut told = HashSet::new();
        placements.retain(|placement| told.insert(**placement));
        let number = |list: &[(Placement, u64)], placement: &Placement| {
            let found = list.iter().find(|(other, _)| other == placement);
            found.map_or(String::new(), |(_, number)| format!("{number}/{}", proof.denominator))
        };
        for placement in placements {
            let (above, below) = (number(&proof.above, placement), number(&proof.below, placement));
            writeln!(out, "{},{above},{below}", self.fen(placement))?;
        }
        Ok(())
    }

    /// The position of a proof as FEN.
    pub fn proved(&self, proof: &SmallProof) -> String {
        self.fen(&proof.root)
    }
}

impl SmallProof {
    /// The number of inequalities that are to be checked.
    pub fn len(&self) -> usize {
        self.above.len() + self.below.len()
    }

    /// Tells whether nothing is to be checked.
    pub fn is_empty(&self) -> bool {
        self.above.is_empty() && self.below.is_empty()
    }
}
