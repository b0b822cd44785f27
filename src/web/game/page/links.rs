//! Where the links on a game's page lead.

use super::GamePage;
use crate::{
    rules::Seat,
    web::{game::Look, words},
};

impl GamePage {
    /// The private links of the viewer's own seats.
    pub(super) fn links(&self) -> Vec<(Seat, String, String)> {
        let link = |seat: Seat, token: &str| {
            (seat, words::called(&self.frame, seat).to_owned(), self.look.base.url(&format!("/seat/{token}")))
        };
        let proved = self.look.held.iter().filter_map(|(seat, token)| Some((*seat, token.as_ref()?)));
        proved.map(|(seat, token)| link(seat, token.as_str())).collect()
    }

    /// The link of an invitation.
    pub(super) fn invitation(&self, code: &str) -> String {
        self.url(&format!("/invite/{code}"))
    }

    /// An absolute address.
    pub(super) fn url(&self, path: &str) -> String {
        self.look.base.url(path)
    }

    /// The page that says what could be done.
    pub(super) fn advising(&self) -> String {
        self.look.with("hint=1")
    }

    /// The page that asks whether to resign.
    pub(super) fn giving_up(&self) -> String {
        self.look.with("end=resign")
    }

    /// The page with the board turned round.
    pub(super) fn turned(&self) -> String {
        let path = Look { flip: !self.look.flip, ..self.look.clone() }.address(None);
        if self.frame.current() {
            return path;
        }
        let query = path.split_once('?').map_or(String::new(), |(_, query)| format!("?{query}"));
        format!("{}/ply/{}{query}", self.frame.address, self.frame.ply)
    }

    /// The page of an earlier moment.
    pub(super) fn moment(&self, ply: &usize) -> String {
        let flip = if self.look.flip { "?flip=1" } else { "" };
        format!("{}/ply/{ply}{flip}", self.frame.address)
    }

    /// The page of the next deal of a match.
    pub(super) fn onward(&self) -> String {
        Look { deal: Some(self.frame.diagram.deals.len()), ..self.look.clone() }.address(None)
    }

    /// The page of the beginning.
    pub(super) fn start(&self) -> String {
        self.moment(&0)
    }

    /// The page of the step before.
    pub(super) fn back(&self) -> String {
        self.moment(&self.frame.ply.saturating_sub(1))
    }

    /// The page of the step after.
    pub(super) fn next(&self) -> String {
        self.moment(&(self.frame.ply + 1))
    }
}
