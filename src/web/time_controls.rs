//! The time controls offered as buttons, and the parsing of typed times.

use crate::game::Clock;

/// A time control offered as a button.
pub struct TimeControl {
    /// Value in forms.
    pub name: &'static str,
    /// Label of the button.
    pub words: &'static str,
    /// Clock of each side.
    pub clock: Option<Clock>,
}

/// All time controls: no clock first, then from fast to slow.
pub const PACES: [TimeControl; 9] = [
    TimeControl { name: "none", words: "No clock", clock: None },
    minutes("1+0", 1, 0),
    minutes("3+2", 3, 2),
    minutes("5+0", 5, 0),
    minutes("10+5", 10, 5),
    minutes("30+20", 30, 20),
    days("1d", "1 day per move", 1),
    days("3d", "3 days per move", 3),
    days("7d", "7 days per move", 7),
];

/// Fields for typed times, with their minimum and maximum.
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

/// Finds a time control by its form value.
pub fn find(name: &str) -> Option<&'static TimeControl> {
    PACES.iter().find(|pace| pace.name == name)
}

/// Form fields that [`read`] parses to these clocks. Empty if they are not whole minutes, which the form cannot express.
pub fn fields(controls: [Option<Clock>; 2]) -> Vec<(&'static str, String)> {
    let [one, two] = controls;
    if let Some(pace) = PACES.iter().find(|pace| pace.clock == one && one == two) {
        return vec![("clock", pace.name.to_owned())];
    }
    let mut fields = vec![("clock", "other".to_owned())];
    for (clock, [minutes, gain, per_move]) in
        [(one, ["minutes", "increment", "days"]), (two, ["minutes-two", "increment-two", "days-two"])]
    {
        match clock {
            Some(Clock::Fischer { initial, increment }) if initial % 60 == 0 => {
                fields.extend([(minutes, (initial / 60).to_string()), (gain, increment.to_string())]);
            }
            Some(Clock::Days { days }) => fields.push((per_move, days.to_string())),
            Some(Clock::Fischer { .. }) | None => return Vec::new(),
        }
    }
    fields
}

/// A wrong field and its error.
pub type Fault = (&'static str, String);

/// Reads both clocks from the field `clock` and the fields of [`TIMES`]. Typed times take precedence, and must match a chosen control.
///
/// # Errors
/// The wrong fields.
pub fn read<'a>(field: impl Fn(&str) -> &'a str) -> Result<[Option<Clock>; 2], Vec<Fault>> {
    let mut faults = Vec::new();
    let mut typed = |(name, least, most): (&'static str, u32, u32)| match field(name) {
        "" => None,
        text => match text.parse::<u32>() {
            Ok(number) if (least..=most).contains(&number) => Some(number),
            Ok(_) | Err(_) => {
                faults.push((name, format!("enter a whole number from {least} to {most}")));
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
        (_, None) => return fault("clock", "choose a time control from the list"),
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
        return fault("clock", "the typed times differ from the chosen time control: clear them, or choose “other”");
    }
    if game && moves {
        return fault("clock", "a game has either minutes or days per move: clear one of them");
    }
    let one = match (chosen, minutes, days) {
        (Some(chosen), _, _) => chosen,
        (None, Some(minutes), _) => Clock::Fischer { initial: minutes * 60, increment: increment.unwrap_or(0) },
        (None, None, Some(days)) => Clock::Days { days },
        (None, None, None) if game => return fault("minutes", "enter the first player’s minutes too"),
        (None, None, None) if moves => return fault("days", "enter the first player’s days too"),
        (None, None, None) => {
            return match field("clock") {
                "days" => fault("days", "enter the days per move"),
                "fischer" => fault("minutes", "enter the minutes per game"),
                "other" => fault("clock", "enter the minutes per game, or the days per move"),
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
