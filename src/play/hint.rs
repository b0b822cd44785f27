//! A hint for whoever plays against a bot of this site: what the endgame tables say, or else what a level would that makes few mistakes. Bots
//! always agree to hints, and people and programs of others cannot be asked.

use std::{net::IpAddr, sync::Arc};

use rand::{SeedableRng, rngs::StdRng};

use super::{Error, Hint, LiveGame, Play, give_way};
use crate::{
    bots::Bot,
    rules::{Refusal, Seat},
};

/// The level that is asked where the tables do not reach.
const ASKED: Bot = Bot::Sharp;

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
    /// A hint for a player, worked out once for each moment, in the queue of an address, from what the seat may know.
    ///
    /// # Errors
    /// `Refused` where there is none, `Busy` if too much waits for this address.
    pub async fn hint(&self, table: &Arc<LiveGame>, seat: Seat, from: IpAddr) -> Result<Arc<Hint>, Error> {
        table.may_have_hint(seat)?;
        let ask = || async {
            if let Some(action) = self.known(table, seat).await {
                return Ok(worded(table, seat, action, true));
            }
            let thought = self.thought(table, seat, Some(from)).await?;
            let action = thought.ok_or_else(|| Refusal::new("there is no hint for this"))?;
            Ok(worded(table, seat, action, false))
        };
        table.hints[seat.index()].get_or_try_init(ask).await.cloned()
    }

    /// What a level of the site would say in the place of somebody else's program; nothing if it would say nothing.
    pub async fn stand_in(&self, table: &Arc<LiveGame>, seat: Seat) -> Option<String> {
        self.thought(table, seat, None).await.ok().flatten()
    }

    async fn thought(&self, table: &Arc<LiveGame>, seat: Seat, from: Option<IpAddr>) -> Result<Option<String>, Error> {
        let here = table.clone();
        // The level counts positions: no time cuts it short, so that the same moment has the same hint on every machine.
        let thought = self.inner.pool.run(from, move || {
            let mut rng = StdRng::seed_from_u64(here.game.ply() as u64);
            here.game.advise(seat, ASKED, &mut rng, &mut || {
                give_way();
                false
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
