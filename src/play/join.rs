//! Joining a game, by invitation or from the lobby.

use std::sync::Arc;

use super::{
    Error, GameSnapshot, Name, Owner, Play, RequestSecret, Token, create_game::called, player_keys::both_seats,
};
use crate::{
    rules::{Refusal, Seat},
    store::{Claim, Digest, SeatEntry, StoreError},
};

/// The player who joins.
#[derive(Clone, Debug, Default)]
pub struct JoinRequest<'a> {
    /// Display name of the player.
    pub name: Option<Name>,
    /// Secret of a request with an `Idempotency-Key`: repeated requests take one seat.
    pub key: Option<&'a RequestSecret>,
    /// Key that will own the seat.
    pub owner: Option<Owner>,
}

/// A seat that a player has taken.
#[derive(Clone, Debug)]
pub struct TakenSeat {
    /// Id of the game.
    pub id: String,
    /// The seat.
    pub seat: Seat,
    /// Token of the seat.
    pub token: Token,
}

impl Play {
    /// Takes the open seat of an invitation. A repeated request with the same key gets the same seat.
    pub async fn join(&self, code: &str, guest: JoinRequest<'_>) -> Result<TakenSeat, Error> {
        // A code that was read aloud or copied by hand may contain capitals, spaces and hyphens.
        let code: String = code.chars().filter(|letter| !letter.is_whitespace() && *letter != '-').collect();
        self.sit(SeatEntry::Invite(Digest::of(&code.to_lowercase())), guest).await
    }

    /// Takes the open seat of a game in the lobby. A repeated request with the same key gets the same seat.
    pub async fn join_open(&self, id: &str, guest: JoinRequest<'_>) -> Result<TakenSeat, Error> {
        self.sit(SeatEntry::Lobby(id.to_owned()), guest).await
    }

    /// Returns the game of an invitation, the seat it is for, and whether it can still be used.
    pub async fn invitation(&self, code: &str) -> Result<(Arc<GameSnapshot>, Seat, bool), Error> {
        let found = self.inner.store.invitation(&Digest::of(&code.to_lowercase())).await?;
        let found = found.ok_or(StoreError::NoInvitation)?;
        let table = self.look(&found.game).await?;
        let seat = found.seat.parse()?;
        let open = found.claimed.is_none() && table.game.outcome().is_none();
        Ok((table, seat, open))
    }

    async fn sit(&self, door: SeatEntry, guest: JoinRequest<'_>) -> Result<TakenSeat, Error> {
        let JoinRequest { name, key, owner } = guest;
        let mut keyed = key.map(RequestSecret::of_seat);
        let token = self.named(&mut keyed, Token::draw);
        if let Some(owner) = &owner
            && let Some(game) = self.game_of_entry(&door).await?
        {
            let table = self.look(&game).await?;
            if table.seat_of_key(&owner.key).is_some() && table.seat(&token).is_none() {
                return Err(both_seats().into());
            }
        }
        let name = called(owner.as_ref(), name);
        let owner = owner.map(|owner| owner.key);
        let claim = Claim { entry: door.clone(), token: token.digest(), name, owner, time: self.now(), due: None };
        let claimed = match self.inner.store.claim(claim).await {
            Ok(claimed) => claimed,
            Err(why @ (StoreError::Taken | StoreError::Used | StoreError::Over | StoreError::NoInvitation))
                if key.is_some() =>
            {
                return self.repeated_seat(&door, token, why).await;
            }
            Err(other) => return Err(entry_error(&door, other)),
        };
        let loaded = self.loaded(&claimed.game).await?;
        // An action that is being written now would publish the old seats, so read the game after it.
        let writing = loaded.writing.lock().await;
        loaded.put(self.read(&claimed.game).await?);
        drop(writing);
        Ok(TakenSeat { id: claimed.game, seat: claimed.seat.parse()?, token })
    }

    /// Game of an invitation or lobby entry, if it exists.
    async fn game_of_entry(&self, door: &SeatEntry) -> Result<Option<String>, Error> {
        match door {
            SeatEntry::Lobby(id) => Ok(Some(id.clone())),
            SeatEntry::Invite(code) => Ok(self.inner.store.invitation(code).await?.map(|found| found.game)),
        }
    }

    /// Returns the seat that an earlier request with the same key took.
    async fn repeated_seat(&self, door: &SeatEntry, token: Token, why: StoreError) -> Result<TakenSeat, Error> {
        let id = self.game_of_entry(door).await?.ok_or(StoreError::NoInvitation)?;
        let table = self.look(&id).await?;
        match (table.seat(&token), why) {
            (Some(seat), _) => Ok(TakenSeat { id, seat, token }),
            (None, StoreError::Taken) => Err(another_seat()),
            (None, why) => Err(entry_error(door, why)),
        }
    }
}

/// Error for a seat that cannot be taken. A game in the lobby has no invitation.
fn entry_error(door: &SeatEntry, why: StoreError) -> Error {
    match (door, why) {
        (SeatEntry::Lobby(id), StoreError::NoInvitation) => {
            Error::Unknown(format!("there is no open game {id}; check the id, or ask for an invitation"))
        }
        (SeatEntry::Lobby(_), StoreError::Used) => {
            Refusal::new("both seats of this game are taken; you can still watch it").into()
        }
        (_, why) => why.into(),
    }
}

/// Error for a key that was used for another seat.
pub(super) fn another_seat() -> Error {
    let why = "this Idempotency-Key was used for another seat, so nothing was done; use a new key for each seat";
    Error::Key(why.to_owned())
}
