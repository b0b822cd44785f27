//! The paper's own method, with big integers and simplest fractions, compared with the tables.

use dashu_ratio::RBig;
use zorkmid_endgames::{
    Horizon, MAX_HORIZON, Material, Reproduction,
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

#[test]
fn fast_computation_matches_the_reference_method() {
    for (width, height, n) in [(3, 4, 150), (4, 3, 70)] {
        let size = Size::new(width, height).unwrap();
        let table = table(size);
        let (mut fast, mut thresholds) = (Reproduction::new(&table, n), Thresholds::new(size, &Material::ALL));
        let mut saved = Vec::new();
        for step in 1..=n {
            fast.step(2);
            thresholds.step();
            if step == 66 {
                fast.write(&mut saved).unwrap();
            }
            if step % 13 > 0 && step != n {
                continue;
            }
            let counts = fast.counts();
            for count in &counts {
                let own = || thresholds.positions().filter(|(setup, ..)| setup.material == count.material);
                let right = |(setup, lower, upper): &(_, RBig, RBig)| {
                    simplest(lower.clone(), upper.clone()) == *table.value(*setup)
                };
                assert_eq!(
                    (count.n, count.positions, count.stable),
                    (step, own().count(), own().filter(right).count())
                );
                let widest = own().map(|(_, lower, upper)| upper - lower).max().unwrap();
                let power = |digits: usize| RBig::ONE / RBig::from(10_u8).pow(digits as isize);
                assert!(widest < power(count.digits) && widest >= power(count.digits + 1), "{count:?}: {widest}");
            }
            assert_eq!(fast.complete(), counts.iter().map(|count| count.stable == count.positions).collect::<Vec<_>>());
        }
        // A saved state continues to the same thresholds.
        let mut resumed = Reproduction::new(&table, n);
        resumed.resume(&mut saved.as_slice()).unwrap();
        assert_eq!(resumed.n(), 66);
        while resumed.n() < n {
            resumed.step(1);
        }
        assert_eq!(resumed.counts(), fast.counts());
        saved[30] ^= 1;
        assert!(resumed.resume(&mut saved.as_slice()).is_err());
    }
}

#[test]
fn log_of_the_computation_has_the_published_numbers() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reproduction.csv");
    let log = std::fs::read_to_string(path).unwrap();
    let rows: Vec<Vec<&str>> = log.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let number = |text: &str| text.parse::<usize>().unwrap();
    // The material and the step from which all of its guesses are right (§7).
    let settled = |material: &str| {
        let right = |row: &&Vec<&str>| row[0] == material && row[2] == row[3];
        number(rows.iter().find(right).unwrap()[1])
    };
    for (material, n) in [("KBvK", 30), ("KQvK", 156), ("KRvK", 331)] {
        assert_eq!(settled(material), n, "{material}");
    }
    assert_eq!(settled("KNvK").max(settled("KPvK")), 2644);
    // The bound on β − α after a thousand steps (§7).
    let thousand = rows.iter().filter(|row| row[1] == "1000");
    assert_eq!(thousand.map(|row| number(row[5])).min(), Some(91));
}
