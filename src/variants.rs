//! The list of variants: one line each, with the template of its part of a page, that of what stands directly below the board, the
//! words that they offer, the template of its rules, and those of its papers to print. Here options become games, and a view becomes the variant's part of a page.

mod frame;
mod replay;

pub use frame::{Frame, OwnParts, Paged, Sketch};
pub use replay::{Replayed, difference, read, tagged};

use askama::Template;
use serde_json::{Map, Value};
use std::sync::LazyLock;
use utoipa::{
    ToSchema,
    openapi::{RefOr, schema::Schema},
};

use crate::{
    board::pgn::Pgn,
    game::{AnyView, Clocks, Game, Live, RecordLine},
    rules::{self, Edition, Lesson, Phrase, Range, Refusal, Rules, Setting, Way},
};

/// The number of characters of a wrong value that are quoted.
const QUOTED: usize = 40;

/// The description of a type, and those of all that it refers to, by name.
pub type Described = (RefOr<Schema>, Vec<(String, RefOr<Schema>)>);

/// A variant, its rules forgotten.
pub struct Variant {
    /// Its key in addresses.
    pub key: &'static str,
    /// Its name.
    pub title: &'static str,
    /// One sentence about it.
    pub summary: &'static str,
    /// Its players design pieces, and would like to try them first.
    pub designs_pieces: bool,
    /// Why it has no such edition; nothing where it has one.
    pub unfit: fn(Edition) -> Option<&'static str>,
    /// Its options in words.
    pub settings: fn() -> &'static [Setting],
    /// Its options records by name, the default first.
    pub presets: fn() -> Vec<(&'static str, Value)>,
    /// A word about each preset, where there are several.
    pub ways: fn() -> &'static [Way],
    /// Two lines on each task of a turn.
    pub lessons: fn() -> &'static [Lesson],
    /// The grammar of what players say.
    pub phrases: fn() -> &'static [Phrase],
    /// The description of its views, with all that it refers to by name.
    pub view: fn() -> Described,
    /// The last position of one of its games in portable notation, as FEN.
    pub last_position: fn(&Pgn) -> Result<String, Refusal>,
    /// The words that its part of a page offers by itself.
    pub words: &'static [&'static str],
    /// The page of its rules around what its head is to tell of itself, if it is the same for everybody.
    pub rules: Option<fn(card: &str) -> String>,
    /// Its papers: the rules on one page, and what else helps over a board.
    pub papers: &'static [Paper],
    parts: fn(&Frame, &AnyView) -> Option<OwnParts>,
    open: fn(Value, Clocks) -> Result<Box<dyn Game>, Refusal>,
}

/// A page to be printed.
pub struct Paper {
    /// Its key in addresses, below that of the rules.
    pub key: &'static str,
    /// The page.
    pub page: fn() -> &'static str,
}

macro_rules! variants {
    ($(
        $rules:ty => $template:literal $(with $below:literal)? $(offers [$($word:literal),*])? $(and $page:literal)?
        prints [$($paper:literal => $sheet:literal),*],
    )*) => {
        /// All variants, in the order in which they are offered.
        pub static VARIANTS: &[Variant] = &[$(Variant {
            rules: rules_page!($($page)?),
            papers: &[$(Paper { key: $paper, page: page!($sheet) }),*],
            ..Variant::of::<$rules>()
        }),*];
        $(const _: () = {
            #[derive(Template)]
            #[template(path = $template)]
            struct Page<'a> {
                frame: &'a Frame,
                view: &'a <$rules as Rules>::View,
            }
            impl Paged for $rules {
                const WORDS: &'static [&'static str] = &[$($($word),*)?];

                fn page(frame: &Frame, view: &Self::View) -> String {
                    Page { frame, view }.render().expect("writing to a string does not fail")
                }

                $(fn below(frame: &Frame, view: &Self::View) -> Option<String> {
                    #[derive(Template)]
                    #[template(path = $below)]
                    struct Below<'a> {
                        frame: &'a Frame,
                        view: &'a <$rules as Rules>::View,
                    }
                    let below = Below { frame, view }.render().expect("writing to a string does not fail");
                    (!below.trim().is_empty()).then_some(below)
                })?
            }
        };)*
    };
}

/// The page that a template makes, once: it is the same for everybody.
macro_rules! page {
    ($page:literal) => {{
        #[derive(Template)]
        #[template(path = $page)]
        struct Page;
        static PAGE: LazyLock<String> = LazyLock::new(|| Page.render().expect("writing to a string does not fail"));
        || PAGE.as_str()
    }};
}

/// The page of rules that a template makes.
macro_rules! rules_page {
    () => {
        None
    };
    ($page:literal) => {{
        #[derive(Template)]
        #[template(path = $page)]
        struct Rulebook<'a> {
            card: &'a str,
        }
        Some(|card| Rulebook { card }.render().expect("writing to a string does not fail"))
    }};
}

variants! {
    rules::bookie::Bookie => "bookie_match.html" offers ["play", "concede"]
        prints ["summary" => "papers/bookie.html", "score" => "papers/bookie_score.html"],
    rules::chess::Chess => "chess.html" and "rules/chess.html" prints ["summary" => "papers/chess.html"],
    rules::lrs::Lrs => "lrs.html" and "rules/lrs.html" prints ["summary" => "papers/lrs.html"],
    rules::bidding::Bidding => "bidding.html" offers ["accept", "reject", "take", "give", "pass"] and "rules/bidding.html"
        prints ["summary" => "papers/bidding.html"],
    rules::random_turn::RandomTurn => "random-turn.html" offers ["pass"] and "rules/random-turn.html"
        prints ["summary" => "papers/random-turn.html"],
    rules::csipgs::Csipgs => "csipgs.html" offers ["buy"] and "rules/csipgs.html" prints ["summary" => "papers/csipgs.html"],
    rules::designed::DesignedChess => "chess.html" and "rules/designed-chess.html"
        prints ["summary" => "papers/designed-chess.html"],
    rules::clairvoyant::Clairvoyant => "clairvoyant.html" with "clairvoyant_below.html" offers ["accept", "retract"]
        and "rules/clairvoyant.html"
        prints ["summary" => "papers/clairvoyant.html", "guesses" => "papers/guesses.html", "purses" => "papers/purses.html"],
    rules::three_check::ThreeCheck => "three-check.html" and "rules/three-check.html"
        prints ["summary" => "papers/three-check.html"],
    rules::hill::Hill => "chess.html" and "rules/king-of-the-hill.html" prints ["summary" => "papers/king-of-the-hill.html"],
    rules::crazyhouse::Crazyhouse => "chess.html" and "rules/crazyhouse.html"
        prints ["summary" => "papers/crazyhouse.html"],
    rules::antichess::Antichess => "chess.html" and "rules/antichess.html" prints ["summary" => "papers/antichess.html"],
    rules::horde::Horde => "chess.html" and "rules/horde.html" prints ["summary" => "papers/horde.html"],
    rules::racing_kings::RacingKings => "chess.html" and "rules/racing-kings.html"
        prints ["summary" => "papers/racing-kings.html"],
    rules::minichess::Minichess => "chess.html" and "rules/minichess.html" prints ["summary" => "papers/minichess.html"],
    rules::chess960::Chess960 => "chess960.html" and "rules/chess960.html" prints ["summary" => "papers/chess960.html"],
    rules::fog_of_war::FogOfWar => "fog-of-war.html" and "rules/fog-of-war.html" prints ["summary" => "papers/fog-of-war.html"],
    rules::duck::DuckChess => "duck.html" with "duck_below.html" and "rules/duck.html" prints ["summary" => "papers/duck.html"],
    rules::raumschach::Raumschach => "chess.html" and "rules/raumschach.html" prints ["summary" => "papers/raumschach.html"],
    rules::shatranj::Shatranj => "chess.html" and "rules/shatranj.html" prints ["summary" => "papers/shatranj.html"],
    rules::old_chess::OldChess => "chess.html" and "rules/old-chess.html" prints ["summary" => "papers/old-chess.html"],
    rules::handicap::Handicap => "handicap.html" with "kin_below.html" offers ["seconds", "give"] and "rules/handicap.html"
        prints ["summary" => "papers/handicap.html"],
    rules::random_variant::RandomVariant => "random-variant.html" with "kin_below.html" offers ["weigh"]
        and "rules/random-variant.html" prints ["summary" => "papers/random-variant.html"],
}

/// The variant of a key.
pub fn find(key: &str) -> Option<&'static Variant> {
    VARIANTS.iter().find(|variant| variant.key == key)
}

/// The variant of a key that somebody has written.
pub fn named(key: &str) -> Result<&'static Variant, Refusal> {
    find(key).ok_or_else(|| {
        let known: Vec<&str> = VARIANTS.iter().map(|variant| variant.key).collect();
        Refusal::new(format!("there is no variant “{key:.QUOTED$}”; there are {}", known.join(", ")))
    })
}

impl Variant {
    /// The entry of some rules.
    pub const fn of<R: Paged>() -> Variant {
        Variant {
            key: R::KEY,
            title: R::TITLE,
            summary: R::SUMMARY,
            designs_pieces: R::DESIGNS_PIECES,
            unfit: |edition| match edition {
                Edition::Auction => R::NO_AUCTION,
                Edition::Handicap => R::NO_HANDICAP,
            },
            settings: R::settings,
            presets: presets::<R>,
            ways: R::ways,
            lessons: R::lessons,
            phrases: R::phrases,
            view: described::<R::View>,
            last_position: R::last_position,
            words: R::WORDS,
            rules: None,
            papers: &[],
            parts: parts::<R>,
            open: open::<R>,
        }
    }

    /// Its own parts of the page on which a viewer meets one of its games.
    pub fn page(&self, game: &dyn Game, frame: &Frame) -> OwnParts {
        let shown = game.shown(frame.viewer, frame.draft.as_deref());
        (self.parts)(frame, &shown).expect("the game is one of this variant")
    }

    /// The default options record.
    pub fn defaults(&self) -> Map<String, Value> {
        match (self.presets)().into_iter().next() {
            Some((_, Value::Object(defaults))) => defaults,
            Some(_) | None => Map::new(),
        }
    }

    /// A new game. `options` may leave out what is to stay at its default.
    pub fn begin(&self, options: &Map<String, Value>, clocks: Clocks) -> Result<Box<dyn Game>, Refusal> {
        (self.open)(Value::Object(self.options(options)?), clocks)
    }

    /// Fills in the defaults and refuses unknown keys, wrong types and values out of range.
    pub fn options(&self, given: &Map<String, Value>) -> Result<Map<String, Value>, Refusal> {
        let mut options = self.defaults();
        for (key, value) in given {
            let Some(setting) = (self.settings)().iter().find(|setting| setting.key == key) else {
                let known: Vec<&str> = (self.settings)().iter().map(|setting| setting.key).collect();
                let known =
                    if known.is_empty() { "it has none".to_owned() } else { format!("they are {}", known.join(", ")) };
                return Err(Refusal::new(format!("{} has no option “{key}”: {known}", self.title)));
            };
            within(setting, value)?;
            options.insert(key.clone(), value.clone());
        }
        Ok(options)
    }

    /// The game that a record tells.
    pub fn replay(
        &self,
        options: &Map<String, Value>,
        clocks: Clocks,
        lines: &[RecordLine],
    ) -> Result<Box<dyn Game>, Refusal> {
        let mut game = self.begin(options, clocks)?;
        for (number, line) in lines.iter().enumerate() {
            game.act(line.actor, &line.text, line.time).map_err(|refusal| {
                Refusal::new(format!("line {} of the record, “{}”: {refusal}", number + 1, line.text))
            })?;
        }
        Ok(game)
    }
}

/// Checks that a value is of an option's type and range.
fn within(setting: &Setting, value: &Value) -> Result<(), Refusal> {
    let refuse = |wanted: String| {
        Err(Refusal::new(format!("the option {} is {wanted}, and {} is not", setting.key, short(value))))
    };
    match setting.range {
        Range::Flag if value.is_boolean() => Ok(()),
        Range::Flag => refuse("true or false".to_owned()),
        Range::Whole(..) | Range::Money(..) | Range::Cap(_) | Range::Turns(_) => {
            let (least, most) = setting.range.bounds().unwrap_or_default();
            let tenths = if setting.range.is_money() { ", in tenths of a zorkmid" } else { "" };
            match value.as_i64() {
                Some(number) if (least..=most).contains(&number) => Ok(()),
                Some(_) | None => refuse(format!("a whole number from {least} to {most}{tenths}")),
            }
        }
        Range::Word(words) => of_words(setting, value, words),
        Range::Game(words, edition) => match unfit(edition).find(|(key, _)| value.as_str() == Some(key)) {
            Some((key, why)) => Err(Refusal::new(format!("the option {} cannot be {key}: {why}", setting.key))),
            None => of_words(setting, value, words),
        },
        Range::Text(example) | Range::Position(example) => match value.as_str() {
            Some(text) if text.len() <= 4_096 => Ok(()),
            Some(_) | None => refuse(format!("a text of at most 4096 characters, such as “{example}”")),
        },
    }
}

/// The games that have no such edition, each with the reason.
pub fn unfit(edition: Edition) -> impl Iterator<Item = (&'static str, &'static str)> {
    VARIANTS.iter().filter_map(move |variant| Some((variant.key, (variant.unfit)(edition)?)))
}

/// Checks that a value is one of some words.
fn of_words(setting: &Setting, value: &Value, words: &[(&str, &str)]) -> Result<(), Refusal> {
    if words.iter().any(|(word, _)| value.as_str() == Some(word)) {
        return Ok(());
    }
    let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let (known, value) = (known.join(", "), short(value));
    Err(Refusal::new(format!("the option {} is one of {known}, and {value} is not", setting.key)))
}

/// A value as it is quoted: of a long one the beginning.
fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

fn presets<R: Rules>() -> Vec<(&'static str, Value)> {
    let record = |rules: R| serde_json::to_value(rules).expect("options are flat records");
    R::presets().into_iter().map(|(name, rules)| (name, record(rules))).collect()
}

fn described<V: ToSchema>() -> Described {
    let mut named = Vec::new();
    V::schemas(&mut named);
    (V::schema(), named)
}

fn parts<R: Paged>(frame: &Frame, shown: &AnyView) -> Option<OwnParts> {
    let view: &R::View = shown.downcast_ref()?;
    Some(OwnParts { beside: R::page(frame, view), below: R::below(frame, view) })
}

fn open<R: Paged>(options: Value, clocks: Clocks) -> Result<Box<dyn Game>, Refusal> {
    let rules: R = serde_json::from_value(options)
        .map_err(|error| Refusal::new(format!("the options of {}: {error}", R::TITLE)))?;
    Ok(Box::new(Live::new(rules, clocks)?))
}
