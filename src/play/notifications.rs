//! Destinations of turn notifications: a feed, a webhook or a browser. The outbox decides what is sent to them, and when.

use std::{fmt, str::FromStr};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use super::{Error, Owner, Play, Token};
use crate::{
    rules::Refusal,
    store::{Digest, NewNotice, NoticeRow, NoticeUpdate},
};

/// Maximum number of destinations per key.
const MOST: u32 = 8;
/// Time in milliseconds after which an undelivered notification is dropped, and a destination that keeps failing is deleted: three days.
pub(super) const PATIENCE: i64 = 3 * 86_400_000;

/// How a notification is delivered.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    /// The player polls a feed.
    Feed,
    /// The server calls a webhook.
    Hook,
    /// The server sends a push message to a browser through its push service.
    Push,
}

impl Channel {
    const ALL: [Channel; 3] = [Channel::Feed, Channel::Hook, Channel::Push];

    /// Name in the database and in the API.
    pub fn name(self) -> &'static str {
        match self {
            Channel::Feed => "feed",
            Channel::Hook => "hook",
            Channel::Push => "push",
        }
    }
}

impl FromStr for Channel {
    type Err = Refusal;

    fn from_str(text: &str) -> Result<Self, Refusal> {
        let known = Channel::ALL.into_iter().find(|way| way.name() == text);
        known.ok_or_else(|| Refusal::new(format!("“{text:.20}” is not a notification channel; use feed, hook or push")))
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Result of a delivery.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delivery {
    /// Delivered.
    Arrived,
    /// The destination no longer exists.
    Gone,
    /// Not delivered.
    Failed,
}

/// A destination of a key's turn notifications.
#[derive(Clone, Debug)]
pub struct Notice {
    /// Random text; for a feed, derived from its secret.
    pub id: String,
    /// Kind of delivery.
    pub way: Channel,
    /// Address of the destination; empty for a feed.
    pub address: String,
    /// Signing key of a webhook, encryption keys of a browser, or secret of a feed's address.
    pub secret: String,
    /// Base of the links in its notifications.
    pub origin: String,
    /// Time of the first failure since the last delivery, in milliseconds since the epoch.
    pub failing: Option<i64>,
}

impl Notice {
    pub(super) fn of(row: NoticeRow) -> Result<Notice, Error> {
        let way: Channel = row.kind.parse()?;
        let secret = match way {
            Channel::Feed => feed_secret(&row.owner),
            Channel::Hook => row.owner.derive(&format!("hook {}", row.id)),
            Channel::Push => row.secret,
        };
        Ok(Notice { id: row.id, way, address: row.address, secret, origin: row.origin, failing: row.failing })
    }
}

/// Secret that a feed's readers have: it gives read access only and does not reveal the key.
fn feed_secret(key: &Digest) -> String {
    key.derive("feed")
}

impl Play {
    /// Adds a destination of a key. `secret` holds the encryption keys of a browser.
    ///
    /// # Errors
    /// Refused if the key has reached its limit.
    pub async fn begin_notice(
        &self,
        owner: &Owner,
        (way, address, secret): (Channel, &str, &str),
        origin: &str,
    ) -> Result<Notice, Error> {
        let id = match way {
            Channel::Feed => feed_id(&feed_secret(&owner.key)),
            Channel::Hook | Channel::Push => self.draw(|chance| Token::draw(chance)).as_str().to_owned(),
        };
        let notice = NoticeRow {
            id,
            owner: owner.key.clone(),
            kind: way.name().to_owned(),
            address: address.to_owned(),
            secret: secret.to_owned(),
            origin: origin.to_owned(),
            created: self.now(),
            failing: None,
        };
        match self.inner.store.begin_notice(NewNotice { notice: notice.clone(), limit: MOST }).await? {
            true => Notice::of(notice),
            false => {
                let words = format!(
                    "this key already has {MOST} notification channels, which is the limit; delete one of them first"
                );
                Err(Refusal::new(words).into())
            }
        }
    }

    /// Destinations of a key, oldest first.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn notices(&self, owner: &Owner) -> Result<Vec<Notice>, Error> {
        self.inner.store.notices(&owner.key).await?.into_iter().map(Notice::of).collect()
    }

    /// Deletes a destination of a key. Returns false if the key has no such destination.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn end_notice(&self, owner: &Owner, id: &str) -> Result<bool, Error> {
        let word = NoticeUpdate::End { id: id.to_owned(), owner: Some(owner.key.clone()) };
        Ok(self.inner.store.note(word).await?)
    }

    /// Owner of the feed with this secret, and the base of its links.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn feed(&self, secret: &str) -> Result<Option<(Owner, String)>, Error> {
        let found = self.inner.store.notice(&feed_id(secret)).await?;
        Ok(found.map(|row| (Owner { key: row.owner, called: None }, row.origin)))
    }

    /// Records the result of a delivery to a destination that has been failing since `failing`. Deletes the destination after three days of
    /// failure, or at once if it no longer exists.
    pub(super) async fn note_delivery(&self, id: &str, failing: Option<i64>, outcome: Delivery) -> Result<(), Error> {
        let (id, now) = (id.to_owned(), self.now());
        let word = match (outcome, failing) {
            (Delivery::Arrived, None) => return Ok(()),
            (Delivery::Arrived, Some(_)) => NoticeUpdate::Failing { id, since: None },
            (Delivery::Gone, _) => NoticeUpdate::End { id, owner: None },
            (Delivery::Failed, Some(since)) if now - since > PATIENCE => NoticeUpdate::End { id, owner: None },
            (Delivery::Failed, Some(_)) => return Ok(()),
            (Delivery::Failed, None) => NoticeUpdate::Failing { id, since: Some(now) },
        };
        self.inner.store.note(word).await?;
        Ok(())
    }

    /// Secret of the site: 32 bytes, drawn once per database. It signs push messages, and the keys of the site's own bots derive from it.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn signing_secret(&self) -> Result<[u8; 32], Error> {
        let kept = || async {
            let mut drawn = [0; 32];
            self.draw(|chance| chance.fill_bytes(&mut drawn));
            let kept = self.inner.store.sign(URL_SAFE_NO_PAD.encode(drawn)).await?;
            let kept = URL_SAFE_NO_PAD.decode(kept).ok().and_then(|bytes| bytes.try_into().ok());
            kept.ok_or_else(|| Error::Broken("the stored secret of the site is damaged".to_owned()))
        };
        self.inner.signer.get_or_try_init(kept).await.copied()
    }
}

fn feed_id(secret: &str) -> String {
    Digest::of(secret).derive("feed")
}
