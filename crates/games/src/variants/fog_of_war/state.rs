//! A game in progress: everything that happened, and of the last move what each side was told.

use super::sight::Sight;
use crate::{
    board::{Color, Move, Position, Square, Uci, orthodox},
    rules::{Entry, Outcome, Refusal, Seat, diagram::Held, endings::Ending, move_history::Course},
    variants::king_capture::BOARD,
};

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// The moves and where they led.
    pub(super) course: Course,
    /// The score sheet; in a world that somebody imagines, lines that this seat has not heard are [`unheard`].
    pub(super) sheet: Vec<Entry>,
    /// The squares of the last move, as White and Black know them.
    pub(super) told: [Vec<Square>; 2],
    /// The kinds that White and Black have captured, in order.
    pub(super) taken: [Vec<u8>; 2],
    /// Steps applied.
    pub(super) steps: usize,
    /// The outcome of the game, once it has one.
    pub(super) outcome: Option<Outcome>,
    /// Nothing is hidden any more, because the game of which this is a moment is over.
    pub(super) opened: bool,
}

impl State {
    /// A game from a position that both know.
    pub(super) fn new(start: Position) -> State {
        let course = Course::new(&BOARD, start);
        let mut state = State {
            course,
            sheet: Vec::new(),
            told: Default::default(),
            taken: Default::default(),
            steps: 0,
            outcome: None,
            opened: false,
        };
        state.judge();
        state
    }

    /// Tells whether nothing is hidden any more.
    pub(super) fn open(&self) -> bool {
        self.opened || self.outcome.is_some()
    }

    /// The move that a text of the side to move means. What is refused is told from what that side sees.
    pub(super) fn find(&self, uci: Uci) -> Result<Move, Refusal> {
        let position = &self.course.position;
        if let Some(mv) = BOARD.meant(&BOARD.moves(position), uci) {
            return Ok(mv);
        }
        let seen = Sight::of(position, position.turn).position;
        Course::new(&BOARD, seen).find(&BOARD, uci).and_then(|_| {
            Err(Refusal::at(2, format!("something that you do not see keeps the pawn on {} from that", uci.from)))
        })
    }

    /// Plays a move that was checked.
    pub(super) fn play(&mut self, uci: Uci) {
        let mv = self.find(uci).expect("the move was checked");
        let mover = self.course.position.turn;
        let captured = BOARD.captured(&self.course.position, mv);
        self.course.play(&BOARD, mv, self.steps);
        self.sheet.extend(self.course.played.last().map(|played| played.entry(Seat::of(mover))));
        self.taken[mover.index()].extend(captured.map(|(_, piece)| piece.kind));
        self.told[mover.index()] = if mv.from == mv.to { vec![mv.from] } else { vec![mv.from, mv.to] };
        self.told[(!mover).index()] = captured.map(|(square, _)| square).into_iter().collect();
        self.judge();
    }

    fn judge(&mut self) {
        let position = &self.course.position;
        let ending = if BOARD.royals(position, position.turn).is_empty() {
            Ending::win(!position.turn, "king captured")
        } else if !BOARD.has_move(position) {
            Ending::draw("stalemate")
        } else if self.course.occurrences() >= 3 {
            Ending::draw("threefold repetition")
        } else if position.halfmove >= 100 {
            Ending::draw("50 moves without a capture or a pawn move")
        } else {
            return;
        };
        self.outcome = Some(ending.outcome(Seat::of));
    }

    /// The pieces that a side has captured, the most valuable first; what had become something is what it was when it was taken.
    pub(super) fn captures(&self, color: Color) -> Vec<Held> {
        let order =
            [orthodox::KING, orthodox::QUEEN, orthodox::ROOK, orthodox::BISHOP, orthodox::KNIGHT, orthodox::PAWN];
        let count = |kind: &u8| self.taken[color.index()].iter().filter(|taken| *taken == kind).count() as u32;
        let held = |kind: u8| Some(Held::new(BOARD.kind(kind), count(&kind))).filter(|held| held.count > 0);
        order.into_iter().filter_map(held).collect()
    }
}

/// A line of the score sheet as it stands for whoever has not heard it.
pub(super) fn unheard(entry: &Entry) -> Entry {
    Entry {
        text: "--".to_owned(),
        told: Some("moved in the fog".to_owned()),
        action: None,
        notes: String::new(),
        ..entry.clone()
    }
}
