//! Answers as JSON, byte for byte what [`Answer`](super::Answer) becomes, but written in one go: whatever can be told of a position is text already, and
//! the moves of all positions lie there in their order.

mod decimals;
mod four;
mod packed;
mod writing;

use std::{cmp::Reverse, collections::HashMap, sync::Arc};

use bytes::Bytes;
use dashu_ratio::RBig;
use serde_json::to_string;

use super::{
    graph::{Next, rules},
    index::{FIRST, Id, LOST, Places, Setup, WON},
    question::{Question, Standing, glance},
    table::Table,
    values::ValueId,
    worth::{Fraction, Worth},
};
use crate::board::{Board, Color, Square};
use four::FourBooks;
use packed::{MOST, Packed, PackedMoves, Turned, by_file, settle};
use writing::{BLOCK, Beginnings, TextAt, Texts, Writing};

/// Writes the answers of a table from some fifty megabytes, which are seldom in the processor's caches: so an answer reads from few places.
pub struct Printer {
    table: Arc<Table>,
    /// The number of every position, and above it that of the symmetry which makes it of the canonical one.
    places: Places,
    /// The symmetries, and behind them the same with the ranks reversed.
    turns: Vec<Turned>,
    moves: PackedMoves,
    beginnings: Beginnings,
    /// The values, each before one less it, as JSON.
    values: Texts,
    /// The places of the values among their texts and of one less each, the least value first.
    marks: [Vec<TextAt>; 2],
    /// What moves are worth, as JSON.
    bids: Texts,
    /// The place among them of what the move is worth, by position.
    bid: Vec<TextAt>,
    /// How many values are less than each, by its number in the table.
    ranks: Vec<Rank>,
    /// What answers about four pieces are put together from.
    four: FourBooks,
}

/// The number of values of a table that are less than one.
type Rank = u32;

/// The bits of a position's number, below that of a symmetry.
const ID: u32 = 24;

/// What stands behind the value of a move that is not the best one.
const WORSE: &[u8; 14] = b",\"best\":false}";
/// What stands behind the value of the best one.
const BEST: &[u8; 13] = b",\"best\":true}";
/// The bytes at most of what else stands in an answer.
const FRAME: usize = 512 + BLOCK;

impl Printer {
    /// Writes all values, and what the move is worth in every position. Generates all moves, and computes for about a second.
    ///
    /// Panics if the table has more than 131,072 different values, twice as many as that of the ordinary board.
    pub fn new(table: Arc<Table>) -> Printer {
        let count = table.distinct();
        assert!(count <= MOST, "{count} values do not fit");
        let mut sorted: Vec<ValueId> = (0..count as ValueId).collect();
        sorted.sort_by(|a, b| table.compare(worth(*a, false), worth(*b, false)));
        let mut ranks = vec![0; count];
        for (rank, id) in (0..).zip(&sorted) {
            ranks[*id as usize] = rank;
        }

        let (board, index) = (rules(table.size()), table.index());
        let places = Places::new(index, |id, symmetry| (symmetry as u32) << ID | id);
        let rank = |id: Id| ranks[table.id(id) as usize];
        let (mut moves, mut beginnings) = (PackedMoves::behind(FIRST), Beginnings::default());
        let (mut bids, mut known) = (Texts::for_some(count), HashMap::new());
        let mut bid = vec![TextAt::default(); FIRST as usize];
        let mut leading = vec![0_u32; count];
        let canonical =
            index.layers().iter().flat_map(|layer| layer.ids.clone().map(move |id| (id, index.setup(layer, id))));
        for (id, setup) in canonical {
            let best = Color::BOTH.map(|mover| {
                let position = setup.position(board, mover);
                let packed = board.moves(&position).into_iter().map(|mv| {
                    let next = match setup.after(mover, mv) {
                        Next::KingTaken => rank(if mover == Color::White { WON } else { LOST }),
                        Next::Setup(next) => rank(number(places.of(next))),
                    };
                    let packed = Packed::new(short(mover, next, count), mv);
                    leading[next as usize] += 1;
                    beginnings.learn(alike(setup, mover, packed, by_file), board, &position, mv);
                    packed
                });
                moves
                    .push(packed.collect(), setup.king_of(mover))
                    .map_or(rank(id), |best| short(mover, best.short(), count))
            });
            bid.push(*known.entry(best).or_insert_with(|| {
                let [white, black] = best.map(|rank| table.exact(worth(sorted[rank as usize], false)));
                bids.push(&fraction(&Fraction::from(&((white - black) / RBig::from(2)))))
            }));
        }
        moves.finish();
        // Those to which most moves lead lie together, so that they are mostly in the caches.
        let mut often: Vec<Rank> = (0..count as Rank).collect();
        often.sort_by_key(|rank| Reverse(leading[*rank as usize]));
        let mut values = Texts::for_some(2 * count);
        let marks = [false, true].map(|reversed| {
            let mut marks = vec![TextAt::default(); count];
            for rank in &often {
                let exact = table.exact(worth(sorted[*rank as usize], reversed));
                marks[*rank as usize] = values.push(&fraction(&Fraction::from(&exact)));
            }
            marks
        });
        let (turns, four) = (turns(board, &table), FourBooks::default());
        Printer { turns, places, moves, beginnings, values, marks, bids, bid, ranks, table, four }
    }

    /// The name of the table.
    pub fn digest(&self) -> &str {
        self.table.digest()
    }

    /// The answer about a position of this table, as [`Question::answer`] builds it; nothing where the table does not cover it.
    pub fn print(&self, question: &Question) -> Option<Bytes> {
        (question.size == self.table.size()).then(|| self.answer(&question.standing, &question.fen())).flatten()
    }

    /// The same about a position that is written as [`Question::fen`] writes it; nothing where it is written in another way.
    pub fn print_fen(&self, fen: &str) -> Option<Bytes> {
        self.answer(&glance(self.table.size(), fen)?, fen)
    }

    fn answer(&self, standing: &Standing, fen: &str) -> Option<Bytes> {
        let Standing::Covered { setup, reversed } = *standing else { return None };
        let place = self.places.of(setup);
        let id = number(place);
        let turned = &self.turns[(place >> ID) as usize + if reversed { self.turns.len() / 2 } else { 0 }];
        let (own, bid) = (self.ranks[self.table.id(id) as usize], self.bid[id as usize]);
        let marks = &self.marks[usize::from(reversed)];
        let told = |rank: Rank| marks[rank as usize];
        self.values.fetch(told(own));
        self.bids.fetch(bid);
        let canonical = self.table.index().canonical(setup.material, id);
        // As the sides stand on the board that was asked about.
        let sides = Color::BOTH.map(|mover| {
            let mover = if reversed { !mover } else { mover };
            let told = |packed: Packed| (packed, told(short(mover, packed.short(), marks.len())));
            let stand = [canonical.king_of(mover), canonical.piece];
            let mut moves: Vec<(Packed, TextAt)> = self.moves.of(id, mover, stand, turned).map(told).collect();
            settle(&mut moves);
            (mover, moves)
        });
        let best = |color: Color| {
            let (mover, moves) = &sides[if reversed { !color } else { color }.index()];
            moves.first().map_or(own, |(packed, _)| short(*mover, packed.short(), marks.len()))
        };
        let (white, black) = (best(Color::White), best(Color::Black));
        let truth = |truth: bool| if truth { "true" } else { "false" };
        let (stronger, bare) = setup.material.sides();
        let material = if reversed { [bare, "v", stronger] } else { [stronger, "v", bare] };
        let [white_label, black_label] =
            Color::BOTH.map(|color| self.table.label_of(id, if reversed { !color } else { color }).to_string());

        let own = told(own);
        let mut length = FRAME + fen.len() + 3 * own.length() + bid.length();
        for (_, text) in sides.iter().flat_map(|(_, moves)| moves) {
            self.values.fetch(*text);
            length += BLOCK + WORSE.len() + text.length();
        }
        let mut json = Writing::of(length);
        json.fixed(b"{\"fen\":\"");
        json.write(fen);
        json.fixed(b"\",\"material\":\"");
        material.into_iter().for_each(|part| json.write(part));
        json.fixed(b"\",\"category\":\"exact\",\"value\":");
        json.text(&self.values, own);
        json.fixed(b",\"alpha\":");
        json.text(&self.values, own);
        json.fixed(b",\"beta\":");
        json.text(&self.values, own);
        json.fixed(b",\"sharp\":true,\"bid\":");
        json.text(&self.bids, bid);
        json.fixed(b",\"zugzwang\":");
        json.write(truth(white < black));
        json.fixed(b",\"quiescent\":");
        json.write(truth(white == black));
        let last = self.table.size().height() - 1;
        let stands =
            |square: Square| by_file(if reversed { Square::new(square.file(), last - square.rank()) } else { square });
        for (name, (mover, moves)) in [",\"terminal\":null,\"white\":[", "],\"black\":["].into_iter().zip(&sides) {
            json.write(name);
            // The first comma is written over the bracket, and the bracket over the comma.
            let bracket = json.end - 1;
            if !moves.is_empty() {
                json.end = bracket;
            }
            for (packed, mark) in moves {
                json.beginning(&self.beginnings, alike(setup, *mover, *packed, stands), *packed);
                json.text(&self.values, *mark);
                if packed.short() == moves[0].0.short() {
                    json.fixed(BEST);
                } else {
                    json.fixed(WORSE);
                }
            }
            json.bytes[bracket] = b'[';
        }
        json.fixed(b"],\"certificate\":{\"equations\":\"exact\",\"white_label\":");
        json.write(&white_label);
        json.fixed(b",\"black_label\":");
        json.write(&black_label);
        json.fixed(b",\"table\":\"");
        json.write(self.table.digest());
        json.fixed(b"\"}}");
        Some(json.finish())
    }
}

/// The number of a position without that of a symmetry.
#[inline]
fn number(place: u32) -> Id {
    place & ((1 << ID) - 1)
}

/// How many of the values of a table are better for a player than that of a rank; as well the rank of which that is told.
#[inline]
fn short(player: Color, rank: Rank, count: usize) -> Rank {
    match player {
        Color::White => count as Rank - 1 - rank,
        Color::Black => rank,
    }
}

/// The symmetries of a table, and behind them the same with the ranks reversed.
fn turns(board: &Board, table: &Table) -> Vec<Turned> {
    let count = table.index().turned(Square::at(0)).count();
    let mut turns = vec![[0; 64]; 2 * count];
    for square in board.size().squares() {
        for (number, to) in table.index().turned(square).enumerate() {
            let back = Square::new(to.file(), board.size().height() - 1 - to.rank());
            turns[number][usize::from(by_file(square))] = by_file(to);
            turns[count + number][usize::from(by_file(square))] = by_file(back);
        }
    }
    turns
}

/// What a move has in common with all that are written alike but for their squares.
#[inline]
fn alike(setup: Setup, mover: Color, packed: Packed, stands: impl Fn(Square) -> u8) -> usize {
    let act = match packed.promotion() {
        0 if packed.from() == stands(setup.king_of(mover)) => 0,
        0 => setup.material as usize,
        promotion => 5 + promotion,
    };
    let captured = match packed.to() {
        to if to == stands(setup.king_of(!mover)) => 2,
        to if to == stands(setup.piece) => 1,
        _ => 0,
    };
    act * writing::CAPTURES + captured
}

fn worth(id: ValueId, reversed: bool) -> Worth {
    Worth { id, reversed }
}

fn fraction(fraction: &Fraction) -> String {
    to_string(fraction).unwrap_or_default()
}
