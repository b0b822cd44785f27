//! A site behind a real socket, for benchmarks.

use axum::Router;
use std::{net::SocketAddr, sync::Arc};
use tokio::net::TcpListener;
use zorkmid::web::{self, App, Limits, Options};

/// Options of the site, without effective rate limits.
pub(crate) fn options() -> Options {
    // An unreachable limit instead of none, because counting requests is part of the cost.
    let limits = Limits { of_address: 0, ..Limits::default() };
    Options { rate: 10_000_000, cpu: 0, streams_per_address: 0, limits, ..Options::default() }
}

/// Serves the router on a free port.
pub(crate) async fn serve(app: &Arc<App>, router: Router) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(web::serve(listener, router, app.connections.clone(), app.closing.clone()));
    address
}
