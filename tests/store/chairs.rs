//! Seats: an invitation works once; ids, tokens and rematches are unique.

use super::*;
use tokio::task::JoinSet;
use zorkmid::store::{Claim, ClaimedSeat, GameEnd, SeatEntry, StoreError};

fn claim(door: SeatEntry, who: &str) -> Claim {
    Claim {
        entry: door,
        token: Digest::of(who),
        name: Some(who.to_owned()),
        owner: None,
        time: 3_000,
        due: Some(9_000),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_fifty_claims_of_a_seat_succeeds() {
    for ground in grounds().await {
        let store = open(&ground).await;
        for (id, lobby) in [("invited", false), ("listed", true)] {
            store.create(NewGame { open: lobby, ..new_game(id) }).await.unwrap();
            let mut listener = store.listen();
            let mut guests = JoinSet::new();
            for guest in 0..50 {
                let store = store.clone();
                let door = if lobby { SeatEntry::Lobby(id.to_owned()) } else { SeatEntry::Invite(code(id)) };
                guests.spawn(async move { store.claim(claim(door, &format!("{id} {guest}"))).await });
            }
            let (sat, late): (Vec<_>, Vec<_>) = guests.join_all().await.into_iter().partition(Result::is_ok);
            assert_eq!((sat.len(), late.len()), (1, 49));
            assert!(late.iter().all(|late| matches!(late, Err(StoreError::Used))), "{late:?}");
            let wanted = ClaimedSeat { game: id.to_owned(), seat: "two".to_owned(), version: 1 };
            assert_eq!(*sat[0].as_ref().unwrap(), wanted);
            assert_eq!(listener.recv().await.unwrap().version, 1);
            let record = store.load(id).await.unwrap().unwrap();
            assert_eq!((record.game.open, record.game.version, record.game.due), (false, 1, Some(9_000)));
            let two = &record.seats[1];
            assert_eq!((two.seat.as_str(), two.claimed), ("two", Some(3_000)));
            assert_eq!(two.token, Some(Digest::of(two.name.as_ref().unwrap())));
            assert_eq!(record.seats[0].token, Some(token(id)));
            assert_eq!(store.invitation(&code(id)).await.unwrap().unwrap().claimed, Some(3_000));
        }
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_invitation_is_refused() {
    for ground in grounds().await {
        let store = open(&ground).await;
        store.create(new_game("private")).await.unwrap();
        let invitation = store.invitation(&code("private")).await.unwrap().unwrap();
        assert_eq!((invitation.game.as_str(), invitation.seat.as_str(), invitation.claimed), ("private", "two", None));
        assert_eq!(store.invitation(&code("other")).await.unwrap(), None);
        for door in
            [SeatEntry::Invite(code("other")), SeatEntry::Lobby("private".into()), SeatEntry::Lobby("other".into())]
        {
            assert!(matches!(store.claim(claim(door, "eve")).await, Err(StoreError::NoInvitation)));
        }
        // A token of another seat is refused, and the seat stays free.
        let copied = Claim { token: token("private"), ..claim(SeatEntry::Invite(code("private")), "eve") };
        assert!(matches!(store.claim(copied).await, Err(StoreError::Taken)));
        assert_eq!(store.load("private").await.unwrap().unwrap().seats[1].claimed, None);
        store.claim(claim(SeatEntry::Invite(code("private")), "bob")).await.unwrap();
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_finished_game_seats_nobody() {
    for ground in grounds().await {
        let store = open(&ground).await;
        store.create(NewGame { open: true, ..new_game("over") }).await.unwrap();
        let over = Some(GameEnd { result: "aborted".to_owned(), time: 7 });
        store.append(Append { over, ..move_at("over", 0, "abort") }).await.unwrap();
        let invited = store.claim(claim(SeatEntry::Invite(code("over")), "eve")).await;
        assert!(matches!(invited, Err(StoreError::Over)), "{invited:?}");
        let found = store.claim(claim(SeatEntry::Lobby("over".to_owned()), "eve")).await;
        assert!(matches!(found, Err(StoreError::NoInvitation)), "{found:?}");
        assert_eq!(store.load("over").await.unwrap().unwrap().seats[1].claimed, None);
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn duplicate_id_or_token_fails_alone() {
    for ground in grounds().await {
        let store = open(&ground).await;
        store.create(new_game("first")).await.unwrap();
        let mut guests = JoinSet::new();
        for n in 0..60 {
            let store = store.clone();
            let mut game = new_game(&format!("game{n}"));
            match n % 3 {
                0 => game.id = "first".to_owned(),
                1 => game.seats[1].holder = Holder::Invite(code("first")),
                _ => {}
            }
            guests.spawn(async move { (n, store.create(game).await) });
        }
        for (n, result) in guests.join_all().await {
            let there = store.load(&format!("game{n}")).await.unwrap();
            match n % 3 {
                2 => assert_eq!((result.is_ok(), there.unwrap().seats.len()), (true, 2), "game{n}"),
                _ => assert_eq!((matches!(result, Err(StoreError::Taken)), there), (true, None), "game{n}"),
            }
        }
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn game_has_one_rematch() {
    for ground in grounds().await {
        let store = open(&ground).await;
        store.create(new_game("first")).await.unwrap();
        let mut listener = store.listen();
        let mut wishes = JoinSet::new();
        for n in 0..20 {
            let store = store.clone();
            let game = NewGame { rematch_of: Some("first".to_owned()), ..new_game(&format!("again{n}")) };
            wishes.spawn(async move { store.create(game).await });
        }
        let (made, late): (Vec<_>, Vec<_>) = wishes.join_all().await.into_iter().partition(Result::is_ok);
        // The rematch is one change of the old game, and its followers are notified.
        assert!(matches!(made[..], [Ok(Some(1))]), "{made:?}");
        assert_eq!(store.game("first").await.unwrap().unwrap().version, 1);
        let poke = listener.recv().await.unwrap();
        assert_eq!((poke.game.as_str(), poke.version), ("first", 1));
        let rematch = store.load("first").await.unwrap().unwrap().rematch.unwrap();
        let told =
            |late: &Result<Option<i64>, StoreError>| matches!(late, Err(StoreError::Rematched(id)) if *id == rematch);
        assert!(late.iter().all(told), "{late:?}");
        assert_eq!(store.game(&rematch).await.unwrap().unwrap().rematch_of.as_deref(), Some("first"));
        store.close().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn only_the_sha256_of_a_secret_is_stored() {
    for ground in grounds().await {
        let store = open(&ground).await;
        let seat =
            NewSeat { seat: "one".to_owned(), holder: Holder::Token(Digest::of("abc")), name: None, owner: None };
        store.create(NewGame { seats: vec![seat], ..new_game("g") }).await.unwrap();
        let mut db = super::opening::connect(&ground).await;
        let kept: String = sqlx::query_scalar("SELECT token_hash FROM seat").fetch_one(&mut db).await.unwrap();
        sqlx::Connection::close(db).await.unwrap();
        // FIPS 180-2, appendix B.1.
        assert_eq!(kept, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(store.load("g").await.unwrap().unwrap().seats[0].token, Some(Digest::of("abc")));
        store.close().await;
    }
    assert_ne!(Digest::of("abc"), Digest::of("abd"));
    assert_eq!(format!("{:?}", Digest::of("abc")), "Digest(…)");
}
