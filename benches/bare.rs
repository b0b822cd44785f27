//! Control for the benchmarks that write: a bare loop of one insert per commit, with the store's pragmas.

use sqlx::{Connection, Executor, SqliteConnection};
use std::time::{Duration, Instant};

/// Creates an empty table in a file.
pub(crate) async fn bare(file: &str) -> SqliteConnection {
    let mut db = SqliteConnection::connect(&format!("sqlite://{file}?mode=rwc")).await.expect("a database");
    db.execute("PRAGMA journal_mode = WAL").await.expect("WAL");
    db.execute("PRAGMA synchronous = FULL").await.expect("FULL");
    db.execute("CREATE TABLE line (game TEXT, at BIGINT, actor TEXT, text TEXT, time BIGINT, PRIMARY KEY (game, at))")
        .await
        .expect("a table");
    db
}

/// Inserts per second, one per commit.
pub(crate) async fn one_by_one(db: &mut SqliteConnection, round: Duration) -> f64 {
    let start = Instant::now();
    let mut done = 0;
    let first: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM line").fetch_one(&mut *db).await.expect("a count");
    while start.elapsed() < round {
        sqlx::query("INSERT INTO line (game, at, actor, text, time) VALUES ('g', $1, 'one', 'e2e4', 2000)")
            .bind(first + done)
            .execute(&mut *db)
            .await
            .expect("an insert");
        done += 1;
    }
    done as f64 / start.elapsed().as_secs_f64()
}
