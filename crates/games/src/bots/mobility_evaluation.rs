//! Evaluation by mobility. A piece is worth the moves it has on a half-empty board, so that designed pieces are valued by the
//! same rule as orthodox ones. In hundredths of a pawn.

use crate::board::{Board, Color, HopCondition, Movement, Position, Size, Square, Squares};

/// Value of a square that a piece reaches on a half-empty board.
const REACH: f64 = 58.0;
/// Probability that each further square of a ray is free.
const FREE: f64 = 0.7;
/// Factor for pieces that are bound to one square colour.
const BOUND: f64 = 0.93;
/// Value of a pawn that can promote.
const PAWN: i32 = 100;
/// Approximate value of all officers of both sides at the start of orthodox chess.
const FULL: i32 = 6_400;
/// Value of a square that a piece reaches now, in the opening and in the endgame.
const NOW: [i32; 2] = [4, 5];
/// Value of a bishop pair, or of two other pieces bound to different colours.
const PAIR: i32 = 30;
/// Value of a pawn's rank, counted from its own side, in the opening and in the endgame.
const PROGRESS: [[i32; 8]; 2] = [[0, 0, 0, 8, 18, 30, 50, 0], [0, 0, 4, 12, 24, 45, 75, 0]];
/// Value of a passed pawn, in the same order.
const PASSED: [[i32; 8]; 2] = [[0, 0, 2, 8, 18, 35, 60, 0], [0, 5, 12, 25, 45, 80, 130, 0]];
/// Value of attacks on the squares around a king, by their number.
const DANGER: [i32; 12] = [0, 4, 12, 26, 45, 70, 100, 135, 170, 210, 250, 290];

/// Values of a piece type.
struct Weight {
    value: i32,
    /// Value by colour and square, in the opening and in the endgame.
    placed: [[[i32; 2]; 64]; 2],
    royal: bool,
    pawn: bool,
    bound: bool,
}

/// Values of all piece types of a board.
pub(super) struct Scale {
    weights: Vec<Weight>,
    /// Squares that must have no enemy pawn for a pawn to be passed, by colour.
    ahead: [[Squares; 64]; 2],
    /// Each square with its neighbours.
    ring: [Squares; 64],
}

/// Sums over the pieces of one side.
#[derive(Clone, Copy, Default)]
struct Sum {
    score: [i32; 2],
    officers: i32,
    hits: usize,
    bound: [bool; 2],
}

impl Scale {
    /// The values for a board.
    pub(super) fn of(board: &Board) -> Scale {
        let size = board.size();
        let weights = (0..board.kinds().len() as u8).map(|kind| weight(board, kind)).collect();
        let neighbours = |index: usize| {
            let square = Square::at(index);
            let steps = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy)));
            steps.filter_map(|(dx, dy)| square.step(dx, dy, size)).collect()
        };
        let ahead = |color: Color, index: usize| {
            let square = Square::at(index);
            let ahead = |other: &Square| match color {
                Color::White => other.rank() > square.rank(),
                Color::Black => other.rank() < square.rank(),
            };
            size.squares().filter(|other| ahead(other) && other.file().abs_diff(square.file()) <= 1).collect()
        };
        Scale {
            weights,
            ahead: Color::BOTH.map(|color| std::array::from_fn(|index| ahead(color, index))),
            ring: std::array::from_fn(neighbours),
        }
    }

    /// Value of a piece type.
    pub(super) fn value(&self, kind: u8) -> i32 {
        self.weights[usize::from(kind)].value
    }

    /// White's lead over Black.
    pub(super) fn lead(&self, board: &Board, position: &Position) -> i32 {
        let occupied = position.occupied();
        let royals = Color::BOTH.map(|color| board.royals(position, color));
        let rings = royals.map(|royals| royals.fold(Squares::EMPTY, |ring, royal| ring | self.ring[royal.index()]));
        let mut pawns = [Squares::EMPTY; 2];
        let mut guarded = [Squares::EMPTY; 2];
        for color in Color::BOTH {
            for square in position.of(color) {
                let Some(piece) = position.piece(square) else { continue };
                if self.weights[usize::from(piece.kind)].pawn {
                    pawns[color.index()] |= square.set();
                    guarded[color.index()] |= board.kind(piece.kind).design.capture_reach(color, square);
                }
            }
        }
        let mut sums = [Sum::default(); 2];
        for color in Color::BOTH {
            let (us, them) = (color.index(), (!color).index());
            let own = position.of(color);
            let sum = &mut sums[us];
            for square in own {
                let Some(piece) = position.piece(square) else { continue };
                let weight = &self.weights[usize::from(piece.kind)];
                let place = weight.placed[us][square.index()];
                sum.score[0] += weight.value + place[0];
                sum.score[1] += weight.value + place[1];
                if weight.pawn {
                    let rank = usize::from(board.size().rank_of(color, square.rank()));
                    if (self.ahead[us][square.index()] & pawns[them]).is_empty() {
                        sum.score[0] += PASSED[0][rank];
                        sum.score[1] += PASSED[1][rank];
                    }
                    let file = Squares(0x0101_0101_0101_0101 << square.file());
                    if (file & pawns[us]).len() > 1 {
                        sum.score[0] -= 6;
                        sum.score[1] -= 10;
                    }
                    continue;
                }
                if weight.royal {
                    let shield = self.ring[square.index()] & pawns[us];
                    sum.score[0] += 9 * shield.len().min(3) as i32;
                    continue;
                }
                sum.officers += weight.value;
                if weight.bound {
                    sum.bound[usize::from(square.dark())] = true;
                }
                let reach = board.kind(piece.kind).design.attacks(color, square, occupied);
                let mobile = (reach & !own & !guarded[them]).len() as i32;
                sum.score[0] += NOW[0] * mobile;
                sum.score[1] += NOW[1] * mobile;
                sum.hits += (reach & rings[them]).len() as usize;
            }
            if sum.bound == [true; 2] {
                sum.score[0] += PAIR;
                sum.score[1] += PAIR;
            }
            if royals[them].len() == 1 {
                let danger = DANGER[sum.hits.min(DANGER.len() - 1)];
                sum.score[0] += danger;
                sum.score[1] += danger / 2;
            }
        }
        let mut score = [sums[0].score[0] - sums[1].score[0], sums[0].score[1] - sums[1].score[1]];
        // A bare king is driven to the edge.
        for color in Color::BOTH {
            let (us, them) = (color.index(), (!color).index());
            if position.of(color) == royals[us]
                && let (Some(prey), Some(hunter)) = (royals[us].only(), royals[them].first())
            {
                let edge = 6 - i32::from(middle(prey, board.size())) * 2;
                let near = 7 - i32::from(prey.file().abs_diff(hunter.file()).max(prey.rank().abs_diff(hunter.rank())));
                let driven = 10 * edge + 8 * near;
                score[1] += if us == 0 { -driven } else { driven };
            }
        }
        let phase = (sums[0].officers + sums[1].officers).min(FULL);
        (score[0] * phase + score[1] * (FULL - phase)) / FULL
    }
}

/// Distance of a file or rank from the nearer edge, 0 to 3.
fn inner(line: u8, side: u8) -> u8 {
    line.min(side - 1 - line)
}

/// Distance of a square from the nearest edge, 0 to 3.
fn middle(square: Square, size: Size) -> u8 {
    inner(square.file(), size.width()).min(inner(square.rank(), size.height()))
}

/// Average number of squares that a design reaches from a square of a half-empty board. Moves and captures count half each.
fn reach(design: &Movement, color: Color, from: Square, board: &Board) -> f64 {
    let sign = if color == Color::White { 1 } else { -1 };
    let mut sum = 0.0;
    for step in design.steps() {
        let share = 0.5 * f64::from(u8::from(step.moves)) + 0.5 * f64::from(u8::from(step.captures));
        let (mut at, mut free) = (Some(from), if step.lame { FREE } else { 1.0 });
        for number in 0..step.reach {
            let (dx, dy) = if number == 0 { (step.dx, step.dy) } else { step.then };
            at = at.and_then(|at| at.step(dx * sign, dy * sign, board.size()));
            if at.is_none() {
                break;
            }
            // A hopper needs pieces on the squares before this one.
            let before = f64::from(number);
            sum += share
                * match step.hurdle {
                    HopCondition::None => free,
                    HopCondition::One => before * (1.0 - FREE) / FREE * free,
                    HopCondition::Last => before.min(1.0) * (1.0 - FREE) / FREE * free,
                };
            free *= FREE;
        }
    }
    sum
}

fn weight(board: &Board, kind: u8) -> Weight {
    let design = &board.kind(kind).design;
    let size = board.size();
    let promotes = board.pawns.as_ref().is_some_and(|pawns| !pawns.promotions.is_empty());
    let pawn = promotes && board.is_pawn(kind);
    let bound = design.steps().iter().all(|step| step.keeps_color());
    let squares = size.squares();
    let mean = squares.map(|from| reach(design, Color::White, from, board)).sum::<f64>() / f64::from(squares.len());
    let share = if bound { BOUND } else { 1.0 };
    let value = match (pawn, design.royal) {
        (true, _) => PAWN,
        (false, true) => 0,
        (false, false) => (REACH * mean * (1.0 + mean / 100.0) * share) as i32,
    };
    let mut placed = [[[0; 2]; 64]; 2];
    for color in Color::BOTH {
        for square in squares {
            let rank = size.rank_of(color, square.rank());
            let centre = i32::from(middle(square, size));
            let here = &mut placed[color.index()][square.index()];
            *here = if pawn {
                let file = i32::from(inner(square.file(), size.width()));
                let advance = [PROGRESS[0][usize::from(rank)], PROGRESS[1][usize::from(rank)]];
                let central = if (2..=4).contains(&rank) { 5 * (file - 1) * i32::from(rank - 1) } else { 0 };
                [advance[0] + central, advance[1]]
            } else if design.royal {
                let wing = i32::from(inner(square.file(), size.width()));
                let safe = -14 * i32::from(rank.min(5)) - 12 * wing.pow(2).min(4) + 6 * i32::from(wing == 1);
                [safe, 12 * centre + 2 * i32::from(rank)]
            } else {
                let more = reach(design, color, square, board) - mean;
                [(9.0 * more) as i32 + 2 * i32::from(rank.min(5)), (6.0 * more) as i32 + 3 * centre]
            };
        }
    }
    Weight { value, placed, royal: design.royal, pawn, bound }
}
