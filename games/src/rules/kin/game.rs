//! A game inside another, and what is said in it.

use std::fmt;

use rand::Rng;

use crate::rules::{Actor, Refusal, Rules, Seat, Step, Viewer};

/// Something that is said in one of these games, well formed in one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KinAction(String);

impl KinAction {
    /// The text of an action.
    pub(super) fn of(action: &impl fmt::Display) -> KinAction {
        KinAction(action.to_string())
    }
}

impl fmt::Display for KinAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One game of some rules inside another.
#[derive(Clone, PartialEq, Debug)]
pub struct KinGame<R: Rules> {
    pub(super) rules: R,
    pub(super) state: R::State,
}

impl<R: Rules> KinGame<R> {
    /// The beginning of a game.
    pub(super) fn new(rules: R) -> Result<Self, Refusal> {
        let state = rules.start(&rules.terms()?);
        Ok(KinGame { rules, state })
    }

    /// See [`Rules::check`].
    pub(super) fn check(&self, actor: Actor, said: &KinAction) -> Result<(), Refusal> {
        self.rules.check(&self.state, actor, &said.0.parse()?)
    }

    /// See [`Rules::apply`].
    pub(super) fn apply(&mut self, step: Step<KinAction>) {
        let action = |said: KinAction| said.0.parse().expect("the action was checked");
        let step = match step {
            Step::One(seat, said) => Step::One(seat, action(said)),
            Step::Both(said) => Step::Both(said.map(action)),
            Step::Chance(said) => Step::Chance(action(said)),
            Step::End(seat, end) => Step::End(seat, end),
        };
        self.rules.apply(&mut self.state, step);
    }

    /// See [`Rules::find`].
    pub(super) fn find(&self, text: &str) -> Option<KinAction> {
        self.rules.find(&self.state, text).as_ref().map(KinAction::of)
    }

    /// See [`Rules::heard`].
    pub(super) fn heard(&self, step: usize, actor: Actor, said: &KinAction, viewer: Viewer) -> Option<KinAction> {
        self.rules.heard(&self.state, step, actor, &said.0.parse().ok()?, viewer).as_ref().map(KinAction::of)
    }

    /// See [`Rules::redeal`].
    pub(super) fn redealt(&self, seat: Seat, rng: &mut dyn Rng) -> Self {
        KinGame { rules: self.rules.clone(), state: self.rules.redeal(&self.state, seat, rng) }
    }

    /// See [`Rules::candidates`].
    pub(super) fn candidates(&self, seat: Seat, rng: &mut dyn Rng) -> Vec<KinAction> {
        self.rules.candidates(&self.state, seat, rng).iter().map(KinAction::of).collect()
    }
}
