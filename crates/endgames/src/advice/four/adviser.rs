//! What a side bids, answers and moves by bounds.

use super::{
    super::super::mechanism::ONE,
    FourHint,
    candidates::{Course, sure},
};
use crate::{board::Color, endgame::Asked, endgame::Endgame};

/// 1 in the fixed-point numbers of the bounds.
const WHOLE: i128 = ONE as i128;

/// The longest way of which a part of the surplus is bid.
const FAR: u32 = 20;

/// One side's adviser.
pub(super) struct Adviser<'a> {
    pub(super) moment: &'a Endgame,
    pub(super) player: Color,
    /// The bounds of the position.
    pub(super) here: [i128; 2],
    /// The bounds of what the best moves of White and of Black lead to.
    pub(super) bests: &'a [[i128; 2]; 2],
}

impl Adviser<'_> {
    /// The hint of a side that moves so.
    pub(super) fn hint(&self, Course { moves, length }: Course) -> FourHint {
        let named = || moves.first().map_or_else(|| "pass".to_owned(), |mv| mv.uci.clone());
        let price = self.moment.chips.map(|chips| self.fair(chips) + self.more(chips, length));
        let bid = self.moment.chips.zip(price).map(|(chips, price)| {
            let stack = chips[self.player.index()];
            price.clamp(-stack, stack)
        });
        let (bid, action) = match self.moment.asked {
            Asked::Sealed => (bid, bid.map(|bid| format!("bid {bid}"))),
            Asked::Offer(bidder) if bidder == self.player => (bid, bid.map(|bid| format!("bid {bid}"))),
            Asked::Offer(_) => (self.accepts(price), None),
            Asked::Answer { bidder, bid } if bidder != self.player => (None, self.answer(bid, price)),
            Asked::Tie { holder, bid } if holder == self.player => {
                let takes = self.takes(bid, price);
                (None, takes.map(|takes| if takes { "take" } else { "give" }.to_owned()))
            }
            Asked::Move(mover) if mover == self.player => (None, Some(named())),
            Asked::Toss | Asked::Answer { .. } | Asked::Tie { .. } | Asked::Coin(_) | Asked::Move(_) => (None, None),
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
