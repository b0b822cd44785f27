//! What the tables are solved with, each file taken in alone: rings of positions are found, and linear systems are solved.

#[path = "../../games/src/richman/components.rs"]
mod components;
#[path = "../../games/src/richman/exact.rs"]
mod exact;

use components::{OUTSIDE, components};
use dashu_ratio::RBig;
use exact::{Equation, solve};

#[test]
fn a_ring_is_one_component_and_comes_after_what_it_leads_to() {
    let successors = [[1, OUTSIDE], [2, 3], [0, 0], [4, OUTSIDE], [4, 4], [0, 5]];
    let mut found = Vec::new();
    components(&successors, |nodes| {
        let mut nodes = nodes.to_vec();
        nodes.sort();
        found.push(nodes);
    });
    assert_eq!(found, [vec![4], vec![3], vec![0, 1, 2], vec![5]]);
}

/// An equation whose numbers are counted in quarters.
fn equation(terms: &[(u32, u32)], constant: u32) -> Equation {
    let part = |n: u32| RBig::from(n) / RBig::from(4);
    let mut equation = Equation { constant: part(constant), ..Equation::default() };
    terms.iter().for_each(|(unknown, n)| equation.add(*unknown, part(*n)));
    equation
}

#[test]
fn a_ring_that_leaks_is_solved_and_one_that_does_not_is_refused() {
    let leaking = vec![equation(&[(1, 2)], 2), equation(&[(2, 2), (1, 1)], 0), equation(&[(0, 2), (1, 2)], 0)];
    let solved = solve(leaking.clone()).unwrap();
    for (own, row) in leaking.iter().enumerate() {
        let right = row.terms.iter().fold(row.constant.clone(), |sum, (x, c)| sum + c * &solved[*x as usize]);
        assert_eq!(solved[own], right);
    }
    assert!(solve(vec![equation(&[(1, 4)], 0), equation(&[(0, 2), (1, 2)], 0)]).is_none());
}
