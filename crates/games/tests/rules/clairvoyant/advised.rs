//! Purchases and retractions of bots: mates, and turns that avoid mate.

use rand::{SeedableRng, rngs::StdRng};
use serde_json::json;
use zorkmid_games::{
    bots::Bot,
    game::Live,
    rules::{Outcome, Seat},
};

use super::{act, game};

/// Levels that make no mistakes in short lines.
const LEVELS: [Bot; 3] = [Bot::Steady, Bot::Keen, Bot::Sharp];

fn advice(game: &Live, seat: Seat, bot: Bot) -> String {
    game.advise(seat, bot, &mut StdRng::seed_from_u64(1), &mut || false).unwrap()
}

/// Seat one plays the bot's turn, and seat two guesses nothing.
fn turn(game: &mut Live, bot: Bot) -> String {
    let said = advice(game, Seat::One, bot);
    act(game, Seat::One, &said);
    act(game, Seat::Two, "guess");
    said
}

#[test]
fn mate_is_bought_for_money() {
    for bot in LEVELS {
        let fen = "6k1/5ppp/8/8/8/8/8/6K1 w - - 0 1";
        let mut game = game(json!({"fen": fen, "money_one": 24, "money_two": 0}));
        let said = turn(&mut game, bot);
        assert_eq!(game.outcome(), Some(Outcome::Win(Seat::One, "checkmate")), "{} said {said}", bot.name());
    }
}

#[test]
fn mate_is_played_and_retracted_if_nothing_else_helps() {
    for bot in LEVELS {
        let of_money = |money: i64| {
            let fen = "5rk1/p4p1p/5P1Q/8/8/8/8/6K1 w - - 0 1";
            let mut game = game(json!({"fen": fen, "money_one": 0, "money_two": money}));
            assert_eq!(turn(&mut game, bot), "h6g7", "{}", bot.name());
            game
        };
        assert_eq!(of_money(14).outcome(), Some(Outcome::Win(Seat::One, "checkmate")));
        let mut game = of_money(15);
        assert_eq!(advice(&game, Seat::Two, bot), "retract", "{}", bot.name());
        act(&mut game, Seat::Two, "retract");
        assert_ne!(advice(&game, Seat::One, bot), "h6g7");
    }
}

#[test]
fn mate_is_retracted_even_if_another_follows() {
    // Nothing can be bought, and either rook mates.
    let costs = "pawn 90 90 90 90 90; knight 90 90 90 90 90; bishop 90 90 90 90 90; rook 90 90 90 90 90; queen 90 90 90 90 90; \
                 king 150 90/90/90 90 90/90 90";
    let fen = "6k1/5ppp/8/8/8/8/8/RR4K1 w - - 0 1";
    let mut game = game(json!({"fen": fen, "money_one": 0, "money_two": 15, "costs": costs}));
    act(&mut game, Seat::One, "a1a8");
    act(&mut game, Seat::Two, "guess");
    for bot in LEVELS {
        assert_eq!(advice(&game, Seat::Two, bot), "retract", "{}", bot.name());
    }
    act(&mut game, Seat::Two, "retract");
    act(&mut game, Seat::One, "b1b8");
    assert_eq!(game.outcome(), Some(Outcome::Win(Seat::One, "checkmate")));
}

/// Actions that the bot may choose at the start of a game.
fn words(options: &serde_json::Value, bot: Bot) -> Vec<String> {
    let game = game(options.clone());
    let word = |seed| game.advise(Seat::One, bot, &mut StdRng::seed_from_u64(seed), &mut || false).unwrap();
    (0..20).map(word).collect()
}

#[test]
fn higher_levels_see_turns_of_more_parts() {
    let fen = "q6q/8/8/4k3/8/8/3R4/4K3 w - - 0 1";
    let of = |bot: Bot| words(&json!({"fen": fen, "money_one": 20, "money_two": 0}), bot);
    let (newcomer, casual, steady, keen) = (of(Bot::Newcomer), of(Bot::Casual), of(Bot::Steady), of(Bot::Keen));
    assert!(newcomer.iter().all(|said| !said.contains(' ')), "{newcomer:?}");
    assert!(casual.iter().all(|said| !said.contains(' ') || !said.contains('@')), "{casual:?}");
    assert!(steady.iter().all(|said| said.matches('@').count() <= 1), "{steady:?}");
    assert!(steady.iter().any(|said| said.contains(' ') && said.contains('@')), "{steady:?}");
    assert!(keen.iter().any(|said| said.matches('@').count() == 2), "{keen:?}");
}

#[test]
fn the_fifth_level_avoids_captures_by_bought_pawns() {
    let fen = "3Q4/8/3p4/8/8/8/k7/4K3 w - - 0 1";
    let takes = |bot: Bot, money: i64| {
        words(&json!({"fen": fen, "money_one": 0, "money_two": money}), bot).iter().any(|said| said == "d8d6")
    };
    assert!(takes(Bot::Keen, 6));
    assert!(takes(Bot::Sharp, 5));
    assert!(!takes(Bot::Sharp, 6));
}

#[test]
fn the_fourth_level_mates_at_the_start_with_nine_zorkmids() {
    let outcome = |bot: Bot, money: [i64; 2]| {
        let mut game = game(json!({"money_one": money[0], "money_two": money[1]}));
        turn(&mut game, bot);
        game.outcome()
    };
    let mate = Some(Outcome::Win(Seat::One, "checkmate"));
    for bot in [Bot::Keen, Bot::Sharp] {
        assert_eq!(outcome(bot, [9, 0]), mate, "{}", bot.name());
        assert_eq!(outcome(bot, [8, 0]), None, "{}", bot.name());
        assert_eq!(outcome(bot, [9, 15]), None, "it can be forced back");
    }
    assert_eq!(outcome(Bot::Steady, [9, 0]), None);
}

/// Number of games of ten in which a level with 8Z, too little for a retraction, is mated at once by a player with 9Z.
fn mated(bot: Bot) -> usize {
    let mated = |seed: &u64| {
        let mut game = game(json!({"money_one": 8, "money_two": 9}));
        let advice = |game: &Live, seat: Seat, bot: Bot| {
            game.advise(seat, bot, &mut StdRng::seed_from_u64(*seed), &mut || false).unwrap()
        };
        let said = advice(&game, Seat::One, bot);
        super::turn(&mut game, "guess", &said);
        let said = advice(&game, Seat::Two, Bot::Keen);
        super::turn(&mut game, "guess", &said);
        game.outcome() == Some(Outcome::Win(Seat::Two, "checkmate"))
    };
    (0..10).filter(mated).count()
}

#[test]
fn the_fifth_level_prevents_bought_mates() {
    assert_eq!(mated(Bot::Sharp), 0);
    assert_ne!(mated(Bot::Keen), 0);
}

#[test]
fn the_fifth_level_knows_that_checks_can_be_bought_off() {
    // Whatever White plays, Black can give a check that only a purchase parries. A bishop recaptures the queen, and a pawn
    // captures another black piece. A bot that believed itself lost would not pay for that.
    let fen = "r1b1k3/pppp1ppp/8/8/8/8/PP1P1PPP/RNBqK1NR w - - 0 1";
    for said in words(&json!({"fen": fen, "money_one": 269, "money_two": 410}), Bot::Sharp) {
        assert!(said.starts_with("B@") && said.contains(" P@"), "{said}");
    }
}

/// Two pieces that capture each other and are bought again, until seat one is to move in a repeated position.
fn taken_in_turn(own: &str, mut options: serde_json::Value, times: usize) -> Box<Live> {
    options["fen"] = json!(format!("4k3/8/8/8/8/8/{own}/4K3 w - - 0 1"));
    let mut game = game(options);
    super::turn(&mut game, "guess", "N@b1");
    for _ in 0..times {
        super::turn(&mut game, "guess", "B@a2 a2b1");
        super::turn(&mut game, "guess", "N@a3 a3b1");
    }
    super::turn(&mut game, "guess", "B@a2 a2b1");
    game
}

#[test]
fn only_the_losing_side_claims_a_draw() {
    // The amounts leave both players without money at the end.
    let taken = |own: &str| taken_in_turn(own, json!({"money_one": 66, "money_two": 81}), 2);
    for bot in [Bot::Newcomer, Bot::Steady, Bot::Sharp] {
        assert_eq!(advice(&taken("7r"), Seat::One, bot), "claim", "{}", bot.name());
        assert_ne!(advice(&taken("5QQQ"), Seat::One, bot), "claim", "{}", bot.name());
    }
}

#[test]
fn the_leader_avoids_repetition() {
    // Only knights and bishops can be bought, and they cost almost nothing.
    let dear = "900 900 900 900 900";
    let costs = format!(
        "pawn {dear}; knight 1 900 1 900 900; bishop 1 900 1 900 900; rook {dear}; queen {dear}; \
         king 900 900/900/900 900 900/900 900"
    );
    for times in [1, 2] {
        let game = taken_in_turn("6QQ", json!({"money_one": 20, "money_two": 20, "costs": costs}), times);
        for bot in LEVELS {
            let said = |seed| game.advise(Seat::One, bot, &mut StdRng::seed_from_u64(seed), &mut || false).unwrap();
            let back = (0..20).map(said).find(|said| said.starts_with("N@") && said.ends_with("b1"));
            assert_eq!(back, None, "{}, {times}", bot.name());
        }
    }
}
