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

mod adviser;
mod candidates;

use std::sync::Arc;

use serde::Serialize;

use super::{
    super::{
        enclosed::{EnclosedMove, Enclosure, MORE_DECIMALS, enclosure_to},
        four::{FourFiles, Framed, WrongFile, sharp, thresholds_of},
        graph::rules,
        question::material,
        swings::{exact, lead_of_four},
        table::Table,
        worth::Fraction,
    },
    Stacks,
};
use crate::{
    board::{Color, Size},
    endgame::Endgame,
    endgame::Side,
};

use adviser::Adviser;
use candidates::Ground;

/// The word of the tables of four pieces about a moment of a game. All numbers are proved bounds.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FourAdvice {
    /// The placement, and behind it the square on which a pawn may be captured in passing, if there is one.
    pub fen: String,
    /// The pieces of both sides, as `KRBvK`.
    pub material: String,
    /// The share of all the chips below which Black must be if White is to force the win; where a coin decides each mover, White's chance to win.
    pub alpha: Enclosure,
    /// The share of all the chips above which Black can force the win; 1 less this is his chance to win where a coin decides.
    pub beta: Enclosure,
    /// True where both are as good as one, false where α < β is proved, null where neither is known.
    pub sharp: Option<bool>,
    /// The worth of the next move, as a share of all the chips; negative where neither side wants it.
    pub bid: Enclosure,
    /// The word for what is asked, as in `panel`.
    pub asked: &'static str,
    /// The side that has the move, `white` or `black`, once that is decided.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<String>))]
    pub mover: Option<Side>,
    /// Only where there are no chips: between White's chance to win and that of no win of Black, with the mover that the coin has named.
    pub chance: Option<Enclosure>,
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
fn framed(moment: &Endgame) -> Option<Framed> {
    let terms = moment.chips.is_none() || exact(moment);
    Framed::of(&moment.position).filter(|_| terms && moment.position.rights.is_empty())
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
    let bests = Color::BOTH.map(|mover| candidates::best(mover, &sides[mover.index()], here));
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
