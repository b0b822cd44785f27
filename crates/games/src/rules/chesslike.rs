//! Games that are chess but for a twist. A variant says what differs: the rule layers of its board, who has won or drawn after a
//! move, what else is counted, and what chance lays out before the first move. All that they share is here, once: one answer to
//! [`Rules`] for every [`ChessLike`].

mod state;

pub use state::{Action, Deal, Game, NoDeal, NoTally, Start, View};

use std::{borrow::Cow, fmt::Debug};

use num_rational::Ratio;
use rand::Rng;
use serde::{Serialize, de::DeserializeOwned};
use utoipa::ToSchema;

use super::{
    AuctionGame, BotSupport, Describe, GameControl, HiddenInfo, Input, Rules, RulesVersion,
    endings::{self, Ending, EndingRules},
    grammar::{self, ActionForm},
    move_history::MoveHistory,
    protocol::{Actor, End, Outcome, Refusal, Seat, Step, Turn, Viewer},
    search_problem::{Aim, BoardProblem, SearchProblem},
    settings::{OptionRange, OptionSpec, PresetDescription, START_SETTING, TaskHelp},
    start_position,
    variant_info::VariantInfo,
};
use crate::board::{Board, Position, START, Squares, pgn::Pgn};

/// A game of chess with a twist. The implementor's fields are its options, as those of [`Rules`] are, and one of them is the
/// position to begin from.
pub trait ChessLike:
    Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// Facts about the variant.
    const INFO: VariantInfo;
    /// The usual position to begin from, as FEN.
    const START: &'static str = START;
    /// The words of the option that holds the position to begin from.
    const START_WORDS: &'static str = START_SETTING.words;
    /// That option.
    const START_SETTING: OptionSpec =
        OptionSpec { words: Self::START_WORDS, range: OptionRange::Position(Self::START), ..START_SETTING };
    /// Two lines for whoever has not played it yet.
    const LESSON: &'static [TaskHelp] = &[];
    /// The endings of ordinary chess that this game knows too.
    const ENDINGS: EndingRules = EndingRules::FIDE;
    /// The count kept beside the board, as every viewer sees it; [`NoTally`] if there is none.
    type Tally: Clone + PartialEq + Debug + Default + Serialize + ToSchema + Send + Sync + 'static;
    /// The deal that chance lays out before the first move; [`NoDeal`] if there is none.
    type Deal: Deal;

    /// The board: pieces and rule layers, where it is the same in every game.
    fn board() -> &'static Board {
        Board::orthodox()
    }
    /// Named options records, the default first.
    fn presets() -> Vec<(&'static str, Self)> {
        vec![("standard", Self::default())]
    }
    /// The options in words.
    fn settings() -> &'static [OptionSpec] {
        const { &[Self::START_SETTING] }
    }
    /// A word about each preset, where there are several.
    fn ways() -> &'static [PresetDescription] {
        &[]
    }
    /// The option that holds the position to begin from; empty for the usual one.
    fn fen(&self) -> &str;
    /// Tells whether chance lays out the position to begin from.
    fn dealt(&self) -> bool {
        false
    }
    /// Refuses a position to begin from that this game cannot be played from, and options that do not go together.
    fn check_start(&self, _start: &Position) -> Result<(), Refusal> {
        Ok(())
    }
    /// The count beside a position that chance laid out.
    fn dealt_tally(_deal: &Self::Deal) -> Self::Tally {
        Self::Tally::default()
    }
    /// Reads a position with its board, and what is counted beside it. Fit to be played is what the board and
    /// [`Self::check_start`] accept.
    fn read(fen: &str) -> Result<Start<Self::Tally>, Refusal> {
        let position = start_position::start_from(Self::board(), fen)?;
        Ok(Start { board: Cow::Borrowed(Self::board()), position, tally: Self::Tally::default() })
    }
    /// Writes what [`Self::read`] reads.
    fn written(board: &Board, position: &Position, _tally: &Self::Tally) -> String {
        board.fen(position)
    }

    /// Squares where a king wins.
    fn goal() -> Squares {
        Squares::EMPTY
    }
    /// Counts what the last move of the course changed.
    fn count(_tally: &mut Self::Tally, _course: &MoveHistory) {}
    /// The end that the position brings of itself, with a move made or none yet.
    fn ending(board: &Board, course: &MoveHistory, _tally: &Self::Tally) -> Option<Ending> {
        Self::ENDINGS.ending(board, course)
    }
    /// The aim of the game as a search knows it; nothing if it knows none such.
    fn aim(_tally: &Self::Tally) -> Option<Aim> {
        None
    }
    /// A rough count of what White and Black have, in hundredths of a pawn.
    fn standing(board: &Board, position: &Position) -> [i64; 2] {
        endings::count_material(board, position)
    }
    /// The draw that the side to move may claim, or why there is none.
    fn claim(course: &MoveHistory) -> Result<Ending, Refusal> {
        Self::ENDINGS.claim(course)
    }
}

impl<T: ChessLike> Rules for T {
    const INFO: VariantInfo = <T as ChessLike>::INFO;
    type Terms = Start<T::Tally>;
    type State = Game<T>;
    type Action = Action<T::Deal>;
    type View = View<T::Tally>;

    fn terms(&self, _version: RulesVersion) -> Result<Self::Terms, Refusal> {
        let start = T::read(if self.fen().is_empty() { T::START } else { self.fen() })?;
        self.check_start(&start.position)?;
        Ok(start)
    }

    fn start(&self, terms: &Self::Terms) -> Game<T> {
        Game::new(terms.clone())
    }

    fn turn(&self, state: &Game<T>) -> Turn {
        match state.outcome {
            Some(outcome) => Turn::Over(outcome),
            None if self.dealt() && !state.dealt => Turn::Chance,
            None => Turn::One(Seat::of(state.course.position.turn)),
        }
    }

    fn check(&self, state: &Game<T>, actor: Actor, action: &Self::Action) -> Result<(), Refusal> {
        match (actor, action) {
            (Actor::Seat(_), Action::Move(uci)) => state.course.find(&state.board, *uci).map(|_| ()),
            (Actor::Chance, Action::Deal(_)) => Ok(()),
            (Actor::Seat(_), Action::Deal(_)) => {
                Err(Refusal::at(0, format!("only chance says {}; write a move such as e2e4", T::Deal::WORD)))
            }
            (Actor::Chance | Actor::Server, _) => {
                Err(Refusal::new(format!("only players move in {}", <T as ChessLike>::INFO.title)))
            }
        }
    }

    fn apply(&self, state: &mut Game<T>, step: Step<Self::Action>) {
        state.steps += 1;
        match step {
            Step::One(_, Action::Move(uci)) => {
                let mv = state.course.find(&state.board, uci).expect("the move was checked");
                state.play(mv);
            }
            Step::Chance(Action::Deal(deal)) => state.deal(&deal),
            Step::End(seat, end) => state.outcome = state.stopped(seat, end).ok(),
            Step::One(_, Action::Deal(_)) | Step::Chance(Action::Move(_)) | Step::Both(_) => {
                unreachable!("steps are checked first")
            }
        }
    }

    fn check_end(&self, state: &Game<T>, seat: Seat, end: End) -> Result<(), Refusal> {
        state.stopped(seat, end).map(|_| ())
    }

    fn score(&self, state: &Game<T>) -> [Ratio<i64>; 2] {
        state.outcome.map_or([Ratio::ZERO; 2], Outcome::points)
    }

    fn view(&self, state: &Game<T>, viewer: Viewer) -> Self::View {
        let asked = viewer.is_some_and(|seat| self.turn(state) == Turn::One(seat));
        state.view(asked)
    }

    fn draw(&self, _state: &Game<T>, rng: &mut dyn Rng) -> Self::Action {
        Action::Deal(T::Deal::draw(rng))
    }
}

impl<T: ChessLike> Describe for T {
    fn presets() -> Vec<(&'static str, Self)> {
        <T as ChessLike>::presets()
    }

    fn ways() -> &'static [PresetDescription] {
        <T as ChessLike>::ways()
    }

    fn lessons() -> &'static [TaskHelp] {
        T::LESSON
    }

    fn settings() -> &'static [OptionSpec] {
        <T as ChessLike>::settings()
    }

    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        let start = T::read(start_position::fen(T::START, game)?).map_err(start_position::in_tag)?;
        let last =
            start_position::replay(Game::<T>::new(start), game, |play| play.course.position.turn, Game::play_san)?;
        Ok(T::written(&last.board, &last.course.position, &last.tally))
    }

    fn at_auction() -> Option<AuctionGame> {
        AuctionGame::of::<T>()
    }

    fn phrases() -> &'static [ActionForm] {
        if T::board().holdings { &grammar::DROPS } else { &grammar::MOVES }
    }
}

impl<T: ChessLike> Input for T {
    fn find(&self, state: &Game<T>, text: &str) -> Option<Self::Action> {
        state.course.read(&state.board, text).map(Action::Move)
    }
}

impl<T: ChessLike> HiddenInfo for T {}

impl<T: ChessLike> BotSupport for T {
    fn candidates(&self, state: &Game<T>, _seat: Seat, _rng: &mut dyn Rng) -> Vec<Self::Action> {
        let board = &state.board;
        board.moves(&state.course.position).into_iter().map(|mv| Action::Move(board.uci(mv))).collect()
    }

    fn standing(&self, state: &Game<T>) -> [i64; 2] {
        T::standing(&state.board, &state.course.position)
    }

    fn prospect(&self, state: &Game<T>, _seat: Seat) -> Option<SearchProblem> {
        let aim = T::aim(&state.tally)?;
        let (position, before) = (state.course.position, state.course.recent());
        let (board, quiet) = (state.board.clone(), T::ENDINGS.quiet);
        Some(SearchProblem::Moves(BoardProblem { board, position, before, aim, draws: None, quiet }))
    }
}

impl<T: ChessLike> GameControl for T {
    fn returnable(&self, state: &Game<T>) -> bool {
        !self.dealt() || state.dealt
    }
}
