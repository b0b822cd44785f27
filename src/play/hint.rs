//! A hint for whoever plays against a bot of this site: what the endgame tables say, or else what a level would that makes few mistakes. Bots
//! always agree to hints, and people and programs of others cannot be asked.

use std::{sync::Arc, time::Duration};

use rand::{SeedableRng, rngs::StdRng};

use super::{Error, Hint, LiveGame, Play, give_way};
use crate::{
    bots::Bot,
    rules::{Refusal, Seat},
};

/// The level that is asked where the tables do not reach.
const ASKED: Bot = Bot::Sharp;
/// The estimated CPU time of its search.
const THOUGHT: Duration = Duration::from_millis(500);

impl LiveGame {
    /// Tells whether a player may have a hint now.
    ///
    /// # Errors
    /// Why not.
    pub fn may_have_hint(&self, seat: Seat) -> Result<(), Refusal> {
        if self.bot(!seat).is_none() {
            return Err(Refusal::new("hints are for games against a bot of this site"));
        }
        if !self.game.awaits().contains(&seat) {
            return Err(Refusal::new("there is a hint only when you are asked for something"));
        }
        Ok(())
    }
}

impl Play {
    /// A hint for a player, worked out once for each moment, from what the seat may know.
    ///
    /// # Errors
    /// `Refused` where there is none; as [`Pool::run_costly`](super::Pool::run_costly).
    pub async fn hint(&self, table: &Arc<LiveGame>, seat: Seat) -> Result<Arc<Hint>, Error> {
        table.may_have_hint(seat)?;
        let ask = || async {
            if let Some(action) = self.known(table, seat).await {
                return Ok(worded(table, seat, action, true));
            }
            let thought = self.thought(table, seat).await?;
            let action = thought.ok_or_else(|| Refusal::new("there is no hint for this"))?;
            Ok(worded(table, seat, action, false))
        };
        table.hints[seat.index()].get_or_try_init(ask).await.cloned()
    }

    /// What a level of the site would say in the place of somebody else's program; nothing if it would say nothing.
    pub async fn stand_in(&self, table: &Arc<LiveGame>, seat: Seat) -> Option<String> {
        self.thought(table, seat).await.ok().flatten()
    }

    async fn thought(&self, table: &Arc<LiveGame>, seat: Seat) -> Result<Option<String>, Error> {
        let here = table.clone();
        // The level counts positions: no time cuts it short, so that the same moment has the same hint on every machine.
        let thought = self.inner.pools.lookups.run_costly(THOUGHT, move |stop| {
            let mut rng = StdRng::seed_from_u64(here.game.ply() as u64);
            here.game.advise(seat, ASKED, &mut rng, &mut || {
                give_way();
                stop()
            })
        });
        thought.await
    }
}

/// The hint with the words of the choice that it names, where it is one.
fn worded(table: &LiveGame, seat: Seat, action: String, exact: bool) -> Arc<Hint> {
    let choices = table.game.diagram(Some(seat)).choices.unwrap_or_default();
    let named = choices.into_iter().find(|choice| choice.action == action);
    Arc::new(Hint { label: named.map_or_else(|| action.clone(), |choice| choice.label), action, exact })
}
