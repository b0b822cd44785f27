//! Builds a turn part by part: drops first, then moves, each priced and checked when it is added. The board knows how pieces move; this module
//! knows what a turn can contain.

mod outcome;

pub(super) use outcome::{Fault, PlayedTurn};

use super::{
    action::{Part, Turn},
    options::Terms,
    prices::{Before, Purchase},
};
use crate::board::{Board, Color, Move, Piece, Position, Special, Square, Squares, Uci, orthodox};
use outcome::{MOVES, PlayedMovePart};

/// Most moves that can be bought after a drop: “buy one or two moves for it”.
const AFTER_DROP: usize = 2;

/// A turn under construction.
#[derive(Clone, Debug)]
pub struct Trial<'t> {
    terms: &'t Terms,
    start: &'t Position,
    homes: [Option<Square>; 2],
    purse: i64,
    price: i64,
    /// The position so far. The same side is to move until the turn is finished.
    pub position: Position,
    parts: Vec<Part>,
    dropped: Squares,
    moves: [Option<PlayedMovePart>; MOVES],
    made: usize,
}

impl<'t> Trial<'t> {
    /// An empty turn of a side with this much money.
    pub fn new(terms: &'t Terms, start: &'t Position, homes: [Option<Square>; 2], purse: i64) -> Self {
        let moves = [None; MOVES];
        let (parts, dropped) = (Vec::new(), Squares::EMPTY);
        Trial { terms, start, homes, purse, price: 0, position: *start, parts, dropped, moves, made: 0 }
    }

    /// The same turn with another amount of money.
    pub fn of_purse(self, purse: i64) -> Self {
        Trial { purse, ..self }
    }

    /// Builds a whole turn. The error has the index of the faulty part.
    pub fn play(mut self, turn: &Turn) -> Result<PlayedTurn, (usize, Fault)> {
        for (number, part) in turn.parts.iter().enumerate() {
            self = self.part(part).map_err(|fault| (number, fault))?;
        }
        self.finish().map_err(|fault| (turn.parts.len().saturating_sub(1), fault))
    }

    /// Adds a part.
    pub fn part(&self, part: &Part) -> Result<Self, Fault> {
        match part {
            Part::Drop(kind, square) => self.drop(*kind, *square),
            Part::Move(uci) => {
                let board = Board::orthodox();
                let found = board.find_among(&possible(&self.position, self.homes), *uci);
                match found {
                    Some(mv) => self.add_move(mv),
                    None => Err(self.why_not(uci)),
                }
            }
        }
    }

    fn why_not(&self, uci: &Uci) -> Fault {
        let board = Board::orthodox();
        match self.position.piece(uci.from) {
            None => Fault::NoUnit(uci.from),
            Some(piece) if piece.color != self.position.turn => Fault::OpponentPiece(uci.from),
            Some(piece) => {
                let there = |mv: &Move| (mv.from, board.target(*mv)) == (uci.from, uci.to);
                match possible(&self.position, self.homes).into_iter().find(there) {
                    Some(Move { promotion: Some(_), .. }) => Fault::Promotion(uci.to),
                    Some(Move { promotion: None, .. }) => Fault::NoPromotion { kind: piece.kind, to: uci.to },
                    None => Fault::Unreachable { kind: piece.kind, from: uci.from, to: uci.to },
                }
            }
        }
    }

    /// Money left to spend.
    pub fn left(&self) -> i64 {
        self.purse - self.price
    }

    /// Price of the turn so far.
    pub fn price(&self) -> i64 {
        self.price
    }

    /// Whether pieces can still be dropped.
    pub fn droppable(&self) -> bool {
        self.made == 0
    }

    /// The squares on which pieces were dropped in this turn.
    pub fn dropped(&self) -> Squares {
        self.dropped
    }

    fn pay(&self, price: i64) -> Result<i64, Fault> {
        // Free moves are legal whatever the balance.
        if price > 0 && price > self.left() {
            return Err(Fault::Money { price, left: self.left() });
        }
        Ok(self.price + price)
    }

    /// Drops a bought piece.
    pub fn drop(&self, kind: u8, square: Square) -> Result<Self, Fault> {
        let (board, us) = (Board::orthodox(), self.position.turn);
        if self.made > 0 {
            return Err(Fault::LateDrop);
        }
        if self.position.piece(square).is_some() {
            return Err(Fault::Occupied(square));
        }
        let ends = Squares::rank(0) | Squares::rank(7);
        if board.is_pawn(kind) && ends.has(square) {
            return Err(Fault::PawnRank(square));
        }
        let price = self.pay(self.terms.costs.piece(kind))?;
        let mut next = self.clone();
        next.position.put(board, square, Piece { color: us, kind });
        let king = board.royals(&next.position, !us).only();
        if king
            .is_some_and(|king| board.attacks_square(&next.position, us, king, next.position.occupied(), square.set()))
        {
            return Err(Fault::DropChecks(kind, square));
        }
        next.price = price;
        next.dropped |= square.set();
        next.parts.push(Part::Drop(kind, square));
        next.open_passages();
        Ok(next)
    }

    /// Most moves that this turn can have.
    fn most(&self) -> usize {
        if self.dropped.is_empty() { 1 + usize::from(self.terms.bought_after_free) } else { AFTER_DROP }
    }

    /// Whether the next move would have to be bought; `None` if no further move is allowed.
    pub fn bought_next(&self) -> Option<bool> {
        (self.made < self.most()).then_some(!self.dropped.is_empty() || self.made > 0)
    }

    /// Identifies the piece on a square by its square before the turn, or by its drop square.
    fn unit(&self, square: Square) -> Square {
        for done in self.moves.iter().flatten().rev() {
            if done.landing == square {
                return done.unit;
            }
            let rook = done.mv.special == Special::Castle;
            if rook && Board::orthodox().castled(done.mv.from, done.mv.to).1 == square {
                return done.mv.to;
            }
        }
        square
    }

    /// Makes a pseudo-legal move.
    pub fn add_move(&self, mv: Move) -> Result<Self, Fault> {
        let (board, us) = (Board::orthodox(), self.position.turn);
        let Some(bought) = self.bought_next() else {
            return Err(Fault::Full { dropped: !self.dropped.is_empty(), most: self.most() });
        };
        let unit = self.unit(mv.from);
        if !self.dropped.is_empty() && !self.terms.any_after_drop && !self.dropped.has(unit) {
            return Err(Fault::NotDropped(mv.from));
        }
        if self.moves.iter().flatten().any(|done| done.unit == unit && done.checks) {
            return Err(Fault::Checker(mv.from));
        }
        let captured = board.captured(&self.position, mv);
        if let Some((square, _)) = captured
            && board.royals(&self.position, !us).only() == Some(square)
        {
            return Err(Fault::LastKing(square));
        }
        let kind = self.position.piece(mv.from).map_or(orthodox::PAWN, |piece| piece.kind);
        let price = if bought { self.pay(self.price_of(kind, captured.is_some(), unit))? } else { self.price };
        let mut next = self.clone();
        next.price = price;
        next.carry_out(mv, kind);
        let landing = match mv.special {
            Special::Castle => board.castled(mv.from, mv.to).0,
            Special::Plain | Special::Double | Special::EnPassant | Special::Drop(_) => mv.to,
        };
        let skipped = match mv.special {
            Special::Double => board.after(&self.position, mv).en_passant,
            Special::Plain | Special::EnPassant | Special::Castle | Special::Drop(_) => Squares::EMPTY,
        };
        let checks = board.in_check(&next.position, !us);
        next.moves[self.made] = Some(PlayedMovePart {
            unit,
            mv,
            landing,
            bought,
            kind,
            captured: captured.map(|(_, piece)| piece.kind),
            checks,
            skipped,
        });
        next.made += 1;
        next.parts.push(Part::Move(board.uci(mv)));
        Ok(next)
    }

    fn price_of(&self, kind: u8, captures: bool, unit: Square) -> i64 {
        let (board, us) = (Board::orthodox(), self.position.turn);
        let own = || self.moves.iter().flatten().filter(|done| done.unit == unit);
        self.terms.costs.of(&Purchase {
            kind,
            captures,
            before: (self.made > 0).then(|| Before { captured: own().any(|done| done.captured.is_some()) }),
            check_at_start: board.in_check(self.start, us),
            check_now: board.in_check(&self.position, us),
        })
    }

    /// Moves the pieces. En passant squares stay valid for the whole turn, and castling rights stay with the king to which they belong.
    fn carry_out(&mut self, mv: Move, kind: u8) {
        let (board, us, before) = (Board::orthodox(), self.position.turn, self.position);
        let mut next = board.after(&before, mv);
        (next.turn, next.fullmove, next.en_passant) = (us, before.fullmove, before.en_passant);
        if kind == orthodox::KING && self.homes[us.index()] != Some(mv.from) {
            next.rights |= before.rights & before.of(us);
        }
        let them = !us;
        if self.homes[them.index()].is_some_and(|home| !board.royals(&next, them).has(home)) {
            next.rights &= !next.of(them);
        }
        self.position = next;
        self.open_passages();
    }

    /// Removes the en passant squares whose pawn is gone or which are occupied.
    fn open_passages(&mut self) {
        let (us, position) = (self.position.turn, &self.position);
        let back = if us == Color::White { -1 } else { 1 };
        let pawn = Some(Piece { color: !us, kind: orthodox::PAWN });
        let open = position.en_passant.filter(|square| {
            let stepped = square.step(0, back, Board::orthodox().size());
            position.piece(*square).is_none() && stepped.and_then(|stepped| position.piece(stepped)) == pawn
        });
        self.position.en_passant = open.collect();
    }

    /// Ends the turn here, if that is legal.
    pub fn finish(self) -> Result<PlayedTurn, Fault> {
        let (board, us) = (Board::orthodox(), self.position.turn);
        if self.parts.is_empty() {
            return Err(Fault::Empty);
        }
        if board.in_check(&self.position, us) {
            return Err(Fault::OwnCheck);
        }
        let done = || self.moves.iter().flatten();
        let last_of = |unit: Square| done().filter(|done| done.unit == unit).count() == 1;
        let steps = done().filter(|done| last_of(done.unit));
        let passages = steps.fold(Squares::EMPTY, |set, done| set | done.skipped) & !self.position.occupied();
        let fresh =
            !self.dropped.is_empty() || done().any(|done| done.captured.is_some() || done.kind == orthodox::PAWN);
        let mut after = self.position;
        after.turn = !us;
        after.en_passant = passages;
        after.halfmove = if fresh { 0 } else { self.start.halfmove.saturating_add(1) };
        after.fullmove = self.start.fullmove.saturating_add(u16::from(us == Color::Black));
        let turn = Turn { parts: self.parts };
        Ok(PlayedTurn { turn, moves: self.moves, price: self.price, after })
    }
}

/// The circumstances in which a turn is built.
pub(super) struct Situation<'s> {
    /// Terms of the game.
    pub terms: &'s Terms,
    /// Position at the start of the turn.
    pub position: Position,
    /// The kings to which the castling rights belong, by colour.
    pub homes: [Option<Square>; 2],
    /// Money of the mover.
    pub purse: i64,
}

impl Situation<'_> {
    /// An empty turn to build.
    pub(super) fn trial(&self) -> Trial<'_> {
        Trial::new(self.terms, &self.position, self.homes, self.purse)
    }
}

/// Pseudo-legal moves of the side to move. `homes` are the kings that have not moved, by colour: with two kings on the first rank the position does
/// not show which of them has the castling rights.
pub(super) fn possible(position: &Position, homes: [Option<Square>; 2]) -> Vec<Move> {
    let mut moves = Board::orthodox().pseudo_moves(position);
    castles_beside(position, homes, &mut moves);
    moves
}

/// Legal free moves.
pub(super) fn safe(position: &Position, homes: [Option<Square>; 2]) -> Vec<Move> {
    let mut moves = Board::orthodox().moves(position);
    castles_beside(position, homes, &mut moves);
    moves
}

/// Adds castling moves that the board cannot attribute to a king, because two kings are on the first rank.
fn castles_beside(position: &Position, homes: [Option<Square>; 2], moves: &mut Vec<Move>) {
    let (board, us) = (Board::orthodox(), position.turn);
    if board.royals(position, us).len() > 1
        && let Some(home) = homes[us.index()]
        && !(position.rights & position.of(us)).is_empty()
        && !moves.iter().any(|mv| mv.special == Special::Castle)
    {
        moves.extend(board.castling_moves(position, home));
    }
}
