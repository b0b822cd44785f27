//! Search for the cheapest design that mates when it is transferred to the board, over all notation without inventions.
//! The search is exact.
//!
//! A transferred piece mates by its attacks alone, so the cheapest design only captures. It is a set of single attacks,
//! each an atom with one of its steps. Every reply of the opponent must be met by an attack of the set, and so must the
//! king's current square, because the transfer must give check. Adding an attack never lowers the cost. The search
//! therefore adds one attack at a time for a reply that is not yet met, as long as the cost does not exceed the best
//! one so far.

use std::sync::{Arc, LazyLock};

use super::{
    action::{Action, LONGEST_DESIGN, Spelling},
    options::{Csipgs, Prefixes},
    piece_design::{self, PieceDesign},
    price::{self, Catalogue, Exact},
    state::{Phase, State},
};
use crate::{
    board::{Atom, Betza, Mode, ModifiedAtom, Modifiers, Movement, Position, Size, Square, Squares},
    rules::{Outcome, Refusal},
};

/// An atom with one of its steps.
struct Attack {
    atom: Atom,
    step: (i8, i8),
    design: Movement,
}

/// All attacks, one for each bit of a [`Set`].
static ATTACKS: LazyLock<Vec<Attack>> = LazyLock::new(|| {
    let steps = |atom: Atom| atom.vectors().map(move |step| (atom, step));
    let attack = |(atom, step)| Attack { atom, step, design: piece(&[(atom, step)]).design(Size::ORTHODOX) };
    Atom::ALL.into_iter().flat_map(steps).map(attack).collect()
});

/// A set of attacks.
type Set = u64;

/// Capture-only design with these attacks.
fn piece(attacks: &[(Atom, (i8, i8))]) -> Betza {
    let of = |atom: Atom| atom.vectors().only(|step| attacks.contains(&(atom, step)));
    let terms = Atom::ALL.into_iter().map(|atom| (atom, of(atom))).filter(|(_, vectors)| !vectors.is_empty());
    let term = |(atom, vectors)| ModifiedAtom { atom, vectors, mode: Mode::Captures, bends: Modifiers::default() };
    Betza { royal: false, relay: false, doublemove: false, terms: terms.map(term).collect() }
}

/// Capture-only design with the attacks of a set.
fn design_of(set: Set) -> Betza {
    let of = |(at, attack): (usize, &Attack)| (set >> at & 1 == 1).then_some((attack.atom, attack.step));
    piece(&ATTACKS.iter().enumerate().filter_map(of).collect::<Vec<_>>())
}

fn cost(set: Set) -> Exact {
    price::exact(&design_of(set), &Catalogue::default())
}

/// Cheapest design that mates.
#[derive(Clone, PartialEq, Debug)]
pub struct Mating {
    /// Design.
    pub piece: Betza,
    /// Cost before rounding.
    pub exact: Exact,
    /// Squares on which it mates.
    pub squares: Vec<Square>,
}

/// Reads a design without inventions, with its exact cost.
///
/// # Errors
/// If the text is too long, or not a piece that the standard rules allow.
pub fn design(text: &str) -> Result<(Betza, Exact), Refusal> {
    if text.chars().count() > LONGEST_DESIGN {
        return Err(Refusal::at(LONGEST_DESIGN, format!("A design has at most {LONGEST_DESIGN} characters.")));
    }
    let read = piece_design::read(text, 0, &Catalogue::default(), Prefixes::default());
    // Quoted, a name keeps its small letter at the start of a sentence.
    read.map_err(|wrong| match wrong.why.strip_prefix(&format!("{text}: ")) {
        Some(why) => Refusal { why: format!("“{text}”: {why}"), ..wrong },
        None => wrong,
    })
}

/// Cheapest sets found so far.
struct Cheapest {
    best: Option<Exact>,
    found: Vec<(Set, Square)>,
}

impl Cheapest {
    /// Meets one more reply in every way that is not too expensive. `without` holds attacks that earlier branches have
    /// already tried.
    fn meet(&mut self, square: Square, replies: &[Set], set: Set, without: Set) {
        let exact = cost(set);
        if self.best.is_some_and(|best| exact > best) {
            return;
        }
        let Some(open) = replies.iter().filter(|reply| *reply & set == 0).min_by_key(|reply| reply.count_ones()) else {
            if self.best.is_none_or(|best| exact < best) {
                self.best = Some(exact);
                self.found.clear();
            }
            self.found.push((set, square));
            return;
        };
        let mut without = without;
        for at in (0..ATTACKS.len()).filter(|at| open >> at & 1 == 1) {
            if without >> at & 1 == 0 {
                self.meet(square, replies, set | 1 << at, without);
                without |= 1 << at;
            }
        }
    }
}

impl State {
    /// Cheapest design that mates when the mover transfers it now, if exactly one has the lowest cost. `None` if the
    /// opponent has several royal pieces, if the board is not 8×8, or outside the action phase.
    pub fn cheapest_mating(&self) -> Option<Mating> {
        let king = self.board.royals(&self.position, !self.mover).only()?;
        if self.phase != Phase::Action || self.outcome.is_some() || self.board.size() != Size::ORTHODOX {
            return None;
        }
        let mut search = Cheapest { best: None, found: Vec::new() };
        for square in self.drop_squares() {
            if let Some(replies) = self.replies(king, square) {
                search.meet(square, &replies, 0, 0);
            }
        }
        let (set, _) = *search.found.first()?;
        let exact = search.best?;
        let alone = search.found.iter().all(|(other, _)| *other == set)
            && (0..ATTACKS.len()).all(|at| set >> at & 1 == 1 || cost(set | 1 << at) > exact);
        let piece = design_of(set);
        let squares = search.found.iter().map(|(_, square)| *square).collect();
        (alone && piece.to_string().len() <= LONGEST_DESIGN).then_some(Mating { piece, exact, squares })
    }

    /// Sets of attacks that give check from `square`, and that meet each reply. `None` if a reply cannot be met.
    fn replies(&self, king: Square, square: Square) -> Option<Vec<Set>> {
        let mut placed = self.with_reserve_piece(&"mW".parse().ok()?);
        placed.act(&Csipgs::default(), &Action::Transfer(Spelling::known("mW"), square));
        let (board, mut position) = (&placed.board, placed.position);
        position.turn = !self.mover;
        let attackers = |after: &Position, king: Square| -> Set {
            let strikes =
                |attack: &Attack| attack.design.targets(self.mover, square, after.occupied(), king.set()).has(king);
            let bit = |(at, attack): (usize, &Attack)| Set::from(strikes(attack)) << at;
            ATTACKS.iter().enumerate().map(bit).sum()
        };
        let mut met = vec![attackers(&position, king)];
        for mv in board.moves(&position) {
            if met.last() == Some(&0) || mv.to == square {
                return None;
            }
            let after = board.after(&position, mv);
            met.push(attackers(&after, board.royals(&after, !self.mover).only()?));
        }
        met.iter().all(|set| *set != 0).then_some(met)
    }

    /// For each attack of a mating design, the design without it, and a reply of the opponent to that design. There is
    /// no reply if the reduced design gives no check.
    pub fn parts(&self, mating: &Mating) -> Vec<(Option<Betza>, Option<String>)> {
        let Some(square) = mating.squares.first() else { return Vec::new() };
        let steps = mating.piece.terms.iter().flat_map(|term| term.vectors.map(|step| (term.atom, step)));
        let steps: Vec<(Atom, (i8, i8))> = steps.collect();
        let without = |left: &(Atom, (i8, i8))| {
            let rest: Vec<_> = steps.iter().filter(|step| *step != left).copied().collect();
            (!rest.is_empty()).then(|| piece(&rest))
        };
        let reply = |piece: &Option<Betza>| {
            let mut after = self.with_reserve_piece(piece.as_ref()?);
            let text = piece.as_ref()?.to_string();
            after.act(&Csipgs::default(), &Action::Transfer(Spelling::known(text), *square));
            after.position.turn = !self.mover;
            let moves = after.board.moves(&after.position);
            let mv = *moves.first()?;
            let check = after.board.in_check(&after.position, !self.mover);
            check.then(|| after.board.san_among(&after.position, mv, &moves))
        };
        steps.iter().map(without).map(|piece| (piece.clone(), reply(&piece))).collect()
    }

    /// FEN of the position, with this game's letters.
    pub fn fen(&self) -> String {
        self.board.fen(&self.position)
    }

    /// Number of pieces on the board.
    pub fn units(&self) -> usize {
        self.position.occupied().len() as usize
    }

    /// Colour to move.
    pub fn mover(&self) -> crate::board::Color {
        self.mover
    }

    /// Copy of the state with one more piece in the mover's reserve.
    pub fn with_reserve_piece(&self, piece: &Betza) -> State {
        let mut supplied = self.clone();
        let exact = price::exact(piece, &self.catalogue);
        supplied.side_mut().reserve.push(Arc::new(PieceDesign::new(piece.clone(), exact, self.board.size())));
        supplied
    }

    /// Squares on which a piece mates when the mover transfers it now.
    pub fn mating_squares(&self, piece: &Betza) -> Squares {
        let options = &Csipgs::default();
        let supplied = self.with_reserve_piece(piece);
        let mates = |square: &Square| {
            let mut after = supplied.clone();
            after.act(options, &Action::Transfer(Spelling::known(piece.to_string()), *square));
            after.end_turn(options);
            matches!(after.outcome, Some(Outcome::Win(_, "checkmate")))
        };
        self.drop_squares().filter(mates).collect()
    }
}
