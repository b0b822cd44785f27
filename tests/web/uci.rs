//! The UCI engine: python-chess plays whole games with it, and invalid commands do no harm.

use super::tools;
use std::{
    io::Write,
    process::{Command, Stdio},
};

/// Output of the engine for an input.
fn engine(arguments: &[&str], input: &[u8]) -> Result<String, String> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
    program.arg("uci").args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut program = program.spawn().unwrap();
    // An engine that has refused its arguments reads nothing.
    let _ = program.stdin.take().unwrap().write_all(input);
    let output = program.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[test]
fn python_chess_plays_whole_games_with_the_engine() {
    let Some(python) = tools::named("ZORKMID_PYFFISH") else { return };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/web/uci.py");
    let output = Command::new(python).args([script, env!("CARGO_BIN_EXE_zorkmid")]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn engine_reports_invalid_commands_and_goes_on() {
    for (command, said) in [
        ("position fen nonsense", "info string "),
        ("position", "info string a position is startpos or a FEN"),
        ("position startpos moves e2e5", "info string move e2e5: "),
        ("position startpos moves e2e4 resign", "info string move resign: "),
        ("position startpos moves f2f3 e7e5 g2g4 d8h4 a2a3", "info string move a2a3: the game is over"),
        ("setoption name UCI_Variant value checkers", "info string UCI engines have no variant “checkers”"),
        ("setoption name Hash value 16", "info string there is no option Hash"),
        ("go depth many nodes", "bestmove "),
        ("go depth 1 wtime -5 movestogo 0", "bestmove "),
        ("position startpos moves f2f3 e7e5 g2g4 d8h4\ngo depth 2", "bestmove (none)"),
        ("go infinite", "bestmove "),
        ("\u{0}\u{7f}", ""),
        ("fly me to the moon", ""),
    ] {
        let told = engine(&[], format!("{command}\nstop\nisready\n").as_bytes()).unwrap();
        assert!(told.contains(said) && told.ends_with("readyok\n"), "{command}: {told}");
    }
    assert_eq!(engine(&[], b"\xff\xfe\nisready\nquit\nisready\n").unwrap(), "readyok\n");
    let refused = engine(&["fog-of-war"], b"uci\n").unwrap_err();
    assert!(refused.contains("fog-of-war") && refused.contains("crazyhouse"), "{refused}");
}

#[test]
fn engine_answers_while_it_searches_and_stops_when_told() {
    let told = engine(&[], b"position startpos\ngo infinite\nisready\nstop\nquit\n").unwrap();
    let at = |line: &str| told.find(line).unwrap_or_else(|| panic!("{line} is not in {told}"));
    assert!(at("readyok") < at("bestmove "), "{told}");
    assert_eq!(told.matches("bestmove ").count(), 1, "{told}");
}
