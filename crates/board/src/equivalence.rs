//! The powers of a piece, however it is written: every square that it may arrive on, as seen from where it begins, and what must be empty or
//! occupied on the way there. Two texts with equal powers mean the same piece. Without inventions the reverse holds too; with hoppers two texts
//! may have the same effect and different powers.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    betza::{Betza, ModifiedAtom},
    movement::{ElementaryStep, HopCondition, passes},
};

/// The farthest that a board of eight squares a side lets a piece go, in files or ranks.
const FARTHEST: i8 = 7;

/// Squares as seen from where the piece begins.
type Places = BTreeSet<(i8, i8)>;

/// Each arrival, by whether it captures, files to the right and ranks forward, with what it takes. No condition holds another: that
/// would say nothing more.
type Arrivals = BTreeMap<(bool, i8, i8), BTreeSet<Condition>>;

/// What must hold for an arrival.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
struct Condition {
    /// These squares are empty.
    empty: Places,
    /// These squares are occupied.
    occupied: Places,
    /// The piece has not moved.
    first: bool,
}

impl Condition {
    /// Tells whether it holds whenever another one does.
    fn follows(&self, other: &Condition) -> bool {
        self.empty.is_subset(&other.empty) && self.occupied.is_subset(&other.occupied) && (other.first || !self.first)
    }
}

/// All that a piece may do, as White sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MovementSummary {
    royal: bool,
    own: Arrivals,
    /// What it may do a second time in its turn.
    again: Arrivals,
    /// What it lends to those that it guards.
    lent: Arrivals,
}

impl MovementSummary {
    /// All that a piece may do on boards of up to eight squares a side.
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

    /// Tells whether a piece with the other powers may do all of this, royal or not.
    pub fn within(&self, other: &MovementSummary) -> bool {
        let pairs = [(&self.own, &other.own), (&self.again, &other.again), (&self.lent, &other.lent)];
        pairs.into_iter().all(|(own, other)| held(own, other))
    }
}

/// Tells whether every arrival is one of the others, and takes no less.
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
            // Which of the landings before is occupied, if one has to be.
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

/// Adds a condition, unless it says nothing new; those that it makes needless go.
fn add(conditions: &mut BTreeSet<Condition>, condition: &Condition) {
    if !conditions.iter().any(|known| known.follows(condition)) {
        conditions.retain(|known| !condition.follows(known));
        conditions.insert(condition.clone());
    }
}
