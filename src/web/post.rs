//! What the site sends by itself: that somebody is asked, to programs and to browsers that have wished to be told.

pub mod api;
pub mod feed;
mod hook;
mod out;
mod push;

use std::{sync::Arc, time::Duration};

use futures_util::{FutureExt, future::BoxFuture};
use hyper::Uri;
use tokio::{sync::Semaphore, time};

use super::{App, Base};
use crate::play::{Channel, Delivery, Notice, Telling};
use out::Sender;
pub(super) use push::public_key;

/// What may be on its way at once; what comes beyond that is not sent.
const ON_THE_WAY: usize = 256;
/// How long somebody may take to take it.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long to wait before each attempt after the first one.
const AGAIN: [Duration; 3] = [Duration::from_secs(2), Duration::from_secs(15), Duration::from_secs(60)];

/// Tells whoever has wished for it that they are asked, by what this process writes, until the app closes.
pub fn deliver(app: Arc<App>) -> BoxFuture<'static, ()> {
    async move {
    let (mut turns, room) = (app.play.turns(), Arc::new(Semaphore::new(ON_THE_WAY)));
    let sender = Arc::new(Sender::new(app.options.private_hooks));
    let stop = app.closing.clone();
    while let Some(Some(told)) = stop.run_until_cancelled(turns.next()).await {
        for turn in told {
            let Ok(place) = room.clone().try_acquire_owned() else {
                tracing::warn!(way = %turn.0.way, "too much is on its way: somebody is not told that they are asked");
                continue;
            };
            let (app, sender) = (app.clone(), sender.clone());
            tokio::spawn(async move {
                app.closing.clone().run_until_cancelled(send(&app, &sender, &turn)).await;
                drop(place);
            });
        }
    }
}
        .boxed()
}

/// Sends, and tries again for as long as it is still to be told.
async fn send(app: &App, sender: &Sender, turn: &Telling) {
    let (notice, table, seat) = turn;
    let mut failing = notice.failing;
    for wait in [None].into_iter().chain(AGAIN.map(Some)) {
        if let Some(wait) = wait {
            time::sleep(wait).await;
            match app.play.look(table.id()).await {
                Ok(now) if now.game.ply() == table.game.ply() && now.game.awaits().contains(seat) => {}
                Ok(_) | Err(_) => return,
            }
        }
        let outcome = attempt(app, sender, turn).await;
        match app.play.note_delivery(&notice.id, failing, outcome).await {
            Ok(since) => failing = since,
            Err(error) => tracing::warn!(%error, "it is not written down whether somebody was told"),
        }
        if outcome != Delivery::Failed {
            return;
        }
    }
}

/// Sends once.
async fn attempt(app: &App, sender: &Sender, turn: &Telling) -> Delivery {
    let why = match envelope(app, turn).await {
        Err(why) => why,
        Ok(request) => match time::timeout(PATIENCE, sender.send(request)).await {
            Ok(Ok(status)) if status.is_success() => return Delivery::Arrived,
            Ok(Ok(status)) if status == 404 || status == 410 => return Delivery::Gone,
            Ok(Ok(status)) => format!("answered {status}"),
            Ok(Err(why)) => why,
            Err(_) => "no answer in time".to_owned(),
        },
    };
    tracing::info!(way = %turn.0.way, why, "somebody could not be told that they are asked");
    Delivery::Failed
}

/// The request that brings the news, by the way that was wished for.
async fn envelope(app: &App, (notice, table, seat): &Telling) -> Result<hyper::Request<Vec<u8>>, String> {
    let address: Uri = notice.address.parse().map_err(|_| "the address is none any more".to_owned())?;
    let Notice { secret, origin, .. } = notice;
    let base = Base::of_origin(origin.clone());
    match notice.way {
        Channel::Hook => hook::request(address, secret, &base, (table, *seat), app.play.now()),
        Channel::Push => {
            let key = app.play.signing_secret().await.map_err(|error| error.to_string())?;
            push::request(address, secret, &key, (table, *seat), (&base, app.play.now()))
        }
        Channel::Feed => Err("nothing is sent to a feed".to_owned()),
    }
}
