//! Creation and progress of games: their rows and lines. All times are milliseconds since 1970, as given by the caller.

use super::{
    BotTurn, Digest, Holder, NewSeat, StoreError, results,
    rows::{Reply, Undo},
};
use sqlx::{AnyConnection, Row, query};

/// A game to create.
#[derive(Debug, Clone)]
pub struct NewGame {
    /// Short random text. Creation fails with [`StoreError::Taken`] if it exists.
    pub id: String,
    /// The variant's key.
    pub variant: String,
    /// Version of the rules.
    pub rules_version: i64,
    /// The variant's options, as JSON.
    pub options: String,
    /// Time of creation.
    pub created: i64,
    /// Time control, as JSON.
    pub clock: Option<String>,
    /// Kind of opponent; see [`GameRow::opponent`](super::GameRow::opponent).
    pub opponent: String,
    /// The game of which this is the rematch. A game has at most one rematch.
    pub rematch_of: Option<String>,
    /// True if the lobby lists it while it waits for an opponent.
    pub open: bool,
    /// True if it is listed publicly while it is played.
    pub public: bool,
    /// The lines before the first action, for example chance events.
    pub lines: Vec<NewLine>,
    /// Plies played by those lines.
    pub ply: i64,
    /// Time at which a clock runs out unless a player acts.
    pub due: Option<i64>,
    /// The bot's turn, if it is to move.
    pub bot: Option<BotTurn>,
    /// The seats.
    pub seats: Vec<NewSeat>,
}

/// A line before it has a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLine {
    /// The actor: a seat, `chance` or `server`.
    pub actor: String,
    /// The action's text.
    pub text: String,
    /// Time of the action.
    pub time: i64,
}

/// Lines to append to a game, with the new state of its row.
#[derive(Debug, Clone)]
pub struct Append {
    /// The game.
    pub game: String,
    /// Slot of the first line: the number of lines that the writer has seen.
    pub at: i64,
    /// The lines, at least one.
    pub lines: Vec<NewLine>,
    /// Plies played, including these lines.
    pub ply: i64,
    /// Time at which a clock runs out unless a player acts.
    pub due: Option<i64>,
    /// The bot's turn, if it is to move.
    pub bot: Option<BotTurn>,
    /// The end of the game, if these lines end it. It is final.
    pub over: Option<GameEnd>,
    /// Idempotency key of the request, if it has one.
    pub receipt: Option<Receipt>,
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameEnd {
    /// Result of the game. Opaque here.
    pub result: String,
    /// Time of the end.
    pub time: i64,
}

/// Idempotency key with its outcome, so that a repeated request counts once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Seat of the request. Two seats of a game may use the same key.
    pub seat: String,
    /// Key sent with the request.
    pub key: String,
    /// Stored response for a repeated key. Opaque here.
    pub outcome: String,
}

/// Outcome of an append.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Appended {
    /// The lines were written.
    New {
        /// The next free slot.
        at: i64,
        /// The game's new version.
        version: i64,
    },
    /// This seat has used the key in this game before; nothing was written.
    Repeated {
        /// Outcome stored with the key.
        outcome: String,
        /// Slot after the lines stored with the key.
        at: i64,
    },
}

/// Creates a game. Returns the new version of the original game if this is a rematch.
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
    // The original game gets a new version, so that its viewers see the rematch.
    let Some(old) = &new.rematch_of else { return Ok(Ok(None)) };
    let old = query("UPDATE game SET version = version + 1 WHERE id = $1 RETURNING version")
        .bind(old)
        .fetch_optional(db)
        .await?;
    Ok(Ok(old.map(|row| row.try_get(0)).transpose()?))
}

async fn insert_seat(db: &mut AnyConnection, new: &NewGame, seat: &NewSeat) -> Result<(), Undo> {
    let (token, invite, claimed, expires) = match &seat.holder {
        Holder::Token(token) => (Some(token.text()), None, Some(new.created), None),
        Holder::Invite(invite) => (None, Some(invite.text()), None, None),
        Holder::Empty => (None, None, Some(new.created), None),
        Holder::Challenge(expires) => (None, None, None, Some(*expires)),
    };
    query(
        "INSERT INTO seat (game, seat, token_hash, invite_hash, name, claimed, owner, created, expires) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(&new.id)
    .bind(&seat.seat)
    .bind(token)
    .bind(invite)
    .bind(&seat.name)
    .bind(claimed)
    .bind(seat.owner.as_ref().map(Digest::text))
    .bind(new.created)
    .bind(expires)
    .execute(db)
    .await?;
    Ok(())
}

/// Updates a game from an expected slot. A process that already computes for its bot keeps that task.
macro_rules! moves {
    () => {
        "UPDATE game SET at = at + $3, version = version + 1, ply = $4, due = $5, result = COALESCE($6, result), \
         finished = COALESCE($7, finished), touched = $8, asked = $9, \
         thinker = CASE WHEN $9 IS NULL THEN NULL ELSE COALESCE(thinker, $10) END WHERE id = $1 AND at = $2"
    };
}

/// Appends lines. The first statement decides: it updates the row only if the slot is the expected one and the key is
/// new. A slower writer finds no row to update.
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
    let Some(row) = moved.fetch_optional(&mut *db).await? else { return explain_refusal(db, new).await };
    let (at, version) = (row.try_get(0)?, row.try_get(1)?);
    insert_lines(db, &new.game, new.at, &new.lines).await?;
    if let Some(over) = &new.over {
        let seats = query("UPDATE seat SET finished = $2 WHERE game = $1").bind(&new.game).bind(over.time);
        seats.execute(&mut *db).await?;
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

/// Finds out why an append found no row to update.
async fn explain_refusal(db: &mut AnyConnection, new: &Append) -> Result<Reply<Appended>, Undo> {
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

/// The number of lines as a column value. No game has 2⁶³ lines.
fn slots(lines: &[NewLine]) -> i64 {
    i64::try_from(lines.len()).unwrap_or(i64::MAX)
}
