//! Bidding chess: bids and answers, payments, movers, and results.

use rand::{SeedableRng, rngs::StdRng};
use serde_json::json;
use zorkmid_games::{
    bots::Bot,
    rules::{Actor, Seat, Turn},
};

use super::{asked, begin, bytes, end, none, purses, refused, say, unfit};

#[test]
fn black_bids_first_and_then_the_last_mover() {
    let mut game = begin("bidding", none());
    assert_eq!((asked(&game).as_str(), game.phase()), ("two", "bid"));
    say(&mut game, &["two bid 10"]);
    assert_eq!((asked(&game).as_str(), game.phase()), ("one", "answer"));
    say(&mut game, &["one reject"]);
    assert_eq!((asked(&game).as_str(), game.phase()), ("one", "move"));
    say(&mut game, &["one e2e4"]);
    assert_eq!(purses(&game), ["90", "110"]);
    assert_eq!((asked(&game).as_str(), game.phase()), ("one", "bid"));
    say(&mut game, &["one bid 20", "two accept", "one e4e5"]);
    assert_eq!(purses(&game), ["70", "130"]);
    assert_eq!(asked(&game), "one", "the side that moved twice bids again");
    let fen = game.diagram(None).fen.unwrap();
    assert!(fen.contains(" b "), "the side to move is the last mover’s opponent: {fen}");
}

#[test]
fn open_bids_respect_both_limits() {
    // White has 60 chips and bids because it moved last.
    let fen = "4k3/8/8/8/8/8/8/4K2R b - - 0 1";
    let bid = |bid: &str, answer: &str| {
        let mut game = begin("bidding", json!({"white": 60, "black": 40, "fen": fen}));
        say(&mut game, &[&format!("one bid {bid}"), &format!("two {answer}")]);
        let [white, black] = purses(&game);
        (white, black, asked(&game))
    };
    let got = |white: &str, black: &str, mover: &str| (white.to_owned(), black.to_owned(), mover.to_owned());
    assert_eq!(bid("50", "accept"), got("10", "90", "one"));
    assert_eq!(bid("-50", "reject"), got("10", "90", "two"));
    assert_eq!(bid("10", "accept"), got("50", "50", "one"));
    assert_eq!(bid("10", "reject"), got("70", "30", "two"));
    assert_eq!(bid("0", "accept"), got("60", "40", "one"));
    assert_eq!(bid("0", "reject"), got("60", "40", "two"));
    assert_eq!(bid("-10", "accept"), got("70", "30", "one"));
    assert_eq!(bid("-10", "reject"), got("50", "50", "two"));
    assert_eq!(bid("40", "reject"), got("100", "0", "two"));
    assert_eq!(bid("-40", "accept"), got("100", "0", "one"));
    assert_eq!(bid("60", "accept"), got("0", "100", "one"));
    assert_eq!(bid("-60", "reject"), got("0", "100", "two"));

    let mut game = begin("bidding", json!({"white": 60, "black": 40, "fen": fen}));
    for far in ["one bid 61", "one bid -61"] {
        assert!(refused(&game, far).contains("bid -60 to 60"), "{far}");
    }
    say(&mut game, &["one bid 50"]);
    assert!(refused(&game, "two reject").contains("40 chips"));
    assert_eq!(game.json(Some(Seat::Two))["actions"], json!(["accept"]));
    let mut game = begin("bidding", json!({"white": 60, "black": 40, "fen": fen}));
    say(&mut game, &["one bid -50"]);
    refused(&game, "two accept");
    assert_eq!(game.json(Some(Seat::Two))["actions"], json!(["reject"]));
}

#[test]
fn bare_numbers_are_bids_and_other_texts_get_help() {
    let mut game = begin("bidding", json!({"white": 60, "black": 40}));
    assert_eq!(game.json(Some(Seat::Two))["actions"], json!(["bid {-40..40}"]));
    assert!(refused(&game, "two 41").contains("bid -40 to 40"));
    assert!(refused(&game, "two forty").contains("use bid {-40..40}"));
    assert!(refused(&game, "two 4o").contains("use bid {-40..40}"));
    say(&mut game, &["two -12"]);
    assert_eq!(game.lines(None).last().unwrap().text.as_deref(), Some("bid -12"));
    assert_eq!(game.json(Some(Seat::One))["actions"], json!(["accept", "reject"]));
    assert!(refused(&game, "one yes").contains("use accept, or reject"));
    let mut game = begin("bookie", json!({}));
    let officers = game.chance(&mut StdRng::seed_from_u64(1)).unwrap();
    game.act(Actor::Chance, &officers, 0).unwrap();
    assert!(refused(&game, "one 101").contains("use bid {0..100}"));
    assert!(refused(&game, "one half").contains("use bid {0..100}"));
    let mut copy = game.copy();
    say(&mut copy, &["one 60"]);
    assert_eq!(copy.sealed(Seat::One).as_deref(), Some("bid 60"));
}

#[test]
fn the_higher_sealed_bid_pays_and_moves() {
    let settle = |one: i64, two: i64| {
        let mut game = begin("bidding", json!({"scheme": "secret"}));
        assert_eq!(asked(&game), "one two");
        say(&mut game, &[&format!("two bid {two}"), &format!("one bid {one}")]);
        let [white, black] = purses(&game);
        (white, black, asked(&game))
    };
    let got = |white: &str, black: &str, mover: &str| (white.to_owned(), black.to_owned(), mover.to_owned());
    assert_eq!(settle(12, 10), got("88", "112", "one"));
    assert_eq!(settle(10, 12), got("112", "88", "two"));
    assert_eq!(settle(-3, -5), got("103", "97", "one"));
    assert_eq!(settle(-100, -99), got("1", "199", "two"));
    assert_eq!(settle(100, 0), got("0", "200", "one"));
}

#[test]
fn the_marker_settles_equal_bids_and_changes_hands() {
    let mut game = begin("bidding", json!({"scheme": "secret"}));
    assert_eq!(game.json(None)["view"]["marker"], "white");
    say(&mut game, &["one bid 7", "two bid 7"]);
    assert_eq!((purses(&game), asked(&game).as_str()), (["93".to_owned(), "107".to_owned()], "one"));
    assert_eq!(game.json(None)["view"]["marker"], "black");
    say(&mut game, &["one e2e4", "two bid 0", "one bid 0"]);
    assert_eq!(asked(&game), "two", "now Black has the marker");
    assert_eq!(game.json(None)["view"]["marker"], "white");
}

#[test]
fn the_marker_holder_may_take_or_give_the_move() {
    let tied = |word: &str| {
        let mut game = begin("bidding", json!({"scheme": "secret", "tie": "choice", "holder": "black"}));
        say(&mut game, &["one bid 7", "two bid 7"]);
        assert_eq!((game.phase(), asked(&game).as_str()), ("tie", "two"));
        assert_eq!(game.json(Some(Seat::Two))["actions"], json!(["take", "give"]));
        say(&mut game, &[word]);
        (purses(&game), asked(&game), game.json(None)["view"]["marker"].clone())
    };
    assert_eq!(tied("two take"), (["107".to_owned(), "93".to_owned()], "two".to_owned(), json!("white")));
    assert_eq!(tied("two give"), (["93".to_owned(), "107".to_owned()], "one".to_owned(), json!("black")));
}

#[test]
fn a_coin_or_a_side_settles_equal_bids() {
    for (word, seat, purse) in [("chance coin white", "one", "90"), ("chance coin black", "two", "110")] {
        let mut game = begin("bidding", json!({"scheme": "secret", "tie": "coin"}));
        say(&mut game, &["one bid 10", "two bid 10"]);
        assert_eq!(game.turn(), Turn::Chance);
        refused(&game, "one coin white");
        say(&mut game, &[word]);
        assert_eq!((asked(&game).as_str(), purses(&game)[0].as_str()), (seat, purse));
    }
    let mut game = begin("bidding", json!({"scheme": "secret", "tie": "side", "holder": "black"}));
    say(&mut game, &["one bid 10", "two bid 10", "two e7e5", "one bid 3", "two bid 3"]);
    assert_eq!(asked(&game), "two", "the same side wins every tie");
}

#[test]
fn bids_below_zero_can_be_ruled_out() {
    for scheme in ["open", "secret"] {
        let game = begin("bidding", json!({"scheme": scheme, "negative": false}));
        assert!(refused(&game, "two bid -1").contains("negative bids are not allowed"));
        say(&mut game.copy(), &["two bid 0"]);
    }
}

#[test]
fn invalid_bids_are_refused_at_the_fault() {
    let mut game = begin("bidding", none());
    for (text, at) in [
        ("bid", 3),
        ("bid ", 3),
        ("bid x", 4),
        ("bid 4x", 5),
        ("bid --4", 5),
        ("bid +4", 4),
        ("bid 99999999999999999999", 4),
    ] {
        let refusal = game.act(zorkmid_games::rules::Actor::Seat(Seat::Two), text, 0).unwrap_err();
        assert_eq!(refusal.at, Some(at), "{text}: {refusal}");
    }
    refused(&game, "two e7e5");
    refused(&game, "two accept");
    refused(&game, "one bid 5");
}

#[test]
fn sealed_bids_stay_hidden_from_all_other_viewers() {
    let world = |bid: i64| {
        let mut game = begin("bidding", json!({"scheme": "secret", "white": 1_000_000, "black": 1_000_000}));
        say(&mut game, &[&format!("one bid {bid}")]);
        game
    };
    let (one, other) = (world(918_273), world(4));
    for viewer in [None, Some(Seat::Two)] {
        assert_eq!(bytes(&one, viewer), bytes(&other, viewer));
        assert!(!bytes(&one, viewer).contains("918273"));
    }
    assert!(bytes(&one, Some(Seat::One)).contains("918273"));
    let mut both = one.copy();
    say(&mut both, &["two bid 5"]);
    for viewer in [None, Some(Seat::One), Some(Seat::Two)] {
        assert!(bytes(&both, viewer).contains("918273"), "open bids are public");
    }
}

#[test]
fn kings_may_touch_and_be_captured() {
    let mut game = begin("bidding", json!({"fen": "3k4/3K4/8/8/8/8/8/8"}));
    assert!(game.diagram(None).tables);
    say(&mut game, &["two bid 0", "one reject", "one d7d8"]);
    assert_eq!(end(&game), "one king captured");
    assert_eq!(game.diagram(None).sheet.last().unwrap().text, "Kxd8#");
    assert!(!game.diagram(None).tables);
    assert_eq!(game.json(None)["score"], json!({"one": "1", "two": "0"}));
}

#[test]
fn castling_ignores_attacks_but_needs_a_free_path() {
    let fen = "4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    for castle in ["e1g1", "e1c1"] {
        let mut game = begin("bidding", json!({"fen": fen}));
        say(&mut game, &["two bid 0", "one reject", &format!("one {castle}")]);
    }
    let mut game = begin("bidding", json!({"fen": "4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1"}));
    say(&mut game, &["two bid 0", "one reject"]);
    refused(&game, "one e1c1");
}

#[test]
fn en_passant_lapses_if_the_owner_moves_again() {
    let start = "4k3/8/8/8/3p4/8/4P3/4K3";
    let mut game = begin("bidding", json!({"fen": start}));
    say(&mut game, &["two bid 0", "one reject", "one e2e4", "one bid 0", "two reject"]);
    say(&mut game.copy(), &["two d4e3"]);
    // The same position, but White moves again in between.
    let mut game = begin("bidding", json!({"fen": start}));
    say(&mut game, &["two bid 0", "one reject", "one e2e4", "one bid 0", "two accept", "one e1f1"]);
    say(&mut game, &["one bid 0", "two reject"]);
    refused(&game, "two d4e3");
    // A side cannot capture its own pawn.
    let mut game = begin("bidding", json!({"fen": "4k3/8/8/8/8/8/3PP3/4K3"}));
    say(&mut game, &["two bid 0", "one reject", "one e2e4", "one bid 0", "two accept"]);
    refused(&game, "one d2e3");
}

#[test]
fn a_side_without_moves_passes_and_counts_as_the_last_mover() {
    let mut game = begin("bidding", json!({"fen": "6bk/5ppp/8/8/8/8/8/K7 w - - 0 1"}));
    say(&mut game, &["two bid 0", "one accept"]);
    refused(&game, "two pass");
    let mut game = begin("bidding", json!({"fen": "7k/8/8/8/1p6/pPp5/PRP5/KB6"}));
    say(&mut game, &["two bid 10", "one reject"]);
    assert_eq!(game.json(Some(Seat::One))["actions"], json!(["pass"]));
    refused(&game, "one c2c4");
    say(&mut game, &["one pass"]);
    assert_eq!(purses(&game), ["90", "110"], "the payment is kept");
    assert_eq!((asked(&game).as_str(), game.phase()), ("one", "bid"));
}

#[test]
fn repetition_claims_need_equal_stacks_and_bidder() {
    let fen = "4k3/7p/8/8/8/8/P7/4K3";
    let mut game = begin("bidding", json!({"fen": fen}));
    let shuffle = ["two bid 0", "one reject", "one e1d1", "one bid 0", "two reject", "two e8d8"];
    let back = ["two bid 0", "one reject", "one d1e1", "one bid 0", "two reject", "two d8e8"];
    for round in 0..2 {
        assert!(refused(&game, "two claim").contains("third time"), "round {round}");
        say(&mut game, &shuffle);
        say(&mut game, &back);
    }
    refused(&game, "one claim");
    let mut answered = game.copy();
    say(&mut answered, &["two bid 0", "one claim"]);
    assert_eq!(end(&answered), "draw threefold repetition");
    say(&mut game, &["two claim"]);
    assert_eq!(end(&game), "draw threefold repetition");
    // The same moves with payments are not a repetition.
    let mut game = begin("bidding", json!({"fen": fen}));
    for _ in 0..3 {
        say(&mut game, &["two bid 1", "one reject", "one e1d1", "one bid 0", "two reject", "two e8d8"]);
        say(&mut game, &back);
    }
    refused(&game, "two claim");
}

#[test]
fn quiet_turns_draw_the_game() {
    let mut game = begin("bidding", json!({"fen": "4k3/8/8/8/8/8/8/4K3", "no_progress": 20}));
    for (one, two) in [("e1d1", "e8d8"), ("d1e1", "d8e8")].into_iter().cycle().take(10) {
        assert!(game.outcome().is_none());
        say(&mut game, &["two bid 0", "one reject", &format!("one {one}")]);
        say(&mut game, &["one bid 0", "two reject", &format!("two {two}")]);
    }
    assert_eq!(end(&game), "draw too many turns without a capture or a pawn move");
}

#[test]
fn unplayable_starts_are_refused() {
    for fen in
        ["8/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/KK6", "4k2P/8/8/8/8/8/8/4K3", "x", "4k3/8/8/8/8/8/8/4K3 w x - 0 1"]
    {
        assert!(!unfit("bidding", json!({"fen": fen})).is_empty());
    }
    for options in [json!({"white": 0}), json!({"black": 1_000_001}), json!({"tie": "duel"}), json!({"stakes": 1})] {
        unfit("bidding", options);
    }
    begin("bidding", json!({"white": 1, "black": 1_000_000}));
}

#[test]
fn the_panel_is_for_spectators_and_consenting_players() {
    let fen = "8/8/2k5/4R3/8/8/8/3K4";
    for (panel, player) in [(false, false), (true, true)] {
        let game = begin("bidding", json!({"fen": fen, "panel": panel}));
        assert!(game.diagram(None).panel);
        assert_eq!(game.diagram(Some(Seat::One)).panel, player);
        assert!(game.diagram(Some(Seat::One)).tables);
    }
    assert!(!begin("bidding", json!({"fen": "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"})).diagram(None).tables);
    assert!(!begin("bidding", none()).diagram(None).tables);
}

#[test]
fn the_sheet_shows_bids_payments_stacks_and_movers() {
    let mut game = begin("bidding", none());
    say(&mut game, &["two bid 30", "one accept", "two e7e5"]);
    let sheet = game.diagram(None).sheet;
    let texts: Vec<&str> = sheet.iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(texts, ["bid 30", "accept", "e5"]);
    assert_eq!(sheet.iter().map(|entry| entry.ply).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(sheet[1].notes, "Black pays 30 and moves; White 130, Black 70");
    assert_eq!(sheet[2].notes, sheet[1].notes);
    let account = &game.json(None)["view"]["accounts"][0];
    assert_eq!(account["chips"], json!({"one": 130, "two": 70}));
    assert_eq!((&account["mover"], &account["said"]), (&json!("two"), &json!("e5")));
}

#[test]
fn the_total_of_chips_is_constant() {
    let schemes = ["open", "secret"];
    let ties = ["marker", "choice", "coin", "side"];
    for (seed, scheme) in (0u64..).zip(schemes.into_iter().cycle().take(24)) {
        let mut rng = StdRng::seed_from_u64(seed);
        let tie = ties[seed as usize / 2 % 4];
        let mut game = begin("bidding", json!({"scheme": scheme, "tie": tie, "white": 3, "black": 50 + seed as i64}));
        while game.outcome().is_none() {
            let [one, two] = purses(&game).map(|purse| purse.parse::<i64>().unwrap());
            assert_eq!(one + two, 53 + seed as i64);
            assert!(one >= 0 && two >= 0, "no side owes chips");
            if let Some(word) = game.chance(&mut rng) {
                say(&mut game, &[&format!("chance {word}")]);
            } else {
                let seat = game.awaits()[0];
                let word = game.advise(seat, Bot::Random, &mut rng, &mut || true).unwrap();
                say(&mut game, &[&format!("{seat} {word}")]);
            }
        }
    }
}

#[test]
fn equal_bids_are_repeated_or_go_to_the_side_that_did_not_move() {
    let secret = |more: serde_json::Value| {
        let mut options = json!({"scheme": "secret"});
        options.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        begin("bidding", options)
    };
    let mut game = secret(json!({"tie": "rebid"}));
    for _ in 0..2 {
        say(&mut game, &["one bid 7", "two bid 7"]);
        assert_eq!((game.phase(), purses(&game)), ("bid", ["100".to_owned(), "100".to_owned()]));
    }
    say(&mut game, &["one bid 7", "two bid 7"]);
    assert_eq!(game.phase(), "coin");
    say(&mut game, &["chance coin black", "two e7e5"]);
    assert_eq!(purses(&game), ["107", "93"]);
    say(&mut game, &["one bid 7", "two bid 7"]);
    assert_eq!(game.phase(), "bid", "every move allows three rounds of bidding");
    say(&mut game, &["one bid 8", "two bid 7"]);
    assert_eq!((asked(&game).as_str(), purses(&game)), ("one", ["99".to_owned(), "101".to_owned()]));

    let mut game = secret(json!({"tie": "loser", "holder": "black"}));
    say(&mut game, &["one bid 5", "two bid 5"]);
    assert_eq!(asked(&game), "two", "Black moves after the first equal bids");
    say(&mut game, &["two e7e5", "one bid 5", "two bid 5"]);
    assert_eq!(asked(&game), "one", "now White, who did not move");
    say(&mut game, &["one e2e4", "one bid 6", "two bid 5", "one d2d4"]);
    assert_eq!(game.json(None)["view"]["marker"], "black");
    assert_eq!(purses(&game), ["94", "106"]);
}

#[test]
fn second_price_and_bank_payments_are_exact() {
    let after = |options: serde_json::Value, lines: &[&str]| {
        let mut game = begin("bidding", options);
        say(&mut game, lines);
        let banked = game.json(None)["view"]["banked"].as_i64().unwrap();
        (purses(&game), banked)
    };
    let got = |white: i64, black: i64, banked: i64| ([white.to_string(), black.to_string()], banked);
    let second = json!({"scheme": "secret", "price": "second"});
    assert_eq!(after(second.clone(), &["one bid 40", "two bid 10"]), got(90, 110, 0));
    assert_eq!(after(second.clone(), &["one bid -3", "two bid 10"]), got(97, 103, 0), "Black moves and is paid 3");
    assert_eq!(after(second, &["one bid 9", "two bid 9"]), got(91, 109, 0));
    let poor = json!({"scheme": "secret", "bank": "all"});
    assert_eq!(after(poor.clone(), &["one bid 40", "two bid 10"]), got(60, 100, 40));
    assert_eq!(
        after(poor.clone(), &["one bid -3", "two bid -10"]),
        got(100, 97, 3),
        "Black pays, and the bank takes it"
    );
    assert_eq!(after(poor, &["one bid 40", "two bid 10", "one e2e4", "one bid 60", "two bid 0"]), got(0, 100, 100));
    let taxed = json!({"bank": "half"});
    assert_eq!(after(taxed.clone(), &["two bid 25", "one accept"]), got(113, 75, 12));
    assert_eq!(after(taxed.clone(), &["two bid 25", "one reject"]), got(75, 113, 12));
    assert_eq!(after(taxed.clone(), &["two bid 1", "one accept"]), got(101, 99, 0));
    assert_eq!(after(taxed, &["two bid -25", "one accept"]), got(75, 113, 12));
    // Chips are paid to the opponent or to the bank; none are lost.
    let mut rng = StdRng::seed_from_u64(3);
    for bank in ["half", "all"] {
        let mut game = begin("bidding", json!({"bank": bank, "scheme": "secret", "tie": "loser", "price": "second"}));
        while game.outcome().is_none() && game.ply() < 200 {
            let seat = game.awaits()[0];
            let word = game.advise(seat, Bot::Random, &mut rng, &mut || true).unwrap();
            game.act(Actor::Seat(seat), &word, 0).unwrap();
            let view = game.json(None)["view"].clone();
            let chips = ["/chips/one", "/chips/two", "/banked"].map(|at| view.pointer(at).unwrap().as_i64().unwrap());
            assert!(chips.iter().sum::<i64>() == 200 && chips.iter().all(|count| *count >= 0), "{chips:?}");
        }
    }
}

#[test]
fn bots_bid_the_full_value_in_second_price_auctions() {
    // The mover captures a queen.
    let fen = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1";
    let bid = |price: &str, seed: u64| -> i64 {
        let game =
            begin("bidding", json!({"fen": fen, "scheme": "secret", "price": price, "white": 1000, "black": 1000}));
        let mut rng = StdRng::seed_from_u64(seed);
        let said = game.advise(Seat::One, Bot::Steady, &mut rng, &mut || false).unwrap();
        said.strip_prefix("bid ").unwrap().parse().unwrap()
    };
    for seed in 0..8 {
        let (first, second) = (bid("first", seed), bid("second", seed));
        assert!(first > 20 && (first * 10 - second * 6).abs() <= 10, "{first} and {second}");
    }
}
