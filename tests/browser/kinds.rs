//! Every kind of page, each with realistic content: running games, sealed phases, long names, long games, and invalid input.

use super::{Browser, MATE, begin};
use serde_json::{Value, json};
use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};
use zorkmid::registry::VARIANTS;

/// A page to visit.
pub(super) struct Kind {
    pub(super) name: String,
    pub(super) address: String,
    /// Private links to open first, so that the browser holds the seats.
    pub(super) seats: Vec<String>,
    /// Whether the answer is an error, which the browser notes in its console.
    pub(super) refused: bool,
}

/// The longest names allowed: one without spaces, and one of many words.
const NAMES: [&str; 2] = ["WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", "The Right Honourable Sir Bartholomew Fox"];

struct Tour<'a> {
    site: &'a str,
    kinds: Vec<Kind>,
}

impl Tour<'_> {
    fn page(&mut self, name: &str, path: &str) {
        let address = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.site) };
        self.kinds.push(Kind { name: name.to_owned(), address, seats: Vec::new(), refused: false });
    }

    fn refusal(&mut self, name: &str, path: &str) {
        self.page(name, path);
        self.kinds.last_mut().unwrap().refused = true;
    }

    /// The page of a game for a viewer who holds these seats.
    fn seated(&mut self, name: &str, game: &Value, seats: &[usize], path: &str) {
        self.page(name, &format!("/games/{}{path}", game["id"].as_str().unwrap()));
        let link = |seat: &usize| game["seats"][*seat]["url"].as_str().unwrap().to_owned();
        self.kinds.last_mut().unwrap().seats = seats.iter().map(link).collect();
    }

    async fn look(&self, game: &Value, seat: usize) -> Value {
        let address = format!("{}/api/games/{}", self.site, game["id"].as_str().unwrap());
        let token = game["seats"][seat]["token"].as_str().unwrap();
        let answer = reqwest::Client::new().get(address).bearer_auth(token).send().await.unwrap();
        assert_eq!(answer.status(), 200);
        answer.json().await.unwrap()
    }

    /// Repeats a request until the answer is as expected.
    async fn until(&self, path: &str, hoped: impl AsyncFn(reqwest::Response) -> bool) {
        let deadline = Instant::now() + Duration::from_secs(120);
        while !hoped(reqwest::get(format!("{}{path}", self.site)).await.unwrap()).await {
            assert!(Instant::now() < deadline, "{path} did not finish in time");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    async fn reviewed(&self, game: &Value) {
        let path = format!("/api/games/{}/review", game["id"].as_str().unwrap());
        self.until(&path, async |answer| answer.json::<Value>().await.unwrap()["state"] == "known").await;
    }

    async fn act(&self, game: &Value, seat: usize, action: &str) {
        let ply = self.look(game, seat).await["ply"].clone();
        let address = format!("{}/api/games/{}/actions", self.site, game["id"].as_str().unwrap());
        let token = game["seats"][seat]["token"].as_str().unwrap();
        let said = json!({"ply": ply, "action": action});
        let answer = reqwest::Client::new().post(address).bearer_auth(token).json(&said).send().await.unwrap();
        assert_eq!(answer.status(), 200, "{action}: {}", answer.text().await.unwrap());
    }

    async fn recorded(&self, record: &str, lines: usize) -> Value {
        let (game, actions) = golden(record, lines);
        let game = begin(self.site, game).await;
        for (seat, action) in &actions {
            self.act(&game, *seat, action).await;
        }
        game
    }

    /// Plays listed moves at random, with a fixed seed.
    async fn wander(&self, game: &Value, steps: usize) {
        for step in 0..steps {
            let seat = usize::from(self.look(game, 0).await["turn"]["awaits"][0] == "two");
            let actions = self.look(game, seat).await["actions"].clone();
            let all = actions.as_array().into_iter().flatten().filter_map(Value::as_str);
            // A deal may end, and then a bid is due instead of a move.
            let moves: Vec<&str> = all.filter(|action| !action.contains('{')).collect();
            if moves.is_empty() {
                return;
            }
            self.act(game, seat, moves[(step * 7 + 3) % moves.len()]).await;
        }
    }
}

/// Game of a golden record, and its first actions, each with the seat.
pub(super) fn golden(record: &str, lines: usize) -> (Value, Vec<(usize, String)>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("crates/games/tests/laws/records/{record}.json"));
    let record: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    let lines = record["lines"].as_array().unwrap().iter().take(lines);
    let actions = lines.map(|line| (usize::from(line[0] == "two"), line[1].as_str().unwrap().to_owned())).collect();
    (json!({"variant": record["variant"], "options": record["options"], "opponent": "self"}), actions)
}

/// A pass-and-play game with actions such as `one bid 40`.
pub(super) async fn said(site: &str, game: Value, lines: &[&str]) -> Kind {
    let mut tour = Tour { site, kinds: Vec::new() };
    let game = begin(site, game).await;
    for line in lines {
        let (seat, action) = line.split_once(' ').unwrap();
        tour.act(&game, usize::from(seat == "two"), action).await;
    }
    tour.seated("game", &game, &[0], "");
    tour.kinds.remove(0)
}

/// A game on one screen with the first lines of a golden record.
pub(super) async fn recorded(site: &str, record: &str, lines: usize) -> Value {
    Tour { site, kinds: Vec::new() }.recorded(record, lines).await
}

/// All kinds of pages of a site.
pub(super) async fn kinds(site: &str) -> Vec<Kind> {
    let mut tour = Tour { site, kinds: Vec::new() };
    readings(&mut tour).await;
    games(&mut tour).await;
    variants(&mut tour).await;
    tour.kinds
}

/// A position with chips. The first request about a new total takes longest, and too long on a busy machine.
const CHIPS: &str = "/endgames?fen=8/8/8/3k4/8/8/4P3/4K3&turns=wbbw&chips=90:110&bids=black";

/// Pages to read, query and fill in.
async fn readings(tour: &mut Tour<'_>) {
    tour.until(CHIPS, async |answer| answer.status().is_success()).await;
    let waiting = json!({"variant": "clairvoyant", "opponent": "open", "seat": "one", "name": NAMES[0]});
    begin(tour.site, waiting).await;
    begin(tour.site, json!({"variant": "chess", "opponent": "open", "clock": {"initial": 300, "increment": 3}})).await;
    let code = reqwest::get(format!("{}/api/bookie", tour.site)).await.unwrap().json::<Value>().await.unwrap();
    let bookie = code["url"].as_str().unwrap();
    tour.page("home", "/");
    for (name, path) in [
        ("lobby", "/lobby"),
        ("about", "/about"),
        ("docs", "/docs"),
        ("docs-guide", "/docs/playing"),
        ("docs-reference", "/docs/reference/games"),
        ("rules", "/rules"),
        ("seat", "/seat"),
        ("key", "/key"),
        ("theme", "/theme"),
        ("betza", "/betza?piece=WFfhN"),
        ("betza-long", "/betza?piece=royal-fmRbcBsNNWFADHG"),
        ("betza-bare", "/betza"),
        ("betza-small", "/betza?piece=WFfhN&files=5&ranks=4"),
        ("pieces", "/pieces?like=RB&how=within"),
        ("set", "/betza/set?piece=N&piece=WFfhN&piece=Wx"),
        ("army", "/betza/army"),
        ("piece-embedded", "/betza/embed?piece=FD"),
        ("fairy", "/fairy?designs=B,BR,fcFfmW,N,R,royal-WF"),
        ("worth", "/worth?piece=WFfhN"),
        ("puzzles", "/puzzles"),
        ("puzzle", "/puzzles/least-bid/7"),
        ("puzzle-answered", "/puzzles/least-bid/7?answer=12"),
        ("puzzle-hand", "/puzzles/coin-move/7?from=f8"),
        ("puzzle-solved", "/puzzles/paid-move/7?answer=g4f4"),
        ("puzzle-boards", "/puzzles/zugzwang/7"),
        ("puzzle-turn", "/puzzles/mate/0?turn=f1d3&from=d3"),
        ("puzzle-mated", "/puzzles/mate/0?answer=f1d3+d3g6"),
        ("puzzle-guess", "/puzzles/guess/0"),
        ("puzzle-design", "/puzzles/design/1"),
        ("puzzle-designed", "/puzzles/design/1?answer=cN"),
        ("endgames", "/endgames"),
        ("endgames-value", CHIPS),
        ("endgames-statistics", "/endgames/statistics?board=3x4"),
        ("endgames-paper", "/endgames/paper"),
        ("endgames-four", "/endgames/four"),
        ("endgames-four-search", "/endgames/four/search"),
        ("endgames-smallest", "/endgames/smallest"),
        ("endgames-search", "/endgames/search?zugzwang=true"),
        ("endgames-paid", "/endgames?fen=3k3R/8/3K4/8/8/8/8/8&money=taxman&tau=1/2"),
        (
            "endgames-sealed",
            "/endgames?fen=3k3R/8/3K4/8/8/8/8/8&chips=60:40&bids=sealed&tie=choice&holder=black&negative=false",
        ),
        ("endgames-soon", "/endgames?fen=8/8/8/8/k7/5K2/6B1/8&n=24"),
        ("endgames-walls", "/endgames?fen=6k1/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/1K6"),
        ("endgames-zugzwang", "/endgames?fen=8/8/8/1k6/1P6/1K6/8/8&from=b4"),
        ("endgames-unknown", "/endgames?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
    ] {
        tour.page(name, path);
    }
    tour.page("bookie", bookie);
    tour.page("bookie-revealed", &format!("{bookie}/reveal"));
    for variant in VARIANTS {
        tour.page(&format!("rules-{}", variant.key), &format!("/rules/{}", variant.key));
        tour.page(&format!("new-{}", variant.key), &format!("/new/{}", variant.key));
    }
    for (name, path) in [
        ("paper-clairvoyant", "/rules/clairvoyant/summary"),
        ("paper-csipgs", "/rules/csipgs/summary"),
        ("paper-guesses", "/rules/clairvoyant/guesses"),
        ("paper-purses", "/rules/clairvoyant/purses"),
        ("paper-score", "/rules/bookie/score"),
    ] {
        tour.page(name, path);
    }
    for (name, path) in [
        ("error", "/nowhere"),
        ("error-game", "/games/aaaaaaaa"),
        ("error-code", "/bookie/wrong"),
        ("puzzle-slip", "/puzzles/least-bid/7?answer=a+lot"),
        ("error-fen", "/endgames?fen=8/8/9/xyz"),
        ("error-search", "/endgames/search?value=much"),
        ("error-betza", "/betza?piece=WQ("),
    ] {
        tour.refusal(name, path);
    }
}

/// Chess pages for all viewers.
async fn games(tour: &mut Tour<'_>) {
    let game = tour.recorded("chess-standard", 14).await;
    tour.seated("game", &game, &[0, 1], "");
    let seats = tour.kinds.last().unwrap().seats.clone();
    tour.kinds.push(Kind { name: "home-own".to_owned(), address: format!("{}/", tour.site), seats, refused: false });
    tour.seated("game-picked", &game, &[0, 1], "?from=d1");
    tour.seated("game-turned", &game, &[1], "?flip=1");
    tour.seated("game-past", &game, &[0, 1], "/ply/9");
    tour.page("game-watched", game["url"].as_str().unwrap());
    tour.page("embed", &format!("/games/{}/embed", game["id"].as_str().unwrap()));
    let long = tour.recorded("chess-standard", 150).await;
    tour.seated("game-long", &long, &[0], "");
    let promotion = json!({"variant": "chess", "options": {"fen": "8/P6k/8/8/8/8/8/K7 w - - 0 1"}, "opponent": "self"});
    let promotion = begin(tour.site, promotion).await;
    tour.seated("game-promotion", &promotion, &[0, 1], "?from=a7");
    let mate = begin(tour.site, json!({"variant": "chess", "opponent": "self"})).await;
    for (ply, (from, to)) in MATE.iter().enumerate() {
        tour.act(&mate, ply % 2, &format!("{from}{to}")).await;
    }
    tour.act(&mate, 0, "rematch").await;
    tour.act(&mate, 1, "rematch").await;
    tour.reviewed(&mate).await;
    tour.seated("game-over", &mate, &[0], "");
    tour.seated("game-over-past", &mate, &[0], "/ply/3");
    tour.seated("session", &mate, &[], "/session");
    let alone = begin(tour.site, json!({"variant": "chess", "opponent": "bot:newcomer", "seat": "one"})).await;
    tour.seated("game-hint", &alone, &[0], "?hint=1");
    let wanted = json!({"variant": "chess", "opponent": "link", "clock": {"days": 2}, "name": NAMES[0]});
    let invitation = begin(tour.site, wanted.clone()).await;
    tour.page("invite", invitation["invite"]["url"].as_str().unwrap());
    tour.seated("game-invites", &invitation, &[0], "");
    let named = begin(tour.site, wanted.clone()).await;
    let planned = begin(tour.site, wanted).await;
    for game in [&named, &planned] {
        let guest = json!({"code": game["invite"]["code"], "name": NAMES[1]});
        let claim = reqwest::Client::new().post(format!("{}/api/seats", tour.site)).json(&guest).send().await.unwrap();
        assert!(claim.status().is_success(), "{}", claim.text().await.unwrap());
    }
    tour.seated("game-names", &named, &[0], "");
    tour.act(&planned, 0, "e2e4").await;
    tour.seated("conditional-moves", &planned, &[0], "/conditional");
}

/// A running game of every other variant, and phases with a special layout.
async fn variants(tour: &mut Tour<'_>) {
    for (name, record, lines, seat) in [
        ("variant-lrs", "lrs-standard", 24, 0),
        ("variant-bidding", "bidding-secret", 33, 0),
        ("variant-bidding-move", "bidding-secret", 32, 0),
        ("variant-bidding-open", "bidding-open", 25, 0),
        ("variant-csipgs", "csipgs-standard", 60, 0),
        ("variant-csipgs-small", "csipgs-small", 40, 1),
        ("variant-csipgs-design", "csipgs-standard", 61, 0),
        ("variant-csipgs-watched", "csipgs-standard", 62, 0),
        ("variant-csipgs-army", "csipgs-army", 0, 0),
        ("variant-csipgs-armies", "csipgs-army", 30, 1),
        ("variant-crazyhouse", "crazyhouse-standard", 70, 0),
        ("variant-designed", "designed-chess-standard", 20, 0),
        ("variant-designed-five", "designed-chess-five", 8, 1),
        ("variant-clairvoyant", "clairvoyant-standard", 48, 0),
        ("variant-clairvoyant-guess", "clairvoyant-standard", 50, 0),
        ("variant-clairvoyant-sealed", "clairvoyant-standard", 51, 0),
        ("variant-clairvoyant-blind", "clairvoyant-blind", 40, 1),
    ] {
        let game = tour.recorded(record, lines).await;
        tour.seated(name, &game, &[seat], "");
    }
    let duck = begin(tour.site, json!({"variant": "duck", "opponent": "self"})).await;
    tour.act(&duck, 0, "e2e4 e5").await;
    tour.seated("variant-duck", &duck, &[1], "");
    tour.seated("variant-duck-parts", &duck, &[1], "?draft=g8f6");
    let cube = tour.recorded("raumschach-standard", 40).await;
    tour.seated("variant-raumschach", &cube, &[0, 1], "");
    tour.seated("variant-raumschach-turned", &cube, &[1], "?flip=1");
    let slips = json!({"variant": "handicap", "opponent": "self", "options": {"prize": "black"}});
    let slips = begin(tour.site, slips).await;
    tour.seated("variant-handicap-seconds", &slips, &[0], "");
    tour.act(&slips, 0, "seconds 200").await;
    tour.act(&slips, 1, "seconds 185").await;
    tour.seated("variant-handicap", &slips, &[1], "");
    let gifts = json!({"variant": "handicap", "opponent": "self", "options": {"slips": "unit"}});
    let gifts = begin(tour.site, gifts).await;
    tour.seated("variant-handicap-unit", &gifts, &[1], "");
    let weighed = json!({"variant": "random-variant", "opponent": "self", "options": {"weighted": true}});
    let weighed = begin(tour.site, weighed).await;
    tour.seated("variant-random-variant-weights", &weighed, &[0], "");
    tour.act(&weighed, 0, "weigh duck 9 chess960 1").await;
    tour.act(&weighed, 1, "weigh duck 3").await;
    tour.seated("variant-random-variant", &weighed, &[0], "");
    let rich = json!({"variant": "clairvoyant", "opponent": "self", "options": {"money_one": 14, "money_two": 30}});
    let guessed = begin(tour.site, rich.clone()).await;
    tour.seated("variant-clairvoyant-sheet", &guessed, &[1], "?draft=guess+e2e4+e2+$N@f5&from=g1");
    tour.seated("variant-clairvoyant-parts", &guessed, &[0], "?draft=b1c3&from=c3");
    let answered = begin(tour.site, rich).await;
    tour.act(&answered, 1, "guess e2e4 e2 $N@f5").await;
    tour.act(&answered, 0, "lock 1 e2e4").await;
    tour.seated("variant-clairvoyant-answer", &answered, &[1], "");
    tour.seated("variant-clairvoyant-staked", &answered, &[0], "");
    let toss = begin(tour.site, json!({"variant": "random-turn", "opponent": "self"})).await;
    tour.wander(&toss, 16).await;
    tour.seated("variant-random-turn", &toss, &[0, 1], "");
    let bookie = json!({"variant": "bookie", "opponent": "self", "options": {"deals": 3, "double": "2"}});
    let bookie = begin(tour.site, bookie).await;
    tour.seated("variant-bookie-bid", &bookie, &[0], "");
    let curtain = begin(tour.site, json!({"variant": "bookie", "opponent": "self"})).await;
    tour.act(&curtain, 0, "bid 61").await;
    tour.seated("curtain", &curtain, &[0, 1], "");
    let match_ = begin(tour.site, json!({"variant": "bookie", "opponent": "self", "options": {"deals": 3}})).await;
    tour.act(&match_, 0, "bid 61").await;
    tour.act(&match_, 1, "bid 48").await;
    tour.wander(&match_, 20).await;
    tour.seated("variant-bookie", &match_, &[0, 1], "");
}

/// Opens a page in a fresh browser, as the viewer that it is for.
pub(super) async fn visit(browser: &Browser, kind: &Kind) {
    browser.forget().await;
    for seat in &kind.seats {
        browser.open(seat).await;
    }
    browser.open("about:blank").await;
    browser.console().await;
    browser.forget_files().await;
    browser.open(&kind.address).await;
    // A page reloads by itself if its computation takes too long on a busy machine.
    browser
        .until(
            "document.readyState === 'complete' && !document.querySelector('meta[http-equiv=refresh][content=\"2\"]')
             && document.getAnimations().length === 0",
        )
        .await;
}
