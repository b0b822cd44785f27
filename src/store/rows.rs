//! The shapes that go in and come out: ids, numbers and text. All times are milliseconds since 1970, as given.

use super::{BotTurn, Digest};
use sqlx::{Row, any::AnyRow};

/// One game as its row stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRow {
    /// Short random text, drawn by whoever began the game.
    pub id: String,
    /// The variant's key.
    pub variant: String,
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

/// A game to begin.
#[derive(Debug, Clone)]
pub struct NewGame {
    /// Short random text; [`StoreError::Taken`](super::StoreError::Taken) if it exists.
    pub id: String,
    /// The variant's key.
    pub variant: String,
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

/// A chair of a game to begin.
#[derive(Debug, Clone)]
pub struct NewSeat {
    /// Which chair.
    pub seat: String,
    /// The one who may sit there.
    pub holder: Holder,
    /// The name of whoever sits there.
    pub name: Option<String>,
    /// The key that owns it.
    pub owner: Option<Digest>,
}

/// The holder of a chair when a game begins.
#[derive(Debug, Clone)]
pub enum Holder {
    /// Whoever has this token; the chair is taken from the start.
    Token(Digest),
    /// Whoever comes first with this invitation.
    Invite(Digest),
    /// Nobody who would need a proof of this chair alone: a bot, or a program with its key. The chair is taken from the start.
    Nobody,
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
    pub over: Option<Over>,
    /// The request's own key, if it has one.
    pub receipt: Option<Receipt>,
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Over {
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

/// Where a chair is claimed.
#[derive(Debug, Clone)]
pub enum Door {
    /// With an invitation code.
    Invite(Digest),
    /// From the lobby, by the game's id.
    Lobby(String),
}

/// Somebody sits down.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The door by which they come in.
    pub door: Door,
    /// The proof of their chair from now on.
    pub token: Digest,
    /// The name to call them by; none keeps what the chair says.
    pub name: Option<String>,
    /// Their key, if they have one.
    pub owner: Option<Digest>,
    /// When.
    pub time: i64,
    /// When a clock runs out if nobody acts; none leaves the game's as it is.
    pub due: Option<i64>,
}

/// A chair that was claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claimed {
    /// In which game.
    pub game: String,
    /// Which chair.
    pub seat: String,
    /// The game's new version.
    pub version: i64,
}

/// A chair gets another key: what opened it opens nothing any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renewal {
    /// The game.
    pub game: String,
    /// The chair.
    pub seat: String,
    /// What is replaced.
    pub key: Key,
    /// When.
    pub time: i64,
}

/// What is replaced, and by what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// The invitation to a chair that nobody has taken.
    Invitation(Digest),
    /// The proof of a chair that somebody has.
    Proof {
        /// The proof as it is.
        old: Digest,
        /// The proof from now on.
        new: Digest,
    },
}

/// The game and the chair that an invitation leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// Which game.
    pub game: String,
    /// Which chair.
    pub seat: String,
    /// When it was used; none while it is good.
    pub claimed: Option<i64>,
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
pub struct Due {
    /// Which game.
    pub game: String,
    /// Since when.
    pub due: i64,
}

/// The columns that [`game`] reads, in its order; a macro because statements are literals.
macro_rules! game_columns {
    () => {
        "game.id, game.variant, game.options, game.created, game.clock, game.opponent, game.rematch_of, game.open, \
         game.at, game.version, game.ply, game.due, game.result, game.finished"
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
    })
}

/// Reads `at, actor, text, time`.
pub(super) fn line(row: &AnyRow) -> Result<LineRow, sqlx::Error> {
    Ok(LineRow { at: row.try_get(0)?, actor: row.try_get(1)?, text: row.try_get(2)?, time: row.try_get(3)? })
}

/// Reads `army, pairs, touched`.
pub(super) fn measurement(row: &AnyRow) -> Result<Measurement, sqlx::Error> {
    Ok(Measurement { army: row.try_get(0)?, pairs: row.try_get(1)?, time: row.try_get(2)? })
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

/// The results of an army that bots tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measurement {
    /// The army.
    pub army: String,
    /// Its results, as text.
    pub pairs: String,
    /// When they were written down, in milliseconds since the epoch.
    pub time: i64,
}
