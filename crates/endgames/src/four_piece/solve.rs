//! Solves one material of four pieces. Outside its table are the ends of the game, the exact values of three pieces, rounded outward, and the
//! bounds of four pieces after a promotion.

use dashu_int::UBig;
use dashu_ratio::RBig;

use super::{
    ONE,
    bound_proof::{FourProgress, columns, tighten},
    bound_table::{BLOCK_SIZE, BoundTable, StateSpace},
    columns::{Columns, WrongFile},
    decisions::Decisions,
    exact::{FourLimits, exact_threshold},
    files::{FourFiles, FourTable},
    index::{FourPieceMaterial, NormalizedPosition, PROMOTED},
    move_generation::{MoveGenerator, RemainingPiece},
    sharpness::{Gaps, Pair, Sharpness},
};
use crate::{
    board::{Color, Size, Square, orthodox::PAWN},
    move_graph::rules,
    position_index::{Material, Places, Setup},
    table::Table,
};

/// Memory for all lists, in words of four bytes.
const ROOM: usize = 100 << 20;

/// Solves a material, given the exact table of three pieces on the 8x8 board. `promoted` returns the table of a material after a promotion.
///
/// # Errors
/// Those of `promoted`.
pub fn solve_four<E>(
    pair: FourPieceMaterial,
    table: &Table,
    promoted: &mut dyn FnMut(FourPieceMaterial) -> Result<FourTable, E>,
    progress: &mut dyn FnMut(FourProgress),
) -> Result<FourTable, E> {
    let walk = MoveGenerator::new(pair);
    let fence = BoundTable::new(&walk, ROOM);
    fill_known(&walk, &Three::new(table), &mut |place, bounds| fence.set(place, bounds));
    fill_promoted(&walk, promoted, FourTable::bounds, &mut |place, bounds| fence.set(place, bounds))?;
    tighten(&fence, progress);
    // The inner bounds of this table follow from the inner bounds of the other tables.
    let between = || fill_promoted(&walk, promoted, FourTable::between, &mut |place, bounds| fence.set(place, bounds));
    let Columns { low, span, wide } = columns(&fence, between)?;
    let MoveGenerator { numbering, .. } = walk;
    Ok(FourTable { pair, numbering, low, span, wide })
}

/// Decides in which positions of a table α = β. The tables after a promotion must be in `files` too, with their decisions. If they are not decided, or
/// if a table of a second promotion is missing, more positions stay open.
///
/// # Errors
/// If a file is missing or cannot be used.
pub fn decide_four(pair: FourPieceMaterial, table: &Table, files: &FourFiles) -> Result<Decisions, WrongFile> {
    let open = |pair| files.open(pair)?.ok_or(WrongFile::Foreign("the table, or one after a promotion, is missing"));
    let (solved, walk, three) = (open(pair)?, MoveGenerator::new(pair), Three::new(table));
    let mut bounds: Vec<Pair> = (0..walk.len()).map(|place| solved.at(place)).collect();
    bounds.resize(walk.all(), [[0, ONE]; 2]);
    let mut states = vec![Sharpness::Open; walk.all()];
    fill_known(&walk, &three, &mut |place, exact| {
        bounds[place] = [exact; 2];
        states[place] = Sharpness::Sharp;
    });
    fill_promoted(&walk, &mut { open }, |file, framed| file.decided(framed), &mut |place, (found, sharp)| {
        bounds[place] = found;
        states[place] = Sharpness::from(sharp);
    })?;
    let mut gaps = Gaps::new(walk.len(), bounds, states);
    let mut positions = Vec::new();
    let mut sides = [Vec::new(), Vec::new()];
    for first in (0..walk.len()).step_by(BLOCK_SIZE) {
        walk.each(first..(first + BLOCK_SIZE).min(walk.len()), false, |place, spot| {
            for mover in Color::BOTH {
                let moves = &mut sides[mover.index()];
                moves.clear();
                walk.options(mover, spot, |place| moves.push(place as u32));
            }
            gaps.push(place, &mut sides);
            positions.push(place);
        });
    }
    let limits = FourLimits::BRIEF;
    let known = |place: usize| three.exact(&walk, place);
    let exact = |place: usize, threshold| {
        known(place).or_else(|| {
            let position = walk.position(place)?.position(rules(Size::ORTHODOX));
            exact_threshold(table, files, &position, threshold, limits).ok()?
        })
    };
    let cores = gaps.decide(|gaps, place| {
        let found = gaps.resolve(place, limits, &known);
        found.or_else(|| Some(vec![(place, gaps.compare(place, &exact)?)])).unwrap_or_default()
    });
    let cores = cores.into_iter().map(|place| walk.numbering.quad(place)).collect();
    let decided = positions.into_iter().map(|place| (place, gaps.states[place]));
    Ok(Decisions::new(walk.len(), decided, cores))
}

/// A value from 0 to 1 in multiples of 2⁻⁶³, rounded down and up.
pub(crate) fn rounded(value: &RBig) -> [u64; 2] {
    let scaled = UBig::from(ONE) * value.numerator().clone().into_parts().1;
    let (whole, rest) = (&scaled / value.denominator(), &scaled % value.denominator());
    let low = u64::try_from(whole).unwrap_or(ONE);
    [low, low + u64::from(rest != UBig::ZERO)]
}

/// Bounds of the three-piece positions.
struct Three<'t> {
    table: &'t Table,
    places: Places,
    /// Indexed by the number of the value.
    bounds: Vec<[u64; 2]>,
}

impl<'t> Three<'t> {
    pub(super) fn new(table: &'t Table) -> Three<'t> {
        let bounds = table.values().iter().map(rounded).collect();
        Three { table, places: Places::new(table.index(), |id, _| id), bounds }
    }

    /// Bounds of a position in which `owner` has a piece.
    fn of(&self, owner: Color, kind: u8, [king, bare, piece]: [usize; 3]) -> Option<[u64; 2]> {
        let material = Material::with(Some(kind))?;
        let (of, seen) = match owner {
            Color::White => ([king, bare, piece], false),
            Color::Black => ([bare ^ 56, king ^ 56, piece ^ 56], true),
        };
        let [king, bare, piece] = of.map(Square::at);
        let id = self.places.of(Setup { material, king, bare, piece });
        let [low, high] = self.bounds[self.table.value_id(id) as usize];
        Some(if seen { [ONE - high, ONE - low] } else { [low, high] })
    }

    /// Exact value of an index with three pieces.
    fn exact(&self, walk: &MoveGenerator, place: usize) -> Option<RBig> {
        let (owner, kind, [king, bare, piece]) = walk.remaining(place)?;
        let material = Material::with(Some(kind))?;
        let value = |[king, bare, piece]: [usize; 3]| {
            let [king, bare, piece] = [king, bare, piece].map(Square::at);
            self.table.value(Setup { material, king, bare, piece }).clone()
        };
        Some(match owner {
            Color::White => value([king, bare, piece]),
            Color::Black => RBig::ONE - value([bare ^ 56, king ^ 56, piece ^ 56]),
        })
    }
}

/// Passes the bounds of the ends of the game and of three pieces to `tell`.
fn fill_known(walk: &MoveGenerator, three: &Three<'_>, tell: &mut dyn FnMut(usize, [u64; 2])) {
    tell(walk.won(Color::White), [ONE; 2]);
    tell(walk.won(Color::Black), [0; 2]);
    for left in RemainingPiece::ALL {
        let Some((owner, kind)) = walk.piece(left) else { continue };
        let inner = |square: &usize| kind != PAWN || (8..56).contains(square);
        for piece in (0..64).filter(inner) {
            for king in (0..64).filter(|king| *king != piece) {
                for bare in (0..64).filter(|bare| *bare != piece && *bare != king) {
                    if let Some(bounds) = three.of(owner, kind, [king, bare, piece]) {
                        tell(walk.three(left, king, bare, piece), bounds);
                    }
                }
            }
        }
    }
}

/// Passes what `about` returns for every position after a promotion to `tell`. `promoted` returns the table of a material after a promotion.
fn fill_promoted<T, U, E>(
    walk: &MoveGenerator,
    promoted: &mut dyn FnMut(FourPieceMaterial) -> Result<T, E>,
    about: fn(&T, NormalizedPosition) -> U,
    tell: &mut dyn FnMut(usize, U),
) -> Result<(), E> {
    for (became, kind) in PROMOTED.into_iter().enumerate().filter(|_| walk.pair.pawns() > 0) {
        let table = promoted(walk.pair.with(kind))?;
        for place in walk.promotions(became) {
            if let Some(framed) = walk.position(place) {
                tell(place, about(&table, framed));
            }
        }
    }
    Ok(())
}
