//! Fairy-Stockfish through its Python module, if installed.

use std::{
    io::Write,
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::tools;

/// Output of a Python script that uses pyffish, with the question on its standard input; `None` where such tests are skipped.
pub(crate) fn answer(script: &str, question: &Value) -> Option<Value> {
    let python = tools::named("ZORKMID_PYFFISH")?;
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
