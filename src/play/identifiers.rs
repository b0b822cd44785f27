//! Ids, tokens, invitation codes and players' names: how they are drawn and how they are cleaned.

use std::{fmt, str::FromStr};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use rand::{Rng, RngExt, SeedableRng, rngs::StdRng};
use sha2::{Digest as _, Sha256};

use crate::{rules::Refusal, store::Digest};

/// Letters and digits that nobody mistakes for each other.
const CLEAR: &[u8; 31] = b"23456789abcdefghjkmnpqrstuvwxyz";
/// Characters of a game's id.
const ID: usize = 8;
/// Characters of an invitation code: 49 bits, drawn anew for every game, good once.
const CODE: usize = 10;

/// The source of all names of what a request with a key brings about, as “a game begun”: the same key gives the same names, and nobody can
/// tell the key from them.
pub(super) fn keyed(what: &str, key: &str) -> StdRng {
    StdRng::from_seed(Sha256::digest(format!("{what} with the key {key}").as_bytes()).into())
}

fn word(length: usize, rng: &mut dyn Rng) -> String {
    (0..length).map(|_| CLEAR[rng.random_range(0..CLEAR.len())] as char).collect()
}

/// A new game's id.
pub(super) fn id(rng: &mut dyn Rng) -> String {
    word(ID, rng)
}

/// A new invitation's code.
pub(super) fn code(rng: &mut dyn Rng) -> String {
    word(CODE, rng)
}

/// The proof of a seat: 128 random bits in base64url. Only its digest is kept.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    /// A new one.
    pub(super) fn draw(rng: &mut dyn Rng) -> Self {
        let mut bytes = [0; 16];
        rng.fill_bytes(&mut bytes);
        Token(URL_SAFE_NO_PAD.encode(bytes))
    }

    /// The one that a secret of the site's makes of a name: always the same, and nobody without the secret can tell it.
    pub(super) fn made_of(secret: &[u8; 32], name: &str) -> Self {
        let made = Sha256::new().chain_update(secret).chain_update("the key of the bot ").chain_update(name).finalize();
        Token(URL_SAFE_NO_PAD.encode(&made[..16]))
    }

    /// The text that its holder keeps.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The digest, which is all that is kept of it.
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
            (_, Some(at)) => Err(Refusal::at(at, "a seat’s token has only letters, digits, - and _")),
            (found, None) => Err(Refusal::new(format!("a seat’s token has 22 characters, and this has {found}"))),
        }
    }
}

/// The name that a player wants to be called by: at most 40 characters that can be seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name(String);

impl Name {
    /// The longest name, in characters.
    pub const LONGEST: usize = 40;

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reads a name that may be left out.
    pub fn optional(text: &str) -> Result<Option<Name>, Refusal> {
        if text.trim().is_empty() { Ok(None) } else { text.parse().map(Some) }
    }
}

/// Tells whether a character cannot be seen: controls, marks that turn the direction of writing and would let one name disturb another, and
/// what Unicode calls default ignorable, with the blanks that are letters.
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
            return Err(Refusal::at(0, format!("a name has at most {} characters", Name::LONGEST)));
        }
        match text.char_indices().find(|(_, letter)| unseen(*letter)) {
            Some((at, _)) => Err(Refusal::at(at, "a name has only characters that can be seen")),
            None if text.split_whitespace().next().is_some_and(|word| word.to_lowercase() == "bot") => {
                Err(Refusal::at(0, "a name does not begin with “bot”: that is how bots are called"))
            }
            None if text.is_empty() => Err(Refusal::new("a name has at least one character")),
            None => Ok(Name(text.to_owned())),
        }
    }
}
