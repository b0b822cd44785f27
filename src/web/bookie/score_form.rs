//! The score calculator for finished games. Every field keeps the text that was entered and shows its error.

use super::api::options;
use crate::{
    board::Color,
    rules::Seat,
    variants::bookie::{Bid, Bids, Stakes, Verdict, Wager, amount},
    web::extract::Pairs,
};
use axum::http::StatusCode;
use std::{fmt::Display, str::FromStr};

/// A submitted form: the entered text, its errors and the result.
#[derive(Clone, Debug)]
pub(super) struct ScoreForm {
    /// Path to which the form submits.
    pub(super) action: String,
    typed: Pairs,
    slips: Vec<(&'static str, String)>,
    /// Result; `None` if the form is empty or has errors.
    pub(super) result: Option<Payout>,
}

#[derive(Clone, Debug)]
pub(super) struct Payout {
    /// Lines of the first and the second player.
    pub(super) lines: [PayoutLine; 2],
}

/// One player's line in the result table.
#[derive(Clone, Debug)]
pub(super) struct PayoutLine {
    /// `First player` or `Second player`.
    pub(super) name: &'static str,
    pub(super) color: Color,
    pub(super) on_white: u8,
    pub(super) on_black: u8,
    /// Points for a win: the opponent's bid on the opponent's own colour.
    pub(super) stake: u8,
    /// Exact points, as text.
    pub(super) points: String,
}

/// Fields of the form other than the optional rules.
pub(super) const FIELDS: [&str; 6] = ["one", "two", "white", "result", "stakes", "score"];

impl ScoreForm {
    /// Parses a query. A query with nothing but optional rules is an empty form, which has no missing fields.
    pub(super) fn read(action: String, query: &Pairs) -> ScoreForm {
        let mut form = ScoreForm { action, typed: query.clone(), slips: Vec::new(), result: None };
        let rules = options(query, &FIELDS).map_err(|wrong| {
            let field = crate::variants::bookie::Options::FIELDS.into_iter().find(|field| *field == wrong.field);
            form.slips.push((field.unwrap_or("first"), wrong.why));
        });
        // Bids alone belong to a game that is still to be played.
        let bids = ["one", "two"].into_iter().all(|field| form.value(field).parse::<Bid>().is_ok());
        if FIELDS.into_iter().all(|field| form.value(field).is_empty() || bids && ["one", "two"].contains(&field)) {
            return form;
        }
        let one = form.parsed::<Bid>("one", "enter the first player’s bid");
        let two = form.parsed::<Bid>("two", "enter the second player’s bid");
        let verdict = form.parsed::<Verdict>("result", "choose the result");
        let stakes = match form.value("stakes") {
            // With a multiplier, the default is that both players played on.
            "" if rules.as_ref().is_ok_and(|rules| rules.double.is_some()) => Some(Stakes::Grown),
            "" | "base" => Some(Stakes::Base),
            "grown" => Some(Stakes::Grown),
            _ => form.slip("stakes", "choose whether both players played on"),
        };
        let wager = match (one, two) {
            (Some(one), Some(two)) => form.wager(Bids { one, two }),
            (None, _) | (_, None) => None,
        };
        if let (Ok(rules), Some(wager), Some(verdict), Some(stakes)) = (rules, wager, verdict, stakes) {
            if stakes == Stakes::Grown && rules.double.is_none() {
                form.slip::<()>("double", "enter the multiplier of the stakes");
                return form;
            }
            let points = wager.score(&rules, stakes, verdict);
            let line = |seat: Seat, name, points| PayoutLine {
                name,
                color: wager.color(seat),
                on_white: wager.bids().of(seat).on(Color::White),
                on_black: wager.bids().of(seat).on(Color::Black),
                stake: wager.stake(wager.color(seat)),
                points: amount(points),
            };
            let lines = [line(Seat::One, "First player", &points[0]), line(Seat::Two, "Second player", &points[1])];
            form.result = Some(Payout { lines });
        }
        form
    }

    /// Assigns the colours. The higher bid on White has White; after equal bids the form's choice says who won the coin toss.
    fn wager(&mut self, bids: Bids) -> Option<Wager> {
        let coin = match self.value("white") {
            "" => None,
            "one" => Some(Seat::One),
            "two" => Some(Seat::Two),
            _ => return self.slip("white", "choose the first or the second player"),
        };
        let Some(white) = bids.white().or(coin) else {
            return self.slip("white", "the bids are equal: choose who got White by coin toss");
        };
        // With unequal bids the choice is ignored, so it may remain from an earlier game.
        Wager::new(bids, white).ok()
    }

    fn parsed<T: FromStr<Err: Display>>(&mut self, field: &'static str, missing: &str) -> Option<T> {
        match self.value(field) {
            "" => self.slip(field, missing),
            text => match text.parse() {
                Ok(value) => Some(value),
                Err(wrong) => {
                    let wrong = format!("{wrong}");
                    self.slip(field, &wrong)
                }
            },
        }
    }

    fn slip<T>(&mut self, field: &'static str, why: &str) -> Option<T> {
        self.slips.push((field, why.to_owned()));
        None
    }

    /// Trimmed text of a field; empty if it is absent.
    pub(super) fn value(&self, field: &str) -> &str {
        self.typed.iter().find(|(name, _)| name == field).map_or("", |(_, text)| text.trim())
    }

    /// Error of a field; empty if there is none.
    pub(super) fn wrong(&self, field: &str) -> &str {
        self.slips.iter().find(|(name, _)| *name == field).map_or("", |(_, why)| why)
    }

    /// Whether a field has this value.
    pub(super) fn chosen(&self, field: &str, value: &str) -> bool {
        self.value(field) == value
    }

    /// Whether any optional rule is in use, so that the form must show them.
    pub(super) fn optional(&self) -> bool {
        ["double", "black_wins_draws", "handicap", "handicapped"].into_iter().any(|field| !self.value(field).is_empty())
            || self.chosen("stakes", "grown")
    }

    /// 200, or 400 if any field has an error.
    pub(super) fn status(&self) -> StatusCode {
        if self.slips.is_empty() { StatusCode::OK } else { StatusCode::BAD_REQUEST }
    }
}
