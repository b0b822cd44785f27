//! Questions that are asked again because the connection on which they were asked had been cut.

use super::StoreError;
use sqlx::AnyPool;

/// Asks on other connections of a pool, as long as there may be another, where one had been cut without anybody knowing: all of them
/// may have been at once. What is asked must change nothing, or may be done twice.
pub(super) async fn again<A, Asked: Future<Output = Result<A, StoreError>>>(
    pool: &AnyPool,
    ask: impl Fn() -> Asked,
) -> Result<A, StoreError> {
    let mut others = pool.options().get_max_connections();
    loop {
        match ask().await {
            Err(StoreError::Away(_)) if others > 0 => others -= 1,
            answer => return answer,
        }
    }
}
