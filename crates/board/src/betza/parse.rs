//! Parses a piece's text. Every error names the byte and suggests a correction.

use super::{
    Atom, Betza, BetzaError, ElementaryStep, HopCondition, Invention, LONGEST, Mode, ModifiedAtom, Modifiers, Name,
    bend, bent, direction, standing_for,
};

/// Meaning of an atom's letters: one atom, or two for the short forms of king and queen.
enum Letters {
    One(Atom),
    Short(Atom, Atom, &'static str),
}

/// Parses a whole text and notes where other sources give it a different meaning. A `free` text may use the notation of other programs.
pub(super) fn piece(text: &str, inventions: &[Invention], free: bool) -> Result<(Betza, Vec<String>), BetzaError> {
    if text.len() > LONGEST {
        return error(LONGEST, format!("a piece has at most {LONGEST} characters; shorten it"));
    }
    let mut piece = Betza { royal: false, relay: false, doublemove: false, terms: Vec::new() };
    let mut notes = Vec::new();
    let mut at = prefixes(text, &mut piece)?;
    if at == text.len() {
        let why = if at == 0 { "there is no piece here" } else { "there is no piece after the prefix" };
        return error(at, format!("{why}; write at least one of the atoms {ATOMS}"));
    }
    while at < text.len() {
        at = term(text, at, (inventions, free), &mut piece.terms, &mut notes)?;
    }
    // The canonical text must be readable too.
    let own = piece.to_string().len();
    if own > LONGEST {
        return error(
            0,
            format!("this piece has {own} characters when written in full, and may have at most {LONGEST}; shorten it"),
        );
    }
    Ok((piece, notes))
}

fn prefixes(text: &str, piece: &mut Betza) -> Result<usize, BetzaError> {
    let mut at = 0;
    loop {
        let rest = &text.as_bytes()[at..];
        let (flag, prefix) = if rest.starts_with(b"royal-") {
            (&mut piece.royal, "royal-")
        } else if rest.starts_with(b"relay-") {
            (&mut piece.relay, "relay-")
        } else if rest.starts_with(b"doublemove-") {
            (&mut piece.doublemove, "doublemove-")
        } else {
            return Ok(at);
        };
        if *flag {
            return error(at, format!("{prefix} is repeated here; write it once"));
        }
        *flag = true;
        at += prefix.len();
    }
}

/// Parses modifiers and an atom from `start` and returns where they end.
fn term(
    text: &str,
    start: usize,
    (inventions, free): (&[Invention], bool),
    terms: &mut Vec<ModifiedAtom>,
    notes: &mut Vec<String>,
) -> Result<usize, BetzaError> {
    let bytes = text.as_bytes();
    let (mut moves, mut captures) = (false, false);
    // The directional letters without m and c, and their offsets.
    let (mut letters, mut places) = (Vec::new(), Vec::new());
    let mut bends = Modifiers::default();
    let mut invented = None;
    let mut at = start;
    while let Some(letter) = bytes.get(at) {
        match letter {
            b'm' => moves = true,
            b'c' => captures = true,
            b'f' | b'b' | b'l' | b'r' | b's' | b'v' | b'h' => {
                letters.push(*letter);
                places.push(at);
            }
            b'<' => {
                let (invention, end) = named(text, at, inventions)?;
                if let Some(atom) = standing_for(invention) {
                    invented = Some((Letters::One(atom), end));
                    break;
                }
                bend(&mut bends, invention, at)?;
                at = end;
                continue;
            }
            b'n' | b'p' | b'g' if free => foreign(&mut bends, *letter, at)?,
            b'[' if free => {
                let (atom, end) = bracket(text, at)?;
                invented = Some((Letters::One(atom), end));
                break;
            }
            _ => break,
        }
        at += 1;
    }
    if at == bytes.len() {
        let dangling = &text[start..];
        return error(
            start,
            format!("“{dangling}” modifies nothing; write modifiers before their atom, as in {dangling}W"),
        );
    }
    let (atoms, end) = match invented {
        Some(invented) => invented,
        None => atom(text, at, free)?,
    };
    let (atoms, end) = if free { suffix(text, end, atoms, &mut bends)? } else { (atoms, end) };
    let mode = match (moves, captures) {
        (true, false) => Mode::Moves,
        (false, true) => Mode::Captures,
        (true, true) | (false, false) => Mode::Both,
    };
    match atoms {
        Letters::One(atom) => {
            let vectors = direction::select(atom.class(), atom.leap(), &letters)
                .or_else(|index| error(places[index], no_direction(atom, letters[index])))?;
            if let (direction::Class::Knightwise, [first, _, ..]) = (atom.class(), &bare(&letters)[..]) {
                let why = format!(
                    "f and b together select every step of {atom}; write {atom}, or v{atom} for the steps farthest forward and \
                     backward (fb{atom} on Betza’s own pages)"
                );
                return error(places[*first], why);
            }
            if vectors.is_empty() {
                return error(start, "these modifiers leave no direction; leave some of them out");
            }
            if atom.class() == direction::Class::Knightwise {
                let alone = direction::singles(&letters).map(|index| letters[index]);
                notes.extend(alone.filter_map(|letter| elsewhere(letter, atom)));
            }
            terms.push(bent(ModifiedAtom { atom, vectors, mode, bends }, at)?);
        }
        Letters::Short(first, second, short) => {
            if let Some(place) = places.first() {
                let sign = match mode {
                    Mode::Both => "",
                    Mode::Moves => "m",
                    Mode::Captures => "c",
                };
                return error(*place, expansion([first, second], short, sign, &letters));
            }
            for atom in [first, second] {
                terms.push(bent(ModifiedAtom { atom, vectors: atom.vectors(), mode, bends }, at)?);
            }
        }
    }
    Ok(end)
}

/// Finds the invention named in angle brackets at `at`, and the end of the brackets.
fn named(text: &str, at: usize, inventions: &[Invention]) -> Result<(Invention, usize), BetzaError> {
    let Some(len) = text[at + 1..].find('>') else {
        return error(at, "this bracket is not closed; write an invention as <Horse>");
    };
    let name: Name = text[at + 1..at + 1 + len]
        .parse()
        .map_err(|wrong: BetzaError| BetzaError { at: at + 1 + wrong.at, ..wrong })?;
    match inventions.iter().find(|invention| invention.name == name) {
        Some(invention) => Ok((*invention, at + len + 2)),
        None if inventions.is_empty() => error(at, format!("there is no <{name}>; nothing has been invented here")),
        None => {
            let known: Vec<String> = inventions.iter().take(20).map(|known| format!("<{}>", known.name)).collect();
            error(at, format!("there is no <{name}>; the inventions are {}", known.join(", ")))
        }
    }
}

/// The longest atom at `at`, and its end.
fn atom(text: &str, at: usize, free: bool) -> Result<(Letters, usize), BetzaError> {
    let bytes = text.as_bytes();
    let letter = bytes[at];
    let twice = bytes.get(at + 1) == Some(&letter);
    let (atom, rider) = match letter {
        b'W' => (Atom::W, Some(Atom::R)),
        b'F' => (Atom::F, Some(Atom::B)),
        // `Nr` is the source's own name for the nightrider. It applies where r cannot modify what follows.
        b'N' if bytes.get(at + 1) == Some(&b'r')
            && matches!(bytes.get(at + 2), None | Some(b'N' | b'L' | b'C' | b'K' | b'Q')) =>
        {
            return Ok((Letters::One(Atom::NN), at + 2));
        }
        b'N' => (Atom::N, Some(Atom::NN)),
        b'R' => (Atom::R, None),
        b'B' => (Atom::B, None),
        b'D' => (Atom::D, None),
        b'A' => (Atom::A, None),
        b'H' => (Atom::H, None),
        b'G' => (Atom::G, None),
        b'L' | b'C' => (Atom::L, None),
        b'Z' | b'J' if free => (ZEBRA, None),
        b'K' | b'Q' if twice => return unpriced(at, letter),
        b'K' => return Ok((Letters::Short(Atom::W, Atom::F, "K"), at + 1)),
        b'Q' => return Ok((Letters::Short(Atom::R, Atom::B, "Q"), at + 1)),
        _ => return error(at, no_atom(text, at)),
    };
    match (twice, rider) {
        (true, Some(rider)) => Ok((Letters::One(rider), at + 2)),
        (true, None) if !free || atom.rides() => unpriced(at, letter),
        (_, _) => Ok((Letters::One(atom), at + 1)),
    }
}

/// The (2,3) leap.
const ZEBRA: Atom = Atom::Invented { name: Name::NONE, leap: (2, 3), rides: false, lame: false, then: None };

/// Adds a modifier of other programs: `n` for no jumps, `p` and `g` for hops.
fn foreign(bends: &mut Modifiers, letter: u8, at: usize) -> Result<(), BetzaError> {
    let twice = match letter {
        b'n' => bends.lamed.replace(Name::NONE).is_some(),
        b'p' => bends.hurdle.replace((Name::NONE, HopCondition::One)).is_some(),
        _ => bends.hurdle.replace((Name::NONE, HopCondition::Last)).is_some(),
    };
    if twice {
        return error(at, "an atom hops in one way and is lame once; leave this letter out");
    }
    Ok(())
}

/// Reads a bent rider of other programs, such as `[F?R]` or `[F?fsR]`, and its end.
fn bracket(text: &str, at: usize) -> Result<(Atom, usize), BetzaError> {
    let Some(len) = text[at..].find(']') else {
        return error(at, "this bracket is not closed; write a bent rider as [F?R]");
    };
    let (first, then) = text[at + 1..at + len].split_once('?').unwrap_or_default();
    let then = then.strip_prefix("fs").unwrap_or(then);
    let known =
        |text: &str, rides: bool| Atom::ALL.into_iter().find(|atom| atom.text() == text && atom.rides() == rides);
    match (known(if first == "C" { "L" } else { first }, false), known(then, true)) {
        (Some(first), Some(then)) if first.leap() == then.leap() => {
            error(at, format!("both parts of this bracket go the same way; write {then}"))
        }
        (Some(first), Some(then)) => {
            let bent = Atom::Invented {
                name: Name::NONE,
                leap: first.leap(),
                rides: true,
                lame: false,
                then: Some(then.leap()),
            };
            Ok((bent, at + len + 1))
        }
        (_, _) => error(
            at,
            "a bracket holds one of the leaps W F D A H G N L, a question mark, and the rider R, B or NN that goes on \
             outwards, as in [F?R]",
        ),
    }
}

/// Reads what follows an atom in other programs: the maximum number of steps, 0 for no limit, or the same letter again.
fn suffix(text: &str, at: usize, atoms: Letters, bends: &mut Modifiers) -> Result<(Letters, usize), BetzaError> {
    let bytes = text.as_bytes();
    let leaper = |atom: &Atom| !atom.rides() && !matches!(atom, Atom::W | Atom::F | Atom::N);
    let most = match (bytes.get(at), &atoms) {
        (Some(b'0'), _) => ElementaryStep::RIDE,
        (Some(digit @ b'1'..=b'9'), _) => (digit - b'0').min(ElementaryStep::RIDE),
        (Some(letter), Letters::One(atom)) if leaper(atom) && bytes.get(at - 1) == Some(letter) => ElementaryStep::RIDE,
        (_, _) => return Ok((atoms, at)),
    };
    let of = |atom: Atom| match (atom, most) {
        (Atom::W | Atom::R, 1) => Atom::W,
        (Atom::F | Atom::B, 1) => Atom::F,
        (Atom::N | Atom::NN, 1) => Atom::N,
        (Atom::W | Atom::R, _) => Atom::R,
        (Atom::F | Atom::B, _) => Atom::B,
        (Atom::N | Atom::NN, _) => Atom::NN,
        (other, _) => other,
    };
    let atoms = match atoms {
        Letters::One(atom) => Letters::One(of(atom)),
        Letters::Short(one, two, short) => Letters::Short(of(one), of(two), short),
    };
    let rides = matches!(atoms, Letters::One(atom) if atom.rides()) || matches!(atoms, Letters::Short(..));
    if most > 1 && !rides && bends.runner.replace(Name::NONE).is_some() {
        return error(at, "this leap is repeated already; leave the number out");
    }
    let bent = matches!(atoms, Letters::One(Atom::Invented { then: Some(_), .. }));
    if most < ElementaryStep::RIDE && (most > 1 || bent) && bends.range.replace((Name::NONE, most)).is_some() {
        return error(at, "the number of steps is limited already; leave this number out");
    }
    Ok((atoms, at + 1))
}

/// Indices of a bare `f` and a bare `b`, the later one first; empty unless both occur.
fn bare(letters: &[u8]) -> Vec<usize> {
    let single = |letter: u8| direction::singles(letters).find(|index| letters[*index] == letter);
    match (single(b'f'), single(b'b')) {
        (Some(f), Some(b)) => vec![f.max(b), f.min(b)],
        (_, _) => Vec::new(),
    }
}

/// Atoms of the notation itself.
const ATOMS: &str = "W F D A H G N L R B NN";

/// An error at a byte offset.
fn error<T>(at: usize, why: impl Into<String>) -> Result<T, BetzaError> {
    Err(BetzaError { at, why: why.into() })
}

/// Note on what Betza's own pages mean by a bare `f` or `b` before a knightwise atom.
fn elsewhere(letter: u8, atom: Atom) -> Option<String> {
    let (letter, words) = match letter {
        b'f' => ('f', "forward"),
        b'b' => ('b', "backward"),
        _ => return None,
    };
    Some(format!(
        "{letter}{atom} is the {words} half here, {letter}h{atom}; on Betza’s own pages it means the two steps farthest {words}, \
         {letter}{letter}{atom}"
    ))
}

/// Suggests the parts of a short form that accept the given directions.
fn expansion(atoms: [Atom; 2], short: &str, sign: &str, letters: &[u8]) -> String {
    let takes =
        |atom: &Atom| direction::select(atom.class(), atom.leap(), letters).is_ok_and(|steps| !steps.is_empty());
    let text = String::from_utf8_lossy(letters);
    let parts: String = atoms.into_iter().filter(takes).map(|atom| format!("{sign}{text}{}", atom.text())).collect();
    match parts.as_str() {
        "" => {
            format!("{short} takes no direction, and neither {} nor {} has this one; leave it out", atoms[0], atoms[1])
        }
        parts => format!("{short} takes no direction; write {parts}"),
    }
}

/// Error for a doubled atom that has no price.
fn unpriced<T>(at: usize, letter: u8) -> Result<T, BetzaError> {
    let letter = letter as char;
    error(
        at + 1,
        match letter {
            'K' => "a riding king is a queen; write Q".to_owned(),
            'R' | 'B' | 'Q' => format!("{letter} already rides; write it once"),
            _ => format!("{letter}{letter} has no price; write {letter} once. Only WW, FF and NN may be doubled"),
        },
    )
}

/// Explains why no atom begins at `at`.
fn no_atom(text: &str, at: usize) -> String {
    let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) else {
        return format!("this is not an atom; the atoms are {ATOMS}");
    };
    let follows = text[at + letter.len_utf8()..].starts_with(|next: char| next.is_ascii_alphabetic() || next == '<');
    match letter {
        'n' | 'j' | 'p' | 'g' | 'q' | 'z' | 'o' | 'i' | 'a' | 't' if follows => {
            let elsewhere = match letter {
                'n' => "that an atom may not jump",
                'j' => "that an atom must jump",
                'p' => "that an atom must jump over exactly one piece",
                'g' => "that an atom lands directly behind the piece that it jumps over",
                'q' => "that a rider turns in a circle",
                'z' => "that a rider zigzags",
                'o' => "that the board is a cylinder",
                'i' => "a piece’s first move",
                _ => "a further leap",
            };
            format!("elsewhere “{letter}” means {elsewhere}; it has no price here, so leave it out")
        }
        '0'..='9' => {
            format!("numbers have no price; write the rider R, B or NN, or an atom of that length among {ATOMS}")
        }
        'P' => "P is not an atom; write a pawn as fmWfcF".to_owned(),
        'Z' | 'J' => format!("the (2,3) leap {letter} has no price; the atoms are {ATOMS}, and C for L"),
        'w' | 'd' | 'a' | 'g' | 'n' | 'k' | 'q' => {
            format!("“{letter}” is not a modifier; atoms are capital letters, so write {}", letter.to_ascii_uppercase())
        }
        '-' => "the prefixes are royal-, relay- and doublemove-, and come before everything else".to_owned(),
        'o' | 'e' | 'y' | 'u' => {
            format!(
                "“{letter}” means nothing here; the prefixes royal-, relay- and doublemove- come first and end in -"
            )
        }
        other => format!(
            "“{}” means nothing here; the atoms are {ATOMS}, and the modifiers before them f b l r s v h m c",
            other.escape_debug()
        ),
    }
}

/// Explains why a letter is not a direction of an atom.
fn no_direction(atom: Atom, letter: u8) -> String {
    let (text, letter) = (atom.to_string(), letter as char);
    match (atom.class(), letter) {
        (direction::Class::Diagonal, 's' | 'v') => {
            format!(
                "{letter}{text} would select every step of {text}; write {text}, or one side as f{text}, b{text}, l{text}, r{text}"
            )
        }
        (direction::Class::Knightwise, 'l' | 'r') => format!(
            "{letter} alone is ambiguous before {text}; write {letter}h for that half, {letter}{letter} or {letter}v for two steps, \
             {letter}f or {letter}b for one"
        ),
        (direction::Class::Orthogonal | direction::Class::Diagonal, 'h') => {
            format!("h halves only N, L and NN; leave it out before {text}")
        }
        (direction::Class::Knightwise, 'h') => {
            format!("h follows the letter of a half: write fh{text}, bh{text}, lh{text} or rh{text}")
        }
        (direction::Class::Orthogonal | direction::Class::Diagonal | direction::Class::Knightwise, _) => {
            format!("{letter} is not a direction of {text}")
        }
    }
}
