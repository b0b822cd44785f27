//! The TypeScript client: it compiles, every part of it works with a server, and its types are those of the API.

use super::{program::Server, tools, until};
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

const CLIENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/clients/typescript");
const README: &str = include_str!("../../clients/typescript/README.md");
const PACKAGE: &str = include_str!("../../clients/typescript/package.json");

/// Runs a program, which must succeed, and returns its output.
fn run(program: impl AsRef<Path>, arguments: &[&str]) -> String {
    let output = Command::new(program.as_ref()).args(arguments).output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    printed
}

/// Folder with the compiled client, if the compiler is installed.
fn compiled(folder: &Path) -> Option<PathBuf> {
    let modules = PathBuf::from(tools::named("ZORKMID_NODE_MODULES")?);
    let out = folder.join("dist");
    run(modules.join(".bin/tsc"), &["--project", CLIENT, "--outDir", out.to_str().unwrap()]);
    fs::write(out.join("package.json"), "{\"type\": \"module\"}").unwrap();
    Some(out)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn client_compiles_plays_follows_and_reads() {
    let data = tempfile::tempdir().unwrap();
    let Some(client) = compiled(data.path()) else { return };
    let server = Server::start(data.path());
    let ready = format!("{}/readyz", server.address);
    until("the endgame tables answer", async || reqwest::get(&ready).await.unwrap().status() == 200).await;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/web/typescript_client.mjs");
    run("node", &[script, client.to_str().unwrap(), &server.address]);

    let example = README.split("```js\n").nth(1).unwrap().split("```").next().unwrap();
    let example = example.replace("\"zorkmid\"", "\"./index.js\"").replace("http://127.0.0.1:8080", &server.address);
    let path = client.join("example.js");
    fs::write(&path, example).unwrap();
    let printed = run("node", &[path.to_str().unwrap()]);
    assert!(printed.starts_with("Keep this key: ") && printed.lines().count() == 2, "{printed}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn types_are_those_of_the_api() {
    let Some(modules) = tools::named("ZORKMID_NODE_MODULES") else { return };
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    // The script finds its packages and the client next to itself.
    let script = data.path().join("generate.mjs");
    fs::copy(format!("{CLIENT}/generate.mjs"), &script).unwrap();
    symlink(modules, data.path().join("node_modules")).unwrap();
    symlink(format!("{CLIENT}/src"), data.path().join("src")).unwrap();
    let generated = data.path().join("schema.ts");
    let description = format!("{}/api/openapi.json", server.address);
    run("node", &[script.to_str().unwrap(), &description, generated.to_str().unwrap()]);
    let kept = fs::read_to_string(format!("{CLIENT}/src/schema.ts")).unwrap();
    let same = fs::read_to_string(generated).unwrap() == kept;
    assert!(
        same,
        "clients/typescript/src/schema.ts is out of date; write it again with clients/typescript/generate.mjs"
    );
}

#[test]
fn client_has_the_version_of_the_server() {
    assert!(PACKAGE.contains(concat!("\"version\": \"", env!("CARGO_PKG_VERSION"), "\"")), "{PACKAGE}");
}
