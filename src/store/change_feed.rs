//! Changes across processes on one PostgreSQL. Each process publishes its own commits and receives those of the others. A
//! notification is only a hint. The rows are the truth, and a process that misses a notification reads them.

use super::{Change, Digest, StoreError, read_queries::retry_disconnected};
use sqlx::{
    AnyPool,
    postgres::{PgListener, PgPoolOptions},
    query,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::{broadcast, watch},
    time::sleep,
};

/// PostgreSQL notification channel.
const CHANNEL: &str = "zorkmid_changes";
/// Maximum number of changes in one notification, whose payload PostgreSQL limits to 8,000 bytes. Ids are short.
const MAX_CHANGES: usize = 30;
/// Placeholder for an empty list of owners.
const NO_OWNER: &str = "-";
/// Delay before reconnecting.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Message from another process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PeerMessage {
    /// Another process changed a game.
    Change(Change),
    /// Notifications may have been lost: reload all cached state.
    Missed,
}

/// Publishes local commits. `name` identifies this process, so that it can skip its own notifications.
pub(super) async fn publish(pool: AnyPool, name: String, mut changes: broadcast::Receiver<Change>) {
    while let Some(first) = next(&mut changes).await {
        let mut notice = name.clone();
        let mut all = vec![first];
        while let Ok(more) = changes.try_recv() {
            all.push(more);
            if all.len() == MAX_CHANGES {
                break;
            }
        }
        for Change { game, version, owners } in all {
            let owners: Vec<&str> = owners.iter().map(Digest::text).collect();
            notice += &format!(
                " {version} {game} {}",
                if owners.is_empty() { NO_OWNER.to_owned() } else { owners.join(",") }
            );
        }
        // If the database is unreachable, the receivers notice it too and reload.
        let _ = retry_disconnected(&pool, || notify(&pool, &notice)).await;
    }
}

async fn notify(pool: &AnyPool, notice: &str) -> Result<(), StoreError> {
    query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(notice).execute(pool).await?;
    Ok(())
}

async fn next(changes: &mut broadcast::Receiver<Change>) -> Option<Change> {
    loop {
        match changes.recv().await {
            Ok(change) => return Some(change),
            // Other processes also poll from time to time.
            Err(broadcast::error::RecvError::Lagged(_)) => {}
            Err(broadcast::error::RecvError::Closed) => return None,
        }
    }
}

/// Receives changes from other processes until `closed` is set. Sets `away` while the database is unreachable.
pub(super) async fn receive(
    url: String,
    name: String,
    heard: broadcast::Sender<PeerMessage>,
    away: Arc<AtomicBool>,
    mut closed: watch::Receiver<bool>,
) {
    let listening = async {
        loop {
            if let Ok(mut listener) = listener(&url).await {
                away.store(false, Ordering::Relaxed);
                let _ = heard.send(PeerMessage::Missed);
                while let Ok(Some(notice)) = listener.try_recv().await {
                    parse_notification(notice.payload(), &name).into_iter().for_each(|change| {
                        let _ = heard.send(PeerMessage::Change(change));
                    });
                }
            }
            // The connection failed or was lost.
            away.store(true, Ordering::Relaxed);
            sleep(RETRY_DELAY).await;
        }
    };
    tokio::select! {
        () = listening => {}
        _ = closed.wait_for(|closed| *closed) => {}
    }
}

async fn listener(url: &str) -> Result<PgListener, sqlx::Error> {
    let one =
        PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None).acquire_timeout(RETRY_DELAY);
    let mut listener = PgListener::connect_with(&one.connect(url).await?).await?;
    listener.ignore_pool_close_event(true);
    listener.eager_reconnect(false);
    listener.listen(CHANNEL).await?;
    Ok(listener)
}

/// Parses a notification. Returns nothing for this process's own.
fn parse_notification(notice: &str, own: &str) -> Vec<Change> {
    let mut words = notice.split(' ');
    if words.next() == Some(own) {
        return Vec::new();
    }
    let mut changes = Vec::new();
    while let (Some(version), Some(game), Some(owners)) = (words.next(), words.next(), words.next()) {
        if let Ok(version) = version.parse() {
            let owners =
                owners.split(',').filter(|owner| *owner != NO_OWNER).map(|owner| Digest::stored(owner.to_owned()));
            changes.push(Change { game: game.to_owned(), version, owners: owners.collect() });
        }
    }
    changes
}
