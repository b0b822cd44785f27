//! Deletion of old games.

use super::*;
use zorkmid::store::{ConditionalMovesRow, ConditionalMovesUpdate, Purge};

#[tokio::test(flavor = "multi_thread")]
async fn idle_games_are_purged_with_all_their_data() {
    for ground in grounds().await {
        let store = open(&ground).await;
        store.create(new_game("old")).await.unwrap();
        store.append(Append { receipt: receipt("one", "k", "x"), ..move_at("old", 0, "e2e4") }).await.unwrap();
        let lines = ConditionalMovesRow {
            game: "old".to_owned(),
            seat: "one".to_owned(),
            ply: 1,
            takebacks: 0,
            lines: "[]".to_owned(),
        };
        store.update_conditional_moves(ConditionalMovesUpdate::Set(lines)).await.unwrap();
        store
            .create(NewGame { rematch_of: Some("old".to_owned()), created: 3_000, ..new_game("again") })
            .await
            .unwrap();
        store.create(NewGame { created: 2_001, ..new_game("young") }).await.unwrap();
        store.create(NewGame { created: 1_500, ..new_game("older") }).await.unwrap();
        let purge = async |before, limit| store.purge(Purge { before, limit }).await.unwrap();
        assert_eq!(purge(1_500, 9).await, Vec::<String>::new());
        assert_eq!(purge(2_001, 1).await, ["older"], "longest idle first");
        assert_eq!(purge(2_001, 9).await, ["old"]);
        assert!(store.load("old").await.unwrap().is_none());
        assert!(store.lines("old", 0).await.unwrap().is_empty());
        assert_eq!(store.receipt("old", "one", "k").await.unwrap(), None);
        assert!(store.conditional_moves("old").await.unwrap().is_empty());
        assert!(store.seats_held(&[token("old")], None, 2).await.unwrap().is_empty());
        assert_eq!(store.load("again").await.unwrap().unwrap().game.rematch_of, None);
        assert!(store.load("young").await.unwrap().is_some());
        // The ids can be used again.
        store.create(new_game("old")).await.unwrap();
        store.close().await;
    }
}
