//! The files of `static/`, embedded in the binary. The name of their folder is a hash of all files, so browsers can cache them
//! forever.

use axum::Router;
use memory_serve::MemoryServe;
use std::sync::LazyLock;

/// Path of the folder of static files.
pub(super) const FOLDER: &str = concat!("/static/", env!("STATIC_VERSION"));

// Built only once, because the library never frees the unpacked files.
static FILES: LazyLock<Router> = LazyLock::new(|| {
    MemoryServe::new(include!(concat!(env!("OUT_DIR"), "/assets.rs")))
        .index_file(None)
        .enable_brotli(true)
        .enable_gzip(true)
        .cache_control(memory_serve::CacheControl::Long)
        .into_router()
});

/// Routes of the files, to be nested at [`FOLDER`].
pub(super) fn router<S: Clone + Send + Sync + 'static>() -> Router<S> {
    FILES.clone().with_state(())
}

/// Path of a file in `static/`, for templates: `{{ crate::web::asset("style.css") }}`.
/// It does not check that the file exists; a test requests every such path.
pub fn asset(name: &str) -> String {
    format!("{FOLDER}/{name}")
}
