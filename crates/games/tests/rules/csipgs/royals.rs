//! Royal pieces: a single one must not be left attacked, several may; purchases and transfers in check; mate and having no
//! action.

use serde_json::json;
use zorkmid_games::rules::{ChoiceKind, Outcome, Seat};

use super::{accepted, game, purse, refused, say};

/// A game in which both sides have plenty of money.
fn rich() -> Box<zorkmid_games::game::Live> {
    game(json!({"white_tenths": 10000, "black_tenths": 10000}))
}

#[test]
fn check_forbids_purchases_and_transfers_next_to_the_attacked_royal() {
    let mut game = rich();
    say(&mut game, "buy R/keep/buy N/keep/e1e2/keep/buy N/keep/transfer R e1/keep/transfer N d8/keep");
    say(&mut game, "e2d2/keep");
    assert_eq!(game.diagram(None).check, ["e8".parse().unwrap()]);
    assert!(refused(&game, "buy N").to_string().contains("attacked"));
    assert!(refused(&game, "transfer N e7").to_string().contains("not attacked"), "no blocking by transfer");
    assert_eq!(refused(&game, "d8b7").at, Some(2));
    assert!(accepted(&game, "d8e6"), "a move may block");
    assert!(accepted(&game, "e8f8"));
    assert!(!accepted(&game, "e8e7"));
}

#[test]
fn two_royals_may_stay_attacked_but_bans_remain() {
    let mut game = rich();
    say(&mut game, "buy R/keep/buy royal-WF/keep/transfer R d1/keep/buy N/keep/e1e2/keep/transfer royal-WF d8/keep");
    // The rook on d1 attacks the second king on d8; the first king on e8 is safe.
    assert_eq!(game.diagram(None).check, ["d8".parse().unwrap()]);
    say(&mut game, "e2f2/keep");
    assert!(refused(&game, "buy N").to_string().contains("the one on d8"));
    assert!(accepted(&game, "transfer N f7"), "next to the royal piece that is not attacked");
    assert!(!accepted(&game, "transfer N c8"), "only next to the attacked royal piece");
    assert!(accepted(&game, "e8f8"), "with two royal pieces an attack may be ignored");
    say(&mut game, "e8f8/keep/d1d8");
    assert!(game.diagram(None).check.iter().any(|square| square.to_string() == "f8"));
    say(&mut game, "keep");
    assert!(!accepted(&game, "buy N"), "the last royal piece must be protected again");
    assert!(refused(&game, "transfer N f7").to_string().contains("not attacked"));
    assert!(accepted(&game, "f8e7") || accepted(&game, "f8f7"));
    assert!(!accepted(&game, "f8g8"));
}

#[test]
fn royals_in_reserve_do_not_prevent_mate() {
    // With money for two queens, White mates a king that has another in reserve.
    let mut game = rich();
    say(&mut game, "buy R/keep/buy royal-WF/keep/buy R/keep/e8f8/keep/transfer R d1/keep/f8g8/keep");
    say(&mut game, "transfer R f1/keep/g8h8/keep/d1d7/keep/h8g8/keep/f1f2/keep/g8h8/keep/f2f8");
    assert_eq!(game.phase(), "design", "the turn ends with its design phase");
    assert!(game.outcome().is_none());
    say(&mut game, "keep");
    assert_eq!(game.outcome(), Some(Outcome::Win(Seat::One, "checkmate")));
}

#[test]
fn a_transfer_can_mate() {
    let mut game = rich();
    say(&mut game, "buy BR/keep/e8f8/keep/e1e2/keep/f8g8/keep/e2e3/keep/g8h8/keep/e3f4/keep/h8g8/keep");
    say(&mut game, "f4f5/keep/g8h8/keep/f5f6/keep/h8g8/keep");
    say(&mut game, "transfer BR g7/keep");
    assert_eq!(game.outcome(), Some(Outcome::Win(Seat::One, "checkmate")));
}

#[test]
fn having_no_action_loses() {
    // The king is boxed in, with no money and no reserve.
    let mut game = game(json!({"white_tenths": 10000, "income_tenths": 0}));
    say(&mut game, "buy BR/keep/e8f8/keep/e1e2/keep/f8g8/keep/e2e3/keep/g8h8/keep/transfer BR e4/keep/h8g8/keep");
    say(&mut game, "e4e6/keep/g8h8/keep/e6f7/keep");
    assert_eq!(purse(&game, Seat::Two), "0");
    assert_eq!(game.outcome(), Some(Outcome::Win(Seat::One, "no possible action")));
}

#[test]
fn affordable_purchases_are_actions() {
    let mut game = game(json!({"white_tenths": 10000, "income_tenths": 0, "black_tenths": 20}));
    say(&mut game, "buy BR/keep/e8f8/keep/e1e2/keep/f8g8/keep/e2e3/keep/g8h8/keep/transfer BR e4/keep/h8g8/keep");
    say(&mut game, "e4e6/keep/g8h8/keep/e6f7/keep");
    assert!(game.outcome().is_none());
    assert!(!accepted(&game, "h8g8"));
    say(&mut game, "buy fcFfmW/keep");
    // If purchases belong to the design phase, only moves and transfers count.
    let mut game =
        super::game(json!({"white_tenths": 10000, "income_tenths": 0, "black_tenths": 20, "buy_in_design": true}));
    say(&mut game, "e1e2/buy BR/e8f8/keep/e2e3/keep/f8g8/keep/transfer BR e4/keep/g8h8/keep");
    say(&mut game, "e3e2/keep/h8g8/keep/e4e6/keep/g8h8/keep/e6f7/keep");
    assert_eq!(game.outcome(), Some(Outcome::Win(Seat::One, "no possible action")));
}

#[test]
fn doublemove_pieces_move_twice() {
    let mut game = game(json!({"white_tenths": 10000, "black_tenths": 10000, "doublemove_after_turn": 0}));
    say(
        &mut game,
        "e1e2/design 1 doublemove-N/e8e7/keep/buy doublemove-N/keep/e7e8/keep/transfer doublemove-N e3/keep/buy R/keep",
    );
    assert_eq!(refused(&game, "e2e1 e1e2").at, Some(5));
    assert_eq!(refused(&game, "e3d5 d5d6").at, Some(7));
    assert_eq!(refused(&game, "e3d5 c7e8").at, Some(5));
    assert!(refused(&game, "e3e4 e4f6").at == Some(2));
    // From e3 via d5 the knight could capture the king on e8 only as the last royal piece. That never happens, so it is no check.
    assert!(accepted(&game, "e3d5 d5b6"));
    assert!(accepted(&game, "e3d5"));
    say(&mut game, "e3d5 d5b6/keep");
    assert!(game.diagram(None).check.is_empty(), "it attacks only with its first step");
    assert!(accepted(&game, "e8d8"));
    say(&mut game, "e8e7/keep");
    assert!(!accepted(&game, "b6c8 c8e7") || game.diagram(None).unit("e7".parse().unwrap()).is_none());
    let view = game.json(Some(Seat::One));
    let actions: Vec<&str> =
        view["actions"].as_array().unwrap().iter().map(|action| action.as_str().unwrap()).collect();
    assert!(actions.contains(&"b6d5 d5f4") && actions.contains(&"b6d5"));
    assert!(actions.iter().all(|action| accepted(&game, action)));
    assert_eq!(game.diagram(None).last.len(), 2);
}

#[test]
fn an_isolated_royal_does_not_stop_transfers() {
    let mut game = game(json!({"white_tenths": 10000, "royals_until_turn": 1}));
    say(&mut game, "buy royal-WF/keep/e8e7/keep");
    assert!(refused(&game, "buy royal-WF").to_string().contains("from turn 2 on"));
    assert!(accepted(&game, "transfer royal-WF d1"));
    say(&mut game, "transfer royal-WF d1");
    assert!(accepted(&game, "design 1 royal-W"), "useless but legal");
}

#[test]
fn listed_actions_are_legal_and_complete() {
    let mut game = rich();
    say(&mut game, "buy N/keep/buy N/keep");
    let view = game.json(Some(Seat::One));
    let actions: Vec<&str> =
        view["actions"].as_array().unwrap().iter().map(|action| action.as_str().unwrap()).collect();
    // Five king moves, five squares for the knight, six designs.
    assert_eq!(actions.len(), 16, "{actions:?}");
    assert!(actions.iter().all(|action| accepted(&game, action)));
    let choices = game.diagram(Some(Seat::One)).choices.unwrap();
    let transfer = choices.iter().find(|choice| choice.action == "transfer N d2").unwrap();
    let ChoiceKind::Drop { piece, to } = &transfer.kind else { panic!("{transfer:?}") };
    assert_eq!((piece.said.as_str(), piece.name.as_str(), to.to_string().as_str()), ("transfer N", "knight", "d2"));
    assert!(game.json(Some(Seat::Two)).get("actions").is_none());
    say(&mut game, "transfer N d2");
    assert_eq!(game.json(Some(Seat::One))["actions"], serde_json::json!(["keep", "design {1..6} {piece}"]));
}
