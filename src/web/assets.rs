//! The files of `static/`, inside the binary. Pages link to them by addresses that hold a hash of their contents, so a
//! browser may keep them for ever.

use axum::Router;
use memory_serve::Manifest;
use std::sync::LazyLock;

/// Where the files stand.
pub(super) const PREFIX: &str = "/static";

struct Files {
    router: Router,
    manifest: Manifest,
}

// Built once: the library keeps the unpacked files for the life of the process.
static FILES: LazyLock<Files> = LazyLock::new(|| {
    let files = memory_serve::load!()
        .index_file(None)
        .enable_brotli(true)
        .enable_gzip(true)
        .enable_hashed_routes(true)
        .cache_control(memory_serve::CacheControl::NoCache);
    Files { manifest: files.manifest(), router: files.into_router() }
});

/// The files' routes, to be nested at [`PREFIX`].
pub(super) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    FILES.router.clone().with_state(())
}

/// The hashed address of a file of `static/`, for templates: `{{ crate::web::asset("style.css") }}`.
/// A file that is not there gets an address that is not there either; a test follows every one.
pub fn asset(name: &str) -> String {
    let plain = format!("/{name}");
    format!("{PREFIX}{}", FILES.manifest.get(&plain).unwrap_or(&plain))
}
