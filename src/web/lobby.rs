//! The lobby: the games that wait for somebody, the games that are played, and the form that finds an opponent. It stands on the first
//! page too, and a script asks for its list again and again.

use super::{
    App, Error,
    cache_policy::{CachePolicy, tag},
    client_address::ClientNetwork,
    cookies::Seats,
    extract::{Form, Pairs, Path, Query},
    game_text,
    responses::{page as render, private},
    time_controls::{self, PACES, TimeControl},
};
use crate::{
    play::{self, Begin, Found, GameSnapshot, Name, Opponent, SeatPreference},
    registry::{self, VARIANTS, Variant},
    rules::Seat,
    store::Cursor,
};
use askama::Template;
use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode},
    response::{Html, IntoResponse, Redirect, Response},
};
use serde::Deserialize;
use serde_json::Map;
use std::sync::Arc;
use utoipa::IntoParams;

/// The number of games in each list.
pub(super) const SHOWN: u32 = 12;

/// The lobby as a page. Its blocks are the form and the list.
#[derive(Template)]
#[template(path = "lobby.html", blocks = ["find", "lists"])]
pub(super) struct Lobby {
    variants: &'static [Variant],
    paces: &'static [TimeControl],
    typed: Pairs,
    wrong: Vec<String>,
    waiting: Vec<Offer>,
    /// The place of the games that are shown, and of those behind them.
    place: Option<String>,
    more: Option<String>,
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
pub(super) fn free(table: &GameSnapshot) -> Option<Seat> {
    Seat::BOTH.into_iter().find(|seat| !table.taken(*seat))
}

impl Offer {
    fn of(table: &GameSnapshot) -> Option<Offer> {
        let seat = free(table)?;
        Some(Offer {
            id: table.id().to_owned(),
            title: table.game.title(),
            host: table.name(!seat),
            side: game_text::side(&table.game.diagram(None), seat),
            clocks: game_text::clocks(table.controls()),
            agreed: game_text::options(table),
        })
    }
}

impl Lobby {
    /// The lobby as it stands.
    pub(super) async fn now(app: &App) -> Result<Lobby, Error> {
        Lobby::behind(app, &Behind { after: None }).await
    }

    /// The lobby with the open games behind one of them.
    async fn behind(app: &App, behind: &Behind) -> Result<Lobby, Error> {
        let (waiting, last) = app.play.waiting(None, behind.cursor()?.as_ref(), SHOWN).await?;
        let running = |table: Arc<GameSnapshot>| Running {
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
            waiting: waiting.iter().filter_map(|table| Offer::of(table)).collect(),
            place: behind.after.clone(),
            more: last.as_ref().map(place),
            running: app.play.running(None, SHOWN).await?.into_iter().map(running).collect(),
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

/// Which open games are asked for.
#[derive(Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Behind {
    /// Those behind this place, as the page before named it.
    after: Option<String>,
}

impl Behind {
    /// The last game that was shown.
    pub(super) fn cursor(&self) -> Result<Option<Cursor>, Error> {
        let Some(text) = &self.after else { return Ok(None) };
        let read = text.split_once('-').and_then(|(created, id)| Some((created.parse().ok()?, id)));
        let (created, id) =
            read.ok_or_else(|| Error::malformed("There is no such place in the lobby.").field("after"))?;
        Ok(Some(Cursor { created, id: id.to_owned() }))
    }
}

/// The text of a place in the lobby.
pub(super) fn place(cursor: &Cursor) -> String {
    format!("{}-{}", cursor.created, cursor.id)
}

/// `GET /lobby`
pub async fn page(State(app): State<Arc<App>>, Query(behind): Query<Behind>) -> Result<Response, Error> {
    Ok(private(render(&Lobby::behind(&app, &behind).await?)?))
}

/// `GET /lobby/games`: the list alone, the same for everybody; only its tag while it has not changed.
pub async fn lists(
    State(app): State<Arc<App>>,
    Query(behind): Query<Behind>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let [_, lists] = Lobby::behind(&app, &behind).await?.parts()?;
    let kept = CachePolicy { tag: tag(&[&lists]), control: HeaderValue::from_static("no-cache") };
    kept.answer(&headers, async { Ok(Html(lists).into_response()) }).await
}

/// `POST /lobby`: sits down at the first waiting game that fits, or offers one.
pub async fn find(
    State(app): State<Arc<App>>,
    seats: Seats,
    ClientNetwork(from): ClientNetwork,
    Form(pairs): Form<Pairs>,
) -> Result<Response, Error> {
    let value = |name: &str| pairs.iter().rev().find(|(field, _)| field == name).map_or("", |(_, text)| text.trim());
    let variant = registry::find(value("variant"));
    let name = Name::optional(value("name"));
    let wanted = match (variant, time_controls::find(value("clock")), name) {
        (Some(variant), Some(pace), Ok(name)) => Ok(Begin {
            variant: variant.key.to_owned(),
            options: Map::new(),
            seat: SeatPreference::Random,
            clocks: [pace.clock; 2],
            opponent: Opponent::Open,
            name,
            key: None,
            from: Some(from),
            owner: seats.owner(&app).await?,
        }),
        (None, _, _) => Err("choose one of the games".to_owned()),
        (_, None, _) => Err("choose one of the times".to_owned()),
        (_, _, Err(refusal)) => Err(refusal.why),
    };
    let why = match wanted {
        Ok(wanted) => match look_for(&app, &seats, wanted).await {
            Err(play::Error::Refused(refusal)) => refusal.why,
            found => return Ok(found?),
        },
        Err(why) => why,
    };
    let page = Lobby { typed: pairs, wrong: vec![why], ..Lobby::now(&app).await? };
    Ok((StatusCode::UNPROCESSABLE_ENTITY, private(render(&page)?)).into_response())
}

/// `POST /games/{id}/again`: the same game with the same clocks, with whoever waits for it or comes.
pub async fn again(
    State(app): State<Arc<App>>,
    seats: Seats,
    ClientNetwork(from): ClientNetwork,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let name = seats.at(&table).first().and_then(|(seat, _)| table.chair(*seat)).and_then(|chair| chair.name.clone());
    let wanted = Begin {
        variant: table.game.key().to_owned(),
        options: table.options(),
        seat: SeatPreference::Random,
        clocks: table.controls(),
        opponent: Opponent::Open,
        name: Name::optional(name.as_deref().unwrap_or_default()).ok().flatten(),
        key: None,
        from: Some(from),
        owner: seats.owner(&app).await?,
    };
    Ok(look_for(&app, &seats, wanted).await?)
}

/// Takes a browser to whoever waits for such a game, or to an offer of its own.
async fn look_for(app: &App, seats: &Seats, wanted: Begin) -> Result<Response, play::Error> {
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
