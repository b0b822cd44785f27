//! Other boards: every table is certified, so no position with three pieces has α < β on any of them (§14).

use zorkmid_endgames::{State, Tables, Unsolved, board::Size, solve};

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
fn rejects_boards_that_are_too_small() {
    let size = Size::new(2, 8).unwrap();
    assert_eq!(solve(size, &mut |_| ()).err(), Some(Unsolved::Board(size)));
}

#[test]
fn solves_tables_on_first_use_and_keeps_few() {
    let tables = Tables::default();
    let size = |width, height| Size::new(width, height).unwrap();
    assert!(tables.ready(Size::ORTHODOX).is_none());
    assert!(tables.status().iter().all(|status| status.state == State::Waiting && status.progress == 0.0));
    let first = tables.solve(size(3, 3)).unwrap();
    assert_eq!(tables.ready(size(3, 3)).unwrap().digest(), first.digest());
    for height in 3..8 {
        tables.solve(size(3, height)).unwrap();
    }
    assert!(tables.ready(size(3, 3)).is_none(), "the least recently used board is dropped");
    assert!(tables.ready(size(3, 7)).is_some());
    assert_eq!(tables.solve(size(3, 3)).unwrap().digest(), first.digest());
    let orthodox = tables.solve(Size::ORTHODOX).unwrap();
    assert!(std::sync::Arc::ptr_eq(&orthodox, &tables.ready(Size::ORTHODOX).unwrap()));
    let status = tables.status();
    let names: Vec<&str> = status.iter().map(|status| status.material.as_str()).collect();
    assert_eq!(names, ["KvK", "KNvK", "KBvK", "KRvK", "KQvK", "KPvK"]);
    assert!(status.iter().all(|status| status.state == State::Ready && status.progress == 1.0));
    assert_eq!(tables.solve(size(2, 2)).err(), Some(Unsolved::Board(size(2, 2))));
}
