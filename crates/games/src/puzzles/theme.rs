//! Themes and difficulty of puzzles.

use std::str::FromStr;

use serde::Serialize;

use super::{Puzzle, PuzzleKind, Scene};
use crate::{board::Board, rules::Refusal};

/// Idea or material of a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PuzzleTheme {
    /// Two kings and a knight.
    Knight,
    /// Two kings and a bishop.
    Bishop,
    /// Two kings and a rook.
    Rook,
    /// Two kings and a queen.
    Queen,
    /// Two kings and a pawn.
    Pawn,
    /// The bid takes all chips of a player.
    AllIn,
    /// The solution captures.
    Capture,
    /// The king moves.
    KingMove,
    /// A pawn promotes.
    Promotion,
    /// Neither side wants to move.
    Zugzwang,
    /// The opponent is in check.
    Check,
}

impl PuzzleTheme {
    /// All themes, in the order in which pages list them.
    pub const ALL: [PuzzleTheme; 11] = [
        PuzzleTheme::Zugzwang,
        PuzzleTheme::AllIn,
        PuzzleTheme::Capture,
        PuzzleTheme::KingMove,
        PuzzleTheme::Promotion,
        PuzzleTheme::Check,
        PuzzleTheme::Knight,
        PuzzleTheme::Bishop,
        PuzzleTheme::Rook,
        PuzzleTheme::Queen,
        PuzzleTheme::Pawn,
    ];

    /// Key in addresses.
    pub fn key(self) -> &'static str {
        match self {
            PuzzleTheme::Knight => "knight",
            PuzzleTheme::Bishop => "bishop",
            PuzzleTheme::Rook => "rook",
            PuzzleTheme::Queen => "queen",
            PuzzleTheme::Pawn => "pawn",
            PuzzleTheme::AllIn => "all-in",
            PuzzleTheme::Capture => "capture",
            PuzzleTheme::KingMove => "king-move",
            PuzzleTheme::Promotion => "promotion",
            PuzzleTheme::Zugzwang => "zugzwang",
            PuzzleTheme::Check => "check",
        }
    }

    /// Name.
    pub fn title(self) -> &'static str {
        match self {
            PuzzleTheme::Knight => "Knight endgame",
            PuzzleTheme::Bishop => "Bishop endgame",
            PuzzleTheme::Rook => "Rook endgame",
            PuzzleTheme::Queen => "Queen endgame",
            PuzzleTheme::Pawn => "Pawn endgame",
            PuzzleTheme::AllIn => "All in",
            PuzzleTheme::Capture => "Capture",
            PuzzleTheme::KingMove => "King move",
            PuzzleTheme::Promotion => "Promotion",
            PuzzleTheme::Zugzwang => "Zugzwang",
            PuzzleTheme::Check => "Check",
        }
    }

    /// Whether puzzles of a kind can have the theme.
    pub fn fits(self, kind: PuzzleKind) -> bool {
        let kinds: &[PuzzleKind] = match self {
            PuzzleTheme::Bishop | PuzzleTheme::Rook | PuzzleTheme::Queen => {
                &[PuzzleKind::LeastBid, PuzzleKind::Answer, PuzzleKind::PaidMove, PuzzleKind::CoinMove]
            }
            PuzzleTheme::Knight => &[
                PuzzleKind::LeastBid,
                PuzzleKind::Answer,
                PuzzleKind::PaidMove,
                PuzzleKind::CoinMove,
                PuzzleKind::Zugzwang,
            ],
            PuzzleTheme::Pawn => &[PuzzleKind::CoinMove, PuzzleKind::Promotion],
            PuzzleTheme::AllIn => &[PuzzleKind::Answer],
            PuzzleTheme::Capture => &[PuzzleKind::PaidMove, PuzzleKind::CoinMove],
            PuzzleTheme::KingMove => &[PuzzleKind::PaidMove, PuzzleKind::CoinMove],
            PuzzleTheme::Promotion => &[PuzzleKind::Promotion],
            PuzzleTheme::Zugzwang => &[PuzzleKind::Zugzwang],
            PuzzleTheme::Check => &[PuzzleKind::Guess],
        };
        kinds.contains(&kind)
    }

    fn is_of(self, puzzle: &Puzzle) -> bool {
        let has = |letter: char| {
            puzzle.scene.questions().iter().all(|question| question.fen().to_ascii_lowercase().contains(letter))
        };
        let san = puzzle.said(&puzzle.solution);
        self.fits(puzzle.kind)
            && match self {
                PuzzleTheme::Knight => has('n'),
                PuzzleTheme::Bishop => has('b'),
                PuzzleTheme::Rook => has('r'),
                PuzzleTheme::Queen => has('q'),
                PuzzleTheme::Pawn => has('p'),
                PuzzleTheme::AllIn => puzzle
                    .scene
                    .staked()
                    .is_some_and(|staked| staked.bid.is_some_and(|bid| staked.chips.contains(&bid))),
                PuzzleTheme::Capture => san.contains('x'),
                PuzzleTheme::KingMove => san.starts_with('K'),
                PuzzleTheme::Promotion | PuzzleTheme::Zugzwang => true,
                PuzzleTheme::Check => match &puzzle.scene {
                    Scene::Clairvoyant(state) => Board::orthodox().in_check(&state.position, state.position.turn),
                    Scene::Endgames(..) | Scene::Csipgs(_) => false,
                },
            }
    }
}

impl Puzzle {
    /// Themes of the puzzle. They can give part of the solution away.
    pub fn themes(&self) -> impl Iterator<Item = PuzzleTheme> {
        PuzzleTheme::ALL.into_iter().filter(|theme| theme.is_of(self))
    }
}

/// Difficulty of a position: how close the second best answer is to the solution, or how many answers there are to consider.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Difficulty {
    /// The solution is clearly the best answer.
    Easy,
    /// Between easy and hard.
    Medium,
    /// Another answer is nearly as good.
    Hard,
}

impl Difficulty {
    /// All difficulties, easy first.
    pub const ALL: [Difficulty; 3] = [Difficulty::Easy, Difficulty::Medium, Difficulty::Hard];

    /// Key in addresses.
    pub fn key(self) -> &'static str {
        match self {
            Difficulty::Easy => "easy",
            Difficulty::Medium => "medium",
            Difficulty::Hard => "hard",
        }
    }

    /// Name.
    pub fn title(self) -> &'static str {
        match self {
            Difficulty::Easy => "Easy",
            Difficulty::Medium => "Medium",
            Difficulty::Hard => "Hard",
        }
    }

    /// Difficulty by the distance of the second best answer: `hard` or less is hard, up to `medium` is medium.
    pub(super) fn by_distance(distance: i64, hard: i64, medium: i64) -> Difficulty {
        match distance {
            _ if distance <= hard => Difficulty::Hard,
            _ if distance <= medium => Difficulty::Medium,
            _ => Difficulty::Easy,
        }
    }

    /// Difficulty by the distance in chips.
    pub(super) fn by_chips(distance: i64) -> Difficulty {
        Difficulty::by_distance(distance, 1, 3)
    }
}

impl FromStr for PuzzleTheme {
    type Err = Refusal;

    fn from_str(key: &str) -> Result<PuzzleTheme, Refusal> {
        PuzzleTheme::ALL.into_iter().find(|theme| theme.key() == key).ok_or_else(|| {
            let known = PuzzleTheme::ALL.map(PuzzleTheme::key).join(", ");
            Refusal::new(format!("There is no such theme. Choose one of {known}."))
        })
    }
}

impl FromStr for Difficulty {
    type Err = Refusal;

    fn from_str(key: &str) -> Result<Difficulty, Refusal> {
        let found = Difficulty::ALL.into_iter().find(|difficulty| difficulty.key() == key);
        found.ok_or_else(|| Refusal::new("There is no such difficulty. Choose easy, medium or hard."))
    }
}
