//! Crazyhouse: captures, drops, notation, and how bots use drops.

use rand::{SeedableRng, rngs::StdRng};
use serde_json::json;
use zorkmid_games::{
    board::pgn::Pgn,
    bots::Bot,
    registry,
    rules::{Actor, BotSupport, Rules, RulesVersion, Seat},
    variants::crazyhouse::Crazyhouse,
};

use crate::kin::{begin, ended, fen, play};

/// A knight drop on f7 mates.
const MATE: &str = "6rk/6pp/8/8/8/8/8/R5K1[N] w - - 0 1";

fn said(fen: &str, text: &str) -> Result<(), String> {
    let mut game = begin("crazyhouse", fen).unwrap();
    let seat = game.awaits()[0];
    game.act(Actor::Seat(seat), text, 0).map(|_| ()).map_err(|refusal| refusal.to_string())
}

#[test]
fn captured_pieces_can_be_dropped() {
    let mut game = begin("crazyhouse", "").unwrap();
    play(&mut game, "e4 d5 exd5 Qxd5");
    assert!(fen(&game).contains("RNBQKBNR[Pp] w"), "{}", fen(&game));
    let hands = &game.json(None)["view"]["diagram"]["reserves"];
    assert_eq!(hands["one"], json!([{"name": "pawn", "betza": "mfWcfF", "count": 1}]));
    play(&mut game, "P@e4 @d4");
    assert!(
        fen(&game).starts_with("rnb1kbnr/ppp1pppp/8/3q4/3pP3/8/PPPP1PPP/RNBQKBNR[] w KQkq - 0 4"),
        "{}",
        fen(&game)
    );
    let sheet = &game.json(None)["view"]["diagram"]["sheet"];
    assert_eq!((&sheet[4]["text"], &sheet[4]["action"]), (&json!("P@e4"), &json!("P@e4")));
}

#[test]
fn a_promoted_pawn_is_captured_as_a_pawn() {
    let mut game = begin("crazyhouse", "r5k1/1P6/8/8/8/8/8/4K3[] w - - 0 1").unwrap();
    play(&mut game, "bxa8=Q+");
    assert!(fen(&game).starts_with("Q~5k1/8/8/8/8/8/8/4K3[R] b"), "{}", fen(&game));
    let mut game = begin("crazyhouse", "6k1/1r6/8/1Q~6/8/8/8/4K3[] w - - 0 1").unwrap();
    play(&mut game, "Qa6 Ra7 Qb6 Rb7 Qb5 Rxb5");
    assert!(fen(&game).contains("[p] w"), "{}", fen(&game));
}

#[test]
fn illegal_drops_are_refused() {
    let fen = "4k3/8/8/8/8/8/8/4K3[PNq] w - - 0 1";
    for (text, why) in [
        ("Q@e4", "white has no queen to drop"),
        ("P@e1", "e1 is not empty"),
        ("P@d1", "cannot be dropped on the first or last rank"),
        ("P@d8", "cannot be dropped on the first or last rank"),
        ("N@e8", "e8 is not empty"),
        ("N@z9", "as in N@f3"),
        ("X@e4", "begins with the letter of a piece"),
    ] {
        let refused = said(fen, text).unwrap_err();
        assert!(refused.contains(why), "{text}: {refused}");
    }
    assert_eq!(said(fen, "N@d8"), Ok(()));
    assert!(said("4k3/8/8/8/4r3/8/8/4K3[N] w - - 0 1", "N@d3").unwrap_err().contains("still be in check"));
    assert_eq!(said("4k3/8/8/8/4r3/8/8/4K3[N] w - - 0 1", "N@e2"), Ok(()));
    let mut chess = begin("chess", "").unwrap();
    let refused = chess.act(Actor::Seat(Seat::One), "N@e4", 0).unwrap_err();
    assert!(refused.to_string().contains("has no drops"), "{refused}");
}

#[test]
fn a_drop_can_mate_or_parry() {
    let mut game = begin("crazyhouse", MATE).unwrap();
    play(&mut game, "N@f7");
    assert_eq!(ended(&game), Some((Some(Seat::One), "checkmate")));
    assert_eq!(game.json(None)["view"]["diagram"]["sheet"][0]["text"], "N@f7#");
    for (hand, end) in [("", Some((Some(Seat::One), "checkmate"))), ("n", None)] {
        let mut game = begin("crazyhouse", &format!("7k/6pp/8/8/8/8/8/R5K1[{hand}] w - - 0 1")).unwrap();
        play(&mut game, "Ra8");
        assert_eq!(ended(&game), end);
    }
}

#[test]
fn dropped_pawns_double_step_and_dropped_rooks_do_not_castle() {
    let mut game = begin("crazyhouse", "4k3/8/8/8/3p4/8/8/4K3[PR] w - - 0 1").unwrap();
    play(&mut game, "P@e2 Kd8 e4 dxe3 R@h1 Kd7");
    assert!(game.act(Actor::Seat(Seat::One), "O-O", 0).is_err());
    assert!(begin("crazyhouse", "4k3/8/8/8/8/8/8/4K2R[] w K - 0 1").is_ok());
}

#[test]
fn repetition_needs_equal_hands() {
    let mut game = begin("crazyhouse", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1").unwrap();
    play(&mut game, "N@a1 Kd8 Kd1 Ke8 Ke1 Kd8 Kd1 Ke8 Ke1");
    let claim = game.json(Some(Seat::Two));
    assert_eq!(claim["view"]["claimable"], true, "third occurrence of the position with the knight on the board");
    let mut game = begin("crazyhouse", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1").unwrap();
    play(&mut game, "Kd1 Kd8 Ke1 Ke8 N@a1 Kd8 Kd1 Ke8 Ke1");
    assert_eq!(game.json(Some(Seat::Two))["view"]["claimable"], false);
}

#[test]
fn foreign_fens_are_read() {
    let written = "4k3/8/8/8/8/8/8/Q~3K3[QPnp] w - - 0 1";
    assert_eq!(fen(&begin("crazyhouse", written).unwrap()), written);
    let rank = "4k3/8/8/8/8/8/8/Q~3K3/PnQp w - - 0 1";
    assert_eq!(fen(&begin("crazyhouse", rank).unwrap()), written);
    assert!(fen(&begin("crazyhouse", "4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap()).contains("4K3[] w"));
    let full = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for (wrong, at) in [
        ("4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", Some(20)),
        ("4k3/8/8/8/8/8/8/4K3[Q w - - 0 1", Some(21)),
        ("4k3/8/8/8/8/8/8/4K~3[] w - - 0 1", Some(18)),
        (&format!("{full}[N] w - - 0 1"), None),
        ("4k3/8/8/8/8/8/8/4K3[PPPPPPPPPPPPPPPPP] w - - 0 1", None),
    ] {
        let refused = begin("crazyhouse", wrong).err().unwrap_or_else(|| panic!("{wrong}"));
        assert_eq!(refused.at, at, "{wrong}: {refused:?}");
    }
    assert!(begin("chess", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1").is_err());
}

#[test]
fn pgn_games_are_read_to_the_end() {
    let text = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. @e4 P@d4 4. exd5 *";
    let last = (registry::find("crazyhouse").unwrap().last_position)(&Pgn::read(text).unwrap()[0]).unwrap();
    assert_eq!(last, "rnb1kbnr/ppp1pppp/8/3P4/3p4/8/PPPP1PPP/RNBQKBNR[Q] b KQkq - 0 4");
}

#[test]
fn levels_drop_for_mate_and_value_their_hand() {
    let mut rng = StdRng::seed_from_u64(11);
    let game = begin("crazyhouse", MATE).unwrap();
    assert_eq!(game.advise(Seat::One, Bot::Keen, &mut rng, &mut || false).unwrap(), "N@f7");
    // The fifty-move rule does not apply, so it is mate whatever the move counter.
    let game = begin("crazyhouse", &MATE.replace("0 1", "120 90")).unwrap();
    assert_eq!(game.advise(Seat::One, Bot::Keen, &mut rng, &mut || false).unwrap(), "N@f7");
    let rules = Crazyhouse { fen: "4k3/8/8/8/8/8/8/4K3[QNp] w - - 0 1".to_owned() };
    let state = rules.start(&rules.terms(RulesVersion::CURRENT).unwrap());
    assert_eq!(rules.rough_material(&state), [1_200, 100]);
}
