//! Chances where a fair coin names every mover (Payne & Robeva, “Artificial intelligence for Bidding Hex”, show that the same values tell what
//! to bid): half of what White's best move leads to, and half of what Black's does.
//!
//! The chance at first sight depends on which side is nearer to capturing the other's king; the rest hardly matters. Its weights are those of
//! a logistic regression of who won 100,000 games of random-turn chess between bots that looked one ply ahead.

use std::collections::HashMap;

use super::{mobility_evaluation::Scale, search::SearchLimits, transposition::key};
use crate::{
    board::{Board, Color, Move, Position, Special, Square, Squares},
    rules::auction_game::Base,
};

/// The lead of an army without a king, or of who has less to lose, that brings the chances from even to about seven in ten, in hundredths
/// of a pawn.
const LEAD: f64 = 700.0;
/// The worth of a step of the king towards the squares that win.
const STEP: i32 = 60;
/// The burden of a unit where everything is to be lost.
const BURDEN: i32 = 150;
/// The moves of either side that are followed, by the plies that are still looked ahead; the first looks at none.
const WIDTH: [usize; 5] = [0, 64, 10, 4, 3];
/// The moves that are followed at the root, by the plies that are looked ahead behind them.
const ROOTS: [usize; 5] = [usize::MAX, usize::MAX, 14, 8, 6];
/// The most positions that are remembered.
const REMEMBERED: usize = 200_000;
/// So many positions are looked at between two questions whether it is enough.
const BETWEEN: u64 = 64;

/// A move with White's chance after it.
pub(super) struct RatedMove {
    pub(super) mv: Move,
    chance: f64,
    /// What the level takes the chance for.
    taken: f64,
}

/// The moves of both sides.
pub(super) struct MovesByColor {
    /// White's, then Black's; what the level takes for the best of its side comes first.
    pub(super) moves: [Vec<RatedMove>; 2],
    /// White's chance after the best move of each; where a side has none, as it stands. The best of many moves that are misjudged is taken for much
    /// better than it is: so what a level misjudges is not in these, and bids say no more than what it sees.
    pub(super) best: [f64; 2],
}

/// A search in progress.
pub(super) struct Toss<'a> {
    base: Base,
    board: &'static Board,
    scale: Scale,
    effort: SearchLimits,
    /// The most by which the odds of a move are taken to be off, in hundredths of a pawn.
    misjudged: i32,
    enough: &'a mut dyn FnMut() -> bool,
    nodes: u64,
    most: u64,
    stopped: bool,
    seen: HashMap<(u64, usize), f64>,
}

impl<'a> Toss<'a> {
    /// A search in a game by who misjudges moves by so much, in hundredths of a pawn.
    pub(super) fn new(base: Base, effort: SearchLimits, misjudged: i32, enough: &'a mut dyn FnMut() -> bool) -> Self {
        let (board, seen, scale) = (base.board(), HashMap::new(), Scale::of(base.board()));
        Toss { base, board, scale, effort, misjudged, enough, nodes: 0, most: u64::MAX, stopped: false, seen }
    }

    /// Looks at the moves of some sides, deeper and deeper; those of another are seen as they are at first sight.
    pub(super) fn look(&mut self, position: &Position, sides: &[Color]) -> MovesByColor {
        self.most = self.effort.nodes.saturating_mul(sides.len() as u64);
        let stands = self.leaf(position);
        let mut moves = Color::BOTH.map(|color| {
            let own = turned(position, color);
            let moves = self.moves(position, color).into_iter();
            let mut rated: Vec<RatedMove> =
                moves.map(|(mv, chance)| self.rated(mv, &self.board.after(&own, mv), chance)).collect();
            sort(&mut rated, color, |rated| rated.taken);
            rated
        });
        let deepest = self.effort.depth.clamp(1, WIDTH.len() as i32) as usize;
        for (depth, roots) in ROOTS.into_iter().enumerate().take(deepest).skip(1) {
            let deeper = Color::BOTH.map(|color| {
                let some = if sides.contains(&color) { roots } else { 0 };
                self.deeper(position, color, &moves[color.index()], some, depth)
            });
            // Moves of two sides are compared only if both have been looked at as deeply.
            if !self.stopped || sides.len() == 1 {
                for (list, (color, mut deeper)) in moves.iter_mut().zip(Color::BOTH.into_iter().zip(deeper)) {
                    if !deeper.is_empty() {
                        sort(&mut deeper, color, |rated| rated.taken);
                        *list = deeper;
                    }
                }
            }
            if self.stopped {
                break;
            }
        }
        let idle = |color: Color| if self.base.loses() { won(color) } else { stands };
        let best = Color::BOTH.map(|color| {
            let chances = moves[color.index()].iter().map(|rated| rated.chance);
            extreme(chances, color).unwrap_or_else(|| idle(color))
        });
        MovesByColor { moves, best }
    }

    /// The first of these moves looked at so deep, as many of them as there is time for.
    fn deeper(
        &mut self,
        position: &Position,
        color: Color,
        moves: &[RatedMove],
        some: usize,
        depth: usize,
    ) -> Vec<RatedMove> {
        let mut deeper = Vec::new();
        for RatedMove { mv, .. } in moves.iter().take(some) {
            let after = self.board.after(&turned(position, color), *mv);
            let chance = self.chance(&after, depth);
            if self.stopped {
                break;
            }
            deeper.push(self.rated(*mv, &after, chance));
        }
        deeper
    }

    /// A move with a chance, and with what the bot takes that for, which is off by what its level misjudges; it always sees when all is decided.
    fn rated(&self, mv: Move, after: &Position, chance: f64) -> RatedMove {
        let taken = if chance <= 0.0 || chance >= 1.0 {
            chance
        } else {
            let off = self.effort.off(key(after), self.misjudged);
            logistic(log_odds(chance) + f64::from(off) / LEAD)
        };
        RatedMove { mv, chance, taken }
    }

    /// Tells whether a side could win with a move: take the other's king, or bring its own to a square that wins.
    pub(super) fn strikes(&self, position: &Position, color: Color) -> bool {
        let king = self.board.royals(position, !color).first();
        let takes = king.is_some_and(|king| self.board.attacked(position, color, king));
        takes || self.far(position, color).is_some_and(|far| far <= 1)
    }

    /// The steps of a side's king to the squares that win, where there are such.
    fn far(&self, position: &Position, color: Color) -> Option<i32> {
        let king = self.board.royals(position, color).only().filter(|_| !self.base.goal().is_empty())?;
        let far = |goal: Square| goal.file().abs_diff(king.file()).max(goal.rank().abs_diff(king.rank()));
        self.base.goal().filter(|goal| !position.of(color).has(*goal)).map(far).min().map(i32::from)
    }

    /// White's lead, in hundredths of a pawn.
    fn lead(&self, position: &Position) -> i32 {
        if self.base.loses() {
            let [white, black] = Color::BOTH.map(|color| position.of(color).len() as i32);
            return BURDEN * (black - white);
        }
        let [white, black] = Color::BOTH.map(|color| {
            let held = position.holdings(color).map(|(kind, count)| self.scale.value(kind) * i32::from(count));
            held.sum::<i32>() - STEP * self.far(position, color).unwrap_or(0)
        });
        self.scale.lead(self.board, position) + white - black
    }

    /// The moves of a side, each with White's chance at first sight.
    fn moves(&mut self, position: &Position, color: Color) -> Vec<(Move, f64)> {
        let own = turned(position, color);
        let moves = self.board.moves(&own);
        let kings = self.board.royals(position, !color);
        if let Some(mv) = moves.iter().find(|mv| kings.has(mv.to) && mv.special != Special::Castle) {
            return vec![(*mv, won(color))];
        }
        let mut rated: Vec<(Move, f64)> =
            moves.into_iter().map(|mv| (mv, self.leaf(&self.board.after(&own, mv)))).collect();
        sort(&mut rated, color, |(_, chance)| *chance);
        rated
    }

    /// White's chance in a position, looked at so deep.
    fn chance(&mut self, position: &Position, depth: usize) -> f64 {
        if let Some((winner, _)) = self.base.winner(position) {
            return won(winner);
        }
        let place = (key(&turned(position, Color::White)), depth);
        if let Some(known) = self.seen.get(&place) {
            return *known;
        }
        if self.stopped {
            return self.leaf(position);
        }
        let best = Color::BOTH.map(|color| {
            let moves = self.moves(position, color);
            if depth < 2 {
                return moves.first().map(|(_, chance)| *chance);
            }
            let deeper = moves.into_iter().take(WIDTH[depth.min(WIDTH.len() - 1)]).map(|(mv, _)| {
                let after = self.board.after(&turned(position, color), mv);
                self.chance(&after, depth - 1)
            });
            extreme(deeper, color)
        });
        let stands = if best.contains(&None) { self.leaf(position) } else { 0.0 };
        let idle = |color: Color| if self.base.loses() { won(color) } else { stands };
        let chance =
            Color::BOTH.map(|color| best[color.index()].unwrap_or_else(|| idle(color))).iter().sum::<f64>() / 2.0;
        if self.seen.len() < REMEMBERED && !self.stopped {
            self.seen.insert(place, chance);
        }
        chance
    }

    /// White's chance at first sight.
    fn leaf(&mut self, position: &Position) -> f64 {
        self.nodes += 1;
        if self.nodes >= self.most || (self.nodes.is_multiple_of(BETWEEN) && (self.enough)()) {
            self.stopped = true;
        }
        if let Some((winner, _)) = self.base.winner(position) {
            return won(winner);
        }
        let lead = || f64::from(self.lead(position)) / LEAD;
        if self.base.loses() {
            return logistic(lead());
        }
        // Where a side has no king, all of it is to be captured.
        let army = Color::BOTH.into_iter().any(|color| self.board.royals(position, color).is_empty());
        let army = if army { lead() } else { 0.0 };
        let steps = Color::BOTH.map(|color| self.far(position, color));
        estimate(self.board, &self.scale, position, steps, army)
    }
}

/// White's chance once a side has taken the king.
fn won(color: Color) -> f64 {
    if color == Color::White { 1.0 } else { 0.0 }
}

/// White's best chance, if it is White's to choose, or his worst.
fn extreme(chances: impl Iterator<Item = f64>, color: Color) -> Option<f64> {
    match color {
        Color::White => chances.reduce(f64::max),
        Color::Black => chances.reduce(f64::min),
    }
}

/// The best for a side first, by what is taken for White's chance after each.
fn sort<M>(moves: &mut [M], color: Color, chance: impl Fn(&M) -> f64) {
    match color {
        Color::White => moves.sort_by(|a, b| chance(b).total_cmp(&chance(a))),
        Color::Black => moves.sort_by(|a, b| chance(a).total_cmp(&chance(b))),
    }
}

/// A position with this side to move.
fn turned(position: &Position, turn: Color) -> Position {
    let mut other = *position;
    other.turn = turn;
    other
}

/// Every piece that could attack the king with its next move.
const NEAR: f64 = 0.24;
/// That there is such a piece.
const ANY_NEAR: f64 = 0.29;
/// The logarithm of one more than the moves with which they could, onto squares that the other side does not attack.
const SAFE: f64 = 0.16;
/// The logarithm of one more than the other pieces that could with the move after.
const FAR: f64 = 0.28;
/// Every square from which one of its pieces, if it stood there, would attack the king.
const LINES: f64 = 0.01;
/// A pawn's worth of material.
const MATERIAL: f64 = 0.02;

/// That a side could capture the king. These are the weights of its chances if the coin names the other side.
const STRIKES: f64 = 0.45;
/// That only one piece could, and the other side attacks that.
const STRIKER_ATTACKED: f64 = -0.46;
/// Every other piece that is near.
const STRIKES_NEAR: f64 = 0.45;
/// The logarithm of one more than those that could be near after a move.
const STRIKES_FAR: f64 = 0.40;
/// That the other side has a piece that is near.
const STRUCK_ANY_NEAR: f64 = -0.60;
/// The logarithm of one more than the other side's pieces that could be near after a move.
const STRUCK_FAR: f64 = -0.36;

/// What a side could do about the other's king.
#[derive(Clone, Copy)]
struct KingAttack {
    /// The pieces that could capture it now.
    strikers: Squares,
    /// The other pieces that could attack it with their next move.
    near: u32,
    /// The moves with which they could, onto squares that the other side does not attack.
    safe: u32,
    /// The pieces that are neither, and could be near after a move.
    far: u32,
    /// The squares from which its pieces would attack the king.
    lines: u32,
    /// The worth of all its pieces, in hundredths of a pawn.
    material: i32,
}

impl KingAttack {
    /// Counts what `color` could do, where the other side attacks these squares; `steps` are those of its own king to a square that wins.
    fn of(
        board: &Board,
        scale: &Scale,
        position: &Position,
        color: Color,
        attacked: Squares,
        steps: Option<i32>,
    ) -> Self {
        let (occupied, hostile) = (position.occupied(), position.of(!color));
        let king = board.royals(position, !color).first();
        // Who stands where the other colour's piece of the same kind, in the place of the king, would attack, attacks the king.
        let zone =
            |kind: u8| king.map_or(Squares::EMPTY, |king| board.kind(kind).design.attacks(!color, king, occupied));
        let zones: Vec<Squares> = (0..board.kinds().len() as u8).map(zone).collect();
        let mut sum = KingAttack { strikers: Squares::EMPTY, near: 0, safe: 0, far: 0, lines: 0, material: 0 };
        let mut lines = Squares::EMPTY;
        for from in position.of(color) {
            let Some(piece) = position.piece(from) else { continue };
            let (zone, design) = (zones[usize::from(piece.kind)], &board.kind(piece.kind).design);
            sum.material += scale.value(piece.kind);
            if !board.is_pawn(piece.kind) {
                lines |= zone;
            }
            if zone.has(from) {
                sum.strikers |= from.set();
                continue;
            }
            let mut targets = design.targets(color, from, occupied, hostile);
            if !sum.nears(targets & zone, attacked)
                && targets.any(|to| !(design.attacks(color, to, occupied) & zone).is_empty())
            {
                sum.far += 1;
            }
        }
        for (kind, count) in position.holdings(color) {
            sum.material += scale.value(kind) * i32::from(count);
            if !sum.nears(zones[usize::from(kind)] & !occupied, attacked) {
                sum.far += 1;
            }
        }
        match steps {
            Some(..=1) => sum.strikers |= board.royals(position, color),
            Some(2) => sum.near += 1,
            Some(3) => sum.far += 1,
            Some(_) | None => {}
        }
        sum.lines = (lines & !hostile).len();
        sum
    }

    /// Counts a piece that could attack the king by coming to these squares, if there are any, and tells whether there are.
    fn nears(&mut self, squares: Squares, attacked: Squares) -> bool {
        self.near += u32::from(!squares.is_empty());
        self.safe += (squares & !attacked).len();
        !squares.is_empty()
    }

    /// The weight of what it could do, as long as neither side could capture the king.
    fn weight(&self) -> f64 {
        NEAR * f64::from(self.near)
            + ANY_NEAR * f64::from(self.near.min(1))
            + SAFE * logarithm(self.safe)
            + FAR * logarithm(self.far)
            + LINES * f64::from(self.lines)
            + MATERIAL * f64::from(self.material) / 100.0
    }

    /// The weight of what it could still do if it could capture the king and the other side has the move.
    fn lasts(&self, other: &KingAttack, attacked: Squares) -> f64 {
        let threatened = self.strikers.len() == 1 && !(self.strikers & attacked).is_empty();
        STRIKES
            + STRIKER_ATTACKED * f64::from(u8::from(threatened))
            + STRIKES_NEAR * f64::from(self.near)
            + STRIKES_FAR * logarithm(self.far)
            + STRUCK_ANY_NEAR * f64::from(other.near.min(1))
            + STRUCK_FAR * logarithm(other.far)
    }
}

/// White's chance before the coin is tossed. `steps` are those of the kings to the squares that win, where there are such, and `off` is added
/// to the logarithm of the odds.
fn estimate(board: &Board, scale: &Scale, position: &Position, steps: [Option<i32>; 2], off: f64) -> f64 {
    let attacked = Color::BOTH.map(|color| board.attacks(position, color));
    let sides = Color::BOTH
        .map(|color| KingAttack::of(board, scale, position, color, attacked[(!color).index()], steps[color.index()]));
    let [white, black] = &sides;
    match [white, black].map(|side| !side.strikers.is_empty()) {
        [true, true] => 0.5,
        [true, false] => 0.5 + 0.5 * logistic(white.lasts(black, attacked[1]) + off),
        [false, true] => 0.5 - 0.5 * logistic(black.lasts(white, attacked[0]) - off),
        [false, false] => logistic(white.weight() - black.weight() + off),
    }
}

/// The natural logarithm of one more than a number.
fn logarithm(count: u32) -> f64 {
    f64::from(count).ln_1p()
}

/// The chance with such a natural logarithm of its odds: 0.5 for 0.
pub(super) fn logistic(logarithm: f64) -> f64 {
    1.0 / (1.0 + (-logarithm).exp())
}

/// The natural logarithm of the odds of a chance that is neither 0 nor 1.
fn log_odds(chance: f64) -> f64 {
    (chance / (1.0 - chance)).ln()
}
