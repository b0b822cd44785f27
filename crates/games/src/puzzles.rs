//! Puzzles: about endgames at auction, posed and graded by the exact tables, and about moments of games, in which everything is tried. A
//! puzzle follows from its kind and a number alone, and has exactly one solution.

mod chip_puzzles;
mod clairvoyant_puzzles;
mod design_puzzles;
mod endgame_puzzles;
mod kind;
mod puzzle_position;

pub use kind::{AnswerForm, PuzzleKind};
pub use puzzle_position::{AuctionState, LetteredPiece, Scene};

use rand::{SeedableRng, rngs::StdRng};

use crate::{
    board::{Color, Square},
    richman::Table,
    rules::{Refusal, Side},
};

/// The chips of both sides together in every puzzle that has chips.
pub const TOTAL: i64 = 100;

/// One of the answers that a puzzle offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnswerChoice {
    /// The answer: a move in UCI, `accept`, `n`, or the number of a board.
    pub text: String,
    /// The same in words.
    pub words: String,
}

/// A line of the explanation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// What could be done.
    pub what: String,
    /// What comes of it.
    pub then: String,
    /// Whether it is the solution.
    pub right: bool,
}

/// A puzzle with its solution, which nobody is told who has not answered.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// What is asked.
    pub kind: PuzzleKind,
    /// Which one of its kind.
    pub number: u32,
    /// What it is about.
    pub scene: Scene,
    /// The side that is asked.
    pub side: Color,
    /// The answers to choose from; none where an answer is written.
    pub offered: Vec<AnswerChoice>,
    /// The one right answer.
    pub solution: String,
    /// Why it is right.
    pub reasons: Vec<Reason>,
}

/// A puzzle without its kind and number.
struct PuzzleContent {
    scene: Scene,
    side: Color,
    offered: Vec<AnswerChoice>,
    solution: String,
    reasons: Vec<Reason>,
}

impl Puzzle {
    /// The puzzle of a kind and a number. Draws positions until one has exactly one solution: some milliseconds, some
    /// tens where a game is played, and some hundreds when nobody has asked about chips before. The table is that of the ordinary board.
    pub fn deal(kind: PuzzleKind, number: u32, table: &Table) -> Puzzle {
        let mut rng = StdRng::seed_from_u64(u64::from(number) << 8 | kind as u64);
        let drawn = || match kind {
            PuzzleKind::LeastBid => chip_puzzles::least_bid(table, &mut rng),
            PuzzleKind::Answer => chip_puzzles::answer(table, &mut rng),
            PuzzleKind::PaidMove => chip_puzzles::paid_move(table, &mut rng),
            PuzzleKind::CoinMove => endgame_puzzles::best_move(table, &mut rng),
            PuzzleKind::Promotion => endgame_puzzles::promotion(table, &mut rng, number.is_multiple_of(2)),
            PuzzleKind::Zugzwang => endgame_puzzles::zugzwang(table, &mut rng),
            PuzzleKind::Mate => clairvoyant_puzzles::find_mate(&mut rng),
            PuzzleKind::Guess => clairvoyant_puzzles::find_guess(&mut rng, number.is_multiple_of(2)),
            PuzzleKind::Design => design_puzzles::find(&mut rng),
        };
        let dealt = std::iter::repeat_with(drawn).flatten().next();
        let PuzzleContent { scene, side, offered, solution, reasons } = dealt.expect("it is drawn until one is found");
        Puzzle { kind, number, scene, side, offered, solution, reasons }
    }

    /// What is to be found, in one or two sentences.
    pub fn task(&self) -> String {
        let (side, other) = (word(self.side), word(!self.side));
        match (self.kind, &self.scene) {
            (PuzzleKind::Mate, Scene::Clairvoyant(state)) => clairvoyant_puzzles::mate_task(state, self.side),
            (PuzzleKind::Mate, _) => String::new(),
            (PuzzleKind::LeastBid, _) => {
                format!("{side} names a bid for the next move. Which is the least one that surely wins?")
            }
            (PuzzleKind::Answer, scene) => {
                let bid = scene.staked().and_then(|staked| staked.bid).unwrap_or_default();
                format!("{other} bids {bid}. Does {side} accept, and take the {bid}, or reject, pay {bid} and move?")
            }
            (PuzzleKind::PaidMove, _) => {
                format!("{side} has paid for the move, and bids next. Only one move still wins. Which?")
            }
            (PuzzleKind::CoinMove, _) => {
                format!("A coin decides who moves, and it fell for {side}. Which move is best?")
            }
            (PuzzleKind::Promotion, _) => {
                format!("A coin decides who moves, and it fell for {side}. What should the pawn become?")
            }
            (PuzzleKind::Zugzwang, _) => "On one of these boards neither side wants to move. On which?".to_owned(),
            (PuzzleKind::Guess, _) => clairvoyant_puzzles::guess_task(self.side),
            (PuzzleKind::Design, _) => design_puzzles::task(self.side),
        }
    }

    /// An answer as people write it: a move in SAN, a piece by its name.
    pub fn said<'a>(&'a self, text: &'a str) -> &'a str {
        self.offered.iter().find(|offered| offered.text == text).map_or(text, |offered| &offered.words)
    }

    /// Tells whether an answer is right. What is no answer is refused.
    pub fn grade(&self, answer: &str) -> Result<bool, Refusal> {
        let answer = answer.trim();
        match &self.scene {
            Scene::Clairvoyant(state) if self.kind.form() == AnswerForm::Turn => {
                Ok(clairvoyant_puzzles::read(state, answer)?.to_string() == self.solution)
            }
            Scene::Csipgs(state) => design_puzzles::grade(state, &self.solution, answer),
            Scene::Endgames(..) | Scene::Clairvoyant(_) if self.offered.is_empty() => {
                let bid: i64 = answer
                    .parse()
                    .map_err(|_| Refusal::new("A bid is a whole number of chips: write digits alone, as in 12."))?;
                Ok(bid.to_string() == self.solution)
            }
            Scene::Endgames(..) | Scene::Clairvoyant(_) => {
                let answer = answer.to_ascii_lowercase();
                if self.offered.iter().all(|offered| offered.text != answer) {
                    let known: Vec<&str> = self.offered.iter().map(|offered| offered.text.as_str()).collect();
                    return Err(Refusal::new(format!("That is none of the answers; they are {}.", known.join(", "))));
                }
                Ok(answer == self.solution)
            }
        }
    }

    /// What of the solution has a place on the board: where a unit begins and ends, or twice the square that matters.
    pub fn shown(&self) -> Vec<(Square, Square)> {
        match (&self.scene, self.kind.form()) {
            (Scene::Clairvoyant(_), AnswerForm::Turn) => clairvoyant_puzzles::shown(&self.solution),
            (Scene::Csipgs(state), _) => design_puzzles::shown(state, &self.solution),
            (Scene::Clairvoyant(_) | Scene::Endgames(..), _) => squares(&self.solution).into_iter().collect(),
        }
    }

    /// What comes of an answer that was written, for whoever wrote it.
    pub fn fate(&self, answer: &str) -> Option<String> {
        match &self.scene {
            Scene::Clairvoyant(state) if self.kind.form() == AnswerForm::Turn => {
                let turn = clairvoyant_puzzles::read(state, answer.trim()).ok()?;
                Some(format!("{turn} {}.", clairvoyant_puzzles::fate(state, &turn)))
            }
            Scene::Csipgs(state) => design_puzzles::fate(state, answer.trim()),
            Scene::Clairvoyant(_) | Scene::Endgames(..) => None,
        }
    }
}

/// The squares of a move in UCI, or twice the square of a unit.
pub fn squares(text: &str) -> Option<(Square, Square)> {
    let from = text.get(..2)?.parse().ok()?;
    Some((from, if text.len() == 2 { from } else { text.get(2..4)?.parse().ok()? }))
}

/// A side, as sentences begin with it.
fn word(side: Color) -> &'static str {
    Side::from(side).words()
}
