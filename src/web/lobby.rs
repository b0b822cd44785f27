//! The lobby: open games, running games, and the form that begins a game. The home page includes it, and a script refreshes its lists.

use super::{
    App, Error,
    cache_policy::{CachePolicy, tag},
    client_address::ClientNetwork,
    cookies::Seats,
    extract::{Form, Pairs, Path, Query},
    game_text, new_game,
    responses::{page as render, private},
    seek,
    time_controls::{self, PACES, TimeControl},
};
use crate::{
    bots::Bot,
    game::ABSENCE_DAYS,
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

/// Games per list.
pub(super) const SHOWN: u32 = 12;
/// Games per list on the home page.
const BRIEF: usize = 4;
/// Variant and time control that the form suggests to a new player.
const USUAL: (&str, &str) = ("chess", "10+5");

/// The lobby page. Its blocks are the form and the lists.
#[derive(Template)]
#[template(path = "lobby.html", blocks = ["find", "lists"])]
pub(super) struct Lobby {
    variants: &'static [Variant],
    paces: &'static [TimeControl],
    /// Chosen variant and time control.
    chosen: (String, String),
    bot: Bot,
    wrong: Vec<String>,
    /// Whether the lists are those of the home page.
    brief: bool,
    /// Number of open games, listed or not.
    open: usize,
    waiting: Vec<Offer>,
    /// Position of this page of open games, and of the next one.
    place: Option<String>,
    more: Option<String>,
    running: Vec<Running>,
}

/// An open game.
struct Offer {
    id: String,
    title: &'static str,
    host: String,
    side: &'static str,
    clocks: String,
    agreed: Vec<String>,
}

/// A running game.
struct Running {
    id: String,
    title: &'static str,
    names: [String; 2],
    ply: usize,
    spectators: usize,
}

/// Free seat of a game.
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
    /// Lobby of the home page.
    pub(super) async fn brief(app: &App, seats: &Seats) -> Result<Lobby, Error> {
        let asked = Shown { after: None, brief: true };
        Ok(Lobby { chosen: wanted(seats), ..Lobby::of(app, &asked).await? })
    }

    /// Page of the lobby.
    async fn of(app: &App, shown: &Shown) -> Result<Lobby, Error> {
        let behind = Behind { after: shown.after.clone() };
        let (mut waiting, last) = app.play.waiting(None, behind.cursor()?.as_ref(), SHOWN).await?;
        let mut running = app.play.running(None, SHOWN).await?;
        let open = waiting.len();
        if shown.brief {
            waiting.truncate(BRIEF);
            running.truncate(BRIEF);
        }
        let watched = |table: Arc<GameSnapshot>| Running {
            id: table.id().to_owned(),
            title: table.game.title(),
            names: Seat::BOTH.map(|seat| table.name(seat)),
            ply: table.game.ply(),
            spectators: app.streams.audience(table.id()).spectators,
        };
        Ok(Lobby {
            variants: VARIANTS,
            paces: &PACES,
            chosen: (USUAL.0.to_owned(), USUAL.1.to_owned()),
            bot: Bot::USUAL,
            wrong: Vec::new(),
            brief: shown.brief,
            open,
            waiting: waiting.iter().filter_map(|table| Offer::of(table)).collect(),
            place: behind.after,
            more: last.as_ref().map(place),
            running: running.into_iter().map(watched).collect(),
        })
    }

    /// The form and the lists as HTML, for a surrounding page.
    pub(super) fn parts(&self) -> Result<[String; 2], Error> {
        let find = self.as_find().render().map_err(Error::broken)?;
        Ok([find, self.as_lists().render().map_err(Error::broken)?])
    }
}

/// Variant and time control of the browser's last search.
fn wanted(seats: &Seats) -> (String, String) {
    let (variant, clock) = seats.wanted().unwrap_or(USUAL);
    (variant.to_owned(), clock.to_owned())
}

/// Part of the lobby that a request is for.
#[derive(Clone, Deserialize)]
pub struct Shown {
    /// Position after which the list of open games starts.
    after: Option<String>,
    /// Whether only the first games of each list are shown.
    #[serde(default)]
    brief: bool,
}

/// Position in the list of open games.
#[derive(Clone, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Behind {
    /// Position after which the list starts: `next` of the previous page.
    after: Option<String>,
}

impl Behind {
    /// Last game of the previous page.
    pub(super) fn cursor(&self) -> Result<Option<Cursor>, Error> {
        let Some(text) = &self.after else { return Ok(None) };
        let read = text.split_once('-').and_then(|(created, id)| Some((created.parse().ok()?, id)));
        let (created, id) = read.ok_or_else(|| {
            Error::malformed("Unknown position in the list. Start again from the first page.").field("after")
        })?;
        Ok(Some(Cursor { created, id: id.to_owned() }))
    }
}

/// Text of a position in the lobby.
pub(super) fn place(cursor: &Cursor) -> String {
    format!("{}-{}", cursor.created, cursor.id)
}

/// `GET /lobby`
pub async fn page(State(app): State<Arc<App>>, seats: Seats, Query(shown): Query<Shown>) -> Result<Response, Error> {
    let page = Lobby { chosen: wanted(&seats), ..Lobby::of(&app, &shown).await? };
    Ok(private(render(&page)?))
}

/// `GET /lobby/games`: the lists alone, the same for all viewers. Supports conditional requests.
pub async fn lists(
    State(app): State<Arc<App>>,
    Query(shown): Query<Shown>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let [_, lists] = Lobby::of(&app, &shown).await?.parts()?;
    let kept = CachePolicy { tag: tag(&[&lists]), control: HeaderValue::from_static("no-cache") };
    kept.answer(&headers, async { Ok(Html(lists).into_response()) }).await
}

/// `POST /lobby`: joins the oldest matching open game, or creates one. With another `opponent`, creates a game against that opponent, or
/// opens the new game form.
pub async fn find(
    State(app): State<Arc<App>>,
    seats: Seats,
    from: ClientNetwork,
    Form(mut pairs): Form<Pairs>,
) -> Result<Response, Error> {
    new_game::add_name(&mut pairs, &seats);
    let value = |name: &str| pairs.iter().rev().find(|(field, _)| field == name).map_or("", |(_, text)| text.trim());
    let (variant, pace) = (registry::find(value("variant")), time_controls::find(value("clock")));
    let why = match (variant, pace, Name::optional(value("name"))) {
        (Some(variant), Some(pace), Ok(name)) => {
            let response = match value("opponent") {
                "" | "open" => {
                    let wanted = Begin {
                        variant: variant.key.to_owned(),
                        options: Map::new(),
                        seat: SeatPreference::Random,
                        clocks: [pace.clock; 2],
                        claim_days: None,
                        opponent: Opponent::Open,
                        name,
                        key: None,
                        from: Some(from.0),
                        owner: seats.owner(&app).await?,
                    };
                    match look_for(&app, &seats, wanted).await {
                        Err(play::Error::Refused(refusal)) => Err(refusal.why),
                        found => Ok(found?),
                    }
                }
                "choose" => Ok(new_game::address(variant, pace)),
                _ => {
                    let mut fields = pairs.clone();
                    fields.push(("seat".to_owned(), "random".to_owned()));
                    return new_game::create_game(app, seats, from, fields, None).await;
                }
            };
            match response {
                Ok(response) => return Ok(seats.keep_wanted(response, variant.key, pace.name)),
                Err(why) => why,
            }
        }
        (None, _, _) => "choose a game from the list".to_owned(),
        (_, None, _) => "choose a time control from the list".to_owned(),
        (_, _, Err(refusal)) => refusal.why,
    };
    let chosen = (value("variant").to_owned(), value("clock").to_owned());
    let whole = Shown { after: None, brief: false };
    let page = Lobby { chosen, wrong: vec![why], ..Lobby::of(&app, &whole).await? };
    Ok((StatusCode::UNPROCESSABLE_ENTITY, private(render(&page)?)).into_response())
}

/// `POST /games/{id}/again`: finds an opponent for the same variant, options and clocks. After a game against a bot, it redirects to the form
/// of a new game with the same settings.
pub async fn again(
    State(app): State<Arc<App>>,
    seats: Seats,
    ClientNetwork(from): ClientNetwork,
    Path(id): Path<String>,
) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    if matches!(table.opponent(), Opponent::Bot(_) | Opponent::Program(_) | Opponent::Challenge(_)) {
        return Ok(new_game::again(&table));
    }
    let name = seats.at(&table).first().and_then(|(seat, _)| table.chair(*seat)).and_then(|chair| chair.name.clone());
    let wanted = Begin {
        variant: table.game.key().to_owned(),
        options: table.variant().options_again(table.options()),
        seat: SeatPreference::Random,
        clocks: table.controls(),
        claim_days: Some(table.game.absence_days()).filter(|days| *days != ABSENCE_DAYS),
        opponent: Opponent::Open,
        name: Name::optional(name.as_deref().unwrap_or_default()).ok().flatten(),
        key: None,
        from: Some(from),
        owner: seats.owner(&app).await?,
    };
    Ok(look_for(&app, &seats, wanted).await?)
}

/// Redirects to a matching open game, or to the browser's own new one.
async fn look_for(app: &App, seats: &Seats, wanted: Begin) -> Result<Response, play::Error> {
    let there = |id: &str| Redirect::to(&format!("/games/{id}")).into_response();
    Ok(private(match app.play.find(wanted, &seats.all()).await? {
        Found::Waits(id) => seek::begin(app, seats, there(&id), &id).await?,
        Found::Joined(joined) => {
            let response = seats.keep(app, there(&joined.id), &joined.id, &[joined.token], None).await;
            seek::replace(app, seats, response, &joined.id).await?
        }
        Found::Offered(begun) => {
            let tokens: Vec<_> = begun.seats.into_iter().map(|(_, token)| token).collect();
            let response = seats.keep(app, there(&begun.id), &begun.id, &tokens, begun.invite.as_deref()).await;
            seek::begin(app, seats, response, &begun.id).await?
        }
    }))
}
