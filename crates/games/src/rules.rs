//! The trait that every variant answers, and the words it is asked in. No I/O, no clock, no randomness of its own.

mod variant_info;
mod version;

pub mod any_game;
pub mod auction_game;
pub mod chesslike;
pub mod choice;
pub mod diagram;
pub mod endings;
pub mod grammar;
pub mod move_history;
pub mod protocol;
pub mod search_problem;
pub mod settings;
pub mod start_position;

use std::{
    fmt::{Debug, Display},
    str::FromStr,
};

use num_rational::Ratio;
use rand::Rng;
use serde::{Serialize, de::DeserializeOwned};
use utoipa::ToSchema;

use crate::board::{Board, START, pgn::Pgn};

pub use crate::richman::{Endgame, Side, endgame};
pub use auction_game::AuctionGame;
pub use choice::{Choice, ChoiceKind, Dropped};
pub use diagram::{Deal, DealEnd, Diagram, Entry, MoneyHistory, PieceMoves, Place, Prediction};
pub use grammar::{ActionForm, BLANKS, Placeholder};
pub use protocol::{
    AGREEMENT, Actor, AgreedClocks, End, Outcome, RESIGNATION, Refusal, Seat, Step, TIME, Turn, Viewer,
};
pub use search_problem::SearchProblem;
pub use settings::{Capability, OptionRange, OptionSpec, PresetDescription, START_SETTING, TaskHelp};
pub use variant_info::{PgnTag, Support, VariantInfo};
pub use version::RulesVersion;

/// The rules of one family of games. The implementor's fields are its options, flat: flags, whole numbers and texts.
///
/// [`Live`](crate::game::Live) makes a game of any rules:
///
/// ```
/// use zorkmid_games::{game::{Clocks, Live}, rules::{Actor, Outcome, Seat, Turn, any_game::TypedGame}, variants::chess::Chess};
///
/// let mut game = Live::new(TypedGame::new(Chess::default())?, Clocks::new([None; 2]));
/// assert_eq!(game.turn(), Turn::One(Seat::One));
/// for (seat, text) in [(Seat::One, "f2f3"), (Seat::Two, "e7e5"), (Seat::One, "g2g4"), (Seat::Two, "d8h4")] {
///     game.act(Actor::Seat(seat), text, 0)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Win(Seat::Two, "checkmate")));
/// # Ok::<(), zorkmid_games::rules::Refusal>(())
/// ```
pub trait Rules: Clone + Debug + Default + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static {
    /// Facts about the variant.
    const INFO: VariantInfo;

    /// The meaning of the options, once they are read: positions, prices, limits. Nothing reads the options' texts again.
    type Terms: Clone + Debug + Send + Sync + 'static;
    /// Everything true of a game in progress. Never serialised.
    type State: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// An action that a player or chance may say. Its text is its only encoding.
    type Action: Clone + PartialEq + Debug + Display + FromStr<Err = Refusal> + Send + Sync + 'static;
    /// The game as one viewer may see it: all that leaves the server.
    type View: Serialize + ToSchema + PartialEq + Debug + AsRef<Diagram> + AsMut<Diagram> + Send + Sync + 'static;
    /// Returns the meaning of the options under a version of the rules, or what is wrong with their combination. Ranges of
    /// [`Describe::settings`] are checked elsewhere.
    fn terms(&self, version: RulesVersion) -> Result<Self::Terms, Refusal>;
    /// The state before anything has happened.
    fn start(&self, terms: &Self::Terms) -> Self::State;
    /// Says what the game asks for.
    fn turn(&self, state: &Self::State) -> Turn;
    /// A word for what is asked: `move`, `bid`, `answer` …
    fn phase(&self, _state: &Self::State) -> &'static str {
        "move"
    }
    /// Checks whether an actor who is asked may do this.
    fn check(&self, state: &Self::State, actor: Actor, action: &Self::Action) -> Result<(), Refusal>;
    /// Carries out what was checked.
    fn apply(&self, state: &mut Self::State, step: Step<Self::Action>);
    /// Checks whether a seat may stop the game so; [`Self::apply`] says what it means.
    fn check_end(&self, state: &Self::State, seat: Seat, end: End) -> Result<(), Refusal>;
    /// The points of both seats, exact.
    fn score(&self, state: &Self::State) -> [Ratio<i64>; 2];
    /// Shows what a viewer may see.
    fn view(&self, state: &Self::State, viewer: Viewer) -> Self::View;
    /// Chance speaks. Only asked if [`Self::turn`] says [`Turn::Chance`].
    fn draw(&self, _state: &Self::State, _rng: &mut dyn Rng) -> Self::Action {
        unreachable!("chance has no part in {}", Self::INFO.title)
    }
}

/// The variant in words: its options and the grammar of its actions.
pub trait Describe: Rules {
    /// Named options records, the default first.
    fn presets() -> Vec<(&'static str, Self)>;
    /// The options in words, in the order of a form.
    fn settings() -> &'static [OptionSpec];
    /// First version of the rules that has an option. Records of earlier versions do not name the option.
    fn option_since(_key: &str) -> RulesVersion {
        RulesVersion::FIRST
    }
    /// A word about each preset, where there are several.
    fn ways() -> &'static [PresetDescription] {
        &[]
    }
    /// Two lines on each task of a turn, for whoever has not done it yet.
    fn lessons() -> &'static [TaskHelp] {
        &[]
    }
    /// The grammar of what players say: every phrase with its phase, in the order of a game.
    fn phrases() -> &'static [ActionForm];
    /// The last position of a game in portable notation, as FEN.
    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        start_position::last_position(Board::orthodox(), START, game)
    }
    /// The game as it is played at auction; none if it is not.
    fn at_auction() -> Option<AuctionGame> {
        None
    }
}

/// Reading and offering actions beside the choices of a view.
pub trait Input: Rules {
    /// A word for what one seat is asked, where both are asked for different things.
    fn task(&self, state: &Self::State, _seat: Seat) -> &'static str {
        self.phase(state)
    }
    /// Lists what a seat that is asked may say besides the choices of its view: whole texts, and phrases as [`Describe::phrases`] has them,
    /// with the bounds that hold now. What fills a number's blank is accepted; what fills another may be refused. Choices, whole texts and
    /// phrases of numbers are together never none.
    fn besides(&self, _state: &Self::State, _seat: Seat) -> Vec<String> {
        Vec::new()
    }
    /// Finds the action that score sheets write so, where it can be told without listing everything that may be done.
    fn find(&self, _state: &Self::State, _text: &str) -> Option<Self::Action> {
        None
    }
    /// Gives what a seat that is asked sees while it puts an action together from parts: the board after `text`, which is as much
    /// of the action as there is, and as choices the parts that may follow. Nothing where actions are said in one piece.
    fn draft(&self, _state: &Self::State, _seat: Seat, _text: &str) -> Option<Self::View> {
        None
    }
}

/// What viewers may not know. Variants without secrets use the defaults.
pub trait HiddenInfo: Rules {
    /// Says what a viewer may know of what was said in a step (counted from 1), now that the game has come to this state: all of
    /// it, something that hides a part, or nothing. Not asked about a viewer's own actions, nor when the game is over.
    fn heard(
        &self,
        _state: &Self::State,
        _step: usize,
        _actor: Actor,
        action: &Self::Action,
        _viewer: Viewer,
    ) -> Option<Self::Action> {
        Some(action.clone())
    }
    /// Tells whether some viewer may see what another may not. Where it says no, the views of both seats and of nobody are the
    /// same, but for what is listed as choices.
    fn hides(&self, _state: &Self::State) -> bool {
        false
    }
    /// Opens a moment of a game that is over, whatever the state itself knows of that: nothing in it is hidden any more.
    fn open(&self, _state: &mut Self::State) {}
    /// A world that this seat could be in: what it may not know is drawn anew. The same world where everybody knows everything.
    fn redeal(&self, state: &Self::State, _seat: Seat, _rng: &mut dyn Rng) -> Self::State {
        state.clone()
    }
}

/// What bots and the endgame tables need.
pub trait BotSupport: Rules {
    /// Some sensible actions of a seat that is asked, at least one; never used for legality.
    fn candidates(&self, state: &Self::State, seat: Seat, rng: &mut dyn Rng) -> Vec<Self::Action>;
    /// A rough count of what each seat has, in hundredths of a pawn, for players that look only a little ahead.
    fn standing(&self, state: &Self::State) -> [i64; 2];
    /// The question that the endgame tables can be asked about this moment, if they speak of it.
    fn endgame(&self, _state: &Self::State) -> Option<Endgame> {
        None
    }
    /// The decision that a seat has to make, in a shape that a search knows; nothing where there is none for it. Asked about a world
    /// that [`Self::redeal`] made, so that it cannot tell what the seat may not know.
    fn prospect(&self, _state: &Self::State, _seat: Seat) -> Option<SearchProblem> {
        None
    }
}

/// What the rules say about clocks and takebacks.
pub trait GameControl: Rules {
    /// The clocks that the players have settled between themselves in this game, from when that is done; nothing where those hold that were
    /// agreed before it.
    fn allotment(&self, _state: &Self::State) -> Option<AgreedClocks> {
        None
    }
    /// Tells whether a takeback may come back to here.
    fn returnable(&self, _state: &Self::State) -> bool {
        true
    }
}

/// Rules with everything a hosted game needs.
pub trait FullRules: Describe + Input + HiddenInfo + BotSupport + GameControl {}

impl<R: Describe + Input + HiddenInfo + BotSupport + GameControl> FullRules for R {}
