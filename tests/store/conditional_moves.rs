//! Conditional moves of seats.

use super::*;
use zorkmid::store::{ConditionalMovesRow, ConditionalMovesUpdate as Update, GameEnd};

fn lines(game: &str, seat: &str, ply: i64, lines: &str) -> ConditionalMovesRow {
    ConditionalMovesRow { game: game.to_owned(), seat: seat.to_owned(), ply, takebacks: 0, lines: lines.to_owned() }
}

#[tokio::test(flavor = "multi_thread")]
async fn lines_are_replaced_and_deleted_by_seat() {
    for ground in grounds().await {
        let store = open(&ground).await;
        store.create(new_game("a")).await.unwrap();
        let update = async |change| store.update_conditional_moves(change).await.unwrap();
        let stored = async || store.conditional_moves("a").await.unwrap();
        let [one, two] = [lines("a", "one", 0, "x"), lines("a", "two", 0, "y")];
        update(Update::Set(one.clone())).await;
        update(Update::Set(two.clone())).await;
        update(Update::Set(lines("lost", "one", 0, "x"))).await;
        assert_eq!(stored().await, [one.clone(), two.clone()]);
        let newer = ConditionalMovesRow { takebacks: 1, ..lines("a", "one", 2, "z") };
        update(Update::Set(newer.clone())).await;
        update(Update::End(one)).await;
        assert_eq!(stored().await, [newer.clone(), two.clone()], "newer lines are left alone");
        update(Update::End(newer)).await;
        update(Update::Clear { game: "a".to_owned(), seat: "one".to_owned() }).await;
        assert_eq!(stored().await, [two]);
        update(Update::Clear { game: "a".to_owned(), seat: "two".to_owned() }).await;
        assert_eq!(stored().await, []);
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_that_have_moved_on_are_listed() {
    for ground in grounds().await {
        let store = open(&ground).await;
        for game in ["a", "b", "c", "d"] {
            store.create(new_game(game)).await.unwrap();
            store.update_conditional_moves(Update::Set(lines(game, "one", 0, "x"))).await.unwrap();
        }
        store.update_conditional_moves(Update::Set(lines("b", "two", 0, "x"))).await.unwrap();
        store.append(move_at("b", 0, "e2e4")).await.unwrap();
        store.append(move_at("c", 0, "e2e4")).await.unwrap();
        let over = Some(GameEnd { result: "draw: agreed".to_owned(), time: 3_000 });
        store.append(Append { over, ply: 0, ..move_at("d", 0, "draw") }).await.unwrap();
        let listed = async |after, limit| store.overtaken_conditional_moves(after, limit).await.unwrap();
        assert_eq!(listed("", 9).await, ["b", "c", "d"]);
        assert_eq!(listed("b", 1).await, ["c"]);
        store.close().await;
    }
}
