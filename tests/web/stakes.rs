//! Games for stakes on the site: the published worked example, secrecy of bids in every byte, a match from a shared code, and the viewers
//! of the endgame panel.

use super::*;
use axum::http::header;
use futures_util::StreamExt;
use serde_json::{Value, json};

pub(super) async fn send(site: &Router, path: &str, token: Option<&str>, body: Value) -> Answer {
    let mut request = request(Method::POST, path);
    if let Some(token) = token {
        request.headers_mut().insert(header::AUTHORIZATION, format!("Bearer {token}").parse().unwrap());
    }
    request.headers_mut().insert(header::CONTENT_TYPE, "application/json".parse().unwrap());
    *request.body_mut() = Body::from(body.to_string());
    ask(site, request).await
}

/// A game whose seats are both held by one client.
pub(super) struct Game<'s> {
    site: &'s Router,
    pub(super) id: String,
    pub(super) tokens: [String; 2],
}

impl<'s> Game<'s> {
    pub(super) async fn begin(site: &'s Router, variant: &str, options: Value) -> Game<'s> {
        let body = json!({"variant": variant, "options": options, "opponent": "self"});
        let begun = send(site, "/api/games", None, body).await;
        assert_eq!(begun.status, 201, "{}", begun.body);
        let begun = begun.json();
        let token = |at: usize| begun["seats"][at]["token"].as_str().unwrap().to_owned();
        Game { site, id: begun["id"].as_str().unwrap().to_owned(), tokens: [token(0), token(1)] }
    }

    /// The game as a seat or a spectator sees it.
    pub(super) async fn see(&self, seat: Option<usize>) -> Value {
        self.get(&format!("/api/games/{}", self.id), seat).await.json()
    }

    /// Requests an address as a seat's program or browser.
    pub(super) async fn get(&self, path: &str, seat: Option<usize>) -> Answer {
        let mut request = request(Method::GET, path);
        if let Some(seat) = seat {
            let token = &self.tokens[seat];
            request.headers_mut().insert(header::AUTHORIZATION, format!("Bearer {token}").parse().unwrap());
            request.headers_mut().insert(header::COOKIE, format!("seat-{}={token}", self.id).parse().unwrap());
        }
        // Streams never end: the game's first event is enough. Events about spectators have no id and may come before it.
        if path.ends_with("/events") {
            let answer = tower::ServiceExt::oneshot(self.site.clone(), request).await.unwrap();
            let (parts, body) = answer.into_parts();
            let (mut body, mut read) = (body.into_data_stream(), String::new());
            while !read.contains("id:") {
                let more = tokio::time::timeout(PATIENCE, body.next()).await.unwrap().unwrap().unwrap();
                read.push_str(&String::from_utf8_lossy(&more));
            }
            let body = read.split_off(read.find("id:").unwrap());
            return Answer { status: parts.status, headers: parts.headers, body };
        }
        ask(self.site, request).await
    }

    pub(super) async fn act(&self, seat: usize, action: &str) -> Answer {
        let ply = self.see(None).await["ply"].clone();
        let path = format!("/api/games/{}/actions", self.id);
        send(self.site, &path, Some(&self.tokens[seat]), json!({"ply": ply, "action": action})).await
    }

    /// Plays actions such as `one bid 40`.
    pub(super) async fn say(&self, lines: &[&str]) {
        for line in lines {
            let (seat, action) = line.split_once(' ').unwrap();
            let answer = self.act(usize::from(seat == "two"), action).await;
            assert_eq!(answer.status, 200, "{line}: {}", answer.body);
        }
    }
}

/// A site with fixed time and random seed, so that all ids, tokens and deals are reproducible.
pub(super) fn still() -> Router {
    tables::tables().solve(Size::ORTHODOX).unwrap();
    let play = Play::new(StdRng::seed_from_u64(7), store(), || 1_700_000_000_000);
    router(App::new(patient(), play, tables::tables()))
}

impl Game<'_> {
    /// Everything that a seat and a spectator can get through every channel. The seat's actions in `tries` are refused.
    pub(super) async fn told(&self, seat: usize, tries: &[&str]) -> Vec<String> {
        let id = &self.id;
        let mut channels = Vec::new();
        for viewer in [None, Some(seat)] {
            for path in [
                format!("/games/{id}"),
                format!("/games/{id}?draft=e2e4"),
                format!("/games/{id}?draft=guess&from=e2"),
                format!("/games/{id}/ply/0"),
                format!("/games/{id}/ply/{}", self.see(None).await["ply"]),
                format!("/games/{id}/events"),
                format!("/games/{id}/record.pgn"),
                format!("/games/{id}/record.json"),
                format!("/games/{id}/image.svg"),
                format!("/games/{id}/image.png"),
                format!("/games/{id}/embed"),
                format!("/api/games/{id}"),
                format!("/api/games/{id}/events"),
                format!("/api/games/{id}/review"),
                format!("/api/games/{id}/record.pgn"),
                format!("/api/games/{id}/record.json"),
                format!("/games/{id}/ply/99"),
                "/".to_owned(),
            ] {
                channels.push((path.clone(), self.get(&path, viewer).await));
            }
        }
        // Also refusals: illegal actions and a stale form.
        for action in tries {
            channels.push(((*action).to_owned(), self.act(seat, action).await));
        }
        let path = format!("/api/games/{id}/actions");
        let stale = send(self.site, &path, Some(&self.tokens[seat]), json!({"ply": 77, "action": "e2e4"})).await;
        stale.problem(409);
        channels.push(("stale".to_owned(), stale));
        let told = channels.into_iter().map(|(path, mut answer)| {
            let own = answer.header("x-request-id").to_owned();
            if !own.is_empty() {
                answer.body = answer.body.replace(&own, "ID");
            }
            for moving in ["x-request-id", "ratelimit-remaining", "ratelimit-reset", "date"] {
                answer.headers.remove(moving);
            }
            format!("{path}\n{} {:?}\n{}", answer.status, answer.headers, answer.body)
        });
        told.collect()
    }
}

#[tokio::test]
async fn worked_example_plays_as_published() {
    let site = site();
    for (lines, points, shown) in [
        (&["two resign"][..], ["35", "0"], "35"),
        (&["one resign"], ["0", "87"], "87"),
        (&["one draw", "two draw"], ["35/2", "87/2"], "<strong class=\"points\">43.5</strong>"),
    ] {
        let game = Game::begin(&site, "bookie", json!({})).await;
        let officers = game.see(None).await["view"]["diagram"]["fen"].clone();
        game.say(&["one bid 87"]).await;
        assert_eq!(game.see(Some(1)).await["view"]["bids"], Value::Null);
        game.say(&["two bid 65"]).await;
        let seen = game.see(None).await;
        assert_eq!(seen["view"]["bids"], json!({"one": 87, "two": 65}));
        assert_eq!(seen["view"]["diagram"]["colors"], json!({"one": "white", "two": "black"}), "Adam plays White");
        assert_eq!(seen["view"]["stakes"], json!({"one": "35", "two": "87"}));
        assert_eq!(seen["view"]["draw"], json!({"one": "35/2", "two": "87/2"}));
        assert_ne!(seen["view"]["diagram"]["fen"], officers, "pawns and kings are dealt");
        let code = seen["view"]["code"].as_str().unwrap().to_owned();
        let whole = get(&site, &format!("/api/bookie/{code}?reveal=1")).await.json();
        assert_eq!(whole["fen"], seen["view"]["diagram"]["fen"], "the code belongs to the dealt board");
        game.say(lines).await;
        let over = game.see(None).await;
        assert_eq!(over["score"], json!({"one": points[0], "two": points[1]}));
        assert!(over["outcome"].is_object());
        let page = get(&site, &format!("/games/{}", game.id)).await;
        assert!(page.page(200).contains(shown), "{shown}");
    }
    let game = Game::begin(&site, "bookie", json!({"handicap": "20", "handicapped": "two"})).await;
    game.say(&["one bid 60", "two bid 20", "one resign"]).await;
    assert_eq!(
        game.see(None).await["score"],
        json!({"one": "0", "two": "72"}),
        "Diane bid 60, and Carl has a handicap"
    );
}

#[tokio::test]
async fn no_byte_reveals_a_sealed_bid_before_both_are_in() {
    for (variant, options, before, bids) in [
        ("bookie", json!({}), &[][..], ["bid 73", "bid 4"]),
        ("bookie", json!({"double": "2"}), &["one bid 60", "two bid 40"], ["play", "concede"]),
        ("bidding", json!({"scheme": "secret", "white": 900_000, "black": 1_000_000}), &[], ["bid 873219", "bid -4"]),
        (
            "bidding",
            json!({"scheme": "secret", "white": 900_000, "black": 1_000_000, "fen": "8/8/8/8/3k4/8/8/K2N4", "panel": true}),
            &[],
            ["bid 873219", "bid -4"],
        ),
    ] {
        let mut worlds: Vec<Vec<String>> = Vec::new();
        for bid in bids {
            let site = still();
            let game = Game::begin(&site, variant, options.clone()).await;
            game.say(before).await;
            let own = game.act(0, bid).await;
            assert!(own.body.contains(bid), "the bidder sees the bid: {}", own.body);
            worlds.push(game.told(1, &["bid 99999999", "e2e4", "resign match", "nonsense"]).await);
        }
        for (one, other) in worlds[0].iter().zip(&worlds[1]) {
            assert_eq!(one, other, "{variant}");
        }
        assert!(worlds[0].iter().all(|told| !told.contains("873219")));
    }
}

#[tokio::test]
async fn buttons_start_a_match_with_a_shared_position() {
    let site = site();
    let shared = get(&site, "/bookie?first=black&double=5/2&black_wins_draws=1&handicap=20&handicapped=white").await;
    let path = shared.header("location").to_owned();
    let code = path[8..72].to_owned();
    {
        let page = get(&site, &path).await;
        let form = page.page(200).split("action=\"/games\"").nth(1).unwrap().split("</form>").next().unwrap();
        let ways: Vec<_> =
            form.split("name=\"opponent\" value=\"").skip(1).map(|way| way.split('"').next().unwrap()).collect();
        assert_eq!(ways, ["self", "link", "bot:steady"]);
        let fields = form.split("<input type=\"hidden\" name=\"").skip(1).map(|field| {
            let (name, rest) = field.split_once("\" value=\"").unwrap();
            format!("{name}={}", rest.split('"').next().unwrap().replace('/', "%2F"))
        });
        let fields = fields.collect::<Vec<_>>().join("&");
        for way in &ways[1..] {
            let begun = ask(&site, own_form("/games", format!("{fields}&opponent={way}"))).await;
            assert_eq!(begun.status, 303, "{way}: {}", begun.body);
        }
        let begun = ask(&site, own_form("/games", format!("{fields}&opponent=self"))).await;
        assert_eq!(begun.status, 303, "{}", begun.body);
        let there = begun.header("location").to_owned();
        assert!(get(&site, &there).await.page(200).contains("a player may have seen it before the bids."));
        let game = get(&site, &format!("/api{there}")).await.json();
        assert_eq!(game["view"]["known"], true);
        assert!(
            !game.to_string().replace(&code, "").contains("king"),
            "pawns and kings are hidden until the bids are open"
        );
        let agreed = &game["options"];
        let terms = ["code", "first", "double", "handicap", "handicapped"].map(|key| agreed[key].as_str().unwrap());
        assert_eq!(terms, [code.as_str(), "black", "5/2", "20", "white"]);
        assert_eq!(agreed["black_wins_draws"], true);
    }
}

const ROOK: &str = "8/8/2k5/4R3/8/8/8/3K4";

#[tokio::test]
async fn panel_is_for_spectators_and_players_who_agreed() {
    let site = solved();
    let heading = "<h2 id=\"tables\">";
    for (variant, panel) in [("bidding", false), ("bidding", true), ("random-turn", false), ("random-turn", true)] {
        let game = Game::begin(&site, variant, json!({"fen": ROOK, "panel": panel})).await;
        let page = format!("/games/{}", game.id);
        let events = format!("{page}/events");
        for (seat, advised) in [(None, true), (Some(0), panel), (Some(1), panel)] {
            let shown = game.see(seat).await;
            // In random-turn games, every viewer sees the chances and nothing else.
            let sees = advised || variant == "random-turn";
            assert_eq!(shown["panel"].is_object(), sees, "{variant} {panel} {seat:?}");
            let hints = ["white", "black"]
                .map(|side| shown["panel"][side]["moves"].as_array().is_some_and(|moves| !moves.is_empty()));
            assert_eq!(hints, [advised; 2], "{variant} {panel} {seat:?}: {shown}");
            let page_shown = game.get(&page, seat).await;
            assert_eq!(page_shown.page(200).contains("/endgames?fen="), advised, "{variant} {panel} {seat:?}");
            assert_eq!(page_shown.body.contains("Best moves"), advised, "{variant} {panel} {seat:?}");
            assert!(shown.get("swings").is_none());
            assert_eq!(game.get(&page, seat).await.page(200).contains(heading), sees);
            assert_eq!(game.get(&format!("{page}/ply/0"), seat).await.page(200).contains(heading), sees);
            assert_eq!(game.get(&events, seat).await.body.contains(heading), sees, "live updates contain the same");
            assert_eq!(game.get(&format!("/api{events}"), seat).await.body.contains("\"material\":\"KRvK\""), sees);
        }
        let value = game.see(None).await["panel"]["value"].clone();
        assert_eq!((&value["num"], &value["den"]), (&json!("249"), &json!("320")));
        game.say(&["one resign"]).await;
        for seat in [None, Some(0), Some(1)] {
            assert_eq!(game.see(seat).await["panel"], Value::Null, "the game is over");
            assert!(game.see(seat).await["swings"].is_array());
            assert!(
                game.get(&format!("{page}/ply/0"), seat).await.page(200).contains(heading),
                "every viewer can replay it"
            );
        }
    }
    let game = Game::begin(&site, "bidding", json!({})).await;
    assert_eq!(game.see(None).await["panel"], Value::Null, "no table has that many pieces");
    assert!(!game.get(&format!("/games/{}", game.id), None).await.body.contains(heading));
}

#[tokio::test]
async fn browser_with_both_seats_is_not_a_spectator() {
    let site = solved();
    let game = Game::begin(&site, "bidding", json!({"fen": ROOK, "scheme": "secret"})).await;
    let cookie = format!("seat-{}={}.{}", game.id, game.tokens[0], game.tokens[1]);
    let page = async |path: &str| {
        let mut request = request(Method::GET, &format!("/games/{}{path}", game.id));
        request.headers_mut().insert(header::COOKIE, cookie.parse().unwrap());
        ask(&site, request).await.page(200).to_owned()
    };
    for sealed in [false, true] {
        if sealed {
            game.say(&["one bid 7"]).await;
            assert!(page("").await.contains("class=\"curtain\""));
        }
        for path in ["", "?seat=one", "?seat=two", "/ply/0"] {
            assert!(!page(path).await.contains("<h2 id=\"tables\">"), "{path}");
        }
    }
}

#[tokio::test]
async fn replay_shows_where_the_win_changed_sides() {
    let site = solved();
    let game = Game::begin(
        &site,
        "bidding",
        json!({"fen": "R2k4/8/3K4/8/8/8/8/8", "white": 40, "black": 60, "scheme": "secret"}),
    )
    .await;
    game.say(&["one bid 2", "two bid 30", "two d8d7", "one bid 0", "two bid 30"]).await;
    game.say(&["two d7d6"]).await;
    let over = game.see(None).await;
    assert_eq!(over["outcome"], json!({"winner": "two", "reason": "king captured"}));
    let swings = over["swings"].as_array().unwrap();
    let lost = json!({"ply": 3, "from": "white", "to": "black", "what": "bid", "exact": true});
    assert_eq!(swings, &[lost], "White held 70 of 100 after his first bid, and lost the game with the second");
    for path in [String::new(), "/ply/3".to_owned(), "/ply/4".to_owned()] {
        let page = game.get(&format!("/games/{}{path}", game.id), Some(0)).await;
        assert!(page.page(200).contains("White gave away the win, and Black is now winning"));
        assert!(page.body.contains(&format!("href=\"/games/{}/ply/3\">Move 3</a>, bid 0 against bid 30", game.id)));
        assert_eq!(page.body.contains("aria-current=\"step\""), path == "/ply/3");
    }
    let before = game.get(&format!("/games/{}/ply/2", game.id), Some(1)).await;
    assert!(before.body.contains("White wins at the next move"), "{}", before.body);
    assert!(game.get(&format!("/games/{}/ply/3", game.id), Some(1)).await.body.contains("Black takes the king"));
}

#[tokio::test]
async fn panel_is_in_the_api_description() {
    let api = get(&site(), "/api/openapi.json").await.json();
    let answer = &api["components"]["schemas"]["BiddingChessGame"]["properties"];
    for part in ["panel", "swings", "view", "turn"] {
        assert!(answer[part].is_object(), "{part} in {answer}");
    }
    let advice = &api["components"]["schemas"]["Advice"]["properties"];
    let seen = {
        let site = solved();
        Game::begin(&site, "bidding", json!({"fen": ROOK})).await.see(None).await
    };
    for part in seen["panel"].as_object().unwrap().keys() {
        assert!(advice[part].is_object(), "{part} is described");
    }
    let name = advice["white"]["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
    let hint = &api["components"]["schemas"][name]["properties"];
    for part in seen["panel"]["white"].as_object().unwrap().keys() {
        assert!(hint[part].is_object(), "{part} of a side is described: {hint}");
    }
    // A result is an answer or a problem.
    assert_eq!(api["components"]["schemas"]["Outcome"]["oneOf"].as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn gambler_bot_follows_the_tables() {
    let site = solved();
    let options = json!({"fen": ROOK, "white": 700_000, "black": 300_000, "scheme": "secret"});
    let body = json!({"variant": "bidding", "options": options, "seat": "two", "opponent": "bot:gambler"});
    let begun = send(&site, "/api/games", None, body).await.json();
    let (id, token) = (begun["id"].as_str().unwrap(), begun["seats"][0]["token"].as_str().unwrap());
    until("the game is over", async || {
        let game = get(&site, &format!("/api/games/{id}")).await.json();
        if game["turn"]["awaits"].as_array().unwrap().contains(&json!("two")) {
            let text = game["panel"]["black"]["action"].as_str().unwrap();
            let body = json!({"ply": game["ply"], "action": text});
            let answer = send(&site, &format!("/api/games/{id}/actions"), Some(token), body).await;
            assert!(answer.status == 200 || answer.status == 409, "{text}: {}", answer.body);
        }
        game["outcome"].is_object()
    })
    .await;
    let game = get(&site, &format!("/api/games/{id}")).await.json();
    assert_eq!(game["outcome"], json!({"winner": "one", "reason": "king captured"}));
    assert_eq!(game["swings"], json!([]), "the win never changed sides");
}

#[tokio::test]
async fn every_rules_example_starts_a_game() {
    let site = site();
    for variant in zorkmid::registry::VARIANTS {
        let rules = format!("/rules/{}", variant.key);
        let book = zorkmid::web::variant_pages::rulebook(variant.key).unwrap();
        let mut pages = get(&site, &rules).await.page(200).to_owned();
        if book.notation.is_some() {
            pages += get(&site, &format!("{rules}/notation")).await.page(200);
        }
        let examples = examples::examples(&pages);
        assert!(!examples.is_empty(), "{}", variant.key);
        for (fields, _) in examples {
            let escape = |text: &str| {
                percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
            };
            let body: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={}", escape(value))).collect();
            let request = own_form("/games", body.join("&"));
            assert_eq!(ask(&site, request).await.status, 303, "{fields:?}");
        }
    }
}
