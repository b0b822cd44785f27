//! Query of a search in the endgame tables.

use dashu_ratio::RBig;

use crate::{
    richman::fraction,
    web::{
        Error,
        extract::{Pairs, parameter},
    },
};

/// Most results on a page.
const MOST: usize = 100;
/// Default number of results on a page.
const DEFAULT_LIMIT: usize = 50;
/// Longest number that is parsed. The largest fraction of the 8×8 board has 277 characters.
pub(super) const LONGEST: usize = 400;

/// A query with known fields. An empty field counts as missing.
pub(super) struct SearchQuery<'q> {
    query: &'q Pairs,
    fields: &'static [&'static str],
}

impl<'q> SearchQuery<'q> {
    /// Refuses fields other than these, `after` and `limit`.
    pub(super) fn new(query: &'q Pairs, fields: &'static [&'static str]) -> Result<SearchQuery<'q>, Error> {
        let known = |name: &str| fields.contains(&name) || ["after", "limit"].contains(&name);
        let Some((name, _)) = query.iter().find(|(name, _)| !known(name)) else {
            return Ok(SearchQuery { query, fields });
        };
        let why = format!("“{name}” is not a search field. The fields are {}, after and limit.", fields.join(", "));
        Err(Error::malformed(why).field(name))
    }

    /// Text of a field.
    pub(super) fn text(&self, name: &str) -> Result<Option<&'q str>, Error> {
        Ok(parameter(self.query, name)?.map(str::trim).filter(|text| !text.is_empty()))
    }

    /// Value of a field, or an error that says what it must be.
    pub(super) fn parsed<T>(
        &self,
        name: &str,
        expected: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>, Error> {
        let wrong = || Error::malformed(format!("The parameter “{name}” must be {expected}.")).field(name);
        self.text(name)?.map(|text| parse(text).ok_or_else(wrong)).transpose()
    }

    /// An exact number.
    pub(super) fn number(&self, name: &str) -> Result<Option<RBig>, Error> {
        self.parsed(name, "a fraction such as 31/48 or a decimal such as 0.25", exact)
    }

    /// A whole number of at least `least`.
    pub(super) fn whole(&self, name: &str, least: u32) -> Result<Option<u32>, Error> {
        let parse = |text: &str| text.parse().ok().filter(|number| *number >= least);
        self.parsed(name, &format!("a whole number of at least {least}"), parse)
    }

    /// Number of results on a page.
    pub(super) fn limit(&self) -> Result<usize, Error> {
        let parse = |text: &str| text.parse().ok().filter(|limit| (1..=MOST).contains(limit));
        Ok(self.parsed("limit", &format!("a whole number from 1 to {MOST}"), parse)?.unwrap_or(DEFAULT_LIMIT))
    }

    /// The given fields in the order of their names, as the beginning of the next page's query. Of the characters that can occur, only a slash is
    /// special, and a query may contain it.
    pub(super) fn kept(&self) -> Result<String, Error> {
        let mut kept = String::new();
        for name in self.fields {
            kept.extend(self.text(name)?.map(|text| format!("{name}={text}&")));
        }
        let limit = Some(self.limit()?).filter(|limit| *limit != DEFAULT_LIMIT);
        kept.extend(limit.map(|limit| format!("limit={limit}&")));
        Ok(kept)
    }
}

/// Parses a fraction (`31/48`), an integer or a decimal, exactly.
fn exact(text: &str) -> Option<RBig> {
    if text.len() > LONGEST || !text.bytes().all(|byte| b"0123456789-./".contains(&byte)) {
        return None;
    }
    if let Some((num, den)) = text.split_once('/') {
        return fraction(num, den);
    }
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    fraction(&format!("{whole}{part}"), &format!("1{}", "0".repeat(part.len())))
}
