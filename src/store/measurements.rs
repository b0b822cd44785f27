//! What bots found out about armies.

use super::{
    Measurement,
    reply::{Reply, Undo},
};
use sqlx::{AnyConnection, query};

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
