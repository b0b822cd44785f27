//! A game in progress: the moves, where they led, and what anybody sees of it.

use std::sync::Arc;

use super::{ENDINGS, Raumschach};
use crate::{
    board::{
        Color, Locus,
        space::{CubeKind, CubeMove, CubePosition, START},
    },
    rules::{
        Choice, ChoiceKind, Diagram, End, Entry, Outcome, Place, Refusal, Rules, Seat,
        chesslike::{NoTally, View},
        diagram::Held,
        endings::{Ending, flagged},
    },
};

/// A game in progress.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Where it began.
    start: CubePosition,
    /// Where it stands.
    pub(super) position: CubePosition,
    /// The positions since the last capture or pawn move, the one that stands now as the last.
    stood: Vec<CubePosition>,
    /// The last move.
    last: Option<CubeMove>,
    /// The score sheet.
    sheet: Vec<Entry>,
    /// Steps applied.
    pub(super) steps: usize,
    /// The outcome of the game, once it has one.
    pub(super) outcome: Option<Outcome>,
}

impl State {
    /// A game from a position.
    pub(super) fn new(start: CubePosition) -> State {
        let (stood, sheet) = (vec![start], Vec::new());
        let mut state = State { start, position: start, stood, last: None, sheet, steps: 0, outcome: None };
        state.judge();
        state
    }

    /// The number of times that the position that stands now has stood, this time included.
    pub(super) fn occurrences(&self) -> usize {
        self.stood.iter().filter(|position| position.repeats(&self.position)).count()
    }

    /// The positions that could come again, the one that stands now left out.
    pub(super) fn before(&self) -> Vec<CubePosition> {
        self.stood[..self.stood.len() - 1].to_vec()
    }

    /// Tells why a move may not be played.
    pub(super) fn check(&self, mv: CubeMove) -> Result<(), Refusal> {
        let moves = self.position.moves();
        if moves.contains(&mv) {
            return Ok(());
        }
        let CubeMove { from, to, promotion } = mv;
        let mover = self.position.turn;
        let Some(piece) = self.position.piece(from) else {
            return Err(Refusal::at(0, format!("there is no piece on {from}")));
        };
        let name = piece.kind.name();
        if piece.color != mover {
            let why = format!("the {name} on {from} is {}’s, and {} is to move", piece.color.name(), mover.name());
            return Err(Refusal::at(0, why));
        }
        let there: Vec<String> =
            moves.iter().filter(|mv| mv.from == from && mv.to == to).map(CubeMove::to_string).collect();
        Err(match (there.is_empty(), promotion) {
            (false, None) => Refusal::at(6, format!("the pawn must become something; write {}", there.join(", "))),
            (false, Some(kind)) => {
                let why =
                    format!("a move from {from} to {to} cannot end with a {}; write {}", kind.name(), there.join(", "));
                Refusal::at(6, why)
            }
            (true, _) if self.position.exposes(from, to) => {
                Refusal::at(3, format!("the {name} cannot go from {from} to {to}: the king would be in check"))
            }
            (true, _) => Refusal::at(3, format!("the {name} on {from} cannot go to {to}")),
        })
    }

    /// Plays a move that was checked.
    pub(super) fn play(&mut self, mv: CubeMove) {
        let mover = self.position.turn;
        self.sheet.push(Entry {
            ply: self.steps,
            seat: Some(Seat::of(mover)),
            text: self.position.san(mv),
            told: None,
            action: Some(mv.to_string()),
            notes: String::new(),
            deal: None,
            place: Place::Move(mover),
            about: None,
        });
        self.position = self.position.after(mv);
        if self.position.halfmove == 0 {
            self.stood.clear();
        }
        self.stood.push(self.position);
        self.last = Some(mv);
        self.judge();
    }

    fn judge(&mut self) {
        self.outcome = self.ending().map(|ending| ending.outcome(Seat::of));
    }

    fn claim(&self) -> Result<Ending, Refusal> {
        ENDINGS.claimed(|| self.occurrences(), self.position.halfmove)
    }

    /// The meaning of a way to stop.
    pub(super) fn stopped(&self, seat: Seat, end: End) -> Result<Outcome, Refusal> {
        let claim = || self.claim().map(|ending| ending.outcome(Seat::of));
        let late = seat.color();
        let flag = || flagged(late, self.position.bare(!late)).outcome(Seat::of);
        end.outcome(seat, claim, flag)
    }

    /// The game as everybody sees it, with all moves as choices for whoever is asked.
    pub(super) fn view(&self, asked: bool) -> View<NoTally> {
        let position = &self.position;
        let mut tags = Raumschach::INFO.pgn_tags();
        let start = self.start.fen();
        if start != START {
            tags.extend([("SetUp", "1".to_owned()), ("FEN", start)]);
        }
        let diagram = Diagram {
            captured: [self.lost(Color::Black), self.lost(Color::White)].into(),
            last: self.last.map_or_else(Vec::new, |mv| Locus::each([mv.from, mv.to])),
            sheet: Arc::new(self.sheet.clone()),
            choices: asked.then(|| self.choices()),
            tags,
            ..Diagram::of_cube(position)
        };
        let claimable = self.outcome.is_none() && self.claim().is_ok();
        View::new(diagram, claimable, NoTally {})
    }

    fn choices(&self) -> Vec<Choice> {
        let choice = |mv: &CubeMove| {
            let kind = ChoiceKind::Move {
                from: mv.from.into(),
                to: mv.to.into(),
                also: None,
                promotion: mv.promotion.map(|kind| kind.name().to_owned()),
            };
            Choice::new(mv.to_string(), self.position.san(*mv), kind)
        };
        self.position.moves().iter().map(choice).collect()
    }

    /// The pieces that a side has lost since the beginning, the most valuable first. A pawn that became something is not lost.
    fn lost(&self, color: Color) -> Vec<Held> {
        let count = |position: &CubePosition, kind: CubeKind| {
            position.pieces().filter(|(_, piece)| piece.color == color && piece.kind == kind).count() as i64
        };
        let change = |kind| count(&self.start, kind) - count(&self.position, kind);
        let became: i64 = CubeKind::PROMOTIONS.into_iter().map(|kind| change(kind).min(0)).sum();
        let lost = CubeKind::PROMOTIONS
            .into_iter()
            .map(|kind| (kind, change(kind)))
            .chain([(CubeKind::Pawn, change(CubeKind::Pawn) + became)]);
        let held = |(kind, lost): (CubeKind, i64)| {
            let count = u32::try_from(lost).ok().filter(|lost| *lost > 0)?;
            Some(Held { name: kind.name().to_owned(), betza: String::new(), count })
        };
        lost.filter_map(held).collect()
    }
}
