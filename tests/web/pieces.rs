//! Piece catalogue, pictures and embeds of pieces, and design sets and armies in addresses and files.

use serde_json::{Value, json};

use super::{ask, get, own_form, request, site};
use axum::http::Method;

/// Form fields of six designs. The tests expect the fourth.
const SET: &str = "piece=B&piece=BR&piece=fcFfmW&piece=WFfhN&piece=R&piece=royal-WF&opponent=self";

/// Main names of the pieces that an API query finds.
async fn found(query: &str) -> Vec<String> {
    let answer = get(&site(), &format!("/api/pieces?{query}")).await.json();
    let names = answer["pieces"].as_array().unwrap().iter().map(|piece| piece["names"][0].as_str().unwrap().to_owned());
    names.collect()
}

#[tokio::test]
async fn pieces_are_found_by_name_move_and_price() {
    assert!(found("").await.len() >= 150);
    assert_eq!(found("name=Empress").await, ["chancellor"]);
    assert_eq!(found("like=mWcW").await, ["wazir"]);
    assert_eq!(found("like=NN&how=beyond").await, ["nightrider", "banshee", "raven", "amazonrider"]);
    assert_eq!(found("like=royal-WF").await, ["king"]);
    assert_eq!(found("least=27/10&most=2.7&name=goat").await, ["kirin"]);
    let fools = get(&site(), "/api/pieces?name=waffle&quantum=1/10").await.json();
    let waffle = &fools["pieces"][0];
    assert_eq!((&waffle["piece"], &waffle["price"], &waffle["exact"]["num"]), (&json!("WA"), &json!("3"), &json!("3")));
    assert_eq!(waffle["url"], "http://zork.example/betza?piece=WA");
    for (query, field) in [
        ("like=Wx", "like"),
        ("like=W&how=so", "how"),
        ("least=cheap", "least"),
        ("most=1/0", "most"),
        ("most=99999999999", "most"),
        ("quantum=1/3", "quantum"),
    ] {
        assert_eq!(get(&site(), &format!("/api/pieces?{query}")).await.problem(400)["field"], field, "{query}");
    }
}

#[tokio::test]
async fn catalogue_has_pages() {
    let site = site();
    let first = get(&site, "/pieces").await;
    assert_eq!(first.page(200).matches("<li class=\"card\">").count(), 30);
    let next =
        first.body.split("rel=\"next\" href=\"").nth(1).unwrap().split('"').next().unwrap().replace("&#38;", "&");
    assert!(get(&site, &next).await.page(200).contains("rel=\"prev\""));
    assert_eq!(get(&site, "/pieces?page=99").await.status, 400);
    assert_eq!(get(&site, "/pieces?page=x").await.status, 400);
    let unknown = get(&site, "/pieces?like=fLbG").await;
    assert!(unknown.page(200).contains("No named piece has these moves"));
    // A click on the map searches for pieces with that move.
    let pressed = get(&site, "/pieces?like=fW&how=within&press=0,-1&most=9").await;
    assert_eq!((pressed.status.as_u16(), pressed.header("location")), (303, "/pieces?like=vW&how=within&most=9#map"));
    assert_eq!(get(&site, "/pieces?press=9,9").await.status, 400);
    // Invalid input stays in the form.
    let wrong = get(&site, "/pieces?like=WxF&least=2").await;
    assert!(wrong.page(400).contains("value=\"WxF\"") && wrong.body.contains("means nothing here"));
    assert!(get(&site, "/pieces?most=much").await.page(400).contains("The price must be a number such as"));
    let script = get(&site, "/pieces?name=%3Cscript%3E").await;
    assert!(!script.page(200).contains("<script>"));
}

#[tokio::test]
async fn designer_shows_names_and_cheaper_notation() {
    let site = site();
    let page = get(&site, "/betza?piece=mWcW").await;
    for words in ["Known as <strong>wazir", "The same moves cost less as", "/betza?piece=W#designer", "how=within"] {
        assert!(page.page(200).replace("&amp;", "&#38;").contains(words), "{words}");
    }
    let json = get(&site, "/api/betza?piece=mWcW").await.json();
    assert_eq!(
        (&json["names"][0], &json["cheaper"]["piece"], &json["cheaper"]["price"]),
        (&json!("wazir"), &json!("W"), &json!("2"))
    );
    let json = get(&site, "/api/betza?piece=fLbG").await.json();
    assert_eq!((&json["names"], &json["cheaper"]), (&json!([]), &Value::Null));
}

#[tokio::test]
async fn piece_has_a_picture_and_an_embed() {
    let site = site();
    let svg = get(&site, "/betza.svg?piece=FD&from=e4").await;
    assert_eq!((svg.status.as_u16(), svg.header("content-type")), (200, "image/svg+xml"));
    assert_eq!(svg.header("cross-origin-resource-policy"), "cross-origin");
    // Dots for moves and captures, rings for moves only, crosses for captures only.
    assert_eq!(svg.body.matches("r=\"7.5\"").count(), 8);
    let pawn = get(&site, "/betza.svg?piece=mfWcfF&from=e4").await.body;
    assert_eq!([pawn.matches("r=\"6\"").count(), pawn.matches("l13 13").count()], [1, 2]);
    assert_eq!(svg.body.matches("h45v45h-45z").count(), 64);
    assert!(svg.body.contains("class=\"piece design\""), "the picture shows its token");
    let mut again = request(Method::GET, "/betza.svg?piece=FD&from=e4");
    again.headers_mut().insert("if-none-match", svg.headers["etag"].clone());
    assert_eq!(ask(&site, again).await.status, 304);
    assert_eq!(get(&site, "/betza.png?piece=FD").await.header("content-type"), "image/png");
    let horse = "piece=%3CHorse%3E&with=Horse+lame(1,2)+2.4";
    assert_eq!(get(&site, &format!("/betza.svg?{horse}")).await.body.matches("r=\"7.5\"").count(), 8);
    for wrong in ["", "?piece=", "?piece=Wx", "?piece=W&from=z9"] {
        for path in ["/betza.svg", "/betza.png", "/betza/embed"] {
            assert_eq!(get(&site, &format!("{path}{wrong}")).await.status, 400, "{path}{wrong}");
        }
    }
    let embed = get(&site, "/betza/embed?piece=FD").await;
    assert!(embed.header("content-security-policy").contains("frame-ancestors *"));
    assert!(embed.page(200).contains("kirin") && embed.body.contains("href=\"http://zork.example/betza?piece=FD\""));
}

#[tokio::test]
async fn links_to_a_piece_have_previews() {
    let site = site();
    let page = get(&site, "/betza?piece=FD").await;
    let body = page.page(200);
    for words in [
        "<meta property=\"og:image\" content=\"http://zork.example/betza.png?piece=FD\">",
        "<meta property=\"og:title\" content=\"The kirin, FD\">",
        "<link rel=\"canonical\" href=\"http://zork.example/betza?piece=FD\">",
        "<code class=\"address\">8/8/8/8/3A4/8/8/8 w - - 0 1</code>",
    ] {
        assert!(body.contains(words), "{words}");
    }
    let there =
        body.split("application/json+oembed\" href=\"http://zork.example").nth(1).unwrap().split('"').next().unwrap();
    let rich = get(&site, there).await.json();
    assert_eq!((&rich["type"], &rich["title"]), (&json!("rich"), &json!("The kirin, FD")));
    let frame = rich["html"].as_str().unwrap();
    let source =
        frame.split("src=\"http://zork.example").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
    assert!(get(&site, &source).await.page(200).contains("kirin"));
    assert!(frame.contains(&format!("width=\"{}\"", rich["width"])));
    for unknown in
        ["http://zork.example/betza", "http://zork.example/betza?piece=x", "http://elsewhere.example/betza?piece=W"]
    {
        let escaped = unknown.replace(':', "%3A").replace('?', "%3F").replace('=', "%3D");
        assert_eq!(get(&site, &format!("/oembed?url={escaped}")).await.status, 404, "{unknown}");
    }
    assert!(!get(&site, "/betza").await.page(200).contains("oembed"));
}

#[tokio::test]
async fn sets_and_armies_round_trip_through_addresses_and_files() {
    let site = site();
    for (path, places) in [("/betza/set", 6), ("/betza/army", 16)] {
        let page = get(&site, path).await;
        assert_eq!(page.page(200).matches("name=\"piece\" class=\"code\"").count(), places, "{path}");
        let address = page.body.split("<code class=\"address\" data-share").nth(1).unwrap();
        let address = address.split('>').nth(2).unwrap().split('<').next().unwrap().replace("&#38;", "&");
        let address = address.strip_prefix("http://zork.example").unwrap().to_owned();
        let query = address.split_once('?').unwrap().1;
        let file = get(&site, &format!("{path}.txt?{query}")).await;
        assert!(file.header("content-disposition").starts_with("attachment"));
        // Loading the file leads to the same address.
        let lines: String = file.body.bytes().map(|byte| format!("%{byte:02X}")).collect();
        let loaded = get(&site, &format!("{path}?file={lines}")).await;
        assert_eq!((loaded.status.as_u16(), loaded.header("location")), (303, address.as_str()), "{path}");
    }
    let army = get(&site, "/betza/army").await;
    assert!(army.page(200).contains("army R a1 N b1 B c1"), "{}", army.body);
    assert!(army.body.contains("army R a8 N b8") && army.body.contains("allows this army. Start a game with it"));
    // The army is set up at once: for both seats in a pass-and-play game, otherwise for the player who begins the game.
    let query = "piece=R&piece=FD&piece=B&piece=RB&piece=royal-WF&piece=B&piece=FD&piece=R&".to_owned()
        + &"piece=mfWcfF&".repeat(8);
    for (opponent, asked) in [("self", 32), ("link", 0)] {
        let begun = ask(&site, own_form("/betza/army/play", format!("{query}opponent={opponent}"))).await;
        assert_eq!(begun.status, 303, "{}", begun.body);
        let game = get(&site, &format!("/api{}", begun.header("location"))).await.json();
        assert_eq!(game["view"]["diagram"]["pieces"].as_array().unwrap().len(), asked, "{opponent}: {game}");
        let chosen = game["turn"]["awaits"].clone();
        assert_eq!(chosen, if opponent == "self" { json!(["one"]) } else { json!(["two"]) }, "{opponent}");
    }
    let few = ask(&site, own_form("/betza/army/play", "piece=W&piece=F&opponent=self".to_owned())).await;
    assert_eq!(few.status, 400);
    let dear = format!("{}opponent=self", "piece=RBN&".repeat(16));
    assert_eq!(ask(&site, own_form("/betza/army/play", dear)).await.status, 422);
    let dear = get(&site, &format!("/betza/army?{}", "piece=RBN&".repeat(16).trim_end_matches('&'))).await;
    assert!(dear.page(200).contains("does not allow this army"));
    let wrong = get(&site, "/betza/set?piece=Wx&piece=N&piece=-").await;
    assert!(wrong.page(200).contains("<mark>x</mark>"));
    assert_eq!(get(&site, &format!("/betza/set?{}", "piece=W&".repeat(7).trim_end_matches('&'))).await.status, 400);
    assert_eq!(get(&site, "/betza/set?file=%23").await.status, 400);
}

/// Status and address after “play with it”, and the position of the game there.
async fn tried(body: &str) -> (u16, String, String) {
    let site = site();
    let answer = ask(&site, own_form("/betza/play", body.to_owned())).await;
    let there = answer.header("location").to_owned();
    let id = there.trim_start_matches("/games/").split('?').next().unwrap();
    let fen = if there.is_empty() {
        answer.body.clone()
    } else {
        let game = get(&site, &format!("/api/games/{id}")).await.json();
        game["view"]["diagram"]["fen"].as_str().unwrap().to_owned()
    };
    (answer.status.as_u16(), there, fen)
}

#[tokio::test]
async fn piece_is_tried_with_one_click() {
    for (place, board, piece, wanted) in [
        ("knights", "8x8", "FD", "rabqkbar/pppppppp/8/8/8/8/PPPPPPPP/RABQKBAR w KQkq - 0 1 A=FD"),
        ("rooks", "8x8", "FD", "anbqkbna/pppppppp/8/8/8/8/PPPPPPPP/ANBQKBNA w - - 0 1 A=FD"),
        ("kings", "8x8", "WN", "rnbqabnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQABNR w - - 0 1 A=royal-WN"),
        ("pawns", "6x6", "fWfF", "rnqknr/aaaaaa/6/6/AAAAAA/RNQKNR w - - 0 1 A=fWfF"),
        ("knights", "8x6", "royal-FD", "rabqkbar/pppppppp/8/8/PPPPPPPP/RABQKBAR w KQkq - 0 1 A=FD"),
        ("knights", "7x7", "FD", "rabkbar/ppppppp/7/7/7/PPPPPPP/RABKBAR w - - 0 1 A=FD"),
        ("bishops", "5x5", "FD", "rnaqk/ppppp/5/PPPPP/RNAQK w - - 0 1 A=FD"),
        ("queens", "4x5", "FD", "rakr/pppp/4/PPPP/RAKR w - - 0 1 A=FD"),
        ("squares&squares=a1,+d2", "8x8", "FD", "anbqkbnr/pppapppp/8/8/8/8/PPPAPPPP/ANBQKBNR w Kk - 0 1 A=FD"),
    ] {
        let body = format!("piece={piece}&place={place}&board={board}&opponent=self");
        let (status, there, fen) = tried(&body).await;
        assert_eq!((status, fen.as_str()), (303, wanted), "{body} {there}");
    }
    for opponent in ["bot:steady", "link"] {
        let (status, there, fen) = tried(&format!("piece=FD&place=knights&board=5x5&opponent={opponent}")).await;
        assert_eq!(status, 303, "{opponent}: {fen}");
        assert!(there.starts_with("/games/") && fen.ends_with("A=FD"), "{opponent} {there} {fen}");
    }
    for (body, at) in [("piece=WFfhN&game=csipgs&opponent=self", "/betza/play"), (SET, "/betza/set/play")] {
        let site = site();
        let there = ask(&site, own_form(at, body.to_owned())).await;
        assert_eq!(there.status, 303, "{}", there.body);
        let game = get(&site, &format!("/api{}", there.header("location"))).await.json();
        let texts = |seat: &str| {
            let designs = game["view"]["designs"][seat].as_array().unwrap().iter();
            designs.map(|design| design["betza"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(texts("one")[3], "WFfhN", "{at}");
        assert_eq!(texts("one"), texts("two"), "both sides start with it");
    }
    for (board, row) in [("", "4k3"), ("&files=5&ranks=4", "2k2"), ("&files=8&ranks=6", "4k3")] {
        for (body, at) in [("piece=WFfhN&game=csipgs&opponent=self", "/betza/play"), (SET, "/betza/set/play")] {
            let site = site();
            let there = ask(&site, own_form(at, format!("{body}{board}"))).await;
            assert_eq!(there.status, 303, "{}", there.body);
            let diagram =
                get(&site, &format!("/api{}", there.header("location"))).await.json()["view"]["diagram"].take();
            let fen = diagram["fen"].as_str().unwrap();
            assert!(fen.starts_with(&format!("{row}/")), "{at} {board} {fen}");
            assert_eq!(diagram["height"], if board.is_empty() { 8 } else { board[15..].parse().unwrap() });
        }
    }
    for (wrong, wanted) in [
        ("piece=FD&game=csipgs&opponent=self&files=3", 422),
        ("piece=FD&game=csipgs&opponent=self&ranks=many", 422),
        ("piece=Wx&place=knights&board=8x8&opponent=self", 400),
        ("place=knights&board=8x8&opponent=self", 400),
        ("piece=FD&place=nowhere&board=8x8&opponent=self", 400),
        ("piece=FD&place=knights&board=9x9&opponent=self", 400),
        ("piece=FD&place=knights&board=4x5&opponent=self", 400),
        ("piece=FD&place=squares&board=8x8&opponent=self", 400),
        ("piece=FD&place=squares&squares=h1&board=5x5&opponent=self", 400),
        ("piece=FD&place=squares&squares=%C3%A91&board=5x5&opponent=self", 400),
        ("piece=FD&place=knights&board=8x8&opponent=stranger", 422),
        ("piece=B&place=knights&board=8x8&opponent=self", 422),
        ("piece=doublemove-W&place=knights&board=8x8&opponent=self", 422),
    ] {
        let (status, _, body) = tried(wrong).await;
        assert_eq!(status, wanted, "{wrong}: {body}");
    }
    let page = get(&site(), "/betza?piece=FD").await;
    assert!(page.page(200).contains("action=\"/betza/play\""));
}
