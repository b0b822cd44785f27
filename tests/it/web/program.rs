//! The program itself, started as its users start it.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
};

/// A running server, killed when it is dropped.
pub(super) struct Server {
    child: Child,
    /// As `http://127.0.0.1:8080`.
    pub(super) address: String,
}

impl Server {
    pub(super) fn start(data: &Path) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_zorkmid"))
            .args(["--listen", "127.0.0.1:0", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let said =
            BufReader::new(child.stdout.take().unwrap()).lines().next().expect("the server says where it is").unwrap();
        let address = said.rsplit(' ').next().unwrap().to_owned();
        Server { child, address }
    }

    /// SIGKILL: nothing is written on the way out.
    pub(super) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
