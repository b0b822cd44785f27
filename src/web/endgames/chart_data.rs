//! The numbers behind a board's charts, as JSON or CSV, and proved results within n moves.

use crate::{
    board::Size,
    richman::{Fraction, Horizon, MAX_HORIZON, Question, Spread, Stop, Survey, TableCoverage, covers},
    web::{
        App, Error,
        cache_policy::{CachePolicy, tag},
        endgame_cache::{
            RenderedAnswer,
            bar_chart::{self, Chart, Column},
        },
        extract::{Pairs, Path, parameter},
        openapi,
    },
};
use axum::{
    body::Bytes,
    extract::State,
    http::{HeaderMap, HeaderValue, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use std::{fmt::Write, sync::Arc, time::Duration};
use utoipa::ToSchema;

/// Default number of moves on the charts.
const SHOWN: usize = 24;

/// Estimated CPU time of the thresholds within n moves.
const SOLVED: Duration = Duration::from_millis(300);

/// The numbers follow from the table, but a later release may add to them.
const DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// The bars of one chart as numbers.
#[derive(Serialize, ToSchema)]
pub struct ChartNumbers {
    /// The material, such as `KNvK`.
    material: &'static str,
    /// `values`: the distribution of the values; `denominators`: the number of bits of their denominators.
    chart: &'static str,
    /// The bars, from left to right.
    bars: Vec<Column>,
}

/// The numbers behind all charts of a board.
#[derive(Serialize, ToSchema)]
pub struct Charts {
    /// Files and ranks, such as `8x8`.
    board: String,
    /// Two charts for each material.
    charts: Vec<ChartNumbers>,
}

impl Charts {
    fn new(size: Size, survey: &Survey) -> Charts {
        let of = |spread: &Spread| {
            let one = |chart, bars| ChartNumbers { material: spread.material.name(), chart, bars };
            [one("values", bar_chart::parts(spread)), one("denominators", bar_chart::lengths(spread))]
        };
        Charts { board: board(size), charts: survey.spreads.iter().flat_map(of).collect() }
    }

    fn csv(&self) -> String {
        let mut text = "material,chart,from,to,classes\n".to_owned();
        for ChartNumbers { material, chart, bars } in &self.charts {
            for bar in bars {
                let _ = writeln!(text, "{material},{chart},{},{},{}", bar.from, bar.to, bar.classes);
            }
        }
        text
    }
}

/// Returns the numbers behind a board's charts, one entry for each bar.
#[utoipa::path(
    get,
    path = "/api/richman/charts/{name}",
    operation_id = "read_charts",
    tag = "endgames",
    params(("name" = String, Path, description = "board; add .csv for comma-separated values", example = "8x8.csv")),
    responses(
        (status = 200, description = "The numbers", content((Charts = "application/json"), (String = "text/csv"))),
        (status = 304, description = "The client already has this answer (If-None-Match)"),
        (status = 404, description = "There is no such board", body = openapi::Problem, content_type = "application/problem+json"),
    )
)]
pub async fn charts(
    State(app): State<Arc<App>>,
    Path(asked): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let (size, form) = parse_board_and_form(&asked)?;
    let classes = app.endgames.classes(size).await?;
    let made = app.play.pools().batch.run(move || {
        let charts = Charts::new(size, &Survey::of(&classes));
        let named = format!("charts {asked}");
        rendered(form, &charts, || charts.csv(), (classes.table().digest(), &named))
    });
    send(&headers, form, made.await??).await
}

/// The proved result within n moves.
#[derive(Serialize, ToSchema)]
pub(super) struct HorizonAnswer {
    /// The number of moves.
    n: usize,
    /// α_n: White can capture the king within n moves if Black's share of the money is below this.
    alpha: Fraction,
    /// β_n: Black can capture the king within n moves if Black's share of the money is above this.
    beta: Fraction,
    /// The fraction with the smallest denominator from α_n to β_n.
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

/// The number of moves in a query.
pub(super) fn horizon_parameter(query: &Pairs) -> Result<Option<usize>, Error> {
    let Some(text) = parameter(query, "n")?.filter(|text| !text.is_empty()) else { return Ok(None) };
    let read = text.parse::<usize>().ok().filter(|n| *n <= MAX_HORIZON);
    read.map(Some).ok_or_else(|| {
        Error::malformed(format!("The number of moves must be a whole number from 0 to {MAX_HORIZON}.")).field("n")
    })
}

/// The thresholds of a position, if a table covers it. They are computed in the queue for costly work.
pub(super) async fn find_horizon(app: &App, question: &Question, n: usize) -> Result<Option<Horizon>, Error> {
    let TableCoverage::Covered { setup, reversed } = question.coverage else { return Ok(None) };
    let table = app.endgames.table(question.size).await?;
    let work = move |_: Stop| Horizon::of(&table, setup, reversed, n);
    Ok(Some(app.play.pools().lookups.run_costly(SOLVED, work).await?))
}

/// The section of the page that shows how the chances grow with the number of moves.
#[derive(Default)]
pub(super) struct Growth {
    /// The number of moves, as typed.
    pub(super) text: String,
    /// Error in the number.
    pub(super) wrong: Option<String>,
    /// White's chances and Black's.
    pub(super) charts: Vec<Chart>,
}

impl Growth {
    /// The number in the form.
    pub(super) fn usual(&self) -> String {
        if self.text.is_empty() { SHOWN.to_string() } else { self.text.clone() }
    }

    /// Reads the number of moves in a query and computes the charts, if a table covers the position.
    pub(super) async fn asked(app: &App, query: &Pairs, question: &Question) -> Result<Growth, Error> {
        let text = parameter(query, "n")?.unwrap_or_default().to_owned();
        let n = match horizon_parameter(query) {
            Ok(Some(n)) => n.max(1),
            Ok(None) => return Ok(Growth::default()),
            Err(wrong) => return Ok(Growth { text, wrong: Some(wrong.detail().to_owned()), charts: Vec::new() }),
        };
        let Some(Horizon { alpha, beta }) = find_horizon(app, question, n).await? else {
            return Ok(Growth { text, ..Growth::default() });
        };
        let white: Vec<f64> = alpha.iter().map(|share| share.to_f64().value()).collect();
        let black: Vec<f64> = beta.iter().map(|share| 1.0 - share.to_f64().value()).collect();
        let charts = [("White", white), ("Black", black)].map(|(name, shares)| bar_chart::growth(name, &shares));
        Ok(Growth { text, wrong: None, charts: charts.into() })
    }
}

/// Format of the numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Form {
    Json,
    Csv,
}

impl Form {
    fn media(self) -> &'static str {
        match self {
            Form::Json => "application/json",
            Form::Csv => "text/csv; charset=utf-8",
        }
    }
}

/// A board in an address: `8x8`.
pub(super) fn board(size: Size) -> String {
    format!("{}x{}", size.width(), size.height())
}

/// Parses a board, if it is in canonical form and the tables cover it.
pub(super) fn parse_board(text: &str) -> Option<Size> {
    let (width, height) = text.split_once('x')?;
    let size = Size::new(width.parse().ok()?, height.parse().ok()?).filter(|size| covers(*size))?;
    (board(size) == text).then_some(size)
}

/// Parses a board and a format: `8x8`, `8x8.csv`.
pub(super) fn parse_board_and_form(text: &str) -> Result<(Size, Form), Error> {
    let (stem, form) = text.strip_suffix(".csv").map_or((text, Form::Json), |stem| (stem, Form::Csv));
    let size = parse_board(stem).ok_or_else(|| {
        Error::unknown(
            "There are no numbers of that name. Write files and ranks from 3 to 8, as in 8x8 for JSON or 3x4.csv.",
        )
    })?;
    Ok((size, form))
}

/// An answer that changes only with the table, in one of the formats. `name` distinguishes it from other answers about the table.
pub(super) fn rendered(
    form: Form,
    json: &impl Serialize,
    csv: impl FnOnce() -> String,
    (digest, name): (&str, &str),
) -> Result<RenderedAnswer, Error> {
    let body = match form {
        Form::Json => Bytes::from(serde_json::to_vec(json).map_err(Error::broken)?),
        Form::Csv => Bytes::from(csv()),
    };
    Ok(RenderedAnswer { body, tag: tag(&[digest, name, env!("CARGO_PKG_VERSION")]), lasting: true })
}

/// Sends numbers, or 304 if the client has them.
pub(super) async fn send(headers: &HeaderMap, form: Form, rendered: RenderedAnswer) -> Result<Response, Error> {
    let RenderedAnswer { body, tag, .. } = rendered;
    let whole = async { Ok(([(header::CONTENT_TYPE, form.media())], body).into_response()) };
    CachePolicy { tag, control: DAY }.answer(headers, whole).await
}
