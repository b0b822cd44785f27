//! The statements that each kind of job writes, run inside a transaction that somebody else begins and ends.
//! A refusal has written nothing, so the transaction may go on; an [`Undo`] has, so it may not.

use super::{
    Append, Appended, Attempt, Attendance, BotSearch, Change, Claim, Claimed, Digest, Door, Handover, Holder, Key,
    Measurement, NewGame, NewLine, NewNotice, NewOwner, NewSeat, NoticeWord, Noticed, Opinion, OwnerSwap, Presence,
    Present, Purge, Registered, Registration, Renewal, ReviewRequest, StoreError, Waiting, crew, notices, owners,
    purge, puzzles, reviews,
};
use sqlx::{AnyConnection, Row, query};
use tokio::sync::oneshot;

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

type Reply<A> = Result<A, StoreError>;

/// A question, what became of it so far, and where to say so once it is committed.
pub(super) struct Request<Q, A> {
    ask: Q,
    answer: Option<Reply<A>>,
    reply: oneshot::Sender<Reply<A>>,
}

impl<Q, A> Request<Q, A> {
    pub(super) fn new(ask: Q) -> (Request<Q, A>, oneshot::Receiver<Reply<A>>) {
        let (reply, answered) = oneshot::channel();
        (Request { ask, answer: None, reply }, answered)
    }

    /// Whoever asked may have gone away; what is written stays written.
    fn say(self, failed: Option<StoreError>) {
        let answer = failed.map(Err).or(self.answer).unwrap_or(Err(StoreError::Closed));
        let _ = self.reply.send(answer);
    }
}

/// One thing to write.
pub(super) enum Job {
    /// The answer is the new version of the game that this one follows, if it follows one.
    Create(Request<NewGame, Option<i64>>),
    Append(Request<Append, Appended>),
    Claim(Request<Claim, Claimed>),
    /// The answer is the game's new version.
    Renew(Request<Renewal, i64>),
    /// A sign of life is written, or the last one once more.
    Probe(Request<Option<i64>, ()>),
    Measure(Request<Measurement, ()>),
    /// Results are written only where there are none.
    BeginMeasuring(Request<Measurement, ()>),
    Attempt(Request<Attempt, ()>),
    /// The answer is all processes that are there.
    Attend(Request<Attendance, Vec<Present>>),
    Leave(Request<String, ()>),
    Take(Request<BotSearch, Vec<Waiting>>),
    /// No bot waits in the game as it stands.
    Settle(Request<Waiting, ()>),
    /// The answer is whether the game waits, or is known.
    AskReview(Request<ReviewRequest, bool>),
    /// The answer is the game's new version.
    KeepReview(Request<Opinion, Option<i64>>),
    /// The answer is the games that are gone.
    Purge(Request<Purge, Vec<String>>),
    BeginOwner(Request<NewOwner, ()>),
    Register(Request<Registration, Registered>),
    AttendOwner(Request<Presence, ()>),
    /// The answer is the game's new version.
    HandOver(Request<Handover, Option<i64>>),
    /// The answer is the games of the key that go on, with their new versions; nothing if there is no such key.
    SwapOwner(Request<OwnerSwap, Option<Vec<(String, i64)>>>),
    /// The answer is whether the key may have one more.
    BeginNotice(Request<NewNotice, bool>),
    /// The answer is whether there is such a notice.
    Note(Request<NoticeWord, bool>),
    /// The answer is whether nobody was told of it before.
    Tell(Request<Noticed, bool>),
    /// The answer is the secret that counts.
    Sign(Request<String, String>),
}

impl Job {
    /// Runs the statements. May be run again after a rollback.
    pub(super) async fn run(&mut self, db: &mut AnyConnection) -> Result<(), Undo> {
        match self {
            Job::Create(asked) => asked.answer = Some(create(db, &asked.ask).await?),
            Job::Append(asked) => asked.answer = Some(append(db, &asked.ask).await?),
            Job::Claim(asked) => asked.answer = Some(claim(db, &asked.ask).await?),
            Job::Renew(asked) => asked.answer = Some(renew(db, &asked.ask).await?),
            Job::Probe(asked) => {
                // SQLite writes no page on which nothing changes, and so would not find that there is no room.
                let write = "UPDATE probe SET one = -one, time = COALESCE($1, time)";
                query(write).bind(asked.ask).execute(db).await?;
                asked.answer = Some(Ok(()));
            }
            Job::Measure(asked) => asked.answer = Some(measure(db, &asked.ask, LATER).await?),
            Job::BeginMeasuring(asked) => asked.answer = Some(measure(db, &asked.ask, FIRST).await?),
            Job::Attempt(asked) => asked.answer = Some(Ok(puzzles::count(db, &asked.ask).await?)),
            Job::Attend(asked) => asked.answer = Some(Ok(crew::attend(db, &asked.ask).await?)),
            Job::Leave(asked) => asked.answer = Some(Ok(crew::leave(db, &asked.ask).await?)),
            Job::Take(asked) => asked.answer = Some(Ok(crew::take(db, &asked.ask).await?)),
            Job::Settle(asked) => asked.answer = Some(Ok(crew::settle(db, &asked.ask).await?)),
            Job::AskReview(asked) => asked.answer = Some(Ok(reviews::ask(db, &asked.ask).await?)),
            Job::KeepReview(asked) => asked.answer = Some(Ok(reviews::keep(db, &asked.ask).await?)),
            Job::Purge(asked) => asked.answer = Some(Ok(purge::purge(db, &asked.ask).await?)),
            Job::BeginOwner(asked) => asked.answer = Some(Ok(owners::begin(db, &asked.ask).await?)),
            Job::Register(asked) => asked.answer = Some(Ok(owners::register(db, &asked.ask).await?)),
            Job::AttendOwner(asked) => asked.answer = Some(Ok(owners::attend(db, &asked.ask).await?)),
            Job::HandOver(asked) => asked.answer = Some(Ok(owners::hand_over(db, &asked.ask).await?)),
            Job::SwapOwner(asked) => asked.answer = Some(Ok(owners::swap(db, &asked.ask).await?)),
            Job::BeginNotice(asked) => asked.answer = Some(Ok(notices::begin(db, &asked.ask).await?)),
            Job::Note(asked) => asked.answer = Some(Ok(notices::note(db, &asked.ask).await?)),
            Job::Tell(asked) => asked.answer = Some(Ok(notices::tell(db, &asked.ask).await?)),
            Job::Sign(asked) => asked.answer = Some(Ok(notices::sign(db, &asked.ask).await?)),
        }
        Ok(())
    }

    /// Which changes listeners are to hear of once this is committed.
    pub(super) fn changes(&self) -> Vec<Change> {
        let told =
            |game: &str, version: i64, owners: Vec<Digest>| vec![Change { game: game.to_owned(), version, owners }];
        match self {
            Job::Create(asked) => {
                let Some(Ok(followed)) = &asked.answer else { return Vec::new() };
                let old = asked.ask.rematch_of.as_deref().zip(*followed);
                let mut changes = old.map_or(Vec::new(), |(old, version)| told(old, version, Vec::new()));
                let owners: Vec<Digest> = asked.ask.seats.iter().filter_map(|seat| seat.owner.clone()).collect();
                // Whoever thinks for bots hears of a game that begins with one.
                if !owners.is_empty() || (asked.ask.bot.is_some() && changes.is_empty()) {
                    changes.extend(told(&asked.ask.id, 0, owners));
                }
                changes
            }
            Job::Append(asked) => match &asked.answer {
                Some(Ok(Appended::New { version, .. })) => told(&asked.ask.game, *version, Vec::new()),
                Some(Ok(Appended::Repeated { .. })) | Some(Err(_)) | None => Vec::new(),
            },
            Job::Claim(asked) => match &asked.answer {
                Some(Ok(claimed)) => {
                    told(&claimed.game, claimed.version, asked.ask.owner.clone().into_iter().collect())
                }
                Some(Err(_)) | None => Vec::new(),
            },
            Job::Renew(asked) => match &asked.answer {
                Some(Ok(version)) => told(&asked.ask.game, *version, Vec::new()),
                Some(Err(_)) | None => Vec::new(),
            },
            Job::KeepReview(asked) => match &asked.answer {
                Some(Ok(Some(version))) => told(&asked.ask.game, *version, Vec::new()),
                Some(Ok(None)) | Some(Err(_)) | None => Vec::new(),
            },
            Job::HandOver(asked) => match &asked.answer {
                Some(Ok(Some(version))) => told(&asked.ask.game, *version, vec![asked.ask.owner.clone()]),
                Some(Ok(None)) | Some(Err(_)) | None => Vec::new(),
            },
            Job::SwapOwner(asked) => match &asked.answer {
                Some(Ok(Some(games))) => {
                    games.iter().flat_map(|(game, version)| told(game, *version, vec![asked.ask.new.clone()])).collect()
                }
                Some(Ok(None)) | Some(Err(_)) | None => Vec::new(),
            },
            Job::Probe(_) | Job::Measure(_) | Job::BeginMeasuring(_) | Job::AskReview(_) => Vec::new(),
            Job::Attempt(_) => Vec::new(),
            Job::Attend(_) | Job::Leave(_) | Job::Take(_) | Job::Settle(_) | Job::Purge(_) => Vec::new(),
            Job::BeginOwner(_) | Job::Register(_) | Job::AttendOwner(_) => Vec::new(),
            Job::BeginNotice(_) | Job::Note(_) | Job::Tell(_) | Job::Sign(_) => Vec::new(),
        }
    }

    /// Says what became of it: only after the commit, or that it failed.
    pub(super) fn settle(self, failed: Option<StoreError>) {
        match self {
            Job::Create(asked) => asked.say(failed),
            Job::Append(asked) => asked.say(failed),
            Job::Claim(asked) => asked.say(failed),
            Job::Renew(asked) => asked.say(failed),
            Job::Probe(asked) => asked.say(failed),
            Job::Measure(asked) | Job::BeginMeasuring(asked) => asked.say(failed),
            Job::Attempt(asked) => asked.say(failed),
            Job::Attend(asked) => asked.say(failed),
            Job::Leave(asked) => asked.say(failed),
            Job::Take(asked) => asked.say(failed),
            Job::Settle(asked) => asked.say(failed),
            Job::AskReview(asked) => asked.say(failed),
            Job::KeepReview(asked) => asked.say(failed),
            Job::Purge(asked) => asked.say(failed),
            Job::BeginOwner(asked) => asked.say(failed),
            Job::Register(asked) => asked.say(failed),
            Job::AttendOwner(asked) => asked.say(failed),
            Job::HandOver(asked) => asked.say(failed),
            Job::SwapOwner(asked) => asked.say(failed),
            Job::BeginNotice(asked) => asked.say(failed),
            Job::Note(asked) => asked.say(failed),
            Job::Tell(asked) => asked.say(failed),
            Job::Sign(asked) => asked.say(failed),
        }
    }
}

async fn create(db: &mut AnyConnection, new: &NewGame) -> Result<Reply<Option<i64>>, Undo> {
    let inserted = query(
        "INSERT INTO game (id, variant, options, created, clock, opponent, rematch_of, open, at, version, ply, due, touched, \
         asked, thinker, public) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, $4, $12, $13, $14) ON CONFLICT DO NOTHING",
    )
    .bind(&new.id)
    .bind(&new.variant)
    .bind(&new.options)
    .bind(new.created)
    .bind(&new.clock)
    .bind(&new.opponent)
    .bind(&new.rematch_of)
    .bind(i64::from(new.open))
    .bind(slots(&new.lines))
    .bind(new.ply)
    .bind(new.due)
    .bind(new.bot.as_ref().map(|bot| bot.since))
    .bind(new.bot.as_ref().and_then(|bot| bot.thinker.as_ref()))
    .bind(i64::from(new.public))
    .execute(&mut *db)
    .await?;
    if inserted.rows_affected() == 0 {
        let rematch =
            query("SELECT id FROM game WHERE rematch_of = $1").bind(&new.rematch_of).fetch_optional(&mut *db).await?;
        return Ok(Err(match rematch {
            Some(row) => StoreError::Rematched(row.try_get(0)?),
            None => StoreError::Taken,
        }));
    }
    insert_lines(db, &new.id, 0, &new.lines).await?;
    for seat in &new.seats {
        insert_seat(db, new, seat).await?;
    }
    // That there is a rematch belongs to the old game: whoever follows it hears of it.
    let old = query("UPDATE game SET version = version + 1 WHERE id = $1 RETURNING version");
    let old = old.bind(&new.rematch_of).fetch_optional(db).await?;
    Ok(Ok(old.map(|row| row.try_get(0)).transpose()?))
}

async fn insert_seat(db: &mut AnyConnection, new: &NewGame, seat: &NewSeat) -> Result<(), Undo> {
    let (token, invite, claimed) = match &seat.holder {
        Holder::Token(token) => (Some(token.text()), None, Some(new.created)),
        Holder::Invite(invite) => (None, Some(invite.text()), None),
        Holder::Nobody => (None, None, Some(new.created)),
    };
    query("INSERT INTO seat (game, seat, token_hash, invite_hash, name, claimed, owner) VALUES ($1, $2, $3, $4, $5, $6, $7)")
        .bind(&new.id)
        .bind(&seat.seat)
        .bind(token)
        .bind(invite)
        .bind(&seat.name)
        .bind(claimed)
        .bind(seat.owner.as_ref().map(Digest::text))
        .execute(db)
        .await?;
    Ok(())
}

/// Moves a game on from a slot. Whoever thinks for its bot already goes on thinking.
macro_rules! moves {
    () => {
        "UPDATE game SET at = at + $3, version = version + 1, ply = $4, due = $5, result = COALESCE($6, result), \
         finished = COALESCE($7, finished), touched = $8, asked = $9, \
         thinker = CASE WHEN $9 IS NULL THEN NULL ELSE COALESCE(thinker, $10) END WHERE id = $1 AND at = $2"
    };
}

/// The first statement decides: it moves the game on only from the slot that the writer has seen, and only if the key
/// is new. Whoever comes second finds no row to move.
async fn append(db: &mut AnyConnection, new: &Append) -> Result<Reply<Appended>, Undo> {
    let Some(last) = new.lines.last() else { return Ok(Err(StoreError::NoLine)) };
    let (result, finished) = new.over.as_ref().map(|over| (over.result.as_str(), over.time)).unzip();
    let moved = match &new.receipt {
        None => query(concat!(moves!(), " RETURNING at, version")),
        Some(_) => query(concat!(
            moves!(),
            " AND NOT EXISTS (SELECT 1 FROM receipt WHERE game = $1 AND seat = $11 AND key = $12) RETURNING at, version"
        )),
    };
    let moved = moved
        .bind(&new.game)
        .bind(new.at)
        .bind(slots(&new.lines))
        .bind(new.ply)
        .bind(new.due)
        .bind(result)
        .bind(finished)
        .bind(last.time)
        .bind(new.bot.as_ref().map(|bot| bot.since))
        .bind(new.bot.as_ref().and_then(|bot| bot.thinker.as_ref()));
    let moved = match &new.receipt {
        None => moved,
        Some(receipt) => moved.bind(&receipt.seat).bind(&receipt.key),
    };
    let Some(row) = moved.fetch_optional(&mut *db).await? else { return why_not(db, new).await };
    let (at, version) = (row.try_get(0)?, row.try_get(1)?);
    insert_lines(db, &new.game, new.at, &new.lines).await?;
    if let Some(over) = &new.over {
        reviews::end(db, &new.game, over.time).await?;
    }
    if let Some(receipt) = &new.receipt {
        query("INSERT INTO receipt (game, seat, key, outcome, at) VALUES ($1, $2, $3, $4, $5)")
            .bind(&new.game)
            .bind(&receipt.seat)
            .bind(&receipt.key)
            .bind(&receipt.outcome)
            .bind(at)
            .execute(&mut *db)
            .await?;
    }
    Ok(Ok(Appended::New { at, version }))
}

/// Why an append found no row to move.
async fn why_not(db: &mut AnyConnection, new: &Append) -> Result<Reply<Appended>, Undo> {
    if let Some(receipt) = &new.receipt {
        let used = query("SELECT outcome, at FROM receipt WHERE game = $1 AND seat = $2 AND key = $3")
            .bind(&new.game)
            .bind(&receipt.seat)
            .bind(&receipt.key)
            .fetch_optional(&mut *db)
            .await?;
        if let Some(row) = used {
            return Ok(Ok(Appended::Repeated { outcome: row.try_get(0)?, at: row.try_get(1)? }));
        }
    }
    let game = query("SELECT at FROM game WHERE id = $1").bind(&new.game).fetch_optional(db).await?;
    Ok(Err(match game {
        Some(row) => StoreError::Conflict { at: row.try_get(0)? },
        None => StoreError::NoGame(new.game.clone()),
    }))
}

async fn claim(db: &mut AnyConnection, new: &Claim) -> Result<Reply<Claimed>, Undo> {
    let (sit, door) = match &new.door {
        Door::Invite(invite) => (
            "UPDATE seat SET token_hash = $2, name = COALESCE($3, name), claimed = $4, owner = $5 \
             WHERE invite_hash = $1 AND claimed IS NULL RETURNING game, seat",
            invite.text(),
        ),
        Door::Lobby(game) => (
            "UPDATE seat SET token_hash = $2, name = COALESCE($3, name), claimed = $4, owner = $5 \
             WHERE game = $1 AND claimed IS NULL \
             AND seat = (SELECT MIN(seat) FROM seat WHERE game = $1 AND claimed IS NULL) \
             AND EXISTS (SELECT 1 FROM game WHERE id = $1 AND open = 1 AND result IS NULL) RETURNING game, seat",
            game.as_str(),
        ),
    };
    let sat = query(sit).bind(door).bind(new.token.text()).bind(&new.name).bind(new.time);
    let sat = sat.bind(new.owner.as_ref().map(Digest::text));
    let Some(row) = sat.fetch_optional(&mut *db).await? else { return no_seat(db, &new.door).await };
    let (game, seat): (String, String) = (row.try_get(0)?, row.try_get(1)?);
    let told = query(
        "UPDATE game SET open = 0, version = version + 1, due = COALESCE($2, due), touched = $3 \
         WHERE id = $1 RETURNING version",
    )
    .bind(&game)
    .bind(new.due)
    .bind(new.time)
    .fetch_one(db)
    .await?;
    Ok(Ok(Claimed { game, seat, version: told.try_get(0)? }))
}

async fn renew(db: &mut AnyConnection, new: &Renewal) -> Result<Reply<i64>, Undo> {
    let changed = match &new.key {
        Key::Invitation(code) => query(
            "UPDATE seat SET invite_hash = $3 \
             WHERE game = $1 AND seat = $2 AND claimed IS NULL AND invite_hash IS NOT NULL",
        )
        .bind(&new.game)
        .bind(&new.seat)
        .bind(code.text()),
        Key::Proof { old, new: proof } => {
            query("UPDATE seat SET token_hash = $3 WHERE game = $1 AND seat = $2 AND token_hash = $4")
                .bind(&new.game)
                .bind(&new.seat)
                .bind(proof.text())
                .bind(old.text())
        }
    };
    if changed.execute(&mut *db).await?.rows_affected() == 0 {
        return Ok(Err(StoreError::Used));
    }
    let told = query("UPDATE game SET version = version + 1, touched = $2 WHERE id = $1 RETURNING version");
    let told = told.bind(&new.game).bind(new.time).fetch_one(db).await?;
    Ok(Ok(told.try_get(0)?))
}

/// Why a claim found no free chair.
async fn no_seat(db: &mut AnyConnection, door: &Door) -> Result<Reply<Claimed>, Undo> {
    let used = match door {
        Door::Invite(invite) => query("SELECT game FROM seat WHERE invite_hash = $1")
            .bind(invite.text())
            .fetch_optional(db)
            .await?
            .is_some(),
        // A chair that is still free was never offered in the lobby, or is no longer.
        Door::Lobby(game) => {
            let chairs = query("SELECT COUNT(*), COUNT(claimed) FROM seat WHERE game = $1").bind(game);
            let row = chairs.fetch_one(db).await?;
            let (all, taken): (i64, i64) = (row.try_get(0)?, row.try_get(1)?);
            all > 0 && all == taken
        }
    };
    Ok(Err(if used { StoreError::Used } else { StoreError::NoInvitation }))
}

/// The later results take the place of the earlier ones.
const LATER: &str = "INSERT INTO measured (army, pairs, touched) VALUES ($1, $2, $3) \
                     ON CONFLICT (army) DO UPDATE SET pairs = excluded.pairs, touched = excluded.touched";
/// The first results stay.
const FIRST: &str = "INSERT INTO measured (army, pairs, touched) VALUES ($1, $2, $3) ON CONFLICT (army) DO NOTHING";

async fn measure(db: &mut AnyConnection, new: &Measurement, how: &'static str) -> Result<Reply<()>, Undo> {
    query(how).bind(&new.army).bind(&new.pairs).bind(new.time).execute(db).await?;
    Ok(Ok(()))
}

async fn insert_lines(db: &mut AnyConnection, game: &str, first: i64, lines: &[NewLine]) -> Result<(), Undo> {
    for (at, line) in (first..).zip(lines) {
        query("INSERT INTO line (game, at, actor, text, time) VALUES ($1, $2, $3, $4, $5)")
            .bind(game)
            .bind(at)
            .bind(&line.actor)
            .bind(&line.text)
            .bind(line.time)
            .execute(&mut *db)
            .await?;
    }
    Ok(())
}

/// A count of lines as a column holds it; no game has 2⁶³ of them.
fn slots(lines: &[NewLine]) -> i64 {
    i64::try_from(lines.len()).unwrap_or(i64::MAX)
}
