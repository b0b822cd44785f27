//! What can take long is worked out apart from the threads that answer everybody: so much at a time that a processor is left for them, and
//! for each address one thing at a time, so that whoever asks for much waits behind themselves.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::Error;

/// The requests of one address that may wait or be worked on.
const LINE: usize = 32;

/// The requests of one address.
struct Line {
    /// Held by the one that is worked on, or will be next.
    turn: Arc<Semaphore>,
    waiting: usize,
}

/// The threads, and who waits for them.
pub struct Pool {
    threads: Arc<Semaphore>,
    lines: Arc<Lines>,
}

#[derive(Default)]
struct Lines(Mutex<HashMap<IpAddr, Line>>);

impl Lines {
    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, Line>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place in the line of an address, until it is dropped.
struct Place {
    lines: Arc<Lines>,
    from: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut lines = self.lines.lock();
        if let Some(line) = lines.get_mut(&self.from) {
            line.waiting -= 1;
            if line.waiting == 0 {
                lines.remove(&self.from);
            }
        }
    }
}

impl Pool {
    /// A pool of so many threads.
    pub fn new(threads: usize) -> Pool {
        Pool { threads: Arc::new(Semaphore::new(threads.max(1))), lines: Arc::default() }
    }

    /// Works something out for an address, or for nobody in particular. Whoever goes away has it worked out to its end nevertheless, and
    /// keeps their place in the line so long.
    ///
    /// # Errors
    /// `Busy` if as much as may wait waits for this address already; `Broken` if the work panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        from: Option<IpAddr>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let place = match from {
            Some(from) => Some(self.line_up(from).await?),
            None => None,
        };
        let thread = self.threads.clone().acquire_owned().await.map_err(|_| Error::Busy)?;
        let worked = tokio::task::spawn_blocking(move || {
            let worked = work();
            drop((thread, place));
            worked
        });
        worked.await.map_err(|why| Error::Broken(why.to_string()))
    }

    /// Waits until this is the first request of its address.
    async fn line_up(&self, from: IpAddr) -> Result<(OwnedSemaphorePermit, Place), Error> {
        let (turn, place) = {
            let mut lines = self.lines.lock();
            let line = lines.entry(from).or_insert_with(|| Line { turn: Arc::new(Semaphore::new(1)), waiting: 0 });
            if line.waiting >= LINE {
                return Err(Error::Busy);
            }
            line.waiting += 1;
            (line.turn.clone(), Place { lines: self.lines.clone(), from })
        };
        let turn = turn.acquire_owned().await.map_err(|_| Error::Busy)?;
        Ok((turn, place))
    }
}
