//! Bookie matches, played through action texts: deals, sealed bids, stakes, matches of several deals, and every kind of result.

use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use zorkmid_games::{
    board::Color,
    game::{Clock, Clocks, Live, PlayerCommand, REST, deal_summary},
    registry,
    rules::{Actor, Seat, Side, Turn},
    variants::bookie::{self, Code},
};

use super::{asked, begin, bytes, end, none, refused, say, unfit};

const OFFICERS: &str = "chance officers 8/8/8/rr6/8/8/8/2RR4";
/// White mates by d1d8.
const DEAL: &str = "chance deal 7k/6pp/8/rr6/8/8/PP6/2RR2K1";

/// Adam in the first seat bids 87, Barb 65. Adam plays White, and the board is dealt.
const ADAM_AND_BARB: [&str; 4] = [OFFICERS, "one bid 87", "two bid 65", DEAL];

fn played(options: Value, lines: &[&str]) -> Box<Live> {
    let mut game = begin("bookie", options);
    say(&mut game, lines);
    game
}

fn score(game: &Live) -> [String; 2] {
    game.score().map(|points| points.to_string())
}

#[test]
fn adam_and_barb() {
    for (line, points, outcome) in [
        ("two resign", ["35", "0"], "one resignation"),
        ("one concede", ["0", "87"], "two conceded"),
        ("one d1d8", ["35", "0"], "one checkmate"),
    ] {
        let mut game = played(none(), &ADAM_AND_BARB);
        say(&mut game, &[line]);
        assert_eq!((score(&game), end(&game)), (points.map(str::to_owned), outcome.to_owned()), "{line}");
    }
    let mut game = played(none(), &ADAM_AND_BARB);
    say(&mut game, &["one draw", "two draw"]);
    assert_eq!(score(&game), ["35/2", "87/2"]);
    assert_eq!(end(&game), "two more points", "the draw pays Barb more");
    assert_eq!(game.json(None)["score"], json!({"one": "35/2", "two": "87/2"}));
    let view = &game.json(None)["view"];
    assert_eq!(view["stakes"], json!({"one": "35", "two": "87"}));
    assert_eq!(view["account"][0]["verdict"], "draw");
}

#[test]
fn carl_has_a_handicap() {
    // Diane bids 60 on White and plays it; Carl wins.
    let diane = [OFFICERS, "one bid 60", "two bid 40", DEAL];
    for whose in ["two", "black"] {
        let mut game = played(json!({"handicap": "20", "handicapped": whose}), &diane);
        say(&mut game, &["one resign"]);
        assert_eq!(score(&game), ["0", "72"]);
    }
}

#[test]
fn phases_follow_in_order() {
    let mut game = begin("bookie", none());
    assert_eq!((game.turn(), game.phase()), (Turn::Chance, "officers"));
    assert!(game.diagram(None).pieces.is_empty());
    refused(&game, "one bid 50");
    assert!(refused(&game, "chance officers 8/8/8/rr6/8/8/8/2RR2K1").contains("before the bids"));
    assert!(refused(&game, "chance officers 8/8/8/rr6/8/8/8/2R5").contains("worth"));
    refused(&game, "one officers 8/8/8/rr6/8/8/8/2RR4");
    say(&mut game, &[OFFICERS]);
    assert_eq!((asked(&game).as_str(), game.phase()), ("one two", "bid"));
    assert_eq!(game.diagram(None).pieces.len(), 4);
    assert_eq!(game.diagram(None).colors, None, "colours are not assigned yet");
    for odd in ["one bid 101", "one bid -1", "one bid", "one bid 5.5", "one e2e4", "one concede", "one play"] {
        refused(&game, odd);
    }
    say(&mut game, &["two bid 90", "two bid 40", "one bid 30"]);
    assert_eq!((game.turn(), game.phase()), (Turn::Chance, "deal"));
    assert_eq!(game.json(None)["view"]["bids"], json!({"one": 30, "two": 40}), "the latest bid counts");
    assert!(refused(&game, "chance deal 7k/6pp/8/rr6/8/8/PP6/2R1R1K1").contains("officers"));
    assert!(refused(&game, "chance deal 7k/6pp/8/rr6/8/8/P7/2RR2K1").contains("pawns"));
    say(&mut game, &[DEAL]);
    assert_eq!((asked(&game).as_str(), game.phase()), ("two", "move"), "the second player has White");
    let view = game.json(None)["view"].clone();
    assert_eq!(view["diagram"]["colors"], json!({"one": "black", "two": "white"}));
    assert_eq!(view["code"].as_str().unwrap().len(), 64);
    let code: Code = view["code"].as_str().unwrap().parse().unwrap();
    assert_eq!(bookie::board().placement_fen(&code.open()), "7k/6pp/8/rr6/8/8/PP6/2RR2K1");
    let tags = game.diagram(None).tags;
    for tag in [
        ("Match", "Bookie"),
        ("SetUp", "1"),
        ("FEN", "7k/6pp/8/rr6/8/8/PP6/2RR2K1 w - - 0 1"),
        ("WhiteOwnerBidOnWhite", "40"),
        ("BlackOwnerBidOnWhite", "30"),
    ] {
        assert!(tags.contains(&(tag.0, tag.1.to_owned())), "{tag:?} in {tags:?}");
    }
}

#[test]
fn sealed_bids_stay_hidden_from_all_other_viewers() {
    let world = |bid: u8| played(none(), &[OFFICERS, &format!("one bid {bid}")]);
    for viewer in [None, Some(Seat::Two)] {
        assert_eq!(bytes(&world(73), viewer), bytes(&world(4), viewer));
        assert!(!bytes(&world(73), viewer).contains("73"));
    }
    assert!(bytes(&world(73), Some(Seat::One)).contains("bid 73"));
}

#[test]
fn a_coin_settles_equal_bids() {
    for (color, points) in [("white", ["40", "0"]), ("black", ["60", "0"])] {
        let mut game = played(none(), &[OFFICERS, "one bid 60", "two bid 60"]);
        assert_eq!((game.turn(), game.phase()), (Turn::Chance, "coin"));
        assert!(refused(&game, "one resign").contains("coin"));
        refused(&game, "chance coin first white");
        say(&mut game, &[&format!("chance coin seat1 {color}"), DEAL, "two resign"]);
        assert_eq!(score(&game), points.map(str::to_owned));
    }
}

#[test]
fn equal_bids_are_repeated_until_the_coin_decides() {
    let mut game = played(json!({"tie": "rebid"}), &[OFFICERS]);
    for tie in [50, 60] {
        say(&mut game, &[&format!("one bid {tie}"), &format!("two bid {tie}")]);
        assert_eq!((asked(&game).as_str(), game.phase()), ("one two", "bid"));
    }
    assert_eq!(game.json(None)["view"]["tied"], json!([50, 60]));
    assert!(game.json(None)["view"]["bids"].is_null(), "discarded bids are not stakes");
    let mut settled = game.copy();
    say(&mut settled, &["one bid 10", "two bid 11", DEAL]);
    assert_eq!(asked(&settled), "two");
    say(&mut game, &["one bid 70", "two bid 70"]);
    assert_eq!((game.turn(), game.phase()), (Turn::Chance, "coin"));
    say(&mut game, &["chance coin seat1 black", DEAL, "two resign"]);
    assert_eq!(score(&game), ["70", "0"]);
}

#[test]
fn a_coin_may_decide_who_moves_first() {
    let mut game = played(json!({"coin_toss": true}), &[OFFICERS, "one bid 87", "two bid 65"]);
    assert_eq!((game.turn(), game.phase()), (Turn::Chance, "coin"));
    say(&mut game, &["chance coin first black", DEAL]);
    assert_eq!(asked(&game), "two", "Black begins");
    assert!(game.diagram(None).fen.unwrap().ends_with(" b - - 0 1"));
    assert_eq!(game.json(None)["view"]["first"], "black");
}

#[test]
fn stakes_grow_only_if_both_play() {
    let start = || played(json!({"double": "5/2"}), &ADAM_AND_BARB);
    let game = start();
    assert_eq!((asked(&game).as_str(), game.phase()), ("one two", "stakes"));
    assert_eq!(game.json(Some(Seat::One))["actions"], json!(["play", "concede"]));
    refused(&game, "one d1d8");
    let decided = |lines: &[&str]| {
        let mut game = start();
        say(&mut game, lines);
        (score(&game), end(&game))
    };
    let got = |one: &str, two: &str, end: &str| ([one.to_owned(), two.to_owned()], end.to_owned());
    assert_eq!(decided(&["one play", "two play", "one d1d8"]), got("175/2", "0", "one checkmate"));
    assert_eq!(decided(&["one play", "two play", "one resign"]), got("0", "435/2", "two resignation"));
    assert_eq!(decided(&["one play", "two concede"]), got("35", "0", "one conceded"));
    assert_eq!(decided(&["two play", "one concede"]), got("0", "87", "two conceded"));
    assert_eq!(decided(&["two concede", "one concede"]), got("35/2", "87/2", "two more points"));
    assert_eq!(decided(&["two resign"]), got("35", "0", "one resignation"));
    // Decisions are sealed.
    let world = |word: &str| {
        let mut game = start();
        say(&mut game, &[&format!("one {word}")]);
        game
    };
    for viewer in [None, Some(Seat::Two)] {
        assert_eq!(bytes(&world("play"), viewer), bytes(&world("concede"), viewer));
    }
}

#[test]
fn black_may_win_draws() {
    let mut game = played(json!({"black_wins_draws": true, "double": "2"}), &ADAM_AND_BARB);
    say(&mut game, &["one play", "two play", "two draw", "one draw"]);
    assert_eq!(score(&game), ["0", "174"]);
    let mut game = played(json!({"black_wins_draws": true, "double": "2"}), &ADAM_AND_BARB);
    say(&mut game, &["one concede", "two concede"]);
    assert_eq!(score(&game), ["0", "87"]);
}

#[test]
fn without_open_bids_there_are_no_stakes() {
    for lines in [&[OFFICERS, "one bid 99", "two resign"][..], &[OFFICERS, "one resign"], &["two resign"]] {
        let game = played(none(), lines);
        assert_eq!(score(&game), ["0", "0"]);
        assert_eq!(end(&game), "draw resigned before the bids were open");
    }
    let game = played(none(), &[OFFICERS, "one bid 99", "server flag two"]);
    assert_eq!(
        (score(&game), end(&game).as_str()),
        (["0".to_owned(), "0".to_owned()], "draw time ran out before the bids were open")
    );
    let game = played(none(), &[OFFICERS]);
    assert!(refused(&game, "one draw").contains("no stakes"));
    assert!(refused(&game, "one claim").contains("before the play begins"));
}

#[test]
fn resigning_between_the_bids_and_the_deal_costs_the_stake() {
    let game = played(none(), &[OFFICERS, "one bid 87", "two bid 65", "one resign"]);
    assert_eq!(score(&game), ["0", "87"]);
}

#[test]
fn time_is_lost_unless_the_opponent_has_a_bare_king() {
    let game = played(none(), &[&ADAM_AND_BARB[..], &["server flag one"]].concat());
    assert_eq!((score(&game), end(&game).as_str()), (["0".to_owned(), "87".to_owned()], "two time"));
}

#[test]
fn a_match_adds_up_its_deals() {
    let mut game = played(json!({"deals": 3}), &ADAM_AND_BARB);
    say(&mut game, &["one d1d8"]);
    assert_eq!((game.turn(), game.phase()), (Turn::Chance, "officers"));
    assert_eq!(score(&game), ["35", "0"]);
    assert_eq!(game.diagram(None).colors, None, "the next bids decide the colours anew");
    let between = game.diagram(None);
    assert_eq!(between.sheet.iter().map(|entry| entry.deal).collect::<Vec<_>>(), [Some(1); 5]);
    let first = &between.deals[0];
    assert_eq!(first.colors, Some([Side::White, Side::Black].into()), "the colours of the deal that was played");
    let closed = first.end.as_ref().unwrap();
    assert_eq!((closed.winner, closed.reason, closed.ply), (Some(Seat::One), "checkmate", 4));
    assert_eq!(
        between.ended.unwrap().fen.unwrap(),
        "3R3k/6pp/8/rr6/8/8/PP6/2R3K1 b - - 1 1",
        "the mate is still shown"
    );
    say(&mut game, &[OFFICERS, "one bid 20"]);
    assert!(game.diagram(Some(Seat::Two)).ended.is_some(), "a sealed bid changes nothing for the opponent");
    say(&mut game, &["two bid 80", DEAL]);
    let second = game.diagram(None);
    assert!(second.ended.is_none(), "the new bids are open");
    assert_eq!(second.deals[1].colors, Some([Side::Black, Side::White].into()));
    assert_eq!(second.deals[0].colors, Some([Side::White, Side::Black].into()), "the colours of that deal");
    say(&mut game, &["one resign"]);
    assert_eq!(score(&game), ["35", "80"], "the first player bid 80 on Black");
    say(&mut game, &[OFFICERS, "one bid 50", "two resign"]);
    assert_eq!((score(&game), end(&game).as_str()), (["35".to_owned(), "80".to_owned()], "two more points"));
    let account = game.json(None)["view"]["account"].clone();
    assert_eq!(account.as_array().unwrap().len(), 3);
    assert_eq!(account[2]["verdict"], "void");
    let equal = [OFFICERS, "one bid 60", "two bid 40", DEAL, "one resign", OFFICERS, "two bid 60", "one bid 40", DEAL];
    let mut game = played(json!({"deals": 2}), &equal);
    say(&mut game, &["two resign"]);
    assert_eq!((score(&game), end(&game).as_str()), (["60".to_owned(), "60".to_owned()], "draw equal points"));
}

/// A match of two deals with a minute for each seat, in which the first deal ends at 10 s and the clocks rest.
fn between_deals() -> Box<Live> {
    let clocks = Clocks::new([Some(Clock::Fischer { initial: 60, increment: 0 }); 2]);
    let options = json!({"deals": 2});
    let mut game = registry::find("bookie").unwrap().begin(options.as_object().unwrap(), clocks).unwrap();
    let lines = ["chance", "one", "two", "server", "chance"].map(|actor| actor.parse::<Actor>().unwrap());
    let texts = [&OFFICERS[7..], "bid 87", "bid 65", "begin", &DEAL[7..]];
    for (actor, text) in lines.into_iter().zip(texts) {
        game.act(actor, text, 0).unwrap();
    }
    assert!(!game.may_rest());
    for (actor, text) in [(Actor::Seat(Seat::Two), "resign"), (Actor::Chance, &OFFICERS[7..])] {
        game.act(actor, text, 10_000).unwrap();
    }
    assert!(game.may_rest());
    game.act(Actor::Server, "rest", 10_000).unwrap();
    assert!(!game.may_rest());
    game
}

#[test]
fn clocks_rest_between_deals() {
    let game = between_deals();
    let left = |game: &Live, seat| game.clocks().deadline(seat);
    // White’s ten seconds in the first deal are spent.
    assert_eq!(
        (left(&game, Seat::One), left(&game, Seat::Two)),
        (Some(10_000 + REST + 50_000), Some(10_000 + REST + 60_000))
    );
    assert!(!game.can(Seat::One, PlayerCommand::Rematch) && game.can(Seat::One, PlayerCommand::Continue));
    let mut early = game.copy();
    early.act(Actor::Seat(Seat::One), "continue", 12_000).unwrap();
    assert_eq!(left(&early, Seat::One), left(&game, Seat::One), "one player waits for the other");
    assert!(early.act(Actor::Seat(Seat::One), "continue", 12_500).is_err());
    early.act(Actor::Seat(Seat::Two), "continue", 13_000).unwrap();
    assert_eq!((left(&early, Seat::One), left(&early, Seat::Two)), (Some(63_000), Some(73_000)));
    let mut bid = game.copy();
    bid.act(Actor::Seat(Seat::One), "bid 20", 12_000).unwrap();
    bid.act(Actor::Seat(Seat::Two), "continue", 14_000).unwrap();
    assert_eq!((left(&bid, Seat::One), left(&bid, Seat::Two)), (None, Some(74_000)), "a bid goes on too");
    let mut slow = game.copy();
    slow.act(Actor::Seat(Seat::One), "bid 20", 10_000 + REST + 5_000).unwrap();
    assert_eq!(slow.clocks().view(Seat::One).unwrap().remaining, 45_000, "the clock has run for five seconds");
    slow.act(Actor::Seat(Seat::Two), "bid 10", 10_000 + REST + 5_000).unwrap();
    assert!(slow.act(Actor::Seat(Seat::One), "continue", 50_000).is_err(), "the bids are open");
}

#[test]
fn clock_that_has_run_out_is_at_zero() {
    let mut game = between_deals();
    game.act(Actor::Server, "flag one", 10_000 + REST + 50_000).unwrap();
    let left = Seat::BOTH.map(|seat| game.clocks().view(seat).unwrap().remaining);
    assert_eq!((left[0], left[1] > 0), (0, true));
}

#[test]
fn draw_that_black_wins_is_called_a_draw() {
    let mut game = played(json!({"deals": 2, "black_wins_draws": true}), &ADAM_AND_BARB);
    say(&mut game, &["one draw", "two draw"]);
    let names = ["Adam", "Barb"].map(str::to_owned);
    let summary = |game: &Live| deal_summary(game.diagram(None).deals[0].end.as_ref().unwrap(), &names);
    assert_eq!(summary(&game), "A draw, which Barb wins as Black: agreement. Barb gets 87, Adam gets 0");
    let game = played(none(), &[&ADAM_AND_BARB[..], &["server flag one"]].concat());
    assert_eq!(summary(&game), "Adam lost on time. Barb gets 87, Adam gets 0");
}

#[test]
fn a_rematch_deals_anew() {
    let bookie = registry::find("bookie").unwrap();
    let options = json!({"code": "secret", "double": "2"});
    let again = bookie.options_again(options.as_object().unwrap().clone());
    assert_eq!(serde_json::Value::Object(again), json!({"double": "2"}));
}

#[test]
fn the_rest_of_a_match_can_be_resigned() {
    let mut game = played(json!({"deals": 5}), &ADAM_AND_BARB);
    say(&mut game, &["one resign match"]);
    assert_eq!((score(&game), end(&game).as_str()), (["0".to_owned(), "87".to_owned()], "two match resigned"));
    let mut game = played(json!({"deals": 5}), &ADAM_AND_BARB);
    say(&mut game, &["two resign", OFFICERS, "one resign match"]);
    assert_eq!((score(&game), end(&game).as_str()), (["35".to_owned(), "0".to_owned()], "one more points"));
    let game = played(json!({"deals": 5}), &["one resign match"]);
    assert_eq!(end(&game), "draw match resigned before the bids were open");
    let game = played(json!({"deals": 5}), &[&ADAM_AND_BARB[..], &["server flag two"]].concat());
    assert_eq!((score(&game), end(&game).as_str()), (["35".to_owned(), "0".to_owned()], "one time"));
}

#[test]
fn a_match_can_start_from_a_code() {
    let position = bookie::board().parse_fen("7k/6pp/8/rr6/8/8/PP6/2RR2K1").unwrap();
    let code = Code::seal(&position).unwrap().to_string();
    let mut game = begin("bookie", json!({"code": code}));
    assert_eq!((asked(&game).as_str(), game.phase()), ("one two", "bid"));
    assert_eq!(game.json(None)["view"]["known"], true);
    assert_eq!(game.diagram(None).pieces.len(), 4, "pawns and kings stay hidden");
    say(&mut game, &["one bid 87", "two bid 65"]);
    assert_eq!((asked(&game).as_str(), game.phase()), ("one", "move"));
    assert_eq!(game.json(None)["view"]["code"], code);
    say(&mut game, &["one d1d8"]);
    assert_eq!(score(&game), ["35", "0"]);
    // Coins and doubled stakes still apply.
    let mut game = begin("bookie", json!({"code": code, "coin_toss": true, "double": "2"}));
    say(&mut game, &["one bid 5", "two bid 5", "chance coin seat1 white", "chance coin first black"]);
    assert_eq!((asked(&game).as_str(), game.phase()), ("one two", "stakes"));
    // A bot sees another board with the same officers.
    let game = begin("bookie", json!({"code": code}));
    let mut rng = StdRng::seed_from_u64(1);
    let mut world = game.redeal(Seat::One, &mut rng);
    say(&mut world, &["one bid 87", "two bid 65"]);
    assert_ne!(world.json(None)["view"]["code"], code);

    assert!(unfit("bookie", json!({"code": code, "deals": 2})).contains("one deal"));
    assert!(unfit("bookie", json!({"code": &code[1..]})).contains("64"));
    assert_eq!(begin("bookie", none()).json(None)["view"]["known"], false);
}

#[test]
fn odd_options_are_refused() {
    for options in [
        json!({"double": "1"}),
        json!({"double": "1/0"}),
        json!({"double": "two"}),
        json!({"double": "1001"}),
        json!({"handicap": "-5"}),
        json!({"handicapped": "three"}),
        json!({"deals": 0}),
        json!({"tie": "duel"}),
    ] {
        unfit("bookie", options);
    }
    begin("bookie", json!({"double": "1000/999", "handicap": "2.5", "handicapped": "black"}));
}

#[test]
fn castling_is_illegal_and_only_home_pawns_double_step() {
    let board = "6k1/1p6/p5rr/8/8/P7/1P6/R3K2R";
    let deal = format!("chance deal {board}");
    let mut game = played(none(), &["chance officers 8/8/6rr/8/8/8/8/R6R", "one bid 87", "two bid 65", &deal]);
    refused(&game, "one e1g1");
    refused(&game, "one e1c1");
    refused(&game, "one a3a5");
    say(&mut game, &["one b2b4"]);
    refused(&game, "two a6a4");
    say(&mut game, &["two b7b5"]);
    assert!(game.diagram(None).fen.unwrap().contains(" w - b6 "), "no castling, but en passant");
}

#[test]
fn revealed_bids_and_deals_cannot_be_taken_back() {
    let mut game = played(none(), &[OFFICERS, "one bid 87", "two bid 65"]);
    refused(&game, "one takeback");
    say(&mut game, &[DEAL]);
    refused(&game, "one takeback");
    say(&mut game, &["one g1f1", "one takeback", "two takeback"]);
    assert_eq!(asked(&game), "one");
    assert!(!game.returnable() || game.ply() == 3);
}

#[test]
fn chance_always_finds_a_deal() {
    let mut rng = StdRng::seed_from_u64(7);
    for _ in 0..300 {
        let mut game = begin("bookie", json!({"coin_toss": true}));
        while let Some(word) = game.chance(&mut rng) {
            game.act(Actor::Chance, &word, 0).unwrap();
            if game.phase() == "bid" {
                say(&mut game, &["one bid 50", "two bid 50"]);
            }
        }
        assert!(["move", "over"].contains(&game.phase()));
        let first = game.json(None)["view"]["first"].as_str().unwrap().parse::<Color>().unwrap();
        assert!(game.diagram(None).fen.unwrap().contains(if first == Color::White { " w " } else { " b " }));
    }
}
