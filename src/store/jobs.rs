//! The kinds of job: what each asks, and the statements that it runs inside a transaction that somebody else begins and ends.
//! A refusal has written nothing, so the transaction may go on; an [`Undo`] has, so it may not.

use super::{
    Append, Appended, Attempt, Attendance, BotSearch, Change, Claim, Claimed, Digest, Handover, Measurement, NewGame,
    NewNotice, NewOwner, NoticeWord, Opinion, OutboxSearch, OwnerSwap, Presence, Present, Purge, RecordedTurns,
    Registered, Registration, Renewal, ReviewRequest, Settlement, StoreError, Waiting, chairs, crew, games,
    measurements, notices,
    outbox::{self, ClaimAttempt},
    owners, purge, puzzles,
    reply::{Reply, Undo},
    reviews,
};
use sqlx::{AnyConnection, query};
use tokio::sync::oneshot;

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
    /// The answer is whether this version was not recorded before.
    RecordTurns(Request<RecordedTurns, bool>),
    ClaimNotification(Request<OutboxSearch, ClaimAttempt>),
    SettleNotification(Request<Settlement, ()>),
    /// The answer is the secret that counts.
    Sign(Request<String, String>),
}

impl Job {
    /// Runs the statements. May be run again after a rollback.
    pub(super) async fn run(&mut self, db: &mut AnyConnection) -> Result<(), Undo> {
        match self {
            Job::Create(asked) => asked.answer = Some(games::create(db, &asked.ask).await?),
            Job::Append(asked) => asked.answer = Some(games::append(db, &asked.ask).await?),
            Job::Claim(asked) => asked.answer = Some(chairs::claim(db, &asked.ask).await?),
            Job::Renew(asked) => asked.answer = Some(chairs::renew(db, &asked.ask).await?),
            Job::Probe(asked) => {
                // SQLite writes no page on which nothing changes, and so would not find that there is no room.
                let write = "UPDATE probe SET one = -one, time = COALESCE($1, time)";
                query(write).bind(asked.ask).execute(db).await?;
                asked.answer = Some(Ok(()));
            }
            Job::Measure(asked) => {
                asked.answer = Some(measurements::measure(db, &asked.ask, measurements::LATER).await?)
            }
            Job::BeginMeasuring(asked) => {
                asked.answer = Some(measurements::measure(db, &asked.ask, measurements::FIRST).await?)
            }
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
            Job::RecordTurns(asked) => asked.answer = Some(Ok(outbox::record(db, &asked.ask).await?)),
            Job::ClaimNotification(asked) => asked.answer = Some(Ok(outbox::claim(db, &asked.ask).await?)),
            Job::SettleNotification(asked) => asked.answer = Some(Ok(outbox::settle(db, &asked.ask).await?)),
            Job::Sign(asked) => asked.answer = Some(Ok(notices::sign(db, &asked.ask).await?)),
        }
        Ok(())
    }

    /// The append, if this is one.
    pub(super) fn append(&self) -> Option<&Append> {
        match self {
            Job::Append(asked) => Some(&asked.ask),
            _ => None,
        }
    }

    /// Answers an append whose rows were written.
    pub(super) fn appended(&mut self, at: i64, version: i64) {
        if let Job::Append(asked) = self {
            asked.answer = Some(Ok(Appended::New { at, version }));
        }
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
            Job::BeginNotice(_) | Job::Note(_) | Job::Sign(_) => Vec::new(),
            Job::RecordTurns(_) | Job::ClaimNotification(_) | Job::SettleNotification(_) => Vec::new(),
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
            Job::RecordTurns(asked) => asked.say(failed),
            Job::ClaimNotification(asked) => asked.say(failed),
            Job::SettleNotification(asked) => asked.say(failed),
            Job::Sign(asked) => asked.say(failed),
        }
    }
}
