//! Captured panics. The test of a broken law reports it once, with its place in the code. Planted faults are detected silently.

use std::{
    cell::{Cell, RefCell},
    panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook},
};

thread_local! {
    /// Nesting depth of captures in this thread.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// Last captured panic.
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Stops captured panics from printing.
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

/// Runs a function. Returns its result, or the message and place of its panic.
pub(crate) fn held<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    DEPTH.set(DEPTH.get() + 1);
    let ended = catch_unwind(AssertUnwindSafe(run));
    DEPTH.set(DEPTH.get() - 1);
    ended.map_err(|_| LAST.take())
}
