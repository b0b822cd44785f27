//! The feed of a key: the games in which it is asked, for whoever reads feeds. Its address is a secret that lets nobody play.

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

/// The number of games that are looked through.
const LOOKED: u32 = 100;

/// The address of a feed.
pub(super) fn path(secret: &str) -> String {
    format!("/feeds/{secret}")
}

#[derive(Template)]
#[template(path = "feed.xml")]
struct Feed {
    /// Its own address, which is its id too.
    url: String,
    home: String,
    /// When anything in it happened last.
    updated: String,
    entries: Vec<FeedEntry>,
}

/// A game in which the key is asked.
struct FeedEntry {
    /// The same for as long as it is the same turn.
    id: String,
    url: String,
    title: String,
    words: String,
    updated: String,
}

/// When anything was last done in a game, as far as a seat may know.
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

/// `GET /feeds/{secret}`: the feed, in Atom (RFC 4287).
pub async fn page(State(app): State<Arc<App>>, Path(secret): Path<String>) -> Result<Response, Error> {
    let unknown = || Error::unknown("There is no such feed. Its address is made anew when a key is replaced.");
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
