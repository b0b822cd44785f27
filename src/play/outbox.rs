//! Outbox of turn notifications, from the move to the delivery. It does no HTTP itself: `web` sends the notifications that it claims here.
//!
//! [`Play::record_turns`] writes a turn to the outbox before anything is sent. The row of a game holds the version whose turns were
//! recorded last. So turns missed in a crash, by a full queue or by a lagging listener are found again: at the start, after a lag, and
//! every minute.
//!
//! An entry waits until it is delivered, or for three days, with two exceptions. A newer turn of the same seat replaces it. And before each
//! attempt it is compared with the game: it is deleted if the game is over, the seat is not to move at that ply, or the seat has another
//! owner. So the outbox has at most one entry per destination, game and seat.
//!
//! An entry that waits for a retry holds no claim. Each key holds at most two claims at a time, across all processes, and the keys take
//! turns.

use std::{sync::Arc, time::Duration};

use tokio::{sync::broadcast::error::RecvError, time};

use super::{
    Error, GameSnapshot, Play,
    notifications::{Delivery, Notice, PATIENCE},
};
use crate::{
    rules::Seat,
    store::{OutboxEntry, OutboxSearch, RecordedTurns, Settlement},
};

/// Maximum number of concurrent deliveries per key.
const PER_KEY: u32 = 2;
/// Time until a claim expires, in milliseconds; longer than any attempt.
const CLAIM: i64 = 30_000;
/// Delay before each attempt after the first, in milliseconds; the last value repeats.
const BACKOFF: [i64; 6] = [2_000, 15_000, 60_000, 300_000, 1_800_000, 7_200_000];
/// Number of games with missed turns per batch.
const BATCH: u32 = 100;
/// Interval between searches for missed turns.
const SEARCH: Duration = Duration::from_secs(60);
/// Interval between searches for due notifications when this process has written none.
const LOOK: Duration = Duration::from_secs(1);

/// A claimed notification that is up to date.
pub struct Message {
    /// Destination.
    pub notice: Notice,
    /// The game.
    pub table: Arc<GameSnapshot>,
    /// The seat to move.
    pub seat: Seat,
    entry: OutboxEntry,
}

impl Play {
    /// Records the turns of all games that this process changes, and any missed turns, until the store is closed.
    pub async fn record_turns(&self) {
        let mut changes = self.inner.store.listen();
        let mut search = time::interval(SEARCH);
        search.set_missed_tick_behavior(time::MissedTickBehavior::Delay);
        loop {
            let recorded = tokio::select! {
                _ = search.tick() => self.record_skipped_turns().await,
                change = changes.recv() => match change {
                    Ok(change) => self.record_turn(&change.game, change.version).await,
                    Err(RecvError::Lagged(_)) => self.record_skipped_turns().await,
                    Err(RecvError::Closed) => return,
                },
            };
            if let Err(error) = recorded {
                tracing::warn!(%error, "recording turn notifications failed; retrying within a minute");
            }
        }
    }

    async fn record_skipped_turns(&self) -> Result<(), Error> {
        let mut last = String::new();
        loop {
            let games = self.inner.store.unrecorded_turns(&last, BATCH).await?;
            for (game, version) in &games {
                match self.record_turn(game, *version).await {
                    Err(error @ (Error::Busy | Error::Full(_) | Error::Away(_))) => return Err(error),
                    Err(error) => tracing::warn!(game, %error, "recording the turns of a game failed"),
                    Ok(()) => {}
                }
            }
            match games.into_iter().nth(BATCH as usize - 1) {
                Some((game, _)) => last = game,
                None => return Ok(()),
            }
        }
    }

    async fn record_turn(&self, game: &str, version: i64) -> Result<(), Error> {
        if !self.inner.store.wants_notifications(game).await? {
            return Ok(());
        }
        let table = self.load_at_least(game, version).await?;
        if table.game.outcome().is_some() {
            return Ok(());
        }
        let seats = if table.complete() { table.game.awaits() } else { Vec::new() };
        let turns = RecordedTurns {
            game: game.to_owned(),
            version: table.version(),
            ply: ply(&table),
            seats: seats.iter().map(|seat| seat.name().to_owned()).collect(),
            now: self.now(),
        };
        if self.inner.store.record_turns(turns).await? {
            self.inner.outbox.notify_one();
        }
        Ok(())
    }

    /// Claims a due notification. Returns none if no key with a due one may hold another claim.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn claim_notification(&self) -> Result<Option<OutboxEntry>, Error> {
        let now = self.now();
        Ok(self.inner.store.claim_notification(OutboxSearch { now, until: now + CLAIM, per_owner: PER_KEY }).await?)
    }

    /// Waits until there may be a notification to claim.
    pub async fn outbox_changed(&self) {
        let _ = time::timeout(LOOK, self.inner.outbox.notified()).await;
    }

    /// Builds the message of a claimed notification. Deletes an outdated notification and returns none.
    ///
    /// # Errors
    /// `Busy`, or a database error; the notification is due again when the claim expires.
    pub async fn message(&self, entry: OutboxEntry) -> Result<Option<Message>, Error> {
        let found = match self.inner.store.notice(&entry.notice).await? {
            Some(row) => self.current_turn(&entry).await?.zip(Some(Notice::of(row)?)),
            None => None,
        };
        match found {
            Some(((table, seat), notice)) => Ok(Some(Message { notice, table, seat, entry })),
            None => self.settle(entry, None).await.map(|()| None),
        }
    }

    /// Game and seat of a notification, if it is still that seat's turn.
    async fn current_turn(&self, entry: &OutboxEntry) -> Result<Option<(Arc<GameSnapshot>, Seat)>, Error> {
        let table = match self.look(&entry.game).await {
            Err(Error::Unknown(_)) => return Ok(None),
            looked => looked?,
        };
        let seat: Seat = entry.seat.parse()?;
        let running = table.game.outcome().is_none() && table.complete() && ply(&table) == entry.ply;
        let current = running && table.game.awaits().contains(&seat) && table.seat_of_key(&entry.owner) == Some(seat);
        Ok(current.then_some((table, seat)))
    }

    /// Records the result of an attempt. A failed notification is due again later, for up to three days.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn settle_message(&self, message: Message, outcome: Delivery) -> Result<(), Error> {
        let Message { notice, entry, .. } = message;
        let now = self.now();
        let tries = usize::try_from(entry.attempts).unwrap_or_default().min(BACKOFF.len() - 1);
        let lasting = outcome == Delivery::Failed && now - entry.created < PATIENCE;
        let noted = self.note_delivery(&notice.id, notice.failing, outcome).await;
        self.settle(entry, lasting.then_some(now + BACKOFF[tries])).await.and(noted)
    }

    async fn settle(&self, entry: OutboxEntry, retry: Option<i64>) -> Result<(), Error> {
        let settled = self.inner.store.settle_notification(Settlement { entry, retry }).await;
        self.inner.outbox.notify_one();
        Ok(settled?)
    }
}

fn ply(table: &GameSnapshot) -> i64 {
    i64::try_from(table.game.ply()).unwrap_or(i64::MAX)
}
