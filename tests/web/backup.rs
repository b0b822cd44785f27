//! Backups taken while the server writes: they contain everything acknowledged before.

use std::{
    fs,
    path::Path,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
};

use serde_json::{Value, json};

use super::{PATIENCE, program::Server};

/// A player who begins games and moves in them.
struct Player<'s> {
    server: &'s Server,
    client: reqwest::Client,
}

impl Player<'_> {
    async fn post(&self, path: &str, token: Option<&str>, body: Value) -> Value {
        let request = self.client.post(format!("{}{path}", self.server.address)).json(&body);
        let request = token.into_iter().fold(request, |request, token| request.bearer_auth(token));
        let answer = request.send().await.unwrap();
        assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());
        answer.json().await.unwrap()
    }

    /// Begins a game and moves once. Returns its id once both are acknowledged.
    async fn begin(&self) -> String {
        let begun = self.post("/api/games", None, json!({"variant": "chess", "opponent": "self"})).await;
        let id = begun["id"].as_str().unwrap().to_owned();
        let action = json!({"ply": 0, "action": "e2e4"});
        self.post(&format!("/api/games/{id}/actions"), begun["seats"][0]["token"].as_str(), action).await;
        id
    }
}

fn player(server: &Server) -> Player<'_> {
    Player { server, client: reqwest::Client::new() }
}

/// Number of these games that a server on a database lacks, or has without their move.
async fn lost(data: &Path, games: &[String]) -> usize {
    let server = Server::start(data);
    let mut lost = 0;
    for id in games {
        let game = reqwest::get(format!("{}/api/games/{id}", server.address)).await.unwrap();
        let there = game.status() == 200 && game.json::<Value>().await.unwrap()["ply"] == 1;
        lost += usize::from(!there);
    }
    lost
}

fn backup(data: &Path, to: &Path) -> Result<String, String> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
    let done = program.args(["backup", "--data"]).args([data, to]).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if done.status.success() { Ok(text(done.stdout)) } else { Err(text(done.stderr)) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backup_contains_everything_acknowledged_before_it() {
    let folder = tempfile::tempdir().unwrap();
    let (data, copy, restored) =
        (folder.path().join("data"), folder.path().join("copy"), folder.path().join("restored"));
    let server = Server::start(&data);
    let mut before = Vec::new();
    for _ in 0..5 {
        before.push(player(&server).begin().await);
    }
    // The guide warns against this copy.
    let alone = folder.path().join("alone");
    fs::create_dir(&alone).unwrap();
    fs::copy(data.join("zorkmid.sqlite"), alone.join("zorkmid.sqlite")).unwrap();
    assert!(lost(&alone, &before).await > 0, "the main file alone is incomplete");

    let ended = AtomicBool::new(false);
    let copies = async {
        // A player keeps playing.
        before.push(player(&server).begin().await);
        let (from, to) = (data.clone(), copy.clone());
        let said = tokio::task::spawn_blocking(move || backup(&from, &to)).await.unwrap();
        ended.store(true, Ordering::Relaxed);
        said
    };
    let all = async { tokio::join!(plays(&server, &ended), plays(&server, &ended), copies).2 };
    let said = tokio::time::timeout(PATIENCE, all).await.unwrap();
    assert!(said.unwrap().contains("bytes"));

    fs::create_dir(&restored).unwrap();
    fs::copy(&copy, restored.join("zorkmid.sqlite")).unwrap();
    assert_eq!(lost(&restored, &before).await, 0);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(
            fs::metadata(&copy).unwrap().permissions().mode() & 0o777,
            0o600,
            "the copy contains sealed actions"
        );
    }

    let (length, complaint) = (fs::metadata(&copy).unwrap().len(), backup(&data, &copy).unwrap_err());
    assert!(complaint.contains("the file exists"), "{complaint}");
    assert_eq!(fs::metadata(&copy).unwrap().len(), length, "the existing file is not overwritten");
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().contains("part")), "{left:?}");
}

/// Plays until `ended` is set.
async fn plays(server: &Server, ended: &AtomicBool) {
    while !ended.load(Ordering::Relaxed) {
        player(server).begin().await;
    }
}

#[test]
fn failed_backup_reports_its_cause() {
    let folder = tempfile::tempdir().unwrap();
    let complaint = backup(&folder.path().join("slip"), &folder.path().join("copy")).unwrap_err();
    assert!(complaint.contains("the file does not exist"), "{complaint}");
    assert!(!folder.path().join("slip").exists(), "a mistyped path creates no folder");
    fs::write(folder.path().join("zorkmid.sqlite"), "no database at all, whatever its name says ".repeat(100)).unwrap();
    let complaint = backup(folder.path(), &folder.path().join("copy")).unwrap_err();
    assert!(complaint.contains("not a readable SQLite database"), "{complaint}");
    let complaint = backup(folder.path(), &folder.path().join("none/copy")).unwrap_err();
    assert!(complaint.contains("none/copy"), "{complaint}");
    let mut program = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
    let done = program
        .args(["backup", "--database-url", "postgres://me:secret@nowhere/zorkmid"])
        .arg(folder.path().join("copy"));
    let complaint = String::from_utf8(done.output().unwrap().stderr).unwrap();
    assert!(complaint.contains("pg_dump") && !complaint.contains("secret"), "{complaint}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no partial file is left");
}
