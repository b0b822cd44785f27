//! Rows that the store returns, replies of jobs, and digests of secrets. All times are in milliseconds since 1970.

use super::StoreError;
use sha2::{Digest as _, Sha256};
use sqlx::{Row, any::AnyRow};
use subtle::ConstantTimeEq;

/// One row of the table `game`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRow {
    /// Short random text.
    pub id: String,
    /// The variant's key.
    pub variant: String,
    /// Version of the rules.
    pub rules_version: i64,
    /// The variant's options, as JSON.
    pub options: String,
    /// Time of creation.
    pub created: i64,
    /// Time control, as JSON; `None` for an untimed game.
    pub clock: Option<String>,
    /// Kind of opponent: `link`, `open`, `bot:NAME`, `program:NAME`, `self`. Opaque here.
    pub opponent: String,
    /// The game of which this is the rematch.
    pub rematch_of: Option<String>,
    /// True while the game is in the lobby. Claiming its seat removes it.
    pub open: bool,
    /// Time until which the creator of an open game counts as present; `None` if the game stays open without them.
    pub seeking: Option<i64>,
    /// Number of lines, which is the next free slot.
    pub at: i64,
    /// Number of changes since the game was created. Appends, claimed or renewed seats, its rematch and its review each
    /// count as one.
    pub version: i64,
    /// Plies played, as given by the last append.
    pub ply: i64,
    /// Time at which a clock runs out unless a player acts; `None` while no clock runs. The caller must check the clock
    /// itself.
    pub due: Option<i64>,
    /// Result of the game; `None` while it is in progress. Opaque here.
    pub result: Option<String>,
    /// Time of the end.
    pub finished: Option<i64>,
}

/// One line of a game's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineRow {
    /// Slot, counted from 0.
    pub at: i64,
    /// The actor: `one`, `two`, `chance` or `server`. Opaque here.
    pub actor: String,
    /// The action's text.
    pub text: String,
    /// Time of the action.
    pub time: i64,
}

/// One seat of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatRow {
    /// Name of the seat: `one` or `two`. Opaque here.
    pub seat: String,
    /// Digest of the seat token; `None` for a bot and for a free seat.
    pub token: Option<Digest>,
    /// Digest of the invitation. It remains after the claim, so that a second claim gets its own error.
    pub invite: Option<Digest>,
    /// Display name of the player.
    pub name: Option<String>,
    /// Time at which the seat was taken; `None` while it is free.
    pub claimed: Option<i64>,
    /// Key that owns the seat, or is challenged to take it.
    pub owner: Option<Digest>,
    /// Time until which the owner can accept the challenge; `None` if the seat is no unanswered challenge.
    pub expires: Option<i64>,
    /// Reason with which the owner declined the challenge. Opaque here.
    pub declined: Option<String>,
}

/// A game with everything that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRecord {
    /// The game's row.
    pub game: GameRow,
    /// The seats, ordered by name.
    pub seats: Vec<SeatRow>,
    /// The lines in order. There are `game.at` of them.
    pub lines: Vec<LineRow>,
    /// The id of its rematch, if there is one.
    pub rematch: Option<String>,
}

impl GameRecord {
    /// Returns the seat that this token proves.
    pub fn seat(&self, token: &Digest) -> Option<&SeatRow> {
        self.seats.iter().find(|seat| seat.token.as_ref() == Some(token))
    }
}

/// A seat found by a token or key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldSeat {
    /// Name of the seat.
    pub seat: String,
    /// The game.
    pub game: GameRow,
}

/// Position in a list of games: the last game of the previous page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// Creation time of that game.
    pub created: i64,
    /// Id of that game.
    pub id: String,
}

/// The end of a game, which is its place among the ended games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedGame {
    /// Time of the end.
    pub finished: i64,
    /// Id of the game.
    pub id: String,
}

/// A seat in a finished game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedSeat {
    /// The seat and its game.
    pub held: HeldSeat,
    /// Name of the player in the other seat, if it has one.
    pub opponent: Option<String>,
}

/// Position in a list of finished games: the last game of the previous page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndCursor {
    /// Time of that game's end.
    pub finished: i64,
    /// Creation time of that game.
    pub created: i64,
    /// Id of that game.
    pub id: String,
}

impl EndCursor {
    /// Position before all games that ended before `time`.
    pub fn before(time: i64) -> EndCursor {
        EndCursor { finished: time, created: i64::MIN, id: String::new() }
    }
}

/// A game whose clock should have run out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpiredClocks {
    /// The game.
    pub game: String,
    /// Time at which the clock should have run out.
    pub due: i64,
}

/// Columns that [`game`] reads, in its order. A macro, because statements are literals.
macro_rules! game_columns {
    () => {
        "game.id, game.variant, game.options, game.created, game.clock, game.opponent, game.rematch_of, game.open, \
         game.at, game.version, game.ply, game.due, game.result, game.finished, game.rules_version, game.seeking"
    };
}
pub(super) use game_columns;

/// Reads the columns of `game_columns!()` at the start of a row.
pub(super) fn game(row: &AnyRow) -> Result<GameRow, sqlx::Error> {
    Ok(GameRow {
        id: row.try_get(0)?,
        variant: row.try_get(1)?,
        options: row.try_get(2)?,
        created: row.try_get(3)?,
        clock: row.try_get(4)?,
        opponent: row.try_get(5)?,
        rematch_of: row.try_get(6)?,
        open: row.try_get::<i64, _>(7)? != 0,
        at: row.try_get(8)?,
        version: row.try_get(9)?,
        ply: row.try_get(10)?,
        due: row.try_get(11)?,
        result: row.try_get(12)?,
        finished: row.try_get(13)?,
        rules_version: row.try_get(14)?,
        seeking: row.try_get(15)?,
    })
}

/// Reads the columns of `game_columns!()` and the name of a seat after them.
pub(super) fn held(row: &AnyRow) -> Result<HeldSeat, sqlx::Error> {
    Ok(HeldSeat { game: game(row)?, seat: row.try_get("seat")? })
}

/// Reads what [`held`] reads, and the name of the other player.
pub(super) fn finished(row: &AnyRow) -> Result<FinishedSeat, sqlx::Error> {
    Ok(FinishedSeat { held: held(row)?, opponent: row.try_get("opponent_name")? })
}

/// Reads `at, actor, text, time`.
pub(super) fn line(row: &AnyRow) -> Result<LineRow, sqlx::Error> {
    Ok(LineRow { at: row.try_get(0)?, actor: row.try_get(1)?, text: row.try_get(2)?, time: row.try_get(3)? })
}

/// Reads `seat, token_hash, invite_hash, name, claimed, owner, expires, declined`.
pub(super) fn seat(row: &AnyRow) -> Result<SeatRow, sqlx::Error> {
    Ok(SeatRow {
        seat: row.try_get(0)?,
        token: row.try_get::<Option<String>, _>(1)?.map(Digest::stored),
        invite: row.try_get::<Option<String>, _>(2)?.map(Digest::stored),
        name: row.try_get(3)?,
        claimed: row.try_get(4)?,
        owner: row.try_get::<Option<String>, _>(5)?.map(Digest::stored),
        expires: row.try_get(6)?,
        declined: row.try_get(7)?,
    })
}

/// Error that requires a rollback.
pub(super) struct Undo(pub(super) StoreError);

impl From<sqlx::Error> for Undo {
    fn from(error: sqlx::Error) -> Undo {
        // Two concurrent transactions drew the same id or code. In sequence, the second one would be refused before it
        // writes.
        match &error {
            sqlx::Error::Database(said) if said.is_unique_violation() => Undo(StoreError::Taken),
            _ => Undo(error.into()),
        }
    }
}

/// Result of a job: a value or a refusal.
pub(super) type Reply<A> = Result<A, StoreError>;

/// SHA-256 of a seat token, an invitation code or a key, as 64 lower-case hexadecimal digits. Comparison takes constant
/// time, and `Debug` reveals nothing.
#[derive(Clone)]
pub struct Digest(String);

impl Digest {
    /// Returns the digest of a secret's UTF-8 bytes.
    pub fn of(secret: &str) -> Digest {
        Digest(Sha256::digest(secret.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Derives another secret from the digest. It is the same for every call with the same `context` and does not
    /// reveal the digest.
    pub fn derive(&self, context: &str) -> String {
        Digest::of(&format!("{context} {}", self.0)).0
    }

    /// Wraps a digest read from a column.
    pub(super) fn stored(text: String) -> Digest {
        Digest(text)
    }

    /// Text of the digest for a column.
    pub(super) fn text(&self) -> &str {
        &self.0
    }
}

impl PartialEq for Digest {
    fn eq(&self, other: &Digest) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl Eq for Digest {}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Digest(…)")
    }
}
