//! The board of a game: its piece types, the rule layers over their steps (pawns, castling, royalty, duty), and what is attacked.

use std::sync::LazyLock;

use super::{
    piece_type::{PieceType, orthodox, orthodox_kinds},
    position::{NOTHING, Piece, Position},
    square::{Color, Size, Square, Squares},
};

/// The board of a game: everything about moving that does not change from ply to ply. What changes is in a [`Position`].
///
/// ```
/// use zorkmid_board::{Board, START};
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
    kinds: Vec<PieceType>,
    /// The pawns' layers, if any kind is a pawn.
    pub pawns: Option<Pawns>,
    /// The layer of castling, if there is castling.
    pub castling: Option<Castling>,
    /// The meaning of attacks on royal pieces.
    pub royalty: RoyalRule,
    /// The duty of the side to move.
    pub duty: MoveObligation,
    /// Whoever captures a unit has one like it to drop: a promoted pawn is a pawn again then.
    pub holdings: bool,
    /// A side that has no royal piece and loses when all its units are captured; its pawns may stand on its first rank.
    pub horde: Option<Color>,
    /// There is a duck, which is nobody's.
    pub duck: bool,
    /// A capture removes the capturing piece too, and every piece but pawns around it. A side must not remove its own royal piece, and is not in
    /// check while the royal pieces touch.
    pub explosions: bool,
    /// From where any kind could capture on a square of an empty board, by the capturer's colour.
    strikers: [[Squares; 64]; 2],
    /// Some kind hops, has first moves or relays: what is attacked depends on more than clear ways, and every move is tried.
    pub(super) wild: bool,
}

static ORTHODOX: LazyLock<Board> = LazyLock::new(|| Board::orthodox_of(Size::ORTHODOX));

impl Board {
    /// So many kinds a board can hold: an index of one byte, less the one that means an empty square.
    pub const MOST_KINDS: usize = NOTHING as usize;

    /// A board of these kinds with no pawns, no castling and check.
    pub fn new(size: Size, kinds: Vec<PieceType>) -> Self {
        let mut board = Board {
            size,
            kinds: Vec::with_capacity(kinds.len()),
            pawns: None,
            castling: None,
            royalty: RoyalRule::Check,
            duty: MoveObligation::None,
            holdings: false,
            horde: None,
            duck: false,
            explosions: false,
            strikers: [[Squares::EMPTY; 64]; 2],
            wild: false,
        };
        for kind in kinds {
            board.add(kind);
        }
        board
    }

    /// Adds a kind that comes into the game, and says its index. A board holds at most [`Board::MOST_KINDS`] kinds.
    pub fn add(&mut self, kind: PieceType) -> u8 {
        assert!(self.kinds.len() < Board::MOST_KINDS);
        self.learn(&kind);
        self.kinds.push(kind);
        (self.kinds.len() - 1) as u8
    }

    /// Puts another kind in the place of one that no unit is of any more.
    pub fn replace(&mut self, index: u8, kind: PieceType) {
        self.learn(&kind);
        self.kinds[usize::from(index)] = kind;
    }

    /// Notes from where a kind could capture.
    fn learn(&mut self, kind: &PieceType) {
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
    pub fn kinds(&self) -> &[PieceType] {
        &self.kinds
    }

    /// The kind of an index.
    #[inline]
    pub fn kind(&self, kind: u8) -> &PieceType {
        &self.kinds[kind as usize]
    }

    /// The index of the kind written with `letter` alone, upper or lower case.
    pub fn kind_of(&self, letter: char) -> Option<u8> {
        self.kind_dressed(letter, 0)
    }

    /// The index of the kind written with `letter`, upper or lower case, and so many apostrophes.
    pub fn kind_dressed(&self, letter: char, dress: usize) -> Option<u8> {
        let is = |kind: &PieceType| (kind.letter, kind.dress) == (letter.to_ascii_uppercase(), dress);
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
            let design = &self.kinds[position.kind(from) as usize].design;
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
        let royal = self.royals(position, color).only();
        royal.is_some_and(|royal| !self.is_shielded(position, color, royal) && self.attacked(position, !color, royal))
    }

    /// Whether a royal piece of `color` on a square touches the enemy's, so that a capture there would remove both.
    #[inline]
    pub(super) fn is_shielded(&self, position: &Position, color: Color, square: Square) -> bool {
        self.explosions && !(square.neighbours(self.size) & self.royals(position, !color)).is_empty()
    }
}

impl Position {
    /// Puts a unit that has not moved on a square, in the place of what stood there.
    #[inline]
    pub fn put(&mut self, board: &Board, square: Square, piece: Piece) {
        self.remove(square);
        self.kinds[square.index()] = piece.kind;
        self.colors[piece.color.index()] |= square.set();
        let kind = board.kind(piece.kind);
        if kind.design.royal && board.royalty != RoyalRule::Ordinary {
            self.royals |= square.set();
        }
        if kind.first.is_some() {
            self.rights |= square.set();
        }
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
pub enum RoyalRule {
    /// A side's only royal piece must not be left attacked; two or more may.
    Check,
    /// Royal pieces may be left attacked, and captured.
    Capture,
    /// No piece is royal: kings are pieces like any other.
    Ordinary,
}

/// A duty of the side to move, beside keeping its royal piece safe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveObligation {
    /// None.
    None,
    /// To capture if it can, in passing too; it is free to choose which capture.
    Capture,
    /// To give no check. Nothing is said of what promotions attack: who has this duty has no pawns.
    Peace,
}
