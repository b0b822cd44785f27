//! LRS chess (Drummyfish's chess page): no castling, no en passant, queens only, the king is captured, whoever cannot move loses,
//! and 1024 half-moves make a draw.

use std::{fmt, str::FromStr, sync::LazyLock};

use rand::{Rng, seq::SliceRandom};
use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Color, Piece, Position, RoyalRule, Square, orthodox},
    rules::{
        OptionRange, OptionSpec, PgnTag, PresetDescription, Refusal, RulesVersion, Support, TaskHelp, VariantInfo,
        chesslike::{ChessLike, Deal},
        endings::{Ending, EndingRules, StalemateRule, WinningMaterial},
        move_history::MoveHistory,
        search_problem::Aim,
    },
};

/// After this many half-moves without a result the game is drawn.
pub const LONGEST: usize = 1024;

/// The options of a game of LRS chess.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lrs {
    /// White's back row is shuffled, and Black's mirrors it.
    pub random: bool,
    /// The position to begin from; empty for the usual one.
    pub fen: String,
}

static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let mut board = Board::orthodox().clone();
    board.castling = None;
    board.royalty = RoyalRule::Capture;
    if let Some(pawns) = &mut board.pawns {
        pawns.en_passant = false;
        pawns.promotions = vec![orthodox::QUEEN];
    }
    board
});

/// Chance’s shuffle: the letters of White's back row from the a-file to the h-file; Black’s mirrors it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BackRow([char; 8]);

impl fmt::Display for BackRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.iter().collect::<String>())
    }
}

impl FromStr for BackRow {
    type Err = Refusal;
    fn from_str(text: &str) -> Result<Self, Refusal> {
        let letters: Vec<char> = text.chars().collect();
        let mut sorted = letters.clone();
        sorted.sort_unstable();
        match <[char; 8]>::try_from(letters) {
            Ok(row) if sorted == ['B', 'B', 'K', 'N', 'N', 'Q', 'R', 'R'] => Ok(BackRow(row)),
            Ok(_) | Err(_) => Err(Refusal::at(0, "a shuffle is an order of the eight letters RNBQKBNR")),
        }
    }
}

impl Deal for BackRow {
    const WORD: &'static str = "shuffle";

    fn draw(mut rng: &mut dyn Rng) -> Self {
        let mut row = ['R', 'N', 'B', 'Q', 'K', 'B', 'N', 'R'];
        row.shuffle(&mut rng);
        BackRow(row)
    }

    fn position(&self, board: &Board) -> Position {
        let mut position = board.parse_fen(Lrs::START).expect("the usual start");
        for (file, letter) in self.0.into_iter().enumerate() {
            let kind = board.kind_of(letter).expect("a letter of RNBQK");
            for color in Color::BOTH {
                position.put(board, Square::new(file as u8, board.size().rank_of(color, 0)), Piece { color, kind });
            }
        }
        position
    }
}

/// The count that anybody sees beside the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = LrsCount)]
pub struct Count {
    /// Half-moves left before the game is drawn.
    pub left: usize,
    /// The back row was shuffled.
    pub shuffled: bool,
}

impl Default for Count {
    fn default() -> Self {
        Count { left: LONGEST, shuffled: false }
    }
}

impl ChessLike for Lrs {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("LRS"),
        auction: Support::No(
            "without its rules about turns it is chess in which nobody castles, which old-chess is here",
        ),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new("lrs", "LRS chess", "Chess made simple: no castling, no check, take the king to win.")
    };
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    const ENDINGS: EndingRules =
        EndingRules { winnable: WinningMaterial::ByKing, quiet: false, repetition: false, stuck: StalemateRule::Loses };
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "Press a piece, then its square. There is no check and no castling.",
        "Take the king to win, and look after your own: nobody warns you.",
    ])];
    type Tally = Count;
    type Deal = BackRow;

    fn board() -> &'static Board {
        &BOARD
    }

    fn presets() -> Vec<(&'static str, Self)> {
        vec![("standard", Lrs::default()), ("random", Lrs { random: true, ..Lrs::default() })]
    }

    fn ways() -> &'static [PresetDescription] {
        &[
            PresetDescription {
                preset: "standard",
                words: "The pieces begin where they begin in chess.",
                options: &[],
            },
            PresetDescription {
                preset: "random",
                words: "Chance shuffles the back row, the same for both sides.",
                options: &["random"],
            },
        ]
    }

    fn settings() -> &'static [OptionSpec] {
        &[OptionSpec { key: "random", words: "Shuffle the back row", range: OptionRange::Flag }, Self::START_SETTING]
    }

    fn fen(&self) -> &str {
        &self.fen
    }

    fn dealt(&self) -> bool {
        self.random
    }

    fn check_start(&self, start: &Position) -> Result<(), Refusal> {
        if self.random && !self.fen.is_empty() {
            Err(Refusal::new("a shuffled start and a given position exclude each other: choose one"))
        } else if BOARD.has_move(start) {
            Ok(())
        } else {
            Err(Refusal::new("the side to move has no move in this position"))
        }
    }

    fn dealt_tally(_row: &BackRow) -> Count {
        Count { shuffled: true, ..Count::default() }
    }

    fn count(count: &mut Count, course: &MoveHistory) {
        count.left = LONGEST.saturating_sub(course.played.len());
    }

    fn aim(_count: &Count) -> Option<Aim> {
        Some(Aim::Capture(StalemateRule::Loses))
    }

    fn ending(board: &Board, course: &MoveHistory, count: &Count) -> Option<Ending> {
        let (position, mover) = (&course.position, course.position.turn);
        if board.royals(position, mover).is_empty() {
            Some(Ending::win(!mover, "king captured"))
        } else if !board.has_move(position) {
            Some(Ending::win(!mover, "no move available"))
        } else if count.left == 0 {
            Some(Ending::draw("1024 half-moves"))
        } else {
            None
        }
    }

    fn claim(_course: &MoveHistory) -> Result<Ending, Refusal> {
        Err(Refusal::new("LRS chess grants no draw on claim, only by agreement or after 1024 half-moves"))
    }
}
