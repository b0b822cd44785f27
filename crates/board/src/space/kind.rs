//! The kinds of pieces that stand in the cube, as data.

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CubeKind {
    /// Steps or climbs.
    Pawn,
    /// Leaps two along one axis and one along another.
    Knight,
    /// Slides along two axes alike.
    Bishop,
    /// Slides along all three axes alike.
    Unicorn,
    /// Slides along one axis.
    Rook,
    /// Slides as rook, bishop and unicorn.
    Queen,
    /// Steps to any cell beside its own, and is mated.
    King,
}

impl CubeKind {
    /// All kinds.
    pub const ALL: [CubeKind; 7] = [
        CubeKind::Pawn,
        CubeKind::Knight,
        CubeKind::Bishop,
        CubeKind::Unicorn,
        CubeKind::Rook,
        CubeKind::Queen,
        CubeKind::King,
    ];
    /// The kinds that a pawn may become, the strongest first.
    pub const PROMOTIONS: [CubeKind; 5] =
        [CubeKind::Queen, CubeKind::Rook, CubeKind::Knight, CubeKind::Bishop, CubeKind::Unicorn];

    /// The name in words.
    pub const fn name(self) -> &'static str {
        match self {
            CubeKind::Pawn => "pawn",
            CubeKind::Knight => "knight",
            CubeKind::Bishop => "bishop",
            CubeKind::Unicorn => "unicorn",
            CubeKind::Rook => "rook",
            CubeKind::Queen => "queen",
            CubeKind::King => "king",
        }
    }

    /// The capital letter in positions and on score sheets.
    pub const fn letter(self) -> char {
        match self {
            CubeKind::Pawn => 'P',
            CubeKind::Knight => 'N',
            CubeKind::Bishop => 'B',
            CubeKind::Unicorn => 'U',
            CubeKind::Rook => 'R',
            CubeKind::Queen => 'Q',
            CubeKind::King => 'K',
        }
    }

    /// The kind of a capital letter.
    pub fn of_letter(letter: char) -> Option<CubeKind> {
        CubeKind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// Its rough worth in hundredths of a pawn, by the cells that it reaches on average of a cube of which a third is taken; the king,
    /// who is never lost, has none. Maack puts the kinds in the same order.
    pub const fn worth(self) -> i64 {
        match self {
            CubeKind::Pawn => 100,
            CubeKind::Knight => 460,
            CubeKind::Bishop => 470,
            CubeKind::Unicorn => 220,
            CubeKind::Rook => 350,
            CubeKind::Queen => 1_040,
            CubeKind::King => 0,
        }
    }

    /// Its moves in a sentence.
    pub const fn words(self) -> &'static str {
        match self {
            CubeKind::Pawn => {
                "Steps one rank forward or one level towards the enemy, and captures where it would come with two such steps, or with one and a step to the side."
            }
            CubeKind::Knight => "Leaps two cells along one axis and one along another.",
            CubeKind::Bishop => "Slides along two axes alike: through the edges of cells.",
            CubeKind::Unicorn => "Slides along all three axes alike: through the corners of cells.",
            CubeKind::Rook => "Slides along one axis: a file, a rank or straight up and down.",
            CubeKind::Queen => "Slides as rook, bishop and unicorn do.",
            CubeKind::King => "Steps to any of the cells around it.",
        }
    }
}
