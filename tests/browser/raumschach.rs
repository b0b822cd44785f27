//! Raumschach in the browser: moves between levels by touch, mouse, keyboard and without scripts.

use super::{
    Browser, Site, both_seats,
    driver::screen,
    games::{ENTER, ESCAPE},
};
use serde_json::{Value, json};

const PAGE_UP: char = '\u{e00e}';
const PAGE_DOWN: char = '\u{e00f}';
const LEFT: char = '\u{e012}';
const UP: char = '\u{e013}';
const RIGHT: char = '\u{e014}';
const DOWN: char = '\u{e015}';

/// The opening that every test plays: a pawn moves up, another down, and a bishop crosses three levels to capture a pawn.
const OPENING: [(&str, &str); 4] = [("Bc2", "Cc2"), ("Db4", "Cb4"), ("Ba1", "Ea4"), ("Ea5", "Ea4")];

fn game() -> Value {
    json!({"variant": "raumschach", "opponent": "self"})
}

/// Condition that the board shows the position after that opening.
const PLAYED: &str = "document.querySelector('#game').dataset.ply === '4'
    && document.querySelector('td.last-to[data-square=Ea4][data-piece=rook][data-color=black]')
    && document.querySelector('td.last-from[data-square=Ea5]:not([data-piece])')
    && document.querySelector('.round > .moves').textContent.includes('BxEa4')";

#[tokio::test]
async fn touch_reaches_every_level_on_a_phone_and_on_a_desktop() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    for (width, height, columns) in [(390, 844, 2), (1280, 800, 3)] {
        browser.size(width, height).await;
        both_seats(&browser, &site, game()).await;
        browser.until("document.querySelector('.board[role=grid] td.movable')").await;
        let levels = browser
            .ask(
                "const levels = [...document.querySelectorAll('.board [data-level]')].map((one) => [one.dataset.level, one.getBoundingClientRect()]);
                 const [, first] = levels[0];
                 return [levels.map(([letter]) => letter).join(''), levels.filter(([, box]) => box.y === first.y).length,
                     levels.every(([, box]) => box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom <= innerHeight),
                     levels.every(([, box]) => box.y <= first.y), document.documentElement.scrollWidth <= innerWidth]",
            )
            .await;
        assert_eq!(levels, json!(["ABCDE", columns, true, true, true]), "at {width}");
        for (ply, (from, to)) in OPENING.into_iter().enumerate() {
            browser.step(ply).await;
            assert!(browser.touch(&format!("td[data-square={from}]")).await);
            browser.until(&format!("document.querySelector('td[data-square={to}]:is(.target, .capture)')")).await;
            assert!(browser.touch(&format!("td[data-square={to}]")).await);
        }
        browser.until(PLAYED).await;
    }
}

#[tokio::test]
async fn pieces_are_dragged_between_levels_and_replay_works() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    both_seats(&browser, &site, game()).await;
    browser.until("document.querySelector('td.movable')").await;
    // On an illegal square, the piece returns.
    browser.drag("Bc2", "Ec2").await;
    browser.until("!document.querySelector('.ghost, td.selected, td.target')").await;
    for (ply, (from, to)) in OPENING.into_iter().enumerate() {
        browser.step(ply).await;
        browser.drag(from, to).await;
    }
    browser.until(PLAYED).await;
    browser.press("[data-step=back]", "td[data-square=Ea5][data-piece=rook]").await;
    browser.press("[data-step=first]", "td[data-square=Bc2][data-piece=pawn]").await;
    browser.press("[data-step=last]", "td[data-square=Ea4][data-color=black]").await;
    // A piece that cannot be moved is explained.
    browser.press("td[data-square=Ea4] button", "td.moves-only, td.does").await;
    browser.until("document.getElementById('asked').textContent.includes('black rook on Ea4')").await;
}

#[tokio::test]
async fn keys_cross_the_edge_of_a_level_and_change_levels() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    browser.size(1280, 800).await;
    both_seats(&browser, &site, game()).await;
    browser.until("document.querySelector('td.movable')").await;
    browser.ask("document.querySelector('td[data-square=Ae2] button').focus()").await;
    let at = async |square: &str| {
        browser.until(&format!("document.activeElement.closest('td')?.dataset.square === '{square}'")).await;
    };
    for (key, square) in
        [(RIGHT, "Ba2"), (LEFT, "Ae2"), (PAGE_UP, "Be2"), (PAGE_DOWN, "Ae2"), (PAGE_DOWN, "Ae2"), (UP, "Ae3")]
    {
        browser.keys([key]).await;
        at(square).await;
    }
    // Levels A and D are one above the other here.
    browser.keys([UP, UP, UP]).await;
    at("De1").await;
    browser.keys([DOWN, RIGHT, DOWN, DOWN, DOWN]).await;
    at("Ba2").await;
    browser.keys([RIGHT, RIGHT, ENTER]).await;
    browser.until("document.querySelector('td[data-square=Bc2].selected')").await;
    browser.keys([ESCAPE]).await;
    browser.until("!document.querySelector('td.selected')").await;
    browser.keys([ENTER, PAGE_UP, ENTER]).await;
    browser.until("document.querySelector('#game[data-ply=\"1\"] td[data-square=Cc2][data-piece=pawn]')").await;
}

#[tokio::test]
async fn game_is_played_by_forms() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::without_scripts(&screen).await);
    both_seats(&browser, &site, game()).await;
    for (ply, (from, to)) in OPENING.into_iter().enumerate() {
        let target = format!("td[data-square={to}] button[name=action]");
        browser.press(&format!("td[data-square={from}] button"), &target).await;
        browser.press(&target, &format!("#game[data-ply=\"{}\"]", ply + 1)).await;
    }
    browser.until(PLAYED).await;
}
