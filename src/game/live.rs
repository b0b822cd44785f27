//! The one wrapper that makes a game of any rules: what the rules are never asked, it does, the same for all of them.

use num_rational::Ratio;
use rand::Rng;
use serde_json::json;

use super::{Clocks, Frame, Game, LONGEST, Line, Offers, Paged};
use crate::{
    bots::{self, Bot},
    rules::{Actor, Diagram, End, Endgame, Outcome, Refusal, Rules, Seat, Step, Turn, Viewer},
};

/// A game of the rules `R`.
#[derive(Clone, Debug)]
pub struct Live<R: Rules> {
    rules: R,
    state: R::State,
    steps: Vec<Step<R::Action>>,
    pending: [Option<R::Action>; 2],
    spoken: [bool; 2],
    offers: Offers,
    clocks: Clocks,
    stopped: Option<Outcome>,
    past: bool,
}

/// What a seat can say in every game.
enum Common {
    Resign,
    ResignMatch,
    Draw,
    Takeback,
    Decline,
    Abort,
    Claim,
    Rematch,
}

impl Common {
    fn read(text: &str) -> Option<Common> {
        Some(match text {
            "resign" => Common::Resign,
            "resign match" => Common::ResignMatch,
            "draw" => Common::Draw,
            "takeback" => Common::Takeback,
            "decline" => Common::Decline,
            "abort" => Common::Abort,
            "claim" => Common::Claim,
            "rematch" => Common::Rematch,
            _ => return None,
        })
    }
}

impl<R: Paged> Live<R> {
    /// A game that nothing has happened in.
    pub fn new(rules: R, clocks: Clocks) -> Self {
        let state = rules.start();
        Live {
            rules,
            state,
            steps: Vec::new(),
            pending: [None, None],
            spoken: [false; 2],
            offers: Offers::default(),
            clocks,
            stopped: None,
            past: false,
        }
    }

    fn over(&self) -> Result<(), Refusal> {
        match self.outcome() {
            Some(outcome) => Err(Refusal::new(format!("the game is over: {}", outcome.reason()))),
            None => Ok(()),
        }
    }

    fn common(&mut self, seat: Seat, word: &Common) -> Result<(), Refusal> {
        if let Common::Rematch = word {
            return self.rematch(seat);
        }
        self.over()?;
        match word {
            Common::Resign => self.finish(seat, End::Resign),
            Common::ResignMatch => self.finish(seat, End::ResignMatch),
            Common::Draw => self.offer_draw(seat),
            Common::Takeback => self.offer_takeback(seat),
            Common::Decline => self.decline(seat),
            Common::Abort => self.abort(),
            Common::Claim if self.asks(seat) => self.finish(seat, End::Claim),
            Common::Claim => Err(Refusal::new("a draw is claimed on one’s own turn, before acting")),
            Common::Rematch => Ok(()),
        }
    }

    fn finish(&mut self, seat: Seat, end: End) -> Result<(), Refusal> {
        let outcome = self.rules.end(&self.state, seat, end)?;
        self.push(Step::End(outcome));
        Ok(())
    }

    fn rematch(&mut self, seat: Seat) -> Result<(), Refusal> {
        if self.outcome().is_none() {
            return Err(Refusal::new("a rematch can be asked for when the game is over"));
        }
        let wanted = &mut self.offers.rematch[seat.index()];
        if std::mem::replace(wanted, true) { Err(Refusal::new("you have asked for a rematch already")) } else { Ok(()) }
    }

    fn offer_draw(&mut self, seat: Seat) -> Result<(), Refusal> {
        let outcome = self.rules.end(&self.state, seat, End::Agree)?;
        match self.offers.draw {
            Some(offering) if offering == seat => Err(Refusal::new("you have offered a draw already")),
            Some(_) => {
                self.push(Step::End(outcome));
                Ok(())
            }
            None => {
                self.offers.draw = Some(seat);
                Ok(())
            }
        }
    }

    fn offer_takeback(&mut self, seat: Seat) -> Result<(), Refusal> {
        match self.offers.takeback {
            Some(asking) if asking == seat => Err(Refusal::new("you have asked to take back already")),
            Some(asking) => self.take_back(asking),
            None => {
                self.back_to(seat)?;
                self.offers.takeback = Some(seat);
                Ok(())
            }
        }
    }

    /// The number of steps that stay if `seat` takes back its last own step, with the state then.
    fn back_to(&self, seat: Seat) -> Result<(usize, R::State), Refusal> {
        let own = |step: &Step<R::Action>| match step {
            Step::One(by, _) => *by == seat,
            Step::Both(_) => true,
            Step::Chance(_) | Step::End(_) => false,
        };
        let keep = self
            .steps
            .iter()
            .rposition(own)
            .ok_or_else(|| Refusal::new("you have done nothing yet that could be taken back"))?;
        let state = self.replayed(keep);
        let mut passed = state.clone();
        for step in &self.steps[keep..] {
            if !self.rules.returnable(&passed) {
                return Err(Refusal::new("what has been opened or dealt cannot be taken back"));
            }
            self.rules.apply(&mut passed, step.clone());
        }
        Ok((keep, state))
    }

    fn take_back(&mut self, seat: Seat) -> Result<(), Refusal> {
        let (keep, state) = self.back_to(seat)?;
        self.steps.truncate(keep);
        self.state = state;
        self.pending = [None, None];
        self.lapse();
        Ok(())
    }

    fn decline(&mut self, seat: Seat) -> Result<(), Refusal> {
        let theirs = |offer: Option<Seat>| offer == Some(!seat);
        if !theirs(self.offers.draw) && !theirs(self.offers.takeback) {
            return Err(Refusal::new("there is no offer to decline"));
        }
        self.lapse();
        Ok(())
    }

    fn abort(&mut self) -> Result<(), Refusal> {
        if self.spoken == [true; 2] {
            return Err(Refusal::new(
                "both players have made a choice: the game can no longer be aborted, only resigned",
            ));
        }
        self.stopped = Some(Outcome::Void("aborted"));
        Ok(())
    }

    fn lapse(&mut self) {
        self.offers.draw = None;
        self.offers.takeback = None;
    }

    fn push(&mut self, step: Step<R::Action>) {
        self.rules.apply(&mut self.state, step.clone());
        self.steps.push(step);
        self.pending = [None, None];
        self.lapse();
        if self.steps.len() >= LONGEST && self.outcome().is_none() {
            self.stopped = Some(Outcome::Draw("too long"));
        }
    }

    fn replayed(&self, ply: usize) -> R::State {
        let mut state = self.rules.start();
        for step in &self.steps[..ply] {
            self.rules.apply(&mut state, step.clone());
        }
        state
    }

    /// What a seat says about the position.
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

    /// Reads an action's own text, or the words in which a listed choice is written for players; signs that add nothing, as in
    /// `Qxf7#`, may be left out where only one choice can be meant.
    fn read(&self, seat: Seat, text: &str, asked: bool) -> Result<R::Action, Refusal> {
        text.parse().or_else(|refusal| {
            if !asked {
                return Err(refusal);
            }
            let view = self.rules.view(&self.state, Some(seat));
            let choices = || view.as_ref().choices.iter().flatten();
            let mut alike = choices().filter(|choice| bare(&choice.label).eq(bare(text)));
            let only = alike.next().filter(|_| alike.next().is_none());
            let choice = choices().find(|choice| choice.label == text).or(only);
            choice.map_or(Err(refusal), |choice| choice.action.parse())
        })
    }

    fn server(&mut self, text: &str) -> Result<(), Refusal> {
        match text.split_once(' ') {
            None if text == "begin" => {
                self.clocks.begin();
                Ok(())
            }
            Some(("flag", seat)) => {
                self.over()?;
                self.finish(seat.parse()?, End::Flag)
            }
            Some(("forfeit", seat)) => {
                self.over()?;
                let seat: Seat = seat.parse()?;
                self.stopped = Some(Outcome::Win(!seat, "forfeit"));
                Ok(())
            }
            Some(_) | None => Err(Refusal::new("the server says begin, flag SEAT or forfeit SEAT")),
        }
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

impl<R: Paged> Game for Live<R> {
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

    fn sealed(&self, seat: Seat) -> Option<String> {
        self.pending[seat.index()].as_ref().map(R::Action::to_string)
    }

    fn offers(&self) -> Offers {
        self.offers
    }

    fn clocks(&self) -> &Clocks {
        &self.clocks
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
        let mut diagram = self.rules.view(&self.state, viewer).as_ref().clone();
        if self.past || self.stopped.is_some() {
            diagram.choices = None;
        }
        diagram
    }

    fn json(&self, viewer: Viewer) -> serde_json::Value {
        let view = self.rules.view(&self.state, viewer);
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
            "view": view,
        });
        if let Some(choices) = self.diagram(viewer).choices {
            json["actions"] = choices.into_iter().map(|choice| choice.action).collect();
        }
        if let Some(sealed) = viewer.and_then(|seat| self.sealed(seat)) {
            json["sealed"] = sealed.into();
        }
        json
    }

    fn words(&self) -> &'static [&'static str] {
        R::WORDS
    }

    fn page(&self, frame: &Frame) -> String {
        let draft = frame.viewer.zip(frame.draft.as_ref()).filter(|_| frame.asked);
        let drafted = draft.and_then(|(seat, text)| self.rules.draft(&self.state, seat, text));
        R::page(frame, &drafted.unwrap_or_else(|| self.rules.view(&self.state, frame.viewer)))
    }

    fn draft(&self, seat: Seat, text: &str) -> Option<Diagram> {
        let view = self.asks(seat).then(|| self.rules.draft(&self.state, seat, text)).flatten();
        view.map(|view| view.as_ref().clone())
    }

    fn act(&mut self, actor: Actor, text: &str, now: i64) -> Result<Line, Refusal> {
        let text = text.trim();
        let said = match actor {
            Actor::Seat(seat) => match Common::read(text) {
                Some(word) => self.common(seat, &word).map(|()| text.to_owned())?,
                None => self.choose(seat, text)?,
            },
            Actor::Chance => self.chance_says(text)?,
            Actor::Server => self.server(text).map(|()| text.to_owned())?,
        };
        self.clocks.ask(&self.awaits(), now);
        Ok(Line { actor, text: said, time: now })
    }

    fn chance(&self, rng: &mut dyn Rng) -> Option<String> {
        (self.turn() == Turn::Chance).then(|| self.rules.draw(&self.state, rng).to_string())
    }

    fn advise(&self, seat: Seat, bot: Bot, rng: &mut dyn Rng, enough: &mut dyn FnMut() -> bool) -> Option<String> {
        if !self.awaits().contains(&seat) {
            return None;
        }
        if self.rules.end(&self.state, seat, End::Claim).is_ok() {
            return Some("claim".to_owned());
        }
        let known = self.rules.redeal(&self.state, seat, rng);
        bots::choose(&self.rules, &known, seat, bot, rng, enough).map(|action| action.to_string())
    }

    fn redealt(&self, seat: Seat, rng: &mut dyn Rng) -> Box<dyn Game> {
        let mut other = self.clone();
        other.state = self.rules.redeal(&self.state, seat, rng);
        Box::new(other)
    }

    fn endgame(&self) -> Option<Endgame> {
        self.rules.endgame(&self.state).filter(|_| self.outcome().is_none())
    }

    fn endgames(&self) -> Vec<Option<Endgame>> {
        let mut state = self.rules.start();
        let mut moments = vec![self.rules.endgame(&state)];
        for step in &self.steps {
            self.rules.apply(&mut state, step.clone());
            moments.push(self.rules.endgame(&state));
        }
        moments
    }

    fn returnable(&self) -> bool {
        self.rules.returnable(&self.state)
    }

    fn copy(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn past(&self, ply: usize) -> Option<Box<dyn Game>> {
        (ply <= self.steps.len()).then(|| {
            let mut past = self.clone();
            past.state = self.replayed(ply);
            past.steps.truncate(ply);
            past.pending = [None, None];
            past.offers = Offers::default();
            past.past = ply < self.steps.len();
            past.stopped = self.stopped.filter(|_| !past.past);
            Box::new(past) as Box<dyn Game>
        })
    }
}

/// A text without the signs that a move means the same without.
fn bare(text: &str) -> impl Iterator<Item = char> {
    text.trim().chars().filter(|letter| !"+#x=!?".contains(*letter))
}
