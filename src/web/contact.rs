//! How the operator is reached.

use std::{fmt, str::FromStr};

/// How the operator is reached: a URI that begins with `mailto:`, `https://` or `tel:`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contact(String);

impl FromStr for Contact {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let scheme = ["mailto:", "https://", "tel:"].iter().find_map(|scheme| text.strip_prefix(scheme));
        match scheme.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic())) {
            true => Ok(Contact(text.to_owned())),
            false => Err(format!(
                "“{text}” is no way to reach somebody; write mailto:you@example.org, https://example.org/contact or tel:+1-201-555-0123"
            )),
        }
    }
}

impl fmt::Display for Contact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
