//! What can take long is worked out apart from the threads that answer everybody: so much at a time that a processor is left for them, and
//! for each address one thing at a time, so that whoever asks for much waits behind themselves.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Error, background};

/// The requests of one address that may wait or be worked on.
const LONGEST: usize = 256;

/// The requests of one address.
struct Queue {
    /// Held by the one that is worked on, or will be next.
    turn: Arc<Semaphore>,
    waiting: usize,
}

/// The threads, and who waits for them.
pub struct Pool {
    threads: Arc<Semaphore>,
    queues: Arc<Queues>,
}

#[derive(Default)]
struct Queues(Mutex<HashMap<IpAddr, Queue>>);

impl Queues {
    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, Queue>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A place in the queue of an address, until it is dropped.
struct Queued {
    queues: Arc<Queues>,
    from: IpAddr,
}

impl Drop for Queued {
    fn drop(&mut self) {
        let mut queues = self.queues.lock();
        if let Some(queue) = queues.get_mut(&self.from) {
            queue.waiting -= 1;
            if queue.waiting == 0 {
                queues.remove(&self.from);
            }
        }
    }
}

impl Pool {
    /// A pool of so many threads.
    pub fn new(threads: usize) -> Pool {
        Pool { threads: Arc::new(Semaphore::new(threads.max(1))), queues: Arc::default() }
    }

    /// Works something out for an address, or for nobody in particular. Whoever goes away has it worked out to its end nevertheless, and
    /// keeps their place in the queue so long.
    ///
    /// # Errors
    /// `Busy` if as much as may wait waits for this address already; `Broken` if the work panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        from: Option<IpAddr>,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let place = match from {
            Some(from) => Some(self.queue_up(from).await?),
            None => None,
        };
        let thread = self.threads.clone().acquire_owned().await.map_err(|_| Error::Busy)?;
        background(move || {
            // Dropped also where the work panics.
            let _held = (thread, place);
            work()
        })
        .await
    }

    /// Waits until this is the first request of its address.
    async fn queue_up(&self, from: IpAddr) -> Result<(OwnedSemaphorePermit, Queued), Error> {
        let (turn, place) = {
            let mut queues = self.queues.lock();
            let queue = queues.entry(from).or_insert_with(|| Queue { turn: Arc::new(Semaphore::new(1)), waiting: 0 });
            if queue.waiting >= LONGEST {
                return Err(Error::Busy);
            }
            queue.waiting += 1;
            (queue.turn.clone(), Queued { queues: self.queues.clone(), from })
        };
        let turn = turn.acquire_owned().await.map_err(|_| Error::Busy)?;
        Ok((turn, place))
    }
}
