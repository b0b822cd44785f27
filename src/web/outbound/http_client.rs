//! HTTP client for notifications. Players choose the addresses, so only hosts on the public network are allowed. Otherwise a player could
//! make this server call internal hosts (server-side request forgery).

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

/// Maximum length of an address in bytes.
const LONGEST: usize = 2_000;

/// Reserved, private and multicast networks.
static NOT_PUBLIC: LazyLock<Vec<IpNet>> = LazyLock::new(|| {
    let networks = "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 \
                    192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 \
                    ::/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 \
                    fe80::/10 fec0::/10 ff00::/8";
    networks.split_whitespace().filter_map(|network| network.parse().ok()).collect()
});

/// Whether an IP address is on the public network. Checked when a player registers an address and again for each connection.
fn public(address: IpAddr) -> bool {
    let address = address.to_canonical();
    !NOT_PUBLIC.iter().any(|network| network.contains(&address))
}

/// Reason why a host cannot be on the public network, with advice. Does not resolve names; that happens for each connection.
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
    // Resolvers parse such a name as an IPv4 address in short, octal or hexadecimal form.
    if last.starts_with(|first: char| first.is_ascii_digit()) {
        return Some("the host looks like a number; write an IPv4 address as four decimal numbers");
    }
    (!name.contains('.')).then_some("the host name has no dot; write its full name, as in example.org")
}

/// A permitted address: `https`, and a public host name or IP address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Destination(Uri);

impl Destination {
    /// Parses an address. `private` also permits plain HTTP and private networks.
    pub(super) fn read(text: &str, private: bool) -> Result<Destination, Refusal> {
        let wrong = |why: &str| Refusal::new(format!("Cannot send to “{text:.80}”: {why}"));
        if text.len() > LONGEST {
            return Err(wrong(&format!("it is longer than {LONGEST} bytes; use a shorter address")));
        }
        let uri: Uri = text.parse().map_err(|_| wrong("it is not a URL; write it as https://example.org/path"))?;
        let authority = uri.authority().ok_or_else(|| wrong("it has no host; write it as https://example.org/path"))?;
        match uri.scheme_str() {
            Some("https") => {}
            Some("http") if private => {}
            Some(_) | None => return Err(wrong("it does not begin with https://; use an https address")),
        }
        if authority.as_str().contains('@') {
            return Err(wrong("it has a user name; remove everything up to the @"));
        }
        let host = authority.host();
        let port = authority.as_str().strip_prefix(host).unwrap_or_default();
        let number = port.strip_prefix(':').and_then(|port| port.parse::<u16>().ok());
        if !port.is_empty() && number.is_none_or(|number| number == 0) {
            return Err(wrong("the port is not a number from 1 to 65535; correct it, or leave it out"));
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

/// Sends requests. It follows no redirects and ignores response bodies.
pub(super) struct Sender {
    private: bool,
    /// HTTP client, built for the first request because loading the system's root certificates is slow.
    way: OnceLock<Result<WayOut, String>>,
}

/// Resolves and connects to the host of an address, if it is on the public network. The checked IP address is the one that is connected,
/// so a second DNS answer cannot evade the check.
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
    /// Creates a sender. `private` also permits plain HTTP and private networks.
    pub(super) fn new(private: bool) -> Sender {
        Sender { private, way: OnceLock::new() }
    }

    fn way(&self) -> Result<WayOut, String> {
        let private = self.private;
        let connector = Connector::new(tower::service_fn(move |uri| -> Pin<Box<dyn Future<Output = _> + Send>> {
            Box::pin(connect(uri, private))
        }));
        // Root certificates are needed to verify the receivers.
        let builder = HttpsConnectorBuilder::new().with_native_roots();
        let builder = builder.map_err(|error| format!("the system's root certificates cannot be read: {error}"))?;
        let connector = builder.https_or_http().enable_http1().wrap_connector(connector);
        Ok(Client::builder(TokioExecutor::new()).build(connector))
    }

    /// Sends a request and returns the status of the response.
    ///
    /// # Errors
    /// A short reason why no response arrived, for the log.
    pub(super) async fn send(&self, request: Request<Vec<u8>>) -> Result<StatusCode, String> {
        let way = self.way.get_or_init(|| self.way()).as_ref().map_err(String::clone)?;
        let answer = way.request(request.map(Body::from)).await;
        answer.map(|answer| answer.status()).map_err(|error| {
            let cause = std::error::Error::source(&error).map_or_else(String::new, |cause| format!(": {cause}"));
            format!("{error}{cause}")
        })
    }
}
