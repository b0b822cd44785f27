//! Moves under the hand: the column of promotions, confirmation, premoves in a row, and the score of a session.

use super::{
    Browser, Site, begin, both_seats,
    driver::screen,
    games::{ENTER, ESCAPE},
};
use serde_json::{Value, json};

const UP: char = '\u{e013}';
const DOWN: char = '\u{e015}';
/// A desktop and a phone.
const SIZES: [(u32, u32); 2] = [(1280, 800), (390, 844)];
/// Squares that the choices cover, in their order.
const COVERED: &str = "return [...document.querySelectorAll('#choose button')].map((button) => {
    const box = button.getBoundingClientRect();
    const same = (cell) => ['x', 'y', 'width', 'height'].every((side) => Math.abs(cell.getBoundingClientRect()[side] - box[side]) < 1);
    return [...document.querySelectorAll('.board td[data-square]')].find(same)?.dataset.square;
});";

/// Opens a pass-and-play game from a position.
async fn position(browser: &Browser, site: &str, variant: &str, fen: &str) {
    both_seats(browser, site, json!({"variant": variant, "options": {"fen": fen}, "opponent": "self"})).await;
    browser.until("document.querySelector('.board[role=grid] td.movable')").await;
}

fn holds(square: &str, piece: &str) -> String {
    format!("document.querySelector('td[data-square={square}]').textContent.includes('{piece}')")
}

#[tokio::test]
async fn promotions_form_a_column_from_the_square() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let positions = [
        ("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1", ["a7", "a8"], json!(["a8", "a7", "a6", "a5"])),
        ("chess", "k7/8/8/8/8/8/7p/K7 b - - 0 1", ["h2", "h1"], json!(["h1", "h2", "h3", "h4"])),
        ("antichess", "8/7P/8/8/8/k7/8/7K w - - 0 1", ["h7", "h8"], json!(["h8", "h7", "h6", "h5", "g8"])),
    ];
    for (variant, fen, [from, to], squares) in positions {
        for (width, height) in SIZES {
            browser.size(width, height).await;
            position(&browser, &site, variant, fen).await;
            browser.tap(from).await;
            browser.tap(to).await;
            browser.until("document.querySelector('#choose[role=dialog][aria-modal=true]')").await;
            assert_eq!(browser.ask(COVERED).await, squares, "{fen}, {width} × {height}");
            browser.until("/-queen$/.test(document.querySelector('#choose button use').getAttribute('href'))").await;
            // A press elsewhere only cancels.
            browser.tap("d4").await;
            browser.until(&format!("!document.getElementById('choose') && {}", holds(from, "pawn"))).await;
            assert_eq!(browser.ask("return document.querySelector('td.selected, #asked')").await, Value::Null);
            browser.drag(from, to).await;
            browser.until("document.querySelector('#choose')").await;
            assert!(browser.touch("#choose button:nth-of-type(4)").await);
            browser.step(1).await;
            browser.until(&holds(to, "knight")).await;
        }
    }
}

#[tokio::test]
async fn status_line_says_why_a_piece_cannot_go_to_a_square() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    position(&browser, &site, "chess", "4k3/8/8/8/4n3/8/4P3/4K3 w - - 0 1").await;
    let said = "document.querySelector('.say > .notice')?.innerText";
    for to in ["e5", "e4"] {
        browser.tap("e2").await;
        browser.until("document.querySelector('td[data-square=e2].selected')").await;
        assert_eq!(browser.ask(&format!("return {said} ?? null")).await, Value::Null);
        browser.tap(to).await;
        browser.until(&format!("{said} === 'The pawn on e2 cannot go to {to}.'")).await;
        assert_eq!(browser.ask("return document.querySelector('td.selected')").await, Value::Null);
    }
    browser.tap("e2").await;
    browser.tap("e3").await;
    browser.step(1).await;
    assert_eq!(browser.ask(&format!("return {said} ?? null")).await, Value::Null);
}

#[tokio::test]
async fn promotions_are_chosen_by_arrow_keys() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (fen, [from, to], further) in
        [("8/P6k/8/8/8/8/8/K7 w - - 0 1", ["a7", "a8"], DOWN), ("k7/8/8/8/8/8/7p/K7 b - - 0 1", ["h2", "h1"], UP)]
    {
        position(&browser, &site, "chess", fen).await;
        let ask = format!(
            "for (const name of ['{from}', '{to}']) document.querySelector(`td[data-square=${{name}}] button`).click()"
        );
        browser.ask(&ask).await;
        browser.until("document.activeElement.matches('#choose button:first-of-type')").await;
        browser.keys([ESCAPE]).await;
        browser.until(&format!("document.activeElement.matches('td[data-square={from}] button')")).await;
        assert_eq!(browser.ask("return document.getElementById('choose')").await, Value::Null);
        browser.ask(&ask).await;
        browser.until("document.activeElement.matches('#choose button:first-of-type')").await;
        browser.keys([further, further]).await;
        browser.until("document.activeElement.matches('#choose button:nth-of-type(3)')").await;
        browser.keys([ENTER]).await;
        browser.step(1).await;
        browser.until(&holds(to, "bishop")).await;
        browser.until(&format!("document.activeElement.matches('td[data-square={to}] button')")).await;
    }
}

/// Boxes of the board, the players and every row, which never move.
const BOXES: &str = "scrollTo(0, 0);
    const parts = '.board td[data-square], .seat, .clock, .moves, .say, .ask, .nav > *, .acts > :not(form), .acts > form > :not([type=hidden])';
    return [...document.querySelectorAll(`.round :is(${parts})`)].map((part) => {
      const { x, y, width, height } = part.getBoundingClientRect();
      return [x, y, width, height].join();
    }).join('; ');";

/// Plays an action for a seat through the API.
async fn act(site: &str, begun: &Value, seat: usize, action: &str) {
    let game = format!("{site}/api/games/{}", begun["id"].as_str().unwrap());
    let shown: Value = reqwest::get(&game).await.unwrap().json().await.unwrap();
    let body = json!({"ply": shown["ply"], "action": action});
    let token = begun["seats"][seat]["token"].as_str().unwrap();
    let client = reqwest::Client::new();
    let answer = client.post(format!("{game}/actions")).bearer_auth(token).json(&body).send().await.unwrap();
    assert_eq!(answer.status(), 200, "{action}");
}

/// Opens one seat of a game whose other seat plays through the API.
async fn sit(browser: &Browser, site: &str, seat: usize, game: Value) -> Value {
    let begun = begin(site, game).await;
    browser.open(begun["seats"][seat]["url"].as_str().unwrap()).await;
    browser.open(begun["url"].as_str().unwrap()).await;
    browser.until("document.querySelector('.board[role=grid]')").await;
    begun
}

fn correspondence(variant: &str) -> Value {
    json!({"variant": variant, "opponent": "self", "clock": {"days": 3}})
}

#[tokio::test]
async fn correspondence_moves_wait_for_a_confirmation() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let waits = "document.activeElement.matches('#pending button.primary')";
    for (width, height) in SIZES {
        browser.size(width, height).await;
        let begun = sit(&browser, &site, 0, correspondence("chess")).await;
        let before = browser.ask(BOXES).await;
        browser.drag("e2", "e4").await;
        browser.until(waits).await;
        browser.until("/Play e4\\? Press Enter/.test(document.getElementById('live').textContent)").await;
        browser.until("document.querySelector('td[data-square=e4].pending[data-piece=pawn] svg.piece') && document.querySelector('td[data-square=e2].pending:not([data-piece])')").await;
        assert_eq!(browser.ask(BOXES).await, before, "{width} × {height}");
        browser.keys([ESCAPE]).await;
        browser.until("!document.querySelector('#pending, td.pending') && document.querySelector('td[data-square=e2][data-piece=pawn] svg.piece')").await;
        browser.drag("d2", "d4").await;
        browser.until(waits).await;
        assert!(browser.touch("#pending button:not(.primary)").await);
        browser.until(&format!("!document.querySelector('#pending') && {}", holds("d2", "pawn"))).await;
        let shown: Value = reqwest::get(format!("{}/api/games/{}", &*site, begun["id"].as_str().unwrap()))
            .await
            .unwrap()
            .json()
            .await
            .unwrap();
        assert_eq!(shown["ply"], 0, "nothing was sent");
        browser.drag("e2", "e4").await;
        browser.until(waits).await;
        browser.keys([ENTER]).await;
        browser.step(1).await;
        browser.until(&format!("!document.querySelector('#pending') && {}", holds("e4", "pawn"))).await;

        // An offer leaves the move waiting. A new position cancels it.
        act(&site, &begun, 1, "e7e5").await;
        browser.step(2).await;
        browser.drag("g1", "f3").await;
        browser.until(waits).await;
        act(&site, &begun, 1, "draw").await;
        browser.until("document.querySelector('[data-offer=draw]')").await;
        browser
            .until(&format!("{waits} && document.querySelector('td[data-square=f3].pending[data-piece=knight]')"))
            .await;
        act(&site, &begun, 0, "d2d4").await;
        browser.step(3).await;
        browser.until("/position has changed/.test(document.querySelector('.say .error')?.textContent)").await;
        assert_eq!(browser.ask("return document.querySelector('#pending, td.pending')").await, Value::Null);
    }
}

#[tokio::test]
async fn quick_bids_fill_in_the_amount() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let quick = "document.querySelector('.quick button:nth-of-type(2)')";
    for (width, height) in SIZES {
        browser.size(width, height).await;
        sit(&browser, &site, 1, json!({"variant": "bidding", "opponent": "self"})).await;
        // The first steps from the empty field are from zero, and the slider begins there.
        browser.until("document.querySelector('.stake [type=range]')?.value === '0'").await;
        browser.ask("document.querySelector('.stake [data-by=\"1\"]').click()").await;
        assert_eq!(browser.ask("return document.querySelector('#bid').value").await, "1");
        let before = browser.ask(BOXES).await;
        let bid = browser.ask(&format!("{quick}.focus(); {quick}.click(); return {quick}.value")).await;
        assert_eq!(browser.ask("return document.querySelector('#bid').value").await, bid);
        assert_eq!(
            browser.ask("return document.querySelector('.stake .hint').textContent").await,
            "50 of 100 chips, 50 left."
        );
        assert_eq!(browser.ask(BOXES).await, before, "{width} × {height}");
        assert_eq!(browser.ask("return document.getElementById('game').dataset.ply").await, "0");
        // The button keeps the focus, and the page says the amount.
        assert_eq!(browser.ask(&format!("return document.activeElement === {quick}")).await, true);
        let said = browser.ask("return document.getElementById('live').textContent").await;
        assert_eq!(said, "Amount: 50. To send it, press Bid.");
        browser.ask("document.querySelector('.stake button.primary').focus()").await;
        browser.keys([ENTER]).await;
        browser.step(1).await;
    }
}

#[tokio::test]
async fn preferences_decide_about_confirmations() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    // The switch has the last word.
    let choose = |value: &str| {
        format!(
            "const select = document.getElementById('confirm'); select.value = '{value}';
             select.dispatchEvent(new Event('change', {{bubbles: true}}))"
        )
    };
    sit(&browser, &site, 0, correspondence("chess")).await;
    browser.ask(&choose("never")).await;
    browser.drag("e2", "e4").await;
    browser.step(1).await;
    sit(&browser, &site, 0, json!({"variant": "chess", "opponent": "self"})).await;
    browser.until("document.getElementById('confirm').value === 'never'").await;
    browser.ask(&choose("always")).await;
    browser.drag("e2", "e4").await;
    browser.until("document.querySelector('#pending')").await;
    assert_eq!(browser.ask("return document.getElementById('game').dataset.ply").await, "0");
}

fn chess() -> Value {
    json!({"variant": "chess", "opponent": "self"})
}

const PREMOVES: &str =
    "return [...document.querySelectorAll('td.premove')].map((cell) => cell.dataset.square).sort().join(' ')";

#[tokio::test]
async fn premoves_are_played_one_each_turn() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = sit(&browser, &site, 0, chess()).await;
    browser.drag("e2", "e4").await;
    browser.step(1).await;
    for (number, (from, to)) in [("g1", "f3"), ("f1", "c4"), ("c4", "b3")].into_iter().enumerate() {
        browser.drag(from, to).await;
        browser
            .until(&format!("document.querySelectorAll('td.premove[data-piece]').length === {}", [1, 2, 2][number]))
            .await;
    }
    // The board shows the position after them, with their numbers.
    browser.until("document.querySelector('td[data-square=f3][data-piece=knight] svg') && document.querySelector('td[data-square=b3][data-piece=bishop] svg')").await;
    let turns = browser
        .ask("return ['f3', 'c4', 'b3'].map((name) => document.querySelector(`td[data-square=${name}]`).dataset.turns)")
        .await;
    assert_eq!(turns, json!(["1", "2", "3"]));
    for (ply, action, left) in [(3, "e7e5", "b3 c4 f1"), (5, "d7d6", "b3 c4"), (7, "a7a6", "")] {
        act(&site, &begun, 1, action).await;
        browser.step(ply).await;
        assert_eq!(browser.ask(PREMOVES).await, left, "after {action}");
    }
    browser.until(&format!("{} && {}", holds("f3", "knight"), holds("b3", "bishop"))).await;

    // One that is not possible cancels the rest.
    for (from, to) in [("b1", "c3"), ("c3", "c6"), ("h2", "h3")] {
        browser.drag(from, to).await;
        browser.until(&format!("document.querySelector('td[data-square={to}].premove')")).await;
    }
    act(&site, &begun, 1, "h7h6").await;
    browser.step(9).await;
    act(&site, &begun, 1, "g7g6").await;
    browser.step(10).await;
    browser.until("/c3 c6 is not possible. The other premoves are cancelled/.test(document.getElementById('live').textContent)").await;
    assert_eq!(browser.ask(PREMOVES).await, "");
    browser.until(&format!("{} && {}", holds("c3", "knight"), holds("h2", "pawn"))).await;
}

#[tokio::test]
async fn premoves_are_cancelled_together() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    sit(&browser, &site, 0, chess()).await;
    browser.drag("e2", "e4").await;
    browser.step(1).await;
    for way in ["Escape", "press", "right button"] {
        browser.drag("g1", "f3").await;
        browser.drag("d2", "d4").await;
        browser.until("document.querySelector('td[data-square=d4].premove[data-turns=\"2\"]')").await;
        match way {
            "Escape" => browser.keys([ESCAPE]).await,
            "press" => browser.tap("f3").await,
            _ => browser.draw("a5", "a5").await,
        }
        browser.until("!document.querySelector('td.premove')").await;
        browser.until(&format!("{} && {}", holds("g1", "knight"), holds("d2", "pawn"))).await;
        assert_eq!(browser.ask("return document.querySelector('svg.marks, td.selected')").await, Value::Null, "{way}");
    }
}

#[tokio::test]
async fn premoved_pawns_promote_as_chosen() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for piece in ["queen", "knight"] {
        let options = json!({"fen": "8/P6k/8/8/8/8/8/K7 w - - 0 1"});
        let begun = sit(&browser, &site, 0, json!({"variant": "chess", "options": options, "opponent": "self"})).await;
        browser.drag("a1", "b1").await;
        browser.step(1).await;
        browser.tap("a7").await;
        browser.tap("a8").await;
        browser.until("document.querySelectorAll('#choose button').length === 4").await;
        // A second press on the square is the queen.
        if piece == "queen" {
            browser.tap("a8").await;
        } else {
            browser.keys(['n']).await;
        }
        browser.until(&format!("document.querySelector('td[data-square=a8].premove[data-piece={piece}]')")).await;
        act(&site, &begun, 1, "h7h6").await;
        browser.step(3).await;
        browser.until(&holds("a8", &format!("white {piece}"))).await;
    }
}

#[tokio::test]
async fn result_shows_the_score_of_the_session() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let (one, two) = (Browser::new(&screen).await, Browser::new(&screen).await);
    let begun = begin(&site, json!({"variant": "chess", "opponent": "link", "name": "Anna"})).await;
    one.open(begun["seats"][0]["url"].as_str().unwrap()).await;
    two.open(begun["invite"]["url"].as_str().unwrap()).await;
    two.ask("document.querySelector('main form [name=name]').value = 'Barb'").await;
    two.press("main form button.primary", "#game").await;
    one.open(begun["url"].as_str().unwrap()).await;
    let say = async |browser: &Browser, action: &str| {
        let body = format!("new URLSearchParams({{action: '{action}'}})");
        browser
            .ask(&format!("return fetch(location.pathname, {{method: 'POST', body: {body}}}).then(() => null)"))
            .await;
    };
    say(&one, "e2e4").await;
    say(&two, "resign").await;
    for browser in [&one, &two] {
        browser.until("document.getElementById('game').dataset.over").await;
        assert_eq!(browser.ask("return document.getElementById('session')").await, Value::Null, "a single game");
    }
    let first = begun["url"].as_str().unwrap();
    say(&one, "rematch").await;
    say(&two, "rematch").await;
    for browser in [&one, &two] {
        browser
            .until(&format!("!'{first}'.endsWith(location.pathname) && document.querySelector('.board[role=grid]')"))
            .await;
    }
    say(&two, "e2e4").await;
    say(&one, "draw").await;
    say(&two, "draw").await;
    for (browser, score) in [(&one, "You 1½, Barb ½"), (&two, "You ½, Anna 1½")] {
        browser.until("document.getElementById('game').dataset.over").await;
        browser.until(&format!("document.getElementById('session')?.textContent === '{score} in this session'")).await;
    }
    // Spectators read the names, on every game of the session.
    let page = reqwest::get(first).await.unwrap().text().await.unwrap();
    assert!(page.contains("Anna 1½, Barb ½ in this session"));
}
