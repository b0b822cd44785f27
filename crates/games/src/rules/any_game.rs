//! Type-erased games, actions and views: object-safe traits over any rules. Rules are erased only here.

use std::{
    any::Any,
    fmt::{self, Debug, Display},
    str::FromStr,
    sync::Arc,
};

use num_rational::Ratio;
use rand::Rng;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::{
    ActionForm, Actor, AgreedClocks, Diagram, End, Endgame, FullRules, GamePhase, Refusal, RulesVersion, SearchProblem,
    Seat, Step, Turn, VariantInfo, Viewer,
};

/// An action of any rules: its text, which is its only encoding, and the parsed value.
#[derive(Clone)]
pub struct AnyAction {
    text: Arc<str>,
    value: Arc<dyn Any + Send + Sync>,
}

impl AnyAction {
    /// Wraps an action.
    pub fn of<A: Display + Send + Sync + 'static>(action: A) -> AnyAction {
        AnyAction { text: action.to_string().into(), value: Arc::new(action) }
    }

    /// The action's text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The action as type `A`. Parses the text again if the value came from other rules.
    fn get<A: FromStr<Err = Refusal> + Clone + 'static>(&self) -> Result<A, Refusal> {
        self.value.downcast_ref::<A>().cloned().map_or_else(|| self.text.parse(), Ok)
    }
}

/// Actions are equal if their texts are equal.
impl PartialEq for AnyAction {
    fn eq(&self, other: &AnyAction) -> bool {
        self.text == other.text
    }
}

impl Eq for AnyAction {}

impl Debug for AnyAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Display for AnyAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A view of any rules.
pub trait AnyView: AsRef<Diagram> + AsMut<Diagram> + Debug + Send + Sync {
    /// The view as JSON.
    fn json(&self) -> Value;
    /// The view, for downcasting.
    fn as_any(&self) -> &(dyn Any + Send + Sync);
    /// Whether another view is equal.
    fn is_same(&self, other: &dyn AnyView) -> bool;
}

impl<V> AnyView for V
where
    V: AsRef<Diagram> + AsMut<Diagram> + Serialize + PartialEq + Debug + Send + Sync + 'static,
{
    fn json(&self) -> Value {
        serde_json::to_value(self).expect("serializing a view cannot fail")
    }

    fn as_any(&self) -> &(dyn Any + Send + Sync) {
        self
    }

    fn is_same(&self, other: &dyn AnyView) -> bool {
        other.as_any().downcast_ref::<V>() == Some(self)
    }
}

/// A view of a game, with its variant's key.
#[derive(Debug)]
pub struct GameView {
    /// Key of the variant; `None` before the inner game of a nested game begins.
    pub key: Option<&'static str>,
    /// The view.
    pub view: Box<dyn AnyView>,
}

impl GameView {
    /// The part that all variants share.
    pub fn diagram(&self) -> &Diagram {
        (*self.view).as_ref()
    }

    /// Mutable [`Self::diagram`].
    pub fn diagram_mut(&mut self) -> &mut Diagram {
        (*self.view).as_mut()
    }
}

impl PartialEq for GameView {
    fn eq(&self, other: &GameView) -> bool {
        self.key == other.key && self.view.is_same(&*other.view)
    }
}

impl Serialize for GameView {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.view.json().serialize(serializer)
    }
}

/// Rules and state of a game of any variant. Its methods are the methods of [`FullRules`].
#[expect(missing_docs, reason = "the traits of FullRules document them")]
pub trait AnyGame: Debug + Send + Sync {
    fn info(&self) -> VariantInfo;
    fn action_forms(&self) -> &'static [ActionForm];
    fn turn(&self) -> Turn;
    fn phase(&self) -> GamePhase;
    fn task(&self, seat: Seat) -> &'static str;
    fn parse(&self, text: &str) -> Result<AnyAction, Refusal>;
    fn check(&self, actor: Actor, action: &AnyAction) -> Result<(), Refusal>;
    fn listed_forms(&self, seat: Seat) -> Vec<String>;
    fn apply(&mut self, step: Step<AnyAction>);
    fn check_end(&self, seat: Seat, end: End) -> Result<(), Refusal>;
    fn score(&self) -> [Ratio<i64>; 2];
    fn view(&self, viewer: Viewer) -> GameView;
    fn draft(&self, seat: Seat, text: &str) -> Option<GameView>;
    fn visible_action(&self, step: usize, actor: Actor, action: &AnyAction, viewer: Viewer) -> Option<AnyAction>;
    fn find(&self, text: &str) -> Option<AnyAction>;
    fn has_hidden_info(&self) -> bool;
    fn reveal_all(&mut self);
    fn redeal(&self, seat: Seat, rng: &mut dyn Rng) -> Box<dyn AnyGame>;
    fn draw(&self, rng: &mut dyn Rng) -> AnyAction;
    fn candidates(&self, seat: Seat, rng: &mut dyn Rng) -> Vec<AnyAction>;
    fn rough_material(&self) -> [i64; 2];
    fn endgame(&self) -> Option<Endgame>;
    fn search_problem(&self, seat: Seat) -> Option<SearchProblem>;
    fn agreed_clocks(&self) -> Option<AgreedClocks>;
    fn is_between_deals(&self) -> bool;
    fn is_setting_terms(&self) -> bool;
    fn allows_takeback_here(&self) -> bool;
    fn completes_turn(&self, action: &AnyAction) -> bool;
    /// Version of the rules that the game is played under.
    fn version(&self) -> RulesVersion;
    /// The options, as a JSON object.
    fn options(&self) -> Map<String, Value>;
    /// A boxed copy.
    fn boxed(&self) -> Box<dyn AnyGame>;
    /// Whether another game has the same rules and state.
    fn is_same(&self, other: &dyn AnyGame) -> bool;
    /// The game, for downcasting.
    fn as_any(&self) -> &dyn Any;
}

impl Clone for Box<dyn AnyGame> {
    fn clone(&self) -> Self {
        (**self).boxed()
    }
}

/// A game whose rules are known at compile time.
#[derive(Clone, PartialEq, Debug)]
pub struct TypedGame<R: FullRules> {
    rules: Arc<R>,
    version: RulesVersion,
    state: R::State,
}

impl<R: FullRules> TypedGame<R> {
    /// A game at its start, under the current version of the rules.
    ///
    /// # Errors
    /// If the options are invalid.
    pub fn new(rules: R) -> Result<Self, Refusal> {
        TypedGame::under(RulesVersion::CURRENT, rules)
    }

    /// A game at its start, under any version of the rules.
    ///
    /// # Errors
    /// If the options are invalid.
    pub fn under(version: RulesVersion, rules: R) -> Result<Self, Refusal> {
        let state = rules.start(&rules.terms(version)?);
        Ok(TypedGame { rules: Arc::new(rules), version, state })
    }

    fn shown(view: R::View) -> GameView {
        GameView { key: Some(R::INFO.key), view: Box::new(view) }
    }
}

impl<R: FullRules> AnyGame for TypedGame<R> {
    fn info(&self) -> VariantInfo {
        R::INFO
    }

    fn action_forms(&self) -> &'static [ActionForm] {
        R::action_forms()
    }

    fn turn(&self) -> Turn {
        self.rules.turn(&self.state)
    }

    fn phase(&self) -> GamePhase {
        self.rules.phase(&self.state)
    }

    fn task(&self, seat: Seat) -> &'static str {
        self.rules.task(&self.state, seat)
    }

    fn parse(&self, text: &str) -> Result<AnyAction, Refusal> {
        text.parse::<R::Action>().map(AnyAction::of)
    }

    fn check(&self, actor: Actor, action: &AnyAction) -> Result<(), Refusal> {
        self.rules.check(&self.state, actor, &action.get()?)
    }

    fn listed_forms(&self, seat: Seat) -> Vec<String> {
        self.rules.listed_forms(&self.state, seat)
    }

    fn apply(&mut self, step: Step<AnyAction>) {
        self.rules.apply(&mut self.state, step.map(|action| action.get().expect("the action was checked")));
    }

    fn check_end(&self, seat: Seat, end: End) -> Result<(), Refusal> {
        self.rules.check_end(&self.state, seat, end)
    }

    fn score(&self) -> [Ratio<i64>; 2] {
        self.rules.score(&self.state)
    }

    fn view(&self, viewer: Viewer) -> GameView {
        Self::shown(self.rules.view(&self.state, viewer))
    }

    fn draft(&self, seat: Seat, text: &str) -> Option<GameView> {
        self.rules.draft(&self.state, seat, text).map(Self::shown)
    }

    fn visible_action(&self, step: usize, actor: Actor, action: &AnyAction, viewer: Viewer) -> Option<AnyAction> {
        self.rules.visible_action(&self.state, step, actor, &action.get().ok()?, viewer).map(AnyAction::of)
    }

    fn find(&self, text: &str) -> Option<AnyAction> {
        self.rules.find(&self.state, text).map(AnyAction::of)
    }

    fn has_hidden_info(&self) -> bool {
        self.rules.has_hidden_info(&self.state)
    }

    fn reveal_all(&mut self) {
        self.rules.reveal_all(&mut self.state);
    }

    fn redeal(&self, seat: Seat, rng: &mut dyn Rng) -> Box<dyn AnyGame> {
        Box::new(TypedGame { state: self.rules.redeal(&self.state, seat, rng), ..self.clone() })
    }

    fn draw(&self, rng: &mut dyn Rng) -> AnyAction {
        AnyAction::of(self.rules.draw(&self.state, rng))
    }

    fn candidates(&self, seat: Seat, rng: &mut dyn Rng) -> Vec<AnyAction> {
        self.rules.candidates(&self.state, seat, rng).into_iter().map(AnyAction::of).collect()
    }

    fn rough_material(&self) -> [i64; 2] {
        self.rules.rough_material(&self.state)
    }

    fn endgame(&self) -> Option<Endgame> {
        self.rules.endgame(&self.state)
    }

    fn search_problem(&self, seat: Seat) -> Option<SearchProblem> {
        self.rules.search_problem(&self.state, seat)
    }

    fn agreed_clocks(&self) -> Option<AgreedClocks> {
        self.rules.agreed_clocks(&self.state)
    }

    fn is_setting_terms(&self) -> bool {
        self.rules.is_setting_terms(&self.state)
    }

    fn is_between_deals(&self) -> bool {
        self.rules.is_between_deals(&self.state)
    }

    fn allows_takeback_here(&self) -> bool {
        self.rules.allows_takeback_here(&self.state)
    }

    fn completes_turn(&self, action: &AnyAction) -> bool {
        action.get().is_ok_and(|action| self.rules.completes_turn(&action))
    }

    fn version(&self) -> RulesVersion {
        self.version
    }

    fn options(&self) -> Map<String, Value> {
        match serde_json::to_value(&*self.rules) {
            Ok(Value::Object(options)) => options,
            Ok(_) | Err(_) => Map::new(),
        }
    }

    fn boxed(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }

    fn is_same(&self, other: &dyn AnyGame) -> bool {
        other.as_any().downcast_ref::<TypedGame<R>>() == Some(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
