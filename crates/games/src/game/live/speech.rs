//! What is said to a game: it is read, checked with the rules, sealed or applied, and kept with the time that the clocks show then.

use super::{super::RecordLine, Live, Word, seen::Seen};
use crate::rules::{Actor, Refusal, Seat, Step, Turn};

impl Live {
    /// Says something at a time; what is accepted is returned as the line to keep.
    pub fn act(&mut self, actor: Actor, text: &str, now: i64) -> Result<RecordLine, Refusal> {
        let text = text.trim();
        self.seen = Seen::default();
        let before = self.steps.len();
        let allotted = self.game.allotment();
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
            self.game.open();
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
        if let Some(allotment) = self.game.allotment().filter(|settled| allotted != Some(*settled)) {
            self.clocks.allot(allotment);
        }
        self.clocks.ask(&self.awaits(), now);
        self.left.truncate(self.steps.len().min(before));
        let left = Seat::BOTH.map(|seat| self.clocks.view(seat).map(|clock| clock.remaining));
        self.left.resize(self.steps.len(), left);
        Ok(RecordLine { actor, text: said, time: now })
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
        self.game.check(Actor::Seat(seat), &action).map_err(placed)?;
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
        let action = self.game.parse(text)?;
        self.game.check(Actor::Chance, &action)?;
        let said = action.to_string();
        self.push(Step::Chance(action));
        Ok(said)
    }
}
