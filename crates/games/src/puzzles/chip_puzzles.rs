//! Puzzles with whole chips in an open auction: the side that moved last bids, and the other takes the bid or pays it and moves.

use rand::{RngExt, rngs::StdRng};

use super::{
    AnswerChoice, AuctionState, Difficulty, PuzzleContent, Reason, Scene, TOTAL, chips,
    endgame_puzzles::{Trio, quiet},
    word,
};
use crate::{
    board::Color,
    richman::{Holding, OpenAuctionSolver, Question, Table},
};

/// Fewest moves to choose from.
const FEWEST: usize = 6;
/// Least value of the next move in chips, counted for both sides together.
const WORTH: i64 = 3;

/// A position, a side, and the chips with which the side wins.
struct Stand {
    question: Question,
    side: Color,
    holding: Holding,
}

impl Stand {
    /// A random position. `None` if a king can be captured at once, or if the move is worth too little.
    fn drawn(table: &Table, rng: &mut StdRng) -> Option<Stand> {
        // Pawns would take a second; the other pieces take milliseconds.
        let question = Trio::drawn(rng, &['N', 'B', 'R', 'Q'])?.question()?;
        let side = if rng.random() { Color::White } else { Color::Black };
        if !quiet(&question.answer(table)) {
            return None;
        }
        let holding = question.holding(table, side, TOTAL as u32)?;
        let reach = holding.reach;
        (reach.least >= 0 && reach.most - reach.least >= WORTH).then_some(Stand { question, side, holding })
    }

    /// Both stacks, if each side has at least one chip.
    fn staked(&self, theirs: i64, bid: Option<i64>) -> Option<AuctionState> {
        let own = TOTAL - theirs;
        let chips = if self.side == Color::White { [own, theirs] } else { [theirs, own] };
        (theirs >= 1 && own >= 1).then_some(AuctionState { chips, bid })
    }

    fn dealt(
        self,
        staked: AuctionState,
        offered: Vec<AnswerChoice>,
        solution: String,
        reasons: Vec<Reason>,
        difficulty: Difficulty,
    ) -> PuzzleContent {
        let scene = Scene::Endgames(vec![self.question], Some(staked));
        PuzzleContent { scene, side: self.side, offered, solution, reasons, difficulty }
    }
}

/// A puzzle about the lowest winning bid: the least of a verdict's `winning_bids`.
pub(super) fn least_bid(table: &Table, rng: &mut StdRng) -> Option<PuzzleContent> {
    let stand = Stand::drawn(table, rng)?;
    let reach = stand.holding.reach;
    let theirs = reach.as_bidder() - rng.random_range(0..WORTH);
    let staked = stand.staked(theirs, None)?;
    let bids = reach.bids(theirs)?;
    if bids.from < 1 || bids.to > TOTAL - theirs {
        return None;
    }
    let (side, other) = (word(stand.side), word(!stand.side));
    let reasons = vec![
        Reason {
            what: format!("{other} pays the bid and moves"),
            then: format!(
                "{side} then wins if {other} has {} or fewer, so the bid must be at least {}",
                reach.least, bids.from
            ),
            right: true,
        },
        Reason {
            what: format!("{other} takes the chips"),
            then: format!(
                "{side} moves and wins if {other} has {} or fewer, so the bid must be at most {}",
                reach.most, bids.to
            ),
            right: false,
        },
    ];
    let difficulty = Difficulty::by_chips(bids.to - bids.from);
    Some(stand.dealt(staked, Vec::new(), bids.from.to_string(), reasons, difficulty))
}

/// Consequence of a bid that is not the lowest winning one. `chips` are White's and Black's before the bid.
pub(super) fn bid_outcome(reach: OpenAuctionSolver, side: Color, chips: [i64; 2], bid: i64) -> Reason {
    let (name, other) = (word(side), word(!side));
    let [own, theirs] = [side, !side].map(|side| chips[side.index()]);
    let then = if !(0..=own).contains(&bid) {
        format!("is not possible: {name} can bid from 0 to {own}")
    } else if !reach.gives(theirs, bid) {
        let left = super::chips(own + bid);
        format!("is too low: if {other} pays it and moves, {name} has {left} and cannot force a win")
    } else if !reach.takes(theirs, bid) {
        let left = super::chips(own - bid);
        format!("is too high: if {other} takes it, {name} moves with {left} left and cannot force a win")
    } else {
        "wins, but a lower bid wins too".to_owned()
    };
    Reason { what: bid.to_string(), then, right: false }
}

/// A puzzle about accepting or rejecting a bid.
pub(super) fn answer(table: &Table, rng: &mut StdRng) -> Option<PuzzleContent> {
    let stand = Stand::drawn(table, rng)?;
    let reach = stand.holding.reach;
    let theirs = reach.as_answerer() - rng.random_range(0..=WORTH);
    let own = TOTAL - theirs;
    let bid = rng.random_range(1..=theirs.min(own).max(1));
    let staked = stand.staked(theirs, Some(bid))?;
    let (accepts, rejects) = (reach.gives(theirs, bid), reach.takes(theirs, bid));
    // Makes both answers equally common.
    if accepts == rejects || accepts != rng.random::<bool>() {
        return None;
    }
    let (side, other) = (word(stand.side), word(!stand.side));
    let line = |text: &str, left: i64, bound: i64, right: bool| {
        let then_moves = match text {
            "accept" => "and the move".to_owned(),
            _ => format!("and {side} moves"),
        };
        let wins = match left <= bound {
            true => format!("{side} wins, because {other} has no more than {bound}"),
            false => format!("{side} does not win, because {other} has more than {bound}"),
        };
        let then = format!("{other} then has {} {then_moves}; {wins}", chips(left));
        (AnswerChoice { text: text.to_owned(), words: title(text) }, Reason { what: title(text), then, right })
    };
    let lines = [line("accept", theirs - bid, reach.least, accepts), line("reject", theirs + bid, reach.most, rejects)];
    let solution = if accepts { "accept" } else { "reject" };
    let (offered, reasons) = lines.into_iter().unzip();
    // The bid is this far from one to which the other answer is right too, or wrong too.
    let distance = (theirs - bid - reach.least).abs().min((theirs + bid - reach.most).abs());
    let difficulty = Difficulty::by_distance(distance, 3, 8);
    Some(stand.dealt(staked, offered, solution.to_owned(), reasons, difficulty))
}

fn title(answer: &str) -> String {
    match answer {
        "accept" => "Accept".to_owned(),
        _ => "Reject".to_owned(),
    }
}

/// A puzzle about the only winning move after paying for it.
pub(super) fn paid_move(table: &Table, rng: &mut StdRng) -> Option<PuzzleContent> {
    let stand = Stand::drawn(table, rng)?;
    let mut moves = stand.holding.moves.clone();
    moves.sort_by_key(|reached| -reached.most);
    let [best, second, ..] = &moves[..] else { return None };
    if moves.len() < FEWEST || best.most == second.most {
        return None;
    }
    let theirs = rng.random_range(second.most.max(0) + 1..=best.most.max(1));
    let difficulty = Difficulty::by_chips(best.most - second.most);
    let staked = stand.staked(theirs, None)?;
    let solution = best.uci.clone();
    let other = word(!stand.side);
    let reasons = moves.iter().map(|reached| Reason {
        what: reached.san.clone(),
        then: match reached.most {
            ..0 => "never wins".to_owned(),
            most => format!("wins if {other} has {most} or fewer"),
        },
        right: reached.uci == solution,
    });
    let reasons = reasons.collect();
    let mut offered: Vec<AnswerChoice> =
        moves.iter().map(|reached| AnswerChoice { text: reached.uci.clone(), words: reached.san.clone() }).collect();
    offered.sort_by(|a, b| a.words.cmp(&b.words));
    Some(stand.dealt(staked, offered, solution, reasons, difficulty))
}
