//! A variant's own templates: its parts of the page of a game, where they differ from those of chess, its rules page, and its papers. Rules
//! pages and papers are found by the names of their templates.

use super::{App, Error, PublicOrigin, extract::Path, frame::Frame, link_preview::Preview, page as render};
use crate::{
    game::Live,
    registry::{self, VARIANTS, Variant},
    rules::{Rules, any_game::GameView},
    variants,
};
use askama::Template;
use axum::{
    extract::State,
    response::{Html, IntoResponse, Response},
};
use std::{
    any::Any,
    fmt,
    sync::{Arc, LazyLock},
};

/// Variants whose page of rules has a form on it, and a handler of its own.
const WITH_FORMS: [&str; 1] = ["bookie"];

/// Rules whose views can be shown on a page.
pub trait PageParts: Rules {
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

/// The rules of a variant and its papers.
pub struct Rulebook {
    key: &'static str,
    /// The page of its rules, given what its head tells about itself; none where the page has a handler of its own.
    pub rules: Option<fn(card: &str) -> String>,
    /// Its notation, the API's grammar and readings of gaps, on a page of their own.
    pub notation: Option<fn(card: &str) -> String>,
    /// Its papers: the rules on one page first, then what else helps over a board.
    pub papers: &'static [Paper],
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
    ($page:literal) => {{
        #[derive(Template)]
        #[template(path = $page)]
        struct Rulebook<'a> {
            card: &'a str,
        }
        Some(|card| Rulebook { card }.render().expect("writing to a string does not fail"))
    }};
}

/// The rulebooks of all variants, by the names of their templates.
static RULEBOOKS: &[Rulebook] = include!(concat!(env!("OUT_DIR"), "/rulebooks.rs"));

/// The rulebook of a variant.
pub fn rulebook(key: &str) -> Option<&'static Rulebook> {
    RULEBOOKS.iter().find(|book| book.key == key)
}

/// A variant's parts of the page of a game.
pub struct Templates {
    key: &'static str,
    /// The words that they offer by themselves.
    pub words: &'static [&'static str],
    parts: fn(&Frame, &(dyn Any + Send + Sync)) -> Option<OwnParts>,
}

macro_rules! templates {
    ($($rules:ty => $template:literal $(with $below:literal)? $(offers [$($word:literal),*])?,)*) => {
        /// Those of the variants whose parts differ from [`PLAIN`].
        static TEMPLATES: &[Templates] = &[$(Templates::of::<$rules>()),*];
        $(const _: () = {
            #[derive(Template)]
            #[template(path = $template)]
            struct Page<'a> {
                frame: &'a Frame,
                view: &'a <$rules as Rules>::View,
            }
            impl PageParts for $rules {
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

templates! {
    variants::chess::Chess => "chess.html",
    variants::bookie::Bookie => "bookie_match.html" offers ["play", "concede"],
    variants::lrs::Lrs => "lrs.html",
    variants::bidding::Bidding => "bidding.html" offers ["accept", "reject", "take", "give", "pass"],
    variants::random_turn::RandomTurn => "random-turn.html" offers ["pass"],
    variants::csipgs::Csipgs => "csipgs.html" offers ["buy"],
    variants::clairvoyant::Clairvoyant => "clairvoyant.html" with "clairvoyant_below.html" offers ["accept", "retract"],
    variants::three_check::ThreeCheck => "three-check.html",
    variants::chess960::Chess960 => "chess960.html",
    variants::fog_of_war::FogOfWar => "fog-of-war.html",
    variants::duck::DuckChess => "duck.html" with "duck_below.html",
    variants::handicap::Handicap => "handicap.html" with "nested_below.html" offers ["seconds", "give"],
    variants::random_variant::RandomVariant => "random-variant.html" with "nested_below.html" offers ["weigh"],
}

/// The parts of a variant without parts of its own: those of chess.
static PLAIN: Templates = Templates::of::<variants::chess::Chess>();

/// The parts of the variant of a key.
pub fn of(key: &str) -> &'static Templates {
    TEMPLATES.iter().find(|templates| templates.key == key).unwrap_or(&PLAIN)
}

/// The own parts of the page of a game inside another one; none before it begins.
pub fn nested(frame: &Frame, view: &GameView) -> Option<OwnParts> {
    (of(view.key?).parts)(frame, view.view.as_any())
}

impl Templates {
    const fn of<R: PageParts>() -> Templates {
        Templates { key: R::INFO.key, words: R::WORDS, parts: parts::<R> }
    }

    /// Its own parts of the page on which a viewer meets one of its games.
    pub fn page(&self, game: &Live, frame: &Frame) -> OwnParts {
        let view = game.shown(frame.viewer, frame.draft.as_deref());
        (self.parts)(frame, view.view.as_any()).expect("the view is one of this variant")
    }
}

fn parts<R: PageParts>(frame: &Frame, view: &(dyn Any + Send + Sync)) -> Option<OwnParts> {
    let view: &R::View = view.downcast_ref()?;
    Some(OwnParts { beside: R::page(frame, view), below: R::below(frame, view) })
}

/// The address of a variant's rules, if there is a page of them.
pub fn address(key: &str) -> Option<String> {
    let found = has_page(key) || WITH_FORMS.contains(&key);
    found.then(|| format!("/rules/{key}"))
}

/// Whether the rules of a variant are a page that is the same for everybody.
fn has_page(key: &str) -> bool {
    rulebook(key).is_some_and(|book| book.rules.is_some())
}

#[derive(Template)]
#[template(path = "rules.html")]
struct List {
    preview: Preview,
    variants: Vec<&'static Variant>,
}

/// `GET /rules`: which games there are.
pub async fn list(base: PublicOrigin) -> Result<Response, Error> {
    let words = "How each game is played: bids on a position, guesses at the next move, purses that buy pieces";
    let preview = Preview::of_page(&base, "/rules", "/rules/bookie/image.png", "The rules of all games", words);
    render(&List { preview, variants: VARIANTS.iter().filter(|variant| has_page(variant.key)).collect() })
}

/// What the head of a variant's page of rules tells whoever makes a preview of its link.
pub(super) fn card(base: &PublicOrigin, key: &str) -> Result<String, Error> {
    Preview::of_rules(base, registry::named(key).map_err(|refusal| Error::unknown(refusal.to_string()))?).tags()
}

/// `GET /rules/{variant}`
pub async fn page(State(app): State<Arc<App>>, base: PublicOrigin, Path(key): Path<String>) -> Result<Response, Error> {
    let page = rulebook(&key).and_then(|book| book.rules).ok_or_else(|| {
        let known = VARIANTS.iter().map(|variant| variant.key).filter(|key| address(key).is_some());
        let known = known.collect::<Vec<_>>().join(", ");
        Error::unknown(format!("There are no rules of “{key}” here; there are those of {known}."))
    })?;
    shown(&app, &base, &key, page).await
}

/// Renders a rules page in the pool.
async fn shown(app: &App, base: &PublicOrigin, key: &str, page: fn(&str) -> String) -> Result<Response, Error> {
    let card = card(base, key)?;
    let page = app.play.pools().lookups.run(move || page(&card)).await?;
    Ok(Html(page).into_response())
}

/// `GET /rules/{variant}/{paper}`: the notation, the rules on one page, or a sheet for play over a board.
pub async fn paper(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    Path((key, paper)): Path<(String, String)>,
) -> Result<Response, Error> {
    let book = rulebook(&key).ok_or_else(|| Error::unknown(format!("There is no variant “{key}”.")))?;
    if let (Some(page), "notation") = (book.notation, paper.as_str()) {
        return shown(&app, &base, &key, page).await;
    }
    let found = book.papers.iter().find(|known| known.key == paper).ok_or_else(|| {
        let known = book.notation.iter().map(|_| "notation").chain(book.papers.iter().map(|known| known.key));
        let known: Vec<String> = known.map(|name| format!("/rules/{key}/{name}")).collect();
        Error::unknown(format!("This page does not exist. Pages about these rules: {}.", known.join(", ")))
    })?;
    Ok(Html((found.page)()).into_response())
}
