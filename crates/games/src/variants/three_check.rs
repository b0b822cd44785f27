//! Three-check chess as lichess plays it: a player wins by checkmate or by giving check for the third time.
//!
//! A double check counts once. Any piece except the king can win, so only bare kings are a dead position.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{
    board::{Board, Position},
    rules::{
        PgnTag, Refusal, RulesVersion, Support, TaskHelp, VariantInfo,
        chesslike::{ChessLike, NoDeal, Start},
        endings::{Ending, EndingRules, FiftyMoves, WinningMaterial},
        move_history::MoveHistory,
        search_problem::Aim,
        start_position,
    },
};

/// Checks needed to win.
const CHECKS: u8 = 3;

/// Options of a game of three-check chess.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ThreeCheck {
    /// Starting position (FEN) with the number of checks left, as in `3+3`; empty for the standard one.
    pub fen: String,
}

/// Checks given so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, utoipa::ToSchema)]
pub struct Checks {
    /// Number given by White and by Black.
    pub checks: [u8; 2],
}

impl ChessLike for ThreeCheck {
    const INFO: VariantInfo = VariantInfo {
        pgn_tag: PgnTag::Variant("Three-check"),
        uci_name: Some("3check"),
        auction: Support::No("there is no check when kings can be captured"),
        random_since: Some(RulesVersion::FIRST),
        ..VariantInfo::new("three-check", "Three-check chess", "Give check three times to win.")
    };
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1";
    const ENDINGS: EndingRules =
        EndingRules { winnable: WinningMaterial::ByAnyPiece, quiet: FiftyMoves::Automatic, ..EndingRules::FIDE };
    const LESSON: &'static [TaskHelp] = &[TaskHelp::of_moves([
        "Chess, but you also win by giving check for the third time.",
        "The checks left to give are shown below the board.",
    ])];
    type Tally = Checks;
    type Deal = NoDeal;

    fn fen(&self) -> &str {
        &self.fen
    }

    fn read(fen: &str) -> Result<Start<Checks>, Refusal> {
        let (counts, fields): (Vec<&str>, Vec<&str>) = fen.split([' ', '_']).partition(|field| field.contains('+'));
        let left = counts.first().map_or(Ok([CHECKS; 2]), |field| parse_checks_left(field))?;
        let position = start_position::start_from(Board::orthodox(), &fields.join(" "))?;
        let tally = Checks { checks: left.map(|left| CHECKS - left) };
        Ok(Start { board: Cow::Borrowed(Board::orthodox()), position, tally })
    }

    fn written(board: &Board, position: &Position, tally: &Checks) -> String {
        let [white, black] = tally.checks.map(|given| CHECKS - given);
        let fen = board.fen(position);
        let mut fields: Vec<&str> = fen.split(' ').collect();
        let left = format!("{white}+{black}");
        fields.insert(4, &left);
        fields.join(" ")
    }

    fn count(tally: &mut Checks, course: &MoveHistory) {
        let mover = !course.position.turn;
        tally.checks[mover.index()] += u8::from(Board::orthodox().in_check(&course.position, !mover));
    }

    fn aim(tally: &Checks) -> Option<Aim> {
        Some(Aim::Checks { given: tally.checks, winning: CHECKS })
    }

    fn ending(endings: EndingRules, board: &Board, course: &MoveHistory, tally: &Checks) -> Option<Ending> {
        let mover = !course.position.turn;
        let third = (tally.checks[mover.index()] >= CHECKS).then(|| Ending::win(mover, "third check"));
        third.or_else(|| endings.ending(board, course))
    }
}

/// Parses the checks left to give, as in `3+2`: one to three each.
fn parse_checks_left(field: &str) -> Result<[u8; 2], Refusal> {
    let number = |text: &str| text.parse().ok().filter(|left| (1..=CHECKS).contains(left));
    let read = field.split_once('+').and_then(|(white, black)| Some([number(white)?, number(black)?]));
    read.ok_or_else(|| Refusal::new(format!("“{field}” is not a count of checks left: write it as in 3+2")))
}
