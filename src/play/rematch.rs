//! Rematches, and the sessions of games that they form.

use super::{
    Error, GameSnapshot, Play, act::new_line, bot_players, create_game::clock_text, game_cache::LoadedGame, identifiers,
};
use crate::{
    game::{ABSENCE_DAYS, Clocks},
    registry,
    rules::{Actor, Seat},
    store::{Digest, Holder, NewGame, NewSeat, StoreError},
};
use serde_json::{Map, Value};
use std::{collections::VecDeque, sync::Arc};

/// Maximum number of games in one session.
const MOST_GAMES: usize = 50;

impl Play {
    /// Creates the rematch with the seats swapped: the same game, or the agreed variant with its default options. Each player of the old
    /// game gets an invitation to the other seat of the new one. Its code is derived from the old seat's token: see
    /// [`GameSnapshot::rematch_code`].
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
            None => (old.variant(), old.variant().options(&old.variant().options_again(old.options()))?),
        };
        let mut game = variant.begin(&options, Clocks::new([two, one]))?;
        let mut lines = Vec::new();
        if old.game.absence_days() != ABSENCE_DAYS {
            let text = format!("absence {}", old.game.absence_days());
            lines.push(game.act(Actor::Server, &text, self.now())?);
        }
        lines.extend(self.play_chance(&mut game)?);
        let seat = |seat: Seat| NewSeat {
            seat: seat.name().to_owned(),
            holder: old.rematch_code(!seat, &id).map_or(Holder::Empty, |code| Holder::Invite(Digest::of(&code))),
            name: old.chair(!seat).and_then(|chair| chair.name.clone()),
            // The seat of a challenged client-run bot has no token, only the key that owns it.
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
            lines: lines.iter().map(new_line).collect(),
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
    /// Invitation code of the rematch `id` for the holder of `seat`; none for a bot. Only this holder can receive it.
    pub fn rematch_code(&self, seat: Seat, id: &str) -> Option<String> {
        self.chair(seat).and_then(|chair| chair.token.as_ref()).map(|token| token.derive(id))
    }
}

impl Play {
    /// Returns the session of a game, first game first: at most 50 games, later ones taking precedence over earlier ones. The seats swap
    /// from each game to the next.
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
                // The earlier game has been deleted.
                Err(Error::Unknown(_)) => break,
                Err(other) => return Err(other),
            }
        }
        Ok(games.into())
    }
}
