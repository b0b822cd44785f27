//! Endgame values as JSON: one position, many positions, the line of best play, and the progress of the tables.

use crate::{
    board::FenError,
    richman::{self, BadTurns, OptimalLine, Question, Status, Table},
    rules::{
        Side,
        endgame::{Price, Tie},
    },
    web::{
        App, Error, Kind,
        cache_policy::tag,
        client_address::ClientNetwork,
        endgame_cache::RenderedAnswer,
        endgames::{
            before_deadline,
            bulk::{self, key, send},
            chart_data,
            chip_query::{self, ChipsAnswer},
            four_piece,
            mechanism_query::{self, Money},
            refuse_others,
        },
        extract::{Json as Body, Pairs, Query, parameter},
        openapi::{self, Problem},
        request_limits::brings_lines,
    },
};
use axum::{
    Json,
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Request, State},
    http::{HeaderMap, header, request::Parts},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{Ref, RefOr, schema},
};

/// Most positions in one request.
const MAX_POSITIONS: usize = 100;

impl From<FenError> for Error {
    fn from(wrong: FenError) -> Error {
        Error::malformed(format!("The FEN cannot be read: {wrong}.")).field("fen").at(wrong.at)
    }
}

impl From<BadTurns> for Error {
    fn from(wrong: BadTurns) -> Error {
        Error::malformed(format!("The movers cannot be read: {wrong}.")).field("turns").at(wrong.at)
    }
}

/// Parameters of a question about one position.
const PARAMETERS: [&str; 12] =
    ["fen", "chips", "bids", "bid", "negative", "tie", "holder", "price", "money", "tau", "exact", "n"];

/// The FEN in a query.
fn fen_parameter(query: &Pairs) -> Result<&str, Error> {
    parameter(query, "fen")?.ok_or_else(|| {
        Error::malformed("The parameter fen is missing. Give a position, as in ?fen=8/8/8/8/3k4/8/8/K2N4.").field("fen")
    })
}

/// Returns the exact value of a position, the bid, and every move of both sides.
///
/// The position has no side to move. Its value is White's chance to win when a fair coin decides each mover. Equally, it is the share of
/// all the money below which Black loses when the players bid for each move.
///
/// A position with four pieces has bounds on boards of at most 18 squares. On the 8×8 board, four and five pieces have them if the server has the
/// table.
#[utoipa::path(
    get,
    path = "/api/richman",
    operation_id = "value_endgame",
    tag = "endgames",
    params(
        ("fen" = String, Query, description = "position as FEN; its rows give the board, from 3×3 to 8×8; only the placement is required", example = "8/8/8/8/3k4/8/8/K2N4"),
        ("chips" = Option<String>, Query, description = "White's chips and Black's, whole numbers of at most 2000000 in total; `chips` in the answer then says who wins the auction, exactly for totals up to 65535", example = "17:183"),
        ("bids" = Option<Side>, Query, description = "side that names the bid; requires chips", example = "black"),
        ("bid" = Option<i64>, Query, description = "bid that has been named; requires bids", example = 4),
        ("negative" = Option<bool>, Query, description = "whether bids may be negative, true by default; without chips, false requires tie", example = false),
        ("tie" = Option<Tie>, Query, description = "rule for equal sealed bids; requires chips or `negative=false`, and excludes bids", example = "choice"),
        ("holder" = Option<Side>, Query, description = "side that holds the marker, moves at equal bids, or did not get the last move; requires tie", example = "white"),
        ("price" = inline(Option<Price>), Query, description = "sealed bid that the winner pays, `first` by default; requires tie", example = "second"),
        ("money" = Option<Money>, Query, description = "recipient of the payments: `richman`, the opponent; `poorman`, the bank; `taxman`, both; `enclosed` in the answer then holds bounds of the values; excludes chips", example = "taxman"),
        ("tau" = Option<String>, Query, description = "bank's share of every payment, a fraction from 0 to 1; requires `money=taxman`", example = "1/2"),
        ("exact" = Option<bool>, Query, description = "with four pieces, whether to search for α and β as exact fractions, which may take several seconds; answers for three pieces are always exact", example = true),
        ("n" = Option<i64>, Query, description = "number of moves; `horizon` in the answer then holds α_n, β_n and the simplest fraction between them", minimum = 0, maximum = 60, example = 12),
    ),
    responses(
        (status = 200, description = "The value, or the reason why it is unknown", body = ChipsAnswer),
        (status = 304, description = "The client already has this answer (If-None-Match)"),
        openapi::PathErrors,
    )
)]
pub async fn value(State(app): State<Arc<App>>, request: Request) -> Result<Response, Error> {
    let (parts, _) = request.into_parts();
    if let Some(rendered) = bulk::cached_answer(&app, &parts.uri) {
        return Ok(send(&parts.headers, rendered));
    }
    // The slow path has a large future. Boxing it keeps the future of common requests small.
    Box::pin(computed_answer(app, parts)).await
}

async fn computed_answer(app: Arc<App>, mut parts: Parts) -> Result<Response, Error> {
    let Query(query) = Query::<Pairs>::from_request_parts(&mut parts, &app).await?;
    refuse_others(&query, &PARAMETERS)?;
    let (auction, n, mechanism) = (
        chip_query::auction(&query)?,
        chart_data::horizon_parameter(&query)?,
        mechanism_query::parse_mechanism(&query)?,
    );
    let exactly = four_piece::wants_fractions(&query)?;
    if auction.is_none() && n.is_none() && mechanism.is_none() && !exactly {
        return Ok(send(&parts.headers, app.endgames.rendered(fen_parameter(&query)?).await?));
    }
    let question = richman::read(fen_parameter(&query)?)?;
    // The files of four pieces hold bounds for Richman bidding only.
    let known = match mechanism {
        None => four_piece::find_bounds(&app, &question, exactly, before_deadline(&app)).await?,
        Some(_) => None,
    };
    let mut answer = match (known, auction) {
        (Some(known), _) => known.into(),
        (None, Some(auction)) => {
            chip_query::answer_with_auction(&app, question.clone(), auction, before_deadline(&app)).await?
        }
        (None, None) => chip_query::answer_without_auction(&app, question.clone()).await?,
    };
    if let Some(n) = n {
        answer.horizon = chart_data::find_horizon(&app, &question, n).await?.map(Into::into);
    }
    if let Some(mechanism) = mechanism {
        answer.enclosed = mechanism_query::of(&app, question, mechanism).await?;
    }
    Ok(Json(answer).into_response())
}

/// Positions to evaluate together.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Positions {
    /// The positions as FEN.
    #[schema(max_items = 100)]
    fens: Vec<String>,
}

/// The answer about one of several positions.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// An answer, as for one position.
    Answer(Box<ChipsAnswer>),
    /// The problem with a FEN that cannot be read.
    Problem(serde_json::Value),
}

impl PartialSchema for Outcome {
    fn schema() -> RefOr<schema::Schema> {
        let names = [ChipsAnswer::name(), Problem::name()];
        names.into_iter().fold(schema::OneOfBuilder::new(), |all, name| all.item(Ref::from_schema_name(name))).into()
    }
}

impl ToSchema for Outcome {
    fn schemas(named: &mut Vec<(String, RefOr<schema::Schema>)>) {
        named.push((ChipsAnswer::name().into_owned(), ChipsAnswer::schema()));
        named.push((Problem::name().into_owned(), Problem::schema()));
        ChipsAnswer::schemas(named);
        Problem::schemas(named);
    }
}

/// The answers about several positions.
#[derive(Serialize, ToSchema)]
pub struct Outcomes {
    /// One result for each position, in the order of the request.
    results: Vec<Outcome>,
}

/// Returns the exact values of up to 100 positions.
///
/// With `Content-Type: application/x-ndjson`, each line of the body is a FEN, up to 100,000 lines. The response has one line of JSON for each
/// FEN: the answer without its moves, or a problem. Answers start before the last line has been read, so read while you send, as curl does. A
/// client that sends everything before it reads blocks when the buffers between it and the server are full.
#[utoipa::path(
    post,
    path = "/api/richman",
    operation_id = "value_endgames",
    tag = "endgames",
    request_body = Positions,
    responses(
        (status = 200, description = "One answer for each position, in order; a problem where a FEN cannot be read", body = Outcomes),
        openapi::BodyErrors,
    )
)]
pub async fn values(
    State(app): State<Arc<App>>,
    ClientNetwork(from): ClientNetwork,
    request: Request,
) -> Result<Response, Error> {
    if brings_lines(request.headers()) {
        return Ok(bulk::stream_answers(app, from, request.into_body()));
    }
    let Body(Positions { fens }) = Body::from_request(request, &app).await?;
    if fens.len() > MAX_POSITIONS {
        let detail = format!("The request has {} positions. Send at most {MAX_POSITIONS} in one request.", fens.len());
        return Err(Error::new(Kind::LongBody, detail).field("fens"));
    }
    let read = move || fens.iter().map(|fen| richman::read(fen)).collect();
    let questions: Vec<Result<Question, FenError>> = app.play.pools().lookups.run(read).await?;
    let mut tables: Vec<Arc<Table>> = Vec::new();
    for question in questions.iter().flatten().filter(|question| question.without_table().is_none()) {
        if !tables.iter().any(|table| table.size() == question.size) {
            tables.push(app.endgames.table(question.size).await?);
        }
    }
    let mut four = Vec::new();
    for question in &questions {
        four.push(match question {
            Ok(question) => app.endgames.bounded(question).await?,
            Err(_) => None,
        });
    }
    let outcome = move |number: usize, question: Result<Question, FenError>, four| match (question, four) {
        (Err(wrong), _) => Outcome::Problem(Error::from(wrong).field(format!("fens[{number}]")).problem()),
        (Ok(_), Some(known)) => Outcome::Answer(Box::new(ChipsAnswer::from(known))),
        (Ok(question), None) => {
            let table = tables.iter().find(|table| table.size() == question.size);
            let answer = question.without_table().or_else(|| table.map(|table| question.answer(table)));
            match answer {
                Some(answer) => Outcome::Answer(Box::new(answer.into())),
                None => Outcome::Problem(Error::broken("a table that was fetched is missing").problem()),
            }
        }
    };
    let work = move || {
        let all = questions.into_iter().zip(four).enumerate();
        let results = all.map(|(number, (question, four))| outcome(number, question, four)).collect();
        serde_json::to_vec(&Outcomes { results })
    };
    let json = app.play.pools().lookups.run(work).await?.map_err(Error::broken)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], json).into_response())
}

/// TablesProgress of the tables.
#[derive(Serialize, ToSchema)]
pub struct TablesProgress {
    /// The tables of the 8×8 board, in the order of their computation.
    tables: Vec<Status>,
}

/// Returns the state of each table of the 8×8 board.
#[utoipa::path(
    get,
    path = "/api/richman/status",
    operation_id = "list_tables",
    tag = "endgames",
    responses(
        (status = 200, description = "Every table with its state and its progress from 0 to 1", body = TablesProgress),
    )
)]
pub async fn status(State(app): State<Arc<App>>) -> Response {
    let progress = TablesProgress { tables: app.endgames.tables().status() };
    ([(header::CACHE_CONTROL, "no-store")], Json(progress)).into_response()
}

/// Returns the line in which both sides play their best moves.
#[utoipa::path(
    get,
    path = "/api/richman/mainline",
    operation_id = "find_mainline",
    tag = "endgames",
    params(
        ("fen" = String, Query, description = "position as FEN, as for /api/richman", example = "8/8/8/8/3k4/8/8/K2N4"),
        ("turns" = Option<String>, Query, description = "mover of each move, w or b, at most 200; by default White and Black alternate", example = "wbbw"),
    ),
    responses(
        (status = 200, description = "The moves up to the capture of a king or the end of the turns; empty, with a reason, if no table covers the position", body = OptimalLine),
        (status = 304, description = "The client already has this answer (If-None-Match)"),
        openapi::PathErrors,
    )
)]
pub async fn mainline(
    State(app): State<Arc<App>>,
    Query(query): Query<Pairs>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    refuse_others(&query, &["fen", "turns"])?;
    let question = richman::read(fen_parameter(&query)?)?;
    let turns = match parameter(&query, "turns")? {
        Some(text) => richman::turns(text)?,
        None => richman::alternation(),
    };
    let (line, version) = match question.without_line() {
        Some(line) => (line, env!("CARGO_PKG_VERSION").to_owned()),
        None => {
            let table = app.endgames.table(question.size).await?;
            (question.mainline(&table, &turns), table.digest().to_owned())
        }
    };
    let movers = turns.iter().fold(key(&question), |text, color| text + " " + color.name());
    let body = Bytes::from(serde_json::to_vec(&line).map_err(Error::broken)?);
    Ok(send(&headers, RenderedAnswer { body, tag: tag(&[&version, &movers]), lasting: true }))
}
