//! The exact values of all positions of one board with at most three pieces, and the progress in solving them.

use std::{
    cmp::Ordering,
    fmt::Write,
    sync::{Arc, OnceLock},
};

use dashu_ratio::RBig;
use sha2::{Digest, Sha256};

use super::{
    Stop,
    bidding_mechanism::{EnclosureCache, Intervals, Mechanism},
    certificate::{self, Flaw, Labels},
    chip_thresholds::{BidRule, Levels, LevelsCache},
    fractions::{FormattedValues, Fraction, Worth},
    move_graph::{Graph, Graphs, rules},
    position_index::{FIRST, Id, Index, Layer, Material, Places, Setup},
    research::small_boards::SmallTables,
    value_pool::{ONE, ValueId, Values, ZERO},
};
use crate::board::{Color, Size};

/// Solved and certified table. Immutable, so threads can share it.
pub struct Table {
    index: Index,
    values: Values,
    /// Number of each position's value.
    ids: Vec<ValueId>,
    labels: Labels,
    digest: String,
    /// Cache of formatted values.
    written: FormattedValues,
    /// All moves, generated on first use.
    graphs: OnceLock<Arc<Graphs>>,
    /// Cache of whole-chip thresholds.
    totals: LevelsCache,
    /// Cache of enclosures under other bidding mechanisms.
    enclosures: EnclosureCache,
    /// Bounds of the positions with four pieces, computed on first use; `None` inside if they do not converge.
    small_board: OnceLock<Option<SmallTables>>,
}

/// Parts of a table. [`Table::verify`] shows whether a table built from parts is right.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Size of the board.
    pub size: Size,
    /// Distinct values.
    pub values: Vec<RBig>,
    /// For each position, by number, the index of its value in `values`.
    pub ids: Vec<u32>,
    /// Labels of White and of Black, by position number.
    pub labels: [Vec<u16>; 2],
    /// SHA-256 of the whole table, in hexadecimal.
    pub digest: String,
}

impl From<Table> for Parts {
    fn from(table: Table) -> Parts {
        let values = table.values.iter().cloned().collect();
        Parts { size: table.size(), values, ids: table.ids, labels: table.labels, digest: table.digest }
    }
}

impl From<Parts> for Table {
    fn from(parts: Parts) -> Table {
        let Parts { size, values: exact, ids, labels, digest } = parts;
        let mut values = Values::default();
        for value in exact {
            values.push(value);
        }
        let written = FormattedValues::new(values.len());
        Table {
            index: Index::new(size),
            values,
            ids,
            labels,
            digest,
            written,
            graphs: OnceLock::new(),
            totals: LevelsCache::default(),
            enclosures: EnclosureCache::default(),
            small_board: OnceLock::new(),
        }
    }
}

/// Version of the byte format behind the digest.
const VERSION: &str = "zorkmid endgame table 1";

impl Table {
    /// Builds a table. Renumbers the values in the order in which the positions use them, so that the digest depends on nothing else.
    pub(super) fn new(index: Index, found: Values, mut ids: Vec<ValueId>, labels: Labels) -> Table {
        const NEW: ValueId = ValueId::MAX;
        let mut numbers = vec![NEW; found.len()];
        let mut values = Values::default();
        for id in &mut ids {
            let number = &mut numbers[*id as usize];
            if *number == NEW {
                *number = values.push(found.get(*id).clone());
            }
            *id = *number;
        }
        values.shrink();
        let written = FormattedValues::new(values.len());
        let mut table = Table {
            index,
            values,
            ids,
            labels,
            digest: String::new(),
            written,
            graphs: OnceLock::new(),
            totals: LevelsCache::default(),
            enclosures: EnclosureCache::default(),
            small_board: OnceLock::new(),
        };
        table.digest = table.hash();
        table
    }

    /// SHA-256 of board, values and labels.
    fn hash(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(format!("{VERSION} {}x{}\n", self.size().width(), self.size().height()));
        for value in self.values.iter() {
            let (num, den) = (value.numerator().to_le_bytes(), value.denominator().to_le_bytes());
            for part in [num, den] {
                hash.update((part.len() as u32).to_le_bytes());
                hash.update(part);
            }
        }
        let numbers = self.ids.iter().flat_map(|id| id.to_le_bytes());
        let labels = self.labels.iter().flatten().flat_map(|label| label.to_le_bytes());
        hash.update(numbers.chain(labels).collect::<Vec<u8>>());
        hash.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
            write!(text, "{byte:02x}").ok();
            text
        })
    }

    /// Size of the board.
    pub fn size(&self) -> Size {
        self.index.size()
    }

    /// Numbering of the positions.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// SHA-256 of the whole table, in hexadecimal.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Number of distinct values.
    pub fn distinct(&self) -> usize {
        self.values.len()
    }

    /// Moves of all positions, generated on first use: a quarter of a second and about twenty megabytes.
    pub(super) fn graphs(&self) -> Arc<Graphs> {
        self.graphs.get_or_init(|| Arc::new(Graphs::build(&self.index))).clone()
    }

    /// Whole-chip thresholds of a player for a total under a rule, covering the position `id`. Returns `None` if the game is over or `stop` fires.
    /// The first call takes tens of milliseconds, and seconds with a pawn and many chips.
    pub(super) fn levels(&self, player: Color, total: u32, rule: BidRule, id: Id, stop: Stop) -> Option<Arc<Levels>> {
        self.totals.of(&self.graphs(), player, total, rule, id, stop)
    }

    /// Memory size of the whole-chip cache in bytes.
    pub fn chip_bytes(&self) -> usize {
        self.totals.bytes()
    }

    /// Distinct values.
    pub(super) fn values(&self) -> &Values {
        &self.values
    }

    /// Number of the value of a numbered position.
    pub(super) fn value_id(&self, id: Id) -> ValueId {
        self.ids[id as usize]
    }

    /// Value reference of a numbered position.
    pub(super) fn worth_of(&self, id: Id) -> Worth {
        Worth { id: self.value_id(id), reversed: false }
    }

    /// Enclosures under a bidding mechanism that cover the position `id`, computed on first use. Returns `None` if the game is over or `stop` fires.
    pub(super) fn intervals(&self, mechanism: Mechanism, id: Id, stop: Stop) -> Option<Arc<Intervals>> {
        self.enclosures.of(&self.graphs(), mechanism, id, stop)
    }

    /// Bounds of all positions of this board with four pieces, computed on first use.
    pub(super) fn small_board(&self) -> Option<&SmallTables> {
        self.small_board.get_or_init(|| SmallTables::of_four(self)).as_ref()
    }

    /// Solves all positions of this board with four pieces, which [`super::Question::of_small_board`] needs. Use it only with at most 18 squares: it
    /// then takes up to five seconds and 120 MB, and keeps 40 MB.
    pub fn solve_small_board(&self) {
        self.small_board();
    }

    /// Returns whether the positions of this board with four pieces are solved.
    pub fn has_small_board(&self) -> bool {
        self.small_board.get().is_some()
    }

    /// Value of a position: White's chance to win.
    pub fn value(&self, setup: Setup) -> &RBig {
        self.value_of(self.index.id(setup))
    }

    /// Value of a numbered position.
    pub fn value_of(&self, id: Id) -> &RBig {
        self.values.get(self.ids[id as usize])
    }

    /// Value reference of a position. With `reversed`, `setup` has the colours exchanged.
    pub(super) fn worth(&self, setup: Setup, reversed: bool) -> Worth {
        Worth { id: self.ids[self.index.id(setup) as usize], reversed }
    }

    /// Compares two values exactly.
    pub(super) fn compare(&self, a: Worth, b: Worth) -> Ordering {
        a.compare(b, &self.values)
    }

    /// Exact value of a reference.
    pub(super) fn exact(&self, worth: Worth) -> RBig {
        worth.exact(&self.values)
    }

    /// Formatted value of a reference.
    pub(super) fn formatted(&self, worth: Worth) -> &Fraction {
        self.written.get(worth, &self.values)
    }

    /// Least n for which a position is in T_n (for White) or T′_n (for Black): with best moves alone and a lucky coin, the player can end the game
    /// within n moves.
    pub fn label(&self, setup: Setup, player: Color) -> u16 {
        self.label_of(self.index.id(setup), player)
    }

    /// Label of a numbered position.
    pub fn label_of(&self, id: Id, player: Color) -> u16 {
        self.labels[player.index()][id as usize]
    }

    /// Values of the best moves of White and of Black, by position number. Generates all moves.
    pub(super) fn bests(&self) -> [Vec<ValueId>; 2] {
        let places = Places::new(&self.index, |id, _| id);
        let mut bests = [ZERO, ONE].map(|end| vec![end; self.index.len()]);
        for layer in self.index.layers() {
            let graph = Graph::build(rules(self.size()), &self.index, &places, layer);
            for mover in Color::BOTH {
                let own = &mut bests[mover.index()];
                for at in 0..graph.len() {
                    own[graph.id(at) as usize] = certificate::best(&graph, &self.values, &self.ids, mover, at);
                }
            }
        }
        bests
    }

    /// Visits every position with its value and the sign of the bid. Generates all moves.
    pub(super) fn for_each_position(&self, tell: &mut dyn FnMut(Setup, &RBig, Ordering)) {
        let places = Places::new(&self.index, |id, _| id);
        for layer in self.index.layers() {
            let graph = Graph::build(rules(self.size()), &self.index, &places, layer);
            for at in 0..graph.len() {
                let [white, black] =
                    Color::BOTH.map(|mover| certificate::best(&graph, &self.values, &self.ids, mover, at));
                let id = graph.id(at);
                tell(self.index.setup(layer, id), self.value_of(id), self.values.cmp(white, black));
            }
        }
    }

    /// Generates all moves again and checks every equation, every label and the digest.
    pub fn verify(&self, progress: &mut dyn FnMut(Progress)) -> Result<(), Flaw> {
        if *self.value_of(0) != RBig::ZERO
            || *self.value_of(1) != RBig::ONE
            || (self.ids[0], self.ids[1]) != (ZERO, ONE)
        {
            return Err(Flaw::Terminal);
        }
        let places = Places::new(&self.index, |id, _| id);
        let mut found = certificate::blank_labels(self.index.len());
        for layer in self.index.layers() {
            let graph = Graph::build(rules(self.size()), &self.index, &places, layer);
            let bests = certificate::equations(&self.index, &graph, &self.values, &self.ids)?;
            certificate::label(&self.index, &graph, &self.ids, &bests, &mut found)?;
            certificate::same_labels(&self.index, &graph, &found, &self.labels)?;
            progress(Progress::after(&self.index, layer));
        }
        if self.hash() == self.digest { Ok(()) } else { Err(Flaw::Digest) }
    }
}

/// Finished stage of the solving.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Material of the positions that have just been finished.
    pub material: Material,
    /// Number of finished positions of this material.
    pub part: u32,
    /// Number of positions of this material.
    pub whole: u32,
    /// Number of finished positions of all materials.
    pub done: u32,
    /// Number of positions of all materials.
    pub total: u32,
}

impl Progress {
    /// Progress after a finished layer.
    pub(super) fn after(index: &Index, layer: &Layer) -> Progress {
        let same = || index.layers().iter().filter(|other| other.material == layer.material);
        let first = same().map(|other| other.ids.start).min().unwrap_or(layer.ids.start);
        Progress {
            material: layer.material,
            part: layer.ids.end - first,
            whole: same().map(|other| other.ids.len() as u32).sum(),
            done: layer.ids.end - FIRST,
            total: index.len() as u32 - FIRST,
        }
    }
}
