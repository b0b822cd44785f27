//! Four pieces on the site: bounds in the answers for programs and on the page, from files in the folder of the server.

use super::*;
use serde_json::{Value, json};
use std::fs;
use zorkmid::richman::{FourFiles, FourTable, Numbering, Pair, Wide, file_of};

const ONE: u64 = 1 << 63;
/// The place of White's king on a1, Black's on h8, rook b2 and bishop c4.
const APART: &str = "7k/8/8/8/2B5/8/1R6/K7";
/// The same with the bishop on d4.
const NEAR: &str = "7k/8/8/8/3B4/8/1R6/K7";

/// A site with a made-up table of rook and bishop: everything is worth a half, but for one position, of which bounds are known.
fn site_with_four() -> (tempfile::TempDir, Router) {
    let folder = tempfile::tempdir().unwrap();
    let pair: Pair = "KRBvK".parse().unwrap();
    let numbering = Numbering::new(pair);
    let square = |name: &str| name.parse().unwrap();
    let quad = zorkmid::richman::Quad {
        king: square("a1"),
        bare: square("h8"),
        first: square("b2"),
        second: square("c4"),
        stepped: None,
    };
    let place = numbering.place(quad);
    let (mut low, mut span) = (vec![ONE / 2; numbering.len()], vec![0; numbering.len()]);
    (low[place], span[place]) = (ONE / 4, u16::MAX);
    let wide = vec![Wide { place: place as u32, alpha: ONE / 4 + 1, beta: ONE / 4 * 3, high: ONE / 4 * 3 + 1 }];
    let table = FourTable { pair, numbering, low, span, wide };
    table.write(&mut fs::File::create(file_of(folder.path(), pair)).unwrap()).unwrap();
    fs::write(file_of(folder.path(), "KQRvK".parse().unwrap()), "damaged").unwrap();
    let tables = Arc::new(Tables::with_four(FourFiles::new(folder.path().to_owned())));
    tables.solve(Size::ORTHODOX).unwrap();
    (folder, router(with_tables(patient(), tables)))
}

#[tokio::test]
async fn bounds_are_told_to_programs_and_to_people() {
    let (_folder, site) = site_with_four();
    let answer = get(&site, &format!("/api/richman?fen={APART}")).await;
    let told = answer.json();
    assert_eq!((&told["category"], &told["sharp"], &told["value"]), (&json!("interval"), &json!(false), &Value::Null));
    let bounds = &told["enclosed"];
    assert_eq!(bounds["alpha"], json!({"lo": "0.250000000000000000", "hi": "0.250000000000000001"}));
    assert_eq!(bounds["beta"], json!({"lo": "0.750000000000000000", "hi": "0.750000000000000001"}));
    let (white, black) = (bounds["white"].as_array().unwrap(), bounds["black"].as_array().unwrap());
    assert_eq!((white.len(), black.len()), (27, 3), "{told}");
    let again = {
        let mut request = request(Method::GET, &format!("/api/richman?fen={APART}"));
        request.headers_mut().insert("if-none-match", answer.header("etag").parse().unwrap());
        ask(&site, request).await
    };
    assert_eq!(again.status, 304);

    // With the colours changed everything is turned over.
    let turned = get(&site, "/api/richman?fen=k7/1r6/8/2b5/8/8/8/7K").await.json();
    assert_eq!(turned["enclosed"]["alpha"], json!({"lo": "0.249999999999999999", "hi": "0.250000000000000000"}));
    assert_eq!(
        (turned["material"].as_str(), turned["enclosed"]["black"].as_array().unwrap().len()),
        (Some("KvKRB"), 27)
    );

    // What is asked besides does not change that; ways to pay that have no table of four are not covered.
    for more in ["n=3", "chips=17:183&bids=black"] {
        let more = get(&site, &format!("/api/richman?fen={APART}&{more}")).await.json();
        assert_eq!((&more["category"], &more["enclosed"]), (&told["category"], &told["enclosed"]));
    }
    let poorman = get(&site, &format!("/api/richman?fen={APART}&money=poorman")).await.json();
    assert_eq!((&poorman["category"], &poorman["enclosed"]), (&json!("unknown"), &Value::Null));

    // With the right to castle it is another position.
    let castled = get(&site, &format!("/api/richman?fen={APART}_w_Q_-")).await.json();
    assert_eq!(castled["category"], "unknown");

    // A king that can be captured, and a capture that leaves three pieces.
    let taken = get(&site, "/api/richman?fen=8/8/8/8/8/2k5/1R6/K1B5").await.json();
    let named = |side: &str, uci: &str| {
        let moves = taken["enclosed"][side].as_array().unwrap().clone();
        moves.into_iter().find(|mv| mv["uci"] == uci).unwrap_or_else(|| panic!("{uci} in {taken}"))
    };
    let bishop = get(&site, "/api/richman?fen=8/8/8/8/8/8/1k6/K1B5").await.json();
    let value = bishop["value"]["approx"].as_f64().unwrap();
    let captured = named("black", "c3b2");
    assert!((captured["value"]["lo"].as_str().unwrap().parse::<f64>().unwrap() - value).abs() < 1e-15, "{captured}");

    let near = page(&site, NEAR).await;
    assert!(near.contains("≈ 0.500000000000") && near.contains("<b>α = β</b>"), "{near}");
    let apart = page(&site, APART).await;
    assert!(apart.contains("<b>α &lt; β</b>") && apart.contains("0.750000000000") && apart.contains("The best moves"));

    let outcomes = json!({"fens": [APART, "8/8/8/8/3k4/8/8/K2N4"]});
    let answers = crate::api::post(&site, "/api/richman", None, outcomes).await.json();
    assert_eq!(answers["results"][0]["enclosed"], told["enclosed"]);
    assert_eq!(answers["results"][1]["category"], "exact");
    let status = get(&site, "/api/richman/status").await.json();
    let names: Vec<&str> =
        status["tables"].as_array().unwrap().iter().map(|one| one["material"].as_str().unwrap()).collect();
    assert_eq!(names[6..], ["KQRvK", "KRBvK"]);

    let all = get(&site, "/endgames/four").await;
    let shown = format!("<a href=\"/endgames?fen={APART}\">0.250000</a></td><td class=\"amount\">0.750000</td>");
    assert!(all.page(200).contains(&shown) && all.body.contains("No table here: KQQvK, "), "{}", all.body);
    assert_eq!(all.body.matches("KQRvK").count(), 1, "a damaged table is none");
}

async fn page(site: &Router, fen: &str) -> String {
    get(site, &format!("/endgames?fen={fen}")).await.page(200).to_owned()
}

#[tokio::test]
async fn a_table_that_is_missing_or_damaged_leaves_the_question_open() {
    let (folder, site) = site_with_four();
    for fen in ["7k/8/8/8/3Q4/8/1R6/K7", "7k/8/8/8/3N4/8/1R6/K7", "7k/8/8/3p4/3P4/8/8/K7"] {
        let told = get(&site, &format!("/api/richman?fen={fen}")).await.json();
        assert_eq!((&told["category"], &told["enclosed"]), (&json!("unknown"), &Value::Null), "{told}");
        assert!(!told.to_string().contains(folder.path().to_str().unwrap()), "{told}");
        assert!(page(&site, fen).await.contains("No value is known here"));
    }
    // One that comes later is found.
    let fen = "7k/8/8/8/3N4/8/1R6/K7";
    let pair: Pair = "KRNvK".parse().unwrap();
    let numbering = Numbering::new(pair);
    let (low, span) = (vec![ONE / 2; numbering.len()], vec![0; numbering.len()]);
    let table = FourTable { pair, numbering, low, span, wide: Vec::new() };
    table.write(&mut fs::File::create(file_of(folder.path(), pair)).unwrap()).unwrap();
    assert_eq!(get(&site, &format!("/api/richman?fen={fen}")).await.json()["category"], "interval");
}
