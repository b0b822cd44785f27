//! Piece catalogue: named pieces of chess, its variants and its ancestors, with their moves and costs.
//!
//! The entries are in `lexicon.txt`, which has each piece once, with all its names.

use std::sync::LazyLock;

use serde::Serialize;

use super::price::{self, Catalogue, Exact};
use crate::board::{Betza, MovementSummary};

/// A piece with its names.
#[derive(Clone, Debug)]
pub struct CatalogueEntry {
    /// Names, the best known first.
    pub names: Vec<&'static str>,
    /// Games and people that it comes from.
    pub origin: &'static str,
    /// Parsed notation.
    pub piece: Betza,
    /// Cost before rounding.
    pub exact: Exact,
    /// All its moves and captures, for comparisons.
    pub powers: MovementSummary,
}

/// Relation of a catalogue piece to the piece that it is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Similarity {
    /// Same moves.
    #[default]
    Same,
    /// Some of the moves and no others.
    Within,
    /// All of the moves, and perhaps others.
    Beyond,
}

impl Similarity {
    /// All relations.
    pub const ALL: [Similarity; 3] = [Similarity::Same, Similarity::Within, Similarity::Beyond];

    /// Text in queries: `same`, `within` or `beyond`.
    pub const fn text(self) -> &'static str {
        match self {
            Similarity::Same => "same",
            Similarity::Within => "within",
            Similarity::Beyond => "beyond",
        }
    }

    /// Label for players.
    pub const fn words(self) -> &'static str {
        match self {
            Similarity::Same => "has exactly these moves",
            Similarity::Within => "has some of these moves and no others",
            Similarity::Beyond => "has all these moves and perhaps more",
        }
    }
}

/// Query of the catalogue. Empty fields match everything.
#[derive(Clone, Debug, Default)]
pub struct CatalogueQuery<'a> {
    /// Part of a name or an origin, in any case.
    pub name: &'a str,
    /// Piece to compare with, and the required relation.
    pub like: Option<(MovementSummary, Similarity)>,
    /// Minimum exact cost.
    pub least: Option<Exact>,
    /// Maximum exact cost.
    pub most: Option<Exact>,
}

static PIECES: LazyLock<Vec<CatalogueEntry>> = LazyLock::new(|| {
    let lines = include_str!("lexicon.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(read).collect()
});

/// Parses a line. Invalid lines are skipped; a test ensures that there are none.
fn read(line: &'static str) -> Option<CatalogueEntry> {
    let [betza, names, origin] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else { return None };
    let piece: Betza = betza.parse().ok()?;
    let (exact, powers) = (price::exact(&piece, &Catalogue::default()), MovementSummary::of(&piece));
    Some(CatalogueEntry { names: names.split(',').map(str::trim).collect(), origin, piece, exact, powers })
}

/// All pieces of the catalogue.
pub fn all() -> &'static [CatalogueEntry] {
    &PIECES
}

/// Catalogue entry with exactly these moves.
pub fn named(powers: &MovementSummary) -> Option<&'static CatalogueEntry> {
    all().iter().find(|known| known.powers == *powers)
}

/// Entries that match a query: exact name matches first, then by cost and name.
pub fn search(wanted: &CatalogueQuery) -> Vec<&'static CatalogueEntry> {
    let name = wanted.name.trim().to_lowercase();
    let fits = |known: &&CatalogueEntry| {
        let texts = known.names.iter().chain([&known.origin]);
        (name.is_empty() || texts.into_iter().any(|text| text.to_lowercase().contains(&name)))
            && wanted.least.is_none_or(|least| known.exact >= least)
            && wanted.most.is_none_or(|most| known.exact <= most)
            && wanted.like.as_ref().is_none_or(|(powers, likeness)| match likeness {
                Similarity::Same => known.powers == *powers,
                Similarity::Within => known.powers.within(powers),
                Similarity::Beyond => powers.within(&known.powers),
            })
    };
    let mut found: Vec<&CatalogueEntry> = all().iter().filter(fits).collect();
    found.sort_by_key(|known| {
        let exactly = known.names.iter().any(|known| known.to_lowercase() == name);
        (!exactly, known.exact, known.names[0].to_lowercase())
    });
    found
}
