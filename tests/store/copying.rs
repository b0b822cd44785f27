//! Copies of a site to another database: all tables are covered, an interrupted copy resumes, and differences are reported.

use super::{opening::connect, *};
use sqlx::{Connection, Executor, query_scalar};
use std::collections::BTreeSet;
use zorkmid::store::{COPIED, CopyError, NOT_COPIED, SiteCopy};

/// Every kind of database as source, each with a new database of every kind as destination.
async fn moves() -> Vec<(Ground, Ground)> {
    let mut moves = Vec::new();
    for number in 0..grounds().await.len() {
        for to in grounds().await {
            moves.push((grounds().await.swap_remove(number), to));
        }
    }
    moves
}

async fn copy(from: &Ground, to: &Ground) -> SiteCopy {
    SiteCopy::open(&from.address, &to.address).await.unwrap()
}

/// Differences found by a comparison, and the number of games replayed.
async fn compared(copy: &SiteCopy) -> (Vec<String>, usize) {
    let mut replayed = 0;
    let mut replay = |_| {
        replayed += 1;
        Ok(())
    };
    let comparison = copy.compare(&mut replay, &mut |_| {}).await.unwrap();
    assert_eq!(comparison.differences.len(), comparison.found.min(50));
    (comparison.differences, replayed)
}

/// A site with games of two lines each, the last of which is a rematch of the first.
async fn site(ground: &Ground, games: usize) {
    let store = open(ground).await;
    for n in (0..games).rev() {
        let id = format!("g{n:04}");
        store.create(new_game(&id)).await.unwrap();
        let mut two = move_at(&id, 0, "e2e4");
        two.lines.push(entry("bid ½"));
        two.receipt = receipt("one", &id, "e2e4");
        store.append(two).await.unwrap();
    }
    store.create(NewGame { rematch_of: Some(format!("g{:04}", games - 1)), ..new_game("a") }).await.unwrap();
    store.record_heartbeat(7_000).await.unwrap();
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_table_is_copied_or_listed_as_not_copied() {
    for ground in grounds().await {
        open(&ground).await.close().await;
        let mut db = connect(&ground).await;
        let tables = match ground.address.contains("://") {
            true => {
                "SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema = current_schema()"
            }
            false => "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
        };
        let tables: Vec<String> = query_scalar(tables).fetch_all(&mut db).await.unwrap();
        let tables: BTreeSet<&str> =
            tables.iter().map(String::as_str).filter(|table| *table != "_sqlx_migrations").collect();
        let known: BTreeSet<&str> = COPIED.iter().map(|table| table.name).chain(NOT_COPIED).collect();
        assert_eq!(tables, known, "src/store/tables.rs lists every table of the migrations");
        db.close().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn interrupted_copy_resumes() {
    for (from, to) in moves().await {
        site(&from, 250).await;
        let (source, destination) = (from.address.clone(), to.address.clone());
        let stopped = tokio::spawn(async move {
            let copy = SiteCopy::open(&source, &destination).await.unwrap();
            copy.write(&mut |_| panic!("stopped after the first batch")).await.unwrap();
        });
        assert!(stopped.await.is_err());
        let store = open(&to).await;
        let part = store.extent().await.unwrap().games;
        store.close().await;
        assert_eq!(part, 100, "a batch is written completely or not at all");
        let again = copy(&from, &to).await;
        assert!(!compared(&again).await.0.is_empty());
        // The site may change between the two runs.
        let store = open(&from).await;
        store.append(move_at("g0000", 2, "e7e5")).await.unwrap();
        store.close().await;
        let mut done = Vec::new();
        again.write(&mut |games| done.push(games)).await.unwrap();
        assert_eq!(done, [100, 200, 251]);
        assert_eq!(compared(&again).await, (vec![], 251));
        again.close().await;
        let store = open(&to).await;
        assert_eq!(store.last_heartbeat().await.unwrap(), 7_000, "the time of the copy counts on no clock");
        assert_eq!(store.load("g0249").await.unwrap().unwrap().rematch.as_deref(), Some("a"));
        assert_eq!(store.load("g0000").await.unwrap().unwrap().lines.len(), 3);
        store.close().await;
        // Another run changes nothing.
        let again = copy(&from, &to).await;
        again.write(&mut |_| {}).await.unwrap();
        assert_eq!(compared(&again).await, (vec![], 251));
        again.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn writes_during_a_copy_are_reported() {
    for (from, to) in moves().await {
        site(&from, 3).await;
        let copy = copy(&from, &to).await;
        copy.write(&mut |_| {}).await.unwrap();
        let store = open(&from).await;
        store.append(move_at("g0001", 2, "e7e5")).await.unwrap();
        store.create(new_game("new")).await.unwrap();
        store.record_heartbeat(8_000).await.unwrap();
        store.close().await;
        let (differences, _) = compared(&copy).await;
        for wanted in ["game g0001: rows differ in game, line", "game new", "game g0001: its version", "a server runs"]
        {
            assert!(differences.iter().any(|difference| difference.contains(wanted)), "{wanted}: {differences:?}");
        }
        assert!(!differences.iter().any(|difference| difference.contains("g0002")), "{differences:?}");
        copy.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_row_is_found_in_every_table() {
    let (from, to) = (sqlite(), sqlite());
    site(&from, 2).await;
    let mut db = connect(&from).await;
    let rest = "INSERT INTO review VALUES ('a', NULL, 1); INSERT INTO owner (key_hash, created, used) VALUES ('k', 1, 2); \
                INSERT INTO notice VALUES ('n', 'k', 'feed', 'x', 's', 'o', 1, NULL); INSERT INTO signer VALUES (1, 's'); \
                INSERT INTO puzzle VALUES ('mate', 1, 2, 3); INSERT INTO measured VALUES ('x', '1', 2); \
                INSERT INTO conditional_moves VALUES ('a', 'one', 1, 0, '[]')";
    db.execute(rest).await.unwrap();
    db.close().await.unwrap();
    let copy = copy(&from, &to).await;
    copy.write(&mut |_| {}).await.unwrap();
    assert_eq!(compared(&copy).await, (vec![], 3));
    let mut db = connect(&to).await;
    for (table, change) in [
        ("game", "UPDATE game SET touched = touched + 1 WHERE id = 'a'"),
        ("line", "UPDATE line SET time = time + 1 WHERE game = 'g0000' AND at = 1"),
        ("seat", "UPDATE seat SET noticed = 3 WHERE game = 'a' AND seat = 'two'"),
        ("receipt", "UPDATE receipt SET outcome = '' WHERE game = 'g0001'"),
        ("review", "UPDATE review SET opinion = '' WHERE game = 'a'"),
        ("conditional_moves", "UPDATE conditional_moves SET ply = 2"),
        ("owner", "UPDATE owner SET here = 1"),
        ("notice", "UPDATE notice SET failing = 0"),
        ("signer", "UPDATE signer SET secret = ''"),
        ("puzzle", "UPDATE puzzle SET solved = 2"),
        ("measured", "UPDATE measured SET pairs = '2'"),
    ] {
        assert_eq!(db.execute(change).await.unwrap().rows_affected(), 1, "{table}");
        let (differences, _) = compared(&copy).await;
        assert_eq!(differences.len(), 1, "{differences:?}");
        assert!(differences[0].ends_with(&format!("rows differ in {table}")), "{differences:?}");
        copy.write(&mut |_| {}).await.unwrap();
        assert_eq!(compared(&copy).await.0, Vec::<String>::new(), "{table}");
    }
    db.close().await.unwrap();
    copy.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn destination_in_use_is_refused_unchanged() {
    for (from, to) in moves().await {
        site(&from, 2).await;
        let used = async |wanted: &str| {
            let refused = SiteCopy::open(&from.address, &to.address).await.err().unwrap();
            assert!(matches!(refused, CopyError::Used { .. }), "{refused}");
            assert!(refused.to_string().contains(wanted), "{refused}");
        };
        let store = open(&to).await;
        store.create(new_game("other")).await.unwrap();
        used("the game other, which the source lacks").await;
        store.purge(zorkmid::store::Purge { before: 9_000, limit: 9 }).await.unwrap();
        let done = copy(&from, &to).await;
        done.write(&mut |_| {}).await.unwrap();
        done.close().await;
        store.append(move_at("g0000", 2, "e7e5")).await.unwrap();
        used("game g0000 has a later version").await;
        assert_eq!(store.load("g0000").await.unwrap().unwrap().lines.len(), 3);
        store.record_heartbeat(9_000).await.unwrap();
        used("a server has run on it").await;
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn destination_of_an_older_release_is_refused_unchanged() {
    for (from, to) in moves().await {
        site(&from, 1).await;
        open(&to).await.close().await;
        let mut db = connect(&to).await;
        db.execute("DELETE FROM _sqlx_migrations WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)")
            .await
            .unwrap();
        let count = "SELECT COUNT(*) FROM _sqlx_migrations";
        let before: i64 = query_scalar(count).fetch_one(&mut db).await.unwrap();
        let refused = SiteCopy::open(&from.address, &to.address).await.err().unwrap();
        assert!(matches!(refused, CopyError::Used { .. }), "{refused}");
        assert_eq!(query_scalar::<_, i64>(count).fetch_one(&mut db).await.unwrap(), before);
        db.close().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn invalid_source_is_refused() {
    let (from, to) = (sqlite(), sqlite());
    let refused = async |wanted: &str| {
        let refused = SiteCopy::open(&from.address, &to.address).await.err().unwrap().to_string();
        assert!(refused.contains(wanted), "{refused}");
        assert!(!std::path::Path::new(&to.address).exists(), "{refused}");
    };
    refused("the file does not exist").await;
    std::fs::write(&from.address, "").unwrap();
    refused("not a database of this program").await;
    std::fs::write(&from.address, "no database at all ".repeat(500)).unwrap();
    refused("not a readable SQLite database").await;
    std::fs::remove_file(&from.address).unwrap();
    site(&from, 1).await;
    let mut db = connect(&from).await;
    db.execute("UPDATE _sqlx_migrations SET version = 99 WHERE version = (SELECT MAX(version) FROM _sqlx_migrations)")
        .await
        .unwrap();
    refused("has schema 99").await;
    db.execute("DELETE FROM _sqlx_migrations WHERE version = 99").await.unwrap();
    refused("start the server of this release there once").await;
    db.close().await.unwrap();
    let same = SiteCopy::open(&from.address, &format!("sqlite:{}", from.address)).await.err().unwrap();
    assert!(matches!(same, CopyError::Same(_)), "{same}");
}
