//! All that is kept of a secret: its SHA-256. Must not know where secrets come from, and never holds one.

use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq;

/// The SHA-256 of a seat token or an invitation code, as 64 lower-case hexadecimal digits.
/// Two digests are compared in constant time; `Debug` shows nothing of them.
#[derive(Clone)]
pub struct Digest(String);

impl Digest {
    /// The digest of a secret's UTF-8 bytes.
    pub fn of(secret: &str) -> Digest {
        Digest(Sha256::digest(secret.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Another secret, made from what is kept of this one: for `context` it is always the same, and it tells nothing.
    pub fn derive(&self, context: &str) -> String {
        Digest::of(&format!("{context} {}", self.0)).0
    }

    /// Takes the text of a column as it is.
    pub(super) fn stored(text: String) -> Digest {
        Digest(text)
    }

    /// The text that a column is to hold.
    pub(super) fn text(&self) -> &str {
        &self.0
    }
}

impl PartialEq for Digest {
    fn eq(&self, other: &Digest) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl Eq for Digest {}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Digest(…)")
    }
}
