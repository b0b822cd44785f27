//! What the engine thinks of a game that is over: each side's chance after every step, and the choices that gave most of it away. Worked
//! out in the background, a step at a time and only while no bot thinks, by the same process that measures pieces; kept in the record, so
//! that it is worked out once. Of a game that goes on there is none.

use std::{sync::Arc, time::Duration};

use super::{
    Error, GameSnapshot, Play, TableAdvice,
    assessments::{Lapse, Review},
};
use crate::{
    game::{LabelledAction, MoveReview},
    rules::{Outcome, Seat},
    store::{Opinion, ReviewRequest, ReviewStatus},
};

/// The steps of a game that are looked at, from the first one on.
const STEPS: usize = 600;
/// The games that may wait because somebody looked at them; those that end are never turned away.
const WAITING: u32 = 64;
/// The choices that are named.
const NAMED: usize = 3;
/// What gave away less than this, in thousandths, is not named.
const LITTLE: u16 = 50;
/// The wait for bots that think, and the rest after a moment, in milliseconds.
const REST: u64 = 50;

/// How far it is with the opinion on a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reviewing {
    /// The game goes on, or was not played: there is none.
    Never,
    /// It is being worked out, or waits for its turn.
    Waits,
    /// Too many wait: ask again later.
    Later,
    /// It is known.
    Known(Arc<Review>),
}

/// One moment, with what is known of it.
struct Glance {
    judged: MoveReview,
    counsel: Option<TableAdvice>,
}

impl Play {
    /// What the engine thinks of a game, as far as that is known. Whoever asks about a game of which it is not has it worked out.
    ///
    /// # Errors
    /// `Busy` as every question to the record.
    pub async fn review(&self, table: &GameSnapshot) -> Result<Reviewing, Error> {
        match table.game.outcome() {
            None | Some(Outcome::Void(_)) => return Ok(Reviewing::Never),
            Some(Outcome::Win(..) | Outcome::Draw(_)) => {}
        }
        if let Some(known) = table.review.get() {
            return Ok(Reviewing::Known(known.clone()));
        }
        match self.inner.store.review(table.id()).await? {
            ReviewStatus::Known(text) => {
                let review = serde_json::from_str(&text).map_err(|error| Error::Broken(error.to_string()))?;
                Ok(Reviewing::Known(table.review.get_or_init(|| Arc::new(review)).clone()))
            }
            ReviewStatus::Waits => Ok(Reviewing::Waits),
            ReviewStatus::Unasked => {
                let request = ReviewRequest { game: table.id().to_owned(), time: self.now(), most: WAITING };
                let taken = self.inner.store.ask_review(request).await?;
                Ok(if taken { Reviewing::Waits } else { Reviewing::Later })
            }
        }
    }

    /// Works out what waits, one game after the other, if that is done here; to be called again and again.
    ///
    /// # Errors
    /// `Busy`, `Full` or `Away` as every question to the record.
    pub async fn review_waiting(&self) -> Result<(), Error> {
        while self.inner.crew.measures()
            && let Some(id) = self.inner.store.next_review().await?
        {
            let review = match self.look_back(&id).await {
                Ok(Some(review)) => review,
                // Somebody else does it now.
                Ok(None) => return Ok(()),
                Err(error @ (Error::Busy | Error::Often { .. } | Error::Full(_) | Error::Away(_))) => {
                    return Err(error);
                }
                Err(error) => {
                    tracing::warn!(game = id, %error, "could not be looked back at");
                    Review::default()
                }
            };
            let text = serde_json::to_string(&review).map_err(|error| Error::Broken(error.to_string()))?;
            self.inner.store.keep_review(Opinion { game: id.clone(), text }).await?;
            if let Some(loaded) = self.inner.loaded.known(&id) {
                self.fell_behind(&loaded).await?;
            }
        }
        Ok(())
    }

    /// Looks at every moment of a game; nothing if it is no longer for this process to do.
    async fn look_back(&self, id: &str) -> Result<Option<Review>, Error> {
        let table = self.look(id).await?;
        let end = table.game.ply().min(STEPS);
        let endgames = table.game.endgames();
        let mut moments = Vec::with_capacity(end + 1);
        for ply in 0..=end {
            while self.inner.bots.thinking() > 0 {
                tokio::time::sleep(Duration::from_millis(REST)).await;
            }
            if !self.inner.crew.measures() {
                return Ok(None);
            }
            let counsel = match endgames.get(ply).copied().flatten() {
                Some(moment) => self.counsel(moment).await,
                None => None,
            };
            let (begun, here) = (self.now(), table.clone());
            let judged = self.inner.pools.batch.run(move || here.game.judged(ply)).await?;
            let Some(judged) = judged else { return Err(Error::Broken("the game goes on".to_owned())) };
            moments.push(Glance { judged, counsel });
            // As long a rest as the work took: half a processor at most.
            let took = u64::try_from(self.now() - begun).unwrap_or_default().min(20 * REST);
            tokio::time::sleep(Duration::from_millis(took)).await;
        }
        Ok(Some(summary(&table, &moments)))
    }
}

/// What all moments together come to.
fn summary(table: &GameSnapshot, moments: &[Glance]) -> Review {
    let mut chances: Vec<Option<u16>> = moments.iter().map(Glance::chance).collect();
    // Where a deal of a match ended it was won or lost, whatever became of the match.
    for end in table.game.diagram(None).deals.iter().filter_map(|deal| deal.end.as_ref()) {
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
    let exact = (0..moments.len()).filter(|ply| exact(*ply)).collect();
    Review { chances, exact, worst, cut: table.game.ply() > STEPS }
}

impl Glance {
    /// Seat one's chance.
    fn chance(&self) -> Option<u16> {
        let chance = self.advised().or(self.judged.chance);
        chance.map(|chance| (chance * 1000.0).round().clamp(0.0, 1000.0) as u16)
    }

    /// Seat one's chance as the endgame tables know it. They speak of games in which seat one is White. With chips they know it where a win
    /// is proved: whole chips near the edge do not go by the share of the money.
    fn advised(&self) -> Option<f64> {
        self.counsel.as_ref().and_then(TableAdvice::chance)
    }

    /// What a seat said, what would have been better, and what was given away in thousandths, if that is known without what followed.
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
        Some((said, better.told.clone(), lost))
    }
}
