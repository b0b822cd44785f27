//! Endgame subcommands: `value`, `solve`, `verify` and `smallest`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
    time::{Duration, Instant},
};

use sha2::Digest;
use zorkmid_endgames::{
    Category, Columns, FiveCost, FiveFile, FiveNumbering, FivePieceMaterial, FiveTable, FourFiles, FourPieceMaterial,
    FourTable, Numbering, Question, Table, Tables, WrongFile, board::Size, file_of, file_of_five, read,
};

const ONE: u64 = 1 << 63;

/// Output of the program, or its error output if it fails.
fn run(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(env!("CARGO_BIN_EXE_zorkmid")).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    if output.status.success() { Ok(text(output.stdout)) } else { Err(text(output.stderr)) }
}

fn table() -> Arc<Table> {
    super::tables::tables().solve(Size::ORTHODOX).unwrap()
}

/// Whether a command succeeds, and its output on both streams.
fn run_either(arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_zorkmid")).args(arguments).output().unwrap();
    let text = [output.stderr, output.stdout].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (output.status.success(), text)
}

#[test]
fn value_is_printed_as_text_and_json() {
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
fn boards_are_named_by_files_and_ranks() {
    for (board, named) in [("3x4", "3×4: "), ("4x3", "4×3: ")] {
        let text = run(&["solve", "--board", board]).unwrap();
        assert!(text.starts_with(named), "{text}");
    }
    let text = run(&["verify", "--board", "4x3"]).unwrap();
    assert!(text.contains("every equation holds exactly"), "{text}");
    for wrong in ["", "8", "2x4", "8x9", "axb", "8x8x8"] {
        let complaint = run(&["solve", "--board", wrong]).unwrap_err();
        assert!(complaint.contains("a board has 3 to 8 files and 3 to 8 ranks"), "{wrong}: {complaint}");
    }
}

#[test]
#[ignore = "tests/long: takes twenty seconds"]
fn search_continues_beyond_the_fewest_pieces() {
    let text = run(&["smallest", "--board", "3x4", "--pieces", "5", "--further"]).unwrap();
    assert!(text.contains("4 pieces  73010 classes, α < β in 7\n"), "{text}");
    assert!(text.contains("5 pieces  1864536 classes, α < β in at least 835\nwidest    k2/1p1/1P1/K1B  "), "{text}");
    assert!(text.ends_with("3×4: α < β needs 4 pieces\n"), "{text}");
}

#[test]
fn fewest_pieces_of_a_board_are_printed_and_listed() {
    let folder = tempfile::tempdir().unwrap();
    let text = run(&["smallest", "--board", "3x4", "--into", folder.path().to_str().unwrap()]).unwrap();
    assert!(text.contains("KPvKP     706 classes, α < β in 7\n4 pieces  73010 classes, α < β in 7\n"), "{text}");
    assert!(
        text.contains("widest    k2/1p1/1P1/K2  α ≈ 0.2500000000, β ≈ 0.7500000000")
            && text.ends_with("3×4: α < β needs 4 pieces\n"),
        "{text}"
    );
    let listed = std::fs::read_to_string(folder.path().join("3x4-4.csv")).unwrap();
    assert_eq!(listed.lines().next(), Some(zorkmid_endgames::SMALL_COLUMNS));
    assert_eq!(listed.lines().filter(|line| line.contains(",KPvKP,")).count(), 7);
    let text = run(&["smallest", "--board", "3x3", "--pieces", "3"]).unwrap();
    assert!(text.ends_with("3×3: no position of up to 3 pieces has α < β\n"), "{text}");
    let said =
        Command::new(env!("CARGO_BIN_EXE_zorkmid")).args(["smallest", "--board", "3x3", "--pieces", "3"]).output();
    let said = String::from_utf8(said.unwrap().stderr).unwrap();
    assert!(said.starts_with("2 pieces: at most 0.00 GB\n3 pieces: at most "), "{said}");
    assert!(run(&["smallest", "--board", "2x3"]).unwrap_err().contains("a board has 3 to 8 files and 3 to 8 ranks"));
}

#[test]
fn verify_proves_a_file_or_explains_the_failure() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let table = zorkmid_endgames::solve(zorkmid_endgames::board::Size::new(3, 4).unwrap(), &mut |_| ()).unwrap();
    let mut text = Vec::new();
    zorkmid_endgames::export(&table, None, &mut text).unwrap();
    std::fs::write(path("right.csv"), &text).unwrap();
    let proved = run(&["verify", &path("right.csv")]).unwrap();
    assert!(proved.contains("6072 positions of KvK, KNvK, KBvK, KRvK, KQvK, KPvK on 3x4"), "{proved}");
    std::fs::write(path("packed.csv.gz"), &text).unwrap();
    let complaint = run(&["verify", &path("packed.csv.gz")]).unwrap_err();
    assert!(complaint.contains("packed.csv.gz: cannot be read"), "{complaint}");
    let mut bytes = Vec::new();
    zorkmid_endgames::export_binary(&zorkmid_endgames::Classes::new(table.into()), None, &mut bytes).unwrap();
    std::fs::write(path("right.bin"), &bytes).unwrap();
    let proved = run(&["verify", &path("right.bin")]).unwrap();
    assert!(proved.contains("right.bin: proved. The 6072 positions"), "{proved}");
    assert!(run(&["verify", &path("none.csv")]).unwrap_err().contains("none.csv: cannot be read"));
    let half = &text[..text.len() / 2];
    std::fs::write(path("half.csv"), &half[..=half.iter().rposition(|byte| *byte == b'\n').unwrap()]).unwrap();
    let complaint = run(&["verify", &path("half.csv")]).unwrap_err();
    assert!(
        complaint.contains("half.csv: ") && complaint.contains("the file lacks a position after a move"),
        "{complaint}"
    );
}

#[test]
fn four_piece_tables_are_solved_once_and_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let (data, path) = (folder.path().to_str().unwrap(), folder.path().join("endgames/KRRvK.four"));
    let solve = ["solve", "--pieces", "4", "--material", "KRRvK", "--data", data];
    assert_eq!(run(&solve).unwrap(), format!("1 tables of four pieces are in {data}/endgames\n"));
    let made = std::fs::read(&path).unwrap();
    let mode =
        std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(path.parent().unwrap()).unwrap().permissions());
    assert_eq!(mode & 0o077, 0, "the folder is private");
    let again = || {
        let done = Command::new(env!("CARGO_BIN_EXE_zorkmid")).args(solve).output().unwrap();
        String::from_utf8(done.stderr).unwrap()
    };
    assert_eq!(again(), "KRRvK: already solved\n");
    std::fs::write(&path, &made[..made.len() / 2]).unwrap();
    let told = again();
    assert!(told.contains("ends too early") && told.contains("KRRvK: 2382660 positions, α < β in 0, "), "{told}");
    assert_eq!(std::fs::read(&path).unwrap().len(), made.len());
    assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 2, "no partial file is left");
    // Decisions about α = β are added without solving the bounds again.
    let decisions = path.with_extension("gaps");
    let decided = std::fs::read(&decisions).unwrap();
    std::fs::remove_file(&decisions).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), made);
    assert_eq!(again(), "KRRvK: bounds already solved, α < β in 0\n");
    assert_eq!(std::fs::read(&decisions).unwrap(), decided);
    assert!(run(&["solve", "--pieces", "4", "--board", "4x4"]).unwrap_err().contains("8x8 board"));
    assert!(run(&["solve", "--material", "KRvK"]).unwrap_err().contains("as in KRBvK"));
    std::fs::write(&path, "nothing").unwrap();
    assert!(run(&["verify", path.to_str().unwrap()]).unwrap_err().contains("not a version 1 table of four pieces"));
}

#[test]
fn server_solves_tables_in_a_child_that_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let mut serve = Command::new(env!("CARGO_BIN_EXE_zorkmid"));
    serve.args(["serve", "--listen", "127.0.0.1:0", "--pieces", "4", "--data"]).arg(folder.path());
    let mut server = serve.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    // Processes that solve into this folder.
    let solving = || {
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        let told = processes.filter_map(|process| std::fs::read_to_string(process.path().join("cmdline")).ok());
        told.filter(|words| words.contains("--until-let-go") && words.contains(folder.path().to_str().unwrap())).count()
    };
    let until = |what: &str, holds: &dyn Fn() -> bool| {
        let begun = Instant::now();
        while !holds() {
            assert!(begun.elapsed() < Duration::from_secs(300), "{what}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    until("the server does not start to solve", &|| solving() == 1 && folder.path().join("endgames").exists());
    server.kill().unwrap();
    server.wait().unwrap();
    until("the child outlives the server", &|| solving() == 0);
}

#[test]
#[ignore = "tests/long: takes a minute and a half"]
fn pawn_tables_are_solved_after_their_promotions() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    run(&["solve", "--pieces", "4", "--material", "KRvKP", "--data", data]).unwrap();
    let proved = run(&["verify", &format!("{data}/endgames/KRvKP.four")]).unwrap();
    assert!(proved.contains("5718384 positions of KRvKP in the file, α < β in at least 8198."), "{proved}");
}

#[test]
fn cost_is_shown_before_solving() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let solve = |more: &[&str]| run_either(&[&["solve", "--pieces", "5", "--data", data], more].concat());
    // Without a terminal for confirmation, nothing starts.
    let (done, text) = solve(&["--material", "KNNNvK"]);
    let cost = FiveCost::of("KNNNvK".parse().unwrap(), Size::ORTHODOX);
    assert!(!done && text.contains(&format!("KNNNvK on 8×8: {} positions", cost.positions)), "{text}");
    assert_eq!(cost.positions, 23_826_600);
    for told in ["memory: ", "disk: 0.27 GB, ", "minutes of one processor", "KNNvK will be solved first", "add --yes"] {
        assert!(text.contains(told), "{told}: {text}");
    }
    assert!(!folder.path().join("endgames").exists());
    // Invalid arguments.
    let refused = [
        (&[][..], "add one, as in --material KNNNvK"),
        (&["--material", "KRBPvK"], "without pawns"),
        (&["--material", "KRvKNN"], "three pieces besides the kings"),
        (&["--material", "KRBvK"], "use --pieces 4"),
        (&["--material", "KNNNvK", "--board", "5x5"], "up to 16 squares"),
    ];
    for (more, why) in refused {
        let (done, text) = solve(more);
        assert!(!done && text.contains(why), "{more:?}: {text}");
    }
    let (done, text) = run_either(&["solve", "--pieces", "4", "--material", "KNNNvK"]);
    assert!(!done && text.contains("use --pieces 5"), "{text}");
}

#[test]
fn five_piece_file_is_solved_once_and_repaired() {
    let folder = tempfile::tempdir().unwrap();
    let (data, path) = (folder.path().to_str().unwrap(), folder.path().join("endgames/3x4-KNNNvK.five"));
    let name = path.to_str().unwrap();
    let solve =
        || run_either(&["solve", "--pieces", "5", "--board", "3x4", "--material", "KNNNvK", "--yes", "--data", data]);
    let (done, text) = solve();
    assert!(done && text.contains("KNNNvK on 3×4: ") && text.contains("positions, α < β in at least "), "{text}");
    let made = fs::read(&path).unwrap();
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "no partial file is left");
    assert!(solve().1.starts_with("KNNNvK: already solved"));
    let (done, text) = run_either(&["verify", name]);
    assert!(done && text.contains(": proved. Of the ") && text.contains(" positions of KNNNvK on 3×4"), "{text}");
    let mut damaged = made.clone();
    damaged[100] ^= 1;
    fs::write(&path, damaged).unwrap();
    let (done, text) = run_either(&["verify", name]);
    assert!(!done && text.contains("the checksum is wrong: the file has been damaged"), "{text}");
    assert!(matches!(FiveFile::open(&path), Err(WrongFile::Foreign(_))));
    let (done, text) = solve();
    assert!(done && text.contains("the checksum is wrong") && text.contains("solving it again"), "{text}");
    assert_eq!(fs::read(&path).unwrap(), made);
    fs::write(&path, "nothing").unwrap();
    assert!(run_either(&["verify", name]).1.contains("not a version 1 table of five pieces"));
}

/// Writes a made-up five-piece file with a single value, and the four-piece file that captures lead to.
fn even(folder: &Path) {
    let trio: FivePieceMaterial = "KNNNvK".parse().unwrap();
    let columns = |places: usize, low: u64| Columns { low: vec![low; places], span: vec![8; places], wide: Vec::new() };
    let places = FiveNumbering::new(trio, Size::ORTHODOX).len();
    let five = FiveTable { trio, size: Size::ORTHODOX, columns: columns(places, ONE / 4 * 3) };
    five.write(&mut fs::File::create(file_of_five(folder, trio, Size::ORTHODOX)).unwrap()).unwrap();
    let pair: FourPieceMaterial = "KNNvK".parse().unwrap();
    let numbering = Numbering::new(pair);
    let Columns { low, span, wide } = columns(numbering.len(), ONE / 8 * 5);
    let four = FourTable { pair, numbering, low, span, wide };
    four.write(&mut fs::File::create(file_of(folder, pair)).unwrap()).unwrap();
}

#[test]
fn answers_use_the_file_or_explain_how_to_get_it() {
    let folder = tempfile::tempdir().unwrap();
    let endgames = folder.path().join("endgames");
    fs::create_dir(&endgames).unwrap();
    let question = read("8/8/3k4/3N4/8/8/5N2/K6N").unwrap();
    let unknown = question.without_table().unwrap();
    let how = "no table of KNNNvK";
    assert!(unknown.category == Category::Unknown && unknown.reason.unwrap().contains(how));
    let turned = read("k6n/5n2/8/8/3n4/3K4/8/8").unwrap();
    assert!(turned.without_table().unwrap().reason.unwrap().contains(how));
    for other in ["8/8/3k4/3N4/8/8/5N1P/K7", "8/8/3k4/3N4/8/7N/5N2/K2Q3N"] {
        assert!(!read(other).unwrap().without_table().unwrap().reason.unwrap().contains("no table"), "{other}");
    }
    let of = |question: &Question| {
        let tables = Tables::with_four(FourFiles::new(endgames.clone()));
        question.of_files(&table(), tables.four(), tables.five())
    };
    assert!(question.is_of_files() && of(&question).unwrap().is_none());
    even(&endgames);
    let (answer, enclosed) = of(&question).unwrap().unwrap();
    assert_eq!((answer.category, answer.sharp, answer.material.as_str()), (Category::Interval, None, "KNNNvK"));
    assert!(enclosed.alpha.lo.starts_with("0.75") && enclosed.white.len() == 17, "{enclosed:?}");
    // The black king can capture one knight, and White's knights can capture the king.
    let after = |san: &str| enclosed.black.iter().find(|mv| mv.san == san).unwrap().value.lo.clone();
    assert!(after("Kxd5").starts_with("0.625") && after("Kd7").starts_with("0.75"), "{:?}", enclosed.black);
    let (_, enclosed) = of(&turned).unwrap().unwrap();
    assert!(enclosed.alpha.hi.starts_with("0.25") && enclosed.beta.lo.starts_with("0.24999"), "{enclosed:?}");
    let (done, text) = run_either(&["value", &question.fen(), "--data", folder.path().to_str().unwrap()]);
    assert!(done && text.contains("α       0.75") && text.contains("Black   Kxd5!   0.625"), "{text}");
    let five = endgames.join("KNNNvK.five");
    fs::File::options().write(true).open(five).unwrap().set_len(1 << 20).unwrap();
    assert!(of(&question).unwrap_err().to_string().contains("ends too early"));
}

/// Lines of the published list.
fn manifest() -> Vec<(&'static str, &'static str)> {
    let lines = include_str!("../../docs/manifest.txt").lines();
    lines.map(|line| line.split_once("  ").unwrap()).collect()
}

#[test]
fn tables_have_their_published_sums() {
    let folder = tempfile::tempdir().unwrap();
    let (list, data) = (folder.path().join("list"), folder.path().join("data"));
    let compare = |lines: &[String]| {
        fs::write(&list, lines.join("\n") + "\n").unwrap();
        run_either(&["verify", "--manifest", list.to_str().unwrap(), "--data", data.to_str().unwrap()])
    };
    let boards: Vec<_> = manifest().into_iter().filter(|(_, name)| name.ends_with(".bin")).collect();
    assert_eq!(boards.len(), 36);
    let some: Vec<String> = if super::often::is_whole() {
        boards.iter().map(|(sum, name)| format!("{sum}  {name}")).collect()
    } else {
        let few = boards.iter().filter(|(_, name)| ["3x4.bin", "4x4.bin", "8x8.bin"].contains(name));
        few.map(|(sum, name)| format!("{sum}  {name}")).collect()
    };
    let (done, text) = compare(&some);
    assert!(done && text.contains(&format!("{} tables have the sums of ", some.len())), "{text}");

    // Other sums, missing files and unknown names.
    let other = format!("{}  3x4.bin", "0".repeat(64));
    let (done, text) = compare(&[some[0].clone(), other]);
    assert!(!done && text.contains("1 differ: 3x4.bin"), "{text}");
    fs::create_dir_all(data.join("endgames")).unwrap();
    fs::write(data.join("endgames/KRBvK.four"), "other").unwrap();
    let four = |sum: &str, name: &str| format!("{sum}  {name}");
    let (done, text) = compare(&[four(&"1".repeat(64), "KQQvK.four")]);
    assert!(done && text.contains("0 tables have") && text.contains("1 files of four pieces are not in"), "{text}");
    let own = "d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa";
    let (done, text) = compare(&[four(own, "KRBvK.four")]);
    assert!(done && text.contains("1 tables have the sums of"), "{text}");
    let (done, text) = compare(&[four(&"1".repeat(64), "KRBvK.four")]);
    assert!(!done && text.contains("1 differ: KRBvK.four"), "{text}");
    for (line, why) in [
        ("nothing", "line 1: not a SHA-256 and a name"),
        ("00  8x9.bin", "a board has 3 to 8 files"),
        ("00  ../x.four.txt", "not the name of a table"),
        ("00  table.csv", "not the name of a table"),
    ] {
        let (done, text) = compare(&[line.to_owned()]);
        assert!(!done && text.contains(why), "{line}: {text}");
    }
}

#[tokio::test]
async fn published_sums_are_served_and_shown() {
    let site = super::solved();
    let list = super::get(&site, "/api/richman/files/manifest.txt").await;
    assert_eq!(
        (list.body.as_str(), list.header("content-type")),
        (include_str!("../../docs/manifest.txt"), "text/plain; charset=utf-8")
    );
    for (board, fen) in [("8x8", "8/8/8/8/3k4/8/8/K2N4"), ("3x4", "2k/3/3/K1N")] {
        let name = format!("{board}.bin");
        let sum = manifest().into_iter().find(|(_, other)| *other == name).unwrap().0;
        let page = super::get(&site, &format!("/endgames?fen={fen}")).await;
        assert!(
            page.page(200).contains(&format!("<code class=\"address long\" tabindex=\"0\">{sum}</code>")),
            "{}",
            page.body
        );
        let file = super::get(&site, &format!("/api/richman/files/{name}")).await;
        let digest = base64::Engine::encode(&base64::engine::general_purpose::STANDARD, hex(sum));
        assert_eq!(file.header("repr-digest"), format!("sha-256=:{digest}:"));
    }
}

fn hex(text: &str) -> Vec<u8> {
    let digit = |at: usize| u8::from_str_radix(&text[at..at + 2], 16).unwrap();
    (0..text.len()).step_by(2).map(digit).collect()
}

#[test]
#[ignore = "tests/long: reads the thirty tables that it has solved"]
fn four_piece_files_have_their_published_sums() {
    let folder = PathBuf::from(std::env::var("ZORKMID_FOUR").expect("tests/long sets ZORKMID_FOUR"));
    let (published, found): (Vec<_>, Vec<_>) = manifest()
        .into_iter()
        .filter(|(_, name)| name.ends_with(".four"))
        .map(|(sum, name)| {
            let bytes = fs::read(folder.join(name)).unwrap();
            (
                (name, sum.to_owned()),
                (name, sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>()),
            )
        })
        .unzip();
    assert_eq!(published, found);
}

#[test]
fn published_computation_continues_where_it_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let log = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let reproduce = |to: &str, log: &str| run(&["reproduce", "--board", "3x4", "--to", to, "--log", log]).unwrap();
    let (once, twice) = (log("once.csv"), log("twice.csv"));
    let told = reproduce("120", &once);
    reproduce("70", &twice);
    assert_eq!(reproduce("120", &twice), told);
    assert_eq!(fs::read(&once).unwrap(), fs::read(&twice).unwrap());
    let text = fs::read_to_string(&once).unwrap();
    assert!(text.starts_with("material,n,positions,stable,bits,digits\nKvK,"), "{text}");
    assert!(told.contains("KvK: all ") && told.contains(" guesses are right from n = "), "{told}");
    assert_eq!(told.lines().count(), 6, "{told}");
    fs::write(folder.path().join("twice.state"), "nothing").unwrap();
    assert!(run(&["reproduce", "--board", "3x4", "--log", &twice]).unwrap_err().contains("twice.state"));
}
