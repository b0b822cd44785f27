//! Damaged databases: `zorkmid check` finds the damage, and a starting server warns of it.

use super::{instances::schema, *};
use rand::RngExt;
use sqlx::{AssertSqlSafe, Connection, Executor, query_scalar};
use std::{
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};
use zorkmid::store::{Digest, Holder, NewGame, NewLine, NewSeat};

/// Number of games in the database.
const GAMES: usize = 300;

/// Fills a database with running games of chess.
async fn fill(database: &str) {
    let store = Store::open(database).await.unwrap();
    for number in 0..GAMES {
        let id = format!("g{number:03}");
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().take(12);
        let lines = moves.zip(["one", "two"].into_iter().cycle());
        let lines = lines.map(|(text, actor)| NewLine { actor: actor.to_owned(), text: text.to_owned(), time: 2_000 });
        let seat = |seat: &str| NewSeat {
            seat: seat.to_owned(),
            holder: Holder::Token(Digest::of(&format!("{id} {seat}"))),
            name: None,
            owner: None,
        };
        let game = NewGame {
            id: id.clone(),
            variant: "chess".to_owned(),
            rules_version: 1,
            options: "{}".to_owned(),
            created: 1_000,
            clock: None,
            opponent: "self".to_owned(),
            rematch_of: None,
            open: false,
            public: false,
            lines: lines.collect(),
            ply: 12,
            due: None,
            bot: None,
            seats: vec![seat("one"), seat("two")],
        };
        store.create(game).await.unwrap();
    }
    store.close().await;
}

/// Runs statements directly on the database.
async fn tamper(database: &str, sql: &str) {
    sqlx::any::install_default_drivers();
    let url = if database.contains("://") { database.to_owned() } else { format!("sqlite://{database}") };
    let mut db = sqlx::AnyConnection::connect(&url).await.unwrap();
    db.execute(AssertSqlSafe(sql)).await.unwrap();
    db.close().await.unwrap();
}

/// Overwrites 40 blocks of 512 bytes after the pages of the schema and the roots of the tables.
async fn damage(file: &str) {
    let mut db = sqlx::SqliteConnection::connect(file).await.unwrap();
    let root: i64 = query_scalar("SELECT MAX(rootpage) FROM sqlite_master").fetch_one(&mut db).await.unwrap();
    db.close().await.unwrap();
    let mut bytes = std::fs::read(file).unwrap();
    let (first, blocks) = (root as usize * 8, bytes.len() / 512);
    assert!(blocks > first + 200, "{first} of {blocks}");
    let mut chance = StdRng::seed_from_u64(1);
    for _ in 0..40 {
        let at = 512 * chance.random_range(first..blocks);
        bytes[at..at + 512].fill_with(|| chance.random());
    }
    std::fs::write(file, bytes).unwrap();
}

/// Runs `zorkmid check`. Returns whether it succeeded, the faults and the summary.
fn check(database: &str) -> (bool, Vec<String>, String) {
    let done =
        Command::new(env!("CARGO_BIN_EXE_zorkmid")).args(["check", "--database-url", database]).output().unwrap();
    let mut lines: Vec<String> = String::from_utf8(done.stdout).unwrap().lines().map(str::to_owned).collect();
    let summary = if done.status.success() { lines.pop().unwrap() } else { String::from_utf8(done.stderr).unwrap() };
    (done.status.success(), lines, summary)
}

/// Whether a server that starts on a database warns of damage. Stops the server after the warning, or after a while.
fn warns(database: &str) -> bool {
    let mut server = Command::new(env!("CARGO_BIN_EXE_zorkmid"))
        .args(["--listen", "127.0.0.1:0", "--database-url", database])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let said = BufReader::new(server.stdout.take().unwrap()).lines().next();
    assert!(
        said.is_some_and(|line| line.unwrap().starts_with("Zorkmid serves")),
        "the server starts despite the damage"
    );
    let mut log = BufReader::new(server.stderr.take().unwrap()).lines().map_while(Result::ok);
    // Solving the endgame tables takes longer than the check for damage.
    let warned = log.find(|line| line.contains("zorkmid check") || line.contains("the endgame tables are ready"));
    server.kill().unwrap();
    server.wait().unwrap();
    warned.expect("a line of the log").contains("zorkmid check")
}

#[tokio::test(flavor = "multi_thread")]
async fn damaged_blocks_are_found_by_the_check_and_at_startup() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.sqlite").to_str().unwrap().to_owned();
    fill(&file).await;
    let (sound, faults, summary) = check(&file);
    assert!(
        sound && faults.is_empty() && summary == format!("{GAMES} games checked, no faults"),
        "{faults:?} {summary}"
    );
    assert!(!warns(&file));
    damage(&file).await;
    let (sound, faults, summary) = check(&file);
    assert!(!sound && summary.contains("faults"), "{summary}");
    assert!(faults.iter().any(|fault| fault.starts_with("database: ")), "{faults:?}");
    assert!(faults.iter().any(|fault| fault.starts_with("game g")), "{faults:?}");
    assert!(warns(&file));
}

#[tokio::test(flavor = "multi_thread")]
async fn record_that_does_not_replay_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.sqlite").to_str().unwrap().to_owned();
    for database in [Some(file), schema("damaged").await].into_iter().flatten() {
        fill(&database).await;
        assert!(check(&database).0);
        for sql in [
            "UPDATE line SET text = 'g1f4' WHERE game = 'g299' AND at = 4",
            "DELETE FROM line WHERE game = 'g010' AND at = 11",
            "DELETE FROM seat WHERE game = 'g020' AND seat = 'two'",
            "UPDATE game SET ply = 11 WHERE id = 'g030'",
            "UPDATE game SET due = 5 WHERE id = 'g040'",
            "UPDATE game SET result = 'draw: agreed' WHERE id = 'g050'",
            "UPDATE game SET variant = 'checkers' WHERE id = 'g060'",
        ] {
            tamper(&database, sql).await;
        }
        let (sound, faults, summary) = check(&database);
        let games: Vec<&str> = faults.iter().map(|fault| fault.split(':').next().unwrap()).collect();
        let wanted = ["010", "020", "030", "040", "050", "060", "299"].map(|id| format!("game g{id}"));
        assert_eq!(games, wanted, "{faults:?}");
        assert!(!sound && summary.contains("300 games checked, 7 faults"), "{summary}");
        assert!(warns(&database));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn row_without_its_parent_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.sqlite").to_str().unwrap().to_owned();
    fill(&file).await;
    tamper(&file, "PRAGMA foreign_keys = OFF; DELETE FROM game WHERE id = 'g001'").await;
    let (sound, faults, _) = check(&file);
    assert!(!sound && faults.iter().all(|fault| fault.contains("has no parent in game")), "{faults:?}");
    assert_eq!(faults.len(), 14, "twelve lines and two seats");
}

#[test]
fn missing_database_is_not_created() {
    let folder = tempfile::tempdir().unwrap();
    let (sound, _, complaint) = check(folder.path().join("slip/games.sqlite").to_str().unwrap());
    assert!(!sound && complaint.contains("the file does not exist"), "{complaint}");
    assert!(!folder.path().join("slip").exists());
}
