//! Positions per second of `POST /api/richman` with a FEN on every line. The control is a handler with the same middleware that reads the same
//! body and answers with the same number of bytes. Interleaved in one process, client and server together; the median of five rounds.

use crate::{load::median, richman_http::spread, site};

use axum::{Router, body::Bytes, extract::Request, http::header, routing::post};
use futures_util::StreamExt;
use rand::{SeedableRng, rngs::StdRng};
use std::{net::SocketAddr, sync::Arc, time::Instant};
use zorkmid::{
    board::Size,
    play::Play,
    richman::Tables,
    store::Store,
    web::{App, endgames::api, with_layers},
};

const ROUNDS: usize = 5;
/// Maximum number of positions per request.
const LINES: usize = 100_000;
/// Target in positions per second.
const REACH: f64 = 50_000.0;

pub(crate) fn run() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(measure());
}

async fn measure() {
    let tables = Arc::new(Tables::default());
    let table = tables.solve(Size::ORTHODOX).expect("the ordinary board is solved");
    let asked = Bytes::from(spread(&table, LINES).join("\n"));
    let address = serve(tables.clone(), None).await;
    // Not counted: the first round generates all moves and formats all values once.
    let told = ask(address, asked.clone()).await.1;
    assert_eq!(told.iter().filter(|byte| **byte == b'\n').count(), LINES, "one line for every position");
    let control = serve(tables, Some(told.clone())).await;
    let mut rates: [Vec<f64>; 2] = Default::default();
    for _ in 0..ROUNDS {
        for (rates, address) in rates.iter_mut().zip([control, address]) {
            rates.push(LINES as f64 / ask(address, asked.clone()).await.0);
        }
    }
    println!("{LINES} positions of all materials, {} bytes of request and {} of answer", asked.len(), told.len());
    println!("  constant handler     {:>9.0} /s", median(&mut rates[0]));
    println!("  POST /api/richman    {:>9.0} /s   target: {REACH:.0}", median(&mut rates[1]));
}

/// Sends the request and returns the seconds until the whole answer has arrived.
async fn ask(address: SocketAddr, body: Bytes) -> (f64, Bytes) {
    let begun = Instant::now();
    let request = reqwest::Client::new()
        .post(format!("http://{address}/api/richman"))
        .header("content-type", "application/x-ndjson")
        .body(body);
    let answer = request.send().await.expect("an answer").error_for_status().expect("a good one");
    let told = answer.bytes().await.expect("the whole of it");
    (begun.elapsed().as_secs_f64(), told)
}

/// A server with the real handler and a constant one.
async fn serve(tables: Arc<Tables>, constant: Option<Bytes>) -> SocketAddr {
    let folder = tempfile::tempdir().expect("a folder").keep();
    let store = Store::open(&folder.join("games.db").display().to_string()).await.expect("a store");
    let play = Play::new(StdRng::seed_from_u64(1), store, || 0);
    let app = App::new(site::options(), play, tables);
    let answer = match constant {
        None => post(api::values),
        Some(told) => post(async move |request: Request| {
            let mut body = request.into_body().into_data_stream();
            while body.next().await.is_some() {}
            ([(header::CONTENT_TYPE, "application/x-ndjson")], told)
        }),
    };
    let router = with_layers(app.clone(), Router::new().route("/api/richman", answer), Router::new());
    site::serve(&app, router).await
}
