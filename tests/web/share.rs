//! Public content for other sites: pictures, previews and embeds. Also the stream of a game's page.

use super::*;
use serde_json::{Value, json};

async fn begin(site: &Router) -> Value {
    let body = json!({"variant": "chess", "opponent": "self"}).to_string();
    let request = Request::builder().method(Method::POST).uri("/api/games").header("host", "zork.example");
    let request = request.header("content-type", "application/json").body(Body::from(body)).unwrap();
    ask(site, request).await.json()
}

async fn act(site: &Router, game: &Value, seat: usize, ply: usize, action: &str) {
    let body = json!({"ply": ply, "action": action}).to_string();
    let path = format!("/api/games/{}/actions", game["id"].as_str().unwrap());
    let request = Request::builder().method(Method::POST).uri(path).header("host", "zork.example");
    let token = format!("Bearer {}", game["seats"][seat]["token"].as_str().unwrap());
    let request = request.header("content-type", "application/json").header("authorization", token);
    assert_eq!(ask(site, request.body(Body::from(body)).unwrap()).await.status, 200);
}

#[tokio::test]
async fn pictures_change_only_with_the_game() {
    let site = site();
    let game = begin(&site).await;
    let base = format!("/games/{}", game["id"].as_str().unwrap());
    for (name, kind) in [("image.svg", "image/svg+xml"), ("image.png", "image/png")] {
        let path = format!("{base}/{name}");
        let first = get(&site, &path).await;
        assert_eq!((first.status.as_u16(), first.header("content-type")), (200, kind));
        assert_eq!(first.header("cross-origin-resource-policy"), "cross-origin");
        assert_eq!(first.header("cache-control"), "public, no-cache");
        let mut again = request(Method::GET, &path);
        again.headers_mut().insert("if-none-match", first.headers["etag"].clone());
        assert_eq!(ask(&site, again).await.status, 304);
    }
    let before = get(&site, &format!("{base}/image.svg")).await;
    act(&site, &game, 0, 0, "e2e4").await;
    let after = get(&site, &format!("{base}/image.svg")).await;
    assert_ne!(before.header("etag"), after.header("etag"));
    assert_ne!(before.body, after.body);
    get(&site, "/games/nowhere/image.png").await.page(404);
}

#[tokio::test]
async fn any_position_can_be_drawn() {
    let site = site();
    for fen in ["8/8/8/8/8/8/8/8", "3k/3Q/4/K3", "3k4/2n1R2b/1N4q1/4r3/2B5/6R1/7N/K7_b_-_-_0_1", "1"] {
        let drawn = get(&site, &format!("/diagram.svg?fen={fen}")).await;
        assert_eq!(drawn.status, 200, "{fen}: {}", drawn.body);
        let squares = drawn.body.matches("h45v45h-45z").count();
        let rows: Vec<&str> = fen.split(['_', ' ']).next().unwrap().split('/').collect();
        let wide: u32 = rows[0].chars().map(|letter| letter.to_digit(10).unwrap_or(1)).sum();
        assert_eq!(squares, rows.len() * wide as usize, "{fen}");
        assert!(drawn.header("cache-control").contains("max-age"));
        assert_eq!(get(&site, &format!("/diagram.png?fen={fen}")).await.header("content-type"), "image/png");
    }
    // Only the picture of a deal mentions the deal.
    let fen = "8/2R3n1/8/4Q3/1b6/8/3q4/8";
    let mut pictures = Vec::new();
    // Pieces in hand and promoted pieces, as in FENs of crazyhouse.
    let held = get(&site, "/diagram.svg?fen=4k3/8/8/8/8/8/8/3Q~K3[Nnp]").await;
    assert_eq!((held.status.as_u16(), held.header("content-type")), (200, "image/svg+xml"), "{}", held.body);
    assert_eq!(get(&site, "/diagram.png?fen=4k3/8/8/8/8/8/8/3QK3[Nnp]").await.header("content-type"), "image/png");
    assert!(get(&site, "/diagram.svg?fen=4k3/8/8/8/8/8/8/3QK3[Nxp]").await.page(400).contains("x"));
    for name in ["diagram.png", "diagram/bookie.png", "diagram/bookie-revealed.png"] {
        let drawn = get(&site, &format!("/{name}?fen={fen}")).await;
        assert_eq!(drawn.header("content-type"), "image/png", "{name}");
        assert!(!pictures.contains(&drawn.header("etag").to_owned()), "{name}");
        pictures.push(drawn.header("etag").to_owned());
    }
    for fen in
        ["", "zz", "9/9", "8/8/8/8/8/8/8/8/8", "%3Csvg%3E", "8/8/8/8/8/8/8/8_x", "8/8/8/8/8/8/8/8_w_-_-_x", "k7/8"]
    {
        let status = get(&site, &format!("/diagram.svg?fen={fen}")).await.status.as_u16();
        assert!(status == 400 || fen == "k7/8" && status == 200, "{fen}: {status}");
    }
    get(&site, "/diagram.svg").await.page(400);
}

/// `content` of a meta tag.
fn meta<'p>(page: &'p str, property: &str) -> &'p str {
    let after = page.split(&format!("\"{property}\" content=\"")).nth(1).unwrap_or_else(|| panic!("no {property}"));
    after.split('"').next().unwrap()
}

#[tokio::test]
async fn previews_use_absolute_addresses() {
    let site = site();
    let game = begin(&site).await;
    let url = game["url"].as_str().unwrap();
    let position = get(&site, "/api/bookie").await.json();
    for page in [url, position["url"].as_str().unwrap()] {
        let path = page.strip_prefix("http://zork.example").unwrap();
        let body = get(&site, path).await.body;
        assert_eq!(meta(&body, "og:url"), page);
        assert_eq!(meta(&body, "twitter:card"), "summary_large_image");
        let image = meta(&body, "og:image").strip_prefix("http://zork.example").unwrap();
        assert_eq!(get(&site, image).await.header("content-type"), "image/png", "{image}");
    }
    // Before the reveal, the preview shows neither pawns nor kings.
    let body = get(&site, position["url"].as_str().unwrap().strip_prefix("http://zork.example").unwrap()).await.body;
    let fen = meta(&body, "og:image").split_once("fen=").unwrap().1;
    assert!(!fen.contains(['p', 'P', 'k', 'K']), "{fen}");

    let rich = get(&site, &format!("/oembed?url={url}&maxwidth=300")).await.json();
    assert_eq!((rich["version"].as_str(), rich["type"].as_str()), (Some("1.0"), Some("rich")));
    assert_eq!(rich["width"], 300);
    let frame = rich["html"].as_str().unwrap().split('"').nth(1).unwrap();
    let embed = get(&site, frame.strip_prefix("http://zork.example").unwrap()).await;
    assert!(embed.header("content-security-policy").contains("frame-ancestors *"));
    assert!(!embed.body.contains("<button") && embed.body.contains("class=\"board\""));
    assert_eq!(get(&site, &format!("/oembed?url={url}&format=xml")).await.status, 501);
    get(&site, "/oembed?url=http://elsewhere.example/games/abc").await.page(404);
}

#[tokio::test]
async fn page_stream_shows_the_seats_view() {
    let site = site();
    let game = begin(&site).await;
    act(&site, &game, 0, 0, "e2e4").await;
    let path = format!("/games/{}/events", game["id"].as_str().unwrap());
    let token = game["seats"][1]["token"].as_str().unwrap();
    let cookie = format!("seat-{}={token}", game["id"].as_str().unwrap());
    let first = async |cookie: Option<&str>, last: Option<&str>| {
        let mut request = request(Method::GET, &path);
        for (name, value) in [("cookie", cookie), ("last-event-id", last)] {
            if let Some(value) = value {
                request.headers_mut().insert(name, value.parse().unwrap());
            }
        }
        let answer = site.clone().oneshot(request).await.unwrap();
        assert_eq!(answer.headers()["content-type"], "text/event-stream");
        // Events about spectators have no id and may come before the game's first event.
        let (mut body, mut read) = (answer.into_body(), String::new());
        while !read.contains("id:") {
            let frame = body.frame().await.unwrap().unwrap();
            read.push_str(std::str::from_utf8(&frame.into_data().unwrap()).unwrap());
        }
        read
    };
    let public = first(None, None).await;
    assert!(public.contains("event: game") && public.contains("id: 1\n") && public.contains("data-ply=\"1\""));
    assert!(public.contains("id=\"choices\">[]</script>"), "spectators have no actions");
    let black = first(Some(&cookie), None).await;
    assert!(black.contains("\"action\":\"e7e5\"") && black.contains("data-side=\"black\""));
    assert!(!black.contains("<html"), "only the part that updates");
    act(&site, &game, 1, 1, "e7e5").await;
    assert!(first(None, Some("1")).await.contains("id: 2\n"));
    get(&site, "/games/nowhere/events").await.page(404);
}
