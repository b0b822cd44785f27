//! Processes on one database, and the bot turns that wait for one of them.

use super::*;
use zorkmid::store::{BotSearch, BotTurn, Heartbeat, PendingBot};

fn attendance(name: &str, since: i64, now: i64) -> Heartbeat {
    Heartbeat { name: name.to_owned(), role: format!("role of {name}"), since, now, until: now + 5 }
}

fn search(name: &str, now: i64, free: bool, limit: u32) -> BotSearch {
    BotSearch { name: name.to_owned(), now, free, limit }
}

fn turn(since: i64, thinker: Option<&str>) -> Option<BotTurn> {
    Some(BotTurn { since, thinker: thinker.map(str::to_owned) })
}

#[tokio::test(flavor = "multi_thread")]
async fn process_is_alive_until_it_misses_its_heartbeat() {
    for ground in grounds().await {
        let store = open(&ground).await;
        let there = async |attendance| {
            let present = store.heartbeat(attendance).await.unwrap();
            present.into_iter().map(|process| (process.name, process.role)).collect::<Vec<_>>()
        };
        let told = |names: &[&str]| {
            names.iter().map(|name| ((*name).to_owned(), format!("role of {name}"))).collect::<Vec<_>>()
        };
        assert_eq!(there(attendance("b", 2, 10)).await, told(&["b"]));
        assert_eq!(there(attendance("a", 3, 11)).await, told(&["b", "a"]), "ordered by start time");
        assert_eq!(there(attendance("a", 3, 15)).await, told(&["b", "a"]));
        assert_eq!(there(attendance("a", 3, 16)).await, told(&["a"]));
        assert_eq!(there(attendance("b", 2, 17)).await, told(&["b", "a"]), "a late heartbeat revives a process");
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bot_turns_of_a_dead_process_go_to_others() {
    for ground in grounds().await {
        let store = open(&ground).await;
        // A single process needs no claims, and finds all waiting turns again.
        let shared = store.process().is_some();
        for name in ["one", "other", "third"] {
            store.heartbeat(attendance(name, 1, 10)).await.unwrap();
        }
        for (id, bot) in
            [("late", turn(9, None)), ("taken", turn(2, Some("one"))), ("free", turn(3, None)), ("none", None)]
        {
            store.create(NewGame { bot, ..new_game(id) }).await.unwrap();
        }
        let take = async |name: &str, now: i64, free: bool, limit: u32| {
            let found = store.claim_pending_bots(search(name, now, free, limit)).await.unwrap();
            found.into_iter().map(|waiting| waiting.game).collect::<Vec<_>>()
        };
        assert!(take("other", 11, false, 9).await.is_empty(), "it has claimed none");
        assert_eq!(take("other", 11, true, 1).await, ["free"], "longest wait first");
        let left: &[&str] = if shared { &["late"] } else { &["free", "late"] };
        assert_eq!(take("third", 11, true, 9).await, left);
        for name in ["other", "third"] {
            store.heartbeat(attendance(name, 1, 20)).await.unwrap();
        }
        let left: &[&str] = if shared { &["taken", "free"] } else { &["taken", "free", "late"] };
        assert_eq!(take("other", 20, true, 9).await, left, "the first process is dead");
        if shared {
            // A claim lasts while the bot is to move, whatever else happens in the game.
            store.append(Append { bot: turn(21, Some("third")), ..move_at("free", 0, "e2e4") }).await.unwrap();
            assert_eq!(take("third", 21, false, 9).await, ["late"]);
            assert_eq!(take("other", 21, false, 9).await, ["taken", "free"]);
        }
        store.append(move_at("late", 0, "e2e4")).await.unwrap();
        for (game, version) in [("taken", 1), ("free", i64::from(shared))] {
            store.settle(PendingBot { game: game.to_owned(), version }).await.unwrap();
        }
        assert_eq!(take("other", 21, true, 9).await, ["taken"], "its version differs");
        store.leave().await.unwrap();
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_searches_claim_different_games() {
    for ground in grounds().await {
        let store = open(&ground).await;
        if store.process().is_none() {
            continue;
        }
        let names: Vec<String> = (0..6).map(|n| format!("p{n}")).collect();
        for name in &names {
            store.heartbeat(attendance(name, 1, 10)).await.unwrap();
        }
        for n in 0..30 {
            store.create(NewGame { bot: turn(n, None), ..new_game(&format!("g{n}")) }).await.unwrap();
        }
        let looks = names.iter().map(|name| store.claim_pending_bots(search(name, 11, true, 5)));
        let taken = futures_util::future::try_join_all(looks).await.unwrap();
        let mut all: Vec<_> = taken.iter().flatten().map(|waiting| waiting.game.clone()).collect();
        let found = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), found, "{taken:?}");
        store.close().await;
    }
}
