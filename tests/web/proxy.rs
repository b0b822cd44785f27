//! The site behind nginx with the configuration of the operation guide, requested by curl over TLS and HTTP/2.

use std::{
    fs,
    io::{BufRead, BufReader},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use super::{PATIENCE, program::Server};

/// A process, killed on drop.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// nginx in front of a server. Requests go to the public name.
struct Proxy {
    folder: PathBuf,
    /// Ports of HTTP and HTTPS.
    ports: [u16; 2],
    _nginx: Running,
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

fn program(name: &str, package: &str) -> Command {
    let places = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin:/sbin";
    let found = places.split(':').map(|folder| Path::new(folder).join(name)).find(|file| file.is_file());
    Command::new(
        found.unwrap_or_else(|| panic!("{name} is not here: apt-get install {package}, or tests/run, which does it")),
    )
}

/// The documented configuration with other ports and files.
fn configuration(folder: &Path, server: &str, ports: [u16; 2]) -> String {
    let mut text = include_str!("../../docs/operation/nginx.conf").to_owned();
    let mut put = |documented: &str, here: String| {
        assert_eq!(text.matches(documented).count(), 1, "{documented}");
        text = text.replace(documented, &here);
    };
    put("server 127.0.0.1:8080;", format!("server {server};"));
    put("listen 80;", format!("listen 127.0.0.1:{};", ports[0]));
    put("listen 443 ssl http2;", format!("listen 127.0.0.1:{} ssl http2;", ports[1]));
    // Some machines lack IPv6.
    put("listen [::]:80;", String::new());
    put("listen [::]:443 ssl http2;", String::new());
    put("/etc/ssl/example.org/fullchain.pem", folder.join("certificate").display().to_string());
    put("/etc/ssl/example.org/privkey.pem", folder.join("key").display().to_string());
    text
}

impl Proxy {
    fn start(folder: &Path, server: &Server) -> Proxy {
        let mut certificate = program("openssl", "openssl");
        certificate.args(["req", "-x509", "-newkey", "rsa:2048", "-noenc", "-days", "2", "-subj", "/CN=example.org"]);
        certificate.args(["-addext", "subjectAltName=DNS:example.org", "-keyout"]).arg(folder.join("key"));
        let made = certificate.arg("-out").arg(folder.join("certificate")).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let ports = [free_port(), free_port()];
        let site = configuration(folder, server.address.strip_prefix("http://").unwrap(), ports);
        fs::write(folder.join("site.conf"), site).unwrap();
        let kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
        let temporary: String =
            kinds.iter().map(|kind| format!("{kind}_temp_path {}/{kind};\n", folder.display())).collect();
        // The parts of Debian's main configuration that matter for a proxy.
        let main = format!(
            "daemon off;\nmaster_process off;\npid {0}/pid;\nevents {{ worker_connections 768; }}\n\
             http {{\nsendfile on;\ngzip on;\n{temporary}include {0}/site.conf;\n}}\n",
            folder.display()
        );
        fs::write(folder.join("nginx.conf"), main).unwrap();
        let mut nginx = program("nginx", "nginx-light");
        let log = folder.join("error.log");
        nginx.arg("-e").arg(&log).arg("-c").arg(folder.join("nginx.conf")).arg("-p").arg(folder);
        let mut nginx = Running(nginx.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", ports[1])).is_err() {
            let ended = nginx.0.try_wait().unwrap().is_some() || begun.elapsed() > PATIENCE;
            assert!(!ended, "nginx does not listen: {}", fs::read_to_string(&log).unwrap_or_default());
            thread::sleep(Duration::from_millis(20));
        }
        Proxy { folder: folder.to_owned(), ports, _nginx: nginx }
    }

    fn base(&self) -> String {
        format!("https://example.org:{}", self.ports[1])
    }

    /// curl as a client with a given address.
    fn curl(&self, client: &str) -> Command {
        let mut curl = program("curl", "curl");
        curl.args(["--silent", "--show-error", "--no-buffer", "--interface", client, "--cacert"]);
        curl.arg(self.folder.join("certificate"));
        for port in self.ports {
            curl.arg("--resolve").arg(format!("example.org:{port}:127.0.0.1"));
        }
        curl
    }

    /// Output of curl for an address. With `-i`, it includes the header.
    fn get(&self, client: &str, address: &str, options: &[&str]) -> String {
        let done = self.curl(client).args(options).arg(address).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }

    fn post(&self, path: &str, token: &str, body: &Value) -> Value {
        let (body, bearer) = (body.to_string(), format!("Authorization: Bearer {token}"));
        let mut options = vec!["--fail-with-body", "-H", "Content-Type: application/json", "-d", &body];
        if !token.is_empty() {
            options.extend(["-H", &bearer]);
        }
        serde_json::from_str(&self.get("127.0.0.2", &format!("{}{path}", self.base()), &options)).unwrap()
    }

    /// Lines of an event stream with their times of arrival.
    fn follow(&self, path: &str, accept: &str) -> (Running, Receiver<(Instant, String)>) {
        let mut curl = self.curl("127.0.0.3");
        curl.arg("-H").arg(format!("Accept: {accept}")).arg(format!("{}{path}", self.base()));
        let mut curl = Running(curl.stdout(Stdio::piped()).spawn().unwrap());
        let (said, heard) = channel();
        let out = BufReader::new(curl.0.stdout.take().unwrap());
        thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if said.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        (curl, heard)
    }
}

/// Time of arrival of the first line that satisfies a condition.
fn until(stream: &Receiver<(Instant, String)>, holds: impl Fn(&str) -> bool) -> Instant {
    loop {
        let (at, line) = stream.recv_timeout(PATIENCE).expect("the next line");
        if holds(&line) {
            return at;
        }
    }
}

#[test]
fn documented_nginx_configuration_works() {
    let folder = tempfile::tempdir().unwrap();
    let mut zorkmid = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
    zorkmid.args(["--trusted-proxies", "127.0.0.1", "--rate", "5"]);
    let server = Server::started(zorkmid, &folder.path().join("data"), "127.0.0.1:0");
    let proxy = Proxy::start(folder.path(), &server);
    let base = proxy.base();

    let plain = proxy.get("127.0.0.2", &format!("http://example.org:{}/rules", proxy.ports[0]), &["-i"]);
    assert!(
        plain.starts_with("HTTP/1.1 301 ") && plain.contains("\r\nLocation: https://example.org/rules\r\n"),
        "{plain}"
    );
    let form = [
        "-i",
        "-H",
        &format!("Origin: {base}"),
        "-H",
        "Sec-Fetch-Site: same-origin",
        "-d",
        "variant=chess&opponent=self",
    ];
    let begun = proxy.get("127.0.0.2", &format!("{base}/games"), &form).to_lowercase();
    assert!(begun.starts_with("http/2 303"), "{begun}");
    let cookie = begun.lines().find(|line| line.starts_with("set-cookie: __host-seat-")).expect("a seat cookie");
    assert!(cookie.contains("; secure") && cookie.contains("; httponly"), "{cookie}");
    assert!(begun.contains("strict-transport-security: "), "{begun}");

    let game = proxy.post("/api/games", "", &json!({"variant": "chess", "opponent": "self"}));
    let id = game["id"].as_str().unwrap();
    assert_eq!(game["url"], format!("{base}/games/{id}"));
    let page = proxy.get("127.0.0.2", &format!("{base}/games/{id}"), &[]);
    assert!(page.contains(&format!("content=\"{base}/games/{id}")), "previews use the public address: {page}");

    let act = |ply: usize, action: &str| {
        let token = game["seats"][ply % 2]["token"].as_str().unwrap();
        proxy.post(&format!("/api/games/{id}/actions"), token, &json!({"ply": ply, "action": action}))["version"]
            .clone()
    };
    let (_page, events) = proxy.follow(&format!("/games/{id}/events"), "text/event-stream");
    let (_program, lines) = proxy.follow(&format!("/api/games/{id}/events"), "application/x-ndjson");
    let both = |version: &Value| {
        let event = until(&events, |line| *line == format!("id: {version}"));
        let line =
            until(&lines, |line| serde_json::from_str::<Value>(line).is_ok_and(|game| game["version"] == *version));
        event.max(line)
    };
    both(&json!(0));
    // Sooner than the next keep-alive, which would flush anything that was buffered.
    let soon = Duration::from_secs(10);
    let acted = Instant::now();
    let heard = both(&act(0, "e2e4"));
    assert!(heard - acted < soon, "{:?}", heard - acted);
    let silence = Duration::from_secs(20);
    until(&events, |line| line == "event: alive");
    until(&lines, str::is_empty);
    thread::sleep(silence.saturating_sub(heard.elapsed()));
    let acted = Instant::now();
    assert!(both(&act(1, "e7e5")) - acted < soon);

    // Forwarding headers of a client are ignored, and rate limits apply to each client separately.
    let many = format!("{base}/about?[1-300]");
    let status = ["-o", "/dev/null", "-w", "%{http_code}\n", "-H", "X-Forwarded-For: 192.0.2.9"];
    let answered = proxy.get("127.0.0.4", &many, &status);
    assert!(answered.contains("429"), "the limit applies to the address that nginx sees");
    assert_eq!(proxy.get("127.0.0.5", &format!("{base}/about"), &status).trim(), "200");
}
