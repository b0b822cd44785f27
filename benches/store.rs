//! Acknowledged appends per second by 64 writers, each in a separate game, against a bare loop of one insert per commit on the same disk
//! with the same pragmas; interleaved, medians of the rounds. With `ZORKMID_TEST_POSTGRES`, it also measures that database, in the
//! schema of the address.

use crate::bare::{bare, one_by_one};

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use zorkmid::store::{Append, Digest, Holder, NewGame, NewLine, NewSeat, Receipt, Store};

const ROUNDS: u32 = 5;
const WRITERS: usize = 64;
const ROUND: Duration = Duration::from_secs(2);

pub(crate) fn run() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(measure());
}

async fn measure() {
    // Inside the build folder, because the system's temporary folder may be in memory.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder");
    let control = folder.path().join("control.db").display().to_string();
    let games = folder.path().join("games.db").display().to_string();
    let store = Store::open(&games).await.expect("a store");
    let mut bare = bare(&control).await;
    let postgres = match std::env::var("ZORKMID_TEST_POSTGRES") {
        Ok(url) => Some(Store::open(&url).await.expect("a store on PostgreSQL")),
        Err(_) => None,
    };
    let mut rates: [Vec<f64>; 4] = Default::default();
    for round in 0..ROUNDS {
        rates[0].push(one_by_one(&mut bare, ROUND).await);
        let before = store.tally();
        rates[1].push(together(&store, round, false).await);
        let after = store.tally();
        println!(
            "round {round}: {:.1} jobs per commit",
            (after.jobs - before.jobs) as f64 / (after.commits - before.commits) as f64
        );
        rates[2].push(together(&store, round, true).await);
        if let Some(postgres) = &postgres {
            rates[3].push(together(postgres, round, false).await);
        }
    }
    let [control, plain, keyed, postgres] = rates.map(median);
    println!("one insert per commit     {control:>9.0} /s   1.00");
    println!("appends                   {plain:>9.0} /s   {:.2}", plain / control);
    println!("appends with a key        {keyed:>9.0} /s   {:.2}", keyed / control);
    if postgres > 0.0 {
        println!("appends on PostgreSQL     {postgres:>9.0} /s");
    }
    store.close().await;
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates.get(rates.len() / 2).copied().unwrap_or(0.0)
}

async fn together(store: &Store, round: u32, keyed: bool) -> f64 {
    let run = format!("{}-{round}-{keyed}", std::process::id());
    let (done, stop) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicBool::new(false)));
    let mut writers = tokio::task::JoinSet::new();
    for writer in 0..WRITERS {
        let id = format!("{run}-{writer}");
        store.create(game(&id)).await.expect("a game");
        let (store, done, stop) = (store.clone(), done.clone(), stop.clone());
        writers.spawn(async move {
            for at in 0.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                store.append(line(&id, at, keyed)).await.expect("an append");
                done.fetch_add(1, Ordering::Relaxed);
            }
        });
    }
    let (start, before) = (Instant::now(), done.load(Ordering::Relaxed));
    tokio::time::sleep(ROUND).await;
    let rate = (done.load(Ordering::Relaxed) - before) as f64 / start.elapsed().as_secs_f64();
    stop.store(true, Ordering::Relaxed);
    writers.join_all().await;
    rate
}

fn game(id: &str) -> NewGame {
    NewGame {
        id: id.to_owned(),
        variant: "chess".to_owned(),
        rules_version: 1,
        options: "{}".to_owned(),
        created: 1_000,
        clock: None,
        opponent: "self".to_owned(),
        rematch_of: None,
        open: false,
        public: false,
        lines: vec![],
        ply: 0,
        due: None,
        bot: None,
        seats: vec![NewSeat { seat: "one".to_owned(), holder: Holder::Token(Digest::of(id)), name: None, owner: None }],
    }
}

fn line(id: &str, at: i64, keyed: bool) -> Append {
    Append {
        game: id.to_owned(),
        at,
        lines: vec![NewLine { actor: "one".to_owned(), text: "e2e4".to_owned(), time: 2_000 }],
        ply: at + 1,
        due: None,
        bot: None,
        over: None,
        receipt: keyed.then(|| Receipt { seat: "one".to_owned(), key: at.to_string(), outcome: String::new() }),
    }
}
