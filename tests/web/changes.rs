//! Patches in event streams: an independent implementation of JSON Patch reproduces the next state from them, in every variant and for every
//! viewer.

use super::{
    often::often,
    store,
    table::{Events, field},
    *,
};
use json_patch::Patch;
use proptest::{collection, prelude::*};
use serde_json::{Map, Value, json};
use zorkmid::{
    bots::Bot,
    play::{Begin, GameSnapshot, Opponent, SeatPreference, json_patch::CachedPatch},
    registry::VARIANTS,
    rules::Seat,
};

/// Plies checked in each game.
const PLIES: usize = 60;

/// Applies a patch to the listener's state.
fn applied(known: &str, said: &str) -> Value {
    let (mut known, said): (Value, Value) = (serde_json::from_str(known).unwrap(), serde_json::from_str(said).unwrap());
    let patch: Patch = serde_json::from_value(said["changes"].clone()).unwrap();
    json_patch::patch(&mut known, &patch).unwrap();
    assert_eq!(said["version"], known["version"]);
    known
}

fn a_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (0..4).prop_map(Value::from),
        "[ab~/]".prop_map(|letter| Value::from(letter.repeat(30)))
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            collection::vec(inner.clone(), 0..9).prop_map(Value::from),
            collection::btree_map("[ab~/]{0,2}", inner, 0..5).prop_map(|members| members.into_iter().collect()),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn patch_turns_any_value_into_any_other(old in a_value(), new in a_value()) {
        let texts = [&old, &new].map(|view| json!({"version": 7, "view": view}).to_string());
        let made = CachedPatch::new(texts[0].as_str().into(), &texts[1]).unwrap();
        let now = applied(&texts[0], &made.patch);
        prop_assert_eq!(&now["view"], &new);
    }

    /// Replacing a short run in a long list makes a patch shorter than the list.
    #[test]
    fn patch_replaces_a_run_of_a_list(
        mut list in collection::vec(0..6_u8, 8..16),
        at in 0..8_usize,
        gone in 0..5_usize,
        come in collection::vec(6..9_u8, 0..5),
    ) {
        let of = |list: &[u8]| json!({"version": 7, "view": list.iter().map(|kind| kind.to_string().repeat(60)).collect::<Vec<_>>()});
        let old = of(&list).to_string();
        list.splice(at..(at + gone).min(list.len()), come);
        let made = CachedPatch::new(old.as_str().into(), &of(&list).to_string()).unwrap();
        prop_assert_eq!(applied(&old, &made.patch), of(&list));
    }
}

/// Plays a game of random bots, and returns the lengths of all patches in bytes.
async fn told_of(play: &Play, variant: &str, seed: u64) -> Vec<usize> {
    let begin = Begin {
        variant: variant.to_owned(),
        options: Map::new(),
        seat: SeatPreference::Seat(Seat::One),
        clocks: [None; 2],
        claim_days: None,
        opponent: Opponent::Own,
        name: None,
        key: None,
        owner: None,
        from: None,
    };
    let id = play.begin(begin).await.unwrap().id;
    let mut chance = StdRng::seed_from_u64(seed);
    let viewers = [None, Some(Seat::One), Some(Seat::Two)];
    let mut known: [Option<Arc<str>>; 3] = [None, None, None];
    let mut lengths = Vec::new();
    for _ in 0..PLIES {
        let table: Arc<GameSnapshot> = play.look(&id).await.unwrap();
        for (viewer, known) in viewers.into_iter().zip(&mut known) {
            let now = play.text(&table, viewer).await;
            if let Some(before) = known.replace(now.clone()).filter(|before| *before != now) {
                let said = table.patch(viewer, before.clone(), &now).unwrap();
                let whole: Value = serde_json::from_str(&now).unwrap();
                assert_eq!(applied(&before, &said), whole, "{variant}, {viewer:?}");
                assert!(said.len() <= now.len() + 64, "a patch is not longer than the whole state: {variant}");
                lengths.push(said.len());
                // A listener with another earlier state gets a patch to the same state.
                let other: Arc<str> = before.replace("\"ply\":", "\"Ply\":").into();
                assert_eq!(applied(&other, &table.patch(viewer, other.clone(), &now).unwrap()), whole);
            }
        }
        let Some(seat) = table.game.awaits().first().copied() else { break };
        let said = table.game.advise(seat, Bot::Random, &mut chance, &mut || true).unwrap();
        play.act(&id, seat, None, &said, None).await.unwrap();
    }
    lengths
}

#[tokio::test]
async fn patches_reproduce_the_next_state_in_every_variant() {
    let play = Play::new(StdRng::seed_from_u64(7), store(), super::now);
    for variant in VARIANTS {
        for seed in 0..often(1) as u64 {
            let mut lengths = told_of(&play, variant.key, seed).await;
            lengths.sort_unstable();
            let (middle, longest) = (lengths[lengths.len() / 2], lengths.last().unwrap());
            println!("{}: an event has {middle} bytes, {longest} at most", variant.key);
            assert!(middle <= 1_024, "an ordinary event of {} has {middle} bytes", variant.key);
        }
    }
}

#[tokio::test]
async fn listener_gets_the_whole_state_and_then_patches() {
    let site = site();
    let game = api::begin(&site, json!({"variant": "chess"})).await;
    let open = async |query: &str| {
        Events::open(&site, request(Method::GET, &format!("/api/games/{}/events{query}", game.id))).await
    };
    let (mut changes, mut wholes) = (open("").await, open("?whole=true").await);
    let mut known = field(&changes.next().await, "data");
    assert_eq!(known, field(&wholes.next().await, "data"));
    for (ply, action) in ["e2e4", "e7e5", "g1f3"].into_iter().enumerate() {
        assert_eq!(game.act(&site, ply % 2, ply, action).await.status, 200);
        let (change, whole) = (changes.next().await, wholes.next().await);
        assert_eq!([&change, &whole].map(|event| field(event, "event")), ["change", "game"]);
        assert_eq!(field(&change, "id"), field(&whole, "id"));
        let now = applied(&known, &field(&change, "data"));
        assert_eq!(now, serde_json::from_str::<Value>(&field(&whole, "data")).unwrap());
        known = now.to_string();
    }
    get(&site, &format!("/api/games/{}/events?whole=perhaps", game.id)).await.problem(400);
}

/// Moves of a long quiet game: knights circle three times, then a pawn advances one square.
fn rounds() -> impl Iterator<Item = String> {
    let round = |knights: [&str; 2]| {
        let squares = knights.map(|path| path.split(' ').map(str::to_owned).collect::<Vec<_>>());
        (0..3 * 4)
            .flat_map(move |step| squares.clone().map(|path| format!("{}{}", path[step % 4], path[(step + 1) % 4])))
    };
    let (white, black) = ("g1 f3 g5 h3", "g8 f6 g4 h6");
    let steps = [("2", "3", "7", "6"), ("3", "4", "6", "5")];
    let pawns = steps.into_iter().flat_map(|step| "abcde".chars().map(move |file| (file, step)));
    pawns.flat_map(move |(file, (a, b, c, d))| {
        let white_pawn = [format!("{file}{a}{file}{b}")];
        let black_pawn = [format!("{file}{c}{file}{d}")];
        round([white, black]).chain(white_pawn).chain(round([black, white])).chain(black_pawn)
    })
}

#[tokio::test]
async fn move_list_of_a_long_game_has_pages() {
    let site = site();
    let game = api::begin(&site, json!({"variant": "chess"})).await;
    let mut plies = 0;
    for (ply, action) in rounds().take(450).enumerate() {
        assert_eq!(game.act(&site, ply % 2, ply, &action).await.status, 200, "{ply} {action}");
        plies = ply + 1;
    }
    let page = async |query: &str| {
        get(&site, &format!("/api/games/{}{query}", game.id)).await.json()["view"]["diagram"].clone()
    };
    let of = |page: &Value| {
        let lines: Vec<u64> =
            page["sheet"].as_array().unwrap().iter().map(|line| line["ply"].as_u64().unwrap()).collect();
        (lines.len(), lines.first().copied(), lines.last().copied(), page["earlier"].as_u64().unwrap())
    };
    assert_eq!(plies, 450);
    let last = page("").await;
    assert_eq!(of(&last), (400, Some(51), Some(450), 50));
    assert_eq!(of(&page("?before=50").await), (50, Some(1), Some(50), 0));
    assert_eq!(of(&page("?before=0").await), (0, None, None, 0));
    assert_eq!(of(&page("?before=449").await), (400, Some(50), Some(449), 49));
    assert_eq!(page("?before=100000").await, last);
    get(&site, &format!("/api/games/{}?before=-1", game.id)).await.problem(400);
    // On the HTML page too: 200 rows of two moves each, with links to earlier and later ones.
    let way = |ply: u64| format!("/games/{}/ply/{ply}\"", game.id);
    let shown = async |path: &str| {
        let page = get(&site, &format!("/games/{}{path}", game.id)).await.body;
        let sheet = page.split("<table class=\"ledger\">").nth(1).unwrap().split("</table>").next().unwrap().to_owned();
        (sheet.matches("<td class=\"ply\">").count(), sheet)
    };
    let (rows, sheet) = shown("").await;
    assert_eq!((rows, sheet.contains("Later moves")), (201, false));
    assert!(sheet.contains(&format!("{}>Earlier moves", way(50))) && sheet.contains("<td class=\"ply\">26.</td>"));
    let (rows, sheet) = shown("/ply/51").await;
    assert_eq!((rows, sheet.contains("Earlier moves")), (201, false));
    assert!(sheet.contains(&format!("{}>Later moves", way(402))));
    for ply in [1, 50, 51, 99, 100, 101, 199, 251, 400, 449, 450] {
        let (_, sheet) = shown(&format!("/ply/{ply}")).await;
        let current = sheet.split("aria-current=\"true\"").nth(1).unwrap();
        assert!(current.starts_with(&format!("><a href=\"{}", way(ply))), "{ply}: {}", &current[..80]);
    }
}
