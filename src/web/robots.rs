//! Files and headers for crawlers, link previews and browsers: `robots.txt`, `noindex`, the sitemap, OpenSearch and `security.txt`. Private
//! and unlimited pages must stay out of search indexes.

use super::{App, Error, PublicOrigin, docs, extract::Path, variant_pages};
use crate::{game::record, registry::VARIANTS};
use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::sync::Arc;

/// Validity of `security.txt` in milliseconds: half a year. RFC 9116 recommends less than a year.
const GOOD_FOR: i64 = 180 * 86_400_000;
/// Pages of the sitemap, in addition to the rules and the documentation of the API.
const PAGES: [&str; 9] = ["/", "/rules", "/endgames", "/puzzles", "/betza", "/pieces", "/worth", "/fairy", "/about"];
/// Path prefixes that search engines must not index: games, invitations, seats and generated positions.
const UNLISTED: [&str; 8] = ["/games/", "/invite/", "/seat", "/key", "/feeds/", "/bookie/", "/puzzles/", "/lobby"];

/// `GET /robots.txt`: link preview bots can fetch all pages except the API and private links. Other crawlers are also kept from pages with
/// unlimited positions.
pub async fn robots(base: PublicOrigin) -> String {
    let all = "User-agent: *\nDisallow: /api/\nDisallow: /seat\nDisallow: /key\nDisallow: /bookie\nDisallow: /endgames?\nDisallow: /endgames/search?\nDisallow: /endgames/four/search?\nDisallow: /betza?\nDisallow: /pieces?\n";
    let previews = [
        "facebookexternalhit",
        "Twitterbot",
        "LinkedInBot",
        "Slackbot-LinkExpanding",
        "TelegramBot",
        "Discordbot",
        "WhatsApp",
    ];
    let agents: String = previews.iter().map(|agent| format!("User-agent: {agent}\n")).collect();
    format!(
        "{agents}Disallow: /api/\nDisallow: /seat\nDisallow: /key\n\n{all}\nSitemap: {}\n",
        base.url("/sitemap.xml")
    )
}

/// Middleware that adds `X-Robots-Tag: noindex` to the paths of [`UNLISTED`].
pub(super) async fn unlist(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let unlisted = UNLISTED.iter().any(|start| path.starts_with(start));
    let mut response = next.run(request).await;
    if unlisted {
        let tag = HeaderName::from_static("x-robots-tag");
        response.headers_mut().insert(tag, HeaderValue::from_static("noindex"));
    }
    response
}

/// OpenSearch descriptions: file name, short name, description, page template and API template.
const SEARCHES: [(&str, &str, &str, &str, &str); 2] = [
    (
        "endgames.xml",
        "Endgames",
        "Exact value of a bidding chess endgame, by FEN",
        "/endgames?fen={searchTerms}",
        "/api/richman?fen={searchTerms}",
    ),
    (
        "betza.xml",
        "Chess pieces",
        "Moves and price of a piece in Betza notation",
        "/betza?piece={searchTerms}",
        "/api/betza?piece={searchTerms}",
    ),
];

/// `GET /opensearch/{name}`: returns an OpenSearch 1.1 description, with which a browser can search this site from its address bar.
pub async fn search(base: PublicOrigin, Path(name): Path<String>) -> Result<Response, Error> {
    let known = SEARCHES.iter().find(|(known, ..)| *known == name);
    let (_, called, about, page, api) = known.ok_or_else(|| Error::unknown("There is no such search description."))?;
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">\n<ShortName>{called}</ShortName>\n<Description>{about}</Description>\n<InputEncoding>UTF-8</InputEncoding>\n<Image width=\"192\" height=\"192\" type=\"image/png\">{}</Image>\n<Url type=\"text/html\" method=\"get\" template=\"{}\"/>\n<Url type=\"application/json\" method=\"get\" template=\"{}\"/>\n</OpenSearchDescription>\n",
        base.url("/icons/icon-192.png"),
        base.url(page),
        base.url(api),
    );
    Ok(([(header::CONTENT_TYPE, "application/opensearchdescription+xml")], text).into_response())
}

/// `GET /sitemap.xml`: lists the pages for search engines.
pub async fn sitemap(base: PublicOrigin) -> Response {
    let ruled = VARIANTS.iter().filter_map(|variant| variant_pages::address(variant.key));
    let pages = PAGES.iter().map(|page| (*page).to_owned()).chain(docs::paths()).chain(ruled);
    let entries: String = pages.map(|page| format!("<url><loc>{}</loc></url>\n", base.url(&page))).collect();
    let map = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{entries}</urlset>\n"
    );
    ([(header::CONTENT_TYPE, "application/xml")], map).into_response()
}

/// `GET /.well-known/security.txt`: returns the contact for security reports (RFC 9116).
pub async fn security(State(app): State<Arc<App>>, base: PublicOrigin) -> Result<Response, Error> {
    let none = || Error::unknown("The operator of this site has not published a contact.");
    let contact = app.options.contact.as_ref().ok_or_else(none)?;
    let text = format!(
        "Contact: {contact}\nExpires: {}\nPreferred-Languages: en\nCanonical: {}\n",
        record::instant(app.play.now() + GOOD_FOR),
        base.url("/.well-known/security.txt"),
    );
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}
