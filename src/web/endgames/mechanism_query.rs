//! The part of a question about an endgame that is about money: to whom bids are paid, whether they may be below zero, and how equal ones are
//! settled.

use std::time::Duration;

use crate::{
    board::Color,
    richman::{BankShare, BoundedAnswer, DeclinedMoveRule, EnclosedMove, Mechanism, Question, TableCoverage},
    rules::endgame::{Price, Settlement, Tie},
    web::{
        App, Error,
        endgame_cache::format::between,
        extract::{Pairs, parameter},
    },
};

/// The estimated CPU time of solving a mechanism that is not kept.
const SOLVED: Duration = Duration::from_millis(500);

/// Whether bids may be below zero, if a query says so.
pub(super) fn negative(query: &Pairs) -> Result<Option<bool>, Error> {
    match parameter(query, "negative")? {
        None => Ok(None),
        Some("true") => Ok(Some(true)),
        Some("false") => Ok(Some(false)),
        Some(_) => {
            let why = "Say whether bids may be below zero: negative=true, as they usually may, or negative=false.";
            Err(Error::malformed(why).field("negative"))
        }
    }
}

/// How equal sealed bids are settled, if a query says so.
pub(super) fn ties(query: &Pairs) -> Result<Option<Settlement>, Error> {
    let holder = parameter(query, "holder")?.filter(|text| !text.is_empty());
    let Some(text) = parameter(query, "tie")?.filter(|text| !text.is_empty()) else {
        return match holder {
            None => Ok(None),
            Some(_) => Err(Error::malformed("Say how equal sealed bids are settled, as in &tie=marker&holder=white.")
                .field("holder")),
        };
    };
    let tie = Tie::ALL.into_iter().find(|tie| tie.name() == text).ok_or_else(|| {
        let names = Tie::ALL.map(Tie::name).join(", ");
        Error::malformed(format!("Equal sealed bids are settled by one of {names}.")).field("tie")
    })?;
    let holder = match (tie, holder) {
        (Tie::Coin | Tie::Rebid, _) => Color::White,
        (_, Some("white")) => Color::White,
        (_, Some("black")) => Color::Black,
        (Tie::Marker | Tie::Choice | Tie::Side | Tie::Loser, Some(_) | None) => {
            let why = "Say who holds the marker, did not get the last move, or moves at all equal bids: holder=white or holder=black.";
            return Err(Error::malformed(why).field("holder"));
        }
    };
    let price = match parameter(query, "price")? {
        None | Some("first") => Price::First,
        Some("second") => Price::Second,
        Some(_) => {
            return Err(
                Error::malformed("Say which of two sealed bids is paid: price=first or price=second.").field("price")
            );
        }
    };
    Ok(Some(Settlement { tie, price, holder }))
}

/// The share of the bank, as people write it: a fraction, or a whole number.
fn tax(text: &str) -> Option<BankShare> {
    let (num, den) = text.split_once('/').unwrap_or((text, "1"));
    BankShare::new(num.trim().parse().ok()?, den.trim().parse().ok()?)
}

/// The mechanism that a query names; whether bids may be below zero is asked only where there are no chips, of which `chip_query.rs` tells.
pub(super) fn asked(query: &Pairs) -> Result<Option<Mechanism>, Error> {
    let given = |name: &str| Ok::<_, Error>(parameter(query, name)?.filter(|text| !text.is_empty()));
    let (money, tau) = (given("money")?, given("tau")?);
    let chips = given("chips")?.is_some();
    let paid = match (money, tau) {
        (None, None) => None,
        (Some("richman"), None) => Some(BankShare::RICHMAN),
        (Some("poorman"), None) => Some(BankShare::POORMAN),
        (Some("taxman"), Some(text)) => Some(tax(text).ok_or_else(|| {
            let why = format!(
                "The bank's share is a fraction from 0 to 1 with a denominator of {} at most, as in tau=1/2.",
                BankShare::FINEST
            );
            Error::malformed(why).field("tau")
        })?),
        (Some("taxman"), None) => {
            return Err(
                Error::malformed("Say what share of every payment the bank takes, as in &tau=1/2.").field("tau")
            );
        }
        (Some("richman" | "poorman") | None, Some(_)) => {
            return Err(Error::malformed("The bank's share goes with money=taxman.").field("tau"));
        }
        (Some(_), _) => {
            let why = "Say who is paid: money=richman for the other player, money=poorman for the bank, or money=taxman for both.";
            return Err(Error::malformed(why).field("money"));
        }
    };
    if paid.is_some() && chips {
        let why = "Whole chips are judged where the other player is paid: leave out money, or chips.";
        return Err(Error::malformed(why).field("money"));
    }
    if chips {
        return Ok(None);
    }
    let unwanted = match (negative(query)?, ties(query)?) {
        (None | Some(true), None) => DeclinedMoveRule::Sold,
        (Some(false), Some(ties)) => DeclinedMoveRule::settled(ties),
        (Some(false), None) => {
            let why = "Where bids are not below zero it matters who moves if nobody wants to: say how equal ones are settled, as in &tie=choice&holder=white.";
            return Err(Error::malformed(why).field("negative"));
        }
        (None | Some(true), Some(_)) => {
            let why = "How equal bids are settled matters with whole chips, as in &chips=17:183, or where bids are not below zero: &negative=false.";
            return Err(Error::malformed(why).field("tie"));
        }
    };
    let named = paid.is_some() || unwanted != DeclinedMoveRule::Sold;
    Ok(named.then_some(Mechanism { tax: paid.unwrap_or(BankShare::RICHMAN), unwanted }))
}

/// What is known under a mechanism of a position that a table covers. It is worked out where it keeps nobody else waiting.
pub(super) async fn of(app: &App, question: Question, mechanism: Mechanism) -> Result<Option<BoundedAnswer>, Error> {
    let TableCoverage::Covered { .. } = question.standing else { return Ok(None) };
    let table = app.endgames.table(question.size).await?;
    Ok(app.play.pools().lookups.run_costly(SOLVED, move |stop| question.enclosed(&table, mechanism, stop)).await?)
}

/// Other ways to pay as the page asks about them, and what is said of them.
#[derive(Default)]
pub(super) struct Paid {
    /// Who is paid: `poorman` or `taxman`; empty for the other player.
    pub(super) money: String,
    /// The bank's share, as it was written.
    pub(super) tau: String,
    /// The fault of what was written.
    pub(super) wrong: Option<String>,
    /// What is known.
    pub(super) told: Option<Known>,
    /// The mechanism, if it is another than Richman's.
    pub(super) mechanism: Option<Mechanism>,
}

/// What is known under a mechanism, in words.
pub(super) struct Known {
    /// The share of the money below which Black must be.
    pub(super) share: String,
    /// What the move is worth, as a share of the money.
    pub(super) bid: String,
    /// The best moves of White and of Black.
    pub(super) best: [String; 2],
}

impl Paid {
    /// Reads what a query says of money.
    pub(super) fn read(query: &Pairs) -> Result<Paid, Error> {
        let text = |name: &str| Ok::<_, Error>(parameter(query, name)?.unwrap_or_default().trim().to_owned());
        let (money, tau) = (text("money")?, text("tau")?);
        if money.is_empty() || money == "richman" {
            return Ok(Paid { tau, ..Paid::default() });
        }
        // The form sends both of its fields, and the share goes with one choice alone.
        let share = (money == "taxman").then_some(("tau", &tau));
        let named = [Some(("money", &money)), share].into_iter().flatten();
        let named: Pairs = named.map(|(name, value)| (name.to_owned(), value.clone())).collect();
        let paid = Paid { money, tau, ..Paid::default() };
        Ok(match asked(&named) {
            Ok(mechanism) => Paid { mechanism, ..paid },
            Err(wrong) => Paid { wrong: Some(wrong.detail().to_owned()), ..paid },
        })
    }

    /// The same, with what is known, where a table covers the position.
    pub(super) async fn judged(self, app: &App, question: &Question) -> Result<Paid, Error> {
        let Some(mechanism) = self.mechanism else { return Ok(self) };
        let known = of(app, question.clone(), mechanism).await?;
        Ok(Paid { told: known.map(|known| Known::of(&known)), ..self })
    }

    /// Who is paid and the bank's share, as parts of an address; empty where they are wrong or as usual.
    pub(super) fn kept(&self) -> [(&'static str, &str); 2] {
        let told = |text, shown: bool| if shown && self.mechanism.is_some() { text } else { "" };
        [("money", told(self.money.as_str(), true)), ("tau", told(self.tau.as_str(), self.money == "taxman"))]
    }
}

impl Known {
    fn of(known: &BoundedAnswer) -> Known {
        let side = |moves: &[EnclosedMove]| {
            const MOST: usize = 4;
            let best: Vec<&str> = moves.iter().filter(|mv| mv.best).map(|mv| mv.san.as_str()).collect();
            let more = best.len().saturating_sub(MOST);
            let named = best[..best.len().min(MOST)].join(", ");
            if more > 0 { format!("{named} and {more} more") } else { named }
        };
        Known {
            share: between(&known.alpha, 6),
            bid: between(&known.bid, 6),
            best: [side(&known.white), side(&known.black)],
        }
    }
}
