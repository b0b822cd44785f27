//! Accepted texts. A text that is not an action is refused, not read as a similar action: an accepted text differs from its
//! canonical form only in ways that this file lists.

use rand::{Rng, RngExt, seq::IndexedRandom};

/// Characters that mutations insert.
const INSERTED: &[u8] = b"-x+#=/!?:.,@$ 0123456789abdfhknqrwEKNPRW<>()";
/// Signs that may end a move.
const MARKS: [char; 4] = ['+', '#', '!', '?'];

/// A copy of an ASCII text with one character inserted, deleted or doubled.
pub(crate) fn mutated(text: &str, rng: &mut dyn Rng) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let at = rng.random_range(0..bytes.len());
    match rng.random_range(0..4) {
        0 => drop(bytes.remove(at)),
        1 => bytes.insert(at, bytes[at]),
        _ => bytes.insert(at, *INSERTED.choose(rng).expect("the list is not empty")),
    }
    String::from_utf8(bytes).expect("the text is ASCII")
}

/// Whether a text may be accepted for the canonical one. Texts are compared word by word, so spaces may be repeated.
pub(crate) fn may_mean(typed: &str, canonical: &str) -> bool {
    let words = |text: &str| text.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (typed, canonical) = (words(typed), words(canonical));
    typed.len() == canonical.len()
        && typed.iter().zip(&canonical).all(|(typed, word)| {
            let unmarked = typed.trim_end_matches(MARKS);
            typed == word
                || same_number(typed, word)
                || is_location(word) && unmarked == word
                || same_drop(unmarked, word)
                || same_move(unmarked, word)
        })
}

/// A number may have more zeros, before it and after its decimal point.
fn same_number(typed: &str, canonical: &str) -> bool {
    let plain = |text: &str| {
        let (sign, number) = text.strip_prefix('-').map_or(("", text), |number| ("-", number));
        let (whole, places) = number.split_once('.').unwrap_or((number, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (whole_part, places_part) = (whole.trim_start_matches('0'), places.trim_end_matches('0'));
        let zero = whole_part.is_empty() && places_part.is_empty();
        (digits(whole) && digits(places)).then(|| format!("{}{whole_part}.{places_part}", if zero { "" } else { sign }))
    };
    plain(typed).is_some_and(|number| plain(canonical) == Some(number))
}

/// A square, or a cell of the cube.
fn is_location(text: &str) -> bool {
    let plane = text.strip_prefix(|level: char| ('A'..='E').contains(&level)).unwrap_or(text);
    matches!(plane.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

/// A drop may end with check marks, and a pawn's letter may be missing.
fn same_drop(typed: &str, canonical: &str) -> bool {
    canonical.contains('@') && (typed == canonical || canonical.strip_prefix('P') == Some(typed))
}

/// A move may be written in algebraic notation: with the piece's letter, without a part of its origin, with a sign between the
/// squares, and with its promotion in another case or after `=` or `/`. Castling may name the king's target or the rook.
fn same_move(typed: &str, canonical: &str) -> bool {
    let length = if canonical.starts_with(|level: char| level.is_ascii_uppercase()) { 3 } else { 2 };
    let part = |from: usize, to: usize| canonical.get(from..to).filter(|part| is_location(part));
    let (Some(from), Some(to)) = (part(0, length), part(length, 2 * length)) else { return false };
    let promotion = &canonical[2 * length..];
    if typed == canonical {
        return true;
    }
    if let Some(target) = typed.strip_prefix(from)
        && length == 2
        && promotion.is_empty()
        && is_location(target)
    {
        return target[1..] == from[1..] && to[1..] == from[1..];
    }
    let head = typed.len().saturating_sub(promotion.len());
    let Some((head, letter)) = typed.split_at_checked(head) else { return false };
    if !letter.eq_ignore_ascii_case(promotion) {
        return false;
    }
    let head = if promotion.is_empty() { head } else { head.strip_suffix(['=', '/']).unwrap_or(head) };
    let Some(origin) = head.strip_suffix(to) else { return false };
    let origin = origin.strip_suffix(['x', ':', '-']).unwrap_or(origin);
    // The letter of a piece may precede the origin.
    let named = origin.strip_prefix(|letter: char| letter.is_ascii_uppercase()).unwrap_or(origin);
    [origin, named].into_iter().any(|origin| from.starts_with(origin) || from.ends_with(origin))
}
