//! Pages for programs: link previews, search engines, browsers that install the site, and security researchers.

use super::{games::Browser, *};

#[tokio::test]
async fn invitation_has_a_preview_and_is_not_indexed() {
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
async fn shareable_pages_have_previews_with_images() {
    let site = solved();
    for (path, title) in [
        ("/", "Zorkmid: chess for stakes"),
        ("/rules", "The rules of all games"),
        ("/rules/chess", "The rules of Chess"),
        ("/rules/bookie", "The rules of Bookie Chess"),
        ("/betza", "Piece designer"),
        ("/endgames?fen=8/8/8/8/3k4/8/8/K7", "Endgames at auction: KvK"),
    ] {
        let page = get(&site, path).await.page(200).to_owned();
        let tag = |name: &str| {
            page.split_once(&format!("property=\"og:{name}\" content=\"")).unwrap().1.split('"').next().unwrap()
        };
        assert_eq!(tag("title"), title, "{path}");
        assert_eq!(tag("url"), format!("http://zork.example{path}"));
        let image = get(&site, tag("image").strip_prefix("http://zork.example").unwrap()).await;
        assert_eq!((image.status.as_u16(), image.header("content-type")), (200, "image/png"), "{path}");
        assert_eq!(page.matches("<meta name=\"description\"").count(), 1, "{path}");
    }
    get(&site, "/rules/none/image.png").await.page(404);
}

#[tokio::test]
async fn browsers_can_search_from_the_address_bar() {
    let site = solved();
    for (path, asked) in [("/endgames?fen=8/8/8/8/3k4/8/8/K7", "8/8/8/8/3k4/8/8/K7"), ("/betza", "NmKcR")] {
        let page = get(&site, path).await.page(200).to_owned();
        let (_, link) = page.split_once("type=\"application/opensearchdescription+xml\" href=\"").unwrap();
        let description = get(&site, link.split('"').next().unwrap()).await;
        assert_eq!(description.header("content-type"), "application/opensearchdescription+xml");
        let called = description.body.split("<ShortName>").nth(1).unwrap().split('<').next().unwrap();
        assert!(called.len() <= 16, "the standard allows 16 characters: {called}");
        let templates: Vec<&str> = description.body.split("template=\"http://zork.example").skip(1).collect();
        assert_eq!(templates.len(), 2);
        for template in templates {
            let address = template.split('"').next().unwrap().replace("{searchTerms}", asked);
            assert_eq!(get(&site, &address).await.status.as_u16(), 200, "{address}");
        }
    }
    get(&site, "/opensearch/none.xml").await.page(404);
}

#[tokio::test]
async fn security_contact_is_published() {
    const PLACE: &str = "/.well-known/security.txt";
    get(&site(), PLACE).await.page(404);
    let contact = "mailto:frobozz@zork.example".parse().unwrap();
    let site = router(app(Options { contact: Some(contact), ..patient() }));
    let answer = get(&site, PLACE).await;
    assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8");
    let field = |name: &str| answer.body.lines().find_map(|line| line.strip_prefix(&format!("{name}: "))).unwrap();
    assert_eq!(field("Contact"), "mailto:frobozz@zork.example");
    assert_eq!(field("Canonical"), "http://zork.example/.well-known/security.txt");
    let expires = field("Expires");
    assert!(expires.len() == 20 && expires.ends_with('Z') && expires.as_bytes()[10] == b'T', "{expires}");
    for wrong in ["frobozz@zork.example", "mailto:", "https://zork.example/a b", "mailto:a\nPolicy: b"] {
        assert!(wrong.parse::<zorkmid::web::Contact>().unwrap_err().contains("mailto:you@example.org"), "{wrong}");
    }
}

#[tokio::test]
async fn third_party_licences_are_served() {
    let site = site();
    let about = get(&site, "/about").await.page(200).to_owned();
    let (before, _) = about.split_once("third-party.txt\"").unwrap();
    let notices = get(&site, &format!("{}third-party.txt", before.rsplit('"').next().unwrap())).await;
    assert!(notices.header("content-type").starts_with("text/plain"));
    for name in ["axum ", "sqlx-postgres ", "rustls "] {
        assert!(notices.body.contains(&format!("\n{name}")), "{name}");
    }
}

#[tokio::test]
async fn robots_and_sitemap_allow_previews_and_list_pages() {
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
async fn installed_site_has_icons_and_opens_the_newest_game() {
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
