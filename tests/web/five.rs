//! Five pieces on the site: bounds in the API and on the page, from a file in the server's folder.

use super::{four::site_of, *};
use serde_json::{Value, json};
use std::{fs, path::Path};
use zorkmid::richman::{
    Columns, FiveNumbering, FivePieceMaterial, FiveTable, FourPieceMaterial, FourTable, Numbering, file_of,
    file_of_five,
};

const ONE: u64 = 1 << 63;
/// Three knights, one of which can be captured.
const KNIGHTS: &str = "8/8/3k4/3N4/8/8/5N2/K6N";
/// The same position with exchanged colours.
const TURNED: &str = "k6n/5n2/8/8/3n4/3K4/8/8";

/// Writes a made-up file of three knights in which every value is 3/4, and one of two knights in which every value is 5/8.
fn knights(folder: &Path) {
    let even = |places: usize, low: u64| Columns { low: vec![low; places], span: vec![8; places], wide: Vec::new() };
    let trio: FivePieceMaterial = "KNNNvK".parse().unwrap();
    let columns = even(FiveNumbering::new(trio, Size::ORTHODOX).len(), ONE / 4 * 3);
    let five = FiveTable { trio, size: Size::ORTHODOX, columns };
    five.write(&mut fs::File::create(file_of_five(folder, trio, Size::ORTHODOX)).unwrap()).unwrap();
    let pair: FourPieceMaterial = "KNNvK".parse().unwrap();
    let numbering = Numbering::new(pair);
    let Columns { low, span, wide } = even(numbering.len(), ONE / 8 * 5);
    let four = FourTable { pair, numbering, low, span, wide };
    four.write(&mut fs::File::create(file_of(folder, pair)).unwrap()).unwrap();
}

#[tokio::test]
async fn five_piece_bounds_are_shown_once_there_is_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let site = site_of(&folder);
    let ask = async |fen: &str| get(&site, &format!("/api/richman?fen={fen}")).await.json();
    // Without a file, the answer says so, and no visitor reads an operator's command.
    for fen in [KNIGHTS, TURNED] {
        let told = ask(fen).await;
        assert_eq!((&told["category"], &told["enclosed"]), (&json!("unknown"), &Value::Null));
        let reason = told["reason"].as_str().unwrap();
        assert!(
            reason.starts_with("5 pieces: the tables cover all positions with at most three, and some with"),
            "{reason}"
        );
        assert!(reason.contains("this server has no table of KNNNvK"), "{reason}");
        let answer = get(&site, &format!("/api/richman?fen={fen}")).await;
        assert_eq!(answer.header("cache-control"), "no-store");
        let page = get(&site, &format!("/endgames?fen={fen}")).await;
        assert!(
            page.page(200).contains("no table of KNNNvK") && !page.body.contains("solve --pieces"),
            "{}",
            page.body
        );
    }

    // A file added later is found.
    knights(folder.path());
    let told = ask(KNIGHTS).await;
    assert_eq!((&told["category"], &told["material"]), (&json!("interval"), &json!("KNNNvK")), "{told}");
    let bounds = &told["enclosed"];
    assert_eq!(bounds["alpha"], json!({"lo": "0.750000000000000000", "hi": "0.750000000000000001"}));
    assert_eq!(bounds["beta"], bounds["alpha"]);
    let after = |side: &str, uci: &str| {
        let moves = bounds[side].as_array().unwrap();
        moves.iter().find(|mv| mv["uci"] == uci).unwrap_or_else(|| panic!("{uci} in {told}"))["value"]["lo"].clone()
    };
    assert_eq!(after("black", "d6d5"), "0.625000000000000000");
    assert_eq!(after("black", "d6d7"), "0.750000000000000000");
    assert_eq!(bounds["white"].as_array().unwrap().len(), 17);
    let turned = ask(TURNED).await;
    assert_eq!(turned["enclosed"]["beta"], json!({"lo": "0.249999999999999999", "hi": "0.250000000000000000"}));

    // A cached answer is revalidated, and many positions can be requested at once.
    let answer = get(&site, &format!("/api/richman?fen={KNIGHTS}")).await;
    let mut again = request(Method::GET, &format!("/api/richman?fen={KNIGHTS}"));
    again.headers_mut().insert("if-none-match", answer.header("etag").parse().unwrap());
    assert_eq!(crate::ask(&site, again).await.status, 304);
    let both = crate::api::post(&site, "/api/richman", None, json!({"fens": [KNIGHTS, TURNED]})).await.json();
    assert_eq!((&both["results"][0]["enclosed"], &both["results"][1]["enclosed"]), (bounds, &turned["enclosed"]));

    let page = get(&site, &format!("/endgames?fen={KNIGHTS}")).await;
    let shown = page.page(200);
    assert!(
        shown.contains("≈ 0.750000000000") && shown.contains("Kxd5") && !shown.contains("No value is known"),
        "{shown}"
    );

    // A damaged file causes no error, and the answer does not reveal its folder.
    let path = file_of_five(folder.path(), "KNNNvK".parse().unwrap(), Size::ORTHODOX);
    fs::write(&path, "damaged").unwrap();
    let told = get(&site_of(&folder), &format!("/api/richman?fen={KNIGHTS}")).await;
    assert_eq!(told.json()["category"], "unknown");
    assert!(!told.body.contains(folder.path().to_str().unwrap()), "{}", told.body);
}
