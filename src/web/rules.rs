//! The rules of the variants, each on a page of its own, and the papers that can be printed of them.

use super::{App, Base, Error, extract::Path, page as render, preview::Preview, templates};
use crate::registry::{self, VARIANTS, Variant};
use askama::Template;
use axum::{
    extract::State,
    response::{Html, IntoResponse, Response},
};
use std::sync::Arc;

/// Variants whose page of rules has a form on it, and a handler of its own.
const WITH_FORMS: [&str; 1] = ["bookie"];

/// The address of a variant's rules, if there is a page of them.
pub fn address(key: &str) -> Option<String> {
    let found = has_page(key) || WITH_FORMS.contains(&key);
    found.then(|| format!("/rules/{key}"))
}

/// Whether the rules of a variant are a page that is the same for everybody.
fn has_page(key: &str) -> bool {
    templates::rulebook(key).is_some_and(|book| book.rules.is_some())
}

#[derive(Template)]
#[template(path = "rules.html")]
struct List {
    preview: Preview,
    variants: Vec<&'static Variant>,
}

/// `GET /rules`: which games there are.
pub async fn list(base: Base) -> Result<Response, Error> {
    let words = "How each game is played: bids on a position, guesses at the next move, purses that buy pieces";
    let preview = Preview::of_page(&base, "/rules", "/rules/bookie/image.png", "The rules of all games", words);
    render(&List { preview, variants: VARIANTS.iter().filter(|variant| has_page(variant.key)).collect() })
}

/// What the head of a variant's page of rules tells whoever makes a preview of its link.
pub(super) fn card(base: &Base, key: &str) -> Result<String, Error> {
    Preview::of_rules(base, registry::named(key).map_err(|refusal| Error::unknown(refusal.to_string()))?).tags()
}

/// `GET /rules/{variant}`
pub async fn page(State(app): State<Arc<App>>, base: Base, Path(key): Path<String>) -> Result<Response, Error> {
    let page = templates::rulebook(&key).and_then(|book| book.rules).ok_or_else(|| {
        let known = VARIANTS.iter().map(|variant| variant.key).filter(|key| address(key).is_some());
        let known = known.collect::<Vec<_>>().join(", ");
        Error::unknown(format!("There are no rules of “{key}” here; there are those of {known}."))
    })?;
    let card = card(&base, &key)?;
    let page = app.play.pools().lookups.run(move || page(&card)).await?;
    Ok(Html(page).into_response())
}

/// `GET /rules/{variant}/{paper}`: the rules on one page, or a sheet for play over a board.
pub async fn paper(Path((key, paper)): Path<(String, String)>) -> Result<Response, Error> {
    let papers = templates::rulebook(&key).map_or(&[][..], |book| book.papers);
    let found = papers.iter().find(|known| known.key == paper).ok_or_else(|| {
        let known: Vec<String> = papers.iter().map(|known| format!("/rules/{key}/{}", known.key)).collect();
        Error::unknown(match known.is_empty() {
            true => format!("There are no rules of “{key}” here."),
            false => format!("There is no such paper; there are {}.", known.join(", ")),
        })
    })?;
    Ok(Html((found.page)()).into_response())
}
