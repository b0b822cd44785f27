//! Requests that carry turn notifications. A browser receives an encrypted message (RFC 8291) through its push service, signed by this site
//! (RFC 8292). A webhook receives JSON with a signature as described at standardwebhooks.com.

use crate::{
    game::record,
    play::GameSnapshot,
    rules::{Refusal, Seat},
    web::{PublicOrigin, api::player_keys::OwnGame},
};
use base64::{
    Engine,
    engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
};
use hmac::{Hmac, KeyInit, Mac};
use hyper::{Request, Uri, header};
use p256::{
    PublicKey,
    ecdsa::{Signature, SigningKey, signature::Signer},
};
use serde_json::json;
use sha2::Sha256;
use std::str::FromStr;
use web_push_native::Auth;

/// Time for which the push service keeps a message for an offline browser, in seconds: one day.
const KEPT: u64 = 86_400;
/// Lifetime of a VAPID signature in seconds: half a day. RFC 8292 allows at most one day.
const GOOD_FOR: i64 = 43_200;

/// Keys of a browser's push subscription, for which messages are encrypted. As text: the public key, a full stop and the auth secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Subscriber {
    key: PublicKey,
    auth: [u8; 16],
}

impl Subscriber {
    /// Parses both keys in the browser's format: base64url, with or without padding.
    pub(super) fn new(key: &str, auth: &str) -> Result<Subscriber, Refusal> {
        let read = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let key = read(key).and_then(|bytes| PublicKey::from_sec1_bytes(&bytes).ok());
        let auth = read(auth).and_then(|bytes| bytes.try_into().ok());
        let wrong = |what| move || Refusal::new(format!("the subscription’s {what}"));
        Ok(Subscriber {
            key: key.ok_or_else(wrong("p256dh is not a P-256 public key in base64url"))?,
            auth: auth.ok_or_else(wrong("auth is not 16 bytes in base64url"))?,
        })
    }

    /// Storage format of both keys.
    pub(super) fn text(&self) -> String {
        format!("{}.{}", URL_SAFE_NO_PAD.encode(self.key.to_sec1_bytes()), URL_SAFE_NO_PAD.encode(self.auth))
    }
}

impl FromStr for Subscriber {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let (key, auth) = text.split_once('.').unwrap_or((text, ""));
        Subscriber::new(key, auth)
    }
}

fn signer(secret: &[u8; 32]) -> Result<SigningKey, String> {
    SigningKey::from_slice(secret).map_err(|error| error.to_string())
}

/// The site's VAPID public key in the browser's format: an uncompressed point in base64url.
pub(in crate::web) fn public_key(secret: &[u8; 32]) -> Result<String, String> {
    Ok(URL_SAFE_NO_PAD.encode(signer(secret)?.verifying_key().to_encoded_point(false).as_bytes()))
}

/// Authorization header for a push service (VAPID, RFC 8292). `now` is in milliseconds since the epoch.
fn vapid(address: &Uri, secret: &[u8; 32], base: &PublicOrigin, now: i64) -> Result<String, String> {
    let (scheme, host) =
        (address.scheme_str().unwrap_or_default(), address.authority().map_or("", |host| host.as_str()));
    let part = |json: serde_json::Value| URL_SAFE_NO_PAD.encode(json.to_string());
    let claims = json!({"aud": format!("{scheme}://{host}"), "exp": now.div_euclid(1_000) + GOOD_FOR, "sub": base.url("/about")});
    let signed = format!("{}.{}", part(json!({"typ": "JWT", "alg": "ES256"})), part(claims));
    let signature: Signature = signer(secret)?.sign(signed.as_bytes());
    let signature = URL_SAFE_NO_PAD.encode(signature.to_bytes());
    Ok(format!("vapid t={signed}.{signature}, k={}", public_key(secret)?))
}

/// Builds the push message for a game in which a seat is to move.
pub(super) fn push_request(
    address: Uri,
    subscriber: &str,
    secret: &[u8; 32],
    (table, seat): (&GameSnapshot, Seat),
    (base, now): (&PublicOrigin, i64),
) -> Result<Request<Vec<u8>>, String> {
    let Subscriber { key, auth } = subscriber.parse().map_err(|wrong: Refusal| wrong.to_string())?;
    let message = json!({
        "title": "Your turn",
        "body": format!("{} against {}", table.game.title(), table.name(!seat)),
        "url": format!("/games/{}", table.id()),
        "tag": table.id(),
    });
    let body = web_push_native::encrypt(message.to_string().into_bytes(), &key, &Auth::from(auth));
    Request::post(&address)
        .header(header::AUTHORIZATION, vapid(&address, secret, base, now)?)
        .header(header::CONTENT_ENCODING, "aes128gcm")
        .header(header::CONTENT_TYPE, "application/octet-stream")
        .header("ttl", KEPT)
        .header("urgency", "high")
        // A newer message about the same game replaces one that is still queued.
        .header("topic", table.id())
        .body(body.map_err(|error| error.to_string())?)
        .map_err(|error| error.to_string())
}

/// Builds the webhook request for a game in which a seat is to move. `now` is in milliseconds since the epoch. The signing key is the
/// bytes of `secret`.
pub(super) fn hook_request(
    address: Uri,
    secret: &str,
    base: &PublicOrigin,
    (table, seat): (&GameSnapshot, Seat),
    now: i64,
) -> Result<Request<Vec<u8>>, String> {
    let game = OwnGame::of(base, table, seat);
    let body = json!({"type": "turn", "timestamp": record::instant(now), "data": {"game": game}}).to_string();
    // Retries of a message keep its id, so that receivers can drop duplicates.
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

/// Secret of a webhook in the format that its owner sees: `whsec_` and base64.
pub(super) fn told(secret: &str) -> String {
    format!("whsec_{}", STANDARD.encode(secret))
}
