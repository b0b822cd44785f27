//! What the layers around every answer cost, and what a Bookie page costs: requests per second against constant handlers,
//! interleaved in one process, the median of five rounds. The load comes from `wrk`.
#![allow(clippy::disallowed_methods, reason = "a measurement makes a generator and waits")]

mod load;

use load::{median, rate};

use axum::{Router, body::Bytes, http::header, routing::get};
use rand::{SeedableRng, rngs::StdRng};
use std::{net::SocketAddr, sync::Arc};
use tokio::net::TcpListener;
use zorkmid::{
    play::Play,
    store::Store,
    web::{self, App, Limits, Options, around},
};

const ROUNDS: usize = 5;
/// A position's code that every installation understands.
const CODE: &str = "Zd1aCM0brdq_5f2vgW5roAFaAx2ia5TlB5qTAYWVo8wmUi49xds5_wF_OOdC70iy";

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let [bare, site] = runtime.block_on(async { [serve(false).await, serve(true).await] });
    let page = format!("/bookie/{CODE}");
    let asked = [(bare, "/constant"), (site, "/constant"), (site, page.as_str())];
    let mut rates: [Vec<f64>; 3] = Default::default();
    for round in 0..=ROUNDS {
        for (rates, (address, path)) in rates.iter_mut().zip(asked) {
            let rate = rate(address, path, None);
            // The first round warms up.
            if round > 0 {
                rates.push(rate);
            }
        }
    }
    let ratio = |own: &[f64], control: &[f64]| {
        median(&mut own.iter().zip(control).map(|(own, control)| own / control).collect::<Vec<f64>>())
    };
    let (layers, bookie) = (ratio(&rates[1], &rates[0]), ratio(&rates[2], &rates[1]));
    let [bare, layered, hidden] = rates.map(|mut rates| median(&mut rates));
    println!("a constant answer without layers   {bare:>8.0} /s");
    println!("the same within the site's layers  {layered:>8.0} /s   {layers:.2}   0.70 is wanted");
    println!(
        "/bookie/{{code}}                     {hidden:>8.0} /s   {bookie:.2}   0.30 is wanted, of the layered one"
    );
}

async fn serve(layers: bool) -> SocketAddr {
    let folder = tempfile::tempdir().expect("a folder").keep();
    let store = Store::open(&folder.join("games.db").display().to_string()).await.expect("a store");
    let play = Play::new(StdRng::seed_from_u64(1), store, || 0);
    // A rate that nobody reaches: its counting is part of the layers.
    let app = App::new(Options { rate: 10_000_000, ..Options::default() }, play, Arc::default());
    let body = Bytes::from(vec![b'x'; 9_652]);
    let constant = move || async move { ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], body) };
    let routes = Router::new().route("/constant", get(constant));
    let router = if layers {
        around(app.clone(), Router::new(), routes.route("/bookie/{code}", get(web::bookie::hidden)))
    } else {
        routes.with_state(app.clone())
    };
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(web::serve(listener, router, Limits::default(), app.closing.clone()));
    address
}
