//! The one wrapper that makes a game of any rules: what the rules are never asked, it does, the same for all of them.

mod past;
mod reading;
mod seen;
mod sight;
mod speech;
mod steps;
mod transcript;
mod words;

use std::{ops::Range, sync::Arc};

use num_rational::Ratio;
use rand::Rng;
use serde_json::{Map, Value, json};

use super::{AnyView, Clocks, Game, Judged, KnownLine, Offers, RecordLine, Word};
use crate::{
    bots::{self, Bot},
    rules::{Actor, Diagram, End, Endgame, Outcome, Refusal, Rules, Seat, Step, Turn, Viewer},
};
use seen::Seen;
use transcript::Spoken;

/// A game of the rules `R`.
#[derive(Clone, Debug)]
pub struct Live<R: Rules> {
    rules: R,
    terms: R::Terms,
    state: R::State,
    steps: Vec<Step<R::Action>>,
    /// The states after every [`steps::STRIDE`] steps, from which earlier ones are found.
    kept: Vec<Arc<R::State>>,
    pending: [Option<R::Action>; 2],
    spoken: [bool; 2],
    talk: [usize; 2],
    resealed: [usize; 2],
    said: usize,
    offers: Offers,
    clocks: Clocks,
    /// The time that was left on both clocks after each step, in milliseconds.
    left: Vec<[Option<i64>; 2]>,
    stopped: Option<Outcome>,
    past: bool,
    /// No takeback leads to fewer steps: the state before them was not returnable.
    settled: usize,
    /// The number of times that steps were taken back.
    retracted: usize,
    transcript: Vec<Spoken>,
    seen: Seen<R>,
}

impl<R: Rules> Live<R> {
    /// A game that nothing has happened in, unless its options do not go together.
    pub fn new(rules: R, clocks: Clocks) -> Result<Self, Refusal> {
        let terms = rules.terms()?;
        let state = rules.start(&terms);
        Ok(Live {
            rules,
            terms,
            state,
            steps: Vec::new(),
            kept: Vec::new(),
            pending: [None, None],
            spoken: [false; 2],
            talk: [0; 2],
            resealed: [0; 2],
            said: 0,
            offers: Offers::default(),
            clocks,
            left: Vec::new(),
            stopped: None,
            past: false,
            settled: 0,
            retracted: 0,
            transcript: Vec::new(),
            seen: Seen::default(),
        })
    }

    fn over(&self) -> Result<(), Refusal> {
        match self.outcome() {
            Some(outcome) => Err(Refusal::new(format!("the game is over: {}", outcome.reason()))),
            None => Ok(()),
        }
    }
}

impl<R: Rules> Game for Live<R> {
    fn key(&self) -> &'static str {
        R::INFO.key
    }

    fn title(&self) -> &'static str {
        R::INFO.title
    }

    fn turn(&self) -> Turn {
        match self.stopped {
            Some(outcome) => Turn::Over(outcome),
            None => self.rules.turn(&self.state),
        }
    }

    fn phase(&self) -> &'static str {
        match self.turn() {
            Turn::Over(_) => "over",
            Turn::One(_) | Turn::Both | Turn::Chance => self.rules.phase(&self.state),
        }
    }

    fn task(&self, seat: Seat) -> &'static str {
        match self.turn() {
            Turn::Over(_) => "over",
            Turn::One(_) | Turn::Both | Turn::Chance => self.rules.task(&self.state, seat),
        }
    }

    fn ply(&self) -> usize {
        self.steps.len()
    }

    fn awaits(&self) -> Vec<Seat> {
        if self.past {
            return Vec::new();
        }
        match self.turn() {
            Turn::One(seat) => vec![seat],
            Turn::Both => Seat::BOTH.into_iter().filter(|seat| self.pending[seat.index()].is_none()).collect(),
            Turn::Chance | Turn::Over(_) => Vec::new(),
        }
    }

    fn asks(&self, seat: Seat) -> bool {
        !self.past
            && match self.turn() {
                Turn::One(asked) => asked == seat,
                Turn::Both => true,
                Turn::Chance | Turn::Over(_) => false,
            }
    }

    fn can(&self, seat: Seat, word: Word) -> bool {
        !self.past && self.may(seat, word).is_ok()
    }

    fn hides(&self, seat: Seat) -> bool {
        let waits = self.turn() == Turn::Both && self.pending[(!seat).index()].is_some();
        waits || self.rules.hides(&self.state)
    }

    fn talk(&self, seat: Seat) -> usize {
        self.talk[seat.index()]
    }

    fn resealed(&self, seat: Seat) -> usize {
        self.resealed[seat.index()]
    }

    fn said(&self) -> usize {
        self.said
    }

    fn sealed(&self, seat: Seat) -> Option<String> {
        self.pending[seat.index()].as_ref().map(R::Action::to_string)
    }

    fn offers(&self) -> Offers {
        self.offers.clone()
    }

    fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    fn left(&self, step: usize, seat: Seat) -> Option<i64> {
        *self.left.get(step.checked_sub(1)?)?.get(seat.index())?
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.turn() {
            Turn::Over(outcome) => Some(outcome),
            Turn::One(_) | Turn::Both | Turn::Chance => None,
        }
    }

    fn score(&self) -> [Ratio<i64>; 2] {
        match self.stopped {
            Some(outcome) => outcome.points(),
            None => self.rules.score(&self.state),
        }
    }

    fn diagram(&self, viewer: Viewer) -> Diagram {
        self.diagram(viewer)
    }

    fn json(&self, viewer: Viewer) -> serde_json::Value {
        self.json(viewer)
    }

    fn shown(&self, viewer: Viewer, draft: Option<&str>) -> AnyView {
        self.shown(viewer, draft)
    }

    fn draft(&self, seat: Seat, text: &str) -> Option<Diagram> {
        self.draft(seat, text)
    }

    fn act(&mut self, actor: Actor, text: &str, now: i64) -> Result<RecordLine, Refusal> {
        self.act(actor, text, now)
    }

    fn chance(&self, rng: &mut dyn Rng) -> Option<String> {
        (self.turn() == Turn::Chance).then(|| self.rules.draw(&self.state, rng).to_string())
    }

    fn advise(&self, seat: Seat, bot: Bot, rng: &mut dyn Rng, enough: &mut dyn FnMut() -> bool) -> Option<String> {
        if !self.awaits().contains(&seat) {
            return None;
        }
        let known = self.rules.redeal(&self.state, seat, rng);
        let claimable = self.rules.check_end(&self.state, seat, End::Claim).is_ok();
        if claimable && bots::claims(&self.rules, &known, seat, bot, rng, enough) {
            return Some("claim".to_owned());
        }
        bots::choose(&self.rules, &known, seat, bot, rng, enough).map(|action| action.to_string())
    }

    fn redealt(&self, seat: Seat, rng: &mut dyn Rng) -> Box<dyn Game> {
        let mut other = self.clone();
        other.seen = Seen::default();
        other.state = self.rules.redeal(&self.state, seat, rng);
        Box::new(other)
    }

    fn endgame(&self) -> Option<Endgame> {
        self.rules.endgame(&self.state).filter(|_| self.outcome().is_none())
    }

    fn endgames(&self) -> Vec<Option<Endgame>> {
        self.endgames()
    }

    fn judged(&self, ply: usize) -> Option<Judged> {
        self.looked_back(ply)
    }

    fn returnable(&self) -> bool {
        self.rules.returnable(&self.state)
    }

    fn copy(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn past(&self, ply: usize) -> Option<Box<dyn Game>> {
        self.earlier(ply).map(|past| Box::new(past) as Box<dyn Game>)
    }

    fn walk(&self, plies: Range<usize>, see: &mut dyn FnMut(&dyn Game)) {
        self.walk(plies, see);
    }

    fn retracted(&self) -> usize {
        self.retracted
    }

    fn lines(&self, viewer: Viewer) -> Vec<KnownLine> {
        self.lines(viewer)
    }

    fn reads(&self, written: &[(usize, &str)]) -> Vec<bool> {
        self.reads(written)
    }

    fn options(&self) -> Map<String, Value> {
        record_of(&self.rules)
    }

    fn usual(&self) -> Map<String, Value> {
        record_of(&R::default())
    }
}

/// The options of some rules.
fn record_of<R: Rules>(rules: &R) -> Map<String, Value> {
    match json!(rules) {
        Value::Object(options) => options,
        _ => Map::new(),
    }
}
