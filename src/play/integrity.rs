//! Damage to records: a game is played again from its record and compared with its row.

use std::time::Duration;

use super::{Error, LiveGame, Play};
use crate::store::{GameRecord, StoreError};

/// The time for a look at the database when a server starts.
const START: Duration = Duration::from_secs(1);
/// The running games that are played again then, the newest ones.
const NEWEST: u32 = 100;

impl LiveGame {
    /// Plays a record again, and says where the record and its row differ.
    pub fn checked(record: GameRecord) -> Result<LiveGame, String> {
        let (at, lines) = (record.game.at, record.lines.len());
        if record.lines.iter().map(|line| line.at).ne(0..at) {
            return Err(format!("its row counts {at} lines, and {lines} are there or their numbers have gaps"));
        }
        let seats: Vec<&str> = record.seats.iter().map(|seat| seat.seat.as_str()).collect();
        if seats != ["one", "two"] {
            return Err(format!("it has the seats {seats:?}"));
        }
        let table = LiveGame::of(record).map_err(|why| why.to_string())?;
        let (row, game) = (&table.row, &table.game);
        if row.ply != game.ply() as i64 {
            return Err(format!("its row counts {} steps, and its record {}", row.ply, game.ply()));
        }
        if row.result.is_some() != game.outcome().is_some() {
            return Err(format!("its row has the result {:?}, and its record {:?}", row.result, game.outcome()));
        }
        let due = game.clocks().due().map(|(due, _)| due);
        if row.result.is_none() && row.due != due {
            return Err(format!("its row has the deadline {:?}, and its record {due:?}", row.due));
        }
        Ok(table)
    }
}

impl Play {
    /// Looks for damage for about a second, when a server starts, and logs what it finds: at the pages of an SQLite database, and at the
    /// records of the newest running games.
    pub async fn look_for_damage(&self) {
        let found = match self.inner.store.quick_fault(START).await {
            Ok(None) => tokio::time::timeout(START, self.damaged_game()).await.unwrap_or(Ok(None)),
            found => found.map_err(Error::from),
        };
        match found {
            Ok(None) => {}
            Ok(Some(fault)) => tracing::warn!(fault, "the database is damaged: run `zorkmid check`"),
            Err(error) => tracing::warn!(%error, "the database may be damaged: run `zorkmid check`"),
        }
    }

    /// A fault of one of the newest running games.
    async fn damaged_game(&self) -> Result<Option<String>, Error> {
        for id in self.inner.store.newest_running(NEWEST).await? {
            let checked = match self.inner.store.load(&id).await {
                // It was deleted meanwhile.
                Ok(None) => continue,
                Ok(Some(record)) => self.inner.pools.batch.run(move || LiveGame::checked(record).map(drop)).await?,
                Err(busy @ (StoreError::Busy | StoreError::Closed | StoreError::Away(_))) => return Err(busy.into()),
                Err(why) => Err(why.to_string()),
            };
            if let Err(why) = checked {
                return Ok(Some(format!("game {id}: {why}")));
            }
        }
        Ok(None)
    }
}
