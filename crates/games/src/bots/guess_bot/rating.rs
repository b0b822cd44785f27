//! Rates turns with a price in stages: static evaluation for all turns, quiescence for the best of them, a search of a few plies
//! for the best of those, and the opponent's purchases for the very best. Money has an estimated value in hundredths of a pawn.

use crate::{
    board::Position,
    bots::{
        chess_tree::ChessTree,
        game_tree::Tree,
        search::{Search, SearchLimits},
    },
    rules::search_problem::{CandidateTurn, GuessProblem, ReplyState, TurnGenerator, TurnResult, TurnShape},
};

/// Limit of all scores except immediate mate, as other apparent mates can be bought off.
const MOST: i32 = 9_000;
/// Penalty for repeating a position when ahead.
const AGAIN: i32 = 1_000;
/// Bonus if the opponent must buy a turn to escape mate.
const RESCUE: i32 = 300;
/// Turns this much worse than the best are dropped.
const WORSE: i32 = 700;
/// Number of turns with a price that get a quiescence search, in addition to all free turns.
const CLOSE: usize = 60;
/// Node limit of all these quiescence searches together.
const GLANCE: u64 = 30_000;
/// Number of turns that get a search.
const CLOSER: usize = 24;
/// Number of turns whose replies are examined.
const CLOSEST: usize = 12;
/// Node limit of the search for one turn.
const NODES: u64 = 6_000;
/// Number of replies that get a quiescence search.
const ANSWERS: usize = 8;

/// Score of a turn with this position score, for a side with `purse` zorkmids before it.
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

/// Rates turns for the side that plays them.
pub(super) struct Rating<'a> {
    arena: &'a ChessTree<'a>,
    effort: SearchLimits,
    vision: LevelLimits,
    /// Value of money to this side.
    pub(super) money: Money,
    before: Vec<u64>,
    /// Score of a draw, which makes all money worthless.
    level: i32,
    /// Whether a static evaluation shows a turn worth more than a draw.
    leads: bool,
    /// Money of this side and of the opponent before the turn.
    purses: [i64; 2],
    onward: &'a dyn TurnGenerator,
    enough: &'a mut dyn FnMut() -> bool,
}

impl<'a> Rating<'a> {
    /// A rating of the turns of one state.
    pub(super) fn new(
        arena: &'a ChessTree<'a>,
        effort: SearchLimits,
        foresight: &'a GuessProblem,
        enough: &'a mut dyn FnMut() -> bool,
    ) -> Self {
        let before = foresight.before.iter().map(|position| arena.key(&arena.moment(position))).collect();
        let (purses, onward) = (foresight.purses, &*foresight.onward);
        let known = LevelLimits::of(effort);
        // Evaluated once, so that all turns are rated by the same standard.
        let vision = LevelLimits { answers: known.answers && !enough(), ..known };
        let money = Money::of(effort);
        let level = (Money::BRIEF.worth(purses[1]) - Money::BRIEF.worth(purses[0])).round() as i32;
        Rating { arena, effort, vision, money, before, level, leads: false, purses, onward, enough }
    }

    /// Whether one of these turns is worth more than a draw. Replies are ignored: including them would count one more turn for
    /// the opponent than for this side.
    pub(super) fn ahead<'t>(&mut self, turns: impl Iterator<Item = &'t CandidateTurn> + Clone) -> bool {
        self.vision.answers = false;
        self.turns(turns).first().is_some_and(|(_, score)| *score > self.level)
    }

    /// The best turns with their scores, best first.
    pub(super) fn turns<'t>(
        &mut self,
        turns: impl Iterator<Item = &'t CandidateTurn> + Clone,
    ) -> Vec<(&'t CandidateTurn, i32)> {
        let stands = |turn: &'t CandidateTurn| {
            (turn, score(self.money, &turn.sequel, self.standing(&turn.sequel), self.purses[0]))
        };
        let seen = turns.clone().filter(|turn| turn.sequel.makeup <= self.vision.most);
        let mut rated: Vec<(&CandidateTurn, i32)> = seen.map(stands).collect();
        // If there are no simple turns, rates all others.
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

    /// Score of a turn, examined as closely as the best ones.
    pub(super) fn one(&mut self, turn: &CandidateTurn) -> i32 {
        let alone = self.alone(&turn.sequel);
        if self.vision.answers { self.answered(&turn.sequel).min(alone) } else { alone }
    }

    /// Score of the turn that led to this position. Ignores its price if the turn is not among the candidates.
    pub(super) fn led(&mut self, foresight: &GuessProblem, after: &Position) -> i32 {
        match foresight.turn_to(after) {
            Some(turn) => self.one(turn),
            None => self.searched(after).clamp(-MOST, MOST),
        }
    }

    /// Score of a turn if the opponent buys nothing.
    fn alone(&mut self, turn: &TurnResult) -> i32 {
        let position = match turn.leaves {
            ReplyState::Moves => self.searched(&turn.after),
            ReplyState::Rescue | ReplyState::Retraction | ReplyState::Nothing => self.standing(turn),
        };
        self.scored(turn, position)
    }

    /// Score of a turn if the opponent replies as well as its money allows.
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

    /// Score of the best turn of the side to move, with the first of the two purses, by quiescence. `None` if it has none of the
    /// listed turns.
    fn answer(&self, at: &Position, purses: [i64; 2]) -> Option<i32> {
        let sequels = self.onward.sequels(at, purses, self.vision.most);
        let scored = |turn: &TurnResult, position: i32| match turn.leaves {
            // A retraction of mate costs the opponent money but does not end the game.
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
            // Without a free move the search, which ignores purchases, would see mate.
            ReplyState::Rescue | ReplyState::Retraction | ReplyState::Nothing => *stands,
        };
        rated.iter().map(calm).max()
    }

    /// Score of a turn of this side. On a third occurrence the opponent may claim a draw, and a side that is ahead avoids even
    /// the second.
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

    /// Static evaluation of the position after a turn.
    fn standing(&self, turn: &TurnResult) -> i32 {
        -self.arena.estimate(&self.arena.moment(&turn.after))
    }

    /// Score of a position for the side that has just moved, by a search of a few plies.
    fn searched(&mut self, after: &Position) -> i32 {
        let nodes = (self.effort.nodes / CLOSER as u64).min(NODES);
        let effort = SearchLimits { depth: self.effort.depth.saturating_sub(1), nodes, ..self.effort };
        let moment = self.arena.moment(after);
        // Assumes no purchases, so captured pieces do not return.
        let quiet = usize::from(after.halfmove).min(self.before.len());
        let before = self.before[self.before.len() - quiet..].to_vec();
        let found = Search::new(self.arena, effort, before, self.enough).rated(&moment);
        -found.map_or_else(|| self.arena.stuck(&moment), |found| found.score)
    }
}

/// Value of the first zorkmid of a side, in hundredths of a pawn. A queen with a move costs 25 zorkmids.
const ZORKMID: f64 = 28.0;
/// Number of zorkmids at which the next one is worth half as much as the first, since one turn can use only a few.
const PLENTY: f64 = 80.0;
/// Additional constant value of each zorkmid to levels that plan for later turns.
const LASTING: f64 = 4.0;
/// Most zorkmids that have this value, about the total of a long game.
const RICHES: f64 = 10_000.0;

/// Value of money to a level.
#[derive(Clone, Copy, Debug)]
pub(super) struct Money {
    lasting: f64,
}

impl Money {
    /// Value of money to a level that plans only the next turns.
    const BRIEF: Money = Money { lasting: 0.0 };

    /// Value of money to a level with these limits.
    fn of(effort: SearchLimits) -> Self {
        Money { lasting: if effort.depth > 8 { LASTING } else { 0.0 } }
    }

    /// Value of a purse of zorkmids.
    pub(super) fn worth(self, zorkmids: i64) -> f64 {
        let owned = zorkmids.max(0) as f64;
        self.lasting * owned.min(RICHES) + ZORKMID * PLENTY * (owned / PLENTY).ln_1p()
    }

    /// Value of paying a price from a purse.
    pub(super) fn paid(self, purse: i64, price: i64) -> i32 {
        (self.worth(purse) - self.worth(purse.saturating_sub(price))).round() as i32
    }

    /// Value of a payment into a purse.
    pub(super) fn earned(self, purse: i64, pay: i64) -> f64 {
        self.worth(purse.saturating_add(pay)) - self.worth(purse)
    }
}

/// Which turns a level considers.
#[derive(Clone, Copy, Debug)]
pub(super) struct LevelLimits {
    /// Most complex turn shape considered, for either side.
    pub(super) most: TurnShape,
    /// Whether the opponent's purchases are considered.
    pub(super) answers: bool,
}

impl LevelLimits {
    /// Limits of a level.
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
