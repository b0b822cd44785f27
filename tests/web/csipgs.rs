//! csipgs with forms alone: an army survives every refusal, designs are kept automatically, designs are saved, and pieces are explained.

use super::{games::Browser, *};
use serde_json::Value;

/// A pass-and-play game of csipgs with options.
async fn begin<'s>(site: &'s Router, options: &[(&str, &str)]) -> (Browser<'s>, String) {
    let mut browser = Browser::new(site);
    let mut fields = vec![("variant", "csipgs"), ("opponent", "self")];
    fields.extend(options);
    let game = browser.begin(&fields).await;
    (browser, game)
}

/// State of a game for seat one.
async fn see(browser: &mut Browser<'_>, site: &Router, game: &str) -> Value {
    let token = browser.tokens(game)[0].clone();
    let mut request = request(Method::GET, &format!("/api{game}"));
    request.headers_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    ask(site, request).await.json()
}

#[tokio::test]
async fn army_is_built_and_survives_a_refusal() {
    let site = site();
    let (mut browser, game) = begin(&site, &[("option-army", "secret")]).await;
    let path = format!("{game}?seat=one&ply=0");
    let page = browser.get(&format!("{path}&draft=R+a1+N+b1+WFfhN")).await;
    let page = page.page(200);
    assert!(page.contains("data-square=\"a1\" data-piece=\"rook\"") && page.contains("data-piece=\"knight\""));
    assert!(page.contains("Spent <strong class=\"amount\">8</strong>"), "{page}");
    assert!(page.contains("value=\"R a1 N b1 WFfhN\""), "every button sends the current army");
    let designed = browser.get(&format!("{path}&draft=NF&piece=NF")).await;
    assert!(designed.page(200).contains("It costs <strong class=\"amount\">4.5</strong>"), "{}", designed.body);
    assert!(designed.body.contains("costs 4.5\""), "the row of pieces has the same price: {}", designed.body);
    // Clicks add, move, replace and remove pieces.
    for (added, piece) in
        [("B+c1", "value=\"R a1 N b1 B c1\""), ("a1b1", "value=\"N a1 R b1\""), ("a1a1", "value=\"N b1 R\"")]
    {
        let page = browser.get(&format!("{path}&draft=R+a1+N+b1&add={added}")).await;
        assert!(page.page(200).contains(piece), "{added}: {}", page.body);
    }
    // Invalid changes are left out, with a message.
    for (added, why) in
        [("Rx+a2", "“Rx” was left out"), ("R+a3", "a3 is not on white"), ("c1d1", "there is no piece on c1")]
    {
        let page = browser.get(&format!("{path}&draft=R+a1&add={added}")).await;
        assert!(page.page(200).contains(why) && page.body.contains("value=\"R a1"), "{added}: {}", page.body);
    }
    // Forbidden squares and unaffordable pieces.
    let page = browser.get(&format!("{path}&draft=R+a2")).await;
    assert!(
        page.page(200).contains("rook on a2 costs 5, but a piece on the second rank may cost at most 2"),
        "{}",
        page.body
    );
    let dear: String = ('a'..='h').map(|file| format!("BR+{file}1+")).collect();
    let page = browser.get(&format!("{path}&draft={dear}")).await;
    assert!(page.page(200).contains("cannot afford the cheapest pieces"), "{}", page.body);
    // Other viewers see none of it.
    let other = browser.get(&format!("{game}?seat=two")).await;
    assert!(!other.page(200).contains("data-piece=\"rook\""));
    // A refused army is returned unchanged.
    let sent = [("seat", "one"), ("ply", "0"), ("action", "army"), ("draft", "R a1 N b1 R c2"), ("beside", "WFfhN")];
    let refused = browser.post(&game, &sent).await;
    assert!(refused.page(422).contains("value=\"R a1 N b1 R c2 WFfhN\""), "{}", refused.body);
    // A known army is taken as it is, and one that the options forbid is disabled.
    let page = browser.get(&path).await;
    let known = page.page(200).split("name=\"add\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    assert!(page.body.contains("disabled>Nutty Knights"));
    let sent = [("seat", "one"), ("ply", "0"), ("action", "army"), ("draft", &*known)];
    assert_eq!(browser.post(&game, &sent).await.status, 303);
    let sealed = browser.get(&format!("{game}?seat=one")).await;
    assert!(sealed.page(200).contains("Your army is sealed") && sealed.body.contains("data-piece=\"queen\""));
}

/// Value of a hidden field of the form around the board.
fn hidden<'p>(page: &'p str, name: &str) -> Option<&'p str> {
    let board = page.split("<form id=\"board\"").nth(1).unwrap().split("<table").next().unwrap();
    board.split(&format!("name=\"{name}\" value=\"")).nth(1)?.split('"').next()
}

#[tokio::test]
async fn designs_are_kept_unless_the_player_asks_to_design() {
    let site = site();
    let (mut browser, game) = begin(&site, &[]).await;
    // The form of the page sends the second action, for a move and for a typed one.
    let page = browser.get(&game).await;
    assert_eq!(hidden(page.page(200), "then"), Some("keep"), "{}", page.body);
    let typed = page.body.split("id=\"typed\"").nth(1).unwrap().split("</form>").next().unwrap();
    assert!(typed.contains("name=\"then\" value=\"keep\""), "{typed}");
    let moved = [("seat", "one"), ("ply", "0"), ("action", "e1e2"), ("then", "keep")];
    assert_eq!(browser.post(&game, &moved).await.status, 303);
    let json = see(&mut browser, &site, &game).await;
    assert_eq!((&json["ply"], &json["view"]["mover"]), (&2.into(), &"two".into()));
    // One press without a script: the page no longer sends the second action, also after a refused move.
    let asked = browser.post(&game, &[("seat", "two"), ("ply", "2"), ("design", "1"), ("show", "")]).await;
    let designing = asked.header("location").to_owned();
    assert!(designing.contains("design=1"), "{designing}");
    let page = browser.get(designing.trim_end_matches("#board")).await;
    assert_eq!((hidden(page.page(200), "then"), hidden(&page.body, "design")), (None, Some("1")), "{}", page.body);
    let refused = browser.post(&game, &[("seat", "two"), ("ply", "2"), ("action", "e8e6"), ("design", "1")]).await;
    assert_eq!((hidden(refused.page(422), "then"), hidden(&refused.body, "design")), (None, Some("1")));
    let moved = browser.post(&game, &[("seat", "two"), ("ply", "2"), ("action", "e8e7"), ("design", "1")]).await;
    assert!(!moved.header("location").contains("design"), "the wish is for one turn");
    let json = see(&mut browser, &site, &game).await;
    assert_eq!((&json["ply"], &json["turn"]["phase"]), (&3.into(), &"design".into()));
    let page = browser.get(&game).await;
    assert!(page.page(200).contains("id=\"designer\"") && hidden(&page.body, "then").is_none(), "{}", page.body);
    assert_eq!(browser.post(&game, &[("seat", "two"), ("ply", "3"), ("action", "design 1 WFfhN")]).await.status, 303);
    assert_eq!(hidden(browser.get(&game).await.page(200), "then"), Some("keep"));
    // An invalid second action leaves the decision to the player.
    let moved = [("seat", "one"), ("ply", "4"), ("action", "e2e1"), ("then", "design 9 nothing")];
    assert_eq!(browser.post(&game, &moved).await.status, 303);
    assert_eq!(see(&mut browser, &site, &game).await["ply"], 5);
}

#[tokio::test]
async fn designs_are_not_kept_automatically_where_their_phase_buys_or_invents() {
    let site = site();
    for preset in ["strong power", "super power", "configurable"] {
        let (mut browser, game) = begin(&site, &[("preset", preset)]).await;
        let page = browser.get(&game).await;
        assert!(!page.page(200).contains("name=\"then\"") && !page.body.contains("Design…"), "{preset}");
        assert_eq!(browser.post(&game, &[("seat", "one"), ("ply", "0"), ("action", "e1e2")]).await.status, 303);
        let page = browser.get(&game).await;
        assert!(page.page(200).contains(">Keep my designs</button>"), "{preset}: {}", page.body);
        assert!(!page.body.contains("name=\"then\""), "{preset}");
    }
}

#[tokio::test]
async fn army_wing_is_mirrored_and_placed_piece_stays_in_hand() {
    let site = site();
    let (mut browser, game) = begin(&site, &[("option-army", "secret")]).await;
    let path = format!("{game}?seat=one&ply=0");
    for (draft, mirrored) in [
        ("R+a1+N+b1+cfFmfW+c2+BR+d1", "R a1 N b1 BR d1 N g1 R h1 cfFmfW c2 cfFmfW f2"),
        // The wing with more pieces is copied.
        ("N+a1+B+f1+R+h1", "R a1 B c1 B f1 R h1"),
    ] {
        let page = browser.get(&format!("{path}&draft={draft}&add=mirror")).await;
        assert!(page.page(200).contains(&format!("value=\"{mirrored}\"")), "{draft}: {}", page.body);
    }
    // Without a script, the form sends the piece in hand with every square, until it is put down.
    let sent = [("seat", "one"), ("ply", "0"), ("draft", ""), ("from", "cfFmfW"), ("add", "cfFmfW a2")];
    let next = browser.post(&game, &sent).await.header("location").to_owned();
    let page = browser.get(next.trim_end_matches("#board")).await;
    assert!(page.page(200).contains("<input type=\"hidden\" name=\"from\" value=\"cfFmfW\">"), "{}", page.body);
    assert!(page.body.contains("name=\"add\" value=\"cfFmfW b2\""), "{}", page.body);
    assert!(!page.body.contains("name=\"add\" value=\"cfFmfW a2\""), "it is there already: {}", page.body);
    let down = [("seat", "one"), ("ply", "0"), ("draft", "cfFmfW a2"), ("from", "cfFmfW"), ("from", ""), ("show", "")];
    assert!(!browser.post(&game, &down).await.header("location").contains("from="));
    // An offer keeps the unfinished army.
    let page = browser.get(&format!("{path}&draft=R+a1")).await;
    assert!(page.page(200).contains("name=\"drafted\" value=\"R a1\""), "{}", page.body);
    let offer = [("seat", "one"), ("ply", "0"), ("drafted", "R a1"), ("action", "draw")];
    let next = browser.post(&game, &offer).await.header("location").to_owned();
    assert!(next.contains("draft=R%20a1"), "{next}");
}

#[tokio::test]
async fn phases_are_described_as_the_game_has_them() {
    let site = site();
    let (mut browser, game) = begin(&site, &[("preset", "super power")]).await;
    let page = browser.get(&game).await;
    assert!(page.page(200).contains("Then you may buy a piece.") && !page.body.contains("buy one for your reserve"));
    assert!(page.body.contains("next turn <span class=\"amount\">+10</span>"), "{}", page.body);
    assert_eq!(browser.post(&game, &[("seat", "one"), ("ply", "0"), ("action", "e1e2")]).await.status, 303);
    let page = browser.get(&game).await;
    assert!(page.page(200).contains("White to buy or design"), "{}", page.body);
    let spectator = Browser::new(&site).get(&game).await;
    assert!(spectator.page(200).contains("White may change a design or buy a piece."), "{}", spectator.body);
    // The first income is no part of the money at the start, and a finished game has no next turn.
    assert_eq!(browser.post(&game, &[("seat", "one"), ("ply", "1"), ("action", "resign")]).await.status, 303);
    let page = browser.get(&game).await;
    assert!(page.page(200).contains("White began with 0 zorkmids and ended with 10."), "{}", page.body);
    assert!(!page.body.contains("next turn <span"));
}

#[tokio::test]
async fn checkmate_is_shown_before_the_design_phase_ends() {
    let site = site();
    let (mut browser, game) = begin(&site, &[("preset", "army")]).await;
    for seat in ["one", "two"] {
        let page = browser.get(&format!("{game}?seat={seat}")).await;
        let army = page.page(200).split("name=\"add\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        let sent = [("seat", seat), ("ply", "0"), ("action", "army"), ("draft", &*army)];
        assert_eq!(browser.post(&game, &sent).await.status, 303);
    }
    for (turn, said) in ["f2f3", "e7e6", "g2g3", "a7a6", "g3g4", "d8h4"].into_iter().enumerate() {
        let seat = if turn % 2 == 0 { "one" } else { "two" };
        assert_eq!(browser.post(&game, &[("seat", seat), ("action", said)]).await.status, 303, "{said}");
        let page = browser.get(&game).await;
        assert_eq!(page.page(200).contains("data-mates>Checkmate"), said == "d8h4", "{said}: {}", page.body);
        assert_eq!(browser.post(&game, &[("seat", seat), ("action", "keep")]).await.status, 303, "{said}");
    }
    assert!(browser.get(&game).await.page(200).contains("Black wins against White: checkmate"));
}

#[tokio::test]
async fn prices_are_decimals() {
    let site = site();
    let designs = ("option-designs", "flF fcFfmW B N R royal-WF");
    let (mut browser, game) = begin(&site, &[("preset", "dutch"), designs]).await;
    let page = browser.get(&game).await;
    for words in [
        "exactly <span title=\"189/400\">≈0.47</span>.",
        "exactly 1.08.",
        "<td class=\"amount\">1.1</td>",
        "Costs 0.5, exactly <span",
    ] {
        assert!(page.page(200).contains(words), "{words}: {}", page.body);
    }
}

#[tokio::test]
async fn refused_invention_and_estimate_stay_in_their_fields() {
    let site = site();
    let (mut browser, game) = begin(&site, &[("preset", "configurable")]).await;
    assert_eq!(browser.post(&game, &[("seat", "one"), ("ply", "0"), ("action", "e1e2")]).await.status, 303);
    for [name, definition] in [["Horse", "lame(1,"], ["horse", "lame(1,2)"], ["Horse", "a <b> c"]] {
        let sent = [("seat", "one"), ("ply", "1"), ("action", "invent"), ("action", name), ("action", definition)];
        let page = browser.post(&game, &sent).await;
        let definition = definition.replace('<', "&#60;").replace('>', "&#62;");
        for text in [name, &definition] {
            assert!(page.page(422).contains(&format!(" value=\"{text}\" aria-invalid")), "{text}: {}", page.body);
        }
        let form = page.body.split("Type an invention").nth(1).unwrap().split("</form>").next().unwrap();
        assert!(form.contains("<p class=\"error\">"), "the reason is beside the fields: {form}");
    }
    // Bodlaender's word for a runner.
    let sent = [("seat", "one"), ("ply", "1"), ("action", "invent"), ("action", "Run"), ("action", "running")];
    assert_eq!(browser.post(&game, &sent).await.status, 303);
    assert_eq!(see(&mut browser, &site, &game).await["view"]["estimate"]["definition"], "runner");
    let sent = [("seat", "one"), ("ply", "2"), ("action", "estimate"), ("action", "many")];
    let page = browser.post(&game, &sent).await;
    assert!(page.page(422).contains(" value=\"many\" aria-invalid"), "{}", page.body);
}

#[tokio::test]
async fn design_is_built_priced_and_saved() {
    let site = site();
    let (mut browser, game) = begin(&site, &[("option-white_tenths", "2")]).await;
    assert_eq!(browser.post(&game, &[("seat", "one"), ("ply", "0"), ("action", "e1e2")]).await.status, 303);
    let page = browser.get(&format!("{game}?piece=W&press=1,2&mirror=one&before=W")).await;
    assert!(page.page(200).contains("id=\"piece\" name=\"piece\" class=\"code\" value=\"WrfN\""), "{}", page.body);
    assert!(page.body.contains("You can afford it now") && page.body.contains("value=\"undo:W\">Undo"));
    let sent = [("seat", "one"), ("piece", ""), ("known", "N"), ("mirror", "sides"), ("before", "")];
    let chosen = browser.post(&game, &sent).await.header("location").replace("#designer", "");
    let page = browser.get(&chosen).await;
    for part in ["class=\"code\" value=\"N\"", "value=\"sides\" checked", "value=\"undo:\">Undo"] {
        assert!(page.page(200).contains(part), "{part} at {chosen}: {}", page.body);
    }
    for (piece, said) in [
        ("R", "Affordable in 2 turns"),
        ("WcN", "Affordable on your next turn"),
        ("relay-N", "relay- is not allowed in this game"),
        ("Wx", "id=\"wrong\""),
    ] {
        let page = browser.get(&format!("{game}?piece={piece}")).await;
        assert!(page.page(200).contains(said), "{piece}: {}", page.body);
        assert_eq!(page.body.contains("Replace design"), said.starts_with("Affordable"), "{piece}");
    }
    let back = format!("{game}?piece=WFfhN");
    assert_eq!(browser.post("/betza/saved", &[("piece", "WFfhN"), ("back", &back)]).await.header("location"), back);
    assert!(browser.get("/betza").await.page(200).contains("Saved designs"));
    assert!(browser.get(&back).await.page(200).contains("Forget this design"));
    assert_eq!(
        browser
            .post("/betza/saved", &[("piece", "WFfhN"), ("back", "//evil.example"), ("forget", "1")])
            .await
            .header("location"),
        "/betza"
    );
    assert!(!browser.get("/betza").await.page(200).contains("Saved designs"));
    browser.post("/betza/saved", &[("piece", "Wx"), ("back", "/betza")]).await.page(400);
}

#[tokio::test]
async fn designer_shows_errors_in_place() {
    let site = site();
    let mut browser = Browser::new(&site);
    for (query, why) in [
        ("piece=W&from=d", "not a square"),
        ("piece=W&from=z9", "not a square"),
        ("piece=W&press=1,3&by=ride", "No ride goes there"),
        ("piece=W&press=9,9", "no such square on the map"),
        ("piece=Wx&press=0,1", "id=\"wrong\""),
    ] {
        let page = browser.get(&format!("/betza?{query}")).await;
        assert!(page.page(400).contains(why) && page.body.contains("class=\"board map\""), "{query}: {}", page.body);
    }
}

#[tokio::test]
async fn pieces_are_explained_to_every_viewer() {
    let site = site();
    let (mut browser, game) = begin(&site, &[]).await;
    let mut stranger = Browser::new(&site);
    for browser in [&mut browser, &mut stranger] {
        let page = browser.get(&format!("{game}?about=e8")).await;
        assert!(page.page(200).contains("<strong>black king on e8</strong>"), "{}", page.body);
        assert_eq!(page.body.matches(" does\" data-square").count(), 5);
        let page = browser.get(&format!("{game}?about=a4")).await;
        assert!(!page.page(200).contains("id=\"asked\""));
    }
    // A piece does not capture its own side's pieces. A pawn moves and captures on different squares.
    let chess = browser.begin(&[("variant", "chess"), ("opponent", "self")]).await;
    for (square, signs) in [("b8", [2, 0, 0]), ("d8", [0, 0, 0]), ("e7", [0, 1, 2])] {
        let page = stranger.get(&format!("{chess}?about={square}")).await;
        let count = |sign: &str| page.page(200).matches(&format!(" {sign}\" data-square")).count();
        assert_eq!(["does", "moves-only", "captures-only"].map(count), signs, "{square}");
    }
    // The duck cannot be captured: a queen moves up the file to the square below it.
    let position = ("option-fen", "4k3/8/4*3/8/8/8/8/4Q2K w - - 0 1");
    let duck = browser.begin(&[("variant", "duck"), position, ("opponent", "self")]).await;
    let page = stranger.get(&format!("{duck}?about=e1")).await;
    assert_eq!(page.page(200).matches(" does\" data-square").count(), 17);
    assert!(!page.body.contains("captures-only"), "{}", page.body);
}

#[tokio::test]
async fn invention_is_chosen_from_a_list_with_estimates() {
    let site = site();
    let (mut browser, game) = begin(&site, &[("preset", "configurable")]).await;
    assert_eq!(browser.post(&game, &[("seat", "one"), ("ply", "0"), ("action", "e1e2")]).await.status, 303);
    let page = browser.get(&game).await;
    let page = page.page(200);
    assert_eq!(page.matches("type=\"radio\" name=\"action\"").count(), 15);
    for words in ["value=\"Zebra leaper(2,3)\"", "value=\"Cannon hopper\"", "leaps 3 and 2 squares"] {
        assert!(page.contains(words), "{words}");
    }
    let sent = [("seat", "one"), ("ply", "1"), ("action", "invent"), ("action", "Zebra leaper(2,3)")];
    assert_eq!(browser.post(&game, &sent).await.status, 303);
    let page = browser.get(&game).await;
    assert!(page.page(200).contains("placeholder=\"2.4\" value=\"3\""), "{}", page.body);
}

#[tokio::test]
async fn designs_of_a_game_have_different_silhouettes_that_they_keep() {
    let site = site();
    let designs = "W WF FD NN mWcF royal-WF";
    let (mut browser, game) = begin(&site, &[("option-designs", designs), ("option-white_tenths", "300")]).await;
    let shown = |page: &str| -> Vec<String> {
        let parts = page.split("silhouettes.svg#").skip(1).map(|part| part.split('"').next().unwrap().to_owned());
        let mut shown: Vec<String> = parts.collect();
        shown.sort();
        shown.dedup();
        shown
    };
    let before = shown(browser.get(&game).await.page(200));
    assert_eq!(before.len(), 5, "{before:?}");
    for (ply, action) in [("0", "e1e2"), ("1", "design 1 WFfhN")] {
        let answer = browser.post(&game, &[("seat", "one"), ("ply", ply), ("action", action)]).await;
        assert_eq!(answer.status, 303, "{}", answer.body);
    }
    let after = shown(browser.get(&game).await.page(200));
    assert_eq!(after.len(), 6, "{after:?}");
    assert!(before.iter().all(|name| after.contains(name)), "{before:?} {after:?}");
    let sprite = include_str!("../../static/silhouettes.svg");
    assert_eq!(sprite.matches("<g id=").count(), zorkmid::web::silhouette::NAMES.len());
    for name in zorkmid::web::silhouette::NAMES {
        let (_, drawing) = sprite.split_once(&format!("<g id=\"{name}\"")).unwrap_or_else(|| panic!("{name}"));
        let drawing = drawing.split("</g>").next().unwrap();
        let paths: usize = drawing.split(" d=\"").skip(1).map(|path| path.split('"').next().unwrap().len()).sum();
        assert!(paths <= 420, "{name}: {paths} bytes");
    }
}

#[tokio::test]
async fn chosen_icon_is_drawn_for_its_browser_alone() {
    let site = site();
    let (mut browser, game) = begin(&site, &[("option-designs", "A WF FD DN mWcF royal-WF")]).await;
    let drawn = |page: &str, name: &str| page.contains(&format!("silhouettes.svg#{name}\" fill"));
    let page = browser.get("/betza?piece=WF").await.page(200).to_owned();
    assert_eq!(page.matches("type=\"radio\" name=\"icon\"").count(), zorkmid::web::silhouette::NAMES.len());
    let [suggested, other] = {
        let at = page.find("\" checked><svg").unwrap();
        let suggested = page[..at].rsplit('"').next().unwrap().to_owned();
        let shown = browser.get(&game).await.page(200).to_owned();
        let unused = zorkmid::web::silhouette::NAMES.into_iter().find(|name| !drawn(&shown, name)).unwrap();
        [suggested, unused.to_owned()]
    };
    assert!(drawn(browser.get(&game).await.page(200), &suggested));
    let sent = [("piece", "WF"), ("icon", &*other), ("back", "/betza?piece=WF")];
    assert_eq!(browser.post("/betza/saved", &sent).await.header("location"), "/betza?piece=WF");
    let page = browser.get("/betza?piece=WF").await;
    assert!(page.page(200).contains(&format!("value=\"{other}\" checked")), "{}", page.body);
    assert!(!page.body.contains("Saved designs"), "an icon saves no design");
    let page = browser.get(&game).await;
    assert!(drawn(page.page(200), &other) && !drawn(&page.body, &suggested), "{}", page.body);
    let page = get(&site, &game).await;
    assert!(!drawn(page.page(200), &other) && drawn(&page.body, &suggested), "{}", page.body);
    // The order of its terms does not matter.
    let page = browser.get("/betza?piece=FW").await;
    assert!(page.page(200).contains(&format!("value=\"{other}\" checked")), "{}", page.body);
    // A piece with a familiar picture has no icon to choose.
    assert!(!browser.get("/betza?piece=N").await.page(200).contains("name=\"icon\""));
    for (piece, icon) in [("WF", "hat"), ("W.F", "owl"), (&*"W".repeat(65), "owl")] {
        browser.post("/betza/saved", &[("piece", piece), ("icon", icon), ("back", "/betza")]).await.page(400);
    }
}

#[tokio::test]
async fn typed_name_or_letter_means_the_invention_of_the_game() {
    let site = site();
    let (mut browser, game) = begin(&site, &[("preset", "configurable")]).await;
    for (ply, seat, action) in [
        ("0", "one", "e1e2"),
        ("1", "one", "invent Zebra leaper(2,3)"),
        ("2", "one", "estimate 3"),
        ("2", "two", "estimate 3"),
        ("3", "two", "e8e7"),
    ] {
        let answer = browser.post(&game, &[("seat", seat), ("ply", ply), ("action", action)]).await;
        assert_eq!(answer.status, 303, "{action}: {}", answer.body);
    }
    for (typed, text) in
        [("Zebra", "&#60;Zebra&#62;"), ("zebra", "&#60;Zebra&#62;"), ("Z", "&#60;Zebra&#62;"), ("knight", "N")]
    {
        let page = browser.get(&format!("{game}?seat=two&piece={typed}")).await;
        assert!(page.page(200).contains(&format!("class=\"code\" value=\"{text}\"")), "{typed}: {}", page.body);
        assert!(page.body.contains("It costs <strong class=\"amount\">3</strong>"), "{typed}: {}", page.body);
    }
    assert_eq!(get(&site, "/betza?piece=Zebra").await.status, 400, "nothing has been invented");
    let there = get(&site, "/betza?piece=Z&with=Zebra+leaper(2,3)+3").await;
    assert!(there.header("location").contains("piece=%3CZebra%3E"), "{}", there.header("location"));
}

#[tokio::test]
async fn mirror_can_be_undone_and_stays_within_the_budget() {
    let site = site();
    let (mut browser, game) = begin(&site, &[("option-army", "secret")]).await;
    let path = format!("{game}?seat=one&ply=0");
    let page = browser.get(&format!("{path}&draft=R+a1+R+h1+NF&add=mirror")).await;
    let undo = page.page(200).split("<form id=\"unmirror\"").nth(1).unwrap().split("</form>").next().unwrap();
    assert!(undo.contains("name=\"draft\" value=\"R a1 R h1 NF\""), "{undo}");
    assert!(page.body.contains("name=\"show\" form=\"unmirror\">Undo") && !page.body.contains(">Mirror</button>"));
    // The next change ends that.
    let page = browser.get(&format!("{path}&draft=R+a1+mirror&add=N+b1")).await;
    assert!(page.page(200).contains(">Mirror</button>") && !page.body.contains("unmirror"), "{}", page.body);
    let page = browser.get(&format!("{path}&draft=BR+a1+BR+b1+BR+c1+BR+d1&add=mirror")).await;
    assert!(page.page(200).contains("Not mirrored: that army would cost at least"), "{}", page.body);
    assert!(page.body.contains("value=\"BR a1 BR b1 BR c1 BR d1\"") && page.body.contains(">Mirror</button>"));
}

#[tokio::test]
async fn army_that_costs_too_much_says_by_how_much() {
    let site = site();
    let (mut browser, game) = begin(&site, &[("option-army", "secret")]).await;
    let back = ["BR", "BR", "BR", "R", "royal-WF", "R", "N", "N"];
    let pieces = ('a'..='h').zip(back).map(|(file, piece)| format!("{piece} {file}1 fcFfmW {file}2"));
    let dear = pieces.collect::<Vec<_>>().join(" ");
    let page = browser.get(&format!("{game}?seat=one&ply=0&draft={}", dear.replace(' ', "+"))).await;
    assert!(page.page(200).contains("<strong>9.54 too much.</strong>"), "{}", page.body);
    assert!(page.body.contains("<strong class=\"amount\">9.54</strong> over"), "{}", page.body);
    assert!(page.body.contains("Armies pay exact prices. During the game, prices are rounded up."), "{}", page.body);
    // The button says why it does nothing.
    assert!(page.body.contains("aria-disabled=\"true\">Seal army"), "{}", page.body);
    let sent = [("seat", "one"), ("ply", "0"), ("action", "army"), ("draft", &*dear)];
    let refused = browser.post(&game, &sent).await;
    assert!(refused.page(422).contains("army costs 61.54, but it must cost less than 52"), "{}", refused.body);
    assert!(refused.body.contains("9.54 too much"), "the army is still there: {}", refused.body);
    let sent = [("seat", "one"), ("ply", "0"), ("action", "army"), ("draft", "R a1")];
    assert!(browser.post(&game, &sent).await.page(422).contains("this one has 1"));
}

#[tokio::test]
async fn status_line_says_that_the_designer_follows_the_move() {
    let site = site();
    let (mut browser, game) = begin(&site, &[]).await;
    let words = "You will design after your move.";
    assert!(!browser.get(&game).await.page(200).contains(words));
    assert!(browser.get(&format!("{game}?design=1")).await.page(200).contains(words));
}

#[tokio::test]
async fn takeback_in_the_design_phase_returns_the_action() {
    let site = site();
    let (mut browser, game) = begin(&site, &[]).await;
    let turn = [("seat", "one"), ("ply", "0"), ("action", "e1e2"), ("then", "keep")];
    assert_eq!(browser.post(&game, &turn).await.status, 303);
    let action = [("seat", "two"), ("ply", "2"), ("action", "e8e7"), ("design", "1")];
    assert_eq!(browser.post(&game, &action).await.status, 303);
    assert_eq!(browser.post(&game, &[("seat", "two"), ("action", "takeback")]).await.status, 303);
    assert_eq!(see(&mut browser, &site, &game).await["ply"], 2, "the turn of the other player stays");
    assert_eq!(browser.post(&game, &[("seat", "two"), ("action", "takeback")]).await.status, 303);
    assert_eq!(see(&mut browser, &site, &game).await["ply"], 0);
}

#[tokio::test]
async fn prices_of_the_mated_player_stay_struck_through() {
    let site = site();
    let options = [("option-army", "secret"), ("option-white_tenths", "900")];
    let (mut browser, game) = begin(&site, &options).await;
    for (seat, back, front) in [("one", 1, 2), ("two", 8, 7)] {
        let officers = ["R", "N", "B", "BR", "royal-WF", "B", "N", "R"];
        let pieces =
            ('a'..='h').zip(officers).map(|(file, piece)| format!("{piece} {file}{back} fcFfmW {file}{front}"));
        let army = format!("army {}", pieces.collect::<Vec<_>>().join(" "));
        assert_eq!(browser.post(&game, &[("seat", seat), ("action", &army)]).await.status, 303);
    }
    for (turn, action) in ["f2f3", "e7e6", "g2g3", "a7a6", "g3g4", "d8h4"].into_iter().enumerate() {
        let seat = if turn % 2 == 0 { "one" } else { "two" };
        let sent = [("seat", seat), ("action", action), ("then", "keep")];
        assert_eq!(browser.post(&game, &sent).await.status, 303, "{action}");
    }
    let page = browser.get(&format!("{game}?seat=one")).await;
    assert!(page.page(200).contains("d8-h4#") && page.body.contains("dear\" title=\"queen costs 9\""), "{}", page.body);
}
