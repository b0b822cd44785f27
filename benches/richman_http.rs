//! Requests per second of `/api/richman` over many different positions, against a constant handler with the same middleware and answer size;
//! interleaved in one process, the median of five rounds. The load comes from `wrk`.
//!
//! One run covers a few thousand positions, whose answers are cached. Another covers enough positions that hardly any repeats. The last line is
//! the memory of this process, including the client's requests.

use crate::{
    load::{median, rate},
    process::resident,
    site,
};

use axum::{Router, http::header, routing::get};
use rand::{SeedableRng, rngs::StdRng};
use std::{fmt::Write, net::SocketAddr, sync::Arc};
use zorkmid::{
    board::{Color, Size},
    play::Play,
    richman::{Table, Tables, read, rules},
    store::Store,
    web::{App, endgames::api, with_layers},
};

const ROUNDS: usize = 5;
/// Target ratio.
const REACH: f64 = 0.60;
/// Limit in megabytes.
const ROOM: usize = 96;

pub(crate) fn run() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let tables = Arc::new(Tables::default());
    let table = tables.solve(Size::ORTHODOX).expect("the ordinary board is solved");
    let app = runtime.block_on(app(tables));
    for (name, count) in [("positions, cached answers", 4_000), ("positions, uncached answers", 60_000)] {
        let fens = spread(&table, count);
        println!("{count} {name}");
        measure(runtime.block_on(serve(&app, mean(&table, &fens))), &fens);
    }
    println!("{} KiB resident; limit: {ROOM} MB", resident("self"));
}

/// Requests all positions in turn, and the constant handler equally often, and prints both rates.
pub(crate) fn measure(address: SocketAddr, fens: &[String]) {
    let folder = tempfile::tempdir().expect("a folder");
    let script = |route: &str| {
        let file = folder.path().join(route);
        let mut text = "local paths = {\n".to_owned();
        for fen in fens {
            writeln!(text, "\"/api/{route}?fen={fen}\",").expect("text");
        }
        text.push_str(
            "}\nlocal at = 0\nrequest = function()\nat = at % #paths + 1\nreturn wrk.format(\"GET\", paths[at])\nend\n",
        );
        std::fs::write(&file, text).expect("a script");
        file.display().to_string()
    };
    let (constant, values) = (script("constant"), script("richman"));
    let load = |script: &str| rate(address, "", Some(script));
    // The first round warms up the connections and is not counted.
    load(&constant);
    let mut rates: [Vec<f64>; 2] = Default::default();
    for _ in 0..ROUNDS {
        rates[0].push(load(&constant));
        rates[1].push(load(&values));
    }
    let mut ratios: Vec<f64> = rates[1].iter().zip(&rates[0]).map(|(own, control)| own / control).collect();
    println!("  constant handler     {:>8.0} /s", median(&mut rates[0]));
    println!("  /api/richman         {:>8.0} /s", median(&mut rates[1]));
    println!("  ratio                {:>8.2}   target: {REACH:.2}", median(&mut ratios));
}

/// Placements spread over all materials, the extra piece on either side.
pub(crate) fn spread(table: &Table, count: usize) -> Vec<String> {
    let board = rules(table.size());
    let all: Vec<_> =
        table.index().layers().iter().flat_map(|layer| layer.ids.clone().map(move |id| (layer, id))).collect();
    let fen = |number: usize| {
        let (layer, id) = all[number * all.len() / count];
        let fen = board.placement_fen(&table.index().setup(layer, id).position(board, Color::White));
        if number.is_multiple_of(2) {
            return fen;
        }
        let other = |letter: char| {
            if letter.is_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
        };
        fen.split('/').rev().map(|row| row.chars().map(other).collect()).collect::<Vec<String>>().join("/")
    };
    (0..count).map(fen).collect()
}

/// Mean length of the answers.
fn mean(table: &Table, fens: &[String]) -> usize {
    let some: Vec<&String> = fens.iter().step_by(1 + fens.len() / 2000).collect();
    let length = |fen: &&String| {
        let answer = read(fen).expect("a FEN of the table's own").answer(table);
        serde_json::to_vec(&answer).expect("JSON").len()
    };
    some.iter().map(length).sum::<usize>() / some.len()
}

/// A site whose tables are ready.
async fn app(tables: Arc<Tables>) -> Arc<App> {
    let folder = tempfile::tempdir().expect("a folder").keep();
    let store = Store::open(&folder.join("games.db").display().to_string()).await.expect("a store");
    let play = Play::new(StdRng::seed_from_u64(1), store, || 0);
    let app = App::new(site::options(), play, tables);
    app.endgames.prepare().expect("the gallery");
    app
}

/// A constant answer of a given size, and the site's handler.
pub(crate) async fn serve(app: &Arc<App>, length: usize) -> SocketAddr {
    let body = axum::body::Bytes::from(vec![b'x'; length]);
    let tag = header::HeaderValue::from_static("W/\"0123456789abcdef0123456789abcdef\"");
    let constant = move || async move {
        let about = [
            (header::ETAG, tag),
            (header::CACHE_CONTROL, header::HeaderValue::from_static("public, max-age=86400")),
            (header::CONTENT_TYPE, header::HeaderValue::from_static("application/json")),
        ];
        (about, body)
    };
    let routes = Router::new().route("/api/constant", get(constant)).route("/api/richman", get(api::value));
    let router = with_layers(app.clone(), routes, Router::new());
    site::serve(app, router).await
}
