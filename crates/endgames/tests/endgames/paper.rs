//! The paper's own method, with big integers and simplest fractions, compared with the tables.

use dashu_ratio::RBig;
use zorkmid_endgames::{
    Horizon, MAX_HORIZON, Material,
    board::Size,
    reference_method::{Thresholds, simplest},
};

use super::{orthodox, table};

/// Number of guesses s_n that differ from the table.
fn wrong(thresholds: &Thresholds, size: Size) -> usize {
    let table = table(size);
    thresholds
        .positions()
        .filter(|(setup, lower, upper)| simplest(lower.clone(), upper.clone()) != *table.value(*setup))
        .count()
}

/// Checks that the guesses are right from n on, and not before.
fn right_from(material: Material, n: usize) {
    let mut thresholds = Thresholds::new(Size::ORTHODOX, &[Material::Bare, material]);
    while thresholds.n() < n - 1 {
        thresholds.step();
    }
    assert!(wrong(&thresholds, Size::ORTHODOX) > 0, "{material} is right at {} already", n - 1);
    thresholds.step();
    assert_eq!(wrong(&thresholds, Size::ORTHODOX), 0, "{material} at {n}");
    assert_eq!(thresholds.violated(), 0);
}

#[test]
fn bishop_from_30_on() {
    right_from(Material::Bishop, 30);
}

#[test]
fn queen_from_156_on() {
    right_from(Material::Queen, 156);
}

#[test]
#[ignore = "tests/long: takes half a minute"]
fn rook_from_331_on() {
    right_from(Material::Rook, 331);
}

#[test]
fn thresholds_enclose_every_value() {
    let table = orthodox();
    let mut thresholds = Thresholds::new(Size::ORTHODOX, &Material::ALL);
    while thresholds.n() < 40 {
        thresholds.step();
    }
    for (setup, lower, upper) in thresholds.positions() {
        let value = table.value(setup);
        assert!(lower <= *value && *value <= upper, "{setup:?}");
    }
}

#[test]
fn whole_small_boards() {
    for (width, height, n) in [(3, 3, 200), (3, 4, 400), (4, 3, 400), (4, 4, 700)] {
        let size = Size::new(width, height).unwrap();
        let mut thresholds = Thresholds::new(size, &Material::ALL);
        while thresholds.n() < n {
            thresholds.step();
        }
        assert_eq!(wrong(&thresholds, size), 0, "{size}");
        assert_eq!(thresholds.violated(), 0, "{size}");
    }
}

#[test]
#[ignore = "tests/long: takes ten seconds"]
fn horizon_matches_the_reference_method() {
    for (width, height, most) in [(4, 4, MAX_HORIZON), (3, 5, 9), (8, 8, 9)] {
        let size = Size::new(width, height).unwrap();
        let table = table(size);
        let mut thresholds = Thresholds::new(size, &Material::ALL);
        while thresholds.n() < most {
            thresholds.step();
        }
        for (setup, lower, upper) in thresholds.positions().step_by(if width == 8 { 9001 } else { 211 }) {
            let horizon = Horizon::of(&table, setup, false, most);
            assert_eq!(horizon.alpha.len(), most + 1);
            assert_eq!((&horizon.alpha[most], &horizon.beta[most]), (&lower, &upper), "{size} {setup:?}");
            assert_eq!(horizon.simplest(), simplest(lower, upper));
            assert!(horizon.alpha.is_sorted() && horizon.beta.is_sorted_by(|a, b| a >= b));
            let turned = Horizon::of(&table, setup, true, most);
            assert_eq!(turned.alpha[most], RBig::ONE - &horizon.beta[most]);
            assert_eq!(turned.beta[most], RBig::ONE - &horizon.alpha[most]);
        }
    }
}
