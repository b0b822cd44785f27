//! Measures the value of a piece in test games. An army with two of the piece instead of knights plays the orthodox army.
//!
//! Both sides use the same bot with the same node limit, which is equal time to within a few percent (`benches/worth.rs`). Games
//! are played in pairs with the same opening and reversed colours. The pair's number determines everything.

use std::sync::Arc;

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};

use super::{
    chess_tree::ChessTree,
    game_tree::Tree,
    piece_value,
    search::{Search, SearchLimits},
};
use crate::{
    board::{Betza, Board, Color, Move, Movement, Piece, PieceType, Position, START, Size, Squares, orthodox},
    rules::{Refusal, search_problem::Aim},
};

/// Search limits of each side, including deliberate noise.
const EFFORT: SearchLimits = SearchLimits { depth: 8, nodes: 1_000, noise: 12, seed: 0 };
/// Plies of an opening. All are pawn moves, which both armies have.
const OPENING: usize = 4;
/// Lead at which the game is adjudicated after [`CERTAIN`] plies.
const AHEAD: i32 = 900;
/// Plies for which both sides must agree on the lead.
const CERTAIN: u32 = 6;
/// Plies after which a game is drawn.
const LONGEST: usize = 240;
/// Letter of the tested piece.
const LETTER: char = 'X';
/// Name of an army without a new piece.
const NO_PIECE: &str = "-";

/// An army to test against the orthodox one.
#[derive(Clone, Debug)]
pub enum TrialArmy {
    /// Two of this piece replace the knights.
    Piece(Betza),
    /// The queen's knight is missing.
    KnightLess,
}

/// A side of a test game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrialSide {
    /// The tested army.
    Tried,
    /// The orthodox army.
    Ordinary,
}

/// A test of an army.
pub struct Trial {
    board: Board,
    /// Piece type that replaces the knights, if any.
    kind: Option<u8>,
}

impl Trial {
    /// Prepares the test of an army.
    ///
    /// # Errors
    /// If the piece has abilities that the test games do not support.
    pub fn new(tried: &TrialArmy) -> Result<Trial, Refusal> {
        let mut board = Board::orthodox().clone();
        let kind = match tried {
            TrialArmy::KnightLess => None,
            TrialArmy::Piece(piece) => {
                let size = Size::ORTHODOX;
                let why = [
                    (piece.relayed(size).is_some(), "the test games do not support relays: leave them out"),
                    (piece.first(size).is_some(), "the test games do not support special first moves: leave them out"),
                    (
                        piece.royal,
                        "the value of a royal piece cannot be measured, as its loss ends the game: leave royal- out",
                    ),
                    (
                        piece.repeatable(size).is_some(),
                        "the test games do not support moving twice: leave doublemove out",
                    ),
                ];
                if let Some((_, why)) = why.into_iter().find(|(has, _)| *has) {
                    return Err(Refusal::new(why));
                }
                Some(board.add(PieceType::new(LETTER, "tried", piece, size)))
            }
        };
        Ok(Trial { board, kind })
    }

    /// The test of the army with this name, or `None` for an invalid name.
    pub fn named(army: &str) -> Option<Trial> {
        let size = Size::ORTHODOX;
        let mut board = Board::orthodox().clone();
        let kind = if army == NO_PIECE {
            None
        } else {
            let design = Arc::new(Movement::compile(false, &piece_value::parse_steps(army)?, size));
            let (name, betza) = ("tried".to_owned(), army.to_owned());
            Some(board.add(PieceType {
                letter: LETTER,
                apostrophes: 0,
                name,
                betza,
                design,
                first: None,
                relayed: None,
            }))
        };
        Some(Trial { board, kind }).filter(|trial| trial.name() == army)
    }

    /// Name of the tested army. Different spellings of the same piece have the same name.
    pub fn name(&self) -> String {
        self.kind
            .map_or_else(|| NO_PIECE.to_owned(), |kind| piece_value::steps_text(self.board.kind(kind).design.steps()))
    }

    /// Plays both games of a pair. Returns the half points of the tested army, 0 to 4, or `None` if interrupted. `enough` is
    /// called before every move with the side to move.
    pub fn pair(&self, seed: u64, number: u64, enough: &mut dyn FnMut(TrialSide) -> bool) -> Option<usize> {
        let mut rng = StdRng::seed_from_u64(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number));
        let starts = loop {
            let opening = self.opening(&mut rng);
            let starts = Color::BOTH.map(|color| self.armed(&opening, color));
            let quiet = |start: &Position| Color::BOTH.into_iter().all(|color| !self.board.in_check(start, color));
            if starts.iter().all(quiet) {
                break starts;
            }
        };
        let mut sum = 0;
        for (start, color) in starts.into_iter().zip(Color::BOTH) {
            let mut stops = |mover| enough(if mover == color { TrialSide::Tried } else { TrialSide::Ordinary });
            sum += match self.game(start, &mut rng, &mut stops)? {
                None => 1,
                Some(winner) if winner == color => 2,
                Some(_) => 0,
            };
        }
        Some(sum)
    }

    /// A random opening of the orthodox armies in which only pawns have moved.
    fn opening(&self, rng: &mut StdRng) -> Position {
        let mut position = self.board.parse_fen(START).expect("the orthodox start is a valid FEN");
        for _ in 0..OPENING {
            let pawn = |mv: &Move| position.piece(mv.from).is_some_and(|piece| piece.kind == orthodox::PAWN);
            let moves: Vec<Move> = self.board.moves(&position).into_iter().filter(pawn).collect();
            let Some(mv) = moves.choose(rng) else { break };
            position = self.board.after(&position, *mv);
        }
        // An en passant capture would favour one side.
        position.en_passant = Squares::EMPTY;
        position
    }

    /// The opening, with the tested army on one side.
    fn armed(&self, opening: &Position, color: Color) -> Position {
        let mut position = *opening;
        let knights = position.of_kind(color, orthodox::KNIGHT);
        match self.kind {
            Some(kind) => {
                for square in knights {
                    position.put(&self.board, square, Piece { color, kind });
                }
            }
            None => position.remove(
                knights.min_by_key(|square| square.file()).expect("only pawns have moved, so there are knights"),
            ),
        }
        position
    }

    /// Plays a game. Returns the winner, `Some(None)` for a draw, or `None` if interrupted.
    fn game(&self, start: Position, rng: &mut StdRng, enough: &mut dyn FnMut(Color) -> bool) -> Option<Option<Color>> {
        let arena = ChessTree::new(&self.board, Aim::Mate, None);
        let (mut position, mut keys, mut ahead) = (start, Vec::new(), (Color::White, 0));
        for _ in 0..LONGEST {
            if enough(position.turn) {
                return None;
            }
            let moment = arena.moment(&position);
            let key = arena.key(&moment);
            if arena.verdict(&moment).is_some() || keys.iter().filter(|known| **known == key).count() == 2 {
                return Some(None);
            }
            let moves = self.board.moves(&position);
            let mv = match moves.as_slice() {
                [] if self.board.in_check(&position, position.turn) => return Some(Some(!position.turn)),
                [] => return Some(None),
                [only] => *only,
                [_, _, ..] => {
                    let effort = SearchLimits { seed: rng.random(), ..EFFORT };
                    let found = Search::new(&arena, effort, keys.clone(), &mut || false).best(&moment)?;
                    let leader = if found.score > 0 { position.turn } else { !position.turn };
                    ahead = match ahead {
                        _ if found.score.abs() < AHEAD => (leader, 0),
                        (known, plies) if known == leader => (leader, plies + 1),
                        (_, _) => (leader, 1),
                    };
                    if ahead.1 >= CERTAIN {
                        return Some(Some(leader));
                    }
                    found.mv
                }
            };
            keys.push(key);
            position = self.board.after(&position, mv);
        }
        Some(None)
    }
}
