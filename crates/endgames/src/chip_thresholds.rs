//! The thresholds of whole chips for one total: how many the other may hold so that a player still wins by force within n moves, for every n up
//! to where nothing grows any more. Thresholds are defined in `chip_solver.rs`. A few totals are kept, because a game asks about its own repeatedly.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{
    Stop,
    chip_growth::{ANSWERS, BIDS, Growth, Level},
    move_graph::{Graph, Graphs},
    position_index::{Id, won},
    sealed_bids::{HOLDS, LACKS, SealedReach},
};
use crate::{
    board::Color,
    endgame::{Price, Tie},
};

/// So many levels of a player are kept at most, the last one among them; those between are worked out again.
const KEPT: usize = 4;
/// The same where a level takes four times as much, and more time.
const KEPT_PAIRS: usize = 8;
/// The bytes that all kept levels may take together.
const ROOM: usize = 96 << 20;

/// The rule of an auction of whole chips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BidRule {
    /// Bids may be below zero.
    pub(super) negative: bool,
    /// The way equal sealed bids are settled and the bid that is paid; nothing where bids are open.
    pub(super) sealed: Option<(Tie, Price)>,
}

/// A question that the same levels answer: the chips in all, the player, the layers that the position can turn into, and the bids.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Key {
    total: u32,
    player: Color,
    layers: usize,
    rule: BidRule,
}

impl Key {
    /// Tells whether levels that answer this question answer another one too: with a pawn they hold all layers before its own.
    fn covers(self, other: Key) -> bool {
        let enough = Graphs::needed_numbers(self.layers).any(|number| number + 1 == other.layers);
        enough && self == Key { layers: self.layers, ..other }
    }
}

/// Levels between two that are kept, as they were worked out last, for a game asks about them again and again.
#[derive(Default)]
struct Between {
    /// Whose they are, and before which kept one they come.
    of: Option<(Key, usize)>,
    levels: Vec<Level>,
    climb: Option<Climb>,
}

/// A level on the way upwards.
enum Climb {
    Sums(Growth),
    /// Both thresholds, and in which layers something grew at the last step.
    Pairs(Vec<[u32; 2]>, Vec<bool>),
}

impl Climb {
    fn level(&self) -> Level {
        match self {
            Climb::Sums(growth) => Level::Sums(growth.sums().to_vec()),
            Climb::Pairs(pairs, _) => Level::Pairs(pairs.clone()),
        }
    }

    fn most(&self) -> usize {
        match self {
            Climb::Sums(_) => KEPT,
            Climb::Pairs(..) => KEPT_PAIRS,
        }
    }
}

/// The levels of one player for one total.
#[derive(Clone)]
pub(super) struct Levels {
    key: Key,
    graphs: Arc<Graphs>,
    /// Some levels with their numbers, the last one among them; the lowest, in which nothing is won, goes without saying.
    kept: Arc<Vec<(usize, Level)>>,
    between: Arc<Mutex<Between>>,
}

/// The totals that are kept, those that were asked about last at the end.
#[derive(Default)]
pub(super) struct Totals {
    all: Mutex<VecDeque<Arc<Levels>>>,
    between: Arc<Mutex<Between>>,
}

impl Totals {
    /// The levels of a player for a total, as they bear on a position; none for a game that is over, and none when stopped.
    pub(super) fn of(
        &self,
        graphs: &Arc<Graphs>,
        player: Color,
        total: u32,
        rule: BidRule,
        id: Id,
        stop: Stop,
    ) -> Option<Arc<Levels>> {
        let key = Key { total, player, layers: graphs.up_to(id)?, rule };
        if let Some(known) = self.known(key) {
            return Some(known);
        }
        let made = Arc::new(Levels::solve(graphs.clone(), key, self.between.clone(), stop)?);
        let mut all = self.all();
        all.push_back(made.clone());
        while all.len() > 1 && all.iter().map(|levels| levels.bytes()).sum::<usize>() > ROOM {
            all.pop_front();
        }
        Some(made)
    }

    /// The bytes of all totals that are kept.
    pub(super) fn bytes(&self) -> usize {
        self.all().iter().map(|levels| levels.bytes()).sum()
    }

    fn all(&self) -> MutexGuard<'_, VecDeque<Arc<Levels>>> {
        self.all.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known(&self, key: Key) -> Option<Arc<Levels>> {
        let mut all = self.all();
        let at = all.iter().position(|levels| levels.key.covers(key))?;
        let found = all.remove(at)?;
        all.push_back(found.clone());
        // What lies between the kept levels is worked out for the layers alone that are asked about.
        Some(if found.key == key { found } else { Arc::new(Levels { key, ..(*found).clone() }) })
    }
}

impl Levels {
    fn solve(graphs: Arc<Graphs>, key: Key, between: Arc<Mutex<Between>>, stop: Stop) -> Option<Levels> {
        let mut levels = Levels { key, graphs, kept: Arc::default(), between };
        let mut all = Vec::new();
        let mut climb = levels.climb(&levels.begin());
        let (mut n, mut stride) = (0, 1);
        while levels.step(&mut climb) {
            if stop() {
                return None;
            }
            n += 1;
            if n % stride == 0 {
                all.push((n, climb.level()));
            }
            if all.len() == climb.most() {
                stride *= 2;
                all.retain(|(kept, _)| kept % stride == 0);
            }
        }
        if all.last().is_none_or(|(kept, _)| *kept < n || n == 0) {
            all.push((n, climb.level()));
        }
        levels.kept = Arc::new(all);
        Some(levels)
    }

    fn bytes(&self) -> usize {
        self.kept.iter().map(|(_, level)| level.bytes()).sum()
    }

    /// Nothing is won but what is over.
    fn begin(&self) -> Level {
        let (Key { total, player, rule, .. }, all) = (self.key, self.key.total + 1);
        match u16::try_from(2 * (total + 1)) {
            Ok(both) if rule.negative && rule.sealed.is_none() => {
                Level::Sums(Growth::begin(&self.graphs, player, both))
            }
            Ok(_) | Err(_) => {
                let mut pairs = vec![[0; 2]; self.graphs.ids()];
                pairs[won(player) as usize] = [all; 2];
                Level::Pairs(pairs)
            }
        }
    }

    /// Begins to climb from a level.
    fn climb(&self, level: &Level) -> Climb {
        let Key { layers, player, .. } = self.key;
        match level {
            Level::Sums(sums) => Climb::Sums(Growth::from(self.graphs.clone(), layers, player, sums.clone())),
            Level::Pairs(pairs) => Climb::Pairs(pairs.clone(), vec![true; layers]),
        }
    }

    /// Climbs to the next level, and tells whether it is any higher.
    fn step(&self, climb: &mut Climb) -> bool {
        let (pairs, grew) = match climb {
            Climb::Sums(growth) => return growth.step(),
            Climb::Pairs(pairs, grew) => (pairs, grew),
        };
        let (mut next, mut grows) = (pairs.clone(), vec![false; grew.len()]);
        for number in Graphs::needed_numbers(self.key.layers) {
            // Where nothing has grown that a layer turns into, it stays as it is.
            if Graphs::needed_numbers(number + 1).any(|other| grew[other]) {
                let graph = self.graphs.layer(number);
                for at in 0..graph.len() {
                    let own = &mut next[graph.id(at) as usize];
                    let thresholds = match self.key.rule.sealed {
                        None => self.open(graph, at, pairs),
                        Some(settled) => self.sealed(graph, at, pairs, settled),
                    };
                    grows[number] |= thresholds != *own;
                    *own = thresholds;
                }
            }
        }
        (*pairs, *grew) = (next, grows);
        grew.contains(&true)
    }

    /// Where bids are open.
    fn open(&self, graph: &Graph, at: usize, pairs: &[[u32; 2]]) -> [u32; 2] {
        let player = self.key.player;
        let of = |mover: Color, role: usize| graph.options(mover, at).iter().map(move |id| pairs[*id as usize][role]);
        let most = of(player, BIDS).max().unwrap_or_default();
        let least = of(!player, ANSWERS).min().unwrap_or_default();
        if most < least && !self.key.rule.negative {
            [most, least]
        } else {
            [(most + least) / 2, (most + least).div_ceil(2)]
        }
    }

    /// Where bids are sealed.
    fn sealed(&self, graph: &Graph, at: usize, pairs: &[[u32; 2]], (tie, price): (Tie, Price)) -> [u32; 2] {
        let player = self.key.player;
        let of = |mover: Color, role: usize| graph.options(mover, at).iter().map(move |id| pairs[*id as usize][role]);
        let roles = [HOLDS, LACKS];
        let reach = SealedReach {
            most: roles.map(|role| i64::from(of(player, role).max().unwrap_or_default()) - 1),
            least: roles.map(|role| i64::from(of(!player, role).min().unwrap_or_default()) - 1),
            tie,
            price,
            negative: self.key.rule.negative,
            total: i64::from(self.key.total),
        };
        let known = pairs[graph.id(at) as usize];
        roles.map(|role| reach.chips(known[role], role))
    }

    /// The level from which on nothing grows: what can be reached at all.
    pub(super) fn last(&self) -> Option<&Level> {
        self.kept.last().map(|(_, level)| level)
    }

    /// The first level at which `tell` finds what it looks for, with its number; what it finds there it also finds in all greater thresholds.
    pub(super) fn find<T>(&self, tell: impl Fn(&Level) -> Option<T>) -> Option<(usize, T)> {
        let place = self.kept.partition_point(|(_, level)| tell(level).is_none());
        let (last, found) = self.kept.get(place)?;
        let lower = place.checked_sub(1).and_then(|at| self.kept.get(at));
        let shared = || self.between.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever asks meanwhile works out what it needs by itself.
        let mut between = std::mem::take(&mut *shared());
        if between.of != Some((self.key, place)) {
            between = Between { of: Some((self.key, place)), ..Between::default() };
        }
        let mut first = None;
        for (at, n) in (lower.map_or(0, |(n, _)| n + 1)..*last).enumerate() {
            if at == between.levels.len() {
                // The lowest level is among those between, a kept one is not.
                let next = match (&mut between.climb, lower) {
                    (Some(climb), _) => {
                        self.step(climb);
                        climb.level()
                    }
                    (climb @ None, Some((_, level))) => {
                        let mut begun = self.climb(level);
                        self.step(&mut begun);
                        climb.insert(begun).level()
                    }
                    (climb @ None, None) => climb.insert(self.climb(&self.begin())).level(),
                };
                between.levels.push(next);
            }
            if let Some(told) = tell(&between.levels[at]) {
                first = Some((n, told));
                break;
            }
        }
        *shared() = between;
        first.or_else(|| Some((*last, tell(found)?)))
    }
}
