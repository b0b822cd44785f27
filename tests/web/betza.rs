//! Piece designer: its page, the map of squares, and the API.

use serde_json::{Value, json};

use super::{Answer, ask, get, own_form, site};

fn squares(text: &str) -> Value {
    text.split_whitespace().collect::<Vec<_>>().into()
}

#[tokio::test]
async fn api_describes_a_piece() {
    let site = site();
    let pawn = get(&site, "/api/betza?piece=fcFfmW").await.json();
    assert_eq!(pawn["piece"], "fcFfmW");
    assert_eq!(pawn["canonical"], "cfFmfW");
    assert_eq!(pawn["exact"], json!({"num": "27", "den": "25", "approx": 1.08}));
    assert_eq!(pawn["price"], "2");
    assert_eq!((&pawn["colourbound"], &pawn["royal"]), (&json!(false), &json!(false)));
    assert_eq!(pawn["moves"], squares("d5"));
    assert_eq!(pawn["captures"], squares("c5 e5"));
    assert_eq!(pawn["terms"][0]["text"], "cfF");
    assert_eq!(pawn["terms"][0]["base"], json!({"num": "3", "den": "2", "approx": 1.5}));
    assert_eq!(pawn["terms"][0]["factor"]["num"], "21");
    assert_eq!(pawn["terms"][1]["exact"], json!({"num": "9", "den": "20", "approx": 0.45}));
    assert!(pawn["svg"].as_str().unwrap().starts_with("<svg") && pawn["words"].as_str().unwrap().len() > 20);
    for (query, price) in [
        ("piece=B", "3"),
        ("piece=B&quantum=1/2", "3"),
        ("piece=fcFfmW&quantum=1/2", "3/2"),
        ("piece=fcFfmW&quantum=1/10", "11/10"),
        ("piece=BR&quantum=1%2F10", "83/10"),
        ("piece=doublemove-N", "18"),
        ("piece=royal-WF", "12"),
    ] {
        assert_eq!(get(&site, &format!("/api/betza?{query}")).await.json()["price"], price, "{query}");
    }
    let fresh = get(&site, "/api/betza?piece=%3CFresh%3EWF&with=Fresh+initial+0.5").await.json();
    assert_eq!(
        (&fresh["moves"], &fresh["captures"]),
        (&squares("c3 d3 e3 c4 e4 c5 d5 e5"), &squares("c3 d3 e3 c4 e4 c5 d5 e5"))
    );
    let bishop = get(&site, "/api/betza?piece=royal-B&from=a1").await.json();
    assert_eq!(bishop["captures"], squares("b2 c3 d4 e5 f6 g7 h8"));
    assert_eq!((&bishop["colourbound"], &bishop["royal"]), (&json!(true), &json!(true)));
}

#[tokio::test]
async fn invalid_pieces_are_refused_with_a_position() {
    let site = site();
    for (query, field, at) in [
        ("piece=", "piece", 0),
        ("piece=WxF", "piece", 1),
        ("piece=Wf", "piece", 1),
        ("piece=YY", "piece", 0),
        ("piece=royal-", "piece", 6),
        ("piece=%3CHorse%3E", "piece", 0),
        ("piece=W&from=j9", "from", 0),
        ("piece=W&quantum=1/3", "quantum", 0),
    ] {
        let problem = get(&site, &format!("/api/betza?{query}")).await.problem(400);
        assert_eq!((&problem["field"], &problem["at"]), (&json!(field), &json!(at)), "{query}: {problem}");
    }
    assert_eq!(get(&site, &format!("/api/betza?piece={}", "W".repeat(300))).await.problem(400)["at"], 256);
    let page = get(&site, "/betza?piece=W%C3%A9F").await;
    assert!(page.page(400).contains("<mark>é</mark>"));
    assert!(get(&site, "/betza?piece=%3Cscript%3E").await.page(400).contains("&#60;"));
}

#[tokio::test]
async fn page_describes_a_piece() {
    let site = site();
    assert!(get(&site, "/betza").await.page(200).contains("square by square"));
    let answer = get(&site, "/betza?piece=Wc<Horse>".replace('<', "%3C").replace('>', "%3E").as_str()).await;
    assert!(answer.page(400).contains("nothing has been invented here"));
    let answer = get(&site, "/betza?piece=FD&from=e4").await;
    let page = answer.page(200);
    for words in [">2.7</td>", "× 0.9", "colourbound", "It never leaves the colour of its square", "From e4"] {
        assert!(page.contains(words), "{words}");
    }
    assert!(!page.contains("style="), "no inline styles");
    let rules = get(&site, "/rules/csipgs/notation").await;
    assert!(rules.page(200).contains(">1.08</td>"));
}

/// Address after a click on a square of the map.
async fn press(piece: &str, square: &str) -> String {
    let answer: Answer = get(&site(), &format!("/betza?piece={piece}&press={square}")).await;
    assert_eq!(answer.status.as_u16(), 303, "{}", answer.body);
    let query = answer.header("location").split_once("piece=").unwrap().1;
    query.split(['&', '#']).next().unwrap().replace("%2D", "-")
}

/// Address after a click that sets only the square.
async fn press_one(piece: &str, square: &str) -> String {
    press(piece, &format!("{square}&mirror=one")).await
}

#[tokio::test]
async fn click_sets_mirrored_squares() {
    for (piece, square, wanted) in [
        ("", "1,2", "N"),
        ("N", "-2,1", ""),
        ("N", "-2,1&mode=moves", "mN"),
        ("fW", "0,1&mode=moves", "mW"),
        ("mW", "0,1&mode=captures", "cW"),
        ("cW", "-1,0&mode=captures", ""),
        ("cW", "-1,0", "W"),
        ("", "R&mode=captures", "cR"),
        ("N", "3,0&by=ride", "NR"),
        ("WF", "1,2&mirror=sides", "WFffN"),
        ("WFffN", "-2,1&mirror=sides", "WFfhN"),
        ("W", "0,2&mirror=sides", "WfD"),
        ("W", "2,0&mirror=sides", "WsD"),
    ] {
        assert_eq!(press(piece, square).await, wanted, "{piece} {square}");
    }
    let site = site();
    let pressed = get(&site, "/betza?piece=W&press=1,1&mirror=sides&mode=captures").await;
    let there = pressed.header("location").replace("#designer", "");
    assert!(there.contains("&mode=captures&mirror=sides"), "{there}");
    let page = get(&site, &there).await;
    assert!(page.page(200).contains("value=\"sides\" checked") && page.body.contains("value=\"captures\" checked"));
}

#[tokio::test]
async fn known_pieces_are_found_by_name() {
    let site = site();
    for (query, wanted) in [
        ("piece=knight", "N"),
        ("piece=+Nightrider", "NN"),
        ("piece=wildebeest", "NL"),
        ("piece=W&known=RB", "RB"),
        ("piece=&known=N&press=0,1", "WN"),
        ("piece=knight&press=0,1", "WN"),
    ] {
        let answer = get(&site, &format!("/betza?{query}")).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("location")),
            (303, &*format!("/betza?piece={wanted}#designer"))
        );
    }
    let page = get(&site, "/betza").await;
    assert!(page.page(200).contains("<option value=\"mfWcfF\">pawn</option>"));
    assert!(get(&site, "/betza?piece=knightly").await.page(400).contains("id=\"wrong\""));
}

#[tokio::test]
async fn last_change_is_undone() {
    let site = site();
    assert!(get(&site, "/betza?piece=W").await.page(200).contains("disabled>Undo"));
    for (piece, change) in [("W", "press=1,2"), ("", "press=0,1"), ("W", "known=RB")] {
        let changed = get(&site, &format!("/betza?piece={piece}&{change}&before={piece}")).await;
        let page = get(&site, &changed.header("location").replace("#designer", "")).await;
        assert!(page.page(200).contains(&format!("name=\"press\" value=\"undo:{piece}\">Undo")), "{change}");
        let undone = get(&site, &format!("/betza?piece=WN&press=undo:{piece}&before=WN")).await;
        assert_eq!(undone.header("location"), format!("/betza?piece={piece}#designer"));
    }
    // An invalid text can be undone, and so can the next one.
    let page = get(&site, "/betza?piece=Wx&before=W").await;
    assert!(page.page(400).contains("value=\"undo:W\">Undo") && page.body.contains("name=\"before\" value=\"W\""));
    let undone = get(&site, "/betza?piece=Wx&press=undo:W&before=W").await;
    assert_eq!(undone.header("location"), "/betza?piece=W#designer");
}

#[tokio::test]
async fn piece_is_built_square_by_square() {
    let mut piece = String::new();
    for (square, wanted) in [
        ("0,1", "fW"),
        ("0,1&mode=moves", "mfW"),
        ("1,1", "mfWfrF"),
        ("1,1&mode=moves", "mfWmfrF"),
        ("1,1&mode=captures", "mfWcfrF"),
        ("-1,1", "mfWflFcfrF"),
        ("-1,1&mode=moves", "mfWmflFcfrF"),
        ("-1,1&mode=captures", "mfWcfF"),
        ("royal", "royal-mfWcfF"),
        ("NN", "royal-mfWcfFNN"),
        ("royal", "mfWcfFNN"),
        ("NN", "mfWcfF"),
        ("1,2", "mfWcfFrfN"),
    ] {
        piece = press_one(&piece, square).await;
        assert_eq!(piece, wanted, "{square}");
    }
    // A square farther out selects the ride that reaches it.
    for (square, wanted) in [
        ("0,1&by=ride", "mfWcfFrfNfR"),
        ("0,3&by=ride&mode=moves", "mfWcfFrfNmfR"),
        ("-2,-2&by=ride", "mfWcfFrfNmfRblB"),
        ("-1,-2&by=ride", "mfWcfFrfNmfRblBlbNN"),
        ("0,2&by=ride&mode=captures", "mfWcfFrfNcfRblBlbNN"),
        ("0,1&by=ride&mode=captures", "mfWcfFrfNblBlbNN"),
        ("0,1&by=leap&mode=captures", "cfWcfFrfNblBlbNN"),
    ] {
        piece = press_one(&piece, square).await;
        assert_eq!(piece, wanted, "{square}");
    }
    assert_eq!(press_one("cfW", "0,1&mode=captures").await, "");
    assert_eq!(press_one("QfN", "0,2").await, "fDfhNRB");
    for nonsense in [
        "2,3",
        "0,0",
        "9,9",
        "x",
        "1",
        "R,B",
        "-128,1",
        "127,127",
        "1,3&by=ride",
        "0,0&by=ride",
        "-128,-128&by=ride",
        "0,1&by=foot",
        "0,1&mode=fly",
        "0,1&mirror=up",
    ] {
        let answer = get(&site(), &format!("/betza?piece=W&press={nonsense}")).await;
        assert_eq!(answer.status.as_u16(), 400, "{nonsense}");
    }
}

#[tokio::test]
async fn pieces_can_use_inventions_of_a_game() {
    let site = site();
    let horse = "piece=Wc%3CHorse%3E&with=Horse+lame(1,2)+2.4%3B+Run+runner+5";
    let answer = get(&site, &format!("/api/betza?{horse}")).await.json();
    assert_eq!(
        (&answer["exact"]["num"], &answer["exact"]["den"], &answer["price"]),
        (&json!("147"), &json!("50"), &json!("3"))
    );
    assert_eq!(answer["captures"].as_array().unwrap().len(), 12);
    let answer = get(&site, "/api/betza?piece=%3CRun%3EDB&with=Run+runner+5").await.json();
    assert_eq!(answer["exact"]["num"], "243");
    let answer = get(&site, &format!("/betza?{horse}&game=k3v9m2xq")).await;
    let page = answer.page(200);
    for words in [">2.94</td>", "href=\"/games/k3v9m2xq\"", "&lt;Run&gt;", "Horse lame(1,2) 2.4; Run runner 5"] {
        assert!(page.contains(words), "{words}");
    }
    // Links keep the inventions.
    let answer = get(&site, &format!("/betza?{horse}&press=0,2&mirror=one&game=k3v9m2xq")).await;
    let there = answer.header("location").replace("#map", "");
    assert!(there.contains("&game=k3v9m2xq"), "{there}");
    assert!(get(&site, &there).await.page(200).contains("WfDc&#60;Horse&#62;"), "{there}");
    for (with, at) in [
        ("Horse", 0),
        ("Horse+lame(3,1)+2", 10),
        ("horse+runner+2", 0),
        ("Horse+runner+0", 13),
        ("Run+runner+5;+Run+runner+5", 14),
        ("Run+runner+5;Two+range(9)+5", 22),
    ] {
        let problem = get(&site, &format!("/api/betza?piece=W&with={with}")).await.problem(400);
        assert_eq!((&problem["field"], &problem["at"]), (&json!("with"), &json!(at)), "{with}: {problem}");
    }
}

#[tokio::test]
async fn designer_is_linked() {
    let site = site();
    for page in ["/new/csipgs", "/rules/csipgs"] {
        assert!(get(&site, page).await.page(200).contains("href=\"/betza\""), "{page}");
    }
    let page = get(&site, "/betza?piece=WF").await;
    let script = page.page(200).split("src=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert!(get(&site, &script).await.body.contains("(\"workshop\""));
}

#[tokio::test]
async fn piece_is_shown_on_a_smaller_board() {
    let site = site();
    let rook = get(&site, "/api/betza?piece=R&files=5&ranks=4").await.json();
    assert_eq!(rook["moves"], squares("c1 a2 b2 d2 e2 c3 c4"));
    for (query, field) in
        [("files=3", "files"), ("files=9", "files"), ("ranks=x", "ranks"), ("files=5&from=f1", "from")]
    {
        let problem = get(&site, &format!("/api/betza?piece=R&{query}")).await.problem(400);
        assert_eq!(problem["field"], field, "{problem}");
    }
    let page = get(&site, "/betza?piece=R&files=5&ranks=4&from=h8").await;
    let page = page.page(200);
    assert!(
        page.contains("From c2 it can go to: c1 a2 b2 d2 e2 c3 c4."),
        "a piece beyond the edge moves back onto the board"
    );
    assert!(
        page.contains("/betza.svg?piece=R&#38;files=5&#38;ranks=4")
            || page.contains("/betza.svg?piece=R&amp;files=5&amp;ranks=4")
    );
    assert!(page.contains("5/5/2A2/5 w - - 0 1"), "the FEN of the board above");
    assert!(page.contains("/api/betza?piece=R&#38;files=5&#38;ranks=4"), "the API link has the same board");
    let pressed = get(&site, "/betza?piece=W&press=0,2&files=5&ranks=4").await;
    assert!(pressed.header("location").contains("&files=5&ranks=4"), "{}", pressed.header("location"));
    let svg = get(&site, "/betza.svg?piece=R&files=5&ranks=4").await;
    assert_eq!(svg.status, 200);
    assert_ne!(svg.body, get(&site, "/betza.svg?piece=R").await.body);
}

#[tokio::test]
async fn small_board_carries_over_to_designer_and_file() {
    let site = site();
    let form = "variant=csipgs&opponent=self&option-files=5&option-ranks=6";
    let there = ask(&site, own_form("/games", form.to_owned())).await;
    let game = get(&site, there.header("location")).await;
    let page = game.page(200).replace("&#38;", "&").replace("&amp;", "&");
    assert!(page.contains("/betza?quantum=1&files=5&ranks=6&game="));
    let (_, query) = page.split_once("href=\"/fairy?").unwrap();
    let query = query.split('"').next().unwrap();
    let file = get(&site, &format!("/variants.ini?{query}")).await;
    assert_eq!(file.status, 200, "{}", file.body);
    for line in ["maxFile = 5", "maxRank = 6"] {
        assert!(file.body.lines().any(|known| known == line), "{line} in {}", file.body);
    }
}

/// On a token 27 pixels wide, every dot is at least three pixels wide, for all pieces that leap no further than a knight.
#[test]
fn tokens_are_legible_on_small_squares() {
    for piece in ["WF", "N", "fcFfmW", "AD", "NN", "R", "royal-WF", "mNcF"] {
        for drawing in zorkmid::web::piece_token::drawn(&piece.parse().unwrap(), zorkmid::board::Color::White) {
            let radii: Vec<f64> =
                drawing.split(" r=\"").skip(1).map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect();
            assert!(radii.iter().all(|radius| radius * 27.0 / 45.0 >= 1.5), "{piece}: {radii:?}");
        }
    }
}

#[tokio::test]
async fn notation_of_other_programs_is_played_and_exported_without_a_price() {
    let site = site();
    for (text, words) in [
        ("R4", "up to 4 squares along a rank or file"),
        ("gQ", "directly behind the first piece"),
        ("%5BF?R%5D", "then on by steps of one square"),
    ] {
        let page = get(&site, &format!("/betza?piece={text}")).await;
        let page = page.page(200);
        assert!(page.contains(words) && page.contains("It has no price"), "{text}: {page}");
        assert!(!page.contains("Exact price") && !page.contains("name=\"game\" value=\"csipgs\""), "{text}");
        assert_eq!(get(&site, &format!("/betza.svg?piece={text}")).await.status, 200, "{text}");
        let answer = get(&site, &format!("/api/betza?piece={text}")).await.json();
        assert!(answer["words"].as_str().unwrap().contains(words), "{text}: {answer}");
        assert_eq!(answer["terms"], json!([]), "{text}");
        assert!(["exact", "price", "cheaper"].iter().all(|field| answer[field].is_null()), "{text}: {answer}");
        let form = format!("piece={text}&place=knights&board=8x8&opponent=self");
        let there = ask(&site, own_form("/betza/play", form.clone())).await;
        assert_eq!(there.status, 303, "{text}: {}", there.body);
        let game = get(&site, there.header("location")).await;
        assert!(game.page(200).contains("silhouettes.svg#"), "{text}");
        let refused = ask(&site, own_form("/betza/play", format!("{form}&game=csipgs"))).await;
        assert_eq!(refused.status, 400, "{text}: {}", refused.body);
    }
    let pressed = get(&site, "/betza?piece=R4&press=0,1").await;
    assert!(pressed.header("location").contains("piece=WR4"), "{}", pressed.header("location"));
    let file = get(&site, "/variants.ini?designs=K%3Droyal-WF,A%3DR4,D%3DgQ,E%3D%5BF?R%5D").await;
    assert_eq!(file.status, 200, "{}", file.body);
    for line in ["customPiece1 = a:W4", "customPiece2 = d:gRgB", "# A = R4, which has no price"] {
        assert!(file.body.lines().any(|known| known == line), "{line} in {}", file.body);
    }
    assert!(file.body.contains("Fairy-Stockfish has no bent rides"), "{}", file.body);
}
