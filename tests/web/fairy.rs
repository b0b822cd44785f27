//! Fairy-Stockfish variant files: export, page and API.

use axum::{body::Body, http::Method};
use serde_json::{Value, json};

use super::{Answer, ask, get, own_form, request, site};

async fn answered(ini: &str) -> Answer {
    let mut question = request(Method::POST, "/api/fairy");
    question.headers_mut().insert("content-type", "application/json".parse().unwrap());
    *question.body_mut() = Body::from(json!({"ini": ini}).to_string());
    ask(&site(), question).await
}

async fn read(ini: &str) -> Value {
    answered(ini).await.json()
}

#[tokio::test]
async fn standard_designs_start_as_in_chess() {
    let site = site();
    let answer = get(&site, "/variants.ini?designs=B,BR,fcFfmW,N,R,royal-WF&name=mine").await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "text/plain; charset=utf-8"));
    for line in ["[mine]", "king = k:WF", "customPiece2 = q:BR", "stalemateValue = loss"] {
        assert!(answer.body.lines().any(|known| known == line), "{line} in {}", answer.body);
    }
    assert!(answer.body.contains("startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"));
    let page = get(&site, "/fairy?designs=B,BR,fcFfmW,N,R,royal-WF&name=mine").await;
    assert!(page.page(200).contains("customPiece2 = q:BR") && page.body.contains("/variants.ini?designs="));
    assert!(get(&site, "/fairy").await.page(200).contains("From a file to designs"));
}

#[tokio::test]
async fn variant_without_a_king_is_warned_about() {
    let site = site();
    for (designs, kingless) in
        [("B,fcFfmW", true), ("K=royal-WF,B", false), ("B,W&fen=4b3/8/8/8/8/8/8/4W3+w+-+-+0+1", true)]
    {
        let page = get(&site, &format!("/fairy?designs={designs}")).await;
        assert_eq!(page.page(200).contains("A side has no royal piece"), kingless, "{designs}");
        assert!(page.body.contains("Needs Fairy-Stockfish of 2022 or later"), "{designs}");
        let file = get(&site, &format!("/variants.ini?designs={designs}")).await.body;
        assert_eq!(file.contains("# - White has no royal piece: it cannot be checkmated here"), kingless, "{file}");
        assert!(file.contains("# Needs Fairy-Stockfish of 2022 or later"));
    }
}

#[tokio::test]
async fn designs_are_read_as_in_the_files() {
    let [ours, theirs] =
        ["A=RBN,K=royal-WF", "a:RBN,k:royal-WF"].map(|designs| format!("/variants.ini?designs={designs}"));
    let ours = get(&site(), &ours).await.body;
    assert!(ours.contains("customPiece1 = a:NRB"), "{ours}");
    assert_eq!(get(&site(), &theirs).await.body, ours);
}

#[tokio::test]
async fn unsupported_rules_are_listed() {
    let query = "designs=royal-WF,Wc%3CFar%3E,%3CTwice%3EN,doublemove-W&with=Far+leaper(1,4)+2;Twice+doublemove+3";
    let answer = get(&site(), &format!("/api/fairy?{query}")).await.json();
    let unsaid = answer["unsaid"].to_string();
    for words in [
        "c<Far>: Fairy-Stockfish has no leap of this length",
        "Fairy-Stockfish has no double moves",
        "doublemove- has no counterpart",
    ] {
        assert!(unsaid.contains(words), "{words} in {unsaid}");
    }
    assert!(
        answer["ini"]
            .as_str()
            .unwrap()
            .contains("# - W = Wc<Far>: c<Far>: Fairy-Stockfish has no leap of this length.")
    );
}

#[tokio::test]
async fn files_of_twice_the_usual_length_are_read() {
    // Fairy-Stockfish's own file has 69 KB.
    let section = |number: usize| {
        format!("# A comment of the usual length.\n[v{number}:chess]\ncastling = false\ncustomPiece1 = a:mWcF\n\n")
    };
    let mut ini: String = (0..200).map(section).collect();
    let remark = format!("# {}\n", "comment ".repeat(10));
    ini += &remark.repeat(138_000usize.saturating_sub(ini.len()) / remark.len() + 1);
    let answer = answered(&ini).await;
    assert_eq!((answer.status.as_u16(), answer.json()["variants"].as_array().unwrap().len()), (200, 200));
    let form =
        ask(&site(), own_form("/fairy", format!("ini={}", ini.replace(['#', ' '], "+").replace('\n', "%0A")))).await;
    assert_eq!(form.status, 200);
    answered(&"#".repeat(300_000)).await.problem(413);
}

#[tokio::test]
async fn invalid_requests_name_the_field() {
    let site = site();
    for (query, field, at) in [
        ("designs=", "designs", 0),
        ("designs=W,WxF", "designs", 3),
        ("designs=K=W,K=F", "designs", 6),
        ("designs=AB=W", "designs", 3),
        ("designs=W&fen=x7/8/8/8/8/8/8/8", "fen", 0),
        ("designs=W&name=Mine", "name", 0),
        ("designs=W&with=Horse", "with", 0),
    ] {
        for address in ["/api/fairy", "/variants.ini"] {
            let answer: Answer = get(&site, &format!("{address}?{query}")).await;
            assert_eq!(answer.status.as_u16(), 400, "{address} {query}");
        }
        let problem = get(&site, &format!("/api/fairy?{query}")).await.problem(400);
        assert_eq!((&problem["field"], &problem["at"]), (&json!(field), &json!(at)), "{query}: {problem}");
    }
    assert!(get(&site, "/fairy?designs=WxF").await.page(400).contains("aria-invalid"));
}

#[tokio::test]
async fn file_is_read_line_by_line() {
    let read = read(
        "stray = 1\n# a remark\n[mine:chess]\ncustomPiece1 = a:mWcF # a piece\ncannon = c\nhorse = h\nqueen = -\ngating = true\nfoo\ncustomPiece7 = d:WimR\n\
         [child:mine]\ncustomPiece2 = b:fN\n[other:janggi]\nking = k\n",
    )
    .await;
    assert_eq!(read["unread"][0]["line"], 1);
    let mine = &read["variants"][0];
    let piece = |letter: &str| {
        let pieces = mine["pieces"].as_array().unwrap();
        pieces.iter().find(|piece| piece["letter"] == letter).cloned().unwrap_or_default()
    };
    assert_eq!((&piece("A")["piece"], &piece("K")["piece"]), (&json!("mWcF"), &json!("royal-WF")));
    assert_eq!(piece("Q"), Value::Null, "the queen was removed");
    assert_eq!(piece("C")["piece"], "mRc<Hop>R");
    assert_eq!((&piece("H")["piece"], &mine["with"]), (&json!("<Horse>"), &json!("Hop hopper 1; Horse lame(1,2) 1")));
    assert!(
        piece("D")["piece"] == "W"
            && piece("D")["unread"][0].as_str().unwrap().starts_with("imR: in Fairy-Stockfish, i means a move")
    );
    let lines: Vec<&Value> = mine["unread"].as_array().unwrap().iter().map(|line| &line["line"]).collect();
    assert_eq!(lines, [8, 9]);
    let child = read["variants"][1]["pieces"].as_array().unwrap();
    assert!(child.iter().any(|piece| piece["piece"] == "ffN") && child.iter().any(|piece| piece["piece"] == "mWcF"));
    assert!(read["variants"][2]["unread"][0]["why"].as_str().unwrap().contains("janggi"));
}

#[tokio::test]
async fn start_position_becomes_armies() {
    let chess = read("[mine:chess]\n").await["variants"][0].clone();
    let army = chess["armies"][0].as_str().unwrap();
    assert!(army.starts_with("army R a1 N b1 B c1 RB d1 royal-WF e1"), "{army}");
    let few = read("[few]\nking = k\nstartFen = 4k3/8/8/8/8/8/8/4K3 w - - 0 1\n").await["variants"][0].clone();
    assert!(few["armies"][0].is_null() && few["refused"][0].as_str().unwrap().contains("sixteen"), "{few}");
}

#[tokio::test]
async fn page_shows_the_contents_of_a_file() {
    let site = site();
    let body = "ini=%5Bmine%3Achess%5D%0D%0AcustomPiece1+%3D+a%3AmWcF%0D%0Agating+%3D+true%3Cb%3E".to_owned();
    let answer = ask(&site, own_form("/fairy", body)).await;
    let page = answer.page(200);
    assert!(page.contains("/betza?piece=mWcF") && page.contains("gating = true&#60;b&#62;"));
    let nothing = ask(&site, own_form("/fairy", "ini=hello".to_owned())).await;
    assert!(nothing.page(400).contains("The text contains no variant"));
}

/// A variant with 25 pieces, and variants that inherit from it.
fn family(children: usize) -> String {
    let pieces = ('a'..='y').zip(1..).map(|(letter, number)| format!("customPiece{number}={letter}:NCZ\n"));
    let children = (0..children).map(|number| format!("[{number}:v]\n"));
    ["[v]\n".to_owned()].into_iter().chain(pieces).chain(children).collect()
}

#[tokio::test]
async fn file_beyond_the_limits_is_refused() {
    let lines = "x\n".repeat(8_001);
    let sections: String = (0..401).map(|number| format!("[{number}]\n")).collect();
    let long = "Z".repeat(60);
    let texts = family(230).replace("NCZ", &long);
    for (ini, limit) in
        [(&lines, "8000 lines"), (&sections, "400 variants"), (&family(240), "6000 pieces"), (&texts, "524288 bytes")]
    {
        let problem = answered(ini).await.problem(422);
        assert_eq!(problem["field"], "ini");
        assert!(problem["detail"].as_str().unwrap().contains(limit), "{problem}");
        let page = ask(&site(), own_form("/fairy", format!("ini={ini}"))).await;
        assert!(page.page(422).contains(limit));
    }
}

#[tokio::test]
async fn inherited_variants_stay_cheap() {
    let ini = family(230);
    let answer = answered(&ini).await;
    assert!(answer.body.len() < 2 << 20, "{}", answer.body.len());
    let variants = answer.json()["variants"].clone();
    let [first, last] = [&variants[0], &variants[230]];
    assert_eq!((&first["pieces"], &last["name"]), (&last["pieces"], &json!("229")));
    assert_eq!(first["pieces"].as_array().unwrap().len(), 25);
    let page = ask(&site(), own_form("/fairy", format!("ini={ini}"))).await;
    assert!(page.page(200).len() < 8 << 20, "{}", page.body.len());
}

#[tokio::test]
async fn long_lines_and_long_pieces_are_left_out() {
    let ini =
        format!("[v]\ncustomPiece1=a:{}\ncustomPiece2=b:W # {}\ncustomPiece3=c:W\n", "f".repeat(257), "x".repeat(600));
    let variant = read(&ini).await["variants"][0].clone();
    assert_eq!(variant["pieces"].as_array().unwrap().len(), 1);
    let why: Vec<&str> =
        variant["unread"].as_array().unwrap().iter().map(|line| line["why"].as_str().unwrap()).collect();
    assert!(why[0].contains("256 letters") && why[1].contains("512 bytes"), "{why:?}");
}
