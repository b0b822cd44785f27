//! Reviews of finished games: requested once, stored once, and deleted with the game.

use super::*;
use zorkmid::store::{GameEnd, GameReview, Purge, ReviewRequest, ReviewStatus};

#[tokio::test(flavor = "multi_thread")]
async fn finished_game_waits_for_its_review() {
    for ground in grounds().await {
        let store = open(&ground).await;
        for id in ["ended", "old", "older", "runs"] {
            store.create(new_game(id)).await.unwrap();
        }
        assert_eq!(store.next_review().await.unwrap(), None);
        let over = Some(GameEnd { result: "mate".to_owned(), time: 5 });
        store.append(move_at("runs", 0, "e2e4")).await.unwrap();
        store.append(Append { over: over.clone(), ..move_at("ended", 0, "mate") }).await.unwrap();
        // Lines after the end change nothing.
        store.append(Append { over, ..move_at("ended", 1, "rematch") }).await.unwrap();
        assert_eq!(store.review("ended").await.unwrap(), ReviewStatus::Queued, "without a request");
        assert_eq!(store.review("runs").await.unwrap(), ReviewStatus::NotRequested);
        let ask = async |game: &str, time, most| {
            store.request_review(ReviewRequest { game: game.to_owned(), time, most }).await.unwrap()
        };
        assert!(ask("old", 4, 2).await);
        assert!(ask("old", 9, 2).await, "already waiting");
        assert!(!ask("older", 3, 2).await, "too many waiting");
        assert!(!ask("nowhere", 3, 9).await, "no such game");
        assert_eq!(store.next_review().await.unwrap().as_deref(), Some("old"), "first requested, first served");
        let mut heard = store.listen();
        let opinion = |text: &str| GameReview { game: "old".to_owned(), text: text.to_owned() };
        assert_eq!(
            store.store_review(opinion("fine")).await.unwrap(),
            Some(1),
            "the review makes a new version of the game"
        );
        assert_eq!(heard.recv().await.unwrap().version, 1);
        assert_eq!(store.store_review(opinion("other")).await.unwrap(), None, "another process was faster");
        store.close().await;
        let store = open(&ground).await;
        assert_eq!(store.review("old").await.unwrap(), ReviewStatus::Known("fine".to_owned()));
        assert_eq!(store.game("old").await.unwrap().unwrap().version, 1);
        assert_eq!(store.next_review().await.unwrap().as_deref(), Some("ended"));
        store.purge(Purge { before: i64::MAX, limit: 9 }).await.unwrap();
        assert_eq!(store.review("old").await.unwrap(), ReviewStatus::NotRequested);
        assert_eq!(store.next_review().await.unwrap(), None);
        store.close().await;
    }
}
