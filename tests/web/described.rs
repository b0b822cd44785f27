//! Tests the API against its OpenAPI description with Schemathesis, which sends requests that the description allows and others that it does
//! not, and checks every answer.

use super::{often::often, program::Server, tools, until};
use serde_json::{Value, json};
use std::{path::PathBuf, process::Command};
use zorkmid::registry::VARIANTS;

/// Settings of Schemathesis. It does not check that every request allowed by the schema is accepted, because no schema can describe a FEN,
/// a piece in Betza notation or an army. A busy machine may answer 503, which is described too.
const SETTINGS: &str = "[checks]\npositive_data_acceptance.enabled = false\nnot_a_server_error.expected-statuses = [\"2xx\", \"3xx\", \"4xx\", \"503\"]\n\n[parameters]\n\"path.id\" = ";

/// For some ten thousand cases, set `ZORKMID_TRIES=4000`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_matches_the_description() {
    let Some(program) = tools::named("ZORKMID_SCHEMATHESIS") else { return };
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("data"));
    let client = reqwest::Client::new();
    until("the endgame tables answer", async || {
        client.get(format!("{}/readyz", server.address)).send().await.unwrap().status() == 200
    })
    .await;
    // A key with a seat is accepted wherever a key or a seat token is required.
    let key: Value = client.post(format!("{}/api/keys", server.address)).send().await.unwrap().json().await.unwrap();
    let key = key["key"].as_str().unwrap().to_owned();
    let begun =
        client.post(format!("{}/api/games", server.address)).bearer_auth(&key).json(&json!({"variant": "chess"}));
    let begun: Value = begun.send().await.unwrap().json().await.unwrap();
    let settings = folder.path().join("schemathesis.toml");
    std::fs::write(&settings, format!("{SETTINGS}{}\n", begun["id"])).unwrap();
    let tested = tokio::task::spawn_blocking(move || {
        Command::new(program)
            .current_dir(folder.path())
            .arg("--config-file")
            .arg(settings)
            .args(["run", &format!("{}/api/openapi.json", server.address)])
            // An event stream never ends.
            .args(["--exclude-path-regex", "(events|stream)$", "--seed", "7", "--max-examples", &often(10).to_string()])
            .args(["--request-timeout", "120", "--suppress-health-check", "all", "--no-color"])
            .args(["--header", &format!("Authorization: Bearer {key}")])
            .output()
            .unwrap()
    });
    let tested = tested.await.unwrap();
    let said = String::from_utf8_lossy(&tested.stdout).into_owned();
    assert!(tested.status.success(), "{said}{}", String::from_utf8_lossy(&tested.stderr));
    let cases = said.lines().find(|line| line.contains(" generated, ")).expect("it prints the number of cases");
    eprintln!("{}", cases.trim());
}

/// Maximum number of types in a generated client.
const MODELS: usize = 220;

/// A program that checks descriptions, next to Schemathesis or named by a variable; `None` if it is not configured.
fn checker(variable: &str, name: &str) -> Option<PathBuf> {
    Some(PathBuf::from(tools::named(variable)?).with_file_name(name))
}

fn said(program: &mut Command) -> String {
    let done = program.output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{said}");
    said
}

/// Runs two validators, and a Python client generated from the description. The client plays a game, and reads a game of every variant with
/// its view.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn description_is_valid_and_generates_a_working_client() {
    let python = |name| checker("ZORKMID_SCHEMATHESIS", name);
    let programs = (python("openapi-spec-validator"), python("openapi-python-client"), python("python"));
    let (Some(validator), Some(generator), Some(python)) = programs else { return };
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("data"));
    let description = reqwest::get(format!("{}/api/openapi.json", server.address)).await.unwrap().text().await.unwrap();
    let file = folder.path().join("openapi.json");
    std::fs::write(&file, description).unwrap();
    let tried = tokio::task::spawn_blocking(move || {
        said(Command::new(validator).arg(&file));
        if let Some(linter) = checker("ZORKMID_REDOCLY", "redocly") {
            let lint = said(Command::new(linter).current_dir(folder.path()).args(["lint", "openapi.json"]));
            assert!(!lint.contains("warning"), "{lint}");
        }
        let client = folder.path().join("zorkmid_client");
        let models = client.join("models");
        let made = said(
            Command::new(generator)
                .args(["generate", "--meta", "none", "--path"])
                .arg(&file)
                .arg("--output-path")
                .arg(client),
        );
        for lost in ["Unable to", "WARNING parsing", "will not be generated", "has resulted in the removal"] {
            assert!(!made.contains(lost), "{made}");
        }
        let models = std::fs::read_dir(models).unwrap().count();
        assert!(models <= MODELS, "the client has {models} models");
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/web/client.py");
        said(Command::new(python).arg(script).arg(folder.path()).arg(&server.address))
    });
    let played = tried.await.unwrap();
    assert_eq!(played.lines().count(), VARIANTS.len(), "{played}");
}
