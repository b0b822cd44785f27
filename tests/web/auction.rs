//! Won games of whole chips: the bot wins them all against a perfect adversary.

use super::*;
use adversary::{Adversary, GAMES, Known, Moves, some_total};
use decided::Decided;
use often::often;
use serde_json::Value;
use zorkmid::{
    bots::Bot,
    play::{Begin, Opponent, SeatPreference},
    rules::Seat,
};

#[tokio::test(flavor = "multi_thread")]
#[ignore = "tests/long: takes half a minute"]
async fn bot_keeps_every_forced_win() {
    tables::tables().solve(Size::ORTHODOX).unwrap();
    let play = app(patient()).play.clone();
    let moves = Moves::generate();
    let rng = &mut StdRng::seed_from_u64(13);
    let bots = [Bot::Steady, Bot::Keen, Bot::Sharp, Bot::Deep, Bot::Gambler];
    // Long runs play a hundred totals, with more games for each.
    let totals = often(1).min(100);
    let games = GAMES / 2 * often(1) / totals;
    for number in 0..totals {
        let known = Known::new(&moves, some_total(number, rng), number % 3 != 2);
        for game in 0..games {
            let decided = Decided::any(&known, rng);
            won(&play, &decided, &known, bots[game % bots.len()], rng).await;
        }
    }
    println!("{} games with {totals} totals: all were won", totals * games);
}

/// Plays the losing side against a bot to the end.
async fn won(play: &Play, decided: &Decided, known: &Known<'_>, bot: Bot, rng: &mut StdRng) {
    let hero = decided.hero;
    let Value::Object(options) = decided.options() else { panic!("options are a record") };
    let near = decided.undecided().and_then(|near| Adversary::at(known, &near.moment(), hero).lost());
    assert_eq!(near, None, "one chip less is too few: {decided:?}");
    let begun = play.begin(Begin {
        variant: "bidding".to_owned(),
        options,
        seat: SeatPreference::Seat(Seat::of(!hero)),
        clocks: [None, None],
        claim_days: None,
        opponent: Opponent::Bot(bot),
        name: None,
        key: None,
        from: None,
        owner: None,
    });
    let id = begun.await.unwrap().id;
    loop {
        let table = play.look(&id).await.unwrap();
        if let Some(outcome) = table.game.outcome() {
            return assert_eq!(outcome.winner().map(Seat::color), Some(hero), "{decided:?} {bot:?}");
        }
        let moment = table.game.endgame().unwrap();
        let adversary = Adversary::at(known, &moment, hero);
        assert!(adversary.lost().is_some(), "the win is lost: {decided:?} {moment:?} {bot:?}");
        if table.game.awaits().contains(&Seat::of(!hero)) {
            let word = adversary.word(rng);
            play.act(&id, Seat::of(!hero), Some(table.game.ply()), &word, None).await.unwrap();
        } else {
            let ply = table.game.ply();
            until("the bot answers", async || play.look(&id).await.unwrap().game.ply() > ply).await;
        }
    }
}
