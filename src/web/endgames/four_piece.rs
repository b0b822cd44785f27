//! Positions of four or five pieces: proved bounds, and exact fractions on request (four pieces only).

use std::time::Duration;

use super::{evaluation::link, run_within};
use crate::{
    board::Color,
    richman::{Answer, BoundedAnswer, Choice, Enclosure, FourLimits, Interval, Question, Stop},
    web::{
        App, Error,
        endgame_cache::{
            format::{Amount, between, path, percent},
            log_unusable,
        },
        extract::{Pairs, parameter},
    },
};

/// Decimals of values on the page, and of moves.
const SHOWN: usize = 12;
const BRIEF: usize = 6;

/// Estimated CPU time of a search for exact fractions.
const SEARCHED: Duration = Duration::from_secs(1);

/// Whether a query asks for exact fractions.
pub(super) fn wants_fractions(query: &Pairs) -> Result<bool, Error> {
    match parameter(query, "exact")? {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => {
            let why = "The parameter exact must be true (the search may take several seconds) or false.";
            Err(Error::malformed(why).field("exact"))
        }
    }
}

/// The bounds of a position of four or five pieces. Exact fractions are computed in the queue for costly work and cached.
pub(super) async fn find_bounds(
    app: &App,
    question: &Question,
    exactly: bool,
    patience: Duration,
) -> Result<Option<(Answer, BoundedAnswer)>, Error> {
    if question.is_of_small_board() {
        let (endgames, question) = (app.endgames.clone(), question.clone());
        return run_within(patience, async move { endgames.bounded(&question).await }).await;
    }
    if !exactly || !question.is_of_four() {
        return app.endgames.bounded(question).await;
    }
    let (endgames, table, question) = (app.endgames.clone(), app.endgames.ready()?, question.clone());
    // The number of tables is part of the key: with more tables, fewer moves lead out of them.
    let key = (question.position, endgames.tables().four().pairs().len());
    if let Some(kept) = endgames.fractions.get(&key) {
        return Ok(Some(kept));
    }
    let work = move |stop: Stop| {
        // The fractions may have been cached while this request waited.
        if let Some(kept) = endgames.fractions.get(&key) {
            return Some(kept);
        }
        let found = log_unusable(question.of_four_exactly(&table, endgames.tables().four(), FourLimits::BRIEF, stop));
        if let Some(found) = &found
            && !stop()
        {
            endgames.fractions.insert(key, found.clone());
        }
        found
    };
    let pools = app.play.pools().clone();
    run_within(patience, async move { Ok(pools.lookups.run_costly(SEARCHED, work).await?) }).await
}

/// State of the exact fractions.
pub(super) enum Exact {
    /// Not requested; the address that requests them.
    Unasked(String),
    /// The search would exceed its limit.
    Far,
    /// Never searched with five pieces.
    Beyond,
    /// Both thresholds.
    Found(Amount, Amount),
}

impl Exact {
    fn new(question: &Question, answer: &Answer, exactly: bool) -> Exact {
        let amount = |value: &Option<Enclosure>| Some(Amount::from(&value.as_ref()?.fraction()?));
        match (amount(&answer.alpha), amount(&answer.beta)) {
            (Some(alpha), Some(beta)) => Exact::Found(alpha, beta),
            (_, _) if !question.is_of_four() => Exact::Beyond,
            (_, _) if exactly => Exact::Far,
            (_, _) => Exact::Unasked(path(&question.fen(), &[("exact", "true")])),
        }
    }
}

/// A position of four or five pieces as the page shows it.
pub(super) struct BoundedAnswerView {
    pub(super) alpha: String,
    pub(super) beta: String,
    pub(super) exact: Exact,
    /// True if α = β is proved, false if α < β is proved.
    pub(super) sharp: Option<bool>,
    /// Upper bound of β − α, if it is below the precision of `alpha` and `beta`.
    pub(super) gap: String,
    /// Shares of White and Black in percent, and the length of White's bar from 0 to 1000, if α and β are equal at this precision.
    pub(super) shares: Option<(String, String, u16)>,
    pub(super) bid: String,
    /// The fair price of the move in percent; in zugzwang, the price for not having to move.
    pub(super) offer: String,
    pub(super) zugzwang: bool,
    /// Whether the bounds come from a small board, and not from a file.
    pub(super) small_board: bool,
    pub(super) sides: [BoundedSide; 2],
}

pub(super) struct BoundedSide {
    pub(super) name: &'static str,
    pub(super) lines: Vec<BoundedLine>,
}

pub(super) struct BoundedLine {
    pub(super) san: String,
    pub(super) link: String,
    pub(super) value: String,
    /// Whether the move is proved best, or may be.
    pub(super) best: bool,
    pub(super) open: bool,
}

/// A bound as a number, for comparisons on the page.
fn number(text: &str) -> f64 {
    text.parse().unwrap_or_default()
}

/// A raised digit.
fn superscript(digit: char) -> char {
    "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().nth(digit as usize - '0' as usize).unwrap_or(digit)
}

/// Upper bound of β − α, rounded up to one digit.
fn gap_above(alpha: &Interval, beta: &Interval) -> String {
    let digits = |text: &str| text.replace('.', "").parse::<i64>().unwrap_or_default();
    let gap = digits(&beta.hi) - digits(&alpha.lo);
    let (mut size, mut places) = (gap, 18);
    while size >= 10 {
        (size, places) = ((size + 9) / 10, places - 1);
    }
    let raised: String = places.to_string().chars().map(superscript).collect();
    format!("{size} · 10⁻{raised}")
}

impl BoundedAnswerView {
    pub(super) fn new(
        question: &Question,
        (answer, known): &(Answer, BoundedAnswer),
        exactly: bool,
    ) -> BoundedAnswerView {
        let side = |color: Color, name: &'static str, moves: &[Choice]| {
            let line = |mv: &Choice| BoundedLine {
                san: mv.san.clone(),
                link: link(question, color, &mv.uci),
                value: between(&Interval { lo: mv.alpha.lo.clone(), hi: mv.beta.hi.clone() }, BRIEF),
                best: mv.best == Some(true),
                open: mv.best.is_none(),
            };
            BoundedSide { name, lines: moves.iter().map(line).collect() }
        };
        let (value, bid) = (number(&known.alpha.lo), number(&known.bid.lo));
        let shares = (percent(value), percent(1.0 - value), (value * 1000.0).round() as u16);
        BoundedAnswerView {
            alpha: between(&known.alpha, SHOWN),
            beta: between(&known.beta, SHOWN),
            exact: Exact::new(question, answer, exactly),
            sharp: known.sharp,
            gap: gap_above(&known.alpha, &known.beta),
            shares: known.narrow.then_some(shares),
            bid: between(&known.bid, BRIEF),
            offer: percent(bid.abs()),
            zugzwang: known.zugzwang == Some(true),
            small_board: question.is_of_small_board(),
            sides: [side(Color::White, "White", &answer.white), side(Color::Black, "Black", &answer.black)],
        }
    }
}
