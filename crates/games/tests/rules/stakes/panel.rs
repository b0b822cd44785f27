//! Endgame values beside a game: who is ahead, recommended bids and answers, and mistakes.

use num_rational::Ratio;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;
use zorkmid_games::{
    board::{Board, Color},
    richman::{Advice, FourFiles, Fraction, NEVER_STOP, Thresholds, advise, find_winner_changes},
    rules::{
        Endgame, Side,
        endgame::{Bank, NextStep, Price, Settlement, Tie},
    },
};

use crate::often::often;

use super::{LEVELS, TABLE, begin, consult, say};

/// In the source's figure 1, White's rook captures the king if White moves; otherwise the game is even.
const FIGURE: &str = "R2k4/8/3K4/8/8/8/8/8";
/// The zugzwang of figure 8.
const ZUGZWANG: &str = "8/8/8/8/3k4/8/8/K2N4";

fn moment(fen: &str, asked: NextStep, chips: [i64; 2]) -> Endgame {
    let mut position = Board::orthodox().parse_fen(&format!("{fen} w - - 0 1")).unwrap();
    position.halfmove = 0;
    let open = matches!(asked, NextStep::Offer(_) | NextStep::Answer { .. });
    let sealed = (!open).then_some(Settlement { tie: Tie::Coin, price: Price::First, holder: Color::White });
    Endgame {
        position,
        next_step: asked,
        chips: Some(chips),
        sealed,
        bank: Bank::Nothing,
        negative: true,
        turns_left: 400,
    }
}

fn exact(fraction: &Fraction) -> Ratio<i64> {
    Ratio::new(fraction.num.parse().unwrap(), fraction.den.parse().unwrap())
}

fn sans(advice: &Advice, color: Color) -> Vec<&str> {
    advice.hint(color).moves.iter().map(|mv| mv.san.as_str()).collect()
}

#[test]
fn figure_1_is_won_with_more_than_a_quarter() {
    for (chips, ahead, lead) in
        [([26, 74], Some(Side::White), 1), ([25, 75], None, 0), ([24, 76], Some(Side::Black), -1)]
    {
        let advice = consult(&moment(FIGURE, NextStep::Sealed, chips));
        assert_eq!((exact(&advice.value), exact(&advice.bid)), (Ratio::new(3, 4), Ratio::new(1, 4)));
        assert_eq!((advice.ahead, exact(advice.lead.as_ref().unwrap())), (ahead, lead.into()));
        assert_eq!(sans(&advice, Color::White), ["Rxd8#"]);
        assert_eq!(sans(&advice, Color::Black), ["Kc7", "Kd7", "Ke7"]);
    }
    // With this many chips rounding does not matter: White captures the king, or keeps more than half in an even game.
    let advice = consult(&moment(FIGURE, NextStep::Sealed, [400_000, 600_000]));
    assert_eq!(advice.white.action.as_deref(), Some("bid 250000"));
    assert!(advice.white.within.is_some() && advice.black.within.is_none() && advice.black.enough.is_none());
}

#[test]
fn the_buyer_has_already_paid_for_the_move() {
    // Black has paid 26 and moves: 52 against 48, and the game is even.
    let advice = consult(&moment(FIGURE, NextStep::Move(Color::Black), [52, 48]));
    assert_eq!((advice.ahead, advice.mover), (Some(Side::White), Some(Side::Black)));
    assert_eq!(advice.black.action.as_deref(), Some("d8c7"));
    assert_eq!((advice.white.action, advice.white.bid, advice.black.bid), (None, None, None));
    // White is to move and captures the king, however few chips it has.
    let advice = consult(&moment(FIGURE, NextStep::Move(Color::White), [0, 100]));
    assert_eq!((advice.ahead, advice.white.within), (Some(Side::White), Some(1)));
    assert_eq!(advice.white.action.as_deref(), Some("a8d8"));
}

#[test]
fn open_bids_are_answered_by_the_chips() {
    let answer = |bid: i64, chips: [i64; 2]| {
        consult(&moment(FIGURE, NextStep::Answer { bidder: Color::Black, bid }, chips)).white.action.unwrap()
    };
    // If White can pay, it captures the king.
    assert_eq!(answer(30, [40, 60]), "reject");
    assert_eq!(answer(60, [40, 60]), "accept", "White does not have that many");
    assert_eq!(answer(-50, [40, 60]), "reject", "White cannot pay that");
    let advice = consult(&moment(ZUGZWANG, NextStep::Answer { bidder: Color::White, bid: 0 }, [500_000, 500_000]));
    assert_eq!(advice.white.action, None, "the bidder waits");
    assert_eq!(advice.black.action.as_deref(), Some("accept"), "in zugzwang a free move is not wanted");
}

#[test]
fn advised_bids_are_legal() {
    let levels = Thresholds::solve(&TABLE, 16, false);
    let sealed = moment(ZUGZWANG, NextStep::Sealed, [500_000, 500_000]);
    let advice = consult(&sealed);
    assert!(advice.black.bid.unwrap() < 0, "figure 8 is a zugzwang");
    let advice = advise(&TABLE, Some(&levels), &Endgame { negative: false, ..sealed }, NEVER_STOP).unwrap();
    assert!(advice.white.bid.unwrap() >= 0 && advice.black.bid == Some(0));
    assert!(advice.white.within.is_some());
}

#[test]
fn wins_after_the_quiet_turn_draw_are_not_sure() {
    let far = moment("8/8/2k5/4R3/8/8/8/3K4", NextStep::Sealed, [400_000, 600_000]);
    let within = consult(&far).white.within.unwrap();
    assert!(within > 3);
    assert_eq!(consult(&Endgame { turns_left: within as i64, ..far }).white.within, Some(within));
    assert_eq!(consult(&Endgame { turns_left: within as i64 - 1, ..far }).white.within, None);
}

#[test]
fn narrow_wins_report_the_chips_they_need() {
    let share =
        |total: i64| consult(&moment("8/8/2k5/4R3/8/8/8/3K4", NextStep::Sealed, [total / 4, total - total / 4]));
    let few = share(20);
    assert_eq!((few.ahead, few.white.within), (Some(Side::White), None));
    let enough = few.white.enough.unwrap().div_euclid(4) * 4 + 4;
    assert!(share(enough).white.within.is_some(), "{enough}");
    assert!(enough < 10_000);
}

#[test]
fn the_number_of_stored_levels_changes_nothing() {
    let rng = &mut StdRng::seed_from_u64(5);
    let strides = [8, 3, 128].into_iter().take(often(1));
    let sparse: Vec<Thresholds> = strides.map(|stride| Thresholds::solve(&TABLE, stride, true)).collect();
    for fen in [FIGURE, ZUGZWANG, "8/8/8/8/k7/5K2/6B1/8", "2k5/8/8/8/8/8/1P6/K7", "3k4/8/8/3p4/8/8/8/4K3"] {
        for asked in [NextStep::Sealed, NextStep::Offer(Color::White), NextStep::Move(Color::Black), NextStep::Coin(9)]
        {
            let black = rng.random_range(1..1_000_000);
            let moment = moment(fen, asked, [1_000_000 - black, black]);
            let dense = advise(&TABLE, Some(&LEVELS), &moment, NEVER_STOP).unwrap();
            for levels in &sparse {
                let advice = advise(&TABLE, Some(levels), &moment, NEVER_STOP).unwrap();
                for color in Color::BOTH {
                    let (own, other) = (advice.hint(color), dense.hint(color));
                    assert_eq!(
                        (own.bid, &own.action, own.within, &own.moves),
                        (other.bid, &other.action, other.within, &other.moves)
                    );
                }
            }
        }
    }
}

#[test]
fn advice_is_symmetric_in_colours_and_ranks() {
    let one = consult(&moment("8/8/2k5/4R3/8/8/8/3K4", NextStep::Sealed, [310_000, 690_000]));
    let other = consult(&moment("3k4/8/8/8/4r3/2K5/8/8", NextStep::Sealed, [690_000, 310_000]));
    assert_eq!(exact(&one.value) + exact(&other.value), 1.into());
    assert_eq!((one.ahead, other.ahead), (Some(Side::White), Some(Side::Black)));
    assert_eq!((one.white.bid, one.white.within), (other.black.bid, other.black.within));
    assert_eq!(exact(&one.lead.unwrap()), -exact(&other.lead.unwrap()));
}

#[test]
fn the_losing_step_is_found() {
    let found = |options: serde_json::Value, lines: &[&str]| {
        let mut game = begin("bidding", options);
        say(&mut game, lines);
        let moments = game.endgames();
        assert_eq!(moments.len(), game.ply() + 1);
        let swings = find_winner_changes(&TABLE, &FourFiles::default(), &moments, NEVER_STOP);
        swings.into_iter().map(|swing| (swing.ply, swing.from, swing.to, swing.what.name())).collect::<Vec<_>>()
    };
    let (white, black) = (Some(Side::White), Some(Side::Black));
    let open = json!({"fen": FIGURE, "white": 30, "black": 70});
    // Black must bid at least 25 of 100 to survive, and White can pay 30.
    assert_eq!(found(open.clone(), &["two bid 31", "one accept", "two d8d7"]), []);
    assert_eq!(found(open.clone(), &["two bid 31", "one accept", "two d8c8"]), [], "it was lost before");
    let even = json!({"fen": FIGURE, "white": 20, "black": 80});
    assert_eq!(found(even.clone(), &["two bid 25", "one accept", "two d8d7"]), []);
    assert_eq!(found(even.clone(), &["two bid 15"]), [(1, black, white, "bid")], "White can pay and captures the king");
    assert_eq!(found(even.clone(), &["two bid 25", "one accept", "two d8e8"]), [(3, black, white, "move")]);
    let sealed = json!({"fen": FIGURE, "white": 40, "black": 60, "scheme": "secret"});
    assert_eq!(found(sealed.clone(), &["one bid 39", "two bid 38"]), []);
    assert_eq!(found(sealed.clone(), &["one bid 2", "two bid 3"]), [(1, white, black, "bid")]);
    let answered = json!({"fen": FIGURE, "white": 40, "black": 60});
    assert_eq!(found(answered, &["two bid 1", "one accept"]), [(2, white, black, "answer")]);
    // By the shares Black is ahead, but with these whole chips Black has lost.
    let whole = json!({"fen": "k7/8/8/8/8/8/8/K6R w - - 0 1", "white": 17, "black": 183});
    assert_eq!(found(whole.clone(), &["two bid 1"]), [], "it was lost before");
    let mut game = begin("bidding", whole);
    say(&mut game, &["two bid 1", "one accept"]);
    assert!(
        find_winner_changes(&TABLE, &FourFiles::default(), &game.endgames(), NEVER_STOP)
            .iter()
            .all(|swing| swing.exact)
    );
    let coin = json!({"fen": FIGURE, "white": 40, "black": 60, "scheme": "secret", "tie": "coin"});
    assert_eq!(found(coin.clone(), &["one bid 5", "two bid 5", "chance coin black"]), [(2, white, black, "coin")]);
    assert_eq!(found(coin, &["one bid 5", "two bid 5", "chance coin white"]), []);
}
