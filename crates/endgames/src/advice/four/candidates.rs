//! The moves that a side may make, with bounds of what they lead to, and which of them to make.

use std::collections::HashSet;

use super::super::super::{
    enclosed::{EnclosedMove, MORE_DECIMALS, enclosure_to},
    four::{FourFiles, NARROW, WrongFile, thresholds_of},
    table::Table,
};
use crate::board::{Board, Color, Move, Position};

/// The number of positions that are looked at for a way to a move that cannot be taken back.
const LOOKED: usize = 200;

/// A move of one side.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    mv: Move,
    after: Position,
    /// The lower bound of α after it and the upper one of β, in multiples of 2⁻⁶³.
    bounds: [i128; 2],
    /// Set if it cannot be taken back: a capture, or a pawn's move.
    lasting: bool,
}

/// What a side should move.
pub(super) struct Course {
    /// The moves that keep the most, the recommended one first.
    pub(super) moves: Vec<EnclosedMove>,
    /// The number of moves with which they lead to one that cannot be taken back, if that was found.
    pub(super) length: Option<u32>,
}

/// The tables, and the board on which they are asked.
pub(super) struct Ground<'t> {
    pub(super) table: &'t Table,
    pub(super) files: &'t FourFiles,
    pub(super) board: &'static Board,
}

/// What a side is sure of within bounds: White goes by α, Black by β. More is better for either.
pub(super) fn sure(player: Color, [alpha, beta]: [i128; 2]) -> i128 {
    match player {
        Color::White => alpha,
        Color::Black => -beta,
    }
}

/// The bounds of what the best move leads to; those of the position itself if there is none.
pub(super) fn best(mover: Color, candidates: &[Candidate], here: [i128; 2]) -> [i128; 2] {
    [0, 1].map(|end| {
        let all = candidates.iter().map(|candidate| candidate.bounds[end]);
        let best = match mover {
            Color::White => all.max(),
            Color::Black => all.min(),
        };
        best.unwrap_or(here[end])
    })
}

/// The moves that keep the most of what the side is sure of, up to the width of bounds that are as good as one.
fn kept(player: Color, candidates: &[Candidate]) -> Vec<Candidate> {
    let most = candidates.iter().map(|candidate| sure(player, candidate.bounds)).max();
    let equal =
        |candidate: &&Candidate| most.is_some_and(|most| sure(player, candidate.bounds) + i128::from(NARROW) >= most);
    candidates.iter().filter(equal).copied().collect()
}

/// A position with a side to move.
fn facing(position: &Position, mover: Color) -> Position {
    let mut from = *position;
    from.turn = mover;
    from
}

impl Ground<'_> {
    /// All moves of a side; nothing where it is not known what one of them leads to.
    ///
    /// # Errors
    /// If a file cannot be used.
    pub(super) fn candidates(&self, position: &Position, mover: Color) -> Result<Option<Vec<Candidate>>, WrongFile> {
        let from = facing(position, mover);
        let mut candidates = Vec::new();
        for mv in self.board.moves(&from) {
            let after = self.board.after(&from, mv);
            let Some([alpha, beta]) = thresholds_of(self.table, self.files, &after)? else { return Ok(None) };
            let pawn = from.piece(mv.from).is_some_and(|piece| self.board.is_pawn(piece.kind));
            let lasting = pawn || after.occupied().len() < from.occupied().len();
            candidates.push(Candidate { mv, after, bounds: [alpha[0], beta[1]], lasting });
        }
        Ok(Some(candidates))
    }

    /// What to move: the moves of a side that keep the most as they are told, the recommended one first, the others by their names in UCI.
    ///
    /// # Errors
    /// If a file cannot be used.
    pub(super) fn course(
        &self,
        position: &Position,
        player: Color,
        candidates: &[Candidate],
    ) -> Result<Course, WrongFile> {
        let kept = kept(player, candidates);
        let ahead = self.ahead(player, &kept)?;
        let first = ahead.map(|(first, _)| first);
        let from = facing(position, player);
        let all: Vec<Move> = candidates.iter().map(|candidate| candidate.mv).collect();
        let tell = |candidate: &Candidate| EnclosedMove {
            uci: self.board.uci(candidate.mv).to_string(),
            san: self.board.san_among(&from, candidate.mv, &all),
            value: enclosure_to(candidate.bounds, MORE_DECIMALS),
            best: true,
        };
        let mut moves: Vec<(bool, EnclosedMove)> =
            kept.iter().map(|candidate| (Some(candidate.mv) != first, tell(candidate))).collect();
        moves.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.uci.cmp(&b.1.uci)));
        let moves = moves.into_iter().map(|(_, mv)| mv).collect();
        Ok(Course { moves, length: ahead.map(|(_, length)| length) })
    }

    /// The first move on a shortest way of moves that keep the most to one that cannot be taken back, if the other side never gets the move, and the
    /// number of moves on it; nothing where no way is found.
    fn ahead(&self, player: Color, kept: &[Candidate]) -> Result<Option<(Move, u32)>, WrongFile> {
        if let Some(candidate) = kept.iter().find(|candidate| candidate.lasting) {
            return Ok(Some((candidate.mv, 1)));
        }
        // Nothing in this layer lasts.
        let mut layer: Vec<(Move, Candidate)> = kept.iter().map(|candidate| (candidate.mv, *candidate)).collect();
        let mut known = HashSet::new();
        for length in 2.. {
            let mut next = Vec::new();
            for (first, candidate) in layer {
                let Some((place, _)) = self.files.same(&candidate.after)? else { continue };
                if known.len() == LOOKED || !known.insert(place) {
                    continue;
                }
                let candidates = self.candidates(&candidate.after, player)?.unwrap_or_default();
                let kept = self::kept(player, &candidates);
                if kept.iter().any(|candidate| candidate.lasting) {
                    return Ok(Some((first, length)));
                }
                next.extend(kept.into_iter().map(|candidate| (first, candidate)));
            }
            if next.is_empty() {
                return Ok(None);
            }
            layer = next;
        }
        Ok(None)
    }
}
