//! Bidding for a handicap before the game: results of the bids, the clocks, the removed piece, and the supported variants.

use serde_json::{Value, json};
use zorkmid_games::{
    board::Color,
    game::{Clock, Clocks, Live},
    registry::{self, VARIANTS},
    rules::{Actor, Capability, Refusal, Seat, Turn},
    variants::{handicap::PieceOdds, nested_game::Nested},
};

use super::kin::{ended, play};

const SEATS: [Actor; 2] = [Actor::Seat(Seat::One), Actor::Seat(Seat::Two)];

fn begin(options: Value, clocks: [Option<Clock>; 2]) -> Result<Box<Live>, Refusal> {
    let Value::Object(options) = options else { panic!("options are a record") };
    registry::find("handicap").unwrap().begin(&options, Clocks::new(clocks))
}

/// A game in which both slips are open.
fn open(options: Value, slips: [&str; 2]) -> Box<Live> {
    let mut game = begin(options, [None; 2]).unwrap();
    for (actor, slip) in SEATS.into_iter().zip(slips) {
        game.act(actor, slip, 0).unwrap();
    }
    game
}

fn refused(options: Value) -> String {
    begin(options, [None; 2]).expect_err("it is refused").why
}

#[test]
fn the_lower_bid_of_seconds_gets_the_side_and_that_time() {
    for (prize, slips, winner, mover) in [
        ("white", ["seconds 250", "seconds 240"], Seat::Two, Seat::Two),
        ("white", ["seconds 30", "seconds 240"], Seat::One, Seat::One),
        ("black", ["seconds 250", "seconds 240"], Seat::Two, Seat::One),
        ("black", ["seconds 30", "seconds 240"], Seat::One, Seat::Two),
    ] {
        let mut game = begin(json!({"prize": prize, "increment": 2}), [None; 2]).unwrap();
        game.act(Actor::Server, "begin", 0).unwrap();
        for (actor, slip) in SEATS.into_iter().zip(slips) {
            assert_eq!(game.clocks().controls(), [None; 2]);
            game.act(actor, slip, 1_000).unwrap();
        }
        assert_eq!(game.turn(), Turn::One(mover));
        let least = if winner == Seat::One { slips[0] } else { slips[1] };
        let least: u32 = least.trim_start_matches("seconds ").parse().unwrap();
        let clock =
            |seat: Seat| Some(Clock::Fischer { initial: if seat == winner { least } else { 300 }, increment: 2 });
        assert_eq!(game.clocks().controls(), Seat::BOTH.map(clock));
        // White's clock runs from then on, and gains the increment after the move.
        let full = |seat: Seat| game.clocks().view(seat).unwrap().remaining;
        let before = full(mover);
        assert_eq!(game.clocks().deadline(mover), Some(1_000 + before));
        assert_eq!(game.clocks().deadline(!mover), None);
        game.act(Actor::Seat(mover), "e2e4", 11_000).unwrap();
        assert_eq!(game.clocks().view(mover).unwrap().remaining, before - 10_000 + 2_000);
    }
}

#[test]
fn the_slip_replaces_the_agreed_clock() {
    let mut game = begin(json!({}), [Some(Clock::Days { days: 2 }), None]).unwrap();
    game.act(SEATS[0], "seconds 100", 0).unwrap();
    assert_eq!(game.clocks().controls(), [Some(Clock::Days { days: 2 }), None]);
    game.act(SEATS[1], "seconds 299", 0).unwrap();
    let clock = |initial| Some(Clock::Fischer { initial, increment: 3 });
    assert_eq!(game.clocks().controls(), [clock(100), clock(300)]);
    let mut units = begin(json!({"slips": "unit"}), [Some(Clock::Days { days: 2 }); 2]).unwrap();
    for actor in SEATS {
        units.act(actor, "give pawn", 0).unwrap();
    }
    units.act(Actor::Chance, "coin seat1 white", 0).unwrap();
    assert_eq!(units.clocks().controls(), [Some(Clock::Days { days: 2 }); 2]);
}

#[test]
fn the_handicapped_side_can_lose_on_time() {
    let mut game = begin(json!({"prize": "black"}), [None; 2]).unwrap();
    game.act(Actor::Server, "begin", 0).unwrap();
    game.act(SEATS[0], "seconds 10", 0).unwrap();
    game.act(SEATS[1], "seconds 11", 0).unwrap();
    game.act(SEATS[1], "e2e4", 0).unwrap();
    assert_eq!(game.clocks().next_deadline(), Some((10_000, Seat::One)));
    game.act(Actor::Server, "flag one", 10_000).unwrap();
    assert_eq!(ended(&game), Some((Some(Seat::Two), "time")));
}

#[test]
fn a_coin_settles_equal_slips() {
    for (prize, coin, winner) in
        [("white", "white", Seat::One), ("white", "black", Seat::Two), ("black", "black", Seat::One)]
    {
        let mut game = open(json!({"prize": prize}), ["seconds 100"; 2]);
        assert_eq!((game.turn(), game.phase()), (Turn::Chance, "coin"));
        assert!(game.act(SEATS[0], "coin seat1 white", 0).is_err());
        game.act(Actor::Chance, &format!("coin seat1 {coin}"), 0).unwrap();
        assert_eq!(game.json(None)["view"]["winner"], winner.name());
        let seconds = |seat| game.clocks().view(seat).map(|clock| clock.remaining);
        assert_eq!([seconds(winner), seconds(!winner)], [Some(100_000), Some(300_000)]);
    }
}

#[test]
fn slips_are_sealed_until_both_are_in() {
    let mut game = begin(json!({"seconds": 500}), [None; 2]).unwrap();
    game.act(SEATS[0], "seconds 377", 0).unwrap();
    for viewer in [None, Some(Seat::Two)] {
        assert!(!game.json(viewer).to_string().contains("377") && game.lines(viewer)[0].text.is_none());
        assert_eq!(game.json(viewer)["view"]["diagram"]["colors"], Value::Null);
    }
    assert!(game.json(Some(Seat::One)).to_string().contains("377"));
    game.act(SEATS[0], "seconds 376", 0).unwrap();
    game.act(SEATS[1], "seconds 400", 0).unwrap();
    assert_eq!(game.json(None)["view"]["slips"], json!({"one": "seconds 376", "two": "seconds 400"}));
    assert!(game.act(SEATS[0], "takeback", 0).is_err());
}

#[test]
fn the_higher_odds_get_the_side_without_that_piece() {
    let start = |game: &Live| game.json(None)["view"]["diagram"]["fen"].as_str().unwrap().to_owned();
    let order = ["nothing", "pawn", "knight", "bishop", "rook", "queen"].map(|name| format!("give {name}"));
    for (less, more) in order.iter().zip(&order[1..]) {
        for (slips, winner) in [([less, more], "two"), ([more, less], "one")] {
            let game = open(json!({"slips": "unit"}), slips.map(String::as_str));
            assert_eq!(game.json(None)["view"]["winner"], winner, "{slips:?}");
        }
    }
    for (base, slip, fen) in [
        ("chess", "give pawn", "rnbqkbnr/pppppppp/8/8/8/8/PPPPP1PP/RNBQKBNR w KQkq - 0 1"),
        ("chess", "give knight", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1"),
        ("chess", "give rook", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1"),
        ("chess", "give queen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1"),
        ("crazyhouse", "give bishop", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RN1QKBNR[] w KQkq - 0 1"),
        ("three-check", "give rook", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 3+3 0 1"),
        ("minichess", "give pawn", "rnbqk/ppppp/5/PPPP1/RNBQK w - - 0 1"),
        ("shatranj", "give ferz", "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBK1BNR w - - 0 1"),
        ("shatranj", "give alfil", "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RN1KQBNR w - - 0 1"),
    ] {
        assert_eq!(start(&open(json!({"slips": "unit", "base": base}), [slip, "give nothing"])), fen, "{base}: {slip}");
    }
    let black = open(json!({"slips": "unit", "prize": "black"}), ["give rook", "give pawn"]);
    assert_eq!(start(&black), "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1");
    assert_eq!(black.turn(), Turn::One(Seat::Two), "the other seat plays White");
}

#[test]
fn chess960_draws_the_array_before_the_slips() {
    let mut game = begin(json!({"slips": "unit", "base": "chess960"}), [None; 2]).unwrap();
    assert_eq!(game.turn(), Turn::Chance);
    game.act(Actor::Chance, "array 100", 0).unwrap();
    assert_eq!(game.phase(), "bid");
    for (actor, slip) in SEATS.into_iter().zip(["give pawn", "give rook"]) {
        game.act(actor, slip, 0).unwrap();
    }
    let fen = game.json(None)["view"]["diagram"]["fen"].as_str().unwrap().to_owned();
    let (placement, rest) = fen.split_once(' ').unwrap();
    let white = placement.rsplit('/').next().unwrap();
    assert!(white.matches('R').count() == 1 && rest.starts_with("w Kkq"), "{fen}");
    // Entries of the score sheet have the right step numbers.
    game.act(SEATS[1], "a2a3", 0).unwrap();
    let sheet = game.json(None)["view"]["diagram"]["sheet"].clone();
    let plies: Vec<u64> = sheet.as_array().unwrap().iter().map(|line| line["ply"].as_u64().unwrap()).collect();
    assert_eq!(plies, [2, 2, 3], "{sheet}");
    assert_eq!(sheet[2]["seat"], "two");
}

#[test]
fn every_variant_supports_slips_or_gives_a_reason() {
    for variant in VARIANTS.iter().filter(|variant| variant.key != "handicap") {
        let unfit = variant.supports(Capability::Handicap).reason();
        match begin(json!({"base": variant.key}), [None; 2]) {
            Ok(_) => assert!(unfit.is_none() && Nested::all().any(|game| game.key == variant.key), "{}", variant.key),
            Err(why) => assert!(why.why.contains(unfit.expect("a reason")), "{}: {why}", variant.key),
        }
    }
    for (base, word) in
        [("antichess", "no handicap"), ("horde", "different pieces"), ("racing-kings", "clear its king’s way")]
    {
        let why = refused(json!({"base": base, "slips": "unit"}));
        assert!(why.contains(word) && why.contains("bid seconds"), "{why}");
    }
}

#[test]
fn black_wins_draws_in_armageddon() {
    let armageddon = || open(json!({"prize": "black"}), ["seconds 100", "seconds 200"]);
    let mut game = armageddon();
    let why = game.act(SEATS[0], "draw", 0).unwrap_err().why;
    assert!(why.contains("a draw is a win for Black"), "{why}");
    // Seat one plays Black. After a threefold repetition the side to move claims a draw.
    play(&mut game, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    game.act(SEATS[1], "claim", 0).unwrap();
    assert_eq!(ended(&game), Some((Some(Seat::One), "a draw, which Black wins")));
    let mut mated = armageddon();
    play(&mut mated, "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#");
    assert_eq!(ended(&mated), Some((Some(Seat::Two), "checkmate")));
}

#[test]
fn slips_of_the_wrong_kind_are_refused() {
    let say = |options: Value, text: &str| begin(options, [None; 2]).unwrap().act(SEATS[0], text, 0).unwrap_err();
    for (options, text, word) in [
        (json!({}), "give pawn", "offers in this game are seconds"),
        (json!({}), "seconds 301", "at most 300 seconds"),
        (json!({}), "seconds 0", "from 1"),
        (json!({}), "seconds +5", "from 1"),
        (json!({}), "e2e4", "submit their offers"),
        (json!({"slips": "unit"}), "seconds 5", "offers in this game are pieces"),
        (json!({"slips": "unit"}), "give ferz", "there is no ferz to give up in Chess"),
        (json!({"slips": "unit"}), "give king", "as in give knight"),
        (json!({"slips": "unit", "base": "shatranj"}), "give queen", "alfil"),
    ] {
        let wrong = say(options, text);
        assert!(wrong.why.contains(word), "{text}: {wrong}");
    }
}

#[test]
fn odds_pieces_exist_for_both_sides() {
    for base in Nested::all() {
        let fits = begin(json!({"slips": "unit", "base": base.key}), [None; 2]);
        let Ok(game) = fits else { continue };
        if game.turn() == Turn::Chance {
            continue;
        }
        for gift in PieceOdds::before(base) {
            let words = [format!("give {}", gift.name()), "give nothing".to_owned()];
            for prize in ["white", "black"] {
                let options = json!({"slips": "unit", "base": base.key, "prize": prize});
                let mut game = open(options, [&words[0], &words[1]]);
                if game.turn() == Turn::Chance {
                    game.act(Actor::Chance, "coin seat1 white", 0).unwrap();
                }
                let units = game.json(Some(Seat::One))["view"]["diagram"]["pieces"].as_array().unwrap().len();
                let all = match (base.key, prize) {
                    ("fog-of-war", _) => continue,
                    ("minichess", _) => 20,
                    (_, _) => 32,
                };
                assert_eq!(units, all - usize::from(gift != PieceOdds::Nothing), "{base}: {}", gift.name());
            }
        }
    }
    let fen = "8/8/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(PieceOdds::Pawn.remove_from(fen, Color::White), None);
}
