//! Outbox of turn notifications: each is claimed once, keys take turns, and failures are retried.

use super::*;
use std::collections::HashSet;
use zorkmid::store::{
    NewNotice, NewOwner, NoticeRow, NoticeUpdate, OutboxEntry, OutboxSearch, RecordedTurns, Settlement,
};

/// Duration of a claim in these tests.
const CLAIM: i64 = 100;

fn key(name: &str) -> Digest {
    Digest::of(&format!("key of {name}"))
}

/// Creates a key with webhooks `NAME0` and so on.
async fn owner(store: &Store, name: &str, hooks: usize) {
    store.begin_owner(NewOwner { key: key(name), time: 1 }).await.unwrap();
    for n in 0..hooks {
        let notice = NoticeRow {
            id: format!("{name}{n}"),
            owner: key(name),
            kind: "hook".to_owned(),
            address: format!("https://{name}.example/{n}"),
            secret: String::new(),
            origin: String::new(),
            created: 1,
            failing: None,
        };
        assert!(store.begin_notice(NewNotice { notice, limit: 99 }).await.unwrap());
    }
}

/// Creates a game whose seat one belongs to a key.
async fn game(store: &Store, id: &str, owner: &str) {
    let mut new = new_game(id);
    new.seats[0].owner = Some(key(owner));
    store.create(new).await.unwrap();
}

fn turn(game: &str, version: i64, ply: i64, now: i64) -> RecordedTurns {
    RecordedTurns { game: game.to_owned(), version, ply, seats: vec!["one".to_owned()], now }
}

async fn claim(store: &Store, now: i64) -> Option<OutboxEntry> {
    store.claim_notification(OutboxSearch { now, until: now + CLAIM, per_owner: 2 }).await.unwrap()
}

async fn settle(store: &Store, entry: &OutboxEntry, retry: Option<i64>) {
    store.settle_notification(Settlement { entry: entry.clone(), retry }).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_take_turns_with_two_claims_each() {
    for ground in grounds().await {
        let store = open(&ground).await;
        for name in ["a", "b", "c"] {
            owner(&store, name, 8).await;
            game(&store, name, name).await;
            assert!(store.record_turns(turn(name, 0, 0, 10)).await.unwrap());
        }
        assert_eq!(claim(&store, 9).await, None, "none is due yet");
        let mut held = Vec::new();
        for _ in 0..6 {
            held.push(claim(&store, 20).await.unwrap());
        }
        assert_eq!(claim(&store, 20).await, None, "each key holds two claims");
        let owners: Vec<&Digest> = held.iter().map(|entry| &entry.owner).collect();
        assert_eq!(owners[..3], owners[3..], "the keys take turns");
        assert!(["a", "b", "c"].iter().all(|name| owners[..3].contains(&&key(name))));
        // A waiting retry holds no claim.
        settle(&store, &held[0], Some(500)).await;
        let next = claim(&store, 20).await.unwrap();
        assert_eq!((&next.owner, next.attempts), (&held[0].owner, 0));
        assert_eq!(claim(&store, 20).await, None);
        for entry in held.iter().skip(1).chain([&next]) {
            settle(&store, entry, None).await;
        }
        let mut left = 0;
        while let Some(entry) = claim(&store, 499).await {
            settle(&store, &entry, None).await;
            left += 1;
        }
        assert_eq!(left, 24 - 7);
        let retry = claim(&store, 500).await.unwrap();
        assert_eq!((&retry.notice, retry.attempts), (&held[0].notice, 1));
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn claim_of_a_dead_process_is_taken_over() {
    for ground in grounds().await {
        let store = open(&ground).await;
        owner(&store, "a", 1).await;
        game(&store, "g", "a").await;
        store.record_turns(turn("g", 0, 0, 10)).await.unwrap();
        let dead = claim(&store, 20).await.unwrap();
        store.close().await;
        let store = open(&ground).await;
        assert_eq!(claim(&store, 20 + CLAIM - 1).await, None);
        let heir = claim(&store, 20 + CLAIM).await.unwrap();
        assert_eq!((&heir.notice, heir.ply), (&dead.notice, dead.ply));
        // The first process was only late, but its claim has expired.
        settle(&store, &dead, None).await;
        settle(&store, &heir, Some(200)).await;
        assert!(claim(&store, 200).await.is_some());
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn newer_turn_replaces_an_older_one() {
    for ground in grounds().await {
        let store = open(&ground).await;
        owner(&store, "a", 1).await;
        game(&store, "g", "a").await;
        assert!(store.record_turns(turn("g", 1, 0, 10)).await.unwrap());
        assert!(!store.record_turns(turn("g", 1, 0, 10)).await.unwrap(), "this version was recorded");
        assert!(!store.record_turns(turn("g", 0, 5, 10)).await.unwrap(), "a later version was recorded");
        assert!(store.record_turns(turn("g", 2, 0, 11)).await.unwrap(), "an offer makes a new version but no new turn");
        assert!(store.record_turns(turn("g", 3, 2, 12)).await.unwrap());
        let entry = claim(&store, 20).await.unwrap();
        assert_eq!((entry.ply, entry.created), (2, 12));
        assert_eq!(claim(&store, 20).await, None, "one entry for each notice, game and seat");
        // A newer turn waits until the current attempt ends, whatever its result.
        store.record_turns(turn("g", 5, 4, 21)).await.unwrap();
        assert_eq!(claim(&store, 22).await, None);
        settle(&store, &entry, Some(900)).await;
        let newer = claim(&store, 22).await.unwrap();
        assert_eq!((newer.ply, newer.attempts), (4, 0));
        store.record_turns(turn("g", 7, 6, 23)).await.unwrap();
        settle(&store, &newer, None).await;
        assert_eq!(claim(&store, 24).await.unwrap().ply, 6);
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ended_notice_leaves_nothing_behind() {
    for ground in grounds().await {
        let store = open(&ground).await;
        owner(&store, "a", 3).await;
        game(&store, "g", "a").await;
        store.record_turns(turn("g", 0, 0, 10)).await.unwrap();
        assert_eq!(store.extent().await.unwrap().notifications, 3);
        assert!(store.note(NoticeUpdate::End { id: "a1".to_owned(), owner: None }).await.unwrap());
        assert_eq!(store.extent().await.unwrap().notifications, 2);
        // Adding the same address again makes a new notice.
        let mut notice = store.notice("a2").await.unwrap().unwrap();
        notice.id = "new".to_owned();
        assert!(store.begin_notice(NewNotice { notice, limit: 99 }).await.unwrap());
        assert_eq!(store.extent().await.unwrap().notifications, 1);
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn skipped_turns_are_found() {
    for ground in grounds().await {
        let store = open(&ground).await;
        owner(&store, "a", 2).await;
        owner(&store, "silent", 0).await;
        for (id, of) in [("1", "a"), ("2", "a"), ("3", "silent")] {
            game(&store, id, of).await;
        }
        store.append(move_at("2", 0, "e2e4")).await.unwrap();
        let found = async |after| store.unrecorded_turns(after, 9).await.unwrap();
        assert_eq!(found("").await, [("1".to_owned(), 0), ("2".to_owned(), 1)]);
        assert_eq!(found("1").await, [("2".to_owned(), 1)]);
        assert!(store.wants_notifications("1").await.unwrap() && !store.wants_notifications("3").await.unwrap());
        store.record_turns(turn("1", 0, 0, 10)).await.unwrap();
        store.record_turns(turn("2", 1, 1, 10)).await.unwrap();
        assert_eq!(found("").await, []);
        store.append(move_at("1", 0, "e2e4")).await.unwrap();
        assert_eq!(found("").await, [("1".to_owned(), 1)]);
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_claims_never_overlap() {
    for ground in grounds().await {
        let store = open(&ground).await;
        for name in ["a", "b", "c"] {
            owner(&store, name, 4).await;
            for n in 0..3 {
                let id = format!("{name}{n}");
                game(&store, &id, name).await;
                store.record_turns(turn(&id, 0, 0, 10)).await.unwrap();
            }
        }
        let other = if store.is_shared() { open(&ground).await } else { store.clone() };
        let mut claims = tokio::task::JoinSet::new();
        for n in 0..20 {
            let store = if n % 2 == 0 { store.clone() } else { other.clone() };
            claims.spawn(async move { claim(&store, 20).await });
        }
        let claimed: Vec<OutboxEntry> = claims.join_all().await.into_iter().flatten().collect();
        let names: HashSet<_> = claimed.iter().map(|entry| (&entry.notice, &entry.game)).collect();
        assert_eq!(names.len(), claimed.len());
        for name in ["a", "b", "c"] {
            assert_eq!(claimed.iter().filter(|entry| entry.owner == key(name)).count(), 2, "{name}");
        }
        other.close().await;
        store.close().await;
    }
}
