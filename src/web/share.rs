//! What other sites show of ours: pictures of positions, the answer to oEmbed, and a page for their frames. All of it shows what
//! anybody may see, never what a seat sees.

use super::{
    App, Base, Error, Kind,
    board::Figure,
    extract::{Path, Query},
    game::words,
    headers, page as render, picture,
};
use crate::{
    board::{Board, FenError, shape},
    game::Frame,
    play::LiveGame,
    rules::{Diagram, Seat},
};
use askama::Template;
use axum::{
    Json,
    extract::State,
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use tokio::sync::Semaphore;

/// How many pictures are turned into pixels at a time: it is the most work that a stranger can ask of the server.
static DRAWING: Semaphore = Semaphore::const_new(2);
/// Any site may show what is answered with this.
const SHARED: (HeaderName, HeaderValue) =
    (HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));
/// Games change: a cache asks every time, and mostly hears that nothing has.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("public, no-cache");
/// A position is for ever, its drawing for a release.
const A_DAY: HeaderValue = HeaderValue::from_static("public, max-age=86400");

/// Vectors or pixels.
#[derive(Clone, Copy)]
enum Format {
    Svg,
    Png,
}

/// Whether the asker's copy is still good.
fn has(headers: &HeaderMap, tag: &str) -> bool {
    let known = headers.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok()).unwrap_or_default();
    known.split(',').any(|one| one.trim().trim_start_matches("W/") == tag)
}

/// A picture with its tag, or only that the asker's copy is good.
async fn answer(
    asked: &HeaderMap,
    tag: String,
    keep: HeaderValue,
    format: Format,
    draw: impl FnOnce() -> String + Send + 'static,
) -> Result<Response, Error> {
    let mut response = if has(asked, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match format {
            Format::Svg => ([(header::CONTENT_TYPE, "image/svg+xml")], draw()).into_response(),
            Format::Png => {
                let _turn = DRAWING.acquire().await.map_err(Error::broken)?;
                let drawn = tokio::task::spawn_blocking(move || picture::png(&draw())).await.map_err(Error::broken)?;
                ([(header::CONTENT_TYPE, "image/png")], drawn.map_err(Error::broken)?).into_response()
            }
        }
    };
    let headers = response.headers_mut();
    headers.insert(header::ETAG, HeaderValue::from_str(&tag).map_err(Error::broken)?);
    headers.insert(header::CACHE_CONTROL, keep);
    headers.insert(SHARED.0, SHARED.1);
    Ok(response)
}

/// The lines beside a game's board, for anybody.
fn lines(table: &LiveGame) -> Vec<String> {
    let frame = Frame::of(&*table.game, None, String::new(), "");
    let player = |seat: Seat| format!("{}: {}", words::side(&frame.diagram, seat), table.name(seat));
    let mut lines = vec![frame.title.to_owned(), words::headline(&frame), String::new()];
    lines.extend(Seat::BOTH.map(player));
    if frame.score.iter().any(|points| points != "0") {
        lines.push(format!("Score: {} - {}", frame.score[0], frame.score[1]));
    }
    lines
}

async fn game(app: &App, asked: &HeaderMap, id: &str, format: Format) -> Result<Response, Error> {
    let table = app.play.look(id).await?;
    let tag = format!("\"{}-{}\"", env!("CARGO_PKG_VERSION"), table.version());
    answer(asked, tag, ASK_AGAIN, format, move || {
        let diagram = table.game.diagram(None);
        match format {
            Format::Svg => picture::svg(&diagram),
            Format::Png => picture::card(&diagram, &lines(&table)),
        }
    })
    .await
}

/// `GET /games/{id}/image.svg`
pub async fn game_svg(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    game(&app, &headers, &id, Format::Svg).await
}

/// `GET /games/{id}/image.png`
pub async fn game_png(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    game(&app, &headers, &id, Format::Png).await
}

/// A position to draw.
#[derive(Deserialize)]
pub struct Position {
    /// Forsyth–Edwards notation for a board of up to eight by eight; only the first field counts.
    fen: String,
}

/// The position that a query describes. Kings may be missing, for positions that are not whole.
fn read(position: &Position) -> Result<Diagram, Error> {
    let wrong =
        |wrong: FenError| Error::malformed(format!("The FEN cannot be read: {wrong}.")).field("fen").at(wrong.at);
    let placement = position.fen.split([' ', '_', '+']).find(|field| !field.is_empty()).unwrap_or_default();
    let board = Board::orthodox_of(shape(&position.fen).map_err(wrong)?);
    let parsed = board.parse_fen(placement).map_err(wrong)?;
    Ok(Diagram { check: Vec::new(), ..Diagram::of(&board, &parsed) })
}

async fn diagram(asked: &HeaderMap, position: &Position, format: Format) -> Result<Response, Error> {
    let diagram = read(position)?;
    let drawing = match format {
        Format::Svg => picture::svg(&diagram),
        Format::Png => picture::card(&diagram, &["Bookie Chess".to_owned(), "What would you bid on White".to_owned()]),
    };
    let digest = Sha256::digest(&drawing);
    let tag: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    answer(asked, format!("\"{tag}\""), A_DAY, format, move || drawing).await
}

/// `GET /diagram.svg?fen=`: any position as a drawing.
pub async fn diagram_svg(headers: HeaderMap, Query(position): Query<Position>) -> Result<Response, Error> {
    diagram(&headers, &position, Format::Svg).await
}

/// `GET /diagram.png?fen=`: a position as the preview of a link.
pub async fn diagram_png(headers: HeaderMap, Query(position): Query<Position>) -> Result<Response, Error> {
    diagram(&headers, &position, Format::Png).await
}

#[derive(Template)]
#[template(path = "embed.html")]
struct Embed {
    title: String,
    headline: String,
    url: String,
    figure: Figure,
}

/// `GET /games/{id}/embed`: the board as it stands, for the frames of other sites.
pub async fn embed(State(app): State<Arc<App>>, base: Base, Path(id): Path<String>) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let frame = Frame::of(&*table.game, None, String::new(), "");
    let mut response = render(&Embed {
        title: title(&table),
        headline: words::headline(&frame),
        url: base.url(&format!("/games/{id}")),
        figure: Figure::of_diagram(&frame.diagram),
    })?;
    let policy = headers::CONTENT_SECURITY_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *");
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_str(&policy).map_err(Error::broken)?);
    headers.insert(header::CACHE_CONTROL, ASK_AGAIN);
    headers.insert(SHARED.0, SHARED.1);
    Ok(response)
}

/// A game in a line: what is played, and who plays.
fn title(table: &LiveGame) -> String {
    format!("{}: {} against {}", table.game.title(), table.name(Seat::One), table.name(Seat::Two))
}

/// What an oEmbed consumer asks.
#[derive(Deserialize)]
pub struct Consumer {
    url: String,
    maxwidth: Option<u32>,
    maxheight: Option<u32>,
    format: Option<String>,
}

/// An oEmbed answer of the type `rich`, as oembed.com describes it.
#[derive(Serialize)]
pub struct Rich {
    version: &'static str,
    r#type: &'static str,
    provider_name: &'static str,
    provider_url: String,
    title: String,
    html: String,
    width: u32,
    height: u32,
    thumbnail_url: String,
    thumbnail_width: u32,
    thumbnail_height: u32,
}

/// The room for what stands below an embedded board, in pixels.
const FOOT: u32 = 80;

/// `GET /oembed?url=`: how to show a game of this site in another one.
pub async fn oembed(State(app): State<Arc<App>>, base: Base, Query(asked): Query<Consumer>) -> Result<Response, Error> {
    if asked.format.as_deref().is_some_and(|format| format != "json") {
        let words = "This site answers oEmbed in JSON only; ask with format=json.";
        return Err(Error::new(Kind::Format, words).field("format"));
    }
    let path = asked.url.strip_prefix(&base.url("/games/")).map(|rest| rest.split(['/', '?', '#']).next());
    let id = path.flatten().filter(|id| !id.is_empty()).ok_or_else(|| {
        Error::unknown(format!("Only games of this site can be embedded: addresses like {}", base.url("/games/k3v9")))
            .field("url")
    })?;
    let table = app.play.look(id).await?;
    let (most_wide, most_high) = (asked.maxwidth.unwrap_or(480), asked.maxheight.unwrap_or(480 + FOOT));
    let width = most_wide.min(most_high.saturating_sub(FOOT)).clamp(160, 720);
    let height = width + FOOT;
    let url = base.url(&format!("/games/{}", table.id()));
    let mut response = Json(Rich {
        version: "1.0",
        r#type: "rich",
        provider_name: "Zorkmid",
        provider_url: base.url("/"),
        title: title(&table),
        html: format!(
            "<iframe src=\"{url}/embed\" width=\"{width}\" height=\"{height}\" frameborder=\"0\" title=\"A game of {}\"></iframe>",
            table.game.title()
        ),
        width,
        height,
        thumbnail_url: format!("{url}/image.png"),
        thumbnail_width: picture::CARD.0,
        thumbnail_height: picture::CARD.1,
    })
    .into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, ASK_AGAIN);
    response.headers_mut().insert(SHARED.0, SHARED.1);
    Ok(response)
}

/// What the head of a page tells whoever makes a preview of it.
#[derive(Clone, Debug)]
pub struct Preview {
    /// Of the page, absolute.
    pub url: String,
    /// Of the picture, absolute.
    pub image: String,
    /// In a line.
    pub title: String,
    /// In a sentence.
    pub words: String,
    /// Where oEmbed answers for this page, if it does.
    pub oembed: Option<String>,
}

impl Preview {
    /// Of a game, as anybody sees it.
    pub fn of_game(table: &LiveGame, base: &Base) -> Preview {
        let url = base.url(&format!("/games/{}", table.id()));
        let escaped = percent_encoding::utf8_percent_encode(&url, percent_encoding::NON_ALPHANUMERIC);
        Preview {
            image: format!("{url}/image.png?{}", table.version()),
            title: title(table),
            words: table
                .headline
                .get_or_init(|| words::headline(&Frame::of(&*table.game, None, String::new(), "")))
                .clone(),
            oembed: Some(base.url(&format!("/oembed?url={escaped}"))),
            url,
        }
    }

    /// Of a position, whose page is at `path`; `fen` is what its picture may show.
    pub fn of_position(base: &Base, path: &str, fen: &str, title: &str, words: &str) -> Preview {
        let placement = fen.split(' ').next().unwrap_or_default();
        Preview {
            url: base.url(path),
            image: base.url(&format!("/diagram.png?fen={placement}")),
            title: title.to_owned(),
            words: words.to_owned(),
            oembed: None,
        }
    }
}
