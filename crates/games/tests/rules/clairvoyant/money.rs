//! Money is income minus purchases, and a game without purchases is chess.

use rand::{SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde_json::{Value, json};
use zorkmid_games::{
    bots::Bot,
    game::{Clocks, Live},
    registry,
    rules::{Actor, Diagram, Seat, Turn},
};

use crate::often::often;

use super::{act, answering, game, json as seen, mover, purse};

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("{value} is no number"))
}

/// Updates the amounts after a step, from public information.
fn ledger(before: &Live, after: &Live, said: &str, owned: &mut [i64; 2]) {
    let (was, is) = (seen(before, None)["view"].clone(), seen(after, None)["view"].clone());
    let mover = mover(before);
    let other = !mover;
    let paid = |view: &Value| number(&view["proposed"]["paid"]);
    let settled = |owned: &mut [i64; 2]| owned[other.index()] += number(&is["settled"]["income"]);
    match (was["answering"] == true, is["answering"] == true) {
        (false, true) => owned[mover.index()] -= paid(&is),
        (true, _) if said == "retract" => {
            owned[other.index()] -= number(&was["proposed"]["retraction"]);
            let locked = number(&seen(before, Some(mover))["view"]["own_locks"]);
            owned[mover.index()] += paid(&was) + 20 * locked;
        }
        (true, _) => settled(owned),
        (false, false) => {
            owned[mover.index()] -= number(&is["settled"]["paid"]);
            settled(owned);
        }
    }
}

#[test]
fn money_is_income_minus_purchases() {
    let mut rng = StdRng::seed_from_u64(4);
    let (mut spent, mut steps) = (0, 0);
    for seed in 0..25 {
        let money = [0, 40, 300][seed % 3];
        let mut game = game(json!({"money_one": money, "money_two": money, "bought_after_free": 1 + seed % 2}));
        let mut owned = [money as i64; 2];
        for _ in 0..160 {
            let before = game.copy();
            let mut said = String::new();
            match game.turn() {
                Turn::Over(_) => break,
                Turn::Chance => unreachable!("Clairvoyant Chess has no chance"),
                Turn::One(_) | Turn::Both => {
                    for seat in game.awaits() {
                        said = game.advise(seat, Bot::Random, &mut rng, &mut || true).unwrap();
                        act(&mut game, seat, &said);
                    }
                }
            }
            ledger(&before, &game, &said, &mut owned);
            spent += i32::from(said == "retract" || said.contains('@'));
            steps += 1;
            assert_eq!(owned, Seat::BOTH.map(|seat| purse(&game, seat)), "after {said}");
            assert!(owned.iter().all(|owned| *owned >= 0));
        }
    }
    assert!(spent > 100 && steps > 1000, "{spent} of {steps}");
}

#[test]
fn games_without_purchases_are_chess() {
    let mut rng = StdRng::seed_from_u64(5);
    let mut ends = 0;
    let games = often(16);
    for _ in 0..games {
        let chess = registry::find("chess").unwrap();
        let mut chess = chess.begin(&serde_json::Map::new(), Clocks::new([None, None])).unwrap();
        let mut game = game(json!({"payoffs": "forced 0"}));
        while chess.outcome().is_none() {
            let seat = chess.awaits()[0];
            let (ours, theirs) = (game.diagram(Some(seat)), chess.diagram(Some(seat)));
            let actions = |diagram: &Diagram| -> Vec<String> {
                diagram.choices.iter().flatten().map(|choice| choice.action.clone()).collect()
            };
            assert_eq!(actions(&ours), actions(&theirs));
            assert_eq!(ours.fen, theirs.fen);
            let (mut one, mut two) = (game.copy(), chess.copy());
            let claims = [&mut one, &mut two].map(|game| game.act(Actor::Seat(seat), "claim", 1).is_ok());
            assert_eq!(claims[0], claims[1], "both let a draw be claimed, or neither");
            let text = actions(&ours).choose(&mut rng).unwrap().clone();
            if game.turn() == Turn::Both {
                act(&mut game, !seat, "guess");
            }
            act(&mut game, seat, &text);
            act(&mut chess, seat, &text);
            assert!(!answering(&game));
        }
        let reason = chess.outcome().unwrap().reason();
        if let "checkmate" | "stalemate" = reason {
            assert_eq!(game.outcome(), chess.outcome());
            ends += 1;
        } else {
            assert_eq!(game.outcome(), None, "Clairvoyant Chess has no such draw: {reason}");
        }
    }
    assert!(ends > games / 16, "{ends}");
}
