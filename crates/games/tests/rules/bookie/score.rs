//! Points of the source's examples, and of every option.

use num_rational::Ratio;
use zorkmid_games::{
    board::Color::{self, Black, White},
    rules::Seat,
    variants::bookie::{Bid, Bids, Decided, Decision, Handicap, Handicapped, Options, Stakes, Verdict, Wager, decimal},
};

fn bids(one: u8, two: u8) -> Bids {
    Bids { one: Bid::new(one).unwrap(), two: Bid::new(two).unwrap() }
}

/// Adam in the first seat bids 87 on White and 13 on Black, Barb 65 and 35.
fn adam_and_barb() -> Wager {
    let bids = bids(87, 65);
    assert_eq!(bids.white(), Some(Seat::One));
    Wager::new(bids, Seat::One).unwrap()
}

fn points(one: (i64, i64), two: (i64, i64)) -> [Ratio<i64>; 2] {
    [Ratio::new(one.0, one.1), Ratio::new(two.0, two.1)]
}

const NOTHING: (i64, i64) = (0, 1);
const RESULTS: [Verdict; 3] = [Verdict::Win(White), Verdict::Win(Black), Verdict::Draw];

#[test]
fn adam_and_barb_score_as_in_the_source() {
    let wager = adam_and_barb();
    let plain = Options::default();
    let score = |verdict| wager.score(&plain, Stakes::Base, verdict);
    assert_eq!(wager.color(Seat::One), White);
    assert_eq!((wager.stake(White), wager.stake(Black)), (35, 87));
    assert_eq!(score(Verdict::Win(White)), points((35, 1), NOTHING));
    assert_eq!(score(Verdict::Win(Black)), points(NOTHING, (87, 1)));
    assert_eq!(score(Verdict::Draw), points((35, 2), (87, 2)));
    assert_eq!(score(Verdict::Draw).map(|points| decimal(&points).unwrap()), ["17.5", "43.5"]);
    assert_eq!(score(Verdict::Draw).map(|points| points.to_string()), ["35/2", "87/2"]);
}

#[test]
fn carl_gains_72_with_a_handicap_of_20() {
    // Diane in the first seat bids 60 on her colour. Carl has a handicap of 20 percent and wins.
    for (bids, white, carls) in [(bids(60, 40), Seat::One, Black), (bids(40, 55), Seat::Two, White)] {
        let wager = Wager::new(bids, white).unwrap();
        for whose in [Handicapped::Seat(Seat::Two), Handicapped::Color(carls)] {
            let handicap = Some(Handicap { percent: Ratio::from_integer(20), whose });
            let options = Options { handicap, ..Options::default() };
            assert_eq!(wager.score(&options, Stakes::Base, Verdict::Win(carls)), points(NOTHING, (72, 1)));
            let dianes = i64::from(wager.stake(!carls));
            assert_eq!(wager.score(&options, Stakes::Base, Verdict::Win(!carls)), points((dianes, 1), NOTHING));
            assert_eq!(wager.score(&options, Stakes::Base, Verdict::Draw), points((dianes, 2), (36, 1)));
        }
    }
}

#[test]
fn the_higher_bid_on_white_plays_white() {
    assert_eq!(bids(65, 87).white(), Some(Seat::Two));
    assert_eq!(bids(50, 50).white(), None);
    assert!(Wager::new(bids(65, 87), Seat::One).is_err());
    for white in [Seat::One, Seat::Two] {
        let wager = Wager::new(bids(30, 30), white).unwrap();
        assert_eq!((wager.stake(White), wager.stake(Black)), (70, 30));
    }
    let seats = Wager::new(bids(65, 87), Seat::Two).unwrap();
    assert_eq!(seats.score(&Options::default(), Stakes::Base, Verdict::Win(White)), points(NOTHING, (35, 1)));
    assert_eq!(seats.score(&Options::default(), Stakes::Base, Verdict::Win(Black)), points((87, 1), NOTHING));
}

#[test]
fn both_stakes_sum_to_100_and_the_difference_of_the_bids() {
    for one in 0..=100u8 {
        for two in 0..=one {
            let wager = Wager::new(bids(one, two), Seat::One).unwrap();
            assert_eq!(u32::from(wager.stake(White)) + u32::from(wager.stake(Black)), 100 + u32::from(one - two));
            for verdict in RESULTS {
                let [first, second] = wager.score(&Options::default(), Stakes::Base, verdict);
                assert!(first >= Ratio::ZERO && second >= Ratio::ZERO && first <= Ratio::from_integer(100));
            }
        }
    }
}

#[test]
fn black_wins_draws() {
    let options = Options { black_wins_draws: true, ..Options::default() };
    let score = |verdict| adam_and_barb().score(&options, Stakes::Base, verdict);
    assert_eq!(score(Verdict::Draw), points(NOTHING, (87, 1)));
    assert_eq!(score(Verdict::Draw), score(Verdict::Win(Black)));
    assert_eq!(score(Verdict::Win(White)), points((35, 1), NOTHING));
}

#[test]
fn stakes_grow_only_if_both_play_on() {
    let wager = adam_and_barb();
    let options = Options { double: Some(Ratio::new(5, 2)), ..Options::default() };
    let (play, concede) = (Decision::Play, Decision::Concede);
    assert_eq!(wager.decide([play, play]), Decided::Play);
    assert_eq!(wager.score(&options, Stakes::Grown, Verdict::Win(Black)), points(NOTHING, (435, 2)));
    assert_eq!(wager.score(&options, Stakes::Grown, Verdict::Draw), points((175, 4), (435, 4)));
    for (decisions, verdict, score) in [
        ([play, concede], Verdict::Win(White), points((35, 1), NOTHING)),
        ([concede, play], Verdict::Win(Black), points(NOTHING, (87, 1))),
        ([concede, concede], Verdict::Draw, points((35, 2), (87, 2))),
    ] {
        assert_eq!(wager.decide(decisions), Decided::Over(verdict));
        assert_eq!(wager.score(&options, Stakes::Base, verdict), score);
    }
    // Without the option the stakes do not grow.
    assert_eq!(wager.score(&Options::default(), Stakes::Grown, Verdict::Win(Black)), points(NOTHING, (87, 1)));
    // Conceding depends on the seat, winning on the colour.
    let turned = Wager::new(bids(65, 87), Seat::Two).unwrap();
    assert_eq!(turned.decide([play, concede]), Decided::Over(Verdict::Win(Black)));
    assert_eq!(turned.decide([concede, play]), Decided::Over(Verdict::Win(White)));
}

#[test]
fn options_combine_in_order() {
    let wager = adam_and_barb();
    let handicap = Some(Handicap { percent: Ratio::new(25, 2), whose: Handicapped::Color(Black) });
    let mut options = Options { double: Some(Ratio::from_integer(3)), handicap, ..Options::default() };
    // 87, halved, times 3, times 9/8.
    assert_eq!(wager.score(&options, Stakes::Grown, Verdict::Draw), points((105, 2), (2349, 16)));
    options.black_wins_draws = true;
    assert_eq!(wager.score(&options, Stakes::Grown, Verdict::Draw), points(NOTHING, (2349, 8)));
    assert_eq!(wager.score(&options, Stakes::Base, Verdict::Draw), points(NOTHING, (783, 8)));
}

#[test]
fn extreme_numbers_stay_exact() {
    let awkward = Ratio::new(1000, 999);
    let wager = Wager::new(bids(100, 3), Seat::One).unwrap();
    for (double, percent) in [(awkward, Ratio::new(997, 991)), (Ratio::from_integer(1000), Ratio::from_integer(1000))] {
        for whose in [Handicapped::Seat(Seat::One), Handicapped::Seat(Seat::Two)] {
            let options =
                Options { double: Some(double), handicap: Some(Handicap { percent, whose }), ..Options::default() };
            let growth = |seat| match whose {
                Handicapped::Seat(own) if own == seat => Ratio::ONE + percent / 100,
                Handicapped::Seat(_) | Handicapped::Color(_) => Ratio::ONE,
            };
            let half = Ratio::new(1, 2) * double;
            let [one, two] = wager.score(&options, Stakes::Grown, Verdict::Draw);
            assert_eq!(one, half * 97 * growth(Seat::One));
            assert_eq!(two, half * 100 * growth(Seat::Two));
        }
    }
}

#[test]
fn finite_decimals_are_shown() {
    for (numer, denom, expected) in [
        (87, 2, Some("43.5")),
        (72, 1, Some("72")),
        (0, 1, Some("0")),
        (1, 8, Some("0.125")),
        (-7, 4, Some("-1.75")),
        (-1, 20, Some("-0.05")),
        (2349, 16, Some("146.8125")),
        (1, 3, None),
        (35, 6, None),
    ] {
        assert_eq!(decimal(&Ratio::new(numer, denom)).as_deref(), expected, "{numer}/{denom}");
    }
}

#[test]
fn decisions_and_bids_are_parsed_strictly() {
    for percent in 0..=100u8 {
        let bid: Bid = percent.to_string().parse().unwrap();
        assert_eq!((bid.on(White), bid.on(Black)), (percent, 100 - percent));
        assert_eq!(bid.to_string(), percent.to_string());
    }
    for text in ["", "101", "256", "-1", "+5", "5.5", " 5", "87%", "0087", "५", "999999999999999999999"] {
        let refusal = text.parse::<Bid>().unwrap_err().to_string();
        assert_eq!(
            refusal,
            format!("“{text}” is not understood; write a whole number from 0 to 100, your percentage for White")
        );
    }
    for verdict in RESULTS {
        assert_eq!(verdict.to_string().parse(), Ok(verdict));
    }
    for decision in [Decision::Play, Decision::Concede] {
        assert_eq!(decision.to_string().parse(), Ok(decision));
    }
    assert!("White".parse::<Verdict>().is_err() && "".parse::<Decision>().is_err());
    assert_eq!("white".parse(), Ok(Verdict::Win(Color::White)));
}
