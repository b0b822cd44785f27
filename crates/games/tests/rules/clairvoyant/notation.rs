//! PGN of Clairvoyant Chess: retracted turns are comments, written games can be read, and castling rights next to a second king
//! belong to the king that has not moved.

use rand::{SeedableRng, rngs::StdRng};
use serde_json::json;
use zorkmid_games::{
    board::pgn::Pgn,
    bots::Bot,
    game::{
        Live,
        record::{Heading, pgn},
    },
    registry,
    rules::{Refusal, RulesVersion, Seat, Turn},
};

use super::{act, from, game, json as seen, open, refused, turn};

pub(super) fn written(game: &Live, viewer: Option<Seat>) -> Pgn {
    let names = ["Anna".to_owned(), "Bert".to_owned()];
    let heading = Heading { site: "here".to_owned(), begun: 0, names, clocks: [None; 2] };
    pgn(game, viewer, &heading).remove(0)
}

fn fen(game: &Live) -> String {
    seen(game, None)["view"]["diagram"]["fen"].as_str().unwrap().to_owned()
}

fn last_position(text: &str) -> Result<String, Refusal> {
    (registry::find("clairvoyant").unwrap().last_position)(&Pgn::read(text).unwrap()[0])
}

fn texts(game: &Pgn) -> Vec<&str> {
    game.moves.iter().map(|written| written.text.as_str()).collect()
}

/// Comment on a move, without commands.
fn remark(game: &Pgn, number: usize) -> &str {
    game.moves[number].comment.split("[%").next().unwrap().trim_end()
}

#[test]
fn retracted_turns_become_comments() {
    let mut game = game(json!({"money_one": 40, "money_two": 40}));
    open(&mut game, "guess", "N@f5 P@b3");
    act(&mut game, Seat::Two, "retract");
    assert!(texts(&written(&game, None)).is_empty(), "nothing stands yet");
    open(&mut game, "", "d2d4");
    act(&mut game, Seat::Two, "retract");
    turn(&mut game, "", "e2e4");
    turn(&mut game, "guess", "e7e5");
    let paper = written(&game, None);
    assert_eq!(texts(&paper), ["e2e4", "e7e5"]);
    let first = remark(&paper, 0);
    let back = "N@f5+P@b3: forced back; (N@f5+P@b3)!: Black paid 10Z; White got 15Z back; Z 40/30; d2d4: forced back; (d2d4)!: \
                Black paid 10Z; Z 40/20; ";
    assert!(first.starts_with(back) && first.contains("Black guessed nothing"), "{first}");
    assert!(!remark(&paper, 1).contains("forced back"));
    // The score sheet keeps every step.
    let sheet = seen(&game, None)["view"]["diagram"]["sheet"].clone();
    let sheet: Vec<&str> = sheet.as_array().unwrap().iter().map(|entry| entry["text"].as_str().unwrap()).collect();
    assert_eq!(sheet, ["N@f5+P@b3", "(N@f5+P@b3)!", "d2d4", "(d2d4)!", "e2e4", "e7e5"]);
    open(&mut game, "guess", "b1c3");
    act(&mut game, Seat::Two, "retract");
    let last = written(&game, None);
    assert_eq!(texts(&last), ["e2e4", "e7e5"]);
    assert!(remark(&last, 1).ends_with("b1c3: forced back; (b1c3)!: Black paid 10Z; Z 40/10"), "{last}");
}

#[test]
fn written_games_can_be_read() {
    let mut rng = StdRng::seed_from_u64(41);
    let (mut drops, mut pairs, mut back) = (0, 0, 0);
    for round in 0..30 {
        let post_drop = ["own", "any"][round % 2];
        let options = json!({"money_one": 200, "money_two": 200, "post_drop": post_drop, "bought_after_free": 2});
        let mut game = game(options);
        for _ in 0..60 {
            if matches!(game.turn(), Turn::Over(_)) {
                break;
            }
            for seat in game.awaits() {
                let said = game.advise(seat, Bot::Random, &mut rng, &mut || true).unwrap();
                act(&mut game, seat, &said);
            }
        }
        let text = written(&game, None).to_string();
        drops += text.matches('@').count();
        pairs += texts(&written(&game, None)).iter().filter(|turn| turn.contains('+')).count();
        back += text.matches("forced back;").count();
        assert_eq!(last_position(&text).unwrap_or_else(|why| panic!("{why:?}\n{text}")), fen(&game), "{text}");
    }
    assert!(drops > 10 && pairs > 10 && back > 10, "{drops} drops, {pairs} turns of several parts, {back} forced back");
}

#[test]
fn invalid_turns_are_refused_at_their_place() {
    assert_eq!(
        last_position("1. e2e4+d2d4 Nf6 *").unwrap(),
        "rnbqkb1r/pppppppp/5n2/8/3PP3/8/PPP2PPP/RNBQKBNR w KQkq - 1 2"
    );
    for (text, at, why) in [
        ("1. N@f5+P@b9 *", 10, "move 1 of white, “N@f5+P@b9”: write the square of the drop after the @"),
        ("1. e2e4 e7e5 2. N@f5+e4e5 *", 21, "move 2 of white, “N@f5+e4e5”: the pawn on e4 cannot go to e5"),
        ("1. e2e4 Qh5 *", 8, "move 1 of black, “Qh5”"),
    ] {
        let refusal = last_position(text).unwrap_err();
        assert_eq!(refusal.at, Some(at), "{refusal:?}");
        assert!(refusal.why.starts_with(why), "{refusal:?}");
    }
}

#[test]
fn castling_rights_next_to_a_second_king_survive_a_round_trip() {
    let mut bought = from("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 200);
    turn(&mut bought, "guess", "K@a1");
    turn(&mut bought, "guess", "e8e7");
    let told = fen(&bought);
    assert_eq!(told, "8/4k3/8/8/8/8/8/K3K2R w K - 1 2");
    for fen in [told.as_str(), "4k3/8/8/8/8/8/8/K3K2R w K - 0 1"] {
        let mut game = from(fen, 0);
        assert!(refused(&game, Seat::One, "a1c1").contains("cannot go"), "the other king does not castle");
        turn(&mut game, "guess", "e1g1");
        assert!(self::fen(&game).contains("/K4RK1 b - "), "{}", self::fen(&game));
    }
    // Black's rights too, and with two rooks.
    let both = from("r2kk2r/8/8/8/8/8/8/4K3 b kq - 0 1", 0);
    let free = seen(&both, Some(Seat::Two))["actions"].to_string();
    assert!(free.contains("\"e8g8\"") && !free.contains("\"d8b8\""), "{free}");
}

#[test]
fn ambiguous_castling_rights_are_explicit_in_the_position() {
    let refuse = |fen: &str| {
        let options = json!({"fen": fen});
        let begun = registry::find("clairvoyant")
            .unwrap()
            .begin(options.as_object().unwrap(), zorkmid_games::game::Clocks::new([None; 2]));
        begun.err().unwrap_or_else(|| panic!("{fen} was taken")).why
    };
    let why = refuse("4k3/8/8/8/8/8/8/K2K3R w K - 0 1");
    assert!(why.contains("the castling king is ambiguous") && why.contains("none on e1"), "{why}");
    // A right without its king means nothing, and is left out.
    let stale = json!({"fen": "4k3/8/8/8/8/4K3/8/7R w K - 0 1"});
    let stale = registry::find("clairvoyant")
        .unwrap()
        .begin(stale.as_object().unwrap(), zorkmid_games::game::Clocks::new([None; 2]));
    assert_eq!(fen(&stale.unwrap()), "4k3/8/8/8/8/4K3/8/7R w - - 0 1");
    // A king that starts elsewhere keeps its right, but no FEN can express it once another king is on e1.
    // Only old games start like that.
    let elsewhere = json!({"fen": "4k3/8/8/8/8/8/8/RK6 w Q - 0 1", "money_one": 200, "money_two": 200});
    assert!(refuse("4k3/8/8/8/8/8/8/RK6 w Q - 0 1").contains("play Chess960"));
    let clairvoyant = registry::find("clairvoyant").unwrap();
    let clocks = zorkmid_games::game::Clocks::new([None; 2]);
    let mut odd = clairvoyant.begin_under(RulesVersion::SECOND, elsewhere.as_object().unwrap(), clocks).unwrap();
    turn(&mut odd, "guess", "K@e1");
    turn(&mut odd, "guess", "e8e7");
    assert_eq!(fen(&odd), "8/4k3/8/8/8/8/8/RK2K3 w - - 1 2");
    assert!(seen(&odd, Some(Seat::One))["actions"].to_string().contains("\"b1a1\""));
}
