//! Built-in bots as players, and hints for players against them. Bots think in the background, a few at a time, within a time limit.

use super::{Error, GameSnapshot, Hint, Play, background, give_way};
use crate::{
    bots::Bot,
    game::{Live, PlayerCommand},
    rules::{Actor, Refusal, Seat},
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

/// Number of bots that a server process runs at the same time.
pub(super) const THINKING: usize = 2;
/// Number of games that a process claims per bot place, including those that still wait for a place.
const TAKEN: usize = 4;
/// Number of waiting games above which bots play at their lowest level.
const WAITING: usize = 64;
/// Delay before another attempt when an answer could not be written.
const AGAIN: Duration = Duration::from_secs(1);
/// Thinking time per choice, in milliseconds.
const BUDGET: i64 = 300;

/// Level that gives hints where the endgame tables do not apply.
const HINT_LEVEL: Bot = Bot::Sharp;
/// Estimated CPU time of the search for a hint.
const HINT_CPU_TIME: Duration = Duration::from_millis(500);

/// Games that wait for a bot, and the places in which bots think.
pub(super) struct BotQueue {
    places: usize,
    thinking: Arc<Semaphore>,
    busy: Mutex<HashSet<String>>,
    /// Response times in seconds, from the bot's turn to the committed action, including the wait for a place.
    pub(super) answers: Histogram,
}

impl BotQueue {
    pub(super) fn new(places: usize) -> BotQueue {
        // Buckets from 10 milliseconds to 82 seconds.
        let answers = Histogram::new(exponential_buckets(0.01, 2.0, 14));
        BotQueue { places, thinking: Arc::new(Semaphore::new(places)), busy: Mutex::default(), answers }
    }

    fn busy(&self) -> MutexGuard<'_, HashSet<String>> {
        self.busy.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Number of bots that are thinking.
    pub(super) fn thinking(&self) -> usize {
        self.places - self.thinking.available_permits()
    }

    /// Number of games that wait for a bot, including those that it is thinking about.
    pub(super) fn waiting_games(&self) -> usize {
        self.busy().len()
    }
}

impl Play {
    /// Starts the bot of a game if the game waits for it and it is not running already.
    pub(super) fn wake_bots(&self, table: &GameSnapshot) {
        let Some((seat, bot)) = pending_bot(table) else { return };
        if !self.inner.peers.thinks() {
            return;
        }
        let mut busy = self.inner.bots.busy();
        if busy.insert(table.id().to_owned()) {
            let crowded = busy.len() > WAITING;
            tokio::spawn(self.clone().answer(table.id().to_owned(), seat, if crowded { Bot::LEVELS[0] } else { bot }));
        }
    }

    /// Plays a bot's seat until the game no longer waits for it.
    async fn answer(self, id: String, seat: Seat, bot: Bot) {
        loop {
            match self.answer_once(&id, seat, bot).await {
                Ok(true) => {}
                Ok(false) => break,
                // The job will find the game again; the delay keeps it from retrying in a tight loop.
                Err(_) => {
                    tokio::time::sleep(AGAIN).await;
                    break;
                }
            }
        }
        self.inner.bots.busy().remove(&id);
        self.inner.peers.work.notify_one();
        // An action that arrived while the bot was finishing must not stay unanswered.
        if let Ok(loaded) = self.loaded(&id).await {
            let table = loaded.table();
            if pending_bot(&table).is_some() {
                tokio::task::yield_now().await;
                self.wake_bots(&table);
            }
        }
    }

    /// Runs bots in waiting games that this process has claimed, or that no live process has. Call periodically.
    ///
    /// # Errors
    /// `Busy` or `Full` if the database cannot be written.
    pub async fn attend_bots(&self) -> Result<(), Error> {
        let name = self.inner.store.process().unwrap_or_default();
        let busy = self.inner.bots.busy().clone();
        let room = (TAKEN * self.inner.bots.places).saturating_sub(busy.len());
        if room == 0 {
            return Ok(());
        }
        let limit = u32::try_from(busy.len() + room).unwrap_or(u32::MAX);
        let search = BotSearch { name: name.to_owned(), now: self.now(), free: self.inner.peers.thinks(), limit };
        for waiting in self.inner.store.claim_pending_bots(search).await? {
            if busy.contains(&waiting.game) {
                continue;
            }
            let table = match self.load_at_least(&waiting.game, waiting.version).await {
                Ok(table) => Some(table),
                Err(error @ (Error::Busy | Error::Often { .. } | Error::Full(_) | Error::Away(_))) => {
                    return Err(error);
                }
                Err(Error::Unknown(why) | Error::Broken(why)) => {
                    self.mark_unreadable(&waiting.game, &why);
                    None
                }
                Err(Error::Stale { .. } | Error::Refused(_) | Error::Key(_)) => None,
            };
            match table.filter(|table| pending_bot(table).is_some()) {
                Some(table) => self.wake_bots(&table),
                None => self.inner.store.settle(waiting).await?,
            }
        }
        Ok(())
    }

    /// Waits until bots may have something to do here.
    pub async fn bot_work_changed(&self) {
        self.inner.peers.work.notified().await;
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
                tracing::error!(variant = table.game.key(), %error, "bot action failed");
                Err(error)
            }
        }
    }

    async fn think(&self, table: Arc<GameSnapshot>, seat: Seat, bot: Bot) -> Option<String> {
        if let Some(answer) = offer_reply(&table.game, seat) {
            return Some(answer);
        }
        if !table.game.awaits().contains(&seat) {
            return None;
        }
        if bot.asks_tables()
            && let Some(answer) = self.table_action(&table, seat).await
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
            // A defective bot must not make its opponent wait for ever.
            said.or_else(|| {
                tracing::error!(
                    variant = table.game.key(),
                    bot = bot.name(),
                    "bot chose no action; playing a random one"
                );
                table.game.advise(seat, Bot::Random, &mut rng, &mut || true)
            })
        });
        thought.await.ok().flatten()
    }

    /// Action that the endgame tables recommend to a seat, if they cover the position.
    pub(super) async fn table_action(&self, table: &GameSnapshot, seat: Seat) -> Option<String> {
        let answer = self.panel(table).await?.action(seat.color())?.to_owned();
        // The tables do not know the draws that can be claimed, and bots claim a draw whenever they can.
        let claims = table.game.can(seat, PlayerCommand::Claim);
        Some(answer).filter(|_| !claims)
    }
}

/// The bot that the game waits for, and its seat.
fn pending_bot(table: &GameSnapshot) -> Option<(Seat, Bot)> {
    asked(&table.game, |seat| table.bot(seat))
}

/// The bot that the game waits for, given the bots in its seats.
pub(super) fn asked(game: &Live, bot: impl Fn(Seat) -> Option<Bot>) -> Option<(Seat, Bot)> {
    let (seat, bot) = Seat::BOTH.into_iter().find_map(|seat| bot(seat).map(|bot| (seat, bot)))?;
    (offer_reply(game, seat).is_some() || game.awaits().contains(&seat)).then_some((seat, bot))
}

/// Answer of a bot to an offer: it accepts takebacks and rematches, and declines draws.
pub fn offer_reply(game: &Live, seat: Seat) -> Option<String> {
    let offers = game.offers();
    match game.outcome() {
        Some(_) => (offers.rematch[(!seat).index()] && !offers.rematch[seat.index()]).then(|| "rematch".to_owned()),
        None if offers.takeback == Some(!seat) => offers.takeback_number.map(|number| format!("accept {number}")),
        None if offers.draw == Some(!seat) => Some("decline".to_owned()),
        None => None,
    }
}

impl GameSnapshot {
    /// Checks that a player may have a hint now.
    ///
    /// # Errors
    /// Refused with the reason.
    pub fn may_have_hint(&self, seat: Seat) -> Result<(), Refusal> {
        if self.bot(!seat).is_none() {
            return Err(Refusal::new("hints are available only in games against a bot of this site"));
        }
        if !self.game.awaits().contains(&seat) {
            return Err(Refusal::new("hints are available only on your turn"));
        }
        Ok(())
    }
}

impl Play {
    /// Hint for a player, computed once per snapshot from what the seat may know.
    ///
    /// # Errors
    /// `Refused` if there is none; otherwise as [`Pool::run_costly`](super::Pool::run_costly).
    pub async fn hint(&self, table: &Arc<GameSnapshot>, seat: Seat) -> Result<Arc<Hint>, Error> {
        table.may_have_hint(seat)?;
        let ask = || async {
            if let Some(action) = self.table_action(table, seat).await {
                return Ok(labelled_hint(table, seat, action, true));
            }
            let thought = self.search_hint(table, seat).await?;
            let action = thought.ok_or_else(|| Refusal::new("no hint is available in this position"))?;
            let here = table.clone();
            self.inner.pools.lookups.run(move || labelled_hint(&here, seat, action, false)).await
        };
        table.hints[seat.index()].get_or_try_init(ask).await.cloned()
    }

    /// Action of the built-in hint level in place of a client-run bot; none if it has no action.
    pub async fn fallback_action(&self, table: &Arc<GameSnapshot>, seat: Seat) -> Option<String> {
        self.search_hint(table, seat).await.ok().flatten()
    }

    async fn search_hint(&self, table: &Arc<GameSnapshot>, seat: Seat) -> Result<Option<String>, Error> {
        let here = table.clone();
        // The level counts positions and has no time limit, so the same position gets the same hint on every machine.
        let thought = self.inner.pools.lookups.run_costly(HINT_CPU_TIME, move |stop| {
            let mut rng = StdRng::seed_from_u64(here.game.ply() as u64);
            here.game.advise(seat, HINT_LEVEL, &mut rng, &mut || {
                give_way();
                stop()
            })
        });
        thought.await
    }
}

/// Builds a hint, labelled with the matching choice if there is one, or as the move list will show the turn.
fn labelled_hint(table: &GameSnapshot, seat: Seat, action: String, exact: bool) -> Arc<Hint> {
    let choices = table.game.diagram(Some(seat)).choices.unwrap_or_default();
    let named = choices.into_iter().find(|choice| choice.action == action);
    let label = named.map(|choice| choice.label).or_else(|| turn_label(&table.game, seat, &action));
    Arc::new(Hint { label: label.unwrap_or_else(|| action.clone()), action, exact })
}

/// A turn of several parts as a move list with columns shows it; `None` in other variants.
fn turn_label(game: &Live, seat: Seat, action: &str) -> Option<String> {
    let mut after = game.copy();
    after.act(Actor::Seat(seat), action, game.last_line_time().unwrap_or_default()).ok()?;
    let diagram = after.diagram(Some(seat));
    let played = diagram.sheet.iter().find(|entry| entry.ply > game.ply() && entry.seat == Some(seat))?;
    played.listing.as_ref().map(|listing| listing.event.clone())
}
