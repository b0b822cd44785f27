//! Facts about a variant that do not depend on a game.

use super::RulesVersion;

/// Whether a variant supports a feature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Support {
    /// Supported.
    Yes,
    /// Not supported, with the reason shown to players.
    No(&'static str),
}

impl Support {
    /// Why the feature is not supported.
    pub const fn reason(self) -> Option<&'static str> {
        match self {
            Support::Yes => None,
            Support::No(reason) => Some(reason),
        }
    }
}

/// PGN tags that name the variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PgnTag {
    /// No tag, as in ordinary chess.
    None,
    /// Value of the `Variant` tag.
    Variant(&'static str),
    /// Value of a `Variant` tag that other variants share; the `Match` tag holds the key.
    VariantAndMatch(&'static str),
}

/// Facts about a variant.
#[derive(Clone, Copy, Debug)]
pub struct VariantInfo {
    /// Key in addresses and in the API.
    pub key: &'static str,
    /// Name of the variant.
    pub title: &'static str,
    /// One sentence for players who are new to it.
    pub summary: &'static str,
    /// PGN tags that name it.
    pub pgn_tag: PgnTag,
    /// Name in UCI engines; `None` if they do not support it.
    pub uci_name: Option<&'static str>,
    /// Whether a coin or an auction can decide who moves.
    pub auction: Support,
    /// Whether players can bid a handicap before the game.
    pub handicap: Support,
    /// Whether a handicap can be a piece.
    pub piece_odds: Support,
    /// First version of the rules that can draw it as a random variant; `None` if it is never drawn.
    pub random_since: Option<RulesVersion>,
    /// Whether players design its pieces.
    pub designs_pieces: bool,
}

impl VariantInfo {
    /// A variant that supports every feature and is never drawn at random.
    pub const fn new(key: &'static str, title: &'static str, summary: &'static str) -> VariantInfo {
        VariantInfo {
            key,
            title,
            summary,
            pgn_tag: PgnTag::None,
            uci_name: None,
            auction: Support::Yes,
            handicap: Support::Yes,
            piece_odds: Support::Yes,
            random_since: None,
            designs_pieces: false,
        }
    }

    /// PGN tags that name the variant, with their values.
    pub fn pgn_tags(&self) -> Vec<(&'static str, String)> {
        match self.pgn_tag {
            PgnTag::None => Vec::new(),
            PgnTag::Variant(name) => vec![("Variant", name.to_owned())],
            PgnTag::VariantAndMatch(name) => vec![("Variant", name.to_owned()), ("Match", self.key.to_owned())],
        }
    }
}
