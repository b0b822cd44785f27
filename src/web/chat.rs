//! Presence and chat between the two players of a game. Chat has preset phrases only, and only the opponent sees them.

use super::{
    App, Error,
    cookies::Seats,
    extract::{Form, Path},
    presence::{Phrase, Spectators},
    private,
};
use crate::{
    play::{GameSnapshot, Opponent},
    rules::Seat,
};
use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// Presence in a game, as one viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct PresenceView {
    /// Number of spectators.
    pub(super) spectators: usize,
    /// Whether the opponent is online; `None` for viewers without an opponent.
    pub(super) present: Option<bool>,
    /// Opponent's last phrase and its time in milliseconds since the epoch.
    pub(super) heard: Option<(&'static str, i64)>,
}

/// Seat of the opponent, for the holder of one seat in a game between two people.
fn opponent_seat(table: &GameSnapshot, held: &[Seat]) -> Option<Seat> {
    let people = match table.opponent() {
        Opponent::Link | Opponent::Open => table.complete(),
        Opponent::Bot(_) | Opponent::Program(_) | Opponent::Own => false,
    };
    match held {
        [seat] if people => Some(!*seat),
        _ => None,
    }
}

impl PresenceView {
    /// Presence for the holder of these seats at `now`.
    pub(super) fn of(table: &GameSnapshot, held: &[Seat], audience: Spectators, now: i64) -> PresenceView {
        let partner = opponent_seat(table, held);
        let heard = partner.and_then(|seat| audience.heard(seat, now));
        PresenceView {
            spectators: audience.spectators,
            present: partner.map(|seat| audience.present(seat)),
            heard: heard.map(|said| (said.phrase.words(), said.at)),
        }
    }

    /// JSON for the page's script: `{"spectators": 2, "present": true, "heard": "Hello!", "at": 1700000000000}`.
    pub(super) fn json(&self) -> Value {
        let (words, at) = self.heard.unzip();
        json!({"spectators": self.spectators, "present": self.present, "heard": words, "at": at})
    }
}

/// Chat form.
#[derive(Deserialize)]
pub struct ChatMessage {
    phrase: Phrase,
}

/// `POST /games/{id}/say`: sends a phrase to the opponent.
pub async fn say(
    State(app): State<Arc<App>>,
    seats: Seats,
    Path(id): Path<String>,
    Form(words): Form<ChatMessage>,
) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let held: Vec<Seat> = seats.at(&table).into_iter().map(|(seat, _)| seat).collect();
    let Some(partner) = opponent_seat(&table, &held) else {
        return Err(Error::refused("Only the two players of a game can chat with each other."));
    };
    app.streams.say(&id, !partner, words.phrase, app.play.now())?;
    Ok(private(Redirect::to(&format!("/games/{id}")).into_response()))
}
