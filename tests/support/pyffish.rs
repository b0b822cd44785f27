//! Fairy-Stockfish through its Python module, if there is one to ask.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use serde_json::Value;

/// The answer of a Python script that has pyffish to a question on its standard input; nothing if no such Python is named.
pub(crate) fn answer(script: &str, question: &Value) -> Option<Value> {
    let Ok(python) = std::env::var("ZORKMID_PYFFISH") else {
        eprintln!(
            "not compared with Fairy-Stockfish: ZORKMID_PYFFISH is not set. It names a Python that has pyffish: \
             python3 -m venv FOLDER, FOLDER/bin/pip install pyffish, ZORKMID_PYFFISH=FOLDER/bin/python; tests/run does that."
        );
        return None;
    };
    let mut child = Command::new(&python)
        .args(["-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|error| panic!("{python}: {error}"));
    child.stdin.take().unwrap().write_all(question.to_string().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{python} has no pyffish, or it failed");
    Some(serde_json::from_slice(&output.stdout).unwrap())
}
