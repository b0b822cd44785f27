//! Advice for positions with four pieces, where the tables have proved bounds.

use super::{Now, bid_of, estimate, filled, heading, moves_of, needs, thousandths};
use crate::{
    board::Color,
    richman::{FourAdvice, FourHint, Interval, Stacks},
    rules::{Side, endgame::StepKind},
    web::endgame_cache::format::{between, percent},
};

/// Decimal places of a share.
const PLACES: usize = 6;

impl Now {
    /// Advice for a position with proved bounds.
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
        let sharp = practically_sharp(advice);
        let verdict = match (advice.ahead, &advice.lead, sharp) {
            (Some(side), ..) if advice.mover == Some(side) && takes_the_king(advice, side) => {
                format!("{} takes the king", side.words())
            }
            (Some(side), Some(lead), _) => estimate(side, lead, total),
            (_, None, Some(true)) if advice.asked == StepKind::Coin => "Estimate: the coin decides".to_owned(),
            (_, None, Some(false) | None) if advice.asked == StepKind::Coin => {
                "Estimate: neither side is winning".to_owned()
            }
            (None, Some(_), _) | (_, None, Some(true)) => "Estimate: the chips are exactly at the threshold".to_owned(),
            (_, None, Some(false) | None) => "Estimate: neither side can force a win".to_owned(),
        };
        let why = match sharp {
            Some(true) => format!(
                "White wins if Black’s share of all chips is below a threshold of {}",
                between(&outer(advice), PLACES)
            ),
            Some(false) | None => format!(
                "White can force a win if Black’s share of all chips is below α, and Black if it is above β. α is {}, β is {}",
                between(&advice.alpha, PLACES),
                between(&advice.beta, PLACES)
            ),
        };
        // Between different thresholds, one side's need says nothing about the opponent's.
        let needed = match (sharp, advice.ahead) {
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
        let verdict = match practically_sharp(advice) {
            Some(true) => format!("White’s winning chance is {white}"),
            Some(false) | None => {
                format!("White can force a win with chance {white}, and Black with {black}")
            }
        };
        let why = match advice.mover {
            Some(mover) => format!("{} won the toss. Before the toss, White’s chance was {before}", mover.words()),
            None => format!("White’s chance with best moves and a fair coin is {before}"),
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

/// Whether α and β are one number: by proof, or at the precision of the panel. False if α < β is proved and the gap is wider.
fn practically_sharp(advice: &FourAdvice) -> Option<bool> {
    if advice.narrow { Some(true) } else { advice.sharp }
}

/// Whether the side's best move takes the king.
fn takes_the_king(advice: &FourAdvice, side: Side) -> bool {
    let color = if side == Side::White { Color::White } else { Color::Black };
    advice.hint(color).moves.first().is_some_and(|mv| mv.san.ends_with('#'))
}

/// From the lower bound of White's forced wins to the upper bound of Black's.
fn outer(advice: &FourAdvice) -> Interval {
    Interval { lo: advice.alpha.lo.clone(), hi: advice.beta.hi.clone() }
}

/// Rows of advice for both sides.
fn rows(advice: &FourAdvice) -> Vec<(&'static str, [String; 2])> {
    let both = |tell: &dyn Fn(Color, &FourHint) -> String| Color::BOTH.map(|color| tell(color, advice.hint(color)));
    let bid = both(&|_, hint| bid_of(hint.bid, hint.action.as_deref(), advice.asked));
    let moves = both(&|color, hint| {
        let sans = hint.moves.iter().map(|mv| mv.san.as_str()).collect();
        moves_of(color, sans, advice.mover, advice.chance.is_some())
    });
    filled([(heading(advice.asked), bid), ("Best moves", moves)])
}
