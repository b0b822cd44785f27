//! Compression of responses. It takes longer than most handlers, so long responses of known length are compressed on a blocking thread.

use std::sync::Arc;

use axum::{
    body::{HttpBody, to_bytes},
    extract::{Request, State},
    http::{Extensions, HeaderMap},
    middleware::Next,
    response::{IntoResponse, Response},
};
use tokio::{runtime::Handle, task::spawn_blocking};
use tower_http::compression::{
    CompressionLayer,
    predicate::{DefaultPredicate, NotForContentType, Predicate},
};

use super::{App, Error, endgames};
use crate::play::requester;

/// Length in bytes above which a blocking thread compresses the response.
const SHORT: u64 = 4 << 10;

/// Length of a response in bytes before compression.
#[derive(Clone, Copy)]
struct Length(u64);

/// Layer that compresses responses. It skips event streams and NDJSON, which must not be buffered, files sent as they are on disk, and the
/// types that tower-http skips by default.
pub(super) fn layer() -> CompressionLayer<impl Predicate> {
    CompressionLayer::new().compress_when(
        DefaultPredicate::new()
            .and(NotForContentType::const_new("text/event-stream"))
            .and(NotForContentType::const_new("application/x-ndjson"))
            .and(|_, _, _: &HeaderMap, extensions: &Extensions| {
                extensions.get::<endgames::downloads::Uncompressed>().is_none()
            }),
    )
}

/// Records the length of a response before [`layer`] compresses it.
pub(super) async fn note_length(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if let Some(length) = response.body().size_hint().exact() {
        response.extensions_mut().insert(Length(length));
    }
    response
}

/// Runs the compression by [`layer`] on a blocking thread, and charges the CPU time to the client.
pub(super) async fn compress_off_thread(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let compressed = response.body().size_hint().exact().is_none();
    if !compressed || response.extensions().get().is_none_or(|Length(length)| *length <= SHORT) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let mut meter = requester().map(|from| app.play.budget().meter(from));
    let work = spawn_blocking(move || {
        let work = || Handle::current().block_on(to_bytes(body, usize::MAX));
        match &mut meter {
            Some(meter) => meter.run(work),
            None => work(),
        }
    });
    match work.await.map_err(Error::broken).and_then(|body| body.map_err(Error::broken)) {
        Ok(body) => Response::from_parts(parts, body.into()),
        Err(error) => error.into_response(),
    }
}
