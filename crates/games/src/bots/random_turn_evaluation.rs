//! Winning chances where a fair coin decides who moves: the average of White's best move and Black's best move. The same values
//! determine the bids in an auction (Payne & Robeva, “Artificial intelligence for Bidding Hex”).
//!
//! The static evaluation depends on which side is closer to capturing the enemy king; little else matters. Its weights come from
//! a logistic regression on the results of 100,000 random-turn games between bots that looked one ply ahead.

use std::collections::HashMap;

use super::{mobility_evaluation::Scale, search::SearchLimits, transposition::key};
use crate::{
    board::{Board, Color, Move, Position, Special, Square, Squares},
    rules::auction_game::Base,
};

/// Lead at which an army without a king, or the side with less to lose in antichess, wins about seven of ten games. In hundredths
/// of a pawn.
const LEAD: f64 = 700.0;
/// Value of a king step towards the winning squares.
const STEP: i32 = 60;
/// Cost of each own piece in antichess.
const BURDEN: i32 = 150;
/// Number of moves of each side to follow, by remaining depth.
const WIDTH: [usize; 5] = [0, 64, 10, 4, 3];
/// Number of moves to follow at the root, by search depth.
const ROOTS: [usize; 5] = [usize::MAX, usize::MAX, 14, 8, 6];
/// Most positions to remember.
const REMEMBERED: usize = 200_000;
/// Nodes between two calls of `enough`.
const BETWEEN: u64 = 64;

/// A move with White's chance after it.
pub(super) struct RatedMove {
    pub(super) mv: Move,
    chance: f64,
    /// The chance with the level's noise.
    taken: f64,
}

/// The moves of both sides.
pub(super) struct MovesByColor {
    /// White's moves, then Black's. The move that the level considers best comes first.
    pub(super) moves: [Vec<RatedMove>; 2],
    /// White's chance after the best move of each side, or now if a side has no move. Without the level's noise, since the
    /// maximum of many noisy values is biased and would inflate the bids.
    pub(super) best: [f64; 2],
}

/// A search in progress.
pub(super) struct Toss<'a> {
    base: Base,
    board: &'static Board,
    scale: Scale,
    effort: SearchLimits,
    /// Greatest noise in the value of a move, in hundredths of a pawn.
    misjudged: i32,
    enough: &'a mut dyn FnMut() -> bool,
    nodes: u64,
    most: u64,
    stopped: bool,
    seen: HashMap<(u64, usize), f64>,
}

impl<'a> Toss<'a> {
    /// A search with this much noise, in hundredths of a pawn.
    pub(super) fn new(base: Base, effort: SearchLimits, misjudged: i32, enough: &'a mut dyn FnMut() -> bool) -> Self {
        let (board, seen, scale) = (base.board(), HashMap::new(), Scale::of(base.board()));
        Toss { base, board, scale, effort, misjudged, enough, nodes: 0, most: u64::MAX, stopped: false, seen }
    }

    /// Searches the moves of `sides` with increasing depth. The moves of other sides only get a static evaluation.
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
            // The moves of two sides are comparable only if both were searched to the same depth.
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

    /// Searches the first `some` moves to a depth, as far as time allows.
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

    /// A move with its chance and the chance with the level's noise. Decided results have no noise.
    fn rated(&self, mv: Move, after: &Position, chance: f64) -> RatedMove {
        let taken = if chance <= 0.0 || chance >= 1.0 {
            chance
        } else {
            let off = self.effort.off(key(after), self.misjudged);
            logistic(log_odds(chance) + f64::from(off) / LEAD)
        };
        RatedMove { mv, chance, taken }
    }

    /// Whether a side could win with its next move, by capturing the king or by reaching a winning square.
    pub(super) fn strikes(&self, position: &Position, color: Color) -> bool {
        let king = self.board.royals(position, !color).first();
        let takes = king.is_some_and(|king| self.board.attacked(position, color, king));
        takes || self.far(position, color).is_some_and(|far| far <= 1)
    }

    /// Distance of a side's king to the winning squares, if there are any.
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

    /// The moves of a side, each with White's chance by static evaluation.
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

    /// White's chance in a position, searched to a depth.
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

    /// White's chance by static evaluation.
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
        // An army without a king must be captured completely.
        let army = Color::BOTH.into_iter().any(|color| self.board.royals(position, color).is_empty());
        let army = if army { lead() } else { 0.0 };
        let steps = Color::BOTH.map(|color| self.far(position, color));
        estimate(self.board, &self.scale, position, steps, army)
    }
}

/// White's chance after a win of this side.
fn won(color: Color) -> f64 {
    if color == Color::White { 1.0 } else { 0.0 }
}

/// White's highest chance if White chooses, its lowest if Black does.
fn extreme(chances: impl Iterator<Item = f64>, color: Color) -> Option<f64> {
    match color {
        Color::White => chances.reduce(f64::max),
        Color::Black => chances.reduce(f64::min),
    }
}

/// Sorts moves by White's chance after them, the best for the side first.
fn sort<M>(moves: &mut [M], color: Color, chance: impl Fn(&M) -> f64) {
    match color {
        Color::White => moves.sort_by(|a, b| chance(b).total_cmp(&chance(a))),
        Color::Black => moves.sort_by(|a, b| chance(a).total_cmp(&chance(b))),
    }
}

/// The position with this side to move.
fn turned(position: &Position, turn: Color) -> Position {
    let mut other = *position;
    other.turn = turn;
    other
}

/// Weight of each piece that could attack the king with its next move (a near piece).
const NEAR: f64 = 0.24;
/// Weight of having any near piece.
const ANY_NEAR: f64 = 0.29;
/// Weight of ln(1 + n) for n moves to attack the king from squares that the opponent does not attack.
const SAFE: f64 = 0.16;
/// Weight of ln(1 + n) for n other pieces that could attack the king in two moves (far pieces).
const FAR: f64 = 0.28;
/// Weight of each square from which one of its pieces would attack the king.
const LINES: f64 = 0.01;
/// Weight of a pawn's worth of material.
const MATERIAL: f64 = 0.02;

/// Weight of being able to capture the king. This and the following weights apply if the coin favours the opponent.
const STRIKES: f64 = 0.45;
/// Weight of having only one piece that can capture the king, with the opponent attacking it.
const STRIKER_ATTACKED: f64 = -0.46;
/// Weight of each near piece of the side that can capture the king.
const STRIKES_NEAR: f64 = 0.45;
/// Weight of ln(1 + n) for its n far pieces.
const STRIKES_FAR: f64 = 0.40;
/// Weight of the opponent having any near piece.
const STRUCK_ANY_NEAR: f64 = -0.60;
/// Weight of ln(1 + n) for the opponent's n far pieces.
const STRUCK_FAR: f64 = -0.36;

/// Threats of a side against the enemy king.
#[derive(Clone, Copy)]
struct KingAttack {
    /// Pieces that could capture it now.
    strikers: Squares,
    /// Number of other pieces that could attack it with their next move.
    near: u32,
    /// Number of moves that would do so from squares that the opponent does not attack.
    safe: u32,
    /// Number of remaining pieces that could attack it in two moves.
    far: u32,
    /// Number of squares from which the side's pieces would attack it.
    lines: u32,
    /// Value of all the side's pieces, in hundredths of a pawn.
    material: i32,
}

impl KingAttack {
    /// Counts the threats of `color`. `attacked` are the opponent's attacks, `steps` the distance of its king to a winning
    /// square.
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
        // A piece attacks the king if an enemy piece of its type, on the king's square, would attack the piece.
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

    /// Counts the ways of a piece to attack the king from `squares`. Returns whether there are any.
    fn nears(&mut self, squares: Squares, attacked: Squares) -> bool {
        self.near += u32::from(!squares.is_empty());
        self.safe += (squares & !attacked).len();
        !squares.is_empty()
    }

    /// Log-odds of the side's threats while neither side can capture the king.
    fn weight(&self) -> f64 {
        NEAR * f64::from(self.near)
            + ANY_NEAR * f64::from(self.near.min(1))
            + SAFE * logarithm(self.safe)
            + FAR * logarithm(self.far)
            + LINES * f64::from(self.lines)
            + MATERIAL * f64::from(self.material) / 100.0
    }

    /// Log-odds of winning for a side that can capture the king, if the opponent moves first.
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

/// White's chance before the coin toss. `steps` are the kings' distances to the winning squares, if there are any. `off` is added
/// to the log-odds.
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

/// ln(1 + count).
fn logarithm(count: u32) -> f64 {
    f64::from(count).ln_1p()
}

/// The probability with these log-odds.
pub(super) fn logistic(logarithm: f64) -> f64 {
    1.0 / (1.0 + (-logarithm).exp())
}

/// The log-odds of a probability between 0 and 1.
fn log_odds(chance: f64) -> f64 {
    (chance / (1.0 - chance)).ln()
}
