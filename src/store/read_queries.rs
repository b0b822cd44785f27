//! Queries that change nothing.

use super::{
    Cursor, Digest, EndedGame, ExpiredClocks, GameRecord, GameRow, HeldSeat, Invitation, LineRow, Measurement,
    StoreError, results,
    rows::{self, game_columns},
};
use sqlx::{AnyPool, AssertSqlSafe, Row, any::AnyRow, query};

type Read<T> = Result<T, StoreError>;

/// Loads the row first, then the rest. Lines are only added, together with a new row version, so the row's line count
/// selects a consistent set without a transaction. A seat claimed in between may show early; its version follows.
pub(super) async fn load(pool: &AnyPool, id: &str) -> Read<Option<GameRecord>> {
    let mut db = pool.acquire().await?;
    let found = query(concat!("SELECT ", game_columns!(), " FROM game WHERE id = $1"));
    let Some(row) = found.bind(id).fetch_optional(&mut *db).await? else { return Ok(None) };
    let game = rows::game(&row)?;
    let lines =
        query("SELECT at, actor, text, time FROM line WHERE game = $1 AND at < $2 ORDER BY at").bind(id).bind(game.at);
    let lines = all(lines.fetch_all(&mut *db).await?, rows::line)?;
    let seats = query(
        "SELECT seat, token_hash, invite_hash, name, claimed, owner, expires, declined FROM seat \
         WHERE game = $1 ORDER BY seat",
    )
    .bind(id);
    let seats = all(seats.fetch_all(&mut *db).await?, rows::seat)?;
    let rematch = query("SELECT id FROM game WHERE rematch_of = $1").bind(id).fetch_optional(&mut *db).await?;
    let rematch = rematch.map(|row| row.try_get(0)).transpose()?;
    Ok(Some(GameRecord { game, seats, lines, rematch }))
}

pub(super) async fn game(pool: &AnyPool, id: &str) -> Read<Option<GameRow>> {
    let found = query(concat!("SELECT ", game_columns!(), " FROM game WHERE id = $1"));
    Ok(found.bind(id).fetch_optional(pool).await?.map(|row| rows::game(&row)).transpose()?)
}

pub(super) async fn lines(pool: &AnyPool, id: &str, from: i64) -> Read<Vec<LineRow>> {
    let found = query("SELECT at, actor, text, time FROM line WHERE game = $1 AND at >= $2 ORDER BY at");
    all(found.bind(id).bind(from).fetch_all(pool).await?, rows::line)
}

pub(super) async fn receipt(pool: &AnyPool, game: &str, seat: &str, key: &str) -> Read<Option<String>> {
    let found = query("SELECT outcome FROM receipt WHERE game = $1 AND seat = $2 AND key = $3");
    let row = found.bind(game).bind(seat).bind(key).fetch_optional(pool).await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

pub(super) async fn measured(pool: &AnyPool, army: &str) -> Read<Option<String>> {
    let row = query("SELECT pairs FROM measured WHERE army = $1").bind(army).fetch_optional(pool).await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

pub(super) async fn measurements(pool: &AnyPool) -> Read<Vec<Measurement>> {
    let found = query("SELECT army, pairs, touched FROM measured ORDER BY touched, army");
    all(found.fetch_all(pool).await?, results::measurement)
}

pub(super) async fn invitation(pool: &AnyPool, code: &Digest) -> Read<Option<Invitation>> {
    let found = query("SELECT game, seat, claimed FROM seat WHERE invite_hash = $1").bind(code.text());
    let Some(row) = found.fetch_optional(pool).await? else { return Ok(None) };
    Ok(Some(Invitation { game: row.try_get(0)?, seat: row.try_get(1)?, claimed: row.try_get(2)? }))
}

pub(super) async fn lobby(
    pool: &AnyPool,
    now: i64,
    variant: Option<&str>,
    after: Option<&Cursor>,
    limit: i64,
) -> Read<Vec<GameRow>> {
    let (created, id) = after.map_or((i64::MAX, ""), |cursor| (cursor.created, cursor.id.as_str()));
    let found = query(concat!(
        "SELECT ",
        game_columns!(),
        " FROM game WHERE open = 1 AND result IS NULL AND (created < $1 OR (created = $1 AND id < $2)) \
         AND (seeking IS NULL OR seeking > $5) AND ($4 = '' OR variant = $4) ORDER BY created DESC, id DESC LIMIT $3"
    ));
    let found = found.bind(created).bind(id).bind(limit).bind(variant.unwrap_or_default()).bind(now);
    all(found.fetch_all(pool).await?, rows::game)
}

pub(super) async fn abandoned_seeks(pool: &AnyPool, now: i64, limit: i64) -> Read<Vec<String>> {
    // Must match the condition of the index literally.
    let found = query(
        "SELECT id FROM game WHERE open = 1 AND result IS NULL AND seeking IS NOT NULL AND seeking <= $1 \
         ORDER BY seeking LIMIT $2",
    );
    all(found.bind(now).bind(limit).fetch_all(pool).await?, |row| row.try_get(0))
}

pub(super) async fn expired_challenges(pool: &AnyPool, now: i64, limit: i64) -> Read<Vec<String>> {
    let found = query(
        "SELECT game FROM seat WHERE expires IS NOT NULL AND expires <= $1 AND finished IS NULL \
         ORDER BY expires LIMIT $2",
    );
    all(found.bind(now).bind(limit).fetch_all(pool).await?, |row| row.try_get(0))
}

pub(super) async fn running(pool: &AnyPool, variant: Option<&str>, since: i64, limit: i64) -> Read<Vec<GameRow>> {
    let found = query(concat!(
        "SELECT ",
        game_columns!(),
        // Must match the condition of the index literally.
        " FROM game WHERE result IS NULL AND public = 1 AND open = 0 AND version > 0 AND ply > 0 AND touched >= $1 \
         AND ($3 = '' OR variant = $3) ORDER BY touched DESC, id DESC LIMIT $2"
    ));
    all(found.bind(since).bind(limit).bind(variant.unwrap_or_default()).fetch_all(pool).await?, rows::game)
}

pub(super) async fn ended_public(pool: &AnyPool, after: &EndedGame, until: i64, limit: i64) -> Read<Vec<EndedGame>> {
    // Must match the condition of the index literally.
    let found = query(
        "SELECT finished, id FROM game WHERE public = 1 AND finished IS NOT NULL AND finished >= $1 AND finished < $3 \
         AND (finished > $1 OR id > $2) AND ply > 0 ORDER BY finished, id LIMIT $4",
    );
    let found = found.bind(after.finished).bind(&after.id).bind(until).bind(limit);
    all(found.fetch_all(pool).await?, |row| Ok(EndedGame { finished: row.try_get(0)?, id: row.try_get(1)? }))
}

pub(super) async fn due(
    pool: &AnyPool,
    by: i64,
    after: Option<&ExpiredClocks>,
    limit: i64,
) -> Read<Vec<ExpiredClocks>> {
    let (due, id) = after.map_or((i64::MIN, ""), |after| (after.due, after.game.as_str()));
    let found = query(
        "SELECT id, due FROM game WHERE due <= $1 AND result IS NULL AND (due > $2 OR (due = $2 AND id > $3)) \
         ORDER BY due, id LIMIT $4",
    );
    all(found.bind(by).bind(due).bind(id).bind(limit).fetch_all(pool).await?, |row| {
        Ok(ExpiredClocks { game: row.try_get(0)?, due: row.try_get(1)? })
    })
}

pub(super) async fn alive(pool: &AnyPool) -> Read<i64> {
    Ok(query("SELECT time FROM probe").fetch_one(pool).await?.try_get(0)?)
}

/// Returns a unique name for this process: its connection's process id and the current time on the server.
pub(super) async fn backend(pool: &AnyPool) -> Read<String> {
    let name =
        query("SELECT CONCAT(pg_backend_pid(), '.', CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT))");
    Ok(name.fetch_one(pool).await?.try_get(0)?)
}

/// Time on the PostgreSQL server, in milliseconds since the epoch.
pub(super) async fn clock(pool: &AnyPool) -> Read<i64> {
    let now = query("SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)");
    Ok(now.fetch_one(pool).await?.try_get(0)?)
}

/// Reads only the newest seats of the key, which may own many.
pub(super) async fn held(pool: &AnyPool, tokens: &[Digest], key: Option<&Digest>, limit: u32) -> Read<Vec<HeldSeat>> {
    if tokens.is_empty() && key.is_none() {
        return Ok(Vec::new());
    }
    // Only the limit and the number of placeholders vary. The digests are bound as parameters. PostgreSQL refuses an empty list.
    let places: String = (2..2 + tokens.len()).map(|place| format!(", ${place}")).collect();
    let statement = format!(
        concat!(
            "SELECT ",
            game_columns!(),
            ", held.seat FROM (SELECT game, seat, created FROM seat WHERE token_hash IN (NULL{places}) UNION \
             SELECT game, seat, created FROM (SELECT game, seat, created FROM seat WHERE owner = $1 AND claimed IS NOT NULL \
             ORDER BY created DESC, game DESC LIMIT {limit}) AS owned) AS held JOIN game ON game.id = held.game \
             ORDER BY held.created DESC, held.game DESC, held.seat LIMIT {limit}"
        ),
        places = places,
        limit = limit
    );
    let found = query(AssertSqlSafe(statement)).bind(key.map(Digest::text));
    let found = tokens.iter().fold(found, |found, token| found.bind(token.text()));
    all(found.persistent(false).fetch_all(pool).await?, rows::held)
}

fn all<T>(found: Vec<AnyRow>, read: impl Fn(&AnyRow) -> Result<T, sqlx::Error>) -> Read<Vec<T>> {
    Ok(found.iter().map(read).collect::<Result<_, _>>()?)
}

/// Repeats a query on other connections after a connection failure, because all pooled connections may have broken at
/// once. The query must be read-only or safe to repeat.
pub(super) async fn retry_disconnected<A, Asked: Future<Output = Result<A, StoreError>>>(
    pool: &AnyPool,
    ask: impl Fn() -> Asked,
) -> Result<A, StoreError> {
    let mut others = pool.options().get_max_connections();
    loop {
        match ask().await {
            Err(StoreError::Disconnected(_)) if others > 0 => others -= 1,
            answer => return answer,
        }
    }
}
