//! Presence and chat between the two players of a game, and claims against a player who has left. Chat has preset phrases only, and only
//! the opponent sees them.

use super::{
    App, Error,
    cookies::Seats,
    extract::{Form, Path},
    game_text::time_left,
    presence::{Phrase, Spectators},
    private,
};
use crate::{
    game::{PlayerCommand, record},
    play::{self, GameSnapshot, Opponent},
    rules::{Refusal, Seat, Viewer},
};
use axum::{
    extract::State,
    response::{IntoResponse, Redirect, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// Presence in a game, as one viewer may see it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct PresenceView {
    /// Number of spectators.
    pub(super) spectators: usize,
    /// Whether the opponent is online; `None` for viewers without an opponent.
    pub(super) present: Option<bool>,
    /// Opponent's last phrase and its time in milliseconds since the epoch.
    pub(super) heard: Option<(&'static str, i64)>,
    /// Time from which the viewer can claim the game against the absent opponent, in milliseconds since the epoch.
    pub(super) claim_at: Option<i64>,
}

/// Seat of the opponent, for the holder of one seat in a game between two people.
fn opponent_seat(table: &GameSnapshot, held: &[Seat]) -> Option<Seat> {
    let people = match table.opponent() {
        Opponent::Link | Opponent::Open => table.complete(),
        Opponent::Bot(_) | Opponent::Program(_) | Opponent::Challenge(_) | Opponent::Own => false,
    };
    match held {
        [seat] if people => Some(!*seat),
        _ => None,
    }
}

impl PresenceView {
    /// Presence for the holder of these seats.
    pub(super) fn of(app: &App, table: &GameSnapshot, held: &[Seat]) -> PresenceView {
        let (audience, now) = (app.streams.audience(table.id()), app.play.now());
        let partner = opponent_seat(table, held);
        let heard = partner.and_then(|seat| audience.heard(seat, now));
        PresenceView {
            spectators: audience.spectators,
            present: partner.map(|seat| audience.present(seat)),
            heard: heard.map(|said| (said.phrase.words(), said.at)),
            claim_at: partner.and_then(|seat| {
                let at = claim_at(app, table, seat, audience).ok()?;
                // Days are not counted down.
                (table.game.clocks().controls()[seat.index()].is_some() || at <= now).then_some(at)
            }),
        }
    }

    /// JSON for the page's script at `now`: `{"spectators": 2, "present": false, "heard": "Hello!", "at": 1700000000000, "claim":
    /// 1700000060000, "wait": 43000}`. `wait` is the time in milliseconds until the claim is possible.
    pub(super) fn json(&self, now: i64) -> Value {
        let (words, at) = self.heard.unzip();
        let wait = self.claim_at.map(|at| (at - now).max(0));
        json!({
            "spectators": self.spectators, "present": self.present, "heard": words, "at": at, "claim": self.claim_at, "wait": wait,
        })
    }
}

/// Time from which the opponent of `absent` can claim the game, in milliseconds since the epoch, or the reason why there is no claim.
///
/// The absence of a player with a clock counts from the later of two times: the last sign of life, and the start of the clock. Only a player
/// whom this process has seen leave is absent. Where several processes share the database, the player may be connected to another one.
/// The absence of a player without a clock counts from the last line of the record, in days.
fn claim_at(app: &App, table: &GameSnapshot, absent: Seat, audience: Spectators) -> Result<i64, &'static str> {
    if table.program(absent).is_some() {
        return Err("you can claim a game only against a person who has left");
    }
    if !table.game.awaits().contains(&absent) {
        return Err("you can claim the game only while your opponent is to act");
    }
    let Some(clock) = table.game.clocks().controls()[absent.index()] else {
        let joined = table.seats.iter().filter_map(|seat| seat.claimed);
        let last = joined.chain(table.game.last_line_time()).max().unwrap_or(table.row.created);
        return Ok(last + DAY * i64::from(table.game.absence_days()));
    };
    let Some(absence) = clock.absence() else {
        return Err("with days per move, only the clock decides: wait until it runs out");
    };
    let Some(since) = table.game.clocks().running_since(absent) else {
        return Err("the clocks have not started: abort the game instead");
    };
    if app.play.store().process().is_some() {
        return Err("this server cannot tell whether your opponent has left: wait until the clock runs out");
    }
    if audience.present(absent) {
        return Err("your opponent is connected: wait for an action, or until the clock runs out");
    }
    let Some(left) = audience.away_since(absent) else {
        return Err("this server has not seen your opponent leave: wait until the clock runs out");
    };
    Ok(left.max(since) + absence)
}

/// Time from which a viewer can claim the game against the opponent, in milliseconds since the epoch; `None` if there is no claim.
pub(super) fn claim_time(app: &App, table: &GameSnapshot, viewer: Viewer) -> Option<i64> {
    let absent = opponent_seat(table, viewer.as_slice())?;
    claim_at(app, table, absent, app.streams.audience(table.id())).ok()
}

/// Checks that the opponent of `seat` is away long enough, if `text` claims the game for that reason.
///
/// # Errors
/// `Refused`, with the reason or the time from which the claim is possible.
pub(super) fn check_claim(app: &App, table: &GameSnapshot, seat: Seat, text: &str) -> Result<(), play::Error> {
    app.streams.see(table.id(), seat);
    let claims = match PlayerCommand::read(text.trim()) {
        Some(PlayerCommand::ClaimVictory | PlayerCommand::CallDraw) => true,
        Some(_) | None => false,
    };
    if !claims || table.game.outcome().is_some() {
        return Ok(());
    }
    let now = app.play.now();
    let why = match opponent_seat(table, &[seat]) {
        None => "you can claim a game only against a person who has left".to_owned(),
        Some(absent) => match claim_at(app, table, absent, app.streams.audience(table.id())) {
            Err(why) => why.to_owned(),
            Ok(at) if at > now => format!(
                "your opponent may still come back: you can claim the game from {}, in {}",
                record::instant(at),
                match (at - now + 999) / 1_000 {
                    seconds @ ..=120 => format!("{seconds} s"),
                    _ => time_left(at - now),
                }
            ),
            Ok(_) => return Ok(()),
        },
    };
    Err(Refusal::new(why).into())
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
