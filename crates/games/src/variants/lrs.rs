//! LRS chess from Drummyfish's chess page: a simplified chess without castling, en passant or check.
//!
//! Pawns promote to queens only. A player wins by capturing the king. A player without a move loses. The game is drawn
//! after 1024 half-moves.

use std::{fmt, str::FromStr, sync::LazyLock};

use rand::{Rng, seq::SliceRandom};
use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Color, Piece, Position, RoyalRule, Square, orthodox},
    rules::{
        OptionRange, OptionSpec, PgnTag, PresetDescription, Refusal, RulesVersion, Support, TaskHelp, VariantInfo,
        chesslike::{ChessLike, Deal},
        endings::{Ending, EndingRules, FiftyMoves, StalemateRule, WinningMaterial},
        move_history::MoveHistory,
        search_problem::Aim,
    },
};

/// Number of half-moves after which the game is drawn.
pub const MAX_HALF_MOVES: usize = 1024;

/// Options of a game of LRS chess.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lrs {
    /// Whether the back rank is shuffled. Black's mirrors White's.
    pub random: bool,
    /// Starting position (FEN); empty for the standard one.
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

/// Shuffled back rank: White's piece letters from the a-file to the h-file. Black's mirrors it.
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
        let mut position = board.parse_fen(Lrs::START).expect("the standard starting position is valid");
        for (file, letter) in self.0.into_iter().enumerate() {
            let kind = board.kind_of(letter).expect("the board has all of RNBQK");
            for color in Color::BOTH {
                position.put(board, Square::new(file as u8, board.size().rank_of(color, 0)), Piece { color, kind });
            }
        }
        position
    }
}

/// Counter shown next to the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, utoipa::ToSchema)]
#[schema(as = LrsCount)]
pub struct Count {
    /// Half-moves left before the game is drawn.
    pub left: usize,
    /// Whether the back rank was shuffled.
    pub shuffled: bool,
}

impl Default for Count {
    fn default() -> Self {
        Count { left: MAX_HALF_MOVES, shuffled: false }
    }
}

impl ChessLike for Lrs {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("LRS"),
        auction: Support::No("without its rules about turns it is chess without castling, which old-chess offers"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new("lrs", "LRS chess", "Simple chess: no castling, no check, and you capture the king to win.")
    };
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    const ENDINGS: EndingRules = EndingRules {
        winnable: WinningMaterial::ByKing,
        quiet: FiftyMoves::Never,
        repetition: false,
        stuck: StalemateRule::Loses,
        ..EndingRules::FIDE
    };
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "Press a piece, then its target square. There is no check and no castling.",
        "Capture the king to win. Watch your own: there is no warning of check.",
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
            PresetDescription { preset: "standard", words: "The pieces start as in chess.", options: &[] },
            PresetDescription {
                preset: "random",
                words: "The back rank is shuffled, the same for both sides.",
                options: &["random"],
            },
        ]
    }

    fn settings() -> &'static [OptionSpec] {
        &[OptionSpec { key: "random", words: "Shuffle the back rank", range: OptionRange::Flag }, Self::START_SETTING]
    }

    fn fen(&self) -> &str {
        &self.fen
    }

    fn dealt(&self) -> bool {
        self.random
    }

    fn check_start(&self, start: &Position) -> Result<(), Refusal> {
        if self.random && !self.fen.is_empty() {
            Err(Refusal::new("a game has either a shuffled start or a given position: choose one"))
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
        count.left = MAX_HALF_MOVES.saturating_sub(course.played.len());
    }

    fn aim(_count: &Count) -> Option<Aim> {
        Some(Aim::Capture(StalemateRule::Loses))
    }

    fn ending(_endings: EndingRules, board: &Board, course: &MoveHistory, count: &Count) -> Option<Ending> {
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

    fn claim(_endings: EndingRules, _course: &MoveHistory) -> Result<Ending, Refusal> {
        Err(Refusal::new("LRS chess has no draw claims, only draws by agreement or after 1024 half-moves"))
    }
}
