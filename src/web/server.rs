//! The accept loop: connections in number and time. It knows no route.
//!
//! `axum::serve` sets no deadline on the head of a request; hyper's own builder does, and closes silent sockets and
//! trickled headers alike. Whoever does not read what was asked for is cut off by a deadline of every single write.

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

/// Room for an address and headers that are too long to be accepted but deserve an answer that says so.
const BUFFER: usize = 96 * 1024;
/// The time to wait when the system has no more sockets.
const BREATH: Duration = Duration::from_millis(50);

/// The answer to whoever comes when every connection is in use.
const FULL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nretry-after: 5\r\nconnection: close\r\n\
    content-type: text/plain; charset=utf-8\r\ncontent-length: 55\r\n\r\n\
    Too many connections are open; come back in 5 seconds.\n";

/// Serves `router` on `listener` until `shutdown` is cancelled; then answers what has begun, for at most the time that the limits give.
/// Event streams must end by themselves when the same token is cancelled.
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
                    tracing::warn!(%cause, "no connection could be accepted");
                    connections.shed();
                    time::sleep(BREATH).await;
                    continue;
                }
            };
            let Some(held) = connections.admit(peer.ip()) else {
                // Whoever takes no answer is no loss.
                let _ = stream.try_write(FULL);
                continue;
            };
            // Answers are small and whole: waiting to fill a packet only delays them.
            let _ = stream.set_nodelay(true);
            let mut stream = TimeoutWriter::new(stream);
            stream.set_timeout(Some(limits.write));
            let (router, close) = (router.clone(), held.close.clone());
            let service = service_fn(move |mut request: Request<Incoming>| {
                request.extensions_mut().insert(ConnectInfo(peer));
                let (busy, answer) = (held.answering(), router.clone().call(request));
                async move { Ok::<_, Infallible>(answer.await?.map(|body| busy.until_read(body))) }
            });
            let connection = open.watch(builder.serve_connection(TokioIo::new(Box::pin(stream)), service));
            tokio::spawn(async move {
                // A client that goes away is no news.
                tokio::select! {
                    _ = connection => {}
                    () = close.cancelled() => {}
                }
            });
        }
        drop(listener);
        if time::timeout(limits.drain, open.shutdown()).await.is_err() {
            tracing::warn!("some answers were cut off");
        }
        Ok(())
    }
    .boxed()
}
