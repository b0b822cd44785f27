//! Entity tags and compression of responses. Compression takes longer than most handlers, so long responses of known length are compressed
//! on a blocking thread. Public ones are kept compressed with brotli, and the others get a fast gzip for each reader.

use super::{App, Error, cache_policy, endgames};
use crate::play::requester;
use axum::{
    body::{Bytes, HttpBody, to_bytes},
    extract::{Request, State},
    http::{Extensions, HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use quick_cache::{Weighter, sync::Cache};
use std::sync::Arc;
use tokio::{runtime::Handle, task::spawn_blocking};
use tower_http::{
    CompressionLevel,
    compression::{
        CompressionLayer,
        predicate::{DefaultPredicate, NotForContentType, Predicate},
    },
};

/// Length in bytes above which a blocking thread compresses the response.
const SHORT: u64 = 4 << 10;
/// Capacity of the cache of compressed bodies, in bytes.
const KEPT_BYTES: u64 = 16 << 20;
/// Usual size of a compressed body, in bytes.
const USUAL_BYTES: u64 = 8 << 10;
/// Level of gzip for responses that are not kept. A page of csipgs Chess of 42 KB takes 0.6 ms and becomes 4.9 KB. Level 4 takes 0.3 ms for
/// 5.2 KB, brotli 2.2 ms for 4.9 KB at level 4 and 0.5 ms for 9.5 KB at level 1.
const FAST_GZIP: CompressionLevel = CompressionLevel::Precise(6);
/// Cache policy of pages without secrets: ask again each time.
const REVALIDATE: HeaderValue = HeaderValue::from_static("no-cache");

/// Length of a response in bytes before compression.
#[derive(Clone, Copy)]
struct Length(u64);

/// Digest of a public body before compression. Unlike an entity tag, which is only unique for its address, it identifies the body.
#[derive(Clone)]
struct BodyDigest(HeaderValue);

/// Compressed bodies of public responses, by the digest of the body and the encoding.
pub(super) struct CompressedBodies(Cache<[HeaderValue; 2], Bytes, ByLength>);

#[derive(Clone)]
struct ByLength;

impl Weighter<[HeaderValue; 2], Bytes> for ByLength {
    fn weight(&self, _: &[HeaderValue; 2], body: &Bytes) -> u64 {
        body.len().max(1) as u64
    }
}

impl Default for CompressedBodies {
    fn default() -> Self {
        CompressedBodies(Cache::with_weighter((KEPT_BYTES / USUAL_BYTES) as usize, KEPT_BYTES, ByLength))
    }
}

/// A public body that is the same for all viewers while the server runs. It is rendered and tagged once. Not for HTML, which themes change.
#[derive(Clone)]
pub(super) struct ConstantBody {
    media_type: &'static str,
    body: Bytes,
    digest: BodyDigest,
}

impl ConstantBody {
    pub(super) fn new(media_type: &'static str, body: impl Into<Bytes>) -> ConstantBody {
        let body = body.into();
        ConstantBody { media_type, digest: BodyDigest(cache_policy::tag(&[&body])), body }
    }
}

impl IntoResponse for ConstantBody {
    fn into_response(self) -> Response {
        let mut response = ([(header::CONTENT_TYPE, self.media_type)], self.body).into_response();
        response.extensions_mut().insert(self.digest);
        response
    }
}

/// Responses to compress. Event streams and NDJSON must not be buffered, and some files are sent as they are on disk.
fn compressible() -> impl Predicate {
    DefaultPredicate::new()
        .and(NotForContentType::const_new("text/event-stream"))
        .and(NotForContentType::const_new("application/x-ndjson"))
        .and(|_, _, _: &HeaderMap, extensions: &Extensions| {
            extensions.get::<endgames::downloads::Uncompressed>().is_none()
        })
}

/// Layer that compresses public responses, which [`compress_off_thread`] keeps.
pub(super) fn public_layer() -> CompressionLayer<impl Predicate> {
    let is_public = |_, _, _: &HeaderMap, extensions: &Extensions| extensions.get::<BodyDigest>().is_some();
    CompressionLayer::new().compress_when(compressible().and(is_public))
}

/// Layer that compresses all other responses, each for one reader.
pub(super) fn private_layer() -> CompressionLayer<impl Predicate> {
    CompressionLayer::new().no_br().quality(FAST_GZIP).compress_when(compressible())
}

/// Tags a successful response to GET that has no cache policy, and returns 304 if the client has it. Records the length of the response
/// before it is compressed.
pub(super) async fn tag_response(request: Request, next: Next) -> Response {
    let get = request.method() == Method::GET;
    let asked = request.headers().clone();
    let mut response = next.run(request).await;
    let Some(length) = response.body().size_hint().exact() else { return response };
    response.extensions_mut().insert(Length(length));
    let headers = response.headers();
    let tagged = headers.contains_key(header::ETAG) || headers.contains_key(header::CACHE_CONTROL);
    if !get || tagged || response.status() != StatusCode::OK {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let body = match to_bytes(body, usize::MAX).await {
        Ok(body) => body,
        Err(error) => return Error::broken(error).into_response(),
    };
    let tag = parts.extensions.get().map_or_else(|| cache_policy::tag(&[&body]), |BodyDigest(tag)| tag.clone());
    let current = cache_policy::is_known(&tag, &asked);
    parts.headers.insert(header::ETAG, tag.clone());
    parts.headers.insert(header::CACHE_CONTROL, REVALIDATE);
    parts.extensions.insert(BodyDigest(tag));
    if current {
        parts.status = StatusCode::NOT_MODIFIED;
        parts.headers.remove(header::CONTENT_TYPE);
        parts.headers.remove(header::CONTENT_LENGTH);
        return Response::from_parts(parts, ().into_response().into_body());
    }
    Response::from_parts(parts, body.into())
}

/// Runs the compression by the two layers on a blocking thread, and charges the CPU time to the client. A public body that was compressed before
/// comes from the cache.
pub(super) async fn compress_off_thread(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let response = next.run(request).await;
    let compressed = response.body().size_hint().exact().is_none();
    if !compressed || response.extensions().get().is_none_or(|Length(length)| *length <= SHORT) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let digest = parts.extensions.get().map(|BodyDigest(digest)| digest.clone());
    let key = digest.zip(parts.headers.get(header::CONTENT_ENCODING).cloned()).map(|(digest, coding)| [digest, coding]);
    if let Some(kept) = key.as_ref().and_then(|key| app.compressed.0.get(key)) {
        return Response::from_parts(parts, kept.into());
    }
    let mut meter = requester().map(|from| app.play.budget().meter(from));
    let work = spawn_blocking(move || {
        let work = || Handle::current().block_on(to_bytes(body, usize::MAX));
        match &mut meter {
            Some(meter) => meter.run(work),
            None => work(),
        }
    });
    match work.await.map_err(Error::broken).and_then(|body| body.map_err(Error::broken)) {
        Ok(body) => {
            if let Some(key) = key {
                app.compressed.0.insert(key, body.clone());
            }
            Response::from_parts(parts, body.into())
        }
        Err(error) => error.into_response(),
    }
}
