//! The numbers behind the charts of a board.

use std::{fmt::Write, sync::Arc};

use axum::{extract::State, http::HeaderMap, response::Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::numbers::{self, board};
use crate::{
    board::Size,
    richman::{Spread, Survey},
    web::{
        App, Error,
        extract::Path,
        openapi,
        values::chart::{self, Column},
    },
};

/// The bars of one chart as numbers.
#[derive(Serialize, ToSchema)]
pub struct ChartNumbers {
    /// As `KNvK`.
    material: &'static str,
    /// `values`: how the values are spread; `denominators`: how many bits their denominators have.
    chart: &'static str,
    /// The bars from the left.
    bars: Vec<Column>,
}

/// The numbers behind all charts of a board.
#[derive(Serialize, ToSchema)]
pub struct Charts {
    /// Files and ranks, as `8x8`.
    board: String,
    /// Two for each material.
    charts: Vec<ChartNumbers>,
}

impl Charts {
    fn new(size: Size, survey: &Survey) -> Charts {
        let of = |spread: &Spread| {
            let one = |chart, bars| ChartNumbers { material: spread.material.name(), chart, bars };
            [one("values", chart::parts(spread)), one("denominators", chart::lengths(spread))]
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

/// Gives the numbers behind the charts of a board: a line for each bar.
#[utoipa::path(
    get,
    path = "/api/richman/charts/{name}",
    operation_id = "read_charts",
    tag = "endgames",
    params(("name" = String, Path, description = "board, with .csv for comma-separated values", example = "8x8.csv")),
    responses(
        (status = 200, description = "The numbers", content((Charts = "application/json"), (String = "text/csv"))),
        (status = 304, description = "The client has this answer: If-None-Match named its ETag"),
        (status = 404, description = "There is no such board", body = openapi::Problem, content_type = "application/problem+json"),
    )
)]
pub async fn charts(
    State(app): State<Arc<App>>,
    Path(asked): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let (size, form) = numbers::named(&asked)?;
    let classes = app.endgames.classes(size).await?;
    let made = app.play.pools().batch.run(move || {
        let charts = Charts::new(size, &Survey::of(&classes));
        let named = format!("charts {asked}");
        numbers::rendered(form, &charts, || charts.csv(), (classes.table().digest(), &named))
    });
    numbers::send(&headers, form, made.await??).await
}
