//! The view that was asked for last: one page asks for it several times.

use std::sync::{Arc, Mutex, PoisonError};

use crate::rules::{Viewer, any_game::GameView};

/// The last view of a state, and whose it is. Whoever changes the state begins with an empty one.
#[derive(Debug)]
pub(super) struct Seen(Mutex<Option<(Viewer, Arc<GameView>)>>);

impl Default for Seen {
    fn default() -> Self {
        Seen(Mutex::new(None))
    }
}

/// A copy of a game is made to be changed.
impl Clone for Seen {
    fn clone(&self) -> Self {
        Seen::default()
    }
}

impl Seen {
    /// The view of somebody, made if it was not the last one.
    pub(super) fn by(&self, viewer: Viewer, make: impl FnOnce() -> GameView) -> Arc<GameView> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, view)) = last.filter(|(whose, _)| *whose == viewer) {
            return view;
        }
        let view = Arc::new(make());
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((viewer, view.clone()));
        view
    }
}
