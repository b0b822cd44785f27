//! What a browser keeps of its games between two pages: the proofs of its seats and the invitations it may hand on, in cookies.

use super::{App, client::Client, seat};
use crate::{
    play::{LiveGame, Token},
    rules::Seat,
};
use axum::{
    extract::FromRequestParts,
    http::{HeaderMap, HeaderValue, header, request::Parts},
    response::Response,
};
use std::{convert::Infallible, sync::Arc};

/// The seats that whoever asks can prove.
#[derive(Clone, Debug)]
pub struct Seats {
    headers: HeaderMap,
    secure: bool,
}

impl FromRequestParts<Arc<App>> for Seats {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let secure = Client::of(app, &parts.extensions, &parts.headers).secure;
        Ok(Seats { headers: parts.headers.clone(), secure })
    }
}

impl Seats {
    /// The seats at a table that this browser can prove, seat one first.
    pub fn at(&self, table: &LiveGame) -> Vec<(Seat, Token)> {
        let tokens = seat::held(&self.headers, table.id(), self.secure);
        let mut held: Vec<(Seat, Token)> =
            tokens.into_iter().filter_map(|token| table.seat(&token).map(|seat| (seat, token))).collect();
        held.sort_by_key(|(seat, _)| *seat);
        held.dedup_by_key(|(seat, _)| *seat);
        held
    }

    /// The proofs of all seats, those of the newest games first.
    pub fn all(&self) -> Vec<Token> {
        let games = seat::games(&self.headers, self.secure);
        games.into_iter().rev().take(seat::KEPT).flat_map(|(_, tokens)| tokens.into_iter().take(2)).collect()
    }

    /// The invitation code that this browser may hand on.
    pub fn invitation(&self, id: &str) -> Option<String> {
        let name = self.invitation_name(id);
        let found = seat::cookies(&self.headers).find(|(key, _)| *key == name);
        found.map(|(_, code)| code.to_owned()).filter(|code| code.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    }

    fn invitation_name(&self, id: &str) -> String {
        format!("{}invite-{id}", if self.secure { "__Host-" } else { "" })
    }

    /// Lets the browser keep seats of a game beside those it has there, and the code that brings the other side in.
    pub fn keep(&self, mut response: Response, id: &str, tokens: &[Token], invite: Option<&str>) -> Response {
        let had = seat::held(&self.headers, id, self.secure);
        let mut kept: Vec<&Token> = had.iter().filter(|token| !tokens.contains(token)).chain(tokens).collect();
        // There are two seats; what was kept longest goes.
        kept.drain(..kept.len().saturating_sub(2));
        for cookie in seat::keep(&self.headers, id, &kept, self.secure) {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        if let Some(code) = invite {
            self.set_invitation(&mut response, id, code, seat::AGE);
        }
        // An invitation goes with its game.
        let games = seat::games(&self.headers, self.secure);
        let newest: Vec<&str> = games.iter().rev().take(seat::KEPT - 1).map(|(game, _)| game.as_str()).collect();
        let prefix = self.invitation_name("");
        let old = seat::cookies(&self.headers).filter_map(|(name, _)| name.strip_prefix(&prefix));
        for old in old.filter(|old| *old != id && !newest.contains(old)) {
            self.set_invitation(&mut response, old, "", 0);
        }
        response
    }

    /// Lets the browser forget an invitation, which has been used.
    pub fn forget_invitation(&self, mut response: Response, id: &str) -> Response {
        if self.invitation(id).is_some() {
            self.set_invitation(&mut response, id, "", 0);
        }
        response
    }

    fn set_invitation(&self, response: &mut Response, id: &str, code: &str, age: u32) {
        let secure = if self.secure { "; Secure" } else { "" };
        let name = self.invitation_name(id);
        let cookie = format!("{name}={code}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}");
        if let Ok(cookie) = HeaderValue::from_str(&cookie) {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
}
