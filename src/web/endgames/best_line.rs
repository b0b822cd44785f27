//! The line of best moves for a sequence of coin tosses, and the page of the paper's claims.

use crate::{
    board::{Color, Size, orthodox::KING},
    richman::{self, Question, Table},
    web::{
        App, Error,
        cache_policy::tag,
        endgame_cache::{
            RenderedAnswer,
            claims::{self, ClaimEntry},
            format::{Amount, path},
        },
        extract::{Pairs, parameter},
    },
};
use askama::Template;
use axum::{
    body::Bytes,
    extract::State,
    response::{Html, IntoResponse, Response},
};
use std::sync::Arc;

/// A sequence of tosses: the winner of each.
#[derive(Clone, Default)]
pub(super) struct Tosses {
    /// The sequence as `w` and `b`, or the text typed instead.
    pub(super) text: String,
    /// Error in the text.
    pub(super) wrong: Option<String>,
}

/// The line as the page shows it.
pub(super) struct BestLine {
    pub(super) tosses: Tosses,
    pub(super) moves: Vec<LineStep>,
    /// Number of tosses after the end of the game or for a side that has no move.
    pub(super) idle: usize,
    /// Address of the position at the end of the line, and whether the game is over there.
    pub(super) end: Option<String>,
    pub(super) over: bool,
}

pub(super) struct LineStep {
    pub(super) side: &'static str,
    pub(super) san: String,
    pub(super) link: String,
    pub(super) value: Amount,
}

impl Tosses {
    /// Reads `turns` and applies `toss`: `w` and `b` append a toss, `back` removes the last one, `none` removes all.
    pub(super) fn read(query: &Pairs) -> Result<(Tosses, bool), Error> {
        let typed = parameter(query, "turns")?.unwrap_or_default();
        let mut text: String = typed.split_whitespace().collect::<String>().to_ascii_lowercase();
        let toss = parameter(query, "toss")?.unwrap_or_default();
        match toss {
            "" => {}
            "w" | "b" => text.push_str(toss),
            "back" => drop(text.pop()),
            "none" => text.clear(),
            other => {
                let why = format!("“{other}” is not a toss. Write w, b, back or none.");
                return Err(Error::malformed(why).field("toss"));
            }
        }
        let wrong = richman::turns(&text).err().map(|wrong| format!("{}.", wrong.why));
        let moved = !toss.is_empty() && wrong.is_none();
        Ok((Tosses { text, wrong }, moved))
    }

    /// The sequence for an address; empty if it is invalid.
    pub(super) fn kept(&self) -> &str {
        if self.wrong.is_none() { &self.text } else { "" }
    }
}

impl BestLine {
    /// Plays the tosses from a position. Without a table that covers the position there are no moves.
    pub(super) fn new(question: &Question, table: Option<&Table>, tosses: Tosses) -> BestLine {
        let turns = richman::turns(tosses.kept()).unwrap_or_default();
        let played = table.map_or(Vec::new(), |table| question.mainline(table, &turns).moves);
        let mut position = question.position;
        let board = richman::rules(question.size);
        let mut step = |played: richman::LineMove| {
            let white = played.mover == Color::White.name();
            position.turn = if white { Color::White } else { Color::Black };
            if let Some(mv) = played.uci.parse().ok().and_then(|uci| board.find(&position, uci)) {
                position = board.after(&position, mv);
            }
            LineStep {
                side: if white { "White" } else { "Black" },
                san: played.san,
                link: path(&board.placement_fen(&position), &[]),
                value: Amount::from(&played.value),
            }
        };
        let moves: Vec<LineStep> = played.into_iter().map(&mut step).collect();
        let over = !moves.is_empty() && Color::BOTH.into_iter().any(|color| position.of_kind(color, KING).is_empty());
        let end = moves.last().map(|step| step.link.clone());
        BestLine { idle: turns.len() - moves.len(), tosses, moves, end, over }
    }
}

#[derive(Template)]
#[template(path = "endgames_paper.html")]
struct ClaimsPage {
    rows: Vec<ClaimEntry>,
}

/// Cache key of the page.
const NAME: &str = "the claims";

/// `GET /endgames/paper`: computed at the first request, then cached.
pub async fn page(State(app): State<Arc<App>>) -> Result<Response, Error> {
    if let Some(kept) = app.endgames.kept(NAME) {
        return Ok(Html(kept.body).into_response());
    }
    let classes = app.endgames.classes(Size::ORTHODOX).await?;
    let own = app.endgames.clone();
    let work = move || claims::all(own.tables(), &classes);
    let rows = app.play.pools().batch.run(work).await?.map_err(Error::broken)?;
    let text = ClaimsPage { rows }.render().map_err(Error::broken)?;
    let rendered =
        RenderedAnswer { body: Bytes::from(text), tag: tag(&[NAME, env!("CARGO_PKG_VERSION")]), lasting: true };
    app.endgames.keep(NAME.to_owned(), rendered.clone());
    Ok(Html(rendered.body).into_response())
}
