//! A browser of a test's own: chromedriver on a free port, a profile in a folder of its own, and the few gestures that the tests
//! need. Both programs end with the test, however it ends.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use base64::prelude::{BASE64_STANDARD, Engine};
use fantoccini::{
    Client, ClientBuilder, Locator,
    actions::{InputSource, KeyAction, KeyActions, MouseActions, PointerAction, TouchActions},
};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::PATIENCE;

/// So many tests drive browsers at a time: there are not many processors.
static SCREENS: Semaphore = Semaphore::const_new(1);

/// What a browser is to be like.
#[derive(Clone, Copy)]
pub(super) struct Wish {
    /// Whether scripts run.
    pub(super) scripts: bool,
}

/// A screen: whoever holds it may open browsers.
pub(super) struct Screen(#[allow(dead_code, reason = "held, not read")] SemaphorePermit<'static>);

/// Waits for a screen; none where there is no chromedriver.
pub(super) async fn screen() -> Option<Screen> {
    if Command::new("chromedriver").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        eprintln!("SKIPPED: chromedriver is not installed");
        return None;
    }
    Some(Screen(SCREENS.acquire().await.unwrap()))
}

/// A browser with a fresh profile.
pub(super) struct Browser {
    driver: Child,
    address: String,
    session: String,
    profile: tempfile::TempDir,
    client: Client,
}

impl Browser {
    pub(super) async fn new(_: &Screen) -> Browser {
        Browser::like(Wish { scripts: true }).await
    }

    pub(super) async fn without_scripts(_: &Screen) -> Browser {
        Browser::like(Wish { scripts: false }).await
    }

    async fn like(wish: Wish) -> Browser {
        let mut driver =
            Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines();
        let port: u16 = loop {
            let line = lines.next().expect("chromedriver says where it is").unwrap();
            if let Some((_, port)) = line.split_once("started successfully on port ") {
                break port.trim_end_matches('.').parse().unwrap();
            }
        };
        std::thread::spawn(move || lines.for_each(drop));
        let address = format!("http://127.0.0.1:{port}");
        let profile = tempfile::tempdir().unwrap();
        let folder = profile.path().display();
        let mut options = json!({"args": [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
            "--window-size=1280,1100", format!("--user-data-dir={folder}"),
        ]});
        if !wish.scripts {
            options["prefs"] = json!({"profile.managed_default_content_settings.javascript": 2});
        }
        // A script may wait for as long as anything may.
        let wanted = json!({"timeouts": {"script": PATIENCE.as_millis() as u64}, "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}});
        let wanted = wanted.as_object().unwrap().clone();
        let client = ClientBuilder::new(HttpConnector::new()).capabilities(wanted).connect(&address).await.unwrap();
        let session = client.session_id().await.unwrap().unwrap();
        Browser { driver, address, session, profile, client }
    }

    /// Asks chromedriver for what WebDriver itself does not have.
    async fn chrome(&self, path: &str, body: Value) -> Value {
        let path = format!("{}/session/{}/{path}", self.address, self.session);
        let answer: Value = reqwest::Client::new().post(path).json(&body).send().await.unwrap().json().await.unwrap();
        answer["value"].clone()
    }

    async fn devtools(&self, command: &str, with: Value) -> Value {
        self.chrome("goog/cdp/execute", json!({"cmd": command, "params": with})).await
    }

    /// A window of this width, as on a phone or on a desk.
    pub(super) async fn width(&self, width: u32) {
        self.size(width, if width < 600 { 844 } else { 1000 }).await;
    }

    /// A window of this width and height.
    pub(super) async fn size(&self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.devtools("Emulation.setDeviceMetricsOverride", size).await;
    }

    /// The scheme that the system asks for: `light` or `dark`.
    pub(super) async fn scheme(&self, scheme: &str) {
        self.wish("prefers-color-scheme", scheme).await;
    }

    /// What the system asks for, as `prefers-reduced-motion: reduce`.
    pub(super) async fn wish(&self, name: &str, value: &str) {
        self.devtools("Emulation.setEmulatedMedia", json!({"features": [{"name": name, "value": value}]})).await;
    }

    /// Forgets every file that was fetched.
    pub(super) async fn forget_files(&self) {
        self.devtools("Network.clearBrowserCache", json!({})).await;
    }

    /// Forgets who sat where.
    pub(super) async fn forget(&self) {
        self.devtools("Network.clearBrowserCookies", json!({})).await;
    }

    /// What the console has said since it was asked last, each with its level.
    pub(super) async fn console(&self) -> Vec<String> {
        let lines = self.chrome("se/log", json!({"type": "browser"})).await;
        let line = |line: &Value| format!("{}: {}", line["level"].as_str().unwrap(), line["message"].as_str().unwrap());
        lines.as_array().unwrap().iter().map(line).collect()
    }

    pub(super) async fn open(&self, address: &str) {
        self.client.goto(address).await.unwrap();
    }

    /// A picture of the page as far down as it goes, within reason.
    pub(super) async fn whole_picture(&self) -> Vec<u8> {
        let size = self.ask("return [innerWidth, document.documentElement.scrollHeight]").await;
        let height = size[1].as_u64().unwrap().min(4000);
        let asked = json!({"captureBeyondViewport": true, "optimizeForSpeed": true,
            "clip": {"x": 0, "y": 0, "width": size[0], "height": height, "scale": 1}});
        let picture = self.devtools("Page.captureScreenshot", asked).await;
        BASE64_STANDARD.decode(picture["data"].as_str().unwrap()).unwrap()
    }

    /// A picture of the upper part of the page, small enough to be kept.
    pub(super) async fn small_picture(&self, width: u32, height: u32) -> Vec<u8> {
        let asked = json!({"format": "webp", "quality": 80, "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}});
        let picture = self.devtools("Page.captureScreenshot", asked).await;
        BASE64_STANDARD.decode(picture["data"].as_str().unwrap()).unwrap()
    }

    /// What a script's `return` gives; promises are waited for.
    pub(super) async fn ask(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap_or_else(|wrong| panic!("{script:.200}: {wrong}"))
    }

    /// Waits until a script's expression holds.
    pub(super) async fn until(&self, expression: &str) {
        let began = Instant::now();
        while self.ask(&format!("return !!({expression})")).await != Value::Bool(true) {
            if began.elapsed() > PATIENCE {
                let page = self.ask("return document.querySelector('main')?.innerText").await;
                panic!("still not {expression}; the page says {page}; the console says {:?}", self.console().await);
            }
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
    }

    /// Waits until the page shows the game after so many steps, and nothing moves any more.
    pub(super) async fn step(&self, ply: usize) {
        self.until(&format!(
            "document.getElementById('game')?.dataset.ply === '{ply}' && document.getAnimations().length === 0"
        ))
        .await;
    }

    /// Presses an element without knowing of scripts, and waits until the page that follows shows another element.
    pub(super) async fn press(&self, selector: &str, then: &str) {
        self.client.find(Locator::Css(selector)).await.unwrap().click().await.unwrap();
        self.client.wait().at_most(PATIENCE).for_element(Locator::Css(then)).await.unwrap();
    }

    /// The middle of a square, after it has been brought into view.
    async fn square(&self, name: &str) -> (f64, f64) {
        self.middle(&format!("td[data-square={name}]")).await
    }

    /// The middle of an element, after it has been brought into view.
    async fn middle(&self, selector: &str) -> (f64, f64) {
        let middle = self
            .ask(&format!(
                "const square = document.querySelector('{selector}');
                 square.scrollIntoView({{block: 'nearest', behavior: 'instant'}});
                 const box = square.getBoundingClientRect();
                 return [box.x + box.width / 2, box.y + box.height / 2];"
            ))
            .await;
        (middle[0].as_f64().unwrap().floor(), middle[1].as_f64().unwrap().floor())
    }

    /// Drags a unit with the mouse.
    pub(super) async fn drag(&self, from: &str, to: &str) {
        self.lift(from, to).await;
        self.let_go().await;
    }

    /// Takes a unit up with the mouse and holds it over another square.
    pub(super) async fn lift(&self, from: &str, over: &str) {
        self.lift_from(&format!("td[data-square={from}]"), over).await;
    }

    async fn lift_from(&self, selector: &str, over: &str) {
        // What brings the one into view may move the other.
        self.middle(selector).await;
        let (u, v) = self.square(over).await;
        let (x, y) = self.middle(selector).await;
        let move_to = |x: f64, y: f64| PointerAction::MoveTo { duration: Some(Duration::from_millis(40)), x, y };
        let gesture = MouseActions::new("mouse".to_owned())
            .then(move_to(x, y))
            .then(PointerAction::Down { button: 0 })
            .then(move_to((x + u) / 2.0, (y + v) / 2.0))
            .then(move_to(u, v));
        self.client.perform_actions(gesture).await.unwrap();
    }

    /// Drags what an element beside the board holds onto the board.
    pub(super) async fn drag_from(&self, selector: &str, to: &str) {
        self.lift_from(selector, to).await;
        self.let_go().await;
    }

    /// Lets go of the mouse.
    pub(super) async fn let_go(&self) {
        let gesture = MouseActions::new("mouse".to_owned()).then(PointerAction::Up { button: 0 });
        self.client.perform_actions(gesture).await.unwrap();
    }

    /// Draws with the other button of the mouse.
    pub(super) async fn draw(&self, from: &str, to: &str) {
        let (x, y) = self.square(from).await;
        let (u, v) = self.square(to).await;
        let move_to = |x: f64, y: f64| PointerAction::MoveTo { duration: None, x, y };
        let gesture = MouseActions::new("mouse".to_owned())
            .then(move_to(x, y))
            .then(PointerAction::Down { button: 2 })
            .then(move_to(u, v))
            .then(PointerAction::Up { button: 2 });
        self.client.perform_actions(gesture).await.unwrap();
    }

    /// Taps a square with a finger.
    pub(super) async fn tap(&self, name: &str) {
        let (x, y) = self.square(name).await;
        let gesture = TouchActions::new("finger".to_owned())
            .then(PointerAction::MoveTo { duration: None, x, y })
            .then(PointerAction::Down { button: 0 })
            .then(PointerAction::Up { button: 0 });
        self.client.perform_actions(gesture).await.unwrap();
    }

    /// Strikes keys, one after the other.
    pub(super) async fn keys(&self, keys: impl IntoIterator<Item = char>) {
        let mut strokes = KeyActions::new("keys".to_owned());
        for value in keys {
            strokes = strokes.then(KeyAction::Down { value }).then(KeyAction::Up { value });
        }
        self.client.perform_actions(strokes).await.unwrap();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Ending the session ends the browser; ending chromedriver alone would leave it behind.
        if let Ok(mut driver) = TcpStream::connect(self.address.trim_start_matches("http://")) {
            let _ = driver.set_read_timeout(Some(Duration::from_secs(10)));
            let _ = write!(
                driver,
                "DELETE /session/{} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
                self.session
            );
            // It answers when the browser has ended, and then keeps the connection.
            let _ = driver.read(&mut [0; 1024]);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(self.profile.path());
    }
}
