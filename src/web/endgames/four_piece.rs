//! What is told of a position of four pieces or five: proved bounds, and of four fractions if they are asked for.

use std::time::Duration;

use super::{evaluation::link, patiently};
use crate::{
    board::Color,
    richman::{Answer, BoundedAnswer, EnclosedMove, FourLimits, Fraction, Question, Stop},
    web::{
        App, Error,
        endgame_cache::{
            format::{Amount, between, path, percent},
            usable,
        },
        extract::{Pairs, parameter},
    },
};

/// The decimals that the page shows of values, and of what moves lead to.
const SHOWN: usize = 12;
const BRIEF: usize = 6;
/// What differs by less is the same on the page.
const NEAR: f64 = 1e-12;

/// The estimated CPU time of a search for exact fractions.
const SEARCHED: Duration = Duration::from_secs(1);

/// Whether a query asks for exact values.
pub(super) fn asked(query: &Pairs) -> Result<bool, Error> {
    match parameter(query, "exact")? {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => {
            let why =
                "Say whether exact values are looked for: exact=true, which may take some seconds, or exact=false.";
            Err(Error::malformed(why).field("exact"))
        }
    }
}

/// What is known of a position of four pieces or five; exact values are worked out where they keep nobody else waiting, and are kept.
pub(super) async fn known(
    app: &App,
    question: &Question,
    exactly: bool,
    patience: Duration,
) -> Result<Option<(Answer, BoundedAnswer)>, Error> {
    if !exactly || !question.is_of_four() {
        return app.endgames.of_files(question).await;
    }
    let (endgames, table, question) = (app.endgames.clone(), app.endgames.ready()?, question.clone());
    // What leads out of the tables today may not do so when there are more of them.
    let key = (question.position, endgames.tables().four().pairs().len());
    if let Some(kept) = endgames.fractions.get(&key) {
        return Ok(Some(kept));
    }
    let work = move |stop: Stop| {
        // It may have waited behind the same question.
        if let Some(kept) = endgames.fractions.get(&key) {
            return Some(kept);
        }
        let found = usable(question.of_four_exactly(&table, endgames.tables().four(), FourLimits::BRIEF, stop));
        if let Some(found) = &found
            && !stop()
        {
            endgames.fractions.insert(key, found.clone());
        }
        found
    };
    let pools = app.play.pools().clone();
    patiently(patience, async move { Ok(pools.lookups.run_costly(SEARCHED, work).await?) }).await
}

/// What is known of the fractions.
pub(super) enum Exact {
    /// Nobody has asked; the address that asks.
    Unasked(String),
    /// They are too far to be found in a question's time.
    Far,
    /// Nobody looks for those of five pieces.
    Beyond,
    /// Both thresholds.
    Found(Amount, Amount),
}

impl Exact {
    fn new(question: &Question, answer: &Answer, exactly: bool) -> Exact {
        let amount = |value: &Option<Fraction>| value.as_ref().map(Amount::from);
        match (amount(&answer.alpha), amount(&answer.beta)) {
            (Some(alpha), Some(beta)) => Exact::Found(alpha, beta),
            (_, _) if !question.is_of_four() => Exact::Beyond,
            (_, _) if exactly => Exact::Far,
            (_, _) => Exact::Unasked(path(&question.fen(), &[("exact", "true")])),
        }
    }
}

/// All that is known of a position of four pieces or five.
pub(super) struct BoundedAnswerView {
    pub(super) alpha: String,
    pub(super) beta: String,
    pub(super) exact: Exact,
    /// True where α and β are as good as one, false where α < β is proved.
    pub(super) sharp: Option<bool>,
    /// The shares of White and Black in percent, and White's share of a bar of 1000 units; where α and β are as good as one.
    pub(super) shares: Option<(String, String, u16)>,
    pub(super) bid: String,
    /// What has to be paid to be let off the move, where nobody wants it; else what should be offered for it.
    pub(super) offer: String,
    pub(super) zugzwang: bool,
    pub(super) sides: [BoundedSide; 2],
}

/// The moves of one side.
pub(super) struct BoundedSide {
    pub(super) name: &'static str,
    pub(super) lines: Vec<BoundedLine>,
}

/// A move and what it leads to.
pub(super) struct BoundedLine {
    pub(super) san: String,
    pub(super) link: String,
    pub(super) value: String,
    pub(super) best: bool,
}

/// A bound as it is compared with others on the page.
fn number(text: &str) -> f64 {
    text.parse().unwrap_or_default()
}

impl BoundedAnswerView {
    pub(super) fn new(
        question: &Question,
        (answer, known): &(Answer, BoundedAnswer),
        exactly: bool,
    ) -> BoundedAnswerView {
        let side = |color: Color, name: &'static str, moves: &[EnclosedMove]| {
            let line = |mv: &EnclosedMove| BoundedLine {
                san: mv.san.clone(),
                link: link(question, color, &mv.uci),
                value: between(&mv.value, BRIEF),
                best: mv.best,
            };
            let mut lines: Vec<BoundedLine> = moves.iter().map(line).collect();
            if known.sharp != Some(true) {
                // What is sure at the best is what the first move is sure of.
                let sure = |mv: &EnclosedMove| match color {
                    Color::White => number(&mv.value.lo),
                    Color::Black => -number(&mv.value.hi),
                };
                let most = moves.first().map_or(0.0, sure);
                for (line, mv) in lines.iter_mut().zip(moves) {
                    line.best = most - sure(mv) < NEAR;
                }
            }
            BoundedSide { name, lines }
        };
        let (value, bid) = (number(&known.alpha.lo), number(&known.bid.lo));
        let shares = (percent(value), percent(1.0 - value), (value * 1000.0).round() as u16);
        BoundedAnswerView {
            alpha: between(&known.alpha, SHOWN),
            beta: between(&known.beta, SHOWN),
            exact: Exact::new(question, answer, exactly),
            sharp: known.sharp,
            shares: (known.sharp == Some(true)).then_some(shares),
            bid: between(&known.bid, BRIEF),
            offer: percent(bid.abs()),
            zugzwang: known.zugzwang == Some(true),
            sides: [side(Color::White, "White", &known.white), side(Color::Black, "Black", &known.black)],
        }
    }
}
