//! The advice of the endgame tables: asked for at most once for every moment, and worked out apart from the requests. Who may
//! see it, the rules decide, and the end of the game.

use std::{
    sync::{Arc, OnceLock},
    time::Duration,
};

use super::{GameSnapshot, Play, Pool, TableAdvice};
use crate::{
    board::Size,
    richman::{self, Advice, Stop, Tables, Thresholds, WinnerChange, advise, advise_of_four, is_of_four},
    rules::{Endgame, Viewer},
};

/// Every eighth level of the thresholds is kept: all of them together take 28 megabytes, and a question costs a few milliseconds.
const STRIDE: usize = 8;
/// The estimated CPU time of an answer of the tables about chips.
const ADVICE: Duration = Duration::from_millis(100);

/// The tables, once somebody has brought them, and the thresholds, once a game has needed them.
#[derive(Default)]
pub(super) struct Advisor {
    tables: OnceLock<Arc<Tables>>,
    /// With bids below zero, and without.
    thresholds: [OnceLock<Thresholds>; 2],
}

/// The tables cannot answer yet.
struct NotReady;

impl Advisor {
    /// Computes, at the first question about chips for half a second.
    fn advise(&self, moment: &Endgame, stop: Stop) -> Option<Advice> {
        // What has more pieces need not wait for the thresholds.
        if moment.position.occupied().len() > 3 {
            return None;
        }
        let table = self.tables.get()?.ready(Size::ORTHODOX)?;
        let solve = || Thresholds::solve(&table, STRIDE, moment.negative);
        let kept = &self.thresholds[usize::from(!moment.negative)];
        advise(&table, moment.chips.map(|_| kept.get_or_init(solve)), moment, stop)
    }

    /// The same of four pieces too.
    fn counsel(&self, moment: &Endgame, stop: Stop) -> Option<TableAdvice> {
        if let Some(advice) = self.advise(moment, stop) {
            return Some(TableAdvice::Exact(Arc::new(advice)));
        }
        let tables = self.tables.get()?;
        let advice = advise_of_four(&*tables.ready(Size::ORTHODOX)?, tables.four(), moment).unwrap_or_else(|error| {
            tracing::warn!(%error, "a table of four pieces cannot be used");
            None
        });
        advice.map(|advice| TableAdvice::Bounded(Arc::new(advice)))
    }

    fn ready(&self) -> bool {
        self.tables.get().is_some_and(|tables| tables.ready(Size::ORTHODOX).is_some())
    }
}

impl Play {
    /// Brings the endgame tables. They need not be solved yet; the first ones stay.
    pub fn consult(&self, tables: Arc<Tables>) {
        self.inner.advisor.tables.get_or_init(|| tables);
    }

    /// Tells whether the tables may know later what they do not know of a moment now: they are not ready, or the files of its four pieces are not
    /// there.
    pub fn may_know_later(&self, moment: &Endgame) -> bool {
        !self.inner.advisor.ready() || is_of_four(moment)
    }

    /// The pool for advice. Verdicts about chips can take seconds; anything else is found at once and belongs to playing.
    fn advising(&self, chips: bool) -> &Pool {
        if chips { &self.inner.pools.lookups } else { &self.inner.pools.games }
    }

    /// Asks the tables of three pieces about a moment; nothing if they do not cover it or are not ready.
    pub async fn advise(&self, moment: Endgame) -> Option<Advice> {
        let play = self.clone();
        let advise = move |stop: Stop| play.inner.advisor.advise(&moment, stop);
        self.advising(moment.chips.is_some()).run_costly(ADVICE, advise).await.ok().flatten()
    }

    /// Asks all tables about a moment, those of four pieces too.
    pub async fn counsel(&self, moment: Endgame) -> Option<TableAdvice> {
        let play = self.clone();
        let counsel = move |stop: Stop| play.inner.advisor.counsel(&moment, stop);
        self.advising(moment.chips.is_some()).run_costly(ADVICE, counsel).await.ok().flatten()
    }

    /// The same for the moment at which a game stands, for everybody who looks at it.
    pub async fn panel(&self, table: &GameSnapshot) -> Option<TableAdvice> {
        let moment = table.game.endgame()?;
        let ask = || async {
            let counsel = self.counsel(moment).await;
            if counsel.is_none() && !self.inner.advisor.ready() { Err(NotReady) } else { Ok(counsel) }
        };
        table.panel.get_or_try_init(ask).await.ok().cloned().flatten()
    }

    /// The steps of a game that is over at which the win changed hands, as far as the tables see.
    pub async fn swings(&self, table: &Arc<GameSnapshot>) -> Arc<[WinnerChange]> {
        if table.game.outcome().is_none() {
            return Arc::default();
        }
        let ask = || async {
            let (play, own) = (self.clone(), table.clone());
            let moments = self.inner.pools.games.run(move || own.game.endgames()).await.map_err(|_| NotReady)?;
            if moments.iter().all(Option::is_none) {
                return Ok(Arc::default());
            }
            let chips = moments.iter().flatten().any(|moment| moment.chips.is_some());
            let swings = self.advising(chips).run_costly(ADVICE, move |stop: Stop| {
                let tables = play.inner.advisor.tables.get()?;
                let solved = tables.ready(Size::ORTHODOX)?;
                Some(richman::swings(&solved, tables.four(), &moments, stop))
            });
            swings.await.ok().flatten().map(Arc::from).ok_or(NotReady)
        };
        table.swings.get_or_try_init(ask).await.ok().cloned().unwrap_or_default()
    }

    /// All that a viewer may see, for programs, with what the tables say if he may see that too.
    pub async fn text(&self, table: &Arc<GameSnapshot>, viewer: Viewer) -> Arc<str> {
        let text = &table.texts[viewer.map_or(0, |seat| 1 + seat.index())];
        if let Some(text) = text.get() {
            return text.clone();
        }
        // While the tables are not ready there is more to say later about the same moment.
        let lasting = !table.counselled(viewer) || self.inner.advisor.ready();
        let made: Arc<str> = self.text_before(table, viewer, usize::MAX).await.into();
        if lasting { text.get_or_init(|| made).clone() } else { made }
    }

    /// The same with the lines of the score sheet before one of them, as [`LiveGame::json_before`] gives them.
    pub async fn text_before(&self, table: &Arc<GameSnapshot>, viewer: Viewer, before: usize) -> String {
        let mut json = table.json_before(viewer, before);
        let counsel = if table.counselled(viewer) { self.panel(table).await } else { None };
        let (panel, bounds) = match counsel.and_then(|counsel| counsel.told(table.advised(viewer))) {
            Some(TableAdvice::Exact(advice)) => (Some(advice), None),
            Some(TableAdvice::Bounded(advice)) => (None, Some(advice)),
            None => (None, None),
        };
        json["panel"] = serde_json::json!(panel);
        json["bounds"] = serde_json::json!(bounds);
        if table.game.outcome().is_some() {
            json["swings"] = serde_json::json!(&*self.swings(table).await);
        }
        json.to_string()
    }
}
