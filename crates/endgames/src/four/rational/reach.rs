//! The positions that are reached from one by moves that may be the best.

use std::collections::HashMap;

use dashu_ratio::RBig;

use crate::{
    Stop,
    answer::worth,
    board::{Color, Position, Size},
    four::{
        NARROW,
        columns::WrongFile,
        files::{FourFiles, FourPlace},
        outside,
    },
    graph::rules,
    table::Table,
};

/// The threshold that is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Threshold {
    Alpha,
    Beta,
}

/// Where a move leads.
#[derive(Clone, Debug)]
pub(super) enum LeadsTo {
    /// To a position that is followed, by its number.
    Reached(u32),
    /// To a known value.
    Known(RBig),
}

/// A position that is followed.
pub(super) struct Node {
    position: Position,
    pub(super) bounds: [i128; 2],
    /// Of White and of Black, the moves that may be the best.
    pub(super) moves: [Vec<LeadsTo>; 2],
}

/// What is reached from a position.
pub(super) struct Reach<'t> {
    table: &'t Table,
    files: &'t FourFiles,
    threshold: Threshold,
    numbers: HashMap<FourPlace, u32>,
    known: HashMap<FourPlace, [i128; 2]>,
    pub(super) nodes: Vec<Node>,
    /// Some position's bounds are so wide that α and β differ there.
    pub(super) wide: bool,
}

impl<'t> Reach<'t> {
    /// Nothing yet.
    pub(super) fn new(table: &'t Table, files: &'t FourFiles, threshold: Threshold) -> Self {
        Reach {
            table,
            files,
            threshold,
            numbers: HashMap::new(),
            known: HashMap::new(),
            nodes: Vec::new(),
            wide: false,
        }
    }

    /// The bounds of the threshold in a position of four pieces.
    fn bounds(&mut self, key: FourPlace, position: &Position) -> Result<Option<[i128; 2]>, WrongFile> {
        if let Some(known) = self.known.get(&key) {
            return Ok(Some(*known));
        }
        let Some([alpha, beta]) = self.files.bounds(position)? else { return Ok(None) };
        self.wide |= beta[1] - alpha[0] > i128::from(NARROW);
        let bounds = match self.threshold {
            Threshold::Alpha => alpha,
            Threshold::Beta => beta,
        };
        self.known.insert(key, bounds);
        Ok(Some(bounds))
    }

    /// Follows a position and all that it leads to; none if that is too much, if something is not known, or if `stop` says so.
    pub(super) fn follow(&mut self, from: &Position, limit: usize, stop: Stop) -> Result<Option<()>, WrongFile> {
        let Some((key, position)) = self.files.same(from)? else { return Ok(None) };
        if self.add(key, position)?.is_none() {
            return Ok(None);
        }
        let mut next = 0;
        while next < self.nodes.len() {
            if self.nodes.len() > limit || stop() {
                return Ok(None);
            }
            for mover in Color::BOTH {
                let Some(moves) = self.moves(next, mover)? else { return Ok(None) };
                self.nodes[next].moves[mover.index()] = moves;
            }
            next += 1;
        }
        Ok(Some(()))
    }

    fn add(&mut self, key: FourPlace, position: Position) -> Result<Option<u32>, WrongFile> {
        if let Some(number) = self.numbers.get(&key) {
            return Ok(Some(*number));
        }
        let Some(bounds) = self.bounds(key, &position)? else { return Ok(None) };
        let number = self.nodes.len() as u32;
        self.numbers.insert(key, number);
        self.nodes.push(Node { position, bounds, moves: [Vec::new(), Vec::new()] });
        Ok(Some(number))
    }

    /// Where the moves of a side lead that may be the best.
    fn moves(&mut self, at: usize, mover: Color) -> Result<Option<Vec<LeadsTo>>, WrongFile> {
        enum Followed {
            Four(FourPlace, Position),
            Known(RBig),
        }
        let (board, mut from) = (rules(Size::ORTHODOX), self.nodes[at].position);
        from.turn = mover;
        let mut found: Vec<(Followed, [i128; 2])> = Vec::new();
        for mv in board.moves(&from) {
            let after = board.after(&from, mv);
            if let Some(worth) = worth(self.table, Size::ORTHODOX, &after) {
                let exact = self.table.exact(worth);
                let bounds = outside::rounded(&exact).map(i128::from);
                found.push((Followed::Known(exact), bounds));
            } else {
                let Some((key, position)) = self.files.same(&after)? else { return Ok(None) };
                let Some(bounds) = self.bounds(key, &position)? else { return Ok(None) };
                found.push((Followed::Four(key, position), bounds));
            }
        }
        let all = || found.iter().map(|(_, bounds)| bounds);
        let (least, most) = match mover {
            Color::White => (all().map(|bounds| bounds[0]).max(), None),
            Color::Black => (None, all().map(|bounds| bounds[1]).min()),
        };
        found.retain(|(_, bounds)| {
            least.is_none_or(|least| bounds[1] >= least) && most.is_none_or(|most| bounds[0] <= most)
        });
        let mut leads = Vec::new();
        for (found, _) in found {
            leads.push(match found {
                Followed::Known(value) => LeadsTo::Known(value),
                Followed::Four(key, position) => match self.add(key, position)? {
                    Some(number) => LeadsTo::Reached(number),
                    None => return Ok(None),
                },
            });
        }
        Ok(Some(leads))
    }
}
