//! Search tree of games in which pieces are bought: moves, transfers and purchases of both sides. Money is worth a little less
//! than the pieces it buys.

use std::hash::{Hash, Hasher};

use super::{
    game_tree::{OrderedMove, Tree, WON},
    mobility_evaluation::Scale,
    search::{Search, SearchLimits},
    transposition::{PositionHasher, key},
};
use crate::{
    board::{Board, Color, Move, Piece, Position, Square, Squares},
    rules::search_problem::PurchaseProblem,
};

/// Value of a piece in reserve, in percent of its value on the board.
const WAITING: i32 = 86;
/// Value of a zorkmid, in hundredths of a pawn.
const ZORKMID: i32 = 78;
/// Value of a zorkmid to a side that already has the most pieces allowed.
const IDLE: i32 = 5;
/// First slot after the moves from square to square.
const SQUARES: usize = 64 * 64;

/// A problem with the values of its pieces.
struct PurchaseTree<'e> {
    economy: &'e PurchaseProblem,
    board: &'e Board,
    scale: Scale,
}

/// An action of the search.
#[derive(Clone, Copy, PartialEq, Debug)]
enum PurchaseAction {
    Go(Move),
    Transfer(u8, Square),
    Buy(u8, i64),
    Keep,
}

/// Finds the best action. Returns its text.
pub(super) fn best_action(
    economy: &PurchaseProblem,
    effort: SearchLimits,
    enough: &mut dyn FnMut() -> bool,
) -> Option<String> {
    let (market, stand) = begun(economy);
    let found = Search::new(&market, effort, Vec::new(), enough).best(&stand)?;
    Some(market.text(found.mv))
}

/// [`best_action`] with the action's score.
pub(super) fn rated(economy: &PurchaseProblem, effort: SearchLimits) -> Option<(String, i32)> {
    let (market, stand) = begun(economy);
    let found = Search::new(&market, effort, Vec::new(), &mut || false).rated(&stand)?;
    Some((market.text(found.mv), found.score))
}

/// The tree and its root node.
fn begun(economy: &PurchaseProblem) -> (PurchaseTree<'_>, PurchaseNode) {
    let market = PurchaseTree { economy, board: &economy.board, scale: Scale::of(&economy.board) };
    let mut stand = PurchaseNode {
        position: economy.position,
        treasury: [economy.owned[0].treasury, economy.owned[1].treasury],
        reserve: [[0; RESERVE]; 2],
        held: [0; 2],
        turn: 0,
        acted: economy.acted,
    };
    for color in Color::BOTH {
        for kind in &economy.owned[color.index()].reserve {
            stand.receive(color, *kind);
        }
    }
    (market, stand)
}

impl PurchaseTree<'_> {
    /// Text of an action.
    fn text(&self, deed: PurchaseAction) -> String {
        let text = |kind: u8| &self.board.kind(kind).betza;
        match deed {
            PurchaseAction::Go(mv) => format!("{}{}", mv.from, mv.to),
            PurchaseAction::Transfer(kind, to) => format!("transfer {} {to}", text(kind)),
            PurchaseAction::Buy(kind, _) => format!("buy {}", text(kind)),
            PurchaseAction::Keep => "keep".to_owned(),
        }
    }

    /// Royal pieces of a side that are not attacked. A side is not in check if these are all its royal pieces.
    fn safe(&self, position: &Position, color: Color) -> Squares {
        self.board.royals(position, color).filter(|royal| !self.board.attacked(position, !color, *royal)).collect()
    }

    /// Squares next to safe royal pieces, where reserves may enter.
    fn entries(&self, position: &Position, safe: Squares) -> Squares {
        let size = self.board.size();
        let mut squares = Squares::EMPTY;
        for royal in safe {
            for (dx, dy) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
                squares |= royal.step(dx, dy, size).map_or(Squares::EMPTY, Square::set);
            }
        }
        squares & !position.occupied()
    }

    /// Purchases that the mover may make.
    fn purchases(&self, stand: &PurchaseNode, safe: Squares) -> impl Iterator<Item = (u8, i64)> {
        let us = stand.mover();
        let may = safe == self.board.royals(&stand.position, us) && stand.pieces(us) < self.economy.most;
        let treasury = stand.treasury[us.index()];
        let sold = self.economy.owned[us.index()].sold.iter().copied();
        sold.filter(move |(_, price)| may && *price <= treasury)
    }

    /// Value of a side's money and reserve.
    fn owned(&self, stand: &PurchaseNode, color: Color) -> i32 {
        let reserve: i32 = stand.reserve(color).iter().map(|kind| self.scale.value(*kind)).sum();
        let full = stand.pieces(color) >= self.economy.most;
        let tenths = stand.treasury[color.index()].min(10_000) as i32;
        reserve * WAITING / 100 + tenths * if full { IDLE } else { ZORKMID } / 10
    }

    /// Starts the next turn.
    fn next(&self, stand: &mut PurchaseNode) {
        stand.acted = false;
        stand.turn = stand.turn.saturating_add(1);
        stand.position.turn = !stand.position.turn;
        let incomes = &self.economy.incomes;
        let income = incomes.get(usize::from(stand.turn)).or(incomes.last()).copied().unwrap_or(0);
        let treasury = &mut stand.treasury[stand.position.turn.index()];
        *treasury = treasury.saturating_add(income);
    }

    fn buy(stand: &mut PurchaseNode, kind: u8, price: i64) {
        let us = stand.mover();
        stand.treasury[us.index()] -= price;
        stand.receive(us, kind);
    }
}

impl Tree for PurchaseTree<'_> {
    type Node = PurchaseNode;
    type Move = PurchaseAction;

    fn key(&self, stand: &PurchaseNode) -> u64 {
        let mut folded = PositionHasher::default();
        (key(&stand.position), stand.treasury, stand.acted).hash(&mut folded);
        let count = |kind: &u8| 1u64 << (4 * (u32::from(*kind) % 16));
        for color in Color::BOTH {
            stand.reserve(color).iter().map(count).fold(0, u64::wrapping_add).hash(&mut folded);
        }
        folded.finish()
    }

    fn side(&self, stand: &PurchaseNode) -> usize {
        stand.mover().index()
    }

    fn verdict(&self, stand: &PurchaseNode) -> Option<i32> {
        (stand.position.halfmove >= 100).then_some(0)
    }

    fn moves(&self, stand: &PurchaseNode, loud: bool, ranked: &mut Vec<OrderedMove<PurchaseAction>>) {
        let (position, us) = (&stand.position, stand.mover());
        let quiet = |mv, rank| OrderedMove { mv, gain: 0, rank };
        if stand.acted {
            let safe = self.safe(position, us);
            if self.economy.buys_after && !loud {
                let value = |kind| self.scale.value(kind);
                ranked.extend(
                    self.purchases(stand, safe)
                        .map(|(kind, price)| quiet(PurchaseAction::Buy(kind, price), value(kind))),
                );
            }
            ranked.push(quiet(PurchaseAction::Keep, 0));
            return;
        }
        let hostile = position.of(!us);
        let mut moves = Vec::with_capacity(48);
        self.board.moves_onto(position, if loud { hostile } else { !Squares::EMPTY }, &mut moves);
        for mv in moves {
            let gain = position.piece(mv.to).map_or(0, |piece| self.scale.value(piece.kind).max(1));
            let own = position.piece(mv.from).map_or(0, |piece| self.scale.value(piece.kind));
            let loses = gain > 0 && own > gain + 60 && self.board.attacked(position, !us, mv.to);
            let rank = if loses { gain - own } else { gain * 8 - own / 8 };
            ranked.push(OrderedMove { mv: PurchaseAction::Go(mv), gain, rank: if gain > 0 { rank } else { 0 } });
        }
        if loud {
            return;
        }
        let safe = self.safe(position, us);
        let reserve = stand.reserve(us);
        let first = |(index, kind): &(usize, &u8)| !reserve[..*index].contains(kind);
        for (_, kind) in reserve.iter().enumerate().filter(first) {
            let rank = self.scale.value(*kind);
            ranked.extend(self.entries(position, safe).map(|to| quiet(PurchaseAction::Transfer(*kind, to), rank)));
        }
        if !self.economy.buys_after {
            let value = |kind| self.scale.value(kind);
            ranked.extend(
                self.purchases(stand, safe).map(|(kind, price)| quiet(PurchaseAction::Buy(kind, price), value(kind))),
            );
        }
    }

    fn after(&self, stand: &PurchaseNode, deed: &PurchaseAction) -> PurchaseNode {
        let (mut next, us) = (*stand, stand.mover());
        match *deed {
            PurchaseAction::Go(mv) => {
                next.position = self.board.after(&stand.position, mv);
                next.position.turn = us;
            }
            PurchaseAction::Transfer(kind, to) => {
                next.take(us, kind);
                next.position.put(self.board, to, Piece { color: us, kind });
                next.position.halfmove = 0;
            }
            PurchaseAction::Buy(kind, price) => {
                Self::buy(&mut next, kind, price);
                next.position.halfmove = 0;
            }
            PurchaseAction::Keep => {}
        }
        if self.economy.buys_after && !stand.acted && stand.turn > 0 {
            // Later in the line a side simply buys the most valuable piece it can afford.
            let safe = self.safe(&next.position, us);
            let best = self.purchases(&next, safe).max_by_key(|(kind, _)| self.scale.value(*kind));
            if let Some((kind, price)) = best {
                Self::buy(&mut next, kind, price);
            }
        }
        self.next(&mut next);
        next
    }

    fn stuck(&self, _stand: &PurchaseNode) -> i32 {
        -WON
    }

    fn estimate(&self, stand: &PurchaseNode) -> i32 {
        let lead = self.scale.lead(self.board, &stand.position);
        let lead = lead + self.owned(stand, Color::White) - self.owned(stand, Color::Black);
        10 + if stand.mover() == Color::White { lead } else { -lead }
    }

    fn pressed(&self, stand: &PurchaseNode) -> bool {
        !stand.acted && self.board.in_check(&stand.position, stand.mover())
    }

    fn pass(&self, stand: &PurchaseNode) -> Option<PurchaseNode> {
        let us = stand.mover();
        if stand.acted || stand.position.of(us).len() < 3 {
            return None;
        }
        let mut next = *stand;
        self.next(&mut next);
        Some(next)
    }

    fn slot(&self, deed: &PurchaseAction) -> usize {
        match deed {
            PurchaseAction::Go(mv) => mv.from.index() * 64 + mv.to.index(),
            PurchaseAction::Transfer(kind, to) => SQUARES + (usize::from(*kind) % 32) * 64 + to.index(),
            PurchaseAction::Buy(kind, _) => SQUARES + 32 * 64 + usize::from(*kind),
            PurchaseAction::Keep => SQUARES + 32 * 64 + 256,
        }
    }
}

/// Most pieces in reserve that a node can hold.
const RESERVE: usize = 16;

/// A node of the search. The position says who is to move.
#[derive(Clone, Copy)]
struct PurchaseNode {
    position: Position,
    treasury: [i64; 2],
    reserve: [[u8; RESERVE]; 2],
    held: [u8; 2],
    /// Turns since the root.
    turn: u8,
    acted: bool,
}

impl PurchaseNode {
    /// The side to act.
    fn mover(&self) -> Color {
        self.position.turn
    }

    /// Piece types that a side has in reserve.
    fn reserve(&self, color: Color) -> &[u8] {
        &self.reserve[color.index()][..usize::from(self.held[color.index()])]
    }

    /// Adds a piece to the reserve, if there is room.
    fn receive(&mut self, color: Color, kind: u8) {
        let held = &mut self.held[color.index()];
        if usize::from(*held) < RESERVE {
            self.reserve[color.index()][usize::from(*held)] = kind;
            *held += 1;
        }
    }

    /// Removes a piece from the reserve.
    fn take(&mut self, color: Color, kind: u8) {
        let (us, held) = (color.index(), usize::from(self.held[color.index()]));
        if let Some(place) = self.reserve(color).iter().position(|known| *known == kind) {
            self.reserve[us].copy_within(place + 1..held, place);
            self.held[us] -= 1;
        }
    }

    /// Number of pieces of a side, on the board and in reserve.
    fn pieces(&self, color: Color) -> usize {
        self.position.of(color).len() as usize + usize::from(self.held[color.index()])
    }
}
