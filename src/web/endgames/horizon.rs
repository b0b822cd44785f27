//! What is sure within n moves: a part of the answer for programs, and two small charts for people.

use std::time::Duration;

use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    richman::{FURTHEST, Fraction, Horizon, Question, Standing, Stop},
    web::{
        App, Error,
        extract::{Pairs, parameter},
        values::chart::{self, Chart},
    },
};

/// The number of moves that the charts show when nobody asks for another.
const SHOWN: usize = 24;

/// The estimated CPU time of the thresholds within n moves.
const SOLVED: Duration = Duration::from_millis(300);

/// What is sure within n moves.
#[derive(Serialize, ToSchema)]
pub(super) struct HorizonAnswer {
    /// The number of moves.
    n: usize,
    /// α_n: White takes the king within n moves where Black's share of the money is below this.
    alpha: Fraction,
    /// β_n: Black takes the king within n moves where Black's share of the money is above this.
    beta: Fraction,
    /// The fraction with the least denominator from α_n to β_n.
    simplest: Fraction,
}

impl From<Horizon> for HorizonAnswer {
    fn from(horizon: Horizon) -> HorizonAnswer {
        let last = |series: &[_]| series.last().map_or_else(|| Fraction::from(&horizon.simplest()), Fraction::from);
        HorizonAnswer {
            n: horizon.alpha.len().saturating_sub(1),
            alpha: last(&horizon.alpha),
            beta: last(&horizon.beta),
            simplest: Fraction::from(&horizon.simplest()),
        }
    }
}

/// The number of moves that a query names.
pub(super) fn asked(query: &Pairs) -> Result<Option<usize>, Error> {
    let Some(text) = parameter(query, "n")?.filter(|text| !text.is_empty()) else { return Ok(None) };
    let read = text.parse::<usize>().ok().filter(|n| *n <= FURTHEST);
    read.map(Some)
        .ok_or_else(|| Error::malformed(format!("Write a whole number of moves from 0 to {FURTHEST}.")).field("n"))
}

/// The thresholds of a position that a table covers. They are worked out where they keep nobody else waiting.
pub(super) async fn of(app: &App, question: &Question, n: usize) -> Result<Option<Horizon>, Error> {
    let Standing::Covered { setup, reversed } = question.standing else { return Ok(None) };
    let table = app.endgames.table(question.size).await?;
    let work = move |_: Stop| Horizon::of(&table, setup, reversed, n);
    Ok(Some(app.play.pools().lookups.run_costly(SOLVED, work).await?))
}

/// The part of a page that shows how the chances grow with the number of moves.
#[derive(Default)]
pub(super) struct Growth {
    /// The number of moves, as it was written.
    pub(super) text: String,
    /// The fault of what was written.
    pub(super) wrong: Option<String>,
    /// White's chances and Black's.
    pub(super) charts: Vec<Chart>,
}

impl Growth {
    /// The number that is asked when the button is pressed without another.
    pub(super) fn usual(&self) -> String {
        if self.text.is_empty() { SHOWN.to_string() } else { self.text.clone() }
    }

    /// Reads the number of a query and works out the charts, where a table covers the position.
    pub(super) async fn asked(app: &App, query: &Pairs, question: &Question) -> Result<Growth, Error> {
        let text = parameter(query, "n")?.unwrap_or_default().to_owned();
        let n = match asked(query) {
            Ok(Some(n)) => n.max(1),
            Ok(None) => return Ok(Growth::default()),
            Err(wrong) => return Ok(Growth { text, wrong: Some(wrong.detail().to_owned()), charts: Vec::new() }),
        };
        let Some(Horizon { alpha, beta }) = of(app, question, n).await? else {
            return Ok(Growth { text, ..Growth::default() });
        };
        let white: Vec<f64> = alpha.iter().map(|share| share.to_f64().value()).collect();
        let black: Vec<f64> = beta.iter().map(|share| 1.0 - share.to_f64().value()).collect();
        let charts = [("White", white), ("Black", black)].map(|(name, shares)| chart::growth(name, &shares));
        Ok(Growth { text, wrong: None, charts: charts.into() })
    }
}
