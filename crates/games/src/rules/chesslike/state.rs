//! State and actions of [`ChessLike`] games.

use std::{
    borrow::Cow,
    fmt::{self, Debug, Display},
    str::FromStr,
    sync::Arc,
};

use rand::Rng;
use serde::Serialize;

use super::ChessLike;
use crate::{
    board::{Betza, Board, Move, PieceType, Position, SanError, Uci, pgn::NULL},
    rules::{
        diagram::{Designed, Diagram},
        endings::EndingRules,
        move_history::MoveHistory,
        protocol::{End, Outcome, Refusal, Seat},
    },
};

/// Empty tally.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, utoipa::ToSchema)]
pub struct NoTally {}

/// Starting position of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Start<C> {
    /// Pieces and rule layers.
    pub board: Cow<'static, Board>,
    /// The position.
    pub position: Position,
    /// Tally at the start.
    pub tally: C,
}

/// Starting position and endings of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Terms<C> {
    /// Starting position.
    pub start: Start<C>,
    /// Endings in the game's version of the rules.
    pub endings: EndingRules,
}

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct Game<T: ChessLike> {
    /// Pieces and rule layers.
    pub board: Cow<'static, Board>,
    /// Endings in the game's version of the rules.
    pub endings: EndingRules,
    /// Moves and positions so far.
    pub course: MoveHistory,
    /// Current tally.
    pub tally: T::Tally,
    /// Distinct tallies so far. A position repeats only together with its tally.
    tallies: Vec<T::Tally>,
    /// Whether chance has drawn the starting position.
    pub dealt: bool,
    /// Starting position with its tally, as [`ChessLike::written`] formats it.
    begun: String,
    /// Number of steps applied.
    pub steps: usize,
    /// Outcome, once the game is over.
    pub outcome: Option<Outcome>,
}

/// The view of a game without hidden information.
#[derive(PartialEq, Debug, Serialize, utoipa::ToSchema)]
pub struct View<C> {
    diagram: Diagram,
    /// Whether the side to move may claim a draw.
    pub claimable: bool,
    /// Tally kept in addition to the board.
    #[serde(flatten)]
    #[schema(inline)]
    pub tally: C,
}

impl<C> View<C> {
    /// A view with the parts of a game that keeps its own history.
    pub fn new(diagram: Diagram, claimable: bool, tally: C) -> Self {
        View { diagram, claimable, tally }
    }
}

impl<C> AsRef<Diagram> for View<C> {
    fn as_ref(&self) -> &Diagram {
        &self.diagram
    }
}

impl<C> AsMut<Diagram> for View<C> {
    fn as_mut(&mut self) -> &mut Diagram {
        &mut self.diagram
    }
}

impl<T: ChessLike> Game<T> {
    /// A game that starts from a position.
    pub fn new(Terms { start: Start { board, position, tally }, endings }: Terms<T::Tally>) -> Self {
        let begun = T::written(&board, &position, &tally);
        let course = MoveHistory::new(&board, position);
        let tallies = vec![tally.clone()];
        let mut game = Game { board, endings, course, tally, tallies, dealt: false, begun, steps: 0, outcome: None };
        game.judge();
        game
    }

    /// Restarts from the position that chance dealt.
    pub fn deal(&mut self, deal: &T::Deal) {
        let position = deal.position(&self.board);
        let start = Start { board: self.board.clone(), position, tally: T::dealt_tally(deal) };
        *self = Game { dealt: true, steps: self.steps, ..Game::new(Terms { start, endings: self.endings }) };
    }

    /// Plays a legal move as the latest step.
    pub fn play(&mut self, mv: Move) {
        self.course.play(&self.board, mv, self.steps);
        T::count(&mut self.tally, &self.course);
        if self.endings.repetition {
            let known = self.tallies.iter().position(|tally| *tally == self.tally);
            self.course.set_tally_number(known.unwrap_or(self.tallies.len()));
            if known.is_none() {
                self.tallies.push(self.tally.clone());
            }
        }
        self.judge();
    }

    /// Plays a move of a PGN game, which may be a null move.
    pub fn play_san(mut self, text: &str) -> Result<Self, SanError> {
        if text == NULL {
            self.course.position = self.board.after_null(&self.course.position);
            return Ok(self);
        }
        let mv = self.board.parse_san(&self.course.position, text)?;
        self.steps += 1;
        self.play(mv);
        Ok(self)
    }

    fn judge(&mut self) {
        let ending = T::ending(self.endings, &self.board, &self.course, &self.tally);
        self.outcome = ending.map(|ending| ending.outcome(Seat::of));
    }

    /// Outcome of ending the game this way.
    pub fn stopped(&self, seat: Seat, end: End) -> Result<Outcome, Refusal> {
        let claim = || T::claim(self.endings, &self.course).map(|ending| ending.outcome(Seat::of));
        let flag = || {
            let (position, late) = (&self.course.position, seat.color());
            let can_win = T::can_win(&self.board, position, !late);
            self.endings.flag(&self.board, position, late, can_win).outcome(Seat::of)
        };
        end.outcome(seat, claim, flag)
    }

    /// The view of a game. Lists all legal moves as choices if `asked`.
    pub fn view(&self, asked: bool) -> View<T::Tally> {
        let board = &self.board;
        let mut diagram = self.course.diagram(board, Seat::of);
        diagram.fen = Some(T::written(board, &self.course.position, &self.tally));
        diagram.designs = designs(board);
        diagram.choices = asked.then(|| self.course.choices(board));
        diagram.tags = <T as ChessLike>::INFO.pgn_tags();
        if diagram.tags.is_empty() && board.castles_elsewhere(&self.course.start) {
            diagram.tags.push(("Variant", "Chess960".to_owned()));
        }
        if T::PGN_STARTS != [self.begun.as_str()] {
            diagram.tags.extend([("SetUp", "1".to_owned()), ("FEN", self.begun.clone())]);
        }
        let claimable = self.outcome.is_none() && T::claim(self.endings, &self.course).is_ok();
        View::new(diagram, claimable, self.tally.clone())
    }
}

/// The designs of all piece types outside orthodox chess.
fn designs(board: &Board) -> Vec<Designed> {
    let orthodox = |kind: &&PieceType| Board::orthodox().kinds().iter().any(|known| known.betza == kind.betza);
    let own = board.kinds().iter().filter(|kind| !orthodox(kind));
    let design = |kind: &PieceType| {
        let (piece, _) = Betza::read_free(&kind.betza, &[]).ok()?;
        Some(Designed { betza: kind.betza.clone(), piece: Arc::new(piece), icon: None })
    };
    own.filter_map(design).collect()
}

/// A chance deal before the first move. Its text follows [`Self::WORD`] in the action's text.
pub trait Deal: Clone + PartialEq + Debug + Display + FromStr<Err = Refusal> + Send + Sync + 'static {
    /// First word of the action's text.
    const WORD: &'static str;
    /// Draws a deal.
    fn draw(rng: &mut dyn Rng) -> Self;
    /// Starting position of the deal.
    fn position(&self, board: &Board) -> Position;
}

/// Deal of a variant without chance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoDeal {}

impl Display for NoDeal {
    fn fmt(&self, _f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {}
    }
}

impl FromStr for NoDeal {
    type Err = Refusal;
    fn from_str(_text: &str) -> Result<Self, Refusal> {
        Err(Refusal::new("this variant has no chance actions"))
    }
}

impl Deal for NoDeal {
    const WORD: &'static str = "";
    fn draw(_rng: &mut dyn Rng) -> Self {
        unreachable!("the type has no values")
    }
    fn position(&self, _board: &Board) -> Position {
        match *self {}
    }
}

/// A move, or a chance deal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action<D> {
    /// A player's move.
    Move(Uci),
    /// Chance's deal.
    Deal(D),
}

impl<D: Deal> Display for Action<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Move(uci) => Display::fmt(uci, f),
            Action::Deal(deal) => write!(f, "{} {deal}", D::WORD),
        }
    }
}

impl<D: Deal> FromStr for Action<D> {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        match text.strip_prefix(D::WORD).and_then(|rest| rest.strip_prefix(' ')).filter(|_| !D::WORD.is_empty()) {
            Some(deal) => {
                let within = |wrong: Refusal| Refusal { at: wrong.at.map(|at| at + D::WORD.len() + 1), ..wrong };
                deal.parse().map(Action::Deal).map_err(within)
            }
            None => Ok(Action::Move(text.parse()?)),
        }
    }
}
