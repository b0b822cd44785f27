//! Lines: they are stored unchanged, each slot has one writer, and a repeated request counts once.

use super::*;
use tokio::task::JoinSet;
use zorkmid::store::{Appended, GameEnd, StoreError};

#[tokio::test(flavor = "multi_thread")]
async fn game_is_read_as_it_was_written() {
    for ground in grounds().await {
        let store = open(&ground).await;
        let mut game = new_game("k3v9");
        game.clock = Some(r#"{"days":2}"#.to_owned());
        game.open = true;
        game.due = Some(5_000);
        game.lines = vec![NewLine { actor: "chance".to_owned(), text: "deal RNBQ ♞ 'x'".to_owned(), time: 1_000 }];
        game.ply = 1;
        store.create(game).await.unwrap();
        let mut listener = store.listen();
        let mut lines = move_at("k3v9", 1, "bid 40");
        lines.lines.push(entry("bid 20"));
        (lines.ply, lines.due) = (2, Some(9_000));
        lines.over = Some(GameEnd { result: r#"{"winner":"one"}"#.to_owned(), time: 2_000 });
        assert_eq!(store.append(lines).await.unwrap(), Appended::New { at: 3, version: 1 });
        let poke = listener.recv().await.unwrap();
        assert_eq!((poke.game.as_str(), poke.version), ("k3v9", 1));

        let record = store.load("k3v9").await.unwrap().unwrap();
        assert_eq!(store.game("k3v9").await.unwrap().unwrap(), record.game);
        let game = &record.game;
        assert_eq!((game.variant.as_str(), game.options.as_str(), game.opponent.as_str()), ("bookie", "{}", "link"));
        assert_eq!((game.at, game.version, game.ply, game.created, game.due), (3, 1, 2, 1_000, Some(9_000)));
        assert_eq!((game.clock.as_deref(), game.open), (Some(r#"{"days":2}"#), true));
        assert_eq!((game.result.as_deref(), game.finished), (Some(r#"{"winner":"one"}"#), Some(2_000)));
        let texts: Vec<_> =
            record.lines.iter().map(|line| (line.at, line.actor.as_str(), line.text.as_str(), line.time)).collect();
        let wanted =
            [(0, "chance", "deal RNBQ ♞ 'x'", 1_000), (1, "one", "bid 40", 2_000), (2, "one", "bid 20", 2_000)];
        assert_eq!(texts, wanted);
        assert_eq!(store.lines("k3v9", 2).await.unwrap(), record.lines[2..]);
        assert_eq!(record.seat(&token("k3v9")).unwrap().name.as_deref(), Some("Ada"));
        assert_eq!(record.seat(&token("other")), None);
        assert_eq!(store.load("none").await.unwrap(), None);
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_a_hundred_writers_wins_a_slot() {
    for ground in grounds().await {
        let store = open(&ground).await;
        store.create(new_game("race")).await.unwrap();
        for slot in 0..10 {
            let mut writers = JoinSet::new();
            for writer in 0..100 {
                let store = store.clone();
                writers.spawn(async move { store.append(move_at("race", slot, &format!("by {writer}"))).await });
            }
            let mut won = 0;
            for result in writers.join_all().await {
                match result {
                    Ok(Appended::New { at, version }) => {
                        assert_eq!((at, version), (slot + 1, slot + 1));
                        won += 1;
                    }
                    Err(StoreError::Conflict { at }) => assert_eq!(at, slot + 1),
                    other => panic!("{other:?}"),
                }
            }
            assert_eq!(won, 1, "slot {slot}");
        }
        let record = store.load("race").await.unwrap().unwrap();
        assert_eq!(record.lines.iter().map(|line| line.at).collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn idempotency_key_counts_once() {
    for ground in grounds().await {
        let store = open(&ground).await;
        store.create(new_game("keys")).await.unwrap();
        let asked =
            |at, outcome: &str| Append { receipt: receipt("one", "k1", outcome), ..move_at("keys", at, "e2e4") };
        let mut writers = JoinSet::new();
        for _ in 0..50 {
            let (store, asked) = (store.clone(), asked(0, "first"));
            writers.spawn(async move { store.append(asked).await.unwrap() });
        }
        let answers = writers.join_all().await;
        let repeated = Appended::Repeated { outcome: "first".to_owned(), at: 1 };
        assert_eq!(answers.iter().filter(|&answer| *answer == Appended::New { at: 1, version: 1 }).count(), 1);
        assert_eq!(answers.iter().filter(|&answer| *answer == repeated).count(), 49);
        // A repetition at a later slot is still a repetition.
        assert_eq!(store.append(asked(1, "second")).await.unwrap(), repeated);
        assert_eq!(store.load("keys").await.unwrap().unwrap().lines.len(), 1);
        // The key belongs to one seat of one game.
        let other = Append { receipt: receipt("two", "k1", "third"), ..move_at("keys", 1, "e7e5") };
        assert_eq!(store.append(other).await.unwrap(), Appended::New { at: 2, version: 2 });
        // The key of a refused append stays unused.
        let stale = Append { receipt: receipt("one", "k2", "x"), ..move_at("keys", 0, "d2d4") };
        assert!(matches!(store.append(stale.clone()).await, Err(StoreError::Conflict { at: 2 })));
        // The outcome of a key can be looked up.
        for (seat, key, outcome) in [("one", "k1", Some("first")), ("two", "k1", Some("third")), ("one", "k2", None)] {
            assert_eq!(store.receipt("keys", seat, key).await.unwrap().as_deref(), outcome);
        }
        assert_eq!(store.receipt("other", "one", "k1").await.unwrap(), None);
        assert_eq!(store.append(Append { at: 2, ..stale }).await.unwrap(), Appended::New { at: 3, version: 3 });
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn append_needs_a_running_game_and_a_line() {
    for ground in grounds().await {
        let store = open(&ground).await;
        store.create(new_game("g")).await.unwrap();
        assert!(matches!(store.append(move_at("none", 0, "x")).await, Err(StoreError::NoGame(id)) if id == "none"));
        let empty = Append { lines: vec![], ..move_at("g", 0, "x") };
        assert!(matches!(store.append(empty).await, Err(StoreError::NoLine)));
        assert!(matches!(store.append(move_at("g", 1, "x")).await, Err(StoreError::Conflict { at: 0 })));
        let over = Some(GameEnd { result: "resigned".to_owned(), time: 7 });
        store.append(Append { over, ..move_at("g", 0, "resign") }).await.unwrap();
        store.append(move_at("g", 1, "offer rematch")).await.unwrap();
        let game = store.game("g").await.unwrap().unwrap();
        assert_eq!((game.result.as_deref(), game.finished, game.at), (Some("resigned"), Some(7), 2));
        store.close().await;
    }
}
