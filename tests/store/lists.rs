//! Lists: the lobby page by page, overdue games, the games of one browser, counts.

use super::*;
use zorkmid::store::{Claim, Cursor, EndedGame, GameEnd, SeatEntry};

#[tokio::test(flavor = "multi_thread")]
async fn lobby_pages_are_newest_first_and_complete() {
    for ground in grounds().await {
        let store = open(&ground).await;
        // Five games per millisecond, so that pages break inside one.
        for n in 0..25 {
            let id = format!("g{n:02}");
            store.create(NewGame { open: true, created: n / 5, ..new_game(&id) }).await.unwrap();
        }
        store.create(new_game("private")).await.unwrap();
        let claim = Claim {
            entry: SeatEntry::Lobby("g07".to_owned()),
            token: Digest::of("guest"),
            name: None,
            owner: None,
            time: 9,
            due: None,
        };
        store.claim(claim).await.unwrap();
        let over = Some(GameEnd { result: "aborted".to_owned(), time: 9 });
        store.append(Append { over, ..move_at("g13", 0, "abort") }).await.unwrap();

        let mut seen = vec![];
        let mut after: Option<Cursor> = None;
        loop {
            let page = store.lobby(0, None, after.as_ref(), 4).await.unwrap();
            let Some(last) = page.last() else { break };
            after = Some(Cursor { created: last.created, id: last.id.clone() });
            if seen.is_empty() {
                // Newer games come before the first page and do not affect the others.
                store.create(NewGame { open: true, created: 99, ..new_game("late") }).await.unwrap();
            }
            seen.extend(page.into_iter().map(|game| game.id));
        }
        let wanted: Vec<_> = (0..25).rev().filter(|n| ![7, 13].contains(n)).map(|n| format!("g{n:02}")).collect();
        assert_eq!(seen, wanted);
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn ended_public_games_are_listed_first_end_first() {
    for ground in grounds().await {
        let store = open(&ground).await;
        for (id, public, time) in [("d", true, 7), ("a", true, 7), ("c", true, 7), ("b", true, 5), ("e", false, 6)] {
            store.create(NewGame { public, ..new_game(id) }).await.unwrap();
            let over = Some(GameEnd { result: "draw: agreed".to_owned(), time });
            store.append(Append { over, ..move_at(id, 0, "draw") }).await.unwrap();
        }
        store.create(NewGame { public: true, ..new_game("running") }).await.unwrap();
        store.create(NewGame { public: true, ..new_game("unplayed") }).await.unwrap();
        let over = Some(GameEnd { result: "void: aborted".to_owned(), time: 6 });
        store.append(Append { over, ply: 0, ..move_at("unplayed", 0, "abort") }).await.unwrap();
        let listed = async |finished, id: &str, until, limit| {
            let after = EndedGame { finished, id: id.to_owned() };
            let games = store.ended_public(&after, until, limit).await.unwrap();
            games.into_iter().map(|game| format!("{} {}", game.finished, game.id)).collect::<Vec<_>>()
        };
        assert_eq!(listed(0, "", 8, 9).await, ["5 b", "7 a", "7 c", "7 d"]);
        assert_eq!(listed(0, "", 8, 2).await, ["5 b", "7 a"]);
        assert_eq!(listed(7, "a", 8, 9).await, ["7 c", "7 d"]);
        assert_eq!(listed(5, "", 7, 9).await, ["5 b"], "games that end at the limit are not listed");
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn overdue_games_are_listed_longest_overdue_first() {
    for ground in grounds().await {
        let store = open(&ground).await;
        for (id, due) in [("a", Some(30)), ("b", Some(10)), ("c", None), ("d", Some(20)), ("e", Some(31))] {
            store.create(NewGame { due, ..new_game(id) }).await.unwrap();
        }
        let named = |due: Vec<zorkmid::store::ExpiredClocks>| {
            due.into_iter().map(|due| (due.game, due.due)).collect::<Vec<_>>()
        };
        let wanted = [("b".to_owned(), 10), ("d".to_owned(), 20), ("a".to_owned(), 30)];
        assert_eq!(named(store.due(30, None, 10).await.unwrap()), wanted);
        assert_eq!(named(store.due(30, None, 1).await.unwrap()), wanted[..1]);
        // A move extends the deadline, and an end removes it.
        store.append(Append { due: Some(50), ..move_at("b", 0, "e2e4") }).await.unwrap();
        let over = Some(GameEnd { result: "flag".to_owned(), time: 30 });
        store.append(Append { due: Some(20), over, ..move_at("d", 0, "flag") }).await.unwrap();
        assert_eq!(named(store.due(30, None, 10).await.unwrap()), wanted[2..]);
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_of_a_browser_are_found_by_token() {
    for ground in grounds().await {
        let store = open(&ground).await;
        for n in 0..5 {
            store.create(NewGame { created: n, ..new_game(&format!("g{n}")) }).await.unwrap();
        }
        let tokens = [token("g1"), token("unknown"), token("g3")];
        let held = store.seats_held(&tokens, None, 100).await.unwrap();
        let named: Vec<_> = held.iter().map(|held| (held.game.id.as_str(), held.seat.as_str())).collect();
        assert_eq!(named, [("g3", "one"), ("g1", "one")]);
        assert!(store.seats_held(&[], None, 100).await.unwrap().is_empty());
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn running_games_are_listed_by_last_move() {
    for ground in grounds().await {
        let store = open(&ground).await;
        for (id, opponent, moved) in [
            ("a", "open", Some(30)),
            ("b", "bot", Some(50)),
            ("c", "link", Some(60)),
            ("d", "self", Some(61)),
            ("e", "open", None),
            ("f", "bot", Some(40)),
            ("g", "bot", Some(9)),
            ("h", "bot", Some(45)),
        ] {
            store
                .create(NewGame { public: !matches!(opponent, "link" | "self"), created: 1, ..new_game(id) })
                .await
                .unwrap();
            if let Some(time) = moved {
                let lines = vec![NewLine { actor: "one".to_owned(), text: "e2e4".to_owned(), time }];
                store.append(Append { lines, ply: 1, ..move_at(id, 0, "e2e4") }).await.unwrap();
            }
        }
        let over = Some(GameEnd { result: "flag".to_owned(), time: 46 });
        store.append(Append { over, ..move_at("h", 1, "flag") }).await.unwrap();
        let running = store.running(None, 10, 10).await.unwrap();
        assert_eq!(running.iter().map(|game| game.id.as_str()).collect::<Vec<_>>(), ["b", "f", "a"]);
        assert_eq!(store.running(None, 10, 1).await.unwrap().len(), 1);
        store.close().await;
    }
}
