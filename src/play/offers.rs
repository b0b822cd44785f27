//! The games that wait in the lobby, kept such that whoever looks finds somebody: no address offers more than a few, and what nobody came
//! to goes.

use std::{collections::HashMap, net::IpAddr};

use tokio::sync::MutexGuard;

use super::{Error, Play};
use crate::{
    game::Clock,
    rules::Refusal,
    store::{Cursor, GameRow},
};

/// The games that one address may have in the lobby.
const MOST: usize = 6;
/// A game that is played in one sitting waits so long, in milliseconds.
const SITTING: i64 = 3 * 3_600_000;
/// A game that takes days waits so long, in milliseconds.
const DAYS: i64 = 14 * 86_400_000;
/// The number of waiting games that are looked at in one go.
const BATCH: u32 = 200;

/// The games that each address has offered, with when. Whoever offers one more holds the lock until the game is there.
pub(super) type Offers = HashMap<IpAddr, Vec<(String, i64)>>;

impl Play {
    /// Notes that an address offers a game, unless it has as many in the lobby as it may have. The game is begun before the guard is dropped,
    /// so that of many who come at once none is overlooked.
    pub(super) async fn offer(&self, from: IpAddr, id: &str) -> Result<MutexGuard<'_, Offers>, Error> {
        let mut offers = self.inner.offers.lock().await;
        // A request that is sent again has begun it already.
        if self.inner.store.game(id).await?.is_some() {
            return Ok(offers);
        }
        let mut waiting = Vec::new();
        for (known, at) in offers.get(&from).cloned().unwrap_or_default() {
            if self.look(&known).await.is_ok_and(|table| !table.complete() && table.game.outcome().is_none()) {
                waiting.push((known, at));
            }
        }
        let full = waiting.len() >= MOST;
        if !full {
            waiting.push((id.to_owned(), self.now()));
        }
        offers.insert(from, waiting);
        if full {
            let why = format!(
                "{MOST} games that were offered from your address wait in the lobby already: sit down at one that waits, or call one of yours off"
            );
            return Err(Refusal::new(why).into());
        }
        Ok(offers)
    }

    /// Takes the games to which nobody came out of the lobby; to be called again and again. Of several processes only the first one does.
    ///
    /// # Errors
    /// `Busy` or `Full` where nothing can be written.
    pub async fn expire(&self) -> Result<(), Error> {
        let now = self.now();
        self.inner.offers.lock().await.retain(|_, theirs| theirs.iter().any(|(_, at)| now - at < DAYS));
        if !self.inner.crew.first() {
            return Ok(());
        }
        let mut after = Cursor { created: now - SITTING + 1, id: String::new() };
        loop {
            let batch = self.inner.store.lobby(None, Some(&after), BATCH).await?;
            for row in batch.iter().filter(|row| now - row.created >= lasts(row)) {
                match self.declare(&row.id, "expire").await {
                    Err(Error::Broken(why)) => self.pass_over(&row.id, &why),
                    Err(other @ (Error::Busy | Error::Often { .. } | Error::Full(_) | Error::Away(_))) => {
                        return Err(other);
                    }
                    Ok(_) | Err(Error::Unknown(_) | Error::Stale { .. } | Error::Refused(_) | Error::Key(_)) => {}
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
