//! Old games: shatranj, and chess of about 1500.

use rand::{SeedableRng, rngs::StdRng};
use zorkmid_games::{
    bots::Bot,
    rules::{Actor, Seat},
};

use crate::kin::{begin, ended, fen, play};

#[test]
fn alfils_leap_and_ferzes_step() {
    let mut game = begin("shatranj", "").unwrap();
    play(&mut game, "Be3 e6 d3 a6 Qd2");
    assert!(fen(&game).starts_with("rnbkqbnr/1ppp1ppp/p3p3/8/8/3PB3/PPPQPPPP/RN1K1BNR b"), "{}", fen(&game));
}

#[test]
fn a_bare_king_loses_unless_it_bares_the_opponent_at_once() {
    let mut bared = begin("shatranj", "4k3/8/8/3p4/8/2N5/8/R3K3 w - - 0 1").unwrap();
    play(&mut bared, "Nxd5");
    assert_eq!(ended(&bared), Some((Some(Seat::One), "bare king")));
    let mut both = begin("shatranj", "8/8/3k4/3p4/8/2N5/8/4K3 w - - 0 1").unwrap();
    play(&mut both, "Nxd5");
    assert_eq!(ended(&both), None, "the king can take the knight");
    play(&mut both, "Kxd5");
    assert_eq!(ended(&both), Some((None, "two bare kings")));
    let mut missed = begin("shatranj", "8/8/3k4/3p4/8/2N5/8/4K3 w - - 0 1").unwrap();
    play(&mut missed, "Nxd5 Ke6");
    assert_eq!(ended(&missed), Some((Some(Seat::One), "bare king")));
}

#[test]
fn stalemate_loses_and_pawns_promote_to_ferzes() {
    let mut game = begin("shatranj", "k7/8/1K6/8/3N4/p7/P7/8 w - - 0 1").unwrap();
    play(&mut game, "Nc6");
    assert_eq!(ended(&game), Some((Some(Seat::One), "stalemate")));
    let mut pawn = begin("shatranj", "7k/P7/8/8/8/p7/8/K7 w - - 0 1").unwrap();
    let refused = pawn.act(Actor::Seat(Seat::One), "a7a8r", 0).unwrap_err();
    assert!(refused.why.contains("enter a7a8q"), "{refused:?}");
    play(&mut pawn, "a8=Q");
    let diagram = pawn.diagram(None);
    let unit = diagram.unit("a8".parse().unwrap()).unwrap();
    assert_eq!((unit.name.as_str(), unit.betza.as_str()), ("ferz", "F"));
}

#[test]
fn levels_ignore_the_fifty_move_rule_in_old_chess() {
    let game = begin("old-chess", "6k1/5ppp/8/8/8/8/8/R5K1 w - - 149 100").unwrap();
    let mut rng = StdRng::seed_from_u64(11);
    assert_eq!(game.advise(Seat::One, Bot::Keen, &mut rng, &mut || false).unwrap(), "a1a8");
}

#[test]
fn old_chess_has_no_castling_en_passant_or_fifty_move_rule() {
    let mut game = begin("old-chess", "4k3/8/8/8/3p4/8/4P3/R3K2R w - - 149 100").unwrap();
    assert!(game.act(Actor::Seat(Seat::One), "e1g1", 0).is_err());
    play(&mut game, "Ra2 Kd8");
    assert_eq!(ended(&game), None, "more than 75 quiet moves");
    play(&mut game, "e4");
    assert!(game.act(Actor::Seat(Seat::Two), "d4e3", 0).is_err());
    let stale = begin("old-chess", "r3k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    assert_eq!(stale.diagram(None).fen.unwrap(), "r3k3/8/8/8/8/8/8/4K2R w - - 0 1");
}
