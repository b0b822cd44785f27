//! The log of a process.

use std::io;
use tracing_subscriber::{
    Layer,
    filter::{FilterExt, LevelFilter, Targets, filter_fn},
    layer::SubscriberExt,
    util::SubscriberInitExt,
};
use zorkmid::web;

/// Writes what happens to the standard error, a line of JSON each.
pub(crate) fn tell() {
    let asked = std::env::var("RUST_LOG").ok().and_then(|levels| levels.parse::<Targets>().ok());
    let filter = asked.unwrap_or_else(|| {
        Targets::new().with_default(LevelFilter::INFO).with_target("memory_serve", LevelFilter::WARN)
    });
    let lines =
        tracing_subscriber::fmt::layer().json().flatten_event(true).with_span_list(false).with_writer(io::stderr);
    tracing_subscriber::registry().with(lines.with_filter(filter.and(filter_fn(web::discreet)))).init();
    std::panic::set_hook(Box::new(web::tell_panic));
}
