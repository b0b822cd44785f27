//! Perfect adversary in the open auction of whole chips, with its own moves, position numbers and thresholds. It delays
//! every loss, and uses every mistake.

use rand::{RngExt, rngs::StdRng, seq::IndexedRandom};
use zorkmid_games::{
    board::{Board, Color},
    rules::{Endgame, endgame::NextStep},
};

/// Games for each number of chips.
pub(crate) const GAMES: usize = 50;

/// A random total of 4 to 2,000 chips, equally often small and large.
pub(crate) fn some_total(number: usize, rng: &mut StdRng) -> i16 {
    match number % 8 {
        1 => 4,
        3 => rng.random_range(4..=20),
        5 => rng.random_range(20..=60),
        2 | 6 => rng.random_range(60..=300),
        _ => rng.random_range(300..=2_000),
    }
}

/// Pieces in addition to the kings.
const PIECES: [char; 6] = ['-', 'N', 'B', 'R', 'Q', 'P'];
const PAWN: usize = 5;
const DIAGONAL: [(i8, i8); 4] = [(1, 1), (-1, 1), (-1, -1), (1, -1)];
const STRAIGHT: [(i8, i8); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];
const LEAPS: [(i8, i8); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];

/// A position in which White has the piece: its index in [`PIECES`], and the squares of the white king, the black king and the piece.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stand {
    piece: usize,
    at: [u8; 3],
}

/// A move: origin, target, promotion, and the resulting position, or `None` if it captures the king.
pub(crate) struct Step {
    from: u8,
    to: u8,
    becomes: Option<usize>,
    next: Option<Stand>,
}

fn off(square: u8, (dx, dy): (i8, i8)) -> Option<u8> {
    let (x, y) = ((square & 7) as i8 + dx, (square >> 3) as i8 + dy);
    ((0..8).contains(&x) && (0..8).contains(&y)).then_some((y * 8 + x) as u8)
}

impl Stand {
    pub(crate) fn moves(self, white: bool) -> Vec<Step> {
        let Stand { piece, at: [king, bare, unit] } = self;
        let (own, other) = if white { ([king, unit], [bare, bare]) } else { ([bare, bare], [king, unit]) };
        let mut steps = Vec::new();
        let mut go = |from: u8, to: u8, becomes: Option<usize>| {
            let mut next = self;
            match (white, from == king) {
                (false, _) => next.at[1] = to,
                (true, true) => next.at[0] = to,
                (true, false) => next.at[2] = to,
            }
            if !white && to == unit {
                next.piece = 0;
            }
            next.piece = becomes.unwrap_or(next.piece);
            if next.piece == 0 {
                next.at[2] = next.at[0];
            }
            let taken = to == if white { bare } else { king };
            steps.push(Step { from, to, becomes, next: (!taken).then_some(next) });
        };
        let mut ride = |from: u8, directions: &[(i8, i8)], reach: usize| {
            for direction in directions {
                let mut square = from;
                for _ in 0..reach {
                    let Some(to) = off(square, *direction).filter(|to| !own.contains(to)) else { break };
                    go(from, to, None);
                    if other.contains(&to) {
                        break;
                    }
                    square = to;
                }
            }
        };
        let all = [DIAGONAL, STRAIGHT].concat();
        ride(own[0], &all, 1);
        if !white {
            return steps;
        }
        match PIECES[piece] {
            'N' => ride(unit, &LEAPS, 1),
            'B' => ride(unit, &DIAGONAL, 8),
            'R' => ride(unit, &STRAIGHT, 8),
            'Q' => ride(unit, &all, 8),
            'P' => {
                let free = |to: &u8| ![king, bare].contains(to);
                let once = off(unit, (0, 1)).filter(free);
                let twice = once.filter(|_| unit >> 3 == 1).and_then(|to| off(to, (0, 1))).filter(free);
                let takes = [-1, 1].into_iter().filter_map(|dx| off(unit, (dx, 1))).filter(|to| *to == bare);
                for to in once.into_iter().chain(twice).chain(takes) {
                    if to >> 3 == 7 { (1..PAWN).for_each(|kind| go(unit, to, Some(kind))) } else { go(unit, to, None) }
                }
            }
            _ => {}
        }
        steps
    }

    fn key(self, turn: impl Fn(u8, u8) -> (u8, u8)) -> usize {
        let turned = self.at.map(|square| {
            let (x, y) = turn(square & 7, square >> 3);
            usize::from(y * 8 + x)
        });
        self.piece << 18 | turned[2] << 12 | turned[0] << 6 | turned[1]
    }

    /// Index shared by all symmetric positions. With a pawn, only the mirror image counts.
    fn place(self) -> usize {
        let upright = self.key(|x, y| (x, y)).min(self.key(|x, y| (7 - x, y)));
        if self.piece == PAWN {
            return upright;
        }
        let others = [
            self.key(|x, y| (x, 7 - y)),
            self.key(|x, y| (7 - x, 7 - y)),
            self.key(|x, y| (y, x)),
            self.key(|x, y| (7 - y, x)),
            self.key(|x, y| (y, 7 - x)),
            self.key(|x, y| (7 - y, 7 - x)),
        ];
        others.into_iter().fold(upright, usize::min)
    }
}

/// Numbers of the positions in which White's or Black's king has been captured.
pub(crate) const ENDS: [usize; 2] = [0, 1];

/// All positions, with the results of White's and of Black's moves.
pub(crate) struct Moves {
    numbers: Vec<u32>,
    pub(crate) to: [Vec<Vec<u32>>; 2],
}

impl Moves {
    pub(crate) fn generate() -> Moves {
        let mut moves = Moves { numbers: vec![0; PIECES.len() << 18], to: [vec![Vec::new(); 2], vec![Vec::new(); 2]] };
        let mut stands = Vec::new();
        for key in 0..PIECES.len() << 18 {
            let [unit, king, bare] = [12, 6, 0].map(|shift| (key >> shift & 63) as u8);
            let stand = Stand { piece: key >> 18, at: [king, bare, unit] };
            let apart = king != bare && unit != bare && (unit == king) == (stand.piece == 0);
            if apart && (stand.piece != PAWN || (1..7).contains(&(unit >> 3))) && stand.place() == key {
                moves.numbers[key] = (ENDS.len() + stands.len()) as u32;
                stands.push(stand);
            }
        }
        for (side, white) in [true, false].into_iter().enumerate() {
            let lists =
                stands.iter().map(|stand| stand.moves(white).iter().map(|step| moves.number(step, white)).collect());
            let lists: Vec<Vec<u32>> = lists.collect();
            moves.to[side].extend(lists);
        }
        moves
    }

    fn number(&self, step: &Step, white: bool) -> u32 {
        step.next.map_or(ENDS[usize::from(white)] as u32, |next| self.numbers[next.place()])
    }
}

/// By position, the most chips that the opponent may hold while a player still wins within a number of moves, as the bidder and as the
/// responder; −1 if even zero chips are too many.
pub(crate) type Level = Vec<[i16; 2]>;

/// The levels of both players for one total. White has the piece.
pub(crate) struct Known<'m> {
    moves: &'m Moves,
    total: i16,
    negative: bool,
    pub(crate) levels: [Vec<Level>; 2],
}

impl Known<'_> {
    pub(crate) fn new(moves: &Moves, total: i16, negative: bool) -> Known<'_> {
        let levels = [0, 1].map(|player| {
            let mut lowest = vec![[-1; 2]; moves.to[0].len()];
            lowest[ENDS[1 - player]] = [total; 2];
            let mut levels: Vec<Level> = vec![lowest];
            loop {
                let below = &levels[levels.len() - 1];
                let mut next = below.clone();
                for (number, own) in next.iter_mut().enumerate().skip(ENDS.len()) {
                    let most = moves.to[player][number].iter().map(|to| below[*to as usize][0]).max().unwrap();
                    let least = moves.to[1 - player][number].iter().map(|to| below[*to as usize][1]).min().unwrap();
                    *own = thresholds(most, least, negative);
                }
                if next == *below {
                    return levels;
                }
                levels.push(next);
            }
        });
        Known { moves, total, negative, levels }
    }

    pub(crate) fn total(&self) -> i64 {
        self.total.into()
    }

    pub(crate) fn negative(&self) -> bool {
        self.negative
    }
}

/// Thresholds of a position, from the player's best move and the opponent's best move.
fn thresholds(most: i16, least: i16, negative: bool) -> [i16; 2] {
    if most < least && !negative {
        return [most, least];
    }
    [(most + least).div_euclid(2), (most + least + 1).div_euclid(2)]
}

/// The state of a game against a player with a forced win.
pub(crate) struct Adversary<'k> {
    known: &'k Known<'k>,
    pub(crate) stand: Stand,
    /// Whether Black has the piece.
    flipped: bool,
    asked: NextStep,
    chips: [i64; 2],
    hero: Color,
    /// By level, the most chips that the adversary may have left if the winner moves, and if the adversary moves.
    reach: [Vec<i16>; 2],
}

impl<'k> Adversary<'k> {
    pub(crate) fn at(known: &'k Known<'k>, moment: &Endgame, hero: Color) -> Adversary<'k> {
        let board = Board::orthodox();
        let units: Vec<(u8, Color, char)> = moment
            .position
            .pieces()
            .map(|(square, piece)| (square.index() as u8, piece.color, board.kind(piece.kind).letter))
            .collect();
        let piece = units.iter().find(|unit| unit.2 != 'K');
        let flipped = piece.is_some_and(|unit| unit.1 == Color::Black);
        let seen = |square: u8| if flipped { square ^ 56 } else { square };
        let king = |color: Color| {
            let king = units.iter().find(|unit| unit.2 == 'K' && unit.1 == color);
            seen(king.expect("both kings are on the board").0)
        };
        let [king, bare] =
            if flipped { [king(Color::Black), king(Color::White)] } else { [king(Color::White), king(Color::Black)] };
        let kind = piece.map_or('-', |unit| unit.2);
        let stand = Stand {
            piece: PIECES.iter().position(|known| *known == kind).unwrap(),
            at: [king, bare, piece.map_or(king, |unit| seen(unit.0))],
        };
        let chips = moment.chips.unwrap();
        let mut adversary =
            Adversary { known, stand, flipped, asked: moment.next_step, chips, hero, reach: Default::default() };
        let [own, other] = [hero, !hero].map(|color| adversary.numbers(color));
        let levels = &known.levels[usize::from(!adversary.white(hero))];
        let most = |level: &Level| own.iter().map(|to| level[*to][0]).max().unwrap();
        let least = |level: &Level| other.iter().map(|to| level[*to][1]).min().unwrap();
        adversary.reach = [levels.iter().map(most).collect(), levels.iter().map(least).collect()];
        adversary
    }

    /// Whether a colour is White in this numbering.
    pub(crate) fn white(&self, color: Color) -> bool {
        (color == Color::White) != self.flipped
    }

    /// Position numbers after each move of a side.
    pub(crate) fn numbers(&self, color: Color) -> Vec<usize> {
        let white = self.white(color);
        self.stand.moves(white).iter().map(|step| self.known.moves.number(step, white) as usize).collect()
    }

    /// Number of moves to the win if `mover` moves next and the adversary holds `theirs` chips.
    fn moved(&self, mover: Color, theirs: i64) -> Option<usize> {
        let reach = &self.reach[usize::from(mover != self.hero)];
        Some(reach.iter().position(|most| theirs <= i64::from(*most))? + 1)
    }

    /// Number of moves to the win after each legal response to a bid.
    fn answers(&self, bidder: Color, bid: i64) -> Vec<(&'static str, Option<usize>)> {
        let (own, theirs) = (self.chips[(!bidder).index()], self.chips[(!self.hero).index()]);
        let paid = |mover: Color| self.moved(mover, if mover == self.hero { theirs + bid } else { theirs - bid });
        let accept = (bid >= -own).then(|| ("accept", paid(bidder)));
        let reject = (bid <= own).then(|| ("reject", paid(!bidder)));
        accept.into_iter().chain(reject).collect()
    }

    /// Number of moves in which the winner forces the win; `None` if there is no forced win.
    pub(crate) fn lost(&self) -> Option<usize> {
        let theirs = self.chips[(!self.hero).index()];
        match self.asked {
            NextStep::Offer(bidder) => {
                let role = usize::from(bidder != self.hero);
                let [most, least] = &self.reach;
                let levels = most.iter().zip(least).map(|(most, least)| thresholds(*most, *least, self.known.negative));
                Some(levels.map(|most| most[role]).position(|most| theirs <= i64::from(most))? + 1)
            }
            NextStep::Answer { bidder, bid } if bidder == self.hero => self
                .answers(bidder, bid)
                .iter()
                .map(|(_, lost)| lost.ok_or(()))
                .collect::<Result<Vec<_>, ()>>()
                .ok()?
                .into_iter()
                .max(),
            NextStep::Answer { bidder, bid } => {
                self.answers(bidder, bid).into_iter().filter_map(|(_, lost)| lost).min()
            }
            NextStep::Move(mover) => self.moved(mover, theirs),
            NextStep::Toss | NextStep::Sealed | NextStep::Tie { .. } | NextStep::Coin(_) => panic!("bids are open"),
        }
    }

    /// The adversary's action: one that does not lose, or else loses as late as possible.
    pub(crate) fn word(&self, rng: &mut StdRng) -> String {
        let own = self.chips[(!self.hero).index()];
        let ways: Vec<(String, Option<usize>)> = match self.asked {
            NextStep::Offer(bidder) => {
                let least = if self.known.negative { -own } else { 0 };
                let soonest = |bid: i64| self.answers(bidder, bid).into_iter().filter_map(|(_, lost)| lost).min();
                (least..=own).map(|bid| (format!("bid {bid}"), soonest(bid))).collect()
            }
            NextStep::Answer { bidder, bid } => {
                self.answers(bidder, bid).into_iter().map(|(word, lost)| (word.to_owned(), lost)).collect()
            }
            NextStep::Move(_) => {
                let white = self.white(!self.hero);
                let levels = &self.known.levels[usize::from(white)];
                let ways = self.stand.moves(white).into_iter().map(|step| {
                    let to = self.known.moves.number(&step, white) as usize;
                    (self.uci(&step), levels.iter().position(|level| own <= i64::from(level[to][1])))
                });
                ways.collect()
            }
            NextStep::Toss | NextStep::Sealed | NextStep::Tie { .. } | NextStep::Coin(_) => panic!("bids are open"),
        };
        let delay = |way: &(String, Option<usize>)| way.1.unwrap_or(usize::MAX);
        let most = ways.iter().map(delay).max().expect("an available action");
        let best: Vec<_> = ways.iter().filter(|way| delay(way) == most).collect();
        best.choose(rng).unwrap().0.clone()
    }

    pub(crate) fn uci(&self, step: &Step) -> String {
        let name = |square: u8| {
            let square = if self.flipped { square ^ 56 } else { square };
            format!("{}{}", (b'a' + (square & 7)) as char, (square >> 3) + 1)
        };
        let becomes = step.becomes.map(|kind| PIECES[kind].to_ascii_lowercase().to_string());
        name(step.from) + &name(step.to) + &becomes.unwrap_or_default()
    }
}
