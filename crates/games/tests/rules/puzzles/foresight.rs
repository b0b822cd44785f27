//! Mates and guesses in Clairvoyant Chess, against the slow lister of turns.

use zorkmid_games::puzzles::{Puzzle, PuzzleKind, Scene};

use super::each_has_one_solution;
use crate::clairvoyant::enumerated::walker::{Limits, Place, ROWS, ends, name, turns};

/// Payments for guesses by the source's table: the piece alone, and with its target square, for each of `PNBRQK`.
const PAYS: [(i64, i64); 6] = [(4, 5), (7, 11), (7, 11), (10, 15), (12, 20), (12, 18)];
/// Payment for a guessed castling move.
const CASTLING: i64 = 12;

/// A square as seen by Black.
fn opposite(text: &str) -> String {
    let mirror = |sign: char| sign.to_digit(10).map_or(sign, |rank| (b'0' + 9 - rank as u8) as char);
    text.chars().map(mirror).collect()
}

/// The letter of the piece with its colour changed.
fn exchanged(letter: u8) -> u8 {
    if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
}

/// The board with colours and ranks reversed. The lister does not know Black's castling.
fn turned(place: &Place) -> Place {
    let squares = std::array::from_fn(|square| exchanged(place.squares[square ^ 56]));
    Place { squares, castling: [false; 2], passing: None }
}

/// The position with White to move, and whether it was reversed.
fn read(fen: &str) -> (Place, bool) {
    let fields: Vec<&str> = fen.split(' ').collect();
    let black = fields[1] == "b";
    let mut place = Place::empty();
    for (row, text) in fields[0].split('/').enumerate() {
        let mut file = 0;
        for letter in text.bytes() {
            match letter {
                b'1'..=b'8' => file += usize::from(letter - b'0'),
                letter => {
                    place.squares[(7 - row) * 8 + file] = letter;
                    file += 1;
                }
            }
        }
    }
    let [short, long] = if black { ["k", "q"] } else { ["K", "Q"] };
    let passing = (fields[3] != "-").then(|| if black { opposite(fields[3]) } else { fields[3].to_owned() });
    let passing = passing.map(|passing| (0..64).find(|square| name(*square) == passing));
    let mut place = if black { turned(&place) } else { place };
    place.castling = [fields[2].contains(short), fields[2].contains(long)];
    place.passing = passing.flatten();
    (place, black)
}

/// Limits of turns with this much money, with all drops that it pays for if a move is also bought.
fn limits(money: i64, one: bool) -> Limits {
    Limits {
        money,
        any: false,
        bought: 1,
        drops: if one { 2 } else { ((money - 3) / 3).max(0) as usize },
        rows: ROWS,
        one,
    }
}

fn money(puzzle: &Puzzle) -> [i64; 2] {
    let Scene::Clairvoyant(state) = &puzzle.scene else { panic!("the puzzle has no Clairvoyant Chess position") };
    let [white, black] = state.purses;
    if puzzle.scene.fens()[0].contains(" b ") { [black, white] } else { [white, black] }
}

fn as_it_was(text: String, black: bool) -> String {
    if black { opposite(&text) } else { text }
}

/// Every turn after which the opponent is in check and has no legal turn.
fn mates(puzzle: &Puzzle) -> Vec<String> {
    let (place, black) = read(&puzzle.scene.fens()[0]);
    let [own, theirs] = money(puzzle);
    // With more money, three drops could meet a check, and a turn could have four.
    assert!((3..=11).contains(&own) && (0..=8).contains(&theirs), "{own} {theirs}");
    let checks = ends(&place, &limits(own, false)).into_iter().filter(|(_, _, place)| place.in_check(false));
    let mates = checks.filter(|(text, _, place)| {
        // Tries every pawn that made a double step as the only one that can be captured en passant.
        std::iter::once(None).chain(passed(text, place).map(Some)).all(|passing| {
            let after = Place { passing, ..turned(place) };
            turns(&after, &limits(theirs, true)).is_empty()
        })
    });
    mates.map(|(text, ..)| as_it_was(text, black)).collect()
}

/// The squares that pawns passed over in a turn, as seen by the opponent.
fn passed(text: &str, place: &Place) -> impl Iterator<Item = usize> {
    let over = |part: &str| {
        let file = part.bytes().next().filter(|file| part == format!("{0}2{0}4", *file as char))?;
        let (over, pawn) = (16 + usize::from(file - b'a'), 24 + usize::from(file - b'a'));
        (place.squares[pawn] == b'P' && place.squares[over] == 0).then_some(over ^ 56)
    };
    text.split(' ').filter_map(over).collect::<Vec<_>>().into_iter()
}

/// Every guess with the highest total payment over all turns.
fn guesses(puzzle: &Puzzle) -> Vec<String> {
    let (place, black) = read(&puzzle.scene.fens()[0]);
    assert!(money(puzzle)[0] < 3, "the mover could buy something");
    let turns: Vec<String> = turns(&place, &limits(0, false)).into_iter().map(|(text, _)| text).collect();
    assert!(turns.iter().all(|turn| turn.len() == 4), "{turns:?}");
    let pay = |guess: &str| -> i64 {
        let paid = |turn: &&String| turn.starts_with(guess);
        let one = |turn: &String| {
            let from = (0..64).find(|square| turn.starts_with(&name(*square)));
            let kind = b"PNBRQK".iter().position(|kind| *kind == place.squares[from.unwrap()]).unwrap();
            let castles = kind == 5 && turn.as_bytes()[0].abs_diff(turn.as_bytes()[2]) == 2;
            match guess.len() {
                2 => PAYS[kind].0,
                _ if castles => CASTLING,
                _ => PAYS[kind].1,
            }
        };
        turns.iter().filter(paid).map(one).sum()
    };
    let mut all: Vec<&str> = turns.iter().flat_map(|turn| [&turn[..2], &turn[..]]).collect();
    all.sort_unstable();
    all.dedup();
    let most = all.iter().map(|guess| pay(guess)).max();
    let best = all.into_iter().filter(|guess| Some(pay(guess)) == most);
    best.map(|guess| as_it_was(guess.to_owned(), black)).collect()
}

#[test]
fn one_turn_mates() {
    each_has_one_solution(PuzzleKind::Mate, mates);
}

#[test]
fn one_guess_earns_most() {
    each_has_one_solution(PuzzleKind::Guess, guesses);
}
