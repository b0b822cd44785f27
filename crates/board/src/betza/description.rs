//! Descriptions of pieces in plain English, for players who do not read the notation and for screen readers.

use super::{Atom, Betza, Class, HopCondition, Mode, ModifiedAtom, Modifiers, Name, direction};

/// Describes a whole piece.
pub(super) fn of(piece: &Betza) -> String {
    let does: Vec<String> = piece.terms.iter().map(term).collect();
    let mut text = capitalised(&does.join("; it "));
    text.push('.');
    for (holds, sentence) in [
        (piece.terms.iter().any(leaps), " Its leaps jump over other pieces."),
        (piece.doublemove, " It may move twice in a turn."),
        (piece.relay, " Every friendly piece that it guards may move and capture as it does."),
        (piece.royal, " It is royal."),
        (piece.colourbound(), " It never leaves the colour of its square."),
    ] {
        if holds {
            text.push_str(sentence);
        }
    }
    text
}

fn term(term: &ModifiedAtom) -> String {
    let (does, but) = match term.mode {
        Mode::Both => ("moves or captures", ""),
        Mode::Moves => ("moves", ", without capturing"),
        Mode::Captures => ("captures", ", and may go there only to capture"),
    };
    let how = match term.atom {
        Atom::W | Atom::F => "one square".to_owned(),
        Atom::D | Atom::A => "by a leap of exactly two squares".to_owned(),
        Atom::H | Atom::G => "by a leap of exactly three squares".to_owned(),
        Atom::N => "by a knight’s leap, two squares and then one sideways".to_owned(),
        Atom::L => "by a camel’s leap, three squares and then one sideways".to_owned(),
        Atom::R | Atom::B => match term.bends.range {
            Some((_, most)) => format!("up to {most} squares"),
            None => "any number of empty squares".to_owned(),
        },
        Atom::NN => "by repeated knight’s leaps in one direction over empty landing squares".to_owned(),
        Atom::Invented { name, leap, rides, lame, then } => invented(name, leap, rides, lame, then),
    };
    format!("{does}{} {how}{}{but}", bent(term), whither(term))
}

/// Describes the leap of an invented atom.
fn invented(name: Name, leap: (i8, i8), rides: bool, lame: bool, then: Option<(i8, i8)>) -> String {
    let step = |leap: (i8, i8)| match leap {
        (0, 1) => "of one square".to_owned(),
        (0, long) => format!("of {long} squares"),
        (1, 1) => "of one square diagonally".to_owned(),
        (short, long) if short == long => format!("of {long} squares diagonally"),
        (short, long) => format!("of {long} squares and then {short} sideways"),
    };
    let times = if rides && then.is_none() { ", any number of times" } else { "" };
    let over = if lame { ", without jumping" } else { "" };
    let on = then.map_or(String::new(), |then| {
        format!(", then on by steps {} as nearly as possible in the same direction", step(then))
    });
    let step_name = if name == Name::NONE { "a step".to_owned() } else { format!("its {name}’s step") };
    format!("by {step_name} {}{times}{on}{over}", step(leap))
}

/// Describes the invented modifiers of a term, between commas.
fn bent(term: &ModifiedAtom) -> String {
    let Modifiers { runner, lamed, range, doublemove, hurdle, first, relay } = term.bends;
    let mut parts = Vec::new();
    if first.is_some() {
        parts.push("only on its first move".to_owned());
    }
    if runner.is_some() {
        parts.push("repeatedly in one direction over empty squares".to_owned());
    }
    if lamed.is_some() {
        parts.push("without jumping".to_owned());
    }
    if let Some((_, most)) = range.filter(|_| !matches!(term.atom, Atom::R | Atom::B)) {
        parts.push(format!("at most {most} times"));
    }
    match hurdle {
        Some((_, HopCondition::One)) => parts.push("hopping over exactly one piece on its landing squares".to_owned()),
        Some((_, HopCondition::Last)) => {
            parts.push("to the square directly behind the first piece in its path".to_owned())
        }
        Some((_, HopCondition::None)) | None => {}
    }
    if doublemove.is_some() {
        parts.push("up to twice in a turn".to_owned());
    }
    if relay.is_some() {
        parts.push("as may every friendly piece that it guards".to_owned());
    }
    if parts.is_empty() { String::new() } else { format!(", {},", parts.join(", ")) }
}

fn whither(term: &ModifiedAtom) -> String {
    let class = term.atom.class();
    if term.whole() {
        return match class {
            Class::Orthogonal => " along a rank or file".to_owned(),
            Class::Diagonal => " diagonally".to_owned(),
            Class::Knightwise => ", in every direction".to_owned(),
        };
    }
    let parts: Vec<&str> = direction::cover(class, term.vectors).into_iter().map(|(_, words)| words).collect();
    let joint = match class {
        Class::Orthogonal | Class::Diagonal => " ",
        Class::Knightwise => ", ",
    };
    format!("{joint}{}", parts.join(" or "))
}

fn leaps(term: &ModifiedAtom) -> bool {
    let (_, long) = term.atom.leap();
    long > 1 && !term.lame()
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
