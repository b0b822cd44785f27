//! Kinds of write jobs, each run inside a transaction of the writer. A refused job has written nothing, so its
//! transaction may go on. A job that fails with [`Undo`] may have written, so its transaction must be rolled back.

use super::{
    Append, Appended, Attempt, BotSearch, ChallengeAnswer, Change, Claim, ClaimedSeat, ConditionalMovesUpdate, Digest,
    GameReview, Handover, Heartbeat, Measurement, NewGame, NewNotice, NewOwner, NoticeUpdate, OutboxSearch, OwnerSwap,
    Peer, PendingBot, Presence, Purge, RecordedTurns, Registration, RegistrationResult, Renewal, ReviewRequest, Seek,
    Settlement, StoreError, conditional_moves, games, maintenance, notifications,
    outbox::{self, ClaimAttempt},
    peers, player_keys, results,
    rows::{Reply, Undo},
    seats,
};
use serde::Serialize;
use sqlx::{AnyConnection, Row, query};
use std::collections::HashMap;
use tokio::sync::oneshot;

/// Batch version of `games::append`: appends to each game only from the expected slot, and only if the key is new.
/// Games are locked in order of id, so that two processes cannot deadlock. The condition on the array makes PostgreSQL
/// use the index on ids whatever its estimate of the list's length.
const APPEND: &str = "\
    WITH new AS (SELECT * FROM json_to_recordset(CAST($1 AS json)) AS new (game TEXT, at BIGINT, next BIGINT, ply BIGINT, due BIGINT, \
        result TEXT, finished BIGINT, touched BIGINT, asked BIGINT, thinker TEXT, seat TEXT, key TEXT, outcome TEXT)), \
    locked AS (SELECT id FROM game WHERE id = ANY (ARRAY(SELECT game FROM new)) ORDER BY id FOR UPDATE), \
    moved AS (UPDATE game SET at = new.next, version = game.version + 1, ply = new.ply, due = new.due, \
        result = COALESCE(new.result, game.result), finished = COALESCE(new.finished, game.finished), touched = new.touched, \
        asked = new.asked, thinker = CASE WHEN new.asked IS NULL THEN NULL ELSE COALESCE(game.thinker, new.thinker) END \
        FROM new JOIN locked ON locked.id = new.game \
        WHERE game.id = new.game AND game.at = new.at AND game.id = ANY (ARRAY(SELECT game FROM new)) AND NOT EXISTS \
        (SELECT 1 FROM receipt WHERE receipt.game = new.game AND receipt.seat = new.seat AND receipt.key = new.key) \
        RETURNING game.id, game.at, game.version), \
    lines AS (INSERT INTO line (game, at, actor, text, time) SELECT new.game, new.at, new.actor, new.text, new.time \
        FROM json_to_recordset(CAST($2 AS json)) AS new (game TEXT, at BIGINT, actor TEXT, text TEXT, time BIGINT) \
        JOIN moved ON moved.id = new.game), \
    receipts AS (INSERT INTO receipt (game, seat, key, outcome, at) SELECT new.game, new.seat, new.key, new.outcome, new.next \
        FROM new JOIN moved ON moved.id = new.game WHERE new.key IS NOT NULL), \
    reviews AS (INSERT INTO review (game, asked) SELECT new.game, new.finished \
        FROM new JOIN moved ON moved.id = new.game WHERE new.finished IS NOT NULL ON CONFLICT (game) DO NOTHING), \
    seats AS (UPDATE seat SET finished = new.finished FROM new JOIN moved ON moved.id = new.game \
        WHERE seat.game = new.game AND seat.game = ANY (ARRAY(SELECT game FROM new WHERE finished IS NOT NULL))) \
    SELECT id, at, version FROM moved";

/// A job's input, its result so far, and the channel for the reply after the commit.
pub(super) struct Request<Q, A> {
    input: Q,
    answer: Option<Reply<A>>,
    reply: oneshot::Sender<Reply<A>>,
}

impl<Q, A> Request<Q, A> {
    pub(super) fn new(ask: Q) -> (Request<Q, A>, oneshot::Receiver<Reply<A>>) {
        let (reply, answered) = oneshot::channel();
        (Request { input: ask, answer: None, reply }, answered)
    }

    /// The caller may have gone away. A committed write stays.
    fn reply(self, failed: Option<StoreError>) {
        let answer = failed.map(Err).or(self.answer).unwrap_or(Err(StoreError::Closed));
        let _ = self.reply.send(answer);
    }
}

/// A unit of work for the writer.
pub(super) enum Job {
    /// Returns the new version of the original game if this is a rematch.
    Create(Request<NewGame, Option<i64>>),
    Append(Request<Append, Appended>),
    Claim(Request<Claim, ClaimedSeat>),
    /// Returns the game's new version.
    Renew(Request<Renewal, i64>),
    /// Returns false if the game has left the lobby before.
    Seek(Request<Seek, bool>),
    /// Returns the game's new version; `None` if the key can no longer answer.
    AnswerChallenge(Request<ChallengeAnswer, Option<i64>>),
    UpdateConditionalMoves(Request<ConditionalMovesUpdate, ()>),
    /// Stores a heartbeat, or the last one again.
    Probe(Request<Option<i64>, ()>),
    Measure(Request<Measurement, ()>),
    /// Writes results only if there are none.
    BeginMeasuring(Request<Measurement, ()>),
    Attempt(Request<Attempt, ()>),
    /// Returns all live processes.
    Attend(Request<Heartbeat, Vec<Peer>>),
    Leave(Request<String, ()>),
    Take(Request<BotSearch, Vec<PendingBot>>),
    /// Records that no bot is to move at this version of a game.
    Settle(Request<PendingBot, ()>),
    /// Returns true if the game is queued or reviewed.
    AskReview(Request<ReviewRequest, bool>),
    /// Returns the game's new version.
    KeepReview(Request<GameReview, Option<i64>>),
    /// Returns the ids of the deleted games.
    Purge(Request<Purge, Vec<String>>),
    BeginOwner(Request<NewOwner, ()>),
    Register(Request<Registration, RegistrationResult>),
    AttendOwner(Request<Presence, ()>),
    /// Returns the game's new version.
    HandOver(Request<Handover, Option<i64>>),
    /// Returns the key's running games with their new versions; `None` if the key does not exist.
    SwapOwner(Request<OwnerSwap, Option<Vec<(String, i64)>>>),
    /// Returns false if the key has reached its limit.
    BeginNotice(Request<NewNotice, bool>),
    /// Returns true if the target exists.
    Note(Request<NoticeUpdate, bool>),
    /// Returns true if this version was not recorded before.
    RecordTurns(Request<RecordedTurns, bool>),
    ClaimNotification(Request<OutboxSearch, ClaimAttempt>),
    SettleNotification(Request<Settlement, ()>),
    /// Returns the stored secret.
    Sign(Request<String, String>),
}

impl Job {
    /// Runs the job's statements. It may run again after a rollback.
    pub(super) async fn run(&mut self, db: &mut AnyConnection) -> Result<(), Undo> {
        match self {
            Job::Create(asked) => asked.answer = Some(games::create(db, &asked.input).await?),
            Job::Append(asked) => asked.answer = Some(games::append(db, &asked.input).await?),
            Job::Claim(asked) => asked.answer = Some(seats::claim(db, &asked.input).await?),
            Job::Renew(asked) => asked.answer = Some(seats::renew(db, &asked.input).await?),
            Job::Seek(asked) => asked.answer = Some(Ok(seats::seek(db, &asked.input).await?)),
            Job::AnswerChallenge(asked) => asked.answer = Some(Ok(seats::answer_challenge(db, &asked.input).await?)),
            Job::UpdateConditionalMoves(asked) => {
                asked.answer = Some(Ok(conditional_moves::update(db, &asked.input).await?));
            }
            Job::Probe(asked) => {
                // SQLite does not write an unchanged page, and would not notice a full disk.
                let write = "UPDATE probe SET one = -one, time = COALESCE($1, time)";
                query(write).bind(asked.input).execute(db).await?;
                asked.answer = Some(Ok(()));
            }
            Job::Measure(asked) => asked.answer = Some(results::measure(db, &asked.input, results::LATER).await?),
            Job::BeginMeasuring(asked) => {
                asked.answer = Some(results::measure(db, &asked.input, results::FIRST).await?)
            }
            Job::Attempt(asked) => asked.answer = Some(Ok(results::count_attempt(db, &asked.input).await?)),
            Job::Attend(asked) => asked.answer = Some(Ok(peers::attend(db, &asked.input).await?)),
            Job::Leave(asked) => asked.answer = Some(Ok(peers::leave(db, &asked.input).await?)),
            Job::Take(asked) => asked.answer = Some(Ok(peers::take(db, &asked.input).await?)),
            Job::Settle(asked) => asked.answer = Some(Ok(peers::settle(db, &asked.input).await?)),
            Job::AskReview(asked) => asked.answer = Some(Ok(results::request_review(db, &asked.input).await?)),
            Job::KeepReview(asked) => asked.answer = Some(Ok(results::keep_review(db, &asked.input).await?)),
            Job::Purge(asked) => asked.answer = Some(Ok(maintenance::purge(db, &asked.input).await?)),
            Job::BeginOwner(asked) => asked.answer = Some(Ok(player_keys::begin(db, &asked.input).await?)),
            Job::Register(asked) => asked.answer = Some(Ok(player_keys::register(db, &asked.input).await?)),
            Job::AttendOwner(asked) => asked.answer = Some(Ok(player_keys::attend(db, &asked.input).await?)),
            Job::HandOver(asked) => asked.answer = Some(Ok(player_keys::hand_over(db, &asked.input).await?)),
            Job::SwapOwner(asked) => asked.answer = Some(Ok(player_keys::swap(db, &asked.input).await?)),
            Job::BeginNotice(asked) => asked.answer = Some(Ok(notifications::begin(db, &asked.input).await?)),
            Job::Note(asked) => asked.answer = Some(Ok(notifications::note(db, &asked.input).await?)),
            Job::RecordTurns(asked) => asked.answer = Some(Ok(outbox::record(db, &asked.input).await?)),
            Job::ClaimNotification(asked) => asked.answer = Some(Ok(outbox::claim(db, &asked.input).await?)),
            Job::SettleNotification(asked) => asked.answer = Some(Ok(outbox::settle(db, &asked.input).await?)),
            Job::Sign(asked) => asked.answer = Some(Ok(notifications::sign(db, &asked.input).await?)),
        }
        Ok(())
    }

    /// The append, if this job is one.
    pub(super) fn append(&self) -> Option<&Append> {
        match self {
            Job::Append(asked) => Some(&asked.input),
            _ => None,
        }
    }

    /// Sets the result of an append that the batch statement has written.
    fn appended(&mut self, at: i64, version: i64) {
        if let Job::Append(asked) = self {
            asked.answer = Some(Ok(Appended::New { at, version }));
        }
    }

    /// Changes to announce after the commit.
    pub(super) fn changes(&self) -> Vec<Change> {
        let told =
            |game: &str, version: i64, owners: Vec<Digest>| vec![Change { game: game.to_owned(), version, owners }];
        match self {
            Job::Create(asked) => {
                let Some(Ok(followed)) = &asked.answer else { return Vec::new() };
                let old = asked.input.rematch_of.as_deref().zip(*followed);
                let mut changes = old.map_or(Vec::new(), |(old, version)| told(old, version, Vec::new()));
                let owners: Vec<Digest> = asked.input.seats.iter().filter_map(|seat| seat.owner.clone()).collect();
                // A new game with a bot is announced to the processes that choose moves for bots.
                if !owners.is_empty() || (asked.input.bot.is_some() && changes.is_empty()) {
                    changes.extend(told(&asked.input.id, 0, owners));
                }
                changes
            }
            Job::Append(asked) => match &asked.answer {
                Some(Ok(Appended::New { version, .. })) => told(&asked.input.game, *version, Vec::new()),
                Some(Ok(Appended::Repeated { .. })) | Some(Err(_)) | None => Vec::new(),
            },
            Job::Claim(asked) => match &asked.answer {
                Some(Ok(claimed)) => {
                    told(&claimed.game, claimed.version, asked.input.owner.clone().into_iter().collect())
                }
                Some(Err(_)) | None => Vec::new(),
            },
            Job::Renew(asked) => match &asked.answer {
                Some(Ok(version)) => told(&asked.input.game, *version, Vec::new()),
                Some(Err(_)) | None => Vec::new(),
            },
            Job::KeepReview(asked) => match &asked.answer {
                Some(Ok(Some(version))) => told(&asked.input.game, *version, Vec::new()),
                Some(Ok(None)) | Some(Err(_)) | None => Vec::new(),
            },
            // The challenged key follows the game already.
            Job::AnswerChallenge(asked) => match &asked.answer {
                Some(Ok(Some(version))) => told(&asked.input.game, *version, Vec::new()),
                Some(Ok(None)) | Some(Err(_)) | None => Vec::new(),
            },
            Job::HandOver(asked) => match &asked.answer {
                Some(Ok(Some(version))) => told(&asked.input.game, *version, vec![asked.input.owner.clone()]),
                Some(Ok(None)) | Some(Err(_)) | None => Vec::new(),
            },
            Job::SwapOwner(asked) => match &asked.answer {
                Some(Ok(Some(games))) => games
                    .iter()
                    .flat_map(|(game, version)| told(game, *version, vec![asked.input.new.clone()]))
                    .collect(),
                Some(Ok(None)) | Some(Err(_)) | None => Vec::new(),
            },
            Job::Seek(_) | Job::Probe(_) | Job::Measure(_) | Job::BeginMeasuring(_) | Job::AskReview(_) => Vec::new(),
            Job::Attempt(_) | Job::UpdateConditionalMoves(_) => Vec::new(),
            Job::Attend(_) | Job::Leave(_) | Job::Take(_) | Job::Settle(_) | Job::Purge(_) => Vec::new(),
            Job::BeginOwner(_) | Job::Register(_) | Job::AttendOwner(_) => Vec::new(),
            Job::BeginNotice(_) | Job::Note(_) | Job::Sign(_) => Vec::new(),
            Job::RecordTurns(_) | Job::ClaimNotification(_) | Job::SettleNotification(_) => Vec::new(),
        }
    }

    /// Replies to the caller: the result after the commit, or `failed`.
    pub(super) fn settle(self, failed: Option<StoreError>) {
        match self {
            Job::Create(asked) => asked.reply(failed),
            Job::Append(asked) => asked.reply(failed),
            Job::Claim(asked) => asked.reply(failed),
            Job::Renew(asked) => asked.reply(failed),
            Job::Seek(asked) => asked.reply(failed),
            Job::AnswerChallenge(asked) => asked.reply(failed),
            Job::UpdateConditionalMoves(asked) => asked.reply(failed),
            Job::Probe(asked) => asked.reply(failed),
            Job::Measure(asked) | Job::BeginMeasuring(asked) => asked.reply(failed),
            Job::Attempt(asked) => asked.reply(failed),
            Job::Attend(asked) => asked.reply(failed),
            Job::Leave(asked) => asked.reply(failed),
            Job::Take(asked) => asked.reply(failed),
            Job::Settle(asked) => asked.reply(failed),
            Job::AskReview(asked) => asked.reply(failed),
            Job::KeepReview(asked) => asked.reply(failed),
            Job::Purge(asked) => asked.reply(failed),
            Job::BeginOwner(asked) => asked.reply(failed),
            Job::Register(asked) => asked.reply(failed),
            Job::AttendOwner(asked) => asked.reply(failed),
            Job::HandOver(asked) => asked.reply(failed),
            Job::SwapOwner(asked) => asked.reply(failed),
            Job::BeginNotice(asked) => asked.reply(failed),
            Job::Note(asked) => asked.reply(failed),
            Job::RecordTurns(asked) => asked.reply(failed),
            Job::ClaimNotification(asked) => asked.reply(failed),
            Job::SettleNotification(asked) => asked.reply(failed),
            Job::Sign(asked) => asked.reply(failed),
        }
    }
}

/// A row of the batch statement's first parameter.
#[derive(Serialize)]
struct AppendRow<'j> {
    game: &'j str,
    at: i64,
    next: i64,
    ply: i64,
    due: Option<i64>,
    result: Option<&'j str>,
    finished: Option<i64>,
    touched: i64,
    asked: Option<i64>,
    thinker: Option<&'j str>,
    seat: Option<&'j str>,
    key: Option<&'j str>,
    outcome: Option<&'j str>,
}

/// A row of the batch statement's second parameter.
#[derive(Serialize)]
struct AppendLine<'j> {
    game: &'j str,
    at: i64,
    actor: &'j str,
    text: &'j str,
    time: i64,
}

/// Runs the first append to each game in one statement and returns which jobs are done. The others have written nothing
/// and must run alone: later appends to the same game, refused appends and other kinds of jobs.
pub(super) async fn append_batch(db: &mut AnyConnection, jobs: &mut [Job]) -> Result<Vec<bool>, Undo> {
    let mut first: HashMap<&str, usize> = HashMap::new();
    let (mut rows, mut lines) = (Vec::with_capacity(jobs.len()), Vec::with_capacity(jobs.len()));
    for (number, job) in jobs.iter().enumerate() {
        let Some(new) = job.append() else { continue };
        let Some(last) = new.lines.last() else { continue };
        if first.contains_key(new.game.as_str()) {
            continue;
        }
        first.insert(&new.game, number);
        lines.extend((new.at..).zip(&new.lines).map(|(at, line)| AppendLine {
            game: &new.game,
            at,
            actor: &line.actor,
            text: &line.text,
            time: line.time,
        }));
        rows.push(AppendRow {
            game: &new.game,
            at: new.at,
            next: new.at.saturating_add_unsigned(new.lines.len() as u64),
            ply: new.ply,
            due: new.due,
            result: new.over.as_ref().map(|over| over.result.as_str()),
            finished: new.over.as_ref().map(|over| over.time),
            touched: last.time,
            asked: new.bot.as_ref().map(|bot| bot.since),
            thinker: new.bot.as_ref().and_then(|bot| bot.thinker.as_deref()),
            seat: new.receipt.as_ref().map(|receipt| receipt.seat.as_str()),
            key: new.receipt.as_ref().map(|receipt| receipt.key.as_str()),
            outcome: new.receipt.as_ref().map(|receipt| receipt.outcome.as_str()),
        });
    }
    let found = query(APPEND).bind(text(&rows)?).bind(text(&lines)?).fetch_all(db).await?;
    let mut moved = Vec::with_capacity(found.len());
    for row in &found {
        let (game, at, version): (String, i64, i64) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        moved.extend(first.get(game.as_str()).map(|number| (*number, at, version)));
    }
    let mut done = vec![false; jobs.len()];
    for (number, at, version) in moved {
        jobs[number].appended(at, version);
        done[number] = true;
    }
    Ok(done)
}

fn text(rows: &impl Serialize) -> Result<String, Undo> {
    serde_json::to_string(rows).map_err(|error| sqlx::Error::Encode(error.into()).into())
}
