//! Whole chips in a query about an endgame: the stacks, the bidder, and the verdict.

use super::{PAGE_TIMEOUT, chart_data::HorizonAnswer, mechanism_query, run_within};
use crate::{
    board::{Color, Size, orthodox::PAWN},
    richman::{
        Advice, Answer, Auction, BidAnswer, Bids, BoundedAnswer, MOST_CHIPS, Question, Stop, TableCoverage, Verdict,
    },
    rules::{
        Endgame, Side,
        endgame::{Bank, NextStep, StepKind, Tie},
    },
    variants::bidding::MOST,
    web::{
        App, Error,
        endgame_cache::format::signed,
        extract::{Pairs, parameter},
    },
};
use serde::Serialize;
use std::time::Duration;
use utoipa::ToSchema;

/// Most chips in total: the maximum of a game.
const MAX_TOTAL: i64 = 2 * MOST;

/// An answer, with parts for whole chips, a number of moves and other bidding mechanisms. Every field is always present.
#[derive(Serialize, ToSchema)]
pub struct ChipsAnswer {
    #[serde(flatten)]
    pub(super) answer: Answer,
    /// The winner with these chips, and how to win; null if the query has no chips or no table covers the position.
    #[schema(required)]
    pub(super) chips: Option<Verdict>,
    /// The proved result within n moves; null if the query has no n or no table covers the position.
    #[schema(required)]
    pub(super) horizon: Option<HorizonAnswer>,
    /// Bounds of the values under another bidding mechanism, and the former form of the bounds of four and five pieces; null if the query has neither
    /// or no table covers the position.
    #[schema(required)]
    pub(super) enclosed: Option<BoundedAnswer>,
}

impl From<Answer> for ChipsAnswer {
    fn from(answer: Answer) -> ChipsAnswer {
        ChipsAnswer { answer, chips: None, horizon: None, enclosed: None }
    }
}

impl From<(Answer, BoundedAnswer)> for ChipsAnswer {
    fn from((answer, enclosed): (Answer, BoundedAnswer)) -> ChipsAnswer {
        ChipsAnswer { enclosed: Some(enclosed), ..answer.into() }
    }
}

/// Parses chips: White's, a colon, Black's.
fn stacks(text: &str) -> Option<[i64; 2]> {
    let (white, black) = text.split_once(':')?;
    let [white, black] = [white, black].map(|count| count.trim().parse::<u32>().ok().map(i64::from));
    let chips = [white?, black?];
    (1..=MAX_TOTAL).contains(&chips.iter().sum()).then_some(chips)
}

/// The auction in a query; `None` without chips.
pub(super) fn auction(query: &Pairs) -> Result<Option<Auction>, Error> {
    let (bids, bid) = (parameter(query, "bids")?, parameter(query, "bid")?);
    let Some(chips) = parameter(query, "chips")? else {
        let alone = [("bids", bids), ("bid", bid)].into_iter().find(|(_, given)| given.is_some());
        return match alone {
            None => Ok(None),
            Some((name, _)) => Err(Error::malformed(
                "The parameter chips is missing. Give White's and Black's chips, as in &chips=17:183&bids=black.",
            )
            .field(name)),
        };
    };
    let chips = stacks(chips).ok_or_else(|| {
        let why = format!(
            "The chips must be two whole numbers with a sum from 1 to {MAX_TOTAL}, White's first, as in chips=17:183."
        );
        Error::malformed(why).field("chips")
    })?;
    let (negative, sealed) = (mechanism_query::negative(query)?.unwrap_or(true), mechanism_query::ties(query)?);
    let bidder = match (bids, sealed) {
        (Some("white"), None) => Color::White,
        (Some("black"), None) => Color::Black,
        (None, Some(_)) => {
            let auction = Auction { chips, next_step: NextStep::Sealed, negative, sealed };
            let told = || Error::malformed("Sealed bids have no bid parameter. Leave out bid or tie.").field("bid");
            return bid.is_none().then_some(Some(auction)).ok_or_else(told);
        }
        (Some("white" | "black"), Some(_)) => {
            let why = "An auction is open (bids) or sealed (tie), not both. Leave out bids or tie.";
            return Err(Error::malformed(why).field("bids"));
        }
        (Some(_), _) => return Err(Error::malformed("“bids” must be white or black.").field("bids")),
        (None, None) => {
            let why = "The bidder is missing. Give bids=white or bids=black, or a tie rule for sealed bids, as in tie=marker&holder=white.";
            return Err(Error::malformed(why).field("bids"));
        }
    };
    let own = chips[bidder.index()];
    let least = if negative { -own } else { 0 };
    let bid = bid.map(|text| {
        let bid = text.parse::<i64>().ok().filter(|bid| (least..=own).contains(bid));
        bid.ok_or_else(|| {
            let chips = if negative { "the bidder's chips with either sign" } else { "the bidder's chips" };
            Error::malformed(format!("The bid must be a whole number from {least} to {own}, {chips}.")).field("bid")
        })
    });
    let asked = match bid.transpose()? {
        None => NextStep::Offer(bidder),
        Some(bid) => NextStep::Answer { bidder, bid },
    };
    Ok(Some(Auction { chips, next_step: asked, negative, sealed: None }))
}

/// The answer about a position without an auction.
pub(super) async fn answer_without_auction(app: &App, question: Question) -> Result<ChipsAnswer, Error> {
    let answer = match question.without_table() {
        Some(answer) => answer,
        None => question.answer(&*app.endgames.table(question.size).await?),
    };
    Ok(answer.into())
}

/// The answer about a position and an auction in it. The verdict is computed in the queue for costly work.
pub(super) async fn answer_with_auction(
    app: &App,
    question: Question,
    auction: Auction,
    patience: Duration,
) -> Result<ChipsAnswer, Error> {
    if let TableCoverage::Uncovered(_) = question.coverage {
        return answer_without_auction(app, question).await;
    }
    let table = app.endgames.table(question.size).await?;
    let shared = match &question.coverage {
        TableCoverage::Covered { .. } if auction.chips.iter().sum::<i64>() > MOST_CHIPS => {
            Some(verdict_by_shares(app, &question, auction).await?)
        }
        TableCoverage::Covered { .. } | TableCoverage::Over { .. } | TableCoverage::Uncovered(_) => None,
    };
    let estimate = estimate(&question, &auction);
    let work = move |stop: Stop| {
        let verdict = shared.or_else(|| question.verdict(&table, &auction, stop));
        ChipsAnswer { chips: verdict, ..question.answer(&table).into() }
    };
    let pools = app.play.pools().clone();
    run_within(patience, async move { Ok(pools.lookups.run_costly(estimate, work).await?) }).await
}

/// Estimated CPU time of a verdict. It grows with the chips. With a pawn, every promotion is solved too.
fn estimate(question: &Question, auction: &Auction) -> Duration {
    let pawns = question.position.pieces().any(|(_, piece)| piece.kind == PAWN);
    let sealed = if auction.sealed.is_some() { 4 } else { 1 };
    let chips = u32::try_from(auction.chips.iter().sum::<i64>().min(MOST_CHIPS)).unwrap_or_default();
    Duration::from_micros(if pawns { 300 } else { 20 }) * chips * sealed
}

/// The verdict by shares of the money, for totals too large for an exact one.
async fn verdict_by_shares(app: &App, question: &Question, auction: Auction) -> Result<Verdict, Error> {
    let Auction { chips, next_step: asked, negative, sealed } = auction;
    let moment = Endgame {
        position: question.position,
        next_step: asked,
        chips: Some(chips),
        sealed,
        bank: Bank::Nothing,
        negative,
        turns_left: i64::MAX,
    };
    let advice = if question.size == Size::ORTHODOX { app.play.advise(moment).await } else { None };
    let advice = advice.ok_or_else(|| {
        Error::malformed(format!("Totals above {MOST_CHIPS} chips have no verdict in this position. Use fewer chips."))
            .field("chips")
    })?;
    Ok(proved(&advice, chips.iter().sum()))
}

/// The win that an advice has proved, with the given total of chips.
fn proved(advice: &Advice, total: i64) -> Verdict {
    let undecided = Verdict { exact: false, ..Verdict::draw(total) };
    let winner = Color::BOTH.into_iter().find(|color| advice.hint(*color).within.is_some());
    winner.map_or(undecided.clone(), |winner| {
        let hint = advice.hint(winner);
        let bids = hint.action.as_ref().is_some_and(|action| action.starts_with("bid"));
        let bid = hint.bid.filter(|_| bids).map(|bid| Bids { from: bid, to: bid });
        let answer = [BidAnswer::Accept, BidAnswer::Reject]
            .into_iter()
            .find(|answer| hint.action.as_deref() == Some(answer.name()));
        let accepts = hint.bid.filter(|_| advice.asked == StepKind::Offer && !bids);
        let winner = Some(Side::from(winner));
        // One winning bid is known, not the range.
        Verdict { winner, winning_bids: bid, fastest_bids: bid, bid, answer, accepts, within: hint.within, ..undecided }
    })
}

/// The chips in the page's form, and the verdict.
#[derive(Default)]
pub(super) struct ChipForm {
    /// White's and Black's chips, as typed.
    pub(super) text: String,
    /// The bidder, `white` or `black`, or `sealed`.
    pub(super) bids: &'static str,
    /// Rule for equal sealed bids.
    pub(super) tie: Tie,
    /// Whether Black holds the marker, moves at equal bids, or did not get the last move.
    pub(super) black_holds: bool,
    /// Whether negative bids are forbidden.
    pub(super) plain: bool,
    /// Error in the chips.
    pub(super) wrong: Option<String>,
    /// The verdict as a sentence.
    pub(super) words: Option<String>,
    auction: Option<Auction>,
}

impl ChipForm {
    pub(super) fn read(query: &Pairs) -> Result<ChipForm, Error> {
        let text = parameter(query, "chips")?.unwrap_or_default().trim().to_owned();
        let tie = Tie::ALL.into_iter().find(|tie| parameter(query, "tie").is_ok_and(|text| text == Some(tie.name())));
        let bids = match parameter(query, "bids")? {
            Some("black") => "black",
            Some("sealed") => "sealed",
            Some(_) | None => "white",
        };
        let staked = ChipForm {
            bids,
            tie: tie.unwrap_or_default(),
            black_holds: parameter(query, "holder")? == Some("black"),
            plain: parameter(query, "negative")? == Some("false"),
            text,
            ..ChipForm::default()
        };
        if staked.text.is_empty() {
            return Ok(staked);
        }
        // The form sends all of its fields. Those of the other kind of auction are dropped.
        let apart: &[&str] = if bids == "sealed" { &["bids"] } else { &["tie", "holder", "price"] };
        let own: Pairs = query.iter().filter(|(name, _)| !apart.contains(&name.as_str())).cloned().collect();
        Ok(match auction(&own) {
            Ok(Some(auction)) => {
                let [white, black] = auction.chips;
                ChipForm { auction: Some(auction), text: format!("{white}:{black}"), ..staked }
            }
            Ok(None) => staked,
            Err(wrong) => ChipForm { wrong: Some(wrong.detail().to_owned()), ..staked },
        })
    }

    /// Adds the verdict if a table covers the position.
    pub(super) async fn with_verdict(self, app: &App, question: &Question) -> Result<ChipForm, Error> {
        let Some(auction) = self.auction else { return Ok(self) };
        let verdict = answer_with_auction(app, question.clone(), auction, PAGE_TIMEOUT).await?.chips;
        Ok(ChipForm { words: verdict.map(|verdict| verdict_in_words(&verdict, &auction)), ..self })
    }

    /// The chips for an address; empty if they are invalid.
    pub(super) fn kept(&self) -> &str {
        if self.auction.is_some() { &self.text } else { "" }
    }

    /// The rest of the auction for an address: the bidder, the tie rule, its holder, and whether negative bids are forbidden.
    pub(super) fn rules(&self) -> [(&'static str, &'static str); 4] {
        let told = |text: &'static str, shown: bool| if shown && !self.kept().is_empty() { text } else { "" };
        let sealed = self.bids == "sealed";
        let holder = if self.black_holds { "black" } else { "white" };
        [
            ("bids", told(self.bids, true)),
            ("tie", told(self.tie.name(), sealed)),
            ("holder", told(holder, sealed)),
            ("negative", told("false", self.plain)),
        ]
    }

    /// The rules for equal bids, each with a description.
    pub(super) fn ties(&self) -> &'static [(&'static str, &'static str)] {
        Tie::WORDS
    }
}

/// A verdict as a sentence.
fn verdict_in_words(verdict: &Verdict, auction: &Auction) -> String {
    let (Some(winner), Some(within)) = (verdict.winner, verdict.within) else {
        if !verdict.exact {
            return format!(
                "With more than {MOST_CHIPS} chips the verdict follows from shares of the money. These stacks are too close to the threshold for a proof."
            );
        }
        if auction.sealed.is_some() {
            return "Neither side can force a win with these chips: the result depends on the sealed bids.".to_owned();
        }
        return "It is a draw: neither side can force a win with these chips.".to_owned();
    };
    let moves = if within == 1 { "one move".to_owned() } else { format!("{within} moves (both sides counted)") };
    let range = |Bids { from, to }: Bids| match from == to {
        true => signed(from),
        false => format!("{} to {}", signed(from), signed(to)),
    };
    let bid = match (verdict.winning_bids, verdict.fastest_bids) {
        (Some(all), Some(fastest)) if all == fastest => format!(" Winning bids: {}.", range(all)),
        (Some(all), Some(fastest)) => format!(" Winning bids: {}. Fastest: {}.", range(all), range(fastest)),
        (_, _) => String::new(),
    };
    let theirs = auction.chips[(!Color::from(winner)).index()];
    let least = if auction.negative { -theirs } else { 0 };
    let answer = match (verdict.answer, verdict.accepts) {
        (Some(BidAnswer::Accept), _) => " The winner accepts the bid.".to_owned(),
        (Some(_), _) => " The winner pays the bid and moves.".to_owned(),
        (None, Some(from)) if from > theirs => " The winner pays every bid and moves.".to_owned(),
        (None, Some(from)) if from <= least => " The winner accepts every bid.".to_owned(),
        (None, Some(from)) => {
            format!(" The winner accepts bids of {} or more, pays smaller ones and moves.", signed(from))
        }
        (None, None) => String::new(),
    };
    format!("{} wins within {moves}, whatever the opponent does.{bid}{answer}", winner.words())
}
