//! Claims against an opponent who has left a game with clocks.

use super::{
    api::{Pair, begin, looking, post},
    ask, get, patient, store, tables,
};
use axum::Router;
use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};
use zorkmid::{
    game::Clock,
    play::Play,
    registry::difference,
    rules::Seat,
    web::{App, router},
};

/// A site whose clock the test sets.
struct Site {
    clock: Arc<AtomicI64>,
    app: Arc<App>,
    router: Router,
}

impl Site {
    fn new() -> Site {
        let clock = Arc::new(AtomicI64::new(1_700_000_000_000));
        let time = clock.clone();
        let play = Play::new(StdRng::seed_from_u64(7), store(), move || time.load(Ordering::Relaxed));
        let app = App::new(patient(), play, tables::tables());
        Site { clock, app: app.clone(), router: router(app) }
    }

    fn wait(&self, seconds: i64) -> i64 {
        1_000 * seconds + self.clock.fetch_add(1_000 * seconds, Ordering::Relaxed)
    }

    /// A game of chess after 1. e4 e5 2. Nf3.
    async fn game(&self, clock: Value) -> Pair {
        let game = begin(&self.router, json!({"variant": "chess", "clock": clock})).await;
        for (ply, action) in ["e2e4", "e7e5", "g1f3"].into_iter().enumerate() {
            assert_eq!(game.act(&self.router, ply % 2, ply, action).await.status, 200);
        }
        game
    }

    /// Connects a player and disconnects them again.
    fn visit(&self, game: &Pair, seat: Seat) {
        drop(self.app.streams.follow(&game.id, vec![seat]));
    }

    async fn page(&self, game: &Pair) -> String {
        let mut request = super::request(axum::http::Method::GET, &format!("/games/{}", game.id));
        let cookie = format!("seat-{}={}", game.id, game.tokens[0]);
        request.headers_mut().insert("cookie", cookie.parse().unwrap());
        ask(&self.router, request).await.page(200).to_owned()
    }

    async fn refusal(&self, game: &Pair, seat: usize, action: &str) -> String {
        let problem = game.act(&self.router, seat, 3, action).await.problem(422);
        problem["detail"].as_str().unwrap().to_lowercase()
    }

    async fn claim_at(&self, game: &Pair, seat: usize) -> Value {
        ask(&self.router, looking(&game.id, &game.tokens[seat])).await.json()["claim_at"].clone()
    }
}

#[test]
fn absence_depends_on_the_time_control() {
    let fischer = |initial, increment| Clock::Fischer { initial, increment }.absence();
    let expected = [(60, 0, 10), (180, 0, 30), (300, 5, 30), (600, 5, 60), (3_600, 0, 120), (1_800, 30, 120)];
    for (initial, increment, seconds) in expected {
        assert_eq!(fischer(initial, increment), Some(1_000 * seconds), "{initial}+{increment}");
    }
    assert_eq!(Clock::Days { days: 1 }.absence(), None);
}

#[tokio::test]
async fn win_is_claimed_against_an_opponent_who_has_left() {
    let site = Site::new();
    let game = site.game(json!({"initial": 60, "increment": 0})).await;
    for action in ["claim victory", "call draw"] {
        assert!(site.refusal(&game, 0, action).await.contains("has not seen your opponent leave"));
    }
    let connection = site.app.streams.follow(&game.id, vec![Seat::Two]);
    assert!(site.refusal(&game, 0, "claim victory").await.contains("your opponent is connected"));
    let left = site.wait(5);
    drop(connection);
    assert_eq!(site.claim_at(&game, 0).await, left + 10_000);
    site.wait(4);
    assert!(site.refusal(&game, 0, "claim victory").await.contains("from 2023-11-14t22:13:35z, in 6 s"));
    // A new visit starts the countdown again, and so does a request of the player.
    site.visit(&game, Seat::Two);
    site.wait(3);
    assert_eq!(site.claim_at(&game, 1).await, Value::Null, "the absent player sees no claim");
    site.wait(9);
    assert!(site.refusal(&game, 0, "claim victory").await.contains("in 1 s"));
    site.wait(1);
    let public = get(&site.router, &format!("/api/games/{}", game.id)).await.json();
    assert_eq!(public["claim_at"], Value::Null, "spectators see no claim");
    let won = game.act(&site.router, 0, 3, "claim victory").await.json();
    assert_eq!(won["outcome"], json!({"winner": "one", "reason": "a player left the game"}));
    let table = site.app.play.look(&game.id).await.unwrap();
    assert_eq!(difference(&table.game, table.controls()), None, "the record replays without the presence");
    let pgn = get(&site.router, &format!("/games/{}/record.pgn", game.id)).await.body;
    assert!(pgn.contains("[Termination \"abandoned\"]") && pgn.contains("[%say one claim victory]"), "{pgn}");
    let page = get(&site.router, &format!("/games/{}", game.id)).await;
    assert!(page.page(200).contains("Black left the game."), "{}", page.body);
}

#[tokio::test]
async fn claims_need_a_running_clock_of_an_absent_person_to_move() {
    let site = Site::new();
    let bullet = json!({"initial": 60, "increment": 0});
    let game = site.game(bullet.clone()).await;
    site.visit(&game, Seat::One);
    site.visit(&game, Seat::Two);
    site.wait(20);
    assert!(site.refusal(&game, 1, "claim victory").await.contains("only while your opponent is to act"));
    site.wait(10);
    assert_eq!(game.act(&site.router, 0, 3, "call draw").await.json()["outcome"]["winner"], Value::Null);

    // The time before the own turn does not count.
    let game = site.game(bullet.clone()).await;
    site.visit(&game, Seat::One);
    site.wait(30);
    assert_eq!(game.act(&site.router, 1, 3, "b8c6").await.status, 200);
    let refused = game.act(&site.router, 1, 4, "claim victory").await.problem(422);
    assert!(refused["detail"].as_str().unwrap().contains("in 10 s"), "{refused}");

    let waiting = begin(&site.router, json!({"variant": "chess", "clock": bullet})).await;
    site.visit(&waiting, Seat::One);
    site.wait(20);
    let refused = waiting.act(&site.router, 1, 0, "claim victory").await.problem(422);
    assert!(refused["detail"].as_str().unwrap().contains("clocks have not started"), "{refused}");
    let slow = site.game(json!({"days": 1})).await;
    site.visit(&slow, Seat::Two);
    site.wait(1_000);
    assert!(site.refusal(&slow, 0, "claim victory").await.contains("only the clock decides"));

    let alone = post(
        &site.router,
        "/api/games",
        None,
        json!({"variant": "chess", "opponent": "self", "clock": {"initial": 60, "increment": 0}}),
    );
    let alone = alone.await.json();
    let tokens = [0, 1].map(|seat| alone["seats"][seat]["token"].as_str().unwrap().to_owned());
    let alone = Pair { id: alone["id"].as_str().unwrap().to_owned(), tokens };
    assert_eq!(alone.act(&site.router, 0, 0, "e2e4").await.status, 200);
    let refused = alone.act(&site.router, 0, 1, "claim victory").await.problem(422);
    assert!(refused["detail"].as_str().unwrap().contains("only against a person who has left"), "{refused}");
}

#[tokio::test]
async fn page_counts_down_and_then_offers_the_claims() {
    let site = Site::new();
    let game = site.game(json!({"initial": 60, "increment": 0})).await;
    site.visit(&game, Seat::Two);
    let early = site.page(&game).await;
    assert!(early.contains("Black left. You can claim the win in <span data-left=\"10000\">0:10</span>."), "{early}");
    assert!(!early.contains("value=\"claim victory\""));
    site.wait(10);
    let late = site.page(&game).await;
    assert!(late.contains("value=\"claim victory\"") && late.contains("value=\"call draw\""), "{late}");
}

#[tokio::test]
async fn game_without_a_clock_is_claimed_after_the_agreed_days() {
    let site = Site::new();
    for (claim_days, days) in [(Value::Null, 14), (json!(3), 3)] {
        let game = begin(&site.router, json!({"variant": "chess", "claim_days": claim_days})).await;
        assert_eq!(game.act(&site.router, 0, 0, "e2e4").await.status, 200);
        site.wait(86_400 * days - 1);
        let refused = game.act(&site.router, 0, 1, "claim victory").await.problem(422);
        assert!(refused["detail"].as_str().unwrap().contains("in 1 s"), "{refused}");
        assert!(!site.page(&game).await.contains("value=\"claim victory\""));
        site.wait(1);
        let page = site.page(&game).await;
        assert!(page.contains(&format!("Black has not acted for {days} days.")), "{page}");
        assert!(page.contains("value=\"claim victory\""), "{page}");
        assert_eq!(game.act(&site.router, 0, 1, "claim victory").await.json()["outcome"]["winner"], "one");
        let table = site.app.play.look(&game.id).await.unwrap();
        assert_eq!(difference(&table.game, table.controls()), None);
        // The rematch keeps the days.
        for seat in [0, 1] {
            assert_eq!(game.act(&site.router, seat, 2, "rematch").await.status, 200);
        }
        let rematch = site.app.play.look(&game.id).await.unwrap().rematch.clone().unwrap();
        assert_eq!(i64::from(site.app.play.look(&rematch).await.unwrap().game.absence_days()), days);
    }
    let clock = json!({"initial": 60, "increment": 0});
    for wrong in [json!({"claim_days": 0}), json!({"claim_days": 366}), json!({"claim_days": 3, "clock": clock})] {
        let mut wanted = json!({"variant": "chess"});
        wanted.as_object_mut().unwrap().extend(wrong.as_object().unwrap().clone());
        post(&site.router, "/api/games", None, wanted).await.problem(422);
    }
}

impl Site {
    /// Acts at the current ply of a game.
    async fn act(&self, game: &Pair, seat: usize, action: &str) -> super::Answer {
        let ply = game.look(&self.router).await["ply"].as_u64().unwrap();
        game.act(&self.router, seat, usize::try_from(ply).unwrap(), action).await
    }

    async fn play(&self, game: &Pair, actions: &[(usize, &str)]) {
        for (seat, action) in actions {
            let answer = self.act(game, *seat, action).await;
            assert_eq!(answer.status, 200, "{action}: {}", answer.body);
        }
    }
}

#[tokio::test]
async fn claim_in_a_bookie_match_settles_the_stakes_and_ends_the_match() {
    let site = Site::new();
    let clock = json!({"initial": 60, "increment": 0});
    let left = "a player left the game";
    for (action, reason, points) in
        [("claim victory", left, ["0", "87"]), ("call draw", "more points", ["35/2", "87/2"])]
    {
        let wanted = json!({"variant": "bookie", "options": {"deals": 3}, "clock": clock});
        let game = begin(&site.router, wanted).await;
        site.play(&game, &[(0, "bid 87"), (1, "bid 65")]).await;
        site.visit(&game, Seat::One);
        site.wait(9);
        let early = site.act(&game, 1, action).await.problem(422);
        assert!(early["detail"].as_str().unwrap().contains("in 1 s"), "{early}");
        site.wait(1);
        let over = site.act(&game, 1, action).await.json();
        assert_eq!(over["outcome"], json!({"winner": "two", "reason": reason}), "{action}");
        assert_eq!(over["score"], json!({"one": points[0], "two": points[1]}), "the stakes of the bids");
        let table = site.app.play.look(&game.id).await.unwrap();
        assert_eq!(difference(&table.game, table.controls()), None);
    }
}

#[tokio::test]
async fn claim_before_the_bids_are_open_is_void() {
    let site = Site::new();
    let wanted = json!({"variant": "bookie", "clock": {"initial": 60, "increment": 0}});
    for action in ["claim victory", "call draw"] {
        let game = begin(&site.router, wanted.clone()).await;
        site.play(&game, &[(0, "bid 87")]).await;
        site.visit(&game, Seat::Two);
        site.wait(10);
        let over = site.act(&game, 0, action).await.json();
        let reason = "a player left before the bids were open";
        assert_eq!(over["outcome"], json!({"winner": null, "reason": reason}));
        assert_eq!(over["score"], json!({"one": "0", "two": "0"}));
    }
}

#[tokio::test]
async fn claim_in_a_handicap_game_follows_the_bid_for_time() {
    let site = Site::new();
    let game = async |prize: &str| {
        let game =
            begin(&site.router, json!({"variant": "handicap", "options": {"prize": prize, "increment": 0}})).await;
        site.play(&game, &[(0, "seconds 100"), (1, "seconds 200")]).await;
        let colors = game.look(&site.router).await["view"]["diagram"]["colors"].clone();
        let white = usize::from(colors["one"] != "white");
        site.play(&game, &[(white, "e2e4")]).await;
        (game, white)
    };
    // Seat one plays with 100 seconds, which is a bullet game, and seat two with the full time.
    let (armageddon, white) = game("black").await;
    assert_eq!(white, 1);
    site.visit(&armageddon, Seat::One);
    site.wait(10);
    let refused = site.act(&armageddon, 1, "call draw").await.problem(422);
    assert!(refused["detail"].as_str().unwrap().contains("draw is a win for Black"), "{refused}");
    assert_eq!(site.act(&armageddon, 1, "claim victory").await.json()["outcome"]["winner"], "two");

    let (even, white) = game("white").await;
    assert_eq!(white, 0);
    site.visit(&even, Seat::Two);
    site.wait(10);
    let early = site.act(&even, 0, "call draw").await.problem(422);
    assert!(early["detail"].as_str().unwrap().contains("in 20 s"), "{early}");
    site.wait(20);
    let over = site.act(&even, 0, "call draw").await.json();
    assert_eq!(over["outcome"], json!({"winner": null, "reason": "a player left the game"}));
}
