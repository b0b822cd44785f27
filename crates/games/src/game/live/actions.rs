//! Actions of players, chance and the server: parsing, checks, sealed choices, steps and clock times. Keeps some of the earlier
//! states and replays the others from them.

use std::{ops::Range, sync::Arc};

use super::{Live, PlayerCommand, ViewCache};
use crate::{
    game::{LONGEST, Offers, RecordLine, TOO_LONG},
    rules::{
        ActionForm, Actor, Endgame, GamePhase, Outcome, Refusal, Seat, Step, Turn,
        any_game::{AnyAction, AnyGame},
        grammar::{example, is_algebraic},
    },
};

/// Most characters of a text that a refusal quotes.
const SHORT: usize = 40;
/// Number of steps between kept states.
pub(super) const STRIDE: usize = 64;

impl Live {
    /// Submits an action at a time. Returns the record line if the action is accepted.
    pub fn act(&mut self, actor: Actor, text: &str, now: i64) -> Result<RecordLine, Refusal> {
        let text = text.trim();
        self.view_cache = ViewCache::default();
        let before = self.steps.len();
        let allotted = self.game.agreed_clocks();
        let waited = match actor {
            Actor::Seat(seat) => self.pending[seat.index()].is_some(),
            Actor::Chance | Actor::Server => false,
        };
        let said = match actor {
            Actor::Seat(seat) => match PlayerCommand::read(text) {
                Some(word) => {
                    self.run_command(seat, word, PlayerCommand::named(text), now).map(|()| text.to_owned())?
                }
                None => self.choose(seat, text)?,
            },
            Actor::Chance => self.act_for_chance(text)?,
            Actor::Server => self.run_server_command(text, now).map(|()| text.to_owned())?,
        };
        self.said += 1;
        if self.stopped.is_some() {
            self.game.reveal_all();
        }
        if let Actor::Seat(seat) = actor
            && waited
            && PlayerCommand::read(text).is_none()
        {
            self.resealed[seat.index()] += 1;
        }
        match actor {
            _ if self.steps.len() > before => self.talk = [0; 2],
            Actor::Seat(seat) if waited || PlayerCommand::read(text).is_some() => self.talk[seat.index()] += 1,
            Actor::Seat(_) | Actor::Chance | Actor::Server => {}
        }
        self.keep(actor, &said, now, before);
        if let Some(allotment) = self.game.agreed_clocks().filter(|settled| allotted != Some(*settled)) {
            self.clocks.allot(allotment);
        }
        self.clocks.set_pending(&self.awaits(), now);
        if self.steps.len() > before || self.gone_on == [true; 2] {
            self.clocks.end_rest(now);
        }
        self.marks.truncate(self.steps.len().min(before));
        self.marks.resize(self.steps.len(), self.clocks.mark());
        Ok(RecordLine { actor, text: said, time: now })
    }

    /// Submits a player's action.
    fn choose(&mut self, seat: Seat, text: &str) -> Result<String, Refusal> {
        self.over()?;
        let asked = match self.turn() {
            Turn::One(asked) => asked == seat,
            Turn::Both => true,
            Turn::Chance | Turn::Over(_) => false,
        };
        let early = || Refusal::new(format!("it is not your turn: seat {} is to act", !seat));
        let action = self.read(seat, text, asked).map_err(|refusal| {
            match !asked && (text.is_empty() || is_algebraic(text)) {
                true => early(),
                false => refusal,
            }
        })?;
        if !asked {
            return Err(early());
        }
        let check = |action: &AnyAction| self.game.check(Actor::Seat(seat), action);
        let action = match check(&action) {
            Ok(()) => action,
            // The text of an illegal action can also be a legal move in the variant's notation.
            Err(refusal) => match self.game.find(text).filter(|found| check(found).is_ok()) {
                Some(found) => found,
                // Offsets refer to the canonical text, so they are dropped if the player wrote the action differently.
                None => return Err(Refusal { at: refusal.at.filter(|_| action.to_string() == text), ..refusal }),
            },
        };
        let said = action.to_string();
        if self.turn() == Turn::Both {
            self.pending[seat.index()] = Some(action);
            self.gone_on[seat.index()] = true;
            if let [Some(one), Some(two)] = &self.pending {
                self.push(Step::Both([one.clone(), two.clone()]));
            }
        } else {
            self.push(Step::One(seat, action));
        }
        Ok(said)
    }

    fn act_for_chance(&mut self, text: &str) -> Result<String, Refusal> {
        if self.turn() != Turn::Chance {
            return Err(Refusal::new("it is not chance's turn"));
        }
        let action = self.game.parse(text)?;
        self.game.check(Actor::Chance, &action)?;
        let said = action.to_string();
        self.push(Step::Chance(action));
        Ok(said)
    }

    /// Parses an action's own text, a move in the variant's notation, or the label of a listed choice.
    pub(super) fn read(&self, seat: Seat, text: &str, asked: bool) -> Result<AnyAction, Refusal> {
        self.game.parse(text).or_else(|refusal: Refusal| {
            if !asked {
                return Err(refusal);
            }
            if let Some(action) = self.game.find(text) {
                return Ok(action);
            }
            let view = self.view(Some(seat));
            match view.diagram().choices.iter().flatten().find(|choice| choice.label == text) {
                Some(choice) => self.game.parse(&choice.action),
                None => Err(self.explain_refusal(seat, text, refusal)),
            }
        })
    }

    /// The refusal of a pending seat's text that is no action. If the game is not waiting for a move and the text does not begin
    /// with a known first word, it lists the possible actions.
    fn explain_refusal(&self, seat: Seat, text: &str, refusal: Refusal) -> Refusal {
        let phase = self.game.phase();
        let word = |text: &str| text.split(' ').next().map(str::to_owned);
        let mut phrases = self.game.action_forms().iter();
        let moves = |phrase: &ActionForm| phrase.phases.contains(&phase.name()) && phrase.text.starts_with('{');
        if text.is_empty() {
            return Refusal::at(0, format!("the action is empty: write one, such as {}", self.examples(seat)));
        }
        let notation = matches!(phase, GamePhase::Move | GamePhase::Turn | GamePhase::Guess);
        if notation && is_algebraic(text) && phrases.clone().any(moves) {
            let why = format!("“{text}” is not a legal move here, or is ambiguous");
            return Refusal::at(0, format!("{why}: {}, or in algebraic notation", refusal.why));
        }
        if phrases.any(|phrase| moves(phrase) || word(phrase.text) == word(text)) {
            return refusal;
        }
        let mut said: Vec<String> = self.game.listed_forms(seat);
        said.extend(self.view(Some(seat)).diagram().choices.iter().flatten().map(|choice| choice.action.clone()));
        said.retain(|text| text.len() <= SHORT);
        Refusal::at(0, format!("“{text:.SHORT$}” is not possible now: use {}", said.join(", or ")))
    }

    /// One or two legal actions of a pending seat.
    fn examples(&self, seat: Seat) -> String {
        let view = self.view(Some(seat));
        let choices = view.diagram().choices.iter().flatten().map(|choice| choice.action.clone());
        let forms = self.game.listed_forms(seat).into_iter().map(|form| example(&form));
        let check = |text: &str| self.game.check(Actor::Seat(seat), &self.game.parse(text)?);
        let mut legal = choices.chain(forms).filter(|text| check(text).is_ok());
        let first = legal.next();
        first.into_iter().chain(legal.find(|text| text.len() <= SHORT)).collect::<Vec<_>>().join(" or ")
    }

    /// Applies a step and clears sealed choices and offers.
    pub(super) fn push(&mut self, step: Step<AnyAction>) {
        if !self.game.allows_takeback_here() {
            self.takeback_floor = self.steps.len() + 1;
        }
        self.game.apply(step.clone());
        self.steps.push(step);
        if self.steps.len().is_multiple_of(STRIDE) {
            self.kept.push(Arc::from(self.game.clone()));
        }
        self.pending = [None, None];
        self.gone_on = [false; 2];
        self.clear_offers();
        if self.steps.len() >= LONGEST && self.outcome().is_none() {
            self.stopped = Some(Outcome::Draw(TOO_LONG));
        }
    }

    /// The game after `ply` steps, or `None` if it has not reached them.
    pub(super) fn earlier(&self, ply: usize) -> Option<Self> {
        (ply <= self.steps.len()).then(|| {
            let past = ply < self.steps.len();
            let mut state = self.replayed(ply);
            if self.outcome().is_some() {
                state.reveal_all();
            }
            Live {
                game: state,
                steps: self.steps[..ply].to_vec(),
                pending: [None, None],
                offers: Offers::default(),
                past,
                stopped: self.stopped.filter(|_| !past),
                ..self.clone()
            }
        })
    }

    /// The state after `ply` steps.
    pub(super) fn replayed(&self, ply: usize) -> Box<dyn AnyGame> {
        let before = ply / STRIDE;
        let mut state = match before.checked_sub(1) {
            Some(index) => self.kept[index].boxed(),
            None => self.start.clone(),
        };
        for step in &self.steps[before * STRIDE..ply] {
            state.apply(step.clone());
        }
        state
    }

    /// Calls `see` with the game after each of these numbers of steps, up to the current one. Replays the game only once.
    pub fn for_each_state(&self, plies: Range<usize>, see: &mut dyn FnMut(&Live)) {
        let Some(mut past) = self.earlier(plies.start) else { return };
        for ply in plies {
            see(&past);
            let Some(step) = self.steps.get(ply) else { return };
            past.game.apply(step.clone());
            past.steps.push(step.clone());
            past.view_cache = ViewCache::default();
            past.past = past.steps.len() < self.steps.len();
            past.stopped = self.stopped.filter(|_| !past.past);
        }
    }

    /// [`Self::endgame`] for every state from the start on.
    pub fn endgames(&self) -> Vec<Option<Endgame>> {
        let mut state = self.start.clone();
        let mut moments = vec![state.endgame()];
        for step in &self.steps {
            state.apply(step.clone());
            moments.push(state.endgame());
        }
        moments
    }
}
