//! Design puzzles against an exhaustive search with the independent implementation of pieces: all designs up to the price are
//! tried.

use std::collections::HashMap;

use zorkmid_games::{
    puzzles::{Puzzle, PuzzleKind, Scene},
    rules::{Actor, Rules, Seat, Step, Turn},
    variants::csipgs::Csipgs,
};

use super::each_has_one_solution;
use crate::csipgs::naive::{At, Price, Slow};

const FILES: i32 = 8;

/// A piece: its side, and how it moves.
#[derive(Clone)]
struct Unit {
    white: bool,
    royal: bool,
    text: String,
}

/// A board as pieces by square, with the moves of each text.
struct Place {
    units: HashMap<At, Unit>,
    known: HashMap<String, Slow>,
}

/// Every single attack that can be written: capture only and one step, in the order of atoms.
fn attacks() -> Vec<String> {
    let directions = |atom: &str| match atom {
        "W" | "D" | "H" | "R" => "f b l r",
        "F" | "A" | "G" | "B" => "fl fr bl br",
        _ => "fl fr bl br lf rf lb rb",
    };
    let of = |atom| directions(atom).split(' ').map(move |way| format!("c{way}{atom}"));
    ["W", "F", "D", "A", "H", "G", "N", "L", "R", "B", "NN"].into_iter().flat_map(of).collect()
}

/// The text of several attacks, with the attacks of one atom in one term.
fn together(attacks: &[&String]) -> String {
    let mut terms: Vec<(String, String)> = Vec::new();
    for attack in attacks {
        let at = attack.find(|letter: char| letter.is_ascii_uppercase()).unwrap();
        let (way, atom) = (&attack[1..at], &attack[at..]);
        match terms.iter_mut().find(|(known, _)| known == atom) {
            Some((_, ways)) => *ways += way,
            None => terms.push((atom.to_owned(), way.to_owned())),
        }
    }
    terms.into_iter().map(|(atom, ways)| format!("c{ways}{atom}")).collect()
}

impl Place {
    fn read(puzzle: &Puzzle) -> Place {
        let letters: HashMap<String, String> =
            puzzle.scene.legend().into_iter().map(|entry| (entry.letter, entry.betza)).collect();
        let mut place = Place { units: HashMap::new(), known: HashMap::new() };
        for (row, text) in puzzle.scene.fens()[0].split(' ').next().unwrap().split('/').enumerate() {
            let (mut file, mut rest) = (0, text);
            while let Some(letter) = rest.chars().next() {
                let dress = rest[1..].chars().take_while(|sign| *sign == '\'').count();
                let word = rest[..=dress].to_ascii_uppercase();
                rest = &rest[1 + dress..];
                match letter.to_digit(10) {
                    Some(empty) => file += empty as i32,
                    None => {
                        let text = letters[&word].clone();
                        let slow = place.known.entry(text.clone()).or_insert_with_key(|text| Slow::read(text, &[]));
                        let unit = Unit { white: letter.is_ascii_uppercase(), royal: slow.royal, text };
                        place.units.insert((file, 7 - row as i32), unit);
                        file += 1;
                    }
                }
            }
        }
        place
    }

    fn targets(&self, units: &HashMap<At, Unit>, from: At) -> Vec<At> {
        let unit = &units[&from];
        let friend = |at: At| units.get(&at).map(|other| other.white == unit.white);
        self.known[&unit.text].targets(unit.white, from, false, (FILES, FILES), &friend).into_iter().collect()
    }

    fn kings(units: &HashMap<At, Unit>, white: bool) -> Vec<At> {
        units.iter().filter(|(_, unit)| unit.royal && unit.white == white).map(|(at, _)| *at).collect()
    }

    fn attacked(&self, units: &HashMap<At, Unit>, at: At) -> bool {
        let white = units[&at].white;
        let mut hostile = units.iter().filter(|(_, unit)| unit.white != white);
        hostile.any(|(from, _)| self.targets(units, *from).contains(&at))
    }

    /// The empty squares next to kings that are not attacked.
    fn doors(&self, white: bool) -> Vec<At> {
        let mut doors = Vec::new();
        for (x, y) in Place::kings(&self.units, white) {
            if self.attacked(&self.units, (x, y)) {
                continue;
            }
            for door in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy))) {
                let inside = (0..FILES).contains(&door.0) && (0..FILES).contains(&door.1);
                if inside && !self.units.contains_key(&door) && !doors.contains(&door) {
                    doors.push(door);
                }
            }
        }
        doors
    }

    /// Attacks that a piece on `door` needs: for the check, and for each reply that nothing else prevents, the attacks that
    /// prevent it. `None` if a reply cannot be prevented.
    fn needs(&self, white: bool, door: At, attacks: &[(String, Slow)]) -> Option<Vec<Vec<usize>>> {
        let mut units = self.units.clone();
        // A piece without moves, which only blocks.
        units.insert(door, Unit { white, royal: false, text: "stone".to_owned() });
        let hit = |units: &HashMap<At, Unit>, king: At| -> Vec<usize> {
            let friend = |at: At| units.get(&at).map(|other| other.white == white);
            let strikes = |slow: &Slow| slow.targets(white, door, false, (FILES, FILES), &friend).contains(&king);
            (0..attacks.len()).filter(|attack| strikes(&attacks[*attack].1)).collect()
        };
        let [king] = Place::kings(&units, !white)[..] else { return None };
        let mut needs = vec![hit(&units, king)];
        for from in units.iter().filter(|(_, unit)| unit.white != white).map(|(at, _)| *at) {
            for to in self.targets(&units, from) {
                let mut after = units.clone();
                let unit = after.remove(&from).unwrap();
                after.insert(to, unit);
                let king = Place::kings(&after, !white)[0];
                let met = |at: &&At| after[*at].text != "stone" && self.targets(&after, **at).contains(&king);
                let own = after.keys().filter(|at| after[*at].white == white);
                if own.clone().any(|at| met(&at)) {
                    continue;
                }
                needs.push(if to == door { Vec::new() } else { hit(&after, king) });
            }
        }
        needs.iter().all(|need| !need.is_empty()).then_some(needs)
    }
}

/// All sets of attacks that meet every need and cost at most `least`. An attack that meets no need can only raise the price; this
/// is verified at the end.
struct Tried<'a> {
    attacks: &'a [(String, Slow)],
    least: Price,
    found: Vec<Vec<usize>>,
}

impl Tried<'_> {
    fn price(&self, set: &[usize]) -> (String, Price) {
        let text = together(&set.iter().map(|attack| &self.attacks[*attack].0).collect::<Vec<_>>());
        let price = Slow::read(&text, &[]).price();
        (text, price)
    }

    /// Includes or excludes each attack of `left`.
    fn choose(&mut self, needs: &[Vec<usize>], set: &mut Vec<usize>, left: &[usize]) {
        let open: Vec<&Vec<usize>> = needs.iter().filter(|need| !need.iter().any(|one| set.contains(one))).collect();
        if !set.is_empty() {
            if self.price(set).1 > self.least {
                return;
            }
            let mut sorted = set.clone();
            sorted.sort_unstable();
            if open.is_empty() && !self.found.contains(&sorted) {
                self.found.push(sorted);
            }
        }
        // The remaining attacks must be able to meet the open needs.
        if open.iter().any(|need| !need.iter().any(|one| left.contains(one))) {
            return;
        }
        let Some((first, rest)) = left.split_first() else { return };
        set.push(*first);
        self.choose(needs, set, rest);
        set.pop();
        self.choose(needs, set, rest);
    }
}

/// The cheapest mating designs, in the program's notation.
fn cheapest(puzzle: &Puzzle) -> Vec<String> {
    let Scene::Csipgs(state) = &puzzle.scene else { panic!("the puzzle has no csipgs position") };
    let white = puzzle.side == zorkmid_games::board::Color::White;
    let attacks: Vec<(String, Slow)> =
        attacks().into_iter().map(|text| (text.clone(), Slow::read(&text, &[]))).collect();
    let mut place = Place::read(puzzle);
    place.known.insert("stone".to_owned(), Slow::read("mW", &[]));
    let least = Slow::read(&puzzle.solution, &[]).price();
    let mut tried = Tried { attacks: &attacks, least, found: Vec::new() };
    for door in place.doors(white) {
        if let Some(needs) = place.needs(white, door, &attacks) {
            // Attacks that meet rare needs come first.
            let mut useful: Vec<usize> = Vec::new();
            let mut sorted: Vec<&Vec<usize>> = needs.iter().collect();
            sorted.sort_by_key(|need| need.len());
            sorted.into_iter().flatten().for_each(|one| {
                if !useful.contains(one) {
                    useful.push(*one);
                }
            });
            tried.choose(&needs, &mut Vec::new(), &useful);
        }
    }
    mates(state, &puzzle.solution);
    let found = std::mem::take(&mut tried.found);
    for set in &found {
        let more = (0..attacks.len()).filter(|one| !set.contains(one)).map(|one| [&set[..], &[one]].concat());
        for mut set in more {
            set.sort_unstable();
            assert!(tried.price(&set).1 > least, "{} costs no more", tried.price(&set).0);
        }
    }
    found.iter().map(|set| tried.price(set).0.parse::<zorkmid_games::board::Betza>().unwrap().to_string()).collect()
}

/// Whether the solution mates according to the rules.
fn mates(state: &zorkmid_games::variants::csipgs::State, text: &str) {
    let (rules, piece) = (Csipgs::default(), text.parse().unwrap());
    let seat = Seat::of(state.mover());
    let supplied = state.with_reserve_piece(&piece);
    let mates = state.mating_squares(&piece).any(|square| {
        let mut after = supplied.clone();
        for said in [format!("transfer {piece} {square}"), "keep".to_owned()] {
            let action = said.parse().unwrap();
            rules.check(&after, Actor::Seat(seat), &action).unwrap();
            rules.apply(&mut after, Step::One(seat, action));
        }
        matches!(rules.turn(&after), Turn::Over(outcome) if outcome.reason() == "checkmate")
    });
    assert!(mates, "{text}");
}

#[test]
fn one_design_is_cheapest() {
    each_has_one_solution(PuzzleKind::Design, cheapest);
}
