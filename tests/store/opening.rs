//! Opening a store: concurrent, repeated, and of databases that are too new, foreign, damaged or missing.

use super::*;
use sqlx::{Connection, Executor};
use zorkmid::store::{BotSearch, GameEnd, Handover, Measurement, NewOwner, PendingBot, StoreError};

#[tokio::test(flavor = "multi_thread")]
async fn two_concurrent_opens_succeed() {
    for ground in grounds().await {
        let mut openers = tokio::task::JoinSet::new();
        for n in 0..4 {
            let address = ground.address.clone();
            openers.spawn(async move {
                let store = Store::open(&address).await.unwrap();
                store.create(new_game(&format!("g{n}"))).await.unwrap();
                store
            });
        }
        let stores = openers.join_all().await;
        for store in &stores {
            for n in 0..4 {
                assert!(store.load(&format!("g{n}")).await.unwrap().is_some());
            }
        }
        for store in stores {
            store.close().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn folder_is_created_and_store_reopens() {
    let ground = sqlite();
    let nested = format!("{}.d/deep/games.db", ground.address);
    let store = Store::open(&format!("sqlite:{nested}")).await.unwrap();
    store.create(new_game("g")).await.unwrap();
    store.close().await;
    let store = Store::open(&nested).await.unwrap();
    assert!(store.load("g").await.unwrap().is_some());
    store.close().await;
}

/// Runs SQL directly on the database.
async fn tamper(ground: &Ground, sql: &'static str) {
    let mut db = connect(ground).await;
    db.execute(sql).await.unwrap();
    db.close().await.unwrap();
}

pub(super) async fn connect(ground: &Ground) -> sqlx::AnyConnection {
    sqlx::any::install_default_drivers();
    let url = match ground.address.contains("://") {
        true => ground.address.clone(),
        false => format!("sqlite://{}?mode=rwc", ground.address),
    };
    sqlx::AnyConnection::connect(&url).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn newer_database_is_refused_unchanged() {
    for ground in grounds().await {
        let store = open(&ground).await;
        store.create(new_game("g")).await.unwrap();
        store.close().await;
        tamper(&ground, "UPDATE _sqlx_migrations SET version = 9999 WHERE version = 1").await;
        let error = Store::open(&ground.address).await.err().unwrap();
        assert!(matches!(error, StoreError::Newer { found: 9999, .. }), "{error}");
        assert!(error.to_string().contains("start the newer program"), "{error}");
        let mut db = connect(&ground).await;
        let versions: Vec<i64> = sqlx::query_scalar("SELECT version FROM _sqlx_migrations ORDER BY version")
            .fetch_all(&mut db)
            .await
            .unwrap();
        assert_eq!(versions, [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 9999]);
        db.close().await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn older_database_is_migrated() {
    for ground in grounds().await {
        // The oldest possible database: the list of migrations, and none applied.
        let store = open(&ground).await;
        store.close().await;
        let tables = "DROP TABLE conditional_moves; DROP TABLE outbox_key; DROP TABLE outbox; DROP TABLE puzzle; DROP TABLE signer; DROP TABLE notice; DROP TABLE owner; DROP TABLE review; DROP TABLE process; DROP TABLE measured; DROP TABLE probe; DROP TABLE receipt; DROP TABLE seat; DROP TABLE line; DROP TABLE game; \
             DELETE FROM _sqlx_migrations";
        tamper(&ground, tables).await;
        let store = open(&ground).await;
        store.create(new_game("g")).await.unwrap();
        store.create(NewGame { created: 999, ..new_game("over") }).await.unwrap();
        let over = Some(GameEnd { result: "draw: agreed".to_owned(), time: 3_000 });
        store.append(Append { over, ..move_at("over", 0, "draw") }).await.unwrap();
        store.close().await;
        // A database with games, from the previous release.
        let since = "DROP INDEX game_ended; DROP INDEX seat_expires; ALTER TABLE seat DROP COLUMN expires; ALTER TABLE seat DROP COLUMN declined; DROP TABLE conditional_moves; DROP INDEX game_seeking; ALTER TABLE game DROP COLUMN seeking; ALTER TABLE game DROP COLUMN rules_version; DROP TABLE outbox_key; DROP TABLE outbox; ALTER TABLE game DROP COLUMN notified; DROP TABLE puzzle; DROP TABLE signer; DROP TABLE notice; ALTER TABLE seat DROP COLUMN noticed; DROP INDEX seat_newest; DROP INDEX seat_finished; ALTER TABLE seat DROP COLUMN created; ALTER TABLE seat DROP COLUMN finished; ALTER TABLE seat DROP COLUMN owner; DROP TABLE owner; DROP TABLE review; DROP INDEX game_touched; DROP INDEX game_shown; ALTER TABLE game DROP COLUMN public; CREATE INDEX game_running ON game (touched, id); \
             DROP TABLE process; DROP INDEX game_asked; ALTER TABLE game DROP COLUMN asked; \
             ALTER TABLE game DROP COLUMN thinker; DROP TABLE measured; DROP TABLE probe; \
             UPDATE game SET opponent = 'bot:gambler'; DELETE FROM _sqlx_migrations WHERE version > 2";
        tamper(&ground, since).await;
        let store = open(&ground).await;
        let record = store.load("g").await.unwrap().unwrap();
        assert_eq!(record.game.rules_version, 1, "a record without a version has the first version");
        store.probe().await.unwrap();
        let search = BotSearch { name: "p".to_owned(), now: 0, free: true, limit: 9 };
        assert_eq!(
            store.claim_pending_bots(search).await.unwrap(),
            [PendingBot { game: "g".to_owned(), version: 0 }],
            "waiting bots are found"
        );
        let held = store.seats_held(&[token("g"), token("over")], None, 9).await.unwrap();
        assert_eq!(held.iter().map(|held| held.game.id.as_str()).collect::<Vec<_>>(), ["g", "over"], "newest first");
        let key = Digest::of("key");
        store.begin_owner(NewOwner { key: key.clone(), time: 1 }).await.unwrap();
        for game in ["g", "over"] {
            let handover = Handover { game: game.to_owned(), token: token(game), owner: key.clone() };
            store.hand_over(handover).await.unwrap().unwrap();
        }
        let playing = store.playing(&key, None, 9).await.unwrap();
        assert_eq!(playing.iter().map(|held| held.game.id.as_str()).collect::<Vec<_>>(), ["g"]);
        let ended = store.ended(&key, 3_000, 9).await.unwrap();
        assert_eq!(ended.iter().map(|held| held.game.id.as_str()).collect::<Vec<_>>(), ["over"]);
        let results = Measurement { army: "a".to_owned(), pairs: "0 0 1 0 0".to_owned(), time: 1 };
        store.measure(results.clone()).await.unwrap();
        store.measure(Measurement { pairs: "0 0 2 0 0".to_owned(), ..results }).await.unwrap();
        store.close().await;
        let store = open(&ground).await;
        assert_eq!(store.measured("a").await.unwrap().as_deref(), Some("0 0 2 0 0"));
        assert_eq!(store.measured("b").await.unwrap(), None);
        let expected = |army: &str, time| Measurement { army: army.to_owned(), pairs: "0 0 0 0 0".to_owned(), time };
        store.begin_measuring(expected("b", 0)).await.unwrap();
        store.begin_measuring(expected("a", 2)).await.unwrap();
        let known = store.measurements().await.unwrap();
        let known: Vec<(&str, &str)> = known.iter().map(|known| (known.army.as_str(), known.pairs.as_str())).collect();
        assert_eq!(known, [("b", "0 0 0 0 0"), ("a", "0 0 2 0 0")]);
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn foreign_database_is_refused() {
    for ground in grounds().await {
        tamper(&ground, "SELECT 1").await;
        tamper(&ground, "CREATE TABLE game (x TEXT)").await;
        let error = Store::open(&ground.address).await.err().unwrap();
        assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
        assert!(error.to_string().contains("game"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn error_names_a_damaged_file() {
    let ground = sqlite();
    std::fs::write(&ground.address, "this is no database. ".repeat(500)).unwrap();
    let error = Store::open(&ground.address).await.err().unwrap();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
    assert!(error.to_string().contains("games.db"), "{error}");

    let ground = sqlite();
    let store = open(&ground).await;
    store.create(new_game("g")).await.unwrap();
    store.close().await;
    let mut bytes = std::fs::read(&ground.address).unwrap();
    bytes[100..8192].fill(0x5a);
    std::fs::write(&ground.address, bytes).unwrap();
    let error = Store::open(&ground.address).await.err().unwrap();
    assert!(matches!(error, StoreError::Corrupt { .. }), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn error_names_an_unreachable_database_without_its_password() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    std::fs::write(format!("{folder}/file"), "").unwrap();
    for at in [folder, &format!("{folder}/file/games.db"), "", "/"] {
        let error = Store::open(at).await.err().unwrap();
        assert!(matches!(error, StoreError::Unreachable { .. }), "{at}: {error}");
    }
    let error = Store::open("postgres://zork:secret@127.0.0.1:1/games").await.err().unwrap();
    assert!(matches!(error, StoreError::Unreachable { .. }), "{error}");
    assert!(!error.to_string().contains("secret"), "{error}");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn created_files_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let ground = sqlite();
    let folder = std::path::PathBuf::from(format!("{}.d/deep", ground.address));
    let file = folder.join("games.db");
    let store = Store::open(file.to_str().unwrap()).await.unwrap();
    store.create(new_game("g")).await.unwrap();
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(folder.parent().unwrap())), (0o700, 0o700));
    for end in ["", "-wal", "-shm"] {
        assert_eq!(mode(&folder.join(format!("games.db{end}"))), 0o600, "{end}");
    }
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn opening_an_existing_store_creates_nothing() {
    let ground = sqlite();
    let missing = format!("{}.d/games.db", ground.address);
    let refused = Store::open_existing(&missing).await.err().unwrap();
    assert!(matches!(&refused, StoreError::Unreachable { place, .. } if *place == missing), "{refused}");
    assert!(!std::path::Path::new(&missing).parent().unwrap().exists());
    Store::open(&ground.address).await.unwrap().close().await;
    Store::open_existing(&ground.address).await.unwrap().close().await;
}
