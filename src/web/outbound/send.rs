//! Requests that notify of a turn. A browser gets an encrypted message (RFC 8291), signed by this site (RFC 8292), through its push service. A
//! program gets JSON with the signature that standardwebhooks.com describes.

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

/// How long a service keeps a message for a browser that is off, in seconds: a day.
const KEPT: u64 = 86_400;
/// How long a signature is good, in seconds: half a day, where a day is the most.
const GOOD_FOR: i64 = 43_200;

/// The keys of a browser, for which messages are encrypted: its public key and its secret, as `PublicKey.Secret`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Subscriber {
    key: PublicKey,
    auth: [u8; 16],
}

impl Subscriber {
    /// Reads both as a browser writes them: base64 of the letters of addresses.
    pub(super) fn new(key: &str, auth: &str) -> Result<Subscriber, Refusal> {
        let read = |text: &str| URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).ok();
        let key = read(key).and_then(|bytes| PublicKey::from_sec1_bytes(&bytes).ok());
        let auth = read(auth).and_then(|bytes| bytes.try_into().ok());
        let wrong = |what| move || Refusal::new(format!("the subscription’s {what}"));
        Ok(Subscriber {
            key: key.ok_or_else(wrong("p256dh is no public key of P-256 in base64url"))?,
            auth: auth.ok_or_else(wrong("auth is not 16 bytes in base64url"))?,
        })
    }

    /// Both as they are kept.
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

/// The public half of the site's secret, as browsers want it: a point in full, in base64url.
pub(in crate::web) fn public_key(secret: &[u8; 32]) -> Result<String, String> {
    Ok(URL_SAFE_NO_PAD.encode(signer(secret)?.verifying_key().to_encoded_point(false).as_bytes()))
}

/// The proof that this site sends to a service, at a time in milliseconds since the epoch.
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

/// A push_request that tells of a game in which a seat is asked.
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
        // A newer message about the same game takes the place of one that still waits.
        .header("topic", table.id())
        .body(body.map_err(|error| error.to_string())?)
        .map_err(|error| error.to_string())
}

/// A hook_request that tells of a game in which a seat is asked, at a time in milliseconds since the epoch. It is signed with the secret, of
/// which only the bytes count.
pub(super) fn hook_request(
    address: Uri,
    secret: &str,
    base: &PublicOrigin,
    (table, seat): (&GameSnapshot, Seat),
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
