//! The days in a row on which somebody solved the daily puzzle. They are a cookie and nothing else.

use super::path;
use crate::{
    puzzles::PuzzleKind,
    web::{App, client::Client, cookies::Cookies},
};
use axum::{extract::FromRequestParts, http::request::Parts, response::Response};
use std::{convert::Infallible, sync::Arc};

/// The cookie: the last day and the days in a row, as `20780.5`.
const DAYS: (&str, &str) = ("puzzle", "days");

/// The days in a row of a browser.
#[derive(Debug)]
pub struct Days {
    cookies: Cookies,
    last: u32,
    row: u32,
}

impl FromRequestParts<Arc<App>> for Days {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        let secure = Client::of(app, &parts.extensions, &parts.headers).secure;
        let cookies = Cookies::of(&parts.headers, secure);
        let kept = cookies.get(DAYS.0, DAYS.1).and_then(|text| text.split_once('.'));
        let kept = kept.and_then(|(last, row)| Some((last.parse().ok()?, row.parse().ok()?)));
        let (last, row) = kept.unwrap_or_default();
        Ok(Days { cookies, last, row })
    }
}

/// The puzzle of today, for one browser.
pub(in crate::web) struct Daily {
    /// Its kind.
    pub(in crate::web) kind: PuzzleKind,
    /// Its page.
    pub(in crate::web) link: String,
    /// The days in a row.
    pub(in crate::web) row: u32,
    /// Whether today is one of them.
    pub(in crate::web) solved: bool,
}

impl Daily {
    pub(in crate::web) fn of(app: &App, days: &Days) -> Daily {
        let today = app.day();
        let kind = PuzzleKind::of_day(today);
        Daily { kind, link: path(kind, today), row: days.in_a_row(today), solved: days.solved(today) }
    }
}

impl Days {
    /// The days in a row up to today or, as long as today may still be one of them, up to yesterday.
    pub(super) fn in_a_row(&self, today: u32) -> u32 {
        if self.last == today || self.last.checked_add(1) == Some(today) { self.row } else { 0 }
    }

    /// Whether today is one of them.
    pub(super) fn solved(&self, today: u32) -> bool {
        self.row > 0 && self.last == today
    }

    /// Lets the browser keep that today is one of them.
    pub(super) fn keep(&self, mut response: Response, today: u32) -> Response {
        if !self.solved(today) {
            let row = self.in_a_row(today).saturating_add(1);
            self.cookies.set(&mut response, DAYS.0, DAYS.1, &format!("{today}.{row}"));
        }
        response
    }
}
