//! The log has a line for every request, and no line has what only the client should know.

use super::*;
use std::{
    io::{self, Write},
    sync::Mutex,
};
use tracing_subscriber::{Layer, filter::filter_fn, fmt::MakeWriter, layer::SubscriberExt};

#[derive(Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Page {
    type Writer = Page;
    fn make_writer(&'a self) -> Page {
        self.clone()
    }
}

#[tokio::test]
async fn addresses_and_codes_stay_out_of_the_log() {
    let page = Page::default();
    // Everything that the site's own filter lets through, at the most talkative level.
    let lines = tracing_subscriber::fmt::layer().json().flatten_event(true).with_writer(page.clone());
    let subscriber = tracing_subscriber::registry().with(lines.with_filter(filter_fn(zorkmid::web::discreet)));
    // As long as there is only one subscriber, a place that speaks first in another test's thread is silenced for all: its
    // interest is asked of that thread's subscriber alone.
    let _second = tracing::Dispatch::new(tracing_subscriber::registry());
    let guard = tracing::subscriber::set_default(subscriber);
    let site = site();
    let code = get(&site, "/api/bookie").await.json()["code"].as_str().unwrap().to_owned();
    let mut numbers = Vec::new();
    for path in [
        format!("/bookie/{code}?first=black"),
        format!("/bookie/{code}/reveal"),
        format!("/api/bookie/{code}?reveal=1"),
        format!("/bookie/{}", &code[1..]),
        format!("/api/bookie/A{code}"),
        format!("/nowhere/{code}"),
    ] {
        let mut request = request(Method::GET, &path);
        request.headers_mut().insert("x-request-id", code.parse().unwrap());
        request.headers_mut().insert("authorization", format!("Bearer {code}").parse().unwrap());
        numbers.push(ask(&site, request).await.header("x-request-id").to_owned());
    }
    drop(guard);
    let text = String::from_utf8(page.0.lock().unwrap().clone()).unwrap();
    assert!(!text.contains(&code[1..]) && !text.contains("first=black"), "{text}");
    for number in numbers {
        let line = text.lines().find(|line| line.contains(&number)).expect("a line for every request");
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        for field in ["method", "route", "status", "micros", "id", "level"] {
            assert!(!line[field].is_null(), "{field} in {line}");
        }
    }
    for route in ["/bookie/{code}", "/bookie/{code}/reveal", "/api/bookie/{code}", "none"] {
        assert!(text.contains(&format!("\"route\":\"{route}\"")), "{route}");
    }
}
