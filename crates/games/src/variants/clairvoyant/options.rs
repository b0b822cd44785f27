//! The options of a game of Clairvoyant Chess, and the terms that they come to.

use serde::{Deserialize, Serialize};

use super::prices::{Costs, Payoffs};
use crate::{
    board::{Board, Color, FenError, Position, START, Square, Squares, orthodox},
    rules::{OptionRange, OptionSpec, Refusal, START_SETTING},
    text_enum,
};

/// The most zorkmids that a seat may start with.
const RICHEST: i64 = 1_000;

text_enum! {
    /// For what units moves may be bought after a drop.
    #[derive(utoipa::ToSchema)]
    pub enum PostDrop {
        Own = "own": "what was dropped this turn",
        Any = "any": "any unit",
    }
}

text_enum! {
    /// What a guess that is staked on being forced back takes.
    #[derive(utoipa::ToSchema)]
    pub enum Lock {
        Slot = "slot": "a place on the next sheet",
        Free = "free": "nothing",
    }
}

/// The options of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clairvoyant {
    /// The number of guesses on a sheet: three on the author's page, two on its older version.
    pub guesses_per_move: i64,
    /// For what units moves may be bought after a drop.
    pub post_drop: PostDrop,
    /// The number of moves that may be bought after the free one.
    pub bought_after_free: i64,
    /// What a guess that one's own turn will be forced back takes.
    pub retraction_guess: Lock,
    /// Sheets and balances stay hidden until somebody spends.
    pub blind: bool,
    /// The position to begin from; empty for the usual one.
    pub fen: String,
    /// Seat one's money at the start, in zorkmids.
    pub money_one: i64,
    /// Seat two's money at the start, in zorkmids.
    pub money_two: i64,
    /// Rows that replace those of the table of payoffs.
    pub payoffs: String,
    /// Rows that replace those of the table of costs.
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

/// The terms to which the options come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    /// Where the game begins.
    pub start: Position,
    /// Guesses on a sheet.
    pub guesses: u8,
    /// Moves may be bought for any unit after a drop.
    pub any_after_drop: bool,
    /// Moves that may be bought after the free one.
    pub bought_after_free: u8,
    /// Locked guesses of a retraction take no place on the next sheet.
    pub free_locks: bool,
    /// The game is played blind.
    pub blind: bool,
    /// The seats' money at the start.
    pub money: [i64; 2],
    /// The earnings of guesses.
    pub payoffs: Payoffs,
    /// The costs of things.
    pub costs: Costs,
}

impl Terms {
    /// The guesses on a sheet after so many locks.
    pub fn slots(&self, locked: u8) -> u8 {
        if self.free_locks { self.guesses } else { self.guesses.saturating_sub(locked) }
    }
}

/// The options in words.
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
        words: "A guess that is staked on being forced back takes",
        range: OptionRange::Word(Lock::WORDS),
    },
    OptionSpec {
        key: "blind",
        words: "Blind: sheets and balances stay hidden until somebody spends",
        range: OptionRange::Flag,
    },
    OptionSpec { key: "money_one", words: "White’s zorkmids at the start", range: OptionRange::Whole(0, RICHEST) },
    OptionSpec { key: "money_two", words: "Black’s zorkmids at the start", range: OptionRange::Whole(0, RICHEST) },
    START_SETTING,
    OptionSpec {
        key: "payoffs",
        words: "Other payoffs: rows of move, destination, buy, drop",
        range: OptionRange::Text("pawn 4 5 8 10; castling 12; extra 20; retraction 20; forced 12"),
    },
    OptionSpec {
        key: "costs",
        words: "Other costs: rows of piece, move, capture, move after capture, second capture",
        range: OptionRange::Text("pawn 3 3 3 5 7; king 150 3/7/11 9 18/25 23; retract 10/15/25"),
    },
];

impl Clairvoyant {
    /// The terms of the game. Fails where the position or a table cannot be read.
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

    /// The position to begin from. A side may have several kings here.
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
            Err(Refusal::new("castling rights need the rook on its first rank"))
        }
    }
}

/// Checks what the board's own check does, where one side has bought a second king.
fn several_kings(board: &Board, position: &Position) -> Result<(), Refusal> {
    if Color::BOTH.into_iter().any(|color| board.royals(position, color).is_empty()) {
        return Err(Refusal::at(0, "the option fen: each side has at least one king"));
    }
    let ends = Squares::rank(0) | Squares::rank(7);
    let pawns = Color::BOTH.into_iter().map(|color| position.of_kind(color, orthodox::PAWN));
    if let Some(square) = pawns.fold(Squares::EMPTY, |set, pawns| set | (pawns & ends)).first() {
        return Err(Refusal::at(0, format!("the option fen: a pawn on {square}, the first or last rank")));
    }
    match board.in_check(position, !position.turn) {
        true => Err(Refusal::at(0, "the option fen: the side that is not to move is in check")),
        false => Ok(()),
    }
}

/// The kings that the castling rights of a position belong to, by colour.
pub(super) fn homes(position: &Position) -> [Option<Square>; 2] {
    let board = Board::orthodox();
    Color::BOTH.map(|color| {
        let rights = position.rights & position.of(color);
        board.home(position, color).filter(|_| !rights.is_empty())
    })
}

/// The FEN of a position whose castling rights belong to `homes`. Where a reader would give them to another king, they are left out.
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
