//! The view that was asked for last: one page asks for it several times.

use std::sync::{Arc, Mutex, PoisonError};

use crate::rules::{Rules, Viewer};

/// The last view of a state, and whose it is. Whoever changes the state begins with an empty one.
#[derive(Debug)]
pub(super) struct Seen<R: Rules>(Mutex<Option<(Viewer, Arc<R::View>)>>);

impl<R: Rules> Default for Seen<R> {
    fn default() -> Self {
        Seen(Mutex::new(None))
    }
}

/// A copy of a game is made to be changed.
impl<R: Rules> Clone for Seen<R> {
    fn clone(&self) -> Self {
        Seen::default()
    }
}

impl<R: Rules> Seen<R> {
    /// The view of somebody, made if it was not the last one.
    pub(super) fn by(&self, viewer: Viewer, make: impl FnOnce() -> R::View) -> Arc<R::View> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, view)) = last.filter(|(whose, _)| *whose == viewer) {
            return view;
        }
        let view = Arc::new(make());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((viewer, view.clone()));
        view
    }
}
