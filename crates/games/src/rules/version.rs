//! Versions of the rules.

use serde::{Deserialize, Serialize};

use super::Refusal;

/// A version of the rules of all variants, which a record names. A game is played and replayed under the version it began with.
///
/// A change of a price, of a draw rule or of anything else that an old record depends on is a new version.
/// Only [`Rules::terms`](super::Rules::terms) and [`Describe::option_since`](super::Describe::option_since) depend on the version.
///
/// | version | change |
/// |---|---|
/// | 1 | the first version, and that of every record which names none |
/// | 2 | atomic chess can be drawn as a random variant |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(into = "i64", try_from = "i64")]
pub struct RulesVersion(i64);

impl RulesVersion {
    /// The first version.
    pub const FIRST: RulesVersion = RulesVersion(1);
    /// The second version.
    pub const SECOND: RulesVersion = RulesVersion(2);
    /// The version of games that begin now.
    pub const CURRENT: RulesVersion = RulesVersion::SECOND;
}

/// The version of a record that names none.
impl Default for RulesVersion {
    fn default() -> RulesVersion {
        RulesVersion::FIRST
    }
}

impl From<RulesVersion> for i64 {
    fn from(version: RulesVersion) -> i64 {
        version.0
    }
}

impl TryFrom<i64> for RulesVersion {
    type Error = Refusal;

    fn try_from(number: i64) -> Result<RulesVersion, Refusal> {
        match RulesVersion(number) {
            known if (RulesVersion::FIRST..=RulesVersion::CURRENT).contains(&known) => Ok(known),
            RulesVersion(number) => Err(Refusal::new(format!(
                "version {number} of the rules is unknown: this server has versions 1 to {}",
                RulesVersion::CURRENT.0
            ))),
        }
    }
}
