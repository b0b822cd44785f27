//! Seats of games: claims, tokens and invitations. All times are milliseconds since 1970, as given by the caller.

use super::{
    Digest, StoreError,
    rows::{Reply, Undo},
};
use sqlx::{AnyConnection, Row, query};

/// A seat of a game to create.
#[derive(Debug, Clone)]
pub struct NewSeat {
    /// Name of the seat.
    pub seat: String,
    /// Proof that a player holds the seat.
    pub holder: Holder,
    /// Display name of the player.
    pub name: Option<String>,
    /// Key that owns the seat.
    pub owner: Option<Digest>,
}

/// Proof of a seat when its game is created.
#[derive(Debug, Clone)]
pub enum Holder {
    /// The digest of a seat token. The seat is taken from the start.
    Token(Digest),
    /// The digest of an invitation. The first player who uses it gets the seat.
    Invite(Digest),
    /// No token: the seat belongs to a bot of the server or to a bot with its own key. It is taken from the start.
    Empty,
    /// No token: the seat is free until its owner accepts the challenge, and no later than this time.
    Challenge(i64),
}

/// How a player finds a free seat.
#[derive(Debug, Clone)]
pub enum SeatEntry {
    /// Through an invitation code.
    Invite(Digest),
    /// From the lobby, by the game's id.
    Lobby(String),
}

/// A request for a free seat.
#[derive(Debug, Clone)]
pub struct Claim {
    /// How the player found the seat.
    pub entry: SeatEntry,
    /// Digest of the new seat token.
    pub token: Digest,
    /// Display name of the player; `None` keeps the stored name.
    pub name: Option<String>,
    /// Key that is to own the seat.
    pub owner: Option<Digest>,
    /// Time of the claim.
    pub time: i64,
    /// Time at which a clock runs out unless a player acts; `None` leaves the game's value unchanged.
    pub due: Option<i64>,
}

/// A claimed seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClaimedSeat {
    /// The game.
    pub game: String,
    /// Name of the seat.
    pub seat: String,
    /// The game's new version.
    pub version: i64,
}

/// Replacement of a seat's secret. The old secret becomes invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renewal {
    /// The game.
    pub game: String,
    /// Name of the seat.
    pub seat: String,
    /// The secret to replace.
    pub key: Key,
    /// Time of the replacement.
    pub time: i64,
}

/// Secret of a seat and its replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Key {
    /// The new invitation to a free seat.
    Invitation(Digest),
    /// The token of a taken seat.
    Proof {
        /// Current token.
        old: Digest,
        /// New token.
        new: Digest,
    },
}

/// Change of a seek: an open game whose creator has to stay present.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seek {
    /// The game.
    pub game: String,
    /// Time until which the creator counts as present; `None` takes the game out of the lobby.
    pub until: Option<i64>,
}

/// Answer of a key to a challenge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChallengeAnswer {
    /// The game.
    pub game: String,
    /// The challenged key.
    pub owner: Digest,
    /// Reason for declining; `None` accepts. Opaque here.
    pub declined: Option<String>,
    /// Time of the answer.
    pub time: i64,
}

/// Numbers of unanswered challenges.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChallengeCounts {
    /// Challenges by the one key.
    pub sent: i64,
    /// Challenges to the other key.
    pub received: i64,
}

/// Game and seat of an invitation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invitation {
    /// The game.
    pub game: String,
    /// Name of the seat.
    pub seat: String,
    /// Time at which it was used; `None` while it is valid.
    pub claimed: Option<i64>,
}

/// Gives a free seat to the claimant.
pub(super) async fn claim(db: &mut AnyConnection, new: &Claim) -> Result<Reply<ClaimedSeat>, Undo> {
    let (sit, door) = match &new.entry {
        SeatEntry::Invite(invite) => (
            "UPDATE seat SET token_hash = $2, name = COALESCE($3, name), claimed = $4, owner = $5 \
             WHERE invite_hash = $1 AND claimed IS NULL \
             AND EXISTS (SELECT 1 FROM game WHERE id = seat.game AND result IS NULL) RETURNING game, seat",
            invite.text(),
        ),
        SeatEntry::Lobby(game) => (
            "UPDATE seat SET token_hash = $2, name = COALESCE($3, name), claimed = $4, owner = $5 \
             WHERE game = $1 AND claimed IS NULL \
             AND seat = (SELECT MIN(seat) FROM seat WHERE game = $1 AND claimed IS NULL) \
             AND EXISTS (SELECT 1 FROM game WHERE id = $1 AND open = 1 AND result IS NULL AND (seeking IS NULL OR seeking > $4)) \
             RETURNING game, seat",
            game.as_str(),
        ),
    };
    let sat = query(sit).bind(door).bind(new.token.text()).bind(&new.name).bind(new.time);
    let sat = sat.bind(new.owner.as_ref().map(Digest::text));
    let Some(row) = sat.fetch_optional(&mut *db).await? else { return no_seat(db, &new.entry).await };
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

/// Changes a seek. Returns false if the game has left the lobby before.
pub(super) async fn seek(db: &mut AnyConnection, new: &Seek) -> Result<bool, Undo> {
    let changed = match new.until {
        Some(until) => query("UPDATE game SET seeking = $2 WHERE id = $1 AND open = 1 AND result IS NULL")
            .bind(&new.game)
            .bind(until),
        None => query("UPDATE game SET open = 0 WHERE id = $1 AND open = 1 AND result IS NULL").bind(&new.game),
    };
    Ok(changed.execute(db).await?.rows_affected() == 1)
}

/// Accepts or declines a challenge and returns the game's new version; `None` if the key can no longer do so. A declined challenge
/// has expired.
pub(super) async fn answer_challenge(db: &mut AnyConnection, new: &ChallengeAnswer) -> Result<Option<i64>, Undo> {
    let answered = match &new.declined {
        None => query(
            "UPDATE seat SET claimed = $3, expires = NULL WHERE game = $1 AND owner = $2 AND claimed IS NULL \
             AND finished IS NULL AND declined IS NULL AND expires > $3",
        ),
        Some(_) => query(
            "UPDATE seat SET expires = $3, declined = $4 WHERE game = $1 AND owner = $2 AND claimed IS NULL \
             AND finished IS NULL AND declined IS NULL AND expires > $3",
        ),
    };
    let answered = answered.bind(&new.game).bind(new.owner.text()).bind(new.time);
    let answered = match &new.declined {
        None => answered,
        Some(reason) => answered.bind(reason),
    };
    if answered.execute(&mut *db).await?.rows_affected() == 0 {
        return Ok(None);
    }
    let told = query("UPDATE game SET version = version + 1, touched = $2 WHERE id = $1 RETURNING version");
    Ok(Some(told.bind(&new.game).bind(new.time).fetch_one(db).await?.try_get(0)?))
}

/// Replaces the invitation or token of a seat and returns the game's new version.
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

/// Finds out why a claim found no free seat.
async fn no_seat(db: &mut AnyConnection, door: &SeatEntry) -> Result<Reply<ClaimedSeat>, Undo> {
    let used = match door {
        SeatEntry::Invite(invite) => {
            let seat =
                query("SELECT COUNT(claimed) FROM seat WHERE invite_hash = $1 GROUP BY game").bind(invite.text());
            match seat.fetch_optional(db).await?.map(|row| row.try_get::<i64, _>(0)).transpose()? {
                Some(0) => return Ok(Err(StoreError::Over)),
                Some(_) => true,
                None => false,
            }
        }
        // A seat that is still free was never in the lobby, or has left it.
        SeatEntry::Lobby(game) => {
            let chairs = query("SELECT COUNT(*), COUNT(claimed) FROM seat WHERE game = $1").bind(game);
            let row = chairs.fetch_one(db).await?;
            let (all, taken): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
            all > 0 && all == taken
        }
    };
    Ok(Err(if used { StoreError::Used } else { StoreError::NoInvitation }))
}
