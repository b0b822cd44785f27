//! Values under other bidding mechanisms: the paper's figures, Richman values for a bank share of zero, and slow solvers that search for the bid
//! instead of using a formula.

use std::collections::HashMap;

use dashu_ratio::RBig;
use zorkmid_endgames::{
    BankShare, BoundedAnswer, DeclinedMoveRule, Interval, Mechanism, NEVER_STOP,
    board::{Color, Size},
    fraction, read,
};

use super::{
    naive::{Place, Rules, over},
    parse, table, value,
};

/// Exact value of a decimal number.
fn decimal(text: &str) -> RBig {
    let (whole, part) = text.split_once('.').unwrap();
    fraction(&format!("{whole}{part}"), &format!("1{}", "0".repeat(part.len()))).unwrap()
}

fn holds(enclosure: &Interval, value: &RBig) -> bool {
    decimal(&enclosure.lo) <= *value && *value <= decimal(&enclosure.hi)
}

fn tax(text: &str) -> BankShare {
    let (num, den) = text.split_once('/').unwrap();
    BankShare::new(num.parse().unwrap(), den.parse().unwrap()).unwrap()
}

fn taxed(tax: BankShare) -> Mechanism {
    Mechanism { tax, ..Mechanism::RICHMAN }
}

/// Mechanism without negative bids in which `mover` makes a move that neither side wants.
fn unpaid_by(mover: Option<Color>) -> Mechanism {
    Mechanism { declined_move_rule: DeclinedMoveRule::Forced(mover), ..Mechanism::RICHMAN }
}

fn ask(fen: &str, mechanism: Mechanism) -> BoundedAnswer {
    let question = read(fen).unwrap();
    question.enclosed(&table(question.size), mechanism, NEVER_STOP).unwrap()
}

/// Returns whether the enclosures of all positions of a board are proved.
fn certified(size: Size, mechanism: Mechanism) -> bool {
    let (width, height) = (size.width() as usize, size.height() as usize);
    let empty = vec![width.to_string(); height - 3].join("/");
    // A pawn can promote to any piece, and every piece can be captured.
    let fen = format!("k{}/{empty}{}P{}/{}K", width - 1, if empty.is_empty() { "" } else { "/" }, width - 1, width - 1);
    let fen = if height == 3 { format!("k{}/P{}/{}K", width - 1, width - 1, width - 1) } else { fen };
    let rest = ["N", "B", "R", "Q"].map(|piece| fen.replace('P', piece));
    rest.iter().chain([&fen]).all(|fen| read(fen).unwrap().certified(&table(size), mechanism).unwrap())
}

/// The position with ranks and colours exchanged.
fn recoloured(fen: &str) -> String {
    let swap = |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
    fen.split('/').rev().map(|row| row.chars().map(swap).collect::<String>()).collect::<Vec<String>>().join("/")
}

#[test]
fn figures_with_a_bank() {
    let one = RBig::ONE;
    for line in include_str!("mechanisms.txt").lines().filter(|line| !line.starts_with('#')) {
        let [figure, fen, share, worth] = line.split("; ").collect::<Vec<&str>>().try_into().unwrap();
        let answer = ask(fen, taxed(tax(share)));
        let mirrored = ask(&recoloured(fen), taxed(tax(share)));
        println!("{line}: {} {}, bid {} {}", answer.alpha.lo, answer.beta.hi, answer.bid.lo, answer.bid.hi);
        assert!(answer.narrow && mirrored.narrow, "figure {figure}");
        if worth.contains('/') {
            assert!(holds(&answer.alpha, &parse(worth)) && holds(&answer.beta, &parse(worth)), "{line}: {answer:?}");
            assert!(holds(&mirrored.alpha, &(&one - parse(worth))), "{line}: {mirrored:?}");
        } else {
            assert!(answer.alpha.lo.starts_with(worth) && answer.beta.hi.starts_with(worth), "{line}: {answer:?}");
        }
    }
    assert!(["1/1", "1/2"].iter().all(|share| certified(Size::ORTHODOX, taxed(tax(share)))));
}

#[test]
fn zero_bank_share_gives_richman_values() {
    for size in [(3, 3), (3, 4), (4, 4)] {
        let size = Size::new(size.0, size.1).unwrap();
        let rules = Rules { width: i32::from(size.width()), height: i32::from(size.height()) };
        for place in rules.places() {
            let fen = rules.fen(&place);
            let (answer, exact) = (ask(&fen, Mechanism::RICHMAN), super::ask(&fen));
            assert_eq!(answer.sharp, (answer.alpha.lo == answer.beta.hi).then_some(true), "{fen}: {answer:?}");
            assert!(holds(&answer.alpha, &value(&exact)) && holds(&answer.beta, &value(&exact)), "{fen}: {answer:?}");
            assert!(
                holds(&answer.bid, &super::exact(&exact.bid.as_ref().unwrap().fraction().unwrap())),
                "{fen}: {answer:?}"
            );
            let known: HashMap<&str, RBig> =
                exact.white.iter().chain(&exact.black).map(|mv| (mv.uci.as_str(), super::after(mv))).collect();
            for mv in answer.white.iter().chain(&answer.black) {
                assert!(holds(&mv.value, &known[mv.uci.as_str()]), "{fen}: {mv:?}");
            }
        }
        assert!(certified(size, Mechanism::RICHMAN));
    }
}

#[test]
#[ignore = "tests/long: takes ten seconds"]
fn zero_bank_share_encloses_all_exact_values() {
    for fen in ["8/8/8/8/3k4/8/8/K2N4", "4N3/8/8/8/8/8/8/k2K4", "8/3P4/4k3/8/8/8/2K5/8", "8/8/2k5/4R3/8/8/8/3K4"] {
        let answer = ask(fen, Mechanism::RICHMAN);
        assert!(answer.narrow && holds(&answer.alpha, &value(&super::ask(fen))), "{fen}: {answer:?}");
    }
    assert!(certified(Size::ORTHODOX, Mechanism::RICHMAN));
}

/// Threshold of Black's share at the price for which moving and not moving are equally good, found by bisection. The side that gains pays, for
/// moving or for not moving.
fn level(high: f64, low: f64, tax: f64) -> f64 {
    let if_won = |price: f64| high * (1.0 - tax * price) - (1.0 - tax) * price;
    let if_lost = |price: f64| low * (1.0 - tax * price) + price;
    let (mut cheap, mut dear) = (0.0, 1.0);
    for _ in 0..52 {
        let price = (cheap + dear) / 2.0;
        if if_won(price) > if_lost(price) { cheap = price } else { dear = price }
    }
    if_won(cheap)
}

/// Values of all positions under a rule for the next move: upwards from zero and downwards from one.
fn solved(options: &[[Vec<usize>; 2]], next: [&dyn Fn(f64, f64) -> f64; 2]) -> [Vec<f64>; 2] {
    let count = options.len();
    [0, 1].map(|end| {
        let mut values = vec![end as f64; count + 2];
        (values[count], values[count + 1]) = (0.0, 1.0);
        for _ in 0..2000 {
            let worths = options.iter().map(|[white, black]| {
                let most = white.iter().map(|id| values[*id]).fold(0.0, f64::max);
                let least = black.iter().map(|id| values[*id]).fold(1.0, f64::min);
                next[end](most, least)
            });
            let worths: Vec<f64> = worths.collect();
            let moved = worths.iter().zip(&values).map(|(new, old)| (new - old).abs()).fold(0.0, f64::max);
            values[..count].copy_from_slice(&worths);
            if moved < 1e-13 {
                break;
            }
        }
        values
    })
}

fn compare(width: i32, height: i32, mechanism: Mechanism, next: [&dyn Fn(f64, f64) -> f64; 2]) -> f64 {
    let rules = Rules { width, height };
    let places = rules.places();
    let numbers: HashMap<&Place, usize> = places.iter().enumerate().map(|(number, place)| (place, number)).collect();
    let number = |place: &Place| match over(place) {
        Some(true) => places.len() + 1,
        Some(false) => places.len(),
        None => numbers[place],
    };
    let options: Vec<[Vec<usize>; 2]> = places
        .iter()
        .map(|place| [true, false].map(|white| rules.options(place, white).iter().map(number).collect()))
        .collect();
    let solved = solved(&options, next);
    let mut gap: f64 = 0.0;
    for (number, place) in places.iter().enumerate() {
        let fen = rules.fen(place);
        let answer = ask(&fen, mechanism);
        let [low, high] = [&answer.alpha.lo, &answer.beta.hi].map(|text| text.parse::<f64>().unwrap());
        gap = gap.max(high - low);
        let [alpha, beta] = [solved[0][number], solved[1][number]];
        assert!(low <= alpha + 1e-9 && beta <= high + 1e-9, "{fen}, {mechanism:?}: {alpha} {beta} {answer:?}");
        assert!(
            (alpha - low).abs() < 1e-8 && (high - beta).abs() < 1e-8,
            "{fen}, {mechanism:?}: {alpha} {beta} {answer:?}"
        );
    }
    println!("{width}×{height}, {mechanism:?}: {} positions, widest enclosure {gap}", places.len());
    assert!(certified(Size::new(width as u8, height as u8).unwrap(), mechanism));
    gap
}

#[test]
fn bid_search_agrees_with_the_formula() {
    for (width, height) in [(3, 3), (3, 4)] {
        for share in ["1/1", "1/2", "2/7"] {
            let (num, den) = share.split_once('/').unwrap();
            let tau = num.parse::<f64>().unwrap() / den.parse::<f64>().unwrap();
            let next = |most: f64, least: f64| level(most.max(least), most.min(least), tau);
            let gap = compare(width, height, taxed(tax(share)), [&next, &next]);
            assert!(gap < 1e-11);
        }
    }
}

/// Share that a non-negative price secures for White if this side moves on equal bids: the best over ever closer prices of the worse of being outbid
/// and outbidding.
fn unpaid(most: f64, least: f64, white: bool) -> f64 {
    let worst = |price: f64| {
        let tied = if white { most - price } else { least + price };
        // A bid of zero cannot win against a lower bid.
        let won = if price > 0.0 { most - price } else { f64::INFINITY };
        won.min(least + price).min(tied)
    };
    let price = ((most - least) / 2.0).max(0.0);
    // A slightly higher or lower price than the balancing one is no better.
    [0.0, 1e-3, -1e-3].map(|off| worst((price + off).max(0.0))).into_iter().fold(f64::NEG_INFINITY, f64::max)
}

#[test]
#[ignore = "tests/long: takes twenty seconds"]
fn price_search_agrees_without_negative_bids() {
    let [white, black] = [true, false].map(|white| move |most: f64, least: f64| unpaid(most, least, white));
    let (mut narrow, mut wide) = (0.0_f64, 0.0_f64);
    for (width, height) in [(3, 3), (3, 4)] {
        for (mover, next) in [(Color::White, &white as &dyn Fn(f64, f64) -> f64), (Color::Black, &black)] {
            narrow = narrow.max(compare(width, height, unpaid_by(Some(mover)), [next, next]));
        }
        wide = wide.max(compare(width, height, unpaid_by(None), [&white, &black]));
    }
    assert!(wide > 0.001 && wide >= narrow, "{wide} {narrow}");
}

#[test]
fn bank_share_is_a_fraction_from_zero_to_one() {
    assert_eq!(BankShare::new(2, 4), BankShare::new(1, 2));
    assert_eq!((BankShare::new(0, 7), BankShare::new(7, 7)), (Some(BankShare::RICHMAN), Some(BankShare::POORMAN)));
    assert!([(1, 0), (3, 2), (1, BankShare::FINEST + 1)].iter().all(|(num, den)| BankShare::new(*num, *den).is_none()));
}
