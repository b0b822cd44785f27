//! Tests of the store on SQLite, and on PostgreSQL where one is given: an acknowledged line stays, once, in its slot.
#![allow(clippy::disallowed_methods, reason = "tests have deadlines, and read settings from the environment")]

mod chairs;
mod conditional_moves;
mod copying;
mod crew;
mod grouping;
mod kill;
mod lines;
mod lists;
#[path = "../support/often.rs"]
mod often;
#[path = "../support/tools.rs"]
mod tools;
mod opening;
mod outbox;
mod place;
mod owners;
mod purge;
mod puzzles;
mod queue;
mod reviews;
mod tls;

use std::sync::atomic::{AtomicU64, Ordering};
use zorkmid::store::{Append, Digest, Holder, NewGame, NewLine, NewSeat, Receipt, Store};

/// A fresh database for a test, deleted afterwards.
struct Ground {
    address: String,
    _folder: tempfile::TempDir,
}

/// An SQLite file, and a new schema in the PostgreSQL database named by `ZORKMID_TEST_POSTGRES`.
async fn grounds() -> Vec<Ground> {
    let mut grounds = vec![sqlite()];
    if let Some(url) = tools::named("ZORKMID_TEST_POSTGRES") {
        grounds.push(postgres(&url).await);
    }
    grounds
}

fn sqlite() -> Ground {
    let folder = tempfile::tempdir().unwrap();
    let address = folder.path().join("games.db").to_str().unwrap().to_owned();
    Ground { address, _folder: folder }
}

async fn postgres(url: &str) -> Ground {
    use sqlx::{AssertSqlSafe, Connection, Executor};
    static SCHEMAS: AtomicU64 = AtomicU64::new(0);
    let schema = format!("z{}_{}", std::process::id(), SCHEMAS.fetch_add(1, Ordering::Relaxed));
    let mut db = sqlx::PgConnection::connect(url).await.unwrap();
    db.execute(AssertSqlSafe(format!("DROP SCHEMA IF EXISTS {schema} CASCADE; CREATE SCHEMA {schema}"))).await.unwrap();
    db.close().await.unwrap();
    let join = if url.contains('?') { '&' } else { '?' };
    Ground { address: format!("{url}{join}options[search_path]={schema}"), _folder: tempfile::tempdir().unwrap() }
}

fn new_game(id: &str) -> NewGame {
    NewGame {
        id: id.to_owned(),
        variant: "bookie".to_owned(),
        rules_version: 1,
        options: "{}".to_owned(),
        created: 1_000,
        clock: None,
        opponent: "link".to_owned(),
        rematch_of: None,
        open: false,
        public: false,
        lines: vec![],
        ply: 0,
        due: None,
        bot: None,
        seats: vec![
            NewSeat {
                seat: "one".to_owned(),
                holder: Holder::Token(token(id)),
                name: Some("Ada".to_owned()),
                owner: None,
            },
            NewSeat { seat: "two".to_owned(), holder: Holder::Invite(code(id)), name: None, owner: None },
        ],
    }
}

fn token(id: &str) -> Digest {
    Digest::of(&format!("token of {id}"))
}

fn code(id: &str) -> Digest {
    Digest::of(&format!("code of {id}"))
}

fn entry(text: &str) -> NewLine {
    NewLine { actor: "one".to_owned(), text: text.to_owned(), time: 2_000 }
}

/// An append of one line, which is one step, at a slot.
fn move_at(game: &str, at: i64, text: &str) -> Append {
    Append {
        game: game.to_owned(),
        at,
        lines: vec![entry(text)],
        ply: at + 1,
        due: None,
        bot: None,
        over: None,
        receipt: None,
    }
}

fn receipt(seat: &str, key: &str, outcome: &str) -> Option<Receipt> {
    Some(Receipt { seat: seat.to_owned(), key: key.to_owned(), outcome: outcome.to_owned() })
}

async fn open(ground: &Ground) -> Store {
    Store::open(&ground.address).await.unwrap()
}
