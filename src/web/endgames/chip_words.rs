//! A verdict about whole chips in words.

use crate::{
    board::Color,
    richman::{Auction, Bids, MOST_CHIPS, Verdict},
    web::values::amount::signed,
};

/// A verdict in words.
pub(super) fn verdict_in_words(verdict: &Verdict, auction: &Auction) -> String {
    let (Some(winner), Some(within)) = (verdict.winner, verdict.within) else {
        if !verdict.exact {
            return format!(
                "With more than {MOST_CHIPS} chips the shares of the money decide, and these stacks are too near the edge for a proof."
            );
        }
        if auction.sealed.is_some() {
            return "Neither side can be sure to win with these chips: it hangs on bids that nobody can foresee."
                .to_owned();
        }
        return "It is a draw: neither side can force a win with these chips.".to_owned();
    };
    let moves = if within == 1 { "the next move".to_owned() } else { format!("{within} moves of both sides") };
    let bid = match verdict.bid {
        None => String::new(),
        Some(Bids { from, to }) if from == to => format!(" The bid is {}.", signed(from)),
        Some(Bids { from, to }) => format!(" Any bid from {} to {} keeps the shortest win.", signed(from), signed(to)),
    };
    let theirs = auction.chips[(!Color::from(winner)).index()];
    let least = if auction.negative { -theirs } else { 0 };
    let answer = match (verdict.answer, verdict.accepts) {
        (Some("accept"), _) => " The answer is to take the money.".to_owned(),
        (Some(_), _) => " The answer is to pay the same and move.".to_owned(),
        (None, Some(from)) if from > theirs => " The answer to every bid is to pay the same and move.".to_owned(),
        (None, Some(from)) if from <= least => " The answer to every bid is to take the money.".to_owned(),
        (None, Some(from)) => {
            format!(
                " From a bid of {} on the answer is to take the money, before that to pay the same and move.",
                signed(from)
            )
        }
        (None, None) => String::new(),
    };
    format!("{} wins within {moves}, whatever the other side does.{bid}{answer}", winner.words())
}
