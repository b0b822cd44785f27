//! Finished games of a key, read from their rows without replaying them.

use super::{Error, Opponent, Owner, Play, act::RecordedResult};
use crate::{
    rules::Seat,
    store::{EndCursor, FinishedSeat, GameRow},
};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use utoipa::ToSchema;

/// Maximum number of games that one page reads, whether they fit the filter or not.
const READ: u32 = 500;

/// How a game ended for one of its players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OwnResult {
    /// The player won.
    Won,
    /// The opponent won.
    Lost,
    /// A draw.
    Drawn,
    /// The game does not count.
    Void,
}

/// A finished game, for one of its players.
pub struct FinishedGame {
    /// Row of the game in the database.
    pub row: GameRow,
    /// The player's seat.
    pub seat: Seat,
    /// Name of the opponent.
    pub opponent: String,
    /// How it ended for the player.
    pub result: OwnResult,
    /// Reason for the result, such as `checkmate`.
    pub reason: String,
}

/// Which finished games a list shows.
#[derive(Clone, Debug, Default)]
pub struct FinishedFilter {
    /// Key of the variant.
    pub variant: Option<&'static str>,
    /// Name of the opponent, in any case.
    pub opponent: Option<String>,
    /// How the game ended for the player.
    pub result: Option<OwnResult>,
    /// Earliest end in milliseconds since the epoch.
    pub since: Option<i64>,
    /// The games ended before this time, in milliseconds since the epoch.
    pub until: Option<i64>,
}

/// One page of finished games.
pub struct FinishedPage {
    /// The games, last end first.
    pub games: Vec<FinishedGame>,
    /// Cursor of the next page.
    pub next: Option<EndCursor>,
}

impl FinishedFilter {
    fn accepts(&self, game: &FinishedGame) -> bool {
        let named = |name: &String| name.to_lowercase() == game.opponent.to_lowercase();
        self.variant.is_none_or(|variant| variant == game.row.variant)
            && self.opponent.as_ref().is_none_or(named)
            && self.result.is_none_or(|result| result == game.result)
    }
}

impl FinishedGame {
    fn of(found: FinishedSeat) -> Result<FinishedGame, Error> {
        let (row, seat) = (found.held.game, Seat::from_str(&found.held.seat)?);
        let RecordedResult { winner, void, reason } = row.result.as_deref().unwrap_or_default().parse()?;
        let result = match winner {
            Some(winner) if winner == seat => OwnResult::Won,
            Some(_) => OwnResult::Lost,
            None if void => OwnResult::Void,
            None => OwnResult::Drawn,
        };
        let bot = Opponent::from_str(&row.opponent).ok().and_then(|opponent| opponent.bot());
        let unnamed = || bot.map_or_else(|| "Anonymous".to_owned(), |bot| format!("bot {}", bot.name()));
        Ok(FinishedGame { opponent: found.opponent.unwrap_or_else(unnamed), row, seat, result, reason })
    }
}

impl Play {
    /// Up to `limit` finished games of a key after the cursor, last end first. A page reads a bounded number of games, so a page with a
    /// filter may be short or empty although another one follows.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn finished_games(
        &self,
        owner: &Owner,
        filter: &FinishedFilter,
        after: Option<EndCursor>,
        limit: usize,
    ) -> Result<FinishedPage, Error> {
        let begin = after.unwrap_or_else(|| EndCursor::before(filter.until.unwrap_or(i64::MAX)));
        let rows = self.inner.store.finished(&owner.key, &begin, READ).await?;
        let mut more = rows.len() == READ as usize;
        let mut page = FinishedPage { games: Vec::new(), next: None };
        for found in rows {
            let game = &found.held.game;
            let here =
                EndCursor { finished: game.finished.unwrap_or_default(), created: game.created, id: game.id.clone() };
            if filter.since.is_some_and(|since| here.finished < since) {
                more = false;
                break;
            }
            if page.games.len() == limit {
                more = true;
                break;
            }
            let game = FinishedGame::of(found)?;
            if filter.accepts(&game) {
                page.games.push(game);
            }
            page.next = Some(here);
        }
        page.next = page.next.filter(|_| more);
        Ok(page)
    }
}
