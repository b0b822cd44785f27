//! Moves per second of 64 players over HTTP on PostgreSQL, acknowledged by one process, by two and three that share the players, and by one
//! with a worker. The control is `pgbench -N` with the same number of clients on the same PostgreSQL. All share this machine's processors
//! and take turns; medians of the rounds.
//! `ZORKMID_TEST_POSTGRES=postgres://… cargo bench --bench measure -- postgres`; `pgbench` must be on the path.

use crate::{
    actions::{PLAYERS, players},
    load::median,
    process::Process,
};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::{net::SocketAddr, path::Path, process::Command};

const ROUNDS: usize = 5;
/// Numbers of processes, and whether a worker runs too.
const CREWS: [(usize, bool); 4] = [(1, false), (2, false), (3, false), (1, true)];

pub(crate) fn run() {
    let Ok(url) = std::env::var("ZORKMID_TEST_POSTGRES") else {
        println!("not measured: ZORKMID_TEST_POSTGRES is not set");
        return;
    };
    tokio::runtime::Runtime::new().expect("threads").block_on(measure(&url));
}

async fn measure(url: &str) {
    let mut db = PgConnection::connect(url).await.expect("PostgreSQL");
    let name = format!("measure_{}", std::process::id());
    db.execute(AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.expect("a database");
    let (server, _) = url.rsplit_once('/').expect("an address with a database");
    let database = format!("{server}/{name}");
    pgbench(&["-i", "-q", "-s", "10", &database]);
    let folder = tempfile::tempdir().expect("a folder");
    let mut rates: [Vec<f64>; CREWS.len() + 1] = Default::default();
    for _ in 0..ROUNDS {
        for (rates, (processes, worker)) in rates.iter_mut().zip(CREWS) {
            rates.push(crew(&database, folder.path(), processes, worker).await);
        }
        let clients = PLAYERS.to_string();
        let told = pgbench(&["-N", "-n", "-c", &clients, "-j", "2", "-T", "3", &database]);
        let rate = told.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
        rates[CREWS.len()].push(rate.expect("a rate"));
    }
    let rates = rates.map(|mut rates| median(&mut rates));
    let control = rates[CREWS.len()];
    println!("pgbench -N, {PLAYERS} clients      {control:>8.0} /s   1.00");
    for ((processes, worker), rate) in CREWS.into_iter().zip(rates) {
        let worker = if worker { "and a worker" } else { "            " };
        println!("{processes} processes {worker}        {rate:>8.0} /s   {:.2}   target for one: 0.5", rate / control);
    }
    db.execute(AssertSqlSafe(format!("DROP DATABASE {name} WITH (FORCE)"))).await.expect("a dropped database");
}

fn pgbench(arguments: &[&str]) -> String {
    let done = Command::new("pgbench")
        .args(arguments)
        .output()
        .expect("pgbench is installed (Debian: apt-get install postgresql)");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// Moves per second with a number of processes.
async fn crew(database: &str, folder: &Path, processes: usize, worker: bool) -> f64 {
    let on = |number: usize| Process::on(Some(database), &folder.join(number.to_string()));
    let crew: Vec<Process> = (0..processes).map(on).collect();
    let _worker = worker.then(|| Process::worker(database));
    for process in &crew {
        process.ready().await;
    }
    let sites: Vec<SocketAddr> = crew.iter().map(Process::socket).collect();
    players(&sites).await
}
