//! Horde: an army of ordinary chess against thirty-six pawns without a king. The army wins by capturing them all, with what they have
//! become, and the horde by mate. Which side is the horde is an option: Black (as the article on chess in Drummyfish’s wiki has it), or White and so the
//! first to move (as lichess plays it). Pawns of the horde may step twice from their first rank too, and are not captured in passing then.

use std::{borrow::Cow, sync::LazyLock};

use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Color, Squares, orthodox},
    rules::{
        OptionRange, OptionSpec, PgnTag, PresetDescription, Refusal, RulesVersion, Side, Support, TaskHelp,
        VariantInfo,
        chesslike::{ChessLike, NoDeal, NoTally, Start},
        endings::{Ending, EndingRules, WinningMaterial},
        move_history::MoveHistory,
        search_problem::Aim,
        start_position,
    },
};

/// The options of a game of horde.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Horde {
    /// The side that is the horde; a given position says that itself.
    pub horde_side: Side,
    /// The position to begin from; empty for the usual one.
    pub fen: String,
}

impl Default for Horde {
    fn default() -> Self {
        Horde { horde_side: Side::Black, fen: String::new() }
    }
}

/// The usual position of a white horde.
const WHITE: &str = "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1";

/// The boards of a white horde and of a black one.
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
    // Engines have no horde of Black’s, so this one has no UCI name.
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Horde"),
        piece_odds: Support::No("its two armies have different units, so that the slips could not be compared"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new("horde", "Horde", "Chess of an army against a horde of thirty-six pawns without a king.")
    };
    const START: &'static str = "pppppppp/pppppppp/pppppppp/pppppppp/1pp2pp1/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
    const START_WORDS: &'static str = "Start from this position (FEN); the side without a king is the horde";
    const ENDINGS: EndingRules = EndingRules { winnable: WinningMaterial::ByKing, ..EndingRules::FIDE };
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "The army wins when nothing of the horde is left, and the horde by mate.",
        "The pawns of the horde hold together: each guards the next.",
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

    fn ending(board: &Board, course: &MoveHistory, _tally: &NoTally) -> Option<Ending> {
        let captured = board.horde.filter(|horde| course.position.of(*horde).is_empty());
        let captured = captured.map(|horde| Ending::win(!horde, "horde captured"));
        captured.or_else(|| Self::ENDINGS.ending(board, course))
    }
}
