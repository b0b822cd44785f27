//! Pages of Bookie Chess: a new position, its officers (knights, bishops, rooks and queens), the full board, and the rules. Nothing is
//! stored: the code in the path holds the position, and the query holds the optional rules.

pub mod api;
mod score_form;
mod slips;

use self::{
    api::options,
    score_form::{FIELDS, ScoreForm},
    slips::{OpenSlips, SlipForm},
};
use super::{
    App, Error,
    board_view::Figure,
    client_address::PublicOrigin,
    extract::{Form, Pairs, Path, Query, parameter},
    link_preview::Preview,
    page, private,
    share::qr,
    variant_pages,
};
use crate::{
    board::{Color, Position},
    rules::Rules as _,
    variants::bookie::{self, Bid, Code, Options},
};
use askama::Template;
use axum::{
    extract::State,
    http::{StatusCode, header},
    response::{IntoResponse, Redirect, Response},
};
use serde::Deserialize;
use std::sync::Arc;

fn deal(app: &App) -> Result<Code, Error> {
    let board = app.play.bookie_board().map_err(Error::broken)?;
    Code::seal(&board).map_err(Error::broken)
}

/// Decodes a board and sets the side to move from the options.
fn opened(code: &Code, options: &Options) -> Position {
    let mut position = code.open();
    position.turn = options.first;
    position
}

/// Path of a position's page, with the optional rules as its query.
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

/// Path of a newly dealt position. If a coin chose the first mover, the path names the side even if it is White, the default.
fn fresh_path(code: &Code, options: &Options, tossed: bool) -> String {
    let path = path(code, "", options);
    match options.first {
        Color::White if tossed => format!("{path}{}first=white", if path.contains('?') { '&' } else { '?' }),
        Color::White | Color::Black => path,
    }
}

/// `GET /bookie`: deals a position and redirects to it, keeping the optional rules of the query.
pub async fn fresh(State(app): State<Arc<App>>, Query(query): Query<Pairs>) -> Result<Response, Error> {
    let (options, tossed) = api::fresh_options(&query, || app.play.coin())?;
    let code = deal(&app)?;
    Ok(private(Redirect::to(&fresh_path(&code, &options, tossed)).into_response()))
}

/// Form fields that start a match from this position with its optional rules.
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
    /// Path of the QR code.
    code: String,
    reveal: String,
    first: Color,
    agreed: Vec<String>,
    slips: SlipForm,
    preview: Preview,
}

/// `GET /bookie/{code}`: shows the officers only. The template never receives pawns or kings, so they cannot leak. `sealed` is the seal
/// of the first player's bid.
pub async fn hidden(
    base: PublicOrigin,
    Path(code): Path<String>,
    Query(query): Query<Pairs>,
) -> Result<Response, Error> {
    let code: Code = code.parse()?;
    let options = options(&query, &["sealed"])?;
    let sealed = parameter(&query, "sealed")?.filter(|seal| !seal.is_empty()).map(str::to_owned);
    hidden_page(&base, &code, &options, SlipForm { sealed, ..SlipForm::default() })
}

/// Form with the bid of one player.
#[derive(Deserialize)]
pub struct BidForm {
    #[serde(default)]
    bid: String,
    /// Seal of the first player's bid; empty if this is the first bid.
    #[serde(default)]
    sealed: String,
}

/// `POST /bookie/{code}/bid`: seals the first player's bid, and opens both bids after the second.
pub async fn bid(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    Path(code): Path<String>,
    Query(query): Query<Pairs>,
    Form(form): Form<BidForm>,
) -> Result<Response, Error> {
    let code: Code = code.parse()?;
    let options = options(&query, &[])?;
    let secret = app.play.signing_secret().await?;
    let first = slips::open(&secret, &code, &form.sealed);
    let sealed = first.is_some().then(|| form.sealed.clone());
    let bid = match form.bid.trim().parse::<Bid>() {
        Ok(bid) => bid,
        Err(wrong) => {
            let slips = SlipForm { sealed, typed: form.bid.clone(), wrong: wrong.to_string(), ..SlipForm::default() };
            let page = hidden_page(&base, &code, &options, slips)?;
            return Ok((StatusCode::UNPROCESSABLE_ENTITY, page).into_response());
        }
    };
    let (page, query) = match first {
        Some(first) => ("/reveal", format!("one={first}&two={bid}")),
        None => ("", format!("sealed={}", slips::seal(&secret, &code, &app.play.nonce(), bid))),
    };
    let path = path(&code, page, &options);
    let join = if path.contains('?') { '&' } else { '?' };
    Ok(private(Redirect::to(&format!("{path}{join}{query}")).into_response()))
}

fn hidden_page(base: &PublicOrigin, code: &Code, options: &Options, slips: SlipForm) -> Result<Response, Error> {
    let officers = bookie::officers(&opened(code, options));
    let shown = Hidden {
        slips: SlipForm { action: path(code, "/bid", options), ..slips },
        terms: terms(code, options),
        figure: Figure::of(bookie::board(), &officers),
        link: base.url(&path(code, "", options)),
        code: path(code, "/qr.svg", options),
        reveal: path(code, "/reveal", options),
        first: options.first,
        agreed: options.words(),
        preview: Preview::of_position(
            base,
            &path(code, "", options),
            "/diagram/bookie.png",
            &bookie::board().fen(&officers),
            "A Bookie Chess position",
            "Pawns and kings are still hidden. Bid before you reveal them",
        ),
    };
    Ok(private(page(&shown)?))
}

/// Rejects query fields that are neither optional rules nor fields of the score form. The form itself reports bad values in its fields.
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
    /// Path of the QR code.
    code: String,
    first: Color,
    agreed: Vec<String>,
    form: ScoreForm,
    /// Both bids, if they are known.
    slips: Option<OpenSlips>,
    preview: Preview,
}

/// `GET /bookie/{code}/reveal`: shows the full board, its FEN and the score form. The form submits to this address;
/// errors appear next to their fields, with status 400.
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
        slips: OpenSlips::read(&query),
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
            "A revealed Bookie Chess position",
            "Pawns and kings are on the board. Compare your bid with the position",
        ),
        form,
    };
    Ok((status, private(page(&shown)?)).into_response())
}

/// `GET /bookie/{code}/qr.svg`: returns the link of a position as a QR code.
pub async fn square(
    base: PublicOrigin,
    Path(code): Path<String>,
    Query(query): Query<Pairs>,
) -> Result<Response, Error> {
    let code: Code = code.parse()?;
    let link = base.url(&path(&code, "", &options(&query, &[])?));
    let drawn = qr(&link).ok_or_else(|| Error::refused("The link is too long for a QR code."))?.svg();
    Ok(([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "public, max-age=86400")], drawn)
        .into_response())
}

#[derive(Template)]
#[template(path = "bookie_rules.html")]
struct Rules {
    card: String,
    form: ScoreForm,
}

/// `GET /rules/bookie`: shows the rules, with the score form to try out.
pub async fn rules(base: PublicOrigin, Query(query): Query<Pairs>) -> Result<Response, Error> {
    known(&query)?;
    let card = variant_pages::card(&base, bookie::Bookie::INFO.key)?;
    let form = ScoreForm::read("/rules/bookie".to_owned(), &query);
    let status: StatusCode = form.status();
    Ok((status, page(&Rules { card, form })?).into_response())
}
