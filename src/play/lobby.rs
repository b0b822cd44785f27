//! The lobby: open games, running games, and pairing in one step. Open games per address are limited, and old ones expire.

use super::{
    Begin, CreatedGame, Error, GameSnapshot, JoinRequest, Opponent, Play, RequestSecret, TakenSeat, Token, identifiers,
    join::another_seat,
};
use crate::{
    game::Clock,
    registry,
    rules::Refusal,
    store::{Cursor, GameRow},
};
use serde_json::Map;
use std::{collections::HashMap, net::IpAddr, sync::Arc};
use tokio::sync::MutexGuard;

/// Number of open games that a search examines.
const CANDIDATES: u32 = 200;
/// Time in milliseconds for which the creator of a new open game counts as present without listening to it.
const PATIENCE: i64 = 60_000;
/// Maximum number of open games in the live lobby.
const BOARD: u32 = 200;
/// Maximum age of the cached lobby, in milliseconds.
const FRESH: i64 = 500;
/// A game counts as running for this time after its last change, in milliseconds.
const LATELY: i64 = 24 * 60 * 60 * 1_000;

/// Maximum number of open games per address.
const MOST_OFFERS: usize = 6;
/// Lifetime of an open game with minutes on the clock, in milliseconds.
const SITTING: i64 = 3 * 3_600_000;
/// Lifetime of any other open game, in milliseconds.
const DAYS: i64 = 14 * 86_400_000;
/// Number of open games per batch when old ones expire.
const EXPIRY_BATCH: u32 = 200;

/// Cached open games, with the time of the look-up in milliseconds since the epoch.
pub(super) type Board = Option<(i64, Arc<[Arc<GameSnapshot>]>)>;

/// Result of a search for an opponent.
#[derive(Clone, Debug)]
pub enum Found {
    /// The player has joined an open game.
    Joined(TakenSeat),
    /// No game matched, so a new open game is in the lobby.
    Offered(CreatedGame),
    /// The player already has a matching open game, with this id.
    Waits(String),
}

impl Play {
    /// Open games, of one variant or of all, newest first: at most `limit`, after the cursor `after`. Also returns the cursor of the next
    /// page, if there is one.
    pub async fn waiting(
        &self,
        variant: Option<&str>,
        after: Option<&Cursor>,
        limit: u32,
    ) -> Result<(Vec<Arc<GameSnapshot>>, Option<Cursor>), Error> {
        let mut rows = self.inner.store.lobby(self.now(), variant, after, limit + 1).await?;
        let more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let last = rows.last().filter(|_| more).map(|row| Cursor { created: row.created, id: row.id.clone() });
        let mut waiting = Vec::new();
        for row in &rows {
            let table = self.load_at_least(&row.id, row.version).await?;
            if !table.complete() && table.game.outcome().is_none() {
                waiting.push(table);
            }
        }
        Ok((waiting, last))
    }

    /// Newest open games, at most `BOARD`, at most half a second old. All viewers of the lobby share one look-up.
    ///
    /// # Errors
    /// `Busy`, or a database error.
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

    /// Public running games, of one variant or of all, most recently changed first, at most `limit`.
    pub async fn running(&self, variant: Option<&str>, limit: u32) -> Result<Vec<Arc<GameSnapshot>>, Error> {
        let mut running = Vec::new();
        for row in self.inner.store.running(variant, self.now() - LATELY, limit).await? {
            let table = self.load_at_least(&row.id, row.version).await?;
            if table.complete() && table.game.outcome().is_none() {
                running.push(table);
            }
        }
        Ok(running)
    }

    /// Joins the longest-waiting open game with this variant, options and clocks, or creates one. Searches run one at a time, so the
    /// second of two simultaneous searches finds the game of the first. `own` are the tokens of the searching player, who is never paired with
    /// themselves. A repeated search with the same key finds one seat.
    pub async fn find(&self, wanted: Begin, own: &[Token]) -> Result<Found, Error> {
        let _alone = self.inner.search.lock().await;
        let variant = registry::find_or_refuse(&wanted.variant).map_err(|refusal| Error::Unknown(refusal.why))?;
        let options = variant.read_options(&wanted.options)?;
        let fits = |table: &GameSnapshot| {
            // The options were validated when the game was created.
            let agreed = || variant.defaults().into_iter().chain(table.options()).collect::<Map<_, _>>();
            table.variant().key == variant.key && table.controls() == wanted.clocks && agreed() == options
        };
        if let Some(key) = &wanted.key
            && let Some(found) = self.found_before(key, &wanted, &fits).await?
        {
            return Ok(found);
        }
        let mut fitting = Vec::new();
        for row in self.inner.store.lobby(self.now(), Some(&wanted.variant), None, CANDIDATES).await? {
            let table = self.load_at_least(&row.id, row.version).await?;
            if fits(&table) {
                fitting.push((row, table));
            }
        }
        let owner = wanted.owner.as_ref();
        let mine = |(_, table): &&(GameRow, Arc<GameSnapshot>)| {
            own.iter().any(|token| table.seat(token).is_some())
                || owner.is_some_and(|owner| table.seat_of_key(&owner.key).is_some())
        };
        if let Some((_, table)) = fitting.iter().find(mine) {
            return Ok(Found::Waits(table.id().to_owned()));
        }
        // The list is newest first; the longest-waiting player comes first.
        for (row, table) in fitting.iter().rev() {
            if !self.is_creator_present(row, table).await? {
                continue;
            }
            let guest =
                JoinRequest { name: wanted.name.clone(), owner: wanted.owner.clone(), key: wanted.key.as_ref() };
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
                // Another player took the seat first.
                Err(Error::Refused(_) | Error::Unknown(_)) => {}
                Err(other) => return Err(other),
            }
        }
        self.begin(Begin { opponent: Opponent::Open, ..wanted }).await.map(Found::Offered)
    }

    /// Returns the result of an earlier search with the same key, if it was for the same game.
    async fn found_before(
        &self,
        key: &RequestSecret,
        wanted: &Begin,
        fits: &(dyn Fn(&GameSnapshot) -> bool + Sync),
    ) -> Result<Option<Found>, Error> {
        let token = Token::draw(&mut key.of_seat());
        if let Some(held) = self.inner.store.seats_held(&[token.digest()], None, 1).await?.pop() {
            let table = self.look(&held.game.id).await?;
            let seat = table.seat(&token).filter(|_| fits(&table)).ok_or_else(another_seat)?;
            return Ok(Some(Found::Joined(TakenSeat { id: held.game.id, seat, token })));
        }
        if self.inner.store.game(&identifiers::id(&mut key.of_new_game())).await?.is_none() {
            return Ok(None);
        }
        let begun = self.begin(Begin { opponent: Opponent::Open, ..wanted.clone() }).await?;
        Ok(Some(Found::Offered(begun)))
    }

    /// Returns whether the creator of an open game counts as present: the game is a seek in the lobby, has listeners, is new, or is played
    /// by days.
    async fn is_creator_present(&self, row: &GameRow, table: &GameSnapshot) -> Result<bool, Error> {
        let present = row.seeking.is_some() || table.by_days() || self.now() - row.created < PATIENCE;
        Ok(present || self.has_listeners(&row.id).await?)
    }
}

/// Open games per address, with their times of creation. The lock is held until a new game is stored.
pub(super) type Offers = HashMap<IpAddr, Vec<(String, i64)>>;

impl Play {
    /// Registers an open game of an address, or refuses if the address has reached its limit. The caller creates the game before it drops
    /// the guard, so that concurrent requests cannot exceed the limit.
    pub(super) async fn offer(&self, from: IpAddr, id: &str) -> Result<MutexGuard<'_, Offers>, Error> {
        let mut offers = self.inner.offers.lock().await;
        // A repeated request has created the game already.
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
                "your address already has {MOST_OFFERS} open games in the lobby or challenges; join another open game, or abort one of yours"
            );
            return Err(Refusal::new(why).into());
        }
        Ok(offers)
    }

    /// Removes expired games from the lobby. Call periodically; of several processes only the leader does it.
    ///
    /// # Errors
    /// `Busy` or `Full` if the database cannot be written.
    pub async fn expire(&self) -> Result<(), Error> {
        let now = self.now();
        self.inner.offers.lock().await.retain(|_, theirs| theirs.iter().any(|(_, at)| now - at < DAYS));
        if !self.inner.peers.first() {
            return Ok(());
        }
        let mut after = Cursor { created: now - SITTING + 1, id: String::new() };
        loop {
            let batch = self.inner.store.lobby(now, None, Some(&after), EXPIRY_BATCH).await?;
            for row in batch.iter().filter(|row| now - row.created >= lasts(row)) {
                self.end_open_game(&row.id).await?;
            }
            match batch.into_iter().nth(EXPIRY_BATCH as usize - 1) {
                Some(last) => after = Cursor { created: last.created, id: last.id },
                None => return Ok(()),
            }
        }
    }

    /// Ends an open game without a result. An unreadable game is skipped and logged once.
    pub(super) async fn end_open_game(&self, id: &str) -> Result<(), Error> {
        match self.apply_server_action(id, "expire").await {
            Err(Error::Broken(why)) => self.mark_unreadable(id, &why),
            Err(other @ (Error::Busy | Error::Often { .. } | Error::Full(_) | Error::Away(_))) => return Err(other),
            // Another process or request was faster.
            Ok(_) | Err(Error::Unknown(_) | Error::Stale { .. } | Error::Refused(_) | Error::Key(_)) => {}
        }
        Ok(())
    }
}

/// Lifetime of an open game in the lobby, in milliseconds.
fn lasts(row: &GameRow) -> i64 {
    let clocks: Option<[Option<Clock>; 2]> = row.clock.as_deref().and_then(|text| serde_json::from_str(text).ok());
    match clocks {
        Some([Some(Clock::Fischer { .. }), _] | [_, Some(Clock::Fischer { .. })]) => SITTING,
        Some(_) | None => DAYS,
    }
}
