//! Statistics of a board's tables for each material, as a page, JSON or CSV.

use std::{fmt::Write, sync::Arc};

use askama::Template;
use axum::{
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::chart_data::{self, board};
use crate::{
    board::{Color, Size},
    richman::{Classes, Fraction, Setup, Spread, Survey, covers},
    web::{
        App, Error,
        endgame_cache::{
            bar_chart::{self, Chart},
            format::{Amount, decimal, name, path, title},
        },
        extract::{Pairs, Path, Query, parameter},
        openapi, page as render,
    },
};

/// A class of positions with an exact number.
#[derive(Serialize, ToSchema)]
pub struct Extreme {
    /// The first class with this number.
    fen: String,
    /// The number.
    amount: Fraction,
}

/// A class of positions with the length of its proof.
#[derive(Serialize, ToSchema)]
#[schema(as = LongestProof)]
pub struct Longest {
    /// The first class with this length.
    fen: String,
    /// The length: the label of the class.
    moves: u16,
}

/// A value and the number of classes that have it.
#[derive(Serialize, ToSchema)]
pub struct FrequentValue {
    /// The value.
    value: Fraction,
    /// The number of classes.
    classes: usize,
    /// The first of these classes.
    fen: String,
}

/// The statistics of one material.
#[derive(Serialize, ToSchema)]
pub struct MaterialStatistics {
    /// The material, such as `KNvK`.
    material: &'static str,
    /// The number of classes: positions that are equal up to a symmetry of the board count once.
    classes: usize,
    /// The number of placements with the extra piece on White's side.
    positions: usize,
    /// The number of classes with α = β: all of them, since a table is certified before it answers.
    sharp: usize,
    /// The number of classes with a negative bid.
    zugzwangs: usize,
    /// The number of classes in which each side's best move keeps the value.
    quiescent: usize,
    /// The mean value of all placements, rounded to the nearest floating-point number.
    mean: f64,
    /// The number of distinct values.
    distinct: usize,
    /// The smallest value.
    least: Extreme,
    /// The largest value.
    greatest: Extreme,
    /// The smallest bid.
    least_bid: Extreme,
    /// The largest bid.
    largest_bid: Extreme,
    /// The value with the largest denominator.
    largest_denominator: Extreme,
    /// The longest proof for White, T.
    white_label: Longest,
    /// The longest proof for Black, T′.
    black_label: Longest,
    /// The most frequent values, in decreasing order of frequency.
    frequent: Vec<FrequentValue>,
    /// The number of classes in each twentieth of the range from 0 to 1.
    values: Vec<usize>,
    /// The number of classes by the bits of the denominator; the first entry is for 0 bits and always 0.
    bits: Vec<usize>,
}

/// The statistics of a board.
#[derive(Serialize, ToSchema)]
pub struct Statistics {
    /// Files and ranks, such as `8x8`.
    board: String,
    /// The SHA-256 of the table.
    table: String,
    /// The statistics of each material.
    materials: Vec<MaterialStatistics>,
}

impl MaterialStatistics {
    fn new(classes: &Classes, spread: &Spread) -> MaterialStatistics {
        let table = classes.table();
        let valued = |setup: Setup| Extreme { fen: classes.fen(setup), amount: Fraction::from(table.value(setup)) };
        let bid = |(id, setup)| Extreme { fen: classes.fen(setup), amount: Fraction::from(&classes.bid(id)) };
        let longest = |player: Color| {
            let setup = spread.longest[player.index()];
            Longest { fen: classes.fen(setup), moves: table.label(setup, player) }
        };
        let frequent = |(setup, count): &(Setup, usize)| FrequentValue {
            value: Fraction::from(table.value(*setup)),
            classes: *count,
            fen: classes.fen(*setup),
        };
        MaterialStatistics {
            material: spread.material.name(),
            classes: spread.classes,
            positions: spread.positions,
            sharp: spread.classes,
            zugzwangs: spread.zugzwangs,
            quiescent: spread.quiescent,
            mean: spread.mean().to_f64().value(),
            distinct: spread.distinct,
            least: valued(spread.range[0]),
            greatest: valued(spread.range[1]),
            least_bid: bid(spread.bids[0]),
            largest_bid: bid(spread.bids[1]),
            largest_denominator: valued(spread.largest),
            white_label: longest(Color::White),
            black_label: longest(Color::Black),
            frequent: spread.frequent.iter().map(frequent).collect(),
            values: spread.values.to_vec(),
            bits: spread.bits.clone(),
        }
    }
}

impl Statistics {
    fn new(classes: &Classes, survey: &Survey) -> Statistics {
        Statistics {
            board: board(classes.table().size()),
            table: classes.table().digest().to_owned(),
            materials: survey.spreads.iter().map(|spread| MaterialStatistics::new(classes, spread)).collect(),
        }
    }

    /// One line for each material.
    fn csv(&self) -> String {
        let mut text = "material,classes,positions,sharp,zugzwangs,quiescent,mean,distinct,\
            least_num,least_den,least_fen,greatest_num,greatest_den,greatest_fen,\
            least_bid_num,least_bid_den,least_bid_fen,largest_bid_num,largest_bid_den,largest_bid_fen,\
            largest_denominator_num,largest_denominator_den,largest_denominator_fen,\
            white_label,white_label_fen,black_label,black_label_fen,frequent\n"
            .to_owned();
        for one in &self.materials {
            let exact = |Extreme { fen, amount }: &Extreme| format!("{},{},{fen}", amount.num, amount.den);
            let frequent: Vec<String> = one
                .frequent
                .iter()
                .map(|each| format!("{}/{}:{}", each.value.num, each.value.den, each.classes))
                .collect();
            let counts =
                [one.classes, one.positions, one.sharp, one.zugzwangs, one.quiescent].map(|count| count.to_string());
            let extremes =
                [&one.least, &one.greatest, &one.least_bid, &one.largest_bid, &one.largest_denominator].map(exact);
            let labels = [&one.white_label, &one.black_label].map(|label| format!("{},{}", label.moves, label.fen));
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{}",
                one.material,
                counts.join(","),
                one.mean,
                one.distinct,
                extremes.join(","),
                labels.join(","),
                frequent.join(" ")
            );
        }
        text
    }
}

/// Returns statistics of a board's table for each material: numbers of classes, positions, zugzwangs and quiescent classes, the mean and
/// the range of the values, the largest bid, the longest proof, the most frequent values, and the largest denominator.
#[utoipa::path(
    get,
    path = "/api/richman/statistics/{name}",
    operation_id = "count_table",
    tag = "endgames",
    params(("name" = String, Path, description = "board; add .csv for comma-separated values", example = "8x8")),
    responses(
        (status = 200, description = "The statistics", content((Statistics = "application/json"), (String = "text/csv"))),
        (status = 304, description = "The client already has this answer (If-None-Match)"),
        (status = 404, description = "There is no such board", body = openapi::Problem, content_type = "application/problem+json"),
    )
)]
pub async fn statistics(
    State(app): State<Arc<App>>,
    Path(asked): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let (size, form) = chart_data::parse_board_and_form(&asked)?;
    let classes = app.endgames.classes(size).await?;
    let made = app.play.pools().batch.run(move || {
        let statistics = Statistics::new(&classes, &Survey::of(&classes));
        chart_data::rendered(
            form,
            &statistics,
            || statistics.csv(),
            (&statistics.table, &format!("statistics {asked}")),
        )
    });
    chart_data::send(&headers, form, made.await??).await
}

/// One material on the page.
struct MaterialRow {
    title: &'static str,
    told: MaterialStatistics,
    mean: String,
    charts: [Chart; 2],
}

#[derive(Template)]
#[template(path = "endgames_statistics.html")]
struct StatisticsPage {
    board: String,
    /// All boards: the name, and whether it is selected.
    boards: Vec<(String, bool)>,
    digest: String,
    rows: Vec<MaterialRow>,
}

impl StatisticsPage {
    /// Address of a position's page.
    fn link(&self, fen: &str) -> String {
        path(fen, &[])
    }

    /// An exact number, ready for the page.
    fn amount(&self, number: &Fraction) -> Amount {
        Amount::from(number)
    }
}

/// `GET /endgames/statistics`: the statistics of a board as a page.
pub async fn page(State(app): State<Arc<App>>, Query(query): Query<Pairs>) -> Result<Response, Error> {
    let asked = parameter(&query, "board")?.filter(|text| !text.is_empty()).unwrap_or("8x8");
    let size = chart_data::parse_board(asked).ok_or_else(|| {
        Error::malformed(format!(
            "There is no table for the board “{asked}”. Write files and ranks from 3 to 8, as in 3x4."
        ))
        .field("board")
    })?;
    let classes = app.endgames.classes(size).await?;
    let made = app.play.pools().batch.run(move || {
        let survey = Survey::of(&classes);
        let told = Statistics::new(&classes, &survey);
        let row = |(spread, told): (&Spread, MaterialStatistics)| {
            let (title, name) = (title(spread.material), name(spread.material));
            let charts = [bar_chart::values(title, name, spread), bar_chart::bits(title, name, spread)];
            MaterialRow { title, mean: decimal(told.mean, 6), told, charts }
        };
        let all = (3..=8).flat_map(|width| (3..=8).filter_map(move |height| Size::new(width, height)));
        StatisticsPage {
            board: board(size),
            boards: all.filter(|each| covers(*each)).map(|each| (board(each), each == size)).collect(),
            digest: told.table,
            rows: survey.spreads.iter().zip(told.materials).map(row).collect(),
        }
    });
    Ok(render(&made.await?)?.into_response())
}
