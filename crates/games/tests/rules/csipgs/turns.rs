//! Turns: credit, action, design; purchases, transfers, designs and draws; and the money of the presets.

use serde_json::{Map, json};
use zorkmid_games::{
    game::{Clocks, Live},
    registry,
    rules::{Actor, Outcome, RulesVersion, Seat},
};

use super::{accepted, game, named, options_of, purse, purses, refused, refused_options, say, wait};

#[test]
fn starts_with_kings_and_money() {
    let game = named("standard");
    let diagram = game.diagram(None);
    let units: Vec<_> =
        diagram.pieces.iter().map(|unit| (unit.square.to_string(), unit.betza.as_str(), unit.name.as_str())).collect();
    assert_eq!(units, [("e1".to_owned(), "royal-WF", "king"), ("e8".to_owned(), "royal-WF", "king")]);
    assert_eq!(purses(&game), ["1", "0"]);
    assert_eq!(diagram.fen.as_deref(), Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1"));
    let view = game.json(None);
    let designs = &view["view"]["designs"]["two"];
    let list: Vec<_> =
        (0..6).map(|i| (designs[i]["betza"].as_str().unwrap(), designs[i]["price"].as_str().unwrap())).collect();
    assert_eq!(list, [("B", "3"), ("BR", "9"), ("cfFmfW", "2"), ("N", "3"), ("R", "5"), ("royal-WF", "12")]);
    assert_eq!(view["turn"]["phase"], "action");
}

#[test]
fn a_turn_is_credit_action_design() {
    let mut game = named("standard");
    assert!(refused(&game, "keep").to_string().contains("the action comes before the design phase"));
    assert!(refused(&game, "design 1 WF").to_string().contains("the action comes before the design phase"));
    say(&mut game, "e1e2");
    assert_eq!((game.phase(), game.awaits()), ("design", vec![Seat::One]));
    assert!(!accepted(&game, "e2e3"));
    assert!(!accepted(&game, "buy fcFfmW"));
    say(&mut game, "keep");
    assert_eq!((game.phase(), game.awaits()), ("action", vec![Seat::Two]));
    assert_eq!(purses(&game), ["1", "1"]);
    say(&mut game, "e8e7/design 3 W/e2e1/keep/buy W/keep");
    assert_eq!(purses(&game), ["3", "0"]);
    assert_eq!(game.ply(), 8);
}

#[test]
fn signs_are_not_dropped_from_names_and_numbers() {
    let mut game = game(json!({"inventions": true, "white_tenths": 900}));
    for wrong in ["buy xN", "buy -N", "buy N-", "$xN", "e1-", "-e1e2", "e1--e2", "e1-e2-e3", "e1xe-2"] {
        assert!(!accepted(&game, wrong), "{wrong}");
    }
    assert!(accepted(&game, "e1-e2") && accepted(&game, "$N"));
    say(&mut game, "e1e2");
    for wrong in ["design 1 W-F", "design 1 WxF", "design -1 WF", "invent Ho-rse lame(1,2)", "invent Horse lame(1,-2)"]
    {
        assert!(!accepted(&game, wrong), "{wrong}");
    }
    say(&mut game, "invent Horse lame(1,2)");
    for wrong in ["estimate -5", "estimate x5", "estimate 5-", "-5", "x5"] {
        assert!(!accepted(&game, wrong), "{wrong}");
    }
}

#[test]
fn a_design_is_bought_the_next_turn_and_deployed_the_turn_after() {
    let mut game = game(json!({"white_tenths": 100}));
    assert_eq!(refused(&game, "buy WF").at, Some(4));
    say(&mut game, "e1e2/design 1 WF");
    assert!(!accepted(&game, "buy WF"), "Black's designs are different");
    say(&mut game, "e8e7/keep");
    assert!(!accepted(&game, "buy B"), "the bishop's design was replaced");
    say(&mut game, "buy FW".replace("FW", "WF").as_str());
    assert!(!accepted(&game, "transfer WF e1"));
    say(&mut game, "keep/e7e8/keep");
    assert_eq!(refused(&game, "transfer WF e4").at, Some(12));
    assert_eq!(refused(&game, "transfer N e1").at, Some(9));
    say(&mut game, "transfer WF e3");
    let diagram = game.diagram(None);
    assert_eq!(diagram.unit("e3".parse().unwrap()).unwrap().betza, "WF");
    assert!(diagram.reserves.one.is_empty());
    let texts: Vec<&str> = diagram.sheet.iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(texts, ["e1-e2", "#1=WF", "e8-e7", "$WF", "e7-e8", "@e3=WF"]);
}

#[test]
fn a_piece_keeps_its_text_when_its_design_is_scrapped() {
    let mut game = game(json!({"white_tenths": 100}));
    say(&mut game, "buy N/design 4 W/e8e7/keep/transfer N d2/keep/e7e8/keep");
    assert!(accepted(&game, "d2c4"));
    assert!(!accepted(&game, "buy N"));
}

#[test]
fn money() {
    let mut game = named("standard");
    assert!(refused(&game, "buy fcFfmW").to_string().contains("costs 2, and you have 1"));
    wait(&mut game, 2);
    say(&mut game, "buy fcFfmW/keep");
    assert_eq!(purses(&game), ["0", "2"]);
    assert_eq!(game.diagram(None).reserves.one[0].name, "pawn");
    wait(&mut game, 1);
    assert_eq!(purses(&game), ["1", "2"]);
}

#[test]
fn balanced_games() {
    assert_eq!(purses(&named("balanced I")), ["1", "1"]);
    let mut game = named("balanced II");
    assert_eq!(purses(&game), ["1", "1/2"]);
    say(&mut game, "e1e2/design 1 W/e8e7/keep");
    assert_eq!(purse(&game, Seat::One), "2");
    say(&mut game, "buy W");
    assert_eq!(purse(&game, Seat::One), "1/2");
}

#[test]
fn power_games() {
    for (name, income, in_design) in
        [("weak power", 2, false), ("standard power", 4, false), ("strong power", 7, true), ("super power", 10, true)]
    {
        let mut game = named(name);
        assert_eq!(purses(&game), [income.to_string(), "0".to_owned()], "{name}");
        assert_eq!(!accepted(&game, "buy fcFfmW"), in_design, "{name}");
        say(&mut game, "e1e2");
        assert_eq!(accepted(&game, "buy fcFfmW"), in_design, "{name}");
    }
    let mut game = named("strong power");
    say(&mut game, "e1e2/buy N");
    assert_eq!((game.phase(), game.awaits()), ("action", vec![Seat::Two]), "a purchase ends the design phase");
    assert_eq!(purses(&game), ["4", "7"]);
    say(&mut game, "e8e7/keep/transfer N e1/buy R");
    assert_eq!(purse(&game, Seat::One), "6");
}

#[test]
fn progressive_income() {
    let mut game = named("progressive");
    let mut sums = [1, 0];
    for turn in 2..=9 {
        wait(&mut game, 1);
        sums[(turn + 1) % 2] += turn;
        assert_eq!(purses(&game), sums.map(|sum| sum.to_string()));
    }
}

#[test]
fn dutch_money() {
    let mut game = named("dutch");
    // fhN is worth exactly 2.1, and tenths are the smallest coin.
    say(&mut game, "e1e2/design 1 fhN");
    wait(&mut game, 5);
    assert_eq!(purse(&game, Seat::One), "4");
    say(&mut game, "buy fhN");
    assert_eq!(purse(&game, Seat::One), "19/10");
    let price = zorkmid_games::variants::csipgs::price::Quantum::Tenth.price(num_rational::Ratio::new(232, 100));
    assert_eq!(40 - price, 16, "2.32 of 4 pays 2.4 and keeps 1.6");
}

#[test]
fn drawless_income_royals_and_doublemoves() {
    let mut game = named("drawless");
    let mut before = [1i64, 0];
    for ply in 2..=230i64 {
        if ply - 1 == 160 {
            assert!(accepted(&game, "buy royal-WF"), "the last turn on which royal pieces are sold");
        } else if ply - 1 == 161 {
            assert!(refused(&game, "buy royal-WF").to_string().contains("royal"));
        }
        if ply - 1 == 220 || ply - 1 == 221 {
            let mut copy = game.copy();
            let home = copy.diagram(None).unit("e8".parse().unwrap()).is_some();
            let white = copy.diagram(None).unit("e1".parse().unwrap()).is_some();
            let move_ = match (copy.awaits()[0], white, home) {
                (Seat::One, true, _) => "e1e2",
                (Seat::One, false, _) => "e2e1",
                (Seat::Two, _, true) => "e8e7",
                (Seat::Two, _, false) => "e7e8",
            };
            say(&mut copy, move_);
            assert_eq!(accepted(&copy, "design 1 doublemove-W"), ply - 1 == 221);
        }
        wait(&mut game, 1);
        let now = purses(&game).map(|purse| purse.parse::<i64>().unwrap());
        let seat = usize::from(ply % 2 == 0);
        let income = now[seat] - before[seat];
        let wanted = if ply <= 100 { 1 } else { 2 + (ply - 101) / 21 };
        assert_eq!(income, wanted, "turn {ply}");
        match ply {
            100 => assert_eq!(income, 1),
            101 | 121 => assert_eq!(income, 2),
            122 => assert_eq!(income, 3),
            143 => assert_eq!(income, 4),
            221 => assert_eq!(income, 7),
            _ => {}
        }
        before = now;
    }
    for word in ["draw", "claim"] {
        assert!(refused(&game, word).to_string().contains("in this game"), "{word}");
    }
}

#[test]
fn claims() {
    let mut game = named("standard");
    assert!(game.copy().act(Actor::Seat(Seat::One), "claim", 0).is_err());
    wait(&mut game, 4);
    assert!(!accepted(&game, "claim"));
    wait(&mut game, 4);
    // The starting position for the third time, although the treasuries differ.
    let mut third = game.copy();
    say(&mut third, "e1e2");
    assert!(refused(&third, "claim").to_string().contains("before acting"));
    say(&mut game, "claim");
    assert_eq!(game.outcome(), Some(Outcome::Draw("threefold repetition")));
}

#[test]
fn repetition_needs_equal_designs() {
    let mut game = named("standard");
    wait(&mut game, 4);
    say(&mut game, "e1e2/design 1 W");
    wait(&mut game, 3);
    assert!(!accepted(&game, "claim"));
    say(&mut game, "e1e2/design 1 B");
    wait(&mut game, 3);
    assert!(accepted(&game, "claim"));
}

#[test]
fn fifty_moves_can_be_claimed_and_seventy_five_draw() {
    let mut game = game(json!({"draw_claims": true, "automatic_draws": true}));
    wait(&mut game, 15);
    assert!(game.outcome().is_none());
    wait(&mut game, 1);
    assert_eq!(game.outcome(), Some(Outcome::Draw("fivefold repetition")));
    let mut game = named("standard");
    say(&mut game, "draw");
    game.act(Actor::Seat(Seat::Two), "draw", 0).unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Draw("agreement")));
}

#[test]
fn purchases_transfers_and_captures_reset_the_fifty_moves() {
    let mut game = game(json!({"white_tenths": 100}));
    say(&mut game, "e1e2/keep/e8e7/keep");
    wait(&mut game, 80);
    say(&mut game, "buy N/keep");
    wait(&mut game, 19);
    assert!(accepted(&game, "claim"), "by repetition");
    wait(&mut game, 80);
    let mut claimed = game.copy();
    claimed.act(Actor::Seat(claimed.awaits()[0]), "claim", 0).unwrap();
    assert_eq!(claimed.outcome(), Some(Outcome::Draw("threefold repetition")), "99 plies");
    wait(&mut game, 1);
    say(&mut game, "claim");
    assert_eq!(
        game.outcome(),
        Some(Outcome::Draw("50 moves without a capture, a purchase or a transfer")),
        "100 plies"
    );
}

#[test]
fn captured_pieces_are_lost_and_pawns_never_promote() {
    let mut game = game(json!({"white_tenths": 1000, "black_tenths": 1000}));
    say(&mut game, "buy fcFfmW/keep/buy N/keep/e1e2/keep/transfer N d7/keep/e2e3/keep/d7e5/keep/e3f4/keep/e8d7/keep");
    say(&mut game, "f4e5/keep/d7c6/keep");
    let reserves = game.diagram(None).reserves;
    assert_eq!((reserves.one.len(), reserves.two.len()), (1, 0), "the captured knight is gone");
    say(&mut game, "e5e6/keep/c6c5/keep/e6e7/keep/c5c4/keep/transfer fcFfmW f7/keep/c4c3/keep/f7f8/keep/c3c4/keep");
    let pawn = game.diagram(None).unit("f8".parse().unwrap()).unwrap().clone();
    assert_eq!(pawn.betza, "cfFmfW");
    let view = game.json(Some(Seat::One));
    let actions = view["actions"].as_array().unwrap();
    assert!(!actions.is_empty() && !actions.iter().any(|action| action.as_str().unwrap().starts_with("f8")));
}

#[test]
fn check_allows_designing_and_then_buying() {
    let rich = json!({"white_tenths": 1000, "black_tenths": 1000, "buy_in_design": true});
    let mut game = game(rich);
    say(&mut game, "e1e2/buy R/e8e7/buy royal-WF/e2f2/keep/e7e8/keep/transfer R e1");
    assert_eq!(game.diagram(None).check.len(), 1);
    say(&mut game, "keep/e8d8");
    assert!(accepted(&game, "buy N"), "check counts after the action");
    // With two royal pieces on the board, one may stay attacked. Then buying is illegal, but designs can be changed.
    say(&mut game, "keep/f2g2/keep/transfer royal-WF c8/keep/e1d1/keep/c8c7");
    assert_eq!(game.diagram(None).check.len(), 1);
    assert!(refused(&game, "buy N").to_string().contains("attacked"));
    assert!(accepted(&game, "design 1 W"));
}

#[test]
fn the_score_sheet_shows_purchases_transfers_and_designs() {
    let mut game = game(json!({"white_tenths": 100}));
    say(&mut game, "e1e2/design 3 WFfN/e8e7/keep/buy WFfN/design 5 BN/e7e8/keep/transfer WFfN e3/keep");
    let diagram = game.diagram(None);
    let lines: Vec<_> = diagram.sheet.iter().map(|entry| (entry.text.as_str(), entry.notes.as_str())).collect();
    assert_eq!(
        lines,
        [
            ("e1-e2", ""),
            ("#3=WFfhN", "in place of cfFmfW, costs 6"),
            ("e8-e7", ""),
            ("$WFfhN", "pays 6, keeps 6"),
            ("#5=BN", "in place of R, costs 7"),
            ("e7-e8", ""),
            ("@e3=WFfhN", ""),
        ]
    );
    let tags: Vec<_> = diagram.tags.iter().map(|(name, value)| (*name, value.as_str())).collect();
    assert_eq!(
        tags,
        [("Variant", "csipgs"), ("SetUp", "1"), ("FEN", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"), ("Designs", "K=royal-WF")]
    );
}

#[test]
fn sixteen_pieces_at_most() {
    let mut game = game(json!({"white_tenths": 10000}));
    for _ in 0..15 {
        say(&mut game, "buy N/keep");
        wait(&mut game, 1);
    }
    assert!(refused(&game, "buy N").to_string().contains("16 pieces"));
    say(&mut game, "transfer N d1/keep");
    wait(&mut game, 1);
    assert!(refused(&game, "buy N").to_string().contains("16 pieces"));
}

#[test]
fn designs_have_limits() {
    let mut game = game(json!({"white_tenths": 100}));
    say(&mut game, "e1e2");
    for (text, at) in [
        ("design 0 W", 7),
        ("design 7 W", 7),
        ("design 1 Wf", 10),
        ("design 1 relay-W", 9),
        ("design 1 royal-doublemove-W", 15),
        ("design 1 WFDAHGNLWFDAH", 9),
        ("design 1 mWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmWmW", 73),
        ("design 1 <Horse>", 9),
        ("design 1 WWWWWWWWWWWWWWWWéÉ", 25),
        ("design 1 ééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé", 137),
    ] {
        assert_eq!(refused(&game, text).at, Some(at), "{text}: {}", refused(&game, text));
    }
    for text in ["design 1 WFDAHGNLWFDA", "design 6 B", "design 1 fNfNfNfNfNfNfNfNfNfNfNfN"] {
        assert!(accepted(&game, text), "{text}");
    }
    // A canonical text may be longer than the entered text. The design can be bought and transferred by either text.
    say(&mut game, "design 1 KmKcKmKcK/e8e7/keep");
    let text = "WFmWmFcWcFmWmFcWcF";
    assert!(accepted(&game, &format!("buy {text}")));
    assert!(accepted(&game, "buy KmKcKmKcK"));
}

#[test]
fn texts_are_checked_quickly() {
    let game = named("configurable");
    for text in [
        "<",
        "W<A>",
        "buy ",
        "buy",
        "transfer WF",
        "design 4",
        "army",
        "place W e2 e3",
        "e2e4 e5e6",
        "e2e4 e4e5 e5e6",
        "e2e4q",
        "invent H runner",
        "invent horse runner",
        "estimate 0",
        "estimate 1000.001",
        "estimate 1.0001",
        "estimate .5",
        "estimate 5.",
        "estimate -1",
        "é",
        "e2é4",
        "design 1 é",
        "design 1 Wé",
        "estimate 99999999999999999999",
    ] {
        assert!(!refused(&game, text).to_string().is_empty(), "{text}");
    }
    for long in ["buy ", "army ", "e2e4 ", "design 1 ", "estimate ", "invent "] {
        refused(&game, &format!("{long}{}", "W".repeat(100_000)));
        refused(&game, &format!("{long}{}", "W ".repeat(50_000)));
        refused(&game, &format!("{long}{}", "é".repeat(50_000)));
    }
}

#[test]
fn presets_match_their_names() {
    let names = [
        "standard",
        "balanced I",
        "balanced II",
        "weak power",
        "standard power",
        "strong power",
        "super power",
        "progressive",
        "drawless",
        "configurable",
        "dutch",
        "army",
    ];
    for name in names {
        options_of(name);
    }
}

#[test]
fn initial_designs_can_be_chosen() {
    let mut game = game(json!({"designs": "  W F  royal-W N  B R", "white_tenths": 100}));
    let view = game.json(None);
    assert_eq!(view["view"]["designs"]["two"][2]["betza"], "royal-W");
    assert_eq!(
        game.diagram(None).unit("e1".parse().unwrap()).unwrap().betza,
        "royal-WF",
        "the kings on the board are unchanged"
    );
    assert!(accepted(&game, "buy royal-W") && !accepted(&game, "buy royal-WF"));
    say(&mut game, "buy F/keep");
    for (designs, why) in [
        ("B BR fcFfmW N R", "these are 5"),
        ("B BR fcFfmW N R W", "royal"),
        ("B BR fcFfmW N R royal-WX", "X"),
        ("B BR fcFfmW N relay-R royal-W", "relay-"),
        ("B BR fcFfmW N <Horse> royal-W", "invented"),
    ] {
        let refusal = refused_options(json!({"designs": designs}));
        assert!(refusal.to_string().contains(why), "{designs}: {refusal}");
    }
    assert_eq!(refused_options(json!({"designs": "B B B B BZ royal-W"})).at, Some(9));
}

/// Takes back a seat's last action or turn.
fn take_back(game: &mut Live, seat: Seat) {
    for seat in [seat, !seat] {
        game.act(Actor::Seat(seat), "takeback", 0).unwrap();
    }
}

#[test]
fn a_takeback_takes_back_the_whole_turn() {
    for decision in ["keep", "design 1 WF"] {
        let mut game = named("standard");
        let before = game.json(None)["view"].clone();
        say(&mut game, &format!("e1e2/{decision}/e8e7/keep"));
        take_back(&mut game, Seat::One);
        assert_eq!((game.ply(), game.phase(), game.awaits()), (0, "action", vec![Seat::One]), "{decision}");
        assert_eq!(game.json(None)["view"], before);
    }
    // The opponent's turn stays, and a turn without its decision about the designs is its action.
    let mut game = named("standard");
    say(&mut game, "e1e2/keep/e8e7");
    take_back(&mut game, Seat::Two);
    assert_eq!((game.ply(), game.phase(), game.awaits()), (2, "action", vec![Seat::Two]));
    // A purchase of the design phase belongs to the turn too.
    let mut game = game_with_purchases();
    say(&mut game, "e1e2/buy cfFmfW/e8e7/keep");
    take_back(&mut game, Seat::One);
    assert_eq!((game.ply(), game.phase()), (0, "action"));
}

fn game_with_purchases() -> Box<Live> {
    game(json!({"buy_in_design": true, "white_tenths": 100}))
}

#[test]
fn takebacks_of_old_records_return_to_the_design_phase() {
    let csipgs = registry::find("csipgs").unwrap();
    let mut game = csipgs.begin_under(RulesVersion::THIRD, &Map::new(), Clocks::new([None; 2])).unwrap();
    say(&mut game, "e1e2/keep/e8e7/keep");
    take_back(&mut game, Seat::One);
    assert_eq!((game.ply(), game.phase(), game.awaits()), (1, "design", vec![Seat::One]));
}

#[test]
fn estimates_cannot_be_taken_back() {
    let mut game = game(json!({"inventions": true}));
    say(&mut game, "e1e2/invent Horse lame(1,2)");
    take_back(&mut game, Seat::One);
    assert_eq!((game.ply(), game.phase()), (0, "action"), "nothing has been revealed");
    say(&mut game, "e1e2/invent Horse lame(1,2)/estimate 2/estimate 3");
    assert!(game.copy().act(Actor::Seat(Seat::One), "takeback", 0).is_err());
    say(&mut game, "e8e7/keep/e2e1/keep");
    take_back(&mut game, Seat::One);
    assert_eq!((game.phase(), game.awaits()), ("action", vec![Seat::One]));
}
