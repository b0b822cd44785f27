//! Measured values of pieces: results of games and pairs of games with their intervals, in floating point, and the table of atoms that comes
//! with the program.

use std::{fmt, str::FromStr, sync::LazyLock};

use crate::{
    board::{ElementaryStep, HopCondition},
    rules::{Outcome, Seat},
};

/// One line for each army that was tried: the piece, or `-` for the army without a knight; its price; the five counts of its pairs.
/// Lines that begin with `#` say how it was made.
const ATOMS: &str = include_str!("atoms.txt");

/// The name of the army without a knight in [`ATOMS`].
pub const RULER: &str = "-";

/// The results of an army with a piece, as they stand in the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeasuredAtom {
    /// The piece.
    pub piece: String,
    /// Its results.
    pub pairs: PairedResults,
}

static TABLE: LazyLock<Vec<MeasuredAtom>> = LazyLock::new(|| {
    let lines = ATOMS.lines().filter(|line| !line.starts_with('#'));
    let read = |line: &str| {
        let mut words = line.splitn(3, ' ');
        let (piece, _, pairs) = (words.next()?, words.next()?, words.next()?);
        Some(MeasuredAtom { piece: piece.to_owned(), pairs: pairs.parse().ok()? })
    };
    lines.filter_map(read).collect()
});

/// The atoms of the table, in its order.
pub fn atoms() -> impl Iterator<Item = &'static MeasuredAtom> {
    TABLE.iter().filter(|line| line.piece != RULER)
}

/// The results of the army that lacks one knight.
pub fn ruler() -> PairedResults {
    TABLE.iter().find(|line| line.piece == RULER).map_or_else(PairedResults::default, |line| line.pairs)
}

/// Steps as text, as `0,1,1mc 1,1,8c`: files, ranks and reach, how a ride bends, and letters for what else is true of it.
pub(super) fn steps_text(steps: &[ElementaryStep]) -> String {
    let step = |step: &ElementaryStep| {
        let ElementaryStep { dx, dy, reach, moves, captures, lame, then, hurdle, first } = *step;
        let hops = [(hurdle == HopCondition::One, 'p'), (hurdle == HopCondition::Last, 'g'), (first, 'i')];
        let letters = [(moves, 'm'), (captures, 'c'), (lame, 'n')].into_iter().chain(hops).filter(|(has, _)| *has);
        let letters: String = letters.map(|(_, letter)| letter).collect();
        let bent = if then == (dx, dy) { String::new() } else { format!(":{},{}", then.0, then.1) };
        format!("{dx},{dy},{reach}{bent}{letters}")
    };
    steps.iter().map(step).collect::<Vec<_>>().join(" ")
}

/// The steps that a text means; nothing if it means none.
pub(super) fn parse_steps(text: &str) -> Option<Vec<ElementaryStep>> {
    text.split(' ').map(parse_step).collect()
}

fn parse_step(text: &str) -> Option<ElementaryStep> {
    let end = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (numbers, letters) = text.split_at(end);
    let (leap, bent) = numbers.split_once(':').map_or((numbers, None), |(leap, bent)| (leap, Some(bent)));
    let (leap, reach) = leap.rsplit_once(',')?;
    let pair = |text: &str| {
        let (dx, dy) = text.split_once(',')?;
        Some((dx.parse::<i8>().ok()?, dy.parse::<i8>().ok()?))
    };
    let (dx, dy) = pair(leap)?;
    let has = |letter| letters.contains(letter);
    Some(ElementaryStep {
        dx,
        dy,
        reach: reach.parse().ok()?,
        moves: has('m'),
        captures: has('c'),
        lame: has('n'),
        then: bent.map_or(Some((dx, dy)), pair)?,
        hurdle: match (has('p'), has('g')) {
            (true, _) => HopCondition::One,
            (false, true) => HopCondition::Last,
            (false, false) => HopCondition::None,
        },
        first: has('i'),
    })
}

/// So many standard deviations to each side hold 95 of a hundred results.
pub(super) const WIDTH: f64 = 1.96;

/// Results of pairs of games, by the half points that the army with the piece made in the two games of a pair: how many pairs brought
/// 0, 1, 2, 3 and 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PairedResults(pub [u32; 5]);

/// The worth of a piece in knights, as measured: the middle of the estimate and the ends of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValueEstimate {
    /// The lower end of the interval.
    pub low: f64,
    /// The estimate.
    pub worth: f64,
    /// The upper end of the interval.
    pub high: f64,
}

impl PairedResults {
    /// Counts a pair that brought so many half points.
    pub fn count(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// The number of pairs.
    pub fn played(&self) -> u32 {
        self.0.iter().sum()
    }

    /// The share of the points that the army with the piece made, from 0 to 1, and its variance. One pair won and one lost are added,
    /// so that neither becomes certain where all games came out alike.
    pub fn share(&self) -> (f64, f64) {
        let mut counts = self.0.map(f64::from);
        counts[0] += 1.0;
        counts[4] += 1.0;
        let points = |half_points: usize| half_points as f64 / 4.0;
        let number: f64 = counts.iter().sum();
        let sum = |of: &dyn Fn(f64) -> f64| -> f64 {
            counts.iter().enumerate().map(|(half_points, count)| count * of(points(half_points))).sum()
        };
        let mean = sum(&|points| points) / number;
        let spread = sum(&|points| (points - mean).powi(2)) / number;
        (mean, spread / number)
    }

    /// The lead as the logarithm of the odds, and its variance.
    fn lead(&self) -> (f64, f64) {
        let (share, variance) = self.share();
        let slope = 1.0 / (share * (1.0 - share));
        ((share / (1.0 - share)).ln(), variance * slope * slope)
    }

    /// The worth of the piece of which two stood in the place of two knights. `ruler` holds the results of the army that lacks one
    /// knight: by as much as it falls behind, as the logarithm of the odds, one knight counts. Both uncertainties are in the interval.
    pub fn gauge(&self, ruler: &PairedResults) -> ValueEstimate {
        let (lead, variance) = self.lead();
        let (lack, lack_variance) = ruler.lead();
        let knight = -lack;
        let more = lead / (2.0 * knight);
        let deviation = (variance + (lead / knight).powi(2) * lack_variance).sqrt() / (2.0 * knight.abs());
        ValueEstimate { low: 1.0 + more - WIDTH * deviation, worth: 1.0 + more, high: 1.0 + more + WIDTH * deviation }
    }
}

/// The five counts with spaces between.
impl fmt::Display for PairedResults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [lost, less, even, more, won] = self.0;
        write!(f, "{lost} {less} {even} {more} {won}")
    }
}

impl FromStr for PairedResults {
    type Err = String;
    fn from_str(text: &str) -> Result<PairedResults, String> {
        let counts: Option<Vec<u32>> = text.split_whitespace().map(|count| count.parse().ok()).collect();
        let counts = counts.and_then(|counts| counts.try_into().ok());
        counts.map(PairedResults).ok_or_else(|| format!("“{text}” is not five counts"))
    }
}

/// Games from the side of one of the two who played them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MatchScore {
    /// Games that it won.
    pub won: u32,
    /// Games that nobody won, those that were broken off among them.
    pub drawn: u32,
    /// Games that it lost.
    pub lost: u32,
}

impl MatchScore {
    /// Counts a game that it played in this seat; one without an outcome was broken off.
    pub fn count(&mut self, outcome: Option<Outcome>, seat: Seat) {
        match outcome.and_then(Outcome::winner) {
            Some(winner) if winner == seat => self.won += 1,
            Some(_) => self.lost += 1,
            None => self.drawn += 1,
        }
    }

    /// The number of games.
    pub fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// The share of the games that it won, from 0 to 1; draws are counted half. There is none before the first game.
    pub fn share(&self) -> f64 {
        (f64::from(self.won) + f64::from(self.drawn) / 2.0) / f64::from(self.games())
    }

    /// The ends of the interval that holds the true share 95 times of a hundred. It is Wilson's (“Probable inference, the law of succession, and
    /// statistical inference”, 1927), which does not shrink to nothing where all games came out alike, with as many games as would tell as much
    /// if none were drawn. Games in pairs make it narrower still, so that it says rather too little.
    pub fn interval(&self) -> [f64; 2] {
        let (n, p, z) = (self.weight(), self.share(), WIDTH * WIDTH);
        let middle = (p + z / (2.0 * n)) / (1.0 + z / n);
        let half = WIDTH * (p * (1.0 - p) / n + z / (4.0 * n * n)).sqrt() / (1.0 + z / n);
        [middle - half, middle + half]
    }

    /// The number of games without draws that would tell as much: a drawn game strays less from the share than one that is won or lost. The
    /// variance is that of the three results with one game won and one lost added, so that nothing becomes certain where all were drawn.
    fn weight(&self) -> f64 {
        let [won, drawn, lost] = [self.won + 1, self.drawn, self.lost + 1].map(f64::from);
        let all = won + drawn + lost;
        let share = (won + drawn / 2.0) / all;
        let variance = (won + drawn / 4.0) / all - share * share;
        f64::from(self.games()) * share * (1.0 - share) / variance
    }
}
