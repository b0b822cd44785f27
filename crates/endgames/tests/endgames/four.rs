//! Four pieces: the bounds agree with the board's own moves, with random games and with an independent proof.

use super::{often::often, orthodox};
use dashu_int::IBig;
use dashu_ratio::RBig;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};
use tempfile::TempDir;
use zorkmid_endgames::{
    Category, Choice, Decisions, Enclosure, FourFile, FourFiles, FourLimits, FourPieceMaterial, FourPiecePosition,
    FourSought, FourTable, LargeGap, NEVER_STOP, NormalizedPosition, Numbering, WrongFile,
    board::{Color, Position, Size, Square},
    decide_four, decisions_file_of, file_of, fraction, prove_four, read, rules, solve_four,
};

const ONE: u64 = 1 << 63;
/// Maximum width of the bounds in multiples of 2⁻⁶³: less than 10⁻¹⁵.
const WIDTH: u64 = 8192;

fn solved(pair: &str) -> FourTable {
    let none = |pair: FourPieceMaterial| -> Result<FourTable, String> { panic!("{pair} is not needed") };
    solve_four(pair.parse().unwrap(), &orthodox(), &mut { none }, &mut |_| ()).unwrap()
}

/// Rook and bishop against the bare king: the smallest material with α < β in many positions.
static ROOK_BISHOP: LazyLock<FourTable> = LazyLock::new(|| solved("KRBvK"));

/// Queen against rook, so that Black has a piece too.
static QUEEN_ROOK: LazyLock<FourTable> = LazyLock::new(|| solved("KQvKR"));

/// Writes a table into a temporary folder, which is deleted after the test.
fn file(table: &FourTable) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = file_of(folder.path(), table.pair);
    table.write(&mut fs::File::create(&path).unwrap()).unwrap();
    (folder, path)
}

/// A copy of the table of rook and bishop.
fn rook_and_bishop_again() -> FourTable {
    let FourTable { pair, low, span, wide, .. } = &*ROOK_BISHOP;
    let numbering = Numbering::new(*pair);
    FourTable { pair: *pair, numbering, low: low.clone(), span: span.clone(), wide: wide.clone() }
}

/// The table of rook and bishop in a folder.
pub(super) fn rook_and_bishop() -> (TempDir, PathBuf) {
    file(&ROOK_BISHOP)
}

/// Random position of a material.
fn drawn(chance: &mut StdRng, pair: FourPieceMaterial) -> Position {
    let mut squares: Vec<usize> = Vec::new();
    while squares.len() < 4 {
        let square = chance.random_range(0..64);
        if !squares.contains(&square) {
            squares.push(square);
        }
    }
    let at = |number: usize| Square::at(squares[number]);
    let quad = FourPiecePosition { king: at(0), bare: at(1), first: at(2), second: at(3), stepped: None };
    quad.position(rules(Size::ORTHODOX), pair)
}

/// Bounds of a position's value. With three pieces it is the exact value, rounded outward.
fn bounds(table: &FourTable, position: &Position) -> [u64; 2] {
    if let Some(framed) = NormalizedPosition::of(position) {
        assert_eq!(framed.pair, table.pair);
        return table.bounds(framed);
    }
    let question = read(&rules(Size::ORTHODOX).placement_fen(position)).unwrap();
    let answer = question.without_table().unwrap_or_else(|| question.answer(&orthodox()));
    let value = answer.value.map(|value| super::exact(&value));
    let value = value.unwrap_or_else(|| RBig::from(u8::from(answer.terminal == Some("white"))));
    let scaled = RBig::from(IBig::from(ONE)) * value;
    let [low, high] = [scaled.floor(), scaled.ceil()].map(|bound| u64::try_from(bound).unwrap());
    [low, high]
}

fn after(position: &Position, mover: Color) -> Vec<Position> {
    let board = rules(Size::ORTHODOX);
    let mut from = *position;
    from.turn = mover;
    board.moves(&from).into_iter().map(|mv| board.after(&from, mv)).collect()
}

#[test]
fn every_pair_has_a_name_and_follows_its_dependencies() {
    let all: Vec<FourPieceMaterial> = FourPieceMaterial::all().collect();
    assert_eq!((all.len(), all.iter().map(FourPieceMaterial::to_string).collect::<HashSet<_>>().len()), (30, 30));
    for (at, pair) in all.iter().enumerate() {
        assert_eq!(pair.to_string().parse(), Ok(*pair));
        for needed in pair.needs() {
            assert!(all[..=at].contains(&needed), "{pair} needs {needed}");
        }
    }
    let needs = |name: &str| {
        name.parse::<FourPieceMaterial>().unwrap().needs().map(|pair| pair.to_string()).collect::<HashSet<_>>()
    };
    assert_eq!(needs("KRvKN"), HashSet::from(["KRvKN".to_owned()]));
    assert_eq!(needs("KRvKP"), ["KRvKP", "KQvKR", "KRvKR", "KRvKB", "KRvKN"].map(str::to_owned).into());
    for wrong in ["KPPvKP", "KBRvK", "KRvK", "krvkb", ""] {
        assert!(wrong.parse::<FourPieceMaterial>().is_err(), "{wrong}");
    }
}

#[test]
fn symmetric_positions_share_one_index() {
    let mut chance = StdRng::seed_from_u64(4);
    for name in ["KRBvK", "KQvKN", "KBPvK", "KRvKP", "KPvKP"] {
        let pair: FourPieceMaterial = name.parse().unwrap();
        let numbering = Numbering::new(pair);
        for _ in 0..often(300) {
            let place = chance.random_range(0..numbering.len());
            let quad = numbering.quad(place);
            let squares = [quad.king, quad.bare, quad.first, quad.second];
            let mirrored = squares.map(|square| Square::new(7 - square.file(), square.rank()));
            let [king, bare, first, second] = mirrored;
            let other = FourPiecePosition { king, bare, first, second, stepped: quad.stepped };
            // A position symmetric to the diagonal has two indices for the same position.
            let found = numbering.quad(numbering.place(other));
            assert_eq!(found.king, numbering.quad(place).king, "{name} {place}");
            assert_eq!(numbering.place(found), numbering.place(other), "{name} {place}");
        }
    }
}

#[test]
fn bounds_satisfy_the_equations_of_the_board() {
    let (near, far) = as_the_board(&ROOK_BISHOP);
    assert!(!crate::often::is_whole() || near > 20 * far && far > 0, "{near} {far}");
    let (_, far) = as_the_board(&QUEEN_ROOK);
    assert_eq!(far, 0);
}

/// Compares the bounds with the board's own moves, and counts the positions with narrow and with wide bounds.
fn as_the_board(table: &FourTable) -> (usize, usize) {
    let mut chance = StdRng::seed_from_u64(21);
    let (mut near, mut far) = (0, 0);
    for _ in 0..often(1200) {
        let position = drawn(&mut chance, table.pair);
        let [low, high] = bounds(table, &position);
        let reached = |mover| after(&position, mover).iter().map(|next| bounds(table, next)).collect::<Vec<_>>();
        let (white, black) = (reached(Color::White), reached(Color::Black));
        let mean = |end: usize| {
            let most = white.iter().map(|bounds| bounds[end]).max().unwrap();
            let least = black.iter().map(|bounds| bounds[end]).min().unwrap();
            (u128::from(most) + u128::from(least)).div_ceil(2)
        };
        let told = rules(Size::ORTHODOX).placement_fen(&position);
        let [low, high] = [low, high].map(u128::from);
        assert!(low <= mean(0) && mean(1) <= high + 1, "{told}");
        assert!(mean(0) - low <= u128::from(WIDTH) && high + 1 - mean(1) <= u128::from(WIDTH) + 1, "{told}");
        if high - low <= u128::from(WIDTH) {
            near += 1;
        } else {
            far += 1;
        }
    }
    (near, far)
}

/// Best move of a player by the table: by the lower bound of α for White, by the upper bound of β for Black.
fn best(mover: Color, position: &Position, worth: &mut impl FnMut(&Position) -> [u64; 2]) -> Position {
    let wish = |next: &Position| match (mover, worth(next)) {
        (Color::White, [low, _]) => low,
        (Color::Black, [_, high]) => ONE - high,
    };
    after(position, mover).into_iter().max_by_key(wish).unwrap()
}

/// Plays out twenty positions, five of them with α < β. Both sides follow the tables and a fair coin names the mover. White must win as often as the
/// bounds say, within five standard deviations.
#[test]
fn random_games_match_the_bounds() {
    let (mut chance, board, games) = (StdRng::seed_from_u64(8), rules(Size::ORTHODOX), often(300));
    let mut known: HashMap<Position, [u64; 2]> = HashMap::new();
    for (table, wide, positions) in [(&*ROOK_BISHOP, false, 10), (&ROOK_BISHOP, true, 5), (&QUEEN_ROOK, false, 5)] {
        let mut tried = 0;
        while tried < positions {
            let begun = drawn(&mut chance, table.pair);
            let [low, high] = bounds(table, &begun);
            if (high - low > WIDTH) != wide {
                continue;
            }
            tried += 1;
            let mut won = [0.0; 2];
            for _ in 0..games {
                let mut position = begun;
                let mut worth = |next: &Position| match NormalizedPosition::of(next) {
                    Some(framed) => table.bounds(framed),
                    None => *known.entry(*next).or_insert_with(|| bounds(table, next)),
                };
                // Where both sides wait, the game may never end; then the guaranteed value counts.
                let mut moves = 0;
                while NormalizedPosition::of(&position).is_some() && moves < 300 {
                    let mover = if chance.random() { Color::White } else { Color::Black };
                    position = best(mover, &position, &mut worth);
                    moves += 1;
                }
                let movers: Vec<Color> =
                    (0..200).map(|_| if chance.random() { Color::White } else { Color::Black }).collect();
                let three =
                    NormalizedPosition::of(&position).is_none().then(|| read(&board.placement_fen(&position)).unwrap());
                let line = three.and_then(|three| three.mainline(&orthodox(), &movers).moves.pop());
                let ends = match line {
                    Some(last) => [last.value.approx; 2],
                    None => worth(&position).map(|bound| bound as f64 / ONE as f64),
                };
                (won[0], won[1]) = (won[0] + ends[0], won[1] + ends[1]);
            }
            let [least, most] = won.map(|won| won / games as f64);
            let [low, high] = [low, high].map(|bound| bound as f64 / ONE as f64);
            let (told, slack) = (board.placement_fen(&begun), 5.0 * (0.25 / games as f64).sqrt());
            assert!(low - slack < least && most < high + slack, "{told}: {least} to {most} for {low} to {high}");
        }
    }
}

/// Where both sides have the same pieces, exchanging the colours turns a value v into 1 − v.
#[test]
#[ignore = "needs the thirty files, in the folder that ZORKMID_FOUR names"]
fn exchanging_colours_mirrors_the_value() {
    let folder = PathBuf::from(std::env::var_os("ZORKMID_FOUR").expect("ZORKMID_FOUR must name the folder"));
    let named = ["KQvKQ", "KRvKR", "KBvKB", "KNvKN", "KPvKP"].map(|name| file_of(&folder, name.parse().unwrap()));
    let board = rules(Size::ORTHODOX);
    for table in named.iter().filter(|path| path.exists()).map(|path| FourTable::read(path).unwrap()) {
        let mut checked = 0;
        for place in 0..table.numbering.len() {
            let quad = table.numbering.quad(place);
            if table.low[place] == 0 && table.span[place] == 0 {
                continue;
            }
            let position = quad.position(board, table.pair);
            let changed = board.placement_fen(&position);
            let rows: Vec<String> =
                changed.split('/').rev().map(|row| row.chars().map(other_colour).collect()).collect();
            let Some(framed) =
                NormalizedPosition::of(&read(&rows.join("/")).unwrap().position).filter(|_| quad.stepped.is_none())
            else {
                continue;
            };
            let ([low, high], [other_low, other_high]) =
                (table.bounds(NormalizedPosition::of(&position).unwrap()), table.bounds(framed));
            assert!(low.abs_diff(ONE - other_high) <= WIDTH && high.abs_diff(ONE - other_low) <= WIDTH, "{changed}");
            checked += 1;
        }
        assert!(checked > 2_000_000, "{}: {checked}", table.pair);
        println!("{}: {checked} positions have mirrored values with colours exchanged", table.pair);
    }
}

fn other_colour(letter: char) -> char {
    if letter.is_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
}

/// Row for a material: positions of the file, those where the bounds prove α < β, one with the widest gap, and its α and β.
fn quoted(material: &str) -> Option<Vec<&'static str>> {
    let mut rows = include_str!("four.csv").lines().map(|row| row.split(',').collect::<Vec<_>>());
    rows.find(|row| row[0] == material)
}

/// Number of classes of a material, and of those with α < β.
fn classes(material: &str) -> [&'static str; 2] {
    let mut rows = include_str!("../../../../docs/observations/classes.csv").lines().map(|row| row.split(','));
    let mut cells = rows.find(|row| row.clone().next() == Some(material)).unwrap().skip(3);
    [cells.next().unwrap(), cells.next().unwrap()]
}

#[test]
#[ignore = "needs the thirty files, in the folder that ZORKMID_FOUR names"]
fn document_matches_the_four_piece_files() {
    let folder = PathBuf::from(std::env::var_os("ZORKMID_FOUR").expect("ZORKMID_FOUR must name the folder"));
    let mut files: Vec<FourPieceMaterial> =
        FourPieceMaterial::all().filter(|pair| file_of(&folder, *pair).exists()).collect();
    files.sort_by_key(FourPieceMaterial::to_string);
    assert!(!files.is_empty(), "no table in {}", folder.display());
    for pair in &files {
        let file = FourFile::open(&file_of(&folder, *pair)).unwrap();
        let decisions = file.decisions().unwrap();
        assert_eq!(decisions.open, 0, "{pair}");
        let Some(cells) = quoted(&pair.to_string()) else {
            assert_eq!((file.apart, decisions.apart), (0, 0), "{pair}");
            continue;
        };
        let [classes, classes_apart] = classes(&pair.to_string());
        let row = format!("| {pair} | {} | {} | {classes} | {classes_apart} |", cells[1], decisions.apart);
        assert!(include_str!("../../../../docs/research.md").contains(&row), "{row}");
        assert_eq!(cells[2], file.apart.to_string(), "{pair}");
        let [alpha, beta] = file.farthest.unwrap().1.map(|bound| format!("{:.6}", bound as f64 / ONE as f64));
        assert_eq!(cells[4..], [alpha, beta], "{pair}");
    }
    println!("{} tables agree with docs/research.md", files.len());
}

#[test]
#[ignore = "tests/long: takes two minutes"]
fn independent_verifier_accepts_only_the_unchanged_file() {
    let table = &*ROOK_BISHOP;
    let (_folder, path) = file(table);
    let proved = prove_four(&path, &orthodox()).unwrap();
    assert_eq!((proved.material.as_str(), proved.positions, proved.apart), ("KRBvK", 2_382_660, 74_710));
    assert!(proved.widest <= WIDTH);
    // The document agrees with the file.
    let (quad, [alpha, beta]) = FourFile::open(&path).unwrap().farthest.unwrap();
    let fen = rules(Size::ORTHODOX).placement_fen(&quad.position(rules(Size::ORTHODOX), table.pair));
    let [alpha, beta] = [alpha, beta].map(|bound| bound as f64 / ONE as f64);
    let told = quoted("KRBvK").unwrap();
    assert_eq!(told[1..3], ["2382660", "74710"]);
    assert_eq!(told[4..], [format!("{alpha:.6}"), format!("{beta:.6}")]);
    // Several positions may share the widest gap.
    let shown = told[3];
    let shown = NormalizedPosition::of(&read(shown).unwrap().position).unwrap();
    let [low, high] = table.bounds(shown).map(|bound| bound as f64 / ONE as f64);
    assert!((high - low - (beta - alpha)).abs() < 1e-12, "{fen}");

    let again = rook_and_bishop_again;
    let refused = |table: FourTable| {
        let (_folder, path) = file(&table);
        prove_four(&path, &orthodox()).unwrap_err()
    };
    let middle = |low: &u64| (ONE / 2..ONE / 4 * 3).contains(low);
    let at = table.low.iter().zip(&table.span).position(|(low, span)| middle(low) && *span != u16::MAX).unwrap();
    // Raise both bounds of a position by 2⁻²³.
    let mut high = again();
    high.low[at] += 1 << 40;
    let why = refused(high);
    assert!(why.contains("the lower bound of this position is not proved"), "{why}");
    // Lower an upper bound too far.
    let mut low = again();
    let wide =
        low.wide.iter_mut().find(|wide| wide.high - wide.beta.max(wide.alpha) < 1 << 20 && wide.beta > wide.alpha);
    let wide = wide.unwrap();
    wide.high -= 1 << 40;
    wide.beta = wide.beta.min(wide.high);
    let why = refused(low);
    assert!(why.contains("the upper bound of this position is not proved"), "{why}");
    // Change the upper bound of α where α < β.
    let mut apart = again();
    let wide = apart.wide.iter_mut().find(|wide| wide.alpha < wide.beta).unwrap();
    let low = table.low[wide.place as usize];
    wide.beta = wide.high - (wide.high - wide.beta) / 2 + (wide.high - low) / 4;
    let why = refused(apart);
    assert!(
        why.contains("the bounds are out of order") || why.contains("the lower bound of β is above the mean"),
        "{why}"
    );
}

#[test]
#[ignore = "tests/long: takes half a minute"]
fn gaps_come_from_waiting_cores() {
    let table = &*ROOK_BISHOP;
    let (folder, _) = file(table);
    let files = FourFiles::new(folder.path().to_owned());
    let cores = files.cores(&orthodox(), table.pair).unwrap().unwrap();
    let core = &cores[0];
    let (alpha, beta) = (i128::from(ONE / 32 * 27), i128::from(ONE / 8 * 7));
    assert!((core.alpha - alpha).abs() < 1 << 20 && (core.beta - beta).abs() < 1 << 20, "{core:?}");
    // Two bounds are equal here if both ends are within the final width.
    let same = |one: [u64; 2], other: [u64; 2]| (0..2).all(|end| one[end].abs_diff(other[end]) <= WIDTH << 14);
    let here = bounds(table, &core.position);
    for (mover, waiting) in Color::BOTH.into_iter().zip(&core.waits) {
        let (kept, others): (Vec<[u64; 2]>, Vec<[u64; 2]>) =
            after(&core.position, mover).iter().map(|next| bounds(table, next)).partition(|next| same(*next, here));
        assert_eq!(kept.len(), waiting.kept.len(), "{mover:?} {core:?}");
        for end in [0, 1] {
            let all = others.iter().map(|bounds| i128::from(bounds[end]));
            let best = if mover == Color::White { all.max() } else { all.min() };
            assert!((best.unwrap() - waiting.others.unwrap()[end]).abs() <= i128::from(WIDTH << 14), "{end} {core:?}");
        }
    }
    // A waiting move leads to another waiting position, and no move gains anything.
    let mut reached = vec![core.position];
    for at in 0..100 {
        let Some(position) = reached.get(at).copied() else { break };
        for mover in Color::BOTH {
            let next = after(&position, mover);
            let waits = next
                .iter()
                .find(|next| same(bounds(table, next), here))
                .expect("each side has a waiting move in a core");
            reached.push(*waits);
            for next in &next {
                let [low, high] = bounds(table, next);
                let gains = match mover {
                    Color::White => low > here[0] + (WIDTH << 14),
                    Color::Black => high + (WIDTH << 14) < here[1],
                };
                assert!(!gains, "no move gains");
            }
        }
    }
    // Without gaps there are no cores, and a missing table gives none.
    let (folder, _) = file(&QUEEN_ROOK);
    let files = FourFiles::new(folder.path().to_owned());
    assert_eq!(files.cores(&orthodox(), QUEEN_ROOK.pair).unwrap().unwrap().len(), 0);
    assert!(files.cores(&orthodox(), table.pair).unwrap().is_none());
}

#[test]
fn finds_positions_by_threshold() {
    let table = &*ROOK_BISHOP;
    let (_folder, path) = file(table);
    let file = FourFile::open(&path).unwrap();
    let number = |num: &str, den: &str| fraction(num, den);
    let all = file.search(&FourSought::default(), 3);
    assert_eq!((all.total, all.found.len()), (2_382_660, 3));
    let beyond = |width: u64| number(&(width + 1).to_string(), &ONE.to_string());
    let apart = FourSought { gap: [beyond(WIDTH), None], ..FourSought::default() };
    let found = file.search(&apart, 100);
    assert_eq!((found.total, found.found.len()), (table.wide.len(), 100));
    let onward = file.search(&FourSought { after: found.next, ..apart.clone() }, 100);
    assert_eq!(onward.total, found.total);
    assert!(onward.found.iter().all(|other| !found.found.contains(other)));
    for found in &found.found {
        let framed = NormalizedPosition::of(&found.position).unwrap();
        let [low, high] = table.bounds(framed);
        assert!(high - low > WIDTH, "{found:?}");
    }
    let billionth = |wide: &&LargeGap| wide.high - table.low[wide.place as usize] >= ONE.div_ceil(1_000_000_000);
    let clear = FourSought { gap: [number("1", "1000000000"), None], ..FourSought::default() };
    assert_eq!(file.search(&clear, 1).total, table.wide.iter().filter(billionth).count());
    // The widest gap is 1/32.
    let widest = |num, den| FourSought { gap: [number(num, den), None], ..FourSought::default() };
    let core = file.search(&widest("31249999", "1000000000"), 100);
    assert!((1..1000).contains(&core.total), "{}", core.total);
    assert_eq!(file.search(&widest("31250001", "1000000000"), 100).total, 0);
    let impossible = FourSought { alpha: [number("2", "1"), None], ..FourSought::default() };
    assert_eq!(file.search(&impossible, 100).total, 0);
    let both =
        FourSought { alpha: [None, number("27", "32")], beta: [number("7", "8"), None], ..FourSought::default() };
    assert!(file.search(&both, 100).found.iter().all(|one| one.shares.gap.lo.as_str() > "0.031"));
}

#[test]
fn rejects_damaged_and_foreign_files() {
    let pair: FourPieceMaterial = "KQvKR".parse().unwrap();
    let numbering = Numbering::new(pair);
    let places = numbering.len();
    let wide = vec![LargeGap { place: 7, alpha: 3, beta: 5, high: 9 }];
    let mut span = vec![0; places];
    span[7] = u16::MAX;
    let table = FourTable { pair, numbering, low: vec![1; places], span, wide };
    let (folder, path) = file(&table);
    let whole = fs::read(&path).unwrap();
    let read = FourTable::read(&path).unwrap();
    assert_eq!((read.pair, read.low, read.span, read.wide), (pair, table.low, table.span, table.wide));
    let opened = FourFile::open(&path).unwrap();
    assert_eq!((opened.apart, opened.farthest), (1, Some((Numbering::new(pair).quad(7), [3, 5]))));
    assert_eq!(opened.bounds(Numbering::new(pair).quad(7)), [[1, 3], [5, 9]]);
    assert_eq!(opened.bounds(Numbering::new(pair).quad(8)), [[1, 1]; 2]);
    let refused = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        let why = FourFile::open(&path).err().unwrap().to_string();
        assert!(prove_four(&path, &orthodox()).is_err());
        why
    };
    let mut flipped = whole.clone();
    flipped[1000] ^= 4;
    assert!(refused(&flipped).contains("checksum"));
    assert!(refused(&whole[..whole.len() - 1]).contains("ends too early"));
    assert!(refused(&whole[..10]).contains("ends too early"));
    for (at, byte, why) in [(0, b'X', "not a table"), (8, 9, "unsupported version"), (9, b'K', "unknown material")] {
        let mut foreign = whole.clone();
        foreign[at] = byte;
        assert!(refused(&foreign).contains(why), "{why}");
    }
    // A table under another material's name is refused too.
    fs::write(file_of(folder.path(), "KRvKB".parse().unwrap()), &whole).unwrap();
    let files = FourFiles::new(folder.path().to_owned());
    let wrong = files.open("KRvKB".parse().unwrap()).err().unwrap();
    assert!(matches!(wrong, WrongFile::Foreign(why) if why.contains("differs from the file name")), "{wrong}");
    assert!(files.open("KQQvK".parse().unwrap()).unwrap().is_none());
    assert_eq!(files.pairs().len(), 2);
}

#[test]
fn narrow_bounds_do_not_prove_equality() {
    let (folder, _) = rook_and_bishop();
    let files = FourFiles::new(folder.path().to_owned());
    let question = read("6k1/2R5/8/8/5B2/8/8/3K4").unwrap();
    let (answer, enclosed) = question.of_four(&orthodox(), &files).unwrap().unwrap();
    assert_eq!((answer.category, answer.sharp, enclosed.sharp), (Category::Interval, None, None));
    let (exact, _) = question.of_four_exactly(&orthodox(), &files, FourLimits::BRIEF, NEVER_STOP).unwrap().unwrap();
    assert_eq!((exact.category, exact.sharp, exact.value), (Category::Interval, Some(false), None));
}

#[test]
fn best_moves_are_proved_by_the_own_threshold() {
    let (folder, _) = rook_and_bishop();
    let files = FourFiles::new(folder.path().to_owned());
    for fen in ["8/6B1/8/8/4k3/2R5/8/K7", "8/6b1/8/8/4K3/2r5/8/k7"] {
        let question = read(fen).unwrap();
        let (bounded, _) = question.of_four(&orthodox(), &files).unwrap().unwrap();
        let (exact, _) = question.of_four_exactly(&orthodox(), &files, FourLimits::BRIEF, NEVER_STOP).unwrap().unwrap();
        for answer in [&bounded, &exact] {
            let sides = [(Color::White, &answer.white), (Color::Black, &answer.black)];
            for (mover, moves) in sides {
                let own = |choice: &Choice| -> [f64; 2] {
                    let bounds = if mover == Color::White { &choice.alpha } else { &choice.beta };
                    let [low, high] = [&bounds.lo, &bounds.hi].map(|bound| bound.parse::<f64>().unwrap());
                    if mover == Color::White { [low, high] } else { [-high, -low] }
                };
                println!("{fen} {mover:?}");
                for choice in moves {
                    println!(
                        "  {} {:?} {:?} {:?} {:?}",
                        choice.san, choice.best, choice.alpha, choice.beta, choice.label
                    );
                }
                let most = moves.iter().map(|choice| own(choice)[0]).fold(f64::MIN, f64::max);
                assert!(own(&moves[0])[0] >= most - 1e-15 && moves[0].best != Some(false), "{fen} {:?}", moves[0]);
                for choice in moves.iter().filter(|choice| choice.best == Some(true)) {
                    assert!(own(choice)[0] >= most - 1e-15, "{fen} {choice:?}");
                }
                let worse = moves.iter().filter(|choice| own(choice)[1] < most - 1e-15);
                assert!(worse.clone().count() > 0 && worse.into_iter().all(|choice| choice.best == Some(false)));
            }
        }
        assert!(exact.white.iter().chain(&exact.black).all(|choice| choice.best.is_some()), "{exact:?}");
    }
}

/// Decisions about a table without pawns, written beside it.
fn decided(path: &Path) -> Decisions {
    let file = FourFile::open(path).unwrap();
    let files = FourFiles::new(path.parent().unwrap().to_owned());
    let decisions = decide_four(file.pair, &orthodox(), &files).unwrap();
    decisions.write(&file.sum, &mut fs::File::create(decisions_file_of(path)).unwrap()).unwrap();
    decisions
}

/// Folder with the table of rook and bishop, and the decisions about it.
pub(super) fn decided_rook_and_bishop() -> TempDir {
    let (folder, path) = rook_and_bishop();
    decided(&path);
    folder
}

#[test]
fn every_position_without_pawns_is_decided() {
    let (_folder, path) = file(&QUEEN_ROOK);
    let decisions = decided(&path);
    assert_eq!((decisions.apart, decisions.open), (0, 0));

    let (folder, path) = file(&ROOK_BISHOP);
    let opened = || FourFiles::new(folder.path().to_owned());
    // The bounds leave this gap open.
    let narrow = "6k1/2R5/8/8/5B2/8/8/3K4";
    let by_bounds = read(narrow).unwrap().of_four(&orthodox(), &opened()).unwrap().unwrap().0;
    assert_eq!(by_bounds.sharp, None);
    let decisions = decided(&path);
    assert_eq!((decisions.apart, decisions.open, decisions.cores.len()), (75_438, 0, 10));
    let files = opened();
    let sharp = |fen: &str| read(fen).unwrap().of_four(&orthodox(), &files).unwrap().unwrap().0.sharp;
    assert_eq!(sharp(narrow), Some(false));
    assert_eq!(sharp("7k/8/8/8/3B4/8/1R6/K7"), Some(true));

    // The cores are those of the document, with the same fractions.
    let exactly = |fen: &str| {
        let exact = read(fen).unwrap().of_four_exactly(&orthodox(), &files, FourLimits::BRIEF, NEVER_STOP);
        exact.unwrap().unwrap().0
    };
    let listed: Vec<Vec<&str>> = include_str!("../../../../docs/cores.csv")
        .lines()
        .map(|row| row.split(',').collect())
        .filter(|row: &Vec<&str>| row[0] == "KRBvK")
        .collect();
    assert_eq!(listed.len(), decisions.cores.len());
    for (quad, row) in decisions.cores.iter().zip(&listed) {
        let board = rules(Size::ORTHODOX);
        let exact = exactly(&board.placement_fen(&quad.position(board, ROOK_BISHOP.pair)));
        let fraction = |share: Option<Enclosure>| {
            let Enclosure { num, den, .. } = share.unwrap();
            format!("{}/{}", num.unwrap(), den.unwrap())
        };
        assert_eq!(row[1..4], [exact.fen, fraction(exact.alpha), fraction(exact.beta)]);
    }

    // Exact fractions agree, in both colours.
    let mut chance = StdRng::seed_from_u64(43);
    let mut known = [0; 2];
    for _ in 0..often(40) {
        let fen = rules(Size::ORTHODOX).placement_fen(&drawn(&mut chance, ROOK_BISHOP.pair));
        let exact = exactly(&fen);
        let rows: Vec<String> = fen.split('/').rev().map(|row| row.chars().map(other_colour).collect()).collect();
        assert_eq!([exact.sharp, sharp(&rows.join("/"))], [sharp(&fen); 2], "{fen}");
        known[usize::from(exact.category == Category::Exact)] += 1;
    }
    assert!(!crate::often::is_whole() || known.iter().all(|known| *known > 0), "{known:?}");
}

#[test]
fn decisions_about_another_table_are_not_used() {
    let (_folder, path) = file(&ROOK_BISHOP);
    decided(&path);
    assert!(FourFile::open(&path).unwrap().decisions().is_some());
    let beside = decisions_file_of(&path);
    let made = fs::read(&beside).unwrap();
    for at in [0, 8, 40, 100, made.len() - 1] {
        let mut wrong = made.clone();
        wrong[at] ^= 1;
        fs::write(&beside, wrong).unwrap();
        assert!(FourFile::open(&path).unwrap().decisions().is_none(), "byte {at}");
    }
    fs::write(&beside, &made[1..]).unwrap();
    assert!(FourFile::open(&path).unwrap().decisions().is_none());
    let mut table = rook_and_bishop_again();
    table.low[0] ^= 1;
    table.write(&mut fs::File::create(&path).unwrap()).unwrap();
    fs::write(&beside, &made).unwrap();
    assert!(FourFile::open(&path).unwrap().decisions().is_none());
}
