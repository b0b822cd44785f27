//! The address at which the operator says that the site is found.

use axum::http::{Uri, uri::Authority};
use std::{net::Ipv6Addr, str::FromStr};

/// Where the operator says the site is found: `https://host[:port]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicUrl {
    origin: String,
    /// Set if it is spoken to over TLS.
    pub(super) secure: bool,
}

impl PublicUrl {
    /// The origin, without a slash at its end.
    pub fn origin(&self) -> &str {
        &self.origin
    }
}

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("“{text}” is no public address; write it as https://chess.example.org, without a path");
        let uri: Uri = text.parse().map_err(|_| wrong())?;
        let secure = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(wrong()),
        };
        let host = uri.authority().filter(|host| plain(host)).ok_or_else(wrong)?;
        if uri.path() != "/" && !uri.path().is_empty() || uri.query().is_some() {
            return Err(wrong());
        }
        Ok(PublicUrl { origin: format!("http{}://{host}", if secure { "s" } else { "" }), secure })
    }
}

/// Tells whether an authority is a host and perhaps a port, of characters that need no escape anywhere.
pub(super) fn plain(authority: &Authority) -> bool {
    let host = authority.host();
    let named =
        !host.is_empty() && host.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'));
    let literal = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let numbered = literal.is_some_and(|inner| inner.parse::<Ipv6Addr>().is_ok());
    let port = authority.as_str().strip_prefix(host).unwrap_or("@");
    (named || numbered) && (port.is_empty() || authority.port_u16().is_some())
}
