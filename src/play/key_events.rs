//! What happens in the games of a key, all in one place: which have begun, where it is asked, what it is offered, which are over.

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

use super::{Error, GameSnapshot, Owner, Play};
use crate::{
    game::Offers,
    rules::Seat,
    store::{Change, Digest, PeerMessage, Presence},
};

/// The games of one key that are followed at once; of more, the newest.
const FOLLOWED: u32 = 200;
/// How often a key that listens says so.
const BEAT: Duration = Duration::from_secs(15);
/// It is not there when it has not said so for so long, in milliseconds.
const GONE: i64 = 40_000;

/// What is new about a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyEvent {
    /// It has begun, or goes on when the listener comes.
    Game,
    /// The key's seat is asked.
    Turn,
    /// The other side has offered something, or asks for something.
    Offer,
    /// It is over.
    End,
}

/// How a game stood when it was told of the last time.
struct Known {
    ply: usize,
    asked: bool,
    offers: Offers,
}

impl Known {
    fn of(table: &GameSnapshot, seat: Seat) -> Known {
        let game = &table.game;
        Known { ply: game.ply(), asked: game.awaits().contains(&seat), offers: game.offers() }
    }

    /// What is new since, for whoever has this seat.
    fn news(&self, now: &Known, seat: Seat) -> Option<KeyEvent> {
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
        if now.asked && (!self.asked || self.ply != now.ply) {
            Some(KeyEvent::Turn)
        } else if offered != theirs(&self.offers) && offered != (None, None, false) {
            Some(KeyEvent::Offer)
        } else {
            None
        }
    }
}

type Moments = Pin<Box<dyn Stream<Item = Arc<GameSnapshot>> + Send>>;

/// Hears what happens in all games of a key, on whichever process.
pub struct KeyListener {
    play: Play,
    key: Digest,
    changes: Receiver<Change>,
    others: Option<Receiver<PeerMessage>>,
    moments: SelectAll<Moments>,
    /// The key's seat of each game, and how that stood; nothing before it was told of.
    known: HashMap<String, (Seat, Option<Known>)>,
    beat: Interval,
}

impl Play {
    /// Hears of the games of a key from now on: first of those that go on, one after the other.
    ///
    /// # Errors
    /// `Busy`, or what the record says.
    pub async fn follow_key(&self, owner: Owner) -> Result<KeyListener, Error> {
        let mut beat = interval(BEAT);
        beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let (changes, others) = (self.inner.store.listen(), self.inner.store.others());
        let mut listener = KeyListener {
            play: self.clone(),
            key: owner.key,
            changes,
            others,
            moments: SelectAll::new(),
            known: HashMap::new(),
            beat,
        };
        listener.look().await?;
        listener.attend().await?;
        Ok(listener)
    }
}

impl KeyListener {
    /// The next news, with the game and the key's seat; nothing when the record is closed.
    pub async fn next(&mut self) -> Option<(KeyEvent, Arc<GameSnapshot>, Seat)> {
        loop {
            let found = tokio::select! {
                change = self.changes.recv() => match change {
                    Ok(change) => self.heard(&change).await,
                    Err(RecvError::Lagged(_)) => self.look().await,
                    Err(RecvError::Closed) => return None,
                },
                heard = from(&mut self.others) => match heard {
                    Ok(PeerMessage::Change(change)) => self.heard(&change).await,
                    Ok(PeerMessage::Missed) | Err(RecvError::Lagged(_)) => self.look().await,
                    Err(RecvError::Closed) => return None,
                },
                _ = self.beat.tick() => self.attend().await,
                Some(table) = self.moments.next() => match self.told(&table) {
                    Some((news, seat)) => return Some((news, table, seat)),
                    None => Ok(()),
                },
            };
            if let Err(error) = found {
                tracing::warn!(%error, "the games of a key could not be read");
            }
        }
    }

    async fn heard(&mut self, change: &Change) -> Result<(), Error> {
        match change.owners.contains(&self.key) {
            true => self.add(&change.game, change.version).await,
            false => Ok(()),
        }
    }

    /// Follows all games that it does not follow yet.
    async fn look(&mut self) -> Result<(), Error> {
        for held in self.play.inner.store.playing(&self.key, None, FOLLOWED).await? {
            self.add(&held.game.id, held.game.version).await?;
        }
        Ok(())
    }

    async fn add(&mut self, id: &str, version: i64) -> Result<(), Error> {
        if self.known.contains_key(id) {
            return Ok(());
        }
        let table = self.play.listed(id, version).await?;
        let Some(seat) = table.owned(&self.key) else { return Ok(()) };
        let listener = self.play.listen(id).await?;
        // The game as it stands comes first, and nothing after its end.
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

    fn told(&mut self, table: &GameSnapshot) -> Option<(KeyEvent, Seat)> {
        let (seat, before) = self.known.get_mut(table.id())?;
        let seat = *seat;
        // Another key has taken the place of this one.
        if table.owned(&self.key) != Some(seat) {
            self.known.remove(table.id());
            return None;
        }
        let now = Known::of(table, seat);
        let news = match (table.game.outcome(), &before) {
            (Some(_), _) => Some(KeyEvent::End),
            (None, None) => Some(KeyEvent::Game),
            (None, Some(before)) => before.news(&now, seat),
        };
        *before = Some(now);
        if news == Some(KeyEvent::End) {
            self.known.remove(table.id());
        }
        news.map(|news| (news, seat))
    }

    async fn attend(&mut self) -> Result<(), Error> {
        let now = self.play.now();
        let presence = Presence { key: self.key.clone(), until: now + GONE, time: now };
        Ok(self.play.inner.store.attend_owner(presence).await?)
    }
}

impl Drop for KeyListener {
    /// A program that has gone is not asked for a game. If the same key listens elsewhere it says so again soon.
    fn drop(&mut self) {
        let Ok(runtime) = Handle::try_current() else { return };
        let (play, key) = (self.play.clone(), self.key.clone());
        runtime.spawn(async move {
            let time = play.now();
            // Where nothing can be written it is forgotten by itself.
            let _ = play.inner.store.attend_owner(Presence { key, until: time, time }).await;
        });
    }
}

async fn from(others: &mut Option<Receiver<PeerMessage>>) -> Result<PeerMessage, RecvError> {
    match others {
        Some(others) => others.recv().await,
        None => pending().await,
    }
}
