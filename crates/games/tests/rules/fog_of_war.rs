//! Fog of war: visible squares, by an independent calculation, and information that must stay hidden.

use std::collections::BTreeSet;

use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use zorkmid_games::{
    bots::Bot,
    game::Live,
    rules::{Actor, Seat, Viewer},
};

use crate::{
    kin::{begin, ended, fen, play},
    often::often,
};

const GAME: &str = "fog-of-war";

fn start(fen: &str) -> Box<Live> {
    begin(GAME, fen).unwrap()
}

fn view(game: &Live, viewer: Viewer) -> Value {
    game.json(viewer)["view"].take()
}

/// The squares of a view from a8 on, with `?` for fog.
fn squares(view: &Value) -> Vec<char> {
    let placement = view["placement"].as_str().unwrap();
    placement.split('/').flat_map(|rank| rank.chars().flat_map(expanded)).collect()
}

fn expanded(letter: char) -> Vec<char> {
    letter.to_digit(10).map_or(vec![letter], |empty| vec!['.'; empty as usize])
}

/// The squares that a side sees, calculated square by square from a FEN.
fn seen(fen: &str, white: bool) -> Vec<char> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let board: Vec<char> = fields[0].split('/').flat_map(|rank| rank.chars().flat_map(expanded)).collect();
    let own = |letter: char| letter != '.' && letter.is_ascii_uppercase() == white;
    let on = |file: i32, rank: i32| (0..8).contains(&file) && (0..8).contains(&rank);
    let at = |file: i32, rank: i32| (56 - 8 * rank + file) as usize;
    let passing = fields[3].as_bytes().first().filter(|_| (fields[1] == "w") == white && fields[3] != "-");
    let passing = passing.map(|file| (i32::from(file - b'a'), i32::from(fields[3].as_bytes()[1] - b'1')));
    let mut open = BTreeSet::new();
    for (file, rank) in (0..8).flat_map(|file| (0..8).map(move |rank| (file, rank))) {
        let letter = board[at(file, rank)];
        if !own(letter) {
            continue;
        }
        open.insert(at(file, rank));
        let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
        let diagonal = [(1, 1), (-1, -1), (-1, 1), (1, -1)];
        let leaps = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
        let (steps, far): (Vec<(i32, i32)>, i32) = match letter.to_ascii_lowercase() {
            'r' => (straight.to_vec(), 7),
            'b' => (diagonal.to_vec(), 7),
            'q' => ([straight, diagonal].concat(), 7),
            'k' => ([straight, diagonal].concat(), 1),
            'n' => (leaps.to_vec(), 1),
            _ => (Vec::new(), 0),
        };
        for (dx, dy) in steps {
            for step in 1..=far {
                let (x, y) = (file + step * dx, rank + step * dy);
                if !on(x, y) || own(board[at(x, y)]) {
                    break;
                }
                open.insert(at(x, y));
                if board[at(x, y)] != '.' {
                    break;
                }
            }
        }
        if letter.eq_ignore_ascii_case(&'p') {
            let (up, second) = if white { (1, 1) } else { (-1, 6) };
            for step in 1..=if rank == second { 2 } else { 1 } {
                if !on(file, rank + step * up) || board[at(file, rank + step * up)] != '.' {
                    break;
                }
                open.insert(at(file, rank + step * up));
            }
            for x in [file - 1, file + 1].into_iter().filter(|x| on(*x, rank + up)) {
                if board[at(x, rank + up)] != '.' && !own(board[at(x, rank + up)]) {
                    open.insert(at(x, rank + up));
                }
                if passing == Some((x, rank + up)) {
                    open.extend([at(x, rank + up), at(x, rank)]);
                }
            }
        }
        if letter.eq_ignore_ascii_case(&'k') {
            let home = if white { 0 } else { 7 };
            let rights = |side: char| fields[2].contains(if white { side } else { side.to_ascii_lowercase() });
            let empty = |files: &[i32]| files.iter().all(|file| board[at(*file, home)] == '.');
            if rights('K') && empty(&[5, 6]) {
                open.insert(at(6, home));
            }
            if rights('Q') && empty(&[1, 2, 3]) {
                open.insert(at(2, home));
            }
        }
    }
    (0..64).map(|square| if open.contains(&square) { board[square] } else { '?' }).collect()
}

#[test]
fn visibility_matches_an_independent_calculation() {
    let mut rng = StdRng::seed_from_u64(11);
    let mut passing = 0;
    for _ in 0..often(60) {
        let mut game = start("");
        let mut told: Vec<[Vec<char>; 2]> = Vec::new();
        let look = |game: &Live| Seat::BOTH.map(|seat| squares(&view(game, Some(seat))));
        while game.outcome().is_none() {
            told.push(look(&game));
            assert!(squares(&view(&game, None)).iter().all(|square| *square == '?'));
            let seat = game.awaits()[0];
            let word = game.advise(seat, Bot::Random, &mut rng, &mut || true).unwrap();
            game.act(Actor::Seat(seat), &word, 0).unwrap();
        }
        for (ply, told) in told.iter().enumerate() {
            let fen = fen(&game.past(ply).unwrap());
            passing += usize::from(!fen.contains(" - "));
            for (seat, white) in [(0, true), (1, false)] {
                let text = |squares: &[char]| squares.iter().collect::<String>();
                assert_eq!(text(&told[seat]), text(&seen(&fen, white)), "{fen}, White: {white}");
            }
        }
    }
    assert!(passing > 0, "no en passant capture was possible");
}

#[test]
fn the_start_shows_only_the_own_half() {
    let game = start("");
    let white = view(&game, Some(Seat::One));
    assert_eq!(white["placement"], "????????/????????/????????/????????/8/8/PPPPPPPP/RNBQKBNR");
    assert_eq!(white["diagram"]["fog"].as_array().unwrap().len(), 32);
    assert_eq!(white["diagram"]["fen"], Value::Null);
    let public = view(&game, None);
    assert_eq!(public["diagram"]["pieces"], json!([]));
    assert_eq!(public["diagram"]["fog"].as_array().unwrap().len(), 64);
}

#[test]
fn a_pawn_capturable_en_passant_is_visible() {
    let mut game = start("");
    play(&mut game, "e4 a6 e5 d5");
    let white = view(&game, Some(Seat::One))["placement"].take();
    assert_eq!(white, "????????/????????/p??2???/?1?pP??1/4?3/4?3/PPPP1PPP/RNBQKBNR");
    play(&mut game, "h3 a5");
    let white = view(&game, Some(Seat::One));
    assert!(
        !white["placement"].as_str().unwrap().contains('p'),
        "the en passant right is gone, and so is the visibility: {white}"
    );
}

#[test]
fn pieces_in_front_of_a_pawn_are_hidden() {
    let game = start("4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1");
    let white = squares(&view(&game, Some(Seat::One)));
    assert_eq!(white[8 * 3 + 4], '?');
    let refused =
        |text: &str| start("4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1").act(Actor::Seat(Seat::One), text, 0).unwrap_err().why;
    assert!(refused("e4e5").contains("blocked by a piece that you cannot see"), "{}", refused("e4e5"));
    assert!(refused("e5e4").contains("there is no piece on e5"), "{}", refused("e5e4"));
}

#[test]
fn refusals_reveal_nothing_hidden() {
    let mut rng = StdRng::seed_from_u64(12);
    for _ in 0..often(12) {
        let mut game = start("");
        for _ in 0..rng.random_range(4..50) {
            let Some(seat) = game.awaits().first().copied() else { break };
            let word = game.advise(seat, Bot::Random, &mut rng, &mut || true).unwrap();
            game.act(Actor::Seat(seat), &word, 0).unwrap();
        }
        let Some(seat) = game.awaits().first().copied() else { continue };
        let world = game.redeal(seat, &mut rng);
        let squares: Vec<String> =
            ('a'..='h').flat_map(|file| (1..=8).map(move |rank| format!("{file}{rank}"))).collect();
        for (from, to) in squares.iter().flat_map(|from| squares.iter().map(move |to| (from, to))) {
            let text = format!("{from}{to}");
            let said = |game: &Live| game.copy().act(Actor::Seat(seat), &text, 0).map(|_| ());
            assert_eq!(said(&game), said(&world), "{text}");
        }
        for text in ["N@f3", "e7e8k", "Nxe5", "exd6", "O-O", "0-0-0", "Kxe8", "claim", "takeback"] {
            let said = |game: &Live| game.copy().act(Actor::Seat(seat), text, 0).map(|_| ());
            assert_eq!(said(&game), said(&world), "{text}");
        }
    }
}

#[test]
fn kings_can_be_captured_and_castle_through_attacks() {
    let mut game = start("4k3/8/8/8/8/8/4r3/4K2R w K - 0 1");
    play(&mut game, "O-O Kf8 Rxf8#");
    assert_eq!(ended(&game), Some((Some(Seat::One), "king captured")));
    assert!(begin(GAME, "1k6/8/8/8/8/8/8/1K4R1 w G - 0 1").err().unwrap().why.contains("e-file"));
}

#[test]
fn draws_are_automatic_without_claims_or_takebacks() {
    let mut walled = start("8/8/8/8/8/p1p5/ppPp4/kn1N3K w - - 0 1");
    play(&mut walled, "Kh2");
    assert_eq!(ended(&walled), Some((None, "stalemate")));
    let mut again = start("");
    assert!(again.act(Actor::Seat(Seat::One), "claim", 0).unwrap_err().why.contains("end the game automatically"));
    play(&mut again, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    assert!(again.act(Actor::Seat(Seat::One), "takeback", 0).is_err());
    play(&mut again, "Ng8");
    assert_eq!(ended(&again), Some((None, "threefold repetition")));
}

#[test]
fn everything_is_visible_after_the_end() {
    let mut game = start("");
    play(&mut game, "e4 e5");
    assert_eq!(view(&game, Some(Seat::One))["diagram"]["sheet"][1]["text"], "--");
    game.act(Actor::Seat(Seat::Two), "resign", 0).unwrap();
    for viewer in [None, Some(Seat::One), Some(Seat::Two)] {
        let last = view(&game, viewer);
        assert_eq!(last["diagram"]["sheet"][1]["text"], "e5");
        assert!(last["diagram"].get("fog").is_none());
        assert!(fen(&game.past(1).unwrap()).starts_with("rnbqkbnr/pppppppp/8/8/4P3/"));
    }
    // The server ending the game has the same effect.
    let mut game = start("");
    play(&mut game, "e4 e5");
    game.act(Actor::Server, "forfeit two", 0).unwrap();
    assert!(view(&game, None)["diagram"]["fen"].is_string());
}

#[test]
fn bots_capture_a_visible_king() {
    let mut rng = StdRng::seed_from_u64(13);
    let game = start("4k3/8/8/8/8/8/8/4R1K1 w - - 0 1");
    for bot in [Bot::Newcomer, Bot::Steady, Bot::Sharp] {
        let word = game.advise(Seat::One, bot, &mut rng, &mut || false);
        assert_eq!(word.as_deref(), Some("e1e8"), "{bot:?}");
    }
}
