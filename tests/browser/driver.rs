//! A browser for one test: chromedriver on a free port, a temporary profile, and the gestures that the tests need. Both programs end
//! with the test, however it ends.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use base64::prelude::{BASE64_STANDARD, Engine};
use reqwest::Client;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, SemaphorePermit};

use super::{PATIENCE, tools};

/// Number of tests that drive browsers at the same time, limited because processors are few.
static SCREENS: Semaphore = Semaphore::const_new(2);

/// Settings of a browser.
#[derive(Clone, Copy)]
pub(super) struct Wish {
    /// Whether scripts run.
    pub(super) scripts: bool,
}

/// A permit to open browsers.
pub(super) struct Screen(#[allow(dead_code, reason = "held, not read")] SemaphorePermit<'static>);

/// Waits for a permit; `None` without chromedriver.
pub(super) async fn screen() -> Option<Screen> {
    if Command::new("chromedriver").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        return tools::missing("chromedriver is not installed");
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

/// A running driver and its port; `None` if it exited at once.
fn chromedriver() -> Option<(Child, u16)> {
    let mut driver =
        Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut lines = BufReader::new(driver.stdout.take().unwrap()).lines().map_while(Result::ok);
    let told = lines.find_map(|line| {
        let (_, port) = line.split_once("started successfully on port ")?;
        port.trim_end_matches('.').parse().ok()
    });
    if told.is_none() {
        driver.wait().unwrap();
    }
    std::thread::spawn(move || lines.for_each(drop));
    told.map(|port| (driver, port))
}

impl Browser {
    pub(super) async fn new(_: &Screen) -> Browser {
        Browser::like(Wish { scripts: true }).await
    }

    pub(super) async fn without_scripts(_: &Screen) -> Browser {
        Browser::like(Wish { scripts: false }).await
    }

    async fn like(wish: Wish) -> Browser {
        // chromedriver takes a free IPv4 port, and exits if another process has the same IPv6 port.
        let (driver, port) = (0..5).find_map(|_| chromedriver()).expect("chromedriver prints its port");
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
        // Scripts get the same deadline as everything else.
        let wanted = json!({"timeouts": {"script": PATIENCE.as_millis() as u64}, "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}});
        let client = Client::new();
        let asked = json!({"capabilities": {"alwaysMatch": wanted}});
        let begun = answered(client.post(format!("{address}/session")).json(&asked)).await.unwrap();
        let session = begun["sessionId"].as_str().unwrap().to_owned();
        let browser = Browser { driver, address, session, profile, client };
        if std::env::var_os("ZORKMID_SLOW").is_some() {
            browser.slow(150).await;
        }
        browser
    }

    /// Sends a command of WebDriver or of chromedriver.
    async fn command(&self, path: &str, body: Value) -> Result<Value, Value> {
        answered(self.client.post(format!("{}/session/{}/{path}", self.address, self.session)).json(&body)).await
    }

    pub(super) async fn devtools(&self, command: &str, with: Value) -> Value {
        self.command("goog/cdp/execute", json!({"cmd": command, "params": with})).await.unwrap()
    }

    /// Sets the width of the window, as on a phone or on a desktop.
    pub(super) async fn width(&self, width: u32) {
        self.size(width, if width < 600 { 844 } else { 1000 }).await;
    }

    /// Sets the width and height of the window. A window as low as a phone on its side has a touch screen.
    pub(super) async fn size(&self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.devtools("Emulation.setDeviceMetricsOverride", size).await;
        self.devtools("Emulation.setTouchEmulationEnabled", json!({"enabled": height < 400})).await;
    }

    /// Sets the window of a desktop to 1280 × 900 pixels, with the page enlarged by a factor.
    pub(super) async fn zoom(&self, factor: u32) {
        let size =
            json!({"width": 1280 / factor, "height": 900 / factor, "deviceScaleFactor": factor, "mobile": false});
        self.devtools("Emulation.setDeviceMetricsOverride", size).await;
        self.devtools("Emulation.setTouchEmulationEnabled", json!({"enabled": false})).await;
    }

    /// Sets the system's preferred colour scheme: `light` or `dark`.
    pub(super) async fn scheme(&self, scheme: &str) {
        self.wish("prefers-color-scheme", scheme).await;
    }

    /// Sets a preference of the system, such as `prefers-reduced-motion: reduce`.
    pub(super) async fn wish(&self, name: &str, value: &str) {
        self.devtools("Emulation.setEmulatedMedia", json!({"features": [{"name": name, "value": value}]})).await;
    }

    /// Sets the medium: `print`, or empty for the screen.
    pub(super) async fn medium(&self, medium: &str) {
        self.devtools("Emulation.setEmulatedMedia", json!({"media": medium})).await;
    }

    /// Number of printed sheets on paper of a width and height in millimetres, with the browser's default margins.
    pub(super) async fn sheets(&self, (width, height): (f64, f64)) -> usize {
        let paper = json!({"paperWidth": width / 25.4, "paperHeight": height / 25.4});
        let printed = self.devtools("Page.printToPDF", paper).await;
        let printed = BASE64_STANDARD.decode(printed["data"].as_str().unwrap()).unwrap();
        // Each page is a separate object; `/Pages` is their list.
        printed.windows(12).filter(|part| part.starts_with(b"/Type /Page") && !part.ends_with(b"s")).count()
    }

    /// Simulates a slow connection with a latency in milliseconds, and a processor a quarter as fast.
    pub(super) async fn slow(&self, latency: u32) {
        self.line(false, latency).await;
        self.devtools("Emulation.setCPUThrottlingRate", json!({"rate": 4})).await;
    }

    /// Cuts or restores the connection.
    pub(super) async fn offline(&self, cut: bool) {
        self.line(cut, 0).await;
    }

    async fn line(&self, offline: bool, latency: u32) {
        self.devtools("Network.enable", json!({})).await;
        let line = json!({"offline": offline, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1});
        self.devtools("Network.emulateNetworkConditions", line).await;
    }

    /// Scrolls the mouse wheel over a square, down by a number of pixels.
    pub(super) async fn wheel(&self, square: &str, by: i32) {
        let (x, y) = self.square(square).await;
        let turn = json!({"type": "scroll", "x": x as i64, "y": y as i64, "deltaX": 0, "deltaY": by, "duration": 0});
        let wheel = json!({"type": "wheel", "id": "wheel", "actions": [turn]});
        self.command("actions", json!({"actions": [wheel]})).await.unwrap();
    }

    /// Clears the cache.
    pub(super) async fn forget_files(&self) {
        self.devtools("Network.clearBrowserCache", json!({})).await;
    }

    /// Clears the cookies.
    pub(super) async fn forget(&self) {
        self.devtools("Network.clearBrowserCookies", json!({})).await;
    }

    /// Console messages since the last call, each with its level.
    pub(super) async fn console(&self) -> Vec<String> {
        let lines = self.command("se/log", json!({"type": "browser"})).await.unwrap();
        let line = |line: &Value| format!("{}: {}", line["level"].as_str().unwrap(), line["message"].as_str().unwrap());
        lines.as_array().unwrap().iter().map(line).collect()
    }

    pub(super) async fn open(&self, address: &str) {
        self.command("url", json!({"url": address})).await.unwrap();
    }

    /// Screenshot of the whole page, up to a maximum height.
    pub(super) async fn whole_picture(&self) -> Vec<u8> {
        let size = self.ask("return [innerWidth, document.documentElement.scrollHeight]").await;
        let height = size[1].as_u64().unwrap().min(4000);
        let asked = json!({"captureBeyondViewport": true, "optimizeForSpeed": true,
            "clip": {"x": 0, "y": 0, "width": size[0], "height": height, "scale": 1}});
        let picture = self.devtools("Page.captureScreenshot", asked).await;
        BASE64_STANDARD.decode(picture["data"].as_str().unwrap()).unwrap()
    }

    /// Screenshot of the upper part of the page, small enough for the repository.
    pub(super) async fn small_picture(&self, width: u32, height: u32) -> Vec<u8> {
        let asked = json!({"format": "webp", "quality": 80, "clip": {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}});
        let picture = self.devtools("Page.captureScreenshot", asked).await;
        BASE64_STANDARD.decode(picture["data"].as_str().unwrap()).unwrap()
    }

    /// Runs a script and returns its result, after awaiting a promise.
    pub(super) async fn ask(&self, script: &str) -> Value {
        let asked = json!({"script": script, "args": []});
        self.command("execute/sync", asked).await.unwrap_or_else(|wrong| panic!("{script:.200}: {wrong}"))
    }

    /// Waits until an expression is true.
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

    /// Waits until the page shows the game after a number of steps, and all animations have ended.
    pub(super) async fn step(&self, ply: usize) {
        self.until(&format!(
            "document.getElementById('game')?.dataset.ply === '{ply}' && document.getAnimations().length === 0"
        ))
        .await;
    }

    /// Clicks an element without scripts, and waits until the next page shows another element. An element of the old page does not
    /// count.
    pub(super) async fn press(&self, selector: &str, then: &str) {
        let before = self.find(then).await.ok();
        let element = self.find(selector).await.unwrap();
        self.command(&format!("element/{element}/click"), json!({})).await.unwrap();
        let began = Instant::now();
        loop {
            let found = self.find(then).await;
            if found.as_ref().is_ok_and(|found| Some(found) != before.as_ref()) {
                return;
            }
            assert!(began.elapsed() < PATIENCE, "still no new {then}: {found:?}");
            tokio::time::sleep(Duration::from_millis(40)).await;
        }
    }

    /// WebDriver's id of the first element that matches a selector.
    async fn find(&self, selector: &str) -> Result<String, Value> {
        let found = self.command("element", json!({"using": "css selector", "value": selector})).await?;
        Ok(found[ELEMENT].as_str().unwrap().to_owned())
    }

    /// Centre of a square, after scrolling it into view.
    async fn square(&self, name: &str) -> (f64, f64) {
        self.middle(&format!("td[data-square={name}]")).await
    }

    /// Centre of an element, after scrolling it into view.
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

    /// Drags a piece with the mouse.
    pub(super) async fn drag(&self, from: &str, to: &str) {
        self.lift(from, to).await;
        self.let_go().await;
    }

    /// Drags a piece over another square, without releasing the button.
    pub(super) async fn lift(&self, from: &str, over: &str) {
        self.lift_from(&format!("td[data-square={from}]"), over).await;
    }

    async fn lift_from(&self, selector: &str, over: &str) {
        // Scrolling one into view may move the other.
        self.middle(selector).await;
        let (u, v) = self.square(over).await;
        let (x, y) = self.middle(selector).await;
        self.gesture("mouse", vec![glide(x, y), button("Down", 0), glide((x + u) / 2.0, (y + v) / 2.0), glide(u, v)])
            .await;
    }

    /// Drags a piece from an element off the board onto the board.
    pub(super) async fn drag_from(&self, selector: &str, to: &str) {
        self.lift_from(selector, to).await;
        self.let_go().await;
    }

    /// Drags a piece off the board with the mouse.
    pub(super) async fn drag_off(&self, from: &str) {
        self.lift(from, from).await;
        self.gesture("mouse", vec![glide(2.0, 2.0), button("Up", 0)]).await;
    }

    /// Releases the mouse button.
    pub(super) async fn let_go(&self) {
        self.gesture("mouse", vec![button("Up", 0)]).await;
    }

    /// Draws with the right mouse button.
    pub(super) async fn draw(&self, from: &str, to: &str) {
        let (x, y) = self.square(from).await;
        let (u, v) = self.square(to).await;
        self.gesture("mouse", vec![glide(x, y), button("Down", 2), glide(u, v), button("Up", 2)]).await;
    }

    /// Moves the mouse over a square.
    pub(super) async fn hover(&self, name: &str) {
        let (x, y) = self.square(name).await;
        self.gesture("mouse", vec![glide(x, y)]).await;
    }

    /// Taps a square.
    pub(super) async fn tap(&self, name: &str) {
        let (x, y) = self.square(name).await;
        self.gesture("touch", vec![glide(x, y), button("Down", 0), button("Up", 0)]).await;
    }

    /// Draws a finger from one square to another.
    pub(super) async fn swipe(&self, from: &str, to: &str) {
        let ((x, y), (u, v)) = (self.square(from).await, self.square(to).await);
        let way =
            vec![glide(x, y), button("Down", 0), glide((x + u) / 2.0, (y + v) / 2.0), glide(u, v), button("Up", 0)];
        self.gesture("touch", way).await;
    }

    /// Touches the first element that matches a selector without scrolling. Returns whether the whole element was in the window, and
    /// otherwise touches nothing.
    pub(super) async fn touch(&self, selector: &str) -> bool {
        let script = format!(
            "const box = document.querySelector(`{selector}`).getBoundingClientRect();
             const seen = box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
             return [seen, Math.floor(box.x + box.width / 2), Math.floor(box.y + box.height / 2)];"
        );
        let place = self.ask(&script).await;
        if place[0] == true {
            let (x, y) = (place[1].as_f64().unwrap(), place[2].as_f64().unwrap());
            self.gesture("touch", vec![glide(x, y), button("Down", 0), button("Up", 0)]).await;
        }
        place[0] == true
    }

    /// Presses keys one after the other.
    pub(super) async fn keys(&self, keys: impl IntoIterator<Item = char>) {
        let strokes =
            keys.into_iter().flat_map(|key| ["keyDown", "keyUp"].map(|what| json!({"type": what, "value": key})));
        let strokes: Vec<Value> = strokes.collect();
        let keys = json!({"type": "key", "id": "keys", "actions": strokes});
        self.command("actions", json!({"actions": [keys]})).await.unwrap();
    }

    /// Performs a sequence of mouse or touch actions.
    async fn gesture(&self, pointer: &str, parts: Vec<Value>) {
        let parameters = json!({"pointerType": pointer});
        let pointer = json!({"type": "pointer", "id": pointer, "parameters": parameters, "actions": parts});
        self.command("actions", json!({"actions": [pointer]})).await.unwrap();
    }
}

/// Key of an element's id in WebDriver's answers.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Moves a pointer to a place in the window.
fn glide(x: f64, y: f64) -> Value {
    json!({"type": "pointerMove", "duration": 40, "x": x, "y": y})
}

/// Presses (`Down`) or releases (`Up`) a pointer's button.
fn button(way: &str, button: u8) -> Value {
    json!({"type": format!("pointer{way}"), "button": button})
}

/// The value of WebDriver's answer, or its error.
async fn answered(request: reqwest::RequestBuilder) -> Result<Value, Value> {
    let answer = request.send().await.unwrap();
    let fine = answer.status().is_success();
    let value = answer.json::<Value>().await.unwrap()["value"].take();
    if fine { Ok(value) } else { Err(value) }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Ends the session first, because killing chromedriver alone would leave the browser running.
        if let Ok(mut driver) = TcpStream::connect(self.address.trim_start_matches("http://")) {
            let _ = driver.set_read_timeout(Some(Duration::from_secs(10)));
            let _ = write!(
                driver,
                "DELETE /session/{} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
                self.session
            );
            // chromedriver answers once the browser has ended, and keeps the connection open.
            let _ = driver.read(&mut [0; 1024]);
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
        let _ = std::fs::remove_dir_all(self.profile.path());
    }
}
