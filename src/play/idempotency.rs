//! Idempotency keys, with which a repeated request counts once.

use super::{Error, Token, identifiers};
use rand::rngs::StdRng;
use std::{fmt, str::FromStr};

/// Maximum length of a key in characters.
const LONGEST: usize = 255;
/// Minimum length in characters of the key of a request without a token. Such a key is the only proof of the seat that the request takes.
const SHORTEST_SECRET: usize = 16;

/// `Idempotency-Key` of a request: 1 to 255 printable ASCII characters.
#[derive(Clone, PartialEq, Eq)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// The key as the client sent it.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for IdempotencyKey {
    type Err = Error;

    /// Fails with `Key` if the text is too long or has other characters.
    fn from_str(text: &str) -> Result<Self, Error> {
        let printable = text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
        if !printable || !(1..=LONGEST).contains(&text.len()) {
            return Err(Error::Key(format!("an Idempotency-Key must have 1 to {LONGEST} printable ASCII characters")));
        }
        Ok(IdempotencyKey(text.to_owned()))
    }
}

/// Secret from which a request draws its ids and tokens, so that its repetition draws the same.
#[derive(Clone, PartialEq, Eq)]
pub struct RequestSecret(String);

impl RequestSecret {
    /// Secret of a request with an idempotency key, and with the key of its client if the client has one.
    ///
    /// # Errors
    /// `Key` if the client has none and the idempotency key is easy to guess.
    pub fn new(key: &IdempotencyKey, client: Option<&Token>) -> Result<Self, Error> {
        match client {
            Some(client) => Ok(RequestSecret(format!("{} {}", client.as_str(), key.0))),
            None if key.0.len() >= SHORTEST_SECRET => Ok(RequestSecret(key.0.clone())),
            None => Err(Error::Key(format!(
                "without a key in the Authorization header, an Idempotency-Key must be a secret of at least {SHORTEST_SECRET} characters, \
                 such as a random UUID, because it is the only proof that the seat is yours"
            ))),
        }
    }

    /// Generator of the ids and tokens of a game that the request creates.
    pub(super) fn of_new_game(&self) -> StdRng {
        identifiers::keyed("a game begun", &self.0)
    }

    /// Generator of the token of a seat that the request takes.
    pub(super) fn of_seat(&self) -> StdRng {
        identifiers::keyed("a seat taken", &self.0)
    }
}

impl fmt::Debug for RequestSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RequestSecret(…)")
    }
}
