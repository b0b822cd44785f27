//! The chairs of games: who sits down, and what proves it. All times are milliseconds since 1970, as given.

use super::{
    Digest, StoreError,
    rows::{Reply, Undo},
};
use sqlx::{AnyConnection, Row, query};

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

/// Where a chair is claimed.
#[derive(Debug, Clone)]
pub enum SeatEntry {
    /// With an invitation code.
    Invite(Digest),
    /// From the lobby, by the game's id.
    Lobby(String),
}

/// Somebody sits down.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The door by which they come in.
    pub door: SeatEntry,
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
pub struct ClaimedSeat {
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

/// Gives a free chair to whoever claims it.
pub(super) async fn claim(db: &mut AnyConnection, new: &Claim) -> Result<Reply<ClaimedSeat>, Undo> {
    let (sit, door) = match &new.door {
        SeatEntry::Invite(invite) => (
            "UPDATE seat SET token_hash = $2, name = COALESCE($3, name), claimed = $4, owner = $5 \
             WHERE invite_hash = $1 AND claimed IS NULL RETURNING game, seat",
            invite.text(),
        ),
        SeatEntry::Lobby(game) => (
            "UPDATE seat SET token_hash = $2, name = COALESCE($3, name), claimed = $4, owner = $5 \
             WHERE game = $1 AND claimed IS NULL \
             AND seat = (SELECT MIN(seat) FROM seat WHERE game = $1 AND claimed IS NULL) \
             AND EXISTS (SELECT 1 FROM game WHERE id = $1 AND open = 1 AND result IS NULL) RETURNING game, seat",
            game.as_str(),
        ),
    };
    let sat = query(sit).bind(door).bind(new.token.text()).bind(&new.name).bind(new.time);
    let sat = sat.bind(new.owner.as_ref().map(Digest::text));
    let Some(row) = sat.fetch_optional(&mut *db).await? else { return no_seat(db, &new.door).await };
    let (game, seat): (String, String) = (row.try_get(0)?, row.try_get(1)?);
    let told = query(
        "UPDATE game SET open = 0, version = version + 1, due = COALESCE($2, due), touched = $3 \
         WHERE id = $1 RETURNING version",
    )
    .bind(&game)
    .bind(new.due)
    .bind(new.time)
    .fetch_one(db)
    .await?;
    Ok(Ok(ClaimedSeat { game, seat, version: told.try_get(0)? }))
}

/// Gives a chair another key. The answer is the game's new version.
pub(super) async fn renew(db: &mut AnyConnection, new: &Renewal) -> Result<Reply<i64>, Undo> {
    let changed = match &new.key {
        Key::Invitation(code) => query(
            "UPDATE seat SET invite_hash = $3 \
             WHERE game = $1 AND seat = $2 AND claimed IS NULL AND invite_hash IS NOT NULL",
        )
        .bind(&new.game)
        .bind(&new.seat)
        .bind(code.text()),
        Key::Proof { old, new: proof } => {
            query("UPDATE seat SET token_hash = $3 WHERE game = $1 AND seat = $2 AND token_hash = $4")
                .bind(&new.game)
                .bind(&new.seat)
                .bind(proof.text())
                .bind(old.text())
        }
    };
    if changed.execute(&mut *db).await?.rows_affected() == 0 {
        return Ok(Err(StoreError::Used));
    }
    let told = query("UPDATE game SET version = version + 1, touched = $2 WHERE id = $1 RETURNING version");
    let told = told.bind(&new.game).bind(new.time).fetch_one(db).await?;
    Ok(Ok(told.try_get(0)?))
}

/// Why a claim found no free chair.
async fn no_seat(db: &mut AnyConnection, door: &SeatEntry) -> Result<Reply<ClaimedSeat>, Undo> {
    let used = match door {
        SeatEntry::Invite(invite) => query("SELECT game FROM seat WHERE invite_hash = $1")
            .bind(invite.text())
            .fetch_optional(db)
            .await?
            .is_some(),
        // A chair that is still free was never offered in the lobby, or is no longer.
        SeatEntry::Lobby(game) => {
            let chairs = query("SELECT COUNT(*), COUNT(claimed) FROM seat WHERE game = $1").bind(game);
            let row = chairs.fetch_one(db).await?;
            let (all, taken): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
            all > 0 && all == taken
        }
    };
    Ok(Err(if used { StoreError::Used } else { StoreError::NoInvitation }))
}
