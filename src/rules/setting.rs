//! The options of a variant in words, for forms and for the API, and closed lists of words as types.

use crate::board::START;

/// One option of a variant, for forms and for the API: the key is the field's name, and its type is that of the default.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The field's name in the options record.
    pub key: &'static str,
    /// Its description in a few words.
    pub words: &'static str,
    /// The values that it may take.
    pub range: Range,
}

/// The values that an option may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Range {
    /// On or off.
    Flag,
    /// A whole number between two bounds, both included.
    Whole(i64, i64),
    /// One of some words: each with what it means.
    Word(&'static [(&'static str, &'static str)]),
    /// A position as FEN, with an example; empty for the usual one.
    Position(&'static str),
    /// A text with an example.
    Text(&'static str),
}

/// The position to begin from, for games that usually begin as chess does.
pub const START_SETTING: Setting =
    Setting { key: "fen", words: "Start from this position (FEN)", range: Range::Position(START) };

/// Declares a closed list of words that an option may be: an enum that is written as those words, each with what it means. The
/// first is the default.
///
/// ```
/// zorkmid::words! {
///     /// What a side may do.
///     pub enum Freedom {
///         Free = "free": "everything",
///         Bound = "bound": "next to nothing",
///     }
/// }
/// assert_eq!(serde_json::to_string(&Freedom::Bound).unwrap(), "\"bound\"");
/// assert_eq!(Freedom::default().name(), "free");
/// assert_eq!(Freedom::WORDS[1], ("bound", "next to nothing"));
/// ```
#[macro_export]
macro_rules! words {
    ($(#[$about:meta])* $visible:vis enum $name:ident {
        $first:ident = $first_text:literal: $first_words:literal,
        $($value:ident = $text:literal: $words:literal,)*
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize)]
        $visible enum $name {
            #[doc = $first_words]
            #[default]
            #[serde(rename = $first_text)]
            $first,
            $(#[doc = $words] #[serde(rename = $text)] $value,)*
        }
        impl $name {
            /// Every word with what it means.
            $visible const WORDS: &'static [(&'static str, &'static str)] =
                &[($first_text, $first_words), $(($text, $words),)*];

            /// The word.
            $visible const fn name(self) -> &'static str {
                Self::WORDS[self as usize].0
            }
        }
    };
}
