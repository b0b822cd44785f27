//! A site that is measured over a real socket.

use axum::Router;
use std::{net::SocketAddr, sync::Arc};
use tokio::net::TcpListener;
use zorkmid::web::{self, App, Limits, Options};

/// The options of such a site: nobody is told to come later.
pub(crate) fn options() -> Options {
    // A rate that nobody reaches: its counting is part of the site.
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
