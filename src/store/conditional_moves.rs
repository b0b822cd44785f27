//! Conditional moves of seats. The lines themselves are opaque here.

use super::{Store, StoreError, write_jobs::Job};
use sqlx::{AnyConnection, AnyPool, Row, any::AnyRow, query};

/// Conditional moves of a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConditionalMovesRow {
    /// The game.
    pub game: String,
    /// Name of the seat.
    pub seat: String,
    /// Ply at which the lines begin.
    pub ply: i64,
    /// Number of takebacks in the game when the lines were stored.
    pub takebacks: i64,
    /// The lines. Opaque here.
    pub lines: String,
}

/// Change to the conditional moves of a seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConditionalMovesUpdate {
    /// Stores lines in place of any earlier ones.
    Set(ConditionalMovesRow),
    /// Deletes the lines of a seat.
    Clear {
        /// The game.
        game: String,
        /// Name of the seat.
        seat: String,
    },
    /// Deletes these lines. Lines that have been stored since are left alone.
    End(ConditionalMovesRow),
}

/// Applies a change.
pub(super) async fn update(db: &mut AnyConnection, change: &ConditionalMovesUpdate) -> Result<(), sqlx::Error> {
    let change = match change {
        ConditionalMovesUpdate::Set(row) => query(
            "INSERT INTO conditional_moves (game, seat, ply, takebacks, lines) SELECT id, $2, $3, $4, $5 FROM game WHERE id = $1 \
             ON CONFLICT (game, seat) DO UPDATE SET ply = excluded.ply, takebacks = excluded.takebacks, lines = excluded.lines",
        )
        .bind(&row.game)
        .bind(&row.seat)
        .bind(row.ply)
        .bind(row.takebacks)
        .bind(&row.lines),
        ConditionalMovesUpdate::Clear { game, seat } => {
            query("DELETE FROM conditional_moves WHERE game = $1 AND seat = $2").bind(game).bind(seat)
        }
        ConditionalMovesUpdate::End(row) => query(
            "DELETE FROM conditional_moves WHERE game = $1 AND seat = $2 AND ply = $3 AND takebacks = $4 AND lines = $5",
        )
        .bind(&row.game)
        .bind(&row.seat)
        .bind(row.ply)
        .bind(row.takebacks)
        .bind(&row.lines),
    };
    change.execute(db).await?;
    Ok(())
}

fn row(row: &AnyRow) -> Result<ConditionalMovesRow, sqlx::Error> {
    Ok(ConditionalMovesRow {
        game: row.try_get(0)?,
        seat: row.try_get(1)?,
        ply: row.try_get(2)?,
        takebacks: row.try_get(3)?,
        lines: row.try_get(4)?,
    })
}

async fn of_game(pool: &AnyPool, game: &str) -> Result<Vec<ConditionalMovesRow>, StoreError> {
    let found = query("SELECT game, seat, ply, takebacks, lines FROM conditional_moves WHERE game = $1 ORDER BY seat");
    Ok(found.bind(game).fetch_all(pool).await?.iter().map(row).collect::<Result<_, _>>()?)
}

async fn overtaken(pool: &AnyPool, after: &str, limit: u32) -> Result<Vec<String>, StoreError> {
    let found = query(
        "SELECT DISTINCT game.id FROM conditional_moves JOIN game ON game.id = conditional_moves.game \
         WHERE game.id > $1 AND (game.ply <> conditional_moves.ply OR game.result IS NOT NULL) ORDER BY game.id LIMIT $2",
    );
    let found = found.bind(after).bind(i64::from(limit)).fetch_all(pool).await?;
    Ok(found.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?)
}

impl Store {
    /// Changes the conditional moves of a seat. Does nothing if the game does not exist.
    ///
    /// # Errors
    /// `Busy`, `Closed`.
    pub async fn update_conditional_moves(&self, change: ConditionalMovesUpdate) -> Result<(), StoreError> {
        self.write(Job::UpdateConditionalMoves, change).await
    }

    /// Lists the conditional moves of a game's seats.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn conditional_moves(&self, game: &str) -> Result<Vec<ConditionalMovesRow>, StoreError> {
        self.read(|| of_game(self.readers(), game)).await
    }

    /// Lists the ids of games that have moved on since conditional moves were stored, after `after` in order of id, at most `limit`.
    ///
    /// # Errors
    /// As [`Store::load`].
    pub async fn overtaken_conditional_moves(&self, after: &str, limit: u32) -> Result<Vec<String>, StoreError> {
        self.read(|| overtaken(self.readers(), after, limit)).await
    }
}
