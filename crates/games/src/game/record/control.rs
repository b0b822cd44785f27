//! Clocks as portable game notation writes them.

use crate::game::Clock;

const DAY: u32 = 86_400;

/// Both clocks, unequal ones with a bar between; nothing for an untimed game.
pub(super) fn written(clocks: [Option<Clock>; 2]) -> Option<String> {
    let word = |clock: Option<Clock>| match clock {
        None => "-".to_owned(),
        Some(Clock::Days { days }) => format!("1/{}", u64::from(days) * u64::from(DAY)),
        Some(Clock::Fischer { initial, increment }) => format!("{initial}+{increment}"),
    };
    let [one, two] = clocks.map(word);
    match (clocks, one == two) {
        ([None, None], _) => None,
        (_, true) => Some(one),
        (_, false) => Some(format!("{one}|{two}")),
    }
}

/// The clocks that [`written`] wrote so; none where a text says something else.
pub(super) fn read(text: &str) -> [Option<Clock>; 2] {
    let (one, two) = text.split_once('|').unwrap_or((text, text));
    let clock = |word: &str| match (word.split_once('/'), word.split_once('+')) {
        (Some(("1", seconds)), _) => {
            let seconds: u32 = seconds.parse().ok()?;
            seconds.is_multiple_of(DAY).then_some(Clock::Days { days: seconds / DAY })
        }
        (None, Some((initial, increment))) => {
            Some(Clock::Fischer { initial: initial.parse().ok()?, increment: increment.parse().ok()? })
        }
        (_, _) => None,
    };
    [one, two].map(|word| clock(word).filter(|clock| clock.sensible()))
}
