//! The piece designer: a piece's text, its moves and its price, and a map to build a piece square by square. All input is in the query, so
//! every piece has an address.

pub mod api;
pub mod catalogue;
pub mod design_set;
pub mod form;
mod movement_grid;
pub mod piece_picture;
mod piece_report;
pub mod playtest;

use super::{
    App, Error, PublicOrigin, asset,
    board_view::DrawnPiece,
    cookies::Seats,
    extract::{Form, Query},
    frame::Sketch,
    link_preview::Preview,
    page as render, piece_token, private, silhouette,
};
use crate::{
    board::{BadSquare, Betza, BetzaError, Color, Invention, Size, Square},
    rules::{Diagram, Refusal, settings::board_size},
    variants::csipgs::{
        self, Estimate,
        price::{Catalogue, Quantum},
    },
};
use askama::Template;
use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use form::Designer;
use piece_picture::{Scene, SharedPiece};
use piece_report::{PieceError, PieceReport, reached};
use serde::Deserialize;
use std::sync::Arc;

/// The parameters of a page about a piece.
#[derive(Deserialize, Default)]
pub struct PieceParameters {
    piece: Option<String>,
    from: Option<String>,
    /// A square of the board that was clicked, by its name.
    square: Option<String>,
    quantum: Option<String>,
    /// Size of the board; 8×8 by default.
    files: Option<String>,
    ranks: Option<String>,
    /// The square or button of the map that was clicked.
    press: Option<String>,
    /// The kind of step that a click on the map changes.
    by: Option<String>,
    /// What a click on the map puts on a square: `both`, `moves` or `captures`.
    mode: Option<String>,
    /// The squares that a click on the map sets.
    mirror: Option<String>,
    /// The text of the piece that was chosen from the list of known pieces.
    known: Option<String>,
    /// The text before the last change.
    before: Option<String>,
    /// The inventions so far, such as `Horse lame(1,2) 2.4; Run runner 5`.
    with: Option<String>,
    /// The game whose page linked to the designer.
    game: Option<String>,
}

/// The default square of the piece: the middle of the board, d4 on 8×8.
fn middle(size: Size) -> Square {
    Square::new((size.width() - 1) / 2, (size.height() - 1) / 2)
}

/// The board as a part of a query; empty for 8×8.
fn board_query(size: Size) -> String {
    if size == Size::ORTHODOX { String::new() } else { format!("&files={}&ranks={}", size.width(), size.height()) }
}

impl PieceParameters {
    /// The board on which the piece is shown.
    fn size(&self) -> Result<Size, Error> {
        let wrong =
            |field: &'static str| move |refusal: Refusal| Error::malformed(format!("{refusal}.")).field(field).at(0);
        let side = |field, text: &Option<String>| match text.as_deref().unwrap_or_default().trim() {
            "" => Ok(Size::ORTHODOX.width()),
            text => {
                let number = text.parse().unwrap_or_default();
                board_size(number, number).map(|_| number).map_err(wrong(field))
            }
        };
        board_size(side("files", &self.files)?, side("ranks", &self.ranks)?).map_err(wrong("files"))
    }

    /// The piece's square on a board.
    fn from(&self, size: Size) -> Result<Square, Error> {
        let text = self.square.as_deref().or(self.from.as_deref()).unwrap_or_default();
        read_place(text, size).map_err(|wrong| Error::malformed(wrong).field("from").at(0))
    }

    /// Moves a piece from a square beyond a smaller board to the middle.
    fn clear_missing_square(&mut self, size: Size) {
        if self.from(Size::ORTHODOX).is_ok() && self.from(size).is_err() {
            (self.from, self.square) = (None, None);
        }
    }

    fn quantum(&self) -> Result<Quantum, Error> {
        read_quantum(self.quantum.as_deref().unwrap_or_default())
    }

    /// Parses the inventions.
    fn catalogue(&self) -> Result<Catalogue, Error> {
        let read = self.with.as_deref().unwrap_or_default().parse();
        read.map_err(|wrong: Refusal| Error::malformed(format!("{wrong}.")).field("with").at(wrong.at.unwrap_or(0)))
    }

    /// The game to return to.
    fn game(&self) -> Option<&str> {
        let game = self.game.as_deref()?;
        (!game.is_empty() && game.len() <= 32 && game.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(game)
    }

    /// The piece's text without surrounding spaces.
    fn text(&self) -> &str {
        self.piece.as_deref().unwrap_or_default().trim()
    }
}

/// Parses the piece's square; the middle of the board by default.
fn read_place(text: &str, size: Size) -> Result<Square, String> {
    if text.is_empty() {
        return Ok(middle(size));
    }
    let square: Square = text.parse().map_err(|wrong: BadSquare| format!("{wrong}."))?;
    match size.squares().has(square) {
        true => Ok(square),
        false => Err(format!("{square} is not on the board of {size}.")),
    }
}

/// Parses the smallest coin; one zorkmid by default.
fn read_quantum(text: &str) -> Result<Quantum, Error> {
    let known = Quantum::ALL.into_iter().find(|quantum| quantum.text() == text);
    known
        .or(text.is_empty().then_some(Quantum::Whole))
        .ok_or_else(|| Error::malformed("The smallest coin must be 1, 1/2 or 1/10.").field("quantum").at(0))
}

/// A piece's drawing on a board with White at the bottom.
pub fn drawing(piece: &Betza, color: Color) -> Arc<str> {
    let [drawing, _] = piece_token::drawn(piece, color);
    drawing
}

/// A piece as a game's board shows it: its picture in the sprite, or its silhouette.
pub fn picture(diagram: &Diagram, name: &str, piece: &Betza, color: Color) -> Arc<str> {
    let unit = DrawnPiece { color, name: name.to_owned() };
    match unit.drawn() {
        true => {
            let (sprite, color) = (asset("pieces.svg"), color.name());
            format!("<svg class=\"piece\" aria-hidden=\"true\"><use href=\"{sprite}#{color}-{name}\"/></svg>").into()
        }
        false => {
            let [picture, _] = silhouette::drawn(&diagram.designs, piece, color);
            picture
        }
    }
}

/// A game's board as a part of a query; empty for 8×8.
pub fn board_of(diagram: &Diagram) -> String {
    Size::new(diagram.width, diagram.height).map_or(String::new(), board_query)
}

/// Address of the designer with the board and the inventions of a game, and a link back to the game. `game` is the game's path.
pub fn designer_address(view: &csipgs::View, game: &str) -> String {
    let with = if view.with.is_empty() { String::new() } else { format!("&with={}", escaped(&view.with)) };
    let game = game.rsplit('/').next().unwrap_or_default();
    let board = board_of(view.as_ref());
    format!("/betza?quantum={}{board}{with}&game={game}", escaped(view.quantum))
}

/// Address of the designer with a piece.
pub fn try_out(view: &csipgs::View, game: &str, piece: &str) -> String {
    format!("{}&piece={}", designer_address(view, game), escaped(piece))
}

/// Escapes a text for a query.
pub(super) fn escaped(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

#[derive(Template)]
#[template(path = "betza.html")]
struct DesignerPage {
    designer: Designer,
    size: Size,
    quantum: Quantum,
    /// The inventions so far: name and definition.
    inventions: Vec<(String, String)>,
    with: String,
    game: Option<String>,
    preview: Preview,
    /// Exports of the piece.
    handed: Option<SharedPiece>,
}

impl DesignerPage {
    /// The inventions as a part of a query.
    fn with_escaped(&self) -> String {
        escaped(&self.with)
    }

    /// The board as a part of a query.
    fn board(&self) -> String {
        board_query(self.size)
    }
}

/// `GET /betza`: the piece designer. A click on the map, a known piece and a name redirect to the address of
/// the resulting piece. An error is shown on the page, with
/// status 400.
pub async fn page(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    seats: Seats,
    Query(ask): Query<PieceParameters>,
) -> Result<Response, Error> {
    app.play.pools().lookups.run(move || shown_piece(&base, &seats, ask)).await?
}

fn shown_piece(base: &PublicOrigin, seats: &Seats, mut ask: PieceParameters) -> Result<Response, Error> {
    let (size, quantum, catalogue) = (ask.size()?, ask.quantum()?, ask.catalogue()?);
    ask.clear_missing_square(size);
    let (with, game) = (catalogue.to_string(), ask.game().map(str::to_owned));
    let kept = vec![("with", with.clone()), ("game", game.clone().unwrap_or_default())];
    let place = ask.square.clone().or(ask.from.clone()).unwrap_or_default();
    let drawn = Sketch {
        piece: ask.text().to_owned(),
        press: ask.press.clone().unwrap_or_default(),
        by: ask.by.clone().unwrap_or_default(),
        mode: ask.mode.clone().unwrap_or_default(),
        mirror: ask.mirror.clone().unwrap_or_default(),
        known: ask.known.clone().unwrap_or_default(),
        before: ask.before.clone(),
        saved: seats.designs(),
        icons: seats.icons(),
    };
    let designer = Designer::new(&drawn, (size, &place), &catalogue, quantum, true).within("/betza".to_owned(), kept);
    let designer = designer.counting(quantum).with_icons(&[], &drawn.icons);
    if designer.text != drawn.piece && !designer.is_invalid() {
        return Ok(Redirect::to(&(designer.current_address() + "#designer")).into_response());
    }
    let status = if designer.is_invalid() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let handed = Scene::read(&ask).ok().map(|scene| scene.handed(base));
    let empty = || {
        let words = "Design a chess piece in Betza’s notation or square by square. See its moves, a description in words, and its exact price term by term";
        Preview::of_page(base, "/betza", "/betza.png?piece=NmKcR", "Piece designer", words)
    };
    let preview = handed.as_ref().map_or_else(empty, |handed| handed.preview.clone());
    let entry = |(invention, cost): (Invention, Estimate)| {
        (invention.name.to_string(), format!("{}; {cost}", invention.definition.in_words()))
    };
    let inventions = catalogue.entries().map(entry).collect();
    Ok((status, render(&DesignerPage { designer, size, quantum, inventions, with, game, preview, handed })?)
        .into_response())
}

/// A design to save or delete, or the choice of its silhouette.
#[derive(Deserialize)]
pub struct Saving {
    piece: String,
    /// Set to delete the design.
    forget: Option<String>,
    /// The name of the silhouette to use for the piece; the saved designs then stay as they are.
    icon: Option<String>,
    /// The page with the form.
    back: String,
}

/// `POST /betza/saved`: saves a design in the browser's cookie, or deletes it, or keeps the silhouette chosen for it.
pub async fn save(seats: Seats, Form(asked): Form<Saving>) -> Result<Response, Error> {
    // Redirects only to pages of this site that have a designer.
    let back =
        if asked.back.starts_with("/betza?") || asked.back.starts_with("/games/") { &*asked.back } else { "/betza" };
    let back = back.parse::<axum::http::Uri>().map_or_else(|_| "/betza".to_owned(), |back| back.to_string());
    let response = private(Redirect::to(&back).into_response());
    if let Some(icon) = asked.icon {
        let unknown = || Error::malformed("The icon is unknown. Choose one from the list.").field("icon");
        let name = silhouette::known(&icon).ok_or_else(unknown)?;
        // With the inventions of a game, only the game can read the notation.
        let wrong = || Error::malformed("The piece is not a notation of at most 64 characters.").field("piece");
        let betza = Some(&asked.piece).filter(|text| silhouette::has_choice(text)).ok_or_else(wrong)?;
        return Ok(seats.keep_icon(response, betza, name));
    }
    let wrong = |wrong: BetzaError| Error::malformed(format!("{wrong}.")).field("piece").at(wrong.at);
    let piece: Betza = asked.piece.parse().map_err(wrong)?;
    Ok(seats.keep_design(response, &piece, asked.forget.is_none()))
}
