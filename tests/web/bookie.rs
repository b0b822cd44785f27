//! Bookie positions on the site: only a valid code opens a board, a hidden board stays hidden, and scores are right.

use super::*;
use zorkmid::variants::bookie::{self, Code};

/// Codes of two boards with the same officers and different pawns and kings.
fn siblings() -> [Code; 2] {
    let rng = &mut StdRng::seed_from_u64(11);
    let first = bookie::generate(rng).unwrap();
    let second = bookie::deal_rest(&bookie::officers(&first), rng).unwrap();
    assert!(!first.same_placement(&second));
    [Code::seal(&first).unwrap(), Code::seal(&second).unwrap()]
}

#[tokio::test]
async fn new_position_has_its_own_address() {
    let site = site();
    let answer = get(&site, "/bookie").await;
    assert_eq!(answer.status, 303);
    assert_eq!(answer.header("cache-control"), "private, no-store, no-cache");
    let path = answer.header("location");
    let code = path.strip_prefix("/bookie/").unwrap();
    assert_eq!(code.len(), 64);
    code.parse::<Code>().unwrap();
    assert_ne!(get(&site, "/bookie").await.header("location"), path, "every draw gives another board");
    let kept = get(&site, "/bookie?first=black&double=5/2&black_wins_draws=1&handicap=20&handicapped=white").await;
    let (_, query) = kept.header("location").split_once('?').unwrap();
    assert_eq!(query, "first=black&double=5/2&black_wins_draws=1&handicap=20&handicapped=white");
    get(&site, "/bookie?double=1").await.page(400);
}

#[tokio::test]
async fn unknown_options_are_refused_by_name() {
    let site = site();
    let [code, _] = siblings();
    for path in ["/bookie".to_owned(), format!("/bookie/{code}"), format!("/bookie/{code}/reveal")] {
        let page = get(&site, &format!("{path}?double=2&trebble=3")).await;
        assert!(page.page(400).contains("trebble") && page.body.contains("black_wins_draws"), "{path}");
    }
    assert!(get(&site, "/rules/bookie?one=87&tow=65&score=1").await.page(400).contains("tow"));
    for path in ["/api/bookie".to_owned(), format!("/api/bookie/{code}")] {
        assert_eq!(get(&site, &format!("{path}?trebble=3")).await.problem(400)["field"], "trebble");
    }
}

#[tokio::test]
async fn coin_toss_for_the_first_move_is_kept_in_the_address() {
    let site = site();
    let mut sides = [0, 0];
    for _ in 0..40 {
        let answer = get(&site, "/bookie?coin_toss=1&double=2").await;
        let (code, query) = answer.header("location").split_once('?').unwrap();
        assert!(["double=2&first=white", "first=black&double=2"].contains(&query), "{query}");
        let black = query.contains("first=black");
        sides[usize::from(black)] += 1;
        assert!(get(&site, &format!("{code}/reveal?{query}")).await.page(200).contains(if black {
            " b - - 0 1"
        } else {
            " w - - 0 1"
        }));
        let position = get(&site, "/api/bookie?coin_toss=1").await.json();
        let (url, fen) = (position["url"].as_str().unwrap(), position["fen"].as_str().unwrap());
        assert_eq!(url.ends_with("?first=black"), fen.contains(" b "), "{url}");
        assert!(url.contains("?first="), "{url}");
    }
    assert!(sides.into_iter().all(|thrown| thrown > 5), "{sides:?}");
    for wrong in ["coin_toss=2", "coin_toss=1&first=black", "coin_toss=1&coin_toss=1"] {
        assert_eq!(get(&site, &format!("/api/bookie?{wrong}")).await.problem(400)["field"], "coin_toss", "{wrong}");
    }
    assert!(!get(&site, "/bookie?coin_toss=0").await.header("location").contains('?'));
}

#[tokio::test]
async fn score_form_keeps_the_options_of_its_address() {
    let site = site();
    let [code, _] = siblings();
    let options = "first=black&double=2&black_wins_draws=1&handicap=20&handicapped=two";
    let page = get(&site, &format!("/bookie/{code}/reveal?{options}")).await;
    for kept in ["name=\"first\" value=\"black\"", "name=\"double\" value=\"2\"", "name=\"handicap\" value=\"20\""] {
        assert!(page.page(200).contains(kept), "{kept}");
    }
    for kept in ["value=\"1\" selected", "value=\"two\" selected", "value=\"\" selected>both played on"] {
        assert!(page.body.contains(kept), "{kept}");
    }
}

#[tokio::test]
async fn api_shows_the_officers_and_then_everything() {
    let site = site();
    let fresh = get(&site, "/api/bookie?first=black").await;
    assert_eq!((fresh.status.as_u16(), fresh.header("content-type")), (200, "application/json"));
    assert_eq!(fresh.header("cache-control"), "private, no-store, no-cache");
    let fresh = fresh.json();
    assert_eq!(fresh.as_object().unwrap().len(), 3);
    let (code, fen) = (fresh["code"].as_str().unwrap(), fresh["fen"].as_str().unwrap());
    assert_eq!(fresh["url"], format!("http://zork.example/bookie/{code}?first=black"));
    let placement = fen.split(' ').next().unwrap();
    assert!(fen.ends_with(" b - - 0 1"), "{fen}");
    assert!(placement.chars().all(|letter| "/12345678NBRQnbrq".contains(letter)), "{fen}");

    let again = get(&site, &format!("/api/bookie/{code}?first=black")).await.json();
    assert_eq!(again, fresh);
    let whole = get(&site, &format!("/api/bookie/{code}?reveal=1")).await.json();
    let whole = whole["fen"].as_str().unwrap();
    assert!(whole.ends_with(" w - - 0 1"));
    assert_eq!(whole.matches('K').count() + whole.matches('k').count(), 2);
    let board = bookie::board();
    let position = board.parse_fen(whole).unwrap();
    assert_eq!(Code::seal(&position).unwrap().to_string(), code);
    assert_eq!(board.placement_fen(&bookie::officers(&position)), placement);
    assert_eq!(get(&site, &format!("/api/bookie/{code}?reveal=perhaps")).await.problem(400)["field"], "reveal");
    assert_eq!(get(&site, &format!("/api/bookie/{code}?reveal=1&reveal=1")).await.problem(400)["field"], "reveal");
    let wrong = get(&site, &format!("/api/bookie/{code}?double=1/x")).await.problem(400);
    assert_eq!((&wrong["field"], &wrong["at"]), (&"double".into(), &2.into()));
}

#[tokio::test]
async fn altered_codes_are_refused() {
    let site = router(app(patient()));
    let [code, other] = siblings().map(|code| code.to_string());
    assert_eq!(get(&site, &format!("/bookie/{code}")).await.status, 200);
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    for at in 0..64 {
        // Three other letters in every place. The tests of the rules try all letters.
        for letter in alphabet.chars().filter(|letter| !code[at..].starts_with(*letter)).skip(at % 7).step_by(23) {
            let wrong = format!("{}{letter}{}", &code[..at], &code[at + 1..]);
            let problem = get(&site, &format!("/api/bookie/{wrong}")).await.problem(400);
            assert_eq!(problem["field"], "code");
        }
    }
    let half = format!("{}{}", &code[..32], &other[32..]);
    for wrong in [half, code[1..].to_owned(), format!("{code}A"), "x".to_owned(), "A".repeat(64), "%20".repeat(64)] {
        get(&site, &format!("/bookie/{wrong}")).await.page(400);
        get(&site, &format!("/bookie/{wrong}/reveal")).await.page(400);
        get(&site, &format!("/api/bookie/{wrong}")).await.problem(400);
        get(&site, &format!("/api/bookie/{wrong}?reveal=1")).await.problem(400);
    }
    let problem = get(&site, &format!("/api/bookie/{}!{}", &code[..9], &code[10..])).await.problem(400);
    assert_eq!((&problem["field"], &problem["at"]), (&"code".into(), &9.into()));
    for bytes in ["%ff%fe", "%00", "%F0%9F%82%A1"] {
        get(&site, &format!("/api/bookie/{bytes}")).await.problem(400);
        get(&site, &format!("/bookie/{bytes}")).await.page(400);
    }
}

#[tokio::test]
async fn hidden_page_reveals_nothing() {
    let site = site();
    let codes = siblings();
    for query in ["", "?first=black&double=2"] {
        for path in ["/bookie/", "/api/bookie/"] {
            let mut shown = Vec::new();
            for code in &codes {
                let mut answer = get(&site, &format!("{path}{code}{query}")).await;
                assert_eq!(answer.status, 200);
                assert_eq!(answer.header("cache-control"), "private, no-store, no-cache");
                for moving in ["x-request-id", "ratelimit-remaining", "ratelimit-reset"] {
                    answer.headers.remove(moving);
                }
                // Only the code may differ.
                assert!(answer.body.contains(code.as_str()));
                shown.push((answer.body.replace(code.as_str(), "CODE"), answer.headers));
            }
            assert_eq!(shown[0], shown[1]);
        }
    }
    let page = get(&site, &format!("/bookie/{}", codes[0])).await.body;
    for unit in ["-pawn", "-king", "white pawn", "white king", "black pawn", "black king"] {
        assert!(!page.contains(unit), "{unit}");
    }
    let revealed = get(&site, &format!("/bookie/{}/reveal", codes[0])).await;
    assert_eq!(revealed.header("cache-control"), "private, no-store, no-cache");
    assert!(revealed.body.contains("white king") && revealed.body.contains("black pawn"));
    assert!(revealed.body.contains(&bookie::board().fen(&codes[0].open())));
}

/// Text of the last column of the score table.
fn points(page: &str) -> Vec<String> {
    let ledger = page.split_once("class=\"ledger\"").unwrap().1.split_once("<tbody>").unwrap().1;
    let rows = ledger.split_once("</tbody>").unwrap().0.split("</tr>").filter(|row| row.contains("<td"));
    let text = |cell: &str| cell.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).collect();
    rows.map(|row| text(&format!("<td{}", row.rsplit("<td").next().unwrap())))
        .map(|text: String| text.trim().to_owned())
        .collect()
}

#[tokio::test]
async fn score_form_reproduces_the_published_examples() {
    let site = site();
    let [code, _] = siblings();
    let reveal = format!("/bookie/{code}/reveal");
    for action in [reveal.as_str(), "/rules/bookie"] {
        for (query, one, two) in [
            ("one=87&two=65&result=white", "35", "0"),
            ("one=87&two=65&result=black", "0", "87"),
            ("one=87&two=65&result=draw", "17.5", "43.5"),
            // Diane bid 60 on her colour, and Carl beats her with 20 percent.
            ("one=60&two=30&result=black&handicap=20&handicapped=two", "0", "72"),
            ("one=87&two=65&result=draw&black_wins_draws=1", "0", "87"),
            ("one=87&two=65&result=draw&double=2&stakes=grown", "35", "87"),
            // The form does not mark a concession.
            ("double=2&one=87&two=65&result=white", "70", "0"),
            ("double=2&one=87&two=65&result=white&stakes=base", "35", "0"),
            ("one=50&two=50&white=two&result=white", "0", "50"),
            ("one=1&two=0&result=white&handicap=1/3&handicapped=one", "301/3", "0"),
        ] {
            let page = get(&site, &format!("{action}?{query}&score=1")).await;
            let points = points(page.page(200));
            assert_eq!(points, [one, two], "{query}");
        }
        for (query, field) in [
            ("score=1", "one"),
            ("one=101&two=65&result=white", "one"),
            ("one=87&two=-1&result=white", "two"),
            ("one=87&two=6.5&result=white", "two"),
            ("one=87&two=65&result=black&stakes=grown", "double"),
            ("one=87&two=65&result=checkmate", "result"),
            ("one=50&two=50&result=white", "white"),
            ("one=87&two=65&result=black&handicap=20", "handicapped"),
            ("one=87&two=65&result=black&double=0", "double"),
        ] {
            let page = get(&site, &format!("{action}?{query}")).await;
            assert!(page.page(400).contains(&format!("id=\"{field}-wrong\"")), "{query}");
        }
        get(&site, action).await.page(200);
    }
    // Typed text is returned escaped.
    let page = get(&site, &format!("{reveal}?one=%22%3E%3Cb%3E&score=1")).await;
    assert!(!page.page(400).contains("\"><b>"));
}

#[tokio::test]
async fn two_players_bid_one_after_the_other() {
    let site = site();
    let [code, other] = siblings();
    let path = format!("/bookie/{code}");
    let bid = async |path: &str, body: &str| ask(&site, own_form(&format!("{path}/bid"), body.to_owned())).await;
    assert!(get(&site, &path).await.page(200).contains("First player’s bid on White"));
    assert!(bid(&path, "bid=101").await.page(422).contains("value=\"101\""));
    let first = bid(&path, "bid=87").await;
    let second = first.header("location").to_owned();
    let (_, seal) = second.split_once("?sealed=").unwrap();
    let page = get(&site, &second).await;
    assert!(
        page.page(200).contains("First player’s bid: sealed") && page.body.contains("Second player’s bid on White")
    );
    let again = bid(&path, "bid=87").await;
    assert_ne!(again.header("location"), second, "equal bids have different seals");
    let other_bid = bid(&path, "bid=13").await.header("location").to_owned();
    let (_, other_seal) = other_bid.split_once("?sealed=").unwrap();
    let shown = get(&site, &other_bid).await.body.replace(other_seal, seal);
    assert_eq!(shown, page.body, "the second player does not see the first bid");
    let wrong = bid(&path, &format!("bid=x&sealed={seal}")).await;
    assert!(wrong.page(422).contains("First player’s bid: sealed"), "the first bid is not lost");
    let foreign = bid(&format!("/bookie/{other}"), &format!("bid=65&sealed={seal}")).await;
    assert!(foreign.header("location").contains("?sealed="), "a seal belongs to one position");
    let open = bid(&path, &format!("bid=65&sealed={seal}")).await;
    assert_eq!(open.header("location"), format!("{path}/reveal?one=87&two=65"));
    let page = get(&site, open.header("location")).await;
    assert!(page.page(200).contains("The first player plays White and gets 35 for a win. The second player gets 87."));
    for way in ["self", "link", "bot:steady"] {
        let fields = format!("variant=bookie&option-code={code}&bid-one=87&bid-two=65&opponent={way}");
        let begun = ask(&site, own_form("/games", fields)).await;
        assert_eq!(begun.status, 303, "{way}: {}", begun.body);
        let there = begun.header("location");
        let game = get(&site, &format!("/api{there}")).await.json();
        assert_eq!((&game["view"]["bids"]["one"], &game["view"]["bids"]["two"]), (&87.into(), &65.into()));
        assert!(!get(&site, there).await.page(200).contains("may have seen it"));
    }
    // The player who joins an open game makes the second bid. Bids on an unknown position are not accepted.
    for (bids, opponent, rest) in [
        ("bid-one=87&bid-two=101", "self", format!("variant=bookie&option-code={code}")),
        ("bid-one=0&bid-two=100", "open", format!("variant=bookie&option-code={code}")),
        ("bid-one=0&bid-two=100", "link", "variant=bookie".to_owned()),
        ("bid-one=0&bid-two=100", "self", "variant=bidding".to_owned()),
    ] {
        let begun = ask(&site, own_form("/games", format!("{rest}&{bids}&opponent={opponent}"))).await;
        assert_eq!(begun.status, 422, "{rest}&{bids}&opponent={opponent}");
    }
}
