//! Search tree of duck chess. A turn is two moves of one side: a piece's and the duck's. The search tries only the duck squares
//! that block the opponent's most valuable captures.

use super::{
    chess_tree::{ChessNode, ChessTree},
    game_tree::{OrderedMove, SLOTS, Tree, WON},
    search::{Search, SearchLimits},
};
use crate::{
    board::{Move, Square, Squares},
    rules::search_problem::BoardProblem,
};

/// Number of duck squares to try.
const SQUARES: usize = 5;
/// Value of a duck square that blocks a quiet move.
const STEP: i32 = 2;
/// First slot of duck moves, after all others.
const DUCKS: usize = SLOTS - 64;

/// A problem with its chess tree.
struct DuckTree<'b> {
    contest: &'b BoardProblem,
    arena: ChessTree<'b>,
}

/// A node of the search. If `due`, the previous mover must still move the duck.
#[derive(Clone, Copy)]
struct HalfTurn {
    at: ChessNode,
    due: bool,
}

/// One part of a turn.
#[derive(Clone, Copy, PartialEq)]
enum HalfMove {
    Unit(Move),
    Duck(Square),
}

/// Finds the best turn. Returns its text and its score for the side that plays it.
pub(super) fn turn(
    contest: &BoardProblem,
    effort: SearchLimits,
    enough: &mut dyn FnMut() -> bool,
) -> Option<(String, i32)> {
    let (arena, at, before) = ChessTree::of(contest);
    let pond = DuckTree { contest, arena };
    let now = HalfTurn { at, due: false };
    let mut search = Search::new(&pond, effort, before, enough);
    let found = search.rated(&now)?;
    let HalfMove::Unit(mv) = found.mv else { return None };
    let text = contest.board.uci(mv).to_string();
    let half = pond.after(&now, &found.mv);
    if pond.verdict(&half).is_some() {
        return Some((text, found.score));
    }
    let known = search.remembered(&half);
    let first = || pond.ducks(&half).first().map(|ranked| ranked.mv);
    match known.or_else(first) {
        Some(HalfMove::Duck(square)) => Some((format!("{text} {square}"), found.score)),
        Some(HalfMove::Unit(_)) | None => None,
    }
}

impl DuckTree<'_> {
    /// The best duck squares, best first, ranked by the captures that they block.
    fn ducks(&self, moment: &HalfTurn) -> Vec<OrderedMove<HalfMove>> {
        let board = &self.contest.board;
        let room = board.size().squares() & !moment.at.position.occupied();
        let mut free = moment.at;
        free.position.duck = Squares::EMPTY;
        let position = &free.position;
        let mut worths = [0i32; 64];
        for mv in board.pseudo_moves(position) {
            let taken = board.captured(position, mv);
            let gain = match taken {
                Some((square, _)) => self.arena.taking(&free, mv, square),
                None => STEP + self.arena.gain(&free, mv),
            };
            let stops = if taken.is_some() { between(mv.from, mv.to) } else { between(mv.from, mv.to) | mv.to.set() };
            for square in stops & room {
                worths[square.index()] += gain;
            }
        }
        let mut squares: Vec<Square> = room.collect();
        squares.sort_by_key(|square| (-worths[square.index()], square.index()));
        squares.truncate(SQUARES);
        let ranked = |square: Square| OrderedMove { mv: HalfMove::Duck(square), gain: 0, rank: worths[square.index()] };
        squares.into_iter().map(ranked).collect()
    }
}

/// The squares between two squares on a line; none if they are not on one.
fn between(from: Square, to: Square) -> Squares {
    let (x, y) = (i32::from(to.file()) - i32::from(from.file()), i32::from(to.rank()) - i32::from(from.rank()));
    if x != 0 && y != 0 && x.abs() != y.abs() {
        return Squares::EMPTY;
    }
    let step = 8 * y.signum() + x.signum();
    (1..x.abs().max(y.abs())).map(|far| Square::at((from.index() as i32 + far * step) as usize)).collect()
}

impl Tree for DuckTree<'_> {
    type Node = HalfTurn;
    type Move = HalfMove;

    fn key(&self, moment: &HalfTurn) -> u64 {
        self.arena.key(&moment.at) ^ if moment.due { 0x9e37_79b9_7f4a_7c15 } else { 0 }
    }

    fn side(&self, moment: &HalfTurn) -> usize {
        let turn = moment.at.position.turn;
        if moment.due { (!turn).index() } else { turn.index() }
    }

    fn verdict(&self, moment: &HalfTurn) -> Option<i32> {
        let verdict = self.arena.verdict(&moment.at);
        if moment.due { verdict.map(|score| -score) } else { verdict }
    }

    fn moves(&self, moment: &HalfTurn, loud: bool, moves: &mut Vec<OrderedMove<HalfMove>>) {
        if moment.due {
            // Deep in quiescence the evaluation is enough, as every duck square would be followed by more captures.
            if !loud {
                moves.extend(self.ducks(moment));
            }
            return;
        }
        let mut units = Vec::with_capacity(48);
        self.arena.moves(&moment.at, loud, &mut units);
        let part = |OrderedMove { mv, gain, rank }| OrderedMove { mv: HalfMove::Unit(mv), gain, rank };
        moves.extend(units.into_iter().map(part));
    }

    fn after(&self, moment: &HalfTurn, part: &HalfMove) -> HalfTurn {
        match part {
            HalfMove::Unit(mv) => HalfTurn { at: self.arena.after(&moment.at, mv), due: true },
            HalfMove::Duck(square) => {
                let mut at = moment.at;
                at.position.duck = square.set();
                HalfTurn { at, due: false }
            }
        }
    }

    /// A side without a move wins.
    fn stuck(&self, _moment: &HalfTurn) -> i32 {
        WON
    }

    fn estimate(&self, moment: &HalfTurn) -> i32 {
        let estimate = self.arena.estimate(&moment.at);
        if moment.due { -estimate } else { estimate }
    }

    /// The duck must move in any case.
    fn pressed(&self, moment: &HalfTurn) -> bool {
        moment.due || self.arena.pressed(&moment.at)
    }

    fn threatens(&self, moment: &HalfTurn, part: &HalfMove) -> bool {
        match part {
            HalfMove::Unit(mv) => self.arena.threatens(&moment.at, mv),
            HalfMove::Duck(_) => false,
        }
    }

    fn pass(&self, moment: &HalfTurn) -> Option<HalfTurn> {
        let passed = self.arena.pass(&moment.at).filter(|_| !moment.due)?;
        Some(HalfTurn { at: passed, due: false })
    }

    fn slot(&self, part: &HalfMove) -> usize {
        match part {
            HalfMove::Unit(mv) => self.arena.slot(mv),
            HalfMove::Duck(square) => DUCKS + square.index(),
        }
    }
}
