//! Idle and slow connections are closed in time, and a stopping server finishes pending requests.

use super::{program::Server, *};
use ipnet::IpNet;
use std::{net::SocketAddr, process::Command};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::Notify,
    task::JoinHandle,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;
use zorkmid::web::{Limits, extract, serve, with_layers};

/// A short deadline for tests that wait for it.
const SOON: Duration = Duration::from_millis(300);
/// Limits without effective deadlines. Each test sets its own.
const LONG: Limits =
    Limits { connections: 0, of_address: 0, header: NEVER, body: NEVER, handler: NEVER, write: NEVER, drain: NEVER };
/// Twice the longest deadline.
const NEVER: Duration = PATIENCE.saturating_mul(2);

struct Running {
    address: SocketAddr,
    stop: CancellationToken,
    /// Notified when `/later` has begun. That request ends when the server stops.
    begun: Arc<Notify>,
    ended: JoinHandle<std::io::Result<()>>,
}

/// Bytes that exceed all buffers on the way.
const MUCH: usize = 64 << 20;

async fn start(limits: Limits) -> Running {
    start_behind(limits, Vec::new()).await
}

async fn start_behind(limits: Limits, proxies: Vec<IpNet>) -> Running {
    let api =
        Router::new().route("/api/read", axum::routing::post(async |extract::Json(_): extract::Json<u32>| "read"));
    let (stop, begun) = (CancellationToken::new(), Arc::new(Notify::new()));
    let later = {
        let (stop, begun) = (stop.clone(), begun.clone());
        async move || {
            begun.notify_one();
            stop.cancelled().await;
        }
    };
    let pages = Router::new()
        .route("/", axum::routing::get(async || "here"))
        .route("/later", axum::routing::get(later))
        .route("/much", axum::routing::get(async || "a".repeat(MUCH)));
    let app = app(Options { limits, trusted_proxies: proxies, ..patient() });
    let router = with_layers(app.clone(), api, pages);
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let ended = tokio::spawn(serve(listener, router, app.connections.clone(), stop.clone()));
    Running { address, stop, begun, ended }
}

/// Reads until the server closes the connection.
async fn rest(stream: &mut TcpStream) -> String {
    let mut text = Vec::new();
    let read = timeout(PATIENCE, stream.read_to_end(&mut text)).await;
    assert!(read.is_ok(), "the connection stayed open");
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn all_limits_are_below_ten_seconds() {
    let limits = Limits::default();
    assert!([limits.header, limits.body, limits.handler].into_iter().all(|limit| limit < Duration::from_secs(10)));
    assert!(limits.drain < Duration::from_secs(5), "stopping takes too long");
}

#[tokio::test]
async fn silent_connections_are_closed() {
    let server = start(Limits { header: SOON, ..LONG }).await;
    let mut silent = TcpStream::connect(server.address).await.unwrap();
    assert_eq!(rest(&mut silent).await, "");
    // A connection that has been served is closed too.
    let server = start(Limits { header: Duration::from_secs(2), ..LONG }).await;
    let mut kept = TcpStream::connect(server.address).await.unwrap();
    kept.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
    assert!(rest(&mut kept).await.ends_with("\r\n\r\nhere"));
}

#[tokio::test]
async fn trickled_header_is_cut_off() {
    let server = start(Limits { header: SOON, ..LONG }).await;
    let mut slow = TcpStream::connect(server.address).await.unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\nhost: a\r\n").await.unwrap();
    let (mut reading, mut writing) = slow.split();
    let trickle = async {
        while writing.write_all(b"x-a: b\r\n").await.is_ok() {
            sleep(Duration::from_millis(20)).await;
        }
    };
    let read = async {
        let mut answer = Vec::new();
        let read = timeout(PATIENCE, reading.read_to_end(&mut answer)).await;
        assert!(read.is_ok(), "the connection stayed open");
        assert!(answer.is_empty(), "the server answered an incomplete header");
    };
    tokio::select! { () = trickle => {}, () = read => {} }
}

#[tokio::test]
async fn slow_body_is_refused_and_closed() {
    let server = start(Limits { header: SOON, body: SOON, ..LONG }).await;
    for (path, status) in [("/api/read", "408"), ("/", "405"), ("/nowhere", "404")] {
        let mut slow = TcpStream::connect(server.address).await.unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n1"
        );
        slow.write_all(head.as_bytes()).await.unwrap();
        let answer = rest(&mut slow).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {answer}");
    }
}

/// Requests a page on a new connection, and returns everything received.
async fn asked(address: SocketAddr) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    // The server may have closed the connection already.
    let _ = stream.write_all(b"GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").await;
    let mut text = Vec::new();
    let _ = timeout(PATIENCE, stream.read_to_end(&mut text)).await.expect("the connection is closed");
    String::from_utf8_lossy(&text).into_owned()
}

#[tokio::test]
async fn idle_connections_make_room_for_new_ones() {
    for limits in [Limits { connections: 3, ..LONG }, Limits { of_address: 3, ..LONG }] {
        let server = start(limits).await;
        let mut silent = Vec::new();
        for _ in 0..3 {
            silent.push(TcpStream::connect(server.address).await.unwrap());
        }
        // The second has been served since the first connected, and the third is being served.
        silent[1].write_all(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
        silent[1].read_exact(&mut [0; 12]).await.unwrap();
        silent[2].write_all(b"GET /later HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
        server.begun.notified().await;
        assert!(asked(server.address).await.ends_with("here"));
        assert_eq!(rest(&mut silent[0]).await, "", "the first has been idle for longest");
        let mut busy = Vec::new();
        for _ in 0..2 {
            let mut stream = TcpStream::connect(server.address).await.unwrap();
            stream.write_all(b"GET /later HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
            server.begun.notified().await;
            busy.push(stream);
        }
        assert!(asked(server.address).await.starts_with("HTTP/1.1 503 "), "no answer is cut off");
        server.stop.cancel();
        for stream in &mut busy {
            assert!(rest(stream).await.starts_with("HTTP/1.1 200 "));
        }
    }
}

#[tokio::test]
async fn trusted_proxy_has_no_connection_limit() {
    let limits = Limits { of_address: 1, ..LONG };
    let server = start_behind(limits, vec!["127.0.0.0/8".parse().unwrap()]).await;
    let mut first = TcpStream::connect(server.address).await.unwrap();
    assert!(asked(server.address).await.ends_with("here"));
    first.write_all(b"GET / HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").await.unwrap();
    assert!(rest(&mut first).await.ends_with("here"));
}

#[tokio::test]
async fn client_that_never_reads_is_cut_off() {
    let server = start(Limits { write: SOON, ..LONG }).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(b"GET /much HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
    // Data already sent can still be read, but the answer is incomplete.
    sleep(SOON * 4).await;
    let mut got = Vec::new();
    let _ = timeout(PATIENCE, stream.read_to_end(&mut got)).await.expect("the connection is closed");
    assert!(got.len() < MUCH, "{}", got.len());
}

#[tokio::test]
async fn stopping_server_ignores_clients_that_never_read() {
    let server = start(Limits { drain: SOON, ..LONG }).await;
    let mut stream = TcpStream::connect(server.address).await.unwrap();
    stream.write_all(b"GET /much HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
    stream.read_exact(&mut [0; 12]).await.unwrap();
    server.stop.cancel();
    timeout(PATIENCE, server.ended).await.unwrap().unwrap().unwrap();
}

/// Holds more idle sockets than the limit of open files, while the health probe still gets answers.
#[tokio::test]
async fn health_probe_works_while_sockets_are_exhausted() {
    let data = tempfile::tempdir().unwrap();
    let mut program = Command::new("sh");
    program.args(["-c", "ulimit -n 128 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_zorkmid")]);
    let server = Server::started(program, data.path(), "127.0.0.1:0");
    let address = server.address.strip_prefix("http://").unwrap().to_owned();
    let hold = async || TcpStream::connect(&address).await.unwrap();
    let mut held = Vec::new();
    for _ in 0..160 {
        held.push(hold().await);
    }
    for _ in 0..20 {
        let health = reqwest::get(format!("{}/healthz", server.address)).await.unwrap();
        assert_eq!(health.status(), 200);
        held.push(hold().await);
    }
}

#[tokio::test]
async fn oversized_headers_are_answered_and_closed() {
    let server = start(LONG).await;
    for (head, status) in [
        (format!("GET /{} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n", "a".repeat(60_000)), "414"),
        (format!("GET / HTTP/1.1\r\nhost: a\r\nx: {}\r\nconnection: close\r\n\r\n", "a".repeat(20_000)), "431"),
        (format!("GET / HTTP/1.1\r\nhost: a\r\nx: {}\r\n\r\n", "a".repeat(200_000)), "431"),
        ("nonsense\r\n\r\n".to_owned(), "400"),
    ] {
        let mut stream = TcpStream::connect(server.address).await.unwrap();
        // The server may close before everything is sent.
        let _ = stream.write_all(head.as_bytes()).await;
        let mut start = [0; 12];
        timeout(PATIENCE, stream.read_exact(&mut start)).await.unwrap().unwrap();
        assert_eq!(std::str::from_utf8(&start).unwrap(), format!("HTTP/1.1 {status}"));
    }
}

#[tokio::test]
async fn stopping_server_finishes_pending_requests() {
    let server = start(LONG).await;
    let mut idle = TcpStream::connect(server.address).await.unwrap();
    let mut busy = TcpStream::connect(server.address).await.unwrap();
    busy.write_all(b"GET /later HTTP/1.1\r\nhost: a\r\n\r\n").await.unwrap();
    server.begun.notified().await;
    server.stop.cancel();
    assert!(rest(&mut busy).await.starts_with("HTTP/1.1 200 "));
    assert_eq!(rest(&mut idle).await, "");
    timeout(PATIENCE, server.ended).await.unwrap().unwrap().unwrap();
    assert!(TcpStream::connect(server.address).await.is_err());
}
