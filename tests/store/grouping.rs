//! Appends and queries that PostgreSQL receives in groups: each is answered as if it were alone.

use super::*;
use tokio::task::JoinSet;
use zorkmid::store::{Appended, GameEnd, Handover, NewOwner, ReviewStatus, StoreError};

const GAMES: usize = 64;

/// A store with games `g0`, `g1` and so on.
async fn games(ground: &Ground) -> Store {
    let store = open(ground).await;
    for n in 0..GAMES {
        store.create(new_game(&format!("g{n}"))).await.unwrap();
    }
    store
}

/// Submits all appends at once. The answers keep their order.
async fn at_once(store: &Store, appends: Vec<Append>) -> Vec<Result<Appended, StoreError>> {
    futures_util::future::join_all(appends.into_iter().map(|append| store.append(append))).await
}

#[tokio::test(flavor = "multi_thread")]
async fn appends_to_many_games_share_commits() {
    for ground in grounds().await {
        let store = games(&ground).await;
        let before = store.tally();
        for at in 0..10 {
            let answers = at_once(&store, (0..GAMES).map(|n| move_at(&format!("g{n}"), at, "e2e4")).collect()).await;
            let wanted = Appended::New { at: at + 1, version: at + 1 };
            assert!(answers.iter().all(|answer| answer.as_ref().ok() == Some(&wanted)), "{answers:?}");
        }
        let after = store.tally();
        let (jobs, commits) = (after.jobs - before.jobs, after.commits - before.commits);
        assert_eq!(jobs, 10 * GAMES as u64);
        assert!(commits * 4 <= jobs, "{commits} commits for {jobs} appends");
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn grouped_append_writes_the_same_as_a_single_one() {
    for ground in grounds().await {
        let store = games(&ground).await;
        let whole = |n: usize| {
            let mut append = move_at(&format!("g{n}"), 0, "bid ½ \"'\\ ♞");
            append.lines.push(NewLine { actor: "chance".to_owned(), text: "deal".to_owned(), time: 3_000 });
            (append.ply, append.due) = (7, Some(9_000));
            append.over = Some(GameEnd { result: "one wins".to_owned(), time: 4_000 });
            append.receipt = receipt("one", "key", "bid");
            append
        };
        let answers = at_once(&store, (0..GAMES).map(whole).collect()).await;
        assert!(answers.iter().all(|answer| answer.as_ref().ok() == Some(&Appended::New { at: 2, version: 1 })));
        for n in 0..GAMES {
            let id = format!("g{n}");
            let record = store.load(&id).await.unwrap().unwrap();
            assert_eq!((record.game.at, record.game.version, record.game.ply), (2, 1, 7));
            assert_eq!((record.game.due, record.game.finished), (Some(9_000), Some(4_000)));
            assert_eq!(record.game.result.as_deref(), Some("one wins"));
            let lines: Vec<_> =
                record.lines.iter().map(|line| (line.at, line.actor.as_str(), line.text.as_str(), line.time)).collect();
            assert_eq!(lines, [(0, "one", "bid ½ \"'\\ ♞", 2_000), (1, "chance", "deal", 3_000)]);
            assert_eq!(store.receipt(&id, "one", "key").await.unwrap().as_deref(), Some("bid"));
            assert_eq!(store.review(&id).await.unwrap(), ReviewStatus::Queued);
        }
        let key = Digest::of("key");
        store.begin_owner(NewOwner { key: key.clone(), time: 1 }).await.unwrap();
        let handover = Handover { game: "g0".to_owned(), token: token("g0"), owner: key.clone() };
        assert_eq!(store.hand_over(handover).await.unwrap(), Some(2));
        assert!(store.playing(&key, None, 9).await.unwrap().is_empty());
        assert_eq!(store.ended(&key, 4_000, 9).await.unwrap().len(), 1);
        // A used key, a taken slot, and a final end.
        let later = |n: usize| Append { at: 2, over: None, receipt: None, ..whole(n) };
        let mixed = (0..GAMES).map(|n| match n % 3 {
            0 => Append { at: 2, ..whole(n) },
            1 => Append { receipt: None, ..whole(n) },
            _ => later(n),
        });
        for (n, answer) in at_once(&store, mixed.collect()).await.into_iter().enumerate() {
            match n % 3 {
                0 => assert_eq!(answer.unwrap(), Appended::Repeated { outcome: "bid".to_owned(), at: 2 }),
                1 => assert!(matches!(answer, Err(StoreError::Conflict { at: 2 }))),
                _ => {
                    assert_eq!(answer.unwrap(), Appended::New { at: 4, version: 2 });
                    let row = store.game(&format!("g{n}")).await.unwrap().unwrap();
                    assert_eq!((row.result.as_deref(), row.finished), (Some("one wins"), Some(4_000)));
                }
            }
        }
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bad_append_in_a_group_fails_alone() {
    for ground in grounds().await {
        let store = games(&ground).await;
        let appends = (0..GAMES).map(|n| match n {
            7 => move_at("g7", 0, "a\0b"),
            8 => move_at("none", 0, "e2e4"),
            9 => Append { lines: vec![], ..move_at("g9", 0, "") },
            10 => move_at("g11", 0, "e2e4"),
            _ => move_at(&format!("g{n}"), 0, "e2e4"),
        });
        let answers = at_once(&store, appends.collect()).await;
        let mut won = 0;
        for (n, answer) in answers.iter().enumerate() {
            match n {
                // SQLite can store a text that PostgreSQL cannot.
                7 => assert!(matches!(answer, Ok(_) | Err(StoreError::UnsupportedCharacter)), "{answer:?}"),
                8 => assert!(matches!(answer, Err(StoreError::NoGame(_))), "{answer:?}"),
                9 => assert!(matches!(answer, Err(StoreError::NoLine)), "{answer:?}"),
                10 | 11 => won += i32::from(answer.is_ok()),
                _ => assert!(answer.is_ok(), "{n}: {answer:?}"),
            }
        }
        assert_eq!(won, 1, "one of two wins the slot");
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_groups_do_not_deadlock() {
    for ground in grounds().await {
        let stores = [games(&ground).await, open(&ground).await];
        let begin = std::time::Instant::now();
        for at in 0..20 {
            let mut groups = JoinSet::new();
            for (number, store) in stores.iter().enumerate() {
                let store = store.clone();
                let mut appends: Vec<Append> = (0..GAMES).map(|n| move_at(&format!("g{n}"), at, "e2e4")).collect();
                if number == 1 {
                    appends.reverse();
                }
                groups.spawn(async move { at_once(&store, appends).await });
            }
            let answers: Vec<_> = groups.join_all().await.into_iter().flatten().collect();
            assert_eq!(answers.iter().filter(|answer| answer.is_ok()).count(), GAMES, "one wins each slot");
            assert!(answers.iter().all(|answer| matches!(answer, Ok(_) | Err(StoreError::Conflict { .. }))));
        }
        eprintln!("{:?} on {}", begin.elapsed(), ground.address);
        for store in stores {
            assert_eq!(store.tally().failed, 0);
            store.close().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn grouped_queries_are_answered_separately() {
    for ground in grounds().await {
        let store = games(&ground).await;
        let ids: Vec<String> =
            (0..GAMES).flat_map(|n| [format!("g{n}"), format!("none{n}"), "g0".to_owned()]).collect();
        let ask = |ids: Vec<String>| {
            let store = store.clone();
            async move { futures_util::future::join_all(ids.iter().map(|id| store.game(id))).await }
        };
        for (id, answer) in ids.iter().zip(ask(ids.clone()).await) {
            assert_eq!(answer.unwrap().map(|row| row.id), id.starts_with('g').then(|| id.clone()));
        }
        let mut with_bad = ids.clone();
        with_bad.push("a\0b".to_owned());
        let mut answers = ask(with_bad).await;
        assert!(matches!(answers.pop(), Some(Ok(None) | Err(StoreError::UnsupportedCharacter))));
        assert!(answers.iter().all(Result::is_ok));
        store.close().await;
    }
}
