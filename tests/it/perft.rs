//! Published node counts of the move generator.

use zorkmid::board::{Board, START};

#[test]
fn the_start_position() {
    let board = Board::orthodox();
    let start = board.parse_fen(START).unwrap();
    assert_eq!(board.perft(&start, 4), 197_281);
}
