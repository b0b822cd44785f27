//! The layout for screen readers: its order, its commands, and a game that is typed from the first move to mate.

use super::{
    Browser, Site,
    access::{LISTEN, say},
    begin, both_seats,
    clairvoyant::Played,
    driver::screen,
    games::{ENTER, ESCAPE, TAB},
    kinds::{recorded, said},
    pages::shut_out,
    tools,
};
use serde_json::{Value, json};
use std::fs;

/// Changes the layout on the page of a game. The button is visible while it has the focus.
async fn change(browser: &Browser, then: &str) {
    browser.ask("document.querySelector('form.skip button').focus()").await;
    browser.press("form.skip button", then).await;
}

/// Chooses the layout.
async fn choose(browser: &Browser) {
    change(browser, ".spoken").await;
}

/// Waits until the scripts of the page have begun.
async fn ready(browser: &Browser) {
    browser.until("document.querySelector('.spoken .board button[tabindex=\"0\"]')").await;
}

/// Opens the first seat of a game, in the layout.
async fn sit(browser: &Browser, begun: &Value) {
    browser.open(begun["seats"][0]["url"].as_str().unwrap()).await;
    browser.open(begun["url"].as_str().unwrap()).await;
    if browser.ask("return !document.querySelector('.spoken')").await == true {
        choose(browser).await;
        browser.until("/Layout for screen readers is on/.test(document.getElementById('live').textContent)").await;
    }
    ready(browser).await;
    // On the player's turn the page says what came before it, and before any move the player's colour.
    let loaded = "performance.getEntriesByType('navigation')[0].loadEventEnd";
    let quiet = format!("document.readyState === 'complete' && performance.now() > {loaded} + 1000");
    browser.until(&format!("document.getElementById('live').textContent || ({quiet})")).await;
}

/// Sends a text from the field.
async fn send(browser: &Browser, text: &str) {
    browser.ask("document.getElementById('action').focus()").await;
    browser.keys(text.chars().chain([ENTER])).await;
}

/// Sends a command, and checks its answer in the live region and that the field is empty again.
async fn asks(browser: &Browser, command: &str, answer: &str) {
    browser.ask("document.getElementById('live').textContent = ''").await;
    send(browser, command).await;
    browser.until("document.getElementById('live').textContent").await;
    let heard = browser.ask("return document.getElementById('live').textContent").await;
    assert!(heard.as_str().unwrap().contains(answer), "{command}: {heard}");
    assert_eq!(browser.ask("return document.getElementById('action').value").await, "");
}

/// Parts of the page in reading order.
const ORDER: [&str; 8] = [".say h1", "#typed", ".ask", ".table .moves", ".position .board", ".nav", ".acts", "#more"];

/// Whether the parts follow each other.
async fn ordered(browser: &Browser) -> Value {
    let parts = json!(ORDER);
    browser
        .ask(&format!(
            "const parts = {parts}.map((part) => document.querySelector(part));
             return parts.every((part, at) => !at || parts[at - 1].compareDocumentPosition(part) & Node.DOCUMENT_POSITION_FOLLOWING)"
        ))
        .await
}

#[tokio::test]
async fn layout_is_remembered_and_has_the_reading_order() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    both_seats(&browser, &site, json!({"variant": "chess", "opponent": "self"})).await;
    assert_eq!(ordered(&browser).await, false, "the usual layout has the board first");
    choose(&browser).await;
    // The next game has the layout too, also after an update of the page.
    both_seats(&browser, &site, json!({"variant": "chess", "opponent": "self"})).await;
    ready(&browser).await;
    send(&browser, "e2e4").await;
    browser.step(1).await;
    assert_eq!(ordered(&browser).await, true);
    // The first Tab stop leads to the field.
    browser.ask("location.reload()").await;
    ready(&browser).await;
    browser.keys([TAB, ENTER]).await;
    browser.until("document.activeElement.id === 'action'").await;
    let table = "const board = document.querySelector('.position .board');
        return [document.getElementById('live').ariaLabel, board.getAttribute('role'), board.querySelectorAll('th[scope=col]').length, board.querySelectorAll('th[scope=row]').length,
                board.querySelector('[data-square=e7]').innerText.trim(), board.querySelector('[data-square=e5]').innerText.trim()]";
    assert_eq!(browser.ask(table).await, json!(["Status", null, 8, 8, "e7, black pawn", "e5"]));
    for width in [390, 1280] {
        browser.width(width).await;
        let wide = format!("return document.documentElement.scrollWidth > {width}");
        assert_eq!(browser.ask(&wide).await, false, "at {width}");
    }
    change(&browser, ".round").await;
    assert_eq!(browser.ask("return !document.querySelector('.spoken, #live.answer')").await, true);
}

#[tokio::test]
async fn layout_works_without_scripts() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::without_scripts(&screen).await);
    both_seats(&browser, &site, json!({"variant": "chess", "opponent": "self"})).await;
    choose(&browser).await;
    assert_eq!(ordered(&browser).await, true);
    browser.ask("document.getElementById('action').value = 'e2e4'").await;
    browser.press("#typed button", "#game[data-ply='1']").await;
    assert_eq!(ordered(&browser).await, true);
    let seen = "return [...document.querySelectorAll('.scripted')].filter((one) => one.checkVisibility()).length";
    assert_eq!(browser.ask(seen).await, 0, "what needs a script is hidden");
}

#[tokio::test]
async fn commands_are_answered_from_the_page() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let game = json!({"variant": "chess", "opponent": "self", "clock": {"initial": 600, "increment": 0}});
    let begun = begin(&site, game).await;
    sit(&browser, &begun).await;
    asks(&browser, "last", "No moves yet").await;
    asks(&browser, "offers", "The page shows no offers now").await;
    let posts = "window.posts = 0; const soon = window.fetch; window.fetch = (...call) => { posts += 1; return soon(...call); }";
    browser.ask(posts).await;
    for (command, answer) in [
        ("help", "attackers f7"),
        (
            "help",
            "You can send: a move, such as Na3. You can also send: abort, draw, resign. Or send one of these commands.",
        ),
        ("", "You can send: a move, such as Na3."),
        ("status", "Your turn. You can send: a move, such as Na3. Clocks: Anonymous, White: time left: 10:00"),
        ("o", "Black"),
        ("c", "Clocks. Anonymous, White: time left"),
        ("p n", "black knight b8, black knight g8, white knight b1, white knight g1"),
        ("p white knights", "white knight b1, white knight g1."),
        ("p zebra", "zebra: none"),
        ("scan e", "File e: e8 black king, e7 black pawn, e2 white pawn, e1 white king."),
        ("scan 4", "Rank 4: empty."),
        ("Moves g1", "g1: f3, h3."),
        ("moves e1", "e1: no moves."),
        ("moves e4", "e4 is empty."),
        ("moves e9", "There is no square e9."),
        ("attackers c3", "white pawn c2, white knight b1."),
        ("attackers e5", "none"),
        ("attackers", "Name a square too, as in attackers e2."),
        ("p", "Name a piece too, as in p knight."),
        ("bid", "No bid is due"),
        ("chips", "none"),
        ("slips", "The page shows no slips now"),
        ("knights", "knights: b8 black knight"),
    ] {
        asks(&browser, command, answer).await;
    }
    assert_eq!(browser.ask("return posts").await, 0, "no command reaches the server");
    // Anything else is an action.
    send(&browser, "e4").await;
    browser.step(1).await;
    asks(&browser, "l", "White: pawn e4.").await;
    asks(&browser, "help", "You can send: takeback, draw, resign. Or send").await;
    asks(&browser, "moves d2", "only when you are to move").await;
    send(&browser, "draw").await;
    browser.until("document.querySelector('[value=withdraw]')").await;
    asks(&browser, "offers", "You have offered a draw.").await;
}

#[tokio::test]
async fn review_names_its_step_and_lasts_until_escape() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = begin(&site, json!({"variant": "chess", "opponent": "self"})).await;
    for (seat, action) in [(0, "e2e4"), (1, "e7e5"), (0, "g1f3")] {
        say(&site, &begun, seat, action).await;
    }
    sit(&browser, &begun).await;
    browser.ask("document.querySelector('[data-step=back]').click()").await;
    browser.until("document.querySelector('#board.past td[data-square=g1] .piece')").await;
    browser.ask("document.querySelector('a.skip[href=\"#action\"]').focus()").await;
    browser.keys([ENTER]).await;
    browser.until("document.activeElement.id === 'action'").await;
    let back = "To go back to the game, press Escape.";
    asks(&browser, "s", &format!("Step 2 of 3: Black: pawn e5. The game: Black to move. {back}")).await;
    asks(&browser, "", &format!("Step 2 of 3. {back}")).await;
    browser.ask("document.querySelector('[data-step=first]').click()").await;
    asks(&browser, "l", "The start of the game.").await;
    browser.keys([ESCAPE]).await;
    browser.until("!document.querySelector('#board.past')").await;
    asks(&browser, "s", "Black to move. Last move: White: knight f3.").await;
}

#[tokio::test]
async fn commands_read_bids_prices_guesses_and_reserves() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let options = json!({"scheme": "secret", "white": 100, "black": 100});
    sit(&browser, &begin(&site, json!({"variant": "bidding", "options": options, "opponent": "self"})).await).await;
    asks(&browser, "bid", "Your secret bid for the next move. Least -100, most 100.").await;
    asks(&browser, "chips", "White: purse: 100; ").await;
    send(&browser, "bid 30").await;
    browser.until("/Sealed/.test(document.querySelector('.say').textContent)").await;

    let game = json!({"variant": "bookie", "opponent": "self"});
    let bids = said(&site, game, &["one bid 87", "two bid 65"]).await;
    sit(&browser, &json!({"url": bids.address, "seats": [{"url": bids.seats[0]}]})).await;
    asks(&browser, "slips", "White bids 87 on White, 13 on Black").await;
    asks(&browser, "bid", "A win pays White 35 and Black 87.").await;

    let played = Played::begin(&site, json!({"money_two": 60})).await;
    played.say(1, "guess e2").await;
    sit(&browser, played.begun()).await;
    asks(&browser, "prices", "knight, new ").await;
    let king = "king, new 150, moves 3, or 7 if the turn began in check, or 11 if an earlier move of the turn left the king in check, takes 9, moves on 18, or 25 if the king captured into check, takes again 23";
    asks(&browser, "prices", king).await;
    send(&browser, "e2e4").await;
    browser.until("document.getElementById('game').dataset.ply !== '0'").await;
    played.say(1, "accept").await;
    browser.until("document.querySelector('#game .slip.open')").await;
    let last = "Last turn: White played e2e4. Black guessed e2, right, 4 zorkmids.";
    asks(&browser, "guesses", last).await;

    let begun = recorded(&site, "csipgs-standard", 60).await;
    sit(&browser, &begun).await;
    asks(&browser, "reserve", "White: Reserve: rook").await;
    asks(&browser, "prices", "White: 1, Design WcN: ").await;

    let begun = recorded(&site, "bidding-open", 7).await;
    sit(&browser, &begun).await;
    asks(&browser, "bid", "You cannot pay 96, so you must reject: you get 96 and move.").await;
    asks(&browser, "status", "Last: Black: bid -96. Last move: Black: pawn c5.").await;
}

#[tokio::test]
async fn whole_game_is_typed() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    both_seats(&browser, &site, json!({"variant": "chess", "opponent": "self"})).await;
    choose(&browser).await;
    browser.until("/Layout for screen readers is on/.test(document.getElementById('live').textContent)").await;
    ready(&browser).await;
    browser.keys(['/']).await;
    for (ply, text) in ["f3", "e5", "g4", "Qh4"].into_iter().enumerate() {
        // The field keeps the focus.
        browser.until("document.activeElement.id === 'action' && !document.activeElement.value").await;
        browser.keys(text.chars().chain([ENTER])).await;
        browser.step(ply + 1).await;
    }
    browser.until("/Black won/.test(document.getElementById('live').textContent)").await;
    assert_eq!(browser.ask("return /checkmate/.test(document.querySelector('.say').textContent)").await, true);
}

#[tokio::test]
async fn layout_is_accessible() {
    let Some(screen) = screen().await else { return };
    let Some(axe) = tools::named("ZORKMID_AXE").map(|path| fs::read_to_string(path).unwrap()) else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let mut faults = Vec::new();
    for variant in ["chess", "bidding", "bookie", "csipgs", "clairvoyant", "crazyhouse", "raumschach"] {
        sit(&browser, &begin(&site, json!({"variant": variant, "opponent": "self"})).await).await;
        browser.ask(&axe).await;
        for (width, scheme) in [(390, "dark"), (1280, "light")] {
            browser.width(width).await;
            browser.scheme(scheme).await;
            shut_out(&browser, &format!("{variant}-{width}-{scheme}"), &mut faults).await;
            if browser.ask(&format!("return document.documentElement.scrollWidth > {width}")).await == true {
                faults.push(format!("{variant} is too wide at {width}"));
            }
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[tokio::test]
async fn commands_work_for_spectators_and_after_the_game() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = begin(&site, json!({"variant": "chess", "opponent": "self"})).await;
    for (seat, action) in [(0, "f2f3"), (1, "e7e5")] {
        say(&site, &begun, seat, action).await;
    }
    browser.open(begun["url"].as_str().unwrap()).await;
    choose(&browser).await;
    browser.until("/Layout for screen readers is on/.test(document.getElementById('live').textContent)").await;
    ready(&browser).await;
    let heard = "Layout for screen readers is on. Black: pawn e5. White to move.";
    assert_eq!(live(&browser).await, heard);
    asks(&browser, "last", "Black: pawn e5").await;
    asks(&browser, "knights", "black knight").await;
    asks(&browser, "o", "Players: Anonymous, White; Anonymous, Black.").await;
    asks(&browser, "attackers e4", "for both sides: white pawn f3.").await;
    asks(&browser, "e2e4", "There is no such command").await;
    asks(&browser, "help", "Send one of these commands.").await;
    assert!(!live(&browser).await.contains("resign"));
    for (seat, action) in [(0, "g2g4"), (1, "d8h4")] {
        say(&site, &begun, seat, action).await;
    }
    browser.until("document.getElementById('game').dataset.over").await;
    asks(&browser, "status", "checkmate").await;
    assert!(!live(&browser).await.contains("Check."), "the game is over: {}", live(&browser).await);
    asks(&browser, "resign", "There is no such command").await;
    asks(&browser, "moves b1", "The game is over.").await;
    change(&browser, ".round").await;
    browser.until("/Layout with the board first is on/.test(document.getElementById('live').textContent)").await;
}

#[tokio::test]
async fn attackers_and_moves_are_answered_while_bidding_but_not_in_the_fog() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let options = json!({"scheme": "secret", "white": 100, "black": 100});
    sit(&browser, &begin(&site, json!({"variant": "bidding", "options": options, "opponent": "self"})).await).await;
    asks(&browser, "attackers f3", "for both sides: white pawn e2, white pawn g2, white knight g1.").await;
    asks(&browser, "attackers f6", "black knight g8").await;
    for (command, answer) in [
        ("moves e2", "e2, if white gets the move: e3, e4."),
        ("moves g8", "g8, if black gets the move: f6, h6."),
        ("moves e1", "e1, if white gets the move: no moves."),
        ("moves e4", "e4 is empty."),
        ("status", "You can send: bid and a number from -100 to 100."),
    ] {
        asks(&browser, command, answer).await;
    }
    sit(&browser, &begin(&site, json!({"variant": "fog-of-war", "opponent": "self"})).await).await;
    assert_eq!(browser.ask("return !document.querySelector('#attacks, #reach')").await, true);
}

/// Text of the live region.
async fn live(browser: &Browser) -> String {
    let text = browser.ask("return document.getElementById('live').textContent").await;
    text.as_str().unwrap().to_owned()
}

#[tokio::test]
async fn page_that_opens_on_your_turn_says_the_last_line_and_the_choices() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = begin(&site, json!({"variant": "bidding", "options": {"scheme": "open"}, "opponent": "self"})).await;
    say(&site, &begun, 1, "bid 9").await;
    sit(&browser, &begun).await;
    let turn = "You are White. Black: bid 9. Your turn to answer. You can send: accept, reject.";
    assert_eq!(
        live(&browser).await,
        format!("Layout for screen readers is on. {turn}"),
        "after a change of the layout"
    );
    sit(&browser, &begun).await;
    assert_eq!(live(&browser).await, turn);
    assert_eq!(browser.ask("return document.activeElement.id").await, "action", "a new page begins in the field");
    // During the opponent's turn the page is silent.
    say(&site, &begun, 0, "accept").await;
    browser.until("/Black to move/.test(document.querySelector('h1').textContent)").await;
    browser.open(begun["url"].as_str().unwrap()).await;
    ready(&browser).await;
    tokio::time::sleep(std::time::Duration::from_millis(800)).await;
    assert_eq!(live(&browser).await, "");
}

#[tokio::test]
async fn guesses_and_turns_are_typed_as_the_move_list_shows_them() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let played = Played::begin(&site, json!({"money_two": 60})).await;
    sit(&browser, played.begun()).await;
    let ordered = ordered(&browser).await;
    assert_eq!(ordered, true);
    for example in [
        "guess e2 g1f3 $N",
        "e2: the piece on e2 moves. A pawn earns 4 zorkmids, a knight ",
        "g1f3 or Nf3: it moves to f3. A knight earns ",
        "$N: a knight is bought. This earns ",
        "$N@f5: a knight is bought and dropped on f5. This earns ",
        "extra: a move is bought. This earns 20 zorkmids",
    ] {
        asks(&browser, "help guess", example).await;
    }
    asks(&browser, "o", "Black, to guess.").await;
    send(&browser, "e4").await;
    browser.until("/Sealed: e2e4/.test(document.getElementById('game').textContent)").await;
    browser.ask(LISTEN).await;
    played.say(1, "guess e2e4 Nf3").await;
    browser.until("/Black to answer/.test(heard.join())").await;
    assert_eq!(browser.ask("return heard.splice(0).join()").await, "White: pawn from e2 to e4. Black to answer.");
    played.say(1, "retract").await;
    browser.until("/Your turn/.test(heard.join())").await;
    let back =
        "Black: forces back pawn from e2 to e4. Black paid 10 zorkmids. Purses: White 0, Black 50. Your turn to play.";
    assert_eq!(browser.ask("return heard.splice(0).join()").await, back);
    send(&browser, "Nf3").await;
    browser.until("/Black to answer/.test(heard.join())").await;
    browser.ask("heard.length = 0").await;
    // A line that gets notes is not repeated.
    played.say(1, "accept").await;
    browser.until("/Your turn/.test(heard.join())").await;
    let said = browser.ask("return heard.splice(0).join()").await;
    let said = said.as_str().unwrap();
    let guessed = "Black guessed right that the knight on g1 moves to f3, for 11 zorkmids. Purses: White 0, Black 61. ";
    assert_eq!(said, format!("{guessed}Your turn to guess."));
    let dark = Played::begin(&site, json!({"money_one": 60})).await;
    dark.say(0, "d4").await;
    dark.say(1, "guess").await;
    sit(&browser, dark.begun()).await;
    send(&browser, "guess e7e5").await;
    browser.until("/Sealed: guess e7e5/.test(document.getElementById('game').textContent)").await;
    dark.say(1, "e5").await;
    browser.until("/You can send/.test(document.getElementById('live').textContent)").await;
    let answers = "Your turn to answer. You can send: accept (get 5 zorkmids), retract (force back for 10 zorkmids).";
    assert!(live(&browser).await.ends_with(answers), "{}", live(&browser).await);
    asks(&browser, "moves e2", "You are to answer, not to move.").await;
    let right = "This turn, e7e5: guess 1, the pawn on e7 moves to e5, right, 5 zorkmids if you accept. Last turn: White played d2d4.";
    asks(&browser, "guesses", right).await;
    send(&browser, "force back").await;
    browser.until("/White: forces back/.test(document.getElementById('live').textContent)").await;
}

#[tokio::test]
async fn end_is_spoken_once_and_keeps_the_focus() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = begin(&site, json!({"variant": "fog-of-war", "opponent": "self"})).await;
    for (seat, action) in [(0, "e2e4"), (1, "f7f6"), (0, "d1h5"), (1, "g8h6")] {
        say(&site, &begun, seat, action).await;
    }
    sit(&browser, &begun).await;
    browser.ask(LISTEN).await;
    let record = "window.focused = []; document.getElementById('action').focus();
        addEventListener('focusin', (event) => focused.push(event.target.id || event.target.tagName));";
    browser.ask(record).await;
    send(&browser, "Qxe8").await;
    browser.until("document.querySelector('#game[data-judged]')").await;
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let said = browser.ask("return heard.join()").await;
    let said = said.as_str().unwrap();
    assert_eq!(said, "White: queen takes king on e8. You won.");
    assert_eq!(browser.ask("return [document.activeElement.id, focused.length]").await, json!(["action", 1]));
}

#[tokio::test]
async fn lines_name_the_side_first_and_are_not_repeated() {
    let site = Site::new();
    for record in [
        "antichess-standard",
        "bidding-open",
        "bidding-develin-payne",
        "clairvoyant-standard",
        "clairvoyant-blind",
        "crazyhouse-standard",
        "csipgs-army",
        "csipgs-standard",
        "designed-chess-five",
        "duck-standard",
        "fog-of-war-standard",
        "handicap-standard",
        "raumschach-standard",
        "shatranj-standard",
        "three-check-standard",
    ] {
        let begun = recorded(&site, record, 20).await;
        let page = reqwest::get(begun["url"].as_str().unwrap()).await.unwrap().text().await.unwrap();
        let lines: Vec<&str> =
            page.split("data-spoken=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
        assert!(lines.len() >= 5, "{record}: {lines:?}");
        for (line, before) in lines.iter().zip([""].iter().chain(&lines)) {
            let event = line.strip_prefix("White: ").or_else(|| line.strip_prefix("Black: "));
            let named = event.is_some_and(|event| event.starts_with(|letter: char| letter.is_alphabetic()));
            assert!(named, "{record}: {line}");
            assert!(!line.contains('/') && line != before, "{record}: {line}");
            let mut facts: Vec<&str> = line.split(['.', ',']).map(str::trim).collect();
            facts.sort_unstable();
            assert!(facts.windows(2).all(|pair| pair[0] != pair[1]), "{record} repeats a fact: {line}");
            assert!(line.split(" takes ").skip(1).all(|capture| capture.contains(" on ")), "{record}: {line}");
        }
    }
    let bids = said(&site, json!({"variant": "bookie", "opponent": "self"}), &["one bid 87", "two bid 65"]).await;
    let page = reqwest::get(&bids.address).await.unwrap().text().await.unwrap();
    assert!(page.contains("data-spoken=\"White: bids 87 on White. 13 on Black\""), "{page}");
}

#[tokio::test]
async fn names_of_controls_are_short_and_distinct() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    browser.open(&format!("{}/new/chess", &*site)).await;
    let bot = "const bot = document.querySelector('[value=\"bot:deep\"]');
        return [bot.labels[0].textContent, document.getElementById(bot.getAttribute('aria-describedby')).textContent,
                getComputedStyle(document.querySelector('summary'), '::before').content]";
    let heard = json!(["deep, level 6", "uses all its time to play as well as it can", "\"+\" / \"\""]);
    assert_eq!(browser.ask(bot).await, heard);
    let bots =
        "return [...document.querySelectorAll('[value^=\"bot:\"]')].map((bot) => bot.labels[0].textContent).slice(-3)";
    let named = json!(["sharp, level 5", "deep, level 6", "gambler, stronger than random"]);
    assert_eq!(browser.ask(bots).await, named);
    both_seats(&browser, &site, json!({"variant": "chess", "opponent": "self"})).await;
    let more = "return [...document.querySelectorAll('a, nav')].map((one) => one.ariaLabel ?? one.textContent.trim()).filter((name) => /^More/.test(name))";
    assert_eq!(browser.ask(more).await, json!(["More about this game", "More pages"]));
}

#[tokio::test]
async fn page_that_opens_before_any_move_says_the_colour() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = begin(&site, json!({"variant": "chess", "opponent": "self"})).await;
    sit(&browser, &begun).await;
    sit(&browser, &begun).await;
    let heard = live(&browser).await;
    assert!(heard.starts_with("You are White. Your turn. You can send: a move, such as "), "{heard}");
}

#[tokio::test]
async fn moves_are_typed_in_lower_case_with_spaces_or_names_and_a_draw_twice() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    both_seats(&browser, &site, json!({"variant": "chess", "opponent": "self"})).await;
    choose(&browser).await;
    browser.until("/Layout for screen readers is on/.test(document.getElementById('live').textContent)").await;
    ready(&browser).await;
    for (ply, text) in ["e2 e4", "nf6", "knight f3", "Pawn e5"].into_iter().enumerate() {
        send(&browser, text).await;
        browser.step(ply + 1).await;
        browser.until("document.activeElement.id === 'action' && !document.activeElement.value").await;
    }
    asks(&browser, "draw", "To end the game, send draw again.").await;
    send(&browser, "draw").await;
    browser.until("document.getElementById('game').dataset.over").await;
    let before = browser.ask("return location.pathname").await;
    send(&browser, "rematch").await;
    browser.until(&format!("location.pathname !== {before} && document.querySelector('#game[data-ply=\"0\"]')")).await;
}

#[tokio::test]
async fn shared_screen_says_whose_turn_it_is_behind_the_curtain() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let played = Played::begin(&site, json!({})).await;
    sit(&browser, played.begun()).await;
    played.sit(&browser, &[1]).await;
    for (side, turn) in [
        ("White", "Your turn: White to play. You can send: a move, such as "),
        ("Black", "Your turn: Black to guess. You can send: guess and up to 3 guesses, such as guess "),
    ] {
        browser.until(&format!("document.querySelector('.curtain h1')?.textContent.includes('{side}')")).await;
        let pass = format!("Pass the screen to {side}. Only {side} may see the next page.");
        browser.until("document.getElementById('live').textContent").await;
        assert_eq!(live(&browser).await, pass);
        browser.press(".curtain button", ".spoken .say").await;
        ready(&browser).await;
        browser.until("document.getElementById('live').textContent").await;
        let heard = live(&browser).await;
        assert!(heard.starts_with(turn), "{heard}");
        assert_eq!(browser.ask("return document.activeElement.id").await, "action");
        if side == "White" {
            played.say(0, "e2e4").await;
            browser.open(played.begun()["url"].as_str().unwrap()).await;
        }
    }
}

#[tokio::test]
async fn field_has_the_focus_while_a_turn_is_built_and_after_a_bid() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let played = Played::begin(&site, json!({})).await;
    sit(&browser, played.begun()).await;
    browser.ask("const build = document.querySelector('#shop [name=show]'); build.focus(); build.click()").await;
    browser.until("document.querySelector('#board[data-draft]') && document.activeElement.id === 'action'").await;

    let begun = begin(&site, json!({"variant": "bidding", "options": {"scheme": "secret"}, "opponent": "self"})).await;
    sit(&browser, &begun).await;
    browser.ask("document.getElementById('bid').focus()").await;
    browser.keys(['1', ENTER]).await;
    browser.until("/Sealed/.test(document.querySelector('.say').textContent)").await;
    say(&site, &begun, 1, "bid 0").await;
    browser.until("/Your turn/.test(document.querySelector('h1').textContent)").await;
    browser.until("document.activeElement.id === 'action'").await;
}

#[tokio::test]
async fn announcements_that_follow_each_other_fast_stay_together() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let begun = begin(&site, json!({"variant": "chess", "opponent": "self"})).await;
    sit(&browser, &begun).await;
    browser.ask(LISTEN).await;
    for (seat, action) in [(0, "e2e4"), (1, "e7e5")] {
        say(&site, &begun, seat, action).await;
    }
    browser.until("/White: pawn e4.*Black: pawn e5/.test(document.getElementById('live').textContent)").await;
    assert_eq!(browser.ask("return heard.join().split('pawn e4').length").await, 2, "each is added once");
}
