//! Duck chess: the two parts of a turn, blocking, results, notation, and moves compared with Fairy-Stockfish.

mod lines;

use std::collections::BTreeSet;

use rand::{SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};
use zorkmid_games::{
    board::pgn::Pgn,
    bots::Bot,
    game::Live,
    registry,
    rules::{Actor, ChoiceKind, Describe, Seat},
    variants::duck::{BOARD, DuckChess},
};

use crate::{
    kin::{begin, ended, fen, play},
    often::often,
    pyffish,
};

const GAME: &str = "duck";
/// The duck blocks the queen's attack on the king.
const COVERED: &str = "4k3/8/4*3/8/8/8/8/4Q2K w - - 0 1";

fn said(fen: &str, text: &str) -> Result<(), String> {
    let mut game = begin(GAME, fen).unwrap();
    let seat = game.awaits()[0];
    game.act(Actor::Seat(seat), text, 0).map(|_| ()).map_err(|refusal| refusal.to_string())
}

/// All legal turns of the pending seat.
fn actions(game: &Live) -> Vec<String> {
    let seat = game.awaits()[0];
    serde_json::from_value(game.json(Some(seat))["actions"].clone()).unwrap()
}

/// The distinct first moves of all turns.
fn moves(fen: &str) -> BTreeSet<String> {
    let begins = |text: String| text.split(' ').next().unwrap().to_owned();
    actions(&begin(GAME, fen).unwrap()).into_iter().map(begins).collect()
}

#[test]
fn turns_are_accepted_in_every_notation() {
    for text in ["e2e4 d5", "e2e4,e4d5", "e4@d5", "e4 d5", " e2e4 d5 "] {
        let mut game = begin(GAME, "").unwrap();
        let line = game.act(Actor::Seat(Seat::One), text, 0).unwrap();
        assert!(format!("{line:?}").contains("\"e2e4 d5\""), "{text}: {line:?}");
        assert_eq!(fen(&game), "rnbqkbnr/pppppppp/8/3*4/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "{text}");
        let diagram = &game.json(None)["view"]["diagram"];
        assert_eq!(diagram["duck"], "d5");
        assert_eq!(diagram["last"], json!(["e2", "e4", "d5"]));
        assert_eq!(
            (&diagram["sheet"][0]["text"], &diagram["sheet"][0]["action"]),
            (&json!("e4@d5"), &json!("e2e4 d5"))
        );
    }
}

#[test]
fn the_duck_may_go_to_any_empty_square() {
    let game = begin(GAME, "").unwrap();
    let listed = actions(&game);
    assert_eq!(listed.len(), 20 * 32);
    assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), listed.len());
    assert!(listed.contains(&"e2e4 e2".to_owned()) && listed.contains(&"g1f3 g1".to_owned()));
    said("", "e2e4 e2").unwrap();
    said("r3k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1 h1").unwrap();
}

#[test]
fn refusals_of_turns_are_explained() {
    for (fen, text, why) in [
        ("", "e2e4", "the duck has to move too: add its square, as in e2e4 e2"),
        ("", "e2e4 d7", "d7 is not empty"),
        ("", "e2e4 e4", "e4 is not empty"),
        ("", "e2e5 e6", "the pawn on e2 cannot go to e5"),
        ("", "e2e4 x9", "as in e2e4 d5"),
        ("", "e2e4 ", "the duck has to move too"),
        ("", "e2e4,d5", "after the comma write the destination of the move and the duck’s square, as in e2e4,e4d5"),
        ("", "e2e4,e3d5", "after the comma"),
        ("", "e4@e9", "write a move and the duck’s square"),
        (COVERED, "e1e5 e6", "the duck is on e6 already and has to go to another square"),
        (COVERED, "e1e8 a1", "the queen on e1 cannot go to e8"),
        (COVERED, "e1e6 a1", "the queen on e1 cannot go to e6"),
        ("4k3/8/8/8/8/8/8/4Q2K w - - 0 1", "e1e8 a1", "the duck stays: write e1e8"),
    ] {
        let refused = said(fen, text).unwrap_err();
        assert!(refused.contains(why), "{text}: {refused}");
    }
    let game = begin(GAME, "").unwrap();
    assert!(game.outcome().is_none());
}

#[test]
fn the_duck_blocks_all_but_knights() {
    let has = |fen: &str, text: &str| moves(fen).contains(text);
    // The duck blocks lines and cannot be captured.
    assert!(has("k7/8/8/8/8/4*3/8/K3R3 w - - 0 1", "e1e2") && !has("k7/8/8/8/8/4*3/8/K3R3 w - - 0 1", "e1e3"));
    assert!(!has("k7/8/8/8/8/4*3/8/K3R3 w - - 0 1", "e1e4"));
    // Pawns.
    let pawns = moves("k7/8/8/8/8/4*3/3PP3/K7 w - - 0 1");
    assert!(!pawns.contains("e2e3") && !pawns.contains("e2e4") && pawns.contains("d2d4") && !pawns.contains("d2e3"));
    assert!(!has("k7/8/8/8/4*3/8/4P3/K7 w - - 0 1", "e2e4"));
    assert!(!has("k7/8/4*3/3Pp3/8/8/8/K7 w - e6 0 1", "d5e6") && has("k7/8/8/3Pp3/8/8/8/K7 w - e6 0 1", "d5e6"));
    // Castling past the duck is illegal; castling out of or through an attack is legal.
    for (fen, may) in [
        ("k7/8/8/8/8/8/4r3/R3K1*R w KQ - 0 1", false),
        ("k7/8/8/8/8/8/8/R3K*1R w KQ - 0 1", false),
        ("k4r2/8/8/8/8/8/4r3/R2*K2R w KQ - 0 1", true),
    ] {
        assert_eq!(has(fen, "e1g1"), may, "{fen}");
    }
    assert!(!has("k4r2/8/8/8/8/8/4r3/R2*K2R w KQ - 0 1", "e1c1"));
    assert!(has("k7/8/8/8/8/8/5P*P/K6N w - - 0 1", "h1g3"));
    assert!(!has("k7/8/8/8/8/6*1/5P1P/K6N w - - 0 1", "h1g3"));
}

#[test]
fn capturing_the_king_wins_without_a_duck_move() {
    let mut game = begin(GAME, "4k3/8/8/8/8/8/8/4Q2K w - - 0 1").unwrap();
    assert!(actions(&game).contains(&"e1e8".to_owned()));
    assert!(!actions(&game).iter().any(|text| text.starts_with("e1e8 ")));
    play(&mut game, "Qxe8#");
    assert_eq!(ended(&game), Some((Some(Seat::One), "king captured")));
    // The duck blocks an attack and then must move.
    let mut game = begin(GAME, "4k3/8/8/8/8/8/8/4Q2K b - - 0 1").unwrap();
    play(&mut game, "Kd8@e7 Qa5@a1 Kd7@a2 Qd5@a1 Kd8@d7 Kh2@a1");
    assert_eq!(ended(&game), None);
    play(&mut game, "Kc8@a2 Kh1@a1 Kd8@a2 Qxd8#");
    assert_eq!(ended(&game), Some((Some(Seat::One), "king captured")));
}

#[test]
fn a_side_without_moves_wins() {
    let mut game = begin(GAME, "k7/rp6/pP6/P7/8/8/8/4K3 w - - 0 1").unwrap();
    play(&mut game, "Ke2@b8");
    assert_eq!(ended(&game), Some((Some(Seat::Two), "no move left")));
}

#[test]
fn repetition_includes_the_duck_and_draws_automatically() {
    let start = "4k3/8/8/8/8/8/*7/4K3 w - - 0 1";
    let mut game = begin(GAME, start).unwrap();
    play(&mut game, "Kd1@a3 Kd8@a4 Ke1@a5 Ke8@b2 Kd1@a3 Kd8@a4 Ke1@a5 Ke8@c2");
    assert_eq!(ended(&game), None, "the duck was on different squares");
    let mut game = begin(GAME, start).unwrap();
    play(&mut game, "Kd1@a3 Kd8@a4 Ke1@a5 Ke8@a2 Kd1@a3 Kd8@a4 Ke1@a5");
    let seat = game.awaits()[0];
    let refused = game.act(Actor::Seat(seat), "claim", 0).unwrap_err();
    assert!(refused.why.contains("draws cannot be claimed in duck chess"), "{refused:?}");
    play(&mut game, "Ke8@a2");
    assert_eq!(ended(&game), Some((None, "threefold repetition")));
    let mut game = begin(GAME, "4k3/8/8/8/8/8/8/R3K3 w - - 98 90").unwrap();
    play(&mut game, "Ra2@h4 Kd8@h5");
    assert_eq!(ended(&game), Some((None, "50 moves without a capture or a pawn move")));
}

#[test]
fn fens_hold_the_duck() {
    let mut game = begin(GAME, COVERED).unwrap();
    assert_eq!(fen(&game), COVERED);
    assert_eq!(game.json(None)["view"]["diagram"]["duck"], "e6");
    play(&mut game, "Kg2@e7");
    assert_eq!(fen(&game), "4k3/4*3/8/8/8/8/6K1/4Q3 b - - 1 1");
    for (wrong, why) in [
        ("4k3/8/4*3/8/8/8/4*3/4K3 w - - 0 1", "this is a second duck"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "white has 0 kings"),
        ("4k3/8/8/4*4/8/8/8/4K3 w - - 0 1", "do not fit"),
    ] {
        let refused = begin(GAME, wrong).err().unwrap();
        assert!(refused.why.contains(why), "{wrong}: {refused:?}");
    }
    let elsewhere = begin("chess", COVERED).err().unwrap();
    assert!(elsewhere.why.contains("“*” is not a piece"), "{elsewhere:?}");
}

#[test]
fn games_survive_a_round_trip() {
    let mut rng = StdRng::seed_from_u64(5);
    for _ in 0..often(10) {
        let mut game = begin(GAME, "").unwrap();
        let mut sheet = Vec::new();
        while game.outcome().is_none() && game.ply() < 120 {
            let seat = game.awaits()[0];
            let text = actions(&game).choose(&mut rng).unwrap().clone();
            game.act(Actor::Seat(seat), &text, 0).unwrap();
            let told = game.json(None)["view"]["diagram"]["sheet"].take();
            sheet.push(told.as_array().unwrap().last().unwrap()["text"].as_str().unwrap().to_owned());
            // The text on the score sheet is accepted as an action.
            let mut again = begin(GAME, "").unwrap();
            if sheet.len() == 40 {
                play(&mut again, &sheet.join(" "));
                assert_eq!(fen(&again), fen(&game));
            }
        }
        let pgn = Pgn::read(&format!("[Variant \"Duck\"]\n\n{} *", sheet.join(" "))).unwrap();
        assert_eq!(DuckChess::last_position(&pgn[0]).unwrap(), fen(&game));
    }
    for (text, why) in [
        ("1. e4 *", "the duck has to move too"),
        ("1. e4@e4 *", "e4 is not empty"),
        ("1. e4@x1 *", "write the duck’s square here"),
        ("1. e5@d5 *", "no pawn of white can go there"),
    ] {
        let pgn = Pgn::read(text).unwrap();
        let refused = DuckChess::last_position(&pgn[0]).unwrap_err();
        assert!(refused.why.contains(why), "{text}: {refused:?}");
    }
}

#[test]
fn a_turn_is_built_from_two_parts() {
    let mut game = begin(GAME, "").unwrap();
    assert_eq!(game.diagram(Some(Seat::One)).choices, None);
    let first = game.draft(Seat::One, "").unwrap();
    let choices = first.choices.unwrap();
    assert_eq!(choices.len(), 20);
    assert!(choices.iter().all(|choice| !choice.whole));
    for text in ["e2e4", " e2e4", "e2e4 d7", "e2e4 x"] {
        let second = game.draft(Seat::One, text).unwrap();
        assert_eq!(second.draft.as_deref(), Some("e2e4"));
        assert!(second.unit("e4".parse().unwrap()).is_some() && second.unit("e2".parse().unwrap()).is_none());
        let choices = second.choices.unwrap();
        assert_eq!(choices.len(), 32);
        assert!(choices.iter().all(|choice| choice.whole && matches!(choice.kind, ChoiceKind::Drop { .. })));
        assert!(choices.iter().any(|choice| choice.action == "e2e4 e2"));
    }
    assert_eq!(game.draft(Seat::One, "e2e5").unwrap().draft.as_deref(), Some(""));
    assert!(game.draft(Seat::Two, "").is_none());
    play(&mut game, "e4@e5");
    let second = game.draft(Seat::Two, "d7d5").unwrap().choices.unwrap();
    let goes = |choice: &ChoiceKind| matches!(choice, ChoiceKind::Move { from, .. } if from.to_string() == "e5");
    assert!(second.len() == 31 && second.iter().all(|choice| goes(&choice.kind)));
    let fatal = begin(GAME, "4k3/8/8/8/8/8/8/4Q2K w - - 0 1").unwrap();
    let whole = fatal.draft(Seat::One, "").unwrap().choices.unwrap().into_iter().filter(|choice| choice.whole);
    assert_eq!(whole.map(|choice| choice.action).collect::<Vec<_>>(), ["e1e8"]);
}

/// A bot's immediate choice in a position.
fn advice(fen: &str, bot: Bot) -> String {
    let game = begin(GAME, fen).unwrap();
    let seat = game.awaits()[0];
    game.advise(seat, bot, &mut StdRng::seed_from_u64(1), &mut || false).unwrap()
}

#[test]
fn levels_capture_kings_and_protect_their_own() {
    for bot in [Bot::Newcomer, Bot::Casual, Bot::Steady, Bot::Keen, Bot::Sharp] {
        assert_eq!(advice("4k3/8/8/8/8/8/8/4Q2K w - - 0 1", bot), "e1e8", "{}", bot.name());
    }
    for seed in [Bot::Steady, Bot::Keen, Bot::Sharp] {
        // The king is trapped and attacked along the rank: only the duck can save it.
        let text = advice("6k1/5ppp/8/8/8/8/5PPP/r5K1 w - - 0 1", seed);
        let mut game = begin(GAME, "6k1/5ppp/8/8/8/8/5PPP/r5K1 w - - 0 1").unwrap();
        game.act(Actor::Seat(Seat::One), &text, 0).unwrap();
        assert!(actions(&game).iter().all(|text| text.contains(' ')), "{}: {text} loses the king", seed.name());
    }
}

#[test]
#[ignore = "tests/long: half a minute of games"]
fn a_level_beats_the_gambler() {
    let games = 6;
    let won = (0..games).filter(|seed| {
        let mut rng = StdRng::seed_from_u64(*seed);
        let level = if seed % 2 == 0 { Seat::One } else { Seat::Two };
        let mut game = begin(GAME, "").unwrap();
        while game.outcome().is_none() && game.ply() < 200 {
            let seat = game.awaits()[0];
            let bot = if seat == level { Bot::Steady } else { Bot::Gambler };
            let mut left = 400;
            let mut enough = || {
                left -= 1;
                left < 0
            };
            let text = game.advise(seat, bot, &mut rng, &mut enough).unwrap();
            game.act(Actor::Seat(seat), &text, 0).unwrap_or_else(|why| panic!("{text}: {why}"));
        }
        game.outcome().and_then(|outcome| outcome.winner()) == Some(level)
    });
    let won = won.count();
    assert!(won as u64 >= games - 1, "the level won {won} of {games}");
}

/// Translates a Fairy-Stockfish turn. After a king capture it drops the duck's move.
fn translated(fen: &str, theirs: &str) -> String {
    let (mv, rest) = theirs.split_once(',').unwrap();
    let position = BOARD.parse_fen(fen).unwrap();
    let kings = BOARD.royals(&position, !position.turn);
    if kings.has(mv[2..4].parse().unwrap()) { mv.to_owned() } else { format!("{mv} {}", &rest[2..]) }
}

#[test]
fn random_games_match_fairy_stockfish() {
    let mut rng = StdRng::seed_from_u64(23);
    let mut moments: Vec<(String, BTreeSet<String>)> = Vec::new();
    while moments.len() < often(600) {
        let mut game = begin(GAME, "").unwrap();
        while game.outcome().is_none() && game.ply() < 160 {
            let listed = actions(&game);
            let seat = game.awaits()[0];
            let next = listed.choose(&mut rng).unwrap().clone();
            moments.push((fen(&game), listed.into_iter().collect()));
            game.act(Actor::Seat(seat), &next, 0).unwrap();
        }
        if game.outcome().is_some_and(|outcome| outcome.reason() == "no move left") {
            moments.push((fen(&game), BTreeSet::new()));
        }
    }
    let fens: Vec<&str> = moments.iter().map(|(fen, _)| fen.as_str()).collect();
    let question = json!({"name": "duck", "config": "", "chess960": false, "fens": fens});
    let Some(answer) = pyffish::answer(include_str!("oracle/positions.py"), &question) else { return };
    let theirs: Vec<Vec<String>> = serde_json::from_value(answer).unwrap();
    assert_eq!(theirs.len(), moments.len());
    for ((fen, ours), theirs) in moments.iter().zip(&theirs) {
        let theirs: BTreeSet<String> = theirs.iter().map(|text| translated(fen, text)).collect();
        assert_eq!(*ours, theirs, "{fen}");
    }
}

#[test]
fn the_grammar_lists_turns() {
    let variant = registry::find(GAME).unwrap();
    let told: Value = serde_json::to_value((variant.phrases)()).unwrap();
    assert_eq!(told[0]["text"], "{move} {square}");
    assert_eq!(told[1]["text"], "{move}");
}
