//! The game that is played on the board where a coin or an auction names every mover: chess, or one of the variants whose rules do not
//! hang on turns that alternate. What stands there and who has won is in `ground.rs`.

use crate::text_enum;

text_enum! {
    /// The game on the board.
    #[derive(utoipa::ToSchema)]
    pub enum Base {
        Chess = "chess": "chess",
        Chess960 = "chess960": "Chess960: chance lays out the first rank, the same for both",
        Crazyhouse = "crazyhouse": "crazyhouse: what is captured changes sides and is dropped",
        Antichess = "antichess": "antichess: whoever can capture must; whoever has nothing left, or the move and none to make, has won",
        Hill = "king-of-the-hill": "King of the Hill: a king that reaches the middle has won too",
        Horde = "horde": "horde: White’s army captures thirty-six pawns, Black’s pawns the king",
        Minichess = "minichess": "Gardner’s minichess: five files and ranks",
        OldChess = "old-chess": "old chess: nobody castles or captures in passing",
    }
}

impl Base {
    /// All games.
    pub const ALL: [Base; 8] = [
        Base::Chess,
        Base::Chess960,
        Base::Crazyhouse,
        Base::Antichess,
        Base::Hill,
        Base::Horde,
        Base::Minichess,
        Base::OldChess,
    ];

    /// Tells whether chance lays out the usual position.
    pub fn dealt(self) -> bool {
        match self {
            Base::Chess960 => true,
            Base::Chess
            | Base::Crazyhouse
            | Base::Antichess
            | Base::Hill
            | Base::Horde
            | Base::Minichess
            | Base::OldChess => false,
        }
    }
}
