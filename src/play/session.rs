//! The games that two people have played one after the other: each is the rematch of the one before it.

use std::{collections::VecDeque, sync::Arc};

use super::{Error, LiveGame, Play};

/// The most games that are shown as one session.
const MOST: usize = 50;

impl Play {
    /// The session to which a game belongs, the first game first: at most 50 games around this one, the later ones before the earlier.
    /// The seats change from each game to the next.
    pub async fn session(&self, id: &str) -> Result<Vec<Arc<LiveGame>>, Error> {
        let mut games = VecDeque::from([self.look(id).await?]);
        while let Some(next) = games.back().and_then(|game| game.rematch.clone()).filter(|_| games.len() < MOST) {
            match self.look(&next).await {
                Ok(next) => games.push_back(next),
                Err(Error::Unknown(_)) => break,
                Err(other) => return Err(other),
            }
        }
        while let Some(before) =
            games.front().and_then(|game| game.row.rematch_of.clone()).filter(|_| games.len() < MOST)
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
