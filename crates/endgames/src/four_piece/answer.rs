//! The answer about a position of four pieces: proved bounds of α and β, of the bid and of all moves. A search lists the positions of a table by their
//! thresholds; it reads the whole file once, some tens of megabytes.

use dashu_ratio::RBig;

use super::{
    NARROW, ONE,
    bound_table::StateSpace,
    columns::WrongFile,
    exact::{FourExact, FourLimits, thresholds},
    files::{FourFile, FourFiles},
    index::{FourPieceMaterial, NormalizedPosition},
    move_generation::Walk,
    solve::rounded,
};
use crate::{
    Stop,
    answer::{Answer, Category, worth},
    board::{Color, Position, Size},
    bounded_answer::{BoundedAnswer, BoundedMove, Interval, MORE_DECIMALS, enclosure_to, told, unwanted},
    fractions::Fraction,
    move_graph::rules,
    position_query::{Question, TableCoverage, standing},
    table::Table,
};

/// The bounds of α and of β, nothing where no file tells of them, or a file that cannot be used.
type Looked = Result<Option<[[i128; 2]; 2]>, WrongFile>;

/// The bounds of α and of β in a position of at most four pieces, or in one that is over.
pub(crate) fn thresholds_of(table: &Table, files: &FourFiles, position: &Position) -> Looked {
    if let TableCoverage::Beyond(_) = standing(table.size(), position) {
        return files.bounds(position);
    }
    let exact = |worth| [rounded(&table.exact(worth)).map(i128::from); 2];
    Ok(worth(table, table.size(), position).map(exact))
}

/// The answer about a position from bounds of α and of β in it and in all that a move leads to; nothing where one of them is not known.
pub(crate) fn bounded(
    question: &Question,
    bounds: &mut dyn FnMut(&Position) -> Looked,
) -> Result<Option<(Answer, BoundedAnswer)>, WrongFile> {
    let Some([alpha, beta]) = bounds(&question.position)? else { return Ok(None) };
    let here = [alpha[0], beta[1]];
    let board = rules(question.size);
    let mut sides = Vec::new();
    for mover in Color::BOTH {
        let mut from = question.position;
        from.turn = mover;
        let all = board.moves(&from);
        let mut moves: Vec<BoundedMove> = Vec::new();
        for mv in &all {
            let Some([alpha, beta]) = bounds(&board.after(&from, *mv))? else { return Ok(None) };
            let worth = [alpha[0], beta[1]];
            moves.push((board.uci(*mv).to_string(), board.san_among(&from, *mv, &all), worth));
        }
        sides.push(told(moves, mover, here, MORE_DECIMALS));
    }
    let (Some((black, least)), Some((white, most))) = (sides.pop(), sides.pop()) else { return Ok(None) };
    let wanted = [most[0] - least[1], most[1] - least[0]];
    let enclosed = BoundedAnswer {
        alpha: enclosure_to(alpha, MORE_DECIMALS),
        beta: enclosure_to(beta, MORE_DECIMALS),
        sharp: sharp([alpha, beta]),
        // Half of an odd number is a multiple of 2^−64: rounded outward.
        bid: enclosure_to([wanted[0].div_euclid(2), -(-wanted[1]).div_euclid(2)], MORE_DECIMALS),
        zugzwang: unwanted(wanted),
        white,
        black,
    };
    let (sharp, zugzwang) = (enclosed.sharp, enclosed.zugzwang);
    Ok(Some((Answer { sharp, zugzwang, ..question.blank(Category::Interval, None) }, enclosed)))
}

/// True where α and β are as good as one, by their bounds, and false where α < β is proved.
pub(crate) fn sharp([alpha, beta]: [[i128; 2]; 2]) -> Option<bool> {
    if beta[1] - alpha[0] <= i128::from(NARROW) { Some(true) } else { (alpha[1] < beta[0]).then_some(false) }
}

/// Bounds of β − α from those of α and of β.
fn gap([alpha, beta]: [[i128; 2]; 2]) -> [i128; 2] {
    [(beta[0] - alpha[1]).max(0), beta[1] - alpha[0]]
}

/// Bounds of α, of β and of β − α.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FourShares {
    /// What White can force.
    pub alpha: Interval,
    /// What Black cannot overcome.
    pub beta: Interval,
    /// How much lies between them.
    pub gap: Interval,
}

impl FourShares {
    /// Of the bounds of α and of β.
    pub(super) fn new([alpha, beta]: [[i128; 2]; 2]) -> FourShares {
        FourShares {
            alpha: enclosure_to(alpha, MORE_DECIMALS),
            beta: enclosure_to(beta, MORE_DECIMALS),
            gap: enclosure_to(gap([alpha, beta]), MORE_DECIMALS),
        }
    }
}

impl Question {
    /// The pieces beside the kings, if a table of four pieces could tell of this.
    pub fn pair(&self) -> Option<FourPieceMaterial> {
        NormalizedPosition::of(&self.position).filter(|_| self.is_of_four()).map(|framed| framed.pair)
    }

    /// What is known of α and β in a position of four pieces; nothing where no file tells of it.
    ///
    /// # Errors
    /// If its file cannot be used.
    pub fn shares_of_four(&self, files: &FourFiles) -> Result<Option<FourShares>, WrongFile> {
        if !self.is_of_four() {
            return Ok(None);
        }
        Ok(files.bounds(&self.position)?.map(FourShares::new))
    }

    /// Tells whether a table of four pieces could tell of this, on some server.
    pub fn is_of_four(&self) -> bool {
        matches!(self.standing, TableCoverage::Beyond(_))
            && !self.castling
            && self.size == crate::board::Size::ORTHODOX
            && NormalizedPosition::of(&self.position).is_some()
    }

    /// What is known of a position of four pieces, and the answer that goes with it; nothing where no file tells of it or of what it turns into. The
    /// table is that of three pieces on the ordinary board.
    ///
    /// # Errors
    /// If a file cannot be used.
    pub fn of_four(&self, table: &Table, files: &FourFiles) -> Result<Option<(Answer, BoundedAnswer)>, WrongFile> {
        if !self.is_of_four() {
            return Ok(None);
        }
        bounded(self, &mut |position| thresholds_of(table, files, position))
    }

    /// The same with the exact α and β, if they are found within limits and before `stop` says so: then `sharp` is known, and where it is true the value and the bid are.
    ///
    /// # Errors
    /// If a file cannot be used.
    pub fn of_four_exactly(
        &self,
        table: &Table,
        files: &FourFiles,
        limits: FourLimits,
        stop: Stop,
    ) -> Result<Option<(Answer, BoundedAnswer)>, WrongFile> {
        let Some((answer, enclosed)) = self.of_four(table, files)? else { return Ok(None) };
        let Some(FourExact { alpha, beta, bid, .. }) = thresholds(table, files, &self.position, limits, stop)? else {
            return Ok(Some((answer, enclosed)));
        };
        let sharp = alpha == beta;
        let answer = Answer {
            category: if sharp { Category::Exact } else { Category::Interval },
            value: sharp.then(|| Fraction::from(&alpha)),
            alpha: Some(Fraction::from(&alpha)),
            beta: Some(Fraction::from(&beta)),
            sharp: Some(sharp),
            zugzwang: bid.as_ref().map(|bid| *bid < RBig::ZERO).or(answer.zugzwang),
            quiescent: bid.as_ref().map(RBig::is_zero),
            bid: bid.as_ref().map(Fraction::from),
            ..answer
        };
        Ok(Some((answer, BoundedAnswer { sharp: Some(sharp), ..enclosed })))
    }
}

/// A range in multiples of 2⁻⁶³, of which both ends count.
type Scaled = [Option<i128>; 2];

/// What a position must be; what is left out may be anything. Where only bounds are known, a number that may lie in the range is taken for one that does.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FourSought {
    /// The least α and the greatest.
    pub alpha: [Option<RBig>; 2],
    /// The least β and the greatest.
    pub beta: [Option<RBig>; 2],
    /// The least β − α and the greatest.
    pub gap: [Option<RBig>; 2],
    /// The place after which to begin.
    pub after: Option<u32>,
}

/// A position that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FourFinding {
    /// It, with the right to capture in passing if that is a part of it.
    pub position: Position,
    /// What is known of it.
    pub shares: FourShares,
}

/// Some of the positions that were found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FourFindings {
    /// How many there are in all, on this page and on others, up to the symmetries of the board.
    pub total: usize,
    /// Those of this page, in the order of their places.
    pub found: Vec<FourFinding>,
    /// The place after which the next page begins.
    pub next: Option<u32>,
}

/// The ends of a range, rounded inward.
fn scaled([least, greatest]: &[Option<RBig>; 2]) -> Scaled {
    let times = |end: &RBig| end * RBig::from(ONE);
    // What is beyond all bounds is beyond them in either direction.
    let whole = |end: dashu_int::IBig, beyond: i128| i128::try_from(end).unwrap_or(beyond);
    [
        least.as_ref().map(|end| whole(times(end).ceil(), if *end < RBig::ZERO { i128::MIN } else { i128::MAX })),
        greatest.as_ref().map(|end| whole(times(end).floor(), if *end < RBig::ZERO { i128::MIN } else { i128::MAX })),
    ]
}

/// Tells whether a number between bounds may lie in a range.
fn may([low, high]: [i128; 2], [least, greatest]: Scaled) -> bool {
    least.is_none_or(|least| high >= least) && greatest.is_none_or(|greatest| low <= greatest)
}

impl FourFile {
    /// Looks at every position once, and tells the first `most` of those that are sought.
    pub fn among(&self, sought: &FourSought, most: usize) -> FourFindings {
        let ranges = [&sought.alpha, &sought.beta, &sought.gap].map(scaled);
        let (walk, mut findings, mut last) = (Walk::new(self.pair), FourFindings::default(), None);
        for place in 0..walk.len() {
            let bounds = self.at(place).map(|bounds| bounds.map(i128::from));
            let numbers = [bounds[0], bounds[1], gap(bounds)];
            let spot = walk.numbering.spot(place);
            if !numbers.into_iter().zip(ranges).all(|(number, range)| may(number, range)) || !walk.stands(spot) {
                continue;
            }
            findings.total += 1;
            let framed = NormalizedPosition { pair: self.pair, quad: walk.numbering.quad(place), reversed: false };
            let place = place as u32;
            if sought.after.is_some_and(|after| place <= after) {
                continue;
            }
            if findings.found.len() == most {
                findings.next = last;
                continue;
            }
            last = Some(place);
            let (position, shares) = (framed.position(rules(Size::ORTHODOX)), FourShares::new(bounds));
            findings.found.push(FourFinding { position, shares });
        }
        findings
    }
}
