//! Location of the database, from the store's own source files: its name in messages, and the settings of each connection.

use sqlx::{Connection, Executor, query_scalar};
use zorkmid::store::connect::Location;

#[test]
fn server_name_omits_the_password() {
    let place = Location::parse("postgres://zork:sec@ret@db.example:5433/games?sslmode=require").unwrap();
    assert_eq!(place.name(), "postgres://db.example:5433/games");
    assert!(Location::exists("postgres://db.example/games").is_ok());
    let other = Location::parse("mysql://zork:secret@db.example/games").err().unwrap().to_string();
    assert!(!other.contains("secret"), "{other}");
}

#[tokio::test]
async fn writers_sync_to_disk_and_readers_cannot_write() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("odd name?&%20#.db");
    let place = Location::parse(file.to_str().unwrap()).unwrap();
    place.connect_once().await.unwrap().close().await.unwrap();
    let writers = place.writers(1).await.unwrap();
    assert!(file.exists());
    for (pragma, wanted) in [("PRAGMA synchronous", 2), ("PRAGMA foreign_keys", 1), ("PRAGMA busy_timeout", 5000)] {
        assert_eq!(query_scalar::<_, i64>(pragma).fetch_one(&writers).await.unwrap(), wanted, "{pragma}");
    }
    assert_eq!(query_scalar::<_, String>("PRAGMA journal_mode").fetch_one(&writers).await.unwrap(), "wal");
    let readers = place.readers(&writers, 2).await.unwrap();
    assert!(readers.execute("CREATE TABLE x (y TEXT)").await.is_err());
    let source = Location::parse(&format!("sqlite:{}", file.display())).unwrap();
    assert_eq!(source.url(), place.url());
    let source = source.read_only().await.unwrap();
    assert!(source.execute("CREATE TABLE x (y TEXT)").await.is_err());
}
