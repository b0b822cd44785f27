//! The programs behind `docs/observations.md` find the numbers of its files again.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use zorkmid_endgames::{Classes, board::Size, export, export_binary};

use super::{four::decided_rook_and_bishop, orthodox, table};

/// Python with numpy, if the test command installed it.
fn numpy() -> Option<PathBuf> {
    std::env::var_os("ZORKMID_SCHEMATHESIS").map(|program| Path::new(&program).with_file_name("python"))
}

/// Lines that a program in `examples` prints.
fn printed(python: &Path, script: &str, words: &[&str]) -> Vec<String> {
    let script = format!("../../examples/{script}");
    let done = Command::new(python).arg("-B").arg(script).args(words).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap().lines().map(str::to_owned).collect()
}

/// The first line of a file of the document, and its lines that begin with `start`.
fn listed(file: &str, start: &str) -> Vec<String> {
    let text = fs::read_to_string(format!("../../docs/observations/{file}")).unwrap();
    text.lines()
        .enumerate()
        .filter(|(at, line)| *at == 0 || line.starts_with(start))
        .map(|(_, line)| line.to_owned())
        .collect()
}

/// Writes the exact table of a board as CSV.
fn exact_csv(folder: &Path, width: u8, height: u8) -> String {
    let path = folder.join(format!("{width}x{height}.csv"));
    let size = Size::new(width, height).unwrap();
    export(&table(size), None, &mut fs::File::create(&path).unwrap()).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn waiting_positions_are_those_of_the_document() {
    let folder = tempfile::tempdir().unwrap();
    for (width, height) in [(3, 3), (3, 4), (4, 4)] {
        let csv = exact_csv(folder.path(), width, height);
        let found = printed(Path::new("python3"), "waiting.py", &[&csv]);
        assert_eq!(found, listed("waiting.csv", &format!("{width}x{height},")));
    }
}

#[test]
fn whole_chips_differ_as_in_the_document() {
    let Some(python) = numpy() else { return };
    let folder = tempfile::tempdir().unwrap();
    let csv = exact_csv(folder.path(), 4, 4);
    assert_eq!(printed(&python, "chips.py", &[&csv]), listed("chips.csv", "4x4,"));
}

#[test]
fn periods_of_whole_chips_are_proved_with_right_values_only() {
    let Some(python) = numpy() else { return };
    let folder = tempfile::tempdir().unwrap();
    let csv = exact_csv(folder.path(), 4, 4);
    let proved = printed(&python, "chip_period.py", &[&csv]);
    let found =
        ["last: proved from total 4 on. Of 459 positions, 130", "side: proved from total 16 on. Of 459 positions, 297"];
    assert!(proved.len() == 2 && proved.iter().zip(found).all(|(line, part)| line.contains(part)), "{proved:?}");

    let text = fs::read_to_string(&csv).unwrap();
    let wrong = text.replacen("4/2k1/4/BK2,3,4,", "4/2k1/4/BK2,11,16,", 1);
    assert_ne!(wrong, text);
    fs::write(&csv, wrong).unwrap();
    let done = Command::new(&python).args(["-B", "../../examples/chip_period.py", &csv]).output().unwrap();
    assert_eq!((done.status.success(), done.stderr.as_slice()), (false, b"4x4, last: not proved\n".as_slice()));
}

#[test]
fn gaps_with_a_bank_are_those_of_the_document() {
    let Some(python) = numpy() else { return };
    assert_eq!(printed(&python, "bank.py", &["4x4", "KBvKN"]), listed("bank.csv", "4x4,"));
}

/// Compares the sizes and distances of gaps in a folder's tables with the document.
fn compare_gaps(python: &Path, folder: &Path, start: &str) {
    let exact = tempfile::NamedTempFile::new().unwrap();
    export_binary(&Classes::new(orthodox()), None, &mut exact.as_file()).unwrap();
    let words = [exact.path(), folder].map(|path| path.to_str().unwrap());
    assert_eq!(printed(python, "gaps.py", &words), listed("gaps.csv", start));
    assert_eq!(printed(python, "gaps.py", &[words[0], words[1], "--distances"]), listed("distances.csv", start));
}

#[test]
fn gaps_of_rook_and_bishop_are_those_of_the_document() {
    let Some(python) = numpy() else { return };
    compare_gaps(&python, decided_rook_and_bishop().path(), "KRBvK,");
}

#[test]
#[ignore = "needs the thirty files, in the folder that ZORKMID_FOUR names"]
fn gaps_of_all_materials_are_those_of_the_document() {
    let Some(python) = numpy() else { return };
    let folder = std::env::var_os("ZORKMID_FOUR").expect("ZORKMID_FOUR must name the folder");
    compare_gaps(&python, Path::new(&folder), "");
}
