//! List of tables. Reads, writes and digests rows of any table without interpreting them.

use super::StoreError;
use sha2::{Digest as _, Sha256};
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{
    Any, AnyConnection, AnyPool, AssertSqlSafe, Column as _, Executor, Row as _, SqlSafeStr, Statement as _,
    TypeInfo as _, query,
};

/// A table that a site copy includes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CopiedTable {
    /// Name of the table.
    pub name: &'static str,
    /// Columns of the primary key. In a table of games, the first one is the game's id.
    pub key: &'static [&'static str],
    /// True if its rows belong to games.
    pub of_game: bool,
}

const fn of_game(name: &'static str, key: &'static [&'static str]) -> CopiedTable {
    CopiedTable { name, key, of_game: true }
}

const fn of_site(name: &'static str, key: &'static [&'static str]) -> CopiedTable {
    CopiedTable { name, key, of_game: false }
}

/// The copied tables, each after the tables it refers to.
pub const COPIED: [CopiedTable; 13] = [
    of_game("game", &["id"]),
    of_game("line", &["game", "at"]),
    of_game("seat", &["game", "seat"]),
    of_game("receipt", &["game", "seat", "key"]),
    of_game("review", &["game"]),
    of_game("conditional_moves", &["game", "seat"]),
    of_game("outbox", &["game", "notice", "seat"]),
    of_site("owner", &["key_hash"]),
    of_site("notice", &["id"]),
    of_site("outbox_key", &["owner"]),
    of_site("signer", &["one"]),
    of_site("puzzle", &["kind", "number"]),
    of_site("measured", &["army"]),
];

/// The tables that are not copied. `probe` holds one row, of which only the time is copied; `process` lists the
/// processes running on the database.
pub const NOT_COPIED: [&str; 2] = ["probe", "process"];

/// Column that refers to another game, which may be copied later.
pub(super) const REMATCH: &str = "rematch_of";

/// A column value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum StoredValue {
    Text(Option<String>),
    Number(Option<i64>),
}

/// A table with its columns in the database.
pub(super) struct Layout {
    pub(super) table: CopiedTable,
    /// Names of the columns. True marks text.
    columns: Vec<(String, bool)>,
}

impl Layout {
    /// Reads the columns of a table.
    pub(super) async fn read(pool: &AnyPool, table: CopiedTable) -> Result<Layout, StoreError> {
        let statement = format!("SELECT * FROM {}", table.name);
        let statement = pool.prepare(AssertSqlSafe(statement).into_sql_str()).await?;
        let columns = statement.columns().iter();
        let columns = columns.map(|column| (column.name().to_owned(), column.type_info().name() == "TEXT")).collect();
        Ok(Layout { table, columns })
    }

    fn names(&self) -> Vec<&str> {
        self.columns.iter().map(|(name, _)| name.as_str()).collect()
    }

    /// Statement that selects all rows, or in a table of games the rows of `games` games.
    pub(super) fn select(&self, games: usize) -> String {
        let statement = format!("SELECT {} FROM {}", self.names().join(", "), self.table.name);
        match self.table.of_game {
            true => format!("{statement} WHERE {} IN ({})", self.table.key[0], places(1, games)),
            false => statement,
        }
    }

    /// Game of a row, or the empty text.
    pub(super) fn game(&self, cells: &[StoredValue]) -> String {
        let game =
            self.columns.iter().zip(cells).find(|((name, _), _)| self.table.of_game && name == self.table.key[0]);
        match game {
            Some((_, StoredValue::Text(Some(game)))) => game.clone(),
            _ => String::new(),
        }
    }

    /// Reads a row.
    pub(super) fn cells(&self, row: &AnyRow) -> Result<Vec<StoredValue>, sqlx::Error> {
        let cell = |(index, (_, text)): (usize, &(String, bool))| match text {
            true => row.try_get(index).map(StoredValue::Text),
            false => row.try_get(index).map(StoredValue::Number),
        };
        self.columns.iter().enumerate().map(cell).collect()
    }

    /// Inserts or updates rows. Omits the link from a rematch to its game.
    pub(super) async fn write(&self, db: &mut AnyConnection, rows: &[Vec<StoredValue>]) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        let written: Vec<usize> = (0..self.columns.len()).filter(|at| self.columns[*at].0 != REMATCH).collect();
        let names: Vec<&str> = written.iter().map(|at| self.columns[*at].0.as_str()).collect();
        let changing: Vec<&str> = names.iter().copied().filter(|name| !self.table.key.contains(name)).collect();
        let each = |text: fn(&str, &str) -> String| {
            changing.iter().map(|name| text(self.table.name, name)).collect::<Vec<_>>()
        };
        let places: Vec<String> =
            (0..rows.len()).map(|row| format!("({})", places(1 + row * names.len(), names.len()))).collect();
        let statement = format!(
            "INSERT INTO {} ({}) VALUES {} ON CONFLICT ({}) DO UPDATE SET {} WHERE {}",
            self.table.name,
            names.join(", "),
            places.join(", "),
            self.table.key.join(", "),
            each(|_, name| format!("{name} = excluded.{name}")).join(", "),
            each(|table, name| format!("{table}.{name} IS DISTINCT FROM excluded.{name}")).join(" OR "),
        );
        let mut insert = query(AssertSqlSafe(statement)).persistent(false);
        for cell in rows.iter().flat_map(|row| written.iter().map(|at| &row[*at])) {
            insert = bind(insert, cell);
        }
        insert.execute(db).await?;
        Ok(())
    }

    /// Digest of a row.
    pub(super) fn digest(&self, cells: &[StoredValue]) -> [u8; 32] {
        let mut hash = Sha256::new();
        for cell in cells {
            match cell {
                StoredValue::Text(Some(text)) => {
                    hash.update([1]);
                    hash.update(text.len().to_le_bytes());
                    hash.update(text);
                }
                StoredValue::Number(Some(number)) => {
                    hash.update([2]);
                    hash.update(number.to_le_bytes());
                }
                StoredValue::Text(None) | StoredValue::Number(None) => hash.update([0]),
            }
        }
        hash.finalize().into()
    }
}

fn bind<'q>(query: Query<'q, Any, AnyArguments>, cell: &StoredValue) -> Query<'q, Any, AnyArguments> {
    match cell {
        StoredValue::Text(text) => query.bind(text.clone()),
        StoredValue::Number(number) => query.bind(*number),
    }
}

/// Placeholders for a statement: `$1, $2, $3`.
pub(super) fn places(first: usize, count: usize) -> String {
    let places: Vec<String> = (first..first + count).map(|place| format!("${place}")).collect();
    places.join(", ")
}
