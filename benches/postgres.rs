//! Moves acknowledged over HTTP by 64 players on PostgreSQL: by one process, by two and three that share the players, and by one beside a
//! worker; and what `pgbench -N` with as many clients makes of the same PostgreSQL. All of them share this machine's processors. They take
//! turns; the medians of the rounds are told.
//! `ZORKMID_TEST_POSTGRES=postgres://… cargo bench --bench measure -- postgres`; `pgbench` has to be on the path.

use crate::{
    actions::{PLAYERS, players},
    load::median,
    process::Process,
};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use std::{net::SocketAddr, path::Path, process::Command};

const ROUNDS: usize = 5;
/// So many processes, and whether a worker is beside them.
const CREWS: [(usize, bool); 4] = [(1, false), (2, false), (3, false), (1, true)];

pub(crate) fn run() {
    let Ok(url) = std::env::var("ZORKMID_TEST_POSTGRES") else {
        println!("not measured: ZORKMID_TEST_POSTGRES names no PostgreSQL");
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
        println!("{processes} processes {worker}        {rate:>8.0} /s   {:.2}   0.5 is wanted of one", rate / control);
    }
    db.execute(AssertSqlSafe(format!("DROP DATABASE {name} WITH (FORCE)"))).await.expect("it is ours");
}

fn pgbench(arguments: &[&str]) -> String {
    let done = Command::new("pgbench").args(arguments).output().expect("pgbench, which Debian has as a package");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8_lossy(&done.stdout).into_owned()
}

/// The moves per second of so many processes.
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
