//! The heat map: what a position would be worth with one of its pieces on any other square.

use std::{fmt::Write, sync::Arc};

use axum::{
    extract::State,
    http::{Extensions, HeaderMap},
    response::Response,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    edit,
    mechanism::{self, Paid},
    numbers::{self, Form},
};
use crate::{
    board::{Color, Piece, Position, Square, orthodox::KING},
    richman::{self, Enclosure, Fraction, Mechanism, Question, Table, rules},
    web::{
        App, Client, Error,
        board::Unit,
        extract::{Pairs, Query, parameter},
        openapi,
        values::{address::path, amount::decimal},
    },
};

/// The number of shades.
const SHADES: f64 = 10.0;

/// A board on which every square has a value.
#[derive(Clone, Debug)]
pub(super) struct Heat {
    /// The piece that is tried on every square, as `white knight`.
    pub(super) name: String,
    /// The files' letters.
    pub(super) files: Vec<char>,
    /// The rows from the top.
    pub(super) ranks: Vec<(u8, Vec<Spot>)>,
    /// The least value with its label, and the greatest.
    pub(super) range: Option<(String, String)>,
}

/// One square of the map.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// Its name.
    pub(super) square: String,
    /// Set if it is dark.
    pub(super) dark: bool,
    /// Any other piece that stands there.
    pub(super) unit: Option<Unit>,
    /// The value that the position would have.
    pub(super) warmth: Option<Warmth>,
}

/// The value of a position with the piece on one square.
#[derive(Clone, Debug)]
pub(super) struct Warmth {
    /// 0 for the least value on this map to 10 for the greatest.
    pub(super) shade: u8,
    /// The value with three places.
    pub(super) label: String,
    /// The page of that position.
    pub(super) link: String,
    /// Set if the piece stands there now.
    pub(super) here: bool,
}

/// The pieces that can be tried: those on the board, and with bare kings any other.
pub(super) fn candidates(question: &Question) -> Vec<Piece> {
    let pieces = Color::BOTH.into_iter().flat_map(|color| (0..=KING).rev().map(move |kind| Piece { color, kind }));
    pieces.filter(|piece| base(&question.position, *piece).is_some()).collect()
}

/// The position without the piece, if the tables cover what arises when it is put back.
fn base(position: &Position, piece: Piece) -> Option<Position> {
    let mut base = *position;
    if let Some(square) = position.of_kind(piece.color, piece.kind).first() {
        base.remove(square);
    }
    let kings = Color::BOTH.map(|color| base.of_kind(color, KING).len());
    let wanted = Color::BOTH.map(|color| usize::from(piece != Piece { color, kind: KING }));
    let others = base.occupied().len().checked_sub(kings[0] + kings[1])?;
    let room = if piece.kind == KING { 1 } else { 0 };
    (kings.map(|count| count as usize) == wanted && others as usize <= room).then_some(base)
}

/// The worth of a position with a piece on one square.
struct Tried {
    /// White's chance to win.
    value: Fraction,
    /// Bounds of the share of the money that decides under another mechanism, if one was asked about.
    share: Option<Enclosure>,
    /// The placement.
    fen: String,
}

/// The piece tried on every square of the board, if the tables cover such positions; nothing where it cannot stand.
fn tried(
    table: &Table,
    question: &Question,
    piece: Piece,
    mechanism: Option<Mechanism>,
) -> Option<Vec<(Square, Option<Tried>)>> {
    let board = rules(question.size);
    let base = base(&question.position, piece)?;
    let value = |square: Square| {
        if base.piece(square).is_some() || !edit::may_stand(board, piece, square) {
            return None;
        }
        let mut position = base;
        position.put(board, square, piece);
        let fen = board.placement_fen(&position);
        let asked = richman::read(&fen).ok()?;
        let share = mechanism.and_then(|mechanism| asked.share(table, mechanism));
        Some(Tried { value: asked.value(table)?, share, fen })
    };
    Some(question.size.squares().map(|square| (square, value(square))).collect())
}

/// The map of a piece, if the tables cover its positions.
pub(super) fn map(table: &Table, question: &Question, piece: Piece, paid: &Paid) -> Option<Heat> {
    let (size, board) = (question.size, rules(question.size));
    let base = base(&question.position, piece)?;
    let letter = edit::letter(board, piece).to_string();
    let kept: Vec<(&str, &str)> = std::iter::once(("heat", letter.as_str())).chain(paid.kept()).collect();
    let shown = |tried: Tried| {
        let approx = tried.share.map_or(tried.value.approx, |share| share.lo.parse().unwrap_or_default());
        (approx, path(&tried.fen, &kept))
    };
    let all: Vec<(Square, Option<(f64, String)>)> = tried(table, question, piece, paid.mechanism)?
        .into_iter()
        .map(|(square, tried)| (square, tried.map(shown)))
        .collect();
    let here = question.position.of_kind(piece.color, piece.kind).first();
    let known = || all.iter().filter_map(|(_, value)| value.as_ref().map(|(approx, _)| *approx));
    let (least, greatest) = (known().fold(1.0, f64::min), known().fold(0.0, f64::max));
    let span = (greatest - least).max(f64::MIN_POSITIVE);
    let cell = |file: u8, rank: u8| {
        let square = Square::new(file, rank);
        let value = all.iter().find(|(other, _)| *other == square).and_then(|(_, value)| value.clone());
        let unit = base.piece(square);
        Spot {
            square: square.to_string(),
            dark: square.dark(),
            unit: unit.map(|unit| Unit { color: unit.color, name: board.kind(unit.kind).name.clone() }),
            warmth: value.map(|(approx, link)| Warmth {
                shade: ((approx - least) / span * SHADES).round() as u8,
                label: short(approx),
                link,
                here: here == Some(square),
            }),
        }
    };
    let row = |rank: u8| (rank + 1, (0..size.width()).map(|file| cell(file, rank)).collect());
    Some(Heat {
        name: format!("{} {}", piece.color.name(), board.kind(piece.kind).name),
        files: (0..size.width()).map(|file| char::from(b'a' + file)).collect(),
        ranks: (0..size.height()).rev().map(row).collect(),
        range: (least <= greatest).then(|| (short(least), short(greatest))),
    })
}

/// `.653`, or `1` and `0` where that is exact enough.
fn short(value: f64) -> String {
    match decimal(value, 3).as_str() {
        "0.000" => "0".to_owned(),
        "1.000" => "1".to_owned(),
        text => text.trim_start_matches('0').to_owned(),
    }
}

/// A square of the map for programs.
#[derive(Serialize, ToSchema)]
pub struct WarmSquare {
    /// Its name.
    square: String,
    /// The placement with the piece there; null where it cannot stand.
    fen: Option<String>,
    /// White's chance to win then.
    value: Option<Fraction>,
    /// Bounds of the share of the money below which Black must be, under the mechanism that was asked; null where none was.
    share: Option<Enclosure>,
}

/// The map of a piece for programs.
#[derive(Serialize, ToSchema)]
pub struct HeatNumbers {
    /// The placement that was asked.
    fen: String,
    /// The piece that is tried, by its letter.
    piece: String,
    /// All squares, from a1 on.
    squares: Vec<WarmSquare>,
}

impl HeatNumbers {
    fn csv(&self) -> String {
        let mut text = "square,fen,num,den,lo,hi\n".to_owned();
        for WarmSquare { square, fen, value, share } in &self.squares {
            let (num, den) = value.as_ref().map_or(("", ""), |value| (&*value.num, &*value.den));
            let (lo, hi) = share.as_ref().map_or(("", ""), |share| (&*share.lo, &*share.hi));
            // Writing to a string does not fail.
            let _ = writeln!(text, "{square},{},{num},{den},{lo},{hi}", fen.as_deref().unwrap_or_default());
        }
        text
    }
}

/// Gives the numbers behind a heat map: what a position would be worth with one of its pieces on any other square.
#[utoipa::path(
    get,
    path = "/api/richman/heat",
    operation_id = "read_heat",
    tag = "endgames",
    params(
        ("fen" = String, Query, description = "the position, as for /api/richman", example = "8/8/8/8/3k4/8/8/K2N4"),
        ("piece" = String, Query, description = "the letter of the piece, a capital for White's", example = "N"),
        ("money" = Option<String>, Query, description = "who is paid, as for /api/richman; `share` of the squares then tells what decides", example = "poorman"),
        ("tau" = Option<String>, Query, description = "the share of every payment that the bank takes, as for /api/richman", example = "1/2"),
        ("form" = Option<String>, Query, description = "json, or csv for comma-separated values", example = "csv"),
    ),
    responses(
        (status = 200, description = "All squares", content((HeatNumbers = "application/json"), (String = "text/csv"))),
        (status = 304, description = "The client has this answer: If-None-Match named its ETag"),
        openapi::OfAddress,
    )
)]
pub async fn heat(
    State(app): State<Arc<App>>,
    Query(query): Query<Pairs>,
    extensions: Extensions,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let client = Client::of(&app, &extensions, &headers);
    let missing = |field: &str| {
        Error::malformed(format!("Give the {field}, as in ?fen=8/8/8/8/3k4/8/8/K2N4&piece=N.")).field(field)
    };
    let question = richman::read(parameter(&query, "fen")?.ok_or_else(|| missing("fen"))?)?;
    let text = parameter(&query, "piece")?.ok_or_else(|| missing("piece"))?;
    let form = match parameter(&query, "form")? {
        None | Some("json") => Form::Json,
        Some("csv") => Form::Csv,
        Some(_) => return Err(Error::malformed("Write json or csv.").field("form")),
    };
    let board = rules(question.size);
    let apart = || {
        Error::malformed("The piece is the letter of one that can be tried: with it elsewhere each side has its king, and there is one other piece at most.")
            .field("piece")
    };
    let piece = edit::piece(board, text).filter(|_| richman::covers(question.size)).ok_or_else(apart)?;
    let table = app.endgames.table(question.size).await?;
    let square = |(square, tried): (Square, Option<Tried>)| {
        let square = square.to_string();
        match tried {
            Some(Tried { value, share, fen }) => WarmSquare { square, fen: Some(fen), value: Some(value), share },
            None => WarmSquare { square, fen: None, value: None, share: None },
        }
    };
    let mechanism = mechanism::asked(&query)?;
    let fen = question.fen();
    let work = move || tried(&table, &question, piece, mechanism).map(|all| (table, all));
    let (table, all) = app.play.pool().run(Some(client.key()), work).await?.ok_or_else(apart)?;
    let squares = all.into_iter().map(square).collect();
    let numbers = HeatNumbers { fen, piece: text.to_owned(), squares };
    let named = format!("heat {} {text} {mechanism:?} {form:?}", numbers.fen);
    let rendered = numbers::rendered(form, &numbers, || numbers.csv(), (table.digest(), &named))?;
    numbers::send(&headers, form, rendered).await
}
