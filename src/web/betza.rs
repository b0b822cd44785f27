//! The workshop: a piece's text, what it does, what it costs, and a map on which a piece is built square by square. Everything is a
//! query, so that every piece has an address.

pub mod api;
pub mod collection;
pub mod drawn;
mod grid;
pub mod pieces;
pub mod playtest;

use super::{
    Base, Error,
    board::{Figure, Mark, Unit},
    extract::Query,
    page as render, token,
};
use crate::{
    board::{BadSquare, Betza, BetzaError, Color, Hurdle, Invention, Powers, Size, Square, Squares},
    rules::{
        Diagram, Refusal,
        csipgs::{
            self, Estimate, cheapest, lexicon,
            price::{self, Bill, Catalogue, Quantum, fraction, money},
        },
        sizes::board_size,
    },
};
use askama::Template;
use axum::{
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use drawn::{Handed, Scene};
use grid::{By, MapRow, Toggle};
use serde::Deserialize;
use std::sync::Arc;

/// A question about a piece.
#[derive(Deserialize, Default)]
pub struct Ask {
    piece: Option<String>,
    from: Option<String>,
    /// The board's own name for a square that was pressed.
    square: Option<String>,
    quantum: Option<String>,
    /// The board on which it is shown; the ordinary one unless they say otherwise.
    files: Option<String>,
    ranks: Option<String>,
    /// A square of the map, or a line, that was pressed.
    press: Option<String>,
    /// The kind of step that a press on the map changes.
    by: Option<String>,
    /// The inventions so far, as `Horse lame(1,2) 2.4; Run runner 5`.
    with: Option<String>,
    /// The game from which somebody came to try a piece.
    game: Option<String>,
}

/// The square on which the piece stands unless the query says otherwise: in the middle, d4 on the ordinary board.
fn middle(size: Size) -> Square {
    Square::new((size.width() - 1) / 2, (size.height() - 1) / 2)
}

/// The board as a part of a query; nothing for the ordinary one.
fn board_query(size: Size) -> String {
    if size == Size::ORTHODOX { String::new() } else { format!("&files={}&ranks={}", size.width(), size.height()) }
}

impl Ask {
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

    /// Where the piece stands on a board.
    fn from(&self, size: Size) -> Result<Square, Error> {
        let text = self.square.as_deref().or(self.from.as_deref()).unwrap_or_default();
        if text.is_empty() {
            return Ok(middle(size));
        }
        let wrong = |why: String| Error::malformed(format!("{why}.")).field("from").at(0);
        let square: Square = text.parse().map_err(|none: BadSquare| wrong(none.to_string()))?;
        if size.squares().has(square) {
            Ok(square)
        } else {
            Err(wrong(format!("there is no {square} on a board of {size}")))
        }
    }

    /// Lets a piece that a smaller board has no square for stand in its middle.
    fn settle(&mut self, size: Size) {
        if self.from(Size::ORTHODOX).is_ok() && self.from(size).is_err() {
            (self.from, self.square) = (None, None);
        }
    }

    /// The smallest coin.
    fn quantum(&self) -> Result<Quantum, Error> {
        read_quantum(self.quantum.as_deref().unwrap_or_default())
    }

    /// Reads what has been invented.
    fn catalogue(&self) -> Result<Catalogue, Error> {
        let read = self.with.as_deref().unwrap_or_default().parse();
        read.map_err(|wrong: Refusal| Error::malformed(format!("{wrong}.")).field("with").at(wrong.at.unwrap_or(0)))
    }

    /// The game to go back to.
    fn game(&self) -> Option<&str> {
        let game = self.game.as_deref()?;
        (!game.is_empty() && game.len() <= 32 && game.bytes().all(|byte| byte.is_ascii_alphanumeric())).then_some(game)
    }

    /// The piece's text as it was written, without spaces around it.
    fn text(&self) -> &str {
        self.piece.as_deref().unwrap_or_default().trim()
    }
}

/// Reads the smallest coin; a whole zorkmid, if nothing is said.
fn read_quantum(text: &str) -> Result<Quantum, Error> {
    let known = Quantum::ALL.into_iter().find(|quantum| quantum.text() == text);
    known
        .or(text.is_empty().then_some(Quantum::Whole))
        .ok_or_else(|| Error::malformed("The smallest coin is 1, 1/2 or 1/10.").field("quantum").at(0))
}

/// The squares that a white piece which has not moved may go to on an empty board of some size without capturing, and those that it
/// attacks.
fn reached(piece: &Betza, size: Size, from: Square) -> [Vec<Square>; 2] {
    let (mut quiet, mut attacks) = (Squares::EMPTY, Squares::EMPTY);
    for design in [Some(piece.design(size)), piece.first(size)].into_iter().flatten() {
        quiet |= design.quiet(Color::White, from, from.set());
        attacks |= design.attacks(Color::White, from, from.set());
    }
    [quiet.collect(), attacks.collect()]
}

/// A piece that could be read, as the page shows it.
struct Shown {
    canonical: String,
    /// The text as a part of a query.
    address: String,
    token: [Arc<str>; 2],
    words: String,
    notes: Vec<String>,
    figure: Figure,
    moves: String,
    bill: Vec<[String; 4]>,
    factors: Vec<(&'static str, String)>,
    exact: String,
    prices: Vec<(&'static str, String)>,
    price: String,
    relay: bool,
    /// Set if chess with designed pieces can be played with it.
    chess: bool,
    /// Its names, if it is a piece that people know.
    names: String,
    /// A cheaper text of the same moves, as a part of a query too, and what it costs.
    cheaper: Option<[String; 3]>,
}

/// A side's piece as it is drawn where White moves up the page.
pub fn drawing(piece: &Betza, color: Color) -> Arc<str> {
    let [drawing, _] = token::drawn(piece, color);
    drawing
}

/// The board of a game as a part of a query; nothing for the ordinary one.
pub fn board_of(diagram: &Diagram) -> String {
    Size::new(diagram.width, diagram.height).map_or(String::new(), board_query)
}

/// The workshop with the board of a game, what has been invented in it, and the way back to it, whose address is given.
pub fn workshop(view: &csipgs::View, game: &str) -> String {
    let with = if view.with.is_empty() { String::new() } else { format!("&with={}", escaped(&view.with)) };
    let game = game.rsplit('/').next().unwrap_or_default();
    let board = board_of(view.as_ref());
    format!("/betza?quantum={}{board}{with}&game={game}", escaped(view.quantum))
}

/// The same for a piece.
pub fn try_out(view: &csipgs::View, game: &str, piece: &str) -> String {
    format!("{}&piece={}", workshop(view, game), escaped(piece))
}

/// A text as a part of a query.
pub(super) fn escaped(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

fn list(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(" ")
}

impl Shown {
    fn new(
        piece: &Betza,
        notes: Vec<String>,
        catalogue: &Catalogue,
        (size, from): (Size, Square),
        quantum: Quantum,
    ) -> Shown {
        let Bill { items, factors, exact } = price::bill(piece, catalogue);
        let canonical = piece.to_string();
        let unit = |square| (square == from).then(|| Unit { color: Color::White, name: canonical.clone() });
        let mut figure = Figure::new(size, unit);
        figure.draw(from, token::drawn(piece, Color::White));
        let [moves, captures] = reached(piece, size, from);
        for square in &moves {
            figure.mark(*square, Mark::Target);
        }
        for square in &captures {
            figure.mark(*square, Mark::Capture);
        }
        let or_nowhere = |text: String| if text.is_empty() { "nowhere".to_owned() } else { text };
        Shown {
            address: escaped(&canonical),
            token: Color::BOTH.map(|color| drawing(piece, color)),
            words: piece.in_words(),
            notes,
            figure,
            moves: format!(
                "From {from} it may go to: {}. It attacks: {}.{}",
                or_nowhere(list(&moves)),
                or_nowhere(list(&captures)),
                if piece.steps().iter().any(|step| step.hurdle != Hurdle::None) {
                    " What it does over other pieces an empty board cannot show."
                } else {
                    ""
                }
            ),
            bill: items
                .into_iter()
                .map(|item| [item.text, fraction(&item.base), fraction(&item.factor), fraction(&item.exact)])
                .collect(),
            factors: factors.into_iter().map(|(name, factor)| (name, fraction(&factor))).collect(),
            exact: fraction(&exact),
            prices: Quantum::ALL.map(|quantum| (quantum.text(), money(quantum.price(exact)))).to_vec(),
            price: money(quantum.price(exact)),
            relay: piece.relay,
            chess: !piece.relay && !piece.doublemove && !canonical.contains('<'),
            names: lexicon::named(&Powers::of(piece)).map_or(String::new(), |known| known.names.join(", ")),
            cheaper: cheapest::cheaper(piece, catalogue).map(|(better, cost)| {
                let text = better.to_string();
                [escaped(&text), text, fraction(&cost)]
            }),
            canonical,
        }
    }
}

/// A text that is no piece, with the place where it goes wrong.
struct Wrong {
    before: String,
    here: String,
    after: String,
    why: String,
}

impl Wrong {
    fn new(text: &str, error: &BetzaError) -> Wrong {
        let at = (0..=error.at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let (before, rest) = text.split_at(at);
        let here: String = rest.chars().take(1).collect();
        let shown = |text: &str| text.chars().take(300).collect::<String>();
        Wrong {
            before: shown(before),
            after: shown(&rest[here.len()..]),
            here: if here.is_empty() { "here".to_owned() } else { here },
            why: error.to_string(),
        }
    }
}

#[derive(Template)]
#[template(path = "betza.html")]
struct Workshop {
    text: String,
    size: Size,
    from: Square,
    quantum: Quantum,
    by: By,
    /// The inventions so far, for the eye and as a text.
    inventions: Vec<(String, String)>,
    with: String,
    game: Option<String>,
    shown: Option<Shown>,
    wrong: Option<Wrong>,
    rows: Vec<MapRow>,
    lines: Vec<Toggle>,
    /// What is handed on of the piece.
    handed: Option<Handed>,
}

impl Workshop {
    /// The inventions as a part of a query.
    fn with_escaped(&self) -> String {
        escaped(&self.with)
    }

    /// The board as a part of a query.
    fn board(&self) -> String {
        board_query(self.size)
    }
}

/// `GET /betza`: a piece, or the empty workshop. A press on the map answers with the address of the piece that it makes.
pub async fn page(base: Base, Query(mut ask): Query<Ask>) -> Result<Response, Error> {
    let size = ask.size()?;
    ask.settle(size);
    let (from, quantum, by, text) =
        (ask.from(size)?, ask.quantum()?, By::read(ask.by.as_deref().unwrap_or_default())?, ask.text().to_owned());
    let (catalogue, game) = (ask.catalogue()?, ask.game());
    let piece = if text.is_empty() { None } else { Some(Betza::read_noted(&text, catalogue.inventions())) };
    let with = catalogue.to_string();
    if let Some(press) = ask.press.as_deref().filter(|press| !press.is_empty()) {
        let known = piece.and_then(Result::ok).map(|(piece, _)| piece);
        let made = grid::pressed(known.as_ref(), press, by).ok_or_else(|| by.nowhere())?;
        let text = made.map_or(String::new(), |piece| piece.to_string());
        let mut address = format!("/betza?piece={}&from={from}&quantum={}", escaped(&text), escaped(quantum.text()));
        address += &board_query(size);
        if by != By::Leap {
            address += &format!("&by={}", by.text());
        }
        for (name, value) in [("with", with.as_str()), ("game", game.unwrap_or_default())] {
            if !value.is_empty() {
                address += &format!("&{name}={}", escaped(value));
            }
        }
        return Ok(Redirect::to(&(address + "#map")).into_response());
    }
    let (shown, wrong, status) = match &piece {
        None => (None, None, StatusCode::OK),
        Some(Ok((piece, notes))) => {
            (Some(Shown::new(piece, notes.clone(), &catalogue, (size, from), quantum)), None, StatusCode::OK)
        }
        Some(Err(error)) => (None, Some(Wrong::new(&text, error)), StatusCode::BAD_REQUEST),
    };
    let known = piece.and_then(Result::ok).map(|(piece, _)| piece);
    let (rows, lines) = (grid::rows(known.as_ref()), grid::lines(known.as_ref()));
    let handed = if shown.is_some() { Some(Scene::read(&ask)?.handed(&base)) } else { None };
    let entry = |(invention, cost): (Invention, Estimate)| {
        (invention.name.to_string(), format!("{}; {cost}", invention.definition.in_words()))
    };
    let inventions = catalogue.entries().map(entry).collect();
    let game = game.map(str::to_owned);
    let page =
        render(&Workshop { text, size, from, quantum, by, inventions, with, game, shown, wrong, rows, lines, handed })?;
    Ok((status, page).into_response())
}
