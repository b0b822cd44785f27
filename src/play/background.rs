//! Threads for what takes long, of a lower priority than those that answer everybody: where both want a processor, whoever waits for a page
//! comes first.

use tokio::sync::oneshot;

use super::Error;

/// The `nice` value of these threads above that of the process.
const NICE: i32 = 10;

/// Works something out on a thread of its own. Nothing here says how many there are at a time: callers hold what bounds them inside `work`.
/// It is worked out to its end also if nobody waits for it any more.
///
/// # Errors
/// `Busy` if there is no thread to be had; `Broken` if the work panicked.
pub async fn background<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Error> {
    let (answer, worked) = oneshot::channel();
    let asked = tracing::Span::current();
    let thread = std::thread::Builder::new().name("background".to_owned()).spawn(move || {
        lower_priority(NICE);
        // Whoever asked may have gone.
        let _ = answer.send(asked.in_scope(work));
    });
    if let Err(cause) = thread {
        tracing::error!(%cause, "no thread for what takes long");
        return Err(Error::Busy);
    }
    // The log has been told where; the words of a panic may be somebody's input.
    worked.await.map_err(|_| Error::Broken("work that takes long broke off".to_owned()))
}

/// Lowers the priority of this thread. Linux counts it for each thread; elsewhere it would be that of the whole process, which stays as it is.
pub(super) fn lower_priority(nice: i32) {
    if cfg!(target_os = "linux") && nice > 0 {
        // Where the system refuses, the thread only competes more.
        let _ = rustix::process::nice(nice);
    }
}

/// Lets whoever waits for a page have the processor. Where nobody waits it costs less than a microsecond. A lower priority alone does not do
/// it: once it runs, a thread is left alone until the scheduler looks again, which can be four milliseconds later.
pub fn give_way() {
    std::thread::yield_now();
}
