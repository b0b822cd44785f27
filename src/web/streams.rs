//! The counts of open event streams: those of every client address, and those of every game's spectators. It knows no request.

use super::{error::Error, kind::Kind};
use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};
use tokio::sync::watch;

/// The number of streams that each client address has open, and that each game's spectators have.
#[derive(Default)]
pub struct Streams {
    open: Mutex<HashMap<IpAddr, usize>>,
    watched: Mutex<HashMap<String, watch::Sender<usize>>>,
}

/// The place of somebody who follows a game, counted until it is dropped if it is a spectator's.
pub struct Place {
    streams: Arc<Streams>,
    game: String,
    spectator: bool,
    /// The number of the game's spectators.
    pub count: watch::Receiver<usize>,
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

    /// Follows a game, as one of its spectators or as a player.
    pub fn follow(self: &Arc<Self>, game: &str, spectator: bool) -> Place {
        let mut watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let sender = watched.entry(game.to_owned()).or_default();
        if spectator {
            sender.send_modify(|count| *count += 1);
        }
        let mut count = sender.subscribe();
        count.mark_changed();
        Place { streams: self.clone(), game: game.to_owned(), spectator, count }
    }

    /// The number of a game's spectators.
    pub fn spectators(&self, game: &str) -> usize {
        let watched = self.watched.lock().unwrap_or_else(PoisonError::into_inner);
        watched.get(game).map_or(0, |count| *count.borrow())
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
        let mut watched = self.streams.watched.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(sender) = watched.get(&self.game) else { return };
        if self.spectator {
            sender.send_modify(|count| *count -= 1);
        }
        // The receiver of this place is still there.
        if sender.receiver_count() == 1 {
            watched.remove(&self.game);
        }
    }
}
