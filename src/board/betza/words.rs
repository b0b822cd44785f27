//! A piece in plain English, for players who do not read the notation and for screen readers.

use super::{Atom, Betza, Class, Mode, Term, directions};

/// The sentences for a whole piece.
pub(super) fn of(piece: &Betza) -> String {
    let does: Vec<String> = piece.terms.iter().map(term).collect();
    let mut text = capitalised(&does.join("; it "));
    text.push('.');
    for (holds, sentence) in [
        (piece.terms.iter().any(|term| leaps(term.atom)), " Leaps pass over whatever stands between."),
        (piece.doublemove, " It may move twice in a turn."),
        (piece.relay, " It relays its moves."),
        (piece.royal, " It is royal."),
        (piece.colourbound(), " It never leaves the colour of its square."),
    ] {
        if holds {
            text.push_str(sentence);
        }
    }
    text
}

fn term(term: &Term) -> String {
    let (does, but) = match term.mode {
        Mode::Both => ("moves or captures", ""),
        Mode::Moves => ("moves", ", without capturing"),
        Mode::Captures => ("captures", ", and may go there only to capture"),
    };
    let how = match term.atom {
        Atom::W | Atom::F => "one square",
        Atom::D | Atom::A => "by a leap of exactly two squares",
        Atom::H | Atom::G => "by a leap of exactly three squares",
        Atom::N => "by a knight’s leap, two squares and one aside",
        Atom::L => "by a camel’s leap, three squares and one aside",
        Atom::R | Atom::B => "any number of free squares",
        Atom::NN => "by any number of knight’s leaps on one line over free landing squares",
    };
    format!("{does} {how}{}{but}", whither(term))
}

fn whither(term: &Term) -> String {
    let class = term.atom.class();
    if term.whole() {
        return match class {
            Class::Orthogonal => " along rank or file".to_owned(),
            Class::Diagonal => " diagonally".to_owned(),
            Class::Knightwise => ", in every direction".to_owned(),
        };
    }
    let parts: Vec<&str> = directions::cover(class, term.vectors).into_iter().map(|(_, words)| words).collect();
    let joint = match class {
        Class::Orthogonal | Class::Diagonal => " ",
        Class::Knightwise => ", ",
    };
    format!("{joint}{}", parts.join(" or "))
}

fn leaps(atom: Atom) -> bool {
    match atom {
        Atom::D | Atom::A | Atom::H | Atom::G | Atom::N | Atom::L | Atom::NN => true,
        Atom::W | Atom::F | Atom::R | Atom::B => false,
    }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
