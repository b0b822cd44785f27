//! The client's address behind trusted proxies, and the public origin for absolute links. Forwarding headers from an untrusted peer are
//! ignored.

use super::{App, app_state::plain, connections::client_network, error::Error};
use axum::{
    extract::{ConnectInfo, FromRequestParts},
    http::{Extensions, HeaderMap, header, request::Parts, uri::Authority},
};
use ipnet::IpNet;
use std::{
    convert::Infallible,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
};

/// Parses a network such as `10.0.0.0/8`, or a single address.
pub fn network(text: &str) -> Result<IpNet, String> {
    text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).map_err(|_| {
        format!("“{text}” is not a network; write an address, or an address and a prefix length as in 10.0.0.0/8")
    })
}

/// The client behind the trusted proxies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Client {
    /// Its address. An IPv4-mapped IPv6 address is converted to IPv4.
    pub address: IpAddr,
    /// Set if the client uses TLS.
    pub secure: bool,
}

impl Client {
    /// Determines the client from the peer address, and from `X-Forwarded-For` and `X-Forwarded-Proto` if the peer is trusted.
    pub fn of(app: &App, extensions: &Extensions, headers: &HeaderMap) -> Client {
        let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
        let mut address = peer.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)).to_canonical();
        let trusted = |address: &IpAddr| app.options.trusted_proxies.iter().any(|net| net.contains(address));
        let mut secure = app.options.public_url.as_ref().is_some_and(|url| url.secure);
        if trusted(&address) {
            let last = headers.get_all("x-forwarded-proto").iter().next_back();
            let scheme = last.and_then(|value| value.to_str().ok()?.rsplit(',').next());
            secure |= scheme.is_some_and(|scheme| scheme.trim().eq_ignore_ascii_case("https"));
            // Each proxy appends its peer, so the client is the last address that is not a trusted proxy.
            let lines = headers.get_all("x-forwarded-for").iter().rev().filter_map(|line| line.to_str().ok());
            for hop in lines.flat_map(|line| line.rsplit(',')) {
                let Some(hop) = address_of(hop.trim()) else { break };
                address = hop.to_canonical();
                if !trusted(&address) {
                    break;
                }
            }
        }
        Client { address, secure }
    }

    /// Network by which limits count: the IPv4 address, or the /64 of the IPv6 address.
    pub fn key(&self) -> IpAddr {
        client_network(self.address)
    }
}

/// The client's network, by which limits count: its IPv4 address, or the /64 of its IPv6 address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClientNetwork(pub IpAddr);

impl FromRequestParts<Arc<App>> for ClientNetwork {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        Ok(ClientNetwork(Client::of(app, &parts.extensions, &parts.headers).key()))
    }
}

/// Parses the address of a hop. Some proxies append the port: `192.0.2.7`, `192.0.2.7:4711`, `[2001:db8::7]:4711`.
fn address_of(hop: &str) -> Option<IpAddr> {
    let bare = hop.strip_prefix('[').and_then(|hop| hop.strip_suffix(']')).unwrap_or(hop);
    bare.parse().ok().or_else(|| hop.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

/// Base of absolute links in a response: the configured public URL, or else the validated Host header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicOrigin(String);

impl PublicOrigin {
    /// Wraps an origin that was stored earlier.
    pub(super) fn of_origin(origin: String) -> PublicOrigin {
        PublicOrigin(origin)
    }

    /// Returns the origin without a trailing slash.
    pub fn origin(&self) -> &str {
        &self.0
    }

    /// Makes a path absolute. The path must begin with a slash.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.0)
    }
}

impl FromRequestParts<Arc<App>> for PublicOrigin {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Error> {
        if let Some(url) = &app.options.public_url {
            return Ok(PublicOrigin(url.origin().to_owned()));
        }
        let host = parts.headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let host = host.and_then(|host| host.parse::<Authority>().ok()).filter(plain).ok_or_else(|| {
            Error::malformed("The Host header must hold this site's host name, such as example.org:8080.").field("Host")
        })?;
        let secure = Client::of(app, &parts.extensions, &parts.headers).secure;
        Ok(PublicOrigin(format!("http{}://{host}", if secure { "s" } else { "" })))
    }
}
