//! Form of a new game: typed values count and persist, in players' words.

use super::{games::Browser, site};

#[tokio::test]
async fn typed_time_control_is_used() {
    let site = site();
    let mut browser = Browser::new(&site);
    for (fields, shown) in [
        (&[("minutes", "7")][..], "7:00"),
        (&[("clock", "none"), ("minutes", "7"), ("increment", "2")], "7 min + 2 s per move"),
        (&[("clock", "3+2")], "3 min + 2 s per move (blitz)"),
        (&[("clock", "30+20")], "30 min + 20 s per move"),
        (&[("clock", "3d")], "3 days per move"),
        (&[("clock", "other"), ("days", "2")], "2 days per move"),
        (
            &[("clock", "5+0"), ("minutes-two", "2")],
            "5 min + 0 s per move (blitz) against 2 min + 0 s per move (bullet)",
        ),
        (&[("clock", "none")], "no clock"),
        (&[], "no clock"),
    ] {
        let mut all = vec![("variant", "chess"), ("opponent", "self")];
        all.extend(fields);
        let game = browser.begin(&all).await;
        assert!(browser.get(&game).await.body.contains(shown), "{fields:?}: {shown}");
    }
    for (fields, marked) in [
        (&[("clock", "5+0"), ("minutes", "15")][..], "clock"),
        (&[("clock", "3d"), ("minutes-two", "15")], "clock"),
        (&[("clock", "other"), ("minutes", "15"), ("days", "2")], "clock"),
        (&[("clock", "other")], "clock"),
        (&[("clock", "none"), ("increment", "2")], "minutes"),
        (&[("days-two", "2")], "days"),
        (&[("days", "31")], "days"),
        (&[("minutes", "-1")], "minutes"),
    ] {
        let mut all = vec![("variant", "csipgs"), ("opponent", "self"), ("name", "Barb"), ("preset", "army")];
        all.extend(fields);
        let answer = browser.post("/games", &all).await;
        let page = answer.page(422);
        assert!(page.contains(&format!("id=\"{marked}-wrong\"")), "{fields:?}");
        assert!(page.contains("typed-times shown") && page.contains("value=\"Barb\""), "{fields:?}");
        for (name, value) in fields.iter().filter(|(name, _)| *name != "clock") {
            assert!(page.contains(&format!("name=\"{name}\"")) && page.contains(&format!("value=\"{value}\"")));
        }
    }
}

#[tokio::test]
async fn changing_the_preset_keeps_other_fields() {
    let site = site();
    let mut browser = Browser::new(&site);
    let query = "opponent=open&seat=two&clock=10%2B5&name=Barb&preset=standard&option-income_tenths=3&choose=army";
    let form = browser.get(&format!("/new/csipgs?{query}")).await;
    let page = form.page(200);
    for kept in [
        "value=\"open\" checked",
        "value=\"two\" checked",
        "value=\"10+5\" checked",
        "name=\"name\" maxlength=\"40\" autocomplete=\"nickname\" value=\"Barb\"",
        "name=\"preset\" value=\"army\"",
        "value=\"army\" aria-pressed=\"true\"",
    ] {
        assert!(page.contains(kept), "{kept}");
    }
    // The options of the chosen preset have their own fold, in players' words.
    let (own, other) = page.split_once("All other options").unwrap();
    assert!(own.contains("Options of “Army”") && own.contains("name=\"option-army_budget_tenths\""));
    assert!(own.contains("value=\"52\"") && own.contains("empty: no limit"));
    assert!(!own.contains("option-income_tenths") && other.contains("up to 5000; empty: never"));
    assert!(!page.contains("tenths:") && !page.contains("−1") && !page.contains("value=\"-1\""));
    // Both folds are closed, because neither contains an error. An error opens its fold.
    assert!(page.contains("<details class=\"fold\"><summary>Options of"));
    let fields = [("variant", "csipgs"), ("preset", "army"), ("option-army_most_tenths", "1.25")];
    let answer = browser.post("/games", &fields).await;
    let wrong = answer.page(422);
    assert!(wrong.contains("<details class=\"fold\" open><summary>Options of") && wrong.contains("value=\"1.25\""));
    assert!(wrong.contains("<details class=\"fold\"><summary>All other"));
    // Money is entered in zorkmids and stored in tenths. An empty field means never.
    let fields = [
        ("variant", "csipgs"),
        ("opponent", "self"),
        ("option-income_tenths", "2,5"),
        ("option-royals_until_turn", ""),
        ("option-raise_after_turns", "40"),
    ];
    let game = browser.begin(&fields).await;
    let record = browser.get(&format!("/api{game}")).await.json();
    let option = |key: &str| record["options"][key].as_i64();
    assert_eq!(option("income_tenths"), Some(25));
    assert_eq!((option("royals_until_turn"), option("raise_after_turns")), (Some(-1), Some(40)));
    let page = browser.get(&game).await;
    assert!(page.body.contains("Income per turn: 2.5 zorkmids") && page.body.contains("after turn: 40"));
    // A typed position stays when the preset changes.
    let fen = "option-fen=4k3%2F8%2F8%2F8%2F8%2F8%2F4P3%2F4K3+w+-+-+0+1&choose=secret";
    assert!(browser.get(&format!("/new/bidding?{fen}")).await.page(200).contains(">4k3/8/8/8/8/8/4P3/4K3 w"));
}
