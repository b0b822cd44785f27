//! Notices: where a key wants its turn notifications. A notice is a feed, a program at an address of its own, or a browser. The outbox
//! says what is sent there, and when.

use std::{fmt, str::FromStr};

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

use super::{Error, Owner, Play, Token};
use crate::{
    rules::Refusal,
    store::{Digest, NewNotice, NoticeRow, NoticeWord},
};

/// How many a key may have.
const MOST: u32 = 8;
/// Time, in milliseconds, after which a notification that could not be delivered is dropped, and a notice to which none could be
/// delivered ends: three days.
pub(super) const PATIENCE: i64 = 3 * 86_400_000;

/// The way by which somebody is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Channel {
    /// They look at a feed.
    Feed,
    /// A program is asked at its address.
    Hook,
    /// A browser is told through the service that it has chosen.
    Push,
}

impl Channel {
    const ALL: [Channel; 3] = [Channel::Feed, Channel::Hook, Channel::Push];

    /// Its name in the record and in the API.
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
        known.ok_or_else(|| Refusal::new(format!("“{text:.20}” is no way to be told; there are feed, hook and push")))
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What became of something that was sent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Delivery {
    /// It arrived.
    Arrived,
    /// Nobody is there any more.
    Gone,
    /// It did not arrive.
    Failed,
}

/// Somebody who is told when a key is asked.
#[derive(Clone, Debug)]
pub struct Notice {
    /// Short random text.
    pub id: String,
    /// By which way.
    pub way: Channel,
    /// Where to; nothing for a feed.
    pub address: String,
    /// What a hook signs with, what a browser's message is encrypted for, or what the readers of a feed know.
    pub secret: String,
    /// The base of links in what is sent.
    pub origin: String,
    /// Since when nothing has arrived, in milliseconds since the epoch.
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

/// What the readers of a key's feed know: it tells nothing of the key, and whoever knows it can only read.
fn feed_secret(key: &Digest) -> String {
    key.derive("feed")
}

impl Play {
    /// Tells a key from now on, by a way and to an address; what a browser brings along is `secret`.
    ///
    /// # Errors
    /// Refused if the key has as many as it may.
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
                let words = format!("this key has {MOST} notices, as many as one may have: end one of them first");
                Err(Refusal::new(words).into())
            }
        }
    }

    /// Whom a key wants to be told, the oldest first.
    ///
    /// # Errors
    /// `Busy`, or what the record says.
    pub async fn notices(&self, owner: &Owner) -> Result<Vec<Notice>, Error> {
        self.inner.store.notices(&owner.key).await?.into_iter().map(Notice::of).collect()
    }

    /// Ends a notice of a key; false where it has no such one.
    ///
    /// # Errors
    /// `Busy`, or what the record says.
    pub async fn end_notice(&self, owner: &Owner, id: &str) -> Result<bool, Error> {
        let word = NoticeWord::End { id: id.to_owned(), owner: Some(owner.key.clone()) };
        Ok(self.inner.store.note(word).await?)
    }

    /// Whose feed it is that readers of a secret may read, and the base of its links.
    ///
    /// # Errors
    /// `Busy`, or what the record says.
    pub async fn feed(&self, secret: &str) -> Result<Option<(Owner, String)>, Error> {
        let found = self.inner.store.notice(&feed_id(secret)).await?;
        Ok(found.map(|row| (Owner { key: row.owner, called: None }, row.origin)))
    }

    /// Notes the result of a delivery to a notice that has been failing since `failing`. A notice ends after three days of failure, and at
    /// once where its address is gone.
    pub(super) async fn note_delivery(&self, id: &str, failing: Option<i64>, outcome: Delivery) -> Result<(), Error> {
        let (id, now) = (id.to_owned(), self.now());
        let word = match (outcome, failing) {
            (Delivery::Arrived, None) => return Ok(()),
            (Delivery::Arrived, Some(_)) => NoticeWord::Failing { id, since: None },
            (Delivery::Gone, _) => NoticeWord::End { id, owner: None },
            (Delivery::Failed, Some(since)) if now - since > PATIENCE => NoticeWord::End { id, owner: None },
            (Delivery::Failed, Some(_)) => return Ok(()),
            (Delivery::Failed, None) => NoticeWord::Failing { id, since: Some(now) },
        };
        self.inner.store.note(word).await?;
        Ok(())
    }

    /// The secret with which this site signs what it sends to browsers: 32 bytes, drawn once for all.
    ///
    /// # Errors
    /// `Busy`, or what the record says.
    pub async fn signing_secret(&self) -> Result<[u8; 32], Error> {
        let kept = || async {
            let mut drawn = [0; 32];
            self.draw(|chance| chance.fill_bytes(&mut drawn));
            let kept = self.inner.store.sign(URL_SAFE_NO_PAD.encode(drawn)).await?;
            let kept = URL_SAFE_NO_PAD.decode(kept).ok().and_then(|bytes| bytes.try_into().ok());
            kept.ok_or_else(|| Error::Broken("the record of the site’s secret".to_owned()))
        };
        self.inner.signer.get_or_try_init(kept).await.copied()
    }
}

fn feed_id(secret: &str) -> String {
    Digest::of(secret).derive("feed")
}
