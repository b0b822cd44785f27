//! Panics that are held. A broken law is told once, by the test of that law, with the place in the code; planted faults are found
//! without a word.

use std::{
    cell::{Cell, RefCell},
    panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook},
};

thread_local! {
    /// How many times panics of this thread are held.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// The last one that was.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// From now on held panics print nothing.
pub(crate) fn hold_panics() {
    let usual = take_hook();
    set_hook(Box::new(move |panic: &PanicHookInfo| {
        if DEPTH.get() == 0 {
            usual(panic);
        } else {
            LAST.set(panic.to_string());
        }
    }));
}

/// What comes of this, or the words and the place of its panic.
pub(crate) fn held<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    DEPTH.set(DEPTH.get() + 1);
    let ended = catch_unwind(AssertUnwindSafe(run));
    DEPTH.set(DEPTH.get() - 1);
    ended.map_err(|_| LAST.take())
}
