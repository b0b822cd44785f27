//! The panel beside a moment at which four pieces are left: what the tables have proved in bounds.

use super::{Now, bid_of, estimate, filled, heading, moves_of, needs, thousandths};
use crate::{
    board::Color,
    richman::{FourAdvice, FourHint, Interval, Stacks},
    rules::Side,
    web::endgame_cache::format::{between, percent},
};

/// The places of a share in words.
const PLACES: usize = 6;

impl Now {
    /// The account of a moment that is known in bounds.
    pub(super) fn bounded(advice: &FourAdvice) -> Now {
        let silent = Color::BOTH.into_iter().all(|color| advice.hint(color).moves.is_empty());
        let said = Now {
            verdict: String::new(),
            why: String::new(),
            value: None,
            bar: 0,
            mark: None,
            shares: Default::default(),
            rows: rows(advice),
            link: if silent { String::new() } else { format!("/endgames?fen={}", advice.fen.replace(' ', "_")) },
        };
        match advice.chips {
            Some(chips) => said.by_chips(advice, chips),
            None => said.by_coin(advice),
        }
    }

    fn by_chips(self, advice: &FourAdvice, chips: Stacks) -> Now {
        let total = (chips.white + chips.black).max(1);
        let share = |amount: f64| amount / total as f64;
        let held = share(chips.white as f64);
        let need = advice.lead.as_ref().map(|lead| share(chips.white as f64 - lead.approx));
        let verdict = match (advice.ahead, &advice.lead, advice.sharp) {
            (Some(side), ..) if advice.mover == Some(side) && takes_the_king(advice, side) => {
                format!("{} takes the king", side.words())
            }
            (Some(side), Some(lead), _) => estimate(side, lead, total),
            (_, None, Some(true)) if advice.asked == "coin" => {
                "By the shares, which are an estimate, the coin decides".to_owned()
            }
            (_, None, Some(false) | None) if advice.asked == "coin" => {
                "By the shares, which are an estimate, nothing is decided".to_owned()
            }
            (None, Some(_), _) | (_, None, Some(true)) => {
                "By the shares, which are an estimate, the stacks are on the edge".to_owned()
            }
            (_, None, Some(false) | None) => {
                "By the shares, which are an estimate, neither side can force the win".to_owned()
            }
        };
        let why = match advice.sharp {
            Some(true) => format!(
                "White wins while Black holds less than this share of all chips: {}",
                between(&outer(advice), PLACES)
            ),
            Some(false) | None => format!(
                "White can force the win while Black holds less of all chips than {}, and Black can while he holds more than {}",
                between(&advice.alpha, PLACES),
                between(&advice.beta, PLACES)
            ),
        };
        // Where the thresholds are apart, what one side needs says nothing of what the other does.
        let needed = match (advice.sharp, advice.ahead) {
            (Some(true), _) => [need, need.map(|need| 1.0 - need)],
            (_, Some(Side::White)) => [need, None],
            (_, Some(Side::Black)) => [None, need.map(|need| 1.0 - need)],
            (_, None) => [None; 2],
        };
        let (bar, mark, shares) = (thousandths(held), need.map(thousandths), needs(held, needed));
        Now { verdict, why, bar, mark, shares, ..self }
    }

    fn by_coin(self, advice: &FourAdvice) -> Now {
        let chance = advice.chance.clone().unwrap_or_else(|| outer(advice));
        let [low, high] = [&chance.lo, &chance.hi].map(|bound| bound.parse::<f64>().unwrap_or_default());
        let (white, black) = (percent(low), percent(1.0 - high));
        let before = between(&outer(advice), PLACES);
        let verdict = match advice.sharp {
            Some(true) => format!("White wins {white} of such games"),
            Some(false) | None => {
                format!("White can win {white} of such games and Black {black}; the others nobody can end")
            }
        };
        let why = match advice.mover {
            Some(mover) => format!("The coin has named {}; before the toss it was {before}", mover.words()),
            None => format!("With best moves and a fair coin: {before}"),
        };
        Now {
            verdict,
            why,
            bar: thousandths(low),
            shares: [format!("White {white}"), format!("Black {black}")],
            ..self
        }
    }
}

/// Tells whether the move that a side should make takes the king.
fn takes_the_king(advice: &FourAdvice, side: Side) -> bool {
    let color = if side == Side::White { Color::White } else { Color::Black };
    advice.hint(color).moves.first().is_some_and(|mv| mv.san.ends_with('#'))
}

/// From what White can force to what Black cannot overcome.
fn outer(advice: &FourAdvice) -> Interval {
    Interval { lo: advice.alpha.lo.clone(), hi: advice.beta.hi.clone() }
}

/// Says what either side should do, line by line.
fn rows(advice: &FourAdvice) -> Vec<(&'static str, [String; 2])> {
    let both = |tell: &dyn Fn(Color, &FourHint) -> String| Color::BOTH.map(|color| tell(color, advice.hint(color)));
    let bid = both(&|_, hint| bid_of(hint.bid, hint.action.as_deref(), advice.asked));
    let moves = both(&|color, hint| {
        let sans = hint.moves.iter().map(|mv| mv.san.as_str()).collect();
        moves_of(color, sans, advice.mover, advice.chance.is_some())
    });
    filled([(heading(advice.asked), bid), ("Best moves", moves)])
}
