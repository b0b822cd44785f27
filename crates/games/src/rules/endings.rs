//! Endings of a chess game by the FIDE laws, and material counts.

use super::{
    RulesVersion,
    move_history::MoveHistory,
    protocol::{Outcome, Refusal, Seat, TIME},
};
use crate::board::{Board, Color, Position, RoyalRule, Square, Squares, orthodox};

/// End of play on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// Colour that won; `None` for a draw.
    pub winner: Option<Color>,
    /// Reason of the result.
    pub reason: &'static str,
}

impl Ending {
    /// A draw.
    pub const fn draw(reason: &'static str) -> Self {
        Ending { winner: None, reason }
    }

    /// A win.
    pub const fn win(color: Color, reason: &'static str) -> Self {
        Ending { winner: Some(color), reason }
    }

    /// The outcome for the seats. `seat` maps a colour to its player.
    pub fn outcome(self, seat: impl Fn(Color) -> Seat) -> Outcome {
        match self.winner {
            Some(color) => Outcome::Win(seat(color), self.reason),
            None => Outcome::Draw(self.reason),
        }
    }
}

/// Material that can still win, judged by the piece count alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WinningMaterial {
    /// A win needs mate. Bare kings, a single knight, or bishops all on one square colour make a dead position (article 5.2.2, as
    /// far as the piece count shows it).
    ByMate,
    /// Any piece except the king can win. Only bare kings make a dead position.
    ByAnyPiece,
    /// A bare king can win. No position is dead.
    ByKing,
}

impl WinningMaterial {
    /// Whether a colour could still win by some series of legal moves, judged by the piece count alone.
    pub fn can_win(self, board: &Board, position: &Position, color: Color) -> bool {
        match self {
            WinningMaterial::ByMate => can_mate(board, position, color),
            WinningMaterial::ByAnyPiece => !is_bare(board, position, color),
            WinningMaterial::ByKing => true,
        }
    }
}

/// When a player who runs out of time draws instead of losing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeRule {
    /// If the opponent has a bare king that cannot win.
    BareKing,
    /// If the opponent cannot win by any series of legal moves, judged by the material (article 6.9).
    Material,
}

/// The fifty-move rule of a variant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FiftyMoves {
    /// There is none.
    Never,
    /// A claim after 50 moves, and an automatic draw after 75 (articles 9.3 and 9.6.2).
    Claimed,
    /// An automatic draw after 50 moves, as on lichess.
    Automatic,
}

/// Result for a side that has no legal move and is not in check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StalemateRule {
    /// A draw (article 5.2.1).
    Draws,
    /// That side loses.
    Loses,
    /// That side wins.
    Wins,
}

/// Endings of ordinary chess that a variant has in addition to mate and stalemate, which all variants have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndingRules {
    /// Material that can win. Decides dead positions.
    pub winnable: WinningMaterial,
    /// Draws of a player who runs out of time.
    pub on_time: TimeRule,
    /// Draws by moves without a capture or a pawn move.
    pub quiet: FiftyMoves,
    /// The threefold-repetition claim and the automatic draw on fivefold repetition apply.
    pub repetition: bool,
    /// Result of a stalemate.
    pub stuck: StalemateRule,
}

impl EndingRules {
    /// All endings of ordinary chess.
    pub const FIDE: EndingRules = EndingRules {
        winnable: WinningMaterial::ByMate,
        on_time: TimeRule::Material,
        quiet: FiftyMoves::Claimed,
        repetition: true,
        stuck: StalemateRule::Draws,
    };

    /// These endings as an earlier version of the rules had them.
    pub fn under(self, version: RulesVersion) -> EndingRules {
        if version >= RulesVersion::THIRD {
            return self;
        }
        let quiet = match self.quiet {
            FiftyMoves::Never => FiftyMoves::Never,
            FiftyMoves::Claimed | FiftyMoves::Automatic => FiftyMoves::Claimed,
        };
        EndingRules { on_time: TimeRule::BareKing, quiet, ..self }
    }

    /// The automatic end of the game: mate, stalemate, dead position, fivefold repetition, 50 or 75 moves (articles 5 and 9.6).
    /// Mate on the last of these moves wins.
    pub fn ending(self, board: &Board, course: &MoveHistory) -> Option<Ending> {
        let position = &course.position;
        if !board.has_move(position) {
            let us = position.turn;
            let (winner, reason) = match self.stuck {
                _ if board.in_check(position, us) => (Some(!us), "checkmate"),
                StalemateRule::Draws => (None, "stalemate"),
                StalemateRule::Loses => (Some(!us), "stalemate"),
                StalemateRule::Wins if position.of(us).is_empty() => (Some(us), "nothing left to lose"),
                StalemateRule::Wins => (Some(us), "no move left"),
            };
            return Some(Ending { winner, reason });
        }
        let dead = match self.winnable {
            WinningMaterial::ByMate => is_dead(position),
            WinningMaterial::ByAnyPiece => Color::BOTH.into_iter().all(|color| is_bare(board, position, color)),
            WinningMaterial::ByKing => false,
        };
        if dead { Some(DEAD) } else { self.drawn(|| course.occurrences(), position.halfmove) }
    }

    /// The automatic draw by repetition, 50 or 75 moves. `occurrences` counts how often the position has occurred.
    pub fn drawn(self, occurrences: impl FnOnce() -> usize, halfmove: u16) -> Option<Ending> {
        if self.repetition && occurrences() >= 5 {
            return Some(Ending::draw("fivefold repetition"));
        }
        match self.quiet {
            FiftyMoves::Claimed if halfmove >= 150 => Some(Ending::draw("75 moves without a capture or a pawn move")),
            FiftyMoves::Automatic if halfmove >= 100 => Some(FIFTY),
            FiftyMoves::Never | FiftyMoves::Claimed | FiftyMoves::Automatic => None,
        }
    }

    /// The draw that the side to move may claim (articles 9.2 and 9.3), or the reason why it may not.
    pub fn claim(self, course: &MoveHistory) -> Result<Ending, Refusal> {
        self.claimed(|| course.occurrences(), course.position.halfmove)
    }

    /// [`Self::claim`] for games that keep their own history. `occurrences` counts how often the position has occurred.
    pub fn claimed(self, occurrences: impl FnOnce() -> usize, halfmove: u16) -> Result<Ending, Refusal> {
        if self.repetition && occurrences() >= 3 {
            return Ok(Ending::draw("threefold repetition"));
        }
        let quiet = self.quiet == FiftyMoves::Claimed;
        if quiet && halfmove >= 100 {
            return Ok(FIFTY);
        }
        Err(Refusal::new(match (self.repetition, quiet) {
            (true, true) => {
                "you cannot claim a draw: that needs a threefold repetition, or 50 moves without a capture or a pawn move"
            }
            (true, false) => "you cannot claim a draw: that needs a threefold repetition",
            (false, true) => "you cannot claim a draw: that needs 50 moves without a capture or a pawn move",
            (false, false) => "you cannot claim a draw in this game: offer one, or play on",
        }))
    }

    /// Result when a colour runs out of time: a loss, or a draw if the opponent cannot win. `can_win`: whether the opponent's
    /// material can win in this variant.
    pub fn flag(self, board: &Board, position: &Position, late: Color, can_win: bool) -> Ending {
        let bare = is_bare(board, position, !late);
        match self.on_time {
            TimeRule::BareKing => flagged(late, bare && self.winnable != WinningMaterial::ByKing),
            TimeRule::Material if !can_win && !bare => Ending::draw("time ran out against insufficient material"),
            TimeRule::Material => flagged(late, !can_win),
        }
    }
}

/// Draw after 50 moves without progress.
pub const FIFTY: Ending = Ending::draw("50 moves without a capture or a pawn move");

/// Result when a colour runs out of time. `hopeless`: the opponent has a bare king that cannot win.
pub const fn flagged(late: Color, hopeless: bool) -> Ending {
    match (hopeless, late) {
        (true, _) => Ending::draw(BARE),
        (false, Color::White) => Ending::win(Color::Black, TIME),
        (false, Color::Black) => Ending::win(Color::White, TIME),
    }
}

/// Draw in a dead position.
pub const DEAD: Ending = Ending::draw("dead position");

/// Reason of a draw on time.
pub const BARE: &str = "time ran out against a bare king";

/// Whether no sequence of moves can mate, judged by the piece count: bare kings, one knight, or bishops all on one square colour.
/// Orthodox pieces only.
pub fn is_dead(position: &Position) -> bool {
    let others: Vec<(Square, u8)> = position
        .pieces()
        .map(|(square, piece)| (square, piece.kind))
        .filter(|(_, kind)| *kind != orthodox::KING)
        .collect();
    match others.as_slice() {
        [] | [(_, orthodox::KNIGHT)] => true,
        [(first, _), ..] => {
            others.iter().all(|(square, kind)| *kind == orthodox::BISHOP && square.dark() == first.dark())
        }
    }
}

/// Whether some series of legal moves mates the opponent of `color`, judged by the piece count. Helpmates count: a knight needs an
/// enemy piece other than a queen in the way of the king, and a bishop a pawn, a knight or a bishop on the other square colour.
/// Pieces outside orthodox chess can always mate or be in the way.
fn can_mate(board: &Board, position: &Position, color: Color) -> bool {
    let kind = |kind: u8| {
        Color::BOTH.map(|color| position.of_kind(color, kind)).into_iter().fold(Squares::EMPTY, |all, own| all | own)
    };
    let kings = board.royals(position, Color::White) | board.royals(position, Color::Black);
    let (knights, bishops) = (kind(orthodox::KNIGHT), kind(orthodox::BISHOP));
    let (queens, rooks) = (kind(orthodox::QUEEN), kind(orthodox::ROOK));
    let (own, other) = (position.of(color) & !kings, position.of(!color) & !kings);
    if !(own & !(knights | bishops)).is_empty() {
        true
    } else if !(own & knights).is_empty() {
        own.len() > 1 || !(other & !queens).is_empty()
    } else if !own.is_empty() {
        let dark = bishops.filter(|square| square.dark()).count() as u32;
        let helpers = other & !(bishops | queens | rooks);
        !helpers.is_empty() || ![0, bishops.len()].contains(&dark)
    } else {
        false
    }
}

/// Whether a side has only royal pieces.
pub fn is_bare(board: &Board, position: &Position, color: Color) -> bool {
    position.of(color) == board.royals(position, color)
}

/// Rough value of the orthodox piece types in hundredths of a pawn, by index. [`count_material_with`] sets the king's value.
const WORTH: [i64; 6] = [100, 300, 310, 500, 900, 0];
/// Value of any other piece type.
const OTHER: i64 = 300;

/// Rough material of White and Black, in hundredths of a pawn.
pub fn count_material(board: &Board, position: &Position) -> [i64; 2] {
    count_material_with(board, position, &WORTH)
}

/// [`count_material`] with other values of the piece types, by index.
pub fn count_material_with(board: &Board, position: &Position, worth: &[i64]) -> [i64; 2] {
    let mut sums = [0; 2];
    for (_, piece) in position.pieces() {
        let worth = worth.get(piece.kind as usize).copied().unwrap_or(OTHER);
        sums[piece.color.index()] += match board.royalty {
            RoyalRule::Capture if board.kind(piece.kind).design.royal => 100_000,
            RoyalRule::Ordinary if board.kind(piece.kind).design.royal => OTHER,
            RoyalRule::Check | RoyalRule::Capture | RoyalRule::Ordinary => worth,
        };
    }
    for color in Color::BOTH {
        let held = position.holdings(color).map(|(kind, count)| worth[usize::from(kind)] * i64::from(count));
        sums[color.index()] += held.sum::<i64>();
    }
    sums
}
