//! Moves through the cube: what a unit reaches, what is attacked, which moves are legal, and where they lead.

use super::{
    Cell, Kind, Move, Piece, Position,
    tables::{DIRECTIONS, TABLES, Tables, promotes},
};
use crate::board::square::Color;

impl Position {
    /// Calls `visit` with every cell where a unit may go, whatever that means for its king; only where it captures, if that is all
    /// that is asked for.
    fn reach(&self, from: Cell, piece: Piece, captures: bool, mut visit: impl FnMut(Cell)) {
        let Piece { kind, color } = piece;
        let mut land = |to: Cell| match self.piece(to) {
            None if !captures => visit(to),
            Some(other) if other.color != color => visit(to),
            None | Some(_) => {}
        };
        match kind {
            Kind::Pawn => {
                let takes = &TABLES.takes[color.index()][from.index()];
                takes.iter().filter(|to| self.piece(**to).is_some()).for_each(|to| land(*to));
                if !captures {
                    let steps = &TABLES.steps[color.index()][from.index()];
                    steps.iter().filter(|to| self.piece(**to).is_none()).for_each(|to| land(*to));
                }
            }
            Kind::Knight => TABLES.leaps[from.index()].iter().for_each(|to| land(*to)),
            Kind::King => TABLES.rays[from.index()].iter().filter_map(|ray| ray.first()).for_each(|to| land(*to)),
            Kind::Bishop | Kind::Unicorn | Kind::Rook | Kind::Queen => {
                for ray in &TABLES.rays[from.index()][Tables::directions(kind)] {
                    for to in ray {
                        land(*to);
                        if self.piece(*to).is_some() {
                            break;
                        }
                    }
                }
            }
        }
    }

    /// The cells where a unit may go without capturing, and those that it attacks and on which none of its own side stands, whoever
    /// moves and whatever that means for its king.
    pub fn reached(&self, from: Cell) -> [Vec<Cell>; 2] {
        let Some(piece) = self.piece(from) else { return [Vec::new(), Vec::new()] };
        let mut quiet = Vec::new();
        let mut attacked = Vec::new();
        self.reach(from, piece, false, |to| {
            if self.piece(to).is_none() {
                quiet.push(to);
            }
            if piece.kind != Kind::Pawn {
                attacked.push(to);
            }
        });
        if piece.kind == Kind::Pawn {
            let own = |cell: &Cell| self.piece(*cell).is_some_and(|other| other.color == piece.color);
            attacked.extend(TABLES.takes[piece.color.index()][from.index()].iter().filter(|cell| !own(cell)));
        }
        [quiet, attacked]
    }

    /// Tells whether a colour attacks a cell.
    pub fn attacked(&self, by: Color, cell: Cell) -> bool {
        let is = |at: &Cell, kind: Kind| self.piece(*at) == Some(Piece { kind, color: by });
        if TABLES.leaps[cell.index()].iter().any(|at| is(at, Kind::Knight)) {
            return true;
        }
        // A pawn attacks a cell from where one of the other colour would capture.
        if TABLES.takes[(!by).index()][cell.index()].iter().any(|at| is(at, Kind::Pawn)) {
            return true;
        }
        (0..DIRECTIONS).any(|direction| {
            let ray = &TABLES.rays[cell.index()][direction];
            let met = ray.iter().enumerate().find_map(|(far, at)| Some((far, self.piece(*at)?)));
            met.is_some_and(|(far, piece)| {
                let there = Tables::directions(piece.kind).contains(&direction);
                piece.color == by && there && (far == 0 || piece.kind != Kind::King)
            })
        })
    }

    /// Tells whether a side's king is attacked.
    pub fn in_check(&self, color: Color) -> bool {
        self.attacked(!color, self.king(color))
    }

    /// All legal moves of the side to move, in a fixed order.
    pub fn moves(&self) -> Vec<Move> {
        self.listed(false)
    }

    /// The legal moves that capture, or make something of a pawn.
    pub fn captures(&self) -> Vec<Move> {
        self.listed(true)
    }

    fn listed(&self, loud: bool) -> Vec<Move> {
        let (us, king) = (self.turn, self.king(self.turn));
        let checked = self.in_check(us);
        let mut moves = Vec::with_capacity(96);
        for from in self.of(us) {
            let Some(piece) = self.piece(from) else { continue };
            // Whoever stands on no line with the king uncovers nothing.
            let free = !checked && piece.kind != Kind::King && !TABLES.aligned(king, from);
            let mut add = |to: Cell| {
                let plain = Move { from, to, promotion: None };
                if !free && self.after(plain).in_check(us) {
                    return;
                }
                if piece.kind == Kind::Pawn && promotes(us, to) {
                    moves.extend(Kind::PROMOTIONS.map(|kind| Move { promotion: Some(kind), ..plain }));
                } else {
                    moves.push(plain);
                }
            };
            self.reach(from, piece, loud, &mut add);
            if loud && piece.kind == Kind::Pawn {
                let steps = &TABLES.steps[us.index()][from.index()];
                steps.iter().filter(|to| promotes(us, **to) && self.piece(**to).is_none()).for_each(|to| add(*to));
            }
        }
        moves
    }

    /// Tells whether a move that leaves the mover's king attacked is one but for that.
    pub fn exposes(&self, from: Cell, to: Cell) -> bool {
        let Some(piece) = self.piece(from) else { return false };
        let mut goes = false;
        self.reach(from, piece, false, |cell| goes |= cell == to);
        goes && self.after(Move { from, to, promotion: None }).in_check(piece.color)
    }

    /// Tells whether a pawn of the side to move that goes to a cell becomes something there.
    pub fn promotes(&self, from: Cell, to: Cell) -> bool {
        self.piece(from).is_some_and(|piece| piece.kind == Kind::Pawn && promotes(piece.color, to))
    }

    /// The position after a move.
    #[must_use]
    pub fn after(&self, mv: Move) -> Position {
        let mut next = *self;
        let Some(mut piece) = next.take(mv.from) else { return next };
        let quiet = piece.kind != Kind::Pawn && next.take(mv.to).is_none();
        piece.kind = mv.promotion.unwrap_or(piece.kind);
        next.put(mv.to, piece);
        next.halfmove = if quiet { self.halfmove.saturating_add(1) } else { 0 };
        next.fullmove = self.fullmove.saturating_add(u16::from(self.turn == Color::Black));
        next.turn = !self.turn;
        next
    }

    /// The number of lines of so many plies.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.moves().len() as u64,
            _ => self.moves().into_iter().map(|mv| self.after(mv).perft(depth - 1)).sum(),
        }
    }
}
