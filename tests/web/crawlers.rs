//! What programs are told that read the web: whoever shows a link, whoever lists pages, and systems that install the site.

use super::{games::Browser, *};

#[tokio::test]
async fn an_invitation_has_a_preview_and_no_index_lists_it() {
    let site = site();
    let mut host = Browser::new(&site);
    let game = host.begin(&[("variant", "clairvoyant"), ("opponent", "link"), ("name", "Anna")]).await;
    let code = host.code(&game);
    let page = get(&site, &format!("/invite/{code}")).await;
    for tag in [
        "property=\"og:title\" content=\"Anna invites you to Clairvoyant Chess\"".to_owned(),
        format!("property=\"og:url\" content=\"http://zork.example/invite/{code}\""),
        format!("property=\"og:image\" content=\"http://zork.example{game}/image.png?"),
        "name=\"twitter:card\"".to_owned(),
    ] {
        assert!(page.page(200).contains(&tag), "{tag} in {}", page.body);
    }
    for (path, listed) in [
        (format!("/invite/{code}"), false),
        (game, false),
        ("/key".to_owned(), false),
        ("/".to_owned(), true),
        ("/rules".to_owned(), true),
    ] {
        let tag = get(&site, &path).await.header("x-robots-tag").to_owned();
        assert_eq!(tag, if listed { "" } else { "noindex" }, "{path}");
    }
}

#[tokio::test]
async fn previews_may_be_fetched_and_pages_worth_finding_are_listed() {
    let site = site();
    let robots = get(&site, "/robots.txt").await.body;
    let (previews, all) = robots.split_once("User-agent: *\n").unwrap();
    assert!(previews.contains("User-agent: Twitterbot\n") && !previews.contains("/bookie"), "{robots}");
    assert!(
        all.contains("Disallow: /endgames?\n") && !robots.contains("/invite") && !robots.contains("/games"),
        "{robots}"
    );
    assert!(robots.contains("Sitemap: http://zork.example/sitemap.xml"));
    let map = get(&site, "/sitemap.xml").await;
    assert_eq!(map.header("content-type"), "application/xml");
    let pages: Vec<&str> =
        map.body.split("<loc>http://zork.example").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
    assert!(pages.contains(&"/rules/bookie") && pages.contains(&"/"), "{pages:?}");
    for path in pages.into_iter().filter(|path| *path != "/endgames") {
        let page = get(&site, path).await;
        assert!(page.page(200).contains("<meta name=\"description\" content=\""), "{path}");
    }
}

#[tokio::test]
async fn the_site_is_installed_with_icons_and_opens_the_newest_game() {
    let site = site();
    let manifest = get(&site, "/manifest.webmanifest").await;
    assert_eq!(manifest.header("content-type"), "application/manifest+json");
    let manifest = manifest.json();
    let icons = manifest["icons"].as_array().unwrap();
    assert!(
        icons.iter().any(|icon| icon["purpose"] == "maskable") && icons.iter().any(|icon| icon["sizes"] == "192x192")
    );
    for icon in icons {
        let answer = get(&site, icon["src"].as_str().unwrap()).await;
        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, icon["type"].as_str().unwrap()));
    }
    assert_eq!(get(&site, "/icons/apple-touch-icon.png").await.header("content-type"), "image/png");
    get(&site, "/icons/none.png").await.page(404);
    let home = get(&site, "/").await;
    assert!(
        home.page(200).contains("rel=\"manifest\"")
            && home.header("content-security-policy").contains("manifest-src 'self'")
    );

    let mut browser = Browser::new(&site);
    let start = manifest["start_url"].as_str().unwrap();
    assert_eq!(browser.get(start).await.header("location"), "/");
    let game = browser.begin(&[("variant", "chess"), ("opponent", "self")]).await;
    assert_eq!(browser.get(start).await.header("location"), game);
}
