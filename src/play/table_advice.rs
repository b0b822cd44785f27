//! Advice of the endgame tables for live and finished games, computed at most once per snapshot and outside the request threads. The rules,
//! and the end of the game, decide who may see it.

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

/// Only every eighth level of the thresholds is kept. All levels together take 28 megabytes; a query costs a few milliseconds.
const STRIDE: usize = 8;
/// Estimated CPU time of a query about chips.
const ADVICE: Duration = Duration::from_millis(100);

/// Endgame tables, once provided, and thresholds, computed on first use.
#[derive(Default)]
pub(super) struct Advisor {
    tables: OnceLock<Arc<Tables>>,
    /// With negative bids, and without.
    thresholds: [OnceLock<Thresholds>; 2],
}

/// The tables are not ready yet.
struct NotReady;

impl Advisor {
    /// Advice for at most three pieces. The first query about chips computes the thresholds, which takes half a second.
    fn advise(&self, moment: &Endgame, stop: Stop) -> Option<Advice> {
        // Return before the thresholds are computed: they do not apply to more pieces.
        if moment.position.occupied().len() > 3 {
            return None;
        }
        let table = self.tables.get()?.ready(Size::ORTHODOX)?;
        let solve = || Thresholds::solve(&table, STRIDE, moment.negative);
        let kept = &self.thresholds[usize::from(!moment.negative)];
        advise(&table, moment.chips.map(|_| kept.get_or_init(solve)), moment, stop)
    }

    /// Advice for at most four pieces.
    fn counsel(&self, moment: &Endgame, stop: Stop) -> Option<TableAdvice> {
        if let Some(advice) = self.advise(moment, stop) {
            return Some(TableAdvice::Exact(Arc::new(advice)));
        }
        let tables = self.tables.get()?;
        let advice = advise_of_four(&*tables.ready(Size::ORTHODOX)?, tables.four(), moment).unwrap_or_else(|error| {
            tracing::warn!(%error, "reading a four-piece table failed");
            None
        });
        advice.map(|advice| TableAdvice::Bounded(Arc::new(advice)))
    }

    fn ready(&self) -> bool {
        self.tables.get().is_some_and(|tables| tables.ready(Size::ORTHODOX).is_some())
    }
}

impl Play {
    /// Provides the endgame tables, solved or not. Later calls have no effect.
    pub fn provide_tables(&self, tables: Arc<Tables>) {
        self.inner.advisor.tables.get_or_init(|| tables);
    }

    /// Returns whether the tables may answer later for a position without advice now: they are not ready, or the file of its four pieces
    /// may still be added.
    pub fn may_know_later(&self, moment: &Endgame) -> bool {
        !self.inner.advisor.ready() || is_of_four(moment)
    }

    /// Pool for advice. Queries about chips can take seconds; all others are fast enough for the pool of games.
    fn advising(&self, chips: bool) -> &Pool {
        if chips { &self.inner.pools.lookups } else { &self.inner.pools.games }
    }

    /// Advice for a position of at most three pieces; none if the tables do not cover it or are not ready.
    pub async fn advise(&self, moment: Endgame) -> Option<Advice> {
        let play = self.clone();
        let advise = move |stop: Stop| play.inner.advisor.advise(&moment, stop);
        self.advising(moment.chips.is_some()).run_costly(ADVICE, advise).await.ok().flatten()
    }

    /// Advice for a position of at most four pieces; none if the tables do not cover it or are not ready.
    pub async fn counsel(&self, moment: Endgame) -> Option<TableAdvice> {
        let play = self.clone();
        let counsel = move |stop: Stop| play.inner.advisor.counsel(&moment, stop);
        self.advising(moment.chips.is_some()).run_costly(ADVICE, counsel).await.ok().flatten()
    }

    /// Advice for the current position of a game, cached in its snapshot.
    pub async fn panel(&self, table: &GameSnapshot) -> Option<TableAdvice> {
        let moment = table.game.endgame()?;
        let ask = || async {
            let counsel = self.counsel(moment).await;
            if counsel.is_none() && !self.inner.advisor.ready() { Err(NotReady) } else { Ok(counsel) }
        };
        table.panel.get_or_try_init(ask).await.ok().cloned().flatten()
    }

    /// Plies of a finished game at which the winner changed, as far as the tables cover it.
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
                Some(richman::find_winner_changes(&solved, tables.four(), &moments, stop))
            });
            swings.await.ok().flatten().map(Arc::from).ok_or(NotReady)
        };
        table.swings.get_or_try_init(ask).await.ok().cloned().unwrap_or_default()
    }

    /// JSON view of a game for a viewer, including the table advice that the viewer may see.
    pub async fn text(&self, table: &Arc<GameSnapshot>, viewer: Viewer) -> Arc<str> {
        let text = &table.texts[viewer.map_or(0, |seat| 1 + seat.index())];
        if let Some(text) = text.get() {
            return text.clone();
        }
        // Until the tables are ready, the text of this snapshot may still change.
        let lasting = !table.sees_table_values(viewer) || self.inner.advisor.ready();
        let made: Arc<str> = self.text_before(table, viewer, usize::MAX).await.into();
        if lasting { text.get_or_init(|| made).clone() } else { made }
    }

    /// JSON view whose move list ends before line `before`, as in [`GameSnapshot::json_before`].
    pub async fn text_before(&self, table: &Arc<GameSnapshot>, viewer: Viewer, before: usize) -> String {
        let mut json = table.json_before(viewer, before);
        let counsel = if table.sees_table_values(viewer) { self.panel(table).await } else { None };
        let (panel, bounds) = match counsel.and_then(|counsel| counsel.visible_part(table.sees_advice(viewer))) {
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
