//! A full disk: only stored writes are acknowledged, the probe reports the problem, and writing resumes once there is space.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt, chown},
    path::Path,
    process::Command,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, query_scalar};

use super::{PATIENCE, instances, program::Server, tools};

/// A small temporary disk, if the system allows one.
struct Disk<'p>(&'p Path);

impl Disk<'_> {
    fn new(at: &Path) -> Option<Disk<'_>> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=4m", "tmpfs"]).arg(at);
        let mounted = mount.output().is_ok_and(|done| done.status.success()).then_some(Disk(at));
        mounted.or_else(|| tools::missing("no small disk can be mounted here"))
    }

    /// Fills the disk.
    fn fill(&self) {
        use std::io::Write;
        let mut file = fs::File::create(self.0.join("filler")).unwrap();
        for size in [65_536, 4_096, 1] {
            while file.write_all(&vec![b'x'; size]).is_ok() {}
        }
    }

    fn free(&self) {
        fs::remove_file(self.0.join("filler")).unwrap();
    }
}

impl Drop for Disk<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.0).output();
    }
}

async fn status(server: &Server, path: &str) -> u16 {
    reqwest::get(format!("{}{path}", server.address)).await.unwrap().status().as_u16()
}

#[tokio::test]
async fn full_disk_stops_writes_until_there_is_space() {
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = Disk::new(folder.path()) else { return };
    let data = folder.path().join("data");
    bears(&disk, true, || Server::start(&data)).await;
}

#[tokio::test]
async fn full_disk_of_postgresql_stops_writes_until_there_is_space() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("small");
    fs::create_dir(&at).unwrap();
    let Some(database) = instances::schema("full").await else { return };
    let mut db = PgConnection::connect(&std::env::var("ZORKMID_TEST_POSTGRES").unwrap()).await.unwrap();
    let cluster: String = query_scalar("SHOW data_directory").fetch_one(&mut db).await.unwrap();
    let Ok(cluster) = fs::metadata(cluster) else {
        return tools::missing("PostgreSQL is on another machine").unwrap_or_default();
    };
    let Some(disk) = Disk::new(&at) else { return };
    // Only PostgreSQL's tables are on the small disk.
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let tables = at.join("tables");
    fs::create_dir(&tables).unwrap();
    chown(&tables, Some(cluster.uid()), Some(cluster.gid())).unwrap();
    let small = format!("small_{}", std::process::id());
    db.execute(AssertSqlSafe(format!("CREATE TABLESPACE {small} LOCATION '{}'", tables.display()))).await.unwrap();
    let there = format!("{database}&options[default_tablespace]={small}");
    bears(&disk, false, || instances::on(&there, &folder.path().join("data"))).await;
    let schema = database.rsplit('=').next().unwrap();
    db.execute(AssertSqlSafe(format!("DROP SCHEMA {schema} CASCADE"))).await.unwrap();
    db.execute(AssertSqlSafe(format!("DROP TABLESPACE {small}"))).await.unwrap();
}

/// Plays on a disk that fills up and is freed again. PostgreSQL refuses only writes that need more space: lines and the probe fit into existing
/// pages.
async fn bears(disk: &Disk<'_>, whole: bool, start: impl Fn() -> Server) {
    let server = start();
    let client = reqwest::Client::new();
    let post = async |path: &str, token: Option<&str>, body: Value| {
        let request = client.post(format!("{}{path}", server.address)).json(&body);
        let request = token.into_iter().fold(request, |request, token| request.bearer_auth(token));
        let answer = request.send().await.unwrap();
        (answer.status().as_u16(), answer.json::<Value>().await.unwrap())
    };
    let (_, begun) = post("/api/games", None, json!({"variant": "lrs", "opponent": "self"})).await;
    let path = format!("/api/games/{}", begun["id"].as_str().unwrap());
    let token = begun["seats"][0]["token"].as_str().unwrap();
    let draw =
        async |word: &str| post(&format!("{path}/actions"), Some(token), json!({"ply": 0, "action": word})).await;
    assert_eq!(draw("draw").await.0, 200);
    let begin = Instant::now();
    while status(&server, "/readyz").await != 200 {
        assert!(begin.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    disk.fill();
    // The journal is overwritten in place for a while, but new games need more and more space.
    let (begin, mut made) = (Instant::now(), 0);
    let refused = loop {
        let (status, answer) = post("/api/games", None, json!({"variant": "lrs", "opponent": "self"})).await;
        if status != 201 {
            break (status, answer);
        }
        made += 1;
        assert!(begin.elapsed() < PATIENCE, "{made} games still fit");
    };
    assert_eq!(refused.0, 503, "{}", refused.1);
    assert!(refused.1["detail"].as_str().unwrap().contains("no room"), "{}", refused.1);
    assert_eq!(status(&server, "/healthz").await, 200);
    if whole {
        for _ in 0..3 {
            assert_eq!(draw("withdraw").await.0, 503);
        }
        tokio::time::sleep(Duration::from_millis(1_100)).await;
        assert_eq!(status(&server, "/readyz").await, 503);
    }
    // Viewers still see the game as it was acknowledged.
    let looked: Value = reqwest::get(format!("{}{path}", server.address)).await.unwrap().json().await.unwrap();
    assert_eq!(looked["offers"]["draw"], "one");
    disk.free();
    let begin = Instant::now();
    while post("/api/games", None, json!({"variant": "lrs", "opponent": "self"})).await.0 != 201 {
        assert!(begin.elapsed() < PATIENCE);
    }
    assert_eq!(draw("withdraw").await.0, 200);
    let took = begin.elapsed();
    eprintln!("{made} games found room in the journal; writing went on after {took:?}");
    let begin = Instant::now();
    while status(&server, "/readyz").await != 200 {
        assert!(begin.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let before: Value = reqwest::get(format!("{}{path}", server.address)).await.unwrap().json().await.unwrap();
    server.kill();
    let server = start();
    let after: Value = reqwest::get(format!("{}{path}", server.address)).await.unwrap().json().await.unwrap();
    assert_eq!((&before, after["offers"]["draw"].is_null()), (&after, true));
}
