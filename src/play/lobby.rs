//! The lobby: open games, running games, and the way to an opponent in one step. No address offers more than a few games, and old offers end.

use super::{
    Begin, CreatedGame, Error, GameSnapshot, JoinRequest, Opponent, Play, TakenSeat, Token,
    create_game::{BEGINS, SITS, secret},
    identifiers,
    join::another_seat,
};
use crate::{
    game::Clock,
    registry,
    rules::{Refusal, Seat},
    store::{Cursor, GameRow},
};
use serde_json::Map;
use std::{collections::HashMap, net::IpAddr, sync::Arc};
use tokio::sync::MutexGuard;

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

/// The games that one address may have in the lobby.
const MOST_OFFERS: usize = 6;
/// A game that is played in one sitting waits so long, in milliseconds.
const SITTING: i64 = 3 * 3_600_000;
/// A game that takes days waits so long, in milliseconds.
const DAYS: i64 = 14 * 86_400_000;
/// The number of waiting games that are looked at in one go.
const EXPIRY_BATCH: u32 = 200;

/// The games that waited when somebody last looked, with when that was.
pub(super) type Board = Option<(i64, Arc<[Arc<GameSnapshot>]>)>;

/// How somebody who looked for an opponent found one, or waits.
#[derive(Clone, Debug)]
pub enum Found {
    /// A seat at a game that waited.
    Joined(TakenSeat),
    /// Nobody waited: a game of one's own stands in the lobby now.
    Offered(CreatedGame),
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
    ) -> Result<(Vec<Arc<GameSnapshot>>, Option<Cursor>), Error> {
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
    pub async fn board(&self) -> Result<Arc<[Arc<GameSnapshot>]>, Error> {
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
    pub async fn running(&self, variant: Option<&str>, limit: u32) -> Result<Vec<Arc<GameSnapshot>>, Error> {
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
        let fits = |table: &GameSnapshot| {
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
        let mine = |table: &&Arc<GameSnapshot>| {
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
            let guest =
                JoinRequest { name: wanted.name.clone(), owner: wanted.owner.clone(), key: wanted.key.as_deref() };
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
        fits: &(dyn Fn(&GameSnapshot) -> bool + Sync),
    ) -> Result<Option<Found>, Error> {
        let token = Token::draw(&mut secret(SITS, key)?);
        if let Some(held) = self.inner.store.held(&[token.digest()], 1).await?.pop() {
            let table = self.look(&held.game.id).await?;
            let seat = table.seat(&token).filter(|_| fits(&table)).ok_or_else(another_seat)?;
            return Ok(Some(Found::Joined(TakenSeat { id: held.game.id, seat, token })));
        }
        if self.inner.store.game(&identifiers::id(&mut secret(BEGINS, key)?)).await?.is_none() {
            return Ok(None);
        }
        let begun = self.begin(Begin { opponent: Opponent::Open, ..wanted.clone() }).await?;
        Ok(Some(Found::Offered(begun)))
    }

    /// Tells whether whoever offers a game may be taken to be there: somebody listens to it, it is new, or it takes days anyway.
    async fn attended(&self, table: &GameSnapshot) -> Result<bool, Error> {
        let slow =
            Seat::BOTH.into_iter().all(|seat| matches!(table.controls()[seat.index()], Some(Clock::Days { .. })));
        Ok(slow || self.now() - table.row.created < PATIENCE || self.heard(table.id()).await?)
    }
}

/// The games that each address has offered, with when. Whoever offers one more holds the lock until the game is there.
pub(super) type Offers = HashMap<IpAddr, Vec<(String, i64)>>;

impl Play {
    /// Notes that an address offers a game, unless it has as many in the lobby as it may have. The game is begun before the guard is dropped,
    /// so that of many who come at once none is overlooked.
    pub(super) async fn offer(&self, from: IpAddr, id: &str) -> Result<MutexGuard<'_, Offers>, Error> {
        let mut offers = self.inner.offers.lock().await;
        // A request that is sent again has begun it already.
        if self.inner.store.game(id).await?.is_some() {
            return Ok(offers);
        }
        let mut waiting = Vec::new();
        for (known, at) in offers.get(&from).cloned().unwrap_or_default() {
            if self.look(&known).await.is_ok_and(|table| !table.complete() && table.game.outcome().is_none()) {
                waiting.push((known, at));
            }
        }
        let full = waiting.len() >= MOST_OFFERS;
        if !full {
            waiting.push((id.to_owned(), self.now()));
        }
        offers.insert(from, waiting);
        if full {
            let why = format!(
                "{MOST_OFFERS} games that were offered from your address wait in the lobby already: sit down at one that waits, or call one of yours off"
            );
            return Err(Refusal::new(why).into());
        }
        Ok(offers)
    }

    /// Takes the games to which nobody came out of the lobby; to be called again and again. Of several processes only the first one does.
    ///
    /// # Errors
    /// `Busy` or `Full` where nothing can be written.
    pub async fn expire(&self) -> Result<(), Error> {
        let now = self.now();
        self.inner.offers.lock().await.retain(|_, theirs| theirs.iter().any(|(_, at)| now - at < DAYS));
        if !self.inner.crew.first() {
            return Ok(());
        }
        let mut after = Cursor { created: now - SITTING + 1, id: String::new() };
        loop {
            let batch = self.inner.store.lobby(None, Some(&after), EXPIRY_BATCH).await?;
            for row in batch.iter().filter(|row| now - row.created >= lasts(row)) {
                match self.declare(&row.id, "expire").await {
                    Err(Error::Broken(why)) => self.pass_over(&row.id, &why),
                    Err(other @ (Error::Busy | Error::Often { .. } | Error::Full(_) | Error::Away(_))) => {
                        return Err(other);
                    }
                    Ok(_) | Err(Error::Unknown(_) | Error::Stale { .. } | Error::Refused(_) | Error::Key(_)) => {}
                }
            }
            match batch.into_iter().nth(EXPIRY_BATCH as usize - 1) {
                Some(last) => after = Cursor { created: last.created, id: last.id },
                None => return Ok(()),
            }
        }
    }
}

/// For how long a game waits in the lobby, in milliseconds.
fn lasts(row: &GameRow) -> i64 {
    let clocks: Option<[Option<Clock>; 2]> = row.clock.as_deref().and_then(|text| serde_json::from_str(text).ok());
    match clocks {
        Some([Some(Clock::Fischer { .. }), _] | [_, Some(Clock::Fischer { .. })]) => SITTING,
        Some(_) | None => DAYS,
    }
}
