//! Rows as the store returns them, answers of jobs, and digests of secrets. All times are in milliseconds since 1970.

use super::StoreError;
use sha2::{Digest as _, Sha256};
use sqlx::{Row, any::AnyRow};
use subtle::ConstantTimeEq;

/// One game as its row stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRow {
    /// Short random text, drawn by whoever began the game.
    pub id: String,
    /// The variant's key.
    pub variant: String,
    /// Version of the rules.
    pub rules_version: i64,
    /// The variant's options, as JSON.
    pub options: String,
    /// When it was begun.
    pub created: i64,
    /// The clock's settings, as JSON; none for an untimed game.
    pub clock: Option<String>,
    /// The other side: `link`, `open`, `bot:NAME`, `program:NAME`, `self`. Opaque here.
    pub opponent: String,
    /// The game that this one is the rematch of.
    pub rematch_of: Option<String>,
    /// Set if the game was put into the lobby; claiming its seat takes it out.
    pub open: bool,
    /// The number of its lines: the slot that the next one takes.
    pub at: i64,
    /// The number of times the game has changed since it was begun: one for each append, one for each claimed seat, one
    /// for its rematch.
    pub version: i64,
    /// Steps played, as the last append said.
    pub ply: i64,
    /// When a clock runs out if nobody acts; none while no clock runs. A reason to look, not a verdict.
    pub due: Option<i64>,
    /// The result; none while it goes on. Opaque here.
    pub result: Option<String>,
    /// When it ended.
    pub finished: Option<i64>,
}

/// One line of a game's record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineRow {
    /// Its slot, counted from 0.
    pub at: i64,
    /// The one that acted: `one`, `two`, `chance`, `server`. Opaque here.
    pub actor: String,
    /// The action's text.
    pub text: String,
    /// When.
    pub time: i64,
}

/// One chair of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatRow {
    /// Which chair: `one`, `two`. Opaque here.
    pub seat: String,
    /// The proof that one sits there; none for a bot and for a chair still free.
    pub token: Option<Digest>,
    /// The invitation to it; kept after it was claimed, so that a second claim can be told so.
    pub invite: Option<Digest>,
    /// The name that the player wants to be called by.
    pub name: Option<String>,
    /// Since when somebody sits there; none while it is free.
    pub claimed: Option<i64>,
    /// The key that owns it.
    pub owner: Option<Digest>,
}

/// A game with everything that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRecord {
    /// The row.
    pub game: GameRow,
    /// Its chairs, in the order of their names.
    pub seats: Vec<SeatRow>,
    /// Its lines, `game.at` of them, slots 0, 1, 2 and so on.
    pub lines: Vec<LineRow>,
    /// The id of its rematch, if there is one.
    pub rematch: Option<String>,
}

impl GameRecord {
    /// The chair that this token proves, if any.
    pub fn seat(&self, token: &Digest) -> Option<&SeatRow> {
        self.seats.iter().find(|seat| seat.token.as_ref() == Some(token))
    }
}

/// A chair that one of the asked tokens proves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldSeat {
    /// Which chair.
    pub seat: String,
    /// Of which game.
    pub game: GameRow,
}

/// A place in the lobby, for the next page: the last game of the page before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cursor {
    /// That game's time.
    pub created: i64,
    /// That game's id.
    pub id: String,
}

/// Games whose clock should have run out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpiredClocks {
    /// Which game.
    pub game: String,
    /// Since when.
    pub due: i64,
}

/// The columns that [`game`] reads, in its order; a macro because statements are literals.
macro_rules! game_columns {
    () => {
        "game.id, game.variant, game.options, game.created, game.clock, game.opponent, game.rematch_of, game.open, \
         game.at, game.version, game.ply, game.due, game.result, game.finished, game.rules_version"
    };
}
pub(super) use game_columns;

/// Reads `game_columns!()`, wherever the row goes on after them.
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
    })
}

/// Reads `at, actor, text, time`.
pub(super) fn line(row: &AnyRow) -> Result<LineRow, sqlx::Error> {
    Ok(LineRow { at: row.try_get(0)?, actor: row.try_get(1)?, text: row.try_get(2)?, time: row.try_get(3)? })
}

/// Reads `seat, token_hash, invite_hash, name, claimed, owner`.
pub(super) fn seat(row: &AnyRow) -> Result<SeatRow, sqlx::Error> {
    Ok(SeatRow {
        seat: row.try_get(0)?,
        token: row.try_get::<Option<String>, _>(1)?.map(Digest::stored),
        invite: row.try_get::<Option<String>, _>(2)?.map(Digest::stored),
        name: row.try_get(3)?,
        claimed: row.try_get(4)?,
        owner: row.try_get::<Option<String>, _>(5)?.map(Digest::stored),
    })
}

/// The transaction has to be rolled back, and why.
pub(super) struct Undo(pub(super) StoreError);

impl From<sqlx::Error> for Undo {
    fn from(error: sqlx::Error) -> Undo {
        // Two transactions drew the same id or code at once; one after the other, the second is refused before it writes.
        match &error {
            sqlx::Error::Database(said) if said.is_unique_violation() => Undo(StoreError::Taken),
            _ => Undo(error.into()),
        }
    }
}

/// An answer, or why it was refused.
pub(super) type Reply<A> = Result<A, StoreError>;

/// The SHA-256 of a seat token or an invitation code, as 64 lower-case hexadecimal digits.
/// Two digests are compared in constant time; `Debug` shows nothing of them.
#[derive(Clone)]
pub struct Digest(String);

impl Digest {
    /// The digest of a secret's UTF-8 bytes.
    pub fn of(secret: &str) -> Digest {
        Digest(Sha256::digest(secret.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Another secret, made from what is kept of this one: for `context` it is always the same, and it tells nothing.
    pub fn derive(&self, context: &str) -> String {
        Digest::of(&format!("{context} {}", self.0)).0
    }

    /// Takes the text of a column as it is.
    pub(super) fn stored(text: String) -> Digest {
        Digest(text)
    }

    /// The text that a column is to hold.
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
