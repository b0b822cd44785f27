//! Standard chess under the FIDE Laws of Chess, with draw claims and automatic draws.

use serde::{Deserialize, Serialize};

use crate::rules::{
    RulesVersion, VariantInfo,
    chesslike::{ChessLike, NoDeal, NoTally},
    search_problem::Aim,
};

/// Options of a game of chess.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Chess {
    /// Starting position (FEN); empty for the standard one.
    pub fen: String,
}

impl ChessLike for Chess {
    const INFO: VariantInfo = VariantInfo {
        uci_name: Some("chess"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new("chess", "Chess", "Standard chess: checkmate the king.")
    };
    type Tally = NoTally;
    type Deal = NoDeal;

    fn fen(&self) -> &str {
        &self.fen
    }

    fn aim(_tally: &NoTally) -> Option<Aim> {
        Some(Aim::Mate)
    }
}
