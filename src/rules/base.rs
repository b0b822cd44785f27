//! The game that is played on the board where a coin or an auction names every mover: chess, or one of the variants whose rules do not
//! hang on turns that alternate. What stands there and who has won is in `ground.rs`.

use crate::words;

words! {
    /// The game on the board.
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

/// The other games of the site, and why none of them is played so.
pub const UNFIT: &[(&str, &str)] = &[
    ("bookie", "it is a bet on a game by turns, and has stakes of its own"),
    ("lrs", "without its rules about turns it is chess in which nobody castles, which old-chess is here"),
    ("bidding", "it is an auction itself"),
    ("random-turn", "it is a coin itself"),
    ("handicap", "its slips bid for the first move, which nobody has by right here"),
    ("random-variant", "chance names the game there, and not all that it names go together with this"),
    ("csipgs", "it has money of its own, and an income for each turn"),
    (
        "designed-chess",
        "its pieces are others in every game, and an auction is played with pieces that both know beforehand",
    ),
    ("clairvoyant", "the opponent’s next turn cannot be guessed where nobody knows whose the next turn is"),
    ("three-check", "check means nothing where the king can be captured: whoever has the move after it takes him"),
    (
        "racing-kings",
        "its one rule is that nobody gives check, which means nothing where the other side may not have the next move",
    ),
    ("fog-of-war", "what somebody bids for a move would tell what the fog is to hide"),
    ("duck", "the duck is put in the way of the very next turn, and nobody knows whose that is"),
    ("raumschach", "its board has five levels, and an auction is played on one"),
    ("shatranj", "a bare king loses unless the other is bared with the very next move, and nobody knows whose that is"),
];

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
