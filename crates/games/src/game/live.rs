//! A game in progress of any variant. Adds to the rules what all variants share: simultaneous choices, clocks, offers, takebacks,
//! and views for players and spectators.

mod actions;
mod player_commands;
mod transcript;

use std::sync::{Arc, Mutex, PoisonError};

use num_rational::Ratio;
use rand::Rng;
use serde_json::{Map, Value, json};

use super::{
    ABSENCE_DAYS, BetterAction, ClockMark, Clocks, GameOffers, LabelledAction, MoveReview, Offers, PlayerCommand,
};
use crate::{
    bots::{self, BestAction, Bot, Iteration, judge},
    registry::{self, Variant},
    rules::{
        Diagram, End, Endgame, FullRules, GamePhase, Outcome, Refusal, RulesVersion, Seat, Step, Turn, Viewer,
        any_game::{AnyAction, AnyGame, GameView, TypedGame},
    },
};
use transcript::TranscriptLine;

/// A game in progress.
#[derive(Clone, Debug)]
pub struct Live {
    game: Box<dyn AnyGame>,
    /// The game at its start.
    start: Box<dyn AnyGame>,
    steps: Vec<Step<AnyAction>>,
    /// The state after every [`actions::STRIDE`] steps. Other earlier states are replayed from these.
    kept: Vec<Arc<dyn AnyGame>>,
    pending: [Option<AnyAction>; 2],
    talk: [usize; 2],
    resealed: [usize; 2],
    said: usize,
    offers: Offers,
    /// Number of draw offers and takeback requests so far.
    offer_count: u32,
    clocks: Clocks,
    /// Number of days without an action after which the opponent of a player without a clock can claim the game.
    absence_days: u32,
    /// Whether each seat has gone on to the next deal.
    gone_on: [bool; 2],
    /// The clocks after each step.
    marks: Vec<ClockMark>,
    stopped: Option<Outcome>,
    past: bool,
    /// Fewest steps that a takeback may leave. The states before were not returnable.
    takeback_floor: usize,
    /// Number of takebacks.
    retracted: usize,
    transcript: Vec<TranscriptLine>,
    view_cache: ViewCache,
}

impl Live {
    /// A game at its start.
    pub fn new<R: FullRules>(game: TypedGame<R>, clocks: Clocks) -> Self {
        Live::boxed(Box::new(game), clocks)
    }

    /// [`Self::new`] for a type-erased game.
    pub fn boxed(game: Box<dyn AnyGame>, clocks: Clocks) -> Self {
        Live {
            start: game.clone(),
            game,
            steps: Vec::new(),
            kept: Vec::new(),
            pending: [None, None],
            talk: [0; 2],
            resealed: [0; 2],
            said: 0,
            offers: Offers::default(),
            offer_count: 0,
            clocks,
            absence_days: ABSENCE_DAYS,
            gone_on: [false; 2],
            marks: Vec::new(),
            stopped: None,
            past: false,
            takeback_floor: 0,
            retracted: 0,
            transcript: Vec::new(),
            view_cache: ViewCache::default(),
        }
    }

    /// Replaces the inner game, for example by one with other labels.
    pub fn wrap(&mut self, other: impl FnOnce(Box<dyn AnyGame>) -> Box<dyn AnyGame>) {
        self.game = other(self.game.clone());
        self.view_cache = ViewCache::default();
    }

    fn over(&self) -> Result<(), Refusal> {
        match self.outcome() {
            Some(outcome) => Err(Refusal::new(format!("the game is over: {}", outcome.reason()))),
            None => Ok(()),
        }
    }

    /// Key of the variant.
    pub fn key(&self) -> &'static str {
        self.game.info().key
    }

    /// Name of the variant.
    pub fn title(&self) -> &'static str {
        self.game.info().title
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Turn {
        match self.stopped {
            Some(outcome) => Turn::Over(outcome),
            None => self.game.turn(),
        }
    }

    /// Kind of action that the game waits for.
    pub fn phase(&self) -> &'static str {
        match self.turn() {
            Turn::Over(_) => GamePhase::Over.name(),
            Turn::One(_) | Turn::Both | Turn::Chance => self.game.phase().name(),
        }
    }

    /// Kind of action that the game waits for from a seat.
    pub fn task(&self, seat: Seat) -> &'static str {
        match self.turn() {
            Turn::Over(_) => GamePhase::Over.name(),
            Turn::One(_) | Turn::Both | Turn::Chance => self.game.task(seat),
        }
    }

    /// Number of steps applied, including chance.
    pub fn ply(&self) -> usize {
        self.steps.len()
    }

    /// Seats that must act and have not chosen yet.
    pub fn awaits(&self) -> Vec<Seat> {
        if self.past {
            return Vec::new();
        }
        match self.turn() {
            Turn::One(seat) => vec![seat],
            Turn::Both => Seat::BOTH.into_iter().filter(|seat| self.pending[seat.index()].is_none()).collect(),
            Turn::Chance | Turn::Over(_) => Vec::new(),
        }
    }

    /// Whether a seat may act now. True even if it has already made a sealed choice, which it may replace.
    pub fn may_act(&self, seat: Seat) -> bool {
        !self.past
            && match self.turn() {
                Turn::One(asked) => asked == seat,
                Turn::Both => true,
                Turn::Chance | Turn::Over(_) => false,
            }
    }

    /// Whether a seat may use a command now.
    pub fn can(&self, seat: Seat, word: PlayerCommand) -> bool {
        !self.past && self.check_command(seat, word).is_ok()
    }

    /// Whether a seat may know something that the opponent may not. If `false`, all viewers see the same.
    pub fn hides(&self, seat: Seat) -> bool {
        let waits = self.turn() == Turn::Both && self.pending[(!seat).index()].is_some();
        waits || self.game.has_hidden_info()
    }

    /// Number of lines by a seat since the last step that made no step: offers, answers, and replacements of a sealed choice.
    pub fn extra_lines(&self, seat: Seat) -> usize {
        self.talk[seat.index()]
    }

    /// Number of times that a seat has replaced a sealed choice. Never shown to other viewers.
    pub fn replaced_choices(&self, seat: Seat) -> usize {
        self.resealed[seat.index()]
    }

    /// Number of lines so far.
    pub fn line_count(&self) -> usize {
        self.said
    }

    /// Number of days without an action after which the opponent of a player without a clock can claim the game.
    pub fn absence_days(&self) -> u32 {
        self.absence_days
    }

    /// Time of the last line, in milliseconds since the Unix epoch.
    pub fn last_line_time(&self) -> Option<i64> {
        self.transcript.last().map(|line| line.time)
    }

    /// A seat's own sealed choice.
    pub fn sealed(&self, seat: Seat) -> Option<String> {
        self.pending[seat.index()].as_ref().map(AnyAction::to_string)
    }

    /// Open offers.
    pub fn offers(&self) -> Offers {
        self.offers.clone()
    }

    /// The clocks.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// Whether the players still write the slips that set the stakes or the handicap.
    pub fn is_setting_terms(&self) -> bool {
        self.game.is_setting_terms()
    }

    /// Whether the clocks should rest now, because a deal of a match has just ended.
    pub fn may_rest(&self) -> bool {
        let runs = self.clocks.next_deadline().is_some() && self.clocks.rests_until().is_none();
        runs && self.outcome().is_none() && self.game.is_between_deals()
    }

    /// Milliseconds that a seat had left after a step, counted from 1. `None` without a clock.
    pub fn left(&self, step: usize, seat: Seat) -> Option<i64> {
        self.marks.get(step.checked_sub(1)?)?.left[seat.index()]
    }

    /// Outcome, once the game is over.
    pub fn outcome(&self) -> Option<Outcome> {
        match self.turn() {
            Turn::Over(outcome) => Some(outcome),
            Turn::One(_) | Turn::Both | Turn::Chance => None,
        }
    }

    /// Points of both seats.
    pub fn score(&self) -> [Ratio<i64>; 2] {
        match self.stopped {
            Some(outcome) => outcome.points(),
            None => self.game.score(),
        }
    }

    /// Draws the chance action, if chance must act.
    pub fn chance(&self, rng: &mut dyn Rng) -> Option<String> {
        (self.turn() == Turn::Chance).then(|| self.game.draw(rng).to_string())
    }

    /// Chooses a bot's action for a seat, if the seat is pending. `enough` returns true when the bot must stop thinking.
    pub fn advise(&self, seat: Seat, bot: Bot, rng: &mut dyn Rng, enough: &mut dyn FnMut() -> bool) -> Option<String> {
        if !self.awaits().contains(&seat) {
            return None;
        }
        let known = self.game.redeal(seat, rng);
        let claimable = self.game.check_end(seat, End::Claim).is_ok();
        if claimable && bots::claims(&*known, seat, bot, rng, enough) {
            return Some("claim".to_owned());
        }
        bots::choose(&*known, seat, bot, rng, enough).map(|action| action.to_string())
    }

    /// Searches for the best move of the seat to move, within a depth in plies and a number of nodes. `None` if no single seat is to move,
    /// or the game is not one of alternating moves without hidden information.
    pub fn search(
        &self,
        limits: (i32, u64),
        report: &mut dyn FnMut(Iteration),
        enough: &mut dyn FnMut() -> bool,
    ) -> Option<String> {
        self.outcome().is_none().then(|| bots::search(&*self.game, limits, report, enough)).flatten()
    }

    /// The game with everything redrawn that a seat cannot know (a determinization).
    pub fn redeal(&self, seat: Seat, rng: &mut dyn Rng) -> Box<Live> {
        let mut other = self.clone();
        other.view_cache = ViewCache::default();
        other.game = self.game.redeal(seat, rng);
        Box::new(other)
    }

    /// The endgame-table query for this state, if the tables cover it.
    pub fn endgame(&self) -> Option<Endgame> {
        self.game.endgame().filter(|_| self.outcome().is_none())
    }

    /// Reviews the state after `ply` steps of a finished game and the action that followed. `None` if the game is not over.
    pub fn review_after(&self, ply: usize) -> Option<MoveReview> {
        self.review_at(ply)
    }

    /// What a seat saw after `ply` steps of a finished game, with its choices. `None` if the game goes on, or had ended there.
    pub fn decision(&self, ply: usize, seat: Seat) -> Option<Diagram> {
        let decided = self.outcome().is_some() && ply < self.steps.len();
        decided.then(|| self.replayed(ply).view(Some(seat)).diagram().clone())
    }

    /// Seat that made the last step, if one seat alone did.
    pub fn last_actor(&self) -> Option<Seat> {
        match self.steps.last() {
            Some(Step::One(seat, _)) => Some(*seat),
            Some(Step::Both(_) | Step::Chance(_) | Step::End(..)) | None => None,
        }
    }

    /// Whether a takeback may return to this state.
    pub fn returnable(&self) -> bool {
        self.game.allows_takeback_here()
    }

    /// A boxed copy.
    pub fn copy(&self) -> Box<Live> {
        Box::new(self.clone())
    }

    /// The game after `ply` steps, or `None` if it has not reached them. No seat is pending in an earlier state.
    pub fn past(&self, ply: usize) -> Option<Box<Live>> {
        self.earlier(ply).map(Box::new)
    }

    /// Number of takebacks.
    pub fn retracted(&self) -> usize {
        self.retracted
    }

    /// Version of the rules that the game is played under.
    pub fn version(&self) -> RulesVersion {
        self.game.version()
    }

    /// Options record.
    pub fn options(&self) -> Map<String, Value> {
        self.game.options()
    }

    /// Default options record of the variant.
    pub fn usual(&self) -> Map<String, Value> {
        registry::find(self.key()).map(Variant::defaults).unwrap_or_default()
    }

    /// A viewer's view of the current state.
    fn view(&self, viewer: Viewer) -> Arc<GameView> {
        self.view_cache.by(viewer, || self.game.view(viewer))
    }

    /// A viewer's diagram of the current state.
    pub fn diagram(&self, viewer: Viewer) -> Diagram {
        let mut diagram = self.view(viewer).diagram().clone();
        if self.past || self.stopped.is_some() {
            diagram.choices = None;
        }
        diagram
    }

    /// A viewer's view of the game, as JSON for client programs.
    pub fn json(&self, viewer: Viewer) -> serde_json::Value {
        let view = self.view(viewer);
        let score = self.score();
        let clock = |seat| self.clocks.view(seat);
        let clocks = Seat::BOTH
            .into_iter()
            .any(|seat| clock(seat).is_some())
            .then(|| json!({"one": clock(Seat::One), "two": clock(Seat::Two)}));
        let outcome = self.outcome().map(|outcome| json!({"winner": outcome.winner(), "reason": outcome.reason()}));
        let mut json = json!({
            "variant": self.key(),
            "options": self.game.options(),
            "ply": self.ply(),
            "turn": {"awaits": self.awaits(), "phase": self.phase()},
            "clocks": clocks,
            "offers": GameOffers::from(self.offers()),
            "outcome": outcome,
            "score": {"one": score[0].to_string(), "two": score[1].to_string()},
            "view": view.view.json(),
        });
        if let Some(seat) = viewer.filter(|seat| self.may_act(*seat)) {
            let choices = view.diagram().choices.iter().flatten().map(|choice| choice.action.clone());
            json["actions"] = choices.chain(self.game.listed_forms(seat)).collect();
        }
        if let Some(sealed) = viewer.and_then(|seat| self.sealed(seat)) {
            json["sealed"] = sealed.into();
        }
        json
    }

    /// A viewer's view in the variant's own type. A pending seat may pass a draft.
    pub fn shown(&self, viewer: Viewer, draft: Option<&str>) -> Arc<GameView> {
        let draft = viewer.zip(draft).filter(|(seat, _)| self.may_act(*seat));
        match draft.and_then(|(seat, text)| self.game.draft(seat, text)) {
            Some(view) => Arc::new(view),
            None => self.view(viewer),
        }
    }

    /// Diagram for a pending seat that builds an action from parts: the board after `text`, with the possible next parts as
    /// choices. `None` if actions are entered in one piece.
    pub fn draft(&self, seat: Seat, text: &str) -> Option<Diagram> {
        let view = self.may_act(seat).then(|| self.game.draft(seat, text)).flatten();
        view.map(|view| view.diagram().clone())
    }

    /// Reviews the state after `ply` steps and the action that followed.
    fn review_at(&self, ply: usize) -> Option<MoveReview> {
        let outcome = self.outcome()?;
        if ply == self.steps.len() {
            let of = |winner: Seat| if winner == Seat::One { 1.0 } else { 0.0 };
            return Some(MoveReview::of(match outcome {
                Outcome::Win(winner, _) => Some(of(winner)),
                Outcome::Draw(_) => Some(0.5),
                Outcome::Void(_) => None,
            }));
        }
        let step = self.steps.get(ply)?;
        let said = match step {
            Step::One(Seat::One, action) => [Some(action), None],
            Step::One(Seat::Two, action) => [None, Some(action)],
            Step::Both([one, two]) => [Some(one), Some(two)],
            Step::Chance(_) | Step::End(..) => [None, None],
        };
        let mut state = self.replayed(ply);
        state.reveal_all();
        let judgement = judge(&*state, said);
        let told = |seat: Seat, action: &AnyAction| {
            let action = action.to_string();
            let view = state.view(Some(seat));
            let listed = view.diagram().choices.iter().flatten().find(|choice| choice.action == action);
            let label = listed.map_or_else(|| action.clone(), |choice| choice.label.clone());
            LabelledAction { action, label }
        };
        let [one, two] = judgement.better;
        let remark = |seat: Seat, better: Option<BestAction>| {
            better.map(|better| BetterAction { labelled: told(seat, &better.action), lost: better.lost })
        };
        Some(MoveReview {
            chance: judgement.chance,
            played: Seat::BOTH.map(|seat| said[seat.index()].map(|action| told(seat, action))),
            better: [remark(Seat::One, one), remark(Seat::Two, two)],
        })
    }
}

/// Cache of the last view, as one page request needs the same view several times. Cleared by every change of the state.
#[derive(Debug)]
struct ViewCache(Mutex<Option<(Viewer, Arc<GameView>)>>);

impl Default for ViewCache {
    fn default() -> Self {
        ViewCache(Mutex::new(None))
    }
}

/// Starts empty, as copies are made to be changed.
impl Clone for ViewCache {
    fn clone(&self) -> Self {
        ViewCache::default()
    }
}

impl ViewCache {
    /// The viewer's view, from the cache or from `make`.
    fn by(&self, viewer: Viewer, make: impl FnOnce() -> GameView) -> Arc<GameView> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, view)) = last.filter(|(whose, _)| *whose == viewer) {
            return view;
        }
        let view = Arc::new(make());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((viewer, view.clone()));
        view
    }
}
