//! Results derived from the options once per game: the board, the limits on armies with the cheapest pieces that
//! satisfy them, and the starting designs.

use std::sync::{Arc, LazyLock};

use super::{
    options::{Army, Csipgs, SecondRank, Total},
    piece_design::{self, PieceDesign},
    position_text,
    price::{self, Catalogue, Exact},
    state::State,
};
use crate::{
    board::{Betza, Size},
    rules::{Refusal, settings::board_size},
};

/// Results derived from the options.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms {
    /// Size of the board.
    pub(super) size: Size,
    /// King that both players start with.
    pub(super) king: Arc<PieceDesign>,
    /// Limits on armies, if armies are set up.
    pub(super) limits: Option<Arc<ArmyLimits>>,
    /// Designs that both players start with, in the order of their slots.
    pub(super) designs: [Arc<PieceDesign>; 6],
    /// State at the start, if the options give a position.
    pub(super) given: Option<Arc<State>>,
}

impl Terms {
    /// Derives the terms from the options. Refuses board sizes that do not exist, limits that no army satisfies, and
    /// designs that are not six pieces with a royal one among them.
    pub(super) fn of(options: &Csipgs) -> Result<Terms, Refusal> {
        let size = board_size(options.files, options.ranks)?;
        options.check_combination()?;
        let limits = match options.army {
            Army::None => None,
            Army::Secret | Army::Alternate => Some(Arc::new(ArmyLimits::of(options)?)),
        };
        let standard = piece_design::standard(size);
        let king = standard[5].clone();
        let designs = if options.designs.is_empty() { standard } else { designs(options, size)? };
        let given = match options.fen.trim() {
            "" => None,
            _ => Some(Arc::new(position_text::read(options, size)?)),
        };
        Ok(Terms { size, king, limits, designs, given })
    }
}

/// Reads the designs in the options.
fn designs(options: &Csipgs, size: Size) -> Result<[Arc<PieceDesign>; 6], Refusal> {
    let (mut found, mut at) = (Vec::new(), 0);
    for text in options.designs.split(' ') {
        if !text.is_empty() {
            let (piece, exact) = piece_design::read(text, at, &Catalogue::default(), options.prefixes(1))?;
            found.push(Arc::new(PieceDesign::new(piece, exact, size)));
        }
        at += text.len() + 1;
    }
    let designs: [Arc<PieceDesign>; 6] = found.try_into().map_err(|found: Vec<_>| {
        Refusal::new(format!("write six designs, separated by spaces: these are {}", found.len()))
    })?;
    match designs.iter().any(|design| design.piece.royal) {
        true => Ok(designs),
        false => Err(Refusal::new(
            "one of the designs must be royal, such as royal-WF: otherwise players could not buy another king",
        )),
    }
}

/// Maximum exact cost of a piece on the second rank (Bodlaender).
const SECOND_RANK_MOST: Exact = Exact::new_raw(2, 1);

/// Limits on an army, and the cheapest pieces that satisfy them.
#[derive(Clone, PartialEq, Debug)]
pub struct ArmyLimits {
    least: Exact,
    most: Option<Exact>,
    pub(super) budget: Exact,
    /// A cheapest piece for the first and for the second rank, with its cost.
    pub(super) cheapest: [(String, Exact); 2],
}

/// Parts of the terms among which the cheapest piece is sought: few directions, or all of them.
const DIRECTIONS: [&[&str]; 3] =
    [&["b", "l", "f", "s", "fs", ""], &["bl", "fl", "b", "f", ""], &["bl", "fl", "bb", "ff", "bh", "fh", "v", ""]];
const ATOMS: [&[&str]; 3] = [&["W", "D", "H", "R"], &["F", "A", "G", "B"], &["N", "L", "NN"]];

/// A candidate for the cheapest piece.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    cost: Exact,
    text: String,
    /// Cost of its last term alone.
    last: Exact,
    /// Whether it only moves and captures forwards.
    forwards: bool,
}

impl Candidate {
    fn of(text: String, last: Option<Exact>) -> Option<Candidate> {
        let piece: Betza = text.parse().ok()?;
        let cost = price::exact(&piece, &Catalogue::default());
        Some(Candidate { cost, text, last: last.unwrap_or(cost), forwards: forwards(&piece) })
    }
}

/// All single terms, cheapest first.
static SINGLES: LazyLock<Vec<Candidate>> = LazyLock::new(|| {
    let mut singles = Vec::new();
    for (directions, atoms) in DIRECTIONS.into_iter().zip(ATOMS) {
        for atom in atoms {
            for direction in directions {
                let single = |mode: &str| Candidate::of(format!("{mode}{direction}{atom}"), None);
                singles.extend(["m", ""].into_iter().filter_map(single));
            }
        }
    }
    singles.sort_unstable();
    singles
});

/// Single terms and all pairs of them, cheapest first. Pairs reach minimum costs that no single term reaches.
static PAIRS: LazyLock<Vec<Candidate>> = LazyLock::new(|| {
    let pair = |one: &Candidate, two: &Candidate| Candidate::of(format!("{}{}", one.text, two.text), Some(two.cost));
    let pairs = SINGLES.iter().flat_map(|one| SINGLES.iter().filter_map(move |two| pair(one, two)));
    let mut all: Vec<Candidate> = SINGLES.iter().cloned().chain(pairs).collect();
    all.sort_unstable();
    all
});

impl ArmyLimits {
    /// Derives the limits from the options. Refuses limits that no sixteen pieces satisfy.
    pub(super) fn of(options: &Csipgs) -> Result<ArmyLimits, Refusal> {
        let tenths = |tenths: i64| Exact::new(i128::from(tenths), 10);
        let none = |rank: &str| {
            Refusal::new(format!(
                "no piece is allowed on the {rank} rank of an army: lower army_least_tenths, or raise army_most_tenths"
            ))
        };
        let mut limits = ArmyLimits {
            least: tenths(options.army_least_tenths),
            most: (options.army_most_tenths > 0).then(|| tenths(options.army_most_tenths)),
            budget: tenths(options.army_budget_tenths),
            cheapest: Default::default(),
        };
        limits.cheapest = [
            limits.find_cheapest(options, false).ok_or_else(|| none("first"))?,
            limits.find_cheapest(options, true).ok_or_else(|| none("second"))?,
        ];
        let total = (limits.cheapest[0].1 + limits.cheapest[1].1) * 8;
        if limits.fits_budget(options, total) {
            Ok(limits)
        } else {
            Err(Refusal::new(
                "the budget is too small for sixteen pieces: raise army_budget_tenths or lower army_least_tenths",
            ))
        }
    }

    /// Whether a total cost fits the budget.
    pub(super) fn fits_budget(&self, options: &Csipgs, total: Exact) -> bool {
        match options.army_total {
            Total::Below => total < self.budget,
            Total::AtMost => total <= self.budget,
        }
    }

    fn find_cheapest(&self, options: &Csipgs, second: bool) -> Option<(String, Exact)> {
        let list: &[Candidate] = if *self.least.numer() == 0 { &SINGLES } else { &PAIRS };
        let from = list.partition_point(|candidate| candidate.cost < self.least);
        let fits = |candidate: &&Candidate| {
            let allowed = self.check_limits(options, candidate.cost, second, || candidate.forwards);
            candidate.last * 2 >= self.least && allowed.is_ok()
        };
        list[from..].iter().find(fits).map(|candidate| (candidate.text.clone(), candidate.cost))
    }

    /// Checks whether an army may have a piece of this cost on its first or second rank.
    pub(super) fn check_piece(&self, options: &Csipgs, piece: &Betza, cost: Exact, second: bool) -> Result<(), String> {
        self.check_limits(options, cost, second, || forwards(piece))
    }

    fn check_limits(
        &self,
        options: &Csipgs,
        cost: Exact,
        second: bool,
        forwards: impl FnOnce() -> bool,
    ) -> Result<(), String> {
        if cost < self.least {
            return Err(format!("costs {cost}, but a piece of this army must cost at least {}", self.least));
        }
        if let Some(most) = self.most.filter(|most| cost > *most) {
            return Err(format!("costs {cost}, but a piece of this army may cost at most {most}"));
        }
        match options.army_second_rank {
            SecondRank::Cheap if second && cost > SECOND_RANK_MOST => {
                Err(format!("costs {cost}, but a piece on the second rank may cost at most {SECOND_RANK_MOST}"))
            }
            SecondRank::Forward if second && !forwards() => {
                Err("must move and capture only forwards, because it is on the second rank".to_owned())
            }
            SecondRank::Cheap | SecondRank::Forward => Ok(()),
        }
    }
}

/// Whether every step of a piece goes towards the opponent.
fn forwards(piece: &Betza) -> bool {
    piece.terms.iter().all(|term| term.vectors.into_iter().all(|(_, dy)| dy > 0))
}
