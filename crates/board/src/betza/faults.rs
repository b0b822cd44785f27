//! What is said of a text that is no piece, and of what other pages would mean by one.

use super::{Atom, BetzaError, directions};

/// The atoms of the notation itself.
pub(super) const ATOMS: &str = "W F D A H G N L R B NN";

/// An error at a byte.
pub(super) fn error<T>(at: usize, why: impl Into<String>) -> Result<T, BetzaError> {
    Err(BetzaError { at, why: why.into() })
}

/// What Betza's own pages mean by a bare `f` or `b` before an atom like the knight.
pub(super) fn elsewhere(letter: u8, atom: Atom) -> Option<String> {
    let (letter, words) = match letter {
        b'f' => ('f', "forward"),
        b'b' => ('b', "backward"),
        _ => return None,
    };
    Some(format!(
        "{letter}{atom} is the {words} half here, {letter}h{atom}; Betza’s own pages mean by it the two steps that go farthest {words}, \
         {letter}{letter}{atom}"
    ))
}

/// What to write instead of a short form with directions: the parts of it that take them.
pub(super) fn expansion(atoms: [Atom; 2], short: &str, sign: &str, letters: &[u8]) -> String {
    let takes =
        |atom: &Atom| directions::select(atom.class(), atom.leap(), letters).is_ok_and(|steps| !steps.is_empty());
    let text = String::from_utf8_lossy(letters);
    let parts: String = atoms.into_iter().filter(takes).map(|atom| format!("{sign}{text}{}", atom.text())).collect();
    match parts.as_str() {
        "" => {
            format!("{short} takes no direction, and neither {} nor {} has this one; leave it out", atoms[0], atoms[1])
        }
        parts => format!("{short} takes no direction; write {parts}"),
    }
}

/// An atom that is doubled and has no price.
pub(super) fn unpriced<T>(at: usize, letter: u8) -> Result<T, BetzaError> {
    let letter = letter as char;
    error(
        at + 1,
        match letter {
            'K' => "a king that rides is the queen; write Q".to_owned(),
            'R' | 'B' | 'Q' => format!("{letter} rides already; write it once"),
            _ => format!("{letter}{letter} has no price; write {letter} once. Only WW, FF and NN may be doubled"),
        },
    )
}

/// Why the character at `at` begins no atom.
pub(super) fn no_atom(text: &str, at: usize) -> String {
    let Some(letter) = text.get(at..).and_then(|rest| rest.chars().next()) else {
        return format!("this is no atom; the atoms are {ATOMS}");
    };
    let follows = text[at + letter.len_utf8()..].starts_with(|next: char| next.is_ascii_alphabetic() || next == '<');
    match letter {
        'n' | 'j' | 'p' | 'g' | 'q' | 'z' | 'o' | 'i' | 'a' | 't' if follows => {
            let elsewhere = match letter {
                'n' => "that an atom may not jump",
                'j' => "that an atom must jump",
                'p' => "that an atom must jump over exactly one piece",
                'g' => "that an atom lands right behind the piece that it jumps over",
                'q' => "that a rider turns in a circle",
                'z' => "that a rider goes in a zigzag",
                'o' => "that the board is a cylinder",
                'i' => "a piece’s first move",
                _ => "a further leap",
            };
            format!("“{letter}” says elsewhere {elsewhere}; it has no price here: leave it out")
        }
        '0'..='9' => {
            format!("numbers have no price; write the rider R, B or NN, or an atom of that length among {ATOMS}")
        }
        'P' => "P is no atom; a pawn is written fmWfcF".to_owned(),
        'Z' | 'J' => format!("the (2,3) leap {letter} has no price; the atoms are {ATOMS}, and C for L"),
        'w' | 'd' | 'a' | 'g' | 'n' | 'k' | 'q' => {
            format!("“{letter}” is no modifier; atoms are capital letters: write {}", letter.to_ascii_uppercase())
        }
        '-' => "a prefix is royal-, relay- or doublemove-, and stands before everything else".to_owned(),
        'o' | 'e' | 'y' | 'u' => {
            format!(
                "“{letter}” means nothing here; the prefixes royal-, relay- and doublemove- stand at the beginning and end in -"
            )
        }
        other => format!(
            "“{}” means nothing here; the atoms are {ATOMS}, and the modifiers before them f b l r s v h m c",
            other.escape_debug()
        ),
    }
}

/// Why a letter is no direction of an atom.
pub(super) fn no_direction(atom: Atom, letter: u8) -> String {
    let (text, letter) = (atom.to_string(), letter as char);
    match (atom.class(), letter) {
        (directions::Class::Diagonal, 's' | 'v') => {
            format!(
                "{letter}{text} would be the whole {text}; write {text}, or one side as f{text}, b{text}, l{text}, r{text}"
            )
        }
        (directions::Class::Knightwise, 'l' | 'r') => format!(
            "{letter} alone is unclear before {text}; write {letter}h for that half, {letter}{letter} or {letter}v for two steps, \
             {letter}f or {letter}b for one"
        ),
        (directions::Class::Orthogonal | directions::Class::Diagonal, 'h') => {
            format!("h halves only N, L and NN; leave it out before {text}")
        }
        (directions::Class::Knightwise, 'h') => {
            format!("h follows the letter of a half: write fh{text}, bh{text}, lh{text} or rh{text}")
        }
        (directions::Class::Orthogonal | directions::Class::Diagonal | directions::Class::Knightwise, _) => {
            format!("{letter} is no direction of {text}")
        }
    }
}
