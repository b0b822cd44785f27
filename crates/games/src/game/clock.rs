//! Clocks: days per move or Fischer's increment, each seat its own; derived from the times in the record and nothing else. They run
//! from the line `begin` on, which stands behind the first choice that is made when both seats are taken. They stand while the server
//! is down, and nobody gains time where the clock on the wall is put back.

use serde::{Deserialize, Serialize};

use crate::rules::{AgreedClocks, Seat};

const DAY: i64 = 86_400_000;
const SECOND: i64 = 1_000;

/// One seat's time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(untagged, deny_unknown_fields)]
pub enum Clock {
    /// So many days for every move.
    Days {
        /// 1 to 30.
        days: u32,
    },
    /// Seconds for the whole game and seconds added after every move (Fischer).
    Fischer {
        /// 1 to 86,400 seconds.
        initial: u32,
        /// 0 to 3,600 seconds.
        increment: u32,
    },
}

impl Clock {
    /// Tells whether the numbers are within what is offered.
    pub fn sensible(self) -> bool {
        match self {
            Clock::Days { days } => (1..=30).contains(&days),
            Clock::Fischer { initial, increment } => (1..=86_400).contains(&initial) && increment <= 3_600,
        }
    }

    /// The usual name of the time control (FIDE's bounds on base time plus 60 increments).
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

    fn full(self) -> i64 {
        match self {
            Clock::Days { days } => i64::from(days) * DAY,
            Clock::Fischer { initial, .. } => i64::from(initial) * SECOND,
        }
    }
}

/// Both seats' clocks. Times are milliseconds since the epoch, spans are milliseconds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clocks {
    controls: [Option<Clock>; 2],
    remaining: [i64; 2],
    since: [Option<i64>; 2],
    begun: bool,
    /// When the clocks last went on after the server had been down.
    resumed: i64,
}

/// A seat's clock as everybody may see it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
pub struct ClockView {
    /// The agreed time control.
    pub control: Clock,
    /// Milliseconds left when the seat was last asked or stopped being asked.
    pub remaining: i64,
    /// When the time is over, in milliseconds since the epoch, while the clock runs.
    pub deadline: Option<i64>,
}

impl Clocks {
    /// Full clocks that do not run yet.
    pub fn new(controls: [Option<Clock>; 2]) -> Self {
        let remaining = controls.map(|control| control.map_or(0, Clock::full));
        Clocks { controls, remaining, since: [None; 2], begun: false, resumed: i64::MIN }
    }

    /// Full clocks in the place of others, as the players have settled it between themselves in the game.
    pub fn allot(&mut self, AgreedClocks { seconds, increment }: AgreedClocks) {
        let controls = seconds.map(|initial| Some(Clock::Fischer { initial, increment }));
        *self = Clocks { begun: self.begun, resumed: self.resumed, ..Clocks::new(controls) };
    }

    /// The time controls of both seats.
    pub fn controls(&self) -> [Option<Clock>; 2] {
        self.controls
    }

    /// From now on the clocks of all who are asked run.
    pub fn begin(&mut self) {
        self.begun = true;
    }

    /// Tells whether the clocks have begun to run.
    pub fn begun(&self) -> bool {
        self.begun
    }

    /// The server was down from `from` to `now`: that time is nobody's. What was given back before is not given again.
    pub fn resume(&mut self, from: i64, now: i64) {
        let resumed = self.resumed;
        for since in self.since.iter_mut().flatten() {
            *since += (now - from.max(*since).max(resumed)).max(0);
        }
        self.resumed = now;
    }

    /// Tells whether an outage that began at `from` has been given back.
    pub fn resumed(&self, from: i64) -> bool {
        self.resumed > from
    }

    /// Notes who is asked from `now` on: the others' clocks stop and gain their increment.
    pub fn ask(&mut self, asked: &[Seat], now: i64) {
        for seat in Seat::BOTH {
            let i = seat.index();
            let Some(control) = self.controls[i].filter(|_| self.begun) else { continue };
            match (self.since[i], asked.contains(&seat)) {
                (Some(since), false) => {
                    self.since[i] = None;
                    self.remaining[i] -= (now - since).max(0);
                    match control {
                        Clock::Days { .. } => self.remaining[i] = control.full(),
                        Clock::Fischer { increment, .. } => self.remaining[i] += i64::from(increment) * SECOND,
                    }
                }
                (None, true) => self.since[i] = Some(now),
                (Some(_), true) | (None, false) => {}
            }
        }
    }

    /// When a seat's time is over, if its clock runs.
    pub fn deadline(&self, seat: Seat) -> Option<i64> {
        self.since[seat.index()].map(|since| since + self.remaining[seat.index()])
    }

    /// The earliest deadline and whose it is.
    pub fn due(&self) -> Option<(i64, Seat)> {
        Seat::BOTH.into_iter().filter_map(|seat| self.deadline(seat).map(|due| (due, seat))).min()
    }

    /// A seat's clock as everybody may see it.
    pub fn view(&self, seat: Seat) -> Option<ClockView> {
        let remaining = self.remaining[seat.index()].max(0);
        self.controls[seat.index()].map(|control| ClockView { control, remaining, deadline: self.deadline(seat) })
    }
}
