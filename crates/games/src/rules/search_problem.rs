//! Decisions in a form that searches understand, independent of a variant's action texts. The rules state the problem; the bots
//! solve it.

use std::{borrow::Cow, fmt::Debug, sync::Arc};

use num_rational::Ratio;

use super::{auction_game::Base, endgame::Endgame, endings::StalemateRule};
use crate::board::{Board, Color, Position, Squares, cube};

/// A decision of a seat.
#[derive(Clone, Debug)]
pub enum SearchProblem {
    /// A move in a game of alternating turns and perfect information. The answer is the move's text.
    Moves(BoardProblem),
    /// A move in Raumschach, a game of alternating turns and perfect information won by mate.
    Cube(CubeProblem),
    /// A move and the square of the duck.
    Duck(BoardProblem),
    /// A fixed action that needs no search.
    Word(String),
    /// A bid, an answer or a move in a game where a coin or an auction decides who moves.
    Auction(Base, Endgame),
    /// A bid on White's winning chances, in percent.
    Bet(BetProblem),
    /// Whether to play on for higher stakes.
    Double(DoublingProblem),
    /// A move, a purchase or another action in a game where pieces are bought.
    Economy(PurchaseProblem),
    /// A turn that the opponent guesses, a guess sheet, or an answer to a turn.
    Foresight(GuessProblem),
}

/// Alternating play on a board.
#[derive(Clone, Debug)]
pub struct BoardProblem {
    /// Pieces and rule layers.
    pub board: Cow<'static, Board>,
    /// Current position.
    pub position: Position,
    /// Earlier positions that could be repeated.
    pub before: Vec<Position>,
    /// Ways to win.
    pub aim: Aim,
    /// Side for which a draw counts as a win, if any.
    pub draws: Option<Color>,
    /// The fifty-move rule applies.
    pub quiet: bool,
}

/// Alternating play on the cube.
#[derive(Clone, Debug)]
pub struct CubeProblem {
    /// Current position.
    pub position: cube::CubePosition,
    /// Earlier positions that could be repeated.
    pub before: Vec<cube::CubePosition>,
}

/// Aim of play on a board: the ways to win beyond those that all games share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// Checkmate.
    Mate,
    /// Capture the king. The rule says what a side without a move gets.
    Capture(StalemateRule),
    /// Checkmate, or give enough checks.
    Checks {
        /// Checks given by White and Black.
        given: [u8; 2],
        /// Checks needed to win.
        winning: u8,
    },
    /// Checkmate, or bring the king to one of these squares.
    Hill(Squares),
    /// Be first to bring the king to one of these squares. If White arrives first, Black has one more move and draws by arriving
    /// too.
    Race(Squares),
    /// Checkmate, stalemate, or bare the opponent's king, unless the opponent does the same on the next move.
    Bare,
    /// Checkmate, or capture every piece of the side without a king.
    Horde,
    /// Lose all pieces. A side that cannot move wins.
    Lose,
}

/// A bid on a board of which only the officers are known.
#[derive(Clone, Copy, Debug)]
pub struct BetProblem {
    /// Knights, bishops, rooks and queens. Pawns and kings are dealt later.
    pub officers: Position,
    /// Side that moves first, if it is known.
    pub first: Option<Color>,
    /// Side for which a draw counts as a win, if any.
    pub draws: Option<Color>,
}

/// Whether to play on for higher stakes or to lose the current ones.
#[derive(Clone, Debug)]
pub struct DoublingProblem {
    /// Position to be played out.
    pub contest: BoardProblem,
    /// Colour of the seat that decides.
    pub color: Color,
    /// Points at stake: for a win of this seat, and for a win of the opponent.
    pub stakes: [i64; 2],
    /// Factor by which the stakes would grow.
    pub factor: Ratio<i64>,
}

/// A game in which players buy pieces, hold them in reserve and put them next to royal pieces.
#[derive(Clone, Debug)]
pub struct PurchaseProblem {
    /// Board with a piece type for every piece on it, in reserve or for sale.
    pub board: Board,
    /// Current position; the mover is the side to move.
    pub position: Position,
    /// The mover has acted and may still change a design or buy.
    pub acted: bool,
    /// Assets of White and Black off the board.
    pub owned: [Assets; 2],
    /// Income of this turn and the following ones, in tenths of a zorkmid.
    pub incomes: Vec<i64>,
    /// Whether buying follows the action (`true`) or is itself the action.
    pub buys_after: bool,
    /// Most pieces that a side may have, including its reserve.
    pub most: usize,
}

/// Assets of a side off the board.
#[derive(Clone, Debug)]
pub struct Assets {
    /// Money, in tenths of a zorkmid.
    pub treasury: i64,
    /// Piece types in reserve.
    pub reserve: Vec<u8>,
    /// Piece types for sale, each with its price in tenths of a zorkmid.
    pub sold: Vec<(u8, i64)>,
}

/// A turn that the opponent guesses and is paid for each correct guess.
#[derive(Clone, Debug)]
pub struct GuessProblem {
    /// Role of the seat that decides.
    pub role: Role,
    /// Turns that the mover may play.
    pub turns: Vec<CandidateTurn>,
    /// Texts of all guesses that could be correct.
    pub guesses: Vec<String>,
    /// Number of guesses on a sheet.
    pub slots: usize,
    /// Money of the mover, and of the opponent.
    pub purses: [i64; 2],
    /// Earlier positions in order, all of which could be repeated.
    pub before: Vec<Position>,
    /// Generator of the turns that follow.
    pub onward: Arc<dyn TurnGenerator>,
}

impl GuessProblem {
    /// The turn that leads to a position.
    pub fn turn_to(&self, after: &Position) -> Option<&CandidateTurn> {
        self.turns.iter().find(|turn| turn.sequel.after.same_placement(after))
    }
}

/// Role of a seat in a guessed turn.
#[derive(Clone, Debug)]
pub enum Role {
    /// Plays the turn.
    Move,
    /// Guesses the turn.
    Guess,
    /// Accepts a turn, or pays to have it retracted.
    Answer {
        /// Position after the turn.
        after: Position,
        /// Price of the retraction; `None` if the seat cannot pay it.
        price: Option<i64>,
    },
}

/// A turn that the mover may play.
#[derive(Clone, Debug)]
pub struct CandidateTurn {
    /// Text of the turn.
    pub text: String,
    /// Index and payment of each guess that this turn makes correct.
    pub right: Vec<(usize, i64)>,
    /// Result of the turn.
    pub sequel: TurnResult,
}

/// Generator of the turns that follow.
pub trait TurnGenerator: Debug + Send + Sync {
    /// Results of the turns that the side to move may play, with the first of the two purses, up to the shape `most`. Ignores
    /// retracted turns and extra free moves.
    fn sequels(&self, position: &Position, purses: [i64; 2], most: TurnShape) -> Vec<TurnResult>;
}

/// Result of a turn.
#[derive(Clone, Debug)]
pub struct TurnResult {
    /// Position after the turn.
    pub after: Position,
    /// Price paid for the turn.
    pub price: i64,
    /// Replies left to the opponent.
    pub leaves: ReplyState,
    /// Shape of the turn.
    pub makeup: TurnShape,
}

/// Shapes of a turn, the simplest first. A search limited to simple shapes misses the others.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TurnShape {
    /// One move or one drop.
    Single,
    /// A free move and a bought move.
    Moves,
    /// A dropped piece that moves.
    Strike,
    /// A dropped piece that moves twice, or two dropped pieces that move.
    Raid,
    /// Dropped pieces that guard the king's escape squares, and one that gives check.
    Assault,
}

/// Replies that a turn leaves to the opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplyState {
    /// The game goes on.
    Moves,
    /// Mate, unless the opponent can buy a reply.
    Rescue,
    /// Mate, unless the opponent can have the turn retracted.
    Retraction,
    /// Mate.
    Nothing,
}
