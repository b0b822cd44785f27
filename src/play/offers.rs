//! The games that wait in the lobby, kept such that whoever looks finds somebody: no address offers more than a few, and what nobody came
//! to goes.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{MutexGuard, PoisonError},
};

use super::{Error, Play};
use crate::{
    game::Clock,
    rules::Refusal,
    store::{Cursor, GameRow},
};

/// The games that one address may have in the lobby.
const MOST: usize = 6;
/// The number of addresses after which those whose games have all begun or gone are forgotten.
const FORGET: usize = 1024;
/// A game that is played in one sitting waits so long, in milliseconds.
const SITTING: i64 = 3 * 3_600_000;
/// A game that takes days waits so long, in milliseconds.
const DAYS: i64 = 14 * 86_400_000;
/// The number of waiting games that are looked at in one go.
const BATCH: u32 = 200;

/// The games that each address has offered.
pub(super) type Offers = HashMap<IpAddr, Vec<String>>;

impl Play {
    /// Refused if an address has as many games in the lobby as it may have.
    pub(super) async fn may_offer(&self, from: IpAddr) -> Result<(), Error> {
        let ids = self.offers().get(&from).cloned().unwrap_or_default();
        let mut waiting = Vec::new();
        for id in ids {
            let table = self.look(&id).await?;
            if !table.complete() && table.game.outcome().is_none() {
                waiting.push(id);
            }
        }
        let full = waiting.len() >= MOST;
        self.offers().insert(from, waiting);
        if full {
            let why = format!(
                "{MOST} games that were offered from your address wait in the lobby already: sit down at one that waits, or call one of yours off"
            );
            return Err(Refusal::new(why).into());
        }
        Ok(())
    }

    /// Notes that an address has put a game into the lobby.
    pub(super) fn offered(&self, from: IpAddr, id: &str) {
        let mut offers = self.offers();
        if offers.len() >= FORGET {
            offers.retain(|_, ids| !ids.is_empty());
        }
        offers.entry(from).or_default().push(id.to_owned());
    }

    fn offers(&self) -> MutexGuard<'_, Offers> {
        self.inner.offers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the games to which nobody came out of the lobby; to be called again and again.
    ///
    /// # Errors
    /// `Busy` or `Full` where nothing can be written.
    pub async fn expire(&self) -> Result<(), Error> {
        let now = self.now();
        let mut after = Cursor { created: now - SITTING + 1, id: String::new() };
        loop {
            let batch = self.inner.store.lobby(Some(&after), BATCH).await?;
            for row in batch.iter().filter(|row| now - row.created >= lasts(row)) {
                match self.declare(&row.id, "expire").await {
                    Err(Error::Broken(why)) => self.pass_over(&row.id, &why),
                    Err(other @ (Error::Busy | Error::Full(_))) => return Err(other),
                    Ok(_) | Err(Error::Unknown(_) | Error::Stale { .. } | Error::Refused(_)) => {}
                }
            }
            match batch.into_iter().nth(BATCH as usize - 1) {
                Some(last) => after = Cursor { created: last.created, id: last.id },
                None => return Ok(()),
            }
        }
    }
}

/// For how long a game waits in the lobby, in milliseconds.
fn lasts(row: &GameRow) -> i64 {
    let clocks: Option<[Option<Clock>; 2]> = row.clock.as_deref().and_then(|text| serde_json::from_str(text).ok());
    match clocks {
        Some([Some(Clock::Fischer { .. }), _] | [_, Some(Clock::Fischer { .. })]) => SITTING,
        Some(_) | None => DAYS,
    }
}
