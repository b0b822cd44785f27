//! Why something was refused, in words fit for the player.

/// Why something was refused, in words fit for the player, and where in the text it went wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{why}")]
pub struct Refusal {
    /// The fault, and what to do.
    pub why: String,
    /// The offset in bytes of the first wrong character.
    pub at: Option<usize>,
}

impl Refusal {
    /// A refusal of the whole.
    pub fn new(why: impl Into<String>) -> Self {
        Refusal { why: why.into(), at: None }
    }

    /// A refusal that points at a byte of the text.
    pub fn at(at: usize, why: impl Into<String>) -> Self {
        Refusal { why: why.into(), at: Some(at) }
    }
}

impl From<crate::board::BadUci> for Refusal {
    fn from(bad: crate::board::BadUci) -> Self {
        Refusal::at(bad.at, bad.to_string())
    }
}
