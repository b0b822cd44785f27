//! The client that asks and the name under which we are known: the client's address behind trusted proxies, and the base of
//! absolute links. What a peer that is not trusted says about either is ignored.

use super::{App, app_state::plain, connections::household, error::Error};
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

/// Reads a network as `10.0.0.0/8`, or one address.
pub fn network(text: &str) -> Result<IpNet, String> {
    text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from)).map_err(|_| {
        format!("“{text}” is no network; write an address, or an address and a prefix length as in 10.0.0.0/8")
    })
}

/// The client at the far end of the trusted proxies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Client {
    /// Its address; an IPv4 address in IPv6 clothes is shown as IPv4.
    pub address: IpAddr,
    /// Set if it speaks to us over TLS.
    pub secure: bool,
}

impl Client {
    /// Works out the client from the peer, and from `X-Forwarded-For` and `X-Forwarded-Proto` if the peer is trusted.
    pub fn of(app: &App, extensions: &Extensions, headers: &HeaderMap) -> Client {
        let peer = extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip());
        let mut address = peer.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)).to_canonical();
        let trusted = |address: &IpAddr| app.options.trusted_proxies.iter().any(|net| net.contains(address));
        let mut secure = app.options.public_url.as_ref().is_some_and(|url| url.secure);
        if trusted(&address) {
            let last = headers.get_all("x-forwarded-proto").iter().next_back();
            let scheme = last.and_then(|value| value.to_str().ok()?.rsplit(',').next());
            secure |= scheme.is_some_and(|scheme| scheme.trim().eq_ignore_ascii_case("https"));
            // Each proxy adds its peer at the right end: walk leftwards to the first that no trusted one vouches for.
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

    /// The key by which limits count.
    pub fn key(&self) -> IpAddr {
        household(self.address)
    }
}

/// The household of the client, by which limits count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClientNetwork(pub IpAddr);

impl FromRequestParts<Arc<App>> for ClientNetwork {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        Ok(ClientNetwork(Client::of(app, &parts.extensions, &parts.headers).key()))
    }
}

/// Reads the address of a hop, which some proxies write with its port: `192.0.2.7`, `192.0.2.7:4711`, `[2001:db8::7]:4711`.
fn address_of(hop: &str) -> Option<IpAddr> {
    let bare = hop.strip_prefix('[').and_then(|hop| hop.strip_suffix(']')).unwrap_or(hop);
    bare.parse().ok().or_else(|| hop.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

/// The base of absolute links in this answer: the operator's public address, else the validated Host header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublicOrigin(String);

impl PublicOrigin {
    /// One that was noted before.
    pub(super) fn of_origin(origin: String) -> PublicOrigin {
        PublicOrigin(origin)
    }

    /// The base by itself, without a slash at its end.
    pub fn origin(&self) -> &str {
        &self.0
    }

    /// The absolute address of a path that begins with a slash.
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
            Error::malformed("The Host header must hold the name of this site, as in example.org:8080.").field("Host")
        })?;
        let secure = Client::of(app, &parts.extensions, &parts.headers).secure;
        Ok(PublicOrigin(format!("http{}://{host}", if secure { "s" } else { "" })))
    }
}
