//! The pages of Bookie Chess: a fresh position, its officers, the whole of it, and the rules. Nothing is stored: a
//! position is its code, and the optional rules travel in the query.

pub mod api;
mod score_form;

use self::{
    api::options,
    score_form::{FIELDS, ScoreForm},
};
use super::{
    App, Error,
    board_view::Figure,
    client_address::PublicOrigin,
    extract::{Pairs, Path, Query},
    link_preview::Preview,
    page, private,
    share::qr,
    variant_pages,
};
use crate::{
    board::{Color, Position},
    rules::Rules as _,
    variants::bookie::{self, Code, Options},
};
use askama::Template;
use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use std::sync::Arc;

/// Deals a board and seals it.
fn deal(app: &App) -> Result<Code, Error> {
    let board = app.play.bookie_board().map_err(Error::broken)?;
    Code::seal(&board).map_err(Error::broken)
}

/// The board of a code with the first mover that the options name.
fn opened(code: &Code, options: &Options) -> Position {
    let mut position = code.open();
    position.turn = options.first;
    position
}

/// The path of a position's page with its options.
fn path(code: &Code, page: &str, options: &Options) -> String {
    let mut path = format!("/bookie/{code}{page}");
    for (index, (name, text)) in options.pairs().into_iter().enumerate() {
        path.push(if index == 0 { '?' } else { '&' });
        path.push_str(name);
        path.push('=');
        path.push_str(&text);
    }
    path
}

/// The path of a position that was dealt just now. Where the coin has decided who moves first, it says so in any case.
fn fresh_path(code: &Code, options: &Options, tossed: bool) -> String {
    let path = path(code, "", options);
    match options.first {
        Color::White if tossed => format!("{path}{}first=white", if path.contains('?') { '&' } else { '?' }),
        Color::White | Color::Black => path,
    }
}

/// `GET /bookie`: deals a position and goes there, with the optional rules of the query.
pub async fn fresh(State(app): State<Arc<App>>, Query(query): Query<Pairs>) -> Result<Response, Error> {
    let (options, tossed) = api::fresh_options(&query, || app.play.coin())?;
    let code = deal(&app)?;
    Ok(private(Redirect::to(&fresh_path(&code, &options, tossed)).into_response()))
}

/// The fields of the form that starts a match with a position, under the rules that its link names.
fn terms(code: &Code, options: &Options) -> Vec<(String, String)> {
    let mut fields = vec![("option-code".to_owned(), code.to_string())];
    fields.extend(options.pairs().into_iter().map(|(name, text)| {
        let text = if name == "black_wins_draws" { "true".to_owned() } else { text };
        (format!("option-{name}"), text)
    }));
    fields
}

#[derive(Template)]
#[template(path = "bookie.html")]
struct Hidden {
    terms: Vec<(String, String)>,
    figure: Figure,
    link: String,
    /// The address of the link as a QR code.
    code: String,
    reveal: String,
    first: Color,
    agreed: Vec<String>,
    preview: Preview,
}

/// `GET /bookie/{code}`: the officers and nothing else. The template is given no pawn and no king.
pub async fn hidden(
    base: PublicOrigin,
    Path(code): Path<String>,
    Query(query): Query<Pairs>,
) -> Result<Response, Error> {
    let code: Code = code.parse()?;
    let options = options(&query, &[])?;
    let officers = bookie::officers(&opened(&code, &options));
    let shown = Hidden {
        terms: terms(&code, &options),
        figure: Figure::of(bookie::board(), &officers),
        link: base.url(&path(&code, "", &options)),
        code: path(&code, "/qr.svg", &options),
        reveal: path(&code, "/reveal", &options),
        first: options.first,
        agreed: options.words(),
        preview: Preview::of_position(
            &base,
            &path(&code, "", &options),
            "/diagram/bookie.png",
            &bookie::board().fen(&officers),
            "A position of Bookie Chess",
            "Pawns and kings are still hidden. What would you bid on White",
        ),
    };
    Ok(private(page(&shown)?))
}

/// Refuses what is neither an optional rule nor a field of the form for the score. A slip in a field the form tells itself.
fn known(query: &Pairs) -> Result<(), Error> {
    match options(query, &FIELDS) {
        Err(wrong) if !Options::FIELDS.contains(&wrong.field.as_str()) => Err(wrong.into()),
        Ok(_) | Err(_) => Ok(()),
    }
}

#[derive(Template)]
#[template(path = "bookie_revealed.html")]
struct Revealed {
    terms: Vec<(String, String)>,
    figure: Figure,
    fen: String,
    link: String,
    /// The address of the link as a QR code.
    code: String,
    first: Color,
    agreed: Vec<String>,
    form: ScoreForm,
    preview: Preview,
}

/// `GET /bookie/{code}/reveal`: the whole board, its FEN, and the score of the finished game.
/// The form of the score is answered here too; a slip in it is told beside its field, with status 400.
pub async fn revealed(
    base: PublicOrigin,
    Path(code): Path<String>,
    Query(query): Query<Pairs>,
) -> Result<Response, Error> {
    let code: Code = code.parse()?;
    known(&query)?;
    let form = ScoreForm::read(format!("/bookie/{code}/reveal"), &query);
    let options = options(&query, &FIELDS).unwrap_or_default();
    let position = opened(&code, &options);
    let status = form.status();
    let shown = Revealed {
        terms: terms(&code, &options),
        figure: Figure::of(bookie::board(), &position),
        fen: bookie::board().fen(&position),
        link: base.url(&path(&code, "", &options)),
        code: path(&code, "/qr.svg", &options),
        first: options.first,
        agreed: options.words(),
        preview: Preview::of_position(
            &base,
            &path(&code, "/reveal", &options),
            "/diagram/bookie-revealed.png",
            &bookie::board().fen(&position),
            "A position of Bookie Chess, revealed",
            "Pawns and kings are on the board. Was your bid right",
        ),
        form,
    };
    Ok((status, private(page(&shown)?)).into_response())
}

/// `GET /bookie/{code}/qr.svg`: the link of a position for the camera of a phone.
pub async fn square(
    base: PublicOrigin,
    Path(code): Path<String>,
    Query(query): Query<Pairs>,
) -> Result<Response, Error> {
    let code: Code = code.parse()?;
    let link = base.url(&path(&code, "", &options(&query, &[])?));
    let drawn = qr(&link).ok_or_else(|| Error::refused("This link is too long for a QR code."))?.svg();
    Ok(([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "public, max-age=86400")], drawn)
        .into_response())
}

#[derive(Template)]
#[template(path = "bookie_rules.html")]
struct Rules {
    card: String,
    form: ScoreForm,
}

/// `GET /rules/bookie`: how it is played, with the score form to try out.
pub async fn rules(base: PublicOrigin, Query(query): Query<Pairs>) -> Result<Response, Error> {
    known(&query)?;
    let card = variant_pages::card(&base, bookie::Bookie::INFO.key)?;
    let form = ScoreForm::read("/rules/bookie".to_owned(), &query);
    let status: StatusCode = form.status();
    Ok((status, page(&Rules { card, form })?).into_response())
}
