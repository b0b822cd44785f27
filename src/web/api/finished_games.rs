//! Finished games of a key, with filters.

use super::lobby::Filter;
use crate::{
    play::{FinishedFilter, FinishedGame, OwnResult},
    rules::Seat,
    store::EndCursor,
    web::{
        App, Error, PublicOrigin,
        extract::Query,
        openapi::{self, Problem},
        private,
        seat_auth::owner,
    },
};
use axum::{
    Json,
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use utoipa::{IntoParams, ToSchema};

/// Number of games per page.
const SHOWN: usize = 50;

/// Filters of the list, and the position in it.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct FinishedQuery {
    /// Only games of this variant, a key in `/api/variants`.
    variant: Option<String>,
    /// Only games against the opponent of this name, in any case.
    opponent: Option<String>,
    /// Only games that ended so for the key's seat.
    result: Option<OwnResult>,
    /// Only games that ended at this time or later, in milliseconds since the epoch.
    since: Option<i64>,
    /// Only games that ended before this time, in milliseconds since the epoch.
    until: Option<i64>,
    /// Position after which the list starts: `next` of the previous page.
    after: Option<String>,
}

/// A finished game of the key.
#[derive(Serialize, ToSchema)]
pub struct FinishedGameSummary {
    /// Id of the game.
    id: String,
    /// Address of the game page.
    url: String,
    /// Address of the game's record.
    record: String,
    /// Key of the variant.
    variant: String,
    /// The seat that the key holds.
    seat: Seat,
    /// Name of the opponent.
    opponent: String,
    /// Number of steps.
    ply: i64,
    /// Time of its creation in milliseconds since the epoch.
    created: i64,
    /// Time of its end in milliseconds since the epoch.
    finished: i64,
    /// How it ended for the key's seat.
    result: OwnResult,
    /// Reason for the result, such as `checkmate`.
    reason: String,
}

/// A page of the key's finished games.
#[derive(Serialize, ToSchema)]
pub struct FinishedGames {
    /// Games, last end first.
    games: Vec<FinishedGameSummary>,
    /// Position of the next page, for `after`; null on the last page. With filters, a page can be short or empty although another one
    /// follows.
    next: Option<String>,
}

impl FinishedGameSummary {
    fn of(base: &PublicOrigin, game: FinishedGame) -> FinishedGameSummary {
        FinishedGameSummary {
            url: base.url(&format!("/games/{}", game.row.id)),
            record: base.url(&format!("/api/games/{}/record.json", game.row.id)),
            id: game.row.id,
            variant: game.row.variant,
            seat: game.seat,
            opponent: game.opponent,
            ply: game.row.ply,
            created: game.row.created,
            finished: game.row.finished.unwrap_or_default(),
            result: game.result,
            reason: game.reason,
        }
    }
}

fn cursor(text: &str) -> Result<EndCursor, Error> {
    let mut parts = text.splitn(3, '-');
    let mut time = || parts.next().and_then(|part| part.parse().ok());
    let read = time().zip(time());
    let read =
        read.zip(parts.next()).map(|((finished, created), id)| EndCursor { finished, created, id: id.to_owned() });
    read.ok_or_else(|| {
        Error::malformed("Unknown position in the list. Start again from the first page.").field("after")
    })
}

/// Lists the finished games of your key, the last one first.
#[utoipa::path(
    get,
    path = "/api/keys/games",
    operation_id = "list_finished_games",
    tag = "keys",
    params(FinishedQuery),
    responses(
        (status = 200, description = "Up to fifty games", body = FinishedGames),
        (status = 400, description = "Unknown parameter or position in the list", body = Problem, content_type = "application/problem+json"),
        (status = 422, description = "Unknown variant", body = Problem, content_type = "application/problem+json"),
        openapi::KeyErrors,
    ),
    security(("key" = []))
)]
pub async fn finished(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    headers: HeaderMap,
    Query(query): Query<FinishedQuery>,
) -> Result<Response, Error> {
    let owner = owner(&app, &headers).await?;
    let filter = FinishedFilter {
        variant: Filter::by(query.variant).variant()?,
        opponent: query.opponent,
        result: query.result,
        since: query.since,
        until: query.until,
    };
    let after = query.after.as_deref().map(cursor).transpose()?;
    let page = app.play.finished_games(&owner, &filter, after, SHOWN).await?;
    let next = page.next.map(|last| format!("{}-{}-{}", last.finished, last.created, last.id));
    let games = page.games.into_iter().map(|game| FinishedGameSummary::of(&base, game)).collect();
    Ok(private(Json(FinishedGames { games, next }).into_response()))
}
