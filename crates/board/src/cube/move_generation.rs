//! Moves in the cube: targets, attacks, legal moves and the position after a move.

use super::{
    CubeCell, CubeKind, CubeMove, CubePiece, CubePosition,
    piece_type::{DIRECTIONS, TABLES, Tables, promotes},
};
use crate::square::Color;

impl CubePosition {
    /// Calls `visit` with every target of a piece, ignoring the safety of its king. With `captures` set, visits only
    /// captures.
    fn reach(&self, from: CubeCell, piece: CubePiece, captures: bool, mut visit: impl FnMut(CubeCell)) {
        let CubePiece { kind, color } = piece;
        let mut land = |to: CubeCell| match self.piece(to) {
            None if !captures => visit(to),
            Some(other) if other.color != color => visit(to),
            None | Some(_) => {}
        };
        match kind {
            CubeKind::Pawn => {
                let takes = &TABLES.takes[color.index()][from.index()];
                takes.iter().filter(|to| self.piece(**to).is_some()).for_each(|to| land(*to));
                if !captures {
                    let steps = &TABLES.steps[color.index()][from.index()];
                    steps.iter().filter(|to| self.piece(**to).is_none()).for_each(|to| land(*to));
                }
            }
            CubeKind::Knight => TABLES.leaps[from.index()].iter().for_each(|to| land(*to)),
            CubeKind::King => TABLES.rays[from.index()].iter().filter_map(|ray| ray.first()).for_each(|to| land(*to)),
            CubeKind::Bishop | CubeKind::Unicorn | CubeKind::Rook | CubeKind::Queen => {
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

    /// Quiet targets of a piece, and the cells that it attacks except those with its own side's pieces. Ignores the
    /// turn and the safety of its king.
    pub fn reached(&self, from: CubeCell) -> [Vec<CubeCell>; 2] {
        let Some(piece) = self.piece(from) else { return [Vec::new(), Vec::new()] };
        let mut quiet = Vec::new();
        let mut attacked = Vec::new();
        self.reach(from, piece, false, |to| {
            if self.piece(to).is_none() {
                quiet.push(to);
            }
            if piece.kind != CubeKind::Pawn {
                attacked.push(to);
            }
        });
        if piece.kind == CubeKind::Pawn {
            let own = |cell: &CubeCell| self.piece(*cell).is_some_and(|other| other.color == piece.color);
            attacked.extend(TABLES.takes[piece.color.index()][from.index()].iter().filter(|cell| !own(cell)));
        }
        [quiet, attacked]
    }

    /// True if a colour attacks a cell.
    pub fn attacked(&self, by: Color, cell: CubeCell) -> bool {
        let is = |at: &CubeCell, kind: CubeKind| self.piece(*at) == Some(CubePiece { kind, color: by });
        if TABLES.leaps[cell.index()].iter().any(|at| is(at, CubeKind::Knight)) {
            return true;
        }
        // A pawn attacks a cell if a pawn of the other colour on that cell would attack the pawn.
        if TABLES.takes[(!by).index()][cell.index()].iter().any(|at| is(at, CubeKind::Pawn)) {
            return true;
        }
        (0..DIRECTIONS).any(|direction| {
            let ray = &TABLES.rays[cell.index()][direction];
            let met = ray.iter().enumerate().find_map(|(far, at)| Some((far, self.piece(*at)?)));
            met.is_some_and(|(far, piece)| {
                let there = Tables::directions(piece.kind).contains(&direction);
                piece.color == by && there && (far == 0 || piece.kind != CubeKind::King)
            })
        })
    }

    /// True if a side's king is attacked.
    pub fn in_check(&self, color: Color) -> bool {
        self.attacked(!color, self.king(color))
    }

    /// All legal moves of the side to move, in a fixed order.
    pub fn moves(&self) -> Vec<CubeMove> {
        self.listed(false)
    }

    /// True if the side to move has a legal move.
    pub fn has_move(&self) -> bool {
        self.of(self.turn).any(|from| {
            let mut found = false;
            if let Some(piece) = self.piece(from) {
                self.reach(from, piece, false, |to| found = found || self.keeps(from, to));
            }
            found
        })
    }

    /// True if the move is legal for the side to move.
    pub(super) fn goes(&self, from: CubeCell, to: CubeCell) -> bool {
        let mut goes = false;
        if let Some(piece) = self.piece(from) {
            self.reach(from, piece, false, |cell| goes |= cell == to);
        }
        goes && self.keeps(from, to)
    }

    /// True if the move leaves the king of the side to move safe.
    fn keeps(&self, from: CubeCell, to: CubeCell) -> bool {
        !self.after(CubeMove { from, to, promotion: None }).in_check(self.turn)
    }

    /// Legal captures and promotions.
    pub fn captures(&self) -> Vec<CubeMove> {
        self.listed(true)
    }

    fn listed(&self, loud: bool) -> Vec<CubeMove> {
        let (us, king) = (self.turn, self.king(self.turn));
        let checked = self.in_check(us);
        let mut moves = Vec::with_capacity(96);
        for from in self.of(us) {
            let Some(piece) = self.piece(from) else { continue };
            // A piece on no line with its king cannot expose the king.
            let free = !checked && piece.kind != CubeKind::King && !TABLES.aligned(king, from);
            let mut add = |to: CubeCell| {
                let plain = CubeMove { from, to, promotion: None };
                if !free && !self.keeps(from, to) {
                    return;
                }
                if piece.kind == CubeKind::Pawn && promotes(us, to) {
                    moves.extend(CubeKind::PROMOTIONS.map(|kind| CubeMove { promotion: Some(kind), ..plain }));
                } else {
                    moves.push(plain);
                }
            };
            self.reach(from, piece, loud, &mut add);
            if loud && piece.kind == CubeKind::Pawn {
                let steps = &TABLES.steps[us.index()][from.index()];
                steps.iter().filter(|to| promotes(us, **to) && self.piece(**to).is_none()).for_each(|to| add(*to));
            }
        }
        moves
    }

    /// True if the move is illegal only because it leaves the mover's king attacked.
    pub fn exposes(&self, from: CubeCell, to: CubeCell) -> bool {
        let Some(piece) = self.piece(from) else { return false };
        let mut goes = false;
        self.reach(from, piece, false, |cell| goes |= cell == to);
        goes && self.after(CubeMove { from, to, promotion: None }).in_check(piece.color)
    }

    /// True if the move promotes a pawn.
    pub fn promotes(&self, from: CubeCell, to: CubeCell) -> bool {
        self.piece(from).is_some_and(|piece| piece.kind == CubeKind::Pawn && promotes(piece.color, to))
    }

    /// The position after a move.
    #[must_use]
    pub fn after(&self, mv: CubeMove) -> CubePosition {
        let mut next = *self;
        let Some(mut piece) = next.take(mv.from) else { return next };
        let quiet = piece.kind != CubeKind::Pawn && next.take(mv.to).is_none();
        piece.kind = mv.promotion.unwrap_or(piece.kind);
        next.put(mv.to, piece);
        next.halfmove = if quiet { self.halfmove.saturating_add(1) } else { 0 };
        next.fullmove = self.fullmove.saturating_add(u16::from(self.turn == Color::Black));
        next.turn = !self.turn;
        next
    }

    /// Number of sequences of `depth` legal moves.
    pub fn perft(&self, depth: u32) -> u64 {
        match depth {
            0 => 1,
            1 => self.moves().len() as u64,
            _ => self.moves().into_iter().map(|mv| self.after(mv).perft(depth - 1)).sum(),
        }
    }
}
