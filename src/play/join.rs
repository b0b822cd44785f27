//! Sitting down to a game: by which door somebody comes in, and which chair they take.

use std::sync::Arc;

use super::{
    Error, GameSnapshot, Name, Owner, Play, Token,
    create_game::{SITS, called, secret},
    player_keys::both_seats,
};
use crate::{
    rules::Seat,
    store::{Claim, Digest, SeatEntry, StoreError},
};

/// Whoever sits down.
#[derive(Clone, Debug, Default)]
pub struct JoinRequest<'a> {
    /// The name that they want to be called by.
    pub name: Option<Name>,
    /// The key of the request: however often it is sent, it takes one seat.
    pub key: Option<&'a str>,
    /// Their own key: the seat belongs to it.
    pub owner: Option<Owner>,
}

/// A seat that was taken.
#[derive(Clone, Debug)]
pub struct TakenSeat {
    /// In which game.
    pub id: String,
    /// Which seat.
    pub seat: Seat,
    /// Its proof.
    pub token: Token,
}

impl Play {
    /// Takes the free seat behind an invitation code.
    /// With a key, whoever asks again with the same one gets the same seat.
    pub async fn join(&self, code: &str, guest: JoinRequest<'_>) -> Result<TakenSeat, Error> {
        // What was read aloud or copied from paper may have capitals and spaces.
        let code: String = code.chars().filter(|letter| !letter.is_whitespace() && *letter != '-').collect();
        self.sit(SeatEntry::Invite(Digest::of(&code.to_lowercase())), guest).await
    }

    /// Takes the free seat of a game in the lobby; with a key as [`Self::join`].
    pub async fn join_open(&self, id: &str, guest: JoinRequest<'_>) -> Result<TakenSeat, Error> {
        self.sit(SeatEntry::Lobby(id.to_owned()), guest).await
    }

    /// The game that an invitation leads to, the seat it is for, and whether it is still good.
    pub async fn invitation(&self, code: &str) -> Result<(Arc<GameSnapshot>, Seat, bool), Error> {
        let found = self.inner.store.invitation(&Digest::of(&code.to_lowercase())).await?;
        let found = found.ok_or(StoreError::NoInvitation)?;
        let table = self.look(&found.game).await?;
        let seat = found.seat.parse()?;
        Ok((table, seat, found.claimed.is_none()))
    }

    async fn sit(&self, door: SeatEntry, guest: JoinRequest<'_>) -> Result<TakenSeat, Error> {
        let JoinRequest { name, key, owner } = guest;
        let mut keyed = key.map(|key| secret(SITS, key)).transpose()?;
        let token = self.named(&mut keyed, Token::draw);
        if let Some(owner) = &owner
            && let Some(game) = self.behind(&door).await?
        {
            let table = self.look(&game).await?;
            if table.owned(&owner.key).is_some() && table.seat(&token).is_none() {
                return Err(both_seats().into());
            }
        }
        let name = called(owner.as_ref(), name);
        let owner = owner.map(|owner| owner.key);
        let claim = Claim { door: door.clone(), token: token.digest(), name, owner, time: self.now(), due: None };
        let claimed = match self.inner.store.claim(claim).await {
            Ok(claimed) => claimed,
            Err(why @ (StoreError::Taken | StoreError::Used | StoreError::NoInvitation)) if key.is_some() => {
                return self.sat_before(&door, token, why).await;
            }
            Err(other) => return Err(other.into()),
        };
        let loaded = self.loaded(&claimed.game).await?;
        // A choice that is being written meanwhile knows the chairs as they were: what stands is read after it.
        let writing = loaded.writing.lock().await;
        loaded.put(self.read(&claimed.game).await?);
        drop(writing);
        Ok(TakenSeat { id: claimed.game, seat: claimed.seat.parse()?, token })
    }

    /// The game behind a door; nothing if it leads nowhere.
    async fn behind(&self, door: &SeatEntry) -> Result<Option<String>, Error> {
        match door {
            SeatEntry::Lobby(id) => Ok(Some(id.clone())),
            SeatEntry::Invite(code) => Ok(self.inner.store.invitation(code).await?.map(|found| found.game)),
        }
    }

    /// The seat that a request with the same key has taken by the same door.
    async fn sat_before(&self, door: &SeatEntry, token: Token, why: StoreError) -> Result<TakenSeat, Error> {
        let id = self.behind(door).await?.ok_or(StoreError::NoInvitation)?;
        let table = self.look(&id).await?;
        match (table.seat(&token), why) {
            (Some(seat), _) => Ok(TakenSeat { id, seat, token }),
            (None, StoreError::Taken) => Err(another_seat()),
            (None, why) => Err(why.into()),
        }
    }
}

/// A key was used before, for something else.
pub(super) fn another_seat() -> Error {
    let why = "this Idempotency-Key was used for another seat; nothing was done: give each seat a key of its own";
    Error::Key(why.to_owned())
}
