//! Puzzles on pages and in the API: answers, statistics, and no solution before an answer.

use super::{stakes::send, *};
use axum::http::header;
use serde_json::{Value, json};

/// Posts a form.
async fn press(site: &Router, path: &str, body: &str, cookie: &str) -> Answer {
    let mut form = own_form(path, body.to_owned());
    form.headers_mut().insert(header::COOKIE, cookie.parse().unwrap());
    ask(site, form).await
}

fn header_of<'a>(answer: &'a Answer, name: &str) -> Option<&'a str> {
    answer.headers.get(name).map(|value| value.to_str().unwrap())
}

async fn posed(site: &Router, path: &str) -> Value {
    let answer = get(site, path).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()
}

/// A valid answer to a puzzle, in the form that it expects.
async fn some_answer(site: &Router, puzzle: &Value) -> String {
    match puzzle["form"].as_str().unwrap() {
        "offered" => puzzle["answers"][0]["answer"].as_str().unwrap().to_owned(),
        "chips" => "1".to_owned(),
        "design" => "mW".to_owned(),
        // A move of the side to move, as the page offers it.
        _ => {
            let path = format!("/puzzles/{}/{}", puzzle["kind"].as_str().unwrap(), puzzle["number"]);
            let value = |page: &str, name: &str| {
                let field = format!("<button name=\"{name}\" value=\"");
                page.split(&field).nth(1).map(|rest| rest.split('"').next().unwrap().to_owned())
            };
            let from = value(&get(site, &path).await.body, "from").unwrap();
            value(&get(site, &format!("{path}?from={from}")).await.body, "turn").unwrap()
        }
    }
}

#[tokio::test]
async fn solution_is_hidden_until_an_answer() {
    let site = solved();
    for kind in zorkmid::puzzles::PuzzleKind::ALL.map(zorkmid::puzzles::PuzzleKind::key) {
        let puzzle = posed(&site, &format!("/api/puzzle/next?kind={kind}")).await;
        let path = format!("/api/puzzle/{kind}/{}", puzzle["number"]);
        assert_eq!(posed(&site, &path).await, puzzle, "the same for all clients");
        assert!(["solution", "reasons", "right"].iter().all(|name| puzzle.get(name).is_none()));
        let page = get(&site, &format!("/puzzles/{kind}/{}", puzzle["number"])).await.page(200).to_owned();
        assert!(!page.contains("Why</h2>") && !page.contains("/endgames?fen="), "{kind}");
        let first = some_answer(&site, &puzzle).await;
        let graded = send(&site, &path, None, json!({"answer": first})).await.json();
        let solution = graded["solution"].as_str().unwrap();
        assert_eq!(graded["right"], json!(solution == first), "{kind}");
        assert_eq!(send(&site, &path, None, json!({"answer": solution})).await.json()["right"], json!(true));
        let counted = posed(&site, &path).await;
        assert_eq!(
            (&counted["tried"], counted["solved"].as_i64()),
            (&json!(2), Some(if solution == first { 2 } else { 1 }))
        );
        // An invalid answer is refused and not counted.
        let refused = send(&site, &path, None, json!({"answer": "x9"})).await;
        assert!(refused.status == 400 && refused.body.contains("\"field\":\"answer\""), "{}", refused.body);
        assert_eq!(posed(&site, &path).await["tried"], 2);
    }
    for path in [
        "/api/puzzle/sudoku/1",
        "/api/puzzle/answer/-1",
        "/api/puzzle/answer/4294967296",
        "/puzzles/sudoku",
        "/puzzles/answer/x",
    ] {
        assert_eq!(get(&site, path).await.status, 404, "{path}");
    }
    assert_eq!(get(&site, "/api/puzzle/next?kind=sudoku").await.status, 400);
}

#[tokio::test]
async fn move_is_answered_with_two_clicks() {
    let site = solved();
    let path = "/puzzles/paid-move/7";
    let page = get(&site, path).await.page(200).to_owned();
    assert!(page.contains("name=\"from\" value=\"g4\"") && !page.contains("name=\"answer\" value=\"g4f4\"><span"));
    let taken = press(&site, path, "from=g4", "").await;
    assert_eq!(header_of(&taken, "location"), Some("/puzzles/paid-move/7?from=g4"));
    let page = get(&site, "/puzzles/paid-move/7?from=g4").await.page(200).to_owned();
    assert!(page.matches("name=\"answer\" value=\"g4f4\"").count() == 2, "on the board and next to it");
    let answered = press(&site, path, "answer=g4f4", "").await;
    assert_eq!(header_of(&answered, "location"), Some("/puzzles/paid-move/7?answer=g4f4"));
    let page = get(&site, "/puzzles/paid-move/7?answer=g4f4").await.page(200).to_owned();
    assert!(page.contains("<strong>Correct!</strong>") && page.contains("Solved in 1 of 1 attempts"));
    let slip = get(&site, "/puzzles/paid-move/7?answer=a1a8").await;
    assert!(slip.status == 400 && slip.body.contains("That is not one of the answers"));
}

#[tokio::test]
async fn wrong_answers_leave_three_tries() {
    let site = solved();
    let path = "/puzzles/paid-move/7";
    let wrong: Vec<String> = posed(&site, "/api/puzzle/paid-move/7").await["answers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|offered| offered["answer"].as_str().unwrap().to_owned())
        .filter(|answer| answer != "g4f4")
        .collect();
    let mut tries = String::new();
    for (answer, left) in wrong.iter().zip(["2 tries", "one try", ""]) {
        let answered = press(&site, path, &format!("answer={answer}{tries}"), "").await;
        let page = get(&site, header_of(&answered, "location").unwrap()).await.page(200).to_owned();
        let told = format!("you have {left} left");
        assert!(page.contains(" wins if ") || page.contains(" never wins."), "the move is explained: {page}");
        assert_eq!((page.contains(&told), page.contains("Why</h2>")), (!left.is_empty(), left.is_empty()), "{page}");
        assert_eq!(page.contains("The answer is"), left.is_empty());
        assert_eq!(page.matches(": wrong</button>").count(), usize::from(!left.is_empty()), "{page}");
        let field = page.split("name=\"tries\" value=\"").nth(1).map(|rest| rest.split('"').next().unwrap());
        tries = field.map_or(String::new(), |tries| format!("&tries={tries}"));
        // A click on a piece is no try.
        let taken = press(&site, path, &format!("from=g4{tries}"), "").await;
        assert!(header_of(&taken, "location").unwrap().ends_with(&tries));
    }
    // The solution is shown on request, and the last of two answers needs no second try.
    let page = get(&site, &format!("{path}?answer={}", wrong[0])).await.page(200).to_owned();
    let shown = page.split("<a class=\"button\" href=\"").find(|rest| rest.contains(">Show the solution</a>")).unwrap();
    let shown = shown.split('"').next().unwrap().replace("&#38;", "&");
    assert!(get(&site, &shown).await.page(200).contains("Why</h2>"));
    let right = solution(&site, "answer", 0).await;
    let other = if right == "accept" { "reject" } else { "accept" };
    assert!(get(&site, &format!("/puzzles/answer/0?answer={other}")).await.page(200).contains("Why</h2>"));
}

#[tokio::test]
async fn kind_with_few_puzzles_ends_after_the_last() {
    let site = solved();
    assert!(get(&site, "/puzzles").await.page(200).contains("There are 3, apart from mirror images."));
    let first = get(&site, "/puzzles/zugzwang").await;
    let mut path = header_of(&first, "location").unwrap().to_owned();
    for last in [false, false, true] {
        let (kind, number) = path.trim_start_matches("/puzzles/").split_once('/').unwrap();
        let right = solution(&site, kind, number.parse().unwrap()).await;
        let page = get(&site, &format!("{path}?answer={right}")).await.page(200).to_owned();
        assert_eq!(page.contains("That was the last of the 3 puzzles"), last, "{page}");
        let next =
            page.split_once("\">Next puzzle</a>").map(|(before, _)| before.rsplit('"').next().unwrap().to_owned());
        assert_eq!(next.is_none(), last);
        path = next.unwrap_or_default();
    }
    let drawn = posed(&site, "/api/puzzle/next?kind=zugzwang").await["number"].as_u64();
    assert!([0, 1, 4].map(Some).contains(&drawn), "{drawn:?}");
    // Other numbers remain, and lead to the first of them.
    let right = solution(&site, "zugzwang", 2).await;
    let page = get(&site, &format!("/puzzles/zugzwang/2?answer={right}")).await.page(200).to_owned();
    assert!(page.contains("href=\"/puzzles/zugzwang/0\">Next puzzle</a>"), "{page}");
}

#[tokio::test]
async fn turn_is_built_part_by_part() {
    let site = solved();
    let path = "/puzzles/mate/0";
    let puzzle = posed(&site, "/api/puzzle/mate/0").await;
    assert_eq!((&puzzle["form"], &puzzle["answers"], &puzzle["chips"]), (&json!("turn"), &json!([]), &Value::Null));
    let graded = send(&site, "/api/puzzle/mate/0", None, json!({"answer": "e1e1"})).await;
    assert!(graded.status == 400 && graded.body.contains("cannot go to"), "{}", graded.body);
    let solution = solution(&site, "mate", 0).await;
    let (first, second) = solution.split_once(' ').unwrap();
    let taken = press(&site, path, &format!("from={}&answer=", &first[..2]), "").await;
    assert_eq!(header_of(&taken, "location"), Some(format!("{path}?from={}", &first[..2]).as_str()));
    let page = get(&site, &format!("{path}?from={}", &first[..2])).await.page(200).to_owned();
    assert!(page.contains(&format!("name=\"turn\" value=\"{first}\"")), "{first}");
    let put = press(&site, path, &format!("turn={first}&before="), "").await;
    assert_eq!(header_of(&put, "location"), Some(format!("{path}?turn={first}").as_str()));
    let taken = press(&site, path, &format!("from={}&before={first}", &second[..2]), "").await;
    let page = get(&site, header_of(&taken, "location").unwrap()).await.page(200).to_owned();
    assert!(page.contains(&format!("name=\"turn\" value=\"{solution}\"")) && page.contains("class=\"price\""));
    let page = get(&site, &format!("{path}?turn={}", solution.replace(' ', "+"))).await.page(200).to_owned();
    assert!(page.contains(&format!("value=\"{solution}\"")), "the field contains the solution");
    let page = get(&site, &format!("{path}?answer={}", solution.replace(' ', "+"))).await.page(200).to_owned();
    assert!(page.contains("<strong>Correct!</strong>") && page.contains("and mates"));
    let page = get(&site, &format!("{path}?answer={first}")).await.page(200).to_owned();
    assert!(page.contains("<strong>Wrong.</strong>") && page.contains("is free"), "the result is explained");
}

/// An explanation lists some of the answers. A wrong one that is not among them is explained too.
#[tokio::test]
async fn unlisted_wrong_answer_is_explained() {
    let site = solved();
    let turn = send(&site, "/api/puzzle/mate/0", None, json!({"answer": "Bd3"})).await.json();
    assert_eq!((&turn["reasons"][0]["what"], &turn["solution"]), (&json!("Bd3 Bg6#"), &json!("f1d3 d3g6")));
    let last = turn["reasons"].as_array().unwrap().last().unwrap();
    assert_eq!(last, &json!({"what": "Bd3", "then": "is free and gives no check"}), "{turn}");
    let bid = send(&site, "/api/puzzle/least-bid/0", None, json!({"answer": "0"})).await.json();
    let last = bid["reasons"].as_array().unwrap().last().unwrap();
    assert!(last["what"] == "0" && last["then"].as_str().unwrap().starts_with("is too low: if "), "{bid}");
    let puzzle = posed(&site, "/api/puzzle/guess/1").await;
    for offered in puzzle["answers"].as_array().unwrap() {
        let graded = send(&site, "/api/puzzle/guess/1", None, json!({"answer": offered["answer"]})).await.json();
        let guess = offered["words"].as_str().unwrap().split(',').next().unwrap();
        let reasons = graded["reasons"].as_array().unwrap();
        assert_eq!(reasons.iter().filter(|reason| reason["what"] == guess).count(), 1, "{guess}: {graded}");
    }
}

#[tokio::test]
async fn design_is_answered_as_text() {
    let site = solved();
    let puzzle = posed(&site, "/api/puzzle/design/0").await;
    assert_eq!(puzzle["form"], "design");
    let letters = puzzle["pieces"].as_array().unwrap().iter().map(|piece| piece["letter"].as_str().unwrap());
    let fen = puzzle["fens"][0].as_str().unwrap().split(' ').next().unwrap().to_ascii_uppercase();
    assert!(letters.into_iter().all(|letter| fen.contains(letter)), "{fen}");
    let solution = solution(&site, "design", 0).await;
    let page = get(&site, &format!("/puzzles/design/0?answer={solution}")).await.page(200).to_owned();
    assert!(page.contains("<strong>Correct!</strong>") && page.contains("gives no check"));
    let dear = get(&site, &format!("/puzzles/design/0?answer=R{solution}")).await.page(200).to_owned();
    assert!(dear.contains("<strong>Wrong.</strong>") && dear.contains("There is a cheaper piece"));
    let named = send(&site, "/api/puzzle/design/0", None, json!({"answer": " Wazir"})).await.json();
    let own = named["reasons"].as_array().unwrap().last().unwrap();
    assert!(own["what"] == "W" && own["then"].as_str().unwrap().contains("does not mate"), "{named}");
    for (text, detail, at) in [
        ("", "The answer is empty. Write a piece in Betza notation, such as cfDN.", 0),
        (" cfDq", "“cfDq”: character 4: ", 4),
    ] {
        let refused = send(&site, "/api/puzzle/design/0", None, json!({"answer": text})).await;
        let problem = refused.parsed();
        assert!(problem["detail"].as_str().unwrap().starts_with(detail), "{problem}");
        assert_eq!((refused.status.as_u16(), &problem["at"]), (400, &json!(at)), "{problem}");
    }
    let idle = get(&site, "/puzzles/design/0?answer=mW").await.page(200).to_owned();
    assert!(idle.contains("does not mate on any square next to the king"));
    let wrong = get(&site, "/puzzles/design/0?answer=xyz").await;
    assert!(wrong.status == 400 && wrong.body.contains("aria-invalid"), "{}", wrong.body);
}

#[tokio::test]
async fn design_is_built_on_the_map_at_its_exact_price() {
    let site = solved();
    let path = "/puzzles/design/0";
    let clicked = get(&site, &format!("{path}?piece=&before=&press=1,1&tries=2&hint=1&difficulty=hard")).await;
    let there = format!("{path}?piece=F&tries=2&hint=1&difficulty=hard&before=");
    assert_eq!(header_of(&clicked, "location"), Some(&*there), "the address holds the piece, not the click");
    let page = get(&site, &there).await.page(200).to_owned();
    for part in [
        "It costs <strong class=\"amount\">1.35</strong>",
        "name=\"press\" value=\"1,1\"",
        "name=\"tries\" value=\"2\"",
        "name=\"hint\" value=\"1\"",
        "name=\"difficulty\" value=\"hard\"",
        "<input type=\"hidden\" name=\"piece\" value=\"F\"><button class=\"button primary\">",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    // A name is an answer too, and a wrong answer stays on the map.
    let named = press(&site, path, "piece=ferz&known=&by=leap&mirror=all&tries=2", "").await;
    assert_eq!(header_of(&named, "location"), Some("/puzzles/design/0?answer=F&tries=3"));
    let wrong = get(&site, &format!("{path}?answer=mW")).await.page(200).to_owned();
    assert!(wrong.contains("<strong>Wrong.</strong>") && wrong.contains("class=\"code\" value=\"mW\""), "{wrong}");
    assert_eq!(get(&site, &format!("{path}?piece=F&press=9,9")).await.status, 400);
    let solution = solution(&site, "design", 0).await;
    let solved = get(&site, &format!("{path}?answer={solution}")).await.page(200).to_owned();
    assert!(!solved.contains("id=\"workshop\""), "{solved}");
}

#[tokio::test]
async fn busy_page_reloads_only_if_that_repeats_the_request() {
    let site = router(with_tables(patient(), Arc::default()));
    let reload = "<meta http-equiv=\"refresh\" content=\"1\">";
    let page = get(&site, "/puzzles/design/0").await;
    assert!(page.page(503).contains(reload) && page.body.contains(">Reload</a>"), "{}", page.body);
    let answer = press(&site, "/puzzles/design/0", "piece=F", "").await;
    assert!(!answer.page(503).contains(reload) && answer.body.contains("then try again"), "{}", answer.body);
}

/// The solution, as the API returns it after an answer.
async fn solution(site: &Router, kind: &str, number: u32) -> String {
    let path = format!("/api/puzzle/{kind}/{number}");
    let puzzle = posed(site, &path).await;
    let answer = some_answer(site, &puzzle).await;
    send(site, &path, None, json!({"answer": answer})).await.json()["solution"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn streak_of_days_is_kept_in_a_cookie() {
    let site = solved();
    let daily = posed(&site, "/api/puzzle/daily").await;
    let (kind, day) = (daily["kind"].as_str().unwrap(), daily["number"].as_u64().unwrap());
    let path = format!("/puzzles/{kind}/{day}");
    assert!(get(&site, "/").await.page(200).contains(&path) && get(&site, "/puzzles").await.page(200).contains(&path));
    let first = some_answer(&site, &daily).await;
    let graded = send(&site, &format!("/api/puzzle/{kind}/{day}"), None, json!({"answer": first})).await.json();
    let solution = graded["solution"].as_str().unwrap();
    let kept = async |cookie: &str| {
        let answer =
            press(&site, &path, &format!("answer={}", solution.replace(' ', "+").replace('@', "%40")), cookie).await;
        let set =
            answer.headers.get_all("set-cookie").iter().map(|line| line.to_str().unwrap().split(';').next().unwrap());
        set.map(str::to_owned).find(|line| line.starts_with("puzzle-days="))
    };
    assert_eq!(kept("").await, Some(format!("puzzle-days={day}.1")));
    assert_eq!(kept(&format!("puzzle-days={}.4", day - 1)).await, Some(format!("puzzle-days={day}.5")));
    assert_eq!(
        kept(&format!("puzzle-days={}.4", day - 2)).await,
        Some(format!("puzzle-days={day}.1")),
        "a day was missed"
    );
    assert_eq!(kept(&format!("puzzle-days={day}.5")).await, None, "once a day");
    assert_eq!(kept("puzzle-days=x.y").await, Some(format!("puzzle-days={day}.1")));
    let mut seen = request(Method::GET, "/");
    seen.headers_mut().insert(header::COOKIE, format!("puzzle-days={day}.5").parse().unwrap());
    assert!(ask(&site, seen).await.page(200).contains("Daily streak: 5 days"));
    // Other puzzles do not count.
    let other = posed(&site, &format!("/api/puzzle/{kind}/{}", day + 1)).await;
    let answer = some_answer(&site, &other).await.replace(' ', "+");
    let answer = press(&site, &format!("/puzzles/{kind}/{}", day + 1), &format!("answer={answer}"), "").await;
    assert!(
        answer.headers.get_all("set-cookie").iter().all(|line| !line.to_str().unwrap().starts_with("puzzle-days="))
    );
}

#[tokio::test]
async fn hints_and_tries_cost_points() {
    let site = solved();
    let path = "/puzzles/paid-move/7";
    let page = get(&site, path).await.page(200).to_owned();
    assert!(page.contains("?hint=1\">Hint") && !page.contains("Look at the piece"));
    let hinted = get(&site, &format!("{path}?hint=1")).await.page(200).to_owned();
    assert!(hinted.contains("Look at the piece on g4.") && hinted.contains("name=\"hint\" value=\"1\""), "{hinted}");
    let shared = get(&site, &format!("{path}?answer=g4f4")).await.page(200).to_owned();
    assert!(shared.contains("Correct!") && !shared.contains("your score"), "{shared}");
    // Earlier tries, the cookie, the new cookie.
    for (before, cookie, score) in [
        ("", "", Some("3.1.paid-move.7")),
        ("&hint=1", "", Some("2.1.paid-move.7")),
        ("&tries=1", "puzzle-score=5.2.guess.4", Some("7.3.paid-move.7")),
        ("&tries=2&hint=1", "", Some("1.1.paid-move.7")),
        ("", "puzzle-score=3.1.paid-move.7", None),
    ] {
        let answered = press(&site, path, &format!("answer=g4f4{before}"), cookie).await;
        let set = header_of(&answered, "set-cookie").map(|line| line.split(';').next().unwrap());
        assert_eq!(set, score.map(|score| format!("puzzle-score={score}")).as_deref(), "{before} {cookie}");
        let mut seen = request(Method::GET, header_of(&answered, "location").unwrap());
        let cookie = set.unwrap_or(cookie).to_owned();
        seen.headers_mut().insert(header::COOKIE, cookie.parse().unwrap());
        let page = ask(&site, seen).await.page(200).to_owned();
        let points = cookie.split(['=', '.']).nth(1).unwrap();
        assert!(page.contains(&format!("your score is {points} after")), "{page}");
    }
}

/// Text between two marks.
fn between<'a>(page: &'a str, start: &str, end: &str) -> &'a str {
    page.split_once(start).unwrap_or_else(|| panic!("{start}: {page}")).1.split(end).next().unwrap()
}

#[tokio::test]
async fn line_of_the_solution_is_replayed_step_by_step() {
    let site = solved();
    for kind in ["least-bid", "answer", "paid-move", "coin-move", "promotion", "mate"] {
        let path = format!("/puzzles/{kind}/1");
        assert!(!get(&site, &path).await.page(200).contains("Replay the solution"), "{kind}: not before an answer");
        let right = solution(&site, kind, 1).await.replace(' ', "+").replace('@', "%40");
        let page = get(&site, &format!("{path}?answer={right}&tries=2")).await.page(200).to_owned();
        let moves = page.matches("&amp;step=").count();
        assert!(page.contains("aria-label=\"Replay the solution\"") && moves > 2, "{kind}: {page}");
        let next =
            between(&page, "Back</span> <a class=\"button\" href=\"", "\"").replace("&amp;", "&").replace("&#38;", "&");
        let first = get(&site, &next).await.page(200).to_owned();
        assert!(first.contains("last-from") || first.contains("last-to"), "{kind}: {first}");
        assert!(first.contains("<li aria-current=\"step\">") && first.contains("1 of "), "{kind}: {first}");
        assert!(first.contains("tries=2&amp;step=0") || first.contains("tries=2&#38;step=0"), "{kind}: {first}");
        // A step beyond the end is the last one.
        let last = get(&site, &format!("{path}?answer={right}&step=999")).await.page(200).to_owned();
        assert!(last.contains("Next</span>") && last.contains("Last</span>"), "{kind}: {last}");
    }
    let page = get(&site, "/puzzles/least-bid/0?answer=3&step=1").await.page(200).to_owned();
    assert!(page.contains("White bids 3, Black "), "{page}");
    // The bar has the chips after the move.
    let (white, black) = between(&page, "White has ", ".").split_once(", Black ").unwrap();
    let shares = between(&page, "<p class=\"shares\">", "</p>");
    assert!(
        shares.contains(&format!("White {white} chip")) && shares.contains(&format!("Black {black} chip")),
        "{page}"
    );
}

#[tokio::test]
async fn filter_chooses_themes_and_difficulties() {
    let site = solved();
    let all = get(&site, "/puzzles").await.page(200).to_owned();
    let pawns = get(&site, "/puzzles?theme=pawn&difficulty=").await.page(200).to_owned();
    assert!(all.contains("href=\"/puzzles/design\"") && !pawns.contains("href=\"/puzzles/design?"));
    assert!(pawns.contains("href=\"/puzzles/promotion?theme=pawn\""), "{pawns}");
    for (theme, difficulty) in [("rook", ""), ("king-move", "easy")] {
        let drawn = get(&site, &format!("/puzzles/paid-move?theme={theme}&difficulty={difficulty}")).await;
        let path = header_of(&drawn, "location").unwrap().to_owned();
        let puzzle = posed(&site, path.replace("/puzzles/", "/api/puzzle/").split('?').next().unwrap()).await;
        assert!(difficulty.is_empty() || puzzle["difficulty"] == difficulty, "{puzzle}");
        let right = solution(&site, "paid-move", puzzle["number"].as_u64().unwrap() as u32).await;
        let page = get(&site, &format!("{path}&answer={right}")).await.page(200).to_owned();
        assert!(page.contains(&format!("<a href=\"/puzzles?theme={theme}\">")), "{page}");
        // The next puzzle fits too.
        let next = between(&page, "primary\" href=\"", "\"");
        assert!(next.starts_with(&format!("/puzzles/paid-move?theme={theme}")), "{next}");
    }
    // A theme can give part of the solution away.
    let unsolved = get(&site, "/puzzles/paid-move/7").await.page(200).to_owned();
    assert!(!unsolved.contains("Themes:") && unsolved.contains("measured from the position"), "{unsolved}");
    let drawn = posed(&site, "/api/puzzle/next?theme=promotion&difficulty=easy").await;
    assert_eq!((&drawn["kind"], &drawn["difficulty"]), (&json!("promotion"), &json!("easy")));
    for wrong in ["theme=x", "difficulty=x"] {
        for path in ["/puzzles", "/puzzles/answer", "/puzzles/answer/1", "/api/puzzle/next"] {
            assert_eq!(get(&site, &format!("{path}?{wrong}")).await.status, 400, "{path} {wrong}");
        }
    }
    let none = get(&site, "/puzzles/design?theme=pawn").await;
    let page = none.page(404);
    assert!(page.contains("No puzzle “The cheapest mate” was found") && page.contains("theme=pawn"), "{page}");
    assert_eq!(get(&site, "/api/puzzle/next?kind=design&theme=pawn").await.status, 404);
    let none = get(&site, "/api/puzzle/next?kind=zugzwang&difficulty=easy").await;
    assert!(none.status == 404 && none.body.contains("None of the 3 puzzles of the kind zugzwang"), "{}", none.body);
}
