//! Endgame values as JSON: one position, many positions, a line of best play, and how far the tables are.

use crate::{
    board::FenError,
    richman::{self, Answer, BadTurns, Mainline, Question, Standing, Status, Table, rules},
    web::{
        App, Client, Error, Kind,
        client::Household,
        endgames::{
            bulk,
            chips::{self, ChipsAnswer},
            four, horizon, mechanism,
            page::PATIENCE,
        },
        extract::{Json as Body, Pairs, Query, parameter},
        kept::{Kept, tag, weak},
        limit::brings_lines,
        openapi::{self, Problem},
        values::{Endgames, Rendered},
    },
};
use axum::{
    Json,
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Request, State},
    http::{HeaderMap, HeaderValue, Uri, header, request::Parts},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tokio::time;
use utoipa::ToSchema;

/// The number of positions that one request may ask.
const MOST: usize = 100;

/// A position's answer is the same until the table changes, which only a new version of the server can do.
const DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");
const JSON: HeaderValue = HeaderValue::from_static("application/json");

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

/// The FEN that a query asks for.
fn asked(query: &Pairs) -> Result<&str, Error> {
    parameter(query, "fen")?
        .ok_or_else(|| Error::malformed("Give the position as fen, as in ?fen=8/8/8/8/3k4/8/8/K2N4.").field("fen"))
}

/// The answer to an address that asks for a position of the ordinary board as it is usually written and for nothing else, as most do; or for one whose
/// answer is kept. Of four pieces it is put together from files that have been opened before, and kept: what of them has left memory since is read here,
/// some dozens of pages for each answer at worst.
fn at_once(app: &App, uri: &Uri) -> Option<Result<Rendered, Error>> {
    let (fen, printer) = (uri.query()?.strip_prefix("fen=")?, app.endgames.printer()?);
    if let Some(json) = printer.print_fen(fen) {
        return Some(rendered(json, fen, printer.digest()));
    }
    if let Some(kept) = app.endgames.kept(fen) {
        return Some(Ok(kept));
    }
    let (json, digest) = printer.print_four_fen(fen)?;
    let rendered = rendered(json, fen, digest);
    if let Ok(rendered) = &rendered {
        app.endgames.keep(fen.to_owned(), rendered.clone());
    }
    Some(rendered)
}

/// The text that distinguishes a question from all others with another answer.
fn key(question: &Question) -> String {
    let mut key = rules(question.size).placement_fen(&question.position);
    if let Standing::Beyond(reason) = &question.standing {
        key.push(' ');
        key.push_str(reason);
    }
    key
}

/// Sends what was rendered, or says that the client has it.
fn send(headers: &HeaderMap, rendered: Rendered) -> Response {
    let Rendered { body, tag } = rendered;
    Kept { tag, control: DAY }.answer_at_once(headers, ([(header::CONTENT_TYPE, JSON)], body))
}

impl Endgames {
    /// The answer to a FEN: put together where that is quick, else written anew, or kept from when it was last asked in the same letters.
    async fn rendered(self: &Arc<Self>, fen: &str) -> Result<Rendered, Error> {
        let question = richman::read(fen)?;
        if let Some(printer) = self.printer()
            && let Some(json) = printer.print(&question)
        {
            return rendered(json, &question.fen(), printer.digest());
        }
        if let Some(rendered) = self.kept(fen) {
            return Ok(rendered);
        }
        if self.has_opened(&question).await?
            && let Some(printer) = self.printer()
            && let Some((json, digest)) = printer.print_four(&question)
        {
            return rendered(json, &question.fen(), digest);
        }
        let rendered = match self.of_files(&question).await? {
            Some(known) => {
                let body = Bytes::from(serde_json::to_vec(&ChipsAnswer::from(known)).map_err(Error::broken)?);
                Rendered { tag: tag(&[env!("CARGO_PKG_VERSION"), &String::from_utf8_lossy(&body)]), body }
            }
            // A table of four pieces or of five may come later.
            None if question.is_of_files() => return self.written(&question).await,
            None => self.written(&question).await?,
        };
        self.keep(fen.to_owned(), rendered.clone());
        Ok(rendered)
    }

    /// The answer to a question of which no table of four pieces tells, written anew.
    async fn written(self: &Arc<Self>, question: &Question) -> Result<Rendered, Error> {
        if let Some(answer) = question.without_table() {
            let body = Bytes::from(serde_json::to_vec(&answer).map_err(Error::broken)?);
            return Ok(Rendered { body, tag: tag(&[env!("CARGO_PKG_VERSION"), &key(question)]) });
        }
        let table = self.table(question.size).await?;
        let json = serde_json::to_vec(&question.answer(&table)).map_err(Error::broken)?;
        rendered(json.into(), &question.fen(), table.digest())
    }
}

/// An answer as it is sent. The digest of the table and the position name it as they are.
fn rendered(body: Bytes, fen: &str, digest: &str) -> Result<Rendered, Error> {
    Ok(Rendered { body, tag: weak(&[&digest[..32], ".", fen])? })
}

/// Gives the exact value of a position without a side to move, the bid, and every move of both sides.
///
/// The value is White's chance to win if a fair coin decides each mover, and the share of all the money that Black may hold
/// while White still wins if the players bid for the move.
#[utoipa::path(
    get,
    path = "/api/richman",
    operation_id = "value_endgame",
    tag = "endgames",
    params(
        ("fen" = String, Query, description = "the position; its rows give the board, from 3×3 to 8×8, and all fields but the first may be left out", example = "8/8/8/8/3k4/8/8/K2N4"),
        ("chips" = Option<String>, Query, description = "White's whole chips and Black's, 2000000 in all at most: then `chips` of the answer says who wins the auction with them, exactly for up to 65535", example = "17:183"),
        ("bids" = Option<String>, Query, description = "the side that names the bid, `white` or `black`; goes with chips", example = "black"),
        ("bid" = Option<i64>, Query, description = "the bid, once it is named", example = 4),
        ("negative" = Option<bool>, Query, description = "whether bids may be below zero, as they usually may; without chips, false goes with tie", example = false),
        ("tie" = Option<String>, Query, description = "how equal sealed bids are settled, `marker`, `choice`, `coin`, `side`, `rebid` or `loser`; goes with chips or with `negative=false`, and not with bids", example = "choice"),
        ("holder" = Option<String>, Query, description = "the side that holds the marker, moves at all equal bids, or did not get the last move, `white` or `black`; goes with tie", example = "white"),
        ("price" = Option<String>, Query, description = "the sealed bid that is paid, `first`, as it usually is, or `second`; goes with tie", example = "second"),
        ("money" = Option<String>, Query, description = "who is paid: `richman`, the other player; `poorman`, the bank; `taxman`, both. `enclosed` of the answer then holds bounds of the values; goes without chips", example = "taxman"),
        ("tau" = Option<String>, Query, description = "the share of every payment that the bank takes, a fraction from 0 to 1; goes with `money=taxman`", example = "1/2"),
        ("exact" = Option<bool>, Query, description = "with four pieces, whether α and β are looked for as fractions, which may take some seconds; what is asked of three pieces has them anyway", example = true),
        ("n" = Option<i64>, Query, description = "a number of moves: then `horizon` of the answer holds α_n, β_n and the simplest fraction between them", minimum = 0, maximum = 60, example = 12),
    ),
    responses(
        (status = 200, description = "The value, or why none is known", body = ChipsAnswer),
        (status = 304, description = "The client has this answer: If-None-Match named its ETag"),
        openapi::OfAddress,
    )
)]
pub async fn value(State(app): State<Arc<App>>, request: Request) -> Result<Response, Error> {
    let (parts, _) = request.into_parts();
    if let Some(rendered) = at_once(&app, &parts.uri) {
        return Ok(send(&parts.headers, rendered?));
    }
    // What takes longer also takes more room, which the others need not clear.
    Box::pin(considered(app, parts)).await
}

async fn considered(app: Arc<App>, mut parts: Parts) -> Result<Response, Error> {
    let Query(query) = Query::<Pairs>::from_request_parts(&mut parts, &app).await?;
    let (auction, n, mechanism) = (chips::auction(&query)?, horizon::asked(&query)?, mechanism::asked(&query)?);
    let exactly = four::asked(&query)?;
    let client = || Client::of(&app, &parts.extensions, &parts.headers);
    if auction.is_none() && n.is_none() && mechanism.is_none() && !exactly {
        return Ok(send(&parts.headers, app.endgames.rendered(asked(&query)?).await?));
    }
    let question = richman::read(asked(&query)?)?;
    // The bounds of four pieces are those of bids that the other player is paid.
    let known = match mechanism {
        None => known_in_time(four::known(&app, client(), &question, exactly)).await?,
        Some(_) => None,
    };
    let mut answer = match (known, auction) {
        (Some(known), _) => known.into(),
        (None, Some(auction)) => chips::answered(&app, client(), question.clone(), auction).await?,
        (None, None) => chips::unstaked(&app, question.clone()).await?,
    };
    if let Some(n) = n {
        answer.horizon = horizon::of(&app, client(), &question, n).await?.map(Into::into);
    }
    if let Some(mechanism) = mechanism {
        answer.enclosed = mechanism::of(&app, client(), question, mechanism).await?;
    }
    Ok(Json(answer).into_response())
}

/// What is known of four pieces, unless it takes longer than somebody waits: it is worked out to its end and kept.
async fn known_in_time<T>(known: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    time::timeout(PATIENCE, known).await.unwrap_or_else(|_| {
        let why = "The fractions of this position are being looked for; what is found is kept, so ask again.";
        Err(Error::new(Kind::Busy { retry_after: 2 }, why))
    })
}

/// Positions to be answered together.
#[derive(Deserialize, ToSchema)]
pub struct Positions {
    /// Their FENs.
    #[schema(max_items = 100)]
    fens: Vec<String>,
}

/// The answer about one of many positions.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub enum Outcome {
    /// Everything that is known.
    Answer(Box<Answer>),
    /// Everything that is known of four pieces.
    Four(Box<ChipsAnswer>),
    /// Why it cannot be read.
    #[schema(value_type = Problem)]
    Problem(serde_json::Value),
}

/// The answers to many positions.
#[derive(Serialize, ToSchema)]
pub struct Outcomes {
    /// One for each position, in the order of the question.
    results: Vec<Outcome>,
}

/// Gives the exact values of up to 100 positions.
///
/// With `Content-Type: application/x-ndjson` every line of the body is a FEN, up to 100,000 of them, and what comes back is as many lines of JSON,
/// each with what is known of its position but the moves, or with a problem.
#[utoipa::path(
    post,
    path = "/api/richman",
    operation_id = "value_endgames",
    tag = "endgames",
    request_body = Positions,
    responses(
        (status = 200, description = "An answer for each position in order; a problem where a FEN cannot be read", body = Outcomes),
        openapi::OfBody,
    )
)]
pub async fn values(
    State(app): State<Arc<App>>,
    Household(from): Household,
    request: Request,
) -> Result<Response, Error> {
    if brings_lines(request.headers()) {
        return Ok(bulk::answered(app, from, request.into_body()));
    }
    let Body(Positions { fens }) = Body::from_request(request, &app).await?;
    if fens.len() > MOST {
        let detail = format!("{} positions are asked, and one request answers at most {MOST}.", fens.len());
        return Err(Error::new(Kind::LongBody, detail).field("fens"));
    }
    let questions: Vec<Result<Question, FenError>> = fens.iter().map(|fen| richman::read(fen)).collect();
    let mut tables: Vec<Arc<Table>> = Vec::new();
    for question in questions.iter().flatten().filter(|question| question.without_table().is_none()) {
        if !tables.iter().any(|table| table.size() == question.size) {
            tables.push(app.endgames.table(question.size).await?);
        }
    }
    let mut four = Vec::new();
    for question in &questions {
        four.push(match question {
            Ok(question) => app.endgames.of_files(question).await?,
            Err(_) => None,
        });
    }
    let outcome = |number: usize, question: Result<Question, FenError>, four| match (question, four) {
        (Err(wrong), _) => Outcome::Problem(Error::from(wrong).field(format!("fens[{number}]")).problem()),
        (Ok(_), Some(known)) => Outcome::Four(Box::new(ChipsAnswer::from(known))),
        (Ok(question), None) => {
            let table = tables.iter().find(|table| table.size() == question.size);
            let answer = question.without_table().or_else(|| table.map(|table| question.answer(table)));
            match answer {
                Some(answer) => Outcome::Answer(Box::new(answer)),
                None => Outcome::Problem(Error::broken("a table that was fetched is missing").problem()),
            }
        }
    };
    let all = questions.into_iter().zip(four).enumerate();
    let results = all.map(|(number, (question, four))| outcome(number, question, four)).collect();
    Ok(Json(Outcomes { results }).into_response())
}

/// The progress of the tables.
#[derive(Serialize, ToSchema)]
pub struct Progress {
    /// The tables of the ordinary board in the order in which they are computed.
    tables: Vec<Status>,
}

/// Says how far the tables of the ordinary board are.
#[utoipa::path(
    get,
    path = "/api/richman/status",
    operation_id = "list_tables",
    tag = "endgames",
    responses(
        (status = 200, description = "Every table with its state and its progress from 0 to 1", body = Progress),
    )
)]
pub async fn status(State(app): State<Arc<App>>) -> Response {
    let progress = Progress { tables: app.endgames.tables().status() };
    ([(header::CACHE_CONTROL, "no-store")], Json(progress)).into_response()
}

/// Gives the line that arises when both sides play their best.
#[utoipa::path(
    get,
    path = "/api/richman/mainline",
    operation_id = "find_mainline",
    tag = "endgames",
    params(
        ("fen" = String, Query, description = "the position, as for /api/richman", example = "8/8/8/8/3k4/8/8/K2N4"),
        ("turns" = Option<String>, Query, description = "who moves, w or b for each move, at most 200; without it White and Black in turn", example = "wbbw"),
    ),
    responses(
        (status = 200, description = "The moves up to the capture of a king or the end of the turns; none where no table covers the position", body = Mainline),
        (status = 304, description = "The client has this answer: If-None-Match named its ETag"),
        openapi::OfAddress,
    )
)]
pub async fn mainline(
    State(app): State<Arc<App>>,
    Query(query): Query<Pairs>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let question = richman::read(asked(&query)?)?;
    let turns = match parameter(&query, "turns")? {
        Some(text) => richman::turns(text)?,
        None => richman::alternation(),
    };
    let (line, version) = match question.without_table() {
        Some(_) => (Mainline { moves: Vec::new() }, env!("CARGO_PKG_VERSION").to_owned()),
        None => {
            let table = app.endgames.table(question.size).await?;
            (question.mainline(&table, &turns), table.digest().to_owned())
        }
    };
    let movers = turns.iter().fold(key(&question), |text, color| text + " " + color.name());
    let body = Bytes::from(serde_json::to_vec(&line).map_err(Error::broken)?);
    Ok(send(&headers, Rendered { body, tag: tag(&[&version, &movers]) }))
}
