//! The workshop: a piece's text, what it does, what it costs, and a map on which a piece is built square by square. Everything is a
//! query, so that every piece has an address.

pub mod api;
mod grid;

use super::{
    Error,
    board::{Figure, Mark, Unit},
    extract::Query,
    page as render,
};
use crate::{
    board::{Betza, BetzaError, Color, Size, Square},
    rules::csipgs::price::{self, Bill, Catalogue, Quantum, fraction, money},
};
use askama::Template;
use axum::{
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use grid::Row;
use serde::Deserialize;

/// What is asked about a piece.
#[derive(Deserialize, Default)]
pub struct Ask {
    piece: Option<String>,
    from: Option<String>,
    /// The board's own name for a square that was pressed.
    square: Option<String>,
    quantum: Option<String>,
    /// A square of the map, or a line, that was pressed.
    press: Option<String>,
}

/// The square on which the piece stands unless the query says otherwise.
const USUAL: Square = Square::new(3, 3);

impl Ask {
    /// Where the piece stands.
    fn from(&self) -> Result<Square, Error> {
        let text = self.square.as_deref().or(self.from.as_deref()).unwrap_or_default();
        if text.is_empty() {
            return Ok(USUAL);
        }
        text.parse().map_err(|wrong| Error::malformed(format!("{wrong}.")).field("from").at(0))
    }

    /// The smallest coin.
    fn quantum(&self) -> Result<Quantum, Error> {
        let text = self.quantum.as_deref().unwrap_or_default();
        if text.is_empty() {
            return Ok(Quantum::Whole);
        }
        Quantum::ALL
            .into_iter()
            .find(|quantum| quantum.text() == text)
            .ok_or_else(|| Error::malformed("The smallest coin is 1, 1/2 or 1/10.").field("quantum").at(0))
    }

    /// The piece's text as it was written, without spaces around it.
    fn text(&self) -> &str {
        self.piece.as_deref().unwrap_or_default().trim()
    }
}

/// The squares that a white piece on an empty board may go to without capturing, and those that it attacks.
fn reached(piece: &Betza, from: Square) -> [Vec<Square>; 2] {
    let design = piece.design(Size::ORTHODOX);
    let quiet = design.quiet(Color::White, from, from.set());
    let attacks = design.attacks(Color::White, from, from.set());
    [quiet.collect(), attacks.collect()]
}

/// A piece that could be read, as the page shows it.
struct Shown {
    canonical: String,
    /// The text as a part of a query.
    address: String,
    token: [String; 2],
    words: String,
    figure: Figure,
    moves: String,
    bill: Vec<[String; 4]>,
    factors: Vec<(&'static str, String)>,
    exact: String,
    prices: Vec<(&'static str, String)>,
    price: String,
    relay: bool,
}

fn list(squares: &[Square]) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(" ")
}

impl Shown {
    fn new(piece: &Betza, from: Square, quantum: Quantum) -> Shown {
        let Bill { items, factors, exact } = price::bill(piece, &Catalogue::default());
        let canonical = piece.to_string();
        let unit = |square| (square == from).then(|| Unit { color: Color::White, name: canonical.clone() });
        let mut figure = Figure::new(Size::ORTHODOX, unit);
        figure.draw(from, Color::BOTH.map(|up| piece.token(Color::White, up).into()));
        let [moves, captures] = reached(piece, from);
        for square in &moves {
            figure.mark(*square, Mark::Target);
        }
        for square in &captures {
            figure.mark(*square, Mark::Capture);
        }
        let or_nowhere = |text: String| if text.is_empty() { "nowhere".to_owned() } else { text };
        Shown {
            address: percent_encoding::utf8_percent_encode(&canonical, percent_encoding::NON_ALPHANUMERIC).to_string(),
            token: Color::BOTH.map(|color| piece.token(color, Color::White)),
            words: piece.in_words(),
            figure,
            moves: format!(
                "From {from} it may go to: {}. It attacks: {}.",
                or_nowhere(list(&moves)),
                or_nowhere(list(&captures))
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
    from: Square,
    quantum: Quantum,
    shown: Option<Shown>,
    wrong: Option<Wrong>,
    rows: Vec<Row>,
    lines: Vec<grid::Line>,
}

/// `GET /betza`: a piece, or the empty workshop. A press on the map answers with the address of the piece that it makes.
pub async fn page(Query(ask): Query<Ask>) -> Result<Response, Error> {
    let (from, quantum, text) = (ask.from()?, ask.quantum()?, ask.text().to_owned());
    let piece = if text.is_empty() { None } else { Some(text.parse::<Betza>()) };
    if let Some(press) = ask.press.as_deref().filter(|press| !press.is_empty()) {
        let known = piece.and_then(Result::ok);
        let made = grid::pressed(known.as_ref(), press).ok_or_else(|| {
            Error::malformed("There is no such square on the map: press one of its buttons.").field("press")
        })?;
        let text = made.map_or(String::new(), |piece| piece.to_string());
        let text = percent_encoding::utf8_percent_encode(&text, percent_encoding::NON_ALPHANUMERIC);
        let quantum = quantum.text().replace('/', "%2F");
        return Ok(Redirect::to(&format!("/betza?piece={text}&from={from}&quantum={quantum}#map")).into_response());
    }
    let (shown, wrong, status) = match &piece {
        None => (None, None, StatusCode::OK),
        Some(Ok(piece)) => (Some(Shown::new(piece, from, quantum)), None, StatusCode::OK),
        Some(Err(error)) => (None, Some(Wrong::new(&text, error)), StatusCode::BAD_REQUEST),
    };
    let known = piece.and_then(Result::ok);
    let (rows, lines) = (grid::rows(known.as_ref()), grid::lines(known.as_ref()));
    let page = render(&Workshop { text, from, quantum, shown, wrong, rows, lines })?;
    Ok((status, page).into_response())
}
