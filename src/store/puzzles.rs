//! How often puzzles were tried and solved.

use super::StoreError;
use sqlx::{AnyConnection, AnyPool, Row, query};

/// An answer to a puzzle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The kind of puzzle. Opaque here.
    pub kind: String,
    /// Which one of its kind.
    pub number: u32,
    /// Whether the answer was right.
    pub solved: bool,
}

/// How often a puzzle was tried, and how often it was solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Attempts {
    /// The answers.
    pub tried: i64,
    /// The right ones among them.
    pub solved: i64,
}

/// Counts an answer.
pub(super) async fn count(db: &mut AnyConnection, attempt: &Attempt) -> Result<(), sqlx::Error> {
    let counted = "INSERT INTO puzzle (kind, number, tried, solved) VALUES ($1, $2, 1, $3) \
                   ON CONFLICT (kind, number) DO UPDATE SET tried = puzzle.tried + 1, solved = puzzle.solved + $3";
    let counted = query(counted).bind(&attempt.kind).bind(i64::from(attempt.number));
    counted.bind(i64::from(attempt.solved)).execute(db).await.map(drop)
}

/// The answers to a puzzle so far.
pub(super) async fn find(pool: &AnyPool, kind: &str, number: u32) -> Result<Attempts, StoreError> {
    let found = query("SELECT tried, solved FROM puzzle WHERE kind = $1 AND number = $2");
    let row = found.bind(kind).bind(i64::from(number)).fetch_optional(pool).await?;
    let Some(row) = row else { return Ok(Attempts::default()) };
    Ok(Attempts { tried: row.try_get(0)?, solved: row.try_get(1)? })
}
