//! Appends to several games in one statement, for PostgreSQL, where each statement costs a round trip.
//! Must not know how a transaction begins and ends.

use super::jobs::Job;
use super::reply::Undo;
use serde::Serialize;
use sqlx::{AnyConnection, Row, query};
use std::collections::HashMap;

/// Does for many games what `games::append` does for one: a game moves on only from the slot that its writer has seen, and only if the key
/// is new. Two processes that append to the same games lock them in the same order, so that neither waits for the other in a circle.
/// The condition on the array makes PostgreSQL look the games up by their key, whatever it guesses about the length of the list.
const APPEND: &str = "\
    WITH new AS (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS new (game TEXT, at BIGINT, next BIGINT, ply BIGINT, due BIGINT, \
        result TEXT, finished BIGINT, touched BIGINT, asked BIGINT, thinker TEXT, seat TEXT, key TEXT, outcome TEXT)), \
    locked AS (SELECT id FROM game WHERE id = ANY (ARRAY(SELECT game FROM new)) ORDER BY id FOR UPDATE), \
    moved AS (UPDATE game SET at = new.next, version = game.version + 1, ply = new.ply, due = new.due, \
        result = COALESCE(new.result, game.result), finished = COALESCE(new.finished, game.finished), touched = new.touched, \
        asked = new.asked, thinker = CASE WHEN new.asked IS NULL THEN NULL ELSE COALESCE(game.thinker, new.thinker) END \
        FROM new JOIN locked ON locked.id = new.game \
        WHERE game.id = new.game AND game.at = new.at AND game.id = ANY (ARRAY(SELECT game FROM new)) AND NOT EXISTS \
        (SELECT 1 FROM receipt WHERE receipt.game = new.game AND receipt.seat = new.seat AND receipt.key = new.key) \
        RETURNING game.id, game.at, game.version), \
    lines AS (INSERT INTO line (game, at, actor, text, time) SELECT new.game, new.at, new.actor, new.text, new.time \
        FROM json_to_recordset(CAST($2 AS json)) AS new (game TEXT, at BIGINT, actor TEXT, text TEXT, time BIGINT) \
        JOIN moved ON moved.id = new.game), \
    receipts AS (INSERT INTO receipt (game, seat, key, outcome, at) SELECT new.game, new.seat, new.key, new.outcome, new.next \
        FROM new JOIN moved ON moved.id = new.game WHERE new.key IS NOT NULL), \
    reviews AS (INSERT INTO review (game, asked) SELECT new.game, new.finished \
        FROM new JOIN moved ON moved.id = new.game WHERE new.finished IS NOT NULL ON CONFLICT (game) DO NOTHING) \
    SELECT id, at, version FROM moved";

/// An append as the statement reads it.
#[derive(Serialize)]
struct AppendRow<'j> {
    game: &'j str,
    at: i64,
    next: i64,
    ply: i64,
    due: Option<i64>,
    result: Option<&'j str>,
    finished: Option<i64>,
    touched: i64,
    asked: Option<i64>,
    thinker: Option<&'j str>,
    seat: Option<&'j str>,
    key: Option<&'j str>,
    outcome: Option<&'j str>,
}

/// A line as the statement reads it.
#[derive(Serialize)]
struct AppendLine<'j> {
    game: &'j str,
    at: i64,
    actor: &'j str,
    text: &'j str,
    time: i64,
}

/// Carries out the first append to each game, and tells of each job whether it is done. What is not done has written nothing and is to be run
/// alone: it is another job, comes after one to the same game, or is refused.
pub(super) async fn append(db: &mut AnyConnection, jobs: &mut [Job]) -> Result<Vec<bool>, Undo> {
    let mut first: HashMap<&str, usize> = HashMap::new();
    let (mut rows, mut lines) = (Vec::with_capacity(jobs.len()), Vec::with_capacity(jobs.len()));
    for (number, job) in jobs.iter().enumerate() {
        let Some(new) = job.append() else { continue };
        let Some(last) = new.lines.last() else { continue };
        if first.contains_key(new.game.as_str()) {
            continue;
        }
        first.insert(&new.game, number);
        lines.extend((new.at..).zip(&new.lines).map(|(at, line)| AppendLine {
            game: &new.game,
            at,
            actor: &line.actor,
            text: &line.text,
            time: line.time,
        }));
        rows.push(AppendRow {
            game: &new.game,
            at: new.at,
            next: new.at.saturating_add_unsigned(new.lines.len() as u64),
            ply: new.ply,
            due: new.due,
            result: new.over.as_ref().map(|over| over.result.as_str()),
            finished: new.over.as_ref().map(|over| over.time),
            touched: last.time,
            asked: new.bot.as_ref().map(|bot| bot.since),
            thinker: new.bot.as_ref().and_then(|bot| bot.thinker.as_deref()),
            seat: new.receipt.as_ref().map(|receipt| receipt.seat.as_str()),
            key: new.receipt.as_ref().map(|receipt| receipt.key.as_str()),
            outcome: new.receipt.as_ref().map(|receipt| receipt.outcome.as_str()),
        });
    }
    let found = query(APPEND).bind(text(&rows)?).bind(text(&lines)?).fetch_all(db).await?;
    let mut moved = Vec::with_capacity(found.len());
    for row in &found {
        let (game, at, version): (String, i64, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        moved.extend(first.get(game.as_str()).map(|number| (*number, at, version)));
    }
    let mut done = vec![false; jobs.len()];
    for (number, at, version) in moved {
        jobs[number].appended(at, version);
        done[number] = true;
    }
    Ok(done)
}

fn text(rows: &impl Serialize) -> Result<String, Undo> {
    serde_json::to_string(rows).map_err(|error| sqlx::Error::Encode(error.into()).into())
}
