//! Whole-chip thresholds for one total: the number of chips that the opponent may hold while a player still forces a win within n moves, for every n
//! until nothing grows. Thresholds are defined in `chip_solver.rs`. A cache keeps a few totals, because a game needs its own again and again.

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{
    Stop,
    chip_growth::{ANSWERER, BIDDER, Growth, Level},
    move_graph::{Graph, Graphs},
    position_index::{Id, won},
    sealed_bids::{SealedReach, WITH_MARKER, WITHOUT_MARKER},
};
use crate::{
    board::Color,
    endgame::{Price, Tie},
};

/// Maximum number of stored levels per player, the last level included. Levels between them are recomputed.
const KEPT: usize = 4;
/// Maximum number of stored levels where a level takes four times the memory, and more time.
const KEPT_PAIRS: usize = 8;
/// Maximum size of all stored levels together, in bytes.
const ROOM: usize = 96 << 20;

/// Rules of an auction with whole chips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct BidRule {
    /// Whether bids may be negative.
    pub(super) negative: bool,
    /// Tie rule and price of sealed bids; `None` for open bids.
    pub(super) sealed: Option<(Tie, Price)>,
}

/// Cache key of a set of levels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Key {
    total: u32,
    player: Color,
    layers: usize,
    rule: BidRule,
}

impl Key {
    /// Returns whether levels with this key also answer requests for another key: the levels of a pawn hold all earlier layers.
    fn covers(self, other: Key) -> bool {
        let enough = Graphs::needed_numbers(self.layers).any(|number| number + 1 == other.layers);
        enough && self == Key { layers: self.layers, ..other }
    }
}

/// The last recomputed levels between two stored ones. A game needs the same ones repeatedly.
#[derive(Default)]
struct IntermediateLevels {
    /// Key of the levels, and the index of the stored level after them.
    of: Option<(Key, usize)>,
    levels: Vec<Level>,
    climb: Option<Climb>,
}

/// Level under construction on the way up.
enum Climb {
    Sums(Growth),
    /// Both thresholds, and for each layer whether it grew in the last step.
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

/// Levels of one player for one total.
#[derive(Clone)]
pub(super) struct Levels {
    key: Key,
    graphs: Arc<Graphs>,
    /// Stored levels with their numbers, the last level included. The lowest, in which nothing is won, is not stored.
    kept: Arc<Vec<(usize, Level)>>,
    between: Arc<Mutex<IntermediateLevels>>,
}

/// Cache of levels, the most recently used last.
#[derive(Default)]
pub(super) struct LevelsCache {
    all: Mutex<VecDeque<Arc<Levels>>>,
    between: Arc<Mutex<IntermediateLevels>>,
}

impl LevelsCache {
    /// Levels of a player for a total that cover the position `id`. Returns `None` if the game is over or `stop` fires.
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

    /// Memory size of the cache in bytes.
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
        // Levels between stored ones are recomputed for the requested layers only.
        Some(if found.key == key { found } else { Arc::new(Levels { key, ..(*found).clone() }) })
    }
}

impl Levels {
    fn solve(graphs: Arc<Graphs>, key: Key, between: Arc<Mutex<IntermediateLevels>>, stop: Stop) -> Option<Levels> {
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

    /// Lowest level: only finished games are won.
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

    /// Starts climbing from a level.
    fn climb(&self, level: &Level) -> Climb {
        let Key { layers, player, .. } = self.key;
        match level {
            Level::Sums(sums) => Climb::Sums(Growth::from(self.graphs.clone(), layers, player, sums.clone())),
            Level::Pairs(pairs) => Climb::Pairs(pairs.clone(), vec![true; layers]),
        }
    }

    /// Climbs to the next level. Returns whether it is higher.
    fn step(&self, climb: &mut Climb) -> bool {
        let (pairs, grew) = match climb {
            Climb::Sums(growth) => return growth.step(),
            Climb::Pairs(pairs, grew) => (pairs, grew),
        };
        let (mut next, mut grows) = (pairs.clone(), vec![false; grew.len()]);
        for number in Graphs::needed_numbers(self.key.layers) {
            // A layer stays the same if none of the layers it can turn into has grown.
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

    /// Thresholds of one position with open bids.
    fn open(&self, graph: &Graph, at: usize, pairs: &[[u32; 2]]) -> [u32; 2] {
        let player = self.key.player;
        let of = |mover: Color, role: usize| graph.options(mover, at).iter().map(move |id| pairs[*id as usize][role]);
        let most = of(player, BIDDER).max().unwrap_or_default();
        let least = of(!player, ANSWERER).min().unwrap_or_default();
        if most < least && !self.key.rule.negative {
            [most, least]
        } else {
            [(most + least) / 2, (most + least).div_ceil(2)]
        }
    }

    /// Thresholds of one position with sealed bids.
    fn sealed(&self, graph: &Graph, at: usize, pairs: &[[u32; 2]], (tie, price): (Tie, Price)) -> [u32; 2] {
        let player = self.key.player;
        let of = |mover: Color, role: usize| graph.options(mover, at).iter().map(move |id| pairs[*id as usize][role]);
        let roles = [WITH_MARKER, WITHOUT_MARKER];
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

    /// Highest level, after which nothing grows: everything that can be won at all.
    pub(super) fn last(&self) -> Option<&Level> {
        self.kept.last().map(|(_, level)| level)
    }

    /// First level for which `tell` returns a result, with its number. `tell` must be monotone: a result for a level implies a result for every
    /// higher one.
    pub(super) fn find<T>(&self, tell: impl Fn(&Level) -> Option<T>) -> Option<(usize, T)> {
        let place = self.kept.partition_point(|(_, level)| tell(level).is_none());
        let (last, found) = self.kept.get(place)?;
        let lower = place.checked_sub(1).and_then(|at| self.kept.get(at));
        let shared = || self.between.lock().unwrap_or_else(PoisonError::into_inner);
        // A concurrent caller finds the cache empty and computes its own levels.
        let mut between = std::mem::take(&mut *shared());
        if between.of != Some((self.key, place)) {
            between = IntermediateLevels { of: Some((self.key, place)), ..IntermediateLevels::default() };
        }
        let mut first = None;
        for (at, n) in (lower.map_or(0, |(n, _)| n + 1)..*last).enumerate() {
            if at == between.levels.len() {
                // The lowest level belongs to the levels between; a stored level does not.
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
