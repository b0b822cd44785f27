//! Horde: an army of ordinary chess against thirty-six pawns without a king.
//!
//! The army wins by capturing the whole horde, including promoted pawns. The horde wins by checkmate. An option decides
//! which side is the horde: Black (as in the article on chess in Drummyfish's wiki), or White, which then moves first
//! (as on lichess). Pawns of the horde may also step twice from their first rank; that step cannot be captured en
//! passant.

mod material;

use std::{borrow::Cow, sync::LazyLock};

use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Color, Position, Squares, orthodox},
    rules::{
        OptionRange, OptionSpec, PgnTag, PresetDescription, Refusal, RulesVersion, Side, Support, TaskHelp,
        VariantInfo,
        chesslike::{ChessLike, NoDeal, NoTally, Start},
        endings::{Ending, EndingRules, FiftyMoves, WinningMaterial},
        move_history::MoveHistory,
        search_problem::Aim,
        start_position,
    },
};

/// Options of a game of horde.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Horde {
    /// Side of the horde. A given position overrides it.
    pub horde_side: Side,
    /// Starting position (FEN); empty for the standard one.
    pub fen: String,
}

impl Default for Horde {
    fn default() -> Self {
        Horde { horde_side: Side::Black, fen: String::new() }
    }
}

/// Standard starting position with a white horde.
const WHITE: &str = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1";

/// Boards for a white and for a black horde.
static BOARDS: LazyLock<[Board; 2]> = LazyLock::new(|| Color::BOTH.map(board));

fn board(horde: Color) -> Board {
    let mut board = Board::orthodox().clone();
    board.horde = Some(horde);
    let first = Squares::rank(board.size().rank_of(horde, 0));
    if let Some(pawns) = &mut board.pawns {
        pawns.double_from[horde.index()] |= first;
    }
    board
}

impl ChessLike for Horde {
    // No UCI name, because engines do not support a black horde.
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Horde"),
        piece_odds: Support::No("its two armies have different pieces, so the offers cannot be compared"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new("horde", "Horde", "A chess army against a horde of thirty-six pawns without a king.")
    };
    const START: &'static str = "pppppppp/pppppppp/pppppppp/pppppppp/1pp2pp1/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
    const PGN_STARTS: &'static [&'static str] = &[Self::START, WHITE];
    const START_WORDS: &'static str = "Start from this position (FEN); the side without a king is the horde";
    const ENDINGS: EndingRules =
        EndingRules { winnable: WinningMaterial::ByKing, quiet: FiftyMoves::Automatic, ..EndingRules::FIDE };
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "The army wins by capturing the whole horde. The horde wins by checkmate.",
        "Keep the horde’s pawns together, so that they guard each other.",
    ])];
    type Tally = NoTally;
    type Deal = NoDeal;

    fn board() -> &'static Board {
        &BOARDS[Color::Black.index()]
    }

    fn presets() -> Vec<(&'static str, Self)> {
        vec![("standard", Horde::default()), ("white", Horde { horde_side: Side::White, ..Horde::default() })]
    }

    fn ways() -> &'static [PresetDescription] {
        &[
            PresetDescription {
                preset: "standard",
                words: "Black is the horde, and White’s army moves first.",
                options: &["fen"],
            },
            PresetDescription {
                preset: "white",
                words: "White is the horde and moves first, as on lichess.",
                options: &["horde_side"],
            },
        ]
    }

    fn settings() -> &'static [OptionSpec] {
        const SIDE: OptionSpec =
            OptionSpec { key: "horde_side", words: "The horde is", range: OptionRange::Word(Side::WORDS) };
        &[SIDE, Self::START_SETTING]
    }

    fn fen(&self) -> &str {
        match self.horde_side {
            Side::White if self.fen.is_empty() => WHITE,
            Side::White | Side::Black => &self.fen,
        }
    }

    fn read(fen: &str) -> Result<Start<NoTally>, Refusal> {
        let placed = Self::board().parse_fen(fen).map(|position| position.of_kind(Color::White, orthodox::KING));
        let white = placed.is_ok_and(|kings| kings.is_empty());
        let board = &BOARDS[usize::from(!white)];
        let position = start_position::start_from(board, fen)?;
        Ok(Start { board: Cow::Borrowed(board), position, tally: NoTally {} })
    }

    fn aim(_tally: &NoTally) -> Option<Aim> {
        Some(Aim::Horde)
    }

    fn ending(endings: EndingRules, board: &Board, course: &MoveHistory, _tally: &NoTally) -> Option<Ending> {
        let captured = board.horde.filter(|horde| course.position.of(*horde).is_empty());
        let captured = captured.map(|horde| Ending::win(!horde, "horde captured"));
        captured.or_else(|| endings.ending(board, course))
    }

    fn can_win(board: &Board, position: &Position, color: Color) -> bool {
        board.horde != Some(color) || material::can_mate(position, color)
    }
}
