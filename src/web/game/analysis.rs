//! Engine analysis of a finished game: a graph of one side's chances, and the biggest mistakes.

use crate::{
    play::{GameSnapshot, Lapse, Play, Review, ReviewState},
    rules::{Seat, Side},
    web::{frame::Frame, game_text},
};
use std::{fmt::Write, sync::Arc};

/// Width of the graph.
const WIDTH: usize = 600;
/// Height of the graph.
const HEIGHT: usize = 160;
/// Maximum number of chances in the graph's text description.
const MAX_DESCRIBED: usize = 24;

/// Maximum distance in steps between two chances joined by a line.
const GAP: usize = 2;

/// State of a game's analysis.
#[derive(Clone, Default)]
pub(super) enum Lookback {
    /// None: the game is not over, or there is nothing to analyse.
    #[default]
    Nothing,
    /// In progress.
    Waits,
    /// Not started, because too many games are waiting.
    Later,
    /// Available.
    Known(Arc<Review>),
}

/// Consecutive steps with known chances, as a part of the graph.
pub(super) struct Run {
    /// Distance from the left edge.
    pub(super) left: usize,
    /// Width.
    pub(super) width: usize,
    /// Corners of one side's area, as SVG points.
    pub(super) corners: String,
}

/// A mistake as the page shows it.
pub(super) struct Mistake<'r> {
    /// The mistake.
    pub(super) lapse: &'r Lapse,
    /// Name of the player.
    pub(super) who: &'r str,
    /// Chance lost, such as `38 %`.
    pub(super) lost: String,
    /// Whether the page shows the position after it.
    pub(super) here: bool,
    /// Coordinates in the graph.
    pub(super) at: (usize, usize),
}

impl Lookback {
    /// Loads the analysis of a game. A running game has none, at any position.
    pub(super) async fn load(play: &Play, table: &GameSnapshot) -> Lookback {
        match play.review(table).await {
            Ok(ReviewState::Known(review)) if review.chances.iter().flatten().count() < 2 => Lookback::Nothing,
            Ok(ReviewState::Known(review)) => Lookback::Known(review),
            Ok(ReviewState::Waits) => Lookback::Waits,
            Ok(ReviewState::Later) => Lookback::Later,
            Ok(ReviewState::Never) | Err(_) => Lookback::Nothing,
        }
    }

    /// Whether the analysis is available.
    pub(super) fn known(&self) -> bool {
        matches!(self, Lookback::Known(_))
    }
}

/// An analysis from one player's point of view.
pub(super) struct SideView<'r> {
    review: &'r Review,
    frame: &'r Frame,
    seat: Seat,
}

/// An analysis from the point of view of `seat`, for the page of a position.
pub(super) fn side_view<'r>(review: &'r Review, frame: &'r Frame, seat: Seat) -> SideView<'r> {
    SideView { review, frame, seat }
}

impl SideView<'_> {
    /// CSS classes of the seat's area and of the opponent's.
    pub(super) fn classes(&self) -> [&'static str; 2] {
        let colors = self.frame.diagram.colors.as_ref();
        let black = colors.map_or(self.seat == Seat::Two, |colors| *colors.of(self.seat) == Side::Black);
        if black { ["two", "one"] } else { ["one", "two"] }
    }

    /// Player whose chances are shown.
    pub(super) fn player(&self) -> &str {
        game_text::player(self.frame, self.seat)
    }

    /// Chance after `ply` steps, in thousandths.
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

    /// Parts of the graph.
    pub(super) fn runs(&self) -> Vec<Run> {
        let known: Vec<(usize, usize)> =
            (0..self.review.chances.len()).filter_map(|ply| Some((ply, self.chance(ply)?))).collect();
        let runs = known.chunk_by(|before, after| after.0 - before.0 <= GAP).filter(|run| run.len() > 1);
        runs.map(|run| {
            let (left, right) = (self.x(run[0].0), self.x(run[run.len() - 1].0));
            let mut corners = format!("{left},{HEIGHT}");
            for (ply, chance) in run {
                // Writing to a string cannot fail.
                let _ = write!(corners, " {},{}", self.x(*ply), Self::y(*chance));
            }
            let _ = write!(corners, " {right},{HEIGHT}");
            Run { left, width: right - left, corners }
        })
        .collect()
    }

    /// Horizontal position of the page's ply in the graph.
    pub(super) fn here(&self) -> usize {
        self.x(self.frame.ply.min(self.review.chances.len() - 1))
    }

    /// Chance at the page's position, if known. At the end of the game it is omitted.
    pub(super) fn now(&self) -> Option<String> {
        if self.frame.current() {
            return None;
        }
        let how = if self.review.exact.contains(&self.frame.ply) { "exactly" } else { "about" };
        self.chance(self.frame.ply).map(|chance| format!("{how} {}", percent(chance)))
    }

    /// Summary of the graph in a sentence.
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
            0 => format!("{} (start)", percent(*chance)),
            _ => format!("{} (step {ply})", percent(*chance)),
        };
        format!("{}. Peak {}, low {}.", at(first), at(high), at(low))
    }

    /// Text description of the graph.
    pub(super) fn words(&self) -> String {
        let last = self.review.chances.len() - 1;
        let apart = last.div_ceil(MAX_DESCRIBED).max(1);
        let told = (0..=last).filter(|ply| ply % apart == 0 || *ply == last);
        let told = told.filter_map(|ply| Some(format!("step {ply}: {}", percent(self.chance(ply)?))));
        told.collect::<Vec<_>>().join(", ")
    }

    /// Biggest mistakes.
    pub(super) fn worst(&self) -> impl Iterator<Item = Mistake<'_>> {
        self.review.worst.iter().map(|lapse| Mistake {
            lapse,
            who: game_text::player(self.frame, lapse.seat),
            lost: percent(usize::from(lapse.lost)),
            here: lapse.ply == self.frame.ply,
            at: (self.x(lapse.ply), Self::y(self.chance(lapse.ply).unwrap_or(500)).clamp(6, HEIGHT - 6)),
        })
    }

    /// Whether some chances are exact.
    pub(super) fn exact(&self) -> bool {
        !self.review.exact.is_empty()
    }

    /// Number of analysed steps, if the game has more.
    pub(super) fn cut(&self) -> Option<usize> {
        self.review.cut.then(|| self.review.chances.len() - 1)
    }
}

/// Thousandths as percent.
fn percent(thousandths: usize) -> String {
    format!("{}\u{a0}%", (thousandths + 5) / 10)
}
