//! The accept loop, with limits on the number of connections and their deadlines. It is independent of the routes.
//!
//! `axum::serve` sets no deadline on the head of a request. hyper's own builder does, and so closes connections that send nothing or
//! send their headers too slowly. A deadline on each write closes connections that do not read their responses.

use super::connections::Connections;
use axum::{Router, extract::ConnectInfo, http::Request};
use futures_util::{FutureExt, future::BoxFuture};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use std::{convert::Infallible, io, sync::Arc, time::Duration};
use tokio::{net::TcpListener, time};
use tokio_io_timeout::TimeoutWriter;
use tokio_util::sync::CancellationToken;
use tower::Service;

/// Read buffer in bytes. It exceeds the limits on the URL and the headers, so that requests over those limits get an error response.
const BUFFER: usize = 96 * 1024;
/// Pause after a failed accept, for example when the system is out of sockets.
const BREATH: Duration = Duration::from_millis(50);

/// Response to a client that connects while all connections are busy.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n\
    content-type: text/plain; charset=utf-8\r\ncontent-length: 51\r\n\r\n\
    Too many open connections. Try again in 5 seconds.\n";

/// Serves `router` on `listener` until `shutdown` is cancelled. Then finishes the responses in progress, for at most `Limits::drain`.
/// Event streams must end on the same token, or they use up that time.
pub fn serve(
    listener: TcpListener,
    router: Router,
    connections: Arc<Connections>,
    shutdown: CancellationToken,
) -> BoxFuture<'static, io::Result<()>> {
    async move {
        let limits = connections.limits;
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(limits.header).max_buf_size(BUFFER);
        let open = GracefulShutdown::new();
        loop {
            let accepted = tokio::select! {
                () = shutdown.cancelled() => break,
                accepted = listener.accept() => accepted,
            };
            let (stream, peer) = match accepted {
                Ok(socket) => socket,
                Err(cause) => {
                    tracing::warn!(%cause, "accepting a connection failed");
                    connections.shed();
                    time::sleep(BREATH).await;
                    continue;
                }
            };
            let Some(held) = connections.admit(peer.ip()) else {
                // Best effort: the client may be gone already.
                let _ = stream.try_write(FULL);
                continue;
            };
            // Responses are small and written at once, so Nagle's algorithm would only delay them.
            let _ = stream.set_nodelay(true);
            let mut stream = TimeoutWriter::new(stream);
            stream.set_timeout(Some(limits.write));
            let (router, close) = (router.clone(), held.close.clone());
            let service = service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(ConnectInfo(peer));
                let (busy, answer) = (held.begin_response(), router.clone().call(request));
                async move { Ok::<_, Infallible>(answer.await?.map(|body| busy.guard_body(body))) }
            });
            let connection = open.watch(builder.serve_connection(TokioIo::new(Box::pin(stream)), service));
            tokio::spawn(async move {
                // A closed connection is normal and not logged.
                tokio::select! {
                    _ = connection => {}
                    () = close.cancelled() => {}
                }
            });
        }
        drop(listener);
        if time::timeout(limits.drain, open.shutdown()).await.is_err() {
            tracing::warn!("shutdown cut off unfinished responses");
        }
        Ok(())
    }
    .boxed()
}
