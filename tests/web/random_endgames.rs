//! Random endgame positions of every kind that the site answers or refuses.

use rand::{
    RngExt,
    rngs::StdRng,
    seq::{IndexedRandom, IteratorRandom},
};

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Three pieces. Kings may be adjacent or attacked.
    Three,
    /// Three pieces on a small board.
    SmallThree,
    /// King, rook and bishop against a king, of either color. A site may have their table.
    RookBishop,
    /// Four pieces.
    Four,
    /// Five or six pieces.
    More,
    /// Three pieces with castling rights.
    Castling,
    /// No king, two kings of one side, or an empty board.
    Kings,
    /// One king only.
    Over,
    /// A board that no table covers.
    Board,
}

impl Kind {
    pub(super) const ALL: [Kind; 9] = [
        Kind::Three,
        Kind::SmallThree,
        Kind::RookBishop,
        Kind::Four,
        Kind::More,
        Kind::Castling,
        Kind::Kings,
        Kind::Over,
        Kind::Board,
    ];

    /// A random position of this kind in FEN.
    pub(super) fn position(self, random: &mut StdRng) -> String {
        let mut letters = |count: usize| -> String { (0..count).map(|_| one(random, "QRBNPqrbnp")).collect() };
        let pieces = match self {
            Kind::Three | Kind::SmallThree | Kind::Castling | Kind::Board => format!("Kk{}", letters(1)),
            Kind::RookBishop => ["KkRB", "Kkrb"].choose(random).unwrap().to_string(),
            Kind::Four => format!("Kk{}", letters(2)),
            Kind::More => format!("Kk{}", letters(4)),
            Kind::Kings => ["", "Q", "Rr", "KKk", "KkkN", "kk"].choose(random).unwrap().to_string(),
            Kind::Over => ["K", "k", "KQ", "kp", "Kr", "kPP"].choose(random).unwrap().to_string(),
        };
        // Three boards at most are answered in one bulk request.
        let board = match self {
            Kind::SmallThree | Kind::Over => *[(3, 4), (4, 4)].choose(random).unwrap(),
            Kind::Board => *[(2, 4), (2, 5), (2, 8)].choose(random).unwrap(),
            Kind::Three | Kind::RookBishop | Kind::Four | Kind::More | Kind::Castling | Kind::Kings => (8, 8),
        };
        let turn = match self {
            Kind::Castling => " w Q -",
            _ => ["", " w", " b", " b - -"].choose(random).unwrap(),
        };
        placed(random, board, &pieces) + turn
    }
}

fn one(random: &mut StdRng, letters: &str) -> char {
    letters.chars().choose(random).unwrap()
}

/// Placement of pieces on random squares, with pawns between the first and the last rank.
fn placed(random: &mut StdRng, (width, height): (usize, usize), pieces: &str) -> String {
    let mut rows = vec![vec![None; width]; height];
    for piece in pieces.chars() {
        let ranks = if "Pp".contains(piece) { 1..height - 1 } else { 0..height };
        loop {
            let square = &mut rows[random.random_range(ranks.clone())][random.random_range(0..width)];
            if square.is_none() {
                *square = Some(piece);
                break;
            }
        }
    }
    let row = |row: &Vec<Option<char>>| {
        let mut text = String::new();
        let mut empty = 0;
        for square in row {
            match square {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text.push_str(&empty.to_string());
                    }
                    text.push(*piece);
                    empty = 0;
                }
            }
        }
        if empty > 0 { text + &empty.to_string() } else { text }
    };
    rows.iter().map(row).collect::<Vec<_>>().join("/")
}
