//! Cost of the middleware around every answer, and of a Bookie page: requests per second against constant handlers, interleaved in one
//! process, the median of five rounds. Then the cost of a long game's page against a new game's page. The load comes from `wrk`.

use crate::{
    load::{median, rate},
    site,
    spent::spent,
};

use axum::{Router, body::Bytes, http::header, routing::get};
use rand::{SeedableRng, rngs::StdRng};
use std::{net::SocketAddr, sync::Arc};
use zorkmid::{
    bots::Bot,
    game::Clocks,
    play::{Play, Token},
    registry,
    rules::{Actor, Seat, Turn},
    store::{Holder, NewGame, NewLine, NewSeat, Store},
    variants::bookie::Code,
    web::{self, App, with_layers},
};

const ROUNDS: usize = 5;
/// Number of codes decoded to time the decoding.
const DECODED: u32 = 100_000;
/// Code of a position that every installation can decode.
const CODE: &str = "Zd1aCM0brdq_5f2vgW5roAFaAx2ia5TlB5qTAYWVo8wmUi49xds5_wF_OOdC70iy";

/// Variants whose pages are compared at two game lengths.
const GAMES: [&str; 2] = ["chess", "bidding"];
/// Numbers of steps of a new game and of a long one.
const LENGTHS: [usize; 2] = [3, 300];

pub(crate) fn run() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    layers(&runtime);
    runtime.block_on(lengths());
}

/// Measures the middleware, and a Bookie page behind it.
fn layers(runtime: &tokio::runtime::Runtime) {
    let [bare, site] = runtime.block_on(async { [serve(false).await, serve(true).await] });
    let page = format!("/bookie/{CODE}");
    let asked = [(bare, "/constant"), (site, "/constant"), (site, page.as_str())];
    let mut rates: [Vec<f64>; 3] = Default::default();
    for round in 0..=ROUNDS {
        for (rates, (address, path)) in rates.iter_mut().zip(asked) {
            let rate = rate(address, path, None);
            // The first round is a warm-up.
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
    println!("constant answer without middleware  {bare:>8.0} /s");
    println!("constant answer with middleware     {layered:>8.0} /s   {layers:.2}   target: 0.70");
    println!(
        "/bookie/{{code}}                      {hidden:>8.0} /s   {bookie:.2}   target: 0.30 of the answer with middleware"
    );
    let start = spent();
    for _ in 0..DECODED {
        std::hint::black_box(std::hint::black_box(CODE).parse::<Code>().expect("a code").open());
    }
    let decoding = (spent() - start).as_secs_f64() / f64::from(DECODED);
    // The decoding took at most one whole processor.
    println!("page with decoding against page without    at least {:.3}   target: 0.93", 1.0 - decoding * hidden);
}

/// Measures the pages of short and long games, for a viewer who holds both seats and is to move.
async fn lengths() {
    let folder = tempfile::tempdir().expect("a folder").keep();
    let store = Store::open(&folder.join("games.db").display().to_string()).await.expect("a store");
    for key in GAMES {
        let lines = long(key, LENGTHS[1]);
        for length in LENGTHS {
            store.create(game(key, &format!("{key}{length}"), &lines[..length])).await.expect("a new game");
        }
    }
    let app = App::new(site::options(), Play::new(StdRng::seed_from_u64(1), store, || 0), Arc::default());
    let address = site::serve(&app, web::router(app.clone())).await;
    for key in GAMES {
        let pages = LENGTHS.map(|length| {
            let script = folder.join(format!("{key}{length}.lua"));
            let [one, two] = Seat::BOTH.map(|seat| token(&format!("{key}{length}"), seat));
            let cookie = format!("wrk.headers[\"Cookie\"] = \"seat-{key}{length}={one}.{two}\"\n");
            std::fs::write(&script, cookie).expect("a script");
            (format!("/games/{key}{length}"), script.display().to_string())
        });
        let mut rates: [Vec<f64>; 2] = Default::default();
        for round in 0..=ROUNDS {
            for (rates, (path, script)) in rates.iter_mut().zip(&pages) {
                let (path, script) = (path.clone(), script.clone());
                let rate = tokio::task::spawn_blocking(move || rate(address, &path, Some(&script)));
                let rate = rate.await.expect("a rate");
                if round > 0 {
                    rates.push(rate);
                }
            }
        }
        let [short, long] = rates.map(|mut rates| median(&mut rates));
        println!(
            "{key} at ply {} and at ply {}: {short:>6.0} /s and {long:>6.0} /s   {:.2} times the cost   limit: 1.5",
            LENGTHS[0],
            LENGTHS[1],
            short / long
        );
    }
}

/// Lines of the first random game that goes on after this number of steps.
pub(crate) fn long(key: &str, length: usize) -> Vec<NewLine> {
    let variant = registry::find(key).expect("a variant");
    for seed in 0.. {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut game = variant.begin(&variant.defaults(), Clocks::new([None; 2])).expect("a game");
        let mut lines = Vec::new();
        while game.ply() < length && game.outcome().is_none() {
            let (actor, text) = match (game.turn(), game.awaits().first()) {
                (Turn::Chance, _) => (Actor::Chance, game.chance(&mut rng)),
                (_, Some(seat)) => (Actor::Seat(*seat), game.advise(*seat, Bot::Random, &mut rng, &mut || true)),
                (_, None) => break,
            };
            let line = game.act(actor, &text.expect("an available action"), 0).expect("an action");
            lines.push(NewLine { actor: line.actor.to_string(), text: line.text, time: 0 });
        }
        if game.ply() == length && game.outcome().is_none() {
            return lines;
        }
    }
    unreachable!("some seed gives a long game")
}

/// Token of a seat.
fn token(id: &str, seat: Seat) -> String {
    format!("{:A<22}", format!("{id}{seat}"))
}

/// A pass-and-play game with these steps played.
pub(crate) fn game(key: &str, id: &str, lines: &[NewLine]) -> NewGame {
    let variant = registry::find(key).expect("a variant");
    let holder = |seat| token(id, seat).parse().map(|token: Token| Holder::Token(token.digest()));
    NewGame {
        id: id.to_owned(),
        variant: key.to_owned(),
        rules_version: 1,
        options: serde_json::Value::Object(variant.defaults()).to_string(),
        created: 0,
        clock: None,
        opponent: "self".to_owned(),
        rematch_of: None,
        open: false,
        public: false,
        lines: lines.to_vec(),
        ply: lines.len() as i64,
        due: None,
        bot: None,
        seats: Seat::BOTH
            .map(|seat| NewSeat {
                seat: seat.name().to_owned(),
                holder: holder(seat).expect("a token"),
                name: None,
                owner: None,
            })
            .into(),
    }
}

async fn serve(layers: bool) -> SocketAddr {
    let folder = tempfile::tempdir().expect("a folder").keep();
    let store = Store::open(&folder.join("games.db").display().to_string()).await.expect("a store");
    let play = Play::new(StdRng::seed_from_u64(1), store, || 0);
    let app = App::new(site::options(), play, Arc::default());
    let body = Bytes::from(vec![b'x'; 9_652]);
    let constant = move || async move { ([(header::CONTENT_TYPE, "text/html; charset=utf-8")], body) };
    let routes = Router::new().route("/constant", get(constant));
    let router = if layers {
        with_layers(app.clone(), Router::new(), routes.route("/bookie/{code}", get(web::bookie::hidden)))
    } else {
        routes.with_state(app.clone())
    };
    site::serve(&app, router).await
}
