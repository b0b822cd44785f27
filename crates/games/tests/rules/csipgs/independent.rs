//! csipgs Chess against independent programs: random designs and complete games with inventions against the slow implementation
//! of `naive`, and games of armies against Fairy-Stockfish, whose configuration this file writes.

use std::collections::{BTreeMap, BTreeSet};

use num_rational::Ratio;
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::json;
use zorkmid_games::{
    board::{Betza, Color, Size, Square, Squares},
    game::Live,
    rules::{Actor, Seat},
    variants::csipgs::price::{Catalogue, Quantum, exact},
};

use super::{
    fairy::{Line, Question, compare, judge},
    game,
    naive::{At, Idea, Slow, What, text},
    say,
};
use crate::often::often;

fn square((x, y): At) -> Square {
    Square::new(x as u8, y as u8)
}

fn name(at: At) -> String {
    square(at).to_string()
}

/// Numbers of files and ranks; in half of all cases 8 and 8.
fn sides(rng: &mut StdRng) -> At {
    if rng.random() { (8, 8) } else { (rng.random_range(4..=8), rng.random_range(4..=8)) }
}

fn place(text: &str) -> At {
    let square: Square = text.parse().unwrap();
    (square.file().into(), square.rank().into())
}

#[test]
fn random_texts_match_the_slow_implementation() {
    let mut rng = StdRng::seed_from_u64(3);
    let mut moves = 0;
    for number in 0..often(300) {
        let prefix = ["", "", "", "royal-", "doublemove-", "relay-", "royal-doublemove-"].choose(&mut rng).unwrap();
        let text = format!("{prefix}{}", text(&mut rng, 5, &[]));
        let slow = Slow::read(&text, &[]);
        let piece: Betza = text.parse().unwrap_or_else(|wrong| panic!("{text}: {wrong}"));
        assert_eq!(exact(&piece, &Catalogue::default()), slow.price(), "{text}");
        let (files, ranks) = sides(&mut rng);
        let size = Size::new(files as u8, ranks as u8).unwrap();
        let design = piece.design(size);
        let crowd = number as u32 % 5;
        let mut drawn = || size.squares().filter(|_| rng.random_ratio(crowd, 10)).collect::<Squares>();
        let (friends, hostile) = (drawn(), drawn());
        let hostile = hostile & !friends;
        let unit = |at: At| {
            let at = ((0..files).contains(&at.0) && (0..ranks).contains(&at.1)).then(|| square(at))?;
            (friends | hostile).has(at).then(|| friends.has(at))
        };
        for color in Color::BOTH {
            for from in size.squares() {
                let at = (from.file().into(), from.rank().into());
                let wanted = slow.targets(color == Color::White, at, false, (files, ranks), &unit);
                let found = design.targets(color, from, friends | hostile, hostile);
                assert_eq!(found, wanted.iter().copied().map(square).collect(), "{text} {color:?} {from} on {size}");
                moves += wanted.len();
            }
        }
    }
    eprintln!("{} texts, {moves} moves", often(300));
}

/// All inventions of these games, one of each kind, with telling names.
const IDEAS: [(&str, What, &str); 17] = [
    ("Horse", What::Lame(1, 2), "lame(1,2)"),
    ("Ram", What::Lame(0, 3), "lame(0,3)"),
    ("Ox", What::Lame(2, 2), "lame(2,2)"),
    ("Zebra", What::Leaper(2, 3), "leaper(2,3)"),
    ("Giraffe", What::Leaper(1, 4), "leaper(1,4)"),
    ("Wide", What::Leaper(0, 5), "leaper(0,5)"),
    ("Skip", What::Rider(0, 2), "rider(0,2)"),
    ("Caravan", What::Rider(1, 3), "rider(1,3)"),
    ("Run", What::Runner, "runner"),
    ("Slow", What::Lamed, "lamed"),
    ("Two", What::Range(2), "range(2)"),
    ("Twice", What::Doublemove, "doublemove"),
    ("Tusker", What::Lame(2, 3), "lame(2,3)"),
    ("Gryphon", What::Bent((1, 1), (0, 1)), "bent(1,1,0,1)"),
    ("Heron", What::Bent((1, 2), (1, 1)), "bent(1,2,1,1)"),
    ("Hop", What::Hopper, "hopper"),
    ("Grass", What::Grasshopper, "grasshopper"),
];

/// A game in the slow implementation: pieces, money in tenths of a zorkmid, and inventions.
struct Ledger {
    /// Files and ranks.
    sides: At,
    units: BTreeMap<At, (bool, String)>,
    treasury: [i128; 2],
    reserve: [Vec<String>; 2],
    designs: [Vec<String>; 2],
    ideas: Vec<Idea>,
    white: bool,
}

impl Ledger {
    fn slow(&self, text: &str) -> Slow {
        Slow::read(text, &self.ideas)
    }

    fn targets(&self, units: &BTreeMap<At, (bool, String)>, from: At, twice: bool) -> BTreeSet<At> {
        let (white, text) = &units[&from];
        let friend = |at: At| units.get(&at).map(|(color, _)| color == white);
        self.slow(text).targets(*white, from, twice, self.sides, &friend)
    }

    fn royals(&self, units: &BTreeMap<At, (bool, String)>, white: bool) -> Vec<At> {
        let royal = |(_, (color, text)): &(&At, &(bool, String))| *color == white && text.starts_with("royal-");
        units.iter().filter(royal).map(|(at, _)| *at).collect()
    }

    fn attacked(&self, units: &BTreeMap<At, (bool, String)>, at: At, by: bool) -> bool {
        units
            .iter()
            .filter(|(_, (color, _))| *color == by)
            .any(|(from, _)| self.targets(units, *from, false).contains(&at))
    }

    /// Whether the side to move leaves its only royal piece attacked.
    fn exposed(&self, units: &BTreeMap<At, (bool, String)>) -> bool {
        match self.royals(units, self.white).as_slice() {
            [only] => self.attacked(units, *only, !self.white),
            _ => false,
        }
    }

    fn after(units: &BTreeMap<At, (bool, String)>, from: At, to: At) -> BTreeMap<At, (bool, String)> {
        let mut units = units.clone();
        let unit = units.remove(&from).unwrap();
        units.insert(to, unit);
        units
    }

    fn tenths(&self, text: &str) -> i128 {
        10 * self.slow(text).price().ceil().to_integer()
    }

    /// All legal actions of the action phase.
    fn actions(&self) -> BTreeSet<String> {
        let mut actions = BTreeSet::new();
        let own: Vec<At> =
            self.units.iter().filter(|(_, (white, _))| *white == self.white).map(|(at, _)| *at).collect();
        let last = |units: &BTreeMap<At, (bool, String)>, to: &At| self.royals(units, !self.white) == [*to];
        for from in own {
            for to in self.targets(&self.units, from, false) {
                if !self.exposed(&Ledger::after(&self.units, from, to)) {
                    actions.insert(name(from) + &name(to));
                }
            }
            for to in self.targets(&self.units, from, true).iter().filter(|to| !last(&self.units, to)) {
                let between = Ledger::after(&self.units, from, *to);
                for then in self.targets(&between, *to, true).iter().filter(|then| !last(&between, then)) {
                    if !self.exposed(&Ledger::after(&between, *to, *then)) {
                        actions.insert(format!("{}{} {}{}", name(from), name(*to), name(*to), name(*then)));
                    }
                }
            }
        }
        let side = usize::from(!self.white);
        let royals = self.royals(&self.units, self.white);
        let safe: Vec<At> = royals.iter().copied().filter(|at| !self.attacked(&self.units, *at, !self.white)).collect();
        for text in &self.reserve[side] {
            for (x, y) in &safe {
                for at in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy))) {
                    let inside = (0..self.sides.0).contains(&at.0) && (0..self.sides.1).contains(&at.1);
                    if inside && !self.units.contains_key(&at) {
                        actions.insert(format!("transfer {text} {}", name(at)));
                    }
                }
            }
        }
        let count = self.units.values().filter(|(white, _)| *white == self.white).count() + self.reserve[side].len();
        if safe.len() == royals.len() && count < 16 {
            let sold = self.designs[side].iter().filter(|text| self.tenths(text) <= self.treasury[side]);
            actions.extend(sold.map(|text| format!("buy {text}")));
        }
        actions
    }

    /// Applies an action.
    fn act(&mut self, action: &str) {
        let side = usize::from(!self.white);
        let words: Vec<&str> = action.split(' ').collect();
        match words.as_slice() {
            ["buy", text] => {
                self.treasury[side] -= self.tenths(text);
                self.reserve[side].push((*text).to_owned());
            }
            ["transfer", text, at] => {
                let index = self.reserve[side].iter().position(|known| known == text).unwrap();
                self.reserve[side].remove(index);
                self.units.insert(place(at), (self.white, (*text).to_owned()));
            }
            steps => {
                for step in steps {
                    self.units = Ledger::after(&self.units, place(&step[..2]), place(&step[2..]));
                }
            }
        }
    }
}

fn asked(game: &Live) -> Option<(Seat, Vec<String>)> {
    let seat = *game.awaits().first()?;
    let told = game.json(Some(seat));
    let actions = told["actions"].as_array()?.iter().map(|text| text.as_str().unwrap().to_owned());
    Some((seat, actions.collect()))
}

/// Plays a game with inventions. Returns the numbers of positions and actions compared, and of steps in each phase.
fn configurable(seed: u64) -> [usize; 4] {
    let mut rng = StdRng::seed_from_u64(seed);
    let (files, ranks) = sides(&mut rng);
    let mut game = game(json!({
        "inventions": true, "white_tenths": 700, "black_tenths": 700, "income_tenths": 60, "files": files, "ranks": ranks,
    }));
    let king = |white| (white, "royal-WF".to_owned());
    let standard = ["B", "BR", "cfFmfW", "N", "R", "royal-WF"].map(str::to_owned).to_vec();
    let mut ledger = Ledger {
        sides: (files, ranks),
        units: [((files / 2, 0), king(true)), ((files / 2, ranks - 1), king(false))].into_iter().collect(),
        treasury: [700, 700],
        reserve: Default::default(),
        designs: [standard.clone(), standard],
        ideas: Vec::new(),
        white: true,
    };
    let mut left: Vec<usize> = (0..IDEAS.len()).collect();
    let mut done = [0; 4];
    for _ in 0..60 {
        ledger.treasury[usize::from(!ledger.white)] += 60;
        let Some((seat, actions)) = asked(&game) else { break };
        let actions: BTreeSet<String> = actions.into_iter().collect();
        let wanted = ledger.actions();
        assert_eq!(actions, wanted, "seed {seed}, {files}×{ranks}: {:?} {:?}", ledger.units, ledger.ideas);
        done[0] += 1;
        done[1] += actions.len();
        let doubles: Vec<&String> =
            actions.iter().filter(|action| action.len() == 9 && action.as_bytes()[4] == b' ').collect();
        let kind = |word: &str| actions.iter().filter(|action| action.starts_with(word)).collect::<Vec<_>>();
        let groups = [kind("transfer"), kind("buy"), doubles.clone(), actions.iter().collect()];
        let group = groups.iter().filter(|group| !group.is_empty()).collect::<Vec<_>>();
        let action = (*group.choose(&mut rng).unwrap().choose(&mut rng).unwrap()).clone();
        done[2] += usize::from(doubles.contains(&&action));
        done[3] += usize::from(action.starts_with("transfer") && action.contains('<'));
        say(&mut game, &action);
        ledger.act(&action);
        if game.outcome().is_some() {
            break;
        }
        let side = usize::from(!ledger.white);
        if !left.is_empty() && rng.random_ratio(1, 2) {
            let (name, what, definition) = IDEAS[left.swap_remove(rng.random_range(0..left.len()))];
            let estimates = [rng.random_range(1..6_000), rng.random_range(1..6_000)];
            say(&mut game, &format!("invent {name} {definition}"));
            let mut cost = 0;
            for (seat, estimate) in Seat::BOTH.into_iter().zip(estimates) {
                // Copies of existing atoms may not cost less than the originals; then the estimate is 9.
                let mut say = |estimate: i128| {
                    cost = cost.max(estimate);
                    game.act(Actor::Seat(seat), &format!("estimate {}.{:03}", estimate / 1000, estimate % 1000), 0)
                };
                if say(estimate).is_err() {
                    say(9_000).unwrap();
                }
            }
            ledger.ideas.push(Idea { name, what, cost });
        } else {
            let mut text = text(&mut rng, 3, &ledger.ideas);
            if rng.random_ratio(1, 8) {
                text = format!("royal-{text}");
            }
            let slot = rng.random_range(1..=6);
            let design = format!("design {slot} {text}");
            if text.len() <= 64 && rng.random_ratio(4, 5) {
                game.act(Actor::Seat(seat), &design, 0).unwrap_or_else(|why| panic!("{design}: {why}"));
                // The canonical text of the design must have the same price.
                let slots = game.json(None)["view"]["designs"][if side == 0 { "one" } else { "two" }].clone();
                let canonical = slots[slot - 1]["betza"].as_str().unwrap().to_owned();
                assert_eq!(ledger.slow(&canonical).price(), ledger.slow(&text).price(), "{text} {canonical}");
                let told = slots[slot - 1]["exact"].as_str().unwrap();
                assert_eq!(told, ledger.slow(&text).price().to_string(), "{text}");
                ledger.designs[side][slot - 1] = canonical;
            } else {
                say(&mut game, "keep");
            }
        }
        ledger.white = !ledger.white;
    }
    done
}

#[test]
fn games_with_inventions_match_the_slow_implementation() {
    let mut sums = [0; 4];
    for seed in 0..often(10) as u64 {
        let done = configurable(seed);
        sums.iter_mut().zip(done).for_each(|(sum, done)| *sum += done);
    }
    let [positions, actions, twice, invented] = sums;
    let rare = positions > 20 * often(10) && twice > 0 && invented > often(10);
    assert!(!crate::often::is_whole() || rare, "{sums:?}");
    eprintln!(
        "{} games, {positions} positions, {actions} actions, {twice} moves of two steps, {invented} invented pieces",
        often(10)
    );
}

/// A random army for each seat from one pool of designs, as action texts. `None` if the random choice is invalid.
fn armies(rng: &mut StdRng, ranks: u8, budget: i64) -> Option<([String; 2], Vec<String>)> {
    // Fairy-Stockfish reads a bare f or b before knight-like atoms differently.
    let plain = |text: &String| {
        !["fN", "bN", "fL", "bL", "fC", "bC", "fm", "bm", "fc", "bc"].iter().any(|part| text.contains(part))
    };
    let mut pool: Vec<String> = (0..12).map(|_| text(rng, 3, &[])).filter(plain).collect();
    pool.extend(["cfFmfW", "N", "B", "R", "W", "FD"].map(str::to_owned));
    let royals: Vec<String> = if rng.random() { vec!["royal-WF".to_owned()] } else { vec!["royal-WD".to_owned()] };
    let price = |text: &str| Slow::read(text, &[]).price();
    let mut texts = Vec::new();
    for seat in Seat::BOTH {
        let royal = royals.choose(rng).unwrap();
        let kings: &[usize] = if rng.random_ratio(1, 3) { &[2, 5] } else { &[4] };
        let mut text = "army".to_owned();
        let mut total = Ratio::from(0);
        for at in 0..16 {
            let fits = |piece: &&String| at < 8 || price(piece) <= Ratio::from(2);
            let choice: Vec<&String> = pool.iter().filter(fits).collect();
            let piece = if kings.contains(&at) { royal } else { choice.choose(rng)? };
            total += price(piece);
            let (first, second) = if seat == Seat::One { (1, 2) } else { (ranks, ranks - 1) };
            let file = (b'a' + at as u8 % 8) as char;
            text += &format!(" {piece} {file}{}", if at < 8 { first } else { second });
        }
        if total >= Ratio::new(i128::from(budget), 10) {
            return None;
        }
        texts.push(text);
    }
    pool.extend(royals);
    Some((texts.try_into().unwrap(), pool))
}

/// Continues a game of armies with moves only, and records every list of moves.
fn battle(game: &mut Live, rng: &mut StdRng) -> Line {
    let mut line = Line { fen: game.diagram(None).fen.unwrap(), moves: Vec::new(), legal: Vec::new() };
    while let Some((_, actions)) = asked(game) {
        let mut moves: Vec<String> = actions.into_iter().filter(|action| action.len() == 4).collect();
        moves.sort();
        let next = moves.choose(rng).cloned();
        line.legal.push(moves);
        match next {
            Some(next) if line.moves.len() < 80 => {
                say(game, &next);
                line.moves.push(next);
                if game.outcome().is_some() {
                    // A mate: Fairy-Stockfish finds no moves either.
                    line.legal.push(Vec::new());
                    break;
                }
                say(game, "keep");
                if game.outcome().is_some() {
                    line.legal.push(Vec::new());
                    break;
                }
            }
            _ => break,
        }
    }
    line.moves.truncate(line.legal.len() - 1);
    line
}

#[test]
fn armies_match_fairy_stockfish() {
    let Some(python) = judge() else { return };
    let mut rng = StdRng::seed_from_u64(52);
    let mut questions: Vec<Question> = Vec::new();
    let mut kings = 0;
    while questions.len() < often(5) {
        let budget = *[520, 1500].choose(&mut rng).unwrap();
        // An army needs eight files; every second board has fewer ranks.
        let ranks = if questions.len().is_multiple_of(2) { 8 } else { rng.random_range(4..8) };
        let Some((texts, pool)) = armies(&mut rng, ranks, budget) else { continue };
        let mut game = game(json!({"army": "secret", "army_budget_tenths": budget, "ranks": ranks}));
        let set = |game: &mut Box<Live>, seat: Seat| game.act(Actor::Seat(seat), &texts[seat.index()], 0);
        if Seat::BOTH.into_iter().any(|seat| set(&mut game, seat).is_err()) || game.outcome().is_some() {
            continue;
        }
        // The letters come from the game's FEN, the designs from the texts above.
        let legend = game.json(None)["view"]["legend"].clone();
        let lettered: Vec<(char, String)> = (legend.as_array().unwrap().iter())
            .filter_map(|entry| Some((entry["letter"].as_str()?.chars().next()?, entry["betza"].as_str()?.to_owned())))
            .collect();
        let same = |canonical: &str| {
            let alike = |text: &&String| text.parse::<Betza>().unwrap().to_string() == canonical;
            pool.iter().find(alike).unwrap_or_else(|| panic!("{canonical} was never submitted")).clone()
        };
        let mut ini = format!("[army{}]\n", questions.len());
        let mut slots = 1..;
        let mut last = String::new();
        for (letter, canonical) in &lettered {
            let (letter, text) = (letter.to_ascii_lowercase(), same(canonical));
            if text.starts_with("royal-") {
                last.push(letter);
            }
            let moves = text.strip_prefix("royal-").unwrap_or(&text);
            ini += &format!("customPiece{} = {letter}:{moves}\n", slots.next().unwrap());
        }
        ini += &format!("extinctionValue = loss\nextinctionPseudoRoyal = true\nextinctionPieceTypes = {last}\n");
        let empty = vec!["8"; usize::from(ranks)].join("/");
        ini += &format!("maxRank = {ranks}\ncastling = false\nstalemateValue = loss\nstartFen = {empty} w - - 0 1\n");
        let before = game.diagram(None).pieces.iter().filter(|unit| unit.betza.starts_with("royal-")).count();
        kings += usize::from(before > 2);
        let line = battle(&mut game, &mut rng);
        questions.push(Question { name: format!("army{}", questions.len()), ini, games: vec![line] });
    }
    let [plies, moves] = compare(&python, &questions);
    assert!(plies > 20 * questions.len() && kings > 0, "{plies} {kings}");
    eprintln!("{} armies, {plies} plies, {moves} moves; {kings} began with several royal pieces", questions.len());
}

#[test]
fn prices_are_rounded_up() {
    let mut rng = StdRng::seed_from_u64(5);
    for _ in 0..often(300) {
        let text = text(&mut rng, 4, &[]);
        let exact = exact(&text.parse().unwrap(), &Catalogue::default());
        let whole = Slow::read(&text, &[]).price().ceil().to_integer();
        assert_eq!(i128::from(Quantum::Whole.price(exact)), 10 * whole, "{text}");
    }
}
