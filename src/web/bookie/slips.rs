//! Bids of two players at one table. The first bid stays sealed while the second player types theirs: the page has only a keyed hash of
//! it, which the server tests against every possible bid.

use crate::{
    board::Color,
    rules::Seat,
    variants::bookie::{Bid, Bids, Code},
    web::extract::Pairs,
};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Slips on the page of a hidden position.
#[derive(Clone, Debug, Default)]
pub(super) struct SlipForm {
    /// Path to which the form submits.
    pub(super) action: String,
    /// Seal of the first bid, once it is made.
    pub(super) sealed: Option<String>,
    /// Bid as typed, if it was refused.
    pub(super) typed: String,
    /// Reason of the refusal; empty for none.
    pub(super) wrong: String,
}

/// Both bids, open.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenSlips(Bids);

/// Maximum length of a seal's nonce, in bytes.
const NONCE: usize = 64;

fn keyed(secret: &[u8; 32], code: &Code, nonce: &str, bid: Bid) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret).expect("a key may have any length");
    mac.update(format!("bookie bid {code} {nonce} {bid}").as_bytes());
    mac
}

/// Seals a bid on a position.
pub(super) fn seal(secret: &[u8; 32], code: &Code, nonce: &str, bid: Bid) -> String {
    let tag = keyed(secret, code, nonce, bid).finalize().into_bytes();
    format!("{nonce}.{}", URL_SAFE_NO_PAD.encode(tag))
}

/// Opens a seal; `None` if it does not belong to a bid on this position.
pub(super) fn open(secret: &[u8; 32], code: &Code, seal: &str) -> Option<Bid> {
    let (nonce, tag) = seal.split_once('.').filter(|(nonce, _)| nonce.len() <= NONCE)?;
    let tag = URL_SAFE_NO_PAD.decode(tag).ok()?;
    (0..=100).filter_map(Bid::new).find(|bid| keyed(secret, code, nonce, *bid).verify_slice(&tag).is_ok())
}

impl OpenSlips {
    /// The bids in a query, if both are valid.
    pub(super) fn read(query: &Pairs) -> Option<OpenSlips> {
        let bid = |field: &str| query.iter().find(|(name, _)| name == field)?.1.trim().parse::<Bid>().ok();
        Some(OpenSlips(Bids { one: bid("one")?, two: bid("two")? }))
    }

    /// Bids on White of the first and the second player.
    pub(super) fn on_white(&self) -> [u8; 2] {
        [self.0.one, self.0.two].map(|bid| bid.on(Color::White))
    }

    /// Result of the bids in words.
    pub(super) fn words(&self) -> String {
        let player = |seat: Seat| if seat == Seat::One { "first" } else { "second" };
        match self.0.white() {
            Some(white) => {
                let [pays, costs] = [!white, white].map(|seat| self.0.of(seat));
                let (win, loss) = (pays.on(Color::Black), costs.on(Color::White));
                let (white, black) = (player(white), player(!white));
                format!("The {white} player plays White and gets {win} for a win. The {black} player gets {loss}.")
            }
            None => "The bids are equal: a coin decides who plays White.".to_owned(),
        }
    }
}
