//! Atom feed of the games in which a key's owner is to move. Its address is secret, but gives no control over the games.

use std::sync::Arc;

use askama::Template;
use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};

use crate::{
    game::record,
    play::GameSnapshot,
    rules::Seat,
    web::{App, Error, PublicOrigin, extract::Path, game_text, private},
};

/// Maximum number of games to search.
const LOOKED: u32 = 100;

/// Path of a feed.
pub(super) fn path(secret: &str) -> String {
    format!("/feeds/{secret}")
}

#[derive(Template)]
#[template(path = "feed.xml")]
struct Feed {
    /// URL of the feed, which is also its id.
    url: String,
    home: String,
    /// Time of the last change.
    updated: String,
    entries: Vec<FeedEntry>,
}

/// A game in which the key's owner is to move.
struct FeedEntry {
    /// Id of the turn. It changes with every ply, so that a feed reader shows each turn as a new entry.
    id: String,
    url: String,
    title: String,
    words: String,
    updated: String,
}

/// Time of the last action that the seat can see, in milliseconds since the epoch.
fn touched(table: &GameSnapshot, seat: Seat) -> i64 {
    table.game.lines(Some(seat)).last().map_or(table.row.created, |line| line.time)
}

impl FeedEntry {
    fn of(base: &PublicOrigin, table: &GameSnapshot, seat: Seat) -> FeedEntry {
        let url = base.url(&format!("/games/{}", table.id()));
        FeedEntry {
            id: format!("{url}#ply-{}", table.game.ply()),
            title: format!("Your turn: {} against {}", table.game.title(), table.name(!seat)),
            words: game_text::title(table),
            updated: record::instant(touched(table, seat)),
            url,
        }
    }
}

/// `GET /feeds/{secret}`: returns the feed in Atom format (RFC 4287).
pub async fn page(State(app): State<Arc<App>>, Path(secret): Path<String>) -> Result<Response, Error> {
    let unknown = || Error::unknown("There is no such feed. A feed ends when its key is replaced; create a new one.");
    let (owner, origin) = app.play.feed(&secret).await?.ok_or_else(unknown)?;
    let base = PublicOrigin::of_origin(origin);
    let games = app.play.own_games(&owner, None, LOOKED).await?.games;
    let asked = games.iter().filter(|(table, seat)| table.complete() && table.game.awaits().contains(seat));
    let asked: Vec<_> = asked.collect();
    let updated = asked.iter().map(|(table, seat)| touched(table, *seat)).max().unwrap_or(0);
    let feed = Feed {
        url: base.url(&path(&secret)),
        home: base.url("/"),
        updated: record::instant(updated),
        entries: asked.iter().map(|(table, seat)| FeedEntry::of(&base, table, *seat)).collect(),
    };
    let text = feed.render().map_err(Error::broken)?;
    Ok(private(([(header::CONTENT_TYPE, "application/atom+xml; charset=utf-8")], text).into_response()))
}
