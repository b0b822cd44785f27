//! What the template of a game's page asks of it.

use super::GamePage;
use crate::{
    play::Review,
    registry,
    rules::{Choice, ChoiceKind, Seat},
    web::{
        game::{
            bar::Bar,
            hand::says,
            lookback::{SideView, side_view},
        },
        words,
    },
};
use serde::Serialize;

/// A choice as the script reads it.
#[derive(Serialize)]
struct Listed<'c> {
    #[serde(flatten)]
    choice: &'c Choice,
    /// Set if it costs more than there is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    dear: bool,
}

/// The offers of one side.
pub(super) struct Answerable {
    pub(super) draw: bool,
    pub(super) takeback: bool,
}

impl GamePage {
    /// The colour of a viewer who plays one side, once that is known.
    pub(super) fn own_side(&self) -> Option<&'static str> {
        let colors = self.frame.diagram.colors.as_ref().filter(|_| !self.frame.both_seats)?;
        self.frame.viewer.map(|seat| colors.of(seat).name())
    }

    /// What the viewer may do now, as JSON for a data block, with the moves that are too dear:
    /// `[{"action": "e2e4", "label": "e4", "kind": "move", "from": "e2", "to": "e4", "amount": 3, "dear": true}]`.
    pub(super) fn choices(&self) -> String {
        let moves = |choice: &&Choice| matches!(choice.kind, ChoiceKind::Move { .. });
        let may = self.frame.diagram.choices.iter().flatten().map(|choice| Listed { choice, dear: false });
        let dear = self.dear.iter().filter(moves).map(|choice| Listed { choice, dear: true });
        let listed: Vec<Listed> = may.chain(dear).filter(|_| self.frame.asked).collect();
        let json = serde_json::to_string(&listed).expect("choices are plain records");
        // Nothing in a data block may look like the end of it.
        json.replace('<', "\\u003c")
    }

    /// An example of what may be written; nothing where the choices are parts of something longer.
    pub(super) fn example(&self) -> &str {
        let mut choices = self.frame.diagram.choices.iter().flatten();
        choices.find(|choice| self.frame.draft.is_none() || choice.whole).map_or("", |choice| &choice.action)
    }

    /// A seat's share of the score, once there is something to share.
    pub(super) fn scored(&self) -> bool {
        self.frame.outcome.is_some() || self.frame.score.iter().any(|points| points != "0")
    }

    /// The offers of the other side.
    pub(super) fn offered(&self) -> Answerable {
        self.answerable(|seat| !seat)
    }

    /// The offers of the viewer.
    pub(super) fn asked_for(&self) -> Answerable {
        self.answerable(|seat| seat)
    }

    fn answerable(&self, who: impl Fn(Seat) -> Seat) -> Answerable {
        let by = self.frame.viewer.map(who);
        let is = |offer: Option<Seat>| offer.is_some() && offer == by;
        Answerable { draw: is(self.frame.offers.draw), takeback: is(self.frame.offers.takeback) }
    }

    /// Tells whether an offer of the viewer was declined since the last step.
    pub(super) fn declined(&self) -> bool {
        self.frame.current() && self.frame.viewer.is_some() && self.frame.offers.declined == self.frame.viewer
    }

    /// The rematch that was asked for, in words.
    pub(super) fn next_game(&self) -> String {
        let other = self.frame.offers.game.as_deref().and_then(registry::find);
        other.map_or_else(|| "the rematch".to_owned(), |variant| format!("a game of {}", variant.title))
    }

    pub(super) fn wants_rematch(&self) -> bool {
        self.frame.viewer.is_some_and(|seat| self.frame.offers.rematch[seat.index()])
    }

    pub(super) fn offered_rematch(&self) -> bool {
        self.frame.viewer.is_some_and(|seat| self.frame.offers.rematch[(!seat).index()])
    }

    /// The headline in the title of the window, where a page that waits in the background is seen.
    pub(super) fn title(&self) -> String {
        match &self.arrived {
            _ if self.waits => "Waiting for the other player".to_owned(),
            Some((_, name)) => format!("{name} sat down · {}", self.headline),
            None if self.frame.current() => self.headline.clone(),
            None => format!("Step {} · {}", self.frame.ply, self.headline),
        }
    }

    /// Tells whether the viewer is one of two people who play, who may say something to the other.
    pub(super) fn talks(&self) -> bool {
        self.look.held.len() == 1 && self.between_people
    }

    /// The field in which a choice is sent, whether or not it is the whole of an action.
    pub(super) fn says(&self, whole: &bool) -> &'static str {
        says(&self.frame, *whole)
    }

    /// Tells whether something is done on the board or directly below it.
    pub(super) fn by_hand(&self) -> bool {
        self.pressable || !self.hand.is_empty() || self.own.below.is_some()
    }

    /// Tells whether the viewer may give the game up, or the match.
    pub(super) fn resigns(&self) -> bool {
        self.said.resign || self.said.resign_match
    }

    /// What the engine thinks, as whoever sits at the near side of the board sees it.
    pub(super) fn side_view<'p>(&'p self, review: &'p Review) -> SideView<'p> {
        side_view(review, &self.frame, self.bars[1].seat)
    }

    /// The name of whoever sits in the seat of a strip, where it is known; else the side.
    pub(super) fn player(&self, bar: &Bar) -> &str {
        words::player(&self.frame, bar.seat)
    }
}
