//! Other boards: no position with three pieces has α < β on any of them (§14), since every table is certified.

use zorkmid::{
    board::Size,
    richman::{Unsolved, solve},
};

#[test]
fn every_smaller_board_has_a_certified_table() {
    for width in 3..=8 {
        for height in 3..=8 {
            let size = Size::new(width, height).unwrap();
            let table = solve(size, &mut |_| ()).unwrap_or_else(|error| panic!("{size}: {error}"));
            table.verify(&mut |_| ()).unwrap_or_else(|flaw| panic!("{size}: {flaw}"));
            assert_eq!(table.digest().len(), 64);
        }
    }
}

#[test]
fn boards_that_are_too_small_are_refused() {
    let size = Size::new(2, 8).unwrap();
    assert_eq!(solve(size, &mut |_| ()).err(), Some(Unsolved::Board(size)));
}
