//! Flags: the server ends a game whose clock has run out, also when nobody is looking.

use super::{Acted, Error, Play, loaded::LoadedGame};
use crate::{rules::Actor, store::Due};

/// The number of overdue games that are looked at in one go.
const BATCH: u32 = 100;

impl Play {
    /// Ends the game if a clock has run out. The loaded game’s `writing` is held.
    pub(super) async fn flag(&self, loaded: &LoadedGame) -> Result<(), Error> {
        let table = loaded.table();
        let Some((due, seat)) = table.game.clocks().due() else { return Ok(()) };
        if self.now() < due || table.game.outcome().is_some() {
            return Ok(());
        }
        let mut game = table.game.copy();
        // Where both are asked both flags can fall at the same moment, and then neither fell first.
        let both = table.game.clocks().deadline(!seat) == Some(due);
        let fallen = if both { "flag both".to_owned() } else { format!("flag {seat}") };
        let line = game.act(Actor::Server, &fallen, self.now())?;
        self.write(loaded, game, vec![line], None).await.map(|_: Acted| ())
    }

    /// Looks at every game whose clock should have run out; to be called again and again.
    pub async fn flag_all(&self) -> Result<(), Error> {
        for Due { game, .. } in self.inner.store.due(self.now(), BATCH).await? {
            let loaded = self.loaded(&game).await?;
            let _writing = loaded.writing.lock().await;
            self.flag(&loaded).await?;
        }
        Ok(())
    }
}
