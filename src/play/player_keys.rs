//! Keys and private links of seats. A key is the secret of a player with several devices or with a program; it is good for every seat that
//! belongs to it, beside the seat's own proof.

use super::{Error, GameSnapshot, Name, Play, Token, client_bots, identifiers};
use crate::{
    rules::{Refusal, Seat},
    store::{Cursor, Digest, Handover, Key, NewOwner, OwnerSwap, Renewal, StoreError},
};
use std::sync::Arc;

/// A key that there is, as a game keeps it.
#[derive(Clone, Debug)]
pub struct Owner {
    pub(super) key: Digest,
    /// The name under which its program sits down, if it is one.
    pub(super) called: Option<String>,
}

/// A page of the games of a key.
pub struct OwnGames {
    /// The games that are not over, the newest first, with the key's seat.
    pub games: Vec<(Arc<GameSnapshot>, Seat)>,
    /// Where the next page goes on.
    pub next: Option<Cursor>,
}

impl Play {
    /// Draws a key.
    ///
    /// # Errors
    /// `Busy` or `Full` where nothing can be written.
    pub async fn new_key(&self) -> Result<Token, Error> {
        let key = self.draw(|chance| Token::draw(chance));
        self.inner.store.begin_owner(NewOwner { key: key.digest(), time: self.now() }).await?;
        Ok(key)
    }

    /// The key of a bot that the site itself brings: the same at every start and on every process.
    ///
    /// # Errors
    /// `Busy` or `Full` where nothing can be written.
    pub async fn house_key(&self, name: &Name) -> Result<Token, Error> {
        let key = Token::made_of(&self.signing_secret().await?, name.as_str());
        if !self.inner.store.owner_known(&key.digest()).await? {
            self.inner.store.begin_owner(NewOwner { key: key.digest(), time: self.now() }).await?;
        }
        Ok(key)
    }

    /// Finds who a key is; nothing if there is no such key.
    ///
    /// # Errors
    /// `Busy`, or what the record says.
    pub async fn owner(&self, key: &Token) -> Result<Option<Owner>, Error> {
        let key = key.digest();
        if !self.inner.store.owner_known(&key).await? {
            return Ok(None);
        }
        let program = self.inner.store.program_of(&key).await?;
        Ok(Some(Owner { key, called: program.map(|program| client_bots::marked(&program.name)) }))
    }

    /// Lets a seat belong to a key, for whoever proves that they sit there. What belongs to the key already stays so.
    ///
    /// # Errors
    /// Refused if the proof is none of this game, or the key holds the other seat.
    pub async fn hand_over(&self, id: &str, token: &Token, owner: &Owner) -> Result<Seat, Error> {
        let table = self.look(id).await?;
        let seat = table.seat(token).ok_or_else(|| Refusal::new("this proof belongs to no seat of this game"))?;
        match table.owned(&owner.key) {
            Some(own) if own == seat => return Ok(seat),
            Some(_) => return Err(both_seats().into()),
            None => {}
        }
        let handover = Handover { game: id.to_owned(), token: token.digest(), owner: owner.key.clone() };
        if self.inner.store.hand_over(handover).await?.is_none() {
            return Err(Refusal::new("the seat has changed meanwhile").into());
        }
        let loaded = self.loaded(id).await?;
        let _writing = loaded.writing.lock().await;
        loaded.put(self.read(id).await?);
        Ok(seat)
    }

    /// Draws another key in the place of one, which is good for nothing from then on. Its notices end, for they are made of it.
    ///
    /// # Errors
    /// Refused if there is no such key any more.
    pub async fn swap_key(&self, owner: &Owner) -> Result<Token, Error> {
        let key = self.draw(|chance| Token::draw(chance));
        let swap = OwnerSwap { old: owner.key.clone(), new: key.digest() };
        let games = self.inner.store.swap_owner(swap).await?;
        let games = games.ok_or_else(|| Refusal::new("this key has been replaced meanwhile"))?;
        for (game, version) in games {
            self.follow(&game, version).await?;
        }
        Ok(key)
    }

    /// The games of a key that are not over, the newest first, those behind `after`.
    ///
    /// # Errors
    /// `Busy`, or what the record says.
    pub async fn own_games(&self, owner: &Owner, after: Option<&Cursor>, limit: u32) -> Result<OwnGames, Error> {
        let mut rows = self.inner.store.playing(&owner.key, after, limit + 1).await?;
        let more = rows.len() > limit as usize;
        rows.truncate(limit as usize);
        let last = rows.last().filter(|_| more);
        let next = last.map(|held| Cursor { created: held.game.created, id: held.game.id.clone() });
        let mut games = Vec::new();
        for held in &rows {
            let table = self.listed(&held.game.id, held.game.version).await?;
            games.push((table, held.seat.parse()?));
        }
        Ok(OwnGames { games, next })
    }
}

/// Why a key has no second seat of a game.
pub(super) fn both_seats() -> Refusal {
    Refusal::new(
        "this key holds the other seat of the game, and it holds one of each: leave the key out, or use another one",
    )
}

impl Play {
    /// Draws another invitation to the seat that is free, for whoever holds the other one. The old one leads nowhere from now on.
    ///
    /// # Errors
    /// Refused where no seat waits for an invitation.
    pub async fn renew_invitation(&self, id: &str) -> Result<String, Error> {
        let table = self.look(id).await?;
        let free = Seat::BOTH.into_iter().find(|seat| !table.taken(*seat));
        let seat = free.filter(|_| table.game.outcome().is_none()).ok_or_else(nobody_waits)?;
        let code = self.draw(|chance| identifiers::code(chance));
        match self.change_key(&table, seat, Key::Invitation(Digest::of(&code))).await {
            Ok(()) => Ok(code),
            Err(Error::Refused(_)) => Err(nobody_waits().into()),
            Err(other) => Err(other),
        }
    }

    /// Draws another proof of a seat for whoever holds it. The old one proves nothing from now on, wherever it is.
    ///
    /// # Errors
    /// Refused where the proof is none of this game.
    pub async fn renew_seat(&self, id: &str, held: &Token) -> Result<(Seat, Token), Error> {
        let table = self.look(id).await?;
        let unknown = || Refusal::new("this proof belongs to no seat of this game");
        let seat = table.seat(held).ok_or_else(unknown)?;
        if table.rematch.is_some() {
            // The way to the next game is made from the proof as it was.
            return Err(Refusal::new("this game has a rematch: replace the link of that one").into());
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
            Err(StoreError::Used) => return Err(Refusal::new("the seat has changed meanwhile").into()),
            Err(other) => return Err(other.into()),
        }
        let loaded = self.loaded(table.id()).await?;
        let _writing = loaded.writing.lock().await;
        loaded.put(self.read(table.id()).await?);
        Ok(())
    }
}

fn nobody_waits() -> Refusal {
    Refusal::new("no seat of this game waits for an invitation")
}
