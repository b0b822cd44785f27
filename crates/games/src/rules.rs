//! Traits that every variant implements, and the types they use. No I/O, no clock; randomness comes in as an argument.

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
pub use grammar::{ActionForm, BLANKS, GamePhase, Placeholder};
pub use protocol::{
    AGREEMENT, Actor, AgreedClocks, End, LEFT, Outcome, RESIGNATION, Refusal, Seat, Step, TIME, Turn, Viewer,
};
pub use search_problem::SearchProblem;
pub use settings::{Capability, OptionRange, OptionSpec, PresetDescription, START_SETTING, TaskHelp};
pub use variant_info::{PgnTag, Support, VariantInfo};
pub use version::RulesVersion;

/// Rules of one family of games. The fields of the implementing type are its options: flags, whole numbers and texts, without
/// nesting.
///
/// [`Live`](crate::game::Live) runs a game of any rules:
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

    /// The options in parsed form: positions, prices, limits. The option texts are read only once.
    type Terms: Clone + Debug + Send + Sync + 'static;
    /// Complete state of a game in progress, including hidden information. Never serialised.
    type State: Clone + PartialEq + Debug + Send + Sync + 'static;
    /// An action of a player or of chance. Its text is its only encoding.
    type Action: Clone + PartialEq + Debug + Display + FromStr<Err = Refusal> + Send + Sync + 'static;
    /// The game as one viewer may see it. Only views leave the server.
    type View: Serialize + ToSchema + PartialEq + Debug + AsRef<Diagram> + AsMut<Diagram> + Send + Sync + 'static;
    /// Parses the options under a version of the rules, or returns the reason why they do not go together. The ranges given by
    /// [`Describe::settings`] are checked elsewhere.
    fn terms(&self, version: RulesVersion) -> Result<Self::Terms, Refusal>;
    /// The state at the start of a game.
    fn start(&self, terms: &Self::Terms) -> Self::State;
    /// Whose turn it is.
    fn turn(&self, state: &Self::State) -> Turn;
    /// The kind of action that the game waits for.
    fn phase(&self, _state: &Self::State) -> GamePhase {
        GamePhase::Move
    }
    /// Checks an action of an actor whose turn it is.
    fn check(&self, state: &Self::State, actor: Actor, action: &Self::Action) -> Result<(), Refusal>;
    /// Applies a step whose actions have passed [`Self::check`].
    fn apply(&self, state: &mut Self::State, step: Step<Self::Action>);
    /// Checks whether a seat may end the game this way. [`Self::apply`] carries it out.
    fn check_end(&self, state: &Self::State, seat: Seat, end: End) -> Result<(), Refusal>;
    /// Exact points of both seats.
    fn score(&self, state: &Self::State) -> [Ratio<i64>; 2];
    /// The game as `viewer` may see it.
    fn view(&self, state: &Self::State, viewer: Viewer) -> Self::View;
    /// Draws a chance action. Called only when [`Self::turn`] is [`Turn::Chance`].
    fn draw(&self, _state: &Self::State, _rng: &mut dyn Rng) -> Self::Action {
        unreachable!("chance has no part in {}", Self::INFO.title)
    }
}

/// Description of a variant: its options and the grammar of its actions.
pub trait Describe: Rules {
    /// Named options records, the default first.
    fn presets() -> Vec<(&'static str, Self)>;
    /// The options, in the order of the form.
    fn settings() -> &'static [OptionSpec];
    /// First version of the rules that has an option. Records of earlier versions do not contain the option.
    fn option_since(_key: &str) -> RulesVersion {
        RulesVersion::FIRST
    }
    /// Options that fix what a game reveals, such as a hidden position. The next game of the same players does not keep them.
    fn revealed_options() -> &'static [&'static str] {
        &[]
    }
    /// One sentence on each preset, if there are several.
    fn ways() -> &'static [PresetDescription] {
        &[]
    }
    /// Two lines of help on each task of a turn, for players who are new to it.
    fn task_help() -> &'static [TaskHelp] {
        &[]
    }
    /// Grammar of the players' actions: every form with its phases, in the order in which a game uses them.
    fn action_forms() -> &'static [ActionForm];
    /// The last position of a PGN game, as FEN.
    fn last_position(game: &Pgn) -> Result<String, Refusal> {
        start_position::last_position(Board::orthodox(), START, game)
    }
    /// The variant as played at auction, or `None` if it is not played that way.
    fn at_auction() -> Option<AuctionGame> {
        None
    }
}

/// Reading and offering actions beyond the choices of a view.
pub trait Input: Rules {
    /// Kind of action that one seat must submit in words, for phases in which the seats submit different kinds.
    fn task(&self, state: &Self::State, _seat: Seat) -> &'static str {
        self.phase(state).name()
    }
    /// Lists the actions of a pending seat that its view does not list as choices: complete texts, and forms as in
    /// [`Describe::action_forms`] with their current bounds. Any number within a blank's bounds is accepted. Other blanks may be
    /// filled with texts that are refused. A pending seat always has at least one choice, complete text or form whose blanks are
    /// numbers.
    fn listed_forms(&self, _state: &Self::State, _seat: Seat) -> Vec<String> {
        Vec::new()
    }
    /// Finds the action for a text in score-sheet notation, if that is possible without listing all legal actions.
    fn find(&self, _state: &Self::State, _text: &str) -> Option<Self::Action> {
        None
    }
    /// View for a pending seat that builds an action from parts: the board after `text`, the part entered so far, with the
    /// possible next parts as choices. `None` if actions are entered in one piece.
    fn draft(&self, _state: &Self::State, _seat: Seat, _text: &str) -> Option<Self::View> {
        None
    }
}

/// Hidden information. Variants without hidden information use the defaults.
pub trait HiddenInfo: Rules {
    /// The part that `viewer` may know, in this state, of an action submitted in `step` (counted from 1): the whole action, a
    /// redacted version, or nothing. Not called for a viewer's own actions, nor once the game is over.
    fn visible_action(
        &self,
        _state: &Self::State,
        _step: usize,
        _actor: Actor,
        action: &Self::Action,
        _viewer: Viewer,
    ) -> Option<Self::Action> {
        Some(action.clone())
    }
    /// Whether some viewer may see information that another may not. If `false`, the views of both seats and of spectators are
    /// equal except for the listed choices.
    fn has_hidden_info(&self, _state: &Self::State) -> bool {
        false
    }
    /// Reveals all hidden information of a state. Called only for games that are over, but for any of their states.
    fn reveal_all(&self, _state: &mut Self::State) {}
    /// Redraws everything that this seat cannot know (a determinization). Returns the same state if nothing is hidden.
    fn redeal(&self, state: &Self::State, _seat: Seat, _rng: &mut dyn Rng) -> Self::State {
        state.clone()
    }
}

/// Support for bots and the endgame tables.
pub trait BotSupport: Rules {
    /// Some sensible actions of a pending seat, at least one. Never used to decide legality.
    fn candidates(&self, state: &Self::State, seat: Seat, rng: &mut dyn Rng) -> Vec<Self::Action>;
    /// Rough evaluation of each seat's material, in hundredths of a pawn, for shallow searches.
    fn rough_material(&self, state: &Self::State) -> [i64; 2];
    /// The endgame-table query for this state, if the tables cover it.
    fn endgame(&self, _state: &Self::State) -> Option<Endgame> {
        None
    }
    /// The decision of a seat in a form that a search understands, or `None`. Called on a state made by [`HiddenInfo::redeal`], so the
    /// result cannot reveal hidden information.
    fn search_problem(&self, _state: &Self::State, _seat: Seat) -> Option<SearchProblem> {
        None
    }
}

/// Rules about clocks and takebacks.
pub trait GameControl: Rules {
    /// Clocks that the players agreed on during the game, once they have. `None` if the clocks agreed on before the game apply.
    fn agreed_clocks(&self, _state: &Self::State) -> Option<AgreedClocks> {
        None
    }
    /// Whether a deal of a match has just ended, so that the clocks rest until the players go on to the next one.
    fn is_between_deals(&self, _state: &Self::State) -> bool {
        false
    }
    /// Whether the players still write the slips that set the stakes or the handicap. Pages offer no draw meanwhile.
    fn is_setting_terms(&self, _state: &Self::State) -> bool {
        false
    }
    /// Whether a takeback may return to this state.
    fn allows_takeback_here(&self, _state: &Self::State) -> bool {
        true
    }
    /// Whether an action only completes its player's turn. A takeback also takes back the player's action before it.
    fn completes_turn(&self, _action: &Self::Action) -> bool {
        false
    }
}

/// All traits that a hosted game needs.
pub trait FullRules: Describe + Input + HiddenInfo + BotSupport + GameControl {}

impl<R: Describe + Input + HiddenInfo + BotSupport + GameControl> FullRules for R {}
