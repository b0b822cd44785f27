//! The form that works out what a finished game pays. Every field keeps what was typed, and a slip is told beside it.

use super::api::options;
use crate::{
    board::Color,
    rules::Seat,
    variants::bookie::{Bid, Bids, Stakes, Verdict, Wager, amount},
    web::extract::Pairs,
};
use axum::http::StatusCode;
use std::{fmt::Display, str::FromStr};

/// The form as it was typed, what was wrong with it, and what comes out.
#[derive(Clone, Debug)]
pub(super) struct ScoreForm {
    /// Where the form is sent.
    pub(super) action: String,
    typed: Pairs,
    slips: Vec<(&'static str, String)>,
    /// The result, once everything is right.
    pub(super) result: Option<Payout>,
}

/// The score of one game.
#[derive(Clone, Debug)]
pub(super) struct Payout {
    /// The first player's line and the second's.
    pub(super) lines: [PayoutLine; 2],
}

/// One player's line of the account.
#[derive(Clone, Debug)]
pub(super) struct PayoutLine {
    /// `First player` or `Second player`.
    pub(super) name: &'static str,
    pub(super) color: Color,
    pub(super) on_white: u8,
    pub(super) on_black: u8,
    /// The stake: what the other player bid on his own colour.
    pub(super) stake: u8,
    /// The points, exactly.
    pub(super) points: String,
}

/// The form's fields beside the optional rules.
pub(super) const FIELDS: [&str; 6] = ["one", "two", "white", "result", "stakes", "score"];

impl ScoreForm {
    /// Reads what was typed. As long as nothing but optional rules is there, nothing is asked and nothing is missing.
    pub(super) fn read(action: String, query: &Pairs) -> ScoreForm {
        let mut form = ScoreForm { action, typed: query.clone(), slips: Vec::new(), result: None };
        let rules = options(query, &FIELDS).map_err(|wrong| {
            let field = crate::variants::bookie::Options::FIELDS.into_iter().find(|field| *field == wrong.field);
            form.slips.push((field.unwrap_or("first"), wrong.why));
        });
        if FIELDS.into_iter().all(|field| form.value(field).is_empty()) {
            return form;
        }
        let one = form.parsed::<Bid>("one", "the first player’s bid is missing");
        let two = form.parsed::<Bid>("two", "the second player’s bid is missing");
        let verdict = form.parsed::<Verdict>("result", "choose how the game ended");
        let stakes = match form.value("stakes") {
            // Where stakes are to grow, they have grown, unless somebody says otherwise.
            "" if rules.as_ref().is_ok_and(|rules| rules.double.is_some()) => Some(Stakes::Grown),
            "" | "base" => Some(Stakes::Base),
            "grown" => Some(Stakes::Grown),
            _ => form.slip("stakes", "choose whether both played on for more"),
        };
        let wager = match (one, two) {
            (Some(one), Some(two)) => form.wager(Bids { one, two }),
            (None, _) | (_, None) => None,
        };
        if let (Ok(rules), Some(wager), Some(verdict), Some(stakes)) = (rules, wager, verdict, stakes) {
            if stakes == Stakes::Grown && rules.double.is_none() {
                form.slip::<()>("double", "say by what the stakes were multiplied");
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

    /// The bids decide who has White; between equal bids the players’ coin did.
    fn wager(&mut self, bids: Bids) -> Option<Wager> {
        let coin = match self.value("white") {
            "" => None,
            "one" => Some(Seat::One),
            "two" => Some(Seat::Two),
            _ => return self.slip("white", "choose the first or the second player"),
        };
        let Some(white) = bids.white().or(coin) else {
            return self.slip("white", "the bids are equal: say who got White by the coin");
        };
        // The higher bid has White whatever the choice says, so the form need not be cleared for another game.
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

    /// The text that was typed in a field, without spaces around it.
    pub(super) fn value(&self, field: &str) -> &str {
        self.typed.iter().find(|(name, _)| name == field).map_or("", |(_, text)| text.trim())
    }

    /// The fault of a field; empty if there is none.
    pub(super) fn wrong(&self, field: &str) -> &str {
        self.slips.iter().find(|(name, _)| *name == field).map_or("", |(_, why)| why)
    }

    /// Tells whether a choice is the one that was made.
    pub(super) fn chosen(&self, field: &str, value: &str) -> bool {
        self.value(field) == value
    }

    /// Tells whether any of the optional rules is in use, so that they should be seen.
    pub(super) fn optional(&self) -> bool {
        ["double", "black_wins_draws", "handicap", "handicapped"].into_iter().any(|field| !self.value(field).is_empty())
            || self.chosen("stakes", "grown")
    }

    /// 200, or 400 if something cannot be read.
    pub(super) fn status(&self) -> StatusCode {
        if self.slips.is_empty() { StatusCode::OK } else { StatusCode::BAD_REQUEST }
    }
}
