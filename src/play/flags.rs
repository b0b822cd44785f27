//! Flags: the server ends a game whose clock has run out, also when nobody is looking.

use std::sync::PoisonError;

use super::{Acted, Error, Play, loaded::LoadedGame};
use crate::rules::Actor;

/// The number of overdue games that are looked at in one go.
const BATCH: u32 = 100;

impl Play {
    /// Ends the game if a clock has run out, after giving back the time of outages, and returns the time at which that was decided. The
    /// loaded game’s `writing` is held.
    pub(super) async fn flag(&self, loaded: &LoadedGame) -> Result<i64, Error> {
        let now = self.time_of_clocks().await?;
        self.give_back(loaded, now).await?;
        let table = loaded.table();
        let Some((due, seat)) = table.game.clocks().due() else { return Ok(now) };
        if now < due || table.game.outcome().is_some() {
            return Ok(now);
        }
        let mut game = table.game.copy();
        // Where both are asked both flags can fall at the same moment, and then neither fell first.
        let both = table.game.clocks().deadline(!seat) == Some(due);
        let fallen = if both { "flag both".to_owned() } else { format!("flag {seat}") };
        let line = game.act(Actor::Server, &fallen, now)?;
        self.write(loaded, game, vec![line], None).await.map(|_: Acted| now)
    }

    /// Looks at every game whose clock should have run out; to be called again and again. A game that cannot be read does not keep the
    /// others from it: it is passed over, and told of once. Of several processes only the first one looks.
    pub async fn flag_all(&self) -> Result<(), Error> {
        if !self.inner.crew.first() {
            return Ok(());
        }
        let (now, mut last) = (self.now(), None);
        loop {
            let batch = self.inner.store.due(now, last.as_ref(), BATCH).await?;
            for due in &batch {
                match self.flag_one(&due.game).await {
                    Err(Error::Broken(why)) => self.pass_over(&due.game, &why),
                    Err(other @ (Error::Busy | Error::Often { .. } | Error::Full(_) | Error::Away(_))) => {
                        return Err(other);
                    }
                    // Somebody was faster.
                    Ok(()) | Err(Error::Unknown(_) | Error::Stale { .. } | Error::Refused(_) | Error::Key(_)) => {}
                }
            }
            match batch.into_iter().nth(BATCH as usize - 1) {
                Some(due) => last = Some(due),
                None => return Ok(()),
            }
        }
    }

    pub(super) async fn flag_one(&self, id: &str) -> Result<(), Error> {
        let loaded = self.loaded(id).await?;
        let _writing = loaded.writing.lock().await;
        self.flag(&loaded).await.map(drop)
    }

    pub(super) fn pass_over(&self, id: &str, why: &str) {
        let mut known = self.inner.unreadable.lock().unwrap_or_else(PoisonError::into_inner);
        if known.insert(id.to_owned()) {
            tracing::error!(game = id, why, "the clock of a game cannot be judged; look at its record");
        }
    }
}
