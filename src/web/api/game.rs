//! A game: its view, its actions, and what the engine thinks of it.

use super::create_game::idempotency_key;
use crate::{
    game::{ClockView, Clocks, Offers},
    play::{self, Hint, Review, Reviewing},
    richman::{Advice, FourAdvice, WinnerChange},
    rules::{Outcome, Seat},
    web::{
        App, Error, extract,
        openapi::{self, Problem},
        private, seat_auth,
    },
};
use axum::{
    Json,
    extract::State,
    http::{HeaderMap, header},
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Something to do in a game.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAction {
    /// Where you believe the game to stand.
    ply: usize,
    /// The action's text.
    #[schema(example = "e2e4")]
    action: String,
}

/// Whose choice the game waits for.
#[derive(Serialize, ToSchema)]
pub struct PendingSeats {
    /// The seats that are asked and have not chosen yet.
    awaits: Vec<Seat>,
    /// The kind of action that is asked for: `move`, `bid` …, or `over`.
    phase: String,
}

/// Both clocks.
#[derive(Serialize, ToSchema)]
pub struct BothClocks {
    /// Seat one's; null if only the other side has one.
    one: Option<ClockView>,
    /// Seat two's.
    two: Option<ClockView>,
}

impl BothClocks {
    /// The clocks of a game, if it has any.
    pub(super) fn of(clocks: &Clocks) -> Option<BothClocks> {
        let [one, two] = Seat::BOTH.map(|seat| clocks.view(seat));
        (one.is_some() || two.is_some()).then_some(BothClocks { one, two })
    }
}

/// The end of a game.
#[derive(Serialize, ToSchema)]
pub struct Ending {
    /// The seat that has won; null if nobody has.
    winner: Option<Seat>,
    /// Why.
    reason: String,
}

impl Ending {
    /// The end as programs are told it.
    pub(super) fn of(outcome: Outcome) -> Ending {
        Ending { winner: outcome.winner(), reason: outcome.reason().to_owned() }
    }
}

/// The points of both seats, exact: `1`, `1/2`.
#[derive(Serialize, ToSchema)]
pub struct Points {
    /// Seat one's.
    one: String,
    /// Seat two's.
    two: String,
}

/// Somebody at the table.
#[derive(Serialize, ToSchema)]
pub struct Player {
    /// The name by which they are called.
    name: String,
    /// True if the seat is taken.
    taken: bool,
    /// The name of the bot that plays; null for people.
    bot: Option<String>,
}

/// Both at the table.
#[derive(Serialize, ToSchema)]
pub struct Players {
    /// Who has seat one.
    one: Player,
    /// Who has seat two.
    two: Player,
}

/// The refusal of an action in a game that has moved on.
#[derive(Serialize, ToSchema)]
pub struct StaleProblem {
    #[serde(flatten)]
    problem: Problem,
    /// Where the game stands now.
    ply: usize,
    /// The game as it is now.
    game: GameAnswer,
}

/// A game as a viewer may see it. It is written by the games themselves; this is its description.
#[derive(Serialize, ToSchema)]
pub struct GameAnswer {
    /// The game's id.
    id: String,
    /// The variant's key.
    variant: String,
    /// The options that were agreed on.
    #[schema(value_type = Object)]
    options: Value,
    /// The seat with whose eyes you look; null for everybody.
    seat: Option<Seat>,
    /// The number of steps that have been taken, those of chance included.
    ply: usize,
    /// The number of times that the game has changed, as far as you may know; the number of its events.
    version: i64,
    /// The turn: what the game waits for.
    turn: PendingSeats,
    /// The clocks of both seats, if there are any: `control`, `remaining` in milliseconds, and `deadline` while the clock runs. No
    /// clock runs before the first choice that is made when both seats are taken.
    clocks: Option<BothClocks>,
    /// What is offered and not yet answered.
    offers: Offers,
    /// The end of the game; null while it goes on.
    outcome: Option<Ending>,
    /// The points of both seats, as exact fractions.
    score: Points,
    /// Who sits there.
    players: Players,
    /// Your own choice that is still sealed, if there is one.
    sealed: Option<String>,
    /// What you may say now, if you are asked: texts that are accepted as they are, and phrases with blanks between braces, as in
    /// `bid {0..40}`; `/docs#grammar` says how blanks are filled.
    actions: Option<Vec<String>>,
    /// The id of the rematch, once both sides have asked for one.
    rematch: Option<String>,
    /// Your own invitation to the rematch, for `POST /api/seats`; null for everybody else.
    rematch_invite: Option<String>,
    /// All that is seen; `diagram` is the same for all variants.
    #[schema(value_type = Object)]
    view: Value,
    /// The endgame tables' advice, if they cover the position and you may see it: spectators may, players if both agreed to that
    /// when the game began. It knows nothing of sealed bids.
    panel: Option<Advice>,
    /// The same where four pieces are left and the server has their tables, in proved bounds; null where bids may not be below zero, or are paid to
    /// a bank.
    bounds: Option<FourAdvice>,
    /// Once the game is over: the steps at which the win changed hands, as far as the tables see.
    swings: Option<Vec<WinnerChange>>,
}

/// A page of the score sheet.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Lines {
    /// Only lines before this one, counted from 0; without it the last ones. `view.diagram.earlier` is what to write here for the page
    /// before.
    before: Option<usize>,
}

/// Shows a game as your seat sees it, or as everybody does. Of a long game the score sheet comes in pages of 400 lines, the last one first.
#[utoipa::path(
    get,
    path = "/api/games/{id}",
    operation_id = "look_at_game",
    tag = "games",
    params(("id" = String, Path, description = "the game's id"), seat_auth::ViewSeat, Lines),
    responses(
        (status = 200, description = "The game", body = GameAnswer),
        openapi::ViewErrors,
    ),
    security((), ("seat" = []), ("key" = []))
)]
pub async fn look(
    State(app): State<Arc<App>>,
    onlooker: seat_auth::ApiViewer,
    extract::Path(id): extract::Path<String>,
    extract::Query(lines): extract::Query<Lines>,
) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let viewer = onlooker.viewer(&table)?;
    match lines.before {
        None => Ok(json(app.play.text(&table, viewer).await)),
        Some(before) => Ok(json(app.play.text_before(&table, viewer, before).await.into())),
    }
}

/// Does something in a game.
#[utoipa::path(
    post,
    path = "/api/games/{id}/actions",
    operation_id = "act_in_game",
    tag = "games",
    params(
        ("id" = String, Path, description = "the game's id"),
        ("Idempotency-Key" = Option<String>, Header, description = "makes a request that is sent twice count once"),
    ),
    request_body = NewAction,
    responses(
        (status = 200, description = "The game afterwards, as your seat sees it", body = GameAnswer),
        (status = 409, description = "The game stands at another ply; `game` is what it is now", body = StaleProblem, content_type = "application/problem+json"),
        (status = 422, description = "The rules refuse it", body = Problem, content_type = "application/problem+json"),
        openapi::BodyErrors,
        openapi::GameErrors,
    ),
    security(("seat" = []))
)]
pub async fn act(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
    extract::Json(new): extract::Json<NewAction>,
) -> Result<Response, Error> {
    let seat = seat_auth::actor(&headers, &*app.play.look(&id).await?)?;
    let key = idempotency_key(&headers)?;
    match app.play.act(&id, seat, Some(new.ply), &new.action, key).await {
        Ok(acted) => Ok(json(app.play.text(&acted.table, Some(seat)).await)),
        Err(error @ play::Error::Stale { .. }) => {
            let now = app.play.look(&id).await?;
            let game: Value = serde_json::from_str(&app.play.text(&now, Some(seat)).await).map_err(Error::broken)?;
            Err(Error::from(error).field("ply").with("game", game))
        }
        Err(error) => Err(Error::from(error).or_field("action")),
    }
}

/// A body of JSON that is there already.
fn json(text: Arc<str>) -> Response {
    private(([(header::CONTENT_TYPE, "application/json")], text.to_string()).into_response())
}

/// The engine's opinion on a game, as far as it is known.
#[derive(Serialize, ToSchema)]
pub struct ReviewAnswer {
    /// How far it is: `none` while the game goes on, or if nobody played it; `waiting` while it is being worked out; `later` if too
    /// many games wait; else `known`.
    #[schema(example = "known")]
    state: &'static str,
    /// The opinion, once it is known.
    review: Option<Review>,
}

/// Shows what the engine thinks of a game that is over: a chance for every step, and the three choices that gave most away. The first
/// question about an old game has it worked out; it is an estimate but where the endgame tables reach.
#[utoipa::path(
    get,
    path = "/api/games/{id}/review",
    operation_id = "review_game",
    tag = "games",
    params(("id" = String, Path, description = "the game's id")),
    responses(
        (status = 200, description = "How far it is, and the opinion", body = ReviewAnswer),
        openapi::GameErrors,
    )
)]
pub async fn review(State(app): State<Arc<App>>, extract::Path(id): extract::Path<String>) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let (state, review) = match app.play.review(&table).await? {
        Reviewing::Never => ("none", None),
        Reviewing::Waits => ("waiting", None),
        Reviewing::Later => ("later", None),
        Reviewing::Known(review) => ("known", Some((*review).clone())),
    };
    Ok(private(Json(ReviewAnswer { state, review }).into_response()))
}

/// Says what you could do, in a game against a bot of this site: what the endgame tables say where they reach, else what a level would that makes few
/// mistakes. It knows what your seat knows, and says the same for the same moment.
#[utoipa::path(
    get,
    path = "/api/games/{id}/hint",
    operation_id = "hint",
    tag = "games",
    params(("id" = String, Path, description = "the game's id")),
    responses(
        (status = 200, description = "The hint", body = Hint),
        (status = 422, description = "There is none: you are not asked, or it is no game against a bot of this site", body = Problem, content_type = "application/problem+json"),
        openapi::GameErrors,
    ),
    security(("seat" = []))
)]
pub async fn hint(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    extract::Path(id): extract::Path<String>,
) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let seat = seat_auth::actor(&headers, &table)?;
    let hint = app.play.hint(&table, seat).await?;
    Ok(private(Json(&*hint).into_response()))
}
