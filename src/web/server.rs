//! The accept loop: connections in number and time. It knows no route.
//!
//! `axum::serve` sets no deadline on the head of a request; hyper's own builder does, and closes silent sockets and
//! trickled headers alike.

use axum::{Router, extract::ConnectInfo, http::Request};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use std::{io, sync::Arc, time::Duration};
use tokio::{net::TcpListener, sync::Semaphore, time};
use tokio_util::sync::CancellationToken;
use tower::Service;

/// Limits of a connection: how long and how much it may take. Every deadline counts from the beginning of what it limits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Connections that may be open at once; 0 for as many as the system gives.
    pub connections: usize,
    /// Until the head of the next request has arrived, silence included.
    pub header: Duration,
    /// Until the body has arrived.
    pub body: Duration,
    /// Until the handler has begun to answer.
    pub handler: Duration,
    /// The time for which a stopping server waits for the answers it has begun.
    pub drain: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let second = Duration::from_secs(1);
        Limits { connections: 0, header: 8 * second, body: 7 * second, handler: 9 * second, drain: 10 * second }
    }
}

/// Room for an address and headers that are too long to be accepted but deserve an answer that says so.
const BUFFER: usize = 96 * 1024;
/// The time to wait when the system has no more sockets.
const BREATH: Duration = Duration::from_millis(50);

/// Serves `router` on `listener` until `shutdown` is cancelled; then answers what has begun, for at most `limits.drain`.
/// Event streams must end by themselves when the same token is cancelled.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    shutdown: CancellationToken,
) -> io::Result<()> {
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.header).max_buf_size(BUFFER);
    let places = Arc::new(Semaphore::new(match limits.connections {
        0 => Semaphore::MAX_PERMITS,
        some => some.min(Semaphore::MAX_PERMITS),
    }));
    let open = GracefulShutdown::new();
    loop {
        let accepted = tokio::select! {
            () = shutdown.cancelled() => break,
            accepted = async {
                let place = places.clone().acquire_owned().await;
                (place, listener.accept().await)
            } => accepted,
        };
        let (place, (stream, peer)) = match accepted {
            (Ok(place), Ok(socket)) => (place, socket),
            (_, Err(cause)) => {
                tracing::warn!(%cause, "no connection could be accepted");
                time::sleep(BREATH).await;
                continue;
            }
            (Err(_), _) => break,
        };
        // Answers are small and whole: waiting to fill a packet only delays them.
        let _ = stream.set_nodelay(true);
        let router = router.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(peer));
            router.clone().call(request)
        });
        let connection = open.watch(builder.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A client that goes away is no news.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    if time::timeout(limits.drain, open.shutdown()).await.is_err() {
        tracing::warn!("some answers were cut off");
    }
    Ok(())
}
