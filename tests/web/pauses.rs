//! Paused processes, by a signal or because the computer sleeps: a pause costs no player time.

use super::{
    instances::{on, schema},
    outage::{MINUTE, clocked, deadline, tables},
    program::Server,
    *,
};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicI64, Ordering};
use zorkmid::{rules::Seat, store::LineRow};

/// Clock of seat two in these games, in milliseconds.
const CLOCK: i64 = 2_000;
/// Duration of a pause.
const PAUSE: Duration = Duration::from_secs(4);

/// A game on a real server in which seat two is to move.
struct Clocked {
    id: String,
    token: String,
}

async fn post(server: &Server, path: &str, token: &str, body: Value) -> (u16, Value) {
    let request = reqwest::Client::new().post(format!("{}{path}", server.address)).json(&body);
    let request = if token.is_empty() { request } else { request.bearer_auth(token) };
    let answer = request.send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

impl Clocked {
    async fn begin(server: &Server) -> Clocked {
        let game = json!({"variant": "chess", "opponent": "self", "clock": {"initial": CLOCK / 1_000, "increment": 0}});
        let (_, begun) = post(server, "/api/games", "", game).await;
        let token = |seat: usize| begun["seats"][seat]["token"].as_str().unwrap().to_owned();
        let id = begun["id"].as_str().unwrap().to_owned();
        let first = json!({"ply": 0, "action": "e2e4"});
        assert_eq!(post(server, &format!("/api/games/{id}/actions"), &token(0), first).await.0, 200);
        Clocked { id, token: token(1) }
    }

    async fn answer(&self, server: &Server) {
        let answer = json!({"ply": 1, "action": "e7e5"});
        post(server, &format!("/api/games/{}/actions", self.id), &self.token, answer).await;
    }

    async fn record(&self, database: &str) -> Vec<LineRow> {
        let store = Store::open(database).await.unwrap();
        let kept = store.load(&self.id).await.unwrap().unwrap();
        store.close().await;
        kept.lines
    }

    /// The record once seat two has lost on time or moved.
    async fn ended(&self, database: &str) -> Vec<LineRow> {
        let flags = |lines: &[LineRow]| lines.iter().any(|line| line.text.starts_with("flag") || line.text == "e7e5");
        until("the player loses on time", async || flags(&self.record(database).await)).await;
        self.record(database).await
    }
}

/// Time given back in a record, and time used by seat two, in milliseconds.
fn given_and_used(lines: &[LineRow]) -> (i64, i64) {
    let from = |line: &LineRow| line.text.strip_prefix("resume ").map(|from| from.parse::<i64>().unwrap());
    let given = lines.iter().filter_map(|line| Some(line.time - from(line)?)).sum();
    let begun = lines.iter().find(|line| line.text == "begin").unwrap().time;
    let end = lines.iter().find(|line| line.text.starts_with("flag") || line.text == "e7e5").unwrap().time;
    (given, end - begun - given)
}

/// Pauses a server, and checks that its games get the time back.
async fn pause_costs_nothing(server: &Server, database: &str) {
    let (asked, quiet) = (Clocked::begin(server).await, Clocked::begin(server).await);
    server.signal("-STOP");
    tokio::time::sleep(PAUSE).await;
    server.signal("-CONT");
    asked.answer(server).await;
    for game in [asked, quiet] {
        let lines = game.ended(database).await;
        let (given, used) = given_and_used(&lines);
        assert!(given >= PAUSE.as_millis() as i64, "{lines:?}");
        let flagged = lines.iter().any(|line| line.text.starts_with("flag"));
        assert_eq!(used >= CLOCK, flagged, "a flag falls when the player has used the time, and only then: {lines:?}");
    }
}

#[tokio::test]
async fn pause_of_the_server_costs_no_player_time() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    pause_costs_nothing(&server, data.path().join("zorkmid.sqlite").to_str().unwrap()).await;
}

#[tokio::test]
async fn pause_of_the_only_server_on_postgresql_costs_no_player_time() {
    let folder = tempfile::tempdir().unwrap();
    let Some(database) = schema("paused").await else { return };
    pause_costs_nothing(&on(&database, folder.path()), &database).await;
}

#[tokio::test]
async fn clocks_run_while_another_server_is_alive() {
    let folder = tempfile::tempdir().unwrap();
    let Some(database) = schema("awake").await else { return };
    let paused = on(&database, &folder.path().join("paused"));
    let awake = on(&database, &folder.path().join("awake"));
    let game = Clocked::begin(&paused).await;
    paused.signal("-STOP");
    tokio::time::sleep(PAUSE).await;
    paused.signal("-CONT");
    game.answer(&paused).await;
    let lines = game.ended(&database).await;
    assert!(lines.iter().all(|line| !line.text.starts_with("resume")), "{lines:?}");
    assert!(lines.iter().any(|line| line.text.starts_with("flag")), "{lines:?}");
    drop(awake);
}

#[tokio::test]
async fn first_move_after_a_pause_loses_no_time() {
    let (store, clock) = (store(), Arc::new(AtomicI64::new(1_000 * MINUTE)));
    let play = tables(&store, &clock);
    let id = clocked(&play).await;
    play.heartbeat().await.unwrap();
    clock.fetch_add(10 * MINUTE, Ordering::Relaxed);
    play.act(&id, Seat::Two, Some(1), "e7e5", None).await.unwrap();
    let table = play.look(&id).await.unwrap();
    assert_eq!(table.game.clocks().view(Seat::Two).unwrap().remaining, MINUTE);
    // The background task has nothing left to give back.
    play.give_back_everywhere().await.unwrap();
    let table = play.look(&id).await.unwrap();
    assert_eq!(table.game.clocks().deadline(Seat::One), Some(play.now() + MINUTE));
}

#[tokio::test]
async fn pause_causes_no_loss_on_time() {
    let (store, clock) = (store(), Arc::new(AtomicI64::new(1_000 * MINUTE)));
    let play = tables(&store, &clock);
    let id = clocked(&play).await;
    play.heartbeat().await.unwrap();
    // A second pause begins before the first one's time has been given back in all games.
    for _ in 0..2 {
        clock.fetch_add(10 * MINUTE, Ordering::Relaxed);
        play.check_all_clocks().await.unwrap();
        assert_eq!(deadline(&play, &id).await, Some(play.now() + MINUTE));
    }
    play.give_back_everywhere().await.unwrap();
    assert_eq!(deadline(&play, &id).await, Some(play.now() + MINUTE));
    // Time with heartbeats counts for the player.
    for _ in 0..60 {
        clock.fetch_add(1_000, Ordering::Relaxed);
        play.heartbeat().await.unwrap();
    }
    play.check_all_clocks().await.unwrap();
    let table = play.look(&id).await.unwrap();
    assert_eq!(table.game.outcome().map(|outcome| outcome.reason()), Some("time"));
}

#[tokio::test]
async fn pause_that_ended_with_a_stop_is_given_back_at_startup() {
    let (store, clock) = (store(), Arc::new(AtomicI64::new(1_000 * MINUTE)));
    let play = tables(&store, &clock);
    let id = clocked(&play).await;
    play.beat().await.unwrap();
    play.heartbeat().await.unwrap();
    clock.fetch_add(10 * MINUTE, Ordering::Relaxed);
    let closing = tokio_util::sync::CancellationToken::new();
    closing.cancel();
    play.run_background_jobs(None, &closing).await;
    let next = tables(&store, &clock);
    next.wake().await.unwrap();
    next.resume().await.unwrap();
    assert_eq!(deadline(&next, &id).await, Some(next.now() + MINUTE));
}
