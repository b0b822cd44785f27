//! The chosen theme of boards and pieces, and the layout of the game page: their page, the cookies that store them, and the middleware that
//! applies the theme to every page.

use super::{
    App, Error,
    client_address::Client,
    cookies::Cookies,
    error::is_api,
    extract::{Form, Query},
    page as render, private,
};
use crate::text_enum;
use askama::Template;
use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{Extensions, HeaderMap, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};
use serde::{
    Deserialize,
    de::{IntoDeserializer, value::Error as NoWord},
};
use std::sync::Arc;

text_enum! {
    /// Colours of a board.
    #[derive(utoipa::ToSchema)]
    pub enum BoardTheme {
        Baize = "baize": "Baize: green and cream by day, lamplight by night",
        Slate = "slate": "Slate: cool greys",
        Walnut = "walnut": "Walnut: warm wood",
        Clear = "clear": "Clear: white and hatched grey, for colour-blind players",
    }
}

text_enum! {
    /// Colours of the pieces.
    #[derive(utoipa::ToSchema)]
    pub enum PieceTheme {
        Ivory = "ivory": "Ivory and ink",
        Boxwood = "boxwood": "Boxwood and rosewood",
        Sea = "sea": "Sea: pale and deep blue",
        Clear = "clear": "Clear: white and black",
    }
}

text_enum! {
    /// Order of the parts of the game page.
    pub enum Layout {
        Board = "board": "Board first",
        Spoken = "spoken": "For screen readers: status, field and choices, list of moves, then the board in words",
    }
}

impl Layout {
    /// Layout that a browser has chosen.
    pub(super) fn of(cookies: &Cookies) -> Layout {
        cookies.get(SORT, LAYOUT).and_then(read).unwrap_or_default()
    }
}

/// Prefix of the cookies.
const SORT: &str = "theme";
/// Id of the layout's cookie.
const LAYOUT: &str = "layout";
/// Start of every page, where the theme is inserted.
const ROOT: &[u8] = b"<html lang=\"en\"";

/// Theme that a browser has chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Theme {
    board: BoardTheme,
    pieces: PieceTheme,
}

impl Theme {
    fn of(app: &App, extensions: &Extensions, headers: &HeaderMap) -> Theme {
        let cookies = Cookies::of(headers, Client::of(app, extensions, headers).secure);
        let kept = |id: &str| cookies.get(SORT, id);
        Theme {
            board: kept("board").and_then(read).unwrap_or_default(),
            pieces: kept("pieces").and_then(read).unwrap_or_default(),
        }
    }

    /// Name of the theme, for entity tags.
    fn name(self) -> String {
        format!("{}-{}", self.board.name(), self.pieces.name())
    }
}

fn read<T: for<'de> Deserialize<'de>>(word: &str) -> Option<T> {
    T::deserialize(IntoDeserializer::<NoWord>::into_deserializer(word)).ok()
}

/// Page to choose a theme.
#[derive(Template)]
#[template(path = "theme.html")]
struct ThemePage {
    chosen: Theme,
    layout: Layout,
    back: String,
}

/// Query of the page: the address to return to.
#[derive(Deserialize)]
pub struct ReturnAddress {
    #[serde(default)]
    back: String,
}

/// Form of the page. Choices that it leaves out stay as they are.
#[derive(Deserialize)]
pub struct ChosenTheme {
    board: Option<BoardTheme>,
    pieces: Option<PieceTheme>,
    layout: Option<Layout>,
    #[serde(default)]
    back: String,
}

/// A local address to return to, or the home page if `back` is not one.
fn local(back: &str) -> &str {
    let plain = back.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if plain && back.starts_with('/') && !back.starts_with("//") { back } else { "/" }
}

/// `GET /theme`
pub async fn form(
    State(app): State<Arc<App>>,
    Query(asked): Query<ReturnAddress>,
    headers: HeaderMap,
    extensions: Extensions,
) -> Result<Response, Error> {
    let chosen = Theme::of(&app, &extensions, &headers);
    let layout = Layout::of(&Cookies::of(&headers, Client::of(&app, &extensions, &headers).secure));
    Ok(private(render(&ThemePage { chosen, layout, back: local(&asked.back).to_owned() })?))
}

/// `POST /theme`: stores the theme and the layout in the browser.
pub async fn choose(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extensions: Extensions,
    Form(choice): Form<ChosenTheme>,
) -> Response {
    let cookies = Cookies::of(&headers, Client::of(&app, &extensions, &headers).secure);
    let mut response = Redirect::to(local(&choice.back)).into_response();
    let choices = [
        ("board", choice.board.map(BoardTheme::name)),
        ("pieces", choice.pieces.map(PieceTheme::name)),
        (LAYOUT, choice.layout.map(Layout::name)),
    ];
    for (id, name) in choices {
        if let Some(name) = name {
            cookies.set(&mut response, SORT, id, name);
        }
    }
    private(response)
}

/// Applies the theme to every page. Cacheable pages get a separate entity tag per theme.
pub(super) async fn apply_theme(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    if is_api(request.uri().path()) {
        return next.run(request).await;
    }
    let theme = Theme::of(&app, request.extensions(), request.headers());
    let usual = theme == Theme::default();
    if !usual && let Some(known) = request.headers().get(header::IF_NONE_MATCH) {
        let bare = known.to_str().ok().and_then(|tag| tag.strip_suffix(&format!("-{}\"", theme.name())));
        let bare = bare.and_then(|tag| HeaderValue::from_str(&format!("{tag}\"")).ok());
        match bare {
            Some(tag) => request.headers_mut().insert(header::IF_NONE_MATCH, tag),
            None => request.headers_mut().remove(header::IF_NONE_MATCH),
        };
    }
    let mut response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if kind.is_some_and(|kind| kind.starts_with("text/html")) {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("cookie"));
    }
    if usual { response } else { themed(response, theme).await }
}

/// Applies a theme to a page.
async fn themed(response: Response, theme: Theme) -> Response {
    let (mut parts, body) = response.into_parts();
    let tag = parts.headers.get(header::ETAG).and_then(|tag| tag.to_str().ok());
    let tag = tag.and_then(|tag| tag.strip_suffix('"')).map(|tag| format!("{tag}-{}\"", theme.name()));
    let html = parts.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"));
    if let Some(tag) = tag.and_then(|tag| HeaderValue::from_str(&tag).ok()) {
        parts.headers.insert(header::ETAG, tag);
    }
    if !html {
        return Response::from_parts(parts, body);
    }
    let Ok(page) = to_bytes(body, usize::MAX).await else {
        return Error::broken("page body ended early").into_response();
    };
    let begins = page.windows(ROOT.len()).position(|part| part == ROOT).map(|at| at + ROOT.len());
    let Some(at) = begins else { return Response::from_parts(parts, Body::from(page)) };
    let said = format!(" data-board=\"{}\" data-pieces=\"{}\"", theme.board.name(), theme.pieces.name());
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from([&page[..at], said.as_bytes(), &page[at..]].concat()))
}
