//! Cookies whose values come from a request.

use super::{games::Browser, *};
use axum::http::header;
use std::sync::atomic::{AtomicI64, Ordering};

/// `Set-Cookie` lines of an answer for one kind of cookie.
fn set<'a>(answer: &'a Answer, sort: &str) -> Vec<&'a str> {
    let lines = answer.headers.get_all(header::SET_COOKIE).iter().map(|line| line.to_str().unwrap());
    lines.filter(|line| line.starts_with(&format!("{sort}-"))).collect()
}

/// Attribute names of a `Set-Cookie` line.
fn attributes(line: &str) -> Vec<String> {
    line.split(';').skip(1).map(|part| part.trim().split('=').next().unwrap().to_ascii_lowercase()).collect()
}

#[tokio::test]
async fn cookie_values_are_decoded_and_encoded_again() {
    let site = site();
    // Unencoded values from older versions are accepted too.
    for sent in ["designs-saved=WFfhN", "designs-saved=WFf%68N"] {
        let mut raw = request(Method::GET, "/betza");
        raw.headers_mut().insert(header::COOKIE, sent.parse().unwrap());
        assert!(ask(&site, raw).await.page(200).contains("WFfhN"), "{sent}");
    }
    // With too many games, the oldest cookie is deleted under the name that the browser sent.
    let oldest = "seat-x%3B%20Domain%3Devil.example%3B%20Path%3D%2Fy";
    let others = (0..49).map(|game| format!("seat-{game}=A"));
    let sent: Vec<String> = [format!("{oldest}=A")].into_iter().chain(others).collect();
    let mut begin = own_form("/games", "variant=chess&opponent=self".to_owned());
    begin.headers_mut().insert(header::COOKIE, sent.join("; ").parse().unwrap());
    let answer = ask(&site, begin).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let lines = set(&answer, "seat");
    assert!(
        lines.iter().any(|line| line.starts_with(&format!("{oldest}=;")) && line.contains("Max-Age=0")),
        "{lines:?}"
    );
    for line in lines {
        assert_eq!(attributes(line), ["httponly", "samesite", "path", "max-age"], "{line}");
    }
}

#[tokio::test]
async fn running_games_keep_their_seats_beyond_the_limit() {
    let clock = AtomicI64::new(1_700_000_000_000);
    let play = Play::new(StdRng::seed_from_u64(7), store(), move || clock.fetch_add(1_000, Ordering::Relaxed));
    let site = router(App::new(patient(), play, tables::tables()));
    let mut browser = Browser::new(&site);
    let fields = [("variant", "chess"), ("opponent", "self")];
    let running = browser.begin(&fields).await;
    assert_eq!(browser.post(&running, &[("seat", "one"), ("action", "e2e4")]).await.status, 303);
    let finished = [browser.begin(&fields).await, browser.begin(&fields).await];
    for game in finished.iter().rev() {
        assert_eq!(browser.post(game, &[("seat", "one"), ("action", "abort")]).await.status, 303);
    }
    let waiting = browser.begin(&fields).await;
    for _ in 4..50 {
        browser.begin(&fields).await;
    }
    let [first, second] = finished;
    for lost in [second, first, waiting] {
        let link = format!("/seat/{}", browser.tokens(&lost).join("."));
        let new = browser.begin(&fields).await;
        assert!(browser.tokens(&lost).is_empty() && browser.tokens(&running).len() == 2, "{lost}");
        let page = browser.get(&new).await;
        assert!(page.page(200).contains("It no longer keeps your seat in") && page.body.contains(&lost));
        assert!(page.body.contains(&format!("href=\"{link}\"")), "{}", page.body);
        assert!(!browser.get(&new).await.page(200).contains(&lost), "the notice is shown once");
    }
}

#[tokio::test]
async fn browser_remembers_the_choices_of_its_last_game() {
    let site = site();
    let mut browser = Browser::new(&site);
    let chosen = |name: &str, value: &str| format!("name=\"{name}\" value=\"{value}\"");
    let checked = |page: &str, name: &str, value: &str| {
        let after = page.split(&chosen(name, value)).nth(1).unwrap();
        after[..after.find('>').unwrap()].contains("checked")
    };
    let last = [("opponent", "bot:casual"), ("clock", "10+5"), ("seat", "two")];
    browser.begin(&[("variant", "chess"), last[0], last[1], last[2]]).await;
    let form = browser.get("/new/bidding").await;
    for (name, value) in last {
        assert!(checked(form.page(200), name, value), "{name}: {}", form.body);
    }
    // What the address names takes precedence.
    let form = browser.get("/new/bidding?opponent=self&minutes=7").await;
    assert!(checked(form.page(200), "opponent", "self") && checked(&form.body, "clock", "other"), "{}", form.body);
    assert!(checked(&form.body, "seat", "two"), "{}", form.body);
}

#[tokio::test]
async fn browser_remembers_the_name_of_its_player() {
    let site = site();
    let mut browser = Browser::new(&site);
    let shown = "name=\"name\" maxlength=\"40\" autocomplete=\"nickname\" value=\"";
    assert!(browser.get("/new/chess").await.page(200).contains(&format!("{shown}\"")));
    browser.begin(&[("variant", "chess"), ("opponent", "link"), ("name", "Zoë; Path=/")]).await;
    let form = browser.get("/new/chess").await;
    assert!(form.page(200).contains(&format!("{shown}Zoë; Path=/\"")), "{}", form.body);
    let found = browser.post("/lobby", &[("variant", "bidding"), ("clock", "3+2")]).await;
    assert_eq!(found.status, 303, "{}", found.body);
    let game = found.headers[header::LOCATION].to_str().unwrap().to_owned();
    assert!(browser.get(&game).await.page(200).contains("Zoë; Path=/"));
    browser.begin(&[("variant", "chess"), ("opponent", "link"), ("name", "")]).await;
    assert!(browser.get("/new/chess").await.page(200).contains(&format!("{shown}\"")), "an empty name is kept");
}
