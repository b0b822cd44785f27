//! The Python client: every part of it works with a server, and the examples of its README run.

use super::{program::Server, until};
use std::process::Command;

const README: &str = include_str!("../../clients/python/README.md");
const PROJECT: &str = include_str!("../../clients/python/pyproject.toml");

/// Output of a Python program that can import the client, after checking that it succeeded.
fn python(arguments: &[&str]) -> String {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/clients/python/src");
    let mut program = Command::new("python3");
    let output =
        program.args(arguments).env("PYTHONPATH", source).env("PYTHONDONTWRITEBYTECODE", "1").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A server whose endgame tables are ready.
async fn solved(data: &std::path::Path) -> Server {
    let server = Server::start(data);
    let ready = format!("{}/readyz", server.address);
    until("the endgame tables answer", async || reqwest::get(&ready).await.unwrap().status() == 200).await;
    server
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn client_creates_joins_plays_follows_and_reads() {
    let data = tempfile::tempdir().unwrap();
    let server = solved(data.path()).await;
    python(&[concat!(env!("CARGO_MANIFEST_DIR"), "/tests/web/python_client.py"), &server.address]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn examples_of_the_client_run() {
    let data = tempfile::tempdir().unwrap();
    let server = solved(data.path()).await;
    let examples = README.split("```python\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let here = format!("Server(\"{}\")", server.address);
    let printed: Vec<String> = examples.map(|example| python(&["-c", &example.replace("Server()", &here)])).collect();
    let [moved, served, recorded, valued] = printed.as_slice() else { panic!("{printed:?}") };
    assert!(moved.contains("The bot has moved") && moved.contains("'winner': 'two'"), "{moved}");
    assert!(served.contains("Keep this key: ") && served.contains("'reason': "), "{served}");
    assert!(recorded.contains("'Ada'") && recorded.contains("'Bob'"), "{recorded}");
    assert_eq!(valued, "KRvK 3 / 4\nKNvK 5 / 8\n");
}

#[test]
fn client_has_the_version_of_the_server() {
    assert!(PROJECT.contains(concat!("\nversion = \"", env!("CARGO_PKG_VERSION"), "\"\n")), "{PROJECT}");
}
