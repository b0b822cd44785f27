//! Answers as JSON, byte for byte what [`Answer`](super::Answer) becomes, but written in one go: whatever can be told of a position is text already, values
//! are compared by their ranks, and nothing is built that is thrown away.

use std::{
    collections::HashMap,
    ops::Range,
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
    /// The rank of the value of every position among all values, as it stands.
    ranks: Places,
    /// The ranks of the values of games that are over: 0 and 1.
    ends: [Rank; 2],
    /// The values by their ranks, and one less each, as JSON.
    values: [Texts; 2],
    /// What moves are worth, as JSON.
    bids: Texts,
    /// The place among them of what the move is worth, by position.
    bid: Vec<u32>,
    /// The beginnings of moves after a comma, by what is written of them, once they were needed.
    moves: Box<[OnceLock<Short>]>,
}

/// What stands behind the value of a move that is not the best one.
const WORSE: &[u8; 14] = b",\"best\":false}";
/// What stands behind the value of the best one.
const BEST: &[u8; 13] = b",\"best\":true}";
/// The bytes at most of what else stands in an answer.
const FRAME: usize = 512 + BLOCK;

/// The place of a value among all values of a table, the least of which is 0.
type Rank = u32;

/// Bytes that are copied in one go.
const BLOCK: usize = 64;

/// Texts by number, without a gap between them, and a block behind the last.
struct Texts {
    all: Vec<u8>,
    ends: Vec<u32>,
}

impl Texts {
    fn of(texts: impl Iterator<Item = String>) -> Texts {
        let (mut all, mut ends) = (Vec::new(), vec![0]);
        for text in texts {
            all.extend_from_slice(text.as_bytes());
            ends.push(all.len() as u32);
        }
        all.extend_from_slice(&[0; BLOCK]);
        all.shrink_to_fit();
        Texts { all, ends }
    }

    fn range(&self, number: u32) -> Range<usize> {
        self.ends[number as usize] as usize..self.ends[number as usize + 1] as usize
    }
}

/// A text of a few letters.
struct Short {
    letters: [u8; 47],
    length: u8,
}

impl Short {
    fn new(text: &str) -> Short {
        let mut letters = [0; 47];
        letters[..text.len()].copy_from_slice(text.as_bytes());
        Short { letters, length: text.len() as u8 }
    }
}

/// An answer while it is written. Blocks of one size are copied faster than texts, and what of them is too much is written over.
struct Writing {
    bytes: Vec<u8>,
    end: usize,
}

impl Writing {
    fn block<const N: usize>(&mut self, block: &[u8; N], length: usize) {
        self.bytes[self.end..self.end + N].copy_from_slice(block);
        self.end += length;
    }

    fn write(&mut self, parts: &[&str]) {
        for part in parts {
            self.bytes[self.end..self.end + part.len()].copy_from_slice(part.as_bytes());
            self.end += part.len();
        }
    }

    fn number(&mut self, texts: &Texts, number: u32) {
        let range = texts.range(number);
        let end = self.end + range.len();
        for from in range.step_by(BLOCK) {
            if let Some(block) = texts.all[from..].first_chunk::<BLOCK>() {
                self.block(block, BLOCK);
            }
        }
        self.end = end;
    }
}

/// A move with what it is sorted by, so that whole numbers decide the order.
struct Ranked {
    /// How far from the best the value is to which it leads; then the UCI text as a number.
    order: u64,
    mv: Move,
    /// What it captures: nothing, a piece or the king.
    captured: u8,
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
        let values = [false, true].map(|reversed| {
            let value = |id: &ValueId| fraction(&Fraction::from(&table.exact(worth(*id, reversed))));
            Texts::of(sorted.iter().map(value))
        });
        let (mut bids, mut known) = (Vec::new(), HashMap::new());
        let [white, black] = table.bests();
        let bid = white.into_iter().zip(black).map(|best| {
            *known.entry(best).or_insert_with(|| {
                bids.push(best);
                bids.len() as u32 - 1
            })
        });
        let bid = bid.collect();
        let bids = bids.into_iter().map(|(white, black)| {
            let [white, black] = [white, black].map(|id| table.exact(worth(id, false)));
            fraction(&Fraction::from(&((white - black) / RBig::from(2))))
        });
        let rank = |id: Id| numbers[table.id(id) as usize];
        Printer {
            places: Places::new(table.index(), |id| id),
            ranks: Places::new(table.index(), rank),
            ends: [LOST, WON].map(rank),
            values,
            bids: Texts::of(bids),
            bid,
            moves: (0..(ACTS * CAPTURES) << 12).map(|_| OnceLock::new()).collect(),
            table,
        }
    }

    /// The answer about a position of this table, as [`Question::answer`] builds it; nothing where the table does not cover it.
    pub fn print(&self, question: &Question) -> Option<Printed> {
        let Standing::Covered { setup, reversed } = question.standing else { return None };
        let board = rules(question.size);
        let id = self.places.of(setup);
        let own = self.ranks.of(setup);
        let sides = Color::BOTH.map(|mover| self.ranked(board, &question.position, mover, setup, reversed));
        let best = |color: Color| {
            let side = &sides[if reversed { !color } else { color }.index()];
            side.first().map_or(own, |ranked| ranked.rank)
        };
        let (white, black) = (best(Color::White), best(Color::Black));
        let values = &self.values[usize::from(reversed)];
        let truth = |truth: bool| if truth { "true" } else { "false" };
        let (fen, (stronger, bare)) = (question.fen(), setup.material.sides());
        let material = if reversed { [bare, "v", stronger] } else { [stronger, "v", bare] };
        let [white_label, black_label] =
            Color::BOTH.map(|color| self.table.label_of(id, if reversed { !color } else { color }).to_string());

        let length = |ranked: &Ranked| BLOCK + WORSE.len() + values.range(ranked.rank).len();
        let moves: usize = sides.iter().flatten().map(length).sum();
        let around = FRAME + fen.len() + 3 * values.range(own).len() + self.bids.range(self.bid[id as usize]).len();
        let mut json = Writing { bytes: vec![0; around + moves], end: 0 };
        json.write(&["{\"fen\":\"", &fen, "\",\"material\":\""]);
        json.write(&material);
        json.write(&["\",\"category\":\"exact\""]);
        for name in [",\"value\":", ",\"alpha\":", ",\"beta\":"] {
            json.write(&[name]);
            json.number(values, own);
        }
        json.write(&[",\"sharp\":true,\"bid\":"]);
        json.number(&self.bids, self.bid[id as usize]);
        json.write(&[",\"zugzwang\":", truth(white < black), ",\"quiescent\":", truth(white == black)]);
        for (name, side) in [",\"terminal\":null,\"white\":", "],\"black\":"].into_iter().zip(&sides) {
            json.write(&[name, "["]);
            // The first comma is written over the bracket, and the bracket over the comma.
            let bracket = json.end - 1;
            if !side.is_empty() {
                json.end = bracket;
            }
            for ranked in side {
                let beginning = self.beginning(board, &question.position, ranked);
                json.block(&beginning.letters, beginning.length.into());
                json.number(values, ranked.rank);
                if ranked.rank == side[0].rank {
                    json.block(BEST, BEST.len());
                } else {
                    json.block(WORSE, WORSE.len());
                }
            }
            json.bytes[bracket] = b'[';
        }
        json.write(&["],\"certificate\":{\"equations\":\"exact\",\"white_label\":", &white_label]);
        json.write(&[",\"black_label\":", &black_label, ",\"table\":\"", self.table.digest(), "\"}}"]);
        let Writing { bytes: mut json, end } = json;
        json.truncate(end);
        Some(Printed { json, fen })
    }

    /// The moves of a side in the order in which they are told.
    fn ranked(&self, board: &Board, position: &Position, mover: Color, setup: Setup, reversed: bool) -> Vec<Ranked> {
        let mut from = *position;
        from.turn = mover;
        let last = board.size().height() - 1;
        let seen = |square: Square| if reversed { Square::new(square.file(), last - square.rank()) } else { square };
        let player = if reversed { !mover } else { mover };
        let [lost, won] = self.ends;
        let ranked = |mv: Move| {
            let next = setup.after(player, Move { from: seen(mv.from), to: seen(mv.to), ..mv });
            let (captured, rank) = match next {
                Next::KingTaken => (2, if player == Color::White { won } else { lost }),
                Next::Setup(next) => {
                    let captured = u8::from(position.piece(mv.to).is_some());
                    (captured, self.ranks.of(next))
                }
            };
            let short = if player == Color::White { won - rank } else { rank };
            Ranked { order: u64::from(short) << 32 | order(board, mv), mv, captured, rank }
        };
        let mut moves: Vec<Ranked> = board.moves(&from).into_iter().map(ranked).collect();
        moves.sort_unstable_by_key(|ranked| ranked.order);
        moves
    }

    /// A comma and a move as JSON up to its value: no other unit of its side is of its kind, so that nothing else bears on its SAN.
    fn beginning(&self, board: &Board, position: &Position, ranked: &Ranked) -> &Short {
        let mv = ranked.mv;
        let kind = position.piece(mv.from).map_or(0, |piece| usize::from(piece.kind));
        let act = mv.promotion.map_or(kind, |kind| 6 + usize::from(kind));
        let text = ((act * CAPTURES + usize::from(ranked.captured)) << 12) + (mv.from.index() << 6) + mv.to.index();
        self.moves[text].get_or_init(|| {
            let (uci, san) = (board.uci(mv).to_string(), board.san_among(position, mv, &[mv]));
            Short::new(&format!(",{{\"uci\":\"{uci}\",\"san\":\"{san}\",\"value\":"))
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
