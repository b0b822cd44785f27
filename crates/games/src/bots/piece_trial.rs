//! The worth of a piece, measured: an army with two of it in the place of the knights plays the ordinary army, both led by the same
//! bot with as many positions for a move, which is equal time to within a few percent (`benches/worth.rs`). Games come in pairs with one
//! opening and the colours changed, and everything follows from the number of a pair.

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

/// What each side looks at for a move, and by how much it errs on purpose.
const EFFORT: SearchLimits = SearchLimits { depth: 8, nodes: 1_000, noise: 12, seed: 0 };
/// The plies of an opening; all are moves of pawns, which both armies have.
const OPENING: usize = 4;
/// A side that both judge to be so far ahead for [`CERTAIN`] plies has won.
const AHEAD: i32 = 900;
/// The plies after which a lead is believed.
const CERTAIN: u32 = 6;
/// A game that takes more plies is drawn.
const LONGEST: usize = 240;
/// The letter of the piece that is tried.
const LETTER: char = 'X';
/// The name of an army without a piece of its own.
const NO_PIECE: &str = "-";

/// An army that is tried against the ordinary one.
#[derive(Clone, Debug)]
pub enum TrialArmy {
    /// Two of this piece stand in the place of the knights.
    Piece(Betza),
    /// The knight on the queen's side is missing.
    KnightLess,
}

/// The side of a game of a trial.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TrialSide {
    /// The army that is tried.
    Tried,
    /// The ordinary army.
    Ordinary,
}

/// A trial of an army: the board with its kinds, and the arena for the bots.
pub struct Trial {
    board: Board,
    /// The kind in the place of the knights, if any.
    kind: Option<u8>,
}

impl Trial {
    /// A trial of an army; refused are pieces whose powers the game of the trial does not have.
    ///
    /// # Errors
    /// Says which part of the piece cannot be tried.
    pub fn new(tried: &TrialArmy) -> Result<Trial, Refusal> {
        let mut board = Board::orthodox().clone();
        let kind = match tried {
            TrialArmy::KnightLess => None,
            TrialArmy::Piece(piece) => {
                let size = Size::ORTHODOX;
                let why = [
                    (piece.relayed(size).is_some(), "relays are not played in the games that measure: leave them out"),
                    (
                        piece.first(size).is_some(),
                        "first moves are not told apart in the games that measure: leave them out",
                    ),
                    (
                        piece.royal,
                        "a royal piece decides the game, so that its worth cannot be measured: leave royal- out",
                    ),
                    (
                        piece.repeatable(size).is_some(),
                        "moving twice is not played in the games that measure: leave doublemove out",
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

    /// The trial of an army of which only the name is known; nothing if nobody has given it.
    pub fn named(army: &str) -> Option<Trial> {
        let size = Size::ORTHODOX;
        let mut board = Board::orthodox().clone();
        let kind = if army == NO_PIECE {
            None
        } else {
            let design = Arc::new(Movement::compile(false, &piece_value::parse_steps(army)?, size));
            let (name, betza) = ("tried".to_owned(), army.to_owned());
            Some(board.add(PieceType { letter: LETTER, dress: 0, name, betza, design, first: None, relayed: None }))
        };
        Some(Trial { board, kind }).filter(|trial| trial.name() == army)
    }

    /// A name for the army that is tried: the same for every spelling of a piece that moves alike.
    pub fn name(&self) -> String {
        self.kind
            .map_or_else(|| NO_PIECE.to_owned(), |kind| piece_value::steps_text(self.board.kind(kind).design.steps()))
    }

    /// Plays both games of a pair and gives the half points of the army that is tried, 0 to 4. `enough` is asked before every
    /// move, with the side that is to make it; once it says yes there is no result.
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

    /// A random opening of the ordinary armies in which only pawns have moved.
    fn opening(&self, rng: &mut StdRng) -> Position {
        let mut position = self.board.parse_fen(START).expect("the ordinary start is a position");
        for _ in 0..OPENING {
            let pawn = |mv: &Move| position.piece(mv.from).is_some_and(|piece| piece.kind == orthodox::PAWN);
            let moves: Vec<Move> = self.board.moves(&position).into_iter().filter(pawn).collect();
            let Some(mv) = moves.choose(rng) else { break };
            position = self.board.after(&position, *mv);
        }
        // What a pawn may capture in passing would be open to one side only.
        position.en_passant = Squares::EMPTY;
        position
    }

    /// The opening with the army that is tried on one side.
    fn armed(&self, opening: &Position, color: Color) -> Position {
        let mut position = *opening;
        let knights = position.of_kind(color, orthodox::KNIGHT);
        match self.kind {
            Some(kind) => {
                for square in knights {
                    position.put(&self.board, square, Piece { color, kind });
                }
            }
            None => position.remove(knights.min_by_key(|square| square.file()).expect("an opening has knights")),
        }
        position
    }

    /// Plays a game: the winner, if there is one. No result if it is stopped.
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
