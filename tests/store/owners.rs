//! Keys that own seats.

use super::*;
use zorkmid::store::{
    Claim, Cursor, GameEnd, Handover, NewOwner, Presence, Purge, Registration, RegistrationResult, SeatEntry,
};

fn key(name: &str) -> Digest {
    Digest::of(&format!("key of {name}"))
}

fn registration(of: &str, name: &str) -> Registration {
    let (name, folded) = (name.to_owned(), name.to_lowercase());
    Registration { key: key(of), name, folded, terms: "{}".to_owned(), time: 5 }
}

#[tokio::test(flavor = "multi_thread")]
async fn bot_keeps_its_name_and_is_listed_while_connected() {
    for ground in grounds().await {
        let store = open(&ground).await;
        assert_eq!(store.register(registration("a", "Ann")).await.unwrap(), RegistrationResult::NoOwner);
        for name in ["a", "b"] {
            store.begin_owner(NewOwner { key: key(name), time: 1 }).await.unwrap();
        }
        assert!(store.owner_exists(&key("a")).await.unwrap() && !store.owner_exists(&key("c")).await.unwrap());
        assert_eq!(store.register(registration("a", "Ann")).await.unwrap(), RegistrationResult::Done);
        assert_eq!(store.register(registration("b", "ANN")).await.unwrap(), RegistrationResult::NameTaken);
        let called = RegistrationResult::Called("Ann".to_owned());
        assert_eq!(store.register(registration("a", "Eve")).await.unwrap(), called);
        assert!(store.programs(10, 9).await.unwrap().is_empty());
        for (name, until) in [("a", 20), ("b", 30)] {
            store.record_presence(Presence { key: key(name), until, time: 5 }).await.unwrap();
        }
        let names = async |now| -> Vec<String> {
            store.programs(now, 9).await.unwrap().into_iter().map(|program| program.name).collect()
        };
        assert_eq!(
            (names(19).await, names(20).await),
            (vec!["Ann".to_owned()], vec![]),
            "keys without a bot are not listed"
        );
        assert_eq!(store.program_by_name("ann").await.unwrap().unwrap().key, key("a"));
        assert!(store.program_of(&key("b")).await.unwrap().is_none());
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn key_owns_one_seat_of_a_game() {
    for ground in grounds().await {
        let store = open(&ground).await;
        store.begin_owner(NewOwner { key: key("a"), time: 1 }).await.unwrap();
        store.create(new_game("one")).await.unwrap();
        let mut changes = store.listen();
        let handover =
            |game: &str, owner: &str| Handover { game: game.to_owned(), token: token(game), owner: key(owner) };
        assert_eq!(store.hand_over(handover("one", "unknown")).await.unwrap(), None);
        assert_eq!(store.hand_over(Handover { token: token("other"), ..handover("one", "a") }).await.unwrap(), None);
        assert_eq!(store.hand_over(handover("one", "a")).await.unwrap(), Some(1));
        let change = changes.recv().await.unwrap();
        assert_eq!((change.game.as_str(), change.version, change.owners), ("one", 1, vec![key("a")]));
        assert_eq!(store.hand_over(handover("one", "a")).await.unwrap(), None, "it owns one of them already");
        let door = SeatEntry::Invite(code("two"));
        store.create(new_game("two")).await.unwrap();
        let claim =
            Claim { entry: door, token: Digest::of("guest"), name: None, owner: Some(key("a")), time: 9, due: None };
        store.claim(claim).await.unwrap();
        assert_eq!(changes.recv().await.unwrap().owners, [key("a")]);
        let playing = async || -> Vec<(String, String)> {
            let held = store.playing(&key("a"), None, 9).await.unwrap();
            held.into_iter().map(|held| (held.game.id, held.seat)).collect()
        };
        let pair = |game: &str, seat: &str| (game.to_owned(), seat.to_owned());
        assert_eq!(playing().await, [pair("two", "two"), pair("one", "one")]);
        let first = store.playing(&key("a"), None, 1).await.unwrap().remove(0).game;
        let behind = Cursor { created: first.created, id: first.id };
        let rest = store.playing(&key("a"), Some(&behind), 9).await.unwrap();
        assert_eq!(rest.into_iter().map(|held| held.game.id).collect::<Vec<_>>(), ["one"], "page by page");
        let held = async |tokens: &[Digest], limit| -> Vec<(String, String)> {
            let held = store.seats_held(tokens, Some(&key("a")), limit).await.unwrap();
            held.into_iter().map(|held| (held.game.id, held.seat)).collect()
        };
        assert_eq!(held(&[], 9).await, [pair("two", "two"), pair("one", "one")], "a key gives access to its seats");
        let both = [pair("two", "one"), pair("two", "two"), pair("one", "one")];
        assert_eq!(held(&[token("one"), token("two")], 9).await, both, "each seat is listed once");
        assert_eq!(held(&[token("one"), token("two")], 2).await, both[..2]);
        let record = store.load("two").await.unwrap().unwrap();
        assert_eq!(record.seats.iter().map(|seat| seat.owner.clone()).collect::<Vec<_>>(), [None, Some(key("a"))]);
        let over = Some(GameEnd { result: "draw: agreed".to_owned(), time: 10 });
        store.append(Append { over, ..move_at("two", 0, "e2e4") }).await.unwrap();
        assert_eq!(playing().await, [pair("one", "one")]);
        assert_eq!(held(&[], 9).await, [pair("two", "two"), pair("one", "one")]);
        let ended = async |since| -> Vec<String> {
            store.ended(&key("a"), since, 9).await.unwrap().into_iter().map(|held| held.game.id).collect()
        };
        assert_eq!((ended(10).await, ended(11).await), (vec!["two".to_owned()], vec![]));
        // A key without seats is deleted once it has been unused for the retention time of games.
        store.begin_owner(NewOwner { key: key("b"), time: 1 }).await.unwrap();
        store.purge(Purge { before: 100, limit: 1 }).await.unwrap();
        assert!(store.owner_exists(&key("a")).await.unwrap() && !store.owner_exists(&key("b")).await.unwrap());
        store.close().await;
    }
}
