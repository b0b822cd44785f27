//! Requests per second of `/api/richman` for four-piece positions, against a constant handler as in `richman_http.rs`, and the memory of the tables
//! before the first request.
//!
//! The argument is the folder of the tables. Without it, rook and bishop against the bare king are solved. The small set of positions fits the
//! cache of answers. The large one does not, and reads from all parts of all files.

use crate::{
    process::Process,
    richman_http::{measure, serve},
    site,
};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::Value;
use std::{convert::Infallible, fs, os::unix::fs::symlink, path::Path, sync::Arc, thread, time::Duration};
use tokio::runtime::Runtime;
use zorkmid::{
    board::Size,
    play::Play,
    richman::{FourFiles, FourPieceMaterial, FourTable, Numbering, Table, Tables, file_of, read, rules, solve_four},
    store::Store,
    web::App,
};

/// Limit in megabytes that the tables may add before the first request.
const ROOM: u64 = 64;
/// Number of answers whose mean length is taken: twenty from each of thirty tables.
const SOME: usize = 600;

pub(crate) fn run(options: &[String]) {
    let runtime = Runtime::new().expect("threads");
    let (own, empty) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let three = Tables::default().solve(Size::ORTHODOX).expect("the ordinary board is solved");
    let folder = options.first().map_or(own.path(), Path::new);
    if options.is_empty() {
        solve(&three, folder);
    }
    let [without, with] = [empty.path(), folder].map(|folder| runtime.block_on(resident(folder)));
    println!(
        "{} four-piece tables add {} KiB to {without} KiB; limit: {ROOM} MB",
        pairs(folder).len(),
        with.saturating_sub(without)
    );
    let app = runtime.block_on(app(folder));
    for (name, count) in [("positions, cached answers", 2_000), ("positions, uncached answers", 200_000)] {
        let fens = drawn(folder, count);
        let length = runtime.block_on(mean(&app, &fens));
        println!("{count} {name}, {length} bytes each");
        measure(runtime.block_on(serve(&app, length)), &fens);
    }
}

fn pairs(folder: &Path) -> Vec<FourPieceMaterial> {
    FourFiles::new(folder.to_owned()).pairs()
}

fn solve(three: &Table, folder: &Path) {
    let none = |pair: FourPieceMaterial| -> Result<FourTable, Infallible> { panic!("{pair} is not needed") };
    let Ok(table) = solve_four("KRBvK".parse().expect("a pair"), three, &mut { none }, &mut |_| ());
    table.write(&mut fs::File::create(file_of(folder, table.pair)).expect("a file")).expect("room");
}

/// Memory in KiB of a server with these tables, once it is ready and lists them.
async fn resident(tables: &Path) -> u64 {
    let data = tempfile::tempdir().expect("a folder");
    symlink(tables.canonicalize().expect("a folder"), data.path().join("endgames")).expect("a link");
    let process = Process::on(None, data.path());
    let ready = async || {
        let status: Value = serde_json::from_str(&text(&process.address, "/api/richman/status").await).expect("JSON");
        status["tables"].as_array().expect("tables").iter().all(|table| table["state"] == "ready")
    };
    while !ready().await {
        thread::sleep(Duration::from_millis(100));
    }
    // Further preparation after the tables are ready takes some seconds.
    thread::sleep(Duration::from_secs(10));
    process.memory()
}

async fn text(address: &str, path: &str) -> String {
    let answer =
        reqwest::get(format!("http://{}{path}", address.trim_start_matches("http://"))).await.expect("an answer");
    answer.text().await.expect("text")
}

/// Random placements, the same number from every table of a folder.
fn drawn(folder: &Path, count: usize) -> Vec<String> {
    let (mut chance, board) = (StdRng::seed_from_u64(21), rules(Size::ORTHODOX));
    let tables: Vec<(FourPieceMaterial, Numbering)> =
        pairs(folder).into_iter().map(|pair| (pair, Numbering::new(pair))).collect();
    let fen = |number: usize| {
        let (pair, numbering) = &tables[number % tables.len()];
        loop {
            let quad = numbering.quad(chance.random_range(0..numbering.len()));
            let squares = [quad.king, quad.bare, quad.first, quad.second];
            if quad.stepped.is_some() || (1..4).any(|at| squares[..at].contains(&squares[at])) {
                continue;
            }
            // Some placements of pawns are not legal positions.
            let fen = board.placement_fen(&quad.position(board, *pair));
            if read(&fen).is_ok_and(|question| question.is_of_four()) {
                break fen;
            }
        }
    };
    (0..count).map(fen).collect()
}

/// Mean length of the first answers from every table, which also opens each table.
async fn mean(app: &Arc<App>, fens: &[String]) -> usize {
    let (address, mut length, some) = (serve(app, 1).await.to_string(), 0, &fens[..SOME]);
    for fen in some {
        length += text(&address, &format!("/api/richman?fen={fen}")).await.len();
    }
    length / some.len()
}

/// A site with these tables, once the three-piece tables are ready.
async fn app(folder: &Path) -> Arc<App> {
    let games = tempfile::tempdir().expect("a folder").keep();
    let store = Store::open(&games.join("games.db").display().to_string()).await.expect("a store");
    let play = Play::new(StdRng::seed_from_u64(1), store, || 0);
    let tables = Arc::new(Tables::with_four(FourFiles::new(folder.to_owned())));
    let app = App::new(site::options(), play, tables);
    app.endgames.prepare().expect("the gallery");
    app
}
