//! What programs that read the web are told: which pages are to be listed, and which only looked at when a link to
//! them is shown.

use super::{App, Error, PublicOrigin, extract::Path, variant_pages};
use crate::{game::record, registry::VARIANTS};
use axum::{
    extract::{Request, State},
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};
use std::sync::Arc;

/// How long a reader may believe whom to tell of a hole, in milliseconds: half a year, as RFC 9116 wants less than a whole one.
const GOOD_FOR: i64 = 180 * 86_400_000;
/// The pages that are worth finding, beside the rules.
const PAGES: [&str; 10] =
    ["/", "/rules", "/endgames", "/puzzles", "/betza", "/pieces", "/worth", "/fairy", "/docs", "/about"];
/// Where games, invitations, seats and endless positions are: whoever has the link may look, and no index lists them.
const UNLISTED: [&str; 8] = ["/games/", "/invite/", "/seat", "/key", "/feeds/", "/bookie/", "/puzzles/", "/lobby"];

/// `GET /robots.txt`: what makes a preview of a link may fetch the page that it leads to; what lists pages has no business with positions
/// without end, and with what is private nobody has.
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

/// Tells indexes not to list what is nobody else's business.
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

/// Where something written can be looked up: the name of the description, what it is called, about what it asks, the page and the API.
const SEARCHES: [(&str, &str, &str, &str, &str); 2] = [
    (
        "endgames.xml",
        "Endgames",
        "The exact value of a chess endgame at auction, by its FEN",
        "/endgames?fen={searchTerms}",
        "/api/richman?fen={searchTerms}",
    ),
    (
        "betza.xml",
        "Chess pieces",
        "What a piece in Betza’s notation does, and what it costs",
        "/betza?piece={searchTerms}",
        "/api/betza?piece={searchTerms}",
    ),
];

/// `GET /opensearch/{name}`: how a browser asks about what is written into its field of addresses, as OpenSearch 1.1 describes it.
pub async fn search(base: PublicOrigin, Path(name): Path<String>) -> Result<Response, Error> {
    let known = SEARCHES.iter().find(|(known, ..)| *known == name);
    let (_, called, about, page, api) = known.ok_or_else(|| Error::unknown("There is no such description."))?;
    let text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<OpenSearchDescription xmlns=\"http://a9.com/-/spec/opensearch/1.1/\">\n<ShortName>{called}</ShortName>\n<Description>{about}</Description>\n<InputEncoding>UTF-8</InputEncoding>\n<Image width=\"192\" height=\"192\" type=\"image/png\">{}</Image>\n<Url type=\"text/html\" method=\"get\" template=\"{}\"/>\n<Url type=\"application/json\" method=\"get\" template=\"{}\"/>\n</OpenSearchDescription>\n",
        base.url("/icons/icon-192.png"),
        base.url(page),
        base.url(api),
    );
    Ok(([(header::CONTENT_TYPE, "application/opensearchdescription+xml")], text).into_response())
}

/// `GET /sitemap.xml`
pub async fn sitemap(base: PublicOrigin) -> Response {
    let ruled = VARIANTS.iter().filter_map(|variant| variant_pages::address(variant.key));
    let pages = PAGES.iter().map(|page| (*page).to_owned()).chain(ruled);
    let entries: String = pages.map(|page| format!("<url><loc>{}</loc></url>\n", base.url(&page))).collect();
    let map = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{entries}</urlset>\n"
    );
    ([(header::CONTENT_TYPE, "application/xml")], map).into_response()
}

/// `GET /.well-known/security.txt`: whom to tell of a hole in the site, as RFC 9116 describes it.
pub async fn security(State(app): State<Arc<App>>, base: PublicOrigin) -> Result<Response, Error> {
    let none = || Error::unknown("The operator of this site has not said how to reach them.");
    let contact = app.options.contact.as_ref().ok_or_else(none)?;
    let text = format!(
        "Contact: {contact}\nExpires: {}\nPreferred-Languages: en\nCanonical: {}\n",
        record::instant(app.play.now() + GOOD_FOR),
        base.url("/.well-known/security.txt"),
    );
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}
