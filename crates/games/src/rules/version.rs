//! Versions of the rules.

use serde::{Deserialize, Serialize};

use super::Refusal;

/// Version of the rules of all variants, named in each record. A game is played and replayed under the version it started with.
///
/// A change of a price, of a draw rule or of anything else that old records depend on needs a new version. Only
/// [`Rules::terms`](super::Rules::terms), [`Describe::option_since`](super::Describe::option_since) and takebacks depend on the
/// version.
///
/// | version | change |
/// |---|---|
/// | 1 | the first version, and the version of records that name none |
/// | 2 | atomic chess can be drawn as a random variant |
/// | 3 | losing on time is judged by material in every variant, some variants have the fifty-move rule or other draws of lichess, a given position castles as in chess, and a takeback returns increments |
/// | 4 | in csipgs chess a takeback takes back the whole turn |
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(into = "i64", try_from = "i64")]
pub struct RulesVersion(i64);

impl RulesVersion {
    /// The first version.
    pub const FIRST: RulesVersion = RulesVersion(1);
    /// The second version.
    pub const SECOND: RulesVersion = RulesVersion(2);
    /// The third version.
    pub const THIRD: RulesVersion = RulesVersion(3);
    /// The fourth version.
    pub const FOURTH: RulesVersion = RulesVersion(4);
    /// Version of new games.
    pub const CURRENT: RulesVersion = RulesVersion::FOURTH;
}

/// Version of records that name none.
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
                "version {number} of the rules is unknown: this server supports versions 1 to {}",
                RulesVersion::CURRENT.0
            ))),
        }
    }
}
