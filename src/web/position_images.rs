//! Images of positions, for other sites. They show only public information, never a seat's view.

use super::{
    App, Error,
    cache_policy::{CachePolicy, tag},
    extract::{Path, Query},
    frame::Frame,
    game_text, png,
    position_picture::{self, NOWHERE},
    responses::{ASK_AGAIN, SHARED},
};
use crate::{
    board::{Board, FenError, cube, shape},
    game::Clocks,
    play::GameSnapshot,
    registry,
    rules::{Diagram, Refusal, Seat},
};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, HeaderValue, header, request::Parts},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::Map;
use std::{convert::Infallible, sync::Arc};

/// Cache lifetime of a fixed position's image. It is only a day, because a release can change the drawing.
const A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

#[derive(Clone, Copy)]
pub(super) enum Format {
    Svg,
    Png,
}

/// Request for an image: the shared state and the headers, which can hold an entity tag.
pub struct Asker {
    app: Arc<App>,
    headers: HeaderMap,
}

impl FromRequestParts<Arc<App>> for Asker {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        Ok(Asker { app: app.clone(), headers: parts.headers.clone() })
    }
}

/// Responds with an image, or with 304 if the client's copy is current. Any site can embed it. A worker pool draws it, so that the threads
/// for requests stay free. An SVG response concatenates the drawings, so `draw` must return exactly one for it.
async fn answer(
    asker: &Asker,
    kept: CachePolicy,
    format: Format,
    draw: impl FnOnce() -> Vec<String> + Send + 'static,
) -> Result<Response, Error> {
    let draw = move || match format {
        Format::Svg => Ok(([(header::CONTENT_TYPE, "image/svg+xml")], draw().concat()).into_response()),
        Format::Png => {
            let drawn = png::render(&draw())?;
            Ok(([(header::CONTENT_TYPE, "image/png")], drawn).into_response())
        }
    };
    let whole = async { asker.app.play.pools().lookups.run(draw).await? };
    let mut response = kept.answer(&asker.headers, whole).await?;
    response.headers_mut().insert(SHARED.0, SHARED.1);
    Ok(response)
}

/// Text next to a game's board, with public information only.
fn lines(table: &GameSnapshot) -> Vec<String> {
    let frame = Frame::of(&table.game, None, String::new());
    let player = |seat: Seat| format!("{}: {}", game_text::side(&frame.diagram, seat), table.name(seat));
    let mut lines = vec![frame.title.to_owned(), game_text::headline(&frame), String::new()];
    lines.extend(Seat::BOTH.map(player));
    if frame.score.iter().any(|points| points != "0") {
        lines.push(format!("Score: {} - {}", frame.score[0], frame.score[1]));
    }
    lines
}

async fn game(asker: &Asker, id: &str, format: Format) -> Result<Response, Error> {
    let table = asker.app.play.look(id).await?;
    let tag = tag(&[env!("CARGO_PKG_VERSION"), &table.visible_version(&[]).to_string()]);
    answer(asker, CachePolicy { tag, control: ASK_AGAIN }, format, move || {
        let diagram = table.game.diagram(None);
        match format {
            Format::Svg => vec![position_picture::svg(&diagram, &NOWHERE)],
            Format::Png => position_picture::card(&diagram, &NOWHERE, &lines(&table)),
        }
    })
    .await
}

/// `GET /games/{id}/image.svg`: returns the board of a game.
pub async fn game_svg(asker: Asker, Path(id): Path<String>) -> Result<Response, Error> {
    game(&asker, &id, Format::Svg).await
}

/// `GET /games/{id}/image.png`: returns the link preview of a game.
pub async fn game_png(asker: Asker, Path(id): Path<String>) -> Result<Response, Error> {
    game(&asker, &id, Format::Png).await
}

/// `GET /rules/{variant}/image.png`: returns the link preview of a variant's rules, with its initial position.
pub async fn rules_png(asker: Asker, Path(key): Path<String>) -> Result<Response, Error> {
    let unknown = |refusal: Refusal| Error::unknown(format!("{refusal}."));
    let variant = registry::find_or_refuse(&key).map_err(unknown)?;
    let opening = variant.begin(&Map::new(), Clocks::new([None; 2])).map_err(Error::broken)?.diagram(None);
    let lines = [variant.title.to_owned(), variant.summary.to_owned()];
    lasting(&asker, Format::Png, &[variant.key], move || position_picture::card(&opening, &NOWHERE, &lines)).await
}

/// Query with a position to draw.
#[derive(Deserialize)]
pub struct Position {
    /// FEN of a board of up to 8 × 8 squares. Or a full position of Raumschach, with bars between its levels.
    fen: String,
}

/// Parses the position of a query. Also returns the letters of the pieces in hand, which follow the board in brackets. Kings are optional,
/// so that partial positions can be drawn.
fn read(position: &Position) -> Result<(Diagram, String), Error> {
    let wrong =
        |wrong: FenError| Error::malformed(format!("The FEN cannot be read: {wrong}.")).field("fen").at(wrong.at);
    if position.fen.contains('|') {
        return Ok((Diagram::of_cube(&cube::CubePosition::parse(&position.fen).map_err(wrong)?), String::new()));
    }
    let mut board = Board::orthodox_of(shape(&position.fen).map_err(wrong)?);
    board.holdings = true;
    let read = board.read_fen(&position.fen).map_err(wrong)?.position;
    let held = board.holdings_fen(&read).trim_matches(['[', ']']).to_owned();
    Ok((Diagram { check: Vec::new(), ..Diagram::of(&board, &read) }, held))
}

async fn diagram(
    asker: &Asker,
    position: &Position,
    format: Format,
    words: impl FnOnce(&Diagram, &str) -> [String; 2],
) -> Result<Response, Error> {
    let (diagram, held) = read(position)?;
    let words = words(&diagram, &held);
    let [first, second] = words.clone();
    lasting(asker, format, &[&position.fen, &first, &second], move || match format {
        Format::Svg => vec![position_picture::svg(&diagram, &NOWHERE)],
        Format::Png => position_picture::card(&diagram, &NOWHERE, &words),
    })
    .await
}

/// Responds with an image that depends only on `of` and the release. Clients cache it for a day.
pub(super) async fn lasting(
    asker: &Asker,
    format: Format,
    of: &[&str],
    draw: impl FnOnce() -> Vec<String> + Send + 'static,
) -> Result<Response, Error> {
    let tag = tag(&[&[env!("CARGO_PKG_VERSION")], of].concat());
    answer(asker, CachePolicy { tag, control: A_DAY }, format, draw).await
}

/// Two-line description of a position.
fn described(diagram: &Diagram, held: &str) -> [String; 2] {
    let count = match diagram.pieces.len() {
        1 => "1 piece".to_owned(),
        count => format!("{count} pieces"),
    };
    let hand = if held.is_empty() { String::new() } else { format!(", in hand {held}") };
    let levels = if diagram.levels > 1 { format!(" × {} cells", diagram.levels) } else { " squares".to_owned() };
    [format!("Position with {count}"), format!("on {} × {}{levels}{hand}", diagram.width, diagram.height)]
}

/// `GET /diagram.svg?fen=`: returns a drawing of any position.
pub async fn diagram_svg(asker: Asker, Query(position): Query<Position>) -> Result<Response, Error> {
    diagram(&asker, &position, Format::Svg, described).await
}

/// `GET /diagram.png?fen=`: returns the link preview of any position.
pub async fn diagram_png(asker: Asker, Query(position): Query<Position>) -> Result<Response, Error> {
    diagram(&asker, &position, Format::Png, described).await
}

/// `GET /diagram/bookie.png?fen=`: returns the link preview of a Bookie Chess position.
pub async fn bookie_png(asker: Asker, Query(position): Query<Position>) -> Result<Response, Error> {
    let words = |_: &Diagram, _: &str| ["Bookie Chess", "What would you bid on White?"].map(str::to_owned);
    diagram(&asker, &position, Format::Png, words).await
}

/// `GET /diagram/bookie-revealed.png?fen=`: returns the link preview of a revealed Bookie Chess position.
pub async fn revealed_png(asker: Asker, Query(position): Query<Position>) -> Result<Response, Error> {
    let words = |_: &Diagram, _: &str| ["Bookie Chess", "Was your bid right?"].map(str::to_owned);
    diagram(&asker, &position, Format::Png, words).await
}
