//! Challenges: games whose free seat only one key can take. The challenged key accepts or declines, and the challenger withdraws by aborting
//! the game.

use super::{Error, GameSnapshot, Owner, Play, client_bots::Program};
use crate::{
    game::Clock,
    rules::{Refusal, Seat},
    store::{self, ChallengeAnswer, Digest},
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr, sync::Arc};

/// Maximum number of unanswered challenges by one key.
const MOST_SENT: i64 = 6;
/// Maximum number of unanswered challenges to one key.
pub(super) const MOST_RECEIVED: u32 = 20;
/// Lifetime of a challenge with minutes on the clock, in milliseconds.
const SITTING: i64 = 30 * 60_000;
/// Lifetime of any other challenge, in milliseconds.
const DAYS: i64 = 14 * 86_400_000;
/// Number of expired challenges that one run ends.
const BATCH: u32 = 200;

/// Reason for declining a challenge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeclineReason {
    /// No reason.
    #[default]
    Generic,
    /// Not now.
    Later,
    /// The clock is too fast.
    TooFast,
    /// The clock is too slow.
    TooSlow,
    /// Another clock, please.
    Clock,
    /// Another variant, please.
    Variant,
    /// Other options, please.
    Options,
    /// Not against this opponent.
    Opponent,
}

impl DeclineReason {
    const ALL: [DeclineReason; 8] = [
        DeclineReason::Generic,
        DeclineReason::Later,
        DeclineReason::TooFast,
        DeclineReason::TooSlow,
        DeclineReason::Clock,
        DeclineReason::Variant,
        DeclineReason::Options,
        DeclineReason::Opponent,
    ];

    /// Name in the database and in the API.
    fn name(self) -> &'static str {
        match self {
            DeclineReason::Generic => "generic",
            DeclineReason::Later => "later",
            DeclineReason::TooFast => "too_fast",
            DeclineReason::TooSlow => "too_slow",
            DeclineReason::Clock => "clock",
            DeclineReason::Variant => "variant",
            DeclineReason::Options => "options",
            DeclineReason::Opponent => "opponent",
        }
    }
}

impl fmt::Display for DeclineReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for DeclineReason {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        DeclineReason::ALL.into_iter().find(|reason| reason.name() == text).ok_or_else(|| {
            let names = DeclineReason::ALL.map(DeclineReason::name).join(", ");
            Refusal::new(format!("“{text:.20}” is not a reason; use one of {names}"))
        })
    }
}

/// Lifetime of a challenge, in milliseconds.
pub(super) fn lifetime(clocks: [Option<Clock>; 2]) -> i64 {
    match clocks {
        [Some(Clock::Fischer { .. }), _] | [_, Some(Clock::Fischer { .. })] => SITTING,
        _ => DAYS,
    }
}

impl GameSnapshot {
    /// Row of the seat that a challenged key can take, or could have taken.
    fn challenged(&self) -> Option<&store::SeatRow> {
        self.seats.iter().find(|chair| chair.owner.is_some() && chair.claimed.is_none())
    }

    /// Time at which the challenge expires, in milliseconds since the epoch; `None` if the game is no unanswered challenge.
    pub fn challenge_expires(&self) -> Option<i64> {
        let open = |chair: &&store::SeatRow| chair.declined.is_none() && self.game.outcome().is_none();
        self.challenged().filter(open)?.expires
    }

    /// Reason with which the challenged player declined.
    pub fn decline_reason(&self) -> Option<DeclineReason> {
        self.challenged()?.declined.as_deref()?.parse().ok()
    }

    /// Seat that a key holds, or is challenged to take.
    pub(super) fn seat_for_key(&self, key: &Digest) -> Option<Seat> {
        self.seats.iter().find(|chair| chair.owner.as_ref() == Some(key))?.seat.parse().ok()
    }
}

impl Play {
    /// Checks that another challenge by the key `from` is within the limits.
    pub(super) async fn check_challenge(&self, from: &Owner, to: &Program) -> Result<(), Error> {
        let counts = self.inner.store.count_challenges(&from.key, &to.key).await?;
        if counts.sent >= MOST_SENT {
            let why = format!("your key has {MOST_SENT} unanswered challenges already; withdraw one of them, or wait");
            return Err(Refusal::new(why).into());
        }
        if counts.received >= i64::from(MOST_RECEIVED) {
            let why = format!("{} has {MOST_RECEIVED} unanswered challenges already; try again later", to.name);
            return Err(Refusal::new(why).into());
        }
        Ok(())
    }

    /// Unanswered challenges to a key, newest first.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn challenges(&self, owner: &Owner) -> Result<Vec<Arc<GameSnapshot>>, Error> {
        let mut games = Vec::new();
        for held in self.inner.store.challenges(&owner.key, MOST_RECEIVED).await? {
            let table = self.load_at_least(&held.game.id, held.game.version).await?;
            if table.challenge_expires().is_some() {
                games.push(table);
            }
        }
        Ok(games)
    }

    /// Returns whether the game is or was a challenge to this key, which it has not accepted.
    pub fn is_challenged(&self, table: &GameSnapshot, owner: &Owner) -> bool {
        table.challenged().is_some_and(|chair| chair.owner.as_ref() == Some(&owner.key))
    }

    /// Accepts a challenge. The key then holds the seat, and the game begins. Does nothing if the key holds the seat already.
    ///
    /// # Errors
    /// `Unknown` if the key was not challenged; `Refused` if the challenge was declined or withdrawn, or has expired.
    pub async fn accept_challenge(&self, id: &str, owner: &Owner) -> Result<(Arc<GameSnapshot>, Seat), Error> {
        let table = self.look(id).await?;
        if let Some(seat) = table.seat_of_key(&owner.key) {
            return Ok((table, seat));
        }
        self.answer_challenge(table, owner, None).await
    }

    /// Declines a challenge and ends its game.
    ///
    /// # Errors
    /// As [`Self::accept_challenge`].
    pub async fn decline_challenge(&self, id: &str, owner: &Owner, reason: DeclineReason) -> Result<(), Error> {
        self.answer_challenge(self.look(id).await?, owner, Some(reason)).await?;
        // Since the challenge has expired too, it also ends if the server stops here.
        self.end_open_game(id).await
    }

    async fn answer_challenge(
        &self,
        table: Arc<GameSnapshot>,
        owner: &Owner,
        declined: Option<DeclineReason>,
    ) -> Result<(Arc<GameSnapshot>, Seat), Error> {
        let id = table.id();
        let seat = table.seat_for_key(&owner.key).filter(|_| self.is_challenged(&table, owner));
        let seat =
            seat.ok_or_else(|| Error::Unknown(format!("there is no challenge {id} to this key; check the id")))?;
        let declined = declined.map(|reason| reason.to_string());
        let answer = ChallengeAnswer { game: id.to_owned(), owner: owner.key.clone(), declined, time: self.now() };
        if self.inner.store.answer_challenge(answer).await?.is_none() {
            return Err(Refusal::new("this challenge is over: it was answered or withdrawn, or has expired").into());
        }
        let loaded = self.loaded(id).await?;
        let _writing = loaded.writing.lock().await;
        Ok((loaded.put(self.read(id).await?), seat))
    }

    /// Ends the games of expired challenges. Call periodically; of several processes only the leader does it.
    ///
    /// # Errors
    /// `Busy` or `Full` if the database cannot be written.
    pub async fn end_expired_challenges(&self) -> Result<(), Error> {
        if !self.inner.peers.first() {
            return Ok(());
        }
        for id in self.inner.store.expired_challenges(self.now(), BATCH).await? {
            self.end_open_game(&id).await?;
        }
        Ok(())
    }
}
