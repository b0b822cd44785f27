//! Bots as players, and hints for a player who plays against one. They think in the background, a few at a time, within a budget.

use super::{Error, GameSnapshot, Hint, Play, background, give_way};
use crate::{
    bots::Bot,
    game::{Live, PlayerCommand},
    rules::{Refusal, Seat},
    store::BotSearch,
};
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use rand::{SeedableRng, rngs::StdRng};
use std::{
    collections::HashSet,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::sync::Semaphore;

/// The number of bots that think at the same time beside requests.
pub(super) const THINKING: usize = 2;
/// The number of games per place that a process takes before it has thought about them.
const TAKEN: usize = 4;
/// The number of games that may wait for a bot; beyond that bots hardly think.
const WAITING: usize = 64;
/// The time after which a bot is asked again whose answer could not be written.
const AGAIN: Duration = Duration::from_secs(1);
/// The time that a bot thinks about one choice, in milliseconds.
const BUDGET: i64 = 300;

/// The level that is asked where the tables do not reach.
const ASKED: Bot = Bot::Sharp;
/// The estimated CPU time of its search.
const THOUGHT: Duration = Duration::from_millis(500);

/// Where bots wait for a place to think.
pub(super) struct BotQueue {
    places: usize,
    thinking: Arc<Semaphore>,
    busy: Mutex<HashSet<String>>,
    /// From the question to the answer on the disk, the wait for a place included, in seconds.
    pub(super) answers: Histogram,
}

impl BotQueue {
    pub(super) fn new(places: usize) -> BotQueue {
        // From a hundredth of a second to 82 seconds.
        let answers = Histogram::new(exponential_buckets(0.01, 2.0, 14));
        BotQueue { places, thinking: Arc::new(Semaphore::new(places)), busy: Mutex::default(), answers }
    }

    fn busy(&self) -> MutexGuard<'_, HashSet<String>> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of bots that are thinking.
    pub(super) fn thinking(&self) -> usize {
        self.places - self.thinking.available_permits()
    }

    /// The number of games that a bot has been asked in.
    pub(super) fn asked(&self) -> usize {
        self.busy().len()
    }
}

impl Play {
    /// Lets the bot of a game answer, if it is asked and not thinking already.
    pub(super) fn wake_bots(&self, table: &GameSnapshot) {
        let Some((seat, bot)) = asked_of(table) else { return };
        if !self.inner.crew.thinks() {
            return;
        }
        let mut busy = self.inner.bots.busy();
        if busy.insert(table.id().to_owned()) {
            let crowded = busy.len() > WAITING;
            tokio::spawn(self.clone().answer(table.id().to_owned(), seat, if crowded { Bot::LEVELS[0] } else { bot }));
        }
    }

    /// Plays a bot's seat until it is no longer asked.
    async fn answer(self, id: String, seat: Seat, bot: Bot) {
        loop {
            match self.answer_once(&id, seat, bot).await {
                Ok(true) => {}
                Ok(false) => break,
                // It is asked again, but not as fast as it can be.
                Err(_) => {
                    tokio::time::sleep(AGAIN).await;
                    break;
                }
            }
        }
        self.inner.bots.busy().remove(&id);
        self.inner.crew.poke.notify_one();
        // What was said while the bot was leaving must not be left unanswered.
        if let Ok(loaded) = self.loaded(&id).await {
            let table = loaded.table();
            if asked_of(&table).is_some() {
                tokio::task::yield_now().await;
                self.wake_bots(&table);
            }
        }
    }

    /// Lets the bots answer for which nobody thinks, here or, if their process is gone, elsewhere; to be called again and again.
    ///
    /// # Errors
    /// `Busy` or `Full` where nothing can be written.
    pub async fn attend_bots(&self) -> Result<(), Error> {
        let name = self.inner.store.process().unwrap_or_default();
        let busy = self.inner.bots.busy().clone();
        let room = (TAKEN * self.inner.bots.places).saturating_sub(busy.len());
        if room == 0 {
            return Ok(());
        }
        let limit = u32::try_from(busy.len() + room).unwrap_or(u32::MAX);
        let search = BotSearch { name: name.to_owned(), now: self.now(), free: self.inner.crew.thinks(), limit };
        for waiting in self.inner.store.take_waiting(search).await? {
            if busy.contains(&waiting.game) {
                continue;
            }
            let table = match self.listed(&waiting.game, waiting.version).await {
                Ok(table) => Some(table),
                Err(error @ (Error::Busy | Error::Often { .. } | Error::Full(_) | Error::Away(_))) => {
                    return Err(error);
                }
                Err(Error::Unknown(why) | Error::Broken(why)) => {
                    self.pass_over(&waiting.game, &why);
                    None
                }
                Err(Error::Stale { .. } | Error::Refused(_) | Error::Key(_)) => None,
            };
            match table.filter(|table| asked_of(table).is_some()) {
                Some(table) => self.wake_bots(&table),
                None => self.inner.store.settle(waiting).await?,
            }
        }
        Ok(())
    }

    /// Waits until there may be something for bots to do here.
    pub async fn poked(&self) {
        self.inner.crew.poke.notified().await;
    }

    async fn answer_once(&self, id: &str, seat: Seat, bot: Bot) -> Result<bool, Error> {
        let begun = self.now();
        let table = self.loaded(id).await?.table();
        let Some(text) = self.think(table.clone(), seat, bot).await else { return Ok(false) };
        match Box::pin(self.act(id, seat, Some(table.game.ply()), &text, None)).await {
            Ok(_) => {
                self.inner.bots.answers.observe((self.now() - begun) as f64 / 1000.0);
                Ok(true)
            }
            Err(Error::Stale { .. }) => Ok(true),
            // Another process has answered for the bot.
            Err(Error::Refused(_)) if self.loaded(id).await?.table().version() > table.version() => Ok(true),
            Err(error) => {
                tracing::error!(variant = table.game.key(), %error, "a bot was refused");
                Err(error)
            }
        }
    }

    async fn think(&self, table: Arc<GameSnapshot>, seat: Seat, bot: Bot) -> Option<String> {
        if let Some(answer) = courtesy(&table.game, seat) {
            return Some(answer.to_owned());
        }
        if !table.game.awaits().contains(&seat) {
            return None;
        }
        if bot.asks_tables()
            && let Some(answer) = self.known(&table, seat).await
        {
            return Some(answer);
        }
        let place = self.inner.bots.thinking.clone().acquire_owned().await.ok()?;
        let mut rng = self.draw(|mut chance| StdRng::from_rng(&mut chance));
        let play = self.clone();
        let thought = background(move || {
            let _place = place;
            let end = play.now() + BUDGET;
            let mut enough = || {
                give_way();
                play.now() >= end
            };
            let said = table.game.advise(seat, bot, &mut rng, &mut enough);
            // Nobody waits for ever because of a fault of ours.
            said.or_else(|| {
                tracing::error!(variant = table.game.key(), bot = bot.name(), "a bot had nothing to say");
                table.game.advise(seat, Bot::Random, &mut rng, &mut || true)
            })
        });
        thought.await.ok().flatten()
    }

    /// Finds what the endgame tables tell a seat to say, if they speak of the position.
    pub(super) async fn known(&self, table: &GameSnapshot, seat: Seat) -> Option<String> {
        let answer = self.panel(table).await?.action(seat.color())?.to_owned();
        // The tables know nothing of a draw that could be claimed now, and bots claim when they may.
        let claims = table.game.can(seat, PlayerCommand::Claim);
        Some(answer).filter(|_| !claims)
    }
}

/// The bot's seat, if the bot has something to answer.
fn asked_of(table: &GameSnapshot) -> Option<(Seat, Bot)> {
    asked(&table.game, |seat| table.bot(seat))
}

/// The same for a game with these bots in its seats.
pub(super) fn asked(game: &Live, bot: impl Fn(Seat) -> Option<Bot>) -> Option<(Seat, Bot)> {
    let (seat, bot) = Seat::BOTH.into_iter().find_map(|seat| bot(seat).map(|bot| (seat, bot)))?;
    (courtesy(game, seat).is_some() || game.awaits().contains(&seat)).then_some((seat, bot))
}

/// Answers an offer for a bot: it lets its opponent take back and play again, and plays on instead of a draw.
pub fn courtesy(game: &Live, seat: Seat) -> Option<&'static str> {
    let offers = game.offers();
    match game.outcome() {
        Some(_) => (offers.rematch[(!seat).index()] && !offers.rematch[seat.index()]).then_some("rematch"),
        None if offers.takeback == Some(!seat) => Some("takeback"),
        None if offers.draw == Some(!seat) => Some("decline"),
        None => None,
    }
}

impl GameSnapshot {
    /// Tells whether a player may have a hint now.
    ///
    /// # Errors
    /// Why not.
    pub fn may_have_hint(&self, seat: Seat) -> Result<(), Refusal> {
        if self.bot(!seat).is_none() {
            return Err(Refusal::new("hints are for games against a bot of this site"));
        }
        if !self.game.awaits().contains(&seat) {
            return Err(Refusal::new("there is a hint only when you are asked for something"));
        }
        Ok(())
    }
}

impl Play {
    /// A hint for a player, worked out once for each moment, from what the seat may know.
    ///
    /// # Errors
    /// `Refused` where there is none; as [`Pool::run_costly`](super::Pool::run_costly).
    pub async fn hint(&self, table: &Arc<GameSnapshot>, seat: Seat) -> Result<Arc<Hint>, Error> {
        table.may_have_hint(seat)?;
        let ask = || async {
            if let Some(action) = self.known(table, seat).await {
                return Ok(worded(table, seat, action, true));
            }
            let thought = self.thought(table, seat).await?;
            let action = thought.ok_or_else(|| Refusal::new("there is no hint for this"))?;
            Ok(worded(table, seat, action, false))
        };
        table.hints[seat.index()].get_or_try_init(ask).await.cloned()
    }

    /// What a level of the site would say in the place of somebody else's program; nothing if it would say nothing.
    pub async fn stand_in(&self, table: &Arc<GameSnapshot>, seat: Seat) -> Option<String> {
        self.thought(table, seat).await.ok().flatten()
    }

    async fn thought(&self, table: &Arc<GameSnapshot>, seat: Seat) -> Result<Option<String>, Error> {
        let here = table.clone();
        // The level counts positions: no time cuts it short, so that the same moment has the same hint on every machine.
        let thought = self.inner.pools.lookups.run_costly(THOUGHT, move |stop| {
            let mut rng = StdRng::seed_from_u64(here.game.ply() as u64);
            here.game.advise(seat, ASKED, &mut rng, &mut || {
                give_way();
                stop()
            })
        });
        thought.await
    }
}

/// The hint with the words of the choice that it names, where it is one.
fn worded(table: &GameSnapshot, seat: Seat, action: String, exact: bool) -> Arc<Hint> {
    let choices = table.game.diagram(Some(seat)).choices.unwrap_or_default();
    let named = choices.into_iter().find(|choice| choice.action == action);
    Arc::new(Hint { label: named.map_or_else(|| action.clone(), |choice| choice.label), action, exact })
}
