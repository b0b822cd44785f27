//! Conversion between this crate's Betza notation and Fairy-Stockfish's, as used in `variants.ini`. Letters mean the
//! same in both, except a bare `f` or `b` before a knightwise atom. Parts without a counterpart are reported. The
//! conversion follows Fairy-Stockfish's documentation and was compared with the program move by move.

use super::{
    betza::{Atom, Betza, Definition, Invention, Mode, ModifiedAtom, Modifiers, Name},
    movement::{ElementaryStep, HopCondition},
};

/// A piece converted from Fairy-Stockfish's notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DialectPiece {
    /// The convertible part of the piece, if any.
    pub piece: Option<Betza>,
    /// Inventions that the piece needs.
    pub inventions: Vec<Invention>,
    /// Parts that could not be converted, each with the reason.
    pub unread: Vec<String>,
}

/// Two-letter directions that select each image of the leap (a,b), a ≥ b ≥ 0: (±b,±a) or (±a,±b).
const IMAGES: [(Image, [&str; 7]); 8] = [
    (|a, b| (b, a), ["ff", "vv", "rf", "rv", "fh", "rh", "hr"]),
    (|a, b| (-b, -a), ["bb", "vv", "lb", "lv", "bh", "lh", "hr"]),
    (|a, b| (a, -b), ["rr", "ss", "br", "bs", "bh", "rh", "hr"]),
    (|a, b| (-a, b), ["ll", "ss", "fl", "fs", "fh", "lh", "hr"]),
    (|a, b| (a, b), ["rr", "ss", "fr", "fs", "fh", "rh", "hl"]),
    (|a, b| (-a, -b), ["ll", "ss", "bl", "bs", "bh", "lh", "hl"]),
    (|a, b| (b, -a), ["bb", "vv", "rb", "rv", "bh", "rh", "hl"]),
    (|a, b| (-b, a), ["ff", "vv", "lf", "lv", "fh", "lh", "hl"]),
];

/// An image of the leap (a,b), as files and ranks.
type Image = fn(i8, i8) -> (i8, i8);

/// Letters of a direction along the files. Either kind may come first in a pair.
const UPRIGHT: &str = "fbvh";
/// Letters of a direction along the ranks.
const ACROSS: &str = "rlsh";

/// Modifiers before an atom.
#[derive(Default)]
struct Before {
    moves: bool,
    captures: bool,
    /// Two-letter directions.
    directions: Vec<[char; 2]>,
    lame: bool,
    /// Condition of a hopping ride.
    hurdle: Option<HopCondition>,
    /// Only from the pawns' starting rank. csipgs has no such move.
    initial: bool,
}

/// The leaps (short, long) of an atom's letter, and whether it rides.
fn leaps(letter: char) -> Option<(&'static [(i8, i8)], bool)> {
    Some(match letter {
        'W' => (&[(0, 1)], false),
        'F' => (&[(1, 1)], false),
        'D' => (&[(0, 2)], false),
        'N' => (&[(1, 2)], false),
        'A' => (&[(2, 2)], false),
        'H' => (&[(0, 3)], false),
        'L' | 'C' => (&[(1, 3)], false),
        'J' | 'Z' => (&[(2, 3)], false),
        'G' => (&[(3, 3)], false),
        'K' => (&[(0, 1), (1, 1)], false),
        'R' => (&[(0, 1)], true),
        'B' => (&[(1, 1)], true),
        'Q' => (&[(0, 1), (1, 1)], true),
        _ => return None,
    })
}

/// Parses a piece in Fairy-Stockfish's notation. Never fails: parts without a counterpart are reported in the result.
pub fn read(text: &str) -> DialectPiece {
    let letters: Vec<char> = text.chars().collect();
    let mut done = DialectPiece { piece: None, inventions: Vec::new(), unread: Vec::new() };
    let mut terms: Vec<Move> = Vec::new();
    let (mut before, mut start, mut at) = (Before::default(), 0, 0);
    while let Some(letter) = letters.get(at).copied() {
        let next = letters.get(at + 1).copied();
        at += 1;
        match letter {
            'm' => before.moves = true,
            'c' => before.captures = true,
            'n' => before.lame = true,
            'p' => before.hurdle = Some(HopCondition::One),
            'g' => before.hurdle = Some(HopCondition::Last),
            'i' => before.initial = true,
            '[' => {
                let len =
                    letters[at..].iter().position(|letter| *letter == ']').map_or(letters.len() - at, |len| len + 1);
                at += len;
                let written: String = letters[start..at].iter().collect();
                done.unread.push(format!("{written}: Fairy-Stockfish has no bent rides"));
                (before, start) = (Before::default(), at);
            }
            // En passant does not exist between pieces of csipgs.
            'e' => {}
            _ if UPRIGHT.contains(letter) || ACROSS.contains(letter) => {
                let pairs = |next: &char| {
                    *next == letter
                        || UPRIGHT.contains(letter) && ACROSS.contains(*next)
                        || ACROSS.contains(letter) && UPRIGHT.contains(*next)
                };
                let second = next.filter(pairs);
                at += usize::from(second.is_some());
                before.directions.push([letter, second.unwrap_or(letter)]);
            }
            _ => match leaps(letter) {
                None => done.unread.push(format!("“{letter}”, which means nothing in Fairy-Stockfish’s notation")),
                Some((leaps, rides)) => {
                    let reach = match next {
                        Some(digit @ '1'..='9') => Some(digit as u8 - b'0'),
                        Some('0') => Some(ElementaryStep::RIDE),
                        Some(again) if again == letter => Some(ElementaryStep::RIDE),
                        Some(_) | None => rides.then_some(ElementaryStep::RIDE),
                    };
                    at += usize::from(next.is_some_and(|next| next == letter || next.is_ascii_digit()));
                    let written: String = letters[start..at].iter().collect();
                    match atoms(leaps, reach, &before, &mut done.inventions) {
                        Ok(read) => {
                            let table = match (before.hurdle, reach) {
                                (Some(_), _) => Kept::Hops,
                                (None, Some(_)) => Kept::Slides,
                                (None, None) => Kept::Leaps,
                            };
                            terms.extend(read.into_iter().map(|term| Move { term, table }));
                        }
                        Err(why) => done.unread.push(format!("{written}: {why}")),
                    }
                    (before, start) = (Before::default(), at);
                }
            },
        }
    }
    if start < letters.len() {
        let dangling: String = letters[start..].iter().collect();
        done.unread.push(format!("“{dangling}”, with no atom after it"));
    }
    let terms = apply_overrides(terms);
    done.unread.extend(mixed(&terms).map(str::to_owned));
    if !terms.is_empty() {
        done.piece = Some(Betza { royal: false, relay: false, doublemove: false, terms });
    }
    done
}

/// Fairy-Stockfish's table for a term.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    Leaps,
    Slides,
    Hops,
}

/// A term with its table.
struct Move {
    term: ModifiedAtom,
    table: Kept,
}

/// The terms as Fairy-Stockfish plays them. Each table holds a direction once for moves and once for captures, so a
/// later term in the text overrides an earlier one.
fn apply_overrides(moves: Vec<Move>) -> Vec<ModifiedAtom> {
    let mut terms = Vec::new();
    for (at, Move { term, table }) in moves.iter().enumerate() {
        let later = |step: (i8, i8), mode: Mode| {
            moves[at + 1..].iter().any(|other| {
                let same = other.table == *table && other.term.atom.leap() == term.atom.leap();
                let how =
                    |term: &ModifiedAtom| (term.reach(), term.lame(), term.bends.hurdle.map(|(_, hurdle)| hurdle));
                let differs = how(&other.term) != how(term);
                same && differs && other.term.vectors.has(step) && [mode, Mode::Both].contains(&other.term.mode)
            })
        };
        let left = |mode: Mode| {
            let has = term.mode == mode || term.mode == Mode::Both;
            term.vectors.only(|step| has && !later(step, mode))
        };
        let (quiet, captures) = (left(Mode::Moves), left(Mode::Captures));
        let both = quiet.only(|step| captures.has(step));
        let parts = [
            (Mode::Both, both),
            (Mode::Moves, quiet.only(|step| !both.has(step))),
            (Mode::Captures, captures.only(|step| !both.has(step))),
        ];
        let parts = parts.into_iter().filter(|(_, vectors)| !vectors.is_empty());
        terms.extend(parts.map(|(mode, vectors)| ModifiedAtom { mode, vectors, ..*term }));
    }
    terms
}

/// Converts the leaps of one atom with its modifiers. For a ride, `reach` is the maximum number of leaps.
fn atoms(
    leaps: &[(i8, i8)],
    reach: Option<u8>,
    before: &Before,
    inventions: &mut Vec<Invention>,
) -> Result<Vec<ModifiedAtom>, String> {
    if before.initial {
        return Err(
            "in Fairy-Stockfish, i means a move from the pawns’ starting rank; here it means the piece’s first move"
                .to_owned(),
        );
    }
    if before.hurdle.is_some() && reach != Some(ElementaryStep::RIDE) {
        return Err("only unlimited rides can hop over a piece here".to_owned());
    }
    let mode = match (before.moves, before.captures) {
        (true, false) => Mode::Moves,
        (false, true) => Mode::Captures,
        (true, true) | (false, false) => Mode::Both,
    };
    let mut invent = |name: &str, definition: Definition| -> Result<Name, String> {
        let name: Name = name.parse().map_err(|_| format!("{name} is not a valid name"))?;
        let invention = Invention { name, definition };
        if !inventions.contains(&invention) {
            inventions.push(invention);
        }
        Ok(name)
    };
    let mut terms = Vec::new();
    for leap in leaps {
        let mut bends = Modifiers::default();
        let mut invented = |name: &str, definition: Definition, lame: bool| {
            Ok::<Atom, String>(Atom::Invented {
                name: invent(name, definition)?,
                leap: *leap,
                rides: false,
                lame,
                then: None,
            })
        };
        let atom = match (*leap, reach, before.lame) {
            ((0, 1), None | Some(1), false) | ((0, 1), Some(1), true) => Atom::W,
            ((1, 1), None | Some(1), false) | ((1, 1), Some(1), true) => Atom::F,
            ((1, 2), None | Some(1), false) | ((1, 2), Some(1), true) => Atom::N,
            ((0, 2), None, false) => Atom::D,
            ((2, 2), None, false) => Atom::A,
            ((0, 3), None, false) => Atom::H,
            ((1, 3), None, false) => Atom::L,
            ((3, 3), None, false) => Atom::G,
            ((2, 3), None, false) => invented("Zebra", Definition::Leaper(2, 3), false)?,
            ((0, 2), None, true) => invented("Goat", Definition::Lame(0, 2), true)?,
            ((2, 2), None, true) => invented("Elephant", Definition::Lame(2, 2), true)?,
            ((1, 2), None, true) => invented("Horse", Definition::Lame(1, 2), true)?,
            ((2, 3), None, true) => invented("Tusker", Definition::Lame(2, 3), true)?,
            (_, None, _) => return Err("Fairy-Stockfish has no such lame leap either".to_owned()),
            ((0, 1), Some(_), _) => Atom::R,
            ((1, 1), Some(_), _) => Atom::B,
            ((1, 2), Some(_), _) => Atom::NN,
            (_, Some(_), _) => return Err("Fairy-Stockfish has no such ride either".to_owned()),
        };
        if let (true, Some(most @ 2..ElementaryStep::RIDE)) = (atom.rides(), reach) {
            let name = ["Two", "Three", "Four", "Five", "Six", "Seven"][usize::from(most) - 2];
            bends.range = Some((invent(name, Definition::Range(most))?, most));
        }
        match (before.hurdle, *leap) {
            (None | Some(HopCondition::None), _) => {}
            (Some(_), (1, 2)) => return Err("Fairy-Stockfish has no such ride either".to_owned()),
            (Some(HopCondition::One), _) => {
                bends.hurdle = Some((invent("Hop", Definition::Hopper)?, HopCondition::One))
            }
            (Some(HopCondition::Last), _) => {
                bends.hurdle = Some((invent("Grass", Definition::Grasshopper)?, HopCondition::Last))
            }
        }
        let vectors = atom.vectors().only(|step| selected(*leap, leaps.len(), &before.directions, step));
        if !vectors.is_empty() {
            terms.push(ModifiedAtom { atom, vectors, mode, bends });
        }
    }
    if terms.is_empty() {
        return Err("no step goes in these directions".to_owned());
    }
    Ok(terms)
}

/// True if the directions before an atom with this many leaps select the step.
fn selected((short, long): (i8, i8), leaps: usize, directions: &[[char; 2]], step: (i8, i8)) -> bool {
    let names = |name: &str| {
        let [first, second] = [name.as_bytes()[0] as char, name.as_bytes()[1] as char];
        directions.iter().any(|[one, two]| {
            // Before a single orthogonal atom, two different letters are two directions.
            if leaps == 1 && short == 0 && one != two {
                first == second && (first == *one || first == *two)
            } else {
                (first, second) == (*one, *two)
            }
        })
    };
    let chosen = |(image, known): &(Image, [&str; 7])| {
        image(long, short) == step && (directions.is_empty() || known.iter().any(|name| names(name)))
    };
    IMAGES.iter().any(chosen)
}

/// Reason why a riding knight and a lame knight cannot be in one piece.
const JUMPS: &str = "in a piece with repeated knight’s leaps, Fairy-Stockfish lets its lame knight’s leaps jump";

/// Reason why a hopping piece cannot also move along the same lines in other ways.
const LINES: &str = "in a piece that hops over pieces, Fairy-Stockfish confuses its other moves along the same lines";

/// Explains why Fairy-Stockfish does not play each term independently. It stores squares per movement type, not per
/// direction.
fn mixed(terms: &[ModifiedAtom]) -> Option<&'static str> {
    let meet = |one: &ModifiedAtom, two: &ModifiedAtom| {
        one.mode == two.mode || one.mode == Mode::Both || two.mode == Mode::Both
    };
    let hurdle = |term: &ModifiedAtom| term.bends.hurdle.map(|(_, hurdle)| hurdle);
    let pairs =
        || terms.iter().flat_map(|one| terms.iter().map(move |two| (one, two))).filter(|(one, two)| meet(one, two));
    let jumps = |one: &ModifiedAtom, two: &ModifiedAtom| {
        one.atom.leap() == (1, 2) && two.atom.leap() == (1, 2) && one.reach() > 1 && two.lame()
    };
    let lines = |one: &ModifiedAtom, two: &ModifiedAtom| {
        let blocked = two.reach() > 1 || two.lame();
        hurdle(one).is_some() && hurdle(one) != hurdle(two) && blocked && one.atom.class() == two.atom.class()
    };
    if pairs().any(|(one, two)| jumps(one, two)) {
        return Some(JUMPS);
    }
    pairs().any(|(one, two)| lines(one, two)).then_some(LINES)
}

/// Writes a piece without its prefixes in Fairy-Stockfish's notation, and reports the parts that cannot be expressed.
pub fn write(piece: &Betza) -> (String, Vec<String>) {
    let (mut text, mut unsaid) = (String::new(), Vec::new());
    unsaid.extend(mixed(&piece.terms).map(str::to_owned));
    // Of two terms in one direction Fairy-Stockfish keeps the later, so the more powerful one must come last.
    let mut terms: Vec<&ModifiedAtom> = piece.terms.iter().collect();
    terms.sort_by_key(|term| (!term.lame(), term.reach()));
    for term in terms {
        match written(term) {
            Ok(term) => {
                // Two terms W must not read as WW.
                if text.chars().last().is_some_and(|last| term.starts_with(last)) {
                    text += "mc";
                }
                text += &term;
            }
            Err(why) => unsaid.push(format!("{term}: {why}")),
        }
    }
    (text, unsaid)
}

/// Writes a term in Fairy-Stockfish's notation, or explains why it cannot be expressed.
fn written(term: &ModifiedAtom) -> Result<String, &'static str> {
    let Modifiers { runner: _, lamed: _, range: _, doublemove, hurdle, first, relay } = term.bends;
    let lacks = [
        (doublemove.is_some(), "Fairy-Stockfish has no double moves"),
        (first.is_some(), "Fairy-Stockfish allows first moves only from the pawns’ starting rank"),
        (relay.is_some(), "Fairy-Stockfish has no relays"),
        (term.atom.then().is_some(), "Fairy-Stockfish has no bent rides"),
    ];
    if let Some((_, why)) = lacks.into_iter().find(|(has, _)| *has) {
        return Err(why);
    }
    let hop = match hurdle.map(|(_, hurdle)| hurdle) {
        None | Some(HopCondition::None) => "",
        Some(_) if term.reach() < ElementaryStep::RIDE || term.atom.leap().1 > 1 || term.lame() => {
            return Err("in Fairy-Stockfish, only rooks and bishops can hop over a piece");
        }
        Some(HopCondition::One) => "p",
        Some(HopCondition::Last) => "g",
    };
    let letter = |ride: &str, leap: &str| match term.reach() {
        1 => leap.to_owned(),
        ElementaryStep::RIDE.. => ride.to_owned(),
        most => format!("{leap}{most}"),
    };
    let (lame, once) = (term.lame(), term.reach() == 1);
    let atom = match (term.atom.leap(), lame, once) {
        ((0, 1), _, _) => letter("R", "W"),
        ((1, 1), _, _) => letter("B", "F"),
        ((1, 2), false, _) => letter("NN", "N"),
        ((0, 2), false, true) => "D".to_owned(),
        ((2, 2), false, true) => "A".to_owned(),
        ((0, 3), false, true) => "H".to_owned(),
        ((1, 3), false, true) => "L".to_owned(),
        ((2, 3), false, true) => "Z".to_owned(),
        ((3, 3), false, true) => "G".to_owned(),
        ((0, 2), true, true) => "D".to_owned(),
        ((2, 2), true, true) => "A".to_owned(),
        ((1, 2), true, true) => "N".to_owned(),
        ((2, 3), true, true) => "Z".to_owned(),
        (_, false, true) => return Err("Fairy-Stockfish has no leap of this length"),
        (_, true, true) => return Err("in Fairy-Stockfish, this leap cannot be lame"),
        (_, _, false) => return Err("Fairy-Stockfish can repeat only single steps and knight’s leaps"),
    };
    let plain = ModifiedAtom { bends: Modifiers::default(), ..*term }.to_string();
    let modifiers = plain.strip_suffix(&term.atom.to_string()).unwrap_or_default();
    let long = term.atom.leap().1 > 1;
    Ok(format!("{modifiers}{hop}{}{atom}", if lame && long { "n" } else { "" }))
}
