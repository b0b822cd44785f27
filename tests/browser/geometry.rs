//! The game page never moves: no step, offer, question, earlier position, cut connection or result changes the place of the board, a
//! clock, a row or a button, and all of them are in the first screen.

use super::{
    Browser, Site, begin,
    driver::{Screen, screen},
    often::is_whole,
};
use serde_json::{Value, json};
use std::time::Duration;
use zorkmid::registry::VARIANTS;

/// Sizes of the window: a laptop, a phone upright and lying, then those of the long run.
const SIZES: [(u32, u32); 7] =
    [(1280, 800), (390, 844), (844, 390), (1366, 768), (1920, 1080), (1024, 600), (360, 640)];
const SHORT_SIZES: usize = 3;
const SHORT_VARIANTS: [&str; 3] = ["chess", "bidding", "crazyhouse"];
/// Half-moves of each game.
const STEPS: usize = 40;
const SHORT_STEPS: usize = 16;
/// Names of the greatest length.
const NAMES: [&str; 2] = ["WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", "The Right Honourable Sir Bartholomew Fox"];

/// Boxes of everything that must not move, then faults: parts outside the first screen, small buttons, sideways scroll.
const BOXES: &str = "
    scrollTo(0, 0);
    const boxes = {}, faults = [];
    const note = (name, element) => {
      const box = element.getBoundingClientRect();
      if (!box.width || !box.height) return box;
      boxes[name] = [box.x, box.y, box.width, box.height];
      if (box.left < -0.01 || box.top < -0.01 || box.right > innerWidth + 0.01 || box.bottom > innerHeight + 0.01) faults.push(`${name} is out of view`);
      return box;
    };
    const squares = [...document.querySelectorAll('.board td[data-square]')];
    note('board', document.querySelector('.board'));
    note('first square', squares[0]);
    note('last square', squares.at(-1));
    for (const name of ['far', 'near']) {
      const seat = [...document.querySelectorAll(`.seat:is([data-part=${name}], [data-past=${name}])`)].find((one) => !one.hidden);
      note(`${name} bar`, seat);
      note(`${name} clock`, seat.querySelector('.clock'));
      const pocket = document.querySelector(`[data-pocket=${name}]`);
      if (pocket) note(`${name} pocket`, pocket);
    }
    for (const name of ['moves', 'say', 'ask', 'acts']) note(name, document.querySelector(`.${name}:not(.scroll)`));
    const slots = [...document.querySelectorAll('.acts > :not(form), .acts > form > :not([type=hidden]), .nav > *')];
    slots.forEach((slot, index) => {
      const box = note(`slot ${index}`, slot);
      if (box.width && (box.width < 44 || box.height < 44)) faults.push(`${slot.textContent} is ${box.width} × ${box.height}`);
    });
    for (const button of document.querySelectorAll('.say :is(button, .button)')) {
      const box = button.getBoundingClientRect();
      if (box.width && box.height < 44) faults.push(`${button.textContent} is ${box.height} high`);
    }
    if (document.documentElement.scrollWidth > innerWidth) faults.push('the page scrolls sideways');
    return [boxes, faults];";

/// A game through the API, with a page of each viewer.
struct Round<'s> {
    site: &'s str,
    id: String,
    tokens: [String; 2],
    pages: Vec<(&'static str, Browser)>,
    sizes: &'static [(u32, u32)],
    /// First boxes of each page and size.
    first: Vec<Value>,
    faults: Vec<String>,
    name: String,
}

async fn call(address: &str, token: &str, said: Option<Value>) -> (u16, Value) {
    let client = reqwest::Client::new();
    let request = said.as_ref().map_or_else(|| client.get(address), |said| client.post(address).json(said));
    let request = if token.is_empty() { request } else { request.bearer_auth(token) };
    let answer = request.send().await.unwrap();
    (answer.status().as_u16(), answer.json().await.unwrap())
}

impl<'s> Round<'s> {
    async fn begin(screen: &Screen, site: &'s str, variant: &str, preset: &Value) -> Round<'s> {
        let game = json!({"variant": variant, "options": preset, "opponent": "link", "name": NAMES[0],
            "clock": {"initial": 600, "increment": 5}});
        let begun = begin(site, game).await;
        let (id, code) = (begun["id"].as_str().unwrap().to_owned(), &begun["invite"]["code"]);
        let (_, joined) = call(&format!("{site}/api/seats"), "", Some(json!({"code": code, "name": NAMES[1]}))).await;
        let tokens = [&begun["seats"][0]["token"], &joined["token"]].map(|token| token.as_str().unwrap().to_owned());
        let mut pages = Vec::new();
        let viewers: &[&'static str] = if is_whole() { &["one", "two", "spectator"] } else { &["one"] };
        for viewer in viewers {
            let browser = Browser::new(screen).await;
            if let Some(seat) = ["one", "two"].iter().position(|seat| seat == viewer) {
                browser.open(&format!("{site}/seat/{}", tokens[seat])).await;
            }
            browser.open(&format!("{site}/games/{id}")).await;
            browser.until("document.querySelector('.board[role=grid]')").await;
            pages.push((*viewer, browser));
        }
        let sizes = if is_whole() { &SIZES[..] } else { &SIZES[..SHORT_SIZES] };
        let name = format!("{variant} {preset}");
        Round { site, id, tokens, pages, sizes, first: Vec::new(), faults: Vec::new(), name }
    }

    async fn look(&self, seat: usize) -> Value {
        call(&format!("{}/api/games/{}", self.site, self.id), &self.tokens[seat], None).await.1
    }

    async fn say(&self, seat: usize, action: &str) -> bool {
        let said = json!({"ply": self.look(seat).await["ply"], "action": action});
        call(&format!("{}/api/games/{}/actions", self.site, self.id), &self.tokens[seat], Some(said)).await.0 == 200
    }

    /// Waits until every page shows the newest version, and compares all boxes with the first ones.
    async fn measure(&mut self, state: &str) {
        let ply = self.look(0).await["ply"].clone();
        let mut number = 0;
        for (viewer, browser) in &self.pages {
            browser.until(&format!("document.getElementById('game').dataset.ply === '{ply}'")).await;
            browser.until("document.getAnimations().length === 0 && !document.querySelector('.turning')").await;
            for (width, height) in self.sizes {
                browser.size(*width, *height).await;
                let found = browser.ask(BOXES).await;
                let place = format!("{}, {viewer}, {width} × {height}, {state}", self.name);
                for fault in found[1].as_array().unwrap() {
                    self.faults.push(format!("{place}: {fault}"));
                }
                match self.first.get_mut(number) {
                    None => self.first.push(found[0].clone()),
                    Some(first) => compare(&place, first, &found[0], &mut self.faults),
                }
                number += 1;
            }
        }
    }

    /// An action of a seat, chosen by a counter: a listed one, or a number for a field.
    async fn random(&self, seat: usize, step: usize) -> Option<String> {
        let shown = self.look(seat).await;
        let listed: Vec<&str> = shown["actions"].as_array()?.iter().filter_map(Value::as_str).collect();
        let action = listed.get((step * 7 + 3) % listed.len().max(1))?;
        let Some((before, rest)) = action.split_once('{') else { return Some((*action).to_owned()) };
        let (range, after) = rest.split_once('}')?;
        let (least, most) = range.split_once("..")?;
        let (least, most): (i64, i64) = (least.parse().ok()?, most.parse().ok()?);
        Some(format!("{before}{}{after}", (least.max(0) + i64::try_from(step).unwrap() % 3).min(most)))
    }

    async fn play(&mut self) {
        self.measure("at the start").await;
        for step in 0..if is_whole() { STEPS } else { SHORT_STEPS } {
            let awaits = self.look(0).await["turn"]["awaits"].clone();
            let Some(seat) = awaits.get(0) else { break };
            let seat = usize::from(seat == "two");
            let mut action = self.random(seat, step).await;
            for other in [step + 1, step + 2] {
                if let Some(said) = &action
                    && self.say(seat, said).await
                {
                    break;
                }
                action = self.random(seat, other).await;
            }
            self.measure(&format!("after {action:?}")).await;
        }
        for (seat, action) in
            [(1, "draw"), (0, "decline"), (1, "takeback"), (0, "decline"), (0, "draw"), (0, "withdraw")]
        {
            if self.say(seat, action).await {
                tokio::time::sleep(Duration::from_millis(100)).await;
                self.measure(&format!("after {action}")).await;
            }
        }
        for (_, browser) in &self.pages {
            browser.ask("document.querySelector('[data-step=back]').click()").await;
            browser.until("document.querySelector('[data-past=near]')").await;
        }
        self.measure("looking back").await;
        for (_, browser) in &self.pages {
            browser.ask("document.querySelector('[data-step=last]').click()").await;
            browser.until("!document.querySelector('[data-past=near]')").await;
        }
        for end in ["draw", "resign"] {
            let click =
                format!("const link = document.querySelector('a[href*=\"end={end}\"]'); link?.click(); return !!link");
            if self.pages[0].1.ask(&click).await == true {
                self.pages[0].1.until(&format!("document.getElementById('{end}')")).await;
                self.measure(&format!("asked to confirm: {end}")).await;
            }
        }
        for (_, browser) in &self.pages {
            browser.offline(true).await;
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
        self.measure("cut off").await;
        for (_, browser) in &self.pages {
            browser.offline(false).await;
        }
        self.say(1, "resign").await;
        for (_, browser) in &self.pages {
            browser.until("document.getElementById('game').dataset.over").await;
        }
        self.measure("at the end").await;
    }
}

/// Notes every box that has moved.
fn compare(place: &str, first: &mut Value, now: &Value, faults: &mut Vec<String>) {
    let first = first.as_object_mut().unwrap();
    for (name, found) in now.as_object().unwrap() {
        // A pocket shows when it has something to place.
        let expected = first.entry(name.clone()).or_insert_with(|| found.clone());
        let sides = expected.as_array().unwrap().iter().zip(found.as_array().unwrap());
        if sides.clone().any(|(one, other)| (one.as_f64().unwrap() - other.as_f64().unwrap()).abs() > 0.01) {
            faults.push(format!("{place}: {name} was at {expected}, is at {found}"));
        }
    }
}

#[tokio::test]
async fn nothing_moves_during_a_game() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let mut faults = Vec::new();
    for variant in VARIANTS.iter().filter(|variant| is_whole() || SHORT_VARIANTS.contains(&variant.key)) {
        let presets = (variant.presets)().into_iter().map(|(_, preset)| preset);
        let all: Vec<Value> = [json!({})].into_iter().chain(presets.filter(|_| is_whole())).collect();
        for preset in all {
            let mut round = Round::begin(&screen, &site, variant.key, &preset).await;
            round.play().await;
            faults.append(&mut round.faults);
        }
    }
    let shown: Vec<&String> = faults.iter().take(40).collect();
    assert!(faults.is_empty(), "{} faults: {shown:#?}", faults.len());
}

#[tokio::test]
async fn changed_button_ignores_presses_for_a_moment() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let round = Round::begin(&screen, &site, "chess", &json!({})).await;
    assert!(round.say(0, "e2e4").await && round.say(1, "e7e5").await);
    let browser = &round.pages[0].1;
    browser.step(2).await;
    browser
        .ask(
            "window.press = () => document.querySelector('[data-offer] .primary').dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true, detail: 1}));
             new MutationObserver(() => { if (document.querySelector('[data-offer]')) window.early ??= press(); }).observe(document.body, {childList: true, subtree: true});",
        )
        .await;
    assert!(round.say(1, "draw").await);
    browser.until("window.early === false").await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(round.look(0).await["outcome"], Value::Null);
    browser.ask("press()").await;
    browser.until("document.getElementById('game').dataset.over").await;
}

#[tokio::test]
async fn finished_game_shows_the_clocks_of_each_step() {
    let Some(screen) = screen().await else { return };
    let site = Site::new();
    let round = Round::begin(&screen, &site, "chess", &json!({})).await;
    for (seat, action) in [(0, "e2e4"), (1, "e7e5"), (0, "g1f3"), (1, "resign")] {
        tokio::time::sleep(Duration::from_millis(1200)).await;
        assert!(round.say(seat, action).await);
    }
    let browser = &round.pages[0].1;
    browser.until("document.getElementById('game').dataset.over").await;
    let clocks = "return [...document.querySelectorAll('.seat:not([hidden]) .clock')].map((clock) => clock.lastChild.textContent.trim())";
    let last = browser.ask(clocks).await;
    browser.ask("document.querySelector('[data-step=first]').click()").await;
    browser.until("document.querySelector('[data-past=near] .clock')").await;
    assert_eq!(browser.ask(clocks).await, json!(["10:00", "10:00"]));
    browser.ask("document.querySelector('[data-step=last]').click()").await;
    browser.until("!document.querySelector('[data-past=near]')").await;
    assert_eq!(browser.ask(clocks).await, last);
    assert_ne!(last, json!(["10:00", "10:00"]));
}
