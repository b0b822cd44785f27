//! Offers: an acceptance names its offer. Takebacks: nothing is left of the moves taken back but the time spent.

use serde_json::{Map, json};
use zorkmid_games::{
    game::{Clock, Clocks, Live, RecordLine},
    registry,
    rules::{Actor, RulesVersion, Seat},
};

use crate::kin::{begin, ended};

fn act(game: &mut Live, seat: Seat, text: &str) -> Result<RecordLine, String> {
    game.act(Actor::Seat(seat), text, 0).map_err(|refusal| refusal.why)
}

fn offers(game: &Live) -> serde_json::Value {
    game.json(None)["offers"].clone()
}

#[test]
fn an_acceptance_of_a_withdrawn_offer_is_refused() {
    for offer in ["draw", "takeback"] {
        let mut game = begin("chess", "").unwrap();
        act(&mut game, Seat::One, "e2e4").unwrap();
        act(&mut game, Seat::Two, "e7e5").unwrap();
        act(&mut game, Seat::One, offer).unwrap();
        assert_eq!(offers(&game)[format!("{offer}_number")], 1);
        act(&mut game, Seat::One, "withdraw").unwrap();
        let before = offers(&game);
        let refused = act(&mut game, Seat::Two, "accept 1").unwrap_err();
        assert!(refused.contains("no longer open"), "{refused}");
        assert_eq!(offers(&game), before, "an acceptance is never an offer");
        act(&mut game, Seat::One, offer).unwrap();
        for (seat, text) in [(Seat::Two, "accept 1"), (Seat::Two, "accept 02"), (Seat::One, "accept 2")] {
            assert!(act(&mut game, seat, text).is_err(), "{seat} {text}");
        }
        act(&mut game, Seat::Two, "accept 2").unwrap();
        assert_eq!((ended(&game).is_some(), game.ply()), if offer == "draw" { (true, 3) } else { (false, 0) });
    }
}

#[test]
fn a_move_ends_an_offer() {
    let mut game = begin("chess", "").unwrap();
    act(&mut game, Seat::Two, "draw").unwrap();
    act(&mut game, Seat::One, "e2e4").unwrap();
    assert!(act(&mut game, Seat::One, "accept 1").is_err());
    act(&mut game, Seat::Two, "draw").unwrap();
    act(&mut game, Seat::One, "draw").unwrap();
    assert_eq!(ended(&game), Some((None, "agreement")));
}

#[test]
fn a_bid_is_still_accepted_without_a_number() {
    let mut game = begin("bidding", "").unwrap();
    act(&mut game, Seat::Two, "bid 10").unwrap();
    assert!(act(&mut game, Seat::One, "accept 10").is_err());
    act(&mut game, Seat::One, "accept").unwrap();
}

/// A game of chess with a minute and an increment of a minute for each player.
fn timed(version: RulesVersion) -> Box<Live> {
    let clock = Some(Clock::Fischer { initial: 60, increment: 60 });
    let chess = registry::find("chess").unwrap();
    let mut game = chess.begin_under(version, &Map::new(), Clocks::new([clock; 2])).unwrap();
    game.act(Actor::Server, "begin", 0).unwrap();
    game
}

/// Milliseconds left on both clocks.
fn left(game: &Live, now: i64) -> [i64; 2] {
    Seat::BOTH.map(|seat| {
        let clock = game.clocks().view(seat).unwrap();
        clock.deadline.map_or(clock.remaining, |deadline| deadline - now)
    })
}

fn say(game: &mut Live, said: &[(Seat, &str, i64)]) {
    for (seat, text, now) in said {
        game.act(Actor::Seat(*seat), text, now * 1_000).unwrap_or_else(|why| panic!("{text}: {why}"));
    }
}

#[test]
fn a_takeback_returns_the_increments() {
    let said =
        [(Seat::One, "e2e4", 5), (Seat::Two, "e7e5", 8), (Seat::One, "takeback", 9), (Seat::Two, "accept 1", 10)];
    let mut game = timed(RulesVersion::CURRENT);
    say(&mut game, &said);
    assert_eq!(left(&game, 10_000), [53_000, 57_000]);
    let mut old = timed(RulesVersion::SECOND);
    say(&mut old, &said);
    assert_eq!(left(&old, 10_000), [113_000, 117_000], "an old record keeps its clocks");
}

#[test]
fn repeated_takebacks_gain_no_time() {
    let mut game = timed(RulesVersion::CURRENT);
    for round in 0..5 {
        let now = 2 * round;
        say(
            &mut game,
            &[
                (Seat::One, "e2e4", now + 1),
                (Seat::One, "takeback", now + 2),
                (Seat::Two, &format!("accept {}", round + 1), now + 2),
            ],
        );
    }
    assert_eq!(left(&game, 10_000), [55_000, 55_000]);
}

#[test]
fn a_takeback_that_leaves_no_time_is_refused() {
    let mut game = timed(RulesVersion::CURRENT);
    say(&mut game, &[(Seat::One, "e2e4", 50), (Seat::Two, "e7e5", 51), (Seat::One, "takeback", 70)]);
    let refused = game.act(Actor::Seat(Seat::Two), "accept 1", 70_000).unwrap_err();
    assert!(refused.why.contains("would leave seat one without time"), "{refused}");
    assert_eq!((game.ply(), left(&game, 70_000)), (2, [51_000, 119_000]));
}

#[test]
fn a_game_whose_moves_are_taken_back_can_be_aborted() {
    let mut game = begin("chess", "").unwrap();
    act(&mut game, Seat::One, "e2e4").unwrap();
    act(&mut game, Seat::Two, "e7e5").unwrap();
    assert!(act(&mut game, Seat::One, "abort").is_err());
    act(&mut game, Seat::One, "takeback").unwrap();
    act(&mut game, Seat::Two, "accept 1").unwrap();
    act(&mut game, Seat::One, "abort").unwrap();
}

#[test]
fn the_offers_of_a_quiet_game_have_no_numbers() {
    let game = begin("chess", "").unwrap();
    let none = json!({
        "draw": null, "draw_number": null, "takeback": null, "takeback_number": null, "declined": null,
        "rematch": [false, false], "rematch_offers": {"one": false, "two": false}, "game": null,
    });
    assert_eq!(offers(&game), none);
}
