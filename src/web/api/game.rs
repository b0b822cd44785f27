//! Endpoints of one game: its view, actions, analysis and hints.

use super::create_game::{Idempotency, idempotency_key};
use crate::{
    game::{ClockView, Clocks, GameOffers},
    play::{self, GameSnapshot, Hint, Review, ReviewState},
    richman::{Advice, FourAdvice, WinnerChange},
    rules::{GamePhase, Outcome, Seat, Viewer},
    web::{
        App, Error,
        chat::{check_claim, claim_time},
        extract,
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

/// An action to submit.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAction {
    /// Ply at which you submit the action.
    ply: usize,
    /// Text of the action.
    #[schema(example = "e2e4")]
    action: String,
}

/// Seats and kind of action that the game waits for.
#[derive(Serialize, ToSchema)]
pub struct PendingSeats {
    /// Seats that must act and have not done so yet.
    awaits: Vec<Seat>,
    /// Kind of the pending action.
    phase: GamePhase,
}

/// Clocks of both seats.
#[derive(Serialize, ToSchema)]
pub struct BothClocks {
    /// Seat one's clock; null if it has none.
    one: Option<ClockView>,
    /// Seat two's clock; null if it has none.
    two: Option<ClockView>,
}

impl BothClocks {
    /// Clocks of a game, or `None` if neither seat has one.
    pub(super) fn of(clocks: &Clocks) -> Option<BothClocks> {
        let [one, two] = Seat::BOTH.map(|seat| clocks.view(seat));
        (one.is_some() || two.is_some()).then_some(BothClocks { one, two })
    }
}

/// Result of a game.
#[derive(Serialize, ToSchema)]
pub struct Ending {
    /// Seat of the winner; null for a draw or a void game.
    winner: Option<Seat>,
    /// Reason for the result in words, such as `checkmate`. Most variants have reasons of their own, so the list is open.
    reason: String,
}

impl Ending {
    /// Result as the API describes it.
    pub(super) fn of(outcome: Outcome) -> Ending {
        Ending { winner: outcome.winner(), reason: outcome.reason().to_owned() }
    }
}

/// Points of both seats, exact: `1`, `1/2`.
#[derive(Serialize, ToSchema)]
pub struct Points {
    /// Seat one's points.
    one: String,
    /// Seat two's points.
    two: String,
}

/// A player of the game.
#[derive(Serialize, ToSchema)]
pub struct Player {
    /// Name of the player.
    name: String,
    /// True if the seat is taken.
    taken: bool,
    /// Name of the bot; null for people.
    bot: Option<String>,
}

/// Players of the game.
#[derive(Serialize, ToSchema)]
pub struct Players {
    /// Player of seat one.
    one: Player,
    /// Player of seat two.
    two: Player,
}

/// Problem document for an action at an earlier ply.
#[derive(Serialize, ToSchema)]
pub struct StaleProblem {
    #[serde(flatten)]
    problem: Problem,
    /// Current ply of the game.
    ply: usize,
    /// Current state of the game.
    game: GameAnswer,
}

/// Type of an event with a whole game.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum GameEventType {
    /// The whole game.
    Game,
}

/// A game as one viewer sees it.
#[derive(Serialize, ToSchema)]
pub struct GameAnswer {
    /// `game` in an event; absent otherwise.
    r#type: Option<GameEventType>,
    /// Id of the game.
    id: String,
    /// Key of the variant.
    variant: String,
    /// Options of the game.
    #[schema(value_type = Object)]
    options: Value,
    /// Seat of the view; null for the spectators' view.
    seat: Option<Seat>,
    /// Number of steps so far, including those of chance.
    ply: usize,
    /// Number of changes that you can see; the event stream counts by it.
    version: i64,
    /// Pending seats and action.
    turn: PendingSeats,
    /// Clocks of both seats, if any: `control`, `remaining_ms`, and `deadline` while the clock runs. The clocks start with
    /// the first action after both seats are taken.
    clocks: Option<BothClocks>,
    /// Open offers.
    offers: GameOffers,
    /// Time from which you can submit `claim victory` or `call draw`, in milliseconds since the Unix epoch. Present only while your
    /// opponent is to act, and is away or has no clock. Event streams omit it.
    claim_at: Option<i64>,
    /// Result; null while the game is running.
    outcome: Option<Ending>,
    /// Points of both seats, as exact fractions.
    score: Points,
    /// Players of both seats.
    players: Players,
    /// Your own action while it is sealed.
    sealed: Option<String>,
    /// Your possible actions, if you are to move: complete texts, and phrases with blanks in braces, such as `bid {0..40}`; see
    /// `/docs/actions#grammar` for the blanks.
    actions: Option<Vec<String>>,
    /// Id of the rematch, once both players have agreed to one.
    rematch: Option<String>,
    /// Your invitation to the rematch, for `POST /api/seats`; null for other viewers.
    rematch_invite: Option<String>,
    /// The variant's view of the game; `diagram` has the same structure in all variants.
    #[schema(value_type = Object)]
    view: Value,
    /// Advice of the endgame tables, if they cover the position and you may see it: spectators may, players only if both agreed to it
    /// when the game began. It does not take sealed bids into account.
    panel: Option<Advice>,
    /// Advice with proved bounds for four pieces, if the server has their tables; null if bids may not be below zero or go to a bank.
    bounds: Option<FourAdvice>,
    /// After the game: the steps at which the winner changed, according to the endgame tables.
    swings: Option<Vec<WinnerChange>>,
}

/// Page of the move list.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Lines {
    /// Only entries before this one, counted from 0; by default the last ones. `view.diagram.earlier` is the value for the previous page.
    before: Option<usize>,
}

/// Returns a game as your seat or a spectator sees it. The move list of a long game has pages of 400 entries, the last page first.
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
    let viewer = onlooker.viewer(&app, &table).await?;
    viewer.into_iter().for_each(|seat| app.streams.see(&id, seat));
    match lines.before {
        None => Ok(json(with_claim(&app, &table, viewer).await?)),
        Some(before) => Ok(json(app.play.text_before(&table, viewer, before).await.into())),
    }
}

/// Submits an action.
#[utoipa::path(
    post,
    path = "/api/games/{id}/actions",
    operation_id = "act_in_game",
    tag = "games",
    params(
        ("id" = String, Path, description = "the game's id"),
        Idempotency,
    ),
    request_body = NewAction,
    responses(
        (status = 200, description = "The game after the action, as your seat sees it", body = GameAnswer),
        (status = 409, description = "The game is at another ply; `game` has its current state", body = StaleProblem, content_type = "application/problem+json"),
        (status = 422, description = "The rules do not allow the action", body = Problem, content_type = "application/problem+json"),
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
    let table = app.play.look(&id).await?;
    let seat = seat_auth::actor(&headers, &table)?;
    let key = idempotency_key(&headers)?;
    let acted = match check_claim(&app, &table, seat, &new.action) {
        Ok(()) => app.play.act(&id, seat, Some(new.ply), &new.action, key.as_ref()).await,
        Err(refused) => Err(refused),
    };
    match acted {
        Ok(acted) => Ok(json(with_claim(&app, &acted.table, Some(seat)).await?)),
        Err(error @ play::Error::Stale { .. }) => {
            let now = app.play.look(&id).await?;
            let game: Value = serde_json::from_str(&app.play.text(&now, Some(seat)).await).map_err(Error::broken)?;
            Err(Error::from(error).field("ply").with("game", game))
        }
        Err(error) => Err(Error::from(error).or_field("action")),
    }
}

/// JSON text of a game, with `claim_at` if the viewer can claim the game against an absent opponent, now or later.
async fn with_claim(app: &App, table: &Arc<GameSnapshot>, viewer: Viewer) -> Result<Arc<str>, Error> {
    let text = app.play.text(table, viewer).await;
    let Some(at) = claim_time(app, table, viewer) else { return Ok(text) };
    let mut game: Value = serde_json::from_str(&text).map_err(Error::broken)?;
    game["claim_at"] = at.into();
    Ok(game.to_string().into())
}

/// Response with a JSON text.
fn json(text: Arc<str>) -> Response {
    private(([(header::CONTENT_TYPE, "application/json")], text.to_string()).into_response())
}

/// State of an analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum AnalysisState {
    /// The game is running, or it is void.
    None,
    /// The analysis is waiting or in progress.
    Waiting,
    /// Too many games are waiting.
    Later,
    /// The analysis is finished.
    Known,
}

/// Analysis of a game.
#[derive(Serialize, ToSchema)]
pub struct ReviewAnswer {
    /// `none` while the game is running or if it is void; `waiting` during the analysis; `later` if too many games are waiting;
    /// otherwise `known`.
    state: AnalysisState,
    /// The analysis, once it is finished.
    review: Option<Review>,
}

/// Returns the engine analysis of a finished game: a chance for every step, and the three biggest mistakes. The first request for an
/// old game starts its analysis. Chances are estimates except where the endgame tables apply.
#[utoipa::path(
    get,
    path = "/api/games/{id}/review",
    operation_id = "review_game",
    tag = "games",
    params(("id" = String, Path, description = "the game's id")),
    responses(
        (status = 200, description = "State of the analysis, and the analysis once it is finished", body = ReviewAnswer),
        openapi::GameErrors,
    )
)]
pub async fn review(State(app): State<Arc<App>>, extract::Path(id): extract::Path<String>) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let (state, review) = match app.play.review(&table).await? {
        ReviewState::Never => (AnalysisState::None, None),
        ReviewState::Waits => (AnalysisState::Waiting, None),
        ReviewState::Later => (AnalysisState::Later, None),
        ReviewState::Known(review) => (AnalysisState::Known, Some((*review).clone())),
    };
    Ok(private(Json(ReviewAnswer { state, review }).into_response()))
}

/// Suggests an action in a game against a bot of this site: the best one of the endgame tables, or the choice of a strong bot. It uses
/// only what your seat can see, and repeated requests return the same hint.
#[utoipa::path(
    get,
    path = "/api/games/{id}/hint",
    operation_id = "hint",
    tag = "games",
    params(("id" = String, Path, description = "the game's id")),
    responses(
        (status = 200, description = "The hint", body = Hint),
        (status = 422, description = "No hint: you are not to move, or the opponent is not a bot of this site", body = Problem, content_type = "application/problem+json"),
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
