//! A game of any rules behind one object-safe trait.

use std::{
    any::Any,
    fmt::{self, Debug},
};

use num_rational::Ratio;
use rand::Rng;

use super::NestedView;
use crate::rules::{Actor, End, Prospect, Refusal, Rules, Seat, Step, Turn, VariantInfo, Viewer};

/// An action of any rules: its text, which is its only encoding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnyAction(String);

impl AnyAction {
    /// The text of an action.
    pub fn of(action: &impl fmt::Display) -> AnyAction {
        AnyAction(action.to_string())
    }
}

impl fmt::Display for AnyAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Rules and state of a game of any variant. Its methods are those of [`Rules`].
#[expect(missing_docs, reason = "Rules documents them")]
pub trait AnyGame: Debug + Send + Sync {
    fn info(&self) -> VariantInfo;
    fn turn(&self) -> Turn;
    fn phase(&self) -> &'static str;
    fn check(&self, actor: Actor, action: &AnyAction) -> Result<(), Refusal>;
    fn besides(&self, seat: Seat) -> Vec<String>;
    fn apply(&mut self, step: Step<AnyAction>);
    fn check_end(&self, seat: Seat, end: End) -> Result<(), Refusal>;
    fn score(&self) -> [Ratio<i64>; 2];
    fn view(&self, viewer: Viewer) -> NestedView;
    fn draft(&self, seat: Seat, text: &str) -> Option<NestedView>;
    fn heard(&self, step: usize, actor: Actor, action: &AnyAction, viewer: Viewer) -> Option<AnyAction>;
    fn find(&self, text: &str) -> Option<AnyAction>;
    fn hides(&self) -> bool;
    fn open(&mut self);
    fn redeal(&self, seat: Seat, rng: &mut dyn Rng) -> Box<dyn AnyGame>;
    fn draw(&self, rng: &mut dyn Rng) -> AnyAction;
    fn candidates(&self, seat: Seat, rng: &mut dyn Rng) -> Vec<AnyAction>;
    fn standing(&self) -> [i64; 2];
    fn prospect(&self, seat: Seat) -> Option<Prospect>;
    fn returnable(&self) -> bool;
    /// A copy.
    fn boxed(&self) -> Box<dyn AnyGame>;
    /// Whether another game has the same rules and state.
    fn is_same(&self, other: &dyn AnyGame) -> bool;
    /// The game itself, for those who know its type.
    fn as_any(&self) -> &dyn Any;
}

/// A game of known rules.
#[derive(Clone, PartialEq, Debug)]
pub struct TypedGame<R: Rules> {
    rules: R,
    state: R::State,
}

impl<R: Rules> TypedGame<R> {
    /// A game in which nothing has happened.
    ///
    /// # Errors
    /// What is wrong with the options.
    pub fn new(rules: R) -> Result<Self, Refusal> {
        let state = rules.start(&rules.terms()?);
        Ok(TypedGame { rules, state })
    }
}

fn nested<R: Rules>(view: R::View) -> NestedView {
    NestedView { key: Some(R::INFO.key), view: Box::new(view) }
}

impl<R: Rules> AnyGame for TypedGame<R> {
    fn info(&self) -> VariantInfo {
        R::INFO
    }

    fn turn(&self) -> Turn {
        self.rules.turn(&self.state)
    }

    fn phase(&self) -> &'static str {
        self.rules.phase(&self.state)
    }

    fn check(&self, actor: Actor, action: &AnyAction) -> Result<(), Refusal> {
        self.rules.check(&self.state, actor, &action.0.parse()?)
    }

    fn besides(&self, seat: Seat) -> Vec<String> {
        self.rules.besides(&self.state, seat)
    }

    fn apply(&mut self, step: Step<AnyAction>) {
        let step = step.map(|action| action.0.parse().expect("the action was checked"));
        self.rules.apply(&mut self.state, step);
    }

    fn check_end(&self, seat: Seat, end: End) -> Result<(), Refusal> {
        self.rules.check_end(&self.state, seat, end)
    }

    fn score(&self) -> [Ratio<i64>; 2] {
        self.rules.score(&self.state)
    }

    fn view(&self, viewer: Viewer) -> NestedView {
        nested::<R>(self.rules.view(&self.state, viewer))
    }

    fn draft(&self, seat: Seat, text: &str) -> Option<NestedView> {
        self.rules.draft(&self.state, seat, text).map(nested::<R>)
    }

    fn heard(&self, step: usize, actor: Actor, action: &AnyAction, viewer: Viewer) -> Option<AnyAction> {
        self.rules.heard(&self.state, step, actor, &action.0.parse().ok()?, viewer).as_ref().map(AnyAction::of)
    }

    fn find(&self, text: &str) -> Option<AnyAction> {
        self.rules.find(&self.state, text).as_ref().map(AnyAction::of)
    }

    fn hides(&self) -> bool {
        self.rules.hides(&self.state)
    }

    fn open(&mut self) {
        self.rules.open(&mut self.state);
    }

    fn redeal(&self, seat: Seat, rng: &mut dyn Rng) -> Box<dyn AnyGame> {
        Box::new(TypedGame { rules: self.rules.clone(), state: self.rules.redeal(&self.state, seat, rng) })
    }

    fn draw(&self, rng: &mut dyn Rng) -> AnyAction {
        AnyAction::of(&self.rules.draw(&self.state, rng))
    }

    fn candidates(&self, seat: Seat, rng: &mut dyn Rng) -> Vec<AnyAction> {
        self.rules.candidates(&self.state, seat, rng).iter().map(AnyAction::of).collect()
    }

    fn standing(&self) -> [i64; 2] {
        self.rules.standing(&self.state)
    }

    fn prospect(&self, seat: Seat) -> Option<Prospect> {
        self.rules.prospect(&self.state, seat)
    }

    fn returnable(&self) -> bool {
        self.rules.returnable(&self.state)
    }

    fn boxed(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn is_same(&self, other: &dyn AnyGame) -> bool {
        other.as_any().downcast_ref::<TypedGame<R>>() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
