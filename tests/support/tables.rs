//! Endgame tables shared by all tests of a crate.

use std::sync::{Arc, LazyLock};

use zorkmid_endgames::Tables;

static TABLES: LazyLock<Arc<Tables>> = LazyLock::new(Arc::default);

/// The tables, each solved at most once.
pub(crate) fn tables() -> Arc<Tables> {
    TABLES.clone()
}
