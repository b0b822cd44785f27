//! The lobby: the games that wait for somebody, the games that are being played, and the way to an opponent in one step.

use std::sync::Arc;

use super::{
    Begin, Begun, Error, Joined, LiveGame, Newcomer, Opponent, Play, Token,
    begin::{BEGINS, SITS, secret},
    names,
    newcomer::another_seat,
};
use serde_json::Map;

use crate::{game::Clock, registry, rules::Seat, store::Cursor};

/// The number of waiting games that are looked through for one that fits.
const CANDIDATES: u32 = 200;
/// Whoever offers a game that is played in one sitting is taken to be there for so long, in milliseconds, though nobody listens.
const PATIENCE: i64 = 60_000;
/// The number of games of the lobby that are followed.
const BOARD: u32 = 200;
/// They are looked up again after so many milliseconds.
const FRESH: i64 = 500;
/// A game is being played if something has happened in it within so many milliseconds.
const LATELY: i64 = 24 * 60 * 60 * 1_000;

/// The games that waited when somebody last looked, with when that was.
pub(super) type Board = Option<(i64, Arc<[Arc<LiveGame>]>)>;

/// How somebody who looked for an opponent found one, or waits.
#[derive(Clone, Debug)]
pub enum Found {
    /// A seat at a game that waited.
    Joined(Joined),
    /// Nobody waited: a game of one's own stands in the lobby now.
    Offered(Begun),
    /// A game of one's own that fits stands there already.
    Waits(String),
}

impl Play {
    /// The games that wait for whoever comes, of one variant or of all, the newest first, those behind `after`, at most `limit`; and the last of them where there
    /// are more.
    pub async fn waiting(
        &self,
        variant: Option<&str>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<(Vec<Arc<LiveGame>>, Option<Cursor>), Error> {
        let mut rows = self.inner.store.lobby(variant, after, limit + 1).await?;
        let more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let last = rows.last().filter(|_| more).map(|row| Cursor { created: row.created, id: row.id.clone() });
        let mut waiting = Vec::new();
        for row in &rows {
            let table = self.listed(&row.id, row.version).await?;
            if !table.complete() && table.game.outcome().is_none() {
                waiting.push(table);
            }
        }
        Ok((waiting, last))
    }

    /// The newest games that wait, at most [`BOARD`] of them, as they stood within the last second: looked up once for all who follow the lobby.
    ///
    /// # Errors
    /// `Busy`, or what the record says.
    pub async fn board(&self) -> Result<Arc<[Arc<LiveGame>]>, Error> {
        let mut board = self.inner.board.lock().await;
        let now = self.now();
        if let Some((_, games)) = board.as_ref().filter(|(at, _)| (0..FRESH).contains(&(now - at))) {
            return Ok(games.clone());
        }
        let games: Arc<[_]> = self.waiting(None, None, BOARD).await?.0.into();
        *board = Some((now, games.clone()));
        Ok(games)
    }

    /// The public games that are being played, of one variant or of all, the last played first, at most `limit`.
    pub async fn running(&self, variant: Option<&str>, limit: u32) -> Result<Vec<Arc<LiveGame>>, Error> {
        let mut running = Vec::new();
        for row in self.inner.store.running(variant, self.now() - LATELY, limit).await? {
            let table = self.listed(&row.id, row.version).await?;
            if table.complete() && table.game.outcome().is_none() {
                running.push(table);
            }
        }
        Ok(running)
    }

    /// Sits down at the first waiting game of this variant, options and clocks, or offers one. One search at a time: of two who look
    /// at once, the second finds the first. `own` are the proofs of whoever looks, who never finds themselves. However often a search is sent with the
    /// same key, it finds one seat.
    pub async fn find(&self, wanted: Begin, own: &[Token]) -> Result<Found, Error> {
        let _alone = self.inner.search.lock().await;
        let variant = registry::named(&wanted.variant).map_err(|refusal| Error::Unknown(refusal.why))?;
        let options = variant.options(&wanted.options)?;
        let fits = |table: &LiveGame| {
            // The options of a game were checked when it began.
            let agreed = || variant.defaults().into_iter().chain(table.options()).collect::<Map<_, _>>();
            table.variant().key == variant.key && table.controls() == wanted.clocks && agreed() == options
        };
        if let Some(key) = &wanted.key
            && let Some(found) = self.found_before(key, &wanted, &fits).await?
        {
            return Ok(found);
        }
        let mut fitting = Vec::new();
        for row in self.inner.store.lobby(Some(&wanted.variant), None, CANDIDATES).await? {
            let table = self.listed(&row.id, row.version).await?;
            if fits(&table) {
                fitting.push(table);
            }
        }
        let owner = wanted.owner.as_ref();
        let mine = |table: &&Arc<LiveGame>| {
            own.iter().any(|token| table.seat(token).is_some())
                || owner.is_some_and(|owner| table.owned(&owner.key).is_some())
        };
        if let Some(table) = fitting.iter().find(mine) {
            return Ok(Found::Waits(table.id().to_owned()));
        }
        // Who has waited longest comes first.
        for table in fitting.iter().rev() {
            if !self.attended(table).await? {
                continue;
            }
            let guest = Newcomer { name: wanted.name.clone(), owner: wanted.owner.clone(), key: wanted.key.as_deref() };
            match self.join_open(table.id(), guest).await {
                Ok(joined) => return Ok(Found::Joined(joined)),
                // Another process has answered the same search.
                Err(error @ Error::Key(_)) => {
                    let found = match &wanted.key {
                        Some(key) => self.found_before(key, &wanted, &fits).await?,
                        None => None,
                    };
                    return found.ok_or(error);
                }
                // Somebody else was faster.
                Err(Error::Refused(_) | Error::Unknown(_)) => {}
                Err(other) => return Err(other),
            }
        }
        self.begin(Begin { opponent: Opponent::Open, ..wanted }).await.map(Found::Offered)
    }

    /// What a search with the same key has found, if it looked for the same.
    async fn found_before(
        &self,
        key: &str,
        wanted: &Begin,
        fits: &(dyn Fn(&LiveGame) -> bool + Sync),
    ) -> Result<Option<Found>, Error> {
        let token = Token::draw(&mut secret(SITS, key)?);
        if let Some(held) = self.inner.store.held(&[token.digest()], 1).await?.pop() {
            let table = self.look(&held.game.id).await?;
            let seat = table.seat(&token).filter(|_| fits(&table)).ok_or_else(another_seat)?;
            return Ok(Some(Found::Joined(Joined { id: held.game.id, seat, token })));
        }
        if self.inner.store.game(&names::id(&mut secret(BEGINS, key)?)).await?.is_none() {
            return Ok(None);
        }
        let begun = self.begin(Begin { opponent: Opponent::Open, ..wanted.clone() }).await?;
        Ok(Some(Found::Offered(begun)))
    }

    /// Tells whether whoever offers a game may be taken to be there: somebody listens to it, it is new, or it takes days anyway.
    async fn attended(&self, table: &LiveGame) -> Result<bool, Error> {
        let slow =
            Seat::BOTH.into_iter().all(|seat| matches!(table.controls()[seat.index()], Some(Clock::Days { .. })));
        Ok(slow || self.now() - table.row.created < PATIENCE || self.heard(table.id()).await?)
    }
}
