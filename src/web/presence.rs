//! Those who follow games live: the open event streams of every client address, and of every game how many look on, which players
//! are there, and what these have said to each other. It knows no request.

use super::error::{Error, Kind};
use crate::{rules::Seat, text_enum};
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};
use tokio::sync::watch;

text_enum! {
    /// A phrase that the two players of a game can say to each other. There are no others: nobody can be told anything worse.
    #[derive(utoipa::ToSchema)]
    pub enum Phrase {
        Hello = "hello": "Hello!",
        Luck = "luck": "Good luck!",
        Moment = "moment": "One moment, please.",
        Fine = "fine": "Fine move!",
        Oops = "oops": "Oops!",
        Thanks = "thanks": "Thank you!",
        Game = "game": "Good game!",
        Bye = "bye": "I have to go. Goodbye!",
    }
}

/// A player says at most one phrase in so many milliseconds.
const PAUSE: i64 = 2_000;
/// A phrase is heard for so many milliseconds.
const HEARD: i64 = 60_000;

/// A phrase that was said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChatEntry {
    /// The phrase.
    pub phrase: Phrase,
    /// When it was said, in milliseconds since the epoch.
    pub at: i64,
}

/// Those who follow a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spectators {
    /// The number of spectators.
    pub spectators: usize,
    /// The number of streams that each player has open.
    players: [usize; 2],
    /// The last phrase of each player.
    said: [Option<ChatEntry>; 2],
}

impl Spectators {
    /// Tells whether a player is there.
    pub fn present(&self, seat: Seat) -> bool {
        self.players[seat.index()] > 0
    }

    /// The last phrase of a player, if it can still be heard.
    pub fn heard(&self, seat: Seat, now: i64) -> Option<ChatEntry> {
        self.said[seat.index()].filter(|said| now - said.at < HEARD)
    }

    fn silent(&self, now: i64) -> bool {
        Seat::BOTH.into_iter().all(|seat| self.heard(seat, now).is_none())
    }
}

/// The streams that each client address has open, and the audience of each game.
#[derive(Default)]
pub struct Streams {
    open: Mutex<HashMap<IpAddr, usize>>,
    games: Mutex<HashMap<String, watch::Sender<Spectators>>>,
    /// Events that were sent.
    sent: AtomicU64,
}

/// The place of somebody who follows a game, who belongs to its audience until it is dropped.
pub struct Place {
    streams: Arc<Streams>,
    game: String,
    seats: Vec<Seat>,
    /// The game's audience.
    pub audience: watch::Receiver<Spectators>,
}

/// One open stream, counted until it is dropped.
pub struct OpenStream {
    streams: Arc<Streams>,
    address: IpAddr,
}

impl Streams {
    /// Counts one more stream, unless the address has `most` already; 0 is no limit.
    pub fn open(self: &Arc<Self>, address: IpAddr, most: usize) -> Result<OpenStream, Error> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_default();
        if most > 0 && *count >= most {
            let why = format!("This address has {most} event streams open already; close one first.");
            return Err(Error::new(Kind::Often { retry_after: 10 }, why));
        }
        *count += 1;
        Ok(OpenStream { streams: self.clone(), address })
    }

    /// The number of streams that are open.
    pub(super) fn count(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }

    /// The number of events that were sent on all streams.
    pub(super) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    fn games(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<Spectators>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Follows a game as the player of these seats, or as a spectator.
    pub fn follow(self: &Arc<Self>, game: &str, seats: Vec<Seat>) -> Place {
        let mut games = self.games();
        let sender = games.entry(game.to_owned()).or_default();
        sender.send_modify(|audience| match seats.as_slice() {
            [] => audience.spectators += 1,
            seats => seats.iter().for_each(|seat| audience.players[seat.index()] += 1),
        });
        let mut audience = sender.subscribe();
        audience.mark_changed();
        Place { streams: self.clone(), game: game.to_owned(), seats, audience }
    }

    /// The audience of a game.
    pub fn audience(&self, game: &str) -> Spectators {
        self.games().get(game).map_or_else(Spectators::default, |sender| *sender.borrow())
    }

    /// A player says something to the other one, unless it is too soon after the last time.
    pub fn say(&self, game: &str, seat: Seat, phrase: Phrase, now: i64) -> Result<(), Error> {
        let mut games = self.games();
        // What was said where nobody follows any more is forgotten.
        games.retain(|_, sender| sender.receiver_count() > 0 || !sender.borrow().silent(now));
        let sender = games.entry(game.to_owned()).or_default();
        if sender.borrow().said[seat.index()].is_some_and(|said| now - said.at < PAUSE) {
            return Err(Error::new(Kind::Often { retry_after: 2 }, "That was said very fast; wait two seconds."));
        }
        sender.send_modify(|audience| audience.said[seat.index()] = Some(ChatEntry { phrase, at: now }));
        Ok(())
    }
}

impl OpenStream {
    /// Counts events that are sent on it.
    pub(super) fn sends(&self, events: usize) {
        self.streams.sent.fetch_add(events as u64, Ordering::Relaxed);
    }
}

impl Place {
    /// Counts an event that tells of the audience.
    pub(super) fn sends(&self) {
        self.streams.sent.fetch_add(1, Ordering::Relaxed);
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let mut open = self.streams.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut games = self.streams.games();
        let Some(sender) = games.get(&self.game) else { return };
        sender.send_modify(|audience| match self.seats.as_slice() {
            [] => audience.spectators -= 1,
            seats => seats.iter().for_each(|seat| audience.players[seat.index()] -= 1),
        });
        // The receiver of this place is still there.
        if sender.receiver_count() == 1 && sender.borrow().said == [None; 2] {
            games.remove(&self.game);
        }
    }
}
