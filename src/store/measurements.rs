//! What bots found out about armies, written down as text.

use super::reply::{Reply, Undo};
use sqlx::{AnyConnection, Row, any::AnyRow, query};

/// The results of an army that bots tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measurement {
    /// The army.
    pub army: String,
    /// Its results, as text.
    pub pairs: String,
    /// When they were written down, in milliseconds since the epoch.
    pub time: i64,
}

/// The later results take the place of the earlier ones.
pub(super) const LATER: &str = "INSERT INTO measured (army, pairs, touched) VALUES ($1, $2, $3) \
                                ON CONFLICT (army) DO UPDATE SET pairs = excluded.pairs, touched = excluded.touched";
/// The first results stay.
pub(super) const FIRST: &str =
    "INSERT INTO measured (army, pairs, touched) VALUES ($1, $2, $3) ON CONFLICT (army) DO NOTHING";

/// Writes down results in either way.
pub(super) async fn measure(db: &mut AnyConnection, new: &Measurement, how: &'static str) -> Result<Reply<()>, Undo> {
    query(how).bind(&new.army).bind(&new.pairs).bind(new.time).execute(db).await?;
    Ok(Ok(()))
}

/// Reads `army, pairs, touched`.
pub(super) fn read(row: &AnyRow) -> Result<Measurement, sqlx::Error> {
    Ok(Measurement { army: row.try_get(0)?, pairs: row.try_get(1)?, time: row.try_get(2)? })
}
