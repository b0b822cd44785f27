//! Pages that are the same for all viewers, each rendered once.

use axum::{body::Bytes, response::Html};
use quick_cache::sync::Cache;

/// Maximum number of pages kept. Without a configured public URL, each Host header has its own.
const MAX_PAGES: usize = 128;

/// Rendered pages. A key determines its page: the absolute address, and what else the page depends on.
pub(super) struct ConstantPages(Cache<(String, usize), Bytes>);

impl Default for ConstantPages {
    fn default() -> Self {
        ConstantPages(Cache::new(MAX_PAGES))
    }
}

impl ConstantPages {
    pub(super) fn get(&self, key: &(String, usize)) -> Option<Html<Bytes>> {
        self.0.get(key).map(Html)
    }

    pub(super) fn insert(&self, key: (String, usize), page: impl Into<Bytes>) -> Html<Bytes> {
        let page = page.into();
        self.0.insert(key, page.clone());
        Html(page)
    }
}
