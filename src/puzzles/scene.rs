//! What a puzzle is about: endgames, or a moment of a game.

use crate::{
    board::Board,
    richman::Question,
    rules::{Rules, clairvoyant, csipgs},
};

/// The two stacks, and a bid that waits for an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Staked {
    /// White's chips and Black's.
    pub chips: [i64; 2],
    /// The bid of the side that is not asked.
    pub bid: Option<i64>,
}

/// What a puzzle is about.
#[derive(Clone, Debug)]
pub enum Scene {
    /// Endgames that the tables know: one, or several among which one is to be found; and the chips, if there are any.
    Endgames(Vec<Question>, Option<Staked>),
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
    pub fn staked(&self) -> Option<Staked> {
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

    /// The pieces on a board of csipgs chess.
    pub fn legend(&self) -> Vec<csipgs::LegendEntry> {
        match self {
            Scene::Csipgs(state) => {
                let view = csipgs::Csipgs::default().view(state, None);
                let units = view.as_ref().pieces.clone();
                let stands = |entry: &csipgs::LegendEntry| units.iter().any(|unit| unit.betza == entry.betza);
                view.legend.into_iter().filter(stands).collect()
            }
            Scene::Endgames(..) | Scene::Clairvoyant(_) => Vec::new(),
        }
    }
}
