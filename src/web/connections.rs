//! Registry of open connections, which enforces their limits. When no slot is free, the connection that has been idle longest is closed, so
//! idle sockets cannot lock out new clients. Independent of sockets and routes.

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use ipnet::IpNet;
use std::{
    collections::{BTreeMap, HashMap, hash_map::Entry},
    net::{IpAddr, Ipv6Addr},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};
use tokio_util::sync::CancellationToken;

/// Network of an address, by which limits count: an IPv4 address, or the /64 of an IPv6 address.
pub(super) fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64))),
    }
}

/// Connection limits and deadlines. Every deadline counts from the start of the phase that it limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Maximum number of open connections; 0 for no limit but the system's. A further one closes the connection that has been idle longest.
    pub connections: usize,
    /// Maximum number of open connections of one client address, except for trusted proxies; 0 for no limit.
    pub of_address: usize,
    /// Time for the head of the next request to arrive, including idle time.
    pub header: Duration,
    /// Time for the request body to arrive.
    pub body: Duration,
    /// Time for the handler to begin its response.
    pub handler: Duration,
    /// Time for each write: the client must accept more of the response within it.
    pub write: Duration,
    /// Time for which a stopping server waits for the responses in progress.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let second = Duration::from_secs(1);
        Limits {
            connections: 0,
            of_address: 256,
            header: 8 * second,
            body: 7 * second,
            handler: 9 * second,
            write: 20 * second,
            drain: 3 * second,
        }
    }
}

/// An open connection in the registry.
struct OpenConnection {
    network: IpAddr,
    /// Number of responses in progress. The connection is idle if it is 0.
    answers: usize,
    /// Event number of this connection's last activity.
    last: u64,
    close: CancellationToken,
}

/// Ids of idle connections, by the event number of their last activity. The first has been idle longest.
type Idle = BTreeMap<u64, u64>;

/// Connections of one client network.
#[derive(Default)]
struct NetworkConnections {
    open: usize,
    idle: Idle,
}

#[derive(Default)]
struct Open {
    peers: HashMap<u64, OpenConnection>,
    networks: HashMap<IpAddr, NetworkConnections>,
    idle: Idle,
    /// Event counter. Its values order activities and are the ids of connections.
    events: u64,
}

/// Registry of all open connections.
pub struct Connections {
    pub(super) limits: Limits,
    /// Trusted proxies. Each carries many clients, so the limit per address does not apply.
    proxies: Vec<IpNet>,
    open: Mutex<Open>,
}

/// Slot of one connection. Dropping it frees the slot.
pub(super) struct ConnectionSlot {
    connections: Arc<Connections>,
    name: u64,
    /// Cancelled when the connection must close to free its slot.
    pub(super) close: CancellationToken,
}

impl Connections {
    /// Creates an empty registry. Connections from `proxies` are exempt from the limit per address.
    pub fn new(limits: Limits, proxies: Vec<IpNet>) -> Arc<Connections> {
        Arc::new(Connections { limits, proxies, open: Mutex::default() })
    }

    pub(super) fn count(&self) -> usize {
        self.open().peers.len()
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Admits a connection from an address, closing an idle one if a limit is reached. Returns `None` if none is idle.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<ConnectionSlot> {
        let household = client_network(address);
        let proxy = self.proxies.iter().any(|net| net.contains(&address.to_canonical()));
        let limit = |number| if number == 0 { usize::MAX } else { number };
        let mut open = self.open();
        let of_household = limit(self.limits.of_address);
        let theirs = open.networks.get(&household).filter(|theirs| !proxy && theirs.open >= of_household);
        if let Some(theirs) = theirs {
            let longest = theirs.idle.first_key_value().map(|(_, name)| *name)?;
            open.remove(longest);
        }
        if open.peers.len() >= limit(self.limits.connections) {
            open.shed()?;
        }
        let name = open.next_event();
        let close = CancellationToken::new();
        open.peers.insert(name, OpenConnection { network: household, answers: 0, last: name, close: close.clone() });
        open.networks.entry(household).or_default().open += 1;
        open.mark_idle(household, name, name);
        Some(ConnectionSlot { connections: self.clone(), name, close })
    }

    /// Closes the connection that has been idle longest. Called when the system is out of sockets.
    pub(super) fn shed(&self) {
        self.open().shed();
    }
}

impl Open {
    fn next_event(&mut self) -> u64 {
        self.events += 1;
        self.events
    }

    fn shed(&mut self) -> Option<()> {
        let longest = self.idle.first_key_value().map(|(_, name)| *name)?;
        self.remove(longest);
        Some(())
    }

    /// Marks a connection as idle.
    fn mark_idle(&mut self, household: IpAddr, last: u64, name: u64) {
        self.idle.insert(last, name);
        self.networks.entry(household).or_default().idle.insert(last, name);
    }

    /// Removes the idle mark of a connection.
    fn unmark_idle(&mut self, household: IpAddr, last: u64) {
        self.idle.remove(&last);
        if let Some(theirs) = self.networks.get_mut(&household) {
            theirs.idle.remove(&last);
        }
    }

    /// Changes the number of a connection's responses in progress and updates its idle mark.
    fn count(&mut self, name: u64, change: impl FnOnce(usize) -> usize) {
        let deed = self.next_event();
        let Some(peer) = self.peers.get_mut(&name) else { return };
        let (household, before, last) = (peer.network, peer.answers, peer.last);
        peer.answers = change(before);
        peer.last = deed;
        let after = peer.answers;
        if before == 0 {
            self.unmark_idle(household, last);
        }
        if after == 0 {
            self.mark_idle(household, deed, name);
        }
    }

    fn remove(&mut self, name: u64) {
        let Some(peer) = self.peers.remove(&name) else { return };
        peer.close.cancel();
        self.unmark_idle(peer.network, peer.last);
        if let Entry::Occupied(mut theirs) = self.networks.entry(peer.network) {
            theirs.get_mut().open -= 1;
            if theirs.get().open == 0 {
                theirs.remove();
            }
        }
    }
}

impl ConnectionSlot {
    /// Marks the connection as busy until the guard is dropped. Called for every request.
    pub(super) fn begin_response(&self) -> ResponseGuard {
        self.connections.open().count(self.name, |answers| answers + 1);
        ResponseGuard { connections: self.connections.clone(), name: self.name }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.connections.open().remove(self.name);
    }
}

/// Guard for a response in progress, from the request to the end of the body.
pub(super) struct ResponseGuard {
    connections: Arc<Connections>,
    name: u64,
}

impl ResponseGuard {
    /// Wraps the response body, so that the connection stays busy until the body has been sent.
    pub(super) fn guard_body(self, body: Body) -> BusyBody {
        BusyBody { body, _busy: self }
    }
}

impl Drop for ResponseGuard {
    fn drop(&mut self) {
        self.connections.open().count(self.name, |answers| answers - 1);
    }
}

/// Response body that keeps its connection busy.
pub(super) struct BusyBody {
    body: Body,
    _busy: ResponseGuard,
}

impl HttpBody for BusyBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
