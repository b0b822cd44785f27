//! Puzzles with exactly one solution, determined by their kind and number. Endgame puzzles at auction are created and graded with
//! exact tables; other puzzles come from game positions, with all possibilities tried.

mod chip_puzzles;
mod clairvoyant_puzzles;
mod design_puzzles;
mod endgame_puzzles;
mod kind;
mod puzzle_position;
mod theme;

pub use kind::{AnswerForm, PuzzleKind};
pub use puzzle_position::{AuctionState, LetteredPiece, Scene};
pub use theme::{Difficulty, PuzzleTheme};

use rand::{SeedableRng, rngs::StdRng};

use crate::{
    board::{Color, Square},
    richman::Table,
    rules::{Refusal, Side},
};

/// Chips of both sides together, in puzzles with chips.
pub const TOTAL: i64 = 100;

/// Most tries before the solution is shown.
const TRIES: usize = 3;

/// One of the answers that a puzzle offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnswerChoice {
    /// The answer: a move in UCI, `accept`, `n`, or the number of a board.
    pub text: String,
    /// The answer in words.
    pub words: String,
}

/// A line of the explanation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason {
    /// A possible answer.
    pub what: String,
    /// Its consequence.
    pub then: String,
    /// Whether it is the solution.
    pub right: bool,
}

/// A puzzle with its solution, which players may see only after they answer.
#[derive(Clone, Debug)]
pub struct Puzzle {
    /// Kind of the puzzle.
    pub kind: PuzzleKind,
    /// Number within its kind.
    pub number: u32,
    /// Position of the puzzle.
    pub scene: Scene,
    /// Side to play.
    pub side: Color,
    /// Answers to choose from; empty if the answer is typed.
    pub offered: Vec<AnswerChoice>,
    /// The only correct answer.
    pub solution: String,
    /// Explanation of the solution.
    pub reasons: Vec<Reason>,
    /// Difficulty of the position.
    pub difficulty: Difficulty,
}

/// A puzzle without its kind and number.
struct PuzzleContent {
    scene: Scene,
    side: Color,
    offered: Vec<AnswerChoice>,
    solution: String,
    reasons: Vec<Reason>,
    difficulty: Difficulty,
}

impl Puzzle {
    /// Creates the puzzle of a kind and number. Draws positions until one has exactly one solution. That takes some milliseconds,
    /// some tens for positions from games, and some hundreds for the first puzzle with chips. `table` is the table of the
    /// orthodox board.
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
        let PuzzleContent { scene, side, offered, solution, reasons, difficulty } =
            dealt.expect("the iterator is endless");
        Puzzle { kind, number, scene, side, offered, solution, reasons, difficulty }
    }

    /// The task, in one to three sentences.
    pub fn task(&self) -> String {
        let (side, other) = (word(self.side), word(!self.side));
        match (self.kind, &self.scene) {
            (PuzzleKind::Mate, Scene::Clairvoyant(state)) => clairvoyant_puzzles::mate_task(state, self.side),
            (PuzzleKind::Mate, _) => String::new(),
            (PuzzleKind::LeastBid, _) => {
                format!("{side} bids for the next move. What is the lowest bid that is certain to win?")
            }
            (PuzzleKind::Answer, scene) => {
                let bid = scene.staked().and_then(|staked| staked.bid).unwrap_or_default();
                format!("{other} bids {bid}. Should {side} accept and take {bid}, or reject, pay {bid} and move?")
            }
            (PuzzleKind::PaidMove, _) => {
                let theirs = chips(TOTAL - self.own_chips());
                format!(
                    "{side} has paid for this move and bids next. {other} has {theirs}. Which is the only move that still wins?"
                )
            }
            (PuzzleKind::CoinMove, _) => {
                format!("A coin decides who moves, and {side} won the toss. Which move is best?")
            }
            (PuzzleKind::Promotion, _) => {
                format!("A coin decides who moves, and {side} won the toss. What should the pawn promote to?")
            }
            (PuzzleKind::Zugzwang, _) => "On which of these boards does neither side want to move?".to_owned(),
            (PuzzleKind::Guess, _) => clairvoyant_puzzles::guess_task(self.side),
            (PuzzleKind::Design, _) => design_puzzles::task(self.side),
        }
    }

    /// Number of wrong answers after which the solution is shown.
    pub fn most_tries(&self) -> usize {
        most_tries(&self.offered)
    }

    /// A hint that narrows the answer down, as a sentence. `None` for a choice between two answers.
    pub fn hint(&self) -> Option<String> {
        let start = |text: &str| squares(text).map(|(from, _)| from);
        let ruled_out = || {
            let wrong: Vec<_> = self.offered.iter().filter(|offered| offered.text != self.solution).collect();
            let one = wrong.get(self.number as usize % wrong.len().max(1)).filter(|_| wrong.len() > 1);
            one.map(|wrong| format!("Not the answer: {}.", wrong.words))
        };
        match self.kind {
            PuzzleKind::LeastBid => {
                let tens = self.solution.parse::<i64>().ok()?.div_euclid(10) * 10;
                Some(format!("The bid is from {tens} to {}.", tens + 9))
            }
            PuzzleKind::Answer => None,
            PuzzleKind::PaidMove | PuzzleKind::CoinMove | PuzzleKind::Guess => {
                let piece = start(&self.solution);
                let only = self.offered.iter().all(|offered| start(&offered.text) == piece);
                piece.filter(|_| !only).map(|square| format!("Look at the piece on {square}.")).or_else(ruled_out)
            }
            PuzzleKind::Promotion | PuzzleKind::Zugzwang => ruled_out(),
            PuzzleKind::Mate => {
                self.said(&self.solution).split(' ').next().map(|first| format!("The turn begins with {first}."))
            }
            PuzzleKind::Design => self.shown().first().map(|(square, _)| format!("The piece mates on {square}.")),
        }
    }

    /// The idea behind the solution, in one or two sentences.
    pub fn idea(&self) -> String {
        let (side, other) = (word(self.side), word(!self.side));
        let staked = self.scene.staked();
        let own = self.own_chips();
        match self.kind {
            PuzzleKind::LeastBid => {
                let bid: i64 = self.solution.parse().unwrap_or_default();
                format!(
                    "If {other} accepts {bid}, {side} moves with {} left. If {other} rejects, {other} moves, and {side} has {}. {side} wins \
                     either way, which no lower bid achieves.",
                    chips(own - bid),
                    own + bid
                )
            }
            PuzzleKind::Answer => {
                let bid = staked.and_then(|staked| staked.bid).unwrap_or_default();
                format!(
                    "Accepting gives {side} {} and {other} the move. Rejecting gives {side} the move and leaves {}.",
                    chips(own + bid),
                    chips(own - bid)
                )
            }
            PuzzleKind::PaidMove => {
                let own = chips(own);
                format!("After this move {side} can win with {own} whatever {other} does. After any other move that is not certain.")
            }
            PuzzleKind::CoinMove | PuzzleKind::Promotion => format!(
                "The coin decides again after the move: half of the time {side} moves on, half of the time {other} does. The best move \
                 gives the best average of the two."
            ),
            PuzzleKind::Zugzwang => {
                "On this board each side’s best move lowers its own chances, so it is better to lose the toss.".to_owned()
            }
            PuzzleKind::Mate => "No single part of the turn mates. The part that is bought completes the mate.".to_owned(),
            PuzzleKind::Guess => {
                "To value a guess, multiply its payment by the share of the opponent’s turns in which it is right.".to_owned()
            }
            PuzzleKind::Design => {
                "Every step costs money, so the cheapest piece attacks the king and guards its escape squares with as few steps as possible.".to_owned()
            }
        }
    }

    /// An answer in player notation: moves in SAN, a piece by its name.
    pub fn said(&self, text: &str) -> String {
        if let (Scene::Clairvoyant(state), AnswerForm::Turn) = (&self.scene, self.kind.form()) {
            let turn = clairvoyant_puzzles::read(state, text);
            return turn.map_or(text.to_owned(), |turn| clairvoyant_puzzles::outcome(state, &turn, false).what);
        }
        let offered = self.offered.iter().find(|offered| offered.text == text);
        offered.map_or(text, |offered| &offered.words).to_owned()
    }

    /// Chips of the side to play.
    fn own_chips(&self) -> i64 {
        self.scene.staked().map_or(0, |staked| staked.chips[usize::from(self.side == Color::Black)])
    }

    /// Whether an answer is correct. Refuses text that is not an answer.
    pub fn grade(&self, answer: &str) -> Result<bool, Refusal> {
        let answer = answer.trim();
        if answer.is_empty() {
            let wanted = match self.kind.form() {
                AnswerForm::Chips => "a whole number of chips",
                AnswerForm::Offered => "one of the offered answers",
                AnswerForm::Turn => "a turn, such as e2e4 d2d4",
                AnswerForm::Design => "a piece in Betza notation, such as cfDN",
            };
            return Err(Refusal::at(0, format!("The answer is empty. Write {wanted}.")));
        }
        match &self.scene {
            Scene::Clairvoyant(state) if self.kind.form() == AnswerForm::Turn => {
                Ok(clairvoyant_puzzles::read(state, answer)?.to_string() == self.solution)
            }
            Scene::Csipgs(state) => design_puzzles::grade(state, &self.solution, answer),
            Scene::Endgames(..) | Scene::Clairvoyant(_) if self.offered.is_empty() => {
                let bid: i64 =
                    answer.parse().map_err(|_| Refusal::new("The bid must be a whole number of chips, such as 12."))?;
                Ok(bid.to_string() == self.solution)
            }
            Scene::Endgames(..) | Scene::Clairvoyant(_) => {
                let answer = answer.to_ascii_lowercase();
                if self.offered.iter().all(|offered| offered.text != answer) {
                    let known: Vec<&str> = self.offered.iter().map(|offered| offered.text.as_str()).collect();
                    return Err(Refusal::new(format!(
                        "That is not one of the answers. Choose one of {}.",
                        known.join(", ")
                    )));
                }
                Ok(answer == self.solution)
            }
        }
    }

    /// Squares of the solution on the board: from and to of a moving piece, or the same square twice.
    pub fn shown(&self) -> Vec<(Square, Square)> {
        match (&self.scene, self.kind.form()) {
            (Scene::Clairvoyant(_), AnswerForm::Turn) => clairvoyant_puzzles::shown(&self.solution),
            (Scene::Csipgs(state), _) => design_puzzles::shown(state, &self.solution),
            (Scene::Clairvoyant(_) | Scene::Endgames(..), _) => squares(&self.solution).into_iter().collect(),
        }
    }

    /// Consequence of a wrong answer. `table` is the table of the orthodox board.
    pub fn outcome(&self, answer: &str, table: &Table) -> Option<Reason> {
        let answer = answer.trim();
        match &self.scene {
            Scene::Clairvoyant(state) if self.kind.form() == AnswerForm::Turn => {
                let turn = clairvoyant_puzzles::read(state, answer).ok()?;
                Some(clairvoyant_puzzles::outcome(state, &turn, false))
            }
            Scene::Clairvoyant(state) => clairvoyant_puzzles::guess_outcome(state, &answer.to_ascii_lowercase()),
            Scene::Csipgs(state) => design_puzzles::outcome(state, answer),
            Scene::Endgames(questions, Some(staked)) if self.kind.form() == AnswerForm::Chips => {
                let reach = questions.first()?.holding(table, self.side, TOTAL as u32)?.reach;
                Some(chip_puzzles::bid_outcome(reach, self.side, staked.chips, answer.parse().ok()?))
            }
            Scene::Endgames(..) => {
                let said = self.said(&answer.to_ascii_lowercase());
                self.reasons.iter().find(|reason| reason.what == said).cloned()
            }
        }
    }
}

/// Number of wrong answers after which the solution is shown. The last of the offered answers needs no try.
pub fn most_tries(offered: &[AnswerChoice]) -> usize {
    if offered.is_empty() { TRIES } else { TRIES.min(offered.len() - 1) }
}

/// Points for a right answer after some wrong tries: three less the wrong ones, and one less after a hint, but at least one.
pub fn points(wrong: usize, hinted: bool) -> usize {
    TRIES.saturating_sub(wrong + usize::from(hinted)).max(1)
}

/// The squares of a move in UCI. For a text with one square, that square twice.
pub fn squares(text: &str) -> Option<(Square, Square)> {
    let from = text.get(..2)?.parse().ok()?;
    Some((from, if text.len() == 2 { from } else { text.get(2..4)?.parse().ok()? }))
}

/// `1 chip`, `12 chips`.
fn chips(number: i64) -> String {
    if number == 1 { "1 chip".to_owned() } else { format!("{number} chips") }
}

/// Capitalised name of a side.
fn word(side: Color) -> &'static str {
    Side::from(side).words()
}
