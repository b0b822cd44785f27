//! The bidding mechanism in a query: who receives the bids, whether they may be negative, and the rule for equal bids.

use std::time::Duration;

use crate::{
    board::Color,
    richman::{BankShare, BoundedAnswer, DeclinedMoveRule, EnclosedMove, Mechanism, Question, TableCoverage},
    rules::endgame::{Price, Settlement, Tie},
    text_enum,
    web::{
        App, Error,
        endgame_cache::format::between,
        extract::{Pairs, parameter},
    },
};

/// Estimated CPU time of solving a mechanism.
const SOLVED: Duration = Duration::from_millis(500);

/// Whether a query allows negative bids; `None` if it does not say.
pub(super) fn negative(query: &Pairs) -> Result<Option<bool>, Error> {
    match parameter(query, "negative")? {
        None => Ok(None),
        Some("true") => Ok(Some(true)),
        Some("false") => Ok(Some(false)),
        Some(_) => {
            let why = "The parameter negative must be true (the default) or false.";
            Err(Error::malformed(why).field("negative"))
        }
    }
}

/// The rule for equal sealed bids in a query.
pub(super) fn ties(query: &Pairs) -> Result<Option<Settlement>, Error> {
    let holder = parameter(query, "holder")?.filter(|text| !text.is_empty());
    let Some(text) = parameter(query, "tie")?.filter(|text| !text.is_empty()) else {
        return match holder {
            None => Ok(None),
            Some(_) => Err(Error::malformed(
                "The parameter tie is missing. Give a rule for equal sealed bids, as in &tie=marker&holder=white.",
            )
            .field("holder")),
        };
    };
    let tie = Tie::ALL.into_iter().find(|tie| tie.name() == text).ok_or_else(|| {
        let names = Tie::ALL.map(Tie::name).join(", ");
        Error::malformed(format!("The tie rule must be one of {names}.")).field("tie")
    })?;
    let holder = match (tie, holder) {
        (_, Some("white")) | (Tie::Coin | Tie::Rebid, None) => Color::White,
        (_, Some("black")) => Color::Black,
        (_, Some(_)) => return Err(Error::malformed("The holder must be white or black.").field("holder")),
        (Tie::Marker | Tie::Choice | Tie::Side | Tie::Loser, None) => {
            let why = "The holder is missing. Give holder=white or holder=black: the side with the marker, the choice or the lost move.";
            return Err(Error::malformed(why).field("holder"));
        }
    };
    let price = match parameter(query, "price")? {
        None | Some("first") => Price::First,
        Some("second") => Price::Second,
        Some(_) => {
            return Err(Error::malformed("The price must be first or second: the sealed bid that the winner pays.")
                .field("price"));
        }
    };
    Ok(Some(Settlement { tie, price, holder }))
}

text_enum! {
    /// Recipient of the payments.
    #[derive(utoipa::ToSchema)]
    pub(in crate::web) enum Money {
        Richman = "richman": "the opponent",
        Poorman = "poorman": "the bank",
        Taxman = "taxman": "the opponent and the bank",
    }
}

fn recipient(text: &str) -> Result<Money, Error> {
    [Money::Richman, Money::Poorman, Money::Taxman].into_iter().find(|money| money.name() == text).ok_or_else(|| {
        let why =
            "The recipient must be money=richman (the opponent), money=poorman (the bank) or money=taxman (both).";
        Error::malformed(why).field("money")
    })
}

/// Parses the bank's share: a fraction or a whole number.
fn tax(text: &str) -> Option<BankShare> {
    let (num, den) = text.split_once('/').unwrap_or((text, "1"));
    BankShare::new(num.trim().parse().ok()?, den.trim().parse().ok()?)
}

/// The bidding mechanism in a query. With chips, `chip_query.rs` reads the parameter negative instead.
pub(super) fn parse_mechanism(query: &Pairs) -> Result<Option<Mechanism>, Error> {
    let given = |name: &str| Ok::<_, Error>(parameter(query, name)?.filter(|text| !text.is_empty()));
    let (money, tau) = (given("money")?.map(recipient).transpose()?, given("tau")?);
    let chips = given("chips")?.is_some();
    let paid = match (money, tau) {
        (None, None) => None,
        (Some(Money::Richman), None) => Some(BankShare::RICHMAN),
        (Some(Money::Poorman), None) => Some(BankShare::POORMAN),
        (Some(Money::Taxman), Some(text)) => Some(tax(text).ok_or_else(|| {
            let why = format!(
                "The bank's share must be a fraction from 0 to 1 with a denominator of at most {}, as in tau=1/2.",
                BankShare::FINEST
            );
            Error::malformed(why).field("tau")
        })?),
        (Some(Money::Taxman), None) => {
            return Err(Error::malformed(
                "The bank's share is missing. Give the part of every payment, as in &tau=1/2.",
            )
            .field("tau"));
        }
        (Some(Money::Richman | Money::Poorman) | None, Some(_)) => {
            return Err(Error::malformed("The bank's share needs money=taxman. Add it or leave out tau.").field("tau"));
        }
    };
    if paid.is_some() && chips {
        let why = "Verdicts on whole chips need payments to the opponent. Leave out money or chips.";
        return Err(Error::malformed(why).field("money"));
    }
    if chips {
        return Ok(None);
    }
    let unwanted = match (negative(query)?, ties(query)?) {
        (None | Some(true), None) => DeclinedMoveRule::Paid,
        (Some(false), Some(ties)) => DeclinedMoveRule::from_settlement(ties),
        (Some(false), None) => {
            let why =
                "Without negative bids, the tie rule decides zugzwangs. Give one, as in &tie=choice&holder=white.";
            return Err(Error::malformed(why).field("negative"));
        }
        (None | Some(true), Some(_)) => {
            let why = "A tie rule needs whole chips, as in &chips=17:183, or &negative=false. Add one of them or leave out tie.";
            return Err(Error::malformed(why).field("tie"));
        }
    };
    let named = paid.is_some() || unwanted != DeclinedMoveRule::Paid;
    Ok(named.then_some(Mechanism { tax: paid.unwrap_or(BankShare::RICHMAN), declined_move_rule: unwanted }))
}

/// Bounds of a position under a mechanism, if a table covers it. They are computed in the queue for costly work.
pub(super) async fn of(app: &App, question: Question, mechanism: Mechanism) -> Result<Option<BoundedAnswer>, Error> {
    let TableCoverage::Covered { .. } = question.coverage else { return Ok(None) };
    let table = app.endgames.table(question.size).await?;
    Ok(app.play.pools().lookups.run_costly(SOLVED, move |stop| question.enclosed(&table, mechanism, stop)).await?)
}

/// Another payment rule in the form of the page, and its bounds.
#[derive(Default)]
pub(super) struct PaymentForm {
    /// `poorman` or `taxman`; empty if the opponent is paid.
    pub(super) money: String,
    /// The bank's share, as typed.
    pub(super) tau: String,
    /// Error in the parameters.
    pub(super) wrong: Option<String>,
    /// The bounds.
    pub(super) told: Option<MechanismBounds>,
    /// The mechanism, if it is not Richman's.
    pub(super) mechanism: Option<Mechanism>,
}

/// Bounds under a mechanism, as the page shows them.
pub(super) struct MechanismBounds {
    /// The share of the money below which Black loses.
    pub(super) share: String,
    /// The value of the move, as a share of the money.
    pub(super) bid: String,
    /// The best moves of White and of Black.
    pub(super) best: [String; 2],
}

impl PaymentForm {
    /// Reads the mechanism of a query.
    pub(super) fn read(query: &Pairs) -> Result<PaymentForm, Error> {
        let text = |name: &str| Ok::<_, Error>(parameter(query, name)?.unwrap_or_default().trim().to_owned());
        let (money, tau) = (text("money")?, text("tau")?);
        if money.is_empty() || money == "richman" {
            return Ok(PaymentForm { tau, ..PaymentForm::default() });
        }
        // The form sends both of its fields. The bank's share applies to one choice only.
        let share = (money == "taxman").then_some(("tau", &tau));
        let named = [Some(("money", &money)), share].into_iter().flatten();
        let named: Pairs = named.map(|(name, value)| (name.to_owned(), value.clone())).collect();
        let paid = PaymentForm { money, tau, ..PaymentForm::default() };
        Ok(match parse_mechanism(&named) {
            Ok(mechanism) => PaymentForm { mechanism, ..paid },
            Err(wrong) => PaymentForm { wrong: Some(wrong.detail().to_owned()), ..paid },
        })
    }

    /// Adds the bounds if a table covers the position.
    pub(super) async fn with_bounds(self, app: &App, question: &Question) -> Result<PaymentForm, Error> {
        let Some(mechanism) = self.mechanism else { return Ok(self) };
        let known = of(app, question.clone(), mechanism).await?;
        Ok(PaymentForm { told: known.map(|known| MechanismBounds::of(&known)), ..self })
    }

    /// The parameters for an address; empty if they are invalid or the default.
    pub(super) fn kept(&self) -> [(&'static str, &str); 2] {
        let told = |text, shown: bool| if shown && self.mechanism.is_some() { text } else { "" };
        [("money", told(self.money.as_str(), true)), ("tau", told(self.tau.as_str(), self.money == "taxman"))]
    }
}

impl MechanismBounds {
    fn of(known: &BoundedAnswer) -> MechanismBounds {
        let side = |moves: &[EnclosedMove]| {
            const MOST: usize = 4;
            let best: Vec<&str> = moves.iter().filter(|mv| mv.best).map(|mv| mv.san.as_str()).collect();
            let more = best.len().saturating_sub(MOST);
            let named = best[..best.len().min(MOST)].join(", ");
            if more > 0 { format!("{named} and {more} more") } else { named }
        };
        MechanismBounds {
            share: between(&known.alpha, 6),
            bid: between(&known.bid, 6),
            best: [side(&known.white), side(&known.black)],
        }
    }
}
