//! Decided games with whole chips: a player with a sure win who follows the advice wins against an adversary that knows
//! everything.

use super::{LEVELS, PLAIN, TABLE, begin};
use crate::{
    adversary::{Adversary, GAMES, Known, Moves, some_total},
    decided::Decided,
    often::often,
};
use rand::{SeedableRng, rngs::StdRng};
use zorkmid_games::{
    board::Board,
    richman::{Advice, NEVER_STOP, advise},
    rules::{Actor, Endgame, Seat, Side, endgame::NextStep},
};

/// Advice of the tables for a state.
fn panel(moment: &Endgame) -> Advice {
    advise(&TABLE, Some(if moment.negative { &LEVELS } else { &PLAIN }), moment, NEVER_STOP)
        .expect("the tables cover the resulting states")
}

#[test]
fn advice_keeps_a_decided_win() {
    let moves = Moves::generate();
    let rng = &mut StdRng::seed_from_u64(11);
    let mut auctions = 0;
    // One total after the other, so that games share its solution.
    for number in 0..often(2) {
        let known = Known::new(&moves, some_total(number, rng), number % 3 != 2);
        for _ in 0..often(GAMES) {
            let decided = Decided::any(&known, rng);
            if let Some(undecided) = decided.undecided() {
                let verdict = panel(&undecided.moment()).verdict.unwrap();
                assert_ne!(verdict.winner, Some(Side::from(decided.hero)), "{undecided:?}");
            }
            auctions += play(&decided, &known, rng);
        }
    }
    println!("{} games of {auctions} auctions: all were won", often(2) * often(GAMES));
}

/// Plays to the end and counts the auctions.
fn play(decided: &Decided, known: &Known, rng: &mut StdRng) -> usize {
    let (mut game, hero) = (begin("bidding", decided.options()), decided.hero);
    let place = |moment: &Endgame| {
        let fen = Board::orthodox().placement_fen(&moment.position);
        format!("{decided:?}: {fen} {:?} {:?}", moment.chips, moment.next_step)
    };
    let (mut left, mut auctions) = (usize::MAX, 0);
    while game.outcome().is_none() {
        let moment = game.endgame().unwrap();
        let adversary = Adversary::at(known, &moment, hero);
        let lost = adversary.lost().unwrap_or_else(|| panic!("the win is lost: {}", place(&moment)));
        let seat = game.awaits()[0];
        let advice = (seat.color() == hero).then(|| panel(&moment));
        if let Some(advice) = &advice {
            let verdict = advice.verdict.as_ref().unwrap();
            let told = (verdict.winner, verdict.within);
            assert_eq!(told, (Some(Side::from(hero)), Some(lost)), "{}", place(&moment));
        }
        if let NextStep::Offer(_) = moment.next_step {
            assert!(lost < left, "every auction shortens the win: {}", place(&moment));
            left = lost;
            auctions += 1;
        }
        let said = match advice {
            Some(advice) => advice.hint(hero).action.clone().expect("the pending side gets advice"),
            None => adversary.word(rng),
        };
        game.act(Actor::Seat(seat), &said, 0).unwrap_or_else(|refusal| panic!("{said}: {refusal}: {}", place(&moment)));
    }
    assert_eq!(game.outcome().unwrap().winner().map(Seat::color), Some(hero), "{decided:?}");
    auctions
}
