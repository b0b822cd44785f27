//! Words of a move text in the styles of other programs.

use super::Termination;

/// A null move, as records write it.
pub const NULL: &str = "--";

/// Whether a word is a null move.
pub(super) fn is_null(word: &str) -> bool {
    let body = word.trim_start_matches(|letter: char| letter.is_ascii_digit()).trim_start_matches(['.', '…']);
    [word, body].into_iter().any(|word| matches!(word, NULL | "Z0" | "@@@@" | "0000" | "null" | "pass"))
}

/// The result that a word states.
pub(super) fn result(word: &str) -> Option<Termination> {
    match word.replace(['–', '—', '−', ':'], "-").replace('½', "1/2").as_str() {
        "1-0" => Some(Termination::White),
        "0-1" => Some(Termination::Black),
        "1/2-1/2" | "1/2" => Some(Termination::Draw),
        "*" => Some(Termination::Open),
        _ => None,
    }
}

/// Remarks on a move that are words of their own: novelty, better is, diagram, editorial, and signs of check.
const REMARKS: [&str; 12] = ["N", "TN", "RR", "D", "mate", "ch", "ch.", "dbl", "dis", "+", "#", "++"];

/// Evaluations and other signs that may follow a move directly.
const SIGNS: [&str; 25] = [
    "e.p.", "e.p", "ep", "+/-", "-/+", "+/=", "=/+", "+=", "=+", "+-", "-+", "=", "±", "∓", "⩲", "⩱", "∞", "□", "⌓",
    "↑", "→", "⇆", "⇄", "⊕", "△",
];

/// A move in the letters of this crate, without remarks; empty if the word is a remark. A purchase stays as it is.
pub(super) fn plain(word: &str) -> String {
    let mut text = word.trim_end_matches(['!', '?']);
    if text.starts_with('$') {
        return text.to_owned();
    }
    if REMARKS.contains(&text) {
        return String::new();
    }
    while let Some(rest) = SIGNS.iter().find_map(|sign| text.strip_suffix(sign)) {
        text = rest.trim_end_matches(['!', '?']);
    }
    let mut plain: String = text.chars().filter_map(letter).collect();
    if let Some(castling) = castling(&plain) {
        return castling;
    }
    if let Some((before, promotion)) = plain.split_once('/')
        && before.ends_with(['1', '8'])
        && promotion.len() == 1
    {
        plain = format!("{before}={promotion}");
    }
    // A piece does not promote, so this letter marks a novelty.
    let bytes = plain.as_bytes();
    if let [b'K' | b'Q' | b'R' | b'B' | b'N', .., b'1'..=b'8', b'N'] = bytes {
        plain.truncate(bytes.len() - 1);
    }
    plain
}

/// Replaces figurines and typographic signs. Drops pawns and variation selectors.
fn letter(sign: char) -> Option<char> {
    match sign {
        '♔' | '♚' => Some('K'),
        '♕' | '♛' => Some('Q'),
        '♖' | '♜' => Some('R'),
        '♗' | '♝' => Some('B'),
        '♘' | '♞' => Some('N'),
        '♙' | '♟' | '\u{fe0e}' | '\u{fe0f}' => None,
        '×' => Some('x'),
        '–' | '—' | '−' | '‐' | '‑' => Some('-'),
        '†' => Some('+'),
        '‡' => Some('#'),
        other => Some(other),
    }
}

/// Castling in its usual form, from zeros or letters O of any case.
fn castling(text: &str) -> Option<String> {
    let body = text.trim_end_matches(['+', '#']);
    let rounds = body.chars().filter(|letter| "O0oОо".contains(*letter)).count();
    let dashes = body.matches('-').count();
    let castles = rounds + dashes == body.chars().count() && (dashes == 0 || dashes + 1 == rounds);
    match rounds {
        2 if castles => Some(format!("O-O{}", &text[body.len()..])),
        3 if castles => Some(format!("O-O-O{}", &text[body.len()..])),
        _ => None,
    }
}

/// The letter of a promotion in brackets after a move, as in `e8(Q)`, and the length of the brackets.
pub(super) fn bracketed_promotion(text: &str, rest: &str) -> Option<(char, usize)> {
    let inside = rest.strip_prefix('(')?.split_once(')')?.0;
    let mut letters = inside.trim_start_matches('=').chars();
    let letter = letters.next().filter(|letter| "QRBN".contains(*letter))?;
    (letters.next().is_none() && text.ends_with(['1', '8', '='])).then_some((letter, inside.len() + 2))
}
