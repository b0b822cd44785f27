//! The way out: where what the site sends by itself may go, and how it gets there. Whoever wishes to be told names an address, so that
//! address must be one on the public network: nobody can let this server knock on doors that only it can reach.

use std::{
    fmt, io,
    net::{IpAddr, SocketAddr},
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

/// Networks that are nobody's, one's own, or for more than one.
static NOT_PUBLIC: LazyLock<Vec<IpNet>> = LazyLock::new(|| {
    let networks = "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 \
                    192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3 \
                    ::/127 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 fc00::/7 fe80::/10 ff00::/8";
    networks.split_whitespace().filter_map(|network| network.parse().ok()).collect()
});

/// Tells whether an address is one that anybody can reach.
fn public(address: IpAddr) -> bool {
    let address = address.to_canonical();
    !NOT_PUBLIC.iter().any(|network| network.contains(&address))
}

/// An address to which something may be sent: `https`, and a host by name or number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Destination(Uri);

impl Destination {
    /// Reads an address; one of the operator's own network, or without TLS, only where they allow it.
    pub(super) fn read(text: &str, private: bool) -> Result<Destination, Refusal> {
        let wrong = |why: &str| Refusal::new(format!("“{text:.80}” is no address to send to: {why}"));
        if text.len() > LONGEST {
            return Err(wrong(&format!("it has more than {LONGEST} bytes")));
        }
        let uri: Uri = text.parse().map_err(|_| wrong("write it as https://example.org/path"))?;
        let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(|| wrong("it names no host"))?;
        match uri.scheme_str() {
            Some("https") => {}
            Some("http") if private => {}
            Some(_) | None => return Err(wrong("it must begin with https://")),
        }
        if uri.authority().is_some_and(|authority| authority.as_str().contains('@')) {
            return Err(wrong("it holds a name of a user, which belongs elsewhere"));
        }
        let number = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().ok();
        match number.is_some_and(|number| !public(number)) && !private {
            true => Err(wrong("it is not on the public network")),
            false => Ok(Destination(uri)),
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
