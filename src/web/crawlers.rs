//! What programs that read the web are told: which pages are to be listed, and which only looked at when a link to
//! them is shown.

use super::{Base, rules};
use crate::variants::VARIANTS;
use axum::{
    extract::Request,
    http::{HeaderName, HeaderValue, header},
    middleware::Next,
    response::{IntoResponse, Response},
};

/// The pages that are worth finding, beside the rules.
const PAGES: [&str; 9] = ["/", "/rules", "/endgames", "/betza", "/pieces", "/worth", "/fairy", "/docs", "/about"];
/// Where games, invitations, seats and endless positions are: whoever has the link may look, and no index lists them.
const UNLISTED: [&str; 6] = ["/games/", "/invite/", "/seat", "/key", "/bookie/", "/lobby"];

/// `GET /robots.txt`: what makes a preview of a link may fetch the page that it leads to; what lists pages has no business with positions
/// without end, and with what is private nobody has.
pub async fn robots(base: Base) -> String {
    let all = "User-agent: *\nDisallow: /api/\nDisallow: /seat\nDisallow: /key\nDisallow: /bookie\nDisallow: /endgames?\nDisallow: /betza?\nDisallow: /pieces?\n";
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

/// `GET /sitemap.xml`
pub async fn sitemap(base: Base) -> Response {
    let ruled = VARIANTS.iter().filter_map(|variant| rules::address(variant.key));
    let pages = PAGES.iter().map(|page| (*page).to_owned()).chain(ruled);
    let entries: String = pages.map(|page| format!("<url><loc>{}</loc></url>\n", base.url(&page))).collect();
    let map = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n{entries}</urlset>\n"
    );
    ([(header::CONTENT_TYPE, "application/xml")], map).into_response()
}
