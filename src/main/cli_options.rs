//! What can be said on the command line, or in the environment, to a server and to whoever works on its database.

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
    /// The address and port to serve on; port 0 takes any free one.
    #[arg(long, env = "ZORKMID_LISTEN", value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub(crate) listen: SocketAddr,
}

#[derive(Args)]
pub(crate) struct Metrics {
    /// The address and port on which Prometheus may ask for /metrics; without it nobody can. It is not for the public.
    #[arg(long, visible_alias = "metrics", env = "ZORKMID_METRICS_LISTEN", value_name = "ADDRESS:PORT")]
    pub(crate) metrics_listen: Option<SocketAddr>,
}

/// Where the games are kept.
#[derive(Args)]
pub(crate) struct Database {
    /// The folder of the embedded database.
    #[arg(long, env = "ZORKMID_DATA", value_name = "FOLDER", default_value = "data")]
    pub(crate) data: PathBuf,
    /// A database to use instead: postgres://user@host/name, or sqlite:FILE.
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true)]
    database_url: Option<String>,
}

impl Database {
    /// The endgame tables: none is solved yet, but those of four pieces that lie in the folder are found.
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
            .ok_or_else(|| format!("the folder {} has a name that is not text", self.data.display()))
    }
}

/// What is sent to those who wish to be told of their turns.
#[derive(Args)]
pub(crate) struct Notices {
    /// Lets programs that wish to be told of their turns be anywhere, without TLS and in this server's own network too; without it only on
    /// the public network. Several processes on one database are given the same.
    #[arg(long, env = "ZORKMID_PRIVATE_HOOKS")]
    pub(crate) private_hooks: bool,
}

/// The games, and how long they are kept.
#[derive(Args)]
pub(crate) struct Games {
    #[command(flatten)]
    pub(crate) database: Database,
    /// Deletes games in which nothing has happened for so many days, finished or not; without it all are kept for ever. A move may take 30
    /// days. Several processes on one database are given the same.
    #[arg(long, env = "ZORKMID_KEEP", value_name = "DAYS", value_parser = clap::value_parser!(u32).range(31..=36_500))]
    pub(crate) keep: Option<u32>,
}

impl Games {
    /// The time that games are kept, in milliseconds.
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
    /// The greatest number of pieces of the endgame tables; those of 4 are solved once beside the server, into its folder.
    #[arg(long, env = "ZORKMID_PIECES", value_name = "NUMBER", default_value_t = 3, value_parser = clap::value_parser!(u8).range(3..=4))]
    pub(crate) pieces: u8,
    /// The base of absolute links, as https://chess.example.org; without it the request's Host header.
    #[arg(long, env = "ZORKMID_PUBLIC_URL", value_name = "URL")]
    pub(crate) public_url: Option<PublicUrl>,
    /// How to reach the operator, for /.well-known/security.txt: mailto:you@example.org, or an address that begins with https://.
    #[arg(long, env = "ZORKMID_CONTACT", value_name = "URI")]
    pub(crate) contact: Option<Contact>,
    /// Addresses or networks whose X-Forwarded-For and X-Forwarded-Proto are believed, separated by commas.
    #[arg(long, env = "ZORKMID_TRUSTED_PROXIES", value_name = "NETWORKS", value_delimiter = ',', value_parser = network)]
    pub(crate) trusted_proxies: Vec<IpNet>,
    /// Requests per second that one client address may make on average, ten seconds' worth at once; 0 for no limit.
    #[arg(long, env = "ZORKMID_RATE", value_name = "REQUESTS", default_value_t = Options::default().rate)]
    pub(crate) rate: u32,
    /// Milliseconds of CPU time per second that one client address may use on average, 30 seconds' worth at once; 0 for no limit.
    #[arg(long, env = "ZORKMID_CPU_PER_ADDRESS", value_name = "MILLISECONDS", default_value_t = Options::default().cpu)]
    pub(crate) cpu_per_address: u64,
    /// Event streams that one client address may have open; 0 for no limit.
    #[arg(long, env = "ZORKMID_STREAMS_PER_ADDRESS", value_name = "STREAMS", default_value_t = Options::default().streams_per_address)]
    pub(crate) streams_per_address: usize,
    /// Connections that may be open at once; without it as many as there may be open files, less an eighth and at least 64.
    #[arg(long, env = "ZORKMID_CONNECTIONS", value_name = "NUMBER")]
    pub(crate) connections: Option<usize>,
    /// Connections that one client address may have open; 0 for no limit.
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
    /// Bots that think at the same time; without it as many as there are processors.
    #[arg(long, env = "ZORKMID_PLACES", value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) places: Option<u16>,
}

#[derive(Args)]
pub(crate) struct Forfeit {
    /// The game's id, the last part of its address.
    pub(crate) game: String,
    /// The seat that loses: one or two.
    pub(crate) seat: Seat,
    #[command(flatten)]
    pub(crate) database: Database,
}

#[derive(Args)]
pub(crate) struct Backup {
    /// The file to make; one that is there already is left alone.
    pub(crate) to: PathBuf,
    #[command(flatten)]
    pub(crate) database: Database,
}

#[derive(Args)]
pub(crate) struct ReplayOf {
    /// A file with a record, in JSON or in portable game notation; or the id of a game that is kept here.
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
