//! The ends of a game of chess by the laws of FIDE, and the material on the board: how much it is, and whether it is enough.

use super::{
    move_history::MoveHistory,
    protocol::{Outcome, Refusal, Seat, TIME},
};
use crate::board::{Board, Color, Position, RoyalRule, Square, orthodox};

/// The end of the play on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The colour that won; nobody for a draw.
    pub winner: Option<Color>,
    /// Why, in words.
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

    /// The same for the seats; `seat` tells who plays a colour.
    pub fn outcome(self, seat: impl Fn(Color) -> Seat) -> Outcome {
        match self.winner {
            Some(color) => Outcome::Win(seat(color), self.reason),
            None => Outcome::Draw(self.reason),
        }
    }
}

/// When a side can no longer win, as far as these rules see it from the count of the material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WinningMaterial {
    /// Somebody has to mate: bare kings, a single knight, or bishops on squares of one colour are a dead position (article 5.2.2,
    /// as far as the count of the material shows it).
    ByMate,
    /// Any piece but the king can win: only bare kings are a dead position.
    ByAnyPiece,
    /// A bare king can win too: no position is dead.
    ByKing,
}

/// What it means that the side to move has no move and is not in check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StalemateRule {
    /// A draw (article 5.2.1).
    Draws,
    /// It has lost.
    Loses,
    /// It has won.
    Wins,
}

/// Which of the endings of ordinary chess a game knows beside mate and stalemate, which all do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EndingRules {
    /// The means that it takes to win: tells dead positions, and what a flag means against a bare king.
    pub winnable: WinningMaterial,
    /// True if 50 moves without a capture or a pawn move can be claimed as a draw, and 75 are one.
    pub quiet: bool,
    /// The third occurrence of a position can be claimed as a draw, and the fifth is one.
    pub repetition: bool,
    /// What stalemate means.
    pub stuck: StalemateRule,
}

impl EndingRules {
    /// All endings of ordinary chess.
    pub const FIDE: EndingRules =
        EndingRules { winnable: WinningMaterial::ByMate, quiet: true, repetition: true, stuck: StalemateRule::Draws };

    /// The end that a position brings of itself: mate, stalemate, dead position, fivefold repetition, 75 moves (articles 5 and 9.6;
    /// a mate on the last of the 75 moves wins).
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

    /// The draw that repetition or quiet brings of itself: `occurrences` counts how often the position has stood.
    pub fn drawn(self, occurrences: impl FnOnce() -> usize, halfmove: u16) -> Option<Ending> {
        if self.repetition && occurrences() >= 5 {
            Some(Ending::draw("fivefold repetition"))
        } else if self.quiet && halfmove >= 150 {
            Some(Ending::draw("75 moves without a capture or a pawn move"))
        } else {
            None
        }
    }

    /// The draw that the side to move may claim (articles 9.2 and 9.3), or why there is none.
    pub fn claim(self, course: &MoveHistory) -> Result<Ending, Refusal> {
        self.claimed(|| course.occurrences(), course.position.halfmove)
    }

    /// The same where the course of the game is kept otherwise: `occurrences` counts how often the position has stood.
    pub fn claimed(self, occurrences: impl FnOnce() -> usize, halfmove: u16) -> Result<Ending, Refusal> {
        if self.repetition && occurrences() >= 3 {
            return Ok(Ending::draw("threefold repetition"));
        }
        if self.quiet && halfmove >= 100 {
            return Ok(Ending::draw("50 moves without a capture or a pawn move"));
        }
        Err(Refusal::new(match (self.repetition, self.quiet) {
            (true, true) => {
                "no draw can be claimed: that takes the same position for the third time, or 50 moves without a capture or a pawn move"
            }
            (true, false) => "no draw can be claimed: that takes the same position for the third time",
            (false, true) => "no draw can be claimed: that takes 50 moves without a capture or a pawn move",
            (false, false) => "in this game no draw can be claimed: agree on one, or play on",
        }))
    }

    /// The meaning of a colour’s time being over: a loss, or a draw if the other side has nothing but its king and that cannot win
    /// (article 6.9, with the bare king as the only material that cannot mate).
    pub fn flag(self, board: &Board, course: &MoveHistory, late: Color) -> Ending {
        let hopeless = match self.winnable {
            WinningMaterial::ByMate | WinningMaterial::ByAnyPiece => is_bare(board, &course.position, !late),
            WinningMaterial::ByKing => false,
        };
        flagged(late, hopeless)
    }
}

/// The meaning of a colour’s time being over, where the other side is `hopeless` or not.
pub const fn flagged(late: Color, hopeless: bool) -> Ending {
    match (hopeless, late) {
        (true, _) => Ending::draw(BARE),
        (false, Color::White) => Ending::win(Color::Black, TIME),
        (false, Color::Black) => Ending::win(Color::White, TIME),
    }
}

/// The draw of a position in which nobody can mate any more.
pub const DEAD: Ending = Ending::draw("dead position");

/// The reason of a draw on time.
pub const BARE: &str = "time ran out against a bare king";

/// Tells whether no sequence of moves can mate, as far as the count of the material tells: bare kings, one knight, or bishops that
/// all stand on one colour of square. Orthodox pieces only.
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

/// Tells whether a side has nothing but royal pieces.
pub fn is_bare(board: &Board, position: &Position, color: Color) -> bool {
    position.of(color) == board.royals(position, color)
}

/// The usual rough worth of orthodox kinds in hundredths of a pawn, by index; a king that can be captured is worth the game, unless it
/// is a piece like any other.
const WORTH: [i64; 6] = [100, 300, 310, 500, 900, 0];
/// The same of any other kind.
const OTHER: i64 = 300;

/// The material of White and Black, roughly, in hundredths of a pawn.
pub fn count_material(board: &Board, position: &Position) -> [i64; 2] {
    count_material_with(board, position, &WORTH)
}

/// The same with other worths of the kinds, by index.
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
