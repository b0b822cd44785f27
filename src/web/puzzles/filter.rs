//! The theme and the difficulty that a client asks for.

use crate::{
    puzzles::{Difficulty, Puzzle, PuzzleKind, PuzzleTheme},
    rules::Refusal,
    web::{
        Error,
        extract::{Pairs, parameter},
    },
};
use std::str::FromStr;

/// A choice of puzzles. Without a theme or a difficulty, all fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Filter {
    pub(super) theme: Option<PuzzleTheme>,
    pub(super) difficulty: Option<Difficulty>,
}

impl Filter {
    /// Reads `theme` and `difficulty`. Empty values choose nothing.
    pub(super) fn read(pairs: &Pairs) -> Result<Filter, Error> {
        Ok(Filter { theme: chosen(pairs, "theme")?, difficulty: chosen(pairs, "difficulty")? })
    }

    pub(super) fn is_empty(self) -> bool {
        self == Filter::default()
    }

    /// Whether puzzles of a kind can fit.
    pub(super) fn allows(self, kind: PuzzleKind) -> bool {
        self.theme.is_none_or(|theme| theme.fits(kind))
    }

    /// Whether a puzzle fits.
    pub(super) fn fits(self, puzzle: &Puzzle) -> bool {
        self.theme.is_none_or(|theme| puzzle.themes().any(|other| other == theme))
            && self.difficulty.is_none_or(|difficulty| puzzle.difficulty == difficulty)
    }

    /// As the end of a query.
    pub(super) fn pairs(self) -> String {
        let theme = self.theme.map_or(String::new(), |theme| format!("&theme={}", theme.key()));
        self.difficulty.map_or(theme.clone(), |difficulty| format!("{theme}&difficulty={}", difficulty.key()))
    }

    /// Address of a random puzzle of a kind that fits.
    pub(super) fn address(self, kind: PuzzleKind) -> String {
        format!("/puzzles/{}{}", kind.key(), self.pairs().replacen('&', "?", 1))
    }
}

fn chosen<T: FromStr<Err = Refusal>>(pairs: &Pairs, name: &'static str) -> Result<Option<T>, Error> {
    let text = parameter(pairs, name)?.filter(|text| !text.is_empty());
    text.map(str::parse).transpose().map_err(|wrong: Refusal| Error::malformed(wrong.why).field(name))
}
