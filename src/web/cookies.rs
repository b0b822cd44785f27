//! Cookies, which hold a browser's seat tokens, invitations, key, name, saved designs and finished lessons. Names and values are percent-encoded,
//! so that no value can add a cookie attribute.

use super::{
    App,
    client_address::Client,
    silhouette::{self, ChosenIcons},
};
use crate::{
    board::Betza,
    play::{self, GameSnapshot, Name, Owner, Token},
    registry::Variant,
    rules::Seat,
    store::{Digest, GameRow, HeldSeat},
};
use axum::{
    extract::FromRequestParts,
    http::{Extensions, HeaderMap, HeaderValue, header, request::Parts},
    response::Response,
};
use axum_extra::extract::cookie::{Cookie, SameSite};
use std::{convert::Infallible, sync::Arc};
use time::Duration;

/// Lifetime of a cookie.
const AGE: Duration = Duration::days(365);

/// Maximum number of games with cookies in one browser.
const KEPT: usize = 50;

/// Cookies with the seat tokens of a game. One browser can hold both seats.
const SEAT: &str = "seat";
/// Cookies with the finished lessons of each variant.
const LESSON: &str = "lesson";
/// Cookies with the seat tokens that a browser has lost to newer games, until a page shows them.
const DROPPED: &str = "dropped";
/// Cookies with the codes that invite the opponent.
const INVITATION: &str = "invite";

/// Cookie with the key that owns the browser's seats, for play on several devices.
const KEY: (&str, &str) = ("key", "own");

/// Cookie with the id of the open game for which the browser seeks an opponent.
const SEEK: (&str, &str) = ("seek", "game");

/// Cookie with the variant and the time control of the last search for an opponent.
const WANTED: (&str, &str) = ("wanted", "last");

/// Cookie with the opponent, time control and seat of the last new game.
const CHOSEN: (&str, &str) = ("chosen", "last");

/// Cookie with the name under which the browser's player joins games.
const NAME: (&str, &str) = ("name", "own");

/// Cookie with the saved piece designs.
const DESIGNS: (&str, &str) = ("designs", "saved");
/// Maximum number of saved designs.
const DESIGNS_KEPT: usize = 12;

/// Cookie with the silhouettes chosen for pieces, such as `WFfhN=owl.FD=ship`.
const ICONS: (&str, &str) = ("icons", "chosen");
/// Maximum number of chosen silhouettes.
const ICONS_KEPT: usize = 24;

/// Parsed cookies of a request.
#[derive(Clone, Debug)]
pub(super) struct Cookies {
    sent: Vec<(String, String)>,
    secure: bool,
}

impl Cookies {
    /// Parses the Cookie headers. `secure` is set if the client uses TLS.
    pub(super) fn of(headers: &HeaderMap, secure: bool) -> Cookies {
        let lines = headers.get_all(header::COOKIE).iter().filter_map(|line| line.to_str().ok());
        let cookies = lines.flat_map(Cookie::split_parse_encoded).filter_map(Result::ok);
        Cookies { sent: cookies.map(|one| (one.name().to_owned(), one.value().to_owned())).collect(), secure }
    }

    /// Prefix of cookie names. `__Host-` binds a cookie to this host, but browsers reject it over plain HTTP.
    fn prefix(&self) -> &'static str {
        if self.secure { "__Host-" } else { "" }
    }

    /// Ids and values of the cookies of one kind, oldest first.
    pub(super) fn all(&self, sort: &str) -> impl Iterator<Item = (&str, &str)> {
        let prefix = format!("{}{sort}-", self.prefix());
        self.sent.iter().filter_map(move |(name, value)| Some((name.strip_prefix(&prefix)?, value.as_str())))
    }

    pub(super) fn get(&self, sort: &str, id: &str) -> Option<&str> {
        self.all(sort).find(|(other, _)| *other == id).map(|(_, value)| value)
    }

    pub(super) fn set(&self, response: &mut Response, sort: &str, id: &str, value: &str) {
        self.write(response, sort, id, value, AGE);
    }

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

impl FromRequestParts<Arc<App>> for Cookies {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let secure = Client::of(app, &parts.extensions, &parts.headers).secure;
        Ok(Cookies::of(&parts.headers, secure))
    }
}

/// The seats and other data in a browser's cookies.
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

/// Importance of a game for its player, with the time in milliseconds since the epoch by which older games are dropped first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Importance {
    /// The game ended at this time.
    Finished(i64),
    /// The game was created at this time, and waits for its first step.
    NotBegun(i64),
    /// The game was created at this time, and is in progress.
    Running(i64),
}

impl Importance {
    fn of(game: &GameRow) -> Importance {
        match game.finished {
            Some(end) => Importance::Finished(end),
            None if game.ply == 0 => Importance::NotBegun(game.created),
            None => Importance::Running(game.created),
        }
    }
}

fn tokens(value: &str) -> impl Iterator<Item = Token> {
    value.split('.').filter_map(|token| token.parse().ok())
}

impl Seats {
    /// Reads the cookies of a request.
    pub(super) fn of(app: &App, extensions: &Extensions, headers: &HeaderMap) -> Seats {
        let secure = Client::of(app, extensions, headers).secure;
        Seats { cookies: Cookies::of(headers, secure) }
    }

    /// All cookies of the request.
    pub(super) fn cookies(&self) -> &Cookies {
        &self.cookies
    }

    /// Seats of a game that this browser holds, in order, with their seat tokens. The token is `None` if only the browser's key owns the seat.
    pub fn at(&self, table: &GameSnapshot) -> Vec<(Seat, Option<Token>)> {
        let tokens = tokens(self.cookies.get(SEAT, table.id()).unwrap_or_default());
        let proved = tokens.filter_map(|token| table.seat_of_token(&token).map(|seat| (seat, Some(token))));
        let owned = self.key().and_then(|key| table.seat(&key)).map(|seat| (seat, None));
        let mut held: Vec<(Seat, Option<Token>)> = proved.chain(owned).collect();
        // A seat token takes precedence over the key.
        held.sort_by_key(|(seat, token)| (*seat, token.is_none()));
        held.dedup_by_key(|(seat, _)| *seat);
        held
    }

    /// Key that owns the browser's seats.
    pub fn key(&self) -> Option<Token> {
        self.cookies.get(KEY.0, KEY.1)?.parse().ok()
    }

    /// Owner of the games that this browser starts. `None` if it has no key, or if the key no longer exists.
    pub async fn owner(&self, app: &App) -> Result<Option<Owner>, play::Error> {
        match self.key() {
            Some(key) => app.play.owner(&key).await,
            None => Ok(None),
        }
    }

    /// Sets the key cookie, or removes it.
    pub fn keep_key(&self, mut response: Response, key: Option<&Token>) -> Response {
        match key {
            Some(key) => self.cookies.set(&mut response, KEY.0, KEY.1, key.as_str()),
            None => self.cookies.remove(&mut response, KEY.0, KEY.1),
        }
        response
    }

    /// Games in which this browser holds seats, newest first, with their seat tokens.
    pub fn games(&self) -> Vec<(String, Vec<Token>)> {
        let games: Vec<_> = self.cookies.all(SEAT).collect();
        let held = |(id, value): (&str, &str)| (id.to_owned(), tokens(value).take(2).collect());
        games.into_iter().rev().take(KEPT).map(held).collect()
    }

    /// Newest seats of this browser, by its tokens and its key, at most `limit`.
    pub async fn newest(&self, app: &App, limit: u32) -> Result<Vec<HeldSeat>, play::Error> {
        let tokens: Vec<_> = self.games().iter().flat_map(|(_, tokens)| tokens).map(Token::digest).collect();
        let key = self.key().map(|key| key.digest());
        Ok(app.play.store().seats_held(&tokens, key.as_ref(), limit).await?)
    }

    /// Finished lessons of a variant.
    pub fn learned(&self, variant: &str) -> Vec<String> {
        let tasks = self.cookies.get(LESSON, variant).unwrap_or_default().split('.');
        tasks.filter(|task| !task.is_empty()).map(str::to_owned).collect()
    }

    /// Records a finished lesson, unless the variant has no such lesson or it is recorded already.
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

    /// All seat tokens, newest games first, and then the key.
    pub fn all(&self) -> Vec<Token> {
        self.games().into_iter().flat_map(|(_, tokens)| tokens).chain(self.key()).collect()
    }

    /// Id of the game for which the browser seeks an opponent.
    pub fn seek(&self) -> Option<String> {
        self.cookies.get(SEEK.0, SEEK.1).map(str::to_owned)
    }

    /// Stores the browser's seek.
    pub fn keep_seek(&self, mut response: Response, id: &str) -> Response {
        self.cookies.set(&mut response, SEEK.0, SEEK.1, id);
        response
    }

    /// Removes the browser's seek, if it has one.
    pub fn forget_seek(&self, mut response: Response) -> Response {
        if self.seek().is_some() {
            self.cookies.remove(&mut response, SEEK.0, SEEK.1);
        }
        response
    }

    /// Variant and time control of the last search, by their names in forms.
    pub fn wanted(&self) -> Option<(&str, &str)> {
        self.cookies.get(WANTED.0, WANTED.1)?.split_once('.')
    }

    /// Stores the variant and the time control of a search.
    pub fn keep_wanted(&self, mut response: Response, variant: &str, clock: &str) -> Response {
        if self.wanted() != Some((variant, clock)) {
            self.cookies.set(&mut response, WANTED.0, WANTED.1, &format!("{variant}.{clock}"));
        }
        response
    }

    /// Opponent, time control and seat of the last new game, by their values in forms.
    pub fn chosen(&self) -> Option<[&str; 3]> {
        let mut values = self.cookies.get(CHOSEN.0, CHOSEN.1)?.split('.');
        Some([values.next()?, values.next()?, values.next()?])
    }

    /// Stores the opponent, time control and seat of a new game.
    pub fn keep_chosen(&self, mut response: Response, chosen: [&str; 3]) -> Response {
        if self.chosen() != Some(chosen) {
            self.cookies.set(&mut response, CHOSEN.0, CHOSEN.1, &chosen.join("."));
        }
        response
    }

    /// Name under which this browser's player last joined a game.
    pub fn name(&self) -> Option<Name> {
        self.cookies.get(NAME.0, NAME.1)?.parse().ok()
    }

    /// Stores the player's name for the next game, or removes it.
    pub fn keep_name(&self, mut response: Response, name: Option<&Name>) -> Response {
        match name {
            Some(name) if self.name().as_ref() != Some(name) => {
                self.cookies.set(&mut response, NAME.0, NAME.1, name.as_str());
            }
            None if self.name().is_some() => self.cookies.remove(&mut response, NAME.0, NAME.1),
            Some(_) | None => {}
        }
        response
    }

    /// Invitation code of a game that this browser can share.
    pub fn invitation(&self, id: &str) -> Option<String> {
        let code = self.cookies.get(INVITATION, id)?;
        code.bytes().all(|byte| byte.is_ascii_alphanumeric()).then(|| code.to_owned())
    }

    /// Saved designs in canonical Betza notation, newest first.
    pub fn designs(&self) -> Vec<String> {
        let saved = self.cookies.get(DESIGNS.0, DESIGNS.1).unwrap_or_default().split('.');
        let known = saved.filter_map(|text| text.parse::<Betza>().ok().map(|piece| piece.to_string()));
        known.take(DESIGNS_KEPT).collect()
    }

    /// Saves a design as the newest, or removes it. Drops the oldest beyond the limit.
    pub fn keep_design(&self, mut response: Response, piece: &Betza, keep: bool) -> Response {
        let text = piece.to_string();
        let others = self.designs().into_iter().filter(|known| *known != text);
        let saved: Vec<String> = keep.then(|| text.clone()).into_iter().chain(others).take(DESIGNS_KEPT).collect();
        self.cookies.set(&mut response, DESIGNS.0, DESIGNS.1, &saved.join("."));
        response
    }

    /// Silhouettes chosen for pieces, newest first.
    pub fn icons(&self) -> ChosenIcons {
        let chosen = self.cookies.get(ICONS.0, ICONS.1).unwrap_or_default().split('.');
        let known = chosen.filter_map(|entry| {
            let (betza, name) = entry.split_once('=')?;
            let key = betza.parse().map_or_else(|_| betza.to_owned(), |piece| silhouette::key(&piece));
            Some((key, silhouette::known(name)?))
        });
        known.take(ICONS_KEPT).collect()
    }

    /// Stores the silhouette chosen for a piece as the newest. Drops the oldest beyond the limit. The notation has neither `.` nor `=`.
    pub fn keep_icon(&self, mut response: Response, betza: &str, name: &str) -> Response {
        let betza = betza.parse().map_or_else(|_| betza.to_owned(), |piece| silhouette::key(&piece));
        let others = self.icons().into_iter().filter(|(known, _)| *known != betza);
        let others = others.map(|(known, name)| format!("{known}={name}"));
        let chosen: Vec<String> = std::iter::once(format!("{betza}={name}")).chain(others).take(ICONS_KEPT).collect();
        self.cookies.set(&mut response, ICONS.0, ICONS.1, &chosen.join("."));
        response
    }

    /// Replaces a seat token in the cookie of a game.
    pub fn exchange(&self, mut response: Response, id: &str, old: &Token, new: &Token) -> Response {
        let held = tokens(self.cookies.get(SEAT, id).unwrap_or_default());
        let held: Vec<Token> = held.map(|token| if token == *old { new.clone() } else { token }).collect();
        let text: Vec<&str> = held.iter().map(Token::as_str).collect();
        self.cookies.set(&mut response, SEAT, id, &text.join("."));
        response
    }

    /// Adds seat tokens and an invitation code to the cookies of a game. Beyond the limit of games, the least important ones move to the
    /// cookies that the next game page shows, without their invitations.
    pub async fn keep(
        &self,
        app: &App,
        mut response: Response,
        id: &str,
        new: &[Token],
        invite: Option<&str>,
    ) -> Response {
        let had: Vec<Token> = self.cookies.get(SEAT, id).map_or(Vec::new(), |value| tokens(value).collect());
        let mut kept: Vec<&str> =
            had.iter().filter(|token| !new.contains(token)).chain(new).map(Token::as_str).collect();
        // A game has two seats, so the oldest tokens beyond two are dropped.
        kept.drain(..kept.len().saturating_sub(2));
        self.cookies.set(&mut response, SEAT, id, &kept.join("."));
        if let Some(code) = invite {
            self.cookies.set(&mut response, INVITATION, id, code);
        }
        let mut others = self.by_importance(app, id).await;
        let rest = others.split_off((others.len() + 1).saturating_sub(KEPT));
        for (old, known) in others {
            self.cookies.remove(&mut response, SEAT, old);
            if let Some(value) = self.cookies.get(SEAT, old).filter(|_| known.is_some()) {
                self.cookies.set(&mut response, DROPPED, old, value);
            }
        }
        let games = self.cookies.all(INVITATION).map(|(other, _)| other);
        for old in games.filter(|other| *other != id && !rest.iter().any(|(kept, _)| kept == other)) {
            self.cookies.remove(&mut response, INVITATION, old);
        }
        response
    }

    /// Games with cookies except `id`, least important first, and oldest first among equals. The importance is `None` if the browser
    /// has no valid token.
    async fn by_importance(&self, app: &App, id: &str) -> Vec<(&str, Option<Importance>)> {
        let games = self.cookies.all(SEAT).filter(|(other, _)| *other != id);
        let games: Vec<(&str, Vec<Digest>)> =
            games.map(|(other, value)| (other, tokens(value).take(2).map(|token| token.digest()).collect())).collect();
        if games.len() < KEPT {
            return games.into_iter().map(|(other, _)| (other, None)).collect();
        }
        let digests: Vec<Digest> = games.iter().flat_map(|(_, digests)| digests).cloned().collect();
        let held = match app.play.store().seats_held(&digests, None, digests.len() as u32).await {
            Ok(held) => held,
            Err(error) => {
                tracing::warn!(%error, "reading the games of a browser failed; it keeps the newest ones");
                Vec::new()
            }
        };
        let of = |id: &str| held.iter().find(|seat| seat.game.id == id).map(|seat| Importance::of(&seat.game));
        let mut games: Vec<_> = games.into_iter().map(|(other, _)| (other, of(other))).collect();
        games.sort_by_key(|(_, importance)| *importance);
        games
    }

    /// Games whose seats this browser has lost since its last game page: their ids, and the paths of the private links to their seats.
    pub fn dropped(&self) -> Vec<(String, String)> {
        let plain = |id: &str| id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        let games = self.cookies.all(DROPPED).filter(|(id, _)| plain(id));
        games
            .map(|(id, value)| {
                let tokens: Vec<Token> = tokens(value).take(2).collect();
                let texts: Vec<&str> = tokens.iter().map(Token::as_str).collect();
                (id.to_owned(), format!("/seat/{}", texts.join(".")))
            })
            .collect()
    }

    /// Removes the cookies of lost seats after a page has shown them.
    pub fn forget_dropped(&self, mut response: Response) -> Response {
        for (id, _) in self.cookies.all(DROPPED) {
            self.cookies.remove(&mut response, DROPPED, id);
        }
        response
    }

    /// Removes the invitation of a game after its use.
    pub fn forget_invitation(&self, mut response: Response, id: &str) -> Response {
        if self.invitation(id).is_some() {
            self.cookies.remove(&mut response, INVITATION, id);
        }
        response
    }
}
