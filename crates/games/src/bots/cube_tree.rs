//! Search tree of Raumschach. A piece is worth its type's value, plus a little for the cells that it reaches on an empty cube.

use std::sync::LazyLock;

use super::game_tree::{OrderedMove, SLOTS, Tree, WON};
use crate::{
    board::{
        Color,
        cube::{CubeCell, CubeKind, CubeMove, CubePiece, CubePosition},
    },
    rules::search_problem::CubeProblem,
};

/// Value of each cell that a piece reaches.
const REACH: i32 = 4;
/// Value of a pawn step towards the far edge.
const STEP: i32 = 12;
/// Value of being to move.
const TEMPO: i32 = 10;

/// Value of each white piece type on each cell.
static PLACES: LazyLock<[Vec<i32>; CubeKind::ALL.len()]> = LazyLock::new(|| {
    CubeKind::ALL.map(|kind| {
        CubeCell::all().map(|cell| i32::try_from(kind.worth()).unwrap_or(i32::MAX) + place(kind, cell)).collect()
    })
});

/// Value of a cell for a white piece type.
fn place(kind: CubeKind, cell: CubeCell) -> i32 {
    match kind {
        CubeKind::Pawn => STEP * i32::from(cell.level() + cell.rank()),
        CubeKind::King => -REACH * kind.reach(cell) as i32,
        CubeKind::Knight | CubeKind::Bishop | CubeKind::Unicorn | CubeKind::Rook | CubeKind::Queen => {
            REACH * kind.reach(cell) as i32
        }
    }
}

/// The mirrored cell, which is to Black as this cell is to White.
fn turned(cell: CubeCell) -> CubeCell {
    CubeCell::new(4 - cell.level(), cell.file(), 4 - cell.rank())
}

fn worth(cell: CubeCell, piece: CubePiece) -> i32 {
    let seen = if piece.color == Color::White { cell } else { turned(cell) };
    PLACES[piece.kind as usize][seen.index()]
}

fn value(kind: CubeKind) -> i32 {
    i32::try_from(kind.worth()).unwrap_or(i32::MAX)
}

/// The search tree.
pub(super) struct CubeTree;

impl CubeTree {
    /// The tree of a problem, with the keys of the positions that could be repeated.
    pub(super) fn of(cube: &CubeProblem) -> (CubeTree, Vec<u64>) {
        (CubeTree, cube.before.iter().map(CubePosition::key).collect())
    }

    fn ranked(position: &CubePosition, mv: CubeMove) -> OrderedMove<CubeMove> {
        let captured = position.piece(mv.to).map_or(0, |piece| value(piece.kind));
        let gain = captured + mv.promotion.map_or(0, |kind| value(kind) - value(CubeKind::Pawn));
        if gain <= 0 {
            return OrderedMove { mv, gain: 0, rank: 0 };
        }
        let own = position.piece(mv.from).map_or(0, |piece| value(piece.kind));
        let guarded = || position.attacked(!position.turn, mv.to);
        let rank = if own > gain + 60 && guarded() { gain - own } else { gain * 8 - own / 8 };
        OrderedMove { mv, gain, rank }
    }
}

impl Tree for CubeTree {
    type Node = CubePosition;
    type Move = CubeMove;

    fn key(&self, position: &CubePosition) -> u64 {
        position.key()
    }

    fn side(&self, position: &CubePosition) -> usize {
        position.turn.index()
    }

    fn verdict(&self, position: &CubePosition) -> Option<i32> {
        let bare = Color::BOTH.into_iter().all(|color| position.bare(color));
        (bare || position.halfmove >= 100).then_some(0)
    }

    fn moves(&self, position: &CubePosition, loud: bool, ranked: &mut Vec<OrderedMove<CubeMove>>) {
        let moves = if loud { position.captures() } else { position.moves() };
        ranked.extend(moves.into_iter().map(|mv| CubeTree::ranked(position, mv)));
    }

    fn after(&self, position: &CubePosition, mv: &CubeMove) -> CubePosition {
        position.after(*mv)
    }

    fn stuck(&self, position: &CubePosition) -> i32 {
        if position.in_check(position.turn) { -WON } else { 0 }
    }

    fn estimate(&self, position: &CubePosition) -> i32 {
        let lead: i32 = position
            .pieces()
            .map(|(cell, piece)| if piece.color == position.turn { worth(cell, piece) } else { -worth(cell, piece) })
            .sum();
        TEMPO + lead
    }

    fn pressed(&self, position: &CubePosition) -> bool {
        position.in_check(position.turn)
    }

    fn pass(&self, position: &CubePosition) -> Option<CubePosition> {
        let us = position.turn;
        let officer = |cell: CubeCell| {
            position
                .piece(cell)
                .is_some_and(|piece| !matches!(piece.kind, CubeKind::Pawn | CubeKind::King | CubeKind::Unicorn))
        };
        position.of(us).any(officer).then(|| position.passed())
    }

    fn slot(&self, mv: &CubeMove) -> usize {
        (mv.from.index() * 125 + mv.to.index()) % SLOTS
    }
}
