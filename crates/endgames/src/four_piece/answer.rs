//! Answers for positions of four and five pieces: proved bounds of α, β, the bid and all moves.

use std::{cmp::Ordering, collections::HashMap};

use dashu_ratio::RBig;

use super::{
    NARROW,
    columns::WrongFile,
    exact::{FourExact, FourLimits, thresholds},
    files::{FourFiles, FourPlace},
    index::{FourPieceMaterial, NormalizedPosition},
    solve::rounded,
};
use crate::{
    Stop,
    advice::first_moves,
    answer::{Answer, Category, Choice, Enclosure, effects, is_over, label, scaled, unscaled, worth},
    board::{Color, Move, Position, Size, Square, orthodox},
    bounded_answer::{BoundedAnswer, EnclosedMove, Interval, MORE_DECIMALS, best_bounds, enclosure_to, is_zugzwang},
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
    Ok(worth(table, position).map(exact))
}

/// A move, and the bounds of the position after it.
struct BoundedMove {
    choice: Choice,
    after: Position,
    /// Bounds of α and of β.
    bounds: [[i128; 2]; 2],
    /// α and β, where they are known exactly.
    exact: [Option<RBig>; 2],
    /// The same for all positions that a symmetry of the board turns into this one.
    class: Vec<(u8, u8)>,
}

/// A position with its bounds and all moves.
pub(crate) struct BoundedPosition {
    question: Question,
    /// Bounds of α and of β.
    bounds: [[i128; 2]; 2],
    /// True if α = β is proved, false if α < β is, `None` if that is open.
    sharp: Option<bool>,
    /// Moves of White and of Black.
    sides: [Vec<BoundedMove>; 2],
}

/// Answer for a position, from `bounds` of α and β in positions that `table` does not cover. `None` if one of them is unknown.
pub(crate) fn bounded(
    question: &Question,
    table: &Table,
    bounds: &mut dyn FnMut(&Position) -> LookupResult,
) -> Result<Option<(Answer, BoundedAnswer)>, WrongFile> {
    Ok(BoundedPosition::find(question, table, bounds)?.map(|found| found.answer([None, None])))
}

impl BoundedPosition {
    fn find(
        question: &Question,
        table: &Table,
        bounds: &mut dyn FnMut(&Position) -> LookupResult,
    ) -> Result<Option<BoundedPosition>, WrongFile> {
        let Some(here) = bounds(&question.position)? else { return Ok(None) };
        let board = rules(question.size);
        let mut sides = [Vec::new(), Vec::new()];
        for mover in Color::BOTH {
            let mut from = question.position;
            from.turn = mover;
            let all = board.moves(&from);
            for mv in &all {
                let after = board.after(&from, *mv);
                let exact = worth(table, &after).map(|worth| table.exact(worth));
                let found = match &exact {
                    Some(exact) => Some([scaled(exact); 2]),
                    None => bounds(&after)?,
                };
                let Some(found) = found else { return Ok(None) };
                let (capture, zeroing) = effects(&from, &after);
                let category = if is_over(&after) { Category::Terminal } else { Category::Exact };
                let mut mv = BoundedMove {
                    choice: Choice {
                        uci: board.uci(*mv).to_string(),
                        san: board.san_among(&from, *mv, &all),
                        category,
                        value: exact.as_ref().map(Fraction::from),
                        alpha: enclosure_to(found[0], MORE_DECIMALS),
                        beta: enclosure_to(found[1], MORE_DECIMALS),
                        capture,
                        zeroing,
                        label: exact.is_some().then(|| label(table, &after, mover)),
                        best: None,
                    },
                    class: symmetry_class(question.size, &after),
                    after,
                    bounds: found,
                    exact: [exact.clone(), exact.clone()],
                };
                if exact.is_none() {
                    mv.know(known(found), found);
                }
                sides[mover.index()].push(mv);
            }
        }
        Ok(Some(BoundedPosition { question: question.clone(), bounds: here, sharp: sharp(here), sides }))
    }

    /// Tightens the bounds after the moves whose exact α or β is known.
    fn tighten(&mut self, files: &FourFiles, [lower, upper]: &[HashMap<FourPlace, RBig>; 2]) -> Result<(), WrongFile> {
        for mv in self.sides.iter_mut().flatten().filter(|mv| mv.choice.label.is_none()) {
            let Some((key, _)) = files.canonical(&mv.after)? else { continue };
            mv.exact = [lower.get(&key).cloned(), upper.get(&key).cloned()];
            let bounds = [0, 1].map(|end| mv.exact[end].as_ref().map_or(mv.bounds[end], scaled));
            let value = mv.exact[0].clone().filter(|_| mv.exact[0] == mv.exact[1]);
            mv.know(value.or_else(|| known(bounds)), bounds);
        }
        Ok(())
    }

    /// The answer. `first` names, for each side, a move that comes before all others that are as good by the bounds.
    pub(crate) fn answer(mut self, first: [Option<Move>; 2]) -> (Answer, BoundedAnswer) {
        let board = rules(self.question.size);
        for mover in Color::BOTH {
            let first = first[mover.index()].map(|mv| board.uci(mv).to_string());
            order(&mut self.sides[mover.index()], mover, first.as_deref());
        }
        let [alpha, beta] = self.bounds;
        let here = [alpha[0], beta[1]];
        let reached = Color::BOTH.map(|mover| {
            let outer = self.sides[mover.index()].iter().map(|mv| [mv.bounds[0][0], mv.bounds[1][1]]);
            best_bounds(mover, outer, here)
        });
        let wanted = [reached[0][0] - reached[1][1], reached[0][1] - reached[1][0]];
        // Half of an odd number is not a multiple of 2^−63: round outward.
        let bid = [wanted[0].div_euclid(2), -(-wanted[1]).div_euclid(2)];
        let (value, sharp, zugzwang) = (known(self.bounds), self.sharp, is_zugzwang(wanted));
        let sides = self.sides.map(|moves| moves.into_iter().map(|mv| (mv.choice, [mv.bounds[0][0], mv.bounds[1][1]])));
        let [white, black] = sides.map(Iterator::collect::<Vec<_>>);
        let enclosed_move = |(choice, outer): &(Choice, [i128; 2])| EnclosedMove {
            uci: choice.uci.clone(),
            san: choice.san.clone(),
            value: enclosure_to(*outer, MORE_DECIMALS),
            best: choice.best == Some(true),
        };
        let enclosed = BoundedAnswer {
            alpha: enclosure_to(alpha, MORE_DECIMALS),
            beta: enclosure_to(beta, MORE_DECIMALS),
            sharp,
            narrow: is_narrow(self.bounds),
            bid: enclosure_to(bid, MORE_DECIMALS),
            zugzwang,
            white: white.iter().map(enclosed_move).collect(),
            black: black.iter().map(enclosed_move).collect(),
        };
        let category = if value.is_some() { Category::Exact } else { Category::Interval };
        let answer = Answer {
            value: value.as_ref().map(Fraction::from),
            alpha: Some(Enclosure::between(alpha)),
            beta: Some(Enclosure::between(beta)),
            sharp,
            bid: Some(Enclosure::between(bid)),
            zugzwang,
            quiescent: is_quiescent(bid),
            white: white.into_iter().map(|(choice, _)| choice).collect(),
            black: black.into_iter().map(|(choice, _)| choice).collect(),
            ..self.question.blank(category, None)
        };
        (answer, enclosed)
    }
}

impl BoundedMove {
    /// Sets the bounds of α and β after the move, and the value if it is known.
    fn know(&mut self, value: Option<RBig>, bounds: [[i128; 2]; 2]) {
        self.bounds = bounds;
        self.choice.category = if value.is_some() { Category::Exact } else { Category::Interval };
        self.choice.value = value.as_ref().map(Fraction::from);
        [self.choice.alpha, self.choice.beta] = bounds.map(|bounds| enclosure_to(bounds, MORE_DECIMALS));
    }

    /// Bounds of the value that concerns the mover, and of the other: White's α and β, or Black's −β and −α. The mover wants more of both.
    fn wish(&self, mover: Color) -> [[i128; 2]; 2] {
        let [alpha, beta] = self.bounds;
        match mover {
            Color::White => [alpha, beta],
            Color::Black => [beta, alpha].map(|[low, high]| [-high, -low]),
        }
    }
}

/// Compares two moves in the value that concerns the mover. `None` if its bounds leave that open.
fn compare(one: &BoundedMove, two: &BoundedMove, mover: Color) -> Option<Ordering> {
    let exact = |mv: &BoundedMove| mv.exact[mover.index()].clone();
    let [[low, high], [other_low, other_high]] = [one, two].map(|mv| mv.wish(mover)[0]);
    match (exact(one), exact(two)) {
        (Some(one), Some(two)) if mover == Color::White => Some(one.cmp(&two)),
        (Some(one), Some(two)) => Some(two.cmp(&one)),
        (_, _) if one.class == two.class => Some(Ordering::Equal),
        (_, _) if low > other_high => Some(Ordering::Greater),
        (_, _) if high < other_low => Some(Ordering::Less),
        (_, _) if low == other_high && high == other_low => Some(Ordering::Equal),
        (_, _) => None,
    }
}

/// The value, if the bounds of α and β leave no other number.
fn known([alpha, beta]: [[i128; 2]; 2]) -> Option<RBig> {
    (alpha[0] == beta[1]).then(|| unscaled(alpha[0]))
}

/// Returns whether the bid is zero; `None` if its bounds leave that open.
fn is_quiescent(bid: [i128; 2]) -> Option<bool> {
    match bid {
        [0, 0] => Some(true),
        [low, high] if low > 0 || high < 0 => Some(false),
        [_, _] => None,
    }
}

/// Pieces of a position in a form that all its images under the symmetries of the board share. With pawns, only files are mirrored.
fn symmetry_class(size: Size, position: &Position) -> Vec<(u8, u8)> {
    let (width, height) = (size.width(), size.height());
    let pawns = Color::BOTH.into_iter().any(|color| !position.of_kind(color, orthodox::PAWN).is_empty());
    let images = match pawns {
        true => 2,
        false if width == height => 8,
        false => 4,
    };
    let image = |number: u8| {
        let place = |square: Square| {
            let (mut file, mut rank) = (square.file(), square.rank());
            file = if number & 1 == 0 { file } else { width - 1 - file };
            rank = if number & 2 == 0 { rank } else { height - 1 - rank };
            if number & 4 == 0 { file * 8 + rank } else { rank * 8 + file }
        };
        let pieces =
            position.pieces().map(|(square, piece)| (place(square), piece.kind * 2 + piece.color.index() as u8));
        let over = position.en_passant.into_iter().map(|square| (place(square), u8::MAX));
        let mut pieces: Vec<(u8, u8)> = pieces.chain(over).collect();
        pieces.sort_unstable();
        pieces
    };
    (0..images).map(image).min().unwrap_or_default()
}

/// Numbers of the groups of nearly equal values, the greatest value first. Neighbours in a group differ by at most [`NARROW`].
fn groups(values: &[i128]) -> Vec<usize> {
    let mut places: Vec<usize> = (0..values.len()).collect();
    places.sort_by_key(|place| std::cmp::Reverse(values[*place]));
    let mut groups = vec![0; values.len()];
    for pair in places.windows(2) {
        let near = values[pair[0]] - values[pair[1]] <= i128::from(NARROW);
        groups[pair[1]] = groups[pair[0]] + usize::from(!near);
    }
    groups
}

/// Marks the best moves of a side and sorts its moves, best first for the mover: by α for White and by β for Black. If these are equal or too close
/// to compare, `first` comes first; the rest follow by the other value, the label and the UCI text.
fn order(moves: &mut [BoundedMove], mover: Color, first: Option<&str>) {
    for at in 0..moves.len() {
        let mv = &moves[at];
        let better = moves.iter().any(|other| compare(other, mv, mover) == Some(Ordering::Greater));
        // Not worse: the greatest value of the other move is at most the least value of this one.
        let not_worse = |other: &BoundedMove| {
            compare(other, mv, mover).is_some_and(Ordering::is_le) || other.wish(mover)[0][1] <= mv.wish(mover)[0][0]
        };
        let best = if better { Some(false) } else { moves.iter().all(not_worse).then_some(true) };
        moves[at].choice.best = best;
    }
    let lows = |end: usize| groups(&moves.iter().map(|mv| mv.wish(mover)[end][0]).collect::<Vec<_>>());
    let (own, other) = (lows(0), lows(1));
    let ranks: HashMap<String, _> = moves
        .iter()
        .enumerate()
        .map(|(at, mv)| {
            (
                mv.choice.uci.clone(),
                (own[at], first != Some(&*mv.choice.uci), other[at], mv.choice.label.unwrap_or(u16::MAX)),
            )
        })
        .collect();
    moves.sort_by(|a, b| ranks[&a.choice.uci].cmp(&ranks[&b.choice.uci]).then_with(|| a.choice.uci.cmp(&b.choice.uci)));
}

/// True if α = β is proved, false if α < β is proved, `None` if the bounds leave the question open.
pub(crate) fn sharp([alpha, beta]: [[i128; 2]; 2]) -> Option<bool> {
    if alpha[0] == beta[1] { Some(true) } else { (alpha[1] < beta[0]).then_some(false) }
}

/// Returns whether α and β differ by less than 10⁻¹⁵. This does not prove that they are equal.
pub(crate) fn is_narrow([alpha, beta]: [[i128; 2]; 2]) -> bool {
    beta[1] - alpha[0] <= i128::from(NARROW)
}

/// Bounds of β − α.
pub(super) fn gap([alpha, beta]: [[i128; 2]; 2]) -> [i128; 2] {
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
            && self.size == Size::ORTHODOX
            && NormalizedPosition::of(&self.position).is_some()
    }

    /// Answer for a four-piece position with its bounds. `None` if a file for it or for one of its moves is missing. `table` is the three-piece table
    /// of the 8x8 board.
    ///
    /// # Errors
    /// If a file cannot be used.
    pub fn of_four(&self, table: &Table, files: &FourFiles) -> Result<Option<(Answer, BoundedAnswer)>, WrongFile> {
        let Some(found) = self.bounded_of_four(table, files)? else { return Ok(None) };
        let first = first_moves(table, files, &self.position)?;
        Ok(Some(found.answer(first)))
    }

    /// Bounds of a four-piece position and of its moves. `None` if a file for it or for one of its moves is missing.
    pub(crate) fn bounded_of_four(
        &self,
        table: &Table,
        files: &FourFiles,
    ) -> Result<Option<BoundedPosition>, WrongFile> {
        if !self.is_of_four() {
            return Ok(None);
        }
        let found = BoundedPosition::find(self, table, &mut |position| thresholds_of(table, files, position))?;
        let Some(found) = found else { return Ok(None) };
        Ok(Some(BoundedPosition { sharp: files.sharp(&self.position)?, ..found }))
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
        let Some(mut found) = self.bounded_of_four(table, files)? else { return Ok(None) };
        let first = first_moves(table, files, &self.position)?;
        let Some(FourExact { alpha, beta, bid, after, .. }) = thresholds(table, files, &self.position, limits, stop)?
        else {
            return Ok(Some(found.answer(first)));
        };
        found.tighten(files, &after)?;
        let (answer, enclosed) = found.answer(first);
        let sharp = Some(alpha == beta);
        let answer = Answer {
            category: if alpha == beta { Category::Exact } else { Category::Interval },
            value: (alpha == beta).then(|| Fraction::from(&alpha)),
            alpha: Some(Enclosure::exact(&alpha)),
            beta: Some(Enclosure::exact(&beta)),
            sharp,
            zugzwang: bid.as_ref().map(|bid| *bid < RBig::ZERO).or(answer.zugzwang),
            quiescent: bid.as_ref().map(RBig::is_zero).or(answer.quiescent),
            bid: bid.as_ref().map(Enclosure::exact).or(answer.bid),
            ..answer
        };
        Ok(Some((answer, BoundedAnswer { sharp, ..enclosed })))
    }
}
