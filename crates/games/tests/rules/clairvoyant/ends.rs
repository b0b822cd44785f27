//! Results: mate that cannot be bought off, stalemate, and claims.

use serde_json::{Value, json};
use zorkmid_games::{
    game::Live,
    rules::{Actor, Outcome, Seat, Turn},
};

use super::{act, from, game, json as seen, open, purse, refused, turn};

const FOOL: &str = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
const BEFORE: &str = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";

fn outcome(fen: &str, money: i64) -> Option<Outcome> {
    from(fen, money).outcome()
}

#[test]
fn mate_considers_purchases() {
    assert_eq!(outcome(FOOL, 0), Some(Outcome::Win(Seat::Two, "checkmate")));
    assert_eq!(outcome(FOOL, 2), Some(Outcome::Win(Seat::Two, "checkmate")));
    assert_eq!(outcome(FOOL, 3), None);
    for block in ["P@f2", "P@g3"] {
        turn(&mut from(FOOL, 3), "guess", block);
    }
    assert!(refused(&from(FOOL, 3), Seat::One, "P@a6").contains("in check"));
}

#[test]
fn the_answer_phase_precedes_the_end() {
    // With 15 zorkmids White has the mate retracted. With 14, Black's last turn stays and White can still block.
    let mut rich = game(json!({"fen": BEFORE, "money_one": 15}));
    open(&mut rich, "guess", "d8h4");
    assert_eq!(rich.turn(), Turn::One(Seat::One));
    act(&mut rich, Seat::One, "retract");
    assert!(refused(&rich, Seat::Two, "d8h4").contains("forced back"));
    turn(&mut rich, "guess", "g8f6");
    for (money, sheet, ends) in
        [(14, "guess", false), (3, "guess", false), (2, "guess", true), (0, "guess d8h4", false)]
    {
        let mut game = game(json!({"fen": BEFORE, "money_one": money}));
        turn(&mut game, sheet, "d8h4");
        assert_eq!(game.outcome().is_some(), ends, "{money} {sheet}");
    }
    let mut accepted = game(json!({"fen": BEFORE, "money_one": 15}));
    turn(&mut accepted, "guess", "d8h4");
    assert_eq!(accepted.outcome(), None);
    turn(&mut accepted, "guess", "P@g3");
}

#[test]
fn mate_is_marked_once_it_is_certain() {
    let last = |game: &Live| {
        let diagram = game.diagram(None);
        let turn = diagram.sheet.iter().rfind(|entry| entry.listing.is_some()).unwrap();
        (turn.listing.as_ref().unwrap().event.clone(), turn.spoken.as_ref().unwrap().to_string())
    };
    let turn_of = |money: i64| {
        let mut game = game(json!({"fen": BEFORE, "money_one": money}));
        turn(&mut game, "guess", "d8h4");
        last(&game)
    };
    assert_eq!(turn_of(2), ("Qh4#".to_owned(), "queen from d8 to h4, checkmate".to_owned()));
    // White can block for 3.
    assert_eq!(turn_of(3), ("Qh4+".to_owned(), "queen from d8 to h4, check".to_owned()));
    // A turn that can be forced back is no mate yet.
    let mut rich = game(json!({"fen": BEFORE, "money_one": 15}));
    open(&mut rich, "guess", "d8h4");
    assert_eq!(last(&rich).0, "Qh4+");
}

#[test]
fn escapes_can_need_more_than_a_block() {
    // Smothered mate by a knight: a free rook or pawn move makes room, and then the king moves for 11.
    let smothered = "6rk/5Npp/8/8/8/8/8/4K3 b - - 0 1";
    assert_eq!(outcome(smothered, 10), Some(Outcome::Win(Seat::One, "checkmate")));
    assert_eq!(outcome(smothered, 11), None);
    turn(&mut from(smothered, 11), "guess", "g7g6 h8g7");
    // The checking pawn can only be captured en passant, and then the bishop behind it must be blocked.
    let passing = "7k/1b6/4n1p1/3p4/2n1K3/r7/8/8 w - d6 0 1";
    assert_eq!(outcome(passing, 8), Some(Outcome::Win(Seat::Two, "checkmate")));
    assert_eq!(outcome(passing, 9), None);
    turn(&mut from(passing, 9), "guess", "P@c6 P@e5 e5d6");
    // A second king cancels any check.
    turn(&mut from(smothered, 150), "guess", "K@a8");
}

#[test]
fn stalemate_draws_unless_the_player_buys() {
    let fen = "7k/5Q2/8/8/8/8/8/4K3 b - - 0 1";
    assert_eq!(outcome(fen, 0), Some(Outcome::Draw("stalemate")));
    assert_eq!(outcome(fen, 2), Some(Outcome::Draw("stalemate")));
    let mut game = from(fen, 3);
    assert_eq!(game.outcome(), None);
    assert_eq!(seen(&game, None)["view"]["claim"], "stalemate");
    let mut played = game.copy();
    turn(&mut played, "guess", "P@a7");
    assert!(refused(&game, Seat::One, "claim").contains("to move"));
    act(&mut game, Seat::Two, "claim");
    assert_eq!(game.outcome(), Some(Outcome::Draw("stalemate")));
}

#[test]
fn fifty_moves_and_repetition_can_be_claimed() {
    let mut game = from("4k3/8/8/8/8/8/8/R3K3 w - - 98 70", 30);
    assert!(refused(&game, Seat::One, "claim").contains("no draw"));
    turn(&mut game, "guess", "a1a2");
    turn(&mut game, "guess", "e8e7");
    let mut dropped = game.copy();
    act(&mut game, Seat::One, "claim");
    assert!(matches!(game.outcome(), Some(Outcome::Draw(why)) if why.starts_with("50 moves")));
    turn(&mut dropped, "guess", "P@h2");
    assert_eq!(seen(&dropped, None)["view"]["claim"], Value::Null, "a drop resets the count");

    let mut game = super::game(json!({}));
    for text in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"] {
        turn(&mut game, "guess", text);
        assert!(seen(&game, None)["view"]["claim"].is_null());
    }
    turn(&mut game, "guess f6", "f6g8");
    assert_eq!(seen(&game, None)["view"]["claim"], "threefold repetition", "repetition ignores money");
    act(&mut game, Seat::One, "claim");
}

#[test]
fn repetition_ignores_captures_and_purchases_between() {
    let mut game = from("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 200);
    turn(&mut game, "guess", "N@b1");
    for _ in 0..2 {
        turn(&mut game, "guess", "B@a2 a2b1");
        assert!(seen(&game, None)["view"]["claim"].is_null());
        turn(&mut game, "guess", "N@a3 a3b1");
    }
    assert_eq!(seen(&game, None)["view"]["claim"], "threefold repetition");
    act(&mut game, Seat::Two, "claim");
    assert_eq!(game.outcome(), Some(Outcome::Draw("threefold repetition")));
}

#[test]
fn no_material_is_insufficient_and_time_can_be_lost() {
    let mut game = from("4k3/8/8/8/8/8/8/4K3 w - - 0 1", 0);
    turn(&mut game, "guess e1 e1 e1", "e1e2");
    turn(&mut game, "guess e8d8", "e8d8");
    assert_eq!(game.outcome(), None);
    assert_eq!(purse(&game, Seat::Two), 36);
    game.act(Actor::Server, "flag two", 5).unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Win(Seat::One, "time")));
}
