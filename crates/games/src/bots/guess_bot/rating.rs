//! Ratings of turns that are paid for, in looks that grow closer: all turns by evaluation, the best of them until the captures end, the best
//! of those for some plies, and purchases against the best of all. Money is worth an estimated number of hundredths of a pawn.

use crate::{
    board::Position,
    bots::{
        chess_tree::ChessTree,
        game_tree::Tree,
        search::{Search, SearchLimits},
    },
    rules::search_problem::{CandidateTurn, GuessProblem, ReplyState, TurnGenerator, TurnResult, TurnShape},
};

/// No turn is better or worse than this, but for mate on the spot: what looks like mate can be bought off.
const MOST: i32 = 9_000;
/// What it costs who leads that a position comes again.
const AGAIN: i32 = 1_000;
/// What it is worth that the other side has to pay for a turn that gets it out of mate.
const RESCUE: i32 = 300;
/// A turn that is so much worse than the best is not thought of.
const WORSE: i32 = 700;
/// The turns that are looked at for captures, beside those that cost nothing.
const CLOSE: usize = 60;
/// The moments that those are looked at for together, at most.
const GLANCE: u64 = 30_000;
/// The turns that are looked at more closely.
const CLOSER: usize = 24;
/// The turns to which answers are looked for.
const CLOSEST: usize = 12;
/// The moments that one turn is looked at for.
const NODES: u64 = 6_000;
/// The answers to a turn that are looked at for captures.
const ANSWERS: usize = 8;

/// The score of a turn after which the position has this one, to a side that has so many zorkmids before it.
fn score(money: Money, turn: &TurnResult, position: i32, purse: i64) -> i32 {
    let position = position.clamp(-MOST, MOST);
    let score = match turn.leaves {
        ReplyState::Moves => position,
        ReplyState::Rescue => position + RESCUE,
        ReplyState::Retraction => 2 * MOST,
        ReplyState::Nothing => 4 * MOST,
    };
    score - money.paid(purse, turn.price)
}

/// The rating of turns, for the side that plays them.
pub(super) struct Rating<'a> {
    arena: &'a ChessTree<'a>,
    effort: SearchLimits,
    vision: LevelLimits,
    /// What money is worth to this side.
    pub(super) money: Money,
    before: Vec<u64>,
    /// The score of a draw, which makes all money worthless.
    level: i32,
    /// This side has a turn that is worth more than a draw as it stands.
    leads: bool,
    /// What this side and the other have before the turn.
    purses: [i64; 2],
    onward: &'a dyn TurnGenerator,
    enough: &'a mut dyn FnMut() -> bool,
}

impl<'a> Rating<'a> {
    /// A rating of the turns of one moment.
    pub(super) fn new(
        arena: &'a ChessTree<'a>,
        effort: SearchLimits,
        foresight: &'a GuessProblem,
        enough: &'a mut dyn FnMut() -> bool,
    ) -> Self {
        let before = foresight.before.iter().map(|position| arena.key(&arena.moment(position))).collect();
        let (purses, onward) = (foresight.purses, &*foresight.onward);
        let known = LevelLimits::of(effort);
        // Asked once, so that all turns that are compared were looked at alike.
        let vision = LevelLimits { answers: known.answers && !enough(), ..known };
        let money = Money::of(effort);
        let level = (Money::BRIEF.worth(purses[1]) - Money::BRIEF.worth(purses[0])).round() as i32;
        Rating { arena, effort, vision, money, before, level, leads: false, purses, onward, enough }
    }

    /// Tells whether one of these turns is worth more than a draw. Answers are left aside: who thinks of them sees a turn of the other side more
    /// than of its own.
    pub(super) fn ahead<'t>(&mut self, turns: impl Iterator<Item = &'t CandidateTurn> + Clone) -> bool {
        self.vision.answers = false;
        self.turns(turns).first().is_some_and(|(_, score)| *score > self.level)
    }

    /// The best turns with their scores, the best first.
    pub(super) fn turns<'t>(
        &mut self,
        turns: impl Iterator<Item = &'t CandidateTurn> + Clone,
    ) -> Vec<(&'t CandidateTurn, i32)> {
        let stands = |turn: &'t CandidateTurn| {
            (turn, score(self.money, &turn.sequel, self.standing(&turn.sequel), self.purses[0]))
        };
        let seen = turns.clone().filter(|turn| turn.sequel.makeup <= self.vision.most);
        let mut rated: Vec<(&CandidateTurn, i32)> = seen.map(stands).collect();
        // Who finds nothing simple has to look for the rest.
        if rated.is_empty() {
            rated = turns.map(stands).collect();
        }
        self.leads = rated.iter().any(|(_, score)| *score > self.level);
        for (turn, score) in &mut rated {
            *score = self.scored(&turn.sequel, self.standing(&turn.sequel));
        }
        rated.sort_by_key(|(_, score)| -score);
        let mut bought = 0;
        rated.retain(|(turn, _)| {
            bought += usize::from(turn.sequel.price > 0);
            turn.sequel.price == 0 || bought <= CLOSE
        });
        let (glance, mut never) = (SearchLimits { nodes: GLANCE, ..self.effort }, || false);
        let mut search = Search::new(self.arena, glance, Vec::new(), &mut never);
        for (turn, score) in &mut rated {
            let calm = -search.calm(&self.arena.moment(&turn.sequel.after));
            if search.stopped() {
                break;
            }
            *score = self.scored(&turn.sequel, calm);
        }
        rated.sort_by_key(|(_, score)| -score);
        rated.truncate(CLOSER);
        if self.effort.depth > 1 {
            for (turn, score) in &mut rated {
                *score = self.alone(&turn.sequel);
            }
            rated.sort_by_key(|(_, score)| -score);
        }
        if self.vision.answers {
            rated.truncate(CLOSEST);
            for (turn, score) in &mut rated {
                *score = self.answered(&turn.sequel).min(*score);
            }
            rated.sort_by_key(|(_, score)| -score);
        }
        let best = rated.first().map_or(0, |(_, score)| *score);
        rated.retain(|(_, score)| *score >= best - WORSE);
        rated
    }

    /// The score of a turn, looked at as closely as the best.
    pub(super) fn one(&mut self, turn: &CandidateTurn) -> i32 {
        let alone = self.alone(&turn.sequel);
        if self.vision.answers { self.answered(&turn.sequel).min(alone) } else { alone }
    }

    /// The score of the turn that led here; without what it cost, if it is none of those that are thought of.
    pub(super) fn led(&mut self, foresight: &GuessProblem, after: &Position) -> i32 {
        match foresight.turn_to(after) {
            Some(turn) => self.one(turn),
            None => self.searched(after).clamp(-MOST, MOST),
        }
    }

    /// The score of a turn if nobody buys anything after it.
    fn alone(&mut self, turn: &TurnResult) -> i32 {
        let position = match turn.leaves {
            ReplyState::Moves => self.searched(&turn.after),
            ReplyState::Rescue | ReplyState::Retraction | ReplyState::Nothing => self.standing(turn),
        };
        self.scored(turn, position)
    }

    /// The score of a turn if the other side answers it as well as its purse allows.
    fn answered(&mut self, turn: &TurnResult) -> i32 {
        let [own, other] = self.purses;
        let position = match turn.leaves {
            ReplyState::Moves | ReplyState::Rescue => {
                let answer = self.answer(&turn.after, [other, own - turn.price]);
                answer.map_or_else(|| self.standing(turn), |score| -score)
            }
            ReplyState::Retraction | ReplyState::Nothing => self.standing(turn),
        };
        self.scored(turn, position)
    }

    /// The score of the best turn of the side to move here, which has the first of two purses, as far as captures go after it; nothing if none of
    /// those that are listed can be played.
    fn answer(&self, at: &Position, purses: [i64; 2]) -> Option<i32> {
        let sequels = self.onward.sequels(at, purses, self.vision.most);
        let scored = |turn: &TurnResult, position: i32| match turn.leaves {
            // Mate that is forced back costs the other side something; it is no end.
            ReplyState::Retraction => position.clamp(-MOST, MOST) + RESCUE - self.money.paid(purses[0], turn.price),
            ReplyState::Moves | ReplyState::Rescue | ReplyState::Nothing => {
                score(self.money, turn, position, purses[0])
            }
        };
        let stands = |turn| (turn, scored(turn, self.standing(turn)));
        let mut rated: Vec<(&TurnResult, i32)> = sequels.iter().map(stands).collect();
        rated.sort_by_key(|(_, score)| -score);
        rated.truncate(ANSWERS);
        let (glance, mut never) = (SearchLimits { nodes: GLANCE, ..self.effort }, || false);
        let mut search = Search::new(self.arena, glance, Vec::new(), &mut never);
        let calm = |(turn, stands): &(&TurnResult, i32)| match turn.leaves {
            ReplyState::Moves => scored(turn, -search.calm(&self.arena.moment(&turn.after))),
            // No free move is left: to the search, which buys nothing, that would be mate.
            ReplyState::Rescue | ReplyState::Retraction | ReplyState::Nothing => *stands,
        };
        rated.iter().map(calm).max()
    }

    /// The score of a turn of this side. The other side may claim a draw where a position stands for the third time, and who leads does not want
    /// one for the second time either.
    fn scored(&self, turn: &TurnResult, position: i32) -> i32 {
        let score = score(self.money, turn, position, self.purses[0]);
        let key = self.arena.key(&self.arena.moment(&turn.after));
        match self.before.iter().filter(|before| **before == key).count() {
            0 => score,
            1 if self.leads => score - AGAIN,
            1 => score,
            _ => score.min(self.level),
        }
    }

    /// The estimate of the position after a turn, as it stands.
    fn standing(&self, turn: &TurnResult) -> i32 {
        -self.arena.estimate(&self.arena.moment(&turn.after))
    }

    /// The score of a position to the side that has just moved, by a search of some plies.
    fn searched(&mut self, after: &Position) -> i32 {
        let nodes = (self.effort.nodes / CLOSER as u64).min(NODES);
        let effort = SearchLimits { depth: self.effort.depth.saturating_sub(1), nodes, ..self.effort };
        let moment = self.arena.moment(after);
        // Nobody buys anything here, and what was captured does not come back.
        let quiet = usize::from(after.halfmove).min(self.before.len());
        let before = self.before[self.before.len() - quiet..].to_vec();
        let found = Search::new(self.arena, effort, before, self.enough).rated(&moment);
        -found.map_or_else(|| self.arena.stuck(&moment), |found| found.score)
    }
}

/// The worth of the first zorkmid that somebody has: a queen costs twenty-five, and a move.
const ZORKMID: f64 = 28.0;
/// Who has so many gets half as much for the next as for the first: there is only so much to buy in a turn.
const PLENTY: f64 = 80.0;
/// The worth of each zorkmid beyond that to who thinks of later turns, too.
const LASTING: f64 = 4.0;
/// The most zorkmids that are counted so: as many as a long game brings in.
const RICHES: f64 = 10_000.0;

/// The worth of money to who thinks so far ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Money {
    lasting: f64,
}

impl Money {
    /// What it is worth to who thinks of the next turns alone.
    const BRIEF: Money = Money { lasting: 0.0 };

    /// What it is worth with such an effort.
    fn of(effort: SearchLimits) -> Self {
        Money { lasting: if effort.depth > 8 { LASTING } else { 0.0 } }
    }

    /// The worth of so many zorkmids in one purse.
    pub(super) fn worth(self, zorkmids: i64) -> f64 {
        let owned = zorkmids.max(0) as f64;
        self.lasting * owned.min(RICHES) + ZORKMID * PLENTY * (owned / PLENTY).ln_1p()
    }

    /// The worth of a price to who has so many zorkmids.
    pub(super) fn paid(self, purse: i64, price: i64) -> i32 {
        (self.worth(purse) - self.worth(purse.saturating_sub(price))).round() as i32
    }

    /// The worth of what is earned to who has so many zorkmids.
    pub(super) fn earned(self, purse: i64, pay: i64) -> f64 {
        self.worth(purse.saturating_add(pay)) - self.worth(purse)
    }
}

/// What is seen.
#[derive(Clone, Copy, Debug)]
pub(super) struct LevelLimits {
    /// The turns of most parts that are thought of, by whomever they are played.
    pub(super) most: TurnShape,
    /// What the other side may buy is seen.
    pub(super) answers: bool,
}

impl LevelLimits {
    /// What is seen with such an effort.
    fn of(effort: SearchLimits) -> Self {
        let most = match effort.depth {
            ..=1 => TurnShape::Single,
            2 => TurnShape::Moves,
            3 => TurnShape::Strike,
            4.. => TurnShape::Assault,
        };
        LevelLimits { most, answers: effort.depth > 8 }
    }
}
