//! csipgs chess by Ralph Betza, with Hans Bodlaender's variants of it.
//!
//! Players earn zorkmids every turn, design pieces and buy them. A player wins by checkmating the last royal piece.

mod action;
mod action_phase;
mod army;
mod army_view;
mod bot_support;
mod description;
mod design_phase;
mod draft;
mod inventions;
mod mating_designs;
pub mod ini;
pub mod piece_design;
pub mod piece_names;
mod options;
mod position_text;
pub mod price;
mod state;
mod terms;
mod view;

use num_rational::Ratio;
use rand::Rng;

pub use action::{Action, LONGEST_DESIGN, Spelling};
pub use army::KnownArmy;
pub use army_view::{ArmyDraft, Bounds, PalettePiece};
pub use inventions::Estimate;
pub use mating_designs::{Mating, design};
pub use options::{Army, Csipgs, Rest, SecondRank, Total};
pub use state::State;
pub use terms::{ArmyLimits, Terms};
pub use view::{DesignSlot, Idea, Invented, LegendEntry, View};

use crate::rules::{
    ActionForm, Actor, BotSupport, Describe, End, GameControl, GamePhase, HiddenInfo, Input, OptionSpec, Outcome,
    PgnTag, PresetDescription, Refusal, Rules, RulesVersion, SearchProblem, Seat, Step, Support, TaskHelp, Turn,
    VariantInfo, Viewer,
};
use state::Phase;

impl Rules for Csipgs {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("csipgs"),
        auction: Support::No("it has its own money, with an income every turn"),
        handicap: Support::No("players buy their armies; to give a handicap, set its options for starting money"),
        designs_pieces: true,
        ..VariantInfo::new(
            "csipgs",
            "csipgs chess",
            "Start with a king, design your own pieces, buy them for zorkmids, and checkmate.",
        )
    };
    type Terms = Terms;
    type State = State;
    type Action = Action;
    type View = View;

    fn terms(&self, _version: RulesVersion) -> Result<Self::Terms, Refusal> {
        Terms::of(self)
    }

    fn start(&self, terms: &Terms) -> State {
        State::start(self, terms)
    }

    fn turn(&self, state: &State) -> Turn {
        match (state.outcome, state.phase) {
            (Some(outcome), _) => Turn::Over(outcome),
            (None, Phase::Armies | Phase::Estimate(_)) => Turn::Both,
            (None, Phase::Place | Phase::Action | Phase::Design) => Turn::One(state.seat()),
        }
    }

    fn phase(&self, state: &State) -> GamePhase {
        state.game_phase()
    }

    fn check(&self, state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
        let Actor::Seat(seat) = actor else {
            return Err(Refusal::new("only players can act in csipgs chess"));
        };
        match (state.phase, action) {
            (Phase::Armies, _) => state.check_army(self, seat, action),
            (Phase::Place, _) => state.check_place(self, action),
            (Phase::Action, _) => state.check_action(self, action),
            (Phase::Design, _) => state.check_design(self, action),
            (Phase::Estimate(invention), Action::Estimate(estimate)) => {
                state.check_estimate(self, invention, *estimate)
            }
            (Phase::Estimate(invention), _) => Err(Refusal::new(format!(
                "estimate {}: write estimate and a number, as in estimate 2.4",
                invention.name
            ))),
        }
    }

    fn apply(&self, state: &mut State, step: Step<Action>) {
        state.steps += 1;
        match (step, state.phase) {
            (Step::End(seat, end), _) => state.outcome = state.outcome_of_end(self, seat, end).ok(),
            (Step::Both(armies), Phase::Armies) => state.set_up_armies(self, &armies),
            (Step::Both([Action::Estimate(one), Action::Estimate(two)]), Phase::Estimate(invention)) => {
                state.apply_estimates(self, invention, [one, two]);
            }
            (Step::One(_, action), Phase::Place) => state.place(self, &action),
            (Step::One(_, action), Phase::Action) => state.act(self, &action),
            (Step::One(_, action), Phase::Design) => state.design(self, &action),
            (Step::One(..) | Step::Both(_) | Step::Chance(_), _) => unreachable!("only checked steps are applied"),
        }
    }

    fn check_end(&self, state: &State, seat: Seat, end: End) -> Result<(), Refusal> {
        state.outcome_of_end(self, seat, end).map(|_| ())
    }

    fn score(&self, state: &State) -> [Ratio<i64>; 2] {
        state.outcome.map_or([Ratio::ZERO; 2], Outcome::points)
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        let asked = viewer.is_some_and(|seat| self.turn(state) == Turn::One(seat));
        state.build_view(self, asked)
    }
}

impl Describe for Csipgs {
    fn presets() -> Vec<(&'static str, Self)> {
        Csipgs::named()
    }

    fn ways() -> &'static [PresetDescription] {
        description::WAYS
    }

    fn task_help() -> &'static [TaskHelp] {
        &[
            TaskHelp {
                task: "army",
                lines: [
                    "Set up sixteen pieces within the budget, in secret. Pick pieces below the board, start from a known army, or design your own.",
                    "You need a king or another royal piece. Without one you lose at once.",
                ],
            },
            TaskHelp {
                task: "place",
                lines: [
                    "You and your opponent take turns placing sixteen pieces each, within a budget.",
                    "Choose or design a piece, then one of your empty squares.",
                ],
            },
            TaskHelp {
                task: "action",
                lines: [
                    "Do one thing each turn: move a piece, buy one for your reserve, or place one from it next to your king.",
                    "Your money grows every turn. Checkmate the last royal piece to win.",
                ],
            },
            TaskHelp {
                task: "design",
                lines: ["After your action you may replace one of your six designs.", "On most turns you keep them."],
            },
            TaskHelp {
                task: "move",
                lines: [
                    "Move a piece, or place one from your reserve next to your king. Then you may buy a piece.",
                    "Your money grows every turn. Checkmate the last royal piece to win.",
                ],
            },
            TaskHelp {
                task: "purchase",
                lines: [
                    "After your action you may buy a piece for your reserve or replace one of your six designs.",
                    "If you do neither, keep your designs.",
                ],
            },
            TaskHelp {
                task: "estimate",
                lines: [
                    "Estimate the invention’s price. Both estimates are secret, and the higher one counts for both players.",
                    "To make it more expensive, enter a higher number.",
                ],
            },
        ]
    }

    fn settings() -> &'static [OptionSpec] {
        Csipgs::SETTINGS
    }

    fn action_forms() -> &'static [ActionForm] {
        description::PHRASES
    }
}

impl Input for Csipgs {
    fn task(&self, state: &State, _seat: Seat) -> &'static str {
        match state.phase {
            Phase::Action if self.buy_in_design => "move",
            Phase::Design if self.buy_in_design => "purchase",
            Phase::Armies | Phase::Place | Phase::Action | Phase::Design | Phase::Estimate(_) => {
                state.game_phase().name()
            }
        }
    }

    fn listed_forms(&self, state: &State, seat: Seat) -> Vec<String> {
        state.besides(self, seat)
    }

    fn find(&self, _state: &State, text: &str) -> Option<Action> {
        Action::parse_notation(text)
    }

    fn draft(&self, state: &State, seat: Seat, text: &str) -> Option<View> {
        draft::draft(self, state, seat, text)
    }
}

impl HiddenInfo for Csipgs {}

impl BotSupport for Csipgs {
    fn candidates(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
        state.candidates(self, seat, rng)
    }

    fn search_problem(&self, state: &State, seat: Seat) -> Option<SearchProblem> {
        bot_support::prospect(self, state, seat)
    }

    fn rough_material(&self, state: &State) -> [i64; 2] {
        state.standing()
    }
}

impl GameControl for Csipgs {
    /// Refuses takebacks of sealed choices: once opened, they cannot be sealed again.
    fn allows_takeback_here(&self, state: &State) -> bool {
        match state.phase {
            Phase::Armies | Phase::Estimate(_) => false,
            Phase::Place | Phase::Action | Phase::Design => true,
        }
    }

    /// The choice of the design phase, after the action.
    fn completes_turn(&self, action: &Action) -> bool {
        match action {
            Action::Keep | Action::Design(..) | Action::Invent(_) => true,
            Action::Buy(_) => self.buy_in_design,
            Action::Move(..) | Action::Transfer(..) | Action::Army(_) | Action::Place(..) | Action::Estimate(_) => {
                false
            }
        }
    }
}
