//! What a program is sent: JSON with headers that prove who sends it, as standardwebhooks.com describes them.

use base64::{Engine, engine::general_purpose::STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use hyper::{Request, Uri, header};
use serde_json::json;
use sha2::Sha256;

use crate::{
    game::record,
    play::LiveGame,
    rules::Seat,
    web::{Base, api::keys::OwnGame},
};

/// A request that tells of a game in which a seat is asked, at a time in milliseconds since the epoch. It is signed with the secret, of
/// which only the bytes count.
pub(super) fn request(
    address: Uri,
    secret: &str,
    base: &Base,
    (table, seat): (&LiveGame, Seat),
    now: i64,
) -> Result<Request<Vec<u8>>, String> {
    let game = OwnGame::of(base, table, seat);
    let body = json!({"type": "turn", "timestamp": record::instant(now), "data": {"game": game}}).to_string();
    // The same message has the same id, however often it is sent.
    let id = format!("{}-{}-{}", table.id(), seat.name(), table.game.ply());
    let seconds = now.div_euclid(1_000);
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).map_err(|error| error.to_string())?;
    mac.update(format!("{id}.{seconds}.{body}").as_bytes());
    Request::post(address)
        .header(header::CONTENT_TYPE, "application/json")
        .header(header::USER_AGENT, concat!("zorkmid/", env!("CARGO_PKG_VERSION")))
        .header("webhook-id", id)
        .header("webhook-timestamp", seconds)
        .header("webhook-signature", format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes())))
        .body(body.into_bytes())
        .map_err(|error| error.to_string())
}

/// The secret of a hook as its owner is told it.
pub(super) fn told(secret: &str) -> String {
    format!("whsec_{}", STANDARD.encode(secret))
}
