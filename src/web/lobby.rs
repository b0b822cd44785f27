//! The lobby: the games that wait for somebody, the games that are played, and the form that finds an opponent. It stands on the first
//! page too, and a script asks for its list again and again.

use super::{
    App, Error,
    answer::{page as render, private},
    browser::Seats,
    extract::{Form, Pairs, Path},
    kept::{Kept, tag},
    pace::{self, PACES, Pace},
    words,
};
use crate::{
    play::{Begin, Found, LiveGame, Name, Opponent, Wish},
    rules::Seat,
    variants::{self, VARIANTS, Variant},
};
use askama::Template;
use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode},
    response::{Html, IntoResponse, Redirect, Response},
};
use serde_json::Map;
use std::sync::Arc;

/// The number of games in each list.
pub(super) const SHOWN: u32 = 12;

/// The lobby as a page. Its blocks are the form and the list.
#[derive(Template)]
#[template(path = "lobby.html", blocks = ["find", "lists"])]
pub(super) struct Lobby {
    variants: &'static [Variant],
    paces: &'static [Pace],
    typed: Pairs,
    wrong: Vec<String>,
    waiting: Vec<Offer>,
    running: Vec<Running>,
}

/// A game that waits.
struct Offer {
    id: String,
    title: &'static str,
    host: String,
    side: &'static str,
    clocks: String,
    agreed: Vec<String>,
}

/// A game that is being played.
struct Running {
    id: String,
    title: &'static str,
    names: [String; 2],
    ply: usize,
    spectators: usize,
}

/// The seat that is free at a table.
pub(super) fn free(table: &LiveGame) -> Option<Seat> {
    Seat::BOTH.into_iter().find(|seat| !table.taken(*seat))
}

impl Offer {
    fn of(table: &LiveGame) -> Option<Offer> {
        let seat = free(table)?;
        Some(Offer {
            id: table.id().to_owned(),
            title: table.game.title(),
            host: table.name(!seat),
            side: words::side(&table.game.diagram(None), seat),
            clocks: words::clocks(table.controls()),
            agreed: words::options(table),
        })
    }
}

impl Lobby {
    /// The lobby as it stands.
    pub(super) async fn now(app: &App) -> Result<Lobby, Error> {
        let running = |table: Arc<LiveGame>| Running {
            id: table.id().to_owned(),
            title: table.game.title(),
            names: Seat::BOTH.map(|seat| table.name(seat)),
            ply: table.game.ply(),
            spectators: app.streams.audience(table.id()).spectators,
        };
        Ok(Lobby {
            variants: VARIANTS,
            paces: &PACES,
            typed: Pairs::new(),
            wrong: Vec::new(),
            waiting: app.play.waiting(SHOWN).await?.iter().filter_map(|table| Offer::of(table)).collect(),
            running: app.play.running(SHOWN).await?.into_iter().map(running).collect(),
        })
    }

    /// The form and the list, for a page around them.
    pub(super) fn parts(&self) -> Result<[String; 2], Error> {
        let find = self.as_find().render().map_err(Error::broken)?;
        Ok([find, self.as_lists().render().map_err(Error::broken)?])
    }

    fn chosen(&self, name: &str, value: &str, usual: &str) -> bool {
        let given = self.typed.iter().rev().find(|(field, _)| field == name);
        given.map_or(usual, |(_, text)| text.as_str()) == value
    }
}

/// `GET /lobby`
pub async fn page(State(app): State<Arc<App>>) -> Result<Response, Error> {
    Ok(private(render(&Lobby::now(&app).await?)?))
}

/// `GET /lobby/games`: the list alone, the same for everybody; only its tag while it has not changed.
pub async fn lists(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, Error> {
    let [_, lists] = Lobby::now(&app).await?.parts()?;
    let kept = Kept { tag: tag(&[&lists]), control: HeaderValue::from_static("no-cache") };
    kept.answer(&headers, async { Ok(Html(lists).into_response()) }).await
}

/// `POST /lobby`: sits down at the first waiting game that fits, or offers one.
pub async fn find(State(app): State<Arc<App>>, seats: Seats, Form(pairs): Form<Pairs>) -> Result<Response, Error> {
    let value = |name: &str| pairs.iter().rev().find(|(field, _)| field == name).map_or("", |(_, text)| text.trim());
    let variant = variants::find(value("variant"));
    let name = Name::optional(value("name"));
    let wanted = match (variant, pace::find(value("clock")), name) {
        (Some(variant), Some(pace), Ok(name)) => Ok(Begin {
            variant: variant.key.to_owned(),
            options: Map::new(),
            seat: Wish::Random,
            clocks: [pace.clock; 2],
            opponent: Opponent::Open,
            name,
            key: None,
        }),
        (None, _, _) => Err("choose one of the games".to_owned()),
        (_, None, _) => Err("choose one of the times".to_owned()),
        (_, _, Err(refusal)) => Err(refusal.why),
    };
    let wanted = match wanted {
        Ok(wanted) => wanted,
        Err(why) => {
            let page = Lobby { typed: pairs, wrong: vec![why], ..Lobby::now(&app).await? };
            return Ok((StatusCode::UNPROCESSABLE_ENTITY, private(render(&page)?)).into_response());
        }
    };
    look_for(&app, &seats, wanted).await
}

/// `POST /games/{id}/again`: the same game with the same clocks, with whoever waits for it or comes.
pub async fn again(State(app): State<Arc<App>>, seats: Seats, Path(id): Path<String>) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let name = seats.at(&table).first().and_then(|(seat, _)| table.chair(*seat)).and_then(|chair| chair.name.clone());
    let wanted = Begin {
        variant: table.game.key().to_owned(),
        options: table.options(),
        seat: Wish::Random,
        clocks: table.controls(),
        opponent: Opponent::Open,
        name: Name::optional(name.as_deref().unwrap_or_default()).ok().flatten(),
        key: None,
    };
    look_for(&app, &seats, wanted).await
}

/// Takes a browser to whoever waits for such a game, or to an offer of its own.
async fn look_for(app: &App, seats: &Seats, wanted: Begin) -> Result<Response, Error> {
    let there = |id: &str| Redirect::to(&format!("/games/{id}")).into_response();
    Ok(private(match app.play.find(wanted, &seats.all()).await? {
        Found::Waits(id) => there(&id),
        Found::Joined(joined) => seats.keep(there(&joined.id), &joined.id, &[joined.token], None),
        Found::Offered(begun) => {
            let tokens: Vec<_> = begun.seats.into_iter().map(|(_, token)| token).collect();
            seats.keep(there(&begun.id), &begun.id, &tokens, begun.invite.as_deref())
        }
    }))
}
