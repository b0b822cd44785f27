//! Ordinary chess (FIDE Laws of Chess): mate, stalemate, the claims and the automatic draws.

use serde::{Deserialize, Serialize};

use crate::rules::{
    RulesVersion, VariantInfo,
    chesslike::{ChessLike, NoDeal, NoTally},
    search_problem::Aim,
};

/// The options of a game of chess.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Chess {
    /// The position to begin from; empty for the usual one.
    pub fen: String,
}

impl ChessLike for Chess {
    const INFO: VariantInfo = VariantInfo {
        uci_name: Some("chess"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new("chess", "Chess", "The game that the others are made of: mate the king.")
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
