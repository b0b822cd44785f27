//! Ids, tokens, invitation codes and player names: generation and validation.

use std::{fmt, str::FromStr};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};
use sha2::{Digest as _, Sha256};

use crate::{rules::Refusal, store::Digest};

/// Letters and digits that are not easily confused.
const CLEAR: &[u8; 31] = b"23456789abcdefghjkmnpqrstuvwxyz";
/// Length of a game id.
const ID: usize = 8;
/// Length of an invitation code: 49 bits, enough for a code that is new for every game and works once.
const CODE: usize = 10;

/// Generator for everything that a request with a key creates. `what` is the purpose, such as “a game begun”. The same purpose and key give
/// the same sequence, which does not reveal the key.
pub(super) fn keyed(what: &str, key: &str) -> StdRng {
    StdRng::from_seed(Sha256::digest(format!("{what} with the key {key}").as_bytes()).into())
}

fn word(length: usize, rng: &mut dyn Rng) -> String {
    (0..length).map(|_| CLEAR[rng.random_range(0..CLEAR.len())] as char).collect()
}

/// Draws a game id.
pub(super) fn id(rng: &mut dyn Rng) -> String {
    word(ID, rng)
}

/// Draws an invitation code.
pub(super) fn code(rng: &mut dyn Rng) -> String {
    word(CODE, rng)
}

/// Secret of a seat, or a player's key: 128 random bits in base64url. Only its digest is stored.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// Draws a token.
    pub(super) fn draw(rng: &mut dyn Rng) -> Self {
        let mut bytes = [0; 16];
        rng.fill_bytes(&mut bytes);
        Token(URL_SAFE_NO_PAD.encode(bytes))
    }

    /// Derives the key of a bot that the site itself runs from the site's secret: the same name always gives the same token, unpredictable
    /// without the secret.
    pub(super) fn made_of(secret: &[u8; 32], name: &str) -> Self {
        let made = Sha256::new().chain_update(secret).chain_update("the key of the bot ").chain_update(name).finalize();
        Token(URL_SAFE_NO_PAD.encode(&made[..16]))
    }

    /// Text of the token.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Digest of the token, the only form that is stored.
    pub fn digest(&self) -> Digest {
        Digest::of(&self.0)
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl FromStr for Token {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        let wrong = text.bytes().position(|byte| !byte.is_ascii_alphanumeric() && byte != b'-' && byte != b'_');
        match (text.len(), wrong) {
            (22, None) => Ok(Token(text.to_owned())),
            (_, Some(at)) => Err(Refusal::at(at, "a token may contain only letters, digits, - and _")),
            (found, None) => Err(Refusal::new(format!("a token has 22 characters, but this one has {found}"))),
        }
    }
}

/// Display name of a player: at most 40 visible characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name(String);

impl Name {
    /// Maximum length in characters.
    pub const LONGEST: usize = 40;

    /// Text of the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Parses a name; blank text is no name.
    pub fn optional(text: &str) -> Result<Option<Name>, Refusal> {
        if text.trim().is_empty() { Ok(None) } else { text.parse().map(Some) }
    }
}

/// Returns whether a character is invisible: controls, bidirectional marks (which would disturb the text around a name), Unicode's default
/// ignorables, and letters that look blank.
fn unseen(letter: char) -> bool {
    letter.is_control()
        || matches!(
            letter,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffc}' | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        )
}

impl FromStr for Name {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        let text = text.trim();
        if text.chars().count() > Name::LONGEST {
            return Err(Refusal::at(0, format!("a name may have at most {} characters", Name::LONGEST)));
        }
        match text.char_indices().find(|(_, letter)| unseen(*letter)) {
            Some((at, _)) => Err(Refusal::at(at, "a name may contain only visible characters")),
            None if text.split_whitespace().next().is_some_and(|word| word.to_lowercase() == "bot") => {
                Err(Refusal::at(0, "a name must not begin with “bot”, which marks bots"))
            }
            None if text.is_empty() => Err(Refusal::new("a name must have at least one character")),
            None => Ok(Name(text.to_owned())),
        }
    }
}
