//! Search for classes of positions by value, as a page and as JSON.

use std::sync::Arc;

use askama::Template;
use axum::{
    Json,
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use dashu_int::UBig;
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    chart_data::{board, parse_board},
    search_query::{LONGEST, SearchQuery},
};
use crate::{
    board::Size,
    richman::{Finding, Findings, Material, SearchCriteria},
    web::{
        App, Error,
        endgame_cache::format::{Amount, path},
        extract::{Pairs, Query},
        openapi, page as render,
    },
};

/// The fields of a search, except `after` and `limit`.
static FIELDS: [&str; 12] = [
    "board",
    "material",
    "value",
    "value_min",
    "value_max",
    "denominator",
    "zugzwang",
    "quiescent",
    "bid_min",
    "bid_max",
    "certificate_min",
    "certificate_max",
];

/// A search and its board.
struct ClassSearch {
    size: Size,
    sought: SearchCriteria,
    most: usize,
    /// Beginning of the next page's query.
    kept: String,
}

impl ClassSearch {
    /// Reads a query. An empty field matches everything.
    fn read(query: &Pairs) -> Result<ClassSearch, Error> {
        let query = SearchQuery::new(query, &FIELDS)?;
        let number = |name| query.number(name);
        let truth = |name| query.parsed(name, "true or false", |text| text.parse::<bool>().ok());
        let size = query.parsed("board", "a board of 3 to 8 files and ranks, such as 8x8 or 3x4", parse_board)?;
        let material = |text: &str| Material::ALL.into_iter().find(|material| material.name() == text);
        let denominator = |text: &str| text.parse::<UBig>().ok().filter(|_| text.len() <= LONGEST);
        // Labels have 16 bits, so a larger number is the same as the maximum.
        let label = |name| Ok::<_, Error>(query.whole(name, 0)?.map(|moves| u16::try_from(moves).unwrap_or(u16::MAX)));
        let value = match number("value")? {
            None => [number("value_min")?, number("value_max")?],
            Some(_) if query.text("value_min")?.or(query.text("value_max")?).is_some() => {
                return Err(Error::malformed(
                    "A search takes one value or a range. Leave out value, or value_min and value_max.",
                )
                .field("value"));
            }
            Some(value) => [Some(value.clone()), Some(value)],
        };
        let sought = SearchCriteria {
            material: query.parsed("material", "KvK, KNvK, KBvK, KRvK, KQvK or KPvK", material)?,
            value,
            denominator: query.parsed("denominator", "a whole number", denominator)?,
            zugzwang: truth("zugzwang")?,
            quiescent: truth("quiescent")?,
            bid: [number("bid_min")?, number("bid_max")?],
            certificate: [label("certificate_min")?, label("certificate_max")?],
            after: query.whole("after", 0)?,
        };
        let size = size.unwrap_or(Size::ORTHODOX);
        Ok(ClassSearch { size, sought, most: query.limit()?, kept: query.kept()? })
    }

    /// Query of the next page, after the given class.
    fn next_query(&self, after: u32) -> String {
        format!("?{}after={after}", self.kept)
    }

    /// Searches the board outside the async threads.
    async fn run_search(&self, app: &App) -> Result<Findings, Error> {
        let classes = app.endgames.classes(self.size).await?;
        let (sought, most) = (self.sought.clone(), self.most);
        Ok(app.play.pools().lookups.run(move || sought.search(&classes, most)).await?)
    }
}

/// A page of results.
#[derive(Serialize, ToSchema)]
pub struct SearchAnswer {
    /// Files and ranks, such as `8x8`.
    board: String,
    #[serde(flatten)]
    found: Findings,
    /// The address of the next page; null on the last page.
    next: Option<String>,
}

/// Finds classes of positions by material, value, denominator, bid and length of the proof. All conditions must hold.
///
/// A class represents all positions that are equal up to a symmetry of the board, with the extra piece on White's side.
#[utoipa::path(
    get,
    path = "/api/richman/search",
    operation_id = "search_classes",
    tag = "endgames",
    params(
        ("board" = Option<String>, Query, description = "files and ranks from 3 to 8; 8x8 by default", example = "8x8"),
        ("material" = Option<String>, Query, description = "KvK, KNvK, KBvK, KRvK, KQvK or KPvK", example = "KNvK"),
        ("value" = Option<String>, Query, description = "White's chance to win, as a fraction or a decimal", example = "21073/32256"),
        ("value_min" = Option<String>, Query, description = "smallest value", example = "0.6"),
        ("value_max" = Option<String>, Query, description = "largest value", example = "2/3"),
        ("denominator" = Option<String>, Query, description = "denominator of the value in lowest terms", example = "32256"),
        ("zugzwang" = Option<bool>, Query, description = "whether the bid is negative"),
        ("quiescent" = Option<bool>, Query, description = "whether the bid is zero"),
        ("bid_min" = Option<String>, Query, description = "smallest bid, as a share of all the money", example = "-1/100"),
        ("bid_max" = Option<String>, Query, description = "largest bid", example = "0"),
        ("certificate_min" = Option<i64>, Query, description = "shortest proof; its length is the greater of the two labels", minimum = 0),
        ("certificate_max" = Option<i64>, Query, description = "longest proof", minimum = 0),
        ("after" = Option<i64>, Query, description = "value of `after` in the address `next`", minimum = 0),
        ("limit" = Option<i64>, Query, description = "number of classes on a page", minimum = 1, maximum = 100),
    ),
    responses(
        (status = 200, description = "One page of classes, and the total number", body = SearchAnswer),
        openapi::PathErrors,
    )
)]
pub async fn search(State(app): State<Arc<App>>, Query(query): Query<Pairs>) -> Result<Json<SearchAnswer>, Error> {
    let asked = ClassSearch::read(&query)?;
    let found = asked.run_search(&app).await?;
    let next = found.next.map(|after| format!("/api/richman/search{}", asked.next_query(after)));
    Ok(Json(SearchAnswer { board: board(asked.size), found, next }))
}

struct FoundClass {
    fen: String,
    link: String,
    material: &'static str,
    value: Amount,
    bid: Amount,
    mood: &'static str,
    labels: [u16; 2],
}

impl From<Finding> for FoundClass {
    fn from(found: Finding) -> FoundClass {
        FoundClass {
            link: path(&found.fen, &[]),
            fen: found.fen,
            material: found.material,
            value: Amount::from(&found.value),
            bid: Amount::from(&found.bid),
            mood: match (found.zugzwang, found.quiescent) {
                (true, _) => "zugzwang",
                (false, true) => "quiescent",
                (false, false) => "",
            },
            labels: [found.white_label, found.black_label],
        }
    }
}

#[derive(Template)]
#[template(path = "endgames_search.html")]
struct SearchPage {
    query: Pairs,
    boards: Vec<String>,
    rows: Vec<FoundClass>,
    /// Number of results; `None` if the query is invalid.
    total: Option<usize>,
    wrong: Option<String>,
    next: Option<String>,
    json: Option<String>,
}

impl SearchPage {
    /// The text typed into a field.
    fn text(&self, field: &str) -> &str {
        self.query.iter().find(|(name, _)| name == field).map_or("", |(_, text)| text)
    }
}

/// `GET /endgames/search`: the search as a page.
pub async fn page(State(app): State<Arc<App>>, Query(query): Query<Pairs>) -> Result<Response, Error> {
    let all = (3..=8).flat_map(|width| (3..=8).filter_map(move |height| Size::new(width, height)));
    let boards = all.map(board).collect();
    let blank = SearchPage { query, boards, rows: Vec::new(), total: None, wrong: None, next: None, json: None };
    let asked = match ClassSearch::read(&blank.query) {
        Ok(asked) => asked,
        Err(wrong) => {
            let page = SearchPage { wrong: Some(wrong.detail().to_owned()), ..blank };
            return Ok((StatusCode::BAD_REQUEST, render(&page)?).into_response());
        }
    };
    let found = asked.run_search(&app).await?;
    let page = SearchPage {
        total: Some(found.total),
        next: found.next.map(|after| format!("/endgames/search{}", asked.next_query(after))),
        json: Some(format!("/api/richman/search{}", asked.next_query(asked.sought.after.unwrap_or_default()))),
        rows: found.classes.into_iter().map(FoundClass::from).collect(),
        ..blank
    };
    Ok(render(&page)?.into_response())
}
