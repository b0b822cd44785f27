//! What the engine thinks of a game that is over, beside it: a graph of one side's chances, and what gave most of them away.

use crate::{
    play::{GameSnapshot, Lapse, Play, Review, Reviewing},
    rules::{Seat, Side},
    web::{frame::Frame, game_text},
};
use std::{fmt::Write, sync::Arc};

/// The graph is so wide, and so high.
const WIDTH: usize = 600;
/// The same.
const HEIGHT: usize = 160;
/// No more steps than this are read out.
const SPOKEN: usize = 24;

/// Chances that are so many steps apart are joined by a line.
const GAP: usize = 2;

/// What there is to show.
#[derive(Clone, Default)]
pub(super) enum Lookback {
    /// Nothing: the game goes on, or nothing can be said.
    #[default]
    Nothing,
    /// It is being worked out.
    Waits,
    /// Too many wait.
    Later,
    /// The opinion.
    Known(Arc<Review>),
}

/// A run of steps whose chances are known, as a part of the graph.
pub(super) struct Run {
    /// Where it begins, from the left edge.
    pub(super) left: usize,
    /// Its width.
    pub(super) width: usize,
    /// The corners of one side's share.
    pub(super) corners: String,
}

/// A choice that gave something away, in words.
pub(super) struct Mistake<'r> {
    /// The lapse.
    pub(super) lapse: &'r Lapse,
    /// Who it was.
    pub(super) who: &'r str,
    /// What was given away, as `38 %`.
    pub(super) lost: String,
    /// Set if the page shows the moment after it.
    pub(super) here: bool,
    /// Where it is in the graph.
    pub(super) at: (usize, usize),
}

impl Lookback {
    /// What there is to show beside a game. Beside one that goes on there is nothing, whatever step of it is looked at.
    pub(super) async fn beside(play: &Play, table: &GameSnapshot) -> Lookback {
        match play.review(table).await {
            Ok(Reviewing::Known(review)) if review.chances.iter().flatten().count() < 2 => Lookback::Nothing,
            Ok(Reviewing::Known(review)) => Lookback::Known(review),
            Ok(Reviewing::Waits) => Lookback::Waits,
            Ok(Reviewing::Later) => Lookback::Later,
            Ok(Reviewing::Never) | Err(_) => Lookback::Nothing,
        }
    }

    /// Tells whether the opinion is there.
    pub(super) fn known(&self) -> bool {
        matches!(self, Lookback::Known(_))
    }
}

/// One side’s view of an opinion.
pub(super) struct SideView<'r> {
    review: &'r Review,
    frame: &'r Frame,
    seat: Seat,
}

/// An opinion as this seat sees it, beside a moment.
pub(super) fn side_view<'r>(review: &'r Review, frame: &'r Frame, seat: Seat) -> SideView<'r> {
    SideView { review, frame, seat }
}

impl SideView<'_> {
    /// The class of the seat's share, and that of the other one's.
    pub(super) fn classes(&self) -> [&'static str; 2] {
        let colors = self.frame.diagram.colors.as_ref();
        let black = colors.map_or(self.seat == Seat::Two, |colors| *colors.of(self.seat) == Side::Black);
        if black { ["two", "one"] } else { ["one", "two"] }
    }

    /// The player whose chances are shown.
    pub(super) fn player(&self) -> &str {
        game_text::player(self.frame, self.seat)
    }

    /// The chance after so many steps, in thousandths.
    fn chance(&self, ply: usize) -> Option<usize> {
        let chance = usize::from((*self.review.chances.get(ply)?)?);
        Some(if self.seat == Seat::One { chance } else { 1000 - chance })
    }

    fn x(&self, ply: usize) -> usize {
        ply * WIDTH / (self.review.chances.len() - 1).max(1)
    }

    fn y(chance: usize) -> usize {
        HEIGHT - chance * HEIGHT / 1000
    }

    /// The parts of the graph.
    pub(super) fn runs(&self) -> Vec<Run> {
        let known: Vec<(usize, usize)> =
            (0..self.review.chances.len()).filter_map(|ply| Some((ply, self.chance(ply)?))).collect();
        let runs = known.chunk_by(|before, after| after.0 - before.0 <= GAP).filter(|run| run.len() > 1);
        runs.map(|run| {
            let (left, right) = (self.x(run[0].0), self.x(run[run.len() - 1].0));
            let mut corners = format!("{left},{HEIGHT}");
            for (ply, chance) in run {
                // Writing to a string does not fail.
                let _ = write!(corners, " {},{}", self.x(*ply), Self::y(*chance));
            }
            let _ = write!(corners, " {right},{HEIGHT}");
            Run { left, width: right - left, corners }
        })
        .collect()
    }

    /// Where the moment of the page is in the graph.
    pub(super) fn here(&self) -> usize {
        self.x(self.frame.ply.min(self.review.chances.len() - 1))
    }

    /// The chance at the moment of the page, if it is known and the game is not over there.
    pub(super) fn now(&self) -> Option<String> {
        if self.frame.current() {
            return None;
        }
        let how = if self.review.exact.contains(&self.frame.ply) { "exactly" } else { "about" };
        self.chance(self.frame.ply).map(|chance| format!("{how} {}", percent(chance)))
    }

    /// The course of the chances in a sentence.
    pub(super) fn course(&self) -> String {
        let known: Vec<(usize, usize)> =
            (0..self.review.chances.len()).filter_map(|ply| Some((ply, self.chance(ply)?))).collect();
        let (Some(first), Some(high), Some(low)) = (
            known.first(),
            known.iter().rev().max_by_key(|(_, chance)| *chance),
            known.iter().min_by_key(|(_, chance)| *chance),
        ) else {
            return String::new();
        };
        let at = |(ply, chance): &(usize, usize)| match ply {
            0 => format!("{} at the start", percent(*chance)),
            _ => format!("{} after step {ply}", percent(*chance)),
        };
        format!("{}, at most {}, at least {}.", at(first), at(high), at(low))
    }

    /// Some of the chances, to be read instead of seen.
    pub(super) fn words(&self) -> String {
        let last = self.review.chances.len() - 1;
        let apart = last.div_ceil(SPOKEN).max(1);
        let told = (0..=last).filter(|ply| ply % apart == 0 || *ply == last);
        let told = told.filter_map(|ply| Some(format!("step {ply}: {}", percent(self.chance(ply)?))));
        told.collect::<Vec<_>>().join(", ")
    }

    /// The choices that gave most away, in words.
    pub(super) fn worst(&self) -> impl Iterator<Item = Mistake<'_>> {
        self.review.worst.iter().map(|lapse| Mistake {
            lapse,
            who: game_text::player(self.frame, lapse.seat),
            lost: percent(usize::from(lapse.lost)),
            here: lapse.ply == self.frame.ply,
            at: (self.x(lapse.ply), Self::y(self.chance(lapse.ply).unwrap_or(500)).clamp(6, HEIGHT - 6)),
        })
    }

    /// Tells whether some chances are exact.
    pub(super) fn exact(&self) -> bool {
        !self.review.exact.is_empty()
    }

    /// The number of steps that were looked at, if there are more.
    pub(super) fn cut(&self) -> Option<usize> {
        self.review.cut.then(|| self.review.chances.len() - 1)
    }
}

/// Thousandths in percent.
fn percent(thousandths: usize) -> String {
    format!("{}\u{a0}%", (thousandths + 5) / 10)
}
