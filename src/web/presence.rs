//! Open event streams per client address, and for each game its spectators, online players and chat.
//! Independent of HTTP requests.

use super::error::{Error, Kind};
use crate::{rules::Seat, text_enum};
use std::{
    collections::{HashMap, VecDeque},
    net::IpAddr,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};
use tokio::sync::watch;

text_enum! {
    /// A chat phrase. Players can send these phrases only, so that chat cannot be abused.
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

/// Minimum time between two phrases of a player, in milliseconds.
const PAUSE: i64 = 2_000;
/// Time for which a phrase is shown, in milliseconds.
const HEARD: i64 = 60_000;

/// Time for which the presence in a game is kept after its last follower, in milliseconds.
const KEPT: i64 = 600_000;

/// A phrase that a player has sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChatEntry {
    /// The phrase.
    pub phrase: Phrase,
    /// Time in milliseconds since the epoch.
    pub at: i64,
}

/// Spectators and online players of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spectators {
    /// Number of spectators.
    pub spectators: usize,
    /// Number of open streams of each player.
    players: [usize; 2],
    /// Time of each player's last sign of life without an open stream, in milliseconds since the epoch; `None` if the player has had no
    /// stream of this process.
    left: [Option<i64>; 2],
    /// Last phrase of each player.
    said: [Option<ChatEntry>; 2],
}

impl Spectators {
    /// Whether a player is online.
    pub fn present(&self, seat: Seat) -> bool {
        self.players[seat.index()] > 0
    }

    /// Time since which a player has been away, in milliseconds since the epoch. `None` if the player is online, or if this process has
    /// not seen the player leave.
    pub fn away_since(&self, seat: Seat) -> Option<i64> {
        self.left[seat.index()].filter(|_| !self.present(seat))
    }

    /// Last phrase of a player, while it is shown.
    pub fn heard(&self, seat: Seat, now: i64) -> Option<ChatEntry> {
        self.said[seat.index()].filter(|said| now - said.at < HEARD)
    }
}

/// Presence in all games.
#[derive(Default)]
struct Games {
    followed: HashMap<String, watch::Sender<Spectators>>,
    /// Games that have lost their last follower, with the times of the loss, oldest first.
    idle: VecDeque<(i64, String)>,
}

impl Games {
    /// Keeps a game without followers for a while, and drops those whose time is over.
    fn keep_for_a_while(&mut self, game: &str, now: i64) {
        self.idle.push_back((now, game.to_owned()));
        while let Some((_, old)) = self.idle.pop_front_if(|(since, _)| now - *since >= KEPT) {
            if self.followed.get(&old).is_some_and(|sender| sender.receiver_count() == 0) {
                self.followed.remove(&old);
            }
        }
    }
}

/// Open streams per client address, and the presence in each game.
pub struct Streams {
    open: Mutex<HashMap<IpAddr, usize>>,
    games: Mutex<Games>,
    /// Returns the time in milliseconds since the epoch.
    now: Box<dyn Fn() -> i64 + Send + Sync>,
    /// Number of events sent.
    sent: AtomicU64,
}

/// A follower of a game, counted until dropped.
pub struct Place {
    streams: Arc<Streams>,
    game: String,
    seats: Vec<Seat>,
    /// Updates of the game's presence.
    pub audience: watch::Receiver<Spectators>,
}

/// An open stream, counted until dropped.
pub struct OpenStream {
    streams: Arc<Streams>,
    address: IpAddr,
}

impl Streams {
    /// Creates an empty registry. `now` returns milliseconds since the epoch.
    pub fn new(now: impl Fn() -> i64 + Send + Sync + 'static) -> Self {
        Streams { open: Mutex::default(), games: Mutex::default(), now: Box::new(now), sent: AtomicU64::new(0) }
    }

    /// Registers another stream of an address.
    ///
    /// # Errors
    /// If the address has `most` streams already; 0 is no limit.
    pub fn open(self: &Arc<Self>, address: IpAddr, most: usize) -> Result<OpenStream, Error> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_default();
        if most > 0 && *count >= most {
            let why = format!("This address already has {most} open event streams. Close one first.");
            return Err(Error::new(Kind::Often { retry_after: 10 }, why));
        }
        *count += 1;
        Ok(OpenStream { streams: self.clone(), address })
    }

    /// Number of open streams.
    pub(super) fn count(&self) -> usize {
        self.open.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }

    /// Number of events sent on all streams.
    pub(super) fn sent(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    fn games(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a follower of a game: the player of these seats, or a spectator if there are none.
    pub fn follow(self: &Arc<Self>, game: &str, seats: Vec<Seat>) -> Place {
        let mut games = self.games();
        let sender = games.followed.entry(game.to_owned()).or_default();
        sender.send_modify(|audience| match seats.as_slice() {
            [] => audience.spectators += 1,
            seats => seats.iter().for_each(|seat| audience.players[seat.index()] += 1),
        });
        let mut audience = sender.subscribe();
        audience.mark_changed();
        Place { streams: self.clone(), game: game.to_owned(), seats, audience }
    }

    /// Presence in a game.
    pub fn audience(&self, game: &str) -> Spectators {
        self.games().followed.get(game).map_or_else(Spectators::default, |sender| *sender.borrow())
    }

    /// Registers a request of a player. A player who sends requests without a stream is not away.
    pub fn see(&self, game: &str, seat: Seat) {
        if let Some(sender) = self.games().followed.get(game) {
            sender.send_if_modified(|audience| {
                let seen = audience.away_since(seat).is_some();
                if seen {
                    audience.left[seat.index()] = Some((self.now)());
                }
                seen
            });
        }
    }

    /// Sends a phrase to the opponent.
    ///
    /// # Errors
    /// If the last phrase of the player was too recent.
    pub fn say(&self, game: &str, seat: Seat, phrase: Phrase, now: i64) -> Result<(), Error> {
        let mut games = self.games();
        let sender = games.followed.entry(game.to_owned()).or_default();
        if sender.borrow().said[seat.index()].is_some_and(|said| now - said.at < PAUSE) {
            return Err(Error::new(Kind::Often { retry_after: 2 }, "Wait two seconds between messages."));
        }
        sender.send_modify(|audience| audience.said[seat.index()] = Some(ChatEntry { phrase, at: now }));
        if sender.receiver_count() == 0 {
            games.keep_for_a_while(game, now);
        }
        Ok(())
    }
}

impl OpenStream {
    /// Counts sent events.
    pub(super) fn sends(&self, events: usize) {
        self.streams.sent.fetch_add(events as u64, Ordering::Relaxed);
    }
}

impl Place {
    /// Counts a sent presence event.
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
        let now = (self.streams.now)();
        let mut games = self.streams.games();
        let Some(sender) = games.followed.get(&self.game) else { return };
        sender.send_modify(|audience| {
            if self.seats.is_empty() {
                audience.spectators -= 1;
            }
            for seat in self.seats.iter().map(|seat| seat.index()) {
                audience.players[seat] -= 1;
                if audience.players[seat] == 0 {
                    audience.left[seat] = Some(now);
                }
            }
        });
        // The receiver of this follower still exists.
        if sender.receiver_count() == 1 {
            games.keep_for_a_while(&self.game, now);
        }
    }
}
