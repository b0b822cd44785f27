//! Four pieces on the site: bounds in the API and on the page, from files in the server's folder.

use super::{often::often, *};
use base64::{Engine, engine::general_purpose::STANDARD};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{convert::Infallible, fs, sync::Mutex};
use tempfile::TempDir;
use zorkmid::richman::{
    FourFile, FourFiles, FourPieceMaterial, FourProgress, FourTable, FourWork, LargeGap, Numbering, decide_four,
    decisions_file_of, file_of, solve_four,
};

const ONE: u64 = 1 << 63;
/// White king a1, black king h8, rook b2, bishop c4.
const APART: &str = "7k/8/8/8/2B5/8/1R6/K7";
/// The same position with the bishop on d4.
const NEAR: &str = "7k/8/8/8/3B4/8/1R6/K7";

/// A site with a made-up table of rook and bishop. Every value is 1/2, except one position with bounds.
fn site_with_four() -> (TempDir, Router) {
    let folder = tempfile::tempdir().unwrap();
    let pair: FourPieceMaterial = "KRBvK".parse().unwrap();
    let numbering = Numbering::new(pair);
    let square = |name: &str| name.parse().unwrap();
    let quad = zorkmid::richman::FourPiecePosition {
        king: square("a1"),
        bare: square("h8"),
        first: square("b2"),
        second: square("c4"),
        stepped: None,
    };
    let place = numbering.place(quad);
    let (mut low, mut span) = (vec![ONE / 2; numbering.len()], vec![0; numbering.len()]);
    (low[place], span[place]) = (ONE / 4, u16::MAX);
    let wide = vec![LargeGap { place: place as u32, alpha: ONE / 4 + 1, beta: ONE / 4 * 3, high: ONE / 4 * 3 + 1 }];
    let table = FourTable { pair, numbering, low, span, wide };
    table.write(&mut fs::File::create(file_of(folder.path(), pair)).unwrap()).unwrap();
    fs::write(file_of(folder.path(), "KQRvK".parse().unwrap()), "damaged").unwrap();
    let site = site_of(&folder);
    (folder, site)
}

/// The app of a site with the four-piece and five-piece tables of a folder.
fn app_of(folder: &TempDir) -> Arc<App> {
    let tables = Arc::new(Tables::with_four(FourFiles::new(folder.path().to_owned())));
    tables.solve(Size::ORTHODOX).unwrap();
    with_tables(patient(), tables)
}

/// A site with the four-piece and five-piece tables of a folder.
pub(crate) fn site_of(folder: &TempDir) -> Router {
    router(app_of(folder))
}

/// Rook and bishop against the bare king, solved in some seconds: the smallest material with many positions of α < β.
static ROOK_BISHOP: LazyLock<FourTable> = LazyLock::new(|| {
    let three = tables::tables().solve(Size::ORTHODOX).unwrap();
    let none = |pair: FourPieceMaterial| -> Result<FourTable, Infallible> { panic!("{pair} is not needed") };
    let Ok(table) = solve_four("KRBvK".parse().unwrap(), &three, &mut { none }, &mut |_| ());
    table
});

/// The app of a site with that table.
pub(super) fn app_with_rook_and_bishop() -> (TempDir, Arc<App>) {
    let folder = tempfile::tempdir().unwrap();
    let path = file_of(folder.path(), ROOK_BISHOP.pair);
    ROOK_BISHOP.write(&mut fs::File::create(path).unwrap()).unwrap();
    let app = app_of(&folder);
    (folder, app)
}

/// A site with that table.
fn site_with_rook_and_bishop() -> (TempDir, Router) {
    let (folder, app) = app_with_rook_and_bishop();
    (folder, router(app))
}

#[tokio::test]
async fn bounds_are_in_the_api_and_on_the_page() {
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
    // The answer is reproducible and cacheable.
    for _ in 0..3 {
        let again = get(&site, &format!("/api/richman?fen={APART}")).await;
        assert_eq!((again.header("etag"), &again.body), (answer.header("etag"), &answer.body));
    }

    // With exchanged colours, the bounds are mirrored.
    let turned = get(&site, "/api/richman?fen=k7/1r6/8/2b5/8/8/8/7K").await.json();
    assert_eq!(turned["enclosed"]["alpha"], json!({"lo": "0.249999999999999999", "hi": "0.250000000000000000"}));
    assert_eq!(
        (turned["material"].as_str(), turned["enclosed"]["black"].as_array().unwrap().len()),
        (Some("KvKRB"), 27)
    );

    // Other parameters do not change the bounds. Payment rules without four-piece tables are not covered.
    for more in ["n=3", "chips=17:183&bids=black"] {
        let more = get(&site, &format!("/api/richman?fen={APART}&{more}")).await.json();
        assert_eq!((&more["category"], &more["enclosed"]), (&told["category"], &told["enclosed"]));
    }
    let poorman = get(&site, &format!("/api/richman?fen={APART}&money=poorman")).await.json();
    assert_eq!((&poorman["category"], &poorman["enclosed"]), (&json!("unknown"), &Value::Null));

    // With castling rights, it is another position.
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
    assert!(apart.contains("<b>α &lt; β</b>") && apart.contains("0.750000000000") && apart.contains("Best moves"));

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
    assert_eq!(all.body.matches("KQRvK").count(), 1, "a damaged table is not listed");
}

/// Repeats a request until its computation has finished.
async fn found_out(site: &Router, address: &str) -> Answer {
    let found = Mutex::new(None);
    let there = async || {
        let answer = get(site, address).await;
        let later = answer.status == 202 || answer.status == 503;
        *found.lock().unwrap() = Some(answer);
        !later
    };
    until(address, there).await;
    found.into_inner().unwrap().unwrap()
}

/// Reloads a page until its computation has finished.
async fn worked_out(site: &Router, address: &str) -> String {
    found_out(site, address).await.page(200).to_owned()
}

async fn page(site: &Router, fen: &str) -> String {
    get(site, &format!("/endgames?fen={fen}")).await.page(200).to_owned()
}

#[tokio::test]
async fn missing_or_damaged_table_gives_an_unknown_value() {
    let (folder, site) = site_with_four();
    for fen in ["7k/8/8/8/3Q4/8/1R6/K7", "7k/8/8/8/3N4/8/1R6/K7", "7k/8/8/3p4/3P4/8/8/K7"] {
        let told = get(&site, &format!("/api/richman?fen={fen}")).await.json();
        assert_eq!((&told["category"], &told["enclosed"]), (&json!("unknown"), &Value::Null), "{told}");
        assert_eq!(get(&site, &format!("/api/richman?fen={fen}")).await.header("cache-control"), "no-store");
        assert!(!told.to_string().contains(folder.path().to_str().unwrap()), "{told}");
        assert!(page(&site, fen).await.contains("No value is known here"));
    }
    // A table added later is found.
    let fen = "7k/8/8/8/3N4/8/1R6/K7";
    let pair: FourPieceMaterial = "KRNvK".parse().unwrap();
    let numbering = Numbering::new(pair);
    let (low, span) = (vec![ONE / 2; numbering.len()], vec![0; numbering.len()]);
    let table = FourTable { pair, numbering, low, span, wide: Vec::new() };
    table.write(&mut fs::File::create(file_of(folder.path(), pair)).unwrap()).unwrap();
    // Its bounds meet in one number.
    assert_eq!(get(&site, &format!("/api/richman?fen={fen}")).await.json()["category"], "exact");
}

/// Published position with the widest gap, in a core of rook and bishop.
const CORE: &str = "8/6B1/8/8/4k3/2R5/8/K7";

/// A position without fractions, because too many positions depend on each other.
const FAR: &str = "5k2/1B6/6R1/8/8/3K4/8/8";

#[tokio::test]
async fn exact_fractions_are_shown_where_found_in_time() {
    let (_folder, site) = site_with_rook_and_bishop();
    let ask = async |fen: &str, more: &str| found_out(&site, &format!("/api/richman?fen={fen}{more}")).await;
    let [plain, core] = [ask(CORE, "").await.json(), ask(CORE, "&exact=true").await.json()];
    let fraction = |num: &str, den: &str, approx: f64| json!({"num": num, "den": den, "approx": approx});
    let number = |of: &Value| json!({"num": of["num"], "den": of["den"], "approx": of["approx"]});
    assert_eq!(number(&core["alpha"]), fraction("27", "32", 0.84375));
    assert_eq!(number(&core["beta"]), fraction("7", "8", 0.875));
    assert_eq!((&core["category"], &core["sharp"], &core["value"]), (&json!("interval"), &json!(false), &Value::Null));
    assert_eq!((&plain["alpha"]["num"], &plain["beta"]["num"]), (&Value::Null, &Value::Null));
    assert_eq!(
        (&core["enclosed"]["alpha"], ask(CORE, "&exact=false").await.json()),
        (&plain["enclosed"]["alpha"], plain.clone())
    );
    // With exchanged colours, the fractions are mirrored.
    let turned = ask("k7/8/2r5/4K3/8/8/6b1/8", "&exact=true").await.json();
    assert_eq!(
        (number(&turned["alpha"]), number(&turned["beta"])),
        (fraction("1", "8", 0.125), fraction("5", "32", 0.15625))
    );

    let told = worked_out(&site, &format!("/endgames?fen={CORE}&exact=true")).await;
    assert!(told.contains("<h2>Exact fractions</h2>") && told.contains("<span>27</span>"), "{told}");
    assert!(page(&site, CORE).await.contains("Find exact fractions"));

    // If α = β, there is a value and a bid between the bounds.
    let sharp = ask("7k/8/8/8/2B5/8/1R6/K7", "&exact=true").await.json();
    assert_eq!((&sharp["category"], &sharp["value"]), (&json!("exact"), &fraction("7463", "8192", 0.9110107421875)));
    assert_eq!((&sharp["alpha"], &sharp["sharp"]), (&sharp["beta"], &json!(true)));
    assert_eq!(sharp["enclosed"]["alpha"]["lo"], "0.911010742187500000");
    assert_eq!((number(&sharp["bid"]), &sharp["quiescent"]), (fraction("243", "8192", 0.0296630859375), &json!(false)));

    // If too many positions depend on each other, the answer has only the bounds.
    let [plain, far] = [ask(FAR, "").await.json(), ask(FAR, "&exact=true").await.json()];
    assert_eq!(
        (&far["category"], &far["alpha"]["num"], &far["beta"]["num"]),
        (&json!("interval"), &Value::Null, &Value::Null)
    );
    assert_eq!((&far["sharp"], &far), (&json!(false), &plain));
    let told = worked_out(&site, &format!("/endgames?fen={FAR}&exact=true")).await;
    assert!(told.contains("No fractions were found") && !told.contains("<h2>Exact fractions</h2>"), "{told}");

    for more in ["&exact=perhaps", "&exact=1", "&exact=", "&exact=true&exact=true"] {
        assert_eq!(ask(CORE, more).await.problem(400)["field"], "exact", "{more}");
    }
    get(&site, &format!("/endgames?fen={CORE}&exact=perhaps")).await.page(400);
    get(&site, "/api/richman?fen=8/8/x&exact=true").await.problem(400);
    get(&site, "/api/richman?exact=true").await.problem(400);
    // Three-piece positions are always exact, and positions without a file have no fractions.
    assert_eq!(ask("8/8/8/8/3k4/8/8/K2N4", "&exact=true").await.json()["category"], "exact");
    assert_eq!(ask("7k/8/8/8/3N4/8/1R6/K7", "&exact=true").await.json()["category"], "unknown");
}

#[tokio::test]
async fn threshold_search_page_matches_the_api() {
    let (_folder, site) = site_with_rook_and_bishop();
    let find = async |query: &str| get(&site, &format!("/endgames/four/search{query}")).await;
    let blank = find("").await;
    let form = blank.page(200);
    assert!(form.contains("<option>KRBvK</option>") && !form.contains("id=\"found\""), "{form}");
    let all = worked_out(&site, "/endgames/four").await;
    assert!(all.contains("action=\"/endgames/four/search\""), "{all}");

    // The page shows the API's results, and both have a next page.
    let query = "gap_min=1/100&alpha_min=0.5&limit=20";
    let told = get(&site, &format!("/api/richman/four/KRBvK?{query}")).await.json();
    let found = find(&format!("?material=KRBvK&{query}&alpha_max=")).await;
    let page = found.page(200).to_owned();
    assert!(page.contains(&format!(">{} positions</h2>", told["total"])), "{page}");
    let positions = told["positions"].as_array().unwrap();
    assert_eq!(page.matches("<th scope=\"row\"><a href=\"/endgames?fen=").count(), positions.len());
    for position in positions {
        let fen = position["fen"].as_str().unwrap();
        assert!(page.contains(&format!("<a href=\"/endgames?fen={fen}\"><code>{fen}</code></a>")), "{fen}");
    }
    assert!(page.contains("href=\"/api/richman/files/KRBvK.four\"") && page.contains("value=\"1/100\""));
    let next = page.split("rel=\"next nofollow\" href=\"").nth(1).unwrap().split('"').next().unwrap();
    let onward = get(&site, &next.replace("&amp;", "&").replace("&#38;", "&")).await;
    assert!(onward.page(200).contains(&format!(">{} positions</h2>", told["total"])), "{}", onward.body);
    assert!(!onward.body.contains(positions[0]["fen"].as_str().unwrap()));

    for (query, why) in [
        ("?material=KRBvK&gap_min=much", "The parameter “gap_min” must be a fraction"),
        ("?material=KQQvK", "There is no table of this material. Choose one from the list."),
        ("?material=KRBvK&colour=1", "is not a search field"),
    ] {
        let wrong = find(query).await;
        assert!(wrong.page(400).contains(why), "{}", wrong.body);
    }
}

#[tokio::test]
async fn page_explains_a_gap() {
    let (_folder, site) = site_with_rook_and_bishop();
    let all = worked_out(&site, "/endgames/four").await;
    let row = format!(
        "<td class=\"amount\">at least 74710</td><td class=\"amount\">not counted</td><td class=\"amount\"><a href=\"/endgames?fen={CORE}\">0.843750</a></td>"
    );
    assert!(all.contains(&row) && all.contains("<td class=\"amount\">0.875000</td><td class=\"amount\">0.031250</td>"));
    let shown = all.split("id=\"KRBvK\"").nth(1).unwrap();
    let text: String = shown.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).collect();
    for words in [
        "α ≈ 0.843750 β ≈ 0.875000",
        "White can wait with Bh8. After any other move, β is at most 0.864272.",
        "Black can wait with Kd5. After any other move, α is at least 0.875000.",
        "Waiting moves lead only between 4 positions, with the same α and β.",
        "With 31 chips for White and 169 for Black, Black’s share lies between α and β.",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    // The text matches the board: after both waiting moves, the position is unchanged.
    for (side, uci) in [("white", "g7h8"), ("black", "e4d5")] {
        let told = get(&site, &format!("/api/richman?fen={CORE}")).await.json();
        let moves = told["enclosed"][side].as_array().unwrap();
        let value = &moves.iter().find(|mv| mv["uci"] == uci).unwrap()["value"];
        assert_eq!(
            (value["lo"].as_str().unwrap(), value["hi"].as_str().unwrap()),
            ("0.843749999999999999", "0.875000000000000001")
        );
    }
    // The form begins a game with these chips.
    let field = |name: &str| {
        let value = shown.split(&format!("name=\"{name}\" value=\"")).nth(1).unwrap();
        value.split('"').next().unwrap().replace(' ', "+")
    };
    let names = ["variant", "preset", "option-fen", "option-white", "option-black"];
    let fields = names.map(|name| format!("{name}={}", field(name))).join("&");
    let begun = ask(&site, own_form("/games", format!("{fields}&opponent=bot:steady"))).await;
    assert_eq!(begun.status, 303, "{}", begun.body);
    let id = begun.header("location").split(['/', '?']).nth(2).unwrap().to_owned();
    let game = get(&site, &format!("/api/games/{id}")).await.json();
    assert_eq!(game["view"]["chips"], json!({"one": 31, "two": 169}), "{game}");
}

#[tokio::test]
async fn positions_are_found_by_thresholds() {
    let (_folder, site) = site_with_four();
    let find = async |query: &str| get(&site, &format!("/api/richman/four/KRBvK?{query}")).await;
    let one = find("gap_min=0.25").await.json();
    assert_eq!((&one["material"], &one["total"], &one["next"]), (&json!("KRBvK"), &json!(1), &Value::Null));
    let found = &one["positions"][0];
    assert_eq!((&found["fen"], &found["beta"]["lo"]), (&json!(APART), &json!("0.750000000000000000")));
    for (query, total) in [
        ("", 2_382_660),
        ("gap_max=0", 2_382_659),
        ("alpha_min=1/2&beta_max=0.5", 2_382_659),
        ("alpha_max=1/4", 1),
        ("beta_min=0.76", 0),
        ("gap_min=1/2&gap_max=1/2", 1),
        ("alpha_min=-3&alpha_max=2", 2_382_660),
    ] {
        assert_eq!(find(query).await.json()["total"], total, "{query}");
    }
    let first = find("alpha_min=1/2&limit=2").await.json();
    let next = get(&site, first["next"].as_str().unwrap()).await.json();
    let fens = |page: &Value| -> Vec<String> {
        page["positions"].as_array().unwrap().iter().map(|one| one["fen"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!((fens(&first).len(), fens(&next).len()), (2, 2));
    assert!(fens(&next).iter().all(|fen| !fens(&first).contains(fen)));
    for (query, field) in [
        ("alpha_min=a", "alpha_min"),
        ("gap_max=1/0", "gap_max"),
        ("value=1/2", "value"),
        ("limit=101", "limit"),
        ("limit=0", "limit"),
        ("after=-1", "after"),
        ("beta_min=1&beta_min=1", "beta_min"),
    ] {
        assert_eq!(find(query).await.problem(400)["field"], field, "{query}");
    }
    for missing in ["KQRvK", "KQQvK", "KBRvK", "KRvK", "x"] {
        get(&site, &format!("/api/richman/four/{missing}")).await.problem(404);
    }
}

#[tokio::test]
async fn tables_are_listed_with_their_state() {
    let (folder, site) = site_with_four();
    let list = async || get(&site, "/api/richman/four").await.json()["tables"].as_array().unwrap().clone();
    let of = |tables: &[Value], material: &str| -> Value {
        tables.iter().find(|table| table["material"] == material).unwrap().clone()
    };
    let tables = list().await;
    assert_eq!(tables.len(), 30);
    let told = of(&tables, "KRBvK");
    assert_eq!((&told["state"], &told["progress"]), (&json!("ready"), &json!(1.0)));
    let table = &told["table"];
    assert_eq!((&table["apart"], &table["file"]), (&json!(1), &json!("/api/richman/files/KRBvK.four")));
    assert_eq!(table["open"], Value::Null);
    assert_eq!(table["farthest"]["fen"], APART);
    assert_eq!(table["farthest"]["alpha"], json!({"lo": "0.250000000000000000", "hi": "0.250000000000000001"}));
    assert_eq!(table["farthest"]["gap"], json!({"lo": "0.499999999999999999", "hi": "0.500000000000000001"}));
    // Damaged tables and tables never begun are missing.
    for material in ["KQRvK", "KPvKP"] {
        let waiting = json!({"material": material, "state": "waiting", "progress": 0.0, "table": null});
        assert_eq!(of(&tables, material), waiting);
    }
    let begun = |pair: &str| FourWork::begin(folder.path(), pair.parse().unwrap()).unwrap();
    let mut work = begun("KQQvK");
    let state = async |pair: &str| {
        let told = of(&list().await, pair);
        (told["state"].as_str().unwrap().to_owned(), told["progress"].as_f64().unwrap())
    };
    assert_eq!(state("KQQvK").await, ("computing".to_owned(), 0.0));
    work.note(FourProgress { round: 3, open: 1000, positions: 4000 }).unwrap();
    assert_eq!(state("KQQvK").await, ("computing".to_owned(), 0.75));
    let page = get(&site, "/endgames/four").await;
    assert!(page.page(200).contains("Being solved: KQQvK, 75 % done."), "{}", page.body);
    // A second process on the same table does no harm, and a stopped one reports no progress.
    drop(begun("KQQvK"));
    assert_eq!(state("KQQvK").await, ("computing".to_owned(), 0.75));
    drop(work);
    fs::write(folder.path().join("KQQvK.solving"), "00000000000000000001 00000000000000000002").unwrap();
    assert_eq!(state("KQQvK").await, ("waiting".to_owned(), 0.0));
}

#[tokio::test]
async fn decisions_about_equal_values_are_in_the_api_and_on_the_page() {
    let (folder, site) = site_with_rook_and_bishop();
    let path = file_of(folder.path(), ROOK_BISHOP.pair);
    let file = FourFile::open(&path).unwrap();
    let files = FourFiles::new(folder.path().to_owned());
    let decisions = decide_four(file.pair, &tables::tables().solve(Size::ORTHODOX).unwrap(), &files).unwrap();
    decisions.write(&file.sum, &mut fs::File::create(decisions_file_of(&path)).unwrap()).unwrap();
    for (fen, sharp, category) in [("6k1/2R5/8/8/5B2/8/8/3K4", false, "interval"), (NEAR, true, "exact")] {
        let told = get(&site, &format!("/api/richman?fen={fen}")).await.json();
        assert_eq!((&told["sharp"], &told["category"]), (&json!(sharp), &json!(category)), "{fen}");
    }
    let told = get(&site, "/api/richman/four").await.json();
    let told = told["tables"].as_array().unwrap().iter().find(|table| table["material"] == "KRBvK").unwrap();
    assert_eq!((&told["table"]["apart"], &told["table"]["open"]), (&json!(75_438), &json!(0)));
    let page = worked_out(&site, "/endgames/four").await;
    assert!(page.contains("<td class=\"amount\">75438</td><td class=\"amount\">0</td>"), "{page}");
}

#[tokio::test]
async fn four_piece_file_is_served_unchanged() {
    let (folder, site) = site_with_four();
    let bytes = fs::read(folder.path().join("KRBvK.four")).unwrap();
    let mut asked = request(Method::GET, "/api/richman/files/KRBvK.four");
    asked.headers_mut().insert("accept-encoding", "gzip, br".parse().unwrap());
    let answer = site.clone().oneshot(asked).await.unwrap();
    assert_eq!(answer.status(), 200);
    let header = |name: &str| answer.headers().get(name).map(|value| value.to_str().unwrap().to_owned());
    assert_eq!(header("content-length"), Some(bytes.len().to_string()));
    assert_eq!(header("content-encoding"), None);
    assert_eq!(header("content-disposition").as_deref(), Some("attachment; filename=\"KRBvK.four\""));
    let (sum, tag) = (Sha256::digest(&bytes), header("etag").unwrap());
    assert_eq!(header("repr-digest"), Some(format!("sha-256=:{}:", STANDARD.encode(sum))));
    assert!(answer.into_body().collect().await.unwrap().to_bytes() == bytes, "the served file differs");
    let listed = get(&site, "/api/richman/four").await.json();
    let told = listed["tables"].as_array().unwrap().iter().find(|one| one["material"] == "KRBvK").unwrap().clone();
    let hex: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!((&told["table"]["sha256"], &told["table"]["bytes"]), (&json!(hex), &json!(bytes.len())));
    let mut again = request(Method::GET, "/api/richman/files/KRBvK.four");
    again.headers_mut().insert("if-none-match", tag.parse().unwrap());
    assert_eq!(ask(&site, again).await.status, 304);
    for missing in ["KQRvK.four", "KQQvK.four", "KBRvK.four", "8x8-KRBvK.four", ".four", "..%2FKRBvK.four"] {
        get(&site, &format!("/api/richman/files/{missing}")).await.problem(404);
    }
}

#[tokio::test]
async fn heat_map_covers_every_square_of_a_piece() {
    let (_folder, site) = site_with_four();
    let heat = async |more: &str| get(&site, &format!("/api/richman/heat?fen={APART}&{more}")).await;
    let map = heat("piece=B").await.json();
    let squares = map["squares"].as_array().unwrap();
    let on = |name: &str| squares.iter().find(|square| square["square"] == name).unwrap();
    let (own, other) = (on("c4"), on("d4"));
    assert_eq!((&own["fen"], &other["fen"]), (&json!(APART), &json!(NEAR)));
    assert_eq!(own["alpha"], json!({"lo": "0.250000000000000000", "hi": "0.250000000000000001"}));
    assert_eq!(own["gap"], json!({"lo": "0.499999999999999999", "hi": "0.500000000000000001"}));
    assert_eq!(other["beta"], json!({"lo": "0.500000000000000000", "hi": "0.500000000000000000"}));
    assert_eq!((&own["value"], &own["share"]), (&Value::Null, &Value::Null));
    for taken in ["a1", "h8", "b2"] {
        assert_eq!((&on(taken)["fen"], &on(taken)["alpha"]), (&Value::Null, &Value::Null));
    }
    assert_eq!(squares.iter().filter(|square| !square["fen"].is_null()).count(), 61);
    let csv = heat("piece=B&form=csv").await;
    let lines: Vec<&str> = csv.body.lines().collect();
    assert_eq!((lines.len(), lines[0]), (65, "square,fen,alpha_lo,alpha_hi,beta_lo,beta_hi,gap_lo,gap_hi"));
    let line = format!(
        "c4,{APART},0.250000000000000000,0.250000000000000001,0.750000000000000000,0.750000000000000001,0.499999999999999999,0.500000000000000001"
    );
    assert!(lines.contains(&&*line) && lines.contains(&"a1,,,,,,,"), "{}", csv.body);
    let mut again = request(Method::GET, &format!("/api/richman/heat?fen={APART}&piece=B&form=csv"));
    again.headers_mut().insert("if-none-match", csv.header("etag").parse().unwrap());
    assert_eq!(ask(&site, again).await.status, 304);
    assert_eq!(heat("piece=K").await.json()["squares"][63]["fen"], Value::Null);
    // A piece that is not on the board, and a material without a table.
    assert_eq!(heat("piece=N").await.problem(400)["field"], "piece");
    assert_eq!(heat("piece=b").await.problem(400)["field"], "piece");
    let unknown = get(&site, "/api/richman/heat?fen=7k/8/8/8/3N4/8/1R6/K7&piece=N").await;
    assert_eq!(unknown.problem(400)["field"], "piece");

    for (of, here, there) in [("alpha", ".250", ".500"), ("beta", ".750", ".500"), ("gap", "50.00", "0")] {
        let told = page(&site, &format!("{APART}&heat=B&of={of}")).await;
        let shown = |square: &str, label: &str| told.contains(&format!("on {square}: </span>{label}</a>"));
        assert!(told.contains(&format!("c4, where it is now: </span>{here}</a>")) && shown("d4", there), "{told}");
        assert!(told.contains("csv") && told.contains(&format!("/endgames?fen={NEAR}&#38;heat=B&#38;of={of}#heat")));
    }
    assert!(page(&site, APART).await.contains("aria-current=\"true\">α</a>"));
    assert!(page(&site, "7k/8/8/8/3N4/8/1R6/K7").await.contains("where this server has their table"));
    get(&site, &format!("/endgames?fen={APART}&of=delta")).await.page(400);
}

/// Single requests, a batch, NDJSON and the page agree on every position.
#[tokio::test]
async fn all_ways_to_ask_agree() {
    let (_folder, site) = site_with_rook_and_bishop();
    let mut chance = StdRng::seed_from_u64(31);
    let mut fens = vec![CORE.to_owned(), "6k1/2R5/8/8/5B2/8/8/3K4".to_owned(), "k7/8/8/8/8/8/8/KQQ5".to_owned()];
    let sets = ["KkRB", "Kkrb", "KkN", "KkP", "Kk", "KkRBN", "K"];
    for pieces in sets.into_iter().cycle().take(often(21)) {
        let mut squares = [None; 64];
        for letter in pieces.chars() {
            let inner = chance.random_range(8..56);
            squares[inner] = Some(letter);
        }
        let rows = squares.chunks(8).map(|row| row.iter().map(|letter| letter.unwrap_or('1')).collect::<String>());
        fens.push(rows.collect::<Vec<_>>().join("/"));
    }
    let batch = crate::api::post(&site, "/api/richman", None, json!({ "fens": fens })).await.json();
    let mut bulk = request(Method::POST, "/api/richman");
    bulk.headers_mut().insert("content-type", "application/x-ndjson".parse().unwrap());
    *bulk.body_mut() = axum::body::Body::from(fens.join("\n"));
    let bulk = ask(&site, bulk).await.body;
    let bulk: Vec<Value> = bulk.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(bulk.len(), fens.len());
    let mut names = None;
    for (at, fen) in fens.iter().enumerate() {
        let single = get(&site, &format!("/api/richman?fen={fen}")).await.json();
        assert_eq!(batch["results"][at], single, "{fen}");
        for (name, told) in bulk[at].as_object().unwrap().iter().filter(|(name, _)| !name.ends_with("_label")) {
            assert_eq!(single.get(name), Some(told), "{name} of {fen}");
        }
        // Every answer has the same fields.
        let own: Vec<String> = single.as_object().unwrap().keys().cloned().collect();
        assert_eq!(names.get_or_insert_with(|| own.clone()), &own, "{fen}");
        let shown = page(&site, fen).await;
        assert_eq!(shown.contains("<b>α &lt; β</b>"), single["sharp"] == false, "{fen}: {shown}");
        assert_eq!(shown.contains("No value is known here"), single["category"] == "unknown", "{fen}: {shown}");
    }
}

/// Runs `examples/verify_four.py` on a file and returns whether it is proved, and the output.
fn check_by_python(exact: &std::path::Path, four: &std::path::Path, more: &[&str]) -> Option<(bool, String)> {
    let python = std::path::Path::new(&tools::named("ZORKMID_SCHEMATHESIS")?).with_file_name("python");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/verify_four.py");
    let done = std::process::Command::new(python).args([script.as_ref(), exact, four]).args(more).output().unwrap();
    let said = [done.stdout, done.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    Some((done.status.success(), said))
}

#[tokio::test]
async fn separate_program_proves_a_table_and_refuses_faults() {
    let (folder, site) = site_with_rook_and_bishop();
    let bytes = site.clone().oneshot(request(Method::GET, "/api/richman/files/8x8.bin")).await.unwrap();
    let exact = folder.path().join("8x8.bin");
    fs::write(&exact, bytes.into_body().collect().await.unwrap().to_bytes()).unwrap();
    let path = folder.path().join("KRBvK.four");
    // A sample takes a second, the whole proof a minute.
    let sample: &[&str] = if super::often::is_whole() { &[] } else { &["--sample", "20000"] };
    let Some((proved, said)) = check_by_python(&exact, &path, sample) else { return };
    assert!(
        proved
            && (said.contains(": proved. The bounds of all 2382660 positions hold")
                || said.contains("inequalities hold in ")),
        "{said}"
    );

    let good = fs::read(&path).unwrap();
    let places = u32::from_le_bytes(good[12..16].try_into().unwrap()) as usize;
    let change = |at: &dyn Fn(usize) -> usize, by: i64| {
        let mut bad = good.clone();
        for place in (0..places).step_by(5) {
            let at = at(place);
            let number = u64::from_le_bytes(bad[at..at + 8].try_into().unwrap());
            bad[at..at + 8].copy_from_slice(&number.saturating_add_signed(by).to_le_bytes());
        }
        let end = bad.len() - 32;
        let sum = Sha256::digest(&bad[..end]);
        bad[end..].copy_from_slice(&sum);
        bad
    };
    let low = |place: usize| 32 + 8 * place;
    let (higher, lower) = (change(&low, 1 << 20), change(&low, -(1 << 20)));
    let mut damaged = good.clone();
    damaged[100] ^= 1;
    for (bad, why) in [
        (higher, "bounds out of order"),
        (lower, " at place "),
        (damaged, "the checksum is wrong"),
        (b"nothing".repeat(20), "not a version 1 table of four pieces"),
    ] {
        fs::write(&path, bad).unwrap();
        let (proved, said) = check_by_python(&exact, &path, &["--sample", "20000"]).unwrap();
        assert!(!proved && said.contains("not proved: ") && said.contains(why), "{why}: {said}");
    }
}
