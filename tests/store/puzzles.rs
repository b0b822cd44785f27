//! Statistics of puzzles.

use super::*;
use zorkmid::store::{Attempt, Attempts};

#[tokio::test(flavor = "multi_thread")]
async fn puzzle_attempts_and_solutions_are_counted() {
    for ground in grounds().await {
        let store = open(&ground).await;
        assert_eq!(store.attempts("bid", 7).await.unwrap(), Attempts::default());
        for (number, solved) in [(7, true), (7, false), (u32::MAX, true), (7, true)] {
            store.attempt(Attempt { kind: "bid".to_owned(), number, solved }).await.unwrap();
        }
        store.close().await;
        let store = open(&ground).await;
        assert_eq!(store.attempts("bid", 7).await.unwrap(), Attempts { tried: 3, solved: 2 });
        assert_eq!(store.attempts("bid", u32::MAX).await.unwrap(), Attempts { tried: 1, solved: 1 });
        assert_eq!(store.attempts("move", 7).await.unwrap(), Attempts::default());
        store.close().await;
    }
}
