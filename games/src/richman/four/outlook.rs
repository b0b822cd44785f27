//! What is known of a position of four pieces and of all its moves, found at once: answers are put together from it. `told.rs` finds the same with the
//! board's own moves, and tests compare them.

use std::{hint::black_box, sync::Arc};

use sha2::{Digest, Sha256};

use super::{
    ONE,
    columns::WrongFile,
    file::FourFile,
    files::FourFiles,
    framed::Framed,
    pair::{PROMOTED, Pair},
    rays::{Rays, each},
    told::sharp,
};
use crate::board::{
    Color, Square,
    orthodox::{BISHOP, KING, KNIGHT, PAWN, QUEEN},
};

/// The bounds of three pieces: whose the third one is, its kind, and where White's king stands, Black's and the third piece.
pub(in crate::richman) type OfThree<'t> = &'t dyn Fn(Color, u8, [usize; 3]) -> [u64; 2];

/// The files of a pair and of all that promotions lead to.
pub(in crate::richman) struct FourBook {
    file: Arc<FourFile>,
    /// By what the pawn becomes, in the order of [`PROMOTED`].
    promoted: Vec<Arc<FourFile>>,
    /// A name that other files do not have.
    digest: String,
}

/// A move of one side, and bounds of what it leads to.
#[derive(Clone, Copy)]
pub(in crate::richman) struct FourStep {
    pub(in crate::richman) kind: u8,
    pub(in crate::richman) from: u8,
    pub(in crate::richman) to: u8,
    pub(in crate::richman) promotion: Option<u8>,
    /// Set if something is captured, and if that is the king.
    pub(in crate::richman) takes: bool,
    pub(in crate::richman) ends: bool,
    /// Where another piece of the same kind stands that could go there too.
    pub(in crate::richman) rival: Option<u8>,
    /// The lower bound of α after it and the upper one of β, in multiples of 2⁻⁶³.
    pub(in crate::richman) bounds: [u64; 2],
    /// Set unless another move of this side is proved better.
    pub(in crate::richman) best: bool,
    /// Its place in the table, where the bounds are not known yet.
    place: Option<u32>,
}

/// What is known of a position, as its own sides see it.
pub(in crate::richman) struct FourOutlook {
    /// Bounds of α and of β, in multiples of 2⁻⁶³.
    pub(in crate::richman) thresholds: [[u64; 2]; 2],
    /// True where α and β are as good as one, false where α < β is proved.
    pub(in crate::richman) sharp: Option<bool>,
    /// Bounds of what the move is worth to both sides together.
    pub(in crate::richman) wanted: [i128; 2],
    /// All moves of White and of Black in the order in which they are told.
    pub(in crate::richman) sides: [Vec<FourStep>; 2],
}

/// Bounds as the other side sees them.
fn turned([low, high]: [u64; 2]) -> [u64; 2] {
    [ONE - high, ONE - low]
}

/// The order of moves by their names in UCI: files before ranks, and of what a pawn becomes bishop, knight, queen and rook.
fn by_name(step: &FourStep) -> u16 {
    let by_file = |square: u8| u16::from(square % 8 * 8 + square / 8);
    let promotion = match step.promotion {
        None => 0,
        Some(BISHOP) => 1,
        Some(KNIGHT) => 2,
        Some(QUEEN) => 3,
        Some(_) => 4,
    };
    by_file(step.from) << 9 | by_file(step.to) << 3 | promotion
}

/// The bounds of what the best move leads to.
fn best(mover: Color, steps: &[FourStep]) -> [u64; 2] {
    let bounds = steps.iter().map(|step| step.bounds);
    match mover {
        Color::White => bounds.fold([0; 2], |best, [low, high]| [low.max(best[0]), high.max(best[1])]),
        Color::Black => bounds.fold([ONE; 2], |best, [low, high]| [low.min(best[0]), high.min(best[1])]),
    }
}

/// The moves of a side in the order in which they are told, from the other side of the board if it is reversed.
fn ordered(mover: Color, steps: &mut [FourStep], reversed: bool) -> Vec<FourStep> {
    let key = |(at, step): (usize, &mut FourStep)| {
        let far = match mover {
            Color::White => ONE - step.bounds[0],
            Color::Black => step.bounds[1],
        };
        if reversed {
            (step.from, step.to, step.rival) = (step.from ^ 56, step.to ^ 56, step.rival.map(|rival| rival ^ 56));
            step.bounds = turned(step.bounds);
        }
        (far, by_name(step), at as u8)
    };
    let mut keys: Vec<(u64, u16, u8)> = steps.iter_mut().enumerate().map(key).collect();
    keys.sort_unstable();
    keys.into_iter().map(|(_, _, at)| steps[usize::from(at)]).collect()
}

impl FourBook {
    /// Opens the files of a pair; nothing where one of them is missing.
    ///
    /// # Errors
    /// If one of them cannot be used.
    pub(in crate::richman) fn open(files: &FourFiles, pair: Pair) -> Result<Option<FourBook>, WrongFile> {
        let Some(file) = files.open(pair)? else { return Ok(None) };
        let mut promoted = Vec::new();
        for kind in PROMOTED.into_iter().filter(|_| pair.pawns() > 0) {
            let Some(file) = files.open(pair.with(kind))? else { return Ok(None) };
            promoted.push(file);
        }
        let mut digest = Sha256::new();
        digest.update(env!("CARGO_PKG_VERSION"));
        std::iter::once(&file).chain(&promoted).for_each(|file| digest.update(file.sum));
        let digest = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Some(FourBook { file, promoted, digest }))
    }

    /// A name that other files do not have, in hexadecimal.
    pub(in crate::richman) fn digest(&self) -> &str {
        &self.digest
    }

    /// What is known of a position of this pair in which nothing may be captured in passing.
    pub(in crate::richman) fn outlook(&self, framed: Framed, rays: &Rays, three: OfThree<'_>) -> FourOutlook {
        let here = self.file.numbering.place(framed.quad);
        let mut sides = Color::BOTH.map(|mover| self.steps(mover, framed, rays, three));
        // Hardly any of this is in the processor's caches: so all of it is fetched at once before it is looked at one by one.
        let places = sides.iter().flatten().filter_map(|step| step.place);
        black_box(places.fold(self.file.touch(here), |all, place| all ^ self.file.touch(place as usize)));
        let [alpha, beta] = self.file.at(here);
        for step in sides.iter_mut().flatten() {
            if let Some(place) = step.place {
                step.bounds = self.file.outer(place as usize);
            }
        }
        let best = Color::BOTH.map(|mover| best(mover, &sides[mover.index()]));
        let [[most, high], [least, greatest]] = best.map(|bounds| bounds.map(i128::from));
        let wanted = [most - greatest, high - least];
        let mut sides = Color::BOTH.map(|mover| {
            let steps = &mut sides[mover.index()];
            for step in &mut *steps {
                step.best = match mover {
                    Color::White => step.bounds[1] >= best[0][0],
                    Color::Black => step.bounds[0] <= best[1][1],
                };
            }
            ordered(mover, steps, framed.reversed)
        });
        let thresholds = if framed.reversed { [turned(beta), turned(alpha)] } else { [alpha, beta] };
        if framed.reversed {
            sides.swap(0, 1);
        }
        FourOutlook { thresholds, sharp: sharp(thresholds.map(|bounds| bounds.map(i128::from))), wanted, sides }
    }

    /// The moves of a side as the table sees the board, with bounds or with places where these are.
    fn steps(&self, mover: Color, framed: Framed, rays: &Rays, three: OfThree<'_>) -> Vec<FourStep> {
        let Framed { pair: Pair { first, second, together }, quad, .. } = framed;
        let stand = [quad.king, quad.bare, quad.first, quad.second].map(Square::index);
        let kinds = [KING, KING, first, second];
        let owners = [Color::White, Color::Black, Color::White, if together { Color::White } else { Color::Black }];
        let all =
            |of: &dyn Fn(usize) -> bool| (0..4).filter(|unit| of(*unit)).fold(0, |all, unit| all | 1 << stand[unit]);
        let (occupied, own) = (all(&|_| true), all(&|unit| owners[unit] == mover));
        let reach = |unit: usize| match kinds[unit] {
            PAWN => rays.pawn(mover == Color::White, stand[unit], occupied) & !own,
            kind => rays.reach(kind, stand[unit], occupied) & !own,
        };
        // Of two pawns of a side each is named by its file where both can capture.
        let alike = together && mover == Color::White && first == second && first != PAWN;
        let mut steps = Vec::with_capacity(64);
        for unit in (0..4).filter(|unit| owners[*unit] == mover) {
            let (kind, from) = (kinds[unit], stand[unit]);
            let other = (alike && unit > 1).then(|| (stand[5 - unit], reach(5 - unit)));
            each(reach(unit), |to| {
                let taken = if occupied >> to & 1 == 1 { (0..4).find(|other| stand[*other] == to) } else { None };
                let mut after = stand;
                after[unit] = to;
                let step = FourStep {
                    kind,
                    from: from as u8,
                    to: to as u8,
                    promotion: None,
                    takes: taken.is_some(),
                    ends: matches!(taken, Some(0 | 1)),
                    rival: other.filter(|(_, goes)| goes >> to & 1 == 1).map(|(stands, _)| stands as u8),
                    bounds: [if mover == Color::White { ONE } else { 0 }; 2],
                    best: false,
                    place: None,
                };
                let after = Moved { owners, kinds, squares: after };
                if kind == PAWN && !(8..56).contains(&to) {
                    steps.extend(PROMOTED.map(|promotion| {
                        let mut after = after;
                        after.kinds[unit] = promotion;
                        let bounds = match taken {
                            Some(0 | 1) => step.bounds,
                            Some(taken) => after.three(taken, three),
                            None => self.promoted(after, framed.reversed),
                        };
                        FourStep { promotion: Some(promotion), bounds, ..step }
                    }));
                    return;
                }
                steps.push(match taken {
                    Some(0 | 1) => step,
                    Some(taken) => FourStep { bounds: after.three(taken, three), ..step },
                    None => FourStep { place: Some(self.place(mover, from, after.squares) as u32), ..step },
                });
            });
        }
        steps
    }

    /// The place after a move from a square of what then stands there.
    #[inline(always)]
    fn place(&self, mover: Color, from: usize, [king, bare, first, second]: [usize; 4]) -> usize {
        let numbering = &self.file.numbering;
        let (to, other) = if mover == Color::White { (first, second) } else { (second, first) };
        let beside = to / 8 == other / 8 && to.abs_diff(other) == 1;
        if self.file.pair.passes() && beside && to.abs_diff(from) == 16 {
            return numbering.passing(mover, king, bare, to, other);
        }
        numbering.at(king, bare, first, second)
    }

    /// The bounds after a promotion. They are looked up with the position's own colours: of two like pieces against each other no table knows both.
    fn promoted(&self, Moved { owners, kinds, squares }: Moved, reversed: bool) -> [u64; 2] {
        let own = |unit: usize| Square::at(if reversed { squares[unit] ^ 56 } else { squares[unit] });
        let piece = |unit: usize| (if reversed { !owners[unit] } else { owners[unit] }, kinds[unit], own(unit));
        let framed = Framed::new(if reversed { [own(1), own(0)] } else { [own(0), own(1)] }, [piece(2), piece(3)]);
        let file = self.promoted.iter().find(|file| file.pair == framed.pair);
        let [alpha, beta] = file.map_or([[0, ONE]; 2], |file| file.bounds(framed.quad));
        let bounds = [alpha[0], beta[1]];
        if framed.reversed == reversed { bounds } else { turned(bounds) }
    }
}

/// What stands after a move: White's king, Black's, the first piece and the second.
#[derive(Clone, Copy)]
struct Moved {
    owners: [Color; 4],
    kinds: [u8; 4],
    squares: [usize; 4],
}

impl Moved {
    /// The bounds after the capture of one of the two pieces.
    fn three(&self, taken: usize, of: OfThree<'_>) -> [u64; 2] {
        let (left, [king, bare, ..]) = (5 - taken, self.squares);
        of(self.owners[left], self.kinds[left], [king, bare, self.squares[left]])
    }
}
