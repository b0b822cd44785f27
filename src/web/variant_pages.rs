//! Templates of a variant: its parts of the game page if they differ from those of chess, its rules page and its papers. Rules pages
//! and papers are found by the names of their templates.

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

/// Variants whose rules page has a form and its own handler.
const WITH_FORMS: [&str; 1] = ["bookie"];

/// Rules whose views can be shown on a page.
pub trait PageParts: Rules {
    /// Commands for which the variant's parts have their own buttons and fields.
    const WORDS: &'static [&'static str] = &[];

    /// Renders the variant's part of the page.
    fn page(frame: &Frame, view: &Self::View) -> String;
    /// Renders the controls of the pending action, if the variant has any.
    fn ask(_frame: &Frame, _view: &Self::View) -> Option<String> {
        None
    }
    /// Renders an explanation of the turn for the line below the board, if it needs one.
    fn status(_frame: &Frame, _view: &Self::View) -> Option<String> {
        None
    }
    /// Renders the row of pieces below the board, if the variant draws its own.
    fn tray(_frame: &Frame, _view: &Self::View) -> Option<String> {
        None
    }
}

/// The variant's parts of a game page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnParts {
    /// Part with the details of the game.
    pub beside: String,
    /// Controls of the pending action, in the row `ask`, if any.
    pub ask: Option<String>,
    /// Explanation of the turn in the line below the board, if it needs one.
    pub status: Option<String>,
    /// Row of pieces below the board, inside the board's form, if the variant draws its own.
    pub tray: Option<String>,
}

impl fmt::Display for OwnParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.ask.as_deref().unwrap_or_default(), self.beside)
    }
}

/// A page for printing.
pub struct Paper {
    /// Key in addresses, below the rules page.
    pub key: &'static str,
    /// Renders the page.
    pub page: fn() -> &'static str,
}

/// Rules and papers of a variant.
pub struct Rulebook {
    key: &'static str,
    /// Rules page, given its link preview; `None` if the page has its own handler.
    pub rules: Option<fn(card: &str) -> String>,
    /// Page of the notation, the API's grammar and interpretations of the source.
    pub notation: Option<fn(card: &str) -> String>,
    /// Papers: the rules on one page first, then sheets for play over a board.
    pub papers: &'static [Paper],
}

/// A page rendered once, because it is the same for all viewers.
macro_rules! page {
    ($page:literal) => {{
        #[derive(Template)]
        #[template(path = $page)]
        struct Page;
        static PAGE: LazyLock<String> = LazyLock::new(|| Page.render().expect("rendering to a string cannot fail"));
        || PAGE.as_str()
    }};
}

/// A rules page.
macro_rules! rules_page {
    ($page:literal) => {{
        #[derive(Template)]
        #[template(path = $page)]
        struct Rulebook<'a> {
            card: &'a str,
        }
        Some(|card| Rulebook { card }.render().expect("rendering to a string cannot fail"))
    }};
}

/// Rulebooks of all variants, by the names of their templates.
static RULEBOOKS: &[Rulebook] = include!(concat!(env!("OUT_DIR"), "/rulebooks.rs"));

/// Rulebook of a variant.
pub fn rulebook(key: &str) -> Option<&'static Rulebook> {
    RULEBOOKS.iter().find(|book| book.key == key)
}

/// A variant's parts of the game page.
pub struct Templates {
    key: &'static str,
    /// Commands for which the parts have their own buttons and fields.
    pub words: &'static [&'static str],
    parts: fn(&Frame, &(dyn Any + Send + Sync)) -> Option<OwnParts>,
}

macro_rules! templates {
    ($($rules:ty => $template:literal $(with $ask:literal)? $(tray $tray:literal)? $(status $status:literal)? $(offers [$($word:literal),*])?,)*) => {
        /// Templates of the variants whose parts differ from [`PLAIN`].
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
                    Page { frame, view }.render().expect("rendering to a string cannot fail")
                }

                $(fn ask(frame: &Frame, view: &Self::View) -> Option<String> {
                    #[derive(Template)]
                    #[template(path = $ask)]
                    struct Ask<'a> {
                        frame: &'a Frame,
                        view: &'a <$rules as Rules>::View,
                    }
                    let ask = Ask { frame, view }.render().expect("rendering to a string cannot fail");
                    (!ask.trim().is_empty()).then_some(ask)
                })?

                $(fn tray(frame: &Frame, view: &Self::View) -> Option<String> {
                    #[derive(Template)]
                    #[template(path = $tray)]
                    struct Tray<'a> {
                        frame: &'a Frame,
                        view: &'a <$rules as Rules>::View,
                    }
                    let tray = Tray { frame, view }.render().expect("rendering to a string cannot fail");
                    (!tray.trim().is_empty()).then_some(tray)
                })?

                $(fn status(_frame: &Frame, view: &Self::View) -> Option<String> {
                    #[derive(Template)]
                    #[template(path = $status)]
                    struct Status<'a> {
                        view: &'a <$rules as Rules>::View,
                    }
                    let status = Status { view }.render().expect("rendering to a string cannot fail");
                    (!status.trim().is_empty()).then_some(status)
                })?
            }
        };)*
    };
}

templates! {
    variants::chess::Chess => "chess.html",
    variants::bookie::Bookie => "bookie_match.html" with "bookie_ask.html" offers ["play", "concede"],
    variants::lrs::Lrs => "lrs.html",
    variants::bidding::Bidding => "bidding.html" with "bidding_ask.html" offers ["accept", "reject", "take", "give", "pass"],
    variants::random_turn::RandomTurn => "random-turn.html",
    variants::csipgs::Csipgs => "csipgs.html" with "csipgs_ask.html" tray "csipgs_tray.html" offers ["buy"],
    variants::clairvoyant::Clairvoyant => "clairvoyant.html" with "clairvoyant_ask.html" status "clairvoyant_status.html" offers ["accept", "retract"],
    variants::three_check::ThreeCheck => "three-check.html",
    variants::chess960::Chess960 => "chess960.html",
    variants::fog_of_war::FogOfWar => "fog-of-war.html",
    variants::duck::DuckChess => "duck.html" with "duck_ask.html",
    variants::handicap::Handicap => "handicap.html" with "handicap_ask.html" offers ["seconds", "give"],
    variants::random_variant::RandomVariant => "random-variant.html" with "random-variant_ask.html" offers ["weigh"],
}

/// Templates of all other variants: those of chess.
static PLAIN: Templates = Templates::of::<variants::chess::Chess>();

/// Templates of the variant `key`.
pub fn of(key: &str) -> &'static Templates {
    TEMPLATES.iter().find(|templates| templates.key == key).unwrap_or(&PLAIN)
}

/// Parts of a game inside another game; `None` before it begins.
pub fn nested(frame: &Frame, view: &GameView) -> Option<OwnParts> {
    (of(view.key?).parts)(frame, view.view.as_any())
}

impl Templates {
    const fn of<R: PageParts>() -> Templates {
        Templates { key: R::INFO.key, words: R::WORDS, parts: parts::<R> }
    }

    /// Renders the variant's parts of a game page.
    pub fn page(&self, game: &Live, frame: &Frame) -> OwnParts {
        let view = game.shown(frame.viewer, frame.draft.as_deref());
        (self.parts)(frame, view.view.as_any()).expect("the view belongs to this variant")
    }
}

fn parts<R: PageParts>(frame: &Frame, view: &(dyn Any + Send + Sync)) -> Option<OwnParts> {
    let view: &R::View = view.downcast_ref()?;
    Some(OwnParts {
        beside: R::page(frame, view),
        ask: R::ask(frame, view),
        status: R::status(frame, view),
        tray: R::tray(frame, view),
    })
}

/// Address of a variant's rules page, if it has one.
pub fn address(key: &str) -> Option<String> {
    let found = has_page(key) || WITH_FORMS.contains(&key);
    found.then(|| format!("/rules/{key}"))
}

/// Whether the rules page is the same for all viewers.
fn has_page(key: &str) -> bool {
    rulebook(key).is_some_and(|book| book.rules.is_some())
}

#[derive(Template)]
#[template(path = "rules.html")]
struct List {
    preview: Preview,
    variants: Vec<&'static Variant>,
}

/// `GET /rules`: list of the variants.
pub async fn list(base: PublicOrigin) -> Result<Response, Error> {
    let words = "How each game is played: bids on a position, guesses at the next move, purses that buy pieces";
    let preview = Preview::of_page(&base, "/rules", "/rules/bookie/image.png", "The rules of all games", words);
    render(&List { preview, variants: VARIANTS.iter().filter(|variant| has_page(variant.key)).collect() })
}

/// Link preview tags in the head of a variant's rules page.
pub(super) fn card(base: &PublicOrigin, key: &str) -> Result<String, Error> {
    Preview::of_rules(base, registry::find_or_refuse(key).map_err(|refusal| Error::unknown(refusal.to_string()))?)
        .tags()
}

/// `GET /rules/{variant}`
pub async fn page(State(app): State<Arc<App>>, base: PublicOrigin, Path(key): Path<String>) -> Result<Response, Error> {
    let page = rulebook(&key).and_then(|book| book.rules).ok_or_else(|| {
        let known = VARIANTS.iter().map(|variant| variant.key).filter(|key| address(key).is_some());
        let known = known.collect::<Vec<_>>().join(", ");
        Error::unknown(format!("No rules page exists for “{key}”. Rules pages: {known}."))
    })?;
    shown(&app, &base, &key, &format!("/rules/{key}"), page).await
}

/// Returns the page at `path`. The first request renders it in the worker pool.
async fn shown(
    app: &App,
    base: &PublicOrigin,
    key: &str,
    path: &str,
    page: fn(&str) -> String,
) -> Result<Response, Error> {
    let address = (base.url(path), 0);
    if let Some(page) = app.constant_pages.get(&address) {
        return Ok(page.into_response());
    }
    let card = card(base, key)?;
    let page = app.play.pools().lookups.run(move || page(&card)).await?;
    Ok(app.constant_pages.insert(address, page).into_response())
}

/// `GET /rules/{variant}/{paper}`: the notation, the rules on one page, or a sheet for play over a board.
pub async fn paper(
    State(app): State<Arc<App>>,
    base: PublicOrigin,
    Path((key, paper)): Path<(String, String)>,
) -> Result<Response, Error> {
    let book = rulebook(&key).ok_or_else(|| Error::unknown(format!("No variant is called “{key}”.")))?;
    if let (Some(page), "notation") = (book.notation, paper.as_str()) {
        return shown(&app, &base, &key, &format!("/rules/{key}/notation"), page).await;
    }
    let found = book.papers.iter().find(|known| known.key == paper).ok_or_else(|| {
        let known = book.notation.iter().map(|_| "notation").chain(book.papers.iter().map(|known| known.key));
        let known: Vec<String> = known.map(|name| format!("/rules/{key}/{name}")).collect();
        Error::unknown(format!("This page does not exist. Pages about these rules: {}.", known.join(", ")))
    })?;
    Ok(Html((found.page)()).into_response())
}
