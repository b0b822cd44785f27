//! Positions on a board, and the board's own laws: which pieces there are and which rule layers lie over their steps.

use std::sync::{Arc, LazyLock};

use super::{
    betza::Betza,
    piece::Design,
    square::{Color, Size, Square, Squares},
};

/// One kind of piece in a game: how it is written and how it moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kind {
    /// The upper-case letter that names it in FEN, SAN and drops.
    pub letter: char,
    /// The number of apostrophes behind the letter, where one board has more kinds than there are letters: `A'`.
    pub dress: usize,
    /// Its name in words, as `knight`.
    pub name: String,
    /// Its canonical Betza text, as `royal-WF`.
    pub betza: String,
    /// Its way of moving.
    pub design: Arc<Design>,
    /// What it may do besides as long as it has not moved.
    pub first: Option<Arc<Design>>,
    /// What it lends to every friendly piece that it guards.
    pub relayed: Option<Arc<Design>>,
}

impl Kind {
    /// Its letter and apostrophes, as White's pieces are written.
    pub fn written(&self) -> String {
        format!("{}{}", self.letter, "'".repeat(self.dress))
    }

    /// A kind that moves as `betza` says, on boards of `size`.
    pub fn new(letter: char, name: &str, betza: &Betza, size: Size) -> Self {
        Kind {
            letter,
            dress: 0,
            name: name.to_owned(),
            betza: betza.to_string(),
            design: Arc::new(betza.design(size)),
            first: betza.first(size).map(Arc::new),
            relayed: betza.relayed(size).map(Arc::new),
        }
    }

    /// Tells whether its attacks are more than clear ways from where it stands.
    fn is_wild(&self) -> bool {
        self.design.hops() || self.first.is_some() || self.relayed.is_some()
    }
}

/// The rule layers over a pawn's steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pawns {
    /// Which kind is the pawn.
    pub kind: u8,
    /// From where a pawn may step twice, by colour; empty for no double step.
    pub double_from: [Squares; 2],
    /// A pawn that stepped twice may be captured in passing.
    pub en_passant: bool,
    /// The kinds that a pawn on its last rank may become, in the order in which they are offered; empty for no promotion.
    pub promotions: Vec<u8>,
}

impl Pawns {
    /// Tells whether a pawn that steps twice from a square may be captured in passing: not from its first rank, where only a horde has
    /// pawns.
    pub(super) fn passes(&self, us: Color, from: Square, size: Size) -> bool {
        self.en_passant && self.double_from[us.index()].has(from) && from.rank() != size.rank_of(us, 0)
    }
}

/// The rule layer of castling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Castling {
    /// Which kind castles.
    pub king: u8,
    /// With which kind.
    pub rook: u8,
    /// The king may castle only out of, through and into squares that are not attacked.
    pub safe: bool,
    /// The move is written as the king taking its own rook, as in Chess960.
    pub king_takes_rook: bool,
}

/// The meaning of being attacked for a royal piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Royalty {
    /// A side's only royal piece must not be left attacked; two or more may.
    Check,
    /// Royal pieces may be left attacked, and captured.
    Capture,
    /// No piece is royal: kings are pieces like any other.
    Ordinary,
}

/// A duty of the side to move, beside keeping its royal piece safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Duty {
    /// None.
    None,
    /// To capture if it can, in passing too; it is free to choose which capture.
    Capture,
    /// To give no check. Nothing is said of what promotions attack: who has this duty has no pawns.
    Peace,
}

/// The board of a game: everything about moving that does not change from ply to ply. What changes is in a [`Position`].
///
/// ```
/// use zorkmid_games::board::{Board, START};
///
/// let board = Board::orthodox();
/// let start = board.parse_fen(START)?;
/// assert_eq!(board.moves(&start).len(), 20);
/// assert_eq!(board.perft(&start, 3), 8_902);
///
/// let push = board.parse_san(&start, "e4")?;
/// let after = board.after(&start, push);
/// assert!(board.fen(&after).starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    size: Size,
    kinds: Vec<Kind>,
    /// The pawns' layers, if any kind is a pawn.
    pub pawns: Option<Pawns>,
    /// The layer of castling, if there is castling.
    pub castling: Option<Castling>,
    /// The meaning of attacks on royal pieces.
    pub royalty: Royalty,
    /// The duty of the side to move.
    pub duty: Duty,
    /// Whoever captures a unit has one like it to drop: a promoted pawn is a pawn again then.
    pub holdings: bool,
    /// A side that has no royal piece and loses when all its units are captured; its pawns may stand on its first rank.
    pub horde: Option<Color>,
    /// There is a duck, which is nobody's.
    pub duck: bool,
    /// From where any kind could capture on a square of an empty board, by the capturer's colour.
    strikers: [[Squares; 64]; 2],
    /// Some kind hops, has first moves or relays: what is attacked depends on more than clear ways, and every move is tried.
    pub(super) wild: bool,
}

/// The indices of the orthodox kinds in [`Board::orthodox`].
pub mod orthodox {
    /// Pawn.
    pub const PAWN: u8 = 0;
    /// Knight.
    pub const KNIGHT: u8 = 1;
    /// Bishop.
    pub const BISHOP: u8 = 2;
    /// Rook.
    pub const ROOK: u8 = 3;
    /// Queen.
    pub const QUEEN: u8 = 4;
    /// King.
    pub const KING: u8 = 5;
}

/// The orthodox kinds in the order of [`orthodox`].
const KINDS: [(char, &str, &str); 6] = [
    ('P', "pawn", "fmWfcF"),
    ('N', "knight", "N"),
    ('B', "bishop", "B"),
    ('R', "rook", "R"),
    ('Q', "queen", "RB"),
    ('K', "king", "royal-WF"),
];

static PIECES: LazyLock<[Betza; 6]> =
    LazyLock::new(|| KINDS.map(|(_, _, betza)| betza.parse().expect("the orthodox pieces are Betza pieces")));

fn orthodox_kinds(size: Size) -> Vec<Kind> {
    let kinds = KINDS.iter().zip(PIECES.iter());
    kinds.map(|((letter, name, _), betza)| Kind::new(*letter, name, betza, size)).collect()
}

static ORTHODOX: LazyLock<Board> = LazyLock::new(|| Board::orthodox_of(Size::ORTHODOX));

impl Board {
    /// So many kinds a board can hold: an index of one byte, less the one that means an empty square.
    pub const MOST_KINDS: usize = NOTHING as usize;

    /// A board of these kinds with no pawns, no castling and check.
    pub fn new(size: Size, kinds: Vec<Kind>) -> Self {
        let mut board = Board {
            size,
            kinds: Vec::with_capacity(kinds.len()),
            pawns: None,
            castling: None,
            royalty: Royalty::Check,
            duty: Duty::None,
            holdings: false,
            horde: None,
            duck: false,
            strikers: [[Squares::EMPTY; 64]; 2],
            wild: false,
        };
        for kind in kinds {
            board.add(kind);
        }
        board
    }

    /// Adds a kind that comes into the game, and says its index. A board holds at most [`Board::MOST_KINDS`] kinds.
    pub fn add(&mut self, kind: Kind) -> u8 {
        assert!(self.kinds.len() < Board::MOST_KINDS);
        self.learn(&kind);
        self.kinds.push(kind);
        (self.kinds.len() - 1) as u8
    }

    /// Puts another kind in the place of one that no unit is of any more.
    pub fn replace(&mut self, index: u8, kind: Kind) {
        self.learn(&kind);
        self.kinds[usize::from(index)] = kind;
    }

    /// Notes from where a kind could capture.
    fn learn(&mut self, kind: &Kind) {
        self.wild |= kind.is_wild();
        for color in Color::BOTH {
            for from in self.size.squares() {
                for design in [&kind.design].into_iter().chain(&kind.first) {
                    for target in design.capture_reach(color, from) {
                        self.strikers[color.index()][target.index()] |= from.set();
                    }
                }
            }
        }
    }

    /// The board of ordinary chess, 8×8.
    pub fn orthodox() -> &'static Board {
        &ORTHODOX
    }

    /// Ordinary chess pieces and layers on a board of any size; the double step starts on the second rank.
    pub fn orthodox_of(size: Size) -> Board {
        use orthodox::*;
        let mut board = Board::new(size, orthodox_kinds(size));
        let second = |color| if size.height() > 1 { Squares::rank(size.rank_of(color, 1)) } else { Squares::EMPTY };
        board.pawns = Some(Pawns {
            kind: PAWN,
            double_from: [second(Color::White), second(Color::Black)],
            en_passant: true,
            promotions: vec![QUEEN, ROOK, BISHOP, KNIGHT],
        });
        board.castling = Some(Castling { king: KING, rook: ROOK, safe: true, king_takes_rook: false });
        board
    }

    /// The extent of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The kinds of piece, in the order of their indices.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The kind of an index.
    #[inline]
    pub fn kind(&self, kind: u8) -> &Kind {
        &self.kinds[kind as usize]
    }

    /// The index of the kind written with `letter` alone, upper or lower case.
    pub fn kind_of(&self, letter: char) -> Option<u8> {
        self.kind_dressed(letter, 0)
    }

    /// The index of the kind written with `letter`, upper or lower case, and so many apostrophes.
    pub fn kind_dressed(&self, letter: char, dress: usize) -> Option<u8> {
        let is = |kind: &Kind| (kind.letter, kind.dress) == (letter.to_ascii_uppercase(), dress);
        self.kinds.iter().position(is).map(|index| index as u8)
    }

    /// Tells whether a kind is the pawn of this board.
    #[inline]
    pub fn is_pawn(&self, kind: u8) -> bool {
        matches!(&self.pawns, Some(pawns) if pawns.kind == kind)
    }

    /// Tells whether a unit of `by` attacks `target`, with `occupied` in the way and only the units in `strikers` counted.
    #[inline]
    pub fn struck(&self, position: &Position, by: Color, target: Square, occupied: Squares, strikers: Squares) -> bool {
        for from in strikers & self.strikers[by.index()][target.index()] {
            let design = &self.kinds[position.kinds[from.index()] as usize].design;
            if design.capture_reach(by, from).has(target) && design.strikes(by, from, target, occupied) {
                return true;
            }
        }
        self.wild && self.struck_besides(position, by, target, occupied, strikers)
    }

    /// Tells whether a unit of `by` attacks `target`.
    pub fn attacked(&self, position: &Position, by: Color, target: Square) -> bool {
        self.struck(position, by, target, position.occupied(), position.of(by))
    }

    /// All squares that units of `by` attack.
    pub fn attacks(&self, position: &Position, by: Color) -> Squares {
        let (occupied, units) = (position.occupied(), position.of(by));
        let own = units.fold(Squares::EMPTY, |set, from| set | self.own_attacks(position, by, from, occupied));
        if !self.wild {
            return own;
        }
        self.relays(position, by, occupied, units).fold(own, |set, (relayed, guarded)| {
            guarded.fold(set, |set, unit| set | relayed.attacks(by, unit, occupied))
        })
    }

    /// The units of `by` that could capture on `target` on an empty board, the only ones that can attack it now.
    #[inline]
    pub(super) fn may_strike(&self, position: &Position, by: Color, target: Square) -> Squares {
        position.of(by) & self.strikers[by.index()][target.index()]
    }

    /// The squares of `color`'s royal pieces.
    #[inline]
    pub fn royals(&self, position: &Position, color: Color) -> Squares {
        position.royals & position.of(color)
    }

    /// Tells whether `color` has exactly one royal piece, and it is attacked.
    pub fn in_check(&self, position: &Position, color: Color) -> bool {
        self.royals(position, color).only().is_some_and(|royal| self.attacked(position, !color, royal))
    }
}

/// A unit on the board: its colour and the index of its kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// The index of its kind in [`Board::kinds`].
    pub kind: u8,
}

const NOTHING: u8 = u8::MAX;

/// The number of kinds that can be held to be dropped: the orthodox ones but for the king.
pub(super) const HELD: usize = orthodox::KING as usize;

/// Everything that changes from move to move. Which kinds the indices mean, the [`Board`] knows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    kinds: [u8; 64],
    colors: [Squares; 2],
    royals: Squares,
    /// What both sides have to drop, by kind.
    pub(super) held: [[u8; HELD]; 2],
    /// The units that were pawns and are pawns again when they are captured, where there are holdings.
    pub promoted: Squares,
    /// The units with a right that their first move ends: rooks that may castle, and where kinds have first moves, those of them that
    /// have not moved.
    pub rights: Squares,
    /// The squares skipped by double steps on which a pawn may be captured now.
    pub en_passant: Squares,
    /// The square of the duck, once it stands on the board: nothing goes there or through, and nothing captures it.
    pub duck: Squares,
    /// The side to move.
    pub turn: Color,
    /// Plies since the last capture or pawn move.
    pub halfmove: u16,
    /// The number of the full move, from 1.
    pub fullmove: u16,
}

impl Position {
    /// An empty board with White to move.
    pub const EMPTY: Position = Position {
        kinds: [NOTHING; 64],
        colors: [Squares::EMPTY; 2],
        royals: Squares::EMPTY,
        held: [[0; HELD]; 2],
        promoted: Squares::EMPTY,
        rights: Squares::EMPTY,
        en_passant: Squares::EMPTY,
        duck: Squares::EMPTY,
        turn: Color::White,
        halfmove: 0,
        fullmove: 1,
    };

    /// The unit on a square.
    #[inline]
    pub fn piece(&self, square: Square) -> Option<Piece> {
        let kind = self.kinds[square.index()];
        (kind != NOTHING).then(|| {
            let color = if self.colors[0].has(square) { Color::White } else { Color::Black };
            Piece { color, kind }
        })
    }

    /// The kind index on a square that is known to be occupied.
    #[inline]
    pub(super) fn kind(&self, square: Square) -> u8 {
        self.kinds[square.index()]
    }

    /// All units with their squares, from a1 upwards.
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().filter_map(|square| self.piece(square).map(|piece| (square, piece)))
    }

    /// The squares of `color`'s units.
    #[inline]
    pub fn of(&self, color: Color) -> Squares {
        self.colors[color.index()]
    }

    /// All squares with a unit, and that of the duck.
    #[inline]
    pub fn occupied(&self) -> Squares {
        self.colors[0] | self.colors[1] | self.duck
    }

    /// The squares of `color`'s units of one kind.
    pub fn of_kind(&self, color: Color, kind: u8) -> Squares {
        self.of(color).filter(|square| self.kind(*square) == kind).collect()
    }

    /// Puts a unit that has not moved on a square, in the place of what stood there.
    #[inline]
    pub fn put(&mut self, board: &Board, square: Square, piece: Piece) {
        self.remove(square);
        self.kinds[square.index()] = piece.kind;
        self.colors[piece.color.index()] |= square.set();
        let kind = board.kind(piece.kind);
        if kind.design.royal && board.royalty != Royalty::Ordinary {
            self.royals |= square.set();
        }
        if kind.first.is_some() {
            self.rights |= square.set();
        }
    }

    /// Takes whatever stands on a square off the board.
    #[inline]
    pub fn remove(&mut self, square: Square) {
        let others = !square.set();
        self.kinds[square.index()] = NOTHING;
        self.colors[0] &= others;
        self.colors[1] &= others;
        self.royals &= others;
        self.promoted &= others;
        self.rights &= others;
    }

    /// Moves the unit on `from` to the empty square `to`.
    #[inline]
    pub(super) fn carry(&mut self, from: Square, to: Square) {
        let both = from.set() | to.set();
        self.kinds[to.index()] = self.kinds[from.index()];
        self.kinds[from.index()] = NOTHING;
        let owner = usize::from(self.colors[1].has(from));
        self.colors[owner] ^= both;
        if self.royals.has(from) {
            self.royals ^= both;
        }
        if self.promoted.has(from) {
            self.promoted ^= both;
        }
        self.rights &= !both;
    }

    /// All by which two positions of a board can differ but for the counters of moves, in words.
    #[inline]
    pub fn words(&self) -> [u64; 16] {
        let mut words = [0; 16];
        for (word, kinds) in words.iter_mut().zip(self.kinds.as_chunks::<8>().0) {
            *word = u64::from_le_bytes(*kinds);
        }
        for (at, held) in self.held.iter().enumerate() {
            let [a, b, c, d, e] = *held;
            words[13 + at] = u64::from_be_bytes([0, 0, 0, a, b, c, d, e]);
        }
        let sets = [self.colors[0], self.promoted, self.rights, self.en_passant];
        for (word, set) in words[8..].iter_mut().zip(sets) {
            *word = set.0;
        }
        words[12] = self.turn as u64;
        words[15] = self.duck.0;
        words
    }

    /// Tells whether the same units stand on the same squares, and the duck.
    pub fn same_placement(&self, other: &Position) -> bool {
        self.kinds == other.kinds && self.colors == other.colors && self.duck == other.duck
    }
}
