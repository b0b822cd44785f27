//! Measured values of pieces: statistics of test games and match scores, and the built-in table of piece values.

use std::{fmt, str::FromStr, sync::LazyLock};

use crate::{
    board::{ElementaryStep, HopCondition},
    rules::{Outcome, Seat},
};

/// One line for each tested army: the piece, or `-` for the army without a knight; its price; the five counts of its pairs. Lines
/// that begin with `#` are comments.
const ATOMS: &str = include_str!("atoms.txt");

/// Name of the army without a knight in the table of piece values.
pub const RULER: &str = "-";

/// Results of the army with one piece, from the built-in table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MeasuredAtom {
    /// The piece, in Betza notation.
    pub piece: String,
    /// Results of the test.
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

/// The pieces of the built-in table, in order.
pub fn atoms() -> impl Iterator<Item = &'static MeasuredAtom> {
    TABLE.iter().filter(|line| line.piece != RULER)
}

/// Results of the army without one knight, the unit of all values.
pub fn ruler() -> PairedResults {
    TABLE.iter().find(|line| line.piece == RULER).map_or_else(PairedResults::default, |line| line.pairs)
}

/// Formats steps as `0,1,1mc 1,1,8c`: file and rank offset, range, second leg of a bent ride, and letters for other properties.
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

/// Parses the output of [`steps_text`].
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

/// Standard deviations on each side of a 95 % interval.
pub(super) const WIDTH: f64 = 1.96;

/// Number of pairs of games in which the tested army made 0, 1, 2, 3 and 4 half points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PairedResults(pub [u32; 5]);

/// Measured value of a piece in knights, with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ValueEstimate {
    /// Lower end of the interval.
    pub low: f64,
    /// The estimate.
    pub worth: f64,
    /// Upper end of the interval.
    pub high: f64,
}

impl PairedResults {
    /// Counts a pair with this number of half points.
    pub fn count(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// Number of pairs.
    pub fn played(&self) -> u32 {
        self.0.iter().sum()
    }

    /// Score of the tested army from 0 to 1, and its variance. One pair won and one lost are added, so that the variance is never
    /// zero.
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

    /// Log-odds of the score, and their variance.
    fn lead(&self) -> (f64, f64) {
        let (share, variance) = self.share();
        let slope = 1.0 / (share * (1.0 - share));
        ((share / (1.0 - share)).ln(), variance * slope * slope)
    }

    /// Value of the tested piece, two of which replaced the knights. `ruler` holds the results of the army without one knight:
    /// the log-odds by which it is behind are the value of a knight. The interval covers both uncertainties.
    pub fn gauge(&self, ruler: &PairedResults) -> ValueEstimate {
        let (lead, variance) = self.lead();
        let (lack, lack_variance) = ruler.lead();
        let knight = -lack;
        let more = lead / (2.0 * knight);
        let deviation = (variance + (lead / knight).powi(2) * lack_variance).sqrt() / (2.0 * knight.abs());
        ValueEstimate { low: 1.0 + more - WIDTH * deviation, worth: 1.0 + more, high: 1.0 + more + WIDTH * deviation }
    }
}

/// The five counts, separated by spaces.
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

/// Results of a player against an opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MatchScore {
    /// Games won.
    pub won: u32,
    /// Games drawn or broken off.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
}

impl MatchScore {
    /// Counts a game that the player played in this seat. A game without an outcome was broken off and counts as drawn.
    pub fn count(&mut self, outcome: Option<Outcome>, seat: Seat) {
        match outcome.and_then(Outcome::winner) {
            Some(winner) if winner == seat => self.won += 1,
            Some(_) => self.lost += 1,
            None => self.drawn += 1,
        }
    }

    /// Number of games.
    pub fn games(&self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// Score from 0 to 1, with half a point for a draw. NaN without games.
    pub fn share(&self) -> f64 {
        (f64::from(self.won) + f64::from(self.drawn) / 2.0) / f64::from(self.games())
    }

    /// Ends of the 95 % confidence interval of the score. Wilson's interval (“Probable inference, the law of succession, and
    /// statistical inference”, 1927) keeps a positive width even if all games had the same result. The number of games is
    /// converted to games without draws. Playing in pairs makes the true interval narrower still.
    pub fn interval(&self) -> [f64; 2] {
        let (n, p, z) = (self.weight(), self.share(), WIDTH * WIDTH);
        let middle = (p + z / (2.0 * n)) / (1.0 + z / n);
        let half = WIDTH * (p * (1.0 - p) / n + z / (4.0 * n * n)).sqrt() / (1.0 + z / n);
        [middle - half, middle + half]
    }

    /// Number of games without draws that would give as much information. A draw is closer to the score than a win or a loss. One
    /// win and one loss are added to the variance, so that it is never zero.
    fn weight(&self) -> f64 {
        let [won, drawn, lost] = [self.won + 1, self.drawn, self.lost + 1].map(f64::from);
        let all = won + drawn + lost;
        let share = (won + drawn / 2.0) / all;
        let variance = (won + drawn / 4.0) / all - share * share;
        f64::from(self.games()) * share * (1.0 - share) / variance
    }
}
