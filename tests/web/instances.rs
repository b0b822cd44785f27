//! Several processes on one PostgreSQL: actions at one are seen at the others, and the work of a dead process is taken over.

use super::{PATIENCE, program::Server, tools, until};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::{
    path::Path,
    process::{Child, Command, Stdio},
};
use tokio::time::timeout;

/// Database address of a new schema on the PostgreSQL of the tests; `None` without PostgreSQL.
pub(super) async fn schema(name: &str) -> Option<String> {
    use sqlx::{AssertSqlSafe, Connection, Executor};
    let url = tools::named("ZORKMID_TEST_POSTGRES")?;
    let schema = format!("{name}_{}", std::process::id());
    let mut db = sqlx::PgConnection::connect(&url).await.unwrap();
    db.execute(AssertSqlSafe(format!("DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}"))).await.unwrap();
    db.close().await.unwrap();
    let join = if url.contains('?') { '&' } else { '?' };
    Some(format!("{url}{join}options[search_path]={schema}"))
}

/// A server on a PostgreSQL database.
pub(super) fn on(database: &str, folder: &Path) -> Server {
    let mut program = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
    program.env("DATABASE_URL", database);
    Server::started(program, folder, "127.0.0.1:0")
}

/// Several servers on one new schema.
pub(super) async fn several<const N: usize>(name: &str, folder: &Path) -> Option<[Server; N]> {
    let database = schema(name).await?;
    Some(std::array::from_fn(|n| on(&database, &folder.join(n.to_string()))))
}

pub(super) async fn said(server: &Server, path: &str, token: Option<&str>, body: Value) -> Value {
    let mut request = reqwest::Client::new().post(format!("{}{path}", server.address)).json(&body);
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    let answer = request.send().await.unwrap();
    assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());
    answer.json().await.unwrap()
}

#[tokio::test]
async fn actions_at_one_server_are_seen_at_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let Some([one, other]) = several("heard", folder.path()).await else { return };
    let begun = said(&one, "/api/games", None, json!({"variant": "chess", "opponent": "self"})).await;
    let id = begun["id"].as_str().unwrap();
    let token = |seat: usize| begun["seats"][seat]["token"].as_str().unwrap();
    let mut streams = Vec::new();
    for server in [&one, &other] {
        let stream = reqwest::get(format!("{}/api/games/{id}/events", server.address)).await.unwrap().bytes_stream();
        streams.push((stream, String::new()));
    }
    for (ply, action) in ["g1f3", "g8f6", "f3g1", "f6g8", "b1c3"].into_iter().enumerate() {
        let at = [&one, &other][ply % 2];
        let actions = format!("/api/games/{id}/actions");
        said(at, &actions, Some(token(ply % 2)), json!({"ply": ply, "action": action})).await;
        for (stream, text) in &mut streams {
            let come = async {
                while !text.contains(&format!("\"ply\":{}", ply + 1)) {
                    let bytes = stream.next().await.expect("the next event").unwrap();
                    text.push_str(&String::from_utf8_lossy(&bytes));
                }
            };
            timeout(PATIENCE, come).await.expect("both servers stream the action");
        }
    }
}

/// Waits until a count is positive. The tables may not exist yet.
async fn counted(database: &str, what: &str, statement: &'static str) {
    use sqlx::Row;
    let db = sqlx::PgPool::connect(database).await.unwrap();
    let count = async || sqlx::query(statement).fetch_one(&db).await.map_or(0, |row| row.get::<i64, _>(0));
    until(what, async || count().await > 0).await;
}

#[tokio::test]
async fn work_of_a_dead_server_is_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let Some(database) = schema("heirs").await else { return };
    let first = on(&database, &folder.path().join("first"));
    counted(&database, "the first server keeps the clocks", "SELECT COUNT(*) FROM process").await;
    let heir = on(&database, &folder.path().join("heir"));
    counted(&database, "both processes are alive", "SELECT COUNT(*) - 1 FROM process").await;
    // A clock that is about to flag, and bots that think on the first server.
    let clock = json!({"initial": 2, "increment": 0});
    let begun = said(&first, "/api/games", None, json!({"variant": "chess", "opponent": "self", "clock": clock})).await;
    let flagged = begun["id"].as_str().unwrap();
    let token = |seat: usize| begun["seats"][seat]["token"].as_str().unwrap();
    for (ply, action) in ["e2e4", "e7e5"].into_iter().enumerate() {
        let actions = format!("/api/games/{flagged}/actions");
        said(&first, &actions, Some(token(ply)), json!({"ply": ply, "action": action})).await;
    }
    let asked: Vec<_> = (0..12)
        .map(|_| said(&first, "/api/games", None, json!({"variant": "chess", "opponent": "bot:deep", "seat": "two"})))
        .collect();
    let games = futures_util::future::join_all(asked).await;
    first.kill();
    counted(&database, "the player has lost on time", "SELECT COUNT(*) FROM game WHERE result LIKE '%time%'").await;
    for game in games {
        let address = format!("{}/api/games/{}", heir.address, game["id"].as_str().unwrap());
        let ply = async || reqwest::get(&address).await.unwrap().json::<Value>().await.unwrap()["ply"].clone();
        until("the bot has moved", async || ply().await == json!(1)).await;
    }
}

/// A worker, killed when it is dropped.
struct Worker(Child);

impl Worker {
    fn on(database: &str) -> Worker {
        let mut program = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
        program.arg("worker").env("DATABASE_URL", database).stdout(Stdio::null()).stderr(Stdio::null());
        Worker(program.spawn().unwrap())
    }

    fn signal(&self, name: &str) {
        assert!(Command::new("kill").args([name, &self.0.id().to_string()]).status().unwrap().success());
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[tokio::test]
async fn workers_think_for_servers_while_they_are_alive() {
    let folder = tempfile::tempdir().unwrap();
    let Some(database) = schema("work").await else { return };
    let worker = Worker::on(&database);
    counted(&database, "the worker is alive", "SELECT COUNT(*) FROM process WHERE role = 'worker'").await;
    // A server looks for workers before it answers requests, and leaves the bots to a worker that it has seen.
    let server = on(&database, folder.path());
    let begun = said(&server, "/api/games", None, json!({"variant": "chess", "opponent": "bot:newcomer"})).await;
    let [id, token] = [&begun["id"], &begun["seats"][0]["token"]].map(|text| text.as_str().unwrap());
    let address = format!("{}/api/games/{id}", server.address);
    let ply = async || reqwest::get(&address).await.unwrap().json::<Value>().await.unwrap()["ply"].as_u64().unwrap();
    let play = async |action: &str| {
        let now = ply().await;
        said(&server, &format!("/api/games/{id}/actions"), Some(token), json!({"ply": now, "action": action})).await;
    };
    play("g1f3").await;
    until("the worker answers", async || ply().await == 2).await;
    worker.signal("-STOP");
    play("f3g1").await;
    counted(&database, "no worker thinks", "SELECT COUNT(*) FROM game WHERE asked IS NOT NULL AND thinker IS NULL")
        .await;
    until("the server answers", async || ply().await == 4).await;
    worker.signal("-CONT");
    counted(&database, "the worker is alive again", "SELECT COUNT(*) FROM process WHERE role = 'worker'").await;
}

#[test]
fn worker_on_sqlite_is_refused_with_a_reason() {
    let told = Command::new(env!("CARGO_BIN_EXE_zorkmid")).arg("worker").output().unwrap();
    assert!(!told.status.success());
    assert!(String::from_utf8_lossy(&told.stderr).contains("--database-url"), "{told:?}");
}
