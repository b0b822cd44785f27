//! Five pieces: the bounds agree with a slow solver that has its own move generator, and with an independent proof.

use super::small::{Slow, bounds, compared_by, solved};
use std::{collections::HashSet, fs};
use tempfile::TempDir;
use zorkmid_endgames::{
    Bounds, CaptureBounds, Columns, FiveCost, FiveFile, FiveNumbering, FivePieceMaterial, FivePiecePosition, FiveTable,
    FourPieceMaterial, SmallTables, board::Size, file_of_five, prove_five, read, solve_five,
};

const ONE: u64 = 1 << 63;

fn made(trio: &str, tables: &SmallTables) -> FiveTable {
    solve_five(trio.parse().unwrap(), tables.size(), &CaptureBounds::Small(tables), &mut |_| ())
}

/// Writes a table into a temporary folder, which is deleted after the test.
fn file(table: &FiveTable) -> (TempDir, FiveFile) {
    let folder = tempfile::tempdir().unwrap();
    let path = file_of_five(folder.path(), table.trio, table.size);
    table.write(&mut fs::File::create(&path).unwrap()).unwrap();
    (folder, FiveFile::open(&path).unwrap())
}

/// Bounds of a position from the file, or from the tables of fewer pieces.
fn told(file: &FiveFile, fewer: &SmallTables, fen: &str) -> Bounds {
    let position = read(fen).unwrap().position;
    match FivePiecePosition::of(fewer.size(), &position) {
        None => bounds(fewer, fen),
        Some(quint) => {
            let [alpha, beta] = file.bounds(&quint);
            // The bounds decide every position that the slow solver decides.
            assert!([alpha, beta].iter().all(|[low, high]| high - low <= ONE >> 40), "{fen}: {alpha:?} {beta:?}");
            [alpha[0], alpha[1], beta[0], beta[1]]
        }
    }
}

#[test]
fn every_trio_has_a_name_and_dependencies() {
    let all: Vec<FivePieceMaterial> = FivePieceMaterial::all().collect();
    assert_eq!((all.len(), all.iter().map(FivePieceMaterial::to_string).collect::<HashSet<_>>().len()), (60, 60));
    for trio in &all {
        assert_eq!(trio.to_string().parse(), Ok(*trio));
    }
    let needs = |name: &str| {
        name.parse::<FivePieceMaterial>().unwrap().needs().iter().map(FourPieceMaterial::to_string).collect::<Vec<_>>()
    };
    assert_eq!(needs("KNNNvK"), ["KNNvK"]);
    assert_eq!(needs("KRBvKN"), ["KBvKN", "KRvKN", "KRBvK"]);
    assert_eq!(needs("KNNvKQ"), ["KQvKN", "KNNvK"]);
    for wrong in ["KRBPvK", "KRNBvK", "KRBvK", "KRvKNN", "krbnvk", ""] {
        assert!(wrong.parse::<FivePieceMaterial>().is_err(), "{wrong}");
    }
    assert!("KRBPvK".parse::<FivePieceMaterial>().unwrap_err().to_string().contains("without pawns"));
}

#[test]
fn numbers_each_position_once_with_like_pieces() {
    let places = |name: &str| FiveNumbering::new(name.parse().unwrap(), Size::ORTHODOX).len();
    let all = [places("KRBNvK"), places("KNNvKR"), places("KRNNvK"), places("KNNNvK")];
    assert_eq!(all, [640 << 18, 640 * 2016 * 64, 640 * 64 * 2016, 640 * 41664]);
    for name in ["KRBNvK", "KNNvKR", "KRNNvK", "KNNNvK", "KRBvKN"] {
        let numbering = FiveNumbering::new(name.parse().unwrap(), Size::new(4, 3).unwrap());
        for place in 0..numbering.len() {
            let (king, bare, [a, b, c]) = numbering.squares(place);
            assert_eq!(numbering.at(king, bare, [a, b, c]), place, "{name}");
            if name == "KNNNvK" {
                assert_eq!(numbering.at(king, bare, [c, a, b]), place);
            }
            let mirrored = |square: usize| square / 4 * 4 + 3 - square % 4;
            assert_eq!(numbering.at(mirrored(king), mirrored(bare), [a, b, c].map(mirrored)), place, "{name}");
        }
    }
}

#[test]
fn naive_solver_agrees_on_five_pieces() {
    let apart = |tables: &SmallTables, name: &str, letters: &str| {
        let (_folder, file) = file(&made(name, tables));
        compared_by(&mut Slow::new(tables.size()), letters, &|fen| told(&file, tables, fen))
    };
    let square = solved(3, 3, 4);
    let materials =
        [("KNNNvK", "KNNNk"), ("KRBNvK", "KRBNk"), ("KRNNvK", "KRNNk"), ("KBBvKN", "KBBkn"), ("KNNvKQ", "KNNkq")];
    for (name, letters) in materials {
        assert_eq!(apart(&square, name, letters), 0, "{name}");
    }
    let oblong = solved(3, 4, 4);
    for (name, letters) in [("KNNNvK", "KNNNk"), ("KBBvKN", "KBBkn")] {
        assert_eq!(apart(&oblong, name, letters), 0, "{name}");
    }
}

#[test]
fn independent_verifier_accepts_only_the_unchanged_file() {
    let tables = solved(4, 4, 4);
    let table = made("KRBvKN", &tables);
    let proved = |table: &FiveTable| {
        let (folder, file) = file(table);
        prove_five(&file_of_five(folder.path(), file.trio, file.size), Some(&tables))
    };
    let right = proved(&table).unwrap();
    assert_eq!((right.material.as_str(), right.size, right.open), ("KRBvKN", table.size, 0));
    assert_eq!(right.positions, FiveCost::of(table.trio, table.size).positions);
    let apart = table.columns.wide.iter().filter(|wide| wide.alpha < wide.beta).count();
    assert!(right.apart == apart && apart > 0 && right.widest <= 8192, "{right:?}");
    let changed = |change: &dyn Fn(&mut Columns)| {
        let Columns { low, span, wide } = &table.columns;
        let mut columns = Columns { low: low.clone(), span: span.clone(), wide: wide.clone() };
        change(&mut columns);
        proved(&FiveTable { trio: table.trio, size: table.size, columns }).unwrap_err()
    };
    let middle = |low: &u64| (ONE / 4..ONE / 4 * 3).contains(low);
    let Columns { low, span, .. } = &table.columns;
    let at = low.iter().zip(span).position(|(low, span)| middle(low) && *span != u16::MAX).unwrap();
    let why = changed(&|columns| columns.low[at] += 1 << 40);
    assert!(why.contains("the lower bound of this position is not proved"), "{why}");
    let why = changed(&|columns| columns.low[at] -= 1 << 40);
    assert!(why.contains("the upper bound of this position is not proved"), "{why}");
    let first = |columns: &Columns| columns.wide.iter().position(|wide| wide.alpha < wide.beta).unwrap();
    let why = changed(&|columns| {
        let at = first(columns);
        columns.wide[at].alpha -= (columns.wide[at].alpha - columns.low[columns.wide[at].place as usize]) + 1;
    });
    assert!(why.contains("the bounds are out of order"), "{why}");
    let why = changed(&|columns| {
        columns.wide.iter_mut().for_each(|wide| wide.beta = wide.high);
    });
    assert!(why.contains("the lower bound of β is above the mean of the best moves"), "{why}");
    let why = changed(&|columns| {
        columns.wide.iter_mut().for_each(|wide| wide.alpha = columns.low[wide.place as usize]);
    });
    assert!(why.contains("the upper bound of α is below the mean of the best moves"), "{why}");
}
