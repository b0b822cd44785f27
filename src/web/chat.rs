//! The two players of a game to each other: whether the other one is there, and a few ready-made phrases. Nobody else hears them.

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

/// The audience of a game as somebody who looks at it is told.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct PresenceView {
    /// The number of spectators.
    pub(super) spectators: usize,
    /// Set if the other player is there; nothing where there is no other player to be told of.
    pub(super) present: Option<bool>,
    /// The last words of the other player, with when they were said.
    pub(super) heard: Option<(&'static str, i64)>,
}

/// The seat of the other player, for whoever holds one seat of a game between two people.
fn partner(table: &GameSnapshot, held: &[Seat]) -> Option<Seat> {
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
    /// What the holder of these seats is told at `now`.
    pub(super) fn of(table: &GameSnapshot, held: &[Seat], audience: Spectators, now: i64) -> PresenceView {
        let partner = partner(table, held);
        let heard = partner.and_then(|seat| audience.heard(seat, now));
        PresenceView {
            spectators: audience.spectators,
            present: partner.map(|seat| audience.present(seat)),
            heard: heard.map(|said| (said.phrase.words(), said.at)),
        }
    }

    /// The same for a script: `{"spectators": 2, "present": true, "heard": "Hello!", "at": 1700000000000}`.
    pub(super) fn json(&self) -> Value {
        let (words, at) = self.heard.unzip();
        json!({"spectators": self.spectators, "present": self.present, "heard": words, "at": at})
    }
}

/// What a player says.
#[derive(Deserialize)]
pub struct ChatMessage {
    phrase: Phrase,
}

/// `POST /games/{id}/say`: a player says a phrase to the other one.
pub async fn say(
    State(app): State<Arc<App>>,
    seats: Seats,
    Path(id): Path<String>,
    Form(words): Form<ChatMessage>,
) -> Result<Response, Error> {
    let table = app.play.look(&id).await?;
    let held: Vec<Seat> = seats.at(&table).into_iter().map(|(seat, _)| seat).collect();
    let Some(partner) = partner(&table, &held) else {
        return Err(Error::refused("Only the two players of a game can say something, each to the other."));
    };
    app.streams.say(&id, !partner, words.phrase, app.play.now())?;
    Ok(private(Redirect::to(&format!("/games/{id}")).into_response()))
}
