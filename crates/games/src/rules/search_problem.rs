//! Decisions in shapes that searches know: what a seat has to choose, without the words of the variant that asks. The rules put the
//! question; they do not know the answer.

use std::{borrow::Cow, fmt::Debug, sync::Arc};

use num_rational::Ratio;

use super::{auction_game::Base, endgame::Endgame, endings::StalemateRule};
use crate::board::{Board, Color, Position, Squares, cube};

/// A decision of a seat.
#[derive(Clone, Debug)]
pub enum SearchProblem {
    /// A move, where both sides move in turn and know everything. Its text is that of the move.
    Moves(BoardProblem),
    /// A move through the cube, where both sides move in turn, know everything and are to mate.
    Cube(CubeProblem),
    /// A move, and behind it the square of a duck that is in everybody's way.
    Duck(BoardProblem),
    /// A word that players say here without much thought.
    Word(String),
    /// A bid, an answer or a move, where a coin or an auction names every mover of this game.
    Auction(Base, Endgame),
    /// A bid on White's chances, in percent.
    Bet(BetProblem),
    /// A word on whether to play on for more.
    Double(DoublingProblem),
    /// A move, a purchase or what else may be done with pieces that are bought.
    Economy(PurchaseProblem),
    /// A turn that the other seat guesses, a sheet of guesses, or an answer to a turn.
    Foresight(GuessProblem),
}

/// The play on a board by turns.
#[derive(Clone, Debug)]
pub struct BoardProblem {
    /// The board.
    pub board: Cow<'static, Board>,
    /// Where it stands.
    pub position: Position,
    /// The positions that could come again.
    pub before: Vec<Position>,
    /// The aim: what wins.
    pub aim: Aim,
    /// The side for which a draw is as good as a win, if there is one.
    pub draws: Option<Color>,
    /// Fifty moves of both sides without a capture or a pawn's move make a draw.
    pub quiet: bool,
}

/// The play through the cube by turns.
#[derive(Clone, Debug)]
pub struct CubeProblem {
    /// Where it stands.
    pub position: cube::CubePosition,
    /// The positions that could come again.
    pub before: Vec<cube::CubePosition>,
}

/// The aim of play on a board: what wins beside what all have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// To mate.
    Mate,
    /// To capture the king; and what it means that a side cannot move.
    Capture(StalemateRule),
    /// To mate, or to give so many checks.
    Checks {
        /// The checks that White and Black have given.
        given: [u8; 2],
        /// The number that wins.
        winning: u8,
    },
    /// To mate, or to bring the king to one of these squares.
    Hill(Squares),
    /// To bring the king to one of these squares first. If White has come there, Black has one more move, and draws by coming there too.
    Race(Squares),
    /// To mate, to leave no move, or to leave nothing but the king, unless the other side does the same with its next move.
    Bare,
    /// To mate, or to capture every unit of the side that has no king.
    Horde,
    /// To lose everything; whoever cannot move wins.
    Lose,
}

/// A bid on a board of which only the officers are known.
#[derive(Clone, Copy, Debug)]
pub struct BetProblem {
    /// Knights, bishops, rooks and queens; pawns and kings are dealt to them later.
    pub officers: Position,
    /// The side that moves first, if that is known.
    pub first: Option<Color>,
    /// The side for which a draw is as good as a win, if there is one.
    pub draws: Option<Color>,
}

/// A decision on whether to play on for more, or to lose for what is at stake.
#[derive(Clone, Debug)]
pub struct DoublingProblem {
    /// The play that would begin.
    pub contest: BoardProblem,
    /// The colour of the seat that decides.
    pub color: Color,
    /// The points that this seat wins if it wins, and the other if it does.
    pub stakes: [i64; 2],
    /// By how much they would grow.
    pub factor: Ratio<i64>,
}

/// A game in which pieces are bought, kept in reserve and put beside royal pieces.
#[derive(Clone, Debug)]
pub struct PurchaseProblem {
    /// The board, with a kind for each piece that is on it, in reserve or for sale.
    pub board: Board,
    /// Where it stands; the mover is the side to move.
    pub position: Position,
    /// The mover has acted, and may yet change a design or buy.
    pub acted: bool,
    /// What White and Black own beside the board.
    pub owned: [Assets; 2],
    /// The income, in tenths, of this turn and of those that follow it.
    pub incomes: Vec<i64>,
    /// Pieces are bought after the action, not as one.
    pub buys_after: bool,
    /// The most pieces of a side, in reserve or not.
    pub most: usize,
}

/// The things that a side owns beside the board.
#[derive(Clone, Debug)]
pub struct Assets {
    /// Money, in tenths.
    pub treasury: i64,
    /// The kinds in reserve.
    pub reserve: Vec<u8>,
    /// The kinds that may be bought, each with its price in tenths.
    pub sold: Vec<(u8, i64)>,
}

/// A turn that is guessed by the other side, which is paid for every right guess.
#[derive(Clone, Debug)]
pub struct GuessProblem {
    /// The role of the seat that decides.
    pub role: Role,
    /// The turns that the mover may play.
    pub turns: Vec<CandidateTurn>,
    /// The guesses that can be right, by their texts.
    pub guesses: Vec<String>,
    /// The number of guesses on a sheet.
    pub slots: usize,
    /// The money of the side that plays the turn, and of the other.
    pub purses: [i64; 2],
    /// The positions so far, in order, the one that stands left out. All of them could come again.
    pub before: Vec<Position>,
    /// The rules of the turns that follow.
    pub onward: Arc<dyn TurnGenerator>,
}

impl GuessProblem {
    /// The turn that leads to a position.
    pub fn turn_to(&self, after: &Position) -> Option<&CandidateTurn> {
        self.turns.iter().find(|turn| turn.sequel.after.same_placement(after))
    }
}

/// The role of a seat in a turn that is guessed.
#[derive(Clone, Debug)]
pub enum Role {
    /// To play the turn.
    Move,
    /// To guess it.
    Guess,
    /// To let a turn stand, or to force another one for a price, if the seat can pay it.
    Answer {
        /// Where the turn led.
        after: Position,
        /// The price of forcing another.
        price: Option<i64>,
    },
}

/// A turn that can be played.
#[derive(Clone, Debug)]
pub struct CandidateTurn {
    /// Its text.
    pub text: String,
    /// The guesses that it makes right, by their number, with what each then earns.
    pub right: Vec<(usize, i64)>,
    /// What it leads to.
    pub sequel: TurnResult,
}

/// The rules of the turns that follow.
pub trait TurnGenerator: Debug + Send + Sync {
    /// What the turns lead to that the side to move may play, if it has the first of two purses and looks for no more than such turns. A turn
    /// that was forced back is not known here, nor whether there is another free move.
    fn sequels(&self, position: &Position, purses: [i64; 2], most: TurnShape) -> Vec<TurnResult>;
}

/// What a turn leads to.
#[derive(Clone, Debug)]
pub struct TurnResult {
    /// The position.
    pub after: Position,
    /// The price paid for the turn.
    pub price: i64,
    /// What it leaves to the other side.
    pub leaves: ReplyState,
    /// The parts of the turn.
    pub makeup: TurnShape,
}

/// The parts of a turn, the simplest first: who looks for simple ones only overlooks the rest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TurnShape {
    /// One move, or one piece that is dropped.
    Single,
    /// A free move and a bought one.
    Moves,
    /// A piece that is dropped and moves.
    Strike,
    /// A piece that is dropped and moves twice, or two that are dropped and move.
    Raid,
    /// Pieces that are dropped to guard the king's flights, and one more that gives check.
    Assault,
}

/// What a turn leaves to the other side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReplyState {
    /// A game that goes on.
    Moves,
    /// Mate, if it could not buy itself a turn.
    Rescue,
    /// Mate, if it could not force another turn.
    Retraction,
    /// Mate.
    Nothing,
}
