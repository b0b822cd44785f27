//! Search tree of alternating games on a board: chess, and variants with other winning conditions.

use super::{
    chess_evaluation::Army,
    game_tree::{OrderedMove, SLOTS, Tree, WON},
    mobility_evaluation::Scale,
    piece_square::VALUES,
    transposition::key,
};
use crate::{
    board::{Board, Color, Move, MoveObligation, Position, Special, Square, Squares},
    rules::{
        endings::{self, StalemateRule},
        search_problem::{Aim, BoardProblem},
    },
};

/// Gain for capturing the king.
const KING: i32 = 20_000;
/// First slot of drops, after the slots of moves from square to square.
const DROPS: usize = 64 * 64;
/// Score of a draw for the side that wins draws.
const NEARLY: i32 = 900;
/// Value of a king step towards the hill.
const HILL: i32 = 35;
/// Value of a king step in the race.
const RACE: i32 = 90;
/// Cost of each own piece in antichess.
const BURDEN: i32 = 100;

/// A board with the values of its pieces.
pub(super) struct ChessTree<'b> {
    board: &'b Board,
    aim: Aim,
    draws: Option<Color>,
    /// The fifty-move rule applies.
    quiet: bool,
    pub(super) scale: Scale,
    /// Detailed evaluation of the orthodox army, where it plays for mate.
    army: Option<Army>,
}

/// A node of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChessNode {
    /// The position.
    pub(super) position: Position,
    /// Checks given by each side, if they are counted.
    pub(super) checks: [u8; 2],
}

impl<'b> ChessTree<'b> {
    /// The tree of a board and aim.
    pub(super) fn new(board: &'b Board, aim: Aim, draws: Option<Color>) -> Self {
        ChessTree { board, aim, draws, quiet: true, scale: Scale::of(board), army: None }
    }

    /// The tree of a problem, its root node, and the keys of the positions before it.
    pub(super) fn of(contest: &'b BoardProblem) -> (Self, ChessNode, Vec<u64>) {
        let BoardProblem { board, aim, draws, quiet, .. } = contest;
        let closer = matches!(aim, Aim::Mate | Aim::Checks { .. } | Aim::Hill(_)) && Army::serves(board);
        let army = closer.then(|| Army::of(VALUES));
        let arena = ChessTree { quiet: *quiet, army, ..ChessTree::new(board, *aim, *draws) };
        let checks = match contest.aim {
            Aim::Checks { given, .. } => given,
            Aim::Mate | Aim::Capture(_) | Aim::Hill(_) | Aim::Race(_) | Aim::Bare | Aim::Horde | Aim::Lose => [0; 2],
        };
        let moment = |position: &Position| ChessNode { position: *position, checks };
        let before = contest.before.iter().map(|position| arena.key(&moment(position))).collect();
        (arena, moment(&contest.position), before)
    }

    /// A node in which no checks have been given.
    pub(super) fn moment(&self, position: &Position) -> ChessNode {
        ChessNode { position: *position, checks: [0; 2] }
    }

    /// Whether the side to move can capture, and so must.
    fn must_capture(&self, position: &Position) -> bool {
        let mut moves = Vec::with_capacity(8);
        self.board.moves_onto(position, position.of(!position.turn) | position.en_passant, &mut moves);
        moves.first().is_some_and(|mv| self.board.captured(position, *mv).is_some())
    }

    /// Whether the side to move loses unless this move equalises: the opponent's king has reached the goal, or its own king is
    /// bare.
    fn last_chance(&self, moment: &ChessNode) -> bool {
        let position = &moment.position;
        match self.aim {
            Aim::Race(goal) => !(self.board.royals(position, !position.turn) & goal).is_empty(),
            Aim::Bare => endings::is_bare(self.board, position, position.turn),
            Aim::Mate | Aim::Capture(_) | Aim::Checks { .. } | Aim::Hill(_) | Aim::Horde | Aim::Lose => false,
        }
    }
}

impl Tree for ChessTree<'_> {
    type Node = ChessNode;
    type Move = Move;

    fn key(&self, moment: &ChessNode) -> u64 {
        let [white, black] = moment.checks;
        key(&moment.position) ^ (u64::from(white) * 0x9e37_79b9 + u64::from(black) * 0x85eb_ca6b)
    }

    fn side(&self, moment: &ChessNode) -> usize {
        moment.position.turn.index()
    }

    fn drawn(&self, moment: &ChessNode) -> i32 {
        self.draws.map_or(0, |color| if color == moment.position.turn { NEARLY } else { -NEARLY })
    }

    fn verdict(&self, moment: &ChessNode) -> Option<i32> {
        let position = &moment.position;
        match self.aim {
            Aim::Capture(_) => return self.board.royals(position, position.turn).is_empty().then_some(-WON),
            Aim::Checks { winning, .. } if moment.checks[(!position.turn).index()] >= winning => return Some(-WON),
            Aim::Hill(hill) if !(self.board.royals(position, !position.turn) & hill).is_empty() => return Some(-WON),
            Aim::Mate if position.occupied().len() <= 4 && !self.board.holdings && endings::is_dead(position) => {
                return Some(self.drawn(moment));
            }
            Aim::Lose if position.of(position.turn).is_empty() => return Some(WON),
            Aim::Race(goal) => match Color::BOTH.map(|color| !(self.board.royals(position, color) & goal).is_empty()) {
                [true, true] => return Some(self.drawn(moment)),
                [true, false] if position.turn == Color::White => return Some(WON),
                [false, true] => return Some(if position.turn == Color::White { -WON } else { WON }),
                [true, false] | [false, false] => {}
            },
            Aim::Bare => {
                match [position.turn, !position.turn].map(|color| endings::is_bare(self.board, position, color)) {
                    [true, true] => return Some(self.drawn(moment)),
                    [false, true] => return Some(WON),
                    [true, false] | [false, false] => {}
                }
            }
            Aim::Horde if position.of(position.turn).is_empty() => return Some(-WON),
            Aim::Checks { .. } | Aim::Hill(_) | Aim::Mate | Aim::Horde | Aim::Lose => {}
        }
        (self.quiet && position.halfmove >= 100).then(|| self.drawn(moment))
    }

    fn moves(&self, moment: &ChessNode, loud: bool, ranked: &mut Vec<OrderedMove<Move>>) {
        let (board, position) = (self.board, &moment.position);
        let them = position.of(!position.turn);
        let mut moves = Vec::with_capacity(48);
        if loud {
            let last = board.size().last_rank(position.turn);
            board.moves_onto(position, them | position.en_passant | last, &mut moves);
        } else {
            board.moves_onto(position, !Squares::EMPTY, &mut moves);
        }
        let kings = board.royals(position, !position.turn);
        for mv in moves {
            if matches!(self.aim, Aim::Capture(_)) && kings.has(mv.to) {
                ranked.clear();
                ranked.push(OrderedMove { mv, gain: KING, rank: KING });
                return;
            }
            let one = self.ranked(moment, mv);
            if !loud || one.gain > 0 {
                ranked.push(one);
            }
        }
    }

    fn after(&self, moment: &ChessNode, mv: &Move) -> ChessNode {
        let mover = moment.position.turn;
        let mut next = ChessNode { position: self.board.after(&moment.position, *mv), checks: moment.checks };
        if let Aim::Checks { .. } = self.aim {
            next.checks[mover.index()] += u8::from(self.board.in_check(&next.position, !mover));
        }
        next
    }

    fn stuck(&self, moment: &ChessNode) -> i32 {
        if self.aim == Aim::Lose {
            return WON;
        }
        let lost = matches!(self.aim, Aim::Capture(StalemateRule::Loses) | Aim::Bare)
            || self.last_chance(moment)
            || self.board.in_check(&moment.position, moment.position.turn);
        if lost { -WON } else { self.drawn(moment) }
    }

    fn estimate(&self, moment: &ChessNode) -> i32 {
        self.standing(moment)
    }

    fn pressed(&self, moment: &ChessNode) -> bool {
        if self.board.duty == MoveObligation::Capture {
            return self.must_capture(&moment.position);
        }
        self.last_chance(moment) || self.board.in_check(&moment.position, moment.position.turn)
    }

    fn threatens(&self, moment: &ChessNode, mv: &Move) -> bool {
        let (position, us) = (&moment.position, moment.position.turn);
        let kind = match mv.special {
            Special::Drop(kind) => kind,
            Special::Castle => return false,
            Special::Plain | Special::Double | Special::EnPassant => match position.piece(mv.from) {
                Some(piece) => piece.kind,
                None => return false,
            },
        };
        let (design, kings) = (&self.board.kind(kind).design, self.board.royals(position, !us));
        if (design.capture_reach(us, mv.to) & kings).is_empty() || self.aim == Aim::Lose {
            return false;
        }
        let occupied = position.occupied() & !mv.from.set() | mv.to.set();
        !(design.attacks(us, mv.to, occupied) & kings).is_empty()
    }

    fn pass(&self, moment: &ChessNode) -> Option<ChessNode> {
        let mut position = moment.position;
        let us = position.turn;
        let officers = position.of(us) & !self.board.royals(&position, us);
        let any = officers
            .into_iter()
            .any(|square| position.piece(square).is_some_and(|piece| self.scale.value(piece.kind) > 150));
        if !any || self.aim == Aim::Lose {
            return None;
        }
        position.turn = !us;
        position.en_passant = Squares::EMPTY;
        Some(ChessNode { position, checks: moment.checks })
    }

    fn slot(&self, mv: &Move) -> usize {
        match mv.special {
            Special::Drop(kind) => (DROPS + usize::from(kind) * 64 + mv.to.index()) % SLOTS,
            Special::Plain | Special::Double | Special::EnPassant | Special::Castle => {
                (mv.from.index() * 64 + mv.to.index()) % SLOTS
            }
        }
    }
}

impl ChessTree<'_> {
    /// Value of the captured piece, plus the gain of a promotion.
    pub(super) fn gain(&self, moment: &ChessNode, mv: Move) -> i32 {
        let position = &moment.position;
        let captured = match mv.special {
            Special::Castle | Special::Drop(_) => 0,
            Special::EnPassant => self.scale.value(position.piece(mv.from).map_or(0, |piece| piece.kind)),
            Special::Plain | Special::Double => position.piece(mv.to).map_or(0, |piece| self.victim(piece.kind)),
        };
        let became = mv.promotion.map_or(0, |kind| self.scale.value(kind) - 100);
        captured + became
    }

    fn victim(&self, kind: u8) -> i32 {
        if self.board.kind(kind).design.royal { KING } else { self.scale.value(kind).max(1) }
    }

    /// Ranks a capture or promotion by its gain, less a little for the value of the capturing piece. The rank is negative if a
    /// more valuable piece captures a cheaper one that is guarded.
    fn ranked(&self, moment: &ChessNode, mv: Move) -> OrderedMove<Move> {
        let gain = if self.aim == Aim::Lose { 0 } else { self.gain(moment, mv) };
        if gain <= 0 {
            return OrderedMove { mv, gain: 0, rank: 0 };
        }
        let position = &moment.position;
        let own = position.piece(mv.from).map_or(0, |piece| self.scale.value(piece.kind));
        let guarded = || self.board.attacked(position, !position.turn, mv.to);
        let rank = if own > gain + 60 && guarded() { gain - own } else { gain * 8 - own / 8 };
        OrderedMove { mv, gain, rank }
    }

    /// Gain of capturing on a square, less the capturing piece if it can be recaptured; at least a tenth of the gain.
    pub(super) fn taking(&self, moment: &ChessNode, mv: Move, square: Square) -> i32 {
        let (position, gain) = (&moment.position, self.gain(moment, mv));
        let own = position.piece(mv.from).map_or(0, |piece| self.scale.value(piece.kind));
        let guarded = gain < KING && own > 0 && self.board.attacked(position, !position.turn, square);
        if guarded { (gain - own).max(gain / 10) } else { gain }
    }

    /// Static evaluation for the side to move.
    fn standing(&self, moment: &ChessNode) -> i32 {
        let mut lead = match self.aim {
            Aim::Lose => self.burden(moment, Color::Black) - self.burden(moment, Color::White),
            Aim::Mate | Aim::Capture(_) | Aim::Checks { .. } | Aim::Hill(_) | Aim::Race(_) | Aim::Bare | Aim::Horde => {
                match &self.army {
                    Some(army) => army.lead(self.board, &moment.position),
                    None => self.scale.lead(self.board, &moment.position),
                }
            }
        };
        if self.board.holdings {
            lead += self.held(moment, Color::White) - self.held(moment, Color::Black);
        }
        match self.aim {
            Aim::Checks { .. } => {
                let worth = |given: u8| [0, 120, 400, 2_000][usize::from(given.min(3))];
                lead += worth(moment.checks[0]) - worth(moment.checks[1]);
            }
            Aim::Hill(hill) => {
                lead += HILL * (self.far(moment, Color::Black, hill) - self.far(moment, Color::White, hill));
            }
            Aim::Race(goal) => {
                lead += RACE * (self.far(moment, Color::Black, goal) - self.far(moment, Color::White, goal));
            }
            Aim::Mate | Aim::Capture(_) | Aim::Bare | Aim::Horde | Aim::Lose => {}
        }
        // The army evaluation already includes the tempo.
        let tempo = if self.army.is_some() { 0 } else { 10 };
        tempo + if moment.position.turn == Color::White { lead } else { -lead }
    }

    /// Value of the pieces that a side can drop.
    fn held(&self, moment: &ChessNode, color: Color) -> i32 {
        moment.position.holdings(color).map(|(kind, count)| self.scale.value(kind) * i32::from(count)).sum()
    }

    /// Cost of all pieces that a side must still lose.
    fn burden(&self, moment: &ChessNode, color: Color) -> i32 {
        BURDEN * moment.position.of(color).len() as i32
    }

    /// Distance in king steps to the nearest of some squares.
    fn far(&self, moment: &ChessNode, color: Color, goal: Squares) -> i32 {
        let royal = self.board.royals(&moment.position, color).only();
        let far = |from: Square| {
            let far = |to: Square| to.file().abs_diff(from.file()).max(to.rank().abs_diff(from.rank()));
            goal.map(far).min().unwrap_or(0)
        };
        royal.map_or(0, |royal| i32::from(far(royal)))
    }
}
