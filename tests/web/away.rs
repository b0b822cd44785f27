//! A PostgreSQL that becomes unreachable and comes back, and one that cuts its connections: pages report the outage, and afterwards
//! everything works as before.

use super::{
    PATIENCE,
    instances::{on, schema},
    often::often,
    program::Server,
    until,
};
use futures_util::{StreamExt, future::join_all};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection, query, query_scalar};
use tokio::{
    net::{TcpListener, TcpStream},
    time::timeout,
};
use tokio_util::sync::CancellationToken;

/// A proxy to the PostgreSQL of the tests that can be closed.
struct Way {
    /// Address of the proxy, such as `127.0.0.1:5432`.
    from: String,
    to: String,
    shut: CancellationToken,
}

impl Way {
    async fn to(target: &str) -> Way {
        let port = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let from = port.local_addr().unwrap().to_string();
        let way = Way { from, to: target.to_owned(), shut: CancellationToken::new() };
        way.serve(port);
        way
    }

    fn serve(&self, port: TcpListener) {
        let (to, shut) = (self.to.clone(), self.shut.clone());
        tokio::spawn(self.shut.clone().run_until_cancelled_owned(async move {
            while let Ok((mut near, _)) = port.accept().await {
                let (to, shut) = (to.clone(), shut.clone());
                tokio::spawn(shut.run_until_cancelled_owned(async move {
                    if let Ok(mut far) = TcpStream::connect(to).await {
                        let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
                    }
                }));
            }
        }));
    }

    /// Cuts all connections and refuses new ones.
    async fn shut(&self) {
        self.shut.cancel();
        until("the proxy accepts no connections", async || TcpStream::connect(&self.from).await.is_err()).await;
    }

    async fn open_again(&mut self) {
        self.shut = CancellationToken::new();
        self.serve(TcpListener::bind(&self.from).await.unwrap());
    }
}

/// Address of a new schema, and the application name of its connections.
async fn named(name: &str) -> Option<(String, String)> {
    let name = format!("{name}_{}", std::process::id());
    Some((format!("{}&application_name={name}", schema(name.split('_').next().unwrap()).await?), name))
}

async fn direct() -> PgConnection {
    PgConnection::connect(&std::env::var("ZORKMID_TEST_POSTGRES").unwrap()).await.unwrap()
}

/// A pass-and-play game of chess.
struct Table {
    client: reqwest::Client,
    id: String,
    tokens: [String; 2],
    ply: usize,
}

impl Table {
    async fn at(server: &Server) -> Table {
        let client = reqwest::Client::new();
        let game = json!({"variant": "chess", "opponent": "self"});
        let begun = client.post(format!("{}/api/games", server.address)).json(&game).send().await.unwrap();
        let begun: Value = begun.json().await.unwrap();
        let tokens = [0, 1].map(|seat| begun["seats"][seat]["token"].as_str().unwrap().to_owned());
        Table { client, id: begun["id"].as_str().unwrap().to_owned(), tokens, ply: 0 }
    }

    fn request(&self, server: &Server) -> reqwest::RequestBuilder {
        let action = ["g1f3", "g8f6", "f3g1", "f6g8"][self.ply % 4];
        let path = format!("{}/api/games/{}/actions", server.address, self.id);
        let said = json!({"ply": self.ply, "action": action});
        self.client.post(path).bearer_auth(&self.tokens[self.ply % 2]).json(&said)
    }

    /// Plays the next move.
    async fn goes_on(&mut self, server: &Server) {
        let answer = self.request(server).send().await.unwrap();
        let status = answer.status();
        assert_eq!(status, 200, "ply {}: {}", self.ply, answer.text().await.unwrap());
        self.ply += 1;
    }
}

// The proxy stays open while a server starts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn outage_of_the_database_is_reported_and_overcome() {
    let folder = tempfile::tempdir().unwrap();
    let Some((database, name)) = named("away").await else { return };
    let (_, rest) = database.split_once("://").unwrap();
    let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host).split(['/', '?']).next().unwrap();
    let mut way = Way::to(host).await;
    let server = on(&database.replacen(host, &way.from, 1), &folder.path().join("far"));
    let near = on(&database, &folder.path().join("near"));
    let mut table = Table::at(&server).await;
    table.goes_on(&server).await;
    let get = async |path: &str| {
        let answer = table.client.get(format!("{}{path}", server.address)).header("accept", "text/html").send();
        let answer = answer.await.unwrap();
        (answer.status().as_u16(), answer.text().await.unwrap())
    };
    until("it is ready", async || get("/readyz").await.0 == 200).await;

    way.shut().await;
    until("it is not ready", async || get("/readyz").await.0 == 503).await;
    assert!(get("/readyz").await.1.contains("cannot reach its database"));
    assert_eq!(get("/healthz").await.0, 200);
    let game = format!("/games/{}", table.id);
    let api = format!("/api/games/{}", table.id);
    let pages = [&game, &api, "/lobby", "/api/games", "/games/unknown", "/invite/unknown"];
    for (path, (status, body)) in pages.iter().zip(join_all(pages.iter().map(|path| get(path))).await) {
        assert!(status == 503 && body.contains("cannot reach its database"), "{path}: {status} {body}");
    }
    let refused = table.request(&server).send().await.unwrap();
    assert_eq!(refused.status(), 503);
    assert!(refused.text().await.unwrap().contains("cannot reach its database"));

    way.open_again().await;
    table.goes_on(&server).await;
    until("it is ready again", async || {
        table.client.get(format!("{}/readyz", server.address)).send().await.unwrap().status() == 200
    })
    .await;
    // The server listens again: actions on another server arrive here.
    let mut db = direct().await;
    let mut listening = async || -> i64 {
        let all = "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND query LIKE 'LISTEN%'";
        query_scalar(all).bind(&name).fetch_one(&mut db).await.unwrap()
    };
    timeout(PATIENCE, async { while listening().await < 2 {} }).await.expect("both servers listen");
    let mut events = reqwest::get(format!("{}{api}/events", server.address)).await.unwrap().bytes_stream();
    table.goes_on(&near).await;
    let mut heard = String::new();
    let come = async {
        while !heard.contains(&format!("\"ply\":{}", table.ply)) {
            heard += &String::from_utf8_lossy(&events.next().await.expect("the next event").unwrap());
        }
    };
    timeout(PATIENCE, come).await.expect("the event arrives");
}

#[tokio::test]
async fn cut_connections_cause_no_errors() {
    let folder = tempfile::tempdir().unwrap();
    let Some((database, name)) = named("cut").await else { return };
    let server = on(&database, folder.path());
    let mut table = Table::at(&server).await;
    let mut db = direct().await;
    for round in 0..often(12) {
        // Many requests at once, so that many connections have just been used.
        let looks = (0..32).map(|_| table.client.get(format!("{}/api/games/{}", server.address, table.id)).send());
        for look in join_all(looks).await {
            assert_eq!(look.unwrap().status(), 200);
        }
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1";
        let gone = query(cut).bind(&name).execute(&mut db).await.unwrap().rows_affected();
        assert!(gone > 1, "some connections were cut");
        if round % 2 == 0 {
            let look = table.client.get(format!("{}/api/games/{}", server.address, table.id)).send().await.unwrap();
            assert_eq!(look.status(), 200, "{}", look.text().await.unwrap());
        }
        table.goes_on(&server).await;
    }
}

/// All addresses of the site, with their methods.
fn addresses() -> Vec<String> {
    let router = include_str!("../../src/web/router.rs");
    let pages = router.split(".route(\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    let api = router.lines().filter_map(|line| line.split_once("// ")).filter_map(|(_, said)| {
        said.starts_with(['G', 'P'])
            .then(|| said.split(' ').next_back())
            .flatten()
            .filter(|path| path.starts_with("/api"))
    });
    pages.chain(api).map(str::to_owned).collect()
}

#[tokio::test]
async fn nul_characters_cause_no_server_errors() {
    let folder = tempfile::tempdir().unwrap();
    let Some(database) = schema("nul").await else { return };
    let server = on(&database, folder.path());
    let table = Table::at(&server).await;
    let addresses = addresses();
    assert!(addresses.len() > 70, "{addresses:?}");
    let names =
        ["code", "game", "id", "name", "action", "token", "fen", "variant", "opponent", "betza", "text", "q", "after"];
    let form: String = names.map(|name| format!("{name}=a%00b&")).concat();
    for address in addresses {
        if address.contains("{*") {
            continue;
        }
        let within = address.split('/').map(|part| if part.starts_with('{') { "a%00b" } else { part });
        let within = within.collect::<Vec<_>>().join("/");
        let real = address.replacen("{id}", &table.id, 1).replace("{variant}", "chess").replace("{n}", "0");
        for path in [within.clone(), format!("{real}?{form}")] {
            let url = format!("{}{path}", server.address);
            let json: Value =
                names.iter().map(|name| ((*name).to_owned(), json!("a\0b"))).collect::<serde_json::Map<_, _>>().into();
            let asked = [
                table.client.get(&url),
                table.client.get(&url).header("cookie", "seats=a%00b; seat=a%00b; theme=%00"),
                table
                    .client
                    .post(&url)
                    .header("origin", &server.address)
                    .header("content-type", "application/x-www-form-urlencoded")
                    .body(form.clone()),
                table.client.post(&url).json(&json).bearer_auth(&table.tokens[0]),
            ];
            for request in asked {
                let request = request.build().unwrap();
                let what = format!("{} {path}", request.method());
                let Ok(answer) = timeout(PATIENCE, table.client.execute(request)).await.unwrap() else {
                    panic!("{what}")
                };
                let status = answer.status().as_u16();
                assert_ne!(status, 500, "{what}: {}", answer.text().await.unwrap());
                if path.starts_with("/games/a%00b") || path.starts_with("/invite/a%00b") {
                    assert!(matches!(status, 404 | 405 | 415 | 400), "{what}: {status}");
                }
            }
        }
    }
    for (path, body) in [
        ("/api/seats", json!({"code": "a\0b"})),
        ("/api/seats", json!({"game": "a\0b"})),
        ("/api/games", json!({"variant": "chess", "name": "a\0b"})),
        ("/api/games", json!({"variant": "a\0b"})),
        ("/api/games", json!({"variant": "chess", "options": {"fen": "a\0b"}})),
        ("/api/worth", json!({"betza": "a\0b"})),
    ] {
        let answer = table.client.post(format!("{}{path}", server.address)).json(&body).send().await.unwrap();
        let status = answer.status().as_u16();
        assert!((400..500).contains(&status), "{path} {body}: {status} {}", answer.text().await.unwrap());
    }
}
