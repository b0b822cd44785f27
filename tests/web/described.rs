//! The API against its own description, by a program that we did not write: Schemathesis asks what the description allows, and what it
//! does not, and holds every answer against it.

use super::{often::often, program::Server, until};
use serde_json::{Value, json};
use std::process::Command;

/// The settings of Schemathesis. That what a schema allows is accepted is not asked: no schema knows what a FEN, a piece in Betza's
/// notation or an army is.
const SETTINGS: &str = "[checks]\npositive_data_acceptance.enabled = false\n\n[parameters]\n\"path.id\" = ";

/// Some ten thousand cases: `ZORKMID_TRIES=4000`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_answer_is_one_that_is_described() {
    let Ok(program) = std::env::var("ZORKMID_SCHEMATHESIS") else {
        eprintln!(
            "SKIPPED: ZORKMID_SCHEMATHESIS is not set. It names the program st of Schemathesis: \
             python3 -m venv FOLDER, FOLDER/bin/pip install schemathesis, ZORKMID_SCHEMATHESIS=FOLDER/bin/st; tests/run does that."
        );
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("data"));
    let client = reqwest::Client::new();
    until("the endgame tables answer", async || {
        client.get(format!("{}/readyz", server.address)).send().await.unwrap().status() == 200
    })
    .await;
    // A key that holds a seat is let in wherever a key or a seat is asked for.
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
            // An event stream has no end.
            .args(["--exclude-path-regex", "(events|stream)$", "--seed", "7", "--max-examples", &often(10).to_string()])
            .args(["--request-timeout", "120", "--suppress-health-check", "all", "--no-color"])
            .args(["--header", &format!("Authorization: Bearer {key}")])
            .output()
            .unwrap()
    });
    let tested = tested.await.unwrap();
    let said = String::from_utf8_lossy(&tested.stdout).into_owned();
    assert!(tested.status.success(), "{said}{}", String::from_utf8_lossy(&tested.stderr));
    let cases = said.lines().find(|line| line.contains(" generated, ")).expect("it says how many cases there were");
    eprintln!("{}", cases.trim());
}
