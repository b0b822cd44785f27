//! Two servers on one PostgreSQL: what is said to one is seen at the other.

use super::{PATIENCE, program::Server};
use futures_util::StreamExt;
use serde_json::{Value, json};
use std::{path::Path, process::Command};
use tokio::time::timeout;

/// A schema of its own on the PostgreSQL of the tests, as the address of a database; none where no PostgreSQL is named.
pub(super) async fn schema(name: &str) -> Option<String> {
    use sqlx::{AssertSqlSafe, Connection, Executor};
    let Ok(url) = std::env::var("ZORKMID_TEST_POSTGRES") else {
        eprintln!("SKIPPED: ZORKMID_TEST_POSTGRES is not set");
        return None;
    };
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

/// Servers on one schema of their own.
pub(super) async fn several<const N: usize>(name: &str, folder: &Path) -> Option<[Server; N]> {
    let database = schema(name).await?;
    Some(std::array::from_fn(|n| on(&database, &folder.join(n.to_string()))))
}

async fn said(server: &Server, path: &str, token: Option<&str>, body: Value) -> Value {
    let mut request = reqwest::Client::new().post(format!("{}{path}", server.address)).json(&body);
    if let Some(token) = token {
        request = request.bearer_auth(token);
    }
    let answer = request.send().await.unwrap();
    assert!(answer.status().is_success(), "{}", answer.text().await.unwrap());
    answer.json().await.unwrap()
}

#[tokio::test]
async fn what_is_said_at_one_is_seen_at_the_other() {
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
                    let bytes = stream.next().await.expect("the stream goes on").unwrap();
                    text.push_str(&String::from_utf8_lossy(&bytes));
                }
            };
            timeout(PATIENCE, come).await.expect("it is heard of at both");
        }
    }
}
