//! The files of `static/`, inside the binary. They stand in one folder whose name is a hash of them all, so a browser may keep them
//! for ever, and scripts may name each other by relative addresses.

use axum::Router;
use memory_serve::MemoryServe;
use std::sync::LazyLock;

/// Where the files stand.
pub(super) const FOLDER: &str = concat!("/static/", env!("STATIC_VERSION"));

/// Every script with all the modules that it needs, itself first.
static MODULES: &[(&str, &[&str])] = include!(concat!(env!("OUT_DIR"), "/modules.rs"));

// Built once: the library keeps the unpacked files for the life of the process.
static FILES: LazyLock<Router> = LazyLock::new(|| {
    MemoryServe::new(include!(concat!(env!("OUT_DIR"), "/assets.rs")))
        .index_file(None)
        .enable_brotli(true)
        .enable_gzip(true)
        .cache_control(memory_serve::CacheControl::Long)
        .into_router()
});

/// The files' routes, to be nested at [`FOLDER`].
pub(super) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    FILES.clone().with_state(())
}

/// The address of a file of `static/`, for templates: `{{ crate::web::asset("style.css") }}`.
/// A file that is not there gets an address that is not there either; a test follows every one.
pub fn asset(name: &str) -> String {
    format!("{FOLDER}/{name}")
}

/// The addresses of all modules that a script of `static/` needs, itself first, for templates that load it.
pub fn modules(script: &str) -> impl Iterator<Item = String> {
    let needed = MODULES.iter().find(|(name, _)| *name == script).map_or(&[][..], |(_, needed)| needed);
    needed.iter().map(|name| asset(name))
}
