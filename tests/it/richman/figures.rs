//! The published values, in every symmetric image and with the colours changed.

use dashu::rational::RBig;

use super::{ask, best, exact, parse, value};
use zorkmid::richman::Answer;

/// A board as rows of characters from the top, `.` for an empty square.
type Rows = Vec<Vec<char>>;

fn rows(fen: &str) -> Rows {
    let row = |row: &str| {
        let squares = |letter: char| match letter.to_digit(10) {
            Some(run) => vec!['.'; run as usize],
            None => vec![letter],
        };
        row.chars().flat_map(squares).collect()
    };
    fen.split('/').map(row).collect()
}

fn fen(rows: &Rows) -> String {
    let row = |row: &Vec<char>| {
        let text: String = row.iter().collect();
        (2..=8).rev().fold(text, |text, run| text.replace(&".".repeat(run), &run.to_string())).replace('.', "1")
    };
    rows.iter().map(row).collect::<Vec<String>>().join("/")
}

fn mirrored(rows: &Rows) -> Rows {
    rows.iter().map(|row| row.iter().rev().copied().collect()).collect()
}

fn upended(rows: &Rows) -> Rows {
    rows.iter().rev().cloned().collect()
}

fn transposed(rows: &Rows) -> Rows {
    (0..rows[0].len()).map(|file| rows.iter().map(|row| row[file]).collect()).collect()
}

fn recoloured(rows: &Rows) -> Rows {
    let other =
        |letter: &char| if letter.is_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() };
    rows.iter().map(|row| row.iter().map(other).collect()).collect()
}

/// All symmetric images of a placement. A board that is no square keeps its shape or is turned; that must not matter either.
fn images(text: &str) -> Vec<String> {
    let own = rows(text);
    let mut images = vec![own.clone(), mirrored(&own)];
    if !text.contains(['P', 'p']) {
        images.extend(images.clone().iter().map(upended));
        images.extend(images.clone().iter().map(transposed));
    }
    images.iter().map(fen).collect()
}

fn check(answer: &Answer, facts: &[&str], place: &str) {
    let words: Vec<Vec<&str>> = facts.iter().map(|fact| fact.split_whitespace().collect()).collect();
    let said = |word: &str| words.iter().any(|fact| fact == &[word]);
    assert_eq!(answer.quiescent, Some(said("quiescent")), "{place}: quiescent");
    assert_eq!(answer.zugzwang, Some(said("zugzwang")), "{place}: zugzwang");
    for fact in words {
        match fact.as_slice() {
            ["white", moves @ ..] => assert_eq!(best(&answer.white), moves, "{place}: White's best"),
            ["black", moves @ ..] => assert_eq!(best(&answer.black), moves, "{place}: Black's best"),
            ["move", uci, worth] => {
                let choice = answer.white.iter().chain(&answer.black).find(|choice| choice.uci == *uci).unwrap();
                assert_eq!(exact(&choice.value), parse(worth), "{place}: {uci}");
            }
            ["quiescent"] | ["zugzwang"] => {}
            other => panic!("{place}: no such fact: {other:?}"),
        }
    }
}

/// Every published position with its value, in every symmetric image, and each with the colours changed.
pub(crate) fn published() -> Vec<(String, RBig)> {
    let mut all = Vec::new();
    for line in include_str!("figures.txt").lines().filter(|line| !line.starts_with('#')) {
        let [_, placement, worth] = line.split("; ").take(3).collect::<Vec<_>>()[..] else { panic!("{line}") };
        for image in images(placement) {
            all.push((fen(&recoloured(&upended(&rows(&image)))), RBig::ONE - parse(worth)));
            all.push((image, parse(worth)));
        }
    }
    all
}

#[test]
fn every_published_value() {
    let mut count = 0;
    for line in include_str!("figures.txt").lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split("; ").map(str::trim).collect();
        let [figure, placement, worth, facts @ ..] = parts.as_slice() else { panic!("{line}") };
        let expected = parse(worth);
        check(&ask(placement), facts, &format!("figure {figure}, {placement}"));
        for image in images(placement) {
            let answer = ask(&image);
            let place = format!("figure {figure}, {image}");
            assert_eq!(value(&answer), expected, "{place}");
            assert_eq!((answer.alpha.clone(), answer.beta.clone()), (answer.value.clone(), answer.value.clone()));
            let other = ask(&fen(&recoloured(&upended(&rows(&image)))));
            assert_eq!(value(&other), RBig::ONE - &expected, "{place} with the colours changed");
            assert_eq!((other.zugzwang, other.quiescent), (answer.zugzwang, answer.quiescent), "{place}");
            assert_eq!((other.white.len(), other.black.len()), (answer.black.len(), answer.white.len()), "{place}");
            count += 2;
        }
    }
    assert!(count > 200, "{count} positions were looked up");
}
