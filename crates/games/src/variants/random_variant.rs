//! Randomly chosen variant (Drummyfish’s chess page: “a chess variant to be played is chosen at random before the game”): chance draws one of the
//! variants in the pool, which is then played by its own rules. The weighting by the players is our addition.

mod action;
mod options;
mod view;
mod wishes;

pub use action::Action;
pub use options::RandomVariant;
pub use view::{View, WeightedGame};
pub use wishes::{MOST, Weights, odds};

use std::sync::LazyLock;

use num_rational::Ratio;
use rand::{Rng, RngExt, seq::IteratorRandom};

use super::nested_game::{MOVES, Nested, NestedGame};
use crate::rules::{
    ActionForm, Actor, BotSupport, Describe, End, GameControl, GamePhase, HiddenInfo, Input, OptionSpec, Outcome,
    PresetDescription, Refusal, Rules, RulesVersion, SearchProblem, Seat, Step, Support, TaskHelp, Turn, VariantInfo,
    Viewer,
};

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Version of the rules for the drawn game.
    version: RulesVersion,
    /// The weights of both players, once they are open.
    wishes: Option<[Weights; 2]>,
    /// The drawn variant and its game.
    play: Option<(Nested, NestedGame)>,
    /// Number of steps until the variant was drawn.
    before: usize,
    /// The outcome, if the game ended before the draw.
    outcome: Option<Outcome>,
}

impl RandomVariant {
    /// Current weight of each variant in the draw.
    fn odds(&self, state: &State) -> Vec<(Nested, u64)> {
        odds(self.pool(), state.wishes.as_ref())
    }
}

impl State {
    /// The drawn game, once there is one.
    fn played(&self) -> Option<&NestedGame> {
        self.play.as_ref().map(|(_, play)| play)
    }

    /// Mutable access to the drawn game.
    fn game_mut(&mut self) -> Option<&mut NestedGame> {
        self.play.as_mut().map(|(_, play)| play)
    }

    /// The outcome when `seat` stops the game this way before the draw.
    fn stopped(seat: Seat, end: End) -> Result<Outcome, Refusal> {
        let claim = || Err(Refusal::new("no draw can be claimed before the variant is drawn"));
        end.outcome(seat, claim, || Outcome::Win(!seat, crate::rules::TIME))
    }
}

impl Rules for RandomVariant {
    const INFO: VariantInfo = VariantInfo {
        auction: Support::No("chance picks its variant, and not every variant can be auctioned"),
        handicap: Support::No("the players bid before the variant is known"),
        ..VariantInfo::new(
            "random-variant",
            "Randomly chosen variant",
            "Play a variant drawn at random. Both players can weight the draw first.",
        )
    };
    type Terms = RulesVersion;
    type State = State;
    type Action = Action;
    type View = View;

    fn terms(&self, version: RulesVersion) -> Result<RulesVersion, Refusal> {
        match self.pool().count() {
            0 | 1 => Err(Refusal::new("allow at least two variants to draw from")),
            _ => Ok(version),
        }
    }

    fn start(&self, version: &RulesVersion) -> State {
        State { version: *version, wishes: None, play: None, before: 0, outcome: None }
    }

    fn turn(&self, state: &State) -> Turn {
        match (&state.play, state.outcome) {
            (Some((_, play)), _) => play.turn(),
            (None, Some(outcome)) => Turn::Over(outcome),
            (None, None) if self.weighted && state.wishes.is_none() => Turn::Both,
            (None, None) => Turn::Chance,
        }
    }

    fn phase(&self, state: &State) -> GamePhase {
        match &state.play {
            Some((_, play)) => play.phase(),
            None if self.weighted && state.wishes.is_none() => GamePhase::Weigh,
            None => GamePhase::Draw,
        }
    }

    fn check(&self, state: &State, actor: Actor, action: &Action) -> Result<(), Refusal> {
        match (actor, action, &state.play) {
            (_, Action::Play(said), Some((_, play))) => play.check(actor, said),
            (Actor::Seat(_), Action::Weigh(wishes), None) => {
                match wishes.weights().find(|(game, _)| !self.holds(*game)) {
                    None => Ok(()),
                    Some((game, _)) => Err(Refusal::new(format!("{} cannot be drawn in this game", game.title))),
                }
            }
            (Actor::Chance, Action::Name(game), None) if self.holds(*game) => Ok(()),
            (Actor::Seat(_), Action::Name(_), _) => Err(Refusal::at(0, "only chance draws the variant")),
            (Actor::Seat(_) | Actor::Chance | Actor::Server, _, None) => Err(Refusal::at(
                0,
                "the variant has not been drawn yet: weigh the games first, as in weigh chess 3 duck 1",
            )),
            (Actor::Seat(_) | Actor::Chance | Actor::Server, _, Some((game, _))) => {
                Err(Refusal::at(0, format!("you are playing {} now: write a move such as e2e4", game.title)))
            }
        }
    }

    fn apply(&self, state: &mut State, step: Step<Action>) {
        let inside = |action: Action| match action {
            Action::Play(said) => said,
            Action::Weigh(_) | Action::Name(_) => unreachable!("steps are checked first"),
        };
        match (state.game_mut(), step) {
            (Some(play), Step::One(seat, action)) => play.apply(Step::One(seat, inside(action))),
            (Some(play), Step::Both(actions)) => play.apply(Step::Both(actions.map(inside))),
            (Some(play), Step::Chance(action)) => play.apply(Step::Chance(inside(action))),
            (Some(play), Step::End(seat, end)) => play.apply(Step::End(seat, end)),
            (None, Step::Both([Action::Weigh(one), Action::Weigh(two)])) => {
                state.before += 1;
                state.wishes = Some([one, two]);
            }
            (None, Step::Chance(Action::Name(game))) => {
                state.before += 1;
                let play = game.start(state.version, "").expect("every variant can start with its default options");
                state.play = Some((game, play));
            }
            (None, Step::End(seat, end)) => state.outcome = State::stopped(seat, end).ok(),
            (None, Step::One(..) | Step::Both(_) | Step::Chance(_)) => unreachable!("steps are checked first"),
        }
    }

    fn check_end(&self, state: &State, seat: Seat, end: End) -> Result<(), Refusal> {
        match state.played() {
            Some(play) => play.check_end(seat, end),
            None => State::stopped(seat, end).map(|_| ()),
        }
    }

    fn score(&self, state: &State) -> [Ratio<i64>; 2] {
        match state.played() {
            Some(play) => play.score(),
            None => state.outcome.map_or([Ratio::ZERO; 2], Outcome::points),
        }
    }

    fn view(&self, state: &State, viewer: Viewer) -> View {
        View::of(state, self.odds(state), state.played().map(|play| play.view(viewer)))
    }

    fn draw(&self, state: &State, rng: &mut dyn Rng) -> Action {
        if let Some(play) = state.played() {
            return Action::Play(play.draw(rng));
        }
        let odds = self.odds(state);
        let mut left = rng.random_range(0..odds.iter().map(|(_, weight)| weight).sum::<u64>());
        let drawn = odds.into_iter().find(|(_, weight)| {
            let here = left < *weight;
            left = left.saturating_sub(*weight);
            here
        });
        Action::Name(drawn.expect("the random number is below the sum of the weights").0)
    }
}

impl Describe for RandomVariant {
    fn presets() -> Vec<(&'static str, Self)> {
        options::presets()
    }

    fn ways() -> &'static [PresetDescription] {
        &*options::WAYS
    }

    fn task_help() -> &'static [TaskHelp] {
        &[
            TaskHelp {
                task: "weigh",
                lines: [
                    "Give each variant a weight: the higher, the likelier. Weights stay hidden until both players have submitted theirs.",
                    "Your weights and your opponent’s count equally. Without any from you, theirs alone decide.",
                ],
            },
            TaskHelp {
                task: "move",
                lines: [
                    "The variant has been drawn: its name and rules are next to the board.",
                    "Choose a piece, then its destination.",
                ],
            },
        ]
    }

    fn settings() -> &'static [OptionSpec] {
        &options::SETTINGS
    }

    fn option_since(key: &str) -> RulesVersion {
        options::since(key)
    }

    fn action_forms() -> &'static [ActionForm] {
        static PHRASES: LazyLock<[ActionForm; 5]> = LazyLock::new(|| {
            let weigh = format!("weigh {{wish 1..{}}}", RandomVariant::default().pool().count());
            [
                ActionForm {
                    phases: &["weigh"],
                    text: weigh.leak(),
                    words: "Weights the variants in the draw; those that you leave out have weight 0.",
                },
                ActionForm {
                    phases: &["weigh"],
                    text: "weigh",
                    words: "Leaves the choice to your opponent’s weights.",
                },
                MOVES[0],
                MOVES[1],
                MOVES[2],
            ]
        });
        &*PHRASES
    }
}

impl Input for RandomVariant {
    fn listed_forms(&self, state: &State, seat: Seat) -> Vec<String> {
        match &state.play {
            Some((_, play)) => play.listed_forms(seat),
            None => vec!["weigh".to_owned(), format!("weigh {{wish 1..{}}}", self.pool().count())],
        }
    }

    fn find(&self, state: &State, text: &str) -> Option<Action> {
        state.played()?.find(text).map(Action::Play)
    }

    fn draft(&self, state: &State, seat: Seat, text: &str) -> Option<View> {
        let sight = state.played()?.draft(seat, text)?;
        Some(View::of(state, self.odds(state), Some(sight)))
    }
}

impl HiddenInfo for RandomVariant {
    fn visible_action(
        &self,
        state: &State,
        step: usize,
        actor: Actor,
        action: &Action,
        viewer: Viewer,
    ) -> Option<Action> {
        match (action, state.played()) {
            (Action::Play(said), Some(play)) => {
                play.visible_action(step - state.before, actor, said, viewer).map(Action::Play)
            }
            (Action::Weigh(_) | Action::Name(_) | Action::Play(_), _) => Some(action.clone()),
        }
    }

    fn has_hidden_info(&self, state: &State) -> bool {
        state.played().is_some_and(|play| play.has_hidden_info())
    }

    fn reveal_all(&self, state: &mut State) {
        if let Some(play) = state.game_mut() {
            play.reveal_all();
        }
    }

    fn redeal(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> State {
        let play = state.play.as_ref().map(|(game, play)| (*game, play.redeal(seat, rng).into()));
        State { play, ..state.clone() }
    }
}

impl BotSupport for RandomVariant {
    fn candidates(&self, state: &State, seat: Seat, rng: &mut dyn Rng) -> Vec<Action> {
        if let Some(play) = state.played() {
            return play.candidates(seat, rng).into_iter().map(Action::Play).collect();
        }
        let mut some = Weights::default();
        let mut sensible = vec![Action::Weigh(some.clone())];
        for game in self.pool().sample(rng, 3) {
            some = some.with(game, rng.random_range(1..=MOST));
            sensible.push(Action::Weigh(some.clone()));
        }
        sensible
    }

    fn rough_material(&self, state: &State) -> [i64; 2] {
        state.played().map_or([0; 2], |play| play.rough_material())
    }

    fn search_problem(&self, state: &State, seat: Seat) -> Option<SearchProblem> {
        match (state.played(), self.turn(state)) {
            (Some(play), _) => play.search_problem(seat),
            // A bot has no preference: the opponent's weights decide.
            (None, Turn::Both) => Some(SearchProblem::Word(Action::Weigh(Weights::default()).to_string())),
            (None, Turn::One(_) | Turn::Chance | Turn::Over(_)) => None,
        }
    }
}

impl GameControl for RandomVariant {
    /// Open weights and the draw cannot be taken back.
    fn is_setting_terms(&self, state: &State) -> bool {
        state.played().is_none_or(|play| play.is_setting_terms())
    }

    fn is_between_deals(&self, state: &State) -> bool {
        state.played().is_some_and(|play| play.is_between_deals())
    }

    fn allows_takeback_here(&self, state: &State) -> bool {
        state.played().is_some_and(|play| play.allows_takeback_here())
    }
}
