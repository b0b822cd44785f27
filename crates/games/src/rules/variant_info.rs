//! Facts about a variant that do not depend on a game.

use super::RulesVersion;

/// Support of a variant for something.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Support {
    /// Supported.
    Yes,
    /// Not supported, for this reason, which players read.
    No(&'static str),
}

impl Support {
    /// The reason why something is not supported.
    pub const fn reason(self) -> Option<&'static str> {
        match self {
            Support::Yes => None,
            Support::No(reason) => Some(reason),
        }
    }
}

/// The tags of a game's record in PGN that name the variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PgnTag {
    /// None, as in ordinary chess.
    None,
    /// The value of the tag `Variant`.
    Variant(&'static str),
    /// The value of the tag `Variant`, which other variants have too: the tag `Match` holds the key.
    VariantAndMatch(&'static str),
}

/// Facts about a variant.
#[derive(Clone, Copy, Debug)]
pub struct VariantInfo {
    /// Its key in addresses and in the API.
    pub key: &'static str,
    /// Its name.
    pub title: &'static str,
    /// One sentence for players who do not know it.
    pub summary: &'static str,
    /// Its tags in PGN.
    pub pgn_tag: PgnTag,
    /// Its name in UCI engines; none where they do not play it.
    pub uci_name: Option<&'static str>,
    /// Whether a coin or an auction can decide who moves.
    pub auction: Support,
    /// Whether players can bid a handicap before it.
    pub handicap: Support,
    /// Whether a handicap can be a piece.
    pub piece_odds: Support,
    /// First version of the rules in which it can be drawn as a random variant; none if it cannot.
    pub random_since: Option<RulesVersion>,
    /// Whether players design its pieces.
    pub designs_pieces: bool,
}

impl VariantInfo {
    /// A variant that supports everything and is not drawn at random.
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

    /// The tags in PGN that name the variant, each with its value.
    pub fn pgn_tags(&self) -> Vec<(&'static str, String)> {
        match self.pgn_tag {
            PgnTag::None => Vec::new(),
            PgnTag::Variant(name) => vec![("Variant", name.to_owned())],
            PgnTag::VariantAndMatch(name) => vec![("Variant", name.to_owned()), ("Match", self.key.to_owned())],
        }
    }
}
