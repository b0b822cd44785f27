//! A list that only grows, newest first, of which copies cost nothing: bots copy a game thousands of times.

use std::sync::Arc;

struct Link<T> {
    item: T,
    older: Log<T>,
}

/// A shared list.
pub(super) struct Log<T> {
    head: Option<Arc<Link<T>>>,
    len: usize,
}

impl<T> Log<T> {
    /// An empty list.
    pub(super) fn new() -> Self {
        Log { head: None, len: 0 }
    }

    /// Adds an item.
    pub(super) fn push(&mut self, item: T) {
        let older = std::mem::replace(self, Log::new());
        self.len = older.len + 1;
        self.head = Some(Arc::new(Link { item, older }));
    }

    /// The items, the newest first.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        let mut at = self.head.as_deref();
        std::iter::from_fn(move || {
            let link = at?;
            at = link.older.head.as_deref();
            Some(&link.item)
        })
    }
}

impl<T> Clone for Log<T> {
    fn clone(&self) -> Self {
        Log { head: self.head.clone(), len: self.len }
    }
}

impl<T: PartialEq> PartialEq for Log<T> {
    fn eq(&self, other: &Self) -> bool {
        let same = match (&self.head, &other.head) {
            (Some(one), Some(two)) => Arc::ptr_eq(one, two),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        same || self.len == other.len && self.iter().eq(other.iter())
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for Log<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Link by link, so that a long list does not need a deep stack.
impl<T> Drop for Log<T> {
    fn drop(&mut self) {
        let mut next = self.head.take();
        while let Some(mut link) = next.and_then(Arc::into_inner) {
            next = link.older.head.take();
        }
    }
}
