//! Clairvoyant Chess in the browser: a turn being built stays private and belongs to its turn, in whatever order answers arrive.

use super::{
    Browser, Site, begin,
    csipgs::{DESK, PHONE, Touches},
    driver::screen,
};
use serde_json::{Value, json};

/// A game that can also be played through the API.
pub(super) struct Played<'s> {
    site: &'s str,
    begun: Value,
    tokens: [String; 2],
}

impl<'s> Played<'s> {
    pub(super) async fn begin(site: &'s str, options: Value) -> Played<'s> {
        let begun = begin(site, json!({"variant": "clairvoyant", "opponent": "self", "options": options})).await;
        let tokens = [0, 1].map(|seat| begun["seats"][seat]["token"].as_str().unwrap().to_owned());
        Played { site, begun, tokens }
    }

    /// The API's answer when the game began.
    pub(super) fn begun(&self) -> &Value {
        &self.begun
    }

    /// Takes some of the seats in a browser.
    pub(super) async fn sit(&self, browser: &Browser, seats: &[usize]) {
        for seat in seats {
            browser.open(self.begun["seats"][*seat]["url"].as_str().unwrap()).await;
        }
        browser.open(self.begun["url"].as_str().unwrap()).await;
        browser.until("document.querySelector('.board[role=grid], .curtain')").await;
    }

    async fn see(&self) -> Value {
        let id = self.begun["id"].as_str().unwrap();
        reqwest::get(format!("{}/api/games/{id}", self.site)).await.unwrap().json().await.unwrap()
    }

    pub(super) async fn say(&self, seat: usize, action: &str) {
        let (id, ply) = (self.begun["id"].as_str().unwrap(), self.see().await["ply"].clone());
        let address = format!("{}/api/games/{id}/actions", self.site);
        let body = json!({"ply": ply, "action": action});
        let answer = reqwest::Client::new().post(address).bearer_auth(&self.tokens[seat]).json(&body).send().await;
        let answer = answer.unwrap();
        assert_eq!(answer.status(), 200, "{action}: {}", answer.text().await.unwrap());
    }
}

/// Clicks the button with this label as soon as it is enabled.
async fn press(browser: &Browser, words: &str) {
    let button = format!(
        "[...document.querySelectorAll('#game button:enabled')].find((button) => /{words}/.test(button.textContent))"
    );
    browser.until(&button).await;
    browser.ask(&format!("{button}.click()")).await;
}

/// Moves a piece with two taps, and waits until the move is part of the turn being built.
async fn put(browser: &Browser, from: &str, to: &str) {
    browser.until(&format!("document.querySelector('td[data-square={from}].movable')")).await;
    browser.tap(from).await;
    browser.tap(to).await;
    let part =
        format!("[...document.querySelectorAll('[name=draft]')].some((part) => part.defaultValue === '{from}{to}')");
    browser.until(&part).await;
}

/// Delays the answers to forms and to other requests by a number of milliseconds.
async fn late(browser: &Browser, forms: u32, questions: u32) {
    let script = format!(
        "const soon = window.soon ??= window.fetch;
         window.fetch = async (to, how) => {{
           const answer = await soon(to, how);
           await new Promise((done) => setTimeout(done, how?.method === 'POST' ? {forms} : {questions}));
           return answer;
         }};"
    );
    browser.ask(&script).await;
}

#[tokio::test]
async fn sealed_turn_is_hidden_from_the_next_player_at_the_screen() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (forms, questions) in [(0, 0), (700, 0), (0, 500)] {
        let played = Played::begin(&site, json!({})).await;
        played.sit(&browser, &[0, 1]).await;
        late(&browser, forms, questions).await;
        for (who, part) in [("I am White", true), ("I am Black", false)] {
            // The link past the curtain leads to a separate page.
            press(&browser, who).await;
            browser.until("document.querySelector('.board[role=grid]')").await;
            late(&browser, forms, questions).await;
            if part {
                press(&browser, "Build a turn").await;
                browser.until("document.querySelector('#board[data-draft]')").await;
            }
            put(&browser, "e2", "e4").await;
            press(&browser, if part { "Play turn" } else { "Seal sheet" }).await;
            if part {
                browser.until("document.querySelector('.curtain')").await;
            } else {
                browser.until("/Black to play/.test(document.querySelector('#game h1').textContent)").await;
            }
            // All other pending answers have arrived.
            tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
            let shown = browser.ask("return document.getElementById('game').outerHTML").await;
            let shown = shown.as_str().unwrap();
            assert_eq!(shown.contains("class=\"curtain\""), part, "{forms} {questions}: {shown}");
            assert!(!part || !shown.contains("e2e4"), "{forms} {questions}: {shown}");
            assert!(!shown.contains("left out") && !shown.contains("aria-invalid"), "{forms} {questions}: {shown}");
        }
    }
}

#[tokio::test]
async fn turn_being_built_survives_the_opponents_action() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (forms, questions) in [(0, 0), (500, 0), (0, 400)] {
        let played = Played::begin(&site, json!({"money_one": 60})).await;
        browser.forget().await;
        played.sit(&browser, &[0]).await;
        late(&browser, forms, questions).await;
        press(&browser, "Build a turn").await;
        browser.until("document.querySelector('#board[data-draft]')").await;
        put(&browser, "e2", "e4").await;
        // The opponent seals a guess sheet, and the turn being built stays.
        played.say(1, "guess e2").await;
        browser.until("document.getElementById('game').dataset.version === '1'").await;
        browser.until("document.querySelector('[name=draft][value=e2e4]')").await;
        put(&browser, "d2", "d4").await;
        press(&browser, "Play turn for 3Z").await;
        browser.until("document.getElementById('game').dataset.ply > 0").await;
        tokio::time::sleep(std::time::Duration::from_millis(1200)).await;
        let clean = "!/draft/.test(location.search) && !document.querySelector('#game .error')";
        assert_eq!(browser.ask(&format!("return {clean}")).await, true, "{forms} {questions}");
    }
}

#[tokio::test]
async fn typed_and_clicked_guesses_share_a_sheet() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let played = Played::begin(&site, json!({"money_one": 60})).await;
    played.sit(&browser, &[1]).await;
    browser.ask("document.querySelector('details.write').open = true").await;
    browser.ask("document.getElementById('guess-2').focus()").await;
    browser.keys("d2d4".chars()).await;
    put(&browser, "g1", "f3").await;
    let held = "[1, 2, 3].map((place) => document.getElementById(`guess-${place}`).value).join()";
    assert_eq!(browser.ask(&format!("return {held}")).await, "g1f3,d2d4,");
    // Removing a guess removes nothing else, and a wrong guess keeps its place.
    browser.ask("document.getElementById('guess-3').focus()").await;
    browser.keys("zz".chars()).await;
    press(&browser, "Remove").await;
    browser.until(&format!("{held} === ',d2d4,zz'")).await;
    press(&browser, "Seal sheet").await;
    browser.until("document.querySelector('#refusal') && document.querySelector('#guess-3[aria-invalid]')").await;
    assert_eq!(browser.ask(&format!("return {held}")).await, ",d2d4,zz");
    browser.ask("document.getElementById('guess-3').value = ''").await;
    press(&browser, "a new knight").await;
    browser.until("document.querySelector('button[value=\"$N@\"][aria-pressed=true]')").await;
    press(&browser, "a new knight").await;
    browser.until(&format!("{held} === '$N,d2d4,'")).await;
    press(&browser, "Seal sheet").await;
    browser.until("document.querySelector('#game .slip.sealed, #game .say code')").await;
    played.say(0, "d2d4").await;
    let guessed = played.see().await["view"]["settled"]["sheet"].clone();
    assert_eq!(guessed, json!([{"guess": "$N", "earned": 0}, {"guess": "d2d4", "earned": 5}]));
}

#[tokio::test]
async fn premove_is_not_played_in_a_repeated_turn() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let played = Played::begin(&site, json!({"money_two": 60})).await;
    played.say(1, "guess").await;
    played.say(0, "e2e4").await;
    played.sit(&browser, &[0]).await;
    browser.until("document.querySelector('td[data-square=d2].movable')").await;
    browser.drag("d2", "d4").await;
    browser.until("document.querySelector('td[data-square=d4].premove')").await;
    played.say(1, "retract").await;
    browser.until("document.querySelector('[data-again]')").await;
    browser.until("!document.querySelector('td.premove')").await;
    tokio::time::sleep(std::time::Duration::from_millis(700)).await;
    browser.until("/Your turn to play/.test(document.querySelector('#game h1').textContent)").await;
    browser.until("document.querySelector('td[data-square=e2].movable')").await;
}

#[tokio::test]
async fn premove_is_played_after_the_own_response() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let played = Played::begin(&site, json!({"money_two": 60})).await;
    played.say(1, "guess").await;
    played.say(0, "e2e4").await;
    played.sit(&browser, &[1]).await;
    browser.until("document.querySelector('td[data-square=e7].movable')").await;
    browser.drag("e7", "e5").await;
    browser.until("document.querySelector('td[data-square=e5].premove')").await;
    press(&browser, "Accept").await;
    browser.until("/Sealed: e7e5/.test(document.getElementById('game').textContent)").await;
}

#[tokio::test]
async fn guess_sheet_takes_seven_presses_without_scrolling() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (width, height) in [PHONE, (360, 640), DESK] {
        browser.size(width, height).await;
        let played = Played::begin(&site, json!({})).await;
        played.sit(&browser, &[1]).await;
        let clipped = "return (({scrollHeight, clientHeight}) => scrollHeight > clientHeight)(document.querySelector('.say .line'))";
        assert_eq!(browser.ask(clipped).await, false, "{width}: the hint fits its line");
        let typing = "return document.querySelector('details.write').getBoundingClientRect().left";
        let place = browser.ask(typing).await;
        let mut touches = Touches::of(&browser);
        for (number, (from, to)) in [("e2", "e4"), ("g1", "f3"), ("d2", "d4")].into_iter().enumerate() {
            touches.touch(&format!("td[data-square={from}].movable")).await;
            touches.touch(&format!("td[data-square={to}].target")).await;
            browser.until(&format!("document.querySelectorAll('#draft .away').length === {}", number + 1)).await;
        }
        // A finger meets the × of each guess, and the row keeps its height.
        let small = "return [...document.querySelectorAll('#draft .away')].filter((one) => one.offsetWidth < 40 || one.offsetHeight < 40).length";
        assert_eq!(browser.ask(small).await, 0, "{width}");
        let height = browser.ask("return document.getElementById('draft').offsetHeight").await;
        assert!(height.as_u64().unwrap() < 50, "{width}: {height}");
        assert_eq!(browser.ask(typing).await, place, "{width}: the buttons stay in their places");
        touches.touch(".ask > .actions > button.primary").await;
        browser.until("/Sealed: guess/.test(document.querySelector('.say').textContent)").await;
        assert_eq!(touches.count, 7);
        browser.forget().await;
    }
}

/// Whether a finger on the centre of an element, scrolled nowhere, meets it.
fn meets(selector: &str) -> String {
    format!(
        "(() => {{
           const target = document.querySelector('{selector}'), box = target.getBoundingClientRect();
           const met = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
           return scrollY === 0 && document.querySelector('.ask').scrollTop === 0 && target.contains(met);
         }})()"
    )
}

#[tokio::test]
async fn controls_of_a_phone_keep_their_places_above_the_toolbar() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (width, height) in [PHONE, (360, 640)] {
        browser.forget().await;
        browser.size(width, height).await;
        let played = Played::begin(&site, json!({"money_one": 60})).await;
        played.sit(&browser, &[1]).await;
        let seal = "return (({x, y, width, height}) => [x, y, width, height])(document.querySelector('.ask .sealing').getBoundingClientRect())";
        let place = browser.ask(seal).await;
        assert_eq!(browser.ask(&format!("return {}", meets(".ask [value=extra]"))).await, true, "{width}");
        // The confirmation of an empty sheet opens within view.
        browser.press(".ask summary.sealing", ".ask details[open] .primary").await;
        let confirmed = "(({bottom}) => bottom <= document.querySelector('.ask').getBoundingClientRect().bottom + 1)(document.querySelector('.ask details[open] button').getBoundingClientRect())";
        browser.until(confirmed).await;
        // Chips that need a second line do not move the button.
        let game = played.begun()["url"].as_str().unwrap();
        browser.open(&format!("{game}?draft=guess&draft=g1f3&draft=$N@f5&draft=$B@c5")).await;
        browser.until("document.querySelectorAll('#draft .away').length === 3").await;
        assert_eq!(browser.ask(seal).await, place, "{width}");

        browser.forget().await;
        let played = Played::begin(&site, json!({"money_one": 60})).await;
        played.sit(&browser, &[0]).await;
        press(&browser, "Build a turn").await;
        browser.until("document.querySelector('#board[data-draft]')").await;
        let play = "return (({x, y}) => [x, y])(document.querySelector('.ask .primary').getBoundingClientRect())";
        let place = browser.ask(play).await;
        put(&browser, "e2", "e4").await;
        assert_eq!(browser.ask(play).await, place, "{width}");
        if (width, height) == PHONE {
            assert_eq!(browser.ask(&format!("return {}", meets("#lock"))).await, true);
        }
    }
}

#[tokio::test]
async fn drop_that_would_give_check_is_refused_with_the_reason() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let played = Played::begin(&site, json!({"money_one": 60})).await;
    played.sit(&browser, &[0]).await;
    press(&browser, "Build a turn").await;
    browser.until("document.querySelector('#board[data-draft]')").await;
    let said = |words: &str| format!("/{words}/.test(document.querySelector('.say > .notice')?.innerText)");
    for (square, words) in [("f6", "Not here: a dropped knight would give check"), ("e7", "choose a marked square")] {
        browser.ask("document.querySelector('#board button[name=from][value=\"N@\"]').click()").await;
        browser.until("document.querySelector('td[data-square=f5].target')").await;
        assert_eq!(browser.ask("return document.querySelector('.say > .notice') === null").await, true);
        browser.tap(square).await;
        browser.until(&said(words)).await;
    }
}

#[tokio::test]
async fn status_line_says_why_there_was_no_guessing() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    browser.size(PHONE.0, PHONE.1).await;
    let played = Played::begin(&site, json!({"fen": "7k/5pp1/7p/8/8/8/8/R3K3 w - - 0 1"})).await;
    played.say(1, "guess").await;
    played.say(0, "a1a8").await;
    played.sit(&browser, &[0]).await;
    let said = |words: &str| format!("/{words}/.test(document.querySelector('.say .line').innerText)");
    browser.until(&said("Black has only one move out of check, so White gets 12Z without guessing")).await;
    played.say(1, "h8h7").await;
    browser.until(&said("Black had only one move out of check, so White got 12Z without guessing")).await;
    let clipped =
        "return (({scrollHeight, clientHeight}) => scrollHeight > clientHeight)(document.querySelector('.say .line'))";
    assert_eq!(browser.ask(clipped).await, false);
}
