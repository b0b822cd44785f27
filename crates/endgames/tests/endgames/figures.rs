//! The published values, in every symmetric image and with colours exchanged.

use dashu_ratio::RBig;

use super::{ask, best, parse, value};
use crate::published::{FIGURES, images, recoloured};
use zorkmid_endgames::Answer;

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
                assert_eq!(super::after(choice), parse(worth), "{place}: {uci}");
            }
            ["quiescent"] | ["zugzwang"] => {}
            other => panic!("{place}: no such fact: {other:?}"),
        }
    }
}

#[test]
fn every_published_value() {
    let mut count = 0;
    for line in FIGURES.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split("; ").map(str::trim).collect();
        let [figure, placement, worth, facts @ ..] = parts.as_slice() else { panic!("{line}") };
        let expected = parse(worth);
        check(&ask(placement), facts, &format!("figure {figure}, {placement}"));
        for image in images(placement) {
            let answer = ask(&image);
            let place = format!("figure {figure}, {image}");
            assert_eq!(value(&answer), expected, "{place}");
            let ends = [&answer.alpha, &answer.beta].map(|end| end.as_ref().unwrap().fraction());
            assert_eq!(ends, [answer.value.clone(), answer.value.clone()]);
            let other = ask(&recoloured(&image));
            assert_eq!(value(&other), RBig::ONE - &expected, "{place} with colours exchanged");
            assert_eq!((other.zugzwang, other.quiescent), (answer.zugzwang, answer.quiescent), "{place}");
            assert_eq!((other.white.len(), other.black.len()), (answer.black.len(), answer.white.len()), "{place}");
            count += 2;
        }
    }
    assert!(count > 200, "only {count} positions were checked");
}
