//! Games that begin and go on: their rows and their lines. All times are milliseconds since 1970, as given.

use super::{
    BotTurn, Digest, Holder, NewSeat, StoreError, results,
    rows::{Reply, Undo},
};
use sqlx::{AnyConnection, Row, query};

/// A game to begin.
#[derive(Debug, Clone)]
pub struct NewGame {
    /// Short random text; [`StoreError::Taken`] if it exists.
    pub id: String,
    /// The variant's key.
    pub variant: String,
    /// Version of the rules.
    pub rules_version: i64,
    /// The variant's options, as JSON.
    pub options: String,
    /// When.
    pub created: i64,
    /// The clock's settings, as JSON.
    pub clock: Option<String>,
    /// The other side.
    pub opponent: String,
    /// The game that this is the rematch of. A game has one rematch at most.
    pub rematch_of: Option<String>,
    /// Set if the lobby shows it while it waits.
    pub open: bool,
    /// Set if it is shown to everybody while it is played.
    pub public: bool,
    /// The lines that stand before anybody acts: chance may speak first.
    pub lines: Vec<NewLine>,
    /// Steps played by those lines.
    pub ply: i64,
    /// When a clock runs out if nobody acts.
    pub due: Option<i64>,
    /// The turn of its bot, if that is asked.
    pub bot: Option<BotTurn>,
    /// The chairs.
    pub seats: Vec<NewSeat>,
}

/// A line before it has a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLine {
    /// The one that acted.
    pub actor: String,
    /// The action's text.
    pub text: String,
    /// When.
    pub time: i64,
}

/// Lines to add to a game, and what its row is to say then.
#[derive(Debug, Clone)]
pub struct Append {
    /// Which game.
    pub game: String,
    /// The slot of the first line: how many lines the writer has seen.
    pub at: i64,
    /// The lines, at least one.
    pub lines: Vec<NewLine>,
    /// Steps played with them.
    pub ply: i64,
    /// When a clock runs out if nobody acts.
    pub due: Option<i64>,
    /// The turn of its bot, if that is asked.
    pub bot: Option<BotTurn>,
    /// The end, if these lines end the game. An ended game stays ended.
    pub over: Option<GameEnd>,
    /// The request's own key, if it has one.
    pub receipt: Option<Receipt>,
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameEnd {
    /// The result. Opaque here.
    pub result: String,
    /// When.
    pub time: i64,
}

/// Makes a request that is sent twice count once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Whose request; two seats of a game may use the same key.
    pub seat: String,
    /// The key that came with the request.
    pub key: String,
    /// The answer when the key comes again. Opaque here.
    pub outcome: String,
}

/// The answer to an append.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Appended {
    /// The lines stand.
    New {
        /// The next free slot.
        at: i64,
        /// The game's new version.
        version: i64,
    },
    /// The receipt's key had been used by this seat of this game: nothing was written.
    Repeated {
        /// The outcome that was stored with it.
        outcome: String,
        /// The slot after the lines that were stored with it.
        at: i64,
    },
}

/// Begins a game. The answer is the new version of the game that it follows, if it follows one.
pub(super) async fn create(db: &mut AnyConnection, new: &NewGame) -> Result<Reply<Option<i64>>, Undo> {
    let inserted = query(
        "INSERT INTO game (id, variant, options, created, clock, opponent, rematch_of, open, at, version, ply, due, touched, \
         asked, thinker, public, rules_version) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, $4, $12, $13, $14, $15) ON CONFLICT DO NOTHING",
    )
    .bind(&new.id)
    .bind(&new.variant)
    .bind(&new.options)
    .bind(new.created)
    .bind(&new.clock)
    .bind(&new.opponent)
    .bind(&new.rematch_of)
    .bind(i64::from(new.open))
    .bind(slots(&new.lines))
    .bind(new.ply)
    .bind(new.due)
    .bind(new.bot.as_ref().map(|bot| bot.since))
    .bind(new.bot.as_ref().and_then(|bot| bot.thinker.as_ref()))
    .bind(i64::from(new.public))
    .bind(new.rules_version)
    .execute(&mut *db)
    .await?;
    if inserted.rows_affected() == 0 {
        let rematch =
            query("SELECT id FROM game WHERE rematch_of = $1").bind(&new.rematch_of).fetch_optional(&mut *db).await?;
        return Ok(Err(match rematch {
            Some(row) => StoreError::Rematched(row.try_get(0)?),
            None => StoreError::Taken,
        }));
    }
    insert_lines(db, &new.id, 0, &new.lines).await?;
    for seat in &new.seats {
        insert_seat(db, new, seat).await?;
    }
    // That there is a rematch belongs to the old game: whoever follows it hears of it.
    let Some(old) = &new.rematch_of else { return Ok(Ok(None)) };
    let old = query("UPDATE game SET version = version + 1 WHERE id = $1 RETURNING version")
        .bind(old)
        .fetch_optional(db)
        .await?;
    Ok(Ok(old.map(|row| row.try_get(0)).transpose()?))
}

async fn insert_seat(db: &mut AnyConnection, new: &NewGame, seat: &NewSeat) -> Result<(), Undo> {
    let (token, invite, claimed) = match &seat.holder {
        Holder::Token(token) => (Some(token.text()), None, Some(new.created)),
        Holder::Invite(invite) => (None, Some(invite.text()), None),
        Holder::Nobody => (None, None, Some(new.created)),
    };
    query("INSERT INTO seat (game, seat, token_hash, invite_hash, name, claimed, owner) VALUES ($1, $2, $3, $4, $5, $6, $7)")
        .bind(&new.id)
        .bind(&seat.seat)
        .bind(token)
        .bind(invite)
        .bind(&seat.name)
        .bind(claimed)
        .bind(seat.owner.as_ref().map(Digest::text))
        .execute(db)
        .await?;
    Ok(())
}

/// Moves a game on from a slot. Whoever thinks for its bot already goes on thinking.
macro_rules! moves {
    () => {
        "UPDATE game SET at = at + $3, version = version + 1, ply = $4, due = $5, result = COALESCE($6, result), \
         finished = COALESCE($7, finished), touched = $8, asked = $9, \
         thinker = CASE WHEN $9 IS NULL THEN NULL ELSE COALESCE(thinker, $10) END WHERE id = $1 AND at = $2"
    };
}

/// The first statement decides: it moves the game on only from the slot that the writer has seen, and only if the key
/// is new. Whoever comes second finds no row to move.
pub(super) async fn append(db: &mut AnyConnection, new: &Append) -> Result<Reply<Appended>, Undo> {
    let Some(last) = new.lines.last() else { return Ok(Err(StoreError::NoLine)) };
    let (result, finished) = new.over.as_ref().map(|over| (over.result.as_str(), over.time)).unzip();
    let moved = match &new.receipt {
        None => query(concat!(moves!(), " RETURNING at, version")),
        Some(_) => query(concat!(
            moves!(),
            " AND NOT EXISTS (SELECT 1 FROM receipt WHERE game = $1 AND seat = $11 AND key = $12) RETURNING at, version"
        )),
    };
    let moved = moved
        .bind(&new.game)
        .bind(new.at)
        .bind(slots(&new.lines))
        .bind(new.ply)
        .bind(new.due)
        .bind(result)
        .bind(finished)
        .bind(last.time)
        .bind(new.bot.as_ref().map(|bot| bot.since))
        .bind(new.bot.as_ref().and_then(|bot| bot.thinker.as_ref()));
    let moved = match &new.receipt {
        None => moved,
        Some(receipt) => moved.bind(&receipt.seat).bind(&receipt.key),
    };
    let Some(row) = moved.fetch_optional(&mut *db).await? else { return why_not(db, new).await };
    let (at, version) = (row.try_get(0)?, row.try_get(1)?);
    insert_lines(db, &new.game, new.at, &new.lines).await?;
    if let Some(over) = &new.over {
        results::review_ended_game(db, &new.game, over.time).await?;
    }
    if let Some(receipt) = &new.receipt {
        query("INSERT INTO receipt (game, seat, key, outcome, at) VALUES ($1, $2, $3, $4, $5)")
            .bind(&new.game)
            .bind(&receipt.seat)
            .bind(&receipt.key)
            .bind(&receipt.outcome)
            .bind(at)
            .execute(&mut *db)
            .await?;
    }
    Ok(Ok(Appended::New { at, version }))
}

/// Why an append found no row to move.
async fn why_not(db: &mut AnyConnection, new: &Append) -> Result<Reply<Appended>, Undo> {
    if let Some(receipt) = &new.receipt {
        let used = query("SELECT outcome, at FROM receipt WHERE game = $1 AND seat = $2 AND key = $3")
            .bind(&new.game)
            .bind(&receipt.seat)
            .bind(&receipt.key)
            .fetch_optional(&mut *db)
            .await?;
        if let Some(row) = used {
            return Ok(Ok(Appended::Repeated { outcome: row.try_get(0)?, at: row.try_get(1)? }));
        }
    }
    let game = query("SELECT at FROM game WHERE id = $1").bind(&new.game).fetch_optional(db).await?;
    Ok(Err(match game {
        Some(row) => StoreError::Conflict { at: row.try_get(0)? },
        None => StoreError::NoGame(new.game.clone()),
    }))
}

async fn insert_lines(db: &mut AnyConnection, game: &str, first: i64, lines: &[NewLine]) -> Result<(), Undo> {
    for (at, line) in (first..).zip(lines) {
        query("INSERT INTO line (game, at, actor, text, time) VALUES ($1, $2, $3, $4, $5)")
            .bind(game)
            .bind(at)
            .bind(&line.actor)
            .bind(&line.text)
            .bind(line.time)
            .execute(&mut *db)
            .await?;
    }
    Ok(())
}

/// A count of lines as a column holds it; no game has 2⁶³ of them.
fn slots(lines: &[NewLine]) -> i64 {
    i64::try_from(lines.len()).unwrap_or(i64::MAX)
}
