//! A piece's movement independent of its notation: every square it can reach from its origin, with the squares that
//! must be empty or occupied on the way. Texts with equal summaries describe the same piece. The converse holds without
//! inventions; two hoppers can have the same effect but different summaries.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    betza::{Betza, ModifiedAtom},
    movement::{ElementaryStep, HopCondition, passes},
};

/// Longest possible move on an 8×8 board, in files or ranks.
const FARTHEST: i8 = 7;

/// Squares relative to the origin of the piece.
type Places = BTreeSet<(i8, i8)>;

/// Conditions of each arrival, by capture or not, files to the right and ranks forward. No condition implies another
/// one.
type Arrivals = BTreeMap<(bool, i8, i8), BTreeSet<Condition>>;

/// Condition for an arrival.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Condition {
    /// Squares that must be empty.
    empty: Places,
    /// Squares that must be occupied.
    occupied: Places,
    /// The piece must not have moved.
    first: bool,
}

impl Condition {
    /// True if this condition holds whenever `other` does.
    fn follows(&self, other: &Condition) -> bool {
        self.empty.is_subset(&other.empty) && self.occupied.is_subset(&other.occupied) && (other.first || !self.first)
    }
}

/// All moves of a piece, from White's point of view.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MovementSummary {
    royal: bool,
    own: Arrivals,
    /// Moves that it may make second in a turn.
    again: Arrivals,
    /// Moves that it relays to the pieces it guards.
    lent: Arrivals,
}

impl MovementSummary {
    /// Summarizes a piece for boards of up to 8×8 squares.
    pub fn of(piece: &Betza) -> MovementSummary {
        let part = |belongs: &dyn Fn(&ModifiedAtom) -> bool| {
            arrivals(piece.terms.iter().filter(|term| belongs(term)).flat_map(ModifiedAtom::steps))
        };
        MovementSummary {
            royal: piece.royal,
            own: part(&|_| true),
            again: part(&|term| term.bends.first.is_none() && (piece.doublemove || term.bends.doublemove.is_some())),
            lent: part(&|term| term.bends.first.is_none() && (piece.relay || term.bends.relay.is_some())),
        }
    }

    /// True if a piece with the other summary can do everything that this one can. Ignores royalty.
    pub fn within(&self, other: &MovementSummary) -> bool {
        let pairs = [(&self.own, &other.own), (&self.again, &other.again), (&self.lent, &other.lent)];
        pairs.into_iter().all(|(own, other)| held(own, other))
    }
}

/// True if every arrival in `those` is also in `others`, under conditions no stricter.
fn held(those: &Arrivals, others: &Arrivals) -> bool {
    those.iter().all(|(arrival, conditions)| {
        let known = others.get(arrival);
        known.is_some_and(|known| conditions.iter().all(|condition| known.iter().any(|known| known.follows(condition))))
    })
}

fn arrivals(steps: impl IntoIterator<Item = ElementaryStep>) -> Arrivals {
    let mut arrivals = Arrivals::new();
    for step in steps {
        let (mut landings, mut passed, mut last) = (Places::new(), Places::new(), None);
        let (mut x, mut y) = (0, 0);
        for number in 0..step.reach {
            let leap = if number == 0 { (step.dx, step.dy) } else { step.then };
            if step.lame {
                passed.extend(passes(leap).map(|(dx, dy)| (x + dx, y + dy)));
            }
            (x, y) = (x + leap.0, y + leap.1);
            if x.abs().max(y.abs()) > FARTHEST {
                break;
            }
            // The occupied landing square among the earlier ones, if the step needs one.
            let hurdles: Vec<Option<(i8, i8)>> = match step.hurdle {
                HopCondition::None => vec![None],
                HopCondition::One => landings.iter().copied().map(Some).collect(),
                HopCondition::Last => last.into_iter().map(Some).collect(),
            };
            for hurdle in hurdles {
                let occupied: Places = hurdle.into_iter().collect();
                let empty = landings.union(&passed).copied().filter(|square| !occupied.contains(square)).collect();
                let condition = Condition { empty, occupied, first: step.first };
                for (captures, may) in [(false, step.moves), (true, step.captures)] {
                    if may {
                        add(arrivals.entry((captures, x, y)).or_default(), &condition);
                    }
                }
            }
            last = Some((x, y));
            landings.insert((x, y));
        }
    }
    arrivals
}

/// Adds a condition unless an existing one covers it, and removes those that it covers.
fn add(conditions: &mut BTreeSet<Condition>, condition: &Condition) {
    if !conditions.iter().any(|known| known.follows(condition)) {
        conditions.retain(|known| !condition.follows(known));
        conditions.insert(condition.clone());
    }
}
