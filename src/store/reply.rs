//! What a job comes to: an answer, a refusal that has written nothing, or a transaction that has to be undone.

use super::StoreError;

/// The transaction has to be rolled back, and why.
pub(super) struct Undo(pub(super) StoreError);

impl From<sqlx::Error> for Undo {
    fn from(error: sqlx::Error) -> Undo {
        // Two transactions drew the same id or code at once; one after the other, the second is refused before it writes.
        match &error {
            sqlx::Error::Database(said) if said.is_unique_violation() => Undo(StoreError::Taken),
            _ => Undo(error.into()),
        }
    }
}

/// An answer, or why it was refused.
pub(super) type Reply<A> = Result<A, StoreError>;
