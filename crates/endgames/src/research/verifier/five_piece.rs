//! Proves a file of five pieces from the file and the four-piece files that captures lead to. On a small board, the bounds of four pieces come from a
//! different solver. The parser, numbering and moves are independent of the solver. `bounds.rs` defines the checks.

use std::{fs, path::Path};

use super::{
    bounds::{Lead, Proving},
    file::{Columns, ONE, little},
    four_piece::{Four, four},
    placement::{After, Man, Placement},
};
use crate::{
    board::{Color, Piece, Position, Size, Square, orthodox},
    move_graph::rules,
    research::small_boards::SmallTables,
};

const LETTERS: &[u8; 4] = b"QRBN";
const KINDS: [u8; 4] = [orthodox::QUEEN, orthodox::ROOK, orthodox::BISHOP, orthodox::KNIGHT];

/// Result of a successful proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifiedFive {
    /// The material, such as `KNNNvK`.
    pub material: String,
    /// Board size.
    pub size: Size,
    /// Number of positions checked: those with White's king on a canonical square, and with one order of identical pieces.
    pub positions: usize,
    /// Number of positions with α < β.
    pub apart: usize,
    /// Number of positions with wide bounds that do not prove α < β.
    pub open: usize,
    /// Largest distance between narrow bounds, in multiples of 2⁻⁶³.
    pub widest: u64,
}

/// Source of the bounds of four pieces.
enum FourPieceBounds<'t> {
    Files(Vec<Four>),
    Small(&'t SmallTables),
}

/// A file in memory, with the tables that captures lead to.
struct Five<'t> {
    letters: [u8; 3],
    together: bool,
    size: Size,
    kings: Vec<i32>,
    /// By square of White's king, a symmetry that moves it to a canonical square, and the number of that square.
    slots: Vec<(i32, usize)>,
    /// Squares of the three pieces in index order. Like pieces appear in one order only.
    men: Vec<[i32; 3]>,
    columns: Columns,
    fewer: FourPieceBounds<'t>,
}

impl Five<'_> {
    fn board(&self) -> [i32; 2] {
        [self.size.width(), self.size.height()].map(i32::from)
    }

    /// Image of a square. The bits of `turn` select three mirrors: left-right, top-bottom, and along the long diagonal.
    fn turned(size: Size, turn: i32, square: i32) -> i32 {
        let [files, ranks] = [size.width(), size.height()].map(i32::from);
        let (mut x, mut y) = (square % files, square / files);
        if turn & 1 != 0 {
            x = files - 1 - x;
        }
        if turn & 2 != 0 {
            y = ranks - 1 - y;
        }
        if turn & 4 != 0 { x * files + y } else { y * files + x }
    }

    fn turns(size: Size) -> i32 {
        if size.width() == size.height() { 8 } else { 4 }
    }

    /// Squares of the pieces in index order. Identical pieces are listed once, by ascending squares. Their sets are ordered by the largest square,
    /// then the next.
    fn men(letters: [u8; 3], together: bool, squares: i32) -> Vec<[i32; 3]> {
        let alike = [letters[0] == letters[1], together && letters[1] == letters[2]];
        let mut all = Vec::new();
        for a in 0..squares {
            for b in (0..squares).filter(|b| !alike[0] || a < *b) {
                all.extend((0..squares).filter(|c| !alike[1] || b < *c).map(|c| [a, b, c]));
            }
        }
        all.sort_by_key(|[a, b, c]| match alike {
            [true, true] => [*c, *b, *a],
            [true, false] => [*b, *a, *c],
            [false, true] => [*a, *c, *b],
            [false, false] => [*a, *b, *c],
        });
        all
    }

    fn placement(&self, place: usize) -> Placement<3> {
        let squares = i32::from(self.size.width()) * i32::from(self.size.height());
        let (kings, men) = (place / self.men.len(), self.men[place % self.men.len()]);
        let of = |piece: usize| Some((self.letters[piece], self.together || piece < 2, men[piece]));
        Placement {
            board: self.board(),
            white: self.kings[kings / squares as usize],
            black: (kings % squares as usize) as i32,
            men: [of(0), of(1), of(2)],
            stepped: None,
        }
    }

    /// Index of a placement of this material, by one of its images.
    fn place(&self, placement: &Placement<3>) -> Option<usize> {
        let [Some(one), Some(two), Some(three)] = placement.men else { return None };
        let (turn, slot) = self.slots[placement.white as usize];
        let at = |square| Five::turned(self.size, turn, square) as usize;
        let squares = usize::from(self.size.width()) * usize::from(self.size.height());
        let mut men = [at(one.2), at(two.2), at(three.2)];
        // Number of sets of two and of three squares below a square.
        let pairs = |n: usize| n * n.saturating_sub(1) / 2;
        let triples = |n: usize| pairs(n) * n.saturating_sub(2) / 3;
        let number = match (self.letters[0] == self.letters[1], self.together && self.letters[1] == self.letters[2]) {
            (false, false) => (men[0] * squares + men[1]) * squares + men[2],
            (true, false) => {
                men[..2].sort_unstable();
                (pairs(men[1]) + men[0]) * squares + men[2]
            }
            (false, true) => {
                men[1..].sort_unstable();
                men[0] * pairs(squares) + pairs(men[2]) + men[1]
            }
            (true, true) => {
                men.sort_unstable();
                triples(men[2]) + pairs(men[1]) + men[0]
            }
        };
        Some((slot * squares + at(placement.black)) * self.men.len() + number)
    }

    /// Outer and inner bounds of a position after a capture.
    fn left(&self, at: &Placement<3>) -> Option<[[u64; 2]; 2]> {
        let men: Vec<Man> = at.men.into_iter().flatten().collect();
        let [one, two] = <[Man; 2]>::try_from(men).ok()?;
        match &self.fewer {
            FourPieceBounds::Files(files) => {
                let (board, white, black) = (at.board, at.white, at.black);
                four(files, &Placement { board, white, black, men: [Some(one), Some(two)], stepped: None })
            }
            FourPieceBounds::Small(tables) => {
                let (board, mut position) = (rules(self.size), Position::EMPTY);
                let kind = |letter: u8| LETTERS.iter().position(|other| *other == letter).map(|at| KINDS[at]);
                let men = [(orthodox::KING, true, at.white), (orthodox::KING, false, at.black)];
                let others = [(kind(one.0)?, one.1, one.2), (kind(two.0)?, two.1, two.2)];
                for (kind, white, square) in men.into_iter().chain(others) {
                    let files = at.board[0];
                    let square = Square::new((square % files) as u8, (square / files) as u8);
                    let color = if white { Color::White } else { Color::Black };
                    position.put(board, square, Piece { color, kind });
                }
                let [low, alpha, beta, high] = tables.enclosed(&position)?;
                Some([[low, high], [beta, alpha]])
            }
        }
    }

    fn name(&self) -> String {
        let [one, two, three] = self.letters.map(char::from);
        if self.together { format!("K{one}{two}{three}vK") } else { format!("K{one}{two}vK{three}") }
    }

    fn found(&self, after: After<3>, white: bool) -> Result<Lead, String> {
        let at = match after {
            After::Taken => return Ok(Lead::Outside(if white { [ONE; 2] } else { [0; 2] })),
            After::Placed(at) => at,
        };
        let found = match at.men.iter().all(Option::is_some) {
            true => self.place(&at).map(Lead::Inside),
            false => self.left(&at).map(|[bounds, between]| Lead::Enclosed(bounds, between)),
        };
        found.ok_or_else(|| "the table after a capture is missing from the folder".to_owned())
    }
}

impl Proving for Five<'_> {
    fn bounds(&self) -> &[[u64; 2]] {
        &self.columns.bounds
    }

    fn apart(&self) -> &[(usize, [u64; 2])] {
        &self.columns.apart
    }

    fn stands(&self, place: usize) -> bool {
        let at = self.placement(place);
        let men = at.men.iter().flatten().fold(1u64 << at.white | 1 << at.black, |all, man| all | 1 << man.2);
        men.count_ones() == 5
    }

    fn options(&self, place: usize) -> Result<[Vec<Lead>; 2], String> {
        let at = self.placement(place);
        let side = |white| at.moves(white).into_iter().map(|after| self.found(after, white)).collect();
        let [white, black]: [Result<Vec<Lead>, String>; 2] = [side(true), side(false)];
        Ok([white?, black?])
    }

    fn describe(&self, place: usize) -> String {
        self.placement(place).describe()
    }
}

/// Reads the four-piece files that captures lead to, from the folder of the file.
fn read_four_piece_files(path: &Path, letters: [u8; 3], together: bool) -> Result<Vec<Four>, String> {
    let mut names: Vec<String> = Vec::new();
    for lost in 0..3 {
        let mut left: Vec<(char, bool)> = (0..3)
            .filter(|piece| *piece != lost)
            .map(|piece| (char::from(letters[piece]), together || piece < 2))
            .collect();
        left.sort_by_key(|(letter, _)| LETTERS.iter().position(|other| char::from(*other) == *letter));
        let [(one, white), (two, same)] = [left[0], left[1]];
        names.push(if white == same { format!("K{one}{two}vK") } else { format!("K{one}vK{two}") });
    }
    names.sort();
    names.dedup();
    let read = |name: &String| {
        let file = path.with_file_name(format!("{name}.four"));
        if !file.exists() {
            return Err(format!("{name}.four is missing from the folder: captures lead to it"));
        }
        Four::read(&file)
    };
    names.iter().map(read).collect()
}

/// Proves a file of five pieces. The four-piece files must be in the same folder; each needs its own proof. On a small board, four pieces are solved
/// first unless `small` has them.
///
/// # Errors
/// The first fault, with its position.
pub fn prove_five(path: &Path, small: Option<&SmallTables>) -> Result<VerifiedFive, String> {
    let bytes = fs::read(path).map_err(|why| format!("{} cannot be read: {why}", path.display()))?;
    let wrong = |why: &str| format!("{}: {why}", path.display());
    if bytes.len() < 64 || &bytes[..9] != b"ZORKFIVE\x01" {
        return Err(wrong("not a version 1 table of five pieces"));
    }
    let (letters, together) = ([bytes[9], bytes[10], bytes[11]], bytes[12] == 1);
    let ranks = letters.map(|letter| LETTERS.iter().position(|other| *other == letter));
    let [Some(first), Some(second), Some(third)] = ranks else { return Err(wrong("unknown material in the header")) };
    if first > second || together && second > third || bytes[12] > 1 {
        return Err(wrong("unknown material in the header"));
    }
    let size = Size::new(bytes[13], bytes[14]).ok_or_else(|| wrong("invalid board size in the header"))?;
    let squares = i32::from(size.width()) * i32::from(size.height());
    let stays = |king: &i32| (0..Five::turns(size)).all(|turn| Five::turned(size, turn, *king) >= *king);
    let kings: Vec<i32> = (0..squares).filter(stays).collect();
    let slot = |turn, square| kings.iter().position(|king| *king == Five::turned(size, turn, square));
    let turn = |square| (0..Five::turns(size)).find_map(|turn| Some((turn, slot(turn, square)?)));
    let slots = (0..squares).filter_map(turn).collect();
    let men = Five::men(letters, together, squares);
    let (places, wides) = (little(&bytes[16..20]) as usize, little(&bytes[20..24]) as usize);
    if places != kings.len() * squares as usize * men.len() {
        return Err(wrong("the file length differs from its header"));
    }
    let columns = Columns::read(&bytes, places, wides).map_err(wrong)?;
    drop(bytes);
    let mut solved = SmallTables::new(size);
    let fewer = match small.filter(|small| small.size() == size) {
        _ if size == Size::ORTHODOX => FourPieceBounds::Files(read_four_piece_files(path, letters, together)?),
        Some(small) => FourPieceBounds::Small(small),
        None => {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            while solved.pieces() < 4 {
                solved.grow(threads, None, &|_| ()).map_err(|restless| restless.to_string())?;
            }
            FourPieceBounds::Small(&solved)
        }
    };
    let five = Five { letters, together, size, kings, slots, men, columns, fewer };
    let positions = five.proved()?;
    let (apart, widest) = (five.columns.differ(), five.columns.widest);
    let open = five.columns.apart.len() - apart;
    Ok(VerifiedFive { material: five.name(), size, positions, apart, open, widest })
}
