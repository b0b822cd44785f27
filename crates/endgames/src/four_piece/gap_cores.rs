//! Cores: the sets of positions that cause a gap between α and β, where both sides wait.
//!
//! In each position, fix a move by White to the largest β and one by Black to the smallest α. Then β − α is at most its mean after these two moves.
//! A core is a set of positions with α < β that these moves never leave, and in which each position reaches every other. There α and β are each the
//! mean of their values after the two moves, so they are constant. Without a core there is no gap.

use std::{
    collections::{HashMap, hash_map::Entry},
    sync::Arc,
};

use super::{
    NARROW, WrongFile,
    answer::thresholds_of,
    files::{Core, FourFiles, FourPlace, WaitingMoves},
    index::FourPieceMaterial,
};
use crate::{
    board::{Color, Position, Size},
    linear_system::{OUTSIDE, components},
    move_graph::rules,
    table::Table,
};

/// Maximum number of positions visited in the search for cores.
const MOST: usize = 4000;
/// Difference below which bounds are treated as equal: 1.5 · 10⁻¹¹, in multiples of 2⁻⁶³. It only affects which positions are shown.
const SAME: i128 = (NARROW as i128) << 14;

/// A position on the way to a core.
struct Waypoint {
    position: Position,
    /// Upper bound of α and lower bound of β.
    between: [i128; 2],
}

/// A move, with the upper bound of α and the lower bound of β after it.
struct MoveBounds {
    san: String,
    position: Position,
    between: [i128; 2],
}

/// The better of two numbers for a side.
fn better(mover: Color, one: i128, other: i128) -> i128 {
    match mover {
        Color::White => one.max(other),
        Color::Black => one.min(other),
    }
}

/// Access to the tables.
struct Reader<'t> {
    table: &'t Table,
    files: &'t FourFiles,
}

impl Reader<'_> {
    /// Moves of a side. `None` if a file for one of them is missing.
    fn moves(&self, position: &Position, mover: Color) -> Result<Option<Vec<MoveBounds>>, WrongFile> {
        let (board, mut from) = (rules(Size::ORTHODOX), *position);
        from.turn = mover;
        let all = board.moves(&from);
        let mut moves = Vec::new();
        for mv in &all {
            let after = board.after(&from, *mv);
            let Some([alpha, beta]) = thresholds_of(self.table, self.files, &after)? else { return Ok(None) };
            let san = board.san_among(&from, *mv, &all);
            moves.push(MoveBounds { san, position: after, between: [alpha[1], beta[0].max(alpha[1])] });
        }
        Ok(Some(moves))
    }

    /// Position after a side's waiting move. Of the moves that are best in the opponent's threshold, the side chooses one with the largest gap,
    /// preferably to a known position.
    fn wait(
        &self,
        position: &Position,
        mover: Color,
        known: &HashMap<FourPlace, u32>,
    ) -> Result<Option<Option<Position>>, WrongFile> {
        let Some(moves) = self.moves(position, mover)? else { return Ok(None) };
        let threshold = |led: &MoveBounds| match mover {
            Color::White => led.between[1],
            Color::Black => led.between[0],
        };
        let Some(best) = moves.iter().map(threshold).reduce(|one, other| better(mover, one, other)) else {
            return Ok(Some(None));
        };
        let gap = |led: &MoveBounds| led.between[1] - led.between[0];
        let good = || moves.iter().filter(|led| (threshold(led) - best).abs() <= SAME);
        let widest = good().map(gap).max().unwrap_or_default();
        let mut found = None;
        for led in good().filter(|led| widest - gap(led) <= SAME && gap(led) > SAME) {
            let Some((place, position)) = self.files.canonical(&led.position)? else { continue };
            if known.contains_key(&place) {
                return Ok(Some(Some(position)));
            }
            found = found.or(Some(position));
        }
        Ok(Some(found))
    }

    /// Moves of a side in a position of a core.
    fn waiting(&self, node: &Waypoint, mover: Color) -> Result<Option<WaitingMoves>, WrongFile> {
        let Some(moves) = self.moves(&node.position, mover)? else { return Ok(None) };
        let same = |led: &MoveBounds| (0..2).all(|end| (led.between[end] - node.between[end]).abs() <= SAME);
        let (kept, others): (Vec<MoveBounds>, Vec<MoveBounds>) = moves.into_iter().partition(same);
        let best = |one: [i128; 2], other: [i128; 2]| [0, 1].map(|end| better(mover, one[end], other[end]));
        let others = others.iter().map(|led| led.between).reduce(best);
        Ok(Some(WaitingMoves { kept: kept.into_iter().map(|led| led.san).collect(), others }))
    }
}

impl FourFiles {
    /// Cores of the largest gap of a material, widest first. Empty if no gap is proved or the search exceeds its limit; `None` if a file is missing.
    /// Makes about ten thousand lookups and caches the result. `table` is the three-piece table of the 8x8 board.
    ///
    /// # Errors
    /// If a file cannot be used.
    pub fn cores(&self, table: &Table, pair: FourPieceMaterial) -> Result<Option<Arc<[Core]>>, WrongFile> {
        let Some(file) = self.open(pair)? else { return Ok(None) };
        if let Some(kept) = file.cores.get() {
            return Ok(Some(kept.clone()));
        }
        let found = match file.farthest {
            None => Vec::new(),
            Some((quad, _)) => {
                let position = quad.position(rules(Size::ORTHODOX), pair);
                let Some(found) = found(&Reader { table, files: self }, &position)? else { return Ok(None) };
                found
            }
        };
        Ok(Some(file.cores.get_or_init(|| found.into()).clone()))
    }
}

/// Cores reached from a position by waiting moves.
fn found(reader: &Reader<'_>, from: &Position) -> Result<Option<Vec<Core>>, WrongFile> {
    let (mut numbers, mut nodes, mut waits) = (HashMap::new(), Vec::new(), Vec::new());
    let number = |position: Position, numbers: &mut HashMap<FourPlace, u32>, nodes: &mut Vec<Waypoint>| {
        let Some((place, position)) = reader.files.canonical(&position)? else { return Ok::<_, WrongFile>(None) };
        Ok(match numbers.entry(place) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(free) => {
                let Some([alpha, beta]) = reader.files.bounds(&position)? else { return Ok(None) };
                let number = nodes.len() as u32;
                nodes.push(Waypoint { position, between: [alpha[1], beta[0]] });
                Some(*free.insert(number))
            }
        })
    };
    if number(*from, &mut numbers, &mut nodes)?.is_none() {
        return Ok(None);
    }
    while waits.len() < nodes.len() {
        if nodes.len() > MOST {
            return Ok(Some(Vec::new()));
        }
        let position = nodes[waits.len()].position;
        let mut next = [OUTSIDE; 2];
        for mover in Color::BOTH {
            let Some(wait) = reader.wait(&position, mover, &numbers)? else { return Ok(None) };
            if let Some(wait) = wait {
                let Some(known) = number(wait, &mut numbers, &mut nodes)? else { return Ok(None) };
                next[mover.index()] = known;
            }
        }
        waits.push(next);
    }
    let mut closed: Vec<(u32, usize)> = Vec::new();
    components(&waits, |own| {
        let inside = |next: &u32| own.contains(next);
        if own.iter().all(|node| waits[*node as usize].iter().all(inside)) {
            closed.extend(own.iter().min().map(|first| (*first, own.len())));
        }
    });
    let mut cores = Vec::new();
    for (first, positions) in closed {
        let node = &nodes[first as usize];
        let (white, black) = (reader.waiting(node, Color::White)?, reader.waiting(node, Color::Black)?);
        let (Some(white), Some(black)) = (white, black) else { return Ok(None) };
        let Some((place, _)) = reader.files.canonical(&node.position)? else { return Ok(None) };
        let [alpha, beta] = node.between;
        cores.push(Core { pair: place.0, position: node.position, alpha, beta, positions, waits: [white, black] });
    }
    cores.sort_by_key(|core| (core.alpha - core.beta, core.positions));
    Ok(Some(cores))
}
