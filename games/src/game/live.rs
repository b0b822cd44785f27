//! The one wrapper that makes a game of any rules: what the rules are never asked, it does, the same for all of them.

mod past;
mod reading;
mod seen;
mod transcript;
mod words;

use std::{ops::Range, sync::Arc};

use num_rational::Ratio;
use rand::Rng;
use serde_json::{Map, Value, json};

use super::{AnyView, Clocks, Game, Judged, KnownLine, LONGEST, Offers, RecordLine, TOO_LONG, Word};
use crate::{
    bots::{self, Bot},
    rules::{Actor, Diagram, End, Endgame, Outcome, Refusal, Rules, Seat, Step, Turn, Viewer},
};
use seen::Seen;
use transcript::Spoken;

/// The number of steps after which a state is kept.
const STRIDE: usize = 64;

/// A game of the rules `R`.
#[derive(Clone, Debug)]
pub struct Live<R: Rules> {
    rules: R,
    terms: R::Terms,
    state: R::State,
    steps: Vec<Step<R::Action>>,
    /// The states after every [`STRIDE`] steps, from which earlier ones are found.
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

    fn finish(&mut self, seat: Seat, end: End) -> Result<(), Refusal> {
        self.rules.check_end(&self.state, seat, end)?;
        self.push(Step::End(seat, end));
        Ok(())
    }

    fn lapse(&mut self) {
        self.offers.draw = None;
        self.offers.takeback = None;
        self.offers.declined = None;
    }

    fn push(&mut self, step: Step<R::Action>) {
        if !self.rules.returnable(&self.state) {
            self.settled = self.steps.len() + 1;
        }
        self.rules.apply(&mut self.state, step.clone());
        self.steps.push(step);
        if self.steps.len().is_multiple_of(STRIDE) {
            self.kept.push(Arc::new(self.state.clone()));
        }
        self.pending = [None, None];
        self.lapse();
        if self.steps.len() >= LONGEST && self.outcome().is_none() {
            self.stopped = Some(Outcome::Draw(TOO_LONG));
        }
    }

    /// The state that stands, as far as a viewer may see it.
    fn view(&self, viewer: Viewer) -> Arc<R::View> {
        self.seen.by(viewer, || self.rules.view(&self.state, viewer))
    }

    /// The game as it stood after `ply` steps, if it has come so far.
    fn earlier(&self, ply: usize) -> Option<Self> {
        (ply <= self.steps.len()).then(|| {
            let past = ply < self.steps.len();
            let mut state = self.replayed(ply);
            if self.outcome().is_some() {
                self.rules.open(&mut state);
            }
            Live {
                state,
                steps: self.steps[..ply].to_vec(),
                pending: [None, None],
                offers: Offers::default(),
                past,
                stopped: self.stopped.filter(|_| !past),
                ..self.clone()
            }
        })
    }

    fn replayed(&self, ply: usize) -> R::State {
        let before = ply / STRIDE;
        let mut state = match before.checked_sub(1) {
            Some(index) => (*self.kept[index]).clone(),
            None => self.rules.start(&self.terms),
        };
        for step in &self.steps[before * STRIDE..ply] {
            self.rules.apply(&mut state, step.clone());
        }
        state
    }

    /// Takes what a seat says about the position.
    fn choose(&mut self, seat: Seat, text: &str) -> Result<String, Refusal> {
        self.over()?;
        let asked = match self.turn() {
            Turn::One(asked) => asked == seat,
            Turn::Both => true,
            Turn::Chance | Turn::Over(_) => false,
        };
        let action = self.read(seat, text, asked)?;
        if !asked {
            return Err(Refusal::new(format!("it is not your turn: seat {} is asked", !seat)));
        }
        let said = action.to_string();
        // A place in the action's own text is none in a text that says it otherwise.
        let placed = |refusal: Refusal| Refusal { at: refusal.at.filter(|_| said == text), ..refusal };
        self.rules.check(&self.state, Actor::Seat(seat), &action).map_err(placed)?;
        self.spoken[seat.index()] = true;
        if self.turn() == Turn::Both {
            self.pending[seat.index()] = Some(action);
            if let [Some(one), Some(two)] = &self.pending {
                self.push(Step::Both([one.clone(), two.clone()]));
            }
        } else {
            self.push(Step::One(seat, action));
        }
        Ok(said)
    }

    fn chance_says(&mut self, text: &str) -> Result<String, Refusal> {
        if self.turn() != Turn::Chance {
            return Err(Refusal::new("chance is not asked"));
        }
        let action: R::Action = text.parse()?;
        self.rules.check(&self.state, Actor::Chance, &action)?;
        let said = action.to_string();
        self.push(Step::Chance(action));
        Ok(said)
    }
}

impl<R: Rules> Game for Live<R> {
    fn key(&self) -> &'static str {
        R::KEY
    }

    fn title(&self) -> &'static str {
        R::TITLE
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
        let mut diagram = (*self.view(viewer)).as_ref().clone();
        if self.past || self.stopped.is_some() {
            diagram.choices = None;
        }
        diagram
    }

    fn json(&self, viewer: Viewer) -> serde_json::Value {
        let view = self.view(viewer);
        let score = self.score();
        let clock = |seat| self.clocks.view(seat);
        let clocks = Seat::BOTH
            .into_iter()
            .any(|seat| clock(seat).is_some())
            .then(|| json!({"one": clock(Seat::One), "two": clock(Seat::Two)}));
        let outcome = self.outcome().map(|outcome| json!({"winner": outcome.winner(), "reason": outcome.reason()}));
        let mut json = json!({
            "variant": R::KEY,
            "options": self.rules,
            "ply": self.ply(),
            "turn": {"awaits": self.awaits(), "phase": self.phase()},
            "clocks": clocks,
            "offers": self.offers,
            "outcome": outcome,
            "score": {"one": score[0].to_string(), "two": score[1].to_string()},
            "view": *view,
        });
        if let Some(seat) = viewer.filter(|seat| self.asks(*seat)) {
            let choices = (*view).as_ref().choices.iter().flatten().map(|choice| choice.action.clone());
            json["actions"] = choices.chain(self.rules.besides(&self.state, seat)).collect();
        }
        if let Some(sealed) = viewer.and_then(|seat| self.sealed(seat)) {
            json["sealed"] = sealed.into();
        }
        json
    }

    fn shown(&self, viewer: Viewer, draft: Option<&str>) -> AnyView {
        let draft = viewer.zip(draft).filter(|(seat, _)| self.asks(*seat));
        match draft.and_then(|(seat, text)| self.rules.draft(&self.state, seat, text)) {
            Some(view) => Arc::new(view),
            None => self.view(viewer),
        }
    }

    fn draft(&self, seat: Seat, text: &str) -> Option<Diagram> {
        let view = self.asks(seat).then(|| self.rules.draft(&self.state, seat, text)).flatten();
        view.map(|view| view.as_ref().clone())
    }

    fn act(&mut self, actor: Actor, text: &str, now: i64) -> Result<RecordLine, Refusal> {
        let text = text.trim();
        self.seen = Seen::default();
        let before = self.steps.len();
        let allotted = self.rules.allotment(&self.state);
        let waited = match actor {
            Actor::Seat(seat) => self.pending[seat.index()].is_some(),
            Actor::Chance | Actor::Server => false,
        };
        let said = match actor {
            Actor::Seat(seat) => match Word::read(text) {
                Some(word) => self.say(seat, word, Word::named(text)).map(|()| text.to_owned())?,
                None => self.choose(seat, text)?,
            },
            Actor::Chance => self.chance_says(text)?,
            Actor::Server => self.server(text, now).map(|()| text.to_owned())?,
        };
        self.said += 1;
        if self.stopped.is_some() {
            self.rules.open(&mut self.state);
        }
        if let Actor::Seat(seat) = actor
            && waited
            && Word::read(text).is_none()
        {
            self.resealed[seat.index()] += 1;
        }
        match actor {
            _ if self.steps.len() > before => self.talk = [0; 2],
            Actor::Seat(seat) if waited || Word::read(text).is_some() => self.talk[seat.index()] += 1,
            Actor::Seat(_) | Actor::Chance | Actor::Server => {}
        }
        self.keep(actor, &said, now, before);
        if let Some(allotment) = self.rules.allotment(&self.state).filter(|settled| allotted != Some(*settled)) {
            self.clocks.allot(allotment);
        }
        self.clocks.ask(&self.awaits(), now);
        self.left.truncate(self.steps.len().min(before));
        let left = Seat::BOTH.map(|seat| self.clocks.view(seat).map(|clock| clock.remaining));
        self.left.resize(self.steps.len(), left);
        Ok(RecordLine { actor, text: said, time: now })
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
        let mut state = self.rules.start(&self.terms);
        let mut moments = vec![self.rules.endgame(&state)];
        for step in &self.steps {
            self.rules.apply(&mut state, step.clone());
            moments.push(self.rules.endgame(&state));
        }
        moments
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
        let Some(mut past) = self.earlier(plies.start) else { return };
        for ply in plies {
            see(&past);
            let Some(step) = self.steps.get(ply) else { return };
            self.rules.apply(&mut past.state, step.clone());
            past.steps.push(step.clone());
            past.seen = Seen::default();
            past.past = past.steps.len() < self.steps.len();
            past.stopped = self.stopped.filter(|_| !past.past);
        }
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
