//! The sub-commands of the program that need no server: `value`, `solve` and `verify`.

use std::process::Command;

/// What the program prints, or what it complains of when it fails.
fn run(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_zorkmid")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

#[test]
fn a_value_in_words() {
    let text = run(&["value", "3k/4/4/K2N"]).unwrap();
    assert!(text.starts_with("3k/4/4/K2N  KNvK\nvalue   31/48 ≈ 0.6458333333\nbid     "), "{text}");
    assert!(text.contains(", zugzwang\nWhite   Ka2!    61/96 ≈ 0.6354166667\nWhite   Kb1!"), "{text}");
    assert_eq!(run(&["value", "K/1/1"]).unwrap(), "K/1/1  Kv\nover    white\nvalue   1\nbid     0\n");
    assert!(run(&["value", "3k/4/4/KRRR"]).unwrap().contains("unknown 5 pieces"));
    assert!(run(&["value", "3k/4/4/K2X"]).unwrap_err().contains("character 10"));
    let json = run(&["value", "3k/4/4/K2N", "--json"]).unwrap();
    assert!(json.contains("\"num\": \"31\""), "{json}");
}

#[test]
fn a_board_is_named_by_its_files_and_ranks() {
    for (board, named) in [("3x4", "3×4: "), ("4x3", "4×3: ")] {
        let text = run(&["solve", "--board", board]).unwrap();
        assert!(text.starts_with(named), "{text}");
    }
    let text = run(&["verify", "--board", "4x3"]).unwrap();
    assert!(text.contains("every equation holds exactly"), "{text}");
    for wrong in ["", "8", "2x4", "8x9", "axb", "8x8x8"] {
        let complaint = run(&["solve", "--board", wrong]).unwrap_err();
        assert!(complaint.contains("write files and ranks from 3 to 8"), "{wrong}: {complaint}");
    }
}

#[test]
fn a_file_is_proved_or_it_is_said_why_not() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let table = zorkmid::richman::solve(zorkmid::board::Size::new(3, 4).unwrap(), &mut |_| ()).unwrap();
    let mut text = Vec::new();
    zorkmid::richman::export(&table, None, &mut text).unwrap();
    std::fs::write(path("right.csv"), &text).unwrap();
    let proved = run(&["verify", &path("right.csv")]).unwrap();
    assert!(proved.contains("6072 positions of KvK, KNvK, KBvK, KRvK, KQvK, KPvK on 3x4"), "{proved}");
    std::fs::write(path("packed.csv.gz"), &text).unwrap();
    let complaint = run(&["verify", &path("packed.csv.gz")]).unwrap_err();
    assert!(complaint.contains("packed.csv.gz: cannot be read"), "{complaint}");
    assert!(run(&["verify", &path("none.csv")]).unwrap_err().contains("none.csv: cannot be read"));
    let half = &text[..text.len() / 2];
    std::fs::write(path("half.csv"), &half[..=half.iter().rposition(|byte| *byte == b'\n').unwrap()]).unwrap();
    let complaint = run(&["verify", &path("half.csv")]).unwrap_err();
    assert!(complaint.contains("half.csv: ") && complaint.contains("the file does not tell"), "{complaint}");
}
