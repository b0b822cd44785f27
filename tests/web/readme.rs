//! What the README says is done as it stands there.

use std::{path::Path, process::Command};

use zorkmid::registry::VARIANTS;

use super::program::Server;

/// Waits until the endgame tables are there: how long that takes is the machine's affair.
const READY: &str = "until curl -sf $ZORKMID/readyz >/dev/null; do sleep 0.2; done\n";

const README: &str = include_str!("../../README.md");

/// The shell examples of the README that ask a server, one after the other.
fn example() -> String {
    let blocks = README.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.filter(|block| block.contains("$ZORKMID")).collect()
}

#[test]
fn the_examples_of_the_api_work() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let own = Path::new(env!("CARGO_BIN_EXE_zorkmid")).parent().unwrap();
    let done = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &format!("{READY}{}", example())])
        .env("ZORKMID", &server.address)
        .env("PATH", format!("{}:{}", own.display(), std::env::var("PATH").unwrap()))
        .output()
        .unwrap();
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success(), "{said}\n{}", String::from_utf8_lossy(&done.stderr));
    let lines: Vec<&str> = said.lines().collect();
    let [
        officers,
        whole,
        moved,
        asked,
        e4,
        c5,
        value,
        rook,
        small,
        line,
        wrong,
        proved,
        again,
        puzzle,
        graded,
        opponent,
        games,
        way,
    ] = lines.as_slice()
    else {
        panic!("{said}")
    };
    assert!(officers.ends_with(" - - 0 1") && !officers.contains(['k', 'K', 'p', 'P']), "{officers}");
    assert!(whole.contains('K') && whole.contains('k'), "{whole}");
    assert_eq!(*moved, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
    assert_eq!((*asked, *e4, *c5), ("one", "e4", "c5"));
    assert_eq!((*value, *rook, *small), ("21073/32256, bid -95/32256", "KRvK 3/4", "KNvK 5/8"));
    assert_eq!(line.split(' ').count(), 4, "{line}");
    assert!(proved.contains("proved") && again.ends_with("every value exact"), "{proved}\n{again}");
    assert!(wrong.contains("character 10") && wrong.contains("“x”"), "{wrong}");
    assert_eq!(*puzzle, "A coin decides who moves, and Black won the toss. What should the pawn promote to?");
    assert_eq!(*graded, "false, but n");
    assert_eq!((*opponent, *games, *way), ("program:Frobozz", "0", "hook"));
    server.kill();
}

#[test]
fn every_variant_has_its_line() {
    let table: String =
        VARIANTS.iter().map(|variant| format!("| **{}** | {} |\n", variant.title, variant.summary)).collect();
    assert!(README.contains(&table), "the table of variants in the README is to be\n{table}");
}
