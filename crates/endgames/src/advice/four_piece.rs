//! Advice from the tables of four pieces, which hold bounds. Each side uses its own threshold: White α, Black β.
//!
//! Let y be the lower bounds of α, so that y ≤ (A + B) / 2. A is the largest y after a move of White and B the smallest after a move of Black.
//! While Black's share of the chips is below y, White bids (A − B) / 2. If White moves, Black's share is then below y + (A − B) / 2 ≤ A. If Black
//! moves, it is below y − (A − B) / 2 ≤ B. So Black's share never reaches y, if chips can be divided without limit, and Black never captures the
//! king. Black does the same with the upper bounds of β.
//!
//! These bids alone may wait for ever. Among equally good moves, the recommended move therefore starts a shortest path of such moves to an
//! irreversible one, a capture or a pawn move (the labels of U. Larsson and J. Wästlund, “Endgames in bidding chess”, §8). A player with more than
//! the required share also bids a part of the surplus: r_n = (2/5)ⁿ of it, n moves before the end of the path. Suppose the opponent gets the move
//! after all, n − k moves later. Then the surplus has been multiplied by (1 − r_n) … (1 − r_{k+1}) (1 + r_k) ≥ (1 − 2r_k/3) (1 + r_k) = 1 + r_k/3 −
//! 2r_k²/3 > 1, because r_k ≤ 2/5. It grows until it buys the whole path. Without such a path, the opponent has to move, and waiting is as good.

use std::{collections::HashSet, sync::Arc};

use serde::Serialize;

use super::Stacks;
use crate::{
    bidding_mechanism::ONE,
    board::{Board, Color, Move, Position, Size},
    bounded_answer::{EnclosedMove, Interval, MORE_DECIMALS, best_bounds, enclosure_to},
    endgame::{Endgame, NextStep, Side, StepKind},
    four_piece::{FourFiles, NARROW, NormalizedPosition, WrongFile, is_narrow, thresholds_of},
    fractions::Fraction,
    move_graph::rules,
    position_query::material,
    table::Table,
    winner_changes::{is_richman, lead_of_four},
};

/// Advice from the tables of four pieces for the current position of a game. All numbers are proved bounds.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FourAdvice {
    /// The placement, followed by the en passant square if there is one.
    pub fen: String,
    /// The material, such as `KRBvK`.
    pub material: String,
    /// Bounds of α. White can force the win if Black's share of all the chips is below α. Where a coin decides each mover, α is White's chance to
    /// win.
    pub alpha: Interval,
    /// Bounds of β. Black can force the win if its share of all the chips is above β. Where a coin decides each mover, 1 − β is Black's chance to
    /// win.
    pub beta: Interval,
    /// True if α = β, false if α < β, null if the question is open, however narrow the bounds are.
    pub sharp: Option<bool>,
    /// Whether α and β differ by less than 10⁻¹⁵. This does not prove that they are equal.
    #[serde(skip)]
    pub narrow: bool,
    /// Bounds of the fair bid for the next move, as a share of all the chips. Negative if neither side wants to move.
    pub bid: Interval,
    /// Kind of the game's next step.
    pub asked: StepKind,
    /// The side to move, once that is decided.
    pub mover: Option<Side>,
    /// Only without chips, for the mover that the coin has chosen: the lower end is White's chance to win, the upper end 1 minus Black's chance to
    /// win.
    pub chance: Option<Interval>,
    /// The chips of both sides; null without chips.
    pub chips: Option<Stacks>,
    /// The side that wins with best play and these stacks, if chips could be divided without limit. Null without chips, if the
    /// stacks lie between the bounds, or if a coin will decide.
    pub ahead: Option<Side>,
    /// Chips that White holds beyond the number needed to force the win. If Black is ahead, minus the chips that Black holds beyond its need.
    pub lead: Option<Fraction>,
    /// Advice for White.
    pub white: FourHint,
    /// Advice for Black.
    pub black: FourHint,
}

/// Advice for one side.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "openapi", schema(as = BoundedAdviceForSide))]
pub struct FourHint {
    /// The bid for the next move, in chips. When answering an open bid: the smallest bid to accept.
    pub bid: Option<i64>,
    /// The recommended action, as text; null if the side has nothing to do.
    pub action: Option<String>,
    /// The best moves of this side, the recommended one first.
    pub moves: Vec<EnclosedMove>,
}

impl FourAdvice {
    /// The part that a viewer may see. `whole` shows everything. Otherwise only the chances are visible, where a coin decides; see
    /// [`Advice::visible_part`](super::Advice::visible_part).
    pub fn visible_part(self: &Arc<FourAdvice>, whole: bool) -> Option<Arc<FourAdvice>> {
        match (whole, &self.chance) {
            (true, _) => Some(self.clone()),
            (false, Some(_)) => {
                let (white, black) = (FourHint::default(), FourHint::default());
                Some(Arc::new(FourAdvice { white, black, ..FourAdvice::clone(self) }))
            }
            (false, None) => None,
        }
    }

    /// A side's hint.
    pub fn hint(&self, color: Color) -> &FourHint {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

/// The position as a table of four pieces stores it, if the rules of the game allow such a table.
fn framed(moment: &Endgame) -> Option<NormalizedPosition> {
    let terms = moment.chips.is_none() || is_richman(moment);
    NormalizedPosition::of(&moment.position).filter(|_| terms && moment.position.rights.is_empty())
}

/// Returns whether tables of four pieces can cover the position of a game, on this server or another.
pub fn is_of_four(moment: &Endgame) -> bool {
    framed(moment).is_some()
}

/// Advice from the tables of four pieces. `None` if they do not cover the position, or if a file is missing. Also `None` if bids must not be
/// negative or are paid to a bank: then the tables do not apply. `table` is the three-piece table of the 8x8 board.
///
/// # Errors
/// If a file cannot be used.
pub fn advise_of_four(table: &Table, files: &FourFiles, moment: &Endgame) -> Result<Option<FourAdvice>, WrongFile> {
    let position = &moment.position;
    let Some(framed) = framed(moment) else { return Ok(None) };
    let Some([alpha, beta]) = thresholds_of(table, files, position)? else { return Ok(None) };
    let ground = TableAccess { table, files, board: rules(Size::ORTHODOX) };
    let (white, black) = (ground.candidates(position, Color::White)?, ground.candidates(position, Color::Black)?);
    let (Some(white), Some(black)) = (white, black) else { return Ok(None) };
    let (sides, here) = ([white, black], [alpha[0], beta[1]]);
    let bests = Color::BOTH.map(|mover| {
        let bounds = sides[mover.index()].iter().map(|candidate: &Candidate| candidate.bounds);
        best_bounds(mover, bounds, here)
    });
    let wanted = [bests[0][0] - bests[1][1], bests[0][1] - bests[1][0]];
    let mover = moment.next_step.mover();
    let chance = mover.map_or(here, |mover| bests[mover.index()]);
    let lead = lead_of_four(table, files, moment);
    let hint = |player: Color| -> Result<FourHint, WrongFile> {
        let course = ground.recommended_moves(position, player, &sides[player.index()])?;
        Ok(Adviser { moment, player, here, bests: &bests }.hint(course))
    };
    Ok(Some(FourAdvice {
        fen: match framed.quad.stepped.and(position.en_passant.last()) {
            Some(over) => format!("{} w - {over}", ground.board.placement_fen(position)),
            None => ground.board.placement_fen(position),
        },
        material: material(ground.board, position),
        alpha: enclosure_to(alpha, MORE_DECIMALS),
        beta: enclosure_to(beta, MORE_DECIMALS),
        sharp: files.sharp(position)?,
        narrow: is_narrow([alpha, beta]),
        // Half of an odd number is not a multiple of 2^−63: round outward.
        bid: enclosure_to([wanted[0].div_euclid(2), -(-wanted[1]).div_euclid(2)], MORE_DECIMALS),
        asked: moment.next_step.kind(),
        mover: mover.map(Side::from),
        chance: moment.chips.is_none().then(|| enclosure_to(chance, MORE_DECIMALS)),
        chips: moment.chips.map(|[white, black]| Stacks { white, black }),
        ahead: lead.as_ref().and_then(|lead| lead.ahead()).map(Side::from),
        lead: lead.as_ref().map(|lead| Fraction::from(&lead.chips)),
        white: hint(Color::White)?,
        black: hint(Color::Black)?,
    }))
}

/// First move of a shortest path of White's best moves, and of Black's, to a capture or a pawn move; `None` where none is found.
///
/// # Errors
/// If a file cannot be used.
pub(crate) fn first_moves(
    table: &Table,
    files: &FourFiles,
    position: &Position,
) -> Result<[Option<Move>; 2], WrongFile> {
    let access = TableAccess { table, files, board: rules(Size::ORTHODOX) };
    let mut first = [None, None];
    for player in Color::BOTH {
        let candidates = access.candidates(position, player)?.unwrap_or_default();
        let path = access.ahead(player, &best_moves(player, &candidates))?;
        first[player.index()] = path.map(|(first, _)| first);
    }
    Ok(first)
}

/// 1 in the fixed-point numbers of the bounds.
const WHOLE: i128 = ONE as i128;

/// Longest path for which a part of the surplus is bid, in moves.
const MAX_PATH: u32 = 20;

/// Adviser of one side.
struct Adviser<'a> {
    moment: &'a Endgame,
    player: Color,
    /// Bounds of the position.
    here: [i128; 2],
    /// Bounds after the best moves of White and of Black.
    bests: &'a [[i128; 2]; 2],
}

impl Adviser<'_> {
    /// The hint, given the recommended moves.
    fn hint(&self, RecommendedMoves { moves, length }: RecommendedMoves) -> FourHint {
        let named = || moves.first().map_or_else(|| "pass".to_owned(), |mv| mv.uci.clone());
        let price = self.moment.chips.map(|chips| self.fair(chips) + self.more(chips, length));
        let bid = self.moment.chips.zip(price).map(|(chips, price)| {
            let stack = chips[self.player.index()];
            price.clamp(-stack, stack)
        });
        let (bid, action) = match self.moment.next_step {
            NextStep::Sealed => (bid, bid.map(|bid| format!("bid {bid}"))),
            NextStep::Offer(bidder) if bidder == self.player => (bid, bid.map(|bid| format!("bid {bid}"))),
            NextStep::Offer(_) => (self.accepts(price), None),
            NextStep::Answer { bidder, bid } if bidder != self.player => (None, self.answer(bid, price)),
            NextStep::Tie { holder, bid } if holder == self.player => {
                let takes = self.takes(bid, price);
                (None, takes.map(|takes| if takes { "take" } else { "give" }.to_owned()))
            }
            NextStep::Move(mover) if mover == self.player => (None, Some(named())),
            NextStep::Toss | NextStep::Answer { .. } | NextStep::Tie { .. } | NextStep::Coin(_) | NextStep::Move(_) => {
                (None, None)
            }
        };
        FourHint { bid, action, moves }
    }

    /// The fair bid in whole chips: half the difference between the best moves.
    fn fair(&self, chips: [i64; 2]) -> i64 {
        let end = self.player.index();
        let wanted = (self.bests[0][end] - self.bests[1][end]) * i128::from(chips[0] + chips[1]);
        i64::try_from((wanted + WHOLE).div_euclid(2 * WHOLE)).unwrap_or_default()
    }

    /// Part of the surplus that is added to the bid, given the length of the path to an irreversible move. At least one chip if the surplus has one
    /// chip for each move of the path.
    fn more(&self, [white, black]: [i64; 2], length: Option<u32>) -> i64 {
        let total = i128::from(white + black);
        let surplus = match self.player {
            Color::White => sure(self.player, self.here) * total - i128::from(black) * WHOLE,
            Color::Black => (WHOLE + sure(self.player, self.here)) * total - i128::from(white) * WHOLE,
        };
        let Some(length) = length.filter(|length| *length <= MAX_PATH && surplus > 0) else { return 0 };
        let part = (surplus << length) / 5_i128.pow(length) / WHOLE;
        let least = i128::from(surplus >= i128::from(length) * WHOLE);
        i64::try_from(part.max(least)).unwrap_or_default()
    }

    /// Returns whether this side should take the move at `bid`, if it would pay at most `price`. A side that can capture the king always takes it.
    fn takes(&self, bid: i64, price: Option<i64>) -> Option<bool> {
        let [own, other] = [self.player, !self.player].map(|mover| sure(self.player, self.bests[mover.index()]));
        let [won, lost] = match self.player {
            Color::White => [WHOLE, 0],
            Color::Black => [0, -WHOLE],
        };
        Some(own == won || other == lost || bid <= price?)
    }

    /// The smallest bid that this side accepts, if there is one that it could also reject.
    fn accepts(&self, price: Option<i64>) -> Option<i64> {
        let stack = self.moment.chips?[self.player.index()];
        let always = self.takes(i64::MAX, price)?;
        Some(if always { stack } else { price?.clamp(-stack - 1, stack) } + 1)
    }

    /// The answer to an open bid, among the affordable ones.
    fn answer(&self, bid: i64, price: Option<i64>) -> Option<String> {
        let stack = self.moment.chips?[self.player.index()];
        let moves = match (bid >= -stack, bid <= stack) {
            (true, true) | (false, false) => self.takes(bid, price)?,
            (accepts, _) => !accepts,
        };
        Some(if moves { "reject" } else { "accept" }.to_owned())
    }
}

/// Maximum number of positions searched for a path to an irreversible move.
const MAX_SEARCHED: usize = 200;

/// A move of one side.
#[derive(Clone, Copy)]
struct Candidate {
    mv: Move,
    after: Position,
    /// Lower bound of α and upper bound of β after the move, in multiples of 2⁻⁶³.
    bounds: [i128; 2],
    /// Set if the move is irreversible: a capture or a pawn move.
    irreversible: bool,
}

/// Recommended moves of a side.
struct RecommendedMoves {
    /// The best moves, the recommended one first.
    moves: Vec<EnclosedMove>,
    /// Length of their shortest path to an irreversible move, if one was found.
    length: Option<u32>,
}

/// The tables and the board.
struct TableAccess<'t> {
    table: &'t Table,
    files: &'t FourFiles,
    board: &'static Board,
}

/// A side's guaranteed result within bounds: White's by α, Black's by β. For both sides, larger is better.
fn sure(player: Color, [alpha, beta]: [i128; 2]) -> i128 {
    match player {
        Color::White => alpha,
        Color::Black => -beta,
    }
}

/// Moves with the best guaranteed result, up to the width of narrow bounds.
fn best_moves(player: Color, candidates: &[Candidate]) -> Vec<Candidate> {
    let most = candidates.iter().map(|candidate| sure(player, candidate.bounds)).max();
    let equal =
        |candidate: &&Candidate| most.is_some_and(|most| sure(player, candidate.bounds) + i128::from(NARROW) >= most);
    candidates.iter().filter(equal).copied().collect()
}

/// A position with a given side to move.
fn facing(position: &Position, mover: Color) -> Position {
    let mut from = *position;
    from.turn = mover;
    from
}

impl TableAccess<'_> {
    /// All moves of a side. `None` if the bounds after one of them are unknown.
    ///
    /// # Errors
    /// If a file cannot be used.
    fn candidates(&self, position: &Position, mover: Color) -> Result<Option<Vec<Candidate>>, WrongFile> {
        let from = facing(position, mover);
        let mut candidates = Vec::new();
        for mv in self.board.moves(&from) {
            let after = self.board.after(&from, mv);
            let Some([alpha, beta]) = thresholds_of(self.table, self.files, &after)? else { return Ok(None) };
            let pawn = from.piece(mv.from).is_some_and(|piece| self.board.is_pawn(piece.kind));
            let lasting = pawn || after.occupied().len() < from.occupied().len();
            candidates.push(Candidate { mv, after, bounds: [alpha[0], beta[1]], irreversible: lasting });
        }
        Ok(Some(candidates))
    }

    /// The best moves of a side, the recommended one first and the others by UCI text.
    ///
    /// # Errors
    /// If a file cannot be used.
    fn recommended_moves(
        &self,
        position: &Position,
        player: Color,
        candidates: &[Candidate],
    ) -> Result<RecommendedMoves, WrongFile> {
        let kept = best_moves(player, candidates);
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
        Ok(RecommendedMoves { moves, length: ahead.map(|(_, length)| length) })
    }

    /// First move and length of a shortest path of best moves to an irreversible one, if the opponent never gets the move. `None` if no path is
    /// found.
    fn ahead(&self, player: Color, kept: &[Candidate]) -> Result<Option<(Move, u32)>, WrongFile> {
        if let Some(candidate) = kept.iter().find(|candidate| candidate.irreversible) {
            return Ok(Some((candidate.mv, 1)));
        }
        // No move of this layer is irreversible.
        let mut layer: Vec<(Move, Candidate)> = kept.iter().map(|candidate| (candidate.mv, *candidate)).collect();
        let mut known = HashSet::new();
        for length in 2.. {
            let mut next = Vec::new();
            for (first, candidate) in layer {
                let Some((place, _)) = self.files.canonical(&candidate.after)? else { continue };
                if known.len() == MAX_SEARCHED || !known.insert(place) {
                    continue;
                }
                let candidates = self.candidates(&candidate.after, player)?.unwrap_or_default();
                let kept = self::best_moves(player, &candidates);
                if kept.iter().any(|candidate| candidate.irreversible) {
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
