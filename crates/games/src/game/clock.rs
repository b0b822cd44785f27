//! Clocks with days per move or a Fischer increment, separate for each seat. They depend only on the times in the record.
//!
//! Clocks start with the record's `begin` line, which follows the first choice after both seats are taken. They stop while the
//! server is down. No player gains time when the system clock is set back.

use serde::{Deserialize, Serialize};

use crate::rules::{AgreedClocks, Refusal, Seat};

const DAY: i64 = 86_400_000;
const SECOND: i64 = 1_000;

/// Longest rest of the clocks between two deals of a match, in milliseconds.
pub const REST: i64 = 20 * SECOND;

/// Time control of one seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum Clock {
    /// A number of days for every move.
    Days {
        /// Days per move, 1 to 30.
        days: u32,
    },
    /// Time for the whole game, plus an increment after every move (Fischer).
    Fischer {
        /// Initial time, 1 to 86,400 seconds.
        initial: u32,
        /// Increment, 0 to 3,600 seconds.
        increment: u32,
    },
}

impl Clock {
    /// Whether the numbers are in their ranges.
    pub fn is_in_range(self) -> bool {
        match self {
            Clock::Days { days } => (1..=30).contains(&days),
            Clock::Fischer { initial, increment } => (1..=86_400).contains(&initial) && increment <= 3_600,
        }
    }

    /// Usual name of the time control, by FIDE's bounds on the initial time plus 60 increments.
    pub fn name(self) -> &'static str {
        match self {
            Clock::Days { .. } => "correspondence",
            Clock::Fischer { initial, increment } => match initial + 60 * increment {
                0..180 => "bullet",
                180..=600 => "blitz",
                601..3_600 => "rapid",
                _ => "classical",
            },
        }
    }

    /// Time in milliseconds after which the opponent of an absent player can claim the game; `None` with days per move, where the
    /// clock alone decides. As on lichess, it depends on the initial time plus 60 increments:
    ///
    /// | bullet, below 3 min | blitz, up to 10 min | rapid, below 60 min | classical |
    /// |---|---|---|---|
    /// | 10 s | 30 s | 60 s | 120 s |
    pub fn absence(self) -> Option<i64> {
        match self {
            Clock::Days { .. } => None,
            Clock::Fischer { initial, increment } => Some(match initial + 60 * increment {
                0..180 => 10 * SECOND,
                180..=600 => 30 * SECOND,
                601..3_600 => 60 * SECOND,
                _ => 120 * SECOND,
            }),
        }
    }

    /// Milliseconds on the clock at the start.
    pub fn full(self) -> i64 {
        match self {
            Clock::Days { days } => i64::from(days) * DAY,
            Clock::Fischer { initial, .. } => i64::from(initial) * SECOND,
        }
    }
}

/// Clocks of both seats. Times are in milliseconds since the Unix epoch, durations in milliseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clocks {
    controls: [Option<Clock>; 2],
    remaining: [i64; 2],
    since: [Option<i64>; 2],
    begun: bool,
    /// Time that each seat has gained by its moves.
    gained: [i64; 2],
    /// Time of the last resumption after an outage.
    resumed: i64,
    /// Time at which resting clocks start, until the rest ends.
    rest: Option<i64>,
}

/// The clocks after a step, in milliseconds.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClockMark {
    /// Time left; `None` without a clock.
    pub(super) left: [Option<i64>; 2],
    /// Time that each seat had gained by its moves.
    gained: [i64; 2],
}

/// Time control of one seat, as programs read and write it: either `move_ms`, or `initial_ms` with `increment_ms`. All durations are in
/// milliseconds. The former names count days and seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TimeControl {
    /// Time for every move, 1 to 30 whole days in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_ms: Option<i64>,
    /// Time for the whole game, 1 to 86,400 whole seconds in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_ms: Option<i64>,
    /// Increment after every move, 0 to 3,600 whole seconds in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub increment_ms: Option<i64>,
    /// Former name of `move_ms`, in days.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days: Option<u32>,
    /// Former name of `initial_ms`, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial: Option<u32>,
    /// Former name of `increment_ms`, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub increment: Option<u32>,
}

impl From<Clock> for TimeControl {
    fn from(clock: Clock) -> Self {
        match clock {
            Clock::Days { days } => {
                TimeControl { move_ms: Some(clock.full()), days: Some(days), ..TimeControl::default() }
            }
            Clock::Fischer { initial, increment } => TimeControl {
                initial_ms: Some(clock.full()),
                increment_ms: Some(i64::from(increment) * SECOND),
                initial: Some(initial),
                increment: Some(increment),
                ..TimeControl::default()
            },
        }
    }
}

impl TryFrom<TimeControl> for Clock {
    type Error = Refusal;

    /// Fails if a duration is not a whole number of its unit, contradicts its former name, or is missing.
    fn try_from(given: TimeControl) -> Result<Self, Refusal> {
        let days = whole("move_ms", given.move_ms, given.days, DAY, "days")?;
        let initial = whole("initial_ms", given.initial_ms, given.initial, SECOND, "seconds")?;
        let increment = whole("increment_ms", given.increment_ms, given.increment, SECOND, "seconds")?;
        match (days, initial, increment) {
            (Some(days), None, None) => Ok(Clock::Days { days }),
            (None, Some(initial), Some(increment)) => Ok(Clock::Fischer { initial, increment }),
            _ => Err(Refusal::new("a clock has either move_ms, or initial_ms and increment_ms")),
        }
    }
}

/// A duration in its unit, from its milliseconds or from the field's former name.
fn whole(name: &str, ms: Option<i64>, former: Option<u32>, unit: i64, units: &str) -> Result<Option<u32>, Refusal> {
    let Some(ms) = ms else { return Ok(former) };
    let count = u32::try_from(ms / unit).ok().filter(|_| ms % unit == 0 && ms >= 0);
    let wrong = || Refusal::new(format!("“{name}” must be whole {units} in milliseconds: a multiple of {unit}"));
    let count = count.ok_or_else(wrong)?;
    if former.is_some_and(|former| former != count) {
        return Err(Refusal::new(format!("“{name}” contradicts its former name: send only “{name}”")));
    }
    Ok(Some(count))
}

fn for_programs<S: serde::Serializer>(control: &Clock, serializer: S) -> Result<S::Ok, S::Error> {
    TimeControl::from(*control).serialize(serializer)
}

/// A seat's clock, as all viewers see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct ClockView {
    /// Time control.
    #[serde(serialize_with = "for_programs")]
    #[schema(value_type = TimeControl)]
    pub control: Clock,
    /// Milliseconds left when the clock last started or stopped.
    #[serde(rename = "remaining_ms")]
    pub remaining: i64,
    /// Former name of `remaining_ms`.
    #[serde(rename = "remaining")]
    pub remaining_before: i64,
    /// Time at which the clock runs out, in milliseconds since the Unix epoch. `null` while it is stopped. Between two deals of a
    /// match the clock starts `remaining_ms` before this time.
    pub deadline: Option<i64>,
}

impl Clocks {
    /// Full clocks that are not running yet.
    pub fn new(controls: [Option<Clock>; 2]) -> Self {
        let remaining = controls.map(|control| control.map_or(0, Clock::full));
        Clocks { controls, remaining, since: [None; 2], begun: false, gained: [0; 2], resumed: i64::MIN, rest: None }
    }

    /// Replaces the clocks by full ones that the players agreed on during the game.
    pub fn allot(&mut self, AgreedClocks { seconds, increment }: AgreedClocks) {
        let controls = seconds.map(|initial| Some(Clock::Fischer { initial, increment }));
        *self = Clocks { begun: self.begun, resumed: self.resumed, ..Clocks::new(controls) };
    }

    /// Time controls of both seats.
    pub fn controls(&self) -> [Option<Clock>; 2] {
        self.controls
    }

    /// Starts the clocks. From now on the clocks of pending seats run.
    pub fn begin(&mut self) {
        self.begun = true;
    }

    /// Whether the clocks have started.
    pub fn begun(&self) -> bool {
        self.begun
    }

    /// Stops the clocks of the pending seats for [`REST`].
    pub fn rest(&mut self, now: i64) {
        let start = now + REST;
        self.rest = Some(start);
        for since in self.since.iter_mut().flatten() {
            *since = start;
        }
    }

    /// Ends a rest, if the clocks rest.
    pub fn end_rest(&mut self, now: i64) {
        if self.rest.take().is_some() {
            for since in self.since.iter_mut().flatten() {
                *since = now.min(*since);
            }
        }
    }

    /// Time at which resting clocks start. The time may be over: the rest ends with the next step.
    pub fn rests_until(&self) -> Option<i64> {
        self.rest
    }

    /// Credits the outage from `from` to `now` to the running clocks. Overlapping outages are credited once.
    pub fn resume(&mut self, from: i64, now: i64) {
        let resumed = self.resumed;
        for since in self.since.iter_mut().flatten() {
            *since += (now - from.max(*since).max(resumed)).max(0);
        }
        self.resumed = now;
    }

    /// Whether an outage that began at `from` has been credited.
    pub fn resumed(&self, from: i64) -> bool {
        self.resumed > from
    }

    /// Sets the pending seats from `now` on. The clocks of the other seats stop and gain their increment.
    pub fn set_pending(&mut self, asked: &[Seat], now: i64) {
        for seat in Seat::BOTH {
            let i = seat.index();
            let Some(control) = self.controls[i].filter(|_| self.begun) else { continue };
            match (self.since[i], asked.contains(&seat)) {
                (Some(since), false) => {
                    self.since[i] = None;
                    self.remaining[i] -= (now - since).max(0);
                    let gain = match control {
                        Clock::Days { .. } => control.full() - self.remaining[i],
                        Clock::Fischer { increment, .. } => i64::from(increment) * SECOND,
                    };
                    self.remaining[i] += gain;
                    self.gained[i] += gain;
                }
                (None, true) => self.since[i] = Some(now),
                (Some(_), true) | (None, false) => {}
            }
        }
    }

    /// Stops the clock of a seat that has lost on time, at zero.
    pub fn expire(&mut self, seat: Seat) {
        self.since[seat.index()] = None;
        self.remaining[seat.index()] = 0;
    }

    /// Stops the clocks and removes all gains after `mark`, for a takeback. The time spent stays spent.
    ///
    /// # Errors
    /// The seat that would have no time left. The clocks are unchanged then.
    pub(super) fn take_back(&mut self, mark: ClockMark, now: i64) -> Result<(), Seat> {
        let mut clocks = self.clone();
        for seat in Seat::BOTH {
            let i = seat.index();
            if let Some(since) = clocks.since[i].take() {
                clocks.remaining[i] -= (now - since).max(0);
            }
            clocks.remaining[i] -= clocks.gained[i] - mark.gained[i];
            clocks.gained[i] = mark.gained[i];
            if clocks.controls[i].is_some() && clocks.remaining[i] <= 0 {
                return Err(seat);
            }
        }
        *self = clocks;
        Ok(())
    }

    /// The clocks after a step.
    pub(super) fn mark(&self) -> ClockMark {
        ClockMark { left: Seat::BOTH.map(|seat| self.view(seat).map(|clock| clock.remaining)), gained: self.gained }
    }

    /// Time at which a seat's clock started to run, if it is running. Outages are not counted.
    pub fn running_since(&self, seat: Seat) -> Option<i64> {
        self.since[seat.index()]
    }

    /// Time at which a seat's clock runs out, if it is running.
    pub fn deadline(&self, seat: Seat) -> Option<i64> {
        self.since[seat.index()].map(|since| since + self.remaining[seat.index()])
    }

    /// The earliest deadline and its seat.
    pub fn next_deadline(&self) -> Option<(i64, Seat)> {
        Seat::BOTH.into_iter().filter_map(|seat| self.deadline(seat).map(|due| (due, seat))).min()
    }

    /// A seat's clock, as all viewers see it.
    pub fn view(&self, seat: Seat) -> Option<ClockView> {
        let remaining = self.remaining[seat.index()].max(0);
        let deadline = self.deadline(seat);
        self.controls[seat.index()].map(|control| ClockView {
            control,
            remaining,
            remaining_before: remaining,
            deadline,
        })
    }
}
