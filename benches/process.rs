//! Runs the program as a separate process, to measure its resources.

use std::{
    io::{BufRead, BufReader},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

/// A server process.
pub(crate) struct Process {
    child: Child,
    /// Base address, such as `http://127.0.0.1:8080`.
    pub(crate) address: String,
}

impl Process {
    /// Starts a server on a PostgreSQL database, or on its folder alone.
    pub(crate) fn on(database: Option<&str>, folder: &Path) -> Process {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
        command.args([
            "--rate",
            "0",
            "--cpu-per-address",
            "0",
            "--streams-per-address",
            "0",
            "--connections-per-address",
            "0",
        ]);
        command.args(["--listen", "127.0.0.1:0", "--data"]).arg(folder);
        if let Some(database) = database {
            command.env("DATABASE_URL", database);
        }
        Process::started(command)
    }

    /// Starts a server with the default limits per address, behind a trusted proxy on this machine.
    pub(crate) fn public(folder: &Path) -> Process {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
        command.args(["--trusted-proxies", "127.0.0.1"]);
        command.args(["--listen", "127.0.0.1:0", "--data"]).arg(folder);
        Process::started(command)
    }

    /// Starts a worker on a PostgreSQL database.
    pub(crate) fn worker(database: &str) -> Process {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
        command.arg("worker").env("DATABASE_URL", database);
        Process::started(command)
    }

    fn started(mut command: Command) -> Process {
        // As in docs/operation/zorkmid.service.
        command.env("MALLOC_ARENA_MAX", "2");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the program");
        let said = BufReader::new(child.stdout.take().expect("its output")).lines().next();
        let said = said.and_then(Result::ok).expect("it prints its address");
        Process { child, address: said.rsplit(' ').next().unwrap_or_default().to_owned() }
    }

    /// Address on which it listens.
    pub(crate) fn socket(&self) -> SocketAddr {
        self.address.trim_start_matches("http://").parse().expect("an address")
    }

    /// Waits until it is ready.
    pub(crate) async fn ready(&self) {
        let ready = format!("{}/readyz", self.address);
        while !reqwest::get(&ready).await.is_ok_and(|answer| answer.status() == 200) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Processor time of all its threads since it started, to a hundredth of a second.
    pub(crate) fn spent(&self) -> Duration {
        let told = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).expect("it runs");
        // The name of the program may contain spaces. User and system time are the 12th and 13th field after it.
        let fields = told.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
        let ticks: u64 = fields.map(|field| field.parse::<u64>().expect("a number")).sum();
        Duration::from_millis(ticks * 10)
    }

    /// Resident memory in KiB.
    pub(crate) fn memory(&self) -> u64 {
        resident(&self.child.id().to_string())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Resident memory of a process in KiB; `self` for this one.
pub(crate) fn resident(process: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("Linux");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
