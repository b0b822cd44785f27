//! Player keys and private seat links. A key is the secret of a player with several devices, or of a bot. It gives access to every seat
//! that it owns, in addition to each seat's own token.

use super::{Error, GameSnapshot, Name, Play, Token, client_bots, identifiers};
use crate::{
    rules::{Refusal, Seat},
    store::{Cursor, Digest, Handover, HeldSeat, Key, NewOwner, OwnerSwap, Renewal, StoreError},
};
use std::sync::Arc;

/// A key that exists, by its digest.
#[derive(Clone, Debug)]
pub struct Owner {
    pub(super) key: Digest,
    /// Display name of its bot, if it has one.
    pub(super) called: Option<String>,
}

/// One page of the games of a key.
pub struct OwnGames {
    /// Unfinished games, newest first, with the key's seat.
    pub games: Vec<(Arc<GameSnapshot>, Seat)>,
    /// Cursor of the next page.
    pub next: Option<Cursor>,
}

impl Play {
    /// Creates a key.
    ///
    /// # Errors
    /// `Busy` or `Full` if the database cannot be written.
    pub async fn new_key(&self) -> Result<Token, Error> {
        let key = self.draw(|chance| Token::draw(chance));
        self.inner.store.begin_owner(NewOwner { key: key.digest(), time: self.now() }).await?;
        Ok(key)
    }

    /// Key of a bot that the site itself runs: the same after every start and in every process.
    ///
    /// # Errors
    /// `Busy` or `Full` if the database cannot be written.
    pub async fn house_key(&self, name: &Name) -> Result<Token, Error> {
        let key = Token::made_of(&self.signing_secret().await?, name.as_str());
        if !self.inner.store.owner_exists(&key.digest()).await? {
            self.inner.store.begin_owner(NewOwner { key: key.digest(), time: self.now() }).await?;
        }
        Ok(key)
    }

    /// Looks up a key; none if it does not exist.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn owner(&self, key: &Token) -> Result<Option<Owner>, Error> {
        let key = key.digest();
        if !self.inner.store.owner_exists(&key).await? {
            return Ok(None);
        }
        let program = self.inner.store.program_of(&key).await?;
        Ok(Some(Owner { key, called: program.map(|program| client_bots::marked(&program.name)) }))
    }

    /// Makes a key the owner of the seat that the token gives access to. Does nothing if it owns the seat already.
    ///
    /// # Errors
    /// Refused if the token is not valid for this game, or the key owns the other seat.
    pub async fn hand_over(&self, id: &str, token: &Token, owner: &Owner) -> Result<Seat, Error> {
        let table = self.look(id).await?;
        let seat = table.seat(token).ok_or_else(|| Refusal::new("this token is not valid for this game"))?;
        match table.seat_of_key(&owner.key) {
            Some(own) if own == seat => return Ok(seat),
            Some(_) => return Err(both_seats().into()),
            None => {}
        }
        let handover = Handover { game: id.to_owned(), token: token.digest(), owner: owner.key.clone() };
        if self.inner.store.hand_over(handover).await?.is_none() {
            let why = "the seat’s own token is needed, not a key, and not a token that has been replaced";
            return Err(Refusal::new(why).into());
        }
        let loaded = self.loaded(id).await?;
        let _writing = loaded.writing.lock().await;
        loaded.put(self.read(id).await?);
        Ok(seat)
    }

    /// Replaces a key with a new one; the old one stops working. Its notification destinations end, because their secrets derive from the
    /// key.
    ///
    /// # Errors
    /// Refused if the key no longer exists.
    pub async fn swap_key(&self, owner: &Owner) -> Result<Token, Error> {
        let key = self.draw(|chance| Token::draw(chance));
        let swap = OwnerSwap { old: owner.key.clone(), new: key.digest() };
        let games = self.inner.store.swap_owner(swap).await?;
        let games = games.ok_or_else(|| Refusal::new("this key has been replaced; use the new one"))?;
        for (game, version) in games {
            self.follow(&game, version).await?;
        }
        Ok(key)
    }

    /// Unfinished games of a key after the cursor `after`, newest first.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn own_games(&self, owner: &Owner, after: Option<&Cursor>, limit: u32) -> Result<OwnGames, Error> {
        let mut rows = self.inner.store.playing(&owner.key, after, limit + 1).await?;
        let more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let last = rows.last().filter(|_| more);
        let next = last.map(|held| Cursor { created: held.game.created, id: held.game.id.clone() });
        Ok(OwnGames { games: self.held_games(&rows).await?, next })
    }

    /// Games of a key that ended at `since` or later, last end first.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn ended_games(
        &self,
        owner: &Owner,
        since: i64,
        limit: u32,
    ) -> Result<Vec<(Arc<GameSnapshot>, Seat)>, Error> {
        self.held_games(&self.inner.store.ended(&owner.key, since, limit).await?).await
    }

    async fn held_games(&self, rows: &[HeldSeat]) -> Result<Vec<(Arc<GameSnapshot>, Seat)>, Error> {
        let mut games = Vec::new();
        for held in rows {
            let table = self.load_at_least(&held.game.id, held.game.version).await?;
            games.push((table, held.seat.parse()?));
        }
        Ok(games)
    }
}

/// Refusal for a key that would own both seats of a game.
pub(super) fn both_seats() -> Refusal {
    Refusal::new("this key already owns the other seat of the game; leave the key out, or use another one")
}

impl Play {
    /// Replaces the invitation to the open seat of a game. The old code stops working.
    ///
    /// # Errors
    /// Refused if the game has no open seat.
    pub async fn renew_invitation(&self, id: &str) -> Result<String, Error> {
        let table = self.look(id).await?;
        let free = Seat::BOTH.into_iter().find(|seat| !table.taken(*seat));
        let seat = free.filter(|_| table.game.outcome().is_none()).ok_or_else(no_open_game)?;
        let code = self.draw(|chance| identifiers::code(chance));
        match self.change_key(&table, seat, Key::Invitation(Digest::of(&code))).await {
            Ok(()) => Ok(code),
            Err(Error::Refused(_)) => Err(no_open_game().into()),
            Err(other) => Err(other),
        }
    }

    /// Replaces the token of a seat for its holder. The old token stops working everywhere.
    ///
    /// # Errors
    /// Refused if the token is not valid for this game, or the game has a rematch.
    pub async fn renew_seat(&self, id: &str, held: &Token) -> Result<(Seat, Token), Error> {
        let table = self.look(id).await?;
        let unknown = || Refusal::new("this token is not valid for this game");
        let seat = table.seat(held).ok_or_else(unknown)?;
        if table.rematch.is_some() {
            // The invitation to the rematch derives from the current token.
            return Err(Refusal::new("this game has a rematch; replace the link to the rematch instead").into());
        }
        let token = self.draw(|chance| Token::draw(chance));
        match self.change_key(&table, seat, Key::Proof { old: held.digest(), new: token.digest() }).await {
            Ok(()) => Ok((seat, token)),
            Err(Error::Refused(_)) => Err(unknown().into()),
            Err(other) => Err(other),
        }
    }

    async fn change_key(&self, table: &GameSnapshot, seat: Seat, key: Key) -> Result<(), Error> {
        let renewal = Renewal { game: table.id().to_owned(), seat: seat.name().to_owned(), key, time: self.now() };
        match self.inner.store.renew(renewal).await {
            Ok(_) => {}
            Err(StoreError::Used) => {
                return Err(Refusal::new("the seat has just changed; reload the game and try again").into());
            }
            Err(other) => return Err(other.into()),
        }
        let loaded = self.loaded(table.id()).await?;
        let _writing = loaded.writing.lock().await;
        loaded.put(self.read(table.id()).await?);
        Ok(())
    }
}

fn no_open_game() -> Refusal {
    Refusal::new("this game has no free seat: both players have joined, or the game is over")
}
