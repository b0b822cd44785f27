//! Who looks and who acts: a seat's proof, from the Authorization header or from the game's cookie.

use axum::http::{HeaderMap, HeaderValue, header};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{Error, Kind};
use crate::{
    play::{LiveGame, Token},
    rules::{Seat, Viewer},
};

/// How many games' cookies one browser keeps.
pub(super) const KEPT: usize = 50;
/// How long a browser keeps a seat, in seconds: a year.
pub(super) const AGE: u32 = 31_536_000;

/// The name of a game's cookie. Browsers drop the prefix `__Host-` on plain HTTP.
fn cookie(id: &str, secure: bool) -> String {
    format!("{}seat-{id}", if secure { "__Host-" } else { "" })
}

/// All cookies of a request, names and values.
pub(super) fn cookies(headers: &HeaderMap) -> impl Iterator<Item = (&str, &str)> {
    let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='))
}

/// The proofs that a request carries in a game's cookie: two where one browser holds both seats.
pub fn held(headers: &HeaderMap, id: &str, secure: bool) -> Vec<Token> {
    let name = cookie(id, secure);
    let value = cookies(headers).find(|(key, _)| *key == name).map_or("", |(_, value)| value);
    value.split('.').filter_map(|token| token.parse().ok()).collect()
}

/// The games whose cookies a request carries, with their proofs.
pub fn games(headers: &HeaderMap, secure: bool) -> Vec<(String, Vec<Token>)> {
    let prefix = cookie("", secure);
    cookies(headers)
        .filter_map(|(name, value)| Some((name.strip_prefix(&prefix)?.to_owned(), value)))
        .map(|(id, value)| (id, value.split('.').filter_map(|token| token.parse().ok()).collect()))
        .collect()
}

/// The header values that give a browser its seats of a game, and take away the games that are too many: those that stand first
/// among its cookies, which are the oldest.
pub fn keep(headers: &HeaderMap, id: &str, tokens: &[&Token], secure: bool) -> Vec<HeaderValue> {
    let value: Vec<&str> = tokens.iter().map(|token| token.as_str()).collect();
    let attributes = if secure { "; Secure" } else { "" };
    let mut lines = vec![format!(
        "{}={}; Path=/; Max-Age={AGE}; HttpOnly; SameSite=Lax{attributes}",
        cookie(id, secure),
        value.join(".")
    )];
    let others: Vec<String> =
        games(headers, secure).into_iter().map(|(other, _)| other).filter(|other| other != id).collect();
    for old in others.iter().take((others.len() + 1).saturating_sub(KEPT)) {
        lines.push(format!("{}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax{attributes}", cookie(old, secure)));
    }
    lines.iter().filter_map(|line| HeaderValue::from_str(line).ok()).collect()
}

/// The seats of a game that a request's cookie proves.
pub fn seats(headers: &HeaderMap, table: &LiveGame, secure: bool) -> Vec<Seat> {
    let mut seats: Vec<Seat> = held(headers, table.id(), secure).iter().filter_map(|token| table.seat(token)).collect();
    seats.sort_unstable();
    seats.dedup();
    seats
}

/// The proof in the Authorization header, if there is one.
fn bearer(headers: &HeaderMap) -> Result<Option<Token>, Error> {
    let Some(value) = headers.get(header::AUTHORIZATION) else { return Ok(None) };
    let wrong =
        || Error::new(Kind::Unproved, "The Authorization header must be “Bearer TOKEN”, with the token of a seat.");
    let (scheme, token) = value.to_str().ok().and_then(|value| value.split_once(' ')).ok_or_else(wrong)?;
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(wrong());
    }
    token.trim().parse().map(Some).map_err(|_| wrong())
}

/// Who acts through the API: only a token in the header counts.
pub fn actor(headers: &HeaderMap, table: &LiveGame) -> Result<Seat, Error> {
    let token = bearer(headers)?.ok_or_else(|| {
        Error::new(Kind::Unproved, "Only a player can do this: send the seat's token as Authorization: Bearer TOKEN.")
    })?;
    table.seat(&token).ok_or_else(|| Error::new(Kind::Unproved, "This token proves no seat of this game."))
}

/// With which eyes to look where one browser holds both seats; without it those of the seat that is asked.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct Eyes {
    /// `one` or `two`.
    seat: Option<Seat>,
}

/// Who looks through the API: the header's token, else the cookie, else nobody in particular.
pub fn viewer(headers: &HeaderMap, table: &LiveGame, secure: bool, eyes: Eyes) -> Result<Viewer, Error> {
    match bearer(headers)? {
        Some(token) => match table.seat(&token) {
            Some(seat) => Ok(Some(seat)),
            None => Err(Error::new(Kind::Unproved, "This token proves no seat of this game.")),
        },
        None => {
            let seats = seats(headers, table, secure);
            let mut wished = eyes.seat.into_iter().chain(table.game.awaits());
            Ok(wished.find(|seat| seats.contains(seat)).or(seats.first().copied()))
        }
    }
}
