//! Each kind of page, light, dark and with high contrast, on a phone, on a desktop and enlarged: it is accessible and light, loads nothing
//! from other sites, does not shift its layout, and leaves the console empty. With `ZORKMID_PICTURES` set, screenshots are saved under target/screenshots.

use super::{
    Browser, Site,
    driver::screen,
    kinds::{Kind, kinds, visit},
    often::is_whole,
    tools,
};
use std::{env, fs, path::Path};

/// Maximum bytes of a first visit.
const FIRST_VISIT: u64 = 60 * 1024;
/// Maximum layout shift while a page loads, as a share of the window.
const LAYOUT_SHIFT: f64 = 0.01;
/// Views of a page: width in pixels, and a preference of the system with its value.
const LOOKS: [(u32, &str, &str); 6] = [
    (390, "prefers-color-scheme", "light"),
    (390, "prefers-color-scheme", "dark"),
    (1280, "prefers-color-scheme", "light"),
    (1280, "prefers-color-scheme", "dark"),
    (390, "prefers-contrast", "more"),
    (1280, "forced-colors", "active"),
];
/// The views of a short run, one per page in turn.
const SHORT_LOOKS: [usize; 4] = [0, 3, 4, 5];

/// Checks the weight of a first visit and the origins of its files.
async fn weigh(browser: &Browser, site: &str, kind: &Kind, faults: &mut Vec<String>) {
    let name = &kind.name;
    let seen = browser
        .ask(
            "const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
             return all.map((one) => [one.name, one.transferSize]);",
        )
        .await;
    let seen: Vec<(String, u64)> = serde_json::from_value(seen).unwrap();
    let weight: u64 = seen.iter().map(|(_, size)| size).sum();
    if !(1000..=FIRST_VISIT).contains(&weight) {
        faults.push(format!("{name} weighs {weight}: {seen:?}"));
    }
    for (file, _) in seen.iter().filter(|(file, _)| !file.starts_with(site)) {
        faults.push(format!("{name} fetches {file}"));
    }
    let inline = browser
        .ask(
            "return [...document.querySelectorAll('style, [style], script:not([src]):not([type=\"application/json\"])')]
                 .concat([...document.querySelectorAll('*')].filter((one) => one.getAttributeNames().some((name) => name.startsWith('on'))))
                 .map((one) => one.outerHTML.slice(0, 120));",
        )
        .await;
    for one in inline.as_array().unwrap() {
        faults.push(format!("{name} has inline {one}"));
    }
}

/// Checks that the console stays empty. A message counts if it appears in all three visits, because the next visit may interrupt one.
async fn silent(browser: &Browser, kind: &Kind, faults: &mut Vec<String>) {
    // The browser notes every error status itself.
    let much = |said: &[String]| said.len() > usize::from(kind.refused);
    let mut said = browser.console().await;
    for _ in 0..2 {
        if much(&said) {
            visit(browser, kind).await;
            said = browser.console().await;
        }
    }
    if much(&said) {
        faults.push(format!("{} logs {said:?}", kind.name));
    }
}

/// Layout shift since the page began to load.
async fn shift(browser: &Browser) -> f64 {
    let shift = browser
        .ask(
            "return new Promise((done) => {
                 let shift = 0;
                 const add = (list) => list.getEntries().forEach((one) => shift += one.hadRecentInput ? 0 : one.value);
                 new PerformanceObserver(add).observe({type: 'layout-shift', buffered: true});
                 requestAnimationFrame(() => setTimeout(() => done(shift), 50));
             });",
        )
        .await;
    shift.as_f64().unwrap()
}

/// Checks the layout shift. It counts if it occurs in all three visits, because a busy machine may render a page in pieces.
async fn steady(browser: &Browser, kind: &Kind, faults: &mut Vec<String>) {
    let mut least = shift(browser).await;
    for _ in 0..2 {
        if least > LAYOUT_SHIFT {
            visit(browser, kind).await;
            least = least.min(shift(browser).await);
        }
    }
    if least > LAYOUT_SHIFT {
        faults.push(format!("{} shifts its layout by {least}", kind.name));
    }
}

/// Checks accessibility with axe-core, which is already loaded.
pub(super) async fn shut_out(browser: &Browser, name: &str, faults: &mut Vec<String>) {
    let script = "return axe.run(document, {resultTypes: ['violations'], iframes: false}).then((found) =>
        found.violations.map((one) => one.id + ': ' + one.nodes.map((node) => node.html.slice(0, 160)).join(' | ')));";
    for fault in browser.ask(script).await.as_array().unwrap() {
        faults.push(format!("{name}: {fault}"));
    }
}

/// Sideways scroll, and targets that break the minimum target size of WCAG (success criterion 2.5.8): smaller than 24 pixels, outside of
/// a sentence, and with another target in the circle of 24 pixels around them.
const REACH: &str = "
    const shown = (one) => {
      if (!one.checkVisibility({visibilityProperty: true}) || one.closest('.visually-hidden, .skip')) return false;
      const box = one.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
      for (let outer = one.parentElement; outer; outer = outer.parentElement) {
        const cut = outer.getBoundingClientRect();
        if (getComputedStyle(outer).overflow !== 'visible' && (x < cut.left || x > cut.right || y < cut.top || y > cut.bottom)) return false;
      }
      return box.width > 1;
    };
    const sentence = (one) => getComputedStyle(one).display === 'inline' && one.parentElement.textContent.trim() !== one.textContent.trim();
    const targets = [...document.querySelectorAll('body :is(a[href], button, input:not([type=hidden]), select, textarea, summary)')]
      .filter(shown).map((one) => [one, (one.closest('label') ?? one).getBoundingClientRect()]);
    const small = ([, box]) => box.width < 23.9 || box.height < 23.9;
    const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
    const near = ([one, box]) => targets.some(([other, place]) => {
      if (one === other || one.contains(other) || other.contains(one)) return false;
      const [x, y] = middle(box);
      const beside = Math.hypot(Math.max(place.left - x, 0, x - place.right), Math.max(place.top - y, 0, y - place.bottom)) < 12;
      const [left, top] = middle(place);
      return beside || (small([other, place]) && Math.hypot(left - x, top - y) < 24);
    });
    const faults = targets.filter((target) => small(target) && !sentence(target[0]) && near(target))
      .map(([one, box]) => `${one.outerHTML.slice(0, 120)} is ${box.width.toFixed(1)} × ${box.height.toFixed(1)} pixels`);
    const wide = document.documentElement.scrollWidth - innerWidth;
    return wide > 0 ? [...faults, `${wide} pixels too wide`] : faults;";

/// Checks that the page does not scroll sideways, and that its targets are large enough.
async fn within_reach(browser: &Browser, name: &str, faults: &mut Vec<String>) {
    for fault in browser.ask(REACH).await.as_array().unwrap() {
        faults.push(format!("{name}: {fault}"));
    }
}

/// Checks that every label has a visible field, and that no board covers another.
async fn in_place(browser: &Browser, name: &str, faults: &mut Vec<String>) {
    let script = "
        const box = (element) => element.getBoundingClientRect();
        const labels = [...document.querySelectorAll('main label[for]')].filter((label) => label.checkVisibility());
        const lost = labels.filter((label) => label.control && !box(label.control).width).map((label) => `the field ${label.textContent} is invisible`);
        const boards = [...document.querySelectorAll('figure.position')].map(box).filter((board) => board.width);
        const apart = (one, other) => one.right <= other.left || other.right <= one.left || one.bottom <= other.top || other.bottom <= one.top;
        const covered = boards.some((one, index) => boards.slice(index + 1).some((other) => !apart(one, other)));
        return [...lost, ...(covered ? ['a board covers another'] : [])];";
    for fault in browser.ask(script).await.as_array().unwrap() {
        faults.push(format!("{name}: {fault}"));
    }
}

#[tokio::test]
async fn every_kind_of_page_is_accessible_and_light() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    let axe = tools::named("ZORKMID_AXE").map(|path| fs::read_to_string(path).unwrap());
    let folder =
        env::var_os("ZORKMID_PICTURES").map(|_| Path::new(env!("CARGO_MANIFEST_DIR")).join("target/screenshots"));
    if let Some(folder) = &folder {
        fs::create_dir_all(folder).unwrap();
        eprintln!("The pictures of the pages are kept in {}", folder.display());
    }
    let mut faults = Vec::new();
    for (number, kind) in kinds(&site).await.into_iter().enumerate() {
        visit(&browser, &kind).await;
        weigh(&browser, &site, &kind, &mut faults).await;
        silent(&browser, &kind, &mut faults).await;
        steady(&browser, &kind, &mut faults).await;
        if let Some(axe) = &axe {
            browser.ask(axe).await;
        }
        let short = SHORT_LOOKS[number % SHORT_LOOKS.len()];
        let looks = if is_whole() { &LOOKS[..] } else { &LOOKS[short..=short] };
        for &(width, preference, value) in looks {
            let name = format!("{}-{width}-{value}", kind.name);
            browser.width(width).await;
            browser.wish(preference, value).await;
            if let Some(folder) = &folder {
                fs::write(folder.join(format!("{name}.png")), browser.whole_picture().await).unwrap();
            }
            let wide = browser.ask(&format!("return document.documentElement.scrollWidth - {width}")).await;
            if wide.as_i64().is_none_or(|wide| wide > 0) {
                faults.push(format!("{name} is {wide} pixels too wide"));
            }
            in_place(&browser, &name, &mut faults).await;
            if axe.is_some() {
                shut_out(&browser, &name, &mut faults).await;
            }
        }
        for factor in if is_whole() { &[1, 4][..] } else { &[4] } {
            browser.zoom(*factor).await;
            within_reach(&browser, &format!("{}, enlarged {factor} times", kind.name), &mut faults).await;
        }
    }
    assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
}

#[tokio::test]
async fn all_entries_of_the_navigation_can_be_pressed_on_a_phone() {
    let Some(screen) = screen().await else { return };
    let (site, browser) = (Site::new(), Browser::new(&screen).await);
    browser.size(390, 844).await;
    super::on_one_screen(&browser, &site).await;
    let game = browser.ask("return location.href").await;
    let board = "const box = document.querySelector('.board')?.getBoundingClientRect(); return box && [box.x, box.y, box.width, box.height];";
    for (width, height) in [(390, 844), (360, 640)] {
        browser.size(width, height).await;
        for address in [format!("{}/puzzles", &*site), game.as_str().unwrap().to_owned()] {
            browser.open(&address).await;
            let before = browser.ask(board).await;
            browser.ask("document.querySelector('header.site nav > button').scrollIntoView({block: 'center'})").await;
            browser.press("header.site nav > button", "#menu:popover-open").await;
            let covered = "
                return [...document.querySelectorAll('header.site nav a')].filter((entry) => {
                  const box = entry.getBoundingClientRect();
                  const whole = box.left >= 0 && box.right <= innerWidth && box.height >= 44;
                  return !whole || document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2) !== entry;
                }).map((entry) => entry.innerText);";
            assert_eq!(browser.ask(covered).await, serde_json::json!([]), "{address} at {width}");
            browser.ask("scrollTo(0, 0)").await;
            assert_eq!(browser.ask(board).await, before, "{address} at {width}");
        }
    }
}
