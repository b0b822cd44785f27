//! The documents: their API examples run, and their tables of variants and commands are complete.

use std::{
    collections::BTreeSet,
    path::Path,
    process::{Command, Output},
};

use zorkmid::registry::VARIANTS;

use super::program::Server;

/// Waits for the endgame tables, however slow the machine is.
const READY: &str = "until curl -sf $ZORKMID/readyz >/dev/null; do sleep 0.2; done\n";

const README: &str = include_str!("../../README.md");
const API: &str = include_str!("../../docs/api.md");
const COMMANDS: &str = include_str!("../../docs/commands.md");
const CITATION: &str = include_str!("../../CITATION.cff");

/// The shell examples of a document that call a server, one after the other.
fn examples(document: &str) -> String {
    let blocks = document.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.filter(|block| block.contains("$ZORKMID")).collect()
}

/// Runs the examples of a document against a new server and returns the lines they print.
fn run(document: &str) -> Vec<String> {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let own = Path::new(env!("CARGO_BIN_EXE_zorkmid")).parent().unwrap();
    let Output { status, stdout, stderr } = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &format!("{READY}{}", examples(document))])
        .env("ZORKMID", &server.address)
        .env("PATH", format!("{}:{}", own.display(), std::env::var("PATH").unwrap()))
        .output()
        .unwrap();
    let printed = String::from_utf8(stdout).unwrap();
    assert!(status.success(), "{printed}\n{}", String::from_utf8_lossy(&stderr));
    server.kill();
    printed.lines().map(str::to_owned).collect()
}

/// A list of lines as one array.
fn lines<const N: usize>(printed: &[String]) -> [&str; N] {
    let lines: Vec<&str> = printed.iter().map(String::as_str).collect();
    lines.try_into().unwrap_or_else(|lines| panic!("{lines:?}"))
}

#[test]
fn the_examples_of_the_readme_run() {
    let printed = run(README);
    let [officers, whole, moved, asked, value, puzzle, graded] = lines(&printed);
    assert!(officers.ends_with(" - - 0 1") && !officers.contains(['k', 'K', 'p', 'P']), "{officers}");
    assert!(whole.contains('K') && whole.contains('k'), "{whole}");
    assert_eq!(moved, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    assert_eq!(asked, "two");
    assert_eq!(value, "21073/32256, bid -95/32256");
    assert_eq!(puzzle, "A coin decides who moves, and Black won the toss. What should the pawn promote to?");
    assert_eq!(graded, "false, but n");
}

#[test]
fn the_examples_of_the_api_guide_run() {
    let printed = run(API);
    let [moved, asked, e4, c5, opponent, games, way, rook, small, line, wrong, proved, again] = lines(&printed);
    assert_eq!(moved, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    assert_eq!((asked, e4, c5), ("one", "e4", "c5"));
    assert_eq!((opponent, games, way), ("program:Frobozz", "0", "hook"));
    assert_eq!((rook, small), ("KRvK 3/4", "KNvK 5/8"));
    assert_eq!(line.split(' ').count(), 4, "{line}");
    assert!(wrong.contains("character 10") && wrong.contains("“x”"), "{wrong}");
    assert!(proved.contains("proved") && again.ends_with("every value exact"), "{proved}\n{again}");
}

#[test]
fn the_readme_names_every_variant() {
    let rows = README.lines().filter(|line| line.starts_with("| "));
    let named: BTreeSet<&str> = rows.flat_map(|row| row.split("**").skip(1).step_by(2)).collect();
    let titles: BTreeSet<&str> = VARIANTS.iter().map(|variant| variant.title).collect();
    assert_eq!(named, titles);
}

#[test]
fn the_guide_lists_every_command() {
    let help = Command::new(env!("CARGO_BIN_EXE_zorkmid")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let commands = commands.lines().take_while(|line| !line.is_empty());
    let commands: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.contains(&"serve"), "{help}");
    for command in commands.into_iter().filter(|command| *command != "help") {
        assert!(COMMANDS.contains(&format!("`zorkmid {command}")), "docs/commands.md lacks {command}");
    }
}

#[test]
fn the_citation_has_the_version_of_the_package() {
    assert!(CITATION.lines().any(|line| line == concat!("version: ", env!("CARGO_PKG_VERSION"))), "{CITATION}");
}
