//! Two players play all variants in a row, each game a rematch of the previous one: on a slow connection and processor, with offers, replay
//! during the opponent's move, a lost connection, and phrases.

use super::{Browser, PATIENCE, Site, begin, driver::screen, often::is_whole};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const END: char = '\u{e010}';
const LEFT: char = '\u{e012}';

/// Whether a player is to act and has not sealed an action yet.
async fn asked(browser: &Browser) -> bool {
    let asked = "const game = document.getElementById('game'); return /^Your turn/.test(game.querySelector('h1')?.textContent) && !/Sealed:/.test(game.textContent)";
    browser.ask(asked).await == true
}

/// Waits until one of the two is to act, and types a legal action.
async fn speak(pair: [&Browser; 2]) {
    let began = Instant::now();
    let browser = loop {
        if asked(pair[0]).await {
            break pair[0];
        }
        if asked(pair[1]).await {
            break pair[1];
        }
        if began.elapsed() > PATIENCE {
            let page = pair[0].ask("return document.querySelector('main').innerText").await;
            panic!("no player is to act; the page shows {page}");
        }
        tokio::time::sleep(Duration::from_millis(40)).await;
    };
    let ply = browser.ask("return document.getElementById('game').dataset.ply").await;
    let ply = ply.as_str().unwrap();
    // A listed action, or one that fits the phase if none is listed. A move in parts is completed by placing the duck on the square that the
    // piece left.
    browser
        .ask(
            "const field = document.getElementById('action');
             const { phase } = document.getElementById('game').dataset;
             const [first] = JSON.parse(document.getElementById('choices').textContent);
             const part = phase === 'move' && document.querySelector('#board[data-draft]') && !first.whole;
             const bid = document.querySelector('[name=action][value=seconds]') ? 'seconds 200' : 'bid 10';
             const words = { design: 'keep', bid, guess: 'guess', answer: 'accept', response: 'accept' };
             field.value = part ? `${first.action} ${first.from}` : first?.action ?? words[phase] ?? 'pass';
             field.form.requestSubmit();",
        )
        .await;
    browser
        .until(&format!(
            "document.getElementById('game').dataset.ply !== '{ply}' || !/^Your turn/.test(document.querySelector('#game h1')?.textContent)
             || /Sealed:/.test(document.getElementById('game').textContent)"
        ))
        .await;
}

/// Lets both play until the game has reached a step, and both pages show it.
async fn play(pair: [&Browser; 2], steps: u64) {
    let ply = async |browser: &Browser| -> u64 {
        let ply = browser.ask("return document.getElementById('game').dataset.last").await;
        ply.as_str().unwrap().parse().unwrap()
    };
    let goal = ply(pair[0]).await.max(ply(pair[1]).await) + steps;
    while ply(pair[0]).await.max(ply(pair[1]).await) < goal {
        speak(pair).await;
    }
    let goal = ply(pair[0]).await.max(ply(pair[1]).await);
    for browser in pair {
        browser.until(&format!("Number(document.getElementById('game').dataset.last) >= {goal}")).await;
    }
}

async fn press(browser: &Browser, selector: &str) {
    browser.until(&format!("document.querySelector('{selector}')")).await;
    browser.ask(&format!("document.querySelector('{selector}').click()")).await;
}

#[tokio::test]
async fn every_variant_is_played_in_one_session() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let answer: Value = reqwest::get(format!("{}/api/variants", &*site)).await.unwrap().json().await.unwrap();
    let list = answer["variants"].as_array().or(answer.as_array()).unwrap();
    // A short run plays every sixth variant.
    let list = list.iter().step_by(if is_whole() { 1 } else { 6 });
    let variants: Vec<&str> = list.map(|variant| variant["key"].as_str().unwrap()).collect();
    let begun = begin(&site, json!({"variant": variants[0], "opponent": "link", "name": "Anna"})).await;
    let (one, two) = (Browser::new(&screen).await, Browser::new(&screen).await);
    one.open(begun["seats"][0]["url"].as_str().unwrap()).await;
    two.open(begun["invite"]["url"].as_str().unwrap()).await;
    two.ask("document.querySelector('main form [name=name]').value = 'Barb'").await;
    two.press("main form button.primary", "#game").await;
    one.open(begun["url"].as_str().unwrap()).await;
    two.slow(150).await;
    let pair = [&one, &two];
    for (number, variant) in variants.iter().enumerate() {
        for browser in pair {
            browser.until("document.getElementById('game') && document.querySelector('#choices')").await;
            browser.until("/Your opponent is here/.test(document.getElementById('partner').textContent)").await;
        }
        play(pair, 3).await;

        // One player replays moves while the game goes on, and sees a notice. One key returns to the current position.
        two.ask("document.activeElement.blur()").await;
        two.keys([LEFT]).await;
        two.until("document.getElementById('looking')").await;
        let stood = one.ask("return Number(document.getElementById('game').dataset.last)").await;
        while one.ask("return Number(document.getElementById('game').dataset.last)").await == stood && asked(&one).await
        {
            speak([&one, &one]).await;
        }
        if one.ask("return Number(document.getElementById('game').dataset.last)").await != stood {
            two.until("document.querySelector('#looking.news')").await;
        }
        two.ask("document.querySelector('.nav [data-step=next]').focus()").await;
        two.keys([END]).await;
        two.until("!document.getElementById('looking') && location.hash === ''").await;

        // A draw offer is declined, where the game has one.
        let draws = "document.querySelector('a[href*=\"end=draw\"]')";
        if one.ask(&format!("return !!{draws}")).await == true {
            one.ask(&format!("{draws}.click()")).await;
            press(&one, "#draw button").await;
            press(&two, "button[value=decline]").await;
            one.until("document.querySelector('[data-declined]')").await;
        }

        // The connection is lost while the opponent acts or waits. Afterwards nothing is missing.
        two.offline(true).await;
        if asked(&one).await {
            speak([&one, &one]).await;
        }
        two.slow(150).await;
        let version = one.ask("return document.getElementById('game').dataset.version").await;
        two.until(&format!("Number(document.getElementById('game').dataset.version) >= {}", version.as_str().unwrap()))
            .await;

        if number == 0 {
            one.ask("document.querySelector('#talk button[value=luck]').click()").await;
            two.until("/Your opponent says: Good luck!/.test(document.getElementById('phrase')?.textContent)").await;
            two.until("/Good luck!/.test(document.getElementById('live').textContent)").await;
        }

        one.press("a[href*='end=resign']", "#resign button[value^=resign]").await;
        let all = "#resign button[value^=resign]";
        one.ask(&format!("[...document.querySelectorAll('{all}')].at(-1).click()")).await;
        for browser in pair {
            browser.until("document.getElementById('game').dataset.over").await;
            // The page shows the winner, the reason and all follow-up links, and no turn notifications.
            browser.until("/ wins (against|the match) .*: (resignation|match resigned)/.test(document.querySelector('.lead')?.textContent)").await;
            let words = browser
                .ask("return [...document.querySelectorAll('.acts, #more')].map((part) => part.innerText).join(' ')")
                .await;
            let words = words.as_str().unwrap();
            assert!(["Rematch", "New opponent", "PGN", "Share"].iter().all(|word| words.contains(word)), "{words}");
            assert_eq!(
                browser.ask("return /turns left|to move/.test(document.querySelector('.round').innerText)").await,
                false
            );
        }
        let before = one.ask("return location.pathname").await;
        let before = before.as_str().unwrap();
        let Some(next) = variants.get(number + 1) else {
            two.open(&format!("{}{before}/session", &*site)).await;
            let rows =
                two.ask("return [...document.querySelectorAll('tbody th')].map((cell) => cell.textContent)").await;
            assert_eq!(rows.as_array().unwrap().len(), variants.len());
            two.until("/Anna/.test(document.querySelector('h1').textContent) && document.querySelector('svg.graph')")
                .await;
            return;
        };
        // Another game is offered and accepted. Both players are taken there with exchanged seats.
        two.ask(&format!(
            "const select = document.getElementById('next'); select.value = '{next}'; select.form.requestSubmit()"
        ))
        .await;
        one.until("/Accept a game of/.test(document.querySelector('button[value=rematch]')?.textContent)").await;
        press(&one, "button[value=rematch]").await;
        for browser in pair {
            browser.until(&format!("location.pathname !== '{before}' && document.getElementById('game')")).await;
        }
        let key = one
            .ask(
                "return fetch('/api' + location.pathname).then((answer) => answer.json()).then((game) => game.variant)",
            )
            .await;
        assert_eq!((key.as_str(), number + 1), (Some(*next), number + 1), "after {variant}");
    }
}
