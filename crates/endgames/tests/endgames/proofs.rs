//! Value files are proved from their contents alone by two programs that share nothing with the solver. Neither accepts a file with a fault.

use std::{fs, process::Command};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use zorkmid_endgames::{
    Classes, Material, Table,
    board::{
        Betza, Size,
        orthodox::{BISHOP, KING, KNIGHT, QUEEN, ROOK},
    },
    export, export_binary, prove, rules, solve, solve_by,
};

fn size(width: u8, height: u8) -> Size {
    Size::new(width, height).unwrap()
}

fn file(table: &Table, material: Option<Material>) -> String {
    let mut text = Vec::new();
    export(table, material, &mut text).unwrap();
    String::from_utf8(text).unwrap()
}

fn solved(width: u8, height: u8) -> Table {
    solve(size(width, height), &mut |_| ()).unwrap()
}

fn binary(table: Table, material: Option<Material>) -> Vec<u8> {
    let mut bytes = Vec::new();
    export_binary(&Classes::new(table.into()), material, &mut bytes).unwrap();
    bytes
}

/// Returns whether the Python program proves a file, and its output.
fn python(text: &str) -> (bool, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.csv");
    fs::write(&path, text).unwrap();
    let done = Command::new("python3").arg("../../examples/verify.py").arg(&path).output().unwrap();
    let said = [done.stdout, done.stderr].concat();
    (done.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn proves_files_of_small_boards() {
    for width in 3..=5 {
        for height in 3..=5 {
            let table = solved(width, height);
            let positions: usize = table.index().layers().iter().map(|layer| layer.ids.len()).sum();
            let proved = prove(file(&table, None).as_bytes()).unwrap();
            // The table also has the values 0 and 1 of finished games.
            let expected = ((width, height), positions, table.distinct() - 2);
            assert_eq!((proved.board, proved.classes, proved.values), expected);
            for material in Material::ALL {
                let proved = prove(file(&table, Some(material)).as_bytes()).unwrap();
                assert!(proved.materials.contains(&material.to_string()), "{proved:?}");
            }
        }
    }
    for (width, height) in [(8, 3), (3, 8), (4, 7)] {
        prove(file(&solved(width, height), None).as_bytes()).unwrap();
    }
}

#[test]
fn proves_the_file_of_the_orthodox_board() {
    let proved = prove(file(&solved(8, 8), None).as_bytes()).unwrap();
    assert_eq!((proved.classes, proved.positions, proved.materials.len()), (219_590, 1_191_456, 6));
}

#[test]
fn python_verifier_agrees() {
    for (width, height) in [(3, 3), (4, 3), (3, 5), (4, 4)] {
        let (proved, said) = python(&file(&solved(width, height), None));
        assert!(proved && said.contains(&format!("of {width}x{height}, every value exact")), "{said}");
    }
    let (proved, said) = python(&file(&solved(8, 8), Some(Material::Rook)));
    assert!(proved && said.contains("31850 classes, 254016 positions of 8x8"), "{said}");
}

/// The file with one field of one line replaced.
fn spoiled(text: &str, line: usize, field: usize, other: impl Fn(&str) -> String) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut fields: Vec<String> = lines[line].split(',').map(str::to_owned).collect();
    fields[field] = other(&fields[field]);
    lines[line] = fields.join(",");
    lines.join("\n") + "\n"
}

#[test]
fn both_verifiers_reject_every_single_fault() {
    let right = file(&solved(4, 4), None);
    let count = right.lines().count();
    let rng = &mut StdRng::seed_from_u64(3);
    let more = |text: &str| (text.parse::<u64>().unwrap() + 1).to_string();
    let twofold = |text: &str| (text.parse::<u64>().unwrap() * 2).to_string();
    let flipped = |text: &str| if text == "0" { "1" } else { "0" }.to_owned();
    let less = |text: &str| (text.parse::<u64>().unwrap().max(2) - 1).to_string();
    for round in 0..12 {
        let line = rng.random_range(1..count);
        let without: String =
            right.lines().enumerate().filter(|(at, _)| *at != line).map(|(_, line)| format!("{line}\n")).collect();
        let twice = right.clone() + right.lines().nth(line).unwrap() + "\n";
        let faults = [
            ("a value", spoiled(&right, line, 2, more)),
            ("terms that are not the lowest", spoiled(&spoiled(&right, line, 1, twofold), line, 2, twofold)),
            ("White's label", spoiled(&right, line, 3, more)),
            (
                "White's label, less",
                spoiled(&right, line, 3, |text| if text == "1" { "2".to_owned() } else { less(text) }),
            ),
            ("Black's label", spoiled(&right, line, 4, more)),
            ("zugzwang", spoiled(&right, line, 5, flipped)),
            ("quiescent", spoiled(&right, line, 6, flipped)),
            ("one that is not there", without),
            ("one that is there twice", twice),
        ];
        for (what, text) in faults {
            let why = prove(text.as_bytes()).expect_err(what);
            assert!(why.starts_with("line ") || why.starts_with("a position is missing"), "{what}: {why}");
            if round == 0 {
                let (proved, said) = python(&text);
                assert!(!proved, "{what}: {said}");
            }
        }
    }
}

#[test]
fn both_verifiers_reject_tables_with_missing_moves() {
    let mut tried = 0;
    for (kind, less) in [(KNIGHT, "ffNbbN"), (BISHOP, "fB"), (ROOK, "fbR"), (QUEEN, "fbRB"), (KING, "royal-fW")] {
        for board in [size(4, 4), size(3, 5)] {
            let mut rules = rules(board).clone();
            let mut poorer = rules.kind(kind).clone();
            poorer.design = less.parse::<Betza>().unwrap().design(board).into();
            rules.replace(kind, poorer);
            let Ok(wrong) = solve_by(&rules, 100, &mut |_| ()) else { continue };
            tried += 1;
            let text = file(&wrong, None);
            prove(text.as_bytes()).expect_err(less);
            assert!(!python(&text).0, "{less}");
        }
    }
    // Without some moves the end cannot always be forced, and then there is no table.
    assert!(tried >= 6, "{tried}");
}

#[test]
fn malformed_files_are_rejected_with_the_line() {
    let right = file(&solved(3, 3), None);
    let head = right.lines().next().unwrap();
    for (text, why) in [
        (String::new(), "line 1"),
        ("hello\n".to_owned(), "line 1"),
        (format!("{head}\n"), "no positions"),
        (format!("{head}\nK1k/3/3,1,2\n"), "line 2: a line must have seven fields"),
        (format!("{head}\nK1x/3/3,1,2,2,2,0,1\n"), "no black king"),
        (format!("{head}\nKk7/9/9,1,2,1,1,0,0\n"), "3 to 8"),
        (format!("{head}\nKk1/3/3,2,4,1,1,0,0\n"), "lowest terms"),
        (format!("{head}\nKk1/3/3,3,2,1,1,0,0\n"), "lowest terms"),
        (format!("{head}\nKk1/3/3,1,0,1,1,0,0\n"), "lowest terms"),
        (format!("{head}\nKk1/3/3,1,2,x,1,0,0\n"), "whole number"),
        (format!("{head}\nKk1/3/P2,1,2,1,1,0,0\n"), "pawn"),
        (format!("{head}\nKk1/4/3,1,2,1,1,0,0\n"), "lengths"),
        (format!("{head}\nKk1/3/QR1,1,2,1,1,0,0\n"), "more than three"),
        (format!("{right}Kk2/4/4/4,1,2,1,1,0,0\n"), "differs from the previous line"),
    ] {
        let said = prove(text.as_bytes()).unwrap_err();
        assert!(said.contains(why), "{text}: {said}");
    }
}

#[test]
fn binary_form_is_proved_and_rejects_changed_bytes() {
    for (width, height, material) in [(3, 3, None), (4, 3, Some(Material::Rook)), (3, 5, Some(Material::Pawn))] {
        let text = file(&solved(width, height), material);
        assert_eq!(prove(&binary(solved(width, height), material)), prove(text.as_bytes()));
    }
    let right = binary(solved(3, 4), None);
    let begins = |count: usize| right[..count].to_vec();
    for (bytes, why) in [
        (begins(12), "ends too early"),
        (begins(right.len() - 1), "ends too early"),
        ([right.clone(), vec![0]].concat(), "extra bytes after its last record"),
        (vec![0xff; 90], "neither the text nor the binary form"),
    ] {
        let said = prove(&bytes).unwrap_err();
        assert!(said.contains(why), "{said}");
    }
    let rng = &mut StdRng::seed_from_u64(4);
    // Except in the digest, which identifies the table of the whole board, any changed byte must be noticed.
    for _ in 0..300 {
        let mut wrong = right.clone();
        let at = rng.random_range(0..wrong.len());
        if (20..52).contains(&at) {
            continue;
        }
        wrong[at] ^= 1 << rng.random_range(0..8);
        prove(&wrong).expect_err(&format!("byte {at}"));
    }
}
