//! A nearly gapless numbering of the placements of one material on a board.
//!
//! Symmetries of the board move White's king to one of few squares. Black's king is on any other square. Then come the pawns of each side, as a
//! choice among the squares of the inner ranks, and the other pieces by type and colour, each group as a choice among the free squares. A symmetry
//! class has the smallest number of its placements.

use super::placement::{PAWNS, PieceCounts, Placement, Symmetry, each, symmetries};
use crate::board::{Color, Size};

/// Pieces of one type and colour.
struct Group {
    color: Color,
    kind: usize,
    count: usize,
    /// Number of ways to place them.
    ways: usize,
}

/// Numbering of one material.
pub(super) struct Numbering {
    pub(super) size: Size,
    pub(super) forces: PieceCounts,
    squares: usize,
    symmetries: Vec<Symmetry>,
    /// By square of White's king, the symmetries that move it to its canonical square.
    turns: Vec<Vec<usize>>,
    /// Canonical squares of White's king, and by square the number of its canonical square.
    kings: Vec<usize>,
    slots: Vec<usize>,
    groups: Vec<Group>,
    /// Number of indexes for one en passant right, or for none.
    plain: usize,
    /// Possible en passant squares; empty unless both sides have pawns.
    over: Vec<u8>,
}

/// Number of ways to choose `count` of `of` things.
fn choices(of: usize, count: usize) -> usize {
    (0..count).fold(1, |ways, at| ways * of.saturating_sub(at) / (at + 1))
}

/// Number of a set among all sets of its size.
fn number(set: u64) -> usize {
    each(set).enumerate().map(|(at, member)| choices(member, at + 1)).sum()
}

/// The set of a given number and size.
fn members(mut number: usize, count: usize) -> u64 {
    (0..count).rev().fold(0, |set, at| {
        let member = (at..).take_while(|member| choices(*member, at + 1) <= number).last().unwrap_or(at);
        number -= choices(member, at + 1);
        set | 1 << member
    })
}

/// Renumbers the members of a set, skipping the members of `without`.
fn squeezed(set: u64, without: u64) -> u64 {
    each(set).fold(0, |squeezed, at| squeezed | 1 << (at as u32 - (without & ((1 << at) - 1)).count_ones()))
}

/// Inverse of [`squeezed`].
fn spread(set: u64, without: u64) -> u64 {
    let mut free = (0..64).filter(|at| without >> at & 1 == 0);
    let mut passed = 0;
    each(set).fold(0, |spread, at| {
        let square = free.nth(at - passed).unwrap_or_default();
        passed = at + 1;
        spread | 1 << square
    })
}

impl Numbering {
    pub(super) fn new(size: Size, forces: PieceCounts) -> Numbering {
        let (width, height) = (usize::from(size.width()), usize::from(size.height()));
        let squares = width * height;
        let symmetries = symmetries(size, forces.pawns() > 0);
        let image = |turn: &Symmetry, at: usize| usize::from(turn[at]);
        let least: Vec<usize> =
            (0..squares).map(|at| symmetries.iter().map(|turn| image(turn, at)).min().unwrap_or(at)).collect();
        let turns =
            |at: usize| (0..symmetries.len()).filter(|turn| image(&symmetries[*turn], at) == least[at]).collect();
        let turns = (0..squares).map(turns).collect();
        let kings: Vec<usize> = (0..squares).filter(|at| least[*at] == *at).collect();
        let slots = least.iter().map(|at| kings.partition_point(|king| king < at)).collect();
        let mut groups = Vec::new();
        let mut taken = 2;
        let kinds = std::iter::once(PAWNS).chain(0..PAWNS);
        for (kind, color) in kinds.flat_map(|kind| Color::BOTH.map(|color| (kind, color))) {
            let count = forces.of(color, kind);
            if count > 0 {
                let among = if kind == PAWNS { squares - 2 * width } else { squares.saturating_sub(taken) };
                groups.push(Group { color, kind, count, ways: choices(among, count) });
                taken += count;
            }
        }
        let plain = groups.iter().fold(kings.len() * (squares - 1), |all, group| all * group.ways);
        let over = if forces.passes() && height >= 5 {
            let ranks = if height == 5 { vec![2] } else { vec![2, height - 3] };
            ranks.into_iter().flat_map(|rank| (0..width).map(move |file| (rank * width + file) as u8)).collect()
        } else {
            Vec::new()
        };
        Numbering { size, forces, squares, symmetries, turns, kings, slots, groups, plain, over }
    }

    /// Number of indexes.
    pub(super) fn len(&self) -> usize {
        self.plain * (1 + self.over.len())
    }

    /// Images of a placement in which White's king is on its canonical square.
    fn images(&self, placement: &Placement) -> impl Iterator<Item = Placement> {
        let turns = placement.king(Color::White).map_or(&[][..], |king| &self.turns[king]);
        turns.iter().map(|turn| placement.turned(&self.symmetries[*turn]))
    }

    /// Index of a placement of this material. All its images have the same index.
    pub(super) fn place(&self, placement: &Placement) -> usize {
        self.images(placement).map(|image| self.own(&image)).min().unwrap_or_default()
    }

    fn own(&self, placement: &Placement) -> usize {
        let [king, bare] = Color::BOTH.map(|color| placement.king(color).unwrap_or_default());
        let mut taken = 1_u64 << king | 1 << bare;
        let mut place = self.slots[king] * (self.squares - 1) + bare - usize::from(bare > king);
        for group in &self.groups {
            let set = placement.of(group.color, group.kind);
            let free = if group.kind == PAWNS { set >> self.size.width() } else { squeezed(set, taken) };
            place = place * group.ways + number(free);
            taken |= set;
        }
        match placement.passing {
            None => place,
            Some(over) => {
                place + self.plain * (1 + self.over.iter().position(|square| *square == over).unwrap_or_default())
            }
        }
    }

    /// Placement at an index. `None` if there is none, or if one of its images has a smaller index.
    pub(super) fn placement(&self, place: usize) -> Option<Placement> {
        let mut rest = place % self.plain;
        let mut digits = Vec::with_capacity(self.groups.len());
        for group in self.groups.iter().rev() {
            digits.push(rest % group.ways);
            rest /= group.ways;
        }
        let king = self.kings[rest / (self.squares - 1)];
        let bare = rest % (self.squares - 1);
        let bare = bare + usize::from(bare >= king);
        let mut placement = Placement::EMPTY;
        placement.put_king(Color::White, king);
        placement.put_king(Color::Black, bare);
        for (group, digit) in self.groups.iter().zip(digits.into_iter().rev()) {
            let set = members(digit, group.count);
            let taken = placement.occupied();
            let set = if group.kind == PAWNS { set << self.size.width() } else { spread(set, taken) };
            if set & taken != 0 {
                return None;
            }
            placement.put(group.color, group.kind, set);
        }
        if let Some(right) = (place / self.plain).checked_sub(1) {
            let over = self.over[right];
            placement.passing = Some(over);
            if !Color::BOTH.into_iter().any(|stepped| self.passed(&placement, stepped, usize::from(over))) {
                return None;
            }
        }
        (self.place(&placement) == place).then_some(placement)
    }

    /// Returns whether a pawn of `stepped` can just have made a double step over a square, with an opposing pawn next to it.
    fn passed(&self, placement: &Placement, stepped: Color, over: usize) -> bool {
        let width = usize::from(self.size.width());
        if over / width != usize::from(self.size.rank_of(stepped, 2)) {
            return false;
        }
        let (from, to) = match stepped {
            Color::White => (over - width, over + width),
            Color::Black => (over + width, over - width),
        };
        let (file, others) = (to % width, placement.of(!stepped, PAWNS));
        let beside = file > 0 && others >> (to - 1) & 1 == 1 || file + 1 < width && others >> (to + 1) & 1 == 1;
        let clear = placement.occupied() & (1 << over | 1 << from) == 0;
        clear && beside && placement.of(stepped, PAWNS) >> to & 1 == 1
    }
}
