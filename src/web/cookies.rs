//! Cookies. A browser keeps in them the proofs of its seats, its invitations, saved designs and finished tasks. Names and values are
//! percent-encoded, so that no value can become an attribute.

use super::{App, client_address::Client};
use crate::{
    board::Betza,
    play::{self, GameSnapshot, Owner, Token},
    registry::{self, Variant},
    rules::Seat,
};
use axum::{
    extract::FromRequestParts,
    http::{Extensions, HeaderMap, HeaderValue, header, request::Parts},
    response::Response,
};
use axum_extra::extract::cookie::{Cookie, SameSite};
use std::{convert::Infallible, sync::Arc};
use time::Duration;

/// The time for which a browser keeps a cookie.
const AGE: Duration = Duration::days(365);

/// The number of games whose cookies one browser keeps.
const KEPT: usize = 50;

/// The cookies with the proofs of a game's seats: two where one browser holds both.
const SEAT: &str = "seat";
/// The cookies with the tasks of each variant that were done once.
const LESSON: &str = "lesson";
/// The cookies with the codes that bring the other side in.
const INVITATION: &str = "invite";

/// The cookies with the word that somebody says after every action of a variant.
const THEN: &str = "then";

/// The cookie with the key to which the seats of a browser belong, if its user plays on several devices.
const KEY: (&str, &str) = ("key", "own");

/// The cookie with the designs that somebody has saved.
const DESIGNS: (&str, &str) = ("designs", "saved");
/// The number of designs that one browser keeps.
const DESIGNS_KEPT: usize = 12;

/// The cookies of a request.
#[derive(Clone, Debug)]
pub(super) struct Cookies {
    sent: Vec<(String, String)>,
    secure: bool,
}

impl Cookies {
    /// The cookies among some header fields, of a client that speaks to us over TLS or does not.
    pub(super) fn of(headers: &HeaderMap, secure: bool) -> Cookies {
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let cookies = lines.flat_map(Cookie::split_parse_encoded).filter_map(Result::ok);
        Cookies { sent: cookies.map(|one| (one.name().to_owned(), one.value().to_owned())).collect(), secure }
    }

    /// The prefix ties a cookie to this host, but browsers drop it on plain HTTP.
    fn prefix(&self) -> &'static str {
        if self.secure { "__Host-" } else { "" }
    }

    /// The values of the cookies of a sort, with what their names end in: those that stand longest come first.
    pub(super) fn all(&self, sort: &str) -> impl Iterator<Item = (&str, &str)> {
        let prefix = format!("{}{sort}-", self.prefix());
        self.sent.iter().filter_map(move |(name, value)| Some((name.strip_prefix(&prefix)?, value.as_str())))
    }

    /// The value of one of them.
    pub(super) fn get(&self, sort: &str, id: &str) -> Option<&str> {
        self.all(sort).find(|(other, _)| *other == id).map(|(_, value)| value)
    }

    /// Lets the browser keep a value.
    pub(super) fn set(&self, response: &mut Response, sort: &str, id: &str, value: &str) {
        self.write(response, sort, id, value, AGE);
    }

    /// Takes it away again.
    pub(super) fn remove(&self, response: &mut Response, sort: &str, id: &str) {
        self.write(response, sort, id, "", Duration::ZERO);
    }

    fn write(&self, response: &mut Response, sort: &str, id: &str, value: &str, age: Duration) {
        let cookie = Cookie::build((format!("{}{sort}-{id}", self.prefix()), value))
            .path("/")
            .max_age(age)
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(self.secure)
            .build();
        if let Ok(line) = HeaderValue::from_str(&cookie.encoded().to_string()) {
            response.headers_mut().append(header::SET_COOKIE, line);
        }
    }
}

/// The seats that whoever asks can prove.
#[derive(Clone, Debug)]
pub struct Seats {
    cookies: Cookies,
}

impl FromRequestParts<Arc<App>> for Seats {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        Ok(Seats::of(app, &parts.extensions, &parts.headers))
    }
}

fn tokens(value: &str) -> impl Iterator<Item = Token> {
    value.split('.').filter_map(|token| token.parse().ok())
}

impl Seats {
    /// The seats in the cookies of a request.
    pub(super) fn of(app: &App, extensions: &Extensions, headers: &HeaderMap) -> Seats {
        let secure = Client::of(app, extensions, headers).secure;
        Seats { cookies: Cookies::of(headers, secure) }
    }

    /// The seats at a table that this browser can prove, seat one first, with their own proofs; without one where only its key proves the
    /// seat.
    pub fn at(&self, table: &GameSnapshot) -> Vec<(Seat, Option<Token>)> {
        let tokens = tokens(self.cookies.get(SEAT, table.id()).unwrap_or_default());
        let proved = tokens.filter_map(|token| table.proved(&token).map(|seat| (seat, Some(token))));
        let owned = self.key().and_then(|key| table.seat(&key)).map(|seat| (seat, None));
        let mut held: Vec<(Seat, Option<Token>)> = proved.chain(owned).collect();
        // The proof of a seat comes before the key.
        held.sort_by_key(|(seat, token)| (*seat, token.is_none()));
        held.dedup_by_key(|(seat, _)| *seat);
        held
    }

    /// The key to which the seats of this browser belong.
    pub fn key(&self) -> Option<Token> {
        self.cookies.get(KEY.0, KEY.1)?.parse().ok()
    }

    /// The owner of what this browser begins; none without a key, or if there is no such key any more.
    pub async fn owner(&self, app: &App) -> Result<Option<Owner>, play::Error> {
        match self.key() {
            Some(key) => app.play.owner(&key).await,
            None => Ok(None),
        }
    }

    /// Lets the browser keep a key, or forget it.
    pub fn keep_key(&self, mut response: Response, key: Option<&Token>) -> Response {
        match key {
            Some(key) => self.cookies.set(&mut response, KEY.0, KEY.1, key.as_str()),
            None => self.cookies.remove(&mut response, KEY.0, KEY.1),
        }
        response
    }

    /// The games in which this browser holds seats, with their proofs, the newest first.
    pub fn games(&self) -> Vec<(String, Vec<Token>)> {
        let games: Vec<_> = self.cookies.all(SEAT).collect();
        let held = |(id, value): (&str, &str)| (id.to_owned(), tokens(value).take(2).collect());
        games.into_iter().rev().take(KEPT).map(held).collect()
    }

    /// The tasks of a variant that this browser's user has done before.
    pub fn learned(&self, variant: &str) -> Vec<String> {
        let tasks = self.cookies.get(LESSON, variant).unwrap_or_default().split('.');
        tasks.filter(|task| !task.is_empty()).map(str::to_owned).collect()
    }

    /// Lets the browser keep that its user has done a task of a variant, if that is one of its lessons and has not been done before.
    pub fn learn(&self, mut response: Response, variant: &Variant, task: &str) -> Response {
        let mut learned = self.learned(variant.key);
        let mut lessons = (variant.lessons)().iter().map(|lesson| lesson.task);
        learned.retain(|known| (variant.lessons)().iter().any(|lesson| lesson.task == known));
        if lessons.any(|lesson| lesson == task) && !learned.iter().any(|known| known == task) {
            learned.push(task.to_owned());
            self.cookies.set(&mut response, LESSON, variant.key, &learned.join("."));
        }
        response
    }

    /// The proofs of all seats, those of the newest games first, and the key.
    pub fn all(&self) -> Vec<Token> {
        self.games().into_iter().flat_map(|(_, tokens)| tokens).chain(self.key()).collect()
    }

    /// The invitation code that this browser may hand on.
    pub fn invitation(&self, id: &str) -> Option<String> {
        let code = self.cookies.get(INVITATION, id)?;
        code.bytes().all(|byte| byte.is_ascii_alphanumeric()).then(|| code.to_owned())
    }

    /// The texts of the designs that somebody has saved, the newest first.
    pub fn designs(&self) -> Vec<String> {
        let saved = self.cookies.get(DESIGNS.0, DESIGNS.1).unwrap_or_default().split('.');
        let known = saved.filter_map(|text| text.parse::<Betza>().ok().map(|piece| piece.to_string()));
        known.take(DESIGNS_KEPT).collect()
    }

    /// Lets the browser keep a design as the newest, or forget it. Of too many the oldest goes.
    pub fn keep_design(&self, mut response: Response, piece: &Betza, keep: bool) -> Response {
        let text = piece.to_string();
        let others = self.designs().into_iter().filter(|known| *known != text);
        let saved: Vec<String> = keep.then(|| text.clone()).into_iter().chain(others).take(DESIGNS_KEPT).collect();
        self.cookies.set(&mut response, DESIGNS.0, DESIGNS.1, &saved.join("."));
        response
    }

    /// The word that is said after every action of a variant, without being asked.
    pub fn then(&self, variant: &str) -> Option<String> {
        self.cookies.get(THEN, variant).map(str::to_owned)
    }

    /// Lets the browser keep such a word, or forget it where it is empty. Keeps only a word that is a whole action of the variant.
    pub fn keep_then(&self, mut response: Response, variant: &str, word: &str) -> Response {
        let phrases = registry::find(variant).map_or(&[][..], |variant| (variant.phrases)());
        let is_action = |word: &str| !word.contains('{') && phrases.iter().any(|phrase| phrase.text == word);
        match (word, self.then(variant)) {
            ("", None) => {}
            ("", Some(_)) => self.cookies.remove(&mut response, THEN, variant),
            (word, Some(known)) if known == word => {}
            (word, _) if !is_action(word) => {}
            (word, _) => self.cookies.set(&mut response, THEN, variant, word),
        }
        response
    }

    /// Lets the browser keep another proof of a seat in the place of an old one.
    pub fn exchange(&self, mut response: Response, id: &str, old: &Token, new: &Token) -> Response {
        let held = tokens(self.cookies.get(SEAT, id).unwrap_or_default());
        let held: Vec<Token> = held.map(|token| if token == *old { new.clone() } else { token }).collect();
        let text: Vec<&str> = held.iter().map(Token::as_str).collect();
        self.cookies.set(&mut response, SEAT, id, &text.join("."));
        response
    }

    /// Lets the browser keep seats of a game beside those it has there, and the code that brings the other side in. Of too many
    /// games the oldest go, those that stand first among its cookies, and their invitations with them.
    pub fn keep(&self, mut response: Response, id: &str, new: &[Token], invite: Option<&str>) -> Response {
        let had: Vec<Token> = self.cookies.get(SEAT, id).map_or(Vec::new(), |value| tokens(value).collect());
        let mut kept: Vec<&str> =
            had.iter().filter(|token| !new.contains(token)).chain(new).map(Token::as_str).collect();
        // There are two seats; what was kept longest goes.
        kept.drain(..kept.len().saturating_sub(2));
        self.cookies.set(&mut response, SEAT, id, &kept.join("."));
        if let Some(code) = invite {
            self.cookies.set(&mut response, INVITATION, id, code);
        }
        let others: Vec<&str> = self.cookies.all(SEAT).map(|(other, _)| other).filter(|other| *other != id).collect();
        let (old, newest) = others.split_at((others.len() + 1).saturating_sub(KEPT));
        for old in old {
            self.cookies.remove(&mut response, SEAT, old);
        }
        let invitations = self.cookies.all(INVITATION).map(|(other, _)| other);
        for old in invitations.filter(|other| *other != id && !newest.contains(other)) {
            self.cookies.remove(&mut response, INVITATION, old);
        }
        response
    }

    /// Lets the browser forget an invitation, which has been used.
    pub fn forget_invitation(&self, mut response: Response, id: &str) -> Response {
        if self.invitation(id).is_some() {
            self.cookies.remove(&mut response, INVITATION, id);
        }
        response
    }
}
