//! Delivery of turn notifications to webhooks and browsers. Pending notifications are in the outbox of the database, so several processes can
//! share the work.

pub mod api;
pub mod feed;
mod http_client;
mod send;

pub(super) use send::public_key;

use super::{App, PublicOrigin};
use crate::{
    play::{Channel, Delivery, Message, Notice},
    store::OutboxEntry,
};
use futures_util::{FutureExt, future::BoxFuture};
use http_client::Sender;
use hyper::Uri;
use std::{sync::Arc, time::Duration};
use tokio::{sync::Semaphore, time};

/// Maximum number of concurrent deliveries in this process.
const SLOTS: usize = 64;
/// Time limit for a receiver's response.
const PATIENCE: Duration = Duration::from_secs(10);

/// Records turns in the outbox and delivers the pending notifications, until the server stops.
pub fn deliver(app: Arc<App>) -> BoxFuture<'static, ()> {
    async move {
        let delivering = async { tokio::join!(app.play.record_turns(), send_all(&app)) };
        app.closing.run_until_cancelled(delivering).await;
    }
    .boxed()
}

/// Sends due notifications while slots are free. Only an attempt in progress holds a slot; a notification that waits for a retry does not.
async fn send_all(app: &Arc<App>) {
    let sender = Arc::new(Sender::new(app.options.private_hooks));
    let slots = Arc::new(Semaphore::new(SLOTS));
    while let Ok(slot) = slots.clone().acquire_owned().await {
        match app.play.claim_notification().await {
            Ok(Some(entry)) => {
                let (app, sender) = (app.clone(), sender.clone());
                tokio::spawn(async move {
                    app.closing.run_until_cancelled(send(&app, &sender, entry)).await;
                    drop(slot);
                });
            }
            Ok(None) => app.play.outbox_changed().await,
            Err(error) => {
                tracing::warn!(%error, "reading turn notifications failed");
                app.play.outbox_changed().await;
            }
        }
    }
}

/// Makes one delivery attempt and records its outcome.
async fn send(app: &App, sender: &Sender, entry: OutboxEntry) {
    let settled = match app.play.message(entry).await {
        Ok(Some(message)) => {
            let outcome = attempt(app, sender, &message).await;
            app.play.settle_message(message, outcome).await
        }
        Ok(None) => Ok(()),
        Err(error) => Err(error),
    };
    if let Err(error) = settled {
        tracing::warn!(%error, "reading or settling a turn notification failed; it is sent again when its claim expires");
    }
}

/// Sends a message once and classifies the outcome.
async fn attempt(app: &App, sender: &Sender, message: &Message) -> Delivery {
    let why = match envelope(app, message).await {
        Err(why) => why,
        Ok(request) => match time::timeout(PATIENCE, sender.send(request)).await {
            Ok(Ok(status)) if status.is_success() => return Delivery::Arrived,
            Ok(Ok(status)) if status == 404 || status == 410 => return Delivery::Gone,
            Ok(Ok(status)) => format!("status {status}"),
            Ok(Err(why)) => why,
            Err(_) => "timed out".to_owned(),
        },
    };
    tracing::info!(way = %message.notice.way, why, "turn notification failed");
    Delivery::Failed
}

/// Builds the HTTP request for a message.
async fn envelope(app: &App, message: &Message) -> Result<hyper::Request<Vec<u8>>, String> {
    let Message { notice, table, seat, .. } = message;
    let address: Uri = notice.address.parse().map_err(|_| "the stored address is invalid".to_owned())?;
    let Notice { secret, origin, .. } = notice;
    let base = PublicOrigin::of_origin(origin.clone());
    match notice.way {
        Channel::Hook => send::hook_request(address, secret, &base, (table, *seat), app.play.now()),
        Channel::Push => {
            let key = app.play.signing_secret().await.map_err(|error| error.to_string())?;
            send::push_request(address, secret, &key, (table, *seat), (&base, app.play.now()))
        }
        Channel::Feed => Err("feeds are not sent".to_owned()),
    }
}
