//! Five pieces: bounds that a slow solver with moves of its own and another program's proof agree with, and what the command line says of them.

use super::{
    orthodox,
    small::{Slow, bounds, compared_by, solved},
};
use std::{collections::HashSet, fs, path::Path, process::Command};
use tempfile::TempDir;
use zorkmid::{
    board::Size,
    richman::{
        Aside, Bounds, Category, Columns, FiveCost, FiveFile, FiveNumbering, FiveTable, FourFiles, FourTable,
        Numbering, Pair, Quint, SmallTables, Tables, Trio, WrongFile, file_of, file_of_five, prove_five, read,
        solve_five,
    },
};

const ONE: u64 = 1 << 63;

fn made(trio: &str, tables: &SmallTables) -> FiveTable {
    solve_five(trio.parse().unwrap(), tables.size(), &Aside::Small(tables), &mut |_| ())
}

/// The file of a table in a folder of its own, which goes with the tests.
fn file(table: &FiveTable) -> (TempDir, FiveFile) {
    let folder = tempfile::tempdir().unwrap();
    let path = file_of_five(folder.path(), table.trio, table.size);
    table.write(&mut fs::File::create(&path).unwrap()).unwrap();
    (folder, FiveFile::open(&path).unwrap())
}

/// What the file says of a position of five pieces, and the tables of fewer.
fn told(file: &FiveFile, fewer: &SmallTables, fen: &str) -> Bounds {
    let position = read(fen).unwrap().position;
    match Quint::of(fewer.size(), &position) {
        None => bounds(fewer, fen),
        Some(quint) => {
            let [alpha, beta] = file.bounds(&quint);
            // Nothing is left open where the slow solver decides.
            assert!([alpha, beta].iter().all(|[low, high]| high - low <= ONE >> 40), "{fen}: {alpha:?} {beta:?}");
            [alpha[0], alpha[1], beta[0], beta[1]]
        }
    }
}

#[test]
fn every_trio_has_a_name_and_says_what_it_needs() {
    let all: Vec<Trio> = Trio::all().collect();
    assert_eq!((all.len(), all.iter().map(Trio::to_string).collect::<HashSet<_>>().len()), (60, 60));
    for trio in &all {
        assert_eq!(trio.to_string().parse(), Ok(*trio));
    }
    let needs = |name: &str| name.parse::<Trio>().unwrap().needs().iter().map(Pair::to_string).collect::<Vec<_>>();
    assert_eq!(needs("KNNNvK"), ["KNNvK"]);
    assert_eq!(needs("KRBvKN"), ["KBvKN", "KRvKN", "KRBvK"]);
    assert_eq!(needs("KNNvKQ"), ["KQvKN", "KNNvK"]);
    for wrong in ["KRBPvK", "KRNBvK", "KRBvK", "KRvKNN", "krbnvk", ""] {
        assert!(wrong.parse::<Trio>().is_err(), "{wrong}");
    }
    assert!("KRBPvK".parse::<Trio>().unwrap_err().to_string().contains("without pawns"));
}

#[test]
fn like_pieces_are_counted_once_and_every_position_has_one_place() {
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
fn a_solver_with_moves_of_its_own_agrees_about_five_pieces() {
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
fn another_program_proves_the_file_and_nothing_that_was_changed() {
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
    assert!(why.contains("nothing proves the lower bound"), "{why}");
    let why = changed(&|columns| columns.low[at] -= 1 << 40);
    assert!(why.contains("nothing proves the upper bound"), "{why}");
    let first = |columns: &Columns| columns.wide.iter().position(|wide| wide.alpha < wide.beta).unwrap();
    let why = changed(&|columns| {
        let at = first(columns);
        columns.wide[at].alpha -= (columns.wide[at].alpha - columns.low[columns.wide[at].place as usize]) + 1;
    });
    assert!(why.contains("beyond its neighbour"), "{why}");
    let why = changed(&|columns| {
        columns.wide.iter_mut().for_each(|wide| wide.beta = wide.high);
    });
    assert!(why.contains("what bounds β from below shrinks"), "{why}");
    let why = changed(&|columns| {
        columns.wide.iter_mut().for_each(|wide| wide.alpha = columns.low[wide.place as usize]);
    });
    assert!(why.contains("what bounds α from above grows"), "{why}");
}

fn run(arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_zorkmid")).args(arguments).output().unwrap();
    let text = [output.stderr, output.stdout].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (output.status.success(), text)
}

#[test]
fn the_cost_is_told_before_anything_begins() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let solve = |more: &[&str]| run(&[&["solve", "--pieces", "5", "--data", data], more].concat());
    // Where nobody can be asked nothing begins.
    let (done, text) = solve(&["--material", "KNNNvK"]);
    let cost = FiveCost::of("KNNNvK".parse().unwrap(), Size::ORTHODOX);
    assert!(!done && text.contains(&format!("KNNNvK on 8×8: {} positions", cost.positions)), "{text}");
    assert_eq!(cost.positions, 23_826_600);
    for told in ["memory: ", "disk: 0.27 GB, ", "minutes of one processor", "KNNvK will be solved first", "say --yes"] {
        assert!(text.contains(told), "{told}: {text}");
    }
    assert!(!folder.path().join("endgames").exists());
    // Nonsense.
    let refused = [
        (&[][..], "name it, as in --material KNNNvK"),
        (&["--material", "KRBPvK"], "without pawns"),
        (&["--material", "KRvKNN"], "three pieces beside the kings"),
        (&["--material", "KRBvK"], "say --pieces 4"),
        (&["--material", "KNNNvK", "--board", "5x5"], "up to 16 squares"),
    ];
    for (more, why) in refused {
        let (done, text) = solve(more);
        assert!(!done && text.contains(why), "{more:?}: {text}");
    }
    let (done, text) = run(&["solve", "--pieces", "4", "--material", "KNNNvK"]);
    assert!(!done && text.contains("say --pieces 5"), "{text}");
}

#[test]
fn a_file_is_made_once_and_again_where_it_is_damaged() {
    let folder = tempfile::tempdir().unwrap();
    let (data, path) = (folder.path().to_str().unwrap(), folder.path().join("endgames/3x4-KNNNvK.five"));
    let name = path.to_str().unwrap();
    let solve = || run(&["solve", "--pieces", "5", "--board", "3x4", "--material", "KNNNvK", "--yes", "--data", data]);
    let (done, text) = solve();
    assert!(done && text.contains("KNNNvK on 3×4: ") && text.contains("positions, α < β in "), "{text}");
    let made = fs::read(&path).unwrap();
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing unfinished is left");
    assert!(solve().1.starts_with("KNNNvK: was there already"));
    let (done, text) = run(&["verify", name]);
    assert!(done && text.contains(": proved. Of the ") && text.contains(" positions of KNNNvK on 3×4"), "{text}");
    let mut damaged = made.clone();
    damaged[100] ^= 1;
    fs::write(&path, damaged).unwrap();
    let (done, text) = run(&["verify", name]);
    assert!(!done && text.contains("the checksum is wrong: the file has been damaged"), "{text}");
    assert!(matches!(FiveFile::open(&path), Err(WrongFile::Foreign(_))));
    let (done, text) = solve();
    assert!(done && text.contains("the checksum is wrong") && text.contains("solved anew"), "{text}");
    assert_eq!(fs::read(&path).unwrap(), made);
    fs::write(&path, "nothing").unwrap();
    assert!(run(&["verify", name]).1.contains("no table of five pieces"));
}

/// A file of five pieces on the ordinary board in which everything is worth the same, and that of four which a capture leads to.
fn even(folder: &Path) {
    let trio: Trio = "KNNNvK".parse().unwrap();
    let columns = |places: usize, low: u64| Columns { low: vec![low; places], span: vec![8; places], wide: Vec::new() };
    let places = FiveNumbering::new(trio, Size::ORTHODOX).len();
    let five = FiveTable { trio, size: Size::ORTHODOX, columns: columns(places, ONE / 4 * 3) };
    five.write(&mut fs::File::create(file_of_five(folder, trio, Size::ORTHODOX)).unwrap()).unwrap();
    let pair: Pair = "KNNvK".parse().unwrap();
    let numbering = Numbering::new(pair);
    let Columns { low, span, wide } = columns(numbering.len(), ONE / 8 * 5);
    let four = FourTable { pair, numbering, low, span, wide };
    four.write(&mut fs::File::create(file_of(folder, pair)).unwrap()).unwrap();
}

#[test]
fn answers_come_from_the_file_or_say_how_to_get_it() {
    let folder = tempfile::tempdir().unwrap();
    let endgames = folder.path().join("endgames");
    fs::create_dir(&endgames).unwrap();
    let question = read("8/8/3k4/3N4/8/8/5N2/K6N").unwrap();
    let unknown = question.without_table().unwrap();
    let how = "zorkmid solve --pieces 5 --material KNNNvK";
    assert!(unknown.category == Category::Unknown && unknown.reason.unwrap().contains(how));
    let turned = read("k6n/5n2/8/8/3n4/3K4/8/8").unwrap();
    assert!(turned.without_table().unwrap().reason.unwrap().contains(how));
    for other in ["8/8/3k4/3N4/8/8/5N1P/K7", "8/8/3k4/3N4/8/7N/5N2/K2Q3N"] {
        assert!(!read(other).unwrap().without_table().unwrap().reason.unwrap().contains("solve"), "{other}");
    }
    let of = |question: &zorkmid::richman::Question| {
        let tables = Tables::with_four(FourFiles::new(endgames.clone()));
        question.of_files(&orthodox(), tables.four(), tables.five())
    };
    assert!(question.is_of_files() && of(&question).unwrap().is_none());
    even(&endgames);
    let (answer, enclosed) = of(&question).unwrap().unwrap();
    assert_eq!((answer.category, answer.sharp, answer.material.as_str()), (Category::Interval, Some(true), "KNNNvK"));
    assert!(enclosed.alpha.lo.starts_with("0.75") && enclosed.white.len() == 17, "{enclosed:?}");
    // The king can take one knight, and White's knights one king.
    let after = |san: &str| enclosed.black.iter().find(|mv| mv.san == san).unwrap().value.lo.clone();
    assert!(after("Kxd5").starts_with("0.625") && after("Kd7").starts_with("0.75"), "{:?}", enclosed.black);
    let (_, enclosed) = of(&turned).unwrap().unwrap();
    assert!(enclosed.alpha.hi.starts_with("0.25") && enclosed.beta.lo.starts_with("0.24999"), "{enclosed:?}");
    let (done, text) = run(&["value", &question.fen(), "--data", folder.path().to_str().unwrap()]);
    assert!(done && text.contains("α       0.75") && text.contains("Black   Kxd5!   0.625"), "{text}");
    let five = endgames.join("KNNNvK.five");
    fs::File::options().write(true).open(five).unwrap().set_len(1 << 20).unwrap();
    assert!(of(&question).unwrap_err().to_string().contains("ends too early"));
}
