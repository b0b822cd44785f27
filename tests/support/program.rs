//! Starts the program as its users do.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

/// A running server, killed on drop.
pub(crate) struct Server {
    child: Child,
    /// Base address, such as `http://127.0.0.1:8080`.
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(data: &Path) -> Server {
        Server::start_at(data, "127.0.0.1:0")
    }

    /// Starts a server at an address; port 0 is any free port.
    pub(crate) fn start_at(data: &Path, listen: &str) -> Server {
        Server::started(Command::new(env!("CARGO_BIN_EXE_zorkmid")), data, listen)
    }

    /// Starts a server with this command, without limits of requests and CPU time unless the command sets them.
    pub(crate) fn started(mut program: Command, data: &Path, listen: &str) -> Server {
        let mut child = program
            .args(["--listen", listen, "--data"])
            .arg(data)
            .env("ZORKMID_RATE", "0")
            .env("ZORKMID_CPU_PER_ADDRESS", "0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let said = BufReader::new(child.stdout.take().unwrap())
            .lines()
            .next()
            .expect("the server prints its address")
            .unwrap();
        let address = said.rsplit(' ').next().unwrap().to_owned();
        Server { child, address }
    }

    /// Resident memory in KiB.
    #[allow(dead_code, reason = "not every crate of tests measures it")]
    pub(crate) fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Sends a signal, such as `-STOP`.
    pub(crate) fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.child.id().to_string()]).status().unwrap().success());
    }

    /// Sends SIGKILL, so that nothing is written on exit.
    pub(crate) fn kill(mut self) {
        self.signal("-KILL");
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
