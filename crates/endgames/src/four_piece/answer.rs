//! Answers for four-piece positions: proved bounds of α, β, the bid and all moves. Also searches a table by α, β and gap, which reads
//! the whole file once (some tens of megabytes).

use dashu_ratio::RBig;

use super::{
    NARROW, ONE,
    bound_table::StateSpace,
    columns::WrongFile,
    exact::{FourExact, FourLimits, thresholds},
    files::{FourFile, FourFiles},
    index::{FourPieceMaterial, NormalizedPosition},
    move_generation::MoveGenerator,
    solve::rounded,
};
use crate::{
    Stop,
    answer::{Answer, Category, worth},
    board::{Color, Position, Size},
    bounded_answer::{BoundedAnswer, BoundedMove, Interval, MORE_DECIMALS, enclosure_to, is_zugzwang, publish_moves},
    fractions::Fraction,
    move_graph::rules,
    position_query::{Question, TableCoverage, coverage},
    table::Table,
};

/// Bounds of α and of β; `None` if there is no file for the position.
type LookupResult = Result<Option<[[i128; 2]; 2]>, WrongFile>;

/// Bounds of α and of β in a position of up to four pieces, or in one that is over.
pub(crate) fn thresholds_of(table: &Table, files: &FourFiles, position: &Position) -> LookupResult {
    if let TableCoverage::Uncovered(_) = coverage(table.size(), position) {
        return files.bounds(position);
    }
    let exact = |worth| [rounded(&table.exact(worth)).map(i128::from); 2];
    Ok(worth(table, table.size(), position).map(exact))
}

/// Answer for a position, from `bounds` of α and β in it and after every move. `None` if one of them is unknown.
pub(crate) fn bounded(
    question: &Question,
    bounds: &mut dyn FnMut(&Position) -> LookupResult,
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
        sides.push(publish_moves(moves, mover, here, MORE_DECIMALS));
    }
    let (Some((black, least)), Some((white, most))) = (sides.pop(), sides.pop()) else { return Ok(None) };
    let wanted = [most[0] - least[1], most[1] - least[0]];
    let enclosed = BoundedAnswer {
        alpha: enclosure_to(alpha, MORE_DECIMALS),
        beta: enclosure_to(beta, MORE_DECIMALS),
        sharp: sharp([alpha, beta]),
        // Half of an odd number is not a multiple of 2^−63: round outward.
        bid: enclosure_to([wanted[0].div_euclid(2), -(-wanted[1]).div_euclid(2)], MORE_DECIMALS),
        zugzwang: is_zugzwang(wanted),
        white,
        black,
    };
    let (sharp, zugzwang) = (enclosed.sharp, enclosed.zugzwang);
    Ok(Some((Answer { sharp, zugzwang, ..question.blank(Category::Interval, None) }, enclosed)))
}

/// True if the bounds of α and β are narrow, false if α < β is proved, `None` otherwise.
pub(crate) fn sharp([alpha, beta]: [[i128; 2]; 2]) -> Option<bool> {
    if beta[1] - alpha[0] <= i128::from(NARROW) { Some(true) } else { (alpha[1] < beta[0]).then_some(false) }
}

/// Bounds of β − α.
fn gap([alpha, beta]: [[i128; 2]; 2]) -> [i128; 2] {
    [(beta[0] - alpha[1]).max(0), beta[1] - alpha[0]]
}

/// Bounds of α, β and β − α.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FourShares {
    /// The lower value: what White can force.
    pub alpha: Interval,
    /// The upper value: 1 minus what Black can force.
    pub beta: Interval,
    /// The gap β − α.
    pub gap: Interval,
}

impl FourShares {
    /// Converts the bounds of α and β.
    pub(super) fn new([alpha, beta]: [[i128; 2]; 2]) -> FourShares {
        FourShares {
            alpha: enclosure_to(alpha, MORE_DECIMALS),
            beta: enclosure_to(beta, MORE_DECIMALS),
            gap: enclosure_to(gap([alpha, beta]), MORE_DECIMALS),
        }
    }
}

impl Question {
    /// Material of the position, if a table of four pieces can cover it.
    pub fn pair(&self) -> Option<FourPieceMaterial> {
        NormalizedPosition::of(&self.position).filter(|_| self.is_of_four()).map(|framed| framed.pair)
    }

    /// Bounds of α and β in a four-piece position. `None` if there is no file for it.
    ///
    /// # Errors
    /// If its file cannot be used.
    pub fn shares_of_four(&self, files: &FourFiles) -> Result<Option<FourShares>, WrongFile> {
        if !self.is_of_four() {
            return Ok(None);
        }
        Ok(files.bounds(&self.position)?.map(FourShares::new))
    }

    /// Returns whether a table of four pieces can cover the position, on this server or another.
    pub fn is_of_four(&self) -> bool {
        matches!(self.coverage, TableCoverage::Uncovered(_))
            && !self.castling
            && self.size == crate::board::Size::ORTHODOX
            && NormalizedPosition::of(&self.position).is_some()
    }

    /// Answer for a four-piece position with its bounds. `None` if a file for it or for one of its moves is missing. `table` is the three-piece table
    /// of the 8x8 board.
    ///
    /// # Errors
    /// If a file cannot be used.
    pub fn of_four(&self, table: &Table, files: &FourFiles) -> Result<Option<(Answer, BoundedAnswer)>, WrongFile> {
        if !self.is_of_four() {
            return Ok(None);
        }
        bounded(self, &mut |position| thresholds_of(table, files, position))
    }

    /// The answer with exact α and β, if they are found within the limits and before `stop` returns true. Then `sharp` is known; if it is true, so
    /// are the value and the bid.
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

/// A closed range in multiples of 2⁻⁶³.
type Scaled = [Option<i128>; 2];

/// Search criteria; `None` means any. If only bounds of a number are known, the position matches if the number may lie in the range.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FourSought {
    /// Smallest and largest α.
    pub alpha: [Option<RBig>; 2],
    /// Smallest and largest β.
    pub beta: [Option<RBig>; 2],
    /// Smallest and largest β − α.
    pub gap: [Option<RBig>; 2],
    /// Index after which the search starts.
    pub after: Option<u32>,
}

/// A position found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FourFinding {
    /// The position, with its en passant right if it has one.
    pub position: Position,
    /// Its bounds.
    pub shares: FourShares,
}

/// One page of search results.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FourFindings {
    /// Number of results on all pages, up to symmetry.
    pub total: usize,
    /// Results on this page, in index order.
    pub found: Vec<FourFinding>,
    /// Index after which the next page starts.
    pub next: Option<u32>,
}

/// Ends of a range, rounded inward.
fn scaled([least, greatest]: &[Option<RBig>; 2]) -> Scaled {
    let times = |end: &RBig| end * RBig::from(ONE);
    // Ends too large for `i128` are beyond all bounds.
    let whole = |end: dashu_int::IBig, beyond: i128| i128::try_from(end).unwrap_or(beyond);
    [
        least.as_ref().map(|end| whole(times(end).ceil(), if *end < RBig::ZERO { i128::MIN } else { i128::MAX })),
        greatest.as_ref().map(|end| whole(times(end).floor(), if *end < RBig::ZERO { i128::MIN } else { i128::MAX })),
    ]
}

/// Returns whether a number between bounds may lie in a range.
fn may_lie_in([low, high]: [i128; 2], [least, greatest]: Scaled) -> bool {
    least.is_none_or(|least| high >= least) && greatest.is_none_or(|greatest| low <= greatest)
}

impl FourFile {
    /// Searches all positions and returns the first `most` matches after `sought.after`.
    pub fn search(&self, sought: &FourSought, most: usize) -> FourFindings {
        let ranges = [&sought.alpha, &sought.beta, &sought.gap].map(scaled);
        let (walk, mut findings, mut last) = (MoveGenerator::new(self.pair), FourFindings::default(), None);
        for place in 0..walk.len() {
            let bounds = self.at(place).map(|bounds| bounds.map(i128::from));
            let numbers = [bounds[0], bounds[1], gap(bounds)];
            let spot = walk.numbering.spot(place);
            if !numbers.into_iter().zip(ranges).all(|(number, range)| may_lie_in(number, range))
                || !walk.is_position(spot)
            {
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
