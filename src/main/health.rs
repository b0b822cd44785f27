//! The question whether a server is well, as containers ask it.

use std::{
    io::{self, Read, Write},
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream},
    time::Duration,
};

/// Asks a server on this machine, and says what is wrong.
pub(crate) fn check(mut address: SocketAddr) -> Result<(), String> {
    // A server that listens everywhere is asked from here.
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => address.set_ip(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        IpAddr::V6(ip) if ip.is_unspecified() => address.set_ip(IpAddr::V6(Ipv6Addr::LOCALHOST)),
        IpAddr::V4(_) | IpAddr::V6(_) => {}
    }
    let patience = Duration::from_secs(5);
    let ask = || -> io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect_timeout(&address, patience)?;
        stream.set_read_timeout(Some(patience))?;
        stream.set_write_timeout(Some(patience))?;
        write!(stream, "GET /healthz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
        let mut status = Vec::new();
        stream.take(64).read_to_end(&mut status)?;
        Ok(status)
    };
    let status = ask().map_err(|why| format!("no answer from {address}: {why}"))?;
    if status.starts_with(b"HTTP/1.1 200 ") {
        return Ok(());
    }
    let line = status.split(|&byte| byte == b'\r').next().unwrap_or_default();
    Err(format!("{address} is not well: {}", String::from_utf8_lossy(line)))
}
