//! The games by their keys, which are their only encoding.

use std::{fmt, str::FromStr};

use super::Kin;
use crate::rules::Refusal;

impl fmt::Display for Kin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key())
    }
}

impl FromStr for Kin {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Kin, Refusal> {
        Kin::ALL.iter().copied().find(|kin| kin.key() == text).ok_or_else(|| {
            let known: Vec<&str> = Kin::ALL.iter().map(|kin| kin.key()).collect();
            Refusal::at(0, format!("“{text:.40}” is none of the games that are here; there are {}", known.join(", ")))
        })
    }
}

impl From<Kin> for String {
    fn from(kin: Kin) -> String {
        kin.key().to_owned()
    }
}

impl TryFrom<String> for Kin {
    type Error = Refusal;

    fn try_from(text: String) -> Result<Kin, Refusal> {
        text.parse()
    }
}
