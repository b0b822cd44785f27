//! Enums with a text form.

/// Declares an enum whose values have a short text and a description. The first value is the default. The calling crate
/// must depend on serde.
///
/// ```
/// zorkmid_board::text_enum! {
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
macro_rules! text_enum {
    ($(#[$about:meta])* $visible:vis enum $name:ident {
        $first:ident = $first_text:tt: $first_words:literal,
        $($value:ident = $text:tt: $words:literal,)*
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
            /// Every value's text and description.
            $visible const WORDS: &'static [(&'static str, &'static str)] =
                &[($first_text, $first_words), $(($text, $words),)*];

            /// Text of the value.
            $visible const fn name(self) -> &'static str {
                Self::WORDS[self as usize].0
            }

            /// Description of the value.
            $visible const fn words(self) -> &'static str {
                Self::WORDS[self as usize].1
            }
        }
    };
}
