//! Lock on an SQLite database: one server at a time.

use super::program::Server;
use std::{
    path::Path,
    process::{Command, Output},
};

/// Runs the program on a database until it exits.
fn run(arguments: &[&str], database: &Path) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
    program.args(arguments).arg("--database-url").arg(database).output().unwrap()
}

#[tokio::test]
async fn second_server_refuses_the_database() {
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
        assert!(complaint.contains("--data"), "the error suggests a solution: {complaint}");
    }
    let by_folder = Command::new(env!("CARGO_BIN_EXE_zorkmid"))
        .args(["--listen", "127.0.0.1:0", "--data"])
        .arg(data.path())
        .output()
        .unwrap();
    assert!(!by_folder.status.success());
    // The first server keeps working, and read-only commands work too.
    assert_eq!(reqwest::get(format!("{}/healthz", server.address)).await.unwrap().status(), 200);
    for arguments in [&["check"][..], &["backup", data.path().join("copy").to_str().unwrap()]] {
        let done = run(arguments, &file);
        assert!(done.status.success(), "{done:?}");
    }
    // A killed server leaves its lock file, which blocks no new server.
    server.kill();
    assert!(data.path().join("zorkmid.sqlite-lock").exists());
    drop(Server::start(data.path()));
}

#[test]
fn lock_file_names_the_process_and_its_start() {
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
