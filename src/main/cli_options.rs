//! Command-line and environment options of the server, the worker and the database commands.

use clap::Args;
use ipnet::IpNet;
use std::{net::SocketAddr, path::PathBuf};
use zorkmid::{
    command::endgames,
    engine,
    richman::{FourFiles, Tables},
    rules::Seat,
    web::{Contact, Limits, Options, PublicUrl, client_address::network},
};

#[derive(Args)]
pub(crate) struct Listen {
    /// Address and port to serve on. Port 0 picks a free port.
    #[arg(long, env = "ZORKMID_LISTEN", value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
}

#[derive(Args)]
pub(crate) struct Metrics {
    /// Address and port that serve /metrics to Prometheus; off by default. Keep it private.
    #[arg(long, visible_alias = "metrics", env = "ZORKMID_METRICS_LISTEN", value_name = "ADDRESS:PORT")]
    pub(crate) metrics_listen: Option<SocketAddr>,
}

/// Where the games are stored.
#[derive(Args)]
pub(crate) struct Database {
    /// Folder of the embedded database.
    #[arg(long, env = "ZORKMID_DATA", value_name = "FOLDER", default_value = "data")]
    pub(crate) data: PathBuf,
    /// Database to use instead: postgres://user@host/name, or sqlite:FILE.
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true)]
    database_url: Option<String>,
}

impl Database {
    /// The endgame tables, none of them solved yet. Tables of four pieces are read from the data folder.
    pub(crate) fn tables(&self) -> Tables {
        Tables::with_four(FourFiles::new(endgames(&self.data)))
    }

    pub(crate) fn url(&self) -> Result<String, String> {
        if let Some(url) = &self.database_url {
            return Ok(url.clone());
        }
        let file = self.data.join("zorkmid.sqlite");
        file.to_str()
            .map(str::to_owned)
            .ok_or_else(|| format!("the path of the folder {} is not UTF-8: rename the folder", self.data.display()))
    }
}

/// Options of turn notifications.
#[derive(Args)]
pub(crate) struct Notices {
    /// Allow webhooks without TLS and in private networks. By default they must be on the public network and use TLS. Use the same setting
    /// for all processes on one database.
    #[arg(long, env = "ZORKMID_PRIVATE_HOOKS")]
    pub(crate) private_hooks: bool,
}

/// The games, and how long they are kept.
#[derive(Args)]
pub(crate) struct Games {
    #[command(flatten)]
    pub(crate) database: Database,
    /// Delete games, finished or not, after this many days without activity; by default they are kept for ever. A move may take 30 days. Use the
    /// same setting for all processes on one database.
    #[arg(long, env = "ZORKMID_KEEP", value_name = "DAYS", value_parser = clap::value_parser!(u32).range(31..=36_500))]
    pub(crate) keep: Option<u32>,
}

impl Games {
    /// Time after which an inactive game is deleted, in milliseconds.
    pub(crate) fn keep(&self) -> Option<i64> {
        self.keep.map(|days| i64::from(days) * 86_400_000)
    }
}

#[derive(Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) listen: Listen,
    #[command(flatten)]
    pub(crate) games: Games,
    #[command(flatten)]
    pub(crate) metrics: Metrics,
    #[command(flatten)]
    pub(crate) notices: Notices,
    #[command(flatten)]
    pub(crate) engine: engine::Options,
    /// Largest number of pieces in the endgame tables. With 4, a process next to the server solves the missing tables into the data folder.
    #[arg(long, env = "ZORKMID_PIECES", value_name = "NUMBER", default_value_t = 3, value_parser = clap::value_parser!(u8).range(3..=4))]
    pub(crate) pieces: u8,
    /// Base of absolute links, such as https://chess.example.org; by default the request's Host header.
    #[arg(long, env = "ZORKMID_PUBLIC_URL", value_name = "URL")]
    pub(crate) public_url: Option<PublicUrl>,
    /// How to reach the operator, for /.well-known/security.txt: mailto:you@example.org, or an https:// address.
    #[arg(long, env = "ZORKMID_CONTACT", value_name = "URI")]
    pub(crate) contact: Option<Contact>,
    /// Addresses or networks whose X-Forwarded-For and X-Forwarded-Proto are trusted, separated by commas.
    #[arg(long, env = "ZORKMID_TRUSTED_PROXIES", value_name = "NETWORKS", value_delimiter = ',', value_parser = network)]
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// Average requests per second allowed to one client address, with bursts of ten seconds' worth; 0 for no limit.
    #[arg(long, env = "ZORKMID_RATE", value_name = "REQUESTS", default_value_t = Options::default().rate)]
    pub(crate) rate: u32,
    /// Average CPU time allowed to one client address, in milliseconds per second, with bursts of 30 seconds' worth; 0 for no limit.
    #[arg(long, env = "ZORKMID_CPU_PER_ADDRESS", value_name = "MILLISECONDS", default_value_t = Options::default().cpu)]
    pub(crate) cpu_per_address: u64,
    /// Open event streams allowed to one client address; 0 for no limit.
    #[arg(long, env = "ZORKMID_STREAMS_PER_ADDRESS", value_name = "STREAMS", default_value_t = Options::default().streams_per_address)]
    pub(crate) streams_per_address: usize,
    /// Open connections allowed; by default the limit of open files less an eighth (at least 64).
    #[arg(long, env = "ZORKMID_CONNECTIONS", value_name = "NUMBER")]
    pub(crate) connections: Option<usize>,
    /// Open connections allowed to one client address; 0 for no limit.
    #[arg(long, env = "ZORKMID_CONNECTIONS_PER_ADDRESS", value_name = "NUMBER", default_value_t = Limits::default().of_address)]
    pub(crate) connections_per_address: usize,
}

#[derive(Args)]
pub(crate) struct Worker {
    #[command(flatten)]
    pub(crate) games: Games,
    #[command(flatten)]
    pub(crate) metrics: Metrics,
    #[command(flatten)]
    pub(crate) notices: Notices,
    /// Number of bots that think in parallel; by default the number of processors.
    #[arg(long, env = "ZORKMID_PLACES", value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) places: Option<u16>,
}

#[derive(Args)]
pub(crate) struct Forfeit {
    /// Id of the game, the last part of its address.
    pub(crate) game: String,
    /// Seat that loses: one or two.
    pub(crate) seat: Seat,
    #[command(flatten)]
    pub(crate) database: Database,
}

#[derive(Args)]
pub(crate) struct Backup {
    /// File to create. An existing file is not overwritten.
    pub(crate) to: PathBuf,
    #[command(flatten)]
    pub(crate) database: Database,
}

#[derive(Args)]
pub(crate) struct ReplayOf {
    /// A file with a record in JSON or PGN, or the id of a stored game.
    pub(crate) record: String,
    #[command(flatten)]
    pub(crate) database: Database,
}

#[derive(Args)]
pub(crate) struct CheckOf {
    #[command(flatten)]
    pub(crate) database: Database,
}

#[derive(Args)]
pub(crate) struct Healthcheck {
    #[command(flatten)]
    pub(crate) listen: Listen,
}
