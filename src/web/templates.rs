//! What is a variant's own among the pages, one line each: the template of its part of a game's page, that of what stands directly below
//! the board, the words that these offer, the template of its rules, and those of its papers to print.

use std::{any::Any, fmt, sync::LazyLock};

use askama::Template;

use super::frame::Frame;
use crate::{
    game::Game,
    rules::{self, Rules, nested::NestedView},
};

/// Rules whose views can be shown on a page.
pub trait Paged: Rules {
    /// The words that its part of a page offers by itself, in buttons and fields of its own.
    const WORDS: &'static [&'static str] = &[];

    /// The variant's part of a page.
    fn page(frame: &Frame, view: &Self::View) -> String;
    /// The part that stands directly below the board, where it has one: what is done there with the hands.
    fn below(_frame: &Frame, _view: &Self::View) -> Option<String> {
        None
    }
}

/// What is a variant's own on the page of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnParts {
    /// The part beside the board.
    pub beside: String,
    /// The part directly below the board, where there is one.
    pub below: Option<String>,
}

impl fmt::Display for OwnParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.below.as_deref().unwrap_or_default(), self.beside)
    }
}

/// A page to be printed.
pub struct Paper {
    /// Its key in addresses, below that of the rules.
    pub key: &'static str,
    /// The page.
    pub page: fn() -> &'static str,
}

/// The pages of a variant, its rules forgotten.
pub struct Templates {
    /// The variant's key.
    pub key: &'static str,
    /// The words that its part of a game's page offers by itself.
    pub words: &'static [&'static str],
    /// The page of its rules around what its head is to tell of itself, if it is the same for everybody.
    pub rules: Option<fn(card: &str) -> String>,
    /// Its papers: the rules on one page, and what else helps over a board.
    pub papers: &'static [Paper],
    parts: fn(&Frame, &(dyn Any + Send + Sync)) -> Option<OwnParts>,
}

macro_rules! templates {
    ($(
        $rules:ty => $template:literal $(with $below:literal)? $(offers [$($word:literal),*])? $(and $page:literal)?
        prints [$($paper:literal => $sheet:literal),*],
    )*) => {
        /// Those of all variants.
        static TEMPLATES: &[Templates] = &[$(Templates {
            rules: rules_page!($($page)?),
            papers: &[$(Paper { key: $paper, page: page!($sheet) }),*],
            ..Templates::of::<$rules>()
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

templates! {
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
    rules::atomic::Atomic => "chess.html" and "rules/atomic.html" prints ["summary" => "papers/atomic.html"],
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
    rules::handicap::Handicap => "handicap.html" with "nested_below.html" offers ["seconds", "give"] and "rules/handicap.html"
        prints ["summary" => "papers/handicap.html"],
    rules::random_variant::RandomVariant => "random-variant.html" with "nested_below.html" offers ["weigh"]
        and "rules/random-variant.html" prints ["summary" => "papers/random-variant.html"],
}

/// The pages of the variant of a key.
pub fn of(key: &str) -> Option<&'static Templates> {
    TEMPLATES.iter().find(|templates| templates.key == key)
}

/// The own parts of the page of a game inside another one; none before it begins.
pub fn nested(frame: &Frame, view: &NestedView) -> Option<OwnParts> {
    (of(view.key?)?.parts)(frame, view.view.as_any())
}

impl Templates {
    /// The entry of some rules, without pages of their own.
    pub const fn of<R: Paged>() -> Templates {
        Templates { key: R::INFO.key, words: R::WORDS, rules: None, papers: &[], parts: parts::<R> }
    }

    /// Its own parts of the page on which a viewer meets one of its games.
    pub fn page(&self, game: &dyn Game, frame: &Frame) -> OwnParts {
        let view = game.shown(frame.viewer, frame.draft.as_deref());
        (self.parts)(frame, &*view).expect("the game is one of this variant")
    }
}

fn parts<R: Paged>(frame: &Frame, view: &(dyn Any + Send + Sync)) -> Option<OwnParts> {
    let view: &R::View = view.downcast_ref()?;
    Some(OwnParts { beside: R::page(frame, view), below: R::below(frame, view) })
}
