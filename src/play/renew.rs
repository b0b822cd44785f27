//! New keys for old chairs: an invitation that went to the wrong people, a private link that somebody else has seen.

use super::{Error, LiveGame, Play, Token, names};
use crate::{
    rules::{Refusal, Seat},
    store::{Digest, Key, Renewal, StoreError},
};

impl Play {
    /// Draws another invitation to the seat that is free, for whoever holds the other one. The old one leads nowhere from now on.
    ///
    /// # Errors
    /// Refused where no seat waits for an invitation.
    pub async fn renew_invitation(&self, id: &str) -> Result<String, Error> {
        let table = self.look(id).await?;
        let free = Seat::BOTH.into_iter().find(|seat| !table.taken(*seat));
        let seat = free.filter(|_| table.game.outcome().is_none()).ok_or_else(nobody_waits)?;
        let code = self.draw(|chance| names::code(chance));
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

    async fn change_key(&self, table: &LiveGame, seat: Seat, key: Key) -> Result<(), Error> {
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
