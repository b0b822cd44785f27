//! A slow, independent implementation of piece texts, moves and prices, with squares as pairs of numbers and prices as fractions.

use std::collections::BTreeSet;

use num_rational::Ratio;
use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};

pub(crate) type Price = Ratio<i128>;
/// A square as file and rank, from 0.
pub(crate) type At = (i32, i32);

/// An invention: name, definition, and price in thousandths of a zorkmid.
#[derive(Clone, Debug)]
pub(crate) struct Idea {
    pub(crate) name: &'static str,
    pub(crate) what: What,
    pub(crate) cost: i128,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    Leaper(i32, i32),
    Rider(i32, i32),
    Lame(i32, i32),
    Runner,
    Lamed,
    Range(usize),
    Doublemove,
    Bent(At, At),
    Hopper,
    Grasshopper,
}

/// One term: its steps as White moves, their ranges, and modes.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    /// The first leap, and the leap that continues a ride.
    steps: Vec<[At; 2]>,
    reach: usize,
    /// Hop condition: no piece, one piece anywhere on the way, or one piece right before the landing square.
    over: Over,
    lame: bool,
    moves: bool,
    captures: bool,
    pub(crate) twice: bool,
    cost: Price,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Over {
    Nothing,
    Anywhere,
    Last,
}

#[derive(Clone, Debug)]
pub(crate) struct Slow {
    pub(crate) royal: bool,
    relay: bool,
    doublemove: bool,
    pub(crate) parts: Vec<Part>,
}

/// Leap of an atom, whether it is a rider, and its price in hundredths of a zorkmid.
fn atom(name: &str) -> Option<(i32, i32, bool, i128)> {
    Some(match name {
        "W" => (0, 1, false, 150),
        "F" => (1, 1, false, 150),
        "D" => (0, 2, false, 150),
        "A" => (2, 2, false, 150),
        "H" => (0, 3, false, 150),
        "G" => (3, 3, false, 150),
        "N" => (1, 2, false, 300),
        "L" | "C" => (1, 3, false, 330),
        "R" | "WW" => (0, 1, true, 500),
        "B" | "FF" => (1, 1, true, 330),
        "NN" => (1, 2, true, 550),
        _ => return None,
    })
}

/// Whether a step has a direction. `far`: its long side must have that direction.
fn along((dx, dy): At, letter: char) -> bool {
    match letter {
        'f' => dy > 0,
        'b' => dy < 0,
        'l' => dx < 0,
        'r' => dx > 0,
        _ => panic!("{letter} is no direction"),
    }
}

/// The steps selected by direction letters.
fn directed(all: &[At], letters: &str) -> Vec<At> {
    if letters.is_empty() {
        return all.to_vec();
    }
    let letters: Vec<char> = letters.chars().collect();
    let knightwise = all.len() == 8;
    let straight = all.iter().all(|(dx, dy)| *dx == 0 || *dy == 0);
    let upright = |letter: char| "fb".contains(letter);
    let tall = |step: &At| step.1.abs() > step.0.abs();
    let mut chosen = BTreeSet::new();
    let mut at = 0;
    while at < letters.len() {
        let (one, two) = (letters[at], letters.get(at + 1).copied());
        let crossed = two.filter(|two| "fblr".contains(one) && "fblr".contains(*two) && upright(one) != upright(*two));
        let mut keep = |holds: &dyn Fn(&At) -> bool| chosen.extend(all.iter().copied().filter(|step| holds(step)));
        let taken = match (one, two) {
            ('v', _) if straight => {
                keep(&|step| step.0 == 0);
                1
            }
            ('s', _) if straight => {
                keep(&|step| step.1 == 0);
                1
            }
            (_, _) if straight => {
                keep(&|step| along(*step, one));
                1
            }
            (_, Some(two)) if crossed.is_some() && !knightwise => {
                keep(&|step| along(*step, one) && along(*step, two));
                2
            }
            (_, _) if !knightwise => {
                keep(&|step| along(*step, one));
                1
            }
            ('v', _) => {
                keep(&tall);
                1
            }
            ('s', _) => {
                keep(&|step| !tall(step));
                1
            }
            (_, Some('h')) => {
                keep(&|step| along(*step, one));
                2
            }
            (_, Some(two)) if two == one => {
                keep(&|step| along(*step, one) && tall(step) == upright(one));
                2
            }
            (_, Some('s')) if upright(one) => {
                keep(&|step| along(*step, one) && !tall(step));
                2
            }
            (_, Some('v')) if !upright(one) => {
                keep(&|step| along(*step, one) && tall(step));
                2
            }
            (_, Some(two)) if crossed.is_some() => {
                keep(&|step| along(*step, one) && along(*step, two) && tall(step) != upright(one));
                2
            }
            // A single letter before a knight-like atom selects half of its steps.
            (_, _) => {
                keep(&|step| along(*step, one));
                1
            }
        };
        at += taken;
    }
    chosen.into_iter().collect()
}

fn images(m: i32, n: i32) -> Vec<At> {
    let mut all = BTreeSet::new();
    for (a, b) in [(m, n), (n, m)] {
        for (x, y) in [(a, b), (a, -b), (-a, b), (-a, -b)] {
            all.insert((x, y));
        }
    }
    all.into_iter().collect()
}

/// Share of the atom's price for some of its steps.
fn share(all: &[At], steps: &[At]) -> Price {
    let whole = Ratio::from(1);
    if all.len() == steps.len() {
        return whole;
    }
    let hundredths = |number: i128| Ratio::new(number, 1000);
    let straight = all.iter().all(|(dx, dy)| *dx == 0 || *dy == 0);
    let sum = |steps: &[At]| -> Price {
        let one = |step: &At| {
            hundredths(match (straight, all.len(), step.1) {
                (true, _, 0) => 250,
                (true, _, 1..) => 500,
                (true, _, _) => 200,
                (false, 4, 1..) => 350,
                (false, 4, _) => 200,
                (false, _, 1..) => 175,
                (false, _, _) => 100,
            })
        };
        steps.iter().map(one).sum()
    };
    let mut best = sum(steps);
    if all.len() == 8 {
        let (tall, wide): (Vec<At>, Vec<At>) = steps.iter().copied().partition(|(dx, dy)| dy.abs() > dx.abs());
        for (full, rest) in [(&tall, &wide), (&wide, &tall)] {
            if full.len() == 4 {
                best = best.min(hundredths(500) + sum(rest));
            }
        }
    }
    best.min(whole)
}

impl Slow {
    /// Parses a text that is known to be a piece.
    pub(crate) fn read(text: &str, ideas: &[Idea]) -> Slow {
        let mut rest = text;
        let mut prefixes = [false; 3];
        while let Some((index, prefix)) =
            ["royal-", "relay-", "doublemove-"].iter().enumerate().find(|(_, prefix)| rest.starts_with(**prefix))
        {
            prefixes[index] = true;
            rest = &rest[prefix.len()..];
        }
        let mut parts = Vec::new();
        while !rest.is_empty() {
            let (mut letters, mut moves, mut captures) = (String::new(), false, false);
            let mut bends: Vec<&Idea> = Vec::new();
            let (m, n, rides, lame, base, bend) = loop {
                let letter = rest.chars().next().unwrap_or_else(|| panic!("{text} ends in modifiers"));
                if letter == '<' {
                    let (name, behind) = rest[1..].split_once('>').unwrap();
                    rest = behind;
                    let idea = ideas.iter().find(|idea| idea.name == name).unwrap_or_else(|| panic!("no {name}"));
                    let cost = Ratio::new(idea.cost, 1000);
                    match idea.what {
                        What::Leaper(m, n) => break (m, n, false, false, cost, None),
                        What::Rider(m, n) => break (m, n, true, false, cost, None),
                        What::Lame(m, n) => break (m, n, false, true, cost, None),
                        What::Bent((m, n), then) => break (m, n, true, false, cost, Some(then)),
                        What::Runner
                        | What::Lamed
                        | What::Range(_)
                        | What::Doublemove
                        | What::Hopper
                        | What::Grasshopper => bends.push(idea),
                    }
                    continue;
                }
                if letter.is_ascii_uppercase() {
                    let double = &rest[..2.min(rest.len())];
                    let name = if ["WW", "FF", "NN"].contains(&double) { double } else { &rest[..1] };
                    rest = &rest[name.len()..];
                    let (m, n, rides, cost) = atom(name).unwrap_or_else(|| panic!("{text}: {name}"));
                    break (m, n, rides, false, Ratio::new(cost, 100), None);
                }
                rest = &rest[1..];
                match letter {
                    'm' => moves = true,
                    'c' => captures = true,
                    letter => letters.push(letter),
                }
            };
            let all = images(m, n);
            let steps = directed(&all, &letters);
            let both = moves == captures;
            let mut cost = base * share(&all, &steps);
            let onward = |step: &At| match bend {
                None => vec![*step],
                Some((k, l)) => {
                    let along = |(x, y): &At| x * step.0 + y * step.1;
                    let turns = images(k, l);
                    let most = turns.iter().map(along).max();
                    turns.into_iter().filter(|turn| Some(along(turn)) == most).collect()
                }
            };
            let steps: Vec<[At; 2]> =
                steps.iter().flat_map(|step| onward(step).into_iter().map(|then| [*step, then])).collect();
            if !both {
                cost *= Ratio::new(3, 5);
            }
            let mut part = Part {
                steps,
                over: Over::Nothing,
                reach: if rides { 8 } else { 1 },
                lame,
                moves: both || moves,
                captures: both || captures,
                twice: prefixes[2],
                cost,
            };
            for idea in &bends {
                part.cost *= Ratio::new(idea.cost, 1000);
                match idea.what {
                    What::Runner => part.reach = 8,
                    What::Lamed => part.lame = true,
                    What::Doublemove => part.twice = true,
                    What::Hopper => part.over = Over::Anywhere,
                    What::Grasshopper => part.over = Over::Last,
                    What::Range(_) | What::Leaper(..) | What::Rider(..) | What::Lame(..) | What::Bent(..) => {}
                }
            }
            // A range applies to riders, including bent ones from inventions.
            for idea in &bends {
                if let What::Range(most) = idea.what {
                    part.reach = part.reach.min(most);
                }
            }
            parts.push(part);
        }
        Slow { royal: prefixes[0], relay: prefixes[1], doublemove: prefixes[2], parts }
    }

    /// Price before rounding.
    pub(crate) fn price(&self) -> Price {
        let mut price: Price = self.parts.iter().map(|part| part.cost).sum();
        let even = |(dx, dy): At| (dx + dy) % 2 == 0;
        let bound = |part: &Part| part.steps.iter().all(|[leap, then]| even(*leap) && (part.reach == 1 || even(*then)));
        if self.parts.iter().all(bound) {
            price *= Ratio::new(9, 10);
        }
        for (has, factor) in [(self.royal, 4), (self.relay, 2), (self.doublemove, 6)] {
            if has {
                price *= Ratio::from(factor);
            }
        }
        price
    }

    /// Targets of a piece on a board with these files and ranks, each with the captured square. `unit` tells whether a square has
    /// a friend.
    pub(crate) fn targets(
        &self,
        white: bool,
        from: At,
        twice: bool,
        (files, ranks): At,
        unit: &dyn Fn(At) -> Option<bool>,
    ) -> BTreeSet<At> {
        let inside = |(x, y): At| (0..files).contains(&x) && (0..ranks).contains(&y);
        let mut targets = BTreeSet::new();
        for part in self.parts.iter().filter(|part| !twice || part.twice) {
            for [leap, then] in &part.steps {
                let (mut at, mut passed, mut before) = (from, 0, false);
                for number in 0..part.reach {
                    let (dx, dy) = if number == 0 { *leap } else { *then };
                    let (dx, dy) = if white { (dx, dy) } else { (-dx, -dy) };
                    if part.lame && between(dx, dy).iter().any(|(x, y)| unit((at.0 + x, at.1 + y)).is_some()) {
                        break;
                    }
                    at = (at.0 + dx, at.1 + dy);
                    if !inside(at) {
                        break;
                    }
                    let lands = match part.over {
                        Over::Nothing => passed == 0,
                        Over::Anywhere => passed == 1,
                        Over::Last => passed == 1 && before,
                    };
                    let here = unit(at);
                    let may = match here {
                        None => part.moves,
                        Some(friend) => !friend && part.captures,
                    };
                    if lands && may {
                        targets.insert(at);
                    }
                    before = here.is_some();
                    passed += usize::from(before);
                }
            }
        }
        targets
    }
}

/// Squares that a lame leaper needs empty: along the longer side until the rest is diagonal, then diagonally.
fn between(dx: i32, dy: i32) -> Vec<At> {
    let (mut x, mut y) = (0, 0);
    let mut squares = Vec::new();
    loop {
        let (left, up) = (dx - x, dy - y);
        if left.abs() >= up.abs() {
            x += left.signum();
        }
        if up.abs() >= left.abs() {
            y += up.signum();
        }
        if (x, y) == (dx, dy) {
            return squares;
        }
        squares.push((x, y));
    }
}

const STRAIGHT: (&[&str], &[&str]) =
    (&["", "", "f", "b", "l", "r", "s", "v", "fs", "bs", "lb", "vr", "rf"], &["W", "D", "H", "R", "WW"]);
const DIAGONAL: (&[&str], &[&str]) =
    (&["", "", "f", "b", "l", "r", "fl", "fr", "bl", "rb", "flbr", "frbl", "fbl"], &["F", "A", "G", "B", "FF"]);
const KNIGHTLY: (&[&str], &[&str]) = (
    &[
        "", "", "f", "b", "v", "s", "ff", "fs", "bb", "bs", "ll", "lv", "rr", "rv", "fh", "bh", "lh", "rh", "fl", "br",
        "lf", "rb", "ffbs", "lfrb", "fllv", "sff", "vbs",
    ],
    &["N", "L", "C", "NN"],
);

/// A random piece text of at most `most` terms, with inventions if there are any.
pub(crate) fn text(rng: &mut StdRng, most: usize, ideas: &[Idea]) -> String {
    let mut text = String::new();
    for _ in 0..rng.random_range(1..=most) {
        let (mut directions, atoms) = *[STRAIGHT, DIAGONAL, KNIGHTLY].choose(rng).unwrap();
        let mut atom = (*atoms.choose(rng).unwrap()).to_owned();
        let mut bends = String::new();
        if let Some(idea) = ideas.choose(rng)
            && rng.random_ratio(2, 3)
        {
            let rides = ["R", "WW", "B", "FF", "NN"].contains(&atom.as_str());
            match idea.what {
                What::Leaper(m, n) | What::Rider(m, n) | What::Lame(m, n) | What::Bent((m, n), _) => {
                    atom = format!("<{}>", idea.name);
                    (directions, _) = if m == 0 {
                        STRAIGHT
                    } else if m == n {
                        DIAGONAL
                    } else {
                        KNIGHTLY
                    };
                }
                What::Lamed => bends = format!("<{}>", idea.name),
                What::Runner if !rides => {
                    bends = format!("<{}>", idea.name);
                    let limit = ideas.iter().find(|idea| matches!(idea.what, What::Range(_)));
                    bends += &limit.filter(|_| rng.random()).map_or(String::new(), |limit| format!("<{}>", limit.name));
                }
                What::Range(_) | What::Hopper | What::Grasshopper if rides => bends = format!("<{}>", idea.name),
                What::Doublemove => bends = format!("<{}>", idea.name),
                What::Runner | What::Range(_) | What::Hopper | What::Grasshopper => {}
            }
        }
        let mode = ["", "", "m", "c", "mc"].choose(rng).unwrap();
        let direction = directions.choose(rng).unwrap();
        let term = if rng.random() {
            format!("{mode}{direction}{bends}{atom}")
        } else {
            format!("{bends}{direction}{mode}{atom}")
        };
        if !text.chars().last().is_some_and(|last| term.starts_with(last)) {
            text += &term;
        }
    }
    text
}
