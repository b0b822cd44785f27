//! Events in all games of a key: challenges, games that have begun, opponents who join, turns, offers and results.

use std::{collections::HashMap, future::pending, pin::Pin, sync::Arc, time::Duration};

use futures_util::{
    Stream, StreamExt,
    stream::{self, SelectAll},
};
use tokio::{
    runtime::Handle,
    sync::broadcast::{Receiver, error::RecvError},
    time::{Interval, MissedTickBehavior, interval},
};

use super::{Error, GameSnapshot, Owner, Play, challenges::MOST_RECEIVED};
use crate::{
    game::Offers,
    rules::Seat,
    store::{Change, Digest, PeerMessage, Presence},
};

/// Maximum number of games followed at once per key; the newest take precedence.
const FOLLOWED: u32 = 200;
/// Interval between presence updates of a listening key.
const BEAT: Duration = Duration::from_secs(15);
/// Time after which a key without an update is offline, in milliseconds.
const GONE: i64 = 40_000;

/// Kind of event in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyEvent {
    /// The key is challenged.
    Challenge,
    /// The key has a new game, or had it when the listener connected.
    Game,
    /// An opponent has taken the free seat.
    Joined,
    /// It is the key's turn.
    Turn,
    /// The opponent has made an offer.
    Offer,
    /// The game or the challenge is over.
    End,
}

/// State of a game at its last event.
struct LastState {
    /// True if the key holds the seat. Until then it is challenged.
    held: bool,
    complete: bool,
    ply: usize,
    asked: bool,
    offers: Offers,
}

impl LastState {
    fn of(table: &GameSnapshot, seat: Seat) -> LastState {
        let game = &table.game;
        LastState {
            held: table.taken(seat),
            complete: table.complete(),
            ply: game.ply(),
            asked: game.awaits().contains(&seat),
            offers: game.offers(),
        }
    }

    /// Event between two states, for the player in `seat`.
    fn event_since(&self, now: &LastState, seat: Seat) -> Option<KeyEvent> {
        let theirs = |offers: &Offers| {
            let other = Some(!seat);
            let rematch = offers.rematch[(!seat).index()];
            (
                offers.draw.filter(|_| offers.draw == other),
                offers.takeback.filter(|_| offers.takeback == other),
                rematch,
            )
        };
        let offered = theirs(&now.offers);
        if !now.held {
            None
        } else if !self.held {
            Some(KeyEvent::Game)
        } else if now.complete && !self.complete {
            Some(KeyEvent::Joined)
        } else if now.asked && (!self.asked || self.ply != now.ply) {
            Some(KeyEvent::Turn)
        } else if offered != theirs(&self.offers) && offered != (None, None, false) {
            Some(KeyEvent::Offer)
        } else {
            None
        }
    }
}

type Moments = Pin<Box<dyn Stream<Item = Arc<GameSnapshot>> + Send>>;

/// Listener to all games of a key, including changes by other processes.
pub struct KeyListener {
    play: Play,
    key: Digest,
    changes: Receiver<Change>,
    others: Option<Receiver<PeerMessage>>,
    moments: SelectAll<Moments>,
    /// The key's seat in each game, and the state at the last event; `None` before the first one.
    known: HashMap<String, (Seat, Option<LastState>)>,
    /// Event of the same moment as the last one.
    following: Option<(KeyEvent, Arc<GameSnapshot>, Seat)>,
    beat: Interval,
}

impl Play {
    /// Subscribes to the games of a key. The running games come first, one event each.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn follow_key(&self, owner: Owner) -> Result<KeyListener, Error> {
        let mut beat = interval(BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (changes, others) = (self.inner.store.listen(), self.inner.store.peer_messages());
        let mut listener = KeyListener {
            play: self.clone(),
            key: owner.key,
            changes,
            others,
            moments: SelectAll::new(),
            known: HashMap::new(),
            following: None,
            beat,
        };
        listener.look().await?;
        listener.attend().await?;
        Ok(listener)
    }
}

impl KeyListener {
    /// Waits for the next event, with its game and the key's seat. Returns none when the store is closed.
    pub async fn next(&mut self) -> Option<(KeyEvent, Arc<GameSnapshot>, Seat)> {
        loop {
            if let Some(event) = self.following.take() {
                return Some(event);
            }
            let found = tokio::select! {
                change = self.changes.recv() => match change {
                    Ok(change) => self.follow_change(&change).await,
                    Err(RecvError::Lagged(_)) => self.look().await,
                    Err(RecvError::Closed) => return None,
                },
                heard = from(&mut self.others) => match heard {
                    Ok(PeerMessage::Change(change)) => self.follow_change(&change).await,
                    Ok(PeerMessage::Missed) | Err(RecvError::Lagged(_)) => self.look().await,
                    Err(RecvError::Closed) => return None,
                },
                _ = self.beat.tick() => self.attend().await,
                Some(table) = self.moments.next() => match self.event_of(&table) {
                    Some((news, seat)) => return Some((news, table, seat)),
                    None => Ok(()),
                },
            };
            if let Err(error) = found {
                tracing::warn!(%error, "reading the games of a key failed");
            }
        }
    }

    async fn follow_change(&mut self, change: &Change) -> Result<(), Error> {
        match change.owners.contains(&self.key) {
            true => self.add(&change.game, change.version).await,
            false => Ok(()),
        }
    }

    /// Follows all games and challenges that it does not follow yet.
    async fn look(&mut self) -> Result<(), Error> {
        let store = &self.play.inner.store;
        let mut found = store.playing(&self.key, None, FOLLOWED).await?;
        found.extend(store.challenges(&self.key, MOST_RECEIVED).await?);
        for held in found {
            self.add(&held.game.id, held.game.version).await?;
        }
        Ok(())
    }

    async fn add(&mut self, id: &str, version: i64) -> Result<(), Error> {
        if self.known.contains_key(id) {
            return Ok(());
        }
        let table = self.play.load_at_least(id, version).await?;
        let Some(seat) = table.seat_for_key(&self.key) else { return Ok(()) };
        let listener = self.play.listen(id).await?;
        // The stream starts with the current state and ends with the end of the game.
        let moments = stream::unfold((Some(listener), true), |(listener, first)| async move {
            let mut listener = listener?;
            let table = if first { listener.table() } else { listener.change().await };
            let over = table.game.outcome().is_some();
            Some((table, ((!over).then_some(listener), false)))
        });
        self.known.insert(id.to_owned(), (seat, None));
        self.moments.push(Box::pin(moments));
        Ok(())
    }

    fn event_of(&mut self, table: &Arc<GameSnapshot>) -> Option<(KeyEvent, Seat)> {
        let (seat, before) = self.known.get_mut(table.id())?;
        let seat = *seat;
        // The seat has been given to another key.
        if table.seat_for_key(&self.key) != Some(seat) {
            self.known.remove(table.id());
            return None;
        }
        let now = LastState::of(table, seat);
        let news = match (table.game.outcome(), &before) {
            (Some(_), _) => Some(KeyEvent::End),
            (None, None) if now.held => Some(KeyEvent::Game),
            (None, None) => table.challenge_expires().map(|_| KeyEvent::Challenge),
            (None, Some(before)) => before.event_since(&now, seat),
        };
        // The opponent may have moved too since joining.
        if let (Some(KeyEvent::Joined), Some(before)) = (news, before.take()) {
            let more = LastState { complete: true, ..before }.event_since(&now, seat);
            self.following = more.map(|more| (more, table.clone(), seat));
        }
        *before = Some(now);
        if news == Some(KeyEvent::End) {
            self.known.remove(table.id());
        }
        news.map(|news| (news, seat))
    }

    async fn attend(&mut self) -> Result<(), Error> {
        let now = self.play.now();
        let presence = Presence { key: self.key.clone(), until: now + GONE, time: now };
        Ok(self.play.inner.store.record_presence(presence).await?)
    }
}

impl Drop for KeyListener {
    /// Marks the bot as offline, so that it gets no challenges. If the key has another listener, that one's next update corrects this.
    fn drop(&mut self) {
        let Ok(runtime) = Handle::try_current() else { return };
        let (play, key) = (self.play.clone(), self.key.clone());
        runtime.spawn(async move {
            let time = play.now();
            // If this cannot be written, the presence expires anyway.
            let _ = play.inner.store.record_presence(Presence { key, until: time, time }).await;
        });
    }
}

async fn from(others: &mut Option<Receiver<PeerMessage>>) -> Result<PeerMessage, RecvError> {
    match others {
        Some(others) => others.recv().await,
        None => pending().await,
    }
}
