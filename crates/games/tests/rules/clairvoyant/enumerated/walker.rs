//! A slow lister of White's legal turns on an array of letters.

/// A board with letters as in FEN and zero for empty squares, from a1 upwards.
#[derive(Clone)]
pub(crate) struct Place {
    pub(crate) squares: [u8; 64],
    /// Whether White may castle with the rook on h1, and with the rook on a1, with the king on e1.
    pub(crate) castling: [bool; 2],
    /// Square on which a pawn can be captured en passant.
    pub(crate) passing: Option<usize>,
}

/// Limits of a turn.
#[derive(Debug)]
pub(crate) struct Limits {
    /// Money, in zorkmids.
    pub(crate) money: i64,
    /// Whether moves after a drop may be bought for any piece.
    pub(crate) any: bool,
    /// Most moves to buy after the free one.
    pub(crate) bought: usize,
    /// Most drops to try.
    pub(crate) drops: usize,
    /// Prices of all pieces except the king.
    pub(crate) rows: Rows,
    /// Whether to stop after the first turn.
    pub(crate) one: bool,
}

/// Prices of a new piece, an extra move, an extra capture, a retreat and a second capture, for each of `PNBRQ`.
pub(crate) type Rows = [[i64; 5]; 5];

/// Prices of the source.
pub(crate) const ROWS: Rows =
    [[3, 3, 3, 5, 7], [12, 7, 15, 18, 23], [12, 7, 15, 18, 23], [15, 9, 16, 21, 26], [25, 12, 20, 24, 29]];

/// Name of a square.
pub(crate) fn name(square: usize) -> String {
    format!("{}{}", (b'a' + (square % 8) as u8) as char, square / 8 + 1)
}

fn step(from: usize, dx: i32, dy: i32) -> Option<usize> {
    let (x, y) = ((from % 8) as i32 + dx, (from / 8) as i32 + dy);
    ((0..8).contains(&x) && (0..8).contains(&y)).then(|| (y * 8 + x) as usize)
}

const ROOK: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const KNIGHT: [(i32, i32); 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

impl Place {
    pub(crate) fn empty() -> Place {
        Place { squares: [0; 64], castling: [false; 2], passing: None }
    }

    /// The position as FEN, with White to move.
    pub(crate) fn fen(&self) -> String {
        let [short, long] = self.castling;
        let rights = [(short, "K"), (long, "Q")].into_iter().filter(|(may, _)| *may).map(|(_, letter)| letter);
        let rights = rights.collect::<String>();
        let rights = if rights.is_empty() { "-" } else { &rights };
        format!("{} w {rights} {} 0 1", self.placement(), self.passing.map_or_else(|| "-".to_owned(), name))
    }

    /// Placement field of the FEN.
    fn placement(&self) -> String {
        let row = |rank: usize| {
            let letter = |square: usize| if self.squares[square] == 0 { '1' } else { self.squares[square] as char };
            (rank * 8..rank * 8 + 8).map(letter).collect::<String>()
        };
        (0..8).rev().map(row).collect::<Vec<_>>().join("/")
    }

    /// Squares attacked by the piece on a square.
    fn attacks(&self, from: usize) -> Vec<usize> {
        let letter = self.squares[from];
        let leaps = |steps: &[(i32, i32)]| steps.iter().filter_map(|(dx, dy)| step(from, *dx, *dy)).collect::<Vec<_>>();
        let rides = |steps: &[(i32, i32)]| {
            let mut reached = Vec::new();
            for (dx, dy) in steps {
                let mut at = from;
                while let Some(next) = step(at, *dx, *dy) {
                    reached.push(next);
                    if self.squares[next] != 0 {
                        break;
                    }
                    at = next;
                }
            }
            reached
        };
        let queen = [ROOK, BISHOP].concat();
        match letter {
            b'P' => leaps(&[(-1, 1), (1, 1)]),
            b'p' => leaps(&[(-1, -1), (1, -1)]),
            b'N' | b'n' => leaps(&KNIGHT),
            b'K' | b'k' => leaps(&queen),
            b'B' | b'b' => rides(&BISHOP),
            b'R' | b'r' => rides(&ROOK),
            b'Q' | b'q' => rides(&queen),
            _ => Vec::new(),
        }
    }

    /// Whether a side's only king is attacked.
    pub(crate) fn in_check(&self, white: bool) -> bool {
        let king = if white { b'K' } else { b'k' };
        let kings: Vec<usize> = (0..64).filter(|square| self.squares[*square] == king).collect();
        kings.len() == 1 && self.attacked(kings[0], white)
    }

    /// Whether the opponent of a side attacks a square.
    fn attacked(&self, target: usize, white: bool) -> bool {
        let hostile =
            |square: &usize| self.squares[*square] != 0 && self.squares[*square].is_ascii_lowercase() == white;
        (0..64).filter(hostile).any(|from| self.attacks(from).contains(&target))
    }

    /// Target squares of castling with the king on e1.
    fn castles(&self) -> Vec<usize> {
        let [short, long] = self.castling;
        let free = |squares: &[usize]| squares.iter().all(|square| self.squares[*square] == 0);
        let safe = |squares: &[usize]| squares.iter().all(|square| !self.attacked(*square, true));
        let short = (short && free(&[5, 6]) && safe(&[4, 5, 6])).then_some(6);
        let long = (long && free(&[1, 2, 3]) && safe(&[4, 3, 2])).then_some(2);
        short.into_iter().chain(long).collect()
    }

    /// Updates castling and en passant rights after a part of a turn.
    fn narrow(&mut self) {
        let [short, long] = self.castling;
        let stands = |square: usize, letter: u8| self.squares[square] == letter;
        self.castling = [short && stands(4, b'K') && stands(7, b'R'), long && stands(4, b'K') && stands(0, b'R')];
        self.passing = self.passing.filter(|square| self.squares[*square] == 0 && self.squares[square - 8] == b'p');
    }

    /// White's pseudo-legal moves that do not capture the last black king: from, to and promotion.
    fn moves(&self) -> Vec<(usize, usize, Option<u8>)> {
        let kings = self.squares.iter().filter(|letter| **letter == b'k').count();
        let mut moves = Vec::new();
        for from in (0..64).filter(|from| self.squares[*from].is_ascii_uppercase()) {
            let mut targets = self.attacks(from);
            if self.squares[from] == b'P' {
                targets.retain(|to| self.squares[*to].is_ascii_lowercase() || self.passing == Some(*to));
                if self.squares[from + 8] == 0 {
                    targets.push(from + 8);
                    if from / 8 == 1 && self.squares[from + 16] == 0 {
                        targets.push(from + 16);
                    }
                }
            }
            if self.squares[from] == b'K' && from == 4 {
                targets.extend(self.castles());
            }
            for to in targets {
                let takes_last = self.squares[to] == b'k' && kings == 1;
                if self.squares[to].is_ascii_uppercase() || takes_last {
                    continue;
                }
                if self.squares[from] == b'P' && to >= 56 {
                    moves.extend(b"QRBN".iter().map(|letter| (from, to, Some(*letter))));
                } else {
                    moves.push((from, to, None));
                }
            }
        }
        moves
    }
}

fn row(limits: &Limits, letter: u8) -> [i64; 5] {
    b"PNBRQ".iter().position(|kind| *kind == letter).map_or([150, 3, 9, 18, 23], |kind| limits.rows[kind])
}

/// A turn in progress.
#[derive(Clone)]
struct Way {
    place: Place,
    /// Initial square of the piece on each square.
    units: [usize; 64],
    texts: Vec<String>,
    spent: i64,
    dropped: Vec<usize>,
    moved: usize,
    /// Pieces that gave check.
    frozen: Vec<usize>,
    /// Pieces that captured.
    takers: Vec<usize>,
    check_at_start: bool,
}

/// All legal turns with their prices, within the limits.
pub(crate) fn turns(place: &Place, limits: &Limits) -> Vec<(String, i64)> {
    ends(place, limits).into_iter().map(|(text, spent, _)| (text, spent)).collect()
}

/// [`turns`] with the resulting positions, without en passant rights.
pub(crate) fn ends(place: &Place, limits: &Limits) -> Vec<(String, i64, Place)> {
    let way = Way {
        place: place.clone(),
        units: std::array::from_fn(|square| square),
        texts: Vec::new(),
        spent: 0,
        dropped: Vec::new(),
        moved: 0,
        frozen: Vec::new(),
        takers: Vec::new(),
        check_at_start: place.in_check(true),
    };
    let mut found = Vec::new();
    walk(&way, limits, &mut found);
    found
}

fn walk(way: &Way, limits: &Limits, found: &mut Vec<(String, i64, Place)>) {
    if !way.texts.is_empty() && !way.place.in_check(true) {
        found.push((way.texts.join(" "), way.spent, way.place.clone()));
    }
    if limits.one && !found.is_empty() {
        return;
    }
    if way.moved == 0 && way.dropped.len() < limits.drops {
        for letter in *b"PNBRQK" {
            for square in 0..64 {
                drop_one(way, letter, square, limits, found);
            }
        }
    }
    let most = if way.dropped.is_empty() { 1 + limits.bought } else { 2 };
    if way.moved == most {
        return;
    }
    for (from, to, promotion) in way.place.moves() {
        let unit = way.units[from];
        let strange = !way.dropped.is_empty() && !limits.any && !way.dropped.contains(&unit);
        if strange || way.frozen.contains(&unit) {
            continue;
        }
        let letter = way.place.squares[from];
        let in_passing = letter == b'P' && way.place.passing == Some(to) && from % 8 != to % 8;
        let captures = way.place.squares[to] != 0 || in_passing;
        let free = way.moved == 0 && way.dropped.is_empty();
        let again = way.takers.contains(&unit);
        let check = way.place.in_check(true);
        let [_, quiet, capture, retreat, second] = row(limits, letter);
        let price = match (captures, again) {
            _ if free => 0,
            (true, true) => second,
            (true, false) => capture,
            (false, true) if letter == b'K' && check => 25,
            (false, true) => retreat,
            (false, false) if letter == b'K' && way.moved > 0 && check => 11,
            (false, false) if letter == b'K' && way.check_at_start => 7,
            (false, false) => quiet,
        };
        if way.spent + price > limits.money {
            continue;
        }
        let mut next = way.clone();
        next.place.squares[from] = 0;
        next.place.squares[to] = promotion.unwrap_or(letter);
        next.units[to] = unit;
        if in_passing {
            next.place.squares[to - 8] = 0;
        }
        if letter == b'K' && from.abs_diff(to) == 2 {
            let (home, beside) = if to == 6 { (7, 5) } else { (0, 3) };
            next.place.squares[home] = 0;
            next.place.squares[beside] = b'R';
            next.units[beside] = way.units[home];
        }
        // A piece that returned to its home square has lost its castling right.
        if way.place.castling != [false; 2] && (from == 4 || from == 0 || from == 7) {
            let [short, long] = way.place.castling;
            next.place.castling = [short && from != 4 && from != 7, long && from != 4 && from != 0];
        }
        next.place.narrow();
        next.spent += price;
        next.moved += 1;
        if captures {
            next.takers.push(unit);
        }
        let suffix = promotion.map_or(String::new(), |letter| (letter as char).to_ascii_lowercase().to_string());
        next.texts.push(format!("{}{}{suffix}", name(from), name(to)));
        if next.place.in_check(false) {
            next.frozen.push(unit);
        }
        walk(&next, limits, found);
    }
}

fn drop_one(way: &Way, letter: u8, square: usize, limits: &Limits, found: &mut Vec<(String, i64, Place)>) {
    let price = row(limits, letter)[0];
    let rank_ends = !(8..56).contains(&square);
    if way.place.squares[square] != 0 || way.spent + price > limits.money || (letter == b'P' && rank_ends) {
        return;
    }
    let mut next = way.clone();
    next.place.squares[square] = letter;
    next.place.narrow();
    let kings: Vec<usize> = (0..64).filter(|at| next.place.squares[*at] == b'k').collect();
    if kings.len() == 1 && next.place.attacks(square).contains(&kings[0]) {
        return;
    }
    next.units[square] = square;
    next.dropped.push(square);
    next.spent += price;
    next.texts.push(format!("{}@{}", letter as char, name(square)));
    walk(&next, limits, found);
}
