//! Legal turns of small positions, compared with a slow, independent lister. Listed turns must be accepted at their price,
//! unlisted ones refused, and mate must be exactly where nothing is listed.

pub(crate) mod walker;

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::json;
use zorkmid_games::rules::{Actor, Outcome, Seat};

use super::{game, purse};
use crate::often::often;
use walker::{Limits, Place, ROWS, Rows, turns};

/// Some pieces on an empty board: both kings, sometimes two kings of one side, castling rooks, or a pawn that can be captured en
/// passant. The side that is not to move is not in check.
fn position(rng: &mut StdRng, units: usize) -> Option<Place> {
    let mut place = Place::empty();
    let letters: &[u8] = b"PNBRQpnbrqPp";
    let mut squares: Vec<usize> = (0..64).collect();
    let mut take = |rng: &mut StdRng, low: usize, high: usize| loop {
        let at = rng.random_range(0..squares.len());
        if (low..high).contains(&squares[at]) {
            return squares.swap_remove(at);
        }
    };
    let home = rng.random_ratio(1, 3);
    if home {
        for (at, letter) in [(4, b'K'), (0, b'R'), (7, b'R')] {
            place.squares[take(rng, at, at + 1)] = letter;
        }
        place.castling = *[[true, true], [true, false], [false, true]].choose(rng).unwrap();
    } else {
        place.squares[take(rng, 0, 64)] = b'K';
    }
    place.squares[take(rng, 0, 64)] = b'k';
    if rng.random_ratio(1, 3) {
        let file = rng.random_range(0..8);
        let [behind, over, pawn] = [48, 40, 32].map(|rank| rank + file);
        if [behind, over, pawn].into_iter().all(|square| place.squares[square] == 0) {
            place.squares[take(rng, pawn, pawn + 1)] = b'p';
            take(rng, behind, behind + 1);
            place.passing = Some(take(rng, over, over + 1));
            let beside = if file == 0 { pawn + 1 } else { pawn - 1 };
            if place.squares[beside] == 0 && rng.random_ratio(2, 3) {
                place.squares[take(rng, beside, beside + 1)] = b'P';
            }
        }
    }
    if rng.random_ratio(1, 4) {
        place.squares[take(rng, 8, 64)] = *b"Kk".choose(rng).unwrap();
    }
    for _ in 0..units {
        let letter = *letters.choose(rng).unwrap();
        let square = if letter.eq_ignore_ascii_case(&b'p') { take(rng, 8, 56) } else { take(rng, 0, 64) };
        place.squares[square] = letter;
    }
    (!place.in_check(false)).then_some(place)
}

/// Whether a pawn that was there before the turn moves diagonally to a square.
fn takes_in_passing(place: &Place, turn: &str, to: usize) -> bool {
    let pawn = |file: usize| (file < 8 && place.squares[32 + file] == b'P').then(|| walker::name(32 + file));
    let beside = [(to % 8).wrapping_sub(1), to % 8 + 1].into_iter().filter_map(pawn);
    beside.into_iter().any(|from| turn.contains(&format!("{from}{}", walker::name(to))))
}

#[test]
fn the_lister_and_the_program_allow_the_same_turns() {
    let mut rng = StdRng::seed_from_u64(6);
    let (mut accepted, mut refused, mut positions) = (0, 0, 0);
    let (mut castled, mut passed, mut crowned, mut twice) = (0, 0, 0, 0);
    let wanted = often(40);
    while positions < wanted {
        let units = rng.random_range(1..7);
        let Some(place) = position(&mut rng, units) else { continue };
        let fen = place.fen();
        let money = *[0, 3, 7, 15, 18, 25, 157].choose(&mut rng).unwrap();
        let (any, bought) = (rng.random_ratio(1, 3), rng.random_range(1..3));
        let limits = Limits { money, any, bought, drops: 1, rows: ROWS, one: false };
        let legal: BTreeMap<String, i64> = turns(&place, &limits).into_iter().collect();
        let post_drop = if any { "any" } else { "own" };
        let options = json!({"fen": fen, "money_one": money, "post_drop": post_drop, "bought_after_free": bought});
        let game = game(options);
        if game.outcome().is_some() {
            assert!(legal.is_empty(), "{fen} with {money}: {legal:?}");
            continue;
        }
        positions += 1;
        let texts: Vec<&String> = legal.keys().collect();
        for text in texts.sample(&mut rng, 60) {
            let mut copy = game.copy();
            let _ = copy.act(Actor::Seat(Seat::Two), "guess", 1);
            copy.act(Actor::Seat(Seat::One), text, 1).unwrap_or_else(|why| panic!("{fen} {limits:?} {text}: {why}"));
            assert_eq!(money - purse(&copy, Seat::One), legal[*text], "{fen} {text}");
            accepted += 1;
            twice += usize::from(bought == 2 && !text.contains('@') && text.split(' ').count() == 3);
            castled += usize::from(place.castling != [false; 2] && (text.contains("e1g1") || text.contains("e1c1")));
            passed += usize::from(place.passing.is_some_and(|to| takes_in_passing(&place, text, to)));
            crowned +=
                usize::from(place.squares.iter().filter(|letter| letter.eq_ignore_ascii_case(&b'K')).count() > 2);
        }
        // Illegal turns: new combinations of legal parts, and moves that no piece has.
        let parts: Vec<String> = texts.iter().flat_map(|text| text.split(' ')).map(str::to_owned).collect();
        for _ in 0..60 {
            let length = rng.random_range(1..4);
            let mut words: Vec<String> = (0..length).filter_map(|_| parts.choose(&mut rng).cloned()).collect();
            if rng.random_ratio(1, 3) {
                let square = |rng: &mut StdRng| walker::name(rng.random_range(0..64));
                let word = match rng.random_range(0..3) {
                    0 => format!("{}@{}", ["P", "N", "B", "R", "Q", "K"][rng.random_range(0..6)], square(&mut rng)),
                    1 => format!("{}{}", square(&mut rng), square(&mut rng)),
                    _ => format!("{}{}q", square(&mut rng), square(&mut rng)),
                };
                words.push(word);
            }
            let text = words.join(" ");
            if words.is_empty() || text.matches('@').count() > 1 {
                continue;
            }
            let taken = game.copy().act(Actor::Seat(Seat::One), &text, 1).is_ok();
            assert_eq!(taken, legal.contains_key(&text), "{fen} {limits:?} {text}");
            refused += usize::from(!taken);
        }
    }
    assert!(accepted > 25 * wanted && refused > 16 * wanted, "{accepted} {refused}");
    assert!(twice > wanted, "{twice} turns with two bought moves");
    eprintln!("{positions} positions, {accepted} turns, {twice} of them with two bought moves, {refused} refused");
    let rare = castled > wanted / 4 && passed > wanted / 4 && crowned > wanted;
    assert!(!crate::often::is_whole() || rare, "{castled} {passed} {crowned}");
}

/// A white king in the corner, blocked by its own pieces and facing heavy pieces, in check without a free move.
fn cornered(rng: &mut StdRng) -> Option<Place> {
    let mut place = Place::empty();
    let king = *[0usize, 1, 7, 8, 4].choose(rng).unwrap();
    place.squares[king] = b'K';
    for _ in 0..rng.random_range(2..6) {
        let square = [king + 1, king + 7, king + 8, king + 9].choose(rng).copied().unwrap() % 64;
        let letter = *b"PNBR".choose(rng).unwrap();
        if place.squares[square] == 0 && (letter != b'P' || (8..56).contains(&square)) {
            place.squares[square] = letter;
        }
    }
    for _ in 0..rng.random_range(1..4) {
        let square = rng.random_range(0..64);
        if place.squares[square] == 0 {
            place.squares[square] = *b"nbrqqn".choose(rng).unwrap();
        }
    }
    let other = rng.random_range(32..64);
    if place.squares[other] != 0 {
        return None;
    }
    place.squares[other] = b'k';
    let free = Limits { money: 0, any: false, bought: 1, drops: 0, rows: ROWS, one: true };
    (!place.in_check(false) && place.in_check(true) && turns(&place, &free).is_empty()).then_some(place)
}

/// Prices of which a few are low and most are unaffordable, and the option text for them.
fn odd_prices(rng: &mut StdRng) -> (Rows, String) {
    let amount = |rng: &mut StdRng| if rng.random_ratio(1, 2) { rng.random_range(0..4) } else { 90 };
    let rows: Rows = std::array::from_fn(|_| std::array::from_fn(|_| amount(rng)));
    let words = rows.iter().zip(["pawn", "knight", "bishop", "rook", "queen"]).map(|(row, name)| {
        let amounts = row.map(|amount| amount.to_string()).join(" ");
        format!("{name} {amounts}")
    });
    let words = words.collect::<Vec<_>>().join("; ");
    (rows, words)
}

#[test]
fn mate_is_where_no_turn_is_listed() {
    let wanted = often(8);
    for (any, odd) in [(false, false), (true, false), (false, true), (true, true)] {
        let mut rng = StdRng::seed_from_u64(7);
        let (mut mates, mut saved) = (0, 0);
        while mates < wanted || saved < wanted {
            let Some(place) = cornered(&mut rng) else { continue };
            let (rows, costs) = if odd { odd_prices(&mut rng) } else { (ROWS, String::new()) };
            // This much money buys at most two drops, or one drop with one or two moves, at the source's prices.
            let money = if odd { rng.random_range(0..4) } else { rng.random_range(0..9) };
            let limits = Limits { money, any, bought: 1, drops: 2, rows, one: true };
            let fen = place.fen();
            let post_drop = if any { "any" } else { "own" };
            let game = game(json!({"fen": fen, "money_one": money, "post_drop": post_drop, "costs": costs}));
            let mate = game.outcome() == Some(Outcome::Win(Seat::Two, "checkmate"));
            if mate && mates == wanted || !mate && saved == wanted {
                continue;
            }
            let found = turns(&place, &limits);
            if mate {
                assert!(found.is_empty(), "{fen} {limits:?}: {:?}", found.first());
                mates += 1;
            } else {
                assert!(odd || !found.is_empty(), "{fen} {limits:?}");
                saved += 1;
                // A bot without a free move chooses a legal turn.
                let said = game.advise(Seat::One, zorkmid_games::bots::Bot::Random, &mut rng, &mut || true).unwrap();
                game.copy().act(Actor::Seat(Seat::One), &said, 1).unwrap_or_else(|why| panic!("{fen} {said}: {why}"));
            }
        }
    }
}
