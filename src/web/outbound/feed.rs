//! Atom feed of a key's owner: turns, warnings before time runs out, and ends of games. Its address is secret, but gives no control over the games.

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
    rules::{LEFT, Outcome, Seat, TIME},
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
    /// Time of the newest entry, or now if there is none.
    updated: String,
    entries: Vec<FeedEntry>,
}

/// A turn, a warning before time runs out, or the end of a game.
struct FeedEntry {
    /// Id of the entry. It changes with every ply, so that a feed reader shows each turn as a new entry.
    id: String,
    url: String,
    title: String,
    words: String,
    /// In milliseconds since the epoch.
    updated: i64,
}

/// Time for which the end of a game stays in the feed, in milliseconds: 30 days.
const REMEMBERED: i64 = 30 * 86_400_000;
/// Longest time before a loss on time at which the feed warns, in milliseconds: a day.
const MOST_WARNING: i64 = 86_400_000;

/// Time of the last action that the seat can see, in milliseconds since the epoch.
fn touched(table: &GameSnapshot, seat: Seat) -> i64 {
    table.game.lines(Some(seat)).last().map_or(table.row.created, |line| line.time)
}

/// Time before a seat's deadline at which the feed warns: a quarter of the time for a move, at most a day.
fn warning(table: &GameSnapshot, seat: Seat) -> Option<i64> {
    let remaining = table.game.clocks().view(seat)?.remaining;
    Some((remaining / 4).min(MOST_WARNING))
}

impl FeedEntry {
    fn of(
        base: &PublicOrigin,
        table: &GameSnapshot,
        seat: Seat,
        (mark, about, words, updated): (String, &str, String, i64),
    ) -> FeedEntry {
        let url = base.url(&format!("/games/{}", table.id()));
        FeedEntry {
            id: format!("{url}#{mark}"),
            title: format!("{about}: {} against {}", table.game.title(), table.name(!seat)),
            words: format!("{}. {words}", game_text::title(table)).trim_end().to_owned(),
            updated,
            url,
        }
    }

    /// The turn of a seat, and the warning if its time is running out.
    fn of_turn(base: &PublicOrigin, table: &GameSnapshot, seat: Seat, now: i64) -> Vec<FeedEntry> {
        let ply = table.game.ply();
        let deadline = table.game.clocks().deadline(seat);
        let words = deadline.map_or_else(String::new, |due| format!("Your time runs out at {}.", record::instant(due)));
        let late = deadline.zip(warning(table, seat)).map(|(due, before)| due - before).filter(|from| *from <= now);
        let late = late.map(|from| (format!("ply-{ply}-late"), "Your time runs out soon", words.clone(), from));
        let turn = (format!("ply-{ply}"), "Your turn", words, touched(table, seat));
        late.into_iter().chain([turn]).map(|entry| FeedEntry::of(base, table, seat, entry)).collect()
    }

    /// The end of a game.
    fn of_end(base: &PublicOrigin, table: &GameSnapshot, seat: Seat) -> FeedEntry {
        let (about, reason) = match table.game.outcome() {
            Some(Outcome::Win(winner, LEFT)) if winner != seat => ("You lost: you left the game", ""),
            Some(Outcome::Win(winner, TIME)) if winner != seat => ("You lost on time", ""),
            Some(Outcome::Win(winner, reason)) if winner == seat => ("You won", reason),
            Some(Outcome::Win(_, reason)) => ("You lost", reason),
            Some(Outcome::Draw(reason)) => ("Draw", reason),
            Some(Outcome::Void(reason)) => ("No result", reason),
            None => ("Game over", ""),
        };
        let words = if reason.is_empty() { String::new() } else { format!("Reason: {reason}.") };
        let updated = table.row.finished.unwrap_or_else(|| touched(table, seat));
        FeedEntry::of(base, table, seat, ("end".to_owned(), about, words, updated))
    }

    /// Time of the entry in RFC 3339.
    fn instant(&self) -> String {
        record::instant(self.updated)
    }
}

/// `GET /feeds/{secret}`: returns the feed in Atom format (RFC 4287).
pub async fn page(State(app): State<Arc<App>>, Path(secret): Path<String>) -> Result<Response, Error> {
    let unknown = || Error::unknown("There is no such feed. A feed ends when its key is replaced; create a new one.");
    let (owner, origin) = app.play.feed(&secret).await?.ok_or_else(unknown)?;
    let (base, now) = (PublicOrigin::of_origin(origin), app.play.now());
    let games = app.play.own_games(&owner, None, LOOKED).await?.games;
    let asked = games.iter().filter(|(table, seat)| table.complete() && table.game.awaits().contains(seat));
    let turns = asked.flat_map(|(table, seat)| FeedEntry::of_turn(&base, table, *seat, now));
    let ended = app.play.ended_games(&owner, now - REMEMBERED, LOOKED).await?;
    let ends = ended.iter().map(|(table, seat)| FeedEntry::of_end(&base, table, *seat));
    let mut entries: Vec<FeedEntry> = turns.chain(ends).collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.updated));
    let updated = entries.first().map_or(now, |entry| entry.updated);
    let feed = Feed { url: base.url(&path(&secret)), home: base.url("/"), updated: record::instant(updated), entries };
    let text = feed.render().map_err(Error::broken)?;
    Ok(private(([(header::CONTENT_TYPE, "application/atom+xml; charset=utf-8")], text).into_response()))
}
