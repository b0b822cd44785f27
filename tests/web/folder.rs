//! The lock on an SQLite database: one server at a time.

use super::program::Server;
use std::{
    path::Path,
    process::{Command, Output},
};

/// Runs the program on this database until it ends.
fn run(arguments: &[&str], database: &Path) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
    program.args(arguments).arg("--database-url").arg(database).output().unwrap()
}

#[tokio::test]
async fn a_second_server_refuses_the_database() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let file = data.path().join("zorkmid.sqlite");
    let holder = std::fs::read_to_string(data.path().join("zorkmid.sqlite-lock")).unwrap();
    let link = data.path().join("link.sqlite");
    std::os::unix::fs::symlink(&file, &link).unwrap();
    for database in [&file, &link] {
        let second = run(&["serve", "--listen", "127.0.0.1:0"], database);
        let complaint = String::from_utf8(second.stderr).unwrap();
        assert!(!second.status.success() && complaint.contains(holder.trim()), "{complaint}");
        assert!(complaint.contains("--data"), "it says what to do: {complaint}");
    }
    let by_folder = Command::new(env!("CARGO_BIN_EXE_zorkmid"))
        .args(["--listen", "127.0.0.1:0", "--data"])
        .arg(data.path())
        .output()
        .unwrap();
    assert!(!by_folder.status.success());
    // The first one goes on, and so do the programs that only read.
    assert_eq!(reqwest::get(format!("{}/healthz", server.address)).await.unwrap().status(), 200);
    for arguments in [&["check"][..], &["backup", data.path().join("copy").to_str().unwrap()]] {
        let done = run(arguments, &file);
        assert!(done.status.success(), "{done:?}");
    }
    // A killed server leaves its file, and blocks nobody.
    server.kill();
    assert!(data.path().join("zorkmid.sqlite-lock").exists());
    drop(Server::start(data.path()));
}

#[test]
fn the_lock_file_names_the_process_and_its_start() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let holder = std::fs::read_to_string(data.path().join("zorkmid.sqlite-lock")).unwrap();
    let words: Vec<&str> = holder.split_whitespace().collect();
    assert!(
        matches!(words[..], ["process", pid, "started", date, time, "UTC"]
        if pid.trim_end_matches(',').parse::<u32>().is_ok() && date.len() == 10 && time.len() == 8),
        "{holder}"
    );
    drop(server);
}
