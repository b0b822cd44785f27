//! Numbering of the table positions. Positions equal up to a symmetry of the board share a number.
//!
//! White owns the extra piece; a position in which Black owns it is looked up with colours exchanged. Without pawns a square board has eight
//! symmetries and an oblong board four. With a pawn only the mirror of the files remains.

use std::{fmt, ops::Range};

use crate::board::{
    Color, Size, Square,
    orthodox::{BISHOP, KNIGHT, PAWN, QUEEN, ROOK},
};

/// Placement of the pieces: White has `king` and perhaps `piece`, Black has the `bare` king.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Setup {
    /// Material, which gives the type of the extra piece.
    pub material: Material,
    /// White's king.
    pub king: Square,
    /// Black's king.
    pub bare: Square,
    /// Extra piece. With bare kings it repeats the square of White's king, which keeps the numbering simple.
    pub piece: Square,
}

/// Number of a position: [`LOST`], [`WON`], or a canonical position in solving order.
pub type Id = u32;

/// Number of the game in which the white king has been captured; its value is 0.
pub const LOST: Id = 0;
/// Number of the game in which the black king has been captured; its value is 1.
pub const WON: Id = 1;
/// Number of the game that a player has won.
pub(super) fn won(player: Color) -> Id {
    match player {
        Color::White => WON,
        Color::Black => LOST,
    }
}

/// Least number of a position with both kings.
pub const FIRST: Id = 2;

/// Positions that depend only on each other and on earlier layers: one material, or one rank of the pawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    /// Material of all positions.
    pub material: Material,
    /// Numbers of the positions.
    pub ids: Range<Id>,
}

/// Symmetry of the board, as a map of squares.
type Symmetry = [u8; 64];

/// Canonical positions of one board, in solving order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Index {
    size: Size,
    symmetries: Vec<Symmetry>,
    /// Keys of the canonical positions, ascending within each layer.
    keys: Vec<u32>,
    layers: Vec<Layer>,
}

fn symmetries(size: Size) -> Vec<Symmetry> {
    let (right, top) = (size.width() - 1, size.height() - 1);
    let square = size.width() == size.height();
    let map = |turn: &dyn Fn(u8, u8) -> (u8, u8)| {
        let mut symmetry = [0; 64];
        for square in size.squares() {
            let (file, rank) = turn(square.file(), square.rank());
            symmetry[square.index()] = Square::new(file, rank).index() as u8;
        }
        symmetry
    };
    let mut symmetries = vec![
        map(&|x, y| (x, y)),
        map(&|x, y| (right - x, y)),
        map(&|x, y| (x, top - y)),
        map(&|x, y| (right - x, top - y)),
    ];
    if square {
        symmetries.extend([
            map(&|x, y| (y, x)),
            map(&|x, y| (right - y, x)),
            map(&|x, y| (y, top - x)),
            map(&|x, y| (right - y, top - x)),
        ]);
    }
    symmetries
}

/// Number of possible keys: three squares of six bits.
const KEYS: usize = 1 << 18;

fn key(symmetry: &Symmetry, setup: Setup) -> u32 {
    let at = |square: Square| u32::from(symmetry[square.index()]);
    at(setup.piece) << 12 | at(setup.king) << 6 | at(setup.bare)
}

fn setup(material: Material, key: u32) -> Setup {
    let at = |shift: u32| Square::at((key >> shift & 63) as usize);
    Setup { material, piece: at(12), king: at(6), bare: at(0) }
}

impl Index {
    /// Numbers the positions of a board.
    pub fn new(size: Size) -> Index {
        let mut index = Index { size, symmetries: symmetries(size), keys: Vec::new(), layers: Vec::new() };
        for material in Material::ALL {
            let mut seen = vec![false; KEYS];
            if material == Material::Pawn {
                for rank in (1..size.height() - 1).rev() {
                    index.layer(material, Some(rank), &mut seen);
                }
            } else {
                index.layer(material, None, &mut seen);
            }
        }
        index
    }

    fn layer(&mut self, material: Material, rank: Option<u8>, seen: &mut [bool]) {
        let first = self.len() as Id;
        let all = self.size.squares();
        let bare = material == Material::Bare;
        for piece in all.filter(|piece| rank.is_none_or(|rank| piece.rank() == rank)) {
            for king in all.filter(|king| (*king == piece) == bare) {
                for other in all.filter(|other| *other != piece && *other != king) {
                    let setup = Setup { material, king, bare: other, piece };
                    let own = key(&self.symmetries[0], setup);
                    if seen[own as usize] {
                        continue;
                    }
                    self.keys.push(own);
                    for symmetry in self.symmetries(material) {
                        seen[key(symmetry, setup) as usize] = true;
                    }
                }
            }
        }
        self.layers.push(Layer { material, ids: first..self.len() as Id });
    }

    fn symmetries(&self, material: Material) -> &[Symmetry] {
        if material == Material::Pawn { &self.symmetries[..2] } else { &self.symmetries }
    }

    /// Size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Layers, each after all layers that it can turn into.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Number of position numbers, including the two terminal ones.
    pub(super) fn len(&self) -> usize {
        self.keys.len() + FIRST as usize
    }

    /// Canonical position of a number from [`FIRST`] on.
    pub fn setup(&self, layer: &Layer, id: Id) -> Setup {
        setup(layer.material, self.keys[(id - FIRST) as usize])
    }

    /// Number of placements equal to this one up to a symmetry, itself included.
    pub fn images(&self, setup: Setup) -> usize {
        let mut keys: Vec<u32> = self.symmetries(setup.material).iter().map(|symmetry| key(symmetry, setup)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys.len()
    }

    /// Number of a position, by search; `Places` is faster but larger.
    ///
    /// Panics if two pieces share a square, a pawn is on the first or last rank, or a square is outside the board.
    pub fn id(&self, setup: Setup) -> Id {
        let key = self.symmetries(setup.material).iter().map(|symmetry| key(symmetry, setup)).min().unwrap_or_default();
        let rank = Square::at((key >> 12) as usize).rank();
        let layer = match setup.material {
            Material::Pawn => &self.layers[5 + usize::from(self.size.height() - 2 - rank)],
            other => &self.layers[other as usize],
        };
        let keys = &self.keys[(layer.ids.start - FIRST) as usize..(layer.ids.end - FIRST) as usize];
        match keys.binary_search(&key) {
            Ok(place) => layer.ids.start + place as Id,
            Err(_) => panic!("{setup:?} is not a position of the {} board", self.size),
        }
    }
}

/// Index of a position within its material, without symmetry, below [`KEYS`]. The square of the extra piece has the lowest bits: it moves farthest,
/// so its moves stay close in memory.
#[inline]
fn place(setup: Setup) -> usize {
    setup.king.index() << 12 | setup.bare.index() << 6 | setup.piece.index()
}

/// Lookup table of a number for every position, without a search. Takes six megabytes.
pub(super) struct Places {
    by_material: [Vec<u32>; 6],
}

impl Places {
    /// Stores `of(id, symmetry)` for every symmetric image of every canonical position.
    pub(super) fn new(index: &Index, of: impl Fn(Id, usize) -> u32) -> Places {
        let mut by_material = Material::ALL.map(|_| vec![LOST; KEYS]);
        for layer in &index.layers {
            let places = &mut by_material[layer.material as usize];
            for id in layer.ids.clone() {
                let own = index.setup(layer, id);
                for (number, symmetry) in index.symmetries(layer.material).iter().enumerate() {
                    places[place(setup(layer.material, key(symmetry, own)))] = of(id, number);
                }
            }
        }
        Places { by_material }
    }

    /// Number stored for a position.
    #[inline]
    pub(super) fn of(&self, setup: Setup) -> u32 {
        self.by_material[setup.material as usize][place(setup)]
    }
}

/// Material of an endgame with at most three pieces.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Material {
    /// Two bare kings.
    Bare,
    /// King and knight against king.
    Knight,
    /// King and bishop against king.
    Bishop,
    /// King and rook against king.
    Rook,
    /// King and queen against king.
    Queen,
    /// King and pawn against king.
    Pawn,
}

impl Material {
    /// Every material, each after all that it can turn into.
    pub const ALL: [Material; 6] =
        [Material::Bare, Material::Knight, Material::Bishop, Material::Rook, Material::Queen, Material::Pawn];

    /// Type of the extra piece, as an index into the orthodox piece types.
    pub const fn kind(self) -> Option<u8> {
        match self {
            Material::Bare => None,
            Material::Knight => Some(KNIGHT),
            Material::Bishop => Some(BISHOP),
            Material::Rook => Some(ROOK),
            Material::Queen => Some(QUEEN),
            Material::Pawn => Some(PAWN),
        }
    }

    /// Material with an extra piece of an orthodox type; `None` if that piece is a second king.
    pub fn with(kind: Option<u8>) -> Option<Material> {
        Material::ALL.into_iter().find(|material| material.kind() == kind)
    }

    /// Name, such as `KNvK`.
    pub const fn name(self) -> &'static str {
        match self {
            Material::Bare => "KvK",
            Material::Knight => "KNvK",
            Material::Bishop => "KBvK",
            Material::Rook => "KRvK",
            Material::Queen => "KQvK",
            Material::Pawn => "KPvK",
        }
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
