//! Tables with one fault, which verification must find, and invariances of a correct table.

use dashu_ratio::RBig;
use zorkmid_endgames::{
    FIRST, Flaw, LOST, Next, Parts, Table, WON,
    board::{Color, Size, orthodox::KING},
    rules, solve, solve_from,
};

fn small() -> Size {
    Size::new(4, 4).unwrap()
}

fn solved() -> Table {
    solve(small(), &mut |_| ()).unwrap()
}

/// Flaw found in a table after `spoil` has changed it.
fn flaw(spoil: impl FnOnce(&mut Parts)) -> Option<Flaw> {
    let mut parts = Parts::from(solved());
    spoil(&mut parts);
    Table::from(parts).verify(&mut |_| ()).err()
}

#[test]
fn verification_finds_every_single_fault() {
    assert_eq!(flaw(|_| ()), None);

    // A position in the middle of the table.
    let right = solved();
    let layer = &right.index().layers()[1];
    let at = layer.ids.start + layer.ids.len() as u32 / 3;
    assert!(at > FIRST && layer.ids.contains(&at));

    let found = flaw(|parts| {
        parts.values.push(right.value_of(at) + RBig::ONE / RBig::from(1_000_000_007u64));
        parts.ids[at as usize] = parts.values.len() as u32 - 1;
    });
    assert!(matches!(found, Some(Flaw::Equation(_))), "{found:?}");

    for player in Color::BOTH {
        let found = flaw(|parts| parts.labels[player.index()][at as usize] += 1);
        assert!(matches!(found, Some(Flaw::Label(_, whose)) if whose == player), "{found:?}");
    }

    let other = |digest: &str| if digest.starts_with('0') { "1" } else { "0" };
    assert_eq!(flaw(|parts| parts.digest.replace_range(..1, other(right.digest()))), Some(Flaw::Digest));

    assert_eq!(flaw(|parts| parts.ids[WON as usize] = parts.ids[LOST as usize]), Some(Flaw::Terminal));
}

#[test]
fn result_does_not_depend_on_floats() {
    let right = solved();
    for sweeps in [0, 1, 2, 3, 5, 9] {
        let table = solve_from(small(), sweeps, &mut |_| ()).unwrap();
        assert_eq!(table.digest(), right.digest(), "{sweeps} sweeps");
    }
}

#[test]
fn positions_and_moves_match_the_board() {
    let table = solved();
    let board = rules(table.size());
    for layer in table.index().layers() {
        for id in layer.ids.clone() {
            let setup = table.index().setup(layer, id);
            assert_eq!(table.index().id(setup), id);
            let position = setup.position(board, Color::White);
            assert_eq!(position.of_kind(Color::White, KING).only(), Some(setup.king));
            for mv in board.moves(&position) {
                let after = board.after(&position, mv);
                match setup.after(Color::White, mv) {
                    Next::KingTaken => assert!(after.of(Color::Black).is_empty()),
                    Next::Setup(next) => assert!(after.same_placement(&next.position(board, Color::White))),
                }
            }
        }
    }
}
