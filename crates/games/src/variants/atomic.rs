//! Atomic chess as lichess plays it: captures explode.
//!
//! A capture removes the capturing piece, the captured piece, and all pieces except pawns on the surrounding squares. A
//! player wins by checkmate or by exploding the enemy king, and may not explode their own king. Kings on adjacent
//! squares protect each other from check.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Color, Position, orthodox::*},
    rules::{
        PgnTag, RulesVersion, Support, TaskHelp, VariantInfo,
        chesslike::{ChessLike, NoDeal, NoTally},
        endings::{DEAD, Ending, EndingRules, StalemateRule, WinningMaterial},
        move_history::MoveHistory,
        search_problem::Aim,
    },
};

/// Options of a game of atomic chess.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Atomic {
    /// Starting position (FEN); empty for the standard one.
    pub fen: String,
}

static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let mut board = Board::orthodox().clone();
    board.explosions = true;
    board
});

impl ChessLike for Atomic {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Atomic"),
        uci_name: Some("atomic"),
        auction: Support::No(
            "adjacent kings protect each other from check, and there is no check when kings can be captured",
        ),
        random_since: Some(RulesVersion::SECOND),
        ..VariantInfo::new("atomic", "Atomic chess", "Captures explode: blow up the king to win.")
    };
    const ENDINGS: EndingRules = EndingRules { winnable: WinningMaterial::ByAnyPiece, ..EndingRules::FIDE };
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "A capture explodes. It removes both pieces, and all pieces except pawns around them.",
        "Explode the enemy king or checkmate it. You may not explode your own king.",
    ])];
    type Tally = NoTally;
    type Deal = NoDeal;

    fn board() -> &'static Board {
        &BOARD
    }

    fn fen(&self) -> &str {
        &self.fen
    }

    fn aim(_tally: &NoTally) -> Option<Aim> {
        Some(Aim::Capture(StalemateRule::Draws))
    }

    fn can_win(board: &Board, position: &Position, color: Color) -> bool {
        board.royals(position, !color).is_empty() || !is_powerless(position, color)
    }

    fn ending(endings: EndingRules, board: &Board, course: &MoveHistory, _tally: &NoTally) -> Option<Ending> {
        let position = &course.position;
        if board.royals(position, position.turn).is_empty() {
            return Some(Ending::win(!position.turn, "king exploded"));
        }
        let dead = || Color::BOTH.into_iter().all(|color| is_powerless(position, color)).then_some(DEAD);
        endings.ending(board, course).or_else(dead)
    }
}

/// Whether a side cannot win with the pieces on the board.
///
/// That is a bare king; bishops that never share a square colour with an enemy bishop; and against a bare king one
/// rook, bishop or knight, or two knights.
fn is_powerless(position: &Position, color: Color) -> bool {
    let kinds = |kind: u8| position.of_kind(Color::White, kind) | position.of_kind(Color::Black, kind);
    let (bishops, knights, rooks) = (kinds(BISHOP), kinds(KNIGHT), kinds(ROOK));
    if position.of(color).len() == 1 {
        return true;
    }
    if position.of(!color).len() > 1 {
        let only_bishops = position.occupied() == bishops | kinds(KING);
        let shades =
            |side: Color, dark: bool| (bishops & position.of(side)).filter(move |at| at.dark() == dark).count();
        let apart = |dark: bool| shades(color, dark) == 0 && shades(!color, !dark) == 0;
        return only_bishops && (apart(true) || apart(false));
    }
    if !(kinds(QUEEN) | kinds(PAWN)).is_empty() {
        return false;
    }
    let officers = bishops | knights | rooks;
    officers.len() == 1 || officers == knights && knights.len() <= 2
}
