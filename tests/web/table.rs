//! Updates of a game's page: rematches, earlier steps, and their size on the wire.

use super::*;
use futures_util::StreamExt;
use serde_json::{Value, json};
use zorkmid::{bots::Bot, registry::VARIANTS};

/// Maximum bytes of an event about an ordinary move.
const EVENT: usize = 4096;

async fn post(site: &Router, path: &str, token: Option<&str>, body: Value) -> Answer {
    let mut request = request(Method::POST, path);
    request.headers_mut().insert("content-type", "application/json".parse().unwrap());
    if let Some(token) = token {
        request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    }
    *request.body_mut() = Body::from(body.to_string());
    ask(site, request).await
}

/// Begins a game with both seats. Returns its id and tokens.
async fn begin(site: &Router, variant: &str, options: Value) -> (String, [String; 2]) {
    let body = json!({"variant": variant, "options": options, "opponent": "self"});
    let begun = post(site, "/api/games", None, body).await.json();
    let token = |seat: usize| begun["seats"][seat]["token"].as_str().unwrap().to_owned();
    (begun["id"].as_str().unwrap().to_owned(), [token(0), token(1)])
}

async fn act(site: &Router, id: &str, token: &str, ply: u64, action: &str) -> Answer {
    post(site, &format!("/api/games/{id}/actions"), Some(token), json!({"ply": ply, "action": action})).await
}

/// A request with the cookie of a seat, or of none.
fn seated(path: &str, id: &str, token: Option<&str>) -> Request<Body> {
    let mut request = request(Method::GET, path);
    if let Some(token) = token {
        request.headers_mut().insert("cookie", format!("seat-{id}={token}").parse().unwrap());
    }
    request
}

/// A stream of events, read one by one.
pub(super) struct Events {
    body: axum::body::BodyDataStream,
    read: String,
}

impl Events {
    pub(super) async fn open(site: &Router, request: Request<Body>) -> Events {
        Events {
            body: site.clone().oneshot(request).await.unwrap().into_body().into_data_stream(),
            read: String::new(),
        }
    }

    /// The next event with a version, unparsed. Skips events about spectators.
    pub(super) async fn next(&mut self) -> String {
        loop {
            if let Some((event, rest)) = self.read.split_once("\n\n") {
                let event = event.to_owned();
                self.read = rest.to_owned();
                if field(&event, "event") == "audience" {
                    continue;
                }
                return event;
            }
            let more = tokio::time::timeout(PATIENCE, self.body.next()).await.unwrap().unwrap().unwrap();
            self.read.push_str(std::str::from_utf8(&more).unwrap());
        }
    }
}

/// Value of a field of an event.
pub(super) fn field(event: &str, name: &str) -> String {
    let lines = event.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn rematch_is_an_event_of_the_old_game() {
    let site = site();
    let (id, tokens) = begin(&site, "chess", json!({})).await;
    act(&site, &id, &tokens[0], 0, "resign").await.json();
    let mut page = Events::open(&site, seated(&format!("/games/{id}/events"), &id, Some(&tokens[0]))).await;
    let mut program = Events::open(&site, request(Method::GET, &format!("/api/games/{id}/events"))).await;
    let mut last = -1;
    for event in [page.next().await, program.next().await] {
        last = field(&event, "id").parse::<i64>().unwrap();
    }
    let ply = get(&site, &format!("/api/games/{id}")).await.json()["ply"].as_u64().unwrap();
    for token in &tokens {
        act(&site, &id, token, ply, "rematch").await.json();
    }
    let rematch = get(&site, &format!("/api/games/{id}")).await.json()["rematch"].as_str().unwrap().to_owned();
    for events in [&mut page, &mut program] {
        let (mut seen, mut told) = (last, false);
        while !told {
            let event = events.next().await;
            let version = field(&event, "id").parse::<i64>().unwrap();
            assert!(version > seen, "versions increase: {event}");
            (seen, told) = (version, event.contains(&rematch));
        }
    }
}

#[tokio::test]
async fn moments_match_the_page_of_each_step() {
    let app = app(patient());
    let site = router(app.clone());
    let mut rng = StdRng::seed_from_u64(3);
    for variant in VARIANTS {
        let (id, tokens) = begin(&site, variant.key, json!({})).await;
        for _ in 0..16 {
            let table = app.play.look(&id).await.unwrap();
            let Some(seat) = table.game.awaits().first().copied() else { break };
            let action = table.game.advise(seat, Bot::Random, &mut rng, &mut || false).unwrap();
            app.play.act(&id, seat, None, &action, None).await.unwrap();
        }
        let last = get(&site, &format!("/api/games/{id}")).await.json()["ply"].as_u64().unwrap();
        assert!(last > 3, "{} came to step {last}", variant.key);
        for (token, query) in [(None, ""), (Some(&tokens[0]), ""), (Some(&tokens[1]), ""), (Some(&tokens[1]), "flip=1")]
        {
            let token = token.map(String::as_str);
            let moments = ask(&site, seated(&format!("/games/{id}/moments?{query}"), &id, token)).await;
            assert_eq!(moments.header("cache-control"), "private, no-store, no-cache");
            let moments = moments.json()["moments"].as_array().unwrap().clone();
            assert_eq!(moments.len() as u64, last, "{}: all steps except the current one", variant.key);
            let mut parts = serde_json::Map::new();
            for (ply, moment) in moments.iter().enumerate() {
                for (name, sent) in moment.as_object().unwrap() {
                    match sent {
                        Value::Object(lines) => lines.iter().for_each(|(at, line)| {
                            parts[name][at.parse::<usize>().unwrap()] = line.clone();
                        }),
                        whole => drop(parts.insert(name.clone(), whole.clone())),
                    }
                }
                let page = ask(&site, seated(&format!("/games/{id}/ply/{ply}?{query}"), &id, token)).await;
                for (name, lines) in &parts {
                    let lines: Vec<&str> =
                        lines.as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
                    assert!(page.page(200).contains(&lines.join("\n")), "{} {ply} {name}", variant.key);
                }
                assert!(parts["board"].as_array().unwrap().len() > 4 && parts["far"] != parts["near"]);
                assert!(["far", "board", "near", "variant", "tables"].iter().all(|name| parts.contains_key(*name)));
            }
            // A client that knows earlier steps gets only new ones.
            let since = last.saturating_sub(1);
            let rest =
                ask(&site, seated(&format!("/games/{id}/moments?{query}&since={since}"), &id, token)).await.json();
            assert_eq!(rest["moments"].as_array().unwrap().len() as u64, last - since);
            if last > 0 {
                assert_eq!(rest["moments"][0]["board"], parts["board"], "{}", variant.key);
            }
        }
        for beyond in ["since=99999", "since=18446744073709551615", "since=x"] {
            get(&site, &format!("/games/{id}/moments?{beyond}")).await.json();
        }
    }
    get(&site, "/games/nowhere/moments").await.page(404);
}

/// Cuts an update into pieces, as both server and client do.
fn pieces(drawing: &str) -> Vec<String> {
    const CUTS: [&str; 10] = ["; ", "<td", "</td", "<button", "</button", "<svg", "<span", "<a ", "<input", "{\""];
    let mut pieces = vec![String::new()];
    for (at, letter) in drawing.char_indices() {
        let cut = CUTS.iter().any(|cut| drawing[at..].starts_with(cut)) || drawing[..at].ends_with('\n');
        if at > 0 && cut {
            pieces.push(String::new());
        }
        pieces.last_mut().unwrap().push(letter);
    }
    pieces
}

#[tokio::test]
async fn move_events_are_small_and_complete() {
    const MOVES: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6b8 d2d4 b8d7 \
        b1d2 c8b7 b3c2 f8e8 d2f1 e7f8 f1g3 g7g6 c1g5 h7h6 g5d2 f8g7 a1c1 c7c5 d4d5 a8c8 b2b4 c5b4 c3b4 d7b6";
    let site = site();
    for viewer in [None, Some(0), Some(1)] {
        let (id, tokens) = begin(&site, "chess", json!({})).await;
        let path = format!("/games/{id}/events");
        let seat = viewer.map(|seat: usize| tokens[seat].as_str());
        let mut events = Events::open(&site, seated(&path, &id, seat)).await;
        let mut known: Vec<Vec<String>> = vec![pieces(&field(&events.next().await, "data")), Vec::new()];
        let mut most = 0;
        for (ply, action) in MOVES.split_whitespace().enumerate() {
            act(&site, &id, &tokens[ply % 2], ply as u64, action).await.json();
            let event = events.next().await;
            assert_eq!(field(&event, "event"), "change");
            most = most.max(event.len());
            let said: Vec<Value> = serde_json::from_str(&field(&event, "data")).unwrap();
            let old = known.concat();
            assert_eq!(said[0], old.len());
            let (mut fresh, mut at) = (Vec::new(), 1);
            while at < said.len() {
                match &said[at] {
                    Value::String(piece) => {
                        let turn = |letter| match letter {
                            '"' => '\'',
                            '\'' => '"',
                            other => other,
                        };
                        fresh.push(piece.chars().map(turn).collect());
                    }
                    from => {
                        let (from, length) = (from.as_u64().unwrap() as usize, said[at + 1].as_u64().unwrap() as usize);
                        fresh.extend_from_slice(&old[from..from + length]);
                        at += 1;
                    }
                }
                at += 1;
            }
            // A new client gets the same content as a whole.
            let whole = Events::open(&site, seated(&path, &id, seat)).await.next().await;
            assert_eq!(field(&whole, "event"), "game");
            assert!(fresh.concat() == field(&whole, "data"), "{ply}");
            known = vec![fresh, known.swap_remove(0)];
        }
        eprintln!("an event of a move has at most {most} bytes");
        assert!(most <= EVENT, "{most} bytes");
    }
}

#[tokio::test]
async fn rematch_reaches_other_processes() {
    let shared = store();
    let site = |seed: u64| {
        let play = Play::new(StdRng::seed_from_u64(seed), shared.clone(), now);
        router(App::new(patient(), play, tables::tables()))
    };
    let (here, there) = (site(1), site(2));
    let (id, tokens) = begin(&here, "chess", json!({})).await;
    let look = format!("/api/games/{id}");
    act(&here, &id, &tokens[0], 0, "resign").await.json();
    let mut events = Events::open(&there, request(Method::GET, &format!("{look}/events"))).await;
    let ply = get(&there, &look).await.json()["ply"].as_u64().unwrap();
    let before = field(&events.next().await, "id").parse::<i64>().unwrap();
    // Each process gets one of the two offers.
    act(&here, &id, &tokens[0], ply, "rematch").await.json();
    act(&there, &id, &tokens[1], ply, "rematch").await.json();
    let rematch = get(&there, &look).await.json()["rematch"].as_str().unwrap().to_owned();
    assert_eq!(get(&here, &look).await.json()["rematch"], rematch.as_str());
    let mut seen = before;
    loop {
        let event = events.next().await;
        let version = field(&event, "id").parse::<i64>().unwrap();
        assert!(version > seen);
        seen = version;
        if event.contains(&rematch) {
            break;
        }
    }
}
