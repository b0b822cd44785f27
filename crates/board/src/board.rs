//! The board of a game: piece types, rules for pawns, castling, royal pieces and compulsory moves, and attacks.

use std::sync::LazyLock;

use super::{
    piece_type::{PieceType, orthodox, orthodox_kinds},
    position::{NOTHING, Piece, Position},
    square::{Color, Size, Square, Squares},
};

/// The unchanging part of a game's rules of movement. The changing part is a [`Position`].
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
    /// Rules for pawns, if some piece type is a pawn.
    pub pawns: Option<Pawns>,
    /// Rules for castling, if the game has castling.
    pub castling: Option<Castling>,
    /// Meaning of attacks on royal pieces.
    pub royalty: RoyalRule,
    /// Restriction on the side to move.
    pub duty: MoveObligation,
    /// True if captured pieces go to the captor's reserve, as in crazyhouse. A promoted pawn turns back into a pawn.
    pub holdings: bool,
    /// The side that is a horde: it has no royal piece and loses when all its pieces are captured. Its pawns may be on
    /// its first rank.
    pub horde: Option<Color>,
    /// True if the game has a duck, which belongs to neither side.
    pub duck: bool,
    /// True if a capture also removes the capturing piece and all pieces around it except pawns. A side must not remove
    /// its own royal piece. It is not in check while the royal pieces are adjacent.
    pub explosions: bool,
    /// By attacking colour and target: the squares from which some piece type could capture there on an empty board.
    strikers: [[Squares; 64]; 2],
    /// True if some piece type hops, has first moves or relays. Attacks then depend on more than clear lines, so every
    /// move is tested.
    pub(super) wild: bool,
}

static ORTHODOX: LazyLock<Board> = LazyLock::new(|| Board::orthodox_of(Size::ORTHODOX));

impl Board {
    /// Maximum number of piece types. One of the 256 indices marks an empty square.
    pub const MOST_KINDS: usize = NOTHING as usize;

    /// Creates a board with these piece types, check, no pawns and no castling.
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

    /// Adds a piece type during the game and returns its index.
    ///
    /// # Panics
    /// If the board already has [`Board::MOST_KINDS`] piece types.
    pub fn add(&mut self, kind: PieceType) -> u8 {
        assert!(self.kinds.len() < Board::MOST_KINDS);
        self.record_attack_origins(&kind);
        self.kinds.push(kind);
        (self.kinds.len() - 1) as u8
    }

    /// Replaces a piece type that no piece on the board has any more.
    pub fn replace(&mut self, index: u8, kind: PieceType) {
        self.record_attack_origins(&kind);
        self.kinds[usize::from(index)] = kind;
    }

    /// Records from which squares a piece type could capture.
    fn record_attack_origins(&mut self, kind: &PieceType) {
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

    /// The 8×8 board of orthodox chess.
    pub fn orthodox() -> &'static Board {
        &ORTHODOX
    }

    /// Creates a board of any size with orthodox pieces and rules. Pawns make their double step from the second rank.
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

    /// Size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Piece types in order of their indices.
    pub fn kinds(&self) -> &[PieceType] {
        &self.kinds
    }

    /// The piece type with this index.
    #[inline]
    pub fn kind(&self, kind: u8) -> &PieceType {
        &self.kinds[kind as usize]
    }

    /// Index of the piece type written as `letter` alone, in upper or lower case.
    pub fn kind_of(&self, letter: char) -> Option<u8> {
        self.kind_with_apostrophes(letter, 0)
    }

    /// Index of the piece type written as `letter`, in upper or lower case, with `dress` apostrophes.
    pub fn kind_with_apostrophes(&self, letter: char, dress: usize) -> Option<u8> {
        let is = |kind: &PieceType| (kind.letter, kind.apostrophes) == (letter.to_ascii_uppercase(), dress);
        self.kinds.iter().position(is).map(|index| index as u8)
    }

    /// True if the piece type is this board's pawn.
    #[inline]
    pub fn is_pawn(&self, kind: u8) -> bool {
        matches!(&self.pawns, Some(pawns) if pawns.kind == kind)
    }

    /// True if a piece of `by` on one of `strikers` attacks `target` with `occupied` as blockers.
    #[inline]
    pub fn attacks_square(
        &self,
        position: &Position,
        by: Color,
        target: Square,
        occupied: Squares,
        strikers: Squares,
    ) -> bool {
        for from in strikers & self.strikers[by.index()][target.index()] {
            let design = &self.kinds[position.kind(from) as usize].design;
            if design.capture_reach(by, from).has(target) && design.strikes(by, from, target, occupied) {
                return true;
            }
        }
        self.wild && self.attacks_conditionally(position, by, target, occupied, strikers)
    }

    /// True if a piece of `by` attacks `target`.
    pub fn attacked(&self, position: &Position, by: Color, target: Square) -> bool {
        self.attacks_square(position, by, target, position.occupied(), position.of(by))
    }

    /// All squares that `by` attacks.
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

    /// Pieces of `by` that could capture on `target` on an empty board. Only these can attack it.
    #[inline]
    pub(super) fn may_strike(&self, position: &Position, by: Color, target: Square) -> Squares {
        position.of(by) & self.strikers[by.index()][target.index()]
    }

    /// Squares of `color`'s royal pieces.
    #[inline]
    pub fn royals(&self, position: &Position, color: Color) -> Squares {
        position.royals & position.of(color)
    }

    /// True if `color` has exactly one royal piece and it is attacked.
    pub fn in_check(&self, position: &Position, color: Color) -> bool {
        let royal = self.royals(position, color).only();
        royal.is_some_and(|royal| !self.is_shielded(position, color, royal) && self.attacked(position, !color, royal))
    }

    /// True if a royal piece of `color` on `square` would be adjacent to the enemy's, so that a capture there would
    /// explode both.
    #[inline]
    pub(super) fn is_shielded(&self, position: &Position, color: Color, square: Square) -> bool {
        self.explosions && !(square.neighbours(self.size) & self.royals(position, !color)).is_empty()
    }
}

impl Position {
    /// Puts an unmoved piece on a square, replacing any other.
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

/// Rules for pawns beyond their steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pawns {
    /// Index of the pawn.
    pub kind: u8,
    /// Squares from which a pawn may make a double step, by colour.
    pub double_from: [Squares; 2],
    /// True if en passant is allowed.
    pub en_passant: bool,
    /// Indices of the promotion pieces, in the order offered; empty for no promotion.
    pub promotions: Vec<u8>,
}

impl Pawns {
    /// True if a double step from this square allows en passant. A double step from the first rank, which only a horde
    /// can make, does not.
    pub(super) fn passes(&self, us: Color, from: Square, size: Size) -> bool {
        self.en_passant && self.double_from[us.index()].has(from) && from.rank() != size.rank_of(us, 0)
    }
}

/// Rules for castling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Castling {
    /// Index of the piece type that castles.
    pub king: u8,
    /// Index of its partner.
    pub rook: u8,
    /// True if the king may castle only out of, through and into squares that are not attacked.
    pub safe: bool,
    /// True if the move is written as the king taking its own rook, as in Chess960.
    pub king_takes_rook: bool,
}

/// Meaning of an attack on a royal piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RoyalRule {
    /// A side may not leave its only royal piece attacked. Two or more royal pieces may be left attacked.
    Check,
    /// Royal pieces may be left attacked and captured.
    Capture,
    /// No piece is royal. Kings are ordinary pieces.
    Ordinary,
}

/// Restriction on the side to move, besides the safety of its royal piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveObligation {
    /// None.
    None,
    /// It must capture if it can, including en passant, but may choose the capture.
    Capture,
    /// It must not give check. Attacks by promoted pieces are not considered, since no game with this rule has pawns.
    Peace,
}
