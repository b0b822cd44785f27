//! Answers as JSON, byte for byte what [`Answer`](super::Answer) becomes, but written in one go: whatever can be told of a position is text already, values
//! are compared by their ranks, and nothing is built that is thrown away.

use std::{
    collections::HashMap,
    io::Write,
    sync::{Arc, OnceLock},
};

use dashu_ratio::RBig;
use serde_json::to_string;

use super::{
    graph::{Next, rules},
    index::{Id, LOST, Places, Setup, WON},
    question::{Question, Standing},
    table::Table,
    values::ValueId,
    worth::{Fraction, Worth},
};
use crate::board::{Board, Color, Move, Position, Square};

/// Writes the answers of a table from texts of some forty megabytes.
pub struct Printer {
    table: Arc<Table>,
    places: Places,
    /// The rank of the value of every position among all values.
    ranks: Vec<Rank>,
    /// The values by their ranks, and one less each, as JSON, and then [`WORSE`].
    values: [Texts; 2],
    /// What moves are worth, as JSON.
    bids: Texts,
    /// The place among them of what the move is worth, by position.
    bid: Vec<u32>,
    /// The beginnings of moves after a comma, by what is written of them, once they were needed.
    moves: Box<[OnceLock<Box<str>>]>,
}

/// What stands behind the value of a move that is not the best one.
const WORSE: &str = ",\"best\":false}";
/// What stands behind the value of the best one.
const BEST: &str = ",\"best\":true}";

/// Room for an answer: few are longer.
const ROOM: usize = 8 << 10;

/// The place of a value among all values of a table, the least of which is 0.
type Rank = u32;

/// Texts by number, without a gap between them.
struct Texts {
    all: String,
    ends: Vec<u32>,
}

impl Texts {
    fn new() -> Texts {
        Texts { all: String::new(), ends: vec![0] }
    }

    fn push(&mut self, text: &str) {
        self.all.push_str(text);
        self.ends.push(self.all.len() as u32);
    }

    fn of(&self, number: u32) -> &str {
        let [from, to] = [0, 1].map(|end| self.ends[number as usize + end] as usize);
        &self.all[from..to]
    }
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
    /// Writes all values, and what the move is worth in every position. Generates all moves, and computes for about a second.
    pub fn new(table: Arc<Table>) -> Printer {
        let count = table.distinct();
        let mut sorted: Vec<ValueId> = (0..count as ValueId).collect();
        sorted.sort_by(|a, b| table.compare(worth(*a, false), worth(*b, false)));
        let mut numbers = vec![0; count];
        for (rank, id) in (0..).zip(&sorted) {
            numbers[*id as usize] = rank;
        }
        let mut values = [Texts::new(), Texts::new()];
        for (reversed, texts) in [false, true].into_iter().zip(&mut values) {
            for id in &sorted {
                let value = Fraction::from(&table.exact(worth(*id, reversed)));
                texts.push(&(fraction(&value) + WORSE));
            }
        }
        let (mut bids, mut known) = (Texts::new(), HashMap::new());
        let [white, black] = table.bests();
        let bid = white.into_iter().zip(black).map(|best| {
            *known.entry(best).or_insert_with(|| {
                let [white, black] = [best.0, best.1].map(|id| table.exact(worth(id, false)));
                bids.push(&fraction(&Fraction::from(&((white - black) / RBig::from(2)))));
                bids.ends.len() as u32 - 2
            })
        });
        let bid = bid.collect();
        Printer {
            places: Places::new(table.index()),
            ranks: (0..table.index().len() as Id).map(|id| numbers[table.id(id) as usize]).collect(),
            values,
            bids,
            bid,
            moves: (0..(ACTS * CAPTURES) << 12).map(|_| OnceLock::new()).collect(),
            table,
        }
    }

    /// The answer about a position of this table, as [`Question::answer`] builds it; nothing where the table does not cover it.
    pub fn print(&self, question: &Question) -> Option<Printed> {
        let Standing::Covered { setup, reversed } = question.standing else { return None };
        let board = rules(question.size);
        let id = self.places.id(setup);
        let sides = Color::BOTH.map(|mover| self.ranked(board, &question.position, mover, setup, reversed));
        let own = self.ranks[id as usize];
        let best = |color: Color| {
            let side = &sides[if reversed { !color } else { color }.index()];
            side.first().map_or(own, |ranked| ranked.rank)
        };
        let (white, black) = (best(Color::White), best(Color::Black));
        let texts = &self.values[usize::from(reversed)];
        let value = texts.of(own).trim_end_matches(WORSE);
        let truth = |truth: bool| if truth { "true" } else { "false" };
        let (fen, (stronger, bare)) = (question.fen(), setup.material.sides());
        let material = if reversed { [bare, "v", stronger] } else { [stronger, "v", bare] };

        let mut json = String::with_capacity(ROOM);
        let mut write = |parts: &[&str]| parts.iter().for_each(|part| json.push_str(part));
        write(&["{\"fen\":\"", &fen, "\",\"material\":\""]);
        write(&material);
        write(&["\",\"category\":\"exact\",\"value\":", value, ",\"alpha\":", value, ",\"beta\":", value]);
        write(&[",\"sharp\":true,\"bid\":", self.bids.of(self.bid[id as usize])]);
        write(&[",\"zugzwang\":", truth(white < black), ",\"quiescent\":", truth(white == black)]);
        for (name, side) in [",\"terminal\":null,\"white\":[", "],\"black\":["].into_iter().zip(&sides) {
            write(&[name]);
            for (at, ranked) in side.iter().enumerate() {
                let beginning = self.beginning(board, &question.position, ranked);
                let value = texts.of(ranked.rank);
                let beginning = if at == 0 { &beginning[1..] } else { beginning };
                if ranked.rank == side[0].rank {
                    write(&[beginning, &value[..value.len() - WORSE.len()], BEST]);
                } else {
                    write(&[beginning, value]);
                }
            }
        }
        let [white, black] = Color::BOTH.map(|color| self.table.label_of(id, if reversed { !color } else { color }));
        let mut json = json.into_bytes();
        let digest = self.table.digest();
        // Writing to bytes does not fail.
        let _ = write!(
            json,
            "],\"certificate\":{{\"equations\":\"exact\",\"white_label\":{white},\"black_label\":{black},\"table\":\"{digest}\"}}}}"
        );
        Some(Printed { json, fen })
    }

    /// The moves of a side in the order in which they are told.
    fn ranked(&self, board: &Board, position: &Position, mover: Color, setup: Setup, reversed: bool) -> Vec<Ranked> {
        let mut from = *position;
        from.turn = mover;
        let last = board.size().height() - 1;
        let seen = |square: Square| if reversed { Square::new(square.file(), last - square.rank()) } else { square };
        let player = if reversed { !mover } else { mover };
        let most = self.ranks[WON as usize];
        let ranked = |mv: Move| {
            let next = setup.after(player, Move { from: seen(mv.from), to: seen(mv.to), ..mv });
            let (captured, rank) = match next {
                Next::KingTaken => (2, self.ranks[if player == Color::White { WON } else { LOST } as usize]),
                Next::Setup(next) => {
                    let captured = usize::from(position.piece(mv.to).is_some());
                    (captured, self.ranks[self.places.id(next) as usize])
                }
            };
            let short = if player == Color::White { most - rank } else { rank };
            Ranked { order: u64::from(short) << 32 | order(board, mv), mv, captured, rank }
        };
        let mut moves: Vec<Ranked> = board.moves(&from).into_iter().map(ranked).collect();
        moves.sort_unstable_by_key(|ranked| ranked.order);
        moves
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
