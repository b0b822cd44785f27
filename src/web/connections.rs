//! The open connections: who holds them, and which of them do something. Where there is no room for another one, the connection that
//! has done nothing for longest makes room, so that sockets held for nothing keep nobody out. It knows no socket and no route.

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

/// The household behind an address, by which limits count: an IPv4 address, or the /64 of an IPv6 address.
pub(super) fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64))),
    }
}

/// How long and how much it may take. Every deadline counts from the beginning of what it limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Connections that may be open at once; 0 for as many as the system gives. One more closes the one that has done nothing for
    /// longest.
    pub connections: usize,
    /// Those of one client address, unless it is a trusted proxy; 0 for no limit.
    pub of_address: usize,
    /// Until the head of the next request has arrived, silence included.
    pub header: Duration,
    /// Until the body has arrived.
    pub body: Duration,
    /// Until the handler has begun to answer.
    pub handler: Duration,
    /// Until somebody who is answered has taken some more of the answer.
    pub write: Duration,
    /// The time for which a stopping server waits for the answers it has begun.
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

/// An open connection, as the others see it.
struct OpenConnection {
    household: IpAddr,
    /// Answers that are not yet read to their ends.
    answers: usize,
    /// The number of the last thing that any connection did when this one did something.
    last: u64,
    close: CancellationToken,
}

/// The connections that do nothing, by the number of the last thing that they did.
type Idle = BTreeMap<u64, u64>;

/// The connections of one household.
#[derive(Default)]
struct NetworkConnections {
    open: usize,
    idle: Idle,
}

#[derive(Default)]
struct Open {
    peers: HashMap<u64, OpenConnection>,
    households: HashMap<IpAddr, NetworkConnections>,
    idle: Idle,
    /// Counts what connections do, and names them.
    deeds: u64,
}

/// All open connections.
pub struct Connections {
    /// How long and how much each of them may take.
    pub(super) limits: Limits,
    /// They stand for many people each.
    proxies: Vec<IpNet>,
    open: Mutex<Open>,
}

/// The place of one connection, which it keeps until it is dropped.
pub(super) struct ConnectionSlot {
    connections: Arc<Connections>,
    name: u64,
    /// Cancelled when the connection has to make room.
    pub(super) close: CancellationToken,
}

impl Connections {
    /// Room for as many connections as the limits say. Those of these proxies are not counted by address.
    pub fn new(limits: Limits, proxies: Vec<IpNet>) -> Arc<Connections> {
        Arc::new(Connections { limits, proxies, open: Mutex::default() })
    }

    /// The number of connections that are open.
    pub(super) fn count(&self) -> usize {
        self.open().peers.len()
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for one more connection from an address; none while everybody who could make room is being answered.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<ConnectionSlot> {
        let household = household(address);
        let proxy = self.proxies.iter().any(|net| net.contains(&address.to_canonical()));
        let limit = |number| if number == 0 { usize::MAX } else { number };
        let mut open = self.open();
        let of_household = limit(self.limits.of_address);
        let theirs = open.households.get(&household).filter(|theirs| !proxy && theirs.open >= of_household);
        if let Some(theirs) = theirs {
            let longest = theirs.idle.first_key_value().map(|(_, name)| *name)?;
            open.remove(longest);
        }
        if open.peers.len() >= limit(self.limits.connections) {
            open.shed()?;
        }
        let name = open.deed();
        let close = CancellationToken::new();
        open.peers.insert(name, OpenConnection { household, answers: 0, last: name, close: close.clone() });
        open.households.entry(household).or_default().open += 1;
        open.rests(household, name, name);
        Some(ConnectionSlot { connections: self.clone(), name, close })
    }

    /// Closes the connection that has done nothing for longest: the system has no sockets left.
    pub(super) fn shed(&self) {
        self.open().shed();
    }
}

impl Open {
    fn deed(&mut self) -> u64 {
        self.deeds += 1;
        self.deeds
    }

    /// Closes the connection that has done nothing for longest.
    fn shed(&mut self) -> Option<()> {
        let longest = self.idle.first_key_value().map(|(_, name)| *name)?;
        self.remove(longest);
        Some(())
    }

    /// A connection does nothing from now on.
    fn rests(&mut self, household: IpAddr, last: u64, name: u64) {
        self.idle.insert(last, name);
        self.households.entry(household).or_default().idle.insert(last, name);
    }

    /// A connection does something, or is gone.
    fn wakes(&mut self, household: IpAddr, last: u64) {
        self.idle.remove(&last);
        if let Some(theirs) = self.households.get_mut(&household) {
            theirs.idle.remove(&last);
        }
    }

    /// One more answer of a connection is being made or read, or one less.
    fn count(&mut self, name: u64, change: impl FnOnce(usize) -> usize) {
        let deed = self.deed();
        let Some(peer) = self.peers.get_mut(&name) else { return };
        let (household, before, last) = (peer.household, peer.answers, peer.last);
        peer.answers = change(before);
        peer.last = deed;
        let after = peer.answers;
        if before == 0 {
            self.wakes(household, last);
        }
        if after == 0 {
            self.rests(household, deed, name);
        }
    }

    fn remove(&mut self, name: u64) {
        let Some(peer) = self.peers.remove(&name) else { return };
        peer.close.cancel();
        self.wakes(peer.household, peer.last);
        if let Entry::Occupied(mut theirs) = self.households.entry(peer.household) {
            theirs.get_mut().open -= 1;
            if theirs.get().open == 0 {
                theirs.remove();
            }
        }
    }
}

impl ConnectionSlot {
    /// The connection is asked something: it is busy until this is dropped.
    pub(super) fn answering(&self) -> Answering {
        self.connections.open().count(self.name, |answers| answers + 1);
        Answering { connections: self.connections.clone(), name: self.name }
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        self.connections.open().remove(self.name);
    }
}

/// An answer that is being made or read.
pub(super) struct Answering {
    connections: Arc<Connections>,
    name: u64,
}

impl Answering {
    /// The body of the answer: its connection is busy until the body has been handed over.
    pub(super) fn until_read(self, body: Body) -> BusyBody {
        BusyBody { body, _busy: self }
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.connections.open().count(self.name, |answers| answers - 1);
    }
}

/// The body of an answer, which keeps its connection busy.
pub(super) struct BusyBody {
    body: Body,
    _busy: Answering,
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
