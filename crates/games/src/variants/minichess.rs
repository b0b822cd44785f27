//! Minichess: chess on boards with fewer files, without double steps and castling.
//!
//! Gardner's board is 5×5, the Los Alamos board 6×6 without bishops, Silverman's 4×4, and the narrow board has four
//! files and eight ranks. Pawns promote to the officers of the board's standard starting position.

use std::{borrow::Cow, sync::LazyLock};

use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, FenError, Size, Squares, orthodox, shape},
    rules::{
        PgnTag, PresetDescription, Refusal, RulesVersion, TaskHelp, VariantInfo,
        chesslike::{ChessLike, NoDeal, NoTally, Start},
        search_problem::Aim,
        start_position,
    },
};

/// Options of a game of minichess.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Minichess {
    /// Starting position (FEN); empty for Gardner's.
    pub fen: String,
}

/// A supported board.
struct Small {
    preset: &'static str,
    size: (u8, u8),
    /// Standard starting position.
    start: &'static str,
    /// Kinds that pawns promote to.
    promotions: &'static [u8],
}

const SMALL: [Small; 4] = [
    Small {
        preset: "gardner",
        size: (5, 5),
        start: Minichess::START,
        promotions: &[orthodox::QUEEN, orthodox::ROOK, orthodox::BISHOP, orthodox::KNIGHT],
    },
    Small {
        preset: "los-alamos",
        size: (6, 6),
        start: "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1",
        promotions: &[orthodox::QUEEN, orthodox::ROOK, orthodox::KNIGHT],
    },
    Small {
        preset: "four",
        size: (4, 4),
        start: "rqkr/pppp/PPPP/RQKR w - - 0 1",
        promotions: &[orthodox::QUEEN, orthodox::ROOK],
    },
    Small {
        preset: "narrow",
        size: (4, 8),
        start: "kbnr/pppp/4/4/4/4/PPPP/KBNR w - - 0 1",
        promotions: &[orthodox::ROOK, orthodox::BISHOP, orthodox::KNIGHT],
    },
];

static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| SMALL.iter().map(board).collect());

fn board(small: &Small) -> Board {
    let mut board = Board::orthodox_of(Size::new(small.size.0, small.size.1).expect("the list has valid sizes only"));
    board.castling = None;
    if let Some(pawns) = &mut board.pawns {
        pawns.double_from = [Squares::EMPTY; 2];
        pawns.en_passant = false;
        pawns.promotions = small.promotions.to_vec();
    }
    board
}

impl ChessLike for Minichess {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Minichess"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new("minichess", "Minichess", "Short games of chess on small boards, from 4×4 to 6×6.")
    };
    const START: &'static str = "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1";
    const START_WORDS: &'static str = "Start from this position (FEN); its size selects the board";
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "Chess on a small board. Pawns step once, and there is no castling.",
        "The armies start close together, so expect captures at once.",
    ])];
    type Tally = NoTally;
    type Deal = NoDeal;

    fn board() -> &'static Board {
        &BOARDS[0]
    }

    fn presets() -> Vec<(&'static str, Self)> {
        let record = |small: &Small| {
            let fen = if small.start == Self::START { String::new() } else { small.start.to_owned() };
            (small.preset, Minichess { fen })
        };
        SMALL.iter().map(record).collect()
    }

    fn ways() -> &'static [PresetDescription] {
        &[
            PresetDescription {
                preset: "gardner",
                words: "Gardner’s: five files and ranks, with every piece.",
                options: &["fen"],
            },
            PresetDescription {
                preset: "los-alamos",
                words: "Los Alamos: six files and ranks, without bishops.",
                options: &["fen"],
            },
            PresetDescription {
                preset: "four",
                words: "Silverman’s: four files and ranks, with rooks and queens.",
                options: &["fen"],
            },
            PresetDescription {
                preset: "narrow",
                words: "Four files and eight ranks, with half the pieces.",
                options: &["fen"],
            },
        ]
    }

    fn fen(&self) -> &str {
        &self.fen
    }

    fn read(fen: &str) -> Result<Start<NoTally>, Refusal> {
        let size = shape(fen).map_err(|wrong: FenError| Refusal::at(wrong.at, wrong.to_string()))?;
        let known = BOARDS.iter().find(|board| board.size() == size);
        let board = known.ok_or_else(|| {
            let sizes: Vec<String> = BOARDS.iter().map(|board| board.size().to_string()).collect();
            Refusal::at(0, format!("minichess has no board of {size}: choose one of {}", sizes.join(", ")))
        })?;
        Ok(Start { board: Cow::Borrowed(board), position: start_position::start_from(board, fen)?, tally: NoTally {} })
    }

    fn aim(_tally: &NoTally) -> Option<Aim> {
        Some(Aim::Mate)
    }
}
