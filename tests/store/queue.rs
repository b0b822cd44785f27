//! Write queue: jobs share commits, a full queue refuses more, and closing loses none.

use super::*;
use tokio::task::JoinSet;
use zorkmid::store::{Appended, Limits, StoreError};

#[tokio::test(flavor = "multi_thread")]
async fn waiting_jobs_share_commits() {
    let ground = sqlite();
    let store = open(&ground).await;
    for n in 0..64 {
        store.create(new_game(&format!("g{n}"))).await.unwrap();
    }
    let before = store.tally();
    let mut players = JoinSet::new();
    for n in 0..64 {
        let store = store.clone();
        players.spawn(async move {
            for at in 0..20 {
                store.append(move_at(&format!("g{n}"), at, "e2e4")).await.unwrap();
            }
        });
    }
    players.join_all().await;
    let after = store.tally();
    let (jobs, commits) = (after.jobs - before.jobs, after.commits - before.commits);
    assert_eq!(jobs, 64 * 20);
    // Each of 64 players waits for the last answer, so a commit can serve 64. The test requires a quarter of that.
    assert!(commits * 16 <= jobs, "{commits} commits for {jobs} appends");
    store.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn full_queue_refuses_and_loses_no_accepted_job() {
    for ground in grounds().await {
        let store = Store::open_with(&ground.address, Limits { queue: 2, ..Limits::default() }).await.unwrap();
        for n in 0..50 {
            store.create(new_game(&format!("g{n}"))).await.unwrap();
        }
        let mut players = JoinSet::new();
        for n in 0..50 {
            let store = store.clone();
            players.spawn(async move { (n, store.append(move_at(&format!("g{n}"), 0, "e2e4")).await) });
        }
        let mut busy = 0;
        for (n, result) in players.join_all().await {
            let lines = store.lines(&format!("g{n}"), 0).await.unwrap().len();
            match result {
                Ok(appended) => assert_eq!((appended, lines), (Appended::New { at: 1, version: 1 }, 1)),
                Err(StoreError::Busy) => {
                    assert_eq!(lines, 0);
                    busy += 1;
                }
                Err(other) => panic!("{other}"),
            }
        }
        assert!(busy > 0);
        assert_eq!(store.tally().busy, busy);
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn closing_writes_accepted_jobs_and_refuses_new_ones() {
    for ground in grounds().await {
        let store = open(&ground).await;
        store.create(new_game("g")).await.unwrap();
        let last = store.clone();
        // Polled once to submit the job, then dropped, as if the caller had gone away.
        let mut asked = Box::pin(async move { last.append(move_at("g", 0, "e2e4")).await });
        assert!(futures_util::poll!(&mut asked).is_pending());
        drop(asked);
        store.close().await;
        assert!(matches!(store.append(move_at("g", 1, "e7e5")).await, Err(StoreError::Closed)));
        assert!(matches!(store.load("g").await, Err(StoreError::Closed)));
        store.close().await;
        let store = open(&ground).await;
        assert_eq!(store.load("g").await.unwrap().unwrap().lines.len(), 1);
        store.close().await;
    }
}
