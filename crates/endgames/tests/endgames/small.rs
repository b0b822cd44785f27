//! Small boards with any number of pieces: the bounds agree with exact tables and with a solver that has its own move generator. Also: the boards
//! and materials where α < β first occurs.

use std::{collections::HashMap, fs, process::Command};

use dashu_ratio::RBig;
use zorkmid_endgames::{Bounds, Category, Count, Enclosure, Interval, SmallTables, board::Size, read};

use super::{
    exact,
    naive::{Place, Rules, over, reduced},
    table,
};

const ONE: u64 = 1 << 63;

/// Solves everything with up to `pieces` pieces, and decides where α = β.
pub(super) fn solved(width: u8, height: u8, pieces: usize) -> SmallTables {
    let size = Size::new(width, height).unwrap();
    let mut tables = SmallTables::new(size);
    while tables.pieces() < pieces {
        tables.grow(2, Some(&table(size)), &|_| ()).unwrap();
    }
    tables
}

pub(super) fn bounds(tables: &SmallTables, fen: &str) -> Bounds {
    tables.enclosed(&read(fen).unwrap().position).unwrap()
}

/// Number of classes, of classes with α < β, and of undecided classes.
fn totals(counts: &[Count]) -> [usize; 3] {
    let sum = |of: fn(&Count) -> usize| counts.iter().map(of).sum();
    [sum(|count| count.classes), sum(|count| count.apart), sum(|count| count.open)]
}

#[test]
fn bounds_enclose_exact_three_piece_values() {
    for (width, height) in [(3, 3), (3, 4)] {
        let tables = solved(width, height, 3);
        let exact_table = table(tables.size());
        let rules = Rules { width: width.into(), height: height.into() };
        for place in rules.places() {
            let fen = rules.fen(&place);
            let [low, alpha, beta, high] = bounds(&tables, &fen);
            let value = exact(read(&fen).unwrap().answer(&exact_table).value.as_ref().unwrap());
            let scaled = value * RBig::from(ONE);
            assert!(RBig::from(low) <= scaled && scaled <= RBig::from(high), "{fen}");
            assert!(low <= alpha && beta <= high && high - low <= 8192, "{fen}: {low} to {high}");
        }
    }
}

/// Bounds of all positions with given pieces, from the moves of `naive.rs`: iterated upwards from 0 and downwards from 1.
pub(super) struct Slow {
    rules: Rules,
    known: HashMap<Place, [u64; 2]>,
}

impl Slow {
    pub(super) fn new(size: Size) -> Slow {
        let rules = Rules { width: size.width().into(), height: size.height().into() };
        Slow { rules, known: HashMap::new() }
    }

    /// Solves all positions with these pieces, after those that captures and promotions reach. Returns the positions with exactly these pieces.
    fn solve(&mut self, letters: &str) -> Vec<Place> {
        let places = self.rules.with(letters);
        if places.first().is_none_or(|place| self.known.contains_key(place)) {
            return places;
        }
        for fewer in reduced(letters) {
            self.solve(&fewer);
        }
        let numbers: HashMap<&Place, usize> = places.iter().enumerate().map(|(at, place)| (place, at)).collect();
        // Known positions follow the two finished games in the list.
        let mut outside = vec![[0; 2], [ONE; 2]];
        let mut number = |next: &Place| match over(next) {
            Some(won) => usize::from(won),
            None => numbers.get(next).map_or_else(
                || {
                    outside.push(self.known[next]);
                    outside.len() - 1
                },
                |at| usize::MAX - at,
            ),
        };
        let options: Vec<[Vec<usize>; 2]> = places
            .iter()
            .map(|place| [true, false].map(|white| self.rules.options(place, white).iter().map(&mut number).collect()))
            .collect();
        let mut values = vec![[0, ONE]; places.len()];
        let mut order: Vec<usize> = (0..places.len()).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for number in &order {
                let [low, high] = values[*number];
                if high - low <= 64 {
                    continue;
                }
                let [white, black] = &options[*number];
                let of = |at: &usize| outside.get(*at).copied().unwrap_or_else(|| values[usize::MAX - *at]);
                let most = |end: usize| white.iter().map(|at| of(at)[end]).max().unwrap();
                let least = |end: usize| black.iter().map(|at| of(at)[end]).min().unwrap();
                let sum = |end: usize| u128::from(most(end)) + u128::from(least(end));
                let next = [(sum(0) / 2) as u64, sum(1).div_ceil(2) as u64];
                changed |= next != [low, high];
                values[*number] = next;
            }
            order.reverse();
        }
        self.known.extend(places.iter().cloned().zip(values));
        places
    }
}

/// Compares the bounds and decisions of all positions with these pieces with the slow solver, and returns the number of positions with α < β.
fn compared(tables: &SmallTables, slow: &mut Slow, letters: &str) -> usize {
    for place in slow.solve(letters) {
        let ([grown, shrunk], fen) = (slow.known[&place], slow.rules.fen(&place));
        assert_eq!(tables.sharp(&read(&fen).unwrap().position), Some(shrunk - grown <= ONE >> 40), "{fen}");
    }
    compared_by(slow, letters, &|fen| bounds(tables, fen))
}

/// Compares the slow solver with `bounds`, and returns the number of positions with α < β.
pub(super) fn compared_by(slow: &mut Slow, letters: &str, bounds: &dyn Fn(&str) -> Bounds) -> usize {
    // The iterates are a lower bound of α and an upper bound of β, and both are close.
    let near = ONE >> 40;
    let mut apart = 0;
    for place in slow.solve(letters) {
        let [grown, shrunk] = slow.known[&place];
        let fen = slow.rules.fen(&place);
        let [alpha, alpha_high, beta, beta_high] = bounds(&fen);
        assert!(grown <= alpha_high && alpha <= grown + near, "{fen}: α from {alpha} to {alpha_high}, not {grown}");
        assert!(beta <= shrunk && shrunk <= beta_high + near, "{fen}: β from {beta} to {beta_high}, not {shrunk}");
        assert_eq!(alpha_high < beta, shrunk - grown > near, "{fen}");
        apart += usize::from(alpha_high < beta);
    }
    apart
}

/// Letters of all pairs of pieces in addition to the kings, of either colour, each with its colour-exchanged counterpart.
fn pairs() -> Vec<[String; 2]> {
    let all = "QRBNPqrbnp";
    let other = |letter: char| {
        if letter.is_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
    };
    let with = |first: char, second: char| format!("Kk{}{}", first.min(second), first.max(second));
    let pairs = all.char_indices().flat_map(|(at, first)| all[at..].chars().map(move |second| (first, second)));
    pairs.map(|(first, second)| [with(first, second), with(other(first), other(second))]).collect()
}

#[test]
#[ignore = "tests/long: takes twenty seconds"]
fn naive_solver_agrees_on_four_pieces() {
    let apart = |width, height, materials: &[&str]| {
        let tables = solved(width, height, 4);
        let mut slow = Slow::new(tables.size());
        materials.iter().map(|letters| compared(&tables, &mut slow, letters)).collect::<Vec<_>>()
    };
    assert_eq!(apart(3, 3, &["KRBk", "KBkn", "KQkr", "KBNk", "KPkp", "KPPk"]), [0; 6]);
    assert_eq!(apart(3, 4, &["KRBk", "KBkn", "KNNk"]), [0; 3]);
    // Pawns with double steps and en passant captures: 35 classes, each of up to four images.
    let [bishop, rook, pawns] = apart(3, 5, &["KBkn", "KRkb", "KPkp"]).try_into().unwrap();
    assert!(bishop % 4 == 0 && rook % 4 == 0 && (36..=4 * 35).contains(&pawns), "{bishop} {rook} {pawns}");
    // Each class has eight images, unless a diagonal mirror preserves it.
    let tables = solved(4, 4, 4);
    let apart = compared(&tables, &mut Slow::new(tables.size()), "KBkn");
    assert!(apart > 83 * 4 && apart <= 83 * 8, "{apart}");
}

#[test]
fn naive_solver_agrees_on_all_four_pieces() {
    all_of_four_agree(&[(3, 3)]);
}

#[test]
#[ignore = "tests/long: takes many minutes"]
fn naive_solver_agrees_on_all_four_pieces_on_more_boards() {
    all_of_four_agree(&[(3, 4), (4, 3), (3, 5), (4, 4)]);
}

/// Compares all positions of four pieces, of both colours.
fn all_of_four_agree(boards: &[(u8, u8)]) {
    for &(width, height) in boards {
        let tables = solved(width, height, 4);
        let mut slow = Slow::new(tables.size());
        let mut all = 0;
        for [letters, other] in pairs() {
            let [apart, reversed] = [&letters, &other].map(|letters| compared(&tables, &mut slow, letters));
            assert_eq!(apart, reversed, "{letters} {other}");
            all += apart;
        }
        // Exchanging the colours exchanges the shares of White and Black.
        for (place, [low, high]) in &slow.known {
            let changed = slow.rules.reversed(place);
            let [other_low, other_high] = slow.known[&changed];
            assert!(
                low.abs_diff(ONE - other_high) <= ONE >> 40 && high.abs_diff(ONE - other_low) <= ONE >> 40,
                "{place:?}"
            );
        }
        println!("{width}×{height}: {} positions agree, of which {all} have α < β", slow.known.len());
    }
}

/// Bounds as numbers from 0 to 1.
fn ends(Interval { lo, hi }: &Interval) -> [f64; 2] {
    [lo, hi].map(|end| end.parse().unwrap())
}

/// Returns whether bounds of α and β enclose two numbers closely.
fn enclose([alpha, beta]: [&Interval; 2], numbers: [u64; 2]) -> bool {
    const NEAR: f64 = 1e-11;
    [alpha, beta].into_iter().zip(numbers).all(|(bounds, number)| {
        let ([low, high], number) = (ends(bounds), number as f64 / ONE as f64);
        low <= number + NEAR && number <= high + NEAR && high - low <= NEAR
    })
}

#[test]
fn answers_about_four_pieces_agree_with_value_iteration() {
    for (width, height) in [(3, 3), (3, 4)] {
        let size = Size::new(width, height).unwrap();
        let (table, mut slow) = (table(size), Slow::new(size));
        for letters in ["KRBk", "KBkn", "KPkp"] {
            for place in slow.solve(letters).iter().step_by(29) {
                let fen = slow.rules.fen(place);
                let (answer, enclosed) = read(&fen).unwrap().of_small_board(&table).unwrap();
                let [grown, shrunk] = slow.known[place];
                assert!(enclose([&enclosed.alpha, &enclosed.beta], [grown, shrunk]), "{fen}");
                assert_eq!([answer.sharp, enclosed.sharp], [Some(shrunk - grown <= ONE >> 40); 2], "{fen}");
                assert_eq!(answer.alpha.as_ref().map(Enclosure::interval), Some(enclosed.alpha), "{fen}");
                for (moves, white) in [(&answer.white, true), (&answer.black, false)] {
                    let worth = |next: &Place| match over(next) {
                        Some(won) => [if won { ONE } else { 0 }; 2],
                        None => slow.known[next],
                    };
                    // A side without a move passes.
                    let options = slow.rules.options(place, white);
                    let reached: Vec<[u64; 2]> = options.iter().filter(|next| *next != place).map(worth).collect();
                    assert_eq!(moves.is_empty(), reached.is_empty(), "{fen}");
                    for mv in moves {
                        let found = reached.iter().any(|numbers| enclose([&mv.alpha, &mv.beta], *numbers));
                        assert!(found, "{fen} {}", mv.uci);
                    }
                    for numbers in &reached {
                        assert!(moves.iter().any(|mv| enclose([&mv.alpha, &mv.beta], *numbers)), "{fen} {numbers:?}");
                    }
                    let best = if white {
                        reached.iter().map(|[alpha, _]| *alpha).max()
                    } else {
                        reached.iter().map(|[_, beta]| *beta).min()
                    };
                    if let (Some(first), Some(best)) = (moves.first(), best) {
                        let bounds = if white { &first.alpha } else { &first.beta };
                        assert!(enclose([bounds; 2], [best; 2]), "{fen} {}", first.uci);
                    }
                }
            }
        }
    }
}

/// A decimal as a fraction.
fn fraction(decimal: &str) -> RBig {
    let digits = decimal.replace('.', "").parse::<u64>().unwrap();
    RBig::from(digits) / RBig::from(10_u64.pow(decimal.split_once('.').unwrap().1.len() as u32))
}

#[test]
fn answers_prove_the_published_fractions() {
    let near = RBig::ONE / RBig::from(10_u64.pow(15));
    for name in ["3x4", "3x5", "3x6", "4x4"] {
        let list = fs::read_to_string(format!("../../docs/smallest/{name}.csv")).unwrap();
        let mut proved = 0;
        for line in list.lines().skip(1).step_by(7) {
            let [fen, alpha, beta] = line.split(',').collect::<Vec<_>>().try_into().unwrap();
            let question = read(fen).unwrap();
            let Some((answer, enclosed)) = question.of_small_board(&table(question.size)) else { continue };
            let number =
                |text: &str| text.split_once('/').map(|(num, den)| zorkmid_endgames::fraction(num, den).unwrap());
            let (most, least) = (number(alpha), number(beta));
            assert!(most.iter().all(|most| fraction(&enclosed.alpha.hi) <= most + &near), "{line}: {:?}", answer.alpha);
            assert!(
                least.iter().all(|least| fraction(&enclosed.beta.lo) >= least - &near),
                "{line}: {:?}",
                answer.beta
            );
            if most.is_some() && least.is_some() {
                assert_eq!((answer.sharp, answer.category), (Some(false), Category::Interval), "{line}");
                proved += 1;
            }
        }
        assert!(proved > 0, "{name}");
    }
    let question = read("k2/1p1/1P1/K2").unwrap();
    let (_, enclosed) = question.of_small_board(&table(question.size)).unwrap();
    for (bounds, exact) in [(enclosed.alpha, RBig::from(1)), (enclosed.beta, RBig::from(3))] {
        let exact = exact / RBig::from(4);
        assert!(fraction(&bounds.lo) <= exact && exact <= fraction(&bounds.hi), "{bounds:?}");
    }
}

#[test]
fn only_four_pieces_on_small_boards_are_answered() {
    let covered = |fen: &str| read(fen).unwrap().is_of_small_board();
    for fen in ["k2/1p1/1P1/K2", "kb1/3/KB1", "3k/4/4/KBB1", "6/k4b/K4n"] {
        assert!(covered(fen), "{fen}");
    }
    for fen in ["k2/3/3/KN1", "k2/1pp/1P1/K2", "k3/4/4/4/KNN1", "kk1/3/KN1", "1bb/3/KN1", "8/6B1/8/8/4k3/2R5/8/K7"] {
        assert!(!covered(fen), "{fen}");
    }
}

#[test]
fn three_by_three_has_no_gap_with_four_pieces() {
    let tables = solved(3, 3, 5);
    for pieces in [4, 5] {
        assert_eq!(totals(&tables.counts(pieces))[1..], [0, 0]);
    }
}

/// Rows of a table of gaps: board, number of pieces, classes with α < β, classes, position, α and β. The fewest pieces also have the number of
/// undecided classes, or nothing.
fn rows(table: &'static str) -> Vec<Vec<&'static str>> {
    table.lines().skip(1).map(|line| line.split(',').collect()).collect()
}

/// Fewest pieces with α < β on each board, quoted in docs/research.md.
fn fewest() -> Vec<Vec<&'static str>> {
    rows(include_str!("../../../../docs/smallest/boards/fewest.csv"))
}

/// Results with more pieces, also quoted in docs/research.md.
fn further() -> Vec<Vec<&'static str>> {
    rows(include_str!("../../../../docs/smallest/boards/further.csv"))
}

/// Board size of a row.
fn size_of(row: &[&str]) -> [u8; 2] {
    let (width, height) = row[0].split_once('×').unwrap();
    [width, height].map(|side| side.parse().unwrap())
}

/// Checks that the thresholds of a row belong to its position.
fn same_thresholds(tables: &SmallTables, row: &[&str]) {
    let [alpha, alpha_high, beta, beta_high] = bounds(tables, row[4]);
    let shown = |low: u64, high: u64| format!("{:.6}", low.midpoint(high) as f64 / ONE as f64);
    assert_eq!([shown(alpha, alpha_high), shown(beta, beta_high)], row[5..7], "{}", row[0]);
}

/// Maximum number of classes to solve again. The 3×4 board with seven pieces has more: the command takes an hour and 14 GB.
const FEASIBLE: usize = 100_000_000;

#[test]
#[ignore = "tests/long: takes twenty minutes and 3 GB"]
fn document_matches_gaps_with_more_pieces() {
    let rows = further();
    assert_eq!(rows.len(), 10);
    for board in rows.chunk_by(|one, next| one[0] == next[0]) {
        let [width, height] = size_of(&board[0]);
        let mut tables = solved(width, height, 3);
        for row in board.iter().filter(|row| told(row[3]) <= FEASIBLE) {
            while tables.pieces() < told(row[1]) {
                tables.grow(2, None, &|_| ()).unwrap();
            }
            let counts = tables.counts(tables.pieces());
            assert_eq!(totals(&counts)[..2], [told(row[3]), told(row[2])], "{row:?}");
            assert!(counts.iter().all(|count| count.wide == 0), "{row:?}");
            same_thresholds(&tables, row);
        }
    }
}

/// Parses the pieces of a FEN with single-digit runs of empty squares.
fn placed(fen: &str) -> Place {
    let mut place = Place::new();
    for (y, row) in (0..).zip(fen.split('/').rev()) {
        let mut x = 0;
        for letter in row.chars() {
            match letter.to_digit(10) {
                Some(empty) => x += empty as i32,
                None => {
                    place.push((letter, x, y));
                    x += 1;
                }
            }
        }
    }
    place.sort();
    place
}

/// White has no move there, nor after a move of Black's king.
#[test]
fn widest_gap_leaves_white_no_move() {
    let slow = Slow::new(Size::new(3, 4).unwrap());
    for place in [widest_gap()[4], "1k1/1N1/BP1/KRN"].map(placed) {
        assert_eq!(slow.rules.options(&place, true), [place]);
    }
}

/// Widest gap of all.
fn widest_gap() -> Vec<&'static str> {
    further().into_iter().find(|row| row[..2] == ["3×4", "7"]).unwrap()
}

/// Solves the position of the widest gap again with the slow solver.
#[test]
#[ignore = "tests/long: takes four minutes and 2.4 GB"]
fn naive_solver_finds_the_widest_gap() {
    let row = widest_gap();
    let mut slow = Slow::new(Size::new(3, 4).unwrap());
    slow.solve("KRBNNPk");
    let shown = slow.known[&placed(row[4])].map(|value| format!("{:.6}", value as f64 / ONE as f64));
    assert_eq!(shown[..], row[5..]);
}

#[test]
fn finds_the_fewest_pieces_with_a_gap() {
    fewest_are_found(&["3×4", "4×4", "3×5"]);
}

#[test]
#[ignore = "tests/long: takes some minutes"]
fn finds_the_fewest_pieces_with_a_gap_on_more_boards() {
    fewest_are_found(&["3×3", "4×3", "5×3", "3×6", "6×3"]);
}

fn fewest_are_found(boards: &[&str]) {
    for &board in boards {
        let row = fewest().into_iter().find(|row| row[0] == board).unwrap();
        let [width, height] = size_of(&row);
        let (mut tables, exact) = (solved(width, height, 3), table(Size::new(width, height).unwrap()));
        let mut counts = tables.counts(3);
        while totals(&counts)[1] == 0 {
            assert_eq!(totals(&counts)[2], 0, "{board}: undecided with {} pieces", tables.pieces());
            tables.grow(2, Some(&exact), &|_| ()).unwrap();
            counts = tables.counts(tables.pieces());
        }
        let [classes, apart, open] = totals(&counts);
        assert_eq!((tables.pieces(), apart, classes), (told(row[1]), told(row[2]), told(row[3])), "{board}");
        assert_eq!(open, 0, "{board}");
        assert!(["", "0"].contains(&row[7]), "{board}");
        same_thresholds(&tables, &row);
        let [alpha, alpha_high, beta, beta_high] = bounds(&tables, row[4]);
        // Compare the full list of classes where the documents have one.
        let list = format!("../../docs/smallest/classes/{}.csv", board.replace('×', "x"));
        if let Ok(list) = fs::read_to_string(list) {
            let mut found = Vec::new();
            tables.write(tables.pieces(), &mut found).unwrap();
            assert_eq!(String::from_utf8(found).unwrap(), list, "{board}");
        }
        // No gap is wider than the one in the row.
        let widest = counts.iter().filter_map(|count| Some(count.widest.as_ref()?.gap())).max().unwrap();
        assert!(beta - alpha_high <= widest && widest < beta_high - alpha + 8192, "{board}");
    }
}

fn told(number: &str) -> usize {
    number.parse().unwrap()
}

#[test]
fn four_by_four_gap_is_bishop_against_knight() {
    let apart = |count: &&Count| count.apart > 0;
    let counts = solved(4, 4, 4).counts(4);
    let names: Vec<String> = counts.iter().filter(apart).map(|count| count.forces.to_string()).collect();
    assert_eq!(names, ["KBvKN"]);
}

/// Returns whether the Python program proves a file, and its output.
fn python(text: &str) -> (bool, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("small.csv");
    fs::write(&path, text).unwrap();
    let done = Command::new("python3").arg("../../examples/smallest.py").arg(&path).output().unwrap();
    (done.status.success(), String::from_utf8([done.stdout, done.stderr].concat()).unwrap())
}

#[test]
#[ignore = "tests/long: takes a minute"]
fn python_proves_gaps_on_the_smallest_boards() {
    let files = fs::read_dir("../../docs/smallest").unwrap().map(|file| file.unwrap().path());
    for file in files.filter(|file| file.is_file()) {
        let (proved, said) = python(&fs::read_to_string(file).unwrap());
        assert!(proved, "{said}");
    }
    let text = fs::read_to_string("../../docs/smallest/3x4.csv").unwrap();
    // Every number agrees with the bounds. Lowering one for α or raising one for β breaks the proof.
    let tables = solved(3, 4, 4);
    let lines: Vec<[&str; 3]> =
        text.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>().try_into().unwrap()).collect();
    for [fen, alpha, beta] in &lines {
        let [_, most, least, _] = bounds(&tables, fen).map(|bound| bound as f64 / ONE as f64);
        let number = |text: &str| {
            let (num, den) = text.split_once('/').unwrap();
            num.parse::<f64>().unwrap() / den.parse::<f64>().unwrap()
        };
        assert!(alpha.is_empty() || most <= number(alpha), "{fen}");
        assert!(beta.is_empty() || number(beta) <= least, "{fen}");
    }
    let without = |left: usize| {
        let kept = text.lines().enumerate().filter(|(at, _)| *at != left).map(|(_, line)| format!("{line}\n"));
        kept.collect::<String>()
    };
    for (wrong, why) in [
        (text.replacen("K2,1/4,3/4", "K2,1/5,3/4", 1), "1/5 does not hold"),
        (text.replacen("K2,1/4,3/4", "K2,1/4,4/5", 1), "4/5 does not hold"),
        (text.replacen("K2,1/4,3/4", "K2,1/4,", 1), "does not hold"),
        (without(2), "does not hold"),
        (text.replacen("k2/1p1/1P1/K2", "k2/1p1/1N1/K2", 1), "does not hold"),
    ] {
        let (proved, said) = python(&wrong);
        assert!(!proved && said.contains(why), "{said}");
    }
}
