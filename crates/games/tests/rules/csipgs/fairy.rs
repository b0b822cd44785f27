//! Fairy-Stockfish as a reference, through its Python module pyffish: sends variants and games, receives legal moves.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use serde_json::{Value, json};

/// A game in a variant: its start, its moves, and the legal moves at each ply. The last list has no move played.
pub(super) struct Line {
    pub(super) fen: String,
    pub(super) moves: Vec<String>,
    pub(super) legal: Vec<Vec<String>>,
}

/// A variant configuration, with games.
pub(super) struct Question {
    pub(super) name: String,
    pub(super) ini: String,
    pub(super) games: Vec<Line>,
}

/// Python with pyffish, if it is available.
pub(super) fn judge() -> Option<String> {
    crate::tools::named("ZORKMID_PYFFISH")
}

/// Compares every ply of every game. Returns the number of plies and moves.
pub(super) fn compare(python: &str, questions: &[Question]) -> [usize; 2] {
    let asked: Vec<Value> = questions
        .iter()
        .map(|question| {
            let games: Vec<Value> =
                question.games.iter().map(|game| json!({"fen": game.fen, "moves": game.moves})).collect();
            json!({"name": question.name, "ini": question.ini, "games": games})
        })
        .collect();
    let mut child = Command::new(python)
        .args(["-c", include_str!("fairy.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap_or_else(|error| panic!("{python}: {error}"));
    child.stdin.take().unwrap().write_all(Value::from(asked).to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let last: String = said.chars().skip(said.chars().count().saturating_sub(2000)).collect();
    assert!(output.status.success(), "{python} has no pyffish, or it failed: {:?} {last}", output.status);
    let answers: Vec<Vec<Vec<Vec<String>>>> = serde_json::from_slice(&output.stdout).unwrap();
    let [mut plies, mut moves] = [0, 0];
    assert_eq!(answers.len(), questions.len());
    for (question, answers) in questions.iter().zip(answers) {
        for (game, theirs) in question.games.iter().zip(answers) {
            for (ply, (ours, theirs)) in game.legal.iter().zip(&theirs).enumerate() {
                let played = &game.moves[..ply];
                assert_eq!(ours, theirs, "{}\n{}\nafter {played:?}", question.ini, game.fen);
                plies += 1;
                moves += ours.len();
            }
            assert_eq!(game.legal.len(), theirs.len());
        }
    }
    [plies, moves]
}
