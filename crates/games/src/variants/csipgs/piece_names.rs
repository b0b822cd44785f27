//! Pieces that people know by name, from chess, its variants and their ancestors: what they are called, how they move and what they
//! cost here. The list is `lexicon.txt`, and each piece stands in it once, with all its names.

use std::sync::LazyLock;

use super::price::{self, Catalogue, Exact};
use crate::board::{Betza, MovementSummary};

/// A piece with its names.
#[derive(Clone, Debug)]
pub struct CatalogueEntry {
    /// Its names, the best known first.
    pub names: Vec<&'static str>,
    /// The games and people that it comes from, in words.
    pub origin: &'static str,
    /// Its way of moving.
    pub piece: Betza,
    /// Its cost before rounding.
    pub exact: Exact,
    /// All that it may do.
    pub powers: MovementSummary,
}

/// The relation of a piece that is found to the one that it is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Similarity {
    /// It does the same.
    #[default]
    Same,
    /// It does nothing else: everything that it does, the other one does too.
    Within,
    /// It does all of it, and perhaps more.
    Beyond,
}

impl Similarity {
    /// All of them.
    pub const ALL: [Similarity; 3] = [Similarity::Same, Similarity::Within, Similarity::Beyond];

    /// `same`, `within` or `beyond`.
    pub const fn text(self) -> &'static str {
        match self {
            Similarity::Same => "same",
            Similarity::Within => "within",
            Similarity::Beyond => "beyond",
        }
    }

    /// The same for the eye.
    pub const fn words(self) -> &'static str {
        match self {
            Similarity::Same => "moves exactly so",
            Similarity::Within => "does a part of it and nothing else",
            Similarity::Beyond => "does all of it and perhaps more",
        }
    }
}

/// A question to the list; what is not asked for is left empty.
#[derive(Clone, Debug, Default)]
pub struct CatalogueQuery<'a> {
    /// A part of a name or of an origin, in any case.
    pub name: &'a str,
    /// A piece to compare with.
    pub like: Option<(MovementSummary, Similarity)>,
    /// The least exact cost.
    pub least: Option<Exact>,
    /// The most exact cost.
    pub most: Option<Exact>,
}

static PIECES: LazyLock<Vec<CatalogueEntry>> = LazyLock::new(|| {
    let lines = include_str!("lexicon.txt").lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(read).collect()
});

/// Reads a line; a test looks whether all can be read.
fn read(line: &'static str) -> Option<CatalogueEntry> {
    let [betza, names, origin] = line.split('|').map(str::trim).collect::<Vec<_>>()[..] else { return None };
    let piece: Betza = betza.parse().ok()?;
    let (exact, powers) = (price::exact(&piece, &Catalogue::default()), MovementSummary::of(&piece));
    Some(CatalogueEntry { names: names.split(',').map(str::trim).collect(), origin, piece, exact, powers })
}

/// Every piece of the list.
pub fn all() -> &'static [CatalogueEntry] {
    &PIECES
}

/// The piece of the list that moves so.
pub fn named(powers: &MovementSummary) -> Option<&'static CatalogueEntry> {
    all().iter().find(|known| known.powers == *powers)
}

/// The pieces that a question asks for: first those of exactly that name, then by what they cost and by name.
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
