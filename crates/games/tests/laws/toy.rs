//! A toy variant with sealed choices, chance and a lasting secret. Chance deals a secret digit to each seat. In each round both
//! seats seal a number, and the higher one scores. At the end the secrets are revealed. `FAULT` plants a fault, to prove that the
//! laws can fail.

#![allow(unreachable_pub, reason = "the trait's associated types must be as visible as the trait")]

use std::{
    fmt,
    str::FromStr,
    sync::atomic::{AtomicU32, Ordering},
};

use num_rational::Ratio;
use rand::{Rng, RngExt};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use zorkmid_games::{
    board::{Board, Position},
    rules::{
        ActionForm, Actor, BotSupport, Describe, Diagram, End, GameControl, GamePhase, HiddenInfo, Input, OptionRange,
        OptionSpec, Outcome, Refusal, Rules, RulesVersion, Seat, Step, Turn, VariantInfo, Viewer,
    },
};

pub(crate) const HONEST: u8 = 0;
pub(crate) const SHOWS_SECRET: u8 = 1;
pub(crate) const COUNTS_SECRET: u8 = 2;
pub(crate) const NEVER_ENDS: u8 = 3;
pub(crate) const FORGETS_CANDIDATES: u8 = 4;
pub(crate) const LOOSE_TEXT: u8 = 5;
pub(crate) const ANYONE_IS_CHANCE: u8 = 6;
pub(crate) const DENIES_SECRET: u8 = 7;
pub(crate) const TELLS_SECRET: u8 = 8;
pub(crate) const RECALLS_NOTHING: u8 = 9;
pub(crate) const LISTS_NOTHING: u8 = 10;
pub(crate) const LISTS_TOO_MUCH: u8 = 11;
pub(crate) const SPEAKS_OTHERWISE: u8 = 12;
pub(crate) const DROPS_SIGNS: u8 = 13;

/// Number of deals in all games. A state must not depend on it.
static DEALS: AtomicU32 = AtomicU32::new(0);

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Toy<const FAULT: u8> {
    rounds: i64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    rounds: i64,
}

impl<const FAULT: u8> Serialize for Toy<FAULT> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Options { rounds: self.rounds }.serialize(serializer)
    }
}

impl<'de, const FAULT: u8> Deserialize<'de> for Toy<FAULT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Options::deserialize(deserializer).map(|options| Toy { rounds: options.rounds })
    }
}

impl<const FAULT: u8> Default for Toy<FAULT> {
    fn default() -> Self {
        Toy { rounds: 5 }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action<const FAULT: u8> {
    Deal([u32; 2]),
    Call(u32),
}

impl<const FAULT: u8> fmt::Display for Action<FAULT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Deal([one, two]) => write!(f, "deal {one} {two}"),
            Action::Call(number) if FAULT == LOOSE_TEXT => write!(f, "call {}", number + 1),
            Action::Call(number) => write!(f, "call {number}"),
        }
    }
}

impl<const FAULT: u8> FromStr for Action<FAULT> {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        let digit = |word: &str| {
            let word = if FAULT == DROPS_SIGNS { word.trim_start_matches('-') } else { word };
            let digits = word.bytes().all(|byte| byte.is_ascii_digit());
            word.parse().ok().filter(|_| digits).ok_or_else(|| Refusal::at(5, "enter a whole number"))
        };
        match text.split(' ').collect::<Vec<_>>().as_slice() {
            ["deal", one, two] => Ok(Action::Deal([digit(one)?, digit(two)?])),
            ["call", number] => Ok(Action::Call(digit(number)?)),
            _ => Err(Refusal::at(0, "enter call and a number")),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Points of a win: one in the first version of the rules, two in later ones.
    prize: i64,
    secrets: Option<[u32; 2]>,
    calls: Vec<[u32; 2]>,
    outcome: Option<Outcome>,
}

#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct View {
    diagram: Diagram,
    secrets: [Option<u32>; 2],
    calls: Vec<[u32; 2]>,
    hint: u32,
}

impl AsRef<Diagram> for View {
    fn as_ref(&self) -> &Diagram {
        &self.diagram
    }
}

impl AsMut<Diagram> for View {
    fn as_mut(&mut self) -> &mut Diagram {
        &mut self.diagram
    }
}

impl<const FAULT: u8> Rules for Toy<FAULT> {
    const INFO: VariantInfo = VariantInfo::new("toy", "Toy", "Call higher.");
    type Terms = i64;
    type State = State;
    type Action = Action<FAULT>;
    type View = View;

    fn terms(&self, version: RulesVersion) -> Result<i64, Refusal> {
        Ok(if version == RulesVersion::FIRST { 1 } else { 2 })
    }

    fn start(&self, prize: &i64) -> State {
        State { prize: *prize, secrets: None, calls: Vec::new(), outcome: None }
    }

    fn turn(&self, state: &State) -> Turn {
        match (state.outcome, state.secrets) {
            (Some(outcome), _) => Turn::Over(outcome),
            (None, None) => Turn::Chance,
            (None, Some(_)) => Turn::Both,
        }
    }

    fn phase(&self, _state: &State) -> GamePhase {
        GamePhase::Guess
    }

    fn check(&self, state: &State, actor: Actor, action: &Action<FAULT>) -> Result<(), Refusal> {
        match (actor, action) {
            (Actor::Chance, Action::Deal(_)) => Ok(()),
            (Actor::Seat(_), Action::Call(0..=9)) if state.secrets.is_some() => Ok(()),
            (Actor::Seat(_), Action::Deal(_)) if FAULT == ANYONE_IS_CHANCE => Ok(()),
            (Actor::Seat(_) | Actor::Chance | Actor::Server, _) => Err(Refusal::new("call a number from 0 to 9")),
        }
    }

    fn apply(&self, state: &mut State, step: Step<Action<FAULT>>) {
        match step {
            Step::Chance(Action::Deal([one, two])) => {
                let deals = if FAULT == RECALLS_NOTHING { DEALS.fetch_add(1, Ordering::Relaxed) } else { 0 };
                state.secrets = Some([(one + deals) % 10, two]);
            }
            Step::Both([Action::Call(one), Action::Call(two)]) => {
                state.calls.push([one, two]);
                if state.calls.len() as i64 >= self.rounds && FAULT != NEVER_ENDS {
                    let wins = state.calls.iter().filter(|call| call[0] > call[1]).count();
                    let seat = if wins * 2 > state.calls.len() { Seat::One } else { Seat::Two };
                    state.outcome = Some(Outcome::Win(seat, "more calls"));
                }
            }
            Step::End(_, End::Agree | End::Claim | End::Flags | End::LeftDrawn) => {
                state.outcome = Some(Outcome::Draw("agreement"))
            }
            Step::End(seat, End::Resign | End::ResignMatch | End::Flag | End::Left) => {
                state.outcome = Some(Outcome::Win(!seat, "resignation"));
            }
            Step::One(..) | Step::Both(_) | Step::Chance(Action::Call(_)) => {}
        }
    }

    fn check_end(&self, _state: &State, _seat: Seat, end: End) -> Result<(), Refusal> {
        match end {
            End::Resign | End::ResignMatch | End::Flag | End::Flags | End::Agree | End::Left | End::LeftDrawn => Ok(()),
            End::Claim => Err(Refusal::new("nothing can be claimed")),
        }
    }

    fn score(&self, state: &State) -> [Ratio<i64>; 2] {
        state.outcome.map_or([Ratio::ZERO; 2], |outcome| outcome.points().map(|points| points * state.prize))
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        let known = |seat: Seat| {
            state
                .secrets
                .filter(|_| viewer == Some(seat) || state.outcome.is_some() || FAULT == SHOWS_SECRET)
                .map(|secrets| secrets[seat.index()])
        };
        let hint = state.secrets.map_or(0, |secrets| secrets.iter().map(|secret| secret / 5).sum());
        View {
            diagram: Diagram::of(Board::orthodox(), &Position::EMPTY),
            secrets: Seat::BOTH.map(known),
            calls: state.calls.iter().rev().take(5).copied().collect(),
            hint: if FAULT == COUNTS_SECRET { hint } else { 0 },
        }
    }

    fn draw(&self, _state: &State, rng: &mut dyn Rng) -> Action<FAULT> {
        Action::Deal([rng.random_range(0..10), rng.random_range(0..10)])
    }
}

impl<const FAULT: u8> Describe for Toy<FAULT> {
    fn presets() -> Vec<(&'static str, Self)> {
        vec![("standard", Toy::default())]
    }

    fn settings() -> &'static [OptionSpec] {
        &[OptionSpec { key: "rounds", words: "Rounds", range: OptionRange::Whole(1, 20) }]
    }

    fn action_forms() -> &'static [ActionForm] {
        &[ActionForm { phases: &["guess"], text: "call {0..9}", words: "Calls a number." }]
    }
}

impl<const FAULT: u8> Input for Toy<FAULT> {
    fn listed_forms(&self, state: &State, _seat: Seat) -> Vec<String> {
        match FAULT {
            LISTS_NOTHING if state.calls.len() == 3 => Vec::new(),
            LISTS_TOO_MUCH => vec!["call {0..10}".to_owned()],
            SPEAKS_OTHERWISE => vec!["call {0..9}".to_owned(), "shout 3".to_owned()],
            _ => vec!["call {0..9}".to_owned()],
        }
    }
}

impl<const FAULT: u8> HiddenInfo for Toy<FAULT> {
    fn visible_action(
        &self,
        _state: &State,
        _step: usize,
        _actor: Actor,
        action: &Action<FAULT>,
        _viewer: Viewer,
    ) -> Option<Action<FAULT>> {
        match action {
            Action::Deal(_) if FAULT != TELLS_SECRET => None,
            Action::Deal(_) | Action::Call(_) => Some(action.clone()),
        }
    }

    fn has_hidden_info(&self, state: &State) -> bool {
        state.secrets.is_some() && state.outcome.is_none() && FAULT != DENIES_SECRET
    }

    fn redeal(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
        let mut world = state.clone();
        if let (Some(secrets), None) = (&mut world.secrets, state.outcome) {
            secrets[(!seat).index()] = rng.random_range(0..10);
        }
        world
    }
}

impl<const FAULT: u8> BotSupport for Toy<FAULT> {
    fn candidates(&self, state: &State, _seat: Seat, _rng: &mut dyn Rng) -> Vec<Action<FAULT>> {
        if FAULT == FORGETS_CANDIDATES && state.calls.len() == 3 {
            Vec::new()
        } else {
            (0..10).map(Action::Call).collect()
        }
    }

    fn rough_material(&self, _state: &State) -> [i64; 2] {
        [0, 0]
    }
}

impl<const FAULT: u8> GameControl for Toy<FAULT> {
    fn allows_takeback_here(&self, state: &State) -> bool {
        state.secrets.is_some() && state.calls.is_empty()
    }
}
