//! Server outages: clocks get the time back, and bots resume thinking afterwards.

use super::{program::Server, *};
use serde_json::{Map, json};
use std::sync::atomic::{AtomicI64, Ordering};
use zorkmid::{
    game::{Clock, Clocks},
    play::{Begin, Opponent, SeatPreference},
    rules::Seat,
};

pub(super) const MINUTE: i64 = 60_000;

/// The games of a server whose clock the test sets.
pub(super) fn tables(store: &Store, clock: &Arc<AtomicI64>) -> Play {
    let clock = clock.clone();
    Play::new(StdRng::seed_from_u64(7), store.clone(), move || clock.load(Ordering::Relaxed))
}

/// A game of chess with a minute for each side, in which White has moved and Black is to move.
pub(super) async fn clocked(play: &Play) -> String {
    let begin = Begin {
        variant: "chess".to_owned(),
        options: Map::new(),
        seat: SeatPreference::Seat(Seat::One),
        clocks: [Some(Clock::Fischer { initial: 60, increment: 0 }); 2],
        claim_days: None,
        opponent: Opponent::Own,
        name: None,
        key: None,
        owner: None,
        from: None,
    };
    let id = play.begin(begin).await.unwrap().id;
    play.act(&id, Seat::One, Some(0), "e2e4", None).await.unwrap();
    id
}

/// A server restarted ten minutes later that has not yet given any time back.
async fn ten_minutes_later(store: &Store, clock: &Arc<AtomicI64>) -> Play {
    clock.fetch_add(10 * MINUTE, Ordering::Relaxed);
    let play = tables(store, clock);
    play.wake().await.unwrap();
    play
}

pub(super) async fn deadline(play: &Play, id: &str) -> Option<i64> {
    play.look(id).await.unwrap().game.clocks().deadline(Seat::Two)
}

#[tokio::test]
async fn outage_costs_no_player_time() {
    let (store, clock) = (store(), Arc::new(AtomicI64::new(1_000 * MINUTE)));
    let mut play = tables(&store, &clock);
    let id = clocked(&play).await;
    clock.fetch_add(20_000, Ordering::Relaxed);
    play.beat().await.unwrap();
    for _ in 0..2 {
        play = ten_minutes_later(&store, &clock).await;
        play.resume().await.unwrap();
        play.check_all_clocks().await.unwrap();
        assert_eq!(deadline(&play, &id).await, Some(play.now() + 40_000), "a third of the time was used");
        // A restart without downtime gives no time back.
        let again = tables(&store, &clock);
        again.wake().await.unwrap();
        again.resume().await.unwrap();
        assert_eq!(deadline(&again, &id).await, Some(again.now() + 40_000));
    }
    // The record shows the time given back.
    let kept = store.load(&id).await.unwrap().unwrap();
    assert_eq!(kept.lines.iter().filter(|line| line.actor == "server" && line.text.starts_with("resume ")).count(), 2);
    // Time while the server runs counts for the player.
    clock.fetch_add(40_000, Ordering::Relaxed);
    play.check_all_clocks().await.unwrap();
    let table = play.look(&id).await.unwrap();
    assert_eq!(table.game.outcome().map(|outcome| outcome.reason()), Some("time"));
}

#[tokio::test]
async fn restart_costs_no_player_time() {
    let (store, clock) = (store(), Arc::new(AtomicI64::new(1_000 * MINUTE)));
    let play = tables(&store, &clock);
    let id = clocked(&play).await;
    clock.fetch_add(20_000, Ordering::Relaxed);
    play.beat().await.unwrap();
    clock.fetch_add(7_000, Ordering::Relaxed);
    let play = tables(&store, &clock);
    play.wake().await.unwrap();
    play.resume().await.unwrap();
    assert_eq!(deadline(&play, &id).await, Some(play.now() + 40_000));
}

#[tokio::test]
async fn time_without_writes_costs_no_player_time() {
    let (store, clock) = (store(), Arc::new(AtomicI64::new(1_000 * MINUTE)));
    let play = tables(&store, &clock);
    let id = clocked(&play).await;
    play.beat().await.unwrap();
    clock.fetch_add(10 * MINUTE, Ordering::Relaxed);
    // A health probe asks whether writes work again before the server itself has tried.
    store.probe().await.unwrap();
    play.resume().await.unwrap();
    play.check_all_clocks().await.unwrap();
    assert_eq!(deadline(&play, &id).await, Some(play.now() + MINUTE));
}

#[tokio::test]
async fn move_before_all_time_is_given_back_costs_nothing() {
    let (store, clock) = (store(), Arc::new(AtomicI64::new(1_000 * MINUTE)));
    let play = tables(&store, &clock);
    let id = clocked(&play).await;
    play.beat().await.unwrap();
    let play = ten_minutes_later(&store, &clock).await;
    play.act(&id, Seat::Two, Some(1), "e7e5", None).await.unwrap();
    play.resume().await.unwrap();
    let table = play.look(&id).await.unwrap();
    let left = |seat| table.game.clocks().view(seat).unwrap().remaining;
    assert_eq!((left(Seat::One), left(Seat::Two)), (MINUTE, MINUTE));
    assert_eq!(table.game.clocks().deadline(Seat::One), Some(play.now() + MINUTE), "the opponent loses no time either");
}

#[tokio::test]
async fn clock_set_back_gives_no_time() {
    let (store, clock) = (store(), Arc::new(AtomicI64::new(1_000 * MINUTE)));
    let play = tables(&store, &clock);
    let id = clocked(&play).await;
    clock.fetch_sub(10 * MINUTE, Ordering::Relaxed);
    play.act(&id, Seat::Two, Some(1), "e7e5", None).await.unwrap();
    let table = play.look(&id).await.unwrap();
    assert_eq!(table.game.clocks().view(Seat::Two).unwrap().remaining, MINUTE);
}

#[test]
fn time_is_given_back_once() {
    let mut clocks = Clocks::new([Some(Clock::Fischer { initial: 60, increment: 0 }), None]);
    clocks.begin();
    clocks.set_pending(&[Seat::One], 0);
    clocks.resume(10_000, 12_000);
    assert_eq!(clocks.deadline(Seat::One), Some(62_000));
    // A server killed while it gave time back, or a second one that started at the same moment.
    clocks.resume(10_000, 13_000);
    assert_eq!(clocks.deadline(Seat::One), Some(63_000));
}

/// Lines of a stored game, read without a server, because a request would make it act.
async fn lines(data: &std::path::Path, id: &str) -> Vec<(String, String)> {
    let store = Store::open(data.join("zorkmid.sqlite").to_str().unwrap()).await.unwrap();
    let kept = store.load(id).await.unwrap().unwrap();
    store.close().await;
    kept.lines.into_iter().map(|line| (line.actor, line.text)).collect()
}

#[tokio::test]
async fn bot_resumes_thinking_without_viewers() {
    let data = tempfile::tempdir().unwrap();
    let mut server = Server::start(data.path());
    let client = reqwest::Client::new();
    let game = json!({"variant": "chess", "opponent": "bot:deep", "seat": "one"});
    let mut waits = None;
    while waits.is_none() {
        let begun = client.post(format!("{}/api/games", server.address)).json(&game).send().await.unwrap();
        let begun: serde_json::Value = begun.json().await.unwrap();
        let id = begun["id"].as_str().unwrap().to_owned();
        let token = begun["seats"][0]["token"].as_str().unwrap();
        let path = format!("{}/api/games/{id}/actions", server.address);
        let said = json!({"ply": 0, "action": "e2e4"});
        assert!(client.post(path).bearer_auth(token).json(&said).send().await.unwrap().status().is_success());
        server.kill();
        // The bot may have moved before the signal. Then another game is tried.
        waits = (lines(data.path(), &id).await.len() == 1).then_some(id);
        server = Server::start(data.path());
    }
    let id = waits.unwrap();
    let began = std::time::Instant::now();
    while lines(data.path(), &id).await.len() < 2 {
        assert!(began.elapsed() < PATIENCE, "the bot has not moved");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    drop(server);
}
