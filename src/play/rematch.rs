//! Rematches: the game again with the seats changed, and the games that two players have played one after the other.

use super::{
    Error, GameSnapshot, Play, act::entry, bot_players, create_game::clock_text, game_cache::LoadedGame, identifiers,
};
use crate::{
    game::Clocks,
    registry,
    rules::Seat,
    store::{Digest, Holder, NewGame, NewSeat, StoreError},
};
use serde_json::{Map, Value};
use std::{collections::VecDeque, sync::Arc};

/// The most games that are shown as one session.
const MOST_GAMES: usize = 50;

impl Play {
    /// Begins the game again, or the one that was agreed on as it usually is, with the seats changed. Whoever held a seat in the old
    /// game finds an invitation to the other seat of the new one, made from a proof that only the old seat's holder has: see
    /// [`LiveGame::rematch_code`].
    pub(super) async fn rematch(&self, loaded: &LoadedGame) -> Result<Arc<GameSnapshot>, Error> {
        let _writing = loaded.writing.lock().await;
        let old = loaded.table();
        if old.rematch.is_some() {
            return Ok(old);
        }
        let id = self.draw(|chance| identifiers::id(chance));
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
            bot: bot_players::asked(&game, |seat| old.bot(!seat)).map(|_| self.bot_turn()),
            seats: Seat::BOTH.into_iter().map(seat).collect(),
        };
        match self.inner.store.create(new).await {
            Ok(_) | Err(StoreError::Rematched(_)) => Ok(loaded.put(self.read(old.id()).await?)),
            Err(other) => Err(other.into()),
        }
    }
}

impl GameSnapshot {
    /// The invitation to the rematch `id` for whoever holds `seat` here; none for a bot. Nobody else can work it out.
    pub fn rematch_code(&self, seat: Seat, id: &str) -> Option<String> {
        self.chair(seat).and_then(|chair| chair.token.as_ref()).map(|token| token.derive(id))
    }
}

impl Play {
    /// The session to which a game belongs, the first game first: at most 50 games around this one, the later ones before the earlier.
    /// The seats change from each game to the next.
    pub async fn session(&self, id: &str) -> Result<Vec<Arc<GameSnapshot>>, Error> {
        let mut games = VecDeque::from([self.look(id).await?]);
        while let Some(next) = games.back().and_then(|game| game.rematch.clone()).filter(|_| games.len() < MOST_GAMES) {
            match self.look(&next).await {
                Ok(next) => games.push_back(next),
                Err(Error::Unknown(_)) => break,
                Err(other) => return Err(other),
            }
        }
        while let Some(before) =
            games.front().and_then(|game| game.row.rematch_of.clone()).filter(|_| games.len() < MOST_GAMES)
        {
            match self.look(&before).await {
                Ok(before) => games.push_front(before),
                // It was not kept.
                Err(Error::Unknown(_)) => break,
                Err(other) => return Err(other),
            }
        }
        Ok(games.into())
    }
}
