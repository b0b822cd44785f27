//! The endgame page: a board to edit, its value and everything around it. Every state is an address; a press on a square is a
//! form that leads to another one.

use super::{
    edit::{self, Tool},
    heat::{self, Heat},
};
use crate::{
    board::{Color, Piece, Position, Square},
    richman::{self, Answer, Category, Choice, Question, Table, rules},
    web::{
        App, Error, Kind,
        board::{Figure, Mark, Unit},
        extract::{Pairs, Query, parameter},
        page as render,
        values::{
            address::path,
            amount::{Amount, percent},
        },
    },
};
use askama::Template;
use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Redirect, Response},
};
use std::sync::Arc;

/// The board that is shown first: the zugzwang of the paper's figure 8.
const FIRST: &str = "8/8/8/8/3k4/8/8/K2N4";

#[derive(Template)]
#[template(path = "endgames.html")]
struct EndgamePage {
    editor: Editor,
    assessment: Assessment,
    heat: Option<Heat>,
    /// Pieces that can be tried everywhere: name, address, whether it is the one that is shown.
    candidates: Vec<(Unit, String, bool)>,
    gallery: Option<String>,
}

#[derive(Template)]
#[template(path = "endgames_wait.html")]
struct Wait {
    done: String,
}

#[derive(Template)]
#[template(path = "endgames_slip.html")]
struct Slip {
    fen: String,
    why: String,
}

/// The board and what can be done with it.
struct Editor {
    fen: String,
    figure: Figure,
    /// The tools of a press: the tool's text, the piece if it is one, and whether it is chosen.
    tools: Vec<(String, Option<Unit>, bool)>,
    from: Option<Square>,
    heat: String,
    /// Images of the position: words, address; an image that does not exist has none.
    images: Vec<(&'static str, Option<String>)>,
}

/// All that is known about the position.
struct Assessment {
    material: String,
    category: Category,
    reason: Option<String>,
    winner: Option<&'static str>,
    value: Option<Amount>,
    /// The shares of White and Black in percent, and White's share of a bar of 1000 units.
    shares: Option<(String, String, u16)>,
    bid: Option<Amount>,
    /// The size of the bid in percent.
    offer: String,
    zugzwang: bool,
    quiescent: bool,
    sides: Vec<SideMoves>,
    certificate: Option<richman::Certificate>,
}

/// The moves of one side.
struct SideMoves {
    name: &'static str,
    lines: Vec<ValuedMove>,
}

impl SideMoves {
    fn best(&self) -> impl Iterator<Item = &ValuedMove> {
        self.lines.iter().filter(|line| line.best)
    }
}

/// A move and what it leads to.
struct ValuedMove {
    san: String,
    link: String,
    value: Amount,
    best: bool,
}

/// `GET /endgames`: without a FEN the first position and the gallery; with a square the press on it, which leads elsewhere.
pub async fn page(State(app): State<Arc<App>>, Query(query): Query<Pairs>) -> Result<Response, Error> {
    let given = parameter(&query, "fen")?;
    let question = match richman::read(given.unwrap_or(FIRST)) {
        Ok(question) => question,
        Err(wrong) => {
            let slip =
                Slip { fen: given.unwrap_or_default().to_owned(), why: format!("The FEN cannot be read: {wrong}.") };
            return Ok((StatusCode::BAD_REQUEST, render(&slip)?).into_response());
        }
    };
    let board = rules(question.size);
    let tool = Tool::read(board, parameter(&query, "tool")?.unwrap_or_default())?;
    let square = |name: &str| match parameter(&query, name)?.filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => {
            let square = text.parse::<Square>().ok().filter(|square| question.size.squares().has(*square));
            let wrong = || Error::malformed(format!("“{text}” is no square of this board.")).field(name);
            square.map(Some).ok_or_else(wrong)
        }
    };
    let (from, pressed) = (square("from")?, square("square")?);
    let wanted = parameter(&query, "heat")?.filter(|text| !text.is_empty());
    let wanted = match wanted {
        None => None,
        Some(text) => Some(edit::piece(board, text).ok_or_else(|| {
            Error::malformed(format!("“{text}” is no piece; write the letter of a piece, as N for White’s knight."))
                .field("heat")
        })?),
    };

    if let Some(pressed) = pressed {
        let (next, up) = edit::press(board, &question.position, tool, from, pressed);
        let kept = [
            ("tool", if tool == Tool::Move { String::new() } else { tool.text(board) }),
            ("from", up.map_or(String::new(), |up| up.to_string())),
            ("heat", wanted.map_or(String::new(), |piece| edit::letter(board, piece).to_string())),
        ];
        let kept: Vec<(&str, &str)> = kept.iter().map(|(name, value)| (*name, value.as_str())).collect();
        return Ok(Redirect::to(&path(&board.placement_fen(&next), &kept)).into_response());
    }

    let table = match question.without_table() {
        Some(_) if !richman::covers(question.size) => None,
        Some(_) | None => match app.endgames.table(question.size).await {
            Ok(table) => Some(table),
            Err(error) if matches!(error.kind(), Kind::Busy { .. }) => return wait(&app),
            Err(error) => return Err(error),
        },
    };
    let gallery = match given {
        None => Some(app.endgames.gallery().await?),
        Some(_) => None,
    };
    render(&EndgamePage::new(&question, table.as_deref(), tool, from, wanted, gallery))
}

/// The page that waits for the tables and asks again by itself.
fn wait(app: &App) -> Result<Response, Error> {
    let done = format!("{:.0}", app.endgames.tables().progress() * 100.0);
    let retry = [(axum::http::header::RETRY_AFTER, "1"), (axum::http::header::CACHE_CONTROL, "no-store")];
    Ok((StatusCode::SERVICE_UNAVAILABLE, retry, render(&Wait { done })?).into_response())
}

impl EndgamePage {
    fn new(
        question: &Question,
        table: Option<&Table>,
        tool: Tool,
        from: Option<Square>,
        wanted: Option<Piece>,
        gallery: Option<String>,
    ) -> EndgamePage {
        let board = rules(question.size);
        let fen = board.placement_fen(&question.position);
        let unit = |piece: Piece| Unit { color: piece.color, name: board.kind(piece.kind).name.clone() };
        let pieces = heat::candidates(question);
        // If nobody asks, the extra piece is tried; it comes before the kings where there is one.
        let extra = || pieces.iter().copied().find(|piece| unit_stands(question, *piece) && !is_king(*piece));
        let shown = wanted.or_else(extra);
        let heat = table.zip(shown).and_then(|(table, piece)| heat::map(table, question, piece));
        let candidates = table.map_or(Vec::new(), |_| pieces.clone());
        let candidates = candidates.into_iter().map(|piece| {
            (unit(piece), path(&fen, &[("heat", &edit::letter(board, piece).to_string())]), Some(piece) == shown)
        });
        let answer = question.without_table().or_else(|| table.map(|table| question.answer(table)));
        EndgamePage {
            editor: Editor::new(question, tool, from, wanted),
            assessment: Assessment::new(question, answer),
            heat,
            candidates: candidates.collect(),
            gallery,
        }
    }
}

fn is_king(piece: Piece) -> bool {
    piece.kind == crate::board::orthodox::KING
}

fn unit_stands(question: &Question, piece: Piece) -> bool {
    !question.position.of_kind(piece.color, piece.kind).is_empty()
}

impl Editor {
    fn new(question: &Question, tool: Tool, from: Option<Square>, wanted: Option<Piece>) -> Editor {
        let board = rules(question.size);
        let position = &question.position;
        let mut figure = Figure::of(board, position);
        if let Some(from) = from {
            figure.mark(from, Mark::Selected);
        }
        let pieces = Color::BOTH
            .into_iter()
            .flat_map(|color| (0..board.kinds().len() as u8).rev().map(move |kind| Tool::Put(Piece { color, kind })));
        let tools = [Tool::Move, Tool::Clear].into_iter().chain(pieces).map(|other| {
            let unit = match other {
                Tool::Put(piece) => Some(Unit { color: piece.color, name: board.kind(piece.kind).name.clone() }),
                Tool::Move | Tool::Clear => None,
            };
            (other.text(board), unit, other == tool)
        });
        let link = |image: Option<Position>| {
            let fen = board.placement_fen(&image?);
            Some(path(&fen, &[]))
        };
        let images = vec![
            ("Mirror", link(edit::mirrored(board, position))),
            ("Swap colours", link(edit::swapped(board, position))),
            ("Shift left", link(edit::shifted(board, position, -1, 0))),
            ("Shift right", link(edit::shifted(board, position, 1, 0))),
            ("Shift up", link(edit::shifted(board, position, 0, 1))),
            ("Shift down", link(edit::shifted(board, position, 0, -1))),
        ];
        Editor {
            fen: board.placement_fen(position),
            figure,
            tools: tools.collect(),
            from,
            heat: wanted.map_or(String::new(), |piece| edit::letter(board, piece).to_string()),
            images,
        }
    }
}

impl Assessment {
    fn new(question: &Question, answer: Option<Answer>) -> Assessment {
        let board = rules(question.size);
        // Only an answer that needs a table can be missing, and then there is one.
        let answer = answer.unwrap_or_else(|| question.unknown("no table of this board is at hand"));
        let sides = [(Color::White, &answer.white), (Color::Black, &answer.black)].map(|(color, choices)| {
            let mut from = question.position;
            from.turn = color;
            let line = |choice: &Choice| {
                let found = choice.uci.parse().ok().and_then(|uci| board.find(&from, uci));
                let after = found.map_or(from, |mv| board.after(&from, mv));
                ValuedMove {
                    san: choice.san.clone(),
                    link: path(&board.placement_fen(&after), &[]),
                    value: Amount::from(&choice.value),
                    best: choice.best,
                }
            };
            let name = match color {
                Color::White => "White",
                Color::Black => "Black",
            };
            SideMoves { name, lines: choices.iter().map(line).collect() }
        });
        let shares = answer.value.as_ref().map(|value| {
            let white = (value.approx * 1000.0).round() as u16;
            (percent(value.approx), percent(1.0 - value.approx), white)
        });
        Assessment {
            material: answer.material,
            category: answer.category,
            reason: answer.reason,
            winner: answer.terminal,
            value: answer.value.as_ref().map(Amount::from),
            shares,
            offer: answer.bid.as_ref().map_or(String::new(), |bid| percent(bid.approx.abs())),
            bid: answer.bid.as_ref().map(Amount::from),
            zugzwang: answer.zugzwang == Some(true),
            quiescent: answer.quiescent == Some(true),
            sides: sides.into(),
            certificate: answer.certificate,
        }
    }
}
