//! The steps of a piece as one text, the same for every spelling of a piece that moves alike, and the steps that a text means.

use crate::board::{Hurdle, Step};

/// Steps as text, as `0,1,1mc 1,1,8c`: files, ranks and reach, how a ride bends, and letters for what else is true of it.
pub(super) fn written(steps: &[Step]) -> String {
    let step = |step: &Step| {
        let Step { dx, dy, reach, moves, captures, lame, then, hurdle, first } = *step;
        let hops = [(hurdle == Hurdle::One, 'p'), (hurdle == Hurdle::Last, 'g'), (first, 'i')];
        let letters = [(moves, 'm'), (captures, 'c'), (lame, 'n')].into_iter().chain(hops).filter(|(has, _)| *has);
        let letters: String = letters.map(|(_, letter)| letter).collect();
        let bent = if then == (dx, dy) { String::new() } else { format!(":{},{}", then.0, then.1) };
        format!("{dx},{dy},{reach}{bent}{letters}")
    };
    steps.iter().map(step).collect::<Vec<_>>().join(" ")
}

/// The steps that a text means; nothing if it means none.
pub(super) fn read(text: &str) -> Option<Vec<Step>> {
    text.split(' ').map(step).collect()
}

fn step(text: &str) -> Option<Step> {
    let end = text.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(text.len());
    let (numbers, letters) = text.split_at(end);
    let (leap, bent) = numbers.split_once(':').map_or((numbers, None), |(leap, bent)| (leap, Some(bent)));
    let (leap, reach) = leap.rsplit_once(',')?;
    let pair = |text: &str| {
        let (dx, dy) = text.split_once(',')?;
        Some((dx.parse::<i8>().ok()?, dy.parse::<i8>().ok()?))
    };
    let (dx, dy) = pair(leap)?;
    let has = |letter| letters.contains(letter);
    Some(Step {
        dx,
        dy,
        reach: reach.parse().ok()?,
        moves: has('m'),
        captures: has('c'),
        lame: has('n'),
        then: bent.map_or(Some((dx, dy)), pair)?,
        hurdle: match (has('p'), has('g')) {
            (true, _) => Hurdle::One,
            (false, true) => Hurdle::Last,
            (false, false) => Hurdle::None,
        },
        first: has('i'),
    })
}
