//! Clairvoyant Chess on the site: secrecy in every byte, whole games with the offered forms alone, and the number of visits that a game
//! takes.

mod drafts;

use super::{
    games::Browser,
    stakes::{Game, send, still},
    *,
};
use crate::often::often;
use rand::{RngExt, seq::IndexedRandom};
use serde_json::json;

#[tokio::test]
async fn no_byte_reveals_a_sheet_a_lock_or_a_blind_purse() {
    let money = json!({"money_one": 50, "money_two": 50});
    let blind = json!({"blind": true});
    // Earlier actions, the seat with the secret, the secret in two worlds, later actions.
    type Case<'c> = (serde_json::Value, &'c [&'c str], usize, [&'c str; 2], &'c [&'c str]);
    let rich = json!({"blind": true, "money_one": 50, "money_two": 50});
    let cases: [Case; 8] = [
        (rich, &["two guess a2"], 0, ["lock 2 e2e4", "e2e4"], &["two retract"]),
        (money.clone(), &[], 1, ["guess e2 g1f3 $Q@h6", "guess extra"], &[]),
        (money.clone(), &[], 1, ["guess e2 g1f3 $Q@h6", "guess extra"], &["one e2e4"]),
        (money.clone(), &[], 1, ["guess e2 g1f3 $Q@h6", "guess d2"], &["one e2e4", "two retract"]),
        (money.clone(), &[], 0, ["e2e4", "N@f5 P@b3"], &[]),
        (money, &["two guess"], 0, ["lock 2 e2e4", "e2e4"], &[]),
        (
            blind.clone(),
            &[],
            1,
            ["guess e2e4 e2e4 e2", "guess a2"],
            &["one e2e4", "two accept", "one guess", "two e7e5"],
        ),
        (
            blind,
            &["two guess a2", "one e2e4", "two accept", "one guess a7"],
            1,
            ["lock 2 e7e5", "e7e5"],
            &["one accept", "one d2d4"],
        ),
    ];
    for (options, before, seat, secrets, after) in cases {
        let mut worlds = Vec::new();
        for secret in secrets {
            let site = still();
            let game = Game::begin(&site, "clairvoyant", options.clone()).await;
            game.say(before).await;
            let own = game.act(seat, secret).await;
            assert_eq!(own.status, 200, "{secret}: {}", own.body);
            game.say(after).await;
            worlds.push(game.told(1 - seat, &["guess e4", "Q@e5", "bid 1", "e2e5", "retract now", "nonsense"]).await);
        }
        for (one, other) in worlds[0].iter().zip(&worlds[1]) {
            assert_eq!(one, other, "{secrets:?}");
        }
    }
}

/// A button on a page.
#[derive(Debug)]
struct Offer {
    post: bool,
    path: String,
    fields: Vec<(String, String)>,
    /// Name, value and label of the button.
    button: [String; 3],
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    rest.split('"').next().map(|value| value.replace("&#38;", "&").replace("&#39;", "'"))
}

/// Every button of every form, with the fields that it would send. Text fields stay empty.
fn offers(page: &str) -> Vec<Offer> {
    struct Open {
        post: bool,
        path: String,
        fields: Vec<(String, String)>,
    }
    let mut forms: Vec<Open> = Vec::new();
    let mut inside = false;
    let mut buttons = Vec::new();
    let mut select: Option<(String, usize)> = None;
    for tag in page.split('<').skip(1) {
        let (head, text) = tag.split_once('>').unwrap_or((tag, ""));
        let name = attribute(head, "name").unwrap_or_default();
        let form = forms.len().checked_sub(1).filter(|_| inside);
        match head.split([' ', '>']).next().unwrap_or_default() {
            "form" => {
                let path = attribute(head, "action").unwrap().split('#').next().unwrap().to_owned();
                let post = attribute(head, "method").as_deref() == Some("post");
                forms.push(Open { post, path, fields: Vec::new() });
                inside = true;
            }
            "/form" => inside = false,
            "select" => select = form.map(|form| (name, form)),
            "/select" => select = None,
            "option" => {
                let Some((name, form)) = &select else { continue };
                let fields = &mut forms[*form].fields;
                // The first option counts, unless another one is selected.
                if head.contains(" selected") {
                    fields.retain(|(other, _)| other != name);
                }
                if fields.iter().all(|(other, _)| other != name) {
                    fields.push((name.clone(), attribute(head, "value").unwrap_or_default()));
                }
            }
            "input" if form.is_some() && !head.contains("type=\"checkbox\"") => {
                forms[form.unwrap()].fields.push((name, attribute(head, "value").unwrap_or_default()));
            }
            "button" if !head.contains(" disabled") => {
                let value = attribute(head, "value").unwrap_or_default();
                buttons.extend(form.map(|form| (form, [name, value, text.trim().to_owned()])));
            }
            _ => {}
        }
    }
    let offer = |(form, button): (usize, [String; 3])| {
        let form: &Open = &forms[form];
        let mut fields = form.fields.clone();
        if !button[0].is_empty() {
            fields.push((button[0].clone(), button[1].clone()));
        }
        Offer { post: form.post, path: form.path.clone(), fields, button }
    };
    buttons.into_iter().map(offer).collect()
}

/// A player with a browser without scripts, on a page of the game.
struct Visitor<'s> {
    browser: Browser<'s>,
    game: String,
    page: String,
}

impl<'s> Visitor<'s> {
    /// Both players of a new game.
    async fn pair(site: &'s Router, options: &[(&str, &str)]) -> [Visitor<'s>; 2] {
        let fields = [&[("variant", "clairvoyant"), ("opponent", "link"), ("seat", "one")], options].concat();
        let mut one = Browser::new(site);
        let game = one.begin(&fields).await;
        let mut two = Browser::new(site);
        let code = one.code(&game);
        two.post(&format!("/invite/{code}"), &[]).await;
        [one, two].map(|browser| Visitor { browser, game: game.clone(), page: String::new() })
    }

    async fn look(&mut self) {
        self.page = self.browser.get(&self.game).await.page(200).to_owned();
    }

    /// Clicks a button and follows the redirect.
    async fn press(&mut self, offer: &Offer) {
        let escape =
            |text: &str| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string();
        let answer = if offer.post {
            let fields: Vec<(&str, &str)> =
                offer.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            self.browser.post(&offer.path, &fields).await
        } else {
            let query: Vec<String> =
                offer.fields.iter().map(|(name, value)| format!("{name}={}", escape(value))).collect();
            self.browser.get(&format!("{}?{}", offer.path, query.join("&"))).await
        };
        match answer.status.as_u16() {
            303 => {
                let there = answer.header("location").split('#').next().unwrap().to_owned();
                self.page = self.browser.get(&there).await.page(200).to_owned();
            }
            status => {
                assert_eq!(status, 200, "{offer:?}: {}", answer.body);
                self.page = answer.body;
            }
        }
    }

    /// Clicks the button with a name and a value.
    async fn click(&mut self, name: &str, value: &str) {
        let offers = offers(&self.page);
        let offer = offers.iter().find(|offer| offer.button[0] == name && offer.button[1] == value);
        let offer = offer.unwrap_or_else(|| panic!("no button {name}={value} in {offers:#?}"));
        self.press(offer).await;
    }

    /// Clicks the button with a label.
    async fn label(&mut self, label: &str) {
        let offers = offers(&self.page);
        let offer = offers.iter().find(|offer| offer.button[2].starts_with(label));
        self.press(offer.unwrap_or_else(|| panic!("no button “{label}” in {offers:#?}"))).await;
    }

    fn asked(&self) -> bool {
        self.page.contains("<h1>Your turn")
    }
}

#[tokio::test]
async fn whole_game_is_played_with_the_offered_buttons() {
    let site = site();
    let [mut white, mut black] = Visitor::pair(&site, &[("option-money_two", "60")]).await;
    white.look().await;
    white.click("from", "f2").await;
    white.click("action", "f2f3").await;
    black.look().await;
    assert!(black.page.contains("What will White do? Make up to 3 guesses"));
    for (piece, guess) in [("g2", "g2g4"), ("f2", "f2")] {
        black.click("from", piece).await;
        black.click("add", guess).await;
    }
    assert!(black.page.contains("If the pawn on g2 moves to g4: <strong class=\"amount\">5Z</strong>"));
    assert!(black.page.contains("value=\"f2\"") && black.page.contains("If the pawn on f2 moves"));
    black.click("without", "2").await;
    black.label("Seal sheet").await;
    assert!(black.page.contains("White plays <strong>f2f3</strong>") && black.page.contains(">g2–g4</span>"));
    black.click("action", "retract").await;
    white.look().await;
    assert!(white.page.contains("cannot begin this turn with <strong>f2f3</strong>"));
    white.click("from", "g2").await;
    white.click("action", "g2g4").await;
    black.look().await;
    black.click("action", "accept").await;
    assert!(black.page.contains("guessed g2g4 5"), "the ledger");
    // Black drops a knight from the shop, changes its mind about a pawn, and plays.
    black.click("from", "N@").await;
    black.click("add", "N@a6").await;
    black.click("from", "P@").await;
    black.click("add", "P@h3").await;
    assert!(black.page.contains("Play turn for 15Z"));
    black.label("Undo").await;
    black.label("Play turn for 12Z").await;
    white.look().await;
    white.label("Seal sheet").await;
    for (from, action) in [("a2", "a2a3"), ("f2", "f2f3")] {
        white.click("from", from).await;
        white.click("action", action).await;
        black.look().await;
        black.label("Seal sheet").await;
        black.click("action", "accept").await;
        black.label("Build a turn").await;
        let (from, to) = if from == "a2" { ("e7", "e7e5") } else { ("d8", "d8h4") };
        black.click("from", from).await;
        black.click("add", to).await;
        black.label("Play turn").await;
        white.look().await;
        white.label("Seal sheet").await;
    }
    assert!(white.page.contains("You lost") && white.page.contains("checkmate"), "{}", white.page);
    black.look().await;
    assert!(black.page.contains("You won"));
}

/// Values of the guess fields, and whether each is marked as invalid.
fn guesses(page: &str) -> Vec<(String, bool)> {
    let fields = page.split("<input id=\"guess-").skip(1).map(|field| field.split('>').next().unwrap());
    fields.map(|field| (attribute(field, "value").unwrap_or_default(), field.contains("aria-invalid"))).collect()
}

impl Visitor<'_> {
    /// Fills the fields of a name, and clicks a button without submitting them first.
    async fn write_and_click(&mut self, field: &str, written: &[&str], name: &str, value: &str) {
        let offers = offers(&self.page);
        let offer = offers.into_iter().find(|offer| offer.button[0] == name && offer.button[1] == value);
        let mut offer = offer.unwrap_or_else(|| panic!("no button {name}={value}"));
        let fields = offer.fields.iter_mut().filter(|(own, value)| own == field && value != "guess");
        for ((_, value), written) in fields.zip(written) {
            *value = (*written).to_owned();
        }
        self.press(&offer).await;
    }
}

#[tokio::test]
async fn typed_text_survives_without_scripts() {
    let site = site();
    let money = [("option-money_one", "60"), ("option-money_two", "60")];
    let [mut white, mut black] = Visitor::pair(&site, &money).await;
    black.look().await;
    // A refused sheet returns in its fields, with the invalid one marked.
    let fields = [("ply", "0"), ("draft", "guess"), ("draft", "e2e4"), ("draft", "zz"), ("draft", "$N@f5")];
    let path = black.game.clone();
    let refused = black.browser.post(&path, &fields).await;
    let written = [("e2e4", false), ("zz", true), ("$N@f5", false)].map(|(text, wrong)| (text.to_owned(), wrong));
    assert_eq!(guesses(refused.page(422)), written);
    assert!(refused.body.contains("id=\"refusal\"") && refused.body.contains("name=\"action\" value=\"\""));
    // Clicking a square, a shop piece or the removal of a guess also sends the fields.
    black.write_and_click("draft", &["", "d2d4"], "from", "g1").await;
    assert_eq!(guesses(&black.page)[1].0, "d2d4");
    black.write_and_click("draft", &["", "d2d4", "zz"], "add", "g1f3").await;
    let values = |page: &str| guesses(page).into_iter().map(|(text, _)| text).collect::<Vec<_>>();
    assert_eq!(values(&black.page), ["g1f3", "d2d4", "zz"]);
    black.write_and_click("draft", &["g1f3", "d2d4", "extra"], "without", "1").await;
    assert_eq!(values(&black.page), ["", "d2d4", "extra"]);
    black.click("from", "$N@").await;
    black.click("add", "$N").await;
    black.label("Seal sheet").await;
    assert!(black.page.contains("<code>guess $N d2d4 extra</code>"), "{}", black.page);

    // The stakes on a retraction stay with the turn, and so does an incomplete part.
    white.look().await;
    white.label("Build a turn").await;
    white.write_and_click("action", &["lock 2"], "from", "N@").await;
    assert!(white.page.contains("value=\"lock 2\" selected"));
    white.click("add", "N@a6").await;
    let offers = offers(&white.page);
    let staked = offers.iter().find(|offer| offer.button[2].starts_with("Play turn for 12Z")).unwrap();
    assert!(white.page.contains("value=\"lock 2\" selected") && staked.post);
    white.write_and_click("next", &["x9"], "from", "a6").await;
    assert!(white.page.contains("“x9” was left out") && white.page.contains("value=\"x9\""));

    // A draft for an earlier step is dropped silently.
    white.press(staked).await;
    for query in ["?ply=0&draft=N@a6", "?ply=0&draft=&draft=N@a6&add=zz", "?ply=0&draft=guess&draft=zz"] {
        for visitor in [&mut white, &mut black] {
            let page = visitor.browser.get(&format!("{path}{query}")).await;
            assert!(!page.page(200).contains("left out") && !page.body.contains("aria-invalid"), "{query}");
            assert!(!page.body.contains("draft=N"), "{query}");
        }
    }
}

/// Maximum visits of a game: one per turn, one to begin, and two more for every turn that is forced back.
fn most(turns: usize, retractions: usize) -> usize {
    turns + 1 + 2 * retractions
}

#[tokio::test]
async fn one_visit_per_turn_is_enough_by_forms() {
    let mut rng = StdRng::seed_from_u64(31);
    let mut retractions = 0;
    // Random clicks need many visits.
    let site = router(app(patient()));
    for _ in 0..often(3) {
        let options = [("option-money_one", "45"), ("option-money_two", "45")];
        let mut players = Visitor::pair(&site, &options).await;
        let (mut visits, mut idle, mut at, mut back) = (0, 0, 0, 0);
        let address = players[0].game.clone();
        loop {
            let seen = get(&site, &format!("/api{address}")).await.json();
            let turns = seen["view"]["diagram"]["fen"].as_str().unwrap().split(' ').next_back().unwrap().to_owned();
            if seen["outcome"].is_object() || turns == "12" || idle > 2 {
                assert!(idle < 2, "no seat is to move, but the game is not over");
                let sheet = seen["view"]["diagram"]["sheet"].as_array().unwrap();
                let turns = sheet.iter().filter(|entry| entry["text"].as_str().unwrap().ends_with('!')).count();
                assert_eq!(turns, back);
                let played = sheet.len() - 2 * back;
                assert!(visits <= most(played, back) && played > 4, "{visits} visits for {played} turns, {back} back");
                break;
            }
            let player = &mut players[at % 2];
            at += 1;
            player.look().await;
            if !player.asked() {
                idle += 1;
                continue;
            }
            (visits, idle) = (visits + 1, 0);
            while player.asked() {
                let never = ["resign", "draw", "takeback", "abort", "claim", "decline"];
                let offers = offers(&player.page);
                let useful = |offer: &&Offer| {
                    offer.path == address
                        && !never.contains(&offer.button[1].as_str())
                        // A draft can be shown repeatedly.
                        && (offer.post || !["", "without"].contains(&offer.button[0].as_str()))
                        && offer.fields.iter().any(|(name, value)| {
                            ["from", "add", "draft"].contains(&name.as_str()) || name == "action" && !value.is_empty()
                        })
                };
                let useful: Vec<&Offer> = offers.iter().filter(useful).collect();
                let offer = *useful.choose(&mut rng).unwrap_or_else(|| panic!("nothing to press: {offers:#?}"));
                back += usize::from(offer.button[1] == "retract");
                player.press(offer).await;
            }
        }
        retractions += back;
    }
    assert!(retractions > 0, "some turns were forced back");
}

#[tokio::test]
async fn one_visit_per_turn_is_enough_for_programs() {
    let mut rng = StdRng::seed_from_u64(32);
    let site = site();
    let mut retractions = 0;
    for money in [0, 30, 60] {
        let game = Game::begin(&site, "clairvoyant", json!({"money_one": money, "money_two": money})).await;
        let (mut visits, mut back, mut at) = (0, 0, 0);
        let path = format!("/api/games/{}/actions", game.id);
        for _ in 0..60 {
            let seat = at % 2;
            at += 1;
            let name = ["one", "two"][seat];
            let mut seen = game.see(Some(seat)).await;
            let asked = |seen: &serde_json::Value| seen["turn"]["awaits"].as_array().unwrap().contains(&json!(name));
            visits += usize::from(asked(&seen));
            // Every answer includes the next pending action: nothing else has to be fetched.
            while asked(&seen) {
                let listed = seen["actions"].as_array().cloned().unwrap_or_default();
                let whole: Vec<&str> =
                    listed.iter().filter_map(|action| action.as_str()).filter(|action| !action.contains('{')).collect();
                let action = (*whole.choose(&mut rng).expect("an action without blanks is listed")).to_owned();
                let action = if action == "retract" && rng.random_ratio(1, 2) { "accept".to_owned() } else { action };
                back += usize::from(action == "retract");
                let body = json!({"ply": seen["ply"], "action": action});
                let answer = send(&site, &path, Some(&game.tokens[seat]), body).await;
                assert_eq!(answer.status, 200, "{action}: {}", answer.body);
                seen = answer.json();
            }
        }
        let seen = game.see(None).await;
        let played = seen["view"]["diagram"]["sheet"].as_array().unwrap().len() - 2 * back;
        assert!(visits <= most(played, back) && played > 20, "{visits} visits for {played} turns, {back} forced back");
        retractions += back;
    }
    assert!(retractions > 0);
}

#[tokio::test]
async fn move_list_has_algebraic_turns_and_a_column_of_guesses() {
    let site = still();
    let money = json!({"money_one": 60, "money_two": 60});
    let game = Game::begin(&site, "clairvoyant", money).await;
    let opening = ["two guess e2 e2e4", "one e2e4 d1h5", "two accept", "one guess", "two N@f6", "one accept"];
    game.say(&opening).await;
    let page = game.get(&format!("/games/{}", game.id), None).await;
    let page = page.page(200);
    for words in [
        ">Turn</th><th scope=\"col\">Guesses</th>",
        ">e4 Qh5</a>",
        "<td class=\"guesses\">e2 4, e2e4 5: 9Z</td>",
        "<td class=\"ply\">1…</td>",
        ">N@f6</a>",
        "<td class=\"guesses\">nothing: 0Z</td>",
        "Prices in this position",
        "<th scope=\"row\">king</th><td class=\"amount\">150</td>",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    // The mover has to end a check: every turn costs the most to force back.
    game.say(&["two guess", "one h5f7", "two accept"]).await;
    let checked = game.get(&format!("/games/{}", game.id), None).await;
    assert!(checked.page(200).contains(">Qxf7+</a>") && checked.body.contains("is in check."), "{}", checked.body);
    assert!(checked.body.contains("any turn back for 25, because it ends a check"), "{}", checked.body);
}
