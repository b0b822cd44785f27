//! The part of a question about an endgame that is about whole chips: who holds how many, and who names the bid.

use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    board::Color,
    richman::{Answer, Auction, MOST_CHIPS, Question, Standing, Verdict},
    rules::endgame::Asked,
    web::{
        App, Client, Error,
        extract::{Pairs, parameter},
    },
};

/// Everything that is known about a position, and about an open auction in it if one was asked about.
#[derive(Serialize, ToSchema)]
pub(super) struct ChipsAnswer {
    #[serde(flatten)]
    pub(super) answer: Answer,
    /// Who wins with these whole chips, and how; left out where none were named, null where no table covers the position.
    pub(super) chips: Option<Verdict>,
}

/// Whole chips as people write them: White's, a colon, Black's.
fn stacks(text: &str) -> Option<[i64; 2]> {
    let (white, black) = text.split_once(':')?;
    let [white, black] = [white, black].map(|count| count.parse::<u32>().ok().map(i64::from));
    let chips = [white?, black?];
    (1..=MOST_CHIPS).contains(&chips.iter().sum()).then_some(chips)
}

/// The auction that a query asks about, if it names chips.
pub(super) fn auction(query: &Pairs) -> Result<Option<Auction>, Error> {
    let (bids, bid) = (parameter(query, "bids")?, parameter(query, "bid")?);
    let Some(chips) = parameter(query, "chips")? else {
        let alone = [("bids", bids), ("bid", bid)].into_iter().find(|(_, given)| given.is_some());
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
    let own = chips[bidder.index()];
    let bid = bid.map(|text| {
        let bid = text.parse::<i64>().ok().filter(|bid| (-own..=own).contains(bid));
        bid.ok_or_else(|| {
            Error::malformed(format!("A bid is a whole number from -{own} to {own}, the chips of the bidder."))
                .field("bid")
        })
    });
    let asked = match bid.transpose()? {
        None => Asked::Offer(bidder),
        Some(bid) => Asked::Answer { bidder, bid },
    };
    Ok(Some(Auction { chips, asked }))
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
        return Ok(ChipsAnswer { answer, chips: None });
    }
    let table = app.endgames.table(question.size).await?;
    let answered = app.play.pool().run(Some(client.key()), move || {
        let verdict = question.verdict(&table, &auction);
        ChipsAnswer { answer: question.answer(&table), chips: verdict }
    });
    Ok(answered.await?)
}
