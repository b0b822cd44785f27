//! Whole chips: the panel's verdicts, and sure wins with sealed bids by following the advice.

use super::{LEVELS, PLAIN, TABLE, begin};
use crate::{decided::random_position, often::often};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use zorkmid_games::{
    board::Color,
    bots::Bot,
    game::Live,
    richman::{Advice, NEVER_STOP, advise},
    rules::{Actor, Seat, Side, endgame::NextStep, endgame::StepKind},
};

/// Advice of the tables for the current state of a game.
fn panel(game: &Live) -> Option<Advice> {
    let moment = game.endgame()?;
    advise(&TABLE, Some(if moment.negative { &LEVELS } else { &PLAIN }), &moment, NEVER_STOP)
}

/// A game from a position with these chips of White and Black. The side that is not to move in the FEN has moved last, and bids.
fn open_game(fen: &str, [white, black]: [i64; 2], negative: bool) -> Box<Live> {
    begin("bidding", json!({"fen": fen, "white": white, "black": black, "scheme": "open", "negative": negative}))
}

#[test]
fn games_without_negative_bids_have_their_own_shares() {
    let game = |negative: bool, tie: &str, holder: &str| {
        let options = json!({"fen": "8/8/8/8/3k4/8/8/K2N4 w - - 0 1", "white": 348_000, "black": 652_000, "scheme": "secret",
            "tie": tie, "holder": holder, "negative": negative});
        begin("bidding", options)
    };
    let ahead = |tie: &str, holder: &str| panel(&game(false, tie, holder)).unwrap();
    assert_eq!(panel(&game(true, "choice", "black")).unwrap().ahead, Some(Side::White));
    // Black holds the marker and can make White move, which costs less than Black has.
    let advice = ahead("choice", "black");
    assert_eq!((advice.ahead, advice.verdict.is_none()), (Some(Side::Black), true), "{advice:?}");
    let share = advice.share.unwrap();
    assert!(share.hi.starts_with("0.65035") && share.lo.starts_with("0.65035"), "{share:?}");
    assert!(advice.lead.unwrap().approx < 0.0);
    // With the marker White can make Black move, or Black always must.
    for (tie, holder) in [("choice", "white"), ("side", "black")] {
        assert_eq!(ahead(tie, holder).ahead, Some(Side::White), "{tie} {holder}");
    }
    assert_eq!(ahead("side", "white").ahead, Some(Side::Black));
    // The result depends on the marker's owner, or on the coin.
    for tie in ["marker", "coin"] {
        let advice = ahead(tie, "white");
        assert!(advice.ahead.is_none() && advice.lead.is_none() && advice.verdict.is_none(), "{advice:?}");
    }
}

#[test]
fn games_with_a_bank_have_their_own_shares() {
    let game = |bank: &str, white: i64, scheme: &str| {
        let options = json!({"fen": "3k3R/8/3K4/8/8/8/8/8 w - - 0 1", "white": white, "black": 300 - white, "bank": bank, "scheme": scheme});
        panel(&begin("bidding", options)).unwrap()
    };
    // White's rook captures the king if White moves; otherwise the game is even. White needs 3/4 where Black is paid, 2/3 where
    // the bank is paid, and 5/7 where both are.
    for (bank, needs) in [("nothing", 75), ("all", 100), ("half", 86)] {
        for (white, ahead) in [(needs + 1, Side::White), (needs - 1, Side::Black)] {
            let advice = game(bank, white, "secret");
            assert_eq!(advice.ahead, Some(ahead), "{bank} {white}");
            assert_eq!(
                advice.share.is_none() && advice.verdict.is_some(),
                bank == "nothing",
                "{bank} {white} {advice:?}"
            );
        }
    }
    let advice = game("all", 101, "secret");
    assert_eq!((advice.white.bid, advice.white.action.as_deref()), (Some(100), Some("bid 100")));
    assert_eq!((advice.white.within, advice.white.enough, &*advice.white.moves[0].san), (None, None, "Rxd8#"));
    let open = game("all", 101, "open");
    assert_eq!((open.black.action.as_deref(), open.white.action), (Some("bid 100"), None), "Black moved last");
}

#[test]
fn the_verdict_is_right_where_the_shares_are_wrong() {
    let game = open_game("k7/8/8/8/8/8/8/K6R w - - 0 1", [17, 183], true);
    assert_eq!(game.endgame().unwrap().next_step, NextStep::Offer(Color::Black));
    let advice = panel(&game).unwrap();
    assert_eq!(advice.ahead, Some(Side::Black));
    let verdict = advice.verdict.unwrap();
    assert_eq!((verdict.winner, verdict.total), (Some(Side::White), 200));
    assert_eq!((advice.white.within, advice.black.within), (verdict.within, None));
}

#[test]
#[ignore = "tests/long: takes ten seconds"]
fn advice_keeps_sure_wins_against_an_opponent_who_knows_the_bid() {
    let rng = &mut StdRng::seed_from_u64(12);
    let ties = ["marker", "choice", "coin", "side", "rebid", "loser"];
    let kinds = ["R", "N", "B", "Q", "r", "n"];
    let (mut won, mut tried) = (0, 0);
    while won < often(18) {
        tried += 1;
        // One total and one rule after the other, so that games share the solution.
        let (tie, total) = (ties[won / 3 % ties.len()], [9, 40][won / 18 % 2]);
        let fen = format!("{} w - - 0 1", random_position(rng, kinds[won % kinds.len()]));
        let white = rng.random_range(1..total);
        let price = if won % 2 == 0 { "first" } else { "second" };
        let options = json!({"fen": fen, "white": white, "black": total - white, "scheme": "secret", "tie": tie, "price": price,
            "holder": if rng.random() { "white" } else { "black" }, "negative": won % 3 != 0});
        let mut game = begin("bidding", options.clone());
        let sure = panel(&game).and_then(|advice| advice.verdict).and_then(|verdict| verdict.winner);
        let Some(winner) = sure else { continue };
        let hero = Color::from(winner);
        let mut left = usize::MAX;
        while game.outcome().is_none() {
            let advice = panel(&game).expect("the tables cover the resulting states");
            let place = || format!("{options}, {advice:?}");
            let verdict = advice.verdict.as_ref().unwrap_or_else(|| panic!("{}", place()));
            assert_eq!(verdict.winner, Some(winner), "{}", place());
            let told = advice.hint(hero).action.clone();
            if advice.asked == StepKind::Sealed {
                assert!(
                    verdict.within.unwrap() < left || tie == "rebid",
                    "every auction shortens the win: {}",
                    place()
                );
                left = verdict.within.unwrap();
                let own: i64 = told.unwrap().strip_prefix("bid ").unwrap().parse().unwrap();
                let moment = game.endgame().unwrap();
                let most = moment.chips.unwrap()[(!hero).index()];
                let least = if moment.negative { -most } else { 0 };
                // An equal bid, one more, one less, or a random one.
                let near = [own, own + 1, own - 1, rng.random_range(least..=most)][rng.random_range(0..4)];
                let bids = [(hero, own), (!hero, near.clamp(least, most))];
                for (color, bid) in bids {
                    game.act(Actor::Seat(Seat::of(color)), &format!("bid {bid}"), 0)
                        .unwrap_or_else(|refusal| panic!("{}: {refusal}", place()));
                }
                continue;
            }
            let (actor, said) = match game.awaits().first() {
                None => (Actor::Chance, if rng.random() { "coin white" } else { "coin black" }.to_owned()),
                Some(seat) if seat.color() == hero => (Actor::Seat(*seat), told.expect("the pending side gets advice")),
                Some(seat) => (Actor::Seat(*seat), rival(&game, *seat, &advice, rng)),
            };
            game.act(actor, &said, 0).unwrap_or_else(|refusal| panic!("{}: {said}: {refusal}", place()));
        }
        assert_eq!(game.outcome().unwrap().winner().map(Seat::color), Some(hero), "{options}");
        won += 1;
    }
    assert!(tried < 60 * won, "{won} of {tried}");
}

/// Choice of a losing player: the advice of the shares, its opposite, or a random action.
fn rival(game: &Live, seat: Seat, advice: &Advice, rng: &mut StdRng) -> String {
    if let Some(action) = advice.hint(seat.color()).action.clone().filter(|_| rng.random_ratio(1, 2)) {
        return action;
    }
    let moment = game.endgame().unwrap();
    match advice.asked {
        StepKind::Offer => {
            let own = moment.chips.unwrap()[seat.color().index()];
            format!("bid {}", rng.random_range(if moment.negative { -own } else { 0 }..=own))
        }
        _ => game.advise(seat, Bot::Random, rng, &mut || true).expect("there is a legal action"),
    }
}
