//! Games with HTML forms alone: whole games, invitations, private links, stale forms and refusals.

use super::*;
use axum::http::header;
use std::collections::BTreeMap;
use zorkmid::registry::VARIANTS;

/// A browser without scripts: it keeps cookies and sends forms.
pub(super) struct Browser<'s> {
    site: &'s Router,
    cookies: BTreeMap<String, String>,
}

impl<'s> Browser<'s> {
    pub(super) fn new(site: &'s Router) -> Self {
        Browser { site, cookies: BTreeMap::new() }
    }

    async fn ask(&mut self, method: Method, path: &str, body: String) -> Answer {
        let mut request = Request::builder().method(method.clone()).uri(path).header("host", "zork.example");
        if !self.cookies.is_empty() {
            let cookies: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            request = request.header("cookie", cookies.join("; "));
        }
        if method == Method::POST {
            request = request.header("content-type", "application/x-www-form-urlencoded");
            request = request.header("origin", "http://zork.example").header("sec-fetch-site", "same-origin");
        }
        let answer = ask(self.site, request.body(Body::from(body)).unwrap()).await;
        for cookie in answer.headers.get_all(header::SET_COOKIE) {
            let cookie = cookie.to_str().unwrap();
            assert!(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Lax") && cookie.contains("; Path=/;"));
            let (name, value) = cookie.split(';').next().unwrap().split_once('=').unwrap();
            if cookie.contains("Max-Age=0") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }

    pub(super) async fn get(&mut self, path: &str) -> Answer {
        self.ask(Method::GET, path, String::new()).await
    }

    pub(super) async fn post(&mut self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let escape =
            |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
        let body: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={}", escape(value))).collect();
        self.ask(Method::POST, path, body.join("&")).await
    }

    /// Begins a game and returns its address.
    pub(super) async fn begin(&mut self, fields: &[(&str, &str)]) -> String {
        let answer = self.post("/games", fields).await;
        assert_eq!(answer.status, 303, "{}", answer.body);
        answer.header("location").to_owned()
    }

    /// Seat tokens that this browser has for a game.
    pub(super) fn tokens(&self, game: &str) -> Vec<String> {
        let name = format!("seat-{}", game.rsplit('/').next().unwrap());
        self.cookies.get(&name).map_or(Vec::new(), |value| value.split('.').map(str::to_owned).collect())
    }

    pub(super) fn code(&self, game: &str) -> String {
        self.cookies[&format!("invite-{}", game.rsplit('/').next().unwrap())].clone()
    }

    /// Clicks a piece and then a square, as the page offers them.
    async fn play(&mut self, game: &str, from: &str, action: &str) {
        let page = self.get(game).await;
        assert!(
            page.page(200).contains(&format!("<button name=\"from\" value=\"{from}\"")),
            "{from} cannot be pressed"
        );
        let page = self.get(&format!("{game}?from={from}")).await;
        assert!(page.page(200).contains(&format!("<button name=\"action\" value=\"{action}\"")), "no {action}");
        let ply = page.body.split("data-ply=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        let done = self.post(game, &[("ply", &ply), ("action", action)]).await;
        assert_eq!((done.status.as_u16(), done.header("location")), (303, game), "{}", done.body);
    }
}

const CHESS: [(&str, &str); 2] = [("variant", "chess"), ("opponent", "link")];

#[tokio::test]
async fn two_browsers_play_a_whole_game_with_forms() {
    let site = site();
    let (mut one, mut two, mut public) = (Browser::new(&site), Browser::new(&site), Browser::new(&site));
    let game = one.begin(&[("variant", "chess"), ("opponent", "link"), ("name", "Anna <3")]).await;
    assert!(one.get(&game).await.page(200).contains(&one.code(&game)));
    let code = one.code(&game);

    let invitation = two.get(&format!("/invite/{code}")).await;
    assert!(invitation.page(200).contains("Anna &#60;3") && two.cookies.is_empty(), "viewing takes no seat");
    let sat = two.post(&format!("/invite/{code}"), &[("name", "Bert")]).await;
    assert_eq!((sat.status.as_u16(), sat.header("location")), (303, game.as_str()));
    let late = public.post(&format!("/invite/{code}"), &[]).await;
    assert!(late.page(422).contains("has been used") && public.cookies.is_empty());
    assert!(public.get(&format!("/invite/{code}")).await.page(200).contains("has been used"));

    let [mine, theirs] = [one.tokens(&game), two.tokens(&game)];
    assert_eq!((mine.len(), theirs.len()), (1, 1));
    let page = one.get(&game).await.body;
    assert!(
        page.contains(&mine[0]) && !page.contains(&theirs[0]) && !page.contains(&code),
        "the invitation is no longer shown"
    );
    assert!(!one.cookies.contains_key(&format!("invite-{}", &game[7..])));

    for (ply, (from, action)) in
        [("f2", "f2f3"), ("e7", "e7e5"), ("g2", "g2g4"), ("d8", "d8h4")].into_iter().enumerate()
    {
        let (mover, waits) = if ply % 2 == 0 { (&mut one, &mut two) } else { (&mut two, &mut one) };
        let waiting = waits.get(&game).await.body;
        assert!(waiting.contains("http-equiv=\"refresh\"") && !waiting.contains("name=\"from\""), "{waiting}");
        mover.play(&game, from, action).await;
    }
    assert!(one.get(&game).await.page(200).contains("You lost"));
    assert!(two.get(&game).await.page(200).contains("You won"));
    let watched = public.get(&game).await;
    assert!(watched.page(200).contains("Bert (Black) wins against Anna &#60;3 (White): checkmate."));
    for secret in [&mine[0], &theirs[0], &code] {
        assert!(!watched.body.contains(secret.as_str()));
    }
    assert!(!watched.body.contains("<form class=\"typed\"") && !watched.body.contains("name=\"action\""));
    assert!(watched.body.len() < 60_000, "{} bytes", watched.body.len());
    assert_eq!(watched.header("cache-control"), "private, no-store, no-cache");

    let record = public.get(&format!("{game}/record.pgn")).await;
    assert_eq!(record.header("content-type"), "application/x-chess-pgn");
    let read = &zorkmid::board::pgn::Pgn::read(&record.body).unwrap()[0];
    assert_eq!((read.tag("White"), read.tag("Result")), (Some("Anna <3"), Some("0-1")));
    assert_eq!(read.moves.iter().map(|written| written.text.as_str()).collect::<Vec<_>>(), ["f3", "e5", "g4", "Qh4#"]);
    assert_eq!(public.get(&format!("{game}/record.json")).await.json()["outcome"]["winner"], "two");

    // The rematch, with exchanged seats.
    assert_eq!(one.post(&game, &[("action", "rematch")]).await.status, 303);
    assert!(two.get(&game).await.page(200).contains("Accept the rematch"));
    assert_eq!(two.post(&game, &[("action", "rematch")]).await.status, 303);
    let next = one.post(&format!("{game}/rematch"), &[]).await.header("location").to_owned();
    assert_eq!(two.post(&format!("{game}/rematch"), &[]).await.header("location"), next);
    assert_ne!(next, game);
    two.play(&next, "e2", "e2e4").await;
    one.play(&next, "e7", "e7e5").await;
}

#[tokio::test]
async fn replays_have_addresses() {
    let site = site();
    let mut browser = Browser::new(&site);
    let game = browser.begin(&[("variant", "lrs"), ("opponent", "self"), ("preset", "random")]).await;
    assert_eq!(browser.tokens(&game).len(), 2);
    let page = browser.get(&game).await;
    let first = |page: &str, name: &str| {
        let button = page.split(&format!("<button name=\"{name}\" value=\"")).nth(1).unwrap_or_default();
        button.split('"').next().unwrap().to_owned()
    };
    let from = first(page.page(200), "from");
    let pressed = browser.get(&format!("{game}?from={from}")).await;
    let action = first(&pressed.body, "action");
    // Chance acts first, so the shuffle is step one.
    browser.play(&game, &from, &action).await;
    for ply in 0..=2 {
        let page = browser.get(&format!("{game}/ply/{ply}")).await;
        assert!(page.page(200).contains(&format!("data-ply=\"{ply}\"")));
        assert_eq!(page.body.contains("rel=\"next\""), ply < 2);
        assert_eq!(page.body.contains("rel=\"prev\""), ply > 0);
        assert!(ply == 2 || !page.body.contains("name=\"action\""), "an earlier step offers no actions");
    }
    browser.get(&format!("{game}/ply/3")).await.page(404);
    browser.get(&format!("{game}/ply/x")).await.page(400);
    browser.get("/games/nowhere").await.page(404);
    let turned = browser.get(&format!("{game}?flip=1")).await;
    let place = |body: &str, square: &str| body.find(&format!("data-square=\"{square}\"")).unwrap();
    assert!(place(&turned.body, "h1") < place(&turned.body, "a8") && place(&page.body, "a8") < place(&page.body, "h1"));
}

#[tokio::test]
async fn refused_input_is_explained_and_kept() {
    let site = site();
    let mut one = Browser::new(&site);
    let game = one.begin(&CHESS).await;
    let refused = one.post(&game, &[("ply", "0"), ("action", "e2e5")]).await;
    assert!(refused.page(422).contains("“e2e5”, character 3: the pawn on e2 cannot go to e5."));
    assert!(refused.body.contains("name=\"action\" value=\"e2e5\""), "typed text stays");
    let odd = one.post(&game, &[("ply", "0"), ("action", "\"><b>é♞")]).await;
    assert!(!odd.page(422).contains("\"><b>"));
    one.post(&game, &[("ply", "x"), ("action", "e2e4")]).await.page(400);
    one.post(&game, &[("ply", "0")]).await.page(422);
    one.post(&game, &[("seat", "two"), ("action", "e7e5")]).await.page(422);
    // Several fields form one action.
    assert_eq!(
        one.post(&game, &[("ply", "0"), ("action", ""), ("action", " e2e4 "), ("action", "")]).await.status,
        303
    );
    let stale = one.post(&game, &[("ply", "0"), ("action", "d2d4")]).await;
    assert!(stale.page(409).contains("has moved on") && stale.body.contains("data-ply=\"1\""));
    let stranger = Browser::new(&site).post(&game, &[("ply", "1"), ("action", "e7e5")]).await;
    assert!(stranger.page(422).contains("holds neither seat"));
    // Forms from other sites are refused.
    let mut foreign = request(Method::POST, &game);
    foreign.headers_mut().insert("origin", "http://evil.example".parse().unwrap());
    foreign.headers_mut().insert("sec-fetch-site", "cross-site".parse().unwrap());
    ask(&site, foreign).await.page(403);
}

#[tokio::test]
async fn private_link_restores_the_seat() {
    let site = site();
    let mut one = Browser::new(&site);
    let game = one.begin(&CHESS).await;
    let token = one.tokens(&game)[0].clone();
    assert!(one.get(&game).await.body.contains(&format!("http://zork.example/seat/{token}")));
    let mut lost = Browser::new(&site);
    assert!(!lost.get(&game).await.body.contains("name=\"from\""));
    assert_eq!(lost.get(&format!("/seat/{token}")).await.header("location"), game);
    assert_eq!(lost.tokens(&game), std::slice::from_ref(&token));
    lost.play(&game, "e2", "e2e4").await;
    for wrong in ["AAAAAAAAAAAAAAAAAAAAAA", "x", "%00"] {
        let answer = lost.get(&format!("/seat/{wrong}")).await;
        assert!(!answer.page(404).contains("AAAA"), "a secret is not repeated");
    }
    let code = one.code(&game);
    let typed = format!(" {} {} ", code[..5].to_uppercase(), &code[5..]);
    let found = lost.post("/seat", &[("code", &typed)]).await;
    assert_eq!(found.header("location"), format!("/invite/{code}"));
    assert!(lost.post("/seat", &[("code", "nonsense")]).await.page(422).contains("value=\"nonsense\""));
    lost.get("/seat").await.page(200);
    lost.get("/invite/nonsense").await.page(404);
}

#[tokio::test]
async fn open_game_is_joined_once_and_a_browser_keeps_fifty_games() {
    let site = router(app(patient()));
    let mut one = Browser::new(&site);
    let game = one.begin(&[("variant", "lrs"), ("opponent", "open"), ("seat", "two"), ("name", "Cleo")]).await;
    let mut two = Browser::new(&site);
    let home = two.get("/").await;
    assert!(home.page(200).contains("Cleo") && home.body.contains(&format!("action=\"{game}/join\"")));
    assert_eq!(two.post(&format!("{game}/join"), &[]).await.status, 303);
    two.play(&game, "e2", "e2e4").await;
    Browser::new(&site).post(&format!("{game}/join"), &[]).await.page(422);
    assert!(!two.get("/").await.body.contains(&format!("{game}/join")));
    assert!(one.get("/").await.body.contains("your turn"));
    // Browsers send the oldest cookies first. This test's browser sorts by name, so any game but the newest may be dropped.
    for _ in 0..55 {
        let new = one.begin(&CHESS).await;
        assert_eq!(one.tokens(&new).len(), 1);
    }
    let kept = |what: &str| one.cookies.keys().filter(|name| name.starts_with(what)).count();
    assert_eq!(kept("seat-"), 50);
    assert!(kept("invite-") <= 50);
    one.get("/").await.page(200);
}

#[tokio::test]
async fn every_variant_has_a_form_rules_and_a_playing_bot() {
    let site = site();
    for variant in VARIANTS {
        let mut browser = Browser::new(&site);
        assert!(browser.get("/").await.body.contains(&format!("value=\"{}\"", variant.key)));
        browser.get(&format!("/rules/{}", variant.key)).await.page(200);
        let form = browser.get(&format!("/new/{}", variant.key)).await;
        for setting in (variant.settings)() {
            assert!(form.page(200).contains(&format!("name=\"option-{}\"", setting.key)), "{}", setting.key);
        }
        for (preset, _) in (variant.presets)() {
            let game = browser.begin(&[("variant", variant.key), ("preset", preset), ("opponent", "bot:random")]).await;
            let page = browser.get(&game).await;
            assert!(page.page(200).len() < 100_000);
        }
    }
    get(&site, "/rules/checkers").await.page(404);
    get(&site, "/new/checkers").await.page(404);
    get(&site, "/rules").await.page(200);
}

#[tokio::test]
async fn form_keeps_typed_values_and_marks_errors() {
    let site = site();
    let mut browser = Browser::new(&site);
    for (field, value, marked) in [
        ("option-fen", "8/8/8/8/8/8/8/8 w - - 0 1", "option-fen"),
        ("option-fen", "1. e4 e5 2. Ke3", "option-fen"),
        ("seat", "three", "seat"),
        ("opponent", "bot:oracle", "opponent"),
        ("clock", "sundial", "clock"),
        ("name", "x\u{202e}y", "name"),
    ] {
        let page = browser.post("/games", &[("variant", "chess"), (field, value)]).await;
        let told = page.page(422).contains(&format!("id=\"{marked}-wrong\"")) || page.body.contains("role=\"alert\"");
        assert!(told, "{field}={value}");
        if field == "option-fen" {
            assert!(page.body.contains(value), "{field}={value}");
        }
    }
    let fields = [("variant", "chess"), ("clock", "fischer"), ("minutes", "0"), ("increment", "5")];
    assert!(browser.post("/games", &fields).await.page(422).contains("id=\"minutes-wrong\""));
    assert!(browser.cookies.is_empty());
    browser.post("/games", &[]).await.page(404);

    let game = browser.begin(&[("variant", "chess"), ("opponent", "self"), ("option-fen", "1. e4 e5 2. Nf3")]).await;
    assert!(browser.get(&game).await.body.contains("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"));
    let fields =
        [("variant", "chess"), ("clock", "fischer"), ("minutes", "5"), ("increment", "3"), ("minutes-two", "1")];
    let game = browser.begin(&fields).await;
    let page = browser.get(&game).await;
    assert!(page.body.contains("5:00") && page.body.contains("1:00"));
}

#[tokio::test]
async fn promotion_is_chosen_next_to_the_board() {
    let site = site();
    let mut browser = Browser::new(&site);
    let fen = "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1";
    let game = browser.begin(&[("variant", "chess"), ("opponent", "self"), ("option-fen", fen)]).await;
    let page = browser.get(&format!("{game}?from=e7")).await;
    for piece in ["q", "r", "b", "n"] {
        assert!(page.body.contains(&format!("name=\"action\" value=\"e7e8{piece}\"")), "{piece}");
    }
    assert!(page.body.contains("name=\"from\" value=\"e7e8\""));
    // Clicks on a piece also work in browsers that ignore the button's form method.
    let pressed = browser.post(&game, &[("ply", "0"), ("from", "e7")]).await;
    assert_eq!(pressed.header("location"), format!("{game}?from=e7#board"));
    assert_eq!(browser.post(&game, &[("ply", "0"), ("action", "e7e8r")]).await.status, 303);
    // In a pass-and-play game, an offer is agreed at once.
    assert_eq!(browser.post(&game, &[("action", "takeback")]).await.status, 303);
    assert!(browser.get(&game).await.body.contains("data-ply=\"0\""));
    assert_eq!(browser.post(&game, &[("action", "draw")]).await.status, 303);
    assert!(browser.get(&game).await.body.contains("Draw: agreement."));
}

#[tokio::test]
async fn curtain_hides_sealed_bids_on_a_shared_screen() {
    let site = site();
    let mut browser = Browser::new(&site);
    let game = browser.begin(&[("variant", "bidding"), ("preset", "secret"), ("opponent", "self")]).await;
    let page = browser.get(&game).await;
    assert!(!page.page(200).contains("class=\"curtain\"") && page.body.contains("name=\"seat\" value=\"one\""));
    let sealed = browser.post(&game, &[("seat", "one"), ("ply", "0"), ("action", "bid"), ("action", "37")]).await;
    assert_eq!((sealed.status.as_u16(), sealed.header("location")), (303, game.as_str()));
    let curtain = browser.get(&game).await;
    assert!(curtain.page(200).contains("class=\"curtain\"") && curtain.body.contains("name=\"seat\" value=\"two\""));
    assert!(!curtain.body.contains("bid 37") && !curtain.body.contains("name=\"action\""));
    let two = browser.get(&format!("{game}?seat=two")).await;
    assert!(!two.page(200).contains("class=\"curtain\"") && !two.body.contains("bid 37"));
    assert!(two.body.contains("<h1>Your turn: Black to bid</h1>"));
    assert!(!browser.get(&format!("{game}/ply/0")).await.page(200).contains("bid 37"));
    let both = browser.post(&game, &[("seat", "two"), ("ply", "0"), ("action", "bid"), ("action", "41")]).await;
    assert_eq!(both.status, 303, "{}", both.body);
    let opened = browser.get(both.header("location")).await;
    assert!(opened.page(200).contains("37") && opened.body.contains("41") && !opened.body.contains("data-ply=\"0\""));
}

#[tokio::test]
async fn design_is_bought_placed_and_shown_in_the_purses() {
    let site = site();
    let mut browser = Browser::new(&site);
    let fields = [("variant", "csipgs"), ("preset", "standard power"), ("opponent", "self"), ("seat", "one")];
    let game = browser.begin(&fields).await;
    let texts = ["e1e2", "design 1 WFfhN", "e8e7", "keep", "buy WFfhN", "keep", "e7e8", "keep"];
    for (ply, text) in texts.into_iter().enumerate() {
        let answer = browser.post(&game, &[("ply", &ply.to_string()), ("action", text)]).await;
        assert_eq!(answer.status, 303, "{text}: {}", answer.body);
    }
    // The piece is below the board. A click on it marks the squares next to the king, which are buttons.
    let page = browser.get(&game).await.body;
    assert!(page.contains("name=\"from\" value=\"transfer WFfhN\""), "{page}");
    assert!(page.split("value=\"transfer WFfhN\">").nth(1).unwrap().starts_with("<svg"), "with its picture");
    assert!(!page.contains("value=\"transfer WFfhN d1\""));
    let held = browser.get(&format!("{game}?from=transfer%20WFfhN")).await.body;
    let lit: Vec<&str> = held.split("name=\"action\" value=\"transfer WFfhN ").skip(1).map(|rest| &rest[..2]).collect();
    assert_eq!(lit, ["d3", "e3", "f3", "d2", "f2", "d1", "e1", "f1"]);
    assert_eq!(held.matches(" target").count(), 8);
    // In a form that posts, the piece can be selected again.
    let again = browser.post(&game, &[("ply", "8"), ("from", "transfer WFfhN")]).await;
    assert_eq!(again.header("location"), format!("{game}?from=transfer%20WFfhN#board"));
    let answer = browser.post(&game, &[("ply", "8"), ("action", "transfer WFfhN d3")]).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let page = browser.get(&game).await.body;
    for words in [
        "White, turn by turn: 4, 4, 8, 2, 6, 6. Black: 0, 4, 4, 8, 8, 8.",
        "<polyline class=\"line second\"",
        "/betza?quantum=1&amp;game=",
    ]
    .map(|words| words.replace("&amp;", "&#38;"))
    {
        assert!(page.contains(&words), "{words}: {page}");
    }
    // The replay shows the earlier purses.
    let past = browser.get(&format!("{game}/ply/4")).await.body;
    assert!(past.contains("White, turn by turn: 4, 4, 8, 8. Black: 0, 4, 4, 4."), "{past}");
}

#[tokio::test]
async fn examples_in_the_csipgs_rules_begin_games() {
    let site = site();
    let mut browser = Browser::new(&site);
    let page = browser.get("/rules/csipgs").await.body;
    let forms: Vec<&str> = page.split("<form class=\"notice example\"").skip(1).collect();
    assert!(forms.len() >= 4);
    for form in forms {
        let fields: Vec<(&str, &str)> = form
            .split("</form>")
            .next()
            .unwrap()
            .split("<input type=\"hidden\" name=\"")
            .skip(1)
            .map(|field| field.split('>').next().unwrap().trim_end_matches('"').split_once("\" value=\"").unwrap())
            .collect();
        let game = browser.begin(&fields).await;
        assert!(browser.get(&game).await.page(200).contains("id=\"typed\""), "{fields:?}");
    }
}

#[tokio::test]
async fn browser_with_both_seats_selects_its_view() {
    let site = site();
    let mut both = Browser::new(&site);
    let game = both.begin(&[("variant", "bookie"), ("opponent", "self")]).await;
    for (query, seat) in [("", "one"), ("?seat=one", "one"), ("?seat=two", "two")] {
        assert_eq!(both.get(&format!("/api{game}{query}")).await.json()["seat"], seat, "{query}");
        assert_eq!(both.get(&format!("/api{game}/record.json{query}")).await.status, 200);
    }
    for what in ["", "/record.json", "/record.pgn", "/events"] {
        assert_eq!(both.get(&format!("/api{game}{what}?seat=three")).await.problem(400)["field"], "seat");
    }
    assert_eq!(Browser::new(&site).get(&format!("/api{game}?seat=two")).await.json()["seat"], serde_json::Value::Null);
}

#[tokio::test]
async fn cookies_behind_tls_have_the_host_prefix() {
    let site = router(app(Options { public_url: Some("https://zork.example".parse().unwrap()), ..patient() }));
    let mut browser = Browser::new(&site);
    let game = browser.begin(&CHESS).await;
    assert!(!browser.cookies.is_empty() && browser.cookies.keys().all(|name| name.starts_with("__Host-")));
    let page = browser.get(&game).await.page(200).to_owned();
    let link = page.split("https://zork.example/seat/").nth(1).unwrap().split('<').next().unwrap();
    let token = link.split('"').next().unwrap();
    let mut other = Browser::new(&site);
    let seat = other.get(&format!("/seat/{token}")).await;
    let cookies = seat.headers.get_all(header::SET_COOKIE).iter();
    for cookie in cookies.map(|cookie| cookie.to_str().unwrap()) {
        assert!(cookie.starts_with("__Host-seat-") && cookie.contains("; Secure") && !cookie.contains("Domain"));
    }
    assert!(other.cookies.contains_key(&format!("__Host-seat-{}", game.rsplit('/').next().unwrap())));
    other.play(&game, "e2", "e2e4").await;
}
