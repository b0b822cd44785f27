//! Compression of answers. It takes longer than most handlers, so an answer that is there as a whole is compressed on a blocking thread.

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

/// Length of an answer in bytes above which another thread compresses it.
const SHORT: u64 = 4 << 10;

/// Length in bytes of an answer before it was compressed.
#[derive(Clone, Copy)]
struct Length(u64);

/// Compresses all but streams, which must not wait for more, files that are as they are on the disk, and what tower-http leaves alone by itself.
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

/// Notes the length of an answer before [`layer`] compresses it.
pub(super) async fn note_length(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if let Some(length) = response.body().size_hint().exact() {
        response.extensions_mut().insert(Length(length));
    }
    response
}

/// Waits for what [`layer`] compresses on another thread, and charges its time to the client.
pub(super) async fn elsewhere(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
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
