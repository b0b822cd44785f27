//! The pages of puzzles. A puzzle's own page knows the solution only when an answer stands in its address.

use super::{Daily, Days, figure, named, path};
use crate::{
    board::Square,
    puzzles::{Puzzle, PuzzleKind},
    store::Attempts,
    web::{
        App, Base, Client, Error,
        board::Figure,
        extract::{Form, Pairs, Path, Query, parameter},
        page as render,
        preview::Preview,
        private,
    },
};
use askama::Template;
use axum::{
    extract::State,
    http::{Extensions, HeaderMap, StatusCode},
    response::{IntoResponse, Redirect, Response},
};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use std::sync::Arc;

#[derive(Template)]
#[template(path = "puzzles.html")]
struct ListPage {
    daily: Daily,
    preview: Preview,
}

#[derive(Template)]
#[template(path = "puzzle.html")]
struct PuzzlePage {
    puzzle: Puzzle,
    boards: Vec<Figure>,
    stacks: Option<[(&'static str, i64); 2]>,
    attempts: Attempts,
    here: String,
    /// The answer that was given, and whether it is right.
    given: Option<(String, bool)>,
    /// What is wrong with what was written.
    wrong: Option<String>,
    /// What was written.
    text: String,
    /// The days in a row, on the page of the daily puzzle.
    daily: Option<u32>,
    /// Where each board can be looked into once an answer was given.
    links: Vec<String>,
    preview: Preview,
}

/// Where a position can be looked into, with the chips if it says there who wins with them.
fn looked_into(puzzle: &Puzzle, fen: &str) -> String {
    let bidder = match puzzle.kind {
        PuzzleKind::LeastBid => puzzle.side,
        PuzzleKind::Answer => !puzzle.side,
        PuzzleKind::PaidMove | PuzzleKind::CoinMove | PuzzleKind::Promotion | PuzzleKind::Zugzwang => {
            return format!("/endgames?fen={fen}");
        }
    };
    let [white, black] = puzzle.staked.map_or([0; 2], |staked| staked.chips);
    format!("/endgames?fen={fen}&chips={white}:{black}&bids={}", bidder.name())
}

/// `GET /puzzles`
pub async fn list(State(app): State<Arc<App>>, base: Base, days: Days) -> Result<Response, Error> {
    let words = "Chess endgames for stakes, with exact solutions: the least bid that wins, whether to accept, which move is worth its price";
    Ok(private(render(&ListPage {
        daily: Daily::of(&app, &days),
        preview: Preview::of_page(&base, "/puzzles", "/diagram.png?fen=8/3P4/4k3/8/8/8/2K5/8", "Puzzles", words),
    })?))
}

/// `GET /puzzles/{kind}`: draws one and goes there.
pub async fn fresh(State(app): State<Arc<App>>, Path(kind): Path<String>) -> Result<Response, Error> {
    let kind = kind.parse::<PuzzleKind>().map_err(|wrong| Error::unknown(wrong.why))?;
    Ok(private(Redirect::to(&path(kind, app.play.puzzle())).into_response()))
}

/// `GET /puzzles/{kind}/{number}`: the puzzle; with `from` a unit is in hand, and with `answer` it is solved.
pub async fn show(
    State(app): State<Arc<App>>,
    base: Base,
    days: Days,
    place: Path<(String, String)>,
    Query(query): Query<Pairs>,
    extensions: Extensions,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let (kind, number) = named(place)?;
    let from = parameter(&query, "from")?.and_then(|text| text.parse::<Square>().ok());
    let text = parameter(&query, "answer")?.unwrap_or_default();
    let client = Client::of(&app, &extensions, &headers);
    let (puzzle, attempts) = app.puzzle(client, kind, number).await?;
    let (given, wrong) = match (text, puzzle.grade(text)) {
        ("", _) => (None, None),
        (_, Ok(right)) => (Some((text.to_owned(), right)), None),
        (_, Err(wrong)) => (None, Some(wrong.why)),
    };
    let status = if wrong.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let fen = |at: usize| puzzle.positions.get(at).map(|question| question.fen());
    let here = path(kind, number);
    let page = PuzzlePage {
        boards: if given.is_some() { figure::solved(&puzzle) } else { figure::asked(&puzzle, from) },
        stacks: figure::stacks(&puzzle),
        attempts,
        given,
        wrong,
        text: text.to_owned(),
        daily: app.is_daily(kind, number).then(|| days.in_a_row(app.day())),
        links: (0..puzzle.positions.len()).filter_map(fen).map(|fen| looked_into(&puzzle, &fen)).collect(),
        preview: Preview::of_position(
            &base,
            &here,
            "/diagram.png",
            &fen(0).unwrap_or_default(),
            kind.title(),
            &puzzle.task(),
        ),
        here,
        puzzle,
    };
    Ok(private((status, render(&page)?).into_response()))
}

/// `POST /puzzles/{kind}/{number}`: counts an answer and shows what it is worth; a unit that was pressed is taken in hand.
pub async fn answer(
    State(app): State<Arc<App>>,
    days: Days,
    place: Path<(String, String)>,
    extensions: Extensions,
    headers: HeaderMap,
    Form(fields): Form<Pairs>,
) -> Result<Response, Error> {
    let (kind, number) = named(place)?;
    let here = path(kind, number);
    let go = |name: &str, value: &str| {
        let value = utf8_percent_encode(value, NON_ALPHANUMERIC);
        Redirect::to(&format!("{here}?{name}={value}")).into_response()
    };
    if let Some(from) = parameter(&fields, "from")? {
        return Ok(private(go("from", from)));
    }
    let text = parameter(&fields, "answer")?.unwrap_or_default();
    let client = Client::of(&app, &extensions, &headers);
    let (puzzle, _) = app.puzzle(client, kind, number).await?;
    let response = go("answer", text);
    // What is no answer is told on the page.
    let solved = puzzle.grade(text).is_ok() && app.grade(&puzzle, text).await?;
    let response = if solved && app.is_daily(kind, number) { days.keep(response, app.day()) } else { response };
    Ok(private(response))
}
