//! Beginning a game again, with the seats changed.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Error, LiveGame, Play, act::entry, begin::clock_text, bots, loaded::LoadedGame, names};
use crate::{
    game::Clocks,
    registry,
    rules::Seat,
    store::{Digest, Holder, NewGame, NewSeat, StoreError},
};

impl Play {
    /// Begins the game again, or the one that was agreed on as it usually is, with the seats changed. Whoever held a seat in the old
    /// game finds an invitation to the other seat of the new one, made from a proof that only the old seat's holder has: see
    /// [`LiveGame::rematch_code`].
    pub(super) async fn rematch(&self, loaded: &LoadedGame) -> Result<Arc<LiveGame>, Error> {
        let _writing = loaded.writing.lock().await;
        let old = loaded.table();
        if old.rematch.is_some() {
            return Ok(old);
        }
        let id = self.draw(|chance| names::id(chance));
        let [one, two] = old.controls();
        let other = old.game.offers().game.and_then(|key| registry::find(&key));
        let (variant, options) = match other {
            Some(variant) => (variant, variant.options(&Map::new())?),
            None => (old.variant(), old.options()),
        };
        let mut game = variant.begin(&options, Clocks::new([two, one]))?;
        let lines = self.chance(&mut game)?;
        let seat = |seat: Seat| NewSeat {
            seat: seat.name().to_owned(),
            holder: old.rematch_code(!seat, &id).map_or(Holder::Nobody, |code| Holder::Invite(Digest::of(&code))),
            name: old.chair(!seat).and_then(|chair| chair.name.clone()),
            // A program that was asked for a game has no other proof than its key.
            owner: old.chair(!seat).filter(|chair| chair.token.is_none()).and_then(|chair| chair.owner.clone()),
        };
        let new = NewGame {
            id: id.clone(),
            variant: variant.key.to_owned(),
            rules_version: game.version().into(),
            options: Value::Object(options).to_string(),
            created: self.now(),
            clock: clock_text([two, one]),
            opponent: old.row.opponent.clone(),
            rematch_of: Some(old.id().to_owned()),
            open: false,
            public: old.opponent().public(),
            lines: lines.iter().map(entry).collect(),
            ply: game.ply() as i64,
            due: None,
            bot: bots::asked(&game, |seat| old.bot(!seat)).map(|_| self.bot_turn()),
            seats: Seat::BOTH.into_iter().map(seat).collect(),
        };
        match self.inner.store.create(new).await {
            Ok(_) | Err(StoreError::Rematched(_)) => Ok(loaded.put(self.read(old.id()).await?)),
            Err(other) => Err(other.into()),
        }
    }
}

impl LiveGame {
    /// The invitation to the rematch `id` for whoever holds `seat` here; none for a bot. Nobody else can work it out.
    pub fn rematch_code(&self, seat: Seat, id: &str) -> Option<String> {
        self.chair(seat).and_then(|chair| chair.token.as_ref()).map(|token| token.derive(id))
    }
}
