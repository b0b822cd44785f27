//! Options of Clairvoyant Chess, and the terms of a game that result from them.

use serde::{Deserialize, Serialize};

use super::prices::{Costs, Payoffs};
use crate::{
    board::{Board, Color, FenError, Position, START, Square, Squares, orthodox},
    rules::{OptionRange, OptionSpec, Refusal, START_SETTING},
    text_enum,
};

/// Most zorkmids that a seat can start with.
const RICHEST: i64 = 1_000;

text_enum! {
    /// The pieces for which moves can be bought after a drop.
    #[derive(utoipa::ToSchema)]
    pub enum PostDrop {
        Own = "own": "pieces dropped this turn",
        Any = "any": "any piece",
    }
}

text_enum! {
    /// The cost of a guess that is staked on being forced back.
    #[derive(utoipa::ToSchema)]
    pub enum Lock {
        Slot = "slot": "a guess on the next sheet",
        Free = "free": "nothing",
    }
}

/// Options of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clairvoyant {
    /// Number of guesses on a sheet: three on the author's page, two in its older version.
    pub guesses_per_move: i64,
    /// The pieces for which moves can be bought after a drop.
    pub post_drop: PostDrop,
    /// Number of moves that can be bought after the free one.
    pub bought_after_free: i64,
    /// The cost of a guess that one's own turn will be forced back.
    pub retraction_guess: Lock,
    /// Sheets and balances of a player stay hidden until that player spends.
    pub blind: bool,
    /// Starting position as FEN; empty for the usual one.
    pub fen: String,
    /// Starting money of seat one, in zorkmids.
    pub money_one: i64,
    /// Starting money of seat two, in zorkmids.
    pub money_two: i64,
    /// Rows that replace rows of the table of payoffs.
    pub payoffs: String,
    /// Rows that replace rows of the table of costs.
    pub costs: String,
}

impl Default for Clairvoyant {
    fn default() -> Self {
        Clairvoyant {
            guesses_per_move: 3,
            post_drop: PostDrop::Own,
            bought_after_free: 1,
            retraction_guess: Lock::Slot,
            blind: false,
            fen: String::new(),
            money_one: 0,
            money_two: 0,
            payoffs: String::new(),
            costs: String::new(),
        }
    }
}

/// Terms of a game: the options after parsing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Starting position.
    pub start: Position,
    /// Number of guesses on a sheet.
    pub guesses: u8,
    /// After a drop, moves can be bought for any piece.
    pub any_after_drop: bool,
    /// Number of moves that can be bought after the free one.
    pub bought_after_free: u8,
    /// Locked retraction guesses do not use up guesses of the next sheet.
    pub free_locks: bool,
    /// The game is played blind.
    pub blind: bool,
    /// Starting money of each seat, in zorkmids.
    pub money: [i64; 2],
    /// Earnings of guesses.
    pub payoffs: Payoffs,
    /// Costs of purchases and retractions.
    pub costs: Costs,
}

impl Terms {
    /// Number of guesses on a sheet after `locked` retraction guesses.
    pub fn slots(&self, locked: u8) -> u8 {
        if self.free_locks { self.guesses } else { self.guesses.saturating_sub(locked) }
    }
}

/// Options with their labels and ranges.
pub(super) static SETTINGS: [OptionSpec; 10] = [
    OptionSpec { key: "guesses_per_move", words: "Guesses on a sheet", range: OptionRange::Whole(2, 3) },
    OptionSpec {
        key: "post_drop",
        words: "After a drop, moves can be bought for",
        range: OptionRange::Word(PostDrop::WORDS),
    },
    OptionSpec {
        key: "bought_after_free",
        words: "Moves that can be bought after the free one",
        range: OptionRange::Whole(1, 2),
    },
    OptionSpec {
        key: "retraction_guess",
        words: "A guess staked on being forced back costs",
        range: OptionRange::Word(Lock::WORDS),
    },
    OptionSpec {
        key: "blind",
        words: "Blind: guesses and balance stay hidden until their player spends",
        range: OptionRange::Flag,
    },
    OptionSpec { key: "money_one", words: "White’s starting zorkmids", range: OptionRange::Whole(0, RICHEST) },
    OptionSpec { key: "money_two", words: "Black’s starting zorkmids", range: OptionRange::Whole(0, RICHEST) },
    START_SETTING,
    OptionSpec {
        key: "payoffs",
        words: "Custom payoffs: rows of move, destination, buy, drop",
        range: OptionRange::Text("pawn 4 5 8 10; castling 12; extra 20; retraction 20; forced 12"),
    },
    OptionSpec {
        key: "costs",
        words: "Custom costs: rows of piece, move, capture, move after capture, second capture",
        range: OptionRange::Text("pawn 3 3 3 5 7; king 150 3/7/11 9 18/25 23; retract 10/15/25"),
    },
];

impl Clairvoyant {
    /// The terms of the game. Fails if the position or a table is wrong.
    pub fn agreed(&self) -> Result<Terms, Refusal> {
        let in_option =
            |key: &str, refusal: Refusal| Refusal { why: format!("the option {key}: {}", refusal.why), ..refusal };
        let small = |number: i64, key: &str| {
            u8::try_from(number).map_err(|_| Refusal::new(format!("the option {key} cannot be {number}")))
        };
        Ok(Terms {
            start: self.start_position()?,
            guesses: small(self.guesses_per_move, "guesses_per_move")?,
            any_after_drop: self.post_drop == PostDrop::Any,
            bought_after_free: small(self.bought_after_free, "bought_after_free")?.min(2),
            free_locks: self.retraction_guess == Lock::Free,
            blind: self.blind,
            money: [self.money_one, self.money_two],
            payoffs: Payoffs::read(&self.payoffs).map_err(|refusal| in_option("payoffs", refusal))?,
            costs: Costs::read(&self.costs).map_err(|refusal| in_option("costs", refusal))?,
        })
    }

    /// The starting position. Either side may have several kings.
    fn start_position(&self) -> Result<Position, Refusal> {
        let board = Board::orthodox();
        let fen = if self.fen.is_empty() { START } else { &self.fen };
        let refuse = |error: FenError| Refusal::at(error.at, format!("the option fen: {error}"));
        let position = board.parse_fen(fen).map_err(refuse)?;
        if Color::BOTH.into_iter().any(|color| board.royals(&position, color).len() > 1) {
            several_kings(board, &position)?;
        } else {
            board.validate(&position).map_err(refuse)?;
        }
        let away = position.rights & !(Squares::rank(0) | Squares::rank(7));
        if away.is_empty() {
            Ok(position)
        } else {
            Err(Refusal::new("the option fen: castling rights need the rook on its first rank"))
        }
    }
}

/// The checks of the board's own validation, for positions with several kings on one side.
fn several_kings(board: &Board, position: &Position) -> Result<(), Refusal> {
    if Color::BOTH.into_iter().any(|color| board.royals(position, color).is_empty()) {
        return Err(Refusal::at(0, "the option fen: each side needs a king"));
    }
    let ends = Squares::rank(0) | Squares::rank(7);
    let pawns = Color::BOTH.into_iter().map(|color| position.of_kind(color, orthodox::PAWN));
    if let Some(square) = pawns.fold(Squares::EMPTY, |set, pawns| set | (pawns & ends)).first() {
        return Err(Refusal::at(0, format!("the option fen: there is a pawn on {square}, on the first or last rank")));
    }
    match board.in_check(position, !position.turn) {
        true => Err(Refusal::at(0, "the option fen: the side that is not to move is in check")),
        false => Ok(()),
    }
}

/// The kings to which the castling rights of a position belong, by colour.
pub(super) fn homes(position: &Position) -> [Option<Square>; 2] {
    let board = Board::orthodox();
    Color::BOTH.map(|color| {
        let rights = position.rights & position.of(color);
        board.home(position, color).filter(|_| !rights.is_empty())
    })
}

/// FEN of a position whose castling rights belong to `homes`. Rights that a reader of the FEN would give to another king are left out.
pub(super) fn fen(position: &Position, homes: [Option<Square>; 2]) -> String {
    let board = Board::orthodox();
    let mut told = *position;
    for color in Color::BOTH {
        if homes[color.index()] != board.home(position, color) {
            told.rights &= !told.of(color);
        }
    }
    board.fen(&told)
}
