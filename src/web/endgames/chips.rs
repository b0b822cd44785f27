//! The part of a question about an endgame that is about whole chips: who holds how many, and who names the bid.

use serde::Serialize;
use utoipa::ToSchema;

use super::horizon::HorizonAnswer;
use crate::{
    board::Color,
    richman::{Answer, Auction, Bids, MOST_CHIPS, Question, Standing, Verdict},
    rules::endgame::Asked,
    web::{
        App, Client, Error,
        extract::{Pairs, parameter},
        values::amount::signed,
    },
};

/// Everything that is known about a position, and about an open auction in it if one was asked about.
#[derive(Serialize, ToSchema)]
pub(super) struct ChipsAnswer {
    #[serde(flatten)]
    pub(super) answer: Answer,
    /// Who wins with these whole chips, and how; left out where none were named, null where no table covers the position.
    pub(super) chips: Option<Verdict>,
    /// What is sure within so many moves; left out where no number was named, null where no table covers the position.
    pub(super) horizon: Option<HorizonAnswer>,
}

/// Whole chips as people write them: White's, a colon, Black's.
fn stacks(text: &str) -> Option<[i64; 2]> {
    let (white, black) = text.split_once(':')?;
    let [white, black] = [white, black].map(|count| count.trim().parse::<u32>().ok().map(i64::from));
    let chips = [white?, black?];
    (1..=MOST_CHIPS).contains(&chips.iter().sum()).then_some(chips)
}

/// The auction that a query asks about, if it names chips.
pub(super) fn auction(query: &Pairs) -> Result<Option<Auction>, Error> {
    let (bids, bid, negative) = (parameter(query, "bids")?, parameter(query, "bid")?, parameter(query, "negative")?);
    let Some(chips) = parameter(query, "chips")? else {
        let alone =
            [("bids", bids), ("bid", bid), ("negative", negative)].into_iter().find(|(_, given)| given.is_some());
        return match alone {
            None => Ok(None),
            Some((name, _)) => {
                Err(Error::malformed("Say who holds how many chips, as in &chips=17:183&bids=black.").field(name))
            }
        };
    };
    let chips = stacks(chips).ok_or_else(|| {
        let why =
            format!("Write White's chips and Black's as in chips=17:183: whole numbers, {MOST_CHIPS} in all at most.");
        Error::malformed(why).field("chips")
    })?;
    let bidder = match bids {
        Some("white") => Color::White,
        Some("black") => Color::Black,
        Some(_) | None => {
            return Err(Error::malformed("Say who names the bid: bids=white or bids=black.").field("bids"));
        }
    };
    let negative = match negative {
        None | Some("true") => true,
        Some("false") => false,
        Some(_) => {
            let why = "Say whether bids may be below zero: negative=true, as they usually may, or negative=false.";
            return Err(Error::malformed(why).field("negative"));
        }
    };
    let own = chips[bidder.index()];
    let least = if negative { -own } else { 0 };
    let bid = bid.map(|text| {
        let bid = text.parse::<i64>().ok().filter(|bid| (least..=own).contains(bid));
        bid.ok_or_else(|| {
            let chips = if negative { "the chips of the bidder" } else { "which are the bidder's chips" };
            Error::malformed(format!("A bid is a whole number from {least} to {own}, {chips}.")).field("bid")
        })
    });
    let asked = match bid.transpose()? {
        None => Asked::Offer(bidder),
        Some(bid) => Asked::Answer { bidder, bid },
    };
    Ok(Some(Auction { chips, asked, negative }))
}

/// The whole answer about a position without an auction.
pub(super) async fn unstaked(app: &App, question: Question) -> Result<ChipsAnswer, Error> {
    let answer = match question.without_table() {
        Some(answer) => answer,
        None => question.answer(&*app.endgames.table(question.size).await?),
    };
    Ok(ChipsAnswer { answer, chips: None, horizon: None })
}

/// The whole answer about a position and an auction in it. What takes long is worked out where it keeps nobody else waiting.
pub(super) async fn answered(
    app: &App,
    client: Client,
    question: Question,
    auction: Auction,
) -> Result<ChipsAnswer, Error> {
    if let Standing::Beyond(_) = question.standing {
        let answer = question.without_table().ok_or_else(|| Error::broken("a position without a table has none"))?;
        return Ok(ChipsAnswer { answer, chips: None, horizon: None });
    }
    let table = app.endgames.table(question.size).await?;
    let answered = app.play.pool().run(Some(client.key()), move || {
        let verdict = question.verdict(&table, &auction);
        ChipsAnswer { answer: question.answer(&table), chips: verdict, horizon: None }
    });
    Ok(answered.await?)
}

/// Whole chips as the page asks about them, and what is said of them.
#[derive(Default)]
pub(super) struct Staked {
    /// White's and Black's, as they were written.
    pub(super) text: String,
    /// Set if Black names the bid.
    pub(super) black_bids: bool,
    /// The fault of what was written.
    pub(super) wrong: Option<String>,
    /// Who wins, and how.
    pub(super) words: Option<String>,
    auction: Option<Auction>,
}

impl Staked {
    /// Reads the chips of a query.
    pub(super) fn read(query: &Pairs) -> Result<Staked, Error> {
        let text = parameter(query, "chips")?.unwrap_or_default().trim().to_owned();
        let staked = Staked { black_bids: parameter(query, "bids")? == Some("black"), text, ..Staked::default() };
        if staked.text.is_empty() {
            return Ok(staked);
        }
        Ok(match auction(query) {
            Ok(Some(auction)) => {
                let [white, black] = auction.chips;
                Staked { auction: Some(auction), text: format!("{white}:{black}"), ..staked }
            }
            Ok(None) => staked,
            Err(wrong) => Staked { wrong: Some(wrong.detail().to_owned()), ..staked },
        })
    }

    /// The same, with who wins, where a table covers the position.
    pub(super) async fn judged(self, app: &App, client: Client, question: &Question) -> Result<Staked, Error> {
        let Some(auction) = self.auction else { return Ok(self) };
        let verdict = answered(app, client, question.clone(), auction).await?.chips;
        Ok(Staked { words: verdict.map(|verdict| words(&verdict)), ..self })
    }

    /// The chips as a part of an address; empty if they are wrong.
    pub(super) fn kept(&self) -> &str {
        if self.auction.is_some() { &self.text } else { "" }
    }

    /// Who names the bid, as a part of an address.
    pub(super) fn bids(&self) -> &'static str {
        match (self.kept().is_empty(), self.black_bids) {
            (true, _) => "",
            (false, true) => "black",
            (false, false) => "white",
        }
    }
}

/// A verdict in words.
fn words(verdict: &Verdict) -> String {
    let (Some(winner), Some(within)) = (verdict.winner, verdict.within) else {
        return "It is a draw: neither side can force a win with these chips.".to_owned();
    };
    let moves = if within == 1 { "the next move".to_owned() } else { format!("{within} moves of both sides") };
    let bid = match verdict.bid {
        None => String::new(),
        Some(Bids { from, to }) if from == to => format!(" The bid is {}.", signed(from)),
        Some(Bids { from, to }) => format!(" Any bid from {} to {} keeps the shortest win.", signed(from), signed(to)),
    };
    format!("{} wins within {moves}, whatever the other side does.{bid}", winner.words())
}
