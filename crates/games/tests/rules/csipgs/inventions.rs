//! Configurable csipgs: atoms and modifiers invented by players, and their prices.

use serde_json::json;
use zorkmid_games::rules::{Actor, Seat};

use super::{accepted, game, named, purse, refused, say};

#[test]
fn lame_leapers_can_be_invented() {
    let mut game = game(json!({"inventions": true, "quantum": "1/10", "white_tenths": 90}));
    say(&mut game, "e1e2/invent Horse lame(1,2)");
    assert_eq!((game.phase(), game.awaits()), ("estimate", vec![Seat::One, Seat::Two]));
    game.act(Actor::Seat(Seat::Two), "estimate 2.4", 0).unwrap();
    for viewer in [None, Some(Seat::One)] {
        assert!(!game.json(viewer).to_string().contains("2.4"), "an estimate is sealed until both are in");
    }
    assert!(refused(&game, "estimate 0").at == Some(9));
    game.act(Actor::Seat(Seat::One), "estimate 2", 0).unwrap();
    assert_eq!((game.phase(), game.awaits()), ("action", vec![Seat::Two]));
    let view = game.json(None);
    assert_eq!(view["view"]["inventions"][0]["cost"], "12/5", "the higher estimate counts");
    // Both players may use an invention.
    say(&mut game, "e8e7/design 1 Wc<Horse>/e2e1");
    assert_eq!(refused(&game, "invent Horse runner").at, Some(7));
    say(&mut game, "design 1 Wc<Horse>/e7e8/keep");
    assert_eq!(purse(&game, Seat::One), "12");
    let designs = &game.json(None)["view"]["designs"]["one"][0];
    assert_eq!((designs["exact"].as_str(), designs["price"].as_str()), (Some("147/50"), Some("3")));
    say(&mut game, "buy Wc<Horse>/keep/e8e7/keep/transfer Wc<Horse> e2/keep");
    assert_eq!(game.diagram(None).unit("e2".parse().unwrap()).unwrap().betza, "Wc<Horse>");
}

#[test]
fn runners_can_be_invented() {
    let mut game = game(json!({"inventions": true, "white_tenths": 200}));
    say(&mut game, "e1e2/invent Run runner");
    game.act(Actor::Seat(Seat::One), "estimate 5", 0).unwrap();
    game.act(Actor::Seat(Seat::Two), "estimate 4", 0).unwrap();
    say(&mut game, "e8e7/keep/e2e1/design 1 <Run>DB/e7e8/keep");
    let slot = game.json(None)["view"]["designs"]["one"][0].clone();
    assert_eq!(
        (slot["exact"].as_str(), slot["price"].as_str()),
        (Some("243/25"), Some("10")),
        "(5·1.5 + 3.3)·0.9 = 9.72"
    );
    say(&mut game, "buy <Run>DB/keep/e8e7/keep/transfer <Run>DB d1/keep/e7e8/keep");
    assert!(accepted(&game, "d1d7") && accepted(&game, "d1b1") && accepted(&game, "d1h5"));
    assert!(!accepted(&game, "d1d4"));
}

#[test]
fn invented_doublemoves_apply_to_their_term_only() {
    let mut game = game(json!({"inventions": true, "white_tenths": 900}));
    say(&mut game, "e1e2/invent Twice doublemove/estimate 2/estimate 3/e8e7/keep/e2e1/design 1 <Twice>NW/e7e8/keep");
    say(&mut game, "buy <Twice>NW/keep/e8e7/keep/transfer <Twice>NW e2/keep/e7e8/keep");
    assert!(accepted(&game, "e2d4 d4e6") && accepted(&game, "e2e3") && accepted(&game, "e2d4"));
    assert!(!accepted(&game, "e2d4 d4d5") && !accepted(&game, "e2e3 e3d5"));
    let slot = game.json(None)["view"]["designs"]["one"][0].clone();
    assert_eq!(slot["exact"], "21/2");
}

#[test]
fn inventions_need_the_option() {
    let mut game = named("standard");
    say(&mut game, "e1e2");
    assert!(refused(&game, "invent Horse lame(1,2)").to_string().contains("no inventions"));
    assert!(!accepted(&game, "design 1 <Horse>"));
}

#[test]
fn definitions_and_estimates_are_checked() {
    let mut game = named("configurable");
    say(&mut game, "e1e2");
    for (text, at) in [
        ("invent Horse lame(3,1)", 17),
        ("invent Horse leaper(2,1)", 19),
        ("invent h runner", 7),
        ("invent Abcdefghijklm runner", 19),
    ] {
        assert_eq!(refused(&game, text).at, Some(at), "{text}");
    }
    say(&mut game, "invent Giraffe leaper(1,4)");
    for (text, good) in [
        ("estimate 1000", true),
        ("estimate 0.001", true),
        ("estimate 2.40", true),
        ("estimate 0.0", false),
        ("estimate 1000.1", false),
        ("estimate 1e3", false),
        ("keep", false),
        ("e2e3", false),
    ] {
        assert_eq!(accepted(&game, text), good, "{text}");
    }
    // An estimate may be replaced until both are in; the last one counts.
    game.act(Actor::Seat(Seat::One), "estimate 9", 0).unwrap();
    assert_eq!(game.sealed(Seat::One).as_deref(), Some("estimate 9"));
    let line = game.act(Actor::Seat(Seat::One), "estimate 2.50", 0).unwrap();
    assert_eq!(line.text, "estimate 2.5");
    game.act(Actor::Seat(Seat::Two), "estimate 1", 0).unwrap();
    assert_eq!(game.json(None)["view"]["inventions"][0]["cost"], "5/2");
}

#[test]
fn maximum_estimates_do_not_overflow() {
    let mut game = named("configurable");
    say(&mut game, "e1e2");
    for (name, definition) in [
        ("Aa", "leaper(0,1)"),
        ("Bb", "runner"),
        ("Cc", "range(7)"),
        ("Dd", "lamed"),
        ("Ee", "doublemove"),
        ("Ff", "relay"),
    ] {
        if game.phase() == "action" {
            let from = if game.awaits()[0] == Seat::One { "e2e1" } else { "e8e7" };
            let back = if game.awaits()[0] == Seat::One { "e1e2" } else { "e7e8" };
            let step = if accepted(&game, from) { from } else { back };
            say(&mut game, step);
        }
        say(&mut game, &format!("invent {name} {definition}/estimate 999.999/estimate 1000"));
    }
    let step = ["e2e1", "e1e2", "e8e7", "e7e8"].into_iter().find(|step| accepted(&game, step)).unwrap();
    say(&mut game, step);
    assert_eq!(refused(&game, "design 1 royal-<Bb><Cc><Dd><Ee><Ff><Aa>W").at, Some(9 + 26));
    say(&mut game, "design 1 royal-<Bb><Cc><Dd><Ee><Aa>W");
    assert!(game.json(None).to_string().contains("4000000000000006"));
}

#[test]
fn reinventions_are_not_cheaper_than_originals() {
    let mut game = game(json!({"inventions": true}));
    say(&mut game, "e1e2/invent Springer leaper(1,2)");
    let refusal = refused(&game, "estimate 2.999");
    assert!(refusal.at == Some(9) && refusal.to_string().contains("the same as N, which costs 3"), "{refusal}");
    say(&mut game, "estimate 3.5/estimate 3/e8e7/invent Knecht leaper(1,2)");
    assert!(accepted(&game, "estimate 3") && !accepted(&game, "estimate 2.9"), "the cheaper of the two counts");
    say(
        &mut game,
        "estimate 3/estimate 3/e2e1/invent Run runner/estimate 0.001/estimate 0.001/e7e8/invent Lauf runner",
    );
    assert!(accepted(&game, "estimate 0.001"), "no price has risen");
    // Atoms that are riders, and atoms that a lame leaper moves like.
    for (definition, less, enough) in [
        ("rider(0,1)", "4.999", "5"),
        ("rider(1,2)", "5.4", "5.5"),
        ("lame(1,1)", "1.4", "1.5"),
        ("leaper(1,3)", "3.2", "3.3"),
        ("rider(0,2)", "0", "0.001"),
        ("lame(0,2)", "0", "0.001"),
    ] {
        let mut game = self::game(json!({"inventions": true}));
        say(&mut game, &format!("e1e2/invent Again {definition}"));
        let estimate = |number: &str| accepted(&game, &format!("estimate {number}"));
        assert!(!estimate(less) && estimate(enough), "{definition}");
    }
}

#[test]
fn relay_is_an_option_and_an_invention() {
    let plain = game(json!({"white_tenths": 900}));
    let mut plain = plain;
    say(&mut plain, "e1e2");
    assert_eq!(refused(&plain, "design 1 relay-N").at, Some(9));
    let mut game = game(json!({"relay": true, "inventions": true, "white_tenths": 900}));
    say(&mut game, "e1e2/design 1 relay-N/e8e7/invent Lend relay");
    assert!(refused(&game, "estimate 1.5").to_string().contains("relay-"));
    say(&mut game, "estimate 2/estimate 2/buy relay-N/keep/e7e8/keep/transfer relay-N d1/keep/e8e7/keep");
    assert_eq!(game.json(None)["view"]["designs"]["one"][0]["exact"], "6", "twice a knight");
    // The knight on d1 guards b2, c3, e3 and f2. The king on e2 is relayed only once it steps onto e3.
    assert!(!accepted(&game, "e2g3"));
    say(&mut game, "e2e3/keep/e7e8/keep");
    assert!(accepted(&game, "e3g4") && accepted(&game, "e3d5") && accepted(&game, "d1b2"));
}
