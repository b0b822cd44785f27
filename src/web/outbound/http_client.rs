//! The way out: where notifications may be sent, and how. Players choose the addresses, so these must be on the public network: no player
//! can make this server call a host that only it can reach.

use std::{
    fmt, io,
    net::{IpAddr, Ipv6Addr, SocketAddr},
    pin::Pin,
    sync::{LazyLock, OnceLock},
};

use axum::body::Body;
use hyper::{Request, StatusCode, Uri};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::Client,
    rt::{TokioExecutor, TokioIo},
};
use ipnet::IpNet;
use tokio::net::{TcpStream, lookup_host};
use tower::util::BoxCloneSyncService;

use crate::rules::Refusal;

/// The longest address, in bytes.
const LONGEST: usize = 2_000;

/// Networks that are reserved, private, or for more than one host.
static NOT_PUBLIC: LazyLock<Vec<IpNet>> = LazyLock::new(|| {
    let networks = "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 \
                    192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 \
                    ::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 \
                    fe80::/10 fec0::/10 ff00::/8";
    networks.split_whitespace().filter_map(|network| network.parse().ok()).collect()
});

/// Tells whether an address is on the public network. Decides for addresses that are registered and for those that are called.
fn public(address: IpAddr) -> bool {
    let address = address.to_canonical();
    !NOT_PUBLIC.iter().any(|network| network.contains(&address))
}

/// The reason why a host cannot be on the public network, and what to do. Names are resolved only when something is sent.
fn not_public(host: &str) -> Option<&'static str> {
    let name = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.').to_ascii_lowercase();
    let last = name.rsplit('.').next().unwrap_or_default();
    if let Ok(number) = name.parse::<IpAddr>() {
        return (!public(number))
            .then_some("this IP address is not on the public network; use the address of a public host");
    }
    if last == "localhost" {
        return Some("this name means the server itself; use the name of a public host");
    }
    // Resolvers read such a name as an IPv4 address in a short, octal or hexadecimal form.
    if last.starts_with(|first: char| first.is_ascii_digit()) {
        return Some("the host looks like a number; write an IPv4 address as four decimal numbers");
    }
    (!name.contains('.')).then_some("the name of the host has no dot; write its full name, as in example.org")
}

/// An address to which something may be sent: `https`, and a host by name or number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Destination(Uri);

impl Destination {
    /// Reads an address. Only if `private` is set may it be without TLS or in the operator's own network.
    pub(super) fn read(text: &str, private: bool) -> Result<Destination, Refusal> {
        let wrong = |why: &str| Refusal::new(format!("Nothing can be sent to “{text:.80}”: {why}"));
        if text.len() > LONGEST {
            return Err(wrong(&format!("it has more than {LONGEST} bytes; use a shorter address")));
        }
        let uri: Uri = text.parse().map_err(|_| wrong("this is no address; write it as https://example.org/path"))?;
        let authority = uri.authority().ok_or_else(|| wrong("it has no host; write it as https://example.org/path"))?;
        match uri.scheme_str() {
            Some("https") => {}
            Some("http") if private => {}
            Some(_) | None => return Err(wrong("it does not begin with https://; use an address that does")),
        }
        if authority.as_str().contains('@') {
            return Err(wrong("it has a user name; leave out everything up to the @"));
        }
        let host = authority.host();
        let port = authority.as_str().strip_prefix(host).unwrap_or_default();
        let number = port.strip_prefix(':').and_then(|port| port.parse::<u16>().ok());
        if !port.is_empty() && number.is_none_or(|number| number == 0) {
            return Err(wrong("the port is no number from 1 to 65535; correct it, or leave it out"));
        }
        let brackets = host.strip_prefix('[').map(|host| host.trim_end_matches(']'));
        if host.is_empty() || brackets.is_some_and(|number| number.parse::<Ipv6Addr>().is_err()) {
            return Err(wrong("the host is neither a name nor an IP address; write it as https://example.org/path"));
        }
        match not_public(host).filter(|_| !private) {
            Some(why) => Err(wrong(why)),
            None => Ok(Destination(uri)),
        }
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

type Connector = BoxCloneSyncService<Uri, TokioIo<TcpStream>, io::Error>;

type WayOut = Client<HttpsConnector<Connector>, Body>;

/// Sends requests. Nothing is followed to another place, and of an answer only the status counts.
pub(super) struct Sender {
    private: bool,
    /// The way out, once something was sent: the system's roots take a while to read.
    way: OnceLock<Result<WayOut, String>>,
}

/// Connects to the host of an address, if that is on the public network. The number that is looked at is the one that is called.
async fn connect(uri: Uri, private: bool) -> io::Result<TokioIo<TcpStream>> {
    let host = uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']').to_owned();
    let port = uri.port_u16().unwrap_or(if uri.scheme_str() == Some("http") { 80 } else { 443 });
    let known: Vec<SocketAddr> = lookup_host((host, port)).await?.collect();
    let open: Vec<SocketAddr> = known.into_iter().filter(|address| private || public(address.ip())).collect();
    if open.is_empty() {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the host is not on the public network"));
    }
    TcpStream::connect(open.as_slice()).await.map(TokioIo::new)
}

impl Sender {
    /// One that sends to the operator's own network too, and without TLS, if they allow it.
    pub(super) fn new(private: bool) -> Sender {
        Sender { private, way: OnceLock::new() }
    }

    fn way(&self) -> Result<WayOut, String> {
        let private = self.private;
        let connector = Connector::new(tower::service_fn(move |uri| -> Pin<Box<dyn Future<Output = _> + Send>> {
            Box::pin(connect(uri, private))
        }));
        // Without roots nobody could prove who they are.
        let builder = HttpsConnectorBuilder::new().with_native_roots();
        let builder = builder.map_err(|error| format!("the system's roots cannot be read: {error}"))?;
        let connector = builder.https_or_http().enable_http1().wrap_connector(connector);
        Ok(Client::builder(TokioExecutor::new()).build(connector))
    }

    /// Sends, and tells how that was answered, or in a few words why not.
    pub(super) async fn send(&self, request: Request<Vec<u8>>) -> Result<StatusCode, String> {
        let way = self.way.get_or_init(|| self.way()).as_ref().map_err(String::clone)?;
        let answer = way.request(request.map(Body::from)).await;
        answer.map(|answer| answer.status()).map_err(|error| {
            let cause = std::error::Error::source(&error).map_or_else(String::new, |cause| format!(": {cause}"));
            format!("{error}{cause}")
        })
    }
}
