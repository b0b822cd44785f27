//! Sealed bids in whole chips, solved completely on a small board. Every sure win of the panel must be one, whatever the opponent
//! bids and tie winners, and in no more moves than announced.

use std::collections::HashMap;

use zorkmid_games::{
    board::{Color, Piece, Position, Size, Square, orthodox},
    richman::{NEVER_STOP, Thresholds, advise, rules, solve},
    rules::{
        Endgame,
        endgame::{Bank, NextStep, Price, Settlement, Tie},
    },
};

/// Neither side can count on winning a tie.
const COIN: Settlement = Settlement { tie: Tie::Coin, price: Price::First, holder: Color::White };

/// Result of a move.
#[derive(Clone, Copy)]
enum Next {
    /// The mover has captured the king.
    Taken,
    Position(usize),
}

/// All positions of two kings and at most one white piece, with the moves of both sides.
struct World {
    positions: Vec<Position>,
    moves: Vec<[Vec<Next>; 2]>,
}

impl World {
    fn new(size: Size, kind: u8) -> World {
        let board = rules(size);
        let squares: Vec<Square> = size.squares().collect();
        let mut positions = Vec::new();
        for king in &squares {
            for bare in squares.iter().filter(|bare| *bare != king) {
                let mut position = Position::EMPTY;
                position.put(board, *king, Piece { color: Color::White, kind: orthodox::KING });
                position.put(board, *bare, Piece { color: Color::Black, kind: orthodox::KING });
                positions.push(position);
                for piece in squares.iter().filter(|piece| *piece != king && *piece != bare) {
                    let mut position = position;
                    position.put(board, *piece, Piece { color: Color::White, kind });
                    positions.push(position);
                }
            }
        }
        let key = |position: &Position| board.placement_fen(position);
        let places: HashMap<String, usize> = positions.iter().enumerate().map(|(at, one)| (key(one), at)).collect();
        let moves = positions.iter().map(|position| {
            Color::BOTH.map(|mover| {
                let mut from = *position;
                from.turn = mover;
                let next = board.moves(&from).into_iter().map(|mv| {
                    let next = board.after(&from, mv);
                    places.get(&key(&next)).map_or(Next::Taken, |at| Next::Position(*at))
                });
                next.collect()
            })
        });
        let moves = moves.collect();
        World { positions, moves }
    }

    /// Whether `hero` can force the capture of the king, by number of moves, position and number of the opponent's chips.
    fn wins(&self, hero: Color, total: i64, moves: usize) -> Vec<Vec<Vec<bool>>> {
        let chips = total as usize + 1;
        let mut levels = vec![vec![vec![false; chips]; self.positions.len()]];
        for n in 1..=moves {
            let before = &levels[n - 1];
            let after = |next: &Next, theirs: i64, mover: Color| match next {
                Next::Taken => mover == hero,
                Next::Position(at) => (0..=total).contains(&theirs) && before[*at][theirs as usize],
            };
            let sure = |at: usize, theirs: i64| {
                let mine = total - theirs;
                (-mine..=mine).any(|bid| {
                    let gets = self.moves[at][hero.index()].iter().any(|next| after(next, theirs + bid, hero));
                    let least = bid.max(-theirs);
                    let gives = self.moves[at][(!hero).index()].iter().all(|next| after(next, theirs - least, !hero));
                    (gets || bid < -theirs) && (gives || bid > theirs)
                })
            };
            let level = (0..self.positions.len()).map(|at| (0..=total).map(|theirs| sure(at, theirs)).collect());
            let level = level.collect();
            levels.push(level);
        }
        levels
    }
}

#[test]
fn sure_wins_are_confirmed_by_exhaustive_search() {
    let size = Size::new(3, 3).unwrap();
    let table = solve(size, &mut |_| ()).unwrap();
    let levels = Thresholds::solve(&table, 4, true);
    const MOVES: usize = 24;
    for (kind, total) in [(orthodox::ROOK, 9), (orthodox::KNIGHT, 20), (orthodox::BISHOP, 41)] {
        let world = World::new(size, kind);
        for hero in Color::BOTH {
            let wins = world.wins(hero, total, MOVES);
            let (mut called, mut counted) = (0, 0);
            for (at, position) in world.positions.iter().enumerate() {
                for theirs in 0..=total {
                    let mut chips = [total - theirs; 2];
                    chips[(!hero).index()] = theirs;
                    let (asked, left) = (NextStep::Sealed, MOVES as i64);
                    let moment = Endgame {
                        position: *position,
                        next_step: asked,
                        chips: Some(chips),
                        sealed: Some(COIN),
                        bank: Bank::Nothing,
                        negative: true,
                        turns_left: left,
                    };
                    let advice = advise(&table, Some(&levels), &moment, NEVER_STOP).unwrap();
                    if let Some(within) = advice.hint(hero).within {
                        called += 1;
                        let board = rules(size).placement_fen(position);
                        assert!(wins[within][at][theirs as usize], "{board}, {chips:?}: {hero:?} within {within}");
                    }
                    counted += usize::from(wins[MOVES][at][theirs as usize]);
                }
            }
            assert_eq!(called, counted, "every sure win is reported");
        }
    }
}
