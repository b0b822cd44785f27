//! Keys that own seats, for players who use several devices and for bots. The rights of a key are defined elsewhere.

use super::{
    ChallengeCounts, Cursor, Digest, EndCursor, FinishedSeat, HeldSeat, StoreError,
    rows::{self, game_columns},
};
use sqlx::{AnyConnection, AnyPool, Row, any::AnyRow, query};

/// A key to store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOwner {
    /// Digest of the key.
    pub key: Digest,
    /// Time of creation.
    pub time: i64,
}

/// Registration of a key as a bot that others may play against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// The key.
    pub key: Digest,
    /// Name of the bot. It cannot be changed later.
    pub name: String,
    /// Folded form of the name, equal for names that look alike.
    pub folded: String,
    /// The games it accepts. Opaque here.
    pub terms: String,
    /// Time of the registration.
    pub time: i64,
}

/// Outcome of a registration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RegistrationResult {
    /// The bot is registered.
    Done,
    /// Another bot has this name.
    NameTaken,
    /// The key's bot already has another name, given here.
    Called(String),
    /// The key does not exist.
    NoOwner,
}

/// A report that a key's bot is connected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Presence {
    /// The key.
    pub key: Digest,
    /// Expiry: the bot is offline unless it reports again by then.
    pub until: i64,
    /// Time of the report.
    pub time: i64,
}

/// A seat to assign to a key. The token proves that the caller holds the seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handover {
    /// The game.
    pub game: String,
    /// Token of the seat.
    pub token: Digest,
    /// The key.
    pub owner: Digest,
}

/// Replacement of a key. The old key becomes invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnerSwap {
    /// The old key.
    pub old: Digest,
    /// The new key.
    pub new: Digest,
}

/// A bot that others may play against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramRow {
    /// Its key.
    pub key: Digest,
    /// Its name.
    pub name: String,
    /// The games it accepts. Opaque here.
    pub terms: String,
    /// Time until which it counts as connected.
    pub online_until: i64,
    /// Number of its unfinished games.
    pub games: i64,
}

/// Stores a key.
pub(super) async fn begin(db: &mut AnyConnection, new: &NewOwner) -> Result<(), sqlx::Error> {
    let begun = query("INSERT INTO owner (key_hash, created, used) VALUES ($1, $2, $2)");
    begun.bind(new.key.text()).bind(new.time).execute(db).await.map(drop)
}

/// Registers a bot or changes the games it accepts.
pub(super) async fn register(db: &mut AnyConnection, new: &Registration) -> Result<RegistrationResult, sqlx::Error> {
    let own = query("SELECT name, folded FROM owner WHERE key_hash = $1").bind(new.key.text());
    let Some(own) = own.fetch_optional(&mut *db).await? else { return Ok(RegistrationResult::NoOwner) };
    let (name, folded): (Option<String>, Option<String>) = (own.try_get(0)?, own.try_get(1)?);
    if let (Some(name), Some(folded)) = (name, folded)
        && folded != new.folded
    {
        return Ok(RegistrationResult::Called(name));
    }
    let other = query("SELECT 1 FROM owner WHERE folded = $1 AND key_hash <> $2");
    if other.bind(&new.folded).bind(new.key.text()).fetch_optional(&mut *db).await?.is_some() {
        return Ok(RegistrationResult::NameTaken);
    }
    query("UPDATE owner SET name = $2, folded = $3, terms = $4, used = $5 WHERE key_hash = $1")
        .bind(new.key.text())
        .bind(&new.name)
        .bind(&new.folded)
        .bind(&new.terms)
        .bind(new.time)
        .execute(db)
        .await?;
    Ok(RegistrationResult::Done)
}

/// Records that a key's bot is connected.
pub(super) async fn attend(db: &mut AnyConnection, new: &Presence) -> Result<(), sqlx::Error> {
    let here = query("UPDATE owner SET here = $2, used = $3 WHERE key_hash = $1");
    here.bind(new.key.text()).bind(new.until).bind(new.time).execute(db).await.map(drop)
}

/// Assigns a seat to a key that owns no other seat of the game, and returns the game's new version. Returns `None` if
/// the token or the key is unknown.
pub(super) async fn hand_over(db: &mut AnyConnection, new: &Handover) -> Result<Option<i64>, sqlx::Error> {
    let owned = query(
        "UPDATE seat SET owner = $3 WHERE game = $1 AND token_hash = $2 AND EXISTS (SELECT 1 FROM owner WHERE key_hash = $3) \
         AND NOT EXISTS (SELECT 1 FROM seat AS other WHERE other.game = $1 AND other.owner = $3)",
    );
    let owned = owned.bind(&new.game).bind(new.token.text()).bind(new.owner.text()).execute(&mut *db).await?;
    if owned.rows_affected() == 0 {
        return Ok(None);
    }
    let told = query("UPDATE game SET version = version + 1 WHERE id = $1 RETURNING version");
    told.bind(&new.game).fetch_optional(db).await?.map(|row| row.try_get(0)).transpose()
}

/// Replaces a key by a new one. Deletes its notification targets, whose secrets derive from the old key. Returns its
/// running games with their new versions; `None` if the old key does not exist.
pub(super) async fn swap(db: &mut AnyConnection, asked: &OwnerSwap) -> Result<Option<Vec<(String, i64)>>, sqlx::Error> {
    let swapped = query("UPDATE owner SET key_hash = $2 WHERE key_hash = $1").bind(asked.old.text());
    if swapped.bind(asked.new.text()).execute(&mut *db).await?.rows_affected() == 0 {
        return Ok(None);
    }
    query("DELETE FROM notice WHERE owner = $1").bind(asked.old.text()).execute(&mut *db).await?;
    query("DELETE FROM outbox WHERE owner = $1 AND claimed = 0").bind(asked.old.text()).execute(&mut *db).await?;
    let seats = query("UPDATE seat SET owner = $2 WHERE owner = $1").bind(asked.old.text());
    seats.bind(asked.new.text()).execute(&mut *db).await?;
    let told = query(
        "UPDATE game SET version = version + 1 \
         WHERE id IN (SELECT game FROM seat WHERE owner = $1 AND finished IS NULL) RETURNING id, version",
    );
    let told = told.bind(asked.new.text()).fetch_all(db).await?;
    told.iter().map(|row| Ok((row.try_get(0)?, row.try_get(1)?))).collect::<Result<_, _>>().map(Some)
}

/// Deletes keys that own no seat and have not been used since `before`, and notification targets without a key.
pub(super) async fn purge(db: &mut AnyConnection, before: i64) -> Result<(), sqlx::Error> {
    let unused =
        "DELETE FROM owner WHERE used < $1 AND NOT EXISTS (SELECT 1 FROM seat WHERE seat.owner = owner.key_hash)";
    query(unused).bind(before).execute(&mut *db).await?;
    let orphans = "DELETE FROM notice WHERE NOT EXISTS (SELECT 1 FROM owner WHERE owner.key_hash = notice.owner)";
    query(orphans).execute(db).await.map(drop)
}

/// True if the key exists.
pub(super) async fn known(pool: &AnyPool, key: &Digest) -> Result<bool, StoreError> {
    let found = query("SELECT 1 FROM owner WHERE key_hash = $1").bind(key.text());
    Ok(found.fetch_optional(pool).await?.is_some())
}

macro_rules! programs {
    () => {
        "SELECT key_hash, name, terms, here, (SELECT COUNT(*) FROM seat \
         WHERE seat.owner = owner.key_hash AND seat.finished IS NULL AND seat.claimed IS NOT NULL) FROM owner WHERE name IS NOT NULL AND "
    };
}

fn program(row: &AnyRow) -> Result<ProgramRow, sqlx::Error> {
    Ok(ProgramRow {
        key: Digest::stored(row.try_get(0)?),
        name: row.try_get(1)?,
        terms: row.try_get(2)?,
        online_until: row.try_get(3)?,
        games: row.try_get(4)?,
    })
}

/// Lists the bots connected at `now`, by name, at most `limit`.
pub(super) async fn present(pool: &AnyPool, now: i64, limit: i64) -> Result<Vec<ProgramRow>, StoreError> {
    let found = query(concat!(programs!(), "here > $1 ORDER BY folded LIMIT $2")).bind(now).bind(limit);
    Ok(found.fetch_all(pool).await?.iter().map(program).collect::<Result<_, _>>()?)
}

/// Finds a bot by its folded name.
pub(super) async fn called(pool: &AnyPool, folded: &str) -> Result<Option<ProgramRow>, StoreError> {
    let found = query(concat!(programs!(), "folded = $1")).bind(folded).fetch_optional(pool).await?;
    Ok(found.map(|row| program(&row)).transpose()?)
}

/// Finds the bot of a key.
pub(super) async fn of_key(pool: &AnyPool, key: &Digest) -> Result<Option<ProgramRow>, StoreError> {
    let found = query(concat!(programs!(), "key_hash = $1")).bind(key.text()).fetch_optional(pool).await?;
    Ok(found.map(|row| program(&row)).transpose()?)
}

/// Lists the key's seats in unfinished games after `after`, newest game first, at most `limit`.
pub(super) async fn playing(
    pool: &AnyPool,
    key: &Digest,
    after: Option<&Cursor>,
    limit: i64,
) -> Result<Vec<HeldSeat>, StoreError> {
    let (created, id) = after.map_or((i64::MAX, ""), |cursor| (cursor.created, cursor.id.as_str()));
    // The order names all columns of the index, so that PostgreSQL need not sort.
    let found = query(concat!(
        "SELECT ",
        game_columns!(),
        ", seat.seat FROM seat JOIN game ON game.id = seat.game WHERE seat.owner = $1 AND seat.finished IS NULL \
         AND seat.claimed IS NOT NULL AND (seat.created, seat.game) < ($2, $3) ORDER BY seat.finished DESC, seat.created DESC, seat.game DESC LIMIT $4"
    ));
    let found = found.bind(key.text()).bind(created).bind(id).bind(limit).fetch_all(pool).await?;
    Ok(found.iter().map(rows::held).collect::<Result<_, _>>()?)
}

/// Lists the unanswered challenges to a key, newest first, at most `limit`.
pub(super) async fn challenges(pool: &AnyPool, key: &Digest, limit: i64) -> Result<Vec<HeldSeat>, StoreError> {
    let found = query(concat!(
        "SELECT ",
        game_columns!(),
        ", seat.seat FROM seat JOIN game ON game.id = seat.game WHERE seat.owner = $1 AND seat.finished IS NULL \
         AND seat.expires IS NOT NULL ORDER BY seat.created DESC, seat.game DESC LIMIT $2"
    ));
    let found = found.bind(key.text()).bind(limit).fetch_all(pool).await?;
    Ok(found.iter().map(rows::held).collect::<Result<_, _>>()?)
}

/// Counts the unanswered challenges by the key `from`, and those to the key `to`.
pub(super) async fn count_challenges(
    pool: &AnyPool,
    from: &Digest,
    to: &Digest,
) -> Result<ChallengeCounts, StoreError> {
    let counts = query(
        "SELECT (SELECT COUNT(*) FROM seat JOIN seat AS other ON other.game = seat.game AND other.seat <> seat.seat \
         WHERE seat.owner = $1 AND seat.finished IS NULL AND other.expires IS NOT NULL), \
         (SELECT COUNT(*) FROM seat WHERE owner = $2 AND finished IS NULL AND expires IS NOT NULL)",
    );
    let counts = counts.bind(from.text()).bind(to.text()).fetch_one(pool).await?;
    Ok(ChallengeCounts { sent: counts.try_get(0)?, received: counts.try_get(1)? })
}

/// Lists the key's seats in finished games after `after`, last end first, at most `limit`.
pub(super) async fn finished(
    pool: &AnyPool,
    key: &Digest,
    after: &EndCursor,
    limit: i64,
) -> Result<Vec<FinishedSeat>, StoreError> {
    let found = query(concat!(
        "SELECT ",
        game_columns!(),
        ", seat.seat, other.name AS opponent_name FROM seat JOIN game ON game.id = seat.game \
         LEFT JOIN seat AS other ON other.game = seat.game AND other.seat <> seat.seat \
         WHERE seat.owner = $1 AND seat.claimed IS NOT NULL AND (seat.finished, seat.created, seat.game) < ($2, $3, $4) \
         ORDER BY seat.finished DESC, seat.created DESC, seat.game DESC LIMIT $5"
    ));
    let found = found.bind(key.text()).bind(after.finished).bind(after.created).bind(&after.id).bind(limit);
    Ok(found.fetch_all(pool).await?.iter().map(rows::finished).collect::<Result<_, _>>()?)
}

/// Lists the key's seats in games that ended at `since` or later, last end first, at most `limit`.
pub(super) async fn ended(pool: &AnyPool, key: &Digest, since: i64, limit: i64) -> Result<Vec<HeldSeat>, StoreError> {
    let found = query(concat!(
        "SELECT ",
        game_columns!(),
        ", seat.seat FROM seat JOIN game ON game.id = seat.game WHERE seat.owner = $1 AND seat.finished >= $2 \
         AND seat.claimed IS NOT NULL \
         ORDER BY seat.finished DESC, seat.created DESC, seat.game DESC LIMIT $3"
    ));
    let found = found.bind(key.text()).bind(since).bind(limit).fetch_all(pool).await?;
    Ok(found.iter().map(rows::held).collect::<Result<_, _>>()?)
}
