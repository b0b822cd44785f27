//! Positions of puzzles: endgames, or positions from games between two simple players that are determined by a seed.

use rand::{rngs::StdRng, seq::IndexedRandom};

use crate::{
    board::Board,
    richman::Question,
    rules::{Actor, BotSupport, Diagram, Input, Rules, RulesVersion, Seat, Step, Turn},
    variants::{clairvoyant, csipgs},
};

/// Both stacks, and a bid that needs an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AuctionState {
    /// White's chips and Black's.
    pub chips: [i64; 2],
    /// The bid of the opponent.
    pub bid: Option<i64>,
}

/// The position of a puzzle.
#[derive(Clone, Debug)]
pub enum Scene {
    /// Positions for the endgame tables, and the chips if there are any. More than one position if the player must choose among
    /// them.
    Endgames(Vec<Question>, Option<AuctionState>),
    /// A Clairvoyant Chess position in which turn and guesses are due.
    Clairvoyant(Box<clairvoyant::State>),
    /// A csipgs position in which an action is due.
    Csipgs(Box<csipgs::State>),
}

impl Scene {
    /// The endgame positions.
    pub fn questions(&self) -> &[Question] {
        match self {
            Scene::Endgames(questions, _) => questions,
            Scene::Clairvoyant(_) | Scene::Csipgs(_) => &[],
        }
    }

    /// The chips, if there are any.
    pub fn staked(&self) -> Option<AuctionState> {
        match self {
            Scene::Endgames(_, staked) => *staked,
            Scene::Clairvoyant(_) | Scene::Csipgs(_) => None,
        }
    }

    /// White's and Black's money, if it matters.
    pub fn zorkmids(&self) -> Option<[i64; 2]> {
        match self {
            Scene::Clairvoyant(state) => Some(state.purses),
            Scene::Endgames(..) | Scene::Csipgs(_) => None,
        }
    }

    /// The positions as FEN. Endgames have only the placement field, as no side is to move.
    pub fn fens(&self) -> Vec<String> {
        match self {
            Scene::Endgames(questions, _) => questions.iter().map(Question::fen).collect(),
            Scene::Clairvoyant(state) => vec![Board::orthodox().fen(&state.position)],
            Scene::Csipgs(state) => vec![state.fen()],
        }
    }

    /// The spectators' view of a game position.
    pub fn seen(&self) -> Option<Diagram> {
        match self {
            Scene::Endgames(..) => None,
            Scene::Clairvoyant(state) => Some(clairvoyant::Clairvoyant::default().view(state, None).as_ref().clone()),
            Scene::Csipgs(state) => Some(csipgs::Csipgs::default().view(state, None).as_ref().clone()),
        }
    }

    /// The board after the entered parts of a turn, with the possible next parts.
    pub fn drafted(&self, turn: &str) -> Option<Diagram> {
        match self {
            Scene::Clairvoyant(state) => {
                let view = clairvoyant::Clairvoyant::default().draft(state, state.mover(), turn)?;
                Some(view.as_ref().clone())
            }
            Scene::Endgames(..) | Scene::Csipgs(_) => None,
        }
    }

    /// The designed pieces on the board.
    pub fn legend(&self) -> Vec<LetteredPiece> {
        let Scene::Csipgs(state) = self else { return Vec::new() };
        let view = csipgs::Csipgs::default().view(state, None);
        let stands = |betza: &String| view.as_ref().pieces.iter().any(|unit| unit.betza == *betza);
        let known = view.legend.iter().filter(|entry| stands(&entry.betza));
        let told = known.map(|entry| LetteredPiece {
            letter: entry.letter.clone().unwrap_or_default(),
            name: entry.name.clone(),
            betza: entry.betza.clone(),
            words: entry.words.clone(),
        });
        told.collect()
    }
}

/// A designed piece on a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LetteredPiece {
    /// Its letter in the FEN, as for White's pieces.
    pub letter: String,
    /// Its name.
    pub name: String,
    /// Its text in Betza notation.
    pub betza: String,
    /// Description of its moves.
    pub words: String,
}

/// Number of random candidates from which a player chooses the best.
const TRIED: usize = 3;

/// Plays a game of at most `steps` steps. Returns the first result that `look` finds.
pub(super) fn find_in_game<R: BotSupport, T>(
    rules: &R,
    steps: usize,
    rng: &mut StdRng,
    mut look: impl FnMut(&R::State) -> Option<T>,
) -> Option<T> {
    let terms = rules.terms(RulesVersion::CURRENT).ok()?;
    let mut state = rules.start(&terms);
    for _ in 0..steps {
        let step = step(rules, &state, rng)?;
        rules.apply(&mut state, step);
        if let Some(found) = look(&state) {
            return Some(found);
        }
    }
    None
}

/// The next step; `None` if the game is over.
fn step<R: BotSupport>(rules: &R, state: &R::State, rng: &mut StdRng) -> Option<Step<R::Action>> {
    match rules.turn(state) {
        Turn::Over(_) => None,
        Turn::Chance => Some(Step::Chance(rules.draw(state, rng))),
        Turn::One(seat) => {
            let tried = candidates(rules, state, seat, rng);
            let stands = |action: &R::Action| standing(rules, state, seat, Step::One(seat, action.clone()));
            Some(Step::One(seat, tried.into_iter().max_by_key(stands)?))
        }
        Turn::Both => {
            let [one, two] = Seat::BOTH.map(|seat| candidates(rules, state, seat, rng));
            let (first, second) = (one.first()?.clone(), two.first()?.clone());
            let stands = |seat, both: [&R::Action; 2]| standing(rules, state, seat, Step::Both(both.map(Clone::clone)));
            let one = one.into_iter().max_by_key(|action| stands(Seat::One, [action, &second]))?;
            let two = two.into_iter().max_by_key(|action| stands(Seat::Two, [&first, action]))?;
            Some(Step::Both([one, two]))
        }
    }
}

/// A few random legal actions of a seat.
fn candidates<R: BotSupport>(rules: &R, state: &R::State, seat: Seat, rng: &mut StdRng) -> Vec<R::Action> {
    let mut all = rules.candidates(state, seat, rng);
    all.retain(|action| rules.check(state, Actor::Seat(seat), action).is_ok());
    all.sample(rng, TRIED).cloned().collect()
}

/// The seat's lead after a step.
fn standing<R: BotSupport>(rules: &R, state: &R::State, seat: Seat, step: Step<R::Action>) -> i64 {
    let mut after = state.clone();
    rules.apply(&mut after, step);
    let stand = rules.rough_material(&after);
    stand[seat.index()] - stand[(!seat).index()]
}
