//! State that the handlers share.

use super::{
    connections::{Connections, Limits},
    contact::Contact,
    probe::Probe,
    public_url::PublicUrl,
    rate::Rate,
    replays::Replays,
    requests::Requests,
    streams::Streams,
    values::Endgames,
};
use crate::{play::Play, richman::Tables};
use ipnet::IpNet;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The operator's choices.
#[derive(Clone, Debug)]
pub struct Options {
    /// The base of absolute links; without it the Host header.
    pub public_url: Option<PublicUrl>,
    /// How the operator is reached, if they say so.
    pub contact: Option<Contact>,
    /// Peers whose X-Forwarded headers are believed.
    pub trusted_proxies: Vec<IpNet>,
    /// Requests per second that one client address may make on average; 0 for no limit.
    pub rate: u32,
    /// Milliseconds of CPU time per second that one client address may use on average; 0 for no limit.
    pub cpu: u64,
    /// Event streams that one client address may have open; 0 for no limit.
    pub streams_per_address: usize,
    /// Set if hooks may lead to the operator's own network, and without TLS.
    pub private_hooks: bool,
    /// Deadlines and the number of connections.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            public_url: None,
            contact: None,
            trusted_proxies: Vec::new(),
            rate: 200,
            cpu: 200,
            streams_per_address: 64,
            private_hooks: false,
            limits: Limits::default(),
        }
    }
}

/// Everything the handlers share.
pub struct App {
    /// The operator's choices.
    pub options: Options,
    /// The games: all that can happen to them, and the only source of chance.
    pub play: Play,
    /// The values of endgames.
    pub endgames: Arc<Endgames>,
    /// Cancelled when the server begins to stop: streams end, and it is no longer ready.
    pub closing: CancellationToken,
    /// The connections that are open.
    pub connections: Arc<Connections>,
    /// The event streams that are open.
    pub streams: Arc<Streams>,
    /// What was answered, and how fast.
    pub(super) requests: Requests,
    /// The earlier moments of games that somebody has stepped through.
    pub(super) replays: Replays,
    /// Whether the record can be written.
    pub(super) probe: Probe,
    /// The count of requests, if they are limited.
    pub(super) rate: Option<Rate>,
}

impl App {
    /// An app with these options. The tables need not be solved yet.
    pub fn new(options: Options, play: Play, tables: Arc<Tables>) -> Arc<App> {
        let rate = Rate::new(options.rate, &play);
        play.consult(tables.clone());
        let endgames = Arc::new(Endgames::new(tables, play.pools().clone()));
        play.budget().set_rate(options.cpu);
        let connections = Connections::new(options.limits, options.trusted_proxies.clone());
        Arc::new(App {
            options,
            play,
            endgames,
            closing: CancellationToken::new(),
            connections,
            streams: Arc::default(),
            requests: Requests::default(),
            replays: Replays::default(),
            probe: Probe::default(),
            rate,
        })
    }
}
