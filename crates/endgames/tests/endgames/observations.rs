//! The programs behind `docs/observations.md` find the numbers of its files again.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use zorkmid_endgames::{
    Auction, Classes, NEVER_STOP,
    board::{Color, Size},
    endgame::{NextStep, Price, Settlement, Side, Tie},
    export, export_binary, read,
};

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

/// Number of pairs of a class and a total up to `limit` in which whole chips differ from the share, by scheme and material. A marker is checked to
/// give the same results as a tie for the side that did not move last.
fn differing(csv: &str, limit: i64) -> BTreeMap<(String, String), usize> {
    let mut pairs = BTreeMap::new();
    for line in csv.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let question = read(cells[0]).unwrap();
        let table = table(question.size);
        let [num, den] = [cells[1], cells[2]].map(|number| number.parse::<i128>().unwrap());
        let winner = |chips: [i64; 2], tie: Tie, holder: Color| {
            let sealed = Some(Settlement { tie, price: Price::First, holder });
            let auction = Auction { chips, next_step: NextStep::Sealed, negative: true, sealed };
            question.verdict(&table, &auction, NEVER_STOP).unwrap().winner
        };
        let mut differ = [0; 2];
        for total in 1..=limit {
            let mut found = [false; 2];
            for (black, holder) in (0..=total).flat_map(|black| Color::BOTH.map(|holder| (black, holder))) {
                let chips = [total - black, black];
                let [loser, side, marker] = [Tie::Loser, Tie::Side, Tie::Marker].map(|tie| winner(chips, tie, holder));
                assert_eq!(loser, marker, "{} {chips:?} {holder:?}", cells[0]);
                let lead = num * i128::from(total) - i128::from(black) * den;
                let expected = Some(if lead > 0 { Side::White } else { Side::Black });
                for (found, winner) in found.iter_mut().zip([loser, side]) {
                    *found |= lead != 0 && winner != expected;
                }
            }
            for (differ, found) in differ.iter_mut().zip(found) {
                *differ += usize::from(found);
            }
        }
        let material = question.answer(&table).material.to_string();
        for (scheme, differ) in ["last", "side"].into_iter().zip(differ) {
            *pairs.entry((scheme.to_owned(), material.clone())).or_default() += differ;
        }
    }
    pairs
}

#[test]
fn whole_chips_differ_as_by_the_verdicts() {
    let Some(python) = numpy() else { return };
    let folder = tempfile::tempdir().unwrap();
    let csv = exact_csv(folder.path(), 3, 3);
    let mut pairs = BTreeMap::new();
    for line in printed(&python, "chips.py", &[&csv, "--to", "5"]).iter().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        *pairs.entry((cells[1].to_owned(), cells[2].to_owned())).or_default() += cells[7].parse::<usize>().unwrap();
    }
    assert_eq!(pairs, differing(&fs::read_to_string(&csv).unwrap(), 5));
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

/// Compares the sizes, distances and classes of gaps in a folder's tables with the document.
fn compare_gaps(python: &Path, folder: &Path, start: &str) {
    let exact = tempfile::NamedTempFile::new().unwrap();
    export_binary(&Classes::new(orthodox()), None, &mut exact.as_file()).unwrap();
    let words = [exact.path(), folder].map(|path| path.to_str().unwrap());
    assert_eq!(printed(python, "gaps.py", &words), listed("gaps.csv", start));
    assert_eq!(printed(python, "gaps.py", &[words[0], words[1], "--distances"]), listed("distances.csv", start));
    assert_eq!(printed(python, "gaps.py", &[words[0], words[1], "--classes"]), listed("classes.csv", start));
    assert_eq!(printed(python, "gaps.py", &[words[0], words[1], "--zugzwangs"]), listed("zugzwangs.csv", start));
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
