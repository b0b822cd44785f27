//! Fewest pieces with α < β on boards of every size: the page and its lists.

use super::{answer_schema::in_bulk, *};
use serde_json::{Value, json};

#[tokio::test]
async fn page_shows_the_fewest_pieces_with_lists_and_proofs() {
    let site = site();
    let answer = get(&site, "/endgames/smallest").await;
    let (fewest, rest) = answer.page(200).split_once("<h2>With more pieces</h2>").unwrap();
    let (beyond, page) = rest.split_once("<h2>Largest gaps</h2>").unwrap();
    // On 3×3, nine pieces fill the board.
    let filled = beyond.split("<tr>").find(|row| row.contains(">3×3<") && row.contains("<td class=\"amount\">9</td>"));
    assert!(filled.unwrap().contains("<td class=\"amount\">12598</td><td class=\"amount\">35840128</td>"), "{beyond}");
    for address in beyond.split("<a href=\"").skip(1).map(|cell| cell.split('"').next().unwrap()) {
        get(&site, &address.replace("&amp;", "&").replace("&#38;", "&")).await.page(200);
    }
    let rows: Vec<&str> = fewest.split("<tr><th scope=\"row\">").skip(1).collect();
    assert_eq!((rows.len(), page.matches("<svg class=\"diagram\"").count()), (21, 21));
    let mut lists = 0;
    for row in rows {
        let amounts: Vec<&str> =
            row.split("class=\"amount\">").skip(1).map(|cell| cell.split('<').next().unwrap()).collect();
        for address in row.split("<td><a href=\"").skip(1).map(|cell| cell.split('"').next().unwrap()) {
            let file = get(&site, address).await;
            assert_eq!(
                (file.status.as_u16(), file.header("content-type")),
                (200, "text/csv; charset=utf-8"),
                "{address}"
            );
            let lines: Vec<&str> = file.body.lines().skip(1).collect();
            if address.ends_with("-proof.csv") {
                let numbers = lines.iter().flat_map(|line| line.split(',').skip(1)).filter(|number| !number.is_empty());
                assert!(row.contains(&format!(">{} numbers<", numbers.count())), "{row}");
            } else {
                assert_eq!(lines.len().to_string(), amounts[1], "{address}");
                lists += 1;
            }
            let mut again = request(Method::GET, address);
            again.headers_mut().insert("if-none-match", file.header("etag").parse().unwrap());
            assert_eq!(ask(&site, again).await.status, 304);
        }
    }
    assert_eq!(lists, 8);
    assert!(get(&site, "/endgames/smallest/smallest.py").await.body.contains("def prove("));
    get(&site, "/endgames/smallest/9x9.csv").await.page(404);
}

#[tokio::test]
async fn four_pieces_on_a_small_board_have_bounds() {
    let site = router(with_tables(patient(), Arc::default()));
    let fen = "k2/1p1/1P1/K2";
    let answer = get(&site, &format!("/api/richman?fen={fen}")).await.json();
    assert_eq!(
        (&answer["category"], &answer["sharp"], &answer["material"]),
        (&json!("interval"), &json!(false), &json!("KPvKP"))
    );
    let within = |bounds: &Value, exact: f64| {
        let [low, high] = ["lo", "hi"].map(|end| bounds[end].as_str().unwrap().parse::<f64>().unwrap());
        low <= exact && exact <= high && high - low < 1e-14
    };
    assert!(within(&answer["alpha"], 0.25) && within(&answer["beta"], 0.75), "{answer}");
    let moves = ["white", "black"].map(|side| answer[side].as_array().unwrap().len());
    assert!(moves[0] > 0 && moves[0] == moves[1] && answer["white"][0]["alpha"]["lo"].is_string(), "{answer}");

    let mut batch = request(Method::POST, "/api/richman");
    batch.headers_mut().insert("content-type", "application/json".parse().unwrap());
    *batch.body_mut() = Body::from(json!({"fens": [fen, "3k/4/4/K2N"]}).to_string());
    let batch = ask(&site, batch).await.json();
    assert_eq!((&batch["results"][0], &batch["results"][1]["category"]), (&answer, &json!("exact")));
    let lines = in_bulk(&site, &[fen.to_owned(), "n3/B2k/4/K3".to_owned(), "k2/1pp/1P1/K2".to_owned()]).await;
    assert_eq!((&lines[0]["alpha"], &lines[1]["sharp"]), (&answer["alpha"], &json!(false)));
    assert_eq!(lines[2]["category"], "unknown");

    let page = get(&site, &format!("/endgames?fen={fen}")).await;
    let page = page.page(200);
    assert!(page.contains("α &lt; β") && page.contains("The server solves this board on demand"), "{page}");
    // The next larger board is not solved.
    assert_eq!(get(&site, "/api/richman?fen=k3/1p2/4/1P2/K3").await.json()["category"], "unknown");
}
