//! Search for positions of four pieces by their thresholds, as a page and as JSON.

use std::sync::Arc;

use askama::Template;
use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{downloads, four_piece_tables::GapPosition, search_query::SearchQuery};
use crate::{
    board::Size,
    richman::{FourFinding, FourFindings, FourPieceMaterial, FourSought, Interval, rules},
    web::{
        App, Error,
        endgame_cache::{format::path, log_unusable},
        extract::{Pairs, Path, Query},
        openapi, page as render,
    },
};

/// The range fields of a search.
static RANGES: [&str; 6] = ["alpha_min", "alpha_max", "beta_min", "beta_max", "gap_min", "gap_max"];
/// A page of results.
#[derive(Serialize, ToSchema)]
pub struct GapSearchAnswer {
    /// The material, such as `KRBvK`.
    material: String,
    /// The total number of results, as places of the file.
    total: usize,
    /// The positions of this page.
    positions: Vec<GapPosition>,
    /// The address of the next page; null on the last page.
    next: Option<String>,
}

/// A search of a table.
struct ThresholdSearch {
    sought: FourSought,
    most: usize,
    /// Beginning of the next page's query.
    kept: String,
}

impl ThresholdSearch {
    /// Reads a query. An empty field matches everything.
    fn read(query: &Pairs) -> Result<ThresholdSearch, Error> {
        let query = SearchQuery::new(query, &RANGES)?;
        let number = |name| query.number(name);
        let sought = FourSought {
            alpha: [number("alpha_min")?, number("alpha_max")?],
            beta: [number("beta_min")?, number("beta_max")?],
            gap: [number("gap_min")?, number("gap_max")?],
            after: query.whole("after", 0)?,
        };
        Ok(ThresholdSearch { sought, most: query.limit()?, kept: query.kept()? })
    }
}

/// Searches a table outside the async threads.
async fn search_table(
    app: &App,
    pair: FourPieceMaterial,
    sought: FourSought,
    most: usize,
) -> Result<FourFindings, Error> {
    let missing = || Error::unknown("This server has no such table. See /api/richman/four for the tables it has.");
    let endgames = app.endgames.clone();
    let work = move || {
        let file = log_unusable(endgames.tables().four().open(pair))?;
        Some(file.search(&sought, most))
    };
    app.play.pools().lookups.run(work).await?.ok_or_else(missing)
}

/// A result for the answer.
fn gap_position(FourFinding { position, shares }: FourFinding) -> GapPosition {
    let fen = rules(Size::ORTHODOX).placement_fen(&position);
    let fen = position.en_passant.last().map_or(fen.clone(), |over| format!("{fen}_w_-_{over}"));
    GapPosition::new(fen, shares)
}

/// Finds positions of four pieces by ranges of α, β and β − α. All conditions must hold.
///
/// If only bounds of a number are known, the position is included when the number may lie in the range.
#[utoipa::path(
    get,
    path = "/api/richman/four/{material}",
    operation_id = "search_four",
    tag = "endgames",
    params(
        ("material" = String, Path, description = "kings and two other pieces, the stronger piece first", example = "KRBvK"),
        ("alpha_min" = Option<String>, Query, description = "smallest α, as a fraction or a decimal", example = "27/32"),
        ("alpha_max" = Option<String>, Query, description = "largest α", example = "0.9"),
        ("beta_min" = Option<String>, Query, description = "smallest β", example = "7/8"),
        ("beta_max" = Option<String>, Query, description = "largest β", example = "0.9"),
        ("gap_min" = Option<String>, Query, description = "smallest β − α", example = "1/32"),
        ("gap_max" = Option<String>, Query, description = "largest β − α", example = "1/16"),
        ("after" = Option<i64>, Query, description = "value of `after` in the address `next`", minimum = 0),
        ("limit" = Option<i64>, Query, description = "number of positions on a page", minimum = 1, maximum = 100),
    ),
    responses(
        (status = 200, description = "One page of positions, and the total number", body = GapSearchAnswer),
        (status = 404, description = "This server has no such table", body = openapi::Problem, content_type = "application/problem+json"),
        openapi::PathErrors,
    )
)]
pub async fn search(
    State(app): State<Arc<App>>,
    Path(material): Path<String>,
    Query(query): Query<Pairs>,
) -> Result<Json<GapSearchAnswer>, Error> {
    let missing = || Error::unknown("This server has no such table. See /api/richman/four for the tables it has.");
    let pair: FourPieceMaterial = material.parse().map_err(|_| missing())?;
    let ThresholdSearch { sought, most, kept } = ThresholdSearch::read(&query)?;
    let found = search_table(&app, pair, sought, most).await?;
    Ok(Json(GapSearchAnswer {
        material,
        total: found.total,
        positions: found.found.into_iter().map(gap_position).collect(),
        next: found.next.map(|after| format!("/api/richman/four/{pair}?{kept}after={after}")),
    }))
}

struct FoundFour {
    fen: String,
    link: String,
    /// α, β and β − α.
    shares: [String; 3],
}

impl From<FourFinding> for FoundFour {
    fn from(found: FourFinding) -> FoundFour {
        let number = |of: &Interval| format!("{:.9}", of.lo.parse::<f64>().unwrap_or_default());
        let GapPosition { fen, alpha, beta, gap } = gap_position(found);
        FoundFour { link: path(&fen, &[]), shares: [&alpha, &beta, &gap].map(number), fen }
    }
}

#[derive(Template)]
#[template(path = "endgames_sought.html")]
struct SoughtPage {
    query: Pairs,
    /// The materials of this server's tables.
    materials: Vec<String>,
    rows: Vec<FoundFour>,
    /// Number of results; `None` without a search.
    total: Option<usize>,
    wrong: Option<String>,
    next: Option<String>,
    json: Option<String>,
    /// Address of the table's file.
    file: Option<String>,
}

impl SoughtPage {
    /// The text typed into a field.
    fn text(&self, field: &str) -> &str {
        self.query.iter().find(|(name, _)| name == field).map_or("", |(_, text)| text)
    }
}

/// `GET /endgames/four/search`: the search as a page, with the material as a field.
pub async fn page(State(app): State<Arc<App>>, Query(query): Query<Pairs>) -> Result<Response, Error> {
    let materials = app.endgames.tables().four().pairs().iter().map(FourPieceMaterial::to_string).collect();
    let (material, ranges): (Pairs, Pairs) = query.iter().cloned().partition(|(name, _)| name == "material");
    let page =
        SoughtPage { query, materials, rows: Vec::new(), total: None, wrong: None, next: None, json: None, file: None };
    let Some((_, material)) = material.into_iter().find(|(_, name)| !name.is_empty()) else {
        return Ok(render(&page)?.into_response());
    };
    let unknown =
        || Error::malformed("There is no table of this material. Choose one from the list.").field("material");
    let looked = async {
        let pair = page.materials.contains(&material).then(|| material.parse::<FourPieceMaterial>().ok()).flatten();
        let pair = pair.ok_or_else(unknown)?;
        let ThresholdSearch { sought, most, kept } = ThresholdSearch::read(&ranges)?;
        let after = sought.after.unwrap_or_default();
        Ok::<_, Error>((search_table(&app, pair, sought, most).await?, pair, kept, after))
    };
    match looked.await {
        Ok((found, pair, kept, after)) => {
            let page = SoughtPage {
                total: Some(found.total),
                next: found.next.map(|after| format!("/endgames/four/search?material={pair}&{kept}after={after}")),
                json: Some(format!("/api/richman/four/{pair}?{kept}after={after}")),
                file: Some(downloads::address_of_four(pair)),
                rows: found.found.into_iter().map(FoundFour::from).collect(),
                ..page
            };
            Ok(render(&page)?.into_response())
        }
        Err(wrong) => {
            let page = SoughtPage { wrong: Some(wrong.detail().to_owned()), ..page };
            Ok((StatusCode::BAD_REQUEST, render(&page)?).into_response())
        }
    }
}
