//! Wording of pages: they use names and colours, never seats, raw positions or actions of a finished game. Each deal of a match ends on a
//! page that every viewer sees.

use super::{games::Browser, labels::begun, stakes::Game, *};
use serde_json::json;
use std::sync::atomic::{AtomicI64, Ordering};
use zorkmid::{bots::Bot, registry::VARIANTS};

/// Text of a part of a page, without tags.
fn text(page: &str, from: &str, to: &str) -> String {
    let part = page.split_once(from).map_or("", |(_, rest)| rest);
    let part = part.split_once(to).map_or(part, |(part, _)| part);
    part.split('<').map(|piece| piece.split_once('>').map_or(piece, |(_, text)| text)).collect::<Vec<_>>().join(" ")
}

/// Lines of a page's move list as they are spoken.
fn spoken(page: &str) -> Vec<&str> {
    page.split("data-spoken=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// The first technical term on a page, if there is one.
fn odd(page: &str) -> Option<String> {
    let said = text(page, "<div class=\"round\"", "<footer");
    let account = text(page, "<h2>Moves</h2>", "</table>");
    let seats =
        ["seat one", "seat two", "seat1", "seat2", "First:", "Second:"].into_iter().find(|odd| said.contains(odd));
    let placement = |word: &&str| word.matches('/').count() > 5;
    seats.map(str::to_owned).or_else(|| account.split_whitespace().find(placement).map(str::to_owned))
}

#[tokio::test]
async fn pages_never_mention_seats_or_turns_after_the_end() {
    let app = app(patient());
    let site = router(app.clone());
    let mut rng = StdRng::seed_from_u64(11);
    for variant in VARIANTS {
        let options =
            if variant.key == "bookie" { json!({"deals": 2, "tie": "rebid", "coin_toss": true}) } else { json!({}) };
        let id = begun(&app, variant.key, options).await;
        for step in 0..200 {
            let table = app.play.look(&id).await.unwrap();
            let Some(seat) = table.game.awaits().first().copied() else { break };
            let action = match step {
                40.. => "resign".to_owned(),
                _ => table.game.advise(seat, Bot::Random, &mut rng, &mut || true).unwrap(),
            };
            if app.play.act(&id, seat, None, &action, None).await.is_err() {
                let action = table.game.advise(seat, Bot::Random, &mut rng, &mut || true).unwrap();
                app.play.act(&id, seat, None, &action, None).await.unwrap();
            }
            if step % 8 == 0 {
                let page = get(&site, &format!("/games/{id}")).await;
                assert_eq!(odd(page.page(200)), None, "{}", variant.key);
                for line in spoken(&page.body) {
                    assert!(!line.contains(['@', '#', '=', '+', '$']), "{} speaks in notation: {line}", variant.key);
                    let named = |capture: &str| capture.split_once(" on ").is_some_and(|(victim, _)| victim.len() > 2);
                    assert!(line.split(" takes ").skip(1).all(named), "{}: no name in {line}", variant.key);
                }
            }
        }
        let page = get(&site, &format!("/games/{id}")).await;
        assert_eq!(odd(page.page(200)), None, "{}", variant.key);
        assert!(page.body.contains("data-over=\"1\""), "{}", variant.key);
        let said = text(&page.body, "<div class=\"round\"", "<footer");
        for gone in ["Draw in ", "Offer draw", " to move", "Your turn", "Type a move"] {
            assert!(!said.contains(gone), "{} shows “{gone}” after the end: {said}", variant.key);
        }
        let place = |words: &str| page.body.find(words).unwrap_or_else(|| panic!("{}: no {words}", variant.key));
        let order = ["<h1>", "New opponent", "<h2>Moves</h2>", "class=\"score\"", ">Review<", ">PGN<"].map(place);
        assert!(order.is_sorted(), "{}: the result comes first", variant.key);
    }
}

#[tokio::test]
async fn sealed_bids_are_shown_once_opened() {
    let site = site();
    for (tie, bids, words) in [
        ("marker", ["one bid 20", "two bid 30"], "White bid <strong>20</strong>, Black <strong>30</strong>."),
        ("marker", ["one bid 37", "two bid 37"], "Black <strong>37</strong>: equal bids, the marker decided"),
        (
            "loser",
            ["one bid 37", "two bid 37"],
            "equal bids, the move went to the player who did not get the last one.",
        ),
    ] {
        let game = Game::begin(&site, "bidding", json!({"scheme": "secret", "tie": tie})).await;
        let page = async || game.get(&format!("/games/{}", game.id), None).await.page(200).to_owned();
        game.say(&bids[..1]).await;
        assert!(!page().await.contains("White bid"), "the second bid is not in yet");
        game.say(&bids[1..]).await;
        let opened = page().await;
        assert!(opened.contains(words), "{words} in {opened}");
    }
}

#[tokio::test]
async fn deal_ends_on_its_own_page() {
    let site = site();
    let game = Game::begin(&site, "bookie", json!({"deals": 2})).await;
    let path = format!("/games/{}", game.id);
    let page =
        async |query: &str, seat: Option<usize>| game.get(&format!("{path}{query}"), seat).await.page(200).to_owned();
    game.say(&["one bid 87", "two bid 65"]).await;
    let revealed = page("", Some(0)).await;
    assert!(revealed.contains("You play White: a win pays you 35, a loss pays your opponent 87."), "{revealed}");
    assert!(page("", Some(1)).await.contains("You play Black: a win pays you 87, a loss pays your opponent 35."));
    assert!(page("", None).await.contains("A win pays White 35 and Black 87."));
    game.say(&["two resign"]).await;
    let ends = |page: &str| page.contains("<h1>Deal 1 is over</h1>") && page.contains("Start deal 2");
    for seat in [None, Some(0), Some(1)] {
        let over = page("", seat).await;
        assert!(ends(&over) && over.contains("White wins: resignation. White gets 35, Black gets 0."), "{over}");
        assert!(over.contains("white king") && !over.contains("id=\"bid\""), "the board of the finished deal");
        let next = page("?deal=2", seat).await;
        assert!(!ends(&next) && !next.contains("white king"));
        assert_eq!(next.contains("id=\"bid\"") && next.contains("name=\"deal\" value=\"2\""), seat.is_some());
    }
    let ply = game.see(None).await["ply"].as_u64().unwrap();
    assert!(page(&format!("/ply/{}", ply - 1), None).await.contains("<h1>Deal 1 is over</h1>"), "in the replay too");
    game.say(&["one bid 20"]).await;
    assert!(!ends(&page("", Some(0)).await), "the player who has bid has moved on");
    assert!(ends(&page("", Some(1)).await) && ends(&page("", None).await), "other viewers have not");
    game.say(&["two bid 60"]).await;
    let second = page("", None).await;
    assert!(!ends(&second) && second.matches("<tr class=\"deal\">").count() == 2);
    game.say(&["one resign"]).await;
    assert!(page("", None).await.contains("Both players’ points after each turn"));
}

/// Lines of a game's move list as they are spoken to a spectator.
async fn lines(game: &Game<'_>) -> Vec<String> {
    let page = game.get(&format!("/games/{}", game.id), None).await;
    spoken(page.page(200)).into_iter().map(str::to_owned).collect()
}

#[tokio::test]
async fn spoken_lines_name_the_side_the_piece_and_the_payment() {
    let site = site();
    let game = Game::begin(&site, "bidding", json!({"scheme": "secret", "white": 100, "black": 100})).await;
    game.say(&["one bid 10", "two bid 30", "two g8f6"]).await;
    let paid = "Black: bid 30. Black pays 30 and moves; White 130, Black 70";
    assert_eq!(lines(&game).await, ["White: bid 10", paid, "Black: knight f6"]);

    for (sheet, guessed) in [
        (
            "g1f3 g1 g1f3",
            "Black guessed right that the knight on g1 moves to f3, twice, for 22 zorkmids, and that the knight on g1 moves, \
             for 7 zorkmids. Purses: White 0, Black 89",
        ),
        ("e2", "Black guessed wrong. Purses: White 0, Black 60"),
        ("", "Black guessed nothing. Purses: White 0, Black 60"),
    ] {
        let game = Game::begin(&site, "clairvoyant", json!({"money_two": 60})).await;
        game.say(&[&format!("two guess {sheet}"), "one g1f3", "two accept"]).await;
        assert_eq!(lines(&game).await, [format!("White: knight from g1 to f3. {guessed}")]);
    }

    // Two players may pay the same.
    let game = Game::begin(&site, "csipgs", json!({"income_tenths": 100})).await;
    game.say(&["one buy N", "one keep", "two buy N", "two keep"]).await;
    let bought = lines(&game).await;
    assert!(bought.iter().all(|line| line.contains(": buys knight. Pays 3 zorkmids, keeps ")), "{bought:?}");

    // A hidden move is not described.
    let game = Game::begin(&site, "fog-of-war", json!({})).await;
    game.say(&["one g1f3"]).await;
    assert_eq!(lines(&game).await, ["White: moved in the fog"]);
    // Of a capture in the fog, only the owner of the piece knows which piece is gone.
    game.say(&["two e7e5", "one f3e5"]).await;
    let heard = async |seat: Option<usize>| {
        let page = game.get(&format!("/games/{}", game.id), seat).await;
        spoken(page.page(200)).last().map(|line| (*line).to_owned())
    };
    for (seat, words) in [
        (None, "White: moved in the fog"),
        (Some(0), "White: knight takes pawn on e5"),
        (Some(1), "White: takes pawn on e5 in the fog"),
    ] {
        assert_eq!(heard(seat).await.as_deref(), Some(words));
    }
}

#[tokio::test]
async fn spoken_captures_name_the_captured_piece() {
    const KING: &str = "8/8/8/7k/8/8/8/K2Q4 w - - 0 1";
    let site = site();
    for (variant, fen, action, words) in [
        ("chess", "4k3/8/8/7q/6P1/8/8/4K3 w - - 0 1", "one g4h5", "White: pawn from g takes queen on h5"),
        ("chess", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "one e5d6", "White: pawn from e takes pawn en passant on d6"),
        ("crazyhouse", "4k3/8/8/7q/6P1/8/8/4K3 w - - 0 1", "one g4h5", "White: pawn from g takes queen on h5"),
        ("atomic", "4k3/8/8/7q/6P1/8/8/4K3 w - - 0 1", "one g4h5", "White: pawn from g takes queen on h5"),
        ("duck", "4k3/8/8/7q/6P1/8/8/4K3 w - - 0 1", "one g4h5 a5", "White: pawn from g takes queen on h5, duck to a5"),
        (
            "raumschach",
            "5/5/5/5/K4|5/5/5/5/5|5/5/5/5/5|5/1Qp2/5/5/5|4k/5/5/5/5 w - - 0 1",
            "one Db4Dc4",
            "White: queen from Db4 takes pawn on Dc4",
        ),
        ("fog-of-war", KING, "one d1h5", "White: queen takes king on h5"),
        ("lrs", KING, "one d1h5", "White: queen takes king on h5"),
    ] {
        let game = Game::begin(&site, variant, json!({"fen": fen})).await;
        game.say(&[action]).await;
        assert_eq!(lines(&game).await, [words], "{variant}");
    }
    let fen = "4k3/8/8/3p3q/4P1P1/8/8/4K3 w - - 0 1";
    let game = Game::begin(&site, "clairvoyant", json!({"fen": fen, "money_one": 60})).await;
    game.say(&["two guess", "one g4h5 e4d5"]).await;
    let turn = "White: pawn from g4 takes queen on h5, then pawn from e4 takes pawn on d5. White paid ";
    assert!(lines(&game).await[0].starts_with(turn), "{:?}", lines(&game).await);
}

#[tokio::test]
async fn move_list_names_each_payment_and_toss_once() {
    let site = site();
    let options = json!({"fen": "8/8/8/8/3k4/8/8/K2R4", "scheme": "secret", "white": 100, "black": 100});
    let game = Game::begin(&site, "bidding", options).await;
    let page = async |game: &Game| game.get(&format!("/games/{}", game.id), None).await.page(200).to_owned();
    game.say(&["one bid 40", "two bid 30"]).await;
    assert_eq!(text(&page(&game).await, "<h2>Moves</h2>", "</table>").matches("White pays 40").count(), 1);
    game.say(&["one d1d4"]).await;
    let over = page(&game).await;
    let moves = text(&over, "<h2>Moves</h2>", "</table>");
    assert_eq!(moves.matches("White pays 40 and moves").count(), 1, "{moves}");
    assert!(moves.contains("Rxd4, king captured") && !moves.contains('#'), "{moves}");
    assert!(over.contains("the line shows White’s") && !over.contains("line second"), "the sum never changes: {over}");
    assert!(over.contains("og:image:alt\" content=\"The board of Bidding chess: "), "{over}");

    let game = Game::begin(&site, "random-turn", json!({})).await;
    let view = game.see(None).await;
    let seat = view["turn"]["awaits"][0].as_str().unwrap().to_owned();
    let side = if seat == "one" { "White" } else { "Black" };
    let first = page(&game).await;
    assert!(first.contains(&format!("The coin shows {side}.")) && first.contains("class=\"coin "), "{first}");
    game.say(&[if seat == "one" { "one e2e4" } else { "two e7e5" }]).await;
    let moves = text(&page(&game).await, "<h2>Moves</h2>", "</table>");
    assert_eq!((moves.matches("won the toss:").count(), moves.matches("wins the toss").count()), (1, 1), "{moves}");
}

#[tokio::test]
async fn result_of_a_match_is_that_of_the_match() {
    let app = app(patient());
    let site = router(app.clone());
    let game = Game::begin(&site, "bookie", json!({"deals": 2})).await;
    game.say(&["one bid 87", "two bid 10", "two resign", "one bid 60", "two bid 40", "one resign"]).await;
    let page = game.get(&format!("/games/{}", game.id), None).await.page(200).to_owned();
    assert!(page.contains("First player wins the match 90–60: after 2 deals."), "{page}");
    assert!(page.contains("<h1>First player won</h1>"));
    app.play.review_waiting().await.unwrap();
    let review = get(&site, &format!("/api/games/{}/review", game.id)).await.json();
    let chances = review["review"]["chances"].as_array().unwrap();
    assert_eq!(chances.last().unwrap(), 1000, "the winner of the match ends at 100 %: {review}");
}

#[tokio::test]
async fn no_draw_is_offered_while_the_stakes_are_decided() {
    let site = site();
    let game = Game::begin(&site, "bookie", json!({"deals": 2, "double": "2"})).await;
    let page = async |query: &str| game.get(&format!("/games/{}{query}", game.id), Some(0)).await.page(200).to_owned();
    game.say(&["one bid 87", "two bid 10"]).await;
    assert!(!page("").await.contains("end=draw") && !page("?end=draw").await.contains("value=\"draw\""));
    let resigning = page("?end=resign").await;
    assert!(
        resigning.contains("Resign </span>This deal</button>")
            && resigning.contains("Resign </span>The match</button>")
    );
    game.say(&["one play", "two play"]).await;
    assert!(page("").await.contains("end=draw") && page("?end=draw").await.contains("value=\"draw\""));
}

#[tokio::test]
async fn next_deal_waits_for_both_players() {
    let clock = Arc::new(AtomicI64::new(1_700_000_000_000));
    let site = {
        let clock = clock.clone();
        let play = Play::new(StdRng::seed_from_u64(7), store(), move || clock.load(Ordering::Relaxed));
        router(App::new(patient(), play, tables::tables()))
    };
    let (mut one, mut two) = (Browser::new(&site), Browser::new(&site));
    let fields = [
        ("variant", "bookie"),
        ("opponent", "link"),
        ("option-deals", "3"),
        ("clock", "fischer"),
        ("minutes", "1"),
        ("increment", "0"),
    ];
    let game = one.begin(&fields).await;
    let code = one.code(&game);
    two.post(&format!("/invite/{code}"), &[]).await;
    one.post(&game, &[("action", "bid"), ("action", "87")]).await;
    two.post(&game, &[("action", "bid"), ("action", "65")]).await;
    two.post(&game, &[("action", "resign")]).await;
    let over = one.get(&game).await.body;
    assert!(over.contains("The clocks start in <span data-left=\"20000\">0:20</span>"), "{over}");
    assert!(
        over.contains("value=\"continue\">Start deal 2</button>") && !over.contains("clocks are running"),
        "{over}"
    );
    let next = one.post(&game, &[("deal", "2"), ("action", "continue")]).await;
    let next = one.get(next.header("location")).await.body;
    assert!(next.contains("id=\"bid\"") && next.contains("data-left=\"20000\""), "{next}");
    two.post(&game, &[("deal", "2"), ("action", "continue")]).await;
    assert!(two.get(&game).await.body.contains("The clocks are running: your bid for deal 2 is due."));
    two.post(&game, &[("action", "resign")]).await;
    assert!(one.get(&game).await.body.contains("0:20</span>"));
    clock.fetch_add(21_000, Ordering::Relaxed);
    let late = one.get(&game).await.body;
    assert!(late.contains("your bid for deal 3 is due") && late.contains(">Start deal 3</a>"), "{late}");
    two.post(&game, &[("action", "resign match")]).await;
    let record = one.get(&format!("{game}/record.json")).await.json();
    let lines = record["lines"].as_array().unwrap();
    assert_eq!(lines.iter().filter(|line| line["action"] == "rest").count(), 2, "{record}");
}

#[tokio::test]
async fn score_table_keeps_names_and_numbers_of_every_deal() {
    let site = site();
    let (mut one, mut two) = (Browser::new(&site), Browser::new(&site));
    let fields = [("variant", "bookie"), ("opponent", "link"), ("name", "Anna"), ("option-deals", "2")];
    let game = one.begin(&fields).await;
    let code = one.code(&game);
    two.post(&format!("/invite/{code}"), &[("name", "Bert")]).await;
    for (bids, white) in [(["87", "65"], "Anna"), (["20", "60"], "Bert")] {
        let bidding = one.get(&format!("{game}?deal=2")).await.body;
        assert!(!bidding.contains("First player") && !bidding.contains("Second player"), "both have names");
        one.post(&game, &[("action", "bid"), ("action", bids[0])]).await;
        // Refused input stays on the page of the new deal.
        let refused = two.post(&game, &[("deal", "2"), ("action", "bid"), ("action", "101")]).await;
        assert!(refused.page(422).contains("value=\"bid 101\""));
        two.post(&game, &[("action", "bid"), ("action", bids[1])]).await;
        let page = one.get(&game).await.body;
        assert!(page.contains(&format!("White: {white} · Black: {}", if white == "Anna" { "Bert" } else { "Anna" })));
        let view = one.get(&format!("/api{game}")).await.json();
        let mover = if view["turn"]["awaits"][0] == "one" { &mut one } else { &mut two };
        let action = mover.get(&format!("/api{game}")).await.json()["actions"][0].as_str().unwrap().to_owned();
        assert_eq!(mover.post(&game, &[("action", &action)]).await.status, 303);
        two.post(&game, &[("action", "resign")]).await;
    }
    let page = one.get(&game).await.body;
    let account = text(&page, "<h2>Moves</h2>", "</table>");
    assert_eq!(account.matches(" 1. ").count(), 2, "the moves of each deal are numbered from one: {account}");
    for told in ["Anna: ", "87 on White", "Anna wins: resignation. Anna gets 35, Bert gets 0", "Bert: "] {
        assert!(account.contains(told), "{told} in {account}");
    }
    assert!(!page.contains("First player"), "both have names");
}

#[tokio::test]
async fn settings_of_a_game_are_listed() {
    let app = app(patient());
    for (options, facts) in [
        (
            json!({"raise_after_turns": 50, "raise_every_plies": 1, "income_tenths": 10, "white_tenths": 10}),
            &[
                "White’s money at the start: 1 zorkmid<",
                "Income grows by one zorkmid after turn: 50<",
                "Half-turns between further raises: 1<",
            ][..],
        ),
        (
            json!({"income_tenths": 100, "buy_in_design": true}),
            &["Preset: Super power<", "Income per turn: 10 zorkmids", "Pieces are bought in the design phase<"],
        ),
        (json!({"draw_offers": false}), &["Players may agree to a draw: no"]),
    ] {
        let id = begun(&app, "csipgs", options.clone()).await;
        let page = get(&router(app.clone()), &format!("/games/{id}")).await;
        for fact in facts {
            assert!(page.page(200).contains(fact), "{fact}: {}", page.body.split("class=\"about\"").last().unwrap());
        }
    }
}
