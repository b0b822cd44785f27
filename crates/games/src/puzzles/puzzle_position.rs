//! The position of a puzzle: endgames, or a moment of a game between two players that look one step ahead and follow from a number.

use rand::{rngs::StdRng, seq::IndexedRandom};

use crate::{
    board::Board,
    richman::Question,
    rules::{Actor, BotSupport, Diagram, Input, Rules, RulesVersion, Seat, Step, Turn},
    variants::{clairvoyant, csipgs},
};

/// The two stacks, and a bid that waits for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AuctionState {
    /// White's chips and Black's.
    pub chips: [i64; 2],
    /// The bid of the side that is not asked.
    pub bid: Option<i64>,
}

/// What a puzzle is about.
#[derive(Clone, Debug)]
pub enum Scene {
    /// Endgames that the tables know: one, or several among which one is to be found; and the chips, if there are any.
    Endgames(Vec<Question>, Option<AuctionState>),
    /// A moment of Clairvoyant Chess in which a turn and a sheet are asked for.
    Clairvoyant(Box<clairvoyant::State>),
    /// A moment of csipgs chess in which an action is asked for.
    Csipgs(Box<csipgs::State>),
}

impl Scene {
    /// The endgames.
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

    /// The zorkmids of White and of Black, where they count.
    pub fn zorkmids(&self) -> Option<[i64; 2]> {
        match self {
            Scene::Clairvoyant(state) => Some(state.purses),
            Scene::Endgames(..) | Scene::Csipgs(_) => None,
        }
    }

    /// The boards as FEN; of endgames the placement alone, because nobody is to move.
    pub fn fens(&self) -> Vec<String> {
        match self {
            Scene::Endgames(questions, _) => questions.iter().map(Question::fen).collect(),
            Scene::Clairvoyant(state) => vec![Board::orthodox().fen(&state.position)],
            Scene::Csipgs(state) => vec![state.fen()],
        }
    }

    /// The board of a game, as anybody sees it.
    pub fn seen(&self) -> Option<Diagram> {
        match self {
            Scene::Endgames(..) => None,
            Scene::Clairvoyant(state) => Some(clairvoyant::Clairvoyant::default().view(state, None).as_ref().clone()),
            Scene::Csipgs(state) => Some(csipgs::Csipgs::default().view(state, None).as_ref().clone()),
        }
    }

    /// The board after as much as there is of a turn of several parts, with what may follow.
    pub fn drafted(&self, turn: &str) -> Option<Diagram> {
        match self {
            Scene::Clairvoyant(state) => {
                let view = clairvoyant::Clairvoyant::default().draft(state, state.mover(), turn)?;
                Some(view.as_ref().clone())
            }
            Scene::Endgames(..) | Scene::Csipgs(_) => None,
        }
    }

    /// The pieces on a board on which they were designed.
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
    /// Its letter in the FEN, as White's pieces are written.
    pub letter: String,
    /// Its name.
    pub name: String,
    /// Its text in Betza notation.
    pub betza: String,
    /// Its description in words.
    pub words: String,
}

/// Of so many candidates a player says the one after which it stands best.
const TRIED: usize = 3;

/// Plays a game of at most so many steps, and gives the first thing that is found on the way.
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

/// The next step; none if the game is over.
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

/// A few things that a seat may say, drawn by chance.
fn candidates<R: BotSupport>(rules: &R, state: &R::State, seat: Seat, rng: &mut StdRng) -> Vec<R::Action> {
    let mut all = rules.candidates(state, seat, rng);
    all.retain(|action| rules.check(state, Actor::Seat(seat), action).is_ok());
    all.sample(rng, TRIED).cloned().collect()
}

/// A seat's lead after a step.
fn standing<R: BotSupport>(rules: &R, state: &R::State, seat: Seat, step: Step<R::Action>) -> i64 {
    let mut after = state.clone();
    rules.apply(&mut after, step);
    let stand = rules.standing(&after);
    stand[seat.index()] - stand[(!seat).index()]
}
