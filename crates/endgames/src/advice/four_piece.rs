//! Advice from the tables of four pieces, which know bounds: each side goes by the threshold that is its own, White by α and Black by β.
//!
//! Let y be the lower bounds of α, so that y ≤ (A + B) / 2 with A the greatest y after a move of White and B the least after one of Black. While Black
//! holds less of the chips than y, White bids (A − B) / 2: if he moves, Black then holds less than y + (A − B) / 2 ≤ A, and if Black moves, less than
//! y − (A − B) / 2 ≤ B. So Black never holds as much as y, if chips can be divided without end, and never takes the king. Black does the same with the
//! upper bounds of β.
//!
//! That alone may wait for ever. Of moves that keep as much the first one goes the shortest way of such moves to one that cannot be taken back, a capture
//! or a pawn's move (the labels of U. Larsson and J. Wästlund, “Endgames in bidding chess”, §8), and whoever holds more than he needs bids a part of
//! the surplus on top: r_n = (2/5)ⁿ of it, n moves before the end of the way. If the other side gets the move after all, n − k moves later, the surplus has
//! been multiplied by (1 − r_n) … (1 − r_{k+1}) (1 + r_k) ≥ (1 − 2r_k/3) (1 + r_k) = 1 + r_k/3 − 2r_k²/3 > 1, because r_k ≤ 2/5: it grows until it
//! buys the whole way. Where there is no such way it is the other side that has to move, and waiting is as good.

use std::{collections::HashSet, sync::Arc};

use serde::Serialize;

use super::Stacks;
use crate::{
    bidding_mechanism::ONE,
    board::{Board, Color, Move, Position, Size},
    bounded_answer::{EnclosedMove, Interval, MORE_DECIMALS, enclosure_to},
    endgame::{Endgame, NextStep, Side},
    four_piece::{FourFiles, NARROW, NormalizedPosition, WrongFile, sharp, thresholds_of},
    fractions::Fraction,
    move_graph::rules,
    position_query::material,
    table::Table,
    winner_changes::{exact, lead_of_four},
};

/// The word of the tables of four pieces about a moment of a game. All numbers are proved bounds.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FourAdvice {
    /// The placement, and behind it the square on which a pawn may be captured in passing, if there is one.
    pub fen: String,
    /// The pieces of both sides, as `KRBvK`.
    pub material: String,
    /// The share of all the chips below which Black must be if White is to force the win; where a coin decides each mover, White's chance to win.
    pub alpha: Interval,
    /// The share of all the chips above which Black can force the win; 1 less this is his chance to win where a coin decides.
    pub beta: Interval,
    /// True where both are as good as one, false where α < β is proved, null where neither is known.
    pub sharp: Option<bool>,
    /// The worth of the next move, as a share of all the chips; negative where neither side wants it.
    pub bid: Interval,
    /// The word for what is asked, as in `panel`.
    pub asked: &'static str,
    /// The side that has the move, `white` or `black`, once that is decided.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub mover: Option<Side>,
    /// Only where there are no chips: between White's chance to win and that of no win of Black, with the mover that the coin has named.
    pub chance: Option<Interval>,
    /// The chips of both sides; null where there are none.
    pub chips: Option<Stacks>,
    /// The side that wins with best play and these stacks, `white` or `black`, if chips could be divided without end; null where there are no chips,
    /// where the stacks are between the bounds, and where a coin will decide.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub ahead: Option<Side>,
    /// The number of chips by which White is ahead, beyond what he needs to force the win; negative where Black is, by what he holds beyond his need.
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
    /// The bid for the next move, in chips. Whoever answers an open bid takes the money from this many chips on.
    pub bid: Option<i64>,
    /// The words to say now, as the text of an action; null if the side is not asked.
    pub action: Option<String>,
    /// The moves to make if this side gets the move: all that keep the most of what it is sure of, the recommended one first.
    pub moves: Vec<EnclosedMove>,
}

impl FourAdvice {
    /// What of it is told to whoever may see the whole, or else to everybody, as [`Advice::told`](super::Advice::told) says.
    pub fn told(self: &Arc<FourAdvice>, whole: bool) -> Option<Arc<FourAdvice>> {
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

/// The position of a moment as a table of four pieces sees it, if one could speak of this game.
fn framed(moment: &Endgame) -> Option<NormalizedPosition> {
    let terms = moment.chips.is_none() || exact(moment);
    NormalizedPosition::of(&moment.position).filter(|_| terms && moment.position.rights.is_empty())
}

/// Tells whether tables of four pieces could speak of a moment, on some server.
pub fn is_of_four(moment: &Endgame) -> bool {
    framed(moment).is_some()
}

/// Gives the advice of the tables of four pieces for a moment; nothing if they do not cover it, if one of their files is missing, or if bids may not be
/// below zero or are paid to a bank, because their values are those of another game then. The table is that of three pieces on the ordinary board.
///
/// # Errors
/// If a file cannot be used.
pub fn advise_of_four(table: &Table, files: &FourFiles, moment: &Endgame) -> Result<Option<FourAdvice>, WrongFile> {
    let position = &moment.position;
    let Some(framed) = framed(moment) else { return Ok(None) };
    let Some([alpha, beta]) = thresholds_of(table, files, position)? else { return Ok(None) };
    let ground = Ground { table, files, board: rules(Size::ORTHODOX) };
    let (white, black) = (ground.candidates(position, Color::White)?, ground.candidates(position, Color::Black)?);
    let (Some(white), Some(black)) = (white, black) else { return Ok(None) };
    let (sides, here) = ([white, black], [alpha[0], beta[1]]);
    let bests = Color::BOTH.map(|mover| best(mover, &sides[mover.index()], here));
    let wanted = [bests[0][0] - bests[1][1], bests[0][1] - bests[1][0]];
    let mover = moment.asked.mover();
    let chance = mover.map_or(here, |mover| bests[mover.index()]);
    let lead = lead_of_four(table, files, moment);
    let hint = |player: Color| -> Result<FourHint, WrongFile> {
        let course = ground.course(position, player, &sides[player.index()])?;
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
        sharp: sharp([alpha, beta]),
        // Half of an odd number is a multiple of 2^−64: rounded outward.
        bid: enclosure_to([wanted[0].div_euclid(2), -(-wanted[1]).div_euclid(2)], MORE_DECIMALS),
        asked: moment.asked.word(),
        mover: mover.map(Side::from),
        chance: moment.chips.is_none().then(|| enclosure_to(chance, MORE_DECIMALS)),
        chips: moment.chips.map(|[white, black]| Stacks { white, black }),
        ahead: lead.as_ref().and_then(|lead| lead.ahead()).map(Side::from),
        lead: lead.as_ref().map(|lead| Fraction::from(&lead.chips)),
        white: hint(Color::White)?,
        black: hint(Color::Black)?,
    }))
}

/// 1 in the fixed-point numbers of the bounds.
const WHOLE: i128 = ONE as i128;

/// The longest way of which a part of the surplus is bid.
const FAR: u32 = 20;

/// One side's adviser.
struct Adviser<'a> {
    moment: &'a Endgame,
    player: Color,
    /// The bounds of the position.
    here: [i128; 2],
    /// The bounds of what the best moves of White and of Black lead to.
    bests: &'a [[i128; 2]; 2],
}

impl Adviser<'_> {
    /// The hint of a side that moves so.
    fn hint(&self, Course { moves, length }: Course) -> FourHint {
        let named = || moves.first().map_or_else(|| "pass".to_owned(), |mv| mv.uci.clone());
        let price = self.moment.chips.map(|chips| self.fair(chips) + self.more(chips, length));
        let bid = self.moment.chips.zip(price).map(|(chips, price)| {
            let stack = chips[self.player.index()];
            price.clamp(-stack, stack)
        });
        let (bid, action) = match self.moment.asked {
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

    /// Half the difference of what the best moves lead to, in whole chips.
    fn fair(&self, chips: [i64; 2]) -> i64 {
        let end = self.player.index();
        let wanted = (self.bests[0][end] - self.bests[1][end]) * i128::from(chips[0] + chips[1]);
        i64::try_from((wanted + WHOLE).div_euclid(2 * WHOLE)).unwrap_or_default()
    }

    /// The part of the surplus that is bid on top, so many moves before one that cannot be taken back: at least a chip, where there is one for each of
    /// these moves.
    fn more(&self, [white, black]: [i64; 2], length: Option<u32>) -> i64 {
        let total = i128::from(white + black);
        let surplus = match self.player {
            Color::White => sure(self.player, self.here) * total - i128::from(black) * WHOLE,
            Color::Black => (WHOLE + sure(self.player, self.here)) * total - i128::from(white) * WHOLE,
        };
        let Some(length) = length.filter(|length| *length <= FAR && surplus > 0) else { return 0 };
        let part = (surplus << length) / 5_i128.pow(length) / WHOLE;
        let least = i128::from(surplus >= i128::from(length) * WHOLE);
        i64::try_from(part.max(least)).unwrap_or_default()
    }

    /// Tells whether this side should have the move for a price, if it would pay another one at most. Who has the king before him takes it.
    fn takes(&self, bid: i64, price: Option<i64>) -> Option<bool> {
        let [own, other] = [self.player, !self.player].map(|mover| sure(self.player, self.bests[mover.index()]));
        let [won, lost] = match self.player {
            Color::White => [WHOLE, 0],
            Color::Black => [0, -WHOLE],
        };
        Some(own == won || other == lost || bid <= price?)
    }

    /// The bid from which on this side takes the money, if any that it could refuse is enough.
    fn accepts(&self, price: Option<i64>) -> Option<i64> {
        let stack = self.moment.chips?[self.player.index()];
        let always = self.takes(i64::MAX, price)?;
        Some(if always { stack } else { price?.clamp(-stack - 1, stack) } + 1)
    }

    /// The answer to an open bid, of those that can be paid.
    fn answer(&self, bid: i64, price: Option<i64>) -> Option<String> {
        let stack = self.moment.chips?[self.player.index()];
        let moves = match (bid >= -stack, bid <= stack) {
            (true, true) | (false, false) => self.takes(bid, price)?,
            (accepts, _) => !accepts,
        };
        Some(if moves { "reject" } else { "accept" }.to_owned())
    }
}

/// The number of positions that are looked at for a way to a move that cannot be taken back.
const LOOKED: usize = 200;

/// A move of one side.
#[derive(Clone, Copy)]
struct Candidate {
    mv: Move,
    after: Position,
    /// The lower bound of α after it and the upper one of β, in multiples of 2⁻⁶³.
    bounds: [i128; 2],
    /// Set if it cannot be taken back: a capture, or a pawn's move.
    lasting: bool,
}

/// What a side should move.
struct Course {
    /// The moves that keep the most, the recommended one first.
    moves: Vec<EnclosedMove>,
    /// The number of moves with which they lead to one that cannot be taken back, if that was found.
    length: Option<u32>,
}

/// The tables, and the board on which they are asked.
struct Ground<'t> {
    table: &'t Table,
    files: &'t FourFiles,
    board: &'static Board,
}

/// What a side is sure of within bounds: White goes by α, Black by β. More is better for either.
fn sure(player: Color, [alpha, beta]: [i128; 2]) -> i128 {
    match player {
        Color::White => alpha,
        Color::Black => -beta,
    }
}

/// The bounds of what the best move leads to; those of the position itself if there is none.
fn best(mover: Color, candidates: &[Candidate], here: [i128; 2]) -> [i128; 2] {
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
    fn candidates(&self, position: &Position, mover: Color) -> Result<Option<Vec<Candidate>>, WrongFile> {
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
    fn course(&self, position: &Position, player: Color, candidates: &[Candidate]) -> Result<Course, WrongFile> {
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
