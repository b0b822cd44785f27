//! The optional rules in a query, and what is said of a wrong one or of a wrong code.

use crate::{
    rules::bookie::{CodeError, OptionError, Options},
    web::{Error, extract::Pairs},
};

/// The optional rules in a query; whatever else is in it is not theirs.
pub(super) fn options(query: &Pairs) -> Result<Options, OptionError> {
    let pairs = query.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    Options::parse(pairs.filter(|(name, _)| Options::FIELDS.contains(name)))
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
