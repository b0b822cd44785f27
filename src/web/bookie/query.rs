//! The optional rules in a query, and what is said of a wrong one or of a wrong code.

use crate::{
    board::Color,
    variants::bookie::{CodeError, OptionError, Options},
    web::{
        Error,
        extract::{Pairs, parameter},
    },
};

/// The optional rules in a query, in which nothing else stands but the fields `beside` them.
pub(super) fn options(query: &Pairs, beside: &[&str]) -> Result<Options, OptionError> {
    let pairs = query.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    Options::parse(pairs.filter(|(name, _)| !beside.contains(name)))
}

/// The optional rules for a position that is about to be dealt. With `coin_toss=1` the coin, thrown by `toss`, says who moves first;
/// whether it was thrown is told beside.
pub(super) fn fresh(query: &Pairs, toss: impl FnOnce() -> Color) -> Result<(Options, bool), Error> {
    let options = options(query, &["coin_toss"])?;
    let first = parameter(query, "first")?.is_some_and(|text| !text.is_empty());
    match parameter(query, "coin_toss")? {
        None | Some("" | "0") => Ok((options, false)),
        Some("1") if first => {
            let why = "The coin decides who moves first: leave out first or coin_toss.";
            Err(Error::malformed(why).field("coin_toss"))
        }
        Some("1") => Ok((Options { first: toss(), ..options }, true)),
        Some(_) => Err(Error::malformed("Write coin_toss=1 for a coin that decides who moves first, or leave it out.")
            .field("coin_toss")),
    }
}

impl From<OptionError> for Error {
    fn from(wrong: OptionError) -> Error {
        Error::malformed(format!("The rule option “{}” cannot be read: {}.", wrong.field, wrong.why))
            .field(wrong.field)
            .at(wrong.at)
    }
}

impl From<CodeError> for Error {
    fn from(wrong: CodeError) -> Error {
        let error = Error::malformed(wrong.to_string()).field("code");
        match wrong {
            CodeError::Alphabet { at, .. } => error.at(at),
            CodeError::Length { .. } | CodeError::Tag | CodeError::Board { .. } => error,
        }
    }
}
