//! Bots at the tables: they think apart from the requests, a few at a time, within a budget, and act like anybody else.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

use rand::{SeedableRng, rngs::StdRng};
use tokio::sync::Semaphore;

use super::{Error, LiveGame, Play};
use crate::{bots::Bot, game::Word, rules::Seat};

/// The number of bots that think at the same time.
const THINKING: usize = 2;
/// The number of games that may wait for a bot; beyond that bots hardly think.
const WAITING: usize = 64;
/// The time that a bot thinks about one choice, in milliseconds.
const BUDGET: i64 = 300;

/// Where bots wait for a place to think.
pub(super) struct Bench {
    thinking: Arc<Semaphore>,
    busy: Mutex<HashSet<String>>,
}

impl Default for Bench {
    fn default() -> Self {
        Bench { thinking: Arc::new(Semaphore::new(THINKING)), busy: Mutex::default() }
    }
}

impl Bench {
    /// The number of bots that are thinking.
    pub(super) fn thinking(&self) -> usize {
        THINKING - self.thinking.available_permits()
    }
}

impl Play {
    /// Lets the bot of a game answer, if it is asked and not thinking already.
    pub(super) fn wake_bots(&self, table: &LiveGame) {
        let Some((seat, bot)) = asked(table) else { return };
        let mut busy = self.inner.bots.busy.lock().unwrap_or_else(PoisonError::into_inner);
        if busy.insert(table.id().to_owned()) {
            let crowded = busy.len() > WAITING;
            tokio::spawn(self.clone().answer(table.id().to_owned(), seat, if crowded { Bot::LEVELS[0] } else { bot }));
        }
    }

    /// Plays a bot's seat until it is no longer asked.
    async fn answer(self, id: String, seat: Seat, bot: Bot) {
        while let Ok(true) = self.answer_once(&id, seat, bot).await {}
        self.inner.bots.busy.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        // What was said while the bot was leaving must not be left unanswered.
        if let Ok(loaded) = self.loaded(&id).await {
            let table = loaded.table();
            if asked(&table).is_some() {
                tokio::task::yield_now().await;
                self.wake_bots(&table);
            }
        }
    }

    async fn answer_once(&self, id: &str, seat: Seat, bot: Bot) -> Result<bool, Error> {
        let table = self.loaded(id).await?.table();
        let Some(text) = self.think(table.clone(), seat, bot).await else { return Ok(false) };
        match Box::pin(self.act(id, seat, Some(table.game.ply()), &text, None)).await {
            Ok(_) | Err(Error::Stale { .. }) => Ok(true),
            // Another process has answered for the bot.
            Err(Error::Refused(_)) if self.loaded(id).await?.table().version() > table.version() => Ok(true),
            Err(error) => {
                tracing::error!(variant = table.game.key(), %error, "a bot was refused");
                Err(error)
            }
        }
    }

    async fn think(&self, table: Arc<LiveGame>, seat: Seat, bot: Bot) -> Option<String> {
        if let Some(answer) = courtesy(&table, seat) {
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
        let _place = self.inner.bots.thinking.clone().acquire_owned().await.ok()?;
        let mut rng = self.draw(|mut chance| StdRng::from_rng(&mut chance));
        let play = self.clone();
        let thought = tokio::task::spawn_blocking(move || {
            let end = play.now() + BUDGET;
            let said = table.game.advise(seat, bot, &mut rng, &mut || play.now() >= end);
            // Nobody waits for ever because of a fault of ours.
            said.or_else(|| {
                tracing::error!(variant = table.game.key(), bot = bot.name(), "a bot had nothing to say");
                table.game.advise(seat, Bot::Random, &mut rng, &mut || true)
            })
        });
        thought.await.ok().flatten()
    }
}

impl Play {
    /// Finds what the endgame tables tell a seat to say, if they speak of the position.
    async fn known(&self, table: &LiveGame, seat: Seat) -> Option<String> {
        let advice = self.panel(table).await?;
        let answer = advice.hint(seat.color()).action.clone()?;
        // The tables know nothing of a draw that could be claimed now, and bots claim when they may.
        let claims = table.game.can(seat, Word::Claim);
        Some(answer).filter(|_| !claims)
    }
}

/// The bot's seat, if the bot has something to answer.
fn asked(table: &LiveGame) -> Option<(Seat, Bot)> {
    let (seat, bot) = Seat::BOTH.into_iter().find_map(|seat| table.bot(seat).map(|bot| (seat, bot)))?;
    (courtesy(table, seat).is_some() || table.game.awaits().contains(&seat)).then_some((seat, bot))
}

/// Answers an offer for a bot: it lets its opponent take back and play again, and plays on instead of a draw.
fn courtesy(table: &LiveGame, seat: Seat) -> Option<&'static str> {
    let offers = table.game.offers();
    match table.game.outcome() {
        Some(_) => (offers.rematch[(!seat).index()] && !offers.rematch[seat.index()]).then_some("rematch"),
        None if offers.takeback == Some(!seat) => Some("takeback"),
        None if offers.draw == Some(!seat) => Some("decline"),
        None => None,
    }
}
