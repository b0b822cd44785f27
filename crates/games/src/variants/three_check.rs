//! Three-check chess as lichess plays it: a player wins by checkmate or by giving check for the third time.
//!
//! A double check counts once. Any piece except the king can win, so only bare kings are a dead position.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use utoipa::openapi::{RefOr, schema::Schema};

use crate::{
    board::{Board, CheckCount, Position},
    rules::{
        PgnTag, Refusal, RulesVersion, Support, TaskHelp, VariantInfo,
        chesslike::{ChessLike, NoDeal, Start},
        diagram::Pair,
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
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(into = "CheckCounts")]
pub struct Checks {
    /// Number given by White and by Black.
    pub checks: [u8; 2],
}

/// Checks given so far, as programs read them.
#[derive(Serialize, utoipa::ToSchema)]
struct CheckCounts {
    /// Number of checks that each seat has given.
    #[schema(inline)]
    checks_given: Pair<u8>,
    /// Former form of `checks_given`, seat one first.
    checks: [u8; 2],
}

impl From<Checks> for CheckCounts {
    fn from(Checks { checks }: Checks) -> Self {
        CheckCounts { checks_given: checks.into(), checks }
    }
}

impl utoipa::PartialSchema for Checks {
    fn schema() -> RefOr<Schema> {
        CheckCounts::schema()
    }
}

impl utoipa::ToSchema for Checks {}

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
        let board = Board::orthodox();
        let read = board.read_fen(fen).map_err(start_position::refuse)?;
        let tally = Checks { checks: read.checks.map_or(Ok([0; 2]), checks_given)? };
        let position = start_position::playable(board, read.position)?;
        if tally.checks[position.turn.index()] == CHECKS {
            let why = format!("{} is to move although it has given its last check", position.turn.name());
            return Err(Refusal::new(why));
        }
        Ok(Start { board: Cow::Borrowed(board), position, tally })
    }

    fn written(board: &Board, position: &Position, tally: &Checks) -> String {
        // A game of another program may go on after the last check.
        let [white, black] = tally.checks.map(|given| CHECKS.saturating_sub(given));
        let fen = board.fen(position);
        let mut fields: Vec<&str> = fen.split(' ').collect();
        let left = format!("{white}+{black}");
        fields.insert(4, &left);
        fields.join(" ")
    }

    fn count(tally: &mut Checks, course: &MoveHistory) {
        let mover = !course.position.turn;
        let given = &mut tally.checks[mover.index()];
        *given = given.saturating_add(u8::from(Board::orthodox().in_check(&course.position, !mover)));
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

/// Checks given by White and by Black, at most three each.
fn checks_given(count: CheckCount) -> Result<[u8; 2], Refusal> {
    let (CheckCount::Given(counts) | CheckCount::Left(counts)) = count;
    if counts.into_iter().any(|count| count > CHECKS) {
        return Err(Refusal::new(format!("a side has 0 to {CHECKS} checks: write the checks left as in 3+2")));
    }
    Ok(match count {
        CheckCount::Given(given) => given,
        CheckCount::Left(left) => left.map(|left| CHECKS - left),
    })
}
