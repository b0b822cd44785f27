//! The open connections: who holds them, and which of them do something. Where there is no room for another one, the connection that
//! has done nothing for longest makes room, so that sockets held for nothing keep nobody out. It knows no socket and no route.

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use ipnet::IpNet;
use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    pin::Pin,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
};
use tokio_util::sync::CancellationToken;

/// The household behind an address, by which limits count: an IPv4 address, or the /64 of an IPv6 address.
pub(super) fn household(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64))),
    }
}

/// An open connection, as the others see it.
struct Peer {
    household: IpAddr,
    /// Answers that are not yet read to their ends.
    answers: usize,
    /// The number of the last thing that any connection did when this one did something.
    last: u64,
    close: CancellationToken,
}

#[derive(Default)]
struct Open {
    peers: HashMap<u64, Peer>,
    held: HashMap<IpAddr, usize>,
    /// Counts what connections do, and names them.
    deeds: u64,
}

/// All open connections.
pub(super) struct Connections {
    most: usize,
    of_household: usize,
    /// They stand for many people each.
    proxies: Vec<IpNet>,
    open: Mutex<Open>,
}

/// The place of one connection, which it keeps until it is dropped.
pub(super) struct Held {
    connections: Arc<Connections>,
    name: u64,
    /// Cancelled when the connection has to make room.
    pub(super) close: CancellationToken,
}

impl Connections {
    /// Room for so many connections, and for so many of one household unless it is a proxy; 0 is no limit.
    pub(super) fn new(most: usize, of_household: usize, proxies: Vec<IpNet>) -> Arc<Connections> {
        let limit = |number| if number == 0 { usize::MAX } else { number };
        let (most, of_household) = (limit(most), limit(of_household));
        Arc::new(Connections { most, of_household, proxies, open: Mutex::default() })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for one more connection from an address; none while everybody who could make room is being answered.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<Held> {
        let household = household(address);
        let proxy = self.proxies.iter().any(|net| net.contains(&address.to_canonical()));
        let mut open = self.open();
        if !proxy && open.held.get(&household).is_some_and(|held| *held >= self.of_household) {
            open.make_room(|peer| peer.household == household)?;
        }
        if open.peers.len() >= self.most {
            open.make_room(|_| true)?;
        }
        open.deeds += 1;
        let (name, close) = (open.deeds, CancellationToken::new());
        open.peers.insert(name, Peer { household, answers: 0, last: name, close: close.clone() });
        *open.held.entry(household).or_default() += 1;
        Some(Held { connections: self.clone(), name, close })
    }

    /// Closes the connection that has done nothing for longest: the system has no sockets left.
    pub(super) fn shed(&self) {
        self.open().make_room(|_| true);
    }
}

impl Open {
    /// Closes the one of these that has done nothing for longest.
    fn make_room(&mut self, of: impl Fn(&Peer) -> bool) -> Option<()> {
        let idle = self.peers.iter().filter(|(_, peer)| peer.answers == 0 && of(peer));
        let name = *idle.min_by_key(|(_, peer)| peer.last)?.0;
        self.remove(name);
        Some(())
    }

    fn remove(&mut self, name: u64) {
        let Some(peer) = self.peers.remove(&name) else { return };
        peer.close.cancel();
        if let Some(held) = self.held.get_mut(&peer.household) {
            *held -= 1;
            if *held == 0 {
                self.held.remove(&peer.household);
            }
        }
    }
}

impl Held {
    /// The connection is asked something: it is busy until this is dropped.
    pub(super) fn answering(&self) -> Answering {
        let busy = Answering { connections: self.connections.clone(), name: self.name };
        busy.count(|answers| *answers += 1);
        busy
    }
}

impl Drop for Held {
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
    fn count(&self, change: impl FnOnce(&mut usize)) {
        let mut open = self.connections.open();
        open.deeds += 1;
        let last = open.deeds;
        if let Some(peer) = open.peers.get_mut(&self.name) {
            peer.last = last;
            change(&mut peer.answers);
        }
    }

    /// The body of the answer: its connection is busy until the body has been handed over.
    pub(super) fn until_read(self, body: Body) -> BusyBody {
        BusyBody { body, _busy: self }
    }
}

impl Drop for Answering {
    fn drop(&mut self) {
        self.count(|answers| *answers -= 1);
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
