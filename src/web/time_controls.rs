//! The time controls that are offered with one press, and what is typed instead of them.

use crate::game::Clock;

/// A time control that is chosen with one press.
pub struct TimeControl {
    /// Its name in forms.
    pub name: &'static str,
    /// Its name on a button.
    pub words: &'static str,
    /// The clock of each side.
    pub clock: Option<Clock>,
}

/// All of them, the quickest first; the first has no clock.
pub const PACES: [TimeControl; 9] = [
    TimeControl { name: "none", words: "No clock", clock: None },
    minutes("1+0", 1, 0),
    minutes("3+2", 3, 2),
    minutes("5+0", 5, 0),
    minutes("10+5", 10, 5),
    minutes("30+20", 30, 20),
    days("1d", "1 day a move", 1),
    days("3d", "3 days a move", 3),
    days("7d", "7 days a move", 7),
];

/// The fields in which times are typed: what they are called, and the least and the most that they may hold.
pub const TIMES: [(&str, u32, u32); 6] = [
    ("minutes", 1, 1_440),
    ("increment", 0, 3_600),
    ("days", 1, 30),
    ("minutes-two", 1, 1_440),
    ("increment-two", 0, 3_600),
    ("days-two", 1, 30),
];

const fn minutes(name: &'static str, minutes: u32, increment: u32) -> TimeControl {
    TimeControl { name, words: name, clock: Some(Clock::Fischer { initial: minutes * 60, increment }) }
}

const fn days(name: &'static str, words: &'static str, days: u32) -> TimeControl {
    TimeControl { name, words, clock: Some(Clock::Days { days }) }
}

/// The pace of a name.
pub fn find(name: &str) -> Option<&'static TimeControl> {
    PACES.iter().find(|pace| pace.name == name)
}

/// A fault: the field, and what is wrong with it.
pub type Fault = (&'static str, String);

/// Reads both clocks from the field `clock` and the fields of [`TIMES`]: what is typed decides, and must go together with what is
/// chosen.
pub fn read<'a>(field: impl Fn(&str) -> &'a str) -> Result<[Option<Clock>; 2], Vec<Fault>> {
    let mut faults = Vec::new();
    let mut typed = |(name, least, most): (&'static str, u32, u32)| match field(name) {
        "" => None,
        text => match text.parse::<u32>() {
            Ok(number) if (least..=most).contains(&number) => Some(number),
            Ok(_) | Err(_) => {
                faults.push((name, format!("write a whole number from {least} to {most}")));
                None
            }
        },
    };
    let [minutes, increment, days, minutes_two, increment_two, days_two] = TIMES.map(&mut typed);
    if !faults.is_empty() {
        return Err(faults);
    }
    let fault = |name: &'static str, why: &str| Err(vec![(name, why.to_owned())]);
    let chosen = match (field("clock"), find(field("clock"))) {
        ("" | "other" | "days" | "fischer", _) => None,
        (_, Some(pace)) => pace.clock,
        (_, None) => return fault("clock", "choose one of the clocks"),
    };
    let game = minutes.or(increment).or(minutes_two).or(increment_two).is_some();
    let moves = days.or(days_two).is_some();
    let own = minutes.or(increment).or(days).is_some();
    let clashes = match chosen {
        Some(_) if own => true,
        Some(Clock::Days { .. }) => game,
        Some(Clock::Fischer { .. }) => moves,
        None => false,
    };
    if clashes {
        return fault("clock", "other times are typed than the ones chosen: clear them, or choose “other”");
    }
    if game && moves {
        return fault(
            "clock",
            "minutes for a game and days for a move do not go together: clear the ones or the others",
        );
    }
    let one = match (chosen, minutes, days) {
        (Some(chosen), _, _) => chosen,
        (None, Some(minutes), _) => Clock::Fischer { initial: minutes * 60, increment: increment.unwrap_or(0) },
        (None, None, Some(days)) => Clock::Days { days },
        (None, None, None) if game => return fault("minutes", "write the minutes of the first side too"),
        (None, None, None) if moves => return fault("days", "write the days of the first side too"),
        (None, None, None) => {
            return match field("clock") {
                "days" => fault("days", "write the days for a move"),
                "fischer" => fault("minutes", "write the minutes for a game"),
                "other" => fault("clock", "write the minutes for a game, or the days for a move"),
                _ => Ok([None; 2]),
            };
        }
    };
    let two = match one {
        Clock::Days { days } => Clock::Days { days: days_two.unwrap_or(days) },
        Clock::Fischer { initial, increment } => Clock::Fischer {
            initial: minutes_two.map_or(initial, |minutes| minutes * 60),
            increment: increment_two.unwrap_or(increment),
        },
    };
    Ok([Some(one), Some(two)])
}
