//! List of all variants. Options become games here.

mod replay;

pub use replay::{Replayed, difference, read, tagged};

use std::ops::Deref;

use serde_json::{Map, Value};
use utoipa::{
    ToSchema,
    openapi::{RefOr, schema::Schema},
};

use crate::{
    board::pgn::Pgn,
    game::{Clocks, Live, RecordLine},
    rules::{
        ActionForm, AuctionGame, Capability, FullRules, OptionRange, OptionSpec, PresetDescription, Refusal,
        RulesVersion, Support, TaskHelp, VariantInfo,
        any_game::{AnyAction, AnyGame, TypedGame},
    },
    variants,
};

/// Number of characters of a wrong value that an error message quotes.
const QUOTED: usize = 40;

/// Schema of a type, and the schemas that it refers to, by name.
pub type Described = (RefOr<Schema>, Vec<(String, RefOr<Schema>)>);

/// A variant, with its rules type erased.
pub struct Variant {
    /// Facts about the variant.
    pub info: VariantInfo,
    /// Its options.
    pub settings: fn() -> &'static [OptionSpec],
    /// Its named options records, the default first.
    pub presets: fn() -> Vec<(&'static str, Value)>,
    /// One sentence on each preset, if there are several.
    pub ways: fn() -> &'static [PresetDescription],
    /// Two lines of help on each task of a turn.
    pub lessons: fn() -> &'static [TaskHelp],
    /// Options that the next game of the same players does not keep.
    revealed: fn() -> &'static [&'static str],
    /// Grammar of its actions.
    pub phrases: fn() -> &'static [ActionForm],
    /// Schema of its views, with the schemas that it refers to.
    pub view: fn() -> Described,
    /// The last position of a PGN game of this variant, as FEN.
    pub last_position: fn(&Pgn) -> Result<String, Refusal>,
    option_since: fn(&str) -> RulesVersion,
    open: fn(Value, RulesVersion) -> Result<Box<dyn AnyGame>, Refusal>,
    auction: fn() -> Option<AuctionGame>,
    action: fn(&str) -> Result<AnyAction, Refusal>,
}

/// All variants, in the order in which pages list them.
pub static VARIANTS: &[Variant] = &[
    Variant::of::<variants::bookie::Bookie>(),
    Variant::of::<variants::chess::Chess>(),
    Variant::of::<variants::lrs::Lrs>(),
    Variant::of::<variants::bidding::Bidding>(),
    Variant::of::<variants::random_turn::RandomTurn>(),
    Variant::of::<variants::csipgs::Csipgs>(),
    Variant::of::<variants::designed_chess::DesignedChess>(),
    Variant::of::<variants::clairvoyant::Clairvoyant>(),
    Variant::of::<variants::three_check::ThreeCheck>(),
    Variant::of::<variants::king_of_the_hill::Hill>(),
    Variant::of::<variants::crazyhouse::Crazyhouse>(),
    Variant::of::<variants::antichess::Antichess>(),
    Variant::of::<variants::atomic::Atomic>(),
    Variant::of::<variants::horde::Horde>(),
    Variant::of::<variants::racing_kings::RacingKings>(),
    Variant::of::<variants::minichess::Minichess>(),
    Variant::of::<variants::chess960::Chess960>(),
    Variant::of::<variants::fog_of_war::FogOfWar>(),
    Variant::of::<variants::duck::DuckChess>(),
    Variant::of::<variants::raumschach::Raumschach>(),
    Variant::of::<variants::shatranj::Shatranj>(),
    Variant::of::<variants::old_chess::OldChess>(),
    Variant::of::<variants::handicap::Handicap>(),
    Variant::of::<variants::random_variant::RandomVariant>(),
];

/// The variant with this key.
pub fn find(key: &str) -> Option<&'static Variant> {
    VARIANTS.iter().find(|variant| variant.key == key)
}

/// The variant with this key, or an error that lists all keys.
pub fn find_or_refuse(key: &str) -> Result<&'static Variant, Refusal> {
    find(key).ok_or_else(|| {
        let known: Vec<&str> = VARIANTS.iter().map(|variant| variant.key).collect();
        Refusal::new(format!("there is no variant “{key:.QUOTED$}”: choose one of {}", known.join(", ")))
    })
}

impl Deref for Variant {
    type Target = VariantInfo;

    fn deref(&self) -> &VariantInfo {
        &self.info
    }
}

impl Variant {
    /// Whether the variant supports a capability.
    pub const fn supports(&self, edition: Capability) -> Support {
        match edition {
            Capability::Auction => self.info.auction,
            Capability::Handicap => self.info.handicap,
        }
    }

    /// The entry of a rules type.
    pub const fn of<R: FullRules>() -> Variant {
        Variant {
            info: R::INFO,
            settings: R::settings,
            presets: presets::<R>,
            ways: R::ways,
            lessons: R::task_help,
            revealed: R::revealed_options,
            phrases: R::action_forms,
            view: described::<R::View>,
            last_position: R::last_position,
            option_since: R::option_since,
            open: open::<R>,
            auction: R::at_auction,
            action: |text| text.parse::<R::Action>().map(AnyAction::of),
        }
    }

    /// The variant as played at auction, or `None` if it is not played that way.
    pub fn at_auction(&self) -> Option<AuctionGame> {
        (self.auction)()
    }

    /// A new game nested in another one, from a position as FEN; empty for the usual one.
    ///
    /// # Errors
    /// If the position is invalid.
    pub fn start(&self, version: RulesVersion, fen: &str) -> Result<Box<dyn AnyGame>, Refusal> {
        let mut options = self.defaults_under(version);
        if !fen.is_empty() {
            options.insert("fen".to_owned(), fen.into());
        }
        (self.open)(Value::Object(options), version)
    }

    /// Parses an action.
    ///
    /// # Errors
    /// If the text is not an action; the refusal says where.
    pub fn parse(&self, text: &str) -> Result<AnyAction, Refusal> {
        (self.action)(text)
    }

    /// Default options record of a new game.
    pub fn defaults(&self) -> Map<String, Value> {
        self.defaults_under(RulesVersion::CURRENT)
    }

    /// Default options record under any version of the rules.
    pub fn defaults_under(&self, version: RulesVersion) -> Map<String, Value> {
        match (self.presets)().into_iter().next() {
            Some((_, Value::Object(mut defaults))) => {
                defaults.retain(|key, _| (self.option_since)(key) <= version);
                defaults
            }
            Some(_) | None => Map::new(),
        }
    }

    /// Options for another game on the same terms. Whatever the players of the first game now know is drawn anew.
    pub fn options_again(&self, mut options: Map<String, Value>) -> Map<String, Value> {
        options.retain(|key, _| !(self.revealed)().contains(&key.as_str()));
        options
    }

    /// Starts a new game. Options that are missing from `options` keep their defaults.
    pub fn begin(&self, options: &Map<String, Value>, clocks: Clocks) -> Result<Box<Live>, Refusal> {
        self.begin_under(RulesVersion::CURRENT, options, clocks)
    }

    /// Starts a game under any version of the rules.
    pub fn begin_under(
        &self,
        version: RulesVersion,
        options: &Map<String, Value>,
        clocks: Clocks,
    ) -> Result<Box<Live>, Refusal> {
        let options = Value::Object(self.options_under(version, options)?);
        Ok(Box::new(Live::boxed((self.open)(options, version)?, clocks)))
    }

    /// Fills in the defaults of a new game. Refuses unknown keys, wrong types and values out of range.
    pub fn options(&self, given: &Map<String, Value>) -> Result<Map<String, Value>, Refusal> {
        self.options_under(RulesVersion::CURRENT, given)
    }

    fn options_under(&self, version: RulesVersion, given: &Map<String, Value>) -> Result<Map<String, Value>, Refusal> {
        let mut options = self.defaults_under(version);
        let settings = || (self.settings)().iter().filter(|setting| (self.option_since)(setting.key) <= version);
        for (key, value) in given {
            let Some(setting) = settings().find(|setting| setting.key == key) else {
                let known: Vec<&str> = settings().map(|setting| setting.key).collect();
                let known = if known.is_empty() {
                    "there are no options".to_owned()
                } else {
                    format!("use {}", known.join(", "))
                };
                return Err(Refusal::new(format!("{} has no option “{key}”: {known}", self.title)));
            };
            within(setting, value)?;
            options.insert(key.clone(), value.clone());
        }
        Ok(options)
    }

    /// Replays a record.
    pub fn replay(
        &self,
        version: RulesVersion,
        options: &Map<String, Value>,
        clocks: Clocks,
        lines: &[RecordLine],
    ) -> Result<Box<Live>, Refusal> {
        let mut game = self.begin_under(version, options, clocks)?;
        for (number, line) in lines.iter().enumerate() {
            game.act(line.actor, &line.text, line.time).map_err(|refusal| {
                Refusal::new(format!("line {} of the record, “{}”: {refusal}", number + 1, line.text))
            })?;
        }
        Ok(game)
    }
}

/// Checks the type and range of an option's value.
fn within(setting: &OptionSpec, value: &Value) -> Result<(), Refusal> {
    let refuse = |wanted: String| {
        Err(Refusal::new(format!("the option {} must be {wanted}, not {}", setting.key, short(value))))
    };
    match setting.range {
        OptionRange::Flag if value.is_boolean() => Ok(()),
        OptionRange::Flag => refuse("true or false".to_owned()),
        OptionRange::Whole(..) | OptionRange::Money(..) | OptionRange::Cap(_) | OptionRange::Turns(_) => {
            let (least, most) = setting.range.bounds().unwrap_or_default();
            let tenths = if setting.range.is_money() { ", in tenths of a zorkmid" } else { "" };
            match value.as_i64() {
                Some(number) if (least..=most).contains(&number) => Ok(()),
                Some(_) | None => refuse(format!("a whole number from {least} to {most}{tenths}")),
            }
        }
        OptionRange::Word(words) => of_words(setting, value, words),
        OptionRange::Game(edition) => match unsupported(edition).find(|(key, _)| value.as_str() == Some(key)) {
            Some((key, why)) => Err(Refusal::new(format!("the option {} cannot be {key}: {why}", setting.key))),
            None => of_words(setting, value, &words(setting.range)),
        },
        OptionRange::Text(example) | OptionRange::Position(example) => match value.as_str() {
            Some(text) if text.len() <= 4_096 => Ok(()),
            Some(_) | None => refuse(format!("a text of at most 4096 characters, such as “{example}”")),
        },
    }
}

/// The allowed values of an option, each with its description. Empty for other kinds of options.
pub fn words(range: OptionRange) -> Vec<(&'static str, &'static str)> {
    match range {
        OptionRange::Word(words) => words.to_vec(),
        OptionRange::Game(edition) => {
            let games = VARIANTS.iter().filter(|variant| variant.supports(edition) == Support::Yes);
            games.map(|game| (game.key, game.title)).collect()
        }
        OptionRange::Flag
        | OptionRange::Whole(..)
        | OptionRange::Money(..)
        | OptionRange::Cap(_)
        | OptionRange::Turns(_)
        | OptionRange::Position(_)
        | OptionRange::Text(_) => Vec::new(),
    }
}

/// The variants without a capability, each with the reason.
pub fn unsupported(edition: Capability) -> impl Iterator<Item = (&'static str, &'static str)> {
    VARIANTS.iter().filter_map(move |variant| Some((variant.key, variant.supports(edition).reason()?)))
}

/// Checks that a value is one of the allowed ones.
fn of_words(setting: &OptionSpec, value: &Value, words: &[(&str, &str)]) -> Result<(), Refusal> {
    if words.iter().any(|(word, _)| value.as_str() == Some(word)) {
        return Ok(());
    }
    let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let (known, value) = (known.join(", "), short(value));
    Err(Refusal::new(format!("the option {} must be one of {known}, not {value}", setting.key)))
}

/// A value for an error message, shortened to [`QUOTED`] characters.
fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn presets<R: FullRules>() -> Vec<(&'static str, Value)> {
    let record = |rules: R| serde_json::to_value(rules).expect("options are flat records");
    R::presets().into_iter().map(|(name, rules)| (name, record(rules))).collect()
}

fn described<V: ToSchema>() -> Described {
    let mut named = Vec::new();
    V::schemas(&mut named);
    (V::schema(), named)
}

fn open<R: FullRules>(options: Value, version: RulesVersion) -> Result<Box<dyn AnyGame>, Refusal> {
    let rules: R = serde_json::from_value(options)
        .map_err(|error| Refusal::new(format!("the options of {}: {error}", R::INFO.title)))?;
    Ok(Box::new(TypedGame::under(version, rules)?))
}
