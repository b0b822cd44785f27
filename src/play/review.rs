//! Engine analysis of finished games: each player's chance after every ply, and the biggest mistakes. It runs in the background, one ply at
//! a time and only while no bot thinks, in the process that measures pieces. Each review is computed once and stored. Running games have
//! none.

use std::{sync::Arc, time::Duration};

use super::{
    Error, GameSnapshot, Play, TableAdvice,
    assessments::{Lapse, Review},
};
use crate::{
    game::{LabelledAction, MoveReview},
    rules::{Outcome, Seat},
    store::{GameReview, ReviewRequest, ReviewStatus},
};

/// Maximum number of plies analysed per game, from the start.
const STEPS: usize = 600;
/// Maximum number of waiting reviews requested by visitors. Games that have just ended are always queued.
const WAITING: u32 = 64;
/// Number of mistakes listed.
const NAMED: usize = 3;
/// Minimum loss of a listed mistake, in thousandths.
const LITTLE: u16 = 50;
/// Interval between checks for thinking bots, in milliseconds; the pause after a ply is at most 20 times this.
const REST: u64 = 50;

/// Status of a game's review.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReviewState {
    /// There is no review: the game is running, or is void.
    Never,
    /// The review is running or waiting.
    Waits,
    /// Too many reviews are waiting; try again later.
    Later,
    /// The review is complete.
    Known(Arc<Review>),
}

/// One ply and its assessment.
struct PlyAssessment {
    judged: MoveReview,
    counsel: Option<TableAdvice>,
}

impl Play {
    /// Returns the review of a game, requesting it if there is none yet.
    ///
    /// # Errors
    /// `Busy`, or a database error.
    pub async fn review(&self, table: &GameSnapshot) -> Result<ReviewState, Error> {
        match table.game.outcome() {
            None | Some(Outcome::Void(_)) => return Ok(ReviewState::Never),
            Some(Outcome::Win(..) | Outcome::Draw(_)) => {}
        }
        if let Some(known) = table.review.get() {
            return Ok(ReviewState::Known(known.clone()));
        }
        match self.inner.store.review(table.id()).await? {
            ReviewStatus::Known(text) => {
                let review = serde_json::from_str(&text).map_err(|error| Error::Broken(error.to_string()))?;
                Ok(ReviewState::Known(table.review.get_or_init(|| Arc::new(review)).clone()))
            }
            ReviewStatus::Queued => Ok(ReviewState::Waits),
            ReviewStatus::NotRequested => {
                let request = ReviewRequest { game: table.id().to_owned(), time: self.now(), most: WAITING };
                let taken = self.inner.store.request_review(request).await?;
                Ok(if taken { ReviewState::Waits } else { ReviewState::Later })
            }
        }
    }

    /// Computes the waiting reviews one after another, if this process does reviews. Call periodically.
    ///
    /// # Errors
    /// `Busy`, `Full` or `Away` if the database fails.
    pub async fn review_waiting(&self) -> Result<(), Error> {
        while self.inner.peers.measures()
            && let Some(id) = self.inner.store.next_review().await?
        {
            let review = match self.analyse_game(&id).await {
                Ok(Some(review)) => review,
                // Another process has taken over the reviews.
                Ok(None) => return Ok(()),
                Err(error @ (Error::Busy | Error::Often { .. } | Error::Full(_) | Error::Away(_))) => {
                    return Err(error);
                }
                Err(error) => {
                    tracing::warn!(game = id, %error, "game review failed");
                    Review::default()
                }
            };
            let text = serde_json::to_string(&review).map_err(|error| Error::Broken(error.to_string()))?;
            self.inner.store.store_review(GameReview { game: id.clone(), text }).await?;
            if let Some(loaded) = self.inner.loaded.get_loaded(&id) {
                self.reload_if_outdated(&loaded).await?;
            }
        }
        Ok(())
    }

    /// Analyses every ply of a game. Returns none if another process has taken over the reviews.
    async fn analyse_game(&self, id: &str) -> Result<Option<Review>, Error> {
        let table = self.look(id).await?;
        let end = table.game.ply().min(STEPS);
        let endgames = table.game.endgames();
        let mut moments = Vec::with_capacity(end + 1);
        for ply in 0..=end {
            while self.inner.bots.thinking() > 0 {
                tokio::time::sleep(Duration::from_millis(REST)).await;
            }
            if !self.inner.peers.measures() {
                return Ok(None);
            }
            let counsel = match endgames.get(ply).copied().flatten() {
                Some(moment) => self.counsel(moment).await,
                None => None,
            };
            let (begun, here) = (self.now(), table.clone());
            let judged = self.inner.pools.batch.run(move || here.game.review_after(ply)).await?;
            let Some(judged) = judged else { return Err(Error::Broken("the game is not over".to_owned())) };
            moments.push(PlyAssessment { judged, counsel });
            // Pause for the duration of the work, which thus uses at most half a processor.
            let took = u64::try_from(self.now() - begun).unwrap_or_default().min(20 * REST);
            tokio::time::sleep(Duration::from_millis(took)).await;
        }
        Ok(Some(summary(&table, &moments)))
    }
}

/// Summarises the assessments of all plies.
fn summary(table: &GameSnapshot, moments: &[PlyAssessment]) -> Review {
    let mut chances: Vec<Option<u16>> = moments.iter().map(PlyAssessment::chance).collect();
    let result = chances.last().copied().flatten();
    // Within a deal the chance is that of the deal, so it ends with the result of the deal.
    let deals = table.game.diagram(None).deals;
    for end in deals.iter().filter_map(|deal| deal.end.as_ref()) {
        if let Some(chance) = chances.get_mut(end.ply) {
            *chance = match end.winner {
                _ if end.void => None,
                Some(Seat::One) => Some(1000),
                Some(Seat::Two) => Some(0),
                None => Some(500),
            };
        }
    }
    let exact = |ply: usize| moments.get(ply).is_some_and(|moment| moment.advised().is_some());
    let mut worst: Vec<Lapse> = Vec::new();
    for (ply, moment) in moments.iter().enumerate() {
        for seat in Seat::BOTH {
            let Some((said, better, lost)) = moment.lapse(seat) else { continue };
            let own = |chance: Option<u16>| chance.map(|chance| if seat == Seat::One { chance } else { 1000 - chance });
            let fallen = || {
                let (before, after) = (own(chances[ply])?, own(*chances.get(ply + 1)?)?);
                Some(before.saturating_sub(after))
            };
            let lost = lost.or_else(fallen).unwrap_or(0);
            if lost >= LITTLE {
                worst.push(Lapse {
                    ply: ply + 1,
                    seat,
                    said: said.label.clone(),
                    better: better.label.clone(),
                    action: better.action.clone(),
                    lost,
                    exact: exact(ply) && exact(ply + 1),
                });
            }
        }
    }
    worst.sort_by_key(|lapse| std::cmp::Reverse(lapse.lost));
    worst.truncate(NAMED);
    // The last chance of a match is the result of the match. No mistake is measured by it.
    if let (true, Some(last)) = (deals.len() > 1 && table.game.ply() <= STEPS, chances.last_mut()) {
        *last = result;
    }
    let exact = (0..moments.len()).filter(|ply| exact(*ply)).collect();
    Review { chances, exact, worst, cut: table.game.ply() > STEPS }
}

impl PlyAssessment {
    /// Seat one's chance, in thousandths.
    fn chance(&self) -> Option<u16> {
        let chance = self.advised().or(self.judged.chance);
        chance.map(|chance| (chance * 1000.0).round().clamp(0.0, 1000.0) as u16)
    }

    /// Seat one's chance from the endgame tables, which cover games in which seat one is White. With chips it is known only where a win is
    /// proved: near the threshold, whole chips do not follow the share of the money.
    fn advised(&self) -> Option<f64> {
        self.counsel.as_ref().and_then(TableAdvice::chance)
    }

    /// A seat's choice, a better one, and the loss in thousandths if it is known without the following ply.
    fn lapse(&self, seat: Seat) -> Option<(&LabelledAction, LabelledAction, Option<u16>)> {
        let said = self.judged.of_seat(seat)?;
        let counsel = self.counsel.as_ref().filter(|counsel| counsel.weighs());
        if let Some((counsel, action)) = counsel.and_then(|counsel| Some((counsel, counsel.action(seat.color())?))) {
            let named = counsel.recommended(seat.color()).filter(|(uci, _)| *uci == action);
            let label = named.map_or(action, |(_, san)| san).to_owned();
            return (action != said.action).then(|| (said, LabelledAction { action: action.to_owned(), label }, None));
        }
        let better = self.judged.better[seat.index()].as_ref()?;
        let lost = better.lost.map(|lost| (lost * 1000.0).round().clamp(0.0, 1000.0) as u16);
        Some((said, better.labelled.clone(), lost))
    }
}
