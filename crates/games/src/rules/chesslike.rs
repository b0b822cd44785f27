//! Chess variants that alternate moves. A variant implements [`ChessLike`]: the rule layers of its board, its endings, its tally
//! and its chance deal. This module implements [`Rules`] once for all of them.

mod state;

pub use state::{Action, Deal, Game, NoDeal, NoTally, Start, Terms, View};

use std::{borrow::Cow, fmt::Debug};

use num_rational::Ratio;
use rand::Rng;
use serde::{Serialize, de::DeserializeOwned};
use utoipa::ToSchema;

use super::{
    AuctionGame, BotSupport, Describe, GameControl, HiddenInfo, Input, Rules, RulesVersion,
    endings::{self, Ending, EndingRules, FiftyMoves},
    grammar::{self, ActionForm},
    move_history::MoveHistory,
    protocol::{Actor, End, Outcome, Refusal, Seat, Step, Turn, Viewer},
    search_problem::{Aim, BoardProblem, SearchProblem},
    settings::{OptionRange, OptionSpec, PresetDescription, START_SETTING, TaskHelp},
    start_position,
    variant_info::VariantInfo,
};
use crate::board::{Board, Color, Position, START, Squares, pgn::Pgn};

/// A chess variant. The fields of the implementing type are its options, as for [`Rules`]. One of them is the starting position.
pub trait ChessLike:
    Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// Facts about the variant.
    const INFO: VariantInfo;
    /// Usual starting position, as FEN.
    const START: &'static str = START;
    /// Starting positions that a PGN game without a `FEN` tag may have. If there are several, our own games always have the tag.
    const PGN_STARTS: &'static [&'static str] = &[Self::START];
    /// Description of the option that holds the starting position.
    const START_WORDS: &'static str = START_SETTING.words;
    /// The option that holds the starting position.
    const START_SETTING: OptionSpec =
        OptionSpec { words: Self::START_WORDS, range: OptionRange::Position(Self::START), ..START_SETTING };
    /// Two lines of help for players who are new to the variant.
    const LESSON: &'static [TaskHelp] = &[];
    /// Endings of ordinary chess that apply.
    const ENDINGS: EndingRules = EndingRules::FIDE;
    /// Count kept in addition to the board, visible to every viewer; [`NoTally`] if there is none.
    type Tally: Clone + PartialEq + Debug + Default + Serialize + ToSchema + Send + Sync + 'static;
    /// Chance's deal before the first move; [`NoDeal`] if there is none.
    type Deal: Deal;

    /// Pieces and rule layers, if they are the same in every game.
    fn board() -> &'static Board {
        Board::orthodox()
    }
    /// Named options records, the default first.
    fn presets() -> Vec<(&'static str, Self)> {
        vec![("standard", Self::default())]
    }
    /// The options, in the order of the form.
    fn settings() -> &'static [OptionSpec] {
        const { &[Self::START_SETTING] }
    }
    /// One sentence on each preset, if there are several.
    fn ways() -> &'static [PresetDescription] {
        &[]
    }
    /// Starting position as FEN; empty for the usual one.
    fn fen(&self) -> &str;
    /// Whether chance draws the starting position.
    fn dealt(&self) -> bool {
        false
    }
    /// Refuses unplayable starting positions and options that do not go together.
    fn check_start(&self, _start: &Position) -> Result<(), Refusal> {
        Ok(())
    }
    /// Tally at the start of a dealt position.
    fn dealt_tally(_deal: &Self::Deal) -> Self::Tally {
        Self::Tally::default()
    }
    /// Parses a position with its board and tally. It is playable if the board and [`Self::check_start`] accept it.
    fn read(fen: &str) -> Result<Start<Self::Tally>, Refusal> {
        let position = start_position::start_from(Self::board(), fen)?;
        Ok(Start { board: Cow::Borrowed(Self::board()), position, tally: Self::Tally::default() })
    }
    /// Formats a position so that [`Self::read`] can parse it.
    fn written(board: &Board, position: &Position, _tally: &Self::Tally) -> String {
        board.fen(position)
    }

    /// Squares that win the game for a king that reaches them.
    fn goal() -> Squares {
        Squares::EMPTY
    }
    /// Updates the tally after the last move of `course`.
    fn count(_tally: &mut Self::Tally, _course: &MoveHistory) {}
    /// The automatic end of the game in this position, if it is over. Also called before the first move.
    /// `endings` are [`Self::ENDINGS`] in the game's version of the rules.
    fn ending(endings: EndingRules, board: &Board, course: &MoveHistory, _tally: &Self::Tally) -> Option<Ending> {
        endings.ending(board, course)
    }
    /// Whether a colour could still win by some series of legal moves, judged by the material.
    fn can_win(board: &Board, position: &Position, color: Color) -> bool {
        Self::ENDINGS.winnable.can_win(board, position, color)
    }
    /// Aim of the game, for searches; `None` if no search supports it.
    fn aim(_tally: &Self::Tally) -> Option<Aim> {
        None
    }
    /// Rough material of White and Black, in hundredths of a pawn.
    fn standing(board: &Board, position: &Position) -> [i64; 2] {
        endings::count_material(board, position)
    }
    /// The draw that the side to move may claim, or the reason why it may not.
    fn claim(endings: EndingRules, course: &MoveHistory) -> Result<Ending, Refusal> {
        endings.claim(course)
    }
}

impl<T: ChessLike> Rules for T {
    const INFO: VariantInfo = <T as ChessLike>::INFO;
    type Terms = Terms<T::Tally>;
    type State = Game<T>;
    type Action = Action<T::Deal>;
    type View = View<T::Tally>;

    fn terms(&self, version: RulesVersion) -> Result<Self::Terms, Refusal> {
        let start = T::read(if self.fen().is_empty() { T::START } else { self.fen() })?;
        self.check_start(&start.position)?;
        start_position::check_castling(version, &start.board, &start.position)?;
        Ok(Terms { start, endings: T::ENDINGS.under(version) })
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
                Err(Refusal::at(0, format!("only chance may play “{}”: enter a move such as e2e4", T::Deal::WORD)))
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

    fn task_help() -> &'static [TaskHelp] {
        T::LESSON
    }

    fn settings() -> &'static [OptionSpec] {
        <T as ChessLike>::settings()
    }

    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        let last = |usual: &&str| {
            let start = T::read(start_position::fen(usual, game)?).map_err(start_position::in_tag)?;
            let begun = Game::<T>::new(Terms { start, endings: T::ENDINGS });
            let last = start_position::replay(begun, game, |play| play.course.position.turn, Game::play_san)?;
            Ok(T::written(&last.board, &last.course.position, &last.tally))
        };
        let first = last(&T::START);
        first.or_else(|why| T::PGN_STARTS.iter().find_map(|start| last(start).ok()).ok_or(why))
    }

    fn at_auction() -> Option<AuctionGame> {
        AuctionGame::of::<T>()
    }

    fn action_forms() -> &'static [ActionForm] {
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

    fn rough_material(&self, state: &Game<T>) -> [i64; 2] {
        T::standing(&state.board, &state.course.position)
    }

    fn search_problem(&self, state: &Game<T>, _seat: Seat) -> Option<SearchProblem> {
        let aim = T::aim(&state.tally)?;
        let (position, before) = (state.course.position, state.course.recent());
        let (board, quiet) = (state.board.clone(), state.endings.quiet != FiftyMoves::Never);
        Some(SearchProblem::Moves(BoardProblem { board, position, before, aim, draws: None, quiet }))
    }
}

impl<T: ChessLike> GameControl for T {
    fn allows_takeback_here(&self, state: &Game<T>) -> bool {
        !self.dealt() || state.dealt
    }
}
