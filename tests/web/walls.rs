//! Proof for the pawn walls after the paper's Figure 10: a player with more than a quarter of the money need not lose.

use super::*;
use crate::published::recoloured;
use std::collections::BTreeSet;
use zorkmid::{
    board::{Board, Color, Position, Square, orthodox::KING},
    richman::{read, rules},
};

/// Positions after each move of a side.
fn after(board: &Board, position: &Position, mover: Color) -> Vec<Position> {
    let mut from = *position;
    from.turn = mover;
    board.moves(&from).iter().map(|mv| board.after(&from, *mv)).collect()
}

fn king(position: &Position, color: Color) -> Option<Square> {
    position.of_kind(color, KING).only()
}

/// Proves α ≤ 1/4 with bounds z ≥ Φ(z), in quarters: 1 wherever the white king can go without captures, 2 where it has captured a pawn and can
/// be captured, and 4 everywhere else. Black moves back and forth on the last rank, and captures the king where possible.
fn a_quarter_at_most(fen: &str) -> Result<usize, String> {
    let board = rules(Size::ORTHODOX);
    let start = read(fen).map_err(|wrong| wrong.to_string())?.position;
    let taken = |position: &Position| king(position, Color::White).is_none();
    let black = |position: &Position| after(board, position, Color::Black);
    let home = |position: &Position| king(position, Color::Black).is_some_and(|king| king.rank() == 7);
    let units = |position: &Position| position.occupied().len();
    let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
    while let Some(position) = open.pop() {
        if !seen.insert(board.placement_fen(&position)) {
            continue;
        }
        let mut most = 0;
        for next in after(board, &position, Color::White) {
            let quarters = if king(&next, Color::Black).is_none() {
                4
            } else if units(&next) < units(&position) {
                if black(&next).iter().any(taken) { 2 } else { 4 }
            } else {
                open.push(next);
                1
            };
            most = most.max(quarters);
        }
        let replies = black(&position);
        let waits: Vec<Position> = replies
            .iter()
            .filter(|next| home(next) && !taken(next) && units(next) == units(&position))
            .copied()
            .collect();
        let least = match (replies.iter().any(taken), waits.is_empty()) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => 4,
        };
        open.extend(waits);
        if most + least > 2 {
            return Err(format!("{}: ({most} + {least}) / 2 quarters", board.placement_fen(&position)));
        }
    }
    Ok(seen.len())
}

#[tokio::test]
async fn neither_side_has_a_sure_win_behind_walls() {
    let site = solved();
    let page = get(&site, "/endgames").await;
    let (before, _) = page.page(200).split_once("\">After Figure 10</a>").expect("a position of the gallery");
    let fen = before.rsplit_once("fen=").unwrap().1;
    for side in [fen.to_owned(), recoloured(fen)] {
        assert!(a_quarter_at_most(&side).unwrap() > 100, "{side}");
    }
    // As in §13: a king on d4 can be captured, or captures on e5, where the pawn on d6 captures it.
    assert_eq!(
        a_quarter_at_most(&fen.replacen("/1p1p1p1p/", "/1p3p1p/", 1)).ok(),
        None,
        "no wall without the pawn on d6"
    );
    let page = get(&site, &format!("/endgames?fen={fen}")).await;
    assert!(page.page(200).contains("α ≤ 1/4, β ≥ 3/4"));
    assert!(!page.body.contains("No value is known here"));
}
