//! Hidden information: guess sheets until the turn is final, locks until they are used or lost, and in blind games everything
//! until a player spends.

use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use zorkmid_games::{
    bots::Bot,
    game::Live,
    rules::{Outcome, Seat, Turn},
};

use super::{act, game, json as seen, open, purse, purses, refused, turn};

const PUBLIC: [Option<Seat>; 2] = [None, Some(Seat::One)];

/// All data that a viewer can receive.
fn bytes(game: &Live, viewer: Option<Seat>) -> String {
    let mut told = format!("{} {:?}", game.json(viewer), game.diagram(viewer));
    told.push_str(&format!("{:?} {}", game.lines(viewer), super::notation::written(game, viewer)));
    for (seat, text) in viewer.into_iter().flat_map(|seat| ["", "e2e4", "P@a3", "guess e7 $N"].map(|text| (seat, text)))
    {
        told.push_str(&format!("{:?}", game.draft(seat, text)));
    }
    told
}

/// Plays two games that differ only in seat two's actions. All other viewers must see the same.
fn indistinguishable(options: &Value, said: [&[(Seat, &str)]; 2]) {
    let games = said.map(|said| {
        let mut game = game(options.clone());
        said.iter().for_each(|(seat, text)| act(&mut game, *seat, text));
        game
    });
    for viewer in PUBLIC {
        assert_eq!(bytes(&games[0], viewer), bytes(&games[1], viewer), "{:?}", said[1]);
    }
    assert_ne!(bytes(&games[0], Some(Seat::Two)), bytes(&games[1], Some(Seat::Two)));
}

#[test]
fn sheets_are_hidden_until_the_turn_is_final() {
    let (one, two) = (Seat::One, Seat::Two);
    let options = json!({"money_one": 50, "money_two": 50});
    indistinguishable(&options, [&[(two, "guess e2e4")], &[(two, "guess d2 g1 $N")]]);
    let turn = (one, "e2e4");
    indistinguishable(&options, [&[(two, "guess e2e4"), turn], &[(two, "guess d2 g1"), turn]]);
    let back = [(one, "e2e4"), (two, "retract")];
    indistinguishable(&options, [&[(two, "guess e2e4"), back[0], back[1]], &[(two, "guess"), back[0], back[1]]]);
}

#[test]
fn sheets_stay_hidden_through_purchases_and_retractions() {
    let (one, two) = (Seat::One, Seat::Two);
    let options = json!({"money_one": 50, "money_two": 50});
    let bought = (one, "P@a3");
    indistinguishable(&options, [&[(two, "guess $P"), bought], &[(two, "guess $P@a3"), bought]]);
    let back = [bought, (two, "retract")];
    indistinguishable(&options, [&[(two, "guess $P"), back[0], back[1]], &[(two, "guess"), back[0], back[1]]]);
    let again = (one, "e2e4");
    let turns = [back[0], back[1], again];
    let with = |sheet: &'static str| [&[(two, sheet)], turns.as_slice()].concat();
    indistinguishable(&options, [&with("guess $P e2e4"), &with("guess $P e2")]);
}

#[test]
fn locks_are_hidden_until_they_are_used_or_lost() {
    let (one, two) = (Seat::One, Seat::Two);
    let options = json!({"money_one": 50, "money_two": 50});
    let first = [(two, "guess"), (one, "e2e4"), (two, "accept"), (one, "guess")];
    let game = |last: &'static str| [first.as_slice(), &[(two, last)]].concat();
    indistinguishable(&options, [&game("e7e5"), &game("lock 3 e7e5")]);
}

#[test]
fn blind_games_hide_sheets_and_balances() {
    let (one, two) = (Seat::One, Seat::Two);
    let options = json!({"blind": true});
    let rest = [(one, "e2e4"), (two, "accept"), (one, "guess e7"), (two, "e7e5"), (one, "accept")];
    let game_of = |sheet: &'static str| [&[(two, sheet)], rest.as_slice()].concat();
    indistinguishable(&options, [&game_of("guess e2e4 e2e4 e2e4"), &game_of("guess")]);
    let mut game = game(options);
    for (seat, text) in game_of("guess e2e4 e2e4 e2e4") {
        act(&mut game, seat, text);
    }
    assert_eq!(purses(&game, None), [None, None]);
    assert_eq!(purses(&game, Some(one)), [Some(4), None]);
    assert_eq!(purses(&game, Some(two)), [None, Some(15)]);
    // White spends, which reveals White's record but not Black's.
    act(&mut game, two, "guess a2");
    assert!(refused(&game, one, "N@f5").contains("you have 4Z"));
    assert_eq!(purses(&game, None), [None, None], "a purchase that fails reveals nothing");
    act(&mut game, one, "P@h3");
    assert_eq!(purses(&game, None), [Some(1), None]);
    let sheet = seen(&game, None)["view"]["diagram"]["sheet"].to_string();
    assert!(sheet.contains("White guessed e7 4 and got 4Z") && sheet.contains("Black’s guesses are hidden"), "{sheet}");
    // Black demands a retraction, which reveals Black's record except for the sheet that is still sealed.
    act(&mut game, two, "retract");
    assert_eq!(purses(&game, None), [None, Some(5)], "White's locks stay secret");
    assert!(!seen(&game, None)["view"]["diagram"]["sheet"].to_string().contains("a2 "));
    // Afterwards new information is hidden again.
    act(&mut game, one, "g1f3");
    act(&mut game, two, "accept");
    assert_eq!(purses(&game, None), [None, None]);
}

#[test]
fn players_may_disclose_everything_but_not_a_part() {
    let mut game = game(json!({"blind": true}));
    assert!(refused(&game, Seat::One, "disclose e2e4").contains("already open"));
    turn(&mut game, "guess e2", "e2e4");
    assert!(refused(&game, Seat::One, "guess e7 disclose").contains("guess is"));
    act(&mut game, Seat::One, "guess e7e5");
    act(&mut game, Seat::Two, "disclose");
    assert_eq!(game.awaits(), [Seat::Two], "the turn is open and the sheet is sealed");
    assert_eq!(purses(&game, None), [Some(0), Some(4)], "nothing of White’s has been hidden yet");
    act(&mut game, Seat::Two, "e7e5");
    act(&mut game, Seat::One, "disclose accept");
    assert_eq!(purses(&game, None)[0], None, "later income is hidden again");
    assert_eq!(purse(&game, Seat::One), 5);
    let open = super::game(json!({}));
    assert!(refused(&open, Seat::One, "disclose").contains("blind"));
}

/// Number of disclosures on the score sheet, and its length.
fn disclosures(game: &Live) -> usize {
    let sheet = seen(game, None)["view"]["diagram"]["sheet"].clone();
    sheet.as_array().unwrap().iter().filter(|entry| entry["text"] == "disclose").count()
}

#[test]
fn disclosures_are_noted_once_and_only_if_something_was_hidden() {
    let mut game = game(json!({"blind": true, "money_one": 20}));
    act(&mut game, Seat::Two, "guess");
    act(&mut game, Seat::One, "P@e4");
    assert_eq!(disclosures(&game), 0, "nothing of White’s was hidden yet");
    act(&mut game, Seat::Two, "accept");
    turn(&mut game, "guess e7", "e7e5");
    act(&mut game, Seat::Two, "guess");
    act(&mut game, Seat::One, "disclose P@h3");
    assert_eq!(disclosures(&game), 1, "disclosed together with a purchase");
    act(&mut game, Seat::Two, "accept");
    turn(&mut game, "guess", "d7d5");
    act(&mut game, Seat::Two, "guess");
    act(&mut game, Seat::One, "disclose");
    act(&mut game, Seat::One, "P@a3");
    assert_eq!(disclosures(&game), 2, "everything was already open when the pawn was bought");
}

#[test]
fn mate_in_a_blind_game_waits_for_the_record() {
    let mate = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    for (sheet, over) in [("guess a7", true), ("guess d8", false)] {
        let mut game = game(json!({"fen": mate, "blind": true}));
        turn(&mut game, sheet, "d8h4");
        assert_eq!(game.outcome(), None, "White's money is still hidden");
        assert_eq!(game.turn(), Turn::Both);
        act(&mut game, Seat::Two, "guess");
        act(&mut game, Seat::One, "disclose");
        assert_eq!(game.outcome(), over.then_some(Outcome::Win(Seat::Two, "checkmate")), "{sheet}");
    }
}

#[test]
fn blind_games_always_ask_for_an_answer() {
    let mut game = game(json!({"blind": true}));
    open(&mut game, "guess", "e2e4");
    assert_eq!(game.awaits(), [Seat::Two]);
    assert!(refused(&game, Seat::Two, "retract").contains("you have 0Z"));
    let mut forced = super::game(json!({"blind": true, "fen": "6k1/5ppp/8/8/8/8/5PPP/2R1r1K1 w - - 0 1"}));
    open(&mut forced, "", "c1e1");
    assert_eq!(forced.turn(), Turn::Both, "it is public that no retraction is possible");
    assert_eq!(purses(&forced, None), [Some(0), Some(12)], "and the payment for a forced move");
}

#[test]
fn blind_balances_are_indistinguishable() {
    let mut rng = StdRng::seed_from_u64(8);
    let (mut worlds, mut other_worlds) = (0, 0);
    for seed in 0..6 {
        let mut game = game(json!({"blind": true, "money_one": 20 * seed, "money_two": 20}));
        for step in 0..120 {
            if matches!(game.turn(), Turn::Over(_)) {
                break;
            }
            for seat in game.awaits() {
                let said = game.advise(seat, Bot::Random, &mut rng, &mut || true).unwrap();
                act(&mut game, seat, &said);
            }
            if step % 6 == 0 {
                for seat in Seat::BOTH {
                    let mut world = game.redeal(seat, &mut rng);
                    for viewer in [None, Some(seat)] {
                        assert_eq!(bytes(&world, viewer), bytes(&game, viewer), "seat {seat}");
                    }
                    worlds += 1;
                    other_worlds += usize::from(bytes(&world, Some(!seat)) != bytes(&game, Some(!seat)));
                    // The redealt game can be continued.
                    for seat in world.awaits() {
                        let said = world.advise(seat, Bot::Random, &mut rng, &mut || true).unwrap();
                        act(&mut world, seat, &said);
                    }
                }
            }
        }
    }
    assert!(worlds > 100 && other_worlds * 2 > worlds, "{other_worlds} of {worlds} differ");
}
