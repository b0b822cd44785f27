//! Generates the turns worth searching: of those with purchases, only turns that capture, promote or give check.

use super::{
    mating_turns::{Drops, guards},
    turn_builder::{PlayedTurn, Situation, Trial, possible, safe},
};
use crate::{
    board::{Board, Move, Square, orthodox},
    rules::search_problem::TurnShape,
};

/// Most turns that are generated.
const MOST: usize = 3_000;
/// Number of the best strikes that are combined with others.
const PAIRED: usize = 20;
/// Number of the cheapest combinations of a check with guards that are tried.
const GUARDED: usize = 40;

/// A legal turn.
pub(super) struct Playable {
    /// The turn.
    pub played: PlayedTurn,
    /// The kind of turn.
    pub makeup: TurnShape,
}

/// A dropped piece and its move that captures, promotes or gives check.
struct Strike<'t> {
    kind: u8,
    square: Square,
    mv: Move,
    /// The turn after it.
    trial: Trial<'t>,
    /// Value of the captured piece and the promotion, minus the price of the turn, in zorkmids.
    gain: i64,
}

/// The turns of a situation, up to the kind `most`: free moves; drops; a bought capture, promotion or check after a free move; one or two of these
/// by a dropped piece; one each by two dropped pieces; and a check by a dropped piece while other dropped pieces guard the king's escape squares.
pub(super) fn playable(situation: &Situation, most: TurnShape) -> Vec<Playable> {
    let mut list = List { situation, most, turns: Vec::new() };
    list.moves();
    let mut strikes = list.drops();
    list.assaults(&strikes);
    strikes.sort_by_key(|strike| -strike.gain);
    strikes.truncate(PAIRED);
    list.raids(&strikes);
    // If there are too many, the most expensive ones are left out.
    list.turns.sort_by_key(|turn| turn.played.price);
    list.turns.truncate(MOST);
    list.turns
}

/// A list of turns under construction.
struct List<'s> {
    situation: &'s Situation<'s>,
    most: TurnShape,
    turns: Vec<Playable>,
}

/// Whether the last move captured, promoted or gives check.
fn sharp(before: &Trial<'_>, mv: Move, next: &Trial<'_>) -> bool {
    let board = Board::orthodox();
    let strikes = mv.promotion.is_some() || board.captured(&before.position, mv).is_some();
    strikes || board.in_check(&next.position, !next.position.turn)
}

impl<'s> List<'s> {
    fn end(&mut self, trial: Trial<'_>, makeup: TurnShape) {
        self.turns.extend(trial.finish().ok().map(|played| Playable { played, makeup }));
    }

    /// Turns that start with a free move.
    fn moves(&mut self) {
        let (start, homes) = (self.situation.trial(), self.situation.homes);
        let cheapest = self.situation.terms.costs.cheapest_move();
        for first in safe(&start.position, homes).into_iter().filter_map(|mv| start.add_move(mv).ok()) {
            if self.most >= TurnShape::Moves && first.left() >= cheapest && first.bought_next().is_some() {
                for mv in possible(&first.position, homes) {
                    if let Some(next) = first.add_move(mv).ok().filter(|next| sharp(&first, mv, next)) {
                        self.end(next, TurnShape::Moves);
                    }
                }
            }
            self.end(first, TurnShape::Single);
        }
    }

    /// Turns that drop one piece, alone or with a strike. Returns the strikes.
    fn drops(&mut self) -> Vec<Strike<'s>> {
        let (board, start, costs) = (Board::orthodox(), self.situation.trial(), &self.situation.terms.costs);
        let empty = !self.situation.position.occupied();
        let mut strikes = Vec::new();
        for kind in (orthodox::PAWN..orthodox::KING).filter(|kind| costs.piece(*kind) <= start.left()) {
            for (square, dropped) in empty.filter_map(|square| Some((square, start.drop(kind, square).ok()?))) {
                if self.most >= TurnShape::Strike && dropped.left() >= costs.cheapest_move_of(kind) {
                    for mv in board.pseudo_moves_of(&dropped.position, square) {
                        let Some(trial) = dropped.add_move(mv).ok().filter(|next| sharp(&dropped, mv, next)) else {
                            continue;
                        };
                        let captured =
                            board.captured(&dropped.position, mv).map_or(0, |(_, piece)| costs.piece(piece.kind));
                        let promoted = mv.promotion.map_or(0, |kind| costs.piece(kind));
                        let gain = captured + promoted - trial.price();
                        self.end(trial.clone(), TurnShape::Strike);
                        strikes.push(Strike { kind, square, mv, trial, gain });
                    }
                }
                self.end(dropped, TurnShape::Single);
            }
        }
        strikes
    }

    /// Turns in which a dropped piece gives check and pieces dropped before it guard the king's escape squares.
    fn assaults(&mut self, strikes: &[Strike<'s>]) {
        if self.most < TurnShape::Assault {
            return;
        }
        let (start, costs) = (self.situation.trial(), &self.situation.terms.costs);
        let mut plans: Vec<(i64, Drops, &Strike<'s>)> = Vec::new();
        for strike in strikes {
            plans.extend(guards(&start, &strike.trial, costs).into_iter().map(|(left, drops)| (left, drops, strike)));
        }
        plans.sort_by_key(|(left, ..)| -left);
        for (_, mut drops, strike) in plans.into_iter().take(GUARDED) {
            drops.push((strike.kind, strike.square));
            let dropped = drops.into_iter().try_fold(start.clone(), |next, (kind, square)| next.drop(kind, square));
            if let Some(next) = dropped.ok().and_then(|next| repeated(&next, strike.mv)) {
                self.end(next, TurnShape::Assault);
            }
        }
    }

    /// Turns in which one dropped piece strikes twice, or two dropped pieces strike once each.
    fn raids(&mut self, strikes: &[Strike<'s>]) {
        let (board, start) = (Board::orthodox(), self.situation.trial());
        if self.most < TurnShape::Raid {
            return;
        }
        for (index, strike) in strikes.iter().enumerate() {
            for mv in board.pseudo_moves_of(&strike.trial.position, strike.mv.to) {
                let next = strike.trial.add_move(mv).ok();
                if let Some(next) = next.filter(|next| sharp(&strike.trial, mv, next)) {
                    self.end(next, TurnShape::Raid);
                }
            }
            for other in &strikes[index + 1..] {
                let both = start.drop(strike.kind, strike.square).and_then(|next| next.drop(other.kind, other.square));
                // Pieces that block each other or capture the same piece cannot be paired.
                let after = both.ok().and_then(|both| repeated(&both, strike.mv));
                if let Some(next) = after.and_then(|after| repeated(&after, other.mv)) {
                    self.end(next, TurnShape::Raid);
                }
            }
        }
    }
}

/// Repeats a move after other parts were added before it; `None` if it is not possible any more.
fn repeated<'t>(trial: &Trial<'t>, mv: Move) -> Option<Trial<'t>> {
    let moves = Board::orthodox().pseudo_moves_of(&trial.position, mv.from);
    let same = |known: &Move| (known.to, known.promotion) == (mv.to, mv.promotion);
    trial.add_move(moves.into_iter().find(same)?).ok()
}
