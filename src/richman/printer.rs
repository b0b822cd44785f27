//! Answers as JSON, byte for byte what [`Answer`](super::Answer) becomes, but written in one go: whatever comes back in many answers is
//! kept as text, values are compared by their ranks, and nothing is built that is thrown away.

use std::sync::{Arc, OnceLock};

use dashu_ratio::RBig;
use serde_json::to_string;

use super::{
    graph::{Next, rules},
    index::{Places, Setup, place},
    question::{Question, Standing},
    table::Table,
    values::ValueId,
    worth::{Fraction, Worth},
};
use crate::board::{Board, Color, Move, Position, Square};

/// Texts that are written when they are first needed.
type Texts = Box<[OnceLock<Box<str>>]>;

/// Writes the answers of a table; some twenty megabytes once every position was asked.
pub struct Printer {
    table: Arc<Table>,
    /// The rank of the value of every position among all values, by material and [place](super::index::place).
    ranks: [Vec<Rank>; 6],
    /// The values, the least first.
    sorted: Vec<ValueId>,
    /// The values by their ranks, and one less each, as JSON, and then [`BEST`].
    values: [Texts; 2],
    /// What the move is worth, by position.
    bids: Texts,
    /// The beginnings of moves after a comma, by what is written of them.
    moves: Texts,
}

/// What stands behind the value of a move.
const BEST: &str = ",\"best\":";

/// The place of a value among all values of a table, the least of which is 0.
type Rank = u32;

/// Room for so many texts.
fn room(count: usize) -> Texts {
    (0..count).map(|_| OnceLock::new()).collect()
}

/// A move with what it is sorted by, so that whole numbers decide the order.
struct Ranked {
    /// How far from the best the value is to which it leads; then the UCI text as a number.
    order: u64,
    mv: Move,
    /// What it captures: nothing, a piece or the king.
    captured: usize,
    rank: Rank,
}

/// A number that sorts moves as their UCI texts do.
fn order(board: &Board, mv: Move) -> u64 {
    let letter = mv.promotion.map_or(0, |kind| u64::from(u32::from(board.kind(kind).letter)));
    let at = |square: Square| u64::from(square.file() * 8 + square.rank());
    (at(mv.from) << 6 | at(mv.to)) << 7 | letter
}

/// Different moves from and to the same squares: six kinds move, and a pawn becomes one of four.
const ACTS: usize = 6 + 6;
/// The ways of capturing that SAN tells apart.
const CAPTURES: usize = 3;

impl Printer {
    /// Sorts the values and numbers the positions.
    pub fn new(table: Arc<Table>) -> Printer {
        let count = table.distinct();
        let mut sorted: Vec<ValueId> = (0..count as ValueId).collect();
        sorted.sort_by(|a, b| table.compare(worth(*a, false), worth(*b, false)));
        let mut numbers = vec![0; count];
        for (rank, id) in (0..).zip(&sorted) {
            numbers[*id as usize] = rank;
        }
        let places = Places::new(table.index());
        Printer {
            ranks: places.map(|id| numbers[table.id(id) as usize]),
            sorted,
            values: [room(count), room(count)],
            bids: room(table.index().len()),
            moves: room((ACTS * CAPTURES) << 12),
            table,
        }
    }

    /// The answer about a position of this table, as [`Question::answer`] builds it; nothing where the table does not cover it.
    pub fn print(&self, question: &Question) -> Option<Printed> {
        let Standing::Covered { setup, reversed } = question.standing else { return None };
        let table = &self.table;
        let board = rules(question.size);
        let rank = self.ranks[setup.material as usize][place(setup)];
        let sides = Color::BOTH.map(|mover| self.ranked(board, &question.position, mover, setup, reversed));
        let best = |color: Color| {
            let side = &sides[if reversed { !color } else { color }.index()];
            side.first().map_or(rank, |ranked| ranked.rank)
        };
        let (white, black) = (best(Color::White), best(Color::Black));
        let value = self.value(rank, reversed).trim_end_matches(BEST);
        let id = table.index().id(setup);
        let bid = self.bids[id as usize].get_or_init(|| {
            let exact = |rank: Rank| table.exact(worth(self.sorted[rank as usize], false));
            fraction(&Fraction::from(&((exact(white) - exact(black)) / RBig::from(2)))).into()
        });
        let truth = |truth: bool| if truth { "true" } else { "false" };
        let (fen, (stronger, bare)) = (question.fen(), setup.material.sides());
        let material = if reversed { [bare, "v", stronger] } else { [stronger, "v", bare] };
        let label = |player: Color| table.label_of(id, if reversed { !player } else { player }).to_string();
        let labels = Color::BOTH.map(label);

        let mut parts = Vec::with_capacity(32 + 3 * (sides[0].len() + sides[1].len()));
        parts.extend(["{\"fen\":\"", &fen, "\",\"material\":\""]);
        parts.extend(material);
        parts.extend(["\",\"category\":\"exact\",\"value\":", value]);
        parts.extend([",\"alpha\":", value, ",\"beta\":", value, ",\"sharp\":true,\"bid\":", bid]);
        parts.extend([",\"zugzwang\":", truth(white < black), ",\"quiescent\":", truth(white == black)]);
        for (name, side) in [",\"terminal\":null,\"white\":[", "],\"black\":["].into_iter().zip(&sides) {
            parts.push(name);
            let first = parts.len();
            for ranked in side {
                let best = if ranked.rank == side[0].rank { "true}" } else { "false}" };
                let value = self.value(ranked.rank, reversed);
                parts.extend([self.beginning(board, &question.position, ranked), value, best]);
            }
            if let Some(beginning) = parts.get_mut(first) {
                *beginning = beginning.trim_start_matches(',');
            }
        }
        parts.extend(["],\"certificate\":{\"equations\":\"exact\",\"white_label\":", &labels[0]]);
        parts.extend([",\"black_label\":", &labels[1], ",\"table\":\"", table.digest(), "\"}}"]);
        Some(Printed { json: parts.concat().into_bytes(), fen })
    }

    /// The moves of a side in the order in which they are told.
    fn ranked(&self, board: &Board, position: &Position, mover: Color, setup: Setup, reversed: bool) -> Vec<Ranked> {
        let mut from = *position;
        from.turn = mover;
        let last = board.size().height() - 1;
        let seen = |square: Square| if reversed { Square::new(square.file(), last - square.rank()) } else { square };
        let player = if reversed { !mover } else { mover };
        let most = self.sorted.len() as Rank - 1;
        let ranked = |mv: Move| {
            let next = setup.after(player, Move { from: seen(mv.from), to: seen(mv.to), ..mv });
            let (captured, rank) = match next {
                Next::KingTaken => (2, if player == Color::White { most } else { 0 }),
                Next::Setup(next) => {
                    let captured = usize::from(position.piece(mv.to).is_some());
                    (captured, self.ranks[next.material as usize][place(next)])
                }
            };
            let short = if player == Color::White { most - rank } else { rank };
            Ranked { order: u64::from(short) << 32 | order(board, mv), mv, captured, rank }
        };
        let mut moves: Vec<Ranked> = board.moves(&from).into_iter().map(ranked).collect();
        moves.sort_unstable_by_key(|ranked| ranked.order);
        moves
    }

    /// A value as JSON with [`BEST`].
    fn value(&self, rank: Rank, reversed: bool) -> &str {
        let id = || self.sorted[rank as usize];
        self.values[usize::from(reversed)][rank as usize]
            .get_or_init(|| (fraction(self.table.written(worth(id(), reversed))) + BEST).into())
    }

    /// A comma and a move as JSON up to its value: no other unit of its side is of its kind, so that nothing else bears on its SAN.
    fn beginning(&self, board: &Board, position: &Position, ranked: &Ranked) -> &str {
        let mv = ranked.mv;
        let kind = position.piece(mv.from).map_or(0, |piece| usize::from(piece.kind));
        let act = mv.promotion.map_or(kind, |kind| 6 + usize::from(kind));
        let text = ((act * CAPTURES + ranked.captured) << 12) + (mv.from.index() << 6) + mv.to.index();
        self.moves[text].get_or_init(|| {
            let (uci, san) = (board.uci(mv).to_string(), board.san_among(position, mv, &[mv]));
            format!(",{{\"uci\":\"{uci}\",\"san\":\"{san}\",\"value\":").into()
        })
    }
}

fn worth(id: ValueId, reversed: bool) -> Worth {
    Worth { id, reversed }
}

fn fraction(fraction: &Fraction) -> String {
    to_string(fraction).unwrap_or_default()
}

/// An answer that is written.
pub struct Printed {
    /// The answer as JSON.
    pub json: Vec<u8>,
    /// The position as placement alone.
    pub fen: String,
}
