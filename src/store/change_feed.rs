//! Changes across processes on one PostgreSQL: each tells the others what it has committed, and hears what they have. A notice is only a
//! poke: the rows are the truth, and whoever missed some reads them.

use super::{Change, Digest, StoreError, read_queries::again};
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

/// The channel of PostgreSQL.
const CHANNEL: &str = "zorkmid_changes";
/// A notice holds at most 8,000 bytes; ids are short.
const MOST: usize = 30;
/// The word for no owner.
const NOBODY: &str = "-";
/// The time to wait where the database cannot be reached.
const BREATH: Duration = Duration::from_secs(1);

/// What is heard from other processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PeerMessage {
    /// A game has changed elsewhere.
    Change(Change),
    /// Something may have been missed: everything that matters is to be read again.
    Missed,
}

/// Tells the others what is committed here. A name of this process' own lets it pass over what it said itself.
pub(super) async fn tell(pool: AnyPool, name: String, mut changes: broadcast::Receiver<Change>) {
    while let Some(first) = next(&mut changes).await {
        let mut notice = name.clone();
        let mut all = vec![first];
        while let Ok(more) = changes.try_recv() {
            all.push(more);
            if all.len() == MOST {
                break;
            }
        }
        for Change { game, version, owners } in all {
            let owners: Vec<&str> = owners.iter().map(Digest::text).collect();
            notice +=
                &format!(" {version} {game} {}", if owners.is_empty() { NOBODY.to_owned() } else { owners.join(",") });
        }
        // Where the database is gone, whoever listens has noticed it too, and reads what changed.
        let _ = again(&pool, || notify(&pool, &notice)).await;
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
            // The others look for themselves now and then.
            Err(broadcast::error::RecvError::Lagged(_)) => {}
            Err(broadcast::error::RecvError::Closed) => return None,
        }
    }
}

/// Hears what the others tell, until nobody wants to know any more; whoever listens to the database knows when it is away.
pub(super) async fn hear(
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
                    said(notice.payload(), &name).into_iter().for_each(|change| {
                        let _ = heard.send(PeerMessage::Change(change));
                    });
                }
            }
            // The connection was lost, or there was none.
            away.store(true, Ordering::Relaxed);
            sleep(BREATH).await;
        }
    };
    tokio::select! {
        () = listening => {}
        _ = closed.wait_for(|closed| *closed) => {}
    }
}

async fn listener(url: &str) -> Result<PgListener, sqlx::Error> {
    let one = PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None).acquire_timeout(BREATH);
    let mut listener = PgListener::connect_with(&one.connect(url).await?).await?;
    listener.ignore_pool_close_event(true);
    listener.eager_reconnect(false);
    listener.listen(CHANNEL).await?;
    Ok(listener)
}

/// The changes in a notice of another process.
fn said(notice: &str, own: &str) -> Vec<Change> {
    let mut words = notice.split(' ');
    if words.next() == Some(own) {
        return Vec::new();
    }
    let mut changes = Vec::new();
    while let (Some(version), Some(game), Some(owners)) = (words.next(), words.next(), words.next()) {
        if let Ok(version) = version.parse() {
            let owners =
                owners.split(',').filter(|owner| *owner != NOBODY).map(|owner| Digest::stored(owner.to_owned()));
            changes.push(Change { game: game.to_owned(), version, owners: owners.collect() });
        }
    }
    changes
}
